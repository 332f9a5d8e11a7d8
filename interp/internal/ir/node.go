package ir

import (
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// V is a value.
type V = value.V

// Node is a resolved expression or statement: every name has become a
// register, a field symbol, a store word, a rule number or a constant.
type Node struct {
	Op   NodeOp
	Kids []*Node
	A, B int // registers, symbols, rule numbers: see the nodeOp
	V    V
	Info any
	At   lang.Span
	Rule int32
	In   int32 // the call in whose place it stands, see resolve/inline.go
}

// NodeOp says what a node is, and what its kids are.
type NodeOp uint8

const (
	NConst   NodeOp = iota // v
	NLocal                 // register a
	NCell                  // store word a
	NField                 // kids[0].a
	NFieldOr               // kids[0] has field a: that field, else kids[1]
	NCall                  // rule a of kids
	NCallV                 // the rule kids[0] of kids[1:]
	NBuiltin               // builtin a of kids
	NBin                   // kids[0] (code.Op a) kids[1]
	NAnd                   // kids
	NOr
	NNot
	NNeg
	NCond  // if kids[0] then kids[1] else kids[2]
	NList  // of kids
	NRange // kids[0]..kids[1]
	NIndex
	NText   // kids joined
	NThrow  // kids[0]; info *code.ThrowInfo or nil
	NDraw   // kids[0]
	NChoose // by, from, prompt, answer, default, usual, cost, payer, notes (nil where absent); a cost field symbol; info *code.AskInfo
	NComp   // in, where, yield (nil where absent); a variable, b first of two hidden registers; info kind
	NNew    // type a; kids are values of the fields info.([]int) (symbols)
	NNeed   // kids[0], a part of kids[1]; refused with its name info.(string) when it is none
	NElse   // kids[0], or kids[1] when that is none

	NSeq         // statements
	NSet         // register a <- kids[0]
	NSetCell     // store word a <- kids[0]
	NSetField    // kids[0].a <- kids[1]; b 1 as it is declared, 2 unless it is what the sheet says
	NIf          // kids[0] then kids[1] else kids[2] or nil
	NFor         // in, where, body; a variable register or -1 with v a cell, b hidden registers
	NWhile       // kids[0], kids[1]
	NRepeat      // kids[0] times kids[1]; b hidden registers
	NJump        // a: 0 stop, 1 next
	NReturn      // kids[0] or nil
	NFail        // kids[0] text; info *code.FailInfo
	NOffer       // to, prompt, cost, payer, when, answer, default, body, else, what makes sure that when has no effect, usual; a cost field symbol; info *code.AskInfo
	NSignal      // to, args…; a hook
	NEvent       // kids are put into registers; info for the observer; only when traced
	NOutcome     // kids values of cells info.([]int); first is the outcome itself
	NExpect      // kids[0]; info ExpectInfo
	NBoundary    // span a, b 1 at the end
	NRunBlock    // kids[0] the block
	NAct         // kids[0]; kids[1] when the turn is over, or nil; a 1 where tactics do not act
	NMoment      // at which something can be done by hand
	NExpr        // kids[0] for its effect
	NGive        // kids[0]; *code.Giving
	NNothing     //
	NShow        // kids: label, by, body; info *ShowInfo
	NTactics     // to the instances kids[0], block a
	NMustFail    // kids[0] must be refused or broken; info *MustFailInfo
	NMark        // the state is kept as mark a, for tests
	NDecline     // of an entry of tactics that was refused: kids[0] who; info *code.Tactic
	NEndTactics  // tactics of scope a end
	NNoneRefused // no tactics may have been refused; info *ExpectInfo
	NTry         // kids[0]; register a tells whether it was done or refused
)

// ShowInfo opens a group of the transcript: label and who in two registers.
type ShowInfo struct{ Kind string }

// ShowEnd closes it.
type ShowEnd struct{}

// PartInfo is a named part of a total: value, label and note in three registers.
type PartInfo struct{}

// DiceInfo is what the dice of the next throw stand for: a list in one register.
type DiceInfo struct{}

// SayInfo is a note, warning, fault or print, or what brief says of a group: its text in one register.
type SayInfo struct {
	Kind   string
	Stated bool // of a warning: whoever checks the script is told already
	Told   code.Told
}

// OutcomeInfo tells the outcome and its values, in registers in this order; with
// SoFar, how things stand before there is one.
type OutcomeInfo struct {
	Names []string
	SoFar bool
}

// ReachedInfo tells that a turn has come to an entry of tactics.
type ReachedInfo struct{ *code.Tactic }

// PassedInfo tells that none of some tactics was done in a turn.
type PassedInfo struct{ *code.Tactics }

// ReportInfo is one value of a report, in one register.
type ReportInfo struct {
	Text   string
	Column string // the same, told apart from others of the script
}

// ValueInfo is the value of an expression typed at the prompt.
type ValueInfo struct{}

// DecidedInfo tells that a clause, tactics or a die answered a decision: who, prompt
// and answer in three registers, and the options in a fourth where a die did; from says which.
type DecidedInfo struct {
	Ask  *code.AskInfo
	From string
}

// SpanInfo tells that a span begins or ends: its title in a register, and in the next one whether that is secret.
type SpanInfo struct {
	Name string
	End  bool
}

// ResetInfo tells that what changes from here on does so because a span begins or
// ends; without a span, that this is over.
type ResetInfo struct {
	Span string
	End  bool
}

// MustFailInfo is what a block has to end in: Word is refused, faults or warns,
// Part a part of the message.
type MustFailInfo struct{ Word, Part string }

// ExpectInfo is an expectation that did not hold: its two sides in registers
// when it compares.
type ExpectInfo struct {
	Text    string
	Compare bool
	Refused bool // no tactics may have been refused: how many were, and the first
}

// Each visits a node and all below it, from the outside in.
func (n *Node) Each(visit func(*Node)) {
	if n == nil {
		return
	}
	visit(n)
	for _, x := range n.Kids {
		x.Each(visit)
	}
}

// NewInfo says which fields (by symbol) or header words of a new record its
// values go to.
type NewInfo struct{ Syms, Headers []int }
