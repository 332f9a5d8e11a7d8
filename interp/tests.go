package interp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/machine"
	"setpiece/lang"
)

// TestResult is the outcome of one test block.
type TestResult struct {
	Name string
	At   lang.Span
	Err  error // nil when it passed
}

// Tests runs a source and then its test blocks. A test begins from what the source
// declares and sets up, without what its scenes did, or behind the scene that it names.
// If the source stops, the error says where, and the tests still run: a test behind a scene
// that was not played to its end fails. The session ends in the state after the source.
func (s *Session) Tests(ctx context.Context, src *lang.Source) ([]TestResult, error) {
	before := s.world.TestCount()
	fresh := s.Snapshot()
	s.m.Marks = map[int]machine.Marked{}
	stopped := s.Exec(ctx, src)
	marks := s.m.Marks
	s.m.Marks = nil
	if ds := (lang.Diagnostics)(nil); errors.As(stopped, &ds) || ctx.Err() != nil {
		return nil, stopped
	}
	defer s.restore(s.Snapshot())
	if err := s.setUp(ctx, src, fresh); err != nil {
		return nil, err
	}
	start := s.Snapshot()
	var out []TestResult
	for _, t := range s.world.TestsFrom(before) {
		r := TestResult{Name: t.Name, At: t.At}
		from, m := *start, marks[t.Mark]
		if t.After != "" {
			from.store, from.rng = m.Store, m.Generator
		}
		if from.store == nil {
			d := &lang.Diagnostic{Span: t.At, Message: fmt.Sprintf("the script has not played the scene %q", t.After)}
			if stopped != nil {
				d.Message = fmt.Sprintf("the script stops before the scene %q is over", t.After)
			}
			r.Err = &RunError{Kind: Failed, Diag: d}
		} else {
			r.Err = s.test(ctx, t, &from)
		}
		out = append(out, r)
	}
	return out, stopped
}

// setUp brings the session to where the tests of a source begin: everything is declared
// and set, nothing is played. A statement that needs what was played sets nothing.
func (s *Session) setUp(ctx context.Context, src *lang.Source, fresh *Snapshot) error {
	events := s.cfg.Events
	s.SetEvents(nil)
	defer s.SetEvents(events)
	s.restore(fresh)
	w, out, _, err := s.compile(ctx, src, true)
	if err != nil {
		return err
	}
	old := s.world
	s.world, s.m.Prog = w, w.Prog
	s.begin()
	if err := s.started(ctx, old, out); err != nil {
		return err
	}
	for _, st := range out.Statements {
		if st.Plays {
			continue
		}
		if err := s.statement(ctx, st.Func); err != nil && ctx.Err() != nil {
			return err
		}
		s.m.Failures, s.m.Faults = nil, 0
	}
	s.m.OwnFaces, s.m.OwnAnswers, s.m.OwnCommands = nil, nil, nil // what the script gives is for what it plays
	return nil
}

// test runs one test block from a state, and brings the session back to it.
func (s *Session) test(ctx context.Context, t *compile.Test, from *Snapshot) error {
	s.restore(from)
	s.begin()
	s.m.Refusals = 0
	faults := s.faults
	err := s.statement(ctx, s.world.Prog.Slots[t.Slot])
	if e := s.unmet(); err == nil && e != nil {
		err = e
	}
	if err == nil && s.faults > faults {
		err = fmt.Errorf("a rule was broken")
	}
	if left := s.m.OwnFaces; err == nil && len(left) > 0 {
		var shown []string
		for _, f := range left {
			shown = append(shown, fmt.Sprint(f))
		}
		err = &RunError{Kind: Failed, Diag: &lang.Diagnostic{Span: t.At, Message: "the test gives dice that do not fall: " + strings.Join(shown, ", ")}}
	}
	s.restore(from)
	for _, o := range t.Odds {
		if err == nil {
			err = s.expectOdds(ctx, o)
		}
		s.restore(from)
	}
	return err
}
