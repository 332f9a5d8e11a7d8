package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/tools/txtar"
)

// duel is a home folder with a script in which both sides are asked.
func duel(t *testing.T) string {
	t.Helper()
	dir := home(t)
	a, err := txtar.ParseFile("../../testdata/cli/play.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		if strings.HasPrefix(f.Name, "duel.") {
			if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// kill ends the program as a power cut does.
func (p *person) kill() {
	p.t.Helper()
	p.cmd.Process.Signal(syscall.SIGKILL)
	p.leaves()
}

// An evening at a terminal: wrong answers, advice, answers taken back, Ctrl-C, the
// program killed with a question open and again behind an answer, left by Ctrl-D, and
// each time taken up at the same question with the same dice.
func TestEvening(t *testing.T) {
	dir := duel(t)
	p := sit(t, dir, "play", "--dice", "ask", "duel.scene")
	p.prompted(-1)
	p.press(":sta" + tab + "A" + tab)
	p.wait("the completion", func(s *screen) bool { return strings.HasSuffix(s.line(), ":state Ann ") })
	p.press("\r")
	p.waitFor("  Ann   luck 2")
	p.say("seven", "7", "maybe", ":undo", "8", "y", ":undo", "n")
	p.waitFor("d12 for strike (Ann):")
	p.kill()

	p = sit(t, dir, "play", "--resume")
	p.waitFor("duel.scene, after 2 answers; :log shows what happened\n")
	p.waitFor("d12 for strike (Ann):")
	p.say("2")
	p.waitFor("  so far                   6   vs Bo 11   failure by 5\nAnn: Throw again? 1 luck, 1 left after it. [y/N]")
	p.press(ctrlC)
	p.waitFor("Ctrl-C again leaves, and nothing is lost; :undo takes the last answer back\n")
	p.prompted(-1)
	p.say(":state Bo", "?")
	p.kill()

	p = sit(t, dir, "play", "--resume")
	p.waitFor("duel.scene, after 3 answers;")
	p.waitFor("  so far                   6   vs Bo 11   failure by 5\nAnn: Throw again? 1 luck, 1 left after it. [y/N]")
	p.press(ctrlD)
	if err := p.leaves(); err != nil {
		t.Error("leaving a question is no failure:", err)
	}
	p.waitFor("You left before the end. Go on at the same question with: setpiece play --resume")

	p = sit(t, dir, "play", "--resume")
	p.say(":undo 2", "y", "1", ":log")
	p.waitFor("  Bo: luck 2 -> 1\n")
	p.prompted(-1)
	p.enter("12")
	p.waitFor("  so far                  16   vs Bo 11   success by 5\nAnn: Throw again? 1 luck, 1 left after it. [y/N]")
	p.enter("n")
	if err := p.leaves(); err != nil {
		t.Error(err)
	}
	p.waitFor("  total                   16   vs Bo 11   success by 5\n  Bo: hurt 0 -> 1\n  Bo.hurt                  1\n")

	p = sit(t, dir, "play", "--resume")
	p.leaves()
	p.waitFor("there is no script to continue")
}

// Ctrl-C twice at a question leaves, too.
func TestCtrlCTwiceLeaves(t *testing.T) {
	dir := duel(t)
	p := sit(t, dir, "play", "--seed", "4", "duel.scene")
	p.waitFor("Bo: Throw again?")
	p.press(ctrlC)
	p.waitFor("Ctrl-C again leaves")
	p.prompted(-1)
	p.press(ctrlC)
	p.leaves()
	p.waitFor("You left before the end.")
}

// At the prompt a question can be left as well: by Ctrl-D, to be taken up; by Ctrl-C,
// which drops the command, twice where something was answered, until :redo brings it back; or by
// :undo, which takes answers back.
func TestQuestionsAtThePrompt(t *testing.T) {
	dir := duel(t)
	p := sit(t, dir)
	p.say(`include "duel.rules"`, "hero Ann {}; hero Bo {}", "dice 7 2", "Ann: strike Bo", ":undo")
	p.waitFor("there is no answer to take back; Ctrl-C drops the command, and :undo then takes back the one before\n")
	p.say("n", ":undo", "y")
	p.waitFor("vs Bo ")
	p.prompted(-1)
	p.press(ctrlC)
	p.waitFor("  Ctrl-C again drops this command; :redo then comes back to this question\n")
	p.prompted(-1)
	p.press(ctrlC)
	p.waitFor("stopped; this entry changed nothing   :redo comes back to this question, after other entries as well\n")
	p.say("Bo.luck", ":redo")
	p.waitFor("goes on: Ann: strike Bo, after 1 answer\n")
	p.say(":undo", "n")
	p.waitFor("> Bo.luck\n2\n")
	p.press(ctrlD)
	if err := p.leaves(); err != nil {
		t.Error(err)
	}

	p = sit(t, dir, "--resume")
	p.waitFor("and what was going on: Ann: strike Bo\n")
	p.waitFor("Ann: Throw again? 1 luck, 1 left after it. [y/N]")
	p.say("n", "Bo.luck")
	p.waitFor("> Bo.luck\n2\n")
}
