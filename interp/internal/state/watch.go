package state

import (
	"slices"

	"setpiece/interp/internal/analysis"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/value"
)

// Watch looks whether it matters which member of an orbit is which.
type Watch struct {
	m *machine.Machine
	t *symbolic.Tracker
	*analysis.Orbits
	members       uint64 // of the orbits watched
	Disturbed     uint64 // who was out and did matter
	Distinguished uint64 // who was told from the others
	depth         int    // how many pieces of computation are being tried within one another
	watched       []analysis.Orbit

	several   map[V]uint64 // by list: see has
	namedFrom map[*code.Func]uint64
	namedBy   map[*analysis.Body]uint64
	behind    map[behind]bool // see readBehind
	saver     *Codec
}

// Concerns gives what the next instruction asks of members of an orbit: the list in
// which it matters who stands before whom, None without one, and whose names it reads.
func (w *Watch) Concerns(fn *code.Func, in *code.Ins, r []V) (list V, names uint64) {
	m := w.m
	list = value.None
	switch in.Op {
	case code.Iter:
		v := r[in.A]
		if v.Kind() == value.Map {
			v, _ = m.Elements(v)
		}
		if v.Kind() == value.List && w.severalIn(v) != 0 {
			if e, i := m.Heap.Elems(v), int(r[in.A+1].Int()); i < len(e) && w.isMember(e[i]) || i > 0 && w.isMember(e[i-1]) {
				return v, 0
			}
		}
		return value.None, 0
	case code.Text:
		for _, v := range r[in.B : in.B+in.C] {
			names |= w.namesShown(m.Heap, v)
		}
	case code.Builtin:
		switch code.Builtins[in.B].Name {
		case "name", "text":
			names = w.namesShown(m.Heap, r[in.A])
		case "apart":
			list, names = r[in.A], w.namesShown(m.Heap, r[in.A])&^w.sharingName(m.Prog)
		case "first", "last", "index", "take", "drop":
			list = r[in.A]
		case "join":
			list, names = r[in.A], w.namesShown(m.Heap, r[in.A])
		}
	case code.Index, code.IndexI:
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
	if list.Kind() != value.List || w.severalIn(list) == 0 {
		list = value.None
	}
	return list, names
}

// Step executes the next instruction, and looks first what it has to do with those
// of an orbit.
func (w *Watch) Step() machine.Status {
	m := w.m
	t := w.t
	top := &m.Frames[len(m.Frames)-1]
	in := &top.Fn.Code[top.PC]
	list, names := w.Concerns(top.Fn, in, m.Stack[top.Base:])
	if list != value.None {
		if m.PoolDrawn && m.Checkpoints && len(m.Savepoints) == 0 {
			return machine.Checkpoint
		}
		w.checkList(in, list)
		top = &m.Frames[len(m.Frames)-1]
	}
	if names != 0 {
		base := int(top.Base)
		w.t.ConcretiseOperands(base, in.Operands(m.Prog, top.Fn))
		s := m.Exec(1)
		t.Put(base+int(in.A), t.Add(symbolic.Expr{Linear: symbolic.Linear{By: 1}, Is: symbolic.AsBuilt, Names: names}))
		return s
	}
	switch {
	case t.Unknowns == 0:
		return m.Exec(1)
	case in.Op == code.JEq || in.Op == code.JNe:
		return w.compareName(top, in, in.A, in.B)
	case in.Op == code.Eq || in.Op == code.Ne:
		return w.compareName(top, in, in.B, in.C)
	}
	return w.t.Step()
}

// compareName executes a comparison. If it is that of a name with a text that is the name of
// none of members of an orbit, it comes out in the same way for all of them.
func (w *Watch) compareName(top *machine.Frame, in *code.Ins, a, b int32) machine.Status {
	m := w.m
	t := w.t
	a, b = top.Base+a, top.Base+b
	if !w.isName(int(a)) {
		a, b = b, a
	}
	text := m.Stack[b]
	if !w.isName(int(a)) || t.Of(int(b)) != 0 || text.Kind() != value.Text ||
		slices.ContainsFunc(w.Places, func(at int) bool { return m.Store[at+code.AtName] == text }) {
		return w.t.Step()
	}
	id := t.Of(int(a))
	t.Put(int(a), 0)
	s := w.t.Step()
	if top.Base+in.A != a || in.Op == code.JEq || in.Op == code.JNe {
		t.Put(int(a), id)
	}
	return s
}

// isName says whether what is in a register is the name of one of members of an orbit.
func (w *Watch) isName(reg int) bool {
	m := w.m
	id := w.t.Of(reg)
	if id == 0 {
		return false
	}
	x := w.t.Exprs.Of(id)
	return x.Names != 0 && slices.ContainsFunc(w.Places, func(at int) bool {
		return w.isMember(value.OfRef(at)) && m.Store[at+code.AtName] == m.Stack[reg]
	})
}

// namesShown gives those whose names are read where a value is shown: of their parts they
// are the same.
func (w *Watch) namesShown(h *value.Heap, v V) (set uint64) {
	analysis.References(h, v, func(at V) {
		if w.isMember(at) && w.Places[w.Number(at)] == at.Off() {
			set |= 1 << w.Number(at)
		}
	})
	return set
}

// sharingName gives the members of an orbit that one line declares: they share a name.
func (w *Watch) sharingName(p *code.Program) (set uint64) {
	for i := range w.watched {
		a := &w.watched[i]
		for _, g := range p.Groups {
			if !slices.ContainsFunc(a.Places, func(at int) bool { return !slices.Contains(g.Offs, at) }) {
				set |= a.Members()
			}
		}
	}
	return set
}

// isMember says whether a value is one of members of an orbit, or part of one.
func (w *Watch) isMember(v V) bool {
	k := w.Number(v)
	return k >= 0 && w.members>>k&1 == 1
}

// severalIn gives the members of an orbit of whom there are several in a list.
func (w *Watch) severalIn(list V) uint64 {
	m := w.m
	set, ok := w.several[list]
	if !ok {
		in := w.Among(m.Heap, list) & w.members
		for i := range w.watched {
			if x := in & w.watched[i].Members(); x&(x-1) != 0 {
				set |= x
			}
		}
		w.several[list] = set
	}
	return set
}

// checkList looks whether it matters where in a list those stand that are out.
func (w *Watch) checkList(in *code.Ins, list V) {
	m := w.m
	known, out := uint64(0), uint64(0)
	for _, e := range m.Heap.Elems(list) {
		if e.Kind() != value.Ref || !w.isMember(e) {
			if e.Kind() != value.Ref {
				w.Distinguished |= w.Among(m.Heap, e) & w.members // in a list of lists
			}
			continue
		}
		k := w.Number(e)
		if one := uint64(1) << k; known&one == 0 {
			known |= one
			switch yes, ok := w.isOut(k); {
			case !ok:
				w.Distinguished |= one
			case yes:
				out |= one
			default:
				w.Disturbed |= one // if it was out before
			}
		}
		if out>>k&1 == 1 && w.Disturbed>>k&1 == 0 && (in.Op != code.Iter || !w.doesNothing(in, e)) {
			w.Disturbed |= 1 << k
		}
	}
}

// maxTried is how deep what is tried may lead to more that has to be.
const maxTried = 3

// isOut asks whether an instance is out. With no that cannot be told.
func (w *Watch) isOut(k int) (yes, ok bool) {
	m := w.m
	at := w.Places[k]
	fn := m.Prog.Out(m.TypeOf(at))
	if m.Link(fn) != nil {
		return false, false
	}
	top := &m.Frames[len(m.Frames)-1]
	reg := int(top.Base) + top.Fn.Regs
	m.Stack = machine.GrowStack(m.Stack, max(len(m.Stack), reg+fn.Regs))
	m.Stack[reg] = value.OfRef(at)
	w.t.Forget(reg)
	depth := len(m.Frames)
	m.Frames = append(m.Frames, machine.Frame{Fn: fn, Base: int32(reg), Ret: int32(top.Fn.Regs), Keep: m.Region(fn)})
	if ok = w.try(depth, func() bool { return len(m.Frames) == depth }); ok {
		w.t.Concretise(reg)
		yes, ok = m.Stack[reg].Truth()
	}
	w.t.Forget(reg)
	return yes, ok
}

// doesNothing says whether a loop, where it stands, would do nothing with an element.
func (w *Watch) doesNothing(in *code.Ins, e V) bool {
	m := w.m
	depth := len(m.Frames)
	top := &m.Frames[depth-1]
	base, n, pc := int(top.Base), top.Fn.Regs, top.PC
	regs := slices.Clone(m.Stack[base : base+n])
	from := make([]int32, n)
	for r := range from {
		from[r] = w.t.Of(base + r)
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
		back = w.suppose(int(next.B), e)
		top.PC++
	}
	ok := w.try(depth, func() bool { return len(m.Frames) == depth && m.Frames[depth-1].PC == pc })
	back()
	top = &m.Frames[depth-1]
	if ok {
		w.saver.Analysis.Before(top.Fn)[pc].Each(func(r int) {
			ok = ok && (r == int(in.A)+1 || m.Stack[base+r] == regs[r] && w.t.Of(base+r) == from[r])
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

// suppose puts a value into a word of the store, as if it had been written, and gives
// what takes it back.
func (w *Watch) suppose(at int, v V) (back func()) {
	m := w.m
	t := w.t
	t.Grow(at)
	old, wrote, cell := m.Store[at], t.Wrote[at], t.Cell[at]
	m.Store[at], t.Wrote[at], t.Cell[at] = v, t.Epoch, 0
	return func() { m.Store[at], t.Wrote[at], t.Cell[at] = old, wrote, cell }
}

// readBehind says whether somebody may read a word behind the loop that goes on at pc in
// the function at work, before it is written.
func (w *Watch) readBehind(at int, pc int32) bool {
	m := w.m
	a := w.saver.Analysis
	top := &m.Frames[len(m.Frames)-1]
	k := behind{top.Fn, pc, len(w.saver.Upcoming)}
	read, ok := w.behind[k]
	if !ok {
		read = a.ReadFirst(top.Fn, int(top.Fn.Code[pc].C), at)
		for i := range m.Frames[:len(m.Frames)-1] {
			f := &m.Frames[i]
			read = read || a.ReadFirst(f.Fn, int(f.PC), at)
		}
		for _, f := range w.saver.Upcoming {
			r := a.Reads(f)
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

// try goes on until something is so, as long as it changes nothing but registers and
// does not return from the first frames. With no it has not come there.
func (w *Watch) try(frames int, done func() bool) bool {
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
		if op := top.Fn.Code[top.PC].Op; !op.Looks() || op.Returns() && len(m.Frames) == frames {
			ok = false
			break
		}
		switch w.Step() {
		case machine.Stepped:
		case machine.UnknownRead:
			w.t.ReadUnknown()
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
