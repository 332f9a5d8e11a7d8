package odds

import "slices"

// Acyclic says whether no checkpoint leads back to itself.
func (g *Graph) Acyclic() bool {
	for _, comp := range g.components() {
		if len(comp) > 1 || slices.Contains(g.Checkpoints[comp[0]].To, comp[0]) {
			return false
		}
	}
	return true
}

// components gives the strongly connected components of the checkpoints, each before
// those it leads to (Tarjan, Depth-first search and linear graph algorithms,
// 1972, without recursion).
func (g *Graph) components() [][]int32 {
	n := len(g.Checkpoints)
	index, low := make([]int32, n), make([]int32, n)
	on := make([]bool, n)
	var stack []int32
	var comps [][]int32
	type call struct {
		i    int32
		next int
	}
	count := int32(0)
	for root := range n {
		if index[root] != 0 {
			continue
		}
		calls := []call{{int32(root), 0}}
		for len(calls) > 0 {
			if g.ended(4) {
				return nil
			}
			c := &calls[len(calls)-1]
			r := g.Checkpoints[c.i]
			if c.next == 0 {
				count++
				index[c.i], low[c.i] = count, count
				stack = append(stack, c.i)
				on[c.i] = true
			}
			down := false
			for ; c.next < len(r.To); c.next++ {
				t := r.To[c.next]
				if index[t] == 0 {
					c.next++
					calls = append(calls, call{t, 0})
					down = true
					break
				}
				if on[t] {
					low[c.i] = min(low[c.i], index[t])
				}
			}
			if down {
				continue
			}
			i := c.i
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].i
				low[up] = min(low[up], low[i])
			}
			if low[i] != index[i] {
				continue
			}
			var comp []int32
			for {
				j := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				on[j] = false
				comp = append(comp, j)
				if j == i {
					break
				}
			}
			comps = append(comps, comp)
		}
	}
	slices.Reverse(comps)
	return comps
}
