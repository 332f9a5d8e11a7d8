package compile

import (
	"slices"

	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Specialising makes the code of one command that is run very often.
//
// A rule is written for every check there can be; a command says which one is
// meant. So the command's calls are followed at compile time, with what is
// known there (the character, the Traits, which clauses were given, which
// rulings hold, the fields that nothing assigns), and only what depends on
// dice, on the state or on a decision is left over as code. In
//
//	rule bonus(s) { if s.linked != none { s.total += tier_bonus(s.linked.tier) } }
//
// a command without a link leaves nothing, and one with a link leaves one
// addition of a constant.
//
// It is an online partial evaluation of the resolved tree. An abstract value
// (av) is a constant, a residual expression over registers, a record whose
// fields are themselves abstract values, or a list of abstract values. Records
// made with new and never seen by residual code need no place in the store at
// all. Where a condition is not known both branches are followed from copies
// of the abstract state, and the states are joined behind them: what differs
// gets a register that each branch sets. Registers are set once on each path,
// so residual expressions stay valid.
//
// What cannot be followed (a loop whose length is not known, say) is left as a
// call of the rule as it was written: the innermost rule around it is called
// with its records put into the store ("materialised"). So specialised and
// plain code always do the same; a test runs the whole corpus both ways.
type pe struct {
	w          *World
	regs       int
	out        *[]*node
	recs       []record
	fns        map[int]*fnBody
	depth      int
	steps      int
	unattended bool
	changes    int // of the abstract state or the residual code, to see whether an expression had effects
	exits      []*exitPoint
	busy       map[int]int   // rules being followed, by number
	faces      map[int]*node // the face of the die thrown into a register
	known
}

// fnBody is a resolved rule.
type fnBody struct {
	body *node
	regs int
	name string
}

type avKind uint8

const (
	avNode avKind = iota // a residual expression; a constant is one of op nConst
	avRec
	avList
)

// av is an abstract value.
type av struct {
	kind avKind
	n    *node
	rec  int
	list []av
	num  bool // certainly a number
	die  bool // certainly a die
	any  []V  // when not nil: certainly one of these
	bool bool // certainly yes or no
}

// record is a record that exists at compile time only, until it is real.
type record struct {
	typ    *machine.Type
	fields []av
	header [machine.Header]av
	real   *node // the register with its reference, once it is in the store
}

// state is what the join of two paths has to bring together.
type state struct {
	env  []av
	recs []record
	known
}

// known is what is known on a path beyond the variables: what store words hold,
// and how conditions came out.
type known struct {
	mem   map[int]av
	facts map[fact]bool
}

// fact is a condition about a register: a comparison with a constant, or, with
// op Nop, its own truth.
type fact struct {
	op  machine.Op
	reg int
	v   V
}

// exitPoint collects the paths that leave a call or a loop.
type exitPoint struct {
	paths []track
}

type track struct {
	st  *state
	out *[]*node
	val av
}

// flow says how a statement ended.
type flow bool

const (
	goesOn flow = false
	ended  flow = true
)

// giveUp is the panic with which the innermost call is left as a plain call.
type giveUp struct{ why string }

const (
	maxFollow = 400_000 // nodes looked at
	maxDepth  = 80
	maxUnroll = 64
	maxOpen   = 6 // iterations of a loop whose condition is not known
)

// Specialise makes the statement functions of a compiled script anew for what
// is known now. Unattended says that nobody answers decisions, so that each
// takes its default. What cannot be specialised stays as it is.
func (w *World) Specialise(stmts []Statement, unattended bool) {
	for _, st := range stmts {
		if st.body == nil {
			continue
		}
		w.specialise(st, unattended)
	}
}

func (w *World) specialise(st Statement, unattended bool) {
	p := &pe{w: w, fns: map[int]*fnBody{}, unattended: unattended, busy: map[int]int{}, faces: map[int]*node{}, known: known{map[int]av{}, map[fact]bool{}}}
	var out []*node
	p.out = &out
	p.regs = st.regs
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(giveUp); !ok {
				panic(r)
			}
		}
	}()
	env := make([]av, st.regs)
	for i := range env {
		env[i] = constAv(value.None, st.At)
	}
	p.follow(st.body, env)
	body := &node{op: nSeq, kids: prune(out), at: st.At, rule: -1}
	mf := &machine.Func{Name: st.Func.Name, Region: true, Source: st.Func.Source}
	generate(w, mf, &fn{regs: p.regs}, body)
	*st.Func = *mf
}

func constAv(v V, at lang.Span) av {
	return nodeAv(&node{op: nConst, v: v, at: at, rule: -1})
}

func nodeAv(n *node) av {
	a := av{n: n}
	switch n.op {
	case nConst:
		a.num = n.v.IsNumber()
		a.bool = n.v == value.Yes || n.v == value.No
	case nBin:
		switch machine.Op(n.a) {
		case machine.Eq, machine.Ne, machine.Lt, machine.Le, machine.Gt, machine.Ge, machine.In:
			a.bool = true
		case machine.Sub, machine.Div:
			a.num = true
		}
	case nNot:
		a.bool = true
	case nNeg:
		a.num = true
	}
	return a
}

// n0 gives the register of a value, -1 when it is in none.
func (a av) n0() int {
	if a.kind == avNode && a.n.op == nLocal {
		return a.n.a
	}
	return -1
}

func (a av) isConst() bool { return a.kind == avNode && a.n.op == nConst }

func (a av) is(v V) bool { return a.isConst() && a.n.v == v }

func (p *pe) giveUp(why string) { panic(giveUp{why}) }

func (p *pe) look() {
	if p.steps++; p.steps > maxFollow {
		p.giveUp("too much to follow")
	}
}

func (p *pe) emit(n *node) {
	p.changes++
	*p.out = append(*p.out, n)
}

// reg gives a new register as a residual expression.
func (p *pe) reg(at lang.Span) *node {
	p.regs++
	return &node{op: nLocal, a: p.regs - 1, at: at, rule: -1}
}

// force makes an abstract value a constant or a register.
func (p *pe) force(a av) av {
	if a.kind != avNode || a.n.op == nConst || a.n.op == nLocal {
		return a
	}
	r := p.reg(a.n.at)
	p.emit(&node{op: nSet, a: r.a, kids: []*node{a.n}, at: a.n.at, rule: a.n.rule})
	return av{n: r, num: a.num, bool: a.bool, die: a.die, any: a.any}
}

// leaf gives a value as residual code can use it: records are put into the
// store, lists are made.
func (p *pe) leaf(a av, at lang.Span) *node {
	switch a.kind {
	case avRec:
		return p.materialise(a.rec, at)
	case avList:
		l := &node{op: nList, at: at, rule: -1}
		for _, x := range a.list {
			l.kids = append(l.kids, p.leaf(x, at))
		}
		n := fold(p.w, l)
		return p.force(nodeAv(n)).n
	}
	return p.force(a).n
}

// materialise puts a record into the store and gives its register.
func (p *pe) materialise(id int, at lang.Span) *node {
	r := &p.recs[id]
	if r.real != nil {
		return r.real
	}
	reg := p.reg(at)
	r.real = reg
	p.emit(&node{op: nSet, a: reg.a, kids: []*node{{op: nMake, a: r.typ.ID, at: at, rule: -1}}, at: at, rule: -1})
	for h, v := range r.header {
		if h >= machine.AtName && h <= machine.AtFeatures && !v.is(r.typ.Template[h]) {
			p.emit(&node{op: nHeader, a: h, kids: []*node{reg, p.leaf(v, at)}, at: at, rule: -1})
		}
	}
	for i := range r.typ.Fields {
		v := p.recs[id].fields[i]
		if v.is(r.typ.Template[machine.Header+i]) {
			continue
		}
		p.emit(&node{op: nSetField, a: r.typ.Fields[i].Sym, b: 1, kids: []*node{reg, p.leaf(v, at)}, at: at, rule: -1})
	}
	return reg
}

func (p *pe) snapshot(env []av) *state {
	st := &state{env: slices.Clone(env), recs: slices.Clone(p.recs), known: p.known.clone()}
	for i := range st.recs {
		st.recs[i].fields = slices.Clone(st.recs[i].fields)
	}
	return st
}

// restore makes st the state; it must not be used again.
func (p *pe) restore(st *state, env []av) {
	copy(env, st.env)
	p.recs, p.known = st.recs, st.known
}

// join brings the paths together. The env and records are then those of all of
// them; the value too.
func (p *pe) join(paths []track, env []av, at lang.Span) av {
	if len(paths) == 1 {
		p.restore(paths[0].st, env)
		return paths[0].val
	}
	n := len(paths[0].st.recs)
	for _, q := range paths[1:] {
		n = min(n, len(q.st.recs))
	}
	// A record that is real on one path has to be so on all, and so has one that
	// stands where another path has something else.
	for again := true; again; {
		again = p.settleRecs(paths, env, n, at)
		for id := range n {
			some, all := false, true
			for _, q := range paths {
				if q.st.recs[id].real != nil {
					some = true
				} else {
					all = false
				}
			}
			if some && !all {
				for i := range paths {
					p.on(&paths[i], func() { p.materialise(id, at) })
				}
				again = true
			}
		}
	}
	for id := range n {
		p.joinReal(paths, id, at)
	}
	for i := range env {
		env[i] = p.phi(paths, at, func(st *state) *av { return &st.env[i] })
	}
	base := paths[0].st
	recs := make([]record, n)
	for id := range n {
		recs[id] = base.recs[id]
		recs[id].fields = slices.Clone(base.recs[id].fields)
		if recs[id].real != nil {
			continue
		}
		for i := range recs[id].fields {
			recs[id].fields[i] = p.phi(paths, at, func(st *state) *av { return &st.recs[id].fields[i] })
		}
	}
	vals := make([]av, len(paths))
	for i := range paths {
		vals[i] = paths[i].val
	}
	val := p.phiOf(paths, vals, at)
	for _, a := range append(slices.Clone(env), val) {
		p.checkRecs(a, n)
	}
	p.recs = recs
	p.known = common(paths)
	return val
}

// settleRecs makes real the records that stand, on one path, where the paths
// differ; it says whether there were any.
func (p *pe) settleRecs(paths []track, env []av, n int, at lang.Span) bool {
	any := false
	place := func(get func(q *track) *av) {
		first := *get(&paths[0])
		same := true
		for i := range paths[1:] {
			same = same && equalAv(first, *get(&paths[i+1]))
		}
		if same {
			return
		}
		for i := range paths {
			q := &paths[i]
			for _, id := range recsIn(*get(q), nil) {
				if id >= n {
					p.giveUp("a record of one branch is used behind it")
				}
				if q.st.recs[id].real == nil {
					p.on(q, func() { p.materialise(id, at) })
					any = true
				}
			}
		}
	}
	for i := range env {
		place(func(q *track) *av { return &q.st.env[i] })
	}
	place(func(q *track) *av { return &q.val })
	for id := range n {
		if paths[0].st.recs[id].real != nil {
			continue
		}
		for i := range paths[0].st.recs[id].fields {
			place(func(q *track) *av { return &q.st.recs[id].fields[i] })
		}
	}
	return any
}

// recsIn lists the records that a value refers to.
func recsIn(a av, out []int) []int {
	if a.kind == avRec {
		out = append(out, a.rec)
	}
	for _, x := range a.list {
		out = recsIn(x, out)
	}
	return out
}

// checkRecs gives up where a value refers to a record made on one path only.
func (p *pe) checkRecs(a av, n int) {
	if a.kind == avRec && a.rec >= n {
		p.giveUp("a record of one branch is used behind it")
	}
	for _, x := range a.list {
		p.checkRecs(x, n)
	}
}

// joinReal gives a record that is real on all paths one register.
func (p *pe) joinReal(paths []track, id int, at lang.Span) {
	first := paths[0].st.recs[id].real
	if first == nil {
		return
	}
	same := true
	for _, q := range paths[1:] {
		same = same && q.st.recs[id].real.a == first.a
	}
	if same {
		return
	}
	r := p.reg(at)
	for i := range paths {
		q := &paths[i]
		*q.out = append(*q.out, &node{op: nSet, a: r.a, kids: []*node{q.st.recs[id].real}, at: at, rule: -1})
		q.st.recs[id].real = r
	}
}

// on does something at the end of a path.
func (p *pe) on(q *track, f func()) {
	out, recs := p.out, p.recs
	p.out, p.recs = q.out, q.st.recs
	f()
	q.st.recs = p.recs
	p.out, p.recs = out, recs
}

func (p *pe) phi(paths []track, at lang.Span, get func(*state) *av) av {
	vals := make([]av, len(paths))
	for i, q := range paths {
		vals[i] = *get(q.st)
	}
	return p.phiOf(paths, vals, at)
}

// phiOf joins the values of a place on several paths.
func (p *pe) phiOf(paths []track, vals []av, at lang.Span) av {
	same := true
	for _, v := range vals[1:] {
		same = same && equalAv(vals[0], v)
	}
	if same {
		return vals[0]
	}
	r := p.reg(at)
	out := av{n: r, num: true, bool: true, any: alternatives(vals)}
	for i := range paths {
		var l *node
		p.on(&paths[i], func() { l = p.leaf(vals[i], at) })
		*paths[i].out = append(*paths[i].out, &node{op: nSet, a: r.a, kids: []*node{l}, at: at, rule: -1})
		out.num = out.num && vals[i].num
		out.bool = out.bool && vals[i].bool
	}
	p.changes++
	return out
}

func equalAv(a, b av) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case avRec:
		return a.rec == b.rec
	case avList:
		return slices.EqualFunc(a.list, b.list, equalAv)
	}
	return a.n == b.n || a.n.op == b.n.op && (a.n.op == nConst && a.n.v == b.n.v || a.n.op == nLocal && a.n.a == b.n.a)
}

// branch follows two ways on from here and joins them. Each way gives a value
// and says whether it ended.
func (p *pe) branch(cond *node, env []av, at lang.Span, then, other func(env []av) (av, flow)) (av, flow) {
	var paths []track
	n := &node{op: nIf, at: at, rule: cond.rule, kids: []*node{cond, nil, nil}}
	outer := p.out
	start := p.snapshot(env)
	for i, way := range []func([]av) (av, flow){then, other} {
		if i == 1 {
			p.restore(start, env)
		}
		seq := &node{op: nSeq, at: at, rule: -1}
		n.kids[1+i] = seq
		p.out = &seq.kids
		p.assume(cond, i == 0)
		if val, fl := p.alive(env, way); fl == goesOn {
			paths = append(paths, track{p.snapshot(env), p.out, val})
		}
	}
	p.out = outer
	p.emit(n)
	if len(paths) == 0 {
		return constAv(value.None, at), ended
	}
	return p.join(paths, env, at), goesOn
}

// ---- expressions --------------------------------------------------------

func (p *pe) expr(n *node, env []av) av {
	p.look()
	switch n.op {
	case nConst:
		return nodeAv(n)
	case nLocal:
		return env[n.a]
	case nCell:
		return p.force(nodeAv(n))
	case nField:
		return p.field(p.expr(n.kids[0], env), n)
	case nFieldOr:
		return p.fieldOr(n, env)
	case nCall:
		return p.call(n.a, p.exprs(n.kids, env), n)
	case nCallV:
		f := p.expr(n.kids[0], env)
		args := p.exprs(n.kids[1:], env)
		if f.isConst() && f.n.v.Kind() == value.Rule {
			return p.call(f.n.v.RuleNumber(), args, n)
		}
		out := p.residual(n, append([]av{f}, args...))
		p.forget()
		return p.force(nodeAv(out))
	case nBuiltin:
		return p.builtin(n, p.exprs(n.kids, env))
	case nBin:
		return p.bin(n, p.expr(n.kids[0], env), p.expr(n.kids[1], env))
	case nNot:
		x := p.expr(n.kids[0], env)
		return nodeAv(fold(p.w, p.residual(n, []av{x})))
	case nNeg:
		x := p.expr(n.kids[0], env)
		return nodeAv(fold(p.w, p.residual(n, []av{x})))
	case nAnd, nOr:
		return p.logic(n, env)
	case nCond:
		return p.cond(n, env)
	case nList:
		return av{kind: avList, list: p.exprs(n.kids, env)}
	case nRange:
		return p.force(nodeAv(fold(p.w, p.residual(n, p.exprs(n.kids, env)))))
	case nIndex:
		return p.index(n, p.expr(n.kids[0], env), p.expr(n.kids[1], env))
	case nText:
		return p.text(n, env)
	case nThrow:
		d := p.expr(n.kids[0], env)
		r := *n
		r.kids = []*node{p.leaf(d, n.at)}
		r.info = nil
		thrown := p.force(nodeAv(&r))
		if r.kids[0].op == nConst && r.kids[0].v.Kind() == value.Die {
			thrown.die = true
			f := p.reg(n.at)
			p.emit(&node{op: nSet, a: f.a, kids: []*node{{op: nFace, kids: []*node{thrown.n}, at: n.at, rule: n.rule}}, at: n.at, rule: n.rule})
			p.faces[thrown.n.a] = f
		}
		return thrown
	case nChoose:
		return p.choose(n, env)
	case nComp:
		return p.comp(n, env)
	case nNew:
		return p.record(n, env)
	case nNeed:
		return p.need(n, env)
	case nElse:
		return p.orElse(n, env)
	}
	p.giveUp("an expression of an unknown kind")
	return av{}
}

func (p *pe) exprs(ns []*node, env []av) []av {
	vs := make([]av, len(ns))
	for i, n := range ns {
		// An argument is worked out before the next one changes anything.
		vs[i] = p.force(p.expr(n, env))
	}
	return vs
}

// residual copies a node with values for operands.
func (p *pe) residual(n *node, kids []av) *node {
	r := *n
	r.kids = make([]*node, len(kids))
	for i, k := range kids {
		if k.kind == avNode {
			r.kids[i] = k.n
			continue
		}
		r.kids[i] = p.leaf(k, n.at)
	}
	return &r
}

// typeOf gives the type of an instance known beforehand.
func (p *pe) typeOf(v V) *machine.Type {
	if v.Kind() != value.Ref || v.Off() >= len(*p.w.store) {
		return nil
	}
	return p.w.Prog.Types[(*p.w.store)[v.Off()].Int()]
}

func slotIn(t *machine.Type, sym int) int {
	if sym >= len(t.Slots) || t.Slots[sym] == 0 {
		return -1
	}
	return int(t.Slots[sym])
}

func (p *pe) field(x av, n *node) av {
	if x.kind == avRec {
		r := &p.recs[x.rec]
		s := slotIn(r.typ, n.a)
		if s < 0 {
			p.giveUp("a record without that field")
		}
		if r.real == nil {
			return r.fields[s-machine.Header]
		}
		return p.force(nodeAv(&node{op: nField, a: n.a, kids: []*node{r.real}, at: n.at, rule: n.rule}))
	}
	if x.isConst() {
		if t := p.typeOf(x.n.v); t != nil {
			if s := slotIn(t, n.a); s >= 0 && p.w.fixed(t, s-machine.Header) {
				return constAv((*p.w.store)[x.n.v.Off()+s], n.at)
			}
		}
	}
	out := nodeAv(&node{op: nField, a: n.a, kids: []*node{p.leaf(x, n.at)}, at: n.at, rule: n.rule})
	at := -1
	if x.isConst() {
		if t := p.typeOf(x.n.v); t != nil {
			if s := slotIn(t, n.a); s >= 0 {
				at = x.n.v.Off() + s
				if v, ok := p.mem[at]; ok {
					return v
				}
				out.bool = t.Fields[s-machine.Header].Check == machine.IsTruth
			}
		}
	}
	out = p.force(out)
	if at >= 0 {
		p.mem[at] = out
	}
	return out
}

// fixed says whether nothing ever assigns a field, so that what it holds now
// it holds for good.
func (w *World) fixed(t *machine.Type, index int) bool {
	f := &t.Fields[index]
	if f.Per >= 0 || f.Until {
		return false
	}
	if !f.Fixed && !f.Varies {
		f.Varies = w.assigns(f.Name, t.Name)
		f.Fixed = !f.Varies
	}
	return f.Fixed
}

func (p *pe) fieldOr(n *node, env []av) av {
	x := p.force(p.expr(n.kids[0], env))
	var t *machine.Type
	switch {
	case x.kind == avRec:
		t = p.recs[x.rec].typ
	case x.isConst():
		t = p.typeOf(x.n.v)
		if t == nil && x.n.v.Kind() == value.Ref {
			p.giveUp("an instance that is not there yet")
		}
	case x.die && n.kids[1].op == nBuiltin:
		return p.builtin(n.kids[1], append([]av{x}, p.exprs(n.kids[1].kids[1:], env)...))
	case x.kind == avNode:
		other := *n.kids[1]
		rest := p.exprs(other.kids[1:], env)
		o := p.residual(&other, append([]av{x}, rest...))
		return p.force(nodeAv(&node{op: nFieldOr, a: n.a, kids: []*node{x.n, o}, at: n.at, rule: n.rule}))
	}
	if t != nil && slotIn(t, n.a) >= 0 {
		return p.field(x, &node{op: nField, a: n.a, at: n.at, rule: n.rule})
	}
	other := n.kids[1]
	args := append([]av{x}, p.exprs(other.kids[1:], env)...)
	if other.op == nBuiltin {
		return p.builtin(other, args)
	}
	return p.call(other.a, args, other)
}

func (p *pe) bin(n *node, x, y av) av {
	op := machine.Op(n.a)
	if op == machine.Eq || op == machine.Ne {
		if same, known := p.same(x, y); known {
			return constAv(value.OfBool(same == (op == machine.Eq)), n.at)
		}
	}
	if op == machine.Add && (x.kind == avList || y.kind == avList) {
		if a, ok := p.elements(x); ok {
			if b, ok := p.elements(y); ok {
				return av{kind: avList, list: slices.Concat(a, b)}
			}
		}
	}
	if op == machine.In && x.kind == avNode && y.kind == avList {
		return p.force(nodeAv(p.residual(n, []av{x, y})))
	}
	if op == machine.In && y.isConst() && y.n.v.Kind() == value.Range && x.num && x.kind == avNode {
		return p.within(n, x, y)
	}
	if (op == machine.Add || op == machine.Sub) && x.num && y.is(value.OfInt(0)) {
		return x
	}
	if op == machine.Add && y.num && x.is(value.OfInt(0)) {
		return y
	}
	out := nodeAv(fold(p.w, p.residual(n, []av{x, y})))
	if op == machine.Add && x.num && y.num {
		out.num = true
	}
	if op == machine.Mul && x.num && y.num {
		out.num = true
	}
	return out
}

// within makes comparisons of a test whether a number lies in a known range.
func (p *pe) within(n *node, x, y av) av {
	lo, hi := p.w.Heap.Ends(y.n.v)
	x = p.force(x)
	if lo == hi {
		return nodeAv(fold(p.w, &node{op: nBin, a: int(machine.Eq), kids: []*node{x.n, {op: nConst, v: lo, at: n.at, rule: -1}}, at: n.at, rule: n.rule}))
	}
	var both *node
	for i, end := range []V{lo, hi} {
		if end == value.None {
			continue
		}
		op := machine.Ge
		if i == 1 {
			op = machine.Le
		}
		c := fold(p.w, &node{op: nBin, a: int(op), kids: []*node{x.n, {op: nConst, v: end, at: n.at, rule: -1}}, at: n.at, rule: n.rule})
		if both == nil {
			both = c
		} else {
			both = fold(p.w, &node{op: nAnd, kids: []*node{both, c}, at: n.at, rule: n.rule})
		}
	}
	a := nodeAv(both)
	a.bool = true
	return a
}

// same says whether two values are equal, where that is known.
func (p *pe) same(x, y av) (same, known bool) {
	if x.kind == avRec && y.kind == avRec {
		return x.rec == y.rec, true
	}
	if x.kind == avRec || y.kind == avRec {
		other := y
		if y.kind == avRec {
			other, x = x, y
		}
		if other.isConst() || other.kind == avList || p.recs[x.rec].real == nil {
			return false, true
		}
		return false, false
	}
	if x.kind == avList || y.kind == avList {
		return false, false
	}
	if x.isConst() && y.isConst() {
		return x.n.v == y.n.v, true
	}
	for _, pair := range [][2]av{{x, y}, {y, x}} {
		a, b := pair[0], pair[1]
		if b.isConst() && (a.num && !b.num || a.bool && !b.bool) {
			return false, true
		}
	}
	return false, false
}

// elements gives the elements of a list of known length.
func (p *pe) elements(x av) ([]av, bool) {
	if x.kind == avList {
		return x.list, true
	}
	if !x.isConst() {
		return nil, false
	}
	switch x.n.v.Kind() {
	case value.List:
		var out []av
		for _, v := range p.w.Heap.Elems(x.n.v) {
			out = append(out, constAv(v, x.n.at))
		}
		return out, true
	}
	return nil, false
}

// effects says whether following f changed anything but its value.
func (p *pe) effects(f func()) bool {
	before := p.changes
	f()
	return p.changes != before
}

func (p *pe) logic(n *node, env []av) av {
	x := p.expr(n.kids[0], env)
	if yes, ok := p.truth(x); ok {
		if yes == (n.op == nOr) {
			return constAv(value.OfBool(yes), n.at)
		}
		y := p.expr(n.kids[1], env)
		if yes, ok := p.truth(y); ok {
			return constAv(value.OfBool(yes), n.at)
		}
		if y.bool {
			return y
		}
		return nodeAv(&node{op: nAnd, kids: []*node{{op: nConst, v: value.Yes, at: n.at, rule: -1}, y.n}, at: n.at, rule: n.rule})
	}
	x = p.forceTruth(x)
	// The second operand may have effects, which must not happen when the
	// first decides; try it on the side.
	var y av
	var list []*node
	outer, before := p.out, p.snapshot(env)
	p.out = &list
	changed := p.effects(func() { y = p.expr(n.kids[1], env) })
	p.out = outer
	if !changed && y.kind == avNode {
		if yes, ok := p.truth(y); ok && yes == (n.op == nOr) {
			// x and no, x or yes: x does not matter
			return constAv(value.OfBool(yes), n.at)
		}
		if _, ok := p.truth(y); ok && x.bool {
			return x
		}
		a := nodeAv(&node{op: n.op, kids: []*node{x.n, y.n}, at: n.at, rule: n.rule})
		a.bool = true
		return a
	}
	p.restore(before, env)
	short := constAv(value.OfBool(n.op == nOr), n.at)
	long := func(env []av) (av, flow) {
		y := p.expr(n.kids[1], env)
		return p.force(p.forceTruth(y)), goesOn
	}
	ways := [2]func([]av) (av, flow){long, func([]av) (av, flow) { return short, goesOn }}
	if n.op == nOr {
		ways[0], ways[1] = ways[1], ways[0]
	}
	v, _ := p.branch(x.n, env, n.at, ways[0], ways[1])
	v.bool = true
	return v
}

// truth gives the truth of a value, where that is known.
func (p *pe) truth(x av) (yes, ok bool) {
	if !x.isConst() {
		if x.kind != avNode {
			p.giveUp("a record as a condition")
		}
		return p.fact(x.n)
	}
	return x.n.v.Truth()
}

func (p *pe) forceTruth(x av) av {
	if x.kind != avNode {
		p.giveUp("a record as a condition")
	}
	return x
}

func (p *pe) cond(n *node, env []av) av {
	c := p.expr(n.kids[0], env)
	if yes, ok := p.truth(c); ok {
		if yes {
			return p.expr(n.kids[1], env)
		}
		return p.expr(n.kids[2], env)
	}
	v, _ := p.branch(c.n, env, n.at,
		func(env []av) (av, flow) { return p.force(p.expr(n.kids[1], env)), goesOn },
		func(env []av) (av, flow) { return p.force(p.expr(n.kids[2], env)), goesOn })
	return v
}

func (p *pe) index(n *node, x, i av) av {
	if l, ok := p.elements(x); ok && i.isConst() && i.n.v.IsInt() {
		k := i.n.v.Int()
		if k < 1 || k > int64(len(l)) {
			return constAv(value.None, n.at)
		}
		return l[k-1]
	}
	return p.force(nodeAv(p.residual(n, []av{x, i})))
}

func (p *pe) text(n *node, env []av) av {
	kids := p.exprs(n.kids, env)
	for _, k := range kids {
		if k.kind != avNode {
			p.giveUp("a record in a text")
		}
	}
	all := true
	for _, k := range kids {
		all = all && k.isConst()
	}
	r := p.residual(n, kids)
	if all {
		vs := make([]V, len(kids))
		for i, k := range kids {
			vs[i] = k.n.v
		}
		return constAv(p.machine().Join(vs), n.at)
	}
	return p.force(nodeAv(r))
}

// machine gives a machine that can work out builtins on constants.
func (p *pe) machine() *machine.Machine {
	return &machine.Machine{Prog: p.w.Prog, Heap: p.w.Heap, Store: *p.w.store, MaxSize: 1 << 16}
}

// fixedBuiltins give the same for the same constants at any time.
var fixedBuiltins = map[string]bool{
	"floor": true, "ceil": true, "round": true, "abs": true, "mod": true, "min": true, "max": true, "number": true,
	"size": true, "empty": true, "first": true, "last": true, "sum": true, "sorted": true, "reversed": true, "distinct": true,
	"with": true, "without": true, "index": true, "take": true, "drop": true, "copies": true, "join": true, "flat": true,
	"sides": true, "face": true, "faces": true, "die": true, "map": true, "put": true, "keys": true, "values": true,
	"upper": true, "lower": true, "text": true, "symbol": true, "spaced": true, "title": true,
	"name": true, "owner": true, "kind": true, "features": true, "has": true, "feature": true, "is": true, "list": true, "instances": true,
}

func (p *pe) builtin(n *node, args []av) av {
	bi := &machine.Builtins[n.a]
	all := true
	for _, a := range args {
		all = all && a.isConst()
	}
	if all && fixedBuiltins[bi.Name] {
		vs := make([]V, len(args))
		for i, a := range args {
			vs[i] = a.n.v
		}
		if v, err := bi.Do(p.machine(), vs); err == nil {
			return constAv(v, n.at)
		}
	}
	if v, ok := p.listBuiltin(bi.Name, args, n.at); ok {
		return v
	}
	switch bi.Name {
	case "keep":
		return args[0]
	case "face":
		if f := p.faces[args[0].n0()]; args[0].die && f != nil {
			return av{n: f, num: true}
		}
		if args[0].die {
			out := nodeAv(&node{op: nFace, kids: []*node{args[0].n}, at: n.at, rule: n.rule})
			out.num = true
			return p.force(out)
		}
	case "owner", "name", "features":
		if args[0].kind == avRec && p.recs[args[0].rec].real == nil {
			h := map[string]int{"owner": machine.AtOwner, "name": machine.AtName, "features": machine.AtFeatures}[bi.Name]
			if v := p.recs[args[0].rec].header[h]; bi.Name != "name" || !v.is(value.None) {
				return v
			}
		}
	}
	out := nodeAv(p.residual(n, args))
	switch bi.Name {
	case "size", "sum", "floor", "ceil", "round", "abs", "sides":
		out.num = true
	case "max", "min":
		out.num = len(args) > 1
		for _, a := range args {
			out.num = out.num && a.num
		}
	case "empty", "has", "is":
		out.bool = true
	}
	return p.force(out)
}

// listBuiltin works on lists of known length whose elements need not be known.
func (p *pe) listBuiltin(name string, args []av, at lang.Span) (av, bool) {
	if len(args) == 0 {
		return av{}, false
	}
	l, ok := p.elements(args[0])
	if !ok {
		return av{}, false
	}
	switch name {
	case "size":
		return constAv(value.OfInt(int64(len(l))), at), true
	case "empty":
		return constAv(value.OfBool(len(l) == 0), at), true
	case "first", "last":
		if len(l) == 0 {
			return constAv(value.None, at), true
		}
		if name == "first" {
			return l[0], true
		}
		return l[len(l)-1], true
	case "list":
		return av{kind: avList, list: l}, true
	case "with":
		return av{kind: avList, list: append(slices.Clip(slices.Clone(l)), args[1])}, true
	case "reversed":
		r := slices.Clone(l)
		slices.Reverse(r)
		return av{kind: avList, list: r}, true
	}
	return av{}, false
}

func (p *pe) record(n *node, env []av) av {
	sets := n.info.(*newInfo)
	t := p.w.Prog.Types[n.a]
	id := len(p.recs)
	r := record{typ: t, fields: make([]av, len(t.Fields))}
	for i := range t.Fields {
		r.fields[i] = constAv(t.Template[machine.Header+i], n.at)
	}
	for h := range r.header {
		r.header[h] = constAv(t.Template[h], n.at)
	}
	p.recs = append(p.recs, r)
	p.changes++
	rec := av{kind: avRec, rec: id}
	env[n.b] = rec
	for i, k := range n.kids {
		v := p.force(p.expr(k, env))
		if sets.syms[i] < 0 {
			if sets.headers[i] == machine.AtFeatures {
				p.materialise(id, n.at)
			}
			if p.recs[id].real != nil {
				p.emit(&node{op: nHeader, a: sets.headers[i], kids: []*node{p.recs[id].real, p.leaf(v, n.at)}, at: n.at, rule: n.rule})
			}
			p.recs[id].header[sets.headers[i]] = v
			continue
		}
		p.setField(rec, sets.syms[i], v, k)
	}
	return rec
}

// setField puts a value into a field of a record or an instance.
func (p *pe) setField(x av, sym int, v av, n *node) {
	v = p.force(v)
	if x.kind == avRec && p.recs[x.rec].real == nil {
		r := &p.recs[x.rec]
		s := slotIn(r.typ, sym)
		if s < 0 {
			p.giveUp("a record without that field")
		}
		r.fields[s-machine.Header] = p.fit(v, &r.typ.Fields[s-machine.Header], r.typ, s-machine.Header, n)
		p.changes++
		return
	}
	if at, ok := p.word(x, sym, v); ok {
		p.emit(&node{op: nSetCell, a: at, kids: []*node{v.n}, at: n.at, rule: n.rule})
		p.mem[at] = v
		return
	}
	if p.setRanged(x, sym, v, n) {
		return
	}
	obj, val := p.leaf(x, n.at), p.leaf(v, n.at)
	p.emit(&node{op: nSetField, a: sym, kids: []*node{obj, val}, at: n.at, rule: n.rule})
	if x.isConst() {
		if t := p.typeOf(x.n.v); t != nil && slotIn(t, sym) >= 0 {
			delete(p.mem, x.n.v.Off()+slotIn(t, sym))
			return
		}
	}
	p.forget()
}

// setRanged puts a number into a field with a range: straight into the store
// when it lies within, else the slow way, which refuses it.
func (p *pe) setRanged(x av, sym int, v av, n *node) bool {
	if !x.isConst() || v.kind != avNode || !v.num {
		return false
	}
	t := p.typeOf(x.n.v)
	if t == nil || slotIn(t, sym) < 0 {
		return false
	}
	f := &t.Fields[slotIn(t, sym)-machine.Header]
	if f.Check != machine.InRange || f.Fixed {
		return false
	}
	at := x.n.v.Off() + slotIn(t, sym)
	var outside *node
	for i, end := range []V{f.Lo, f.Hi} {
		if end == value.None {
			continue
		}
		op := machine.Lt
		if i == 1 {
			op = machine.Gt
		}
		c := &node{op: nBin, a: int(op), kids: []*node{v.n, {op: nConst, v: end, at: n.at, rule: -1}}, at: n.at, rule: n.rule}
		if outside == nil {
			outside = c
		} else {
			outside = &node{op: nOr, kids: []*node{outside, c}, at: n.at, rule: n.rule}
		}
	}
	set := &node{op: nSetCell, a: at, kids: []*node{v.n}, at: n.at, rule: n.rule}
	p.mem[at] = v
	if outside == nil {
		p.emit(set)
		return true
	}
	slow := &node{op: nSetField, a: sym, kids: []*node{x.n, v.n}, at: n.at, rule: n.rule}
	p.emit(&node{op: nIf, kids: []*node{outside, {op: nSeq, kids: []*node{slow}, at: n.at, rule: -1}, {op: nSeq, kids: []*node{set}, at: n.at, rule: -1}}, at: n.at, rule: n.rule})
	return true
}

// word gives the store word of a field of a known instance into which a value
// may go without being looked at.
func (p *pe) word(x av, sym int, v av) (int, bool) {
	if !x.isConst() || v.kind != avNode {
		return 0, false
	}
	t := p.typeOf(x.n.v)
	if t == nil {
		return 0, false
	}
	s := slotIn(t, sym)
	if s < 0 {
		return 0, false
	}
	f := &t.Fields[s-machine.Header]
	ok := f.Check == machine.Anything || f.Check == machine.IsTruth && v.bool || f.Check == machine.IsNumber && v.num
	if v.isConst() && f.Check != machine.IsList && f.Check != machine.IsText && !(f.Check == machine.IsTruth && v.is(value.None)) {
		ok = ok || p.machine().Misfit(f, v.n.v) == ""
	}
	return x.n.v.Off() + s, ok && !f.Fixed
}

// fit makes sure that a value may be in a field; what is not sure is checked
// when it runs.
func (p *pe) fit(v av, f *machine.Field, t *machine.Type, index int, n *node) av {
	switch f.Check {
	case machine.Anything:
		return v
	case machine.IsNumber:
		if v.num || v.is(value.None) {
			return v
		}
	case machine.IsTruth:
		if v.bool {
			return v
		}
		if v.is(value.None) {
			return constAv(value.No, n.at)
		}
	case machine.IsSheet:
		if v.kind == avRec {
			return v
		}
	case machine.IsList:
		if v.kind == avList || v.isConst() && v.n.v.Kind() == value.List {
			return v
		}
	}
	if v.any != nil && f.Check != machine.IsList && f.Check != machine.IsText && f.Check != machine.IsTruth && !slices.ContainsFunc(v.any, func(x V) bool { return p.machine().Misfit(f, x) != "" }) {
		return v
	}
	if v.isConst() && p.machine().Misfit(f, v.n.v) == "" && f.Check != machine.IsList && f.Check != machine.IsText {
		return v
	}
	if v.kind == avList {
		p.giveUp("a list where none belongs")
	}
	if v.kind == avRec {
		p.giveUp("a record where none belongs")
	}
	r := p.reg(n.at)
	p.emit(&node{op: nSet, a: r.a, kids: []*node{{op: nFit, a: t.ID, b: index, kids: []*node{v.n}, at: n.at, rule: n.rule}}, at: n.at, rule: n.rule})
	return av{n: r, num: f.Check == machine.InRange && v.num, bool: f.Check == machine.IsTruth}
}

func (p *pe) need(n *node, env []av) av {
	x := p.force(p.expr(n.kids[0], env))
	if x.kind == avRec || x.isConst() && x.n.v != value.None {
		return x
	}
	owner := p.expr(n.kids[1], env)
	if owner.kind != avNode || x.kind != avNode {
		p.giveUp("a part of a record")
	}
	return p.force(nodeAv(p.residual(n, []av{x, owner})))
}

func (p *pe) orElse(n *node, env []av) av {
	x := p.force(p.expr(n.kids[0], env))
	if x.kind != avNode || x.isConst() && x.n.v != value.None {
		return x
	}
	if x.is(value.None) {
		return p.expr(n.kids[1], env)
	}
	isNone := &node{op: nBin, a: int(machine.Eq), kids: []*node{x.n, {op: nConst, v: value.None, at: n.at, rule: -1}}, at: n.at, rule: n.rule}
	v, _ := p.branch(isNone, env, n.at,
		func(env []av) (av, flow) { return p.force(p.expr(n.kids[1], env)), goesOn },
		func([]av) (av, flow) { return x, goesOn })
	return v
}

func (p *pe) choose(n *node, env []av) av {
	by := p.force(p.expr(n.kids[0], env))
	from := p.force(p.expr(n.kids[1], env))
	ans := constAv(value.None, n.at)
	if n.kids[3] != nil {
		ans = p.force(p.expr(n.kids[3], env))
	}
	l, known := p.elements(from)
	if !known || !ans.isConst() || !p.noTactics(by, n.info.(*machine.AskInfo).Name) {
		p.giveUp("a choice that is open")
	}
	if !ans.is(value.None) {
		if slices.ContainsFunc(l, func(x av) bool { return equalAv(x, ans) }) {
			return ans
		}
		p.giveUp("an answer that does not fit")
	}
	if len(l) == 0 {
		return constAv(value.None, n.at)
	}
	if len(l) == 1 {
		return l[0]
	}
	if !p.unattended {
		p.giveUp("a choice that is asked")
	}
	if n.kids[4] == nil {
		return l[0]
	}
	def := p.force(p.expr(n.kids[4], env))
	if i := slices.IndexFunc(l, func(x av) bool { return equalAv(x, def) }); i >= 0 {
		return l[i]
	}
	if def.isConst() && !slices.ContainsFunc(l, func(x av) bool { return !x.isConst() }) {
		return l[0]
	}
	p.giveUp("a default that is not known")
	return av{}
}

// noTactics says whether it is certain that no tactics answer a decision.
func (p *pe) noTactics(who av, decision string) bool {
	if d := p.w.Prog.Default; d != nil {
		if _, ok := d.On[decision]; ok {
			return false
		}
	}
	for _, t := range p.w.Prog.Tactics {
		if _, ok := t.On[decision]; ok {
			return false
		}
	}
	return true
}

func (p *pe) comp(n *node, env []av) av {
	l, ok := p.elements(p.force(p.expr(n.kids[0], env)))
	if !ok || len(l) > maxUnroll {
		p.giveUp("a list that is not known")
	}
	kind := n.info.(string)
	acc := map[string]V{"list": value.EmptyList, "any": value.No, "all": value.Yes, "count": value.OfInt(0), "sum": value.OfInt(0)}
	cur := constAv(value.None, n.at)
	if v, ok := acc[kind]; ok {
		cur = constAv(v, n.at)
	}
	if kind == "list" {
		cur = av{kind: avList}
	}
	best := constAv(value.None, n.at)
	return p.compFrom(n, l, kind, cur, best, env)
}

// compFrom goes on with a comprehension from the first of the elements l.
func (p *pe) compFrom(n *node, l []av, kind string, cur, best av, env []av) av {
	if len(l) == 0 {
		return cur
	}
	env[n.a] = l[0]
	take := func(env []av) (av, flow) { return p.compTake(n, l, kind, cur, best, env), goesOn }
	skip := func(env []av) (av, flow) { return p.force(p.compFrom(n, l[1:], kind, cur, best, env)), goesOn }
	if kind == "all" {
		take, skip = skip, func([]av) (av, flow) { return constAv(value.No, n.at), goesOn }
		if n.kids[1] == nil {
			return constAv(value.Yes, n.at)
		}
	}
	if n.kids[1] == nil {
		v, _ := take(env)
		return v
	}
	c := p.expr(n.kids[1], env)
	if yes, ok := p.truth(c); ok {
		way := skip
		if yes {
			way = take
		}
		v, _ := way(env)
		return v
	}
	switch kind {
	case "list", "highest", "lowest":
		p.giveUp("a list whose length is not known")
	case "count", "sum":
		// The rest goes on from a joined sum, not once for each way.
		v, _ := p.branch(c.n, env, n.at,
			func(env []av) (av, flow) { return p.force(p.compAdd(n, kind, cur, env)), goesOn },
			func([]av) (av, flow) { return cur, goesOn })
		v.num = true
		return p.compFrom(n, l[1:], kind, v, best, env)
	}
	v, _ := p.branch(c.n, env, n.at, take, skip)
	return v
}

func (p *pe) compAdd(n *node, kind string, cur av, env []av) av {
	add := constAv(value.OfInt(1), n.at)
	if kind == "sum" {
		add = p.expr(n.kids[2], env)
	}
	return p.bin(&node{op: nBin, a: int(machine.Add), at: n.at, rule: n.rule}, cur, add)
}

func (p *pe) compTake(n *node, l []av, kind string, cur, best av, env []av) av {
	switch kind {
	case "any":
		return constAv(value.Yes, n.at)
	case "first":
		return l[0]
	case "list":
		v := p.force(p.expr(n.kids[2], env))
		return p.compFrom(n, l[1:], kind, av{kind: avList, list: append(slices.Clip(slices.Clone(cur.list)), v)}, best, env)
	case "count", "sum":
		return p.compFrom(n, l[1:], kind, p.force(p.compAdd(n, kind, cur, env)), best, env)
	}
	v := p.force(p.expr(n.kids[2], env))
	if !v.isConst() || !v.num {
		p.giveUp("a comparison that is not known")
	}
	c := 1
	if !best.is(value.None) {
		c = p.w.Heap.Compare(v.n.v, best.n.v)
		if kind == "lowest" {
			c = -c
		}
	}
	if c > 0 {
		cur, best = l[0], v
	}
	return p.compFrom(n, l[1:], kind, cur, best, env)
}

// ---- calls --------------------------------------------------------------

// body gives the resolved tree of a rule.
func (p *pe) body(slot int) *fnBody {
	if b, ok := p.fns[slot]; ok {
		return b
	}
	mf := p.w.Prog.Slots[slot]
	src, _ := mf.Source.(*fnSource)
	if src == nil || src.body == nil || mf.Name == "block" {
		p.fns[slot] = nil
		return nil
	}
	f := newFn(p.w, src.module)
	n := src.body(f)
	b := &fnBody{n, f.regs, mf.Name}
	if len(f.diags) > 0 || len(f.before) > 0 {
		b = nil
	}
	p.fns[slot] = b
	return b
}

// call follows a call of a rule; where that cannot be done the call is left.
func (p *pe) call(slot int, args []av, n *node) (out av) {
	b := p.body(slot)
	if b == nil || p.depth >= maxDepth || p.busy[slot] > 2 {
		return p.plainCall(slot, args, n)
	}
	before := p.snapshot(nil)
	mark, outer := len(*p.out), p.out
	exits, depth := len(p.exits), p.depth
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(giveUp); !ok || p.steps > maxFollow {
				panic(r)
			}
			p.recs, p.known, p.out = before.recs, before.known, outer
			*p.out = (*p.out)[:mark]
			p.exits, p.depth = p.exits[:exits], depth
			p.busy[slot]--
			out = p.plainCall(slot, args, n)
		}
	}()
	p.busy[slot]++
	p.depth++
	env := make([]av, b.regs)
	copy(env, args)
	for i := len(args); i < len(env); i++ {
		env[i] = constAv(value.None, n.at)
	}
	exit := &exitPoint{}
	p.exits = append(p.exits, exit)
	var list []*node
	p.out = &list
	fl := p.follow(b.body, env)
	p.exits = p.exits[:len(p.exits)-1]
	p.out = outer
	out = p.leave(exit, &list, fl, constAv(value.None, n.at), n.at)
	p.depth--
	p.busy[slot]--
	return out
}

// leave ends a region that has exits: a call or a loop. Its code is list; when
// it went on to its end the value there is last.
func (p *pe) leave(exit *exitPoint, list *[]*node, fl flow, last av, at lang.Span) av {
	if fl == goesOn && len(exit.paths) == 0 {
		p.changes += len(*list)
		*p.out = append(*p.out, *list...)
		return last
	}
	if fl == goesOn {
		exit.paths = append(exit.paths, track{p.snapshot(nil), list, last})
	}
	if len(exit.paths) == 0 {
		// nothing leaves: everything inside was refused
		p.emit(&node{op: nSeq, kids: *list, at: at, rule: -1})
		panic(deadEnd{})
	}
	if len(exit.paths) == 1 && exit.paths[0].out == list {
		*p.out = append(*p.out, *list...)
		p.changes += len(*list)
		p.recs, p.known = exit.paths[0].st.recs, exit.paths[0].st.known
		return exit.paths[0].val
	}
	region := &node{op: nRegion, at: at, rule: -1}
	for i := range exit.paths {
		exit.paths[i].st.env = nil // the variables inside end here
	}
	val := p.join(exit.paths, nil, at)
	for i := range exit.paths {
		if fl == goesOn && i == len(exit.paths)-1 {
			continue
		}
		q := &exit.paths[i]
		*q.out = append(*q.out, &node{op: nLeave, info: region, at: at, rule: -1})
	}
	region.kids = []*node{{op: nSeq, kids: *list, at: at, rule: -1}}
	p.emit(region)
	return val
}

// deadEnd is the panic with which a path that cannot go on is left.
type deadEnd struct{}

// plainCall leaves a call as it was written.
func (p *pe) plainCall(slot int, args []av, n *node) av {
	r := &node{op: nCall, a: slot, at: n.at, rule: n.rule}
	for _, a := range args {
		r.kids = append(r.kids, p.leaf(a, n.at))
	}
	p.forget()
	return p.force(nodeAv(r))
}
