package code

// Op is an operation.
type Op uint8

const (
	Nop      Op = iota
	Move        // A <- B
	LoadK       // A <- constant, its bits in B (low) and C (high)
	GetF        // A <- field C of the instance in B
	SetF        // field C of the instance in A <- B
	InitF       // the same in a declaration: nothing is told of it
	DefaultF    // as SetF, but a field that holds what its sheet says of it stays as it is
	GetAt       // A <- store[B]
	SetAt       // store[B] <- A
	Add         // A <- B + C
	Sub
	Mul
	Div
	AddI // A <- B + C as a number
	Neg
	Not
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	In
	Jmp    // to C
	JmpIf  // A is yes: to C
	JmpNot // A is no or none: to C
	JmpNone
	JmpSome // A is not none: to C
	JEq     // A = B: to C
	JNe
	JLt
	JLe
	JGt
	JGe
	JEqI // A = the number B: to C
	JNeI
	JLtI
	JLeI
	JGtI
	JGeI
	Call         // rule B with arguments in A…; result in A
	CallV        // the rule in A with arguments in A+1…A+C; result in A
	Ret          // result in A
	RetK         // the result is a constant, its bits in B and C
	MakeL        // A <- list of C values from B
	MakeR        // A <- range B..C
	Index        // A <- B[C]
	IndexI       // A <- B[C], C as a number
	Builtin      // A <- builtin B of the C arguments in A…
	Empty        // A <- whether the list, map or text in B has nothing in it
	Is           // A <- whether what is in B is a sheet of a kind; C: info, its name
	Text         // A <- text of the C values from B joined
	Iter         // A list, A+1 index: next element to B, or jump to C
	Throw        // A <- dice A thrown; B: info or -1; C 1: a pick, see ThrowInfo
	Ask          // A <- the answer to the question in A…; B: info
	New          // A <- new record of type B
	Feats        // A <- features of the instance or instances in A
	Handler      // A <- rule that handles hook C for the feature in B, or none
	TurnOf       // A <- rule for part B of the turn of the instance in A, or none
	TacticOn     // A <- rule that answers decision info C for the instance in B, or none
	ResetK       // reset constant fields for span B; C: 1 at the end of it
	ResetL       // A <- instances with computed fields for span B
	ResetFn      // A <- rule that resets the instance in B for span C
	Clear        // clear the last outcome
	Fail         // A: text; B: info
	Event        // A: first register; B: info
	Truth        // A must be a truth
	Given        // what is in list A comes next; B: Giving
	JmpLacks     // A is no instance with field B: to C
	JmpUnasked   // nobody decides what info B offers, or anything where B is -1: to C
	JmpUndecided // nor does whoever is in A, whatever others do: to C
	SubI         // A <- B - C as a number
	SetHeader    // header word C of the instance in A <- B
	AmongOr      // refuse unless A is among the list B
	Unmet        // an expectation was not met: A, A+1, A+2; B: info
	Fault        // a fault (B 1) or warning with the text A
	Capture      // faults and warnings are noted from here
	CaptureEnd   // there must have been one as B says
	CheckRefusal // A 0: there was none; 1: it must be as B says
	AllFeats     // A <- all features of long-lived instances that handle hook B
	SetTactics   // instances in list A follow tactics B
	EndTactics   // tactics of scope B end
	Decline      // the entry of tactics B was refused just now
	Refusal      // A <- the text of the latest refusal
	CheckTactics // no entry of tactics may have been refused; B: info
	KeepMark     // the state is kept as mark B
	JAtIf        // store[A] is yes: to C
	JAtNot
	JAtNone
	JAtSome
	JAtLtI // store[A] < B: to C
	JAtGeI
	SetLast // store[B], a value of the last outcome <- A
	Try     // what is refused until EndTry is undone and goes on at C
	EndTry
	Head     // of a loop; B 1: the loop may throw
	Reported // A: a value of a report; B: info
	Prints   // so many bytes as B says, at least, are printed where nobody listens
	Act      // ask for a command of the instance in A; B: where to go on if it passes; C: if its tactics act. See machine/act.go
	EndAct   // the command that Act asked for has been done; A+1 counts those of this turn
	Between  // a moment at which something can be done by hand; B: its kind; C: where to go on if nothing is. See machine/act.go
	EndHand  // what was done by hand there has been done
)

// Jumps says whether C of the operation is where it may go on.
func (op Op) Jumps() bool {
	switch op {
	case Jmp, JmpIf, JmpNot, JmpNone, JmpSome, JEq, JNe, JLt, JLe, JGt, JGe, JEqI, JNeI, JLtI, JLeI, JGtI, JGeI, Iter, JmpLacks, JmpUnasked, JmpUndecided, Try, Act, Between,
		JAtIf, JAtNot, JAtNone, JAtSome, JAtLtI, JAtGeI:
		return true
	}
	return false
}

// Looks says whether the operation changes nothing but registers, and throws and asks
// nothing.
func (op Op) Looks() bool {
	switch op {
	case SetF, InitF, DefaultF, SetAt, Throw, Ask, New, ResetK, Clear, Fail, Given, SetHeader, Unmet, Fault, Capture, CaptureEnd, CheckRefusal, SetTactics, EndTactics, Decline, CheckTactics, SetLast, Try, EndTry, EndAct, EndHand, Reported:
		return false
	}
	return true
}

// Falls says whether it may go on behind the operation.
func (op Op) Falls() bool { return op != Jmp && !op.Returns() && op != Fail }

// Returns says whether the operation ends its function.
func (op Op) Returns() bool { return op == Ret || op == RetK }

// Comparison gives the comparison that a jump makes, or the operation itself.
func (op Op) Comparison() Op {
	switch {
	case op == JEq || op == JEqI:
		return Eq
	case op == JNe || op == JNeI:
		return Ne
	case op >= JLt && op <= JGe:
		return op - JLt + Lt
	case op >= JLtI && op <= JGeI:
		return op - JLtI + Lt
	}
	return op
}
