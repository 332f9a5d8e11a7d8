package interp_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/dist"
	"setpiece/interp/internal/longtest"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/lang"
	"setpiece/stdlib"
)

// blows are one blow from each side.
const blows = duelScene + `"Sludge Lord": attack Valorus with OOZING_PUNCH against DEXTROUS
report last.outcome, last.margin
Valorus: attack "Sludge Lord" with SUNBLADE against THICK_HIDE
report "Sludge Lord".setbacks
`

func simulate(t testing.TB, text string, sc sim.Config) *sim.Sim {
	t.Helper()
	o, err := sim.Simulate(context.Background(), interp.Config{Modules: stdlib.FS, Seed: 4}, lang.NewSource("duel.scene", text), sc)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestSimulationIsTheSameOnAnyNumberOfWorkers(t *testing.T) {
	one := asJSON(t, simulate(t, blows, sim.Config{Trials: 2500, Workers: 1}))
	if three := asJSON(t, simulate(t, blows, sim.Config{Trials: 2500, Workers: 3})); three != one {
		t.Errorf("on three workers it is\n%s\nnot\n%s", three, one)
	}
}

func TestSimulationInParts(t *testing.T) {
	whole := simulate(t, blows, sim.Config{Trials: 1800})
	var parts []*sim.Sim
	for i := range int64(3) {
		// a part may come from elsewhere
		var p sim.Sim
		if err := json.Unmarshal([]byte(asJSON(t, simulate(t, blows, sim.Config{Trials: 1800, Shard: 2 - i, Shards: 3}))), &p); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, &p)
	}
	merged, err := sim.Merge(parts)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := asJSON(t, merged), asJSON(t, whole); got != want {
		t.Errorf("merged it is\n%s\nnot\n%s", got, want)
	}
	if _, err := sim.Merge(parts[:2]); err == nil || err.Error() != "part 1 of 3 is missing" {
		t.Errorf("two of three parts: %v", err)
	}
	six := simulate(t, blows, sim.Config{Trials: 60, Shard: 2, Shards: 6})
	_, err = sim.Merge([]*sim.Sim{six})
	if missing := (&sim.MissingPartsError{}); !errors.As(err, &missing) || err.Error() != "of 6 parts 1..2, 4..6 are missing" {
		t.Errorf("one of six parts: %v", err)
	}
	// The stranger is found although it comes first, and what it stands for is missing.
	_, err = sim.Merge([]*sim.Sim{six, parts[0], parts[1]})
	if err == nil || err.Error() != "part 1: it is of 60 trials, the rest of 1800\npart 1 of 3 is missing" {
		t.Errorf("a stranger and two of three parts: %v", err)
	}
	// Each of these contradicts itself, or the other parts.
	for _, c := range []struct {
		name   string
		change func(*sim.Sim)
		want   string
	}{
		{"another seed", func(o *sim.Sim) { o.Seed++ }, "part 2: its seed is 5, that of the rest is 4"},
		{"another script", func(o *sim.Sim) { o.Text = "?" }, "part 2: it is of another script, or of other settings, than the rest"},
		{"another whole", func(o *sim.Sim) { o.Planned = 1801 }, "part 2: it is of 1801 trials, the rest of 1800"},
		{"of four", func(o *sim.Sim) { o.Shards, o.Planned = 4, 2400 }, "part 2: it is of 2400 trials, the rest of 1800"},
		{"the same part", func(o *sim.Sim) { *o = *parts[0] }, "part 2: part 3 of 3 is given twice"},
		{"a negative count", func(o *sim.Sim) { o.Ends[0].Count = -5 }, "part 2: the counts do not add up to the trials"},
		{"a huge count", func(o *sim.Sim) { o.Ends[0].Count = 1<<63 - 1 }, "part 2: the counts do not add up to the trials"},
		{"one too many", func(o *sim.Sim) { o.Ends[0].Count++ }, "part 2: the counts do not add up to the trials"},
		{"no trials", func(o *sim.Sim) { o.Trials = 0 }, "part 2: the counts do not add up to the trials"},
		{"too many trials", func(o *sim.Sim) { o.Trials = 601; o.Ends[0].Count++ }, "part 2: it has 601 trials of 600"},
		{"no columns", func(o *sim.Sim) { o.Columns = []string{} }, "part 2: end 1 has"},
		{"no values", func(o *sim.Sim) { o.Ends[0].Shown = nil }, "part 2: end 1 has 0 values for"},
		{"columns twice", func(o *sim.Sim) { o.Columns[1] = o.Columns[0] }, "part 2: it has a column twice"},
		{"an end twice", func(o *sim.Sim) { o.Ends[1].Shown, o.Ends[1].Stops = o.Ends[0].Shown, o.Ends[0].Stops }, "part 2: it has the same end twice"},
		{"a trial of another part", func(o *sim.Sim) { o.Ends[0].First = 1 }, "part 2: end 1 begins with trial 1, which is not among its trials"},
		{"part 0", func(o *sim.Sim) { o.Shard = -1 }, "part 2: it says that it is part 0 of 3"},
		{"no parts at all", func(o *sim.Sim) { o.Shards = 0 }, "part 2: it says that it is part 2 of 0"},
		{"nothing planned", func(o *sim.Sim) { o.Planned = 0 }, "part 2: 0 trials are planned"},
	} {
		var p sim.Sim
		if err := json.Unmarshal([]byte(asJSON(t, parts[1])), &p); err != nil {
			t.Fatal(err)
		}
		c.change(&p)
		_, err := sim.Merge([]*sim.Sim{parts[0], &p, parts[2]})
		var bad *sim.PartError
		if !errors.As(err, &bad) || bad.Part != 1 || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, not %s", c.name, err, c.want)
		}
	}
}

// A trial can be played again: a run with its seed ends as it did.
func TestTrialCanBePlayed(t *testing.T) {
	o := simulate(t, blows, sim.Config{Trials: 1000})
	for _, e := range o.Ends[:min(8, len(o.Ends))] {
		var said []string
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: sim.TrialSeed(4, e.First), Events: func(ev *interp.Event) {
			if ev.Kind == interp.EventReport {
				said = append(said, ev.Value)
			}
		}})
		if err := s.Exec(context.Background(), lang.NewSource("duel.scene", blows)); err != nil {
			var re *interp.RunError
			if !errors.As(err, &re) || re.At() != e.Stops {
				t.Errorf("trial %d stopped with %q, played again with %v", e.First, e.Stops, err)
			}
			continue
		}
		if got, want := strings.Join(said, " "), strings.Join(e.Shown, " "); got != want || e.Stops != "" {
			t.Errorf("trial %d ended with %s, played again with %s", e.First, want, got)
		}
	}
}

// What is simulated comes near to what is exact: the chance of each winner lies
// within an interval that a right simulation leaves once in 10 million cases.
func TestSimulationAgreesWithOdds(t *testing.T) {
	text := duelScene + "fight\nreport last.winner\n"
	exact := map[string]float64{}
	for _, e := range oddsIn(t, session(t, duelScene), "fight\nreport last.winner", odds.Config{}).Ends {
		exact[e.Shown[0]] += e.P
	}
	o := simulate(t, text, sim.Config{Trials: 2_500})
	for _, e := range o.Ends {
		lo, hi := dist.Interval(e.Count, o.Trials)
		mid, half := (lo+hi)/2, (hi-lo)/2
		if p := exact[e.Shown[0]]; p < mid-2.8*half || p > mid+2.8*half {
			t.Errorf("%s: %v in %v..%v", e.Shown[0], p, lo, hi)
		}
	}
	if len(o.Ends) != len(exact) {
		t.Errorf("%d ends", len(o.Ends))
	}
}

func TestSimulationStopsWhenSure(t *testing.T) {
	o := simulate(t, blows, sim.Config{Trials: 1_000_000, Until: 0.02})
	if o.Width() > 0.02 || o.Trials >= 1_000_000 {
		t.Errorf("%d trials for %v", o.Trials, o.Width())
	}
}

// What stops a trial is told with the others.
func TestSimulationOfWhatFails(t *testing.T) {
	o := simulate(t, "let x = (throw d6).face\nif x == 6 { refuse \"a six\" }\nreport x\n", sim.Config{Trials: 6000})
	stops := int64(0)
	for _, e := range o.Ends {
		if e.Stops != "" {
			stops += e.Count
		}
	}
	if lo, hi := dist.Interval(stops, o.Trials); lo > 1.0/6 || hi < 1.0/6 {
		t.Errorf("%d of %d stopped: %s", stops, o.Trials, asJSON(t, o))
	}
}

func BenchmarkSimDuel(b *testing.B)    { benchmarkSim(b, duelScene+"fight\nreport last.winner\n", 1) }
func BenchmarkSimDuelTwo(b *testing.B) { benchmarkSim(b, duelScene+"fight\nreport last.winner\n", 2) }
func BenchmarkSimCheck(b *testing.B) {
	benchmarkSim(b, "use cah\nroll DEMOLITIONS 4 link STEADY_HANDS 2 vs DN 8 spend oomph extra_effort\nreport last.outcome\n", 1)
}

func benchmarkSim(b *testing.B, text string, workers int) {
	o, err := sim.Simulate(context.Background(), interp.Config{Modules: stdlib.FS, Seed: 4}, lang.NewSource("duel.scene", text), sim.Config{Trials: int64(b.N), Workers: workers})
	if err != nil || o.Trials != int64(b.N) {
		b.Fatal(err)
	}
}

// Whatever the dice show, the encounters that ship come to an end, and no rule
// they meet is broken. (Those of the tour may be refused what they go on with.)
func TestScriptsComeToAnEnd(t *testing.T) {
	files, err := filepath.Glob("../scripts/*/*.scene")
	tour, err2 := filepath.Glob("../testdata/*/t0*.scene")
	if err := errors.Join(err, err2); err != nil || len(files) < 10 || len(tour) < 4 {
		t.Fatal(files, tour, err)
	}
	for _, file := range append(files, tour...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		o, err := sim.Simulate(context.Background(), interp.Config{Modules: stdlib.FS, Folder: os.DirFS(filepath.Dir(file))}, lang.NewSource(file, string(text)), sim.Config{Trials: int64(longtest.Many(80, 8))})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range o.Ends {
			if e.Stops != "" && !slices.Contains(tour, file) {
				t.Errorf("%s: %d of %d trials stop with %q, the first with seed %d", file, e.Count, o.Trials, e.Stops, sim.TrialSeed(0, e.First))
			}
		}
	}
}

// What is refused after dice have fallen takes back what was done and not the
// dice: those that come next are other dice, in a simulation as in the odds.
func TestRefusedDiceAreGone(t *testing.T) {
	const text = `sheet hero { n number }
hero Nova {}
verb dare { do { let face = (throw d6).face; if face < 4 { refuse "too low" }; Nova.n = face } }
verb rest { do { Nova.n = (throw d6).face } }
verb go { do { act Nova } }
tactics Nova { otherwise: dare; otherwise: rest }
go
report Nova.n
`
	// half the time the first die is one of 4, 5, 6; else the second is any
	want := map[string]float64{"1": 1. / 12, "2": 1. / 12, "3": 1. / 12, "4": 3. / 12, "5": 3. / 12, "6": 3. / 12}
	near(t, oddsIn(t, session(t, ""), text, odds.Config{}), want)
	o := simulate(t, text, sim.Config{Trials: 4000})
	for _, e := range o.Ends {
		if lo, hi := dist.Interval(e.Count, o.Trials); want[e.Shown[0]] < lo-0.01 || want[e.Shown[0]] > hi+0.01 {
			t.Errorf("%s: %d of %d, want %v", e.Shown[0], e.Count, o.Trials, want[e.Shown[0]])
		}
	}
}

// What is reported at two places is two things, by the same names in odds and in
// a simulation.
func TestReportedTwice(t *testing.T) {
	const text = "let n = 1\nreport n\nn += (throw d2).face\nreport n"
	s := interp.NewSession(interp.Config{})
	o, err := odds.Of(t.Context(), s, lang.NewSource("", text), odds.Config{})
	if err != nil {
		t.Fatal(err)
	}
	sim, err := sim.Simulate(t.Context(), interp.Config{}, lang.NewSource("", text), sim.Config{Trials: 20})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"n", "n (2)"}
	if !slices.Equal(o.Columns, want) || !slices.Equal(sim.Columns, want) {
		t.Errorf("odds tell of %q, a simulation of %q", o.Columns, sim.Columns)
	}
	if got := len(sim.Distribution(1).Points); got != 2 {
		t.Errorf("%d values of the second", got)
	}
}

// A simulation whose context ends keeps the trials that were made, of which each is
// counted once.
func TestSimulationStops(t *testing.T) {
	for _, workers := range []int{1, 3} {
		ctx, stop := context.WithCancel(context.Background())
		src := lang.NewSource("", "let fell = []\nrepeat 30 { fell = fell.with((throw d20).face) }\nreport fell.sum > 315")
		o, err := sim.Simulate(ctx, interp.Config{}, src, sim.Config{Trials: 1_000_000, Workers: workers, Progress: func(done, all int64) {
			if done > 100 {
				stop()
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		count := int64(0)
		for _, e := range o.Ends {
			count += e.Count
		}
		if !o.Stopped || o.Trials <= 100 || o.Trials >= 1_000_000 || count != o.Trials {
			t.Errorf("stopped %v, %d trials, %d counted", o.Stopped, o.Trials, count)
		}
		// the sum of 30d20 is as often below as above its mean of 315
		if mean, half := o.Mean(0); mean > 0.5+2*half || mean < 0.4-2*half {
			t.Errorf("%v ±%v", mean, half)
		}
	}
}

// What is simulated from a session as it is comes to the same as from its script, and
// the session is not changed.
func TestSimulationFromASession(t *testing.T) {
	setup := "use cah\nhero Nova { star 3; PUNCH 4 }\n"
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: 4, Choice: never{}})
	if err := s.Exec(context.Background(), lang.NewSource("", setup)); err != nil {
		t.Fatal(err)
	}
	before, _ := assist.State(s, "Nova")
	sc := sim.Config{Trials: 500, Goal: "last.total >= 10"}
	got, err := sim.From(context.Background(), s, lang.NewSource("", "Nova: roll PUNCH vs DN 9"), sc)
	if err != nil {
		t.Fatal(err)
	}
	want, err := sim.Simulate(context.Background(), interp.Config{Modules: stdlib.FS, Seed: 4}, lang.NewSource("", setup+"Nova: roll PUNCH vs DN 9"), sc)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Ends, got.Ends); diff != "" {
		t.Error(diff)
	}
	after, _ := assist.State(s, "Nova")
	if diff := cmp.Diff(before, after); diff != "" || len(before) == 0 {
		t.Error("the session is changed:", diff)
	}
	// 7 faces of 12 make 10 or more with 4, and a 1 is a flub
	if mean, half := got.Mean(len(got.Columns) - 1); math.Abs(mean-7.0/12) > 2*half || half > 0.05 {
		t.Errorf("%v ±%v", mean, half)
	}
}

// Where the first trials all reach a limit the others are not made; where one of them
// ends all are.
func TestSimulationGivesUp(t *testing.T) {
	const each = "each of the first 3 trials ended at a limit, so the others were not made"
	const same = "a trial in which no dice were thrown ended at a limit, and so would all others"
	for _, tt := range []struct{ text, bound, want string }{
		{"while yes { let x = 1 }", "steps", same},
		{"let d = throw d6\nwhile yes { let x = 1 }", "steps", each},
		{"rule r(n) { return r(n + 1) }\nlet d = throw d6\nlet y = r(1)", "depth", each},
		{"let l = []\nwhile yes { l = l + [1] }", "size", same},
		{"let l = []\nwhile yes { l = [l, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] }", "memory", same},
	} {
		cfg := interp.Config{Limits: interp.Limits{Steps: 30_000, Memory: 1 << 20, Size: 500}}
		_, err := sim.Simulate(context.Background(), cfg, lang.NewSource("", tt.text), sim.Config{Trials: 100})
		var re *interp.RunError
		if !errors.As(err, &re) || re.Kind != interp.Limit || re.Bound != tt.bound {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if len(re.Diag.Notes) == 0 || re.Diag.Notes[len(re.Diag.Notes)-1].Message != tt.want {
			t.Errorf("%s: %s", tt.text, failed(err))
		}
	}
	o, err := sim.Simulate(context.Background(), interp.Config{Limits: interp.Limits{Steps: 3000}},
		lang.NewSource("", "if (throw d2).face == 1 { while yes { let x = 1 } }\nreport 1"), sim.Config{Trials: 100})
	if err != nil || o.Trials != 100 || len(o.Ends) != 2 {
		t.Errorf("%+v, %v", o, err)
	}
}

// A text that reads like a number is none, as in odds.
func TestTextInASimulation(t *testing.T) {
	o := simulate(t, "report if (throw d2).face == 1 then \"010\" else \"1e1\"", sim.Config{Trials: 100})
	if d := o.Distribution(0); d.Numbers || len(d.Points) != 2 {
		t.Errorf("%+v", d)
	}
	if mean, _ := o.Mean(0); mean != 0 {
		t.Errorf("the mean of texts is %v", mean)
	}
}

// The limit on time is for a trial, not for all of them together.
func TestTimeOfATrial(t *testing.T) {
	cfg := interp.Config{Limits: interp.Limits{Time: 400 * time.Millisecond}}
	text := "let n = (throw d6).face\nrepeat 200000 { n = 7 - n }\nreport n" // too long to be remembered
	began := time.Now()
	for trials := int64(50); ; trials *= 2 {
		o, err := sim.Simulate(context.Background(), cfg, lang.NewSource("", text), sim.Config{Trials: trials, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if share, why := o.Stops(); share > 0 {
			t.Fatalf("%v of %d trials stop: %s", share, trials, why)
		}
		if time.Since(began) > time.Second {
			break
		}
	}
}

// Parts that were made with other limits are told apart.
func TestLimitsTellPartsApart(t *testing.T) {
	texts := map[string]bool{}
	for _, l := range []interp.Limits{{}, {Dice: 50}, {Steps: 50}} {
		o, err := sim.Simulate(context.Background(), interp.Config{Limits: l}, lang.NewSource("", "report throw d6"), sim.Config{Trials: 10})
		if err != nil {
			t.Fatal(err)
		}
		texts[o.Text] = true
	}
	if len(texts) != 3 {
		t.Errorf("%d digests of three", len(texts))
	}
}

// Dice that a script gives and nobody throws in a trial do not fall in the next one.
func TestGivenDiceAreOfOneTrial(t *testing.T) {
	const text = "let x = throw d6\ndice 3 4\nlet y = throw d6\nreport x.face, y.face"
	o := simulate(t, text, sim.Config{Trials: 600, Workers: 1})
	if len(o.Ends) != 6 {
		t.Errorf("%d ends of six", len(o.Ends))
	}
	for _, e := range o.Ends {
		if e.Shown[1] != "3" || e.Count < 60 || e.Count > 140 {
			t.Errorf("%v in %d of 600 trials", e.Shown, e.Count)
		}
	}
}
