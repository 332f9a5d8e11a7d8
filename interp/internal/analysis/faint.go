package analysis

import (
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// A field or a variable that is only read to be written anew, or to tell a value of
// the last outcome that nobody asks for, is faint (Giegerich, Möncke and Wilhelm,
// Invariance of approximative semantics with respect to program transformations,
// 1981): it need not keep states apart. So a set of what is read has two bits for
// each: whether it is read at all, and whether it is read for more than itself.

// noReads is that nothing is read.
func (a *Analysis) noReads() ReadSet {
	fields, words := len(a.prog.Symbols)/32+1, len(a.Symbol)/32+1
	all := make(bitset, fields+words)
	return ReadSet{all[:fields:fields], all[fields:]}
}

// use notes in a set of words, of two bits each, what a word is read for.
func (b bitset) use(at int, use Use) {
	b.add(int32(2*at) + int32(use) - 1)
}

// Used gives what a word is read for.
func (b bitset) Used(at int) Use {
	switch {
	case b.has(int32(2*at) + int32(Live) - 1):
		return Live
	case b.has(int32(2*at) + int32(Faint) - 1):
		return Faint
	}
	return Dead
}

// readAtAll is the bit that says whether a field is read at all.
func readAtAll(sym int32) int32 { return 2*sym + 1 }

// readForMore is the bit that says whether it is read for more than itself.
func readForMore(sym int32) int32 { return 2 * sym }

// fieldRead calls add with what the GetF at pc reads.
func (a *Analysis) fieldRead(fn *code.Func, pc int, add func(bit int32)) {
	sym := fn.Code[pc].C
	add(readAtAll(sym))
	if !a.faint(fn, pc, sym, -1) {
		add(readForMore(sym))
	}
}

// Use says what a word of the store is still good for.
type Use uint8

const (
	Dead  Use = iota // it is not read any more
	Faint            // only for itself: that it is a number, or a list, is enough
	Live
)

// Keep gives the value as which a word is kept, with no if it need not be.
func (u Use) Keep(v, base V) (V, bool) {
	if u == Dead {
		return v, false
	}
	if u == Faint {
		switch {
		case v.IsNumber() && base.IsNumber(), v.Kind() == value.List && base.Kind() == value.List:
			return v, false
		case v.IsNumber():
			v = value.OfInt(0)
		case v.Kind() == value.List:
			v = value.EmptyList
		}
	}
	return v, v != base
}

// wordRead says what the instruction at pc reads a word of the store for, if it
// reads one by its place.
func (a *Analysis) wordRead(fn *code.Func, pc int) (at int, use Use) {
	in := &fn.Code[pc]
	at, ok := in.WordRead()
	switch {
	case !ok:
		return 0, Dead
	case in.Op != code.GetAt || a.isLast(at):
		return at, Live
	}
	field, variable := int32(-1), at
	if at < len(a.Symbol) && a.Symbol[at] >= 0 {
		field, variable = a.Symbol[at], -1
	}
	if a.faint(fn, pc, field, variable) {
		return at, Faint
	}
	return at, Live
}

// faint says whether what the instruction at pc reads, a field or a variable, is
// for nothing but itself.
func (a *Analysis) faint(fn *code.Func, pc int, field int32, variable int) bool {
	if field >= 0 && a.checked(field) {
		return false
	}
	if !a.mayBeFaint(fn, pc) {
		return false
	}
	before := a.Before(fn)
	holds := make(code.Registers, len(before[pc]))
	holds.Add(int(fn.Code[pc].A))
	has := func(r int32) bool { return holds[r>>6]>>(r&63)&1 == 1 }
	for i := pc + 1; i < len(fn.Code); i++ {
		live := false
		for k, w := range before[i] {
			live = live || w&holds[k] != 0
		}
		if !live {
			return true
		}
		in := &fn.Code[i]
		switch in.Op {
		case code.Move, code.AddI, code.SubI:
			if has(in.B) {
				holds.Add(int(in.A))
				continue
			}
		case code.Builtin:
			if code.Builtins[in.B].Name == "with" && has(in.A) && !has(in.A+1) {
				continue // a list with more in it
			}
		case code.Add, code.Sub:
			if has(in.B) || has(in.C) {
				holds.Add(int(in.A))
				continue
			}
		case code.SetF:
			if has(in.B) && !has(in.A) && in.C == field && a.itself(fn, pc, i) {
				continue
			}
		case code.SetAt:
			if has(in.A) && int(in.B) == variable {
				continue
			}
		case code.SetLast:
			if has(in.A) && !a.lastAll && !a.lastRead[int(in.B)] {
				continue
			}
		}
		if in.Op.Jumps() || !in.Op.Falls() {
			return false
		}
		used, kept := make(code.Registers, len(holds)), slices.Repeat(code.Registers{^uint64(0)}, len(holds))
		a.Through(fn, in, used)
		a.Through(fn, in, kept)
		for k := range holds {
			if holds[k]&used[k] != 0 {
				return false
			}
			holds[k] &= kept[k]
		}
	}
	return true
}

// itself says whether the field that the SetF at to writes surely is that of the
// instance of which the instruction at from reads it.
func (a *Analysis) itself(fn *code.Func, from, to int) bool {
	get, set := &fn.Code[from], &fn.Code[to]
	if get.Op == code.GetF {
		if get.B == set.A && !slices.ContainsFunc(fn.Code[from:to], func(in code.Ins) bool { return in.Operands(a.prog, fn).Sets == get.B }) {
			return true
		}
		x, ok := a.constantIn(fn, from, get.B)
		y, also := a.constantIn(fn, to, set.A)
		return ok && also && x == y
	}
	x, ok := a.constantIn(fn, to, set.A)
	if !ok || x.Kind() != value.Ref || x.Off() > int(get.B) {
		return false
	}
	return !slices.ContainsFunc(a.prog.Live, func(off int) bool { return off > x.Off() && off <= int(get.B) })
}

// constantIn gives the constant that a register surely holds before the instruction
// at pc.
func (a *Analysis) constantIn(fn *code.Func, pc int, reg int32) (V, bool) {
	for i := pc - 1; i >= 0; i-- {
		if slices.ContainsFunc(fn.Code, func(in code.Ins) bool { return in.Op.Jumps() && int(in.C) == i+1 }) {
			return 0, false
		}
		in := &fn.Code[i]
		if in.Operands(a.prog, fn).Sets == reg {
			return in.Constant(), in.Op == code.LoadK
		}
	}
	return 0, false
}

// mayBeFaint says with no that the register which the instruction at pc sets is
// surely used for something else first.
func (a *Analysis) mayBeFaint(fn *code.Func, pc int) bool {
	reg := fn.Code[pc].A
	for i := pc + 1; i < len(fn.Code); i++ {
		in := &fn.Code[i]
		o := in.Operands(a.prog, fn)
		if o.Uses[0] == reg || o.Uses[1] == reg || reg >= o.From && reg < o.From+o.N {
			switch in.Op {
			case code.Move, code.AddI, code.SubI, code.Add, code.Sub, code.SetF, code.SetAt, code.SetLast:
				return true
			}
			return in.Op == code.Builtin && code.Builtins[in.B].Name == "with"
		}
		if o.Sets == reg || in.Op.Jumps() || !in.Op.Falls() {
			return true
		}
	}
	return true
}

// checked says whether what is put into a field may be refused.
func (a *Analysis) checked(sym int32) bool {
	yes, ok := a.checks[sym]
	if ok {
		return yes
	}
	for _, t := range a.prog.Types {
		if int(sym) < len(t.Slots) && t.Slots[sym] != 0 {
			f := &t.Fields[int(t.Slots[sym])-code.Header]
			yes = yes || f.Check != code.Anything && f.Check != code.IsNumber && f.Check != code.IsList
		}
	}
	a.checks[sym] = yes
	return yes
}
