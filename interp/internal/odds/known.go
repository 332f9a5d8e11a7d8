package odds

import (
	"slices"

	"setpiece/interp/internal/symbolic"
)

// known remembers what began at one place in the program: ways or steps. Plain
// computation that begins there always asks the same of the words of the store
// first; what it finds decides what it asks next. So what was the case, in the
// order in which it was asked, leads through a decision tree to what came of it.
type known[T any] struct {
	chain []held             // words that are read one after the other, with what they have to be
	what  *T                 // that came of it then
	at    int32              // or the word that is read then, to which there are several answers
	asks  symbolic.Predicate // or what else is asked
	of    symbolic.Linear
	next  []branch[T]     // where the answer is a value
	index map[V]*known[T] // of next, where it is long
	yes   *known[T]       // where it is yes or no
	no    *known[T]
}

// held is what a word of the store holds.
type held struct {
	at int32
	v  V
}

type branch[T any] struct {
	v  V
	to *known[T]
}

// maxBranches is how many branches are gone through one after the other.
const maxBranches = 8

// find gives what is known to come of the words in now, or nil.
func (t *known[T]) find(now []V) *T {
	for t != nil {
		for i := range t.chain {
			if w := &t.chain[i]; now[w.at] != w.v {
				return nil
			}
		}
		switch {
		case t.what != nil || len(t.next) == 0 && t.asks == symbolic.Always:
			return t.what
		case t.asks == symbolic.Always:
			t = t.branch(now[t.at])
		case t.asks == symbolic.Exactly:
			t = t.branch(t.of.Of(now))
		case t.asks.Holds(&t.of, now):
			t = t.yes
		default:
			t = t.no
		}
	}
	return nil
}

func (t *known[T]) branch(v V) *known[T] {
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

func (t *known[T]) grow(v V, to *known[T]) {
	t.next = append(t.next, branch[T]{v, to})
	if t.index != nil {
		t.index[v] = to
	} else if len(t.next) > maxBranches {
		t.index = map[V]*known[T]{}
		for _, b := range t.next {
			t.index[b.v] = b.to
		}
	}
}

// add remembers what came of the words in now, by what was the case. Where
// something else was asked than before, since less was known to differ then, what
// was remembered there is forgotten.
func (t *known[T]) add(now []V, path *symbolic.PathCondition, x *T) {
	asked := path.Order
	for {
		i := 0
		for i < len(t.chain) && i < len(asked) && asked[i] == t.chain[i].at && now[asked[i]] == t.chain[i].v {
			i++
		}
		asked = asked[i:]
		if i < len(t.chain) {
			w := t.chain[i]
			if len(asked) == 0 || asked[0] != w.at {
				*t = known[T]{chain: t.chain[:i:i]}
				break
			}
			rest := *t
			rest.chain = t.chain[i+1:]
			*t = known[T]{chain: t.chain[:i:i], at: w.at}
			t.grow(w.v, &rest)
		}
		if len(asked) == 0 || t.what != nil {
			break
		}
		if at := asked[0]; at >= 0 {
			if len(t.next) == 0 || t.asks != symbolic.Always || t.at != at {
				break
			}
			t = t.to(now[at])
		} else {
			f := &path.Constraints[^at]
			if t.asks != f.Is || t.of != f.Of {
				break
			}
			t = t.answer(now, f)
		}
		asked = asked[1:]
	}
	// nothing is remembered from here on that asks the same
	*t = known[T]{chain: t.chain}
	for i, at := range asked {
		if at >= 0 {
			if t.chain == nil {
				n := slices.IndexFunc(asked[i:], func(at int32) bool { return at < 0 })
				if n < 0 {
					n = len(asked) - i
				}
				t.chain = make([]held, 0, n)
			}
			t.chain = append(t.chain, held{at, now[at]})
			continue
		}
		f := &path.Constraints[^at]
		t.asks, t.of = f.Is, f.Of
		t = t.answer(now, f)
	}
	t.what = x
}

// answer gives where what is asked leads with the answer that it has.
func (t *known[T]) answer(now []V, f *symbolic.Constraint) *known[T] {
	if f.Is == symbolic.Exactly {
		return t.to(f.Of.Of(now))
	}
	side := &t.no
	if f.Yes {
		side = &t.yes
	}
	if *side == nil {
		*side = &known[T]{}
	}
	return *side
}

// to gives where a value leads.
func (t *known[T]) to(v V) *known[T] {
	to := t.branch(v)
	if to == nil {
		to = &known[T]{}
		t.grow(v, to)
	}
	return to
}

// bytesOf is how much memory it takes, roughly, to remember something by a path.
func bytesOf(path *symbolic.PathCondition) int { return 32*len(path.Order) + 250*len(path.Constraints) }
