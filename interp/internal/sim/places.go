package sim

import (
	"hash/maphash"
	"slices"

	"setpiece/interp/internal/query"
	"setpiece/interp/internal/transition"
)

// node is a state that waits for dice: where its part of the table begins and, in
// the lowest byte, the size of the die, or what else it is. In the table there is
// its number and behind that, by face, the place to which the face leads, 0 where
// that is not known yet; of an end, the number of the end. (With the size in the reference to a place, the next die
// can be thrown before the place has been looked at; and small tables stay close
// to the processor.)
type node uint32

const (
	anEnd   = 0
	aNote   = 254 // something is noted, and it goes on at the only place it leads to
	aPool   = 255 // or a larger die
	maxSize = 253
)

func (p node) size() uint32 { return uint32(p) & 255 }
func (p node) at() uint32   { return uint32(p) >> 8 }
func (p node) die() bool    { return p.size()-1 < maxSize }

// state gives the state of a place.
func (a *Automaton) state(p node) *nodeState { return a.states.at(uint32(a.table[p.at()])) }

// nodeState is what running on from a place needs.
type nodeState struct {
	at      *control
	words   []V // by place in the layout of the control; those behind them are as at first
	hash    uint64
	special *special // nil where one die falls, and in an end
}

// special is what there is of a place where no single die falls.
type special struct {
	read    *query.Query    // of the pool that falls, once that is known
	to      map[string]node // by what is read of it
	yes, no *special        // of the pool, behind the condition with which read ends
	notes   []int32         // what is noted
}

// behind gives what is known of a pool where a condition about its dice has an answer.
func (p *special) behind(yes bool) *special {
	to := &p.no
	if yes {
		to = &p.yes
	}
	if *to == nil {
		*to = &special{}
	}
	return *to
}

// nodeStates is a list of states, kept in pieces so that it can grow without being copied.
type nodeStates struct {
	pieces [][]nodeState
	n      int
}

const inPiece = 128 // a power of two

func (s *nodeStates) at(i uint32) *nodeState { return &s.pieces[i/inPiece][i%inPiece] }

func (s *nodeStates) add(x nodeState) {
	if s.n%inPiece == 0 {
		s.pieces = append(s.pieces, make([]nodeState, inPiece))
	}
	*s.at(uint32(s.n)) = x
	s.n++
}

// face throws the die that a place waits for and gives the place that leads to. Most faces lead to
// the same place as others beside them: a blow misses by one or by two. What is asked of the face on the
// way says with which others nothing would differ, and all of them are known from then on.
func (a *Automaton) face(at node) (node, bool) {
	face := a.die(int(at.size()))
	c := a.show(at)
	a.faces = append(a.faces[:0], face)
	f := outcome{faces: a.faces}
	a.taken++
	a.transitions.fall(c, f)
	same := transition.Range{At: int32(a.m.Prog.DrawWords[0]), Lo: 1, Hi: int64(at.size())}
	x := c.byFace.FindAlike(c.store, &c.vary, &same)
	alone := x == nil
	if alone {
		if x = a.learn(c, f, &c.byFace); x == nil {
			return 0, false
		}
	}
	a.transitions.change(c, x)
	if alone || x.dependsOn(same.At) {
		same.Lo, same.Hi = int64(face), int64(face)
	}
	next, ok := a.arrive(x)
	if ok {
		leads := a.table[at.at():]
		for face := same.Lo; face <= same.Hi; face++ {
			leads[face] = next
		}
	}
	return next, ok
}

// dependsOn says whether something that a transition writes is worked out from a word.
func (x *Transition) dependsOn(at int32) bool {
	return slices.ContainsFunc(x.changes.forms, func(f write) bool {
		return slices.Contains(f.form.At[:f.form.N], at)
	})
}

// intern gives the place with the state that a control shows.
func (a *Automaton) intern(c *control) (node, bool) {
	words := a.transitions.gather(c)
	h := maphash.Bytes(a.seed, asBytes(words)) ^ c.hash
	i := a.index.first(h)
	for ; a.index.nodes[i] != 0; i = a.index.next(i) {
		p := a.index.nodes[i]
		if s := a.state(p); s.hash == h && s.at == c && slices.Equal(s.words, words) {
			c.shown = p
			return p, true
		}
	}
	at := len(a.table)
	if at >= 1<<23 {
		return 0, false
	}
	a.grown = true
	w := nodeState{at: c, words: a.stateWords.clone(words), hash: h}
	p := node(at << 8)
	a.table = append(a.table, node(a.states.n))
	switch {
	case c.end:
		a.table = append(a.table, node(a.ends))
		a.ends++
	case c.pool():
		p |= aPool
		w.special = &special{}
	default:
		p |= node(c.sizes[0])
		a.table = grown(a.table, c.sizes[0])
		a.table = a.table[:len(a.table)+c.sizes[0]]
	}
	a.words += len(words) + len(c.sizes) + 12
	a.states.add(w)
	a.index.put(i, p, a.hash)
	c.shown = p
	return p, true
}

// grown makes room for n more in a list, and twice as much where there is none: append grows a
// long list by a quarter only, and copies it again and again.
func grown[T any](list []T, n int) []T {
	if len(list)+n > cap(list) {
		list = slices.Grow(list, len(list)+n)
	}
	return list
}

// hash gives the hash of a place.
func (a *Automaton) hash(p node) uint64 { return a.state(p).hash }

// index is an open-addressed table of places by the hash of their state.
type index struct {
	nodes []node // as many as a power of two
	used  int
}

// first gives where a place with a hash is looked for first.
func (x *index) first(h uint64) int {
	if len(x.nodes) == 0 {
		x.nodes = make([]node, 256)
	}
	return int(h & uint64(len(x.nodes)-1))
}

// next gives where it is looked for then.
func (x *index) next(i int) int { return (i + 1) & (len(x.nodes) - 1) }

// put puts a place where the search for it has ended.
func (x *index) put(i int, p node, hash func(node) uint64) {
	x.nodes[i] = p
	if x.used++; 2*x.used < len(x.nodes) {
		return
	}
	old := x.nodes
	x.nodes = make([]node, 4*len(old))
	for _, p := range old {
		if p == 0 {
			continue
		}
		i := x.first(hash(p))
		for x.nodes[i] != 0 {
			i = x.next(i)
		}
		x.nodes[i] = p
	}
}

// slab keeps words of many states in a few long pieces.
type slab struct{ left []V }

func (s *slab) clone(words []V) []V {
	if len(words) > len(s.left) {
		s.left = make([]V, max(1<<12, len(words)))
	}
	out := s.left[:len(words):len(words)]
	s.left = s.left[len(words):]
	copy(out, words)
	return out
}
