package interp

import (
	"setpiece/interp/internal/core"
)

// Snapshot is a session at one moment.
type Snapshot struct{ at *core.Snapshot }

// Snapshot notes everything a session is: what was declared, its state, the
// generator and what was given ahead.
func (s *Session) Snapshot() *Snapshot { return &Snapshot{s.run.Keep()} }

// Restore puts the session back to a moment. The memory that values took which
// were made since is given back, unless a later Snapshot is still in use.
func (s *Session) Restore(p *Snapshot) {
	s.run.Back(p.at)
	s.seeds()
}

// Failed gives, once, how it stood where the statement failed that ended the last Exec; nil where none did, or nobody is a Holder.
func (s *Session) Failed() (at *Snapshot) {
	at, s.failed = s.failed, nil
	return at
}

// Bytes is how much memory the values of the session took at that moment, roughly.
func (p *Snapshot) Bytes() int64 { return p.at.Used }

// GivenDice is that of the session at that moment.
func (p *Snapshot) GivenDice() (script, outside []int) {
	return p.at.Own.FacesAhead(), core.FacesOf(p.at.Faces)
}

// Compact gives the memory back of values that were made and are not needed any more, if
// they may take much. It is for those who run many texts in one session, between two of
// them: then the state and the snapshots hold values, and what was declared, and nobody else.
func (s *Session) Compact() { s.run.Compact() }

// Core gives packages of this module what a session is beneath.
func (s *Session) Core(to **core.Run) { *to = s.run }

// Running says whether the session runs a script: see ErrRunning.
func (s *Session) Running() bool { return s.running }
