package trials

import (
	"math"

	"setpiece/interp/dist"
)

// Sums are of pairs of numbers.
type Sums struct {
	N          int64
	x, xx, y   float64
	yy, by, sq float64 // by: y less x, sq: its square
	Truth      bool
}

// Count counts a pair; truth says that both are yes or no.
func (s *Sums) Count(x, y float64, truth bool) {
	s.N++
	s.x, s.xx, s.y, s.yy = s.x+x, s.xx+x*x, s.y+y, s.yy+y*y
	s.by, s.sq = s.by+y-x, s.sq+(y-x)*(y-x)
	s.Truth = s.Truth && truth
}

// Add adds the pairs of others.
func (s *Sums) Add(o *Sums) {
	s.N += o.N
	s.x, s.xx, s.y, s.yy = s.x+o.x, s.xx+o.xx, s.y+o.y, s.yy+o.yy
	s.by, s.sq, s.Truth = s.by+o.by, s.sq+o.sq, s.Truth && o.Truth
}

// Means gives the mean of each side.
func (s *Sums) Means() (x, y float64) { return s.x / float64(s.N), s.y / float64(s.N) }

// Totals gives the sum of each side.
func (s *Sums) Totals() (x, y float64) { return s.x, s.y }

// By is the mean of the second less that of the first.
func (s *Sums) By() float64 { return s.by / float64(s.N) }

// Half is half of the 95 % interval of By; Independent what it would be if each side had dice of its own.
func (s *Sums) Half() float64 { return dist.Deviations * math.Sqrt(s.spread(s.by, s.sq)) }
func (s *Sums) Independent() float64 {
	return dist.Deviations * math.Sqrt(s.spread(s.x, s.xx)+s.spread(s.y, s.yy))
}

func (s *Sums) spread(sum, squares float64) float64 {
	n := float64(s.N)
	return max(0, squares/n-sum/n*sum/n) / n
}
