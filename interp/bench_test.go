package interp_test

import (
	"context"
	"testing"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

func prepared(b *testing.B, setup, text string) *interp.Prepared {
	b.Helper()
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: 1})
	if err := s.Exec(context.Background(), lang.NewSource("", setup)); err != nil {
		b.Fatal(err)
	}
	p, err := s.Prepare(lang.NewSource("", text))
	if err != nil {
		b.Fatal(err)
	}
	return p
}

func BenchmarkCheck(b *testing.B) {
	p := prepared(b, "use cah", "roll DEMOLITIONS 4 link STEADY_HANDS 2 vs DN 8 spend oomph extra_effort")
	b.ReportAllocs()
	b.ResetTimer()
	if err := p.Run(context.Background(), b.N); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkCheckByHand(b *testing.B) {
	g, t := &rng{state: 1}, &table{}
	who := &fighter{star: 3, present: true}
	primary, second := &trait{rating: 4}, &trait{rating: 2}
	for range b.N {
		who.oomph, who.tokens = 3, 0
		if !check(g, t, who, primary, second, 8, true) {
			b.Fatal("refused")
		}
	}
}
