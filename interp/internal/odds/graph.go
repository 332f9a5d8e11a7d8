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
// # From a throw to a fraction
//
// This is the way of the hero's d6, with the files in which each step stands.
//
//	if throw(d6).face >= 4 { villain.tokens -= 1 }           the rule
//	   |  interp/internal/compile/gen.go
//	   v
//	Throw r1; Builtin face r1; JLtI r1 4; … SubI r2 1; SetF  code/op.go
//	   |  machine/exec.go runs until the throw; chance.go returns NeedChance
//	   v
//	the state before the throw                               state/codec.go
//	   |  equal states are one (graph.go, intern); what nobody will read is
//	   |  left out (analysis), creatures that differ only in name are exchanged
//	   |  (symmetry.go, state/symmetry.go, state/watch.go)
//	   v
//	a node of a macro step, which waits for one die of 6     macrostep.go
//	   |  for each face: has a run from here asked the same before and been
//	   |  answered the same? (transition/cache.go)
//	   |     yes: it leads where that one led                effect.go
//	   |     no:  codec.Fall(face), and the machine runs on  transition.go
//	   |          with the face and the tokens as unknown    symbolic/concolic.go,
//	   |          numbers beside the known ones              symbolic/follow.go
//	   v
//	condition: face < 4                 writes nothing       symbolic/linear.go
//	condition: face >= 4, tokens >= 2   tokens <- tokens - 1
//	condition: face >= 4, tokens = 1    tokens <- 0, and the villain has fallen
//	   |  so three runs are executed, for six faces and any number of tokens
//	   v
//	edges from the node, 3 of 6 faces each                   macrostep.go, sort
//	   |  weights flow through a macro step in order, from checkpoint to
//	   |  checkpoint along the strongly connected components; a state that
//	   |  returns to itself keeps nothing
//	   v
//	8/9, exactly or as a float                               solve.go
//
// Several dice that are thrown at once are not followed die by die: query finds out what
// the script reads of them, pool counts the throws for each answer, and the node has an
// edge for each (transition.go, poolOutcomes).
//
// # Words
//
//   - A transition is computation without chance, from one draw or decision to the next.
//   - A checkpoint is a state that the graph keeps: at the beginning of a statement, at the
//     head of a loop that throws, before a pool is thrown, and where one side of a contest is
//     complete, so that it is followed only once, whatever the other side has rolled.
//   - A macro step is all transitions from one checkpoint to the next: a small graph without
//     loops, whose leaves are checkpoints. Macro steps are cached as transitions are.
//
// The likeliest checkpoints are followed first. If dice can explode without end,
// checkpoints below a least probability are not followed; their sum is the remainder,
// which is reported. Between checkpoints there may be cycles: the strongly connected
// components are solved one after the other. With a decision maker the graph is a Markov
// decision process, whose values are found by backward induction (best.go); paths.go finds
// the likeliest ways to an end.
//
// A graph that has grown too large keeps what it has solved. The weight that lies at checkpoints
// which were not followed bounds how far any chance can be off, and is shared out by trials that
// begin there (sample.go), where creatures were exchanged in one of the states that a checkpoint
// stands for (lumped.go).
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
	"setpiece/interp/internal/pool"
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
	codec *state.Codec
	funcs []*code.Func

	// Decide answers a question with the number of an option, or says with no
	// that every option is to be followed.
	Decide func(q *machine.Question) (int, bool)
	// Limit bounds the number of checkpoints, and of transitions between throws.
	Limit int
	// Least is the weight below which a checkpoint is not followed; its weight is the
	// residue. 0 follows all.
	Least float64
	// Apart keeps equal states apart and remembers nothing, which must lead to
	// the same.
	Apart bool
	// Unfollowed is what a checkpoint that was not followed is worth to Best and Mean.
	Unfollowed float64
	// Named has nobody taken for another, which must lead to the same.
	Named bool
	// Spread keeps what is read of all the throws of a pool that lead to one place, for
	// Paths to say.
	Spread bool

	Checkpoints   []*Checkpoint
	terminalAt    []int32          // by number of the ending: 1 + the checkpoint that it is, 0 where it has not been met
	first         map[uint64]int32 // by hash: the checkpoint met last, see Checkpoint.next
	queue         [decades][]int32 // checkpoints to follow, by how much of their weight is known
	Merged        int              // how often a state was met again
	Steps         int              // how many macro steps were followed, not remembered
	executed      int              // how many transitions were
	Inside        int              // how many throws there are in the largest macro step
	buf, out      []V
	checkpoints   slab[Checkpoint]
	stateWords    slab[V]     // the words of checkpoints
	successors    slab[int32] // where they lead
	key           []byte
	store         []V    // the store of the checkpoint that is looked at
	read          []bool // by word of the store: whether anything depended on it
	depends       marks  // words that the macro step depends on
	fixed         marks  // on what they held
	writtenOnPath marks  // words written on the way to the state whose transitions are followed
	writtenHere   marks
	writtenThere  marks
	symmetry      symmetry
	walk          expansion                               // the latest
	path          []inEdge                                // the latest of a trial
	outcomes      map[*pool.Distribution]map[string]int32 // by what is read of a pool: its number

	// MaxBytes bounds all the memory that the process takes; 0: the constant.
	MaxBytes int
	ctx      context.Context // of what goes on
	polled   int
	work     int   // how much has been calculated since the context was looked at
	err      error // why what is calculated from the graph was not finished
	sweeping int   // bytes taken by the pool that is being worked out
}

// Checkpoint is a state between macro steps: where in the program it is, and the words of
// the store that differ from the base, or, of records, from the state that was
// there first.
type Checkpoint struct {
	at       *control
	Words    []V        // place and value in turn; of an end what is seen of it
	Step     *MacroStep // nil of an end, and of what was not followed
	To       []int32
	Kind     Kind
	Fault    *machine.Error
	Taken    []int32 // by node of the macro step, the option taken there; nil where none is open
	next     int32   // another checkpoint with the same hash, -1
	weight   float64 // its weight, as far as it is known
	passedOn float64 // of which so much has been passed on
	queued   int8    // the queue it waits or waited in

	// of those of one orbit, see symmetry.go
	out        uint64 // who is out
	exchanged  uint64 // who has been exchanged on the way
	asymmetric uint64 // for whom what follows is not the same
}

// control is where in a program a checkpoint is: the number of the statement at work
// or to come, and the saved state without the words of the store.
type control struct {
	words      []V
	id         uint64
	fresh      bool // nobody has said what it holds
	stmt       int
	macroSteps transition.Cache[macroEffect]            // that have been followed from there
	byFace     transition.Cache[Transition]             // by the face that fell there, which is in the first word of Fell
	byAnswer   []transition.Cache[Transition]           // by the answer that was given, the first without one
	byPool     map[string]*transition.Cache[Transition] // by how far the pool that fell was read, and, unless that is in the words of Fell, what
	pending    *Pending                                 // what is waited for there, if anything
	held       []*code.Field                            // by word of the store behind the base: the field that it is, if it is one of the words
	proto      []V                                      // what these were in the state that was there first
	full       []V                                      // the control words but the first, and those of proto
	linked     []int32                                  // words of the base that are among the control words
	slots      int                                      // how many of its registers are in words of the store
	cuts       uint64                                   // between whom nobody is exchanged there, see symmetry.go
}

// Kind tells checkpoints apart.
type Kind uint8

const (
	Transient Kind = iota // more comes
	Terminal              // all statements are done
	Broken                // a statement failed
)

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
	Spans   [][]Span     // by kid, what is read of all that lead there, where Spread asks for it
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

// ErrStates is that more states were met than Limit allows, ErrMemory that they
// take more memory than they may, ErrEndless that there is no end of them.
var (
	ErrStates  = errors.New("too many states")
	ErrMemory  = errors.New("too large states")
	ErrEndless = errors.New("states without end")
)

// MaxBytes is what Graph.MaxBytes is where nobody says anything else.
const MaxBytes = 512 << 20

// New makes a Graph. The machine must be between two runs; Close gives it back.
// The ends are told apart by what was reported and by the last outcome.
//
// What was worked out for the same functions, with the same Decide, is taken from
// a memory; with nil it begins with an empty one.
func New(m *machine.Machine, funcs []*code.Func, memory *Memory) *Graph {
	if memory == nil {
		memory = &Memory{}
	}
	g := &Graph{Memory: memory, m: m, codec: state.NewCodec(m), funcs: funcs, Limit: 1 << 20, ctx: context.Background(), first: map[uint64]int32{}}
	memory.ready(g.codec)
	m.Reported = memory.Reported
	m.Noting, m.Notes, m.Follows = machine.NoteTurns, &memory.Notes, true
	g.store = slices.Clone(g.codec.Base())
	g.grow()
	g.codec.Outside = func(at int) bool {
		return g.varies[at] && !g.depends.has(int32(at)) && !g.writtenOnPath.has(int32(at))
	}
	return g
}

// grow makes room for all words of the store that are told apart.
func (g *Graph) grow() {
	n := len(g.varies)
	for len(g.store) < n {
		g.store = append(g.store, value.None)
	}
	if len(g.symmetry.then) < n {
		g.symmetry.then = slices.Clone(g.store)
		copy(g.symmetry.then, g.codec.Base())
	}
	g.read = append(g.read, make([]bool, n-len(g.read))...)
	for _, m := range []*marks{&g.depends, &g.fixed, &g.writtenOnPath, &g.writtenHere, &g.writtenThere} {
		m.on = append(m.on, make([]uint32, n-len(m.on))...)
	}
}

// Close puts the machine back to where it was.
func (g *Graph) Close() {
	g.m.Checkpoints, g.m.Reporting, g.m.Noting, g.m.Follows = false, false, machine.NoteNothing, false
	g.Reported = g.m.Reported
	g.codec.Close()
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
	g.Checkpoints[first].weight = 1
	g.Checkpoints[first].out = g.whoIsOutIn(first, g.Checkpoints[first].at, g.Checkpoints[first].Words)
	for {
		id, ok := g.heaviest()
		if !ok && g.more() {
			continue
		}
		if ok && g.Least == 0 && g.Checkpoints[id].weight > 0 && g.Checkpoints[id].weight < unending {
			return ErrEndless
		}
		var err error
		if ok {
			err = g.expand(ctx, id)
		}
		if err == nil {
			err = g.checkSymmetry()
		}
		switch {
		case errors.Is(err, errAsymmetric):
			g.restart()
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

// begin gives the checkpoint that the machine is in at first.
func (g *Graph) begin(st machine.Status) (int32, error) {
	g.m.Checkpoints, g.m.Reporting = true, true
	g.codec.Schedule(g.funcs)
	g.codec.Defaults, g.m.Unasked = g.Decide == nil, g.Decide == nil
	g.findOrbits()
	if len(g.funcs) == 0 {
		seen, _ := g.codec.Results([]V{value.OfInt(0)})
		return g.intern(g.control(seen[:1]), seen[1:], Terminal, nil), nil
	}
	g.codec.SetPosition(0)
	buf, words, err := g.codec.Save([]V{value.OfInt(0)}, st)
	if err != nil {
		return 0, err
	}
	p := point{g.control(buf[:words]), g.codec.LastLive, g.codec.Uses}
	g.learn(p.at)
	return g.intern(p.at, g.changed(nil, buf[words:], nil, nil, &p), Transient, nil), nil
}

// learn makes sure that of a place the words are known that the states there have,
// when one of them has been saved last.
func (g *Graph) learn(c *control) {
	if c.fresh {
		c.fresh = false
		base := len(g.codec.Base())
		c.held, c.linked, c.slots = g.codec.RecordFields(), g.codec.Linked(), len(g.codec.Slots())
		c.cuts = g.codec.Cuts(c.words)
		c.proto = make([]V, len(c.held))
		c.full = slices.Clone(c.words[1:])
		for i, f := range c.held {
			c.proto[i] = value.None
			if f != nil {
				c.proto[i] = g.m.Store[base+i]
				c.full = append(c.full, value.OfInt(int64(base+i)), c.proto[i])
			}
		}
		g.bytes += 24*len(c.held) + 8*len(c.full) + 4*len(c.linked)
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

// find gives the number of the checkpoint with a state, -1 where there is none. Those with the
// same hash are listed from head on.
func (g *Graph) find(at *control, words []V) (id int32, h uint64, head int32) {
	h = hash(g.seed, words) ^ at.id
	head, ok := g.first[h]
	if !ok {
		head = -1
	}
	if g.Apart {
		return -1, h, head
	}
	for id = head; id >= 0; id = g.Checkpoints[id].next {
		if r := g.Checkpoints[id]; r.at == at && slices.Equal(r.Words, words) {
			break
		}
	}
	return id, h, head
}

// intern gives the number of the checkpoint with a state.
func (g *Graph) intern(at *control, words []V, kind Kind, fault *machine.Error) int32 {
	id, h, head := g.find(at, words)
	if id >= 0 {
		g.Merged++
		return id
	}
	g.bytes += bytesOfCheckpoint(words)
	id = int32(len(g.Checkpoints))
	r := &g.checkpoints.list(1)[0]
	*r = Checkpoint{at: at, Words: g.stateWords.clone(words), Kind: kind, Fault: fault, next: head}
	g.Checkpoints = append(g.Checkpoints, r)
	g.first[h] = id
	if kind == Transient {
		r.queued = decades
		g.enqueue(id)
		g.differ(words)
	}
	return id
}

// bytesOfCheckpoint is, roughly, how much memory a checkpoint takes.
func bytesOfCheckpoint(words []V) int { return 8*len(words) + 240 }

// slab keeps many short lists in few pieces of memory.
type slab[T any] []T

// list gives room for n elements.
func (s *slab[T]) list(n int) []T {
	if cap(*s)-len(*s) < n {
		*s = make([]T, 0, max(n, 32, min(2*cap(*s), 1024)))
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

// addTerminal remembers an end, or a fault, and gives its number.
func (g *Graph) addTerminal(e terminal) int32 {
	e.words = slices.Clone(e.words)
	g.terminals = append(g.terminals, e)
	return int32(len(g.terminals) - 1)
}

// terminalState gives the checkpoint that an ending is, where the words of the store are those in
// now and some of what is seen is worked out from them.
func (g *Graph) terminalState(n int32, seen []symbolic.WordForm) int32 {
	if len(seen) > 0 {
		e := &g.terminals[n]
		g.out = append(g.out[:0], e.words...)
		for i := range seen {
			g.out[seen[i].At-1] = seen[i].Of.Of(g.store) // the first is in the control
		}
		return g.intern(e.at, g.out, e.kind, e.fault)
	}
	for int(n) >= len(g.terminalAt) {
		g.terminalAt = append(g.terminalAt, 0)
	}
	if g.terminalAt[n] == 0 {
		e := &g.terminals[n]
		g.terminalAt[n] = 1 + g.intern(e.at, e.words, e.kind, e.fault)
	}
	return g.terminalAt[n] - 1
}

// decades is how many queues there are: of checkpoints with at least a tenth of all
// weight, with at least a hundredth, and so on.
const decades = 20

// decade has the least weight in each queue but the last.
var decade = func() (least [decades]float64) {
	for d := range least {
		least[d] = math.Pow10(-d - 1)
	}
	return least
}()

// enqueue puts a checkpoint among those of its weight, unless it is or was there: then
// too little more has become known.
func (g *Graph) enqueue(id int32) {
	r := g.Checkpoints[id]
	d := min(r.queued, decades-1)
	for d > 0 && r.weight >= decade[d-1] {
		d--
	}
	if d < r.queued {
		r.queued = d
		g.queue[d] = append(g.queue[d], id)
	}
}

// heaviest takes a checkpoint of which much weight is known, those met first before
// others. What is hardly ever met waits, for it may be met by a likelier way: a
// state should not be given up because its rarest way has the fewest macro steps.
//
// Another order solves no more within a bound. Where a macro step leads to hundreds of
// checkpoints that do not meet again, a few hundred macro steps reach the ends of the likeliest
// ways only, whose weight is the product of their parts; to follow the checkpoint met last
// first solved as little of such encounters, and less of those that are nearly done at the bound.
func (g *Graph) heaviest() (int32, bool) {
	for d := range g.queue {
		for len(g.queue[d]) > 0 {
			id := g.queue[d][0]
			g.queue[d] = g.queue[d][1:]
			if int(g.Checkpoints[id].queued) == d {
				return id, true
			}
		}
	}
	return 0, false
}

// more queues the checkpoints again of which much has become known since it was passed
// on, each time a little: along a path of many checkpoints it would add up.
func (g *Graph) more() bool {
	if g.Least == 0 {
		return false
	}
	any := false
	for id := range g.Checkpoints {
		if r := g.Checkpoints[id]; r.Kind == Transient && r.weight >= g.Least && r.weight-r.passedOn > r.weight/100 {
			any = true
			r.queued = decades
			g.enqueue(int32(id))
		}
	}
	return any
}

// expand follows what may happen from a checkpoint.
func (g *Graph) expand(ctx context.Context, id int32) error {
	if g.Checkpoints[id].weight < g.Least && id > 0 {
		return nil
	}
	if err := g.full(); err != nil {
		return err
	}
	if g.Checkpoints[id].Step == nil {
		if !g.reuseMacroStep(id) {
			if err := g.expandMacroStep(ctx, id); err != nil {
				return err
			}
		}
		g.passOn(id)
	}
	// what is known so far of the weights of the next checkpoints
	r := g.Checkpoints[id]
	more := r.weight - r.passedOn
	r.passedOn = r.weight
	for i, p := range r.Step.weights {
		to := g.Checkpoints[r.To[i]]
		to.weight += more * p
		if to.Kind == Transient {
			g.enqueue(r.To[i])
		}
	}
	return nil
}

// Variety is how many values a word of the store has among all checkpoints.
type Variety struct {
	At, Values int
	Field      *code.Field // that it is in some record; nil of a word of the base
}

// Variety tells which words of the store tell the checkpoints apart, those with the
// most values first.
func (g *Graph) Variety() []Variety {
	values := map[int]map[V]bool{}
	fields := map[int]*code.Field{}
	for i := range g.Checkpoints {
		r := g.Checkpoints[i]
		if r.Kind != Transient {
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

// Endless says whether some checkpoint is so unlikely that dice which are thrown again and
// again must have led there: following all of them has no end.
func (g *Graph) Endless() bool {
	return g.Least == 0 && slices.ContainsFunc(g.Checkpoints, func(r *Checkpoint) bool { return r.Kind == Transient && r.weight > 0 && r.weight < 1e-30 })
}

// full says whether there is too much of anything.
func (g *Graph) full() error {
	switch {
	case g.executed+len(g.Checkpoints) > g.Limit:
		return ErrStates
	case g.bytesTaken() > g.Bound()/5*4: // the rest is for the garbage collector
		return ErrMemory
	}
	return nil
}

// bytesTaken is how many bytes are taken, roughly: by what is kept, by all lists and
// texts of the session, and by the macro step that is being followed.
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
