package verify

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"setpiece/interp"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/odds"
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
func Tests(ctx context.Context, s *interp.Session, src *lang.Source) ([]TestResult, error) {
	return tests(ctx, s, src, nil)
}

// tests is Tests; what the machine plays, but not what only odds go through, is executed by watch,
// nil for the plain machine.
func tests(ctx context.Context, s *interp.Session, src *lang.Source, watch machine.Executor) ([]TestResult, error) {
	before := language.TestCount(core.Of(s).World)
	fresh := core.Of(s).Keep()
	core.Of(s).M.Marks = map[int]machine.Marked{}
	core.Of(s).M.Executor = watch
	stopped := s.Exec(ctx, src)
	marks := core.Of(s).M.Marks
	core.Of(s).M.Marks = nil
	if ds := (lang.Diagnostics)(nil); errors.As(stopped, &ds) || ctx.Err() != nil {
		return nil, stopped
	}
	defer core.Of(s).Restore(core.Of(s).Keep())
	if err := setUp(ctx, core.Of(s), src, fresh); err != nil {
		return nil, err
	}
	start := core.Of(s).Keep()
	var out []TestResult
	for _, t := range language.TestsFrom(core.Of(s).World, before) {
		r := TestResult{Name: t.Name, At: t.At}
		from, m := *start, marks[t.Mark]
		if t.After != "" {
			from.Store, from.Rng = m.Store, m.Generator
		}
		if from.Store == nil {
			d := &lang.Diagnostic{Span: t.At, Message: fmt.Sprintf("the script has not played the scene %q", t.After)}
			if stopped != nil {
				d.Message = fmt.Sprintf("the script stops before the scene %q is over", t.After)
			}
			r.Err = &interp.RunError{Kind: interp.Failed, Diag: d}
		} else {
			core.Of(s).M.Executor = watch // odds have their own
			r.Err = test(ctx, core.Of(s), t, &from)
		}
		out = append(out, r)
	}
	return out, stopped
}

// setUp brings the session to where the tests of a source begin: everything is declared
// and set, nothing is played. A statement that needs what was played sets nothing.
func setUp(ctx context.Context, s *core.Run, src *lang.Source, fresh *core.Snapshot) error {
	defer s.Host.Silence()()
	s.Restore(fresh)
	w, out, _, err := s.Compile(ctx, src, true)
	if err != nil {
		return err
	}
	old := s.World
	s.World, s.M.Prog = w, w.Prog
	s.Begin()
	if err := s.Started(ctx, old, out); err != nil {
		return err
	}
	for _, st := range out.Statements {
		if st.Plays {
			continue
		}
		if err := s.Statement(ctx, st.Func); err != nil && ctx.Err() != nil {
			return err
		}
		s.M.Failures, s.M.Faults = nil, 0
	}
	s.M.Own = machine.Own{} // what the script gives is for what it plays
	return nil
}

// test runs one test block from a state, and brings the session back to it. It tells every
// expectation that was not met, at each place the first time, and behind them what stopped
// the test.
func test(ctx context.Context, s *core.Run, t *decl.Test, from *core.Snapshot) error {
	s.Restore(from)
	s.Begin()
	s.M.Refusals = 0
	s.Host.Begin()
	var wrong []error
	stop := s.Call(ctx, s.World.Prog.Slots[t.Slot])
	if stop != nil {
		s.Host.Abandon()
	}
	broken, left := s.M.Faults > 0, s.M.Own.FacesAhead()
	wrong = append(wrong, s.Host.Unmet()...)
	switch {
	case stop != nil:
		wrong = append(wrong, stop)
	case len(left) > 0:
		var shown []string
		for _, f := range left {
			shown = append(shown, fmt.Sprint(f))
		}
		wrong = append(wrong, &interp.RunError{Kind: interp.Failed, Diag: &lang.Diagnostic{Span: t.At, Message: "the test gives dice that do not fall: " + strings.Join(shown, ", ")}})
	}
	if broken && len(wrong) == 0 {
		wrong = append(wrong, &interp.RunError{Kind: interp.Failed, Diag: &lang.Diagnostic{Span: t.At, Message: "a rule was broken"}})
	}
	s.Restore(from)
	for _, o := range t.Odds {
		if stop != nil {
			break // the odds of a test that stops are those of the same stop
		}
		if err := odds.ExpectOdds(ctx, s, o); err != nil {
			wrong = append(wrong, err)
		}
		s.Restore(from)
	}
	if len(wrong) == 1 {
		return wrong[0]
	}
	return errors.Join(wrong...)
}
