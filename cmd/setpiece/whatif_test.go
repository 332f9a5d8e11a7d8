package main

import (
	"strings"
	"testing"
)

// A person at the prompt asks what another line would have led to. The program is killed
// with that course open, and at the question that the course asks; it is there again. 4 is
// doubled to 8, and 9 falls as it fell: 17. Without it the sum is 13.
func TestWhatIfAtThePrompt(t *testing.T) {
	dir := home(t)
	p := sit(t, dir)
	p.say("use tiny", "dice 4 9", "roll", "roll")
	p.press(":what-if 2 roll; double\r")
	p.waitFor("what if:\n")
	p.waitFor("Double it? 1 luck, 1 left after it. [y/N]")
	p.kill()

	p = sit(t, dir, "--resume")
	p.waitFor("Double it? 1 luck, 1 left after it. [y/N]")
	p.prompted(-1)
	p.say("y")
	p.waitFor("  Hero n          13    17\n")
	p.kill()

	p = sit(t, dir, "--resume")
	p.waitFor("  Hero n          13    17\n")
	p.prompted(-1)
	p.say("roll", "Hero.n")
	p.waitFor("another course is open: :keep takes it")
	p.say(":keep", "Hero.n")
	p.waitFor("> Hero.n\n17\n")
	p.kill()

	p = sit(t, dir, "--resume")
	p.say("Hero.n", ":undo", "Hero.n", ":redo", "Hero.luck")
	p.waitFor("> Hero.n\n17\n> :undo\nundone: :what-if roll; double\n> Hero.n\n13\n> :redo\nredone: :what-if roll; double\n> Hero.luck\n1\n")
	p.press(ctrlD)
	if err := p.leaves(); err != nil {
		t.Error(err)
	}
}

// A person who plays asks what would have come of another command: 6 and 2 are more than 3,
// so Old Grey is down, and has no turn. Fang's stroke, a 1, falls as it fell.
func TestWhatIfInPlay(t *testing.T) {
	dir := bout(t)
	p := sit(t, dir, "play", "--dice", "6,1", "--ask", "Fang", "bout.scene")
	turn := func(line, shows string) {
		t.Helper()
		p.questioned(-1)
		row := p.row()
		p.enter(line)
		p.waitFor(shows)
		p.questioned(row)
	}
	turn("strike Fang with BLADE", "Fang> [strike Nova with CLAW]")
	turn("strike Nova with CLAW", "Old Grey> [strike Nova with TOOTH]")
	turn(`:what-if 2 strike "Old Grey" with BLADE`, "nothing has changed yet")
	for _, want := range []string{
		"instead of: what Nova does  strike Fang with BLADE\n",
		"  Fang life       2     3\n",
		"  Old Grey life   1     0\n",
		"2 dice as before\n",
	} {
		p.waitFor(want)
	}
	p.kill()

	p = sit(t, dir, "play", "--resume")
	p.waitFor("  Old Grey life   1     0\n")
	turn("rest", "another course is open")
	turn(":drop", "dropped; the evening is as it was")
	turn(":state", "Old Grey: life 1")
	turn(`:what-if 2 strike "Old Grey" with BLADE`, "nothing has changed yet")
	p.questioned(-1)
	p.enter(":keep")
	p.waitFor("Old Grey: life 1 -> 0")
	if err := p.leaves(); err != nil && !strings.Contains(err.Error(), "exit status") {
		t.Error(err)
	}
	p.waitFor("Fang.life                3\n")
}
