package machine

// tracker notes on which words of the store the course of a step depends, and
// which it writes, so that what a step led to can be used again wherever those
// words are the same, however the rest of the store differs.
type tracker struct {
	path    []uint32 // epoch in which the way being followed has written a word
	epoch   uint32
	written []int32  // the words written on it, in order
	sum     uint64   // of them, however they are ordered
	step    []uint32 // epoch in which the step has read a word that it had not written
	steps   uint32
	reads   []int32
}

func (t *tracker) read(at int) {
	if at < len(t.path) && t.path[at] != t.epoch {
		t.depend(at)
	}
}

func (t *tracker) depend(at int) {
	if at < len(t.step) && t.step[at] != t.steps {
		t.step[at] = t.steps
		t.reads = append(t.reads, int32(at))
	}
}

func (t *tracker) write(at int) {
	if at < len(t.path) && t.path[at] != t.epoch {
		t.path[at] = t.epoch
		t.written = append(t.written, int32(at))
		x := (uint64(at) + 1) * 0x9e3779b97f4a7c15
		t.sum += x ^ x>>29
	}
}

// BeginStep begins to note what a step depends on and writes.
func (s *Saver) BeginStep() {
	t := s.m.track
	if t == nil {
		t = &tracker{path: make([]uint32, len(s.base)), step: make([]uint32, len(s.base))}
		s.m.track = t
	}
	t.steps++
	t.reads = t.reads[:0]
	s.Path(nil)
}

// Path says that the way being followed, of the step that has begun, has written
// these words so far.
func (s *Saver) Path(written []int32) {
	t := s.m.track
	t.epoch++
	t.written, t.sum = t.written[:0], 0
	for _, at := range written {
		t.write(int(at))
	}
}

// Written gives the words written on the way being followed, until Path.
func (s *Saver) Written() []int32 { return s.m.track.written }

// WrittenSum is equal for two ways that have written the same words.
func (s *Saver) WrittenSum() uint64 { return s.m.track.sum }

// Differ notes that the step depends on the words that either the way being
// followed or the one that has written those given has written, but not both.
func (s *Saver) Differ(other []int32) {
	t := s.m.track
	theirs := make(map[int32]bool, len(other))
	for _, at := range other {
		theirs[at] = true
		if t.path[at] != t.epoch {
			t.depend(int(at))
		}
	}
	for _, at := range t.written {
		if !theirs[at] {
			t.depend(int(at))
		}
	}
}

// Depend notes that the step depends on a word.
func (s *Saver) Depend(at int32) { s.m.track.depend(int(at)) }

// Reads gives the words that the step depends on, until BeginStep.
func (s *Saver) Reads() []int32 { return s.m.track.reads }

// DependLast notes that the step depends on those values of the last outcome
// that it has not written.
func (s *Saver) DependLast() {
	for at := s.m.Prog.Last[0]; at < s.m.Prog.Last[1]; at++ {
		s.m.track.read(at)
	}
}
