package interp

import (
	"context"
	"errors"

	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/odds"
	"setpiece/lang"
)

// Advice is what the options of a decision are worth at the moment it is made.
type Advice struct {
	Values []float64 // by option: the mean of the goal when it is taken
	Best   int
}

// advise works out what each option of the question at hand is worth for a goal
// (see OddsConfig.Goal), if whoever decides goes on to decide for the best and
// everybody else takes the defaults. It looks as far as the command that is being
// run goes. The run is as it was afterwards.
func (s *Session) advise(ctx context.Context, goal string) (*Advice, error) {
	src, err := withGoal(lang.NewSource("goal", "report no"), goal)
	if err != nil {
		return nil, err
	}
	m := s.m
	was := m.Suspend()
	world := s.world
	defer func() {
		m.Resume(was)
		s.world = world
	}()
	w, out, diags := s.compileAside(src)
	if failed(diags) {
		return nil, diags
	}
	who := m.Asked().Who
	m.Out, m.Log, m.Seeded, m.Prog = nil, nil, false, w.Prog
	// what is given beforehand is not known to whoever decides
	m.OwnFaces, m.Faces, m.OwnAnswers, m.Answers = nil, nil, nil, nil
	m.Reports = nil
	s.limits()
	funcs := []*machine.Func{nil}
	for _, st := range out.Statements {
		funcs = append(funcs, st.Func)
	}
	g := odds.New(m, funcs, nil)
	g.Limit = DefaultStates
	g.Least = 1e-16
	first := true
	g.Decide = func(q *machine.Question) (int, bool) {
		if first || q.Who == who {
			first = false
			return 0, false
		}
		return q.Default, true
	}
	if err := g.BuildFrom(ctx, machine.NeedChoice); err != nil {
		return nil, s.oddsError(g, err)
	}
	v := g.Best(s.goal)
	values := g.First(v)
	if values == nil {
		return nil, errors.New("there is nothing to decide")
	}
	a := &Advice{Values: values}
	for k, x := range values {
		if x > values[a.Best]+1e-14 {
			a.Best = k
		}
	}
	return a, nil
}

// compileAside compiles a text against the session without keeping anything it
// declares.
func (s *Session) compileAside(src *lang.Source) (*compile.World, *compile.Compiled, lang.Diagnostics) {
	tree, diags := lang.Parse(src)
	if failed(diags) {
		return nil, nil, diags
	}
	w := s.world.Clone()
	n := len(s.m.Store)
	out, diags := w.Compile(tree)
	if len(s.m.Store) != n {
		return nil, nil, lang.Diagnostics{{Message: "a goal cannot declare anything"}}
	}
	return w, out, diags
}
