package sim

import (
	"context"
	"math"
	"time"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/machine"
)

// Figure is the mean of a goal, exactly or by trials. What stops with an error neither
// reaches the goal nor misses it.
type Figure struct {
	Value   float64
	Half    float64 // half of the 95 % interval; 0 where it is exact
	Trials  int     // 0: it is exact
	Stops   float64 // the share of what stops with an error
	Stopped string  // and what most of that is
}

// FigureOf is the mean of what trials came to.
func FigureOf(xs []float64, chance bool) Figure {
	ends := dist.Finite(xs)
	f := Figure{Trials: len(xs), Stops: 1}
	if len(ends) == 0 {
		return f
	}
	f.Stops = Stopped(xs)
	f.Value, f.Half = dist.MeanOf(ends, nil)
	if chance {
		f.Half = dist.Half(int64(math.Round(f.Value*float64(len(ends)))), int64(len(ends)))
	}
	return f
}

// Stopped gives the share of trials that stopped.
func Stopped(xs []float64) float64 {
	return float64(len(xs)-len(dist.Finite(xs))) / float64(len(xs))
}

// Figures makes trials, as many as there is time for, and gives what each came to in
// the goal that is reported last, NaN for one that stopped. Decisions that are left open are
// made by choice; nil: they take their defaults.
func Figures(ctx context.Context, p *core.Prepared, trials int, seed uint64, until time.Time, choice interp.Choice) (xs []float64, chance bool, err error) {
	p.Broke = nil
	return FiguresFrom(ctx, p, 0, trials, seed, until, choice)
}

// FiguresFrom goes on with figures: it makes the trials from number first on.
func FiguresFrom(ctx context.Context, p *core.Prepared, first, trials int, seed uint64, until time.Time, choice interp.Choice) (xs []float64, chance bool, err error) {
	s, m := p.Run, p.Run.M
	back := s.Host.Instead(choice)
	out, prog, seeded, noting, attended := m.Out, m.Prog, m.Seeded, m.Noting, m.Attended
	defer func() {
		back()
		m.Out, m.Prog, m.Seeded, m.Noting, m.Attended, m.Log = out, prog, seeded, noting, attended, &s.Log
		m.Reporting, m.Reports = false, nil
	}()
	m.Out, m.Prog, m.Log, m.Seeded, m.Reporting = nil, p.World.Prog, nil, true, true
	m.Noting, m.Attended = machine.NoteNothing, false
	chance = true
	for k := first; k < trials; k++ {
		if k&7 == 7 && !until.IsZero() && time.Now().After(until) {
			break
		}
		s.Count()
		p.Rewind()
		m.Reports = m.Reports[:0]
		if c, ok := choice.(beginner); ok {
			c.Begin()
		}
		seedWith(p, TrialSeed(seed, int64(k)))
		failed := p.Execute(ctx, 1)
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		if failed != nil && p.Broke == nil {
			p.Broke = failed
		}
		if failed != nil || len(m.Reports) == 0 {
			xs = append(xs, math.NaN())
			continue
		}
		x, truth := dist.NumberOf(s.Heap, m.Reports[len(m.Reports)-1].Value)
		xs, chance = append(xs, x), chance && truth
	}
	return xs, chance, nil
}

// beginner is a Choice that is told when a trial begins.
type beginner interface{ Begin() }

// PilotTrials are made with each change at first.
const PilotTrials = 24
