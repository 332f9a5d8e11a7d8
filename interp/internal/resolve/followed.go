package resolve

import (
	"setpiece/interp/internal/code"
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
	if e == nil {
		return nil, nil
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
// was set to something else stays, and is told.
func (f *Fn) followed(set *ir.Node) *ir.Node {
	in, moved := Inference{Of: f.W}, map[int]bool{set.A: true}
	if d := watchOf(f.W).Deeds; d != nil {
		in.w = d.In.scratch()
	}
	x := set.Kids[0]
	before, after := f.Mk(ir.NSeq, set.At), f.Mk(ir.NSeq, set.At)
	for e := f.EntityOf(x); e != nil; e = e.Owner {
		obj := ConstRef(e, set.At)
		f.Selves = append(f.Selves, Self{Ent: e, Sheet: e.Sheet})
		for _, fd := range e.Sheet.Fields {
			_, begins := fd.Def.(*lang.Word) // the name of another field alone: it is that at first
			mf := &e.Sheet.Typ.Fields[fd.Index]
			if mf.Const || mf.Per >= 0 || fd.Def == nil || begins || obj.V == x.V && fd.Sym == set.A || !in.reads(f.Expr(fd.Def), moved, map[int]bool{}) {
				continue
			}
			moved[fd.Sym] = true
			node := func(op ir.NodeOp, a int, kids ...*ir.Node) *ir.Node {
				n := f.Mk(op, set.At, kids...)
				n.A = a
				return n
			}
			was, now := node(ir.NLocal, f.Hidden(1)), node(ir.NLocal, f.Hidden(1))
			before.Kids = append(before.Kids, node(ir.NSet, was.A, f.Expr(fd.Def)))
			move := node(ir.NSetField, fd.Sym, obj, now)
			move.Rule = code.ByHand
			stays := node(ir.NEvent, 0, f.Constant(f.W.Heap.OfText(fd.Name+" stays: it was set"), set.At))
			stays.Info = &ir.SayInfo{Kind: "note"}
			after.Kids = append(after.Kids, node(ir.NSet, now.A, f.Expr(fd.Def)), node(ir.NIf, 0, node(ir.NBin, int(code.Ne), was, now),
				node(ir.NIf, 0, node(ir.NBin, int(code.Eq), node(ir.NField, fd.Sym, obj), was), move, stays), nil))
		}
		f.Selves = f.Selves[:len(f.Selves)-1]
	}
	if len(after.Kids) == 0 {
		return set
	}
	return f.Mk(ir.NSeq, set.At, before, set, after)
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
