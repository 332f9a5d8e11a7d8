package odds

import (
	"math"
	"slices"
)

// Means are the means of a goal, by number of the checkpoint. They are over what comes to an
// end: a branch that stops with an error has neither reached the goal nor missed it, so
// it counts for nothing.
type Means struct {
	Of   []float64
	Ends []float64 // how likely each checkpoint comes to an end; nil: nothing stops
}

// Stops gives how likely a checkpoint comes to an error.
func (m Means) Stops(i int) float64 {
	if m.Ends == nil {
		return 0
	}
	return 1 - m.Ends[i]
}

// worth is what a checkpoint, or a node of a macro step, comes to: the mean of the goal over what
// ends, and how much that is.
type worth struct{ mean, ends float64 }

func (m Means) at(i int32) worth {
	if m.Ends == nil {
		return worth{m.Of[i], 1}
	}
	return worth{m.Of[i], m.Ends[i]}
}

func (m Means) set(i int32, w worth) {
	m.Of[i] = w.mean
	if m.Ends != nil {
		m.Ends[i] = w.ends
	}
}

// better says whether an option is worth more than another: what always stops is worth
// less than anything else.
func (w worth) better(than worth) bool {
	if (w.ends > 0) != (than.ends > 0) {
		return w.ends > 0
	}
	return w.mean > than.mean+1e-14
}

// Best takes, at every open choice, the option from which the mean of a goal is
// greatest, and gives that mean for each checkpoint. The graph with its choices is a
// Markov decision process; its values are those of the optimality equation
//
//	V(s) = mean over chance of the maximum over choice of V(next)
//
// worked out from the ends backwards (Bellman, A Markovian Decision Process,
// 1957). Within a strongly connected component they are approached by value
// iteration, and where that is slow, by policy iteration. goal gives what an end is worth; what was not followed is worth
// Unknown. Where branches stop with an error, the mean at each state is over the
// others, and a choice compares these means.
func (g *Graph) Best(goal func(*Checkpoint) float64) Means { return g.means(goal, g.choose) }

// Mean gives the mean of a goal for each checkpoint when the options are taken that Best
// took last, for whatever goal.
func (g *Graph) Mean(goal func(*Checkpoint) float64) Means {
	return g.means(goal, func(r *Checkpoint, m Means, _ bool) worth { return g.taken(r, m)[0] })
}

// step gives the value of a checkpoint by those of the next. again says that it does not do so for
// the first time: then another option is taken only if it is better than the one taken before, so that of
// options of equal worth none is taken which only leads back to itself.
type step func(r *Checkpoint, m Means, again bool) worth

func (g *Graph) means(goal func(*Checkpoint) float64, step step) Means {
	m := Means{Of: make([]float64, len(g.Checkpoints))}
	for i := range g.Checkpoints {
		if g.Checkpoints[i].Kind == Broken {
			m.Ends = make([]float64, len(g.Checkpoints))
			break
		}
	}
	comps := g.components()
	out := newOutflow(g, arithmetic[float64](floats{}))
	for c := len(comps) - 1; c >= 0 && g.err == nil; c-- {
		if !g.settle(comps[c], goal, step, m) {
			g.iteratePolicies(comps[c], out, step, m)
		}
	}
	return m
}

// maxSweeps bounds value iteration. What takes more of them changes by less than a
// thirtieth in each, so that it would be far from its limit when it seems to stand still.
const maxSweeps = 1000

// settle works out the means of a component by value iteration, and says whether they have come
// to stand still.
func (g *Graph) settle(comp []int32, goal func(*Checkpoint) float64, step step, m Means) bool {
	loops := len(comp) > 1
	for sweep := range maxSweeps {
		change := 0.0
		for _, i := range comp {
			if g.ended(1 + len(g.Checkpoints[i].To)) {
				return true
			}
			r := g.Checkpoints[i]
			old, now := m.at(i), worth{0, 1}
			switch {
			case r.Step != nil:
				now = step(r, m, sweep > 0)
				loops = loops || slices.Contains(r.To, i)
			case r.Kind == Terminal:
				now.mean = goal(r)
			case r.Kind == Broken:
				now.ends = 0
			default:
				now.mean = g.Unknown
			}
			m.set(i, now)
			change = max(change, math.Abs(now.mean-old.mean), math.Abs(now.ends-old.ends))
		}
		if !loops || change < 1e-15 {
			return true
		}
	}
	return false
}

// maxPolicies bounds policy iteration. It takes a handful of rounds, but where means are over what
// comes to an end only it is not sure to end.
const maxPolicies = 100

// iteratePolicies works out the means of a component by policy iteration: what the options taken
// come to is a linear system, and from its solution better options are taken (Howard, Dynamic
// Programming and Markov Processes, 1960).
func (g *Graph) iteratePolicies(comp []int32, out *outflow[float64], step step, m Means) {
	for range maxPolicies {
		g.evaluate(comp, out, m)
		better := false
		for _, i := range comp {
			r := g.Checkpoints[i]
			if g.ended(1 + len(r.To)) {
				return
			}
			old := slices.Clone(r.Taken)
			step(r, m, true)
			better = better || !slices.Equal(old, r.Taken)
		}
		if !better {
			return
		}
	}
}

// evaluate solves what the options taken in a component come to.
func (g *Graph) evaluate(comp []int32, out *outflow[float64], m Means) {
	index := numbered(comp)
	inside := make([][]edge[float64], len(comp))
	away, ends, reached := make([]float64, len(comp)), make([]float64, len(comp)), make([]float64, len(comp))
	for k, i := range comp {
		if g.ended(1) {
			return
		}
		for _, e := range out.of(i) {
			if p, ok := index[e.to]; ok {
				inside[k] = append(inside[k], edge[float64]{p, e.p})
				continue
			}
			w := m.at(e.to)
			away[k] += e.p
			ends[k] += e.p * w.ends
			reached[k] += e.p * w.ends * w.mean
		}
	}
	s := newBlock(g, inside, away, arithmetic[float64](floats{}))
	reached = s.worths(reached)
	if m.Ends != nil {
		ends = s.worths(ends)
	}
	if g.err != nil {
		return
	}
	for k, i := range comp {
		switch {
		case m.Ends == nil:
			m.set(i, worth{reached[k], 1})
		case ends[k] > 0:
			m.set(i, worth{reached[k] / ends[k], ends[k]})
		default:
			m.set(i, worth{})
		}
	}
}

// choose takes the best options in the macro step of a checkpoint and gives its value.
func (g *Graph) choose(r *Checkpoint, m Means, again bool) worth {
	val := g.values(r, m)
	if r.Step.open && r.Taken == nil {
		r.Taken = make([]int32, len(r.Step.Nodes))
	}
	for i := range r.Step.Nodes {
		n, before := &r.Step.Nodes[i], 0
		if n.Choice == nil {
			continue
		}
		if again {
			before = int(r.Taken[i])
		}
		r.Taken[i] = int32(best(r, n, val, m, before))
	}
	return val[0]
}

// best gives the number of the best option of a node: of those of equal worth, one that is given, or
// the first.
func best(r *Checkpoint, n *Node, val []worth, m Means, best int) int {
	for k := range n.Kids {
		if kidWorth(r, n.Kids[k], val, m).better(kidWorth(r, n.Kids[best], val, m)) {
			best = k
		}
	}
	return best
}

func kidWorth(r *Checkpoint, kid int32, val []worth, m Means) worth {
	if kid < 0 {
		return m.at(r.To[^kid])
	}
	return val[kid]
}

// values gives the value of each node in the macro step of a checkpoint, with m those of the
// checkpoints, if the best options are taken.
func (g *Graph) values(r *Checkpoint, m Means) []worth {
	return values(r, m, func(i int, val []worth) worth {
		n := &r.Step.Nodes[i]
		return kidWorth(r, n.Kids[best(r, n, val, m, 0)], val, m)
	})
}

// taken is values if the options are taken that Best took last.
func (g *Graph) taken(r *Checkpoint, m Means) []worth {
	return values(r, m, func(i int, val []worth) worth {
		return kidWorth(r, r.Step.Nodes[i].Kids[r.Taken[i]], val, m)
	})
}

func values(r *Checkpoint, m Means, choice func(node int, val []worth) worth) []worth {
	val := make([]worth, len(r.Step.Nodes))
	for i := len(val) - 1; i >= 0; i-- {
		n := &r.Step.Nodes[i]
		if n.Choice != nil {
			val[i] = choice(i, val)
			continue
		}
		sum, ends := 0.0, 0.0
		for k, kid := range n.Kids {
			w := kidWorth(r, kid, val, m)
			sum, ends = sum+n.p(k)*w.ends*w.mean, ends+n.p(k)*w.ends
		}
		switch {
		case m.Ends == nil:
			val[i] = worth{sum, 1}
		case ends > 0:
			val[i] = worth{sum / ends, ends}
		}
	}
	return val
}

// Decision is an open choice that is come to: how likely that is (or how often,
// where it may be more than once), and what each option is worth.
type Decision struct {
	Checkpoint *Checkpoint
	Choice     *Choice
	Weight     float64
	Values     []float64
	Stops      []float64 // how likely each option comes to an error; nil: none does
	Taken      int
}

// Decisions gives the open choices that are come to when the best options are
// taken, in the order of the checkpoints. m are the values that Best gave.
func (g *Graph) Decisions(m Means) []Decision {
	_, visits := flow(g, arithmetic[float64](floats{}))
	var out []Decision
	for i := range g.Checkpoints {
		if g.ended(1) {
			break
		}
		r := g.Checkpoints[i]
		if r.Step == nil || !r.Step.open || visits[i] == 0 {
			continue
		}
		in, _ := propagate(g, r.Step, r.Taken, arithmetic[float64](floats{}))
		val := g.values(r, m)
		for k := range r.Step.Nodes {
			n := &r.Step.Nodes[k]
			if n.Choice == nil || in[k] == 0 {
				continue
			}
			d := Decision{Checkpoint: r, Choice: n.Choice, Weight: visits[i] * in[k], Taken: int(r.Taken[k])}
			for _, kid := range n.Kids {
				w := kidWorth(r, kid, val, m)
				d.Values = append(d.Values, w.mean)
				if m.Ends != nil {
					d.Stops = append(d.Stops, 1-w.ends)
				}
			}
			out = append(out, d)
		}
	}
	return out
}

// First gives the values of the options at the choice that the first checkpoint waits
// at, nil when it waits at none. The choices behind it are those that Best made last. Advice
// is about one command: if a refusal ends it, its goal is not reached, and that counts.
func (g *Graph) First(m Means) []float64 {
	r := g.Checkpoints[0]
	if r.Step == nil || r.Step.Nodes[0].Choice == nil {
		return nil
	}
	val := g.taken(r, m)
	var out []float64
	for _, kid := range r.Step.Nodes[0].Kids {
		w := kidWorth(r, kid, val, m)
		out = append(out, w.mean*w.ends)
	}
	return out
}
