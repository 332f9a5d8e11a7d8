package value

import (
	"slices"
	"strings"
)

// A loop that adds to a value, one element after the other, makes every value on the way, and
// each stays as it is: somebody may hold it. If each were stored whole, n elements would take
// n²/2 words. So a long value that was made by adding to another shares what the two have in
// common, and takes room for what is new only:
//
//   - The elements of a list are the first ones of a run. The longest list of a run may put its
//     next element behind them, as append of Go does; any other begins a run of its own.
//   - Letters of a text are the first ones of a strings.Builder in the same way.
//   - A map is a sorted beginning and the first n of a log of what was put into it. An index of
//     keys, and in the log the place where the same key was put before, find an entry for each
//     length of the log. The sorted pairs are made only where somebody asks for all of them.
//
// The hash of such a value comes from that of the shorter one, so that finding an equal one takes
// no longer than adding. Equal values are the same word as ever, however each is stored.
// What was there at the last Mark is not added to in place: Release gives back all room.

const (
	long     = 64  // from how many elements or pairs on a value shares what it has in common
	longText = 256 // the same of letters
)

// run is where lists that begin alike have their elements.
type run struct{ elem []V }

// log is what was put into a map, in turn.
type log struct {
	from       []V       // the sorted pairs that it began with
	keys, vals []V       // what was put behind them
	last       map[V]int // by key, where it was put last
	before     []int     // where the same key was put before, -1 for nowhere
}

// ofRun and ofLog are how much each value takes besides what was added.
const (
	ofRun = 96
	ofLog = 192
)

// Append interns the list of the elements of list a and, behind them, those of b.
func (h *Heap) Append(a V, b []V) V {
	n := uint32(a.Payload())
	s := h.seqs[n]
	if len(s.elem) < long {
		return h.OfJoined(s.elem, b)
	}
	hash := hashed(s.hash, b)
	p, found := h.find(hash, func(n uint32) bool {
		c := &h.seqs[n]
		return c.kind == List && len(c.elem) == len(s.elem)+len(b) &&
			sameStart(c.elem, s.elem) && slices.Equal(c.elem[len(s.elem):], b)
	})
	if found {
		return of(List, uint64(h.table[p]-1))
	}
	depth := max(s.depth, h.depth(b))
	r := s.run
	if r == nil || len(r.elem) != len(s.elem) || int(n) < h.marked.seqs {
		r = &run{append(make([]V, 0, 2*len(s.elem)), s.elem...)}
		h.Used += int64(cap(r.elem)) * 8
	}
	had := cap(r.elem)
	r.elem = append(r.elem, b...)
	h.Used += int64(cap(r.elem)-had)*8 + ofRun
	return of(List, uint64(h.add(p, seq{kind: List, depth: depth, hash: hash, elem: slices.Clip(r.elem), run: r})))
}

// sameStart says whether list begins with start. Those of one run do at a glance.
func sameStart(list, start []V) bool {
	return &list[0] == &start[0] || slices.Equal(list[:len(start)], start)
}

// hashOfPair is the part of a pair in the hash of a map. The parts are added up, so their
// order is of no account.
func hashOfPair(k, v V) uint32 {
	x := (uint64(k)*0x9E3779B97F4A7C15 ^ uint64(v)) * 0xD6E8FEB86659FD93
	x = (x ^ x>>32) * 0xD6E8FEB86659FD93
	return uint32(x >> 32)
}

// hashOfMap is the hash of a map of these pairs.
func hashOfMap(pairs []V) uint32 {
	hash := uint32(Map)
	for i := 0; i < len(pairs); i += 2 {
		hash += hashOfPair(pairs[i], pairs[i+1])
	}
	return hash
}

// MapSize is how many keys a Map has.
func (h *Heap) MapSize(m V) int {
	s := &h.seqs[m.Payload()]
	if s.log != nil {
		return int(s.size)
	}
	return len(s.elem) / 2
}

// Get looks up key k of map m.
func (h *Heap) Get(m, k V) (V, bool) { return h.get(&h.seqs[m.Payload()], k) }

func (h *Heap) get(s *seq, k V) (V, bool) {
	from := s.elem
	if s.log != nil {
		if at, ok := s.log.find(k, int(s.puts)); ok {
			return s.log.vals[at], true
		}
		from = s.log.from
	}
	if i, ok := h.search(from, k); ok {
		return from[i+1], true
	}
	return None, false
}

// find gives where a key was put last among the first n.
func (l *log) find(k V, n int) (int, bool) {
	at, ok := l.last[k]
	for ok && at >= n {
		at = l.before[at]
	}
	return at, ok && at >= 0
}

// search finds a key among sorted pairs, or where it would be.
func (h *Heap) search(pairs []V, k V) (int, bool) {
	lo, hi := 0, len(pairs)/2
	for lo < hi {
		mid := (lo + hi) / 2
		switch key := pairs[2*mid]; {
		case key == k:
			return 2 * mid, true
		case h.Compare(key, k) < 0:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return 2 * lo, false
}

// Put gives map m with key k holding v.
func (h *Heap) Put(m, k, v V) V {
	old, in := h.Get(m, k)
	if in && old == v {
		return m
	}
	if h.MapSize(m) >= long {
		return h.putLong(m, k, v, old, in)
	}
	p := h.Pairs(m)
	i, _ := h.search(p, k)
	if in {
		q := slices.Clone(p)
		q[i+1] = v
		return h.OfMap(q)
	}
	return h.OfMap(slices.Concat(p[:i], []V{k, v}, p[i:]))
}

// putLong is Put for a long map, by way of its log. The key held old before, if in.
func (h *Heap) putLong(m, k, v, old V, in bool) V {
	n := uint32(m.Payload())
	s := h.seqs[n]
	size, hash := h.MapSize(m)+1, s.hash+hashOfPair(k, v)
	if in {
		size, hash = size-1, hash-hashOfPair(k, old)
	}
	p, found := h.find(hash, func(n uint32) bool { return h.isPut(n, &s, size, k, v) })
	if found {
		return of(Map, uint64(h.table[p]-1))
	}
	depth := max(s.depth, h.depth([]V{k, v}))
	l := s.log
	if l == nil || len(l.keys) != int(s.puts) || int(n) < h.marked.seqs {
		pairs := h.Pairs(m)
		l = &log{from: pairs, last: map[V]int{}}
		s.puts = 0
		h.Used += ofLog
	}
	before, ok := l.last[k]
	if !ok {
		before = -1
	}
	l.last[k] = len(l.keys)
	l.keys, l.vals, l.before = append(l.keys, k), append(l.vals, v), append(l.before, before)
	h.Used += ofLog
	return of(Map, uint64(h.add(p, seq{kind: Map, depth: depth, hash: hash, log: l, puts: s.puts + 1, size: uint32(size)})))
}

// isPut says whether number n is the map s with k holding v, which then has size keys.
func (h *Heap) isPut(n uint32, s *seq, size int, k, v V) bool {
	c := &h.seqs[n]
	if c.log != nil && c.log == s.log && c.puts == s.puts+1 {
		return c.log.keys[s.puts] == k && c.log.vals[s.puts] == v
	}
	if c.kind != Map || h.MapSize(of(Map, uint64(n))) != size {
		return false
	}
	pairs := h.elems(n)
	for i := 0; i < len(pairs); i += 2 {
		want, in := v, true
		if pairs[i] != k {
			want, in = h.get(s, pairs[i])
		}
		if !in || pairs[i+1] != want {
			return false
		}
	}
	return true
}

// elems gives the elements of sequence n. Those of a map that is kept as a log are made where
// they are first asked for; what was made of a map from before a Mark goes with its Release.
func (h *Heap) elems(n uint32) []V {
	s := &h.seqs[n]
	if s.log != nil && s.elem == nil {
		s.elem = h.sorted(s)
		h.flat = append(h.flat, n)
		h.Used += int64(len(s.elem)) * 8
	}
	return s.elem
}

// sorted gives the pairs of a map that is kept as a log.
func (h *Heap) sorted(s *seq) []V {
	l, n := s.log, int(s.puts)
	var put []V // the keys that were put, each once
	for i, k := range l.keys[:n] {
		if at, _ := l.find(k, n); at == i {
			put = append(put, k)
		}
	}
	slices.SortFunc(put, h.Compare)
	pairs, from := make([]V, 0, 2*int(s.size)), l.from
	for _, k := range put {
		i, same := h.search(from, k)
		pairs = append(append(pairs, from[:i]...), k, 0)
		at, _ := l.find(k, n)
		pairs[len(pairs)-1] = l.vals[at]
		if from = from[i:]; same {
			from = from[2:]
		}
	}
	return append(pairs, from...)
}

// growing is a long text: the hash of its letters, and where more can be put behind them.
type growing struct {
	hash uint64
	room *strings.Builder // nil for a text that was not made by adding
}

// OfConcat interns the text of the letters of text a and those of b behind them.
func (h *Heap) OfConcat(a V, b []byte) V {
	n := uint32(a.Payload())
	s := h.texts[n]
	if len(s) < longText {
		var few [longText]byte
		return h.OfBytes(append(append(few[:0], s...), b...))
	}
	g := h.longs[n]
	if g.room != nil && (g.room.Len() != len(s) || int(n) < h.marked.texts) {
		g.room = nil
	}
	return of(Text, uint64(h.internLong(s, string(b), g)))
}

// internLong interns the text of the letters of a, which g is about, and of b.
func (h *Heap) internLong(a, b string, g growing) uint32 {
	hash := g.hash
	for i := range len(b) {
		hash = (hash ^ uint64(b[i])) * 1099511628211
	}
	place, n, found := h.findLong(hash, func(t string) bool {
		return len(t) == len(a)+len(b) && t[:len(a)] == a && t[len(a):] == b
	})
	if found {
		return n
	}
	text, room := b, g.room
	if a != "" {
		if room == nil {
			room = new(strings.Builder)
			room.Grow(2 * len(a))
			room.WriteString(a)
		}
		room.WriteString(b)
		text = room.String()
	}
	had := int64(0)
	if g.room != nil {
		had = int64(len(a))
	}
	n = uint32(len(h.texts))
	h.texts = append(h.texts, text)
	h.longAt[place] = n
	h.longs[n] = growing{hash, room}
	h.Used += 2*(int64(len(text))-had) + ofRun
	return n
}

// findLong finds a long text by its hash, or the place for it: where one place is taken by
// another text it is the next.
func (h *Heap) findLong(hash uint64, is func(string) bool) (place uint64, n uint32, found bool) {
	for place = hash; ; place++ {
		if n, found = h.longAt[place]; !found || is(h.texts[n]) {
			return place, n, found
		}
	}
}

// forgetLong forgets long text n, the last that was made.
func (h *Heap) forgetLong(n uint32) {
	text := h.texts[n]
	place, _, _ := h.findLong(h.longs[n].hash, func(t string) bool { return t == text })
	delete(h.longAt, place)
	delete(h.longs, n)
}
