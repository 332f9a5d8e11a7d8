package interp_test

import (
	"context"
	"errors"
	"testing"

	"setpiece/interp"
	"setpiece/interp/advice"
	"setpiece/interp/odds"
	"setpiece/interp/why"
	"setpiece/lang"
)

// asking does something at each question, and takes the first answer.
type asking func()

func (f asking) Choose(context.Context, interp.Question) (int, error) { f(); return 0, nil }

// A session that runs a script says so where it is asked for something else, in an event and at a
// question, and goes on; what was prepared before a later run says that.
func TestSessionAtWork(t *testing.T) {
	var s *interp.Session
	src, asked := lang.NewSource("", "report (throw d6).face >= 3"), 0
	busy := func() {
		asked++
		_, odds := odds.Of(t.Context(), s, src, odds.Config{})
		_, why := why.Of(t.Context(), s, src, why.Config{Goal: "yes"})
		_, best := advice.PolicyOf(t.Context(), s, src, advice.PolicyConfig{Goal: "yes"})
		_, prepared := s.Prepare(src)
		for _, err := range []error{odds, why, best, prepared, s.Exec(t.Context(), src)} {
			if !errors.Is(err, interp.ErrRunning) {
				t.Errorf("in a run: %v", err)
			}
		}
	}
	s = interp.NewSession(interp.Config{Choice: asking(busy), Events: func(e *interp.Event) {
		if e.Kind == interp.EventPrint {
			busy()
		}
	}})
	if err := s.Exec(t.Context(), lang.NewSource("", "print 1\nlet m = 0\n{ let c = choose c by none from [1, 2]\nm = c }\nexpect m == 1")); err != nil || asked != 2 {
		t.Fatalf("%v, asked %d times", err, asked)
	}
	p, err := s.Prepare(lang.NewSource("", "let a = (throw d6).face"))
	if err == nil {
		err = p.Run(t.Context(), 3)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Exec(t.Context(), lang.NewSource("", "let q = [1, 2]")); err != nil {
		t.Fatal(err)
	}
	if err := p.Run(t.Context(), 1); !errors.Is(err, interp.ErrRunSince) {
		t.Errorf("prepared before: %v", err)
	}
	if o, err := odds.Of(t.Context(), s, src, odds.Config{}); err != nil || len(o.Ends) != 2 {
		t.Errorf("afterwards: %v", err)
	}
}
