package machine

import (
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// Run executes until the function that was started returns, or until chance or
// choice is needed, or something breaks, or MaxSteps is reached.
//
// Steps are counted at calls and backward jumps only, which bounds everything
// and costs next to nothing.
func (m *Machine) Run() Status {
	for {
		var s Status
		if m.Executor != nil {
			s = m.Executor.Execute()
		} else {
			s = m.Exec(-1)
		}
		if s != Broken || !m.rollback() {
			return s
		}
	}
}

// AtCheckpoint says whether the machine stops at a checkpoint where it comes back to the
// head of a loop, with the registers of the function. When nothing has fallen since the
// checkpoint at the head of the loop, that may go round; when the checkpoint was within, the
// loop is left if it will not go round again.
func (m *Machine) AtCheckpoint(ins []code.Ins, pc int32, r []V) bool {
	head := &ins[pc]
	if !m.Drawn || head.Op != code.Head || head.B == 0 || len(m.Savepoints) > 0 {
		return false
	}
	switch {
	case !m.NothingDrawn:
		return true
	case m.RestedAt == nil:
		return !m.loopIsOver(&ins[pc+1], r)
	}
	return head != m.RestedAt || len(m.Frames) != m.RestedDepth
}

// atHead says whether the machine stops at a checkpoint at the head of a loop, when it comes there:
// dice have fallen since the last one.
func (m *Machine) atHead(head *code.Ins) bool {
	return m.Checkpoints && len(m.Savepoints) == 0 && head.B != 0 && m.Drawn && !m.NothingDrawn
}

// loopIsOver says whether a loop that begins with an instruction has gone through all it
// was to go through.
func (m *Machine) loopIsOver(in *code.Ins, r []V) bool {
	switch {
	case in.Op == code.Iter && r[in.A].Kind() == value.List:
		return int(r[in.A+1].Int()) >= len(m.Heap.Elems(r[in.A]))
	case in.Op == code.JGe && r[in.A].IsInt() && r[in.B].IsInt():
		return r[in.A].Int() >= r[in.B].Int()
	}
	return false
}

// Exec executes instructions, n of them or, when that is negative, all.
//
// The loop does what is common and needs no call; slow does the rest. So what the loop works with stays in registers
// of the processor: one call among its cases would have each instruction write all of that to memory first. The most
// frequent instructions are found by comparing: Go makes a jump table of a switch with eight cases or more, and a
// jump through a table costs more than a few branches, above all on virtual machines.
func (m *Machine) Exec(n int) Status {
	top := &m.Frames[len(m.Frames)-1]
	ins, pc := top.Fn.Code, int(top.PC)
	r := m.Stack[top.Base:]
	types, store := m.Prog.Types, m.Store
	for ; ; n-- {
		if n == 0 {
			m.Frames[len(m.Frames)-1].PC = int32(pc)
			return Stepped
		}
		in := &ins[pc]
		pc++
		switch in.Op {
		case code.GetF:
			if v := r[uint32(in.B)]; v.Kind() == value.Ref && m.Tracer == nil {
				off := v.Off()
				if k := int(store[off].Int()); k < len(types) {
					if t := types[uint32(k)]; int(in.C) < len(t.Slots) && t.Slots[uint32(in.C)] != 0 {
						r[uint32(in.A)] = store[off+int(t.Slots[uint32(in.C)])]
						continue
					}
				}
			}
		case code.Move:
			r[uint32(in.A)] = r[uint32(in.B)]
			continue
		case code.LoadK:
			r[uint32(in.A)] = in.Constant()
			continue
		case code.JmpNot:
			v := r[uint32(in.A)]
			if v == value.No || v == value.None {
				pc = int(uint32(in.C))
				continue
			}
			if v == value.Yes {
				continue
			}
		case code.JmpIf:
			v := r[uint32(in.A)]
			if v == value.Yes {
				pc = int(uint32(in.C))
				continue
			}
			if v == value.No || v == value.None {
				continue
			}
		case code.Jmp:
			if int(in.C) >= pc {
				pc = int(uint32(in.C))
				continue
			}
			if m.Steps >= m.MaxSteps || m.Heap.Used > m.MaxHeap || m.Checkpoints {
				break
			}
			m.Steps++
			if pc = int(uint32(in.C)); n >= 0 {
				continue
			}
			// The next round of a loop mostly begins at once: its head has nothing to say where
			// no checkpoint is looked for.
			if in = &ins[pc]; in.Op == code.Head && !m.CheckEntries {
				pc++
				in = &ins[pc]
			}
			if in.Op != code.Iter {
				continue
			}
			pc++
			fallthrough
		case code.Iter:
			if l := r[uint32(in.A)]; l.Kind() == value.List && m.Steps < m.MaxSteps {
				m.Steps++
				e, i := m.Heap.Elems(l), r[uint32(in.A)+1].Int()
				if int(i) >= len(e) {
					pc = int(uint32(in.C))
					continue
				}
				r[uint32(in.A)+1] = value.OfInt(i + 1)
				r[uint32(in.B)] = e[i]
				continue
			}
		default:
			switch in.Op {
			case code.Call:
				fn, f := m.Prog.Slots[uint32(in.B)], len(m.Frames)
				top := &m.Frames[f-1]
				base := int(top.Base + in.A)
				if fn.Code == nil || m.Steps >= m.MaxSteps || m.Heap.Used > m.MaxHeap || f >= m.MaxDepth || f == cap(m.Frames) || base+fn.Regs > len(m.Stack) {
					break
				}
				m.Steps++
				top.PC = int32(pc)
				m.Frames = m.Frames[:f+1]
				top = &m.Frames[f]
				top.Fn, top.PC, top.Base, top.Ret, top.Keep = fn, 0, int32(base), in.A, m.Region(fn)
				ins, pc, r = fn.Code, 0, m.Stack[base:]
				continue
			case code.Ret, code.RetK:
				f := len(m.Frames)
				top := &m.Frames[f-1]
				if f == m.Floor {
					top.PC = int32(pc - 1)
					return Stepped
				}
				if f < 2 || top.Keep >= 0 && int(top.Keep) != len(m.Store) {
					break
				}
				v := in.Constant()
				if in.Op == code.Ret {
					v = r[uint32(in.A)]
				}
				ret := top.Ret
				m.Frames = m.Frames[:f-1]
				top = &m.Frames[f-2]
				ins, pc, r = top.Fn.Code, int(top.PC), m.Stack[top.Base:]
				r[ret] = v
				continue
			case code.JmpNone:
				if r[uint32(in.A)] == value.None {
					pc = int(uint32(in.C))
				}
				continue
			case code.JmpSome:
				if r[uint32(in.A)] != value.None {
					pc = int(uint32(in.C))
				}
				continue
			case code.JNe:
				if a, b := r[uint32(in.A)], r[uint32(in.B)]; a == b || !oneIsDie(a, b) {
					if a != b {
						pc = int(uint32(in.C))
					}
					continue
				}
			case code.JLeI:
				if a := r[uint32(in.A)]; a&15 == 0 {
					if a.Int() <= int64(in.B) {
						pc = int(uint32(in.C))
					}
					continue
				}
			default:
				switch in.Op {
				case code.Nop:
					continue
				case code.GetAt:
					if m.Tracer == nil {
						r[uint32(in.A)] = m.Store[uint32(in.B)]
						continue
					}
				case code.Add:
					if a, b := r[uint32(in.B)], r[uint32(in.C)]; (a|b)&15 == 0 {
						if s := a + b; !overflows(s, a, b) {
							r[uint32(in.A)] = s
							continue
						}
					}
				case code.AddI:
					if a, b := r[uint32(in.B)], value.OfInt(int64(in.C)); a&15 == 0 {
						if s := a + b; !overflows(s, a, b) {
							r[uint32(in.A)] = s
							continue
						}
					}
				case code.Sub:
					if a, b := r[uint32(in.B)], r[uint32(in.C)]; (a|b)&15 == 0 {
						if n := a.Int() - b.Int(); n >= value.MinInt && n <= value.MaxInt {
							r[uint32(in.A)] = value.OfInt(n)
							continue
						}
					}
				case code.SubI:
					if a := r[uint32(in.B)]; a&15 == 0 {
						if n := a.Int() - int64(in.C); n >= value.MinInt && n <= value.MaxInt {
							r[uint32(in.A)] = value.OfInt(n)
							continue
						}
					}
				case code.Not:
					if yes, ok := r[uint32(in.B)].Truth(); ok {
						r[uint32(in.A)] = value.OfBool(!yes)
						continue
					}
				case code.Truth:
					if yes, ok := r[uint32(in.A)].Truth(); ok {
						r[uint32(in.A)] = value.OfBool(yes)
						continue
					}
				case code.Eq:
					if a, b := r[uint32(in.B)], r[uint32(in.C)]; a == b || !oneIsDie(a, b) {
						r[uint32(in.A)] = value.OfBool(a == b)
						continue
					}
				case code.Ne:
					if a, b := r[uint32(in.B)], r[uint32(in.C)]; a == b || !oneIsDie(a, b) {
						r[uint32(in.A)] = value.OfBool(a != b)
						continue
					}
				case code.Lt:
					if a, b := r[uint32(in.B)], r[uint32(in.C)]; (a|b)&15 == 0 {
						r[uint32(in.A)] = value.OfBool(int64(a) < int64(b))
						continue
					}
				case code.Le:
					if a, b := r[uint32(in.B)], r[uint32(in.C)]; (a|b)&15 == 0 {
						r[uint32(in.A)] = value.OfBool(int64(a) <= int64(b))
						continue
					}
				case code.Gt:
					if a, b := r[uint32(in.B)], r[uint32(in.C)]; (a|b)&15 == 0 {
						r[uint32(in.A)] = value.OfBool(int64(a) > int64(b))
						continue
					}
				case code.Ge:
					if a, b := r[uint32(in.B)], r[uint32(in.C)]; (a|b)&15 == 0 {
						r[uint32(in.A)] = value.OfBool(int64(a) >= int64(b))
						continue
					}
				case code.JmpLacks:
					lacks := true
					if v := r[uint32(in.A)]; v.Kind() == value.Ref {
						t := m.TypeOf(v.Off())
						lacks = int(in.B) >= len(t.Slots) || t.Slots[uint32(in.B)] == 0
					}
					if lacks {
						pc = int(uint32(in.C))
					}
					continue
				case code.JEq:
					if a, b := r[uint32(in.A)], r[uint32(in.B)]; a == b || !oneIsDie(a, b) {
						if a == b {
							pc = int(uint32(in.C))
						}
						continue
					}
				case code.JEqI:
					if a := r[uint32(in.A)]; a.Kind() != value.Die {
						if a == value.OfInt(int64(in.B)) {
							pc = int(uint32(in.C))
						}
						continue
					}
				case code.JNeI:
					if a := r[uint32(in.A)]; a.Kind() != value.Die {
						if a != value.OfInt(int64(in.B)) {
							pc = int(uint32(in.C))
						}
						continue
					}
				case code.JLt:
					if a, b := r[uint32(in.A)], r[uint32(in.B)]; (a|b)&15 == 0 {
						if int64(a) < int64(b) {
							pc = int(uint32(in.C))
						}
						continue
					}
				case code.JLe:
					if a, b := r[uint32(in.A)], r[uint32(in.B)]; (a|b)&15 == 0 {
						if int64(a) <= int64(b) {
							pc = int(uint32(in.C))
						}
						continue
					}
				case code.JGt:
					if a, b := r[uint32(in.A)], r[uint32(in.B)]; (a|b)&15 == 0 {
						if int64(a) > int64(b) {
							pc = int(uint32(in.C))
						}
						continue
					}
				case code.JGe:
					if a, b := r[uint32(in.A)], r[uint32(in.B)]; (a|b)&15 == 0 {
						if int64(a) >= int64(b) {
							pc = int(uint32(in.C))
						}
						continue
					}
				case code.JLtI:
					if a := r[uint32(in.A)]; a&15 == 0 {
						if a.Int() < int64(in.B) {
							pc = int(uint32(in.C))
						}
						continue
					}
				case code.JGtI:
					if a := r[uint32(in.A)]; a&15 == 0 {
						if a.Int() > int64(in.B) {
							pc = int(uint32(in.C))
						}
						continue
					}
				case code.JGeI:
					if a := r[uint32(in.A)]; a&15 == 0 {
						if a.Int() >= int64(in.B) {
							pc = int(uint32(in.C))
						}
						continue
					}
				case code.JAtIf:
					if v := m.Store[uint32(in.A)]; m.Tracer == nil && (v == value.Yes || v == value.No || v == value.None) {
						if v == value.Yes {
							pc = int(uint32(in.C))
						}
						continue
					}
				case code.JAtNot:
					if v := m.Store[uint32(in.A)]; m.Tracer == nil && (v == value.Yes || v == value.No || v == value.None) {
						if v != value.Yes {
							pc = int(uint32(in.C))
						}
						continue
					}
				case code.JAtNone:
					if m.Tracer == nil {
						if m.Store[uint32(in.A)] == value.None {
							pc = int(uint32(in.C))
						}
						continue
					}
				case code.JAtSome:
					if m.Tracer == nil {
						if m.Store[uint32(in.A)] != value.None {
							pc = int(uint32(in.C))
						}
						continue
					}
				case code.JAtLtI:
					if v := m.Store[uint32(in.A)]; m.Tracer == nil && v&15 == 0 {
						if v.Int() < int64(in.B) {
							pc = int(uint32(in.C))
						}
						continue
					}
				case code.JAtGeI:
					if v := m.Store[uint32(in.A)]; m.Tracer == nil && v&15 == 0 {
						if v.Int() >= int64(in.B) {
							pc = int(uint32(in.C))
						}
						continue
					}
				case code.IndexI:
					if l := r[uint32(in.B)]; l.Kind() == value.List {
						e, i := m.Heap.Elems(l), int(in.C)-1
						r[uint32(in.A)] = value.None
						if uint(i) < uint(len(e)) {
							r[uint32(in.A)] = e[i]
						}
						continue
					}
				case code.Empty:
					if l := r[uint32(in.B)]; l.Kind() == value.List {
						n := len(m.Heap.Elems(l))
						m.countWork(n)
						r[uint32(in.A)] = value.OfBool(n == 0)
						continue
					}
				case code.Head:
					if !m.CheckEntries {
						continue
					}
				}
			}
		}
		if s := m.slow(pc); s != Stepped {
			return s
		}
		top := &m.Frames[len(m.Frames)-1]
		ins, pc, r = top.Fn.Code, int(top.PC), m.Stack[top.Base:]
		store = m.Store
	}
}

// push gives a new frame on top, to be filled.
func (m *Machine) push() *Frame {
	n := len(m.Frames)
	if n == cap(m.Frames) {
		m.Frames = slices.Grow(m.Frames, 1)
	}
	m.Frames = m.Frames[:n+1]
	return &m.Frames[n]
}

func oneIsDie(a, b V) bool { return a.Kind() == value.Die || b.Kind() == value.Die }

const maxStore = 1 << 26

// overflows says whether the tagged sum s of a and b left the range of a word.
func overflows(s, a, b V) bool { return int64((a^s)&(b^s)) < 0 }

func CompareInts(a, b V) int {
	switch {
	case int64(a) < int64(b):
		return -1
	case int64(a) > int64(b):
		return 1
	}
	return 0
}

func Holds(op code.Op, c int) bool {
	switch op {
	case code.Lt:
		return c < 0
	case code.Le:
		return c <= 0
	case code.Gt:
		return c > 0
	}
	return c >= 0
}
