package code

import "setpiece/lang"

// Tactics is one block of tactics.
type Tactics struct {
	ID       int            // its number in Program.Tactics
	Who      string         // whose they are, as the script says it
	Scope    int            // number of the block of a command that they hold for; 0: the whole script
	Turn     int            // rule number of all entries for a turn, -1 when there is none
	When     int            // of those with a condition
	Else     int            // of those without
	SaysWhen int            // of what tells which commands When would try, as lists of texts and values
	SaysElse int            // and Else
	On       map[string]int // decision → rule number
	Words    []string       // of its commands
}

// Tactic is one entry of tactics, as a note or an observer refers to it.
type Tactic struct {
	Of   *Tactics
	Text string // the command as it is written
	At   lang.Span
}

// Declined is an observer's notice of a command of tactics that was refused: who it was
// to be done by and the refusal stand in two registers.
type Declined struct{ *Tactic }
