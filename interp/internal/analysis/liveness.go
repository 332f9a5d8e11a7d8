// Package analysis finds out what code may still do, without running it.
//
// Odds merge states that are equal. Most states differ only in what nobody will ever
// look at again: a register that is overwritten next, a counter that only counts itself,
// last round's outcome. This package says what that is. It knows a program and the
// layout of its store, and no run: whoever has a run asks it about the places where the
// functions of that run stand.
//
//	liveness.go   registers that may still be read, at each instruction (backward data flow)
//	faint.go      fields and variables that are read only to be written anew
//	effects.go    the call graph: what a function, and all it may lead to, reads, writes and throws
//	future.go     what may still be read from where a run stands
//	orbits.go     instances that are laid out alike, candidates for symmetry
//
// The data flow is that of Aho, Lam, Sethi and Ullman, Compilers, 2006, chapter 9; the
// call graph takes whatever is called by value for any rule whose value can be there, as
// class hierarchy analysis does for methods (Dean, Grove and Chambers, Optimization of
// object-oriented programs using static class hierarchy analysis, 1995).
package analysis

import (
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// V is a value.
type V = value.V

// A register is live at an instruction when its value may still be read from
// there on. States that differ in dead registers only are the same state: that
// is what lets odds merge them. Liveness is the usual backward data flow (Aho,
// Lam, Sethi and Ullman, Compilers, 9.2.5), worked out once for each function
// that is met.

// liveness is what is live before each instruction of a function. Whether the
// values of the last outcome are live depends on whether they are where the
// function returns: lastIf is without, lastOn with that.
type liveness struct {
	Id     int // number of the function
	Before []code.Registers
	LastIf []bool
	LastOn []bool
	fields []bitset // see fieldsOf
}

// Analysis knows the functions of a program for saving states.
type Analysis struct {
	prog       *code.Program
	fns        map[*code.Func]*liveness
	list       []*code.Func
	components []*Effects
	pending    []*Body // see connect
	visited    int     // likewise
	locals     map[*code.Func]*Body
	stamp      int
	checks     map[int32]bool // by field: whether what is put into it may be refused
	liveBefore map[*code.Func][]code.Registers
	types      []*code.Type // of what there is: only these can have handlers that are called
	Symbol     []int32      // of the words of the store, see symbols
	orbits     *Orbits
	stored     []*code.Func        // rules that stand in the store as values
	lastAll    bool                // all values of the last outcome are asked for in the end
	lastRead   map[int]bool        // else these
	clears     map[*code.Func]int8 // whether it surely clears the last outcome: 1 no, 2 yes, 3 being looked at
}

// maxAnalysed bounds the functions that an analysis is kept for.
const maxAnalysed = 4096

// Of gives the analysis of a program with a store: an older one if nothing has been
// declared since.
func Of(prog *code.Program, heap *value.Heap, store []V, old *Analysis) *Analysis {
	a := &Analysis{
		prog: prog, fns: map[*code.Func]*liveness{}, liveBefore: map[*code.Func][]code.Registers{}, locals: map[*code.Func]*Body{}, checks: map[int32]bool{},
		clears: map[*code.Func]int8{}, lastAll: true, Symbol: symbols(prog, store),
	}
	for _, off := range prog.Live {
		a.types = withBases(a.types, prog.TypeOf(store, off))
	}
	for _, v := range store {
		a.stored = a.RulesIn(heap, v, a.stored)
	}
	if old != nil && len(old.list) < maxAnalysed && old.same(a) {
		old.prog = prog
		return old
	}
	return a
}

// Func gives a function by the number that its liveness has.
func (a *Analysis) Func(id int) *code.Func { return a.list[id] }

// same says whether what was found for a program holds for another.
func (a *Analysis) same(b *Analysis) bool {
	p, q := a.prog, b.prog
	return p.Traced == q.Traced && p.Default == q.Default && p.Last == q.Last && len(p.Symbols) == len(q.Symbols) &&
		slices.Equal(p.Slots, q.Slots) && slices.Equal(p.Types, q.Types) && slices.Equal(p.Tactics, q.Tactics) && slices.Equal(p.Live, q.Live) &&
		slices.Equal(a.types, b.types) && slices.Equal(a.stored, b.stored) && slices.Equal(a.Symbol, b.Symbol)
}

// Liveness gives the liveness of a function, and marks its loops at whose heads a
// state may rest: those that can throw dice.
func (a *Analysis) Liveness(fn *code.Func) *liveness {
	if l := a.fns[fn]; l != nil {
		return l
	}
	l := &liveness{Id: len(a.list)}
	a.fns[fn] = l
	a.list = append(a.list, fn)
	l.Before = a.Before(fn)
	l.LastIf, l.LastOn = a.last(fn)
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
// changes nothing any more. Where control only goes on, once is enough.
func fixpoint(fn *code.Func, step func(pc int, in *code.Ins) bool) {
	back := fn.ComesBack()
	for again := true; again; {
		again = false
		for pc := len(fn.Code) - 1; pc >= 0; pc-- {
			if step(pc, &fn.Code[pc]) {
				again = back
			}
		}
	}
}

// Before gives the registers that are live before each instruction. Functions with the same code
// share them.
func (a *Analysis) Before(fn *code.Func) []code.Registers {
	b := a.liveBefore[fn]
	if b != nil {
		return b
	}
	if fn.Common == nil {
		b = a.liveRegisters(fn)
	} else if known := fn.Common.Live.Load(); known != nil {
		b = *known
	} else {
		b = a.liveRegisters(fn)
		fn.Common.Live.Store(&b)
	}
	a.liveBefore[fn] = b
	return b
}

func (a *Analysis) liveRegisters(fn *code.Func) []code.Registers {
	words := (fn.Regs + 2 + 63) / 64
	flat := make([]uint64, words*len(fn.Code))
	before := make([]code.Registers, len(fn.Code))
	for i := range before {
		before[i] = flat[i*words : (i+1)*words : (i+1)*words]
	}
	guarded := fn.Guarded()
	now := make(code.Registers, words)
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
		a.Through(fn, in, now)
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

// Through changes what is live behind an instruction into what is before it.
func (a *Analysis) Through(fn *code.Func, in *code.Ins, s code.Registers) {
	o := in.Operands(a.prog, fn)
	if o.Sets >= 0 {
		s.Del(int(o.Sets))
	}
	for _, r := range o.Uses {
		if r >= 0 {
			s.Add(int(r))
		}
	}
	for r := range o.N {
		s.Add(int(o.From + r))
	}
}

// last works out where the values of the last outcome are live; on says that they
// are where the function returns.
func (a *Analysis) last(fn *code.Func) (off, on []bool) {
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
			case in.Op.Returns():
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
func (a *Analysis) mayThrow(fn *code.Func, pc int) bool {
	return fn.Code[pc].Throws() ||
		slices.ContainsFunc(a.calls(fn, pc), func(f *code.Func) bool { return a.Effects(f).Throws })
}

// readsLast says whether the instruction at pc may read the last outcome.
func (a *Analysis) readsLast(fn *code.Func, pc int) bool {
	at, ok := fn.Code[pc].WordRead()
	return ok && a.isLast(at) ||
		slices.ContainsFunc(a.calls(fn, pc), func(f *code.Func) bool { return a.Effects(f).ReadsLast })
}

func (a *Analysis) isLast(at int) bool { return at >= a.prog.Last[0] && at < a.prog.Last[1] }

// clearsLast says whether the last outcome is surely forgotten behind an
// instruction.
func (a *Analysis) clearsLast(in *code.Ins) bool {
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
	yes := a.Linked(fn) && a.alwaysClears(fn)
	a.clears[fn] = 1
	if yes {
		a.clears[fn] = 2
	}
	return yes
}

// alwaysClears says whether every way through a function clears.
func (a *Analysis) alwaysClears(fn *code.Func) bool {
	clears := true
	fn.Visit(0, func(pc int) bool {
		in := &fn.Code[pc]
		if in.Op.Returns() {
			clears = false // no way that clears leads on to here
		}
		return clears && !a.clearsLast(in)
	})
	return clears
}
