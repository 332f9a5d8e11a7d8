package symbolic

import (
	"unsafe"

	"setpiece/interp/internal/value"
)

// Expr is what a value is worked out from.
type Expr struct {
	Linear
	Is     ExprKind
	Number bool    // it surely is a number
	Parts  []int32 // others, of what is put together
	Names  uint64  // whose names are in it, of members of an orbit
}

// ExprKind says what an Expr is.
type ExprKind uint8

const (
	asLinear   ExprKind = iota // the number of a linear form
	asQuotient                 // the same, but not rounded down
	AsDie                      // a die that shows the number of a word
	AsBuilt                    // something that is put together
	AsList                     // a list of so many Parts, 0 for those that are known
)

// total are the builtin functions that give a number for numbers, whatever they are,
// and those that give anything at all for anything.
var total = map[string]bool{"floor": true, "ceil": true, "round": true, "abs": true, "min": true, "max": true, "text": false}

// takesAny are those that give something for anything, if what they are given first is
// of a kind; what is put together always is of the same kind.
var takesAny = map[string]value.Kind{"with": value.List, "upper": value.Text, "lower": value.Text, "spaced": value.Text, "title": value.Text}

// Unknown gives what a word of the store that is read next is worked out from, 0
// where it is to be taken as it is.
func (t *Tracker) Unknown(at int) int32 {
	m := t.M
	if t.Varied == nil {
		return 0
	}
	t.Grow(at)
	switch {
	case t.Wrote[at] == t.Epoch:
		return t.Cell[at]
	case t.read[at] == t.Epoch:
		return 0
	case t.open[at] == t.Epoch:
		return t.Cell[at]
	case !t.Varied(at):
		return 0
	}
	sum := WordOf(int32(at))
	yes := Whole(m.Store[at])
	t.Path.Add(Constraint{sum, IsWhole, yes})
	if !yes {
		return 0
	}
	t.open[at] = t.Epoch
	t.Cell[at] = t.Add(Expr{Linear: sum, Number: true})
	return t.Cell[at]
}

func (t *Tracker) Add(x Expr) int32 { return t.Exprs.add(x) }

// AddList notes a list of n numbers that words hold, from one on.
func (t *Tracker) AddList(from int32, n int) int32 {
	parts := make([]int32, n)
	for i := range parts {
		parts[i] = t.Add(Expr{Linear: WordOf(from + int32(i)), Number: true})
	}
	return t.listOf(parts)
}

// listOf notes a list; 0 is one of which all is known.
func (t *Tracker) listOf(parts []int32) int32 {
	for _, p := range parts {
		if p != 0 {
			return t.Add(Expr{Linear: Linear{By: 1}, Is: AsList, Parts: parts})
		}
	}
	return 0
}

// exprs are numbered from 1. They are kept in pieces: a list that grows is there
// twice while it is copied, and a long step can work out millions of them.
type exprs struct {
	pieces [][]Expr
	n      int
}

// pieceBits is the logarithm of the length of a piece, keepPieces how many are kept for
// the next run.
const (
	pieceBits  = 12
	keepPieces = 64
)

func (s *exprs) add(x Expr) int32 {
	at := s.n >> pieceBits
	if at == len(s.pieces) {
		s.pieces = append(s.pieces, make([]Expr, 0, min(1<<pieceBits, max(64, s.n))))
	}
	s.pieces[at] = append(s.pieces[at], x)
	s.n++
	return int32(s.n)
}

func (s *exprs) Of(id int32) *Expr {
	id--
	return &s.pieces[id>>pieceBits][id&(1<<pieceBits-1)]
}

func (s *exprs) Forget() {
	s.pieces = s.pieces[:min(len(s.pieces), keepPieces)]
	for i := range s.pieces {
		s.pieces[i] = s.pieces[i][:0]
	}
	s.n = 0
}

// bytes is how much memory they take.
func (s *exprs) bytes() int {
	return len(s.pieces) << pieceBits * int(unsafe.Sizeof(Expr{}))
}

// ConcretiseExpr notes that what is done depends on the very value of what is worked out.
func (t *Tracker) ConcretiseExpr(id int32) {
	if id == 0 {
		return
	}
	x := t.Exprs.Of(id)
	if !t.silent {
		t.Named |= x.Names
	}
	switch {
	case x.Is == AsBuilt || x.Is == AsList:
		x.Is = AsBuilt
		for _, p := range x.Parts {
			t.ConcretiseExpr(p)
		}
		x.Parts = nil
	case x.Is == AsDie || x.Is == asLinear && x.By == 1 && x.N == 1 && x.Factor[0] == 1:
		t.Depend(int(x.At[0]))
	case x.N > 0:
		of := x.Linear
		if x.Is == asQuotient {
			of.By = 1
		}
		t.Path.Add(Constraint{Is: Exactly, Of: of})
		x.Linear = Linear{By: 1} // once is enough
		x.Is = AsBuilt
	}
}

// Of gives what a register is worked out from.
func (t *Tracker) Of(reg int) int32 {
	if reg < len(t.shadow) {
		return t.shadow[reg]
	}
	return 0
}

// Put says what a register is worked out from.
func (t *Tracker) Put(reg int, id int32) {
	if reg >= len(t.shadow) {
		if id == 0 {
			return
		}
		t.shadow = append(t.shadow, make([]int32, reg+64-len(t.shadow))...)
	}
	if t.shadow[reg] != 0 {
		t.Unknowns--
	}
	if id != 0 {
		t.Unknowns++
		t.high = max(t.high, reg+1)
	}
	t.shadow[reg] = id
}

// Forget makes all registers from one on hold nothing.
func (t *Tracker) Forget(from int) {
	for reg := from; reg < t.high; reg++ {
		t.Put(reg, 0)
	}
	t.high = min(t.high, from)
}

// Concretise makes a register hold what it holds, and nothing else.
func (t *Tracker) Concretise(reg int) {
	t.ConcretiseExpr(t.Of(reg))
	t.Put(reg, 0)
}

// addConstraint notes the answer to a question.
func (t *Tracker) addConstraint(asks Predicate, of Linear, yes bool) {
	if of.N > 0 {
		t.Path.Add(Constraint{of, asks, yes})
	}
}

// PutReport says what the value of a report is worked out from.
func (t *Tracker) PutReport(n int, id int32) {
	for n >= len(t.Reports) {
		t.Reports = append(t.Reports, 0)
	}
	t.Reports[n] = id
}

// OfReport gives what the value of a report is worked out from.
func (t *Tracker) OfReport(n int) int32 {
	if t == nil || n >= len(t.Reports) {
		return 0
	}
	return t.Reports[n]
}

// LinearForm gives the linear form that a value is worked out from. With no the value
// is what it is, whatever the unknown words hold.
func (t *Tracker) LinearForm(id int32) (Linear, bool) {
	if id == 0 {
		return Linear{}, false
	}
	if x := t.Exprs.Of(id); x.Is == asLinear {
		return x.Linear, true
	}
	t.ConcretiseExpr(id)
	return Linear{}, false
}
