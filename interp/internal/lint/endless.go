package lint

import (
	"slices"

	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/resolve"
)

// This file finds rules that call themselves each time they are called, and so never end. Most
// of them are rules of a variant that should call what they replace:
//
//	rule difficulty(word) = difficulty(word) + 1      # base.difficulty(word) + 1

// Endless warns of a rule whose body calls it whatever happens.
func Endless(c *resolve.Script, r *decl.Rule, body *ir.Node) {
	call := always(body, r.Slot)
	if call == nil {
		return
	}
	d := decl.WarnAt(call.At, "SP0125", "%s calls itself each time, and so never ends", r.Name)
	if r.Base != nil {
		d.Help = "did you mean base." + decl.Text(call.At) + "?"
	}
	c.W.Warn(c.Module, d)
}

// always gives the call of a rule that a node makes in each run, nil if there is none.
func always(n *ir.Node, slot int) *ir.Node {
	if n == nil {
		return nil
	}
	first := func(kids ...*ir.Node) *ir.Node {
		for _, k := range kids {
			if call := always(k, slot); call != nil {
				return call
			}
		}
		return nil
	}
	switch n.Op {
	case ir.NCall:
		if call := first(n.Kids...); call != nil || n.A != slot {
			return call
		}
		return n
	case ir.NCond, ir.NIf:
		if call := first(n.Kids[0]); call != nil {
			return call
		}
		if first(n.Kids[1]) != nil {
			return first(n.Kids[2])
		}
	case ir.NAnd, ir.NOr, ir.NElse, ir.NFieldOr, ir.NComp, ir.NFor, ir.NWhile, ir.NRepeat:
		return first(n.Kids[0]) // the rest may be left out
	case ir.NSeq:
		for _, k := range n.Kids {
			if call := first(k); call != nil {
				return call
			}
			if leaves(k) {
				return nil
			}
		}
	case ir.NCallV, ir.NField, ir.NBuiltin, ir.NBin, ir.NNot, ir.NNeg, ir.NList, ir.NRange, ir.NIndex, ir.NText, ir.NThrow, ir.NSet, ir.NSetCell, ir.NSetField, ir.NReturn, ir.NExpr, ir.NShow:
		return first(n.Kids...)
	}
	return nil
}

// leaves says whether a statement may end the body around it.
func leaves(n *ir.Node) bool {
	if n == nil {
		return false
	}
	switch n.Op {
	case ir.NReturn, ir.NJump, ir.NFail, ir.NOffer, ir.NTry:
		return true
	}
	return slices.ContainsFunc(n.Kids, leaves)
}
