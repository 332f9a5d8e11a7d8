package analysis

import (
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// Orbit are instances that differ only in their names and in what has become of them.
type Orbit struct {
	First  int   // the number of the first of them; the others follow
	Places []int // where they stand in the store
	Size   int   // how many words each has, with all that is part of it
}

// Members gives their numbers as a set.
func (a *Orbit) Members() uint64 { return (1<<len(a.Places) - 1) << a.First }

// MaxMembers is how many instances can have numbers; more are told apart.
const MaxMembers = 64

// Orbits are the instances that are laid out alike, in the order of their declaration
// and with no others between them.
type Orbits struct {
	Classes []Orbit
	Places  []int  // of the instances, by number
	Of      []int8 // by word of the store: 1 + the number of the instance that it is part of
}

// Number gives the number of the instance that a value is, or is part of, -1 of others.
func (c *Orbits) Number(v V) int {
	if v.Kind() != value.Ref || v.Off() >= len(c.Of) {
		return -1
	}
	return int(c.Of[v.Off()]) - 1
}

// Among gives those to whom, or to parts of whom, a value leads.
func (c *Orbits) Among(h *value.Heap, v V) (set uint64) {
	References(h, v, func(at V) {
		if k := c.Number(at); k >= 0 {
			set |= 1 << k
		}
	})
	return set
}

// References calls f with each instance that a value is or, being a list or a map, has in it. A
// list deep inside others that stands there more than once is looked through once.
func References(h *value.Heap, v V, f func(v V)) { references(h, v, f, 0, nil) }

const deepInside = 4

func references(h *value.Heap, v V, f func(v V), depth int, seen map[V]bool) {
	var in []V
	switch v.Kind() {
	case value.Ref:
		f(v)
		return
	case value.List:
		in = h.Elems(v)
	case value.Map:
		in = h.Pairs(v)
	default:
		return
	}
	if depth == deepInside {
		seen = map[V]bool{}
	}
	if seen[v] {
		return
	}
	if seen != nil {
		seen[v] = true
	}
	for _, e := range in {
		references(h, e, f, depth+1, seen)
	}
}

// layout is where the parts of an instance stand, from its own place on.
type layout struct {
	at    int
	parts [][2]int // place and type
	size  int
	torn  bool // they do not stand in one piece
}

// Orbits finds who is laid out alike.
func (a *Analysis) Orbits(store []V) *Orbits {
	if a.orbits != nil {
		return a.orbits
	}
	c := &Orbits{Of: make([]int8, len(store))}
	a.orbits = c
	var all []layout
	home := map[int]int{} // by place: the number of the layout
	for _, off := range a.prog.Live {
		at := off
		for at < len(store) && store[at+code.AtOwner].Kind() == value.Ref {
			at = store[at+code.AtOwner].Off()
		}
		if at == off {
			home[at] = len(all)
			all = append(all, layout{at: at})
		}
		k, ok := home[at]
		if !ok {
			continue
		}
		l := &all[k]
		if k != len(all)-1 || off != l.at+l.size {
			l.torn = true
			continue
		}
		t := a.prog.TypeOf(store, off)
		l.parts = append(l.parts, [2]int{off - l.at, t.ID})
		l.size += len(t.Template)
	}
	for i := 0; i < len(all); {
		n := i + 1
		for n < len(all) && !all[i].torn && !all[n].torn && all[n].size == all[i].size && slices.Equal(all[n].parts, all[i].parts) {
			n++
		}
		if n-i > 1 && len(c.Places)+n-i <= MaxMembers && a.prog.Out(a.prog.TypeOf(store, all[i].at)) != nil {
			x := Orbit{First: len(c.Places), Size: all[i].size}
			for _, l := range all[i:n] {
				x.Places = append(x.Places, l.at)
				c.Places = append(c.Places, l.at)
				for at := l.at; at < l.at+l.size; at++ {
					c.Of[at] = int8(len(c.Places))
				}
			}
			c.Classes = append(c.Classes, x)
		}
		i = n
	}
	return c
}
