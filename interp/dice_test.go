package interp_test

import (
	"math/big"
	"strings"
	"testing"

	"setpiece/interp"
)

// Dice are thrown where a number is wanted. Each chance is counted by hand.
func TestDiceWhereANumberIsWanted(t *testing.T) {
	for _, x := range []struct{ script, shows, chance string }{
		{"report 3d6", "10", "27/216"},
		{"report 2d6 + d8", "20", "1/288"},
		{"report 2d6 + d4 - 1", "15", "1/144"},
		{"report d20 + 5 >= 15", "yes", "11/20"},
		{"let bonus = 5\nreport d20 + bonus >= 15", "yes", "11/20"},
		{"rule attack(bonus) = d20 + bonus\nreport attack(5) >= 15", "yes", "11/20"},
		{"sheet hero { skill number }\nhero Nova { skill 5 }\nreport d20 + Nova.skill >= 15", "yes", "11/20"},
		{"report 2d6 == 7", "yes", "6/36"},
		{"report 7 != 2d6", "no", "6/36"},
		{"report d20 > d12", "yes", "162/240"},
		{"report d6 in 2..3", "yes", "2/6"},
		{"report -d4", "-4", "1/4"},
		{"report d6 * d6", "36", "1/36"},
		{"report 2 * d6 + 3", "15", "1/36"},
		{"report floor(d6 / 2)", "3", "1/6"},
		{"report max(d6, d8)", "8", "1/8"},
		{"report sum d6 for i in 1..3", "18", "1/216"},
		{"let n = 0\nrepeat d4 { n += 1 }\nreport n", "4", "1/4"},
		{"let hp = 20\nhp -= 2d6\nreport hp", "8", "1/36"},
		{"let hp = 20\nhp += d6\nreport hp", "26", "1/6"},

		{"report 4d6.highest(3)", "18", "21/1296"},
		{"report 4d6.drop_lowest.sum", "18", "21/1296"},
		{"report 2d20.highest >= 15", "yes", "204/400"},
		{"report 2d20.lowest >= 15", "yes", "36/400"},
		{"report 5d6.drop_highest(2)", "18", "1/7776"},
		{"report lowest(3d6, 1)", "6", "1/216"},
		{"report 5d10.above(7).size", "0", "16807/100000"},
		{"let p = throw 4d6\nreport p.highest(3).sum", "18", "21/1296"},
		{"report [(throw d6).face, 3, 4].highest", "6", "1/6"},

		{"report (throw 2d20).max >= 15", "yes", "204/400"},
		{"report count f in (throw 7d10) where f >= 8", "0", "823543/10000000"},
		{"let d = throw d20\nreport d + 5", "25", "1/20"},
	} {
		o := odds(t, session(t, ""), x.script, interp.OddsConfig{})
		want, _ := new(big.Rat).SetString(x.chance)
		got := new(big.Rat)
		for _, e := range o.Ends {
			if e.Shown[0] == x.shows {
				got.Add(got, e.Exact)
			}
		}
		if got.Cmp(want) != 0 {
			t.Errorf("%s: %s in %v, by hand %s", x.script, x.shows, got, x.chance)
		}
	}
}

// Everywhere else dice are things, and nothing is thrown.
func TestDiceThatAreThings(t *testing.T) {
	for script, want := range map[string]string{
		"let p = 2d6 + d8\nprint p":                    "[d6, d6, d8]",
		"let p = d6\nrepeat 2 { p = p + d8 }\nprint p": "[d6, d8, d8]",
		"rule more(p) = p + d8\nprint more(d6)":        "[d6, d8]",
		"let n = 2\nlet p = n * d6\nprint p":           "[d6, d6]",
		"let d = d8\nprint d == d8":                    "yes",
		"let d = d8\nprint (d > d6)":                   "yes",
		"print [d6, 2d8]":                              "[d6, [d8, d8]]",
		"print d8.sides":                               "8",
		"sheet hero { skill die }\nhero Nova { skill d8 }\nprint [Nova.skill]": "[d8]",
	} {
		got, err := values(t, interp.Config{}, script)
		if err != nil || got != want {
			t.Errorf("%s: %s (%v), want %s", script, got, err, want)
		}
	}
	_, err := values(t, interp.Config{}, "let d = d20\nprint d + 5")
	if err == nil || !strings.Contains(err.Error(), "cannot add with d20 before it is thrown: write  throw  before the dice") {
		t.Error(err)
	}
}
