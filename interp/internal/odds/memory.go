package odds

import (
	"hash/maphash"

	"setpiece/interp/internal/machine"
)

// Memory is what graphs of the same functions share, whatever state they begin
// in: the ways and the steps that have been followed, with what they depend on,
// and the laws of pools. The zero value is empty.
type Memory struct {
	seed     maphash.Seed
	controls map[uint64][]*control
	laws     map[string]*law
	ends     []ending
	base     []V
	varies   []bool // by word of the store: whether it differs from a base in some rest
	bytes    int    // of all that is kept, roughly
	program  any    // what was known of the program
	Reported []any  // see machine.Machine
}

// ending is an end or a fault that a way leads to.
type ending struct {
	at    *control
	words []V
	kind  Kind
	fault *machine.Error
}

// ready makes a memory one for a graph from a state. What holds no more, since
// something has been declared, is forgotten, and so is what has grown too large.
func (m *Memory) ready(s *machine.Saver) {
	base := s.Base()
	if m.controls == nil || m.program != s.Program() || len(m.base) != len(base) || m.bytes > MaxBytes/4 {
		*m = Memory{
			seed: maphash.MakeSeed(), controls: map[uint64][]*control{}, laws: map[string]*law{},
			varies: make([]bool, len(base)), program: s.Program(),
		}
	}
	for at, v := range m.base {
		if v != base[at] {
			m.vary(at)
		}
	}
	m.base = base
}

// room makes sure that there are so many words of the store to be told apart, and
// says whether there had been fewer.
func (m *Memory) room(n int) bool {
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
