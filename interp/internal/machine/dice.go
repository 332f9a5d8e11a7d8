package machine

import (
	"fmt"
	"slices"

	"setpiece/interp/internal/value"
)

// What the dice of a pool, or a list of numbers, have in common.

// Runs are what is worked out from the highest to the lowest: each makes a new state of the one before and the
// next number. A state is the number before, a count and the result.
var Runs = map[string]func(state []V, next V) []V{
	"pairs": func(s []V, next V) []V {
		if next != s[0] || s[1] == value.OfInt(0) {
			return []V{next, value.OfInt(1), s[2]}
		}
		return []V{next, value.OfInt(0), value.OfInt(s[2].Int() + 1)}
	},
	"largest_set": func(s []V, next V) []V { return longest(s, next, next == s[0], next != s[0]) },
	"straight": func(s []V, next V) []V {
		return longest(s, next, s[0].IsInt() && next.IsInt() && next.Int() == s[0].Int()-1, next != s[0])
	},
}

// longest goes on with a run, or begins one.
func longest(s []V, next V, goesOn, begins bool) []V {
	n := s[1].Int()
	switch {
	case goesOn:
		n++
	case begins:
		n = 1
	}
	return []V{next, value.OfInt(n), value.OfInt(max(n, s[2].Int()))}
}

// run gives the result of one of Runs.
func run(name string) func(*Machine, []V) (V, error) {
	next := Runs[name]
	return list(func(m *Machine, e []V) V {
		shows := make([]V, len(e))
		for i, v := range e {
			shows[i] = Shown(v)
		}
		slices.SortStableFunc(shows, func(a, b V) int { return m.Heap.Compare(b, a) })
		s := []V{value.None, value.OfInt(0), value.OfInt(0)}
		for _, v := range shows {
			s = next(s, v)
		}
		return s[2]
	})
}

// countOf counts the numbers of a list, or the faces of dice, that are a number, in a list or in a range.
func countOf(m *Machine, a []V) (V, error) {
	e, err := m.listArg(a[0])
	if err != nil {
		return 0, err
	}
	n := 0
	for _, v := range e {
		if v.Kind() == value.Die && v.DieFace() == 0 {
			return 0, fmt.Errorf("%s has not been thrown and shows no face", m.quoted(v))
		}
		if m.among(Shown(v), a[1]) {
			n++
		}
	}
	return value.OfInt(int64(n)), nil
}

// among says whether a value is one of those in a list or range, or that value itself.
func (m *Machine) among(v, of V) bool {
	if of.Kind() == value.List || of.Kind() == value.Range {
		in, _ := m.Heap.In(v, of)
		return in
	}
	return Same(v, of)
}

// middle takes the n dice or numbers in the middle of a list; where that cannot be, one more of the highest is left out
// than of the lowest.
func middle(m *Machine, a []V) (V, error) {
	sorted, err := ranked(-1, true)(m, []V{a[0], value.OfInt(int64(m.MaxSize))})
	if err != nil {
		return 0, err
	}
	e := m.Heap.Elems(sorted)
	if len(a) == 1 {
		return at(e, len(e)/2), nil
	}
	n, err := count(m, a[1], len(e))
	if err != nil {
		return 0, err
	}
	from := (len(e) - n + 1) / 2
	return m.Heap.OfList(e[from : from+n]), nil
}
