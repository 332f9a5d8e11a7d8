package compile

import (
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

func sheetNames(w *World) []string   { return keysOf(w.sheets) }
func featureNames(w *World) []string { return keysOf(w.features) }
func ruleNames(w *World) []string    { return keysOf(w.rules) }
func verbNames(w *World) []string    { return keysOf(w.verbs) }

func keysOf[T any](m map[string]T) []string {
	var names []string
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// sym gives the symbol of a field name, making one if need be.
func (w *World) sym(name string) int {
	if s, ok := w.fieldSyms[name]; ok {
		return s
	}
	s := len(w.Prog.Symbols)
	w.Prog.Symbols = append(w.Prog.Symbols, name)
	w.fieldSyms[name] = s
	return s
}

// newSheet starts a sheet that extends base.
func (w *World) newSheet(name string, base *sheet, m *Module, at lang.Span) *sheet {
	s := &sheet{name: name, base: base, module: m, at: at, byName: map[string]*field{}}
	s.typ = &code.Type{ID: len(w.Prog.Types), Name: name, Out: -1}
	w.Prog.Types = append(w.Prog.Types, s.typ)
	s.typ.Template = []V{value.OfInt(int64(s.typ.ID)), value.None, value.None, value.EmptyList, value.None}
	if base == nil {
		return s
	}
	s.typ.Base = base.typ
	s.typ.Fields = slices.Clone(base.typ.Fields)
	s.typ.Slots = slices.Clone(base.typ.Slots)
	s.typ.Template = append(s.typ.Template, base.typ.Template[code.Header:]...)
	for _, f := range base.fields {
		s.fields = append(s.fields, f)
		s.byName[f.name] = f
	}
	return s
}

// addField gives s a field; one of the base's is changed where it is.
func (w *World) addField(s *sheet, f *field) *field {
	f.sym = w.sym(f.name)
	if old := s.byName[f.name]; old != nil {
		f.index = old.index
		s.fields[f.index] = f
	} else {
		f.index = len(s.fields)
		s.fields = append(s.fields, f)
		s.typ.Fields = append(s.typ.Fields, code.Field{})
		s.typ.Template = append(s.typ.Template, value.None)
		for len(s.typ.Slots) <= f.sym {
			s.typ.Slots = append(s.typ.Slots, 0)
		}
		s.typ.Slots[f.sym] = int32(code.Header + f.index)
	}
	s.byName[f.name] = f
	s.typ.Fields[f.index] = code.Field{Name: f.name, Of: s.typ.Name, Sym: f.sym, Per: -1, Const: true, Default: value.None, Many: f.many}
	w.fieldOf[f.name] = append(slices.Clip(w.fieldOf[f.name]), s)
	return f
}

func (c *collector) declareSheet(s *lang.Sheet) {
	w := c.w
	var base *sheet
	if s.Base != nil {
		if base = w.sheets[s.Base.Name]; base == nil {
			c.err(errUnknown("sheet", *s.Base, sheetNames(w)))
			if c.refused == nil {
				c.refused = map[string]bool{}
			}
			c.refused[s.Name.Name] = true
			return
		}
	}
	if old := w.sheets[s.Name.Name]; old != nil && old.module == c.module && !c.isScript {
		c.err(errTwice("the sheet "+s.Name.Name, s.Name.Span, old.at))
		return
	}
	old := w.sheets[s.Name.Name]
	sh := w.newSheet(s.Name.Name, base, c.module, s.Span)
	sh.doc = plain(s.Doc)
	sh.players = s.Players || base != nil && base.players
	w.sheets[sh.name] = sh
	w.symbols[sh.name] = true
	c.changed = true
	for _, d := range s.Fields {
		c.declareField(sh, d)
	}
	c.finish(sh)
	c.own = append(c.own, sh)
	if old != nil {
		c.dropped(s.Name, "the sheet", old.module, "field", without(fieldNames(old), fieldNames(sh)), "to add fields to it write  sheet "+sh.name+" is "+sh.name+" { … }")
	}
	if s.Out != nil {
		sh.out, sh.typ.Out = s.Out, c.ofSheet(sh, "out", s.Out)
	}
	c.declareSummaries(sh, s)
	w.partKinds = nil
}

func fieldNames(sh *sheet) []string {
	var names []string
	for _, f := range sh.fields {
		names = append(names, f.name)
	}
	return names
}

// declareField enters one declared field of a sheet.
func (c *collector) declareField(sh *sheet, d *lang.Field) {
	f := &field{name: d.Name.Name, decl: d, typ: d.Type, many: d.Type.Many, def: d.Default, owner: c.module}
	if d.As != nil {
		f.as = d.As.Name
	}
	if old := sh.byName[f.name]; old != nil && sh.base != nil && sh.base.byName[f.name] == nil || old != nil && sh.base == nil {
		c.err(errTwice("the field "+f.name, d.Name.Span, old.decl.Span))
		return
	}
	for _, id := range d.Type.OneOf {
		c.w.symbols[id.Name] = true
	}
	c.w.addField(sh, f)
	mf := &sh.typ.Fields[f.index]
	if f.as == "hidden" {
		f.as, mf.Hidden = "", true
	}
	c.typeOf(f, mf)
	c.afters = append(c.afters, d.Needed...)
	if d.Per != nil {
		c.w.refersTo("span", d.Per.Name, d.Per.Span)
		mf.Per = slices.Index(c.w.Prog.Spans, d.Per.Name)
		if mf.Per < 0 {
			c.err(errUnknown("span", *d.Per, c.w.Prog.Spans))
		}
	}
}

// fieldKinds are the types of fields that are no sheets.
var fieldKinds = []string{"number", "whole", "text", "truth", "die", "dice", "list", "map", "features", "until", "one", "symbol", "word", "any", "condition", "trait_list"}

// typeOf fills in what values a field takes and what it holds when nothing
// else was said.
func (c *collector) typeOf(f *field, mf *code.Field) {
	mf.Default = value.None
	switch f.typ.Name.Name {
	case "number", "whole":
		mf.Check, mf.Default = code.IsNumber, value.OfInt(0)
		mf.Whole = f.typ.Name.Name == "whole"
		if f.typ.Range != nil {
			c.rangeOf(f, mf)
		}
	case "text":
		mf.Check, mf.Default = code.IsText, c.w.Heap.OfText("")
	case "truth":
		mf.Check, mf.Default = code.IsTruth, value.No
	case "die":
		mf.Check = code.IsDie
	case "list", "dice", "features":
		mf.Check, mf.Default = code.IsList, value.EmptyList
	case "map":
		mf.Check, mf.Default = code.IsMap, c.w.Heap.OfMap(nil)
	case "until":
		mf.Check, mf.Until = code.IsSpan, true
		for _, s := range c.w.Prog.Spans {
			mf.OneOf = append(mf.OneOf, c.w.Heap.OfSymbol(s))
		}
	case "one":
		mf.Check = code.InWords
		for _, id := range f.typ.OneOf {
			mf.OneOf = append(mf.OneOf, c.wordValue(id.Name))
		}
	case "symbol", "word", "any", "condition", "trait_list":
		if f.typ.Name.Name == "condition" && f.typ.Of != nil {
			f.sheet = ""
		}
	default:
		f.sheet = f.typ.Name.Name
		mf.Check = code.IsSheet
	}
	if f.many {
		mf.Check, mf.Default = code.IsList, value.EmptyList
	}
}

func (c *collector) wordValue(name string) V {
	switch name {
	case "yes":
		return value.Yes
	case "no":
		return value.No
	case "none":
		return value.None
	}
	return c.w.Heap.OfSymbol(name)
}

func (c *collector) rangeOf(f *field, mf *code.Field) {
	v, ok := c.constant(f.typ.Range)
	if !ok || v.Kind() != value.Range {
		c.err(errAt(f.typ.Range.Range(), "the range of a field needs plain numbers, as in 1..4"))
		return
	}
	h := c.w.Heap
	lo, hi := h.Ends(v)
	if c.emptyRange(f.typ.Range, v) {
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
func (c *collector) emptyRange(e lang.Expr, v V) bool {
	h := c.w.Heap
	lo, hi := h.Ends(v)
	if lo == value.None || hi == value.None || h.Compare(lo, hi) <= 0 {
		return false
	}
	d := errAt(e.Range(), "no number is in this range: %s is above %s", h.Show(lo, nil), h.Show(hi, nil))
	d.Help = "write the lower end first:  " + h.Show(hi, nil) + ".." + h.Show(lo, nil)
	c.err(d)
	return true
}

// settle looks at the fields that the source declares, once all sheets and rules are known.
func (c *collector) settle() {
	c.settleDice()
	if len(c.own) == 0 {
		return
	}
	m := &machine.Machine{Heap: c.w.Heap, Prog: c.w.Prog}
	for _, sh := range c.own {
		for _, f := range sh.fields {
			if sh.base != nil && sh.base.byName[f.name] == f || f.typ.Name.Name == "" {
				continue // it is the base's, or a parameter
			}
			if n := f.typ.Name.Name; c.w.sheets[n] == nil && !c.refused[n] && !slices.Contains(fieldKinds, n) {
				c.err(errUnknown("type", f.typ.Name, append(sheetNames(c.w), fieldKinds...)))
				continue
			}
			c.settleDefault(m, sh, f, c.w.typeField(sh, f))
		}
	}
	c.own = nil
}

// settleDefault reports a default that the field itself would refuse.
func (c *collector) settleDefault(m *machine.Machine, sh *sheet, f *field, mf code.Field) {
	if !mf.Const {
		c.settleComputed(m, sh, f, mf)
		return
	}
	switch why := m.Misfit(&mf, mf.Default); {
	case why == "":
	case f.def != nil:
		c.err(errAt(f.def.Range(), "the default of %s does not fit: %s", f.name, why))
	default:
		d := errAt(f.decl.Name.Span, "%s needs a default: %s", f.name, why)
		d.Help = "write it after the range:  " + f.name + " " + text(f.typ.Span) + " = …"
		c.err(d)
	}
}

// settleComputed has a default that is computed resolved with what declares it, so that its
// mistakes are found there.
func (c *collector) settleComputed(m *machine.Machine, sh *sheet, f *field, mf code.Field) {
	if f.def == nil || !c.isScript && !c.eager {
		return
	}
	c.fresh = append(c.fresh, func() {
		g := newFn(c.w, c.module)
		g.declare("self")
		g.selves = append(g.selves, self{at: 0, sheet: sh})
		n := g.expr(f.def)
		word, ok := f.def.(*lang.Word)
		switch {
		case len(g.diags) == 0 && n.op == nConst && m.Misfit(&mf, n.v) != "":
			c.err(errAt(f.def.Range(), "the default of %s does not fit: %s", f.name, m.Misfit(&mf, n.v)))
		case len(g.diags) > 0 && ok && mf.Check == code.InWords:
			d := errAt(f.def.Range(), "the default of %s does not fit: %s", f.name, m.Misfit(&mf, c.wordValue(word.Name)))
			suggest(d, word.Name, shown(c.w, mf.OneOf))
			c.err(d)
		default:
			c.diags = append(c.diags, g.diags...)
		}
	})
}

// shown writes values as messages show them.
func shown(w *World, vs []V) []string {
	var out []string
	for _, v := range vs {
		out = append(out, w.Heap.Show(v, nil))
	}
	return out
}

// settleDice fills in which dice the fields take that name a rule, as in
//
//	rating die of ladder
//
// once all rules are known; a variant may have replaced the rule.
func (c *collector) settleDice() {
	known := map[string][]V{}
	for _, name := range sheetNames(c.w) {
		sh := c.w.sheets[name]
		for _, f := range sh.fields {
			if f.typ.Of == nil || f.typ.Name.Name == "condition" {
				continue
			}
			switch f.typ.Name.Name {
			case "die", "dice", "map":
			case "list":
				if f.ofWords() {
					continue
				}
				c.err(errAt(f.typ.Of.Span, "a list is  list,  list of word  or  list of text"))
				continue
			default:
				c.err(errAt(f.typ.Span, "only die, dice, map and list take  of %s", f.typ.Of.Name))
				continue
			}
			of := f.typ.Of.Name
			if _, ok := known[of]; !ok {
				known[of] = c.diceOf(f)
			}
			c.w.setDice(sh, f, known[of])
		}
	}
}

// setDice says which dice a field of a sheet takes. Worlds share the types that they have not
// changed, so a type that changes is replaced, in this world only.
func (w *World) setDice(sh *sheet, f *field, dice []V) {
	old := w.Prog.Types[sh.typ.ID]
	if slices.Equal(old.Fields[f.index].Dice, dice) {
		return
	}
	t := *old
	t.Fields = slices.Clone(t.Fields)
	t.Fields[f.index].Dice = dice
	w.Prog.Types[t.ID] = &t
}

// typeField is what the machine knows of a field of a sheet.
func (w *World) typeField(sh *sheet, f *field) code.Field {
	return w.Prog.Types[sh.typ.ID].Fields[f.index]
}

// ofWords says whether a field is a list whose elements are written without quotes:
// passed [physical]  for  passed list of word.
func (f *field) ofWords() bool {
	return f.typ.Name.Name == "list" && f.typ.Of != nil && (f.typ.Of.Name == "word" || f.typ.Of.Name == "text")
}

// diceOf gives the dice that the rule behind the type of a field lists.
func (c *collector) diceOf(f *field) []V {
	r := c.w.rules[f.typ.Of.Name]
	if r == nil {
		c.err(errUnknown("rule", *f.typ.Of, ruleNames(c.w)))
		return nil
	}
	src := c.w.Prog.Slots[r.slot].Source.(*fnSource)
	n := src.body(newFn(c.w, src.module))
	if n.op != nReturn || n.kids[0].op != nConst || n.kids[0].v.Kind() != value.List {
		c.err(errAt(f.typ.Of.Span, "%s is not a list of dice, as in  rule %s = [d6, d8]", r.name, r.name))
		return nil
	}
	return c.w.Heap.Elems(n.kids[0].v)
}

// finish settles the defaults of a sheet, once all its fields are known.
func (c *collector) finish(sh *sheet) {
	t := sh.typ
	for _, f := range sh.fields {
		mf := &t.Fields[f.index]
		if f.def != nil && (sh.base == nil || sh.base.byName[f.name] != f) {
			c.defaultOf(sh, f, mf)
		}
		t.Template[code.Header+f.index] = value.None
		if mf.Const {
			t.Template[code.Header+f.index] = mf.Default
		}
	}
	t.Resets = nil
	for span := range c.w.Prog.Spans {
		t.Resets = append(t.Resets, c.resetRule(sh, span, false), c.resetRule(sh, span, true))
	}
}

func (c *collector) defaultOf(sh *sheet, f *field, mf *code.Field) {
	if w, ok := f.def.(*lang.Word); ok && (f.takesWord(w.Name) || mf.Until || f.typ.Name.Name == "symbol") {
		mf.Const, mf.Default = true, c.wordValue(w.Name)
		return
	}
	fn := newFn(c.w, c.module)
	fn.probing = true
	fn.declare("self")
	fn.selves = append(fn.selves, self{at: 0, sheet: sh})
	n := fn.expr(f.def)
	// A default may name what is declared later, and only numbers and words
	// are sure to be constant.
	if len(fn.diags) == 0 && n.op == nConst {
		mf.Const, mf.Default = true, n.v
		return
	}
	mf.Const = false
}

// resetRule makes the rule that resets the computed fields of a sheet which last no longer
// than span, at its beginning or its end; -1 when there are none. At the beginning what is
// as a sheet says stays.
func (c *collector) resetRule(sh *sheet, span int, end bool) int {
	var fields []*field
	for _, f := range sh.fields {
		if mf := &sh.typ.Fields[f.index]; mf.Per >= span && !mf.Const {
			fields = append(fields, f)
		}
	}
	if len(fields) == 0 {
		return -1
	}
	return c.w.addFunc("reset "+sh.name, 1, &fnSource{module: c.module, body: func(f *fn) *node {
		f.declare("self")
		f.selves = append(f.selves, self{at: 0, sheet: sh})
		body := &node{op: nSeq}
		for _, fd := range fields {
			set := f.setDefault(fd, &node{op: nLocal, a: 0, at: fd.decl.Span, rule: -1})
			if !end {
				set.b = 2
			}
			body.kids = append(body.kids, set)
		}
		return body
	}})
}

// setDefault puts the computed default of a field into it.
func (f *fn) setDefault(fd *field, obj *node) *node {
	v := f.expr(fd.def)
	return &node{op: nSetField, a: fd.sym, kids: []*node{obj, v}, at: fd.decl.Span, rule: -1}
}

func (c *collector) declareFeature(s *lang.Feature) {
	w := c.w
	if old := w.features[s.Name.Name]; old != nil && old.module == c.module && !c.isScript {
		c.err(errTwice("the feature "+s.Name.Name, s.Name.Span, old.at))
		return
	}
	sh := w.newSheet(s.Name.Name, nil, c.module, s.Span)
	sh.doc, sh.on, sh.every = plain(s.Doc), s.On.Name, s.Every
	w.features[sh.name] = sh
	w.symbols[sh.name] = true
	c.changed = true
	for _, p := range s.Params {
		f := &field{name: p.Name.Name, decl: &lang.Field{Span: p.Span, Name: p.Name}, def: p.Default, owner: c.module}
		w.addField(sh, f)
		sh.params = append(sh.params, f)
		if p.Default != nil {
			sh.typ.Fields[f.index].Const = true
		}
	}
	for _, d := range s.Fields {
		c.declareField(sh, d)
	}
	c.finish(sh)
	c.own = append(c.own, sh)
	sh.typ.Handlers = map[int]int{}
}

// handlers enters the handlers of a feature, and puts a feature on every
// instance where it says so.
func (c *collector) handlers(s *lang.Feature) {
	sh := c.w.features[s.Name.Name]
	if sh == nil || sh.at != s.Span {
		return
	}
	if c.w.sheets[s.On.Name] == nil {
		c.err(errUnknown("sheet", s.On, sheetNames(c.w)))
	}
	c.handlerList(sh, s.Body, c.cite)
	if s.Every {
		c.w.every = append(slices.Clip(c.w.every), sh)
		for _, e := range c.w.order {
			if e.sheet.is(s.On.Name) {
				c.w.attach(e, sh, nil)
			}
		}
	}
}

func (c *collector) handlerList(sh *sheet, body []lang.Stmt, cite int) {
	for _, st := range body {
		switch st := st.(type) {
		case *lang.Annotated:
			c.annotate(st, nil)
			inner, above := cite, c.stacked
			if i := c.w.catalogue(c.module, st.ID); i >= 0 && !above {
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

func (c *collector) handler(sh *sheet, st *lang.Handler, cite int) {
	h := c.hookOf(st)
	if h == nil {
		return
	}
	if before, twice := sh.answers[h.id]; twice {
		d := errTwice("on "+h.name+" in "+sh.name, st.Hook.Span, before)
		d.Help = "answer a hook once:  on " + h.name + "(…) { if … }"
		c.err(d)
		return
	}
	if sh.answers == nil {
		sh.answers = map[int]lang.Span{}
	}
	sh.answers[h.id] = st.Hook.Span
	c.w.refersTo("moment", h.name, st.Hook.Span)
	slot := c.w.addFunc(sh.name+" on "+h.name, h.params+1, &fnSource{module: c.module, body: func(f *fn) *node {
		f.cite = int32(cite)
		return f.handler(st, h, sh)
	}})
	sh.typ.Handlers[h.id] = slot
	c.resolveSoon(slot)
}

// is says whether s is the sheet of that name or extends it.
func (s *sheet) is(name string) bool {
	for ; s != nil; s = s.base {
		if s.name == name {
			return true
		}
	}
	return false
}
