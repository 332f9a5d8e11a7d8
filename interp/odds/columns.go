package odds

import (
	"context"
	"slices"
	"time"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/resolve"
	"setpiece/interp/sim"
	"setpiece/lang"
)

// Every value that a text reports has to be kept until it ends, so that reports of several
// values have the product of their states: of two counters with a hundred values each, ten
// thousand. Where that is too much each column is solved on its own, by a text that reports
// nothing else. Then it is known how likely each value is, but not which values come together.

// maxHopeless is of how many columns, one after the other, nothing may be solved before the
// others are not tried.
const maxHopeless = 2

// alone is one value that a text reports, and the text that reports only that.
type alone struct {
	name string
	text *lang.Source
}

// columns gives the columns of a text, each with its own text; nil where there is one only,
// or where reporting one of them does more than tell of it.
func columns(ctx context.Context, s *core.Run, src *lang.Source, reports []*lang.Report) []alone {
	w, compiled, _, err := s.Compile(ctx, src, false)
	if err != nil {
		return nil
	}
	for _, r := range reports {
		for _, v := range r.Values {
			if !resolve.Pure(w, v.Value) {
				return nil
			}
		}
	}
	var out []alone
	for _, r := range compiled.Reported {
		c := alone{name: r.Column}
		var edits []lang.Edit
		found := false
		for _, x := range reports {
			k := slices.IndexFunc(x.Values, func(v *lang.Reported) bool { return v.Start == r.At.Start && v.End == r.At.End })
			if k < 0 {
				edits = append(edits, lang.Edit{Span: x.Span})
				continue
			}
			found = true
			edits = append(edits, lang.Edit{Span: x.Span, New: "report " + src.Text[r.At.Start:r.At.End]})
		}
		if !found {
			return nil // a file that the text includes reports it
		}
		c.text = src.Edited(edits...)
		out = append(out, c)
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// oddsByColumn solves each column of a text on its own, where all together were too much. What
// of a column is not solved is sampled. Where most cannot be solved it gives none.
func oddsByColumn(ctx context.Context, s *core.Run, columns []alone, src *lang.Source, cfg Config, until time.Time) (*Odds, error) {
	before := s.Keep()
	out := &Odds{}
	hopeless, solved := 0, 0
	var open []int // of which nothing is known
	for i, c := range columns {
		one := cfg
		if cfg.Time > 0 {
			one.Time = max(time.Until(until)/time.Duration(len(columns)-i+1), 1)
		}
		var l *dist.Distribution
		if hopeless < maxHopeless && ctx.Err() == nil {
			o, err := oddsAtOnce(ctx, s, c.text, one)
			switch {
			case ctx.Err() != nil && (err != nil || !o.reports):
				// how far it was followed is not known, or it was followed to no report
			case err == nil && !o.reports:
				s.Back(before)
				continue // it comes to no report
			case err == nil:
				hopeless, solved = 0, solved+1
				l = o.Distribution(0)
				l.Name, l.Column = c.name, c.name
				out.States, out.Merged, out.Remainder = out.States+o.States, out.Merged+o.Merged, max(out.Remainder, o.Remainder)
				if solved == 1 {
					out.Refused = o.Refused
					out.Ends = slices.DeleteFunc(o.Ends, func(e End) bool { return e.Fault == nil })
				}
			case interp.OverOf(err) != "" && ctx.Err() == nil:
				hopeless++
			default:
				return nil, err
			}
			s.Back(before)
		}
		if l == nil {
			open = append(open, len(out.Columns))
		}
		out.Columns, out.byColumn = append(out.Columns, c.name), append(out.byColumn, l)
	}
	if ctx.Err() != nil && solved > 0 {
		for _, i := range open {
			out.byColumn[i], out.Remainder = &dist.Distribution{Name: out.Columns[i], Column: out.Columns[i]}, 1
		}
		return out, nil
	}
	if solved == 0 || len(open) > 0 && !sampleColumns(ctx, s, open, src, cfg, until, out) {
		return nil, nil
	}
	return out, nil
}

// certain makes odds by column those of a context that has ended: of what was sampled there is left
// what is known for good.
func (o *Odds) certain() *Odds {
	for _, l := range o.byColumn {
		if l.Sampled == nil {
			continue
		}
		o.Remainder = max(o.Remainder, l.Sampled.Weight)
		l.Sampled = nil
		for i := range l.Points {
			p := &l.Points[i]
			p.P, p.Trials = p.Solved, 0
		}
		l.Points = slices.DeleteFunc(l.Points, func(p dist.Point) bool { return p.P == 0 })
		l.Numbers = l.Numbers && len(l.Points) > 0
	}
	o.Stopped = true
	return o
}

// most gives the most that was sampled of a column.
func (o *Odds) most() float64 {
	most := 0.0
	for _, l := range o.byColumn {
		if l.Sampled != nil {
			most = max(most, l.Sampled.Weight)
		}
	}
	return most
}

// sampleColumns simulates the columns of which nothing was solved, and says whether there was
// time for a trial.
func sampleColumns(ctx context.Context, s *core.Run, open []int, src *lang.Source, cfg Config, until time.Time, out *Odds) bool {
	if cfg.Time > 0 {
		var done context.CancelFunc
		ctx, done = context.WithDeadline(ctx, until)
		defer done()
	}
	o, err := sim.FromRun(ctx, s, src, sim.Config{Trials: cfg.Trials})
	if err != nil || o.Trials == 0 {
		return false
	}
	for _, i := range open {
		k := slices.Index(o.Columns, out.Columns[i])
		if k < 0 {
			return false
		}
		out.byColumn[i] = o.Distribution(k)
	}
	return true
}
