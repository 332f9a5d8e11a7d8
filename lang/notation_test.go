package lang_test

import (
	"testing"

	"setpiece/lang"
)

func TestNotation(t *testing.T) {
	for typed, want := range map[string]string{
		"4d6kh3":                     "4d6.highest(3)",
		"4d6k3 + 2":                  "4d6.highest(3) + 2",
		"2d20kl1":                    "2d20.lowest",
		"2d20kh1+5 >= 15":            "2d20.highest+5 >= 15",
		"4d6dl1":                     "4d6.drop_lowest",
		"3d6!":                       "3d6.explode",
		"5d10!>=9":                   "5d10.explode(9..)",
		"5d10>=8":                    "5d10.count(8..)",
		"10d6>4":                     "10d6.count(5..)",
		"2d6r1":                      "2d6.reroll(1)",
		"2d6ro<=2":                   "2d6.reroll(..2, 1)",
		"4d6r1!kh3":                  "4d6.reroll(1).explode.highest(3)",
		"output 3d6":                 "3d6",
		"output [highest 3 of 4d6]":  "4d6.highest(3)",
		"output 3d6 named \"three\"": "3d6",
		"[count {5,6} in 4d6]":       "4d6.count([5,6])",
		"[highest of d20 and d20]":   "max(d20, d20)",
		"[explode d6] + 1":           "d6.explode + 1",

		"5d10 >= 8":         "5d10 >= 8",
		"d20>=8":            "d20>=8",
		"3d6 != 7":          "3d6 != 7",
		"3d6!=7":            "3d6!=7",
		"4dF":               "4dF",
		"[highest, lowest]": "[highest, lowest]",
		"\"4d6kh3\"":        "\"4d6kh3\"",
		"d8kick":            "d8kick",
	} {
		got, read := lang.Notation(typed)
		if got != want || (len(read) > 0) != (got != typed) {
			t.Errorf("%s: %s (%v), want %s", typed, got, read, want)
		}
	}
}
