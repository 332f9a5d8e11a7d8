package compile

import (
	"slices"

	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// In a script, a text in quotes that is the name of somebody who is declared is that
// somebody, wherever a value may stand:  for c in [Ember, "Doctor Anvil"] { … }.  Names of
// two words can only be written in quotes, and they would otherwise be of another kind than
// names of one word. A text it stays beside something that is a text: c.name == "Ember".
// Rules of modules know no names, so nothing changes for them.

// somebody gives whom a text in quotes names, nil for any other expression.
func (f *fn) somebody(e lang.Expr) *node {
	t, ok := e.(*lang.Text)
	if !ok || !f.seesScript() || len(t.Parts) != 1 {
		return nil
	}
	if _, ok := t.Parts[0].(*lang.Lit); !ok {
		return nil
	}
	return f.named(plain(t), t.Span)
}

// valueOf resolves an expression in a place for any value.
func (f *fn) valueOf(e lang.Expr) *node {
	if n := f.somebody(e); n != nil {
		return n
	}
	return f.expr(e)
}

func (f *fn) valuesOf(es []lang.Expr) []*node {
	ns := make([]*node, len(es))
	for i, e := range es {
		ns[i] = f.valueOf(e)
	}
	return ns
}

// namedBeside gives an operand of a comparison, which e was resolved to: a quoted name is
// somebody unless the other operand is a text.
func (f *fn) namedBeside(e lang.Expr, n, other *node) *node {
	if l, ok := e.(*lang.List); ok && f.seesScript() && f.hasTexts(other) {
		return f.list(l, f.expr)
	}
	who := f.somebody(e)
	if who == nil || f.isText(other) || f.hasTexts(other) {
		return n
	}
	return who
}

// list resolves a list, each element by elem.
func (f *fn) list(e *lang.List, elem func(lang.Expr) *node) *node {
	n := f.mk(nList, e.Span)
	for _, x := range e.Elems {
		n.kids = append(n.kids, elem(x))
	}
	return fold(&f.w.Unit, n)
}

// hasTexts says whether an expression is known to be a list with texts in it.
func (f *fn) hasTexts(n *node) bool {
	switch {
	case n.op == nComp && n.info == "list":
		return f.isText(n.kids[2])
	case n.op == nList:
		return slices.ContainsFunc(n.kids, f.isText)
	case n.op == nConst && n.v.Kind() == value.List:
		return slices.ContainsFunc(f.w.Heap.Elems(n.v), func(v V) bool { return v.Kind() == value.Text })
	}
	return false
}

// isText says whether an expression is known to be a text at times.
func (f *fn) isText(n *node) bool {
	in := &inference{of: f.w, rules: map[int]kinds{}, last: map[int]kinds{}, cells: map[int]kinds{}, locals: map[*fn]map[int]kinds{}, sheets: true}
	if bodies := watchOf(f.w).bodies; n.op == nCell && bodies != nil {
		for _, b := range *bodies {
			in.assigned(b.f, b.body, func(at int, k kinds) { in.cells[at] |= k })
		}
	}
	k := in.kinds(f, n)
	return k != anything && k&isText != 0
}

// key resolves what picks an entry. The maps of sheets have texts as keys, those of a
// script whatever it puts there.
func (f *fn) key(ix *lang.Index) *node {
	if _, ok := ix.X.(*lang.Word); ok {
		return f.valueOf(ix.I)
	}
	return f.expr(ix.I)
}

// assignedValue resolves the value of an assignment. What goes into a field for a text
// stays one.
func (f *fn) assignedValue(s *lang.Assign) *node {
	if d, ok := s.Target.(*lang.Dot); ok {
		if m, ok := s.Value.(*lang.Map); ok {
			return f.mapLiteral(m, true)
		}
		for _, sh := range f.w.fieldOf[d.Name.Name] {
			if fd := sh.byName[d.Name.Name]; fd != nil && f.w.kindsOfField(fd) == isText {
				return f.expr(s.Value)
			}
		}
	}
	return f.valueOf(s.Value)
}
