package odds

import (
	"context"
	"errors"
	"slices"
	"sort"

	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/pool"
)

// A checkpoint that is come to with creatures exchanged stands for several states, which differ
// in who is who. Where all that follows has been looked at that makes no difference
// (symmetry.go). What follows the frontier has not been looked at, so a trial from there begins in
// one of the states themselves, in each as often as the script comes to it.
//
// Such a state is found by a path that leads to it. Let n be how often a checkpoint is come to
// in the mean, and p the probability of an edge. Then
//
//	n(to) = sum over from of n(from) p(from, to)
//
// and a path is drawn backwards, each edge by its part of that sum: it is then as likely as
// it is among all paths that end there (the reversed chain: Norris, Markov Chains, 1997, section
// 1.9). Then the path is gone forwards from where nobody had been exchanged, now from state
// to state: those are led on by the same throws as the checkpoints that they were taken for
// (a coupling of the two chains: Lindvall, Lectures on the Coupling Method, 1992).
//
//	Grub or Gash is hit, 1/2 each        two states, taken for one: the last of them is hit
//	that one checkpoint leads to the frontier
//	a trial from there begins with Grub hit, or with Gash, in half of all cases each
//
// No rule is executed for that: the macro steps of both are walked through side by side. They may
// begin and end elsewhere, since who is out is passed over in another place, and of a pool the one
// may read more at once than the other. But the draws are the same, in the same order.

// predecessors are the edges to those checkpoints of a graph that stand for several states.
type predecessors struct {
	end   []int32 // by checkpoint: behind its last edge, which is where those of the next begin
	edges []inEdge
	sums  []float64 // of their weights, each with those before it of the same checkpoint
}

// inEdge is that a macro step leads from a checkpoint to one of its leaves.
type inEdge struct{ from, leaf int32 }

// errNotLumped is that two states which were taken for one do not throw the same.
var errNotLumped = errors.New("states that were taken for one throw different dice")

// lumped says whether a checkpoint stands for several states.
func (r *Checkpoint) lumped() bool { return r.exchanged != 0 && r.Kind == Transient }

// predecessors gives the edges to all checkpoints that stand for several states, with the weights
// that Frontier has passed on.
func (g *Graph) predecessors() *predecessors {
	each := func(f func(to int32, e inEdge, weight float64)) {
		for i := range g.Checkpoints {
			r := g.Checkpoints[i]
			if r.Step == nil || r.passedOn == 0 {
				continue
			}
			for k, to := range r.To {
				if g.Checkpoints[to].lumped() {
					f(to, inEdge{int32(i), int32(k)}, r.passedOn*r.Step.weights[k])
				}
			}
		}
	}
	p := &predecessors{end: make([]int32, len(g.Checkpoints))}
	each(func(to int32, _ inEdge, _ float64) { p.end[to]++ })
	all := int32(0)
	for i, n := range p.end {
		p.end[i] = all // until its edges are put there
		all += n
	}
	p.edges, p.sums = make([]inEdge, all), make([]float64, all)
	each(func(to int32, e inEdge, weight float64) {
		k := p.end[to]
		if p.edges[k] = e; k > p.begin(to) {
			weight += p.sums[k-1]
		}
		p.sums[k] = weight
		p.end[to]++
	})
	return p
}

// begin gives where the edges to a checkpoint begin.
func (p *predecessors) begin(to int32) int32 {
	if to == 0 {
		return 0
	}
	return p.end[to-1]
}

// lumped says whether a checkpoint stands for several states: it has predecessors here then. What
// trials find out later does not count.
func (p *predecessors) lumped(id int32) bool { return p != nil && p.begin(id) < p.end[id] }

// draw gives the edge on which a checkpoint was come to, drawn by a number from 0 to 1. With no
// it was not: all begins there.
func (p *predecessors) draw(to int32, u float64) (e inEdge, ok bool) {
	from := p.begin(to)
	sums := p.sums[from:p.end[to]]
	all := sums[len(sums)-1]
	if to == 0 {
		// the beginning is come to once in any case
		if u *= all + 1; u >= all {
			return inEdge{}, false
		}
	} else {
		u *= all
	}
	k := sort.Search(len(sums)-1, func(k int) bool { return sums[k] > u })
	return p.edges[int(from)+k], true
}

// companion is a state that goes along with checkpoints, by the same throws.
type companion struct {
	g    *Graph
	ctx  context.Context
	dice *machine.Generator
	stepState
	within *macroEffect // the macro step that has begun there, nil: none has
	node   int32        // how far it has come in it
	draws  []throw      // what has been thrown on the way of the checkpoints, and not yet on its own
	end    int32        // the checkpoint that is an ending, if it has come to one; else -1
	noted  []int32      // behind the last of the checkpoints
}

// throw is dice that are thrown at once.
type throw struct{ sizes, faces []int }

// member draws one of the states that a checkpoint stands for. Where that is amid a macro step of
// its own, it is the one at the end of that, or an ending.
func (g *Graph) member(ctx context.Context, before *predecessors, id int32, dice *machine.Generator) (*companion, error) {
	path := g.path[:0]
	for before.lumped(id) {
		e, ok := before.draw(id, unit(dice))
		if !ok {
			break
		}
		path = append(path, e)
		id = e.from
	}
	g.path = path
	c := &companion{g: g, ctx: ctx, dice: dice, stepState: stepState{at: g.Checkpoints[id].at, words: g.Checkpoints[id].Words}, end: -1}
	for _, e := range slices.Backward(path) {
		if err := c.coupleWith(g.Checkpoints[e.from].Step, e.leaf); err != nil {
			return nil, err
		}
	}
	return c, c.finish()
}

// coupleWith goes along with a checkpoint whose macro step leads to a leaf.
func (c *companion) coupleWith(step *MacroStep, leaf int32) error {
	if c.within == nil && c.end < 0 && len(c.draws) == 0 {
		if err := c.begin(); err != nil {
			return err
		}
		if c.within.step == step {
			return c.leave(leaf)
		}
	}
	reach := step.reaching(leaf)
	for i := int32(0); i >= 0; {
		n, k := &step.Nodes[i], 0
		if n.Pending != nil {
			k = n.draw(unit(c.dice)*reach.at(i), reach.at)
			if err := c.throwTowards(n, k); err != nil {
				return err
			}
			if err := c.follow(false); err != nil {
				return err
			}
		}
		i = n.Kids[k]
	}
	return nil
}

// reaching is how likely each node of a macro step leads to a leaf.
type reaching struct {
	nodes []float64
	leaf  int32
}

func (s *MacroStep) reaching(leaf int32) reaching {
	r := reaching{make([]float64, len(s.Nodes)), leaf}
	for i := len(s.Nodes) - 1; i >= 0; i-- {
		n := &s.Nodes[i]
		for k, kid := range n.Kids {
			r.nodes[i] += n.p(k) * r.at(kid)
		}
	}
	return r
}

func (r *reaching) at(kid int32) float64 {
	switch {
	case kid >= 0:
		return r.nodes[kid]
	case ^kid == r.leaf:
		return 1
	}
	return 0
}

// draw gives the kid in whose part of a node's weight a number falls, where each kid counts for
// so much.
func (n *Node) draw(u float64, counts func(kid int32) float64) int {
	last := 0
	for k, kid := range n.Kids {
		if p := n.p(k) * counts(kid); p > 0 {
			if last, u = k, u-p; u < 0 {
				break
			}
		}
	}
	return last
}

// throwTowards throws the dice of a node so that they lead to a kid.
func (c *companion) throwTowards(n *Node, kid int) error {
	if n.Read == nil {
		c.draws = append(c.draws, throw{[]int{n.Size}, []int{kid + 1}})
		return nil
	}
	before := len(c.draws)
	for {
		for _, p := range n.Read.Pools {
			if p.Made != nil {
				return errNotLumped
			}
			c.draws = append(c.draws, c.throwDice(p.Sizes))
		}
		k, err := c.kid(n, c.draws[before:])
		if err != nil || k == kid {
			return err
		}
		c.draws = c.draws[:before]
	}
}

// throwDice throws dice.
func (c *companion) throwDice(sizes []int) throw {
	t := throw{sizes, make([]int, len(sizes))}
	for i, size := range sizes {
		t.faces[i] = 1 + int(unit(c.dice)*float64(size))
	}
	return t
}

// kid gives the kid of a node to which throws lead.
func (c *companion) kid(n *Node, throws []throw) (int, error) {
	if n.Read == nil {
		if !slices.Equal(throws[0].sizes, []int{n.Size}) {
			return 0, errNotLumped
		}
		return throws[0].faces[0] - 1, nil
	}
	var faces []int
	for i, p := range n.Read.Pools {
		if p.Made != nil || !slices.Equal(p.Sizes, throws[i].sizes) {
			return 0, errNotLumped
		}
		faces = append(faces, throws[i].faces...)
	}
	d, err := c.g.poolDistribution(n.Read)
	if err != nil {
		return 0, err
	}
	i, ok := c.g.outcomeOf(d, n.Read.Answers(c.g.m, faces))
	if !ok || int(i) >= len(n.kidOf) {
		return 0, errNotLumped
	}
	return int(n.kidOf[i]), nil
}

// outcomeOf gives the number of the outcome of a pool that has some answers.
func (g *Graph) outcomeOf(d *pool.Distribution, answers []V) (i int32, ok bool) {
	by := g.outcomes[d]
	if by == nil {
		by = make(map[string]int32, len(d.Outcomes))
		for i, o := range d.Outcomes {
			by[string(asBytes(o))] = int32(i)
		}
		if g.outcomes == nil {
			g.outcomes = map[*pool.Distribution]map[string]int32{}
		}
		g.outcomes[d] = by
	}
	i, ok = by[string(asBytes(answers))]
	return i, ok
}

// follow goes where the draws lead, as far as that is enough. To the end it throws itself
// what is still to be thrown until the macro step is done.
func (c *companion) follow(toTheEnd bool) error {
	for len(c.draws) > 0 || toTheEnd && c.within != nil {
		if c.within == nil {
			if err := c.begin(); err != nil {
				return err
			}
		}
		n, k, takes := &c.within.step.Nodes[c.node], 0, 0
		if n.Pending != nil {
			if takes = 1; n.Read != nil {
				takes = len(n.Read.Pools)
			}
			if !toTheEnd && len(c.draws) < takes {
				return nil
			}
			for i := len(c.draws); i < takes; i++ {
				sizes := n.Pending.Sizes
				if n.Read != nil {
					sizes = n.Read.Pools[i].Sizes
				}
				c.draws = append(c.draws, c.throwDice(sizes))
			}
			var err error
			if k, err = c.kid(n, c.draws[:takes]); err != nil {
				return err
			}
		}
		if toTheEnd && len(c.draws) <= takes {
			for _, x := range n.notes {
				if x.kid == k && unit(c.dice)*n.p(k) < x.p {
					c.noted = append(c.noted, x.note)
				}
			}
		}
		c.draws = c.draws[takes:]
		if c.node = n.Kids[k]; c.node < 0 {
			if err := c.leave(^c.node); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish goes on to the end of the macro step that has begun.
func (c *companion) finish() error { return c.follow(true) }

// begin begins the macro step of the state. It is followed if none is remembered that asks the same.
func (c *companion) begin() error {
	if c.end >= 0 {
		return errNotLumped
	}
	g := c.g
	find := func() *macroEffect {
		g.show(c.at, c.words)
		defer g.hide(c.words)
		return c.at.macroSteps.Find(g.store)
	}
	if c.within, c.node = find(), 0; c.within != nil {
		return nil
	}
	id := g.intern(c.at, c.words, Transient, nil)
	r := g.Checkpoints[id]
	step, to := r.Step, r.To // if it has been followed it keeps them: paths are drawn by them
	r.out = g.whoIsOutIn(id, c.at, c.words)
	if err := g.expandMacroStep(c.ctx, id); err != nil {
		return err
	}
	if step != nil {
		r.Step, r.To = step, to
	}
	if c.within = find(); c.within == nil {
		return errNotLumped
	}
	return nil
}

// leave goes to the state at a leaf of the macro step.
func (c *companion) leave(leaf int32) error {
	g, e := c.g, &c.within.effects[leaf]
	g.show(c.at, c.words)
	defer g.hide(c.words)
	c.within = nil
	if e.terminal {
		c.end = g.terminalState(e.terminalNumber, e.seen)
		return nil
	}
	c.at, c.words = e.at, g.changed(nil, c.words, e.writes, e.unchanged, &e.point)
	return nil
}
