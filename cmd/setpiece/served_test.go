package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp/transcript/transcripttest"
)

// Bots in two languages play encounters through setpiece serve and take the usual answer at each
// question. What happens is what happens in run, where nobody is asked; also if the server is
// killed at questions, and another one goes on with what was saved.
func TestBots(t *testing.T) {
	scripts := []string{"scripts/unisystem/the_weeping_lady.scene", "scripts/firefly/the_lassiter.scene"}
	if longTests {
		scripts = nil
		for _, form := range []string{"scripts/*/*.scene", "scripts/*/*.md"} {
			found, err := filepath.Glob(filepath.Join("../..", form))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range found {
				scripts = append(scripts, strings.TrimPrefix(filepath.ToSlash(path), "../../"))
			}
		}
	}
	setpiece := program(t, t.TempDir())
	for _, bot := range [][]string{{"python3", "testdata/bots/bot.py"}, {"node", "testdata/bots/bot.mjs"}, {"python3", "testdata/bots/bot.py", "5"}} {
		t.Run(strings.Join(bot, " "), func(t *testing.T) {
			if _, err := exec.LookPath(bot[0]); err != nil {
				t.Skipf("there is no %s here", bot[0])
			}
			for _, script := range scripts {
				ran := output(t, setpiece, "run", "--json", "--seed", "3", script)
				played := output(t, bot[0], append([]string{bot[1], setpiece, script, "3"}, bot[2:]...)...)
				transcripttest.Records(t, played, true)
				if d := cmp.Diff(happened(t, ran), happened(t, played)); d != "" {
					t.Errorf("%s: %s", script, d)
				}
			}
		})
	}
}

// output is what a program prints, called in the folder of the module. What is wrong with a script
// shows in what it prints.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = "../.."
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && (out.Len() == 0 || name != args[0] && cmd.ProcessState.ExitCode() > 1) {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, errs.String())
	}
	return out.String()
}

// happened is the records of what happened: not who was asked, and who answered.
func happened(t *testing.T, lines string) (list []map[string]any) {
	t.Helper()
	for line := range strings.Lines(lines) {
		var r map[string]any
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		switch r["event"] {
		case "question", "turn", "throw", "command":
			continue
		}
		delete(r, "by")
		list = append(list, r)
	}
	return list
}
