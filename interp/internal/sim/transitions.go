package sim

import (
	"hash/maphash"
	"slices"
	"unsafe"

	"setpiece/interp/internal/analysis"
	"setpiece/interp/internal/query"
	"setpiece/interp/internal/state"
	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/transition"
	"setpiece/interp/internal/value"
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
	store    []V      // the words of the state that is shown
	plain    []V      // what they are where nothing has changed them
	now      *control // where the program stands in that state; nil: no state is shown
	words    []V      // see gather
	worked   []V      // see change
	varies   []bool   // by word: it differs from state to state
	controls map[uint64][]*control
	seed     maphash.Seed
	key      []byte
}

// control is where in the program a run stands, with all of its state but the words of the
// store.
type control struct {
	words  []V // the number of the statement, and what is saved before the words of the store
	hash   uint64
	fresh  bool // nothing of the following is known yet
	stmt   int
	sizes  []int // of the dice that have to fall; none in the end
	pick   bool  // one of so many is picked
	end    bool  // all is done
	kept   []kept
	layout []int32 // the words that have been other than plain in a state here, in the order in which that came up
	proto  []V     // what words of records hold that are not among those of the store
	linked []word  // words of the store that stand there, since they lead to records
	byFace transition.Cache[Transition]
	onward transition.Cache[Transition]             // from a checkpoint
	byPool map[string]*transition.Cache[Transition] // see known
	reads  transition.Cache[query.Query]            // what is read of the pool that falls there
}

// Transition is a piece of computation that has been executed: where it leads, what it writes, and
// what is noted on it.
type Transition struct {
	to      *control
	writes  []write
	notes   []int32
	changes *changes // nil where they are not known yet
}

// write is a word that is written, with its value or what that is worked out from.
type write struct {
	at   int32
	v    V
	form *symbolic.Linear
}

// word is a word of the store.
type word struct {
	at int32
	v  V
}

// pool says whether what has to fall is more than one small die.
func (c *control) pool() bool { return len(c.sizes) != 1 || c.sizes[0] > maxSize || c.pick }

// checkpoint says whether nothing has to fall there, and it goes on.
func (c *control) checkpoint() bool { return len(c.sizes) == 0 && !c.end }

// known gives the transitions from a place on which dice have fallen that are not one small die.
func (w *transitions) known(c *control, f outcome) *transition.Cache[Transition] {
	w.key = w.key[:0]
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

func asBytes(s []V) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*8)
}

func (w *transitions) begin(s *state.Codec) {
	w.s, w.seed, w.controls = s, maphash.MakeSeed(), map[uint64][]*control{}
	w.store, w.plain = slices.Clone(s.Base()), slices.Clone(s.Base())
	w.varies = make([]bool, len(w.store))
}

// control gives the place in the program that words describe.
func (w *transitions) control(words []V) *control {
	h := maphash.Bytes(w.seed, asBytes(words))
	for _, c := range w.controls[h] {
		if slices.Equal(c.words, words) {
			return c
		}
	}
	c := &control{words: slices.Clone(words), hash: h, fresh: true}
	w.controls[h] = append(w.controls[h], c)
	return c
}

// learn notes what the words of the states in a place are. One of them has been saved last.
func (w *transitions) learn(c *control) {
	s := w.s
	store, base := s.M.Store, len(s.Base())
	c.kept = w.keptAt()
	c.proto = make([]V, len(c.kept)-base)
	for i := range c.proto {
		if c.proto[i] = value.None; c.kept[base+i] == never {
			c.proto[i] = store[base+i]
		}
	}
	for _, at := range s.Linked() {
		c.linked = append(c.linked, word{at, store[at]})
	}
	w.grow(len(c.kept))
}

func (w *transitions) grow(n int) {
	for len(w.store) < n {
		w.store, w.plain = append(w.store, value.None), append(w.plain, value.None)
		w.varies = append(w.varies, false)
	}
}

// varied says whether a word differs from state to state.
func (w *transitions) varied(at int) bool {
	return at < len(w.varies) && w.varies[at] || w.s.Changes(at) || w.slot(at)
}

// fall puts what falls where executed transitions look for it.
func (w *transitions) fall(f outcome) {
	switch at := w.store[w.s.M.Prog.DrawWords[0]:]; {
	case f.read == nil && len(f.faces) > 0:
		at[0] = state.IntV(f.faces[0])
	case f.read != nil && f.read.Fits(w.s.M):
		copy(at, f.values)
	}
}

// condition gives why the transition was taken that was executed last.
func (w *transitions) condition() *symbolic.PathCondition {
	path := &w.s.Tracker.Path
	for _, at := range path.Order {
		w.grow(int(at) + 1) // words of records that it has made and put back
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

// kept says when a word is among those of a state in some place.
type kept uint8

const (
	never    kept = iota
	always        // it is a register
	notNone       // it is a field of a record
	notBase       // it is a word of the base
	notFaint      // the same, and only its kind counts

	laidOut kept = 1 << 7 // it is in the layout, too
)

// keeps says when a word is among those of a state in a place.
func (c *control) keeps(at int32) kept {
	if int(at) >= len(c.kept) {
		return never
	}
	return c.kept[at] &^ laidOut
}

// keep gives what a word is in a state in some place, with no where it is not among
// its words.
func (w *transitions) keep(c *control, at int32, v V) (V, bool) {
	switch c.keeps(at) {
	case always:
		return v, true
	case notNone:
		return v, v != value.None
	case notBase:
		return v, v != w.s.Base()[at]
	case notFaint:
		return analysis.Faint.Keep(v, w.s.Base()[at])
	}
	return v, false
}

// keptAt says which words are among those of the state that has been saved last.
func (w *transitions) keptAt() []kept {
	s := w.s
	prog, held := s.M.Prog, s.RecordFields()
	out := make([]kept, len(s.Base())+len(held))
	for at := range s.Base() {
		out[at] = notBase
		switch {
		case s.Uses == nil || s.Uses[at] == analysis.Live:
		case s.Uses[at] == analysis.Dead:
			out[at] = never
		default:
			out[at] = notFaint
		}
	}
	if !s.LastLive {
		clear(out[prog.Last[0]:prog.Last[1]])
	}
	for _, at := range s.Linked() {
		out[at] = never
	}
	for k, at := range out[prog.RegisterWords[0]:prog.RegisterWords[1]] {
		if at = never; k < len(s.Slots()) {
			at = always
		}
		out[prog.RegisterWords[0]+k] = at
	}
	for i, f := range held {
		if f != nil {
			out[len(s.Base())+i] = notNone
		}
	}
	return out
}

// slot says whether a word holds a number of a register.
func (w *transitions) slot(at int) bool {
	from := w.s.M.Prog.RegisterWords
	return at >= from[0] && at < from[1]
}
