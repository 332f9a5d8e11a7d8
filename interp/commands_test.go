package interp_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
	"setpiece/stdlib"
)

// seen is what somebody can do in their first turn; then the run ends.
type seen struct{ Commands []string }

func (x *seen) Command(_ context.Context, t interp.Turn) (string, error) {
	x.Commands = assist.Commands(t)
	for _, c := range x.Commands {
		if err := t.Check(c); err != nil {
			return "", err
		}
	}
	return "", errSeen
}

var errSeen = errors.New("seen")

// Commands that can be given as they stand: what is done unasked at each foe in turn, then other verbs, with the usual pool
// at whoever is there, be it a bystander; none harms a friend.
func TestCommands(t *testing.T) {
	const cast = `use marvel
hero Ann { solo d8, buddy d10; distinction "Calm"; power_set "Coat" { FLIGHT d8 } }
hero Ben { solo d8; distinction "Loud" }
watcher Fang { solo d6 }
watcher "Old Pike" { solo d6 }
`
	for scene, want := range map[string][]string{
		"heroes Ann, Ben\nvillains Fang, \"Old Pike\"\ntactics Ann { otherwise: attack Fang with buddy + FLIGHT for stress physical }": {
			`attack Fang with buddy + FLIGHT for stress physical`, `attack "Old Pike" with buddy + FLIGHT for stress physical`,
		},
		"heroes Ann\nbystanders \"Old Pike\"": {`roll solo + "Calm" + FLIGHT vs "Old Pike"`},
	} {
		x := &seen{}
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Player: x, Ask: []string{"heroes"}})
		err := s.Exec(t.Context(), lang.NewSource("", cast+scene+"\nturn Ann"))
		if !errors.Is(err, errSeen) {
			t.Fatal(err)
		}
		if len(x.Commands) < len(want) || !slices.Equal(x.Commands[:len(want)], want) || slices.ContainsFunc(x.Commands, func(c string) bool { return c == "attack Ben" }) {
			t.Errorf("%q", x.Commands)
		}
	}
}
