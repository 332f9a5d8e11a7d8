package trials

import (
	"context"
	"errors"
	"math"
	"time"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/goals"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/pause"
	"setpiece/lang"
)

// Series is a text with what its trials came to so far. The trials of all Series that have a seed have the
// same dice for the same throws, so that their differences are known from few (see machine/streams.go).
type Series struct {
	*core.Prepared
	Seed   uint64
	Xs     []float64 // what each trial came to, NaN for one that stopped
	Chance bool      // each was yes or no
}

// Pilot is how many trials are made of each of many texts at first.
const Pilot = 24

// NewSeries prepares a text that reports a goal last.
func NewSeries(ctx context.Context, s *core.Run, src *lang.Source, goal string, seed uint64) (*Series, error) {
	text, err := goals.WithGoal(ctx, goals.Reporting(ctx, nil, src), goal)
	if err != nil {
		return nil, err
	}
	p, err := s.Prepare(ctx, text)
	if err != nil {
		return nil, err
	}
	return SeriesOf(p, seed), nil
}

// SeriesOf is a Series of a text that is prepared, and reports the goal last.
func SeriesOf(p *core.Prepared, seed uint64) *Series {
	p.Paired = true
	return &Series{p, seed, nil, true}
}

// Continue makes trials until there are n of them, or the time is up.
func (s *Series) Continue(ctx context.Context, n int, until time.Time) error {
	xs, chance, err := Figures(ctx, s.Prepared, len(s.Xs), n, s.Seed, until, nil)
	if err == nil {
		s.Xs, s.Chance = append(s.Xs, xs...), s.Chance && chance
	}
	return err
}

// Mean is the mean of what the trials came to.
func (s *Series) Mean() dist.Figure {
	f := dist.FigureOf(s.Xs, s.Chance)
	if s.Broke != nil {
		f.Stopped = s.Broke.Error()
		var re *interp.RunError
		if errors.As(s.Broke, &re) {
			f.Stopped = re.At()
		}
	}
	return f
}

// Figures makes the trials from number first on, as many as there is time for, and gives what each came to in
// the goal that is reported last, NaN for one that stopped. Decisions that are left open are made by
// choice; nil: they take their defaults.
func Figures(ctx context.Context, p *core.Prepared, first, n int, seed uint64, until time.Time, choice interp.Choice) (xs []float64, chance bool, err error) {
	s, m := p.Run, p.Run.M
	if first == 0 {
		p.Broke = nil
	}
	back := s.Host.Instead(choice)
	defer back()
	defer func(back func()) {
		back()
		m.Reports = nil
	}(m.Switch(machine.Trial(machine.NoteNothing, !s.Host.Decides()), p.World.Prog))
	chance = true
	for k := first; k < n; k++ {
		if k&7 == 7 && !until.IsZero() && time.Now().After(until) {
			break
		}
		reports, failed := Once(ctx, p, Seed(seed, int64(k)), choice)
		if err := pause.Err(ctx); err != nil {
			return nil, false, err
		}
		if failed != nil && p.Broke == nil {
			p.Broke = failed
		}
		if failed != nil || len(reports) == 0 {
			xs = append(xs, math.NaN())
			continue
		}
		x, truth := dist.NumberOf(s.Heap, reports[len(reports)-1].Value)
		xs, chance = append(xs, x), chance && truth
	}
	return xs, chance, nil
}

// beginner is a Choice that is told when a trial begins.
type beginner interface{ Begin() }

// Once makes one trial, on a machine that is in the mode for it, and gives what was reported.
func Once(ctx context.Context, p *core.Prepared, seed uint64, choice interp.Choice) ([]machine.Report, error) {
	s, m := p.Run, p.Run.M
	s.Count()
	p.Rewind()
	m.Reports = m.Reports[:0]
	if c, ok := choice.(beginner); ok {
		c.Begin()
	}
	if m.Seed(seed); p.Paired {
		m.Pair(seed)
	}
	if err := p.Execute(ctx, 1); err != nil {
		return nil, err
	}
	return m.Reports, nil
}
