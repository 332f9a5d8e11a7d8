package interp_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// TestDiceThatCount holds which dice of a throw are reported as those that count: the programs
// that read a game's events learn it from there, also of a die that lay alone.
func TestDiceThatCount(t *testing.T) {
	for _, c := range []struct{ system, script, want string }{
		{"cah", `
hero Nova { star 3; oomph 1; signature "Pilot"; ATK 3 }
goons Mub { }
dice 5 4 9 4 9 5 8 8 5
Nova: roll ATK vs DN 9
Nova: roll ATK signature 1 vs DN 9
Mub: roll vs DN 9
Nova: roll ATK spend oomph reroll vs DN 20
Nova.oomph = 1
Nova: roll ATK spend oomph reroll vs DN 20`,
			// the higher of two for Nova, the lower for the squad; of two throws the higher
			"5* | 4 9* | 4* 9 | 5 8* | 8* 5"},
		{"firefly", `
crew Mara { MENTAL d8; FIGHT d6; distinction "Ace"; pp 1 }
dice 2 5 3 1 4 2 2 8 5 6
Mara: roll MENTAL + FIGHT + "Ace" d8 vs 2d6
Mara: roll MENTAL + FIGHT + "Ace" d8 vs 2d6`,
			// the two highest, and never a one
			"2* 5* | 3* 1 4* | 2* 2* | 8* 5 6*"},
	} {
		t.Run(c.system, func(t *testing.T) {
			var got []string
			s := interp.NewSession(interp.Config{Modules: stdlib.FS, Events: func(e *interp.Event) {
				if len(e.Dice) == 0 {
					return
				}
				var dice []string
				for _, d := range e.Dice {
					dice = append(dice, fmt.Sprint(d.Face)+map[bool]string{true: "*"}[d.Kept])
				}
				got = append(got, strings.Join(dice, " "))
			}})
			if err := s.Exec(context.Background(), lang.NewSource("", "use "+c.system+c.script)); err != nil {
				t.Fatal(failed(err))
			}
			if s := strings.Join(got, " | "); s != c.want {
				t.Errorf("got %s, want %s", s, c.want)
			}
		})
	}
}
