package compile

import (
	"setpiece/interp/internal/code"
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

// leaf is a rule that can stand where it is called.
type leaf struct {
	body *node // an expression; the parameters are its first registers
	regs int   // of the parameters and of what else it works with
	size int   // in nodes, with the leaves that it calls
}

// maxLeaf is how large a leaf may be. Twice as much shortens no encounter that ships by more
// than two in a hundred instructions; with less than half of it some lose most of the gain.
const maxLeaf = 60

// maxInlined bounds the nodes of leaves that a world puts in the place of calls.
const maxInlined = 1 << 18

// leaf gives a rule as a leaf, nil if it is none.
func (w *World) leaf(slot int) *leaf {
	if l, known := w.leaves[slot]; known {
		return l
	}
	if w.leaves == nil {
		w.leaves = map[int]*leaf{}
	}
	w.leaves[slot] = nil // where it calls itself
	src, ok := w.Prog.Slots[slot].Source.(*fnSource)
	if !ok || !isShort(src.tree) {
		return nil
	}
	w.Heap.Refer(func() { delete(w.leaves, slot) }) // it has constants
	f := newFn(w, src.module)
	body := f.returned(src.body(f))
	if body == nil || len(f.diags) > 0 {
		return nil
	}
	l := &leaf{body: body, regs: f.regs, size: w.leafSize(body)}
	if l.size > maxLeaf {
		return nil
	}
	w.leaves[slot] = l
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
func (f *fn) returned(n *node) *node {
	switch {
	case n.op == nReturn:
		return n.kids[0]
	case n.op != nSeq:
		return nil
	case len(n.kids) == 0:
		return f.constant(value.None, n.at)
	}
	first, rest := n.kids[0], *n
	if first.op != nIf {
		return f.returned(first)
	}
	rest.kids = n.kids[1:]
	yes, no := f.returned(first.kids[1]), f.returned(&rest)
	if yes == nil || no == nil {
		return nil
	}
	c := f.mk(nCond, first.at, first.kids[0], yes, no)
	c.rule = first.rule
	return c
}

// leafSize gives the size of an expression, more than maxLeaf where no leaf can have it.
func (w *World) leafSize(n *node) int {
	size := 1
	switch n.op {
	case nConst, nLocal, nCell, nField, nFieldOr, nBuiltin, nBin, nAnd, nOr, nNot, nNeg, nCond, nList, nRange, nIndex, nText, nComp, nElse:
	case nCall:
		l := w.leaf(n.a)
		if l == nil {
			return maxLeaf + 1
		}
		size += l.size
	default:
		return maxLeaf + 1
	}
	for _, k := range n.kids {
		if k != nil && size <= maxLeaf {
			size += w.leafSize(k)
		}
	}
	return size
}

// generate emits the instructions of a function that has been resolved. Functions of modules take
// leaves in.
func (w *World) generate(mf *code.Func, f *fn, body *node) {
	out := function{regs: f.regs}
	if m := mf.Source.(*fnSource).module; !w.Prog.Traced && m != nil && !m.script {
		out.leaves = func(slot int) *leaf { return w.leaf(slot) }
	}
	generate(&w.Unit, mf, out, body)
}

// inline gives the expression that stands in the place of a call, and works out the arguments
// that are in registers there. It gives nil for any other node.
func (g *gen) inline(n *node) *node {
	l := g.leaf(n)
	if l == nil || g.w.inlined+l.size > maxInlined {
		return nil
	}
	g.w.inlined += l.size
	args := make([]*node, len(n.kids))
	for i, k := range n.kids {
		if args[i] = k; k.op != nConst && k.op != nLocal {
			args[i] = &node{op: nLocal, a: g.temp()}
			g.expr(k, args[i].a)
		}
	}
	if g.mf.Inlined == nil {
		g.mf.Inlined = &code.Inlined{}
	}
	calls := append(g.mf.Inlined.Calls, code.InlinedCall{Name: g.w.Prog.Slots[n.a].Name, At: n.at, In: n.in})
	g.mf.Inlined.Calls = calls
	c := copier{w: g.w, args: args, own: g.temps(l.regs - len(args)), in: int32(len(calls))}
	return c.copy(l.body)
}

// leaf gives the leaf that a node calls, if it may stand there.
func (g *gen) leaf(n *node) *leaf {
	if n.op != nCall || g.leaves == nil {
		return nil
	}
	return g.leaves(n.a)
}

// inPlace puts the value of a call into a register, by the expression that stands in its
// place. A variable that this reads keeps its own value until the new one is known. (Nothing
// comes back from a leaf in the middle: it refuses nothing.)
func (g *gen) inPlace(call, body *node, dst int) {
	r := dst
	if reads(body, dst) {
		r = g.temp()
	}
	g.expr(body, r)
	g.move(call, dst, r)
}

// copier copies the expression of a leaf for a call.
type copier struct {
	w    *Unit
	args []*node // variables and constants, in the place of the parameters
	own  int     // the register in the place of the first behind the parameters
	in   int32   // number of the call in code.Inlined
}

func (c *copier) copy(n *node) *node {
	if n == nil {
		return nil
	}
	x := c.w.newNode()
	*x = *n
	switch {
	case n.op == nLocal && n.a < len(c.args):
		arg := c.args[n.a]
		x.op, x.a, x.v = arg.op, arg.a, arg.v
	case n.op == nLocal:
		x.a = c.register(n.a)
	case n.op == nComp:
		x.a, x.b = c.register(n.a), c.register(n.b)
	}
	if len(n.kids) > 0 {
		x.kids = make([]*node, len(n.kids))
		for i, k := range n.kids {
			x.kids[i] = c.copy(k)
		}
	}
	if len(n.kids) > 0 && n.op != nComp {
		if y := fold(c.w, x); y.op == nConst {
			x.op, x.v, x.kids = nConst, y.v, nil // and what is wrong with it is still wrong with the whole
		}
	}
	x.in = c.in
	return x
}

func (c *copier) register(r int) int { return c.own + r - len(c.args) }
