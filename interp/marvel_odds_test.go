package interp_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"setpiece/interp/odds"
)

// A second telling of Marvel Heroic's pools, in plain Go: every throw of every
// die is gone through, and nothing of the scripted rules or the engine is used.

// fallen is a die with the face it shows.
type fallen struct{ size, face int }

// reading is what a roll comes to.
type reading struct{ total, effect, ones int }

// pick reads a roll: some dice for the total, one for the effect.
type pick func(live []fallen) (total int, rest []fallen)

// highest takes the n highest faces; of equal faces the smallest dice.
func highest(n int) pick {
	return func(live []fallen) (int, []fallen) {
		slices.SortFunc(live, func(a, b fallen) int {
			if a.face != b.face {
				return b.face - a.face
			}
			return a.size - b.size
		})
		total := 0
		k := min(n, len(live))
		for _, d := range live[:k] {
			total += d.face
		}
		return total, live[k:]
	}
}

// sparingLargest keeps the largest die for the effect, unless two are needed.
func sparingLargest(live []fallen) (int, []fallen) {
	if len(live) <= 2 {
		return highest(2)(live)
	}
	at := 0
	for i, d := range live {
		if d.size > live[at].size || d.size == live[at].size && d.face < live[at].face {
			at = i
		}
	}
	saved := live[at]
	total, rest := highest(2)(slices.Delete(live, at, at+1))
	return total, append(slices.Clone(rest), saved)
}

// throwAll calls f with all throws of the dice, each as likely as any other.
func throwAll(sizes []int, f func(dice []fallen)) int {
	dice := make([]fallen, len(sizes))
	n := 0
	var die func(i int)
	die = func(i int) {
		if i == len(sizes) {
			f(dice)
			n++
			return
		}
		for face := 1; face <= sizes[i]; face++ {
			dice[i] = fallen{sizes[i], face}
			die(i + 1)
		}
	}
	die(0)
	return n
}

func readRoll(dice []fallen, p pick) reading {
	var r reading
	var live []fallen
	for _, d := range dice {
		if d.face == 1 {
			r.ones++
		} else {
			live = append(live, d)
		}
	}
	var rest []fallen
	r.total, rest = p(live)
	r.effect = 4
	for _, d := range rest {
		r.effect = max(r.effect, d.size)
	}
	return r
}

// poolLaw is how often a pool comes to each reading, of all throws.
func poolLaw(sizes []int, p pick) (map[reading]int64, int64) {
	law := map[reading]int64{}
	n := throwAll(sizes, func(dice []fallen) { law[readRoll(dice, p)]++ })
	return law, int64(n)
}

// tally is a law in the making.
type tally map[string]*big.Rat

func (l tally) add(key string, w *big.Rat) {
	if l[key] == nil {
		l[key] = new(big.Rat)
	}
	l[key].Add(l[key], w)
}

// contests calls f with every action and reaction and its weight.
func contests(action, reaction []int, f func(a, r reading, w *big.Rat)) {
	la, na := poolLaw(action, highest(2))
	lr, nr := poolLaw(reaction, highest(2))
	for a, x := range la {
		for r, y := range lr {
			f(a, r, big.NewRat(x*y, na*nr))
		}
	}
}

// blow gives the effect of a success in sizes: 0 is nothing, 14 and more past d12.
func blow(a, r reading) int {
	steps := (a.total - r.total) / 5
	size := a.effect + 2*steps
	if size > 12 {
		return size
	}
	if r.effect > size {
		size -= 2
	}
	if size < 4 {
		return 0
	}
	return size
}

// shownBlow names an effect as the rules show it.
func shownBlow(size int) string {
	switch {
	case size == 0:
		return "none"
	case size > 12:
		return "stressed_out"
	}
	return fmt.Sprintf("d%d", size)
}

const marvels = `use marvel
hero Nova { pp 1 }
watcher Fang { }
`

func marvelLaw(t *testing.T, setup, text string, cfg odds.Config, columns ...string) map[string]*big.Rat {
	t.Helper()
	cfg.Exact = true
	law := joint(t, oddsIn(t, session(t, setup), text, cfg), columns...)
	out := map[string]*big.Rat{}
	for k, w := range law {
		out[blanks(k)] = w
	}
	return out
}

// blanks puts a word where nothing is shown.
func blanks(key string) string {
	if key == "" {
		return "none"
	}
	if key[len(key)-1] == ' ' {
		return key + "none"
	}
	return key
}

func TestMarvelOddsOfTotalAndEffect(t *testing.T) {
	for _, tt := range []struct {
		use, text string
		sizes     []int
		pick      pick
	}{
		{"use marvel", "Nova: roll 2d8 + d10 + d6 unopposed", []int{8, 8, 10, 6}, highest(2)},
		{"use marvel", "Nova: roll 2d4 + d6 + d12 + d4 unopposed", []int{4, 4, 6, 12, 4}, highest(2)},
		{"use marvel with policy = largest_effect", "Nova: roll 2d8 + d10 + d6 unopposed", []int{8, 8, 10, 6}, sparingLargest},
		{"use marvel with policy = largest_effect", "Nova: roll d6 + d12 + d4 unopposed", []int{6, 12, 4}, sparingLargest},
		{"use marvel", "Nova: roll 2d8 + d6 + d4 spend pp total unopposed", []int{8, 8, 6, 4}, highest(3)},
	} {
		want := tally{}
		law, n := poolLaw(tt.sizes, tt.pick)
		for r, w := range law {
			want.add(fmt.Sprintf("%d d%d", r.total, r.effect), big.NewRat(w, n))
		}
		got := marvelLaw(t, tt.use+"\nhero Nova { pp 1 }", tt.text, odds.Config{}, "total", "effect")
		equalLaws(t, got, want)
	}
}

func TestMarvelOddsOfOpportunities(t *testing.T) {
	setup := `use marvel
sheet book { ones number }
book Tally { }
feature watched "counts ones" on character { on rolled(hand) { Tally.ones = count d in hand.dice where d.face == 1 } }
hero Nova [watched] { }
`
	want := tally{}
	n := throwAll([]int{4, 6, 6, 10}, func(dice []fallen) {
		want.add(fmt.Sprint(readRoll(dice, highest(2)).ones), big.NewRat(1, 4*6*6*10))
	})
	if n != 1440 {
		t.Fatal(n)
	}
	equalLaws(t, marvelLaw(t, setup, "Nova: roll d4 + 2d6 + d10 unopposed\nreport Tally.ones", odds.Config{}, "Tally.ones"), want)
}

func TestMarvelOddsOfAContest(t *testing.T) {
	want := tally{}
	contests([]int{8, 4, 6}, []int{6, 4, 4}, func(a, r reading, w *big.Rat) {
		margin := a.total - r.total
		if margin < 0 {
			want.add(fmt.Sprintf("failure %d none", margin), w)
			return
		}
		want.add(fmt.Sprintf("success %d %s", margin, shownBlow(blow(a, r))), w)
	})
	got := marvelLaw(t, marvels, "Nova: roll d8 + d4 + d6 vs Fang d6 + 2d4 for stress physical", odds.Config{}, "outcome", "margin", "made")
	equalLaws(t, got, want)
}

// The doom pool opposes; an extraordinary success is one by 5 or more.
func TestMarvelOddsAgainstTheDoomPool(t *testing.T) {
	want := tally{}
	contests([]int{8, 4, 6}, []int{6, 6, 8}, func(a, r reading, w *big.Rat) {
		switch margin := a.total - r.total; {
		case margin < 0:
			want.add("failure none", w)
		default:
			size := a.effect + 2*(margin/5)
			want.add(fmt.Sprintf("success d%d", min(12, size)), w)
		}
	})
	setup := marvels + "doom 2d6 + d8"
	equalLaws(t, marvelLaw(t, setup, "Nova: roll d8 + d4 + d6 vs doom for asset COVER", odds.Config{}, "outcome", "made"), want)

	extraordinary := tally{}
	contests([]int{8, 4, 6}, []int{6, 6, 8}, func(a, r reading, w *big.Rat) {
		extraordinary.add(fmt.Sprint(a.total-r.total >= 5), w)
	})
	got := tally{}
	for margin, w := range marvelLaw(t, setup, "Nova: roll d8 + d4 + d6 vs doom", odds.Config{}, "margin") {
		var m int
		if _, err := fmt.Sscan(margin, &m); err != nil {
			t.Fatal(err)
		}
		got.add(fmt.Sprint(m >= 5), w)
	}
	equalLaws(t, got, extraordinary)
}

// A plot point for a third die in the total, decided once the dice are seen: by
// a hero who acts before the reaction is rolled, by one who reacts against a
// known total.
func TestMarvelOddsOfAPlotPoint(t *testing.T) {
	own, other := []int{6, 4, 4}, []int{4, 4, 6}
	lr, nr := poolLaw(other, highest(2))
	atLeast := func(total int) int64 { // reactions that an action total reaches
		n := int64(0)
		for r, w := range lr {
			if total >= r.total {
				n += w
			}
		}
		return n
	}
	acting := tally{}
	n := throwAll(own, func([]fallen) {})
	throwAll(own, func(dice []fallen) {
		two, three := readRoll(dice, highest(2)).total, readRoll(dice, highest(3)).total
		w := max(atLeast(two), atLeast(three))
		acting.add("success", big.NewRat(w, int64(n)*nr))
		acting.add("failure", big.NewRat(nr-w, int64(n)*nr))
	})
	cfg := odds.Config{Best: []string{"Nova"}}
	const after = marvels + "tactics Nova { on push: no; on opportunity_hero: no }\n" // it could also make a push die
	equalLaws(t, marvelLaw(t, after, "Nova: roll d6 + 2d4 vs Fang 2d4 + d6", cfg, "outcome"), acting)

	reacting := tally{}
	throwAll(own, func(dice []fallen) {
		three := readRoll(dice, highest(3)).total
		for r, w := range lr {
			out := "success"
			if three > r.total {
				out = "failure"
			}
			reacting.add(out, big.NewRat(w, int64(n)*nr))
		}
	})
	cfg.Goal = "last.outcome == failure"
	equalLaws(t, marvelLaw(t, after, "Fang: roll 2d4 + d6 vs Nova d6 + 2d4", cfg, "outcome"), reacting)

	// without a point to spend there is nothing to decide
	plain := tally{}
	contests(own, other, func(a, r reading, w *big.Rat) {
		if a.total >= r.total {
			plain.add("success", w)
		} else {
			plain.add("failure", w)
		}
	})
	cfg.Goal = ""
	equalLaws(t, marvelLaw(t, after+"Nova.pp = 0", "Nova: roll d6 + 2d4 vs Fang 2d4 + d6", cfg, "outcome"), plain)
}

// after gives the stress that a blow leaves where there was some; 14 is out.
func after(stress, size int) int {
	switch {
	case size == 0:
		return stress
	case size > 12:
		return 14
	case size > stress:
		return size
	}
	return stress + 2
}

func TestMarvelOddsOfStressingOut(t *testing.T) {
	for _, stress := range []int{8, 10, 12} {
		want := tally{}
		contests([]int{10, 6, 6}, []int{4, 4, 6}, func(a, r reading, w *big.Rat) {
			left := stress
			if a.total >= r.total {
				left = after(stress, blow(a, r))
			}
			want.add(map[bool]string{true: "yes", false: "no"}[left > 12], w)
		})
		setup := fmt.Sprintf("%sFang.stress[\"physical\"] = d%d", marvels, stress)
		got := marvelLaw(t, setup, "Nova: roll d10 + 2d6 vs Fang 2d4 + d6 for stress physical\nreport out(Fang)", odds.Config{}, "out(Fang)")
		equalLaws(t, got, want)
	}
}

// Three turns of a chase: ESCAPING is in the pool, and grows as stress does.
func TestMarvelOddsOfAChase(t *testing.T) {
	at := map[int]*big.Rat{6: big.NewRat(1, 1)}
	for range 3 {
		next := map[int]*big.Rat{}
		put := func(size int, w *big.Rat) {
			if next[size] == nil {
				next[size] = new(big.Rat)
			}
			next[size].Add(next[size], w)
		}
		for escaping, p := range at {
			if escaping > 12 {
				put(14, p)
				continue
			}
			contests([]int{6, 4, escaping}, []int{4, 6, 4}, func(a, r reading, w *big.Rat) {
				left := escaping
				if a.total >= r.total {
					left = after(escaping, blow(a, r))
				}
				put(min(14, left), new(big.Rat).Mul(p, w))
			})
		}
		at = next
	}
	want := tally{}
	for size, p := range at {
		if size > 12 {
			want.add("yes", p)
		} else {
			want.add(fmt.Sprintf("no d%d", size), p)
		}
	}
	setup := marvels + "Fang.assets[\"ESCAPING\"] = d6"
	turn := "if not Fang.fled { Fang: escape with d6 + d4 vs Nova 2d4 + d6 }\n"
	text := turn + turn + turn + `report Fang.fled, if Fang.fled then none else Fang.assets["ESCAPING"]`
	got := tally{}
	o := oddsIn(t, session(t, setup), text, odds.Config{Exact: true})
	for _, e := range o.Ends {
		key := e.Shown[0]
		if key == "no" {
			key += " " + e.Shown[1]
		}
		got.add(key, e.Exact)
	}
	equalLaws(t, got, want)
}

// A fight of three rounds by tactics: two who hit each other in turn, with the stress of the other
// in each pool.
func TestMarvelOddsOfAFight(t *testing.T) {
	type state struct{ nova, fang int }
	nova, fang := []int{4, 6, 6}, []int{6, 4, 4}
	laws := map[[3]int]map[int]*big.Rat{}
	hit := func(by int, action, reaction []int, hers, his int) map[int]*big.Rat { // by size; -1 is a miss
		if law := laws[[3]int{by, hers, his}]; law != nil {
			return law
		}
		law := map[int]*big.Rat{}
		laws[[3]int{by, hers, his}] = law
		action, reaction = append(slices.Clip(action), his), append(slices.Clip(reaction), hers)
		contests(action, reaction, func(a, r reading, w *big.Rat) {
			size := -1
			if a.total >= r.total {
				size = blow(a, r)
			}
			if law[size] == nil {
				law[size] = new(big.Rat)
			}
			law[size].Add(law[size], w)
		})
		return law
	}
	struck := func(stress, size int) int {
		if size <= 0 {
			return stress
		}
		return min(14, after(stress, size))
	}
	at := map[state]*big.Rat{{10, 10}: big.NewRat(1, 1)}
	turn := func(law func(s state) map[int]*big.Rat, move func(s state, size int) state) {
		next := map[state]*big.Rat{}
		put := func(s state, w *big.Rat) {
			if next[s] == nil {
				next[s] = new(big.Rat)
			}
			next[s].Add(next[s], w)
		}
		for s, p := range at {
			if s.nova == 14 || s.fang == 14 {
				put(s, p)
				continue
			}
			for size, w := range law(s) {
				put(move(s, size), new(big.Rat).Mul(p, w))
			}
		}
		at = next
	}
	for range 3 {
		turn(func(s state) map[int]*big.Rat { return hit(0, nova, fang, s.nova, s.fang) }, func(s state, size int) state { return state{s.nova, struck(s.fang, size)} })
		turn(func(s state) map[int]*big.Rat { return hit(1, fang, nova, s.fang, s.nova) }, func(s state, size int) state { return state{struck(s.nova, size), s.fang} })
	}
	want := tally{}
	for s, p := range at {
		switch {
		case s.fang > 12:
			want.add("heroes", p)
		case s.nova > 12:
			want.add("villains", p)
		default:
			want.add("nobody", p)
		}
	}
	setup := `use marvel
hero Nova { solo d4; power_set "Suit" { BLAST d6 }; PILOT_EXPERT d6 }
watcher Fang { solo d6; power_set "Claws" { CLAWS d4 }; BRAWL_EXPERT d4 }
Nova.stress["physical"] = d10
Fang.stress["physical"] = d10
scene "Here" action
heroes Nova
villains Fang
`
	got := marvelLaw(t, setup, "fight rounds 3\nreport last.winner", odds.Config{}, "last.winner")
	equalLaws(t, got, want)
}

const sixAgainstSix = "Nova: roll d12+d10+2d8+d6+d4 vs Fang d12+d10+2d8+d6+d4 for stress physical"

func BenchmarkOddsSixAgainstSix(b *testing.B) {
	states := 0
	s := session(b, "use marvel\nhero Nova { pp 1 }\nwatcher Fang { }\n")
	oddsIn(b, s, sixAgainstSix, odds.Config{})
	for b.Loop() {
		states = oddsIn(b, s, sixAgainstSix, odds.Config{}).States
	}
	b.ReportMetric(float64(states), "states")
}

func BenchmarkOddsSixAgainstSixFirst(b *testing.B) {
	states := 0
	for b.Loop() {
		b.StopTimer()
		s := session(b, "use marvel\nhero Nova { pp 1 }\nwatcher Fang { }\n")
		b.StartTimer()
		states = oddsIn(b, s, sixAgainstSix, odds.Config{}).States
	}
	b.ReportMetric(float64(states), "states")
}
