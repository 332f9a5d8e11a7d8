package machine

// tracker notes on which words of the store a piece of computation depends, and
// which it writes, so that what it did can be used again wherever it would do the
// same, however the rest of the store differs. Of a word that differs from state
// to state, and holds a whole number, it may not matter which number that is: see
// concolic.go.
type tracker struct {
	now     uint32
	wrote   []uint32 // by word: the piece that wrote it last
	read    []uint32 // by word: the piece that depends on its value
	open    []uint32 // by word: the piece that has read it as a number, whichever it is
	cell    []int32  // by word: what it is worked out from, when wrote or open says so; 0: nothing
	written []int32
	path    Path
	outside func(at int) bool // see Saver.Outside
	varied  func(at int) bool // see Saver.Track
	unasked bool              // nobody is asked anything
	named   uint64            // whose name has been asked for, of those who are alike
	deaf    bool              // what is asked for just now, nobody will hear

	shadow []int32 // by place in the stack: what the register is worked out from
	dark   int     // how many of them are worked out from something
	high   int     // those are below this
	told   []int32 // by number of the report: what its value is worked out from
	exprs  symbolics
}

// look notes that the value of a word is read.
func (t *tracker) look(at int) {
	if at < len(t.wrote) && t.wrote[at] == t.now {
		t.settle(t.cell[at])
		t.cell[at] = 0
		return
	}
	t.depend(at)
}

// depend notes that what is done depends on the value that a word had at first.
func (t *tracker) depend(at int) {
	t.grow(at)
	if t.read[at] != t.now {
		t.read[at] = t.now
		t.path.Hold(int32(at))
	}
}

// write notes that a word is written.
func (t *tracker) write(at int) {
	t.grow(at)
	t.cell[at] = 0
	if t.wrote[at] != t.now {
		t.wrote[at] = t.now
		t.written = append(t.written, int32(at))
	}
}

// drop notes that nobody asks any more what a word is worked out from.
func (t *tracker) drop(at int) {
	t.grow(at)
	t.cell[at] = 0
}

func (t *tracker) grow(at int) {
	if n := at + 1 - len(t.wrote); n > 0 {
		t.wrote = append(t.wrote, make([]uint32, n+64)...)
		t.read = append(t.read, make([]uint32, n+64)...)
		t.open = append(t.open, make([]uint32, n+64)...)
		t.cell = append(t.cell, make([]int32, n+64)...)
	}
}

// made notes that the words of the store between two places are new.
func (t *tracker) made(from, to int) {
	for at := from; at < to; at++ {
		t.write(at)
	}
}

// foreign says whether a word is neither known to the piece nor its own matter.
func (t *tracker) foreign(at int) bool {
	t.grow(at)
	return t.wrote[at] != t.now && t.read[at] != t.now && t.open[at] != t.now && t.outside != nil && t.outside(at)
}

// Track begins to note what is read and written. With varied, which tells the words
// of the store that differ from state to state, numbers in them are taken as any
// number; without it everything depends on the very value of what is read.
func (s *Saver) Track(varied func(at int) bool) {
	t := s.m.track
	if t == nil {
		t = &tracker{}
		t.grow(len(s.base))
		s.m.track = t
	}
	t.now++
	t.path = Path{t.path.Asked[:0], t.path.Facts[:0]}
	t.written, t.told = t.written[:0], t.told[:0]
	t.exprs.forget()
	t.forget(0)
	t.named = 0
	if w := s.m.watch; w != nil {
		w.stirred, w.named = 0, 0
	}
	t.outside, t.varied, t.unasked = s.Outside, varied, s.Defaults
	for _, f := range s.filled {
		id := s.m.unknown(f.word)
		if id == 0 {
			t.look(f.word)
		}
		t.put(f.reg, id)
	}
}

// Written gives the words written since Track.
func (s *Saver) Written() []int32 { return s.m.track.written }

// Path gives what was the case since Track and led here.
func (s *Saver) Path() Path { return s.m.track.path.Clone() }
