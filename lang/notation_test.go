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
		"4d6d1":                      "4d6.drop_lowest",
		"3d6!":                       "3d6.explode",
		"5d10!>=9":                   "5d10.explode(9..)",
		"5d10>=8":                    "5d10.count(8..)",
		"10d6>4":                     "10d6.count(5..)",
		"2d6r1":                      "2d6.reroll(1)",
		"2d6ro<=2":                   "2d6.reroll(..2, 1)",
		"4d6r1!kh3":                  "4d6.reroll(1).explode.highest(3)",
		"8d6 explode 6":              "8d6.explode(6)",
		"8d6 exploding on 5+":        "8d6.explode(5..)",
		"2d6 reroll 1 once":          "2d6.reroll(1, 1)",
		"5d10 count 8+":              "5d10.count(8..)",
		"5d10 successes on 8":        "5d10.count(8..)",
		"10d10t8":                    "10d10.count(8..)",
		"3d6!!":                      "3d6.explode",
		"d20 adv + 5":                "2d20.highest + 5",
		"1d20+5 with advantage":      "2d20.highest+5",
		"d20 disadv >= 10":           "2d20.lowest >= 10",
		"adv":                        "2d20.highest",
		"4d6 keep 3":                 "4d6.highest(3)",
		"4d6 drop 1":                 "4d6.drop_lowest",
		"4df + 1":                    "4dF + 1",
		"3d6 = 10":                   "3d6 == 10",
		"1d20+5 vs AC 15":            "1d20+5 >= 15",
		"average 3d6":                "3d6",
		"P(3d6>=10)":                 "3d6 >= 10",
		"6#4d6kh3":                   "[(throw 4d6).highest(3).sum for i in 1..6].sorted",
		"6x 2d6":                     "[(throw 2d6).sum for i in 1..6].sorted",
		"8d6 exploding":              "8d6.explode",
		"x = d6":                     "x = d6",
		"output 3d6":                 "3d6",
		"output [highest 3 of 4d6]":  "4d6.highest(3)",
		"output 3d6 named \"three\"": "3d6",
		"[count {5,6} in 4d6]":       "4d6.count([5, 6])",
		"[highest of d20 and d20]":   "max(d20, d20)",
		"[explode d6] + 1":           "d6.explode + 1",

		"output [highest 1 of 2d20] + 5 >= 15":            "2d20.highest + 5 >= 15",
		"output 2d20 > 15":                                "2d20 > 15",
		"output d{1,1,2}":                                 "d{1, 1, 2}",
		"output 3d{0:4,1:2}":                              "3d{0, 0, 0, 0, 1, 1}",
		"output 3d6 = 10":                                 "3d6 == 10",
		"output 1@3d6":                                    "3d6.highest",
		"output {2..3}@4d6":                               "4d6.highest(3).lowest(2)",
		"output {3..4}@4d6 + 1":                           "4d6.lowest(2) + 1",
		"output 2@3d6":                                    "3d6.highest(2).lowest",
		"output 1@6d[highest 3 of 4d6]":                   "[4d6.highest(3) for i in 1..6].highest",
		"output [highest 2 of 3d(d6+1)]":                  "[d6 + 1 for i in 1..3].highest(2).sum",
		"output 3d[explode d6] >= 15":                     "3d6.explode >= 15",
		"output 7d(d10 >= 8)":                             "7d10.count(8..)",
		"output 5d(d6>=5) > 4d(d6 > 4)":                   "5d6.count(5..) > 4d6.count(5..)",
		"output 2d(d6+d8)":                                "[d6 + d8 for i in 1..2].sum",
		"output 2d(d6 > d8)":                              "(count i in 1..2 where d6 > d8)",
		"output d4d6":                                     "[d6 for i in 1..d4].sum",
		"output 2*d6":                                     "d6 * 2",
		"output (2d6 + 3) * 2 - 1":                        "(2d6 + 3) * 2 - 1",
		"output 10 - (2d6 - 1)":                           "10 - (2d6 - 1)",
		"output 2d6 / 2":                                  "floor(2d6 / 2)",
		"output (2+1)d6":                                  "3d6",
		"output d20 <= 4 & d6 = 1 | !(d8 = 1)":            "d20 <= 4 and d6 == 1 or not (d8 == 1)",
		"output (d6 = 6) + (d6 = 6)":                      "(if d6 == 6 then 1 else 0) + (if d6 == 6 then 1 else 0)",
		"output d6 = {2, 4}":                              "d6 in [2, 4]",
		"output [3d6 contains 6]":                         "3d6.count(6) > 0",
		"output [count {3..6} in 5d6]":                    "5d6.count(3..6)",
		"output [middle 1 of 3d20]":                       "3d20.middle",
		"output [absolute 2d6 - 7]":                       "abs(2d6 - 7)",
		"output d{1..6}":                                  "d6",
		"output #5d6 + d6":                                "5 + d6",
		"X: 2d6 + 1\noutput X * 2\noutput X - X":          "(2d6 + 1) * 2; 2d6 + 1 - (2d6 + 1)",
		"loop N over {1..3} { output Nd6 }":               "d6; 2d6; 3d6",
		"loop N over {2, 4} {\n output (N+1)d6\n}":        "3d6; 5d6",
		"output 3d6\noutput 2d8 named \"x\"":              "3d6; 2d8",
		"set \"explode depth\" to 1\noutput [explode d6]": "d6.explode(6, 1)",
		"output 4d6kh3":                                   "4d6.highest(3)",
		"output 2d20.highest >= 15":                       "2d20.highest >= 15",

		"1@3d6":                        "3d6.highest",
		"odds 1@3d6 >= 5":              "odds 3d6.highest >= 5",
		"highest 3 of 4d6":             "4d6.highest(3)",
		"odds lowest of 2d20":          "odds 2d20.lowest",
		"explode d6 + 2":               "d6.explode + 2",
		"3d6 at least 10":              "3d6 >= 10",
		"odds 2d6 + 3 at most 7":       "odds 2d6 + 3 <= 7",
		"4d6 drop lowest":              "4d6.drop_lowest",
		"4d6 keep highest 3":           "4d6.highest(3)",
		"d20 with advantage + 5 >= 15": "2d20.highest + 5 >= 15",
		"Nova: roll PUNCH at least 3":  "Nova: roll PUNCH at least 3",
		"roll d12 advantage vs DN 8":   "roll d12 advantage vs DN 8",

		"5d10 >= 8":         "5d10 >= 8",
		"d20>=8":            "d20>=8",
		"3d6 != 7":          "3d6 != 7",
		"3d6!=7":            "3d6!=7",
		"4dF":               "4dF",
		"[highest, lowest]": "[highest, lowest]",
		"\"4d6kh3\"":        "\"4d6kh3\"",
		"d8kick":            "d8kick",
	} {
		got, read, wrong := lang.Notation(typed)
		if wrong != nil || got != want || (len(read) > 0) != (got != typed) {
			t.Errorf("%s: %s (%v), want %s", typed, got, read, want)
		}
	}
}

// What cannot be read of AnyDice is said with a line that can be typed.
func TestUnreadNotation(t *testing.T) {
	for typed, want := range map[string]string{
		"function: twice N:n { result: N * 2 }\noutput [twice 3]": "function of AnyDice cannot be read: a function is a rule of this language",
		"output [twice d6]":                    "AnyDice has no function twice; one of your own is a rule of this language",
		"output {1,3}@4d6":                     "1,3@ cannot be read: it takes dice that lie side by side",
		"output 3d6 +":                         "more is expected at the end",
		"output X":                             "there is no variable X",
		"output 3d(":                           "more is expected at the end",
		"output [explode 2d6]":                 "[explode 2d6] cannot be read: one die explodes",
		"loop N over 5 { output Nd6 }":         "a loop goes over a sequence of numbers, and has a block",
		"loop N over {1..1000} { output Nd6 }": "a loop prints at most 100 results",
		"output d{1..100000}":                  "a sequence has numbers in it",
		"output {1,2} + d6":                    "{1, 2} is a sequence, and a number is wanted",
	} {
		if _, _, wrong := lang.Notation(typed); wrong == nil || wrong.Wrong != want {
			t.Errorf("%s: %v, want %s", typed, wrong, want)
		}
	}
}
