package compile

import (
	"cmp"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// When a clause can count.
//
// A clause that could make no difference, however the dice fall, is a mistake of
// whoever typed it, and must not pass in silence. So the declaration of a clause says
// when it can count: `needs CONDITION "what would make it count"`, and
// `excludes CLAUSE, …` for clauses that contradict it.
//
//   - A condition is an ordinary expression. It sees who acts, the operands and clauses
//     of its verb or set, the parameters of the set, and the rules and options of the
//     module. In a clause that repeats it is asked for each time, and an operand of the
//     clause is what stands there this time. A set is used in several places, by
//     whoever acts and by whoever resists; its parameters say which place it is.
//   - Before the first clause of a verb a condition is about the command, before the
//     first clause of a set about every clause of the set.
//   - The conditions of the clauses that a command gives, and no others, are resolved at
//     the command, with its operands put in for the names: a macro, not a function (as in
//     Kohlbecker et al., "Hygienic macro expansion", 1986: the names of a condition keep
//     the meaning they have in the module). So a command pays for no clause it leaves out,
//     and constant folding decides what the text alone decides: a mistake, at the clause.
//   - What the text does not decide becomes code in front of the call of the verb. It
//     refuses the command before anything of it has happened.
//   - `warns CONDITION "what is doubtful"` is read in the same way and refuses nothing. Where
//     the condition holds there is a warning in the run, and where the text alone decides it
//     already when the script is checked.
//   - Completion and hints ask the same conditions of the clauses that could come next
//     (see complete.go); what cannot count is not offered.

// given is a clause that a command gives, or the command itself, with its conditions.
type given struct {
	needs []*lang.Needs
	word  string           // what messages call it
	env   *ctx             // where its names have their values
	own   map[string]*node // the operands written with it, where it repeats
	at    lang.Span
	under map[string]lang.Span // the operands that conditions are about
}

// each is a loop over the instances that an operand names.
type each struct {
	in  *node
	reg int
}

// needsOf gives the conditions behind a clause, or before the first one for nil.
func needsOf(items []lang.ClauseItem, cl *lang.Clause) []*lang.Needs {
	i := 0
	if cl != nil {
		i = slices.IndexFunc(items, func(it lang.ClauseItem) bool { return it == lang.ClauseItem(cl) }) + 1
	}
	var out []*lang.Needs
	for ; i < len(items); i++ {
		n, ok := items[i].(*lang.Needs)
		if !ok {
			break
		}
		out = append(out, n)
	}
	return out
}

// note remembers a clause whose conditions are to be asked once all is read.
func (b *binder) note(c scoped, env *ctx, before map[string]int, at lang.Span) {
	if len(c.needs) == 0 {
		return
	}
	g := given{needs: c.needs, word: wordOfClause(c.cl), env: env, at: at}
	if before != nil {
		g.own = map[string]*node{}
		for name, n := range before {
			switch l := env.lists[name][n:]; {
			case len(l) == 1:
				g.own[name] = l[0]
			case len(l) == 0:
				g.own[name] = b.f.constant(value.None, at)
			default:
				g.own[name] = fold(&b.f.w.Unit, b.f.mk(nList, at, l...))
			}
		}
	}
	for _, n := range c.needs {
		if n.At == nil {
			continue
		}
		if place, ok := b.operands[n.At.Name]; ok && at.Start <= place.Start && place.End <= at.End {
			if g.under == nil {
				g.under = map[string]lang.Span{}
			}
			g.under[n.At.Name] = place
		}
	}
	b.given = append(b.given, g)
}

// listed says how many values the operands of a clause that repeats have had so far.
func listed(cl *lang.Clause, env *ctx) map[string]int {
	if !cl.Repeat || cl.Braces {
		return nil
	}
	n := map[string]int{}
	for _, v := range slotVars(nil, cl.Pattern, true) {
		n[v.name] = len(env.lists[v.name])
	}
	return n
}

// guards resolves the conditions of what was given. Those that the text decides are
// mistakes; the others become code that refuses the command, or, behind all that
// refuses, warns of it.
func (b *binder) guards() []*node {
	var refuse, warn []*node
	for _, g := range b.given {
		for _, n := range g.needs {
			switch c := b.guard(&g, n); {
			case c == nil:
			case n.Warns:
				warn = append(warn, c)
			default:
				refuse = append(refuse, c)
			}
		}
	}
	return append(refuse, warn...)
}

func (b *binder) guard(g *given, n *lang.Needs) *node {
	f := b.f
	at := g.at
	if n.At != nil {
		if place, ok := g.under[n.At.Name]; ok {
			at = place
		} else if place, ok := b.places[n.At.Name]; ok {
			at = place
		}
	}
	if n.Cond == nil {
		for _, x := range n.Excludes {
			if !g.env.has(x.Name) {
				continue
			}
			text := f.constant(f.w.Heap.OfText(g.word+" and "+strings.ReplaceAll(x.Name, "_", " ")+" exclude each other"), at)
			if n.Text != nil {
				text = b.inside(g, func() *node { return f.expr(n.Text) })
			}
			return b.refusal(at, f.constant(value.No, at), text)
		}
		return nil
	}
	cond := b.inside(g, func() *node { return f.expr(n.Cond) })
	if n.Warns {
		return b.doubt(g, n, cond, at)
	}
	if yes, ok := truth(cond); ok && yes {
		return nil
	}
	text := b.inside(g, func() *node { return f.expr(n.Text) })
	if decided := b.withConstants(cond); f.seesScript() && decided != cond {
		if yes, ok := truth(decided); ok && !yes && b.mistake(at, text, b.nearestOf(cond)) {
			return nil
		}
	}
	return b.looped(g.env, b.refusal(at, cond, text))
}

// doubt warns where a condition holds.
func (b *binder) doubt(g *given, n *lang.Needs, cond *node, at lang.Span) *node {
	f := b.f
	yes, known := truth(cond)
	if known && !yes {
		return nil
	}
	text := b.inside(g, func() *node { return f.expr(n.Text) })
	info := &SayInfo{Kind: "warn"}
	if always, ok := truth(b.withConstants(cond)); ok && always && f.seesScript() && f.refusable == 0 {
		if said, ok := f.w.staticText(text); ok {
			f.doubts = append(f.doubts, warnAt(at, "%s", said))
			info.Stated = true
		}
	}
	warn := f.mk(nEvent, at, text)
	warn.info = info
	if known {
		return b.looped(g.env, warn)
	}
	return b.looped(g.env, f.mk(nIf, at, cond, warn, nil))
}

// doubt notes warnings; code that is made twice says them once.
func (c *Script) doubt(ds lang.Diagnostics) {
	for _, d := range ds {
		if !slices.ContainsFunc(c.doubts, func(o *lang.Diagnostic) bool { return o.Span == d.Span && o.Message == d.Message }) {
			c.doubts = append(c.doubts, d)
		}
	}
}

// withConstants folds a condition once more, with the values of those rules that are constants
// put in for their calls: `kind in kinds_of_stress()`. It finds mistakes of the text, and no
// more: a line that is typed later may replace the rule, so the command asks for it again.
func (b *binder) withConstants(n *node) *node {
	if n.op == nCall && len(n.kids) == 0 {
		if r := b.f.w.ruleAt(n.a); r != nil && r.value != nil {
			if v := b.f.constantRule(r); v != nil {
				return v
			}
		}
		return n
	}
	for i, k := range n.kids {
		if k == nil {
			continue
		}
		if d := b.withConstants(k); d != k {
			c := *n
			c.kids = slices.Clone(n.kids)
			c.kids[i] = d
			for j := i + 1; j < len(c.kids); j++ {
				if c.kids[j] != nil {
					c.kids[j] = b.withConstants(c.kids[j])
				}
			}
			return fold(&b.f.w.Unit, &c)
		}
	}
	return n
}

// ruleAt gives the rule of a slot.
func (w *World) ruleAt(slot int) *rule {
	for _, r := range w.rules {
		if r.slot == slot {
			return r
		}
	}
	return nil
}

// constantRule gives the value of a rule without parameters that is a constant, else nil.
func (f *fn) constantRule(r *rule) *node {
	if !plainly(r.value) {
		return nil
	}
	here, reported := f.around(), len(f.diags)
	f.setNames(naming{module: r.module, rule: r})
	n := f.expr(r.value)
	f.setNames(here)
	if len(f.diags) > reported || n.op != nConst {
		f.diags = f.diags[:reported] // they are those of the rule
		return nil
	}
	return n
}

// plainly says whether an expression is a value as it is written, or a list of such.
func plainly(e lang.Expr) bool {
	switch e := e.(type) {
	case *lang.Num, *lang.Text, *lang.Word, *lang.Caps, *lang.Dice:
		return true
	case *lang.List:
		return !slices.ContainsFunc(e.Elems, func(e lang.Expr) bool { return !plainly(e) })
	}
	return false
}

// nearestOf gives, for a condition that a word is in a list, what of the list comes nearest to
// the word, "" for any other condition.
func (b *binder) nearestOf(n *node) string {
	if n.op == nOr {
		return cmp.Or(b.nearestOf(n.kids[0]), b.nearestOf(n.kids[1]))
	}
	if n.op != nBin || code.Op(n.a) != code.In || n.kids[0].op != nConst {
		return ""
	}
	list := b.withConstants(n.kids[1])
	if list.op != nConst || list.v.Kind() != value.List {
		return ""
	}
	h := b.f.w.Heap
	var words []string
	for _, v := range h.Elems(list.v) {
		words = append(words, h.Show(v, nil))
	}
	near, _ := lang.Nearest(h.Show(n.kids[0].v, nil), words)
	return near
}

// mistake reports a refusal that the text of the script decides, with the word that is meant; it
// says no where what the refusal says is not known yet, or where the script waits for it.
func (b *binder) mistake(at lang.Span, text *node, near string) bool {
	said, ok := b.f.w.staticText(text)
	if !ok || b.f.refusable > 0 {
		return false
	}
	d := errAt(at, "%s", said)
	if near != "" {
		d.Help = "did you mean " + near + "?"
	}
	b.f.err(d)
	return true
}

// refusal refuses the command with a text unless cond holds. What the text of the
// script decides is told at once, but where a refusal is what the script waits for.
func (b *binder) refusal(at lang.Span, cond, text *node) *node {
	f := b.f
	if _, known := truth(cond); known && b.mistake(at, text, "") {
		return nil
	}
	fail := f.mk(nFail, at, text)
	fail.info = &code.FailInfo{Kind: code.Refused}
	return f.mk(nIf, at, f.mk(nNot, at, cond), fail, nil)
}

// looped asks a condition for each instance that an operand around it names.
func (b *binder) looped(env *ctx, n *node) *node {
	for c := env; n != nil && c != nil; c = c.outer {
		if c.each == nil || !n.uses(c.each.reg) {
			continue
		}
		loop := b.f.mk(nFor, n.at, c.each.in, nil, n)
		loop.a, loop.b = c.each.reg, b.f.hidden(2)
		n = loop
	}
	return n
}

// inside resolves something with the names that the conditions of a clause know.
func (b *binder) inside(g *given, body func() *node) *node {
	return b.scopedTo(g.env, g.own, body)
}

func (b *binder) scopedTo(env *ctx, own map[string]*node, body func() *node) *node {
	f := b.f
	outer := f.around()
	f.module, f.script, f.selves, f.rule = env.module, false, nil, nil
	f.names = b.namesIn(env, outer)
	for name, n := range own {
		f.names = append(f.names, local{name: name, value: func() *node { return n }})
	}
	n := body()
	f.setNames(outer)
	return n
}

// namesIn gives the names of a ctx and, of the record of a clause, of what is around it.
func (b *binder) namesIn(c *ctx, outer naming) []local {
	var names []local
	if c.set == nil && c.outer != nil {
		names = b.namesIn(c.outer, outer)
	} else {
		names = append(names, local{name: "who", value: func() *node { return c.who }})
	}
	if c.set != nil {
		for _, p := range c.set.decl.Params {
			names = append(names, local{name: p.Name.Name, value: func() *node { return b.param(c, &p, outer) }})
		}
	}
	for _, v := range c.vars {
		l := local{name: v.name, value: func() *node { return b.worth(c, v, outer) }}
		if in := c.uses[v.name]; in != nil {
			l.of = func(name string) *node {
				k := slices.IndexFunc(in.vars, func(v variable) bool { return v.name == name })
				if k < 0 {
					return nil
				}
				return b.worth(in, in.vars[k], outer)
			}
		}
		names = append(names, l)
	}
	return names
}

// worth gives the value of a variable, worked out once however often it is asked for.
func (b *binder) worth(c *ctx, v variable, outer naming) *node {
	f := b.f
	here := f.around()
	f.setNames(outer)
	n := b.valueOf(c, v)
	f.setNames(here)
	if !costly(n) {
		return n
	}
	for env := c; env != nil; env = env.outer {
		if env.each != nil && n.uses(env.each.reg) {
			return n
		}
	}
	local := b.worked(n)
	if c.whole == nil {
		c.whole = map[string]*node{}
	}
	c.whole[v.name] = local
	return local
}

// worked has a value worked out before the command.
func (b *binder) worked(n *node) *node {
	set := b.f.mk(nSet, n.at, n)
	set.a = b.f.hidden(1)
	b.before = append(b.before, set)
	local := b.f.mk(nLocal, n.at)
	local.a = set.a
	return local
}

// costly says whether working something out twice would be wrong or slow.
func costly(n *node) bool {
	if n == nil {
		return false
	}
	switch n.op {
	case nConst, nLocal, nCell:
		return false
	case nField, nNot, nAnd, nOr, nList:
		return slices.ContainsFunc(n.kids, costly)
	}
	return true
}

// param gives what a set is used with, or the parameter's default.
func (b *binder) param(c *ctx, p *lang.Param, outer naming) *node {
	f := b.f
	for _, a := range c.args {
		if a.Name.Name == p.Name.Name {
			here := f.around()
			f.setNames(outer)
			n := b.scopedTo(c.outer, nil, func() *node { return f.expr(a.Value) })
			f.setNames(here)
			return n
		}
	}
	if p.Default != nil {
		return f.expr(p.Default)
	}
	return f.constant(value.None, p.Span)
}

// has says whether a clause of that name was given.
func (c *ctx) has(name string) bool {
	return c.vals["\x00"+name] != nil || len(c.groups[name]) > 0
}

// naming is what names mean at some place.
type naming struct {
	names  []local
	module *Module
	script bool
	selves []self
	rule   *rule
}

func (f *fn) around() naming { return naming{f.names, f.module, f.script, f.selves, f.rule} }

func (f *fn) setNames(n naming) {
	f.names, f.module, f.script, f.selves, f.rule = n.names, n.module, n.script, n.selves, n.rule
}

// Candidate is a clause that could stand next in a command that is being typed.
type Candidate struct {
	Clause *lang.Clause
	Counts bool       // it could count, as far as the text says
	Ask    *code.Func // says whether it does as things stand; nil where that is not asked
}

// Candidates gives the clauses with conditions that could stand next behind a command,
// which need not be complete. Conditions about operands that are not there yet are not
// asked. It belongs to a Clone, which is of no other use.
func (w *World) Candidates(file *lang.File) []Candidate {
	if len(file.Stmts) != 1 {
		return nil
	}
	cmd, ok := file.Stmts[0].(*lang.Command)
	if !ok {
		return nil
	}
	head, ok := cmd.Head.(*lang.Word)
	if !ok || w.verbs[head.Name] == nil {
		return nil
	}
	c := &collector{Script: Script{w: w, isScript: true}, cite: -1, cites: map[lang.Stmt]int{}}
	c.module = &Module{Name: "script", script: true}
	f := c.scriptFn()
	b, _ := f.readCommand(w.verbs[head.Name], cmd)
	for _, fin := range slices.Backward(b.later) {
		fin()
	}
	var out []Candidate
	for _, sc := range slices.Concat(b.scopes, b.asleep) {
		for _, one := range sc.clauses {
			env := sc.targets[0].ctx.follow(one.path)
			if len(one.path) > 0 {
				env.who = sc.targets[0].actor
			}
			out = append(out, b.candidate(one, env))
		}
	}
	return out
}

func (b *binder) candidate(c scoped, env *ctx) Candidate {
	f := b.f
	out := Candidate{Clause: c.cl, Counts: c.cl.Repeat || !env.given(c.cl)}
	if c.cl.Repeat && c.cl.Braces {
		return out
	}
	for _, other := range b.given {
		out.Counts = out.Counts && (other.env != env || !slices.ContainsFunc(other.needs, func(n *lang.Needs) bool { return excludes(n, c.cl) }))
	}
	g := &given{needs: c.needs, env: env}
	body := f.mk(nSeq, c.cl.Span)
	for _, n := range c.needs {
		if n.Cond == nil {
			out.Counts = out.Counts && !slices.ContainsFunc(n.Excludes, func(x lang.Ident) bool { return env.has(x.Name) })
			continue
		}
		if n.Warns || mentionsOwn(n.Cond, c.cl) {
			continue
		}
		cond := b.inside(g, func() *node { return f.expr(n.Cond) })
		if yes, ok := truth(cond); ok {
			out.Counts = out.Counts && yes
			continue
		}
		looped := false
		for e := env; e != nil; e = e.outer {
			looped = looped || e.each != nil && cond.uses(e.each.reg)
		}
		if !looped {
			no := f.mk(nReturn, cond.at, f.constant(value.No, cond.at))
			body.kids = append(body.kids, f.mk(nIf, cond.at, f.mk(nNot, cond.at, cond), no, nil))
		}
	}
	if out.Counts && len(body.kids) > 0 {
		for _, set := range slices.Backward(b.before) {
			if body.uses(set.a) {
				body = f.mk(nSeq, body.at, set, body)
			}
		}
		body = f.mk(nSeq, body.at, body, f.mk(nReturn, body.at, f.constant(value.Yes, body.at)))
		out.Ask = &code.Func{Name: "counts", Source: &fnSource{}}
		f.w.generate(out.Ask, f, body)
	}
	return out
}

func excludes(n *lang.Needs, cl *lang.Clause) bool {
	return slices.ContainsFunc(n.Excludes, func(x lang.Ident) bool { return x.Name == cl.Name.Name })
}

// mentionsOwn says whether a condition is about the operands of its clause.
func mentionsOwn(cond lang.Expr, cl *lang.Clause) bool {
	own := slotVars(nil, cl.Pattern, false)
	found := false
	lang.Walk(cond, func(n lang.Node) bool {
		w, ok := n.(*lang.Word)
		found = found || ok && slices.ContainsFunc(own, func(v variable) bool { return v.name == w.Name })
		return !found
	})
	return found
}

// staticText gives a text that does not depend on the run.
func (w *World) staticText(n *node) (string, bool) {
	switch {
	case n.op == nConst:
		return w.Heap.Show(n.v, nil), true
	case n.op == nText:
		var all strings.Builder
		for _, k := range n.kids {
			s, ok := w.staticText(k)
			if !ok {
				return "", false
			}
			all.WriteString(s)
		}
		return all.String(), true
	case n.op == nBuiltin && n.a == code.BuiltinIndex("name") && n.kids[0].op == nConst && n.kids[0].v.Kind() == value.Ref:
		if e := w.byOff[n.kids[0].v.Off()]; e != nil {
			return e.name, true
		}
	}
	return "", false
}

// conditions has the conditions of a verb or set resolved where they are declared, so
// that their mistakes are found there, and the defaults of operands. The verb and the set call
// themselves the same.
func (c *collector) conditions(m *Module, params []lang.Param, pattern []lang.Pat, vars []variable, items []lang.ClauseItem) {
	if !c.isScript && !c.eager {
		return
	}
	c.fresh = append(c.fresh, func() {
		f := newFn(c.w, m)
		f.declare("who")
		for _, p := range params {
			f.declare(p.Name.Name)
		}
		for _, v := range vars {
			f.declare(v.name)
		}
		for _, n := range needsOf(items, nil) {
			f.checkNeed(n, items)
		}
		c.checkDefaults(f, pattern)
		c.checkNeeds(f, items, true)
		c.diags = append(c.diags, f.diags...)
	})
}

// checkDefaults finds defaults of operands that are none, or do not fit the operand.
func (c *collector) checkDefaults(f *fn, pattern []lang.Pat) {
	for _, p := range pattern {
		switch p := p.(type) {
		case *lang.PatOpt:
			c.checkDefaults(f, p.Pattern)
		case *lang.PatSlot:
			if p.Default == nil {
				continue
			}
			said := len(f.diags)
			n := f.expr(p.Default)
			if len(f.diags) > said || n.op != nConst || p.Type.Many || p.Type.Of != nil {
				continue
			}
			var of code.Field
			before := len(c.diags)
			c.typeOf(&field{name: p.Name.Name, typ: p.Type}, &of)
			c.diags = c.diags[:before] // of a range that is none
			m := &machine.Machine{Heap: c.w.Heap, Prog: c.w.Prog}
			if why := m.Misfit(&of, n.v); why != "" {
				f.err(errAt(p.Default.Range(), "the default of %s does not fit: %s", p.Name.Name, why))
			}
		}
	}
}

func (c *collector) checkNeeds(f *fn, items []lang.ClauseItem, head bool) {
	orphan := !head
	for _, it := range items {
		switch it := it.(type) {
		case *lang.Clause:
			orphan = false
			depth := len(f.names)
			if it.Repeat && it.Braces {
				for _, v := range variables(it.Pattern, it.Nested) {
					f.declare(v.name)
				}
			}
			for _, n := range needsOf(items, it) {
				f.checkNeed(n, items)
			}
			c.checkDefaults(f, it.Pattern)
			c.checkNeeds(f, it.Nested, false)
			f.names = f.names[:depth]
		case *lang.Needs:
			if orphan {
				d := errAt(it.Span, "this condition belongs to no clause")
				d.Help = "write it on the line below its clause, or before the first clause of a verb or set"
				f.err(d)
			}
		case *lang.Uses:
			orphan = true
			f.checkArgs(f.w, it)
		default:
			orphan = true
		}
	}
}

func (f *fn) checkNeed(n *lang.Needs, items []lang.ClauseItem) {
	for _, e := range []lang.Expr{n.Cond, n.Text} {
		if e == nil {
			continue
		}
		said := len(f.diags)
		if n := f.expr(e); len(f.diags) == said {
			f.onlyCalculates(n, "a condition", "throw, ask and change things in  do { … };  refuse \"…\"  ends the command there")
		}
	}
	var names []string
	for _, it := range items {
		if cl, ok := it.(*lang.Clause); ok {
			names = append(names, cl.Name.Name)
		}
	}
	for _, x := range n.Excludes {
		if !slices.Contains(names, x.Name) {
			f.err(errUnknown("clause", x, names))
		}
	}
}

func (f *fn) checkArgs(w *World, u *lang.Uses) {
	set := w.sets[u.Set.Name]
	if set == nil {
		return
	}
	var names []string
	for _, p := range set.decl.Params {
		names = append(names, p.Name.Name)
		if p.Default == nil && !slices.ContainsFunc(u.Args, func(a lang.Named) bool { return a.Name.Name == p.Name.Name }) {
			d := errAt(u.Set.Span, "%s needs a value for %s", set.name, p.Name.Name)
			d.Help = "uses " + set.name + "(" + p.Name.Name + ": …) as " + u.As.Name
			f.err(d)
		}
	}
	for _, a := range u.Args {
		if !slices.Contains(names, a.Name.Name) {
			f.err(errUnknown("parameter", a.Name, names))
		}
		f.expr(a.Value)
	}
}

// hasNeeds says whether any of some clauses, those inside others too, has a condition.
func (w *World) hasNeeds(items []lang.ClauseItem) bool {
	return slices.ContainsFunc(items, func(it lang.ClauseItem) bool {
		switch it := it.(type) {
		case *lang.Clause:
			return w.hasNeeds(it.Nested)
		case *lang.Uses:
			set := w.sets[it.Set.Name]
			return set != nil && w.hasNeeds(set.decl.Clauses)
		}
		_, ok := it.(*lang.Needs)
		return ok
	})
}

// asksWho says whether a condition of some clauses is about whoever acts. Behind an
// operand that names somebody, the clauses of a set are about that one.
func (w *World) asksWho(items []lang.ClauseItem, named bool) bool {
	return slices.ContainsFunc(items, func(it lang.ClauseItem) bool {
		switch it := it.(type) {
		case *lang.Clause:
			return w.asksWho(it.Nested, named || w.namesSomebody(it))
		case *lang.Uses:
			set := w.sets[it.Set.Name]
			return slices.ContainsFunc(it.Args, func(a lang.Named) bool { return saysWho(a.Value) }) || set != nil && !named && w.asksWho(set.decl.Clauses, false)
		case *lang.Needs:
			return saysWho(it)
		}
		return false
	})
}

// namesSomebody says whether the clauses inside a clause look things up on somebody else,
// see actorAfter.
func (w *World) namesSomebody(cl *lang.Clause) bool {
	return slices.ContainsFunc(cl.Pattern, func(p lang.Pat) bool {
		s, ok := p.(*lang.PatSlot)
		if o, in := p.(*lang.PatOpt); in && len(o.Pattern) == 1 {
			s, ok = o.Pattern[0].(*lang.PatSlot)
			ok = ok && s.Type.Of != nil
		}
		return ok && (s.Type.Of != nil && s.Type.Of.Name != "who" || w.sheets[s.Type.Name.Name] != nil && !w.isPart(s.Type.Name.Name))
	})
}

func saysWho(n lang.Node) bool {
	found := false
	lang.Walk(n, func(n lang.Node) bool {
		w, ok := n.(*lang.Word)
		found = found || ok && w.Name == "who"
		return !found
	})
	return found
}
