package odds

import "math/big"

// The graph is solved by one algorithm for both kinds of weights: floats, which are fast, and
// fractions, which are exact.

// arithmetic is that of weights: floats or fractions.
type arithmetic[W any] interface {
	one() W
	part(n *Node, kid int) W
	add(a, b W) W
	mul(a, b W) W
	div(a, b W) W
	zero(a W) bool
	bytes(a W) int // that an edge of this weight takes, roughly
}

type floats struct{}

func (floats) one() float64 { return 1 }

func (floats) part(n *Node, kid int) float64 { return n.p(kid) }

func (floats) add(a, b float64) float64 { return a + b }

func (floats) mul(a, b float64) float64 { return a * b }

func (floats) div(a, b float64) float64 { return a / b }

func (floats) zero(a float64) bool { return a == 0 }

func (floats) bytes(float64) int { return 20 } // there is another for who leads there

type fractions struct{}

func (fractions) one() *big.Rat { return big.NewRat(1, 1) }

func (fractions) part(n *Node, kid int) *big.Rat {
	if n.Ways == nil {
		return big.NewRat(1, int64(len(n.Kids)))
	}
	return new(big.Rat).SetFrac(n.Ways[kid], n.Total)
}

func (fractions) add(a, b *big.Rat) *big.Rat {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	return new(big.Rat).Add(a, b)
}

func (fractions) mul(a, b *big.Rat) *big.Rat {
	if a == nil || b == nil {
		return nil
	}
	return new(big.Rat).Mul(a, b)
}

func (fractions) div(a, b *big.Rat) *big.Rat {
	if a == nil {
		return nil
	}
	return new(big.Rat).Quo(a, b)
}

func (fractions) zero(a *big.Rat) bool { return a == nil || a.Sign() == 0 }

func (fractions) bytes(a *big.Rat) int {
	if a == nil {
		return 20
	}
	return 100 + (a.Num().BitLen()+a.Denom().BitLen())/8
}
