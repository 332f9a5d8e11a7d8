package interp_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// Where heroes are asked and the rest is usual, the Watcher is asked about the 1s of a hero, in one question that says
// what both sides get, and a hero about a 1 of the Watcher's; whoever pays for it is asked what it gives.
func TestOnesAreAsked(t *testing.T) {
	script := `use marvel
hero Anvil { solo d8; FIGHT_EXPERT d8; pp %d }
watcher Rook { solo d8; FIGHT_EXPERT d8 }
doom 2d6
Anvil: roll solo + FIGHT_EXPERT + d6 vs Rook solo + FIGHT_EXPERT + d6
`
	for _, c := range []struct {
		pp                          int
		dice, answers, asked, holds string
	}{
		// a point for the roll, and one more for each die beyond the first; a step is free on top
		{0, "1 1 5 8 7 2", "opportunity_move add, opportunity_move step", "opportunity_move add: Anvil gets 1 pp, the doom pool one d6 more; step: Anvil gets 1 pp, the d6 of the doom pool becomes a d8 | " +
			"opportunity_move add: Anvil gets 1 pp, the doom pool one d6 more; step: the d6 of the doom pool becomes a d8", "Anvil.pp == 1 and doom == [d6, d6, d8]"},
		{0, "1 4 5 8 7 2", "opportunity_move none", "opportunity_move add: Anvil gets 1 pp, the doom pool one d6 more; step: Anvil gets 1 pp, the d6 of the doom pool becomes a d8", "Anvil.pp == 0 and doom == [d6, d6]"},
		{2, "1 4 5 8 7 2", "opportunity_move step", "opportunity_move add: Anvil gets 1 pp, the doom pool one d6 more; step: Anvil gets 1 pp, the d6 of the doom pool becomes a d8", "Anvil.pp == 3 and doom == [d6, d8]"},
		{1, "8 4 5 1 7 2", "opportunity_hero no", "", "Anvil.pp == 1"},
		{2, "8 4 5 1 7 2", "opportunity_hero yes, opportunity_use stunt", "opportunity_use push: a d8 push die for the next pool; stunt: a d10 stunt die for the next pool; resource: a d6, until the end of the scene", "Anvil.pp == 1 and Anvil.promised == [d10]"},
	} {
		answers := strings.FieldsFunc(c.answers, func(r rune) bool { return r == ',' })
		var asked []string
		choose := answering(func(q interp.Question) int {
			if !strings.HasPrefix(q.Name, "opportunity") {
				return q.Default
			}
			var notes []string
			for i, n := range q.Notes {
				if n != "" {
					notes = append(notes, q.Options[i]+": "+n)
				}
			}
			if len(notes) > 0 {
				asked = append(asked, q.Name+" "+strings.Join(notes, "; "))
			}
			if len(answers) == 0 {
				t.Fatalf("%s: %s is asked, too", c.dice, q.Name)
			}
			name, answer, _ := strings.Cut(strings.TrimSpace(answers[0]), " ")
			answers = answers[1:]
			i := slices.Index(q.Options, answer)
			if name != q.Name || i < 0 {
				t.Fatalf("%s: asked %s %v, want %s %s", c.dice, q.Name, q.Options, name, answer)
			}
			return i
		})
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Quiet: interp.QuietUsual, Ask: []string{"heroes"}, Choice: choose})
		if err := s.Exec(context.Background(), lang.NewSource("", fmt.Sprintf("dice %s\n%sexpect %s", c.dice, fmt.Sprintf(script, c.pp), c.holds))); err != nil {
			t.Errorf("%s: %v", c.dice, err)
		}
		if got := strings.Join(asked, " | "); got != c.asked || len(answers) > 0 {
			t.Errorf("%s: asked %s\nwant %s; not asked: %v", c.dice, got, c.asked, answers)
		}
	}
}

// What gains or costs somebody a point, or a doom die, is asked of whoever is asked at all, though the usual answer is no.
func TestWhatGainsIsAsked(t *testing.T) {
	marvel := `use marvel
hero Anvil { solo d8; FIGHT_EXPERT d8; limit "Iron"; pp 0 }
watcher Rook { solo d8; FIGHT_EXPERT d8 }
doom 2d6
`
	for _, c := range []struct {
		text, asked string
		ask         []string
	}{
		{marvel + `Anvil: trigger "Iron"`, "Anvil: Activate Iron, and gain a plot point?; Watcher: Activate Iron for a doom die?", nil},
		{marvel + "dice 8 4 5 2 7 2\nAnvil: roll solo + FIGHT_EXPERT + d6 vs Rook solo + FIGHT_EXPERT + d6", "Rook: Add a doom die?", []string{"Rook"}},
		{"use firefly\ncrew Zoe { PHYSICAL d8; FLY d8; pp 0 }\ndice 2 3 1 5\nZoe: roll PHYSICAL + FLY vs 2d6", "Game Master: Zoe rolled 1 one: pay a plot point for a complication?", nil},
	} {
		var asked []string
		choose := answering(func(q interp.Question) int {
			asked = append(asked, q.Who+": "+q.Prompt)
			return q.Default
		})
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Quiet: interp.QuietUsual, Ask: c.ask, Choice: choose})
		if err := s.Exec(t.Context(), lang.NewSource("", c.text)); err != nil || strings.Join(asked, "; ") != c.asked {
			t.Errorf("%s: asked %q (%v)", c.text, asked, err)
		}
	}
}

type answering func(interp.Question) int

func (c answering) Choose(_ context.Context, q interp.Question) (int, error) { return c(q), nil }
