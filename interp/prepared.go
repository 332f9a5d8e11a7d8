package interp

import (
	"context"

	"setpiece/interp/internal/core"
	"setpiece/lang"
)

// Prepared is a text compiled once, to be run many times from one state, as a
// simulation or a benchmark does. It tells no events.
type Prepared struct {
	p    *core.Prepared
	s    *Session
	runs int // of the session, when it was prepared
}

// Prepare compiles a text against the session as it is. Instances that the
// text declares, and modules it takes into use, stay declared.
func (s *Session) Prepare(src *lang.Source) (*Prepared, error) {
	if s.running {
		return nil, ErrRunning
	}
	p, err := s.run.Prepare(context.Background(), src)
	if err != nil {
		return nil, err
	}
	return &Prepared{p, s, s.runs}, nil
}

// Run runs the text n times, each time from the state in which it was
// prepared; only the generator goes on. After the last run the session is in
// the state that run left.
//
// Where the dice lead is remembered: the first runs execute the rules, later ones follow
// the ways that were taken before.
func (p *Prepared) Run(ctx context.Context, n int) error {
	if p.s.running {
		return ErrRunning
	}
	if p.runs != p.s.runs {
		return ErrRunSince
	}
	return p.p.Times(ctx, n)
}
