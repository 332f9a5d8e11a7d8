package interp_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/longtest"
	"setpiece/interp/sim"
	"setpiece/lang"
	"setpiece/stdlib"
)

// The encounter dogfight.scene by hand, as somebody would write it who wants nothing but its figures: three
// sides by the rules of Clichénimatic that they meet, with their tactics built in. The numbers in brackets are those of
// the catalogue's rules.

// dogfight is a trial: how everybody stands, and where dice come from.
type dogfight struct {
	die func(sides int) int

	frank, baron ace
	straps       int // bonus Essence of Frank's equipment
	bursts       int // uses left in the store of the laser pod
	gliders      []int
	mooks        int // Essence of the gliders
	run          bool
	reached      bool // the gliders have attacked Frank in this Round while he had no die
	rounds       int
}

// ace is somebody who declares Run-offs.
type ace struct {
	essence, resolve int
	fled, said       bool
	dice             []int // worths
	pip              bool  // the Pip is there in this Round
	ready            []gun // from the largest adder down
}

type gun struct{ adder, charges int }

func (a *ace) out() bool      { return a.essence == 0 || a.fled }
func (f *dogfight) left() int { return (f.mooks + 4) / 5 }
func (f *dogfight) gone() bool {
	return f.mooks == 0 || f.run
}
func (f *dogfight) contested() bool { return !f.frank.out() && !(f.baron.out() && f.gone()) }

// play plays up to ten Rounds.
func (f *dogfight) play() {
	for _, a := range []*ace{&f.frank, &f.baron} {
		*a = ace{essence: 20, resolve: 8, dice: a.dice[:0], ready: a.ready[:0]}
	}
	f.straps, f.bursts, f.mooks, f.run, f.rounds = 2, 9, 30, false, 0
	for f.rounds < 10 && f.contested() {
		f.round()
	}
}

// report is what the scene reports.
func (f *dogfight) report() string {
	winner := "nobody"
	switch {
	case f.contested():
	case !f.frank.out():
		winner = "heroes"
	case !f.baron.out() || !f.gone():
		winner = "villains"
	}
	return fmt.Sprintf("%s %d %d %d %d %d %d", winner, f.rounds, f.frank.essence, f.frank.resolve, f.bursts, f.baron.essence, f.left())
}

func (f *dogfight) round() {
	f.rounds++
	f.reached = false
	f.frank.ready = append(f.frank.ready[:0], gun{4, 3}, gun{3, 0}, gun{2, 0}, gun{2, 0}, gun{1, 0})
	if f.bursts < 3 { // uses
		f.frank.ready = slices.Delete(f.frank.ready, 0, 1)
	}
	f.frank.pip = true
	f.throw(&f.frank)
	f.baron.dice = f.baron.dice[:0]
	if !f.baron.out() {
		f.baron.ready = append(f.baron.ready[:0], gun{3, 0}, gun{2, 0})
		f.throw(&f.baron)
	}
	f.gliders = f.gliders[:0]
	if !f.gone() {
		for range min(10, f.left()) { // a die for each
			f.gliders = append(f.gliders, f.die(6))
		}
	}
	f.phrase(&f.frank)
	f.phrase(&f.baron)
	for more := true; more; {
		acted := f.turn()
		if !f.frank.out() && f.contested() && f.answer() {
			acted = true
		}
		more = acted && f.contested() && (len(f.frank.dice) > 0 || len(f.baron.dice) > 0 || len(f.gliders) > 0)
	}
}

// throw throws a die for each Run-off; the Cliché throws those of 3 and less again.
func (f *dogfight) throw(a *ace) {
	a.dice = a.dice[:0]
	for range a.ready {
		a.dice = append(a.dice, f.die(6))
	}
	for i, d := range a.dice {
		if d <= 3 {
			a.dice[i] = f.die(6)
		}
	}
}

// phrase doubles the best die of somebody who is hurt, once.
func (f *dogfight) phrase(a *ace) {
	if a.said || a.essence > 12 || a.out() || len(a.dice) == 0 {
		return
	}
	a.said = true
	best := slices.Index(a.dice, slices.Max(a.dice))
	a.dice[best] *= 2
}

// take takes a die out of a pool.
func take(dice *[]int, d int) { i := slices.Index(*dice, d); *dice = slices.Delete(*dice, i, i+1) }

// use takes a die and a Run-off, with the Pip where it is left, and gives the value.
func (f *dogfight) use(a *ace, d, with int) (value, adder int) {
	take(&a.dice, d)
	g := a.ready[with]
	a.ready = slices.Delete(a.ready, with, with+1)
	if f.bursts -= g.charges; g.charges > 0 && f.bursts < 3 {
		a.ready = slices.DeleteFunc(a.ready, func(g gun) bool { return g.charges > 0 })
	}
	if a.pip {
		a.pip = false
		d++
	}
	return d, g.adder
}

// counters counters with the smallest die that is enough, and the least Run-off.
func (f *dogfight) counters(a *ace, value int) bool {
	d := leastFrom(a.dice, value)
	if d == 0 || len(a.ready) == 0 {
		return false
	}
	least := 0
	for i, g := range a.ready {
		if g.adder < a.ready[least].adder {
			least = i
		}
	}
	f.use(a, d, least)
	return true
}

func leastFrom(dice []int, value int) int {
	least := 0
	for _, d := range dice {
		if d >= value && (least == 0 || d < least) {
			least = d
		}
	}
	return least
}

// turn is Frank's: the Baron if he is nearly down, else the gliders, else the Baron.
func (f *dogfight) turn() bool {
	a := &f.frank
	if a.out() || len(a.dice) == 0 || len(a.ready) == 0 || !f.contested() {
		return false
	}
	atBaron := !f.baron.out() && (f.baron.essence <= 8 || f.gone())
	value, adder := f.use(a, slices.Max(a.dice), 0)
	if atBaron {
		if !f.counters(&f.baron, value) {
			f.hitBaron(value + adder)
		}
		return true
	}
	if d := leastFrom(f.gliders, value); d > 0 {
		f.worn(d, 1)
	} else if value+adder >= 5 { // one falls
		f.mooks -= 5
		for len(f.gliders) > f.left() {
			take(&f.gliders, slices.Min(f.gliders))
		}
		if f.mooks > 0 && f.left() <= 3 {
			f.run, f.gliders = true, f.gliders[:0]
		}
	}
	return true
}

// worn lowers a glider's die.
func (f *dogfight) worn(d, by int) {
	take(&f.gliders, d)
	if d > by {
		f.gliders = append(f.gliders, d-by)
	}
}

// hitBaron hurts the Baron, who breaks off rather than fall.
func (f *dogfight) hitBaron(damage int) {
	b := &f.baron
	if b.essence <= 6 && b.resolve >= 5 {
		b.resolve -= 5
		b.fled, b.dice, b.ready = true, b.dice[:0], b.ready[:0]
		return
	}
	if b.essence = max(0, b.essence-damage); b.essence == 0 {
		b.dice, b.ready = b.dice[:0], b.ready[:0]
	}
}

// answer is what the GM does against Frank in a cycle.
func (f *dogfight) answer() bool {
	baron := !f.baron.out() && len(f.baron.dice) > 0 && len(f.baron.ready) > 0
	gliders := !f.gone() && len(f.gliders) > 0 && !(f.reached && len(f.frank.dice) == 0)
	if !baron && !gliders {
		return false
	}
	if baron && gliders {
		baron = f.die(2) == 1
	}
	var value, adder int
	if baron {
		value, adder = f.use(&f.baron, slices.Max(f.baron.dice), 0)
	} else {
		if len(f.frank.dice) == 0 {
			f.reached = true
		}
		value, adder = slices.Max(f.gliders), 1
		f.worn(value, 2)
	}
	if !f.counters(&f.frank, value) {
		f.hitFrank(value, adder)
	}
	return true
}

// hitFrank hurts Frank, who pays a point of Resolve once he is hurt; an adder of 1 is spoiled by it.
func (f *dogfight) hitFrank(value, adder int) {
	a := &f.frank
	if a.essence <= 10 && a.resolve > 0 {
		a.resolve--
		if adder--; adder == 0 {
			return
		}
	}
	damage := value + adder
	straps := min(f.straps, damage)
	f.straps -= straps
	if a.essence = max(0, a.essence-(damage-straps)); a.essence == 0 {
		a.dice, a.ready = a.dice[:0], a.ready[:0]
	}
}

// keptDice keeps the dice of a trial, for whoever plays it after the script.
type keptDice struct {
	*rand.Rand
	sizes, faces []int
}

func (c *keptDice) Throw(_ context.Context, q interp.Request) ([]int, error) {
	at := len(c.faces)
	for _, sides := range q.Sizes {
		c.sizes, c.faces = append(c.sizes, sides), append(c.faces, 1+c.IntN(sides))
	}
	return c.faces[at:], nil
}

// Choose has a die decide who acts for the GM, and leaves all else as it is.
func (c *keptDice) Choose(ctx context.Context, q interp.Question) (int, error) {
	if q.Name != "gm_actor" {
		return q.Default, nil
	}
	faces, err := c.Throw(ctx, interp.Request{Sizes: []int{len(q.Options)}})
	return faces[0] - 1, err
}

// Trial by trial, with the same dice: what the script reports is what the loop comes to.
func TestDogfightByHand(t *testing.T) {
	text, err := os.ReadFile("../scripts/clichenimatic/dogfight.scene")
	if err != nil {
		t.Fatal(err)
	}
	var reported []string
	events := func(e *interp.Event) {
		if e.Kind == interp.EventReport {
			reported = append(reported, e.Value)
		}
	}
	source := lang.NewSource("dogfight.scene", string(text))
	f := new(dogfight)
	ends := map[string]bool{} // who has won
	for trial := range uint64(longtest.Many(5000, 50)) {
		chance := &keptDice{Rand: rand.New(rand.NewPCG(trial, 7))}
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Chance: chance, Choice: chance})
		s.SetEvents(events)
		reported = reported[:0]
		if err := s.Exec(context.Background(), source); err != nil {
			t.Fatal(err)
		}
		at := 0
		f.die = func(sides int) int {
			at++
			if at > len(chance.faces) || chance.sizes[at-1] != sides {
				return 1 // the counts differ below
			}
			return chance.faces[at-1]
		}
		f.play()
		if got, want := f.report(), strings.Join(reported, " "); got != want || at != len(chance.faces) {
			t.Errorf("trial %d: the script %s, by hand %s, after %d dice of %d\n%v\n%v", trial, want, got, at, len(chance.faces), chance.sizes, chance.faces)
		}
		ends[reported[0]] = true
	}
	if len(ends) < 2 {
		t.Errorf("the trials end as %v only", ends)
	}
}

// d throws a die without favour to any face.
func (g *rng) d(sides int) int {
	for n := uint64(sides); ; {
		if x := uint64(g.next()) * n; uint64(uint32(x)) >= (1<<32)%n {
			return int(x>>32) + 1
		}
	}
}

// BenchmarkSimDogfight is the processor time of that encounter's trials in a simulation, beside that of the
// loop in the same run.
func BenchmarkSimDogfight(b *testing.B) {
	text, err := os.ReadFile("../scripts/clichenimatic/dogfight.scene")
	if err != nil {
		b.Fatal(err)
	}
	began := processorTime()
	_, err = sim.Simulate(context.Background(), interp.Config{Modules: stdlib.FS, Seed: 1}, lang.NewSource("", string(text)), sim.Config{Trials: int64(b.N), Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	scripted := processorTime() - began
	f := &dogfight{die: (&rng{state: 1}).d}
	began = processorTime()
	for range b.N {
		f.play()
	}
	hand := processorTime() - began
	b.ReportMetric(float64(hand)/float64(b.N), "hand-ns")
	b.ReportMetric(float64(scripted)/float64(b.N), "ns/op")
	b.ReportMetric(float64(scripted)/float64(hand), "ratio")
}
