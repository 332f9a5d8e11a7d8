package interp

import (
	"time"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
)

// Between what a script does are moments at which a game master can do something by hand, as by a command that
// nobody acts in: before each command of the script, where a span begins or ends, and where somebody's turn is asked
// for. They are counted in each Exec, so that the same is done again at the same moment.

// Holder is a Player who may do something by hand, whoever has the turn.
type Holder interface {
	// Hold gives what is done by hand at the n-th moment, "" for nothing. It is asked again behind that, as
	// for the moment after it. Place is where the moment is: see Turn.Place.
	Hold(n int, place func() string) string
	// NotHeld is told why that was refused. Its error ends the run.
	NotHeld(why error) error
	// Insists says whether somebody is asked for a decision though that is usual by now: it was open when something was done by hand.
	Insists(decision, who string) bool
	// MayPause says whether PauseHere is to be called, where nothing is done by hand and something begins which may take
	// somebody's turn, or throw dice. The error of PauseHere ends the run.
	MayPause() bool
	PauseHere() error
}

// holds says whether somebody may do something by hand.
func (s *Session) holds() bool {
	_, ok := s.cfg.Player.(Holder)
	return ok
}

// byHand is what a session knows of the moment that was last, and of what is done by hand there.
type byHand struct {
	middle bool  // it is in the middle of something
	thrown int64 // so many dice had fallen before it
	text   string
	before *fortune // to go back to
	by     By
	pauses bool // nothing is done by hand there, but PauseHere is called
}

// beginMoment counts a moment.
func (s *Session) beginMoment(middle bool) {
	s.run.M.Moment++
	s.hands.middle = middle
	s.hands.thrown = s.run.M.Thrown
}

// comesByHand begins a moment of the script, and says whether something is done by hand there, was refused, or waits.
func (s *Session) comesByHand(kind int) bool {
	s.beginMoment(kind == code.InTheMiddle)
	return s.run.M.Refused() != nil || s.dueByHand(value.None, kind == 0)
}

// dueByHand finds out what is done by hand at this moment, in somebody's turn perhaps; begins says that something does.
func (s *Session) dueByHand(who value.V, begins bool) bool {
	m, x := s.run.M, &s.hands
	if x.text, x.pauses = "", false; len(m.Savepoints) > 0 {
		return false
	}
	if own := m.Own.Commands; len(own) > 0 && own[0].N == m.Moment {
		x.text, x.by, m.Own.Commands = own[0].Text, ByScript, own[1:]
	} else if len(m.Commands) > 0 && m.Commands[0].At == m.Moment {
		x.text, x.by, m.Commands = m.Commands[0].Text, m.Commands[0].By, m.Commands[1:]
	} else if h, ok := s.cfg.Player.(Holder); ok {
		name := ""
		if who.Kind() == value.Ref {
			name = m.NameOf(who)
		}
		x.text, x.by = h.Hold(m.Moment, func() string { return s.along().place(m, "by hand", name) }), ByPerson
		x.pauses = x.text == "" && begins && h.MayPause()
	}
	return x.text != "" || x.pauses
}

// pause calls PauseHere.
func (s *Session) pause() error {
	s.hands.pauses = false
	defer s.thinking(time.Now())
	return s.cfg.Player.(Holder).PauseHere()
}

// nextByHand gives what is done by hand where somebody's turn is asked for.
func (s *Session) nextByHand(who value.V) (text string, by By, ok bool, err error) {
	ok = s.dueByHand(who, true)
	if s.hands.pauses {
		ok, err = false, s.pause()
	}
	return s.hands.text, s.hands.by, ok, err
}

// hand answers NeedHand.
func (s *Session) hand() error {
	m, x := s.run.M, &s.hands
	if x.pauses {
		if err := s.pause(); err != nil {
			return err
		}
		m.ByTactics() // it goes on behind the moment
		return nil
	}
	if e := m.Refused(); e != nil {
		s.rewind(x.before)
		return s.notByHand(s.runError(e))
	}
	x.before = s.fortune()
	m.Note(machine.Answer{Kind: machine.Commanded, Text: x.text, By: x.by, At: m.Moment, Own: x.by == ByScript})
	fn, _, err := s.compileCommand(x.text, -1)
	if err == nil {
		err = m.Command(fn)
	}
	if err != nil {
		s.rewind(x.before)
		return s.notByHand(err)
	}
	return nil
}

// notByHand tells that what was to be done by hand is refused.
func (s *Session) notByHand(why error) error {
	if h, ok := s.cfg.Player.(Holder); ok {
		return h.NotHeld(why)
	}
	return why
}

// Thrown is how many dice have fallen in the entry that is at work.
func (s *Session) Thrown() int64 { return s.run.M.Thrown }

// Commanded says whether a command is being done that can still be refused.
func (s *Session) Commanded() bool { return len(s.run.M.Savepoints) > 0 }

// Begun says whether something is going on that was begun before the last moment at which something could be done by
// hand, or in which dice have fallen since.
func (s *Session) Begun() bool { return s.hands.middle || s.run.M.Thrown > s.hands.thrown }
