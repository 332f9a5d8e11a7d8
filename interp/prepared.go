package interp

import (
	"context"

	"setpiece/interp/internal/machine"
	"setpiece/lang"
)

// Prepared is a text compiled once, to be run many times from one state, as a
// simulation or a benchmark does. It tells no events.
type Prepared struct {
	s     *Session
	funcs []*machine.Func
	state *Snapshot
}

// Prepare compiles a text against the session as it is. Instances that the
// text declares, and modules it takes into use, stay declared.
func (s *Session) Prepare(src *lang.Source) (*Prepared, error) {
	w, out, diags := s.compile(src, true)
	if failed(diags) {
		return nil, diags
	}
	s.world, s.m.Prog = w, w.Prog
	s.begin()
	if err := s.started(context.Background(), s.world, out); err != nil {
		return nil, err
	}
	p := &Prepared{s: s}
	for _, st := range out.Statements {
		p.funcs = append(p.funcs, st.Func)
	}
	p.state = s.Snapshot()
	return p, nil
}

// Run runs the text n times, each time from the state in which it was
// prepared; only the generator goes on. After the last run the session is in
// the state that run left.
func (p *Prepared) Run(ctx context.Context, n int) error {
	s := p.s
	mark, links := s.heap.Mark(), s.m.Links
	s.m.Log = nil
	defer func() { s.m.Log = &s.log }()
	for i := range n {
		if i > 0 {
			s.m.Store = append(s.m.Store[:0], p.state.store...)
			if s.m.Links > links {
				mark, links = s.heap.Mark(), s.m.Links
			}
			s.heap.Release(mark)
		}
		s.begin()
		s.m.Log = nil
		for _, f := range p.funcs {
			if err := s.call(ctx, f); err != nil {
				return err
			}
		}
	}
	return nil
}
