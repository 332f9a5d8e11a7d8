package sim

import (
	"slices"

	"setpiece/interp/internal/analysis"
	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/value"
)

// Most words of the store are the same in all states in which a run stands at one place in
// the program. So a control keeps the words of one of its states, and a state keeps only those
// that have differed in its control: the layout. A layout only grows. A state that was kept
// before a word came into it holds what all states held until then, and what is so at the end of
// a state is left out, so that equal states stay equal.
//
// A transition works out the words in the layout of the control that it leads to, from the words
// of the state that is shown in the control where it begins. That it leaves the others alone is
// found once, and found anew for those that come into the layout of either.

// grow makes room for n words.
func (c *control) grow(n int) {
	for len(c.store) < n {
		c.store, c.vary.Is = append(c.store, value.None), append(c.vary.Is, false)
	}
}

// begins has a control show the first state in it: words has those of the state, by place and
// value in turn. The machine has saved it just now.
func (w *transitions) begins(c *control, words []V) {
	s := w.s
	base := s.Base()
	c.kept = w.keptAt()
	c.store = append(append(make([]V, 0, len(c.kept)), base...), s.M.Store[len(base):len(c.kept)]...)
	for i := range c.store[len(base):] {
		if c.kept[len(base)+i] != never {
			c.store[len(base)+i] = value.None
		}
	}
	for _, at := range s.Linked() {
		c.store[at] = s.M.Store[at]
	}
	for i := 0; i < len(words); i += 2 {
		at := int32(words[i].Int())
		if v, ok := w.keep(c, at, words[i+1]); ok {
			c.store[at] = v
		}
	}
	c.vary.Is = make([]bool, len(c.store))
	for at := s.M.Prog.DrawWords[0]; at < s.M.Prog.DrawWords[1]; at++ {
		c.vary.Is[at] = true // with each throw, though they belong to no state
	}
}

// show puts the words of a state into the store of its control.
func (s *nodeState) show() {
	c := s.at
	layout := c.vary.Words
	for i, v := range s.words {
		c.store[layout[i]] = v
	}
	for i := len(s.words); i < len(layout); i++ {
		c.store[layout[i]] = c.first[i]
	}
}

// gather gives the words of the state that a control shows. They are good until it is asked again.
func (w *transitions) gather(c *control) []V {
	w.words = w.words[:0]
	n := 0
	for i, at := range c.vary.Words {
		v := c.store[at]
		if v != c.first[i] {
			n = i + 1
		}
		w.words = append(w.words, v)
	}
	return w.words[:n]
}

// list appends the words of the state that a control shows, by place and value in turn.
func (w *transitions) list(buf []V, c *control) []V {
	base := w.s.Base()
	for at, k := range c.kept {
		plain := value.None
		if at < len(base) {
			plain = base[at]
		}
		if v := c.store[at]; k != never && v != plain {
			buf = append(buf, value.OfInt(int64(at)), v)
		}
	}
	return buf
}

// changes is what a transition does to the words of the control that it leads to.
type changes struct {
	sets   []word  // are the same in every state
	forms  []write // are worked out from words of the control where it begins
	copies []int32 // are what they were there
	recast []int32 // likewise, but only what kind of value it is counts from now on
	from   int     // how many words varied where it begins when that was looked at last
	to     int     // and where it leads
}

// word is a word of a store with its value.
type word struct {
	at int32
	v  V
}

// change shows the state to which a transition leads from the one that is shown where it begins.
func (w *transitions) change(from *control, x *Transition) {
	to := x.to
	if x.changes == nil {
		w.compare(from, x)
	}
	c := x.changes
	if c.from < len(from.vary.Words) {
		w.pass(from, x)
	}
	if c.to < len(to.vary.Words) {
		w.cover(from, x)
	}
	if from == to {
		w.worked = w.worked[:0]
		for i := range c.forms {
			w.worked = append(w.worked, c.forms[i].form.Of(from.store))
		}
		for i, v := range w.worked {
			at := c.forms[i].at
			to.store[at] = w.canonical(to, at, v)
		}
	} else {
		for i := range c.forms {
			f := &c.forms[i]
			to.store[f.at] = w.canonical(to, f.at, f.form.Of(from.store))
		}
		for _, at := range c.copies {
			to.store[at] = from.store[at]
		}
		for _, at := range c.recast {
			to.store[at] = w.canonical(to, at, from.store[at])
		}
	}
	for _, s := range c.sets {
		to.store[s.at] = s.v
	}
}

// compare looks at a transition for the first time: where it leads to another value than
// any other has done, the word varies from now on.
func (w *transitions) compare(from *control, x *Transition) {
	to := x.to
	x.changes = &changes{}
	from.grow(len(to.store)) // with words of records that there are only there
	written := make([]bool, len(to.store))
	for i := range x.writes {
		f := &x.writes[i]
		written[f.at] = true
		if f.form != nil || w.canonical(to, f.at, f.v) != to.store[f.at] {
			w.add(to, f.at)
		}
	}
	for at, k := range to.kept {
		if k == never || written[at] {
			continue
		}
		if v := from.store[at]; v != to.store[at] && w.canonical(to, int32(at), v) != to.store[at] {
			w.add(to, int32(at))
		}
	}
}

// pass finds the words that a transition passes on which have come to vary where it begins.
func (w *transitions) pass(from *control, x *Transition) {
	c, to := x.changes, x.to
	for _, at := range from.vary.Words[c.from:] {
		if to.keeps(at) != never && !x.wrote(at) {
			w.add(to, at)
		}
	}
	c.from = len(from.vary.Words)
}

// cover finds what becomes of words that have come to vary where a transition leads.
func (w *transitions) cover(from *control, x *Transition) {
	c, to := x.changes, x.to
	for _, at := range to.vary.Words[c.to:] {
		i := slices.IndexFunc(x.writes, func(f write) bool { return f.at == at })
		switch {
		case i >= 0 && x.writes[i].form != nil:
			c.forms = append(c.forms, x.writes[i])
		case i >= 0:
			c.sets = append(c.sets, word{at, w.canonical(to, at, x.writes[i].v)})
		case to.keeps(at) == notFaint && from != to:
			c.recast = append(c.recast, at)
		default:
			c.copies = append(c.copies, at)
		}
	}
	from.grow(len(to.store))
	c.to = len(to.vary.Words)
}

// add has a word be in the layout of a control, since its value is no more the same in all
// states.
func (w *transitions) add(c *control, at int32) {
	if c.vary.Is[at] {
		return
	}
	c.first = append(c.first, c.store[at])
	c.vary.Add(at)
	for int(at) >= len(w.varies) {
		w.varies = append(w.varies, false)
	}
	w.varies[at] = true
}

// canonical gives the value that a word of the store has in a control.
func (w *transitions) canonical(c *control, at int32, v V) V {
	if v, kept := w.keep(c, at, v); kept {
		return v
	}
	if base := w.s.Base(); int(at) < len(base) {
		return base[at]
	}
	return value.None
}

// write is a word that is written, with its value or what that is worked out from.
type write struct {
	at   int32
	v    V
	form *symbolic.Linear
}

// wrote says whether a transition writes a word.
func (x *Transition) wrote(at int32) bool {
	return slices.ContainsFunc(x.writes, func(f write) bool { return f.at == at })
}

// kept says when a word is among those of a state in some place.
type kept uint8

const (
	never    kept = iota
	always        // it is a register
	notNone       // it is a field of a record
	notBase       // it is a word of the base
	notFaint      // the same, and only its kind counts
)

// keeps says when a word is among those of a state in a control.
func (c *control) keeps(at int32) kept {
	if int(at) >= len(c.kept) {
		return never
	}
	return c.kept[at]
}

// keep gives what a word is in a state in some control, with no where it is not among
// its words.
func (w *transitions) keep(c *control, at int32, v V) (V, bool) {
	switch c.keeps(at) {
	case always:
		return v, true
	case notNone:
		return v, v != value.None
	case notBase:
		return v, v != w.s.Base()[at]
	case notFaint:
		return analysis.Faint.Keep(v, w.s.Base()[at])
	case never:
	}
	return v, false
}

// keptAt says which words are among those of the state that has been saved last.
func (w *transitions) keptAt() []kept {
	s := w.s
	prog, held := s.M.Prog, s.RecordFields()
	out := make([]kept, len(s.Base())+len(held))
	for at := range s.Base() {
		out[at] = notBase
		switch {
		case s.Uses == nil || s.Uses[at] == analysis.Live:
		case s.Uses[at] == analysis.Dead:
			out[at] = never
		default:
			out[at] = notFaint
		}
	}
	if !s.LastLive {
		clear(out[prog.Last[0]:prog.Last[1]])
	}
	clear(out[prog.DrawWords[0]:prog.DrawWords[1]])
	for _, at := range s.Linked() {
		out[at] = never
	}
	for k, at := range out[prog.RegisterWords[0]:prog.RegisterWords[1]] {
		if at = never; k < len(s.Slots()) {
			at = always
		}
		out[prog.RegisterWords[0]+k] = at
	}
	for i, f := range held {
		if f != nil {
			out[len(s.Base())+i] = notNone
		}
	}
	return out
}
