package sim

import (
	"slices"

	"setpiece/interp/internal/value"
)

// Of the words of the store most are the same in all states. Those that have been other than
// plain in some state are in the layout of the place in the program where it was; a state is what
// they hold. A layout only grows, and what is plain at the end is left out of a state, so that
// equal states stay equal.
//
// The words of one state stand in a store. A transition changes the few that it writes, and
// another state of the same place puts its own there.

// add has a word be in the layout of a place.
func (w *transitions) add(c *control, at int32) {
	if c.kept[at]&laidOut == 0 {
		c.kept[at] |= laidOut
		c.layout = append(c.layout, at)
		w.varies[at] = true
	}
}

// show puts the words of a state into the store.
func (w *transitions) show(s *nodeState) {
	w.stand(s.at)
	for i, at := range s.at.layout[:len(s.words)] {
		w.store[at] = s.words[i]
	}
	for _, at := range s.at.layout[len(s.words):] {
		w.store[at] = w.plain[at]
	}
}

// stand prepares the store for the words of a state in a place.
func (w *transitions) stand(c *control) {
	if w.now == c {
		return
	}
	base := len(w.s.Base())
	if old := w.now; old != nil {
		for _, at := range old.layout {
			w.store[at] = w.plain[at]
		}
		for _, l := range old.linked {
			w.store[l.at] = w.plain[l.at]
		}
	}
	copy(w.store[base:], c.proto)
	for _, l := range c.linked {
		w.store[l.at] = l.v
	}
	w.now = c
}

// put puts the words of a state into the store, by place and value in turn.
func (w *transitions) put(c *control, words []V) {
	w.show(&nodeState{at: c})
	for i := 0; i < len(words); i += 2 {
		at := int32(words[i].Int())
		if v, ok := w.keep(c, at, words[i+1]); ok {
			w.add(c, at)
			w.store[at] = v
		}
	}
}

// gather gives the words of the state that is shown. They are good until it is asked again.
func (w *transitions) gather(c *control) []V {
	w.words = w.words[:0]
	n := 0
	for i, at := range c.layout {
		v := w.store[at]
		if v != w.plain[at] {
			n = i + 1
		}
		w.words = append(w.words, v)
	}
	return w.words[:n]
}

// list appends the words of a state by place and value in turn.
func (w *transitions) list(buf []V, s *nodeState) []V {
	for i, v := range s.words {
		if at := s.at.layout[i]; v != w.plain[at] {
			buf = append(buf, value.OfInt(int64(at)), v)
		}
	}
	return buf
}

// changes is what a transition does to the words in the store, which are those of a state in
// the place that it begins at, so that they are those of one in the place that it leads to.
type changes struct {
	sets   []word  // become the same in every state; the later ones count
	forms  []write // are worked out from what stood there
	drops  []int32 // are no more among those of a state
	recast []int32 // are canonicalised otherwise there
	passed int     // how many words of the layout of the place it begins at have been looked at
}

// change makes the state in the store that to which a transition leads from a place.
func (w *transitions) change(from *control, x *Transition) {
	c, to := x.changes, x.to
	if c == nil {
		c = w.changes(from, x)
		x.changes = c
	}
	if c.passed < len(from.layout) && from != to {
		w.pass(from, x)
	}
	w.worked = w.worked[:0]
	for i := range c.forms {
		w.worked = append(w.worked, c.forms[i].form.Of(w.store))
	}
	for _, at := range c.drops {
		w.store[at] = w.plain[at]
	}
	for _, at := range c.recast {
		w.store[at] = w.canonical(to, at, w.store[at])
	}
	for _, s := range c.sets {
		w.store[s.at] = s.v
	}
	for i, v := range w.worked {
		at := c.forms[i].at
		w.store[at] = w.canonical(to, at, v)
	}
	w.now = to
}

// changes finds what a transition changes that begins at a place, beside what becomes of the
// words that it does not write: see pass.
func (w *transitions) changes(from *control, x *Transition) *changes {
	base, to, c := len(w.s.Base()), x.to, &changes{}
	if from != to {
		for _, l := range from.linked {
			c.sets = append(c.sets, word{l.at, w.plain[l.at]})
		}
		for i, v := range to.proto {
			at := int32(base + i)
			was, is := from.keeps(at), to.keeps(at)
			if is == never && was == never && i < len(from.proto) && from.proto[i] == v {
				continue
			}
			if is == never || was == never {
				c.sets = append(c.sets, word{at, v})
			}
		}
	}
	for _, x := range x.writes {
		if x.form != nil {
			w.add(to, x.at)
			c.forms = append(c.forms, x)
			continue
		}
		v := w.canonical(to, x.at, x.v)
		if c.sets = append(c.sets, word{x.at, v}); v != w.plain[x.at] {
			w.add(to, x.at)
		}
	}
	if from != to {
		c.sets = append(c.sets, to.linked...)
	}
	c.sets = slices.Clip(c.sets)
	return c
}

// pass finds what becomes of words that are in the layout of the place where a transition begins,
// unless it writes them.
func (w *transitions) pass(from *control, x *Transition) {
	c, to := x.changes, x.to
	for _, at := range from.layout[c.passed:] {
		switch k := to.keeps(at); {
		case k == never:
			c.drops = append(c.drops, at)
			continue
		case k != from.keeps(at):
			c.recast = append(c.recast, at)
		}
		w.add(to, at)
	}
	c.passed = len(from.layout)
}

// canonical gives the value that a word of the store has in a place.
func (w *transitions) canonical(c *control, at int32, v V) V {
	if v, kept := w.keep(c, at, v); kept {
		return v
	}
	return w.plain[at]
}
