package query

import (
	"slices"

	"setpiece/interp/internal/ablate"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
)

// Rules often ask something about a pool before they read the rest of it:
//
//	if ones(pool) < 2 { offer more … }
//	total = pool.take(2).sum
//
// The condition takes only a count, but the pool is of use behind it. If the Query ended there, its
// answer would be all dice, and hardly two throws would have the same. Whoever has thrown the dice
// can say how the condition comes out, and then the Query of those throws goes on behind it. So the
// queries of a place are a tree, with a Condition where it forks and what is read at its leaves.

// Condition compares answers about dice.
type Condition struct {
	op code.Op // Eq to Ge, or JmpNone
	of []int32 // the expressions that are compared, or the one that may be none
}

// maxConditions bounds how many conditions a Query goes past.
const maxConditions = 24

// condition gives the answer to a condition, with no where that is not settled.
func (w *executor) condition(op code.Op, of ...int32) (yes, ok bool) {
	if len(w.settled) > 0 {
		yes, w.settled = w.settled[0], w.settled[1:]
		w.r.settled++
		w.learn(op, of, yes)
		return yes, true
	}
	unread := func(u target) bool { e := &w.r.exprs[u.expr]; return e.of == isList && e.what == AllDice }
	if w.forks && !ablate.Conditions && w.r.settled < maxConditions && len(w.r.Pools) == 1 && slices.ContainsFunc(w.pending(), unread) {
		w.r.Condition = &Condition{op, of}
	}
	return false, false
}

// learn notes how many dice a list has at least, where a condition says so.
func (w *executor) learn(op code.Op, of []int32, yes bool) {
	if op == code.JmpNone {
		return
	}
	x, y := &w.r.exprs[of[0]], &w.r.exprs[of[1]]
	if x.of != isAsked || x.what != Count || y.of != isConstant || !y.k.IsInt() {
		return
	}
	n := int(y.k.Int())
	switch {
	case op == code.Gt && yes, op == code.Le && !yes:
		n++
	case op == code.Ge && yes, op == code.Lt && !yes, op == code.Eq && yes:
	case (op == code.Eq && !yes || op == code.Ne && yes) && n == 0:
		n = 1
	default:
		return
	}
	if w.least == nil {
		w.least = map[int32]int{}
	}
	w.least[x.stage] = max(n, w.least[x.stage])
}

// some says whether a stage has a die, however they fall.
func (w *executor) some(stage int32) bool { return w.atLeast(stage) > 0 }

func (w *executor) atLeast(stage int32) int {
	s := &w.r.Stages[stage]
	if s.Size >= 0 {
		return s.Size
	}
	n := w.least[stage]
	switch s.Op {
	case First:
		n = max(n, min(s.N, w.atLeast(int32(s.From))))
	case Behind:
		n = max(n, w.atLeast(int32(s.From))-s.N)
	case Spared:
		n = max(n, w.atLeast(int32(s.From)))
	}
	return n
}

// compare goes past a jump that compares two values of which one at least is unknown; the second is in
// the instruction, or in register b.
func (w *executor) compare(top *machine.Frame, in *code.Ins, a, b int) bool {
	op := in.Op.Comparison()
	same := op == code.Eq || op == code.Ne // of whatever kind they are
	x, ok := w.operand(a)
	ok = ok || same && w.plain(x)
	y, also := int32(0), true
	if b < 0 {
		y = w.add(expr{of: isConstant, k: value.OfInt(int64(in.B)), number: true})
	} else {
		y, also = w.operand(b)
		also = also || same && w.plain(y)
	}
	if !ok || !also {
		return false
	}
	yes, ok := w.condition(op, x, y)
	if ok {
		w.jump(top, in, yes)
	}
	return ok
}

// empty goes past the question whether a list of dice is empty.
func (w *executor) empty(dst int, e int32) bool {
	count := w.add(expr{of: isAsked, stage: w.r.exprs[e].stage, what: Count, number: true})
	yes, ok := w.condition(code.Eq, count, w.add(expr{of: isConstant, k: value.OfInt(0), number: true}))
	if ok {
		w.put(dst, value.OfBool(yes))
	}
	return ok
}

// plain says whether an expression is one answer, or known.
func (w *executor) plain(e int32) bool {
	of := w.r.exprs[e].of
	return of == isAsked || of == isConstant
}

// none goes past a jump that asks whether something is none.
func (w *executor) none(top *machine.Frame, in *code.Ins, e int32) bool {
	yes, ok := w.condition(code.JmpNone, e)
	if ok {
		w.jump(top, in, yes == (in.Op == code.JmpNone || in.Op == code.JAtNone))
	}
	return ok
}

func (w *executor) jump(top *machine.Frame, in *code.Ins, yes bool) {
	top.PC++
	if yes {
		top.PC = in.C
	}
}

// Holds says whether the condition with which a Query ends is true where dice show faces.
func (x *Reader) Holds(m *machine.Machine, r *Query, faces []int) bool {
	answers := x.answersOf(m, r, faces)
	a := r.valueOf(m, r.Condition.of[0], answers)
	if r.Condition.op == code.JmpNone {
		return a == value.None
	}
	b := r.valueOf(m, r.Condition.of[1], answers)
	switch r.Condition.op {
	case code.Eq:
		return machine.Same(a, b)
	case code.Ne:
		return !machine.Same(a, b)
	}
	return machine.Holds(r.Condition.op, m.Heap.Compare(a, b))
}
