package resolve

import (
	"setpiece/interp/internal/ir"
	"setpiece/lang"
)

// An offer is made to somebody where its condition holds. Where nobody is asked and the tactics of that
// person have no answer to it, it is declined, whatever the condition says: so it is worth knowing first
// to whom it is made. But the condition may be what makes sure that this can be said:
//
//	offer help to h.friend.guard "…" when h.friend != none
//
// So only an expression that cannot go wrong is worked out ahead: a word, a field of a variable, or a rule
// that compares such fields. That the variables have these fields is looked at then.

// ahead gives the fields that variables must have for an expression to be worked out where its value may not
// be needed, as the parts of a node, nil where that cannot be said.
func (f *Fn) ahead(e lang.Expr) *ir.Node {
	out := f.Mk(ir.NList, e.Range())
	local := func(e lang.Expr) (*ir.Node, bool) {
		w, ok := e.(*lang.Word)
		if !ok {
			return nil, false
		}
		if l := f.Lookup(w.Name); l != nil && l.Value == nil {
			return f.localNode(l, w.Span), true
		}
		return nil, false
	}
	if call, ok := e.(*lang.Call); ok {
		word, ok := call.Fn.(*lang.Word)
		if !ok || f.Lookup(word.Name) != nil {
			return nil
		}
		r := f.W.Rules[word.Name]
		if r == nil || r.Value == nil || len(r.Params) != len(call.Args) {
			return nil
		}
		params := map[string]*ir.Node{}
		for i, p := range r.Params {
			if params[p.Name.Name], ok = local(call.Args[i]); !ok {
				return nil
			}
		}
		e, local = r.Value, func(e lang.Expr) (*ir.Node, bool) {
			w, ok := e.(*lang.Word)
			if !ok {
				return nil, false
			}
			n := params[w.Name]
			return n, n != nil
		}
	}
	if !f.harmless(e, out, local) {
		return nil
	}
	return out
}

// harmless says whether an expression cannot go wrong where variables have fields, which are added to those
// that they must have.
func (f *Fn) harmless(e lang.Expr, must *ir.Node, local func(lang.Expr) (*ir.Node, bool)) bool {
	switch e := e.(type) {
	case *lang.Word:
		_, ok := local(e)
		return ok || e.Name == "none"
	case *lang.Name:
		return true
	case *lang.Dot:
		of, ok := local(e.X)
		sym, is := f.W.FieldSyms[e.Name.Name]
		if !ok || !is || f.W.Rules[e.Name.Name] != nil {
			return false
		}
		n := f.Mk(ir.NField, e.Span, of)
		n.A = sym
		must.Kids = append(must.Kids, n)
		return true
	case *lang.Cond:
		c, ok := e.C.(*lang.Binary)
		return ok && (c.Op == "==" || c.Op == "!=") && f.harmless(c.X, must, local) && f.harmless(c.Y, must, local) &&
			f.harmless(e.A, must, local) && f.harmless(e.B, must, local)
	}
	return false
}
