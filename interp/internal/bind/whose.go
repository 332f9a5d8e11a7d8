package bind

import (
	"cmp"
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Whose clause it is.
//
// After a clause that has clauses of its own, what can belong to it does so, comma or
// not: in  attack Pip with HORN against FAST, spend luck push  it is Pip who spends. Somebody
// who means the other side, who could say the same, is not refused, so there is a warning
// where that is likely: after a comma, in the run as well, and where a player's character
// would pay for the order of somebody who is none.

// nested is a clause that was given to the side of a clause around it, though a side
// further out could have had it as well.
type nested struct {
	clause   scoped
	outside  scoped
	at       lang.Span
	comma    bool
	in, from *scope
}

// noteNested remembers a clause that a command gives to scope s where one further out has it, too.
func (b *binder) noteNested(s int, cands []scoped, i, next int) {
	if !b.f.SeesScript() || b.f.Refusable > 0 {
		return
	}
	from, to := b.items[i].Range(), b.items[max(i, next-1)].Range()
	at := lang.Span{Src: from.Src, Start: from.Start, End: to.End}
	for _, sc := range b.Scopes[:s] {
		for _, o := range sc.Clauses {
			k := slices.IndexFunc(cands, func(c scoped) bool { return c.cl == o.cl && !ofWho(c.cl) })
			if k >= 0 {
				b.nested = append(b.nested, nested{cands[k], o, at, b.commas[i], b.Scopes[s], sc})
			}
		}
	}
}

// ofWho says whether what a clause names is somebody's own: then it says whose clause it is.
func ofWho(cl *lang.Clause) bool {
	found := false
	for _, p := range cl.Pattern {
		lang.Walk(p, func(n lang.Node) bool {
			s, ok := n.(*lang.PatSlot)
			found = found || ok && s.Type.Of != nil && s.Type.Of.Name == "who"
			return !found
		})
	}
	return found
}

// warnOfNested warns of the clauses that may be meant for the other side.
func (b *binder) warnOfNested() []*ir.Node {
	f := b.f
	var out []*ir.Node
	for _, x := range b.nested {
		given, env := x.in.Targets[0].Ctx.Follow(x.clause.Path), x.from.Targets[0].Ctx.Follow(x.outside.Path)
		theirs, mine := x.in.Targets[0].Actor, x.from.Targets[0].Actor
		if len(x.outside.Path) > 0 {
			env.Who = mine
		}
		if !given.given(x.clause.cl) || env.given(x.outside.cl) || theirs == mine || !b.couldCount(x.outside, env) {
			continue
		}
		them, me := f.EntityOf(theirs), f.EntityOf(mine)
		pays := decl.FirstWord(x.clause.cl) == decl.Spends && them != nil && them.Sheet.Players && me != nil && !me.Sheet.Players
		if !x.comma && !pays || them != nil && them == me {
			continue
		}
		after := wordOfClause(x.in.of)
		text := "this is for " + nameOr(them, "the other side") + ", because it stands after  " + after +
			": if " + nameOr(me, "whoever acts") + " is meant, write it before  " + after
		if !pays {
			text += ", else leave out the comma"
		}
		f.Doubts = append(f.Doubts, decl.WarnAt(x.at, "SP0122", "%s", text))
		if !x.comma {
			continue // it is the usual way to write it
		}
		warn := f.Mk(ir.NEvent, x.at, f.Constant(f.W.Heap.OfText(text), x.at))
		warn.Info = &ir.SayInfo{Kind: "warn", Stated: true}
		out = append(out, warn)
	}
	return out
}

func nameOr(e *decl.Entity, other string) string {
	if e == nil {
		return other
	}
	return e.Name
}

// couldCount says whether a clause could count there, as far as the text says.
func (b *binder) couldCount(c scoped, env *ctx) bool {
	g := &given{needs: c.needs, env: env}
	for _, n := range c.needs {
		switch {
		case n.Warns:
		case n.Cond == nil:
			if slices.ContainsFunc(n.Excludes, func(x lang.Ident) bool { return env.has(x.Name) }) {
				return false
			}
		case !mentionsOwn(n.Cond, c.cl):
			cond := b.inside(g, func() *ir.Node { return b.f.Expr(n.Cond) })
			if yes, ok := ir.Truth(b.withConstants(b.byKind(cond))); ok && !yes {
				return false
			}
		}
	}
	return true
}

// byKind puts in, for fields of instances that are yes or no by what their sheet declares
// for the whole kind, what that is: who.player.
func (b *binder) byKind(n *ir.Node) *ir.Node {
	if n.Op == ir.NField {
		if e := b.f.EntityOf(n.Kids[0]); e != nil {
			for _, fd := range e.Sheet.Fields {
				if mf := &e.Sheet.Typ.Fields[fd.Index]; fd.Sym == n.A && mf.Const && mf.Check == code.IsTruth {
					return b.f.Constant(cmp.Or(mf.Default, value.No), n.At)
				}
			}
		}
		return n
	}
	c := *n
	c.Kids = slices.Clone(n.Kids)
	for i, k := range n.Kids {
		if k != nil {
			c.Kids[i] = b.byKind(k)
		}
	}
	return ir.Fold(&b.f.W.Unit, &c)
}
