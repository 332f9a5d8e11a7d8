package main

import (
	"os/exec"
	"strings"
	"testing"
)

// Long output waits at the end of a screen, on the command line and at the prompt;
// short output does not, nor does any with --no-pager.
func TestPager(t *testing.T) {
	if _, err := exec.LookPath("less"); err != nil {
		t.Skip("less is not installed")
	}
	home := t.TempDir()
	waits := func(s *screen) bool { return strings.HasSuffix(s.line(), ":") }

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
