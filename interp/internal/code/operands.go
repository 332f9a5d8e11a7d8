package code

import "math/bits"

// This file says which registers and words an instruction reads and writes: what every
// analysis of code goes by.

// Registers is a set of registers.
type Registers []uint64

func (s Registers) Add(r int) { s[r>>6] |= 1 << (r & 63) }
func (s Registers) Del(r int) { s[r>>6] &^= 1 << (r & 63) }

func (s Registers) Has(r int) bool { return r>>6 < len(s) && s[r>>6]>>(r&63)&1 != 0 }

// Each calls f with the registers of the set in order.
func (s Registers) Each(f func(r int)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			f(i<<6 + bits.TrailingZeros64(w))
		}
	}
}

// Operands are the registers that an instruction uses, one by one and from one
// place on, and the one that it sets; -1 is none.
type Operands struct {
	Uses    [2]int32
	From, N int32
	Sets    int32
}

// Operands gives the registers that an instruction of a function uses and sets.
func (in *Ins) Operands(prog *Program, fn *Func) Operands {
	A, B, C := in.A, in.B, in.C
	one := func(a int32) Operands { return Operands{Uses: [2]int32{a, -1}, Sets: -1} }
	two := func(a, b int32) Operands { return Operands{Uses: [2]int32{a, b}, Sets: -1} }
	several := func(from, n int32) Operands {
		return Operands{Uses: [2]int32{-1, -1}, From: from, N: n, Sets: -1}
	}
	to := func(sets int32, o Operands) Operands {
		o.Sets = sets
		return o
	}
	switch in.Op {
	case Move, GetF, AddI, SubI, IndexI, Empty, Is, Neg, Not, Handler, TacticOn, ResetFn:
		return to(A, one(B))
	case LoadK, GetAt, New, ResetL, AllFeats, Refusal:
		return to(A, one(-1))
	case SetAt, SetLast, Truth, JmpIf, JmpNot, JmpNone, JmpSome, JEqI, JNeI, JLtI, JLeI, JGtI, JGeI, Ret, Fail, Given, JmpLacks, JmpUndecided, Fault, SetTactics, Reported:
		return one(A)
	case Feats, TurnOf:
		return to(A, one(A))
	case SetF, InitF, DefaultF, JEq, JNe, JLt, JLe, JGt, JGe, SetHeader, AmongOr:
		return two(A, B)
	case Add, Sub, Mul, Div, Eq, Ne, Lt, Le, Gt, Ge, In, MakeR, Index:
		return to(A, two(B, C))
	case Call:
		return to(A, several(A, int32(prog.Slots[B].Params)))
	case CallV:
		return to(A, several(A, C+1))
	case MakeL, Text:
		return to(A, several(B, C))
	case Builtin:
		return to(A, several(A, C))
	case Iter:
		return to(B, several(A, 2))
	case Throw:
		if B >= 0 {
			if ti, ok := fn.Infos[B].(*ThrowInfo); ok && ti.Reg != 0 {
				return to(A, two(A, A+int32(ti.Reg)))
			}
		}
		return to(A, one(A))
	case Ask:
		return to(A, several(A, fn.Infos[B].(*AskInfo).Registers()))
	case Act:
		return several(A, 2)
	case EndAct:
		return to(A+1, one(A+1))
	case Unmet:
		return several(A, 3)
	case Nop, Jmp, RetK, ResetK, Clear, Event, JmpUnasked, Capture, CaptureEnd, CheckRefusal, EndTactics, Decline, CheckTactics, KeepMark,
		JAtIf, JAtNot, JAtNone, JAtSome, JAtLtI, JAtGeI, Try, EndTry, Head, Prints, Between, EndHand:
	}
	return one(-1)
}

// Throws says whether an instruction may need chance or choice.
func (in *Ins) Throws() bool { return in.Op == Throw || in.Op == Ask }

// WordRead gives the word of the store that an instruction reads by its place.
func (in *Ins) WordRead() (at int, ok bool) {
	switch in.Op {
	case GetAt:
		return int(in.B), true
	case JAtIf, JAtNot, JAtNone, JAtSome, JAtLtI, JAtGeI:
		return int(in.A), true
	}
	return 0, false
}

// HasConstant says whether an instruction holds the bits of a value.
func (in *Ins) HasConstant() bool { return in.Op == LoadK || in.Op == RetK }

// Constant gives the value whose bits it holds.
func (in *Ins) Constant() V { return V(uint64(uint32(in.B)) | uint64(uint32(in.C))<<32) }

// SetConstant makes it hold another value.
func (in *Ins) SetConstant(v V) { in.B, in.C = int32(uint32(v)), int32(uint32(v>>32)) }
