package compile

import (
	"setpiece/interp/internal/code"
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
func (f *fn) ahead(e lang.Expr) *node {
	out := f.mk(nList, e.Range())
	local := func(e lang.Expr) (*node, bool) {
		w, ok := e.(*lang.Word)
		if !ok {
			return nil, false
		}
		if l := f.lookup(w.Name); l != nil && l.value == nil {
			return f.localNode(l, w.Span), true
		}
		return nil, false
	}
	if call, ok := e.(*lang.Call); ok {
		word, ok := call.Fn.(*lang.Word)
		if !ok || f.lookup(word.Name) != nil {
			return nil
		}
		r := f.w.rules[word.Name]
		if r == nil || r.value == nil || len(r.params) != len(call.Args) {
			return nil
		}
		params := map[string]*node{}
		for i, p := range r.params {
			if params[p.Name.Name], ok = local(call.Args[i]); !ok {
				return nil
			}
		}
		e, local = r.value, func(e lang.Expr) (*node, bool) {
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
func (f *fn) harmless(e lang.Expr, must *node, local func(lang.Expr) (*node, bool)) bool {
	switch e := e.(type) {
	case *lang.Word:
		_, ok := local(e)
		return ok || e.Name == "none"
	case *lang.Name:
		return true
	case *lang.Dot:
		of, ok := local(e.X)
		sym, is := f.w.fieldSyms[e.Name.Name]
		if !ok || !is || f.w.rules[e.Name.Name] != nil {
			return false
		}
		n := f.mk(nField, e.Span, of)
		n.a = sym
		must.kids = append(must.kids, n)
		return true
	case *lang.Cond:
		c, ok := e.C.(*lang.Binary)
		return ok && (c.Op == "==" || c.Op == "!=") && f.harmless(c.X, must, local) && f.harmless(c.Y, must, local) &&
			f.harmless(e.A, must, local) && f.harmless(e.B, must, local)
	}
	return false
}

// undecided leaves an offer where whoever it is made to decides nothing. The jump is taken then.
func (g *gen) undecided(n, to *node, ai int, must []*node) int {
	var plain []int
	for _, x := range must {
		plain = append(plain, g.emit(n, code.JmpLacks, x.kids[0].a, x.a, 0))
	}
	who := g.temp()
	g.expr(to, who)
	left := g.emit(n, code.JmpUndecided, who, ai, 0)
	g.land(plain...)
	return left
}
