package pool

import (
	"math/big"

	"setpiece/interp/internal/query"
	"setpiece/interp/internal/value"
)

// Where nothing but the sum of all dice is asked there is a shorter way than the sweep. The ways to each sum of n
// equal dice are the coefficients of the nth power of a polynomial, and each follows from a few before it: Euler's
// recurrence for powers of series (Knuth, The Art of Computer Programming, volume 2, 4.7), which for dice with the
// faces 1 to s, whose polynomial is (1 - x^s) / (1 - x), takes three terms.

// onlySum says whether nothing but the sum of all dice is asked, and none has been given.
func (s *sweep) onlySum() bool {
	if len(s.asked) != 1 || s.asked[0].What != query.Sum || s.r.Stages[s.asked[0].Stage].Op != query.Whole {
		return false
	}
	for _, g := range s.groups {
		if len(g.given) > 0 {
			return false
		}
	}
	return true
}

// sums gives the distribution of the sum.
func (s *sweep) sums() (*Distribution, error) {
	least := int64(0)
	all := []*big.Int{big.NewInt(1)}
	for i, g := range s.groups {
		ways := g.sums
		from := int64(1)
		if g.weigh != nil {
			d := s.r.Pools[g.pool].Made
			first := 1
			for len(g.weigh.ways[first]) == 0 {
				first++
			}
			from = d.Shows[first-1].Int()
			ways = func(poll func(int) error) ([]*big.Int, error) { return g.weighedSums(d.Shows[first-1:], first, poll) }
		}
		c, err := ways(s.poll)
		if err != nil {
			return nil, err
		}
		least += int64(g.dice) * from
		if i == 0 {
			all = c
			continue
		}
		product := make([]*big.Int, len(all)+len(c)-1)
		t := new(big.Int)
		for k := range product {
			product[k] = new(big.Int)
		}
		for a, x := range all {
			if err := s.poll(0); err != nil {
				return nil, err
			}
			for b, y := range c {
				product[a+b].Add(product[a+b], t.Mul(x, y))
			}
		}
		all = product
	}
	l := &Distribution{Total: new(big.Int)}
	for k, ways := range all {
		if ways.Sign() > 0 {
			l.Outcomes, l.Ways = append(l.Outcomes, []V{value.OfInt(least + int64(k))}), append(l.Ways, ways)
			l.Total.Add(l.Total, ways)
		}
	}
	return l, nil
}

// sums gives the ways to each sum of the dice of a group, from the least on.
func (g *sizeGroup) sums(poll func(int) error) ([]*big.Int, error) {
	n, size := int64(g.dice), int64(g.size)
	c := make([]*big.Int, n*(size-1)+1)
	c[0] = big.NewInt(1)
	var t, factor big.Int
	for k := int64(1); k < int64(len(c)); k++ {
		if k%256 == 0 {
			if err := poll(int(k) * 8 * (int(n)/8 + 8)); err != nil {
				return nil, err
			}
		}
		c[k] = new(big.Int).Mul(c[k-1], factor.SetInt64(n+k-1))
		if k >= size {
			c[k].Add(c[k], t.Mul(c[k-size], factor.SetInt64(k-size-n*size)))
		}
		if k > size {
			c[k].Add(c[k], t.Mul(c[k-size-1], factor.SetInt64(n*(size-1)-(k-size-1))))
		}
		c[k].Quo(c[k], factor.SetInt64(k))
	}
	return c, nil
}

// weighedSums does the same for dice that are made of others and show these numbers, the first in at least one way.
func (g *sizeGroup) weighedSums(shows []V, first int, poll func(int) error) ([]*big.Int, error) {
	type term struct {
		above int64
		ways  *big.Int
	}
	var terms []term
	for i, v := range shows {
		if ways := fromLimbs(g.weigh.ways[first+i]); ways.Sign() > 0 {
			terms = append(terms, term{v.Int() - shows[0].Int(), ways})
		}
	}
	n := int64(g.dice)
	c := make([]*big.Int, n*terms[len(terms)-1].above+1)
	c[0] = new(big.Int).Exp(terms[0].ways, big.NewInt(n), nil)
	var t, factor big.Int
	for k := int64(1); k < int64(len(c)); k++ {
		if err := poll(int(k) * 64); err != nil {
			return nil, err
		}
		c[k] = new(big.Int)
		for _, x := range terms[1:] {
			if x.above > k {
				break
			}
			t.Mul(c[k-x.above], x.ways)
			c[k].Add(c[k], t.Mul(&t, factor.SetInt64(x.above*(n+1)-k)))
		}
		c[k].Quo(c[k], factor.Mul(terms[0].ways, factor.SetInt64(k)))
	}
	return c, nil
}
