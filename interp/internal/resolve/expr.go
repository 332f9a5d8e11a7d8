package resolve

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

var binOps = map[string]code.Op{
	"+": code.Add, "-": code.Sub, "*": code.Mul, "/": code.Div,
	"==": code.Eq, "!=": code.Ne, "<": code.Lt, "<=": code.Le, ">": code.Gt, ">=": code.Ge,
	"in": code.In,
}

// Expr resolves an expression. It never gives nil; after a mistake it gives
// some constant.
func (f *Fn) Expr(e lang.Expr) *ir.Node {
	f.W.Poll()
	if n := len(f.thrown); n > 0 && f.thrown[n-1] == e {
		f.thrown[n-1] = nil
		return f.Mk(ir.NThrow, e.Range(), f.Expr(e), nil, nil)
	}
	if dice := thrownIn(e); dice != nil && !slices.Contains(f.thrown, dice) {
		return f.throwing(dice, e)
	}
	if c := comparesThrown(e); c != nil {
		f.amounting = c
	}
	switch e := e.(type) {
	case *lang.Num:
		return f.Constant(f.number(e), e.Span)
	case *lang.Text:
		return f.text(e)
	case *lang.Lit: // stands in texts only
	case *lang.Dice:
		return f.Dice(e)
	case *lang.Word:
		return f.word(e)
	case *lang.Caps:
		return f.caps(e)
	case *lang.Name:
		return f.name(e)
	case *lang.Paren:
		return f.Expr(e.X)
	case *lang.List:
		return f.list(e, f.valueOf)
	case *lang.Map:
		return f.mapLiteral(e, false, false)
	case *lang.Range:
		return f.span(e)
	case *lang.Unary:
		return f.unary(e)
	case *lang.Binary:
		return f.binary(e)
	case *lang.Cond:
		return ir.Fold(&f.W.Unit, f.Mk(ir.NCond, e.Span, f.Expr(e.C), f.valueOf(e.A), f.valueOf(e.B)))
	case *lang.Call:
		return f.call(e)
	case *lang.Dot:
		return f.dot(e)
	case *lang.Index:
		return f.Mk(ir.NIndex, e.Span, f.Expr(e.X), f.key(e))
	case *lang.Throw:
		return f.throw(e)
	case *lang.Choose:
		return f.choose(e)
	case *lang.Comp:
		return f.comp(e)
	case *lang.New:
		return f.newRecord(e)
	case *lang.NoneRefused:
		f.Err(decl.ErrAt(e.Span, "SP0408", "write  expect no refused tactics"))
	case *lang.Applied:
		f.Err(decl.ErrAt(e.Span, "SP0409", "put commas between the values of a list"))
	case *lang.Rated:
		d := decl.ErrAt(e.Span, "SP0410", "%s with a rating can only be an operand of a verb", decl.NameOf(e.X))
		if _, ok := e.X.(*lang.Caps); ok {
			d.Help = "put a comma before it if it is an entry of its own; the words of one trait are joined by _, as in  FAST_RUNNER"
		}
		f.Err(d)
	}
	return f.Constant(value.None, e.Range())
}

func (f *Fn) span(e *lang.Range) *ir.Node {
	n := f.Mk(ir.NRange, e.Span, f.Constant(value.None, e.Span), f.Constant(value.None, e.Span))
	if e.Lo != nil {
		n.Kids[0] = f.amount(e.Lo)
	}
	if e.Hi != nil {
		n.Kids[1] = f.amount(e.Hi)
	}
	return ir.Fold(&f.W.Unit, n)
}

func (f *Fn) unary(e *lang.Unary) *ir.Node {
	if e.Op == "not" {
		return ir.Fold(&f.W.Unit, f.Mk(ir.NNot, e.Span, f.Expr(e.X)))
	}
	x := f.amount(e.X)
	if e.Op == "-" {
		return ir.Fold(&f.W.Unit, f.Mk(ir.NNeg, e.Span, x))
	}
	return x
}

func (f *Fn) throw(e *lang.Throw) *ir.Node {
	if b, ok := unwrapped(e.Dice).(*lang.Binary); ok && b.Op == "*" && pool(b.X) != nil && pool(b.Y) == nil {
		d := decl.ErrAt(b.Span, "SP0407", "this is a number: what the dice show, times another")
		d.Help = "so many dice begin with the number: " + b.Src.Text[b.Y.Range().Start:b.Y.Range().End] + " * " + b.Src.Text[b.X.Range().Start:b.X.Range().End]
		f.Err(d)
	}
	if thrownIn(unwrapped(e.Dice)) != nil && e.For == nil && e.Named == nil {
		return f.Expr(e.Dice) // what reads faces has thrown them:  throw 4d6.highest(3)
	}
	n := f.Mk(ir.NThrow, e.Span, f.Expr(e.Dice), nil, f.optional(e.Named))
	if e.For != nil {
		if l := f.labelWord(e.For); l.Op == ir.NConst {
			n.Info = &code.ThrowInfo{For: f.W.Heap.Show(l.V, nil)}
		} else {
			n.Info = &code.ThrowInfo{}
			n.Kids[1] = l
		}
	}
	return n
}

func (f *Fn) choose(e *lang.Choose) *ir.Node {
	info := &code.AskInfo{Name: e.Name.Name, Unasked: e.Unasked, Plain: isPure(f.W, e.Prompt, nil)}
	f.W.RefersTo("decision", e.Name.Name, e.Name.Span)
	def := e.Default
	if w, ok := def.(*lang.Word); ok && w.Name == "random" && f.Lookup("random") == nil {
		info.Random, def = true, nil
	}
	info.Said = def != nil
	prompt := f.optional(e.Prompt)
	if e.Prompt == nil {
		prompt = f.decided(e.Name, e.By)
	}
	n := f.Mk(ir.NChoose, e.Span, f.Expr(e.By), f.Expr(e.From), prompt, f.optional(e.Answer), f.optional(def), f.usual(e.Usual), f.optional(e.Cost), nil, f.notes(e.Notes))
	n.Info = info
	n.B = f.Hidden(4)
	if e.Cost != nil {
		n.A, n.Kids[7] = f.price(info, e.Field, n.Kids[0], e.Payer)
		if def == nil {
			f.Err(decl.ErrAt(e.Cost.Range(), "SP0460", "say by  default  which answer costs nothing"))
		}
	}
	f.noChoice(n.Kids[1], n.Kids[4])
	return n
}

// noChoice reports a default that is not among the choices.
func (f *Fn) noChoice(from, def *ir.Node) {
	if def == nil || def.Op != ir.NConst || def.Info != nil || def.V == value.None || from.Op != ir.NConst || from.Info != nil || from.V.Kind() != value.List {
		return
	}
	all := f.W.Heap.Elems(from.V)
	if len(all) == 0 || slices.Contains(all, def.V) {
		return
	}
	var names []string
	for _, v := range all {
		if v.Kind() == value.Ref && f.W.ByOff[v.Off()] != nil {
			names = append(names, f.W.ByOff[v.Off()].Name)
			continue
		}
		names = append(names, f.W.Heap.Show(v, nil))
	}
	d := decl.ErrAt(def.At, "SP0412", "the default %s is none of the choices: %s", decl.Brief(def), lang.OneOf(names))
	decl.Suggest(d, f.W.Heap.Show(def.V, nil), names)
	f.Err(d)
}

func (f *Fn) number(e *lang.Num) ir.V {
	s, pct := strings.CutSuffix(e.Text, "%")
	r, ok := new(big.Rat).SetString(s)
	if !ok || len(s) > 300 {
		f.Err(decl.ErrAt(e.Span, "SP0413", "%s is not a number", e.Text))
		return 0
	}
	if pct {
		r.Quo(r, big.NewRat(100, 1))
	}
	return f.W.Heap.OfRat(r)
}

func (f *Fn) text(e *lang.Text) *ir.Node {
	n := f.Mk(ir.NText, e.Span)
	for _, p := range e.Parts {
		if l, ok := p.(*lang.Lit); ok {
			n.Kids = append(n.Kids, f.Constant(f.W.Heap.OfText(l.Value), l.Span))
			continue
		}
		n.Kids = append(n.Kids, f.Expr(p))
	}
	switch {
	case len(n.Kids) == 0:
		return f.Constant(f.W.Heap.OfText(""), e.Span)
	case len(n.Kids) == 1 && n.Kids[0].Op == ir.NConst && n.Kids[0].V.Kind() == value.Text:
		return n.Kids[0]
	}
	return n
}

// Dice resolves dice.
func (f *Fn) Dice(e *lang.Dice) *ir.Node {
	if e.Faces != nil {
		return f.counted(e, f.W.Heap.OfMade(value.MadeDie{Base: f.faces(e), On: value.None, Times: value.None}))
	}
	if e.Size < 1 || e.Size > value.MaxFace {
		f.Err(decl.ErrAt(e.Span, "SP0414", "%s is not a die: a die has 1 to %d sides", e.Text, value.MaxFace))
		return f.Constant(value.OfDie(6, 0), e.Span)
	}
	d := value.OfDie(int(e.Size), 0)
	if e.Pluses > value.MaxPluses {
		f.Err(decl.ErrAt(e.Span, "SP0415", "%s has too many pluses: %d are the most", e.Text, value.MaxPluses))
		return f.Constant(d, e.Span)
	}
	return f.counted(e, d.WithPluses(e.Pluses))
}

// counted gives so many of a die as are written.
func (f *Fn) counted(e *lang.Dice, d ir.V) *ir.Node {
	if !e.Counted {
		return f.Constant(d, e.Span)
	}
	if e.Count < 1 || e.Count > 10000 {
		f.Err(decl.ErrAt(e.Span, "SP0416", "%s is too much: a pool has 1 to 10,000 dice", e.Text))
		return f.Constant(d, e.Span)
	}
	return f.Constant(f.W.Heap.OfList(slices.Repeat([]ir.V{d}, int(e.Count))), e.Span)
}

// word resolves a bare word; see the head of resolve.go.
func (f *Fn) word(e *lang.Word) *ir.Node {
	if n := f.KnownWord(e); n != nil {
		return n
	}
	f.Err(f.errWord(e))
	return f.Constant(value.None, e.Span)
}

// errWord reports a word that means nothing here.
func (f *Fn) errWord(e *lang.Word) *lang.Diagnostic {
	if at := f.W.Lets[e.Name]; f.SeesScript() && at.Src == e.Src && at.Start > e.Start {
		d := decl.ErrAt(e.Span, "SP0417", "%s is set only further down, in line %d", e.Name, at.Src.Position(int(at.Start)).Line)
		d.Help = "move that line above this one"
		return d
	}
	if f.Probing {
		return decl.ErrName(e.Span, e.Name, nil) // to look for the nearest word takes long
	}
	return decl.ErrName(e.Span, e.Name, f.Known())
}

// setBelow says whether a word in a script is a variable that is set only further down.
func (f *Fn) setBelow(e *lang.Word) bool {
	at := f.W.Lets[e.Name]
	return f.Script && at.Src == e.Src && at.Start > e.Start
}

// KnownWord resolves a word that names something, nil if it names nothing.
func (f *Fn) KnownWord(e *lang.Word) *ir.Node {
	if v, ok := Special(e.Name); ok {
		return f.Constant(v, e.Span)
	}
	if l := f.Lookup(e.Name); l != nil {
		return f.localNode(l, e.Span)
	}
	if n := f.selfWord(e.Name, e.Span); n != nil {
		return n
	}
	if f.fixed {
		if l := f.Coll.Fixed[e.Name]; l != nil && l.Start < e.Start {
			return f.Expr(l.Value)
		}
	}
	if c, ok := f.W.Cells[e.Name]; ok && f.SeesScript() {
		f.W.Refers(e.Span, f.W.Lets[e.Name])
		n := f.Mk(ir.NCell, e.Span)
		n.A = c
		return n
	}
	if o := f.W.OptionNamed[e.Name]; o != nil {
		f.W.Refers(e.Span, o.At)
		n := f.Constant(o.Value, e.Span)
		n.Info = o
		return n
	}
	if r := f.W.Rules[e.Name]; r != nil && Required(r) == 0 {
		f.W.Refers(e.Span, r.At)
		return f.CallRule(r, nil, e.Span)
	}
	if f.W.Symbols[e.Name] && !f.setBelow(e) {
		f.W.RefersToSymbol(e.Name, e.Span)
		return f.Constant(f.W.Heap.OfSymbol(e.Name), e.Span)
	}
	if f.Script {
		if _, ok := f.W.LastKeys[e.Name]; ok {
			f.W.RefersTo("value of the last outcome", e.Name, e.Span)
			n := f.Mk(ir.NCell, e.Span)
			n.A = f.W.Kept(e.Name)
			f.W.Ask(e.Name)
			return n
		}
		if g := f.W.Groups[e.Name]; g != nil {
			f.W.Refers(e.Span, g[0].At)
			return f.Constant(f.group(g), e.Span)
		}
	}
	return nil
}

// localNode gives the value of a variable of the rule.
func (f *Fn) localNode(l *Local, at lang.Span) *ir.Node {
	f.W.Refers(at, l.At)
	if l.Value != nil {
		return l.Value()
	}
	n := f.Mk(ir.NLocal, at)
	n.A = l.Reg
	return n
}

// SeesScript says whether the variables of the script are known here: in the
// script itself and what it declares, not in modules, whose words would change
// their meaning with it.
func (f *Fn) SeesScript() bool { return f.Script || f.Module == nil || f.Module.Script }

// Required counts the values that a rule must be given.
func Required(r *decl.Rule) int {
	n := 0
	for _, p := range r.Params {
		if p.Default == nil {
			n++
		}
	}
	return n
}

// selfWord resolves a word against the sheet the text is about.
func (f *Fn) selfWord(name string, at lang.Span) *ir.Node {
	for i := len(f.Selves) - 1; i >= 0; i-- {
		s := &f.Selves[i]
		obj := f.SelfNode(s, at)
		if name == "self" {
			return obj
		}
		if s.Sheet != nil && name == "owner" && s.Sheet.ByName["owner"] == nil {
			n := f.Mk(ir.NBuiltin, at, obj)
			n.A = code.BuiltinIndex("owner")
			return n
		}
		if fd := f.fieldOfSelf(s, name); fd >= 0 {
			f.refersToFieldOfSelf(s, name, at)
			n := f.Mk(ir.NField, at, obj)
			n.A = fd
			return n
		}
		if r := f.W.Rules[name]; r != nil && r.Self && Required(r) == 1 && s.Sheet != nil {
			f.W.Refers(at, r.At)
			return f.CallRule(r, []*ir.Node{obj}, at)
		}
		if s.Sheet == nil {
			if r := f.W.Rules[name]; r != nil && r.Self && Required(r) == 1 && f.Rule == nil {
				f.W.Refers(at, r.At)
				return f.CallRule(r, []*ir.Node{obj}, at)
			}
		}
	}
	return nil
}

// SelfNode gives the sheet whose fields can be read bare.
func (f *Fn) SelfNode(s *Self, at lang.Span) *ir.Node {
	if s.expr != nil {
		return s.expr
	}
	if s.Ent != nil {
		return ConstRef(s.Ent, at)
	}
	n := f.Mk(ir.NLocal, at)
	n.A = s.At
	return n
}

// fieldOfSelf gives the symbol of a field that s has; where its sheet is not
// known, only conditions and tactics may read any field.
func (f *Fn) fieldOfSelf(s *Self, name string) int {
	if s.Sheet != nil {
		if fd := s.Sheet.ByName[name]; fd != nil {
			return fd.Sym
		}
		return -1
	}
	if f.Rule != nil {
		return -1
	}
	if len(f.W.FieldOf[name]) == 0 {
		return -1
	}
	if s.Kinds != nil && !slices.ContainsFunc(s.Kinds, func(k *decl.Sheet) bool { return k.ByName[name] != nil }) {
		return -1
	}
	return f.W.FieldSyms[name]
}

func (f *Fn) selfField(name string) (*ir.Node, int) {
	for i := len(f.Selves) - 1; i >= 0; i-- {
		s := &f.Selves[i]
		if fd := f.fieldOfSelf(s, name); fd >= 0 {
			return f.SelfNode(s, lang.Span{}), fd
		}
	}
	return nil, -1
}

// Known lists what a bare word could have meant.
func (f *Fn) Known() []string {
	var names []string
	for _, l := range f.Names {
		names = append(names, l.Name)
	}
	for _, s := range f.Selves {
		if s.Sheet != nil {
			for _, fd := range s.Sheet.Fields {
				names = append(names, fd.Name)
			}
		}
	}
	names = append(names, decl.KeysOf(f.W.Cells)...)
	names = append(names, f.W.OptionNames()...)
	names = append(names, decl.RuleNames(f.W)...)
	names = append(names, decl.KeysOf(f.W.Symbols)...)
	if f.Script {
		names = append(names, decl.KeysOf(f.W.LastKeys)...)
	}
	slices.Sort(names)
	return names
}

func (f *Fn) group(g []*decl.Entity) ir.V {
	refs := make([]ir.V, len(g))
	for i, e := range g {
		refs[i] = e.Ref()
	}
	return f.W.Heap.OfList(refs)
}

// name resolves a Capitalised word: an instance or a group of them.
func (f *Fn) name(e *lang.Name) *ir.Node {
	if n := f.Named(decl.Display(e.Name), e.Span); n != nil {
		return n
	}
	if !f.Coll.IsUndeclared(decl.Display(e.Name)) {
		f.Err(decl.ErrName(e.Span, e.Name, f.W.InstanceNames()))
	}
	return f.Constant(value.None, e.Span)
}

// Named resolves the name of somebody or of a group, nil if nobody has it.
func (f *Fn) Named(name string, at lang.Span) *ir.Node {
	if ent := f.W.Entities[name]; ent != nil {
		f.W.Refers(at, ent.At)
		return ConstRef(ent, at)
	}
	if g := f.W.Groups[name]; g != nil {
		f.W.Refers(at, g[0].At)
		return f.Constant(f.group(g), at)
	}
	return nil
}

// caps resolves a bare ALL_CAPS word: a part of the sheet the text is about.
func (f *Fn) caps(e *lang.Caps) *ir.Node {
	for i := len(f.Selves) - 1; i >= 0; i-- {
		s := &f.Selves[i]
		if s.Ent != nil {
			if p := s.Ent.Part(e.Name); p != nil {
				return ConstRef(p, e.Span)
			}
			continue
		}
		return f.PartOf(f.SelfNode(s, e.Span), e.Name, e.Span)
	}
	if n := f.Named(e.Name, e.Span); n != nil {
		return n
	}
	f.Err(decl.ErrAt(e.Span, "SP0418", "whose %s? write  Name.%s", e.Name, e.Name))
	return f.Constant(value.None, e.Span)
}

func (f *Fn) binary(e *lang.Binary) *ir.Node {
	x, y := f.sides(e)
	switch e.Op {
	case "==", "!=":
		x, y = cmp.Or(f.mapOfField(e.Y, e.X), f.namedBeside(e.X, x, y)), cmp.Or(f.mapOfField(e.X, e.Y), f.namedBeside(e.Y, y, x))
	case "in":
		if l, ok := e.Y.(*lang.List); ok && f.isText(x) {
			y = f.list(l, f.Expr)
		}
		x = f.namedBeside(e.X, x, y)
	}
	switch e.Op {
	case "and":
		return ir.Fold(&f.W.Unit, f.Mk(ir.NAnd, e.Span, x, y))
	case "or":
		return ir.Fold(&f.W.Unit, f.Mk(ir.NOr, e.Span, x, y))
	}
	n := f.Mk(ir.NBin, e.Span, x, y)
	n.A = int(binOps[e.Op])
	if watchOf(f.W).Bodies != nil && x.Op == ir.NConst && y.Op == ir.NConst {
		f.folded = append(f.folded, n)
	}
	return ir.Fold(&f.W.Unit, n)
}

func (f *Fn) comp(e *lang.Comp) *ir.Node {
	n := f.Mk(ir.NComp, e.Span, f.listed(e.In), nil, nil)
	n.Info = e.Kind
	depth := len(f.Names)
	n.A = f.DeclareAt(e.Var)
	n.B = f.Hidden(4)
	if e.Where != nil {
		n.Kids[1] = f.Expr(e.Where)
	}
	if e.Yield != nil {
		if e.Kind == "sum" || e == f.amounting {
			n.Kids[2] = f.amount(e.Yield)
		} else {
			n.Kids[2] = f.Expr(e.Yield)
		}
	}
	f.Names = f.Names[:depth]
	return n
}

// listed resolves what is gone through: of a word such as heroes those whom a rule lists.
func (f *Fn) listed(in lang.Expr) *ir.Node {
	r := f.nounIn(in)
	if r == nil {
		return f.Expr(in)
	}
	at := in.Range()
	f.W.RefersToSomebody(r.Name, r, at)
	self := f.selfWord("self", at)
	if self == nil {
		self = f.Constant(value.None, at)
	}
	return f.CallRule(r, []*ir.Node{self}, at)
}

// nounIn gives the rule that lists what a word alone stands for, nil where it is something else.
func (f *Fn) nounIn(in lang.Expr) *decl.Rule {
	w, ok := in.(*lang.Word)
	if !ok || f.Lookup(w.Name) != nil || f.LookupCell(w) != nil {
		return nil
	}
	return f.Noun(w.Name)
}

// sheetNamed finds a sheet or clause set that records can be made of.
func (f *Fn) sheetNamed(id lang.Ident) *decl.Sheet {
	if sh := f.W.Sheets[id.Name]; sh != nil {
		f.W.Refers(id.Span, sh.At)
		return sh
	}
	if set := f.W.Sets[id.Name]; set != nil {
		return f.W.SetSheet(set)
	}
	f.Err(decl.ErrUnknown("sheet", id, decl.SheetNames(f.W)))
	return nil
}

func (f *Fn) newRecord(e *lang.New) *ir.Node {
	sh := f.sheetNamed(e.Sheet)
	if sh == nil {
		return f.Constant(value.None, e.Span)
	}
	n := f.Mk(ir.NNew, e.Span)
	n.A = sh.Typ.ID
	n.B = f.Hidden(1)
	done := map[string]bool{}
	rec := f.Mk(ir.NLocal, e.Span)
	rec.A = n.B
	sets := &ir.NewInfo{}
	for _, x := range e.Fields {
		at, header := -1, 0
		switch fd := sh.ByName[x.Name.Name]; {
		case fd != nil:
			at = fd.Sym
			f.W.RefersToField(sh, fd.Name, x.Name.Span)
		case x.Name.Name == "name":
			header = code.AtName
		case x.Name.Name == "owner":
			header = code.AtOwner
		case x.Name.Name == "features":
			header = code.AtFeatures
		default:
			d := decl.ErrAt(x.Name.Span, "SP0419", "%s has no %s", decl.AOrAn(sh.Name), x.Name.Name)
			var names []string
			for _, fd := range sh.Fields {
				names = append(names, fd.Name)
			}
			decl.Suggest(d, x.Name.Name, names)
			f.Err(d)
			continue
		}
		if done[x.Name.Name] {
			f.Err(decl.ErrTwice(x.Name.Name, x.Name.Span, lang.Span{}))
		}
		done[x.Name.Name] = true
		n.Kids = append(n.Kids, f.Expr(x.Value))
		sets.Syms = append(sets.Syms, at)
		sets.Headers = append(sets.Headers, header)
	}
	for _, fd := range sh.Fields {
		if mf := &sh.Typ.Fields[fd.Index]; !mf.Const && !done[fd.Name] && fd.Def != nil {
			f.Selves = append(f.Selves, Self{At: n.B, Sheet: sh})
			n.Kids = append(n.Kids, f.Expr(fd.Def))
			f.Selves = f.Selves[:len(f.Selves)-1]
			sets.Syms = append(sets.Syms, fd.Sym)
			sets.Headers = append(sets.Headers, 0)
		}
	}
	n.Info = sets
	return n
}

// ---- calls and paths ----------------------------------------------------

func (f *Fn) args(es []lang.Expr) []*ir.Node {
	ns := make([]*ir.Node, len(es))
	for i, e := range es {
		ns[i] = f.Expr(e)
	}
	return ns
}

// argsTo gives the arguments of a call. What is(KIND) and instances(KIND) are given is the
// name of a sheet, even where the sheet in sight has a property of that name.
func (f *Fn) argsTo(name string, es []lang.Expr) []*ir.Node {
	ns := f.amounts(name, es)
	last := len(es) - 1
	if name == "only" && last > 0 {
		last = 1
	} else if name != "is" && name != "instances" || last < 0 {
		return ns
	}
	if w, ok := es[last].(*lang.Word); ok && f.W.Sheets[w.Name] != nil && f.Lookup(w.Name) == nil {
		f.W.Refers(w.Span, f.W.Sheets[w.Name].At)
		ns[last] = f.Constant(f.W.Heap.OfSymbol(w.Name), w.Span)
	}
	return ns
}

func (f *Fn) call(e *lang.Call) *ir.Node {
	if fn, ok := e.Fn.(*lang.Dot); ok {
		return f.callDot(fn, e)
	}
	return f.callWord(e.Fn.(*lang.Word), e)
}

func (f *Fn) callWord(fn *lang.Word, e *lang.Call) *ir.Node {
	if l := f.Lookup(fn.Name); l != nil {
		v := f.localNode(l, fn.Span)
		return f.Mk(ir.NCallV, e.Span, append([]*ir.Node{v}, f.args(e.Args)...)...)
	}
	if fn.Name == "checks" && len(e.Args) == 1 {
		return f.checksOf(e)
	}
	if r := f.W.Rules[fn.Name]; r != nil {
		f.W.Refers(fn.Span, r.At)
		return f.CallRule(r, f.valuesOf(e.Args), e.Span)
	}
	if b := code.BuiltinIndex(fn.Name); b >= 0 {
		return f.Builtin(b, f.argsTo(fn.Name, e.Args), e.Span)
	}
	if n := f.selfWord(fn.Name, fn.Span); n != nil {
		return f.Mk(ir.NCallV, e.Span, append([]*ir.Node{n}, f.args(e.Args)...)...)
	}
	d := decl.ErrAt(fn.Span, "SP0421", "there is no rule %s", fn.Name)
	if f.Probing {
		f.Err(d) // to look for the nearest rule takes long
		return f.Constant(value.None, e.Span)
	}
	if fn.Name == "odds" {
		d := decl.ErrAt(fn.Span, "SP0422", "odds(…) works only in an expect directly inside a test block")
		d.Help = "write it in a test, after the closing brace of a scene"
		f.Err(d)
		return f.Constant(value.None, e.Span)
	}
	names := decl.RuleNames(f.W)
	for _, b := range code.Functions {
		names = append(names, b.Name)
	}
	if decl.Suggest(d, fn.Name, names); len(e.Args) == 1 && code.Elsewhere[fn.Name] == "size" {
		d.Help = "write  " + decl.Text(e.Args[0].Range()) + ".size"
	} else {
		suggestUsual(d, fn.Name)
	}
	f.Err(d)
	return f.Constant(value.None, e.Span)
}

// checksOf lists the checks that fit an instance, as rules.
func (f *Fn) checksOf(e *lang.Call) *ir.Node {
	var l []*ir.Node
	x := f.Expr(e.Args[0])
	for _, k := range f.W.Checks {
		if o := f.EntityOf(x); o != nil && o.Sheet.Is(k.Sheet.Name) {
			f.W.Refers(e.Span, k.At)
		}
		is := f.Mk(ir.NBuiltin, e.Span, x, f.Constant(f.W.Heap.OfSymbol(k.Sheet.Name), e.Span))
		is.A = code.BuiltinIndex("is")
		one := f.Mk(ir.NList, e.Span, f.Constant(value.OfRule(k.Slot), e.Span))
		c := f.Mk(ir.NCond, e.Span, is, one, f.Mk(ir.NList, e.Span))
		if len(l) == 0 {
			l = append(l, c)
			continue
		}
		sum := f.Mk(ir.NBin, e.Span, l[0], c)
		sum.A = int(code.Add)
		l[0] = sum
	}
	if len(l) == 0 {
		return f.Constant(value.EmptyList, e.Span)
	}
	return l[0]
}

// CallRule calls a rule.
func (f *Fn) CallRule(r *decl.Rule, args []*ir.Node, at lang.Span) *ir.Node {
	if len(args) > len(r.Params) || len(args) < Required(r) {
		d := decl.ErrAt(at, "SP0423", "%s takes %s, not %d", r.Name, decl.Things(len(r.Params)), len(args))
		if len(r.Params) > 0 {
			names := make([]string, len(r.Params))
			for i, p := range r.Params {
				names[i] = p.Name.Name
			}
			d.Help = r.Name + "(" + strings.Join(names, ", ") + ")"
		}
		f.Err(d)
		return f.Constant(value.None, at)
	}
	n := f.Mk(ir.NCall, at, args...)
	n.A = r.Slot
	if f.defaults++; f.defaults > maxDefaults {
		f.Err(decl.ErrAt(at, "SP0424", "the default of %s asks for %s again", r.Name, r.Name))
		f.defaults--
		return f.Constant(value.None, at)
	}
	for _, p := range r.Params[len(args):] {
		n.Kids = append(n.Kids, f.Expr(p.Default))
	}
	f.defaults--
	return n
}

// maxDefaults bounds calls in the defaults of parameters of calls.
const maxDefaults = 20

// Builtin calls a function of the language.
func (f *Fn) Builtin(b int, args []*ir.Node, at lang.Span) *ir.Node {
	bi := code.Builtins[b]
	if len(args) < bi.Min || bi.Max >= 0 && len(args) > bi.Max {
		d := decl.ErrAt(at, "SP0425", "%s takes %s, not %d: %s", bi.Name, decl.Things(bi.Min), len(args), bi.Doc)
		if bi.Name == "count" && len(args) == 1 && args[0].At.Src != nil {
			d.Help = "how many there are is  " + decl.Text(args[0].At) + ".size"
		}
		f.Err(d)
		return f.Constant(value.None, at)
	}
	if bi.Name == code.Draw {
		return f.Mk(ir.NDraw, at, args...)
	}
	n := f.Mk(ir.NBuiltin, at, args...)
	n.A = b
	return n
}

// callDot is x.f(args): a rule or builtin about x, or a rule held in a field.
func (f *Fn) callDot(fn *lang.Dot, e *lang.Call) *ir.Node {
	if decl.IsWord(fn.X, "base") && f.Lookup("base") == nil {
		return f.callBase(fn, e)
	}
	x := f.subject(fn.X)
	name := fn.Name.Name
	args := append([]*ir.Node{x}, f.argsTo(name, e.Args)...)
	if r := f.W.Rules[name]; r != nil && len(args) >= Required(r) && len(args) <= len(r.Params) {
		f.W.Refers(fn.Name.Span, r.At)
		return f.CallRule(r, args, e.Span)
	}
	if b := code.BuiltinIndex(name); b >= 0 && (len(f.W.FieldOf[name]) == 0 || code.Builtins[b].Takes(len(args))) {
		return f.Builtin(b, args, e.Span)
	}
	if len(f.W.FieldOf[name]) > 0 {
		f.refersToFieldOf(x, name, fn.Name.Span)
		held := f.Mk(ir.NField, fn.Span, x)
		held.A = f.W.FieldSyms[name]
		return f.Mk(ir.NCallV, e.Span, append([]*ir.Node{held}, args[1:]...)...)
	}
	if b := code.BuiltinIndex(name); b >= 0 {
		return f.Builtin(b, args, e.Span)
	}
	if r := f.W.Rules[name]; r != nil {
		return f.CallRule(r, args, e.Span)
	}
	f.Err(f.errProperty(fn.Name))
	return f.Constant(value.None, e.Span)
}

// callBase is base.NAME(args): the rule that this one replaces.
func (f *Fn) callBase(fn *lang.Dot, e *lang.Call) *ir.Node {
	name := fn.Name.Name
	r := f.W.Rules[name]
	if f.Rule != nil && f.Rule.Name == name {
		r = f.Rule.Base
	} else if r != nil {
		r = r.Base
	}
	if r == nil {
		f.Err(f.errBase(fn.Name))
		return f.Constant(value.None, e.Span)
	}
	f.W.Refers(fn.Name.Span, r.At)
	return f.CallRule(r, f.args(e.Args), e.Span)
}

// errBase says that base.NAME means nothing, and what would.
func (f *Fn) errBase(id lang.Ident) *lang.Diagnostic {
	var replaced []string
	for n, r := range f.W.Rules {
		if r.Base != nil {
			replaced = append(replaced, n)
		}
	}
	slices.Sort(replaced)
	if f.W.Rules[id.Name] == nil {
		return decl.ErrUnknown("rule", id, replaced)
	}
	d := decl.ErrAt(id.Span, "SP0426", "%s replaces no rule, so there is no base.%s", id.Name, id.Name)
	if near, ok := lang.Nearest(id.Name, slices.DeleteFunc(decl.RuleNames(f.W), func(n string) bool { return n == id.Name })); ok {
		d.Help = "did you mean to replace " + near + "?"
	}
	return d
}

func (f *Fn) errProperty(id lang.Ident) *lang.Diagnostic {
	d := decl.ErrAt(id.Span, "SP0427", "nothing has %s", decl.AOrAn(id.Name))
	if suggestOut(f.W, d, id.Name) || suggestUsual(d, id.Name) {
		return d
	}
	names := slices.Concat(decl.KeysOf(f.W.FieldSyms), decl.RuleNames(f.W), decl.FeatureNames(f.W))
	for _, b := range code.Functions {
		names = append(names, b.Name)
	}
	decl.Suggest(d, id.Name, names)
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
func suggestOut(w *decl.World, d *lang.Diagnostic, name string) bool {
	if name != "out" {
		return false
	}
	for _, n := range decl.SheetNames(w) {
		if sh := w.Sheets[n]; sh.Out != nil {
			d.Help = "ask what " + n + " asks in  out when:  " + decl.Text(sh.Out.Range())
			return true
		}
	}
	return false
}

func (f *Fn) dot(e *lang.Dot) *ir.Node {
	if decl.IsWord(e.X, "last") && f.Lookup("last") == nil {
		return f.lastValue(e)
	}
	if decl.IsWord(e.X, "base") && f.Lookup("base") == nil && f.Rule != nil {
		return f.callBase(e, &lang.Call{Span: e.Span, Fn: e})
	}
	if n := f.ofSet(e); n != nil {
		return n
	}
	x := f.subject(e.X)
	name := e.Name.Name
	if c := name[0]; c >= 'A' && c <= 'Z' {
		return f.PartOf(x, name, e.Name.Span)
	}
	return f.property(x, e.Name, e.Span)
}

// ofSet is SET.NAME in a condition of a clause: what was given of a set, for which no
// record has to be made.
func (f *Fn) ofSet(e *lang.Dot) *ir.Node {
	w, ok := e.X.(*lang.Word)
	if !ok {
		return nil
	}
	l := f.Lookup(w.Name)
	if l == nil || l.Of == nil {
		return nil
	}
	return l.Of(e.Name.Name)
}

// subject resolves what stands before a dot; a text that names an instance is
// that instance.
func (f *Fn) subject(e lang.Expr) *ir.Node {
	if t, ok := e.(*lang.Text); ok {
		if n := f.Named(decl.Plain(t), t.Span); n != nil {
			return n
		}
	}
	return f.Expr(e)
}

func (f *Fn) lastValue(e *lang.Dot) *ir.Node {
	at, ok := f.W.LastKeys[e.Name.Name]
	if !ok {
		d := decl.ErrAt(e.Name.Span, "SP0428", "no outcome has a %s", e.Name.Name)
		decl.Suggest(d, e.Name.Name, decl.KeysOf(f.W.LastKeys))
		f.Err(d)
		return f.Constant(value.None, e.Span)
	}
	f.W.RefersTo("value of the last outcome", e.Name.Name, e.Name.Span)
	n := f.Mk(ir.NCell, e.Span)
	n.A = at
	return n
}

// property is x.name: a field where x has it, else a rule or builtin about x.
func (f *Fn) property(x *ir.Node, id lang.Ident, at lang.Span) *ir.Node {
	var other *ir.Node
	if r := f.W.Rules[id.Name]; r != nil && Required(r) <= 1 && len(r.Params) >= 1 {
		other = f.CallRule(r, []*ir.Node{x}, at)
	} else if b := code.BuiltinIndex(id.Name); b >= 0 && code.Builtins[b].Min == 1 {
		other = f.Builtin(b, []*ir.Node{x}, at)
	}
	asRule := func() {
		if r := f.W.Rules[id.Name]; r != nil {
			f.W.Refers(id.Span, r.At)
		}
	}
	if len(f.W.FieldOf[id.Name]) == 0 {
		if other == nil && f.W.Features[id.Name] != nil {
			return f.featureOf(x, f.W.Features[id.Name], id)
		}
		if other == nil {
			f.Err(f.errProperty(id))
			return f.Constant(value.None, at)
		}
		asRule()
		return other
	}
	n := f.Mk(ir.NField, at, x)
	n.A = f.W.FieldSyms[id.Name]
	if e := f.EntityOf(x); e != nil {
		if e.Sheet.ByName[id.Name] != nil {
			f.W.RefersToField(e.Sheet, id.Name, id.Span)
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
		n.Op = ir.NFieldOr
		n.Kids = append(n.Kids, other)
	} else {
		f.refersToFieldOf(x, id.Name, id.Span)
	}
	return n
}

// featureOf is x.NAME for a feature that x has: what it remembers is a field of it.
func (f *Fn) featureOf(x *ir.Node, feat *decl.Sheet, id lang.Ident) *ir.Node {
	if e := f.EntityOf(x); e != nil && !e.Sheet.Is(feat.On) {
		f.Err(decl.ErrAt(id.Span, "SP0429", "%s goes on a %s, and %s is a %s", id.Name, feat.On, e.Name, e.Sheet.Name))
		return f.Constant(value.None, id.Span)
	}
	f.W.Refers(id.Span, feat.At)
	n := f.Mk(ir.NBuiltin, id.Span, x, f.Constant(f.W.Heap.OfSymbol(id.Name), id.Span))
	n.A = code.BuiltinIndex("feature")
	need := f.Mk(ir.NNeed, id.Span, n, x)
	need.Info = id.Name
	return need
}

// EntityOf gives the instance that a node is known to be.
func (f *Fn) EntityOf(n *ir.Node) *decl.Entity {
	if n.Op == ir.NConst && n.V.Kind() == value.Ref {
		return f.W.ByOff[n.V.Off()]
	}
	return nil
}

// PartOf is the part of x with that name.
func (f *Fn) PartOf(x *ir.Node, name string, at lang.Span) *ir.Node {
	if e := f.EntityOf(x); e != nil {
		if p := e.Part(name); p != nil {
			return ConstRef(p, at)
		}
		if !OtherPart(f.W, name) {
			sh := e.Sheet
			if fd := e.Sheet.CapsField(); fd != nil && f.W.Sheets[fd.Sheet] != nil {
				sh = f.W.Sheets[fd.Sheet]
			}
			f.Err(decl.ErrPart(f.W, e, sh, name, at))
			return f.Constant(value.None, at)
		}
	}
	text := f.Constant(f.W.Heap.OfText(name), at)
	n := f.OwnPart(x, text, at)
	if r := f.W.Rules["other_part"]; r != nil {
		n = f.Mk(ir.NElse, at, n, f.CallRule(r, []*ir.Node{x, text}, at))
	}
	need := f.Mk(ir.NNeed, at, n, x)
	need.Info = name
	return need
}

// OwnPart is the part of x, whoever that is, with that name, or none: as decl.Entity.Part finds it.
func (f *Fn) OwnPart(x, name *ir.Node, at lang.Span) *ir.Node {
	n := f.Mk(ir.NBuiltin, at, x, name, f.Constant(value.Yes, at))
	n.A = code.BuiltinIndex("part")
	return n
}

// OtherPart says whether the rule other_part may find a part of that name: some
// other instance has one, one belongs to nobody, or a sheet says the name in a
// text.
func OtherPart(w *decl.World, name string) bool {
	if w.Rules["other_part"] == nil {
		return false
	}
	for _, e := range w.Order {
		if (e.Owner != nil || w.IsPart(e.Sheet.Name)) && code.SameName(e.Name, name) {
			return true
		}
	}
	text := w.Heap.OfText(name)
	for _, v := range w.Initial {
		if v == text {
			return true
		}
	}
	return false
}

// mapLiteral is {KEY: VALUE, …}. A bare word is itself, and so is one in capitals. In a
// field a bare word that the rules do not know is a text, as it is where a command takes a
// word:  stress {physical: d8}  holds what  recover stress physical  looks for. In a map of things, each with its
// die, a name in quotes is a word, too.
func (f *Fn) mapLiteral(e *lang.Map, field, things bool) *ir.Node {
	n := f.Mk(ir.NBuiltin, e.Span)
	n.A = code.BuiltinIndex("map")
	seen := map[ir.V]bool{}
	known, all := true, f.W.Heap.OfMap(nil)
	for i, x := range e.Keys {
		var k *ir.Node
		switch x := x.(type) {
		case *lang.Word:
			k = f.Constant(f.W.Heap.OfSymbol(x.Name), x.Span)
			if field && !f.W.Symbols[x.Name] {
				k = f.Constant(f.W.Heap.OfText(x.Name), x.Span)
			}
		case *lang.Caps:
			k = f.Constant(f.W.Heap.OfText(x.Name), x.Span)
		case *lang.Name:
			if k = f.Constant(f.W.Heap.OfText(decl.Display(x.Name)), x.Span); f.W.Entities[decl.Display(x.Name)] != nil {
				k = f.Expr(x)
			}
		default:
			if k = f.Expr(x); things && f.Module != nil && f.Module.Script && k.Op == ir.NConst && k.V.Kind() == value.Text {
				k.V = f.W.Heap.OfText(decl.AsWord(f.W.Heap.TextOf(k.V)))
			}
		}
		f.Keyed(k)
		if k.Op == ir.NConst {
			if seen[k.V] {
				f.Err(decl.ErrAt(x.Range(), "SP0430", "the map has the key %s twice", decl.Text(x.Range())))
			}
			seen[k.V] = true
		}
		v := f.valueOf(e.Values[i])
		if known = known && k.Op == ir.NConst && v.Op == ir.NConst; known {
			all = f.W.Heap.Put(all, k.V, v.V)
		}
		n = f.Mk(ir.NBuiltin, e.Span, n, k, v)
		n.A = code.BuiltinIndex("put")
	}
	if known {
		return f.Constant(all, e.Span)
	}
	return ir.Fold(&f.W.Unit, n)
}
