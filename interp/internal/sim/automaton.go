// Package sim remembers what simulations have executed, so that a trial mostly follows
// what earlier trials have done.
//
// An Automaton executes what happens from one throw to the next as odds do, for whole families
// of states at once, and looks it up from then on; of a short script, which comes to the same few
// states again and again, it keeps the states as well, and where each face leads from them. It
// throws the same dice as the rules would, so that a trial ends the same with it and without. In
// an encounter of many creatures with large pools even families are mostly new: the rules are
// executed there.
//
//	automaton.go    a run: follows what is known, looks up or executes what is not
//	places.go       the states that are kept, and where the faces lead
//	transitions.go  what has been executed, and for which states it is good
//	layout.go       the words that differ from state to state, and how a transition changes them
//	stateless.go    a run that keeps no states
//	worth.go        whether it pays to remember, and whether to keep states
//
// An Automaton asks package state for states and keeps what they lead to in the caches of
// package transition. The caller asks how often what is remembered is met again (Pays) and goes
// back to plain execution where that is seldom.
//
// # The way of one trial
//
//	Automaton.Run      from the state in which all trials begin, a die is thrown
//	  table            the face leads to a state that is kept: the next die is thrown (places.go)
//	  face             or not: a transition is looked up by the words of the state,
//	  learn            or executed with unknown numbers and remembered (transitions.go),
//	  arrive, intern   and the state that it leads to is kept; checkpoints are passed on the way
//	  runStateless     where states do not pay, transitions alone lead to the end (stateless.go)
//	Automaton.End      the number of the end, which is all that is counted of the trial
//
//	Prepared.execute   the trial that an Automaton gives up, or all of them where it does not pay
package sim

import (
	"fmt"
	"hash/maphash"
	"slices"

	"setpiece/interp/internal/ablate"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/query"
	"setpiece/interp/internal/state"
	"setpiece/interp/internal/transition"
	"setpiece/interp/internal/value"
)

// V is a value.
type V = value.V

// Automaton runs the same functions again and again from the same state. Between
// two throws a run is plain computation, so the state in which dice have to fall
// and the faces they show determine the state in which dice have to fall next.
// An Automaton remembers that: its places are states that wait for dice, and a
// face leads from one to another. A transition that was taken is only followed. One that was not
// is looked for among those that were executed elsewhere (transitions.go), and executed by the
// machine only if it does what none of these did. Dice fall as they do without it, and
// the end is the same.
type Automaton struct {
	m           *machine.Machine
	s           *state.Codec
	funcs       []*code.Func
	table       []node     // see node
	states      nodeStates // by the number of the place
	index       index
	seed        maphash.Seed
	buf         []V
	stateWords  slab
	reader      query.Reader
	words       int             // of all places
	start       node            // none before the first run
	end         node            // of the latest run
	ends        int             // how many there are
	noted       map[string]node // places that only note something, by what and where it goes on
	notes       []int32         // of the latest run
	transitions transitions
	used        int64 // bytes of values that there were at first

	worth
	Patient bool // it always pays
	Room    int  // maxWords, if nobody says anything else
	Planned int  // how many runs are to be made, roughly; 0: nobody knows
	// Ended, where it is set, is asked from time to time within a run: with yes the run is
	// given up.
	Ended func() bool

	faces   []int  // that fell last
	settled []bool // see throw
	fallen  int    // the face of a die that has fallen at the place that followKnown gave; 0: none
	left    int64  // how many dice may still fall in this run
}

// maxWords bounds the memory of an Automaton. From half of it on no more states are kept.
const maxWords = 1 << 24

// maxValues bounds the bytes of the lists and texts that come up while runs are followed.
const maxValues = 64 << 20

// NewAutomaton makes an Automaton for functions that are run one after the
// other from the present state of the machine. The machine must be idle. With
// reports, nothing is asked in the end but what they report or, where they report
// nothing, the last outcome.
func NewAutomaton(m *machine.Machine, funcs []*code.Func, reports bool) *Automaton {
	s := state.NewCodec(m)
	if reports {
		s.Schedule(funcs)
	}
	s.Defaults = true
	a := &Automaton{m: m, s: s, funcs: funcs, seed: maphash.MakeSeed(), table: make([]node, 1), Room: maxWords, worth: worth{look: firstLook}, used: m.Heap.Used}
	a.transitions.begin(s)
	return a
}

// Open takes the machine, whose store must be what it was when the Automaton
// was made; Close gives it back.
func (a *Automaton) Open() { a.s.Open() }

// Close gives the machine back, as it is.
func (a *Automaton) Close() { a.s.Release() }

// Run makes one run. With no it did not come to an end in a way that can be
// remembered, and the generator is as it was: the run has to be made without
// the Automaton.
func (a *Automaton) Run() bool {
	a.runs++
	g := &a.m.Rand
	before := *g
	at, ok := a.start, true
	a.fallen = 0
	a.notes = a.notes[:0]
	if at == 0 {
		if at, ok = a.begin(); !ok {
			*g = before
			return false
		}
		a.start = at
	}
	at, fallen := a.followKnown(at, min(askedAfter, a.m.MaxDice))
	a.followed += int(fallen)
	if at.size() != anEnd {
		if at, ok = a.runOn(at, a.m.MaxDice-fallen); !ok {
			*g = before
			return false
		}
	}
	a.end = at
	return true
}

// runOn goes on from a place that is not the end, from where so many dice may still fall.
func (a *Automaton) runOn(at node, left int64) (end node, ok bool) {
	a.left = left
	asked := left
	for {
		if (a.stateless || ablate.States || a.words >= a.Room/2) && at.size() != aNote {
			return a.runStateless(at)
		}
		if at, ok = a.resolve(at); !ok || a.left < 0 {
			return 0, false
		}
		fallen := int64(0)
		at, fallen = a.followKnown(at, min(askedAfter, a.left))
		a.followed += int(fallen)
		if a.left -= fallen; at.size() == anEnd {
			return at, true
		}
		if asked-a.left > askedAfter {
			if asked = a.left; a.Ended != nil && a.Ended() {
				return 0, false
			}
		}
	}
}

// askedAfter is after how many dice a run asks whether it has to be given up.
const askedAfter = 1 << 14

// followKnown follows the transitions that are known from a place, for at most so many dice, and
// gives the place where it goes on in another way, and how many have fallen. A die that has
// fallen at a place from which its face leads nowhere yet is not among them: see fallen. The
// generator is that of Generator.Face.
func (a *Automaton) followKnown(at node, most int64) (node, int64) {
	g := a.m.Rand
	table, left := a.table, most
	for ; at.die() && left > 0; left-- {
		n := at.size()
		word, after := g.Drawn()
		g = after
		x := uint64(word) * uint64(n)
		if uint32(x) < n {
			rejecting := g
			x = rejecting.Again(x, int(n))
			g = rejecting
		}
		next := table[at.at()+1+uint32(x>>32)]
		if next == 0 {
			a.fallen = int(x>>32) + 1
			break
		}
		at = next
	}
	a.m.Rand = g
	return at, most - left
}

// die throws the die that a place waits for, if it has not fallen yet.
func (a *Automaton) die(size int) int {
	face := a.fallen
	if a.fallen = 0; face == 0 {
		face = a.m.Rand.Face(size)
	}
	a.left--
	return face
}

// resolve throws what a place waits for and gives the place that leads to, with no
// where it cannot be remembered.
func (a *Automaton) resolve(at node) (node, bool) {
	switch {
	case at.size() == aNote:
		a.notes = append(a.notes, a.state(at).special.notes...)
		return a.table[at.at()+1], true
	case !at.die():
		return a.pool(at)
	}
	return a.face(at)
}

// show gives the control of a place, which shows its state.
func (a *Automaton) show(at node) *control {
	s := a.state(at)
	if c := s.at; c.shown != at {
		s.show()
		c.shown = at
	}
	return s.at
}

// pool throws the pool that a place waits for and gives the place it leads to.
func (a *Automaton) pool(at node) (node, bool) {
	c, pool := a.show(at), a.state(at).special
	f, pool, ok := a.throw(c, pool)
	if !ok {
		return 0, false
	}
	if next, ok := pool.to[string(asBytes(f.values))]; ok {
		a.followed++
		return next, true
	}
	next, ok := a.take(c, f, a.transitions.known(c, f))
	if ok {
		if pool.to == nil {
			pool.to = map[string]node{}
		}
		pool.to[string(asBytes(f.values))] = next
		a.words += 8 + len(f.values)
	}
	return next, ok
}

// throw has fall what is no small die: a pool, of which is read what its Query says, or one of so many
// is picked. What is known of the pool where a state is kept, or nil, leads to what is known where
// the dice fall as they do.
func (a *Automaton) throw(c *control, pool *special) (f outcome, known *special, ok bool) {
	f.faces = a.faces[:0]
	if c.pick {
		f.faces = append(f.faces, 1+a.m.Rand.Pick(c.sizes[0]))
		f.values = []V{state.IntV(f.faces[0])}
		a.faces = f.faces
		a.left--
		return f, pool, true
	}
	a.settled = a.settled[:0]
	thrown := 0
	for {
		r := (*query.Query)(nil)
		if pool != nil {
			r = pool.read
		}
		if r == nil {
			if r, ok = a.readAt(c, a.settled); !ok {
				return f, nil, false
			}
			if pool != nil {
				pool.read = r
			}
		}
		for ; thrown < len(r.Pools); thrown++ {
			for _, size := range r.Pools[thrown].Sizes {
				f.faces = append(f.faces, a.m.Rand.Face(size))
			}
		}
		if r.Condition == nil {
			f.read, f.settled, f.values = r, a.settled, a.reader.Values(a.m, r, f.faces)
			break
		}
		yes := a.reader.Holds(a.m, r, f.faces)
		a.settled = append(a.settled, yes)
		if pool != nil {
			pool = pool.behind(yes)
		}
	}
	a.faces = f.faces
	a.left -= int64(len(f.faces))
	return f, pool, true
}

// Settle puts the machine into the state in which the latest Run that came to an
// end left it.
func (a *Automaton) Settle() {
	a.load(a.show(a.end))
}

// begin gives the place that a run comes to first.
func (a *Automaton) begin() (node, bool) {
	a.s.Reset()
	a.s.Tracker = nil
	if len(a.funcs) > 0 && a.m.Start(a.funcs[0]) != nil {
		return 0, false
	}
	to, ok := a.run(0)
	if !ok {
		return 0, false
	}
	return a.arrive(&Transition{to: to, notes: slices.Clone(a.m.Noted)})
}

// outcome is what falls: the faces of the dice, and of a pool what is read of them.
type outcome struct {
	faces   []int
	read    *query.Query
	settled []bool // the answers to the conditions before
	values  []V
}

// take gives the place to which a transition leads from the state that a control shows; known are
// the transitions that were executed there where the same fell.
func (a *Automaton) take(from *control, f outcome, known *transition.Cache[Transition]) (node, bool) {
	a.taken++
	x := a.find(from, f, known)
	if x == nil {
		return 0, false
	}
	a.transitions.change(from, x)
	return a.arrive(x)
}

// find gives the transition that is taken from the state that a control shows, nil where there
// is none that can be remembered.
func (a *Automaton) find(from *control, f outcome, known *transition.Cache[Transition]) *Transition {
	a.transitions.fall(from, f)
	if x := known.FindAmong(from.store, &from.vary); x != nil {
		return x
	}
	return a.learn(from, f, known)
}

// learn executes what follows from the state that a control shows, and remembers it.
func (a *Automaton) learn(from *control, f outcome, known *transition.Cache[Transition]) *Transition {
	a.executed++
	a.grown = true
	x, ok := a.execute(from, f)
	if !ok {
		return nil
	}
	if path := a.transitions.condition(from); a.words < a.Room {
		a.words += known.Add(from.store, path, x) / 8
	}
	return x
}

// readAt finds what is read of the pool that the state waits for which a control shows, where the first
// conditions about its dice have these answers.
func (a *Automaton) readAt(from *control, settled []bool) (*query.Query, bool) {
	known := a.transitions.reads(from, settled)
	if r := known.FindAmong(from.store, &from.vary); r != nil {
		return r, true
	}
	defer a.untrack()
	r, _, ok := a.read(from, settled)
	if ok {
		path := a.transitions.condition(from)
		a.words += known.Add(from.store, path, r) / 8
	}
	return r, ok
}

// read goes on from a place where a pool has to fall to where something of it has to be
// known, and gives what that is.
func (a *Automaton) read(from *control, settled []bool) (r *query.Query, missed *state.Mark, ok bool) {
	for _, reach := range []query.Reach{query.AllThrows, query.ThisThrow, query.NotAtAll} {
		if !a.stop(from, nil) {
			return nil, nil, false
		}
		r = query.FindBehind(a.s, reach, settled)
		if r.Condition != nil {
			return r, nil, true
		}
		if !r.Mixed && (len(r.Pools) == 1 || !r.Faces()) {
			break
		}
	}
	return r, a.s.Mark(), true
}

// untrack ends to note what is read.
func (a *Automaton) untrack() { a.m.Tracer, a.m.Executor = nil, nil }

// stop puts the machine to where dice have to fall, and begins to note what is read.
func (a *Automaton) stop(from *control, varied func(at int) bool) bool {
	m := a.m
	a.load(from)
	if a.s.Scheduled() {
		a.s.SetPosition(from.stmt)
	}
	a.s.Track(varied)
	was := m.Mode
	m.Seeded, m.Follows, m.MaxSteps = false, true, m.StepLimit
	st := m.Run()
	m.Mode = was
	return st == machine.NeedChance
}

// load puts the machine into the state that a control shows.
func (a *Automaton) load(c *control) {
	a.buf = a.transitions.list(append(a.buf[:0], c.words[1:]...), c)
	a.s.Load(a.buf)
}

// execute has the machine run on from a place where something falls.
func (a *Automaton) execute(from *control, f outcome) (*Transition, bool) {
	m := a.m
	defer a.untrack()
	switch {
	case f.read != nil && f.read.Simple:
		if !a.stop(from, nil) || !f.read.Replay(a.s, f.faces) {
			return nil, false
		}
		a.s.Tracker.Varied = a.transitions.varied
		f.read.Answer(a.s, f.values)
	case f.read != nil:
		r, missed, ok := a.read(from, f.settled)
		if !ok {
			return nil, false
		}
		a.s.Return(missed, a.transitions.varied)
		r.Answer(a.s, f.values)
	case len(f.faces) > 0:
		if !a.stop(from, a.transitions.varied) {
			return nil, false
		}
		if from.pick {
			m.GiveFaces(f.faces)
		} else {
			a.s.DrawFace(f.faces[0])
		}
	default:
		a.load(from)
		a.s.Track(a.transitions.varied)
		if m.Idle() && m.Start(a.funcs[from.stmt]) != nil {
			return nil, false
		}
	}
	to, ok := a.run(from.stmt)
	if !ok {
		return nil, false
	}
	x := a.transitions.executed(to)
	x.notes = slices.Clone(m.Noted)
	a.words += 8 * len(x.writes) // with what comes of them, see change
	return x, true
}

// maxAlone is how many steps may be made between two throws.
const maxAlone = 1 << 18

// run runs to where dice have to fall next, or to a checkpoint, and gives where in the
// program that is, with no when that cannot be done.
func (a *Automaton) run(stmt int) (to *control, ok bool) {
	m := a.m
	defer func(was machine.Mode) { m.Mode = was }(m.Mode)
	m.Mode = m.Following()
	m.Noted = m.Noted[:0]
	if len(a.funcs) == 0 {
		return a.stand(0, machine.Done)
	}
	for {
		m.MaxSteps = min(m.Steps+maxAlone, m.StepLimit) // what takes longer is executed where it can be stopped
		switch st := m.Run(); st {
		case machine.Done:
			return a.stand(stmt+1, st)
		case machine.NeedChoice:
			m.GiveAnswer(m.Asked().Default, "default")
		case machine.NeedChance, machine.Checkpoint:
			return a.stand(stmt, st)
		default:
			return nil, false
		}
	}
}

// stand gives where in the program the machine stands.
func (a *Automaton) stand(stmt int, st machine.Status) (to *control, ok bool) {
	if a.s.Scheduled() {
		a.s.SetPosition(stmt)
	}
	buf, n, err := a.s.Save(append(a.buf[:0], state.IntV(stmt)), st)
	if err != nil {
		return nil, false
	}
	a.buf = buf
	to, isNew := a.transitions.control(buf[:n])
	if isNew {
		to.stmt = stmt
		switch {
		case st == machine.NeedChance:
			sizes, _ := a.m.Pending()
			to.sizes, to.pick = slices.Clone(sizes), a.m.Picking()
		case stmt == len(a.funcs):
			to.end = true
		}
		a.transitions.begins(to, buf[n:])
		a.words += n + len(to.store) + len(to.kept)/4 + 40
	}
	return to, true
}

// maxCheckpoints is how many checkpoints may follow one another without a throw.
const maxCheckpoints = 1 << 10

// arrive gives the place to which a transition leads, the state of which is shown, or,
// if that is a checkpoint, the one to which it goes on from there. If something has been
// noted on the way, it gives a place before that which notes it.
func (a *Automaton) arrive(x *Transition) (node, bool) {
	notes := x.notes
	for checkpoints := 0; x.to.checkpoint(); checkpoints++ {
		from := x.to
		if x = a.find(from, outcome{}, &from.onward); x == nil || checkpoints == maxCheckpoints {
			return 0, false
		}
		a.transitions.change(from, x)
		if len(x.notes) > 0 {
			notes = slices.Concat(notes, x.notes)
		}
	}
	x.to.shown = 0
	p, ok := a.intern(x.to)
	if !ok || len(notes) == 0 {
		return p, ok
	}
	key := fmt.Sprint(p, notes)
	if n, ok := a.noted[key]; ok {
		return n, true
	}
	at := len(a.table)
	if at >= 1<<24 {
		return 0, false
	}
	a.table = append(a.table, node(a.states.n), p)
	a.states.add(nodeState{special: &special{notes: notes}})
	n := node(at<<8) | aNote
	if a.noted == nil {
		a.noted = map[string]node{}
	}
	a.noted[key] = n
	return n, true
}

// End gives the number of the end to which the latest Run came: 0 for the first that any came to.
func (a *Automaton) End() int { return int(a.table[a.end.at()+1]) }

// Noted gives the numbers of what was noted in the latest Run that came to an end.
func (a *Automaton) Noted() []int32 { return a.notes }
