package machine

import (
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// A turn is "act WHO" in the rules. Where nobody is asked, WHO's tactics act. Where
// the machine is Attended, Run returns NeedCommand, and whoever runs the machine says
// what happens: ByTactics, Pass, or Command with the code of a text that somebody
// typed. A command runs on top of the rule that asked for it, behind a savepoint: when it
// is refused, everything it did is undone, and Run returns NeedCommand once more, with
// Refused saying why. The code of a turn is
//
//	      r+1 <- WHO, r+2 <- 0
//	ask:  Act r+1 (passes: end, tactics: auto)
//	      EndAct r+1
//	      go to end, or with "until": to ask unless the condition holds
//	auto: r <- TurnOf WHO, and call it
//	end:
//
// What a game master does by hand comes between what a script does: before each command of it, and where
// a span begins or ends, unless a refusal may take that back. Run returns NeedHand where Hand says so, and Command
// answers it. The code of such a moment is
//
//	hand: Between r+1 (nothing: end)
//	      EndHand, and go to hand
//	end:

// Acting gives who has to say what they do and how many commands they have given in
// this turn, after Run returned NeedCommand.
func (m *Machine) Acting() (who V, done int) {
	in, _ := m.waiting()
	base := m.Frames[len(m.Frames)-1].Base
	return m.Stack[base+in.A], int(m.Stack[base+in.A+1].Int())
}

// InTurn gives whose turn it is, of turns in turns the innermost.
func (m *Machine) InTurn() (who V, ok bool) {
	for i := len(m.Frames) - 1; i >= 0; i-- {
		f := &m.Frames[i]
		for at := f.PC - 1; at >= 0; at-- {
			if in := f.Fn.Code[at]; in.Op == code.Act && f.PC-1 < in.B {
				return m.Stack[f.Base+in.A], true
			}
		}
	}
	return who, false
}

// Depth is how many functions are at work.
func (m *Machine) Depth() int { return len(m.Frames) }

// Refused says why the command given last was taken back, after Run returned
// NeedCommand or NeedHand again; nil when there was none in this turn, or it was done.
func (m *Machine) Refused() *Error { return m.refused }

// Command answers NeedCommand or NeedHand with the code of a command, a function without
// parameters. Run goes on with it.
func (m *Machine) Command(fn *code.Func) error {
	if err := m.Link(fn); err != nil {
		return err
	}
	m.refused = nil
	top := &m.Frames[len(m.Frames)-1]
	in := top.Fn.Code[top.PC-1]
	m.setSavepoint(top.PC - 1)
	m.Savepoints[len(m.Savepoints)-1].command = true
	base := top.Base + int32(top.Fn.Regs)
	m.Stack = GrowStack(m.Stack, max(len(m.Stack), int(base)+fn.Regs))
	m.Frames = append(m.Frames, Frame{Fn: fn, Base: base, Ret: in.A - 1, Keep: m.Region(fn)})
	return nil
}

// Pass answers NeedCommand: nothing more is done in this turn.
func (m *Machine) Pass() {
	top := &m.Frames[len(m.Frames)-1]
	top.PC = top.Fn.Code[top.PC-1].B
	m.refused = nil
}

// ByTactics answers NeedCommand: the tactics of whoever has the turn act, their own
// or else the module's.
func (m *Machine) ByTactics() {
	top := &m.Frames[len(m.Frames)-1]
	top.PC = top.Fn.Code[top.PC-1].C
	m.refused = nil
}

// TakeBack undoes the command that is being done, so that Run asks for it again; no
// when none is.
func (m *Machine) TakeBack(msg string) bool {
	for i := len(m.Savepoints) - 1; i >= 0; i-- {
		if m.Savepoints[i].command {
			m.Stop(msg)
			return m.rollback()
		}
	}
	return false
}

// HasTurn says whether an instance has tactics of its own that act.
func (m *Machine) HasTurn(who V) bool {
	return who.Kind() == value.Ref && !m.onlyAsks() && slices.ContainsFunc(m.layers(who.Off()), func(n V) bool { return m.tacticsOf(n).Turn >= 0 })
}

// onlyAsks says whether tactics have nothing to say in the turn that is asked for: it is over where they would act.
func (m *Machine) onlyAsks() bool {
	if len(m.Frames) == 0 {
		return false
	}
	in, _ := m.waiting()
	return in.Op == code.Act && in.B == in.C
}

// Describe gives the rules that say what the tactics of an instance would do, in the
// order in which they would try it. See turnOf.
func (m *Machine) Describe(who V) (rules []*code.Func) {
	if who.Kind() != value.Ref {
		return nil
	}
	var last *code.Tactics
	own := m.layers(who.Off())
	if m.onlyAsks() {
		own = nil
	}
	for _, n := range own {
		t := m.tacticsOf(n)
		if t.When >= 0 {
			rules = append(rules, m.Prog.Slots[t.SaysWhen])
		}
		if last == nil && t.Else >= 0 {
			last = t
		}
	}
	if d := m.Prog.Default; len(rules) == 0 && last == nil && d != nil {
		if d.When >= 0 {
			rules = append(rules, m.Prog.Slots[d.SaysWhen])
		}
		if d.Else >= 0 {
			last = d
		}
	}
	if last != nil {
		rules = append(rules, m.Prog.Slots[last.SaysElse])
	}
	return rules
}

// Unmoved says whether the command done last changed nothing and threw nothing, after
// Run returned Acted.
func (m *Machine) Unmoved() bool { return m.unmoved }

// unchanged says whether all is as the latest savepoint would put it back.
func (m *Machine) unchanged() bool {
	g := &m.Savepoints[len(m.Savepoints)-1]
	if m.Thrown != g.thrown {
		return false
	}
	for _, u := range m.UndoLog[g.Log:] {
		if u.At < g.Store && m.Store[u.At] != u.Old {
			return false
		}
	}
	return true
}

// AskAgain goes back to asking, after Run returned Acted: what was done does not
// count.
func (m *Machine) AskAgain() {
	top := &m.Frames[len(m.Frames)-1]
	top.PC -= 2
	r := &m.Stack[top.Base+top.Fn.Code[top.PC].A+1]
	*r = value.OfInt(r.Int() - 1)
}
