// Package transition remembers where runs have led, by why they led there.
//
// A run without dice that begins at one place in the program always asks the same of the
// words of the store first; what it finds decides what it asks next. So the constraints of
// its path condition, in the order in which they were met, are a way through a decision
// tree, and at its end stands what came of the run:
//
//	villain.hits >= 1?   yes   hero.tokens = 1?   no    one token less
//	                     no    …                  yes   the hero has fallen
//
// A state with other words that gives the same answers is led to the same leaf, and need
// not be executed. Memoisation by what was read instead of by all arguments is due to Abadi,
// Lampson and Lévy, Analysis and caching of dependencies, 1996; here a constraint may also be
// a comparison of linear forms (package symbolic).
//
// Package odds keeps a Cache for each place, of transitions and of macro steps, and package
// sim one of what trials have executed.
package transition

import (
	"math"
	"slices"

	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/value"
)

// V is a value.
type V = value.V

// Cache remembers what runs have led to that began at one place in the program. It is a node of
// the decision tree with all below it. Questions that have had only one answer so far stand
// in a row, so that most of a way through the tree is gone without following pointers.
type Cache[T any] struct {
	// what a search reads comes first, close together
	looked int32     // how many words varied when open was found, and one
	forks  bool      // there are several answers to asks
	open   []step    // those of passed that may be answered otherwise, see FindAmongAmong
	result *T        // that came of it then
	asks   step      // or what is asked then
	yes    *Cache[T] // where the answer is yes or no
	no     *Cache[T]
	byInt  []*Cache[T]     // of next, by number, where all are small
	index  map[V]*Cache[T] // of next, where it is long
	next   []branch[T]     // where the answer is a value
	passed []step          // what is asked one after the other, with the answers
}

// step is a question about the words of the store, with an answer.
type step struct {
	of     *symbolic.Linear // the number it is about; nil: factor times the word, and v
	v      V                // which value the word is or, of Exactly, the number
	at     int32
	factor int16
	is     symbolic.Predicate // Always: which value the word is
	yes    bool
}

// Varying tells which words of the store differ among the states that a cache is asked about.
// Once a word does it remains so.
type Varying struct {
	Words []int32
	Is    []bool // by word
}

// Add notes that a word differs.
func (w *Varying) Add(at int32) {
	w.Words = append(w.Words, at)
	w.Is[at] = true
}

// asked says whether the answer may be another one in other states.
func (w *Varying) asked(s *step) bool {
	if s.of == nil {
		return w.Is[s.at]
	}
	for _, at := range s.of.At[:s.of.N] {
		if w.Is[at] {
			return true
		}
	}
	return false
}

// stepOf gives one of what was the case as a step, where the words are these.
func stepOf(path *symbolic.PathCondition, at int32, now []V) step {
	if at >= 0 {
		return step{at: at, v: now[at]}
	}
	f := &path.Constraints[^at]
	s := step{is: f.Is, yes: f.Yes}
	if of := &f.Of; of.N == 1 && of.By == 1 && f.Is != symbolic.Exactly {
		s.at, s.factor, s.v = of.At[0], of.Factor[0], V(of.K)
		return s
	}
	of := f.Of
	if s.of = &of; f.Is == symbolic.Exactly {
		s.v, s.yes = of.Of(now), false
	}
	return s
}

// holds says whether the words give the answer.
func (s *step) holds(now []V) bool {
	switch s.is {
	case symbolic.Always:
		return now[s.at] == s.v
	case symbolic.Exactly:
		return s.of.Of(now) == s.v
	}
	return s.isSo(now) == s.yes
}

// isSo answers a question to which the answer is yes or no.
func (s *step) isSo(now []V) bool {
	if s.of != nil {
		return s.is.Holds(s.of, now)
	}
	if s.is == symbolic.IsWhole {
		return symbolic.Whole(now[s.at])
	}
	n := int64(s.v) + int64(s.factor)*now[s.at].Int()
	return n == 0 || n > 0 && s.is == symbolic.NotNegative
}

// valued says whether the answer is a value, and gives it.
func (s *step) valued(now []V) (V, bool) {
	switch s.is {
	case symbolic.Always:
		return now[s.at], true
	case symbolic.Exactly:
		return s.of.Of(now), true
	}
	return 0, false
}

// same says whether two steps ask the same.
func (s *step) same(t *step) bool {
	if s.is != t.is || s.at != t.at || (s.of == nil) != (t.of == nil) {
		return false
	}
	if s.of != nil {
		return *s.of == *t.of
	}
	return s.is == symbolic.Always || s.factor == t.factor && s.v == t.v
}

type branch[T any] struct {
	v  V
	to *Cache[T]
}

// maxBranches is how many branches are gone through one after the other.
const maxBranches = 8

// Find gives what is known to come of the words in now, or nil.
func (t *Cache[T]) Find(now []V) *T { return t.find(now, nil, nil) }

// FindAmong does the same, where now is one of states that agree in all words but some: what is
// asked of the other words has the answer it had when something was added.
func (t *Cache[T]) FindAmong(now []V, vary *Varying) *T { return t.find(now, vary, nil) }

// FindAlike is FindAmong, and takes from a range of numbers that a word may hold, of which it
// holds one, those with which something else might be found.
func (t *Cache[T]) FindAlike(now []V, vary *Varying, r *Range) *T { return t.find(now, vary, r) }

// find is FindAlike, where vary is nil if all words may differ, and alike nil if nobody wants to know.
func (t *Cache[T]) find(now []V, vary *Varying, alike *Range) *T {
	for t != nil {
		steps := t.passed
		if vary != nil {
			if t.looked != int32(len(vary.Words)+1) {
				t.look(vary)
			}
			steps = t.open
		}
		for i := range steps {
			s := &steps[i]
			if s.is == symbolic.Always {
				if now[s.at] != s.v {
					return nil
				}
			} else if !s.holds(now) {
				return nil
			}
			if alike != nil {
				alike.narrow(s, now)
			}
		}
		if !t.forks {
			return t.result
		}
		if alike != nil {
			alike.narrow(&t.asks, now)
		}
		t = t.follow(now)
	}
	return nil
}

// look finds what of passed may be answered otherwise.
func (t *Cache[T]) look(vary *Varying) {
	t.looked, t.open = int32(len(vary.Words)+1), t.open[:0]
	for i := range t.passed {
		if vary.asked(&t.passed[i]) && !t.implied(i) {
			t.open = append(t.open, t.passed[i])
		}
	}
}

// implied says whether a step holds wherever the question behind it has a known answer: a word that
// was no whole number is asked for its value next.
func (t *Cache[T]) implied(i int) bool {
	s, then := &t.passed[i], &t.asks
	if i+1 < len(t.passed) {
		then = &t.passed[i+1]
	} else if !t.forks {
		return false
	}
	return s.is == symbolic.IsWhole && !s.yes && s.of == nil && then.is == symbolic.Always && then.at == s.at
}

// Range is numbers that one word may hold: all from Lo to Hi.
type Range struct {
	At     int32
	Lo, Hi int64
}

// narrow takes numbers from the range until the answer to a question is the same with all.
func (r *Range) narrow(s *step, now []V) {
	if r.Lo < r.Hi && (s.of != nil || s.at == r.At) {
		r.cut(s, now)
	}
}

// cut is narrow for a question that may be about the word. The number n that it asks for grows
// or falls evenly with the word, so the answer is the same as long as n stays on its side.
func (r *Range) cut(s *step, now []V) {
	here := now[r.At].Int()
	by, n, factor := int64(1), int64(s.v)+int64(s.factor)*here, int64(s.factor)
	if s.of != nil {
		by = int64(s.of.By)
		n, factor = s.of.Numerator(now, r.At)
	}
	const much = math.MaxInt64 / 2
	down, up := int64(much), int64(much) // how far n may go
	switch {
	case s.is == symbolic.IsWhole || s.of != nil && factor == 0:
		return
	case s.is == symbolic.Always || s.is == symbolic.Exactly:
		r.Lo, r.Hi = here, here
		return
	case n < 0:
		up = -1 - n
	case s.is == symbolic.NotNegative:
		down = n
	case n < by:
		down, up = n, by-1-n
	default:
		down = n - by
	}
	if factor < 0 {
		factor, down, up = -factor, up, down
	}
	if factor != 1 {
		down, up = down/factor, up/factor
	}
	r.Lo, r.Hi = max(r.Lo, here-down), min(r.Hi, here+up)
}

// follow gives where the answer leads, nil where that is not known.
func (t *Cache[T]) follow(now []V) *Cache[T] {
	switch v, ok := t.asks.valued(now); {
	case ok:
		return t.branch(v)
	case t.asks.isSo(now):
		return t.yes
	}
	return t.no
}

func (t *Cache[T]) branch(v V) *Cache[T] {
	switch {
	case t.byInt != nil:
		if n := uint64(v.Int()); v.IsInt() && n < uint64(len(t.byInt)) {
			return t.byInt[n]
		}
		return nil
	case t.index != nil:
		return t.index[v]
	}
	for i := range t.next {
		if t.next[i].v == v {
			return t.next[i].to
		}
	}
	return nil
}

// maxByInt bounds the numbers of branches that are found by number, as the faces of dice are.
const maxByInt = 100

func (t *Cache[T]) grow(v V, to *Cache[T]) {
	t.next = append(t.next, branch[T]{v, to})
	switch n := v.Int(); {
	case t.index != nil:
		t.index[v] = to
	case v.IsInt() && n >= 0 && n < maxByInt && (t.byInt != nil || len(t.next) == 1):
		for int(n) >= len(t.byInt) {
			t.byInt = append(t.byInt, nil)
		}
		t.byInt[n] = to
	case t.byInt != nil || len(t.next) > maxBranches:
		t.byInt, t.index = nil, map[V]*Cache[T]{}
		for _, b := range t.next {
			t.index[b.v] = b.to
		}
	}
}

// Add remembers what came of the words in now, by what was the case. Where
// something else was asked than before, since less was known to differ then, what
// was remembered there is forgotten. It gives how many bytes the cache has grown by, roughly: the
// beginning of a path is often there already.
func (t *Cache[T]) Add(now []V, path *symbolic.PathCondition, x *T) (bytes int) {
	asked := path.Order
	for {
		t.looked = 0
		i := 0
		var s step
		for ; i < len(t.passed) && len(asked) > 0; i, asked = i+1, asked[1:] {
			if s = stepOf(path, asked[0], now); !s.same(&t.passed[i]) || !t.passed[i].holds(now) {
				break
			}
		}
		if i < len(t.passed) {
			if p := &t.passed[i]; len(asked) > 0 && s.same(p) {
				t.split(i)
				bytes += bytesOfNode
			} else {
				*t = Cache[T]{passed: t.passed[:i:i]}
				break
			}
		}
		if len(asked) == 0 || !t.forks {
			break
		}
		if s = stepOf(path, asked[0], now); !s.same(&t.asks) {
			break
		}
		t = t.answer(now)
		asked = asked[1:]
	}
	// nothing is remembered from here on that asks the same
	*t = Cache[T]{passed: slices.Grow(t.passed, len(asked)), result: x}
	for _, at := range asked {
		s := stepOf(path, at, now)
		t.passed = append(t.passed, s)
		if bytes += bytesOfStep; s.of != nil {
			bytes += bytesOfLinear
		}
	}
	return bytes + bytesOfNode
}

// What a node of the tree takes with the branch that leads to it, a step and a linear form.
const (
	bytesOfNode   = 160
	bytesOfStep   = 24
	bytesOfLinear = 48
)

// split makes the ith step that is passed a fork, of which the one answer that is known leads to
// all that is behind it.
func (t *Cache[T]) split(i int) {
	s := t.passed[i]
	rest := *t
	rest.passed, rest.open = t.passed[i+1:], nil
	*t = Cache[T]{passed: t.passed[:i:i], asks: s, forks: true}
	switch {
	case s.is == symbolic.Always || s.is == symbolic.Exactly:
		t.grow(s.v, &rest)
	case s.yes:
		t.yes = &rest
	default:
		t.no = &rest
	}
}

// answer gives where what is asked leads with the answer that it has, a new node where that is
// not known.
func (t *Cache[T]) answer(now []V) *Cache[T] {
	v, ok := t.asks.valued(now)
	if ok {
		to := t.branch(v)
		if to == nil {
			to = &Cache[T]{}
			t.grow(v, to)
		}
		return to
	}
	side := &t.no
	if t.asks.isSo(now) {
		side = &t.yes
	}
	if *side == nil {
		*side = &Cache[T]{}
	}
	return *side
}
