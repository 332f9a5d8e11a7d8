// Package symbolic runs scripts with unknown numbers beside the known ones, and says on
// what a run depended.
//
// What a blow does is the same whether its victim has taken one token before or two, as
// long as it is not the last it can take: the number goes up by one. So that it need not be
// executed for each number, a Tracker works, beside the numbers themselves, with what they
// are worked out from (symbolic execution alongside the concrete one: King, Symbolic
// execution and program testing, 1976; Godefroid, Klarlund and Sen, DART: directed automated
// random testing, 2005).
//
// A word of the store that differs from state to state and holds a whole number is read as
// any number. Sums of such numbers are linear forms over the words (linear.go). Where the
// run branches by a comparison of two of them, it is noted how it came out: a constraint.
// What is done with a number otherwise needs the number itself (the Tracker concretises it),
// and then that is noted. Of a value that is only put together (a text, a product) it is
// noted when it is used. A list of so many numbers is known by its length: each of its
// elements is a number like any other where it is taken from the list.
//
// All that is noted, in the order in which it is noted, is the path condition of the run:
// wherever it holds, the run goes the same way and writes the same values, or the same
// linear forms. Package odds keeps runs under their path conditions.
//
//	linear.go        linear forms, constraints and path conditions
//	tracker.go       which words a run reads and writes (it implements machine.Tracer)
//	savepoint.go     what words are worked out from again when a refusal takes back what was done
//	concolic.go      which expression each register and word holds
//	instructions.go  what each instruction makes of expressions
package symbolic

import "setpiece/interp/internal/machine"

// Stepper executes the next instruction of a run.
type Stepper interface{ Step() machine.Status }

// Tracker notes on which words of the store a piece of computation depends, and
// which it writes, so that what it did can be used again wherever it would do the
// same, however the rest of the store differs. Of a word that differs from state
// to state, and holds a whole number, it may not matter which number that is: see
// concolic.go.
type Tracker struct {
	M       *machine.Machine
	Stepper Stepper // executes the instructions one by one instead; nil: none does
	Epoch   uint32
	Wrote   []uint32 // by word: the piece that wrote it last
	read    []uint32 // by word: the piece that depends on its value
	open    []uint32 // by word: the piece that has read it as a number, whichever it is
	Cell    []int32  // by word: what it is worked out from, when wrote or open says so; 0: nothing
	Written []int32
	Path    PathCondition
	Outside func(at int) bool // see state.Codec.Outside
	Varied  func(at int) bool // see state.Codec.Track
	Unasked bool              // nobody is asked anything
	Named   uint64            // whose name has been asked for, of members of an orbit
	silent  bool              // what is asked for just now, nobody will hear

	savepoints []savepoint // that have been set since Track
	replaced   []replaced  // what was written since the first of them

	shadow   []int32 // by place in the stack: what the register is worked out from
	Unknowns int     // how many of them are worked out from something
	high     int     // those are below this
	Reports  []int32 // by number of the report: what its value is worked out from
	Exprs    exprs
}

// Look notes that the value of a word is read.
func (t *Tracker) Look(at int) {
	if at < len(t.Wrote) && t.Wrote[at] == t.Epoch {
		t.ConcretiseExpr(t.Cell[at])
		t.Cell[at] = 0
		return
	}
	t.Depend(at)
}

// Depend notes that what is done depends on the value that a word had at first.
func (t *Tracker) Depend(at int) {
	t.Grow(at)
	if t.read[at] != t.Epoch {
		t.read[at] = t.Epoch
		t.Path.AddWord(int32(at))
	}
}

// Write notes that a word is written.
func (t *Tracker) Write(at int) {
	t.Grow(at)
	if len(t.savepoints) > 0 {
		t.replaced = append(t.replaced, replaced{int32(at), t.Cell[at]})
	}
	t.Cell[at] = 0
	if t.Wrote[at] != t.Epoch {
		t.Wrote[at] = t.Epoch
		t.Written = append(t.Written, int32(at))
	}
}

// Drop notes that nobody asks any more what a word is worked out from.
func (t *Tracker) Drop(at int) {
	t.Grow(at)
	t.Cell[at] = 0
}

func (t *Tracker) Grow(at int) {
	if n := at + 1 - len(t.Wrote); n > 0 {
		t.Wrote = append(t.Wrote, make([]uint32, n+64)...)
		t.read = append(t.read, make([]uint32, n+64)...)
		t.open = append(t.open, make([]uint32, n+64)...)
		t.Cell = append(t.Cell, make([]int32, n+64)...)
	}
}

// Made notes that the words of the store between two places are new.
func (t *Tracker) Made(from, to int) {
	for at := from; at < to; at++ {
		t.Write(at)
	}
}

// foreign says whether a word is neither known to the piece nor its own matter.
func (t *Tracker) foreign(at int) bool {
	t.Grow(at)
	return t.Wrote[at] != t.Epoch && t.read[at] != t.Epoch && t.open[at] != t.Epoch && t.Outside != nil && t.Outside(at)
}

// Execute executes a run until dice or a decision are needed. See machine.Executor.
func (t *Tracker) Execute() machine.Status {
	if t.Varied == nil {
		return t.M.Exec(-1)
	}
	return t.trace()
}

// Leaves says whether the machine stops at a checkpoint before it reads a word of the store: what was read
// of a pool is settled where something comes in that has nothing to do with it.
func (t *Tracker) Leaves(at int) bool {
	m := t.M
	return m.PoolDrawn && m.Checkpoints && len(m.Savepoints) == 0 && t.foreign(at)
}

// Read is told of a word of the store that an instruction is about to read. It says why
// that cannot be just now, or Done.
func (t *Tracker) Read(at int) machine.Status {
	if t.Leaves(at) {
		return machine.Checkpoint
	}
	if t.Unknown(at) != 0 {
		return machine.UnknownRead
	}
	t.Look(at)
	return machine.Done
}

// Bytes is about how much memory it takes.
func (t *Tracker) Bytes() int {
	return t.Exprs.bytes() + 100*cap(t.Path.Constraints) + 4*cap(t.Path.Order) + 4*cap(t.Written)
}
