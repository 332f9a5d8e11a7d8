package interp_test

import (
	"slices"
	"testing"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// Whoever is in a scene is there, on whichever side; who is elsewhere is not, nor what the rules keep at the table.
func TestPeopleThere(t *testing.T) {
	for script, want := range map[string][]string{
		"use cah\nhero Nova { star 3; PUNCH 3 }\nhero Mole { star 3; DIG 3 }\nvillain Fang { star 2; CLAW 4 }\nvillain Claw { star 2; CLAW 4 }\nvillain Pike { star 2; CLAW 4 }\nvillain Away { star 2; CLAW 4 }\nscene \"A\" action\nheroes Nova\nvillains Fang\nrivals Claw\nstrangers Pike\n": {"Nova", "Fang", "Claw", "Pike"},
		"use marvel\nhero Nova { solo d10, buddy d8, team d6 }\nhero Mole { solo d10, buddy d8, team d6 }\nwatcher Fang { solo d8 }\nstock Reporter\nstock Bystander\nscene \"A\" action\nheroes Nova\nvillains Fang\nbystanders Reporter\n":                                                     {"Nova", "Fang", "Reporter"},
		"use firefly\ncrew Nova { MENTAL d8, PHYSICAL d6, SOCIAL d6 }\ncrew Mole { MENTAL d8, PHYSICAL d6, SOCIAL d6 }\ngmc Fang { MENTAL d6, PHYSICAL d8, SOCIAL d6 }\nstock Farmer\nstock \"Dock Master\"\nscene \"A\" action\nheroes Nova\nvillains Fang\nbystanders Farmer\n":                {"Nova", "Fang", "Farmer"},
		"use unisystem\ncast Nova { STRENGTH 3 }\ncast Mole { STRENGTH 3 }\nguest Pike { INTELLIGENCE 2 }\nguest Away { INTELLIGENCE 2 }\nadversary Fang { muscle 10; combat 12; brains 13; life 9 }\nscene \"A\"\nheroes Nova\nvillains Fang\nbystanders Pike\n":                                {"Nova", "Fang", "Pike"},
		"use clichenimatic\nhero Nova { cliche \"Pilot\" }\nhero Mole { cliche \"Pilot\" }\nvillain Fang { cliche \"Thug\" }\nscene \"A\"\nheroes Nova\nvillains Fang\n":                                                                                                                         {"Nova", "Fang"},
	} {
		s := interp.NewSession(interp.Config{Modules: stdlib.FS})
		if err := s.Exec(t.Context(), lang.NewSource("a.scene", script)); err != nil {
			t.Errorf("%v\n%s", err, script)
			continue
		}
		got := []string{}
		for _, p := range s.People() {
			if p.Here && p.Of == "" {
				got = append(got, p.Name)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q, not %q\n%s", got, want, script)
		}
	}
}
