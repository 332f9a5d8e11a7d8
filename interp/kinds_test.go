package interp_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// Every rule of the systems that ship is resolved, and everything compared in them can be
// equal: a false alarm about a script would most likely be one about them.
func TestRulesCompareLikeWithLike(t *testing.T) {
	for _, name := range []string{"cah", "firefly", "marvel", "unisystem", "clichenimatic"} {
		folder, err := fs.Sub(stdlib.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		// A module beside the script is checked as a whole.
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Folder: folder})
		for _, d := range s.Check(lang.NewSource("x", "use "+name+"\n")) {
			t.Errorf("%v", d)
		}
	}
}

// What is compared, and what is said of it: the line, what is underlined, the message and
// the help. An empty message: nothing is wrong.
func TestKinds(t *testing.T) {
	const before = `use cah
hero Nova { star 3; AIM 4 }
hero "Doctor Anvil" { AIM 3 }
villain Fang { BITE 3 }
goons Bots x3 { rating 1 }
sheet chest { gold number = 3; label text; open truth; kept list; lid one of (oak, iron); marks map }
chest Box
let n = 3
let name = "Nova"
let mixed = 1
mixed = "one"
rule half(x) = x / 2
scene "Here" action {
  heroes Nova
  villains Fang
  fight rounds 1
  %s
}
`
	for _, c := range []struct{ line, under, message, help string }{
		{`if winner == "heroes" { }`, `heroes`, `winner is a word and never a text`, `without quotes:  winner == heroes`},
		{`if "heroes" != last.winner { }`, `heroes`, `last.winner is a word and never a text`, `without quotes:  last.winner != heroes`},
		{`if winner == heroes { }`, ``, ``, ``},
		{`if winner == none { }`, ``, ``, ``},
		{`if last.outcome == "success" { }`, `success`, `last.outcome is a word and never a text`, `without quotes:  last.outcome == success`},
		{`if Bots >= 3 { }`, `Bots`, `Bots is a list, not a number`, `count it:  Bots.size >= 3`},
		{`if 3 <= Bots { }`, `Bots`, `Bots is a list, not a number`, `count it:  3 <= Bots.size`},
		{`if Bots.size >= 3 { }`, ``, ``, ``},
		{`if Box.gold == "3" { }`, `3`, `Box.gold is a number and "3" is a text, so they are never equal`, ``},
		{`if Box.label == "3" { }`, ``, ``, ``},
		{`if Box.label > 3 { }`, `3`, `Box.label is a text and 3 is a number: they cannot be compared`, ``},
		{`if Box.lid == "oak" { }`, `oak`, `Box.lid is a word and never a text`, `without quotes:  Box.lid == oak`},
		{`if Box.lid > 2 { }`, `Box.lid`, `Box.lid is yes or no or a word and cannot be compared with >`, ``},
		{`if success { }`, `success`, `success is a word, not yes or no`, `write  last.outcome == success`},
		{`if n { }`, `n`, `n is a number, not yes or no`, `write  n > 0`},
		{`if not Bots { }`, `Bots`, `Bots is a list, not yes or no`, `write  not Bots.empty`},
		{`if Box.open and n { }`, `n`, `n is a number, not yes or no`, `write  n > 0`},
		{`if Nova { }`, `Nova`, `Nova is somebody or something, not yes or no`, `write  Nova != none`},
		{`if Box.open { }`, ``, ``, ``},
		{`if n in 3 { }`, `3`, `3 is a number, not a list, a map or a range`, `write  n == 3`},
		{`if n in 1..3 { }`, ``, ``, ``},
		{`if Bots.has(d6) { }`, `Bots`, `Bots is a list, and has is for characters and things`, `write  d6 in Bots`},
		{`if Nova.has(d6) { }`, ``, ``, ``},
		{`if Box.marks.LOST == d6 { }`, `Box.marks`, `Box.marks is a map; a dot is for fields and traits`, `write  Box.marks["LOST"]`},
		{`if Box.marks["LOST"] == d6 { }`, ``, ``, ``},
		{`if half(n) == "x" { }`, ``, ``, ``}, // what a rule of the script gives is not followed
		{`if mixed == "one" or mixed == 1 { }`, ``, ``, ``},
		{`if n in [1..3] { }`, `[1..3]`, `[1..3] is a list with a range in it, and n is a number`, `write  n in 1..3`},
		{`if n in 1..3 or n in [1, 2] { }`, ``, ``, ``},
		{`if 1..3 in [1..3] { }`, ``, ``, ``},
		{`if Nova.AIM.rating == high { }`, `high`, `nothing here is called high`, ``},
	} {
		text := fmt.Sprintf(before, c.line)
		s := interp.NewSession(interp.Config{Modules: stdlib.FS})
		got := []string{"", "", ""}
		for _, d := range s.Check(lang.NewSource("x", text)) {
			if got[1] != "" {
				t.Errorf("%s: also %v", c.line, d)
				continue
			}
			got = []string{d.Src.Text[d.Start:d.End], d.Message, d.Help}
		}
		if got[0] != c.under || got[1] != c.message || c.help != "" && got[2] != c.help {
			t.Errorf("%s\n  got  %s\n  want %s", c.line, strings.Join(got, " | "), strings.Join([]string{c.under, c.message, c.help}, " | "))
		}
	}
}
