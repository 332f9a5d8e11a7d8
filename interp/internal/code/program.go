// Package code is the compiled form of scripts: what the compiler writes, the machine
// executes and the analyses read.
//
// A Program is functions, types of sheets, hooks and tactics. A Func is a list of
// instructions over registers, three operands each, as in most register machines
// (Ierusalimschy, de Figueiredo and Celes, The implementation of Lua 5.0, 2005). Beside
// each instruction stands its place in the script. A throw, a question and a call are
// instructions of their own, so that between two instructions the state of a run is
// complete: it can be saved, compared and resumed there.
//
//	op.go         the operations
//	program.go    programs, functions, types, fields
//	inlined.go    rules that stand in the place of calls
//	info.go       what instructions know of throws, questions and refusals
//	tactics.go    blocks of tactics
//	function.go   the functions of the language: names, arguments, texts
//	operands.go   which registers and words an instruction reads and writes
//
// # The store
//
// All that a script has declared, and what it has changed, stands in one list of words, the store. It
// is laid out while scripts are compiled, and grows with what they declare:
//
//	Program.DrawWords      the values of dice that fall, for the engines that keep states
//	Program.RegisterWords  numbers in registers, likewise
//	Program.ReportWords    what was reported, likewise
//	Program.Last           the values of the last outcome, none where it has none
//	then                   variables and options, a word each, and long-lived instances
//	                       (Program.Live: heroes, things, the sheets on them), as they are declared
//	behind these           records, made while a function runs and gone when it returns
//
// What stands before the records is the base, which is as long at the end of a run as at its beginning.
//
// An instance or a record is Header words, of which the first is its type, and its fields. A Ref says where
// it begins, Type.Slots how far behind that the field of a name stands.
//
// Nothing here runs anything.
package code

import (
	"slices"
	"sync/atomic"

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

// Decided says whether any tactics answer a decision.
func (p *Program) Decided(name string) bool {
	for _, t := range p.Tactics {
		if _, ok := t.On[name]; ok {
			return true
		}
	}
	if p.Default == nil {
		return false
	}
	_, ok := p.Default.On[name]
	return ok
}

// The hooks of spans of time, which every program has: their places in Program.Hooks.
const (
	HookBegins = iota
	HookEnds
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
	Stated        map[int]V
	Holders       []int    // words of script variables that may hold a record made while a statement ran
	Last          [2]int   // the store words of the last outcome: first, and one past
	DrawWords     [2]int   // from and to: words that stand for what falls, see state.Codec.DrawFace
	RegisterWords [2]int   // from and to: words for numbers in registers, see state.Codec.Slots
	ReportWords   [2]int   // from and to: words for values that were reported, see state.Codec.Save
	Symbols       []string // names of the field symbols
	Said          map[V]V  // how people read words, as texts
	Traced        bool
	// Attended says that the code can ask for the commands of a turn.
	Attended bool
}

// Group is several instances that one line declares, as  wolves Grey x3  does.
type Group struct {
	Name string
	Offs []int // where they stand in the store
}

// GroupOf gives the number of the group that an instance is of, -1 without one.
func (p *Program) GroupOf(v V) int {
	if v.Kind() != value.Ref {
		return -1
	}
	return slices.IndexFunc(p.Groups, func(g Group) bool { return slices.Contains(g.Offs, v.Off()) })
}

// Func is a function: a rule, a verb's do, a handler, a clause's condition.
type Func struct {
	Name    string
	Params  int
	Regs    int
	Region  bool // records made inside are gone when it returns
	Code    []Ins
	At      []lang.Span // place of each instruction
	Rule    []int32     // catalogue id at work, index into the compiler's list; -1 that of the caller, if any; or ByHand
	Inlined *Inlined    // calls in whose place code of the rules stands, nil if there are none
	Infos   []any       // what Ins refers to by number
	Source  any         // for Link
	Common  *Common     // what it shares with functions of other programs, nil if there are none
}

// Kinds of moments between what a script does: none of these is before a command.
const (
	InTheMiddle = 1 + iota // where a span begins
	Behind                 // where one has ended
	Arranging              // before a command that nobody acts in and that is about somebody or something: who is there
)

// ByHand stands in Func.Rule where a script sets something itself, in the middle of whatever rule
// the line is in: no rule is at work.
const ByHand = -2

// Common belongs to functions of several programs that have the same code but for their constants.
// Each program may be at work at the same time.
type Common struct {
	Live atomic.Pointer[[]Registers] // those that are live before each instruction, once that is known
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
	Resets   []int       // by span, its beginning and its end: rule number of what resets computed fields, or -1
	Out      int         // rule number of what tells whether an instance takes no part any more, or -1: see package state
	Summary  *Summary    // nil: that of Base
	Reserves *Summary    // likewise
	AtHand   *Summary    // likewise
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
	Told    Told
	Known   int // rule number of what tells whether all may know of it that is secret, or -1
}

// Told says who may know of something, where it is not as usual: see interp.Event.
type Told string

// Who may know.
const (
	ToAll    Told = "open"
	ToMaster Told = "secret"
)

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

// TypeOf gives the type of the instance at off in a store.
func (p *Program) TypeOf(store []V, off int) *Type { return p.Types[store[off].Int()] }

// FieldName gives the name of a field symbol, for messages.
func (p *Program) FieldName(sym int) string {
	if sym < len(p.Symbols) {
		return p.Symbols[sym]
	}
	return "such field"
}

// Out gives the rule that tells who takes no part any more, nil where there is none.
func (p *Program) Out(t *Type) *Func {
	for ; t != nil; t = t.Base {
		if t.Out >= 0 {
			return p.Slots[t.Out]
		}
	}
	return nil
}

// Loops says whether a function goes through the list in a register.
func (fn *Func) Loops(reg int32) bool {
	return slices.ContainsFunc(fn.Code, func(in Ins) bool { return in.Op == Iter && in.A == reg })
}

// TakesDie says whether a value is one of the dice that a field takes. A die with two pluses
// stands for those with more.
func (f *Field) TakesDie(v V) bool {
	return f.Dice == nil || v.Kind() == value.Die && slices.ContainsFunc(f.Dice, func(d V) bool { return d.DieSize() == v.DieSize() && d.Pluses() == min(v.Pluses(), max(2, d.Pluses())) })
}

// Summary is what a reader wants to know of the instances of a Type.
type Summary struct {
	Names  []string // of the values
	Fields []string // that they are the values of, "" of what is worked out
	Values int      // rule number of what gives their list
	When   int      // rule number of what says whether an instance is to be listed, -1: always
}

// InheritedSummary gives the summary of a type, its own or that of what it extends, nil where there is none.
func (t *Type) InheritedSummary() *Summary {
	return t.inherited(func(t *Type) *Summary { return t.Summary })
}

// InheritedReserves does the same for its reserves.
func (t *Type) InheritedReserves() *Summary {
	return t.inherited(func(t *Type) *Summary { return t.Reserves })
}

// InheritedAtHand does the same for what is at hand.
func (t *Type) InheritedAtHand() *Summary {
	return t.inherited(func(t *Type) *Summary { return t.AtHand })
}

func (t *Type) inherited(of func(*Type) *Summary) *Summary {
	for ; t != nil; t = t.Base {
		if s := of(t); s != nil {
			return s
		}
	}
	return nil
}

// HasReport says whether a function itself reports something.
func (fn *Func) HasReport() bool {
	return slices.ContainsFunc(fn.Code, func(in Ins) bool { return in.Op == Reported })
}

// Reporting gives a function that calls a rule and reports what it says.
func Reporting(slot int, args []V) *Func {
	fn := &Func{Name: "goal", Region: true, Regs: max(1, len(args))}
	emit := func(op Op, a, b, c int32) {
		fn.Code = append(fn.Code, Ins{op, a, b, c})
		fn.At = append(fn.At, lang.Span{})
		fn.Rule = append(fn.Rule, -1)
	}
	load := func(reg int, v V) { emit(LoadK, int32(reg), int32(uint32(v)), int32(uint32(v>>32))) }
	for k, v := range args {
		load(k, v)
	}
	emit(Call, 0, int32(slot), 0)
	emit(Reported, 0, 0, 0)
	load(0, value.None)
	emit(Ret, 0, 0, 0)
	fn.Infos = []any{fn}
	return fn
}

// Reports says under what a function reports a value, as Machine.Reported has it.
func (fn *Func) Reports() any {
	for _, in := range fn.Code {
		if in.Op == Reported {
			return fn.Infos[in.B]
		}
	}
	return nil
}
