package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// bout is a home folder with a script in which Nova and Old Grey have no tactics.
func bout(t *testing.T) string {
	t.Helper()
	dir := home(t)
	a, err := txtar.ParseFile("../../testdata/cli/turns.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		if strings.HasPrefix(f.Name, "bout.") {
			if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// A person at a terminal gives the commands of their turns: with completion, a mistake,
// a small thing first, one command taken back, the program killed and taken up, and at
// last everybody left to their tactics.
func TestTurnsAtATerminal(t *testing.T) {
	dir := bout(t)
	p := sit(t, dir, "play", "--dice", "6,1,6", "bout.scene")
	p.waitFor(`Nova> [strike "Old Grey" with BLADE]`)
	for _, x := range []struct{ typed, want string }{{"str", "strike"}, {"Fan", "strike Fang"}, {"with KI", "strike Fang with KICK"}} {
		p.press(x.typed)
		p.wait("what was typed", func(s *screen) bool { return strings.Contains(s.line(), x.typed) })
		p.press(tab)
		p.wait("the completion", func(s *screen) bool { return strings.HasSuffix(s.line(), "] "+x.want+" ") })
	}
	p.press("\x15") // Ctrl-U drops the line
	p.questioned(-1)
	turn := func(line, shows string) { // and the next turn is open
		t.Helper()
		row := p.row()
		p.enter(line)
		p.waitFor(shows)
		p.questioned(row)
	}
	turn("strike Fnag", "did you mean Fang?")
	turn("n", "no question is open that n could answer")
	turn("taunt Fang", "Fang: guard 3 -> 2")
	turn("rest", "Old Grey> [strike Nova with TOOTH]")
	turn(":undo", "taken back: 1 answer")
	turn("strike Fang with KICK", "Old Grey> [strike Nova with TOOTH]")
	p.wait("Old Grey's turn again", func(s *screen) bool { return strings.HasPrefix(s.line(), "Old Grey> ") })
	p.kill()

	p = sit(t, dir, "play", "--resume")
	p.waitFor("Old Grey> [strike Nova with TOOTH]")
	p.questioned(-1)
	turn(":state Fang", "life 2")
	p.enter(":auto all")
	p.waitFor("Nova: life 5 -> 4")
	if err := p.leaves(); err != nil {
		t.Error(err)
	}
}

// A fight at the prompt asks as well; :auto and :ask are steps that can be undone.
func TestTurnsAtThePrompt(t *testing.T) {
	dir := bout(t)
	p := sit(t, dir)
	p.prompted(-1)
	p.say("use bout", "fighter Nova { life 5; BLADE 2 }", "fighter Fang { team red; CLAW 1 }", ":auto Fang", "dice 6 1")
	p.press("bout 1\r")
	p.waitFor("Nova> [strike Fang with BLADE]")
	p.press("\r")
	p.waitFor("Fang: life 3 -> 2")
	p.prompted(-1)
	p.say(":undo", ":undo", ":undo")
	p.waitFor("undone: :auto Fang")
	p.say("dice 6 1")
	p.press("bout 1\r")
	p.waitFor("Nova> ")
	p.press("pass\r")
	p.waitFor("Fang> [strike Nova with CLAW]")
	p.press("pass\r")
	p.prompted(-1)
}
