package odds

import (
	"cmp"
	"slices"

	"setpiece/interp/internal/value"
)

// Of states that differ only in which of several equal creatures are out, one is the canonical
// form: the state in which those who are out come last. Here a state is brought into it, by
// exchanging the words of creatures and what elsewhere refers to them.

// usedUniformly says whether of all of an orbit the same is asked from a place on.
func (g *Graph) usedUniformly(p *point, x *orbit) bool {
	if p.uses == nil {
		return true
	}
	level, ok := g.symmetry.uniform[&p.uses[0]]
	if !ok {
		for i := range g.symmetry.orbits {
			y := &g.symmetry.orbits[i]
			uses := p.uses[y.Places[0] : y.Places[0]+y.Size]
			if !slices.ContainsFunc(y.Places, func(at int) bool { return !slices.Equal(uses, p.uses[at:at+y.Size]) }) {
				level |= y.Members()
			}
		}
		g.symmetry.uniform[&p.uses[0]] = level
	}
	return level&x.Members() != 0
}

// canonicalise gives the words of the state for which one is taken in which some are out,
// who is out in it, and who has been exchanged.
func (g *Graph) canonicalise(p *point, words []V, out uint64) (instead []V, outAfter, exchanged uint64) {
	a := &g.symmetry
	r := permutation{g: g, moves: a.moves[:0]}
	outAfter = out
	for i := range a.orbits {
		x := &a.orbits[i]
		if out&x.Members() == 0 || !g.usedUniformly(p, x) {
			continue
		}
		order := canonicalOrder(x, words, out, p.at.cuts)
		if slices.IsSorted(order) {
			continue
		}
		r.members |= x.Members()
		outAfter &^= x.Members()
		for k, i := range order {
			r.moves = append(r.moves, move{x, x.Places[i], x.Places[k]})
			if out>>(x.First+i)&1 == 1 {
				outAfter |= 1 << (x.First + k)
			}
		}
	}
	if a.moves = r.moves; len(r.moves) == 0 {
		return words, out, 0
	}
	base := g.codec.Base()
	entries := a.entries[:0]
	put := func(at int, v V) {
		to := int32(r.offset(at))
		if v, kept := g.keep(p, to, r.value(v)); kept {
			entries = append(entries, word{at: to, v: v})
		}
	}
	for i := 0; i < len(words); i += 2 {
		put(int(words[i].Int()), words[i+1])
	}
	putBase := func(at int) {
		if !hasWord(words, at) {
			put(at, base[at])
		}
	}
	for i := range r.moves {
		x := r.moves[i].x
		for _, k := range x.differ {
			putBase(r.moves[i].from + k)
		}
		if i == 0 || r.moves[i-1].x != x {
			for _, at := range x.mentions {
				putBase(int(at))
			}
		}
	}
	a.entries = entries
	slices.SortFunc(entries, func(v, w word) int { return cmp.Compare(v.at, w.at) })
	a.words = a.words[:0]
	for i, e := range entries {
		if i == 0 || e.at != entries[i-1].at {
			a.words = append(a.words, value.OfInt(int64(e.at)), e.v)
		}
	}
	a.exchanges++
	return a.words, outAfter, r.members
}

// hasWord says whether a word is among those of a state.
func hasWord(words []V, at int) bool {
	from, to := 0, len(words)/2
	for from < to {
		if mid := (from + to) / 2; words[2*mid].Int() < int64(at) {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return 2*from < len(words) && words[2*from].Int() == int64(at)
}

// canonicalOrder gives an orbit by their number among them: between two cuts who is
// not out in the order in which they are, then the others, by what is known of them.
func canonicalOrder(x *orbit, words []V, out, cuts uint64) []int {
	own := func(i int) []V {
		var own []V
		for k := 0; k < len(words); k += 2 {
			if at := int(words[k].Int()) - x.Places[i]; at >= 0 && at < x.Size {
				own = append(own, V(at), words[k+1])
			}
		}
		return own
	}
	order := make([]int, 0, len(x.Places))
	var behind []int
	for i := range x.Places {
		if out>>(x.First+i)&1 == 1 {
			behind = append(behind, i)
		} else {
			order = append(order, i)
		}
		if i+1 == len(x.Places) || cuts>>(x.First+i+1)&1 == 1 {
			if len(behind) > 1 {
				slices.SortStableFunc(behind, func(i, k int) int { return slices.Compare(own(i), own(k)) })
			}
			order, behind = append(order, behind...), behind[:0]
		}
	}
	return order
}

// permutation puts some in the place of others.
type permutation struct {
	g       *Graph
	members uint64 // who is concerned
	moves   []move
}

type move struct {
	x        *orbit
	from, to int
}

// offset gives where a word of the store comes to stand.
func (r *permutation) offset(at int) int {
	for _, m := range r.moves {
		if at >= m.from && at < m.from+m.x.Size {
			return at - m.from + m.to
		}
	}
	return at
}

// value gives what a value becomes. A list of all of them stays as it is: where those
// stand in it who are out makes no difference, and the others keep their order.
func (r *permutation) value(v V) V {
	s, h := r.g.codec, r.g.m.Heap
	k := v.Kind()
	if k != value.Ref && k != value.List && k != value.Map {
		return v
	}
	who := s.MembersIn(v) & r.members
	switch {
	case who == 0:
		return v
	case k == value.Ref:
		return value.OfRef(r.offset(v.Off()))
	case k == value.Map:
		return h.OfMap(r.values(h.Pairs(v)))
	case s.HasWholeOrbits(v, who):
		return v
	}
	return h.OfList(r.values(h.Elems(v)))
}

func (r *permutation) values(vs []V) []V {
	out := make([]V, len(vs))
	for i, v := range vs {
		out[i] = r.value(v)
	}
	return out
}
