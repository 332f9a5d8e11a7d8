package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"setpiece/cmd/internal/cli"
)

// reportOf makes a report of a script as the program does.
func reportOf(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if status := cli.Main(append([]string{"report"}, args...), strings.NewReader(""), &out, &errs); status != 0 {
		t.Fatalf("%v: status %d\n%s%s", args, status, &out, &errs)
	}
	return out.String()
}

// The reports of the encounters that ship are kept under testdata/report, from so few trials
// that they are quick: a change of the rules or of the page shows in them. They are made in
// the long form of the tests, and with -update.
func TestReports(t *testing.T) {
	if os.Getenv("SETPIECE_LONG") == "" && !*update {
		t.Skip("SETPIECE_LONG=1 makes the reports of all encounters")
	}
	t.Chdir(filepath.Join("..", ".."))
	files, err := filepath.Glob("scripts/*/*.scene")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no encounters")
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			got := reportOf(t, "--trials", "200", f)
			golden := filepath.Join("testdata", "report", strings.TrimSuffix(filepath.Base(f), ".scene")+".txt")
			if *update {
				os.MkdirAll(filepath.Dir(golden), 0o777)
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s: the report is not as %s has it; go test ./cmd/setpiece -run TestReports -update writes it anew\n%s", f, golden, got)
			}
		})
	}
}

// The records have the figures of the text: each of those of a scene, written as the text writes it,
// stands in a line of the text that names what it is of.
func TestReportRecords(t *testing.T) {
	const scene = "../../scripts/cah/bog_of_doom.scene"
	text := strings.Split(reportOf(t, "--trials", "200", scene), "\n")
	type figure struct{ Value, Half, Trials float64 }
	var r struct {
		Goals []struct{ Chance figure }
		Falls []struct {
			Who    string
			Chance figure
		}
		Reserves []struct {
			Name string
			Mean *figure
		}
		Moves struct {
			List []struct {
				To       string
				By, Half float64
			}
		}
		Decisions []struct {
			What  string
			Worth figure
		}
		Columns []struct {
			Points []struct {
				Value any
				P     float64
				Half  float64
			}
		}
	}
	lines := strings.Split(strings.TrimSpace(reportOf(t, "--json", "--trials", "200", scene)), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &r); err != nil {
		t.Fatal(err)
	}
	stands := func(want ...string) {
		t.Helper()
		if !slices.ContainsFunc(text, func(line string) bool {
			line = strings.Join(strings.Fields(strings.ReplaceAll(line, "−", "-")), " ")
			return !slices.ContainsFunc(want, func(w string) bool { return !strings.Contains(line, w) })
		}) {
			t.Errorf("no line of the text has %q", want)
		}
	}
	share := func(f figure) string { return fmt.Sprintf("%.1f %% ± %.1f", 100*f.Value, 100*f.Half) }
	by := func(x, half float64) string { return fmt.Sprintf("%+.1f ± %.1f", 100*x, 100*half) }
	for _, g := range r.Goals {
		stands("The heroes win", share(g.Chance))
	}
	for _, f := range r.Falls {
		stands(f.Who, share(f.Chance))
	}
	for _, x := range r.Reserves {
		if x.Mean != nil && x.Mean.Half > 0 {
			stands(x.Name, fmt.Sprintf("%.2f ± %.2f", x.Mean.Value, x.Mean.Half))
		}
	}
	for _, m := range r.Moves.List {
		stands(m.To, by(m.By, m.Half))
	}
	for _, d := range r.Decisions {
		stands(by(d.Worth.Value, d.Worth.Half))
	}
	for _, c := range r.Columns {
		for _, p := range c.Points {
			stands(share(figure{p.P, p.Half, 200}))
		}
	}
	if len(r.Goals) == 0 || len(r.Falls) == 0 || len(r.Reserves) == 0 || len(r.Columns) == 0 {
		t.Errorf("sections are missing: %+v", r)
	}
}
