package odds

import (
	"context"
	"time"

	"setpiece/interp"
	"setpiece/interp/sim"
	"setpiece/lang"
)

// Law is what a text can lead to: exactly or, where that is too much, as trials have shown.
type Law struct {
	Odds *Odds       // nil where that was too much
	Over interp.Over // what of; "" where it was not
	Sim  *sim.Sim    // the trials that stand in, nil where none were asked for
	Took time.Duration
	Slow lang.Diagnostics // what was slow for no need, where the odds took many states or met a bound
}

// LawOf works out what a text can lead to, as Of does. Where that is too much, and cfg does not insist, trials are made
// in its place, by whoever knows how many: spent is how long the odds took. Without trials it says what was too much.
func LawOf(ctx context.Context, s *interp.Session, src *lang.Source, cfg Config, trials func(spent time.Duration) (*sim.Sim, error)) (*Law, error) {
	began, l := time.Now(), &Law{}
	cfg.slow = &l.Slow
	o, err := Of(ctx, s, src, cfg)
	l.Odds, l.Over = o, interp.OverOf(err)
	if l.Over == "" || cfg.Exact {
		return l, err
	}
	if trials == nil {
		return l, nil
	}
	spent := time.Since(began)
	l.Sim, err = trials(spent)
	l.Took = time.Since(began) - spent
	return l, err
}
