package sim

import (
	"hash/maphash"
	"slices"
	"unsafe"

	"setpiece/interp/internal/query"
	"setpiece/interp/internal/state"
	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/transition"
)

// What a die does is mostly the same in many states: a blow that misses changes nothing
// however many wounds there are, and one that hits adds a wound. So the piece of computation
// from one throw to the next is executed with unknown numbers beside the known ones, as odds
// do it (package symbolic), and remembered by the constraints that led it: wherever in
// the program that is the same, and the words of the store meet the constraints, it does the
// same (package transition).

// transitions are the pieces of computation that have been executed.
type transitions struct {
	s        *state.Codec
	words    []V    // see gather
	worked   []V    // see change
	varies   []bool // by word: it differs from state to state in some control
	controls map[uint64][]*control
	seed     maphash.Seed
	key      []byte
}

// control is where in the program a run stands, with all of its state but the words of the
// store.
type control struct {
	words  []V // the number of the statement, and what is saved before the words of the store
	hash   uint64
	stmt   int
	sizes  []int // of the dice that have to fall; none in the end
	pick   bool  // one of so many is picked
	end    bool  // all is done
	kept   []kept
	store  []V                // the words of a state here, and what has fallen then
	shown  node               // which state that is, if it is kept; 0: that is not known
	vary   transition.Varying // the layout, see layout.go
	first  []V                // by place in the layout: what a state holds that was kept before the word came into it
	byFace transition.Cache[Transition]
	onward transition.Cache[Transition]              // from a checkpoint
	byPool map[string]*transition.Cache[Transition]  // see known
	read   transition.Cache[query.Query]             // what is read of the pool that falls there
	byTest map[string]*transition.Cache[query.Query] // and behind a condition, see reads
}

// Transition is a piece of computation that has been executed: where it leads, what it writes, and
// what is noted on it.
type Transition struct {
	to      *control
	writes  []write
	notes   []int32
	changes *changes // nil where they are not known yet
}

// pool says whether what has to fall is more than one small die.
func (c *control) pool() bool { return len(c.sizes) != 1 || c.sizes[0] > maxSize || c.pick }

// checkpoint says whether nothing has to fall there, and it goes on.
func (c *control) checkpoint() bool { return len(c.sizes) == 0 && !c.end }

// known gives the transitions from a place on which dice have fallen that are not one small die.
func (w *transitions) known(c *control, f outcome) *transition.Cache[Transition] {
	w.answers(f.settled)
	switch m := w.s.M; {
	case f.read == nil:
		w.key = append(w.key, asBytes([]V{state.IntV(f.faces[0])})...)
	case f.read.Fits(m):
		w.key = append(w.key, byte(f.read.Far), byte(f.read.Far>>8))
	default:
		w.key = append(append(w.key, byte(f.read.Far), byte(f.read.Far>>8)), asBytes(f.values)...)
	}
	known := c.byPool[string(w.key)]
	if known == nil {
		known = &transition.Cache[Transition]{}
		if c.byPool == nil {
			c.byPool = map[string]*transition.Cache[Transition]{}
		}
		c.byPool[string(w.key)] = known
	}
	return known
}

// answers begins a key with the answers to conditions about dice, each of which is surely no other.
func (w *transitions) answers(settled []bool) {
	w.key = append(w.key[:0], byte(len(settled)))
	for _, yes := range settled {
		w.key = append(w.key, 0)
		if yes {
			w.key[len(w.key)-1] = 1
		}
	}
}

// reads gives what is known to be read of the pool that falls in a control, where the first conditions about
// its dice have these answers.
func (w *transitions) reads(c *control, settled []bool) *transition.Cache[query.Query] {
	if len(settled) == 0 {
		return &c.read
	}
	w.answers(settled)
	known := c.byTest[string(w.key)]
	if known == nil {
		known = &transition.Cache[query.Query]{}
		if c.byTest == nil {
			c.byTest = map[string]*transition.Cache[query.Query]{}
		}
		c.byTest[string(w.key)] = known
	}
	return known
}

func asBytes(s []V) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*8)
}

func (w *transitions) begin(s *state.Codec) {
	w.s, w.seed, w.controls = s, maphash.MakeSeed(), map[uint64][]*control{}
	w.varies = make([]bool, len(s.Base()))
}

// control gives the place in the program that words describe, new where it is not known yet.
func (w *transitions) control(words []V) (c *control, isNew bool) {
	h := maphash.Bytes(w.seed, asBytes(words))
	for _, c := range w.controls[h] {
		if slices.Equal(c.words, words) {
			return c, false
		}
	}
	c = &control{words: slices.Clone(words), hash: h}
	w.controls[h] = append(w.controls[h], c)
	return c, true
}

// varied says whether a word differs from state to state.
func (w *transitions) varied(at int) bool {
	return at < len(w.varies) && w.varies[at] || w.s.Changes(at) || w.slot(at)
}

// fall puts what falls where executed transitions look for it.
func (w *transitions) fall(c *control, f outcome) {
	switch at := c.store[w.s.M.Prog.DrawWords[0]:]; {
	case f.read == nil && len(f.faces) > 0:
		at[0] = state.IntV(f.faces[0])
	case f.read != nil && f.read.Fits(w.s.M):
		copy(at, f.values)
	}
}

// condition gives why the transition from a control was taken that was executed last.
func (w *transitions) condition(c *control) *symbolic.PathCondition {
	path := &w.s.Tracker.Path
	for _, at := range path.Order {
		c.grow(int(at) + 1) // words of records that it has made and put back
	}
	for i := range path.Constraints {
		of := &path.Constraints[i].Of
		for _, at := range of.At[:of.N] {
			c.grow(int(at) + 1)
		}
	}
	return path
}

// executed gives the transition that has just been executed and has led to a place.
func (w *transitions) executed(to *control) *Transition {
	x := &Transition{to: to}
	for _, f := range w.s.Slots() {
		x.writes = append(x.writes, write{at: f.At, form: &f.Of})
	}
	for _, at := range w.s.Written() {
		if to.keeps(at) == never {
			continue
		}
		if form, ok := w.s.Form(int(at)); ok {
			x.writes = append(x.writes, write{at: at, form: &form})
		} else {
			x.writes = append(x.writes, write{at: at, v: w.s.M.Store[at]})
		}
	}
	return x
}

// slot says whether a word holds a number of a register.
func (w *transitions) slot(at int) bool {
	from := w.s.M.Prog.RegisterWords
	return at >= from[0] && at < from[1]
}
