package interp_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/code"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/lang"
)

// A function that reads faces throws the dice that it is written behind.
func TestFunctionsThrowTheirDice(t *testing.T) {
	things := []string{"sizes", "keep"} // they take dice as they are
	for _, b := range code.Functions {
		if b.On != code.OnList|code.OnDie || slices.Contains(things, b.Name) {
			continue
		}
		script := "report 3d6." + b.Name
		if b.Min > 1 {
			script += "(3)"
		}
		if o := oddsIn(t, session(t, ""), script, odds.Config{}); len(o.Ends) < 2 {
			t.Errorf("%s throws no dice: name %s in ofPool and readsFaces of resolve/dice.go, or here among the things", script, b.Name)
		}
	}
}

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
		{"report d6 * 2", "12", "1/6"}, // what it shows, times two
		{"report 2d6 * 2 + 1", "25", "1/36"},
		{"report d6 in [2, 4]", "yes", "2/6"},
		{"report d20 == d20", "yes", "1/20"},
		{"let n = (throw d6).face\nn", "6", "1/6"},
		{"let n = 2d6 + 1; n", "13", "1/36"},
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
		{"report (throw d20) == 20", "yes", "1/20"},
		{"let d = throw d20\nreport d != 20", "yes", "19/20"},
		{"report (throw d6) in [2, 3]", "yes", "2/6"},
		{"report count d in throw 2d6 where d == 6", "2", "1/36"},

		{"let p = throw 2d20\np.sum given p.min >= 19", "39", "2/4"},
		{"let p = throw 2d6\nreport p.sum given p.max == 6", "12", "1/11"},
		{"report (throw 2d20).max", "20", "39/400"},
		{"report [d6 + 0 for i in 1..3].sum", "18", "1/216"},
		{"report [d6 + 0 for i in 1..3].min", "6", "1/216"},
		{"report [2d6.highest(2) for i in 1..3].max", "12", "3781/46656"}, // 36³ - 35³
		{"let m = 0\nrepeat 3 { m = max(m, 2d6.highest(2)) }\nm", "12", "3781/46656"},
		{"report sum([d6 for i in 1..3])", "18", "1/216"},
		{"report [2d6 for i in 1..3].highest(2).sum", "24", "106/46656"}, // 3 · 35 + 1
		{"report [2d6 for i in 1..3].count(12)", "3", "1/46656"},
		{"report [2d6 for i in 1..3].lowest(2)", "[12, 12]", "1/46656"},
		{"report [2d6 for i in 1..3].largest_set", "1", "32220/46656"},
		{"report 12d8 == 96", "yes", "1/68719476736"},
		{"report 2d6 + 2d8 == 28", "yes", "1/2304"},

		{"report 4dF", "4", "1/81"},
		{"report dF", "-1", "1/3"},
		{"report d{1, 2, 2, 3}", "2", "2/4"},
		{"report 2d{0: 4, 1: 2}", "1", "4/9"},
		{"report d{1, 2, 2, 3} + d4", "7", "1/16"},
		{"report d{hit, hit, none}", "hit", "2/3"},
		{"report 2d{hit, hit, none}.count(hit)", "2", "4/9"},
		{"report count x in throw 3d{hit, miss} where x == hit", "3", "1/8"},
		{"report (throw d{hit, miss}) == miss", "yes", "1/2"},
		{"report 3d{1, 1, 5}.highest(2)", "10", "7/27"}, // two fives or three
		{"report 2d{1, 3, 3}.largest_set", "2", "5/9"},

		{"report d6.explode", "6", "0/1"},
		{"report d6.explode", "13", "1/216"},
		{"report d6.explode(6, 1)", "12", "1/36"},
		{"report d6.explode(5..6, 1)", "11", "2/36"}, // 5 and 6, 6 and 5
		{"report 2d4.explode(4, 1)", "16", "1/256"},
		{"report d4.explode >= 5", "yes", "1/4"},
		{"report 3d6.explode.highest(1)", "7", "2791/46656"}, // cubes: at most 7 in 31/36, at most 6 in 30/36
		{"report 5d10.explode.count(8..)", "0", "16807/100000"},
		{"let p = 2d6.explode\nlet t = throw p\nreport t.max > 6", "yes", "11/36"},
		{"report 2d6.reroll(1)", "2", "0/1"},
		{"report 2d6.reroll(1)", "4", "1/25"},
		{"report d6.reroll(1..2, 1)", "1", "2/36"},
		{"report d6.reroll([1, 2], 1)", "6", "8/36"},
		{"report d20.reroll(1, 1)", "20", "21/400"},
		{"report d6.reroll(1).explode", "2", "1/5"},
		{"report 2d6.explode + 2d4", "3", "0/1"},

		{"report 3d6.middle", "6", "16/216"},          // two sixes or three
		{"report 4d6.middle(2).sum", "12", "21/1296"}, // three sixes or four
		{"report 7d10.count(8..)", "0", "823543/10000000"},
		{"report 7d10.count(8..9)", "7", "128/10000000"},
		{"report 3d6.count(6)", "1", "75/216"},
		{"report 5d6.largest_set", "5", "6/7776"},
		{"report 5d6.largest_set", "1", "720/7776"},
		{"report 3d6.straight", "3", "24/216"}, // 1-2-3 to 4-5-6, in six orders each
		{"report 4d6.pairs", "2", "96/1296"},   // two different pairs in 15 * 6 orders, four of a kind in 6
		{"report 2d4.above(2).largest_set", "0", "4/16"},
	} {
		o := oddsIn(t, session(t, ""), x.script, odds.Config{})
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

// Several expressions at the end of a text are told together, and what is given holds for all.
func TestOddsOfSeveral(t *testing.T) {
	o := oddsIn(t, session(t, ""), "let p = throw 2d6\np.max; p.sum given p.min == 6", odds.Config{})
	if len(o.Ends) != 1 || strings.Join(o.Ends[0].Shown, " ") != "6 12" || o.Ends[0].Exact.Cmp(big.NewRat(1, 1)) != 0 || len(o.Columns) != 2 {
		t.Errorf("%+v", o)
	}
	_, err := odds.Of(t.Context(), session(t, ""), lang.NewSource("x", "d6 + 0 given 2d6 > 12"), odds.Config{})
	if err == nil || !strings.Contains(err.Error(), "what is given never happens") {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"2d6 given doubl":                  "x:1:11: nothing here is called doubl",
		"let p = throw d6; p + foo; p":     "x:1:23: nothing here is called foo",
		"2d6; 3d6 given 2d6 > bar; 4d6":    "x:1:22: nothing here is called bar",
		"2d6 given at least one 6":         "x:1:14: expected",
		"2d6 foo given 2d6 > 4":            "x:1:5: expected the end of the line after 2d6, found \"foo\"",
		"if yes then 1 else d6.foo; 2 + d": "x:1:23: ",
	} {
		_, err := odds.Of(t.Context(), session(t, ""), lang.NewSource("x", text), odds.Config{})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	s, err := sim.Simulate(t.Context(), interp.Config{}, lang.NewSource("x", "let p = throw 2d6\np.sum given p.max == 6"), sim.Config{Trials: 3600})
	if err != nil || s.Trials < 900 || s.Trials > 1300 || slices.ContainsFunc(s.Ends, func(e sim.End) bool { return len(e.Shown) != 1 }) {
		t.Errorf("%v %+v", err, s)
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
	for script, want := range map[string]string{
		"let p = throw 2d6\nprint (p > 7)": "write  p.sum > 7",
		"let p = throw 2d6\nprint p + 3":   "write  p.sum + 3",
		"print min(12d6 >= 5, 4)":          "dice that show 5 or more are counted by  .count(5..)",
	} {
		var e *interp.RunError
		if _, err := values(t, interp.Config{}, script); !errors.As(err, &e) || !strings.Contains(e.Diag.Help, want) {
			t.Errorf("%s: %+v, want %s", script, err, want)
		}
	}
	_, err := values(t, interp.Config{}, "let d = d20\nprint d + 5")
	if err == nil || !strings.Contains(err.Error(), "cannot add with d20 before it is thrown: write  throw  before the dice") {
		t.Error(err)
	}
}

// A rule that goes through the faces of a pool in order is counted as the functions of the language are,
// however many dice there are.
func TestLoopsThroughPools(t *testing.T) {
	const longest = `let last = 0; let n = 0; let best = 0
for d in throw 20d6 { if d == last { n += 1 } else { n = 1 }; last = d; best = max(best, n) }
report best`
	for _, x := range []struct{ script, as string }{
		{longest, "report 20d6.largest_set"},
		{"{ " + longest + " }", "report 20d6.largest_set"},
		{"report count d in throw 40d6 where d >= 5", "report 40d6.above(4).size"},
		{"report any d in throw 12d6 where d == 6", "report 12d6.count(6) > 0"},
		{"report all d in throw 12d6 where d > 1", "report 12d6.count(1) == 0"},
		{"report (first d in throw 12d6 where d < 5).face", "report 12d6.below(5).highest.face"},
		{"report sum if d == 6 then 2 else 1 for d in throw 20d6", "report 20d6.count(6) + 20"},
		{"rule hits(p) { let n = 0\nfor d in p { if d < 4 { stop }; n += d.face }\nreturn n }\nreport hits(throw 10d6)", "report 10d6.above(3).sum"},
		{"let n = 0\nlet p = throw 10d6\nfor d in p { if d == 6 { n += 1 } }\nreport n, p.sum", "let p = throw 10d6\nreport p.count(6), p.sum"},
		{strings.Replace(longest, "throw 20d6", "(throw 20d6).sorted", 1), "report 20d6.largest_set"},
		{"let n = 0\nlet p = throw 20d6\nfor d in p.reversed { if d < 4 { n += d.face } }\nreport n, p.min.face", "let p = throw 20d6\nreport p.below(4).sum, p.min.face"},
		{"let last = 0\nfor d in (throw 9d6 + 5d8).sorted { if d != last { last = d.face } }\nreport last", "report (throw 9d6 + 5d8).max.face"},
		{"let n = 0\nfor d in throw 6d6 + 4d8 { if d.sides == 8 { n += d.face } }\nreport n", "report 4d8.sum"},
	} {
		got := oddsIn(t, session(t, ""), x.script, odds.Config{})
		want := oddsIn(t, session(t, ""), x.as, odds.Config{})
		if len(got.Ends) != len(want.Ends) || got.States > 300 {
			t.Errorf("%s: %d outcomes of %d states, want %d", x.script, len(got.Ends), got.States, len(want.Ends))
			continue
		}
		by := map[string]*big.Rat{}
		for _, e := range want.Ends {
			by[strings.Join(e.Shown, " ")] = e.Exact
		}
		for _, e := range got.Ends {
			if w := by[strings.Join(e.Shown, " ")]; w == nil || w.Cmp(e.Exact) != 0 {
				t.Errorf("%s: %v in %v, want %v", x.script, e.Shown, e.Exact, w)
			}
		}
	}
}

// Dice that are made of others are thrown as at a table: each die falls, may be given, and is recorded. Trials
// come to what odds say.
func TestDiceMadeOfOthers(t *testing.T) {
	for script, want := range map[string]string{
		"dice 6 6 2\nprint d6.explode":                                              "14",
		"dice 6 3 6 6 1\nprint throw 2d6.explode":                                   "[19, 3]", // the 3 is done; the 6 goes on with 6, 6 and 1
		"dice 1 1\nprint d6.reroll(1, 1)":                                           "1",
		"dice 2\nprint d{hit, miss}":                                                "miss",
		"dice 1 3 3\nprint throw 3dF":                                               "[1, 1, -1]",
		"print [3d6.explode(6, 2), d{1, 2}, dF]":                                    "[[d6.explode(6, 2), d6.explode(6, 2), d6.explode(6, 2)], d{1, 2}, d{-1, 0, 1}]",
		"let d = d8.explode\nprint d == d8.explode":                                 "yes",
		"sheet hero { skill die }\nhero Nova { skill d{0, 1} }\nprint [Nova.skill]": "[d{0, 1}]",
	} {
		if got, err := values(t, interp.Config{}, script); err != nil || got != want {
			t.Errorf("%s: %s (%v), want %s", script, got, err, want)
		}
	}
	for script, want := range map[string]string{
		"print (throw d6).explode": "has been thrown: say before the throw what it does",
		"print d6.explode(1..6)":   "shows nothing else than 1..6, so it would be thrown again for ever",
		"print d{hit}.explode":     "which cannot be added up",
		"print d{1.x}":             "a face shows a number, a word or none, not 1.x",
	} {
		if _, err := values(t, interp.Config{}, script); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", script, err, want)
		}
	}
	for _, script := range []string{"report 2d6.explode >= 10", "report 3d{hit, none}.count(hit) == 2", "report d6.reroll(1..2, 1) >= 3"} {
		o := oddsIn(t, session(t, ""), script, odds.Config{})
		s, err := sim.Simulate(t.Context(), interp.Config{Seed: 1}, lang.NewSource("x", script), sim.Config{Trials: 20_000})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range o.Ends {
			p := 0.0
			for _, x := range s.Ends {
				if x.Shown[0] == e.Shown[0] {
					p = float64(x.Count) / float64(s.Trials)
				}
			}
			if math.Abs(p-e.P) > 0.015 { // four standard deviations
				t.Errorf("%s: %s in %.4f of the trials, odds %.4f", script, e.Shown[0], p, e.P)
			}
		}
	}
}

// A rule that calls itself at its end is a loop: its states are found again, as deep as it goes.
func TestRulesThatCallThemselves(t *testing.T) {
	for _, x := range []struct{ script, shows, chance string }{
		// two hits before three, of four throws
		{"rule duel(a, b) { if a <= 0 or b <= 0 { return a > 0 }\nif (throw d6).face > 3 { return duel(a, b - 1) }\nreturn duel(a - 1, b) }\nreport duel(3, 2)", "yes", "11/16"},
		// from 20 of 40 up or down by one: either end, however long it takes
		{"rule walk(s) = if s in 1..39 then walk(if (throw d2).face == 1 then s + 1 else s - 1) else s\nreport walk(20)", "40", "1/2"},
		{"rule swap(a, b, n) = if n == 0 then a - b + 0 * (throw d2).face else swap(b, a, n - 1)\nreport swap(5, 3, 2001)", "-2", "1/1"},
	} {
		o := oddsIn(t, session(t, ""), x.script, odds.Config{Exact: true})
		want, _ := new(big.Rat).SetString(x.chance)
		got := new(big.Rat)
		for _, e := range o.Ends {
			if e.Shown[0] == x.shows && e.Exact != nil {
				got.Add(got, e.Exact)
			}
		}
		if got.Cmp(want) != 0 {
			t.Errorf("%s: %v, want %v of %s: %+v", x.script, got, want, x.shows, o.Ends)
		}
	}
}

// Two dice of different sizes that show the same are equal: 6 of the 24 throws of a d6 and a d4 are no win for either.
func TestDiceCompareByFaces(t *testing.T) {
	for text, want := range map[string]string{
		"let a = throw d6; let b = throw d4; report a > b":                                                   "7/12",
		"let a = throw d6; let b = throw d4; report a >= b":                                                  "3/4",
		"let p = throw 2d6; report 6 in p":                                                                   "11/36",
		"let p = throw 2d6; report p[1] + p[2] == 7":                                                         "1/6",
		"let a = throw d6; let b = throw d4; report a + b + 1 == 3":                                          "1/24",
		"let a = throw d6; let b = throw d4; report a == b":                                                  "1/6",
		"let a = throw 2d6; let b = throw 2d4; report a.exceeding(b) == (count i in 1..2 where a[i] > b[i])": "1",
	} {
		for _, e := range oddsIn(t, session(t, ""), text, odds.Config{Exact: true}).Ends {
			if e.Shown[0] == "yes" && e.Exact.RatString() != want {
				t.Errorf("%s: %s, want %s", text, e.Exact.RatString(), want)
			}
		}
	}
}

// What is read of a list of independent results is exact, whichever way it is said: here each is the higher of two d4,
// which is 1, 2, 3 or 4 in 1, 3, 5 or 7 of 16. All lists of four are gone through by hand. It takes no more states than
// there are results.
func TestListsOfResultsAreExact(t *testing.T) {
	up := func(l []int) []int { return slices.Sorted(slices.Values(l)) }
	sum := func(l []int) (n int) {
		for _, x := range l {
			n += x
		}
		return n
	}
	for text, of := range map[string]func(l []int) any{
		"[2]":              func(l []int) any { return l[1] },
		".first":           func(l []int) any { return l[0] },
		".take(2)":         func(l []int) any { return fmt.Sprintf("[%d, %d]", l[0], l[1]) },
		".middle":          func(l []int) any { return up(l)[1] }, // of two the lower
		".max":             func(l []int) any { return up(l)[3] },
		".sum":             func(l []int) any { return sum(l) },
		".lowest(2).sum":   func(l []int) any { return sum(up(l)[:2]) },
		".drop_lowest.min": func(l []int) any { return up(l)[1] },
		".count(3..)":      func(l []int) any { return len(slices.DeleteFunc(l, func(x int) bool { return x < 3 })) },
		".sorted":          func(l []int) any { return strings.Join(strings.Fields(fmt.Sprint(up(l))), ", ") },
		".largest_set >= 3": func(l []int) any {
			return map[bool]string{true: "yes", false: "no"}[up(l)[0] == up(l)[2] || up(l)[1] == up(l)[3]]
		},
		"; report l.max - l[1]":              func(l []int) any { return up(l)[3] - l[0] }, // one of them beside all
		"; report l.max * l.sum":             func(l []int) any { return up(l)[3] * sum(l) },
		"; report sum x * x for x in l":      func(l []int) any { return l[0]*l[0] + l[1]*l[1] + l[2]*l[2] + l[3]*l[3] },
		"; report count x in l where x >= 3": func(l []int) any { return len(slices.DeleteFunc(l, func(x int) bool { return x < 3 })) },
		// in which order they came
		"; report sum l[i] * i for i in 1..4": func(l []int) any { return l[0] + 2*l[1] + 3*l[2] + 4*l[3] },
	} {
		want := map[string]*big.Rat{}
		for n := range 256 {
			l, ways := []int{n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6}, int64(1)
			for i := range l {
				ways *= int64(2*l[i] + 1)
				l[i]++
			}
			key := fmt.Sprint(of(l))
			if want[key] == nil {
				want[key] = new(big.Rat)
			}
			want[key].Add(want[key], big.NewRat(ways, 1<<16))
		}
		list := "[(throw 2d4).max.face for i in 1..4]"
		script := "report " + list + text
		if strings.HasPrefix(text, ";") {
			script = "let l = " + list + text
		}
		o := oddsIn(t, session(t, ""), script, odds.Config{Exact: true})
		for _, e := range o.Ends {
			if w := want[e.Shown[0]]; w == nil || w.Cmp(e.Exact) != 0 {
				t.Errorf("%s: %s in %s, want %v", script, e.Shown[0], e.Exact, w)
			}
		}
		if len(o.Ends) != len(want) {
			t.Errorf("%s: %d results, want %d", script, len(o.Ends), len(want))
		}
		if !strings.Contains(text, "l[") && o.States > 2*len(want)+20 {
			t.Errorf("%s: %d states", script, o.States)
		}
	}
}

// A pool that a script binds to a name and reads on the next lines is read at once, as one within braces: there are
// far fewer states than throws (3003 that differ of 10d6, 24310 of 8d10), and the same fractions.
func TestPoolsReadOnTheNextLines(t *testing.T) {
	for _, text := range []string{
		"let p = throw 10d6; let n = p.highest(3).sum; report n + p.count(6)",
		"let p = throw 8d10; let best = p.max; let low = p.count(1); report if low > 2 then 0 else best.face",
		"let a = throw 10d6; let b = throw 10d6; let n = count i in 1..10 where a[i] > b[i]; report n",
		"let p = throw 6d6; let n = 0; for d in p { if d >= 5 { n += 1 } }; report n * 2",
	} {
		lines := oddsIn(t, session(t, ""), strings.ReplaceAll(text, "; ", "\n"), odds.Config{})
		if lines.States > 120 {
			t.Errorf("%s: %d states", text, lines.States)
		}
		equalLaws(t, joint(t, lines, lines.Columns[0]), joint(t, oddsIn(t, session(t, ""), "{ "+text+" }", odds.Config{}), lines.Columns[0]))
	}
}
