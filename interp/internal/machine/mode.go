package machine

import "setpiece/interp/internal/code"

// Mode is how a machine runs: who listens, throws and decides, what is kept, and where Run returns. It is set as
// a whole: what a Mode does not say is off.
type Mode struct {
	Out       Observer // nil when nobody listens
	Log       *Log     // of what fell and was answered; nil for none
	Reporting bool     // what is reported is kept in Reports
	Noting    Noting   // what is noted

	Seeded   bool // the built-in generator throws
	Follows  bool // all chance is followed: picks are not made here, see ThrowInfo
	Whole    bool // dice that are made of others fall at once, see MadePool
	Unasked  bool // decisions that tactics and answers leave open take their defaults
	Attended bool // Run returns NeedCommand at each turn; else tactics act

	Checkpoints  bool // Run returns Checkpoint
	CheckEntries bool // and does so where a loop is entered, too, not only where it begins anew
}

// Trial is the mode of trials: the generator throws, nobody listens, and what is reported counts.
func Trial(noting Noting, unasked bool) Mode {
	return Mode{Seeded: true, Reporting: true, Noting: noting, Unasked: unasked}
}

// Following is the mode in which whoever calls Run says what falls, and stops at checkpoints on the way.
func (m Mode) Following() Mode {
	m.Seeded, m.Follows, m.Checkpoints, m.CheckEntries = false, true, true, true
	return m
}

// Unheard is the mode in which nobody listens or is asked for commands.
func (m Mode) Unheard() Mode {
	m.Out, m.Log, m.Attended = nil, nil, false
	return m
}

// Switch has the machine run code in another mode, until back is called.
func (m *Machine) Switch(to Mode, prog *code.Program) (back func()) {
	was, before := m.Mode, m.Prog
	m.Mode, m.Prog = to, prog
	return func() { m.Mode, m.Prog = was, before }
}
