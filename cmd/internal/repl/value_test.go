package repl

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"setpiece/cmd/internal/style"
	"setpiece/interp"
)

// Dice alone are thrown and added up; dice that were thrown show their faces and
// their sum. _ and last are the value shown last.
func TestDiceAloneAndLastValue(t *testing.T) {
	given := func(c *Config) { c.Session.Dice = []int{7, 3, 4, 5, 6} }
	got, _ := talk(t, given,
		"d12", "2d6+1", "throw 2d6", "_.sum", "_ * 2", "last + 1", "_", ":undo", "_")
	said(t, got, `
> d12
7
> 2d6+1
8   3, 4
> throw 2d6
6, 5   sum 11
> _.sum
11
> _ * 2
22
> last + 1
23
> _
23
> :undo
undone: throw 2d6
> _
8
> 
`)
}

// In colour the sum and the faces are faint, and no part of a colour is shown.
func TestDiceInColour(t *testing.T) {
	given := func(c *Config) {
		c.Session.Dice, c.Palette = []int{3, 4, 6, 5}, style.New(true)
		c.Out = style.NewWriter(c.Out)
	}
	got, _ := talk(t, given, "2d6", "throw 2d6")
	if want := "7\x1b[2m   3, 4\x1b[22m\n"; !strings.Contains(got, want) {
		t.Errorf("%q has no %q", got, want)
	}
	if want := "6, 5\x1b[2m   sum 11\x1b[22m\n"; !strings.Contains(got, want) {
		t.Errorf("%q has no %q", got, want)
	}
}

// What goes on with a value that was only looked at can be undone, saved and done
// again.
func TestLastValueIsKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.scene")
	got, _ := talk(t, nil, "2 + 3", "_ * 2", "let x = _ + 1", "7", "let y = _", ":save "+file, "x", "y", ":undo", ":undo", ":redo 9", "y")
	if strings.Contains(got, "warning") || !strings.Contains(got, "> x\n11\n> y\n7\n") || !strings.HasSuffix(got, "> y\n7\n> \n") {
		t.Error(got)
	}
	data, _ := os.ReadFile(file)
	want := "\nlet _ = 2 + 3\n\nlet _ = _ * 2\n\nlet x = _ + 1\n\nlet _ = 7\n\nlet y = _\n"
	if !strings.HasSuffix(string(data), want) {
		t.Errorf("saved\n%s", data)
	}
}

// An existing file is only replaced when the person says so; one that this
// session was saved to is its own.
func TestSaveAsks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.scene")
	if err := os.WriteFile(file, []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, _ := talk(t, nil, "let x = 1", ":save "+file, "n", ":save "+file, "y", "let x = 2", ":save "+file)
	if n := strings.Count(got, "Replace it? [y/N]"); n != 2 || !strings.Contains(got, "s.scene is left as it was\n") || !strings.Contains(got, "saved: ") {
		t.Errorf("asked %d times\n%s", n, got)
	}
	data, _ := os.ReadFile(file)
	if !strings.HasSuffix(string(data), "let x = 1\n\nlet x = 2\n") {
		t.Errorf("saved\n%s", data)
	}
}

// Answers are saved in words.
func TestSaveAnswersInWords(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.scene")
	talk(t, nil, "use tiny", "dice 5", "roll", "double", "y", ":save "+file)
	data, _ := os.ReadFile(file)
	if !strings.Contains(string(data), "\n# doubling yes\nanswers yes\ndouble\n") {
		t.Errorf("saved\n%s", data)
	}
}

// Commands can be shortened as long as they are told apart.
func TestShortCommands(t *testing.T) {
	got, _ := talk(t, nil, "use tiny", "dice 5", "roll", ":opt ones", ":s", ":st Hero", ":q")
	for _, want := range []string{"> :opt ones\nones   option", "> :s\n:s may be :state, :seed, :save\n", "> :st Hero\n  Hero   n 5 · luck 2\n", "> :q\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("never saw %q in\n%s", want, got)
		}
	}
}

// :edit takes the last block to an editor, and a block that is being typed too.
func TestEdit(t *testing.T) {
	edit := func(c *Config) {
		c.Edit = func(text string) (string, error) { return strings.ReplaceAll(text, "ten", "10") + "}\n", nil }
	}
	got, in := talk(t, edit, "if yes {", "  print ten", ":edit")
	said(t, got, `
> if yes {
.   print ten
. :edit
if yes {
  print 10
}
10
> 
`)
	if len(in.remembered) != 1 || in.remembered[0] != "if yes {\n  print 10\n}" {
		t.Errorf("remembered %q", in.remembered)
	}
	again := func(c *Config) {
		c.Edit = func(text string) (string, error) { return strings.ReplaceAll(text, "1", "2"), nil }
	}
	got, _ = talk(t, again, "print 1", ":edit", ":edit")
	said(t, got, "> print 1\n1\n> :edit\nprint 2\n2\n> :edit\nprint 2\n2\n> \n")
	got, _ = talk(t, nil, ":edit")
	if !strings.Contains(got, "there is no editor: set the variable EDITOR") {
		t.Error(got)
	}
}

// Time is that of the program, not of the person who thinks.
func TestTimeLeavesOutThinking(t *testing.T) {
	l := New(Config{Lines: &typing{lines: []string{"y"}, out: &strings.Builder{}}, Out: &strings.Builder{}, Session: interp.Config{}})
	l.table.Asker.Ask(t.Context(), "well? ")
	if l.waited == 0 {
		t.Error("the time for an answer is not left out")
	}
}

// A saved session runs to the same state though its entries give dice and answers of their own
// and need more than they give, in whatever order.
func TestSaveInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	face := func() int { return 1 + r.IntN(12) }
	yes := [2]string{"no", "yes"}
	entry := func() string {
		switch r.IntN(6) {
		case 0:
			return "roll"
		case 4:
			return "Hero.luck = 4"
		case 5:
			return fmt.Sprintf("if yes { answers %s; double; roll; mix; double; answers %s %s; double }", yes[r.IntN(2)], yes[r.IntN(2)], yes[r.IntN(2)])
		case 1:
			return fmt.Sprintf("dice %d", face())
		case 2:
			return fmt.Sprintf("if yes { roll; mix; dice %d %d; roll; mix; roll; mix; roll }", face(), face())
		}
		return fmt.Sprintf("if yes {\n  dice %d\n  roll; mix\n  roll; mix\n  if Hero.n > 40 { dice %d; roll }\n  roll\n}", face(), face())
	}
	mixed := 0
	for n := range 40 {
		lines := []string{"use tiny", "Hero.luck = 9", "verb mix { do { who.n = mod(who.n * 7, 101) } }"} // the order counts
		for range 2 + r.IntN(4) {
			e := entry()
			if lines = append(lines, strings.Split(e, "\n")...); strings.Contains(e, "double") {
				lines = append(lines, yes[r.IntN(2)], "Hero.luck = 9") // of three questions one has no answer yet
			}
		}
		file := filepath.Join(t.TempDir(), "s.scene")
		got, _ := talk(t, func(c *Config) { c.Session.Seed = uint64(n) }, append(lines, ":save "+file, "Hero.n")...)
		if strings.Contains(got, "warning") {
			t.Errorf("%q:\n%s", lines, got)
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), " once ") {
			mixed++
		}
		again, _ := talk(t, func(c *Config) { c.Session.Seed = 99 }, ":load "+file, "Hero.n")
		if a, b := rest(got, "> Hero.n\n"), rest(again, "> Hero.n\n"); a != b {
			t.Errorf("%q ends with %q, the saved file with %q:\n%s", lines, a, b, text)
		}
	}
	if mixed < 5 {
		t.Errorf("only %d of the sessions have to give once", mixed)
	}
}
