package machine

// tracker notes on which words of the store a piece of computation depends, and
// which it writes, so that what it did can be used again wherever the former
// are the same, however the rest of the store differs.
type tracker struct {
	now     uint32
	wrote   []uint32 // by word: the piece that wrote it last
	read    []uint32 // by word: the piece that read it last, before writing it
	written []int32
	reads   []int32
	outside func(at int) bool // see Saver.Outside
}

// look notes that a word is read.
func (t *tracker) look(at int) {
	if at >= len(t.wrote) || t.wrote[at] != t.now {
		t.depend(at)
	}
}

// depend notes that what is done depends on a word.
func (t *tracker) depend(at int) {
	t.grow(at)
	if t.read[at] != t.now {
		t.read[at] = t.now
		t.reads = append(t.reads, int32(at))
	}
}

// write notes that a word is written.
func (t *tracker) write(at int) {
	t.grow(at)
	if t.wrote[at] != t.now {
		t.wrote[at] = t.now
		t.written = append(t.written, int32(at))
	}
}

func (t *tracker) grow(at int) {
	if n := at + 1 - len(t.wrote); n > 0 {
		t.wrote = append(t.wrote, make([]uint32, n+64)...)
		t.read = append(t.read, make([]uint32, n+64)...)
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
	return t.wrote[at] != t.now && t.read[at] != t.now && t.outside != nil && t.outside(at)
}

// Track begins to note what is read and written.
func (s *Saver) Track() {
	t := s.m.track
	if t == nil {
		t = &tracker{wrote: make([]uint32, len(s.base)), read: make([]uint32, len(s.base))}
		s.m.track = t
	}
	t.now++
	t.reads, t.written = t.reads[:0], t.written[:0]
	t.outside = s.Outside
}

// Written gives the words written since Track.
func (s *Saver) Written() []int32 { return s.m.track.written }

// Reads gives the words read since Track before they were written.
func (s *Saver) Reads() []int32 { return s.m.track.reads }

// DependLast notes that the values of the last outcome are read.
func (s *Saver) DependLast() {
	for at := s.m.Prog.Last[0]; at < s.m.Prog.Last[1]; at++ {
		s.m.track.look(at)
	}
}
