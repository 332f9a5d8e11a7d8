package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"setpiece/cmd/internal/cli"
)

// slowCall is a call that would go on for long.
type slowCall struct {
	what string
	args string // "FILE" is a file with the text, "NOTE" is one with the name of a note
	text string
}

// slow are such calls, by kind of work. A call that ends by itself before it is interrupted
// says so in the table. They are made where they are asked for: the texts are large, and this
// program is started hundreds of times as setpiece.
func slow() []slowCall {
	return []slowCall{
		{"compiling statements", "check FILE", strings.Repeat("print 1\n", 500_000)},
		{"compiling one long list", "check FILE", "print " + strings.Repeat("1,", 2_000_000) + "1"},
		{"formatting", "fmt FILE", strings.Repeat("print  1\n", 450_000)},
		{"formatting 13 MB", "fmt --limit source=16MiB FILE", strings.Repeat("print  1\n", 1_500_000)},
		{"a run", "run FILE", "while yes { let x = 1 }"},
		{"a run that prints", "run --limit output=1GiB FILE", "while yes { print \"x\" }"},
		{"a run with long texts", "run FILE", "while yes { let t = \"a\"; repeat 16 { t = \"{t}{t}\" } }"},
		{"printing a deep list", "run FILE", "let l = [1]\nrepeat 9900 { l = [l, 1] }\nwhile yes { print l }"},
		{"one step of odds", "odds FILE", "while yes { let x = 1 }"},
		{"one step of odds that prints", "odds FILE", "while yes { print \"x\" }"},
		{"one step of odds with questions", "odds FILE", "sheet guest { n number }\nguest A {}\nrule r() { offer o to A \"again?\" { r() } }\nwhile yes { r() }"},
		{"states of odds", "odds FILE", "let x = 0\nwhile yes { x = x * 6 + (throw d6).face }"},
		{"a large pool", "odds FILE", "report (throw 30d30).sorted"},
		{"another large pool", "odds FILE", "report (throw 40d10).sorted"},
		{"a huge die", "odds FILE", "report (throw d3000000).face"},
		{"tests with odds", "test FILE", "test \"t\" { let x = throw 200d200\nexpect odds(x.sum > 1) == 100% }"},
		{"trials", "sim -n 1000000000 FILE", "let n = 0\nrepeat 100 { n = n + (throw d6).face * (throw d8).face }\nreport n"},
		{"why of a fight", "why ../../scripts/cah/bog_of_doom.scene", ""},
		{"the best answers", "odds --best everybody ../../scripts/cah/bog_of_doom.scene", ""},
		{"the best answers by trials", "odds --time 1ms --best everybody ../../scripts/cah/bog_of_doom.scene", ""},
		{"odds that are sampled", "odds --time 2s --trials 100000000 ../../scripts/marvel/breakout.scene", ""},
		{"odds of an encounter", "odds --time 60s ../../scripts/marvel/breakout.scene", ""},
		{"trials of an encounter", "sim -n 1000000000 ../../scripts/firefly/the_lassiter.scene", ""},
		{"why with many results", "why --goal x>7 FILE", "let x = (throw d1000000).face"},
		{"tune of a fight", "tune --want 50..60% --vary Valorus.DEXTROUS=1..9 ../../scripts/cah/bog_of_doom.scene", ""},
		{"tune of numbers", "tune --want 50..60% --goal x>100 --vary n=1..99 FILE", "let n = 1\nlet x = 0\nrepeat n * 1000 { x += (throw d6).face }\nreport x > 100"},
		{"check --strict", "check --strict ../../scripts/cah/bog_of_doom.scene", ""},
		{"long fractions", "run FILE", "let x = 1\nrepeat 100 { x = x * 1000000007 / 3 }\nwhile yes { let y = x / 7 + 1 }"},
		{"sorting long lists", "run FILE", "let l = list(1..99999)\nwhile yes { let m = reversed(l).sorted }"},
		{"exact fractions", "odds --exact FILE", "let x = 150\nwhile x > 0 and x < 300 { x = x + (throw d6).face - (throw d6).face }\nreport x > 0"},
		{"CSV of many results", "odds --csv -e report~(throw~d900000).face", ""},
		{"JSON of many results", "odds --json -e report~(throw~d900000).face", ""},
		{"merging", "merge PART PART2", ""},
		{"waiting at the prompt of a pipe", "run -", ""},
		{"a report", "report --time 60s ../../scripts/cah/bog_of_doom.scene", ""},
		{"a report of a page", "report --trials 1000000 --time 60s -o PAGE ../../scripts/firefly/the_lassiter.scene", ""},
		{"weaving many fences", "weave -d NOTE", strings.Repeat("```setpiece alone\nlet x = throw d6\nprint x\n```\n\n", 12_000)},
		{"weaving commands of a note", "weave -d NOTE", "```setpiece file=a.scene\nreport (throw 9d9).sorted, (throw 9d9).sorted\n```\n\n```console\n$ setpiece odds --time 60s a.scene\n```\n"},
		{"tests in a note", "test NOTE", "```setpiece\nwhile yes { let x = 1 }\ntest \"t\" { expect 1 == 1 }\n```\n"},
		{"the handbook", "doc -o FOLDER", ""},
		{"how scenes follow one another", "graph --trials 100000000 --time 1ms ../../scripts/cah/bog_of_doom.scene", ""},
		{"a playground", "playground -o FOLDER", ""},
		{"a replay", "replay LOG", ""},
		{"play", "play FILE", "while yes { let x = 1 }"},
		{"two scripts side by side", "sim --vs -n 1000000000 --let Valorus.DEXTROUS=3 ../../scripts/cah/bog_of_doom.scene", ""},
		{"odds side by side", "odds --compare report~(throw~30d30).sorted FILE", "report (throw 40d10).sorted"},
		{"the prompt in a pipe", "--prompt", ""},
		{"waiting for messages", "serve --stdio", ""},
		{"the tests of a system", "system check SYSTEM", "use slow\ntest \"t\" { while yes { let x = 1 } }"},
	}
}

// quick are the commands that only print what the program knows, and those that bound their work
// as they would between two keys.
var quick = []string{"complete", "completion", "editor", "explain", "help", "hover", "lsp", "rules", "schema", "share", "sheet", "version"}

// Every command that may work for long is stopped in the campaign.
func TestEveryCommandIsStopped(t *testing.T) {
	for _, command := range commands(t) {
		stopped := slices.ContainsFunc(slow(), func(s slowCall) bool { return strings.HasPrefix(s.args, command+" ") })
		if stopped == slices.Contains(quick, command) {
			t.Errorf("%s: the campaign stops it: %t", command, stopped)
		}
	}
}

// commands are the commands that the help of the program lists.
func commands(t *testing.T) (names []string) {
	t.Helper()
	var help strings.Builder
	if status := cli.Main([]string{"--help"}, strings.NewReader(""), &help, &help); status != 0 {
		t.Fatal(help.String())
	}
	_, list, _ := strings.Cut(help.String(), "Available Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	for line := range strings.Lines(list) {
		names = append(names, strings.Fields(line)[0])
	}
	if len(names) < 20 {
		t.Errorf("only %d commands", len(names))
	}
	return names
}

// typed are lines that work for long at the prompt. Ctrl-C ends the line, and the prompt is
// there again.
var typed = []struct {
	what  string
	setUp []string
	line  string
}{
	{"a run", nil, "while yes { let x = 1 }"},
	{"a run with long texts", nil, "while yes { let t = \"a\"; repeat 16 { t = \"{t}{t}\" } }"},
	{"a run that prints", nil, "while yes { print \"x\" }"},
	{"odds of a pool", nil, "odds (throw 30d30).sorted"},
	{"odds of many states", nil, "odds { let x = 0; while yes { x = x * 6 + (throw d6).face } }"},
	{"odds in one step", nil, "odds { while yes { let x = 1 } }"},
	{"a file", nil, ":load FILE"},
	{"odds of a fight", []string{":load FIGHT"}, "odds fight"},
	{"why of a fight", []string{":load FIGHT"}, "why fight"},
	{"? before a command", []string{":load FIGHT"}, "round\r?"},
	{"? at a question", []string{"use gamble"}, "gamble\r?"},
}

// soonEnough is how long work may go on after Ctrl-C, on the clock or in time of the
// processors, whichever is less: a busy machine makes the clock run ahead, and several
// processors that work at once make the other run ahead.
const soonEnough = 200 * time.Millisecond

// A campaign, SETPIECE_STOP=1 go test ./cmd/setpiece -run StopCampaign -v: each kind of
// long work is interrupted by Ctrl-C after a while, and it prints how many milliseconds
// it then took until the program had ended. What TestStopsSoon counts is measured here.
func TestStopCampaign(t *testing.T) {
	if os.Getenv("SETPIECE_STOP") == "" {
		t.Skip("SETPIECE_STOP=1 measures how long each kind of work takes to stop")
	}
	dir := t.TempDir()
	parts := []string{filepath.Join(dir, "1.part"), filepath.Join(dir, "2.part")}
	for i, part := range parts {
		shard := []string{"1/2", "2/2"}[i]
		cmd := exec.Command("setpiece", "sim", "-n", "200000", "--shard", shard, "--part", part, "-e", "report (throw d100000).face, (throw d100000).face")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Logf("no parts: %v %s", err, out)
		}
	}
	log := filepath.Join(dir, "log")
	if out, err := exec.Command("setpiece", "run", "--log", log, "-e", "let n = 0\nrepeat 1000000 { n = n + (throw d6).face }").CombinedOutput(); err != nil {
		t.Logf("no log: %v %s", err, out)
	}
	for i, s := range slow() {
		if !stopped(s.what) {
			continue
		}
		file, note := filepath.Join(dir, "slow.scene"), filepath.Join(dir, "slow.md")
		for path, text := range map[string]string{file: s.text, note: s.text, filepath.Join(dir, "slow.rules"): "system slow \"Slow\"\n"} {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, after := range []time.Duration{50 * time.Millisecond, 400 * time.Millisecond, 1500 * time.Millisecond} {
			names := strings.NewReplacer("FILE", file, "NOTE", note, "SYSTEM", dir, "LOG", log, "FOLDER", filepath.Join(dir, "pages"), "PART2", parts[1], "PART", parts[0], "PAGE", filepath.Join(dir, "page.html"))
			args := words(names.Replace(s.args))
			cmd := exec.Command("setpiece", args...)
			cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir()) // nothing is woven from what was kept
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			cmd.Stderr = &out
			done := make(chan error, 1)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			go func() { done <- cmd.Wait() }()
			select {
			case <-done:
				t.Logf("%2d %-34s ended by itself within %v: %.60q", i+1, s.what, after, out.String())
				continue
			case <-time.After(after):
			}
			begun, used := time.Now(), processorTime(cmd.Process.Pid)
			cmd.Process.Signal(syscall.SIGINT)
			select {
			case <-done:
				passed := time.Since(begun)
				used = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime() - used
				t.Logf("%2d %-34s interrupted after %5d ms, ended %4d ms later, %4d ms of processor time", i+1, s.what, after.Milliseconds(), passed.Milliseconds(), used.Milliseconds())
				if min(passed, used) > soonEnough {
					t.Errorf("%s works on for %v", s.what, min(passed, used))
				}
			case <-time.After(patience):
				cmd.Process.Kill()
				<-done
				t.Errorf("%2d %-34s interrupted after %v, went on for %v", i+1, s.what, after, patience)
			}
			in.Close()
		}
	}
}

// stopped says whether a kind of work is to be stopped: all, or those that SETPIECE_STOP names
// in part.
func stopped(what string) bool {
	part := os.Getenv("SETPIECE_STOP")
	return part == "1" || strings.Contains(what, part)
}

// Likewise at the prompt, where the line ends and the program goes on.
func TestStopCampaignAtThePrompt(t *testing.T) {
	if os.Getenv("SETPIECE_STOP") == "" {
		t.Skip("SETPIECE_STOP=1 measures how long each kind of work takes to stop")
	}
	for i, s := range typed {
		if !stopped(s.what) {
			continue
		}
		dir := home(t)
		file := filepath.Join(dir, "long.scene")
		if err := os.WriteFile(file, []byte(strings.Repeat("print 1\n", 500_000)), 0o600); err != nil {
			t.Fatal(err)
		}
		fight := filepath.Join(dir, "fight.scene")
		text := "use cah\nhero Nova { star 4; oomph 3; AIM 4; GUTS 3 }\nvillain Fang { star 4; BITE 4; HIDE 3 }\ngoons Imps x3 { rating 2 }\nscene \"Cave\" action\nheroes Nova\nvillains Fang, Imps\n"
		if err := os.WriteFile(fight, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "gamble.rules"), []byte(gamble), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, after := range []time.Duration{50 * time.Millisecond, 400 * time.Millisecond, 1500 * time.Millisecond} {
			names := strings.NewReplacer("FILE", file, "FIGHT", fight)
			p := sit(t, dir)
			for _, line := range s.setUp {
				p.say(names.Replace(line))
			}
			if strings.Contains(p.shown(), "^^") {
				t.Fatalf("%s:\n%s", s.what, p.shown())
			}
			waits := func(s *screen) bool { return asking.MatchString(s.line()) || question.MatchString(s.line()) }
			for line := range strings.SplitSeq(names.Replace(s.line), "\r") {
				p.wait("a prompt", waits)
				p.enter(line)
			}
			time.Sleep(after)
			begun, used := time.Now(), processorTime(p.cmd.Process.Pid)
			if p.see(waits) {
				t.Logf("%2d %-24s ended by itself within %v", i+1, s.what, after)
			} else {
				p.press(ctrlC)
				p.wait("a prompt", waits)
				passed := time.Since(begun)
				used = processorTime(p.cmd.Process.Pid) - used
				t.Logf("%2d %-24s interrupted after %5d ms, a prompt %4d ms later, %4d ms of processor time", i+1, s.what, after.Milliseconds(), passed.Milliseconds(), used.Milliseconds())
				if min(passed, used) > soonEnough {
					t.Errorf("%s works on for %v", s.what, min(passed, used))
				}
			}
			p.kill()
		}
	}
}

// words parts a line at its blanks; ~ is a blank that stays.
func words(line string) []string {
	out := strings.Fields(line)
	for i, w := range out {
		out[i] = strings.ReplaceAll(w, "~", " ")
	}
	return out
}

// processorTime is how long the processors have worked for a process, 0 where the system
// does not say it as Linux does.
func processorTime(pid int) time.Duration {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(stat), ") ")
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * 10 * time.Millisecond // of 100 a second
}
