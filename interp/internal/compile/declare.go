package compile

import (
	"cmp"
	"io/fs"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/lang"
)

// sheet is a declared sheet, feature, clause set or clause group.
type sheet struct {
	name    string
	base    *sheet
	module  *Module
	typ     *code.Type
	fields  []*field // with those of the base first
	byName  map[string]*field
	doc     string
	at      lang.Span
	players bool              // players fill it in
	record  bool              // only made with new
	out     lang.Expr         // when whoever has it is out, nil where nothing says it
	on      string            // of a feature
	every   bool              // of a feature
	params  []*field          // of a feature: its first fields
	answers map[int]lang.Span // of a feature: where it answers each hook
}

type field struct {
	name  string
	sym   int
	index int // into Type.Fields
	decl  *lang.Field
	typ   lang.TypeRef
	sheet string // of a reference or nested sheet
	many  bool
	as    string
	def   lang.Expr
	owner *Module
}

// Script is what is known of a source ahead of resolving it, and what resolving it has
// found.
type Script struct {
	w        *World
	module   *Module
	isScript bool // not a module
	diags    lang.Diagnostics
	rest     []lang.Stmt // what is neither declared nor taken into use

	fixed      map[string]*lang.Let    // variables that the script sets once, at the top
	ahead      map[string]int          // places of variables that the script sets further on
	marks      map[string]int          // by title of a scene behind which tests begin
	unnamed    map[string]bool         // names in declarations that were refused
	successors map[lang.Span]successor // of tactics
	reports    map[string][]reportAt   // where the script reports what
	titled     []titled                // the blocks with a title, outer ones before inner ones
	columns    []Reported              // what it reports, by column
	clauses    []lang.Span             // of the commands of a script
	parameters parameters

	lacks         []lack           // fields that sheets of the script leave out
	unratedTraits lang.Diagnostics // traits without a rating
	stated        []stated         // what its sheets say
	doubts        lang.Diagnostics // what rules warn of, see needs.go
	replaced      lang.Diagnostics // of tactics, in strict checks
}

// collector goes through the statements of a source and declares what they
// declare; what is left are the statements to run.
type collector struct {
	Script

	opening  lang.Stmt // the first statement of a session, nil elsewhere
	slips    int       // how many of diags no other declaration depends on
	cite     int       // catalogue id of the annotation around, -1
	stacked  bool      // the annotation right above this one is the one to cite
	cites    map[lang.Stmt]int
	changed  bool     // something was declared that existing code may refer to
	deeper   bool     // tactics lie over one another, more than before
	fresh    []func() // bodies to resolve at once, to find their mistakes
	eager    bool     // resolve the bodies of modules too
	fsys     fs.FS    // where included files are
	dir      string
	files    map[string]bool
	included []lang.Stmt
	inits    []*node
	regs     int
	afters   []lang.Ident // verbs that goals and fields name

	refused map[string]bool // the names of sheets whose base there is not
	own     []*sheet        // the sheets and features that it declares, until they are settled
}

func (c *Script) err(d *lang.Diagnostic) { c.diags = append(c.diags, d) }

// slip reports a mistake that no other declaration depends on: whatever else is wrong in
// the same module can be reported with it.
func (c *collector) slip(d *lang.Diagnostic) {
	c.err(d)
	c.slips++
}

// declare goes through statements in two rounds: first what names things,
// then what refers to them.
func (c *collector) declare(stmts []lang.Stmt) {
	c.w.decisionSet, c.w.decisionList, c.w.boundaries = nil, nil, nil
	for _, s := range stmts {
		c.first(s)
	}
	c.w.declared = append(slices.Clip(c.w.declared), declared{c.module, stmts}, declared{c.module, c.included})
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
	w := c.w
	w.poll()
	switch s := s.(type) {
	case *lang.Annotated:
		c.annotate(s, nil)
		c.under(s, c.first)
	case *lang.Use:
		c.use(s)
	case *lang.Include:
		c.include(s)
	case *lang.Spans:
		c.changed = true
		w.Prog.Spans, w.spansOf, w.spansAt = nil, c.module, s.Span
		for _, n := range s.Names {
			w.Prog.Spans = append(w.Prog.Spans, n.Name)
			w.symbols[n.Name] = true
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
		w.declareHook(c.module, s)
	case *lang.Decision:
		if old := w.decided[s.Name.Name]; old != nil && old != s && old.Src == s.Src && !c.isScript {
			c.slip(errTwice("the decision "+s.Name.Name, s.Name.Span, old.Name.Span))
		}
		w.decided[s.Name.Name] = s
	case *lang.StandIn:
		w.standIn = &standIn{sheet: s.Sheet, name: nameOf(s.Name)}
	case *lang.Table:
		for _, r := range s.Rows {
			for _, p := range r.Patterns {
				w.words(p)
			}
			w.words(r.Value)
		}
		c.idleRows(s)
		c.declareRule(s, s.Name, params(s.Params), s.Doc, func(f *fn) *node { return f.table(s) })
		w.rules[s.Name.Name].asks, w.rules[s.Name.Name].table = true, s
	case *lang.Rule:
		c.declareRule(s, s.Name, s.Params, s.Doc, func(f *fn) *node { return f.ruleBody(s) })
		r := w.rules[s.Name.Name]
		r.asks, r.value = s.Body == nil, s.Value
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
	if i := c.w.catalogue(c.module, s.ID); i >= 0 && !above {
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
	c.w.poll()
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
		c.knowDecision(s.Name)
	case *lang.StandIn:
		if c.w.sheets[s.Sheet.Name] == nil && !c.refused[s.Sheet.Name] {
			c.err(errUnknown("sheet", s.Sheet, sheetNames(c.w)))
		}
	case *lang.ClauseSet:
		c.slotTypes(nil, s.Clauses)
	case *lang.Remove:
		c.remove(s)
	case *lang.Test:
		c.cites[s] = c.cite
		c.rest = append(c.rest, s)
	case *lang.Tactics:
		if len(s.Who) == 1 && isWord(s.Who[0], "default") {
			c.defaultTactics(s)
			return
		}
		c.cites[s] = c.cite
		c.rest = append(c.rest, s)
	case *lang.Use, *lang.Include, *lang.System, *lang.Spans, *lang.Option, *lang.Sheet, *lang.Hook, *lang.Table, *lang.Rule, *lang.Bad:
	default:
		if _, n := tacticScopes(s); n > c.w.layered {
			c.w.layered, c.deeper = n, true
		}
		c.cites[s] = c.cite
		c.rest = append(c.rest, s)
	}
}

func isWord(e lang.Expr, name string) bool {
	w, ok := e.(*lang.Word)
	return ok && w.Name == name
}

func nameOf(e lang.Expr) string {
	switch e := e.(type) {
	case *lang.Name:
		return strings.ReplaceAll(e.Name, "_", " ")
	case *lang.Caps:
		return e.Name
	case *lang.Text:
		return plain(e)
	case *lang.Word:
		return e.Name
	case *lang.Rated:
		return nameOf(e.X)
	}
	return ""
}

// plain gives the text of a Text without interpolation.
func plain(t *lang.Text) string {
	if t == nil {
		return ""
	}
	if len(t.Parts) == 1 {
		if l, ok := t.Parts[0].(*lang.Lit); ok {
			return l.Value
		}
	}
	var b strings.Builder
	for _, p := range t.Parts {
		if l, ok := p.(*lang.Lit); ok {
			b.WriteString(l.Value)
		}
	}
	return b.String()
}

func params(ids []lang.Ident) []lang.Param {
	ps := make([]lang.Param, len(ids))
	for i, id := range ids {
		ps[i] = lang.Param{Span: id.Span, Name: id}
	}
	return ps
}

// words makes symbols of the bare words of a table's patterns and results.
func (w *World) words(e lang.Expr) {
	for _, name := range bareWords(e) {
		w.symbols[name] = true
	}
}

// bareWords lists the bare words that an expression may be.
func bareWords(e lang.Expr) (out []string) {
	switch e := e.(type) {
	case *lang.Word:
		switch e.Name {
		case "yes", "no", "none", "self":
		default:
			return []string{e.Name}
		}
	case *lang.List:
		for _, x := range e.Elems {
			out = append(out, bareWords(x)...)
		}
	case *lang.Paren:
		return bareWords(e.X)
	case *lang.Cond:
		return append(bareWords(e.A), bareWords(e.B)...)
	}
	return out
}

// annotate declares a catalogue id. in is the body it stands in, if that has
// not been read yet.
func (c *collector) annotate(a *lang.Annotated, in *lang.Block) {
	if a.Doc == nil {
		return
	}
	id, module := a.ID, ""
	if c.module != nil {
		id, module = c.module.Name+"."+a.ID, c.module.Name
	}
	if i, dup := c.w.ids[id]; dup && c.w.IDs[i].idSpan != a.IDSpan {
		if c.w.IDs[i].Module != module || c.w.IDs[i].span.Src != a.Src {
			c.w.IDs = slices.Clone(c.w.IDs) // which other worlds have, too
			c.w.IDs[i] = RuleID{ID: id, Doc: plain(a.Doc), Recorded: a.Recorded, Module: module, span: a.Span, idSpan: a.IDSpan, in: in}
			return
		}
		c.slip(errTwice("the id "+id, a.IDSpan, c.w.IDs[i].span))
		return
	}
	c.w.ids[id] = len(c.w.IDs)
	c.w.IDs = append(c.w.IDs, RuleID{ID: id, Doc: plain(a.Doc), Recorded: a.Recorded, Module: module, span: a.Span, idSpan: a.IDSpan, in: in})
}

// outcomes finds the values that outcomes have and the annotations that stand
// inside bodies, so that they are known before any body is resolved.
func (c *collector) outcomes(s lang.Stmt) {
	switch s.(type) {
	case *lang.Annotated, *lang.Sheet, *lang.Option, *lang.Use, *lang.Include, *lang.Table, *lang.Hook, *lang.ClauseSet:
		return
	}
	for _, n := range notable(s) {
		switch n := n.(type) {
		case *lang.Outcome:
			for _, word := range bareWords(n.Value) {
				if !namesIn(bare(s))[word] { // else it is a variable
					c.w.symbols[word] = true
				}
			}
			if n.SoFar {
				break
			}
			c.w.outcomes = append(c.w.outcomes, givenOutcome{n.Value, bare(s)})
			c.w.givenBy["outcome"] = append(slices.Clip(c.w.givenBy["outcome"]), bare(s))
			for _, f := range n.Fields {
				c.lastKey(f.Name)
				c.w.givenBy[f.Name.Name] = append(slices.Clip(c.w.givenBy[f.Name.Name]), bare(s))
				c.w.lastOf[f.Name.Name] = appendNew(slices.Clip(c.w.lastOf[f.Name.Name]), cmp.Or(lang.Declares(s), "the script"))
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

func (c *Script) lastKey(id lang.Ident) int {
	w := c.w
	if at, ok := w.lastKeys[id.Name]; ok {
		return at
	}
	at := w.Prog.Last[0] + len(w.lastKeys)
	if len(w.lastKeys) >= lastRoom {
		c.err(errAt(id.Span, "outcomes have more than %d different values", lastRoom))
		return w.Prog.Last[0]
	}
	w.lastKeys[id.Name] = at
	w.lastModules[id.Name] = c.module
	w.Prog.Last[1] = at + 1
	if w.Prompt {
		w.kept(id.Name) // a line may ask for what the rules said before it was typed
	}
	return at
}

func (c *collector) declareRule(s lang.Stmt, name lang.Ident, ps []lang.Param, doc *lang.Text, body func(*fn) *node) {
	w, n, at := c.w, len(ps), s.Range()
	r := &rule{name: name.Name, module: c.module, params: ps, doc: plain(doc), at: at}
	r.self = len(ps) > 0 && ps[0].Name.Name == "self"
	for i, p := range ps {
		for _, q := range ps[:i] {
			if q.Name.Name == p.Name.Name {
				c.err(errTwice(p.Name.Name, p.Span, q.Span))
			}
		}
	}
	src := &fnSource{module: c.module, body: body, tree: s}
	if old := w.rules[name.Name]; old != nil {
		if old.module == c.module && old.at.Src == at.Src && old.at != at && !c.isScript {
			c.err(errTwice("the rule "+name.Name, name.Span, old.at))
			return
		}
		if len(ps) != len(old.params) && c.module != old.module {
			c.err(errParams(name, len(ps), old))
		}
		// what calls the old rule now calls the new one; base.NAME still means the old.
		kept := *old
		kept.slot = len(w.Prog.Slots)
		w.Prog.Slots = append(w.Prog.Slots, w.Prog.Slots[old.slot])
		r.base, r.slot = &kept, old.slot
		w.setFunc(r.slot, name.Name, n, src)
		c.changed = true
	} else {
		r.slot = w.addFunc(name.Name, n, src)
		c.changed = true
	}
	cite := int32(c.cite)
	src.body = func(f *fn) *node { f.rule, f.cite = r, cite; return body(f) }
	w.rules[name.Name] = r
	c.resolveAnd(r.slot, func(_ *fn, body *node) { c.endless(r, body) })
}

// resolveSoon has the body of a function of a script resolved with the script,
// so that its mistakes are found before anything runs.
func (c *collector) resolveSoon(slot int) { c.resolveAnd(slot, func(*fn, *node) {}) }

// resolveCondition is resolveSoon of what may only calculate.
func (c *collector) resolveCondition(slot int, what string) {
	c.resolveAnd(slot, func(f *fn, body *node) {
		if len(f.diags) == 0 {
			f.onlyCalculates(body, what, "")
		}
	})
}

func (c *collector) resolveAnd(slot int, look func(f *fn, body *node)) {
	if !c.isScript && !c.eager {
		return
	}
	src := c.w.Prog.Slots[slot].Source.(*fnSource) // another rule may take its place
	c.fresh = append(c.fresh, func() {
		f := newFn(c.w, src.module)
		body := src.body(f)
		f.resolvedBody(body)
		look(f, body)
		c.diags = append(c.diags, f.diags...)
	})
}

func (c *collector) option(s *lang.Option) {
	w := c.w
	var vals []V
	for _, e := range s.Values {
		w.words(e)
		v, ok := c.constant(e)
		if !ok {
			c.err(errAt(e.Range(), "the values of an option must be words, numbers or texts"))
			return
		}
		vals = append(vals, v)
	}
	old := w.optionNamed[s.Name.Name]
	if len(vals) == 1 && !s.Block && (c.isScript || old != nil || c.module != nil && c.module.Base != "") {
		if old == nil {
			c.slip(w.errNoOption(s.Name))
			w.optionNamed[s.Name.Name] = &Option{Name: s.Name.Name, Values: vals, Value: vals[0], At: s.Span} // what uses it is not wrong as well
			return
		}
		c.w.refersToOption(old, s.Name.Span, s.Values[0])
		c.choose(old, vals[0], s.Values[0].Range())
		return
	}
	module := ""
	if c.module != nil {
		module = c.module.Name
	}
	if len(vals) == 0 {
		c.err(errAt(s.Name.Span, "an option needs its values, the usual one first"))
		return
	}
	if old != nil && old.Module == module && old.At.Src == s.Src && !c.isScript {
		c.slip(errTwice("the option "+s.Name.Name, s.Name.Span, old.At))
		return
	}
	o := &Option{Name: s.Name.Name, Module: module, Doc: plain(s.Doc), Values: vals, Docs: make([]string, len(vals)), Value: vals[0], At: s.Span}
	for i, d := range s.Docs {
		o.Docs[i] = plain(d)
	}
	w.optionNamed[o.Name] = o
	c.changed = true
	if o.Doc != "" {
		id := module + ".opt." + o.Name
		if _, dup := w.ids[id]; !dup {
			w.ids[id] = len(w.IDs)
			w.IDs = append(w.IDs, RuleID{ID: id, Doc: o.Doc, Module: module, span: s.Span})
		}
	}
}

// choose sets an option to one of its values.
func (c *collector) choose(o *Option, v V, at lang.Span) {
	if len(o.Values) > 1 {
		found := false
		for _, x := range o.Values {
			found = found || x == v
		}
		if !found {
			c.slip(errChoice(c.w, o, v, at))
			return
		}
	}
	n := *o
	n.Value = v
	c.w.optionNamed[o.Name] = &n
	c.changed = true
}

func (w *World) optionNames() []string {
	return keysOf(w.optionNamed)
}

// constant gives the value of a literal.
func (c *collector) constant(e lang.Expr) (V, bool) {
	f := newFn(c.w, c.module)
	n := f.expr(e)
	if len(f.diags) > 0 || n == nil || n.op != nConst {
		return 0, false
	}
	return n.v, true
}

func (w *World) declareHook(m *Module, s *lang.Hook) {
	h := &hook{id: len(w.Prog.Hooks), name: s.Name.Name, module: m, params: len(s.Params), doc: plain(s.Doc), at: s.Span}
	h.form = signature(&rule{name: h.name, params: params(s.Params)})
	if old := w.hooks[h.name]; old != nil {
		h.id = old.id
		w.hooks[h.name] = h
		return
	}
	w.hooks[h.name] = h
	w.Prog.Hooks = append(w.Prog.Hooks, &code.Hook{Name: h.name})
}

// hookAgain reports a hook that is declared twice, or by a variant with other parameters.
func (c *collector) hookAgain(s *lang.Hook) {
	old := c.w.hooks[s.Name.Name]
	switch {
	case old == nil:
	case old.module == c.module && old.at.Src == s.Src && !c.isScript:
		c.err(errTwice("the hook "+s.Name.Name, s.Name.Span, old.at))
	case old.params != len(s.Params):
		d := errAt(s.Name.Span, "the hook %s has %s, and the one it replaces has %s", s.Name.Name, things(len(s.Params)), things(old.params))
		if old.at.Src != nil {
			d.Notes = append(d.Notes, lang.Note{Span: old.at, Message: "the hook it replaces"})
		}
		d.Help = "keep it as it is:  hook " + old.form
		c.err(d)
	}
}

// hookOf gives the hook that a handler names, nil if there is none or the handler does not
// fit it.
func (c *collector) hookOf(s *lang.Handler) *hook {
	h := c.w.hooks[s.Hook.Name]
	if h == nil {
		c.slip(c.w.errNoHook(s.Hook))
		return nil
	}
	if len(s.Params) > h.params {
		c.slip(errAt(s.Hook.Span, "the hook %s has %s, not %d", h.name, things(h.params), len(s.Params)))
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
	c.w.refersTo("moment", h.name, s.Hook.Span)
	slot := c.w.addFunc("on "+h.name, h.params, &fnSource{module: c.module, body: func(f *fn) *node {
		f.cite = int32(cite)
		return f.handler(s, h, nil)
	}})
	g := *c.w.Prog.Hooks[h.id]
	g.Global = append(append([]int(nil), g.Global...), slot)
	c.w.Prog.Hooks[h.id] = &g
	c.changed = true
	c.resolveSoon(slot)
}

func hookNames(w *World) []string {
	return keysOf(w.hooks)
}

func (c *collector) declareCheck(s *lang.Check) {
	sh := c.w.sheets[s.Of.Name]
	if sh == nil {
		c.slip(errUnknown("sheet", s.Of, sheetNames(c.w)))
		return
	}
	cite := c.cite
	slot := c.w.addFunc("check "+s.Name.Name, 1, &fnSource{module: c.module, body: func(f *fn) *node {
		f.cite = int32(cite)
		f.declare("self")
		f.selves = append(f.selves, self{at: 0, sheet: sh})
		return f.block(s.Body)
	}})
	k := check{sh, slot, s.Name.Name, c.module, plain(s.Doc), s.Span}
	c.changed = true
	c.resolveSoon(slot)
	for i, old := range c.w.checks {
		if old.name == k.name {
			c.w.checks[i] = k
			return
		}
	}
	c.w.checks = append(c.w.checks, k)
}

func (c *collector) remove(s *lang.Remove) {
	w := c.w
	name := s.Name.Name
	c.changed = true
	switch s.Kind.Name {
	case "rule":
		if w.rules[name] == nil {
			c.slip(errUnknown("rule", s.Name, ruleNames(w)))
		}
		delete(w.rules, name)
	case "verb":
		if w.verbs[name] == nil {
			c.slip(errUnknown("verb", s.Name, verbNames(w)))
		}
		delete(w.verbs, name)
	case "option":
		if w.optionNamed[name] == nil {
			c.slip(w.errNoOption(s.Name))
		}
		delete(w.optionNamed, name)
	case "feature":
		sh := w.features[name]
		if sh == nil {
			c.slip(errUnknown("feature", s.Name, featureNames(w)))
			return
		}
		t := *sh.typ
		t.Handlers = nil
		w.Prog.Types[t.ID] = &t
		delete(w.features, name)
	case "goal":
		at := slices.IndexFunc(w.goals, func(g goal) bool { return g.name == name })
		if at < 0 {
			c.slip(errUnknown("goal", s.Name, goalNames(w)))
			return
		}
		w.goals = slices.Delete(w.goals, at, at+1)
	case "check":
		for i, k := range w.checks {
			if k.name == name {
				w.checks = append(append([]check(nil), w.checks[:i]...), w.checks[i+1:]...)
				return
			}
		}
		c.slip(errUnknown("check", s.Name, nil))
	case "clause":
		c.removeClause(s)
	case "handler":
		c.removeHandlers(s)
	default:
		c.slip(errUnknown("kind of thing", s.Kind, []string{"rule", "verb", "option", "feature", "goal", "check", "clause", "handler"}))
	}
}

// removeClause takes a clause out of a verb, a set, or of all of them.
func (c *collector) removeClause(s *lang.Remove) {
	if s.Of != nil && c.w.verbs[s.Of.Name] == nil && c.w.sets[s.Of.Name] == nil {
		c.slip(errUnknown("verb or set of clauses", *s.Of, append(verbNames(c.w), keysOf(c.w.sets)...)))
		return
	}
	found := false
	for _, v := range sortedVerbs(c.w) {
		if s.Of != nil && v.name != s.Of.Name {
			continue
		}
		if items, ok := withoutClause(v.decl.Clauses, s.Name.Name); ok {
			d := *v.decl
			d.Clauses = items
			found = true
			c.replaceVerb(v, &d)
		}
	}
	for _, set := range sortedSets(c.w) {
		if s.Of != nil && set.name != s.Of.Name {
			continue
		}
		if items, ok := withoutClause(set.decl.Clauses, s.Name.Name); ok {
			d := *set.decl
			d.Clauses = items
			found = true
			n := *set
			n.decl = &d
			c.makeGroups(items)
			c.w.sets[n.name] = &n
		}
	}
	if !found {
		c.slip(errUnknown("clause", s.Name, allClauses(c.w)))
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
	h := c.w.hooks[s.Name.Name]
	if h == nil {
		c.slip(c.w.errNoHook(s.Name))
		return
	}
	if s.Of == nil {
		g := *c.w.Prog.Hooks[h.id]
		g.Global = nil
		c.w.Prog.Hooks[h.id] = &g
		return
	}
	sh := c.w.features[s.Of.Name]
	if sh == nil {
		c.slip(errUnknown("feature", *s.Of, featureNames(c.w)))
		return
	}
	t := *sh.typ
	t.Handlers = map[int]int{}
	for k, v := range sh.typ.Handlers {
		if k != h.id {
			t.Handlers[k] = v
		}
	}
	c.w.Prog.Types[t.ID] = &t
	n := *sh
	n.typ = &t
	c.w.features[sh.name] = &n
}

// defaultTactics sets what whoever has no tactics does.
func (c *collector) defaultTactics(s *lang.Tactics) {
	n := c.w.compileTactics(c.module, s, nil, nil, &c.Script, 0)
	c.w.Prog.Default = c.w.Prog.Tactics[n]
	c.changed = true
}
