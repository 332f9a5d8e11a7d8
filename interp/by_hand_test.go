package interp_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/lang"
)

// handRules has a rule at work while somebody has a turn, and while a block runs.
const handRules = `system pond "Pond"
sheet frog "somebody at the pond" { wet number; dry map }
verb splash { do {
  @splash "Who splashes gets wet."
  who.wet += 1
} }
verb soak { do { who.wet += 5 } }
verb night {
  block
  do {
    @night "At night each has a turn."
    if block { run block } else { for x in instances(frog) { act x } }
  }
}
`

// What a script sets itself, in a turn or in a block, is no rule's doing; what a verb does is.
func TestSetByHand(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Ann.wet = 2", "wet 2 "},
		{"commands \"wet = 2\" \"splash\"\nnight", "wet 2 , wet 3 pond.splash"},
		{"commands \"Ann.dry[\\\"FEET\\\"] = 1\" \"soak\"\nnight", "dry {\"FEET\": 1} , wet 5 pond.night"},
		{"night { Ann.wet += 1; Ann: splash; Ann: soak }", "wet 1 , wet 2 pond.splash, wet 7 pond.night"},
		{"@pool \"It is deep.\"\nAnn.wet = 3", "wet 3 script.pool"},
	} {
		var got []string
		s := interp.NewSession(interp.Config{
			Modules: fstest.MapFS{"pond/pond.rules": {Data: []byte(handRules)}},
			Events: func(e *interp.Event) {
				if e.Kind == interp.EventChange {
					got = append(got, e.Field+" "+e.To+" "+e.Rule)
				}
			},
		})
		if err := s.Exec(context.Background(), lang.NewSource("", "use pond\nfrog Ann { }\n"+c.text)); err != nil {
			t.Errorf("%s: %v", c.text, err)
		} else if want := strings.Split(c.want, ", "); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.text, got, want)
		}
	}
}
