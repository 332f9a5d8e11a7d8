package sim

// Where it does not pay to keep states, or there is no room for more, a run goes on stateless: by transitions
// alone, to its end: a transition is found by the words that its control holds, and works out
// those of the control that it leads to. Only the end is kept.

// runStateless goes on from a place to the end and keeps no states on the way.
func (a *Automaton) runStateless(at node) (end node, ok bool) {
	w := &a.transitions
	c := a.show(at)
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
			if f, _, ok = a.throw(c, nil); !ok {
				return 0, false
			}
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
		c.shown = 0
	}
	return a.intern(c)
}
