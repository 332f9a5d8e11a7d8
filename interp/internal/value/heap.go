package value

import (
	"maps"
	"math/big"
	"slices"
)

// Heap interns the values that do not fit a word. It only grows, except that
// Release forgets everything made since a Mark. It is not safe for concurrent
// use; machines that run side by side each have a Heap of their own, which may begin
// as a Copy of a common one.
type Heap struct {
	texts   []string
	textIdx map[string]uint32
	rats    []*big.Rat
	ratIdx  map[string]uint32
	seqs    []seq
	table   []uint32 // open addressing over seqs; 0 is empty, else number+1
	chunk   []V      // where the next sequence is stored
	room    []V      // where a list is put together
	Used    int64    // bytes of texts, numbers and sequences, roughly
	over    int64    // of Used: not bytes, see TooNested
	refs    []func() // what to call when words that somebody keeps go

	marked Mark               // the last one: what was there is not added to in place
	flat   []uint32           // the maps that are kept as logs whose pairs were made, in turn
	longs  map[uint32]growing // the long texts
	longAt map[uint64]uint32  // the same by their hash
}

// Refer says that somebody is about to keep words, until Release calls forget. They go
// with a Mark made before this, and not with one made after it, even where the heap
// has not grown in between.
func (h *Heap) Refer(forget func()) { h.refs = append(h.refs, forget) }

// seq is an interned sequence: the elements of a list, the keys and values of
// a map in turn, the two ends of a range.
type seq struct {
	kind  Kind
	depth uint16 // how many sequences are inside one another
	hash  uint32
	elem  []V // of a map with a log: nil until they are asked for
	run   *run
	log   *log
	puts  uint32 // how much of the log is of this map
	size  uint32 // how many keys it has
}

// MaxNested is how many lists may be inside one another: what goes into them
// calls itself for each.
const MaxNested = 10_000

// TooNested says whether there were more since it was last asked.
func (h *Heap) TooNested() bool {
	yes := h.over > 0
	h.Used, h.over = h.Used-h.over, 0
	return yes
}

// excess is counted as used for a value that may not be, so that whoever bounds
// Used stops at once and looks.
const excess = 1 << 40

// NewHeap makes an empty Heap. The empty text and the empty list are number 0.
func NewHeap() *Heap {
	h := &Heap{
		textIdx: make(map[string]uint32),
		ratIdx:  make(map[string]uint32),
		table:   make([]uint32, 1024),
		longs:   map[uint32]growing{},
		longAt:  map[uint64]uint32{},
	}
	h.OfText("")
	h.OfList(nil)
	return h
}

// EmptyList is the list without elements in every Heap.
const EmptyList = V(List)

// Empty says whether nothing has been interned yet.
func (h *Heap) Empty() bool { return len(h.texts) == 1 && len(h.seqs) == 1 && len(h.rats) == 0 }

// Copy fills an empty Heap with what another holds. Both grow on their own from then on.
func (h *Heap) Copy(from *Heap) {
	h.texts, h.textIdx = slices.Clone(from.texts), maps.Clone(from.textIdx)
	h.rats, h.ratIdx = slices.Clone(from.rats), maps.Clone(from.ratIdx)
	h.seqs, h.table = slices.Clone(from.seqs), slices.Clone(from.table)
	h.longs, h.longAt = maps.Clone(from.longs), maps.Clone(from.longAt)
	h.flat, h.chunk, h.Used = slices.Clone(from.flat), nil, from.Used
	h.Mark() // what is common is added to in neither
}

// Import gives the value that v is in another Heap.
func (h *Heap) Import(from *Heap, v V) V {
	switch k := v.Kind(); k {
	case Text, Symbol:
		return of(k, uint64(h.intern(from.TextOf(v))))
	case Rat:
		return h.OfRat(from.RatOf(v))
	case List, Map, Range, Made:
		elem := from.elems(uint32(v.Payload()))
		own := make([]V, len(elem))
		for i, x := range elem {
			own[i] = h.Import(from, x)
		}
		return of(k, uint64(h.seq(k, own)))
	}
	return v
}

// Mark is a point in the growth of a Heap.
type Mark struct {
	texts, rats, seqs int
	used              int64
	refs              int // who kept words by then
	flat              int
}

// Used is how many bytes were used by the time of m.
func (m Mark) Used() int64 { return m.used }

// Holds says whether everything made by the time of m is there still when all made
// since here is released.
func (here Mark) Holds(m Mark) bool {
	return here.texts >= m.texts && here.rats >= m.rats && here.seqs >= m.seqs
}

// Mark notes how far the Heap has grown.
func (h *Heap) Mark() Mark {
	h.marked = Mark{len(h.texts), len(h.rats), len(h.seqs), h.Used, len(h.refs), len(h.flat)}
	return h.marked
}

// Grown says how many values were interned since m.
func (h *Heap) Grown(m Mark) int {
	return len(h.texts) - m.texts + len(h.rats) - m.rats + len(h.seqs) - m.seqs
}

// Release forgets all values interned since m. No word made since may be used
// again.
func (h *Heap) Release(m Mark) {
	for _, n := range h.flat[m.flat:] {
		if int(n) < m.seqs {
			h.seqs[n].elem = nil
		}
	}
	h.flat = h.flat[:m.flat]
	if h.Grown(m) == 0 {
		h.Used = m.used
		return
	}
	h.marked = m
	large := h.Used-m.used > largeRelease
	for n := len(h.refs) - 1; n >= m.refs; n-- {
		h.refs[n]()
		h.refs[n] = nil
		h.refs = h.refs[:n]
	}
	h.Used, h.over = m.used, 0
	for n := len(h.texts) - 1; n >= m.texts; n-- {
		if t := h.texts[n]; len(t) < longText {
			delete(h.textIdx, t)
		} else {
			h.forgetLong(uint32(n))
		}
	}
	clear(h.texts[m.texts:])
	h.texts = h.texts[:m.texts]
	for _, r := range h.rats[m.rats:] {
		delete(h.ratIdx, ratKey(r))
	}
	clear(h.rats[m.rats:])
	h.rats = h.rats[:m.rats]
	if len(h.seqs) > m.seqs {
		clear(h.seqs[m.seqs:])
		h.seqs = h.seqs[:m.seqs]
		h.rehash(len(h.table))
	}
	if large {
		h.shrink()
	}
}

// largeRelease is from how many bytes on a Release gives back the room that the
// values had, and not only the values.
const largeRelease = 16 << 20

// shrink makes everything as small as what is left.
func (h *Heap) shrink() {
	h.texts, h.rats, h.seqs = slices.Clip(slices.Clone(h.texts)), slices.Clip(slices.Clone(h.rats)), slices.Clip(slices.Clone(h.seqs))
	h.textIdx, h.ratIdx = rebuilt(h.textIdx), rebuilt(h.ratIdx)
	h.longs, h.longAt = rebuilt(h.longs), rebuilt(h.longAt)
	h.chunk = nil
	n := 1024
	for n < 4*len(h.seqs) {
		n *= 2
	}
	h.rehash(n)
}

// rebuilt is a map without the room that deleted entries had.
func rebuilt[K comparable, N any](m map[K]N) map[K]N {
	out := make(map[K]N, len(m))
	maps.Copy(out, m)
	return out
}

func (h *Heap) rehash(n int) {
	if n == len(h.table) {
		clear(h.table)
	} else {
		h.table = make([]uint32, n)
	}
	mask := uint32(n - 1)
	for i, s := range h.seqs {
		p := h.place(s.hash)
		for h.table[p] != 0 {
			p = (p + 1) & mask
		}
		h.table[p] = uint32(i + 1)
	}
}

// OfText interns a text.
func (h *Heap) OfText(s string) V { return of(Text, uint64(h.intern(s))) }

// OfSymbol makes the symbol named s.
func (h *Heap) OfSymbol(s string) V { return of(Symbol, uint64(h.intern(s))) }

func (h *Heap) intern(s string) uint32 {
	if len(s) >= longText {
		return h.internLong("", s, growing{hash: 14695981039346656037})
	}
	if n, ok := h.textIdx[s]; ok {
		return n
	}
	n := uint32(len(h.texts))
	h.texts = append(h.texts, s)
	h.Used += int64(len(s)) + 80
	h.textIdx[s] = n
	return n
}

// OfBytes interns a text, which need not be made where it is known.
func (h *Heap) OfBytes(s []byte) V {
	if n, ok := h.textIdx[string(s)]; ok { // a long one is not there
		return of(Text, uint64(n))
	}
	return h.OfText(string(s))
}

// TextOf gives the text of a Text or the name of a Symbol.
func (h *Heap) TextOf(v V) string { return h.texts[v.Payload()] }

// OfRat makes a number in its smallest form: a word when it is whole and fits.
func (h *Heap) OfRat(r *big.Rat) V {
	if r.IsInt() && r.Num().IsInt64() {
		if n := r.Num().Int64(); n >= MinInt && n <= MaxInt {
			return OfInt(n)
		}
	}
	key := ratKey(r)
	if n, ok := h.ratIdx[key]; ok {
		return of(Rat, uint64(n))
	}
	n := uint32(len(h.rats))
	h.Used += int64(9*len(key)/2) + 200
	h.rats = append(h.rats, new(big.Rat).Set(r))
	h.ratIdx[key] = n
	return of(Rat, uint64(n))
}

// ratKey writes a number so that equal numbers are written alike: to a base that is a power of
// two, which takes time in proportion to its length. Decimal digits of long numbers take the
// square of it.
func ratKey(r *big.Rat) string { return r.Num().Text(32) + "/" + r.Denom().Text(32) }

// OfInt64 makes a number of any int64.
func (h *Heap) OfInt64(n int64) V {
	if n >= MinInt && n <= MaxInt {
		return OfInt(n)
	}
	return h.OfRat(new(big.Rat).SetInt64(n))
}

// RatOf gives the number of an Int or a Rat. It must not be changed.
func (h *Heap) RatOf(v V) *big.Rat {
	if v.IsInt() {
		return new(big.Rat).SetInt64(v.Int())
	}
	return h.rats[v.Payload()]
}

// OfList interns a list; elem is copied.
func (h *Heap) OfList(elem []V) V { return of(List, uint64(h.seq(List, elem))) }

// OfJoined interns the list of the elements of a and, behind them, those of b.
func (h *Heap) OfJoined(a, b []V) V {
	h.room = append(append(h.room[:0], a...), b...)
	return h.OfList(h.room)
}

// Elems gives the elements of a List. They must not be changed.
func (h *Heap) Elems(v V) []V { return h.seqs[v.Payload()].elem }

// OfRange makes the range lo..hi; an end may be None.
func (h *Heap) OfRange(lo, hi V) V {
	pair := [2]V{lo, hi}
	return of(Range, uint64(h.seq(Range, pair[:])))
}

// Ends gives the two ends of a Range.
func (h *Heap) Ends(v V) (lo, hi V) {
	e := h.seqs[v.Payload()].elem
	return e[0], e[1]
}

// OfMap interns a map from its keys and values in turn; keys must be sorted by
// Compare and differ.
func (h *Heap) OfMap(pairs []V) V { return of(Map, uint64(h.seq(Map, pairs))) }

// Pairs gives the keys and values of a Map in turn. They must not be changed.
func (h *Heap) Pairs(v V) []V { return h.elems(uint32(v.Payload())) }

func (h *Heap) seq(k Kind, elem []V) uint32 {
	var hash uint32
	if k == Map && len(elem) >= 2*long {
		hash = hashOfMap(elem)
	} else {
		hash = hashed(uint32(2166136261)^uint32(k), elem)
	}
	p, found := h.find(hash, func(n uint32) bool {
		return h.seqs[n].kind == k && slices.Equal(h.elems(n), elem)
	})
	if found {
		return h.table[p] - 1
	}
	h.Used += int64(len(elem))*8 + 80
	return h.add(p, seq{kind: k, depth: h.depth(elem), hash: hash, elem: h.keep(elem)})
}

// hashed is the hash of a sequence that goes on with elem.
func hashed(hash uint32, elem []V) uint32 {
	for _, v := range elem {
		hash = (hash ^ uint32(v)) * 16777619
		hash = (hash ^ uint32(v>>32)) * 16777619
	}
	return hash
}

// place is where the table begins to look for a hash.
func (h *Heap) place(hash uint32) uint32 { return (hash ^ hash>>15) & uint32(len(h.table)-1) }

// find finds a sequence in the table by its hash, or the place for it.
func (h *Heap) find(hash uint32, is func(n uint32) bool) (p uint32, found bool) {
	mask := uint32(len(h.table) - 1)
	for p = h.place(hash); h.table[p] != 0; p = (p + 1) & mask {
		if n := h.table[p] - 1; h.seqs[n].hash == hash && is(n) {
			return p, true
		}
	}
	return p, false
}

// add puts a sequence into its place in the table.
func (h *Heap) add(p uint32, s seq) uint32 {
	n := uint32(len(h.seqs))
	h.seqs = append(h.seqs, s)
	h.table[p] = n + 1
	if len(h.seqs)*2 > len(h.table) {
		h.rehash(len(h.table) * 2)
	}
	return n
}

// depth is how many sequences are inside one another in one of elem.
func (h *Heap) depth(elem []V) uint16 {
	d := uint16(0)
	for _, v := range elem {
		switch v.Kind() {
		case List, Map, Range, Made:
			d = max(d, h.seqs[v.Payload()].depth)
		}
	}
	if d >= MaxNested {
		h.Used += excess
		h.over += excess
		return d
	}
	return d + 1
}

// keep copies elem into the current chunk.
func (h *Heap) keep(elem []V) []V {
	n := len(elem)
	if cap(h.chunk)-len(h.chunk) < n {
		h.chunk = make([]V, 0, max(1024, n))
	}
	at := len(h.chunk)
	h.chunk = append(h.chunk, elem...)
	return h.chunk[at : at+n : at+n]
}
