package ir

import (
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// Fold replaces a node whose operands are constants by its value. What would
// fail is left for the run, where it can be told with its place.
func Fold(w *Unit, n *Node) *Node {
	switch n.Op {
	case NAnd, NOr:
		return foldLogic(n)
	case NCond:
		if yes, ok := Truth(n.Kids[0]); ok {
			if yes {
				return n.Kids[1]
			}
			return n.Kids[2]
		}
		return n
	}
	for _, k := range n.Kids {
		if k.Op != NConst {
			return n
		}
	}
	v, ok := foldValue(w, n)
	if !ok {
		return n
	}
	return &Node{Op: NConst, V: v, At: n.At, Rule: n.Rule}
}

// Truth gives the truth that a node is, where it is a constant.
func Truth(n *Node) (yes, ok bool) {
	if n.Op != NConst {
		return false, false
	}
	return n.V.Truth()
}

func foldLogic(n *Node) *Node {
	yes, ok := Truth(n.Kids[0])
	if !ok {
		return n
	}
	if yes == (n.Op == NOr) {
		return &Node{Op: NConst, V: value.OfBool(yes), At: n.At, Rule: n.Rule}
	}
	if _, ok := Truth(n.Kids[1]); ok {
		y, _ := n.Kids[1].V.Truth()
		return &Node{Op: NConst, V: value.OfBool(y), At: n.At, Rule: n.Rule}
	}
	return n
}

func foldValue(w *Unit, n *Node) (V, bool) {
	k := n.Kids
	switch n.Op {
	case NNot:
		yes, ok := k[0].V.Truth()
		return value.OfBool(!yes), ok
	case NNeg:
		v, err := w.Heap.Neg(k[0].V)
		return v, err == nil
	case NList:
		vs := make([]V, len(k))
		for i, x := range k {
			vs[i] = x.V
		}
		return w.Heap.OfList(vs), true
	case NRange:
		return w.Heap.OfRange(k[0].V, k[1].V), true
	case NBin:
		return foldBin(w, code.Op(n.A), k[0].V, k[1].V)
	}
	return 0, false
}

func foldBin(w *Unit, op code.Op, a, b V) (V, bool) {
	var v V
	err := value.ErrKind
	switch op {
	case code.Eq:
		return value.OfBool(a == b), true
	case code.Ne:
		return value.OfBool(a != b), true
	case code.In:
		in, ok := w.Heap.In(a, b)
		return value.OfBool(in), ok
	case code.Add:
		v, err = w.Heap.Add(a, b)
	case code.Sub:
		v, err = w.Heap.Sub(a, b)
	case code.Mul:
		v, err = w.Heap.Mul(a, b)
	case code.Div:
		v, err = w.Heap.Div(a, b)
	case code.Lt, code.Le, code.Gt, code.Ge:
		if !a.IsNumber() || !b.IsNumber() {
			return 0, false
		}
		c := w.Heap.Compare(a, b)
		return value.OfBool(op == code.Lt && c < 0 || op == code.Le && c <= 0 || op == code.Gt && c > 0 || op == code.Ge && c >= 0), true
	}
	return v, err == nil
}
