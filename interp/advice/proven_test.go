package advice

import (
	"math"
	"math/rand/v2"
	"setpiece/interp/dist"
	"slices"
	"testing"
)

// However often trials are looked at, equal answers are called different in at most one of twenty
// evenings, and of several the best is not the best by luck.
func TestProvenOfEqualAnswers(t *testing.T) {
	const evenings, trials = 400, 512
	for _, options := range []int{2, 5} {
		for name, draw := range map[string]func(*rand.Rand) float64{
			"chances": func(r *rand.Rand) float64 { return float64(r.IntN(4) / 3) },
			"numbers": func(r *rand.Rand) float64 { return float64(r.IntN(12)) + float64(r.IntN(6)) },
		} {
			wrong := 0
			for evening := range evenings {
				r := rand.New(rand.NewPCG(uint64(evening), 7))
				figures := make([][]float64, options)
				for n := 1; n <= trials; n++ {
					for k := range figures {
						figures[k] = append(figures[k], draw(r))
					}
					if n&(n-1) != 0 && n%32 != 0 {
						continue // where somebody looks
					}
					w := Worth{Chance: name == "chances"}
					if w.Estimate(figures, n); w.Differ() {
						wrong++
						break
					}
				}
			}
			if most := evenings / 20; wrong > most {
				t.Errorf("%d %s: %d of %d evenings call one better, %d may", options, name, wrong, evenings, most)
			}
		}
	}
}

func TestProven(t *testing.T) {
	pairs := func(won, lost, equal int) (xs, ys []float64) {
		for i := range won + lost + equal {
			x, y := 1.0, 1.0
			if i < won {
				y = 0
			} else if i < won+lost {
				x = 0
			}
			xs, ys = append(xs, x), append(ys, y)
		}
		return xs, ys
	}
	for _, c := range []struct {
		won, lost, equal, comparisons int
		want                          bool
	}{
		{0, 0, 1000, 1, false},
		{7, 0, 1, 1, false},
		{8, 0, 0, 1, true},
		{8, 0, 5000, 1, true}, // pairs that are equal say nothing
		{8, 0, 0, 4, false},
		{12, 4, 1400, 1, false}, // 82.6 ±1.2 % and 82.0 ±1.2 %
		{40, 12, 1400, 1, true},
		{12, 40, 1400, 1, false},
	} {
		xs, ys := pairs(c.won, c.lost, c.equal)
		if got := dist.Proven(xs, ys, c.comparisons); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
		for i := range xs {
			xs[i], ys[i] = 3*xs[i], 3*ys[i]
		}
		if got := dist.Proven(xs, ys, c.comparisons); got && !c.want {
			t.Errorf("%+v, as numbers: %t", c, got)
		}
	}
	stops := func(xs []float64, n int) []float64 {
		for i := range n {
			xs[i] = math.NaN()
		}
		return xs
	}
	xs, ys := pairs(200, 0, 200)
	if !dist.Proven(xs, stops(ys, 5), 1) {
		t.Error("what stops now and then hides a large difference")
	}
	if dist.Proven(stops(xs, 400), ys, 1) {
		t.Error("what always stops is better")
	}
}

// What has come to more than an answer that may be the best may be the best, too, even where pairs
// of trials show that it is worse than a third.
func TestTopIsMonotone(t *testing.T) {
	var best, near, far []float64
	for i := range 400 {
		truth := func(yes bool) float64 {
			if yes {
				return 1
			}
			return 0
		}
		best = append(best, truth(i%2 == 0))
		near = append(near, truth(i%2 == 0 && i > 20))
		far = append(far, truth(i%2 == 1 && i > 24))
	}
	w := Worth{Chance: true}
	w.Estimate([][]float64{best, near, far}, len(best))
	if !dist.Proven(best, near, 2) || dist.Proven(best, far, 2) || slices.Contains(w.Top, false) {
		t.Errorf("%v of %v", w.Top, w.Values)
	}
}
