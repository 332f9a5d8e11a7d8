package query

import (
	"math"
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/state"
	"setpiece/interp/internal/value"
)

// A list of results that have nothing to do with one another,
//
//	[(throw 4d6).take(3).sum for i in 1..6]
//
// is a pool of dice, each made of whatever one turn throws: what is read of the list is read in one sweep. Whoever
// knows what may come of a turn (Run) gives it to FindIn.

// Draws is such a list, of which the first element is being thrown.
type Draws struct {
	frame            int
	head, with, exit int32 // of a turn: its beginning, what puts its result into the list; where the loop ends
	list, elem       int   // registers: of the list, and of the result
	n                int   // of the elements
}

// DrawsAt finds the list that is made where Run returned NeedChance, nil where there is none.
func DrawsAt(s *state.Codec) *Draws {
	m := s.M
	if m.Out != nil || m.Paired() || len(m.Own.Faces)+len(m.Faces)+len(m.Savepoints) > 0 {
		return nil
	}
	for i := range m.Frames {
		f := &m.Frames[i]
		for end := max(1, f.PC); int(end) < len(f.Fn.Code); end++ {
			jump, with := &f.Fn.Code[end], &f.Fn.Code[end-1]
			if jump.Op != code.Jmp || jump.C >= f.PC || with.Op != code.Builtin || code.Builtins[with.B].Name != "with" {
				continue
			}
			iter, base := &f.Fn.Code[jump.C], int(f.Base)
			d := &Draws{frame: i, head: jump.C + 1, with: end - 1, exit: iter.C, list: base + int(with.A), elem: base + int(with.A) + 1}
			if over := base + int(iter.A); iter.Op == code.Iter && m.Stack[over+1] == value.OfInt(1) && m.Stack[d.list] == value.EmptyList && d.independent(s, f.Fn, iter.B) {
				d.n = len(m.Heap.Elems(m.Stack[over]))
				return d
			}
		}
	}
	return nil
}

// independent says whether a turn reads nothing that a turn has written, nor the variable of the loop.
func (d *Draws) independent(s *state.Codec, fn *code.Func, variable int32) bool {
	live := s.Analysis.Liveness(fn).Before[d.head]
	if live.Has(int(variable)) {
		return false
	}
	for pc := d.head; pc < d.with; pc++ {
		in := &fn.Code[pc]
		if sets := in.Operands(s.M.Prog, fn).Sets; sets >= 0 && live.Has(int(sets)) ||
			in.Op.Returns() || in.Op.Jumps() && (in.C < d.head || in.C > d.with) {
			return false
		}
	}
	return true
}

// Begin has the machine stand at the beginning of a turn.
func (d *Draws) Begin(m *machine.Machine) {
	m.Frames = m.Frames[:d.frame+1]
	m.Frames[d.frame].PC = d.head
}

// Turns says whether the machine is within the turn that Begin began.
func (d *Draws) Turns(m *machine.Machine) bool {
	return len(m.Frames) > d.frame && m.Stack[d.list] == value.EmptyList && (len(m.Frames) > d.frame+1 || m.Frames[d.frame].PC <= d.with)
}

// Run goes on to the result of the turn or, with none, to the next throw; with no it does something else than to
// calculate.
func (d *Draws) Run(m *machine.Machine) (result V, done, ok bool) {
	for range maxRead {
		top := &m.Frames[len(m.Frames)-1]
		if len(m.Frames) == d.frame+1 && top.PC == d.with {
			v := m.Stack[d.elem]
			return v, true, v.IsNumber() || v.Kind() == value.Symbol
		}
		if op := top.Fn.Code[top.PC].Op; op != code.Throw && (!op.Looks() || op == code.Act) {
			return 0, false, false
		}
		if st := m.Exec(1); st != machine.Stepped {
			return 0, false, st == machine.NeedChance
		}
	}
	return 0, false, false
}

// FindIn finds what is read of such a list, where one turn comes to what a shape says. It gives nil where that is in
// which order the results came.
func FindIn(s *state.Codec, d *Draws, shape *machine.Shape) *Query {
	pool := (&Made{slices.Repeat([]V{value.None}, d.n), slices.Repeat([]*machine.Shape{shape}, d.n), shape.Shows}).pool()
	d.Begin(s.M)
	s.M.Frames[d.frame].PC = d.exit
	w := &executor{}
	w.begin(s, AllThrows, pool)
	w.set(d.list, w.add(expr{of: isList, what: AllFaces, loose: true}))
	if r := w.find(AllThrows); !r.ordered {
		return r
	}
	return nil
}

// drawn takes so many elements of such a list, or one alone, where nothing else waits: any are as good as these.
func (w *executor) drawn(dst int, k int64, alone bool) bool {
	top := &w.m.Frames[len(w.m.Frames)-1]
	top.PC++
	others := slices.ContainsFunc(w.pending(), func(u target) bool { return u.in != register || u.at != dst })
	top.PC--
	d := w.r.Pools[0].Made
	if others || len(w.r.Stages) > 1 || k < 1 || k > int64(len(d.Dice)) || math.Pow(float64(len(d.Shows)), float64(k)) > fewDrawn {
		return false
	}
	w.r.Pools, w.r.Stages = nil, nil
	x := expr{of: isJoined}
	for i := range int(k) {
		w.r.Pools = append(w.r.Pools, (&Made{d.Dice[:1], d.Shapes[:1], d.Shows}).pool())
		w.r.Stages = append(w.r.Stages, Stage{From: i, Op: Whole, N: i, Size: 1})
		x.parts = append(x.parts, w.add(expr{of: isAsked, stage: int32(i), what: TopFace, number: d.numbers()}))
	}
	if w.set(dst, x.parts[0]); !alone {
		w.set(dst, w.add(x))
	}
	return true
}

// fewDrawn bounds the lists that a few of such elements may be.
const fewDrawn = 1 << 14
