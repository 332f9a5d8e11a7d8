package odds

import (
	"slices"

	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/value"
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

// word is a word of the store.
type word struct {
	at   int32
	kept bool // of a record: it is among the words of a state where it is written
	v    V
	form *symbolic.Linear // or what it is worked out from
}

// bytesOfWord is what a word takes in a list, with its part of the linear forms.
const bytesOfWord = 32

// word describes a word as it is written on the way to a place. Whether a word of
// the base is kept depends on the base, which is another when the same is asked
// again.
func (g *Graph) word(to *point, at int32, v V) word {
	if int(at) < len(g.codec.Base()) {
		return word{at: at, v: v}
	}
	v, kept := g.keep(to, at, v)
	return word{at: at, kept: kept, v: v}
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
		v := g.basic(e.at, int(at))
		if i < len(words) && int32(words[i].Int()) == at {
			v = words[i+1]
		}
		if !g.starts(from, e.at, at, v) {
			e.writes = append(e.writes, g.word(&e.point, at, v))
		}
	}
	e.unchanged = g.unchangedIn(from, &e.point, e.writes)
	return e
}

// show puts the words of a state into now; hide takes them away again.
func (g *Graph) show(at *control, words []V) {
	copy(g.store[len(g.codec.Base()):], at.proto)
	for i := 0; i < len(words); i += 2 {
		g.store[words[i].Int()] = words[i+1]
	}
}

func (g *Graph) hide(words []V) {
	base := g.codec.Base()
	for i := 0; i < len(words); i += 2 {
		if at := int(words[i].Int()); at < len(base) {
			g.store[at] = base[at]
		}
	}
}

// basic is what a word of the store is where it is not among those of a state.
func (g *Graph) basic(c *control, at int) V {
	base := g.codec.Base()
	switch at -= len(base); {
	case at < 0:
		return base[at+len(base)]
	case at < len(c.proto):
		return c.proto[at]
	}
	return value.None
}

// starts says whether a word of a new record is what it was when the record was
// met first, so that writing it leaves no trace.
func (g *Graph) starts(from, to *control, at int32, v V) bool {
	i := int(at) - len(g.codec.Base())
	return i >= 0 && i < len(to.held) && (i >= len(from.held) || from.held[i] == nil) && to.held[i] != nil && to.proto[i] == v
}

// unchangedIn gives the words of records that stay as they were in one place and are
// something else in the first state of another.
func (g *Graph) unchangedIn(from *control, to *point, writes []word) []word {
	var out []word
	base := len(g.codec.Base())
	for i, f := range to.at.held {
		if f == nil || i >= len(from.held) || from.held[i] == nil || from.proto[i] == to.at.proto[i] {
			continue
		}
		at := int32(base + i)
		if _, written := slices.BinarySearchFunc(writes, at, func(w word, at int32) int { return int(w.at - at) }); !written {
			out = append(out, g.word(to, at, from.proto[i]))
		}
	}
	return out
}

// reuseMacroStep gives a checkpoint the macro step of one that agrees with it in all that the macro step
// depends on; it is false when there was none.
func (g *Graph) reuseMacroStep(id int32) bool {
	r := g.Checkpoints[id]
	if g.Apart {
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
