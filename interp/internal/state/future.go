package state

import (
	"slices"

	"setpiece/interp/internal/analysis"
	"setpiece/interp/internal/code"
)

// Future says what may still be read from where the machine is.
func (s *Codec) Future() *analysis.Future {
	m := s.M
	key := append(s.key[:0], byte(len(s.Upcoming)), byte(len(s.Upcoming)>>8))
	for i := range m.Frames {
		f := &m.Frames[i]
		id := s.Analysis.Liveness(f.Fn).Id
		key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(f.PC), byte(f.PC>>8), byte(f.PC>>16))
	}
	// rules at hand, which may be called by value
	var rules []*code.Func
	for i := range m.Frames {
		base := int(m.Frames[i].Base)
		s.LiveRegisters(i).Each(func(r int) { rules = s.Analysis.RulesIn(m.Heap, m.Stack[base+r], rules) })
	}
	for _, f := range rules {
		s.Analysis.Linked(f)
		id := s.Analysis.Liveness(f).Id
		key = append(key, byte(id), byte(id>>8), byte(id>>16))
	}
	s.key = key
	if x := s.futures[string(key)]; x != nil {
		return x
	}
	points := make([]analysis.Point, len(m.Frames))
	for i := range m.Frames {
		points[i] = analysis.Point{Fn: m.Frames[i].Fn, PC: int(m.Frames[i].PC)}
	}
	x := s.Analysis.Future(points, slices.Concat(s.Upcoming, rules), len(s.base))
	s.keepWhoIsOut(x.Words)
	for at := m.Prog.ReportWords[0]; at < min(m.Prog.ReportWords[1], len(x.Words)); at++ {
		x.Words[at] = analysis.Live
	}
	s.futures[string(key)] = x
	return x
}

// LiveRegisters gives the live registers of frame i.
func (s *Codec) LiveRegisters(i int) code.Registers {
	m := s.M
	f := &m.Frames[i]
	set := s.Analysis.Liveness(f.Fn).Before[f.PC]
	if i+1 < len(m.Frames) {
		// the register that waits for a result holds nothing yet
		set = slices.Clone(set)
		set.Del(int(m.Frames[i+1].Ret))
	}
	return set
}
