package interp_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// tight are limits under which a stranger's text must come to an end at once.
var tight = interp.Limits{Steps: 20_000, Depth: 60, Size: 500, Dice: 1_000, Output: 1 << 14, Time: 2 * time.Second}

// Any text is run or refused within its limits; it never panics or hangs, and
// the session goes on to work.
func FuzzRun(f *testing.F) {
	for _, pattern := range []string{"../testdata/cah/[a-c]0*.scene", "../testdata/lang/*.scene", "../testdata/errors/*.scene"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil {
				f.Add(string(text))
			}
		}
	}
	f.Add("let x = 2\nwhile yes { x = x * x }")
	f.Add("let l = [1]\nwhile yes { l = l + l }")
	f.Add("rule r(n) = r(n + 1)\nr(0)")
	f.Add("print throw 999999999d999999999")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4000 {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		events := 0
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Limits: tight, Events: func(*interp.Event) { events++ }})
		_ = s.Exec(ctx, lang.NewSource("fuzz.scene", text))
		if ctx.Err() != nil {
			t.Fatal("it hangs")
		}
		fresh := interp.NewSession(interp.Config{Modules: stdlib.FS, Limits: tight})
		if o, err := fresh.Odds(ctx, lang.NewSource("fuzz.scene", text), interp.OddsConfig{States: 100}); err == nil {
			if p, _ := o.Total(); p+o.Residue < 1-1e-9 || p+o.Residue > 1+1e-9 {
				t.Fatalf("the weights sum to %v, and %v is left", p, o.Residue)
			}
		}
		if err := s.Exec(context.Background(), lang.NewSource("", "let after_all = 1 + 1")); err != nil {
			t.Fatalf("the session is spoilt: %v", err)
		}
	})
}
