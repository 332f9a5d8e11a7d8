package machine

import (
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// setSavepoint notes the state, to come back to if something is refused before EndTry.
func (m *Machine) setSavepoint(pc int32) {
	g := Savepoint{
		Frames: len(m.Frames), PC: pc, Log: len(m.UndoLog), Store: len(m.Store),
		Own: m.Own, Failures: len(m.Failures), Faults: m.Faults, refusals: m.Refusals, thrown: m.Thrown,
	}
	if m.Out != nil {
		g.mark = m.Out.Mark()
	}
	if m.Tracer != nil {
		m.Tracer.SetSavepoint()
	}
	m.Savepoints = append(m.Savepoints, g)
	m.Logging = true
}

// releaseSavepoint drops the latest savepoint: what was to be undone with it has been done.
func (m *Machine) releaseSavepoint() {
	m.Savepoints = m.Savepoints[:len(m.Savepoints)-1]
	if m.Out != nil {
		m.Out.Release()
	}
	m.stopLogging()
}

// stopLogging stops noting what is written once nobody needs it.
func (m *Machine) stopLogging() {
	if len(m.Savepoints) == 0 && !m.Journaled {
		m.Logging, m.UndoLog = false, m.UndoLog[:0]
	}
}

// rollback undoes what was refused and goes on behind it; no when nothing
// protects against the error. Dice that have fallen and answers from outside are
// not taken back: they have happened, and are in the log. What the script itself
// gave is given again, but for what it gave once.
func (m *Machine) rollback() bool {
	n := m.savepointFor()
	if n < 0 {
		return false
	}
	g := m.Savepoints[n]
	m.Savepoints = m.Savepoints[:n]
	m.Store = m.Store[:g.Store]
	m.undo(g.Log, m.Tracer != nil && !m.Tracer.Rollback(n))
	m.Frames = m.Frames[:g.Frames]
	top := &m.Frames[g.Frames-1]
	top.PC = g.PC
	if m.Tracer != nil {
		m.Tracer.Forget(int(top.Base) + top.Fn.Regs)
	}
	m.Own = g.Own.again(m.Own)
	m.Failures, m.Faults, m.Refusals = m.Failures[:g.Failures], g.Faults, g.refusals
	if m.Out != nil {
		m.Out.Rollback(g.mark)
	}
	if g.command {
		m.refused = m.Err
	}
	m.refusal, m.Err = refusal{m.Err.Msg, m.Err.At, m.Err.Rule, m.Err.Nobody}, nil
	m.stopLogging()
	return true
}

// savepointFor gives the savepoint that the error is come back to, -1 for none. A rule that
// says no comes back to the latest savepoint. Whatever else is wrong with a command that
// a person gave comes back to where it was asked for.
func (m *Machine) savepointFor() int {
	switch m.Err.Kind {
	case code.Refused:
		return len(m.Savepoints) - 1
	case code.Failed, code.BadDie:
		for i := len(m.Savepoints) - 1; i >= 0; i-- {
			if m.Savepoints[i].command {
				return i
			}
		}
	}
	return -1
}

// setHeader sets a header word of a new record; features given to it are its.
func (m *Machine) setHeader(off, word int, v V) {
	if word == code.AtFeatures {
		if v.Kind() != value.List {
			v = value.EmptyList
		}
		for _, f := range m.Heap.Elems(v) {
			m.Store[f.Off()+code.AtOwner] = value.OfRef(off)
		}
	}
	if word == code.AtName && v.Kind() == value.Symbol {
		v = m.Heap.OfText(m.Heap.TextOf(v))
	}
	m.Store[off+word] = v
}

// allFeatures lists the features of all long-lived instances that handle a hook.
func (m *Machine) allFeatures(hook int) V {
	var few [16]V
	l := few[:0]
	for _, v := range m.handling(hook) {
		if m.attached(v.Off()) {
			l = append(l, v)
		}
	}
	return m.Heap.OfList(l)
}

// attached says whether a feature is on something.
func (m *Machine) attached(off int) bool {
	owner := m.Store[off+code.AtOwner]
	return owner.Kind() == value.Ref && slices.Contains(m.Heap.Elems(m.Store[owner.Off()+code.AtFeatures]), value.OfRef(off))
}

// capture notes faults and warnings.
type capture struct {
	faults int
	said   []string
	broke  []bool
}

// noteFault counts a fault and notes it, or a warning.
func (m *Machine) noteFault(text V, fault bool) {
	if fault {
		m.Faults++
	}
	for i := range m.Captured {
		c := &m.Captured[i]
		c.said, c.broke = append(c.said, m.Show(text)), append(c.broke, fault)
	}
}

func (m *Machine) endCapture(x *code.MustFail) {
	c := m.Captured[len(m.Captured)-1]
	m.Captured = m.Captured[:len(m.Captured)-1]
	met := false
	for i, s := range c.said {
		if c.broke[i] == (x.Word == "faults") && strings.Contains(s, x.Part) {
			met = true
		}
	}
	m.Faults = c.faults
	if !met {
		m.unmet(x, strings.Join(c.said, "; "))
	}
}

func (m *Machine) checkRefusal(x *code.MustFail, refused bool) {
	switch {
	case !refused:
		m.unmet(x, "")
	case !strings.Contains(m.refusal.why, x.Part):
		m.unmet(x, m.refusal.why)
	}
}

// unmet notes that a block did not end as it must; said is what it said.
func (m *Machine) unmet(x *code.MustFail, said string) {
	at, _ := m.position()
	f := Failure{x.Info, m.Heap.OfText(said), value.None, at}
	m.Failures = append(m.Failures, f)
	if m.Out != nil {
		m.Out.Event(m, x.Info, []V{value.No, f.Left, f.Right}, at, -1)
	}
}

// checkTactics notes that commands of tactics were refused where none may be.
func (m *Machine) checkTactics(info any) {
	if m.Refusals == 0 {
		return
	}
	at, _ := m.position()
	f := Failure{info, value.OfInt(int64(m.Refusals)), m.Heap.OfText(m.firstRefusal), at}
	m.Failures = append(m.Failures, f)
	if m.Out != nil {
		m.Out.Event(m, info, []V{value.No, f.Left, f.Right}, at, -1)
	}
}
