package interp

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/odds"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// OddsConfig says how odds are worked out. The zero value is usable.
type OddsConfig struct {
	Exact  bool // fractions even where that takes long
	States int  // bound on the states met; 0: DefaultStates
}

// DefaultStates bounds the states that odds may meet.
const DefaultStates = 2_000_000

// Odds is the law of what a text leads to: every end, with its weight.
type Odds struct {
	Columns []string // what is told of each end: the outcome, its values, or what the text reports
	Ends    []End    // from the likeliest down
	Residue float64  // weight that was not followed to an end
	States  int      // states met between throws
	Merged  int      // how often a state was met again

	heap *value.Heap
}

// End is one way in which a text can end.
type End struct {
	Values []value.V
	Shown  []string // the values as shown, "" where there is none
	P      float64
	Exact  *big.Rat // nil when only P is known
	Fault  *RunError
}

// Odds works out exactly what a text can lead to from the session as it is,
// which it does not change. Unattended decisions take what clauses, tactics and
// defaults say. Instances that the text declares stay declared.
func (s *Session) Odds(ctx context.Context, src *lang.Source, cfg OddsConfig) (*Odds, error) {
	p, err := s.Prepare(reporting(src))
	if err != nil {
		return nil, err
	}
	g, done := p.graph(ctx)
	defer done()
	g.Limit = or(cfg.States, DefaultStates)
	if !cfg.Exact {
		g.Least = 1e-16
	}
	if err := g.Build(ctx); err != nil {
		return nil, s.oddsError(g, err)
	}
	return s.law(g, cfg)
}

// graph makes the graph of what p leads to; done gives the machine back.
func (p *Prepared) graph(ctx context.Context) (g *odds.Graph, done func()) {
	s, m := p.s, p.s.m
	out, prog, seeded := m.Out, m.Prog, m.Seeded
	m.Out, m.Prog, m.Log, m.Seeded = nil, p.world.Prog, nil, false
	// what was given beforehand falls first, and is part of the state
	faces, answers, ownFaces, ownAnswers := m.Faces, m.Answers, m.OwnFaces, m.OwnAnswers
	m.OwnFaces, m.OwnAnswers = slices.Concat(ownFaces, faces), slices.Concat(ownAnswers, answers)
	m.Faces, m.Answers = nil, nil
	m.Store = append(m.Store[:0], p.state.store...)
	s.limits()
	g = odds.New(m, p.funcs)
	return g, func() {
		g.Close()
		m.Out, m.Prog, m.Log, m.Seeded = out, prog, &s.log, seeded
		m.Failures, m.Faults = nil, 0
		m.Faces, m.Answers, m.OwnFaces, m.OwnAnswers = faces, answers, ownFaces, ownAnswers
	}
}

// reporting makes a report of the expression that a text ends with, if it does.
func reporting(src *lang.Source) *lang.Source {
	file, diags := lang.Parse(src)
	if failed(diags) || len(file.Stmts) == 0 {
		return src
	}
	x, ok := file.Stmts[len(file.Stmts)-1].(*lang.ExprStmt)
	if !ok {
		return src
	}
	return lang.NewSource(src.Name, src.Text[:x.Start]+"report "+src.Text[x.Start:])
}

// oddsError tells of a graph that grew too large what made it so: the fields and
// variables with the most values.
func (s *Session) oddsError(g *odds.Graph, err error) error {
	if !errors.Is(err, odds.ErrStates) {
		return err
	}
	d := &lang.Diagnostic{Message: fmt.Sprintf("more than %d states were met", g.Limit)}
	var most []string
	for _, x := range g.Variety() {
		if len(most) < 3 && x.Values > 2 {
			most = append(most, fmt.Sprintf("%s has %d values", s.nameOfWord(x.At), x.Values))
		}
	}
	if len(most) > 0 {
		d.Notes = append(d.Notes, lang.Note{Message: strings.Join(most, ", ")})
		d.Help = "count less, report less, or use sim"
	}
	return &RunError{Kind: Limit, Diag: d}
}

// nameOfWord names a word of the store: a field of an instance, or a variable.
func (s *Session) nameOfWord(at int) string {
	m := s.m
	for _, off := range slices.Backward(m.Prog.Live) {
		if t := m.TypeOf(off); at >= off+machine.Header && at < off+len(t.Template) {
			return m.PathOf(off) + "." + t.Fields[at-off-machine.Header].Name
		}
	}
	if name := s.world.VariableAt(at); name != "" {
		return name
	}
	return "the last outcome"
}

// exactRests is how many states a graph may have whose weights are worked out
// as fractions without being asked for.
const exactRests = 4000

func (s *Session) law(g *odds.Graph, cfg OddsConfig) (*Odds, error) {
	o := &Odds{States: len(g.Rests), Merged: g.Merged, heap: s.heap}
	weights := g.Floats()
	var exact []*big.Rat
	if cfg.Exact || len(g.Rests) <= exactRests {
		exact = g.Fractions()
	}
	names := s.world.LastNames()
	used := make([]bool, len(names))
	reports := false
	for i := range g.Rests {
		r := &g.Rests[i]
		if r.Kind != odds.End {
			continue
		}
		reps, last := seen(r)
		reports = reports || len(reps) > 0
		for i, v := range last {
			used[i] = used[i] || v != value.None
		}
	}
	cells := []int{}
	if reports {
		for _, info := range s.m.Reported {
			o.Columns = append(o.Columns, info.(*compile.ReportInfo).Text)
		}
	} else {
		for i, u := range used {
			if u {
				cells = append(cells, i)
				o.Columns = append(o.Columns, names[i])
			}
		}
	}
	for i := range g.Rests {
		r := &g.Rests[i]
		p := weights[i]
		var ex *big.Rat
		if exact != nil {
			ex = exact[i]
		}
		switch {
		case r.Kind == odds.Between:
			o.Residue += p
			continue
		case p == 0 && (ex == nil || ex.Sign() == 0):
			continue
		}
		e := End{P: p, Exact: ex, Values: make([]value.V, len(o.Columns))}
		for k := range e.Values {
			e.Values[k] = value.None
		}
		if r.Kind == odds.Broken {
			e.Fault = s.runError(g.Faults[r.Fault]).(*RunError)
		} else {
			reps, last := seen(r)
			if reports {
				for _, rep := range reps {
					e.Values[rep.Info] = rep.Value
				}
			} else {
				for k, c := range cells {
					e.Values[k] = last[c]
				}
			}
		}
		o.Ends = append(o.Ends, e)
	}
	for i := range o.Ends {
		for _, v := range o.Ends[i].Values {
			t := ""
			if v != value.None {
				t = s.m.Show(v)
			}
			o.Ends[i].Shown = append(o.Ends[i].Shown, t)
		}
	}
	slices.SortStableFunc(o.Ends, func(a, b End) int {
		switch {
		case a.P > b.P:
			return -1
		case a.P < b.P:
			return 1
		}
		return slices.Compare(a.Shown, b.Shown)
	})
	return o, nil
}

// seen reads the state of an end.
func seen(r *odds.Rest) (reports []machine.Report, last []value.V) {
	st := r.Words
	n := int(st[0].Int())
	st = st[1:]
	for range n {
		reports = append(reports, machine.Report{Info: int(st[0].Int()), Value: st[1]})
		st = st[2:]
	}
	return reports, st
}
