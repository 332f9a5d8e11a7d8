package interp_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"setpiece/interp/internal/longtest"
	"setpiece/interp/odds"
)

// A second telling of Clichénimatic's Rounds, in plain Go: every throw of every
// die is gone through, and nothing of the scripted rules or the engine is used.
// Everybody leads with the highest die on the largest adder, and counters with the
// smallest die that is enough, on the smallest adder.

// duellist is somebody in a Round: the dice and adders not used yet.
type duellist struct {
	dice, adders []int
	essence      int
	times        bool // the adder multiplies the die
}

// lead takes the die and the adder of an Action.
func (x *duellist) lead() (value, adder int) {
	return takeOut(&x.dice, slices.Max(x.dice)), takeOut(&x.adders, slices.Max(x.adders))
}

// counters says whether x stops a die, and takes what that needs.
func (x *duellist) counters(value int) bool {
	best := 0
	for _, d := range x.dice {
		if d >= value && (best == 0 || d < best) {
			best = d
		}
	}
	if best == 0 || len(x.adders) == 0 {
		return false
	}
	takeOut(&x.dice, best)
	takeOut(&x.adders, slices.Min(x.adders))
	return true
}

func takeOut(list *[]int, x int) int {
	i := slices.Index(*list, x)
	*list = slices.Delete(slices.Clone(*list), i, i+1)
	return x
}

// act is an Action of x against y; it gives the damage done.
func act(x, y *duellist) int {
	value, adder := x.lead()
	if y.counters(value) {
		return 0
	}
	damage := value + adder
	if x.times {
		damage = value * adder
	}
	y.essence = max(0, y.essence-damage)
	return damage
}

// duelRound plays a Round, x being the hero.
func duelRound(x, y *duellist) {
	for x.essence > 0 && y.essence > 0 && len(x.dice)+len(y.dice) > 0 {
		if len(x.dice) > 0 {
			act(x, y)
		}
		if y.essence > 0 && len(y.dice) > 0 {
			act(y, x)
		}
	}
}

// poolOf is how likely each throw of a pool is, from the highest die down. Where a
// Cliché throws again, whatever shows up to 3 is thrown once more.
func poolOf(n int, again bool) map[string]weighed {
	out := map[string]weighed{}
	dice := make([]int, n)
	var die func(i int, w *big.Rat)
	die = func(i int, w *big.Rat) {
		if i == n {
			d := slices.Clone(dice)
			slices.SortFunc(d, func(a, b int) int { return b - a })
			k := fmt.Sprint(d)
			if out[k].w == nil {
				out[k] = weighed{d, new(big.Rat)}
			}
			out[k].w.Add(out[k].w, w)
			return
		}
		for dice[i] = 1; dice[i] <= 6; dice[i]++ {
			die(i+1, mul(w, faceWeight(dice[i], again)))
		}
	}
	die(0, big.NewRat(1, 1))
	return out
}

type weighed struct {
	dice []int
	w    *big.Rat
}

func faceWeight(face int, again bool) *big.Rat {
	switch {
	case !again:
		return big.NewRat(1, 6)
	case face > 3:
		return big.NewRat(1, 4)
	}
	return big.NewRat(1, 12)
}

func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

func clicheLaw(t *testing.T, setup, text string, columns ...string) map[string]*big.Rat {
	t.Helper()
	return joint(t, oddsIn(t, session(t, "use clichenimatic"+setup), text, odds.Config{Exact: true}), columns...)
}

const duellists = `
hero Ada { BLADE +4; DODGE +3; WIT +1; essence %d }
villain Vex { SABRE +3; CLOAK +2; GRIN +2; essence %d }
scene "The bridge" action
heroes Ada
villains Vex
`

// pairsOf calls f with every two pools.
func pairsOf(x, y map[string]weighed, f func(a, b []int, w *big.Rat)) {
	for _, a := range x {
		for _, b := range y {
			f(a.dice, b.dice, mul(a.w, b.w))
		}
	}
}

func ada(dice []int, essence int) *duellist {
	return &duellist{dice: dice, adders: []int{4, 3, 1}, essence: essence}
}
func vex(dice []int, essence int) *duellist {
	return &duellist{dice: dice, adders: []int{3, 2, 2}, essence: essence}
}

// One exchange: an Action of each, and what is left of both pools.
func TestClicheOddsOfAnExchange(t *testing.T) {
	want := tally{}
	pairsOf(poolOf(3, false), poolOf(3, false), func(a, b []int, w *big.Rat) {
		x, y := ada(a, 20), vex(b, 20)
		first := act(x, y)
		second := act(y, x)
		want.add(fmt.Sprint(first, second, x.essence, y.essence, len(x.dice), len(y.dice)), w)
	})
	text := `let dealt = 0
round {
  roll
  Ada: attack Vex
  dealt = last.damage
  Vex: attack Ada
  report dealt, last.damage, Ada.essence, Vex.essence, Ada.pool.size, Vex.pool.size
}`
	got := clicheLaw(t, fmt.Sprintf(duellists, 20, 20), text, "dealt", "last.damage", "Ada.essence", "Vex.essence", "Ada.pool.size", "Vex.pool.size")
	equalLaws(t, got, want)
}

// A Round to its end: Essence lost by both; a Round that one of them may not
// survive; added up and multiplied.
func TestClicheOddsOfARound(t *testing.T) {
	t.Parallel()
	for i, tt := range []struct {
		options string
		essence int
		times   bool
	}{
		{"", 9, false},
		{" with damage = multiply", 30, true},
		{"", 40, false},
	} {
		if i == 2 && !longtest.Tests {
			break
		}
		essence := tt.essence
		want := tally{}
		pairsOf(poolOf(3, false), poolOf(3, false), func(a, b []int, w *big.Rat) {
			x, y := ada(a, essence), vex(b, essence)
			x.times, y.times = tt.times, tt.times
			duelRound(x, y)
			want.add(fmt.Sprint(essence-x.essence, essence-y.essence), w)
		})
		text := fmt.Sprintf("round\nreport %d - Ada.essence, %[1]d - Vex.essence", essence)
		got := clicheLaw(t, tt.options+fmt.Sprintf(duellists, essence, essence), text, fmt.Sprintf("%d - Ada.essence", essence), fmt.Sprintf("%d - Vex.essence", essence))
		equalLaws(t, got, want)
	}
}

// band is a group of mooks in a Round.
type band struct {
	dice  []int
	mooks int
}

// shrink makes a die used by the mooks smaller.
func (m *band) shrink(face, by int) {
	takeOut(&m.dice, face)
	if face > by {
		m.dice = append(slices.Clone(m.dice), face-by)
	}
}

// against is the hero's Action against the mooks.
func (m *band) against(x *duellist) {
	value, adder := x.lead()
	best := 0
	for _, d := range m.dice {
		if d >= value && (best == 0 || d < best) {
			best = d
		}
	}
	if best > 0 {
		m.shrink(best, 1)
		return
	}
	if value+adder >= 5 {
		m.mooks--
		for len(m.dice) > m.mooks {
			takeOut(&m.dice, slices.Min(m.dice))
		}
	}
}

// on is the mooks' Action against the hero.
func (m *band) on(x *duellist) {
	face := slices.Max(m.dice)
	m.shrink(face, 2)
	if !x.counters(face) {
		x.essence = max(0, x.essence-face-1)
	}
}

// round plays a Round of a hero against mooks. When the hero has no dice they
// have one more attack.
func (m *band) round(x *duellist) {
	last := false
	for x.essence > 0 && m.mooks > 0 && !last {
		if len(x.dice) == 0 && len(m.dice) == 0 {
			return
		}
		if len(x.dice) > 0 {
			m.against(x)
		}
		if m.mooks > 0 && len(m.dice) > 0 {
			last = len(x.dice) == 0
			m.on(x)
		}
	}
}

// skirmish is a state of a fight between Rounds.
type skirmish struct{ essence, mooks int }

// skirmishRound gives what a Round leads to.
func skirmishRound(s skirmish, adders []int, again bool) map[skirmish]*big.Rat {
	out := map[skirmish]*big.Rat{}
	pairsOf(poolOf(len(adders), again), poolOf(s.mooks, false), func(a, b []int, w *big.Rat) {
		x, m := &duellist{dice: a, adders: adders, essence: s.essence}, &band{b, s.mooks}
		m.round(x)
		to := skirmish{x.essence, m.mooks}
		if out[to] == nil {
			out[to] = new(big.Rat)
		}
		out[to].Add(out[to], w)
	})
	return out
}

func (s skirmish) winner() string {
	switch {
	case s.mooks == 0:
		return "heroes"
	case s.essence == 0:
		return "villains"
	}
	return "nobody"
}

const watch = `
hero Ada { BLADE +4; DODGE +2; essence 9 }
mooks Guards { mooks 2 }
scene "The gate" action
heroes Ada
villains Guards
`

// A fight of three Rounds at most: who wins, when, and with how much left.
func TestClicheOddsOfThreeRounds(t *testing.T) {
	want := tally{}
	at := map[skirmish]*big.Rat{{9, 2}: big.NewRat(1, 1)}
	dists := map[skirmish]map[skirmish]*big.Rat{}
	for round := 1; round <= 3; round++ {
		next := map[skirmish]*big.Rat{}
		for s, p := range at {
			if dists[s] == nil {
				dists[s] = skirmishRound(s, []int{4, 2}, false)
			}
			for to, w := range dists[s] {
				if to.winner() != "nobody" || round == 3 {
					want.add(fmt.Sprint(to.winner(), " ", round, " ", to.essence), mul(p, w))
					continue
				}
				if next[to] == nil {
					next[to] = new(big.Rat)
				}
				next[to].Add(next[to], mul(p, w))
			}
		}
		at = next
	}
	got := clicheLaw(t, watch, "fight rounds 3\nreport last.winner, last.rounds, Ada.essence", "last.winner", "last.rounds", "Ada.essence")
	equalLaws(t, got, want)
}

// The same fight however long it takes. Essence and mooks only become fewer, so
// the chain is solved from its end; a Round in which nothing is lost is divided
// out.
func TestClicheOddsOfAFightToItsEnd(t *testing.T) {
	for _, tt := range []struct {
		setup  string
		adders []int
		again  bool
		start  skirmish
	}{
		{watch, []int{4, 2}, false, skirmish{9, 2}},
		{`
hero Ada { cliche "Duelist"; flaw "Proud"; BLADE +4; essence 7 }
mooks Guards { mooks 2 }
scene "The gate" action
heroes Ada
villains Guards
`, []int{4}, true, skirmish{7, 2}},
	} {
		solved := map[skirmish]map[skirmish]*big.Rat{}
		var solve func(s skirmish) map[skirmish]*big.Rat
		solve = func(s skirmish) map[skirmish]*big.Rat {
			if s.winner() != "nobody" {
				return map[skirmish]*big.Rat{s: big.NewRat(1, 1)}
			}
			if solved[s] != nil {
				return solved[s]
			}
			law := skirmishRound(s, tt.adders, tt.again)
			leaves := big.NewRat(1, 1)
			if stays := law[s]; stays != nil {
				leaves.Sub(leaves, stays)
			}
			out := map[skirmish]*big.Rat{}
			for to, w := range law {
				if to == s {
					continue
				}
				for end, p := range solve(to) {
					if out[end] == nil {
						out[end] = new(big.Rat)
					}
					out[end].Add(out[end], new(big.Rat).Quo(mul(w, p), leaves))
				}
			}
			solved[s] = out
			return out
		}
		want := tally{}
		for end, p := range solve(tt.start) {
			want.add(fmt.Sprint(end.winner(), " ", end.essence, " ", end.mooks), p)
		}
		got := clicheLaw(t, tt.setup, "fight\nreport last.winner, Ada.essence, Guards.left", "last.winner", "Ada.essence", "Guards.left")
		equalLaws(t, got, want)
	}
}

// What a Cliché does to one roll: nothing, dice thrown again, a bonus die, a
// Run-off of its own; and the unskilled die.
func TestClicheOddsOfARoll(t *testing.T) {
	setup := `
hero Ada { cliche "Duelist"; flaw "Proud"; BLADE +4; WIT +2 }
scene "Alone" action
heroes Ada
`
	six := func(n int, f func(d []int)) *big.Rat {
		d := make([]int, n)
		var die func(i int)
		die = func(i int) {
			if i == n {
				f(d)
				return
			}
			for d[i] = 1; d[i] <= 6; d[i]++ {
				die(i + 1)
			}
		}
		die(0)
		w := big.NewRat(1, 1)
		for range n {
			w.Quo(w, big.NewRat(6, 1))
		}
		return w
	}
	again := func(d, other int, yes bool) int {
		if yes {
			return other
		}
		return d
	}
	for _, tt := range []struct {
		pool string
		dice int
		want func(d []int) (pool, bonus int)
	}{
		{`BLADE, WIT`, 4, func(d []int) (int, int) { return again(d[0], d[2], d[0] <= 3) + again(d[1], d[3], d[1] <= 3), 0 }},
		{`BLADE, WIT cliche "Duelist" as bonus`, 3, func(d []int) (int, int) { return d[0] + d[1], d[2] }},
		{`BLADE, WIT cliche "Duelist" as runoff`, 3, func(d []int) (int, int) { return d[0] + d[1] + d[2], 0 }},
		{`BLADE unskilled cliche "Duelist" as runoff`, 3, func(d []int) (int, int) { return d[0] + d[1] + max(1, d[2]-2), 0 }},
	} {
		want := tally{}
		law := map[string]int64{}
		w := six(tt.dice, func(d []int) {
			pool, bonus := tt.want(d)
			law[fmt.Sprint(pool, " ", bonus)]++
		})
		for k, n := range law {
			want.add(k, mul(w, big.NewRat(n, 1)))
		}
		text := "round {\n  Ada: pool " + tt.pool + "\n  roll\n  report sum d.face for d in Ada.pool, Ada.bonuses.sum\n}"
		got := clicheLaw(t, setup, text, "sum d.face for d in Ada.pool", "Ada.bonuses.sum")
		equalLaws(t, got, want)
	}
}

// against is a Round of x alone with a task, which counters and never attacks.
func against(x *duellist, dice []int) int {
	done := 0
	for len(x.dice) > 0 {
		y := &duellist{dice: dice, adders: []int{1, 1, 1, 1, 1, 1}, essence: 99}
		done += act(x, y)
		dice = y.dice
	}
	return done
}

// A test of three Rounds, and a trial with a threshold, against a task of one die.
func TestClicheOddsOfATestAndATrial(t *testing.T) {
	round := tally{} // by the damage of a Round
	pairsOf(poolOf(2, false), poolOf(1, false), func(a, b []int, w *big.Rat) {
		round.add(fmt.Sprint(against(&duellist{dice: a, adders: []int{5, 3}, essence: 20}, b)), w)
	})
	number := func(s string) (n int) {
		fmt.Sscan(s, &n)
		return n
	}
	test, trial := tally{}, tally{}
	var work func(rounds, left int, p *big.Rat)
	work = func(rounds, left int, p *big.Rat) {
		for k, w := range round {
			switch rest := left - number(k); {
			case rest <= 0:
				test.add(fmt.Sprint("success ", rounds), mul(p, w))
			case rounds == 3:
				test.add("failure 3", mul(p, w))
			default:
				work(rounds+1, rest, mul(p, w))
			}
		}
	}
	work(1, 30, big.NewRat(1, 1))
	var climb func(rounds, left int, p *big.Rat)
	climb = func(rounds, left int, p *big.Rat) {
		for k, w := range round {
			n := number(k)
			switch rest := left - n; {
			case rest <= 0:
				trial.add(fmt.Sprint("success ", rounds), mul(p, w))
			case n <= 10:
				trial.add(fmt.Sprint("failure ", rounds), mul(p, w))
			default:
				climb(rounds+1, rest, mul(p, w))
			}
		}
	}
	climb(1, 25, big.NewRat(1, 1))
	setup := `
hero Ada { HANDS +5; FEET +3 }
task Vault { importance epic; essence 30; challenge moderate }
task Wall { importance vital; challenge moderate }
scene "Alone" action
heroes Ada
`
	equalLaws(t, clicheLaw(t, setup+"villains Vault\n", "timed_test Vault limit 3\nreport last.outcome, last.rounds", "last.outcome", "last.rounds"), test)
	equalLaws(t, clicheLaw(t, setup+"villains Wall\n", "trial Wall threshold 10\nreport last.outcome, last.rounds", "last.outcome", "last.rounds"), trial)
}

// A competition of two: the first to reach the total, of both in one Round the one
// further beyond, among equals another Round.
func TestClicheOddsOfACompetition(t *testing.T) {
	sums := func(n, adders int) map[int]*big.Rat {
		out := map[int]*big.Rat{}
		for _, p := range poolOf(n, false) {
			sum := adders
			for _, d := range p.dice {
				sum += d
			}
			if out[sum] == nil {
				out[sum] = new(big.Rat)
			}
			out[sum].Add(out[sum], p.w)
		}
		return out
	}
	byAda, byBen := sums(2, 4), sums(1, 6)
	want := tally{}
	tied := new(big.Rat) // that they are still equal after a Round
	for x, v := range byAda {
		if w := byBen[x]; w != nil {
			tied.Add(tied, mul(v, w))
		}
	}
	var race func(a, b int, p *big.Rat)
	race = func(a, b int, p *big.Rat) {
		if a >= 14 && a == b { // divided out, as the others are
			p = new(big.Rat).Quo(p, new(big.Rat).Sub(big.NewRat(1, 1), tied))
		}
		equal := a >= 14
		for x, v := range byAda {
			for y, w := range byBen {
				a, b, p := a+x, b+y, mul(p, mul(v, w))
				switch {
				case a == b && equal:
				case max(a, b) < 14 || a == b:
					race(a, b, p)
				case a > b:
					want.add("Ada", p)
				default:
					want.add("Ben", p)
				}
			}
		}
	}
	race(0, 0, big.NewRat(1, 1))
	setup := `
hero Ada { OARS +3; SAIL +1 }
hero Ben { OARS +6 }
task Regatta { importance average; essence 14; challenge none }
scene "The river" action
heroes Ada, Ben
villains Regatta
`
	got := clicheLaw(t, setup, "competition Regatta\nreport last.winner", "last.winner")
	equalLaws(t, got, want)
}
