package main

import (
	"strings"
	"testing"
)

// Tab lists what there is, walks through it, and Shift-Tab goes back.
func TestTabWalks(t *testing.T) {
	p := sit(t, home(t))
	p.say("use tiny", "let red = 1", "let rose = 2", "let rust = 3")
	p.press("print r" + tab)
	p.waitFor("\n  red ")
	p.wait("the line once more", func(s *screen) bool { return s.line() == "> print r" })
	p.press(tab)
	p.wait("the first", func(s *screen) bool { return s.line() == "> print red" })
	p.press(tab + tab)
	p.wait("the third but one", func(s *screen) bool { return strings.HasPrefix(s.line(), "> print r") && s.line() != "> print red" })
	p.press("\x1b[Z" + "\x1b[Z")
	p.wait("the first again", func(s *screen) bool { return s.line() == "> print red" })
	row := p.row()
	p.press("\r")
	p.prompted(row)
	p.waitFor("> print red\n1\n>\n")
}

// Behind the cursor stands what may come next; the right arrow takes it over
// where it is the rest of a word, and nothing of it stays when the line is
// entered.
func TestHintBehindTheCursor(t *testing.T) {
	p := sit(t, home(t))
	p.say("use tiny")
	p.press("dou")
	p.waitFor("\n> double\n")
	p.wait("the cursor behind what was typed", func(s *screen) bool { return s.line() == "> dou" })
	p.press("\x1b[C")
	p.wait("the word", func(s *screen) bool { return s.line() == "> double" })
	p.press("\x15roll ")
	p.waitFor("\n> roll [twice]\n")
	row := p.row()
	p.press("\r")
	p.prompted(row)
	p.waitFor("\n> roll\n  d12 ")
}

// With no colours there are no hints either.
func TestPlainLine(t *testing.T) {
	for _, env := range []string{"NO_COLOR=1", "TERM=dumb"} {
		p := sitIn(t, home(t), []string{env})
		p.say("use tiny")
		p.press("dou")
		p.wait("what was typed", func(s *screen) bool { return s.line() == "> dou" })
		if strings.Contains(p.shown(), "double") {
			t.Errorf("with %s there is a hint", env)
		}
	}
}

// A line of many thousand letters is pasted in one go.
func TestLongPaste(t *testing.T) {
	p := sit(t, home(t))
	p.prompted(-1)
	p.press(`let long = "` + strings.Repeat("word ", 4000) + `"`)
	p.press("\r")
	p.say("long.size")
	p.waitFor("> long.size\n20000\n>\n")
}

// A pasted block is typed line by line, its indentation included.
func TestPastedBlock(t *testing.T) {
	p := sit(t, home(t))
	p.prompted(-1)
	p.press("if yes {\r\tif yes {\r\t\tprint \"deep inside\"\r\t}\r}\r")
	p.waitFor("\ndeep inside\n>\n")
}
