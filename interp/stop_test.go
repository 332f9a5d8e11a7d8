package interp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"setpiece/interp"
	"setpiece/interp/internal/longtest"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/interp/why"
	"setpiece/lang"
	"setpiece/stdlib"
)

// looks is a context that counts how often somebody looks whether it has ended, and ends
// at one of these looks.
type looks struct {
	context.Context
	n, end int // so many looks; it ends with the one of this number, 0: never
}

func (l *looks) Err() error {
	if l.n++; l.end > 0 && l.n >= l.end {
		return context.Canceled
	}
	return nil
}

// Whatever works for long looks at its context often, measured by the work that it does
// in between, and when the context has ended it does nothing more.
func TestStopsSoon(t *testing.T) {
	exec := func(ctx context.Context, text string) error {
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Limits: interp.Limits{Steps: 400_000}, Events: func(*interp.Event) {}})
		return s.Exec(ctx, lang.NewSource("", text))
	}
	check := func(ctx context.Context, text string) error {
		_, err := interp.NewSession(interp.Config{}).CheckContext(ctx, lang.NewSource("", text))
		return err
	}
	oddsOf := func(ctx context.Context, text string) error {
		s := interp.NewSession(interp.Config{Limits: interp.Limits{Steps: 1_000_000}})
		o, err := odds.Of(ctx, s, lang.NewSource("", text), odds.Config{Memory: 64 << 20})
		if err == nil && o.Stopped {
			return context.Canceled
		}
		return err
	}
	sim := func(ctx context.Context, text string) error {
		o, err := sim.Simulate(ctx, interp.Config{Limits: interp.Limits{Steps: 1_000_000}}, lang.NewSource("", text), sim.Config{Trials: 20_000, Workers: 1})
		if err == nil && o.Stopped {
			return context.Canceled
		}
		return err
	}
	whyOf := func(ctx context.Context, text string) error {
		w, err := why.Of(ctx, interp.NewSession(interp.Config{}), lang.NewSource("", text), why.Config{Goal: "x > 1"})
		if err == nil && w.Stopped {
			return context.Canceled
		}
		return err
	}
	best := func(ctx context.Context, text string) error {
		s := interp.NewSession(interp.Config{Modules: stdlib.FS})
		o, err := odds.Of(ctx, s, lang.NewSource("", text), odds.Config{Best: []string{odds.Everybody}, Goal: "x"})
		if err == nil && o.Stopped {
			return context.Canceled
		}
		return err
	}
	for _, tt := range []struct {
		what string
		do   func(context.Context, string) error
		text string
		work int // in units of which
		each int // no more are done between two looks
	}{
		{"statements", check, strings.Repeat("print 1\n", 3_000), 3_000, 300},
		{"a list", check, "let x = [" + strings.Repeat("1, ", 20_000) + "1]", 20_000, 300},
		{"rules", check, strings.Repeat("rule f(x) { if x > 1 { return x + 1 } else { return 2 } }\n", 600), 600, 150},
		{"instances", check, "sheet hero { n number }\n" + manyHeroes(1500), 1500, 300},
		{"a run", exec, "while yes { let x = 1 }", 400_000, 1 << 17},
		{"a run with texts", exec, "let n = 0\nrepeat 100000 { n = n + 1; let t = \"{n}\" }", 200_000, 1 << 17},
		{"long texts", exec, "repeat 100 { let t = \"a\"; repeat 16 { t = \"{t}{t}\" } }", 100 << 17, 1 << 18},
		{"sums of texts", exec, "repeat 100 { let t = \"a\"; repeat 16 { t = t + t } }", 100 << 17, 1 << 18},
		{"printing a deep list", exec, "let l = [1]\nrepeat 3000 { l = [l, 1] }\nrepeat 100 { print l }", 100 * 15_000, 1 << 18},
		{"long lists", exec, "let l = list(1..50000)\nrepeat 50 { let m = reversed(l); let n = 7 in l }", 50 * 80_000, 1 << 18},
		{"long fractions", exec, "let x = 1\nrepeat 100 { x = x * 1000000007 / 3 }\nrepeat 2000 { let y = x + 1 }", 2000 * 3000, 1 << 18},
		{"one step of odds", oddsOf, "while yes { let x = 1 }", 1_000_000, 1 << 17},
		{"one step of odds with numbers", oddsOf, "let x = 0\nwhile x < 150000 { x = x + 1 }", 600_000, 1 << 17},
		{"states", oddsOf, "let x = 0\nrepeat 60 { x = x + (throw d6).face }\nreport x", 10_000, 1000},
		{"a huge die", oddsOf, "report (throw d30000).face", 30_000, 2000},
		{"a loop of states", oddsOf, "let x = 20\nwhile x > 0 and x < 40 { x = x + (throw d6).face - (throw d6).face }\nreport x > 0", 40 * 40, 1 << 12},
		{"fractions of states", oddsOf, "let x = 20\nwhile x > 0 and x < 40 { x = x + (throw d6).face - (throw d6).face }\nreport x > 0", 40 * 40, 1 << 12},
		{"why", whyOf, "let x = 0\nrepeat 2 { x = x + (throw d100).face }", 200, 20},
		{"best answers", best, "sheet guest { n number }\nguest A {}\nlet x = 0\nrepeat 20 { offer o to A \"again?\" { x = x + (throw d6).face } }", 20 * 60, 1 << 12},
		{"a pool", oddsOf, "report (throw 9d9).sorted", 24_310, 3_000},
		{"trials", sim, "let n = 0\nrepeat 10 { n = n + (throw d6).face * (throw d8).face }\nreport n", 20_000, 1100},
	} {
		t.Run(tt.what, func(t *testing.T) {
			all := &looks{Context: context.Background()}
			tt.do(all, tt.text)
			if all.n < tt.work/tt.each {
				t.Fatalf("only %d looks: %d of %d at a time", all.n, tt.work/max(1, all.n), tt.work)
			}
			t.Logf("%d looks, %d at a time", all.n, tt.work/all.n)
			ends := []int{1, all.n / 2}
			if longtest.Tests {
				ends = append(ends, 2, all.n*9/10)
			}
			for _, end := range ends {
				some := &looks{Context: context.Background(), end: max(1, end)}
				err := tt.do(some, tt.text)
				var re *interp.RunError
				if !errors.Is(err, context.Canceled) && !(errors.As(err, &re) && re.Kind == interp.Cancelled) {
					t.Errorf("ended at look %d: %v", some.end, err)
				}
				if more := some.n - some.end; more > 5 {
					t.Errorf("ended at look %d of %d: %d looks more", some.end, all.n, more)
				}
			}
		})
	}
}

func manyHeroes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "hero A%d { n %d }\n", i, i)
	}
	return b.String()
}

// A script and what it includes may be so long together, and no longer.
func TestSourceLimit(t *testing.T) {
	folder := fstest.MapFS{"a.scene": {Data: []byte(strings.Repeat("print 1\n", 100))}, "b.scene": {Data: []byte("print 2\n")}}
	for _, tt := range []struct {
		text  string
		limit int
		want  string // "" where it is not too long
	}{
		{strings.Repeat("print 1\n", 125), 1000, ""},
		{strings.Repeat("print 1\n", 126), 1000, "1:1: the script and what it includes are longer than 1000 bytes together"},
		{strings.Repeat("print 1\n", 126), 1 << 10, ""},
		{"include \"a.scene\"\n", 818, ""},
		{"include \"a.scene\"\n", 817, "1:9: the script and what it includes are longer than 817 bytes together"},
		{"include \"a.scene\"\ninclude \"b.scene\"\n", 840, "2:9: the script and what it includes are longer than 840 bytes together"},
		{strings.Repeat("print 1\n", 200), 1 << 10, "1:1: the script and what it includes are longer than 1 KiB together"},
	} {
		s := interp.NewSession(interp.Config{Folder: folder, Limits: interp.Limits{Source: tt.limit}})
		err := s.Exec(context.Background(), lang.NewSource("", tt.text))
		var re *interp.RunError
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%d bytes of %d: %v", len(tt.text), tt.limit, err)
		case tt.want != "" && (!errors.As(err, &re) || re.Bound != "source" || !strings.HasPrefix(re.Diag.Format(lang.Palette{}), tt.want+"\n")):
			t.Errorf("%.20q, %d: %v", tt.text, tt.limit, err)
		}
		if err := s.Exec(context.Background(), lang.NewSource("", "print 3")); err != nil {
			t.Errorf("afterwards: %v", err)
		}
		parsing := &looks{Context: context.Background()}
		if _, err := s.CheckContext(parsing, lang.NewSource("", strings.Repeat("print 1\n", tt.limit))); !errors.As(err, &re) || re.Bound != "source" || parsing.n > 0 {
			t.Errorf("checking what is too long: %v, after %d looks at the context", err, parsing.n)
		}
	}
}

// A run that takes longer than it may ends with the limit on time.
func TestTimeLimit(t *testing.T) {
	for _, text := range []string{"while yes { let x = 1 }", "rule f() { while yes { let x = throw d6 } }\nf()"} {
		s := interp.NewSession(interp.Config{Limits: interp.Limits{Time: 1}})
		err := s.Exec(context.Background(), lang.NewSource("", text))
		var re *interp.RunError
		if !errors.As(err, &re) || re.Kind != interp.Limit || re.Bound != "time" || !strings.HasPrefix(re.Diag.Message, "the script has run for more than 1ns") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A trial that only throws, in a state that is always the same, heeds its limit and its context.
func TestEndlessTrials(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"while yes { let f = (throw d6).face }", "let n = 0\nwhile yes { n = n + (throw 2d6).sum }", "while yes { let d = throw 7d6 }", "while yes { let x = (throw d6).face + (throw d6).face }"} {
		_, err := sim.Simulate(context.Background(), interp.Config{Limits: interp.Limits{Dice: 5_000}}, lang.NewSource("", text), sim.Config{Trials: 100})
		if err == nil || !strings.Contains(err.Error(), "more than 5,000 dice") {
			t.Errorf("%s: %v", text, err)
		}
		ctx, done := context.WithTimeout(context.Background(), 30*time.Millisecond)
		defer done()
		o, err := sim.Simulate(ctx, interp.Config{Limits: interp.Limits{Dice: 1 << 40, Steps: 1 << 50}}, lang.NewSource("", text), sim.Config{Trials: 100})
		if ctx.Err() == nil || err == nil && !o.Stopped {
			t.Errorf("%s: %v, %v", text, o, err)
		}
	}
}
