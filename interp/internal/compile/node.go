package compile

import (
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// V is a value.
type V = value.V

// node is a resolved expression or statement: every name has become a
// register, a field symbol, a store word, a rule number or a constant.
type node struct {
	op   nodeOp
	kids []*node
	a, b int // registers, symbols, rule numbers: see the nodeOp
	v    V
	info any
	at   lang.Span
	rule int32
	in   int32 // the call in whose place it stands, see inline.go
}

type nodeOp uint8

const (
	nConst   nodeOp = iota // v
	nLocal                 // register a
	nCell                  // store word a
	nField                 // kids[0].a
	nFieldOr               // kids[0] has field a: that field, else kids[1]
	nCall                  // rule a of kids
	nCallV                 // the rule kids[0] of kids[1:]
	nBuiltin               // builtin a of kids
	nBin                   // kids[0] (code.Op a) kids[1]
	nAnd                   // kids
	nOr
	nNot
	nNeg
	nCond  // if kids[0] then kids[1] else kids[2]
	nList  // of kids
	nRange // kids[0]..kids[1]
	nIndex
	nText   // kids joined
	nThrow  // kids[0]; info *code.ThrowInfo or nil
	nDraw   // kids[0]
	nChoose // by, from, prompt, answer, default (nil where absent); info *code.AskInfo
	nComp   // in, where, yield (nil where absent); a variable, b first of two hidden registers; info kind
	nNew    // type a; kids are values of the fields info.([]int) (symbols)
	nNeed   // kids[0], a part of kids[1]; refused with its name info.(string) when it is none
	nElse   // kids[0], or kids[1] when that is none

	nSeq         // statements
	nSet         // register a <- kids[0]
	nSetCell     // store word a <- kids[0]
	nSetField    // kids[0].a <- kids[1]; b 1 as it is declared, 2 unless it is what the sheet says
	nIf          // kids[0] then kids[1] else kids[2] or nil
	nFor         // in, where, body; a variable register or -1 with v a cell, b hidden registers
	nWhile       // kids[0], kids[1]
	nRepeat      // kids[0] times kids[1]; b hidden registers
	nJump        // a: 0 stop, 1 next
	nReturn      // kids[0] or nil
	nFail        // kids[0] text; info *code.FailInfo
	nOffer       // to, prompt, cost, payer, when, answer, default, body, else; a cost field symbol; info *code.AskInfo
	nSignal      // to, args…; a hook
	nEvent       // kids are put into registers; info for the observer; only when traced
	nOutcome     // kids values of cells info.([]int); first is the outcome itself
	nExpect      // kids[0]; info ExpectInfo
	nBoundary    // span a, b 1 at the end
	nRunBlock    // kids[0] the block
	nAct         // kids[0]; kids[1] when the turn is over, or nil
	nExpr        // kids[0] for its effect
	nGive        // kids[0]; a 1 for answers, 2 for commands
	nNothing     //
	nShow        // kids: label, by, body; info *ShowInfo
	nTactics     // to the instances kids[0], block a
	nMustFail    // kids[0] must be refused or broken; info *MustFailInfo
	nMark        // the state is kept as mark a, for tests
	nDecline     // of an entry of tactics that was refused: kids[0] who; info *code.Tactic
	nEndTactics  // tactics of scope a end
	nNoneRefused // no tactics may have been refused; info *ExpectInfo
	nTry         // kids[0]; register a tells whether it was done or refused
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
}

// OutcomeInfo tells the outcome and its values, in registers in this order; with
// SoFar, how things stand before there is one.
type OutcomeInfo struct {
	Names []string
	SoFar bool
}

// ReachedInfo tells that a turn has come to an entry of tactics.
type ReachedInfo struct{ *code.Tactic }

// ReportInfo is one value of a report, in one register.
type ReportInfo struct {
	Text   string
	Column string // the same, told apart from others of the script
}

// ValueInfo is the value of an expression typed at the prompt.
type ValueInfo struct{}

// DecidedInfo tells that a clause or tactics answered a decision: who, prompt
// and answer in three registers; from says which.
type DecidedInfo struct {
	Ask  *code.AskInfo
	From string
}

// SpanInfo tells that a span begins or ends.
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

// each visits a node and all below it, from the outside in.
func (n *node) each(visit func(*node)) {
	if n == nil {
		return
	}
	visit(n)
	for _, x := range n.kids {
		x.each(visit)
	}
}
