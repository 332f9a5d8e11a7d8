package odds

import (
	"context"
	"math"
	"math/big"
	"slices"

	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/value"
)

// expansion follows one macro step.
type expansion struct {
	g           *Graph
	ctx         context.Context
	from        *control
	step        *MacroStep
	nodes       []stepState      // what is known of the nodes of step
	index       map[uint64]int32 // by hash: the node met last, see met.next
	leaves      []int32
	effects     []effect
	derivations []derivation       // how each of the leaves was come to first
	sets        map[uint64][]int32 // of words that had been written, by their sums
	leaf        map[int32]int32
	condition   symbolic.PathCondition // why the macro step is as it is
	latest      lastTaken
	constraints map[uint64]int32    // by their keys: facts of path
	words       slab[V]             // of nodes
	others      map[int32][]swapped // by the checkpoint for which they are taken: leaves that are other states
	id          int32               // the checkpoint where it begins
	asymmetry
}

// swapped is a leaf whose state is another than that of the checkpoint it leads to: some are
// exchanged.
type swapped struct {
	leaf  int32
	words []V
}

// newExpansion begins to follow the macro step from a checkpoint. What the expansion before has used for itself
// is used again.
func (g *Graph) newExpansion(ctx context.Context, id int32) *expansion {
	b := &g.walk
	*b = expansion{
		g: g, ctx: ctx, from: g.Checkpoints[id].at, step: &MacroStep{}, id: id,
		nodes: b.nodes[:0], index: emptied(b.index), leaf: emptied(b.leaf), constraints: emptied(b.constraints), derivations: b.derivations[:0], sets: emptied(b.sets),
		condition: symbolic.PathCondition{Order: b.condition.Order[:0], Constraints: b.condition.Constraints[:0]}, words: b.words[:0],
	}
	return b
}

// emptied gives an empty map: the same unless it has been large.
func emptied[K comparable, T any](m map[K]T) map[K]T {
	if m == nil || len(m) > 64 {
		return map[K]T{}
	}
	clear(m)
	return m
}

// stepState is a state met within a macro step.
type stepState struct {
	at    *control
	words []V
	derivation
	lastTransition *Transition // that led there first
	next           int32       // another node with the same hash, -1
}

// derivation is how a state is come to within a macro step.
type derivation struct {
	written []int32             // by place
	sum     uint64              // of written
	forms   []symbolic.WordForm // those of the words, by place, that are worked out from words the macro step began with
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
	if _, w.step.weights = spread(g, w.step, nil, arithmetic[float64](floats{})); g.err != nil {
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
	if !g.Apart {
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
		return err
	}
	switch {
	case wait.choice != nil:
		for k := range wait.choice.Options {
			if err := one(k); err != nil {
				return err
			}
		}
	case len(wait.Sizes) == 1:
		n.Size = wait.Sizes[0]
		p /= float64(n.Size)
		n.Kids = make([]int32, 0, n.Size)
		for face := 1; face <= n.Size; face++ {
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
	of, outcomes, numbers, total, err := w.g.poolOutcomes(at)
	if err != nil {
		return err
	}
	n.Total, n.Read = total, of.query
	place := map[int32]int{}
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
		k, ok := place[kid]
		if !ok {
			k = len(n.Kids)
			place[kid] = k
			n.Kids, n.Ways, n.Shows = append(n.Kids, kid), append(n.Ways, new(big.Int)), append(n.Shows, o.values)
		}
		if w.g.Spread {
			if !ok {
				n.Spans = append(n.Spans, make([]Span, 0, len(o.values)))
			}
			n.Spans[k] = w.g.widen(n.Spans[k], o.values)
		}
		kids[i] = int32(k)
		n.Ways[k].Add(n.Ways[k], o.ways)
		if len(w.latest.way.notes) > 0 {
			p, _ := new(big.Rat).SetFrac(o.ways, total).Float64()
			n.notes = w.noted(n.notes, k, p)
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
		p, _ := new(big.Rat).SetFrac(x, total).Float64()
		n.P = append(n.P, p)
	}
	return nil
}

// noted adds what is noted on the latest transition to a list.
func (w *expansion) noted(list []noted, kid int, p float64) []noted {
	for _, n := range w.latest.way.notes {
		list = append(list, noted{n, kid, p})
		w.step.counts = true
	}
	return list
}

// follow takes the transition from a state, which has been entered, on which something
// falls, and gives the node or, as ^i, the leaf it leads to.
func (w *expansion) follow(from *stepState, f outcome) (int32, error) {
	g := w.g
	x := w.latest.way
	if x == nil || !f.die || g.Apart || !x.holdsFor(g.store) {
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
			if n := &w.nodes[i]; !g.Apart && n.at == x.at && slices.Equal(n.words, words) {
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
		g.differ(words)
		w.nodes = append(w.nodes, stepState{x.at, w.words.clone(words), derivation{w.written(from), sum, forms}, x, head})
		w.step.Nodes = append(w.step.Nodes, Node{})
		w.index[h] = i
		return i
	}
	if x.target == toTerminal {
		return w.leafOf(g.terminalState(x.terminal, x.seen), nil, true, from, x, sum, forms)
	}
	words := g.apply(from.words, x)
	rest, itself := g.successor(w.id, &x.point, words)
	return w.leafOf(rest, words, itself, from, x, sum, forms)
}

// lastTaken is the transition taken last from the state that has been entered.
type lastTaken struct {
	way *Transition
	sum uint64 // of what has been written behind it
	kid int32  // where it leads
}

// addCondition notes why a transition is taken from a state, and says whether it is the latest.
func (w *expansion) addCondition(from *stepState, x *Transition) (again bool) {
	if x == w.latest.way {
		// only what falls is something else; those words come first
		for _, i := range x.drawConstraints {
			w.addOf(from, &x.condition.Constraints[i])
		}
		return true
	}
	asked, facts := x.condition.Order, x.condition.Constraints
	if l := w.latest.way; l != nil {
		// they are noted as far as the transition before has asked the same
		n := 0
		for n < len(asked) && n < len(l.condition.Order) && asked[n] == l.condition.Order[n] && (asked[n] >= 0 || facts[^asked[n]] == l.condition.Constraints[^asked[n]] && !w.g.fromDraw(&facts[^asked[n]].Of)) {
			n++
		}
		asked = asked[n:]
	}
	for _, at := range asked {
		if at >= 0 {
			w.addWord(from, at)
		} else {
			w.addOf(from, &facts[^at])
		}
	}
	w.latest = lastTaken{way: x, sum: from.sum}
	for _, at := range x.written {
		if !w.g.writtenOnPath.has(at) {
			w.latest.sum += mixed(at)
		}
	}
	return false
}

// written gives the words that have been written behind the latest transition.
func (w *expansion) written(from *stepState) []int32 {
	l := &w.latest
	written, ok := w.sets[l.sum]
	if !ok {
		written = make([]int32, len(from.written), len(from.written)+len(l.way.written))
		copy(written, from.written)
		for _, at := range l.way.written {
			if !w.g.writtenOnPath.has(at) {
				written = append(written, at)
			}
		}
		slices.Sort(written)
		w.sets[l.sum] = written
	}
	return written
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
func (w *expansion) leafOf(rest int32, words []V, itself bool, from *stepState, x *Transition, sum uint64, forms []symbolic.WordForm) int32 {
	if i, ok := w.find(rest, words, itself); ok {
		c := &w.derivations[i]
		if c.sum != sum {
			w.mergeWritten(c.written, from, x.written)
		}
		w.mergeForms(c.forms, forms)
		return ^i
	}
	c := derivation{w.written(from), sum, forms}
	return ^w.add(rest, words, itself, w.g.effectOf(w.from, w.g.Checkpoints[rest].Kind, words, &c, x), c)
}

// find finds a leaf.
func (w *expansion) find(rest int32, words []V, itself bool) (int32, bool) {
	if itself {
		i, ok := w.leaf[rest]
		return i, ok
	}
	for _, s := range w.others[rest] {
		if slices.Equal(s.words, words) {
			return s.leaf, true
		}
	}
	return 0, false
}

// add notes a leaf.
func (w *expansion) add(rest int32, words []V, itself bool, e effect, c derivation) int32 {
	i := int32(len(w.leaves))
	if itself {
		w.leaf[rest] = i
	} else {
		if w.others == nil {
			w.others = map[int32][]swapped{}
		}
		w.others[rest] = append(w.others[rest], swapped{i, slices.Clone(words)})
	}
	w.leaves = append(w.leaves, rest)
	w.derivations = append(w.derivations, c)
	w.effects = append(w.effects, e)
	return i
}

// dependOnWord notes that the macro step depends on what a word held when it began.
func (w *expansion) dependOnWord(at int32) {
	w.g.depends.set(at)
	if w.g.fixed.set(at) {
		w.condition.AddWord(at)
	}
}

// addConstraint notes that the macro step depends on the answer to a question.
func (w *expansion) addConstraint(f *symbolic.Constraint) {
	if f.Is == symbolic.Exactly && f.Of.N == 1 && f.Of.By == 1 {
		w.dependOnWord(f.Of.At[0])
		return
	}
	if f.Of.N == 0 {
		return
	}
	key := f.Key()
	if i, ok := w.constraints[key]; ok && w.condition.Constraints[i] == *f {
		return
	}
	w.constraints[key] = int32(len(w.condition.Constraints))
	w.condition.Add(*f)
	for _, at := range f.Of.At[:f.Of.N] {
		w.g.depends.set(at)
	}
}

// addWord notes that a transition from a state depends on what a word holds there.
func (w *expansion) addWord(from *stepState, at int32) {
	if !w.g.writtenOnPath.has(at) {
		w.dependOnWord(at)
	} else if k, ok := slices.BinarySearchFunc(from.forms, at, byWord); ok {
		w.dependOnNumber(&from.forms[k].Of)
	}
}

// addOf notes what was the case on a transition from a state, as far as it depends on what
// there was when the macro step began.
func (w *expansion) addOf(from *stepState, f *symbolic.Constraint) {
	before, formed := 0, false // how many of its words are those that the macro step began with
	for _, at := range f.Of.At[:f.Of.N] {
		if !w.g.writtenOnPath.has(at) {
			before++
		} else if len(from.forms) > 0 {
			_, ok := slices.BinarySearchFunc(from.forms, at, byWord)
			formed = formed || ok
		}
	}
	switch {
	case before == int(f.Of.N):
		w.addConstraint(f)
	case before == 0 && !formed, f.Is == symbolic.IsWhole:
		// it is so whatever the macro step began with
	default:
		if of, ok := w.atStart(from, &f.Of); ok {
			w.addConstraint(&symbolic.Constraint{Is: f.Is, Of: of, Yes: f.Yes})
		}
	}
}

// dependOnNumber notes that the macro step depends on which number a linear form is.
func (w *expansion) dependOnNumber(of *symbolic.Linear) {
	w.addConstraint(&symbolic.Constraint{Is: symbolic.Exactly, Of: *of})
}

// atStart gives a linear form over the words of a state as one over those that the macro step
// began with. With no there is none, and the macro step is noted to depend on all of it.
func (w *expansion) atStart(from *stepState, of *symbolic.Linear) (symbolic.Linear, bool) {
	g := w.g
	out := symbolic.Constant(of.K)
	ok := true
	for i, at := range of.At[:of.N] {
		part := symbolic.WordOf(at)
		if g.writtenOnPath.has(at) {
			if k, found := slices.BinarySearchFunc(from.forms, at, byWord); found {
				part = from.forms[k].Of
			} else {
				part = symbolic.Constant(g.store[at].Int())
			}
		}
		if ok {
			out, ok = out.Plus(part, int64(of.Factor[i]))
		}
	}
	if ok = ok && out.By == 1; ok {
		if out.N > 0 {
			out.By = of.By
		}
		return out, true
	}
	for _, at := range of.At[:of.N] {
		if !g.writtenOnPath.has(at) {
			w.dependOnWord(at)
		} else if k, found := slices.BinarySearchFunc(from.forms, at, byWord); found {
			w.dependOnNumber(&from.forms[k].Of)
		}
	}
	return out, false
}

// forms gives the linear forms of the words where a transition from a state leads, or of what
// is seen of an end.
func (w *expansion) forms(from *stepState, x *Transition) []symbolic.WordForm {
	var out []symbolic.WordForm
	add := func(at int32, of *symbolic.Linear) {
		if of, ok := w.atStart(from, of); ok && of.N > 0 {
			out = append(out, symbolic.WordForm{At: at, Of: of})
		}
	}
	if x.target == toTerminal {
		for i := range x.seen {
			f := &x.seen[i]
			if add(f.At, &f.Of); len(out) == i {
				out = append(out, symbolic.WordForm{At: f.At, Of: symbolic.Constant(f.Of.Of(w.g.store).Int())})
			}
		}
		return out
	}
	before := from.forms
	keep := func(to int32) {
		for ; len(before) > 0 && before[0].At < to; before = before[1:] {
			if _, written := slices.BinarySearch(x.written, before[0].At); !written && !w.g.dead(&x.point, before[0].At) {
				out = append(out, before[0])
			}
		}
	}
	for i := range x.writes {
		if d := &x.writes[i]; d.form != nil {
			keep(d.at)
			add(d.at, d.form)
		}
	}
	keep(math.MaxInt32)
	return out
}

func byWord(f symbolic.WordForm, at int32) int { return int(f.At - at) }

// mergeForms notes that the macro step depends on two transitions that led to the same state having done
// so: where they worked it out differently, on what they worked out.
func (w *expansion) mergeForms(a, b []symbolic.WordForm) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].At < b[0].At:
			w.dependOnNumber(&a[0].Of)
			a = a[1:]
		case len(a) == 0 || b[0].At < a[0].At:
			w.dependOnNumber(&b[0].Of)
			b = b[1:]
		default:
			if a[0].Of != b[0].Of {
				w.dependOnNumber(&a[0].Of)
				w.dependOnNumber(&b[0].Of)
			}
			a, b = a[1:], b[1:]
		}
	}
}

// mergeWritten notes that the macro step depends on the words that only one of two transitions has
// written: the one that is followed, from a state and with more written, or the
// other.
func (w *expansion) mergeWritten(other []int32, from *stepState, more []int32) {
	g := w.g
	g.writtenHere.clear()
	for _, at := range more {
		g.writtenHere.set(at)
	}
	g.writtenThere.clear()
	for _, at := range other {
		g.writtenThere.set(at)
		if !g.writtenOnPath.has(at) && !g.writtenHere.has(at) {
			w.dependOnWord(at)
		}
	}
	for _, list := range [][]int32{from.written, more} {
		for _, at := range list {
			if !g.writtenThere.has(at) {
				w.dependOnWord(at)
			}
		}
	}
}

// mixed is a number to sum up sets of words by.
func mixed(at int32) uint64 {
	x := (uint64(at) + 1) * 0x9e3779b97f4a7c15
	return x ^ x>>29
}

// marks is a set of words that is quickly emptied.
type marks struct {
	on  []uint32
	now uint32
}

func (m *marks) clear() { m.now++ }

func (m *marks) has(at int32) bool { return m.on[at] == m.now }

// set puts a word into the set, and says whether it was not there before.
func (m *marks) set(at int32) bool {
	if m.on[at] == m.now {
		return false
	}
	m.on[at] = m.now
	return true
}

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
	rest, itself := w.g.successor(w.id, &n.lastTransition.point, n.words)
	e := w.g.effectOf(w.from, Transient, n.words, &n.derivation, n.lastTransition)
	return ^w.add(rest, n.words, itself, e, n.derivation)
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
