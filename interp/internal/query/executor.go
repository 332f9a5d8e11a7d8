package query

import (
	"slices"

	"setpiece/interp/internal/analysis"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/state"
	"setpiece/interp/internal/value"
)

// maxRead bounds the instructions that Read goes through.
const maxRead = 4096

// executor goes on from a throw that has not fallen.
type executor struct {
	s          *state.Codec
	m          *machine.Machine
	r          *Query
	waits      map[int]int32 // by place in the stack: the expression it waits for
	cells      map[int]cell  // by place in the store
	uses       code.Registers
	pastThrows bool // it may go past further throws
	forks      bool // and past conditions, see FindBehind
	settled    []bool
	least      map[int32]int // how many dice a stage has, by what is settled
	looped     *Loop         // that reads dice one by one
	tried      *code.Ins     // the head of a loop that is none to go past
}

// cell is a word of the store that waits for an expression; field is the symbol
// of the field it is.
type cell struct{ expr, field int32 }

func (w *executor) add(e expr) int32 {
	w.r.exprs = append(w.r.exprs, e)
	return int32(len(w.r.exprs) - 1)
}

func (w *executor) set(at int, e int32) { w.waits[at] = e }

// put makes a register hold a known value.
func (w *executor) put(at int, v V) {
	delete(w.waits, at)
	w.m.Stack[at] = v
}

// step goes through one instruction; with no it has to be executed by who knows
// the answers.
func (w *executor) step() bool {
	m := w.m
	top := &m.Frames[len(m.Frames)-1]
	in := &top.Fn.Code[top.PC]
	base := int(top.Base)
	a, b := base+int(in.A), base+int(in.B)
	next := top.PC + 1
	jump := func(yes bool) {
		if yes {
			next = in.C
		}
	}
	if w.s.Symmetry != nil {
		if list, names := w.s.Symmetry.Concerns(top.Fn, in, m.Stack[base:]); list != value.None || names != 0 {
			return false
		}
	}
	ea, ofA := w.waits[a]
	eb, ofB := w.waits[b]
	switch in.Op {
	case code.Throw, code.Act, code.TurnOf, code.Reported:
		w.r.Simple = false
	case code.Ask:
		w.r.asks = append(w.r.asks, w.r.Far)
	}
	switch in.Op {
	case code.Nop, code.Prints:
	case code.Event:
		if m.Out != nil {
			return false
		}
	case code.Head:
		if exit, ok := w.rounds(top); ok {
			next = exit
		}
	case code.Act, code.Between:
		jump(true) // nobody is asked where odds are worked out
	case code.Move:
		if ofB {
			w.set(a, eb)
		} else {
			w.put(a, m.Stack[b])
		}
	case code.LoadK:
		w.put(a, in.Constant())
	case code.GetAt:
		if !w.get(a, int(in.B)) {
			return false
		}
	case code.SetAt, code.SetLast:
		w.store(int(in.B), -1, m.Stack[a], ofA, ea)
	case code.GetF:
		at, _, ok := w.field(b, ofB, in.C)
		if ok && m.Observe != nil {
			m.ObserveField(m.Stack[b].Off(), int(in.C))
		}
		if !ok || !w.get(a, at) {
			return false
		}
	case code.SetF, code.InitF:
		at, f, ok := w.field(a, ofA, in.C)
		if !ok || m.Out != nil {
			return false
		}
		if !ofB {
			delete(w.cells, at)
			return w.execute(top, in)
		}
		if !w.fits(f, eb) {
			return false
		}
		w.store(at, in.C, value.None, true, eb)
	case code.JmpLacks:
		v := m.Stack[a]
		if ofA || v.Kind() != value.Ref {
			jump(true) // dice, numbers and lists have no fields
			break
		}
		t := m.TypeOf(v.Off())
		jump(int(in.B) >= len(t.Slots) || t.Slots[in.B] == 0)
	case code.Add, code.Sub:
		if c := base + int(in.C); !ofB && !w.isUnknown(c) && !(m.Stack[b].IsInt() && m.Stack[c].IsInt()) {
			return (w.dice(m.Stack[b]) && w.dice(m.Stack[c]) || w.many()) && w.execute(top, in)
		}
		if !w.sum(a, b, base+int(in.C), in.Op) {
			return false
		}
	case code.Mul, code.Neg:
		switch {
		case !ofB && (in.Op == code.Neg || !w.isUnknown(base+int(in.C))):
			return w.execute(top, in)
		case in.Op == code.Neg && w.negated(a, eb), in.Op == code.Mul && w.product(a, b, base+int(in.C)):
		default:
			return false
		}
	case code.Throw:
		if in.C != 0 || !w.throw(a, ofA) {
			return false
		}
	case code.AddI, code.SubI:
		if !ofB && !m.Stack[b].IsInt() {
			return w.many() && w.execute(top, in)
		}
		if !w.shift(a, b, in) {
			return false
		}
	case code.Jmp:
		if in.C <= top.PC && m.Checkpoints && m.AtCheckpoint(top.Fn.Code, in.C, m.Stack[base:]) {
			return false
		}
		jump(true)
	case code.JmpIf, code.JmpNot:
		v := m.Stack[a]
		if ofA || v != value.Yes && v != value.No && v != value.None {
			return false
		}
		jump((v == value.Yes) == (in.Op == code.JmpIf))
	case code.JmpNone, code.JmpSome:
		if ofA && !w.sure(ea) {
			return w.none(top, in, ea)
		}
		jump((!ofA && m.Stack[a] == value.None) == (in.Op == code.JmpNone))
	case code.JmpUnasked, code.JmpUndecided:
		return w.execute(top, in)
	case code.JEq, code.JNe:
		if ofA || ofB {
			return w.compare(top, in, a, b)
		}
		jump(machine.Same(m.Stack[a], m.Stack[b]) == (in.Op == code.JEq))
	case code.JEqI, code.JNeI:
		if ofA {
			return w.compare(top, in, a, -1)
		}
		jump(machine.Same(m.Stack[a], value.OfInt(int64(in.B))) == (in.Op == code.JEqI))
	case code.JLt, code.JLe, code.JGt, code.JGe:
		if ofA || ofB {
			return w.compare(top, in, a, b)
		}
		if !m.Stack[a].IsInt() || !m.Stack[b].IsInt() {
			return false
		}
		jump(machine.Holds(in.Op-code.JLt+code.Lt, machine.CompareInts(m.Stack[a], m.Stack[b])))
	case code.JLtI, code.JLeI, code.JGtI, code.JGeI:
		if ofA {
			return w.compare(top, in, a, -1)
		}
		if !m.Stack[a].IsInt() {
			return false
		}
		jump(machine.Holds(in.Op-code.JLtI+code.Lt, machine.CompareInts(m.Stack[a], value.OfInt(int64(in.B)))))
	case code.JAtIf, code.JAtNot:
		v := m.Store[in.A]
		if _, ok := w.cells[int(in.A)]; ok || v != value.Yes && v != value.No && v != value.None {
			return false
		}
		m.Look(int(in.A))
		jump((v == value.Yes) == (in.Op == code.JAtIf))
	case code.JAtLtI, code.JAtGeI:
		at, v := int(in.A), m.Store[in.A]
		if _, unknown := w.cells[at]; unknown || !v.IsInt() || w.leaves(at) {
			return false
		}
		m.Look(at)
		jump((v.Int() < int64(in.B)) == (in.Op == code.JAtLtI))
	case code.JAtNone, code.JAtSome:
		if c, ok := w.cells[int(in.A)]; ok {
			return w.none(top, in, c.expr)
		}
		jump((m.Look(int(in.A)) == value.None) == (in.Op == code.JAtNone))
	case code.Call:
		return w.call(a, m.Prog.Slots[in.B], in.A, next)
	case code.CallV:
		v := m.Stack[a]
		if ofA || v.Kind() != value.Rule || m.Prog.Slots[v.RuleNumber()].Params != int(in.C) {
			return false
		}
		return w.call(a+1, m.Prog.Slots[v.RuleNumber()], in.A, next)
	case code.Iter:
		v := m.Stack[a]
		if ofA {
			if !w.loop(top, in, a, b, ea) {
				w.readsInLoop(ea)
				return false
			}
			next = in.C
			break
		}
		if v.Kind() == value.Range {
			l, ok := m.Elements(v)
			if !ok {
				m.Err = nil
				return false
			}
			m.Stack[a], v = l, l
		}
		if v.Kind() != value.List {
			return false
		}
		if w.numbered(top, in, a, b) {
			next = in.C
			break
		}
		e, i := m.Heap.Elems(v), int(m.Stack[a+1].Int())
		if jump(i >= len(e)); i < len(e) {
			m.Stack[a+1] = value.OfInt(int64(i + 1))
			w.put(b, e[i])
		}
	case code.Ask:
		if !w.ask(a, top.Fn.Infos[in.B].(*code.AskInfo)) {
			return false
		}
	case code.Text:
		if !w.text(a, b, int(in.C)) {
			return false
		}
	case code.Ret:
		return w.ret(m.Stack[a], ofA, ea)
	case code.RetK:
		return w.ret(in.Constant(), false, 0)
	case code.Builtin:
		if !w.builtin(a, in) {
			return false
		}
	case code.Reported:
		if m.Reporting {
			if ofA {
				w.r.waiting = append(w.r.waiting, target{reported, len(m.Reports), ea})
			}
			m.Report(top.Fn.Infos[in.B], m.Stack[a])
		}
	case code.Index:
		if ofB {
			w.readsInLoop(eb)
		}
		if c := base + int(in.C); w.isUnknown(c) || !w.index(a, b, m.Stack[c]) {
			return false
		}
	case code.Empty:
		if !ofB {
			return w.execute(top, in)
		}
		if w.r.exprs[eb].of != isList || !w.empty(a, eb) {
			return false
		}
	case code.IndexI:
		if !w.index(a, b, value.OfInt(int64(in.C))) {
			return false
		}
	case code.TurnOf:
		return m.Noting == machine.NoteNothing && w.execute(top, in)
	case code.MakeL, code.MakeR, code.Div, code.Is, code.Not, code.Eq, code.Ne, code.Lt, code.Le, code.Gt, code.Ge, code.In, code.Truth, code.Feats, code.AllFeats, code.Handler, code.TacticOn, code.New, code.SetHeader, code.Clear:
		return w.execute(top, in)
	case code.DefaultF, code.ResetK, code.ResetL, code.ResetFn, code.Fail, code.Given, code.AmongOr, code.Unmet, code.Fault, code.Capture, code.CaptureEnd,
		code.CheckRefusal, code.SetTactics, code.EndTactics, code.Decline, code.Refusal, code.CheckTactics, code.KeepMark,
		code.Try, code.EndTry, code.EndAct, code.EndHand:
		return false
	}
	top.PC = next
	return true
}

// dice says whether a value is dice, which may be joined to a pool.
func (w *executor) dice(v V) bool {
	if v.Kind() != value.List {
		return v.IsDie()
	}
	e := w.m.Heap.Elems(v)
	return len(e) > 0 && !slices.ContainsFunc(e, func(d V) bool { return !d.IsDie() })
}

// execute has the machine execute an instruction that reads no unknown register
// and goes on behind itself.
func (w *executor) execute(top *machine.Frame, in *code.Ins) bool {
	m := w.m
	w.uses = append(w.uses[:0], make(code.Registers, (top.Fn.Regs+2+63)/64)...)
	w.s.Analysis.Through(top.Fn, in, w.uses)
	unknown := false
	w.uses.Each(func(r int) {
		_, ok := w.waits[int(top.Base)+r]
		unknown = unknown || ok
	})
	if unknown {
		return false
	}
	pc := top.PC
	if m.Exec(1) != machine.Stepped {
		top.PC, m.Err = pc, nil
		return false
	}
	switch in.Op {
	case code.SetF, code.InitF, code.SetHeader, code.Truth, code.Clear:
	default:
		delete(w.waits, int(top.Base)+int(in.A))
	}
	if in.Op == code.Clear {
		for at := m.Prog.Last[0]; at < m.Prog.Last[1]; at++ {
			delete(w.cells, at)
		}
	}
	return true
}

// field finds the field of the instance in a register.
func (w *executor) field(reg int, unknown bool, sym int32) (at int, f *code.Field, ok bool) {
	m := w.m
	v := m.Stack[reg]
	if unknown || v.Kind() != value.Ref {
		return 0, nil, false
	}
	t := m.TypeOf(v.Off())
	if int(sym) >= len(t.Slots) || t.Slots[sym] == 0 {
		return 0, nil, false
	}
	return v.Off() + int(t.Slots[sym]), &t.Fields[int(t.Slots[sym])-code.Header], true
}

// fits says whether a field surely takes an expression as it is.
func (w *executor) fits(f *code.Field, e int32) bool {
	x := &w.r.exprs[e]
	switch f.Check {
	case code.Anything:
		return true
	case code.IsNumber:
		return x.number
	case code.IsList:
		return x.of == isList
	case code.IsText:
		return x.of == isText
	case code.IsDie:
		return x.die && f.Dice == nil
	}
	return false
}

// get reads a word of the store into a register; with no the machine stops at a checkpoint before.
func (w *executor) get(reg, at int) bool {
	c, unknown := w.cells[at]
	switch {
	case unknown:
		w.set(reg, c.expr)
	case w.leaves(at):
		return false
	default:
		w.put(reg, w.m.Look(at))
	}
	return true
}

// leaves says whether the machine stops at a checkpoint before it reads a word.
func (w *executor) leaves(at int) bool {
	return w.s.Tracker != nil && w.s.Tracker.Leaves(at) && !slices.ContainsFunc(w.pending(), w.r.faces)
}

// pending gives what waits in live registers, fields and variables.
func (w *executor) pending() []target {
	var out []target
	s, m := w.s, w.m
	for i := range m.Frames {
		f := &m.Frames[i]
		s.LiveRegisters(i).Each(func(reg int) {
			if e, ok := w.waits[int(f.Base)+reg]; ok {
				out = append(out, target{register, int(f.Base) + reg, e})
			}
		})
	}
	var next *analysis.Future
	if len(w.cells) > 0 && s.Upcoming != nil {
		next = s.Future()
	}
	for at, c := range w.cells {
		live := true
		switch {
		case next == nil:
		case at < len(s.Base()):
			live = next.Words[at] != analysis.Dead
		default:
			live = next.ReadsField(c.field)
		}
		if live {
			out = append(out, target{stored, at, c.expr})
		}
	}
	return out
}

// deadFrom says whether nobody reads what a word holds when the frame at the top comes to an instruction.
func (w *executor) deadFrom(top *machine.Frame, pc int32, at int) bool {
	if w.s.Upcoming == nil || at >= len(w.s.Base()) {
		return false
	}
	was := top.PC
	top.PC = pc
	use := w.s.Future().Words[at]
	top.PC = was
	return use == analysis.Dead
}

// store writes a word of the store.
func (w *executor) store(at int, field int32, v V, unknown bool, e int32) {
	if unknown {
		w.m.Write(at, value.None)
		w.cells[at] = cell{e, field}
		return
	}
	delete(w.cells, at)
	w.m.Write(at, v)
}

// ask answers a question as nobody answers it: by its default, or the first option.
func (w *executor) ask(at int, info *code.AskInfo) bool {
	m := w.m
	if !w.s.Defaults || info.Random || len(m.Own.Answers)+len(m.Answers) > 0 {
		return false
	}
	options, ofOptions := w.waits[at+2]
	_, ofDefault := w.waits[at+3]
	switch {
	case info.Offer:
		if ofOptions {
			return false // there the default is
		}
		w.put(at, value.OfBool(m.Stack[at+2] == value.Yes))
	case ofDefault:
		return false
	case ofOptions:
		return m.Stack[at+3] == value.None && w.r.exprs[options].of == isList && w.end(at, options, false)
	default:
		e := m.AsList(m.Stack[at+2])
		v := value.None
		if len(e) > 0 {
			v = e[max(0, slices.Index(e, m.Stack[at+3]))]
		}
		w.put(at, v)
	}
	return true
}

func (w *executor) text(dst, from, n int) bool {
	m := w.m
	var parts []int32
	unknown := false
	for i := from; i < from+n; i++ {
		e, ok := w.waits[i]
		if !ok {
			e = w.add(expr{of: isConstant, k: m.Stack[i]})
		}
		unknown = unknown || ok
		parts = append(parts, e)
	}
	if !unknown {
		v, ok := m.TextOf(m.Stack[from : from+n])
		if ok {
			w.put(dst, v)
		}
		return ok
	}
	w.set(dst, w.add(expr{of: isText, parts: parts}))
	return true
}

// sure says whether an expression is never none.
func (w *executor) sure(i int32) bool {
	e := &w.r.exprs[i]
	return e.number || e.of == isList || e.of == isText || e.of == isJoined
}

// operand gives the expression in a register that surely is a number.
func (w *executor) operand(at int) (int32, bool) {
	if e, ok := w.waits[at]; ok {
		return e, w.r.exprs[e].number
	}
	v := w.m.Stack[at]
	return w.add(expr{of: isConstant, k: v, number: true}), v.IsNumber()
}

func (w *executor) sum(dst, b, c int, op code.Op) bool {
	_, ofB := w.waits[b]
	_, ofC := w.waits[c]
	if !ofB && !ofC {
		x, y := w.m.Stack[b], w.m.Stack[c]
		if !x.IsInt() || !y.IsInt() {
			return false
		}
		n := x.Int() + y.Int()
		if op == code.Sub {
			n = x.Int() - y.Int()
		}
		return w.number(dst, n)
	}
	x, ok := w.operand(b)
	y, also := w.operand(c)
	if ok && also {
		scaled := w.r.exprs[x].scaled || w.r.exprs[y].scaled
		w.set(dst, w.add(expr{of: isSum, op: op, a: x, b: y, number: true, scaled: scaled}))
	}
	return ok && also
}

// isUnknown says whether a register waits for an expression.
func (w *executor) isUnknown(at int) bool {
	_, ok := w.waits[at]
	return ok
}

// maxScale bounds what an unknown number is multiplied by: far from what a number may be.
const maxScale = 1000

// product multiplies an unknown number by a known one, once.
func (w *executor) product(dst, b, c int) bool {
	if w.isUnknown(c) {
		b, c = c, b
	}
	if w.isUnknown(c) {
		return false
	}
	k := w.m.Stack[c]
	x, ok := w.operand(b)
	if !ok || !k.IsInt() || k.Int() > maxScale || k.Int() < -maxScale || w.r.exprs[x].scaled {
		return false
	}
	by := w.add(expr{of: isConstant, k: k, number: true})
	w.set(dst, w.add(expr{of: isSum, op: code.Mul, a: x, b: by, number: true, scaled: true}))
	return true
}

func (w *executor) negated(dst int, x int32) bool {
	e := &w.r.exprs[x]
	if e.number {
		zero := w.add(expr{of: isConstant, k: value.OfInt(0), number: true})
		w.set(dst, w.add(expr{of: isSum, op: code.Sub, a: zero, b: x, number: true, scaled: w.r.exprs[x].scaled}))
	}
	return w.r.exprs[x].number
}

// throw goes past a throw of dice that are known, if the faces of an earlier one are
// still unread: what is read of both later may be little.
func (w *executor) throw(at int, unknown bool) bool {
	m := w.m
	if !w.pastThrows || unknown || m.Out != nil || m.Paired() || len(m.Own.Faces)+len(m.Faces) > 0 {
		return false
	}
	d := m.Stack[at]
	var sizes []int
	var dice []V
	switch d.Kind() {
	case value.Die:
		sizes = []int{d.DieSize()}
	case value.Made:
		dice = []V{d}
	case value.List:
		for _, e := range m.Heap.Elems(d) {
			if e.Kind() == value.Made {
				dice = m.Heap.Elems(d)
				break
			}
			if e.Kind() != value.Die {
				return false
			}
			sizes = append(sizes, e.DieSize())
		}
	}
	pool := Pool{Sizes: sizes}
	what, first := AllDice, TopDie
	if dice != nil {
		d, ok := made(m, slices.Clone(dice))
		if !ok || !m.Whole {
			return false
		}
		pool, what, first = d.pool(), AllFaces, TopFace
		sizes = pool.Sizes
	}
	if len(sizes) == 0 || slices.Min(sizes) < 1 || m.Thrown+int64(len(sizes)) > m.MaxDice {
		return false
	}
	top := &m.Frames[len(m.Frames)-1]
	top.PC++ // what is read behind the throw is what counts
	unread := slices.ContainsFunc(w.pending(), w.r.faces)
	top.PC--
	if !unread {
		return false
	}
	m.Thrown += int64(len(sizes))
	m.PoolDrawn = m.PoolDrawn || len(sizes) > 2
	stage := w.stage(Stage{From: len(w.r.Stages), Op: Whole, N: len(w.r.Pools), Size: len(sizes)})
	w.r.Pools = append(w.r.Pools, pool)
	all := w.add(expr{of: isList, stage: stage, what: what})
	if d.IsDie() {
		return w.wait(at, all, first, what == AllFaces && pool.Made.numbers())
	}
	w.set(at, all)
	return true
}

// fewCombinations is how many combinations of faces are as well followed one by one as read.
const fewCombinations = 1000

// many says whether the pools have more combinations than that, dice of one size being the same.
// Then it pays to go past whatever is no matter of the dice, so that the answers come later and
// are fewer; of small pools the faces themselves are the shorter answer.
func (w *executor) many() bool {
	all := 1
	for _, p := range w.r.Pools {
		sizes := slices.Sorted(slices.Values(p.Sizes))
		same := 0
		for i, size := range sizes {
			if same++; i > 0 && sizes[i-1] != size {
				same = 1
			}
			// n dice of s faces show one of (n+s-1 over n) combinations
			if all = all * (size + same - 1) / same; all > fewCombinations {
				return true
			}
		}
	}
	return false
}

func (w *executor) number(dst int, n int64) bool {
	if n < value.MinInt || n > value.MaxInt {
		return false
	}
	w.put(dst, value.OfInt(n))
	return true
}

func (w *executor) shift(dst, b int, in *code.Ins) bool {
	op, k := code.Add, int64(in.C)
	if in.Op == code.SubI {
		op = code.Sub
	}
	x, ok := w.operand(b)
	if _, unknown := w.waits[b]; !unknown {
		v := w.m.Stack[b]
		if !v.IsInt() {
			return false
		}
		if op == code.Sub {
			k = -k
		}
		return w.number(dst, v.Int()+k)
	}
	if ok {
		by := w.add(expr{of: isConstant, k: value.OfInt(k), number: true})
		w.set(dst, w.add(expr{of: isSum, op: op, a: x, b: by, number: true, scaled: w.r.exprs[x].scaled}))
	}
	return ok
}

func (w *executor) call(at int, fn *code.Func, ret, next int32) bool {
	m := w.m
	if fn.Code == nil && m.Link(fn) != nil || len(m.Frames) >= m.MaxDepth {
		return false
	}
	m.Frames[len(m.Frames)-1].PC = next
	m.Stack = machine.GrowStack(m.Stack, max(len(m.Stack), at+fn.Regs))
	m.Frames = append(m.Frames, machine.Frame{Fn: fn, Base: int32(at), Ret: ret, Keep: m.Region(fn)})
	return true
}

func (w *executor) ret(v V, unknown bool, e int32) bool {
	m := w.m
	if len(m.Frames) < 2 {
		return w.advance()
	}
	top := m.Frames[len(m.Frames)-1]
	if top.Keep >= 0 {
		if slices.ContainsFunc(m.Prog.Holders, func(at int) bool { return m.HoldsRecord(m.Store[at], int(top.Keep)) }) {
			return false
		}
		m.Store = m.Store[:top.Keep]
		for at := range w.cells {
			if at >= len(m.Store) {
				delete(w.cells, at)
			}
		}
	}
	for r := range top.Fn.Regs {
		delete(w.waits, int(top.Base)+r)
	}
	m.Frames = m.Frames[:len(m.Frames)-1]
	dst := int(m.Frames[len(m.Frames)-1].Base) + int(top.Ret)
	if unknown {
		w.set(dst, e)
	} else {
		w.put(dst, v)
	}
	return true
}

// advance goes on with the next statement, as long as the faces of a pool are unread.
func (w *executor) advance() bool {
	m := w.m
	top := m.Frames[0]
	if w.forks || top.Keep >= 0 && len(m.Store) > int(top.Keep) || !slices.ContainsFunc(w.pending(), w.r.faces) || !w.s.Advance() {
		return false
	}
	clear(w.waits)
	w.r.Ahead++
	return true
}

func (w *executor) index(dst, l int, n V) bool {
	m := w.m
	e, unknown := w.waits[l]
	if !unknown {
		v := m.Stack[l]
		if v.Kind() != value.List || !n.IsInt() {
			return false
		}
		v, _ = m.IndexOf(v, n)
		w.put(dst, v)
		return true
	}
	if w.r.exprs[e].of != isList || !n.IsInt() || n.Int() < 1 || n.Int() > 1<<16 {
		return false
	}
	if w.r.exprs[e].loose {
		return n.Int() <= int64(w.r.Stages[0].Size) && w.drawn(dst, 1, true)
	}
	rest, ok := w.part(e, false, int(n.Int())-1)
	return ok && w.top(dst, rest, false)
}

// Operations of lists that a Query knows; they are the builtins of these names.
var readers = map[string]func(w *executor, dst int, e int32, arg V) bool{
	"take":  func(w *executor, dst int, e int32, arg V) bool { return w.slice(dst, e, true, arg) },
	"drop":  func(w *executor, dst int, e int32, arg V) bool { return w.slice(dst, e, false, arg) },
	"above": func(w *executor, dst int, e int32, arg V) bool { return w.filter(dst, e, Above, arg) },
	"below": func(w *executor, dst int, e int32, arg V) bool { return w.filter(dst, e, Below, arg) },
	"showing": func(w *executor, dst int, e int32, arg V) bool {
		return w.filter(dst, e, Showing, arg)
	},
	"reversed": func(w *executor, dst int, e int32, _ V) bool {
		x := w.r.exprs[e]
		x.rev = !x.rev
		if x.what != AllSizes {
			w.set(dst, w.add(x))
		}
		return x.what != AllSizes
	},
	"sorted":   func(w *executor, dst int, e int32, _ V) bool { return w.sort(dst, e) },
	"distinct": func(w *executor, dst int, e int32, _ V) bool { return w.distinct(dst, e) },
	"sparing":  func(w *executor, dst int, e int32, _ V) bool { return w.spare(dst, e) },
	"faces":    func(w *executor, dst int, e int32, _ V) bool { return w.as(dst, e, AllFaces) },
	"sizes":    func(w *executor, dst int, e int32, _ V) bool { return w.as(dst, e, AllSizes) },
	"keep":     func(w *executor, _ int, _ int32, _ V) bool { return w.m.Out == nil },
	"sum": func(w *executor, dst int, e int32, _ V) bool {
		x := &w.r.exprs[e]
		made := w.made(e)
		return x.what != AllSizes && (made == nil || made.numbers()) && w.wait(dst, e, Sum, true)
	},
	"size":  func(w *executor, dst int, e int32, _ V) bool { return w.wait(dst, e, Count, true) },
	"first": func(w *executor, dst int, e int32, _ V) bool { return w.end(dst, e, false) },
	"last":  func(w *executor, dst int, e int32, _ V) bool { return w.end(dst, e, true) },
	"highest": func(w *executor, dst int, e int32, arg V) bool {
		return arg == value.None && w.extreme(dst, e, false) || arg != value.None && w.ranked(dst, e, true, true, arg)
	},
	"lowest": func(w *executor, dst int, e int32, arg V) bool {
		return arg == value.None && w.extreme(dst, e, true) || arg != value.None && w.ranked(dst, e, false, true, arg)
	},
	"drop_lowest":  func(w *executor, dst int, e int32, arg V) bool { return w.ranked(dst, e, false, false, arg) },
	"drop_highest": func(w *executor, dst int, e int32, arg V) bool { return w.ranked(dst, e, true, false, arg) },
	"middle":       (*executor).middle,
	"count":        (*executor).count,
	"max":          func(w *executor, dst int, e int32, _ V) bool { return w.extreme(dst, e, false) },
	"min":          func(w *executor, dst int, e int32, _ V) bool { return w.extreme(dst, e, true) },
}

func (w *executor) builtin(at int, in *code.Ins) bool {
	m := w.m
	e, unknown := w.waits[at]
	name := code.Builtins[in.B].Name
	if name == "exceeding" && unknown && in.C == 2 && w.isUnknown(at+1) {
		return w.exceeding(at, e, w.waits[at+1])
	}
	for i := 1; i < int(in.C); i++ {
		if _, ok := w.waits[at+i]; ok {
			return false
		}
	}
	if !unknown {
		v, err := m.CallFunction(int(in.B), m.Stack[at:at+int(in.C)])
		if err != nil {
			m.Err = nil
			return false
		}
		w.put(at, v)
		return true
	}
	if (name == "face" || name == "sum") && in.C == 1 && w.r.exprs[e].number {
		return true // dice that are made show numbers
	}
	if name == "face" && in.C == 1 {
		return w.face(at, e)
	}
	read := readers[name]
	if machine.Runs[name] != nil && in.C == 1 {
		return w.native(name)(at, e)
	}
	if read == nil || w.r.exprs[e].of != isList || in.C > 2 {
		return false
	}
	arg := value.None
	if in.C == 2 {
		arg = m.Stack[at+1]
	}
	return read(w, at, e, arg)
}

// made gives what the dice of a list show where they are made of others, nil of other dice.
func (w *executor) made(e int32) *Made {
	x := &w.r.exprs[e]
	if x.of != isList {
		return nil
	}
	return w.r.Pools[w.r.Pool(int(x.stage))].Made
}

// stage gives the number of a stage, which is made where there is none like it.
func (w *executor) stage(s Stage) int32 {
	i := slices.Index(w.r.Stages, s)
	if i < 0 {
		i = len(w.r.Stages)
		w.r.Stages = append(w.r.Stages, s)
	}
	return int32(i)
}

// part gives the first n of a list, or those behind them.
func (w *executor) part(e int32, first bool, n int) (int32, bool) {
	x := w.r.exprs[e]
	if x.what == AllSizes {
		return 0, false
	}
	size := w.r.Stages[x.stage].Size
	if x.rev {
		if size < 0 {
			return 0, false
		}
		first, n = !first, max(0, size-n)
	}
	s := Stage{From: int(x.stage), Op: Behind, N: n, Size: size}
	if first {
		s.Op = First
		if size >= 0 {
			s.Size = min(size, n)
		}
	} else if size >= 0 {
		s.Size = max(0, size-n)
	}
	x.stage = w.stage(s)
	return w.add(x), true
}

// ranked takes the n highest or lowest of a list, or leaves them out: what is left lies from the other end.
func (w *executor) ranked(dst int, e int32, high, takes bool, n V) bool {
	if n == value.None {
		n = value.OfInt(1)
	}
	if !w.sort(dst, e) {
		return false
	}
	x := w.r.exprs[w.waits[dst]]
	x.rev = !high
	if !w.slice(dst, w.add(x), takes, n) {
		return false
	}
	if !takes {
		x = w.r.exprs[w.waits[dst]]
		x.rev = !x.rev
		w.set(dst, w.add(x))
	}
	return true
}

// middle takes the n dice in the middle of a list of which it is known how many it has.
func (w *executor) middle(dst int, e int32, n V) bool {
	size := w.r.Stages[w.r.exprs[e].stage].Size
	if size < 1 || n != value.None && (!n.IsInt() || n.Int() < 0) {
		return false
	}
	take := 1
	if n != value.None {
		take = int(min(n.Int(), int64(size)))
	}
	if !w.ranked(dst, e, true, false, value.OfInt(int64(size-take+1)/2)) ||
		!w.ranked(dst, w.waits[dst], true, true, value.OfInt(int64(take))) {
		return false
	}
	return n != value.None || w.top(dst, w.waits[dst], false)
}

// count asks how many dice show a face or one in a range.
func (w *executor) count(dst int, e int32, which V) bool {
	x := w.r.exprs[e]
	if x.what == AllFaces && w.made(e) == nil {
		x.what = AllDice
	}
	dice := w.add(x)
	switch {
	case which.IsInt() || w.made(e) != nil && which.Kind() != value.Range && which.Kind() != value.List:
		return w.filter(dst, dice, Showing, which) && w.wait(dst, w.waits[dst], Count, true)
	case which.Kind() != value.Range || w.r.exprs[e].what == AllSizes:
		return false
	}
	w.set(dst, dice)
	lo, hi := w.m.Heap.Ends(which)
	if lo.IsInt() && !w.filter(dst, w.waits[dst], Above, value.OfInt(lo.Int()-1)) || !lo.IsInt() && lo != value.None {
		return false
	}
	if hi.IsInt() && !w.filter(dst, w.waits[dst], Below, value.OfInt(hi.Int()+1)) || !hi.IsInt() && hi != value.None {
		return false
	}
	return w.wait(dst, w.waits[dst], Count, true)
}

func (w *executor) slice(dst int, e int32, first bool, n V) bool {
	if !n.IsInt() || n.Int() < 0 || n.Int() > 1<<16 {
		return false
	}
	if w.r.exprs[e].loose {
		k := min(n.Int(), int64(w.r.Stages[0].Size))
		if !first {
			k = int64(w.r.Stages[0].Size) - k
		}
		return w.drawn(dst, k, false)
	}
	x, ok := w.part(e, first, int(n.Int()))
	if ok {
		w.set(dst, x)
	}
	return ok
}

func (w *executor) filter(dst int, e int32, op StageOp, n V) bool {
	x := w.r.exprs[e]
	if made := w.made(e); made != nil && x.what == AllFaces && (op == Showing || n.IsInt() && made.numbers()) {
		at, ok := made.at(w.m.Heap, n)
		switch {
		case op == Above && !ok:
			at-- // more than the one before
		case op == Showing && !ok:
			at = -2 // none
		}
		n = value.OfInt(int64(at + 1))
	} else if !n.IsInt() || x.what != AllDice {
		return false
	}
	x.stage = w.stage(Stage{From: int(x.stage), Op: op, N: int(n.Int()), Size: -1})
	w.set(dst, w.add(x))
	return true
}

// spare puts the dice of a list of which none has been taken into the sparing order.
func (w *executor) spare(dst int, e int32) bool {
	x := w.r.exprs[e]
	if x.what != AllDice || x.rev {
		return false
	}
	if w.has(x.stage, First, Behind, Spared) {
		return false
	}
	x.stage = w.stage(Stage{From: int(x.stage), Op: Spared, Size: w.r.Stages[x.stage].Size})
	w.set(dst, w.add(x))
	return true
}

// has says whether a stage, or one that it is taken from, is one of some.
func (w *executor) has(stage int32, ops ...StageOp) bool {
	for i := int(stage); ; i = w.r.Stages[i].From {
		op := w.r.Stages[i].Op
		if slices.Contains(ops, op) {
			return true
		}
		if op == Whole {
			return false
		}
	}
}

// sort puts the dice of a list, or their faces, into their order: a pool lies from its
// highest die down.
func (w *executor) sort(dst int, e int32) bool {
	x := w.r.exprs[e]
	if x.what == AllSizes || x.what == AllDice && w.has(x.stage, Spared) {
		return false
	}
	x.rev, x.loose = true, false
	w.set(dst, w.add(x))
	return true
}

// distinct leaves one of each face.
func (w *executor) distinct(dst int, e int32) bool {
	x := w.r.exprs[e]
	if x.what != AllFaces || x.loose {
		return false
	}
	x.stage = w.stage(Stage{From: int(x.stage), Op: OneEach, Size: -1})
	w.set(dst, w.add(x))
	return true
}

// exceeding asks how many dice of one list show more than those of another beside them.
// Two lists can be asked about in one direction only.
func (w *executor) exceeding(dst int, e, than int32) bool {
	x, y := &w.r.exprs[e], &w.r.exprs[than]
	fits := func(x *expr) bool {
		return x.of == isList && x.what != AllSizes && !x.rev && w.r.Pools[w.r.Pool(int(x.stage))].Made == nil && w.r.Stages[x.stage].Size >= 0
	}
	of, other := w.r.Pool(int(x.stage)), w.r.Pool(int(y.stage))
	if !fits(x) || !fits(y) || of == other || slices.Contains(w.r.lower, [2]int{other, of}) {
		return false
	}
	w.r.lower = append(w.r.lower, [2]int{of, other})
	w.set(dst, w.add(expr{of: isAsked, stage: x.stage, what: Exceeding, other: y.stage, number: true}))
	return true
}

// face asks for the face of a die that waits.
func (w *executor) face(dst int, e int32) bool {
	x := w.r.exprs[e]
	if x.of != isAsked || !w.some(x.stage) {
		return false
	}
	switch x.what {
	case TopDie:
		return w.wait(dst, w.add(expr{of: isList, stage: x.stage}), TopFace, true)
	case LowDie:
		return w.wait(dst, w.add(expr{of: isList, stage: x.stage}), LowFace, true)
	}
	return false
}

func (w *executor) as(dst int, e int32, what What) bool {
	x := w.r.exprs[e]
	if x.what == AllFaces && what == AllFaces {
		w.set(dst, e)
		return true
	}
	if x.what != AllDice {
		return false
	}
	x.what = what
	x.rev = x.rev && what != AllSizes
	w.set(dst, w.add(x))
	return true
}

// wait makes a register wait for an answer.
func (w *executor) wait(dst int, e int32, what What, number bool) bool {
	x := expr{of: isAsked, stage: w.r.exprs[e].stage, what: what, number: number}
	switch what {
	case TopDie, LowDie, Largest:
		x.die = w.some(x.stage)
	}
	w.set(dst, w.add(x))
	return true
}

// end asks for the first or the last of a list as the script has it.
func (w *executor) end(dst int, e int32, last bool) bool {
	if w.r.exprs[e].loose {
		return w.drawn(dst, 1, true)
	}
	return w.top(dst, e, last)
}

// top asks for the first or the last of a list in order.
func (w *executor) top(dst int, e int32, last bool) bool {
	x := w.r.exprs[e]
	some := w.some(x.stage)
	if made := w.made(e); made != nil {
		some = some && made.numbers()
	}
	switch {
	case x.what == AllSizes:
		return !last && w.wait(dst, e, Largest, false)
	case x.what == AllFaces && last != x.rev:
		return w.wait(dst, e, LowFace, some)
	case x.what == AllFaces:
		return w.wait(dst, e, TopFace, some)
	case last != x.rev:
		return w.wait(dst, e, LowDie, false)
	}
	return w.wait(dst, e, TopDie, false)
}

// extreme asks for the greatest or the least of a list.
func (w *executor) extreme(dst int, e int32, least bool) bool {
	x := w.r.exprs[e]
	if x.what == AllSizes {
		return !least && w.wait(dst, e, Largest, false)
	}
	return w.top(dst, e, least != x.rev)
}
