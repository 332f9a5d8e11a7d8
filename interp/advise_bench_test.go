package interp_test

import (
	"context"
	"os"
	"testing"
	"time"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// timed asks for advice at the first and at the tenth question as somebody at a terminal
// does, and notes when the first figures come, and when they are all exact or the
// watcher has seen enough.
type timed struct {
	asked       int
	first, last [2]time.Duration
}

// enough is how long figures are watched at most.
const enough = 3 * time.Second

func (x *timed) Choose(ctx context.Context, q interp.Question) (int, error) {
	x.asked++
	at := 0
	switch x.asked {
	case 1:
	case 10:
		at = 1
	default:
		return q.Default, nil
	}
	began := time.Now()
	_, err := q.Advise(ctx, interp.AdviceConfig{Progress: func(*interp.Advice) bool {
		if x.first[at] == 0 {
			x.first[at] = time.Since(began)
		}
		return time.Since(began) < enough
	}})
	x.last[at] = time.Since(began)
	if x.first[at] == 0 {
		x.first[at] = x.last[at]
	}
	return q.Default, err
}

// advice measures advice on an encounter that ships. An encounter with fewer questions
// has no figures for its tenth.
func advice(b *testing.B, file string) {
	text, err := os.ReadFile("../scripts/" + file)
	if err != nil {
		b.Fatal(err)
	}
	var sum timed
	for range b.N {
		x := &timed{}
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: 7, Choice: x})
		if err := s.Exec(context.Background(), lang.NewSource(file, string(text))); err != nil {
			b.Fatal(err)
		}
		for i := range x.first {
			sum.first[i] += x.first[i]
			sum.last[i] += x.last[i]
		}
		sum.asked = x.asked
	}
	ms := func(d time.Duration) float64 { return float64(d.Milliseconds()) / float64(b.N) }
	b.ReportMetric(float64(sum.asked), "questions")
	b.ReportMetric(ms(sum.first[0]), "1st-first-ms")
	b.ReportMetric(ms(sum.last[0]), "1st-last-ms")
	b.ReportMetric(ms(sum.first[1]), "10th-first-ms")
	b.ReportMetric(ms(sum.last[1]), "10th-last-ms")
}

func BenchmarkAdviceBogOfDoom(b *testing.B)       { advice(b, "cah/bog_of_doom.scene") }
func BenchmarkAdviceRunawayTrain(b *testing.B)    { advice(b, "cah/runaway_train.scene") }
func BenchmarkAdviceTheStolenCrown(b *testing.B)  { advice(b, "cah/the_stolen_crown.scene") }
func BenchmarkAdviceBridgeDuel(b *testing.B)      { advice(b, "clichenimatic/bridge_duel.scene") }
func BenchmarkAdviceDogfight(b *testing.B)        { advice(b, "clichenimatic/dogfight.scene") }
func BenchmarkAdviceNightWatch(b *testing.B)      { advice(b, "clichenimatic/night_watch.scene") }
func BenchmarkAdviceDeadDrift(b *testing.B)       { advice(b, "firefly/dead_drift.scene") }
func BenchmarkAdviceFeverWard(b *testing.B)       { advice(b, "firefly/fever_ward.scene") }
func BenchmarkAdviceTheLassiter(b *testing.B)     { advice(b, "firefly/the_lassiter.scene") }
func BenchmarkAdviceBreakout(b *testing.B)        { advice(b, "marvel/breakout.scene") }
func BenchmarkAdviceFaceOff(b *testing.B)         { advice(b, "marvel/face_off.scene") }
func BenchmarkAdviceRooftopChase(b *testing.B)    { advice(b, "marvel/rooftop_chase.scene") }
func BenchmarkAdviceOverTheRooftops(b *testing.B) { advice(b, "unisystem/over_the_rooftops.scene") }
func BenchmarkAdviceTheWeepingLady(b *testing.B)  { advice(b, "unisystem/the_weeping_lady.scene") }
