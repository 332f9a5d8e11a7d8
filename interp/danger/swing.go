package danger

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"setpiece/interp"
	"setpiece/interp/internal/trials"
)

// How open an encounter is after a round is how much the chance of the goal differs from
// one trial to another by then. The chance after a round is estimated by playing the same
// trial up to there again and again, each time with other dice from there on (nested
// simulation). The estimates of few such runs differ more than the chances themselves. So
// their distance from the mean is shrunk until their variance is that of the chances, which is
// the variance of the estimates less that of one estimate: Louis, Estimating a
// population of parameter values using Bayes and empirical Bayes methods, 1984. How far all
// this may be off is what it does when the trials that were followed are drawn anew from among
// themselves (Efron, Bootstrap methods: another look at the jackknife, 1979).

// Swing is how the chance of the goal goes up and down from round to round.
type Swing struct {
	Trials int // that were followed
	Again  int // how often each was played from each step on
	Steps  []SwingStep
}

// SwingStep is the end of a round, or of a scene.
type SwingStep struct {
	Scene string
	Round int // 0: the end of the scene
	Word  string
	Share Estimate   // of the trials looked into that come to it
	Mean  float64    // of the chance by then, among those
	At    [5]float64 // the chances that 5, 25, 50, 75 and 95 % of them do not exceed
	Half  [5]float64 // half of the 95 % intervals of these
	Open  Estimate   // the share of those in which the goal is not decided by then
}

// prefix is the beginning of a trial, with how it goes on.
type prefix struct {
	past interp.Record
	seed uint64
}

// again is how often a trial is played from a step on, leastStep the share of the trials
// from which a step is shown, mostRounds how many rounds of a scene are: of a longer one each
// second is, or each third.
const (
	again      = 10
	leastStep  = 0.05
	mostRounds = 10
)

// reached is how a trial stood at a step.
type reached struct {
	chance float64
	open   bool
}

// swing plays trials on from each of their steps. A fight that is over counts in the rounds
// after it with how it stood at its end: so the mean is the same after each round.
func (w *watch) swing(ctx context.Context, all, follow []*watchedTrial, seed uint64) (*Swing, error) {
	type place struct{ scene, round int }
	came, ended := map[place]int64{}, int64(0)
	for _, t := range all {
		if t.stops {
			continue
		}
		ended++
		once := map[place]bool{}
		for _, s := range t.steps {
			if p := (place{s.scene, s.round}); !once[p] {
				once[p] = true
				came[p]++
			}
		}
	}
	var trials []map[place]reached
	last := make([]int, len(w.scenes)) // the most rounds that a scene had
	share := func(p place) Estimate { return chanceIn(came[p], ended) }
	rounds := make([]int, len(w.scenes)) // the last that is not too rare to be shown
	for p := range came {
		if share(p).P >= leastStep {
			rounds[p.scene] = max(rounds[p.scene], p.round)
		}
	}
	shown := func(p place) bool {
		every := 1 + (rounds[p.scene]-1)/mostRounds
		return p.round == 0 || share(p).P >= leastStep && (p.round-1)%every == 0
	}
	for _, t := range follow {
		if t.stops {
			continue
		}
		at := map[place]reached{}
		for _, s := range t.steps {
			if !shown(place{s.scene, s.round}) {
				continue
			}
			x, err := w.onwards(ctx, t, s, seed)
			if err != nil {
				return nil, err
			}
			at[place{s.scene, s.round}] = x
			last[s.scene] = max(last[s.scene], s.round)
		}
		trials = append(trials, at)
	}
	out := &Swing{Trials: len(trials), Again: again}
	step := func(scene, round int) {
		var xs []float64
		open, there := int64(0), false
		for _, at := range trials {
			x, ok := at[place{scene, round}]
			if there = there || ok; !ok {
				if x, ok = at[place{scene, 0}]; !ok {
					continue
				}
			}
			xs = append(xs, x.chance)
			if x.open {
				open++
			}
		}
		share := share(place{scene, round})
		if !there || share.P < leastStep {
			return
		}
		x := SwingStep{Scene: w.scenes[scene].title, Round: round, Word: w.scenes[scene].round, Share: share, Open: chanceIn(open, int64(len(xs)))}
		x.Mean, x.At = fan(xs)
		x.Half = bootstrap(xs)
		out.Steps = append(out.Steps, x)
	}
	for i, scene := range w.order {
		for round := range last[scene] {
			step(scene, round+1)
		}
		if i < len(w.order)-1 {
			step(scene, 0)
		}
	}
	return out, nil
}

// representative picks n of the first trials, so that the goal is reached as often in them as in
// all (proportional allocation: Cochran, Sampling techniques, 1977, chapter 5).
func representative(all []*watchedTrial, n, candidates int) []*watchedTrial {
	won, of := 0, 0
	for _, t := range all {
		if t.goal != 0 && t.goal != 1 {
			return all[:min(n, len(all))] // it is no chance
		}
		if !t.stops {
			won, of = won+int(t.goal), of+1
		}
	}
	if of == 0 {
		return nil
	}
	left := [2]int{}
	left[1] = (n*won + of/2) / of
	left[0] = n - left[1]
	var out []*watchedTrial
	for _, t := range all[:candidates] {
		if at := int(t.goal); !t.stops && left[at] > 0 {
			left[at]--
			out = append(out, t)
		}
	}
	return out
}

// onwards estimates the chance of the goal of a trial from a step on.
func (w *watch) onwards(ctx context.Context, t *watchedTrial, s stepSeen, seed uint64) (reached, error) {
	if s.logged == len(t.log) {
		return reached{t.goal, false}, nil
	}
	past := w.p.Run.Host.Recorded(t.log[:s.logged]).(interp.Record).Besides()
	fell := int64(len(past.Faces()))
	sum, n := 0.0, 0
	lo, hi := math.Inf(1), math.Inf(-1)
	for j := range again {
		from := &prefix{past, trials.Seed(seed^0x5bd1e995, t.number*1_000_003+fell*1009+int64(j))}
		x, err := w.trial(ctx, t.number, from)
		if err != nil {
			return reached{}, err
		}
		if !x.stops {
			sum, n = sum+x.goal, n+1
			lo, hi = min(lo, x.goal), max(hi, x.goal)
		}
	}
	if n == 0 {
		return reached{t.goal, false}, nil
	}
	return reached{sum / float64(n), hi > lo}, nil
}

// fan gives the mean of chances that are estimated from a few trials each, and
// their quantiles without the noise of these.
func fan(xs []float64) (mean float64, at [5]float64) {
	n := float64(len(xs))
	noise, spread := 0.0, 0.0
	for _, x := range xs {
		mean += x / n
	}
	for _, x := range xs {
		spread += (x - mean) * (x - mean) / n
		if x > 0 && x < 1 {
			noise += x * (1 - x) / (again - 1) / n
		}
	}
	shrink := 0.0
	if spread > noise {
		shrink = math.Sqrt((spread - noise) / spread)
	}
	ys := make([]float64, len(xs))
	for i, x := range xs {
		ys[i] = x
		if x > 0 && x < 1 {
			ys[i] = mean + (x-mean)*shrink
		}
	}
	slices.Sort(ys)
	for i, q := range []float64{0.05, 0.25, 0.5, 0.75, 0.95} {
		at[i] = ys[min(len(ys)-1, int(q*n))]
	}
	return mean, at
}

// resamples is how often trials are drawn anew.
const resamples = 200

// bootstrap gives half of the 95 % intervals of the quantiles that fan gives.
func bootstrap(xs []float64) (half [5]float64) {
	rng := rand.New(rand.NewPCG(1, uint64(len(xs))))
	var all [5][]float64
	again := make([]float64, len(xs))
	for range resamples {
		for i := range again {
			again[i] = xs[rng.IntN(len(xs))]
		}
		_, at := fan(again)
		for q, x := range at {
			all[q] = append(all[q], x)
		}
	}
	for q, ys := range all {
		slices.Sort(ys)
		half[q] = (ys[resamples-1-resamples/40] - ys[resamples/40]) / 2
	}
	return half
}
