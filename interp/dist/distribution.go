package dist

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strings"

	"setpiece/interp"
)

// Distribution is the distribution of one column of odds: its values with their weights. The
// weights of what ended in an error and of what was not followed are not in it.
type Distribution struct {
	Name    string
	Column  string // whose it is: as Name, but for AtLeast and AtMost
	Beyond  string // "more" or "less": each weight is that of the value and all beyond it on that side
	Numbers bool   // every value is a number: then the points are in order, else the likeliest is first
	Points  []Point
	Sampled *Sampled // where a part of each weight is estimated; nil: none is
}

// Point is a value with its weight.
type Point struct {
	Shown  string
	Data   interp.Value // the same as a value
	Number *big.Rat     // nil unless it is one
	P      float64
	Exact  *big.Rat // nil when only P is known
	Solved float64  // how much of P is known exactly, where the rest is sampled
	Trials int64    // of those that shared out the rest, how many came to this value
}

// Interval gives the 95 % interval of the weight of a point: that of its share of the trials,
// in what they shared out. Without trials both are the weight.
func (l *Distribution) Interval(p Point) (lo, hi float64) {
	if l.Sampled == nil {
		return p.P, p.P
	}
	lo, hi = Interval(p.Trials, l.Sampled.Trials)
	return p.Solved + l.Sampled.Weight*lo, p.Solved + l.Sampled.Weight*hi
}

// Half gives how far the weight of a point may be from what is told of it: the greater of the
// distances to the bounds of its Interval.
func (l *Distribution) Half(p Point) float64 {
	if l.Sampled == nil {
		return 0
	}
	return l.Sampled.Weight * Half(p.Trials, l.Sampled.Trials)
}

// Bounds gives what the weight of a point cannot be below or above, however the trials went.
func (l *Distribution) Bounds(p Point) (low, high float64) {
	if l.Sampled == nil {
		return p.P, p.P
	}
	return p.Solved, p.Solved + l.Sampled.Weight
}

// collector makes a distribution of points, of which several may have the same value.
type collector struct {
	L  *Distribution
	at map[string]int // by value as shown
}

func NewCollector(name string) *collector {
	return &collector{&Distribution{Name: name, Column: name, Numbers: true}, map[string]int{}}
}

func (c *collector) Add(p Point) {
	k, ok := c.at[p.Shown]
	if !ok {
		c.at[p.Shown] = len(c.L.Points)
		c.L.Points = append(c.L.Points, p)
		c.L.Numbers = c.L.Numbers && p.Number != nil
		return
	}
	q := &c.L.Points[k]
	q.P += p.P
	q.Solved += p.Solved
	q.Trials += p.Trials
	if q.Exact != nil && p.Exact != nil {
		q.Exact = new(big.Rat).Add(q.Exact, p.Exact)
	} else {
		q.Exact = nil
	}
}

func (c *collector) Law() *Distribution {
	for i := range c.L.Points {
		if p := &c.L.Points[i]; p.Exact != nil {
			p.P, _ = p.Exact.Float64()
		}
	}
	c.L.sort()
	return c.L
}

func (l *Distribution) sort() {
	slices.SortStableFunc(l.Points, func(a, b Point) int {
		switch {
		case l.Numbers:
			return a.Number.Cmp(b.Number)
		case a.P > b.P:
			return -1
		case a.P < b.P:
			return 1
		}
		return inOrder(a.Shown, b.Shown)
	})
}

// inOrder compares texts as one would list them: the numbers in them by their value.
func inOrder(a, b string) int {
	for a != "" && b != "" {
		m, n := len(a)-len(strings.TrimLeft(a, digits)), len(b)-len(strings.TrimLeft(b, digits))
		if m > 0 && n > 0 {
			x, y := strings.TrimLeft(a[:m], "0"), strings.TrimLeft(b[:n], "0")
			if c := cmp.Or(len(x)-len(y), strings.Compare(x, y)); c != 0 {
				return c
			}
			a, b = a[m:], b[n:]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

const digits = "0123456789"

// Mean gives the mean of a distribution of numbers.
func (l *Distribution) Mean() float64 {
	var sum, all float64
	for _, p := range l.Points {
		f, _ := p.Number.Float64()
		sum += f * p.P
		all += p.P
	}
	return sum / all
}

// ExactMean gives the mean as a fraction, nil where the weights are not exact.
func (l *Distribution) ExactMean() *big.Rat {
	sum, all := new(big.Rat), new(big.Rat)
	for _, p := range l.Points {
		if p.Exact == nil {
			return nil
		}
		sum.Add(sum, new(big.Rat).Mul(p.Number, p.Exact))
		all.Add(all, p.Exact)
	}
	if all.Sign() == 0 {
		return nil
	}
	return sum.Quo(sum, all)
}

// Deviation gives the standard deviation of a distribution of numbers.
func (l *Distribution) Deviation() float64 {
	mean := l.Mean()
	var sum, all float64
	for _, p := range l.Points {
		f, _ := p.Number.Float64()
		sum += (f - mean) * (f - mean) * p.P
		all += p.P
	}
	return math.Sqrt(sum / all)
}

// MeanHalf gives half of the 95 % interval of Mean, where the distribution is that of so many
// trials.
func (l *Distribution) MeanHalf(trials int64) float64 {
	return Deviations * l.Deviation() / math.Sqrt(float64(max(trials, 1)))
}

// At gives the point with the value of another, and one without weight where there is none. Where weights are those
// of all beyond a number, it is the nearest on that side.
func (l *Distribution) At(v Point) Point {
	out := Point{Shown: v.Shown, Number: v.Number}
	for _, p := range l.Points {
		switch {
		case p.Shown == v.Shown:
			return p
		case v.Number == nil || p.Number == nil:
		case l.Beyond == "less" && p.Number.Cmp(v.Number) < 0:
			out = p
		case l.Beyond == "more" && p.Number.Cmp(v.Number) > 0:
			return p
		}
	}
	return out
}

// Shares are those for which a Quantile is told.
var Shares = []float64{0.05, 0.25, 0.5, 0.75, 0.95}

// Quantile gives the least number that a distribution of numbers does not exceed with a
// weight of at least q of all its weight.
func (l *Distribution) Quantile(q float64) Point {
	all := 0.0
	for _, p := range l.Points {
		all += p.P
	}
	sum := 0.0
	for _, p := range l.Points {
		sum += p.P
		if sum >= q*all-1e-12 {
			return p
		}
	}
	return l.Points[len(l.Points)-1]
}

// AtLeast gives, for each number, the weight of all that are as great or greater.
func (l *Distribution) AtLeast() *Distribution {
	return &Distribution{l.Name + " or more", l.Column, "more", true, l.sums(true), l.Sampled}
}

// AtMost gives, for each number, the weight of all that are as small or smaller.
func (l *Distribution) AtMost() *Distribution {
	return &Distribution{l.Name + " or less", l.Column, "less", true, l.sums(false), l.Sampled}
}

func (l *Distribution) sums(down bool) []Point {
	out := slices.Clone(l.Points)
	if down {
		slices.Reverse(out)
	}
	for i := 1; i < len(out); i++ {
		out[i].P += out[i-1].P
		out[i].Solved += out[i-1].Solved
		out[i].Trials += out[i-1].Trials
		if out[i].Exact != nil && out[i-1].Exact != nil {
			out[i].Exact = new(big.Rat).Add(out[i].Exact, out[i-1].Exact)
			out[i].P, _ = out[i].Exact.Float64()
		} else {
			out[i].Exact = nil
		}
	}
	if down {
		slices.Reverse(out)
	}
	return out
}

// Same says whether two distributions have the same values with the same weights.
func (l *Distribution) Same(other *Distribution) bool {
	weights := map[string]float64{}
	for _, p := range l.Points {
		weights[p.Shown] += p.P
	}
	for _, p := range other.Points {
		weights[p.Shown] -= p.P
	}
	for _, w := range weights {
		if math.Abs(w) > 1e-12 {
			return false
		}
	}
	return true
}

// Sampled tells of odds that met a bound. What was followed to an end by then is exact, and
// bounds each chance from below; the weight of the rest bounds it from above. The rest was shared
// out by trials that began where it lay.
type Sampled struct {
	Weight float64     // of what was not followed
	Trials int64       // that shared it out
	Over   interp.Over // the bound
}
