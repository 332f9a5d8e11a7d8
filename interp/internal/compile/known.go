package compile

import (
	"maps"

	"setpiece/interp/internal/machine"
)

func (k known) clone() known { return known{maps.Clone(k.mem), maps.Clone(k.facts)} }

// forget drops what is known of the store, because something unknown was done.
func (p *pe) forget() { clear(p.mem) }

// common gives what is known on all paths.
func common(paths []track) known {
	k := paths[0].st.known.clone()
	for _, q := range paths[1:] {
		for at, v := range k.mem {
			if w, ok := q.st.mem[at]; !ok || !equalAv(v, w) {
				delete(k.mem, at)
			}
		}
		for f, yes := range k.facts {
			if other, ok := q.st.facts[f]; !ok || other != yes {
				delete(k.facts, f)
			}
		}
	}
	return k
}

// factOf gives the fact that a condition is about; not says that the condition
// is its opposite.
func factOf(n *node) (f fact, not, ok bool) {
	switch n.op {
	case nLocal:
		return fact{reg: n.a}, false, true
	case nNot:
		f, not, ok = factOf(n.kids[0])
		return f, !not, ok
	case nBin:
		x, y := n.kids[0], n.kids[1]
		if x.op != nLocal || y.op != nConst {
			return f, false, false
		}
		op := machine.Op(n.a)
		switch op {
		case machine.Ne:
			op, not = machine.Eq, true
		case machine.Ge:
			op, not = machine.Lt, true
		case machine.Gt:
			op, not = machine.Le, true
		case machine.In:
			return f, false, false
		}
		return fact{op, x.a, y.v}, not, true
	}
	return f, false, false
}

// assume notes how a condition came out on this path.
func (p *pe) assume(n *node, yes bool) {
	if n.op == nAnd && yes || n.op == nOr && !yes {
		p.assume(n.kids[0], yes)
		p.assume(n.kids[1], yes)
		return
	}
	if f, not, ok := factOf(n); ok {
		p.facts[f] = yes != not
	}
}

// fact says how a condition must come out, where that is known.
func (p *pe) fact(n *node) (yes, ok bool) {
	f, not, ok := factOf(n)
	if !ok {
		return false, false
	}
	yes, ok = p.facts[f]
	return yes != not, ok
}

// alternatives gives the values that a place can have when each path has a
// known one.
func alternatives(vals []av) []V {
	var out []V
	for _, v := range vals {
		switch {
		case v.isConst():
			out = append(out, v.n.v)
		case v.any != nil:
			out = append(out, v.any...)
		default:
			return nil
		}
	}
	if len(out) > 8 {
		return nil
	}
	return out
}
