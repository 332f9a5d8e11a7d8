// Package machine executes compiled scripts.
//
// A Program is the compiler's output: functions, the types of sheets, hooks and
// tactics. A Machine is one run of it: a store of sheet instances, a stack of registers
// and a stack of frames, all flat slices of words. So a run can be copied at any draw or
// decision, compared with another and resumed. The machine itself is deterministic: Run
// returns whenever it needs dice or a decision, and the caller resumes it with the
// answer. (Only the seeded generator is built in, for speed.)
//
// Around the interpreter (exec.go, steps.go) stand
//
//	state.go, suspend.go, guard.go     state codec, suspended runs, savepoints and rollback
//	live.go, faint.go, reach.go        liveness, faint variables, call graph and effects
//	track.go, concolic.go, linear.go   symbolic execution beside the concrete run
//	reading.go, scout.go, follow.go    pool queries: what a script needs to know of a pool
//	alike.go                           symmetry reduction
//	automaton.go                       the transition cache of simulations
//	reuse.go                           traces of instructions that simulations reuse
package machine

import (
	"slices"

	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// V is a value.
type V = value.V

// Header is the number of words before the fields of an instance in the store:
// its type, name, owner, features and tactics.
const (
	AtType = iota
	AtName
	AtOwner
	AtFeatures
	AtTactics
	Header
)

// Program is compiled code with what it refers to. Machines share it; it is
// not changed while they run, except that functions are linked when they are
// first called.
type Program struct {
	Slots   []*Func // by rule number; overriding replaces an entry
	Types   []*Type
	Hooks   []*Hook
	Tactics []*Tactics
	Spans   []string // lifetimes, longest first
	Default *Tactics // of whoever has none
	Link    func(*Func) error
	Live    []int   // offsets of the long-lived instances, in order of declaration
	Groups  []Group // those declared together, in that order
	// Stated holds, by its place in the store, what a sheet says of a field with a lifetime.
	// As long as that is its value, the span that begins leaves it: what is true when a
	// scene begins can be written on a sheet. When the span ends it is cleared like any other.
	Stated  map[int]V
	Holders []int    // words of script variables that may hold a record made while a statement ran
	Last    [2]int   // the store words of the last outcome: first, and one past
	Fell    [2]int   // from and to: words that stand for what falls, see Saver.Fall and Answer
	Slot    [2]int   // from and to: words for numbers in registers, see Saver.Slots
	Symbols []string // names of the field symbols
	Traced  bool
	// Attended says that the code can ask for the commands of a turn.
	Attended bool
}

// Group is several instances that one line declares, as  wolves Grey x3  does.
type Group struct {
	Name string
	Offs []int // where they stand in the store
}

// groupOf gives the number of the group that an instance is of, -1 without one.
func (p *Program) groupOf(v V) int {
	if v.Kind() != value.Ref {
		return -1
	}
	return slices.IndexFunc(p.Groups, func(g Group) bool { return slices.Contains(g.Offs, v.Off()) })
}

// Func is a function: a rule, a verb's do, a handler, a clause's condition.
type Func struct {
	Name   string
	Params int
	Regs   int
	Region bool // records made inside are gone when it returns
	Code   []Ins
	At     []lang.Span // place of each instruction
	Rule   []int32     // catalogue id at work, index into the compiler's list; -1 none
	Infos  []any       // what Ins refers to by number
	Source any         // for Link
}

// Ins is one instruction. The meaning of A, B, C depends on Op; mostly A is
// the register written.
type Ins struct {
	Op      Op
	A, B, C int32
}

// Type is a sheet or a feature as the machine sees it.
type Type struct {
	ID       int
	Name     string
	Base     *Type
	Slots    []int32 // by field symbol: offset from the instance, 0 when there is no such field
	Fields   []Field
	Template []V         // header and defaults
	Handlers map[int]int // hook → rule number, of a feature
	Resets   []int       // by span: rule number of what resets its computed fields, or -1
	Out      int         // rule number of what tells whether an instance takes no part any more, or -1: see alike.go
	Summary  *Summary    // nil: that of Base
	Reserves *Summary    // likewise
}

// Is says whether t is u or extends it.
func (t *Type) Is(u *Type) bool {
	for ; t != nil; t = t.Base {
		if t.ID == u.ID {
			return true
		}
	}
	return false
}

// Field is one field of a Type.
type Field struct {
	Name    string
	Of      string // the sheet that says it last
	Sym     int
	Per     int // index into Spans, -1 when it lasts
	Until   bool
	Const   bool // Default holds; otherwise Type.Resets computes it
	Default V
	Check   Check
	Lo, Hi  V    // Check is InRange
	Whole   bool // Check is IsNumber or InRange: no fractions
	OneOf   []V  // Check is InWords
	Dice    []V  // the dice there are, where a die, dice or a map take only these
	Type    *Type
	Many    bool
	Hidden  bool // changes are not told
}

// Check is what a value must be to be put into a field.
type Check uint8

const (
	Anything Check = iota
	IsNumber
	InRange
	IsText
	IsTruth
	IsDie
	IsList
	IsMap
	InWords
	IsSheet
	IsSpan
)

// Hook is a named moment.
type Hook struct {
	Name   string
	Global []int // rule numbers of the handlers that stand in no feature
}

// TypeOf gives the type of the instance at off.
func (m *Machine) TypeOf(off int) *Type { return m.Prog.Types[m.Store[off].Int()] }

// observe tells Observe that a field is about to be read.
func (m *Machine) observe(off, field int) {
	t := m.TypeOf(off)
	if slot := t.Slots[field]; m.Store[off+int(slot)] != t.Template[slot] {
		m.Observe(t, field)
	}
}

// FieldName gives the name of a field symbol, for messages.
func (p *Program) FieldName(sym int) string {
	if sym < len(p.Symbols) {
		return p.Symbols[sym]
	}
	return "such field"
}
