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
	for i := range m.frames {
		f := &m.frames[i]
		id := s.a.Liveness(f.fn).Id
		key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(f.pc), byte(f.pc>>8), byte(f.pc>>16))
	}
	// rules at hand, which may be called by value
	var rules []*code.Func
	for i := range m.frames {
		base := int(m.frames[i].base)
		s.live(i).Each(func(r int) { rules = s.a.RulesIn(m.Heap, m.stack[base+r], rules) })
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
	points := make([]analysis.Point, len(m.frames))
	for i := range m.frames {
		points[i] = analysis.Point{m.frames[i].fn, int(m.frames[i].pc)}
	}
	x := s.a.Future(points, slices.Concat(s.future, rules), len(s.base))
	s.keepOut(x.Words)
	s.futures[string(key)] = x
	return x
}

// live gives the live registers of frame i.
func (s *Saver) live(i int) analysis.Registers {
	m := s.m
	f := &m.frames[i]
	set := s.a.Liveness(f.fn).Before[f.pc]
	if i+1 < len(m.frames) {
		// the register that waits for a result holds nothing yet
		set = slices.Clone(set)
		set.Del(int(m.frames[i+1].ret))
	}
	return set
}
