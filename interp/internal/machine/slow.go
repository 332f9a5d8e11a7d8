package machine

import (
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// slow does what Exec leaves of the instruction before pc of the function at work. It says Stepped if that goes on.
func (m *Machine) slow(pc int) Status {
	top := &m.Frames[len(m.Frames)-1]
	top.PC = int32(pc)
	in, r := &top.Fn.Code[pc-1], m.Stack[top.Base:]
	switch in.Op {
	case code.Builtin:
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
							top.PC--
							return s
						}
					}
					r[in.A] = m.Store[off+int(s)]
					return Stepped
				}
			}
		}
		return m.noField(v, in)
	case code.SetF, code.InitF:
		if !m.setField(r[in.A], int(in.C), r[in.B], in.Op == code.SetF) {
			return Broken
		}
	case code.Is:
		v, yes := r[in.B], false
		if v.Kind() == value.Ref {
			yes = m.isKind(v, top.Fn.Infos[in.C].(string))
		} else {
			m.countReading(m.Stack[top.Base+in.B:][:1])
		}
		r[in.A] = value.OfBool(yes)
	case code.MakeL:
		r[in.A] = m.Heap.OfList(m.Stack[top.Base+in.B:][:in.C])
	default:
		return m.rare(top, in)
	}
	return Stepped
}

// rare does so where an instruction is none of the most frequent ones.
func (m *Machine) rare(top *Frame, in *code.Ins) Status {
	r := m.Stack[top.Base:]
	switch in.Op {
	case code.Nop, code.Move, code.LoadK, code.GetF, code.SetF, code.InitF, code.JmpNone, code.JmpSome, code.JmpLacks, code.MakeL, code.Builtin, code.Is:
		// done before this is called
	case code.GetAt:
		if s := m.Tracer.Read(int(in.B)); s != Done {
			top.PC--
			return s
		}
		r[in.A] = m.Store[in.B]
	case code.SetAt:
		m.Write(int(in.B), r[in.A])
	case code.DefaultF:
		if !m.fieldAsStated(r[in.A], int(in.C)) && !m.setField(r[in.A], int(in.C), r[in.B], true) {
			return Broken
		}
	case code.Add, code.AddI:
		b := value.OfInt(int64(in.C))
		if in.Op == code.Add {
			b = r[in.C]
		}
		v, ok := m.add(r[in.B], b)
		if !ok {
			return Broken
		}
		r[in.A] = v
	case code.Sub, code.SubI:
		b := value.OfInt(int64(in.C))
		if in.Op == code.Sub {
			b = r[in.C]
		}
		v, ok := m.arith(m.Heap.Sub, "subtract", r[in.B], b)
		if !ok {
			return Broken
		}
		r[in.A] = v
	case code.Mul:
		v, ok := m.mul(r[in.B], r[in.C])
		if !ok {
			return Broken
		}
		r[in.A] = v
	case code.Div:
		v, ok := m.arith(m.Heap.Div, "divide", r[in.B], r[in.C])
		if !ok {
			return Broken
		}
		r[in.A] = v
	case code.Neg:
		v, ok := m.arith(m.Heap.Sub, "negate", value.OfInt(0), r[in.B])
		if !ok {
			return Broken
		}
		r[in.A] = v
	case code.Not:
		return m.noTruth(r[in.B])
	case code.Truth, code.JmpIf, code.JmpNot:
		return m.noTruth(r[in.A])
	case code.Eq, code.Ne:
		r[in.A] = value.OfBool(Same(r[in.B], r[in.C]) == (in.Op == code.Eq))
	case code.Lt, code.Le, code.Gt, code.Ge:
		c, ok := m.compare(r[in.B], r[in.C])
		if !ok {
			return Broken
		}
		r[in.A] = value.OfBool(Holds(in.Op, c))
	case code.In:
		m.countReading(m.Stack[top.Base+in.C:][:1])
		yes, ok := m.Heap.In(r[in.B], r[in.C])
		if !ok {
			return m.fail(code.Failed, "in needs a list or a range, not %s", m.Show(r[in.C]))
		}
		if d := Shown(r[in.B]); !yes && d != r[in.B] {
			yes, _ = m.Heap.In(d, r[in.C])
		}
		if !yes && r[in.B].IsNumber() && m.isThrown(r[in.C]) {
			yes = slices.ContainsFunc(m.Heap.Elems(r[in.C]), func(d V) bool { return Same(d, r[in.B]) })
		}
		r[in.A] = value.OfBool(yes)
	case code.Jmp: // back
		if m.Steps++; m.Steps > m.MaxSteps || m.Heap.Used > m.MaxHeap {
			return m.tooLong()
		}
		if m.Checkpoints && m.AtCheckpoint(top.Fn.Code, in.C, r) {
			top.PC = in.C + 1
			return Checkpoint
		}
		top.PC = in.C
	case code.Iter:
		l := r[in.A]
		if l.Kind() != value.List {
			var ok bool
			if l, ok = m.Elements(l); !ok {
				return Broken
			}
			r[in.A] = l
		}
		if m.Steps++; m.Steps > m.MaxSteps {
			return m.tooLong()
		}
		e := m.Heap.Elems(l)
		i := r[in.A+1].Int()
		if int(i) >= len(e) {
			top.PC = in.C
			return Stepped
		}
		r[in.A+1] = value.OfInt(i + 1)
		r[in.B] = e[i]
	case code.JmpUnasked:
		if m.nobodyIsAsked() && (in.B < 0 || !m.Prog.Decided(top.Fn.Infos[in.B].(*code.AskInfo).Name)) {
			top.PC = in.C
		}
	case code.JmpUndecided:
		if info := top.Fn.Infos[in.B].(*code.AskInfo); m.nobodyIsAsked() && m.tacticFor(r[in.A], info.Name) == value.None {
			top.PC = in.C
		}
	case code.JEq, code.JNe:
		if Same(r[in.A], r[in.B]) == (in.Op == code.JEq) {
			top.PC = in.C
		}
	case code.JEqI, code.JNeI:
		if Same(r[in.A], value.OfInt(int64(in.B))) == (in.Op == code.JEqI) {
			top.PC = in.C
		}
	case code.JLt, code.JLe, code.JGt, code.JGe, code.JLtI, code.JLeI, code.JGtI, code.JGeI:
		b := value.OfInt(int64(in.B))
		if in.Op <= code.JGe {
			b = r[in.B]
		}
		c, ok := m.compare(r[in.A], b)
		if !ok {
			return Broken
		}
		if Holds(in.Op.Comparison(), c) {
			top.PC = in.C
		}
	case code.Call, code.CallV:
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
	case code.Ret, code.RetK:
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
		m.Stack[m.Frames[len(m.Frames)-1].Base+ret] = v
	case code.MakeR:
		r[in.A] = m.Heap.OfRange(r[in.B], r[in.C])
	case code.Index:
		v, ok := m.IndexOf(r[in.B], r[in.C])
		if !ok {
			return Broken
		}
		r[in.A] = v
	case code.IndexI:
		v, ok := m.IndexOf(r[in.B], value.OfInt(int64(in.C)))
		if !ok {
			return Broken
		}
		r[in.A] = v
	case code.Empty:
		of := m.Stack[top.Base+in.B:][:1]
		m.countReading(of)
		v, err := empty(m, of)
		if err != nil {
			return m.failed(err)
		}
		r[in.A] = v
	case code.Text:
		v, ok := m.TextOf(m.Stack[top.Base+in.B:][:in.C])
		if !ok {
			return Broken
		}
		r[in.A] = v
	case code.Throw:
		d := r[in.A]
		if m.Seeded && m.streams == nil && in.C == 0 && d.Kind() == value.Die && m.Out == nil && m.Log == nil && len(m.Faces)+len(m.Own.Faces) == 0 && d.DieSize() > 0 {
			if m.Thrown++; m.Thrown > m.MaxDice {
				return m.exceeds("dice", "more than %s dice have been thrown", Grouped(int64(m.MaxDice)))
			}
			r[in.A] = value.OfDie(d.DieSize(), m.Rand.Face(d.DieSize()))
			return Stepped
		}
		if s := m.throw(d, in); s != Done {
			return s
		}
	case code.Ask:
		if s := m.ask(m.Stack[top.Base:], in); s != Done {
			return s
		}
	case code.New:
		off := len(m.Store)
		t := m.Prog.Types[in.B]
		if off+len(t.Template) > maxStore {
			return m.fail(code.Limit, "too many records at once")
		}
		m.Store = append(m.Store, t.Template...)
		if m.Tracer != nil {
			m.Tracer.Made(off, len(m.Store))
		}
		r[in.A] = value.OfRef(off)
	case code.Feats:
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
		if r[in.A].Kind() != value.Ref {
			return m.fail(code.Failed, "%s cannot act", m.Show(r[in.A]))
		}
		if m.streams != nil {
			m.streams.begin(m, r[in.A].Off())
		}
		r[in.A] = m.turnOf(r[in.A].Off(), int(in.B))
	case code.TacticOn:
		name := top.Fn.Infos[in.C].(*code.AskInfo).Name
		if r[in.A], m.silenced = m.tacticOn(r[in.B], name); r[in.A] != value.None {
			m.byTactics(name)
		}
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
		return m.refuse(r[in.A], top.Fn.Infos[in.B].(*code.FailInfo))
	case code.Event:
		if m.Out != nil {
			at, rule := m.position()
			m.Out.Event(m, top.Fn.Infos[in.B], m.Stack[top.Base+in.A:], at, rule)
		}
	case code.Given:
		if !m.give(r[in.A], top.Fn.Infos[in.B].(*code.Giving)) {
			return Broken
		}
	case code.SetHeader:
		m.setHeader(r[in.A].Off(), int(in.C), r[in.B])
	case code.AmongOr:
		if ok, _ := m.Heap.In(r[in.A], r[in.B]); !ok {
			return m.fail(code.Refused, "%s is not one of %s", m.Show(r[in.A]), m.Show(r[in.B]))
		}
	case code.Unmet:
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
		m.endCapture(top.Fn.Infos[in.B].(*code.MustFail))
	case code.CheckRefusal:
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
		m.checkTactics(top.Fn.Infos[in.B])
	case code.JAtIf, code.JAtNot, code.JAtNone, code.JAtSome, code.JAtLtI, code.JAtGeI:
		if m.Tracer != nil {
			if s := m.Tracer.Read(int(in.A)); s != Done {
				top.PC--
				return s
			}
		}
		yes, ok := m.jumpsAt(in)
		if !ok {
			return Broken
		}
		if yes {
			top.PC = in.C
		}
	case code.SetLast:
		m.Write(int(in.B), r[in.A])
	case code.Try:
		m.setSavepoint(in.C)
	case code.EndTry:
		m.releaseSavepoint()
	case code.Act:
		if !m.Attended {
			top.PC = in.C
			return Stepped
		}
		return NeedCommand
	case code.EndAct:
		r[in.A+1] = value.OfInt(r[in.A+1].Int() + 1)
		m.unmoved = m.unchanged()
		m.releaseSavepoint()
		if m.Attended {
			return Acted
		}
	case code.Between:
		if !m.Attended || m.Hand == nil || len(m.Savepoints) > 0 || !m.Hand(int(in.B)) {
			top.PC = in.C
			return Stepped
		}
		return NeedHand
	case code.EndHand:
		m.releaseSavepoint()
	case code.Head:
		if m.CheckEntries && m.atHead(in) {
			return Checkpoint
		}
	case code.Prints:
		if m.Printed += int64(in.B); m.Printed > m.MaxOutput && m.MaxOutput > 0 {
			return m.exceeds("output", "the script prints more than %s bytes", Grouped(m.MaxOutput))
		}
	case code.Reported:
		if m.Reporting {
			m.Report(top.Fn.Infos[in.B], r[in.A])
		}
	default:
		return m.fail(code.Failed, "instruction %d is unknown", in.Op)
	}
	return Stepped
}

// jumpsAt says whether an instruction jumps for what stands in a word of the store.
func (m *Machine) jumpsAt(in *code.Ins) (yes, ok bool) {
	v := m.Store[in.A]
	switch in.Op {
	case code.JAtNone:
		return v == value.None, true
	case code.JAtSome:
		return v != value.None, true
	case code.JAtLtI, code.JAtGeI:
		c, ok := m.compare(v, value.OfInt(int64(in.B)))
		return (c < 0) == (in.Op == code.JAtLtI), ok
	}
	yes, ok = v.Truth()
	if !ok {
		m.noTruth(v)
	}
	return yes == (in.Op == code.JAtIf), ok
}
