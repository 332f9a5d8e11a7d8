package symbolic

import (
	"slices"

	"setpiece/interp/internal/value"
)

// V is a value.
type V = value.V

// Linear is a whole number that is worked out from words of the store: K and, for
// each of the first N of At, by place, Factor times what the word holds, all divided
// by By and rounded down.
type Linear struct {
	K      int64
	At     [maxTerms]int32
	Factor [maxTerms]int16
	By     int16
	N      int8
}

// maxTerms is how many words a Linear may have. What exceeds it is concretised, so that a
// margin of two totals with a bonus and a shift for each has to fit.
const maxTerms = 6

// Bounds that keep every Linear and each sum of two within a word.
const (
	maxWhole  = 1 << 40
	maxFactor = 1 << 8 // and of what it is divided by
	maxK      = 1 << 50
)

// Whole says whether a value is a whole number that a Linear may be worked out from.
func Whole(v V) bool { return v.IsInt() && v.Int() < maxWhole && v.Int() > -maxWhole }

// WordOf is the number in a word.
func WordOf(at int32) Linear {
	return Linear{By: 1, N: 1, At: [maxTerms]int32{at}, Factor: [maxTerms]int16{1}}
}

// WordForm says that a word, or one of a list of values, is the number of a linear form.
type WordForm struct {
	At int32
	Of Linear
}

// Constant is a number that is worked out from no word.
func Constant(n int64) Linear { return Linear{K: n, By: 1} }

// Of gives the number where the words of the store are these.
func (l *Linear) Of(store []V) V { return value.OfInt(l.number(store)) }

func (l *Linear) number(store []V) int64 {
	n := l.K
	for i := range l.N {
		n += int64(l.Factor[i]) * store[l.At[i]].Int()
	}
	by := int64(l.By)
	if by == 1 {
		return n
	}
	q := n / by
	if n%by < 0 {
		q--
	}
	return q
}

// Numerator gives what is divided by By, and how much of it one of the word at a place is worth.
func (l *Linear) Numerator(store []V, at int32) (n, factor int64) {
	n = l.K
	for i := range l.N {
		n += int64(l.Factor[i]) * store[l.At[i]].Int()
		if l.At[i] == at {
			factor = int64(l.Factor[i])
		}
	}
	return n, factor
}

// Over gives l divided by n, rounded down, with no if it cannot be told.
func (l Linear) Over(n int64) (Linear, bool) {
	by := int64(l.By) * n
	l.By = int16(by)
	return l, n > 0 && n < maxFactor && by < maxFactor
}

// Plus gives the sum of l and factor times m, with no if it cannot be told.
func (l Linear) Plus(m Linear, factor int64) (sum Linear, ok bool) {
	switch {
	case l.By == m.By:
	case m.N == 0 && m.By == 1 && factor > -maxFactor && factor < maxFactor && m.K < maxWhole && m.K > -maxWhole:
		// a whole number may as well be added before the division
		m.K, m.By = m.K*int64(l.By), l.By
	case l.N == 0 && l.By == 1 && factor == 1:
		return m.Plus(l, 1)
	default:
		return sum, false
	}
	if l.By != 1 && (m.N > 0 || l.N == 0) {
		return sum, false
	}
	sum.By = l.By
	sum.K = l.K + factor*m.K
	put := func(at int32, f int64) {
		if f == 0 || !ok {
			return
		}
		if ok = sum.N < maxTerms && f < maxFactor && f > -maxFactor; ok {
			sum.At[sum.N], sum.Factor[sum.N] = at, int16(f)
			sum.N++
		}
	}
	ok = sum.K < maxK && sum.K > -maxK
	i, k := int8(0), int8(0)
	for i < l.N || k < m.N {
		switch {
		case k == m.N || i < l.N && l.At[i] < m.At[k]:
			put(l.At[i], int64(l.Factor[i]))
			i++
		case i == l.N || m.At[k] < l.At[i]:
			put(m.At[k], factor*int64(m.Factor[k]))
			k++
		default:
			put(l.At[i], int64(l.Factor[i])+factor*int64(m.Factor[k]))
			i, k = i+1, k+1
		}
	}
	return sum, ok
}

// PathCondition is what was the case where a piece of computation began, and made it go as it
// went, in the order in which it was asked: Order has the word whose value was read,
// or, as ^i, the number of one of Constraints.
type PathCondition struct {
	Order       []int32
	Constraints []Constraint
}

// Constraint is an answer about the words of the store.
type Constraint struct {
	Of  Linear
	Is  Predicate
	Yes bool // the answer, where it is yes or no
}

// Key gives a number that is the same for the same facts, and hardly for others.
func (f *Constraint) Key() uint64 {
	k := uint64(f.Of.K)<<8 ^ uint64(f.Of.By)<<4 ^ uint64(f.Is)<<1
	if f.Yes {
		k++
	}
	for i, at := range f.Of.At[:f.Of.N] {
		k = (k ^ uint64(at)<<16 ^ uint64(uint16(f.Of.Factor[i]))) * 0x9e3779b97f4a7c15
	}
	return k
}

// AddWord adds that a word holds what it holds.
func (p *PathCondition) AddWord(at int32) { p.Order = append(p.Order, at) }

// Add adds an answer.
func (p *PathCondition) Add(f Constraint) {
	p.Order = append(p.Order, ^int32(len(p.Constraints)))
	p.Constraints = append(p.Constraints, f)
}

// Clone gives a copy.
func (p *PathCondition) Clone() PathCondition {
	return PathCondition{slices.Clone(p.Order), slices.Clone(p.Constraints)}
}

// Predicate is what may be asked of the words of the store.
type Predicate uint8

const (
	Always      Predicate = iota
	Exactly               // which number it is
	IsWhole               // whether the one word holds a whole number
	NotNegative           // whether it is 0 or more
	IsZero                // whether it is 0
)

// Holds answers a question, other than Exactly.
func (q Predicate) Holds(of *Linear, store []V) bool {
	switch q {
	case IsWhole:
		return Whole(store[of.At[0]])
	case NotNegative:
		return of.number(store) >= 0
	}
	return of.number(store) == 0
}
