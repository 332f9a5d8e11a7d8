package machine

import (
	"slices"

	"setpiece/interp/internal/analysis"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// Of three sentries who differ in nothing but their names it does not matter which
// one has fallen. Odds can take the state in which the first has for that in which the
// third has if the rules treat those two alike, as model checkers do with scalar sets
// (Ip and Dill, Better verification through symmetry, 1996): to exchange the names in
// a state exchanges them in all that comes of it.
//
// But the rules go through lists, and there one of them stands before the others. So
// a sheet says who takes no part any more (`out when EXPR`), and the machine shows
// that it does not matter where those stand: whenever a loop is at, or has just left,
// one of several that are alike, it looks what it would do there with each of them
// that is out. It must do nothing: write nothing, throw nothing, and leave the
// registers as they are. What this depends on is noted like all that is asked, so that
// what is remembered of the piece of computation holds only where it is so again.
//
// Exchanged are only states in which some are out, and so that the others keep their
// order. What else might tell two of them apart is found out as well: code that names
// one, a name that is read and used for more than to be shown, a place in a list that
// is asked for.

// Alike gives those who are alike: what does not change is the same of them in the
// base. Those that are left out are told apart.
func (s *Saver) Alike(not uint64) []analysis.Orbit {
	c := s.Analysis.Orbits(s.M.Store)
	var out []analysis.Orbit
	for _, x := range c.Classes {
		from := 0
		for i := 1; i <= len(x.Places); i++ {
			if i < len(x.Places) && s.same(x.Places[from], x.Places[i], x.Size) {
				continue
			}
			y := analysis.Orbit{x.First + from, x.Places[from:i], x.Size}
			if len(y.Places) > 1 && y.Members()&(not|s.meant()) == 0 {
				out = append(out, y)
			}
			from = i
		}
	}
	return out
}

// meant gives those to whom what a sheet says at first leads.
func (s *Saver) meant() (set uint64) {
	for _, t := range s.M.Prog.Types {
		for i := range t.Fields {
			set |= s.Leads(t.Fields[i].Default)
		}
	}
	return set
}

// same says whether what stands at two places of the base differs only in the name and
// in what may change.
func (s *Saver) same(a, b, size int) bool {
	for k := range size {
		if k != code.AtName && !s.Changes(a+k) && !s.Changes(b+k) && !s.Renamed(s.base[a+k], s.base[b+k], a, b, size) {
			return false
		}
	}
	return true
}

// Renamed says whether a value is another, where what stands at one place stands at
// another.
func (s *Saver) Renamed(v, w V, a, b, size int) bool {
	h := s.M.Heap
	switch {
	case v == w && v.Kind() != value.List:
		return !within(v, a, size)
	case v.Kind() != w.Kind():
		return false
	case v.Kind() == value.Ref:
		return within(v, a, size) && w.Off()-v.Off() == b-a
	case v.Kind() == value.List:
		return slices.EqualFunc(h.Elems(v), h.Elems(w), func(v, w V) bool { return s.Renamed(v, w, a, b, size) })
	}
	return false
}

func within(v V, at, size int) bool {
	return v.Kind() == value.Ref && v.Off() >= at && v.Off() < at+size
}

// watch looks whether it matters which of those who are alike is which.
type watch struct {
	m *Machine
	t *Tracker
	*analysis.Orbits
	on      uint64 // who is alike
	stirred uint64 // who was out and did matter
	named   uint64 // who was told from the others
	depth   int    // how many pieces of computation are being tried within one another
	alike   []analysis.Orbit

	several   map[V]uint64 // by list: see has
	namedFrom map[*code.Func]uint64
	namedBy   map[*analysis.Body]uint64
	behind    map[behind]bool // see readBehind
	saver     *Saver
}

// Watch has it looked, in all that is tracked from now on, whether it matters which of
// those who are alike is which.
func (s *Saver) Watch(all []analysis.Orbit) {
	s.Symmetry = nil
	if len(all) == 0 {
		return
	}
	w := &watch{m: s.M, t: s.tracker(), Orbits: s.Analysis.Orbits(s.M.Store), alike: all, several: map[V]uint64{}, namedFrom: map[*code.Func]uint64{}, namedBy: map[*analysis.Body]uint64{}, behind: map[behind]bool{}, saver: s}
	for _, x := range all {
		w.on |= x.Members()
	}
	s.Symmetry = w
}

// Watched tells what was found since Track: of whom it did matter where he stands, or
// that he is not out, which is so of those who were out before; and who was told from
// the others in any case.
func (s *Saver) Watched() (stirred, named uint64) {
	if w := s.Symmetry; w != nil {
		return w.stirred, w.named | s.Tracker.named
	}
	return 0, 0
}

// Leads gives those to whom a value leads.
func (s *Saver) Leads(v V) uint64 { return s.Analysis.Orbits(s.M.Store).Among(s.M.Heap, v) }

// Whole says whether a list has all of those who are alike to some, each class in its
// order and with nothing between them.
func (s *Saver) Whole(list V, some uint64) bool {
	for i := range s.Symmetry.alike {
		if x := &s.Symmetry.alike[i]; x.Members()&some != 0 && !s.whole(x, list) {
			return false
		}
	}
	return true
}

func (s *Saver) whole(x *analysis.Orbit, list V) bool {
	e := s.M.Heap.Elems(list)
	from := slices.Index(e, value.OfRef(x.Places[0]))
	if from < 0 || from+len(x.Places) > len(e) {
		return false
	}
	for i, v := range e {
		k := i - from
		if k >= 0 && k < len(x.Places) {
			if v != value.OfRef(x.Places[k]) {
				return false
			}
		} else if s.Leads(v)&x.Members() != 0 {
			return false
		}
	}
	return true
}

// Cuts says where, in the control of the state saved last, those who are alike must not
// be exchanged: nobody from before a number for anybody from there on. Whoever is named
// there, or by code that is ahead, stands alone; so do those before whom a loop stands
// and those whom it has left behind.
func (s *Saver) Cuts(control []V) (cuts uint64) {
	m, w := s.M, s.Symmetry
	if w == nil {
		return ^uint64(0)
	}
	alone := func(set uint64) { cuts |= set | set<<1 }
	for i := range m.Frames {
		alone(s.namedFrom(m.Frames[i].Fn))
	}
	for _, f := range s.Then {
		if f != nil {
			alone(s.namedFrom(f))
		}
	}
	regs := 0
	for i := range m.Frames {
		f := &m.Frames[i]
		s.LiveRegisters(i).Each(func(r int) {
			regs++
			v := m.Stack[int(f.Base)+r]
			alone(s.SetApart(v))
			if v.Kind() != value.List || !f.Fn.Loops(int32(r)) {
				return
			}
			rest, ok := s.rest(v, m.Stack[int(f.Base)+r+1])
			if !ok {
				alone(s.Leads(v))
			}
			for k := range w.alike {
				if set := rest & w.alike[k].Members(); set != 0 {
					cuts |= set & -set
				}
			}
		})
	}
	from := 2 + 5*len(m.Frames) // the number of the statement and that of the frames come first
	for i, v := range control {
		if i < from || i >= from+regs {
			alone(s.Leads(v))
		}
	}
	part := func(at int) {
		if at < len(w.Of) && w.Of[at] > 0 {
			alone(1 << (w.Of[at] - 1))
		}
	}
	for _, at := range s.linked {
		part(at)
	}
	if len(m.Savepoints) > 0 {
		for _, u := range m.UndoLog {
			part(u.At) // which a refusal would put back
		}
	}
	for _, off := range s.records {
		for at := off; at < off+s.length(off); at++ {
			alone(s.Leads(m.Store[at]))
		}
	}
	return cuts
}

// Unnamed gives those whom, from some function of Ahead on that throws, no code names:
// only they can come to stand for others.
func (s *Saver) Unnamed() (set uint64) {
	named := uint64(0)
	for _, f := range slices.Backward(s.funcs) {
		if f == nil {
			return ^uint64(0)
		}
		named |= s.namedFrom(f)
		if s.Analysis.Effects(analysis.Entry{f, false}).Throws {
			set |= ^named
		}
	}
	return set
}

// SetApart gives those whom a value sets apart from others who are alike: it leads to
// them, and is no list of all of them.
func (s *Saver) SetApart(v V) (set uint64) {
	set = s.Leads(v)
	if v.Kind() == value.List {
		for i := range s.Symmetry.alike {
			if x := &s.Symmetry.alike[i]; set&x.Members() != 0 && s.whole(x, v) {
				set &^= x.Members()
			}
		}
	}
	return set
}

// rest gives those who are in a list behind so many elements, with no if it has not so
// many.
func (s *Saver) rest(list, n V) (set uint64, ok bool) {
	e := s.M.Heap.Elems(list)
	if !n.IsInt() || n.Int() < 0 || n.Int() > int64(len(e)) {
		return 0, false
	}
	for _, v := range e[n.Int():] {
		set |= s.Leads(v)
	}
	return set, true
}

// keepOut has it known who is out as long as anything else of those who are alike is read.
func (s *Saver) keepOut(uses []analysis.Use) {
	if s.Symmetry == nil {
		return
	}
	for _, x := range s.Symmetry.alike {
		read := s.Analysis.Reads(analysis.Entry{s.M.Prog.Out(s.M.TypeOf(x.Places[0])), false})
		each := func(f func(at int, sym int32)) {
			for _, from := range x.Places {
				for at := from; at < from+x.Size; at++ {
					if sym := s.Analysis.Symbol[at]; sym >= 0 {
						f(at, sym)
					}
				}
			}
		}
		some := false
		each(func(at int, _ int32) { some = some || uses[at] != analysis.Dead })
		each(func(at int, sym int32) {
			if some && read.ReadsField(sym) {
				uses[at] = analysis.Live
			}
		})
	}
}

// namedFrom gives those whom a function, or what it may lead to, names.
func (s *Saver) namedFrom(fn *code.Func) uint64 {
	w := s.Symmetry
	set, ok := w.namedFrom[fn]
	if !ok {
		for _, l := range s.Analysis.Effects(analysis.Entry{fn, false}).Bodies {
			by, ok := w.namedBy[l]
			if !ok {
				by = s.namedBy(l)
				w.namedBy[l] = by
			}
			set |= by
		}
		w.namedFrom[fn] = set
	}
	return set
}

// namedBy gives those whom the code of a function itself names.
func (s *Saver) namedBy(l *analysis.Body) (set uint64) {
	if l.Anything {
		return ^uint64(0)
	}
	w := s.Symmetry
	word := func(at int32) {
		if int(at) < len(w.Of) && w.Of[at] > 0 {
			set |= 1 << (w.Of[at] - 1)
		}
	}
	for i := range l.Fn.Code {
		switch in := &l.Fn.Code[i]; in.Op {
		case code.LoadK:
			set |= s.SetApart(in.Constant())
		case code.GetAt, code.SetAt:
			word(in.B)
		case code.JAtIf, code.JAtNot, code.JAtNone, code.JAtSome, code.JAtLtI, code.JAtGeI:
			word(in.A)
		}
	}
	return set
}

// IsOut asks, in the state loaded last, whether the instance with a number is out, and
// gives what that depends on. With no it cannot be told.
func (s *Saver) IsOut(k int, varied func(at int) bool) (yes bool, path PathCondition, ok bool) {
	m := s.M
	c := s.Analysis.Orbits(m.Store)
	if m.Start(m.Prog.Out(m.TypeOf(c.Places[k])), value.OfRef(c.Places[k])) != nil {
		return false, PathCondition{}, false
	}
	s.filled = s.filled[:0]
	s.Track(varied)
	m.MaxSteps = m.StepLimit
	if m.Run() == Done {
		yes, ok = m.Result.Truth()
	}
	return yes, s.Path(), ok
}

// Concerns gives what the next instruction asks of those who are alike: the list in
// which it matters who stands before whom, None without one, and whose names it reads.
func (w *watch) Concerns(fn *code.Func, in *code.Ins, r []V) (list V, names uint64) {
	m := w.m
	list = value.None
	switch in.Op {
	case code.Iter:
		v := r[in.A]
		if v.Kind() == value.Map {
			v, _ = m.elements(v)
		}
		if v.Kind() == value.List && w.has(v) != 0 {
			if e, i := m.Heap.Elems(v), int(r[in.A+1].Int()); i < len(e) && w.isOne(e[i]) || i > 0 && w.isOne(e[i-1]) {
				return v, 0
			}
		}
		return value.None, 0
	case code.Text:
		for _, v := range r[in.B : in.B+in.C] {
			names |= w.names(m.Heap, v)
		}
	case code.Builtin:
		switch code.Builtins[in.B].Name {
		case "name", "text":
			names = w.names(m.Heap, r[in.A])
		case "apart":
			list, names = r[in.A], w.names(m.Heap, r[in.A])&^w.together(m.Prog)
		case "first", "last", "index", "take", "drop":
			list = r[in.A]
		case "join":
			list, names = r[in.A], w.names(m.Heap, r[in.A])
		}
	case code.Index:
		list = r[in.B]
	case code.Ask:
		if !fn.Infos[in.B].(*code.AskInfo).Offer {
			list = r[in.A+2]
		}
	case code.Eq, code.Ne:
		list = r[in.B]
	case code.JEq, code.JNe:
		list = r[in.A]
	}
	if list.Kind() != value.List || w.has(list) == 0 {
		list = value.None
	}
	return list, names
}

// watched executes the next instruction, and looks first what it has to do with those
// who are alike.
func (w *watch) Step() Status {
	m := w.m
	t := w.t
	top := &m.Frames[len(m.Frames)-1]
	in := &top.Fn.Code[top.PC]
	list, names := w.Concerns(top.Fn, in, m.Stack[top.Base:])
	if list != value.None {
		if m.PoolDrawn && m.Checkpoints && len(m.Savepoints) == 0 {
			return Checkpoint
		}
		w.looks(in, list)
		top = &m.Frames[len(m.Frames)-1]
	}
	if names != 0 {
		base := int(top.Base)
		w.t.ConcretiseOperands(base, in.Operands(m.Prog, top.Fn))
		s := m.Exec(1)
		t.Put(base+int(in.A), t.Add(Symbolic{Linear: Linear{By: 1}, is: asBuilt, names: names}))
		return s
	}
	switch {
	case t.Unknowns == 0:
		return m.Exec(1)
	case in.Op == code.JEq || in.Op == code.JNe:
		return w.unnamed(top, in, in.A, in.B)
	case in.Op == code.Eq || in.Op == code.Ne:
		return w.unnamed(top, in, in.B, in.C)
	}
	return w.t.follow()
}

// unnamed executes a comparison. If it is that of a name with a text that is the name of
// none of those who are alike, it comes out in the same way for all of them.
func (w *watch) unnamed(top *Frame, in *code.Ins, a, b int32) Status {
	m := w.m
	t := w.t
	a, b = top.Base+a, top.Base+b
	if !w.isName(int(a)) {
		a, b = b, a
	}
	text := m.Stack[b]
	if !w.isName(int(a)) || t.of(int(b)) != 0 || text.Kind() != value.Text ||
		slices.ContainsFunc(w.Places, func(at int) bool { return m.Store[at+code.AtName] == text }) {
		return w.t.follow()
	}
	id := t.of(int(a))
	t.Put(int(a), 0)
	s := w.t.follow()
	if top.Base+in.A != a || in.Op == code.JEq || in.Op == code.JNe {
		t.Put(int(a), id)
	}
	return s
}

// isName says whether what is in a register is the name of one of those who are alike.
func (w *watch) isName(reg int) bool {
	m := w.m
	id := w.t.of(reg)
	if id == 0 {
		return false
	}
	x := w.t.exprs.of(id)
	return x.names != 0 && slices.ContainsFunc(w.Places, func(at int) bool {
		return w.isOne(value.OfRef(at)) && m.Store[at+code.AtName] == m.Stack[reg]
	})
}

// names gives those whose names are read where a value is shown: of their parts they
// are the same.
func (w *watch) names(h *value.Heap, v V) (set uint64) {
	analysis.References(h, v, func(at V) {
		if w.isOne(at) && w.Places[w.Number(at)] == at.Off() {
			set |= 1 << w.Number(at)
		}
	})
	return set
}

// together gives those who are alike and declared by one line: they share a name.
func (w *watch) together(p *code.Program) (set uint64) {
	for i := range w.alike {
		a := &w.alike[i]
		for _, g := range p.Groups {
			if !slices.ContainsFunc(a.Places, func(at int) bool { return !slices.Contains(g.Offs, at) }) {
				set |= a.Members()
			}
		}
	}
	return set
}

// isOne says whether a value is one of those who are alike, or part of one.
func (w *watch) isOne(v V) bool {
	k := w.Number(v)
	return k >= 0 && w.on>>k&1 == 1
}

// has gives those who are alike and of whom there are several in a list.
func (w *watch) has(list V) uint64 {
	m := w.m
	set, ok := w.several[list]
	if !ok {
		in := w.Among(m.Heap, list) & w.on
		for i := range w.alike {
			if x := in & w.alike[i].Members(); x&(x-1) != 0 {
				set |= x
			}
		}
		w.several[list] = set
	}
	return set
}

// looks looks whether it matters where in a list those stand that are out.
func (w *watch) looks(in *code.Ins, list V) {
	m := w.m
	known, out := uint64(0), uint64(0)
	for _, e := range m.Heap.Elems(list) {
		if e.Kind() != value.Ref || !w.isOne(e) {
			if e.Kind() != value.Ref {
				w.named |= w.Among(m.Heap, e) & w.on // in a list of lists
			}
			continue
		}
		k := w.Number(e)
		if one := uint64(1) << k; known&one == 0 {
			known |= one
			switch yes, ok := w.isOut(k); {
			case !ok:
				w.named |= one
			case yes:
				out |= one
			default:
				w.stirred |= one // if it was out before
			}
		}
		if out>>k&1 == 1 && w.stirred>>k&1 == 0 && (in.Op != code.Iter || !w.idles(in, e)) {
			w.stirred |= 1 << k
		}
	}
}

// maxTried is how deep what is tried may lead to more that has to be.
const maxTried = 3

// isOut asks whether an instance is out. With no that cannot be told.
func (w *watch) isOut(k int) (yes, ok bool) {
	m := w.m
	at := w.Places[k]
	fn := m.Prog.Out(m.TypeOf(at))
	if m.Link(fn) != nil {
		return false, false
	}
	top := &m.Frames[len(m.Frames)-1]
	reg := int(top.Base) + top.Fn.Regs
	m.Stack = GrowStack(m.Stack, max(len(m.Stack), reg+fn.Regs))
	m.Stack[reg] = value.OfRef(at)
	w.t.Forget(reg)
	depth := len(m.Frames)
	m.Frames = append(m.Frames, Frame{Fn: fn, Base: int32(reg), Ret: int32(top.Fn.Regs), Keep: m.Region(fn)})
	if ok = w.tries(depth, func() bool { return len(m.Frames) == depth }); ok {
		w.t.Concretise(reg)
		yes, ok = m.Stack[reg].Truth()
	}
	w.t.Forget(reg)
	return yes, ok
}

// idles says whether a loop, where it stands, would do nothing with an element.
func (w *watch) idles(in *code.Ins, e V) bool {
	m := w.m
	depth := len(m.Frames)
	top := &m.Frames[depth-1]
	base, n, pc := int(top.Base), top.Fn.Regs, top.PC
	regs := slices.Clone(m.Stack[base : base+n])
	from := make([]int32, n)
	for r := range from {
		from[r] = w.t.of(base + r)
	}
	m.Stack[base+int(in.B)] = e
	w.t.Put(base+int(in.B), 0)
	top.PC++
	back := func() {}
	if next := &top.Fn.Code[top.PC]; next.Op == code.SetAt && next.A == in.B {
		// the variable of a loop of a script
		if w.readBehind(int(next.B), pc) {
			top.PC = pc
			return false
		}
		back = w.supposes(int(next.B), e)
		top.PC++
	}
	ok := w.tries(depth, func() bool { return len(m.Frames) == depth && m.Frames[depth-1].PC == pc })
	back()
	top = &m.Frames[depth-1]
	if ok {
		w.saver.Analysis.Before(top.Fn)[pc].Each(func(r int) {
			ok = ok && (r == int(in.A)+1 || m.Stack[base+r] == regs[r] && w.t.of(base+r) == from[r])
		})
	}
	top.PC = pc
	copy(m.Stack[base:], regs)
	for r, id := range from {
		w.t.Put(base+r, id)
	}
	w.t.Forget(base + n)
	return ok
}

// supposes puts a value into a word of the store, as if it had been written, and gives
// what takes it back.
func (w *watch) supposes(at int, v V) (back func()) {
	m := w.m
	t := w.t
	t.Grow(at)
	old, wrote, cell := m.Store[at], t.Wrote[at], t.Cell[at]
	m.Store[at], t.Wrote[at], t.Cell[at] = v, t.Epoch, 0
	return func() { m.Store[at], t.Wrote[at], t.Cell[at] = old, wrote, cell }
}

// readBehind says whether somebody may read a word behind the loop that goes on at pc in
// the function at work, before it is written.
func (w *watch) readBehind(at int, pc int32) bool {
	m := w.m
	a := w.saver.Analysis
	top := &m.Frames[len(m.Frames)-1]
	k := behind{top.Fn, pc, len(w.saver.Then)}
	read, ok := w.behind[k]
	if !ok {
		read = a.ReadFirst(top.Fn, int(top.Fn.Code[pc].C), at)
		for i := range m.Frames[:len(m.Frames)-1] {
			f := &m.Frames[i]
			read = read || a.ReadFirst(f.Fn, int(f.PC), at)
		}
		for _, f := range w.saver.Then {
			r := a.Reads(analysis.Entry{f, false})
			read = read || r.Anything || r.Words.Used(at) != analysis.Dead
		}
		w.behind[k] = read
	}
	return read
}

// behind is a loop of a function, with how many functions are to come.
type behind struct {
	fn    *code.Func
	pc    int32
	funcs int
}

// tries goes on until something is so, as long as it changes nothing but registers and
// does not return from the first frames. With no it has not come there.
func (w *watch) tries(frames int, done func() bool) bool {
	m := w.m
	if w.depth >= maxTried {
		return false
	}
	w.depth++
	resting, steps, most := m.Checkpoints, m.Steps, m.MaxSteps
	m.Checkpoints, m.MaxSteps = false, m.Steps+1<<16
	noted := len(m.Noted)
	ok := true
	for ok && !done() {
		top := &m.Frames[len(m.Frames)-1]
		if op := top.Fn.Code[top.PC].Op; !op.Looks() || op == code.Ret && len(m.Frames) == frames {
			ok = false
			break
		}
		switch w.Step() {
		case Stepped:
		case UnknownRead:
			w.t.readUnknown()
		default:
			ok = false
		}
	}
	m.Frames = m.Frames[:min(len(m.Frames), frames)]
	m.Noted = m.Noted[:noted]
	m.Checkpoints, m.Steps, m.MaxSteps, m.Err = resting, steps, most, nil
	w.depth--
	return ok
}
