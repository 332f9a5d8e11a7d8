package code

// AskInfo is what the code knows of a question beforehand.
type AskInfo struct {
	Name    string
	Offer   bool
	Random  bool // of a choice: a die makes it where nobody else does, see Pick
	Unasked bool // no person is asked
	Usual   bool // a register says whether it is usual as things stand
	Said    bool // of a choice: it says a default, none where a person has to say it
	Notes   bool // of a choice: a register says what is said of each option
	Priced  bool // of a choice: registers say what an answer that is not the default costs, and what is left
	Pure    bool // of an offer that is declined by default: its condition has no effect
	Plain   bool // its text has no effect
	Cost    string
}

// Registers says how many registers an Ask reads: whoever is asked, the prompt, of an offer the default and
// the price, of a choice the options and the default; of an offer what is left; whether it is usual; of a choice
// the notes, the price and what is left.
func (x *AskInfo) Registers() int32 {
	switch {
	case x.Notes || x.Priced:
		return 9
	case x.Usual:
		return 6
	}
	return 4
}

// Kind tells errors apart.
type Kind uint8

const (
	Refused Kind = iota
	Limit
	BadDie
	Failed
)

// ThrowInfo is what the code knows of a throw.
//
// A pick is a throw that makes a choice where nobody has made it: by the rules no dice
// are on the table. So dice that are given do not fall for it, nobody is asked to
// throw, and it is logged as the answer that it is. Odds follow it like any throw.
type ThrowInfo struct {
	For  string
	Reg  int // when it is worked out: the register it is in, counted from the die's
	Pick bool
}

// FailInfo is what the code knows of a refusal: the clause or operand of the
// command that it is about, "" for the whole command.
type FailInfo struct {
	Kind   Kind
	Clause string
	Nobody bool // there is nobody, or nothing, of those that a command is about
}

// MustFail is what a block has to end in: refused, or with faults or warns that
// have Part in them.
type MustFail struct {
	Word, Part string
	Info       any
}

// GivenWords are the statements that give beforehand what falls and is answered.
var GivenWords = []string{"dice", "answers", "commands", "picks"}

// Giving is a statement that gives beforehand what falls and is answered.
type Giving struct {
	Word string // of GivenWords
	Once bool
	At   int    // of commands that are done by hand: how many moments on; 0: they are those of turns. Of answers over a decision: how often tactics make it first
	Over string // the decision that the answers are to, in the place of tactics; "" for any
}
