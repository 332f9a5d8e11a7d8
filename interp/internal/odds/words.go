package odds

import (
	"slices"

	"setpiece/interp/internal/analysis"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/transition"
	"setpiece/interp/internal/value"
)

// A state is a control state, which says where in the program it is, and words: those cells of the
// store that are not what they usually are, which is what the base has, or, of a record, what the first
// state in that place had. Transitions are executed on the machine, but mostly they are only looked
// up; then the words of the next state are worked out here from those of the one before, without
// the machine. What nobody will read any more is left out (analysis), so that it tells no states apart.

// control is where in a program a checkpoint is: the number of the statement at work
// or to come, and the saved state without the words of the store.
type control struct {
	words      []V
	id         uint64
	fresh      bool // nobody has said what it holds
	stmt       int
	macroSteps transition.Cache[macroEffect]            // that have been followed from there
	byFace     transition.Cache[Transition]             // by the face drawn there, which is in the first of Program.DrawWords
	byAnswer   []transition.Cache[Transition]           // by the answer that was given, the first without one
	byPool     map[string]*transition.Cache[Transition] // by how far the pool was read, and, unless that is in DrawWords, what
	pending    *Pending                                 // what is waited for there, if anything
	held       []*code.Field                            // by word of the store behind the base: the field that it is, if it is one of the words
	proto      []V                                      // what these were in the state that was there first
	full       []V                                      // the control words but the first, and those of proto
	linked     []int32                                  // words of the base that are among the control words
	slots      int                                      // how many of its registers are in words of the store
	cuts       uint64                                   // between whom nobody is exchanged there, see symmetry.go
}

// control finds the place in the program that words describe.
func (g *Graph) control(words []V) *control {
	h := hash(g.seed, words)
	for _, c := range g.controls[h] {
		if slices.Equal(c.words, words) {
			return c
		}
	}
	g.bytes += 8*len(words) + 300
	c := &control{words: slices.Clone(words), id: h, stmt: int(words[0].Int()), fresh: true}
	g.controls[h] = append(g.controls[h], c)
	return c
}

// learn makes sure that of a place the words are known that the states there have,
// when one of them has been saved last.
func (g *Graph) learn(c *control) {
	if c.fresh {
		c.fresh = false
		base := len(g.codec.Base())
		c.held, c.linked, c.slots = g.codec.RecordFields(), g.codec.Linked(), len(g.codec.Slots())
		c.cuts = g.codec.Cuts(c.words)
		c.proto = make([]V, len(c.held))
		c.full = slices.Clone(c.words[1:])
		for i, f := range c.held {
			c.proto[i] = value.None
			if f != nil {
				c.proto[i] = g.m.Store[base+i]
				c.full = append(c.full, value.OfInt(int64(base+i)), c.proto[i])
			}
		}
		g.bytes += 24*len(c.held) + 8*len(c.full) + 4*len(c.linked)
		if g.ensure(base + len(c.held)) {
			g.grow()
		}
	}
}

// field gives the field that a word of the store behind the base is; nil where
// the states in that place have no such word.
func (c *control) field(g *Graph, at int) *code.Field {
	if at -= len(g.codec.Base()); at >= 0 && at < len(c.held) {
		return c.held[at]
	}
	return nil
}

// point is where a state is to be: a place in the program, with what is known of
// the words that are looked at from there on.
type point struct {
	at   *control
	last bool           // the values of the last outcome are kept there
	uses []analysis.Use // of the words there; nil: all are live
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

// load puts the machine into a state.
func (g *Graph) load(n *stepState) {
	g.buf = append(append(g.buf[:0], n.at.full...), n.words...)
	g.codec.Load(g.buf)
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

// baseValue is what a word of the store is where it is not among those of a state.
func (g *Graph) baseValue(c *control, at int) V {
	base := g.codec.Base()
	switch at -= len(base); {
	case at < 0:
		return base[at+len(base)]
	case at < len(c.proto):
		return c.proto[at]
	}
	return value.None
}

// varied says whether a word of the store may differ from state to state.
func (g *Graph) varied(at int) bool {
	return g.varies[at] || g.codec.Changes(at) || g.slot(int32(at)) >= 0
}

// keep gives what a word is in a state that is there, with no where it is not among
// its words.
func (g *Graph) keep(p *point, at int32, v V) (V, bool) {
	base := g.codec.Base()
	if k := g.slot(at); k >= 0 {
		return v, k < p.at.slots
	}
	if i := int(at) - len(base); i >= 0 {
		return v, i < len(p.at.held) && p.at.held[i] != nil && v != p.at.proto[i]
	}
	if !p.last && int(at) >= g.m.Prog.Last[0] && int(at) < g.m.Prog.Last[1] || len(p.at.linked) > 0 && slices.Contains(p.at.linked, at) {
		return v, false
	}
	if p.uses != nil {
		return p.uses[at].Keep(v, base[at])
	}
	return v, v != base[at]
}

// fromDraw says whether a linear form is worked out from the draw. Its words come first.
func (g *Graph) fromDraw(of *symbolic.Linear) bool {
	return of.N > 0 && int(of.At[0]) < g.m.Prog.DrawWords[1]
}

// slot gives the number of a word that holds a number in a register, or -1.
func (g *Graph) slot(at int32) int {
	if from := g.m.Prog.RegisterWords; int(at) >= from[0] && int(at) < from[1] {
		return int(at) - from[0]
	}
	return -1
}

// dead says whether nobody will ask what a word holds there.
func (g *Graph) dead(p *point, at int32) bool {
	switch k := g.slot(at); {
	case k >= 0:
		return k >= p.at.slots
	case int(at) >= len(g.codec.Base()):
		return p.at.field(g, int(at)) == nil
	case !p.last && int(at) >= g.m.Prog.Last[0] && int(at) < g.m.Prog.Last[1]:
		return true
	}
	return p.uses != nil && p.uses[at] == analysis.Dead || slices.Contains(p.at.linked, at)
}

// isInitial says whether a word of a new record is what it was when the record was
// met first, so that writing it leaves no trace.
func (g *Graph) isInitial(from, to *control, at int32, v V) bool {
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

// apply gives the words of the state to which a transition leads from one with other
// words. They are good until the next call.
func (g *Graph) apply(words []V, x *Transition) []V {
	g.out = g.changed(g.out[:0], words, x.writes, x.unchanged, &x.point)
	return g.out
}

// changed appends the words of a state as they are in another place, with some of
// them written, as far as they are kept. What is unchanged counts where there is
// neither.
func (g *Graph) changed(buf, words []V, ws, unchanged []word, to *point) []V {
	base := len(g.codec.Base())
	put := func(w word) {
		v, kept := w.v, w.kept
		if w.form != nil {
			v = w.form.Of(g.store)
		}
		if w.form != nil || int(w.at) < base {
			v, kept = g.keep(to, w.at, v)
		}
		if kept {
			buf = append(buf, value.OfInt(int64(w.at)), v)
		}
	}
	for ; len(words) > 0; words = words[2:] {
		at := int32(words[0].Int())
		for len(unchanged) > 0 && unchanged[0].at < at {
			w := unchanged[0]
			for len(ws) > 0 && ws[0].at < w.at {
				put(ws[0])
				ws = ws[1:]
			}
			put(w)
			unchanged = unchanged[1:]
		}
		for len(ws) > 0 && ws[0].at < at {
			put(ws[0])
			ws = ws[1:]
		}
		if len(unchanged) > 0 && unchanged[0].at == at {
			unchanged = unchanged[1:]
		}
		if len(ws) > 0 && ws[0].at == at {
			put(ws[0])
			ws = ws[1:]
		} else if v, kept := g.keep(to, at, words[1]); kept {
			buf = append(buf, words[0], v)
		}
	}
	for ; len(unchanged) > 0; unchanged = unchanged[1:] {
		for len(ws) > 0 && ws[0].at < unchanged[0].at {
			put(ws[0])
			ws = ws[1:]
		}
		put(unchanged[0])
	}
	for _, w := range ws {
		put(w)
	}
	return buf
}
