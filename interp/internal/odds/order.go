package odds

// The nodes of a macro step in topological order (Kahn, Topological sorting of large networks,
// 1962), so that weights flow through it in one pass.

// sort brings the nodes of a macro step into an order in which each comes before
// those it leads to. Where a throw may lead back to itself (a die that is thrown
// again as long as it shows its highest face, and nothing is counted) the macro step
// is cut: that draw is a checkpoint, with which the solver deals.
func (w *expansion) sort() error {
	nodes := w.step.Nodes
	var order []int32
	for {
		var left int
		if order, left = topological(nodes); left < 0 {
			break
		}
		leaf := w.cut(left)
		for i := range nodes {
			for k, kid := range nodes[i].Kids {
				if kid == int32(left) {
					nodes[i].Kids[k] = leaf
				}
			}
		}
	}
	at := make([]int32, len(nodes))
	for i, o := range order {
		at[o] = int32(i)
	}
	sorted := make([]Node, len(order))
	for i, o := range order {
		n := nodes[o]
		for k, kid := range n.Kids {
			if kid >= 0 {
				n.Kids[k] = at[kid]
			}
		}
		sorted[i] = n
	}
	w.step.Nodes = sorted
	return nil
}

// cut makes a checkpoint of a node and gives its leaf.
func (w *expansion) cut(i int) int32 {
	n := &w.nodes[i]
	to, itself := w.g.successor(w.id, &n.lastTransition.point, n.words)
	e := w.g.effectOf(w.from, Transient, n.words, &n.derivation, n.lastTransition)
	return ^w.add(to, n.words, itself, e, n.derivation)
}

// topological orders the nodes that can be reached from the first; left is one
// that cannot be ordered because it leads back to itself, -1 when there is none.
func topological(nodes []Node) (order []int32, left int) {
	in := make([]int32, len(nodes))
	reached := make([]bool, len(nodes))
	reached[0] = true
	for todo := []int32{0}; len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, k := range nodes[i].Kids {
			if k < 0 {
				continue
			}
			in[k]++
			if !reached[k] {
				reached[k] = true
				todo = append(todo, k)
			}
		}
	}
	if in[0] > 0 {
		return nil, 0
	}
	order = append(order, 0)
	for i := 0; i < len(order); i++ {
		for _, k := range nodes[order[i]].Kids {
			if k >= 0 {
				if in[k]--; in[k] == 0 {
					order = append(order, k)
				}
			}
		}
	}
	for i := range nodes {
		if reached[i] && in[i] > 0 {
			return order, i
		}
	}
	return order, -1
}
