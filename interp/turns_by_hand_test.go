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

// commanders say in turn what each is to do, and note who was asked.
type commanders struct {
	says  map[string][]string
	asked []string
}

func (p *commanders) Command(_ context.Context, t interp.Turn) (string, error) {
	p.asked = append(p.asked, t.Who)
	if t.Refused != nil {
		return "", fmt.Errorf("%s is refused: %w", t.Who, t.Refused)
	}
	left := p.says[t.Who]
	if len(left) == 0 {
		return "", fmt.Errorf("%s is asked for one command too many", t.Who)
	}
	p.says[t.Who] = left[1:]
	return left[0], nil
}

// TestTurnsByHand plays rounds of which people say every command: a turn goes on after
// something small, and is over with the one thing that it allows.
func TestTurnsByHand(t *testing.T) {
	for _, c := range []struct {
		system, script string
		says           map[string][]string
		asked          string
	}{
		{"cah", `
hero Nova { star 3; oomph 4; ATK 3; VAN 2 [vehicle] }
hero Brick { star 2; DEF 3; HOUND 5 [companion] }
sidekick Hound { bond Brick.HOUND; COMBAT 3 }
villain Fang { star 3; BITE 3 }
scene "The yard" action {
  heroes Nova, Brick
  villains Fang
  Nova.setbacks = 1
  dice 9 5 9 5 5 2 3
  round
  expect [Nova.setbacks, Fang.setbacks, Table.active] == [0, 0, none]
  turn Nova
  expect [Table.active, Nova.checked] == [none, no]
}`,
			map[string][]string{
				"Nova":  {"board VAN", "recover", "attack Fang with ATK", "leave", "roll ATK vs DN 5"},
				"Fang":  {"attack Nova with BITE"},
				"Brick": {"roll DEF vs DN 5"},
				"Hound": {"roll COMBAT vs DN 5"},
			},
			"Nova Nova Nova Fang Brick Hound Nova Nova"},
		{"firefly", `
ship Wren { ENGINES d8 }
crew Mara { MENTAL d8; FIGHT d6; distinction "Ace"; pp 1 }
gmc Fang { MENTAL d8; FIGHT d6 }
scene "The yard" action {
  heroes Mara
  villains Fang
  order Mara, Fang
  dice 2 3 4 5 2 3 4 5
  round
}`,
			map[string][]string{
				"Mara": {"board Wren", "disembark", "roll MENTAL + FIGHT vs 2d6"},
				"Fang": {"roll MENTAL + FIGHT vs Mara MENTAL + FIGHT"},
			},
			"Mara Mara Mara Fang"},
		{"clichenimatic", `
hero Zara { BLADE +3; RUN +1; resolve 6 }
villain Vex { CLAW +2; BITE +1; essence 60 }
scene "The yard" action {
  heroes Zara
  villains Vex
  dice 6 2 5 1
  round
}`,
			map[string][]string{
				"Zara": {"attack Vex uncountered with 6 on BLADE", "attack Vex uncountered with 2 on RUN"},
				"Vex":  {"attack Zara uncountered with 5 on CLAW", "attack Zara uncountered with 1 on BITE"},
			},
			"Zara Vex Zara Vex"},
	} {
		t.Run(c.system, func(t *testing.T) {
			p := &commanders{says: c.says}
			s := interp.NewSession(interp.Config{Modules: stdlib.FS, Player: p})
			if err := s.Exec(context.Background(), lang.NewSource("", "use "+c.system+c.script)); err != nil {
				t.Fatal(failed(err))
			}
			if got := strings.Join(p.asked, " "); got != c.asked {
				t.Errorf("asked %s, want %s", got, c.asked)
			}
			if left := s.LeftDice(); len(left) > 0 {
				t.Errorf("dice are left: %v", left)
			}
		})
	}
}
