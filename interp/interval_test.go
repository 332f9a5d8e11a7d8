package interp_test

import (
	"math"
	"testing"

	"setpiece/interp/dist"
	"setpiece/interp/internal/longtest"
)

// What is told of a chance holds in 95 of 100 cases, whatever the chance is: the share counted, with
// ± around it, and the two bounds. The cases are not tried but added up, by the binomial
// distribution, for chances from 1 in n to 1 in 2.
func TestIntervalsHold(t *testing.T) {
	counts, steps := []int64{1, 2, 5, 10, 20, 50, 100, 400}, 100
	if longtest.Tests {
		counts, steps = append(counts, 3, 7, 33, 200, 1000, 3000, 10_000), 1000
	}
	for _, n := range counts {
		for i := range steps + 1 {
			p := min(0.5, math.Pow(float64(n)/2, float64(i)/float64(steps))/float64(n))
			within, between := 0.0, 0.0
			for k := range n + 1 {
				w := binomial(n, k, p)
				if math.Abs(float64(k)/float64(n)-p) <= dist.Half(k, n)+1e-12 {
					within += w
				}
				if lo, hi := dist.Interval(k, n); lo-1e-12 <= p && p <= hi+1e-12 {
					between += w
				}
			}
			if within < 0.95 || between < 0.95 {
				t.Fatalf("a chance of %v in %d trials: ± holds in %v of all cases, the bounds in %v", p, n, within, between)
			}
		}
	}
}

// binomial is the chance of k of n where each has the chance p.
func binomial(n, k int64, p float64) float64 {
	choose := func(x int64) float64 { l, _ := math.Lgamma(float64(x) + 1); return l }
	return math.Exp(choose(n) - choose(k) - choose(n-k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

// The bounds are those of Newcombe's examples (Two-sided confidence intervals for the single
// proportion, 1998, table I, method 4).
func TestIntervalAsPublished(t *testing.T) {
	for _, x := range []struct {
		count, n int64
		lo, hi   float64
	}{{81, 263, 0.2535, 0.3682}, {15, 148, 0.0598, 0.1644}, {0, 20, 0, 0.2005}, {1, 29, 0.0018, 0.1963}} {
		if lo, hi := dist.Interval(x.count, x.n); math.Abs(lo-x.lo) > 5e-5 || math.Abs(hi-x.hi) > 5e-5 {
			t.Errorf("%d of %d: %.4f to %.4f, published %.4f to %.4f", x.count, x.n, lo, hi, x.lo, x.hi)
		}
	}
	if lo, hi := dist.Interval(0, 0); lo != 0 || hi != 1 {
		t.Error(lo, hi)
	}
}
