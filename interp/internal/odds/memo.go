package odds

import (
	"slices"

	"setpiece/interp/internal/value"
)

// What a step does depends on where in the program it begins and on the words
// of the store that it reads before it writes them. It is remembered under
// these, and used again for every rest that agrees in them: a blow struck in
// round 7 is that of round 1 if the round is not asked for. What it does is
// written down as effects: the words that each way through it has written.

// memo is a step that has been followed.
type memo struct {
	control []V // of the rest it began at
	reads   []word
	step    *Step
	effects []effect
}

// word is a word of the store.
type word struct {
	at int32
	v  V
}

// effect is what a step does on the way to a leaf.
type effect struct {
	rest    int32 // that it led to the first time
	fixed   bool  // it leads there always
	kind    Kind
	control []V
	writes  []word  // by place
	written []int32 // the same words
	sum     uint64  // of written
	last    bool    // the values of the last outcome are kept
	live    []bool  // the words that are kept; nil: all
}

// effectOf describes how the machine came to the rest it is in.
func (g *Graph) effectOf(id int32) effect {
	r := g.Rests[id]
	s := g.saver
	e := effect{rest: id, kind: r.Kind, written: slices.Clone(s.Written()), sum: s.WrittenSum(), last: s.LastLive, live: s.Kept}
	if r.words == len(r.State) && r.Kind != Between {
		e.fixed = true // an end of which only what is seen counts, or a fault
		return e
	}
	e.control = r.State[:r.words]
	for _, at := range e.written {
		e.writes = append(e.writes, word{at, g.m.Store[at]})
	}
	slices.SortFunc(e.writes, func(a, b word) int { return int(a.at - b.at) })
	return e
}

// remember keeps the step that was followed from r.
func (g *Graph) remember(r *Rest, w *walk) {
	if g.memo == nil {
		g.memo = map[uint64][]*memo{}
	}
	m := &memo{control: r.State[:r.words], step: r.Step, effects: w.effect}
	reads := slices.Clone(g.saver.Reads())
	slices.Sort(reads)
	words := r.State[r.words:]
	for _, at := range reads {
		m.reads = append(m.reads, word{at, g.wordOf(words, at)})
	}
	h := hash(g.seed, m.control)
	g.memo[h] = append(g.memo[h], m)
}

// wordOf gives the word at a place in a state whose differences to the base are
// words.
func (g *Graph) wordOf(words []V, at int32) V {
	lo, hi := 0, len(words)/2
	for lo < hi {
		mid := (lo + hi) / 2
		if int32(words[2*mid].Int()) < at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if 2*lo < len(words) && int32(words[2*lo].Int()) == at {
		return words[2*lo+1]
	}
	return g.saver.Base(at)
}

// recall gives r the step of a rest that agrees with it in all that the step
// depends on; it is false when there was none.
func (g *Graph) recall(r *Rest) bool {
	control, words := r.State[:r.words], r.State[r.words:]
next:
	for _, m := range g.memo[hash(g.seed, control)] {
		if !slices.Equal(m.control, control) {
			continue
		}
		for _, x := range m.reads {
			if g.wordOf(words, x.at) != x.v {
				continue next
			}
		}
		r.Step = m.step
		r.To = make([]int32, len(m.effects))
		for i := range m.effects {
			r.To[i] = g.apply(words, &m.effects[i])
		}
		return true
	}
	return false
}

// apply gives the rest to which an effect leads from a state with other words.
func (g *Graph) apply(words []V, e *effect) int32 {
	if e.fixed {
		return e.rest
	}
	lo, hi := g.m.Prog.Last[0], g.m.Prog.Last[1]
	buf := append(g.buf[:0], e.control...)
	put := func(at int32, v V) {
		kept := e.live == nil || e.live[at]
		if int(at) >= lo && int(at) < hi {
			kept = e.last
		}
		if kept && v != g.saver.Base(at) {
			buf = append(buf, value.OfInt(int64(at)), v)
		}
	}
	ws := e.writes
	for i := 0; i < len(words) || len(ws) > 0; {
		switch {
		case len(ws) == 0 || i < len(words) && int32(words[i].Int()) < ws[0].at:
			put(int32(words[i].Int()), words[i+1])
			i += 2
		default:
			if i < len(words) && int32(words[i].Int()) == ws[0].at {
				i += 2
			}
			put(ws[0].at, ws[0].v)
			ws = ws[1:]
		}
	}
	g.buf = buf
	return g.meet(buf, len(e.control), e.kind, 0)
}
