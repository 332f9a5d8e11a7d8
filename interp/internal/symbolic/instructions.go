package symbolic

import (
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
)

// trace runs like exec, and works beside it with what numbers are worked out from.
func (t *Tracker) trace() machine.Status {
	m := t.M
	for {
		s := machine.Stepped
		switch {
		case t.Stepper != nil:
			s = t.Stepper.Step()
		case t.Unknowns == 0:
			s = m.Exec(-1)
		default:
			s = t.Step()
		}
		switch s {
		case machine.Stepped:
		case machine.UnknownRead:
			t.ReadUnknown()
		default:
			return s
		}
	}
}

// ReadUnknown reads the unknown word that the next instruction reads.
func (t *Tracker) ReadUnknown() {
	m := t.M
	top := &m.Frames[len(m.Frames)-1]
	in := &top.Fn.Code[top.PC]
	at := int(in.A)
	switch in.Op {
	case code.GetAt:
		at = int(in.B)
	case code.GetF:
		off := m.Stack[top.Base+in.B].Off()
		at = off + int(m.TypeOf(off).Slots[in.C])
	}
	id := t.Unknown(at)
	x := t.Exprs.Of(id)
	v := m.Store[at]
	switch {
	case in.Op == code.GetAt || in.Op == code.GetF:
		m.Stack[top.Base+in.A] = v
		t.Put(int(top.Base+in.A), id)
		top.PC++
	case (in.Op == code.JAtNone || in.Op == code.JAtSome) && x.Number:
		top.Jump(in, in.Op == code.JAtSome)
	case (in.Op == code.JAtLtI || in.Op == code.JAtGeI) && x.Is == asLinear && t.compare(code.Ge, x.Linear, Constant(int64(in.B)), v, value.OfInt(int64(in.B))):
		top.Jump(in, (v.Int() >= int64(in.B)) == (in.Op == code.JAtGeI))
	default:
		t.Look(at)
	}
}

// Step executes the next instruction.
func (t *Tracker) Step() machine.Status {
	m := t.M
	top := &m.Frames[len(m.Frames)-1]
	in := &top.Fn.Code[top.PC]
	base := int(top.Base)
	o := in.Operands(m.Prog, top.Fn)
	a, b := base+int(in.A), base+int(in.B)
	switch in.Op {
	case code.Call:
		return t.afterCall(m.Exec(1))
	case code.CallV:
		t.Concretise(a)
		return t.afterCall(m.Exec(1))
	case code.Ret:
		return t.finishReturn(t.Of(a), top)
	case code.RetK:
		return t.finishReturn(0, top)
	case code.Jmp:
		if int(in.C) <= int(top.PC) && m.Checkpoints {
			t.ConcretiseOperands(base, top.Fn.Code[in.C+1].Operands(m.Prog, top.Fn)) // see over
		}
	case code.Ask:
		if t.Unasked {
			t.Put(a+1, 0) // nobody reads the prompt
		}
	case code.Fail:
		t.silent = len(m.Savepoints) > 0 // what is come back from is not told
		t.ConcretiseOperands(base, o)
		t.silent = false
	}
	if !t.usesUnknown(base, o) {
		return t.execute(base, o, 0)
	}
	if x, ok := t.evaluate(in, base, o); ok {
		return t.execute(base, o, x)
	}
	switch in.Op {
	case code.SetAt, code.SetLast:
		s := m.Exec(1)
		t.Cell[in.B] = t.Of(a)
		return s
	case code.SetF, code.InitF:
		if at, ok := t.fieldTakes(a, b, int(in.C)); ok {
			s := m.Exec(1)
			t.Cell[at] = t.Of(b)
			return s
		}
	case code.Reported:
		if m.Reporting {
			t.PutReport(len(m.Reports), t.Of(a))
		}
		return m.Exec(1)
	case code.JLt, code.JLe, code.JGt, code.JGe, code.JEq, code.JNe:
		if t.compareRegisters(in.Op.Comparison(), a, b) {
			return m.Exec(1)
		}
	case code.JLtI, code.JLeI, code.JGtI, code.JGeI, code.JEqI, code.JNeI:
		k := value.OfInt(int64(in.B))
		if x, ok := t.form(a); ok && t.compare(in.Op.Comparison(), x, Constant(k.Int()), m.Stack[a], k) {
			return m.Exec(1)
		}
	case code.Iter:
		if t.is(a) == AsList && t.Of(a+1) == 0 {
			return t.element(a, b, top)
		}
	case code.JmpNone, code.JmpSome, code.JmpLacks:
		if is := t.is(a); t.numeric(a, m.Stack[a]) || is == AsDie || is == AsList {
			return m.Exec(1)
		}
	}
	t.ConcretiseOperands(base, o)
	return t.execute(base, o, 0)
}

// element goes on with the next element of the list in register a, in register b, or leaves
// the loop.
func (t *Tracker) element(a, b int, top *machine.Frame) machine.Status {
	m := t.M
	parts, i, pc := t.Exprs.Of(t.Of(a)).Parts, int(m.Stack[a+1].Int()), top.PC
	s := m.Exec(1)
	if i < len(parts) && top.PC == pc+1 {
		t.Put(b, parts[i])
	}
	return s
}

// evaluate gives what an instruction makes of what it uses, 0 where that is known, with
// no where it has to be known what it uses, or it sets nothing.
func (t *Tracker) evaluate(in *code.Ins, base int, o code.Operands) (x int32, ok bool) {
	m := t.M
	a, b, c := base+int(in.A), base+int(in.B), base+int(in.C)
	numbers := true // it is of numbers
	switch in.Op {
	case code.Add, code.Sub, code.AddI, code.SubI, code.Neg, code.Mul, code.Div:
		if m.Stack[b].Kind() == value.Die || (in.Op == code.Add || in.Op == code.Sub || in.Op == code.Mul || in.Op == code.Div) && m.Stack[c].Kind() == value.Die {
			return 0, false // it counts as what it shows
		}
	}
	switch in.Op {
	case code.Move:
		return t.Of(b), true
	case code.Add:
		x, ok = t.sum(b, c, 1)
	case code.Sub:
		x, ok = t.sum(b, c, -1)
	case code.AddI:
		x, ok = t.shifted(b, int64(in.C))
	case code.SubI:
		x, ok = t.shifted(b, -int64(in.C))
	case code.Neg:
		x, ok = t.scaled(b, -1)
	case code.Mul:
		x, ok = t.product(b, c)
	case code.Div:
		if t.Of(c) != 0 || m.Stack[c] == value.OfInt(0) {
			return 0, false
		}
		x, ok = t.ratio(b, c)
	case code.Empty:
		return 0, t.is(b) == AsList
	case code.Text, code.MakeL:
		numbers = false
	case code.Builtin:
		name := code.Builtins[in.B].Name
		if x, ok = t.function(name, a, int(in.C)); !ok {
			of, always := total[name]
			switch {
			case always:
				numbers = of
			case takesAny[name] == m.Stack[a].Kind() && takesAny[name] != 0:
				numbers = false
			default:
				return 0, false
			}
		}
	case code.Lt, code.Le, code.Gt, code.Ge, code.Eq, code.Ne:
		return 0, t.compareRegisters(in.Op, b, c)
	case code.In:
		return 0, t.isIn(b, c)
	default:
		return 0, false
	}
	if !ok {
		return t.compose(base, o, numbers)
	}
	return x, ok
}

// afterCall goes on in a function that has just been called. As long as it knows of
// nothing that is worked out from something, it need not be followed.
func (t *Tracker) afterCall(s machine.Status) machine.Status {
	m := t.M
	if s != machine.Stepped {
		return s
	}
	top := &m.Frames[len(m.Frames)-1]
	from := int(top.Base)
	t.Forget(from + top.Fn.Params)
	for r := range top.Fn.Params {
		if t.Of(from+r) != 0 {
			return machine.Stepped
		}
	}
	if t.Stepper != nil {
		return machine.Stepped
	}
	m.Floor = len(m.Frames)
	s = m.Exec(-1)
	m.Floor = 0
	return s
}

// usesUnknown says whether an instruction uses a register that is worked out from
// something.
func (t *Tracker) usesUnknown(base int, o code.Operands) bool {
	for _, r := range o.Uses {
		if r >= 0 && t.Of(base+int(r)) != 0 {
			return true
		}
	}
	for r := range o.N {
		if t.Of(base+int(o.From+r)) != 0 {
			return true
		}
	}
	return false
}

// ConcretiseOperands makes the registers that an instruction uses hold what they hold.
func (t *Tracker) ConcretiseOperands(base int, o code.Operands) {
	for _, r := range o.Uses {
		if r >= 0 {
			t.Concretise(base + int(r))
		}
	}
	for r := range o.N {
		t.Concretise(base + int(o.From+r))
	}
}

// execute executes an instruction and says what the register that it sets is worked
// out from.
func (t *Tracker) execute(base int, o code.Operands, id int32) machine.Status {
	m := t.M
	s := m.Exec(1)
	if o.Sets >= 0 && s != machine.UnknownRead && s != machine.Checkpoint {
		t.Put(base+int(o.Sets), id)
	}
	return s
}

// finishReturn returns from a function with what is worked out from something.
func (t *Tracker) finishReturn(id int32, top *machine.Frame) machine.Status {
	m := t.M
	t.Forget(int(top.Base))
	if len(m.Frames) == 1 {
		t.ConcretiseExpr(id)
		return m.Exec(1)
	}
	to := int(m.Frames[len(m.Frames)-2].Base + top.Ret)
	s := m.Exec(1)
	t.Put(to, id)
	return s
}

// fieldTakes says whether the field of the instance in a register surely takes what is in
// another, or has just been found to, and where it is.
func (t *Tracker) fieldTakes(a, b, sym int) (at int, ok bool) {
	m := t.M
	v := m.Stack[a]
	if t.Of(a) != 0 || v.Kind() != value.Ref {
		return 0, false
	}
	typ := m.TypeOf(v.Off())
	if sym >= len(typ.Slots) || typ.Slots[sym] == 0 {
		return 0, false
	}
	at = v.Off() + int(typ.Slots[sym])
	x := t.Exprs.Of(t.Of(b))
	f := &typ.Fields[int(typ.Slots[sym])-code.Header]
	if f.Dice != nil {
		return 0, false
	}
	switch f.Check {
	case code.Anything:
		return at, true
	case code.IsNumber:
		return at, x.Number && (x.Is == asLinear || !f.Whole)
	case code.IsDie:
		return at, x.Is == AsDie || x.Is == AsBuilt && m.Stack[b].Kind() == value.Die
	case code.IsText:
		return at, x.Is == AsBuilt && m.Stack[b].Kind() == value.Text
	case code.IsList:
		return at, (x.Is == AsBuilt || x.Is == AsList) && m.Stack[b].Kind() == value.List
	case code.InRange:
		for _, end := range []struct {
			v  V
			op code.Op
		}{{f.Lo, code.Ge}, {f.Hi, code.Le}} {
			if end.v != value.None && !(x.Is == asLinear && end.v.IsInt() && t.compare(end.op, x.Linear, Constant(end.v.Int()), m.Stack[b], end.v)) {
				return 0, false
			}
		}
		return at, x.Number && (x.Is == asLinear || !f.Whole)
	}
	return 0, false
}

// form gives what is in a register as a linear form.
func (t *Tracker) form(reg int) (Linear, bool) {
	m := t.M
	if id := t.Of(reg); id != 0 {
		x := t.Exprs.Of(id)
		return x.Linear, x.Is == asLinear
	}
	v := m.Stack[reg]
	if !Whole(v) {
		return Linear{}, false
	}
	return Constant(v.Int()), true
}

// is says what kind of thing a register is worked out as; what is not is built.
func (t *Tracker) is(reg int) ExprKind {
	if id := t.Of(reg); id != 0 {
		return t.Exprs.Of(id).Is
	}
	return AsBuilt
}

// numeric says whether what is in a register surely is a number.
func (t *Tracker) numeric(reg int, v V) bool {
	if id := t.Of(reg); id != 0 {
		return t.Exprs.Of(id).Number
	}
	return v.IsNumber()
}

// addLinear notes a linear form; 0 is one that is a constant.
func (t *Tracker) addLinear(x Linear) int32 {
	if x.N == 0 {
		return 0
	}
	return t.Add(Expr{Linear: x, Number: true})
}

// sum gives the sum of what is in one register and factor times what is in another.
func (t *Tracker) sum(b, c int, factor int64) (int32, bool) {
	x, ok := t.form(b)
	y, also := t.form(c)
	if !ok || !also {
		return 0, false
	}
	sum, ok := x.Plus(y, factor)
	return t.addLinear(sum), ok
}

// shifted gives the sum of what is in a register and a number.
func (t *Tracker) shifted(reg int, k int64) (int32, bool) {
	x, ok := t.form(reg)
	if !ok {
		return 0, false
	}
	x, ok = x.Plus(Constant(k), 1)
	return t.addLinear(x), ok
}

// scaled gives a number times what is in a register.
func (t *Tracker) scaled(reg int, k int64) (int32, bool) {
	x, ok := t.form(reg)
	if !ok || k >= maxFactor || k <= -maxFactor || x.K >= maxWhole || x.K <= -maxWhole {
		return 0, false
	}
	x, ok = Constant(0).Plus(x, k)
	return t.addLinear(x), ok
}

// product gives the product of what is in two registers, one of which is a constant.
func (t *Tracker) product(b, c int) (int32, bool) {
	m := t.M
	if t.Of(b) == 0 {
		b, c = c, b
	}
	if t.Of(c) != 0 || !Whole(m.Stack[c]) {
		return 0, false
	}
	return t.scaled(b, m.Stack[c].Int())
}

// ratio gives the quotient of what is in two registers, the second of which is a
// constant.
func (t *Tracker) ratio(b, c int) (int32, bool) {
	m := t.M
	x, ok := t.form(b)
	if !ok || x.By != 1 || !m.Stack[c].IsInt() {
		return 0, false
	}
	if x, ok = x.Over(m.Stack[c].Int()); !ok {
		return 0, false
	}
	return t.Add(Expr{Linear: x, Is: asQuotient, Number: true}), true
}

// function gives what a builtin function makes of the n values from a register on,
// where that is a linear form again.
func (t *Tracker) function(name string, reg, n int) (int32, bool) {
	m := t.M
	switch {
	case t.is(reg) == AsList:
		return t.ofList(name, reg, n)
	case name == "face" && t.is(reg) == AsDie:
		x := *t.Exprs.Of(t.Of(reg))
		x.Is, x.Number = asLinear, true
		return t.Add(x), true
	case name == "sides" && t.is(reg) == AsDie, name == "keep" && m.Out == nil:
		return 0, true
	case name == "floor" && t.Of(reg) != 0:
		x := *t.Exprs.Of(t.Of(reg))
		if x.Is == asQuotient {
			x.Is = asLinear
			return t.Add(x), true
		}
		return t.Of(reg), x.Is == asLinear
	case (name == "max" || name == "min") && n == 2:
		x, ok := t.form(reg)
		y, also := t.form(reg + 1)
		if !ok || !also || !t.compare(code.Ge, x, y, m.Stack[reg], m.Stack[reg+1]) {
			return 0, false
		}
		if (m.Stack[reg].Int() >= m.Stack[reg+1].Int()) == (name == "max") {
			return t.Of(reg), true
		}
		return t.Of(reg + 1), true
	}
	return 0, false
}

// ofList gives what a builtin function makes of the list in a register, as far as that is its
// length, single elements, a part or the sum of it.
func (t *Tracker) ofList(name string, reg, n int) (int32, bool) {
	parts := t.Exprs.Of(t.Of(reg)).Parts
	switch name {
	case "size", "empty":
		return 0, true
	case "first":
		return parts[0], true
	case "last":
		return parts[len(parts)-1], true
	case "take", "drop":
		k := t.M.Stack[reg+1]
		if n != 2 || !k.IsInt() || k.Int() < 0 {
			return 0, false
		}
		at, all := int(k.Int()), Constant(int64(len(parts)))
		if x, ok := t.form(reg + 1); at < len(parts) || !ok || !t.compare(code.Ge, x, all, k, value.OfInt(all.K)) {
			t.Concretise(reg + 1)
		}
		at = min(at, len(parts))
		if name == "take" {
			return t.listOf(parts[:at]), true
		}
		return t.listOf(parts[at:]), true
	case "without":
		// what has been taken from it is known to be there
		if i := slices.Index(parts, t.Of(reg+1)); n == 2 && i == 0 && parts[0] != 0 {
			return t.listOf(parts[1:]), true
		}
	case "sum":
		sum := Constant(0)
		for i, p := range parts {
			var x Linear
			switch e := t.M.Heap.Elems(t.M.Stack[reg])[i]; {
			case p != 0 && t.Exprs.Of(p).Is == asLinear:
				x = t.Exprs.Of(p).Linear
			case p == 0 && Whole(e):
				x = Constant(e.Int())
			default:
				return 0, false
			}
			var ok bool
			if sum, ok = sum.Plus(x, 1); !ok {
				return 0, false
			}
		}
		return t.addLinear(sum), true
	}
	return 0, false
}

// compose gives what is worked out from all that an instruction uses; with numbers
// only if all are numbers.
func (t *Tracker) compose(base int, o code.Operands, numbers bool) (int32, bool) {
	m := t.M
	x := Expr{Linear: Linear{By: 1}, Is: AsBuilt, Number: numbers}
	ok := true
	part := func(reg int) {
		ok = ok && (!numbers || t.numeric(reg, m.Stack[reg]))
		if id := t.Of(reg); id != 0 {
			x.Parts = append(x.Parts, id)
		}
	}
	for _, r := range o.Uses {
		if r >= 0 {
			part(base + int(r))
		}
	}
	for r := range o.N {
		part(base + int(o.From+r))
	}
	if !ok {
		return 0, false
	}
	return t.Add(x), true
}

// compareRegisters notes how a comparison of two registers comes out, with no if it cannot
// be told of anything but what they hold.
func (t *Tracker) compareRegisters(op code.Op, a, b int) bool {
	m := t.M
	v, w := m.Stack[a], m.Stack[b]
	x, ok := t.form(a)
	y, also := t.form(b)
	if (op == code.Eq || op == code.Ne) && (ok || also) {
		// a whole number is nothing else, but a die shows one
		if other := func(reg int, v V) bool { return t.Of(reg) == 0 && !v.IsInt() && v.Kind() != value.Die }; !ok && other(a, v) || !also && other(b, w) {
			return true
		}
	}
	return ok && also && t.compare(op, x, y, v, w)
}

// isIn notes whether the number in a register is one of those in a list or range in
// another, with no if that cannot be told.
func (t *Tracker) isIn(a, b int) bool {
	m := t.M
	v, l := m.Stack[a], m.Stack[b]
	x, ok := t.form(a)
	if !ok || t.Of(b) != 0 {
		return false
	}
	switch l.Kind() {
	case value.Range:
		lo, hi := m.Heap.Ends(l)
		return lo.IsInt() && hi.IsInt() && t.compare(code.Ge, x, Constant(lo.Int()), v, lo) && t.compare(code.Le, x, Constant(hi.Int()), v, hi)
	case value.List:
		for _, e := range m.Heap.Elems(l) {
			if e.IsInt() && !t.compare(code.Eq, x, Constant(e.Int()), v, e) {
				return false
			}
			if e == v {
				return true
			}
		}
		return true
	}
	return false
}

// compare notes how a comparison of two numbers, v and w now, comes out, with no if
// it cannot be told of them.
func (t *Tracker) compare(op code.Op, x, y Linear, v, w V) bool {
	if op == code.Gt || op == code.Le {
		x, y, v, w = y, x, w, v
	}
	equal := op == code.Eq || op == code.Ne
	switch {
	case equal && (x.By != 1 || y.By != 1):
		return false
	case y.N == 0:
		// what is rounded down is n or more if it was so before
		y.K, x.By = y.K*int64(x.By), 1
	case x.N == 0:
		// and n or less if it was less than n+1
		x.K, y.By = (x.K+1)*int64(y.By)-1, 1
	}
	sum, ok := x.Plus(y, -1)
	switch {
	case !ok || sum.By != 1:
		return false
	case equal:
		t.addConstraint(IsZero, sum, v == w)
	default:
		t.addConstraint(NotNegative, sum, v.Int() >= w.Int())
	}
	return true
}
