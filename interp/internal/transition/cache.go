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
	"slices"

	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/value"
)

// V is a value.
type V = value.V

// Cache remembers what runs have led to that began at one place in the program.
type Cache[T any] struct {
	words  []wordValue        // words that are read one after the other, with what they have to be
	result *T                 // that came of it then
	at     int32              // or the word that is read then, to which there are several answers
	test   symbolic.Predicate // or what else is asked
	of     symbolic.Linear
	next   []branch[T]     // where the answer is a value
	index  map[V]*Cache[T] // of next, where it is long
	yes    *Cache[T]       // where it is yes or no
	no     *Cache[T]
}

// wordValue is what a word of the store holds.
type wordValue struct {
	at int32
	v  V
}

type branch[T any] struct {
	v  V
	to *Cache[T]
}

// maxBranches is how many branches are gone through one after the other.
const maxBranches = 8

// Find gives what is known to come of the words in now, or nil.
func (t *Cache[T]) Find(now []V) *T {
	for t != nil {
		for i := range t.words {
			if w := &t.words[i]; now[w.at] != w.v {
				return nil
			}
		}
		switch {
		case t.result != nil || len(t.next) == 0 && t.test == symbolic.Always:
			return t.result
		case t.test == symbolic.Always:
			t = t.branch(now[t.at])
		case t.test == symbolic.Exactly:
			t = t.branch(t.of.Of(now))
		case t.test.Holds(&t.of, now):
			t = t.yes
		default:
			t = t.no
		}
	}
	return nil
}

func (t *Cache[T]) branch(v V) *Cache[T] {
	if t.index != nil {
		return t.index[v]
	}
	for i := range t.next {
		if t.next[i].v == v {
			return t.next[i].to
		}
	}
	return nil
}

func (t *Cache[T]) grow(v V, to *Cache[T]) {
	t.next = append(t.next, branch[T]{v, to})
	if t.index != nil {
		t.index[v] = to
	} else if len(t.next) > maxBranches {
		t.index = map[V]*Cache[T]{}
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
		i := 0
		for i < len(t.words) && i < len(asked) && asked[i] == t.words[i].at && now[asked[i]] == t.words[i].v {
			i++
		}
		asked = asked[i:]
		if i < len(t.words) {
			w := t.words[i]
			if len(asked) == 0 || asked[0] != w.at {
				*t = Cache[T]{words: t.words[:i:i]}
				break
			}
			rest := *t
			rest.words = t.words[i+1:]
			*t = Cache[T]{words: t.words[:i:i], at: w.at}
			t.grow(w.v, &rest)
			bytes += bytesOfNode
		}
		if len(asked) == 0 || t.result != nil {
			break
		}
		if at := asked[0]; at >= 0 {
			if len(t.next) == 0 || t.test != symbolic.Always || t.at != at {
				break
			}
			t = t.to(now[at])
		} else {
			f := &path.Constraints[^at]
			if t.test != f.Is || t.of != f.Of {
				break
			}
			t = t.answer(now, f)
		}
		asked = asked[1:]
	}
	// nothing is remembered from here on that asks the same
	*t = Cache[T]{words: t.words}
	bytes += bytesOfNode
	for i, at := range asked {
		if at >= 0 {
			if t.words == nil {
				n := slices.IndexFunc(asked[i:], func(at int32) bool { return at < 0 })
				if n < 0 {
					n = len(asked) - i
				}
				t.words = make([]wordValue, 0, n)
				bytes += 16 * n
			}
			t.words = append(t.words, wordValue{at, now[at]})
			continue
		}
		f := &path.Constraints[^at]
		t.test, t.of = f.Is, f.Of
		t = t.answer(now, f)
		bytes += bytesOfNode
	}
	t.result = x
	return bytes
}

// bytesOfNode is what a node of the tree takes with the branch that leads to it.
const bytesOfNode = 176

// answer gives where what is asked leads with the answer that it has.
func (t *Cache[T]) answer(now []V, f *symbolic.Constraint) *Cache[T] {
	if f.Is == symbolic.Exactly {
		return t.to(f.Of.Of(now))
	}
	side := &t.no
	if f.Yes {
		side = &t.yes
	}
	if *side == nil {
		*side = &Cache[T]{}
	}
	return *side
}

// to gives where a value leads.
func (t *Cache[T]) to(v V) *Cache[T] {
	to := t.branch(v)
	if to == nil {
		to = &Cache[T]{}
		t.grow(v, to)
	}
	return to
}
