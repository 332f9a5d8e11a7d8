package compile

import (
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// verb is a declared verb.
type verb struct {
	name   string
	decl   *lang.Verb
	module *Module
	slot   int
	vars   []variable
	doc    string
	who    bool // its rules ask who acts
	each   bool // its block is run for somebody, who acts where nobody is named
	block  bool
}

// clauseSet is a declared set of clauses; its record has the sheet rec.
type clauseSet struct {
	name   string
	decl   *lang.ClauseSet
	module *Module
	rec    *sheet
	vars   []variable
}

// variable is what a clause or slot gives to the rules of its verb.
type variable struct {
	name string
	kind varKind
	at   lang.Span    // its name
	uses *lang.Uses   // of a set
	cl   *lang.Clause // of a group
	def  lang.Expr    // of a slot
}

// title is what messages call a variable.
func (v *variable) title() string {
	switch v.kind {
	case slotVar, listVar:
		return "the operand " + v.name
	case flagVar, groupVar:
		return "the clause " + v.name
	}
	return v.name
}

type varKind uint8

const (
	slotVar  varKind = iota // a value, none when absent
	listVar                 // the values of a repeated slot
	flagVar                 // whether a clause was given
	usesVar                 // the record of a clause set
	groupVar                // the records of a repeated clause with clauses of its own
)

func sortedVerbs(w *World) []*verb {
	var vs []*verb
	for _, n := range verbNames(w) {
		vs = append(vs, w.verbs[n])
	}
	return vs
}

func sortedSets(w *World) []*clauseSet {
	var ss []*clauseSet
	for _, n := range keysOf(w.sets) {
		ss = append(ss, w.sets[n])
	}
	return ss
}

func allClauses(w *World) []string {
	var names []string
	add := func(items []lang.ClauseItem) {
		for _, it := range items {
			if cl, ok := it.(*lang.Clause); ok {
				names = append(names, cl.Name.Name)
			}
		}
	}
	for _, v := range w.verbs {
		add(v.decl.Clauses)
	}
	for _, s := range w.sets {
		add(s.decl.Clauses)
	}
	return names
}

// variables lists what a pattern and clauses give, in order.
func variables(pattern []lang.Pat, items []lang.ClauseItem) []variable {
	var vs []variable
	vs = slotVars(vs, pattern, false)
	for _, it := range items {
		switch it := it.(type) {
		case *lang.Uses:
			vs = append(vs, variable{name: it.As.Name, kind: usesVar, at: it.As.Span, uses: it})
		case *lang.BlockClause:
			vs = append(vs, variable{name: "block", kind: flagVar, at: it.Span})
		case *lang.Clause:
			if it.Repeat && it.Braces {
				vs = append(vs, variable{name: it.Name.Name, kind: groupVar, at: it.Name.Span, cl: it})
				continue
			}
			at := len(vs)
			vs = slotVars(vs, it.Pattern, it.Repeat)
			named := slices.ContainsFunc(vs[at:], func(v variable) bool { return v.name == it.Name.Name })
			if !named {
				vs = append(vs, variable{name: it.Name.Name, kind: flagVar, at: it.Name.Span})
			}
			vs = append(vs, variables(nil, it.Nested)...)
		}
	}
	return vs
}

func slotVars(vs []variable, pattern []lang.Pat, list bool) []variable {
	for _, p := range pattern {
		switch p := p.(type) {
		case *lang.PatSlot:
			kind := slotVar
			if list || p.Type.Many {
				kind = listVar
			}
			vs = append(vs, variable{name: p.Name.Name, kind: kind, at: p.Name.Span, def: p.Default})
		case *lang.PatOpt:
			vs = slotVars(vs, p.Pattern, list)
		}
	}
	return vs
}

// groupRec gives the sheet of the records of a group.
func (w *World) groupRec(cl *lang.Clause) *sheet {
	return w.records[cl]
}

// makeRecord declares the sheet of a record with these variables.
func (c *collector) makeRecord(name string, vars []variable, at lang.Span) *sheet {
	sh := c.w.newSheet(name, nil, c.module, at)
	sh.record = true
	for _, v := range vars {
		if old := sh.byName[v.name]; old != nil {
			c.err(errTwice(v.title(), v.at, old.decl.Name.Span))
			continue
		}
		f := &field{name: v.name, decl: &lang.Field{Span: at, Name: lang.Ident{Span: v.at, Name: v.name}}}
		c.w.addField(sh, f)
		mf := &sh.typ.Fields[f.index]
		mf.Default = v.empty()
		sh.typ.Template[code.Header+f.index] = mf.Default
	}
	return sh
}

// empty is what a variable holds when nothing was given.
func (v variable) empty() V {
	switch v.kind {
	case flagVar:
		return value.No
	case listVar, groupVar:
		return value.EmptyList
	}
	return value.None
}

// makeGroups declares the sheets of the groups among clauses.
func (c *collector) makeGroups(items []lang.ClauseItem) {
	for _, it := range items {
		cl, ok := it.(*lang.Clause)
		if !ok {
			continue
		}
		if cl.Repeat && cl.Braces {
			vars := variables(cl.Pattern, cl.Nested)
			c.w.records[cl] = c.makeRecord(cl.Name.Name, vars, cl.Span)
		}
		c.makeGroups(cl.Nested)
	}
}

func (c *collector) declareSet(s *lang.ClauseSet) {
	if s.Base != nil {
		base := c.w.sets[s.Base.Name]
		if base == nil {
			c.err(errUnknown("clause set", *s.Base, keysOf(c.w.sets)))
			return
		}
		c.w.refers(s.Base.Span, base.decl.Span)
		if s = c.extended(s, base.decl); s == nil {
			return
		}
	} else if old := c.w.sets[s.Name.Name]; old != nil {
		ps := without(paramNames(old.decl.Params), paramNames(s.Params))
		c.dropped(s.Name, "the set", old.module, "parameter", ps, "the verbs that use it need them")
		c.dropped(s.Name, "the set", old.module, "clause", clausesLeftOut(old.decl.Clauses, s.Clauses), "write them again: rules that ask for them stop the script")
	}
	set := &clauseSet{name: s.Name.Name, decl: s, module: c.module}
	set.vars = variables(nil, s.Clauses)
	set.rec = c.makeRecord(set.name, set.vars, s.Span)
	c.makeGroups(s.Clauses)
	c.conditions(c.module, s.Params, nil, set.vars, s.Clauses)
	c.w.sets[set.name] = set
	c.changed = true
}

// extended gives a set that has the parameters and clauses of another, and more; nil where it
// has a clause of the other anew.
func (c *collector) extended(s, base *lang.ClauseSet) *lang.ClauseSet {
	out := *s
	out.Params, out.Clauses = slices.Concat(base.Params, s.Params), slices.Concat(base.Clauses, s.Clauses)
	if out.Doc == nil {
		out.Doc = base.Doc
	}
	for _, it := range s.Clauses {
		cl, ok := it.(*lang.Clause)
		if !ok {
			continue
		}
		for _, old := range base.Clauses {
			if old, ok := old.(*lang.Clause); ok && old.Name.Name == cl.Name.Name {
				c.err(errTwice("the clause "+cl.Name.Name, cl.Name.Span, old.Name.Span))
				return nil
			}
		}
	}
	return &out
}

func (w *World) setSheet(s *clauseSet) *sheet { return s.rec }

func (c *collector) declareVerb(s *lang.Verb) {
	if old := c.w.verbs[s.Name.Name]; old != nil && old.module == c.module && !c.isScript {
		c.err(errTwice("the verb "+s.Name.Name, s.Name.Span, old.decl.Span))
		return
	}
	if c.w.sheets[s.Name.Name] != nil {
		c.err(errAt(s.Name.Span, "%s is a sheet already; a verb needs another name", s.Name.Name))
		return
	}
	if old := c.w.verbs[s.Name.Name]; old != nil {
		c.dropped(s.Name, "the verb", old.module, "clause", clausesLeftOut(old.decl.Clauses, s.Clauses), "write them again, or say that they go, on a line above it:  remove verb "+s.Name.Name)
	}
	c.operandsTwice(s.Pattern)
	c.clausesTwice(s.Clauses)
	v := &verb{name: s.Name.Name, module: c.module, slot: -1}
	c.replaceVerb(v, s)
}

func paramNames(ps []lang.Param) []string {
	var names []string
	for _, p := range ps {
		names = append(names, p.Name.Name)
	}
	return names
}

// clausesTwice reports clauses of a verb that are declared twice beside one another. Inside
// different clauses there may be some of the same name. A record has no name twice, see makeRecord.
func (c *collector) clausesTwice(items []lang.ClauseItem) {
	seen := map[string]lang.Span{}
	enter := func(what string, id lang.Ident) {
		if before, twice := seen[id.Name]; twice {
			c.slip(errTwice(what+id.Name, id.Span, before))
			return
		}
		seen[id.Name] = id.Span
	}
	for _, it := range items {
		switch it := it.(type) {
		case *lang.Uses:
			enter("", it.As)
		case *lang.Clause:
			enter("the clause ", it.Name)
			if !it.Repeat || !it.Braces {
				c.operandsTwice(it.Pattern)
				c.clausesTwice(it.Nested)
			}
		}
	}
}

// operandsTwice reports operands of a pattern that have the same name.
func (c *collector) operandsTwice(pattern []lang.Pat) {
	seen := map[string]lang.Span{}
	for _, v := range slotVars(nil, pattern, false) {
		if before, twice := seen[v.name]; twice {
			c.slip(errTwice(v.title(), v.at, before))
		}
		seen[v.name] = v.at
	}
}

// replaceVerb enters a verb with a declaration.
func (c *collector) replaceVerb(old *verb, s *lang.Verb) {
	v := &verb{name: old.name, module: old.module, decl: s, doc: plain(s.Doc), slot: old.slot}
	v.vars = variables(s.Pattern, s.Clauses)
	c.makeGroups(s.Clauses)
	for _, it := range s.Clauses {
		if u, ok := it.(*lang.Uses); ok && c.w.sets[u.Set.Name] == nil {
			c.err(errUnknown("clause set", u.Set, keysOf(c.w.sets)))
			return
		}
		if _, ok := it.(*lang.BlockClause); ok {
			v.block = true
		}
	}
	c.slotTypes(s.Pattern, s.Clauses)
	v.each = v.block && runsFor(s.Do)
	v.who = c.needsWho(s.Pattern, s.Clauses) || mentions(s.Do, "who") || c.w.asksWho(s.Clauses, false)
	if s.NoActor && v.who {
		c.err(errAt(s.Name.Span, "the verb %s is without actor, and asks who acts", s.Name.Name))
	}
	cite := c.cite
	src := &fnSource{module: old.module, region: true, body: func(f *fn) *node {
		f.cite = int32(cite)
		f.verb = v
		f.declare("who")
		for _, x := range v.vars {
			f.declare(x.name)
		}
		if v.block {
			f.blockReg = f.declare("\x00block")
		}
		if s.Do == nil {
			return nothing(s.Span)
		}
		return f.block(s.Do)
	}}
	params := 1 + len(v.vars)
	if v.block {
		params++
	}
	v.slot = c.w.addFunc(v.name, params, src)
	c.w.verbs[v.name] = v
	c.changed = true
	c.resolveSoon(v.slot)
	c.conditions(old.module, nil, s.Pattern, v.vars, s.Clauses)
}

// mentions says whether a word occurs in a tree.
func mentions(n *lang.Block, word string) bool {
	return occurs(n, word, func(n lang.Node) bool {
		w, ok := n.(*lang.Word)
		return ok && w.Name == word
	})
}

// runsFor says whether a verb runs its block for somebody.
func runsFor(n *lang.Block) bool {
	return occurs(n, "block", func(n lang.Node) bool {
		r, ok := n.(*lang.RunBlock)
		return ok && r.For != nil
	})
}

// occurs says whether something is in a tree whose text has a word.
func occurs(n *lang.Block, word string, is func(lang.Node) bool) bool {
	if n == nil || !strings.Contains(n.Src.Text[n.Start:n.End], word) {
		return false // unread bodies are not read for nothing
	}
	n, _ = n.Read()
	found := false
	lang.Walk(n, func(n lang.Node) bool {
		found = found || is(n)
		return !found
	})
	return found
}

// needsWho says whether slots are looked up on whoever acts.
func (c *collector) needsWho(pattern []lang.Pat, items []lang.ClauseItem) bool {
	for _, p := range pattern {
		switch p := p.(type) {
		case *lang.PatSlot:
			if (c.w.isPart(p.Type.Name.Name) || p.Type.Name.Name == "terms") && (p.Type.Of == nil || p.Type.Of.Name == "who") {
				return true
			}
		case *lang.PatOpt:
			if c.needsWho(p.Pattern, nil) {
				return true
			}
		}
	}
	for _, it := range items {
		switch it := it.(type) {
		case *lang.Clause:
			if c.needsWho(it.Pattern, it.Nested) {
				return true
			}
		case *lang.Uses:
			if set := c.w.sets[it.Set.Name]; set != nil && c.needsWho(nil, set.decl.Clauses) {
				return true
			}
		}
	}
	return false
}

// isPart says whether sheets of that name are parts of others.
func (w *World) isPart(name string) bool {
	if w.partKinds == nil {
		w.partKinds = map[string]bool{}
		for _, sh := range w.sheets {
			for _, f := range sh.fields {
				if f.many && f.as != "" {
					w.partKinds[f.sheet] = true
				}
			}
		}
	}
	return w.sheets[name] != nil && w.partKinds[name]
}

var slotKinds = []string{"number", "whole", "text", "word", "symbol", "truth", "die", "dice", "any", "condition", "features", "list", "one", "terms"}

// slotTypes finds slots of a type that does not exist.
func (c *collector) slotTypes(pattern []lang.Pat, items []lang.ClauseItem) {
	for _, p := range pattern {
		switch p := p.(type) {
		case *lang.PatSlot:
			n := p.Type.Name.Name
			if !slices.Contains(slotKinds, n) && c.w.sheets[n] == nil && !c.refused[n] {
				c.err(errUnknown("type", p.Type.Name, append(sheetNames(c.w), slotKinds...)))
			}
			if p.Type.Range != nil {
				if v, ok := c.constant(p.Type.Range); ok && v.Kind() == value.Range {
					c.emptyRange(p.Type.Range, v)
				}
			}
		case *lang.PatOpt:
			c.slotTypes(p.Pattern, nil)
		}
	}
	for _, it := range items {
		if cl, ok := it.(*lang.Clause); ok {
			c.slotTypes(cl.Pattern, cl.Nested)
		}
	}
}

// clauseWords makes symbols of the words that slots take.
func (c *collector) clauseWords(items []lang.ClauseItem) {
	for _, it := range items {
		cl, ok := it.(*lang.Clause)
		if !ok {
			continue
		}
		c.patternWords(cl.Pattern)
		c.clauseWords(cl.Nested)
	}
}

func (c *collector) patternWords(ps []lang.Pat) {
	for _, p := range ps {
		switch p := p.(type) {
		case *lang.PatSlot:
			for _, id := range p.Type.OneOf {
				c.w.symbols[id.Name] = true
			}
		case *lang.PatOpt:
			c.patternWords(p.Pattern)
		}
	}
}
