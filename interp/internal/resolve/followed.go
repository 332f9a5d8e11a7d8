package resolve

import (
	"maps"
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/lang"
)

// ofTrait has a line that sets a trait of somebody set the field with its number or die:  Ann.AIM = 5  is
// Ann.AIM.rating = 5. add puts a trait on the sheet that is not there; nil, nil if no trait is set.
func (f *Fn) ofTrait(s *lang.Assign) (rated *lang.Assign, add *ir.Node) {
	dot, ok := s.Target.(*lang.Dot)
	if !ok {
		return nil, nil
	}
	if _, field := f.W.FieldSyms[dot.Name.Name]; field {
		return nil, nil
	}
	before := len(f.Diags)
	e := f.EntityOf(f.subject(dot.X))
	f.Diags = f.Diags[:before]
	if _, known := f.W.FieldSyms["rating"]; e == nil && (!f.Script || !known || !f.W.IsPartName(dot.Name.Name)) {
		return nil, nil
	} else if e == nil { // as in a loop
		set := *s
		set.Target = &lang.Dot{Span: dot.Span, X: dot, Name: lang.Ident{Span: dot.Name.Span, Name: "rating"}}
		return &set, nil
	}
	add = Nothing(s.Span)
	part := e.Part(dot.Name.Name)
	if fd := e.Sheet.CapsField(); fd != nil && f.Script && (part == nil && OtherPart(f.W, dot.Name.Name) || part != nil && part.Late) {
		if part == nil {
			part = layOut(f.W, f.W.Sheets[fd.Sheet], dot.Name.Name, e, dot.Name.Span)
			part.Late = true
		}
		one := f.Mk(ir.NList, s.Span, ConstRef(part, s.Span))
		all := f.Mk(ir.NField, s.Span, ConstRef(e, s.Span))
		all.A = fd.Sym
		more := f.Mk(ir.NBin, s.Span, all, one)
		more.A = int(code.Add)
		there := f.Mk(ir.NBin, s.Span, one.Kids[0], all)
		there.A = int(code.In)
		put := f.Mk(ir.NSetField, s.Span, ConstRef(e, s.Span), more)
		put.A = fd.Sym
		add = f.Mk(ir.NIf, s.Span, f.Mk(ir.NNot, s.Span, there), put, nil)
	}
	if part == nil || len(part.Sheet.Fields) == 0 {
		return nil, nil
	}
	field := part.Sheet.Fields[0]
	if r := part.Sheet.ByName["rating"]; r != nil {
		field = r
	}
	set := *s
	set.Target = &lang.Dot{Span: dot.Span, X: dot, Name: lang.Ident{Span: dot.Name.Span, Name: field.Name}}
	return &set, add
}

// followed has what a sheet works out from a field follow it when a script sets that, in the order of the sheet. What
// was set to something else stays, and is told. Where only a run knows whose field it is, as in a loop, it asks there
// which sheet that is.
func (f *Fn) followed(set *ir.Node) *ir.Node {
	w := follower{f: f, in: Inference{Of: f.W}, set: set, moved: map[int]bool{set.A: true}}
	if d := watchOf(f.W).Deeds; d != nil {
		w.in.w = d.In.scratch()
	}
	x := set.Kids[0]
	before, after := f.Mk(ir.NSeq, set.At), f.Mk(ir.NSeq, set.At)
	add := func(b, a *ir.Node) {
		if a != nil {
			before.Kids, after.Kids = append(before.Kids, b), append(after.Kids, a)
		}
	}
	for e := f.EntityOf(x); e != nil; e = e.Owner {
		add(w.sheet(Self{Ent: e, Sheet: e.Sheet}, e.Ref() == x.V))
	}
	if f.EntityOf(x) == nil {
		holds := func(fd *decl.Field) bool { return fd.Sym == set.A }
		for of, own := x, true; ; own = false {
			at := f.Hidden(1)
			before.Kids = append(before.Kids, w.node(ir.NSet, at, of))
			sheets := w.among(holds)
			add(w.either(sheets, at, own))
			if own {
				set.Kids[0] = w.node(ir.NLocal, at)
			}
			if holds = func(fd *decl.Field) bool { return fd.As != "" && slices.Contains(sheets, f.W.Sheets[fd.Sheet]) }; len(w.among(holds)) == 0 || !own {
				break
			}
			of = w.node(ir.NBuiltin, code.BuiltinIndex("owner"), w.node(ir.NLocal, at))
		}
	}
	if len(after.Kids) == 0 {
		set.Kids[0] = x
		return set
	}
	return f.Mk(ir.NSeq, set.At, before, set, after)
}

// follower finds what follows a field that is set.
type follower struct {
	f     *Fn
	in    Inference
	set   *ir.Node
	moved map[int]bool // the fields that are set, and follow
}

func (w *follower) node(op ir.NodeOp, a int, kids ...*ir.Node) *ir.Node {
	n := w.f.Mk(op, w.set.At, kids...)
	n.A = a
	return n
}

// among gives the sheets that have such a field, those before theirs.
func (w *follower) among(holds func(*decl.Field) bool) (all []*decl.Sheet) {
	for _, name := range decl.SheetNames(w.f.W) {
		if sh := w.f.W.Sheets[name]; slices.ContainsFunc(sh.Fields, holds) {
			all = append(all, sh)
		}
	}
	depth := func(sh *decl.Sheet) (n int) {
		for ; sh != nil; sh = sh.Base {
			n++
		}
		return n
	}
	slices.SortStableFunc(all, func(a, b *decl.Sheet) int { return depth(a) - depth(b) })
	return all
}

// either is what sheet gives for that of some sheets which somebody has.
func (w *follower) either(sheets []*decl.Sheet, at int, own bool) (before, after *ir.Node) {
	moved, all := w.moved, maps.Clone(w.moved)
	for _, sh := range sheets {
		w.moved = maps.Clone(moved)
		b, a := w.sheet(Self{At: at, Sheet: sh}, own)
		maps.Copy(all, w.moved)
		switch {
		case a == nil && after == nil:
			continue
		case a == nil:
			b, a = w.node(ir.NSeq, 0), w.node(ir.NSeq, 0)
		}
		is := w.node(ir.NBuiltin, code.BuiltinIndex("is"), w.node(ir.NLocal, at), w.f.Constant(w.f.W.Heap.OfSymbol(sh.Name), w.set.At))
		before, after = w.node(ir.NIf, 0, is, b, before), w.node(ir.NIf, 0, is, a, after)
	}
	w.moved = all
	return before, after
}

// sheet gives what stands before and after the setting for those fields of a sheet that follow it, nil for none.
func (w *follower) sheet(self Self, own bool) (before, after *ir.Node) {
	f := w.f
	obj := f.SelfNode(&self, w.set.At)
	f.Selves = append(f.Selves, self)
	for _, fd := range self.Sheet.Fields {
		_, begins := fd.Def.(*lang.Word) // the name of another field alone: it is that at first
		mf := &self.Sheet.Typ.Fields[fd.Index]
		if mf.Const || mf.Per >= 0 || fd.Def == nil || begins || own && fd.Sym == w.set.A || !w.in.reads(f.Expr(fd.Def), w.moved, map[int]bool{}) {
			continue
		}
		w.moved[fd.Sym] = true
		if after == nil {
			before, after = w.node(ir.NSeq, 0), w.node(ir.NSeq, 0)
		}
		was, now := w.node(ir.NLocal, f.Hidden(1)), w.node(ir.NLocal, f.Hidden(1))
		before.Kids = append(before.Kids, w.node(ir.NSet, was.A, f.Expr(fd.Def)))
		move := w.node(ir.NSetField, fd.Sym, obj, now)
		move.Rule = code.ByHand
		stays := w.node(ir.NEvent, 0, f.Constant(f.W.Heap.OfText(fd.Name+" stays: it was set"), w.set.At))
		stays.Info = &ir.SayInfo{Kind: "note"}
		after.Kids = append(after.Kids, w.node(ir.NSet, now.A, f.Expr(fd.Def)), w.node(ir.NIf, 0, w.node(ir.NBin, int(code.Ne), was, now),
			w.node(ir.NIf, 0, w.node(ir.NBin, int(code.Eq), w.node(ir.NField, fd.Sym, obj), was), move, stays), nil))
	}
	f.Selves = f.Selves[:len(f.Selves)-1]
	return before, after
}

// reads says whether something, or a rule that it calls, reads one of some fields.
func (in *Inference) reads(n *ir.Node, fields, seen map[int]bool) (found bool) {
	n.Each(func(n *ir.Node) {
		switch {
		case n.Op == ir.NField || n.Op == ir.NFieldOr:
			found = found || fields[n.A]
		case n.Op == ir.NCall && !seen[n.A]:
			seen[n.A] = true
			_, body := in.resolve(n.A)
			found = found || in.reads(body, fields, seen)
		}
	})
	return found
}
