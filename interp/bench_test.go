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

// duelScene is two who strike each other with what they have until one is out; a first check has settled who is in the scene.
const duelScene = `use cah
hero Valorus { star 3; DEXTROUS 3; SUNBLADE 4 }
villain "Sludge Lord" { star 4; OOZING_PUNCH 4; THICK_HIDE 3 }
scene "The bog" action
heroes Valorus
villains "Sludge Lord"
tactics Valorus { otherwise: attack any foe with SUNBLADE }
tactics "Sludge Lord" { otherwise: attack any foe with OOZING_PUNCH }
dice 6
Valorus: roll DEXTROUS vs DN 1
`

func BenchmarkDuel(b *testing.B) {
	p := prepared(b, duelScene, "fight")
	b.ReportAllocs()
	b.ResetTimer()
	if err := p.Run(context.Background(), b.N); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkDuelByHand(b *testing.B) {
	g, t := &rng{state: 1}, &table{}
	for range b.N {
		hero := &fighter{star: 3, present: true, punch: trait{rating: 4}, guard: trait{rating: 4}}
		lord := &fighter{star: 4, present: true, punch: trait{rating: 4}, guard: trait{rating: 4}}
		duel(g, t, lord, hero)
	}
}

func BenchmarkStrike(b *testing.B) {
	p := prepared(b, duelScene, `"Sludge Lord": attack Valorus with OOZING_PUNCH against DEXTROUS`)
	b.ReportAllocs()
	b.ResetTimer()
	if err := p.Run(context.Background(), b.N); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkStrikeByHand(b *testing.B) {
	g, t := &rng{state: 1}, &table{}
	hero := &fighter{star: 3, present: true, guard: trait{rating: 3}}
	lord := &fighter{star: 4, present: true, punch: trait{rating: 4}}
	for range b.N {
		hero.tokens, lord.tokens, hero.defeated, lord.defeated = 0, 0, false, false
		strike(g, t, lord, hero)
	}
}
