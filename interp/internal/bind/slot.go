package bind

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/resolve"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// slot reads the operand of one slot at item i.
func (b *binder) slot(targets, on []target, p *lang.PatSlot, i int, list bool) (int, *lang.Diagnostic) {
	if i >= len(b.items) {
		return i, b.errMissing(p)
	}
	if len(targets) == 0 {
		return b.slotOf(on[0], p, i, nil)
	}
	next := i
	for _, t := range targets {
		var d *lang.Diagnostic
		next, d = b.slotOf(t, p, i, func(n *ir.Node) {
			if list || p.Type.Many {
				t.Ctx.lists[p.Name.Name] = append(t.Ctx.lists[p.Name.Name], n)
				return
			}
			t.Ctx.vals[p.Name.Name] = n
		})
		if d != nil {
			return next, d
		}
		at := b.items[i].Range()
		b.places[p.Name.Name], b.operands[p.Name.Name] = at, at
	}
	return next, nil
}

// slotOf reads an operand for one target; put takes each value, nil on trial.
func (b *binder) slotOf(t target, p *lang.PatSlot, i int, put func(*ir.Node)) (int, *lang.Diagnostic) {
	for {
		b.tellApart(p, i)
		n, next, d := b.operand(t, p, i, put == nil)
		if d != nil {
			return next, d
		}
		if put != nil {
			b.spread(n, p, put)
		}
		if !p.Type.Many || next >= len(b.items) || !b.commas[next] || b.isClause(next) || b.beginsOther(t, p, next) {
			return next, nil
		}
		i = next
	}
}

// beginsOther says whether what stands behind the comma of a list is no further entry of it
// but the next operand of the verb:  attack Fang against 3d6 take 3, 4, Gnaw …
func (b *binder) beginsOther(t target, p *lang.PatSlot, i int) bool {
	if _, _, d := b.operand(t, p, i, true); d == nil || b.f.Named(decl.NameOf(b.items[i]), b.items[i].Range()) == nil {
		return false
	}
	for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
		if len(sc.operands()) > 0 {
			return true
		}
	}
	return false
}

// tellApart makes two items of the name of somebody and a die or number behind
// it, which read like a trait with its rating:  vs Nova 2d6 + d8.
func (b *binder) tellApart(p *lang.PatSlot, i int) {
	kind := p.Type.Name.Name
	if b.f.W.Sheets[kind] == nil || b.f.W.IsPart(kind) {
		return
	}
	if r := decl.Leftmost(b.items[i]); r != nil && b.f.Named(decl.NameOf(r.X), r.Span) != nil {
		b.split(i, r)
	}
}

// spread puts a value; a group in a slot for many goes in one by one.
func (b *binder) spread(n *ir.Node, p *lang.PatSlot, put func(*ir.Node)) {
	if p.Type.Many && n.Op == ir.NConst && n.V.Kind() == value.List {
		for _, e := range b.f.W.Heap.Elems(n.V) {
			put(b.f.Constant(e, n.At))
		}
		return
	}
	put(n)
}

func (b *binder) isClause(i int) bool {
	word := decl.WordOf(b.items[i])
	for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
		if len(sc.beginning(word)) > 0 {
			return true
		}
	}
	return false
}

// operand resolves item i as the type of a slot asks. On trial nothing is laid
// out and mistakes inside expressions do not count.
func (b *binder) operand(t target, p *lang.PatSlot, i int, trial bool) (*ir.Node, int, *lang.Diagnostic) {
	f, e := b.f, b.items[i]
	at := e.Range()
	if w, ok := e.(*lang.Word); ok && f.Lookup(w.Name) != nil && p.Type.Name.Name != "word" {
		return b.only(f.Expr(e), p), i + 1, nil
	}
	switch p.Type.Name.Name {
	case "number", "whole", "die", "dice", "truth", "list":
		if !b.fitsExpr(p.Type.Name.Name, e) {
			return nil, i, b.errOperand(p, i)
		}
		if trial {
			return nil, i + 1, nil
		}
		n := f.Expr(e)
		switch p.Type.Name.Name {
		case "number", "whole":
			n, d := b.figure(p, n)
			return n, i + 1, d
		}
		return n, i + 1, nil
	case "text":
		if w, ok := e.(*lang.Word); ok {
			if n := f.KnownWord(w); n == nil || n.Op == ir.NConst && n.V.Kind() == value.Symbol {
				return nil, i, b.errOperand(p, i)
			}
		}
		switch e.(type) {
		case *lang.Text, *lang.Word, *lang.Dot, *lang.Paren, *lang.Call:
			if trial {
				return nil, i + 1, nil
			}
			return f.Expr(e), i + 1, nil
		case *lang.Name, *lang.Caps:
			return f.Constant(f.W.Heap.OfText(decl.NameOf(e)), at), i + 1, nil
		}
		return nil, i, b.errOperand(p, i)
	case "word":
		if w := decl.WordOf(e); w != "" {
			if _, rated := e.(*lang.Rated); !rated {
				return f.Keyed(f.Constant(f.W.Heap.OfText(w), at)), i + 1, nil
			}
		}
		switch e.(type) {
		case *lang.Name, *lang.Text:
			if name := decl.NameOf(e); name != "" && f.Named(name, at) == nil {
				return f.Keyed(f.Constant(f.W.Heap.OfText(decl.AsWord(name)), at)), i + 1, nil
			}
		}
		return nil, i, b.errOperand(p, i)
	case "symbol", "one":
		return b.symbolOperand(p, e, i)
	case "features":
		l, ok := e.(*lang.List)
		if !ok {
			return nil, i, b.errOperand(p, i)
		}
		if trial {
			return nil, i + 1, nil
		}
		return b.looseFeatures(l), i + 1, nil
	case "terms":
		// a word that begins a clause is that clause:  vs Ann race
		if w, ok := e.(*lang.Word); ok && !f.W.IsEntry(w.Name) && b.isClause(i) {
			return nil, i, b.errOperand(p, i)
		}
		if !b.fitsTerms(e) {
			return nil, i, b.errOperand(p, i)
		}
		if trial {
			return nil, i + 1, nil
		}
		n, d := b.terms(b.ownerOf(t, p), e)
		b.pooled = i + 1
		return n, i + 1, d
	case "condition":
		if trial {
			return nil, i + 1, nil
		}
		return b.condition(p, e), i + 1, nil
	case "any":
		if trial {
			return nil, i + 1, nil
		}
		if w, ok := e.(*lang.Word); ok && f.KnownWord(w) == nil {
			return f.Constant(f.W.Heap.OfSymbol(w.Name), at), i + 1, nil
		}
		if c, ok := e.(*lang.Caps); ok {
			return f.Constant(f.W.Heap.OfText(c.Name), at), i + 1, nil
		}
		return f.Expr(e), i + 1, nil
	}
	return b.sheetOperand(t, p, i, trial)
}

// only checks, when the command of a script runs, what it gives for somebody or something
// by an expression.
func (b *binder) only(n *ir.Node, p *lang.PatSlot) *ir.Node {
	kind := p.Type.Name.Name
	if b.f.W.Sheets[kind] == nil || !b.f.Module.Script || n.Op == ir.NConst && (n.V == value.None || n.V.Kind() == value.Ref) {
		return n
	}
	return b.f.Builtin(code.BuiltinIndex("only"), []*ir.Node{n, b.f.Constant(b.f.W.Heap.OfSymbol(kind), n.At), b.f.Constant(value.OfBool(p.Type.Many), n.At)}, n.At)
}

// figure checks a number against what its operand takes: now if it is known, else
// when the command runs.
func (b *binder) figure(p *lang.PatSlot, n *ir.Node) (*ir.Node, *lang.Diagnostic) {
	f := b.f
	limits := value.None
	if p.Type.Range != nil {
		if r := resolve.NewFn(f.W, f.Module).Expr(p.Type.Range); r.Op == ir.NConst && r.V.Kind() == value.Range {
			limits = r.V
		}
	}
	whole := p.Type.Name.Name == "whole"
	if n.Op == ir.NConst {
		if n.V == value.None {
			return n, nil
		}
		fits := n.V.IsNumber() && (!whole || n.V.IsInt())
		if fits && limits != value.None {
			fits, _ = f.W.Heap.In(n.V, limits)
		}
		if fits {
			return n, nil
		}
		if why := f.W.Heap.TooLarge(n.V); why != "" && whole {
			return n, decl.ErrAt(n.At, "SP0311", "%s is %s", f.W.Heap.Show(n.V, nil), why)
		}
		d := decl.ErrAt(n.At, "SP0312", "%s must be %s, not %s", strings.ReplaceAll(p.Name.Name, "_", " "), lang.OneOf(b.wanted(p)), f.W.Heap.Show(n.V, nil))
		if n.V.Kind() == value.Symbol {
			d.Help = "write the number before it:  1 " + decl.Text(n.At)
		}
		return n, d
	}
	if whole {
		n = f.Builtin(code.BuiltinIndex("whole"), []*ir.Node{n}, n.At)
	}
	if limits != value.None {
		n = f.Builtin(code.BuiltinIndex("within"), []*ir.Node{n, f.Constant(limits, n.At)}, n.At)
	}
	return n, nil
}

// smallLetters finds a word of the rules that was written like a name where one of some
// clauses takes it:  vs Hard,  vs Really Hard.
func (b *binder) smallLetters(cands []scoped, i int) *lang.Diagnostic {
	for _, c := range cands {
		for k, p := range c.cl.Pattern {
			slot, ok := p.(*lang.PatSlot)
			if !ok {
				continue
			}
			if i+k >= len(b.items) {
				break
			}
			name := b.items[i+k]
			switch name.(type) {
			case *lang.Name, *lang.Caps:
			default:
				name = nil
			}
			if name == nil || b.f.Named(decl.NameOf(name), name.Range()) != nil {
				break
			}
			words := strings.ToLower(decl.Text(name.Range()))
			at := name.Range()
			for next := i + k; ; next++ {
				if slices.ContainsFunc(slot.Type.OneOf, func(id lang.Ident) bool { return id.Name == words }) {
					d := decl.ErrAt(at, "SP0313", "%s is a word of the rules, and those have small letters", words)
					d.Help = "write  " + strings.Join(append(b.saidBefore(i+k, k), words), " ")
					return d
				}
				if next+1 >= len(b.items) || decl.NameOf(b.items[next+1]) == "" && decl.WordOf(b.items[next+1]) == "" {
					break
				}
				words += "_" + strings.ToLower(b.said(next+1))
				at.End = b.items[next+1].Range().End
			}
			break
		}
	}
	return nil
}

// fitsExpr says whether an item can be a value of that kind at all, so that a
// clause is not mistaken for another.
func (b *binder) fitsExpr(kind string, e lang.Expr) bool {
	switch e := e.(type) {
	case *lang.Word:
		return b.f.KnownWord(e) != nil
	case *lang.Text, *lang.Name, *lang.Caps, *lang.Rated:
		return kind == "dice"
	case *lang.Dot:
		return b.f.W.Unquoted([]lang.Expr{e}) == ""
	case *lang.List:
		return kind != "number" && kind != "whole" && kind != "die" && kind != "truth"
	case *lang.Dice:
		return kind != "number" && kind != "whole" && kind != "truth"
	case *lang.Num:
		return kind == "number" || kind == "whole"
	}
	return true
}

func (b *binder) symbolOperand(p *lang.PatSlot, e lang.Expr, i int) (*ir.Node, int, *lang.Diagnostic) {
	w, ok := e.(*lang.Word)
	if !ok {
		return nil, i, b.errOperand(p, i)
	}
	if len(p.Type.OneOf) > 0 && !slices.ContainsFunc(p.Type.OneOf, func(id lang.Ident) bool { return id.Name == w.Name }) {
		var names []string
		for _, id := range p.Type.OneOf {
			names = append(names, id.Name)
		}
		d := b.expected(i, names...)
		decl.Suggest(d, w.Name, names)
		return nil, i, d
	}
	if len(p.Type.OneOf) == 0 && !b.f.W.Symbols[w.Name] {
		d := decl.ErrAt(e.Range(), "SP0314", "%s means nothing here", w.Name)
		decl.Suggest(d, w.Name, decl.KeysOf(b.f.W.Symbols))
		return nil, i, d
	}
	b.f.W.RefersToSymbol(w.Name, w.Span)
	return b.f.Constant(b.f.W.Heap.OfSymbol(w.Name), e.Range()), i + 1, nil
}

// looseFeatures makes the features of a bracketed list that are on nothing yet.
func (b *binder) looseFeatures(l *lang.List) *ir.Node {
	bd := &resolve.Builder{F: b.f, W: b.f.W, Init: &ir.Node{Op: ir.NSeq, At: l.Span, Rule: -1}}
	var refs []ir.V
	for _, x := range l.Elems {
		if fe := bd.Feature(nil, x); fe != nil {
			refs = append(refs, fe.Ref())
		}
	}
	b.f.Before = append(b.f.Before, bd.Init)
	return b.f.Constant(b.f.W.Heap.OfList(refs), l.Span)
}

// condition makes a rule of an expression that is kept unevaluated.
func (b *binder) condition(p *lang.PatSlot, e lang.Expr) *ir.Node {
	f := b.f
	var sh *decl.Sheet
	if p.Type.Of != nil {
		if sh = f.W.Sheets[p.Type.Of.Name]; sh == nil {
			f.Err(decl.ErrUnknown("sheet", *p.Type.Of, decl.SheetNames(f.W)))
		}
	}
	script, selves := f.Script, f.Selves
	src := &resolve.FnSource{Module: f.Module, Body: func(g *resolve.Fn) *ir.Node {
		g.Declare("self")
		for _, s := range selves {
			if s.Ent != nil {
				g.Selves = append(g.Selves, s)
			}
		}
		g.Selves = append(g.Selves, resolve.Self{At: 0, Sheet: sh})
		g.Script = script
		return g.Mk(ir.NReturn, e.Range(), g.Expr(e))
	}}
	slot := resolve.AddFunc(f.W, "condition", 1, src)
	g := resolve.NewFn(f.W, f.Module)
	g.ResolvedBody(src.Body(g))
	f.Diags = append(f.Diags, g.Diags...)
	return f.Constant(value.OfRule(slot), e.Range())
}

// sheetOperand resolves an operand that names an instance.
func (b *binder) sheetOperand(t target, p *lang.PatSlot, i int, trial bool) (*ir.Node, int, *lang.Diagnostic) {
	f, e := b.f, b.items[i]
	kind := p.Type.Name.Name
	at := e.Range()
	part := f.W.IsPart(kind)
	owner := b.ownerOf(t, p)
	switch x := e.(type) {
	case *lang.Word:
		return b.picker(owner, p, x, i)
	case *lang.Paren, *lang.Call, *lang.Index, *lang.Cond:
		if trial {
			return nil, i + 1, nil
		}
		return b.only(f.Expr(e), p), i + 1, nil
	case *lang.Dot:
		if whole := f.W.Unquoted(b.items[i : i+1]); whole != "" && f.Named(decl.NameOf(x.X), at) == nil {
			d := decl.ErrAt(at, "SP0315", "expected a %s here", kind)
			d.Help = decl.InQuotes(whole)
			return nil, i, d
		}
		if w, ok := x.X.(*lang.Word); ok && f.KnownWord(w) == nil {
			d := decl.ErrAt(at, "SP0315", "expected a %s here", kind)
			d.Help = "leave the dot out:  " + w.Name + " " + x.Name.Name
			return nil, i, d
		}
		if trial {
			return nil, i + 1, nil
		}
		n := f.Expr(e)
		return n, i + 1, b.wrongSheet(n, p, at)
	case *lang.Caps, *lang.Rated, *lang.Text, *lang.Name:
		if part {
			return b.partOperand(owner, p, e, i, trial)
		}
		if _, rated := e.(*lang.Rated); rated {
			break
		}
		name := decl.NameOf(e)
		if n := f.Named(name, at); n != nil {
			if d := b.wrongSheet(n, p, at); d != nil {
				return n, i + 1, d
			}
			return n, i + 1, b.severalNamed(n, p, at)
		}
		if f.Coll.IsUndeclared(name) {
			return f.Constant(value.None, at), i + 1, nil
		}
		whole, pieces := decl.NamePieces(b.items[i:])
		if pieces > 1 && f.Coll.IsUndeclared(whole) {
			return f.Constant(value.None, at), i + pieces, nil
		}
		if pieces <= 1 {
			whole = name
		}
		d := decl.ErrAt(at, "SP0316", "there is no %s %s", kind, name)
		if b.unread {
			return nil, i, d
		}
		decl.SuggestName(d, name, namesOf(f.W, kind))
		if known := f.W.Unquoted(b.items[i:]); known != "" {
			d.Help = decl.InQuotes(known)
		}
		if _, caps := e.(*lang.Caps); caps && i > 0 && b.pooled == i {
			d.Help = "a pool has a + between traits and dice:  " + b.said(i-1) + " + " + b.said(i)
		}
		if text := at.Src.Text[e.Range().Start:e.Range().End]; strings.Contains(text, "{") {
			d.Help = "a name is taken as it is written; to fill in what is in braces write  (first x in instances(" + kind + ") where x.name == " + text + ")"
		}
		if d.Help == "" {
			d.Help = b.partInPieces(i)
		}
		if own := f.EntityOf(t.Actor); own != nil && own.Part(name) != nil {
			b.wonder(d, e)
		}
		if d.Help == "" && name != "" && name != strings.ToUpper(name) {
			d.Help = b.declareFirst(t, kind, whole)
		}
		return nil, i, d
	}
	return nil, i, b.errOperand(p, i)
}

// declareFirst says how to declare somebody of a kind whom the verb is about: by the sheet
// that the verb has its name from; else by a player's, or by those of
// others where a player's character acts.
func (b *binder) declareFirst(t target, kind, name string) string {
	if k := b.f.W.InStock(name); k != nil {
		return "write  stock " + decl.QuoteName(name) + "  first"
	}
	own := b.f.EntityOf(t.Actor)
	players := own == nil || !own.Sheet.Players
	var ways []string
	for _, way := range b.f.W.Declarers() {
		word, _, _ := strings.Cut(way, " ")
		sh := b.f.W.Sheets[word]
		if sh == nil || !sh.Is(kind) {
			continue
		}
		if b.verb != nil && strings.HasPrefix(b.verb.Name, word) {
			ways = []string{word}
			break
		}
		if sh.Players == players {
			ways = append(ways, word)
		}
	}
	switch {
	case len(ways) == 0:
		return "declare it first:  " + kind + " " + decl.QuoteName(name) + " { … }"
	case len(ways) == 1:
		return "declare it first:  " + ways[0] + " " + decl.QuoteName(name) + " { … }"
	}
	return "declare it first: write  " + lang.OneOf(ways) + "  before  " + decl.QuoteName(name) + " { … }"
}

// namesOf gives the names of the instances of a sheet and of their groups.
func namesOf(w *decl.World, kind string) []string {
	var names []string
	for _, n := range decl.KeysOf(w.Entities) {
		if w.Entities[n].Sheet.Is(kind) {
			names = append(names, decl.QuoteName(n))
		}
	}
	return append(names, decl.KeysOf(w.Groups)...)
}

func (b *binder) wrongSheet(n *ir.Node, p *lang.PatSlot, at lang.Span) *lang.Diagnostic {
	e := b.f.EntityOf(n)
	if n.Op == ir.NConst && n.V.Kind() == value.List {
		if l := b.f.W.Heap.Elems(n.V); len(l) > 0 && l[0].Kind() == value.Ref {
			e = b.f.W.ByOff[l[0].Off()]
		}
	}
	if e == nil || e.Sheet.Is(p.Type.Name.Name) {
		return nil
	}
	return decl.ErrAt(at, "SP0317", "expected a %s here; %s is a %s", p.Type.Name.Name, decl.QuoteName(e.Name), e.Sheet.Name)
}

// severalNamed reports the name of several where one is meant.
func (b *binder) severalNamed(n *ir.Node, p *lang.PatSlot, at lang.Span) *lang.Diagnostic {
	if b.several || p.Type.Many || n.Op != ir.NConst || n.V.Kind() != value.List {
		return nil
	}
	all := b.f.W.Heap.Elems(n.V)
	d := decl.ErrAt(at, "SP0318", "expected one %s here; there are %d %s", p.Type.Name.Name, len(all), strings.Trim(decl.Text(at), `"`))
	if first := b.f.W.ByOff[all[0].Off()]; first != nil {
		d.Help = "name one of them:  " + decl.QuoteName(first.Name)
	}
	b.passed = true
	return d
}

// ownerOf gives the instance a nested sheet is looked up on.
func (b *binder) ownerOf(t target, p *lang.PatSlot) *ir.Node {
	if p.Type.Of != nil && p.Type.Of.Name != "who" && t.Ctx != nil {
		if n := t.Ctx.vals[p.Type.Of.Name]; n != nil {
			return n
		}
	}
	return t.Actor
}

// partOperand resolves the name of a part of owner, as in  with OOZING_PUNCH.
func (b *binder) partOperand(owner *ir.Node, p *lang.PatSlot, e lang.Expr, i int, trial bool) (*ir.Node, int, *lang.Diagnostic) {
	f := b.f
	name, rating, at := decl.NameOf(e), lang.Expr(nil), e.Range()
	if r, ok := e.(*lang.Rated); ok {
		rating, at = r.Rating, r.X.Range()
	}
	next := i + 1
	var feats *lang.List
	if next < len(b.items) && !b.commas[next] {
		if l, ok := b.items[next].(*lang.List); ok {
			feats, next = l, next+1
		}
	}
	if trial {
		return nil, next, nil
	}
	sh := f.W.Sheets[p.Type.Name.Name]
	own := f.EntityOf(owner)
	if own == nil {
		if owner.Op == ir.NConst && owner.V == value.None {
			return f.Constant(value.None, at), next, nil
		}
		return f.PartOf(owner, name, at), next, nil
	}
	if p.Type.New {
		if q := f.Fresh(own, sh, name, rating, feats, at); q != nil {
			return resolve.ConstRef(q, at), next, nil
		}
		return f.Constant(value.None, at), next, nil
	}
	if q := own.Part(name); q != nil && q.Sheet.Is(sh.Name) && !q.Adhoc {
		if d := b.checkRating(q, rating); d != nil {
			return nil, next, d
		}
		if feats != nil {
			return nil, next, decl.ErrAt(feats.Span, "SP0319", "%s is on the sheet already; change its features there", name)
		}
		return resolve.ConstRef(q, at), next, nil
	}
	if own.Adhoc {
		if rating == nil {
			if q := own.Part(name); q != nil {
				return resolve.ConstRef(q, at), next, nil
			}
			return nil, next, decl.ErrPart(f.W, own, sh, name, at)
		}
		if q := f.AdhocPart(own, sh, name, rating, feats, at); q != nil {
			return resolve.ConstRef(q, at), next, nil
		}
		return f.Constant(value.None, at), next, nil
	}
	if resolve.OtherPart(f.W, name) {
		return f.PartOf(owner, name, at), next, nil
	}
	b.passed = true
	return nil, next, decl.ErrPart(f.W, own, sh, name, at)
}

// checkRating finds a rating in a command that is not the sheet's.
func (b *binder) checkRating(q *decl.Entity, rating lang.Expr) *lang.Diagnostic {
	if rating == nil {
		return nil
	}
	fd := q.Sheet.ByName["rating"]
	if fd == nil && len(q.Sheet.Fields) > 0 {
		fd = q.Sheet.Fields[0] // where a number behind the name of the part goes
	}
	if fd == nil || fd.Many {
		return nil
	}
	n := b.f.Expr(rating)
	have := b.f.W.DeclaredValue(q, fd)
	if n.Op != ir.NConst || have == value.None || n.V == have {
		return nil
	}
	d := decl.ErrAt(rating.Range(), "SP0320", "%s of %s is %s", q.Name, decl.QuoteName(q.Owner.Name), b.f.W.Heap.Show(have, nil))
	d.Help = "leave the number out, or change it on the sheet"
	if decl.IsNumeral(rating) {
		if word := b.addsNumber(); word != "" {
			d.Help = "for a bonus or a penalty write  " + word + " " + decl.Text(rating.Range())
		} else if have.Kind() == value.Die {
			d.Help = "numbers do not join dice; for help add a die, as in  + d6"
		}
	}
	return d
}

// once has a value worked out once, before the command, however often the command needs
// it: who was picked at random stays the same.
func (b *binder) once(at lang.Span, n *ir.Node) *ir.Node {
	k := slices.IndexFunc(b.before, func(set *ir.Node) bool { return set.At == at })
	if k < 0 {
		set := b.f.Mk(ir.NSet, at, n)
		set.A = b.f.Hidden(1)
		k, b.before = len(b.before), append(b.before, set)
	}
	local := b.f.Mk(ir.NLocal, at)
	local.A = b.before[k].A
	return local
}

// uses says whether a node reads a register.
func uses(n *ir.Node, reg int) bool {
	return n != nil && (n.Op == ir.NLocal && n.A == reg || slices.ContainsFunc(n.Kids, func(k *ir.Node) bool { return uses(k, reg) }))
}

// picker resolves  strongest foe, any hero, all, best trait.
func (b *binder) picker(owner *ir.Node, p *lang.PatSlot, x *lang.Word, i int) (*ir.Node, int, *lang.Diagnostic) {
	f := b.f
	if n := f.LookupCell(x); n != nil {
		return n, i + 1, nil
	}
	pick := f.W.Rules["pick_"+x.Name]
	if pick != nil && len(pick.Params) == 2 {
		list, next := f.Constant(value.None, x.Span), i+1
		if next < len(b.items) && !b.commas[next] {
			if noun, ok := b.items[next].(*lang.Word); ok {
				if r := f.Noun(noun.Name); r != nil {
					f.W.RefersToSomebody(noun.Name, r, noun.Span)
					list, next = f.CallRule(r, []*ir.Node{owner}, noun.Span), next+1
				} else if d := f.ErrNoun(noun, x.Name); d != nil {
					return nil, i, d
				}
			}
		}
		f.W.RefersToSomebody(x.Name, pick, x.Span)
		word := p.Type.Name.Name
		if list.Op != ir.NConst {
			word = b.items[next-1].(*lang.Word).Name
		}
		return b.found(p, word, x.Span, b.items[next-1].Range(), f.CallRule(pick, []*ir.Node{owner, list}, x.Span)), next, nil
	}
	if r := f.Noun(x.Name); r != nil {
		f.W.RefersToSomebody(x.Name, r, x.Span)
		n := f.Mk(ir.NBuiltin, x.Span, f.CallRule(r, []*ir.Node{owner}, x.Span))
		n.A = code.BuiltinIndex("list")
		if !p.Type.Many {
			first := f.Mk(ir.NBuiltin, x.Span, n)
			first.A = code.BuiltinIndex("first")
			return b.found(p, x.Name, x.Span, x.Span, first), i + 1, nil
		}
		picked(f, x.Span, x.Span, n)
		return n, i + 1, nil
	}
	if v, ok := resolve.Special(x.Name); ok && v == value.None {
		return f.Constant(v, x.Span), i + 1, nil
	}
	d := b.errOperand(p, i)
	var names []string
	for _, n := range decl.RuleNames(f.W) {
		if a, ok := strings.CutPrefix(n, "pick_"); ok {
			names = append(names, a)
		}
	}
	decl.Suggest(d, x.Name, append(names, namesOf(f.W, p.Type.Name.Name)...))
	if i+1 < len(b.items) && d.Help == "" && !b.commas[i+1] {
		if noun, ok := b.items[i+1].(*lang.Word); ok && (f.Noun(noun.Name) != nil || f.W.Sheets[noun.Name] != nil) {
			d.Help = x.Name + " " + noun.Name + "  needs  rule pick_" + x.Name + "(self, list) = …  in the rules"
		}
	}
	return nil, i, d
}

// found has a picker worked out before the command. Where it has to find somebody or something
// and there is none, the command is refused: then tactics go on with their next line.
func (b *binder) found(p *lang.PatSlot, word string, from, to lang.Span, n *ir.Node) *ir.Node {
	f := b.f
	if !b.required(p) {
		picked(f, from, to, n)
		return b.once(from, n)
	}
	picked(f, from, to, f.Mk(ir.NElse, from, n, f.Constant(value.EmptyList, from))) // a list of nobody cannot be written
	local := b.once(from, n)
	none := f.Mk(ir.NBin, from, local, f.Constant(value.None, from))
	none.A = int(code.Eq)
	fail := f.Mk(ir.NFail, from, f.Constant(f.W.Heap.OfText("there is no "+word), from))
	fail.Info = &code.FailInfo{Kind: code.Refused, Nobody: true}
	if b.nobody == nil {
		b.nobody = map[int]*ir.Node{}
	}
	b.nobody[local.A] = f.Mk(ir.NIf, from, none, fail, nil)
	return local
}

// required says whether a command cannot do without an operand: it is somebody who has a sheet
// of their own, or a part in a fixed place of the verb.
func (b *binder) required(p *lang.PatSlot) bool {
	kind := p.Type.Name.Name
	return !p.Type.Many && b.f.W.Sheets[kind] != nil && (!b.f.W.IsPart(kind) || slices.Contains(b.verb.Decl.Pattern, lang.Pat(p)))
}

// ---- mistakes in commands -----------------------------------------------

func (b *binder) verbName() string {
	if b.verb.Module != nil {
		return b.verb.Name + " (" + b.verb.Module.Name + ")"
	}
	return b.verb.Name
}

// addsNumber gives the word of the first clause of a set that takes any number, also one
// below 0: the clause for a bonus or a penalty. "" if there is none.
func (b *binder) addsNumber() string {
	for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
		for _, c := range sc.Clauses {
			if len(c.Path) == 0 || len(c.cl.Pattern) < 2 {
				continue
			}
			word, ok := c.cl.Pattern[0].(*lang.PatWord)
			slot, ok2 := c.cl.Pattern[1].(*lang.PatSlot)
			if ok && ok2 && slot.Type.Range == nil && !slot.Type.Many && (slot.Type.Name.Name == "whole" || slot.Type.Name.Name == "number") {
				return word.Word
			}
		}
	}
	return ""
}

// errClause says that item i is no clause of the verb.
func (b *binder) errClause(i int) *lang.Diagnostic {
	at := b.items[i].Range()
	word := decl.WordOf(b.items[i])
	names := b.clauseNames()
	if i > 0 && word != "" && !b.commas[i] {
		if pick, ok := b.items[i-1].(*lang.Word); ok && b.f.W.Rules["pick_"+pick.Name] != nil {
			d := decl.ErrAt(at, "SP0321", "no rule says who can be meant by  %s %s", pick.Name, word)
			nouns := slices.DeleteFunc(decl.RuleNames(b.f.W), func(n string) bool {
				r := b.f.Noun(n)
				return r == nil || !decl.Offered(r) || !resolve.SurelyLists(b.f.W, r)
			})
			switch near, ok := lang.Nearest(word, slices.Concat(nouns, names)); {
			case ok:
				d.Help = "did you mean " + near + "?"
			case len(nouns) > 0:
				d.Help = pick.Name + " may stand before: " + strings.Join(short(nouns), ", ")
			default:
				d.Help = "write  rule " + word + "(self) = […]  in the rules: those it lists"
			}
			return d
		}
	}
	if word == "" {
		d := decl.ErrAt(at, "SP0322", "%s cannot take this", b.verbName())
		if decl.IsNumeral(b.items[i]) {
			if word := b.addsNumber(); word != "" {
				d.Help = "for a bonus or a penalty write  " + word + " " + b.said(i)
				return d
			}
			if b.throwsPool() {
				d.Help = "numbers do not join traits and dice; for help add a die, as in  + d6"
				return d
			}
		}
		if d.Help = joinedUp(b.items[i], names); d.Help != "" {
			return d
		}
		if d.Help = b.partInPieces(i); d.Help != "" {
			return d
		}
		if d.Help = b.dotBehind(i); d.Help != "" {
			return d
		}
		if small := decl.SmallDie(b.said(i)); small != "" {
			if d.Help = "dice are written small:  " + small; i > 0 && b.pooled == i {
				d.Help = "dice are written small, and joined by +:  " + b.said(i-1) + " + " + small
			}
			return d
		}
		if _, ok := b.items[i].(*lang.Dice); ok && i > 0 && decl.IsRating(b.items[i-1]) {
			d.Help = "dice are joined by +:  " + b.said(i-1) + " + " + b.said(i)
			return d
		}
		if name := cmp.Or(b.nameInPieces(i), b.titleInPieces(i)); name != "" {
			d.Help = inQuotes(name)
			return d
		}
		if b.f.W.IsSomebody(decl.NameOf(b.items[i])) {
			if d.Help = b.takers(i); d.Help != "" {
				return d
			}
		}
		if len(names) > 0 {
			d.Help = "clauses: " + strings.Join(short(names), ", ")
		} else {
			d.Help = "leave it out"
		}
		return d
	}
	if r, ok := b.items[i].(*lang.Rated); ok {
		at = r.X.Range()
	}
	d := decl.ErrAt(at, "SP0323", "%s has no clause %q", b.verbName(), word)
	if w, ok := b.items[i].(*lang.Word); ok && b.isVerb(w) {
		d.Help = word + " is a verb: give it a command of its own"
	} else if s := b.f.InCapitals(b.items[i]); s != "" {
		d.Help = "a trait is written in capitals:  " + s
		return d
	} else if title := b.titleInPieces(i); title != "" {
		d.Help = inQuotes(title)
		return d
	} else if s := b.f.W.InSmallLetters(word); s != "" {
		d.Help = "a name is written as it was declared:  " + s
		return d
	} else if len(word) > 2 { // of two letters nearly everything is near
		decl.Suggest(d, word, append(b.wordsBehind(), names...))
	}
	if i+1 < len(b.items) && slices.Contains(names, word+"_"+decl.WordOf(b.items[i+1])) {
		d.Help = "its words are joined by _:  " + word + "_" + decl.WordOf(b.items[i+1])
		return d
	}
	if further := b.further(word); further != "" && (d.Help == "" || !strings.Contains(d.Help, word)) {
		d.Help = further
	}
	if i+1 < len(b.items) {
		if wordly := b.takersOfWord(i + 1); wordly != "" {
			d.Help = wordly
		}
	}
	if first := b.operandFirst(i + 1); first != "" {
		d.Help = first
	}
	for _, hint := range []func(int) string{b.again, b.leftOut, b.conditionFirst, b.title, b.partInPieces, b.instead, b.joinsPool, b.lacking, b.inDescription} {
		if d.Help == "" {
			d.Help = hint(i)
		}
	}
	if d.Help == "" && len(names) == 0 {
		if d.Help = "leave it out"; b.verb != nil && alone(b.verb) {
			d.Help = standsAlone(b.f.W, b.verb)
		}
	}
	if len(names) > 0 {
		if d.Help != "" {
			d.Help += "   "
		}
		d.Help += "clauses: " + strings.Join(short(names), ", ")
	}
	return d
}

// joinedUp gives the word that was written with hyphens, of several that could stand there.
func joinedUp(e lang.Expr, names []string) string {
	if _, ok := e.(*lang.Binary); !ok {
		return ""
	}
	word := strings.ReplaceAll(decl.Text(e.Range()), "-", "_")
	if slices.Contains(names, word) {
		return "its words are joined by _:  " + word
	}
	if word = strings.ReplaceAll(word, "_", ""); slices.Contains(names, word) {
		return "it is one word:  " + word
	}
	return ""
}

// further says how to write a word that stands in a clause only after others: of a pattern
// "pay luck again" the word again is no clause by itself.
func (b *binder) further(word string) string {
	var ways, kinds []string
	for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
		for _, c := range sc.Clauses {
			var words []string
			for _, p := range c.cl.Pattern {
				w, ok := p.(*lang.PatWord)
				if s, ok := p.(*lang.PatSlot); ok && len(words) > 0 && slices.ContainsFunc(s.Type.OneOf, func(id lang.Ident) bool { return id.Name == word }) {
					kinds = merged(kinds, []string{strings.Join(words, " ") + " " + word})
				}
				if !ok {
					break
				}
				if words = append(words, w.Word); len(words) > 1 && w.Word == word {
					ways = merged(ways, []string{strings.Join(words, " ")})
				}
			}
		}
	}
	if len(ways) == 0 || len(ways)+len(kinds) <= 2 {
		ways = append(ways, kinds...)
	}
	if len(ways) == 0 || len(ways) > 2 {
		return ""
	}
	return "write  " + strings.Join(ways, "  or  ")
}

// nameInPieces gives the name that item i ends, if somebody wrote a name of several words
// without quotes: Deputy Hale. "" if the words before it are no names.
func (b *binder) nameInPieces(i int) string {
	name, last := "", b.items[i]
	for ; i >= 0; i-- {
		n, ok := b.items[i].(*lang.Name)
		if !ok {
			break
		}
		if name = strings.TrimSpace(n.Name + " " + name); n != last && b.f.W.IsSomebody(name) {
			return name
		}
	}
	return ""
}

// titleInPieces gives the text that item i goes on with, if somebody wrote one of several words without quotes, as in
// scene Bank robbery. "" if the word before it has another meaning.
func (b *binder) titleInPieces(i int) string {
	from := i
	for ; from > 0; from-- {
		if n, ok := b.items[from-1].(*lang.Name); !ok || b.f.W.IsSomebody(n.Name) {
			break
		}
	}
	if from == i {
		return ""
	}
	more := func(e lang.Expr) bool { return decl.WordOf(e) != "" || decl.NameOf(e) != "" }
	for i+1 < len(b.items) && more(b.items[i+1]) && !b.isClause(i+1) {
		i++
	}
	at := b.items[from].Range()
	return at.Src.Text[at.Start:b.items[i].Range().End]
}

// wordsBehind lists the words that the clauses given so far could have gone on with, as
// levels in  needs 2 levels.
func (b *binder) wordsBehind() []string {
	var words []string
	for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
		for _, c := range sc.Clauses {
			if !sc.Targets[0].Ctx.Follow(c.Path).given(c.cl) {
				continue
			}
			for _, p := range c.cl.Pattern {
				if opt, ok := p.(*lang.PatOpt); ok {
					if w, ok := opt.Pattern[0].(*lang.PatWord); ok {
						words = append(words, w.Word)
					}
				}
			}
		}
	}
	return words
}

// instead says what to write for item i, which begins no clause: a + between traits, or
// the word of a clause that takes what stands behind it, as  against  for  vs.
func (b *binder) instead(i int) string {
	switch b.items[i].(type) {
	case *lang.Caps, *lang.Rated:
		if i > 0 && b.pooled == i {
			return "a pool has a + between traits and dice:  " + b.said(i-1) + " + " + b.said(i)
		}
		return ""
	}
	if i+1 >= len(b.items) || b.isClause(i+1) {
		return ""
	}
	if decl.IsNumeral(b.items[i+1]) {
		if word := b.addsNumber(); word != "" {
			return "for a bonus or a penalty write  " + word + " " + b.said(i+1)
		}
		return ""
	}
	return b.takers(i + 1)
}

// takers says which clauses take item i: one or two, or one of several for example.
func (b *binder) takers(i int) string {
	var ways []string
	for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
		for _, c := range sc.Clauses {
			word := decl.FirstWord(c.cl)
			if len(c.cl.Pattern) < 2 || i > 0 && decl.WordOf(b.items[i-1]) == word || sc.Targets[0].Ctx.Follow(c.Path).given(c.cl) || slices.ContainsFunc(b.items[i:], func(e lang.Expr) bool { return decl.WordOf(e) == word }) {
				continue
			}
			rest := c.cl.Pattern[1:]
			if opt, ok := rest[0].(*lang.PatOpt); ok {
				rest = opt.Pattern
			}
			slot, ok := rest[0].(*lang.PatSlot)
			if !ok || slot.Type.Name.Name != "terms" && b.f.W.Sheets[slot.Type.Name.Name] == nil {
				continue
			}
			if slot.Type.Name.Name == "terms" && b.f.W.IsSomebody(decl.NameOf(b.items[i])) {
				continue
			}
			if _, d := b.pattern(nil, sc.Targets, rest, i, true); d == nil && b.has(sc.Targets[0], slot, b.items[i]) {
				ways = merged(ways, []string{word + " " + b.said(i)})
			}
		}
	}
	switch {
	case len(ways) == 0:
		return ""
	case len(ways) > 2:
		return "write for example  " + ways[0]
	}
	return "write  " + strings.Join(ways, "  or  ")
}

// has says, of a slot for a part of somebody, whether the one it is looked up on has such a
// part; of other slots yes.
func (b *binder) has(t target, p *lang.PatSlot, e lang.Expr) bool {
	kind := p.Type.Name.Name
	if !b.f.W.IsPart(kind) {
		return true
	}
	own := b.f.EntityOf(b.ownerOf(t, p))
	if own == nil || own.Adhoc {
		return own != nil
	}
	part := own.Part(decl.NameOf(e))
	if p.Type.New {
		return false // it takes what nobody has
	}
	return part != nil && part.Sheet.Is(kind)
}

// takersOfWord says which clauses take item i, a word of the rules, right behind their own:
// of  against hard  it is  vs hard.
func (b *binder) takersOfWord(i int) string {
	word := decl.WordOf(b.items[i])
	if _, ok := b.items[i].(*lang.Word); !ok || b.isClause(i) {
		return ""
	}
	var ways []string
	for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
		for _, c := range sc.Clauses {
			if len(c.cl.Pattern) < 2 || decl.FirstWord(c.cl) == "" {
				continue
			}
			slot, ok := c.cl.Pattern[1].(*lang.PatSlot)
			if ok && slices.ContainsFunc(slot.Type.OneOf, func(id lang.Ident) bool { return id.Name == word }) {
				ways = merged(ways, []string{decl.FirstWord(c.cl) + " " + word})
			}
		}
	}
	if len(ways) != 1 {
		return ""
	}
	return "write  " + ways[0]
}

// operandFirst says where item i stands that the verb itself takes and that was given to a
// clause that does not exist: of  roll with FAST  it is  roll FAST.
func (b *binder) operandFirst(i int) string {
	if i >= len(b.items) || b.verb == nil || b.verb.Decl == nil || len(b.verb.Decl.Pattern) == 0 {
		return ""
	}
	opt, ok := b.verb.Decl.Pattern[0].(*lang.PatOpt)
	if !ok {
		return ""
	}
	slot, ok := opt.Pattern[0].(*lang.PatSlot)
	t := b.Scopes[0].Targets[0]
	if !ok || !b.f.W.IsPart(slot.Type.Name.Name) || t.Ctx.vals[slot.Name.Name] != nil {
		return ""
	}
	if _, _, d := b.operand(t, slot, i, true); d != nil || !b.has(t, slot, b.items[i]) {
		return ""
	}
	return "it comes first:  " + b.verb.Name + " " + b.said(i)
}

// dotBehind says how a word of a clause is written that has a dot behind it:  vs. hard.
func (b *binder) dotBehind(i int) string {
	x, ok := b.items[i].(*lang.Dot)
	if !ok || decl.WordOf(x.X) == "" {
		return ""
	}
	word := decl.WordOf(x.X)
	for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
		if len(sc.beginning(word)) > 0 {
			return "write  " + word + " " + x.Name.Name
		}
	}
	return ""
}

// inDescription says to leave item i out if the word before it says the same already, as the
// description of its clause has both.
func (b *binder) inDescription(i int) string {
	if i == 0 {
		return ""
	}
	both := b.said(i-1) + " " + b.said(i)
	for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
		for _, c := range sc.Clauses {
			says := slices.ContainsFunc(c.cl.Pattern, func(p lang.Pat) bool {
				w, ok := p.(*lang.PatWord)
				return ok && w.Word == b.said(i-1)
			})
			if says && c.cl.Doc != nil && strings.Contains(decl.Plain(c.cl.Doc), both) {
				return "leave " + b.said(i) + " out:  " + strings.Join(b.saidBefore(i, 2), " ")
			}
		}
	}
	return ""
}

// traitVerbs names the verbs of those who act that take an operand of some type first.
func traitVerbs(w *decl.World, kind string) []string {
	var ways []string
	for _, name := range decl.VerbNames(w) {
		v := w.Verbs[name]
		if !v.Who || v.Decl == nil || v.Module == nil || v.Module.Script || len(v.Decl.Pattern) == 0 {
			continue
		}
		first := v.Decl.Pattern[0]
		if opt, ok := first.(*lang.PatOpt); ok {
			first = opt.Pattern[0]
		}
		if s, ok := first.(*lang.PatSlot); ok && (s.Type.Name.Name == kind || kind == "" && w.TakesCaps(s.Type.Name.Name)) {
			ways = append(ways, name)
		}
	}
	return ways
}

// alone says whether nothing can stand behind a verb.
func alone(v *decl.Verb) bool {
	return v.Decl != nil && len(v.Decl.Pattern) == 0 && len(v.Decl.Clauses) == 0
}

// standsAlone says what a verb does that takes nothing, and which verbs take a part of
// whoever acts.
func standsAlone(w *decl.World, v *decl.Verb) string {
	help := v.Name + " stands alone"
	if doc := decl.Plain(v.Decl.Doc); doc != "" {
		help += ": " + doc
	}
	if ways := traitVerbs(w, ""); len(ways) > 0 {
		help += "; verbs that take a trait: " + strings.Join(ways, ", ")
	}
	return help
}

// lacking says which clauses take what stands from item i on, had their first word been
// written: of  left d8  it is  load left d8.
func (b *binder) lacking(i int) string {
	var ways []string
	for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
		for _, c := range sc.Clauses {
			first, ok := b.patternOf(c.cl)[0].(*lang.PatWord)
			rest := b.patternOf(c.cl)[1:]
			if !ok || len(rest) < 2 {
				continue
			}
			_, one := rest[0].(*lang.PatSlot)
			_, two := rest[1].(*lang.PatSlot)
			if _, d := b.pattern(nil, sc.Targets, rest, i, true); d != nil || !one || !two {
				continue
			}
			here := b.said(i)
			if _, rated := b.items[i].(*lang.Rated); !rated && i+1 < len(b.items) {
				here += " " + b.said(i+1)
			}
			ways = merged(ways, []string{first.Word + " " + here})
		}
	}
	if len(ways) == 0 || len(ways) > 5 {
		return ""
	}
	return "write  " + strings.Join(ways, "  or  ")
}

// kindFirst says what to write where a choice of words was left out before item i:
// of  for physical  it is  for stress physical.
func (b *binder) kindFirst(ps []lang.Pat, i int) string {
	if len(ps) < 2 || b.verb == nil {
		return ""
	}
	kind, ok := ps[0].(*lang.PatSlot)
	next, ok2 := ps[1].(*lang.PatSlot)
	if !ok || !ok2 || len(kind.Type.OneOf) == 0 || len(kind.Type.OneOf) > 3 || next.Type.Name.Name != "word" {
		return ""
	}
	before := b.verb.Name
	if i > 0 {
		before = b.said(i - 1)
	}
	if i+1 < len(b.items) && slices.ContainsFunc(kind.Type.OneOf, func(id lang.Ident) bool { return id.Name == decl.WordOf(b.items[i+1]) }) {
		return "what it is comes first:  " + before + " " + b.said(i+1) + " " + b.said(i)
	}
	if decl.WordOf(b.items[i]) == "" && decl.NameOf(b.items[i]) == "" || b.isClause(i) || i+1 < len(b.items) && !b.isClause(i+1) {
		return ""
	}
	var ways []string
	for _, id := range kind.Type.OneOf {
		ways = append(ways, before+" "+id.Name+" "+b.said(i))
	}
	return "what it is comes first:  " + lang.OneOf(ways)
}

// leftOut says what to write without item i, which stands between a clause and an operand
// that it takes: of  vs Bad with FIGHT  it is  vs Bad FIGHT.
func (b *binder) leftOut(i int) string {
	if i+1 >= len(b.items) || b.isClause(i+1) {
		return ""
	}
	for k := i - 1; k >= 0; k-- {
		if !b.isClause(k) {
			continue
		}
		for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
			for _, c := range sc.beginning(decl.WordOf(b.items[k])) {
				if len(c.cl.Pattern) != i-k+1 {
					continue
				}
				opt, ok := c.cl.Pattern[i-k].(*lang.PatOpt)
				if !ok {
					continue
				}
				if _, slot := opt.Pattern[0].(*lang.PatSlot); !slot {
					continue
				}
				if _, d := b.pattern(nil, sc.Targets, opt.Pattern, i+1, true); d == nil {
					return "leave " + b.said(i) + " out:  " + strings.Join(append(b.saidBefore(i, i-k), b.said(i+1)), " ")
				}
			}
		}
		break
	}
	return ""
}

// again says how a clause that may be said several times takes item i, which stands behind
// a comma.
func (b *binder) again(i int) string {
	if i < 2 || !b.commas[i] {
		return ""
	}
	for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
		for _, c := range sc.beginning(decl.WordOf(b.items[i-2])) {
			if c.cl.Repeat {
				return "say it for each:  " + b.said(i-2) + " " + b.said(i-1) + " " + b.said(i-2) + " " + b.said(i)
			}
		}
	}
	return ""
}

// partInPieces gives what to write for the name of a part whose words stand apart, the last
// of them at item i:  Kung Fu  is  KUNG_FU  or  "Kung Fu".
func (b *binder) partInPieces(i int) string {
	if i == 0 {
		return ""
	}
	before := strings.Fields(strings.NewReplacer("+", " ", ",", " ").Replace(b.said(i - 1)))
	after := strings.Fields(strings.NewReplacer("+", " ", ",", " ").Replace(b.said(i)))
	if len(before) == 0 || len(after) == 0 {
		return ""
	}
	name := before[len(before)-1] + " " + after[0]
	if b.f.W.IsPartName(name) {
		return inQuotes(name)
	}
	if caps := strings.ToUpper(strings.ReplaceAll(name, " ", "_")); b.f.W.IsPartName(caps) {
		return "the words of a trait are joined by _:  " + caps
	}
	return ""
}

// joinsPool says how a trait that was named like a clause joins the pool:
// with JACKET  is  + JACKET.
func (b *binder) joinsPool(i int) string {
	if i+1 >= len(b.items) || b.pooled == 0 || len(b.Scopes[0].Targets) == 0 {
		return ""
	}
	own := b.f.EntityOf(b.Scopes[0].Targets[0].Actor)
	if own == nil || own.Adhoc || own.Part(decl.NameOf(b.items[i+1])) == nil {
		return ""
	}
	if name := b.said(i + 1); strings.Contains(b.said(b.pooled-1), name) {
		return ""
	}
	return "it joins the pool:  " + b.said(b.pooled-1) + " + " + b.said(i+1)
}

// conditionFirst says where a condition stands that was written before what it is about.
func (b *binder) conditionFirst(i int) string {
	word := decl.WordOf(b.items[i])
	for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
		for _, c := range sc.Clauses {
			var words []string
			for _, p := range c.cl.Pattern {
				if w, ok := p.(*lang.PatWord); ok {
					words = append(words, w.Word)
				}
				opt, ok := p.(*lang.PatOpt)
				if !ok || len(opt.Pattern) != 2 {
					continue
				}
				w, ok := opt.Pattern[0].(*lang.PatWord)
				slot, ok2 := opt.Pattern[1].(*lang.PatSlot)
				if ok && ok2 && w.Word == word && slot.Type.Name.Name == "condition" && i+1 < len(b.items) {
					return "write it after what it is about:  " + strings.Join(words, " ") + " " + word + " " + b.said(i+1)
				}
			}
		}
	}
	return ""
}

// title says how to write a title that stands without quotes, where the verb takes one.
func (b *binder) title(i int) string {
	if i != 0 || b.verb == nil || b.verb.Decl == nil {
		return ""
	}
	for _, p := range b.verb.Decl.Pattern {
		if opt, ok := p.(*lang.PatOpt); ok && len(opt.Pattern) > 0 {
			p = opt.Pattern[0]
		}
		if s, ok := p.(*lang.PatSlot); ok && s.Type.Name.Name == "text" {
			return "write a text in quotes:  " + b.verb.Name + " \"" + b.said(i) + "\""
		}
	}
	return ""
}

// throwsPool says whether the verb has a place for a pool at all.
func (b *binder) throwsPool() bool {
	found := false
	look := func(ps []lang.Pat) {
		for _, p := range ps {
			if s, ok := p.(*lang.PatSlot); ok && s.Type.Name.Name == "terms" {
				found = true
			}
			if o, ok := p.(*lang.PatOpt); ok {
				for _, q := range o.Pattern {
					if s, ok := q.(*lang.PatSlot); ok && s.Type.Name.Name == "terms" {
						found = true
					}
				}
			}
		}
	}
	if b.verb != nil && b.verb.Decl != nil {
		look(b.verb.Decl.Pattern)
	}
	for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
		for _, c := range sc.Clauses {
			look(c.cl.Pattern)
		}
	}
	return found
}

func short(names []string) []string {
	if len(names) > 8 {
		return append(slices.Clone(names[:8]), "…")
	}
	return names
}

func (b *binder) clauseNames() []string {
	var names []string
	for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
		for _, c := range sc.Clauses {
			if w := decl.FirstWord(c.cl); w != "" && w != "\x00" && !slices.Contains(names, w) {
				names = append(names, w)
			}
		}
	}
	return names
}

// errExpected says that the word of a pattern is missing at item i, which the pattern has at k.
func (b *binder) errExpected(i int, ps []lang.Pat, k int) *lang.Diagnostic {
	word := ps[k].(*lang.PatWord).Word
	if i >= len(b.items) {
		return b.expected(i, word)
	}
	d := b.expected(i, word)
	here := decl.WordOf(b.items[i])
	switch {
	case k+1 < len(ps) && b.wouldFit(ps[k+1], i):
		d.Help = "write  " + strings.Join(append(b.saidBefore(i, k), word, b.said(i)), " ")
	case i > 0 && i+1 < len(b.items) && !decl.IsNumeral(b.items[i]) && decl.WordOf(b.items[i+1]) == word:
		d.Help = "leave " + b.said(i) + " out:  " + b.said(i-1) + " " + word
		if k+1 < len(ps) && i+2 < len(b.items) {
			if _, ok := ps[k+1].(*lang.PatSlot); ok {
				d.Help += " " + b.said(i+2)
			}
		}
	case k == 0 && i == 0 && len(b.items) > 1 && decl.WordOf(b.items[1]) == word && decl.NameOf(b.items[0]) != "" && here == "":
		d.Help = fmt.Sprintf("put the name first:  %s: %s %s …", decl.QuoteName(decl.NameOf(b.items[0])), b.verb.Name, word)
	case here != "":
		decl.Suggest(d, here, b.wordsAfter(i))
	}
	b.wonder(d, b.items[i])
	return d
}

// expected says that something else is needed at item i, or after the last. What is
// needed is remembered, so that the mistakes of clauses that begin alike can be told as one.
func (b *binder) expected(i int, what ...string) *lang.Diagnostic {
	at, where := b.endSpan(), "after this"
	if i < len(b.items) {
		at, where = b.items[i].Range(), "here"
	}
	d := decl.ErrAt(at, "SP0324", "expected %s %s", lang.OneOf(what), where)
	if b.needs == nil {
		b.needs = map[*lang.Diagnostic][]string{}
	}
	b.needs[d] = what
	if i+1 < len(b.items) {
		if word := decl.WordOf(b.items[i]) + "_" + decl.WordOf(b.items[i+1]); slices.Contains(what, word) {
			d.Help = "its words are joined by _:  " + word
		}
	}
	return d
}

// wouldFit says whether item i is what a pattern goes on with, had the word before it been written.
func (b *binder) wouldFit(p lang.Pat, i int) bool {
	switch p := p.(type) {
	case *lang.PatWord:
		return decl.WordOf(b.items[i]) == p.Word
	case *lang.PatOpt:
		return len(p.Pattern) > 0 && b.wouldFit(p.Pattern[0], i)
	case *lang.PatSlot:
		return decl.IsNumeral(b.items[i]) && (p.Type.Name.Name == "number" || p.Type.Name.Name == "whole")
	}
	return false
}

// said is item i as it was written.
func (b *binder) said(i int) string {
	at := b.items[i].Range()
	return at.Src.Text[at.Start:at.End]
}

// saidBefore gives the n items before item i as they were written.
func (b *binder) saidBefore(i, n int) []string {
	var out []string
	for j := max(0, i-n); j < i; j++ {
		out = append(out, b.said(j))
	}
	return out
}

// wordsAfter lists the words that could stand at item i, behind item i-1.
func (b *binder) wordsAfter(i int) []string {
	if i == 0 {
		return nil
	}
	head := decl.WordOf(b.items[i-1])
	var names []string
	for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
		for _, c := range sc.Clauses {
			for k, p := range c.cl.Pattern[:max(0, len(c.cl.Pattern)-1)] {
				w, ok := p.(*lang.PatWord)
				n, ok2 := c.cl.Pattern[k+1].(*lang.PatWord)
				if ok && ok2 && w.Word == head {
					names = append(names, n.Word)
				}
			}
		}
	}
	return names
}

func (b *binder) endSpan() lang.Span {
	if len(b.items) == 0 {
		return b.Scopes[0].Targets[0].Ctx.at
	}
	return b.items[len(b.items)-1].Range()
}

func (b *binder) errMissing(p *lang.PatSlot) *lang.Diagnostic {
	return b.expected(len(b.items), b.wanted(p)...)
}

// wanted lists what a slot takes.
func (b *binder) wanted(p *lang.PatSlot) []string {
	switch n := p.Type.Name.Name; n {
	case "number", "whole":
		what := "a number"
		if n == "whole" {
			what = "a whole number"
		}
		return []string{what + rangeInWords(p.Type.Range)}
	case "word":
		return []string{"a name in capitals or in quotes", "a word"}
	case "die", "list", "condition":
		return []string{decl.AOrAn(n)}
	case "text":
		return []string{"a text in quotes"}
	case "truth":
		return []string{"yes", "no"}
	case "dice":
		return []string{"dice"}
	case "terms":
		return []string{"traits and dice with + between them"}
	case "features":
		return []string{"features in brackets"}
	case "symbol", "any":
		return []string{"the " + strings.ReplaceAll(p.Name.Name, "_", " ")}
	case "one":
		var names []string
		for _, id := range p.Type.OneOf {
			names = append(names, id.Name)
		}
		return names
	default:
		return []string{decl.AOrAn(n)}
	}
}

// rangeInWords says a range as a reader would: " from 1 to 4", " of 1 or more".
func rangeInWords(e lang.Expr) string {
	r, ok := e.(*lang.Range)
	if !ok {
		return ""
	}
	switch {
	case r.Lo == nil:
		return " up to " + decl.Text(r.Hi.Range())
	case r.Hi == nil:
		return " of " + decl.Text(r.Lo.Range()) + " or more"
	}
	return " from " + decl.Text(r.Lo.Range()) + " to " + decl.Text(r.Hi.Range())
}

func (b *binder) errOperand(p *lang.PatSlot, i int) *lang.Diagnostic {
	e := b.items[i]
	d := b.expected(i, b.wanted(p)...)
	_, caps := e.(*lang.Caps)
	switch p.Type.Name.Name {
	case "number", "whole", "text", "die", "dice":
		if caps || b.f.W.IsSomebody(decl.NameOf(e)) {
			b.wonder(d, e)
		}
	default:
		b.wonder(d, e)
	}
	if sum, ok := e.(*lang.Binary); ok && (sum.Op == "+" || sum.Op == "and") && !decl.IsNumeral(sum.Y) {
		x, y := decl.Text(sum.X.Range()), decl.Text(sum.Y.Range())
		_, dice := sum.X.(*lang.Dice)
		switch {
		case b.f.W.Sheets[p.Type.Name.Name] != nil && p.Type.Many:
			d.Help = "commas stand between them:  " + x + ", " + y
		case b.f.W.IsPart(p.Type.Name.Name) && dice:
			d.Help = "one " + p.Type.Name.Name + " stands here:  " + y
		case b.f.W.IsPart(p.Type.Name.Name):
			d.Help = "one " + p.Type.Name.Name + " stands here:  " + x
		case p.Type.Name.Name == "terms" && sum.Op == "and":
			d.Help = "a pool has a + between traits and dice:  " + x + " + " + y
		}
	}
	if name, ok := e.(*lang.Name); ok && d.Help == "" && (p.Type.Name.Name == "whole" || p.Type.Name.Name == "number") && b.f.W.IsSomebody(decl.NameOf(name)) {
		if word := b.beforeSomebody(); word != "" {
			d.Help = "write who gets it after " + word + ":  … " + word + " " + b.said(i)
		}
	}
	if _, dotted := e.(*lang.Dot); dotted || b.f.W.Sheets[p.Type.Name.Name] != nil {
		whole := b.f.W.Unquoted(b.items[i:])
		if whole == "" && i > 0 && decl.IsNumeral(e) {
			whole = b.f.W.Unquoted(b.items[i-1 : i+1])
		}
		if whole != "" {
			d.Help = decl.InQuotes(whole)
		}
	}
	if r, ok := e.(*lang.Rated); ok && p.Type.Name.Name == "whole" && b.f.W.IsSomebody(decl.NameOf(r.X)) && i+1 < len(b.items) {
		if word := b.beforeSomebody(); word != "" {
			d.Help = "write  " + b.verb.Name + " " + decl.Text(r.Rating.Range()) + " " + b.said(i+1) + " " + word + " " + decl.Text(r.X.Range())
		}
	}
	if r, ok := e.(*lang.Rated); ok && p.Type.Name.Name == "word" {
		d.Help = "leave " + decl.Text(r.Rating.Range()) + " out:  " + decl.Text(r.X.Range())
	}
	if w, ok := e.(*lang.Word); ok && d.Help == "" && i+1 < len(b.items) && (p.Type.Name.Name == "dice" || p.Type.Name.Name == "die") && decl.IsRating(b.items[i+1]) {
		d.Help = "leave " + w.Name + " out:  " + b.behindVerb(i) + b.said(i+1)
	}
	return d
}

// behindVerb is what stands before item i, a word of the command or the verb, and a space.
func (b *binder) behindVerb(i int) string {
	switch {
	case i > 0:
		return b.said(i-1) + " "
	case b.verb != nil:
		return b.verb.Name + " "
	}
	return ""
}

// beforeSomebody is the word that stands before somebody among the operands of the verb:
// to  in  give 1 luck to Ann.
func (b *binder) beforeSomebody() string {
	if b.verb == nil || b.verb.Decl == nil {
		return ""
	}
	ps := b.verb.Decl.Pattern
	for k := 1; k < len(ps); k++ {
		w, ok := ps[k-1].(*lang.PatWord)
		s, ok2 := ps[k].(*lang.PatSlot)
		if ok && ok2 && w.Word == "to" && b.f.W.Sheets[s.Type.Name.Name] != nil {
			return w.Word
		}
	}
	return ""
}

// wonder notes the item that a mistake is about.
func (b *binder) wonder(d *lang.Diagnostic, e lang.Expr) {
	if b.odd == nil {
		b.odd = map[*lang.Diagnostic]lang.Expr{}
	}
	b.odd[d] = e
}

// figures gives a hint where somebody wrote a number that could stand in another game:
// vs 12, DEXTERITY - 2. needs are the things that could stand there.
func (b *binder) figures(e lang.Expr, needs []string) string {
	if decl.IsNumeral(e) {
		var words []string
		for _, s := range needs {
			if !strings.Contains(s, " ") && s == strings.ToLower(s) {
				words = append(words, s)
			}
		}
		if i := slices.IndexFunc(b.items, func(x lang.Expr) bool { return x == e }); i > 0 && len(words) > 0 {
			if i+1 < len(b.items) && slices.Contains(words, decl.WordOf(b.items[i+1])) {
				said := b.said(i-1) + " " + b.said(i+1)
				next := b.after(b.said(i-1), b.said(i+1))
				switch {
				case len(next) == 0:
				case i+2 < len(b.items) && slices.Contains(next, decl.WordOf(b.items[i+2])):
					said += " " + b.said(i+2)
				default:
					said += " and what it is for, such as  " + said + " " + next[0]
					if len(next) > 1 {
						said += "; there is " + strings.Join(short(next), ", ")
					}
				}
				return "leave the number out:  " + said
			}
			middle := len(words) / 2 // of easy to hard, say; of two the first
			if len(words) == 2 {
				middle = 0
			}
			return "no number can stand here; write for example  " + b.said(i-1) + " " + words[middle]
		}
		return ""
	}
	x, ok := e.(*lang.Binary)
	if !ok || x.Op != "-" && x.Op != "+" || !decl.IsNumeral(x.Y) {
		return ""
	}
	if word := b.addsNumber(); word != "" {
		return "for a bonus or a penalty write  " + decl.Text(x.X.Range()) + " " + word + " " + strings.TrimPrefix(x.Op, "+") + decl.Text(x.Y.Range())
	}
	return "numbers do not join traits and dice; write  " + decl.Text(x.X.Range()) + "  without the number"
}

// after lists the words that have to follow these in a clause; none where one ends there.
func (b *binder) after(words ...string) (next []string) {
	for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
		for _, c := range sc.Clauses {
			ps := c.cl.Pattern
			same := len(ps) >= len(words)
			for k := 0; same && k < len(words); k++ {
				w, ok := ps[k].(*lang.PatWord)
				same = ok && w.Word == words[k]
			}
			if !same {
				continue
			}
			if len(ps) == len(words) {
				return nil
			}
			switch p := ps[len(words)].(type) {
			case *lang.PatWord:
				next = merged(next, []string{p.Word})
			case *lang.PatSlot:
				for _, id := range p.Type.OneOf {
					next = merged(next, []string{id.Name})
				}
			}
		}
	}
	return next
}

// err tells a mistake; of an item that is not what is expected, what comes nearest
// to the first of its names that nobody knows.
func (b *binder) err(d *lang.Diagnostic) {
	defer b.f.Err(d)
	e := b.odd[d]
	if e == nil || d.Help != "" {
		return
	}
	if d.Help = b.figures(e, b.needs[d]); d.Help != "" {
		return
	}
	if d.Help = joinedUp(e, b.needs[d]); d.Help != "" {
		return
	}
	if w, ok := e.(*lang.Word); ok {
		if d.Help = b.further(w.Name); d.Help != "" {
			return
		}
	}
	i := slices.Index(b.items, e)
	if i > 0 {
		if d.Help = b.partInPieces(i); d.Help != "" {
			return
		}
	}
	switch e.(type) {
	case *lang.Caps, *lang.Binary, *lang.Name, *lang.Text:
		if i > 0 {
			if d.Help = b.takers(i); d.Help != "" {
				if b.f.W.IsSomebody(decl.NameOf(e)) {
					d.Help += "  in place of  " + b.said(i-1) + " " + b.said(i)
				}
				return
			}
		}
	case *lang.Word:
		if i >= 0 && i+1 < len(b.items) {
			if d.Help = b.takers(i + 1); d.Help != "" {
				return
			}
		}
	}
	if i >= 0 {
		if d.Help = b.lacking(i); d.Help != "" {
			return
		}
	}
	if s := b.f.InCapitals(e); s != "" {
		d.Help = "traits are written in capitals:  " + s
		return
	}
	lang.Walk(e, func(x lang.Node) bool {
		if d.Help != "" {
			return false
		}
		switch x := x.(type) {
		case *lang.Word:
			if b.f.KnownWord(x) == nil && !b.f.W.IsEntry(x.Name) {
				decl.Suggest(d, x.Name, append(b.f.Known(), b.f.W.EntryWords()...))
			}
		case *lang.Name:
			if names := b.f.W.InstanceNames(); !slices.Contains(names, x.Name) {
				decl.Suggest(d, x.Name, names)
			}
		}
		return true
	})
}

func inQuotes(name string) string {
	return "write a name of several words in quotes:  \"" + name + "\""
}
