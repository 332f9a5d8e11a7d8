// Package evening is a session at the table with its past: what was entered and answered, taken
// back, tried another way, kept and taken up again. It knows no terminal, no files and no pages.
//
// What is entered is all or nothing: an entry that fails leaves the session as it was. Each that
// changed something is a step that can be undone. Everything is appended to a [Store] before it
// counts, and [Resume] makes the same evening of what is stored there, with the same dice, at the
// same question.
//
// An evening belongs to one goroutine. While it asks, [Host.Ask] runs on that goroutine, and may
// call what changes the course of the evening: TakeBack, GiveAgain, WhatIf, Keep, Drop, Hand, Dice, Declare.
// Where these return [ErrMoved] Ask returns it, too, and the evening comes to the question that is
// then open. Returned [ErrLeft] leaves it: the question is data, and whoever resumes the evening
// is asked it again, by the same ID.
package evening

import (
	"context"
	"slices"
	"strconv"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
)

// Store keeps each entry before it is used. An error does not stop the evening: the entry waits in
// the store, and goes before the next one.
type Store interface {
	Append(Entry) error
}

// Memory is a Store that only holds its entries: as JSON they are the evening in bytes.
type Memory []Entry

// Append implements Store.
func (m *Memory) Append(e Entry) error {
	*m = append(*m, e)
	return nil
}

// Host is whoever sits at the table.
type Host interface {
	// Ask gives the answer to a question; another course that is open is dropped by it. An error
	// ends what asks; see ErrMoved and ErrLeft.
	Ask(ctx context.Context, q *Query) (interp.Answer, error)
	// Event is told of everything that happens, as interp.Config.Events is. Again says that it was
	// told before: the evening comes back to where it stood.
	Event(e *interp.Event, again bool)
	// Tell is told what happens to the evening.
	Tell(Notice)
	// Settle is called when an entry has run, before it counts. An error of it fails the entry.
	Settle() error
}

// Config is what an evening is begun with. To resume one, begin with the same.
type Config struct {
	Session interp.Config // its Events, Chance, Choice and Player are the evening's
	Store   Store         // nil: nothing is kept
	Host    Host
	Dice    bool // the host is asked for dice
	Unasked bool // the host is not asked for decisions: they take their defaults
	Forms   bool // questions have Query.Also
	Auto    bool // the host is not asked for commands: tactics act for everybody
	// Pauses are where the host is asked by a Query of the kind Pause; whatever they answer, it goes on.
	Pauses []string

	// Retell has what leads to a question told as new when answers were taken back, or a course was
	// kept, instead of again.
	Retell bool
	// Value gives an event of a value as it is shown and logged; nil: as it is.
	Value func(*interp.Event) *interp.Event
	// Run gives each run a context of its own, so that an interrupt can end another course that is
	// tried and not the entry; nil: that of the entry. The run's end calls done.
	Run func(context.Context) (run context.Context, done func())
}

// An Evening is a session with its past.
type Evening struct {
	cfg  Config
	host Host
	sess *interp.Session
	desk *desk

	folder   *folder           // what scripts include from; nil for nothing
	included map[string]string // the files that are stored, as they were last read
	noted    []string          // the systems in use that are stored
	stored   int               // entries that tell questions apart
	waits    bool              // the last entry could not be stored
	unsaved  bool              // that was told since the last line

	steps  []step // that can be undone, oldest first
	undone []step // that can be done again, the next one last

	looks   []step          // entries that only showed values, each going on with the last
	answers []string        // that decisions were given during this evaluation
	told    []uint64        // what happened during it, see fingerprint
	events  []*interp.Event // the same

	ctx     context.Context // of what goes on
	changed bool            // something happened during this evaluation but showing
	valued  bool            // a value was shown
	busy    bool            // an evaluation is going on: the session must be left alone
	paused  bool            // the host left a question

	story  []Told  // what happened
	silent silence // nothing is new for now

	trial *trial              // another course that is open
	tried int                 // how many were tried since none was, it among them
	loud  int                 // answers from before that are left when something is new again
	aside func(*interp.Event) // takes what happens while something is only tried; nil: nobody

	running *lang.Source // the text that runs
	at      lang.Span    // of the statement in it that is at work

	past *history // that Resume has read, if something in it is open, until Continue
}

// Begin begins an evening.
func Begin(cfg Config) *Evening {
	v := &Evening{cfg: cfg, host: cfg.Host, included: map[string]string{}, ctx: context.Background()}
	v.desk = &desk{evening: v, ask: cfg.Dice}
	s := &v.cfg.Session
	if s.Folder != nil {
		v.folder = &folder{under: s.Folder, read: v.keepFile}
		s.Folder = v.folder
	}
	s.Events, s.Prompt, s.Ahead = v.event, true, cfg.Forms
	v.watchStatements(s)
	if !cfg.Unasked {
		s.Choice = v.desk
	}
	if !cfg.Auto {
		s.Player = v.desk
	}
	v.sess = interp.NewSession(*s)
	v.sess.SetOwn(v.desk)
	v.useDice()
	return v
}

// Session is the session of the evening: to ask it for its state, for odds, for help. Whoever runs
// something in it puts it back as it was.
func (v *Evening) Session() *interp.Session { return v.sess }

// Open is the question that is open, nil while nobody is asked.
func (v *Evening) Open() *Query { return v.desk.open }

// Complete lists what may stand at byte at of a line that is being typed, as an answer or an entry,
// and where the word begins that it would replace.
func (v *Evening) Complete(line string, at int) (from int, list []assist.Completion) {
	if q := v.Open(); q != nil && q.Kind != Pause {
		return q.Complete(line, at)
	}
	return assist.Complete(v.sess, line, at)
}

// CompleteByHand is Complete for a line that is nobody's turn.
func (v *Evening) CompleteByHand(line string, at int) (from int, list []assist.Completion) {
	return assist.CompleteByHand(v.sess, line, at)
}

// Busy says that an entry is being evaluated: a question of it is open, or the evening is trying.
func (v *Evening) Busy() bool { return v.busy }

// AsksDice says whether the host is asked for dice from here on.
func (v *Evening) AsksDice() bool { return v.desk.ask }

// Story is what happened, the latest last. It goes back a few thousand events.
func (v *Evening) Story() []Told { return v.story }

func (v *Evening) event(x *interp.Event) {
	switch x.Kind {
	case interp.EventValue:
		v.valued = true
		if v.cfg.Value != nil {
			x = v.cfg.Value(x)
		}
	case interp.EventDecision:
		v.changed = true
		v.answered(x)
	case interp.EventPrint, interp.EventReport:
	case interp.EventSpan:
		v.changed = true
		d := v.desk
		if _, err := strconv.Atoi(x.Text); err != nil && x.Text != "" && !x.End && len(d.before)+len(d.again.said) == 0 {
			d.held = "" // what was to end is over
		}
		if _, err := strconv.Atoi(x.Text); err != nil && x.Text != "" && !x.End && v.aside == nil {
			d.pausesBefore(Scene)
		}
	default:
		v.changed = true
	}
	if v.aside != nil {
		v.aside(x)
		return
	}
	v.remember(x)
	v.host.Event(x, v.hush(x))
}

// isQuestion says whether an event tells that somebody is asked.
func isQuestion(e *interp.Event) bool {
	return e.Kind == interp.EventQuestion || e.Kind == interp.EventThrow || e.Kind == interp.EventTurn
}

// remember keeps an event for Story.
func (v *Evening) remember(e *interp.Event) {
	if e.Depth == 0 && !isQuestion(e) {
		v.told = append(v.told, fingerprint(e)...)
		v.events = append(v.events, e)
		v.log(Told{Event: e})
	}
}

// Happened is what happened in each of the entries in force, the groups as wholes.
func (v *Evening) Happened() (list [][]*interp.Event) {
	for _, s := range v.flat() {
		list = append(list, s.events)
	}
	return list
}

// maxStory is how many events Story has.
const maxStory = 5000

func (v *Evening) log(x Told) {
	if len(v.story) == maxStory {
		v.story = slices.Clone(v.story[maxStory/2:])
	}
	v.story = append(v.story, x)
}

// tell tells the host of a notice that stands in Story, too.
func (v *Evening) tell(n Notice) {
	v.host.Tell(n)
	v.log(Told{Notice: n})
}

// silence is why nothing is new.
type silence int

const (
	audible    silence = iota
	untilNew           // until the answers from before are used up
	untilAsked         // until the host is asked something
	untilOther         // until the course that was kept differs
)

// hush says whether an event was told before.
func (v *Evening) hush(e *interp.Event) bool {
	asked := isQuestion(e)
	// A question behind nothing but who decides is asked again; dice that were handed over fall before it.
	known := slices.ContainsFunc(v.desk.before, func(e Entry) bool { return !asked || e.Dice != nil || !e.turns() })
	switch {
	case asked && known:
		return true
	case v.silent == untilNew && !known, v.silent == untilAsked && asked, v.silent == untilOther && len(v.desk.before) <= v.loud:
		v.silent = audible
	}
	return v.silent != audible
}

// note stores an entry. The evening goes on if that fails, and says so once for each line.
func (v *Evening) note(e Entry) {
	if !e.End {
		v.stored++
		if q := v.desk.open; q != nil && (e.turns() || e.Drop > 0) {
			q.ID = v.stored // it stays open, and has this number when the evening is resumed
		}
	}
	if v.cfg.Store == nil {
		return
	}
	waited := v.waits
	e.To = Answered{}
	err := v.cfg.Store.Append(e)
	v.waits = err != nil
	switch {
	case err != nil && !v.unsaved:
		v.host.Tell(Unsaved{err})
		v.unsaved = true
	case err == nil && waited:
		v.host.Tell(Saved{})
		v.unsaved = false
	}
}

// keepFile stores a file that an entry includes.
func (v *Evening) keepFile(f File) {
	if had, ok := v.included[f.Name]; v.busy && (!ok || had != f.Text) {
		v.included[f.Name] = f.Text
		v.note(Entry{File: &f})
	}
}

// free says why nothing can be entered now; it begins a line between entries.
func (v *Evening) free() error {
	if v.busy || v.past != nil {
		return &Refused{Why: QuestionOpen}
	}
	v.unsaved = false
	return v.settled()
}

// settled says that another course is open, or being tried.
func (v *Evening) settled() error {
	switch {
	case v.desk.rerun != nil:
		return &Refused{Why: InCourse}
	case v.trial != nil:
		return &Refused{Why: CourseOpen}
	}
	return nil
}

// Leave stores that the host has left between two entries. It says whether anything was entered:
// if not, there is nothing to keep.
func (v *Evening) Leave() bool {
	if len(v.steps)+len(v.undone) == 0 {
		return false
	}
	v.note(Entry{End: true})
	return true
}
