package dist

import "math"

// Figure is the mean of a goal, exactly or by trials. What stops with an error neither
// reaches the goal nor misses it.
type Figure struct {
	Value   float64
	Half    float64 // half of the 95 % interval; 0 where it is exact
	Trials  int     // 0: it is exact
	Stops   float64 // the share of what stops with an error
	Stopped string  // and what most of that is
}

// FigureOf is the mean of what trials came to.
func FigureOf(xs []float64, chance bool) Figure {
	ends := Finite(xs)
	f := Figure{Trials: len(xs), Stops: 1}
	if len(ends) == 0 {
		return f
	}
	f.Stops = Stopped(xs)
	f.Value, f.Half = MeanOf(ends, nil)
	if chance {
		f.Half = Half(int64(math.Round(f.Value*float64(len(ends)))), int64(len(ends)))
	}
	return f
}

// Stopped gives the share of trials that stopped.
func Stopped(xs []float64) float64 {
	return float64(len(xs)-len(Finite(xs))) / float64(len(xs))
}

// Differ says whether it is not by luck that xs and ys differ, of trials with the same dice, where one
// looks at so many differences.
func Differ(xs, ys []float64, comparisons int) bool {
	return Proven(xs, ys, 2*comparisons) || Proven(ys, xs, 2*comparisons)
}
