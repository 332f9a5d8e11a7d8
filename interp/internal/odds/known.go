package odds

import "setpiece/interp/internal/machine"

// known remembers what began at one place in the program: ways or steps. Plain
// computation that begins there always asks the same of the words of the store
// first; what it finds decides what it asks next. So what was the case, in the
// order in which it was asked, leads through a decision tree to what came of it.
type known[T any] struct {
	chain []word        // words that are read one after the other, with what they have to be
	what  *T            // that came of it then
	asks  machine.Query // or what is asked then
	of    machine.Linear
	next  []branch[T]     // where the answer is a value
	index map[V]*known[T] // of next, where it is long
	yes   *known[T]       // where it is yes or no
	no    *known[T]
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
		case t.asks == machine.Nothing:
			return t.what
		case t.asks.Values():
			t = t.branch(t.asks.Value(&t.of, now))
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
func (t *known[T]) add(now []V, path []machine.Fact, x *T) {
	for {
		i := 0
		for i < len(t.chain) && i < len(path) && holds(&path[i], t.chain[i].at) && now[t.chain[i].at] == t.chain[i].v {
			i++
		}
		path = path[i:]
		if i < len(t.chain) {
			w := t.chain[i]
			if len(path) == 0 || !holds(&path[0], w.at) {
				*t = known[T]{chain: t.chain[:i:i]}
				break
			}
			rest := *t
			rest.chain = t.chain[i+1:]
			*t = known[T]{chain: t.chain[:i:i], asks: machine.HoldsThat, of: path[0].Of}
			t.grow(w.v, &rest)
		}
		if len(path) == 0 || t.asks == machine.Nothing || t.asks != path[0].Asks || t.of != path[0].Of {
			break
		}
		t = t.answer(now, &path[0])
		path = path[1:]
	}
	// nothing is remembered from here on that asks the same
	*t = known[T]{chain: t.chain}
	for ; len(path) > 0; path = path[1:] {
		f := &path[0]
		if f.Asks == machine.HoldsThat {
			t.chain = append(t.chain, word{at: f.Of.At[0], v: now[f.Of.At[0]]})
			continue
		}
		t.asks, t.of = f.Asks, f.Of
		t = t.answer(now, f)
	}
	t.what = x
}

// holds says whether what was the case is what a word held.
func holds(f *machine.Fact, at int32) bool {
	return f.Asks == machine.HoldsThat && f.Of.At[0] == at
}

// answer gives where what was asked leads, with the answer that it had.
func (t *known[T]) answer(now []V, f *machine.Fact) *known[T] {
	if f.Asks.Values() {
		v := f.Asks.Value(&f.Of, now)
		to := t.branch(v)
		if to == nil {
			to = &known[T]{}
			t.grow(v, to)
		}
		return to
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
