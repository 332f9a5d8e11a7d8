package gen

import (
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/ir"
)

// maxInlined bounds the nodes of leaves that a world puts in the place of calls.
const maxInlined = 1 << 18

// inline gives the expression that stands in the place of a call, and works out the arguments
// that are in registers there. It gives nil for any other node.
func (g *gen) inline(n *ir.Node) *ir.Node {
	l := g.leaf(n)
	if l == nil || g.w.Inlined+l.Size > maxInlined {
		return nil
	}
	g.w.Inlined += l.Size
	args := make([]*ir.Node, len(n.Kids))
	for i, k := range n.Kids {
		if args[i] = k; k.Op != ir.NConst && k.Op != ir.NLocal {
			args[i] = &ir.Node{Op: ir.NLocal, A: g.temp()}
			g.expr(k, args[i].A)
		}
	}
	if g.mf.Inlined == nil {
		g.mf.Inlined = &code.Inlined{}
	}
	calls := append(g.mf.Inlined.Calls, code.InlinedCall{Name: g.w.Prog.Slots[n.A].Name, At: n.At, In: n.In})
	g.mf.Inlined.Calls = calls
	c := copier{w: g.w, args: args, own: g.temps(l.Regs - len(args)), in: int32(len(calls))}
	return c.copy(l.Body)
}

// leaf gives the leaf that a node calls, if it may stand there.
func (g *gen) leaf(n *ir.Node) *ir.Leaf {
	if n.Op != ir.NCall || g.leaves == nil {
		return nil
	}
	return g.leaves(n.A)
}

// inPlace puts the value of a call into a register, by the expression that stands in its
// place. A variable that this reads keeps its own value until the new one is known. (Nothing
// comes back from a leaf in the middle: it refuses nothing.)
func (g *gen) inPlace(call, body *ir.Node, dst int) {
	r := dst
	if reads(body, dst) {
		r = g.temp()
	}
	g.expr(body, r)
	g.move(call, dst, r)
}

// copier copies the expression of a leaf for a call.
type copier struct {
	w    *ir.Unit
	args []*ir.Node // variables and constants, in the place of the parameters
	own  int        // the register in the place of the first behind the parameters
	in   int32      // number of the call in code.Inlined
}

func (c *copier) copy(n *ir.Node) *ir.Node {
	if n == nil {
		return nil
	}
	x := c.w.NewNode()
	*x = *n
	switch {
	case n.Op == ir.NLocal && n.A < len(c.args):
		arg := c.args[n.A]
		x.Op, x.A, x.V = arg.Op, arg.A, arg.V
	case n.Op == ir.NLocal:
		x.A = c.register(n.A)
	case n.Op == ir.NComp:
		x.A, x.B = c.register(n.A), c.register(n.B)
	}
	if len(n.Kids) > 0 {
		x.Kids = make([]*ir.Node, len(n.Kids))
		for i, k := range n.Kids {
			x.Kids[i] = c.copy(k)
		}
	}
	if len(n.Kids) > 0 && n.Op != ir.NComp {
		if y := ir.Fold(c.w, x); y.Op == ir.NConst {
			x.Op, x.V, x.Kids = ir.NConst, y.V, nil // and what is wrong with it is still wrong with the whole
		}
	}
	x.In = c.in
	return x
}

func (c *copier) register(r int) int { return c.own + r - len(c.args) }
