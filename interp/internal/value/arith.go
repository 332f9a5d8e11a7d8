package value

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// ErrKind is returned by arithmetic on values that are no numbers.
var ErrKind = errors.New("not a number")

// ErrZero is returned by a division by zero.
var ErrZero = errors.New("division by zero")

// ErrBig is returned when an exact number grows past any sensible size.
var ErrBig = errors.New("the number has grown too large")

const maxBits = 1 << 12

// IsNumber says whether v is a number of either form.
func (v V) IsNumber() bool { return v.IsInt() || v.Kind() == Rat }

// Add gives a + b for numbers.
func (h *Heap) Add(a, b V) (V, error) {
	if a.IsInt() && b.IsInt() {
		return h.OfInt64(a.Int() + b.Int()), nil
	}
	return h.slow(a, b, (*big.Rat).Add)
}

// Sub gives a - b for numbers.
func (h *Heap) Sub(a, b V) (V, error) {
	if a.IsInt() && b.IsInt() {
		return h.OfInt64(a.Int() - b.Int()), nil
	}
	return h.slow(a, b, (*big.Rat).Sub)
}

// Mul gives a × b for numbers.
func (h *Heap) Mul(a, b V) (V, error) {
	if a.IsInt() && b.IsInt() {
		x, y := a.Int(), b.Int()
		if int64(int32(x)) == x && int64(int32(y)) == y {
			return h.OfInt64(x * y), nil
		}
	}
	return h.slow(a, b, (*big.Rat).Mul)
}

// Div gives a / b exactly.
func (h *Heap) Div(a, b V) (V, error) {
	if b == OfInt(0) {
		return 0, ErrZero
	}
	if a.IsInt() && b.IsInt() && a.Int()%b.Int() == 0 {
		return h.OfInt64(a.Int() / b.Int()), nil
	}
	return h.slow(a, b, (*big.Rat).Quo)
}

func (h *Heap) slow(a, b V, op func(z, x, y *big.Rat) *big.Rat) (V, error) {
	if !a.IsNumber() || !b.IsNumber() {
		return 0, ErrKind
	}
	z := op(new(big.Rat), h.RatOf(a), h.RatOf(b))
	if z.Num().BitLen() > maxBits || z.Denom().BitLen() > maxBits {
		return 0, ErrBig
	}
	return h.OfRat(z), nil
}

// Neg gives -a for a number.
func (h *Heap) Neg(a V) (V, error) { return h.Sub(OfInt(0), a) }

// Floor gives the largest whole number that is not above a.
func (h *Heap) Floor(a V) V {
	if a.IsInt() {
		return a
	}
	r := h.RatOf(a)
	q := new(big.Int).Div(r.Num(), r.Denom()) // Euclidean; the denominator is positive
	return h.OfRat(new(big.Rat).SetInt(q))
}

// TooLarge says of a whole number that has no room in a word how far whole numbers go, ""
// of anything else.
func (h *Heap) TooLarge(v V) string {
	if v.Kind() != Rat || h.Floor(v) != v {
		return ""
	}
	if h.Compare(v, OfInt(0)) < 0 {
		return fmt.Sprintf("too small: whole numbers begin at %d", MinInt)
	}
	return fmt.Sprintf("too large: whole numbers end at %d", MaxInt)
}

// Compare orders any two values: numbers by size, texts and symbols by their
// letters, dice by face and then by size, lists element by element; values of
// different kinds by kind. It is zero only for equal values.
func (h *Heap) Compare(a, b V) int {
	if a == b {
		return 0
	}
	if a.IsInt() && b.IsInt() {
		return cmp.Compare(a.Int(), b.Int())
	}
	if a.IsNumber() && b.IsNumber() {
		return h.RatOf(a).Cmp(h.RatOf(b))
	}
	if a.Kind() != b.Kind() {
		return cmp.Compare(a.Kind(), b.Kind())
	}
	switch a.Kind() {
	case Text, Symbol:
		return strings.Compare(h.TextOf(a), h.TextOf(b))
	case Die:
		if c := cmp.Compare(a.DieFace(), b.DieFace()); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.DieSize(), b.DieSize()), cmp.Compare(a.Pluses(), b.Pluses()))
	case List, Map, Range, Made:
		return slices.CompareFunc(h.elems(uint32(a.Payload())), h.elems(uint32(b.Payload())), h.Compare)
	}
	return cmp.Compare(a, b)
}

// In says whether x is an element of a list, a key of a map, or lies within a
// range; ok is false when y is none of these.
func (h *Heap) In(x, y V) (in, ok bool) {
	switch y.Kind() {
	case List:
		return slices.Contains(h.Elems(y), x), true
	case Map:
		_, in := h.Get(y, x)
		return in, true
	case Range:
		lo, hi := h.Ends(y)
		if !x.IsNumber() {
			return false, true
		}
		return (lo == None || h.Compare(lo, x) <= 0) && (hi == None || h.Compare(x, hi) <= 0), true
	}
	return false, false
}

// Drop gives map m without key k.
func (h *Heap) Drop(m, k V) V {
	if _, in := h.Get(m, k); !in {
		return m
	}
	p := h.Pairs(m)
	i, _ := h.search(p, k)
	return h.OfMap(slices.Concat(p[:i], p[i+2:]))
}
