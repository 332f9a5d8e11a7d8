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
	bits   bitset         // fields
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

// future is what may still be read from a moment on.
type future struct {
	fields bitset // by symbol
	words  []bool // of the base
}

type bitset []uint64

func (b bitset) has(i int32) bool { return b[i>>6]>>(i&63)&1 == 1 }
func (b bitset) add(i int32)      { b[i>>6] |= 1 << (i & 63) }

// join adds c to b and says whether that changed b.
func (b bitset) join(c bitset) bool {
	changed := false
	for i, w := range c {
		if b[i]|w != b[i] {
			b[i] |= w
			changed = true
		}
	}
	return changed
}

// bits gives the fields that may be read from a root on.
func (a *analysis) bits(r *reach) bitset {
	if r.bits == nil {
		r.bits = make(bitset, len(a.prog.Symbols)/64+1)
		for f := range r.fields {
			r.bits.add(f)
		}
		if r.all {
			for i := range r.bits {
				r.bits[i] = ^uint64(0)
			}
		}
	}
	return r.bits
}

// fieldsOf gives, for each instruction of a function, the fields that may be
// read from there to its end: data flow backwards, as for registers.
func (a *analysis) fieldsOf(fn *Func) []bitset {
	l := a.of(fn)
	if l.fields != nil {
		return l.fields
	}
	l.fields = make([]bitset, len(fn.Code)+1)
	for i := range l.fields {
		l.fields[i] = make(bitset, len(a.prog.Symbols)/64+1)
	}
	guarded := guardedBy(fn)
	fixpoint(fn, func(pc int, in *Ins) bool {
		now := l.fields[pc]
		changed := false
		join := func(b bitset) {
			if now.join(b) {
				changed = true
			}
		}
		if falls(in.Op) {
			join(l.fields[pc+1])
		}
		if in.Op.Jumps() {
			join(l.fields[in.C])
		}
		for _, at := range guarded[pc] {
			join(l.fields[at])
		}
		switch in.Op {
		case GetF:
			if !now.has(in.C) {
				now.add(in.C)
				changed = true
			}
		case Call:
			join(a.bits(a.reach(root{a.prog.Slots[in.B], false})))
		case CallV:
			for _, r := range a.targets(fn, pc, false) {
				join(a.bits(a.reach(r)))
			}
		}
		return changed
	})
	return l.fields
}

// ahead works out which words may be read from an instruction of a function on.
func (a *analysis) ahead(fn *Func, pc int) *reach {
	r := &reach{words: map[int]bool{}}
	join := func(x *reach) {
		for at := range x.words {
			r.words[at] = true
		}
		r.all = r.all || x.all
	}
	guarded := guardedBy(fn)
	seen := make([]bool, len(fn.Code)+1)
	for todo := []int{pc}; len(todo) > 0; {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[pc] || pc >= len(fn.Code) {
			continue
		}
		seen[pc] = true
		in := &fn.Code[pc]
		if at, ok := reads(in); ok {
			r.words[at] = true
		}
		switch in.Op {
		case Call:
			join(a.reach(root{a.prog.Slots[in.B], false}))
		case CallV:
			for _, t := range a.targets(fn, pc, false) {
				join(a.reach(t))
			}
		}
		if falls(in.Op) {
			todo = append(todo, pc+1)
		}
		if in.Op.Jumps() {
			todo = append(todo, int(in.C))
		}
		todo = append(todo, guarded[pc]...)
	}
	return r
}

// soon says what may still be read from where the machine is.
func (s *Saver) soon() *future {
	m := s.m
	key := append(s.key[:0], byte(len(s.Future)), byte(len(s.Future)>>8))
	for i := range m.frames {
		f := &m.frames[i]
		id := s.a.of(f.fn).id
		key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(f.pc), byte(f.pc>>8), byte(f.pc>>16))
	}
	s.key = key
	if x := s.futures[string(key)]; x != nil {
		return x
	}
	x := &future{fields: make(bitset, len(m.Prog.Symbols)/64+1), words: make([]bool, len(s.base))}
	places := map[int]bool{}
	all := false
	add := func(r *reach) {
		for at := range r.words {
			places[at] = true
		}
		all = all || r.all
	}
	for i := range m.frames {
		f := &m.frames[i]
		x.fields.join(s.a.fieldsOf(f.fn)[f.pc])
		add(s.a.ahead(f.fn, int(f.pc)))
	}
	for _, f := range s.Future {
		r := s.a.reach(root{f, false})
		x.fields.join(s.a.bits(r))
		add(r)
	}
	for at := range x.words {
		x.words[at] = all || places[at] || s.symbol[at] == header || s.symbol[at] >= 0 && x.fields.has(s.symbol[at])
	}
	s.futures[string(key)] = x
	return x
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
