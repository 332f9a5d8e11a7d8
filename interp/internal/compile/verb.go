package compile

import (
	"slices"

	"setpiece/interp/internal/bind"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/resolve"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// makeRecord declares the sheet of a record with these variables.
func (c *collector) makeRecord(name string, vars []decl.Variable, at lang.Span) *decl.Sheet {
	sh := c.W.NewSheet(name, nil, c.Module, at)
	sh.Record = true
	for _, v := range vars {
		if old := sh.ByName[v.Name]; old != nil {
			c.Err(decl.ErrTwice(v.Title(), v.At, old.Decl.Name.Span))
			continue
		}
		f := &decl.Field{Name: v.Name, Decl: &lang.Field{Span: at, Name: lang.Ident{Span: v.At, Name: v.Name}}}
		c.W.AddField(sh, f)
		mf := &sh.Typ.Fields[f.Index]
		mf.Default = v.Empty()
		sh.Typ.Template[code.Header+f.Index] = mf.Default
	}
	return sh
}

// makeGroups declares the sheets of the groups among clauses.
func (c *collector) makeGroups(items []lang.ClauseItem) {
	for _, it := range items {
		cl, ok := it.(*lang.Clause)
		if !ok {
			continue
		}
		if cl.Repeat && cl.Braces {
			vars := decl.Variables(cl.Pattern, cl.Nested)
			c.W.Records[cl] = c.makeRecord(cl.Name.Name, vars, cl.Span)
		}
		c.makeGroups(cl.Nested)
	}
}

func (c *collector) declareSet(s *lang.ClauseSet) {
	if s.Base != nil {
		base := c.W.Sets[s.Base.Name]
		if base == nil {
			c.Err(decl.ErrUnknown("clause set", *s.Base, decl.KeysOf(c.W.Sets)))
			return
		}
		c.W.Refers(s.Base.Span, base.Decl.Span)
		if s = c.extended(s, base.Decl); s == nil {
			return
		}
	} else if old := c.W.Sets[s.Name.Name]; old != nil {
		ps := without(decl.ParamNames(old.Decl.Params), decl.ParamNames(s.Params))
		c.dropped(s.Name, "the set", old.Module, "parameter", ps, "the verbs that use it need them")
		c.dropped(s.Name, "the set", old.Module, "clause", clausesLeftOut(old.Decl.Clauses, s.Clauses), "write them again: rules that ask for them stop the script")
	}
	set := &decl.ClauseSet{Name: s.Name.Name, Decl: s, Module: c.Module}
	set.Vars = decl.Variables(nil, s.Clauses)
	set.Rec = c.makeRecord(set.Name, set.Vars, s.Span)
	c.makeGroups(s.Clauses)
	c.conditions(c.Module, s.Params, nil, set.Vars, s.Clauses)
	c.W.Sets[set.Name] = set
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
				c.Err(decl.ErrTwice("the clause "+cl.Name.Name, cl.Name.Span, old.Name.Span))
				return nil
			}
		}
	}
	return &out
}

func (c *collector) declareVerb(s *lang.Verb) {
	if old := c.W.Verbs[s.Name.Name]; old != nil && old.Module == c.Module && !c.IsScript {
		c.Err(decl.ErrTwice("the verb "+s.Name.Name, s.Name.Span, old.Decl.Span))
		return
	}
	if c.W.Sheets[s.Name.Name] != nil {
		c.Err(decl.ErrAt(s.Name.Span, "SP0737", "%s is a sheet already; a verb needs another name", s.Name.Name))
		return
	}
	if old := c.W.Verbs[s.Name.Name]; old != nil {
		c.dropped(s.Name, "the verb", old.Module, "clause", clausesLeftOut(old.Decl.Clauses, s.Clauses), "write them again, or say that they go, on a line above it:  remove verb "+s.Name.Name)
	}
	c.operandsTwice(s.Pattern)
	c.clausesTwice(s.Clauses)
	v := &decl.Verb{Name: s.Name.Name, Module: c.Module, Slot: -1}
	c.replaceVerb(v, s)
}

// clausesTwice reports clauses of a verb that are declared twice beside one another. Inside
// different clauses there may be some of the same name. A record has no name twice, see makeRecord.
func (c *collector) clausesTwice(items []lang.ClauseItem) {
	seen := map[string]lang.Span{}
	enter := func(what string, id lang.Ident) {
		if before, twice := seen[id.Name]; twice {
			c.slip(decl.ErrTwice(what+id.Name, id.Span, before))
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
	for _, v := range decl.SlotVars(nil, pattern, false) {
		if before, twice := seen[v.Name]; twice {
			c.slip(decl.ErrTwice(v.Title(), v.At, before))
		}
		seen[v.Name] = v.At
	}
}

// leaves has the block of a verb left where a condition holds.
func (c *collector) leaves(v *decl.Verb, until lang.Expr) {
	if until == nil {
		return
	}
	v.Until = resolve.AddFunc(c.W, v.Name+" until", 0, &resolve.FnSource{Module: v.Module, Body: func(f *resolve.Fn) *ir.Node {
		return f.Mk(ir.NReturn, until.Range(), f.Expr(until))
	}})
	c.resolveCondition(v.Until, "a condition")
}

// replaceVerb enters a verb with a declaration.
func (c *collector) replaceVerb(old *decl.Verb, s *lang.Verb) {
	v := &decl.Verb{Name: old.Name, Module: old.Module, Decl: s, Doc: decl.Plain(s.Doc), Slot: old.Slot}
	v.Vars = decl.Variables(s.Pattern, s.Clauses)
	c.makeGroups(s.Clauses)
	for _, it := range s.Clauses {
		if u, ok := it.(*lang.Uses); ok && c.W.Sets[u.Set.Name] == nil {
			c.Err(decl.ErrUnknown("clause set", u.Set, decl.KeysOf(c.W.Sets)))
			return
		}
		if b, ok := it.(*lang.BlockClause); ok {
			v.Block = true
			c.leaves(v, b.Until)
		}
	}
	c.slotTypes(s.Pattern, s.Clauses)
	v.Each = v.Block && decl.RunsFor(s.Do)
	v.Who = c.needsWho(s.Pattern, s.Clauses) || decl.Mentions(s.Do, "who") || bind.AsksWho(c.W, s.Clauses, false)
	if s.As != nil {
		c.W.Tells = true
		if told := []string{string(code.ToAll), string(code.ToMaster)}; !slices.Contains(told, s.As.Name) {
			c.Err(decl.ErrUnknown("word", *s.As, told))
		}
	}
	if s.NoActor && v.Who {
		c.Err(decl.ErrAt(s.Name.Span, "SP0738", "the verb %s is without actor, and asks who acts", s.Name.Name))
	}
	cite := c.cite
	src := &resolve.FnSource{Module: old.Module, Region: true, Body: func(f *resolve.Fn) *ir.Node {
		f.Cite = int32(cite)
		f.Verb = v
		f.Declare("who")
		for _, x := range v.Vars {
			f.DeclareAt(lang.Ident{Span: x.At, Name: x.Name})
		}
		if v.Block {
			f.BlockReg = f.Declare("\x00block")
		}
		if s.Do == nil {
			return resolve.Nothing(s.Span)
		}
		return f.Block(s.Do)
	}}
	params := 1 + len(v.Vars)
	if v.Block {
		params++
	}
	v.Slot = resolve.AddFunc(c.W, v.Name, params, src)
	c.W.Verbs[v.Name] = v
	c.changed = true
	c.resolveSoon(v.Slot)
	c.conditions(old.Module, nil, s.Pattern, v.Vars, s.Clauses)
}

// needsWho says whether slots are looked up on whoever acts.
func (c *collector) needsWho(pattern []lang.Pat, items []lang.ClauseItem) bool {
	for _, p := range pattern {
		switch p := p.(type) {
		case *lang.PatSlot:
			if (c.W.IsPart(p.Type.Name.Name) || p.Type.Name.Name == "terms") && (p.Type.Of == nil || p.Type.Of.Name == "who") {
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
			if set := c.W.Sets[it.Set.Name]; set != nil && c.needsWho(nil, set.Decl.Clauses) {
				return true
			}
		}
	}
	return false
}

// slotTypes finds slots of a type that does not exist.
func (c *collector) slotTypes(pattern []lang.Pat, items []lang.ClauseItem) {
	for _, p := range pattern {
		switch p := p.(type) {
		case *lang.PatSlot:
			n := p.Type.Name.Name
			if !slices.Contains(decl.SlotKinds, n) && c.W.Sheets[n] == nil && !c.refused[n] {
				c.Err(decl.ErrUnknown("type", p.Type.Name, c.typeNames(decl.SlotKinds)))
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
				c.W.Symbols[id.Name] = true
			}
		case *lang.PatOpt:
			c.patternWords(p.Pattern)
		}
	}
}
