package evening

import (
	"errors"
	"fmt"

	"setpiece/interp"
)

// A Notice is something that happens to the evening itself, besides the events of its scripts. The
// Host puts it into words.
type Notice interface{ notice() }

// What a Host is told.
type (
	// Unsaved says that the Store failed. Nothing else does: the entry counts, and waits there.
	Unsaved struct{ Err error }
	// Saved says that everything is stored again.
	Saved struct{}

	// Undone and Redone tell of a step. Bytes are those that its values took where that is so much
	// that they are given back, and it cannot be redone.
	Undone struct {
		Step  Step
		Bytes int64
	}
	Redone struct{ Step Step }
	// GoesOn says that Redo takes up an entry that had stopped, behind so many answers.
	GoesOn struct {
		Step    Step
		Answers int
	}
	// Stopped says that an entry has stopped and changed nothing.
	Stopped struct{ Step Step }

	// TakenBack says that the entry begins again without the last things that were said, Answers of
	// them answers. Said are those that are known in words: none where one did not fit its question.
	TakenBack struct {
		Things, Answers int
		Said            []Saying
	}
	// Misfit says that the answers that were stored do not fit the questions from here on, as the
	// rules have changed since. What is stored is still as it was.
	Misfit struct{}

	// NotTried says why another course could not be tried: ErrDropped, a *Gone, an error of it.
	// Asked says that this was at a question.
	NotTried struct {
		Err   error
		Asked bool
	}
	// Kept says that a course that was tried has taken the place of what was; Again that it does so
	// again, since GiveAgain says so.
	Kept struct {
		Line  string
		Again bool
	}
)

// Saying is something that the host said: an answer, with its words, or who was handed over, or
// that a course was kept.
type Saying struct {
	Entry  Entry
	Answer string
}

func (Unsaved) notice()   {}
func (Saved) notice()     {}
func (Undone) notice()    {}
func (Redone) notice()    {}
func (GoesOn) notice()    {}
func (Stopped) notice()   {}
func (TakenBack) notice() {}
func (Misfit) notice()    {}
func (NotTried) notice()  {}
func (Kept) notice()      {}
func (*Courses) notice()  {}

// Told is something that happened, or a notice of what has become of it since.
type Told struct {
	Event  *interp.Event
	Notice Notice
}

// Errors that Host.Ask returns or that end an entry.
var (
	// ErrMoved is what TakeBack, GiveAgain, WhatIf, Keep, Drop, Hand and Dice return during Host.Ask
	// when the question is no longer the one that is asked. Ask then returns it, too.
	ErrMoved = errors.New("the evening has moved on from this question")
	// ErrLeft is what Host.Ask returns to leave with the question open. What asked ends with it, and
	// Resume comes back to the question.
	ErrLeft = errors.New("the question is left open")
	// ErrDropped says that a course was dropped before it was tried to its end.
	ErrDropped = errors.New("the course was dropped")
)

// Failed is the error of an entry that stopped and changed nothing.
type Failed struct {
	Err error
	// Redo says where Redo comes back to.
	Redo Back
}

func (f *Failed) Error() string { return f.Err.Error() }

// Unwrap gives what stopped it.
func (f *Failed) Unwrap() error { return f.Err }

// Back is where an entry that stopped can be taken up.
type Back int

// Where that is.
const (
	Nowhere    Back = iota // nobody had answered anything
	ToQuestion             // the question at which it stopped
	ToAnswer               // the last question that was answered
	Behind                 // a question that it no longer came to, as the rules have changed
)

// Gone says that an entry does not run again as it ran, so nothing can be compared with it.
type Gone struct{ Step *Step }

func (*Gone) Error() string {
	return "this entry cannot be run again as it was, so nothing can be compared with it"
}

// Refused says why nothing was done. Nothing has changed.
type Refused struct {
	Why   Why
	Have  int   // so many entries or answers there are
	Asked int   // and this one was asked for
	Step  *Step // that it is about
	Reply *Reply
	Err   error // what is wrong with a line
}

// Why is what stands in the way, in words that a face may better.
type Why string

// What stands in the way.
const (
	NothingOpen   Why = "no question is open"
	NoMoment      Why = "this has to come before a command, and none was there yet: answer, and type it at the next question"
	Included      Why = "the statement that asks is in a file that the script includes: declare them there"
	NothingToUndo Why = "there is nothing to undo"
	NothingToRedo Why = "there is nothing to redo"
	NoAnswer      Why = "no question was answered yet" // that could be taken back or changed
	NoneTakenBack Why = "no answer was taken back, or you have given another since"
	NoEntry       Why = "there is nothing to change: no entry has changed anything yet"
	TooFar        Why = "there are only so many" // Have, and not Asked
	NoSuchAnswer  Why = "there are not so many answers in that entry"
	NotAnAnswer   Why = "that is no answer to" // Reply: see Err
	SameAnswer    Why = "that is what was answered"
	SameLine      Why = "that is the line as it was"
	NoCourse      Why = "no other course is open"
	CourseOpen    Why = "another course is open: keep it or drop it"
	QuestionOpen  Why = "this cannot be done while a question is open"
	InCourse      Why = "this cannot be done in a course that is only tried out: answer, or drop it"
)

func (r *Refused) Error() string {
	switch r.Why {
	case TooFar, NoSuchAnswer:
		return fmt.Sprintf("%s: %d, not %d", r.Why, r.Have, r.Asked)
	case NotAnAnswer:
		return r.Reply.Title + "   " + r.Err.Error()
	case SameAnswer:
		return fmt.Sprintf("%s   %s: %s", r.Reply.Title, r.Why, r.Reply.Answer)
	}
	return string(r.Why)
}

// Retold says that what was told of the entry that goes on does not hold: it is told anew, see Config.Retell.
type Retold struct{}

func (Retold) notice() {}
