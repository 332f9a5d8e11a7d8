package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// Long output of a command waits at the end of a screen; short output does not, nor does any with --no-pager.
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
}

// What a terminal of 14 lines has no room for comes at Enter, at the prompt and at a question; whatever
// else is typed there is what it is anywhere.
func TestHelpInPages(t *testing.T) {
	dir := bout(t)
	low := func(args ...string) *person {
		p := sitIn(t, dir, []string{"PAGER=sed s/^/paged:/"}, args...)
		if err := pty.Setsize(p.pty, &pty.Winsize{Rows: 14, Cols: 120}); err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := low()
	p.prompted(-1)
	p.enter(":help")
	p.waitFor("more lines: Enter shows them")
	p.prompted(-1)
	p.enter("")
	p.enter("2 + 3")
	p.waitFor("5")
	p.prompted(-1)
	p.enter(":quit")
	if err := p.leaves(); err != nil {
		t.Error(err)
	}
	if s := p.shown(); strings.Contains(s, "paged:") {
		t.Errorf("the prompt leaves its screen to a pager:\n%s", s)
	}
	p = low("play", "bout.scene")
	p.questioned(-1)
	p.enter(":help")
	p.waitFor("more lines: Enter shows them")
	p.enter("")
	p.enter(":help tactics")
	p.waitFor("tactics   declaration")
	p.enter(":pause")
	p.leaves()
	p = low("help", "cah", "attack")
	p.waitFor("paged:attack   verb")
	p.leaves()
}
