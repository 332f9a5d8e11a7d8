package odds

import (
	"errors"
	"slices"
	"strings"

	"setpiece/interp/internal/ablate"
	"setpiece/interp/internal/analysis"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// States that differ only in which of several equal creatures are out, while the others are
// as they are and stand in the same order, are one state: those who are out are taken
// for the last of them. That this makes no difference is found out while the graph is
// followed (state/symmetry.go): of every piece of computation it is known for whom of
// those who are out it does, and whom it tells apart. Where such a one follows after
// some have been exchanged, the graph is made anew, and those are told apart.

// errAsymmetric is that it does make a difference.
var errAsymmetric = errors.New("it matters who is which")

// symmetry is what a graph knows of those of one orbit.
type symmetry struct {
	orbits    []orbit
	exchanges int                      // how often some have been taken for others
	failed    uint64                   // who has been taken for others and is not like them
	scratch   []V                      // a store, to ask who is out
	uniform   map[*analysis.Use]uint64 // by what is read from a place on: of whom the same is
	words     []V
	entries   []word
	moves     []move
}

// orbit is creatures that differ only in name.
type orbit struct {
	analysis.Orbit
	differ   []int   // words in which they are not the same in the base
	mentions []int32 // words of the base elsewhere that lead to one of them
}

// verdict is whether somebody is out.
type verdict struct{ out, failed bool }

// asymmetry is whom, of those of one orbit, a piece of computation does not treat like the
// others.
type asymmetry struct {
	ifOut  uint64 // if they are out when it begins: where they stand, or that they are not any more
	always uint64 // in any case
}

func (s *asymmetry) join(o asymmetry) {
	s.ifOut |= o.ifOut
	s.always |= o.always
}

// of gives those for whom that is so at a checkpoint.
func (s *asymmetry) of(r *Checkpoint) uint64 { return s.always | s.ifOut&r.out }

// findOrbits finds the orbits, and has it looked whether it makes a difference who is which.
func (g *Graph) findOrbits() {
	g.symmetry = symmetry{scratch: g.symmetry.scratch, uniform: map[*analysis.Use]uint64{}}
	if g.Unmerged || g.NoSymmetry || ablate.Symmetry {
		return
	}
	all := g.codec.Orbits(g.distinct)
	g.codec.Watch(all)
	all = slices.DeleteFunc(all, func(x analysis.Orbit) bool {
		some := x.Members() & g.codec.UnnamedMembers()
		return some&(some-1) == 0
	})
	var on uint64
	for _, x := range all {
		on |= x.Members()
	}
	if on&^g.watched != 0 {
		// what is remembered does not say for whom it made a difference
		distinct := g.distinct
		g.Memory.forget(g.codec)
		g.distinct, g.watched = distinct, on
		g.ensure(len(g.read))
		g.grow()
	}
	base := g.codec.Base()
	for _, x := range all {
		k := orbit{Orbit: x}
		for i := range x.Size {
			if i != code.AtName && slices.ContainsFunc(x.Places[1:], func(at int) bool {
				return !g.codec.Renamed(base[x.Places[0]+i], base[at+i], x.Places[0], at, x.Size)
			}) {
				k.differ = append(k.differ, i)
			}
		}
		for at, v := range base {
			if (at < x.Places[0] || at >= x.Places[len(x.Places)-1]+x.Size) && g.codec.MembersIn(v)&x.Members() != 0 {
				k.mentions = append(k.mentions, int32(at))
			}
		}
		g.symmetry.orbits = append(g.symmetry.orbits, k)
	}
	g.watchOrbits()
}

func (g *Graph) watchOrbits() {
	all := make([]analysis.Orbit, len(g.symmetry.orbits))
	for i := range all {
		all[i] = g.symmetry.orbits[i].Orbit
	}
	g.codec.Watch(all)
}

// classes gives the whole orbits of some.
func (g *Graph) classes(some uint64) (set uint64) {
	for i := range g.symmetry.orbits {
		if x := g.symmetry.orbits[i].Members(); x&some != 0 {
			set |= x
		}
	}
	return set
}

// noteAsymmetry notes that what may happen from a checkpoint is not the same for all of some
// orbit. That makes a difference if they have been exchanged before.
func (g *Graph) noteAsymmetry(id int32, some uint64) {
	if some == 0 {
		return
	}
	r := g.Checkpoints[id]
	r.asymmetric |= g.classes(some)
	g.symmetry.failed |= r.asymmetric & r.exchanged
}

// noteExchanged notes that some have been exchanged on the way to a checkpoint, and so on the way
// to all that follow.
func (g *Graph) noteExchanged(id int32, some uint64) {
	for todo := []int32{id}; len(todo) > 0; {
		r := g.Checkpoints[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		if some&^r.exchanged != 0 {
			r.exchanged |= some
			g.symmetry.failed |= r.asymmetric & r.exchanged
			todo = append(todo, r.To...)
		}
	}
}

// passOn notes, when it has become known where a checkpoint leads, who has been exchanged on
// the way to it.
func (g *Graph) passOn(id int32) {
	if x := g.Checkpoints[id].exchanged; x != 0 {
		for _, to := range g.Checkpoints[id].To {
			g.noteExchanged(to, x)
		}
	}
}

// checkSymmetry looks whether somebody has been found not to be like those for whom he has
// been taken.
func (g *Graph) checkSymmetry() error {
	if g.symmetry.failed == 0 {
		return nil
	}
	g.distinct |= g.symmetry.failed
	return errAsymmetric
}

// Exchanged is how often some have been taken for others.
func (g *Graph) Exchanged() int { return g.symmetry.exchanges }

// restart begins anew with the first checkpoint.
func (g *Graph) restart() {
	first := g.Checkpoints[0]
	for i := range g.Checkpoints {
		g.bytes -= bytesOfCheckpoint(g.Checkpoints[i].Words)
	}
	g.Checkpoints, g.terminalAt, g.first, g.queue = nil, nil, map[uint64]int32{}, [decades][]int32{}
	g.Merged, g.checkpoints, g.stateWords, g.successors = 0, nil, nil, nil
	g.findOrbits()
	g.intern(first.at, first.Words, first.Kind, first.Fault)
	g.Checkpoints[0].weight = 1
	g.Checkpoints[0].out = g.whoIsOutIn(0, first.at, first.Words)
}

// successor gives the checkpoint to which a macro step leads that began at another, and says whether it
// is the state itself and not one for which some are exchanged.
func (g *Graph) successor(from int32, p *point, words []V) (id int32, itself bool) {
	if len(g.symmetry.orbits) == 0 {
		return g.intern(p.at, words, Transient, nil), true
	}
	out := g.whoIsOutIn(from, p.at, words)
	if back := g.Checkpoints[from].out &^ out; back != 0 {
		g.noteAsymmetry(from, g.distinguished(p, words, back))
	}
	words, out, exchanged := g.canonicalise(p, words, out)
	id = g.intern(p.at, words, Transient, nil)
	g.Checkpoints[id].out = out
	g.noteExchanged(id, exchanged|g.Checkpoints[from].exchanged)
	return id, exchanged == 0
}

// whoIsOutIn gives those who are out in a state that comes after a checkpoint.
func (g *Graph) whoIsOutIn(from int32, at *control, words []V) (out uint64) {
	a := &g.symmetry
	if len(a.orbits) == 0 {
		return 0
	}
	g.showScratch(at, words)
	defer g.hideScratch(words)
	for i := range a.orbits {
		x := &a.orbits[i]
		for k := range x.Places {
			k += x.First
			v := g.whoIsOut[k].Find(a.scratch)
			if v == nil {
				v = g.decideOut(k, &stepState{at: at, words: words})
			}
			if v.failed {
				g.noteAsymmetry(from, 1<<k)
			}
			if v.out {
				out |= 1 << k
			}
		}
	}
	return out
}

// showScratch puts the words of a state into scratch; hideScratch takes them away again.
func (g *Graph) showScratch(at *control, words []V) {
	copy(g.symmetry.scratch[len(g.codec.Base()):], at.proto)
	for i := 0; i < len(words); i += 2 {
		g.symmetry.scratch[words[i].Int()] = words[i+1]
	}
}

func (g *Graph) hideScratch(words []V) {
	base := g.codec.Base()
	for i := 0; i < len(words); i += 2 {
		if at := int(words[i].Int()); at < len(base) {
			g.symmetry.scratch[at] = base[at]
		}
	}
}

// decideOut asks in a state, whose words are in scratch, whether somebody is out.
func (g *Graph) decideOut(k int, n *stepState) *verdict {
	g.load(n)
	v := &verdict{}
	out, path, ok := g.codec.IsOut(k, g.varied)
	v.out, v.failed = out, !ok
	g.bytes += g.whoIsOut[k].Add(g.symmetry.scratch, &path, v)
	return v
}

// distinguished gives those of some, and of their orbits, whom something tells from
// one another in a state.
func (g *Graph) distinguished(p *point, words []V, some uint64) (set uint64) {
	a := &g.symmetry
	g.showScratch(p.at, words)
	defer g.hideScratch(words)
	live := func(at int) bool { return p.uses == nil || p.uses[at] != analysis.Dead }
	for i := range a.orbits {
		x := &a.orbits[i]
		all := x.Members()
		if all&some == 0 {
			continue
		}
		equal := p.at.cuts&all&^(1<<x.First) == 0
		for k := 0; k < x.Size && equal; k++ {
			for _, at := range x.Places[1:] {
				first := x.Places[0]
				equal = equal && (k == code.AtName || !live(first+k) && !live(at+k) || g.codec.Renamed(a.scratch[first+k], a.scratch[at+k], first, at, x.Size))
			}
		}
		for i := 0; i < len(words) && equal; i += 2 {
			equal = x.contains(int(words[i].Int())) || g.codec.Distinguished(words[i+1])&all == 0
		}
		for _, at := range x.mentions {
			equal = equal && (!live(int(at)) || g.codec.Distinguished(a.scratch[at])&all == 0)
		}
		if !equal {
			set |= all
		}
	}
	return set
}

// contains says whether a word is part of one of them.
func (x *orbit) contains(at int) bool {
	return slices.ContainsFunc(x.Places, func(from int) bool { return at >= from && at < from+x.Size })
}

// shownBy gives those whom the end of a transition shows.
func (g *Graph) shownBy(x *Transition) (who uint64) {
	if x.target != toTerminal {
		return 0
	}
	e := &g.terminals[x.terminal]
	for _, v := range e.words {
		who |= g.codec.MembersIn(v)
	}
	if e.fault != nil {
		for i := range g.symmetry.orbits {
			for _, at := range g.symmetry.orbits[i].Places {
				if strings.Contains(e.fault.Msg, g.m.NameOf(value.OfRef(at))) {
					who |= g.symmetry.orbits[i].Members()
				}
			}
		}
	}
	return who
}
