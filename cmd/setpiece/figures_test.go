package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The page of figures is its own list of what to measure: a row whose second cell names a
// benchmark, or a benchmark and the one by hand beside it, is filled in by the words at the
// head of its table.
//
//	go test ./cmd/setpiece -run Figures -figures .
const figuresPage = "../../interp/FIGURES.md"

var figures = flag.String("figures", "", "measure the benchmarks that match, and write them into interp/FIGURES.md")

// measured is what a benchmark printed: the time of one run, and its other units.
type measured map[string]float64

// Every row of the page names benchmarks that there are, and holds a figure in each cell.
// With -figures those that match are measured anew.
func TestFigures(t *testing.T) {
	text, err := os.ReadFile(figuresPage)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	known := benchmarks(t)
	var head []string
	var rows []int
	var wanted []string
	heads := map[int][]string{}
	for i, line := range lines {
		cells := cellsOf(line)
		switch {
		case cells == nil:
			head = nil
			continue
		case head == nil:
			head = cells
			continue
		case strings.Trim(cells[0], "-") == "", !strings.HasPrefix(head[1], "benchmark"): // no benchmark measures it
			continue
		}
		names := benchmarksIn(cells[1])
		if len(names) == 0 || len(cells) != len(head) {
			t.Errorf("%s:%d: a row of %d cells that names %d benchmarks, under %v", figuresPage, i+1, len(cells), len(names), head)
		}
		for _, n := range names {
			if name, _, _ := strings.Cut(n, "/"); !slices.Contains(known, name) {
				t.Errorf("%s:%d: there is no Benchmark%s", figuresPage, i+1, n)
			}
		}
		if slices.Contains(cells, "") {
			t.Errorf("%s:%d: an empty cell", figuresPage, i+1)
		}
		rows, heads[i] = append(rows, i), head
		wanted = append(wanted, names...)
	}
	if len(rows) < 10 {
		t.Fatalf("only %d rows were found", len(rows))
	}
	if *figures == "" || t.Failed() {
		return
	}
	match := regexp.MustCompile(*figures)
	wanted = slices.DeleteFunc(wanted, func(n string) bool { return !match.MatchString(n) })
	got := measure(t, wanted)
	for _, i := range rows {
		lines[i] = filled(lines[i], heads[i], got)
	}
	if err := os.WriteFile(figuresPage, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// cellsOf gives the cells of a table's line, nil where a line is none.
func cellsOf(line string) []string {
	if !strings.HasPrefix(line, "| ") {
		return nil
	}
	cells := strings.Split(strings.Trim(line, "| "), " | ")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

func benchmarksIn(cell string) []string {
	var names []string
	for _, m := range regexp.MustCompile("`([\\w/]+)`").FindAllStringSubmatch(cell, -1) {
		names = append(names, m[1])
	}
	return names
}

// benchmarks gives the names of all there are.
func benchmarks(t *testing.T) []string {
	var names []string
	for _, dir := range []string{"../../interp", "../../interp/odds", "../../lang", "../../cmd/internal/table", "."} {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`(?m)^func Benchmark(\w+)`).FindAllStringSubmatch(string(text), -1) {
				names = append(names, m[1])
			}
		}
	}
	return names
}

// measure runs benchmarks, each for a second, or as often as sized says.
func measure(t *testing.T, names []string) map[string]measured {
	runs := map[string][]string{}
	for _, n := range names {
		n, _, _ = strings.Cut(n, "/") // a part is measured with the others
		runs[sized[n]] = append(runs[sized[n]], n)
	}
	got := map[string]measured{}
	for often, whole := range runs {
		args := []string{"test", "-run", "^$", "-timeout", "1h", "-bench", "^Benchmark(" + strings.Join(whole, "|") + ")$"}
		if often != "" {
			args = append(args, "-benchtime", often)
		}
		cmd := exec.Command("go", append(args, "./interp", "./interp/odds", "./lang", "./cmd/internal/table", "./cmd/setpiece")...)
		cmd.Dir = "../.."
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		readFigures(t, string(out), got)
	}
	return got
}

// sized are benchmarks whose figure is one for so many iterations.
var sized = map[string]string{"SimEncounter": "10000x", "Answer": "300x"}

// readFigures reads what go test has printed.
func readFigures(t *testing.T, out string, got map[string]measured) {
	for line := range strings.Lines(out) {
		words := strings.Fields(line)
		name, ok := strings.CutPrefix(words[0], "Benchmark")
		if !ok || len(words) < 4 {
			continue
		}
		name, _, _ = strings.Cut(name, "-")
		got[name] = measured{}
		for i := 2; i+1 < len(words); i += 2 {
			v, err := strconv.ParseFloat(words[i], 64)
			if err != nil {
				t.Fatal(line, err)
			}
			got[name][words[i+1]] = v
		}
	}
}

// filled is a row with what was measured. A row whose benchmark was not measured stays.
func filled(line string, head []string, got map[string]measured) string {
	cells := cellsOf(line)
	names := benchmarksIn(cells[1])
	own, ok := got[names[0]]
	if !ok {
		return line
	}
	hand := got[names[len(names)-1]]
	if ns, ok := own["hand-ns"]; ok { // it measures both
		hand = measured{"ns/op": ns}
	}
	for i, h := range head {
		switch h {
		case "time":
			cells[i] = took(own["ns/op"])
		case "by hand", "empty call":
			cells[i] = took(hand["ns/op"])
		case "ratio":
			ratio, measured := own["ratio"] // of processor times
			if !measured {
				ratio = own["ns/op"] / hand["ns/op"]
			}
			cells[i] = fmt.Sprintf("%.1f", ratio)
		case "states", "lines/s", "questions":
			cells[i] = fmt.Sprintf("%.0f", own[h])
		case "a trial":
			cells[i] = took(own["cpu-ns/trial"])
		case "duels by hand":
			cells[i] = fmt.Sprintf("%.0f", own["duels/trial"])
		case "memory":
			cells[i] = fmt.Sprintf("%.0f MiB", own["MiB"])
		case "exact":
			cells[i] = fmt.Sprintf("%.0f %%", own["%exact"])
		case "width":
			cells[i] = fmt.Sprintf("± %.1f %%", own["%width"])
		case "first", "again", "last":
			cells[i] = took(own[h+"-ms"] * 1e6)
		case "1st: first", "1st: last", "10th: first", "10th: last":
			unit := strings.ReplaceAll(h, ": ", "-") + "-ms"
			if cells[i] = took(own[unit] * 1e6); own[unit] == 0 {
				cells[i] = "–" // there are not so many questions
			}
		}
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

// took is a time with two digits that count.
func took(ns float64) string {
	for _, u := range []struct {
		of   time.Duration
		name string
	}{{time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "µs"}, {1, "ns"}} {
		if v := ns / float64(u.of); v >= 0.995 || u.of == 1 {
			if v < 9.95 {
				return fmt.Sprintf("%.1f %s", v, u.name)
			}
			return fmt.Sprintf("%.0f %s", v, u.name)
		}
	}
	return ""
}

func TestTook(t *testing.T) {
	for ns, want := range map[float64]string{5.71: "5.7 ns", 99.6: "100 ns", 2_560_000: "2.6 ms", 12_300_000: "12 ms", 350_000_000: "350 ms", 1e9: "1.0 s"} {
		if got := took(ns); got != want {
			t.Errorf("%v ns: %s, not %s", ns, got, want)
		}
	}
}
