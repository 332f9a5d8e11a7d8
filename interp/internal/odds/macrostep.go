package odds

import (
	"context"
	"math/big"
	"slices"

	"setpiece/interp/internal/query"
	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/value"
)

// A macro step is explored breadth first: from the checkpoint, and then from each throw or
// choice met, a transition is followed for every outcome. Where it leads is another node of the same
// macro step, or a leaf: a checkpoint. Equal states are one node. Meanwhile it is noted on what of
// the first state all this depends (precondition.go), so that it need not be explored again.

// MacroStep is what may happen from a checkpoint on: nodes in an order in which every node
// comes before those it leads to. Kids refer to later nodes, or, as ^i, to leaf i.
type MacroStep struct {
	Nodes   []Node
	Leaves  int
	weights []float64 // of the leaves, as if every option were taken
	open    bool      // it has choices
	notes   []noted   // on the way to the first node
	counts  bool      // something is noted in it
}

// Node is a throw, with the number of ways to each kid, or a choice.
type Node struct {
	Pending *Pending // nil where nothing is thrown
	Choice  *Choice  // nil of a throw
	Kids    []int32
	Ways    []*big.Int   // nil: one each
	Total   *big.Int     // the sum of the ways
	P       []float64    // the same as parts of one; nil: all the same
	Shows   [][]V        // of a pool: by kid, what is read of one throw that leads there
	Spans   [][]Span     // by kid, what is read of all that lead there, where KeepSpans asks for it
	Read    *query.Query // of a pool: what Shows answers
	Size    int          // of the die, when it is one die and the kids are its faces in order
	kidOf   []int32      // of a pool, where there are orbits: the kid, by number of what is read of it
	notes   []noted
}

// noted is that something is noted on an edge out of a node.
type noted struct {
	note int32   // its number
	kid  int     // of a choice: the option that leads that way
	p    float64 // how likely the transition is, from the node
}

// p gives the weight of a kid.
func (n *Node) p(kid int) float64 {
	if n.P == nil {
		return 1 / float64(len(n.Kids))
	}
	return n.P[kid]
}

// Choice is a decision that is left open.
type Choice struct {
	Who     V
	Name    string
	Prompt  string
	Cost    string
	Options []string
}

// expansion follows one macro step.
type expansion struct {
	g           *Graph
	ctx         context.Context
	from        *control
	step        *MacroStep
	nodes       []stepState      // what is known of the nodes of step
	index       map[uint64]int32 // by hash: the node met last, see stepState.next
	leaves      []int32
	effects     []effect
	derivations []derivation       // how each of the leaves was come to first
	sets        map[uint64][]int32 // of words that had been written, by their sums
	leaf        map[int32]int32
	condition   symbolic.PathCondition // why the macro step is as it is
	latest      lastTaken
	constraints map[uint64]int32         // by their keys: facts of path
	words       slab[V]                  // of nodes
	permuted    map[int32][]permutedLeaf // by the checkpoint for which they are taken: leaves that are other states
	id          int32                    // the checkpoint where it begins
	kids        int                      // room in the list of what the faces of the node lead to
	asymmetry
}

// permutedLeaf is a leaf whose state is another than that of the checkpoint it leads to: some are
// exchanged.
type permutedLeaf struct {
	leaf  int32
	words []V
}

// newExpansion begins to follow the macro step from a checkpoint. What the expansion before has used for itself
// is used again.
func (g *Graph) newExpansion(ctx context.Context, id int32) *expansion {
	b := &g.expansion
	*b = expansion{
		g: g, ctx: ctx, from: g.Checkpoints[id].at, step: &MacroStep{}, id: id,
		nodes: b.nodes[:0], index: emptied(b.index), leaf: emptied(b.leaf), constraints: emptied(b.constraints), derivations: b.derivations[:0], sets: emptied(b.sets),
		condition: symbolic.PathCondition{Order: b.condition.Order[:0], Constraints: b.condition.Constraints[:0]}, words: b.words[:0],
	}
	return b
}

// stepState is a state met within a macro step.
type stepState struct {
	at    *control
	words []V
	derivation
	lastTransition *Transition // that led there first
	next           int32       // another node with the same hash, -1
}

// expandMacroStep follows the macro step from a checkpoint and remembers it.
func (g *Graph) expandMacroStep(ctx context.Context, id int32) error {
	g.Steps++
	r := g.Checkpoints[id]
	w := g.newExpansion(ctx, id)
	start := stepState{at: r.at, words: r.Words}
	g.depends.clear()
	g.fixed.clear()
	if err := w.run(start); err != nil {
		return err
	}
	w.step.Leaves = len(w.leaves)
	if _, w.step.weights = propagate(g, w.step, nil, arithmetic[float64](floats{})); g.err != nil {
		return g.err
	}
	w.step.open = slices.ContainsFunc(w.step.Nodes, func(n Node) bool { return n.Choice != nil })
	for i := range w.step.Nodes {
		g.bytes += 200 + 12*len(w.step.Nodes[i].Kids)
	}
	for i := range w.effects {
		e := &w.effects[i]
		g.bytes += 170 + bytesOfWord*(len(e.writes)+len(e.unchanged))
	}
	r.Step, r.To = w.step, w.leaves
	g.noteAsymmetry(id, w.asymmetry.of(r))
	if !g.Unmerged {
		g.show(r.at, r.Words)
		g.bytes += r.at.macroSteps.Add(g.store, &w.condition, &macroEffect{w.step, w.effects, w.asymmetry})
		g.hide(r.Words)
	}
	return nil
}

// run follows the macro step from where it starts.
func (w *expansion) run(start stepState) error {
	w.enter(&start)
	kid, err := w.follow(&start, noOutcome)
	w.leave(&start)
	if err != nil {
		return err
	}
	w.step.notes = w.noted(nil, 0, 1)
	if kid < 0 {
		// nothing was thrown: one transition
		w.step.Nodes = []Node{{Kids: []int32{kid}}}
		return nil
	}
	for i := 0; i < len(w.nodes); i++ {
		if err := w.node(i); err != nil {
			return err
		}
		if err := w.g.poll(); err != nil {
			return err
		}
	}
	return w.sort()
}

// enter makes n the state whose transitions are followed.
func (w *expansion) enter(n *stepState) {
	w.latest = lastTaken{}
	w.g.show(n.at, n.words)
	w.g.writtenOnPath.clear()
	for at := w.g.m.Prog.DrawWords[0]; at < w.g.m.Prog.DrawWords[1]; at++ {
		w.g.writtenOnPath.set(int32(at))
	}
	for _, at := range n.written {
		w.g.writtenOnPath.set(at)
	}
}

func (w *expansion) leave(n *stepState) { w.g.hide(n.words) }

// node follows all that may happen at node i.
func (w *expansion) node(i int) error {
	g := w.g
	at := w.nodes[i]
	wait, err := g.pendingAt(&at)
	if err != nil {
		return err
	}
	w.enter(&at)
	defer w.leave(&at)
	n := Node{Pending: wait, Choice: wait.choice}
	p := 1.0 // how likely each transition is
	one := func(x int) error {
		kid, err := w.follow(&at, outcome{x: x, die: wait.choice == nil})
		if err == nil {
			n.notes = w.noted(n.notes, len(n.Kids), p)
		}
		n.Kids = append(n.Kids, kid)
		w.kids = cap(n.Kids)
		return err
	}
	switch {
	case wait.choice != nil:
		for k := range wait.choice.Options {
			if err := one(k); err != nil {
				return err
			}
		}
	case len(wait.Sizes) == 1 && !wait.made:
		n.Size = wait.Sizes[0]
		p /= float64(n.Size)
		n.Kids = make([]int32, 0, min(n.Size, facesOfState))
		for face := 1; face <= n.Size; face++ {
			g.faces++
			if err := g.poll(); err != nil {
				return err
			}
			g.store[g.m.Prog.DrawWords[0]] = value.OfInt(int64(face))
			if err := one(face); err != nil {
				return err
			}
		}
	default:
		if err := w.pool(&at, &n); err != nil {
			return err
		}
	}
	w.step.Nodes[i] = n
	return nil
}

// pool follows all that may be read of the pool that a state waits for.
func (w *expansion) pool(at *stepState, n *Node) error {
	of, l, outcomes, numbers, err := w.g.poolOutcomes(at)
	if err != nil {
		return err
	}
	n.Total, n.Read = l.Total, of.query
	index := map[int32]int{}
	kids := make([]int32, len(outcomes))
	for i, o := range outcomes {
		if err := w.g.poll(); err != nil {
			return err
		}
		if of.query.Fits(w.g.m) {
			copy(w.g.store[w.g.m.Prog.DrawWords[0]:], o.values)
		}
		kid, err := w.follow(at, outcome{values: o.values, of: of})
		if err != nil {
			return err
		}
		k, ok := index[kid]
		if !ok {
			k = len(n.Kids)
			index[kid] = k
			n.Kids, n.Ways, n.Shows = append(n.Kids, kid), append(n.Ways, new(big.Int)), append(n.Shows, slices.Clone(o.values))
		}
		kids[i] = int32(k)
		n.Ways[k].Add(n.Ways[k], o.ways)
		if len(w.latest.transition.notes) > 0 {
			n.notes = w.noted(n.notes, k, share(o.ways, l.Total))
		}
	}
	if w.g.KeepSpans {
		n.Spans = make([][]Span, len(n.Kids))
		for i, o := range numbers {
			n.Spans[kids[o]] = w.g.widen(n.Spans[kids[o]], l.Outcomes[i])
		}
	}
	if len(w.g.symmetry.orbits) > 0 {
		n.kidOf = numbers
		for i, o := range numbers {
			n.kidOf[i] = kids[o]
		}
		w.g.bytes += 4 * len(numbers)
	}
	for _, x := range n.Ways {
		n.P = append(n.P, share(x, l.Total))
	}
	return nil
}

// noted adds what is noted on the latest transition to a list.
func (w *expansion) noted(list []noted, kid int, p float64) []noted {
	for _, n := range w.latest.transition.notes {
		list = append(list, noted{n, kid, p})
		w.step.counts = true
	}
	return list
}

// follow takes the transition from a state, which has been entered, on an outcome, and gives the node or, as ^i, the leaf it leads to.
func (w *expansion) follow(from *stepState, f outcome) (int32, error) {
	g := w.g
	x := w.latest.transition
	if x == nil || !f.die || g.Unmerged || !x.holdsFor(g.store) {
		var err error
		if x, err = g.transition(w.ctx, from, f); err != nil {
			return 0, err
		}
		w.asymmetry.join(x.asymmetry)
	}
	if again := w.addCondition(from, x); again && !x.dependsOnDraw {
		g.Merged++
		return w.latest.kid, nil
	}
	kid := w.target(from, x)
	w.latest.kid = kid
	return kid, nil
}

// target gives the node or the leaf to which the latest transition, from a state, leads.
func (w *expansion) target(from *stepState, x *Transition) int32 {
	g := w.g
	forms, sum := w.forms(from, x), w.latest.sum
	if x.target == toDraw && !w.stopsAt(x) {
		words := g.apply(from.words, x)
		h := hash(g.seed, words) ^ x.at.id
		head, ok := w.index[h]
		if !ok {
			head = -1
		}
		for i := head; i >= 0; i = w.nodes[i].next {
			if n := &w.nodes[i]; !g.Unmerged && n.at == x.at && slices.Equal(n.words, words) {
				g.Merged++
				if n.sum != sum {
					w.mergeWritten(n.written, from, x.written)
				}
				w.mergeForms(n.forms, forms)
				return i
			}
		}
		i := int32(len(w.nodes))
		g.Inside = max(g.Inside, len(w.nodes)+1)
		g.markVarying(words)
		w.nodes = append(w.nodes, stepState{x.at, w.words.clone(words), derivation{w.written(from), sum, forms}, x, head})
		w.step.Nodes = append(w.step.Nodes, Node{})
		w.index[h] = i
		return i
	}
	if x.target == toTerminal {
		return w.leafOf(g.terminalState(x.terminal, x.seen), nil, true, from, x, sum, forms)
	}
	words := g.apply(from.words, x)
	to, itself := g.successor(w.id, &x.point, words)
	return w.leafOf(to, words, itself, from, x, sum, forms)
}

// lastTaken is the transition taken last from the state that has been entered.
type lastTaken struct {
	transition *Transition
	sum        uint64 // of what has been written behind it
	kid        int32  // where it leads
}

// maxInside is how many throws and choices a macro step may have.
const maxInside = 256

// stopsAt says whether the state at the end of a transition is a checkpoint although a
// throw is waited for: one of several dice, of which so much may be read that
// what comes of it is better known to all macro steps that lead there; or any, where
// the macro step has grown large.
func (w *expansion) stopsAt(x *Transition) bool {
	return len(w.nodes) > 0 && (x.pool || len(w.nodes) >= maxInside)
}

// leafOf gives the leaf to which a transition leads: a state with some words, and the checkpoint that
// it is, or for which it is taken.
func (w *expansion) leafOf(to int32, words []V, itself bool, from *stepState, x *Transition, sum uint64, forms []symbolic.WordForm) int32 {
	if i, ok := w.find(to, words, itself); ok {
		c := &w.derivations[i]
		if c.sum != sum {
			w.mergeWritten(c.written, from, x.written)
		}
		w.mergeForms(c.forms, forms)
		return ^i
	}
	c := derivation{w.written(from), sum, forms}
	return ^w.add(to, words, itself, w.g.effectOf(w.from, w.g.Checkpoints[to].Kind, words, &c, x), c)
}

// find finds a leaf.
func (w *expansion) find(to int32, words []V, itself bool) (int32, bool) {
	if itself {
		i, ok := w.leaf[to]
		return i, ok
	}
	for _, s := range w.permuted[to] {
		if slices.Equal(s.words, words) {
			return s.leaf, true
		}
	}
	return 0, false
}

// add notes a leaf.
func (w *expansion) add(to int32, words []V, itself bool, e effect, c derivation) int32 {
	i := int32(len(w.leaves))
	if itself {
		w.leaf[to] = i
	} else {
		if w.permuted == nil {
			w.permuted = map[int32][]permutedLeaf{}
		}
		w.permuted[to] = append(w.permuted[to], permutedLeaf{i, slices.Clone(words)})
	}
	w.leaves = append(w.leaves, to)
	w.derivations = append(w.derivations, c)
	w.effects = append(w.effects, e)
	return i
}
