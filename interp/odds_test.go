package interp_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/advice"
	"setpiece/interp/odds"
	"setpiece/lang"
	"setpiece/stdlib"
)

// The tests here hold the odds of the scripted rules against an enumeration of
// all dice in plain Go, which knows nothing of the engine.

// all goes through every throw of n d12 and adds up the weights of what f says.
func all(n int, f func(d []int) string) map[string]*big.Rat {
	law := map[string]*big.Rat{}
	d := make([]int, n)
	weight := big.NewRat(1, int64(math.Pow(12, float64(n))))
	var die func(i int)
	die = func(i int) {
		if i == n {
			k := f(d)
			if law[k] == nil {
				law[k] = new(big.Rat)
			}
			law[k].Add(law[k], weight)
			return
		}
		for d[i] = 1; d[i] <= 12; d[i]++ {
			die(i + 1)
		}
	}
	die(0)
	return law
}

func session(t testing.TB, text string) *interp.Session {
	t.Helper()
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: 1})
	if err := s.Exec(context.Background(), lang.NewSource("", text)); err != nil {
		t.Fatal(err)
	}
	return s
}

func oddsIn(t testing.TB, s *interp.Session, text string, cfg odds.Config) *odds.Odds {
	t.Helper()
	o, err := odds.Of(context.Background(), s, lang.NewSource("", text), cfg)
	if err != nil {
		t.Fatal(err)
	}
	p, exact := weightOf(o)
	if math.Abs(p+o.Remainder-1) > 1e-12 || exact != nil && o.Remainder == 0 && exact.Cmp(big.NewRat(1, 1)) != 0 {
		t.Errorf("%s: the weights sum to %v (%v) and %v is left", text, p, exact, o.Remainder)
	}
	return o
}

// joint gives the distribution of some columns together.
func joint(t testing.TB, o *odds.Odds, columns ...string) map[string]*big.Rat {
	t.Helper()
	law := map[string]*big.Rat{}
	for _, e := range o.Ends {
		if e.Fault != nil {
			t.Fatal(e.Fault)
		}
		var key []string
		for _, c := range columns {
			found := false
			for i, name := range o.Columns {
				if name == c {
					key = append(key, e.Shown[i])
					found = true
				}
			}
			if !found {
				t.Fatalf("there is no column %s in %v", c, o.Columns)
			}
		}
		k := strings.Join(key, " ")
		if law[k] == nil {
			law[k] = new(big.Rat)
		}
		law[k].Add(law[k], e.Exact)
	}
	return law
}

func equalLaws(t *testing.T, got, want map[string]*big.Rat) {
	t.Helper()
	for k, w := range want {
		if g := got[k]; g == nil || g.Cmp(w) != 0 {
			t.Errorf("%q: %v, by brute force %v", k, g, w)
		}
	}
	for k, g := range got {
		if want[k] == nil {
			t.Errorf("%q: %v, which brute force never sees", k, g)
		}
	}
}

const heroes = `use cah
hero Nova { star 3; oomph 3; BLAST 5 [area]; PUNCH 4 [action_feature]; AGILE 3 }
villain Fang { star 3; BITE 4; HIDE 3 }
villain "Ooze Lord" { star 4; SLAP 5; MUCK 2 }
goons Drones { rating 1 }
scene "Here" action
heroes Nova
villains Fang, "Ooze Lord", Drones
`

// shown gives the total of a die with a rating: 12 is a boon of twice the Star
// Power, 1 a flub.
func shown(die, rating, star int) int {
	if die == 12 {
		return 12 + rating + 2*star
	}
	return die + rating
}

func word(flub, success bool) string {
	switch {
	case flub:
		return "flub"
	case success:
		return "success"
	}
	return "failure"
}

func TestOddsOfTheFirstLine(t *testing.T) {
	o := oddsIn(t, session(t, "use cah"), "roll DEMOLITIONS 4 link STEADY_HANDS 2 vs DN 8", odds.Config{})
	equalLaws(t, joint(t, o, "outcome"), map[string]*big.Rat{"success": big.NewRat(5, 6), "failure": big.NewRat(1, 12), "flub": big.NewRat(1, 12)})
}

func TestOddsOfChecks(t *testing.T) {
	for _, tt := range []struct {
		text string
		dice int
		want func(d []int) string
	}{
		{"Nova: roll PUNCH link AGILE vs DN 8", 1, func(d []int) string {
			total := shown(d[0], 4, 3) + 1
			return fmt.Sprint(word(d[0] == 1, total >= 8), " ", total-8)
		}},
		{"Nova: roll PUNCH vs DN 9 benefit", 2, func(d []int) string {
			best := max(d[0], d[1])
			return fmt.Sprint(word(best == 1, shown(best, 4, 3) >= 9), " ", shown(best, 4, 3)-9)
		}},
		// a throw that fails is made again, and the better one counts; a flub is final
		{"Nova: roll PUNCH vs DN 12 spend oomph reroll if failed", 2, func(d []int) string {
			die := d[0]
			if die != 1 && shown(die, 4, 3) < 12 {
				die = max(die, d[1])
			}
			return fmt.Sprint(word(die == 1, shown(die, 4, 3) >= 12), " ", shown(die, 4, 3)-12)
		}},
		// the GM's die is added to the base
		{"Nova: roll PUNCH vs difficulty 2", 2, func(d []int) string {
			dn := 2 + d[1]
			return fmt.Sprint(word(d[0] == 1, shown(d[0], 4, 3) >= dn), " ", shown(d[0], 4, 3)-dn)
		}},
		{"Nova: roll PUNCH vs DN 30", 1, func(d []int) string {
			return fmt.Sprint(word(d[0] == 1, false), " ", shown(d[0], 4, 3)-30)
		}},
	} {
		t.Run(tt.text, func(t *testing.T) {
			o := oddsIn(t, session(t, heroes), tt.text, odds.Config{})
			equalLaws(t, joint(t, o, "outcome", "margin"), all(tt.dice, tt.want))
		})
	}
}

// struck says how an attack ends: the outcome, and how the target is.
func struck(a, star int, flub bool, r, targetStar int, targetFlub bool, tokens int) string {
	success := !flub && (targetFlub || a >= r)
	defeated := false
	if targetFlub {
		tokens++
	}
	if success {
		if a-r >= 2*targetStar {
			defeated = true
		} else {
			tokens++
		}
	}
	defeated = defeated || tokens > targetStar
	return fmt.Sprint(word(flub, success), " ", map[bool]string{true: "yes", false: "no"}[defeated])
}

func TestOddsOfAttacks(t *testing.T) {
	for _, tt := range []struct {
		text string
		who  string
		dice int
		want func(d []int) string
	}{
		{"Nova: attack Fang with PUNCH against HIDE", "Fang", 2, func(d []int) string {
			return struck(shown(d[0], 4, 3), 3, d[0] == 1, shown(d[1], 3, 3), 3, d[1] == 1, 0)
		}},
		{"Nova: attack Fang with PUNCH benefit against HIDE", "Fang", 3, func(d []int) string {
			die := max(d[0], d[1])
			return struck(shown(die, 4, 3), 3, die == 1, shown(d[2], 3, 3), 3, d[2] == 1, 0)
		}},
		// without a roll: rating and 6
		{"Nova: attack Fang against HIDE flat with PUNCH", "Fang", 1, func(d []int) string {
			return struck(shown(d[0], 4, 3), 3, d[0] == 1, 9, 3, false, 0)
		}},
		// Goons throw two dice and use the lower; their first token is their last
		{"Nova: attack Drones with PUNCH", "Drones", 3, func(d []int) string {
			low := min(d[1], d[2])
			out := struck(shown(d[0], 4, 3), 3, d[0] == 1, shown(low, 1, 1), 1, low == 1, 1)
			return out
		}},
	} {
		t.Run(tt.text, func(t *testing.T) {
			o := oddsIn(t, session(t, heroes), tt.text+"\nreport last.outcome, "+tt.who+".defeated", odds.Config{Exact: true})
			equalLaws(t, joint(t, o, o.Columns...), all(tt.dice, tt.want))
		})
	}
}

// An attack on two with one throw: each resists it with a throw of its own, and
// the second target adds 1 to what has to be reached.
func TestOddsOfAreaAttack(t *testing.T) {
	o := oddsIn(t, session(t, heroes), `Nova: attack Fang against HIDE, "Ooze Lord" against MUCK with BLAST
report last.hits`, odds.Config{Exact: true})
	equalLaws(t, joint(t, o, o.Columns...), all(3, func(d []int) string {
		hits := 0
		for i, rating := range []int{3, 2} {
			star := 3 + i
			if a, r := shown(d[0], 5, 3), shown(d[1+i], rating, star); d[0] != 1 && (d[1+i] == 1 || a >= r+1) {
				hits++
			}
		}
		return fmt.Sprint(hits)
	}))
}

// chain solves the duel of duelScene by hand: a chain over the tokens of both,
// with the distribution of one blow from all its dice.
func chain(rounds int) map[string]float64 {
	type state struct {
		lord, hero int
		out        string // who has won
	}
	// the distribution of one blow: tokens for the one who strikes and the one who is
	// struck, and whether the latter is out at once
	type blow struct {
		own, other int
		out        bool
	}
	law := func(star, foeStar int) map[blow]float64 {
		m := map[blow]float64{}
		for a := 1; a <= 12; a++ {
			for r := 1; r <= 12; r++ {
				var b blow
				x, y := shown(a, 4, star), shown(r, 4, foeStar)
				if a == 1 {
					b.own = 1
				}
				if r == 1 {
					b.other++
				}
				if a != 1 && (r == 1 || x >= y) {
					if x-y >= 2*foeStar {
						b.out = true
					} else {
						b.other++
					}
				}
				m[b] += 1.0 / 144
			}
		}
		return m
	}
	lords, heros := law(4, 3), law(3, 4)
	now := map[state]float64{{}: 1}
	end := map[string]float64{}
	settle := func(s state, round int, p float64, next map[state]float64) {
		heroOut, lordOut := s.hero > 3 || s.out == "lord", s.lord > 4 || s.out == "hero"
		switch {
		case heroOut && lordOut:
			end[fmt.Sprint("nobody ", round)] += p
		case heroOut:
			end[fmt.Sprint("villains ", round)] += p
		case lordOut:
			end[fmt.Sprint("heroes ", round)] += p
		default:
			next[s] += p
		}
	}
	for round := 1; round <= rounds; round++ {
		mid, next := map[state]float64{}, map[state]float64{}
		for s, p := range now {
			for b, q := range lords {
				n := state{lord: s.lord + b.own, hero: s.hero + b.other}
				if b.out {
					n.out = "lord"
				}
				settle(n, round, p*q, mid)
			}
		}
		for s, p := range mid {
			for b, q := range heros {
				n := state{lord: s.lord + b.other, hero: s.hero + b.own}
				if b.out {
					n.out = "hero"
				}
				settle(n, round, p*q, next)
			}
		}
		now = next
	}
	return end
}

func TestOddsOfDuel(t *testing.T) {
	o := oddsIn(t, session(t, duelScene), "fight", odds.Config{})
	want := chain(30)
	got := map[string]float64{}
	for _, e := range o.Ends {
		if e.Fault != nil {
			t.Fatal(e.Fault)
		}
		got[e.Shown[1]+" "+e.Shown[2]] += e.P
	}
	if o.Columns[1] != "winner" || o.Columns[2] != "rounds" {
		t.Fatal(o.Columns)
	}
	for k, w := range want {
		if math.Abs(got[k]-w) > 1e-13 {
			t.Errorf("%s: %v, by the chain %v", k, got[k], w)
		}
	}
	if o.Remainder > 1e-12 {
		t.Errorf("%v is left", o.Remainder)
	}
}

// What is counted and not asked for keeps no states apart: however long it takes
// until three dice have shown a 6, it is the same state.
func TestOddsForgetCounts(t *testing.T) {
	o := oddsIn(t, session(t, ""), "{ let n = 0; let sixes = 0; while sixes < 3 { n += 1; if (throw d6).face == 6 { sixes += 1 } }; report sixes }", odds.Config{Exact: true})
	equalLaws(t, joint(t, o, o.Columns...), map[string]*big.Rat{"3": big.NewRat(1, 1)})
	if o.States > 12 {
		t.Errorf("%d states", o.States)
	}
	// asked for, it is the negative binomial law: the third 6 falls with the nth die
	o = oddsIn(t, session(t, ""), "{ let n = 0; let sixes = 0; while sixes < 3 { n += 1; if (throw d6).face == 6 { sixes += 1 } }; report n }", odds.Config{})
	for _, e := range o.Ends {
		var n int
		fmt.Sscan(e.Shown[0], &n)
		want := float64((n-1)*(n-2)/2) * math.Pow(5.0/6, float64(n-3)) / 216
		if math.Abs(e.P-want) > 1e-15 {
			t.Errorf("%d: %v, want %v", n, e.P, want)
		}
	}
}

// What is worked out by hand of scripts in which a value is used where it is easily
// thought not to be.
func TestOddsByHand(t *testing.T) {
	const beings = "sheet being { hp number = 0 }\nbeing Ada { hp 4 }\nbeing Bob { hp 2 }\n"
	for _, c := range []struct {
		setup, text string
		want        map[string]*big.Rat
	}{
		// one's hit points become the other's
		{beings, "{ Bob.hp -= 1; let d = (throw d2).face; Ada.hp += Bob.hp }\nreport Ada.hp", map[string]*big.Rat{"5": big.NewRat(1, 1)}},
		{beings + "rule gives(x, y) { y.hp = x.hp + 1 }\n", "{ Bob.hp -= 1; let d = (throw d2).face; gives(Bob, Ada) }\nreport Ada.hp", map[string]*big.Rat{"2": big.NewRat(1, 1)}},
		// what was refused after a throw is what it was before, in each round and for
		// each c: a goes 0, 3, 6, and b is 4, then 5-4+1 = 2, then 5-2+4 = 7
		{"let a = 0\nlet b = 2\nlet c = 0\n", "b = 4\nc = (throw d3).face\nwhile a in -3..5 {\n  a += 1\n  if c == 2 { c = 2 }\n  b = 5 - b + a\n  refused \"no\" { b = 2; a += (throw d3).face; refuse \"no\" }\n  a += 2\n}\nreport a, b", map[string]*big.Rat{"6 7": big.NewRat(1, 1)}},
		// two pools, the first of which waits for the second while b, thrown before, is
		// what it was at first in some states and not in others: of 2d2 the sum is 3 half
		// the time
		{"let b = 3\n", "b = (throw 2d2).sum\nlet t = (throw 2d2).sum + (throw 2d2).sum\nreport t == 8, b == 3", map[string]*big.Rat{
			"yes yes": big.NewRat(1, 32), "yes no": big.NewRat(1, 32), "no yes": big.NewRat(15, 32), "no no": big.NewRat(15, 32)}},
		{"let b = 3\n", "b = (throw 2d2).sum\nlet t = (throw 3d2).take(2).sum + (throw 3d2).take(2).sum\nb = t - 1\nreport b", map[string]*big.Rat{
			// of three d2 the two highest make 2 in 1 of 8 throws, 3 in 3 and 4 in 4
			"3": big.NewRat(1, 64), "4": big.NewRat(6, 64), "5": big.NewRat(17, 64), "6": big.NewRat(24, 64), "7": big.NewRat(16, 64)}},
	} {
		for range 2 {
			o := oddsIn(t, session(t, c.setup), c.text, odds.Config{Exact: true})
			equalLaws(t, joint(t, o, o.Columns...), c.want)
		}
	}
}

// Values that are as likely as one another stand in the order in which one would list
// them.
func TestOddsListEqualsInOrder(t *testing.T) {
	o := oddsIn(t, session(t, ""), "report \"Baron {(throw d12).face}\"", odds.Config{})
	var got []string
	for _, p := range o.Distribution(0).Points {
		got = append(got, strings.TrimPrefix(p.Shown, "Baron "))
	}
	if want := "1 2 3 4 5 6 7 8 9 10 11 12"; strings.Join(got, " ") != want {
		t.Errorf("%v", got)
	}
}

// What never ends is told as what was not followed, all of it, however its weights
// round.
func TestOddsOfWhatNeverEnds(t *testing.T) {
	for _, text := range []string{
		"let n = 0\nwhile n == 0 { n = if (throw d3).face > 3 then 1 else 0 }\nreport n",
		"let n = 0\nlet m = 0\nwhile n == 0 { m = (throw d3).face; n = if m > 3 then 1 else 0 }\nreport n",
		"let m = 0\nwhile m < 9 { let d = (throw d6).face; if (throw d6).face > d { m = 0 } else { m = mod(m + 1, 3) } }\nreport m",
		"let m = 0\nwhile m < 9 { m = max(m, (throw d7).face); let d = throw d3 }\nreport m",
	} {
		o := oddsIn(t, session(t, ""), text, odds.Config{})
		if len(o.Ends) > 0 || math.Abs(o.Remainder-1) > 1e-12 {
			t.Errorf("%s: it ends as %v, and %v is left", text, o.Ends, o.Remainder)
		}
	}
}

// BenchmarkOddsDuel is the exact law of a duel to Defeat.
func BenchmarkOddsDuel(b *testing.B) {
	states := 0
	s := session(b, duelScene)
	for b.Loop() {
		states = oddsIn(b, s, "fight\nreport last.winner", odds.Config{}).States
	}
	b.ReportMetric(float64(states), "states")
}

// BenchmarkOddsDuelLoaded is the same where the module has been used, so that its rules
// are linked, and nothing is known of the duel.
func BenchmarkOddsDuelLoaded(b *testing.B) {
	states := 0
	s := session(b, duelScene)
	oddsIn(b, s, "fight\nreport last.rounds", odds.Config{})
	for n := 0; b.Loop(); n++ {
		states = oddsIn(b, s, fmt.Sprintf("fight\nreport last.winner # %d", n), odds.Config{}).States
	}
	b.ReportMetric(float64(states), "states")
}

// BenchmarkOddsDuelFirst is the same in a session that has the module loaded and
// has done nothing.
func BenchmarkOddsDuelFirst(b *testing.B) {
	states := 0
	for b.Loop() {
		b.StopTimer()
		s := session(b, duelScene)
		b.StartTimer()
		states = oddsIn(b, s, "fight\nreport last.winner", odds.Config{}).States
	}
	b.ReportMetric(float64(states), "states")
}

// The best play of a check, by hand: with the Action Feature's die and Extra
// Effort (+3) a 5 on either of two dice is enough; what fails and is no flub is
// thrown again, and the better counts. So 128 + 15 * 8/9 of 144 succeed. Without
// Extra Effort an 8 is needed, 95 of 144 succeed, and of the 48 that fail and are
// no flub the same share succeeds when thrown again: (95 + 48 * 95/144) / 144.
func TestOddsOfBestPlay(t *testing.T) {
	s := session(t, heroes)
	o := oddsIn(t, s, "Nova: roll PUNCH vs DN 12", odds.Config{Best: []string{"Nova"}})
	if want := (128 + 15*8.0/9) / 144; math.Abs(o.Value-want) > 1e-12 {
		t.Errorf("the value is %v, want %v", o.Value, want)
	}
	equalLaws(t, joint(t, o, "outcome"), map[string]*big.Rat{"success": big.NewRat(53, 54), "failure": big.NewRat(5, 432), "flub": big.NewRat(1, 144)})
	effort := -1
	for i, d := range o.Decisions {
		if strings.HasPrefix(d.Prompt, "Extra Effort") {
			effort = i
		}
	}
	if effort < 0 {
		t.Fatalf("Extra Effort is not among %v", o.Decisions)
	}
	d := o.Decisions[effort]
	if want := (95 + 48*95.0/144) / 144; math.Abs(d.Values[0]-want) > 1e-12 || d.Cost != "1 oomph" || d.Options[d.Taken] != "yes" || math.Abs(d.Weight-1) > 1e-12 {
		t.Errorf("%+v, want %v without", d, want)
	}

	// a point that is kept is worth more than the help it would be
	o = oddsIn(t, s, "Nova: roll PUNCH vs DN 12", odds.Config{Best: []string{odds.Everybody}, Goal: "(if last.outcome == success then 1 else 0) + Nova.oomph"})
	for _, d := range o.Decisions {
		if d.Cost != "" && d.Options[d.Taken] != "no" {
			t.Errorf("%+v is paid for", d)
		}
	}
	// the goal may be a number
	o = oddsIn(t, s, "Nova: roll PUNCH vs DN 12", odds.Config{Best: []string{"Nova"}, Goal: "last.margin"})
	plain := oddsIn(t, s, "Nova: roll PUNCH vs DN 12\nreport last.margin", odds.Config{})
	if o.Value <= plain.Distribution(0).Mean() {
		t.Errorf("the best margin %v is not above %v", o.Value, plain.Distribution(0).Mean())
	}
	if _, err := odds.Of(context.Background(), s, lang.NewSource("", "Nova: roll PUNCH vs DN 12"), odds.Config{Best: []string{"Nova"}, Goal: "1 +"}); err == nil {
		t.Error("a goal that is no expression is taken")
	}
}

// advised asks for advice at every decision, and takes what it says or not.
type advised struct {
	t      *testing.T
	takes  bool
	values map[string][]float64
}

func (a *advised) Choose(ctx context.Context, q interp.Question) (int, error) {
	advice, err := advice.OfQuestion(ctx, q, advice.Config{})
	if err != nil {
		a.t.Fatal(err)
	}
	a.values[q.Prompt] = advice.Goals[0].Values
	if a.takes {
		return advice.Best, nil
	}
	return 0, nil
}

// Advice at the moment of each decision is what best play gives from there, and
// asking for it changes nothing.
func TestAdvice(t *testing.T) {
	end := func(c interp.Choice) (string, *advised) {
		a, _ := c.(*advised)
		said := ""
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: 3, Choice: c, Events: func(e *interp.Event) { said += fmt.Sprintln(e.Kind, e.Name, e.Text, e.Value) }})
		err := s.Exec(context.Background(), lang.NewSource("", heroes+"dice 3 4 9 9\nNova: roll PUNCH vs DN 12\nreport last.outcome, last.total, Nova.oomph"))
		if err != nil {
			t.Fatal(err)
		}
		return said, a
	}
	_, a := end(&advised{t, true, map[string][]float64{}})
	best := (128 + 15*8.0/9) / 144
	for prompt, want := range map[string][]float64{
		"Use the Action Feature for a Benefit Die?": {(8 + 3*8.0/12) / 12, best}, // one die: 5 to 12, or thrown again
		"Extra Effort: +3?":                         {(95 + 48*95.0/144) / 144, best},
		"Re-roll?":                                  {0, 8.0 / 9},
	} {
		got := a.values[prompt]
		if len(got) != 2 || math.Abs(got[0]-want[0]) > 1e-12 || math.Abs(got[1]-want[1]) > 1e-12 {
			t.Errorf("%s: %v, want %v", prompt, got, want)
		}
	}
	with, _ := end(&advised{t, false, map[string][]float64{}})
	if without, _ := end(never{}); with != without {
		t.Errorf("with advice it is told\n%s\nwithout\n%s", with, without)
	}
}

// never takes no offer.
type never struct{}

func (never) Choose(context.Context, interp.Question) (int, error) { return 0, nil }

// attrition is two with 20 hit points each who hit every other time for a d8.
const attrition = `let a = 20
let b = 20
while a > 0 and b > 0 {
  if (throw d2).face == 1 { b -= (throw d8).face }
  if b > 0 and (throw d2).face == 1 { a -= (throw d8).face }
}
report a > 0
`

// The chance of the first to win, by going through the hit points in plain Go:
// from a state in which the first strikes, both may miss and it is there again.
func TestOddsOfAttrition(t *testing.T) {
	var memo [21][21]float64
	// win is the chance of whoever strikes next, with x points of its own and y
	// of the other
	var win func(x, y int) float64
	done := map[[2]int]bool{}
	win = func(x, y int) float64 {
		if y <= 0 {
			return 1
		}
		if x <= 0 {
			return 0
		}
		if done[[2]int{x, y}] {
			return memo[x][y]
		}
		// w = 1/2 (mean over d of 1 - v(y-d, x)) + 1/2 (1 - v(y, x)), where
		// v(y, x) = 1/2 (mean of 1 - w(x-d, y)) + 1/2 (1 - w)
		hit, back := 0.0, 0.0
		for d := 1; d <= 8; d++ {
			if y-d <= 0 {
				hit++
			} else {
				hit += 1 - win(y-d, x)
			}
			if x-d <= 0 {
				back++
			} else {
				back += 1 - win(x-d, y)
			}
		}
		hit, back = hit/8, back/8
		// w = hit/2 + (1 - (back/2 + (1-w)/2))/2
		w := (hit/2 + 0.25 - back/4) / (1 - 0.25)
		done[[2]int{x, y}] = true
		memo[x][y] = w
		return w
	}
	o := oddsIn(t, session(t, ""), attrition, odds.Config{})
	if got, want := o.Distribution(0).Points[0].P, win(20, 20); o.Distribution(0).Points[0].Shown != "yes" || math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, by the chain %v", got, want)
	}
}

func BenchmarkOddsAttrition(b *testing.B) {
	states := 0
	for b.Loop() {
		states = oddsIn(b, session(b, ""), attrition, odds.Config{}).States
	}
	b.ReportMetric(float64(states), "states")
}

// What is stopped tells what it has: no end is likelier than in truth, and what
// is missing is the remainder. What is stopped while it is compiled has nothing to tell.
func TestOddsStopped(t *testing.T) {
	s := session(t, duelScene)
	for end := 1; ; end++ {
		ctx := &looks{Context: context.Background(), end: end}
		o, err := odds.Of(ctx, s, lang.NewSource("", "fight\nreport last.winner"), odds.Config{})
		var stopped *interp.RunError
		if errors.As(err, &stopped) && stopped.Kind == interp.Cancelled && end < 1000 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if p, _ := weightOf(o); !o.Stopped || math.Abs(p+o.Remainder-1) > 1e-12 || o.Remainder < 0.5 {
			t.Errorf("stopped %v with %v and %v left", o.Stopped, p, o.Remainder)
		}
		break
	}
	// the session goes on
	oddsIn(t, s, "fight\nreport last.winner", odds.Config{})
}

// squads is a fight of two heroes against a villain and two Goon Squads.
const squads = `use cah
hero Valorus { star 3; DEXTROUS 3; SUNBLADE 4 }
hero Nova { star 3; AGILE 3; BLAST 5 }
villain "Sludge Lord" { star 4; OOZING_PUNCH 4; THICK_HIDE 3 }
goons Ooze x2 { rating 1 }
scene "The bog" action
heroes Valorus, Nova
villains "Sludge Lord", Ooze
tactics Valorus { otherwise: attack weakest foe with SUNBLADE }
tactics Nova { otherwise: attack weakest foe with BLAST }
tactics "Sludge Lord" { otherwise: attack wounded foe with OOZING_PUNCH }
tactics "Ooze 1", "Ooze 2" { otherwise: attack any foe }
`

func BenchmarkOddsSquads(b *testing.B) {
	states := 0
	for b.Loop() {
		b.StopTimer()
		s := session(b, squads)
		b.StartTimer()
		states = oddsIn(b, s, "fight\nreport last.winner", odds.Config{}).States
	}
	b.ReportMetric(float64(states), "states")
}

// What was worked out is used again when the same is asked in another state, and
// tells what a session tells that was never asked before.
func TestOddsAskedAgain(t *testing.T) {
	const text = "fight\nreport last.winner, Valorus.setbacks"
	asked := session(t, duelScene)
	for _, change := range []string{"", "Valorus.setbacks = 2", `"Sludge Lord".setbacks = 3`, "Valorus.setbacks = 0", "villain Fang { star 2; BITE 4 }\nvillains \"Sludge Lord\", Fang", "Valorus.SUNBLADE.rating = 6"} {
		fresh := session(t, duelScene)
		for _, s := range []*interp.Session{asked, fresh} {
			if err := s.Exec(context.Background(), lang.NewSource("", "Valorus.oomph = 3")); err != nil {
				t.Fatal(err)
			}
		}
		state := asked.Snapshot()
		if err := asked.Exec(context.Background(), lang.NewSource("", change)); err != nil {
			t.Fatal(err)
		}
		if err := fresh.Exec(context.Background(), lang.NewSource("", change)); err != nil {
			t.Fatal(err)
		}
		got, want := oddsIn(t, asked, text, odds.Config{}), oddsIn(t, fresh, text, odds.Config{})
		if len(got.Ends) != len(want.Ends) || len(got.Ends) < 2 {
			t.Fatalf("%q: %d ends, not %d", change, len(got.Ends), len(want.Ends))
		}
		law := map[string]float64{}
		for _, e := range want.Ends {
			law[strings.Join(e.Shown, " ")] = e.P
		}
		for _, e := range got.Ends {
			if math.Abs(e.P-law[strings.Join(e.Shown, " ")]) > 1e-13 {
				t.Errorf("%q: %v %v, asked for the first time %v", change, e.Shown, e.P, law[strings.Join(e.Shown, " ")])
			}
		}
		asked.Restore(state)
	}
}

// What is remembered writes what it wrote, whatever stood there when it was first
// asked.
func TestOddsAskedAgainElsewhere(t *testing.T) {
	s := session(t, "sheet game { n number }\ngame Table { }")
	for _, c := range []struct{ change, want string }{{"Table.n = 0", "0"}, {"Table.n = 2", "0"}, {"Table.n = 0", "0"}} {
		if err := s.Exec(context.Background(), lang.NewSource("", c.change)); err != nil {
			t.Fatal(err)
		}
		o := oddsIn(t, s, "Table.n = 0\nprint throw d6\nreport Table.n", odds.Config{})
		if len(o.Ends) != 1 || o.Ends[0].Shown[0] != c.want {
			t.Errorf("%s: ends with %v, want %s", c.change, o.Ends, c.want)
		}
	}
}

// What stands in the block of a command counts in a session to which somebody
// listens, as it does in one to which nobody does.
func TestOddsOfABlock(t *testing.T) {
	for _, listener := range []func(*interp.Event){nil, func(*interp.Event) {}} {
		s := interp.NewSession(interp.Config{Events: listener})
		declare := "spans scene\nverb scene { block; do { begin scene; run block; end scene } }\nlet n = 0"
		if err := s.Exec(context.Background(), lang.NewSource("", declare)); err != nil {
			t.Fatal(err)
		}
		o := oddsIn(t, s, "scene { n += (throw d4).face; if n > 1 { scene { n += 1 } } }\nreport n", odds.Config{})
		got := ""
		for _, e := range o.Ends {
			got += e.Shown[0] + " "
		}
		if got != "1 3 4 5 " {
			t.Errorf("listening %v: the ends are %q", listener != nil, got)
		}
	}
}

// A die that is thrown again on its highest face has no finite exact odds, and that is
// said before time or memory is up. One that is thrown again twice at most has.
func TestExactOddsWithoutEnd(t *testing.T) {
	text := `
rule open(left) {
  let f = (throw d10).face
  return if f == 10 and left > 0 then 10 + open(left - 1) else f
}
report open(%d) >= 30`
	exact := odds.Config{Exact: true, States: 20_000}
	_, err := odds.Of(context.Background(), interp.NewSession(interp.Config{Limits: interp.Limits{Depth: 5000}}), lang.NewSource("", fmt.Sprintf(text, 4000)), exact)
	var re *interp.RunError
	if !errors.As(err, &re) || !strings.Contains(re.Diag.Message, "not finite") || !strings.Contains(re.Diag.Help, "leave out --exact") {
		t.Errorf("%v", err)
	}
	o, err := odds.Of(context.Background(), interp.NewSession(interp.Config{}), lang.NewSource("", fmt.Sprintf(text, 2)), exact)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range o.Ends { // 10, 10, and then a 10
		if want := map[string]string{"yes": "1/1000", "no": "999/1000"}[e.Shown[0]]; e.Exact == nil || e.Exact.RatString() != want {
			t.Errorf("%v: %v, want %s", e.Shown, e.Exact, want)
		}
	}
}

// Where the least likely results are skipped, no chance is called exact: it is too small by
// the remainder at most.
func TestNothingCutIsExact(t *testing.T) {
	o, err := odds.Of(context.Background(), interp.NewSession(interp.Config{Modules: stdlib.FS}), lang.NewSource("", "use unisystem\nroll DEXTERITY 3 + KUNG_FU 2"), odds.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if o.Remainder == 0 {
		t.Fatal("nothing was skipped")
	}
	for _, e := range o.Ends {
		if e.Exact != nil {
			t.Errorf("%v is said to be exactly %v", e.Shown, e.Exact)
		}
	}
}
