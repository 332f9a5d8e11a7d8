package interp_test

import (
	"context"
	"testing"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// BenchmarkUse reads a module and makes the first check with it.
func BenchmarkUse(b *testing.B) {
	for range b.N {
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: 1, Events: func(*interp.Event) {}})
		err := s.Exec(context.Background(), lang.NewSource("", "use cah\nroll DEMOLITIONS 4 link STEADY_HANDS 2 vs DN 8"))
		if err != nil {
			b.Fatal(err)
		}
	}
}
