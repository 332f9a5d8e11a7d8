package odds

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/odds"
	"setpiece/interp/internal/value"
)

// From the ends of a graph to what a person reads: the ends with the same reports are one, in the
// order of their values.

// End is one way in which a text can end.
type End struct {
	Values []value.V
	Shown  []string // the values as shown, "" where there is none
	P      float64
	Exact  *big.Rat // nil when only P is known; then it is more likely by Odds.Remainder at most
	Solved float64  // how much of P was followed; less than P only where Odds.Sampled is set
	Trials int64    // of those of Odds.Sampled, how many ended so
	Fault  *interp.RunError
}

// distributions gives the ends of a graph with these weights.
func distributions(ctx context.Context, s *core.Run, g *odds.Graph, cfg Config, w *weights) (*Odds, error) {
	o := &Odds{States: len(g.Checkpoints), Merged: g.Merged, Sampled: w.sampled, heap: s.Heap, data: s.Host.Value}
	names := language.LastNames(s.World)
	used := make([]bool, len(names))
	reports := false
	for i := range g.Checkpoints {
		r := g.Checkpoints[i]
		if r.Kind != odds.Terminal {
			continue
		}
		reps, last := Seen(r)
		reports = reports || len(reps) > 0
		for i, v := range last {
			used[i] = used[i] || v != value.None
		}
	}
	cells := []int{}
	if o.reports = reports; reports {
		for _, info := range s.M.Reported {
			o.Columns = append(o.Columns, info.(*ir.ReportInfo).Column)
		}
		if len(cfg.Best) > 0 || cfg.Goal != "" {
			o.Columns = o.Columns[:len(o.Columns)-1] // the goal is told apart
		}
	} else {
		for i, u := range used {
			if u {
				cells = append(cells, i)
				o.Columns = append(o.Columns, names[i])
			}
		}
	}
	for i := range g.Checkpoints {
		if i&1023 == 1023 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r := g.Checkpoints[i]
		p, trials := w.of(i)
		var ex *big.Rat
		if w.exact != nil {
			ex = w.exact[i]
		}
		switch {
		case r.Kind == odds.Transient && w.sampled != nil:
			continue // it has been shared out
		case r.Kind == odds.Transient:
			o.Remainder += p
			continue
		case p == 0 && (ex == nil || ex.Sign() == 0):
			continue
		}
		e := End{P: p, Exact: ex, Solved: w.all[i], Trials: trials, Values: make([]value.V, len(o.Columns))}
		for k := range e.Values {
			e.Values[k] = value.None
		}
		if r.Kind == odds.Broken {
			e.Fault = s.Host.Broken(r.Fault).(*interp.RunError)
		} else {
			reps, last := Seen(r)
			if reports {
				for _, rep := range reps {
					if rep.Info < len(e.Values) {
						e.Values[rep.Info] = rep.Value
					}
				}
			} else {
				for k, c := range cells {
					e.Values[k] = last[c]
				}
			}
		}
		o.Ends = append(o.Ends, e)
	}
	if w.sampled != nil && cfg.Goal != "" {
		sampledGoal(s, g, w, o)
	}
	if o.Remainder > 0 {
		for i := range o.Ends {
			o.Ends[i].Exact = nil // what was not followed may end so, too
		}
	}
	if err := show(ctx, s.M, o.Ends, len(o.Columns)); err != nil {
		return nil, err
	}
	var err error
	o.Ends, err = sorted(ctx, o.Ends)
	return o, err
}

// show shows the values of ends, n of each.
func show(ctx context.Context, m *machine.Machine, ends []End, n int) error {
	known := map[value.V]string{value.None: ""}
	all := make([]string, 0, n*len(ends))
	for i := range ends {
		if i&1023 == 1023 && ctx.Err() != nil {
			return ctx.Err()
		}
		from := len(all)
		for _, v := range ends[i].Values {
			t, ok := known[v]
			if !ok {
				t = m.Show(v)
				known[v] = t
			}
			all = append(all, t)
		}
		ends[i].Shown = all[from:len(all):len(all)]
	}
	return nil
}

// sorted gives ends from the likeliest down, equal ones by what they show.
func sorted(ctx context.Context, ends []End) ([]End, error) {
	order := make([]int32, len(ends))
	for i := range order {
		order[i] = int32(i)
	}
	order, err := sortWithin(ctx, order, func(i, k int32) int {
		a, b := &ends[i], &ends[k]
		return cmp.Or(cmp.Compare(b.P, a.P), slices.Compare(a.Shown, b.Shown), int(i-k))
	})
	if err != nil {
		return nil, err
	}
	out := make([]End, len(ends))
	for i, k := range order {
		out[i] = ends[k]
	}
	return out, nil
}

// sortWithin sorts as slices.SortStableFunc does, and ends with a context: it sorts pieces
// of the list and merges them.
func sortWithin[T any](ctx context.Context, list []T, compare func(a, b T) int) ([]T, error) {
	const piece = 1 << 12
	for from := 0; from < len(list); from += piece {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		slices.SortStableFunc(list[from:min(from+piece, len(list))], compare)
	}
	out := make([]T, len(list))
	for n := piece; n < len(list); n *= 2 {
		for from := 0; from < len(list); from += 2 * n {
			mid, end := min(from+n, len(list)), min(from+2*n, len(list))
			a, b := list[from:mid], list[mid:end]
			for at := from; at < end; at++ {
				if at&(piece-1) == 0 && ctx.Err() != nil {
					return nil, ctx.Err()
				}
				if len(b) == 0 || len(a) > 0 && compare(a[0], b[0]) <= 0 {
					out[at], a = a[0], a[1:]
				} else {
					out[at], b = b[0], b[1:]
				}
			}
		}
		list, out = out, list
	}
	return list, nil
}

// Certain gives the error in which everything ends, the likeliest where they differ in what they name; nil when
// there is another end, or one in another place.
func (o *Odds) Certain() *interp.RunError {
	if len(o.Ends) == 0 || o.Remainder > 0 || o.Estimated() || o.ByColumn() {
		return nil
	}
	first := o.Ends[0].Fault
	if first == nil || slices.ContainsFunc(o.Ends, func(e End) bool { return e.Fault == nil || e.Fault.Diag.Span != first.Diag.Span }) {
		return nil
	}
	return first
}

// Stops gives the share of what stops with an error, and the likeliest of these errors;
// "" where nothing does.
func (o *Odds) Stops() (share float64, what string) {
	for _, e := range o.Ends {
		if e.Fault != nil {
			if what == "" {
				what = e.Fault.At()
			}
			share += e.P
		}
	}
	return share, what
}

// FieldAt gives the field that a word of the store is, nil when it is none.
func FieldAt(s *core.Run, at int) *code.Field {
	for _, off := range s.M.Prog.Live {
		if t := s.M.TypeOf(off); at >= off+code.Header && at < off+len(t.Template) {
			return &t.Fields[at-off-code.Header]
		}
	}
	return nil
}

// Data gives the value of column i in one of the ends; none where it has none.
func (o *Odds) Data(e End, i int) interp.Value { return o.data(e.Values[i]).(interp.Value) }

// Distribution gives the distribution of column i. Its weights are exact only where
// everything was followed.
func (o *Odds) Distribution(i int) *dist.Distribution {
	if o.ByColumn() {
		return o.byColumn[i]
	}
	c := dist.NewCollector(o.Columns[i])
	c.L.Sampled = o.Sampled
	for _, e := range o.Ends {
		if e.Fault != nil {
			continue
		}
		p := dist.Point{Shown: e.Shown[i], Data: o.Data(e, i), P: e.P, Exact: e.Exact, Solved: e.Solved, Trials: e.Trials}
		if e.Values[i].IsNumber() {
			p.Number = o.heap.RatOf(e.Values[i])
		}
		c.Add(p)
	}
	return c.Law()
}

// Seen reads the state of an end.
func Seen(r *odds.Checkpoint) (reports []machine.Report, last []value.V) {
	st := r.Words
	n := int(st[0].Int())
	st = st[1:]
	for range n {
		reports = append(reports, machine.Report{Info: int(st[0].Int()), Value: st[1]})
		st = st[2:]
	}
	return reports, st
}

// when tells what is other at a rest than it was in the beginning.
func when(s *core.Run, r *odds.Checkpoint) string {
	var out []string
	for i := 0; i < len(r.Words); i += 2 {
		at := int(r.Words[i].Int())
		if f := FieldAt(s, at); f != nil && !f.Hidden {
			out = append(out, NameOfWord(s, at)+" "+s.M.Show(r.Words[i+1]))
		}
	}
	return strings.Join(out, ", ")
}
