package odds

import (
	"hash/maphash"

	"setpiece/interp/internal/analysis"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/pool"
	"setpiece/interp/internal/query"
	"setpiece/interp/internal/state"
	"setpiece/interp/internal/transition"
)

// Memory is what graphs of the same functions share, whatever state they begin
// in: the transitions and the macro steps that have been followed, with what they depend on,
// and the laws of pools. The zero value is empty.
type Memory struct {
	seed      maphash.Seed
	controls  map[uint64][]*control
	pools     map[string]*pool.Distribution
	terminals []terminal
	base      []V
	varies    []bool // by word of the store: whether it differs from a base in some checkpoint
	bytes     int    // of all that is kept, roughly
	program   any    // what was known of the program
	Reported  []any  // see machine.Machine
	Notes     machine.Notes
	Loops     []*query.Loop // for which the dice of a pool are read whole

	watched  uint64                      // who was taken to be of one orbit when that was done, see symmetry.go
	distinct uint64                      // who was found not to be like the others
	whoIsOut []transition.Cache[verdict] // by the number of those who may be alike
}

// terminal is an end or a fault that a transition leads to.
type terminal struct {
	at    *control
	words []V
	kind  Kind
	fault *machine.Error
}

// prepare makes a memory one for a graph from a state. What holds no more, since
// something has been declared, is forgotten, and so is what has grown too large.
func (m *Memory) prepare(s *state.Codec) {
	base := s.Base()
	if m.controls == nil || m.program != s.Program() || len(m.base) != len(base) || m.bytes > MaxBytes/4 {
		m.forget(s)
	}
	for at, v := range m.base {
		if v != base[at] {
			m.vary(at)
		}
	}
	m.base = base
}

// forget makes a memory an empty one.
func (m *Memory) forget(s *state.Codec) {
	*m = Memory{
		seed: maphash.MakeSeed(), controls: map[uint64][]*control{}, pools: map[string]*pool.Distribution{},
		varies: make([]bool, len(s.Base())), program: s.Program(), base: s.Base(), whoIsOut: make([]transition.Cache[verdict], analysis.MaxMembers),
	}
}

// ensure makes sure that there are so many words of the store to be told apart, and
// says whether there had been fewer.
func (m *Memory) ensure(n int) bool {
	more := n - len(m.varies)
	if more <= 0 {
		return false
	}
	m.varies = append(m.varies, make([]bool, more+64)...)
	return true
}

// vary notes that a word of the store is not always the same.
func (m *Memory) vary(at int) {
	m.varies[at] = true
}
