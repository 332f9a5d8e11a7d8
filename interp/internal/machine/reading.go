package machine

import (
	"cmp"
	"slices"

	"setpiece/interp/internal/value"
)

// Reading is what a script reads of a pool of dice before anything else depends
// on how they fell: the sum of its two highest, say, and how many show a 1. Where
// each of the answers is known, the faces themselves are not missed, and there are
// far fewer answers than throws.
//
// Read finds it by going on from the throw with the pool as an unknown. What is
// worked out from the pool is put together as an expression; everything else is
// executed. It ends where something has to be known: where a condition asks for
// it, a field takes it, or an instruction is met that it cannot follow. The
// unknown registers that are live there are what is asked.
type Reading struct {
	Sizes  []int   // of the dice that have to fall
	Given  []V     // those that the script has let fall
	Stages []Stage // lists of dice, the whole pool first, each from the highest face down
	Asked  []Asked // of those lists

	exprs []expr
	out   []unknown
}

// Stage is a list of the dice of another, in the same order.
type Stage struct {
	From int // an earlier stage
	Op   StageOp
	N    int
	Size int // how many dice it has; -1: that depends on how they fall
}

// StageOp says which dice a Stage takes.
type StageOp uint8

const (
	Whole   StageOp = iota // all dice of the throw
	Above                  // that show more than N
	Below                  // that show less than N
	Showing                // that show N
	First                  // the first N
	Behind                 // those behind the first N
)

// Asked is one answer about a Stage.
type Asked struct {
	Stage int
	What  What
}

// What is asked of a list of dice.
type What uint8

const (
	Sum      What = iota // of the faces
	Count                // of the dice
	TopDie               // the first die; none of an empty list
	TopFace              // what it shows
	LowDie               // the last die
	LowFace              // what it shows
	Largest              // the largest size, as a die that has not fallen
	AllDice              // the list itself
	AllFaces             // its faces
	AllSizes             // its sizes, from the largest down
)

// expr is a value that is worked out from what was asked.
type expr struct {
	of     exprKind
	stage  int32 // of a list, or that something is asked of
	what   What  // of a list AllDice, AllFaces or AllSizes
	rev    bool  // it is read from its end
	asked  int32 // the number of the answer
	op     Op    // Add or Sub of a and b
	a, b   int32
	k      V
	number bool // it is surely a number
}

type exprKind uint8

const (
	isList exprKind = iota
	isAsked
	isSum
	isConstant
)

// unknown is what waits for an expression: a live register, a variable of the
// script, or a report.
type unknown struct {
	in   home
	at   int // in the stack, the store, or among the reports
	expr int32
}

type home uint8

const (
	register home = iota
	variable
	reported
)

// maxRead bounds the instructions that Read goes through.
const maxRead = 4096

// Read finds what is read of the dice that have to fall, which must be several,
// after Run returned NeedChance. With whole it is the pool as it falls. The
// machine is left where the answers are missed, for Answer.
func (s *Saver) Read(whole bool) *Reading {
	m := s.m
	top := &m.frames[len(m.frames)-1]
	in := &top.fn.Code[top.pc-1]
	m.fell = true
	r := &Reading{
		Sizes:  slices.Clone(m.sizes[len(m.landed):]),
		Given:  slices.Clone(m.landed),
		Stages: []Stage{{Op: Whole, Size: len(m.sizes)}},
	}
	w := &scout{s: s, m: m, r: r, known: map[int]int32{}, cells: map[int]int32{}}
	w.set(int(top.base)+int(in.A), w.add(expr{of: isList, what: AllDice}))
	for n := 0; !whole && n < maxRead && w.step(); n++ {
	}
	for i := range m.frames {
		f := &m.frames[i]
		s.live(i).each(func(reg int) {
			if e, ok := w.known[int(f.base)+reg]; ok {
				r.out = append(r.out, unknown{register, int(f.base) + reg, e})
			}
		})
	}
	for at := range w.known {
		if at < len(m.stack) {
			m.stack[at] = value.None
		}
	}
	if len(w.cells) > 0 {
		var next *future
		if s.Future != nil {
			next = s.soon()
		}
		for at, e := range w.cells {
			if next == nil || next.words[at] != Dead {
				r.out = append(r.out, unknown{variable, at, e})
			}
		}
	}
	slices.SortFunc(r.out, func(a, b unknown) int { return cmp.Or(cmp.Compare(a.in, b.in), a.at-b.at) })
	for _, u := range r.out {
		r.need(u.expr)
	}
	return r
}

// need makes sure that all an expression is worked out from is asked.
func (r *Reading) need(i int32) {
	switch e := &r.exprs[i]; e.of {
	case isList, isAsked:
		e.asked = r.ask(int(e.stage), e.what)
	case isSum:
		r.need(e.a)
		r.need(e.b)
	}
}

func (r *Reading) ask(stage int, what What) int32 {
	a := Asked{stage, what}
	i := slices.Index(r.Asked, a)
	if i < 0 {
		i = len(r.Asked)
		r.Asked = append(r.Asked, a)
	}
	return int32(i)
}

// Values gives what all that waits gets where answers are known, one for each of
// Asked.
func (s *Saver) Values(r *Reading, answers []V) []V {
	out := make([]V, len(r.out))
	for i, u := range r.out {
		out[i] = s.m.valueOf(r, u.expr, answers)
	}
	return out
}

func (m *Machine) valueOf(r *Reading, i int32, answers []V) V {
	switch e := &r.exprs[i]; e.of {
	case isList:
		if e.rev {
			return reversed(m, m.Heap.Elems(answers[e.asked]))
		}
		return answers[e.asked]
	case isAsked:
		return answers[e.asked]
	case isSum:
		a, b := m.valueOf(r, e.a, answers), m.valueOf(r, e.b, answers)
		if e.op == Sub {
			v, _ := m.Heap.Sub(a, b)
			return v
		}
		v, _ := m.Heap.Add(a, b)
		return v
	default:
		return e.k
	}
}

// Answer gives all that waits its value, after Read.
func (s *Saver) Answer(r *Reading, values []V) {
	m := s.m
	for i, u := range r.out {
		switch u.in {
		case register:
			m.stack[u.at] = values[i]
		case variable:
			m.Store[u.at] = values[i]
		case reported:
			m.Reports[u.at].Value = values[i]
		}
	}
}

// scout goes on from a throw that has not fallen.
type scout struct {
	s     *Saver
	m     *Machine
	r     *Reading
	known map[int]int32 // by place in the stack: the expression it waits for
	cells map[int]int32 // by place in the store
}

func (w *scout) add(e expr) int32 {
	w.r.exprs = append(w.r.exprs, e)
	return int32(len(w.r.exprs) - 1)
}

func (w *scout) set(at int, e int32) { w.known[at] = e }

// put makes a register hold a known value.
func (w *scout) put(at int, v V) {
	delete(w.known, at)
	w.m.stack[at] = v
}

// step goes through one instruction; with no it has to be executed by who knows
// the answers.
func (w *scout) step() bool {
	m := w.m
	top := &m.frames[len(m.frames)-1]
	in := &top.fn.Code[top.pc]
	base := int(top.base)
	a, b := base+int(in.A), base+int(in.B)
	next := top.pc + 1
	jump := func(yes bool) {
		if yes {
			next = in.C
		}
	}
	ea, ofA := w.known[a]
	eb, ofB := w.known[b]
	switch in.Op {
	case Nop:
	case Event:
		if m.Out != nil {
			return false
		}
	case Head:
	case Move:
		if ofB {
			w.set(a, eb)
		} else {
			w.put(a, m.stack[b])
		}
	case LoadK:
		w.put(a, constant(in))
	case GetAt:
		if e, ok := w.cells[int(in.B)]; ok {
			w.set(a, e)
		} else {
			w.put(a, m.look(int(in.B)))
		}
	case SetAt:
		if ofA {
			m.write(int(in.B), value.None)
			w.cells[int(in.B)] = ea
		} else {
			m.write(int(in.B), m.stack[a])
			delete(w.cells, int(in.B))
		}
	case GetF:
		v := m.stack[b]
		if ofB || v.Kind() != value.Ref {
			return false
		}
		t := m.TypeOf(v.Off())
		if int(in.C) >= len(t.Slots) || t.Slots[in.C] == 0 {
			return false
		}
		w.put(a, m.look(v.Off()+int(t.Slots[in.C])))
	case JmpLacks:
		v := m.stack[a]
		if ofA || v.Kind() != value.Ref {
			jump(true) // dice, numbers and lists have no fields
			break
		}
		t := m.TypeOf(v.Off())
		jump(int(in.B) >= len(t.Slots) || t.Slots[in.B] == 0)
	case Add, Sub:
		if !w.sum(a, b, base+int(in.C), in.Op) {
			return false
		}
	case AddI, SubI:
		if !w.shift(a, b, in) {
			return false
		}
	case Jmp:
		if in.C <= top.pc && m.Resting && m.rests(&top.fn.Code[in.C]) {
			return false
		}
		jump(true)
	case JmpIf, JmpNot:
		v := m.stack[a]
		if ofA || v != value.Yes && v != value.No && v != value.None {
			return false
		}
		jump((v == value.Yes) == (in.Op == JmpIf))
	case JmpNone, JmpSome:
		if ofA && !w.sure(ea) {
			return false
		}
		jump((!ofA && m.stack[a] == value.None) == (in.Op == JmpNone))
	case JEq, JNe:
		if ofA || ofB {
			return false
		}
		jump((m.stack[a] == m.stack[b]) == (in.Op == JEq))
	case JEqI, JNeI:
		if ofA {
			return false
		}
		jump((m.stack[a] == value.OfInt(int64(in.B))) == (in.Op == JEqI))
	case JLt, JLe, JGt, JGe:
		if ofA || ofB || !m.stack[a].IsInt() || !m.stack[b].IsInt() {
			return false
		}
		jump(holds(in.Op-JLt+Lt, cmpInt(m.stack[a], m.stack[b])))
	case JLtI, JLeI, JGtI, JGeI:
		if ofA || !m.stack[a].IsInt() {
			return false
		}
		jump(holds(in.Op-JLtI+Lt, cmpInt(m.stack[a], value.OfInt(int64(in.B)))))
	case JAtIf, JAtNot:
		v := m.Store[in.A]
		if _, ok := w.cells[int(in.A)]; ok || v != value.Yes && v != value.No && v != value.None {
			return false
		}
		m.look(int(in.A))
		jump((v == value.Yes) == (in.Op == JAtIf))
	case JAtNone, JAtSome:
		if _, ok := w.cells[int(in.A)]; ok {
			return false
		}
		jump((m.look(int(in.A)) == value.None) == (in.Op == JAtNone))
	case Call:
		return w.call(a, in, next)
	case Ret:
		return w.ret(a, ofA, ea)
	case Builtin:
		if !w.builtin(a, in) {
			return false
		}
	case Reported:
		if m.Reporting {
			if ofA {
				w.r.out = append(w.r.out, unknown{reported, len(m.Reports), ea})
			}
			m.report(top.fn.Infos[in.B], m.stack[a])
		}
	case Index:
		if !w.index(a, b, base+int(in.C)) {
			return false
		}
	default:
		return false
	}
	top.pc = next
	return true
}

// sure says whether an expression is never none.
func (w *scout) sure(i int32) bool {
	e := &w.r.exprs[i]
	return e.number || e.of == isList
}

// operand gives the expression in a register that surely is a number.
func (w *scout) operand(at int) (int32, bool) {
	if e, ok := w.known[at]; ok {
		return e, w.r.exprs[e].number
	}
	v := w.m.stack[at]
	return w.add(expr{of: isConstant, k: v, number: true}), v.IsNumber()
}

func (w *scout) sum(dst, b, c int, op Op) bool {
	_, ofB := w.known[b]
	_, ofC := w.known[c]
	if !ofB && !ofC {
		x, y := w.m.stack[b], w.m.stack[c]
		if !x.IsInt() || !y.IsInt() {
			return false
		}
		n := x.Int() + y.Int()
		if op == Sub {
			n = x.Int() - y.Int()
		}
		return w.number(dst, n)
	}
	x, ok := w.operand(b)
	y, also := w.operand(c)
	if ok && also {
		w.set(dst, w.add(expr{of: isSum, op: op, a: x, b: y, number: true}))
	}
	return ok && also
}

func (w *scout) number(dst int, n int64) bool {
	if n < value.MinInt || n > value.MaxInt {
		return false
	}
	w.put(dst, value.OfInt(n))
	return true
}

func (w *scout) shift(dst, b int, in *Ins) bool {
	op, k := Add, int64(in.C)
	if in.Op == SubI {
		op = Sub
	}
	x, ok := w.operand(b)
	if _, unknown := w.known[b]; !unknown {
		v := w.m.stack[b]
		if !v.IsInt() {
			return false
		}
		if op == Sub {
			k = -k
		}
		return w.number(dst, v.Int()+k)
	}
	if ok {
		w.set(dst, w.add(expr{of: isSum, op: op, a: x, b: w.add(expr{of: isConstant, k: value.OfInt(k), number: true}), number: true}))
	}
	return ok
}

func (w *scout) call(at int, in *Ins, next int32) bool {
	m := w.m
	fn := m.Prog.Slots[in.B]
	if fn.Code == nil && m.link(fn) != nil || len(m.frames) >= m.MaxDepth {
		return false
	}
	m.frames[len(m.frames)-1].pc = next
	m.stack = grow(m.stack, max(len(m.stack), at+fn.Regs))
	m.frames = append(m.frames, frame{fn: fn, base: int32(at), ret: in.A, keep: m.region(fn)})
	return true
}

func (w *scout) ret(at int, unknown bool, e int32) bool {
	m := w.m
	if len(m.frames) < 2 {
		return false
	}
	top := m.frames[len(m.frames)-1]
	if top.keep >= 0 {
		m.Store = m.Store[:top.keep]
	}
	v := m.stack[at]
	for r := range top.fn.Regs {
		delete(w.known, int(top.base)+r)
	}
	m.frames = m.frames[:len(m.frames)-1]
	dst := int(m.frames[len(m.frames)-1].base) + int(top.ret)
	if unknown {
		w.set(dst, e)
	} else {
		w.put(dst, v)
	}
	return true
}

func (w *scout) index(dst, l, i int) bool {
	m := w.m
	e, unknown := w.known[l]
	if _, which := w.known[i]; which {
		return false
	}
	if !unknown {
		v, n := m.stack[l], m.stack[i]
		if v.Kind() != value.List || !n.IsInt() {
			return false
		}
		v, _ = m.index(v, n)
		w.put(dst, v)
		return true
	}
	n := m.stack[i]
	if w.r.exprs[e].of != isList || !n.IsInt() || n.Int() < 1 || n.Int() > 1<<16 {
		return false
	}
	rest, ok := w.part(e, false, int(n.Int())-1)
	return ok && w.top(dst, rest, false)
}

// Operations of lists that a Reading knows; they are the builtins of these names.
var readers = map[string]func(w *scout, dst int, e int32, arg V) bool{
	"take":  func(w *scout, dst int, e int32, arg V) bool { return w.slice(dst, e, true, arg) },
	"drop":  func(w *scout, dst int, e int32, arg V) bool { return w.slice(dst, e, false, arg) },
	"above": func(w *scout, dst int, e int32, arg V) bool { return w.filter(dst, e, Above, arg) },
	"below": func(w *scout, dst int, e int32, arg V) bool { return w.filter(dst, e, Below, arg) },
	"showing": func(w *scout, dst int, e int32, arg V) bool {
		return w.filter(dst, e, Showing, arg)
	},
	"reversed": func(w *scout, dst int, e int32, _ V) bool {
		x := w.r.exprs[e]
		x.rev = !x.rev
		if x.what != AllSizes {
			w.set(dst, w.add(x))
		}
		return x.what != AllSizes
	},
	"faces": func(w *scout, dst int, e int32, _ V) bool { return w.as(dst, e, AllFaces) },
	"sizes": func(w *scout, dst int, e int32, _ V) bool { return w.as(dst, e, AllSizes) },
	"keep":  func(w *scout, _ int, _ int32, _ V) bool { return w.m.Out == nil },
	"sum": func(w *scout, dst int, e int32, _ V) bool {
		x := &w.r.exprs[e]
		return x.what != AllSizes && w.ask(dst, e, Sum, true)
	},
	"size":  func(w *scout, dst int, e int32, _ V) bool { return w.ask(dst, e, Count, true) },
	"first": func(w *scout, dst int, e int32, _ V) bool { return w.top(dst, e, false) },
	"last":  func(w *scout, dst int, e int32, _ V) bool { return w.top(dst, e, true) },
	"max":   func(w *scout, dst int, e int32, _ V) bool { return w.extreme(dst, e, false) },
	"min":   func(w *scout, dst int, e int32, _ V) bool { return w.extreme(dst, e, true) },
}

func (w *scout) builtin(at int, in *Ins) bool {
	m := w.m
	e, unknown := w.known[at]
	for i := 1; i < int(in.C); i++ {
		if _, ok := w.known[at+i]; ok {
			return false
		}
	}
	if !unknown {
		v, err := Builtins[in.B].Do(m, m.stack[at:at+int(in.C)])
		if err != nil {
			m.Err = nil
			return false
		}
		w.put(at, v)
		return true
	}
	read := readers[Builtins[in.B].Name]
	if read == nil || w.r.exprs[e].of != isList || in.C > 2 {
		return false
	}
	arg := value.None
	if in.C == 2 {
		arg = m.stack[at+1]
	}
	return read(w, at, e, arg)
}

// stage gives the number of a stage, which is made where there is none like it.
func (w *scout) stage(s Stage) int32 {
	i := slices.Index(w.r.Stages, s)
	if i < 0 {
		i = len(w.r.Stages)
		w.r.Stages = append(w.r.Stages, s)
	}
	return int32(i)
}

// part gives the first n of a list, or those behind them.
func (w *scout) part(e int32, first bool, n int) (int32, bool) {
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

func (w *scout) slice(dst int, e int32, first bool, n V) bool {
	if !n.IsInt() || n.Int() < 0 || n.Int() > 1<<16 {
		return false
	}
	x, ok := w.part(e, first, int(n.Int()))
	if ok {
		w.set(dst, x)
	}
	return ok
}

func (w *scout) filter(dst int, e int32, op StageOp, n V) bool {
	x := w.r.exprs[e]
	if !n.IsInt() || x.what != AllDice {
		return false
	}
	x.stage = w.stage(Stage{From: int(x.stage), Op: op, N: int(n.Int()), Size: -1})
	w.set(dst, w.add(x))
	return true
}

func (w *scout) as(dst int, e int32, what What) bool {
	x := w.r.exprs[e]
	if x.what != AllDice {
		return false
	}
	x.what = what
	x.rev = x.rev && what != AllSizes
	w.set(dst, w.add(x))
	return true
}

// ask makes a register wait for an answer.
func (w *scout) ask(dst int, e int32, what What, number bool) bool {
	w.set(dst, w.add(expr{of: isAsked, stage: w.r.exprs[e].stage, what: what, number: number}))
	return true
}

// top asks for the first or the last of a list.
func (w *scout) top(dst int, e int32, last bool) bool {
	x := w.r.exprs[e]
	some := w.r.Stages[x.stage].Size > 0
	switch {
	case x.what == AllSizes:
		return !last && w.ask(dst, e, Largest, false)
	case x.what == AllFaces && last != x.rev:
		return w.ask(dst, e, LowFace, some)
	case x.what == AllFaces:
		return w.ask(dst, e, TopFace, some)
	case last != x.rev:
		return w.ask(dst, e, LowDie, false)
	}
	return w.ask(dst, e, TopDie, false)
}

// extreme asks for the greatest or the least of a list.
func (w *scout) extreme(dst int, e int32, least bool) bool {
	x := w.r.exprs[e]
	if x.what == AllSizes {
		return !least && w.ask(dst, e, Largest, false)
	}
	return w.top(dst, e, least != x.rev)
}
