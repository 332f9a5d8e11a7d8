package odds

import (
	"context"
	"errors"
	"hash/maphash"
	"slices"
	"unsafe"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/pause"
	"setpiece/interp/internal/pool"
	"setpiece/interp/internal/state"
	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/value"
)

// V is a value.
type V = value.V

// Graph is what a list of statements can lead to from the present state of a
// machine.
type Graph struct {
	*Memory
	m     *machine.Machine
	was   machine.Mode
	codec *state.Codec
	funcs []*code.Func

	// Decide answers a question with the number of an option, or says with no
	// that every option is to be followed.
	Decide func(q *machine.Question) (int, bool)
	// Limit bounds the number of checkpoints, and of transitions between throws.
	Limit int
	// Least is the weight below which a checkpoint is not followed; its weight is the
	// remainder. 0 follows all.
	Least float64
	// Unmerged keeps equal states apart and remembers nothing, which must lead to
	// the same.
	Unmerged bool
	// Unknown is what a checkpoint that was not followed is worth to Best and Mean.
	Unknown float64
	// NoSymmetry has nobody taken for another, which must lead to the same.
	NoSymmetry bool
	// KeepSpans keeps what is read of all the throws of a pool that lead to one place, for
	// Paths to say.
	KeepSpans bool

	Checkpoints   []*Checkpoint
	terminalAt    []int32          // by number of the ending: 1 + the checkpoint that it is, 0 where it has not been met
	first         map[uint64]int32 // by hash: the checkpoint met last, see Checkpoint.next
	queue         [decades][]int32 // checkpoints to follow, by how much of their weight is known
	Merged        int              // how often a state was met again
	Steps         int              // how many macro steps were followed, not remembered
	executed      int              // how many transitions were
	faces         int              // how many faces of single dice were followed
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
	expansion     expansion                               // the latest
	path          []inEdge                                // the latest of a trial
	numberOf      map[string]int                          // of what is read of the latest pool, by its values
	outcomes      map[*pool.Distribution]map[string]int32 // by what is read of a pool: its number

	// MaxBytes bounds all the memory that the process takes; 0: the constant.
	MaxBytes int
	ctx      context.Context // of what goes on
	polled   int
	work     int   // how much has been calculated since the context was looked at
	left     int   // how much may be calculated until the next bound
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

// Kind tells checkpoints apart.
type Kind uint8

const (
	Transient Kind = iota // more comes
	Terminal              // all statements are done
	Broken                // a statement failed
)

// New makes a Graph. The machine must be between two runs; Close gives it back.
// The ends are told apart by what was reported and by the last outcome.
//
// What was worked out for the same functions, with the same Decide, is taken from
// a memory; with nil it begins with an empty one.
func New(m *machine.Machine, funcs []*code.Func, memory *Memory) *Graph {
	if memory == nil {
		memory = &Memory{}
	}
	g := &Graph{Memory: memory, m: m, was: m.Mode, codec: state.NewCodec(m), funcs: funcs, Limit: 1 << 20, ctx: context.Background(), first: map[uint64]int32{}}
	memory.prepare(g.codec)
	m.Reported = memory.Reported
	m.Noting, m.Notes, m.Follows, m.Whole = machine.NoteTurns, &memory.Notes, true, true
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
	if len(g.symmetry.scratch) < n {
		g.symmetry.scratch = slices.Clone(g.store)
		copy(g.symmetry.scratch, g.codec.Base())
	}
	g.read = append(g.read, make([]bool, n-len(g.read))...)
	for _, m := range []*marks{&g.depends, &g.fixed, &g.writtenOnPath, &g.writtenHere, &g.writtenThere} {
		m.on = append(m.on, make([]uint32, n-len(m.on))...)
	}
}

// Close puts the machine back to where it was.
func (g *Graph) Close() {
	g.m.Mode = g.was
	g.Reported = g.m.Reported
	g.codec.Close()
}

// Build follows everything from the present state of the machine, which is to run
// the first statement.
func (g *Graph) Build(ctx context.Context) error { return g.BuildFrom(ctx, machine.Done) }

// BuildFrom follows everything from a machine that stands in the middle of the
// first statement, where Run has returned with a status; with Done it is about
// to begin.
func (g *Graph) BuildFrom(ctx context.Context, st machine.Status) error {
	g.Within(ctx)
	first, err := g.begin(st)
	if err != nil {
		return err
	}
	g.Checkpoints[first].weight = 1
	g.Checkpoints[first].out = g.whoIsOutIn(first, g.Checkpoints[first].at, g.Checkpoints[first].Words)
	for {
		id, ok := g.heaviest()
		if !ok && g.requeue() {
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
		if err := pause.Err(ctx); err != nil {
			return err
		}
	}
}

// Complete follows what Least has left out, if there is an end of that before there are so many
// checkpoints; else the graph stays as it is.
func (g *Graph) Complete(most int) error {
	least, before, merged := g.Least, len(g.Checkpoints), g.Merged
	if least == 0 || before > most || len(g.symmetry.orbits) > 0 {
		return nil
	}
	open := g.Unfollowed()
	defer func() { g.Least = least }()
	g.Least = 0
	for i := 0; i < len(open); i++ {
		next := len(g.Checkpoints)
		if next > most || g.Checkpoints[open[i]].weight < unending {
			g.cutBack(before, open[:i])
			g.Merged = merged
			return nil
		}
		if err := g.expand(g.ctx, open[i]); err != nil {
			return err
		}
		for ; next < len(g.Checkpoints); next++ {
			if g.Checkpoints[next].Kind == Transient {
				open = append(open, int32(next))
			}
		}
	}
	return nil
}

// Unfollowed gives the checkpoints that were not followed.
func (g *Graph) Unfollowed() (open []int32) {
	for id, r := range g.Checkpoints {
		if r.Kind == Transient && r.Step == nil {
			open = append(open, int32(id))
		}
	}
	return open
}

// cutBack leaves only the first checkpoints, and has some of them not followed.
func (g *Graph) cutBack(n int, unfollowed []int32) {
	for _, id := range unfollowed {
		r := g.Checkpoints[id]
		r.Step, r.To, r.passedOn = nil, nil, 0
	}
	for _, r := range slices.Backward(g.Checkpoints[n:]) {
		g.first[hash(g.seed, r.Words)^r.at.id] = r.next
		g.bytes -= bytesOfCheckpoint(r.Words)
	}
	for i, at := range g.terminalAt {
		if int(at) > n {
			g.terminalAt[i] = 0
		}
	}
	g.Checkpoints = g.Checkpoints[:n]
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

// find gives the number of the checkpoint with a state, -1 where there is none. Those with the
// same hash are listed from head on.
func (g *Graph) find(at *control, words []V) (id int32, h uint64, head int32) {
	h = hash(g.seed, words) ^ at.id
	head, ok := g.first[h]
	if !ok {
		head = -1
	}
	if g.Unmerged {
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
		g.markVarying(words)
	}
	return id
}

// bytesOfCheckpoint is, roughly, how much memory a checkpoint takes.
func bytesOfCheckpoint(words []V) int { return 8*len(words) + 240 }

func hash(seed maphash.Seed, s []V) uint64 { return maphash.Bytes(seed, asBytes(s)) }

// asBytes gives values as the bytes they are.
func asBytes(s []V) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*8)
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
