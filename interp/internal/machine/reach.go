package machine

import (
	"slices"

	"setpiece/interp/internal/value"
)

// reach is what may happen once a function is called: what all functions that it
// may lead to may do. Who is called by name is in the code. Who is called by
// value is a handler of a feature, tactics, what resets a field, or a rule that
// stands in the code or in the store as a value.
type reach struct {
	throws bool           // may need chance or choice
	last   bool           // may read the values of the last outcome
	all    bool           // may do anything: something cannot be linked
	fields map[int32]bool // symbols of fields that may be read
	words  map[int]bool   // words of the store that may be read
}

// root is where a reach begins: a function, or, without one, whatever may be
// called by value. Handlers and resets count of types of which there is an
// instance or one may be made on the way, or, with every, of all types.
type root struct {
	fn    *Func
	every bool
}

func withBases(types []*Type, t *Type) []*Type {
	for ; t != nil && !slices.Contains(types, t); t = t.Base {
		types = append(types, t)
	}
	return types
}

func (a *analysis) rulesIn(h *value.Heap, v V, out []*Func) []*Func {
	switch v.Kind() {
	case value.Rule:
		out = append(out, a.prog.Slots[v.RuleNumber()])
	case value.List:
		for _, e := range h.Elems(v) {
			out = a.rulesIn(h, e, out)
		}
	}
	return out
}

func (a *analysis) linked(fn *Func) bool {
	return fn.Code != nil || a.prog.Link(fn) == nil
}

func throws(in *Ins) bool { return in.Op == Throw || in.Op == Ask }

// reads gives the word of the store that an instruction reads by its place.
func reads(in *Ins) (at int, ok bool) {
	switch in.Op {
	case GetAt:
		return int(in.B), true
	case JAtIf, JAtNot, JAtNone, JAtSome, JAtLtI, JAtGeI:
		return int(in.A), true
	}
	return 0, false
}

func isRule(v V) bool { return v.Kind() == value.Rule }

func constant(in *Ins) V { return V(uint64(uint32(in.B)) | uint64(uint32(in.C))<<32) }

// reach works out what may happen from a root on.
func (a *analysis) reach(from root) *reach {
	if r := a.reached[from]; r != nil {
		return r
	}
	r := &reach{fields: map[int32]bool{}, words: map[int]bool{}}
	a.reached[from] = r
	seen := map[*Func]bool{}
	var todo []*Func
	add := func(fs ...*Func) {
		for _, f := range fs {
			if !seen[f] {
				seen[f] = true
				todo = append(todo, f)
			}
		}
	}
	slots := func(ns ...int) {
		for _, n := range ns {
			if n >= 0 {
				add(a.prog.Slots[n])
			}
		}
	}
	types := slices.Clip(a.types)
	if from.every {
		types = a.prog.Types
	}
	byValue, typed := false, 0 // how many types have been looked at
	value := func() {
		if byValue {
			return
		}
		byValue = true
		add(a.stored...)
		for _, t := range a.prog.Tactics {
			add(a.tactics(t)...)
		}
		if a.prog.Default != nil {
			add(a.tactics(a.prog.Default)...)
		}
	}
	handlers := func() {
		for ; byValue && typed < len(types); typed++ {
			for _, s := range sortedHandlers(types[typed]) {
				slots(s)
			}
			slots(types[typed].Resets...)
		}
	}
	if from.fn != nil {
		add(from.fn)
	} else {
		value()
		handlers()
	}
	for len(todo) > 0 {
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !a.linked(f) {
			r.throws, r.last, r.all = true, true, true
			continue
		}
		for i := range f.Code {
			in := &f.Code[i]
			r.throws = r.throws || throws(in)
			if at, ok := reads(in); ok {
				r.words[at] = true
				r.last = r.last || a.isLast(at)
			}
			switch in.Op {
			case GetF:
				r.fields[in.C] = true
			case Call:
				add(a.prog.Slots[in.B])
			case LoadK:
				if v := constant(in); isRule(v) {
					slots(v.RuleNumber())
				}
			case New:
				if !from.every {
					types = withBases(types, a.prog.Types[in.B])
				}
			case CallV:
				value()
			}
		}
		handlers()
	}
	return r
}

// sortedHandlers gives the handlers of a type in an order that is always the same.
func sortedHandlers(t *Type) []int {
	var out []int
	for _, s := range t.Handlers {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

func (a *analysis) tactics(t *Tactics) []*Func {
	var out []*Func
	for _, s := range t.On {
		out = append(out, a.prog.Slots[s])
	}
	slices.SortFunc(out, func(x, y *Func) int { return compareNames(x.Name, y.Name) })
	if t.Turn >= 0 {
		out = append(out, a.prog.Slots[t.Turn])
	}
	return out
}

func compareNames(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// targets gives the roots of what the call by value at pc may call. What it calls
// was put into its register shortly before.
func (a *analysis) targets(fn *Func, pc int, every bool) []root {
	for i := pc - 1; i >= 0; i-- {
		in := &fn.Code[i]
		if in.A != fn.Code[pc].A {
			continue
		}
		if in.Op != Handler {
			break
		}
		types := a.types
		if every {
			types = a.prog.Types
		}
		var out []root
		for _, t := range types {
			if s, ok := t.Handlers[int(in.C)]; ok {
				out = append(out, root{a.prog.Slots[s], every})
			}
		}
		return out
	}
	return []root{{nil, every}}
}

// future says which words of the base may still be read when functions are at
// work or to come.
func (s *Saver) future(fns []*Func) []bool {
	key := ""
	for _, f := range fns {
		key += string(rune(s.a.of(f).id)) + ","
	}
	if live, ok := s.futures[key]; ok {
		return live
	}
	live := make([]bool, len(s.base))
	for i := range live {
		live[i] = s.symbol[i] == header
	}
	for _, f := range fns {
		r := s.a.reach(root{f, false})
		for at := range r.words {
			if at < len(live) {
				live[at] = true
			}
		}
		for at := range live {
			live[at] = live[at] || r.all || s.symbol[at] >= 0 && r.fields[s.symbol[at]]
		}
	}
	s.futures[key] = live
	return live
}

// What symbols says of words that are no fields.
const (
	header = -1 // of an instance, or a field that the machine itself reads
	cell   = -2 // a variable of the script
)

// symbols gives, for each word of the base, the symbol of the field it is.
func (s *Saver) symbols() {
	m := s.m
	s.symbol = make([]int32, len(s.base))
	for i := range s.symbol {
		s.symbol[i] = cell
	}
	for _, off := range m.Prog.Live {
		t := m.TypeOf(off)
		for i := range Header {
			s.symbol[off+i] = header
		}
		for i := range t.Fields {
			f := &t.Fields[i]
			s.symbol[off+Header+i] = int32(f.Sym)
			if f.Until || f.Many && f.Check == IsList {
				s.symbol[off+Header+i] = header
			}
		}
	}
}
