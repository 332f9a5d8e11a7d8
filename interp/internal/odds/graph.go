// Package odds calculates everything a script can lead to, with the probability of
// each result.
//
// A script is a Markov chain. Its transitions are the pieces of deterministic
// computation from one draw (dice) or decision to the next. The machine that executes
// scripts in every other mode executes them here, too: it stops at each draw, its state
// is saved, and for each outcome of the draw it is restored and runs on. States whose
// saved words are equal are one node of the graph.
//
// Take a hero with 2 tokens left and a villain with 1 who strike in turn, each
// hitting on 4 or more of a d6:
//
//	(2,1) -1/2-> (2,0)   the hero has won
//	      -1/2-> (2,1)'  -1/2-> (1,1) -> …
//	                     -1/2-> (2,1)   where it began
//
// The graph has three levels, and each has a short name in the code.
//
//   - A way is a transition: computation without chance, from one draw or decision to
//     the next (way.go).
//   - A rest is a checkpoint, a state that the graph keeps: at the beginning of a
//     statement, at the head of a loop that throws, before a pool is thrown, and where
//     one side of a contest is complete, so that it is followed only once, whatever
//     the other side has rolled.
//   - A step is a macro step: all transitions from one checkpoint to the next. It is a
//     small graph without loops, whose leaves are checkpoints (step.go).
//
// Transitions and steps are cached. The key is the path condition, not the state: the
// answers to the comparisons along the run, as a decision tree (known.go, memo.go,
// symbolic/concolic.go). The villain's blow asks whether the face is 4 or more, and
// whether the hero has more than one token left; then it takes one token away, whatever
// their number. So it is executed three times, however many tokens there are: for a
// miss, for a hit, and for the last hit.
//
// Symmetry reduction: if creatures differ only in their names, states that differ only
// in which of them are out are one state (alike.go, state/symmetry.go).
//
// The likeliest checkpoints are followed first. If dice can explode without end,
// checkpoints below a least probability are not followed; their sum is the remainder,
// which is reported.
//
// Probabilities flow through a step in topological order. Between checkpoints there may
// be cycles: the strongly connected components are solved one after the other
// (solve.go). A state that returns to itself, as (2,1) above does after two misses,
// keeps nothing: what flows into it flows out in proportion to its other transitions.
// With a decision maker the graph is a Markov decision process, whose values are found
// by backward induction (best.go).
package odds

import (
	"context"
	"errors"
	"hash/maphash"
	"math"
	"math/big"
	"slices"
	"unsafe"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/query"
	"setpiece/interp/internal/state"
	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/transition"
	"setpiece/interp/internal/value"
)

// V is a value.
type V = value.V

// Graph is what a list of statements can lead to from the present state of a
// machine.
type Graph struct {
	*Memory
	m     *machine.Machine
	saver *state.Codec
	funcs []*code.Func

	// Decide answers a question with the number of an option, or says with no
	// that every option is to be followed.
	Decide func(q *machine.Question) (int, bool)
	// Limit bounds the number of rests, and of ways between throws.
	Limit int
	// Least is the weight below which a rest is not followed; its weight is the
	// residue. 0 follows all.
	Least float64
	// Apart keeps equal states apart and remembers nothing, which must lead to
	// the same.
	Apart bool
	// Spread keeps what is read of all the throws of a pool that lead to one place, for
	// Paths to say.
	Spread bool

	Rests    []Rest
	arrived  []int32          // by number of the ending: 1 + the rest that it is, 0 where it has not been met
	first    map[uint64]int32 // by hash: the rest met last, see Rest.next
	queue    [decades][]int32 // rests to follow, by how much of their weight is known
	Merged   int              // how often a state was met again
	Steps    int              // how many steps were followed, not remembered
	executed int              // how many ways were
	Inside   int              // how many throws there are in the largest step
	buf, out []V
	kept     slab[V]     // the words of rests
	leads    slab[int32] // where they lead
	key      []byte
	now      []V    // the store of the rest that is looked at
	read     []bool // by word of the store: whether anything depended on it
	depends  marks  // words that the step depends on
	fixed    marks  // on what they held
	path     marks  // words written on the way to the state whose ways are followed
	ours     marks
	theirs   marks
	alike    alike
	walk     walk // the latest

	// MaxBytes bounds all the memory that the process takes; 0: the constant.
	MaxBytes int
	ctx      context.Context // of what goes on
	polled   int
	work     int   // how much has been calculated since the context was looked at
	err      error // why what is calculated from the graph was not finished
	sweeping int   // bytes taken by the pool that is being worked out
}

// Rest is a state between steps: where in the program it is, and the words of
// the store that differ from the base, or, of records, from the state that was
// there first.
type Rest struct {
	at     *control
	Words  []V   // place and value in turn; of an end what is seen of it
	Step   *Step // nil of an end, and of what was not followed
	To     []int32
	Kind   Kind
	Fault  *machine.Error
	Taken  []int32 // by node of the step, the option taken there; nil where none is open
	next   int32   // another rest with the same hash, -1
	mass   float64 // its weight, as far as it is known
	passed float64 // of which so much has been passed on
	queued int8    // the queue it waits or waited in

	// of those who are alike, see alike.go
	out       uint64 // who is out
	exchanged uint64 // who has been exchanged on the way
	unlike    uint64 // for whom what follows is not the same
}

// control is where in a program a rest is: the number of the statement at work
// or to come, and the saved state without the words of the store.
type control struct {
	words  []V
	id     uint64
	fresh  bool // nobody has said what it holds
	stmt   int
	steps  transition.Cache[macroEffect]     // that have been followed from there
	thrown transition.Cache[way]             // by the face that fell there, which is in the first word of Fell
	ways   []transition.Cache[way]           // by the answer that was given, the first without one
	pools  map[string]*transition.Cache[way] // by how far the pool that fell was read, and, unless that is in the words of Fell, what
	waits  *Waits                            // what is waited for there, if anything
	held   []*code.Field                     // by word of the store behind the base: the field that it is, if it is one of the words
	proto  []V                               // what these were in the state that was there first
	full   []V                               // the control words but the first, and those of proto
	apart  []int32                           // words of the base that are among the control words
	slots  int                               // how many of its registers are in words of the store
	cuts   uint64                            // between whom nobody is exchanged there, see alike.go
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
	weights []float64 // of the leaves, as if every option were taken
	open    bool      // it has choices
	notes   []noted   // on the way to the first node
	counts  bool      // something is noted in it
}

// Node is a throw, with the number of ways to each kid, or a choice.
type Node struct {
	Waits  *Waits  // nil where nothing is thrown
	Choice *Choice // nil of a throw
	Kids   []int32
	Ways   []*big.Int   // nil: one each
	Total  *big.Int     // the sum of the ways
	P      []float64    // the same as parts of one; nil: all the same
	Shows  [][]V        // of a pool: by kid, what is read of one throw that leads there
	Spans  [][]Span     // by kid, what is read of all that lead there, where Spread asks for it
	Read   *query.Query // of a pool: what Shows answers
	Size   int          // of the die, when it is one die and the kids are its faces in order
	notes  []noted
}

// noted is that something is noted on a way out of a node.
type noted struct {
	note int32   // its number
	kid  int     // of a choice: the option that leads that way
	p    float64 // how likely the way is, from the node
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

// ErrStates is that more states were met than Limit allows, ErrMemory that they
// take more memory than they may, ErrEndless that there is no end of them.
var (
	ErrStates  = errors.New("too many states")
	ErrMemory  = errors.New("too large states")
	ErrEndless = errors.New("states without end")
)

// MaxBytes is what Graph.MaxBytes is where nobody says anything else.
const MaxBytes = 1 << 30

// New makes a Graph. The machine must be between two runs; Close gives it back.
// The ends are told apart by what was reported and by the last outcome.
//
// What was worked out for the same functions, with the same Decide, is taken from
// a memory; with nil it begins with an empty one.
func New(m *machine.Machine, funcs []*code.Func, memory *Memory) *Graph {
	if memory == nil {
		memory = &Memory{}
	}
	g := &Graph{Memory: memory, m: m, saver: state.NewCodec(m), funcs: funcs, Limit: 1 << 20, ctx: context.Background(), first: map[uint64]int32{}}
	memory.ready(g.saver)
	m.Reported = memory.Reported
	m.Noting, m.Notes, m.Follows = machine.NoteTurns, &memory.Notes, true
	g.now = slices.Clone(g.saver.Base())
	g.grow()
	g.saver.Outside = func(at int) bool {
		return g.varies[at] && !g.depends.has(int32(at)) && !g.path.has(int32(at))
	}
	return g
}

// grow makes room for all words of the store that are told apart.
func (g *Graph) grow() {
	n := len(g.varies)
	for len(g.now) < n {
		g.now = append(g.now, value.None)
	}
	if len(g.alike.then) < n {
		g.alike.then = slices.Clone(g.now)
		copy(g.alike.then, g.saver.Base())
	}
	g.read = append(g.read, make([]bool, n-len(g.read))...)
	for _, m := range []*marks{&g.depends, &g.fixed, &g.path, &g.ours, &g.theirs} {
		m.on = append(m.on, make([]uint32, n-len(m.on))...)
	}
}

// Close puts the machine back to where it was.
func (g *Graph) Close() {
	g.m.Checkpoints, g.m.Reporting, g.m.Noting, g.m.Follows = false, false, machine.NoteNothing, false
	g.Reported = g.m.Reported
	g.saver.Close()
}

func hash(seed maphash.Seed, s []V) uint64 { return maphash.Bytes(seed, asBytes(s)) }

// asBytes gives values as the bytes they are.
func asBytes(s []V) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*8)
}

// Build follows everything from the present state of the machine, which is to run
// the first statement.
func (g *Graph) Build(ctx context.Context) error { return g.BuildFrom(ctx, machine.Done) }

// unending is a weight so small that dice which may be thrown again for ever must have led
// there. A die that is thrown again on one of ten faces gets there in 250 throws.
const unending = 1e-250

// BuildFrom follows everything from a machine that stands in the middle of the
// first statement, where Run has returned with a status; with Done it is about
// to begin.
func (g *Graph) BuildFrom(ctx context.Context, st machine.Status) error {
	g.ctx, g.err = ctx, nil
	first, err := g.begin(st)
	if err != nil {
		return err
	}
	g.Rests[first].mass = 1
	g.Rests[first].out = g.outs(first, g.Rests[first].at, g.Rests[first].Words)
	for {
		id, ok := g.heaviest()
		if !ok && g.more() {
			continue
		}
		if ok && g.Least == 0 && g.Rests[id].mass > 0 && g.Rests[id].mass < unending {
			return ErrEndless
		}
		var err error
		if ok {
			err = g.expand(ctx, id)
		}
		if err == nil {
			err = g.stillAlike()
		}
		switch {
		case errors.Is(err, errUnlike):
			g.anew()
		case err != nil:
			return err
		case !ok:
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// begin gives the rest that the machine is in at first.
func (g *Graph) begin(st machine.Status) (int32, error) {
	g.m.Checkpoints, g.m.Reporting = true, true
	g.saver.Ahead(g.funcs)
	g.saver.Defaults = g.Decide == nil
	g.gather()
	if len(g.funcs) == 0 {
		seen, _ := g.saver.Seen([]V{value.OfInt(0)})
		return g.meet(g.control(seen[:1]), seen[1:], End, nil), nil
	}
	g.saver.At(0)
	buf, words, err := g.saver.Save([]V{value.OfInt(0)}, st)
	if err != nil {
		return 0, err
	}
	p := place{g.control(buf[:words]), g.saver.LastLive, g.saver.Uses}
	g.learn(p.at)
	return g.meet(p.at, g.changed(nil, buf[words:], nil, nil, &p), Between, nil), nil
}

// learn makes sure that of a place the words are known that the states there have,
// when one of them has been saved last.
func (g *Graph) learn(c *control) {
	if c.fresh {
		c.fresh = false
		base := len(g.saver.Base())
		c.held, c.apart, c.slots = g.saver.Held(), g.saver.Linked(), len(g.saver.Slots())
		c.cuts = g.saver.Cuts(c.words)
		c.proto = make([]V, len(c.held))
		c.full = slices.Clone(c.words[1:])
		for i, f := range c.held {
			c.proto[i] = value.None
			if f != nil {
				c.proto[i] = g.m.Store[base+i]
				c.full = append(c.full, value.OfInt(int64(base+i)), c.proto[i])
			}
		}
		g.bytes += 24*len(c.held) + 8*len(c.full) + 4*len(c.apart)
		if g.room(base + len(c.held)) {
			g.grow()
		}
	}
}

// control finds the place in the program that words describe.
func (g *Graph) control(words []V) *control {
	h := hash(g.seed, words)
	for _, c := range g.controls[h] {
		if slices.Equal(c.words, words) {
			return c
		}
	}
	g.bytes += 8*len(words) + 300
	c := &control{words: slices.Clone(words), id: h, stmt: int(words[0].Int()), fresh: true}
	g.controls[h] = append(g.controls[h], c)
	return c
}

// meet gives the number of the rest with a state.
func (g *Graph) meet(at *control, words []V, kind Kind, fault *machine.Error) int32 {
	h := hash(g.seed, words) ^ at.id
	head, ok := g.first[h]
	if !ok {
		head = -1
	}
	for id := head; id >= 0 && !g.Apart; id = g.Rests[id].next {
		if r := &g.Rests[id]; r.at == at && slices.Equal(r.Words, words) {
			g.Merged++
			return id
		}
	}
	g.bytes += bytesOfRest(words)
	id := int32(len(g.Rests))
	if len(g.Rests) == cap(g.Rests) {
		g.Rests = slices.Grow(g.Rests, len(g.Rests)+256)
	}
	g.Rests = append(g.Rests, Rest{at: at, Words: g.kept.clone(words), Kind: kind, Fault: fault, next: head})
	g.first[h] = id
	if kind == Between {
		g.Rests[id].queued = decades
		g.enqueue(id)
		g.differ(words)
	}
	return id
}

// bytesOfRest is, roughly, how much memory a rest takes.
func bytesOfRest(words []V) int { return 8*len(words) + 288 }

// slab keeps many short lists in few pieces of memory.
type slab[T any] []T

// list gives room for n elements.
func (s *slab[T]) list(n int) []T {
	if cap(*s)-len(*s) < n {
		*s = make([]T, 0, max(n, 1024))
	}
	from := len(*s)
	*s = (*s)[:from+n]
	return (*s)[from : from+n : from+n]
}

func (s *slab[T]) clone(list []T) []T {
	out := s.list(len(list))
	copy(out, list)
	return out
}

// differ notes which words of the store differ from the base.
func (g *Graph) differ(words []V) {
	for i := 0; i < len(words); i += 2 {
		g.vary(int(words[i].Int()))
	}
}

// ending remembers an end, or a fault, and gives its number.
func (g *Graph) ending(e ending) int32 {
	e.words = slices.Clone(e.words)
	g.ends = append(g.ends, e)
	return int32(len(g.ends) - 1)
}

// arrive gives the rest that an ending is, where the words of the store are those in
// now and some of what is seen is worked out from them.
func (g *Graph) arrive(n int32, seen []symbolic.WordForm) int32 {
	if len(seen) > 0 {
		e := &g.ends[n]
		g.out = append(g.out[:0], e.words...)
		for i := range seen {
			g.out[seen[i].At-1] = seen[i].Of.Of(g.now) // the first is in the control
		}
		return g.meet(e.at, g.out, e.kind, e.fault)
	}
	for int(n) >= len(g.arrived) {
		g.arrived = append(g.arrived, 0)
	}
	if g.arrived[n] == 0 {
		e := &g.ends[n]
		g.arrived[n] = 1 + g.meet(e.at, e.words, e.kind, e.fault)
	}
	return g.arrived[n] - 1
}

// decades is how many queues there are: of rests with at least a tenth of all
// weight, with at least a hundredth, and so on.
const decades = 20

// decade has the least weight in each queue but the last.
var decade = func() (least [decades]float64) {
	for d := range least {
		least[d] = math.Pow10(-d - 1)
	}
	return least
}()

// enqueue puts a rest among those of its weight, unless it is or was there: then
// too little more has become known.
func (g *Graph) enqueue(id int32) {
	r := &g.Rests[id]
	d := min(r.queued, decades-1)
	for d > 0 && r.mass >= decade[d-1] {
		d--
	}
	if d < r.queued {
		r.queued = d
		g.queue[d] = append(g.queue[d], id)
	}
}

// heaviest takes a rest of which much weight is known, those met first before
// others. What is hardly ever met waits, for it may be met by a likelier way: a
// state should not be given up because its rarest way has the fewest steps.
func (g *Graph) heaviest() (int32, bool) {
	for d := range g.queue {
		for len(g.queue[d]) > 0 {
			id := g.queue[d][0]
			g.queue[d] = g.queue[d][1:]
			if int(g.Rests[id].queued) == d {
				return id, true
			}
		}
	}
	return 0, false
}

// more queues the rests again of which much has become known since it was passed
// on, each time a little: along a path of many rests it would add up.
func (g *Graph) more() bool {
	if g.Least == 0 {
		return false
	}
	any := false
	for id := range g.Rests {
		if r := &g.Rests[id]; r.Kind == Between && r.mass >= g.Least && r.mass-r.passed > r.mass/100 {
			any = true
			r.queued = decades
			g.enqueue(int32(id))
		}
	}
	return any
}

// expand follows what may happen from a rest.
func (g *Graph) expand(ctx context.Context, id int32) error {
	if g.Rests[id].mass < g.Least && id > 0 {
		return nil
	}
	if err := g.full(); err != nil {
		return err
	}
	if g.Rests[id].Step == nil {
		if !g.recall(id) {
			if err := g.follow(ctx, id); err != nil {
				return err
			}
		}
		g.passOn(id)
	}
	// what is known so far of the weights of the next rests
	r := &g.Rests[id]
	more := r.mass - r.passed
	r.passed = r.mass
	for i, p := range r.Step.weights {
		to := &g.Rests[r.To[i]]
		to.mass += more * p
		if to.Kind == Between {
			g.enqueue(r.To[i])
		}
	}
	return nil
}

// Variety is how many values a word of the store has among all rests.
type Variety struct {
	At, Values int
	Field      *code.Field // that it is in some record; nil of a word of the base
}

// Variety tells which words of the store tell the rests apart, those with the
// most values first.
func (g *Graph) Variety() []Variety {
	values := map[int]map[V]bool{}
	fields := map[int]*code.Field{}
	for i := range g.Rests {
		r := &g.Rests[i]
		if r.Kind != Between {
			continue
		}
		for k := 0; k < len(r.Words); k += 2 {
			at := int(r.Words[k].Int())
			if values[at] == nil {
				values[at] = map[V]bool{g.basic(r.at, at): true}
				fields[at] = r.at.field(g, at)
			}
			values[at][r.Words[k+1]] = true
		}
	}
	var out []Variety
	for at, vs := range values {
		out = append(out, Variety{at, len(vs), fields[at]})
	}
	slices.SortFunc(out, func(a, b Variety) int {
		if a.Values != b.Values {
			return b.Values - a.Values
		}
		return a.At - b.At
	})
	return out
}

// Endless says whether some rest is so unlikely that dice which are thrown again and
// again must have led there: following all of them has no end.
func (g *Graph) Endless() bool {
	return g.Least == 0 && slices.ContainsFunc(g.Rests, func(r Rest) bool { return r.Kind == Between && r.mass > 0 && r.mass < 1e-30 })
}

// full says whether there is too much of anything.
func (g *Graph) full() error {
	switch {
	case g.executed+len(g.Rests) > g.Limit:
		return ErrStates
	case g.bytesTaken() > g.Bound()/4*3: // the rest is for the garbage collector
		return ErrMemory
	}
	return nil
}

// bytesTaken is how many bytes are taken, roughly: by what is kept, by all lists and
// texts of the session, and by the step that is being followed.
func (g *Graph) bytesTaken() int {
	w := &g.walk
	return g.bytes + int(g.m.Heap.Used) + 8*cap(w.words) + 200*len(w.nodes) + 170*len(w.effects) + 64*len(w.leaves) + g.m.Taken() + g.sweeping
}

// Bound is how many bytes may be taken.
func (g *Graph) Bound() int {
	if g.MaxBytes > 0 {
		return g.MaxBytes
	}
	return MaxBytes
}

// poll is called wherever a graph works for long: it says, from time to time,
// whether the context has ended and whether there is too much of anything.
func (g *Graph) poll() error {
	if g.polled++; g.polled&255 != 0 {
		return nil
	}
	return g.checkBounds()
}

// Err is why the latest calculation from the graph, such as Floats or Best, was not
// finished: the context of Build has ended. What it gave is then of no use.
func (g *Graph) Err() error { return g.err }

// ended is called wherever something is calculated from the graph for long, with how many
// numbers have been added or multiplied since: it says, from time to time, whether the
// context has ended. What is calculated then ends at once, and Err says why.
func (g *Graph) ended(work int) bool {
	if g.work += work; g.work > 1<<11 && g.err == nil {
		g.work, g.err = 0, g.ctx.Err()
	}
	return g.err != nil
}

// Within has what is calculated from now on end with another context than that of Build.
func (g *Graph) Within(ctx context.Context) { g.ctx, g.err = ctx, nil }

func (g *Graph) checkBounds() error {
	if err := g.ctx.Err(); err != nil {
		return err
	}
	return g.full()
}
