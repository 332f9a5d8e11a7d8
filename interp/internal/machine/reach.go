package machine

import (
	"maps"
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// reach is what may happen once a function is called: what all functions that it
// may lead to may do. Who is called by name is in the code. Who is called by
// value is a handler of a feature, tactics, what resets a field, or a rule that
// stands in the code or in the store as a value.
type reach struct {
	throws bool     // may need chance or choice
	last   bool     // may read the values of the last outcome
	all    bool     // may do anything: something cannot be linked
	met    []*local // the functions
	known  bool     // the following have been looked at
	reading
}

// reading is what is read of the store.
type reading struct {
	fields bitset // see fieldRead
	words  bitset // see wordRead
}

func (r *reading) join(o *reading) {
	r.fields.join(o.fields)
	r.words.join(o.words)
}

// root is where a reach begins: a function, or, without one, whatever may be
// called by value. Handlers and resets count of types of which there is an
// instance or one may be made on the way, or, with every, of all types.
type root struct {
	fn    *code.Func
	every bool
}

func withBases(types []*code.Type, t *code.Type) []*code.Type {
	for ; t != nil && !slices.Contains(types, t); t = t.Base {
		types = append(types, t)
	}
	return types
}

func (a *analysis) rulesIn(h *value.Heap, v V, out []*code.Func) []*code.Func {
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

func (a *analysis) linked(fn *code.Func) bool {
	return fn.Code != nil || a.prog.Link(fn) == nil
}

func isRule(v V) bool { return v.Kind() == value.Rule }

// reach works out what may happen from a root on.
func (a *analysis) reach(from root) *reach {
	if r := a.reached[from]; r != nil {
		return r
	}
	r := &reach{met: make([]*local, 0, 64)}
	a.reached[from] = r
	a.stamp++
	add := func(ls []*local) {
		for _, l := range ls {
			if l.stamp != a.stamp {
				l.stamp = a.stamp
				r.met = append(r.met, l)
			}
		}
	}
	types := slices.Clip(a.types)
	if from.every {
		types = a.prog.Types
	}
	byValue, typed := false, 0 // how many types have been looked at
	value := func() {
		if !byValue {
			byValue = true
			add(a.byValue())
		}
	}
	handlers := func() {
		for ; byValue && typed < len(types); typed++ {
			add(a.handlers(types[typed]))
		}
	}
	if from.fn != nil {
		add([]*local{a.local(from.fn)})
	} else {
		value()
		handlers()
	}
	for i := 0; i < len(r.met); i++ {
		l := r.met[i]
		a.open(l)
		r.throws, r.last, r.all = r.throws || l.throws, r.last || l.last, r.all || l.all
		add(l.calls)
		if !from.every {
			for _, t := range l.news {
				types = withBases(types, a.prog.Types[t])
			}
		}
		if l.byValue {
			value()
		}
		handlers()
	}
	return r
}

// reads gives what may be read from a root on.
func (a *analysis) reads(from root) *reach {
	r := a.reach(from)
	if !r.known {
		r.known = true
		r.reading = a.nothing()
		for _, l := range r.met {
			r.join(a.readBy(l))
		}
	}
	return r
}

// local is what the code of a function itself does.
type local struct {
	fn    *code.Func
	stamp int  // of the reach that met it last
	seen  bool // the following have been looked at

	throws, last, byValue bool
	all                   bool // it cannot be linked
	calls                 []*local
	news                  []int   // types of which it makes instances
	asked                 []int   // values of the last outcome that it reads, by place
	sets                  []int32 // fields that it changes
	puts                  []int32 // words of the store that it writes by their place

	known bool // this has been
	reading
}

func (a *analysis) local(f *code.Func) *local {
	l := a.locals[f]
	if l == nil {
		l = &local{fn: f}
		a.locals[f] = l
	}
	return l
}

func (a *analysis) localsOf(fs []*code.Func) []*local {
	out := make([]*local, len(fs))
	for i, f := range fs {
		out[i] = a.local(f)
	}
	return out
}

// open looks at whom a function calls and what it makes.
func (a *analysis) open(l *local) {
	if l.seen {
		return
	}
	l.seen = true
	if !a.linked(l.fn) {
		l.throws, l.last, l.all = true, true, true
		return
	}
	for i := range l.fn.Code {
		in := &l.fn.Code[i]
		l.throws = l.throws || in.Throws()
		if at, ok := in.WordRead(); ok && a.isLast(at) {
			l.last = true
			l.asked = append(l.asked, at)
		}
		switch in.Op {
		case code.Call:
			l.calls = append(l.calls, a.local(a.prog.Slots[in.B]))
		case code.LoadK:
			if v := in.Constant(); isRule(v) {
				l.calls = append(l.calls, a.local(a.prog.Slots[v.RuleNumber()]))
			}
		case code.New:
			l.news = append(l.news, int(in.B))
		case code.CallV:
			l.byValue = true
		case code.SetF:
			l.sets = append(l.sets, in.C)
		case code.SetAt:
			l.puts = append(l.puts, in.B)
		}
	}
}

// changes gives the words of the base that functions may change.
func (s *Saver) changes(funcs []*code.Func) []bool {
	a := s.a
	fields := map[int32]bool{}
	words := make([]bool, len(s.base))
	for _, f := range funcs {
		if f == nil {
			continue
		}
		for _, l := range a.reach(root{f, false}).met {
			for _, sym := range l.sets {
				fields[sym] = true
			}
			for _, at := range l.puts {
				words[at] = true
			}
		}
	}
	for at, sym := range a.symbol[:len(words)] {
		words[at] = words[at] || fields[sym]
	}
	return words
}

// readBy gives what a function itself reads.
func (a *analysis) readBy(l *local) *reading {
	if l.known {
		return &l.reading
	}
	l.known = true
	l.reading = a.nothing()
	if l.all {
		for _, b := range []bitset{l.fields, l.words} {
			for i := range b {
				b[i] = ^uint64(0)
			}
		}
		return &l.reading
	}
	for i := range l.fn.Code {
		if at, use := a.wordRead(l.fn, i); use != Dead {
			l.words.use(at, use)
		}
		if l.fn.Code[i].Op == code.GetF {
			a.fieldRead(l.fn, i, l.fields.add)
		}
	}
	return &l.reading
}

// byValue gives what may be called by value, other than handlers and what resets
// fields.
func (a *analysis) byValue() []*local {
	if a.valued == nil {
		fs := slices.Clone(a.stored)
		for _, t := range a.prog.Tactics {
			fs = append(fs, a.tactics(t)...)
		}
		if a.prog.Default != nil {
			fs = append(fs, a.tactics(a.prog.Default)...)
		}
		a.valued = a.localsOf(fs)
	}
	return a.valued
}

// handlers gives the handlers of a type and what resets its fields.
func (a *analysis) handlers(t *code.Type) []*local {
	ls, ok := a.handling[t]
	if !ok {
		for _, s := range slices.Concat(sortedHandlers(t), t.Resets) {
			if s >= 0 {
				ls = append(ls, a.local(a.prog.Slots[s]))
			}
		}
		a.handling[t] = ls
	}
	return ls
}

// sortedHandlers gives the handlers of a type in an order that is always the same.
func sortedHandlers(t *code.Type) []int {
	var out []int
	for _, s := range t.Handlers {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

func (a *analysis) tactics(t *code.Tactics) []*code.Func {
	var out []*code.Func
	for _, s := range t.On {
		out = append(out, a.prog.Slots[s])
	}
	slices.SortFunc(out, func(x, y *code.Func) int { return compareNames(x.Name, y.Name) })
	for _, s := range []int{t.Turn, t.When, t.Else} {
		if s >= 0 {
			out = append(out, a.prog.Slots[s])
		}
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

// calls gives the roots of what the instruction at pc may call, or has somebody
// else call who is given it as a value.
func (a *analysis) calls(fn *code.Func, pc int, every bool) []root {
	switch in := &fn.Code[pc]; in.Op {
	case code.Call:
		return []root{{a.prog.Slots[in.B], every}}
	case code.CallV:
		return a.targets(fn, pc, every)
	case code.LoadK:
		if v := in.Constant(); isRule(v) {
			return []root{{a.prog.Slots[v.RuleNumber()], every}}
		}
	}
	return nil
}

// targets gives the roots of what the call by value at pc may call. What it calls
// was put into its register shortly before.
func (a *analysis) targets(fn *code.Func, pc int, every bool) []root {
	for i := pc - 1; i >= 0; i-- {
		in := &fn.Code[i]
		if in.A != fn.Code[pc].A {
			continue
		}
		if in.Op != code.Handler {
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
	fields bitset // see fieldRead
	words  []Use  // of the base
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

// asks says what is asked of the last outcome when all functions are done: with
// all everything, else only what they read themselves.
func (s *Saver) asks(funcs []*code.Func, all bool) {
	a := s.a
	read := map[int]bool{}
	for _, f := range funcs {
		for _, l := range a.reach(root{f, true}).met {
			for _, at := range l.asked {
				read[at] = true
			}
		}
	}
	if a.lastAll == all && maps.Equal(a.lastRead, read) {
		return
	}
	a.lastAll, a.lastRead = all, read
	// what is known to be read took other values to be asked for
	for _, r := range a.reached {
		r.known = false
	}
	for _, l := range a.locals {
		l.known = false
	}
	for _, l := range a.fns {
		l.fields = nil
	}
}

// fieldsOf gives, for each instruction of a function, the fields that may be
// read from there to its end: data flow backwards, as for registers.
func (a *analysis) fieldsOf(fn *code.Func) []bitset {
	l := a.of(fn)
	if l.fields != nil {
		return l.fields
	}
	l.fields = make([]bitset, len(fn.Code)+1)
	size := len(a.nothing().fields)
	flat := make(bitset, size*len(l.fields))
	for i := range l.fields {
		l.fields[i] = flat[i*size : (i+1)*size : (i+1)*size]
	}
	guarded := fn.Guarded()
	// what each instruction itself reads, with what it calls
	for pc := range fn.Code {
		if fn.Code[pc].Op == code.GetF {
			a.fieldRead(fn, pc, l.fields[pc].add)
		}
		for _, r := range a.calls(fn, pc, false) {
			l.fields[pc].join(a.reads(r).fields)
		}
	}
	fixpoint(fn, func(pc int, in *code.Ins) bool {
		now := l.fields[pc]
		changed := false
		if in.Op.Falls() {
			changed = now.join(l.fields[pc+1])
		}
		if in.Op.Jumps() {
			changed = now.join(l.fields[in.C]) || changed
		}
		for _, at := range guarded.At(pc) {
			changed = now.join(l.fields[at]) || changed
		}
		return changed
	})
	return l.fields
}

// ahead adds the words that may be read from an instruction of a function on. It says
// whether that may be all.
func (a *analysis) ahead(fn *code.Func, pc int, words bitset) (all bool) {
	fn.Visit(pc, func(pc int) bool {
		if at, use := a.wordRead(fn, pc); use != Dead {
			words.use(at, use)
		}
		for _, r := range a.calls(fn, pc, false) {
			x := a.reads(r)
			words.join(x.words)
			all = all || x.all
		}
		return true
	})
	return all
}

// soon says what may still be read from where the machine is.
func (s *Saver) soon() *future {
	m := s.m
	key := append(s.key[:0], byte(len(s.future)), byte(len(s.future)>>8))
	for i := range m.frames {
		f := &m.frames[i]
		id := s.a.of(f.fn).id
		key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(f.pc), byte(f.pc>>8), byte(f.pc>>16))
	}
	// rules at hand, which may be called by value
	var rules []*code.Func
	for i := range m.frames {
		base := int(m.frames[i].base)
		s.live(i).each(func(r int) { rules = s.a.rulesIn(m.Heap, m.stack[base+r], rules) })
	}
	for _, f := range rules {
		s.a.linked(f)
		id := s.a.of(f).id
		key = append(key, byte(id), byte(id>>8), byte(id>>16))
	}
	s.key = key
	if x := s.futures[string(key)]; x != nil {
		return x
	}
	may := s.a.nothing()
	x := &future{fields: may.fields, words: make([]Use, len(s.base))}
	all := false
	for i := range m.frames {
		f := &m.frames[i]
		x.fields.join(s.a.fieldsOf(f.fn)[f.pc])
		all = s.a.ahead(f.fn, int(f.pc), may.words) || all
	}
	for _, f := range slices.Concat(s.future, rules) {
		r := s.a.reads(root{f, false})
		may.join(&r.reading)
		all = all || r.all
	}
	for at := range x.words {
		use, sym := may.words.used(at), s.a.symbol[at]
		switch {
		case all || sym == header || s.a.lastAll && s.a.isLast(at):
			use = Live
		case sym >= 0 && x.fields.has(readForMore(sym)):
			use = Live
		case sym >= 0 && x.fields.has(readAtAll(sym)):
			use = max(use, Faint)
		}
		x.words[at] = use
	}
	s.keepOut(x.words)
	s.futures[string(key)] = x
	return x
}

// What symbols says of words that are no fields.
const (
	header = -1 // of an instance, or a field that the machine itself reads
	cell   = -2 // a variable of the script
)

// symbols gives, for each word of the store, the symbol of the field it is.
func symbols(m *Machine) []int32 {
	symbol := make([]int32, len(m.Store))
	for i := range symbol {
		symbol[i] = cell
	}
	for _, off := range m.Prog.Live {
		t := m.TypeOf(off)
		for i := range code.Header {
			symbol[off+i] = header
		}
		for i := range t.Fields {
			f := &t.Fields[i]
			symbol[off+code.Header+i] = int32(f.Sym)
			if _, stated := m.Prog.Stated[off+code.Header+i]; stated || f.Until || f.Many && f.Check == code.IsList {
				symbol[off+code.Header+i] = header
			}
		}
	}
	return symbol
}
