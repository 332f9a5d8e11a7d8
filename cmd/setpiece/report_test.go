package main

import (
	"bytes"
	"os"
	"path/filepath"
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
