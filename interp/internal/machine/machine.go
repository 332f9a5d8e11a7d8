// Package machine executes compiled scripts.
//
// A Machine is one run of a code.Program: a store of sheet instances, a stack of registers
// and a stack of frames, all flat slices of words. So a run can be copied at any draw or
// decision, compared with another and resumed. The machine itself is deterministic: Run
// returns whenever it needs dice or a decision, and the caller resumes it with the
// answer. (Only the seeded generator is built in, for speed.)
//
//	machine.go      what a run is, what it returns with, who may look on
//	exec.go         the loop over the instructions, and what they mostly do
//	slow.go         what they do otherwise
//	steps.go        what single instructions do when it takes more than a line
//	builtin.go      what the functions of the language do
//	chance.go       throws and questions; streams.go, trail.go: whose dice they are
//	act.go          turns, tactics.go: what acts where nobody is asked
//	roster.go       who is of a kind, who hears a hook
//	savepoint.go    savepoints: a refused action leaves the state as it was
//	once.go         what a script has given, once or until it is used
//	suspend.go      runs that stand still while something else is tried
//	summary.go      what rules say of an instance, asked on a copy
//
// What wants to know more than the answers looks on: an Observer is told what happens, as
// a transcript needs it; a Tracer what is read and written, as odds need it; an Executor
// takes the place of the loop, to work with unknown numbers. Each is nil where nobody needs it.
package machine

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"

	"setpiece/interp/internal/analysis"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Status says why Run returned.
type Status uint8

const (
	Done        Status = iota // the function has returned; Result holds
	NeedChance                // dice have to fall: Pending, then GiveFaces
	NeedChoice                // somebody has to decide: Asked, then GiveAnswer
	Broken                    // Err holds
	NeedCommand               // somebody has to say what they do: Acting, then Command, Pass or ByTactics
	NeedHand                  // something is done by hand: Command
	Acted                     // a command that was given has been done; call Run again
	Yield                     // the slice of steps is used up; call Run again
	Checkpoint                // a loop that throws begins anew, or a pool that fell is settled; call Run again

	Stepped     // exec has executed as many instructions as it was to
	UnknownRead // the next instruction reads an unknown word: see trace
)

// Machine is one run of a Program.
type Machine struct {
	Mode
	Prog   *code.Program
	Heap   *value.Heap
	shapes map[V]*Shape // see ShapeOf
	Store  []V
	Result V
	Err    *Error

	Stack  []V
	Frames []Frame

	Rand    Generator
	streams *streams // where the generator takes its dice from; nil: one sequence

	Own      Own         // given by the script
	Faces    []GivenFace // faces given from outside: they fall after those
	Answers  []GivenAnswer
	Commands []GivenCommand
	Picks    []int // given from outside: they come before Answers, see ThrowInfo
	Trail    Trail // what is told of throws and may say what falls; nil for none

	// Silences says whether a person decides in the place of somebody's tactics; nil for never.
	Silences func(who V, decision string) bool

	// Hand says at each moment between what a script does, of a kind, whether something is done by hand there; nil
	// for never.
	Hand     func(kind int) bool
	Moment   int            // the last of them, counted from 1
	Tactical map[string]int // how often tactics made a decision, while that is noted

	// Observe, where it is set, is told which fields are read while odds are worked out
	// that have another value than they begin with.
	Observe func(t *code.Type, field int)

	// What looks on while it runs; each is nil mostly, and then costs one comparison.
	Tracer   Tracer
	Executor Executor

	Steps, MaxSteps int64 // MaxSteps bounds one slice: Run returns Yield
	StepLimit       int64 // and this the whole run
	Thrown, MaxDice int64

	// Printed is how much the code has printed, at least, that is generated for when nobody
	// listens. MaxOutput 0 is no bound.
	Printed, MaxOutput int64
	MaxDepth           int
	MaxSize            int
	MaxHeap            int64 // bound on Heap.Used
	heapFrom           int64 // what was used when that was set

	Sizes      []int    // of the dice that have to fall
	Fallen     []V      // and what they showed
	MadePool   []V      // the dice that have to fall at once, where some of them are made
	from       []Source // who threw them
	trailFaces []int    // faces that the trail gives, of the first of the dice
	asked      Question
	silenced   string // the decision at hand, if tactics would make it and a person does
	Savepoints []Savepoint
	Captured   []capture
	UndoLog    []OldWord
	compacted  int   // how long the undo log was when it was compacted last
	LogLoaded  int   // and in the state loaded last, see state.Codec
	PutBack    []int // words that a refusal has put back, while Journaled
	Journaled  bool  // what is written is noted, for Undo
	Logging    bool  // or for a savepoint
	Floor      int   // how many frames there are where exec stops before a function returns; 0: it does not
	analysed   *analysis.Analysis
	listed     *roster
	refusal    refusal // the latest that was come back from
	unmoved    bool    // the command done last has changed nothing
	refused    *Error  // why the command that was given last was taken back; see act.go

	Drawn        bool      // something fell or was answered since the statement began
	NothingDrawn bool      // nothing has since the latest checkpoint
	RestedAt     *code.Ins // the head of the loop where it did, nil elsewhere
	RestedDepth  int       // and how many frames there were
	PoolDrawn    bool      // several dice did at once
	Reports      []Report  // in order
	Reported     []any     // what reports there have been

	Failures     []Failure // expectations that were not met
	Faults       int       // rules broken
	Refusals     int       // commands of tactics that were refused
	firstRefusal string    // the first of them, and why

	Marks map[int]Marked // states that were kept; nil: none is

	Noted []int32 // numbers of what has been noted, for who counts it to empty
	Notes *Notes
	Links int // functions linked; what they refer to is in the heap for good
}

// Taken is how many bytes the machine takes for a run, roughly, beside the store
// and the heap: what it would put back, and what is known of where numbers come
// from.
func (m *Machine) Taken() int {
	n := 16*cap(m.UndoLog) + 8*cap(m.Stack) // what grows is there twice meanwhile
	if m.Tracer != nil {
		n += m.Tracer.Bytes()
	}
	return n
}

// LimitHeap bounds what values may take from now on.
func (m *Machine) LimitHeap(bytes int64) {
	m.heapFrom = m.Heap.Used
	m.MaxHeap = m.heapFrom + bytes
}

// Log is what was answered, in order.
type Log []Answer

// Failure is an expectation that was not met.
type Failure struct {
	Info        any
	Left, Right V
	At          lang.Span
}

// Report is one value of a report.
type Report struct {
	Info  int // index into Machine.Reported
	Value V
}

func (m *Machine) Report(info any, v V) {
	i := slices.Index(m.Reported, info)
	if i < 0 {
		i = len(m.Reported)
		m.Reported = append(m.Reported, info)
	}
	m.Reports = append(m.Reports, Report{i, Shown(v)}) // what is told of a die is what it shows
}

// Savepoint is what a Try comes back to when something is refused.
type Savepoint struct {
	Frames           int
	PC               int32
	Log, Store       int // how long they were
	Own              Own
	mark             int
	Failures, Faults int
	refusals         int
	thrown           int64
	command          bool // it guards a command that was given: see act.go
}

type Frame struct {
	Fn   *code.Func
	PC   int32
	Base int32
	Ret  int32 // register of the caller, from base, that takes the result
	Keep int32 // store length to cut back to, or -1
}

// Error is a run that cannot go on.
type Error struct {
	Kind   code.Kind
	Msg    string
	Help   string
	Clause string // of a refusal: the clause or operand it is about
	Nobody bool   // of a refusal: see code.FailInfo
	Bound  string // of a Limit: which one, as interp.Limits names it
	At     lang.Span
	Rule   int32
	Stack  []Place
}

// Place is a function at work and where in it.
type Place struct {
	Name string
	At   lang.Span
}

// Question is a decision to be made.
type Question struct {
	Info    *code.AskInfo
	Who     V
	Prompt  V
	Options V // list; of an offer None
	Default int
	Price   V    // of a yes, or an answer that is not the default
	Notes   V    // list of what is said of each option, or None
	Left    V    // what is left when it is paid; none where nobody listens
	Usual   bool // its default is taken as usual as things stand
	Must    bool // of a choice: it has no default, but for the first option where nobody is asked
	Count   int
	At      lang.Span
	Rule    int32
	over    string // the decision, if tactics would have made it
}

// Observer is told what happens. Values are shown with the machine's heap.
type Observer interface {
	Event(m *Machine, info any, regs []V, at lang.Span, rule int32)
	Changed(m *Machine, off int, field *code.Field, from, to V, at lang.Span, rule int32)
	Thrown(m *Machine, info any, dice []V, from []Source, at lang.Span, rule int32)
	Answered(m *Machine, q *Question, answer int, by string)
	Kept(m *Machine, dice V)
	Mark() int    // notes how far the telling has come
	Rollback(int) // takes back what was told since
	Release()     // the latest Mark is no longer needed
}

// Tracer is told what a run reads and writes, so that it can be found out on what the
// run depends.
type Tracer interface {
	// Read is told of a word of the store that an instruction is about to read. It says
	// Done, or why the instruction cannot be executed just now: Run returns that.
	Read(at int) Status
	Look(at int)       // the machine itself reads a word
	Depend(at int)     // it needs the value that a word had when the run began
	Write(at int)      // a word is written
	Made(from, to int) // records are made
	SetSavepoint()     // a savepoint is set
	// Rollback is told that the words go back to what they were at the nth savepoint. It says
	// whether it knows what that was; if not, it is told of each of them.
	Rollback(n int) bool
	Forget(from int) // registers from a place in the stack on hold nothing any more
	Bytes() int      // about how much memory it takes
}

// Executor executes in the place of the plain loop over the instructions: it works with
// unknown numbers beside.
type Executor interface {
	Execute() Status
}

// Generator is the seeded generator: a 64-bit counter that is mixed (the
// SplitMix64 of Steele, Lea and Flood), read as two halves of 32 bits, so that
// one word throws two dice. It is part of the contract: a seed gives the same
// faces on every machine and in every version.
type Generator struct {
	state  uint64
	spare  uint32
	has    bool
	picked uint8 // how often Pick was called since the last die
}

// Seed starts the generator anew.
func (g *Generator) Seed(seed uint64) { *g = Generator{state: seed} }

// Next gives 32 bits, each as likely 0 as 1.
func (g *Generator) Next() (word uint32) {
	word, *g = g.Drawn()
	return word
}

// Drawn gives the word that Next gives, and the generator as it is then: for loops that keep
// it in registers of the processor.
func (g Generator) Drawn() (word uint32, then Generator) {
	g.picked = 0
	if g.has {
		g.has = false
		return g.spare, g
	}
	g.state += weyl
	z := mixed(g.state)
	g.spare, g.has = uint32(z>>32), true
	return uint32(z), g
}

// weyl is what the counter of a Generator goes up by, mixed its output function.
const weyl = 0x9e3779b97f4a7c15

func mixed(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Face throws a die of n faces, every face exactly as likely as the others
// (Lemire's multiplication with rejection).
func (g *Generator) Face(n int) int {
	x := uint64(g.Next()) * uint64(n)
	if uint32(x) < uint32(n) {
		x = g.Again(x, n)
	}
	return int(x>>32) + 1
}

// Pick chooses one of n, from 0, all alike. It leaves the dice that fall next as they
// are: whether somebody has decided or the generator does changes nothing else.
func (g *Generator) Pick(n int) int {
	g.picked++
	z := mixed(g.state ^ uint64(g.picked)*0xd1342543de82ef95)
	if g.has {
		z = mixed(z)
	}
	hi, _ := bits.Mul64(z, uint64(n))
	return int(hi)
}

// Again throws once more as long as the product is one of those that would make
// some faces likelier.
func (g *Generator) Again(x uint64, n int) uint64 {
	for t := -uint32(n) % uint32(n); uint32(x) < t; {
		x = uint64(g.Next()) * uint64(n)
	}
	return x
}

// Seed starts the built-in generator anew.
func (m *Machine) Seed(s uint64) { m.Rand.Seed(s); m.streams = nil }

// Generator gives the state of the built-in generator, for SetGenerator.
func (m *Machine) Generator() Generator { return m.Rand }

// SetGenerator puts the built-in generator back into a state.
func (m *Machine) SetGenerator(g Generator) { m.Rand = g }

// Start prepares a call of rule n. Run does it.
func (m *Machine) Start(fn *code.Func, args ...V) error {
	if err := m.Link(fn); err != nil {
		return err
	}
	m.Err, m.refused = nil, nil
	m.Frames = m.Frames[:0]
	m.Savepoints, m.Captured = m.Savepoints[:0], m.Captured[:0]
	m.stopLogging()
	m.Stack = GrowStack(m.Stack[:0], fn.Regs)
	copy(m.Stack, args)
	m.Frames = append(m.Frames, Frame{Fn: fn, Keep: m.Region(fn), Ret: -1})
	return nil
}

// emptyHolders empties the script variables that hold a record which is about to go: what  new
// makes lasts until its statement ends.
func (m *Machine) emptyHolders(keep int) {
	if len(m.Store) == keep {
		return
	}
	for _, at := range m.Prog.Holders {
		if m.HoldsRecord(m.Look(at), keep) {
			m.Write(at, value.None)
		}
	}
}

// HoldsRecord says whether a value is or has in it a record at or behind a place of the store.
func (m *Machine) HoldsRecord(v V, from int) bool {
	switch v.Kind() {
	case value.Ref:
		return v.Off() >= from
	case value.List:
		return slices.ContainsFunc(m.Heap.Elems(v), func(e V) bool { return m.HoldsRecord(e, from) })
	case value.Map:
		return slices.ContainsFunc(m.Heap.Pairs(v), func(e V) bool { return m.HoldsRecord(e, from) })
	}
	return false
}

func (m *Machine) Region(fn *code.Func) int32 {
	if fn.Region {
		return int32(len(m.Store))
	}
	return -1
}

func (m *Machine) Link(fn *code.Func) error {
	if fn.Code != nil {
		return nil
	}
	m.Links++
	return m.Prog.Link(fn)
}

// Analysis gives what is known of the program as it is.
func (m *Machine) Analysis() *analysis.Analysis {
	m.analysed = analysis.Of(m.Prog, m.Heap, m.Store, m.analysed)
	return m.analysed
}

// Forget lets go of all values but those of the store, and of what is known of the
// program. Nothing may be running.
func (m *Machine) Forget() {
	m.analysed, m.Failures, m.Err, m.Result = nil, nil, nil, value.None
	m.Frames, m.Savepoints, m.Captured, m.Reports = m.Frames[:0], m.Savepoints[:0], m.Captured[:0], nil
	m.UndoLog, m.Stack = nil, nil
}

// GrowStack gives a slice of at least n words, kept as it is up to its length.
func GrowStack(s []V, n int) []V {
	if n <= cap(s) {
		return s[:n]
	}
	t := make([]V, n, 2*n+64)
	copy(t, s)
	return t
}

// fail makes the error of the instruction before pc. Where nothing runs, as when a constant
// is looked at before play, it has no place.
func (m *Machine) fail(kind code.Kind, format string, args ...any) Status {
	if len(m.Frames) == 0 {
		m.Err = &Error{Kind: kind, Msg: fmt.Sprintf(format, args...)}
		return Broken
	}
	top := m.said()
	pc := max(0, top.PC-1)
	m.Err = &Error{Kind: kind, Msg: fmt.Sprintf(format, args...), At: top.Fn.At[pc], Rule: top.Fn.Rule[pc]}
	for i := len(m.Frames) - 1; i >= 0; i-- {
		f := &m.Frames[i]
		if f.Fn == fallMade() {
			continue
		}
		f.Fn.Working(int(max(0, f.PC-1)), func(name string, at lang.Span) {
			m.Err.Stack = append(m.Err.Stack, Place{name, at})
		})
	}
	return Broken
}

// exceeds makes the error of a limit that was reached.
func (m *Machine) exceeds(bound, format string, args ...any) Status {
	s := m.fail(code.Limit, format, args...)
	m.Err.Bound = bound
	return s
}

// Grouped writes a number with a comma between thousands.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// said gives the function at work, or where dice that are made fall the one that throws them.
func (m *Machine) said() *Frame {
	n := len(m.Frames) - 1
	if n > 0 && m.Frames[n].Fn == fallMade() {
		n--
	}
	return &m.Frames[n]
}

// position gives the place of the instruction being executed and the rule at work:
// its own, or else that of the nearest caller that has one, none where a script sets something.
func (m *Machine) position() (lang.Span, int32) {
	top := m.said()
	if top.Fn.Rule[max(0, top.PC-1)] == code.ByHand {
		return top.Fn.At[top.PC-1], -1
	}
	for i := len(m.Frames) - 1; i >= 0; i-- {
		f := &m.Frames[i]
		if r := f.Fn.Rule[max(0, f.PC-1)]; r >= 0 {
			return top.Fn.At[top.PC-1], r
		}
	}
	return top.Fn.At[top.PC-1], -1
}

// Show shows a value as a reader would write it.
func (m *Machine) Show(v V) string {
	var text string
	if v.Kind() == value.Text {
		text = m.Heap.TextOf(v)
	} else {
		text = m.Heap.Show(v, m.name)
	}
	m.countWork(len(text))
	return text
}

// Say shows a value as people read it: a word by the text that the rules give it.
func (m *Machine) Say(v V) string {
	if text, ok := m.Prog.Said[v]; ok {
		return m.Show(text)
	}
	return m.Show(v)
}

// countWork counts the work of an instruction that takes the longer the longer a value is,
// by letters or elements. Run then returns with Yield sooner, so that it takes about the
// same time between two looks at whether the run should end.
func (m *Machine) countWork(n int) { m.MaxSteps -= int64(n) >> 2 }

// countReading counts the work of an instruction that reads values.
func (m *Machine) countReading(list []V) {
	for _, v := range list {
		switch v.Kind() {
		case value.List:
			m.countWork(len(m.Heap.Elems(v)))
		case value.Map:
			m.countWork(m.Heap.MapSize(v))
		case value.Text:
			m.countWork(len(m.Heap.TextOf(v)))
		}
	}
}

func (m *Machine) name(v V) string {
	if v.Kind() == value.Ref {
		return m.NameOf(v)
	}
	return m.Prog.Slots[v.RuleNumber()].Name
}

// NameOf gives the name of an instance; of a record the name of its type.
func (m *Machine) NameOf(v V) string {
	if n := m.Store[v.Off()+code.AtName]; n.Kind() == value.Text {
		return m.Heap.TextOf(n)
	}
	return m.TypeOf(v.Off()).Name
}

// PathOf gives the name of an instance with those of the sheets it is part of.
func (m *Machine) PathOf(off int) string {
	name := m.NameOf(value.OfRef(off))
	if o := m.Store[off+code.AtOwner]; o.Kind() == value.Ref {
		return m.PathOf(o.Off()) + "." + name
	}
	return name
}

// CostOf shows what an answer that is not the default, or of an offer a yes, costs, "" for nothing.
func (m *Machine) CostOf(q *Question) string {
	if q.Info.Cost == "" || q.Price == value.None || q.Price == value.OfInt(0) {
		return ""
	}
	return m.Show(q.Price) + " " + q.Info.Cost
}

// LeftOf shows what is left when that has been paid, "" where nobody listens.
func (m *Machine) LeftOf(q *Question) string {
	if q.Left == value.None {
		return ""
	}
	return m.Show(q.Left)
}

// Stop makes an error of the run where it stands, for a reason from outside.
func (m *Machine) Stop(msg string) *Error {
	m.fail(code.Failed, "%s", msg)
	return m.Err
}

// Marked is a state that a Mark has kept: what a test that begins there starts from.
type Marked struct {
	Store     []V
	Generator Generator
}

// TypeOf gives the type of the instance at off.
func (m *Machine) TypeOf(off int) *code.Type { return m.Prog.TypeOf(m.Store, off) }

// ObserveField tells Observe that a field is about to be read.
func (m *Machine) ObserveField(off, field int) {
	t := m.TypeOf(off)
	if slot := t.Slots[field]; m.Store[off+int(slot)] != t.Template[slot] {
		m.Observe(t, field)
	}
}

// V is a value.
type V = value.V

// Jump goes on where an instruction says, or behind it.
func (f *Frame) Jump(in *code.Ins, yes bool) {
	if f.PC++; yes {
		f.PC = in.C
	}
}

// EndsRecordsAt says whether the store may be cut back to a length.
func (m *Machine) EndsRecordsAt(n int) bool {
	return slices.ContainsFunc(m.Frames, func(f Frame) bool { return int(f.Keep) == n }) ||
		slices.ContainsFunc(m.Savepoints, func(g Savepoint) bool { return g.Store == n })
}

// Idle says whether nothing is being run.
func (m *Machine) Idle() bool { return len(m.Frames) == 0 }
