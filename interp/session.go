package interp

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"setpiece/interp/internal/core"
	"setpiece/lang"
)

// Config says who answers and within which limits. The zero value is usable:
// seed 0, unattended, the default limits, no modules.
type Config struct {
	Modules fs.FS             // the systems that are built in, NAME/NAME.rules and BASE/VARIANT.rules
	Folder  fs.FS             // the script's own folder, for include and use; nil for none
	Systems []Place           // where use looks for systems behind Folder and before Modules
	Prompt  bool              // lines are typed at a prompt: the last value shown is the variable _
	Seed    uint64            // of the generator
	Dice    []int             // faces that fall first, in order
	Chance  Chance            // who throws when Dice is used up; nil: the seeded generator
	Choice  Choice            // who decides what no clause and no tactics decide; nil: the defaults
	Player  Player            // who says what those do who have no tactics; nil: tactics act for everybody
	Auto    []string          // who acts and decides by tactics though there is a Player: see Session.Hand
	Ask     []string          // who is asked though they have tactics
	Options map[string]string // options set from outside, as by --set
	Events  func(*Event)      // called with everything that happens, in order; nil: nobody listens and tracing costs nothing
	Limits  Limits

	// Standings has events say how everybody stands: Event.Moved and Event.Standings.
	Standings bool

	// Versions says which version of a system is taken where a script names none and that one is
	// there: those of Session.InUse, to run a script as it ran then.
	Versions map[string]string

	// Program is the version of the program, for systems that need one. Without it none is too old.
	Program string

	Quiet Quiet // which decisions Choice is asked, where Auto and Ask do not say it
	Ahead bool  // while it is quiet, questions say what would be asked next: Question.Ahead

	// Statement is called before each statement at the top of a script, but for those that
	// only declare, with its place. It may be nil.
	Statement func(lang.Span) error
}

// Limits bound what a script may use. A zero field means the default.
// What is bounded by Steps and Dice is what is executed: trials and odds go by what is remembered of
// others (packages sim and odds), and that counts for none of these.
type Limits struct {
	Steps  int64         // instructions, all told, per Exec
	Depth  int           // calls inside calls
	Size   int           // elements of a list or a pool, characters of a text
	Dice   int64         // dice thrown per Exec
	Output int           // bytes of text printed or noted per Exec
	Time   time.Duration // per Exec
	Source int           // bytes of a text and of what it includes, together, but for Systems and Modules
	Memory int64         // bytes of lists, texts and the like made per Exec; for odds, of all that is kept
}

// Request is a die or dice that have to fall.
type Request struct {
	Sizes []int  // one size per die
	For   string // what they are for, as the rules say it
	Who   string // who throws, if that is known
	Place string // see Question.Place

	// Asked says whether whoever throws still throws their own dice.
	Asked func() bool

	// Open is what has led here and is not sent yet: see Question. It is nil where
	// nobody listens to Events.
	Open []*Event
}

// ErrRoll is what Chance returns when the built-in generator throws, this time.
var ErrRoll = errors.New("the generator throws")

// ErrRunning is what a Session gives that is asked to run or to calculate a script while it runs one:
// in an Event, at a Question or in a Turn. What answers are worth there, their Advise says.
var ErrRunning = errors.New("the session is running a script: take another session for this one")

// ErrRunSince is what Prepared.Run gives once its session has run another text.
var ErrRunSince = errors.New("the session has run something since: prepare the text again")

// Chance answers for dice. The faces are returned in the order of Sizes. An
// error stops the run, but for ErrRoll; the state is then as before the command.
type Chance interface {
	Throw(ctx context.Context, r Request) ([]int, error)
}

// Question is a decision to be made.
type Question struct {
	Name     string // of the decision, as declared
	Who      string
	Prompt   string
	Options  []string // at least two; of an offer: "no", "yes"
	Data     []Value  // the same as values
	Notes    []string // what is said of each of them; nil: nothing
	Cost     string   // of a yes, or of an answer that is not the default: "1 luck", or ""
	Left     string   // what is left of it when it is paid
	LeftData Value    // the same as a value
	Default  int      // index into Options
	Must     bool     // the rules have no default, so a person has to say it

	// Open is what has led here and has not been sent as an Event yet: events that
	// may still be taken back, then the groups that are open, outermost first. It
	// holds until the answer is given, and is nil where nobody listens to Events.
	Open []*Event

	// Place is the same where the same question comes again in a run that is repeated, and
	// nowhere else in it.
	Place string

	Manner Manner

	// Ahead are the questions that come next to the same person if this one and each of them
	// takes its default, until dice fall, somebody else is asked or the command ends. They can
	// be put together with this one, and answered by their Place when they come; an answer
	// that is not the default may bring others instead. It is nil without Config.Ahead.
	Ahead []Question
	row   int // of one of Ahead: its place there, from 1

	// Asked says whether whoever decides is still asked, and not handed to their tactics.
	Asked func() bool

	// Session asks. While it does it stands still, and packages advice and assist tell of the question.
	Session *Session
}

// Choice answers a Question with an index into its Options.
type Choice interface {
	Choose(ctx context.Context, q Question) (int, error)
}

// Session is a world that scripts change: modules in use, sheets, state. It is
// not safe for use by several goroutines at once.
type Session struct {
	run     *core.Run
	cfg     Config
	own     Chance // who throws for those who have dice of their own
	tell    *eventSink
	named   bool    // all those of Config.Auto and Config.Ask are there
	turns   []turn  // that are being taken, the outermost first
	course  *Course // that goes along; nil for none
	places  *Course // counts the places of a run where no course does
	repeats bool    // the turn that is asked for next is the same once more
	hands   byHand
	running bool // in Exec
	runs    int  // how many texts Exec has begun
	failed  *Snapshot
	last    bool // the last command of a script is at work
}

// Apart has f ask something of the session that cannot be asked while a script runs, as odds: what
// runs stands still meanwhile, and goes on as if nothing had been. f finds everything as it is at the
// question, between two texts.
func (s *Session) Apart(f func()) {
	if !s.running {
		f()
		return
	}
	m := s.run.M
	run, session, kept := *s.run, *s, m.Kept()
	was := m.Suspend()
	m.Leave()
	m.Store = m.Store[:kept]
	s.running, s.course, s.turns = false, nil, nil
	f()
	*s.run, *s = run, session
	m.Resume(was)
}

// RunError is a script that failed while it ran: a refused command, an expect
// that did not hold, a limit reached, an impossible die. The command that
// failed has changed nothing.
type RunError struct {
	Diag  *lang.Diagnostic
	Kind  ErrorKind
	Rule  string  // of the book, the full id of the innermost rule at work, or ""
	Stack []Frame // innermost first
	Bound string  // of a Limit: the name of the field of Limits, in lower case
	Over  Over    // of odds that were given up: what there was too much of
	cause error   // what ended the run from outside: the error of a context, of a Chance …
}

// Over is what odds had too much of, "" where it is no such error.
type Over string

const (
	OverStates Over = "states"
	OverMemory Over = "memory"
	OverTime   Over = "time"
)

// OverOf gives what odds had too much of, "" where that is not what went wrong.
func OverOf(err error) Over {
	var re *RunError
	if errors.As(err, &re) {
		return re.Over
	}
	return ""
}

// ErrorKind tells RunErrors apart.
type ErrorKind int

const (
	Refused   ErrorKind = iota // a rule said no
	Expected                   // an expect did not hold
	Limit                      // a bound was reached
	BadDie                     // a given die cannot fall, or given dice are left over
	Cancelled                  // the context ended
	Failed                     // a value did not fit: a bug in the script
)

// Frame is one call on the script's stack.
type Frame struct {
	Name string
	At   lang.Span
}
