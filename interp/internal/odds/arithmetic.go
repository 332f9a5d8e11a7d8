package odds

import (
	"math/big"
	"math/bits"
)

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

// natural is a whole number, in a word as long as it fits.
type natural struct {
	word uint64
	big  *big.Int
}

func naturalOf(x *big.Int) natural {
	if x.IsUint64() {
		return natural{word: x.Uint64()}
	}
	return natural{big: x}
}

func (a natural) int() *big.Int {
	if a.big != nil {
		return a.big
	}
	return new(big.Int).SetUint64(a.word)
}

func (a natural) equal(b natural) bool {
	return a == b || a.big != nil && b.big != nil && a.big.Cmp(b.big) == 0
}

func (a natural) plus(b natural) natural {
	if sum, carry := bits.Add64(a.word, b.word, 0); a.big == nil && b.big == nil && carry == 0 {
		return natural{word: sum}
	}
	return natural{big: new(big.Int).Add(a.int(), b.int())}
}

func (a natural) times(b natural) natural {
	if high, low := bits.Mul64(a.word, b.word); a.big == nil && b.big == nil && high == 0 {
		return natural{word: low}
	}
	return natural{big: new(big.Int).Mul(a.int(), b.int())}
}

// fraction is a number of ways out of so many; the zero value is 0. It is not in lowest terms: weights that come
// together have mostly gone through the same throws, and are added without looking for a common divisor.
type fraction struct{ ways, of natural }

func fractionOf(x *big.Rat) fraction { return fraction{naturalOf(x.Num()), naturalOf(x.Denom())} }

// rat gives it in lowest terms, and nil for 0.
func (a fraction) rat() *big.Rat {
	if a.none() {
		return nil
	}
	return new(big.Rat).SetFrac(a.ways.int(), a.of.int())
}

func (a fraction) none() bool { return a.ways == natural{} }

// fractions remembers the latest product of two denominators: all that leaves a throw has the same.
type fractions struct{ a, b, product natural }

func (*fractions) one() fraction { return fraction{natural{word: 1}, natural{word: 1}} }

func (*fractions) part(n *Node, kid int) fraction {
	if n.Ways == nil {
		return fraction{natural{word: 1}, natural{word: uint64(len(n.Kids))}}
	}
	return fraction{naturalOf(n.Ways[kid]), naturalOf(n.Total)}
}

func (*fractions) add(a, b fraction) fraction {
	switch {
	case a.none():
		return b
	case b.none():
		return a
	case a.of.equal(b.of):
		return fraction{a.ways.plus(b.ways), a.of}
	}
	x := a.rat()
	return fractionOf(x.Add(x, b.rat()))
}

func (w *fractions) mul(a, b fraction) fraction {
	if a.none() || b.none() {
		return fraction{}
	}
	if a.of != w.a || b.of != w.b {
		w.a, w.b, w.product = a.of, b.of, a.of.times(b.of)
	}
	return fraction{a.ways.times(b.ways), w.product}
}

func (*fractions) div(a, b fraction) fraction {
	if a.none() {
		return a
	}
	x := a.rat()
	return fractionOf(x.Quo(x, b.rat()))
}

func (*fractions) zero(a fraction) bool { return a.none() }

func (*fractions) bytes(a fraction) int {
	return 64 + (a.ways.int().BitLen()+a.of.int().BitLen())/8
}

// share gives the part that some ways are of all as a float: the nearest, but for numbers of more than 128 bits,
// of which only the first 128 count.
func share(ways, all *big.Int) float64 {
	if all.BitLen() <= 53 {
		return float64(ways.Int64()) / float64(all.Int64())
	}
	p, _ := new(big.Float).SetPrec(53).Quo(leading(ways), leading(all)).Float64()
	return p
}

// leading gives a number by its first 128 bits.
func leading(x *big.Int) *big.Float {
	rest := max(0, x.BitLen()-128)
	f := new(big.Float).SetInt(new(big.Int).Rsh(x, uint(rest)))
	return f.SetMantExp(f, rest)
}
