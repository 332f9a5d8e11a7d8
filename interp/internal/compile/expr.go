package compile

import (
	"math/big"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

var binOps = map[string]code.Op{
	"+": code.Add, "-": code.Sub, "*": code.Mul, "/": code.Div,
	"==": code.Eq, "!=": code.Ne, "<": code.Lt, "<=": code.Le, ">": code.Gt, ">=": code.Ge,
	"in": code.In,
}

// expr resolves an expression. It never gives nil; after a mistake it gives
// some constant.
func (f *fn) expr(e lang.Expr) *node {
	f.w.poll()
	switch e := e.(type) {
	case *lang.Num:
		return f.constant(f.number(e), e.Span)
	case *lang.Text:
		return f.text(e)
	case *lang.Dice:
		return f.dice(e)
	case *lang.Word:
		return f.word(e)
	case *lang.Caps:
		return f.caps(e)
	case *lang.Name:
		return f.name(e)
	case *lang.Paren:
		return f.expr(e.X)
	case *lang.List:
		return f.list(e, f.valueOf)
	case *lang.Map:
		return f.mapLiteral(e, false)
	case *lang.Range:
		n := f.mk(nRange, e.Span, f.constant(value.None, e.Span), f.constant(value.None, e.Span))
		if e.Lo != nil {
			n.kids[0] = f.expr(e.Lo)
		}
		if e.Hi != nil {
			n.kids[1] = f.expr(e.Hi)
		}
		return fold(&f.w.Unit, n)
	case *lang.Unary:
		x := f.expr(e.X)
		switch e.Op {
		case "not":
			return fold(&f.w.Unit, f.mk(nNot, e.Span, x))
		case "-":
			return fold(&f.w.Unit, f.mk(nNeg, e.Span, x))
		}
		return x
	case *lang.Binary:
		return f.binary(e)
	case *lang.Cond:
		return fold(&f.w.Unit, f.mk(nCond, e.Span, f.expr(e.C), f.valueOf(e.A), f.valueOf(e.B)))
	case *lang.Call:
		return f.call(e)
	case *lang.Dot:
		return f.dot(e)
	case *lang.Index:
		return f.mk(nIndex, e.Span, f.expr(e.X), f.key(e))
	case *lang.Throw:
		n := f.mk(nThrow, e.Span, f.expr(e.Dice), nil, f.optional(e.Named))
		if e.For != nil {
			if l := f.labelWord(e.For); l.op == nConst {
				n.info = &code.ThrowInfo{For: f.w.Heap.Show(l.v, nil)}
			} else {
				n.info = &code.ThrowInfo{}
				n.kids[1] = l
			}
		}
		return n
	case *lang.Choose:
		info := &code.AskInfo{Name: e.Name.Name, Unasked: e.Unasked}
		f.w.refersTo("decision", e.Name.Name, e.Name.Span)
		def := e.Default
		if w, ok := def.(*lang.Word); ok && w.Name == "random" && f.lookup("random") == nil {
			info.Random, def = true, nil
		}
		prompt := e.Prompt
		if d := f.w.decided[e.Name.Name]; prompt == nil && d != nil && d.Doc != nil {
			prompt = d.Doc
		}
		n := f.mk(nChoose, e.Span, f.expr(e.By), f.expr(e.From), f.optional(prompt), f.optional(e.Answer), f.optional(def))
		n.info = info
		n.b = f.hidden(4)
		f.noChoice(n.kids[1], n.kids[4])
		return n
	case *lang.Comp:
		return f.comp(e)
	case *lang.New:
		return f.newRecord(e)
	case *lang.NoneRefused:
		f.err(errAt(e.Span, "write  expect no refused tactics"))
	case *lang.Applied:
		f.err(errAt(e.Span, "put commas between the values of a list"))
	case *lang.Rated:
		d := errAt(e.Span, "%s with a rating can only be an operand of a verb", nameOf(e.X))
		if _, ok := e.X.(*lang.Caps); ok {
			d.Help = "put a comma before it if it is an entry of its own; the words of one trait are joined by _, as in  FAST_RUNNER"
		}
		f.err(d)
	default:
		f.err(errAt(e.Range(), "expected a value here"))
	}
	return f.constant(value.None, e.Range())
}

// noChoice reports a default that is not among the choices.
func (f *fn) noChoice(from, def *node) {
	if def == nil || def.op != nConst || def.info != nil || def.v == value.None || from.op != nConst || from.info != nil || from.v.Kind() != value.List {
		return
	}
	all := f.w.Heap.Elems(from.v)
	if len(all) == 0 || slices.Contains(all, def.v) {
		return
	}
	var names []string
	for _, v := range all {
		if v.Kind() == value.Ref && f.w.byOff[v.Off()] != nil {
			names = append(names, f.w.byOff[v.Off()].name)
			continue
		}
		names = append(names, f.w.Heap.Show(v, nil))
	}
	d := errAt(def.at, "the default %s is none of the choices: %s", brief(def), lang.OneOf(names))
	suggest(d, f.w.Heap.Show(def.v, nil), names)
	f.err(d)
}

func (f *fn) number(e *lang.Num) V {
	s, pct := strings.CutSuffix(e.Text, "%")
	r, ok := new(big.Rat).SetString(s)
	if !ok || len(s) > 300 {
		f.err(errAt(e.Span, "%s is not a number", e.Text))
		return 0
	}
	if pct {
		r.Quo(r, big.NewRat(100, 1))
	}
	return f.w.Heap.OfRat(r)
}

func (f *fn) text(e *lang.Text) *node {
	n := f.mk(nText, e.Span)
	for _, p := range e.Parts {
		if l, ok := p.(*lang.Lit); ok {
			n.kids = append(n.kids, f.constant(f.w.Heap.OfText(l.Value), l.Span))
			continue
		}
		n.kids = append(n.kids, f.expr(p))
	}
	switch {
	case len(n.kids) == 0:
		return f.constant(f.w.Heap.OfText(""), e.Span)
	case len(n.kids) == 1 && n.kids[0].op == nConst && n.kids[0].v.Kind() == value.Text:
		return n.kids[0]
	}
	return n
}

func (f *fn) dice(e *lang.Dice) *node {
	if e.Size < 1 || e.Size > value.MaxFace {
		f.err(errAt(e.Span, "%s is not a die: a die has 1 to %d sides", e.Text, value.MaxFace))
		return f.constant(value.OfDie(6, 0), e.Span)
	}
	d := value.OfDie(int(e.Size), 0)
	if e.Pluses > value.MaxPluses {
		f.err(errAt(e.Span, "%s has too many pluses: %d are the most", e.Text, value.MaxPluses))
		return f.constant(d, e.Span)
	}
	d = d.WithPluses(e.Pluses)
	if !e.Counted {
		return f.constant(d, e.Span)
	}
	if e.Count < 1 || e.Count > 10000 {
		f.err(errAt(e.Span, "%s is too much: a pool has 1 to 10,000 dice", e.Text))
		return f.constant(d, e.Span)
	}
	return f.constant(f.w.Heap.OfList(slices.Repeat([]V{d}, int(e.Count))), e.Span)
}

// word resolves a bare word; see the head of resolve.go.
func (f *fn) word(e *lang.Word) *node {
	if n := f.knownWord(e); n != nil {
		return n
	}
	f.err(f.errWord(e))
	return f.constant(value.None, e.Span)
}

// errWord reports a word that means nothing here.
func (f *fn) errWord(e *lang.Word) *lang.Diagnostic {
	if at := f.w.lets[e.Name]; f.seesScript() && at.Src == e.Src && at.Start > e.Start {
		d := errAt(e.Span, "%s is set only further down, in line %d", e.Name, at.Src.Position(int(at.Start)).Line)
		d.Help = "move that line above this one"
		return d
	}
	if f.probing {
		return errName(e.Span, e.Name, nil) // to look for the nearest word takes long
	}
	return errName(e.Span, e.Name, f.known())
}

// setBelow says whether a word in a script is a variable that is set only further down.
func (f *fn) setBelow(e *lang.Word) bool {
	at := f.w.lets[e.Name]
	return f.script && at.Src == e.Src && at.Start > e.Start
}

func (f *fn) knownWord(e *lang.Word) *node {
	if v, ok := special(e.Name); ok {
		return f.constant(v, e.Span)
	}
	if l := f.lookup(e.Name); l != nil {
		return f.localNode(l, e.Span)
	}
	if n := f.selfWord(e.Name, e.Span); n != nil {
		return n
	}
	if f.fixed {
		if l := f.coll.fixed[e.Name]; l != nil && l.Start < e.Start {
			return f.expr(l.Value)
		}
	}
	if c, ok := f.w.cells[e.Name]; ok && f.seesScript() {
		n := f.mk(nCell, e.Span)
		n.a = c
		return n
	}
	if o := f.w.optionNamed[e.Name]; o != nil {
		f.w.refers(e.Span, o.At)
		n := f.constant(o.Value, e.Span)
		n.info = o
		return n
	}
	if r := f.w.rules[e.Name]; r != nil && required(r) == 0 {
		f.w.refers(e.Span, r.at)
		return f.callRule(r, nil, e.Span)
	}
	if f.w.symbols[e.Name] && !f.setBelow(e) {
		f.w.refersToSymbol(e.Name, e.Span)
		return f.constant(f.w.Heap.OfSymbol(e.Name), e.Span)
	}
	if f.script {
		if _, ok := f.w.lastKeys[e.Name]; ok {
			f.w.refersTo("value of the last outcome", e.Name, e.Span)
			n := f.mk(nCell, e.Span)
			n.a = f.w.kept(e.Name)
			return n
		}
		if g := f.w.groups[e.Name]; g != nil {
			return f.constant(f.group(g), e.Span)
		}
	}
	return nil
}

// localNode gives the value of a variable of the rule.
func (f *fn) localNode(l *local, at lang.Span) *node {
	if l.value != nil {
		return l.value()
	}
	n := f.mk(nLocal, at)
	n.a = l.reg
	return n
}

// seesScript says whether the variables of the script are known here: in the
// script itself and what it declares, not in modules, whose words would change
// their meaning with it.
func (f *fn) seesScript() bool { return f.script || f.module == nil || f.module.script }

func required(r *rule) int {
	n := 0
	for _, p := range r.params {
		if p.Default == nil {
			n++
		}
	}
	return n
}

// selfWord resolves a word against the sheet the text is about.
func (f *fn) selfWord(name string, at lang.Span) *node {
	for i := len(f.selves) - 1; i >= 0; i-- {
		s := &f.selves[i]
		obj := f.selfNode(s, at)
		if name == "self" {
			return obj
		}
		if s.sheet != nil && name == "owner" && s.sheet.byName["owner"] == nil {
			n := f.mk(nBuiltin, at, obj)
			n.a = code.BuiltinIndex("owner")
			return n
		}
		if fd := f.fieldOfSelf(s, name); fd >= 0 {
			f.refersToFieldOfSelf(s, name, at)
			n := f.mk(nField, at, obj)
			n.a = fd
			return n
		}
		if r := f.w.rules[name]; r != nil && r.self && required(r) == 1 && s.sheet != nil {
			f.w.refers(at, r.at)
			return f.callRule(r, []*node{obj}, at)
		}
		if s.sheet == nil {
			if r := f.w.rules[name]; r != nil && r.self && required(r) == 1 && f.rule == nil {
				f.w.refers(at, r.at)
				return f.callRule(r, []*node{obj}, at)
			}
		}
	}
	return nil
}

func (f *fn) selfNode(s *self, at lang.Span) *node {
	if s.expr != nil {
		return s.expr
	}
	if s.ent != nil {
		return constRef(s.ent, at)
	}
	n := f.mk(nLocal, at)
	n.a = s.at
	return n
}

// fieldOfSelf gives the symbol of a field that s has; where its sheet is not
// known, only conditions and tactics may read any field.
func (f *fn) fieldOfSelf(s *self, name string) int {
	if s.sheet != nil {
		if fd := s.sheet.byName[name]; fd != nil {
			return fd.sym
		}
		return -1
	}
	if f.rule != nil {
		return -1
	}
	if len(f.w.fieldOf[name]) == 0 {
		return -1
	}
	if s.kinds != nil && !slices.ContainsFunc(s.kinds, func(k *sheet) bool { return k.byName[name] != nil }) {
		return -1
	}
	return f.w.fieldSyms[name]
}

func (f *fn) selfField(name string) (*node, int) {
	for i := len(f.selves) - 1; i >= 0; i-- {
		s := &f.selves[i]
		if fd := f.fieldOfSelf(s, name); fd >= 0 {
			return f.selfNode(s, lang.Span{}), fd
		}
	}
	return nil, -1
}

// known lists what a bare word could have meant.
func (f *fn) known() []string {
	var names []string
	for _, l := range f.names {
		names = append(names, l.name)
	}
	for _, s := range f.selves {
		if s.sheet != nil {
			for _, fd := range s.sheet.fields {
				names = append(names, fd.name)
			}
		}
	}
	names = append(names, keysOf(f.w.cells)...)
	names = append(names, f.w.optionNames()...)
	names = append(names, ruleNames(f.w)...)
	names = append(names, keysOf(f.w.symbols)...)
	if f.script {
		names = append(names, keysOf(f.w.lastKeys)...)
	}
	slices.Sort(names)
	return names
}

func (f *fn) group(g []*entity) V {
	refs := make([]V, len(g))
	for i, e := range g {
		refs[i] = e.ref()
	}
	return f.w.Heap.OfList(refs)
}

// name resolves a Capitalised word: an instance or a group of them.
func (f *fn) name(e *lang.Name) *node {
	if n := f.named(display(e.Name), e.Span); n != nil {
		return n
	}
	if !f.coll.isUndeclared(display(e.Name)) {
		f.err(errName(e.Span, e.Name, f.w.instanceNames()))
	}
	return f.constant(value.None, e.Span)
}

func (f *fn) named(name string, at lang.Span) *node {
	if ent := f.w.entities[name]; ent != nil {
		return constRef(ent, at)
	}
	if g := f.w.groups[name]; g != nil {
		return f.constant(f.group(g), at)
	}
	return nil
}

// instanceNames gives the names of instances as a script writes them.
func (w *World) instanceNames() []string {
	var names []string
	for _, n := range append(keysOf(w.entities), keysOf(w.groups)...) {
		names = append(names, strings.ReplaceAll(n, " ", "_"))
	}
	return names
}

// caps resolves a bare ALL_CAPS word: a part of the sheet the text is about.
func (f *fn) caps(e *lang.Caps) *node {
	for i := len(f.selves) - 1; i >= 0; i-- {
		s := &f.selves[i]
		if s.ent != nil {
			if p := s.ent.part(e.Name); p != nil {
				return constRef(p, e.Span)
			}
			continue
		}
		return f.partOf(f.selfNode(s, e.Span), e.Name, "", e.Span)
	}
	if n := f.named(e.Name, e.Span); n != nil {
		return n
	}
	f.err(errAt(e.Span, "whose %s? write  Name.%s", e.Name, e.Name))
	return f.constant(value.None, e.Span)
}

func (f *fn) binary(e *lang.Binary) *node {
	x, y := f.expr(e.X), f.expr(e.Y)
	switch e.Op {
	case "==", "!=":
		x, y = f.namedBeside(e.X, x, y), f.namedBeside(e.Y, y, x)
	case "in":
		if l, ok := e.Y.(*lang.List); ok && f.isText(x) {
			y = f.list(l, f.expr)
		}
		x = f.namedBeside(e.X, x, y)
	}
	switch e.Op {
	case "and":
		return fold(&f.w.Unit, f.mk(nAnd, e.Span, x, y))
	case "or":
		return fold(&f.w.Unit, f.mk(nOr, e.Span, x, y))
	}
	n := f.mk(nBin, e.Span, x, y)
	n.a = int(binOps[e.Op])
	if watchOf(f.w).bodies != nil && x.op == nConst && y.op == nConst {
		f.folded = append(f.folded, n)
	}
	return fold(&f.w.Unit, n)
}

func (f *fn) comp(e *lang.Comp) *node {
	n := f.mk(nComp, e.Span, f.expr(e.In), nil, nil)
	n.info = e.Kind
	depth := len(f.names)
	n.a = f.declare(e.Var.Name)
	n.b = f.hidden(4)
	if e.Where != nil {
		n.kids[1] = f.expr(e.Where)
	}
	if e.Yield != nil {
		n.kids[2] = f.expr(e.Yield)
	}
	f.names = f.names[:depth]
	return n
}

// sheetNamed finds a sheet or clause set that records can be made of.
func (f *fn) sheetNamed(id lang.Ident) *sheet {
	if sh := f.w.sheets[id.Name]; sh != nil {
		f.w.refers(id.Span, sh.at)
		return sh
	}
	if set := f.w.sets[id.Name]; set != nil {
		return f.w.setSheet(set)
	}
	f.err(errUnknown("sheet", id, sheetNames(f.w)))
	return nil
}

func (f *fn) newRecord(e *lang.New) *node {
	sh := f.sheetNamed(e.Sheet)
	if sh == nil {
		return f.constant(value.None, e.Span)
	}
	n := f.mk(nNew, e.Span)
	n.a = sh.typ.ID
	n.b = f.hidden(1)
	done := map[string]bool{}
	rec := f.mk(nLocal, e.Span)
	rec.a = n.b
	sets := &newInfo{}
	for _, x := range e.Fields {
		at, header := -1, 0
		switch fd := sh.byName[x.Name.Name]; {
		case fd != nil:
			at = fd.sym
			f.w.refersToField(sh, fd.name, x.Name.Span)
		case x.Name.Name == "name":
			header = code.AtName
		case x.Name.Name == "owner":
			header = code.AtOwner
		case x.Name.Name == "features":
			header = code.AtFeatures
		default:
			d := errAt(x.Name.Span, "%s has no %s", aOrAn(sh.name), x.Name.Name)
			var names []string
			for _, fd := range sh.fields {
				names = append(names, fd.name)
			}
			suggest(d, x.Name.Name, names)
			f.err(d)
			continue
		}
		if done[x.Name.Name] {
			f.err(errTwice(x.Name.Name, x.Name.Span, lang.Span{}))
		}
		done[x.Name.Name] = true
		n.kids = append(n.kids, f.expr(x.Value))
		sets.syms = append(sets.syms, at)
		sets.headers = append(sets.headers, header)
	}
	for _, fd := range sh.fields {
		if mf := &sh.typ.Fields[fd.index]; !mf.Const && !done[fd.name] && fd.def != nil {
			f.selves = append(f.selves, self{at: n.b, sheet: sh})
			n.kids = append(n.kids, f.expr(fd.def))
			f.selves = f.selves[:len(f.selves)-1]
			sets.syms = append(sets.syms, fd.sym)
			sets.headers = append(sets.headers, 0)
		}
	}
	n.info = sets
	return n
}

// newInfo says which fields (by symbol) or header words of a new record its
// values go to.
type newInfo struct{ syms, headers []int }

// ---- calls and paths ----------------------------------------------------

func (f *fn) args(es []lang.Expr) []*node {
	ns := make([]*node, len(es))
	for i, e := range es {
		ns[i] = f.expr(e)
	}
	return ns
}

// argsTo gives the arguments of a call. What is(KIND) and instances(KIND) are given is the
// name of a sheet, even where the sheet in sight has a property of that name.
func (f *fn) argsTo(name string, es []lang.Expr) []*node {
	ns := f.args(es)
	last := len(es) - 1
	if name == "only" && last > 0 {
		last = 1
	} else if name != "is" && name != "instances" || last < 0 {
		return ns
	}
	if w, ok := es[last].(*lang.Word); ok && f.w.sheets[w.Name] != nil && f.lookup(w.Name) == nil {
		f.w.refers(w.Span, f.w.sheets[w.Name].at)
		ns[last] = f.constant(f.w.Heap.OfSymbol(w.Name), w.Span)
	}
	return ns
}

func (f *fn) call(e *lang.Call) *node {
	switch fn := e.Fn.(type) {
	case *lang.Word:
		return f.callWord(fn, e)
	case *lang.Dot:
		return f.callDot(fn, e)
	}
	f.err(errAt(e.Fn.Range(), "only a rule or a function can be called"))
	return f.constant(value.None, e.Span)
}

func (f *fn) callWord(fn *lang.Word, e *lang.Call) *node {
	if l := f.lookup(fn.Name); l != nil {
		v := f.localNode(l, fn.Span)
		return f.mk(nCallV, e.Span, append([]*node{v}, f.args(e.Args)...)...)
	}
	if fn.Name == "checks" && len(e.Args) == 1 {
		return f.checksOf(e)
	}
	if r := f.w.rules[fn.Name]; r != nil {
		f.w.refers(fn.Span, r.at)
		return f.callRule(r, f.valuesOf(e.Args), e.Span)
	}
	if b := code.BuiltinIndex(fn.Name); b >= 0 {
		return f.builtin(b, f.argsTo(fn.Name, e.Args), e.Span)
	}
	if n := f.selfWord(fn.Name, fn.Span); n != nil {
		return f.mk(nCallV, e.Span, append([]*node{n}, f.args(e.Args)...)...)
	}
	d := errAt(fn.Span, "there is no rule %s", fn.Name)
	if f.probing {
		f.err(d) // to look for the nearest rule takes long
		return f.constant(value.None, e.Span)
	}
	if fn.Name == "odds" {
		d := errAt(fn.Span, "odds(…) works only in an expect directly inside a test block")
		d.Help = "write it in a test, after the closing brace of a scene"
		f.err(d)
		return f.constant(value.None, e.Span)
	}
	names := ruleNames(f.w)
	for _, b := range code.Builtins {
		names = append(names, b.Name)
	}
	if suggest(d, fn.Name, names); len(e.Args) == 1 && code.Elsewhere[fn.Name] == "size" {
		d.Help = "write  " + text(e.Args[0].Range()) + ".size"
	} else {
		suggestUsual(d, fn.Name)
	}
	f.err(d)
	return f.constant(value.None, e.Span)
}

// checksOf lists the checks that fit an instance, as rules.
func (f *fn) checksOf(e *lang.Call) *node {
	var l []*node
	x := f.expr(e.Args[0])
	for _, k := range f.w.checks {
		if o := f.entityOf(x); o != nil && o.sheet.is(k.sheet.name) {
			f.w.refers(e.Span, k.at)
		}
		is := f.mk(nBuiltin, e.Span, x, f.constant(f.w.Heap.OfSymbol(k.sheet.name), e.Span))
		is.a = code.BuiltinIndex("is")
		one := f.mk(nList, e.Span, f.constant(value.OfRule(k.slot), e.Span))
		c := f.mk(nCond, e.Span, is, one, f.mk(nList, e.Span))
		if len(l) == 0 {
			l = append(l, c)
			continue
		}
		sum := f.mk(nBin, e.Span, l[0], c)
		sum.a = int(code.Add)
		l[0] = sum
	}
	if len(l) == 0 {
		return f.constant(value.EmptyList, e.Span)
	}
	return l[0]
}

func (f *fn) callRule(r *rule, args []*node, at lang.Span) *node {
	if len(args) > len(r.params) || len(args) < required(r) {
		d := errAt(at, "%s takes %s, not %d", r.name, things(len(r.params)), len(args))
		if len(r.params) > 0 {
			names := make([]string, len(r.params))
			for i, p := range r.params {
				names[i] = p.Name.Name
			}
			d.Help = r.name + "(" + strings.Join(names, ", ") + ")"
		}
		f.err(d)
		return f.constant(value.None, at)
	}
	n := f.mk(nCall, at, args...)
	n.a = r.slot
	if f.defaults++; f.defaults > maxDefaults {
		f.err(errAt(at, "the default of %s asks for %s again", r.name, r.name))
		f.defaults--
		return f.constant(value.None, at)
	}
	for _, p := range r.params[len(args):] {
		n.kids = append(n.kids, f.expr(p.Default))
	}
	f.defaults--
	return n
}

// maxDefaults bounds calls in the defaults of parameters of calls.
const maxDefaults = 20

func (f *fn) builtin(b int, args []*node, at lang.Span) *node {
	bi := code.Builtins[b]
	if len(args) < bi.Min || bi.Max >= 0 && len(args) > bi.Max {
		f.err(errAt(at, "%s takes %s, not %d: %s", bi.Name, things(bi.Min), len(args), bi.Doc))
		return f.constant(value.None, at)
	}
	if bi.Name == code.Draw {
		return f.mk(nDraw, at, args...)
	}
	n := f.mk(nBuiltin, at, args...)
	n.a = b
	return n
}

// callDot is x.f(args): a rule or builtin about x, or a rule held in a field.
func (f *fn) callDot(fn *lang.Dot, e *lang.Call) *node {
	if isWord(fn.X, "base") && f.lookup("base") == nil {
		return f.callBase(fn, e)
	}
	x := f.subject(fn.X)
	name := fn.Name.Name
	args := append([]*node{x}, f.argsTo(name, e.Args)...)
	if r := f.w.rules[name]; r != nil && len(args) >= required(r) && len(args) <= len(r.params) {
		f.w.refers(fn.Name.Span, r.at)
		return f.callRule(r, args, e.Span)
	}
	if b := code.BuiltinIndex(name); b >= 0 && (len(f.w.fieldOf[name]) == 0 || code.Builtins[b].Takes(len(args))) {
		return f.builtin(b, args, e.Span)
	}
	if len(f.w.fieldOf[name]) > 0 {
		f.refersToFieldOf(x, name, fn.Name.Span)
		held := f.mk(nField, fn.Span, x)
		held.a = f.w.fieldSyms[name]
		return f.mk(nCallV, e.Span, append([]*node{held}, args[1:]...)...)
	}
	if b := code.BuiltinIndex(name); b >= 0 {
		return f.builtin(b, args, e.Span)
	}
	if r := f.w.rules[name]; r != nil {
		return f.callRule(r, args, e.Span)
	}
	f.err(f.errProperty(fn.Name))
	return f.constant(value.None, e.Span)
}

// callBase is base.NAME(args): the rule that this one replaces.
func (f *fn) callBase(fn *lang.Dot, e *lang.Call) *node {
	name := fn.Name.Name
	r := f.w.rules[name]
	if f.rule != nil && f.rule.name == name {
		r = f.rule.base
	} else if r != nil {
		r = r.base
	}
	if r == nil {
		f.err(f.errBase(fn.Name))
		return f.constant(value.None, e.Span)
	}
	f.w.refers(fn.Name.Span, r.at)
	return f.callRule(r, f.args(e.Args), e.Span)
}

// errBase says that base.NAME means nothing, and what would.
func (f *fn) errBase(id lang.Ident) *lang.Diagnostic {
	var replaced []string
	for n, r := range f.w.rules {
		if r.base != nil {
			replaced = append(replaced, n)
		}
	}
	slices.Sort(replaced)
	if f.w.rules[id.Name] == nil {
		return errUnknown("rule", id, replaced)
	}
	d := errAt(id.Span, "%s replaces no rule, so there is no base.%s", id.Name, id.Name)
	if near, ok := lang.Nearest(id.Name, slices.DeleteFunc(ruleNames(f.w), func(n string) bool { return n == id.Name })); ok {
		d.Help = "did you mean to replace " + near + "?"
	}
	return d
}

func (f *fn) errProperty(id lang.Ident) *lang.Diagnostic {
	d := errAt(id.Span, "nothing has %s", aOrAn(id.Name))
	if f.w.suggestOut(d, id.Name) || suggestUsual(d, id.Name) {
		return d
	}
	names := slices.Concat(keysOf(f.w.fieldSyms), ruleNames(f.w), featureNames(f.w))
	for _, b := range code.Builtins {
		names = append(names, b.Name)
	}
	suggest(d, id.Name, names)
	return d
}

// suggestUsual names the function that is called otherwise in other languages.
func suggestUsual(d *lang.Diagnostic, name string) bool {
	switch ours := code.Elsewhere[name]; {
	case name == "at_least":
		d.Help = "what shows 4 or more shows more than 3:  .above(3)"
	case name == "at_most":
		d.Help = "what shows 4 or less shows less than 5:  .below(5)"
	case ours != "":
		d.Help = "did you mean " + ours + "?"
	default:
		return false
	}
	return true
}

// suggestOut says how rules ask whether somebody is out.
func (w *World) suggestOut(d *lang.Diagnostic, name string) bool {
	if name != "out" {
		return false
	}
	for _, n := range sheetNames(w) {
		if sh := w.sheets[n]; sh.out != nil {
			d.Help = "ask what " + n + " asks in  out when:  " + text(sh.out.Range())
			return true
		}
	}
	return false
}

func (f *fn) dot(e *lang.Dot) *node {
	if isWord(e.X, "last") && f.lookup("last") == nil {
		return f.lastValue(e)
	}
	if isWord(e.X, "base") && f.lookup("base") == nil && f.rule != nil {
		return f.callBase(e, &lang.Call{Span: e.Span, Fn: e})
	}
	if n := f.ofSet(e); n != nil {
		return n
	}
	x := f.subject(e.X)
	name := e.Name.Name
	if c := name[0]; c >= 'A' && c <= 'Z' {
		return f.partOf(x, name, "", e.Name.Span)
	}
	return f.property(x, e.Name, e.Span)
}

// ofSet is SET.NAME in a condition of a clause: what was given of a set, for which no
// record has to be made.
func (f *fn) ofSet(e *lang.Dot) *node {
	w, ok := e.X.(*lang.Word)
	if !ok {
		return nil
	}
	l := f.lookup(w.Name)
	if l == nil || l.of == nil {
		return nil
	}
	return l.of(e.Name.Name)
}

// subject resolves what stands before a dot; a text that names an instance is
// that instance.
func (f *fn) subject(e lang.Expr) *node {
	if t, ok := e.(*lang.Text); ok {
		if n := f.named(plain(t), t.Span); n != nil {
			return n
		}
	}
	return f.expr(e)
}

func (f *fn) lastValue(e *lang.Dot) *node {
	at, ok := f.w.lastKeys[e.Name.Name]
	if !ok {
		d := errAt(e.Name.Span, "no outcome has a %s", e.Name.Name)
		suggest(d, e.Name.Name, keysOf(f.w.lastKeys))
		f.err(d)
		return f.constant(value.None, e.Span)
	}
	f.w.refersTo("value of the last outcome", e.Name.Name, e.Name.Span)
	n := f.mk(nCell, e.Span)
	n.a = at
	return n
}

// property is x.name: a field where x has it, else a rule or builtin about x.
func (f *fn) property(x *node, id lang.Ident, at lang.Span) *node {
	var other *node
	if r := f.w.rules[id.Name]; r != nil && required(r) <= 1 && len(r.params) >= 1 {
		other = f.callRule(r, []*node{x}, at)
	} else if b := code.BuiltinIndex(id.Name); b >= 0 && code.Builtins[b].Min == 1 {
		other = f.builtin(b, []*node{x}, at)
	}
	asRule := func() {
		if r := f.w.rules[id.Name]; r != nil {
			f.w.refers(id.Span, r.at)
		}
	}
	if len(f.w.fieldOf[id.Name]) == 0 {
		if other == nil && f.w.features[id.Name] != nil {
			return f.featureOf(x, f.w.features[id.Name], id)
		}
		if other == nil {
			f.err(f.errProperty(id))
			return f.constant(value.None, at)
		}
		asRule()
		return other
	}
	n := f.mk(nField, at, x)
	n.a = f.w.fieldSyms[id.Name]
	if e := f.entityOf(x); e != nil {
		if e.sheet.byName[id.Name] != nil {
			f.w.refersToField(e.sheet, id.Name, id.Span)
			return n
		}
		if other != nil {
			asRule()
			return other
		}
		f.checkField(x, id)
		return n
	}
	if other != nil {
		n.op = nFieldOr
		n.kids = append(n.kids, other)
	} else {
		f.refersToFieldOf(x, id.Name, id.Span)
	}
	return n
}

// featureOf is x.NAME for a feature that x has: what it remembers is a field of it.
func (f *fn) featureOf(x *node, feat *sheet, id lang.Ident) *node {
	if e := f.entityOf(x); e != nil && !e.sheet.is(feat.on) {
		f.err(errAt(id.Span, "%s goes on a %s, and %s is a %s", id.Name, feat.on, e.name, e.sheet.name))
		return f.constant(value.None, id.Span)
	}
	f.w.refers(id.Span, feat.at)
	n := f.mk(nBuiltin, id.Span, x, f.constant(f.w.Heap.OfSymbol(id.Name), id.Span))
	n.a = code.BuiltinIndex("feature")
	need := f.mk(nNeed, id.Span, n, x)
	need.info = id.Name
	return need
}

// entityOf gives the instance that a node is known to be.
func (f *fn) entityOf(n *node) *entity {
	if n.op == nConst && n.v.Kind() == value.Ref {
		return f.w.byOff[n.v.Off()]
	}
	return nil
}

// partOf is the part of x with that name; kind is the sheet it must be, or "".
func (f *fn) partOf(x *node, name, kind string, at lang.Span) *node {
	if e := f.entityOf(x); e != nil {
		if p := e.part(name); p != nil {
			return constRef(p, at)
		}
		if !f.w.otherPart(name) {
			sh := e.sheet
			if fd := e.sheet.capsField(); fd != nil && f.w.sheets[fd.sheet] != nil {
				sh = f.w.sheets[fd.sheet]
			}
			f.err(errPart(f.w, e, sh, name, at))
			return f.constant(value.None, at)
		}
	}
	text := f.constant(f.w.Heap.OfText(name), at)
	n := f.mk(nBuiltin, at, x, text)
	n.a = code.BuiltinIndex("part")
	if r := f.w.rules["other_part"]; r != nil {
		n = f.mk(nElse, at, n, f.callRule(r, []*node{x, text}, at))
	}
	need := f.mk(nNeed, at, n, x)
	need.info = name
	return need
}

// otherPart says whether the rule other_part may find a part of that name: some
// other instance has one, one belongs to nobody, or a sheet says the name in a
// text.
func (w *World) otherPart(name string) bool {
	if w.rules["other_part"] == nil {
		return false
	}
	for _, e := range w.order {
		if (e.owner != nil || w.isPart(e.sheet.name)) && code.SameName(e.name, name) {
			return true
		}
	}
	text := w.Heap.OfText(name)
	for _, v := range w.initial {
		if v == text {
			return true
		}
	}
	return false
}

// mapLiteral is {KEY: VALUE, …}. A bare word is itself, and so is one in capitals. In a
// field a bare word that the rules do not know is a text, as it is where a command takes a
// word:  stress {physical: d8}  holds what  recover stress physical  looks for.
func (f *fn) mapLiteral(e *lang.Map, field bool) *node {
	n := f.mk(nBuiltin, e.Span)
	n.a = code.BuiltinIndex("map")
	seen := map[V]bool{}
	known, all := true, f.w.Heap.OfMap(nil)
	for i, x := range e.Keys {
		var k *node
		switch x := x.(type) {
		case *lang.Word:
			k = f.constant(f.w.Heap.OfSymbol(x.Name), x.Span)
			if field && !f.w.symbols[x.Name] {
				k = f.constant(f.w.Heap.OfText(x.Name), x.Span)
			}
		case *lang.Caps:
			k = f.constant(f.w.Heap.OfText(x.Name), x.Span)
		case *lang.Name:
			if k = f.constant(f.w.Heap.OfText(display(x.Name)), x.Span); f.w.entities[display(x.Name)] != nil {
				k = f.expr(x)
			}
		default:
			k = f.expr(x)
		}
		f.keyed(k)
		if k.op == nConst {
			if seen[k.v] {
				f.err(errAt(x.Range(), "the map has the key %s twice", text(x.Range())))
			}
			seen[k.v] = true
		}
		v := f.valueOf(e.Values[i])
		if known = known && k.op == nConst && v.op == nConst; known {
			all = f.w.Heap.Put(all, k.v, v.v)
		}
		n = f.mk(nBuiltin, e.Span, n, k, v)
		n.a = code.BuiltinIndex("put")
	}
	if known {
		return f.constant(all, e.Span)
	}
	return fold(&f.w.Unit, n)
}
