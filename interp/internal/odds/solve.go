package odds

import (
	"errors"
	"math/big"
)

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

// SomeFractions gives the same as Fractions as long as that takes no more than so much work, else none.
func (g *Graph) SomeFractions(work int) []*big.Rat {
	g.left = work
	out := g.Fractions()
	g.left = unbounded
	if errors.Is(g.err, ErrFractions) {
		g.err, out = nil, nil
	}
	return out
}

// Fractions gives the same exactly; nil is 0.
func (g *Graph) Fractions() []*big.Rat {
	stay, _ := flow(g, arithmetic[fraction](&fractions{}))
	out := make([]*big.Rat, len(stay))
	for i, x := range stay {
		if g.ended(1) {
			break
		}
		out[i] = x.rat()
	}
	return out
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

// outflow gives where checkpoints lead, each place once.
type outflow[W any] struct {
	g     *Graph
	w     arithmetic[W]
	known map[*MacroStep][]W
	edges []edge[W]
	index []int32 // in edges, behind what leads there: 1 + its place
}

func newOutflow[W any](g *Graph, w arithmetic[W]) *outflow[W] {
	return &outflow[W]{g: g, w: w, known: map[*MacroStep][]W{}, index: make([]int32, len(g.Checkpoints))}
}

// of gives where a checkpoint leads, until the next call.
func (o *outflow[W]) of(i int32) []edge[W] {
	r := o.g.Checkpoints[i]
	ps, ok := o.known[r.Step]
	if !ok {
		_, ps = propagate(o.g, r.Step, r.Taken, o.w)
		if r.Taken == nil {
			o.known[r.Step] = ps
		}
	}
	es := o.edges[:0]
	for i, p := range ps {
		if o.w.zero(p) {
			continue
		}
		to := r.To[i]
		if k := o.index[to]; k > 0 {
			es[k-1].p = o.w.add(es[k-1].p, p)
			continue
		}
		es = append(es, edge[W]{to, p})
		o.index[to] = int32(len(es))
	}
	for _, e := range es {
		o.index[e.to] = 0
	}
	o.edges = es
	return es
}

// flow lets a weight of one flow from the first checkpoint through the graph, and gives
// what stays at each checkpoint and how often each is visited. The strongly connected
// components are taken in topological order. Within one, the expected number of
// visits x of each checkpoint satisfies x = b + xP, where b is what flows in from
// outside and P the weights inside (linear.go); what flows out is x times the weights that
// lead outside.
func flow[W any](g *Graph, w arithmetic[W]) (stay, visits []W) {
	out := newOutflow(g, w)
	stay, visits = make([]W, len(g.Checkpoints)), make([]W, len(g.Checkpoints))
	in := make([]W, len(g.Checkpoints))
	in[0] = w.one()
	for _, comp := range g.components() {
		if g.ended(1) {
			break
		}
		if len(comp) > 1 {
			solve(g, comp, out, in, stay, visits)
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
		es := out.of(i)
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

// solve lets what has flowed into a component of several checkpoints flow out of it.
func solve[W any](g *Graph, comp []int32, out *outflow[W], in, stay, visits []W) {
	w := out.w
	index := numbered(comp)
	inside := make([][]edge[W], len(comp)) // to is a place in comp
	outside := make([][]edge[W], len(comp))
	away, b := make([]W, len(comp)), make([]W, len(comp))
	for k, i := range comp {
		if g.ended(1) {
			return
		}
		b[k] = in[i]
		for _, e := range out.of(i) {
			if p, ok := index[e.to]; ok {
				inside[k] = append(inside[k], edge[W]{p, e.p})
			} else {
				outside[k] = append(outside[k], e)
				away[k] = w.add(away[k], e.p)
			}
		}
	}
	x, stays := newBlock(g, inside, away, w).visits(b)
	if g.err != nil {
		return
	}
	for k, i := range comp {
		visits[i], stay[i] = x[k], stays[k]
		for _, e := range outside[k] {
			in[e.to] = w.add(in[e.to], w.mul(x[k], e.p))
		}
	}
}

// numbered gives the place of each checkpoint in a list.
func numbered(comp []int32) map[int32]int32 {
	index := make(map[int32]int32, len(comp))
	for k, i := range comp {
		index[i] = int32(k)
	}
	return index
}
