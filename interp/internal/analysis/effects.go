package analysis

import (
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// Effects is what may happen once a function is called: what all functions that it
// may lead to may do. Who is called by name is in the code. Who is called by
// value is a handler of a feature, tactics, what resets a field, or a rule that
// stands in the code or in the store as a value. Handlers and resets are those of the
// types of which there is a long-lived instance: records that rules make have no handlers,
// and are gone before anything is reset.
//
// Functions that may lead to one another have the same Effects: they are a strongly connected
// component of the call graph (Tarjan, Depth-first search and linear graph algorithms, 1972).
type Effects struct {
	Throws    bool       // may need chance or choice
	ReadsLast bool       // may read the values of the last outcome
	Anything  bool       // may do anything: something cannot be linked
	own       []*Body    // the functions of the component
	calls     []*Effects // of what these call beside one another
	stamp     int        // of what has come here last
	bodies    []*Body    // see Bodies
	known     bool       // the following have been looked at
	ReadSet
}

// ReadSet is what is read of the store.
type ReadSet struct {
	fields bitset // see fieldRead
	Words  bitset // see wordRead
}

func (r *ReadSet) join(o *ReadSet) {
	r.fields.join(o.fields)
	r.Words.join(o.Words)
}

func withBases(types []*code.Type, t *code.Type) []*code.Type {
	for ; t != nil && !slices.Contains(types, t); t = t.Base {
		types = append(types, t)
	}
	return types
}

func (a *Analysis) RulesIn(h *value.Heap, v V, out []*code.Func) []*code.Func {
	switch v.Kind() {
	case value.Rule:
		out = append(out, a.prog.Slots[v.RuleNumber()])
	case value.List:
		for _, e := range h.Elems(v) {
			out = a.RulesIn(h, e, out)
		}
	}
	return out
}

func (a *Analysis) Linked(fn *code.Func) bool {
	return fn.Code != nil || a.prog.Link(fn) == nil
}

func isRule(v V) bool { return v.Kind() == value.Rule }

// Effects works out what may happen once a function is called, or, with nil, once
// something is called by value.
func (a *Analysis) Effects(of *code.Func) *Effects {
	l := a.body(of)
	if l.effects == nil {
		a.connect(l)
	}
	return l.effects
}

// connect finds the component of a function, and those that it leads to. The functions that it is about to
// find them of lie on a.pending; low is the first of them that a function is known to lead to.
func (a *Analysis) connect(l *Body) {
	a.open(l)
	a.visited++
	l.number, l.low = a.visited, a.visited
	at := len(a.pending)
	a.pending = append(a.pending, l)
	for _, c := range l.calls {
		if c.number == 0 {
			a.connect(c)
		}
		if c.effects == nil {
			l.low = min(l.low, c.low)
		}
	}
	if l.low < l.number {
		return // it leads back to one before it
	}
	r := &Effects{own: slices.Clone(a.pending[at:])}
	a.pending = a.pending[:at]
	a.components = append(a.components, r)
	for _, l := range r.own {
		l.effects = r
	}
	a.stamp++
	r.stamp = a.stamp
	for _, l := range r.own {
		r.Throws, r.ReadsLast, r.Anything = r.Throws || l.throws, r.ReadsLast || l.readsLast, r.Anything || l.Anything
		for _, c := range l.calls {
			x := c.effects
			if x.stamp == a.stamp {
				continue
			}
			x.stamp = a.stamp
			r.calls = append(r.calls, x)
			r.Throws, r.ReadsLast, r.Anything = r.Throws || x.Throws, r.ReadsLast || x.ReadsLast, r.Anything || x.Anything
		}
	}
}

// Bodies gives the functions that a function may lead to, with itself.
func (a *Analysis) Bodies(of *code.Func) []*Body {
	r := a.Effects(of)
	if r.bodies != nil {
		return r.bodies
	}
	a.stamp++
	r.stamp = a.stamp
	for todo := []*Effects{r}; len(todo) > 0; {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, l := range x.own {
			if l.Fn != nil {
				r.bodies = append(r.bodies, l)
			}
		}
		for _, c := range x.calls {
			if c.stamp != a.stamp {
				c.stamp = a.stamp
				todo = append(todo, c)
			}
		}
	}
	return r.bodies
}

// Reads gives what may be read once a function is called.
func (a *Analysis) Reads(of *code.Func) *Effects {
	r := a.Effects(of)
	a.read(r)
	return r
}

func (a *Analysis) read(r *Effects) {
	if r.known {
		return
	}
	r.known, r.ReadSet = true, a.noReads()
	for _, l := range r.own {
		a.readBy(l, &r.ReadSet)
	}
	for _, x := range r.calls {
		a.read(x)
		r.join(&x.ReadSet)
	}
}

// Body is what the code of a function itself does. That of no function is what is called by value.
type Body struct {
	Fn      *code.Func
	number  int // see connect; 0: not yet
	low     int
	effects *Effects // of its component; nil: not known yet

	throws, readsLast bool
	Anything          bool // it cannot be linked
	calls             []*Body
	asked             []int   // values of the last outcome that it reads, by place
	sets              []int32 // fields that it changes
	puts              []int32 // words of the store that it writes by their place
}

func (a *Analysis) body(f *code.Func) *Body {
	l := a.locals[f]
	if l == nil {
		l = &Body{Fn: f}
		a.locals[f] = l
	}
	return l
}

func (a *Analysis) bodies(fs []*code.Func) []*Body {
	out := make([]*Body, len(fs))
	for i, f := range fs {
		out[i] = a.body(f)
	}
	return out
}

// open looks at whom a function calls and what it writes.
func (a *Analysis) open(l *Body) {
	if l.Fn == nil {
		l.calls = a.byValue()
		return
	}
	if !a.Linked(l.Fn) {
		l.throws, l.readsLast, l.Anything = true, true, true
		return
	}
	for i := range l.Fn.Code {
		in := &l.Fn.Code[i]
		l.throws = l.throws || in.Throws()
		if at, ok := in.WordRead(); ok && a.isLast(at) {
			l.readsLast = true
			l.asked = append(l.asked, at)
		}
		switch in.Op {
		case code.Call:
			l.calls = append(l.calls, a.body(a.prog.Slots[in.B]))
		case code.LoadK, code.RetK:
			if v := in.Constant(); isRule(v) {
				l.calls = append(l.calls, a.body(a.prog.Slots[v.RuleNumber()]))
			}
		case code.CallV:
			l.calls = append(l.calls, a.body(nil))
		case code.SetF, code.DefaultF:
			l.sets = append(l.sets, in.C)
		case code.SetAt:
			l.puts = append(l.puts, in.B)
		}
	}
}

// readBy adds what a function itself reads.
func (a *Analysis) readBy(l *Body, to *ReadSet) {
	switch {
	case l.Fn == nil:
		return
	case l.Anything:
		for _, b := range []bitset{to.fields, to.Words} {
			for i := range b {
				b[i] = ^uint64(0)
			}
		}
		return
	}
	for i := range l.Fn.Code {
		if at, use := a.wordRead(l.Fn, i); use != Dead {
			to.Words.use(at, use)
		}
		if l.Fn.Code[i].Op == code.GetF {
			a.fieldRead(l.Fn, i, to.fields.add)
		}
	}
}

// byValue gives what may be called by value.
func (a *Analysis) byValue() []*Body {
	fs := slices.Clone(a.stored)
	for _, t := range a.prog.Tactics {
		fs = append(fs, a.tactics(t)...)
	}
	if a.prog.Default != nil {
		fs = append(fs, a.tactics(a.prog.Default)...)
	}
	for _, t := range a.types {
		for _, s := range slices.Concat(sortedHandlers(t), t.Resets) {
			if s >= 0 {
				fs = append(fs, a.prog.Slots[s])
			}
		}
	}
	return a.bodies(fs)
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

func (a *Analysis) tactics(t *code.Tactics) []*code.Func {
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

// calls gives what the instruction at pc may call, or has somebody else call who is
// given it as a value; nil stands for anything that is called by value.
func (a *Analysis) calls(fn *code.Func, pc int) []*code.Func {
	switch in := &fn.Code[pc]; in.Op {
	case code.Call:
		return a.prog.Slots[in.B : in.B+1]
	case code.CallV:
		return anyByValue
	case code.LoadK, code.RetK:
		if v := in.Constant(); isRule(v) {
			return a.prog.Slots[v.RuleNumber():][:1]
		}
	}
	return nil
}

// anyByValue is what calls gives where anything may be called by value.
var anyByValue = []*code.Func{nil}

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

// fieldsOf gives, for each instruction of a function, the fields that may be
// read from there to its end: data flow backwards, as for registers.
func (a *Analysis) fieldsOf(fn *code.Func) []bitset {
	l := a.Liveness(fn)
	if l.fields != nil {
		return l.fields
	}
	l.fields = make([]bitset, len(fn.Code)+1)
	size := len(a.noReads().fields)
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
		for _, r := range a.calls(fn, pc) {
			l.fields[pc].join(a.Reads(r).fields)
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
func (a *Analysis) ahead(fn *code.Func, pc int, words bitset) (all bool) {
	fn.Visit(pc, func(pc int) bool {
		if at, use := a.wordRead(fn, pc); use != Dead {
			words.use(at, use)
		}
		for _, r := range a.calls(fn, pc) {
			x := a.Reads(r)
			words.join(x.Words)
			all = all || x.Anything
		}
		return true
	})
	return all
}

// What symbols says of words that are no fields.
const (
	header = -1 // of an instance, or a field that the machine itself reads
	cell   = -2 // a variable of the script
)

// symbols gives, for each word of the store, the symbol of the field it is.
func symbols(prog *code.Program, store []V) []int32 {
	symbol := make([]int32, len(store))
	for i := range symbol {
		symbol[i] = cell
	}
	for _, off := range prog.Live {
		t := prog.TypeOf(store, off)
		for i := range code.Header {
			symbol[off+i] = header
		}
		for i := range t.Fields {
			f := &t.Fields[i]
			symbol[off+code.Header+i] = int32(f.Sym)
			if _, stated := prog.Stated[off+code.Header+i]; stated || f.Until || f.Many && f.Check == code.IsList {
				symbol[off+code.Header+i] = header
			}
		}
	}
	return symbol
}

// ReadFirst says whether a word may be read from an instruction of a function on before
// it is written.
func (a *Analysis) ReadFirst(fn *code.Func, pc, word int) (read bool) {
	fn.Visit(pc, func(pc int) bool {
		in := &fn.Code[pc]
		at, ok := in.WordRead()
		read = read || ok && at == word
		for _, r := range a.calls(fn, pc) {
			x := a.Reads(r)
			read = read || x.Anything || x.Words.Used(word) != Dead
		}
		return !read && !(in.Op == code.SetAt && int(in.B) == word)
	})
	return read
}

// ReadsField says whether a field may be read.
func (r *ReadSet) ReadsField(sym int32) bool { return r.fields.has(readAtAll(sym)) }
