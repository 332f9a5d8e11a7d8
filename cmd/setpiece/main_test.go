package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"setpiece/interp/transcript/transcripttest"
)

var update = flag.Bool("update", false, "rewrite what is expected under testdata")

// raceOptions keep a program under the race detector from waiting a second
// before it ends.
const raceOptions = "atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"setpiece": main})
}

// The command line, from archives of scripts, calls and what they show.
func TestCLI(t *testing.T) {
	rules, err := os.ReadFile("../../testdata/cli/tiny.rules")
	if err != nil {
		t.Fatal(err)
	}
	shipped, err := filepath.Abs("../../scripts")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "../../testdata/cli",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", raceOptions)
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("XDG_STATE_HOME", "")
			env.Setenv("NO_COLOR", "")
			env.Setenv("SCRIPTS", shipped)
			env.Setenv("TERM", "xterm")
			return os.WriteFile(filepath.Join(env.WorkDir, "tiny.rules"), rules, 0o600)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "records": records},
	})
}

// Each kind of record that the schema has is seen in a call: one that no call writes would
// be a promise that nobody keeps.
func TestEveryRecordIsSeen(t *testing.T) {
	archive, err := os.ReadFile("../../testdata/cli/json.txtar")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{"void": true} // see TestJSONTurn
	for line := range strings.Lines(string(archive)) {
		if kinds, ok := strings.CutPrefix(line, "records "); ok {
			for _, kind := range strings.Fields(kinds) {
				seen[kind] = true
			}
		}
	}
	for _, kind := range transcripttest.Kinds(t) {
		if !seen[kind] {
			t.Errorf("testdata/cli/json.txtar has no call with a record %s", kind)
		}
	}
}

// records is the command "records KIND…": what the last program printed is records as the
// schema has them, the first of them first, with these kinds among them.
func records(ts *testscript.TestScript, neg bool, args []string) {
	kinds, err := transcripttest.Check(ts.ReadFile("stdout"), true)
	if neg || err != nil {
		ts.Fatalf("%v", err)
	}
	for _, kind := range args {
		if kinds[kind] == 0 {
			ts.Fatalf("there is no record %s", kind)
		}
	}
}

// exits is the command "exits STATUS PROGRAM ARG…": it runs a program and
// expects its exit status.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM ARG…")
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		ts.Fatalf("%v", err)
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var status *exec.ExitError
		if !errors.As(err, &status) {
			ts.Fatalf("%v", err)
		}
		got = status.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, not %d", got, want)
	}
}
