package interp

import (
	"context"

	"setpiece/interp/internal/ablate"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/odds"
	"setpiece/interp/internal/sim"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Prepared is a text compiled once, to be run many times from one state, as a
// simulation or a benchmark does. It tells no events.
type Prepared struct {
	s      *Session
	world  *decl.World
	funcs  []*code.Func
	state  *Snapshot
	runs   int // made by executing the rules
	auto   *sim.Automaton
	plain  bool       // nothing is to be remembered
	apart  bool       // states are hardly ever met again, so that they are not remembered
	kept   value.Mark // the values that are not those of a run
	left   value.Mark // all values that the latest run has left
	links  int        // how many functions had been linked then
	paired bool       // trials are compared with those of another text, see Compare
	broke  error      // what stopped the first of the latest trials that stopped

	memory map[string]*odds.Memory // of its odds, by who decides for the best
}

// asked is a text that odds have been asked of.
type asked struct {
	world *decl.World
	p     *Prepared
}

// maxAsked bounds how many texts are kept.
const maxAsked = 32

// again gives a text prepared as it was when it was asked of before, if nothing has
// been declared since, so that what was worked out then helps now.
func (s *Session) again(ctx context.Context, src *lang.Source) (*Prepared, error) {
	key := src.Name + "\x00" + src.Text
	if a := s.asked[key]; a != nil && a.world == s.world {
		s.begin()
		a.p.state = s.Snapshot()
		return a.p, nil
	}
	before := s.world
	p, err := s.prepare(ctx, src)
	if err != nil {
		return nil, err
	}
	if language.Same(s.world, before) {
		s.world, s.m.Prog = before, before.Prog
		if len(s.asked) >= maxAsked || s.asked == nil {
			s.asked = map[string]*asked{}
		}
		s.asked[key] = &asked{before, p}
	}
	return p, nil
}

// Prepare compiles a text against the session as it is. Instances that the
// text declares, and modules it takes into use, stay declared.
func (s *Session) Prepare(src *lang.Source) (*Prepared, error) {
	return s.prepare(context.Background(), src)
}

func (s *Session) prepare(ctx context.Context, src *lang.Source) (*Prepared, error) {
	w, out, _, err := s.compile(ctx, src, true)
	if err != nil {
		return nil, err
	}
	old := s.world
	s.world, s.m.Prog = w, w.Prog
	if !language.Same(w, old) {
		s.declares(s.heap.Mark())
	}
	s.begin()
	if err := s.started(ctx, old, out); err != nil {
		return nil, err
	}
	var todo []compile.Statement
	for _, st := range out.Statements {
		if !st.Init {
			todo = append(todo, st)
		} else if err := s.statement(ctx, st.Func); err != nil {
			return nil, err
		}
	}
	p := &Prepared{s: s, world: language.Unattended(s.world)}
	for _, st := range todo {
		p.funcs = append(p.funcs, st.Func)
	}
	p.state = s.Snapshot()
	return p, nil
}

// remembered is how many runs are made before it pays to remember where throws
// lead.
const remembered = 16

// Run runs the text n times, each time from the state in which it was
// prepared; only the generator goes on. After the last run the session is in
// the state that run left.
//
// Where the dice lead is remembered (sim.Automaton): the first runs execute
// the rules, later ones follow the ways that were taken before.
func (p *Prepared) Run(ctx context.Context, n int) error {
	s, m := p.s, p.s.m
	out, prog := m.Out, m.Prog
	defer func() {
		m.Out, m.Prog, m.Log, m.Attended = out, prog, &s.log, true
		m.Leave() // a run that failed stands where it failed
	}()
	m.Out, m.Prog, m.Log, m.Attended = nil, p.world.Prog, nil, false
	p.rewind()
	s.limits()
	few := n
	if p.remembers() {
		few = min(n, max(remembered-p.runs, 0))
	}
	if err := p.execute(ctx, few); err != nil || few == n {
		return err
	}
	p.rewind()
	if p.auto == nil {
		p.auto = sim.NewAutomaton(m, p.funcs, false)
	}
	p.auto.Planned = max(p.auto.Planned, n)
	p.auto.Ended = func() bool { return ctx.Err() != nil }
	p.auto.Open()
	for i := few; i < n; i++ {
		if !p.auto.Pays() {
			p.auto.Close()
			p.auto, p.apart = nil, true
			p.rewind()
			return p.execute(ctx, n-i)
		}
		if p.auto.Run() {
			if i == n-1 {
				p.auto.Settle()
			}
		} else {
			p.auto.Close()
			p.rewind()
			if err := p.execute(ctx, 1); err != nil {
				return err
			}
			if i < n-1 {
				p.rewind()
			}
			p.auto.Open()
		}
		if i&1023 == 1023 && ctx.Err() != nil {
			p.auto.Close()
			return s.stopped(ctx.Err())
		}
	}
	p.auto.Close()
	return nil
}

// rewind puts the session into the state in which the text was prepared, but for the generator and
// what a person has given.
func (p *Prepared) rewind() {
	m := p.s.m
	m.Store = append(m.Store[:0], p.state.store...)
	p.give()
}

// give gives a run what the script had given when it was prepared: dice of an earlier run that did not fall
// are not for this one.
func (p *Prepared) give() {
	m := p.s.m
	m.OwnFaces, m.OwnAnswers, m.OwnPicks, m.OwnCommands = p.state.ownFaces, p.state.ownAnswers, p.state.ownPicks, p.state.ownCommands
	m.Failures, m.Faults = nil, 0
}

// remembers says whether ways can be remembered: the generator throws, and
// nobody is asked.
func (p *Prepared) remembers() bool {
	m := p.s.m
	return !ablate.Automaton && !p.plain && !p.apart && m.Seeded && p.s.cfg.Choice == nil && len(m.Faces)+len(m.OwnFaces)+len(m.Answers)+len(m.OwnAnswers)+len(m.OwnPicks) == 0
}

// execute makes runs by executing the rules.
func (p *Prepared) execute(ctx context.Context, n int) error {
	s, m := p.s, p.s.m
	m.Journal(true)
	defer m.Journal(false)
	for i := range n {
		if i > 0 {
			m.Undo()
			p.give()
		}
		p.tidy()
		p.runs++
		m.Steps, m.Thrown, m.Printed = 0, 0, 0
		s.timed()
		var err error
		for i := 0; i < len(p.funcs) && err == nil; i++ {
			err = p.one(ctx, p.funcs[i])
		}
		p.left = s.heap.Mark()
		if err != nil {
			m.Undo()
			return err
		}
		if i&1023 == 1023 && ctx.Err() != nil {
			return s.stopped(ctx.Err())
		}
	}
	return nil
}

// tidy is called between two runs, with the store as it was prepared. It gives the memory
// back that values of earlier runs take.
func (p *Prepared) tidy() {
	s, m := p.s, p.s.m
	switch {
	case p.auto != nil:
		// what it remembers refers to the values
	case m.Links > p.links || s.heap.Mark() != p.left:
		p.kept, p.links = s.heap.Mark(), m.Links
	default:
		s.heap.Release(p.kept)
	}
}

// one runs one statement; most need nothing from outside.
func (p *Prepared) one(ctx context.Context, f *code.Func) error {
	m := p.s.m
	if err := m.Start(f); err != nil {
		return err
	}
	m.MaxSteps = min(looksAfter, m.StepLimit)
	if st := m.Run(); st != machine.Done {
		return p.s.carryOn(ctx, st)
	}
	return nil
}
