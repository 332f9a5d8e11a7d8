package interp_test

import (
	"errors"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/lang"
)

// What rules refuse as a whole is underlined where the message speaks of a word of the
// command, and otherwise from end to end.
func TestUnderline(t *testing.T) {
	const rules = `system brawl
sheet person "anybody" { luck whole = 0; out truth }
verb hit (whom person many) [with (what text)] {
  clause hard "with all strength": hard (n whole)
  do {
    for x in whom {
      if x.out { refuse "{x.name} is out" }
      if what != none { refuse "{x.name} has no {what} to take" }
    }
    if hard and n > 3 { refuse "{n} is more than anybody can do" }
    if who.luck == 0 { refuse "{who.name} has no luck left" }
    refuse "whoever hits, loses"
  }
}
`
	const people = "use brawl\nperson Ann\nperson \"Tall Bob\" { out yes }\nperson Cy { luck 1 }\n"
	cfg := interp.Config{Modules: fstest.MapFS{"brawl/brawl.rules": {Data: []byte(rules)}}}
	for _, c := range []struct{ line, want string }{
		{`Ann: hit Cy, "Tall Bob"`, `"Tall Bob"`},
		{`Ann: hit Tall_Bob`, `Tall_Bob`},
		{`Ann: hit Cy with ROPE`, `ROPE`},
		{`Ann: hit Cy hard 12`, `12`},
		{`Ann: hit Cy`, `Ann: hit Cy`}, // that Ann has none is not wrong with Ann
		{`Cy: hit Ann`, `Cy: hit Ann`},
	} {
		_, err := values(t, cfg, people+c.line+"\n")
		var refused *interp.RunError
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v is no refusal", c.line, err)
			continue
		}
		d := refused.Diag
		if got := d.Src.Text[d.Start:d.End]; got != c.want {
			t.Errorf("%s: %s is underlined, want %s", c.line, got, c.want)
		}
	}
}

// A word that is not in the list of a condition is underlined itself: of a clause that repeats
// the wrong one of several, and not the clause whose name is the operand's.
func TestWrongWordIsUnderlined(t *testing.T) {
	const rules = `system brawl
sheet person "anybody" { }
rule colours = ["red", "green"]
verb paint "paint with red" without actor {
  clause colour: with (colour word) repeat
    needs colour in colours() "there is no such paint" at colour
  do { }
}
`
	s := interp.NewSession(interp.Config{Modules: fstest.MapFS{"brawl/brawl.rules": {Data: []byte(rules)}}})
	for _, c := range []struct{ line, under, help string }{
		{"paint with rde", "rde", "did you mean red?"},
		{"paint with red with gren with green", "gren", "did you mean green?"},
		{"paint with purple", "purple", ""},
	} {
		ds := s.Check(lang.NewSource("", "use brawl\n"+c.line+"\n"))
		if len(ds) != 1 {
			t.Errorf("%s: %v is not one mistake", c.line, ds)
			continue
		}
		if got := ds[0].Src.Text[ds[0].Start:ds[0].End]; got != c.under || ds[0].Help != c.help {
			t.Errorf("%s: %s is underlined, with %q", c.line, got, ds[0].Help)
		}
	}
}
