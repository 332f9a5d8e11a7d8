package interp_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"setpiece/interp"
	"setpiece/interp/odds"
	"setpiece/lang"
)

// tight are limits under which a stranger's text must come to an end at once.
// They are a budget for each input, small enough that a fuzzer tries a thousand
// a second.
var tight = interp.Limits{Steps: 3_000, Depth: 40, Size: 300, Dice: 300, Output: 1 << 13, Time: 2 * time.Second, Memory: 1 << 20}

// small are scenes that touch much of the language in few lines.
var small = []string{
	"let x = 2\nwhile yes { x = x * x }",
	"let l = [1]\nwhile yes { l = l + l }",
	"rule r(n) = r(n + 1)\nr(0)",
	"print throw 999999999d999999999",
	"let p = throw 3d6\nreport p.sum, p.sorted, p.keep(2)",
	"use tiny\nroll\nroll twice\ndouble\nreport Hero.n",
	"use tiny\nperson \"Bo\" { luck 3 }\nBo: roll twice\nif Bo.n > 10 { print \"{Bo.n} is much\" } else { Bo.luck -= 1 }",
	"use tiny\nrefused { sulk }\ndice 7 8\nroll; roll\nexpect Hero.n == 15",
	"let m = {a: 1, b: [2, d6]}\nfor k in m { print k, m[k] }\nreport m.b",
	"let t = \"a\"\nrepeat 20 { t = \"{t}{t}\" }",
	"let l = []\nwhile yes { l = [l] }",
	"test \"one\" { expect 1 / 3 + 1 / 6 == 1 / 2 }",
	"scene \"x\" { note \"y\" }\nreport (throw d%).face >= 50",
	"use tiny with ones = lost\ntactics Hero { otherwise: roll }\nrepeat 3 { roll }",
}

// aFolder is the folder of every fuzzed script: a small system, and something to
// include.
func aFolder(t testing.TB) fstest.MapFS {
	rules, err := os.ReadFile("../testdata/cli/tiny.rules")
	if err != nil {
		t.Fatal(err)
	}
	return fstest.MapFS{"tiny.rules": {Data: rules}, "more.scene": {Data: []byte("let more = 1\n")}}
}

func seeds(f *testing.F) {
	for _, text := range small {
		f.Add(text)
	}
	files, _ := filepath.Glob("../testdata/lang/*.scene")
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && len(text) < 1500 {
			f.Add(string(text))
		}
	}
}

// limited is what a fuzzed text may be: not long, since long ones only are slow.
func limited(t *testing.T, text string) (context.Context, *lang.Source) {
	if len(text) > 1500 {
		t.Skip()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx, lang.NewSource("fuzz.scene", text)
}

// Any text is run or refused within its limits; it never panics or hangs, and
// the session goes on to work.
func FuzzRun(f *testing.F) {
	folder := aFolder(f)
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		ctx, src := limited(t, text)
		s := interp.NewSession(interp.Config{Folder: folder, Limits: tight})
		at := s.Snapshot()
		err := s.Exec(ctx, src)
		if ctx.Err() != nil {
			t.Fatal("it hangs")
		}
		var re *interp.RunError
		if errors.As(err, &re) && re.Kind == interp.Failed && re.Diag.Message == "" {
			t.Fatal("it fails without a word")
		}
		s.Restore(at)
		if err := s.Exec(ctx, lang.NewSource("", "let after_all = 1 + 1")); err != nil {
			t.Fatalf("the session is spoilt: %v", err)
		}
	})
}

// The weights of all ends and of what was not followed sum to 1, whether equal
// states are merged or found again, and a trial of the same text ends in one of
// those ends.
func FuzzOdds(f *testing.F) {
	folder := aFolder(f)
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		ctx, src := limited(t, text)
		s := interp.NewSession(interp.Config{Folder: folder, Limits: tight})
		var first *odds.Odds
		for range 2 { // the second time with what the first one left behind
			o, err := odds.Of(ctx, s, src, odds.Config{States: 150})
			if ctx.Err() != nil {
				t.Fatal("it hangs")
			}
			if err != nil {
				return
			}
			if p, _ := weightOf(o); math.Abs(p+o.Remainder-1) > 1e-9 {
				t.Fatalf("the weights sum to %v, and %v is left", p, o.Remainder)
			}
			if first != nil && (len(o.Ends) != len(first.Ends) || math.Abs(o.Remainder-first.Remainder) > 1e-12) {
				t.Fatalf("the second time there are %d ends and not %d", len(o.Ends), len(first.Ends))
			}
			first = o
		}
	})
}
