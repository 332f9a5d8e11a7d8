package interp_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"setpiece/interp"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/lang"
	"setpiece/stdlib"
)

// A script that wants too much is stopped with a clear word; the state is as
// before, and the session goes on to work.
func TestLimits(t *testing.T) {
	small := interp.Limits{Steps: 50_000, Depth: 100, Size: 1_000, Dice: 500, Output: 2_000, Time: 5 * time.Second, Memory: 1 << 20}
	for _, c := range []struct{ name, text, want string }{
		{"steps", "while yes { gold = gold + 1 }", "more than 50,000 steps"},
		{"depth", "rule r(n) = r(n + 1) + 1\nprint r(0)", "more than 100 deep"},
		{"list", "let l = [1]\nwhile yes { l = l + l }", "more than 1,000 elements"},
		{"text", "let t = \"ab\"\nwhile yes { t = t + t }", "more than 1,000 elements or letters"},
		{"pool", "print 2000 * d6", "more than 1,000 dice"},
		{"dice", "repeat 501 { let d = throw d6 }", "more than 500 dice"},
		{"number", "let n = 3\nwhile yes { n = n * n }", "too large"},
		{"memory", "let l = []\nlet n = 0\nwhile yes { n = n + 1\nif l.size > 900 { l = [] }\nl = l.with(n) }", "more than 1 MiB of memory"},
		{"copies", "print copies(5000, 1)", "more than 1,000"},
		{"output", "while yes { print \"abcdefghijklmnopqrstuvwxyz\" }", "prints more than 2,000 bytes"},
		{"rationals", "let n = 0\nlet x = 0\nwhile yes { n += 1; x = 1 / (n + 1/3) }", "more than 1 MiB of memory"},
		{"interpolation", "let t = \"a\"\nrepeat 25 { t = \"{t}{t}\" }", "more than 1,000 elements or letters"},
		{"joined", "let t = \"abcdefghij\"\nprint copies(900, t).join(t)", "more than 1,000 elements or letters"},
		{"flat", "let l = copies(900, copies(900, 1))\nprint flat(l).size", "more than 1,000 elements or letters"},
		{"nested", "let l = []\nwhile yes { l = [l] }", "more than 10,000 lists inside one another"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := interp.NewSession(interp.Config{Limits: small, Events: func(*interp.Event) {}})
			if err := run(s, "let gold = 7"); err != nil {
				t.Fatal(err)
			}
			err := run(s, c.text)
			var re *interp.RunError
			if !errors.As(err, &re) || !strings.Contains(re.Diag.Message, c.want) {
				t.Fatalf("%v, want %q", err, c.want)
			}
			if bound := strings.Fields(c.name)[0]; re.Bound == "" && bound != "number" && bound != "nested" {
				t.Errorf("the error does not name the limit: %+v", re)
			}
			if err := run(s, "expect gold == 7"); err != nil {
				t.Errorf("the state has changed: %v", err)
			}
		})
	}
}

// What prints too much is stopped with the same words where nobody listens: in a run, in odds
// and in a simulation. What a single way prints counts, not what all of them do.
func TestOutputLimitWithoutListeners(t *testing.T) {
	const want = "the script prints more than 2,000 bytes"
	limits := interp.Limits{Output: 2_000}
	for _, tt := range []struct {
		text string
		fits bool
	}{
		{"while yes { print \"x\" }", false},
		{"let n = 0\nwhile yes { n += 1; print \"{n} of many\" }", false},
		{"rule r() { print 7 }\nrepeat 3000 { r() }", false},
		{"repeat 999 { print \"x\" }", true},
		{"let d = throw d6\nrepeat 990 { print \"x\" }\nlet e = throw d6\nreport d.face + e.face", true},
		{"let d = throw d6\nif d.face == 1 { while yes { print d } }", false},
	} {
		ctx, src := context.Background(), lang.NewSource("", tt.text)
		var re *interp.RunError
		o, err := odds.Of(ctx, interp.NewSession(interp.Config{Limits: limits}), src, odds.Config{})
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		var faults []*interp.RunError
		for _, e := range o.Ends {
			if e.Fault != nil {
				faults = append(faults, e.Fault)
			}
		}
		if tt.fits != (len(faults) == 0) || len(faults) > 0 && (faults[0].Bound != "output" || faults[0].Diag.Message != want) {
			t.Errorf("odds of %s: %v", tt.text, faults)
		}
		s := interp.NewSession(interp.Config{Limits: limits, Dice: []int{1, 1}})
		if err := s.Exec(ctx, src); tt.fits != (err == nil) || err != nil && (!errors.As(err, &re) || re.Bound != "output" || re.Diag.Message != want) {
			t.Errorf("a run of %s: %v", tt.text, err)
		}
		sim, err := sim.Simulate(ctx, interp.Config{Limits: limits}, src, sim.Config{Trials: 50})
		stops := err != nil && strings.Contains(err.Error(), want)
		if err == nil {
			for _, e := range sim.Ends {
				stops = stops || strings.Contains(e.Stops, want)
			}
		}
		if tt.fits == stops {
			t.Errorf("trials of %s: %v %+v", tt.text, err, sim)
		}
	}
}

// What would have to be taken back takes no more memory the longer it goes on.
func TestLongRefusal(t *testing.T) {
	s := interp.NewSession(interp.Config{Limits: interp.Limits{Steps: 3_000_000}})
	if err := run(s, "let a = 0\nlet b = 7\nlet n = 0"); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := run(s, `refused "enough" {
  b = 8
  refused "inner" { a = 5; b = 9; refuse "inner" }
  while n < 1000000 { n += 1; a = -n }
  expect b == 8
  expect a == -1000000
  refuse "enough"
}
expect a == 0
expect b == 7
expect n == 0`)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 8<<20 {
		t.Errorf("it took %d bytes", after.TotalAlloc-before.TotalAlloc)
	}
}

// A context that ends stops a script at once.
func TestCancel(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	err := s.Exec(ctx, lang.NewSource("", "let n = 0\nwhile yes { n = mod(n + 1, 7) }"))
	var re *interp.RunError
	if !errors.As(err, &re) {
		t.Fatal(err)
	}
	ctx2, cancel2 := context.WithCancel(context.Background())
	cancel2()
	err = s.Exec(ctx2, lang.NewSource("", "print 1"))
	if !errors.As(err, &re) || re.Kind != interp.Cancelled {
		t.Errorf("%v, want it cancelled", err)
	}
	if err := run(s, "let after_all = 2"); err != nil {
		t.Error(err)
	}
}

// What is refused changes nothing at all, and neither does checking.
func TestRefusedChangesNothing(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: 3})
	if err := run(s, "use cah\nhero Nova { oomph 1; AIM 4; BLAST 2 [oomph_powered, oomph_powered] }\nhero Sage { AIM 1 }"); err != nil {
		t.Fatal(err)
	}
	before := state(t, s)
	for _, text := range []string{
		"Nova: roll BLAST vs DN 8",
		"Nova: roll AIM vs DN 8 spend oomph extra_effort link AIM",
		"Nova: recover",
	} {
		if err := run(s, text); err == nil {
			t.Errorf("%s is not refused", text)
		}
	}
	if d := s.Check(lang.NewSource("", "villain Fang { BITE 3 }\nNova: attack Fang with AIM")); len(d) > 0 {
		t.Error(d)
	}
	after := state(t, s)
	if len(before) != len(after) {
		t.Fatalf("%v, before %v", after, before)
	}
	for i := range before {
		if before[i] != after[i] {
			t.Errorf("%v, before %v", after[i], before[i])
		}
	}
}

// Random rows of commands: a session given the record of another, and the same
// texts, ends in the same state.
func TestRecordLaw(t *testing.T) {
	pool := []string{
		"Nova: roll AIM vs DN 9", "Nova: roll AIM link AGILE vs difficulty 2 spend oomph reroll if failed",
		"Nova: attack Fang with AIM", "Fang: attack Nova with BITE against AGILE", "Drones: attack Nova against AGILE",
		"Nova: roll BLINK vs hard", "Nova: recover", "award Nova trope", "Nova: attack Drones with AIM spend oomph extra_effort", "fight",
	}
	for seed := uint64(1); seed <= 12; seed++ {
		one := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: seed})
		two := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: seed + 1000})
		setup := "use cah\nhero Nova { AIM 4; AGILE 3; BLINK 5 [fickle] }\nvillain Fang { BITE 4 }\ngoons Drones { rating 1 }\nscene \"x\" action\nheroes Nova\nvillains Fang, Drones\ntactics Nova { otherwise: attack any foe with AIM }"
		for _, s := range []*interp.Session{one, two} {
			if err := run(s, setup); err != nil {
				t.Fatal(err)
			}
		}
		g := rng{state: seed}
		for range 12 {
			text := pool[int(g.next()%uint32(len(pool)))]
			err1 := run(one, text)
			r := one.Record()
			two.Give(r)
			err2 := run(two, text)
			if (err1 == nil) != (err2 == nil) {
				t.Fatalf("%s: %v, replayed %v", text, err1, err2)
			}
			a, b := state(t, one), state(t, two)
			if len(a) != len(b) {
				t.Fatalf("%s: the states differ", text)
			}
			for i := range a {
				if a[i] != b[i] {
					t.Fatalf("%s: %v, replayed %v", text, a[i], b[i])
				}
			}
			if len(two.LeftDice()) > 0 {
				t.Fatalf("%s: dice are left over", text)
			}
		}
	}
}

// Of a page of notes only its scripts count for the limit on sources.
func TestSourceLimitOfNotes(t *testing.T) {
	page := strings.Repeat("What happened last week.\n", 100) + "print one\n"
	at := strings.Index(page, "print")
	src := lang.NewExcerpt("notes.md", page, []lang.Extent{{Start: at, End: len(page)}})
	for limit, want := range map[int]string{8: "nothing here is called one", 7: "longer than 7 bytes"} {
		s := interp.NewSession(interp.Config{Limits: interp.Limits{Source: limit}})
		if got := s.Check(src).Format(lang.Palette{}); !strings.Contains(got, want) {
			t.Errorf("at most %d bytes: %s, want %s", limit, got, want)
		}
	}
}
