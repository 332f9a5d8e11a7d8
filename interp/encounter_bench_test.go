package interp_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"setpiece/interp"
	"setpiece/interp/sim"
	"setpiece/lang"
	"setpiece/stdlib"
)

// byHand is the processor time that one duel takes in the hand-written loop, measured just
// now: the least of several runs, since other work on the machine only ever adds.
func byHand() time.Duration {
	const duels = 50_000
	best := time.Duration(1 << 62)
	for range 5 {
		g, t := &rng{state: 1}, &table{}
		began := processorTime()
		for range duels {
			hero := &fighter{star: 3, present: true, punch: trait{rating: 4}, guard: trait{rating: 4}}
			lord := &fighter{star: 4, present: true, punch: trait{rating: 4}, guard: trait{rating: 4}}
			duel(g, t, lord, hero)
		}
		best = min(best, processorTime()-began)
	}
	return best / duels
}

// inDuels measures the processor time of what is done n times, and reports it as so many
// hand-written duels each.
func inDuels(b *testing.B, n int64, do func() error) {
	b.ReportAllocs()
	began := processorTime()
	if err := do(); err != nil {
		b.Fatal(err)
	}
	each := float64(processorTime()-began) / float64(n)
	b.ReportMetric(each, "cpu-ns/trial")
	b.ReportMetric(each/float64(byHand()), "duels/trial")
}

// BenchmarkSimEncounter simulates the encounters that ship: an iteration is a trial, and
// the first of them loads the rules. With -benchtime 10000x it shows what a trial of 10,000
// costs, counted in hand-written duels.
func BenchmarkSimEncounter(b *testing.B) {
	files, err := filepath.Glob("../scripts/*/*.scene")
	if err != nil || len(files) == 0 {
		b.Fatal("no encounters: ", err)
	}
	for _, file := range files {
		b.Run(strings.TrimSuffix(filepath.Base(file), ".scene"), func(b *testing.B) {
			text, err := os.ReadFile(file)
			if err != nil {
				b.Fatal(err)
			}
			cfg := interp.Config{Modules: stdlib.FS, Seed: 1, Folder: os.DirFS(filepath.Dir(file))}
			inDuels(b, int64(b.N), func() error {
				_, err := sim.Simulate(context.Background(), cfg, lang.NewSource(file, string(text)), sim.Config{Trials: int64(b.N), Workers: 1})
				return err
			})
		})
	}
}

// BenchmarkSimColdDuel is a simulation of a duel from the call to the result, with as many
// trials as its name says, in hand-written duels. That of one trial shows what is done before
// the others.
func BenchmarkSimColdDuel(b *testing.B) {
	for _, x := range []struct {
		name   string
		trials int64
	}{{"1", 1}, {"10000", 10_000}, {"100000", 100_000}} {
		b.Run(x.name, func(b *testing.B) {
			inDuels(b, int64(b.N)*x.trials, func() (err error) {
				for range b.N {
					if _, e := sim.Simulate(context.Background(), interp.Config{Modules: stdlib.FS, Seed: 1}, lang.NewSource("", duelScene+"fight"), sim.Config{Trials: x.trials, Workers: 1}); e != nil {
						err = e
					}
				}
				return err
			})
		})
	}
}
