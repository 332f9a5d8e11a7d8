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
func (m *Machine) Exec(n int) Status {
	top := &m.Frames[len(m.Frames)-1]
	ins, pc := top.Fn.Code, int(top.PC)
	r := m.Stack[top.Base:]
	for ; ; n-- {
		if n == 0 {
			top.PC = int32(pc)
			return Stepped
		}
		in := &ins[pc]
		pc++
		switch in.Op {
		case code.Nop:
		case code.Move:
			r[in.A] = r[in.B]
		case code.LoadK:
			r[in.A] = V(uint64(uint32(in.B)) | uint64(uint32(in.C))<<32)
		case code.GetAt:
			if m.Tracer != nil {
				if s := m.Tracer.Read(int(in.B)); s != Done {
					top.PC = int32(pc - 1)
					return s
				}
			}
			r[in.A] = m.Store[in.B]
		case code.SetAt:
			m.Write(int(in.B), r[in.A])
		case code.GetF:
			v := r[in.B]
			if v.Kind() == value.Ref {
				off := v.Off()
				if t := m.Prog.Types[m.Store[off].Int()]; int(in.C) < len(t.Slots) {
					if s := t.Slots[in.C]; s != 0 {
						if m.Tracer != nil {
							if m.Observe != nil {
								m.ObserveField(off, int(in.C))
							}
							if s := m.Tracer.Read(off + int(s)); s != Done {
								top.PC = int32(pc - 1)
								return s
							}
						}
						r[in.A] = m.Store[off+int(s)]
						continue
					}
				}
			}
			top.PC = int32(pc)
			return m.noField(v, in)
		case code.SetF, code.InitF:
			top.PC = int32(pc)
			if !m.setField(r[in.A], int(in.C), r[in.B], in.Op == code.SetF) {
				return Broken
			}
		case code.DefaultF:
			top.PC = int32(pc)
			if !m.fieldAsStated(r[in.A], int(in.C)) && !m.setField(r[in.A], int(in.C), r[in.B], true) {
				return Broken
			}
		case code.Add:
			a, b := r[in.B], r[in.C]
			if (a|b)&15 == 0 {
				if s := a + b; !overflows(s, a, b) {
					r[in.A] = s
					continue
				}
			}
			top.PC = int32(pc)
			v, ok := m.add(a, b)
			if !ok {
				return Broken
			}
			r[in.A] = v
		case code.AddI:
			a, b := r[in.B], value.OfInt(int64(in.C))
			if a&15 == 0 {
				if s := a + b; !overflows(s, a, b) {
					r[in.A] = s
					continue
				}
			}
			top.PC = int32(pc)
			v, ok := m.add(a, b)
			if !ok {
				return Broken
			}
			r[in.A] = v
		case code.Sub:
			a, b := r[in.B], r[in.C]
			if (a|b)&15 == 0 {
				if n := a.Int() - b.Int(); n >= value.MinInt && n <= value.MaxInt {
					r[in.A] = value.OfInt(n)
					continue
				}
			}
			top.PC = int32(pc)
			v, ok := m.arith(m.Heap.Sub, "subtract", a, b)
			if !ok {
				return Broken
			}
			r[in.A] = v
		case code.Mul:
			top.PC = int32(pc)
			v, ok := m.mul(r[in.B], r[in.C])
			if !ok {
				return Broken
			}
			r[in.A] = v
		case code.Div:
			top.PC = int32(pc)
			v, ok := m.arith(m.Heap.Div, "divide", r[in.B], r[in.C])
			if !ok {
				return Broken
			}
			r[in.A] = v
		case code.Neg:
			top.PC = int32(pc)
			v, ok := m.arith(m.Heap.Sub, "negate", value.OfInt(0), r[in.B])
			if !ok {
				return Broken
			}
			r[in.A] = v
		case code.Not:
			yes, ok := r[in.B].Truth()
			if !ok {
				top.PC = int32(pc)
				return m.noTruth(r[in.B])
			}
			r[in.A] = value.OfBool(!yes)
		case code.Truth:
			yes, ok := r[in.A].Truth()
			if !ok {
				top.PC = int32(pc)
				return m.noTruth(r[in.A])
			}
			r[in.A] = value.OfBool(yes)
		case code.Eq:
			r[in.A] = value.OfBool(Same(r[in.B], r[in.C]))
		case code.Ne:
			r[in.A] = value.OfBool(!Same(r[in.B], r[in.C]))
		case code.Lt, code.Le, code.Gt, code.Ge:
			a, b := r[in.B], r[in.C]
			var c int
			if (a|b)&15 == 0 {
				c = CompareInts(a, b)
			} else {
				top.PC = int32(pc)
				var ok bool
				if c, ok = m.compare(a, b); !ok {
					return Broken
				}
			}
			r[in.A] = value.OfBool(Holds(in.Op, c))
		case code.In:
			m.countReading(m.Stack[top.Base+in.C:][:1])
			yes, ok := m.Heap.In(r[in.B], r[in.C])
			if !ok {
				top.PC = int32(pc)
				return m.fail(code.Failed, "in needs a list or a range, not %s", m.Show(r[in.C]))
			}
			if d := Shown(r[in.B]); !yes && d != r[in.B] {
				yes, _ = m.Heap.In(d, r[in.C])
			}
			if !yes && r[in.B].IsNumber() && m.isThrown(r[in.C]) {
				yes = slices.ContainsFunc(m.Heap.Elems(r[in.C]), func(d V) bool { return Same(d, r[in.B]) })
			}
			r[in.A] = value.OfBool(yes)
		case code.Jmp:
			if int(in.C) >= pc {
				pc = int(in.C)
				continue
			}
			if m.Steps++; m.Steps > m.MaxSteps || m.Heap.Used > m.MaxHeap {
				top.PC = int32(pc)
				return m.tooLong()
			}
			if m.Checkpoints && m.AtCheckpoint(top.Fn.Code, in.C, m.Stack[top.Base:]) {
				top.PC = in.C + 1
				return Checkpoint
			}
			if pc = int(in.C); n >= 0 {
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
			l := r[in.A]
			if l.Kind() != value.List {
				top.PC = int32(pc)
				var ok bool
				if l, ok = m.Elements(l); !ok {
					return Broken
				}
				r[in.A] = l
			}
			if m.Steps++; m.Steps > m.MaxSteps {
				top.PC = int32(pc)
				return m.tooLong()
			}
			e := m.Heap.Elems(l)
			i := r[in.A+1].Int()
			if int(i) >= len(e) {
				pc = int(in.C)
				continue
			}
			r[in.A+1] = value.OfInt(i + 1)
			r[in.B] = e[i]
		case code.JmpIf, code.JmpNot:
			v := r[in.A]
			if v == value.Yes || v == value.No || v == value.None {
				if (v == value.Yes) == (in.Op == code.JmpIf) {
					pc = int(in.C)
				}
				continue
			}
			top.PC = int32(pc)
			return m.noTruth(v)
		case code.JmpNone:
			if r[in.A] == value.None {
				pc = int(in.C)
			}
		case code.JmpSome:
			if r[in.A] != value.None {
				pc = int(in.C)
			}
		case code.JmpUnasked:
			if m.nobodyDecides(top.Fn.Infos[in.B].(*code.AskInfo)) {
				pc = int(in.C)
			}
		case code.JmpUndecided:
			if info := top.Fn.Infos[in.B].(*code.AskInfo); m.nobodyIsAsked() && m.tacticFor(r[in.A], info.Name) == value.None {
				pc = int(in.C)
			}
		case code.JEq:
			if Same(r[in.A], r[in.B]) {
				pc = int(in.C)
			}
		case code.JNe:
			if !Same(r[in.A], r[in.B]) {
				pc = int(in.C)
			}
		case code.JEqI:
			if Same(r[in.A], value.OfInt(int64(in.B))) {
				pc = int(in.C)
			}
		case code.JNeI:
			if !Same(r[in.A], value.OfInt(int64(in.B))) {
				pc = int(in.C)
			}
		case code.JLt, code.JLe, code.JGt, code.JGe:
			a, b := r[in.A], r[in.B]
			var c int
			if (a|b)&15 == 0 {
				c = CompareInts(a, b)
			} else {
				top.PC = int32(pc)
				var ok bool
				if c, ok = m.compare(a, b); !ok {
					return Broken
				}
			}
			if Holds(in.Op-code.JLt+code.Lt, c) {
				pc = int(in.C)
			}
		case code.JLtI, code.JLeI, code.JGtI, code.JGeI:
			a, b := r[in.A], value.OfInt(int64(in.B))
			var c int
			if a&15 == 0 {
				c = CompareInts(a, b)
			} else {
				top.PC = int32(pc)
				var ok bool
				if c, ok = m.compare(a, b); !ok {
					return Broken
				}
			}
			if Holds(in.Op-code.JLtI+code.Lt, c) {
				pc = int(in.C)
			}
		case code.Call, code.CallV:
			top.PC = int32(pc)
			var fn *code.Func
			base := top.Base + in.A
			if in.Op == code.Call {
				fn = m.Prog.Slots[in.B]
			} else {
				v := r[in.A]
				if v.Kind() != value.Rule {
					return m.fail(code.Failed, "%s is not a rule and cannot be called", m.Show(v))
				}
				fn = m.Prog.Slots[v.RuleNumber()]
				base++
				if int(in.C) != fn.Params {
					return m.fail(code.Failed, "%s takes %d values, not %d", fn.Name, fn.Params, in.C)
				}
			}
			if fn.Code == nil {
				if err := m.Link(fn); err != nil {
					return m.fail(code.Failed, "%v", err)
				}
			}
			if m.Steps++; m.Steps > m.MaxSteps || m.Heap.Used > m.MaxHeap {
				return m.tooLong()
			}
			if len(m.Frames) >= m.MaxDepth {
				return m.exceeds("depth", "rules call one another more than %s deep", Grouped(int64(m.MaxDepth)))
			}
			if need := int(base) + fn.Regs; need > len(m.Stack) {
				m.Stack = GrowStack(m.Stack, need)
			}
			top = m.push()
			top.Fn, top.PC, top.Base, top.Ret, top.Keep = fn, 0, base, in.A, m.Region(fn)
			ins, pc = fn.Code, 0
			r = m.Stack[base:]
		case code.Ret, code.RetK:
			if len(m.Frames) == m.Floor {
				top.PC = int32(pc - 1)
				return Stepped
			}
			v := in.Constant()
			if in.Op == code.Ret {
				v = r[in.A]
			}
			if top.Keep >= 0 {
				m.emptyHolders(int(top.Keep))
				m.Store = m.Store[:top.Keep]
			}
			ret := top.Ret
			m.Frames = m.Frames[:len(m.Frames)-1]
			if len(m.Frames) == 0 {
				m.Result = v
				return Done
			}
			top = &m.Frames[len(m.Frames)-1]
			ins, pc = top.Fn.Code, int(top.PC)
			r = m.Stack[top.Base:]
			r[ret] = v
		case code.MakeL:
			r[in.A] = m.Heap.OfList(m.Stack[top.Base+in.B:][:in.C])
		case code.MakeR:
			r[in.A] = m.Heap.OfRange(r[in.B], r[in.C])
		case code.Index:
			top.PC = int32(pc)
			v, ok := m.IndexOf(r[in.B], r[in.C])
			if !ok {
				return Broken
			}
			r[in.A] = v
		case code.IndexI:
			if l := r[in.B]; l.Kind() == value.List {
				e, i := m.Heap.Elems(l), int(in.C)-1
				r[in.A] = value.None
				if uint(i) < uint(len(e)) {
					r[in.A] = e[i]
				}
				continue
			}
			top.PC = int32(pc)
			v, ok := m.IndexOf(r[in.B], value.OfInt(int64(in.C)))
			if !ok {
				return Broken
			}
			r[in.A] = v
		case code.Builtin:
			top.PC = int32(pc)
			args := m.Stack[top.Base+in.A:][:in.C]
			m.countReading(args)
			v, err := execute[in.B](m, args)
			if err != nil {
				if m.Err != nil {
					return Broken
				}
				return m.failed(err)
			}
			r[in.A] = v
		case code.Empty:
			if l := r[in.B]; l.Kind() == value.List {
				n := len(m.Heap.Elems(l))
				m.countWork(n)
				r[in.A] = value.OfBool(n == 0)
				continue
			}
			top.PC = int32(pc)
			of := m.Stack[top.Base+in.B:][:1]
			m.countReading(of)
			v, err := empty(m, of)
			if err != nil {
				return m.failed(err)
			}
			r[in.A] = v
		case code.Is:
			v, yes := r[in.B], false
			if v.Kind() == value.Ref {
				yes = m.isKind(v, top.Fn.Infos[in.C].(string))
			} else {
				m.countReading(m.Stack[top.Base+in.B:][:1])
			}
			r[in.A] = value.OfBool(yes)
		case code.Text:
			v, ok := m.TextOf(m.Stack[top.Base+in.B:][:in.C])
			if !ok {
				top.PC = int32(pc)
				return Broken
			}
			r[in.A] = v
		case code.Throw:
			top.PC = int32(pc)
			d := r[in.A]
			if m.Seeded && m.streams == nil && in.C == 0 && d.Kind() == value.Die && m.Out == nil && m.Log == nil && len(m.Faces)+len(m.Own.Faces) == 0 && d.DieSize() > 0 {
				if m.Thrown++; m.Thrown > m.MaxDice {
					return m.exceeds("dice", "more than %s dice have been thrown", Grouped(int64(m.MaxDice)))
				}
				r[in.A] = value.OfDie(d.DieSize(), m.Rand.Face(d.DieSize()))
				continue
			}
			if s := m.throw(d, in); s != Done {
				return s
			}
			top = &m.Frames[len(m.Frames)-1] // another where dice are made
			ins, pc, r = top.Fn.Code, int(top.PC), m.Stack[top.Base:]
		case code.Ask:
			top.PC = int32(pc)
			if s := m.ask(m.Stack[top.Base:], in); s != Done {
				return s
			}
		case code.New:
			off := len(m.Store)
			t := m.Prog.Types[in.B]
			if off+len(t.Template) > maxStore {
				top.PC = int32(pc)
				return m.fail(code.Limit, "too many records at once")
			}
			m.Store = append(m.Store, t.Template...)
			if m.Tracer != nil {
				m.Tracer.Made(off, len(m.Store))
			}
			r[in.A] = value.OfRef(off)
		case code.Feats:
			top.PC = int32(pc)
			v, ok := m.features(r[in.A])
			if !ok {
				return Broken
			}
			r[in.A] = v
		case code.Handler:
			t := m.TypeOf(r[in.B].Off())
			r[in.A] = value.None
			for ; t != nil; t = t.Base {
				if n, ok := t.Handlers[int(in.C)]; ok {
					r[in.A] = value.OfRule(n)
					break
				}
			}
		case code.TurnOf:
			top.PC = int32(pc)
			if r[in.A].Kind() != value.Ref {
				return m.fail(code.Failed, "%s cannot act", m.Show(r[in.A]))
			}
			if m.streams != nil {
				m.streams.begin(m, r[in.A].Off())
			}
			r[in.A] = m.turnOf(r[in.A].Off(), int(in.B))
		case code.TacticOn:
			name := top.Fn.Infos[in.C].(*code.AskInfo).Name
			r[in.A], m.silenced = m.tacticOn(r[in.B], name)
		case code.ResetK:
			m.resetConst(int(in.B), in.C == 1)
		case code.ResetL:
			r[in.A] = m.Heap.OfList(m.computing(int(in.B)))
		case code.ResetFn:
			r[in.A] = value.None
			if t := m.TypeOf(r[in.B].Off()); int(in.C) < len(t.Resets) && t.Resets[in.C] >= 0 {
				r[in.A] = value.OfRule(t.Resets[in.C])
			}
		case code.Clear:
			for at := m.Prog.Last[0]; at < m.Prog.Last[1]; at++ {
				m.Write(at, value.None)
			}
		case code.Fail:
			top.PC = int32(pc)
			return m.refuse(r[in.A], top.Fn.Infos[in.B].(*code.FailInfo))
		case code.Event:
			if m.Out != nil {
				top.PC = int32(pc)
				at, rule := m.position()
				m.Out.Event(m, top.Fn.Infos[in.B], m.Stack[top.Base+in.A:], at, rule)
			}
		case code.Given:
			top.PC = int32(pc)
			if !m.give(r[in.A], top.Fn.Infos[in.B].(*code.Giving)) {
				return Broken
			}
		case code.JmpLacks:
			v := r[in.A]
			lacks := true
			if v.Kind() == value.Ref {
				t := m.TypeOf(v.Off())
				lacks = int(in.B) >= len(t.Slots) || t.Slots[in.B] == 0
			}
			if lacks {
				pc = int(in.C)
			}
		case code.SubI:
			a, b := r[in.B], value.OfInt(int64(in.C))
			if a&15 == 0 {
				if n := a.Int() - int64(in.C); n >= value.MinInt && n <= value.MaxInt {
					r[in.A] = value.OfInt(n)
					continue
				}
			}
			top.PC = int32(pc)
			v, ok := m.arith(m.Heap.Sub, "subtract", a, b)
			if !ok {
				return Broken
			}
			r[in.A] = v
		case code.SetHeader:
			m.setHeader(r[in.A].Off(), int(in.C), r[in.B])
		case code.AmongOr:
			if ok, _ := m.Heap.In(r[in.A], r[in.B]); !ok {
				top.PC = int32(pc)
				return m.fail(code.Refused, "%s is not one of %s", m.Show(r[in.A]), m.Show(r[in.B]))
			}
		case code.Unmet:
			top.PC = int32(pc)
			at, _ := m.position()
			m.Failures = append(m.Failures, Failure{top.Fn.Infos[in.B], r[in.A+1], r[in.A+2], at})
			if m.Out != nil {
				m.Out.Event(m, top.Fn.Infos[in.B], m.Stack[top.Base+in.A:], at, -1)
			}
		case code.Fault:
			m.noteFault(r[in.A], in.B == 1)
		case code.Capture:
			m.Captured = append(m.Captured, capture{faults: m.Faults})
		case code.CaptureEnd:
			top.PC = int32(pc)
			m.endCapture(top.Fn.Infos[in.B].(*code.MustFail))
		case code.CheckRefusal:
			top.PC = int32(pc)
			m.checkRefusal(top.Fn.Infos[in.B].(*code.MustFail), in.A == 1)
		case code.AllFeats:
			r[in.A] = m.allFeatures(int(in.B))
		case code.SetTactics:
			for _, e := range m.AsList(r[in.A]) {
				m.setTactics(e, int(in.B))
			}
		case code.KeepMark:
			if m.Marks != nil {
				m.Marks[int(in.B)] = Marked{slices.Clone(m.Store), m.Rand}
			}
		case code.EndTactics:
			m.endTactics(int(in.B))
		case code.Decline:
			m.declined(top.Fn.Infos[in.B].(*code.Tactic))
		case code.Refusal:
			r[in.A] = m.Heap.OfText(m.refusal.why)
		case code.CheckTactics:
			top.PC = int32(pc)
			m.checkTactics(top.Fn.Infos[in.B])
		case code.JAtIf, code.JAtNot:
			if m.Tracer != nil {
				if s := m.Tracer.Read(int(in.A)); s != Done {
					top.PC = int32(pc - 1)
					return s
				}
			}
			v := m.Store[in.A]
			if v == value.Yes || v == value.No || v == value.None {
				if (v == value.Yes) == (in.Op == code.JAtIf) {
					pc = int(in.C)
				}
				continue
			}
			top.PC = int32(pc)
			return m.noTruth(v)
		case code.JAtNone:
			if m.Tracer != nil {
				if s := m.Tracer.Read(int(in.A)); s != Done {
					top.PC = int32(pc - 1)
					return s
				}
			}
			if m.Store[in.A] == value.None {
				pc = int(in.C)
			}
		case code.JAtSome:
			if m.Tracer != nil {
				if s := m.Tracer.Read(int(in.A)); s != Done {
					top.PC = int32(pc - 1)
					return s
				}
			}
			if m.Store[in.A] != value.None {
				pc = int(in.C)
			}
		case code.JAtLtI, code.JAtGeI:
			if m.Tracer != nil {
				if s := m.Tracer.Read(int(in.A)); s != Done {
					top.PC = int32(pc - 1)
					return s
				}
			}
			a, b := m.Store[in.A], value.OfInt(int64(in.B))
			c := 0
			if a&15 == 0 {
				c = CompareInts(a, b)
			} else {
				top.PC = int32(pc)
				var ok bool
				if c, ok = m.compare(a, b); !ok {
					return Broken
				}
			}
			if (c < 0) == (in.Op == code.JAtLtI) {
				pc = int(in.C)
			}
		case code.SetLast:
			m.Write(int(in.B), r[in.A])
		case code.Try:
			m.setSavepoint(in.C)
		case code.EndTry:
			m.releaseSavepoint()
		case code.Act:
			if !m.Attended {
				pc = int(in.C)
				continue
			}
			top.PC = int32(pc)
			return NeedCommand
		case code.EndAct:
			r[in.A+1] = value.OfInt(r[in.A+1].Int() + 1)
			m.unmoved = m.unchanged()
			m.releaseSavepoint()
			if m.Attended {
				top.PC = int32(pc)
				return Acted
			}
		case code.Between:
			if !m.Attended || m.Hand == nil || len(m.Savepoints) > 0 || !m.Hand(int(in.B)) {
				pc = int(in.C)
				continue
			}
			top.PC = int32(pc)
			return NeedHand
		case code.EndHand:
			m.releaseSavepoint()
		case code.Head:
			if m.CheckEntries && m.atHead(in) {
				top.PC = int32(pc)
				return Checkpoint
			}
		case code.Prints:
			if m.Printed += int64(in.B); m.Printed > m.MaxOutput && m.MaxOutput > 0 {
				top.PC = int32(pc)
				return m.exceeds("output", "the script prints more than %s bytes", Grouped(m.MaxOutput))
			}
		case code.Reported:
			if m.Reporting {
				m.Report(top.Fn.Infos[in.B], r[in.A])
			}
		default:
			top.PC = int32(pc)
			return m.fail(code.Failed, "instruction %d is unknown", in.Op)
		}
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
