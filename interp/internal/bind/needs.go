package bind

import (
	"cmp"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/resolve"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// given is a clause that a command gives, or the command itself, with its conditions.
type given struct {
	needs []*lang.Needs
	word  string              // what messages call it
	env   *ctx                // where its names have their values
	own   map[string]*ir.Node // the operands written with it, where it repeats
	at    lang.Span
	under map[string]lang.Span // the operands that conditions are about
}

// each is a loop over the instances that an operand names.
type each struct {
	in  *ir.Node
	reg int
}

// NeedsOf gives the conditions that items begin with: those of all where they are all items, those of a
// clause where they are what stands behind it.
func NeedsOf(items []lang.ClauseItem) []*lang.Needs {
	var out []*lang.Needs
	for _, it := range items {
		n, ok := it.(*lang.Needs)
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
		g.own = map[string]*ir.Node{}
		for name, n := range before {
			switch l := env.lists[name][n:]; {
			case len(l) == 1:
				g.own[name] = l[0]
			case len(l) == 0:
				g.own[name] = b.f.Constant(value.None, at)
			default:
				g.own[name] = ir.Fold(&b.f.W.Unit, b.f.Mk(ir.NList, at, l...))
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
	for _, v := range decl.SlotVars(nil, cl.Pattern, true) {
		n[v.Name] = len(env.lists[v.Name])
	}
	return n
}

// guards resolves the conditions of what was given. Those that the text decides are
// mistakes; the others become code that refuses the command, or, behind all that
// refuses, warns of it.
func (b *binder) guards() []*ir.Node {
	var refuse, warn []*ir.Node
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

func (b *binder) guard(g *given, n *lang.Needs) *ir.Node {
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
			text := f.Constant(f.W.Heap.OfText(g.word+" and "+strings.ReplaceAll(x.Name, "_", " ")+" exclude each other"), at)
			if n.Text != nil {
				text = b.inside(g, func() *ir.Node { return f.Expr(n.Text) })
			}
			return b.refusal(at, f.Constant(value.No, at), text)
		}
		return nil
	}
	cond := b.inside(g, func() *ir.Node { return f.Expr(n.Cond) })
	if n.Warns {
		return b.doubt(g, n, cond, at)
	}
	if yes, ok := ir.Truth(cond); ok && yes {
		return nil
	}
	text := b.inside(g, func() *ir.Node { return f.Expr(n.Text) })
	if decided := b.withConstants(cond); f.SeesScript() && decided != cond {
		if yes, ok := ir.Truth(decided); ok && !yes && b.mistake(at, text, b.nearestOf(cond)) {
			return nil
		}
	}
	return b.looped(g.env, b.refusal(at, cond, text))
}

// doubt warns where a condition holds.
func (b *binder) doubt(g *given, n *lang.Needs, cond *ir.Node, at lang.Span) *ir.Node {
	f := b.f
	yes, known := ir.Truth(cond)
	if known && !yes {
		return nil
	}
	text := b.inside(g, func() *ir.Node { return f.Expr(n.Text) })
	info := &ir.SayInfo{Kind: "warn"}
	if always, ok := ir.Truth(b.withConstants(cond)); ok && always && f.SeesScript() && f.Refusable == 0 {
		if said, ok := staticText(f.W, text); ok {
			f.Doubts = append(f.Doubts, decl.WarnAt(at, "SP0123", "%s", said))
			info.Stated = true
		}
	}
	warn := f.Mk(ir.NEvent, at, text)
	warn.Info = info
	if known {
		return b.looped(g.env, warn)
	}
	return b.looped(g.env, f.Mk(ir.NIf, at, cond, warn, nil))
}

// withConstants folds a condition once more, with the values of those rules that are constants
// put in for their calls: `kind in kinds_of_stress()`. It finds mistakes of the text, and no
// more: a line that is typed later may replace the rule, so the command asks for it again.
func (b *binder) withConstants(n *ir.Node) *ir.Node {
	if n.Op == ir.NCall && len(n.Kids) == 0 {
		if r := ruleAt(b.f.W, n.A); r != nil && r.Value != nil {
			if v := constantRule(b.f, r); v != nil {
				return v
			}
		}
		return n
	}
	for i, k := range n.Kids {
		if k == nil {
			continue
		}
		if d := b.withConstants(k); d != k {
			c := *n
			c.Kids = slices.Clone(n.Kids)
			c.Kids[i] = d
			for j := i + 1; j < len(c.Kids); j++ {
				if c.Kids[j] != nil {
					c.Kids[j] = b.withConstants(c.Kids[j])
				}
			}
			return ir.Fold(&b.f.W.Unit, &c)
		}
	}
	return n
}

// ruleAt gives the rule of a slot.
func ruleAt(w *decl.World, slot int) *decl.Rule {
	for _, r := range w.Rules {
		if r.Slot == slot {
			return r
		}
	}
	return nil
}

// constantRule gives the value of a rule without parameters that is a constant, else nil.
func constantRule(f *resolve.Fn, r *decl.Rule) *ir.Node {
	if !plainly(r.Value) {
		return nil
	}
	here, reported := around(f), len(f.Diags)
	setNames(f, naming{module: r.Module, rule: r})
	n := f.Expr(r.Value)
	setNames(f, here)
	if len(f.Diags) > reported || n.Op != ir.NConst {
		f.Diags = f.Diags[:reported] // they are those of the rule
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
func (b *binder) nearestOf(n *ir.Node) string {
	if n.Op == ir.NOr {
		return cmp.Or(b.nearestOf(n.Kids[0]), b.nearestOf(n.Kids[1]))
	}
	if n.Op != ir.NBin || code.Op(n.A) != code.In || n.Kids[0].Op != ir.NConst {
		return ""
	}
	list := b.withConstants(n.Kids[1])
	if list.Op != ir.NConst || list.V.Kind() != value.List {
		return ""
	}
	h := b.f.W.Heap
	var words []string
	for _, v := range h.Elems(list.V) {
		words = append(words, h.Show(v, nil))
	}
	near, _ := lang.Nearest(h.Show(n.Kids[0].V, nil), words)
	return near
}

// mistake reports a refusal that the text of the script decides, with the word that is meant; it
// says no where what the refusal says is not known yet, or where the script waits for it.
func (b *binder) mistake(at lang.Span, text *ir.Node, near string) bool {
	said, ok := staticText(b.f.W, text)
	if !ok || b.f.Refusable > 0 {
		return false
	}
	d := decl.ErrAt(at, "SP0325", "%s", said)
	if near != "" {
		d.Help = "did you mean " + near + "?"
	}
	b.f.Err(d)
	return true
}

// refusal refuses the command with a text unless cond holds. What the text of the
// script decides is told at once, but where a refusal is what the script waits for.
func (b *binder) refusal(at lang.Span, cond, text *ir.Node) *ir.Node {
	f := b.f
	if _, known := ir.Truth(cond); known && b.mistake(at, text, "") {
		return nil
	}
	fail := f.Mk(ir.NFail, at, text)
	fail.Info = &code.FailInfo{Kind: code.Refused}
	return f.Mk(ir.NIf, at, f.Mk(ir.NNot, at, cond), fail, nil)
}

// looped asks a condition for each instance that an operand around it names.
func (b *binder) looped(env *ctx, n *ir.Node) *ir.Node {
	for c := env; n != nil && c != nil; c = c.outer {
		if c.each == nil || !uses(n, c.each.reg) {
			continue
		}
		loop := b.f.Mk(ir.NFor, n.At, c.each.in, nil, n)
		loop.A, loop.B = c.each.reg, b.f.Hidden(2)
		n = loop
	}
	return n
}

// inside resolves something with the names that the conditions of a clause know.
func (b *binder) inside(g *given, body func() *ir.Node) *ir.Node {
	return b.scopedTo(g.env, g.own, body)
}

func (b *binder) scopedTo(env *ctx, own map[string]*ir.Node, body func() *ir.Node) *ir.Node {
	f := b.f
	outer := around(f)
	f.Module, f.Script, f.Selves, f.Rule = env.module, false, nil, nil
	f.Names = b.namesIn(env, outer)
	for name, n := range own {
		f.Names = append(f.Names, resolve.Local{Name: name, Value: func() *ir.Node { return n }})
	}
	n := body()
	setNames(f, outer)
	return n
}

// namesIn gives the names of a ctx and, of the record of a clause, of what is around it.
func (b *binder) namesIn(c *ctx, outer naming) []resolve.Local {
	var names []resolve.Local
	if c.set == nil && c.outer != nil {
		names = b.namesIn(c.outer, outer)
	} else {
		names = append(names, resolve.Local{Name: "who", Value: func() *ir.Node { return c.Who }})
	}
	if c.set != nil {
		for _, p := range c.set.Decl.Params {
			names = append(names, resolve.Local{Name: p.Name.Name, Value: func() *ir.Node { return b.param(c, &p, outer) }})
		}
	}
	for _, v := range c.vars {
		l := resolve.Local{Name: v.Name, Value: func() *ir.Node { return b.worth(c, v, outer) }}
		if in := c.uses[v.Name]; in != nil {
			l.Of = func(name string) *ir.Node {
				k := slices.IndexFunc(in.vars, func(v decl.Variable) bool { return v.Name == name })
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
func (b *binder) worth(c *ctx, v decl.Variable, outer naming) *ir.Node {
	f := b.f
	here := around(f)
	setNames(f, outer)
	n := b.valueOf(c, v)
	setNames(f, here)
	if !costly(n) {
		return n
	}
	for env := c; env != nil; env = env.outer {
		if env.each != nil && uses(n, env.each.reg) {
			return n
		}
	}
	local := b.worked(n)
	if c.whole == nil {
		c.whole = map[string]*ir.Node{}
	}
	c.whole[v.Name] = local
	return local
}

// worked has a value worked out before the command.
func (b *binder) worked(n *ir.Node) *ir.Node {
	set := b.f.Mk(ir.NSet, n.At, n)
	set.A = b.f.Hidden(1)
	b.before = append(b.before, set)
	local := b.f.Mk(ir.NLocal, n.At)
	local.A = set.A
	return local
}

// costly says whether working something out twice would be wrong or slow.
func costly(n *ir.Node) bool {
	if n == nil {
		return false
	}
	switch n.Op {
	case ir.NConst, ir.NLocal, ir.NCell:
		return false
	case ir.NField, ir.NNot, ir.NAnd, ir.NOr, ir.NList:
		return slices.ContainsFunc(n.Kids, costly)
	}
	return true
}

// param gives what a set is used with, or the parameter's default.
func (b *binder) param(c *ctx, p *lang.Param, outer naming) *ir.Node {
	f := b.f
	for _, a := range c.args {
		if a.Name.Name == p.Name.Name {
			here := around(f)
			setNames(f, outer)
			n := b.scopedTo(c.outer, nil, func() *ir.Node { return f.Expr(a.Value) })
			setNames(f, here)
			return n
		}
	}
	if p.Default != nil {
		return f.Expr(p.Default)
	}
	return f.Constant(value.None, p.Span)
}

// has says whether a clause of that name was given.
func (c *ctx) has(name string) bool {
	return c.vals["\x00"+name] != nil || len(c.groups[name]) > 0
}

// naming is what names mean at some place.
type naming struct {
	names  []resolve.Local
	module *decl.Module
	script bool
	selves []resolve.Self
	rule   *decl.Rule
}

func around(f *resolve.Fn) naming { return naming{f.Names, f.Module, f.Script, f.Selves, f.Rule} }

func setNames(f *resolve.Fn, n naming) {
	f.Names, f.Module, f.Script, f.Selves, f.Rule = n.names, n.module, n.script, n.selves, n.rule
}

// Candidate is a clause that could stand next in a command that is being typed.
type Candidate struct {
	Clause *lang.Clause
	Counts bool       // it could count, as far as the text says
	Ask    *code.Func // says whether it does as things stand; nil where that is not asked
}

// Candidate says what completion has to know of a clause.
func (b *binder) Candidate(c scoped, env *ctx) Candidate {
	f := b.f
	out := Candidate{Clause: c.cl, Counts: c.cl.Repeat || !env.given(c.cl)}
	if c.cl.Repeat && c.cl.Braces {
		return out
	}
	for _, other := range b.given {
		out.Counts = out.Counts && (other.env != env || !slices.ContainsFunc(other.needs, func(n *lang.Needs) bool { return excludes(n, c.cl) }))
	}
	g := &given{needs: c.needs, env: env}
	body := f.Mk(ir.NSeq, c.cl.Span)
	for _, n := range c.needs {
		if n.Cond == nil {
			out.Counts = out.Counts && !slices.ContainsFunc(n.Excludes, func(x lang.Ident) bool { return env.has(x.Name) })
			continue
		}
		if n.Warns || mentionsOwn(n.Cond, c.cl) {
			continue
		}
		cond := b.inside(g, func() *ir.Node { return f.Expr(n.Cond) })
		if yes, ok := ir.Truth(cond); ok {
			out.Counts = out.Counts && yes
			continue
		}
		looped := false
		for e := env; e != nil; e = e.outer {
			looped = looped || e.each != nil && uses(cond, e.each.reg)
		}
		if !looped {
			no := f.Mk(ir.NReturn, cond.At, f.Constant(value.No, cond.At))
			body.Kids = append(body.Kids, f.Mk(ir.NIf, cond.At, f.Mk(ir.NNot, cond.At, cond), no, nil))
		}
	}
	if out.Counts && len(body.Kids) > 0 {
		for _, set := range slices.Backward(b.before) {
			if uses(body, set.A) {
				body = f.Mk(ir.NSeq, body.At, set, body)
			}
		}
		body = f.Mk(ir.NSeq, body.At, body, f.Mk(ir.NReturn, body.At, f.Constant(value.Yes, body.At)))
		out.Ask = &code.Func{Name: "counts", Source: &resolve.FnSource{}}
		resolve.Generate(f.W, out.Ask, f, body)
	}
	return out
}

func excludes(n *lang.Needs, cl *lang.Clause) bool {
	return slices.ContainsFunc(n.Excludes, func(x lang.Ident) bool { return x.Name == cl.Name.Name })
}

// mentionsOwn says whether a condition is about the operands of its clause.
func mentionsOwn(cond lang.Expr, cl *lang.Clause) bool {
	own := decl.SlotVars(nil, cl.Pattern, false)
	found := false
	lang.Walk(cond, func(n lang.Node) bool {
		w, ok := n.(*lang.Word)
		found = found || ok && slices.ContainsFunc(own, func(v decl.Variable) bool { return v.Name == w.Name })
		return !found
	})
	return found
}

// staticText gives a text that does not depend on the run.
func staticText(w *decl.World, n *ir.Node) (string, bool) {
	switch {
	case n.Op == ir.NConst:
		return w.Heap.Show(n.V, nil), true
	case n.Op == ir.NText:
		var all strings.Builder
		for _, k := range n.Kids {
			s, ok := staticText(w, k)
			if !ok {
				return "", false
			}
			all.WriteString(s)
		}
		return all.String(), true
	case n.Op == ir.NBuiltin && n.A == code.BuiltinIndex("name") && n.Kids[0].Op == ir.NConst && n.Kids[0].V.Kind() == value.Ref:
		if e := w.ByOff[n.Kids[0].V.Off()]; e != nil {
			return e.Name, true
		}
	}
	return "", false
}

// CheckNeed resolves the condition and the text of a need, to find their mistakes.
func CheckNeed(f *resolve.Fn, n *lang.Needs, items []lang.ClauseItem) {
	for _, e := range []lang.Expr{n.Cond, n.Text} {
		if e == nil {
			continue
		}
		said := len(f.Diags)
		if n := f.Expr(e); len(f.Diags) == said {
			f.OnlyCalculates(n, "a condition", "throw, ask and change things in  do { … };  refuse \"…\"  ends the command there")
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
			f.Err(decl.ErrUnknown("clause", x, names))
		}
	}
}

// CheckArgs looks at what a set of clauses is given where it is used.
func CheckArgs(f *resolve.Fn, w *decl.World, u *lang.Uses) {
	set := w.Sets[u.Set.Name]
	if set == nil {
		return
	}
	var names []string
	for _, p := range set.Decl.Params {
		names = append(names, p.Name.Name)
		if p.Default == nil && !slices.ContainsFunc(u.Args, func(a lang.Named) bool { return a.Name.Name == p.Name.Name }) {
			d := decl.ErrAt(u.Set.Span, "SP0326", "%s needs a value for %s", set.Name, p.Name.Name)
			d.Help = "uses " + set.Name + "(" + p.Name.Name + ": …) as " + u.As.Name
			f.Err(d)
		}
	}
	for _, a := range u.Args {
		if !slices.Contains(names, a.Name.Name) {
			f.Err(decl.ErrUnknown("parameter", a.Name, names))
		}
		f.Expr(a.Value)
	}
}

// hasNeeds says whether any of some clauses, those inside others too, has a condition.
func hasNeeds(w *decl.World, items []lang.ClauseItem) bool {
	return slices.ContainsFunc(items, func(it lang.ClauseItem) bool {
		switch it := it.(type) {
		case *lang.Clause:
			return hasNeeds(w, it.Nested)
		case *lang.Uses:
			set := w.Sets[it.Set.Name]
			return set != nil && hasNeeds(w, set.Decl.Clauses)
		}
		_, ok := it.(*lang.Needs)
		return ok
	})
}

// AsksWho says whether a condition of some clauses is about whoever acts. Behind an
// operand that names somebody, the clauses of a set are about that one.
func AsksWho(w *decl.World, items []lang.ClauseItem, named bool) bool {
	return slices.ContainsFunc(items, func(it lang.ClauseItem) bool {
		switch it := it.(type) {
		case *lang.Clause:
			return AsksWho(w, it.Nested, named || namesSomebody(w, it))
		case *lang.Uses:
			set := w.Sets[it.Set.Name]
			return slices.ContainsFunc(it.Args, func(a lang.Named) bool { return saysWho(a.Value) }) || set != nil && !named && AsksWho(w, set.Decl.Clauses, false)
		case *lang.Needs:
			return saysWho(it)
		}
		return false
	})
}

// namesSomebody says whether the clauses inside a clause look things up on somebody else,
// see actorAfter.
func namesSomebody(w *decl.World, cl *lang.Clause) bool {
	return slices.ContainsFunc(cl.Pattern, func(p lang.Pat) bool {
		s, ok := p.(*lang.PatSlot)
		if o, in := p.(*lang.PatOpt); in && len(o.Pattern) == 1 {
			s, ok = o.Pattern[0].(*lang.PatSlot)
			ok = ok && s.Type.Of != nil
		}
		return ok && (s.Type.Of != nil && s.Type.Of.Name != "who" || w.Sheets[s.Type.Name.Name] != nil && !w.IsPart(s.Type.Name.Name))
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
