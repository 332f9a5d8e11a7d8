package machine

// Stepper executes the next instruction of a run.
type Stepper interface{ Step() Status }

// tracker notes on which words of the store a piece of computation depends, and
// which it writes, so that what it did can be used again wherever it would do the
// same, however the rest of the store differs. Of a word that differs from state
// to state, and holds a whole number, it may not matter which number that is: see
// concolic.go.
type tracker struct {
	m       *Machine
	watch   Stepper // executes the instructions one by one instead; nil: none does
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

// Look notes that the value of a word is read.
func (t *tracker) Look(at int) {
	if at < len(t.wrote) && t.wrote[at] == t.now {
		t.settle(t.cell[at])
		t.cell[at] = 0
		return
	}
	t.Depend(at)
}

// Depend notes that what is done depends on the value that a word had at first.
func (t *tracker) Depend(at int) {
	t.grow(at)
	if t.read[at] != t.now {
		t.read[at] = t.now
		t.path.Hold(int32(at))
	}
}

// Write notes that a word is written.
func (t *tracker) Write(at int) {
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

// Made notes that the words of the store between two places are new.
func (t *tracker) Made(from, to int) {
	for at := from; at < to; at++ {
		t.Write(at)
	}
}

// foreign says whether a word is neither known to the piece nor its own matter.
func (t *tracker) foreign(at int) bool {
	t.grow(at)
	return t.wrote[at] != t.now && t.read[at] != t.now && t.open[at] != t.now && t.outside != nil && t.outside(at)
}

// Execute executes a run until dice or a decision are needed. See machine.Executor.
func (t *tracker) Execute() Status {
	if t.varied == nil {
		return t.m.exec(-1)
	}
	return t.trace()
}

// leaves says whether the machine rests before it reads a word of the store: what was read
// of a pool is settled where something comes in that has nothing to do with it.
func (t *tracker) leaves(at int) bool {
	m := t.m
	return m.pooled && m.Resting && len(m.guards) == 0 && t.foreign(at)
}

// Read is told of a word of the store that an instruction is about to read. It says why
// that cannot be just now, or Done.
func (t *tracker) Read(at int) Status {
	if t.leaves(at) {
		return Rest
	}
	if t.unknown(at) != 0 {
		return met
	}
	t.Look(at)
	return Done
}

// Bytes is about how much memory it takes.
func (t *tracker) Bytes() int {
	return t.exprs.bytes() + 100*cap(t.path.Facts) + 4*cap(t.path.Asked) + 4*cap(t.written)
}
