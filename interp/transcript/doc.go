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
// statement stands, whose fields mean the same. When a group closes, only what is new
// follows.
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
// # JSON, version 1
//
// Every object begins with "v":1 and "event". A value is a JSON number where it
// is a whole number or a decimal, else text. What happens inside a check
// is written at once, so before it, with "depth" saying how many groups are open.
//
//	check     who verb dice[{size,face,kept,for}] parts[{value,label,note,rule}]
//	          total against outcome margin fields{…} rule; the same for
//	          whatever else the rules show as a group, under its own name
//	question  who name prompt options[{value,cost,left}] default open[…] rule:
//	          somebody has to decide; open holds what has happened in the checks
//	          that have not ended, each with "open":true, and with "so_far":true
//	          where its outcome is how it stands
//	throw     who sizes for open[…]: somebody has to throw dice
//	turn      who on[text] default done[text] refused open[…]: somebody has to say
//	          what they do; default is what their tactics would, done what they did
//	          in this turn so far, refused why their last command was taken back
//	again     an answer was taken back: what was written since the script, or the
//	          entry at the prompt, began does not hold; what does is written again
//	void      a command was refused: the objects with a depth since the last one
//	          without have not happened
//	change    who field from to rule
//	decision  who name prompt options answer by rule
//	command   who text by; what somebody does in their turn, where a person, the
//	          script or a log says it
//	note warn fault print          text rule
//	expect    text file line, of an expectation that was not met
//	report    name value
//	value     value
//	module    name title rules verbs options
//	span      name text end
//	error     kind file line column message help; kind is "script" for one that
//	          was wrong before it ran, else refused, expect, limit, dice,
//	          cancelled or failed
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

func paint(f func(string) string, s string) string {
	if f == nil || s == "" {
		return s
	}
	return f(s)
}
