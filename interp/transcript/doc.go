// Package transcript tells what happened at the table: it turns the events of
// package interp into the table's own arithmetic as text, or into JSON, one
// object a line.
//
// # Text
//
// A check is a group of rows: label, value, note and the rule it came from.
//
//	d12                      7
//	CLIMBING                +4
//	with a rope             +1   a good rope               tiny.gear.rope
//	total                   12   vs hard 8   success by 4
//
// The last row is made from the outcome of the group. These of its fields have
// a meaning here; any other is for scripts and JSON, and told with Trace only:
//
//	total    the value of the row
//	against  what it was measured against, a number: "vs 8"
//	versus   the same in the players' words, shown instead: "vs hard 8"
//	margin   by how much: "success by 4"
//	note     a remark behind that
//
// Parts are signed, since they are added. A change that a part's note tells of,
// with the field and what is left of it ("1 luck, 2 left"), is not told again.
// Dice of one throw share a row; where only some count these carry a star:
// "7*, 3". Without Trace a rule is named only where a note or a change needs
// its reason, and a decision only when somebody took it, other than the one who
// reads this, and it changed something.
//
// Before somebody is asked to decide or to throw, Text writes what has happened in
// the groups that are still open, and how they stand: a row "so far" made from the
// statement stands, whose fields mean the same, or the outcome, where somebody is asked
// what comes of it. When a group closes, only what is new follows.
//
// # In brief
//
// With Brief a check is one line, and a line at the end of a round says how everybody
// stands, as the summaries of the sheets have it:
//
//	round 2
//	  Ogre hits Ann, 12 vs 10 (+2): life 3
//	  = Ann: life 3, luck 2 · Ogre: life 9
//
// The words behind the name are those of the statement brief, else the label of the
// group. The numbers are total, against (versus without brief) and margin.
//
// # JSON, version 2
//
// JSON writes records, one a line. What they look like is in schema.json, which setpiece
// schema prints and against which tests hold every record of the corpus and of the
// commands. The first record is {"event":"begin","version":2}. A script record comes
// before what is about another script: of several files, and of a script that is compared
// with a variation of itself. The events of a run follow, or what a command found out:
// distributions, odds, a simulation, proposals, tests, rules. A reply is what was said to a line
// that was typed and is no answer or entry, such as :state.
//
// A value of a script has one shape wherever it stands, see interp.Value: a die is
// {"die":6}, none is null. A check is a group, as is whatever else the rules show as one;
// its kind says what the rules call it. What happens inside a group is written at once, so
// before it, with a depth. Each die of a group says what it was thrown for, which trait it
// stands for and whose that is, where the rules say so, and who threw it. Exact chances
// stand as "exact" beside their decimal "p" only where they are exact; with a remainder
// each p is too small by that at most.
//
// Version 1 had a "v" in each object instead of a first record, texts for most values, and
// the kind of a group as its event. setpiece does not write it any more. Logs and journals
// do not hold records: those that were written beside version 1 are read as before.
package transcript

import "setpiece/interp"

// Writer is told everything that happens.
type Writer interface {
	// Event takes the next event. It has the shape of interp.Config.Events.
	Event(*interp.Event)
	// Flush says that a run, or the evaluation of one entry at the prompt, is
	// over. It returns the first error of writing.
	Flush() error
}

// Palette colours what Text writes. A nil function leaves its text as it is,
// so the zero Palette is plain.
type Palette struct {
	Title func(string) string // a scene's heading, a check's heading
	Value func(string) string // a value, a die that counts
	Good  func(string) string // an outcome by a margin of zero or more
	Bad   func(string) string // an outcome short of it, a fault
	Warn  func(string) string // a warning
	Faint func(string) string // a rule's id, a die that does not count
}
