package resolve

import (
	"fmt"
	"math"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/value"
)

// This file finds conditions that can never hold, because a figure does not reach what it is
// compared with:
//
//	when worst(Fang) >= 10: retreat        # worst counts steps of a ladder of five dice
//
// The figures that an expression can have are an interval, that of the elements where it is a
// list: from the ranges of fields, from constants, from what rules return (interval analysis,
// Cousot and Cousot, Static determination of dynamic properties of programs, 1976). What is not
// known has no bounds, so only what never holds is reported.

type bounds struct{ lo, hi float64 }

var unbounded = bounds{math.Inf(-1), math.Inf(1)}

func (b bounds) or(c bounds) bounds { return bounds{min(b.lo, c.lo), max(b.hi, c.hi)} }

// Never says why a condition never holds, "" where it may.
func (f *Fn) Never(n *ir.Node) string {
	in := &Inference{Of: f.W}
	b := &bounder{in: in, busy: map[int]bool{}}
	switch {
	case n.Op == ir.NConst && n.Info == nil && n.V == value.No:
		return "this never holds"
	case n.Op == ir.NAnd:
		if why := f.Never(n.Kids[0]); why != "" {
			return why
		}
		return f.Never(n.Kids[1])
	case n.Op == ir.NOr:
		if f.Never(n.Kids[0]) != "" {
			return f.Never(n.Kids[1])
		}
	case n.Op == ir.NBin && n.Kids[1].Op == ir.NConst && n.Kids[1].V.IsNumber():
		x, c := b.of(f, n.Kids[0]), b.of(f, n.Kids[1])
		what := decl.Text(n.Kids[0].At)
		switch op := code.Op(n.A); {
		case op == code.Gt && x.hi <= c.lo, op == code.Ge && x.hi < c.lo, op == code.Eq && x.hi < c.lo:
			return fmt.Sprintf("%s is at most %v", what, x.hi)
		case op == code.Lt && x.lo >= c.lo, op == code.Le && x.lo > c.lo, op == code.Eq && x.lo > c.lo:
			return fmt.Sprintf("%s is at least %v", what, x.lo)
		}
	}
	return ""
}

// bounder finds the bounds of expressions.
type bounder struct {
	in   *Inference
	busy map[int]bool // rules that are being looked into
}

func (b *bounder) of(f *Fn, n *ir.Node) bounds {
	switch n.Op {
	case ir.NConst:
		return b.ofValue(f.W.Heap, n.V)
	case ir.NField:
		return b.ofField(f.W, n.A)
	case ir.NNeg:
		x := b.of(f, n.Kids[0])
		return bounds{-x.hi, -x.lo}
	case ir.NList:
		return b.all(f, n.Kids)
	case ir.NCond, ir.NElse:
		return b.all(f, n.Kids[len(n.Kids)-2:])
	case ir.NComp:
		if n.Info == "list" {
			return b.of(f, n.Kids[2])
		}
	case ir.NCall:
		return b.ofRule(n.A)
	case ir.NBin:
		x, y := b.of(f, n.Kids[0]), b.of(f, n.Kids[1])
		switch {
		case code.Op(n.A) == code.Add && isList(n.Kids[0]) && isList(n.Kids[1]):
			return x.or(y)
		case code.Op(n.A) == code.Add:
			return bounds{x.lo + y.lo, x.hi + y.hi}
		case code.Op(n.A) == code.Sub:
			return bounds{x.lo - y.hi, x.hi - y.lo}
		}
	case ir.NBuiltin:
		return b.ofBuiltin(f, n)
	}
	return unbounded
}

func isList(n *ir.Node) bool {
	return n.Op == ir.NList || n.Op == ir.NComp && n.Info == "list" || n.Op == ir.NConst && n.V.Kind() == value.List
}

func (b *bounder) all(f *Fn, ns []*ir.Node) bounds {
	out := bounds{math.Inf(1), math.Inf(-1)}
	for _, n := range ns {
		out = out.or(b.of(f, n))
	}
	return out
}

func (b *bounder) ofValue(h *value.Heap, v ir.V) bounds {
	switch {
	case v.IsNumber():
		x, _ := h.RatOf(v).Float64()
		return bounds{x, x}
	case v.Kind() == value.List:
		out := bounds{math.Inf(1), math.Inf(-1)}
		for _, e := range h.Elems(v) {
			out = out.or(b.ofValue(h, e))
		}
		return out
	}
	return unbounded
}

// ofField gives the bounds of the field of a name, on whatever sheet.
func (b *bounder) ofField(w *decl.World, sym int) bounds {
	out := bounds{math.Inf(1), math.Inf(-1)}
	for _, sh := range w.FieldOf[w.Prog.Symbols[sym]] {
		x := unbounded
		if fd := sh.ByName[w.Prog.Symbols[sym]]; fd != nil {
			if mf := &sh.Typ.Fields[fd.Index]; mf.Check == code.InRange {
				if mf.Lo != value.None {
					x.lo = b.ofValue(w.Heap, mf.Lo).lo
				}
				if mf.Hi != value.None {
					x.hi = b.ofValue(w.Heap, mf.Hi).hi
				}
			}
		}
		out = out.or(x)
	}
	if out.lo > out.hi {
		return unbounded
	}
	return out
}

// ofRule gives the bounds of what a rule returns. Its parameters may be anything.
func (b *bounder) ofRule(slot int) bounds {
	if b.busy[slot] {
		return unbounded
	}
	b.busy[slot] = true
	defer delete(b.busy, slot)
	f, body := b.in.resolve(slot)
	if body == nil {
		return unbounded
	}
	if n := f.returned(body); n != nil {
		return b.of(f, n)
	}
	return unbounded
}

func (b *bounder) ofBuiltin(f *Fn, n *ir.Node) bounds {
	switch code.Builtins[n.A].Name {
	case "size":
		return bounds{0, math.Inf(1)}
	case "index":
		if list := b.constantList(f, n.Kids[0]); list > 0 {
			return bounds{1, float64(list)}
		}
		return bounds{1, math.Inf(1)}
	case "max", "min", "first", "last", "floor":
		if len(n.Kids) == 1 {
			return b.of(f, n.Kids[0])
		}
		out := b.of(f, n.Kids[0])
		for _, k := range n.Kids[1:] {
			x := b.of(f, k)
			if code.Builtins[n.A].Name == "max" {
				out = bounds{max(out.lo, x.lo), max(out.hi, x.hi)}
			} else {
				out = bounds{min(out.lo, x.lo), min(out.hi, x.hi)}
			}
		}
		return out
	}
	return unbounded
}

// constantList gives how many elements a list has that never changes, 0 where that is not known.
func (b *bounder) constantList(f *Fn, n *ir.Node) int {
	switch {
	case n.Op == ir.NConst && n.V.Kind() == value.List:
		return len(f.W.Heap.Elems(n.V))
	case n.Op == ir.NList:
		return len(n.Kids)
	case n.Op == ir.NCall && len(n.Kids) == 0 && !b.busy[n.A]:
		if g, body := b.in.resolve(n.A); body != nil {
			if r := g.returned(body); r != nil && r.Op != ir.NCall {
				return b.constantList(g, r)
			}
		}
	}
	return 0
}
