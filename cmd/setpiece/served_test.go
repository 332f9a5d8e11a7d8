package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp/transcript/transcripttest"
)

// Bots in two languages play encounters through setpiece serve and take the usual answer at each
// question. Their records are those of somebody at the terminal who presses Enter each time; also if
// the server is killed at questions, and another one goes on with what was saved. With this seed
// the scripts of the short form ask nobody what a die decides in run, so what happens there is the same.
func TestBots(t *testing.T) {
	scripts := []string{"scripts/unisystem/the_weeping_lady.scene", "scripts/firefly/the_lassiter.scene"}
	if longTests {
		scripts = nil
		for _, form := range []string{"scripts/*/*.scene", "scripts/*/*.md", "scripts/ironsworn/*/evening.scene"} {
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
	for _, bot := range [][]string{{"python3", "testdata/bots/bot.py"}, {"node", "testdata/bots/bot.mjs"}, {"python3", "testdata/bots/bot.py", "9"}} {
		t.Run(strings.Join(bot, " "), func(t *testing.T) {
			if _, err := exec.LookPath(bot[0]); err != nil {
				t.Skipf("there is no %s here", bot[0])
			}
			for _, script := range scripts {
				entered := output(t, "\n", setpiece, "play", "--json", "--seed", "1", script)
				played := output(t, "", bot[0], append([]string{bot[1], setpiece, script, "1"}, bot[2:]...)...)
				transcripttest.Records(t, played, true)
				want, got := decoded(t, entered), decoded(t, played)
				if len(bot) > 2 { // a question that was answered is not told again
					want, got = happened(want), happened(got)
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s: %s", script, d)
				}
				if !longTests {
					ran := output(t, "", setpiece, "run", "--json", "--seed", "1", script)
					if d := cmp.Diff(happened(decoded(t, ran)), happened(decoded(t, played))); d != "" {
						t.Errorf("%s, run: %s", script, d)
					}
				}
			}
		})
	}
}

// A bot in Discord plays an evening in one thread: what is posted is what happens at the terminal, buttons say what they
// cost, and only whoever asks sees what the answers are worth. The gateway is a fake.
func TestDiscord(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node here")
	}
	dir, script := t.TempDir(), "scripts/cah/bog_of_doom.scene"
	setpiece := program(t, t.TempDir())
	for from, to := range map[string]string{"discord.mjs": "discord.mjs", "fake_discord.mjs": "node_modules/discord.js/index.mjs"} {
		data, err := os.ReadFile("../../testdata/bots/" + from)
		if err == nil {
			os.MkdirAll(filepath.Dir(filepath.Join(dir, to)), 0o700)
			err = os.WriteFile(filepath.Join(dir, to), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	os.WriteFile(filepath.Join(dir, "node_modules/discord.js/package.json"), []byte(`{"name":"discord.js","exports":"./index.mjs"}`), 0o600)
	t.Setenv("FAKE_FILE", script)
	var seen struct {
		Threads, Commands      int
		Posted, Buttons, Wrong []string
		Alone                  []struct{ User, Text string }
	}
	if err := json.Unmarshal([]byte(output(t, "", "node", filepath.Join(dir, "discord.mjs"), setpiece)), &seen); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, r := range decoded(t, output(t, "\n", setpiece, "play", "--json", "--seed", "1", script)) {
		outcome, _ := r["outcome"].(string)
		switch who, _ := r["who"].(string); {
		case r["depth"] != nil:
		case r["event"] == "span" && r["end"] == false && r["text"] != nil:
			want = append(want, fmt.Sprintf("**%s**", r["text"]))
		case r["event"] == "group" && outcome != "":
			want = append(want, strings.ReplaceAll(fmt.Sprintf("%s %s: %s", strings.Trim(who, `"`), r["label"], outcome), "_", " "))
		}
	}
	got := strings.Split(strings.TrimSuffix(strings.Join(seen.Posted, ""), "Nobody is asked anything more."), "\n")
	if d := cmp.Diff(want, got[:len(got)-1]); d != "" || len(want) < 5 {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"no", "yes (1 oomph)", "What is it worth?"}, seen.Buttons); d != "" || seen.Threads != 1 || seen.Commands != 2 || len(seen.Wrong) > 0 {
		t.Errorf("%s %d threads, %d commands, %q", d, seen.Threads, seen.Commands, seen.Wrong)
	}
	if len(seen.Alone) != 3 || seen.Alone[0].User != "stranger" || !strings.Contains(seen.Alone[1].Text, "yes: ") || !strings.Contains(seen.Alone[2].Text, "over") || strings.Contains(strings.Join(seen.Posted, ""), "%") {
		t.Errorf("what only one saw: %q", seen.Alone)
	}
}

// output is what a program prints, called in the folder of the module, to which typed is said again
// and again. What is wrong with a script shows in what it prints.
func output(t *testing.T, typed, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = "../..", append(os.Environ(), "XDG_STATE_HOME="+t.TempDir())
	cmd.Stdin = strings.NewReader(strings.Repeat(typed, 1000))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && out.Len() == 0 {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, errs.String())
	}
	return out.String()
}

func decoded(t *testing.T, lines string) (list []map[string]any) {
	t.Helper()
	for line := range strings.Lines(lines) {
		var r map[string]any
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// happened is the records of what happened: not who was asked, and who answered.
func happened(records []map[string]any) (list []map[string]any) {
	for _, r := range records {
		if !slices.Contains([]any{"question", "turn", "throw", "command"}, r["event"]) {
			delete(r, "by")
			list = append(list, r)
		}
	}
	return list
}
