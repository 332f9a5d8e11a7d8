package cli

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"setpiece/cmd/internal/render"
	"setpiece/interp/sim"
	"setpiece/interp/transcript"
)

// sides are the two scripts of  sim --vs: two FILEs, or one as it is and with changes.
type sides struct {
	on       bool
	variants []string
}

// versus reads the two sides of a comparison.
func (a *app) versus(ctx context.Context, p *playing, v *sides, args []string) (list []script, titles []string, err error) {
	lets := p.let
	one := len(args)+min(len(p.texts), 1) == 1
	if one {
		p.let = nil // the change is that of the second side
	}
	if list, err = a.given(ctx, p, args, "sim"); err != nil {
		return nil, nil, err
	}
	switch {
	case len(list) > 2:
		return nil, nil, wrong("", "sim --vs compares two scripts", "two FILEs, or one FILE with --let or --with")
	case !one:
		if list[0].src.Name == list[1].src.Name && len(v.variants) == 0 {
			return nil, nil, wrong(list[1].src.Name, "both scripts are "+list[1].src.Name, "--let or --with says what is different")
		}
		titles = []string{list[0].name(), list[1].name()}
	case len(lets)+len(v.variants) == 0:
		return nil, nil, wrong("--vs", "sim --vs needs something to compare with", "a second FILE, --let NAME=VALUE, or --with VARIANT")
	default:
		list = append(list, list[0])
		var what []string
		for _, name := range slices.Sorted(maps.Keys(lets)) {
			what = append(what, name+"="+lets[name])
		}
		titles = []string{list[0].name(), "with " + strings.Join(append(what, v.variants...), ", ")}
		other := list[1:]
		if err := lets.apply(ctx, other); err != nil {
			return nil, nil, err
		}
	}
	for _, name := range v.variants {
		list[1] = withVariant(list[1], name)
	}
	return list, titles, nil
}

// compare prints how a second script differs from a first, from as many trials as there is time for; 0 is
// for all; table asks for CSV. The error may be sim.ErrApart.
func (a *app) compare(ctx context.Context, p *playing, list []script, titles []string, sc sim.Config, table bool, within time.Duration) error {
	working := a.working("sim")
	limited := ctx
	if within > 0 {
		var done func()
		limited, done = context.WithTimeout(ctx, within)
		defer done()
	}
	o, err := sim.Compare(limited, sim.Side{Config: p.config(list[0]), Source: list[0].src}, sim.Side{Config: p.config(list[1]), Source: list[1].src},
		sim.CompareConfig{Trials: sc.Trials, Until: sc.Until, Seed: p.seed, Workers: sc.Workers, Progress: working.set, Goal: sc.Goal})
	working.stop()
	switch {
	case errors.Is(err, sim.ErrApart):
		return err
	case err != nil:
		return a.failed(err)
	}
	if o.Stopped && ctx.Err() != nil || o.Stopped && within == 0 {
		a.worse(statusFailed)
		a.note("stopped after " + render.Thousands(o.Trials) + " trials of each")
	}
	if o.Trials == 0 {
		return nil
	}
	if a.json != nil {
		a.object(jsonComparison{Record: transcript.Record{Event: "comparison"}, Goal: o.Goal, Sides: titles, Trials: o.Trials, Stops: o.Stops[:], Rows: jsonDifferences(o.Rows)})
		return nil
	}
	if table {
		return render.CSVDifferences(a.out, titles, o)
	}
	if o.Doc != "" {
		a.note("the goal is " + o.Goal + ": " + o.Doc + "; --goal chooses another")
	}
	render.Comparison(a.out, a.palette(), titles, o)
	return nil
}

type jsonComparison struct {
	transcript.Record
	Goal   string           `json:"goal"`
	Sides  []string         `json:"sides"`
	Trials int64            `json:"trials"`
	Stops  []float64        `json:"stops"`
	Rows   []jsonDifference `json:"rows"` // the goal first
}

type jsonDifference struct {
	What   string    `json:"what"`
	Chance bool      `json:"chance"`
	Values []float64 `json:"values"`
	By     float64   `json:"by"`
	Half   float64   `json:"half"` // of the 95 % interval of by
}

func jsonDifferences(rows []sim.Difference) []jsonDifference {
	var out []jsonDifference
	for _, d := range rows {
		out = append(out, jsonDifference{d.What, d.Chance, d.Value[:], d.By, d.Half})
	}
	return out
}
