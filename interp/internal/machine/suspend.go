package machine

import (
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// Suspend gives a copy of the machine as it stands in the middle of a run, for
// Resume. What runs meanwhile leaves nothing behind but values in the heap.
func (m *Machine) Suspend() *Machine {
	c := *m
	c.Store = slices.Clone(m.Store)
	c.Stack = slices.Clone(m.Stack)
	c.Frames = slices.Clone(m.Frames)
	c.Savepoints = slices.Clone(m.Savepoints)
	c.Captured = slices.Clone(m.Captured)
	c.UndoLog = slices.Clone(m.UndoLog)
	c.Reports = slices.Clone(m.Reports)
	c.Failures = slices.Clone(m.Failures)
	c.Fallen, c.from, c.Sizes = slices.Clone(m.Fallen), slices.Clone(m.from), slices.Clone(m.Sizes)
	c.trailFaces = slices.Clone(m.trailFaces)
	m.Trail, m.trailFaces, m.Hand = nil, nil, nil
	return &c
}

// Copy gives a machine that stands where this one does and goes its own way: what it runs is not
// seen here, while this one is at work, too.
func (m *Machine) Copy() *Machine {
	trail, faces, hand := m.Trail, m.trailFaces, m.Hand
	c := m.Suspend()
	m.Trail, m.trailFaces, m.Hand = trail, faces, hand
	c.Trail, c.trailFaces, c.Hand = nil, nil, nil
	return c
}

// Resume puts the machine back to where Suspend found it.
func (m *Machine) Resume(c *Machine) {
	links := m.Links
	*m = *c
	m.Links = links
}

// Kept is how long the store was when what runs began: what stands behind are
// records that are gone when it is done.
func (m *Machine) Kept() int {
	if len(m.Frames) == 0 || m.Frames[0].Keep < 0 {
		return len(m.Store)
	}
	return int(m.Frames[0].Keep)
}

// Working is a function at work in a run.
type Working struct {
	Slot  int // its rule number, -1 of a statement
	Frame int
	First V // its first parameter
}

// Working gives the functions at work, the innermost first.
func (m *Machine) Working() []Working {
	slots := make(map[*code.Func]int, len(m.Prog.Slots))
	for i, f := range m.Prog.Slots {
		slots[f] = i
	}
	var out []Working
	for i, f := range slices.Backward(m.Frames) {
		w := Working{Slot: -1, Frame: i, First: value.None}
		if slot, ok := slots[f.Fn]; ok {
			w.Slot = slot
			if f.Fn.Params > 0 {
				w.First = m.Stack[f.Base]
			}
		}
		out = append(out, w)
	}
	return out
}

// Within leaves out what a run does behind a frame: the run is done when the
// function of that frame is. Functions further out are forgotten, and with them
// what they guard.
func (m *Machine) Within(frame int) {
	m.Frames = m.Frames[frame:]
	m.Frames[0].Ret = -1
	n := 0
	for n < len(m.Savepoints) && m.Savepoints[n].Frames <= frame {
		n++
	}
	m.Savepoints = m.Savepoints[n:]
	for i := range m.Savepoints {
		m.Savepoints[i].Frames -= frame
	}
	m.stopLogging()
}

// Leave forgets the functions at work, so that the machine is as it is between two
// statements. Records that they made stay.
func (m *Machine) Leave() {
	m.Frames, m.Savepoints, m.Captured = m.Frames[:0], m.Savepoints[:0], m.Captured[:0]
	m.stopLogging()
}

// RunTo is Run that stops where the function of a frame is about to return, with
// Done; with gone it never will: the run has ended, or a refusal has led out of it.
func (m *Machine) RunTo(frame int) (s Status, gone bool) {
	m.Floor = frame + 1
	defer func() { m.Floor = 0 }()
	for {
		s = m.Exec(-1)
		switch {
		case s == Stepped:
			return Done, false
		case s == Done:
			return s, true
		case s != Broken:
			return s, false
		case !m.rollback():
			return s, true
		case len(m.Frames) <= frame:
			return Yield, true
		}
	}
}

// Answer runs a function in the middle of a run, which is not changed, and gives what
// it reported last.
func (m *Machine) Answer(fn *code.Func) (v V, broken *Error) {
	was := *m
	m.Frames, m.Stack, m.Savepoints, m.Captured, m.UndoLog, m.Logging, m.Floor = nil, nil, nil, nil, nil, m.Journaled, 0
	m.Reports, m.Reporting = nil, true
	defer func() {
		links, analysed, reported, store := m.Links, m.analysed, m.Reported, m.Store
		*m = was
		m.Links, m.analysed, m.Reported, m.Store = links, analysed, reported, store[:len(was.Store)]
	}()
	m.Steps, m.MaxSteps = 0, m.StepLimit
	if err := m.Start(fn); err != nil {
		return value.None, &Error{Kind: code.Failed, Msg: err.Error()}
	}
	switch s := m.Run(); {
	case s == Broken:
		return value.None, m.Err
	case s != Done || len(m.Reports) == 0:
		return value.None, &Error{Kind: code.Failed, Msg: "a goal cannot throw dice or ask for a decision"}
	}
	return m.Reports[len(m.Reports)-1].Value, nil
}
