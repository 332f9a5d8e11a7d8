package interp_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
)

// Behind a dot stands what the value has: the fields and Traits of a character,
// the functions of a list, a die, a number; and nothing that is the module's own
// business.
func TestCompleteMembers(t *testing.T) {
	s := using(t, "cah")
	script := "hero Nova { star 3; PUNCH 4 }\nlet pool = throw 3d6\nlet n = 3\nlet who = Nova"
	if err := s.Exec(context.Background(), lang.NewSource("", script)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ line, with, without string }{
		{"Nova.", "PUNCH oomph star name has( standing", "sum take( floor avoids_insta marked"},
		{"Nova.oomph.", "floor abs", "sum star"},
		{"Nova.traits.", "first sum size", "floor star"},
		{"Nova.PUNCH.", "rating has(", "star floor"},
		{"who.", "PUNCH oomph", "sum"},
		{"pool.", "faces sum take( showing(", "floor star upper"},
		{"pool.take(2).", "sum sorted", "floor star"},
		{"pool.sum.", "floor", "sorted"},
		{"(throw 2d6).", "sum faces", "floor star sides"},
		{"(throw d12).", "face sides", "sorted floor"},
		{"print n.", "floor ceil", "sum"},
		{`"Nova".`, "PUNCH star", "upper"},
		{`"text".`, "upper size", "floor sum"},
		{"[1, 2].", "sum first", "floor upper"},
		{"last.", "outcome total margin", "floor"},
		{"x.", "floor sum upper star", ""}, // of something unknown all functions are listed
	} {
		_, list := assist.Complete(s, c.line, len(c.line))
		var words []string
		for _, w := range list {
			words = append(words, w.Text)
		}
		for _, w := range strings.Fields(c.with) {
			if !slices.Contains(words, w) && !(c.line == "x." && w == "star") {
				t.Errorf("%s does not offer %s: %v", c.line, w, words)
			}
		}
		for _, w := range strings.Fields(c.without) {
			if slices.Contains(words, w) {
				t.Errorf("%s offers %s", c.line, w)
			}
		}
	}
}

// In a pool the traits of whoever acts are offered, behind a plus and behind the word that
// begins it.
func TestCompletePool(t *testing.T) {
	s := using(t, "marvel")
	script := "hero Bolt { distinction \"Fast Mouth\"; power_set \"Speedster\" { SPEED d10 } }\nwatcher Grimm { power_set \"Beast\" { CLAWS d8 } }"
	if err := s.Exec(context.Background(), lang.NewSource("", script)); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"Bolt: attack Grimm with ":                  `"Fast Mouth" SPEED`,
		"Bolt: attack Grimm with SPEED + ":          `"Fast Mouth" SPEED`,
		"Bolt: attack Grimm with SPEED + \"Fast":    `"Fast Mouth"`,
		"Bolt: attack Grimm with \"Fast Mouth\" +S": "SPEED",
	} {
		_, list := assist.Complete(s, line, len(line))
		var words []string
		for _, w := range list {
			if w.Kind == "trait" {
				words = append(words, w.Text)
			}
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("%s is followed by %s, not %s", line, got, want)
		}
	}
}

// Rules that nothing describes are not offered, nor are the rules behind words
// such as strongest.
func TestCompleteLeavesOutInternalRules(t *testing.T) {
	s := using(t, "cah")
	_, list := assist.Complete(s, "print ", 6)
	for _, c := range list {
		if c.Doc == "" && c.Kind == "rule" || strings.HasPrefix(c.Text, "pick_") || c.Text == "benefit_dice" {
			t.Errorf("%s %s is offered", c.Kind, c.Text)
		}
	}
	if !slices.ContainsFunc(list, func(c assist.Completion) bool { return c.Text == "floor(" && c.Doc != "" }) {
		t.Error("no function is offered")
	}
}

func TestHint(t *testing.T) {
	s := using(t, "cah")
	if err := s.Exec(context.Background(), lang.NewSource("", "hero Nova { star 3; PUNCH 4 }")); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"let ":                      "NAME = VALUE",
		"Nova: roll ":               "[T]",
		"Nova: roll PUNCH link ":    "LINKED",
		"Nova: roll PUNCH vs DN ":   "DN",
		"option natural ":           "= VALUE",
		"option natural = ":         "kept",
		"Nova: roll PUNCH":          "",
		`Nova: roll PUNCH told "x `: "",
		"gibberish ":                "",
	} {
		if got := assist.Hint(s, line); got != want {
			t.Errorf("%q: the hint is %q, not %q", line, got, want)
		}
	}
	if got := assist.Hint(s, "Nova: attack Nova with PUNCH "); !strings.HasPrefix(got, "[against [DEFENCE]] ") {
		t.Errorf("the clauses left are %q", got)
	}
}

// A clause that could not count where it would stand is not offered, be it that the
// text says so or the state.
func TestCompleteLeavesOutWhatCannotCount(t *testing.T) {
	s := interp.NewSession(interp.Config{})
	text, err := os.ReadFile("../testdata/design/clauses_that_count.scene")
	if err != nil {
		t.Fatal(err)
	}
	declarations, _, _ := strings.Cut(string(text), "\nrefused")
	if err := s.Exec(context.Background(), lang.NewSource("", declarations)); err != nil {
		t.Fatal(err)
	}
	offered := func(line string) string {
		_, list := assist.Complete(s, line, len(line))
		var words []string
		for _, c := range list {
			if c.Kind == "clause" {
				words = append(words, c.Text)
			}
		}
		return strings.Join(words, " ")
	}
	for _, c := range []struct{ line, want string }{
		{"Ann: strike Bob ", "against bluff cut hold lucky pay push"},
		{"Bob: strike Ann ", "against cut hold lucky pay"},              // Bob is not brave, and Ann sees through him
		{"Ann: strike Bob push ", "against bluff cut lucky pay"},        // twice is no use, and hold is excluded
		{"Ann: strike Bob hold p", "pay"},                               // so is push; the word begun is no part of the command
		{"Ann: strike Bob hold ", "against bluff bribed cut lucky pay"}, // bribed needs hold
		{"Ann: strike Bob against ", "bluff cut hold lucky pay push"},   // Bob's clauses, and behind them Ann's
	} {
		if got := offered(c.line); got != c.want {
			t.Errorf("%q offers %q, not %q", c.line, got, c.want)
		}
	}
	if err := s.Exec(context.Background(), lang.NewSource("", "Bob.brave = yes")); err != nil {
		t.Fatal(err)
	}
	if got := offered("Bob: strike Ann "); !strings.Contains(got, "push") {
		t.Errorf("push is not offered to whoever is brave: %q", got)
	}
	if got := assist.Hint(s, "Ann: strike Bob push "); strings.Contains(got, "hold") {
		t.Errorf("the hint names what is excluded: %q", got)
	}
}
