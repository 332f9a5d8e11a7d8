package resolve

import (
	"slices"

	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// In a script, a text in quotes that is the name of somebody who is declared is that
// somebody, wherever a value may stand:  for c in [Ember, "Doctor Anvil"] { … }.  Names of
// two words can only be written in quotes, and they would otherwise be of another kind than
// names of one word. A text it stays beside something that is a text: c.name == "Ember".
// Rules of modules know no names, so nothing changes for them.

// somebody gives whom a text in quotes names, nil for any other expression.
func (f *Fn) somebody(e lang.Expr) *ir.Node {
	t, ok := e.(*lang.Text)
	if !ok || !f.SeesScript() || len(t.Parts) != 1 {
		return nil
	}
	if _, ok := t.Parts[0].(*lang.Lit); !ok {
		return nil
	}
	return f.Named(decl.Plain(t), t.Span)
}

// valueOf resolves an expression in a place for any value.
func (f *Fn) valueOf(e lang.Expr) *ir.Node {
	if n := f.somebody(e); n != nil {
		return n
	}
	return f.Expr(e)
}

func (f *Fn) valuesOf(es []lang.Expr) []*ir.Node {
	ns := make([]*ir.Node, len(es))
	for i, e := range es {
		ns[i] = f.valueOf(e)
	}
	return ns
}

// namedBeside gives an operand of a comparison, which e was resolved to: a quoted name is
// somebody unless the other operand is a text.
func (f *Fn) namedBeside(e lang.Expr, n, other *ir.Node) *ir.Node {
	if l, ok := e.(*lang.List); ok && f.SeesScript() && f.hasTexts(other) {
		return f.list(l, f.Expr)
	}
	who := f.somebody(e)
	if who == nil || f.isText(other) || f.hasTexts(other) {
		return n
	}
	return who
}

// list resolves a list, each element by elem.
func (f *Fn) list(e *lang.List, elem func(lang.Expr) *ir.Node) *ir.Node {
	n := f.Mk(ir.NList, e.Span)
	for _, x := range e.Elems {
		n.Kids = append(n.Kids, elem(x))
	}
	return ir.Fold(&f.W.Unit, n)
}

// hasTexts says whether an expression is known to be a list with texts in it.
func (f *Fn) hasTexts(n *ir.Node) bool {
	switch {
	case n.Op == ir.NComp && n.Info == "list":
		return f.isText(n.Kids[2])
	case n.Op == ir.NList:
		return slices.ContainsFunc(n.Kids, f.isText)
	case n.Op == ir.NConst && n.V.Kind() == value.List:
		return slices.ContainsFunc(f.W.Heap.Elems(n.V), func(v ir.V) bool { return v.Kind() == value.Text })
	}
	return false
}

// isText says whether an expression is known to be a text at times.
func (f *Fn) isText(n *ir.Node) bool {
	in := NewInference(f.W)
	in.sheets = true
	if bodies := watchOf(f.W).Bodies; n.Op == ir.NCell && bodies != nil {
		for _, s := range assigned(*bodies) {
			in.Cells[s.cell] |= s.kinds(in)
		}
	}
	k := in.kinds(f, n)
	return k != ir.Anything && k&ir.IsText != 0
}

// key resolves what picks an entry. The maps of sheets have texts as keys, those of a
// script whatever it puts there.
func (f *Fn) key(ix *lang.Index) *ir.Node {
	if _, ok := ix.X.(*lang.Word); ok {
		return f.valueOf(ix.I)
	}
	return f.Expr(ix.I)
}

// mapOfField resolves a map that is written beside a field: a bare word in it means what it means on a
// sheet. It gives nil where one of them is something else.
func (f *Fn) mapOfField(field, e lang.Expr) *ir.Node {
	d, ok := field.(*lang.Dot)
	m, is := e.(*lang.Map)
	if !ok || !is {
		return nil
	}
	things := slices.ContainsFunc(f.W.FieldOf[d.Name.Name], func(sh *decl.Sheet) bool { fd := sh.ByName[d.Name.Name]; return fd != nil && fd.Typ.Of != nil })
	return f.mapLiteral(m, true, things)
}

// assignedValue resolves the value of an assignment. What goes into a field for a text
// stays one.
func (f *Fn) assignedValue(s *lang.Assign) *ir.Node {
	if pool(s.Value) != nil && (s.Op == "-=" || s.Op == "+=") {
		return f.beside(s.Value, s.Op, f.Expr(s.Target))
	}
	if m := f.mapOfField(s.Target, s.Value); m != nil {
		return m
	}
	if d, ok := s.Target.(*lang.Dot); ok {
		for _, sh := range f.W.FieldOf[d.Name.Name] {
			if fd := sh.ByName[d.Name.Name]; fd != nil && f.W.KindsOfField(fd) == ir.IsText {
				return f.Expr(s.Value)
			}
		}
	}
	return f.valueOf(s.Value)
}

// refersToFieldOf notes the field of a node: of the instance that it is known to be, or
// else where only one declaration is possible.
func (f *Fn) refersToFieldOf(x *ir.Node, name string, at lang.Span) {
	w := f.W
	if w.References == nil {
		return
	}
	if e := f.EntityOf(x); e != nil {
		w.RefersToField(e.Sheet, name, at)
		return
	}
	var only *decl.Sheet
	for _, sh := range w.FieldOf[name] {
		fd := sh.ByName[name]
		if sh.Record || fd == nil || fd.Decl == nil {
			continue
		}
		if only != nil && only.ByName[name].Decl.Span != fd.Decl.Span {
			return
		}
		only = sh
	}
	w.RefersToField(only, name, at)
}

// refersToFieldOfSelf notes the field of a sheet that a bare name is read from. Where the
// sheet is not known it is one of those that the name can be about.
func (f *Fn) refersToFieldOfSelf(s *Self, name string, at lang.Span) {
	switch {
	case f.W.References == nil:
	case s.Sheet != nil:
		f.W.RefersToField(s.Sheet, name, at)
	case len(s.Kinds) == 1:
		f.W.RefersToField(s.Kinds[0], name, at)
	default:
		f.refersToFieldOf(Nothing(at), name, at)
	}
}

// Everybody gives the names of all instances, as a script writes them.
func Everybody(w *decl.World) []string {
	names := decl.KeysOf(w.Entities)
	for i, n := range names {
		names[i] = decl.QuoteName(n)
	}
	return names
}

// ErrNoun says that a word after one that picks, such as beast in  any beast, stands for nobody:
// it is a sheet, and no rule lists those who are meant. nil for any other word.
func (f *Fn) ErrNoun(noun *lang.Word, pick string) *lang.Diagnostic {
	if f.W.Sheets[noun.Name] == nil {
		return nil
	}
	d := decl.ErrAt(noun.Span, "SP0321", "no rule says who can be meant by  %s %s", pick, noun.Name)
	d.Help = "write  rule " + noun.Name + "(self) = [x for x in instances(" + noun.Name + ")]  in the rules"
	return d
}

// LookupCell gives a variable of the script.
func (f *Fn) LookupCell(x *lang.Word) *ir.Node {
	if c, ok := f.W.Cells[x.Name]; ok && f.Script {
		n := f.Mk(ir.NCell, x.Span)
		n.A = c
		return n
	}
	return nil
}

// Noun is a rule that lists what a word such as foe stands for.
func (f *Fn) Noun(word string) *decl.Rule {
	if r := f.W.Rules[word]; r != nil && len(r.Params) == 1 && r.Self {
		return r
	}
	return nil
}
