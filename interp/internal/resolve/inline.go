package resolve

import (
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/gen"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Many rules say one thing in one line, and are called from everywhere:
//
//	rule out(x) = x.fled or x.beaten
//	rule standing(x) = x.present and not out(x)
//
// Their expression is compiled in the place of the call (inline expansion). Arguments are
// worked out first, once and in their order, unless they are variables or constants, which
// stand for the parameters as they are. So  if standing(x) { … }  reads three fields and jumps
// on each, with no call, no truth that is made only to be tested, and nothing copied. Small
// procedures gain most, and large ones only make the code longer (Ayers, Schooler and Gottlieb,
// Aggressive inlining, 1997), so there is a bound to the size.
//
// Such a rule is a leaf: it calls nothing but leaves, itself never, it throws and asks
// nothing, refuses nothing and makes no records. So a run never waits inside one, and whoever
// looks at the functions at work then misses none. Only errors are told from within:
// code.Inlined keeps the chain of calls that they show.
//
// A rule can be replaced, but not without World.renew: what is made of the old one is
// forgotten then, wherever it stands. For the same reason only functions of modules take
// leaves in: they are linked when they are called, while statements of a script are generated
// before. They are also executed often and linked once for many sessions, which pays for the
// work. Code that tells what happens mostly runs once, so that its calls are all left as they are.

// maxLeaf is how large a leaf may be. Twice as much shortens no encounter that ships by more
// than two in a hundred instructions; with less than half of it some lose most of the gain.
const maxLeaf = 60

// leaf gives a rule as a leaf, nil if it is none.
func leaf(w *decl.World, slot int) *ir.Leaf {
	if l, known := w.Leaves[slot]; known {
		return l
	}
	if w.Leaves == nil {
		w.Leaves = map[int]*ir.Leaf{}
	}
	w.Leaves[slot] = nil // where it calls itself
	src, ok := w.Prog.Slots[slot].Source.(*FnSource)
	if !ok || !isShort(src.Tree) {
		return nil
	}
	w.Heap.Refer(func() { delete(w.Leaves, slot) }) // it has constants
	f := NewFn(w, src.Module)
	body := f.returned(src.Body(f))
	if body == nil || len(f.Diags) > 0 {
		return nil
	}
	l := &ir.Leaf{Body: body, Regs: f.Regs, Size: leafSize(w, body)}
	if l.Size > maxLeaf {
		return nil
	}
	w.Leaves[slot] = l
	return l
}

// isShort says whether a rule or table is an expression, and may be one of a leaf.
func isShort(s lang.Stmt) bool {
	if r, ok := s.(*lang.Rule); s == nil || ok && r.Body != nil {
		return false
	}
	n := 0
	lang.Walk(s, func(lang.Node) bool {
		n++
		return n <= maxLeaf
	})
	return n <= maxLeaf
}

// returned gives what a body returns as one expression, nil where it does anything else. The
// rows of a table, each with a condition, become conditional expressions in one another.
func (f *Fn) returned(n *ir.Node) *ir.Node {
	switch {
	case n.Op == ir.NReturn:
		return n.Kids[0]
	case n.Op != ir.NSeq:
		return nil
	case len(n.Kids) == 0:
		return f.Constant(value.None, n.At)
	}
	first, rest := n.Kids[0], *n
	if first.Op != ir.NIf {
		return f.returned(first)
	}
	rest.Kids = n.Kids[1:]
	yes, no := f.returned(first.Kids[1]), f.returned(&rest)
	if yes == nil || no == nil {
		return nil
	}
	c := f.Mk(ir.NCond, first.At, first.Kids[0], yes, no)
	c.Rule = first.Rule
	return c
}

// leafSize gives the size of an expression, more than maxLeaf where no leaf can have it.
func leafSize(w *decl.World, n *ir.Node) int {
	size := 1
	switch n.Op {
	case ir.NConst, ir.NLocal, ir.NCell, ir.NField, ir.NFieldOr, ir.NBuiltin, ir.NBin, ir.NAnd, ir.NOr, ir.NNot, ir.NNeg, ir.NCond, ir.NList, ir.NRange, ir.NIndex, ir.NText, ir.NComp, ir.NElse:
	case ir.NCall:
		l := leaf(w, n.A)
		if l == nil {
			return maxLeaf + 1
		}
		size += l.Size
	default:
		return maxLeaf + 1
	}
	for _, k := range n.Kids {
		if k != nil && size <= maxLeaf {
			size += leafSize(w, k)
		}
	}
	return size
}

// Generate emits the instructions of a function that has been resolved. Functions of modules take
// leaves in.
func Generate(w *decl.World, mf *code.Func, f *Fn, body *ir.Node) {
	out := ir.Function{Regs: f.Regs}
	if m := mf.Source.(*FnSource).Module; !w.Prog.Traced && m != nil && !m.Script {
		out.Leaves = func(slot int) *ir.Leaf { return leaf(w, slot) }
	}
	gen.Generate(&w.Unit, mf, out, body)
}
