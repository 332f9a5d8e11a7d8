package interp_test

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"setpiece/interp"
	"setpiece/interp/advice"
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
	_, err := advice.OfQuestion(ctx, q, advice.Config{Progress: func(*advice.Advice) bool {
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
func benchAdvice(b *testing.B, file string) {
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

func BenchmarkAdviceBogOfDoom(b *testing.B)      { benchAdvice(b, "cah/bog_of_doom.scene") }
func BenchmarkAdviceRunawayTrain(b *testing.B)   { benchAdvice(b, "cah/runaway_train.scene") }
func BenchmarkAdviceTheStolenCrown(b *testing.B) { benchAdvice(b, "cah/the_stolen_crown.scene") }
func BenchmarkAdviceBridgeDuel(b *testing.B)     { benchAdvice(b, "clichenimatic/bridge_duel.scene") }
func BenchmarkAdviceDogfight(b *testing.B)       { benchAdvice(b, "clichenimatic/dogfight.scene") }
func BenchmarkAdviceNightWatch(b *testing.B)     { benchAdvice(b, "clichenimatic/night_watch.scene") }
func BenchmarkAdviceDeadDrift(b *testing.B)      { benchAdvice(b, "firefly/dead_drift.scene") }
func BenchmarkAdviceFeverWard(b *testing.B)      { benchAdvice(b, "firefly/fever_ward.scene") }
func BenchmarkAdviceTheLassiter(b *testing.B)    { benchAdvice(b, "firefly/the_lassiter.scene") }
func BenchmarkAdviceBreakout(b *testing.B)       { benchAdvice(b, "marvel/breakout.scene") }
func BenchmarkAdviceFaceOff(b *testing.B)        { benchAdvice(b, "marvel/face_off.scene") }
func BenchmarkAdviceRooftopChase(b *testing.B)   { benchAdvice(b, "marvel/rooftop_chase.scene") }
func BenchmarkAdviceOverTheRooftops(b *testing.B) {
	benchAdvice(b, "unisystem/over_the_rooftops.scene")
}
func BenchmarkAdviceTheWeepingLady(b *testing.B) { benchAdvice(b, "unisystem/the_weeping_lady.scene") }

// hurried asks for advice before the first command, as somebody at a terminal does who has
// seen enough after a while, and then leaves.
type hurried struct{ first, last time.Duration }

var errAsked = errors.New("that was all")

func (x *hurried) Command(ctx context.Context, t interp.Turn) (string, error) {
	began := time.Now()
	a, err := advice.OfTurn(ctx, t, advice.Config{Progress: func(*advice.Advice) bool {
		if x.first == 0 {
			x.first = time.Since(began)
		}
		return time.Since(began) < enough
	}})
	x.last = time.Since(began)
	if x.first == 0 {
		x.first = x.last
	}
	if err == nil && len(a.Commands) == 0 {
		err = errors.New("no command is any good")
	}
	return "", cmp.Or(err, errAsked)
}

// command measures advice before the first command of an encounter that ships.
func command(b *testing.B, file string) {
	text, err := os.ReadFile("../scripts/" + file)
	if err != nil {
		b.Fatal(err)
	}
	var sum hurried
	for range b.N {
		x := &hurried{}
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: 7, Player: x, Ask: []string{interp.Everyone}})
		if err := s.Exec(context.Background(), lang.NewSource(file, string(text))); err == nil || !strings.Contains(err.Error(), errAsked.Error()) {
			b.Fatal("nobody was asked, or ", err)
		}
		sum.first += x.first
		sum.last += x.last
	}
	b.ReportMetric(float64(sum.first.Milliseconds())/float64(b.N), "first-ms")
	b.ReportMetric(float64(sum.last.Milliseconds())/float64(b.N), "last-ms")
}

func BenchmarkCommandBogOfDoom(b *testing.B)      { command(b, "cah/bog_of_doom.scene") }
func BenchmarkCommandRunawayTrain(b *testing.B)   { command(b, "cah/runaway_train.scene") }
func BenchmarkCommandTheStolenCrown(b *testing.B) { command(b, "cah/the_stolen_crown.scene") }
func BenchmarkCommandBridgeDuel(b *testing.B)     { command(b, "clichenimatic/bridge_duel.scene") }
func BenchmarkCommandDogfight(b *testing.B)       { command(b, "clichenimatic/dogfight.scene") }
func BenchmarkCommandNightWatch(b *testing.B)     { command(b, "clichenimatic/night_watch.scene") }
func BenchmarkCommandFeverWard(b *testing.B)      { command(b, "firefly/fever_ward.scene") }
func BenchmarkCommandTheLassiter(b *testing.B)    { command(b, "firefly/the_lassiter.scene") }
func BenchmarkCommandBreakout(b *testing.B)       { command(b, "marvel/breakout.scene") }
func BenchmarkCommandFaceOff(b *testing.B)        { command(b, "marvel/face_off.scene") }
func BenchmarkCommandRooftopChase(b *testing.B)   { command(b, "marvel/rooftop_chase.scene") }
func BenchmarkCommandTheWeepingLady(b *testing.B) { command(b, "unisystem/the_weeping_lady.scene") }
