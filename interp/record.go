package interp

import (
	"slices"

	"setpiece/interp/internal/machine"
)

// By says who answered where the rules asked.
type By = machine.Source

// Who answers. Faces are by the generator, a dice statement, Config.Dice or a Chance; decisions and
// commands by a person, the script, or tactics. A decision that nobody makes takes its default, or
// the generator picks: by handed if a person was asked first, who gave it to tactics, by usual if a
// person would have been asked but for Quiet. One that no person is ever asked is by nobody. What GiveDice, GiveAnswers and
// GiveCommands give is by the log. In a record of before, which
// did not say it, they are by the unknown.
const (
	BySeed    = machine.BySeed
	ByScript  = machine.ByScript
	ByGiven   = machine.ByGiven
	ByTable   = machine.ByTable
	ByPerson  = machine.ByPerson
	ByTactics = machine.ByTactics
	ByDefault = machine.ByDefault
	ByHanded  = machine.ByHanded
	ByUsual   = machine.ByUsual
	ByNobody  = machine.ByNobody
	ByLog     = machine.ByLog
	ByUnknown = machine.ByUnknown
)

// Answer is what was answered, and who said it. One of Faces, Option and Command is set; none where
// nobody decided and a die picks, which is an answer of its own.
type Answer struct {
	Faces   []int   `json:"faces,omitempty"`   // of dice that fell one after the other
	Option  *int    `json:"answer,omitempty"`  // of a decision, from 0
	Command *string `json:"command,omitempty"` // of a turn; "" where tactics acted
	By      By      `json:"by,omitempty"`
	Own     bool    `json:"own,omitempty"`   // a statement of the script gave it
	Over    string  `json:"over,omitempty"`  // the decision, where a person made it in the place of tactics
	After   int     `json:"after,omitempty"` // how often tactics had made that decision before
	At      int     `json:"at,omitempty"`    // of a command that was done by hand: the moment, see Holder; 0: it is that of a turn
}

// Picked says whether an answer is what a die picked where nobody decided.
func (a Answer) Picked() bool { return a.Option != nil && a.By == BySeed }

// Record is what chance, choice and players answered during one Exec, in order: enough to replay
// it, see Session.Give.
type Record []Answer

// Besides gives a record without what the script gave itself.
func (r Record) Besides() Record {
	return slices.DeleteFunc(slices.Clone(r), func(a Answer) bool { return a.Own })
}

// Faces gives the faces of a record, in order.
func (r Record) Faces() []int {
	var out []int
	for _, a := range r {
		out = append(out, a.Faces...)
	}
	return out
}

// Options gives what was decided, in order, as indexes into the options.
func (r Record) Options() []int {
	var out []int
	for _, a := range r {
		if a.Option != nil {
			out = append(out, *a.Option)
		}
	}
	return out
}

// Commands gives the command of each turn, in order; "" where tactics acted.
func (r Record) Commands() []string {
	var out []string
	for _, a := range r {
		if a.Command != nil {
			out = append(out, *a.Command)
		}
	}
	return out
}

// Same says whether the same was answered in two records, by whomever, besides what the script
// gave.
func (r Record) Same(other Record) bool {
	a, b := r.Besides(), other.Besides()
	return slices.Equal(a.Faces(), b.Faces()) && slices.Equal(a.Options(), b.Options()) && slices.Equal(a.Commands(), b.Commands())
}

// recordOf tells what a log holds: dice of one thrower that fell one after the other are one answer.
func recordOf(log machine.Log) Record {
	var out Record
	fell := false
	for _, a := range log {
		last := len(out) - 1
		switch {
		case a.Kind == machine.Fell && fell && out[last].By == a.By:
			out[last].Faces = append(out[last].Faces, a.N)
		case a.Kind == machine.Fell:
			out = append(out, Answer{Faces: []int{a.N}, By: a.By, Own: a.Own})
		case a.Kind == machine.Decided:
			x := Answer{By: a.By, Own: a.Own, Over: a.Over, After: a.After}
			if a.N != machine.Nobody {
				x.Option = &a.N
			}
			out = append(out, x)
		default:
			out = append(out, Answer{Command: &a.Text, By: a.By, Own: a.Own, At: a.At})
		}
		fell = a.Kind == machine.Fell
	}
	return out
}

// Record gives what chance and choice answered during the last Exec. A session in the state
// before it that is given this, and runs the same text, ends in the same state.
func (s *Session) Record() Record { return recordOf(s.run.Log) }

// Give gives what was answered when a Record was made, behind what was given already: it is
// answered again, by whom it was answered then. What the script gave itself it will give again.
func (s *Session) Give(r Record) {
	m := s.run.M
	m.Faces, m.Answers, m.Commands, m.Picks = slices.Clip(m.Faces), slices.Clip(m.Answers), slices.Clip(m.Commands), slices.Clip(m.Picks)
	for _, a := range r.Besides() {
		switch {
		case a.Command != nil:
			m.Commands = append(m.Commands, machine.GivenCommand{Text: *a.Command, By: a.By, At: a.At})
		case a.Picked():
			m.Picks = append(m.Picks, *a.Option)
		case a.Option != nil:
			m.Answers = append(m.Answers, machine.GivenAnswer{Option: *a.Option, By: a.By, Over: a.Over, After: a.After})
		case a.By == ByDefault || a.By == ByNobody || a.By == ByHanded || a.By == ByUsual:
			m.Answers = append(m.Answers, machine.GivenAnswer{Option: machine.Nobody, By: a.By})
		}
		for _, f := range a.Faces {
			m.Faces = append(m.Faces, machine.GivenFace{Face: f, By: a.By})
		}
	}
}

// GiveDice gives faces, behind those given already: they fall before anybody throws.
func (s *Session) GiveDice(faces ...int) { s.Give(Record{{Faces: faces, By: ByLog}}) }

// GiveAnswers gives answers to the decisions to come, as indexes into their options, behind those
// given already. A die that picks where nobody decides takes them, too.
func (s *Session) GiveAnswers(answers ...int) {
	for _, n := range answers {
		s.Give(Record{{Option: &n, By: ByLog}})
	}
}

// GiveCommands gives the commands of turns to come, in their order, behind those given already; ""
// stands for a turn in which tactics act.
func (s *Session) GiveCommands(commands ...string) {
	for _, c := range commands {
		s.Give(Record{{Command: &c, By: ByLog}})
	}
}
