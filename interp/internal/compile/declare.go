package compile

import (
	"cmp"
	"io/fs"
	"slices"

	"setpiece/interp/internal/bind"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/lint"
	"setpiece/interp/internal/resolve"
	"setpiece/lang"
)

// collector goes through the statements of a source and declares what they
// declare; what is left are the statements to run.
type collector struct {
	resolve.Script

	opening   lang.Stmt // the first statement of a session, nil elsewhere
	slips     int       // how many of diags no other declaration depends on
	cite      int       // catalogue id of the annotation around, -1
	stacked   bool      // the annotation right above this one is the one to cite
	cites     map[lang.Stmt]int
	changed   bool     // something was declared that existing code may refer to
	deeper    bool     // tactics lie over one another, more than before
	fresh     []func() // bodies to resolve at once, to find their mistakes
	eager     bool     // resolve the bodies of modules too
	fsys      fs.FS    // where included files are
	uncounted bool     // they are not of the script's folder, and count for no limit
	dir       string
	files     map[string]bool
	included  []lang.Stmt
	inits     []*ir.Node
	regs      int
	afters    []lang.Ident // verbs that goals and fields name

	refused map[string]bool // the names of sheets whose base there is not
	own     []*decl.Sheet   // the sheets and features that it declares, until they are settled
}

// slip reports a mistake that no other declaration depends on: whatever else is wrong in
// the same module can be reported with it.
func (c *collector) slip(d *lang.Diagnostic) {
	c.Err(d)
	c.slips++
}

// declare goes through statements in two rounds: first what names things,
// then what refers to them.
func (c *collector) declare(stmts []lang.Stmt) {
	c.W.DecisionSet, c.W.DecisionList, c.W.Boundaries = nil, nil, nil
	stmts = c.wordSets(stmts)
	for _, s := range stmts {
		c.first(s)
	}
	c.W.Declared = append(slices.Clip(c.W.Declared), decl.Declared{Module: c.Module, Stmts: stmts}, decl.Declared{Module: c.Module, Stmts: c.included})
	for _, s := range c.included {
		c.second(s)
	}
	for _, s := range stmts {
		c.second(s)
	}
	c.goalVerbs()
}

// first enters the sheets, features, hooks, options, spans and words.
func (c *collector) first(s lang.Stmt) {
	w := c.W
	w.Poll()
	switch s := s.(type) {
	case *lang.Annotated:
		c.annotate(s, nil)
		c.under(s, c.first)
	case *lang.Use:
		c.use(s)
	case *lang.Include:
		c.include(s)
	case *lang.Command:
		c.declareStock(s)
	case *lang.Spans:
		c.changed = true
		w.Prog.Spans, w.SpansOf, w.SpansAt = nil, c.Module, s.Span
		for _, n := range s.Names {
			w.Prog.Spans = append(w.Prog.Spans, n.Name)
			w.Symbols[n.Name] = true
		}
	case *lang.Option:
		c.option(s)
	case *lang.Sheet:
		c.declareSheet(s)
	case *lang.Feature:
		c.declareFeature(s)
	case *lang.Hook:
		c.changed = true
		c.hookAgain(s)
		w.DeclareHook(c.Module, s)
	case *lang.Decision:
		if old := w.Decided[s.Name.Name]; old != nil && old != s && old.Src == s.Src && !c.IsScript {
			c.slip(decl.ErrTwice("the decision "+s.Name.Name, s.Name.Span, old.Name.Span))
		}
		w.Decided[s.Name.Name] = s
	case *lang.StandIn:
		w.StandIn = &decl.StandIn{Sheet: s.Sheet, Name: decl.NameOf(s.Name)}
	case *lang.Table:
		for _, r := range s.Rows {
			for _, p := range r.Patterns {
				w.Words(p)
			}
			w.Words(r.Value)
		}
		lint.IdleRows(&c.Script, s)
		c.declareRule(s, s.Name, decl.Params(s.Params), s.Doc, func(f *resolve.Fn) *ir.Node { return f.Table(s) })
		w.Rules[s.Name.Name].Asks, w.Rules[s.Name.Name].Table = true, s
	case *lang.Rule:
		c.declareRule(s, s.Name, s.Params, s.Doc, func(f *resolve.Fn) *ir.Node { return f.RuleBody(s) })
		r := w.Rules[s.Name.Name]
		r.Asks, r.Value, r.Body = s.Body == nil, s.Value, s.Body
	case *lang.ClauseSet:
		c.declareSet(s)
		c.clauseWords(s.Clauses)
	case *lang.Verb:
		c.patternWords(s.Pattern)
		c.clauseWords(s.Clauses)
	}
	c.outcomes(s)
}

// under enters what an annotation stands above; that is cited by its id.
func (c *collector) under(s *lang.Annotated, enter func(lang.Stmt)) {
	old, above := c.cite, c.stacked
	if i := c.W.Catalogue(c.Module, s.ID); i >= 0 && !above {
		c.cite = i
	}
	if s.Stmt != nil {
		_, c.stacked = s.Stmt.(*lang.Annotated)
		enter(s.Stmt)
	}
	c.cite, c.stacked = old, above
}

// second enters what refers to sheets and hooks.
func (c *collector) second(s lang.Stmt) {
	c.W.Poll()
	switch s := s.(type) {
	case *lang.Annotated:
		c.under(s, c.second)
	case *lang.Verb:
		c.declareVerb(s)
	case *lang.Feature:
		c.handlers(s)
	case *lang.Handler:
		c.globalHandler(s)
	case *lang.Goal:
		c.declareGoal(s)
	case *lang.Check:
		c.declareCheck(s)
	case *lang.Decision:
		c.KnowDecision(s.Name)
	case *lang.StandIn:
		if c.W.Sheets[s.Sheet.Name] == nil && !c.refused[s.Sheet.Name] {
			c.Err(decl.ErrUnknown("sheet", s.Sheet, decl.SheetNames(c.W)))
		}
	case *lang.ClauseSet:
		c.slotTypes(nil, s.Clauses)
	case *lang.Remove:
		c.remove(s)
	case *lang.Test:
		c.cites[s] = c.cite
		c.Rest = append(c.Rest, s)
	case *lang.Tactics:
		if len(s.Who) == 1 && decl.IsWord(s.Who[0], "default") {
			c.defaultTactics(s)
			return
		}
		c.cites[s] = c.cite
		c.Rest = append(c.Rest, s)
	case *lang.Cast:
		c.cast(s)
	case *lang.Use, *lang.Include, *lang.System, *lang.Spans, *lang.Option, *lang.Words, *lang.Sheet, *lang.Hook, *lang.Table, *lang.Rule, *lang.Bad:
	default:
		if c.keepsStock(s) {
			return
		}
		if _, n := bind.TacticScopes(s); n > c.W.Layered {
			c.W.Layered, c.deeper = n, true
		}
		c.cites[s] = c.cite
		c.Rest = append(c.Rest, s)
	}
}

// annotate declares a catalogue id. in is the body it stands in, if that has
// not been read yet.
func (c *collector) annotate(a *lang.Annotated, in *lang.Block) {
	if a.Doc == nil {
		return
	}
	id, module := a.ID, ""
	if c.Module != nil {
		id, module = c.Module.Name+"."+a.ID, c.Module.Name
	}
	if i, dup := c.W.Ids[id]; dup && c.W.IDs[i].IdSpan != a.IDSpan {
		if c.W.IDs[i].Module != module || c.W.IDs[i].Span.Src != a.Src {
			c.W.IDs = slices.Clone(c.W.IDs) // which other worlds have, too
			c.W.IDs[i] = decl.RuleID{ID: id, Doc: decl.Plain(a.Doc), Recorded: a.Recorded, Module: module, Span: a.Span, IdSpan: a.IDSpan, In: in}
			return
		}
		c.slip(decl.ErrTwice("the id "+id, a.IDSpan, c.W.IDs[i].Span))
		return
	}
	c.W.Ids[id] = len(c.W.IDs)
	c.W.IDs = append(c.W.IDs, decl.RuleID{ID: id, Doc: decl.Plain(a.Doc), Recorded: a.Recorded, Module: module, Span: a.Span, IdSpan: a.IDSpan, In: in})
}

// outcomes finds the values that outcomes have and the annotations that stand
// inside bodies, so that they are known before any body is resolved.
func (c *collector) outcomes(s lang.Stmt) {
	for _, n := range decl.Notable(s) {
		if last, ok := n.(*lang.Dot); ok {
			c.W.Ask(last.Name.Name)
		}
	}
	switch s.(type) {
	case *lang.Annotated, *lang.Sheet, *lang.Option, *lang.Words, *lang.Use, *lang.Include, *lang.Cast, *lang.Table, *lang.Hook, *lang.ClauseSet:
		return
	}
	for _, n := range decl.Notable(s) {
		switch n := n.(type) {
		case *lang.Outcome:
			for _, word := range decl.BareWords(n.Value) {
				if !resolve.NamesIn(lang.Bare(s))[word] { // else it is a variable
					c.W.Symbols[word] = true
				}
			}
			if n.SoFar {
				break
			}
			c.W.Outcomes = append(c.W.Outcomes, decl.GivenOutcome{Value: n.Value, In: lang.Bare(s)})
			c.W.GivenBy["outcome"] = append(slices.Clip(c.W.GivenBy["outcome"]), lang.Bare(s))
			for _, f := range n.Fields {
				c.LastKey(f.Name)
				if _, text := f.Value.(*lang.Text); text {
					c.W.Texts[f.Name.Name] |= ir.Given
				}
				c.W.GivenBy[f.Name.Name] = append(slices.Clip(c.W.GivenBy[f.Name.Name]), lang.Bare(s))
				c.W.LastOf[f.Name.Name] = decl.AppendNew(slices.Clip(c.W.LastOf[f.Name.Name]), cmp.Or(lang.Declares(s), "the script"))
			}
		case *lang.Dice:
			for _, f := range n.Faces {
				if resolve.IsWord(f.Shows) {
					c.W.Symbols[f.Shows], c.W.WordDice = true, true
				}
			}
		case *lang.Annotated:
			c.annotate(n, nil)
		case *lang.Block:
			for _, a := range n.Annotations() {
				c.annotate(a, n)
			}
		}
	}
}

func (c *collector) declareRule(s lang.Stmt, name lang.Ident, ps []lang.Param, doc *lang.Text, body func(*resolve.Fn) *ir.Node) {
	w, n, at := c.W, len(ps), s.Range()
	r := &decl.Rule{Name: name.Name, Module: c.Module, Params: ps, Doc: decl.Plain(doc), At: at}
	r.Self = len(ps) > 0 && ps[0].Name.Name == "self"
	for i, p := range ps {
		for _, q := range ps[:i] {
			if q.Name.Name == p.Name.Name {
				c.Err(decl.ErrTwice(p.Name.Name, p.Span, q.Span))
			}
		}
	}
	src := &resolve.FnSource{Module: c.Module, Body: body, Tree: s}
	if old := w.Rules[name.Name]; old != nil {
		if old.Module == c.Module && old.At != at && !c.IsScript {
			c.Err(decl.ErrTwice("the rule "+name.Name, name.Span, old.At))
			return
		}
		if len(ps) != len(old.Params) && c.Module != old.Module {
			c.Err(decl.ErrParams(name, len(ps), old))
		}
		// what calls the old rule now calls the new one; base.NAME still means the old.
		kept := *old
		kept.Slot = len(w.Prog.Slots)
		w.Prog.Slots = append(w.Prog.Slots, w.Prog.Slots[old.Slot])
		r.Base, r.Slot = &kept, old.Slot
		resolve.SetFunc(w, r.Slot, name.Name, n, src)
		c.changed = true
	} else {
		r.Slot = resolve.AddFunc(w, name.Name, n, src)
		c.changed = true
	}
	cite := int32(c.cite)
	src.Body = func(f *resolve.Fn) *ir.Node { f.Rule, f.Cite = r, cite; return body(f) }
	w.Rules[name.Name] = r
	c.resolveAnd(r.Slot, func(_ *resolve.Fn, body *ir.Node) { lint.Endless(&c.Script, r, body) })
}

// resolveSoon has the body of a function of a script resolved with the script,
// so that its mistakes are found before anything runs.
func (c *collector) resolveSoon(slot int) { c.resolveAnd(slot, func(*resolve.Fn, *ir.Node) {}) }

// resolveCondition is resolveSoon of what may only calculate.
func (c *collector) resolveCondition(slot int, what string) {
	c.resolveAnd(slot, func(f *resolve.Fn, body *ir.Node) {
		if len(f.Diags) == 0 {
			f.OnlyCalculates(body, what, "")
		}
	})
}

func (c *collector) resolveAnd(slot int, look func(f *resolve.Fn, body *ir.Node)) {
	if !c.IsScript && !c.eager {
		return
	}
	src := c.W.Prog.Slots[slot].Source.(*resolve.FnSource) // another rule may take its place
	c.fresh = append(c.fresh, func() {
		f := resolve.NewFn(c.W, src.Module)
		body := src.Body(f)
		f.ResolvedBody(body)
		look(f, body)
		c.Diags = append(c.Diags, f.Diags...)
	})
}

func (c *collector) option(s *lang.Option) {
	w := c.W
	var vals []ir.V
	for _, e := range s.Values {
		w.Words(e)
		v, ok := c.constant(e)
		if !ok {
			c.Err(decl.ErrAt(e.Range(), "SP0701", "the values of an option must be words, numbers or texts"))
			return
		}
		vals = append(vals, v)
	}
	old := w.OptionNamed[s.Name.Name]
	if len(vals) == 1 && !s.Block && (c.IsScript || old != nil || c.Module != nil && c.Module.Base != "") {
		if old == nil {
			c.slip(w.ErrNoOption(s.Name))
			w.OptionNamed[s.Name.Name] = &decl.Option{Name: s.Name.Name, Values: vals, Value: vals[0], At: s.Span} // what uses it is not wrong as well
			return
		}
		c.W.RefersToOption(old, s.Name.Span, s.Values[0])
		c.choose(old, vals[0], s.Values[0].Range())
		return
	}
	module := ""
	if c.Module != nil {
		module = c.Module.Name
	}
	if len(vals) == 0 {
		c.Err(decl.ErrAt(s.Name.Span, "SP0702", "an option needs its values, the usual one first"))
		return
	}
	if old != nil && old.Module == module && old.At.Src == s.Src && !c.IsScript {
		c.slip(decl.ErrTwice("the option "+s.Name.Name, s.Name.Span, old.At))
		return
	}
	o := &decl.Option{Name: s.Name.Name, Module: module, Doc: decl.Plain(s.Doc), Values: vals, Docs: make([]string, len(vals)), Value: vals[0], At: s.Span}
	for i, d := range s.Docs {
		o.Docs[i] = decl.Plain(d)
	}
	w.OptionNamed[o.Name] = o
	c.changed = true
	if o.Doc != "" {
		id := module + ".opt." + o.Name
		if _, dup := w.Ids[id]; !dup {
			w.Ids[id] = len(w.IDs)
			w.IDs = append(w.IDs, decl.RuleID{ID: id, Doc: o.Doc, Module: module, Span: s.Span})
		}
	}
}

// choose sets an option to one of its values.
func (c *collector) choose(o *decl.Option, v ir.V, at lang.Span) {
	if len(o.Values) > 1 {
		found := false
		for _, x := range o.Values {
			found = found || x == v
		}
		if !found {
			c.slip(decl.ErrChoice(c.W, o, v, at))
			return
		}
	}
	n := *o
	n.Value = v
	c.W.OptionNamed[o.Name] = &n
	c.changed = true
}

// constant gives the value of a literal.
func (c *collector) constant(e lang.Expr) (ir.V, bool) {
	f := resolve.NewFn(c.W, c.Module)
	n := f.Expr(e)
	if len(f.Diags) > 0 || n == nil || n.Op != ir.NConst {
		return 0, false
	}
	return n.V, true
}

// hookAgain reports a hook that is declared twice, or by a variant with other parameters.
func (c *collector) hookAgain(s *lang.Hook) {
	old := c.W.Hooks[s.Name.Name]
	switch {
	case old == nil:
	case old.Module == c.Module && !c.IsScript:
		c.Err(decl.ErrTwice("the hook "+s.Name.Name, s.Name.Span, old.At))
	case old.Params != len(s.Params):
		d := decl.ErrAt(s.Name.Span, "SP0703", "the hook %s has %s, and the one it replaces has %s", s.Name.Name, decl.Things(len(s.Params)), decl.Things(old.Params))
		if old.At.Src != nil {
			d.Notes = append(d.Notes, lang.Note{Span: old.At, Message: "the hook it replaces"})
		}
		d.Help = "keep it as it is:  hook " + old.Form
		c.Err(d)
	}
}

// hookOf gives the hook that a handler names, nil if there is none or the handler does not
// fit it.
func (c *collector) hookOf(s *lang.Handler) *decl.Hook {
	h := c.W.Hooks[s.Hook.Name]
	if h == nil {
		c.slip(c.W.ErrNoHook(s.Hook))
		return nil
	}
	if len(s.Params) > h.Params {
		c.slip(decl.ErrAt(s.Hook.Span, "SP0704", "the hook %s has %s, not %d", h.Name, decl.Things(h.Params), len(s.Params)))
		return nil
	}
	return h
}

func (c *collector) globalHandler(s *lang.Handler) {
	h := c.hookOf(s)
	if h == nil {
		return
	}
	cite := c.cite
	c.W.RefersTo("moment", h.Name, s.Hook.Span)
	slot := resolve.AddFunc(c.W, "on "+h.Name, h.Params, &resolve.FnSource{Module: c.Module, Body: func(f *resolve.Fn) *ir.Node {
		f.Cite = int32(cite)
		return f.Handler(s, h, nil)
	}})
	g := *c.W.Prog.Hooks[h.Id]
	g.Global = append(append([]int(nil), g.Global...), slot)
	c.W.Prog.Hooks[h.Id] = &g
	c.changed = true
	c.resolveSoon(slot)
}

func (c *collector) declareCheck(s *lang.Check) {
	sh := c.W.Sheets[s.Of.Name]
	if sh == nil {
		c.slip(decl.ErrUnknown("sheet", s.Of, decl.SheetNames(c.W)))
		return
	}
	cite := c.cite
	slot := resolve.AddFunc(c.W, "check "+s.Name.Name, 1, &resolve.FnSource{Module: c.Module, Body: func(f *resolve.Fn) *ir.Node {
		f.Cite = int32(cite)
		f.Declare("self")
		f.Selves = append(f.Selves, resolve.Self{At: 0, Sheet: sh})
		return f.Block(s.Body)
	}})
	k := decl.Check{Sheet: sh, Slot: slot, Name: s.Name.Name, Module: c.Module, Doc: decl.Plain(s.Doc), Always: s.Always, At: s.Span}
	c.changed = true
	c.resolveSoon(slot)
	for i, old := range c.W.Checks {
		if old.Name == k.Name {
			c.W.Checks[i] = k
			return
		}
	}
	c.W.Checks = append(c.W.Checks, k)
}

func (c *collector) remove(s *lang.Remove) {
	w := c.W
	name := s.Name.Name
	c.changed = true
	switch s.Kind.Name {
	case "rule":
		if w.Rules[name] == nil {
			c.slip(decl.ErrUnknown("rule", s.Name, decl.RuleNames(w)))
		}
		delete(w.Rules, name)
	case "verb":
		if w.Verbs[name] == nil {
			c.slip(decl.ErrUnknown("verb", s.Name, decl.VerbNames(w)))
		}
		delete(w.Verbs, name)
	case "option":
		if w.OptionNamed[name] == nil {
			c.slip(w.ErrNoOption(s.Name))
		}
		delete(w.OptionNamed, name)
	case "feature":
		sh := w.Features[name]
		if sh == nil {
			c.slip(decl.ErrUnknown("feature", s.Name, decl.FeatureNames(w)))
			return
		}
		t := *sh.Typ
		t.Handlers = nil
		w.Prog.Types[t.ID] = &t
		delete(w.Features, name)
	case "goal":
		at := slices.IndexFunc(w.Goals, func(g decl.Goal) bool { return g.Name == name })
		if at < 0 {
			c.slip(decl.ErrUnknown("goal", s.Name, GoalNames(w)))
			return
		}
		w.Goals = slices.Delete(w.Goals, at, at+1)
	case "check":
		for i, k := range w.Checks {
			if k.Name == name {
				w.Checks = append(append([]decl.Check(nil), w.Checks[:i]...), w.Checks[i+1:]...)
				return
			}
		}
		c.slip(decl.ErrUnknown("check", s.Name, nil))
	case "clause":
		c.removeClause(s)
	case "handler":
		c.removeHandlers(s)
	default:
		c.slip(decl.ErrUnknown("kind of thing", s.Kind, []string{"rule", "verb", "option", "feature", "goal", "check", "clause", "handler"}))
	}
}

// removeClause takes a clause out of a verb, a set, or of all of them.
func (c *collector) removeClause(s *lang.Remove) {
	if s.Of != nil && c.W.Verbs[s.Of.Name] == nil && c.W.Sets[s.Of.Name] == nil {
		c.slip(decl.ErrUnknown("verb or set of clauses", *s.Of, append(decl.VerbNames(c.W), decl.KeysOf(c.W.Sets)...)))
		return
	}
	found := false
	for _, v := range decl.SortedVerbs(c.W) {
		if s.Of != nil && v.Name != s.Of.Name {
			continue
		}
		if items, ok := withoutClause(v.Decl.Clauses, s.Name.Name); ok {
			d := *v.Decl
			d.Clauses = items
			found = true
			c.replaceVerb(v, &d)
		}
	}
	for _, set := range decl.SortedSets(c.W) {
		if s.Of != nil && set.Name != s.Of.Name {
			continue
		}
		if items, ok := withoutClause(set.Decl.Clauses, s.Name.Name); ok {
			d := *set.Decl
			d.Clauses = items
			found = true
			n := *set
			n.Decl = &d
			c.makeGroups(items)
			c.W.Sets[n.Name] = &n
		}
	}
	if !found {
		c.slip(decl.ErrUnknown("clause", s.Name, decl.AllClauses(c.W)))
	}
}

func withoutClause(items []lang.ClauseItem, name string) ([]lang.ClauseItem, bool) {
	var out []lang.ClauseItem
	found := false
	for _, it := range items {
		cl, ok := it.(*lang.Clause)
		if ok && cl.Name.Name == name {
			// The clause can no longer be given, but the rules may still ask for it.
			d := *cl
			d.Pattern = []lang.Pat{&lang.PatWord{Span: cl.Span, Word: "\x00"}}
			d.Nested = cl.Nested
			for _, p := range cl.Pattern {
				if sl, ok := p.(*lang.PatSlot); ok {
					d.Pattern = append(d.Pattern, sl)
				}
				if o, ok := p.(*lang.PatOpt); ok {
					d.Pattern = append(d.Pattern, o)
				}
			}
			out = append(out, &d)
			found = true
			continue
		}
		if ok && len(cl.Nested) > 0 {
			if nested, in := withoutClause(cl.Nested, name); in {
				d := *cl
				d.Nested = nested
				out = append(out, &d)
				found = true
				continue
			}
		}
		out = append(out, it)
	}
	return out, found
}

func (c *collector) removeHandlers(s *lang.Remove) {
	h := c.W.Hooks[s.Name.Name]
	if h == nil {
		c.slip(c.W.ErrNoHook(s.Name))
		return
	}
	if s.Of == nil {
		g := *c.W.Prog.Hooks[h.Id]
		g.Global = nil
		c.W.Prog.Hooks[h.Id] = &g
		return
	}
	sh := c.W.Features[s.Of.Name]
	if sh == nil {
		c.slip(decl.ErrUnknown("feature", *s.Of, decl.FeatureNames(c.W)))
		return
	}
	t := *sh.Typ
	t.Handlers = map[int]int{}
	for k, v := range sh.Typ.Handlers {
		if k != h.Id {
			t.Handlers[k] = v
		}
	}
	c.W.Prog.Types[t.ID] = &t
	n := *sh
	n.Typ = &t
	c.W.Features[sh.Name] = &n
}

// defaultTactics sets what whoever has no tactics does.
func (c *collector) defaultTactics(s *lang.Tactics) {
	n, _ := bind.CompileTactics(c.W, c.Module, s, nil, nil, &c.Script, 0)
	c.W.Prog.Default = c.W.Prog.Tactics[n]
	c.changed = true
}
