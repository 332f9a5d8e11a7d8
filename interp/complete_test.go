package interp_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
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
		_, list := s.Complete(c.line, len(c.line))
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

// Rules that nothing describes are not offered, nor are the rules behind words
// such as strongest.
func TestCompleteLeavesOutInternalRules(t *testing.T) {
	s := using(t, "cah")
	_, list := s.Complete("print ", 6)
	for _, c := range list {
		if c.Doc == "" && c.Kind == "rule" || strings.HasPrefix(c.Text, "pick_") || c.Text == "benefit_dice" {
			t.Errorf("%s %s is offered", c.Kind, c.Text)
		}
	}
	if !slices.ContainsFunc(list, func(c interp.Completion) bool { return c.Text == "floor(" && c.Doc != "" }) {
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
		if got := s.Hint(line); got != want {
			t.Errorf("%q: the hint is %q, not %q", line, got, want)
		}
	}
	if got := s.Hint("Nova: attack Nova with PUNCH "); !strings.HasPrefix(got, "[against [DEFENCE]] ") {
		t.Errorf("the clauses left are %q", got)
	}
}
