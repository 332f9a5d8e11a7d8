package compile

import (
	"slices"

	"setpiece/interp/internal/code"
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
			return !b.f.w.isEntry(x.Name) && b.f.knownWord(x) == nil
		case *lang.Caps, *lang.Name, *lang.Text, *lang.Rated, *lang.Dice, *lang.Paren, *lang.Call, *lang.Dot, *lang.Index:
			return false
		}
		return true
	})
}

// isEntry says whether some sheet has parts under that word, as in  solo d10.
func (w *World) isEntry(word string) bool {
	for _, sh := range w.sheets {
		if sh.asField(word) != nil {
			return true
		}
	}
	return false
}

// entryWords lists the words under which sheets have parts.
func (w *World) entryWords() []string {
	var words []string
	for _, sh := range w.sheets {
		for _, f := range sh.fields {
			if f.as != "" && f.as != "CAPS" && f.as != "hidden" {
				words = append(words, f.as)
			}
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// terms resolves a sum whose names are looked up on owner.
func (b *binder) terms(owner *node, e lang.Expr) (*node, *lang.Diagnostic) {
	list := b.f.mk(nList, e.Range())
	for _, x := range termsOf(e) {
		if d, ok := x.(*lang.Dice); ok {
			dice := []V{b.f.dice(d).v}
			if dice[0].Kind() == value.List {
				dice = b.f.w.Heap.Elems(dice[0])
			}
			for _, die := range dice {
				if why := b.misrated(die); why != "" && b.f.refusable == 0 && b.f.w.ratedInDice() {
					return nil, errAt(d.Span, "%s", why)
				}
				list.kids = append(list.kids, b.term(b.f.constant(value.None, d.Span), b.f.constant(die, d.Span), d.Span))
			}
			continue
		}
		what, rating, d := b.termOf(owner, x)
		if d != nil {
			return nil, d
		}
		list.kids = append(list.kids, b.term(what, rating, x.Range()))
	}
	return fold(&b.f.w.Unit, list), nil
}

func (b *binder) term(what, rating *node, at lang.Span) *node {
	return fold(&b.f.w.Unit, b.f.mk(nList, at, what, rating))
}

func (b *binder) termOf(owner *node, e lang.Expr) (what, rating *node, d *lang.Diagnostic) {
	f, at := b.f, e.Range()
	none := f.constant(value.None, at)
	switch x := e.(type) {
	case *lang.Word:
		if f.lookup(x.Name) != nil || !f.w.isEntry(x.Name) {
			return f.expr(x), none, nil
		}
		what, d = b.namedTerm(owner, x.Name, nil, at)
		return what, none, d
	case *lang.Rated:
		what, d = b.namedTerm(owner, nameOf(x.X), x.Rating, x.X.Range())
		if d == nil {
			d = b.ratedTerm(what, x.X.Range(), x.Rating)
		}
		if d == nil && f.refusable == 0 && isNumeral(x.Rating) && what.op == nConst && what.v.Kind() == value.Ref {
			d = b.checkRating(f.w.byOff[what.v.Off()], x.Rating)
		}
		return what, f.expr(x.Rating), d
	case *lang.Caps, *lang.Text, *lang.Name:
		what, d = b.namedTerm(owner, nameOf(x), nil, at)
		return what, none, d
	}
	return f.expr(e), none, nil
}

// namedTerm gives the part of owner that has a name; without one the name, if
// a rating was said with it.
func (b *binder) namedTerm(owner *node, name string, rating lang.Expr, at lang.Span) (*node, *lang.Diagnostic) {
	f := b.f
	itself := f.constant(f.w.Heap.OfText(name), at)
	own := f.entityOf(owner)
	switch {
	case own == nil && owner.op == nConst && owner.v == value.None:
		return itself, nil
	case own == nil && rating == nil:
		return f.partOf(owner, name, "", at), nil
	case own == nil:
		n := f.mk(nBuiltin, at, owner, itself)
		n.a = code.BuiltinIndex("part")
		return f.mk(nElse, at, n, itself), nil
	}
	if p := own.part(name); p != nil && !(p.adhoc && rating != nil) {
		return constRef(p, at), nil
	}
	fd := own.sheet.capsField()
	if fd == nil || f.w.sheets[fd.sheet] == nil {
		return itself, nil
	}
	sh := f.w.sheets[fd.sheet]
	if rating == nil && f.w.otherPart(name) {
		return f.partOf(owner, name, sh.name, at), nil
	}
	if rating == nil {
		b.passed = true
		return nil, errPart(f.w, own, sh, name, at)
	}
	if own.adhoc {
		if p := f.adhocPart(own, sh, name, rating, nil, at); p != nil {
			return constRef(p, at), nil
		}
	}
	return itself, nil
}

// ratedTerm finds a rating that no trait of anybody could have, behind a name that stands
// for itself:  vs DN 8  where ratings are dice.
func (b *binder) ratedTerm(what *node, nameAt lang.Span, rating lang.Expr) *lang.Diagnostic {
	if what.op != nConst || what.v.Kind() != value.Text || b.f.refusable > 0 {
		return nil
	}
	n := newFn(b.f.w, b.f.module).expr(rating)
	if n.op != nConst {
		return nil
	}
	why := b.misrated(n.v)
	if why == "" {
		return nil
	}
	d := errAt(rating.Range(), "%s", why)
	if n.v.IsInt() && b.f.w.ratedInDice() && b.misrated(value.OfDie(int(min(max(1, n.v.Int()), value.MaxFace)), 0)) != "" {
		d.Help = "ratings are dice here, such as  d8"
	} else if n.v.IsInt() && b.f.w.ratedInDice() {
		d.Help = "ratings are dice here:  " + text(nameAt) + " d" + text(rating.Range())
	}
	return d
}

// misrated says why a value is no rating of any trait, "" when it could be one.
func (b *binder) misrated(v V) string {
	why := ""
	for _, sh := range b.f.w.ratedParts() {
		if why = b.f.w.misfit(sh, sh.byName["rating"], v); why == "" {
			return ""
		}
	}
	return why
}

// ratedParts lists the sheets of parts that have a rating.
func (w *World) ratedParts() []*sheet {
	var out []*sheet
	for _, name := range sheetNames(w) {
		if sh := w.sheets[name]; sh.byName["rating"] != nil && w.isPart(name) {
			out = append(out, sh)
		}
	}
	return out
}

// ratedInDice says whether all ratings are dice.
func (w *World) ratedInDice() bool {
	return !slices.ContainsFunc(w.ratedParts(), func(sh *sheet) bool { return sh.byName["rating"].typ.Name.Name != "die" })
}
