package interp

import (
	"setpiece/lang"
)

// EventKind says what an Event tells.
type EventKind string

const (
	EventCheck    EventKind = "check"    // a group opened by show: all that happened in it; others have kinds of their own
	EventDice     EventKind = "dice"     // dice have fallen outside of every group; Verb is the command at work, "" for none
	EventChange   EventKind = "change"   // a field of a named sheet changed
	EventDecision EventKind = "decision" // an offer or a choice was answered
	EventNote     EventKind = "note"     // table talk recorded
	EventWarn     EventKind = "warn"     // a doubtful thing
	EventFault    EventKind = "fault"    // a rule is broken; the script goes on
	EventPrint    EventKind = "print"    // print
	EventReport   EventKind = "report"   // one value of a report
	EventExpect   EventKind = "expect"   // an expect that failed
	EventModule   EventKind = "module"   // a module was taken into use
	EventValue    EventKind = "value"    // the value of an expression typed at the prompt
	EventTactics  EventKind = "tactics"  // a command of tactics was refused; the next entry is tried
	EventCommand  EventKind = "command"  // somebody does a command in their turn, or the game master, without Who, by hand
	EventSpan     EventKind = "span"     // a scene, an episode … begins or ends
	EventQuestion EventKind = "question" // somebody is asked to decide
	EventThrow    EventKind = "throw"    // somebody is asked to throw dice
	EventTurn     EventKind = "turn"     // somebody is asked what they do in their turn
	EventVoid     EventKind = "void"     // a command was refused: what was sent of its open groups has not happened
)

// Event is one thing that happened, as the table would tell it. Only the
// fields that belong to its Kind are set.
//
// A group, such as a check, is sent when it closes. What happens inside is sent at
// once, with its Depth, and is among the Events of the group as well.
type Event struct {
	Kind EventKind
	Rule string // full id of the innermost rule at work, or ""
	At   lang.Span

	Who   string // check, change, decision, tactics, command: a sheet's name
	Verb  string // check: the label given to show; span: the span's name
	Text  string // note, warn, fault, print, span (a label): what it says; value: what a prompt adds to it; report: the expression as written; module: its title; tactics, command: the command
	Value string // report, value, print: the value as shown
	Data  Value  // of report, value and print the value, of a decision its answer
	Why   string // tactics: why it was refused

	// check
	Dice    []DieEvent // of dice, too
	Parts   []PartEvent
	Outcome string       // "" when the group had no outcome
	Said    string       // how people read Outcome; "" where the rules do not say it
	Fields  []FieldValue // the other values of the outcome, in order written: total, against, margin …
	Events  []*Event     // what else happened inside, in order (changes, decisions, notes, inner checks)
	After   int          // inside a group: how many of its dice had fallen when this happened
	Depth   int          // how many groups are open around this event
	Open    bool         // a group that has not closed: what is in it happened so far
	SoFar   bool         // Outcome and Fields tell how it stands, before there is an outcome
	Stood   int          // with SoFar: how many of Events had happened then; -1: dice or parts have come since
	Brief   string       // the group in a few words, behind Who: "hits Ann"; "" when the rules say none
	Whom    string       // whoever of those who have a standing Brief names, or ""
	Hushed  bool         // the rules say that the group is not worth a line
	Moved   []Standing   // of a change, too: who stands otherwise than before, with what is new; see Config.Standings

	// change
	Field, From, To  string
	FromData, ToData Value  // the same as values
	Reset            string // the span that ends (End), or whose beginning put the field back; "" for none

	// decision
	Decision   string
	Prompt     string
	Options    []string
	OptionData []Value // the same as values
	Answer     string
	By         string // also of a command. "clause", "tactics", "script" (an answers statement), "default", "person" or "log" (GiveAnswers)

	// Told says who may know of it where players do not see what the game master sees: "open" all,
	// "secret" nobody else, "" as it is usual for whoever it is about. By the verb at work, by the field
	// of a change, of note and print. Of a span it is about the title.
	Told string

	Usual bool // a person would have made it but for Quiet

	// question, throw, turn
	Question *Question
	Request  *Request
	Turn     *Turn

	// module
	Name                   string
	Rules, Verbs, OptionsN int

	// span
	End       bool
	Standings []Standing // at the end: how everybody stands; see Config.Standings
}

// DieEvent is one die of a throw.
type DieEvent struct {
	Size, Face int
	Kept       bool
	Throw      int    // which throw of the group it fell in, from 0
	For        string // what it was thrown for
	Name       string // of the trait, or whatever else, that it stands for; "" where the rules do not say
	Who        string // whose that is: as a rule of who throws
	By         string // who threw: seed, given (Config.Dice), script (a dice statement), table (a Chance) or log (GiveDice)
	Rule       string
}

// PartEvent is one named part of a total.
type PartEvent struct {
	Value string
	Data  Value // the same as a value
	Label string
	Note  string
	Rule  string
}

// FieldValue is one named value of an outcome.
type FieldValue struct {
	Name, Value string
	Data        Value // the same as a value
}
