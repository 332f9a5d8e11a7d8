package odds

import (
	"context"
	"errors"
	"math"
	"math/big"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/odds"
	"setpiece/interp/internal/trials"
)

// Odds that have met a bound: what was solved stays exact, and the rest is shared out by trials
// that begin where it lies (odds/sample.go).

// Sampled gives what is known of a graph that has met a bound, with its frontier shared out by
// trials; nil where it cannot be, or there was no time for a trial.
func Sampled(ctx context.Context, s *core.Run, g *odds.Graph, cfg Config, f *odds.Frontier, over interp.Over) (*Odds, error) {
	g.Within(ctx)
	if f.Weight == 0 {
		return distributions(context.WithoutCancel(ctx), s, g, cfg, &weights{all: g.Reached()}) // the bound was met just then
	}
	seed, n := s.Seed, cfg.Trials
	if cfg.Proportional {
		n = max(int64(math.Ceil(float64(n)*f.Weight)), min(n, leastSampled))
	}
	x, err := g.Sample(ctx, f, n, func(k int64) uint64 { return trials.Seed(seed, k) })
	if errors.Is(err, odds.ErrSample) || err == nil && x.Trials == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	noted := g.NotedSoFar()
	for i, n := range x.Noted {
		noted[i] += f.Weight * n
	}
	ctx = context.WithoutCancel(ctx) // it takes no long time from here on
	o, err := distributions(ctx, s, g, cfg, &weights{all: g.Reached(), sampled: &dist.Sampled{Weight: f.Weight, Trials: x.Trials, Over: over}, trials: x.Ends})
	if err != nil {
		return nil, err
	}
	o.Refused = dist.Refused(s, g.Notes.List, noted)
	return o, nil
}

// sampledBest gives what is known of a graph with open decisions that has met a bound. As far as
// it was followed each decision takes the best option, if what comes behind is worth what trials
// find it to be; behind that decisions take their defaults. What these answers come to is sampled; no
// answers can come to more than where all that was not followed reached the goal. It gives nil
// where it cannot be sampled, or too little was followed.
func sampledBest(ctx context.Context, s *core.Run, g *odds.Graph, cfg Config, over interp.Over) (*Odds, error) {
	if _, err := YesOrNo(s, g); err != nil {
		return nil, err
	}
	g.Within(ctx)
	play := func(unfollowed float64) (odds.Means, []float64, *odds.Frontier) {
		g.Unknown = unfollowed
		m := g.Best(WorthOf(s))
		all := g.Floats()
		return m, all, g.FrontierWhere(all)
	}
	sample := func(all []float64, f *odds.Frontier, n int64) (*weights, []float64, error) {
		x, err := g.Sample(ctx, f, n, func(k int64) uint64 { return trials.Seed(s.Seed, k) })
		if errors.Is(err, odds.ErrSample) || err == nil && x.Trials == 0 {
			return nil, nil, nil
		}
		if err != nil {
			return nil, nil, err
		}
		all = append(all, make([]float64, len(g.Checkpoints)-len(all))...) // endings that trials came to first
		return &weights{all: all, sampled: &dist.Sampled{Weight: f.Weight, Trials: x.Trials, Over: over}, trials: x.Ends}, x.Noted, nil
	}
	_, all, f := play(0)
	if g.Err() != nil || f == nil || f.Weight == 0 || f.Weight > 1-LeastSolved {
		return nil, g.Err()
	}
	few, _, err := sample(all, f, max(cfg.Trials/10, min(cfg.Trials, leastSampled)))
	if few == nil || err != nil {
		return nil, err
	}
	most, _, _ := play(1)
	m, all, f := play(sampledMean(s, g, few))
	if g.Err() != nil || f == nil || f.Weight == 0 || f.Weight > 1-LeastSolved {
		return nil, g.Err()
	}
	w, noted, err := sample(all, f, cfg.Trials)
	if w == nil || err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx)
	g.Within(ctx)
	sums := g.Noted()
	for i, n := range noted {
		sums[i] += f.Weight * n
	}
	o, err := distributions(ctx, s, g, cfg, w)
	if err != nil {
		return nil, err
	}
	sampledGoal(s, g, w, o)
	switch {
	case o.Least < o.Most && most.Ends == nil:
		o.Most = max(o.Most, most.Of[0])
	case o.Least < o.Most:
		o.Most = 1 // what stops is left out, and other answers may stop more
	}
	o.Decisions, o.Refused = decisions(s, g, m), dist.Refused(s, g.Notes.List, sums)
	return o, nil
}

// sampledMean gives the mean of the goal over the trials of a remainder that did not stop.
func sampledMean(s *core.Run, g *odds.Graph, w *weights) float64 {
	sum, all := 0.0, 0.0
	for i, n := range w.trials {
		if r := g.Checkpoints[i]; r.Kind == odds.Terminal {
			sum, all = sum+float64(n)*WorthOf(s)(r), all+float64(n)
		}
	}
	return sum / max(all, 1)
}

// weights are those of the checkpoints of a graph.
type weights struct {
	all     []float64
	exact   []*big.Rat // nil where they are not known as fractions
	sampled *dist.Sampled
	trials  []int64 // of those of sampled, how many came to each of the first checkpoints
}

// of gives the weight of a checkpoint, and how many trials came to it.
func (w *weights) of(i int) (p float64, trials int64) {
	p = w.all[i]
	if i < len(w.trials) && w.trials[i] > 0 {
		trials = w.trials[i]
		p += w.sampled.Weight * float64(trials) / float64(w.sampled.Trials)
	}
	return p, trials
}

// sampledGoal works out the mean of the goal over the ends that are no errors, where a part of
// their weight was sampled.
//
// It is the quotient of two sums: of what the goal comes to at each end, and of the ends. What
// a trial adds to the error of the quotient r is  x - r  where it ends, and nothing where it
// stops with an error; the interval is that of the mean of these (the delta method: Cochran,
// Sampling Techniques, 1977, section 6.4).
func sampledGoal(s *core.Run, g *odds.Graph, w *weights, o *Odds) {
	each := func(f func(x float64, i int, trials float64)) {
		for i := range g.Checkpoints {
			if r := g.Checkpoints[i]; r.Kind == odds.Terminal {
				_, trials := w.of(i)
				f(WorthOf(s)(r), i, float64(trials))
			}
		}
	}
	n, weight, truth := float64(w.sampled.Trials), w.sampled.Weight, true
	var solved, reached, known, ended float64 // of the goal and of the ends: what was solved, and the trials
	each(func(x float64, i int, trials float64) {
		solved, known = solved+w.all[i]*x, known+w.all[i]
		reached, ended = reached+trials*x, ended+trials
		truth = truth && (w.all[i] == 0 && trials == 0 || yesOrNo(s, g.Checkpoints[i]))
	})
	all := known + weight*ended/n
	o.Value = (solved + weight*reached/n) / all
	var squares, mean float64
	each(func(x float64, _ int, trials float64) {
		d := x - o.Value
		squares, mean = squares+trials/n*d*d, mean+trials/n*d
	})
	o.Half = dist.Deviations * math.Sqrt(max(0, squares-mean*mean)/n)
	if truth && ended > 0 {
		// at least that of the share of those that ended, which holds for few trials, too
		o.Half = max(o.Half, dist.Half(int64(reached), int64(ended))*ended/n)
	}
	o.Half *= weight / all
	if o.Least, o.Most = o.Value, o.Value; truth {
		o.Least, o.Most = solved/(known+weight), min(1, (solved+weight)/(known+weight))
	}
}

// leastSampled is how many trials are made of any rest: of fewer the normal law, by which an
// interval is told, says little.
const leastSampled = 100
