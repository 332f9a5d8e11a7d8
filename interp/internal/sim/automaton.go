// Package sim remembers what simulations have executed, so that a trial mostly follows
// what earlier trials have done.
//
// There are two ways to remember. A short script comes to the same few states again and
// again: an Automaton keeps the states in which a run waits for dice, and where each face
// leads (automaton.go). An encounter hardly ever comes to the same state twice, but its
// rules do the same small things over and over: a Reuse keeps traces of some hundred
// instructions with what they read and wrote (reuse.go). Both throw the same dice as the
// rules would, so that a trial ends the same with them and without.
//
// An Automaton asks package state for states, a Reuse uses the recorder of package
// symbolic. The caller counts how often what is remembered is met again (Pays, Reused) and
// goes back to plain execution where that is seldom.
package sim

import (
	"fmt"
	"hash/maphash"
	"slices"
	"unsafe"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/state"
	"setpiece/interp/internal/value"
)

// V is a value.
type V = value.V

// Automaton runs the same functions again and again from the same state. Between
// two throws a run is plain computation, so the state in which dice have to fall
// and the faces they show determine the state in which dice have to fall next.
// An Automaton remembers that: its places are states that wait for dice, and a
// face leads from one to another. A way that was never taken is run by the
// machine; one that was is only followed. Dice fall as they do without it, and
// the end is the same.
type Automaton struct {
	m      *machine.Machine
	s      *state.Codec
	funcs  []*code.Func
	table  []node      // see place
	states []nodeState // by the number of the place
	index  map[uint64][]node
	seed   maphash.Seed
	buf    []V
	words  int             // of all places
	start  node            // none before the first run
	end    node            // of the latest run
	noted  map[string]node // places that only note something, by what and where it goes on
	notes  []int32         // of the latest run

	runs, executed         int // runs made, and ways that were executed
	runsThen, executedThen int // when that was looked at last
	useless                bool
}

// patience is how many ways are executed before it is asked whether that pays, and
// patientRuns how many runs are made before it is asked again. It pays when a run has fewer
// than paying ways that have to be executed.
const (
	patience    = 4096
	patientRuns = 64
	paying      = 6
)

// Pays says whether the states that runs come to are met again often enough. Those of an
// encounter of many creatures hardly ever are.
func (a *Automaton) Pays() bool {
	if a.useless || a.executed < patience || a.runs-a.runsThen < patientRuns {
		return !a.useless
	}
	a.useless = a.executedThen > 0 && a.executed-a.executedThen > paying*(a.runs-a.runsThen)
	a.runsThen, a.executedThen = a.runs, a.executed
	return !a.useless
}

// node is a state that waits for dice: where its part of the table begins and, in
// the lowest byte, the size of the die, or what else it is. In the table there is
// its number and behind that, by face, the place to which the face leads, 0 where
// that is not known yet. (With the size in the reference to a place, the next die
// can be thrown before the place has been looked at; and small tables stay close
// to the processor.)
type node uint32

const (
	anEnd   = 0
	aNote   = 254 // something is noted, and it goes on at the only place it leads to
	aPool   = 255 // or a larger die
	maxSize = 253
)

func (p node) size() uint32 { return uint32(p) & 255 }
func (p node) at() uint32   { return uint32(p) >> 8 }
func (p node) die() bool    { return p.size()-1 < maxSize }

func (a *Automaton) number(p node) uint32 { return uint32(a.table[p.at()]) }

// nodeState is what running on from a place needs.
type nodeState struct {
	stmt  int
	state []V
	sizes []int // of a pool
	more  map[uint64]node
	notes []int32
	pick  bool // one of so many is picked
}

// maxWords bounds the memory of an Automaton.
const maxWords = 1 << 24

// NewAutomaton makes an Automaton for functions that are run one after the
// other from the present state of the machine. The machine must be idle. With
// reports, nothing is asked in the end but what they report or, where they report
// nothing, the last outcome.
func NewAutomaton(m *machine.Machine, funcs []*code.Func, reports bool) *Automaton {
	s := state.NewCodec(m)
	if reports {
		s.Schedule(funcs)
	}
	return &Automaton{m: m, s: s, funcs: funcs, index: map[uint64][]node{}, seed: maphash.MakeSeed(), table: make([]node, 1)}
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
	a.notes = a.notes[:0]
	if at == 0 {
		if at, ok = a.begin(); !ok {
			*g = before
			return false
		}
		a.start = at
	}
	for {
		if at = a.followKnown(at); at.size() == anEnd {
			break
		}
		if at, ok = a.resolve(at); !ok {
			*g = before
			return false
		}
	}
	a.end = at
	return true
}

// followKnown follows the ways that are known from a place, and gives the one where it
// goes on in another way. The generator is that of Generator.Face.
func (a *Automaton) followKnown(at node) node {
	g := a.m.Rand
	table := a.table
	for at.die() {
		was := g
		n := at.size()
		x := uint64(g.Next()) * uint64(n)
		if uint32(x) < n {
			x = g.Again(x, int(n))
		}
		next := table[at.at()+1+uint32(x>>32)]
		if next == 0 {
			g = was // it is thrown where the way is taken
			break
		}
		at = next
	}
	a.m.Rand = g
	return at
}

// resolve throws what a place waits for and gives the place that leads to, with no
// where it cannot be remembered.
func (a *Automaton) resolve(at node) (node, bool) {
	switch {
	case at.size() == aNote:
		a.notes = append(a.notes, a.states[a.number(at)].notes...)
		return a.table[at.at()+1], true
	case !at.die():
		return a.pool(at)
	}
	face := a.m.Rand.Face(int(at.size()))
	next, ok := a.execute(at, []int{face})
	if ok {
		a.table[at.at()+uint32(face)] = next
	}
	return next, ok
}

// pool throws the pool that a place waits for and gives the place it leads to.
func (a *Automaton) pool(at node) (node, bool) {
	w := &a.states[a.number(at)]
	faces := make([]int, len(w.sizes))
	for i, size := range w.sizes {
		if w.pick {
			faces[i] = 1 + a.m.Rand.Pick(size)
		} else {
			faces[i] = a.m.Rand.Face(size)
		}
	}
	key, ok := packed(w.sizes, faces)
	if !ok {
		return 0, false
	}
	next, ok := w.more[key]
	if !ok {
		if next, ok = a.execute(at, faces); ok {
			a.states[a.number(at)].more[key] = next
		}
	}
	return next, ok
}

// Settle puts the machine into the state in which the latest Run that came to an
// end left it.
func (a *Automaton) Settle() {
	a.s.Load(a.states[a.number(a.end)].state)
}

// packed makes one word of a thrown pool, which is the same for the same faces
// on dice of the same sizes in whatever order; with no they do not fit.
func packed(sizes, faces []int) (uint64, bool) {
	if len(sizes) > 4 {
		return 0, false
	}
	var all [4]uint16
	for i, s := range sizes {
		if s > 255 {
			return 0, false
		}
		all[i] = uint16(s<<8 | faces[i])
	}
	slices.Sort(all[:len(sizes)])
	return uint64(all[0]) | uint64(all[1])<<16 | uint64(all[2])<<32 | uint64(all[3])<<48, true
}

func (a *Automaton) begin() (node, bool) {
	a.s.Reset()
	return a.run(0, true)
}

// execute runs on from a place where these faces fall.
func (a *Automaton) execute(at node, faces []int) (node, bool) {
	a.executed++
	w := a.states[a.number(at)]
	a.s.Load(w.state)
	a.m.Seeded, a.m.Follows = false, true
	a.m.MaxSteps = a.m.StepLimit
	st := a.m.Run()
	if st != machine.NeedChance {
		a.m.Seeded, a.m.Follows = true, false
		return 0, false
	}
	a.m.GiveFaces(faces)
	return a.run(w.stmt, false)
}

// maxAlone is how many steps may be made between two throws.
const maxAlone = 1 << 18

// run runs to where dice have to fall next and gives that place, with no
// when that cannot be done.
func (a *Automaton) run(stmt int, fresh bool) (node, bool) {
	m := a.m
	m.Seeded, m.Follows = false, true
	m.Noted = m.Noted[:0]
	defer func() { m.Seeded, m.Follows = true, false }()
	for ; stmt < len(a.funcs); stmt, fresh = stmt+1, true {
		if fresh && m.Start(a.funcs[stmt]) != nil {
			return 0, false
		}
	run:
		m.MaxSteps = min(m.Steps+maxAlone, m.StepLimit) // what takes longer is executed where it can be stopped
		switch st := m.Run(); st {
		case machine.Done:
			continue
		case machine.NeedChoice:
			m.GiveAnswer(m.Asked().Default, "default")
			goto run
		case machine.NeedChance:
			sizes, _ := m.Pending()
			return a.intern(stmt, st, sizes)
		default:
			return 0, false
		}
	}
	return a.intern(stmt, machine.Done, nil)
}

// intern gives the place of the state that the machine is in and, if something has been
// noted on the way, one before it that notes it.
func (a *Automaton) intern(stmt int, st machine.Status, sizes []int) (node, bool) {
	p, ok := a.internState(stmt, st, sizes)
	if !ok || len(a.m.Noted) == 0 {
		return p, ok
	}
	key := fmt.Sprint(p, a.m.Noted)
	if n, ok := a.noted[key]; ok {
		return n, true
	}
	at := len(a.table)
	if at >= 1<<24 {
		return 0, false
	}
	a.table = append(a.table, node(len(a.states)), p)
	a.states = append(a.states, nodeState{notes: slices.Clone(a.m.Noted)})
	n := node(at<<8) | aNote
	if a.noted == nil {
		a.noted = map[string]node{}
	}
	a.noted[key] = n
	return n, true
}

func (a *Automaton) internState(stmt int, st machine.Status, sizes []int) (node, bool) {
	if a.words > maxWords {
		return 0, false
	}
	sizes = slices.Clone(sizes)
	if a.s.Scheduled() {
		a.s.SetPosition(stmt)
	}
	buf := append(a.buf[:0], state.IntV(stmt))
	buf, _, err := a.s.Save(buf, st)
	if err != nil {
		return 0, false
	}
	a.buf = buf
	h := maphash.Bytes(a.seed, unsafe.Slice((*byte)(unsafe.Pointer(&buf[0])), len(buf)*8))
	for _, p := range a.index[h] {
		if w := &a.states[a.number(p)]; w.stmt == stmt && slices.Equal(w.state, buf[1:]) {
			return p, true
		}
	}
	w := nodeState{stmt: stmt, state: slices.Clone(buf[1:])}
	at := len(a.table)
	if at >= 1<<24 {
		return 0, false
	}
	p := node(at << 8)
	a.table = append(a.table, node(len(a.states)))
	switch {
	case st == machine.Done:
	case len(sizes) == 1 && sizes[0] <= maxSize && !a.m.Picking():
		p |= node(sizes[0])
		a.table = append(a.table, make([]node, sizes[0])...)
	default:
		p |= aPool
		w.sizes, w.more, w.pick = sizes, map[uint64]node{}, a.m.Picking()
	}
	a.words += len(w.state) + len(sizes) + 16
	a.states = append(a.states, w)
	a.index[h] = append(a.index[h], p)
	return p, true
}

// End gives the number of the place in which the latest Run ended.
func (a *Automaton) End() int { return int(a.number(a.end)) }

// Noted gives the numbers of what was noted in the latest Run that came to an end.
func (a *Automaton) Noted() []int32 { return a.notes }
