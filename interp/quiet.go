package interp

import (
	"maps"
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Rules ask about everything that a book leaves to somebody. A table does not: nobody says aloud
// that they take the usual dice. So a decision has a manner, and Config.Quiet says from which
// manner on people are asked. What they are not asked takes its default, as in a run without
// people, and the event of it says ByUsual. Nothing else differs: a clause, an answers statement
// and tactics come first, and a record of the answers replays without knowing any of this.

// Manner says how a decision is put to people. A module says it in a line "decision NAME … offers";
// where it does not, what a die decides asks, what costs something offers, and the rest is usual.
type Manner string

const (
	Asks   Manner = "asks"   // only a person can know
	Offers Manner = "offers" // another answer than the default spends or gains something
	Usual  Manner = "usual"  // the default is what nobody at a table says aloud
)

// Quiet says which decisions people are asked.
type Quiet string

const (
	QuietOff   Quiet = ""      // all
	QuietUsual Quiet = "usual" // what asks and what offers; of the game master's side only what asks the game master
	QuietMust  Quiet = "must"  // what asks
)

// SetQuiet says how quiet it is from now on. What Hand and HandDecision said of somebody or of a
// decision stays.
func (s *Session) SetQuiet(q Quiet) { s.run.Quiet = string(q) }

// Quiet says how quiet it is.
func (s *Session) Quiet() Quiet { return Quiet(s.run.Quiet) }

// HandDecision has a decision of that name asked, or take its default, from now on, however quiet
// it is: when who has to make it, a word as Hand takes it; "" for everybody.
func (s *Session) HandDecision(decision, who string, asked bool) error {
	if !s.run.World.DecisionNames()[decision] {
		d := &lang.Diagnostic{Message: "there is no decision " + decision}
		if near, ok := lang.Nearest(decision, s.DecisionWords()); ok {
			d.Help = "did you mean " + near + "?"
		}
		return lang.Diagnostics{d}
	}
	if who == "" {
		who = Everyone
	}
	if err := s.covers(who); err != nil {
		return err
	}
	s.run.Hands = append(slices.Clip(s.run.Hands), core.Hand{Who: who, Decision: decision, Asked: asked})
	return nil
}

// DecisionWords lists the decisions that HandDecision takes, in order.
func (s *Session) DecisionWords() []string {
	return slices.Sorted(maps.Keys(s.run.World.DecisionNames()))
}

// mannerOf says how a decision is put to people.
func (s *Session) mannerOf(info *code.AskInfo) Manner {
	if d := s.run.World.Decided[info.Name]; d != nil && d.Manner != nil {
		return Manner(d.Manner.Name)
	}
	switch {
	case info.Random:
		return Asks
	case info.Cost != "":
		return Offers
	}
	return Usual
}

// heard says whether a decision of this manner is put to people.
func (m Manner) heard(q Quiet) bool {
	switch q {
	case QuietUsual:
		return m != Usual
	case QuietMust:
		return m == Asks
	}
	return true
}

// put says whether a decision is put to whoever has to make it.
func (s *Session) put(q *machine.Question) bool {
	manner := s.mannerOf(q.Info)
	for i := len(s.run.Hands) - 1; i >= 0; i-- {
		h := s.run.Hands[i]
		switch {
		case h.Decision != "" && h.Decision != q.Info.Name || !s.meant(h.Who, q.Who):
		case h.Decision == "" && h.Asked: // somebody plays them, whichever side they are on
			return manner.heard(s.Quiet())
		default:
			return h.Asked
		}
	}
	switch side := s.sideOf(q.Who); {
	case s.Quiet() == QuietOff || side == byPlayers:
		return manner.heard(s.Quiet())
	case side == byMaster:
		return manner == Asks
	}
	return false
}

// side says who plays somebody where nobody said it.
type side int

const (
	byPlayers   side = iota
	byMaster         // the game master, whom the rules declare
	byOpponents      // whom the game master plays
)

// sideOf goes by the sheets of players; a system that has none is played by players alone.
func (s *Session) sideOf(who value.V) side {
	if who.Kind() != value.Ref {
		return byMaster
	}
	e := s.run.World.ByOff[who.Off()]
	for e != nil && e.Owner != nil {
		e = e.Owner
	}
	switch {
	case e == nil || !e.Script:
		return byMaster
	case e.Sheet.Players:
		return byPlayers
	}
	for _, sh := range s.run.World.Sheets {
		if sh.Players {
			return byOpponents
		}
	}
	return byPlayers
}

// silences says whether a person decides in the place of somebody's tactics: it was said that
// they are asked.
func (s *Session) silences(who value.V, decision string) bool {
	if s.cfg.Choice == nil || len(s.run.Hands) == 0 {
		return false
	}
	m := s.run.M // which is at work
	s.run.M = m.Copy()
	defer func() { s.run.M = m }()
	for i := len(s.run.Hands) - 1; i >= 0; i-- {
		if h := s.run.Hands[i]; (h.Decision == "" || h.Decision == decision) && s.meant(h.Who, who) {
			return h.Asked
		}
	}
	return false
}

// ahead gives the questions that whoever is asked would be asked next if every answer is the
// default: until a die falls, somebody else is asked, or the command ends. A copy of the run goes
// there, and nothing of it stays.
func (s *Session) ahead(q *machine.Question) (list []Question) {
	who, mark := q.Who, s.along().mark()
	s.run.Aside(func(m *machine.Machine) {
		m.Attended, m.Seeded = true, false
		for next := q; ; {
			m.GiveAnswer(next.Default, ByDefault)
			if s.untilAsked(m) != machine.NeedChoice || len(list) == mostAhead {
				return
			}
			next = m.Asked()
			switch {
			case s.handedOver(next.Who) || !s.put(next):
				continue
			case next.Who != who:
				return
			}
			list = append(list, s.placed(next))
		}
	})
	s.along().rewind(mark)
	return list
}

// mostAhead is how many questions are looked ahead for.
const mostAhead = 50

// untilAsked runs on for as long as the machine only computes.
func (s *Session) untilAsked(m *machine.Machine) machine.Status {
	for end := m.Steps + core.Slice; ; {
		m.MaxSteps = min(m.Steps+core.LooksAfter, m.StepLimit)
		if st := m.Run(); st != machine.Yield || m.Steps >= end || m.Steps >= m.StepLimit {
			return st
		}
	}
}
