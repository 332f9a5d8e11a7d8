package odds

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/goals"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/longtest"
	"setpiece/lang"
	"setpiece/stdlib"
)

// sampledScenes are solved exactly, and then with so few states that a part is left over.
var sampledScenes = []struct {
	name, declares, text string
	states, seeds        int // of the short form
}{
	{"hit points", "let a = 20\nlet b = 20", `while a > 0 and b > 0 {
  if (throw d2).face == 1 { b -= (throw d8).face }
  if b > 0 and (throw d2).face == 1 { a -= (throw d8).face }
}
report a > 0, min(7, max(a, b))`, 900, 80},
	{"some stop with an error", "let n = 0", `while n < 60 {
  n += (throw d6).face
  if (throw d20).face == 1 { refuse "a one" }
}
report n, n > 62`, 70, 80},
	{"a fight by rules", `use cah
hero Valorus { star 3; DEXTROUS 3; SUNBLADE 4 }
villain "Sludge Lord" { star 4; OOZING_PUNCH 4; THICK_HIDE 3 }
scene "The bog" action
heroes Valorus
villains "Sludge Lord"
tactics Valorus { otherwise: attack any foe with SUNBLADE }
tactics "Sludge Lord" { otherwise: attack any foe with OOZING_PUNCH }
`, "fight\nreport last.winner, min(6, last.rounds)", 110, 16},
}

// Odds that meet a bound say how likely everything is within an interval that covers the
// chance as often as it says, 95 times of 100, and never outside of their bounds.
func TestSampledOddsCover(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, x := range sampledScenes {
		t.Run(x.name, func(t *testing.T) {
			s := interp.NewSession(interp.Config{Modules: stdlib.FS})
			if err := s.Exec(ctx, lang.NewSource("", x.declares)); err != nil {
				t.Fatal(err)
			}
			src := lang.NewSource("", x.text)
			exact, err := Of(ctx, s, src, Config{})
			if err != nil {
				t.Fatal(err)
			}
			cfg := Config{States: x.states, Trials: 300}
			s = interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: 7})
			if err := s.Exec(ctx, lang.NewSource("", x.declares)); err != nil {
				t.Fatal(err)
			}
			once, err := Of(ctx, s, src, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if w := once.Sampled; w == nil || w.Over != interp.OverStates || w.Trials != cfg.Trials || once.Remainder != 0 || w.Weight < 0.1 {
				t.Fatalf("a bound of %d states: remainder %v, sampled %+v", x.states, once.Remainder, once.Sampled)
			}
			p, err := core.Of(s).Again(ctx, src)
			if err != nil {
				t.Fatal(err)
			}
			g, done := Graph(p, nil)
			defer done()
			g.Limit, g.Least = x.states, Least
			if err := g.Build(ctx); OverOf(err) != interp.OverStates {
				t.Fatal(err)
			}
			f := g.Frontier()
			stops, _ := exact.Stops()
			var covered, all [2]int
			seeds := longtest.Many(1000, x.seeds)
			for seed := range uint64(seeds) {
				core.Of(s).Seed = seed
				o, err := Sampled(ctx, core.Of(s), g, cfg, f, interp.OverStates)
				if err != nil || o == nil {
					t.Fatal(o, err)
				}
				share, _ := o.Stops()
				for i := range o.Columns {
					l, sum := o.Distribution(i), share
					for _, p := range exact.Distribution(i).Points {
						q := pointAt(l, p.Shown)
						sum += q.P
						low, high := l.Bounds(q)
						if p.P < low-1e-9 || p.P > high+1e-9 {
							t.Errorf("seed %d: %s %s is %v, outside of %v to %v", seed, l.Name, p.Shown, p.P, low, high)
						}
						if of := (p.P - q.Solved) / l.Sampled.Weight; of < 0.03 || of > 0.97 {
							continue // in 400 trials too few for the normal law behind an interval
						}
						all[i]++
						if lo, hi := l.Interval(q); p.P >= lo && p.P <= hi {
							covered[i]++
						}
					}
					if math.Abs(sum-1) > 1e-9 {
						t.Errorf("seed %d: the chances of %s make %v", seed, l.Name, sum)
					}
				}
				if math.Abs(share-stops) > 5*o.Sampled.Weight/17 {
					t.Errorf("seed %d: %v stop with an error, of %v", seed, share, stops)
				}
			}
			for i := range covered {
				// the points of one answer hang together: the deviation is that of the answers
				if all[i] == 0 {
					t.Errorf("column %d is not sampled", i)
				} else if got := float64(covered[i]) / float64(all[i]); math.Abs(got-0.95) > 4*math.Sqrt(0.95*0.05/float64(seeds)) {
					t.Errorf("of the intervals of column %d %.1f %% cover", i, 100*got)
				} else {
					t.Logf("column %d: %.1f %% of %d intervals cover", i, 100*got, all[i])
				}
			}
		})
	}
}

// A bound that is met when all has just been solved leaves nothing to sample.
func TestNothingLeftToSample(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := interp.NewSession(interp.Config{})
	p, err := core.Of(s).Again(ctx, lang.NewSource("", "report (throw 2d6).sum"))
	if err != nil {
		t.Fatal(err)
	}
	g, done := Graph(p, nil)
	defer done()
	if err := g.Build(ctx); err != nil {
		t.Fatal(err)
	}
	o, err := Sampled(ctx, core.Of(s), g, Config{Trials: 100}, g.Frontier(), interp.OverTime)
	if err != nil || o.Sampled != nil || o.Remainder != 0 || math.Abs(pointAt(o.Distribution(0), "7").P-1.0/6) > 1e-12 {
		t.Errorf("%+v, %v", o, err)
	}
}

// pointAt gives the point of a distribution that shows something, a point without trials where
// there is none.
func pointAt(l *dist.Distribution, shown string) dist.Point {
	for _, p := range l.Points {
		if p.Shown == shown {
			return p
		}
	}
	return dist.Point{Shown: shown}
}

// buildTo follows a text to a bound on its states and gives what samples the rest, again and again.
func buildTo(t *testing.T, declares, text string, states int, cfg Config) (sample func(seed uint64) *Odds, done func()) {
	t.Helper()
	ctx := context.Background()
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	if err := s.Exec(ctx, lang.NewSource("", declares)); err != nil {
		t.Fatal(err)
	}
	p, err := core.Of(s).Again(ctx, lang.NewSource("", text))
	if err != nil {
		t.Fatal(err)
	}
	g, done := Graph(p, nil)
	g.Limit, g.Least = states, Least
	if err := g.Build(ctx); OverOf(err) != interp.OverStates {
		t.Fatal(err)
	}
	f := g.Frontier()
	return func(seed uint64) *Odds {
		core.Of(s).Seed = seed
		o, err := Sampled(ctx, core.Of(s), g, cfg, f, interp.OverStates)
		if err != nil || o == nil {
			t.Fatal(o, err)
		}
		return o
	}, done
}

// coverage counts how often intervals cover what they are about.
type coverage struct{ covered, all int }

func (c *coverage) note(exact, value, half float64) {
	if c.all++; math.Abs(exact-value) <= half {
		c.covered++
	}
}

// check fails where that is not in 95 of 100 cases, as far as luck allows.
func (c *coverage) check(t *testing.T, of string) {
	t.Helper()
	if got := float64(c.covered) / float64(c.all); c.all == 0 || math.Abs(got-0.95) > 4*math.Sqrt(0.95*0.05/float64(c.all)) {
		t.Errorf("of %d intervals of %s %.1f %% cover", c.all, of, 100*got)
	} else {
		t.Logf("of %d intervals of %s %.1f %% cover", c.all, of, 100*got)
	}
}

// The mean of a goal has an interval, too, and where the goal is yes or no bounds that it never
// leaves. What stops with an error is left out of it.
func TestSampledGoalCovers(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, x := range []struct {
		scene int // of sampledScenes
		goal  string
		truth bool
	}{{0, "a > 0", true}, {0, "max(a, b)", false}, {1, "n > 62", true}, {1, "n + 0", false}, {2, "last.winner == heroes", true}} {
		scene := sampledScenes[x.scene]
		t.Run(x.goal, func(t *testing.T) {
			s := interp.NewSession(interp.Config{Modules: stdlib.FS})
			if err := s.Exec(ctx, lang.NewSource("", scene.declares)); err != nil {
				t.Fatal(err)
			}
			exact, err := Of(ctx, s, lang.NewSource("", scene.text), Config{Goal: x.goal})
			if err != nil {
				t.Fatal(err)
			}
			if exact.Half != 0 || exact.Least != exact.Value || exact.Most != exact.Value {
				t.Errorf("exact, but ± %v, %v to %v", exact.Half, exact.Least, exact.Most)
			}
			src, err := goals.WithGoal(ctx, lang.NewSource("", scene.text), x.goal)
			if err != nil {
				t.Fatal(err)
			}
			sample, done := buildTo(t, scene.declares, src.Text, scene.states, Config{Trials: 300, Goal: x.goal})
			defer done()
			var c coverage
			seeds := longtest.Many(1000, scene.seeds)
			if x.scene == 2 {
				seeds = longtest.Many(250, scene.seeds) // its trials take as long as all others together
			}
			for seed := range uint64(seeds) {
				o := sample(seed)
				c.note(exact.Value, o.Value, o.Half)
				if x.truth && (exact.Value < o.Least-1e-9 || exact.Value > o.Most+1e-9 || o.Least > o.Value || o.Value > o.Most || x.scene != 1 && o.Most-o.Least > o.Sampled.Weight+1e-9) {
					t.Errorf("seed %d: %v, with %v bounded by %v and %v, of which %v was sampled", seed, exact.Value, o.Value, o.Least, o.Most, o.Sampled.Weight)
				}
			}
			c.check(t, x.goal)
		})
	}
}

// A door that opens on a 1 of a d3 has a trap behind it or a way out: of each step from scene to
// scene the interval covers what is worked out by hand.
func TestSampledFlowCovers(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	scenes, src, err := FlowScript(ctx, s, lang.NewSource("", `use cah
let open = no
let out = no
let n = 0
while not out {
  scene "Door" { open = (throw d3).face == 1 }
  if open { if (throw d4).face == 1 { scene "Out" { out = yes } } else { scene "Trap" { n += (throw d2).face } } }
}`))
	if err != nil {
		t.Fatal(err)
	}
	const door, way, trap = 0, 1, 2
	exact := map[[2]int]float64{
		{FlowStart, door}: 1, {door, door}: 2.0 / 3, {door, way}: 1.0 / 12, {door, trap}: 1.0 / 4, {trap, door}: 1, {way, FlowEnd}: 1,
	}
	sample, done := buildTo(t, "", src.Text, 60, Config{Trials: 300})
	defer done()
	var c coverage
	for seed := range uint64(longtest.Many(300, 40)) {
		o := sample(seed)
		f := FlowOf(scenes, o.Distribution(0), 0, 0)
		if len(f.Steps) != len(exact) || f.Sampled != o.Sampled {
			t.Fatalf("%+v", f)
		}
		for _, x := range f.Steps {
			if want := exact[[2]int{x.From, x.To}]; want < 1 {
				c.note(want, x.P, x.Half)
			} else if x.P != 1 {
				t.Errorf("seed %d: %+v is certain", seed, x)
			}
		}
	}
	c.check(t, "steps")
}

// The best answers past a bound. On heads a d4 decides: it wins on 3 and 4, and on 2 as well for
// whoever has taken the 3. On tails so much is thrown that it is not followed; then a coin decides.
// So the best answer wins in 1/2 * 3/4 + 1/2 * 1/2, and the default in a half.
func TestBestPastABound(t *testing.T) {
	t.Parallel()
	src := lang.NewSource("", `let plus = (choose extra by none from [0, 3] "How much?")
let noise = 0
let won = no
if (throw d2).face == 1 { won = (throw d4).face + plus / 3 > 2 } else {
  repeat 40 { noise = 2 * noise + (throw d2).face }
  won = (throw d2).face == 1
}`)
	cfg := Config{Best: []string{Everybody}, Goal: "won and noise >= 0", GoalOnly: true, States: 400, Trials: 400}
	var c coverage
	for seed := range uint64(longtest.Many(400, 60)) {
		o, err := Of(context.Background(), interp.NewSession(interp.Config{Seed: seed}), src, cfg)
		if err != nil {
			t.Fatal(err)
		}
		x := o.Sampled
		if x == nil || x.Over != interp.OverStates || math.Abs(x.Weight-0.5) > 1e-12 || math.Abs(o.Least-0.375) > 1e-12 || math.Abs(o.Most-0.875) > 1e-12 {
			t.Fatalf("%+v, %+v", o, x)
		}
		c.note(0.625, o.Value, o.Half)
		if d := o.Decisions; len(d) != 1 || d[0].Taken != 1 || math.Abs(d[0].Values[1]-d[0].Values[0]-0.125) > 1e-9 {
			t.Fatalf("%+v", d)
		}
	}
	c.check(t, "the best answers")
}

// Where equal creatures were taken for one another before the bound was met, trials begin with each
// of them as often as the script does: what they add up to is what comes out when nobody is taken
// for another.
func TestSampledOddsOfEquals(t *testing.T) {
	t.Parallel()
	seeds := longtest.Many(3000, 80)
	ctx := context.Background()
	shares, exchanged := 0, 0
	for seed := range uint64(seeds) {
		r := &equals{random{Rand: rand.New(rand.NewPCG(seed, 17))}}
		text := crowd + r.script() + r.ask()
		exact := toldApart(t, text)
		if exact == nil {
			continue
		}
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Limits: interp.Limits{Steps: 20000}})
		whole, err := Of(ctx, s, lang.NewSource("", text), Config{States: 20000})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if whole.States < 30 {
			continue
		}
		s = interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: seed, Limits: interp.Limits{Steps: 20000}})
		p, err := core.Of(s).Again(ctx, lang.NewSource("", text))
		if err != nil {
			t.Fatal(err)
		}
		g, done := Graph(p, nil)
		g.Limit = whole.States * 3 / 4
		if g.Build(ctx) == nil {
			done()
			continue
		}
		f := g.Frontier()
		o, err := Sampled(ctx, core.Of(s), g, Config{Trials: 400}, f, interp.OverStates)
		done()
		if err != nil || o == nil {
			t.Fatalf("seed %d: %v, %v\n%s", seed, o, err, text)
		}
		shares++
		if g.Exchanged() > 0 {
			exchanged++
		}
		for i := range o.Columns {
			l := o.Distribution(i)
			for _, p := range exact.Distribution(i).Points {
				q := pointAt(l, p.Shown)
				low, high := l.Bounds(q)
				of := (p.P - low) / l.Sampled.Weight // the chance that a trial ends so
				within := l.Sampled.Weight * (6*math.Sqrt(of*(1-of)/400) + 3.0/400)
				if p.P < low-1e-9 || p.P > high+1e-9 || math.Abs(p.P-q.P) > within {
					t.Errorf("seed %d: %s %s is %v, not %v ± %v, within %v and %v\n%s", seed, l.Name, p.Shown, p.P, q.P, within, low, high, text)
				}
			}
		}
	}
	t.Logf("%d sampled; in %d of them equals had been exchanged", shares, exchanged)
	if shares < seeds/20 || exchanged < seeds/100 {
		t.Error("too few are sampled")
	}
}

// toldApart gives the odds of a text where nobody is taken for another, nil where it has too
// many states for that.
func toldApart(t *testing.T, text string) *Odds {
	ctx := context.Background()
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Limits: interp.Limits{Steps: 20000}})
	p, err := core.Of(s).Again(ctx, lang.NewSource("", text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	g, done := Graph(p, nil)
	defer done()
	g.NoSymmetry, g.Limit, g.Least = true, 20000, Least
	if g.Build(ctx) != nil {
		return nil
	}
	o, err := solved(ctx, core.Of(s), g, Config{}, false)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return o
}

// Counters that are too many together are solved one by one: each is binomial. What cannot be
// solved at all is sampled, and takes nothing from the others.
func TestOddsByColumn(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	const tosses = 40
	src := lang.NewSource("", `sheet board { ones number = 0 }
board Board
let twos = 0
let order = []
repeat 40 {
  let f = (throw d6).face
  order = order + [f]
  if f == 1 { Board.ones += 1 }
  if f == 2 { twos += 1 }
  if f == 9 { report "never" }
}
report Board.ones as ones, order
if yes { report twos }
`)
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	o, err := Of(ctx, s, src, Config{States: 6000, Trials: 500})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"ones", "order", "twos"}; !o.ByColumn() || !slices.Equal(o.Columns, want) {
		t.Fatalf("by column: %v, columns %q, not %q", o.ByColumn(), o.Columns, want)
	}
	for _, i := range []int{0, 2} {
		l := o.Distribution(i)
		p := math.Pow(5.0/6, tosses)
		for k := range 30 {
			if got := pointAt(l, fmt.Sprint(k)).P; l.Sampled != nil || math.Abs(got-p) > 1e-12 {
				t.Errorf("%d %s: %v, not %v; sampled %v", k, l.Name, got, p, l.Sampled)
			}
			p *= float64(tosses-k) / float64(k+1) / 5
		}
	}
	if l := o.Distribution(1); l.Sampled == nil || l.Sampled.Weight != 1 || l.Sampled.Trials != 500 {
		t.Errorf("all faces in order: %+v", l.Sampled)
	}
	if err := s.Exec(ctx, lang.NewSource("", "Board.ones = 3")); err != nil {
		t.Error("what the text declares does not stay: ", err)
	}

	// to report a throw does more than tell of it
	_, err = Of(ctx, interp.NewSession(interp.Config{}), lang.NewSource("", "let order = []\nrepeat 40 { order = order + [(throw d6).face] }\nreport order, (throw d6).face"), Config{States: 6000, Trials: 500})
	if limit := (*interp.RunError)(nil); !errors.As(err, &limit) || limit.Over != interp.OverStates {
		t.Error(err)
	}
}
