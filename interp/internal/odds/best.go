package odds

import "math"

// Best takes, at every open choice, the option from which the mean of a goal is
// greatest, and gives that mean for each rest. The graph with its choices is a
// Markov decision process; its values are those of the optimality equation
//
//	V(s) = mean over chance of the maximum over choice of V(next)
//
// worked out from the ends backwards (Bellman, A Markovian Decision Process,
// 1957). Within a strongly connected component they are approached by value
// iteration. goal gives what an end is worth; what was not followed is worth
// nothing.
func (g *Graph) Best(goal func(*Rest) float64) []float64 { return g.means(goal, g.choose) }

// Mean gives the mean of a goal for each rest when the options are taken that Best
// took last, for whatever goal.
func (g *Graph) Mean(goal func(*Rest) float64) []float64 {
	return g.means(goal, func(r *Rest, v []float64) float64 { return g.taken(r, v)[0] })
}

func (g *Graph) means(goal func(*Rest) float64, step func(*Rest, []float64) float64) []float64 {
	v := make([]float64, len(g.Rests))
	comps := g.components()
	for c := len(comps) - 1; c >= 0; c-- {
		comp := comps[c]
		for range 1_000_000 {
			change, loops := 0.0, len(comp) > 1
			for _, i := range comp {
				r := &g.Rests[i]
				old := v[i]
				switch {
				case r.Step != nil:
					v[i] = step(r, v)
					for _, to := range r.To {
						loops = loops || to == i
					}
				case r.Kind == End:
					v[i] = goal(r)
				}
				change = max(change, math.Abs(v[i]-old))
			}
			if !loops || change < 1e-15 {
				break
			}
		}
	}
	return v
}

// choose takes the best options in the step of a rest and gives its value.
func (g *Graph) choose(r *Rest, v []float64) float64 {
	val := g.Values(r, v)
	if r.Step.open && r.Taken == nil {
		r.Taken = make([]int32, len(r.Step.Nodes))
	}
	for i := range r.Step.Nodes {
		n := &r.Step.Nodes[i]
		if n.Choice == nil {
			continue
		}
		best := 0
		for k := range n.Kids {
			if kidValue(r, n.Kids[k], val, v) > kidValue(r, n.Kids[best], val, v)+1e-14 {
				best = k
			}
		}
		r.Taken[i] = int32(best)
	}
	return val[0]
}

func kidValue(r *Rest, kid int32, val, v []float64) float64 {
	if kid < 0 {
		return v[r.To[^kid]]
	}
	return val[kid]
}

// Values gives the value of each node in the step of a rest, with v those of the
// rests, if the best options are taken.
func (g *Graph) Values(r *Rest, v []float64) []float64 {
	return values(r, v, func(i int, val []float64) float64 {
		best := math.Inf(-1)
		for _, kid := range r.Step.Nodes[i].Kids {
			best = max(best, kidValue(r, kid, val, v))
		}
		return best
	})
}

// taken is Values if the options are taken that Best took last.
func (g *Graph) taken(r *Rest, v []float64) []float64 {
	return values(r, v, func(i int, val []float64) float64 {
		return kidValue(r, r.Step.Nodes[i].Kids[r.Taken[i]], val, v)
	})
}

func values(r *Rest, v []float64, choice func(node int, val []float64) float64) []float64 {
	val := make([]float64, len(r.Step.Nodes))
	for i := len(val) - 1; i >= 0; i-- {
		n := &r.Step.Nodes[i]
		if n.Choice != nil {
			val[i] = choice(i, val)
			continue
		}
		for k, kid := range n.Kids {
			val[i] += n.p(k) * kidValue(r, kid, val, v)
		}
	}
	return val
}

// Decision is an open choice that is come to: how likely that is (or how often,
// where it may be more than once), and what each option is worth.
type Decision struct {
	Rest   *Rest
	Choice *Choice
	Weight float64
	Values []float64
	Taken  int
}

// Decisions gives the open choices that are come to when the best options are
// taken, in the order of the rests. v are the values that Best gave.
func (g *Graph) Decisions(v []float64) []Decision {
	_, visits := flow(g, arithmetic[float64](floats{}))
	var out []Decision
	for i := range g.Rests {
		r := &g.Rests[i]
		if r.Step == nil || !r.Step.open || visits[i] == 0 {
			continue
		}
		in, _ := spread(r.Step, r.Taken, arithmetic[float64](floats{}))
		val := g.Values(r, v)
		for k := range r.Step.Nodes {
			n := &r.Step.Nodes[k]
			if n.Choice == nil || in[k] == 0 {
				continue
			}
			d := Decision{Rest: r, Choice: n.Choice, Weight: visits[i] * in[k], Taken: int(r.Taken[k])}
			for _, kid := range n.Kids {
				d.Values = append(d.Values, kidValue(r, kid, val, v))
			}
			out = append(out, d)
		}
	}
	return out
}

// First gives the values of the options at the choice that the first rest waits
// at, nil when it waits at none. The choices behind it are those that Best made last.
func (g *Graph) First(v []float64) []float64 {
	r := &g.Rests[0]
	if r.Step == nil || r.Step.Nodes[0].Choice == nil {
		return nil
	}
	val := g.taken(r, v)
	var out []float64
	for _, kid := range r.Step.Nodes[0].Kids {
		out = append(out, kidValue(r, kid, val, v))
	}
	return out
}
