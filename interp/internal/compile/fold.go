package compile

import (
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// fold replaces a node whose operands are constants by its value. What would
// fail is left for the run, where it can be told with its place.
func fold(w *Unit, n *node) *node {
	switch n.op {
	case nAnd, nOr:
		return foldLogic(n)
	case nCond:
		if yes, ok := truth(n.kids[0]); ok {
			if yes {
				return n.kids[1]
			}
			return n.kids[2]
		}
		return n
	}
	for _, k := range n.kids {
		if k.op != nConst {
			return n
		}
	}
	v, ok := foldValue(w, n)
	if !ok {
		return n
	}
	return &node{op: nConst, v: v, at: n.at, rule: n.rule}
}

func truth(n *node) (yes, ok bool) {
	if n.op != nConst {
		return false, false
	}
	return n.v.Truth()
}

func foldLogic(n *node) *node {
	yes, ok := truth(n.kids[0])
	if !ok {
		return n
	}
	if yes == (n.op == nOr) {
		return &node{op: nConst, v: value.OfBool(yes), at: n.at, rule: n.rule}
	}
	if _, ok := truth(n.kids[1]); ok {
		y, _ := n.kids[1].v.Truth()
		return &node{op: nConst, v: value.OfBool(y), at: n.at, rule: n.rule}
	}
	return n
}

func foldValue(w *Unit, n *node) (V, bool) {
	k := n.kids
	switch n.op {
	case nNot:
		yes, ok := k[0].v.Truth()
		return value.OfBool(!yes), ok
	case nNeg:
		v, err := w.Heap.Neg(k[0].v)
		return v, err == nil
	case nList:
		vs := make([]V, len(k))
		for i, x := range k {
			vs[i] = x.v
		}
		return w.Heap.OfList(vs), true
	case nRange:
		return w.Heap.OfRange(k[0].v, k[1].v), true
	case nBin:
		return foldBin(w, code.Op(n.a), k[0].v, k[1].v)
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
