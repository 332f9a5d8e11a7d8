package machine

import (
	"math/bits"
	"setpiece/interp/internal/code"
	"slices"
)

// A register is live at an instruction when its value may still be read from
// there on. States that differ in dead registers only are the same state: that
// is what lets odds merge them. Liveness is the usual backward data flow (Aho,
// Lam, Sethi and Ullman, Compilers, 9.2.5), worked out once for each function
// that is met.

// regset is a set of registers.
type regset []uint64

func (s regset) add(r int) { s[r>>6] |= 1 << (r & 63) }
func (s regset) del(r int) { s[r>>6] &^= 1 << (r & 63) }

// each calls f with the registers of the set in order.
func (s regset) each(f func(r int)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			f(i<<6 + bits.TrailingZeros64(w))
		}
	}
}

// liveness is what is live before each instruction of a function. Whether the
// values of the last outcome are live depends on whether they are where the
// function returns: lastIf is without, lastOn with that.
type liveness struct {
	id     int // number of the function
	before []regset
	lastIf []bool
	lastOn []bool
	fields []bitset // see fieldsOf
}

// analysis knows the functions of a program for saving states.
type analysis struct {
	prog      *code.Program
	fns       map[*code.Func]*liveness
	list      []*code.Func
	reached   map[root]*reach
	locals    map[*code.Func]*local
	stamp     int
	valued    []*local // see byValue
	handling  map[*code.Type][]*local
	checks    map[int32]bool // by field: whether what is put into it may be refused
	registers map[*code.Func][]regset
	types     []*code.Type // of what there is: only these can have handlers that are called
	symbol    []int32      // of the words of the store, see symbols
	crowd     *crowds
	stored    []*code.Func        // rules that stand in the store as values
	lastAll   bool                // all values of the last outcome are asked for in the end
	lastRead  map[int]bool        // else these
	clears    map[*code.Func]int8 // whether it surely clears the last outcome: 1 no, 2 yes, 3 being looked at
}

// maxAnalysed bounds the functions that an analysis is kept for.
const maxAnalysed = 4096

// analysisOf gives the analysis of the program of a machine as it is: that of
// the time before if nothing has been declared since.
func analysisOf(m *Machine) *analysis {
	a := &analysis{
		prog: m.Prog, fns: map[*code.Func]*liveness{}, reached: map[root]*reach{}, registers: map[*code.Func][]regset{}, locals: map[*code.Func]*local{}, handling: map[*code.Type][]*local{}, checks: map[int32]bool{},
		clears: map[*code.Func]int8{}, lastAll: true, symbol: symbols(m),
	}
	for _, off := range m.Prog.Live {
		a.types = withBases(a.types, m.TypeOf(off))
	}
	for _, v := range m.Store {
		a.stored = a.rulesIn(m.Heap, v, a.stored)
	}
	if old := m.analysed; old != nil && len(old.list) < maxAnalysed && old.same(a) {
		old.prog = m.Prog
		return old
	}
	m.analysed = a
	return a
}

// same says whether what was found for a program holds for another.
func (a *analysis) same(b *analysis) bool {
	p, q := a.prog, b.prog
	return p.Traced == q.Traced && p.Default == q.Default && p.Last == q.Last && len(p.Symbols) == len(q.Symbols) &&
		slices.Equal(p.Slots, q.Slots) && slices.Equal(p.Types, q.Types) && slices.Equal(p.Tactics, q.Tactics) && slices.Equal(p.Live, q.Live) &&
		slices.Equal(a.types, b.types) && slices.Equal(a.stored, b.stored) && slices.Equal(a.symbol, b.symbol)
}

// of gives the liveness of a function, and marks its loops at whose heads a
// state may rest: those that can throw dice.
func (a *analysis) of(fn *code.Func) *liveness {
	if l := a.fns[fn]; l != nil {
		return l
	}
	l := &liveness{id: len(a.list)}
	a.fns[fn] = l
	a.list = append(a.list, fn)
	l.before = a.before(fn)
	l.lastIf, l.lastOn = a.last(fn)
	for pc := range fn.Code {
		if in := &fn.Code[pc]; in.Op == code.Jmp && int(in.C) <= pc && fn.Code[in.C].Op == code.Head {
			head := &fn.Code[in.C]
			head.B = 0
			for i := int(in.C); i < pc && head.B == 0; i++ {
				if a.mayThrow(fn, i) {
					head.B = 1
				}
			}
		}
	}
	return l
}

// fixpoint goes through a function from its end to its start until step
// changes nothing any more.
func fixpoint(fn *code.Func, step func(pc int, in *code.Ins) bool) {
	for again := true; again; {
		again = false
		for pc := len(fn.Code) - 1; pc >= 0; pc-- {
			if step(pc, &fn.Code[pc]) {
				again = true
			}
		}
	}
}

// before gives the registers that are live before each instruction.
func (a *analysis) before(fn *code.Func) []regset {
	b := a.registers[fn]
	if b == nil {
		b = a.liveRegisters(fn)
		a.registers[fn] = b
	}
	return b
}

func (a *analysis) liveRegisters(fn *code.Func) []regset {
	words := (fn.Regs + 2 + 63) / 64
	flat := make([]uint64, words*len(fn.Code))
	before := make([]regset, len(fn.Code))
	for i := range before {
		before[i] = flat[i*words : (i+1)*words : (i+1)*words]
	}
	guarded := fn.Guarded()
	now := make(regset, words)
	fixpoint(fn, func(pc int, in *code.Ins) bool {
		clear(now)
		join := func(at int) {
			if at < len(before) {
				for i, w := range before[at] {
					now[i] |= w
				}
			}
		}
		if in.Op.Falls() {
			join(pc + 1)
		}
		if in.Op.Jumps() {
			join(int(in.C))
		}
		for _, at := range guarded.At(pc) {
			join(at)
		}
		a.through(fn, in, now)
		changed := false
		for i, w := range now {
			if before[pc][i]|w != before[pc][i] {
				before[pc][i] |= w
				changed = true
			}
		}
		return changed
	})
	return before
}

// through changes what is live behind an instruction into what is before it.
func (a *analysis) through(fn *code.Func, in *code.Ins, s regset) {
	o := in.Operands(a.prog, fn)
	if o.Sets >= 0 {
		s.del(int(o.Sets))
	}
	for _, r := range o.Uses {
		if r >= 0 {
			s.add(int(r))
		}
	}
	for r := range o.N {
		s.add(int(o.From + r))
	}
}

// last works out where the values of the last outcome are live; on says that they
// are where the function returns.
func (a *analysis) last(fn *code.Func) (off, on []bool) {
	guarded := fn.Guarded()
	n := len(fn.Code)
	flags := make([]bool, 4*n+2)
	read, cleared := flags[:n], flags[n:2*n]
	for pc := range fn.Code {
		read[pc], cleared[pc] = a.readsLast(fn, pc), a.clearsLast(&fn.Code[pc])
	}
	where := func(live []bool, on bool) []bool {
		live[n] = on
		fixpoint(fn, func(pc int, in *code.Ins) bool {
			v := in.Op.Falls() && live[pc+1]
			if in.Op.Jumps() {
				v = v || live[in.C]
			}
			back := false // a refusal gives the values back that were there
			for _, at := range guarded.At(pc) {
				back = back || live[at]
			}
			switch {
			case in.Op == code.Ret:
				v = on
			case read[pc]:
				v = true
			case cleared[pc]:
				v = false
			}
			v = v || back
			changed := v && !live[pc]
			live[pc] = live[pc] || v
			return changed
		})
		return live
	}
	return where(flags[2*n:3*n+1], false), where(flags[3*n+1:], true)
}

// mayThrow says whether the instruction at pc may need chance or choice.
func (a *analysis) mayThrow(fn *code.Func, pc int) bool {
	return fn.Code[pc].Throws() ||
		slices.ContainsFunc(a.calls(fn, pc, false), func(r root) bool { return a.reach(r).throws })
}

// readsLast says whether the instruction at pc may read the last outcome.
func (a *analysis) readsLast(fn *code.Func, pc int) bool {
	at, ok := fn.Code[pc].WordRead()
	return ok && a.isLast(at) ||
		slices.ContainsFunc(a.calls(fn, pc, true), func(r root) bool { return a.reach(r).last })
}

func (a *analysis) isLast(at int) bool { return at >= a.prog.Last[0] && at < a.prog.Last[1] }

// clearsLast says whether the last outcome is surely forgotten behind an
// instruction.
func (a *analysis) clearsLast(in *code.Ins) bool {
	if in.Op == code.Clear {
		return true
	}
	if in.Op != code.Call {
		return false
	}
	fn := a.prog.Slots[in.B]
	switch a.clears[fn] {
	case 1, 3:
		return false
	case 2:
		return true
	}
	a.clears[fn] = 3
	yes := a.linked(fn) && a.alwaysClears(fn)
	a.clears[fn] = 1
	if yes {
		a.clears[fn] = 2
	}
	return yes
}

// alwaysClears says whether every way through a function clears.
func (a *analysis) alwaysClears(fn *code.Func) bool {
	// not[pc]: from pc the end can be reached without clearing
	not := make([]bool, len(fn.Code)+1)
	not[len(fn.Code)] = true
	fixpoint(fn, func(pc int, in *code.Ins) bool {
		v := in.Op == code.Ret || in.Op.Falls() && not[pc+1] || in.Op.Jumps() && not[in.C]
		if v && in.Op != code.Ret && a.clearsLast(in) {
			v = false
		}
		changed := v && !not[pc]
		not[pc] = not[pc] || v
		return changed
	})
	return !not[0]
}
