package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// Long output waits at the end of a screen, on the command line and at the prompt;
// short output does not, nor does any with --no-pager.
func TestPager(t *testing.T) {
	if _, err := exec.LookPath("less"); err != nil {
		t.Skip("less is not installed")
	}
	home := t.TempDir()
	waits := func(s *screen) bool { return strings.HasSuffix(s.line(), "q leaves --") }

	p := sitIn(t, home, []string{"PAGER=", "LESS="}, "rules", "cah")
	p.wait("less waiting at the end of a screen", waits)
	if s := p.shown(); !strings.Contains(s, "cah.") {
		t.Error(s)
	}
	p.press("q")
	if err := <-p.done; err != nil {
		t.Error(err)
	}

	p = sitIn(t, home, []string{"PAGER=", "LESS="}, "--no-pager", "rules", "cah")
	if err := <-p.done; err != nil {
		t.Error(err)
	}

	p = sitIn(t, home, []string{"PAGER=sed s/^/paged:/"}, "explain", "cah.star")
	if err := <-p.done; err != nil {
		t.Error(err)
	}
	if s := p.shown(); !strings.Contains(s, "cah.star") || strings.Contains(s, "paged:") {
		t.Errorf("it fits, and yet it is paged:\n%s", s)
	}

	p = sitIn(t, home, []string{"PAGER=sed s/^/paged:/"}, "rules", "cah")
	if err := <-p.done; err != nil {
		t.Error(err)
	}
	if s := p.shown(); !strings.Contains(s, "paged:cah.") {
		t.Errorf("$PAGER does not count:\n%s", s)
	}

	p = sitIn(t, home, []string{"PAGER=", "LESS="})
	p.prompted(0)
	row := p.row()
	p.enter("use cah")
	p.prompted(row)
	p.enter(":options")
	p.wait("less waiting at the end of a screen", waits)
	p.press("q")
	p.wait("the prompt again", func(s *screen) bool { return asking.MatchString(s.line()) })
	p.enter("2 + 2")
	p.waitFor("4")
	p.enter(":quit")
	if err := <-p.done; err != nil {
		t.Error(err)
	}
}

// What a terminal of 14 lines has no room for waits at its end: all that :help says, at the
// prompt and at a question, and help on a word.
func TestHelpInPages(t *testing.T) {
	dir := bout(t)
	env := []string{"PAGER=sed s/^/paged:/"}
	low := func(args ...string) *person {
		p := sitIn(t, dir, env, args...)
		if err := pty.Setsize(p.pty, &pty.Winsize{Rows: 14, Cols: 120}); err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := low()
	p.prompted(-1)
	p.enter(":help")
	p.waitFor("paged:Type a command of the rules in use")
	p.waitFor("paged:  :quit")
	p.prompted(-1)
	p.enter(":quit")
	if err := p.leaves(); err != nil {
		t.Error(err)
	}
	p = low("play", "bout.scene")
	p.questioned(-1)
	p.enter(":help")
	p.waitFor("paged:  Enter")
	p.questioned(-1)
	p.enter(":help tactics")
	p.waitFor("tactics   declaration")
	p.questioned(-1)
	p.enter(":pause")
	p.leaves()
	p = low("help", "cah", "attack")
	p.waitFor("paged:attack   verb")
	p.leaves()
}

// After a page at a question, Ctrl-C still stops what goes on after it.
func TestCtrlCBehindAPager(t *testing.T) {
	dir := gambling(t)
	p := sitIn(t, dir, []string{"PAGER=sed s/^/paged:/"})
	if err := pty.Setsize(p.pty, &pty.Winsize{Rows: 14, Cols: 120}); err != nil {
		t.Fatal(err)
	}
	p.say("use gamble")
	p.prompted(-1)
	row := p.row()
	p.enter("gamble; let i = 0; while yes { i += 1 }")
	p.prompted(row)
	row = p.row()
	p.enter(":help")
	p.waitFor("paged:  ?")
	p.prompted(row)
	p.enter("n")
	p.wait("the program to leave the terminal", func(*screen) bool { return state(p.t, p.pty) == p.lines })
	p.press(ctrlC)
	p.waitFor("stopped; this entry changed nothing")
	p.prompted(-1)
	p.enter(":quit")
	p.leaves()
}
