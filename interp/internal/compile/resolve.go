package compile

import (
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Resolving turns a tree into nodes in which every name has become a place.
//
// A bare word may be many things. It is, in this order: a variable of the
// rule; a field of the sheet the text is about (in defaults, handlers, checks,
// conditions and tactics), or a rule of one parameter self about it; a
// variable of the script; an option; a rule without parameters; a word that
// some declaration uses (of an option, a table, a field); in a script, a value
// of the last outcome. Anything else is a mistake.

// fn is a function being resolved.
type fn struct {
	w        *World
	module   *Module
	rule     *rule
	names    []local
	regs     int
	selves   []self
	cite     int32
	script   bool // statements of a script: variables live in the store
	diags    lang.Diagnostics
	block    func(b *lang.Block) *node
	before   []*node   // to be run before the statement
	fixed    bool      // only what is known before the script runs is wanted
	probing  bool      // nobody sees the mistakes, only whether there are any
	made     []*entity // laid out by this function
	lets     []int     // registers of variables that let declares
	folded   []*node   // comparisons of constants, as they are written
	commands Commands
	coll     *Script
	verb     *verb
	loops    int
	defaults int // calls whose defaults are being resolved
	blockReg int
	scope    int            // of the tactics that stand here, see code.Tactics
	picks    map[int32]pick // by place: see says; nil when nobody asks
	stacked  bool           // an annotation right above this one is the one to cite

	refusable int              // blocks around that wait for a refusal
	doubts    lang.Diagnostics // what conditions of clauses warn of
}

type local struct {
	name  string
	reg   int
	value func() *node            // what stands for the name, in conditions of clauses; nil: the register
	of    func(name string) *node // what was given of a set, there
}

// self is a sheet whose fields can be read bare: register at, or instance ent.
type self struct {
	at    int
	ent   *entity
	sheet *sheet   // nil: not known
	kinds []*sheet // without a sheet: those that it can be, none where that is not known either
	expr  *node
}

// Commands reads what goes by the declarations of rules: commands by the pattern of their
// verb, and tactics.
type Commands interface {
	Command(f *fn, s *lang.Command) *node
	Tactics(f *fn, s *lang.Tactics) *node
}

func newFn(w *World, m *Module) *fn {
	f := &fn{w: w, module: m, cite: -1, blockReg: -1}
	f.commands, _ = w.reader.(Commands)
	f.block = f.stmts
	return f
}

func (f *fn) err(d *lang.Diagnostic) { f.diags = append(f.diags, d) }

// declare makes a new variable and gives its register.
func (f *fn) declare(name string) int {
	f.names = append(f.names, local{name: name, reg: f.regs})
	f.regs++
	return f.regs - 1
}

func (f *fn) lookup(name string) *local {
	for i := len(f.names) - 1; i >= 0; i-- {
		if f.names[i].name == name {
			return &f.names[i]
		}
	}
	return nil
}

// hidden reserves registers that no name reaches.
func (f *fn) hidden(n int) int {
	at := f.regs
	f.regs += n
	return at
}

func (f *fn) mk(op nodeOp, at lang.Span, kids ...*node) *node {
	n := f.w.newNode()
	n.op, n.at, n.kids, n.rule = op, at, kids, f.cite
	return n
}

// newNode gives a node of a piece of memory for many: there are thousands of them, which
// live until the function is generated.
func (w *Unit) newNode() *node {
	if len(w.nodes) == 0 {
		w.nodes = make([]node, 32)
	}
	n := &w.nodes[0]
	w.nodes = w.nodes[1:]
	return n
}

func nothing(at lang.Span) *node { return &node{op: nNothing, at: at, rule: -1} }

func (f *fn) constant(v V, at lang.Span) *node {
	n := f.mk(nConst, at)
	n.v = v
	return n
}

// stmts resolves a block; its variables end with it.
func (f *fn) stmts(b *lang.Block) *node {
	n := f.mk(nSeq, b.Span)
	b, diags := b.Read()
	f.diags = append(f.diags, diags...)
	depth := len(f.names)
	for _, s := range b.Stmts {
		n.kids = append(n.kids, f.stmt(s))
	}
	f.names = f.names[:depth]
	return n
}

// ruleBody resolves the body of a rule.
func (f *fn) ruleBody(s *lang.Rule) *node {
	for _, p := range s.Params {
		f.declare(p.Name.Name)
	}
	if f.rule != nil && f.rule.self {
		f.selves = append(f.selves, self{at: 0})
	}
	if s.Value != nil {
		v := f.expr(s.Value)
		return f.mk(nReturn, s.Value.Range(), v)
	}
	return f.block(s.Body)
}

// handler resolves a handler; of a feature its instance comes first.
func (f *fn) handler(s *lang.Handler, h *hook, sh *sheet) *node {
	if sh != nil {
		f.declare("self")
		f.selves = append(f.selves, self{at: 0, sheet: sh})
	}
	for i := range h.params {
		name := "\x00"
		if i < len(s.Params) {
			name = s.Params[i].Name
		}
		f.declare(name)
	}
	if s.When == nil {
		return f.block(s.Body)
	}
	return f.mk(nIf, s.When.Range(), f.expr(s.When), f.block(s.Body), nil)
}

// table resolves a table: the first row that fits gives the value.
func (f *fn) table(s *lang.Table) *node {
	var subject []*node
	for _, p := range s.Params {
		f.declare(p.Name)
		subject = append(subject, f.mk(nLocal, p.Span))
		subject[len(subject)-1].a = f.regs - 1
	}
	body := f.mk(nSeq, s.Span)
	for _, r := range s.Rows {
		v := f.mk(nReturn, r.Value.Range(), f.tableWord(r.Value))
		if r.Patterns == nil {
			body.kids = append(body.kids, v)
			continue
		}
		var cond *node
		for _, p := range r.Patterns {
			c := f.pattern(subject, p)
			if cond == nil {
				cond = c
			} else {
				cond = f.mk(nOr, p.Range(), cond, c)
			}
		}
		body.kids = append(body.kids, f.mk(nIf, r.Span, cond, v, nil))
	}
	return body
}

// tableWord resolves a value in a table, where an unknown word is a word.
func (f *fn) tableWord(e lang.Expr) *node {
	if w, ok := e.(*lang.Word); ok && f.lookup(w.Name) == nil {
		if v, ok := special(w.Name); ok {
			return f.constant(v, w.Span)
		}
		if f.w.optionNamed[w.Name] == nil && f.w.rules[w.Name] == nil && f.w.cells[w.Name] == 0 {
			return f.constant(f.w.Heap.OfSymbol(w.Name), w.Span)
		}
		if f.w.symbols[w.Name] && f.w.optionNamed[w.Name] == nil {
			return f.constant(f.w.Heap.OfSymbol(w.Name), w.Span)
		}
	}
	return f.expr(e)
}

func (f *fn) pattern(subject []*node, p lang.Expr) *node {
	if l, ok := p.(*lang.List); ok && len(subject) > 1 {
		if len(l.Elems) != len(subject) {
			f.err(errAt(l.Span, "this row has %s, and the table takes %d", things(len(l.Elems)), len(subject)))
			return f.constant(value.No, l.Span)
		}
		var all *node
		for i, e := range l.Elems {
			if isWord(e, "any") {
				continue
			}
			c := f.patternOne(subject[i], e)
			if all == nil {
				all = c
			} else {
				all = f.mk(nAnd, e.Range(), all, c)
			}
		}
		if all == nil {
			return f.constant(value.Yes, l.Span)
		}
		return all
	}
	if len(subject) == 0 {
		f.err(errAt(p.Range(), "a table without parameters has one row: else => VALUE"))
		return f.constant(value.No, p.Range())
	}
	return f.patternOne(subject[0], p)
}

func (f *fn) patternOne(subject *node, p lang.Expr) *node {
	n := f.mk(nBin, p.Range(), subject, f.tableWord(p))
	n.a = int(code.Eq)
	if _, ok := p.(*lang.Range); ok {
		n.a = int(code.In)
	}
	return fold(&f.w.Unit, n)
}

func special(name string) (V, bool) {
	switch name {
	case "yes":
		return value.Yes, true
	case "no":
		return value.No, true
	case "none":
		return value.None, true
	}
	return 0, false
}

// ---- statements ---------------------------------------------------------

func (f *fn) stmt(s lang.Stmt) *node {
	f.w.poll()
	switch s := s.(type) {
	case *lang.Annotated:
		old := f.cite
		if i := f.w.catalogue(f.module, s.ID); i >= 0 {
			if !f.stacked {
				f.cite = int32(i)
			}
		} else {
			f.err(errUnknown("rule id", lang.Ident{Span: s.IDSpan, Name: s.ID}, keysOf(f.w.ids)))
		}
		n := nothing(s.Span)
		if s.Stmt != nil {
			_, f.stacked = s.Stmt.(*lang.Annotated)
			n = f.stmt(s.Stmt)
			f.stacked = false
		}
		f.cite = old
		return n
	case *lang.Block:
		return f.block(s)
	case *lang.Let:
		v := f.valueOf(s.Value)
		return f.let(s.Name, v, s.Span)
	case *lang.Assign:
		return f.assign(s)
	case *lang.If:
		n := f.mk(nIf, s.Cond.Range(), f.expr(s.Cond), f.block(s.Then), nil)
		if s.Else != nil {
			n.kids[2] = f.stmt(s.Else)
		}
		return n
	case *lang.For:
		return f.forLoop(s)
	case *lang.While:
		f.loops++
		n := f.mk(nWhile, s.Cond.Range(), f.expr(s.Cond), f.block(s.Body))
		f.loops--
		return n
	case *lang.Repeat:
		n := f.mk(nRepeat, s.Count.Range(), f.expr(s.Count))
		n.b = f.hidden(2)
		f.loops++
		n.kids = append(n.kids, f.block(s.Body))
		f.loops--
		return n
	case *lang.Jump:
		if f.loops == 0 {
			f.err(errAt(s.Span, "there is no loop here to leave"))
		}
		n := f.mk(nJump, s.Span)
		if s.Next {
			n.a = 1
		}
		return n
	case *lang.Return:
		if s.Value == nil {
			return f.mk(nReturn, s.Span)
		}
		return f.mk(nReturn, s.Span, f.expr(s.Value))
	case *lang.Say:
		return f.say(s)
	case *lang.Offer:
		return f.offer(s)
	case *lang.Signal:
		return f.signal(s)
	case *lang.Show:
		n := f.mk(nShow, s.Span, f.labelWord(s.Label), f.optional(s.By), nil)
		n.info = &ShowInfo{s.Kind.Name}
		n.kids[2] = f.block(s.Body)
		return n
	case *lang.Outcome:
		return f.outcome(s)
	case *lang.Boundary:
		i := slices.Index(f.w.Prog.Spans, s.Name.Name)
		if i < 0 {
			f.err(errUnknown("span", s.Name, f.w.Prog.Spans))
			return nothing(s.Span)
		}
		f.w.refersTo("span", s.Name.Name, s.Name.Span)
		n := f.mk(nBoundary, s.Span)
		n.a = i
		if s.End {
			n.b = 1
		}
		n.info = f.hidden(3)
		if s.Title != nil {
			n.kids = []*node{f.labelWord(s.Title)}
		}
		return n
	case *lang.RunBlock:
		if f.blockReg < 0 {
			f.err(errAt(s.Span, "this verb takes no block; write  block  among its clauses"))
			return nothing(s.Span)
		}
		reg := f.mk(nLocal, s.Span)
		reg.a = f.blockReg
		n := f.mk(nRunBlock, s.Span, reg)
		switch {
		case s.For != nil:
			n.kids = append(n.kids, f.expr(s.For))
		case f.verb.each:
			n.kids = append(n.kids, f.constant(value.None, s.Span))
		}
		return n
	case *lang.Act:
		return f.mk(nAct, s.Span, f.expr(s.Who), f.optional(s.Until))
	case *lang.Expect:
		return f.expect(s)
	case *lang.Report:
		n := f.mk(nSeq, s.Span)
		for _, e := range s.Values {
			name := f.reportName(e)
			ev := f.mk(nEvent, e.Span, f.expr(e.Value))
			ev.info = &ReportInfo{Text: name, Column: f.coll.columnAt(name, e.Span)}
			n.kids = append(n.kids, ev)
		}
		return n
	case *lang.ExprStmt:
		v := f.expr(s.X)
		if f.script {
			return f.shown(s.Span, v)
		}
		return f.mk(nExpr, s.Span, v)
	case *lang.Command:
		return f.commands.Command(f, s)
	case *lang.Tactics:
		return f.commands.Tactics(f, s)
	case *lang.Test:
		return f.test(s)
	case *lang.Bad:
		return nothing(s.Span)
	}
	f.err(errAt(s.Range(), "this belongs at the top of a file, outside all braces"))
	return nothing(s.Range())
}

// lastShown is the variable that holds the value shown last at a prompt.
const lastShown = "_"

// shown shows a value. At a prompt it is kept as well. Odds are worked out without
// anybody listening, and nothing is kept there.
func (f *fn) shown(at lang.Span, v *node) *node {
	ev := f.mk(nEvent, at, v)
	ev.info = &ValueInfo{}
	if !f.w.Prompt || !f.w.Prog.Traced {
		return ev
	}
	keep := f.mk(nSetCell, at, v)
	keep.a = f.cell(lastShown)
	kept := f.mk(nCell, at)
	kept.a = keep.a
	ev.kids[0] = kept
	return f.mk(nSeq, at, keep, ev)
}

func text(s lang.Span) string { return s.Src.Text[s.Start:s.End] }

// holder notes that the variable in a cell may come to hold what  new  makes.
func (w *World) holder(cell int, v *node) {
	switch v.op {
	case nConst, nAnd, nOr, nNot, nNeg, nText, nThrow, nRange:
		return
	case nBin:
		if v.a != int(code.Add) { // of two lists
			return
		}
	}
	if !slices.Contains(w.Prog.Holders, cell) {
		w.Prog.Holders = append(w.Prog.Holders, cell)
	}
}

func (f *fn) let(name lang.Ident, v *node, at lang.Span) *node {
	if f.script {
		n := f.mk(nSetCell, at, v)
		n.a = f.cell(name.Name)
		f.w.holder(n.a, v)
		return n
	}
	n := f.mk(nSet, at, v)
	n.a = f.declare(name.Name)
	f.lets = append(f.lets, n.a)
	return n
}

// cell gives the store word of a variable of the script, making one if need be.
func (f *fn) cell(name string) int {
	if at, ok := f.w.cells[name]; ok {
		return at
	}
	at, ok := 0, false
	if f.coll != nil {
		at, ok = f.coll.ahead[name]
	}
	if !ok {
		at = f.w.reserve(1)
	}
	f.w.cells[name] = at
	return at
}

func (f *fn) optional(e lang.Expr) *node {
	if e == nil {
		return nil
	}
	return f.expr(e)
}

// labelWord resolves a label, where a bare word that is no variable is itself.
func (f *fn) labelWord(e lang.Expr) *node {
	if w, ok := e.(*lang.Word); ok && f.lookup(w.Name) == nil {
		return f.constant(f.w.Heap.OfText(w.Name), w.Span)
	}
	return f.expr(e)
}

func (f *fn) assign(s *lang.Assign) *node {
	if ix, ok := s.Target.(*lang.Index); ok {
		return f.assignIndex(s, ix)
	}
	v := f.assignedValue(s)
	var keep *node
	if s.As != nil && v.op != nConst {
		// The value is shown too, and must be worked out once.
		keep = f.mk(nSet, s.Span, v)
		keep.a = f.hidden(1)
		v = f.mk(nLocal, s.Span)
		v.a = keep.a
	}
	val := v
	if s.Op != "=" {
		val = f.mk(nBin, s.Span, f.expr(s.Target), v)
		val.a = int(code.Add)
		if s.Op == "-=" {
			val.a = int(code.Sub)
		}
	}
	set := f.byHand(f.setTarget(s.Target, val, s.Span))
	if dot, ok := s.Target.(*lang.Dot); ok && s.Op == "=" && set.op == nSetField {
		f.setsField(set.kids[0], dot.Name, v)
	}
	if s.As == nil {
		return set
	}
	shown := v
	if s.Op == "-=" {
		shown = f.mk(nNeg, s.Span, v)
	}
	if keep != nil {
		return f.mk(nSeq, s.Span, keep, set, f.part(shown, s))
	}
	return f.mk(nSeq, s.Span, set, f.part(shown, s))
}

// byHand marks what a script sets outside of its own rules.
func (f *fn) byHand(set *node) *node {
	if f.script && set.op == nSetField && set.rule < 0 {
		set.rule = code.ByHand
	}
	return set
}

// part tells of a named part of a total.
func (f *fn) part(v *node, s *lang.Assign) *node {
	note := f.constant(value.None, s.Span)
	if s.Note != nil {
		note = f.expr(s.Note)
	}
	n := f.mk(nEvent, s.Span, v, f.labelWord(s.As), note)
	n.info = &PartInfo{}
	return n
}

func (f *fn) setTarget(t lang.Expr, v *node, at lang.Span) *node {
	switch t := t.(type) {
	case *lang.Word:
		return f.setWord(t, v, at)
	case *lang.Dot:
		if v, ok := t.X.(*lang.Word); ok && v.Name == "last" && f.lookup("last") == nil {
			f.err(errAt(t.Span, "last cannot be changed"))
			return nothing(at)
		}
		sym, ok := f.w.fieldSyms[t.Name.Name]
		if !ok {
			d := errUnknown("field", t.Name, keysOf(f.w.fieldSyms))
			if fd := f.ratingOf(t); fd != "" {
				d = errAt(t.Name.Span, "%s is on the sheet, and a line sets one field of it", t.Name.Name)
				d.Help = "write  " + text(t.Span) + "." + fd
			}
			if !slices.ContainsFunc(f.diags, func(d *lang.Diagnostic) bool { return d.Span == t.Name.Span }) {
				f.err(d) // it has not been reported where += reads it
			}
			return nothing(at)
		}
		n := f.mk(nSetField, at, f.subject(t.X), v)
		n.a = sym
		f.refersToFieldOf(n.kids[0], t.Name.Name, t.Name.Span)
		f.checkField(n.kids[0], t.Name)
		return n
	}
	f.err(errAt(t.Range(), "this cannot be set"))
	return nothing(at)
}

// ratingOf gives the field in which a part of a known instance has its number or die; ""
// if x is no such part.
func (f *fn) ratingOf(x *lang.Dot) string {
	before := len(f.diags)
	e := f.entityOf(f.expr(x.X))
	f.diags = f.diags[:before]
	if e == nil {
		return ""
	}
	part := e.part(x.Name.Name)
	switch {
	case part == nil || len(part.sheet.fields) == 0:
		return ""
	case part.sheet.byName["rating"] != nil:
		return "rating"
	}
	return part.sheet.fields[0].name
}

// checkField finds a field that a known instance does not have.
func (f *fn) checkField(obj *node, name lang.Ident) {
	e := f.entityOf(obj)
	if e == nil || e.sheet.byName[name.Name] != nil {
		return
	}
	d := errAt(name.Span, "%s has no %s", quoteName(e.name), name.Name)
	var names []string
	for _, fd := range e.sheet.fields {
		names = append(names, fd.name)
	}
	suggest(d, name.Name, names)
	f.err(d)
}

func (f *fn) setWord(t *lang.Word, v *node, at lang.Span) *node {
	if l := f.lookup(t.Name); l != nil {
		n := f.mk(nSet, at, v)
		n.a = l.reg
		return n
	}
	if obj, fd := f.selfField(t.Name); fd >= 0 {
		f.refersToFieldOf(obj, t.Name, t.Span)
		n := f.mk(nSetField, at, obj, v)
		n.a = fd
		return n
	}
	if c, ok := f.w.cells[t.Name]; ok && f.seesScript() {
		n := f.mk(nSetCell, at, v)
		n.a = c
		f.w.holder(c, v)
		return n
	}
	d := errAt(t.Span, "there is no variable %s to set", t.Name)
	d.Help = "a new one begins with  let " + t.Name + " = …"
	var names []string
	for _, l := range f.names {
		names = append(names, l.name)
	}
	if near, ok := lang.Nearest(t.Name, append(names, keysOf(f.w.cells)...)); ok {
		d.Help = "did you mean " + near + "? a new variable begins with  let"
	}
	f.err(d)
	return nothing(at)
}

// assignIndex is x[k] = v: the map in x with k holding v goes back into x.
func (f *fn) assignIndex(s *lang.Assign, ix *lang.Index) *node {
	k, v := f.key(ix), f.valueOf(s.Value)
	f.keyed(k)
	old := f.expr(ix.X)
	if s.Op != "=" {
		v = f.mk(nBin, s.Span, f.mk(nIndex, ix.Span, old, k), v)
		v.a = int(code.Add)
		if s.Op == "-=" {
			v.a = int(code.Sub)
		}
	}
	p := f.mk(nBuiltin, s.Span, old, k, v)
	p.a = code.BuiltinIndex("put")
	set := f.byHand(f.setTarget(ix.X, p, s.Span))
	if dot, ok := ix.X.(*lang.Dot); ok && s.Op == "=" && set.op == nSetField {
		f.setsEntry(set.kids[0], dot.Name, v)
	}
	return set
}

func (f *fn) forLoop(s *lang.For) *node {
	n := f.mk(nFor, s.Span, f.expr(s.In), nil, nil)
	n.b = f.hidden(2)
	depth := len(f.names)
	if f.script {
		n.a, n.info = -1, f.cell(s.Var.Name)
	} else {
		n.a = f.declare(s.Var.Name)
	}
	n.kids[1] = f.optional(s.Where)
	f.loops++
	n.kids[2] = f.block(s.Body)
	f.loops--
	f.names = f.names[:depth]
	return n
}

func (f *fn) say(s *lang.Say) *node {
	t := f.expr(s.Text)
	if s.Kind == "refuse" {
		n := f.mk(nFail, s.Span, t)
		n.info = &code.FailInfo{Kind: code.Refused, Clause: lastName(s.At)}
		return n
	}
	n := f.mk(nEvent, s.Span, t)
	n.info = &SayInfo{Kind: s.Kind}
	return n
}

// lastName gives the last word of a path: the clause a refusal is about.
func lastName(e lang.Expr) string {
	switch e := e.(type) {
	case *lang.Word:
		return e.Name
	case *lang.Dot:
		return e.Name.Name
	}
	return ""
}

func (f *fn) offer(s *lang.Offer) *node {
	n := f.mk(nOffer, s.Span, f.expr(s.To), f.question(s.Name, s.Prompt), f.optional(s.Cost), nil, f.optional(s.When), f.optional(s.Answer), f.optional(s.Default), nil, nil, nil)
	info := &code.AskInfo{Name: s.Name.Name, Offer: true, Unasked: s.Unasked, Pure: saysNo(s.Default) && f.w.isPure(s.When, nil)}
	f.w.refersTo("decision", s.Name.Name, s.Name.Span)
	n.info = info
	if info.Pure {
		n.kids[9] = f.ahead(s.To)
	}
	n.b = f.hidden(2)
	if s.Cost != nil {
		sym, ok := f.w.fieldSyms[s.Field.Name]
		if !ok {
			f.err(errUnknown("field", *s.Field, keysOf(f.w.fieldSyms)))
		}
		n.a = sym
		info.Cost = s.Field.Name
		n.kids[3] = n.kids[0]
		if s.Payer != nil {
			n.kids[3] = f.expr(s.Payer)
		}
	}
	n.kids[7] = f.block(s.Body)
	if s.Else != nil {
		n.kids[8] = f.block(s.Else)
	}
	return n
}

// question resolves what an offer asks: where it says nothing, what the decision of that name asks.
func (f *fn) question(name lang.Ident, prompt lang.Expr) *node {
	if t, ok := prompt.(*lang.Text); prompt != nil && !(ok && len(t.Parts) == 0) {
		return f.expr(prompt)
	}
	if d := f.w.decided[name.Name]; d != nil && d.Doc != nil {
		return f.expr(d.Doc)
	}
	if prompt != nil {
		return f.expr(prompt)
	}
	d := errAt(name.Span, "%s asks nothing", name.Name)
	d.Help = "write the question after who is asked, as  \"Again?\",  or in a line  decision " + name.Name + " \"Again?\""
	f.err(d)
	return f.constant(f.w.Heap.OfText(""), name.Span)
}

// saysNo says whether the default of an offer is to decline it.
func saysNo(def lang.Expr) bool { return def == nil || isWord(def, "no") }

// Pure says whether an expression of a text can be left out when its value is not needed.
func (w *World) Pure(e lang.Expr) bool { return w.isPure(e, nil) }

// isPure says whether an expression can be left out when its value is not needed: it throws
// nothing, asks nobody, makes nothing, and calls only rules that are such values. seen are
// the rules that are being looked at.
func (w *World) isPure(e lang.Expr, seen []*rule) bool {
	ok := true
	called := func(name string) bool {
		r := w.rules[name]
		switch {
		case r == nil:
			return name != "draw"
		case slices.Contains(seen, r):
			return true
		}
		return r.value != nil && w.isPure(r.value, append(seen, r))
	}
	lang.Walk(e, func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Throw, *lang.Choose, *lang.New:
			ok = false
		case *lang.Word:
			ok = ok && called(n.Name)
		case *lang.Dot:
			ok = ok && called(n.Name.Name)
		case *lang.Call:
			switch n.Fn.(type) {
			case *lang.Word, *lang.Dot:
			default:
				ok = false // a rule that somebody hands over
			}
		}
		return ok
	})
	return ok
}

func (f *fn) signal(s *lang.Signal) *node {
	h := f.w.hooks[s.Hook.Name]
	if h == nil {
		f.err(f.w.errNoHook(s.Hook))
		return nothing(s.Span)
	}
	if len(s.Args) != h.params {
		f.err(errAt(s.Span, "the hook %s has %s, not %d", h.name, things(h.params), len(s.Args)))
		return nothing(s.Span)
	}
	f.w.refersTo("moment", h.name, s.Hook.Span)
	n := f.mk(nSignal, s.Span, f.expr(s.To))
	n.a = h.id
	n.b = f.hidden(3)
	for _, a := range s.Args {
		n.kids = append(n.kids, f.expr(a))
	}
	return n
}

func (f *fn) outcome(s *lang.Outcome) *node {
	v := f.symbolOr(s.Value)
	if s.SoFar {
		return f.soFar(s, v)
	}
	n := f.mk(nOutcome, s.Span, v)
	cells := []int{f.w.lastKeys["outcome"]}
	names := []string{"outcome"}
	for _, x := range s.Fields {
		n.kids = append(n.kids, f.expr(x.Value))
		at, ok := f.w.lastKeys[x.Name.Name]
		if !ok && f.coll != nil {
			at = f.coll.lastKey(x.Name)
		}
		f.w.refersTo("value of the last outcome", x.Name.Name, x.Name.Span)
		cells = append(cells, at)
		names = append(names, x.Name.Name)
	}
	n.v = V(len(cells))
	n.info = &outcomeCells{cells: cells, info: &OutcomeInfo{Names: names}}
	return n
}

// soFar shows how a check stands; only observers read it.
func (f *fn) soFar(s *lang.Outcome, v *node) *node {
	n := f.mk(nEvent, s.Span, v)
	info := &OutcomeInfo{Names: []string{"outcome"}, SoFar: true}
	for _, x := range s.Fields {
		n.kids = append(n.kids, f.expr(x.Value))
		info.Names = append(info.Names, x.Name.Name)
	}
	n.info = info
	return n
}

type outcomeCells struct {
	cells []int
	info  *OutcomeInfo
}

// symbolOr resolves an outcome: a bare word that is no variable is a word.
func (f *fn) symbolOr(e lang.Expr) *node {
	if w, ok := e.(*lang.Word); ok && f.lookup(w.Name) == nil {
		if v, ok := special(w.Name); ok {
			return f.constant(v, w.Span)
		}
		if f.w.symbols[w.Name] {
			return f.constant(f.w.Heap.OfSymbol(w.Name), w.Span)
		}
	}
	return f.expr(e)
}

func (f *fn) expect(s *lang.Expect) *node {
	info := &ExpectInfo{Text: text(s.Cond.Range())}
	if s.Text != nil {
		info.Text = plain(s.Text)
	}
	if x, ok := s.Cond.(*lang.NoneRefused); ok {
		n := f.mk(nNoneRefused, x.Span)
		info.Refused = true
		n.info = info
		return n
	}
	n := f.mk(nExpect, s.Cond.Range(), f.expr(s.Cond))
	if b, ok := s.Cond.(*lang.Binary); ok && n.kids[0].op == nBin {
		switch b.Op {
		case "==", "!=", "<", "<=", ">", ">=", "in":
			info.Compare = true
		}
	}
	n.info = info
	return n
}

func (f *fn) test(s *lang.Test) *node {
	w := f.w
	block, odds, diags := withoutOdds(s.Body)
	f.diags = append(f.diags, diags...)
	slot := w.addFunc("test "+plain(s.Name), 0, &fnSource{module: f.module, region: true, body: func(g *fn) *node {
		g.script = true
		return g.block(block)
	}})
	g := newFn(w, f.module)
	g.script = true
	g.coll = f.coll
	body := g.block(block)
	g.resolvedBody(body)
	f.diags = append(f.diags, g.diags...)
	f.doubts = append(f.doubts, g.doubts...)
	f.before = append(f.before, g.before...)
	w.generate(w.Prog.Slots[slot], g, body)
	t := &Test{Name: plain(s.Name), At: s.Name.Span, Slot: slot, Odds: odds}
	if s.After != nil && f.coll != nil {
		f.coll.checkAfter(s, f.coll.rest)
		t.After, t.Mark = plain(s.After), f.coll.marks[plain(s.After)]
	}
	w.tests = append(w.tests, t)
	return nothing(s.Span)
}

// withoutOdds takes the expectations about odds out of the body of a test: they
// are not about what happens, but about all that may.
func withoutOdds(b *lang.Block) (*lang.Block, []OddsTest, lang.Diagnostics) {
	b, diags := b.Read()
	rest := &lang.Block{Span: b.Span}
	var odds []OddsTest
	for _, s := range b.Stmts {
		if x, ok := s.(*lang.Expect); ok {
			if o, ok := aboutOdds(x); ok {
				for _, before := range rest.Stmts {
					o.Before = append(o.Before, before.Range())
				}
				odds = append(odds, o)
				continue
			}
		}
		rest.Stmts = append(rest.Stmts, s)
	}
	return rest, odds, diags
}

// aboutOdds says whether an expectation is of the form odds(CONDITION) in RANGE,
// or with another comparison.
func aboutOdds(x *lang.Expect) (OddsTest, bool) {
	b, ok := x.Cond.(*lang.Binary)
	if !ok {
		return OddsTest{}, false
	}
	call, ok := b.X.(*lang.Call)
	if !ok || len(call.Args) != 1 || !isWord(call.Fn, "odds") {
		return OddsTest{}, false
	}
	_, outcome := call.Args[0].(*lang.Word)
	return OddsTest{At: x.Cond.Range(), Of: call.Args[0].Range(), Outcome: outcome, Op: b.Op, Than: b.Y.Range()}, true
}
