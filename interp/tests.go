package interp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/lang"
)

// TestResult is the outcome of one test block.
type TestResult struct {
	Name string
	At   lang.Span
	Err  error // nil when it passed; Each lists what is in it
}

// Each lists the errors that were joined into one, in their order: all that was not as a
// test expects. An error that stands alone is listed alone.
func Each(err error) []error {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}

// Tests runs a source and then its test blocks. A test begins from what the source
// declares and sets up, without what its scenes did, or behind the scene that it names.
// If the source stops, the error says where, and the tests still run: a test behind a scene
// that was not played to its end fails. The session ends in the state after the source.
func (s *Session) Tests(ctx context.Context, src *lang.Source) ([]TestResult, error) {
	before := language.TestCount(s.world)
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
	for _, t := range language.TestsFrom(s.world, before) {
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
	s.m.OwnFaces, s.m.OwnAnswers, s.m.OwnPicks, s.m.OwnCommands = nil, nil, nil, nil // what the script gives is for what it plays
	return nil
}

// test runs one test block from a state, and brings the session back to it. It tells every
// expectation that was not met, at each place the first time, and behind them what stopped
// the test.
func (s *Session) test(ctx context.Context, t *decl.Test, from *Snapshot) error {
	s.restore(from)
	s.begin()
	s.m.Refusals = 0
	if s.tell != nil {
		s.tell.stand()
	}
	var wrong []error
	stop := s.call(ctx, s.world.Prog.Slots[t.Slot])
	if stop != nil && s.tell != nil {
		s.tell.abandon()
	}
	broken, left := s.m.Faults > 0, s.m.OwnFaces
	for _, e := range s.unmet() {
		wrong = append(wrong, e)
	}
	switch {
	case stop != nil:
		wrong = append(wrong, stop)
	case len(left) > 0:
		var shown []string
		for _, f := range left {
			shown = append(shown, fmt.Sprint(f))
		}
		wrong = append(wrong, &RunError{Kind: Failed, Diag: &lang.Diagnostic{Span: t.At, Message: "the test gives dice that do not fall: " + strings.Join(shown, ", ")}})
	}
	if broken && len(wrong) == 0 {
		wrong = append(wrong, &RunError{Kind: Failed, Diag: &lang.Diagnostic{Span: t.At, Message: "a rule was broken"}})
	}
	s.restore(from)
	for _, o := range t.Odds {
		if stop != nil {
			break // the odds of a test that stops are those of the same stop
		}
		if err := s.expectOdds(ctx, o); err != nil {
			wrong = append(wrong, err)
		}
		s.restore(from)
	}
	if len(wrong) == 1 {
		return wrong[0]
	}
	return errors.Join(wrong...)
}
