package state

import (
	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/value"
)

// tracker gives the tracker of the machine.
func (s *Codec) tracker() *symbolic.Tracker {
	if s.Tracker == nil {
		s.Tracker = &symbolic.Tracker{M: s.M}
		s.Tracker.Grow(len(s.base))
	}
	return s.Tracker
}

// Track begins to note what is read and written. With varied, which tells the words
// of the store that differ from state to state, numbers in them are taken as any
// number; without it everything depends on the very value of what is read.
func (s *Codec) Track(varied func(at int) bool) {
	t := s.tracker()
	s.M.Tracer, s.M.Executor = t, t
	t.Epoch++
	t.Path = symbolic.PathCondition{Order: t.Path.Order[:0], Constraints: t.Path.Constraints[:0]}
	t.Written, t.Reports = t.Written[:0], t.Reports[:0]
	t.Exprs.Forget()
	t.Forget(0)
	t.ForgetSavepoints()
	t.Named = 0
	t.Stepper = nil
	if w := s.Symmetry; w != nil {
		w.Disturbed, w.Distinguished = 0, 0
		t.Stepper = w
	}
	t.Outside, t.Varied, t.Unasked = s.Outside, varied, s.Defaults
	for _, f := range s.filled {
		id := s.Tracker.Unknown(f.word)
		if id == 0 {
			t.Look(f.word)
		}
		t.Put(f.reg, id)
	}
}

// Untrack has the machine run without anything being noted, until again is called.
func (s *Codec) Untrack() (again func()) {
	t := s.Tracker
	s.Tracker, s.M.Tracer, s.M.Executor = nil, nil, nil
	return func() { s.Tracker = t }
}

// Written gives the words written since Track.
func (s *Codec) Written() []int32 { return s.Tracker.Written }

// Path gives what was the case since Track and led here.
func (s *Codec) Path() symbolic.PathCondition { return s.Tracker.Path.Clone() }

// DrawFace has the one die fall that has to, after Run returned NeedChance. While a piece
// of computation is tracked, it shows what the first of the DrawWords holds.
func (s *Codec) DrawFace(face int) {
	m := s.M
	m.GiveFaces([]int{face})
	top := &m.Frames[len(m.Frames)-1]
	reg := int(top.Base + top.Fn.Code[top.PC-1].A)
	t := s.Tracker
	if t == nil || t.Varied == nil {
		return
	}
	id := t.Add(symbolic.Expr{Linear: symbolic.WordOf(int32(m.Prog.DrawWords[0])), Is: symbolic.AsDie})
	if m.Stack[reg].Kind() != value.Die {
		id = t.Add(symbolic.Expr{Is: symbolic.AsBuilt, Parts: []int32{id}})
	}
	t.Put(reg, id)
}

// Form gives the linear form of which a word that was written since Track holds the
// number. With no it holds what it holds, whatever the unknown words hold.
func (s *Codec) Form(at int) (symbolic.Linear, bool) {
	t := s.Tracker
	if t.Wrote[at] != t.Epoch {
		return symbolic.Linear{}, false
	}
	return t.LinearForm(t.Cell[at])
}
