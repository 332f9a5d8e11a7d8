package state

import (
	"slices"

	"setpiece/interp/internal/analysis"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/value"
)

// Of three sentries who differ in nothing but their names it does not matter which
// one has fallen. Odds can take the state in which the first has for that in which the
// third has if the rules treat those two alike, as model checkers do with scalar sets
// (Ip and Dill, Better verification through symmetry, 1996): to exchange the names in
// a state exchanges them in all that comes of it. Those who can be exchanged are an orbit.
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

// Orbits gives members of an orbit: what does not change is the same of them in the
// base. Those that are left out are told apart.
func (s *Codec) Orbits(not uint64) []analysis.Orbit {
	c := s.Analysis.Orbits(s.M.Store)
	var out []analysis.Orbit
	for _, x := range c.Classes {
		from := 0
		for i := 1; i <= len(x.Places); i++ {
			if i < len(x.Places) && s.sameButName(x.Places[from], x.Places[i], x.Size) {
				continue
			}
			y := analysis.Orbit{First: x.First + from, Places: x.Places[from:i], Size: x.Size}
			if len(y.Places) > 1 && y.Members()&(not|s.inDefaults()) == 0 {
				out = append(out, y)
			}
			from = i
		}
	}
	return out
}

// inDefaults gives those to whom what a sheet says at first leads.
func (s *Codec) inDefaults() (set uint64) {
	for _, t := range s.M.Prog.Types {
		for i := range t.Fields {
			set |= s.MembersIn(t.Fields[i].Default)
		}
	}
	return set
}

// sameButName says whether what stands at two places of the base differs only in the name and
// in what may change.
func (s *Codec) sameButName(a, b, size int) bool {
	for k := range size {
		if k != code.AtName && !s.Changes(a+k) && !s.Changes(b+k) && !s.Renamed(s.base[a+k], s.base[b+k], a, b, size) {
			return false
		}
	}
	return true
}

// Renamed says whether a value is another, where what stands at one place stands at
// another.
func (s *Codec) Renamed(v, w V, a, b, size int) bool {
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

// Watch has it looked, in all that is tracked from now on, whether it matters which of
// members of an orbit is which.
func (s *Codec) Watch(all []analysis.Orbit) {
	s.Symmetry = nil
	if len(all) == 0 {
		return
	}
	w := &Watch{m: s.M, t: s.tracker(), Orbits: s.Analysis.Orbits(s.M.Store), watched: all, several: map[V]uint64{}, namedFrom: map[*code.Func]uint64{}, namedBy: map[*analysis.Body]uint64{}, behind: map[behind]bool{}, saver: s}
	for _, x := range all {
		w.members |= x.Members()
	}
	s.Symmetry = w
}

// Watched tells what was found since Track: of whom it did matter where he stands, or
// that he is not out, which is so of those who were out before; and who was told from
// the others in any case.
func (s *Codec) Watched() (stirred, named uint64) {
	if w := s.Symmetry; w != nil {
		return w.Disturbed, w.Distinguished | s.Tracker.Named
	}
	return 0, 0
}

// MembersIn gives those to whom a value leads.
func (s *Codec) MembersIn(v V) uint64 { return s.Analysis.Orbits(s.M.Store).Among(s.M.Heap, v) }

// HasWholeOrbits says whether a list has all members of the orbits of some, each orbit in its
// order and with nothing between them.
func (s *Codec) HasWholeOrbits(list V, some uint64) bool {
	for i := range s.Symmetry.watched {
		if x := &s.Symmetry.watched[i]; x.Members()&some != 0 && !s.hasWholeOrbit(x, list) {
			return false
		}
	}
	return true
}

func (s *Codec) hasWholeOrbit(x *analysis.Orbit, list V) bool {
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
		} else if s.MembersIn(v)&x.Members() != 0 {
			return false
		}
	}
	return true
}

// Cuts says where, in the control of the state saved last, members of an orbit must not
// be exchanged: nobody from before a number for anybody from there on. Whoever is named
// there, or by code that is ahead, stands alone; so do those before whom a loop stands
// and those whom it has left behind.
func (s *Codec) Cuts(control []V) (cuts uint64) {
	m, w := s.M, s.Symmetry
	if w == nil {
		return ^uint64(0)
	}
	alone := func(set uint64) { cuts |= set | set<<1 }
	for i := range m.Frames {
		alone(s.namedFrom(m.Frames[i].Fn))
	}
	for _, f := range s.Upcoming {
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
			alone(s.Distinguished(v))
			if v.Kind() != value.List || !f.Fn.Loops(int32(r)) {
				return
			}
			rest, ok := s.remaining(v, m.Stack[int(f.Base)+r+1])
			if !ok {
				alone(s.MembersIn(v))
			}
			for k := range w.watched {
				if set := rest & w.watched[k].Members(); set != 0 {
					cuts |= set & -set
				}
			}
		})
	}
	from := 2 + 5*len(m.Frames) // the number of the statement and that of the frames come first
	for i, v := range control {
		if i < from || i >= from+regs {
			alone(s.MembersIn(v))
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
			alone(s.MembersIn(m.Store[at]))
		}
	}
	return cuts
}

// UnnamedMembers gives those whom, from some function of Schedule on that throws, no code names:
// only they can come to stand for others.
func (s *Codec) UnnamedMembers() (set uint64) {
	named := uint64(0)
	for _, f := range slices.Backward(s.funcs) {
		if f == nil {
			return ^uint64(0)
		}
		named |= s.namedFrom(f)
		if s.Analysis.Effects(f).Throws {
			set |= ^named
		}
	}
	return set
}

// Distinguished gives those whom a value distinguishes from others of an orbit: it leads to
// them, and is no list of all of them.
func (s *Codec) Distinguished(v V) (set uint64) {
	set = s.MembersIn(v)
	if v.Kind() == value.List {
		for i := range s.Symmetry.watched {
			if x := &s.Symmetry.watched[i]; set&x.Members() != 0 && s.hasWholeOrbit(x, v) {
				set &^= x.Members()
			}
		}
	}
	return set
}

// remaining gives those who are in a list behind so many elements, with no if it has not so
// many.
func (s *Codec) remaining(list, n V) (set uint64, ok bool) {
	e := s.M.Heap.Elems(list)
	if !n.IsInt() || n.Int() < 0 || n.Int() > int64(len(e)) {
		return 0, false
	}
	for _, v := range e[n.Int():] {
		set |= s.MembersIn(v)
	}
	return set, true
}

// keepWhoIsOut has it known who is out as long as anything else of members of an orbit is read.
func (s *Codec) keepWhoIsOut(uses []analysis.Use) {
	if s.Symmetry == nil {
		return
	}
	for _, x := range s.Symmetry.watched {
		read := s.Analysis.Reads(s.M.Prog.Out(s.M.TypeOf(x.Places[0])))
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
func (s *Codec) namedFrom(fn *code.Func) uint64 {
	w := s.Symmetry
	set, ok := w.namedFrom[fn]
	if !ok {
		for _, l := range s.Analysis.Bodies(fn) {
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
func (s *Codec) namedBy(l *analysis.Body) (set uint64) {
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
		case code.LoadK, code.RetK:
			set |= s.Distinguished(in.Constant())
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
func (s *Codec) IsOut(k int, varied func(at int) bool) (yes bool, path symbolic.PathCondition, ok bool) {
	m := s.M
	c := s.Analysis.Orbits(m.Store)
	if m.Start(m.Prog.Out(m.TypeOf(c.Places[k])), value.OfRef(c.Places[k])) != nil {
		return false, symbolic.PathCondition{}, false
	}
	s.filled = s.filled[:0]
	s.Track(varied)
	m.MaxSteps = m.StepLimit
	if m.Run() == machine.Done {
		yes, ok = m.Result.Truth()
	}
	return yes, s.Path(), ok
}
