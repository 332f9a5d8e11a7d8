package machine

import "setpiece/interp/internal/value"

// Two scripts that differ a little are compared by trials with the same dice, so that luck
// does the same for both and the difference shows (common random numbers). With one
// sequence of dice that holds only up to the first throw that one of them makes and the
// other does not: behind it every die of the one falls for something else in the other.
// So the dice of a pair of trials come from streams of their own, as simulations are
// usually synchronised (Law and Kelton, Simulation Modeling and Analysis, chapter 11.2;
// L'Ecuyer, Simard, Chen and Kelton, An object-oriented random-number package with many
// long streams and substreams, 2002): one for each who acts, each of their turns, and
// what the dice are for. A re-roll more in Ann's second turn then leaves Ann's third
// turn, and those of everybody else, with the dice that they had.
//
// A die takes one number from its stream, and more of it means a higher face whatever the
// size: where one script throws a d8 and the other a d10, both are high or low together.

// streams is where the dice of a trial come from.
type streams struct {
	seed  uint64
	turn  uint64            // of whose turn it is, and which of theirs
	depth int               // how many functions are at work outside of that turn
	used  map[uint64]uint64 // how often each stream has been used in this trial
	names map[int]uint64    // of instances
}

// Pair seeds the streams of a trial. From then on the dice come from them, until Seed.
func (m *Machine) Pair(seed uint64) {
	if m.streams == nil {
		m.streams = &streams{used: map[uint64]uint64{}, names: map[int]uint64{}}
	}
	s := m.streams
	s.seed, s.turn, s.depth = seed, 0, 0
	clear(s.used)
}

// Paired says whether the dice come from streams.
func (m *Machine) Paired() bool { return m.streams != nil }

// hashed adds a text to a hash (FNV-1a).
func hashed(h uint64, text string) uint64 {
	if h == 0 {
		h = 0xcbf29ce484222325
	}
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 0x100000001b3
	}
	return h
}

// who gives the number of somebody's name, which is the same in both scripts.
func (s *streams) who(m *Machine, off int) uint64 {
	n, ok := s.names[off]
	if !ok {
		n = hashed(0, m.NameOf(value.OfRef(off)))
		s.names[off] = n
	}
	return n
}

// begin notes that somebody's turn begins.
func (s *streams) begin(m *Machine, off int) {
	n := mixed(s.who(m, off) ^ 0x9e3779b97f4a7c15)
	s.used[n]++
	s.turn, s.depth = mixed(n+s.used[n]), len(m.Frames)
}

// next puts the generator at the dice for what the throw at hand is.
func (s *streams) next(m *Machine, what string) {
	key := s.turn
	if len(m.Frames) <= s.depth || s.turn == 0 {
		s.turn, s.depth = 0, 0
		key = 1
		// Outside of turns somebody may act by a command of the script.
		if len(m.Frames) > 1 && m.Frames[1].Fn.Params > 0 {
			if v := m.Stack[m.Frames[1].Base]; v.Kind() == value.Ref {
				key = s.who(m, v.Off())
			}
		}
	}
	key = hashed(key, what)
	s.used[key]++
	m.Rand.Seed(mixed(s.seed ^ mixed(key+s.used[key]*0xd1342543de82ef95)))
}
