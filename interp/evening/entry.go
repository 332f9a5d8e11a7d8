package evening

import (
	"errors"
	"slices"
	"strings"

	"setpiece/interp"
)

// Entry is a further record of a journal. One of its fields is set, and Name
// and Input go together. A new kind of entry, or of answer, is a new field: a
// program that does not know it takes the session up as far as it stands before
// that record, and says so.
type Entry struct {
	// Input is a text that was accepted and is now evaluated. Name is that of
	// the file it was loaded from, Page the note that it is an excerpt of.
	Input string `json:"input,omitempty"`
	Name  string `json:"name,omitempty"`
	Page  string `json:"page,omitempty"`
	// File is a file that the last Input includes, as it was then. A file that is
	// read again without a change has no second record.
	File *File `json:"file,omitempty"`
	// Answer is what was answered while the last Input was evaluated, one after the other: by a
	// person, or by default where somebody was handed over at the question.
	interp.Answer
	// With says that it was given in one form with the answer before it.
	With bool `json:"with,omitempty"`
	// Typed says of what is said again, behind something that came before it later, how many things had been said
	// during the Input when it was said first. Of any other it is known by where it stands.
	Typed int `json:"typed,omitempty"`
	// Asks says of what was done by hand which decision was open then, and of whom: it is asked again.
	Asks string `json:"asks,omitempty"`
	// Back says that so many of them, the last ones, were taken back.
	Back int `json:"back,omitempty"`
	// Done ends the last Input: it changed the session. Nothing: it did not, since
	// it failed or only asked for a value.
	Done    *Fell `json:"done,omitempty"`
	Nothing bool  `json:"nothing,omitempty"`
	// Dropped ends the last Input as Nothing does, and Redo takes it up again with its answers:
	// the person dropped it at a question, or it failed, and then is without the last Back answers.
	Dropped bool `json:"dropped,omitempty"`

	Undo int     `json:"undo,omitempty"` // so many steps were undone
	Redo int     `json:"redo,omitempty"`
	Seed *uint64 `json:"seed,omitempty"` // a new seed, which is a step
	Ask  *bool   `json:"ask,omitempty"`  // from now on dice are asked of the person, or not
	Hand *Hand   `json:"hand,omitempty"` // somebody is handed over: during an Input like an answer, else as a step
	// Dice says, during an Input and like an answer, whether dice are asked of the person from
	// there on, as Ask does between two of them.
	Dice *bool `json:"dice,omitempty"`

	// Go says, during an Input and like an answer, that it went on behind a pause.
	Go bool `json:"go,omitempty"`

	// Late is a declaration that was made during an Input, like an answer.
	Late *Late `json:"late,omitempty"`

	// WhatIf begins to try another course out. What is answered until Drop or Keep ends it
	// belongs to it. Nothing else is written meanwhile but another WhatIf, or that the person
	// left. Drop ends so many of them, the last ones, Keep all.
	WhatIf *Change `json:"what_if,omitempty"`
	Drop   int     `json:"drop,omitempty"`
	Keep   *Course `json:"keep,omitempty"`

	End bool `json:"end,omitempty"` // the person left

	// To is what it was an answer to, known until the evening is left.
	To Answered `json:"-"`
}

// Hand says who gives somebody's commands: the person, or tactics.
type Hand struct {
	Who   string `json:"who"`
	Asked bool   `json:"asked"`
}

// String names it by the command that does it: ask, auto, dice, or, where Who is an answer said in advance, ahead.
func (h Hand) String() string {
	about, dice := strings.CutPrefix(h.Who, "dice ")
	switch {
	case dice && h.Asked:
		return "dice ask " + about
	case dice:
		return "dice roll " + about
	case strings.Contains(h.Who, ":"):
		return "ahead " + h.Who
	case h.Asked:
		return "ask " + h.Who
	}
	return "auto " + h.Who
}

// Late is a declaration that the host makes at a question. It is put before the statement that asks,
// and the Input begins again with the answers so far.
type Late struct {
	Text string `json:"text"`
	At   int    `json:"at"` // where that statement begins in the text of the Input as it is then
}

// Change is what WhatIf tries: a line in the place of one that was.
type Change struct {
	Back   int    `json:"back"`             // 1: the last entry, or the last answer of an Input
	Answer int    `json:"answer,omitempty"` // of the answers of that entry, counted likewise; 0: the entry itself
	Line   string `json:"line"`
}

// Course is a course that was tried out and takes the place of what was: of the last Back
// steps, or, during an Input, of its answers so far. It needs nothing of what was tried.
type Course struct {
	Line  string  `json:"line"` // that differs, for whoever reads
	Back  int     `json:"back,omitempty"`
	Steps []Again `json:"steps"` // one alone during an Input
	// Old are the answers that it takes the place of. They stand in the journal before it.
	Old []Entry `json:"-"`
}

// Again is a step with all that makes it happen the same again.
type Again struct {
	Input string  `json:"input,omitempty"` // as in Entry
	Name  string  `json:"name,omitempty"`
	Page  string  `json:"page,omitempty"`
	Seed  *uint64 `json:"seed,omitempty"`
	Hand  *Hand   `json:"hand,omitempty"`
	Said  []Entry `json:"said,omitempty"` // the answers of the person, but for dice
	Fell  Fell    `json:"fell"`
	Left  []int   `json:"left,omitempty"`  // faces given from outside that had not fallen after it
	Next  uint64  `json:"next,omitempty"`  // seeds the generator behind it
	First bool    `json:"first,omitempty"` // it begins the course: dice that waited have fallen in it
	picks []int   // what a die had picked, in a journal of before
}

// Fell is all that chance and choice answered during an Input.
type Fell struct {
	Record interp.Record `json:"record,omitempty"`
	// Systems are those in use at its end, where there are others than before.
	Systems []System `json:"systems,omitempty"`
}

// File is a text that an entry included, by its name.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Page string `json:"page,omitempty"` // that the text is an excerpt of
}

// Fits says what is wrong with the numbers of an entry.
func (e Entry) Fits() error {
	if slices.Min([]int{e.Back, e.Undo, e.Redo, e.Drop}) < 0 {
		return errors.New("it takes back or gives again fewer than none")
	}
	if e.Keep != nil && e.Keep.Back < 0 {
		return errors.New("the course that it keeps takes the place of fewer than none")
	}
	return nil
}
