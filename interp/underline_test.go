package interp_test

import (
	"errors"
	"testing"
	"testing/fstest"

	"setpiece/interp"
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
