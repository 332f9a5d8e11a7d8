package interp_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/interp/odds"
	"setpiece/lang"
	"setpiece/stdlib"
)

// A second telling of Firefly's contests, in plain Go: every throw of every die
// is gone through, and nothing of the scripted rules or the engine is used.

// raised is what a roll comes to: the two highest faces without ones, how many
// ones, the size of the die that shows most, and the highest face left over.
type raised struct {
	total, ones, top, next int
	botch                  bool
}

func raise(dice []fallen) raised {
	sorted := slices.SortedFunc(slices.Values(dice), func(a, b fallen) int {
		if a.face != b.face {
			return b.face - a.face
		}
		return b.size - a.size
	})
	r := raised{top: sorted[0].size}
	for i, d := range sorted {
		switch {
		case d.face == 1:
			r.ones++
		case i < 2:
			r.total += d.face
		case i == 2:
			r.next = d.face
		}
	}
	r.botch = r.ones == len(dice)
	return r
}

func raisedLaw(sizes []int) (map[raised]int64, int64) {
	law := map[raised]int64{}
	n := throwAll(sizes, func(dice []fallen) { law[raise(dice)]++ })
	return law, int64(n)
}

// bouts calls f with every roll of the crew and of the GM and its weight.
func bouts(crew, gm []int, f func(c, g raised, w *big.Rat)) {
	lc, nc := raisedLaw(crew)
	lg, ng := raisedLaw(gm)
	for c, x := range lc {
		for g, y := range lg {
			f(c, g, big.NewRat(x*y, nc*ng))
		}
	}
}

func outcomeOf(hit bool) string { return map[bool]string{true: "success", false: "failure"}[hit] }
func yesNo(b bool) string       { return map[bool]string{true: "yes", false: "no"}[b] }

// dieOf names a size; 0 is none.
func dieOf(size int) string {
	if size == 0 {
		return "none"
	}
	return fmt.Sprintf("d%d", size)
}

// bankOf names banked dice.
func bankOf(sizes []int) string {
	var s []string
	for _, d := range slices.Sorted(slices.Values(sizes)) {
		s = append(s, dieOf(d))
	}
	return "[" + strings.Join(s, ", ") + "]"
}

// afterwards gives the banked dice after a contest with a margin: an exceptional
// success brings one, that of the other side takes the largest that fits.
func afterwards(bank []int, margin, top int) []int {
	switch {
	case margin >= 5:
		return append(slices.Clone(bank), top)
	case margin <= -5:
		lost := -1
		for i, d := range bank {
			if d <= top && (lost < 0 || d > bank[lost]) {
				lost = i
			}
		}
		if lost >= 0 {
			return slices.Delete(slices.Clone(bank), lost, lost+1)
		}
	}
	return bank
}

// Mara's pool is d6, d4 and d8, Fang's d8 and d6, that of the place d6 and d4.
const crews = `use firefly
crew Mara { MENTAL d6, FLY d4, distinction "Ace"; pp 0 }
gmc Fang { MENTAL d8, FIGHT d6 }
`

var (
	maras = []int{6, 4, 8}
	fangs = []int{8, 6}
	place = []int{6, 4}
)

const (
	fliesAtFang = `Mara: roll MENTAL + FLY + "Ace" d8 vs Fang MENTAL + FIGHT`
	flies       = `Mara: roll MENTAL + FLY + "Ace" d8 vs easy + STORM d4`
	isHunted    = `Fang: roll MENTAL + FIGHT vs Mara MENTAL + FLY + "Ace" d8`
)

// columnsDistribution gives the distribution of some columns together, with "none" where nothing is shown.
func columnsDistribution(t *testing.T, setup, text string, cfg odds.Config, columns ...string) map[string]*big.Rat {
	t.Helper()
	cfg.Exact = true
	o := oddsIn(t, session(t, setup), text, cfg)
	law := tally{}
	for _, e := range o.Ends {
		if e.Fault != nil {
			t.Fatal(e.Fault)
		}
		var key []string
		for _, c := range columns {
			i := slices.Index(o.Columns, c)
			if i < 0 {
				t.Fatalf("there is no column %s in %v", c, o.Columns)
			}
			key = append(key, e.Shown[i])
			if e.Shown[i] == "" {
				key[len(key)-1] = "none"
			}
		}
		law.add(strings.Join(key, " "), e.Exact)
	}
	return law
}

// The total, the ones and the highest die of a pool, together.
func TestFireflyOddsOfAPool(t *testing.T) {
	const watched = `
sheet book { total number; ones number; top die }
book Tally { }
feature watched "what was rolled" on character {
  on rolled(side) {
    Tally.total = side.total
    Tally.ones = side.ones
    Tally.top = side.top
  }
}
crew Mara { MENTAL d6, FLY d6, pp 0 }
gmc Fang [watched] { MENTAL d8, FIGHT d6, distinction "Mean"; signature KNIFE d8 }
Mara: roll MENTAL + FLY vs Fang MENTAL + FIGHT + "Mean" d4 + KNIFE
report Tally.total, Tally.ones, Tally.top`
	pool := []int{8, 6, 4, 8}
	for _, use := range []string{"use firefly", "use firefly with highest_die = size"} {
		want := tally{}
		n := throwAll(pool, func([]fallen) {})
		throwAll(pool, func(dice []fallen) {
			r := raise(dice)
			if use != "use firefly" {
				r.top = 8
			}
			want.add(fmt.Sprintf("%d %d d%d", r.total, r.ones, r.top), big.NewRat(1, int64(n)))
		})
		equalLaws(t, columnsDistribution(t, "", use+watched, odds.Config{}, "Tally.total", "Tally.ones", "Tally.top"), want)
	}
}

func TestFireflyOddsOfAContest(t *testing.T) {
	want := tally{}
	bouts(maras, fangs, func(c, g raised, w *big.Rat) {
		m := c.total - g.total
		want.add(fmt.Sprintf("%s %d %s %s %d", outcomeOf(m > 0), m, yesNo(m >= 5), yesNo(m <= -5), c.ones), w)
	})
	equalLaws(t, columnsDistribution(t, crews, fliesAtFang, odds.Config{}, "outcome", "margin", "exceptional", "routed", "jinxes"), want)

	want = tally{}
	bouts(maras, fangs, func(c, g raised, w *big.Rat) {
		m := g.total - c.total
		want.add(fmt.Sprintf("%s %d %s %s %d", outcomeOf(m > 0), m, yesNo(m >= 5), yesNo(m <= -5), c.ones), w)
	})
	equalLaws(t, columnsDistribution(t, crews, isHunted, odds.Config{}, "outcome", "margin", "exceptional", "routed", "jinxes"), want)
}

// Two pools of five dice each, which the rules roll apart from each other.
func TestFireflyOddsOfLargePools(t *testing.T) {
	const setup = `use firefly
crew Mara { MENTAL d6, FLY d4, distinction "Ace"; signature JACKET d6; specialty "Canyons" FLY; pp 1; bdh [d6] }
`
	crew, gm := []int{6, 4, 8, 6, 6}, []int{6, 4, 4, 8, 4}
	want := tally{}
	bouts(crew, gm, func(c, g raised, w *big.Rat) {
		m := c.total - g.total
		pp := 1
		if m <= 0 && c.next > 0 {
			m += c.next
			pp = 0
		}
		want.add(fmt.Sprintf("%s %d %d %s", outcomeOf(m > 0), m, pp, bankOf(afterwards([]int{6}, m, g.top))), w)
	})
	text := `Mara: roll MENTAL + FLY + "Ace" d8 + JACKET + "Canyons" spend pp keep if failed vs easy + A d4 + B d4 + C d8 + D d4
report last.outcome, last.margin, Mara.pp, Mara.bdh`
	equalLaws(t, columnsDistribution(t, setup, text, odds.Config{}, "last.outcome", "last.margin", "Mara.pp", "Mara.bdh"), want)
}

// A plot point keeps one more die, decided once the dice are seen: by the
// aggressor against known stakes, by the defender before the other side rolls.
func TestFireflyOddsOfAPlotPoint(t *testing.T) {
	const rich = crews + "Mara.pp = 1"
	best := odds.Config{Best: []string{"Mara"}}

	acting := tally{}
	bouts(maras, fangs, func(c, g raised, w *big.Rat) {
		acting.add(outcomeOf(c.total+c.next > g.total), w)
	})
	equalLaws(t, columnsDistribution(t, rich, fliesAtFang, best, "outcome"), acting)

	// where the point is worth half a success it is kept unless it brings one
	priced, mean := tally{}, new(big.Rat)
	bouts(maras, fangs, func(c, g raised, w *big.Rat) {
		hit, pp := c.total > g.total, 1
		if !hit && c.total+c.next > g.total {
			hit, pp = true, 0
		}
		priced.add(fmt.Sprintf("%s %d", outcomeOf(hit), pp), w)
		value := big.NewRat(int64(pp), 2)
		if hit {
			value.Add(value, big.NewRat(1, 1))
		}
		mean.Add(mean, value.Mul(value, w))
	})
	cfg := best
	cfg.Goal = "(if last.outcome == success then 1 else 0) + Mara.pp / 2"
	equalLaws(t, columnsDistribution(t, rich, fliesAtFang+"\nreport last.outcome, Mara.pp", cfg, "last.outcome", "Mara.pp"), priced)
	want, _ := mean.Float64()
	if o := oddsIn(t, session(t, rich), fliesAtFang, cfg); math.Abs(o.Value-want) > 1e-12 {
		t.Errorf("the best is worth %v, by brute force %v", o.Value, want)
	}

	hunted := tally{}
	bouts(maras, fangs, func(c, g raised, w *big.Rat) {
		hunted.add(outcomeOf(g.total > c.total+c.next), w)
	})
	cfg.Goal = "last.outcome == failure"
	equalLaws(t, columnsDistribution(t, rich, isHunted, cfg, "outcome"), hunted)

	// without a point there is nothing to decide, unless a jinx brings one
	plain, paid := tally{}, tally{}
	bouts(maras, fangs, func(c, g raised, w *big.Rat) {
		plain.add(outcomeOf(c.total > g.total), w)
		hit, pp := c.total > g.total, 0
		if c.ones > 0 && !c.botch {
			pp = 1
			if !hit && c.total+c.next > g.total {
				hit, pp = true, 0
			}
		}
		paid.add(fmt.Sprintf("%s %d", outcomeOf(hit), pp), w)
	})
	equalLaws(t, columnsDistribution(t, crews, fliesAtFang, best, "outcome"), plain)
	cfg.Goal = "(if last.outcome == success then 1 else 0) + Mara.pp / 2"
	equalLaws(t, columnsDistribution(t, crews+"tactics Game_Master { on jinx_buy: yes }", fliesAtFang+"\nreport last.outcome, Mara.pp", cfg, "last.outcome", "Mara.pp"), paid)
}

// Jinxes that the GM buys, and botches.
func TestFireflyOddsOfJinxes(t *testing.T) {
	want := tally{}
	law, n := raisedLaw(maras)
	for c, x := range law {
		w := big.NewRat(x, n)
		size := 4 + 2*c.ones
		switch {
		case c.botch:
			want.add(fmt.Sprintf("0 none d%d", size), w)
		case c.ones > 0:
			want.add(fmt.Sprintf("1 d%d none", size), w)
		default:
			want.add("0 none none", w)
		}
	}
	text := flies + "\nreport Mara.pp, Mara.complications[\"JINX\"], Mara.complications[\"BOTCH\"]"
	got := columnsDistribution(t, crews+"tactics Game_Master { on jinx_buy: yes }", text, odds.Config{}, "Mara.pp", `Mara.complications["JINX"]`, `Mara.complications["BOTCH"]`)
	equalLaws(t, got, want)
}

// An exceptional success banks a die, that of the other side costs one; a banked
// die is rolled when the totals say that it is needed.
func TestFireflyOddsOfBankedDice(t *testing.T) {
	const setup = crews + "Mara.bdh = [d6, d8]"
	want := tally{}
	bouts(maras, fangs, func(c, g raised, w *big.Rat) {
		m := c.total - g.total
		want.add(fmt.Sprintf("%s %s", outcomeOf(m > 0), bankOf(afterwards([]int{6, 8}, m, g.top))), w)
	})
	const text = "\nreport last.outcome, Mara.bdh"
	equalLaws(t, columnsDistribution(t, setup, fliesAtFang+text, odds.Config{}, "last.outcome", "Mara.bdh"), want)

	want = tally{}
	bouts(maras, fangs, func(c, g raised, w *big.Rat) {
		m := c.total - g.total
		if m > 0 {
			want.add(fmt.Sprintf("success %s", bankOf(afterwards([]int{6, 8}, m, g.top))), w)
			return
		}
		each := new(big.Rat).Mul(w, big.NewRat(1, 6))
		for face := 1; face <= 6; face++ {
			bank, more := []int{8}, face
			if face == 1 {
				bank, more = []int{6, 8}, 0
			}
			want.add(fmt.Sprintf("%s %s", outcomeOf(m+more > 0), bankOf(afterwards(bank, m+more, g.top))), each)
		}
	})
	rolls := `Mara: roll MENTAL + FLY + "Ace" d8 spend pp bdh d6 if failed vs Fang MENTAL + FIGHT`
	equalLaws(t, columnsDistribution(t, setup+"\nMara.pp = 1", rolls+text, odds.Config{}, "last.outcome", "Mara.bdh"), want)
}

// Who loses high stakes is Taken Out, or pays and is hurt by the highest die of
// the other side.
func TestFireflyOddsOfHighStakes(t *testing.T) {
	for _, pp := range []int{0, 1} {
		want := tally{}
		bouts(maras, fangs, func(c, g raised, w *big.Rat) {
			switch {
			case c.total > g.total:
				want.add(fmt.Sprintf("success no yes %d none", pp), w)
			case pp == 0:
				want.add("failure yes no 0 none", w)
			default:
				want.add(fmt.Sprintf("failure no no 0 d%d", max(6, g.top)), w)
			}
		})
		setup := fmt.Sprintf("%sMara.pp = %d\ntactics Mara { on stay_in: yes }", crews, pp)
		text := fliesAtFang + " high_stakes\nreport last.outcome, Mara.out, Fang.out, Mara.pp, Mara.complications[\"HURT\"]"
		equalLaws(t, columnsDistribution(t, setup, text, odds.Config{}, "last.outcome", "Mara.out", "Fang.out", "Mara.pp", `Mara.complications["HURT"]`), want)
	}

	// one point, two uses: it wins the contest where a die can, else it keeps her in
	mean := new(big.Rat)
	bouts(maras, fangs, func(c, g raised, w *big.Rat) {
		quarters := int64(4)
		if c.botch {
			quarters--
		}
		if c.total+c.next <= g.total {
			quarters--
		}
		mean.Add(mean, new(big.Rat).Mul(w, big.NewRat(quarters, 4)))
	})
	want, _ := mean.Float64()
	cfg := odds.Config{Best: []string{"Mara"}, Goal: "(if Mara.out then 0 else 1) - Mara.complications.keys.size / 4"}
	if o := oddsIn(t, session(t, crews+"Mara.pp = 1"), fliesAtFang+" high_stakes", cfg); math.Abs(o.Value-want) > 1e-12 {
		t.Errorf("the best is worth %v, by brute force %v", o.Value, want)
	}
}

// A recovery: gone, a step down, or a step up for each one.
func TestFireflyOddsOfARecovery(t *testing.T) {
	want := tally{}
	bouts(maras, []int{8, 6}, func(c, g raised, w *big.Rat) {
		size := 8
		switch {
		case c.total > g.total:
			size = 0
		case c.ones == 0:
			size -= 2
		default:
			size = min(14, size+2*c.ones)
		}
		die := dieOf(min(12, size))
		if size > 12 {
			die += "+"
		}
		want.add(fmt.Sprintf("%s %s", die, yesNo(size > 12)), w)
	})
	text := "Mara: recover SPRAINED with MENTAL + FLY + \"Ace\" d8 vs easy\nreport Mara.complications[\"SPRAINED\"], taken_out(Mara)"
	equalLaws(t, columnsDistribution(t, crews+`Mara.complications["SPRAINED"] = d8`, text, odds.Config{}, `Mara.complications["SPRAINED"]`, "taken_out(Mara)"), want)
}

// A whole timed action to its end, with a point to spend on the way.
func TestFireflyOddsOfATimedAction(t *testing.T) {
	type state struct{ tasks, beats, pp int }
	want := tally{}
	at := map[state]*big.Rat{{3, 4, 1}: big.NewRat(1, 1)}
	for len(at) > 0 {
		next := map[state]*big.Rat{}
		for s, p := range at {
			if s.tasks == 0 || s.beats == 0 {
				want.add(fmt.Sprintf("%s %d %d", outcomeOf(s.tasks == 0), s.beats, s.pp), p)
				continue
			}
			bouts(maras, place, func(c, g raised, w *big.Rat) {
				to := s
				m := c.total - g.total
				if m <= 0 && c.next > 0 && s.pp > 0 {
					m += c.next
					to.pp--
				}
				if m > 0 {
					to.tasks--
				}
				if m < 5 {
					to.beats--
				}
				if next[to] == nil {
					next[to] = new(big.Rat)
				}
				next[to].Add(next[to], new(big.Rat).Mul(p, w))
			})
		}
		at = next
	}
	text := `timed "Locks" beats 4 actions 3 { Mara: roll MENTAL + FLY + "Ace" d8 spend pp keep if failed vs easy + STORM d4 }
report last.outcome, last.beats, Mara.pp`
	equalLaws(t, columnsDistribution(t, crews+"Mara.pp = 1", text, odds.Config{}, "last.outcome", "last.beats", "Mara.pp"), want)
}

// What the options are worth, asked for when the dice lie on the table: the
// aggressor knows the stakes, the defender what the other pool can come to.
func TestFireflyAdvice(t *testing.T) {
	ask := func(text string) map[string][]float64 {
		a := &advised{t, true, map[string][]float64{}}
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: 1, Choice: a})
		if err := s.Exec(context.Background(), lang.NewSource("", crews+"Mara.pp = 1\ntactics Game_Master { on jinx_buy: no; on keep_extra: no }\ntactics Mara { on opportunity: no }\n"+text)); err != nil {
			t.Fatal(err)
		}
		for prompt, worth := range a.values { // whatever it costs
			what, _, _ := strings.Cut(prompt, ", for ")
			a.values[what] = worth
		}
		return a.values
	}
	same := func(got []float64, want ...float64) {
		t.Helper()
		if len(got) != len(want) || math.Abs(got[0]-want[0]) > 1e-12 || math.Abs(got[1]-want[1]) > 1e-12 {
			t.Errorf("%v, want %v", got, want)
		}
	}
	same(ask("dice 6 3 5 2 4\n" + fliesAtFang)["Keep the 2 as well, on top of 9"], 0, 1)

	law, n := raisedLaw(fangs)
	beats := func(total int) float64 {
		k := int64(0)
		for g, x := range law {
			if g.total > total {
				k += x
			}
		}
		return float64(k) / float64(n)
	}
	// the roll is Fang's, and whoever is hunted wants it to fail
	same(ask("dice 5 2 4 8 6\n" + isHunted)["Keep the 2 as well, on top of 9"], 1-beats(9), 1-beats(11))
}

// The words for difficulties stand in one table: a variant that changes it changes what
// the words mean in a pool, and what a plain die is called.
func TestFireflyVariantOfDifficulties(t *testing.T) {
	folder := fstest.MapFS{"gritty.rules": {Data: []byte(`variant gritty of firefly "harder"
table difficulty_die(level) { very_easy => d6; easy => d8; challenging => d10; hard => d12; really_hard => d12 }
`)}}
	for use, want := range map[string][2]string{"firefly": {"hard d10 + d6", "challenging"}, "firefly with gritty": {"hard d12 + d6", "easy"}} {
		var notes []string
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Folder: folder, Events: func(e *interp.Event) {
			if e.Kind == interp.EventNote || e.Kind == interp.EventPrint {
				notes = append(notes, e.Text+e.Value)
			}
		}})
		script := "use " + use + "\ncrew Cass { MENTAL d8; FIX d8 }\nCass: roll MENTAL + FIX vs hard + d6\nprint difficulty_word(d8)\n"
		if err := s.Exec(context.Background(), lang.NewSource("x", script)); err != nil {
			t.Fatal(err)
		}
		for _, pool := range want {
			if !slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(n, pool) }) {
				t.Errorf("%s: no pool %s in %q", use, pool, notes)
			}
		}
	}
}
