package compile

import (
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/resolve"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

func (c *collector) declareSheet(s *lang.Sheet) {
	w := c.W
	var base *decl.Sheet
	if s.Base != nil {
		if base = w.Sheets[s.Base.Name]; base == nil {
			c.Err(decl.ErrUnknown("sheet", *s.Base, decl.SheetNames(w)))
			if c.refused == nil {
				c.refused = map[string]bool{}
			}
			c.refused[s.Name.Name] = true
			return
		}
	}
	if old := w.Sheets[s.Name.Name]; old != nil && old.Module == c.Module && !c.IsScript {
		c.Err(decl.ErrTwice("the sheet "+s.Name.Name, s.Name.Span, old.At))
		return
	}
	if set := w.WordSets[s.Name.Name]; set != nil {
		c.Err(decl.ErrTwice("the type "+s.Name.Name, s.Name.Span, set.Name.Span))
		return
	}
	old := w.Sheets[s.Name.Name]
	sh := w.NewSheet(s.Name.Name, base, c.Module, s.Span)
	sh.Doc = decl.Plain(s.Doc)
	sh.Players = s.Players || base != nil && base.Players
	w.Sheets[sh.Name] = sh
	w.Players = w.Players || sh.Players
	w.Symbols[sh.Name] = true
	c.changed = true
	for _, d := range s.Fields {
		c.declareField(sh, d)
	}
	c.finish(sh)
	c.own = append(c.own, sh)
	if old != nil {
		c.dropped(s.Name, "the sheet", old.Module, "field", without(decl.FieldNames(old), decl.FieldNames(sh)), "to add fields to it write  sheet "+sh.Name+" is "+sh.Name+" { … }")
	}
	if s.Out != nil {
		sh.Out, sh.Typ.Out = s.Out, c.ofSheet(sh, "out", s.Out)
	}
	c.declareSummaries(sh, s)
	w.PartKinds = nil
}

// declareField enters one declared field of a sheet.
func (c *collector) declareField(sh *decl.Sheet, d *lang.Field) {
	f := &decl.Field{Name: d.Name.Name, Decl: d, Typ: c.wordType(d.Type), Many: d.Type.Many, Def: d.Default, Owner: c.Module}
	if d.As != nil {
		f.As = d.As.Name
	}
	if old := sh.ByName[f.Name]; old != nil && sh.Base != nil && sh.Base.ByName[f.Name] == nil || old != nil && sh.Base == nil {
		c.Err(decl.ErrTwice("the field "+f.Name, d.Name.Span, old.Decl.Span))
		return
	}
	for _, id := range d.Type.OneOf {
		c.W.Symbols[id.Name] = true
	}
	c.W.AddField(sh, f)
	mf := &sh.Typ.Fields[f.Index]
	switch f.As {
	case "hidden":
		f.As, mf.Hidden = "", true
	case string(code.ToAll), string(code.ToMaster):
		f.As, mf.Told = "", code.Told(f.As)
	}
	if d.Until != nil {
		if mf.Told != code.ToMaster {
			c.Err(decl.ErrAt(d.Until.Range(), "SP0743", "only what is secret has an until: as secret until CONDITION"))
			return
		}
		mf.Known = c.ofSheet(sh, f.Name+" until", d.Until)
	}
	c.typeOf(f, mf)
	c.afters = append(c.afters, d.Needed...)
	if d.Per != nil {
		c.W.RefersTo("span", d.Per.Name, d.Per.Span)
		mf.Per = slices.Index(c.W.Prog.Spans, d.Per.Name)
		if mf.Per < 0 {
			c.Err(decl.ErrUnknown("span", *d.Per, c.W.Prog.Spans))
		}
	}
}

// typeOf fills in what values a field takes and what it holds when nothing
// else was said.
func (c *collector) typeOf(f *decl.Field, mf *code.Field) {
	mf.Default = value.None
	switch f.Typ.Name.Name {
	case "number", "whole":
		mf.Check, mf.Default = code.IsNumber, value.OfInt(0)
		mf.Whole = f.Typ.Name.Name == "whole"
		if f.Typ.Range != nil {
			c.rangeOf(f, mf)
		}
	case "text":
		mf.Check, mf.Default = code.IsText, c.W.Heap.OfText("")
	case "truth":
		mf.Check, mf.Default = code.IsTruth, value.No
	case "die":
		mf.Check = code.IsDie
	case "list", "dice", "features":
		mf.Check, mf.Default = code.IsList, value.EmptyList
	case "map":
		mf.Check, mf.Default = code.IsMap, c.W.Heap.OfMap(nil)
	case "until":
		mf.Check, mf.Until = code.IsSpan, true
		for _, s := range c.W.Prog.Spans {
			mf.OneOf = append(mf.OneOf, c.W.Heap.OfSymbol(s))
		}
	case "one":
		mf.Check = code.InWords
		for _, id := range f.Typ.OneOf {
			mf.OneOf = append(mf.OneOf, c.wordValue(id.Name))
		}
	case "symbol", "word", "any", "condition", "trait_list":
		if f.Typ.Name.Name == "condition" && f.Typ.Of != nil {
			f.Sheet = ""
		}
	default:
		f.Sheet = f.Typ.Name.Name
		mf.Check = code.IsSheet
	}
	if f.Many {
		mf.Check, mf.Default = code.IsList, value.EmptyList
	}
}

func (c *collector) wordValue(name string) ir.V {
	switch name {
	case "yes":
		return value.Yes
	case "no":
		return value.No
	case "none":
		return value.None
	}
	return c.W.Heap.OfSymbol(name)
}

func (c *collector) rangeOf(f *decl.Field, mf *code.Field) {
	v, ok := c.constant(f.Typ.Range)
	if !ok || v.Kind() != value.Range {
		c.Err(decl.ErrAt(f.Typ.Range.Range(), "SP0727", "the range of a field needs plain numbers, as in 1..4"))
		return
	}
	h := c.W.Heap
	lo, hi := h.Ends(v)
	if c.emptyRange(f.Typ.Range, v) {
		return
	}
	mf.Check, mf.Lo, mf.Hi = code.InRange, lo, hi
	switch {
	case mf.Lo != value.None && h.Compare(mf.Lo, mf.Default) > 0:
		mf.Default = mf.Lo
	case mf.Hi != value.None && h.Compare(mf.Hi, mf.Default) < 0:
		mf.Default = mf.Hi
	}
}

// emptyRange reports a range in which no number is.
func (c *collector) emptyRange(e lang.Expr, v ir.V) bool {
	h := c.W.Heap
	lo, hi := h.Ends(v)
	if lo == value.None || hi == value.None || h.Compare(lo, hi) <= 0 {
		return false
	}
	d := decl.ErrAt(e.Range(), "SP0728", "no number is in this range: %s is above %s", h.Show(lo, nil), h.Show(hi, nil))
	d.Help = "write the lower end first:  " + h.Show(hi, nil) + ".." + h.Show(lo, nil)
	c.Err(d)
	return true
}

// settle looks at the fields that the source declares, once all sheets and rules are known.
func (c *collector) settle() {
	c.settleDice()
	if len(c.own) == 0 {
		return
	}
	m := &machine.Machine{Heap: c.W.Heap, Prog: c.W.Prog}
	for _, sh := range c.own {
		for _, f := range sh.Fields {
			if sh.Base != nil && sh.Base.ByName[f.Name] == f || f.Typ.Name.Name == "" {
				continue // it is the base's, or a parameter
			}
			if n := f.Typ.Name.Name; c.W.Sheets[n] == nil && !c.refused[n] && !slices.Contains(decl.FieldKinds, n) {
				c.Err(decl.ErrUnknown("type", f.Typ.Name, c.typeNames(decl.FieldKinds)))
				continue
			}
			c.settleDefault(m, sh, f, c.W.TypeField(sh, f))
		}
	}
	c.own = nil
}

// settleDefault reports a default that the field itself would refuse.
func (c *collector) settleDefault(m *machine.Machine, sh *decl.Sheet, f *decl.Field, mf code.Field) {
	if !mf.Const {
		c.settleComputed(m, sh, f, mf)
		return
	}
	switch why := m.Misfit(&mf, mf.Default); {
	case why == "":
	case f.Def != nil:
		c.Err(decl.ErrAt(f.Def.Range(), "SP0725", "the default of %s does not fit: %s", f.Name, why))
	default:
		d := decl.ErrAt(f.Decl.Name.Span, "SP0729", "%s needs a default: %s", f.Name, why)
		d.Help = "write it after the range:  " + f.Name + " " + decl.Text(f.Typ.Span) + " = …"
		c.Err(d)
	}
}

// settleComputed has a default that is computed resolved with what declares it, so that its
// mistakes are found there.
func (c *collector) settleComputed(m *machine.Machine, sh *decl.Sheet, f *decl.Field, mf code.Field) {
	if f.Def == nil || !c.IsScript && !c.eager {
		return
	}
	c.fresh = append(c.fresh, func() {
		g := resolve.NewFn(c.W, c.Module)
		g.Declare("self")
		g.Selves = append(g.Selves, resolve.Self{At: 0, Sheet: sh})
		n := g.Expr(f.Def)
		word, ok := f.Def.(*lang.Word)
		switch {
		case len(g.Diags) == 0 && n.Op == ir.NConst && m.Misfit(&mf, n.V) != "":
			c.Err(decl.ErrAt(f.Def.Range(), "SP0725", "the default of %s does not fit: %s", f.Name, m.Misfit(&mf, n.V)))
		case len(g.Diags) > 0 && ok && mf.Check == code.InWords:
			d := decl.ErrAt(f.Def.Range(), "SP0725", "the default of %s does not fit: %s", f.Name, m.Misfit(&mf, c.wordValue(word.Name)))
			decl.Suggest(d, word.Name, decl.Shown(c.W, mf.OneOf))
			c.Err(d)
		default:
			c.Diags = append(c.Diags, g.Diags...)
		}
	})
}

// settleDice fills in which dice the fields take that name a rule, as in
//
//	rating die of ladder
//
// once all rules are known; a variant may have replaced the rule.
func (c *collector) settleDice() {
	known := map[string][]ir.V{}
	for _, name := range decl.SheetNames(c.W) {
		sh := c.W.Sheets[name]
		for _, f := range sh.Fields {
			if f.Typ.Of == nil || f.Typ.Name.Name == "condition" {
				continue
			}
			switch f.Typ.Name.Name {
			case "die", "dice", "map":
			case "list":
				if f.OfWords() {
					continue
				}
				c.Err(decl.ErrAt(f.Typ.Of.Span, "SP0730", "a list is  list,  list of word  or  list of text"))
				continue
			default:
				c.Err(decl.ErrAt(f.Typ.Span, "SP0731", "only die, dice, map and list take  of %s", f.Typ.Of.Name))
				continue
			}
			of := f.Typ.Of.Name
			if _, ok := known[of]; !ok {
				known[of] = c.diceOf(f)
			}
			c.W.SetDice(sh, f, known[of])
		}
	}
}

// diceOf gives the dice that the rule behind the type of a field lists.
func (c *collector) diceOf(f *decl.Field) []ir.V {
	r := c.W.Rules[f.Typ.Of.Name]
	if r == nil {
		c.Err(decl.ErrUnknown("rule", *f.Typ.Of, decl.RuleNames(c.W)))
		return nil
	}
	src := c.W.Prog.Slots[r.Slot].Source.(*resolve.FnSource)
	n := src.Body(resolve.NewFn(c.W, src.Module))
	if n.Op != ir.NReturn || n.Kids[0].Op != ir.NConst || n.Kids[0].V.Kind() != value.List {
		c.Err(decl.ErrAt(f.Typ.Of.Span, "SP0732", "%s is not a list of dice, as in  rule %s = [d6, d8]", r.Name, r.Name))
		return nil
	}
	return c.W.Heap.Elems(n.Kids[0].V)
}

// finish settles the defaults of a sheet, once all its fields are known.
func (c *collector) finish(sh *decl.Sheet) {
	t := sh.Typ
	for _, f := range sh.Fields {
		mf := &t.Fields[f.Index]
		if f.Def != nil && (sh.Base == nil || sh.Base.ByName[f.Name] != f) {
			c.defaultOf(sh, f, mf)
		}
		t.Template[code.Header+f.Index] = value.None
		if mf.Const {
			t.Template[code.Header+f.Index] = mf.Default
		}
	}
	t.Resets = nil
	for span := range c.W.Prog.Spans {
		t.Resets = append(t.Resets, c.resetRule(sh, span, false), c.resetRule(sh, span, true))
	}
}

func (c *collector) defaultOf(sh *decl.Sheet, f *decl.Field, mf *code.Field) {
	if w, ok := f.Def.(*lang.Word); ok && (resolve.TakesWord(f, w.Name) || mf.Until || f.Typ.Name.Name == "symbol") {
		mf.Const, mf.Default = true, c.wordValue(w.Name)
		return
	}
	fn := resolve.NewFn(c.W, c.Module)
	fn.Probing = true
	fn.Declare("self")
	fn.Selves = append(fn.Selves, resolve.Self{At: 0, Sheet: sh})
	n := fn.Expr(f.Def)
	// A default may name what is declared later, and only numbers and words
	// are sure to be constant.
	if len(fn.Diags) == 0 && n.Op == ir.NConst {
		mf.Const, mf.Default = true, n.V
		return
	}
	mf.Const = false
}

// resetRule makes the rule that resets the computed fields of a sheet which last no longer
// than span, at its beginning or its end; -1 when there are none. At the beginning what is
// as a sheet says stays. A field that is always yes or no is none only for somebody whose line
// has not run yet: nothing is worked out for them.
func (c *collector) resetRule(sh *decl.Sheet, span int, end bool) int {
	var fields []*decl.Field
	for _, f := range sh.Fields {
		if mf := &sh.Typ.Fields[f.Index]; mf.Per >= span && !mf.Const {
			fields = append(fields, f)
		}
	}
	if len(fields) == 0 {
		return -1
	}
	return resolve.AddFunc(c.W, "reset "+sh.Name, 1, &resolve.FnSource{Module: c.Module, Body: func(f *resolve.Fn) *ir.Node {
		f.Declare("self")
		f.Selves = append(f.Selves, resolve.Self{At: 0, Sheet: sh})
		body := &ir.Node{Op: ir.NSeq}
		var there *ir.Node
		for _, fd := range fields {
			self := &ir.Node{Op: ir.NLocal, A: 0, At: fd.Decl.Span, Rule: -1}
			set := f.SetDefault(fd, self)
			if !end {
				set.B = 2
			}
			body.Kids = append(body.Kids, set)
			if there == nil && f.IsTruth(set.Kids[1]) {
				has := f.Mk(ir.NField, fd.Decl.Span, self)
				has.A = fd.Sym
				there = f.Mk(ir.NBin, fd.Decl.Span, has, f.Constant(value.None, fd.Decl.Span))
				there.A = int(code.Ne)
			}
		}
		if there != nil {
			return f.Mk(ir.NIf, there.At, there, body, nil)
		}
		return body
	}})
}

func (c *collector) declareFeature(s *lang.Feature) {
	w := c.W
	if old := w.Features[s.Name.Name]; old != nil && old.Module == c.Module && !c.IsScript {
		c.Err(decl.ErrTwice("the feature "+s.Name.Name, s.Name.Span, old.At))
		return
	}
	sh := w.NewSheet(s.Name.Name, nil, c.Module, s.Span)
	sh.Doc, sh.On, sh.Every = decl.Plain(s.Doc), s.On.Name, s.Every
	w.Features[sh.Name] = sh
	w.Symbols[sh.Name] = true
	c.changed = true
	for _, p := range s.Params {
		f := &decl.Field{Name: p.Name.Name, Decl: &lang.Field{Span: p.Span, Name: p.Name}, Def: p.Default, Owner: c.Module}
		w.AddField(sh, f)
		sh.Params = append(sh.Params, f)
		if p.Default != nil {
			sh.Typ.Fields[f.Index].Const = true
		}
	}
	for _, d := range s.Fields {
		c.declareField(sh, d)
	}
	c.finish(sh)
	c.own = append(c.own, sh)
	sh.Typ.Handlers = map[int]int{}
}

// handlers enters the handlers of a feature, and puts a feature on every
// instance where it says so.
func (c *collector) handlers(s *lang.Feature) {
	sh := c.W.Features[s.Name.Name]
	if sh == nil || sh.At != s.Span {
		return
	}
	if c.W.Sheets[s.On.Name] == nil {
		c.Err(decl.ErrUnknown("sheet", s.On, decl.SheetNames(c.W)))
	}
	c.handlerList(sh, s.Body, c.cite)
	if s.Every {
		c.W.Every = append(slices.Clip(c.W.Every), sh)
		for _, e := range c.W.Order {
			if e.Sheet.Is(s.On.Name) {
				resolve.Attach(c.W, e, sh, nil)
			}
		}
	}
}

func (c *collector) handlerList(sh *decl.Sheet, body []lang.Stmt, cite int) {
	for _, st := range body {
		switch st := st.(type) {
		case *lang.Annotated:
			c.annotate(st, nil)
			inner, above := cite, c.stacked
			if i := c.W.Catalogue(c.Module, st.ID); i >= 0 && !above {
				inner = i
			}
			if st.Stmt != nil {
				_, c.stacked = st.Stmt.(*lang.Annotated)
				c.handlerList(sh, []lang.Stmt{st.Stmt}, inner)
			}
			c.stacked = above
		case *lang.Handler:
			c.handler(sh, st, cite)
		}
	}
}

func (c *collector) handler(sh *decl.Sheet, st *lang.Handler, cite int) {
	h := c.hookOf(st)
	if h == nil {
		return
	}
	if before, twice := sh.Answers[h.Id]; twice {
		d := decl.ErrTwice("on "+h.Name+" in "+sh.Name, st.Hook.Span, before)
		d.Help = "answer a hook once:  on " + h.Name + "(…) { if … }"
		c.Err(d)
		return
	}
	if sh.Answers == nil {
		sh.Answers = map[int]lang.Span{}
	}
	sh.Answers[h.Id] = st.Hook.Span
	c.W.RefersTo("moment", h.Name, st.Hook.Span)
	slot := resolve.AddFunc(c.W, sh.Name+" on "+h.Name, h.Params+1, &resolve.FnSource{Module: c.Module, Body: func(f *resolve.Fn) *ir.Node {
		f.Cite = int32(cite)
		return f.Handler(st, h, sh)
	}})
	sh.Typ.Handlers[h.Id] = slot
	c.resolveSoon(slot)
}
