package sim

import (
	"maps"
	"slices"

	"setpiece/interp/internal/query"
	"setpiece/interp/internal/transition"
	"setpiece/interp/internal/value"
)

// To keep a state is to make a list of its words, some hundred, to hash and to compare
// it. That pays where the state comes up again, so that the next run need only look into a
// table. In an encounter it hardly ever does. Then a run goes on from where it leaves the known
// places like this: the words of its state stand in a store; a transition is looked up by
// them, and changes the few of them that it writes. A state is listed only where a transition
// has to be executed, and in the end, of which little is asked.

// A run keeps states at first, since many that are new then come up again later. From keptRuns
// on it is looked at after reviewedAfter dice whether known places are followed as often as new
// ones are found. Where they are not, only one run in keepingRuns keeps states, to see whether
// that changes.
const (
	keptRuns      = 2048
	reviewedAfter = 1 << 10
	keepingRuns   = 8
)

// drifting says whether this run keeps no states.
func (a *Automaton) drifting() bool {
	if a.followed+a.taken >= reviewedAfter {
		a.drifts = a.runs >= keptRuns && a.followed < a.taken
		a.followed, a.taken = 0, 0
	}
	return a.drifts && a.runs%keepingRuns != 0
}

// drift goes on from a place to the end and keeps no states on the way.
func (a *Automaton) drift(at node) (end node, ok bool) {
	w := &a.transitions
	from := a.states[a.number(at)]
	c := from.at
	w.show(&from)
	defer w.clear()
	asked := a.left
	for checkpoints := 0; !c.end; {
		var f outcome
		known := &c.onward
		switch {
		case c.checkpoint():
			if checkpoints++; checkpoints > maxCheckpoints {
				return 0, false
			}
		case c.pool():
			var r *query.Query
			if !c.pick {
				if r = c.reads.Find(w.store); r == nil {
					if r, ok = a.readAt(w.listed(c)); !ok {
						return 0, false
					}
				}
			}
			f = a.throw(c, r)
			known = w.known(c, f)
			checkpoints = 0
		default:
			a.faces = append(a.faces[:0], a.die(c.sizes[0]))
			f.faces, known = a.faces, &c.byFace
			checkpoints = 0
		}
		if a.left < 0 {
			return 0, false
		}
		if asked-a.left > askedAfter {
			if asked = a.left; a.Ended != nil && a.Ended() {
				return 0, false
			}
		}
		x := a.find(c, f, known)
		if x == nil {
			return 0, false
		}
		a.notes = append(a.notes, x.notes...)
		w.change(c, x)
		c = x.to
	}
	return a.intern(c, w.listed(c).words)
}

// find gives the transition that is taken from the state in the store, nil where there is none
// that can be remembered.
func (a *Automaton) find(c *control, f outcome, known *transition.Cache[Transition]) *Transition {
	w := &a.transitions
	w.fall(f)
	if x := known.Find(w.store); x != nil {
		return x
	}
	from := w.listed(c)
	w.vary(from.words)
	x, ok := a.learn(from, f, known)
	if !ok {
		return nil
	}
	return x
}

// listed lists the words of the state in the store.
func (w *transitions) listed(c *control) *nodeState {
	w.list = w.list[:0]
	draw := w.s.M.Prog.DrawWords
	for at, k := range c.kept {
		if k == never || at >= draw[0] && at < draw[1] {
			continue
		}
		if v, ok := w.keep(c, int32(at), w.store[at]); ok {
			w.list = append(w.list, value.OfInt(int64(at)), v)
		}
	}
	return &nodeState{at: c, words: w.list}
}

// clear takes the words of a state out of the store.
func (w *transitions) clear() { copy(w.store, w.s.Base()) }

// changes is what a transition does to the words in the store, which are those of a state in
// the place that it begins at, so that they are those of one in the place that it leads to.
type changes struct {
	sets   []word  // become what they become in every state
	forms  []write // are worked out from what stood there
	recast []int32 // are canonicalised otherwise there
}

// change makes the state in the store that to which a transition leads from a place. The store
// then is what show would make it.
func (w *transitions) change(from *control, x *Transition) {
	if x.changes == nil {
		x.changes = w.changes(from, x)
	}
	c := x.changes
	w.worked = w.worked[:0]
	for i := range c.forms {
		w.worked = append(w.worked, c.forms[i].form.Of(w.store))
	}
	for _, at := range c.recast {
		w.store[at] = w.canonical(x.to, at, w.store[at])
	}
	for _, s := range c.sets {
		w.store[s.at] = s.v
	}
	for i, v := range w.worked {
		at := c.forms[i].at
		w.store[at] = w.canonical(x.to, at, v)
	}
}

// changes finds what a transition changes that begins at a place.
func (w *transitions) changes(from *control, x *Transition) *changes {
	base, to, c := w.s.Base(), x.to, &changes{}
	becomes := map[int32]V{}
	if from != to {
		for _, l := range from.linked {
			if int(l.at) < len(base) {
				becomes[l.at] = base[l.at]
			}
		}
		draw := w.s.M.Prog.DrawWords
		for i, v := range base {
			switch at := int32(i); {
			case from.kept[i] == to.kept[i] || i >= draw[0] && i < draw[1]:
			case to.kept[i] == never:
				becomes[at] = v
			default:
				c.recast = append(c.recast, at)
			}
		}
		for i, v := range to.proto {
			at := len(base) + i
			if k := to.kept[at]; at >= len(from.kept) || from.kept[at] == never || k == never {
				becomes[int32(at)] = v
			}
		}
	}
	for _, x := range x.writes {
		if delete(becomes, x.at); x.form != nil {
			c.forms = append(c.forms, x)
		} else {
			becomes[x.at] = w.canonical(to, x.at, x.v)
		}
	}
	if from != to {
		for _, l := range to.linked {
			becomes[l.at] = l.v
		}
	}
	for _, at := range slices.Sorted(maps.Keys(becomes)) {
		c.sets = append(c.sets, word{at, becomes[at]})
	}
	c.sets = slices.Clip(c.sets)
	return c
}

// canonical gives the value that a word of the store has in a place.
func (w *transitions) canonical(c *control, at int32, v V) V {
	v, kept := w.keep(c, at, v)
	switch {
	case kept:
		return v
	case int(at) < len(w.s.Base()):
		return w.s.Base()[at]
	}
	return value.None
}
