package core

import (
	"context"

	"setpiece/interp/internal/ablate"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/odds"
	"setpiece/interp/internal/pause"
	"setpiece/interp/internal/sim"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Prepared is a text compiled once, to be run many times from one state, as a
// simulation or a benchmark does. It tells no events.
type Prepared struct {
	Run    *Run
	World  *decl.World
	Funcs  []*code.Func
	State  *Snapshot
	runs   int // made by executing the rules
	Auto   *sim.Automaton
	Plain  bool       // nothing is to be remembered
	Apart  bool       // states are hardly ever met again, so that they are not remembered
	kept   value.Mark // the values that are not those of a run
	left   value.Mark // all values that the latest run has left
	links  int        // how many functions had been linked then
	Paired bool       // trials are compared with those of another text, see Compare
	Broke  error      // what stopped the first of the latest trials that stopped

	Memory map[string]*odds.Memory // of its odds, by who decides for the best
}

// asked is a text that odds have been asked of.
type asked struct {
	world *decl.World
	p     *Prepared
}

// maxAsked bounds how many texts are kept.
const maxAsked = 32

// Again gives a text prepared as it was when it was asked of before, if nothing has
// been declared since, so that what was worked out then helps now.
func (r *Run) Again(ctx context.Context, src *lang.Source) (*Prepared, error) {
	key := src.Name + "\x00" + src.Text
	if a := r.asked[key]; a != nil && a.world == r.World {
		r.Begin()
		a.p.State = r.Keep()
		return a.p, nil
	}
	before := r.World
	p, err := r.Prepare(ctx, src)
	if err != nil {
		return nil, err
	}
	if language.Same(r.World, before) {
		r.World, r.M.Prog = before, before.Prog
		if len(r.asked) >= maxAsked || r.asked == nil {
			r.asked = map[string]*asked{}
		}
		r.asked[key] = &asked{before, p}
	}
	return p, nil
}

func (r *Run) Prepare(ctx context.Context, src *lang.Source) (*Prepared, error) {
	w, out, _, err := r.Compile(ctx, src, true)
	if err != nil {
		return nil, err
	}
	old := r.World
	r.World, r.M.Prog = w, w.Prog
	if !language.Same(w, old) {
		r.Declares(r.Heap.Mark())
	}
	r.Begin()
	if err := r.Started(ctx, old, out); err != nil {
		return nil, err
	}
	var todo []compile.Statement
	for _, st := range out.Statements {
		if !st.Init {
			todo = append(todo, st)
		} else if err := r.Statement(ctx, st.Func); err != nil {
			return nil, err
		}
	}
	p := &Prepared{Run: r, World: language.Unattended(r.World)}
	for _, st := range todo {
		p.Funcs = append(p.Funcs, st.Func)
	}
	p.State = r.Keep()
	return p, nil
}

// remembered is how many runs are made before it pays to remember where throws
// lead.
const remembered = 16

// Times runs the text n times, each time from the state in which it was
// prepared; only the generator goes on. After the last run the session is in
// the state that run left.
//
// Where the dice lead is remembered (sim.Automaton): the first runs execute
// the rules, later ones follow the ways that were taken before.
func (p *Prepared) Times(ctx context.Context, n int) error {
	r, m := p.Run, p.Run.M
	back := m.Switch(m.Unheard(), p.World.Prog)
	defer func() {
		back()
		m.Leave() // a run that failed stands where it failed
	}()
	p.Rewind()
	r.Count()
	few := n
	if p.Remembers() {
		few = min(n, max(remembered-p.runs, 0))
	}
	if err := p.Execute(ctx, few); err != nil || few == n {
		return err
	}
	p.Rewind()
	if p.Auto == nil {
		p.Auto = sim.NewAutomaton(m, p.Funcs, false)
	}
	p.Auto.Planned = max(p.Auto.Planned, n)
	p.Auto.Ended = func() bool { return pause.Err(ctx) != nil }
	p.Auto.Open()
	for i := few; i < n; i++ {
		if !p.Auto.Pays() {
			p.Auto.Close()
			p.Auto, p.Apart = nil, true
			p.Rewind()
			return p.Execute(ctx, n-i)
		}
		if p.Auto.Run() {
			if i == n-1 {
				p.Auto.Settle()
			}
		} else {
			p.Auto.Close()
			p.Rewind()
			if err := p.Execute(ctx, 1); err != nil {
				return err
			}
			if i < n-1 {
				p.Rewind()
			}
			p.Auto.Open()
		}
		if i&1023 == 1023 && ctx.Err() != nil {
			p.Auto.Close()
			return r.Host.Stopped(ctx.Err())
		}
	}
	p.Auto.Close()
	return nil
}

// Rewind puts the session into the state in which the text was prepared, but for the generator and
// what a person has given.
func (p *Prepared) Rewind() {
	m := p.Run.M
	m.Store = append(m.Store[:0], p.State.Store...)
	p.give()
}

// give gives a run what the script had given when it was prepared: dice of an earlier run that did not fall
// are not for this one.
func (p *Prepared) give() {
	m := p.Run.M
	m.Own = p.State.Own
	m.Failures, m.Faults = nil, 0
}

// Remembers says whether ways can be remembered: the generator throws, and
// nobody is asked.
func (p *Prepared) Remembers() bool {
	m := p.Run.M
	return !ablate.Automaton && !p.Plain && !p.Apart && m.Seeded && !p.Run.Host.Decides() && len(m.Faces)+len(m.Own.Faces)+len(m.Answers)+len(m.Own.Answers)+len(m.Own.Picks) == 0
}

// Execute makes runs by executing the rules.
func (p *Prepared) Execute(ctx context.Context, n int) error {
	r, m := p.Run, p.Run.M
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
		r.timed()
		var err error
		for i := 0; i < len(p.Funcs) && err == nil; i++ {
			err = p.one(ctx, p.Funcs[i])
		}
		p.left = r.Heap.Mark()
		if err != nil {
			m.Undo()
			return err
		}
		if i&1023 == 1023 && ctx.Err() != nil {
			return r.Host.Stopped(ctx.Err())
		}
	}
	return nil
}

// tidy is called between two runs, with the store as it was prepared. It gives the memory
// back that values of earlier runs take.
func (p *Prepared) tidy() {
	r, m := p.Run, p.Run.M
	switch {
	case p.Auto != nil: // what it remembers refers to the values
		p.kept, p.links = r.Heap.Mark(), m.Links
	case m.Links > p.links || r.Heap.Mark() != p.left:
		p.kept, p.links = r.Heap.Mark(), m.Links
	default:
		r.Heap.Release(p.kept)
	}
}

// one runs one statement; most need nothing from outside.
func (p *Prepared) one(ctx context.Context, f *code.Func) error {
	m := p.Run.M
	if err := m.Start(f); err != nil {
		return err
	}
	m.MaxSteps = min(LooksAfter, m.StepLimit)
	if st := m.Run(); st != machine.Done {
		return p.Run.carryOn(ctx, st)
	}
	return nil
}
