package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"setpiece/cmd/internal/cli"
	"setpiece/interp/transcript/transcripttest"
)

var update = flag.Bool("update", false, "rewrite what is expected under testdata")

// raceOptions keep a program under the race detector from waiting a second
// before it ends.
const raceOptions = "atexit_sleep_ms=0"

// The tests read the rules of the systems again and again; with the usual setting much of
// their time goes into collecting garbage.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	testscript.Main(m, map[string]func(){"setpiece": main})
}

// longTests has the tests run in their long form: all calls in processes of their own, all
// commands of the guides, and what else takes minutes.
var longTests = os.Getenv("SETPIECE_LONG") != ""

// inProcesses are the archives whose calls are processes in the short form, too: those that
// are about what a process is given and leaves behind.
var inProcesses = []string{"run", "prompt"}

// The command line, from archives of scripts, calls and what they show. In the short form
// most calls are made in this process, one after the other: most of the time of a process
// goes into reading the rules of a system, which they then share.
func TestCLI(t *testing.T) {
	rules, err := os.ReadFile("../../testdata/cli/tiny.rules")
	if err != nil {
		t.Fatal(err)
	}
	shipped, err := filepath.Abs("../../scripts")
	if err != nil {
		t.Fatal(err)
	}
	archives, err := filepath.Abs("../../testdata/cli") // calls change the folder
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           archives,
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", raceOptions)
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("XDG_STATE_HOME", "")
			env.Setenv("XDG_CACHE_HOME", "")
			env.Setenv("XDG_DATA_HOME", env.WorkDir+"/data")
			env.Setenv("NO_COLOR", "")
			env.Setenv("SCRIPTS", shipped)
			env.Setenv("TERM", "xterm")
			return os.WriteFile(filepath.Join(env.WorkDir, "tiny.rules"), rules, 0o600)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "records": records, "input": input},
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

// input is the command "input FILE": the next call reads the file, a record of an earlier
// call with stdout, as its standard input.
func input(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: input FILE")
	}
	ts.Setenv("INPUT", ts.ReadFile(args[0]))
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
	said := ts.Getenv("INPUT")
	ts.Setenv("INPUT", "")
	got := call(ts, said, args[1:])
	if got != want {
		ts.Fatalf("exit status %d, not %d", got, want)
	}
}

// calling is held by the one call that is made in this process: its folder and environment
// are those of the process.
var calling sync.Mutex

// variables are those of the environment that setpiece reads.
var variables = []string{
	"HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "SETPIECE_SYSTEMS", "NO_COLOR", "TERM", "GORACE", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT",
	"SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP", "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS",
}

// call calls setpiece, or another program, and gives the exit status.
func call(ts *testscript.TestScript, said string, args []string) int {
	if longTests || args[0] != "setpiece" || slices.Contains(inProcesses, ts.Name()) {
		return callProcess(ts, said, args)
	}
	calling.Lock()
	defer calling.Unlock()
	here, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(here)
	for _, name := range variables {
		value, set := os.LookupEnv(name)
		os.Setenv(name, ts.Getenv(name))
		defer func() {
			if os.Setenv(name, value); !set {
				os.Unsetenv(name)
			}
		}()
	}
	return cli.Main(args[1:], strings.NewReader(said), ts.Stdout(), ts.Stderr())
}

func callProcess(ts *testscript.TestScript, said string, args []string) int {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), strings.NewReader(said), ts.Stdout(), ts.Stderr()
	cmd.Env = os.Environ()
	for _, name := range variables {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	err := cmd.Run()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		ts.Fatalf("%v", err)
	}
	return cmd.ProcessState.ExitCode()
}
