package dist

import (
	"math"
	"slices"

	"setpiece/interp/internal/value"
)

// Interval gives the 95 % interval of a chance of which count of n trials are known: that of
// Wilson (Probable inference, 1927) with a correction for continuity, without which it is too
// narrow for rare results (Newcombe, Two-sided confidence intervals for the single
// proportion, 1998, method 4).
func Interval(count, n int64) (lo, hi float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959963984540054
	p, m := float64(count)/float64(n), float64(n)
	bound := func(sign float64) float64 {
		root := max(0, z*z+sign*2-1/m+4*p*(m*(1-p)-sign))
		return (2*m*p + z*z + sign*(1+z*math.Sqrt(root))) / (2 * (m + z*z))
	}
	lo, hi = max(0, bound(-1)), min(1, bound(1))
	if count == 0 {
		lo = 0
	}
	if count == n {
		hi = 1
	}
	return lo, hi
}

// Half gives how far a chance of which count of n trials are known may be from the share that
// was counted: the greater of the distances to the bounds of its Interval.
func Half(count, n int64) float64 {
	lo, hi := Interval(count, n)
	p := float64(count) / float64(max(n, 1))
	return max(p-lo, hi-p)
}

// MeanOf gives the mean of numbers, less others where there are any, and half of
// its 95 % interval.
func MeanOf(xs, less []float64) (mean, half float64) {
	var sum, squares float64
	for i, x := range xs {
		if less != nil {
			x -= less[i]
		}
		sum += x
		squares += x * x
	}
	n := float64(len(xs))
	mean = sum / n
	return mean, Deviations * math.Sqrt(max(0, squares/n-mean*mean)/n)
}

// Deviations is how many standard deviations the 95 % interval has on each side.
const Deviations = 1.959963984540054

// Finite leaves out the trials that stopped.
func Finite(xs []float64) []float64 { return slices.DeleteFunc(slices.Clone(xs), math.IsNaN) }

// Ahead gives by how much the mean of trials is above that of others with the same dice,
// and half of the 95 % interval of that; not a number where all of one side stopped. The
// dice help only where no trial stops: else each mean is over other trials.
func Ahead(xs, ys []float64) (by, half float64) {
	ends, others := Finite(xs), Finite(ys)
	if len(ends) == len(xs) && len(others) == len(xs) {
		return MeanOf(xs, ys)
	}
	if len(ends) == 0 || len(others) == 0 {
		return math.NaN(), 0
	}
	mean, h := MeanOf(ends, nil)
	less, k := MeanOf(others, nil)
	return mean - less, math.Hypot(h, k)
}

// NumberOf gives what a goal's value counts for, and whether it is a truth.
func NumberOf(h *value.Heap, v value.V) (x float64, truth bool) {
	switch {
	case v == value.Yes:
		return 1, true
	case v == value.No:
		return 0, true
	case v.IsNumber():
		x, _ = h.RatOf(v).Float64()
	}
	return x, false
}
