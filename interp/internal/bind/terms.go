package bind

import (
	"slices"
	"strings"

	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/resolve"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// A slot of the type terms takes a sum as the table writes it: traits of
// somebody, each perhaps with the rating it counts as, words, dice and other
// values, with + between them. Its value is a list with one pair a term: what
// was named, and the rating said with it. Dice are named by nothing; a name
// that is no part of the sheet needs a rating and stands for itself.

// termsOf splits a sum into its terms.
func termsOf(e lang.Expr) []lang.Expr {
	if x, ok := e.(*lang.Binary); ok && x.Op == "+" {
		return append(termsOf(x.X), termsOf(x.Y)...)
	}
	return []lang.Expr{e}
}

// fitsTerms says whether an item can be a sum of terms at all.
func (b *binder) fitsTerms(e lang.Expr) bool {
	return !slices.ContainsFunc(termsOf(e), func(x lang.Expr) bool {
		switch x := x.(type) {
		case *lang.Word:
			return !b.f.W.IsEntry(x.Name) && b.f.KnownWord(x) == nil
		case *lang.Caps, *lang.Name, *lang.Text, *lang.Rated, *lang.Dice, *lang.Paren, *lang.Call, *lang.Dot, *lang.Index:
			return false
		}
		return true
	})
}

// terms resolves a sum whose names are looked up on owner.
func (b *binder) terms(owner *ir.Node, e lang.Expr) (*ir.Node, *lang.Diagnostic) {
	list := b.f.Mk(ir.NList, e.Range())
	for _, x := range termsOf(e) {
		if d, ok := x.(*lang.Dice); ok {
			dice := []ir.V{b.f.Dice(d).V}
			if dice[0].Kind() == value.List {
				dice = b.f.W.Heap.Elems(dice[0])
			}
			for _, die := range dice {
				if why := b.misrated(die); why != "" && b.f.Refusable == 0 && ratedInDice(b.f.W) {
					return nil, decl.ErrAt(d.Span, "SP0328", "%s", why)
				}
				list.Kids = append(list.Kids, b.term(b.f.Constant(value.None, d.Span), b.f.Constant(die, d.Span), d.Span))
			}
			continue
		}
		what, rating, d := b.termOf(owner, x)
		if d != nil {
			return nil, d
		}
		list.Kids = append(list.Kids, b.term(what, rating, x.Range()))
	}
	return ir.Fold(&b.f.W.Unit, list), nil
}

func (b *binder) term(what, rating *ir.Node, at lang.Span) *ir.Node {
	return ir.Fold(&b.f.W.Unit, b.f.Mk(ir.NList, at, what, rating))
}

func (b *binder) termOf(owner *ir.Node, e lang.Expr) (what, rating *ir.Node, d *lang.Diagnostic) {
	f, at := b.f, e.Range()
	none := f.Constant(value.None, at)
	switch x := e.(type) {
	case *lang.Word:
		if f.Lookup(x.Name) != nil || !f.W.IsEntry(x.Name) {
			return f.Expr(x), none, nil
		}
		what, d = b.namedTerm(owner, x.Name, nil, at)
		return what, none, d
	case *lang.Rated:
		what, d = b.namedTerm(owner, decl.NameOf(x.X), x.Rating, x.X.Range())
		if d == nil {
			d = b.ratedTerm(what, x.X.Range(), x.Rating)
		}
		if d == nil && f.Refusable == 0 && decl.IsNumeral(x.Rating) && what.Op == ir.NConst && what.V.Kind() == value.Ref {
			d = b.checkRating(f.W.ByOff[what.V.Off()], x.Rating)
		}
		return what, f.Expr(x.Rating), d
	case *lang.Caps, *lang.Text, *lang.Name:
		what, d = b.namedTerm(owner, decl.NameOf(x), nil, at)
		return what, none, d
	}
	return f.Expr(e), none, nil
}

// byName lists the clauses in which a name stands behind two words that say what it is, as in  use asset COVER.
func (b *binder) byName(name string) (ways []string) {
	word := decl.AsWord(name)
	if !decl.IsName(word) {
		word = decl.QuoteName(name)
	}
	for _, sc := range b.Scopes {
		for _, c := range sc.Clauses {
			if len(c.cl.Pattern) != 3 {
				continue
			}
			first, ok := c.cl.Pattern[0].(*lang.PatWord)
			second, and := c.cl.Pattern[1].(*lang.PatWord)
			if slot, last := c.cl.Pattern[2].(*lang.PatSlot); ok && and && last && slot.Type.Name.Name == "word" {
				ways = merged(ways, []string{first.Word + " " + second.Word + " " + word})
			}
		}
	}
	return ways
}

// namedTerm gives the part of owner that has a name; without one the name, if
// a rating was said with it.
func (b *binder) namedTerm(owner *ir.Node, name string, rating lang.Expr, at lang.Span) (*ir.Node, *lang.Diagnostic) {
	f := b.f
	itself := f.Constant(f.W.Heap.OfText(name), at)
	own := f.EntityOf(owner)
	switch {
	case own == nil && owner.Op == ir.NConst && owner.V == value.None:
		return itself, nil
	case own == nil && rating == nil:
		return f.PartOf(owner, name, at), nil
	case own == nil:
		return f.Mk(ir.NElse, at, f.OwnPart(owner, itself, at), itself), nil
	}
	if p := own.Part(name); p != nil && !(p.Adhoc && rating != nil) {
		return resolve.ConstRef(p, at), nil
	}
	fd := own.Sheet.CapsField()
	if fd == nil || f.W.Sheets[fd.Sheet] == nil {
		return itself, nil
	}
	sh := f.W.Sheets[fd.Sheet]
	if rating == nil && resolve.OtherPart(f.W, name) {
		return f.PartOf(owner, name, at), nil
	}
	if rating == nil {
		b.passed = true
		d := decl.ErrPart(f.W, own, sh, name, at)
		if ways := b.byName(name); strings.HasPrefix(d.Help, "it has ") && len(ways) > 0 {
			d.Help += "; of what came up in play write  " + strings.Join(ways, "  or  ")
		}
		return nil, d
	}
	if own.Adhoc {
		if p := f.AdhocPart(own, sh, name, rating, nil, at); p != nil {
			return resolve.ConstRef(p, at), nil
		}
	}
	return itself, nil
}

// ratedTerm finds a rating that no trait of anybody could have, behind a name that stands
// for itself:  vs DN 8  where ratings are dice.
func (b *binder) ratedTerm(what *ir.Node, nameAt lang.Span, rating lang.Expr) *lang.Diagnostic {
	if what.Op != ir.NConst || what.V.Kind() != value.Text || b.f.Refusable > 0 {
		return nil
	}
	n := resolve.NewFn(b.f.W, b.f.Module).Expr(rating)
	if n.Op != ir.NConst {
		return nil
	}
	why := b.misrated(n.V)
	if why == "" {
		return nil
	}
	d := decl.ErrAt(rating.Range(), "SP0328", "%s", why)
	if n.V.IsInt() && ratedInDice(b.f.W) && b.misrated(value.OfDie(int(min(max(1, n.V.Int()), value.MaxFace)), 0)) != "" {
		d.Help = "ratings are dice here, such as  d8"
	} else if n.V.IsInt() && ratedInDice(b.f.W) {
		d.Help = "ratings are dice here:  " + decl.Text(nameAt) + " d" + decl.Text(rating.Range())
	}
	return d
}

// misrated says why a value is no rating of any trait, "" when it could be one.
func (b *binder) misrated(v ir.V) string {
	why := ""
	for _, sh := range ratedParts(b.f.W) {
		if why = b.f.W.Misfit(sh, sh.ByName["rating"], v); why == "" {
			return ""
		}
	}
	return why
}

// ratedParts lists the sheets of parts that have a rating.
func ratedParts(w *decl.World) []*decl.Sheet {
	var out []*decl.Sheet
	for _, name := range decl.SheetNames(w) {
		if sh := w.Sheets[name]; sh.ByName["rating"] != nil && w.IsPart(name) {
			out = append(out, sh)
		}
	}
	return out
}

// ratedInDice says whether all ratings are dice.
func ratedInDice(w *decl.World) bool {
	return !slices.ContainsFunc(ratedParts(w), func(sh *decl.Sheet) bool { return sh.ByName["rating"].Typ.Name.Name != "die" })
}
