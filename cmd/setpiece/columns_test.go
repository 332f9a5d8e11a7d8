package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"setpiece/cmd/internal/cli"
)

// columned reports numbers and words, with a name of its own and without.
const columned = `use cah
hero Nova { star 3; PUNCH 4; oomph 1 }
Nova: roll PUNCH vs DN 9
report last.total, last.outcome as "how it ends"
report last.total + 0.5 as half
report last.margin
`

// TestColumnNames: what a script reports has one name in all commands and in all they write,
// and that is the name that --columns takes.
func TestColumnNames(t *testing.T) {
	file := filepath.Join(t.TempDir(), "columned.scene")
	if err := os.WriteFile(file, []byte(columned), 0o600); err != nil {
		t.Fatal(err)
	}
	call := func(args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if status := cli.Main(append(args, file), strings.NewReader(""), &out, &errs); status != 0 {
			t.Fatalf("setpiece %s: exit status %d\n%s", strings.Join(args, " "), status, errs.String())
		}
		return out.String()
	}
	want := []string{"last.total", "how it ends", "half", "last.margin"}
	same := func(what string, got []string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: columns %q, want %q", what, got, want)
		}
	}
	var reported []string
	for _, r := range jsonLines(t, call("run", "--json")) {
		if r.Event == "report" {
			reported = append(reported, r.Name)
		}
	}
	same("run --json", reported)
	for _, command := range [][]string{{"odds"}, {"sim", "-n", "200"}} {
		name := command[0]
		drawing := filepath.Join(t.TempDir(), name+".svg")
		text := call(append(command, "--svg", drawing)...)
		var titles []string
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); slices.Contains(want, line) {
				titles = append(titles, line)
			}
		}
		same(name, titles)
		rows, err := csv.NewReader(strings.NewReader(call(append(command, "--csv")...))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		var column []string
		for _, row := range rows[1:] {
			if !slices.Contains(column, row[0]) {
				column = append(column, row[0])
			}
		}
		same(name+" --csv", column)
		var distributions, ends []string
		for _, r := range jsonLines(t, call(append(command, "--json")...)) {
			switch r.Event {
			case "distribution":
				distributions = append(distributions, r.Column)
			case name:
				ends = r.Columns
			}
		}
		same(name+" --json, distributions", distributions)
		same(name+" --json, columns", ends)
		svg, err := os.ReadFile(drawing)
		if err != nil {
			t.Fatal(err)
		}
		var drawn []string
		for _, m := range regexp.MustCompile(`>([^<]+)</text>`).FindAllStringSubmatch(string(svg), -1) {
			if slices.Contains(want, m[1]) && !slices.Contains(drawn, m[1]) {
				drawn = append(drawn, m[1])
			}
		}
		same(name+" --svg", drawn)
		for _, one := range want {
			if got := call(append(command, "--columns", one, "--csv")...); !strings.Contains(got, "\n"+one+",") {
				t.Errorf("%s --columns %q does not give it:\n%s", name, one, got)
			}
		}
	}
}

// aRecord is what the records of this file's tests are asked for.
type aRecord struct {
	Event, Name, Column string
	Columns             []string
}

func jsonLines(t *testing.T, text string) (all []aRecord) {
	t.Helper()
	for line := range strings.Lines(text) {
		var r aRecord
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}
