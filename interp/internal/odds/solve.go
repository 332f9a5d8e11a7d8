package odds

import "math/big"

// A graph is solved by letting a weight of one flow from its first checkpoint: through the nodes
// of each macro step (propagate), and from checkpoint to checkpoint (flow). Where checkpoints lead
// back to one another the expected numbers of visits are the solution of a linear system, as for
// any absorbing Markov chain (Kemeny and Snell, Finite Markov Chains, 1960, chapter 3).

// Floats gives the weight of every checkpoint in the end: of an end how likely it is,
// of one that was not followed the remainder that is left there.
func (g *Graph) Floats() []float64 {
	stay, _ := flow(g, arithmetic[float64](floats{}))
	return stay
}

// Reached gives what is known of the same while the graph is being built: the weight
// that has come to each checkpoint so far and has not been passed on. That of an end is a lower
// bound of its probability. Where options are open it gives no weights.
func (g *Graph) Reached() []float64 {
	out := make([]float64, len(g.Checkpoints))
	for i := range g.Checkpoints {
		out[i] = g.Checkpoints[i].weight - g.Checkpoints[i].passedOn
	}
	return out
}

// Fractions gives the same exactly; nil is 0.
func (g *Graph) Fractions() []*big.Rat {
	stay, _ := flow(g, arithmetic[*big.Rat](fractions{}))
	return stay
}

// Noted gives how often each note is made in the mean, by its number. What is noted does
// not tell states apart: it is summed up over the transitions that are taken, each as often as
// its checkpoint is visited. One from which nothing ends counts once.
func (g *Graph) Noted() []float64 {
	out := make([]float64, len(g.Notes.List))
	if len(out) == 0 {
		return nil
	}
	stay, visits := flow(g, arithmetic[float64](floats{}))
	for i := range g.Checkpoints {
		if g.ended(1) {
			break
		}
		r := g.Checkpoints[i]
		x := visits[i]
		if r.Step == nil || !r.Step.counts {
			continue
		}
		if x == 0 {
			x = stay[i]
		}
		g.addNotes(out, r, x)
	}
	return out
}

// addNotes adds how often notes are made on the way from a checkpoint, which is visited so often.
func (g *Graph) addNotes(out []float64, r *Checkpoint, visits float64) {
	in, _ := propagate(g, r.Step, r.Taken, arithmetic[float64](floats{}))
	for _, n := range r.Step.notes {
		out[n.note] += visits
	}
	for k := range r.Step.Nodes {
		node := &r.Step.Nodes[k]
		for _, n := range node.notes {
			if node.Choice == nil || r.Taken == nil || int(r.Taken[k]) == n.kid {
				out[n.note] += visits * in[k] * n.p
			}
		}
	}
}

// edge leads from a checkpoint to another.
type edge[W any] struct {
	to int32
	p  W
}

// propagate lets a weight of one flow through a macro step and gives what comes to each
// node and each leaf. taken gives the option that is taken at a choice; without
// it the weight goes to every option whole.
func propagate[W any](g *Graph, s *MacroStep, taken []int32, w arithmetic[W]) (in, leaf []W) {
	in = make([]W, len(s.Nodes))
	leaf = make([]W, s.Leaves)
	in[0] = w.one()
	for i := range s.Nodes {
		n := &s.Nodes[i]
		give := func(kid int32, p W) {
			if g.ended(1) {
				return
			}
			if kid < 0 {
				leaf[^kid] = w.add(leaf[^kid], p)
			} else {
				in[kid] = w.add(in[kid], p)
			}
		}
		if n.Choice != nil {
			if taken != nil {
				give(n.Kids[taken[i]], in[i])
				continue
			}
			for _, kid := range n.Kids {
				give(kid, in[i])
			}
			continue
		}
		if n.Ways == nil {
			one := w.mul(in[i], w.part(n, 0))
			for _, kid := range n.Kids {
				give(kid, one)
			}
			continue
		}
		for k, kid := range n.Kids {
			give(kid, w.mul(in[i], w.part(n, k)))
		}
	}
	return in, leaf
}

// flow lets a weight of one flow from the first checkpoint through the graph, and gives
// what stays at each checkpoint and how often each is visited. The strongly connected
// components are taken in topological order. Within one, the expected number of
// visits x of each checkpoint satisfies x = b + Px, where b is what flows in from
// outside and P the weights inside; what flows out is x times the weights that
// lead outside.
func flow[W any](g *Graph, w arithmetic[W]) (stay, visits []W) {
	known := map[*MacroStep][]W{}
	var es []edge[W]
	index := make([]int32, len(g.Checkpoints)) // in es, behind what leads there: 1 + its place
	edges := func(i int32) []edge[W] {         // until the next call
		r := g.Checkpoints[i]
		ps, ok := known[r.Step]
		if !ok {
			_, ps = propagate(g, r.Step, r.Taken, w)
			if r.Taken == nil {
				known[r.Step] = ps
			}
		}
		es = es[:0]
		for i, p := range ps {
			if w.zero(p) {
				continue
			}
			to := r.To[i]
			if k := index[to]; k > 0 {
				es[k-1].p = w.add(es[k-1].p, p)
				continue
			}
			es = append(es, edge[W]{to, p})
			index[to] = int32(len(es))
		}
		for _, e := range es {
			index[e.to] = 0
		}
		return es
	}
	stay, visits = make([]W, len(g.Checkpoints)), make([]W, len(g.Checkpoints))
	in := make([]W, len(g.Checkpoints))
	in[0] = w.one()
	for _, comp := range g.components() {
		if g.ended(1) {
			break
		}
		if len(comp) > 1 {
			solve(g, comp, edges, in, stay, visits, w)
			continue
		}
		i := comp[0]
		if g.Checkpoints[i].Step == nil {
			stay[i] = w.add(stay[i], in[i])
			continue
		}
		if w.zero(in[i]) {
			continue
		}
		es := edges(i)
		x, back := in[i], false
		var leaves W
		for _, e := range es {
			if e.to == i {
				back = true
			} else {
				leaves = w.add(leaves, e.p)
			}
		}
		switch {
		case len(es) == 1 && back:
			// it never ends: all that flows in stays
			stay[i], es = in[i], nil
		case back:
			x = w.div(in[i], leaves)
		}
		visits[i] = x
		for _, e := range es {
			if e.to != i {
				in[e.to] = w.add(in[e.to], w.mul(x, e.p))
			}
		}
	}
	return stay, visits
}

// maxDense is how many checkpoints a component may have to be solved by elimination.
const maxDense = 600

// solve lets what has flowed into a component of several checkpoints flow out of it.
func solve[W any](g *Graph, comp []int32, edges func(int32) []edge[W], in, stay, visits []W, w arithmetic[W]) {
	index := make(map[int32]int, len(comp))
	for k, i := range comp {
		index[i] = k
	}
	inside := make([][]edge[W], len(comp)) // to is a place in comp
	outside := make([][]edge[W], len(comp))
	leaves := false
	for k, i := range comp {
		if g.ended(1) {
			return
		}
		for _, e := range edges(i) {
			if p, ok := index[e.to]; ok {
				inside[k] = append(inside[k], edge[W]{int32(p), e.p})
			} else {
				outside[k] = append(outside[k], e)
				leaves = true
			}
		}
	}
	b := make([]W, len(comp))
	for k, i := range comp {
		b[k] = in[i]
	}
	if !leaves {
		for k, i := range comp {
			stay[i] = b[k]
		}
		return
	}
	var x []W
	if len(comp) <= maxDense {
		x = eliminate(g, inside, b, w)
	} else {
		x = iterate(g, inside, b, w)
	}
	if g.err != nil {
		return
	}
	for k, i := range comp {
		visits[i] = x[k]
		for _, e := range outside[k] {
			in[e.to] = w.add(in[e.to], w.mul(x[k], e.p))
		}
	}
}

// eliminate solves x = b + Px by Gaussian elimination; row j of the system says
// x[j] - sum of p(k,j) x[k] = b[j]. The matrix is diagonally dominant, as all
// weights out of a checkpoint make up one, so no pivoting is needed.
func eliminate[W any](g *Graph, inside [][]edge[W], b []W, w arithmetic[W]) []W {
	n := len(b)
	a := make([][]W, n)
	for j := range a {
		a[j] = make([]W, n+1)
		a[j][j] = w.one()
		a[j][n] = b[j]
	}
	for k, es := range inside {
		for _, e := range es {
			a[e.to][k] = w.sub(a[e.to][k], e.p)
		}
	}
	for c := range n {
		for j := c + 1; j < n; j++ {
			if w.zero(a[j][c]) {
				continue
			}
			if g.ended(n - c) {
				return nil
			}
			f := w.div(a[j][c], a[c][c])
			for k := c + 1; k <= n; k++ {
				if !w.zero(a[c][k]) {
					a[j][k] = w.sub(a[j][k], w.mul(f, a[c][k]))
				}
			}
		}
	}
	x := make([]W, n)
	for j := n - 1; j >= 0; j-- {
		v := a[j][n]
		if g.ended(n - j) {
			return nil
		}
		for k := j + 1; k < n; k++ {
			if !w.zero(a[j][k]) {
				v = w.sub(v, w.mul(a[j][k], x[k]))
			}
		}
		x[j] = w.div(v, a[j][j])
	}
	return x
}

// iterate solves x = b + Px by letting what flows in flow round until what is
// still under way is less than what a float can tell from nothing.
func iterate[W any](g *Graph, inside [][]edge[W], b []W, w arithmetic[W]) []W {
	x := make([]W, len(b))
	now := b
	for range 1_000_000 {
		next := make([]W, len(b))
		left := 0.0
		for k, v := range now {
			if w.zero(v) {
				continue
			}
			if g.ended(len(inside[k])) {
				return nil
			}
			x[k] = w.add(x[k], v)
			for _, e := range inside[k] {
				next[e.to] = w.add(next[e.to], w.mul(v, e.p))
			}
		}
		for _, v := range next {
			left += w.size(v)
		}
		if left < 1e-18 {
			break
		}
		now = next
	}
	return x
}
