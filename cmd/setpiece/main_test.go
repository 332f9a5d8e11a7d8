package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
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
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
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
