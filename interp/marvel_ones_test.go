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

// Where heroes are asked and the rest is usual, the Watcher is asked about the 1s of a hero who has no plot point, in one
// question that says what both sides get; whoever pays for a 1 of the Watcher's is asked what it gives.
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
		{0, "1 1 5 8 7 2", "opportunity_move add, opportunity_move step", "opportunity_move add: Anvil gets 1 pp, the doom pool one d6 more; step: Anvil gets 1 pp, the doom pool a step up | " +
			"opportunity_move add: Anvil gets 1 pp, the doom pool one d6 more; step: the doom pool a step up", "Anvil.pp == 1 and doom == [d6, d6, d8]"},
		{0, "1 4 5 8 7 2", "opportunity_move none", "opportunity_move add: Anvil gets 1 pp, the doom pool one d6 more; step: Anvil gets 1 pp, the doom pool a step up", "Anvil.pp == 0 and doom == [d6, d6]"},
		{2, "1 4 5 8 7 2", "", "", "Anvil.pp == 2 and doom == [d6, d6]"},
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

type answering func(interp.Question) int

func (c answering) Choose(_ context.Context, q interp.Question) (int, error) { return c(q), nil }
