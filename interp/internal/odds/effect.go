package odds

import (
	"slices"

	"setpiece/interp/internal/ablate"
	"setpiece/interp/internal/symbolic"
)

// What a piece of computation does depends on where in the program it begins
// and on what it asks of the words of the store before it writes them. It is
// remembered by that, and used again for every state that gives the same answers: a
// blow struck in round 7 is that of round 1 if the round is not asked for. That is
// done for transitions, from one draw to the next, and for whole macro steps (package transition).

// macroEffect is a macro step that has been followed.
type macroEffect struct {
	step    *MacroStep
	effects []effect
	asymmetry
}

// effect is what a macro step does on the way to a leaf.
type effect struct {
	terminal       bool                // it leads to an ending
	terminalNumber int32               // its number
	seen           []symbolic.WordForm // what of it is worked out from words
	point
	writes    []word // by place
	unchanged []word // what the writes leave as it is, where that differs
}

// effectOf describes how a macro step came to a state with some words, or to an end, the latest
// transition being x.
func (g *Graph) effectOf(from *control, kind Kind, words []V, c *derivation, x *Transition) effect {
	e := effect{terminalNumber: x.terminal, point: x.point}
	if kind != Transient {
		e.terminal, e.seen = true, c.forms // of an end only what is seen counts, of a fault nothing
		return e
	}
	i := 0
	for _, at := range c.written {
		if g.dead(&e.point, at) {
			continue
		}
		if k, ok := slices.BinarySearchFunc(c.forms, at, byWord); ok {
			e.writes = append(e.writes, word{at: at, form: &c.forms[k].Of})
			continue
		}
		for i < len(words) && int32(words[i].Int()) < at {
			i += 2
		}
		v := g.baseValue(e.at, int(at))
		if i < len(words) && int32(words[i].Int()) == at {
			v = words[i+1]
		}
		if !g.isInitial(from, e.at, at, v) {
			e.writes = append(e.writes, g.word(&e.point, at, v))
		}
	}
	e.unchanged = g.unchangedIn(from, &e.point, e.writes)
	return e
}

// reuseMacroStep gives a checkpoint the macro step of one that agrees with it in all that the macro step
// depends on; it is false when there was none.
func (g *Graph) reuseMacroStep(id int32) bool {
	r := g.Checkpoints[id]
	if g.Unmerged || ablate.MacroSteps {
		return false
	}
	g.show(r.at, r.Words)
	defer g.hide(r.Words)
	m := r.at.macroSteps.Find(g.store)
	if m == nil {
		return false
	}
	g.noteAsymmetry(id, m.asymmetry.of(r))
	to := g.successors.list(len(m.effects))
	for i := range m.effects {
		e := &m.effects[i]
		if e.terminal {
			to[i] = g.terminalState(e.terminalNumber, e.seen)
			continue
		}
		g.out = g.changed(g.out[:0], r.Words, e.writes, e.unchanged, &e.point)
		to[i], _ = g.successor(id, &e.point, g.out)
	}
	g.Checkpoints[id].Step, g.Checkpoints[id].To = m.step, to
	return true
}
