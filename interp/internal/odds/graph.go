// Package odds works out what a script can lead to, with the weight of each end.
//
// A script is a Markov chain. Between two throws it is a plain computation; a
// throw goes on in as many ways as the dice have faces. The engine is that of
// every other mode: a machine is stopped wherever dice have to fall, its state
// is saved, and for each way the dice can fall it is put back and run on. States
// that are saved as the same words are one state.
//
// Take a hero with 2 tokens left and a villain with 1 who strike in turn, each
// hitting on 4 or more of a d6:
//
//	(2,1) -1/2-> (2,0)   the hero has won
//	      -1/2-> (2,1)'  -1/2-> (1,1) -> …
//	                     -1/2-> (2,1)   where it began
//
// The graph has two levels. A rest is a state between steps: where a statement
// begins, or the head of a loop that throws. A step is everything that may
// happen from a rest to the next rests: a small graph of its own, of chances and
// choices, whose leaves are rests. Steps have no loops, so weights go through
// them in order. Rests may come round again: the strongly connected components
// of the graph are solved one after the other (solve.go). A state that comes
// back to itself, as (2,1) above does after two misses, is divided out: what
// flows into it leaves it in the proportions in which it leaves at all.
package odds

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"unsafe"

	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
)

// V is a value.
type V = value.V

// Graph is what a list of statements can lead to from the present state of a
// machine.
type Graph struct {
	m     *machine.Machine
	saver *machine.Saver
	funcs []*machine.Func
	whole bool
	last  []bool // whether the last outcome is live before each statement, and in the end

	// Decide answers a question with the number of an option, or says with no
	// that every option is to be followed.
	Decide func(q *machine.Question) (int, bool)
	// Limit bounds the number of rests and of chances in steps.
	Limit int
	// Least is the weight below which a rest is not followed; its weight is the
	// residue. 0 follows all.
	Least float64

	Rests  []*Rest
	index  table
	queue  []int32
	Merged int // how often a state was met again
	Steps  int // how many steps were followed, not remembered
	memo   map[uint64][]*memo
	Faults []*machine.Error
	seed   maphash.Seed
	buf    []V
}

// Rest is a state between steps.
type Rest struct {
	State []V   // the number of the statement, then the saved state
	words int   // where the words of the store begin in it
	Step  *Step // nil of an end, and of what was not followed
	To    []int32
	Kind  Kind
	Fault int // index into Faults
	mass  float64
}

// Kind tells rests apart.
type Kind uint8

const (
	Between Kind = iota // more comes
	End                 // all statements are done
	Broken              // a statement failed
)

// Step is what may happen from a rest on: nodes in an order in which every node
// comes before those it leads to. Kids refer to later nodes, or, as ^i, to leaf i.
type Step struct {
	Nodes   []Node
	Leaves  int
	weights []float64 // of the leaves
}

// Node is a throw, with the number of ways to each kid, or a choice.
type Node struct {
	Choice *Choice // nil of a throw
	Kids   []int32
	Ways   []uint64 // nil: one each
	Total  uint64   // the sum of the ways
	Size   int      // of the die, when it is one die and the kids are its faces in order
}

// Choice is a decision that is left open.
type Choice struct {
	Who     V
	Name    string
	Prompt  string
	Options []string
	Taken   int // the option that is taken
}

// ErrStates is that more states were met than Limit allows.
var ErrStates = errors.New("too many states")

// New makes a Graph. The machine must be between two runs; Close gives it back.
// With whole the ends are told apart by all that was written, else only by what
// was reported and by the last outcome.
func New(m *machine.Machine, funcs []*machine.Func, whole bool) *Graph {
	return &Graph{m: m, saver: machine.NewSaver(m, whole), funcs: funcs, whole: whole, Limit: 1 << 20, seed: maphash.MakeSeed()}
}

// Close puts the machine back to where it was.
func (g *Graph) Close() {
	g.m.Resting, g.m.Reporting = false, false
	g.saver.Close()
}

// table finds states by their words.
type table map[uint64][]int32

func hash(seed maphash.Seed, s []V) uint64 {
	if len(s) == 0 {
		return 0
	}
	return maphash.Bytes(seed, unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*8))
}

// Build follows everything from the present state of the machine.
func (g *Graph) Build(ctx context.Context) error {
	first, err := g.first()
	if err != nil {
		return err
	}
	g.Rests[first].mass = 1
	for len(g.queue) > 0 {
		id := g.queue[0]
		g.queue = g.queue[1:]
		if err := g.expand(ctx, id); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// first gives the rest that the machine is in.
func (g *Graph) first() (int32, error) {
	g.m.Resting, g.m.Reporting = true, true
	g.last = make([]bool, len(g.funcs)+1)
	g.last[len(g.funcs)] = true
	for i := len(g.funcs) - 1; i >= 0; i-- {
		g.last[i] = g.saver.LastBefore(g.funcs[i], g.last[i+1])
	}
	return g.rest(0, machine.Done)
}

// rest gives the number of the rest that the machine is in, with statement n
// at work or, when it is done, to come.
func (g *Graph) rest(n int, st machine.Status) (int32, error) {
	buf := append(g.buf[:0], value.OfInt(int64(n)))
	if n >= len(g.funcs) && !g.whole {
		g.buf = g.saver.Seen(buf)
		return g.meet(g.buf, len(g.buf), End, 0), nil
	}
	kind := Between
	if n >= len(g.funcs) {
		kind = End
	}
	g.at(n)
	buf, words, err := g.saver.Save(buf, st)
	if err != nil {
		return 0, err
	}
	g.buf = buf
	return g.meet(buf, words, kind, 0), nil
}

// at tells the saver what comes behind statement n, which is at work, or, when
// nothing is, to come.
func (g *Graph) at(n int) {
	if !g.m.Idle() {
		n++
	}
	g.saver.Last = g.last[n]
	if !g.whole {
		g.saver.Future = g.funcs[n:]
	}
}

// meet gives the number of the rest with a state.
func (g *Graph) meet(state []V, words int, kind Kind, fault int) int32 {
	if g.index == nil {
		g.index = table{}
	}
	h := hash(g.seed, state)
	for _, id := range g.index[h] {
		if slices.Equal(g.Rests[id].State, state) {
			g.Merged++
			return id
		}
	}
	id := int32(len(g.Rests))
	g.Rests = append(g.Rests, &Rest{State: slices.Clone(state), words: words, Kind: kind, Fault: fault})
	g.index[h] = append(g.index[h], id)
	if kind == Between {
		g.queue = append(g.queue, id)
	}
	return id
}

// expand follows what may happen from a rest.
func (g *Graph) expand(ctx context.Context, id int32) error {
	r := g.Rests[id]
	if r.mass < g.Least && id > 0 {
		return nil
	}
	if len(g.Rests) > g.Limit {
		return ErrStates
	}
	if !g.recall(r) {
		if err := g.follow(ctx, r); err != nil {
			return err
		}
	}
	// what is known so far of the weights of the next rests
	for i, p := range r.Step.weights {
		g.Rests[r.To[i]].mass += r.mass * p
	}
	return nil
}

// follow runs the step from a rest and remembers it.
func (g *Graph) follow(ctx context.Context, r *Rest) error {
	g.Steps++
	w := &walk{g: g, ctx: ctx, step: &Step{}, stmt: int(r.State[0].Int())}
	g.saver.Load(r.State[1:])
	g.saver.BeginStep()
	if g.m.Idle() {
		if err := g.m.Start(g.funcs[w.stmt]); err != nil {
			return err
		}
	}
	if err := w.run(); err != nil {
		return err
	}
	r.Step, r.To = w.step, w.leaves
	r.Step.Leaves = len(w.leaves)
	r.Step.weights = weights(r.Step, arithmetic[float64](floats{}))
	g.remember(r, w)
	return nil
}

// walk follows one step.
type walk struct {
	g      *Graph
	ctx    context.Context
	stmt   int
	step   *Step
	nodes  []met // what is known of the nodes of step
	index  table
	leaves []int32
	effect []effect
	leaf   map[int32]int32
}

// met is a state met within a step, and what had been written on the way there.
type met struct {
	state   []V
	written []int32
	sum     uint64
}

// run goes on from where the machine is, to the end of the step.
func (w *walk) run() error {
	if _, err := w.on(); err != nil {
		return err
	}
	for i := 0; i < len(w.step.Nodes); i++ {
		if err := w.node(i); err != nil {
			return err
		}
		if i&255 == 255 {
			if err := w.ctx.Err(); err != nil {
				return err
			}
		}
	}
	if len(w.step.Nodes) == 0 {
		// nothing was thrown: one way
		w.step.Nodes = []Node{{Kids: []int32{^0}, Total: 1}}
	}
	return w.sort()
}

// on runs the machine to the next chance, open choice or rest, and gives the
// node or, as ^i, the leaf it came to.
func (w *walk) on() (int32, error) {
	g := w.g
	m := g.m
	for {
		m.MaxSteps = min(m.Steps+1<<18, m.StepLimit)
		switch st := m.Run(); st {
		case machine.Done:
			if w.stmt+1 >= len(g.funcs) && !g.whole {
				g.saver.DependLast()
			}
			id, err := g.rest(w.stmt+1, st)
			return w.leafOf(id), err
		case machine.Rest:
			id, err := g.rest(w.stmt, st)
			return w.leafOf(id), err
		case machine.Broken:
			g.Faults = append(g.Faults, m.Err)
			g.buf = append(g.buf[:0], value.OfInt(-1), g.m.Heap.OfText(m.Err.Msg))
			return w.leafOf(g.meet(g.buf, len(g.buf), Broken, len(g.Faults)-1)), nil
		case machine.Yield:
			if err := w.ctx.Err(); err != nil {
				return 0, err
			}
		case machine.NeedChoice:
			if g.Decide == nil {
				m.GiveAnswer(m.Asked().Default, "default")
				continue
			}
			if n, ok := g.Decide(m.Asked()); ok {
				m.GiveAnswer(n, "default")
				continue
			}
			return w.meet(st)
		default:
			return w.meet(st)
		}
	}
}

// meet gives the node of the state that the machine is in.
func (w *walk) meet(st machine.Status) (int32, error) {
	g := w.g
	g.at(w.stmt)
	state, _, err := g.saver.Save(g.buf[:0], st)
	if err != nil {
		return 0, err
	}
	g.buf = state
	if w.index == nil {
		w.index = table{}
	}
	h := hash(g.seed, state)
	for _, i := range w.index[h] {
		if n := &w.nodes[i]; slices.Equal(n.state, state) {
			g.Merged++
			if n.sum != g.saver.WrittenSum() {
				g.saver.Differ(n.written)
			}
			return i, nil
		}
	}
	i := int32(len(w.nodes))
	if len(w.nodes)+len(g.Rests) > g.Limit {
		return 0, ErrStates
	}
	w.step.Nodes = append(w.step.Nodes, Node{})
	w.nodes = append(w.nodes, met{slices.Clone(state), slices.Clone(g.saver.Written()), g.saver.WrittenSum()})
	w.index[h] = append(w.index[h], i)
	return i, nil
}

// leafOf gives the leaf that is a rest, which the machine is in.
func (w *walk) leafOf(rest int32) int32 {
	s := w.g.saver
	if i, ok := w.leaf[rest]; ok {
		if e := &w.effect[i]; e.sum != s.WrittenSum() {
			s.Differ(e.written)
		}
		return ^i
	}
	if w.leaf == nil {
		w.leaf = map[int32]int32{}
	}
	i := int32(len(w.leaves))
	w.leaf[rest] = i
	w.leaves = append(w.leaves, rest)
	w.effect = append(w.effect, w.g.effectOf(rest))
	return ^i
}

// node follows all that may happen at node i.
func (w *walk) node(i int) error {
	g := w.g
	m := g.m
	state, written := w.nodes[i].state, w.nodes[i].written
	again := func() (machine.Status, error) {
		g.saver.Load(state)
		g.saver.Path(written)
		m.MaxSteps = m.StepLimit
		st := m.Run()
		if st != machine.NeedChance && st != machine.NeedChoice {
			return st, fmt.Errorf("a state that waited for chance does not any more (%v, %v)", st, m.Err)
		}
		return st, nil
	}
	st, err := again()
	if err != nil {
		return err
	}
	var n Node
	add := func(kid int32, ways uint64) {
		n.Total += ways
		if n.Size > 0 {
			n.Kids = append(n.Kids, kid)
			return
		}
		if k := slices.Index(n.Kids, kid); k >= 0 {
			n.Ways[k] += ways
			return
		}
		n.Kids, n.Ways = append(n.Kids, kid), append(n.Ways, ways)
	}
	if st == machine.NeedChoice {
		q := m.Asked()
		n.Choice = &Choice{Who: q.Who, Name: q.Info.Name, Prompt: m.Show(q.Prompt), Options: optionsOf(m, q)}
		count := q.Count
		n.Size = count
		for k := range count {
			if k > 0 {
				if _, err := again(); err != nil {
					return err
				}
			}
			m.GiveAnswer(k, "choice")
			kid, err := w.on()
			if err != nil {
				return err
			}
			add(kid, 1)
		}
		w.step.Nodes[i] = n
		return nil
	}
	sizes, _ := m.Pending()
	sizes = slices.Clone(sizes)
	if len(sizes) == 1 {
		n.Size = sizes[0]
	}
	first := true
	err = throws(sizes, func(faces []int, ways uint64) error {
		if !first {
			if _, err := again(); err != nil {
				return err
			}
		}
		first = false
		m.GiveFaces(faces)
		kid, err := w.on()
		if err == nil {
			add(kid, ways)
		}
		return err
	})
	w.step.Nodes[i] = n
	return err
}

func optionsOf(m *machine.Machine, q *machine.Question) []string {
	if q.Info.Offer {
		return []string{"no", "yes"}
	}
	var out []string
	for _, v := range m.Heap.Elems(q.Options) {
		out = append(out, m.Show(v))
	}
	return out
}

// sort brings the nodes of a step into an order in which each comes before
// those it leads to. Where a throw may lead back to itself (a die that is thrown
// again as long as it shows its highest face, and nothing is counted) the step
// is cut: that throw is a rest, with which the solver deals.
func (w *walk) sort() error {
	nodes := w.step.Nodes
	var order []int32
	for {
		var left int
		order, left = topological(nodes)
		if left < 0 {
			break
		}
		leaf, err := w.cut(left)
		if err != nil {
			return err
		}
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

// cut makes a rest of a node and gives its leaf.
func (w *walk) cut(i int) (int32, error) {
	g := w.g
	g.saver.Load(w.nodes[i].state)
	g.saver.Path(w.nodes[i].written)
	st := g.m.Run()
	id, err := g.rest(w.stmt, st)
	return w.leafOf(id), err
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
