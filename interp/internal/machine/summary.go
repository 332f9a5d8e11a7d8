package machine

import (
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// Summarised is the summary of one instance.
type Summarised struct {
	Names  []string
	Fields []string // see code.Summary
	Values []V
	Out    bool // it takes no part any more
}

// Summary works out the summary of an instance on a machine that Aside has given. It
// is no where the sheet has none or says that the instance is not to be listed, and an
// error where the summary cannot be worked out.
func (m *Machine) Summary(off int) (sum Summarised, ok bool, err *Error) {
	t := m.TypeOf(off)
	sum, ok, err = m.summarise(off, t.InheritedSummary())
	if !ok || err != nil {
		return sum, false, err
	}
	if fn := m.Prog.Out(t); fn != nil {
		v, err := m.asks(fn, value.OfRef(off))
		sum.Out = err == nil && v == value.Yes
	}
	return sum, true, nil
}

// Told says who may know of a field of an instance as things stand, on a machine that Aside has given.
func (m *Machine) Told(off int, f *code.Field) code.Told {
	if f.Known >= 0 {
		if v, err := m.asks(m.Prog.Slots[f.Known], value.OfRef(off)); err == nil && v == value.Yes {
			return code.ToAll
		}
	}
	return f.Told
}

// Reserves works out what an instance can use up, as Summary does.
func (m *Machine) Reserves(off int) (sum Summarised, ok bool, err *Error) {
	return m.summarise(off, m.TypeOf(off).InheritedReserves())
}

// AtHand works out what an instance decides with in a turn, as Summary does.
func (m *Machine) AtHand(off int) (sum Summarised, ok bool, err *Error) {
	return m.summarise(off, m.TypeOf(off).InheritedAtHand())
}

func (m *Machine) summarise(off int, s *code.Summary) (sum Summarised, ok bool, err *Error) {
	if s == nil {
		return sum, false, nil
	}
	if s.When >= 0 {
		if v, err := m.asks(m.Prog.Slots[s.When], value.OfRef(off)); err != nil || v != value.Yes {
			return sum, false, err
		}
	}
	v, err := m.asks(m.Prog.Slots[s.Values], value.OfRef(off))
	if err != nil {
		return sum, false, err
	}
	sum.Names, sum.Fields, sum.Values = s.Names, s.Fields, m.Heap.Elems(v)
	return sum, true, nil
}

// Aside gives a machine in the same state to which nobody listens. What it does
// changes nothing here.
func (m *Machine) Aside() *Machine {
	return &Machine{
		Prog: m.Prog, Heap: m.Heap, Store: slices.Clone(m.Store),
		MaxSteps: asideSteps, StepLimit: asideSteps, MaxDepth: m.MaxDepth, MaxSize: m.MaxSize, MaxDice: m.MaxDice, MaxOutput: m.MaxOutput, MaxHeap: m.Heap.Used + asideHeap,
	}
}

const (
	asideSteps = 1 << 20
	asideHeap  = 16 << 20
)

// Holds says whether a condition holds on a machine that Aside has given, or cannot be
// worked out there.
func (m *Machine) Holds(fn *code.Func) bool {
	v, err := m.asks(fn)
	return err != nil || v != value.No
}

// Ask works out a rule on a machine that Aside has given.
func (m *Machine) Ask(fn *code.Func, args ...V) (V, error) {
	v, err := m.asks(fn, args...)
	if err != nil {
		return value.None, err
	}
	return v, nil
}

// asks calls a rule about an instance. A rule that throws dice or asks somebody is an
// error.
func (m *Machine) asks(fn *code.Func, args ...V) (V, *Error) {
	if err := m.Start(fn, args...); err != nil {
		return value.None, &Error{Kind: code.Failed, Msg: err.Error()}
	}
	m.Steps = 0
	switch m.Run() {
	case Done:
		return m.Result, nil
	case Broken:
		return value.None, m.Err
	case NeedChance, NeedChoice:
		return value.None, m.Stop("a summary cannot throw dice or ask for a decision")
	}
	return value.None, m.Stop("a summary takes too long")
}
