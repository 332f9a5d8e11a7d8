package machine

import (
	"slices"

	"setpiece/interp/internal/analysis"
	"setpiece/interp/internal/code"
)

// soon says what may still be read from where the machine is.
func (s *Saver) soon() *analysis.Future {
	m := s.m
	key := append(s.key[:0], byte(len(s.future)), byte(len(s.future)>>8))
	for i := range m.Frames {
		f := &m.Frames[i]
		id := s.a.Liveness(f.Fn).Id
		key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(f.PC), byte(f.PC>>8), byte(f.PC>>16))
	}
	// rules at hand, which may be called by value
	var rules []*code.Func
	for i := range m.Frames {
		base := int(m.Frames[i].Base)
		s.live(i).Each(func(r int) { rules = s.a.RulesIn(m.Heap, m.Stack[base+r], rules) })
	}
	for _, f := range rules {
		s.a.Linked(f)
		id := s.a.Liveness(f).Id
		key = append(key, byte(id), byte(id>>8), byte(id>>16))
	}
	s.key = key
	if x := s.futures[string(key)]; x != nil {
		return x
	}
	points := make([]analysis.Point, len(m.Frames))
	for i := range m.Frames {
		points[i] = analysis.Point{m.Frames[i].Fn, int(m.Frames[i].PC)}
	}
	x := s.a.Future(points, slices.Concat(s.future, rules), len(s.base))
	s.keepOut(x.Words)
	s.futures[string(key)] = x
	return x
}

// live gives the live registers of frame i.
func (s *Saver) live(i int) analysis.Registers {
	m := s.m
	f := &m.Frames[i]
	set := s.a.Liveness(f.Fn).Before[f.PC]
	if i+1 < len(m.Frames) {
		// the register that waits for a result holds nothing yet
		set = slices.Clone(set)
		set.Del(int(m.Frames[i+1].Ret))
	}
	return set
}
