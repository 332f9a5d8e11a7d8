package machine

import (
	"hash/maphash"
	"slices"
	"unsafe"
)

// Automaton runs the same functions again and again from the same state. Between
// two throws a run is plain computation, so the state in which dice have to fall
// and the faces they show determine the state in which dice have to fall next.
// An Automaton remembers that: its places are states that wait for dice, and a
// face leads from one to another. A way that was never taken is run by the
// machine; one that was is only followed. Dice fall as they do without it, and
// the end is the same.
type Automaton struct {
	m      *Machine
	s      *Saver
	funcs  []*Func
	places []place
	kids   []int32 // by place and face: the place it leads to, 0 where that is not known yet
	waits  []wait  // of the places
	index  map[uint64][]int32
	seed   maphash.Seed
	buf    []V
	words  int   // of all places
	start  int32 // 0 before the first run
	end    int32 // of the latest run
}

// place is a state that waits for dice, or an end. What following a way needs is
// kept small and together.
type place struct {
	size int32 // of the die; 0 of a pool, -1 of an end
	kids int32 // where its kids begin
}

// wait is what running on from a place needs.
type wait struct {
	stmt  int
	state []V
	sizes []int // of a pool
	more  map[uint64]int32
}

// maxWords bounds the memory of an Automaton.
const maxWords = 1 << 24

// NewAutomaton makes an Automaton for functions that are run one after the
// other from the present state of the machine. The machine must be idle.
func NewAutomaton(m *Machine, funcs []*Func) *Automaton {
	return &Automaton{m: m, s: NewSaver(m, true), funcs: funcs, index: map[uint64][]int32{}, seed: maphash.MakeSeed(), places: make([]place, 1), waits: make([]wait, 1)}
}

// Open takes the machine, whose store must be what it was when the Automaton
// was made; Close gives it back.
func (a *Automaton) Open() { a.s.open() }

// Close gives the machine back, as it is.
func (a *Automaton) Close() { a.s.release() }

// Run makes one run. With no it did not come to an end in a way that can be
// remembered, and the generator is as it was: the run has to be made without
// the Automaton.
func (a *Automaton) Run() bool {
	g := &a.m.rng
	before := *g
	at := a.start
	if at == 0 {
		if at = a.begin(); at == 0 {
			*g = before
			return false
		}
		a.start = at
	}
on:
	for {
		p := a.places[at]
		if p.size <= 0 {
			break
		}
		face := int32(g.Face(int(p.size)))
		next := a.kids[p.kids+face-1]
		if next == 0 {
			if next = a.way(at, []int{int(face)}); next == 0 {
				*g = before
				return false
			}
			a.kids[p.kids+face-1] = next
		}
		at = next
	}
	if a.places[at].size == 0 {
		if at = a.pool(at); at == 0 {
			*g = before
			return false
		}
		goto on
	}
	a.end = at
	return true
}

// pool throws the pool that a place waits for and gives the place it leads to.
func (a *Automaton) pool(at int32) int32 {
	w := &a.waits[at]
	faces := make([]int, len(w.sizes))
	for i, size := range w.sizes {
		faces[i] = a.m.rng.Face(size)
	}
	key, ok := packed(w.sizes, faces)
	next := w.more[key]
	if next == 0 && ok {
		next = a.way(at, faces)
	}
	if next != 0 {
		a.waits[at].more[key] = next
	}
	return next
}

// Settle puts the machine into the state in which the latest Run that came to an
// end left it.
func (a *Automaton) Settle() {
	a.s.Load(a.waits[a.end].state)
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

func (a *Automaton) begin() int32 {
	a.s.reset()
	return a.on(0, true)
}

// way runs on from a place where these faces fall.
func (a *Automaton) way(at int32, faces []int) int32 {
	w := a.waits[at]
	a.s.Load(w.state)
	a.m.Seeded = false
	a.m.MaxSteps = a.m.StepLimit
	st := a.m.Run()
	if st != NeedChance {
		a.m.Seeded = true
		return 0
	}
	a.m.GiveFaces(faces)
	return a.on(w.stmt, false)
}

// on runs to where dice have to fall next and gives that place, 0 when that
// cannot be done.
func (a *Automaton) on(stmt int, fresh bool) int32 {
	m := a.m
	m.Seeded = false
	defer func() { m.Seeded = true }()
	for ; stmt < len(a.funcs); stmt, fresh = stmt+1, true {
		if fresh && m.Start(a.funcs[stmt]) != nil {
			return 0
		}
	run:
		m.MaxSteps = m.StepLimit
		switch st := m.Run(); st {
		case Done:
			continue
		case NeedChoice:
			m.GiveAnswer(m.asked.Default, "default")
			goto run
		case NeedChance:
			sizes, _ := m.Pending()
			return a.meet(stmt, st, sizes)
		default:
			return 0
		}
	}
	return a.meet(stmt, Done, nil)
}

func (a *Automaton) meet(stmt int, st Status, sizes []int) int32 {
	if a.words > maxWords {
		return 0
	}
	sizes = slices.Clone(sizes)
	buf := append(a.buf[:0], intV(stmt))
	buf, _, err := a.s.Save(buf, st)
	if err != nil {
		return 0
	}
	a.buf = buf
	h := maphash.Bytes(a.seed, unsafe.Slice((*byte)(unsafe.Pointer(&buf[0])), len(buf)*8))
	for _, i := range a.index[h] {
		if w := &a.waits[i]; w.stmt == stmt && slices.Equal(w.state, buf[1:]) {
			return i
		}
	}
	p := place{size: -1}
	w := wait{stmt: stmt, state: slices.Clone(buf[1:])}
	switch {
	case st == Done:
	case len(sizes) == 1:
		p.size, p.kids = int32(sizes[0]), int32(len(a.kids))
		a.kids = append(a.kids, make([]int32, sizes[0])...)
	default:
		p.size, w.sizes, w.more = 0, sizes, map[uint64]int32{}
	}
	a.words += len(w.state) + len(sizes) + 16
	i := int32(len(a.places))
	a.places = append(a.places, p)
	a.waits = append(a.waits, w)
	a.index[h] = append(a.index[h], i)
	return i
}

// End gives the number of the place in which the latest Run ended.
func (a *Automaton) End() int32 { return a.end }
