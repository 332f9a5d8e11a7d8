package query

import (
	"encoding/binary"
	"fmt"
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
)

// Rules that read dice side by side, by their number,
//
//	count i in 1..10 where a[i] > b[i]
//	any i in 1..4 where a[i] == a[i + 1]
//
// are automata, too: of pairs. A sweep over the faces meets the two dice of a pair one after the other, so a
// state is what the turns so far have left and those dice that wait for what is read beside them. These would be
// many; but mostly it matters only that a die shows more than whatever is still to come. So a turn is executed as
// soon as the dice that it still lacks make no difference (whatever): a transducer with its outputs as early as may
// be (Choffrut, Minimizing subsequential transducers, 2003).

// beside is what the turns of such a loop read.
type beside struct {
	w      *executor
	views  []view
	order  []int // in which their dice come, where they show the same
	more   bool  // a turn has read a list that was not known of
	number bool  // the number of a turn matters in itself
	turn   int
	heads  []V // what the turn at hand reads, by view
}

// view is the dice of a list from the one on that the first turn reads.
type view struct {
	list  expr
	from  int
	kinds []V // its dice with their faces, from the highest
	dice  int // how many come
}

const (
	// maxViews bounds the lists that are read side by side.
	maxViews = 4
	// maxPairs bounds the turns that are executed.
	maxPairs = 1 << 17
)

// beside goes past a loop over numbers that reads dice of lists by number.
func (w *executor) beside(top *machine.Frame, in *code.Ins, list, elem int) bool {
	m := w.m
	turns := m.Heap.Elems(m.Stack[list])
	reads := func(in code.Ins) bool { return in.Op == code.Index || in.Op == code.IndexI || in.Op == code.Call }
	if w.forks || m.Out != nil || w.isUnknown(list+1) || m.Stack[list+1] != value.OfInt(0) || len(turns) < 2 || !turns[0].IsInt() ||
		!slices.ContainsFunc(top.Fn.Code[top.PC+1:in.C], reads) || !w.unread() {
		return false
	}
	t, ok := w.turnsOf(top, in, list, elem)
	if !ok {
		return false
	}
	t.beside = &beside{w: w}
	var f *Fold
	t.aside(top, func() {
		for again := true; again; {
			number := t.beside.number
			t.beside.more = false
			f = t.beside.automaton(t, turns)
			again = f == nil && (t.beside.more || t.beside.number != number)
		}
	})
	if f == nil || !t.beside.counted() {
		return false
	}
	var of []int
	for _, i := range t.beside.order {
		v := t.beside.views[i]
		e, _ := w.part(w.add(v.list), false, v.from)
		if e, _ = w.part(e, true, v.dice); w.r.Stages[w.r.exprs[e].stage].Size != v.dice {
			return false
		}
		of = append(of, int(w.r.exprs[e].stage))
	}
	t.pass(int32(of[0]), w.r.folds(f, of...))
	return true
}

// unread says whether a list of dice waits.
func (w *executor) unread() bool {
	return slices.ContainsFunc(w.pending(), func(u target) bool { return w.r.faces(u) })
}

// step executes an instruction that handles a list of dice that have not fallen, if it is one.
func (b *beside) step(t *turns, top *machine.Frame, in *code.Ins) (done, ok bool) {
	w, base := b.w, int(top.Base)
	dst, e := base+int(in.A), int32(0)
	unknown := false
	switch in.Op {
	case code.GetAt:
		c, is := w.cells[int(in.B)]
		e, unknown = c.expr, is
	case code.Move, code.Index, code.IndexI:
		e, unknown = w.waits[base+int(in.B)]
	case code.Builtin:
		e, unknown = w.waits[dst]
	}
	if o := in.Operands(w.m.Prog, top.Fn); !unknown {
		elem := int32(t.elem - base)
		b.number = b.number || slices.Contains(o.Uses[:], elem) || elem >= o.From && elem < o.From+o.N
		return false, true
	}
	if w.r.exprs[e].of != isList || slices.Contains(t.unknown, dst) {
		return false, false
	}
	switch in.Op {
	case code.Builtin:
		ok = w.builtin(dst, in) && w.isUnknown(dst) && w.r.exprs[w.waits[dst]].of == isList
	case code.Index, code.IndexI:
		at := value.OfInt(int64(in.C))
		if in.Op == code.Index {
			if w.isUnknown(base + int(in.C)) {
				return false, false
			}
			at = w.m.Stack[base+int(in.C)]
		}
		v := value.None
		if v, ok = b.at(w.r.exprs[e], at); ok {
			w.put(dst, v)
		}
	default:
		w.set(dst, e)
		ok = true
	}
	top.PC++
	return ok, ok
}

// at gives the die of a list that a turn reads.
func (b *beside) at(x expr, n V) (die V, ok bool) {
	if x.rev || x.loose || x.what == AllSizes || b.w.r.Stages[x.stage].Size < 0 || !n.IsInt() || n.Int() <= int64(b.turn) {
		return 0, false
	}
	from := int(n.Int()) - 1 - b.turn
	i := slices.IndexFunc(b.views, func(v view) bool { return v.from == from && v.list.stage == x.stage && v.list.what == x.what })
	if i < 0 {
		b.more = len(b.views) < maxViews
		if b.more {
			b.views = append(b.views, view{list: x, from: from})
		}
		return 0, false
	}
	return b.heads[i], true
}

// shown gives what the script sees of a die.
func (b *beside) shown(v view, die V) V {
	pool := b.w.r.Pools[b.w.r.Pool(int(v.list.stage))]
	switch {
	case die == value.None:
		return die
	case pool.Made != nil:
		return pool.Made.Shows[die.DieFace()-1]
	case v.list.what == AllFaces:
		return value.OfInt(int64(die.DieFace()))
	}
	return die
}

// pairs are the turns that have been executed: states of the loop, and which of them a turn makes of which other.
type pairs struct {
	b      *beside
	t      *turns
	turns  []V // their numbers
	states [][]V
	number map[string]int
	ends   []bool // by state: no more dice are looked at
	to     map[string]int
}

// state gives the number of a state.
func (p *pairs) state(s []V, end bool) int {
	key := packedValues(s)
	if end {
		key += "."
	}
	n, ok := p.number[key]
	if !ok {
		n = len(p.states)
		p.number[key] = n
		p.states, p.ends = append(p.states, slices.Clone(s)), append(p.ends, end)
	}
	return n
}

func packedValues(s []V) string {
	var key []byte
	for _, v := range s {
		key = binary.LittleEndian.AppendUint64(key, uint64(v))
	}
	return string(key)
}

// next gives the state behind a turn that reads dice, -1 where that cannot be said.
func (p *pairs) next(state, turn int, dice []V) int {
	if p.ends[state] {
		return state
	}
	at := turn
	if !p.b.number {
		at = 0
	}
	key := packedValues(append([]V{V(state), V(at)}, dice...))
	to, ok := p.to[key]
	if ok {
		return to
	}
	if p.b.more || len(p.to) > maxPairs {
		return -1
	}
	p.b.turn, p.b.heads = turn, p.b.heads[:0]
	for i, d := range dice {
		p.b.heads = append(p.b.heads, p.b.shown(p.b.views[i], d))
	}
	to = -1
	if s, end, ok := p.t.turn(p.states[state], p.turns[turn]); ok && !slices.ContainsFunc(p.t.registers, p.b.w.isUnknown) {
		to = p.state(s, end)
	}
	p.to[key] = to
	return to
}

// automaton makes the Fold of the loop, nil where there is none. Of dice that show the same, those of either of two
// pools may come first: that is taken which makes fewer states.
func (b *beside) automaton(t *turns, numbers []V) *Fold {
	p := &pairs{b: b, t: t, turns: numbers, number: map[string]int{}, to: map[string]int{}}
	b.order = nil
	for i := range b.views {
		v := &b.views[i]
		pool, size := b.w.r.Pools[b.pool(i)], b.w.r.Stages[v.list.stage].Size
		v.dice, v.kinds = min(len(numbers), size-v.from), slices.Concat(pool.faces()...)
		if v.dice < 1 || v.kinds == nil {
			return nil
		}
		b.order = append(b.order, i)
	}
	p.state(t.first, false)
	if len(b.views) == 0 {
		p.next(0, 0, nil)
		return nil
	}
	slices.SortStableFunc(b.order, func(i, j int) int { return b.pool(i) - b.pool(j) })
	f := p.explore()
	if order := b.order; !b.more && len(order) == 2 && b.pool(0) != b.pool(1) {
		b.order = []int{order[1], order[0]}
		if g := p.explore(); f == nil || g != nil && len(g.values) < len(f.values) {
			return g
		}
		b.order = order
	}
	return f
}

// pool gives the number of the pool of a view.
func (b *beside) pool(i int) int { return b.w.r.Pool(int(b.views[i].list.stage)) }

// counted notes the order in which the pools are counted, with no where others are counted in another one.
func (b *beside) counted() bool {
	for k, i := range b.order[1:] {
		before, behind := b.pool(b.order[k]), b.pool(i)
		if before == behind {
			continue
		}
		if slices.Contains(b.w.r.lower, [2]int{before, behind}) {
			return false
		}
		b.w.r.lower = append(b.w.r.lower, [2]int{behind, before})
	}
	return true
}

// waiting is a state of the Fold: what so many turns have left, and by view the dice that wait, or how many are
// still to come that do not matter any more.
type waiting struct {
	state, turn int
	dice        [][]V
	spare       []int
}

func (s *waiting) key() string {
	all := []V{V(s.state), V(s.turn)}
	for i, dice := range s.dice {
		all = append(append(all, V(s.spare[i]), V(len(dice))), dice...)
	}
	return packedValues(all)
}

// settle executes the turns of which all dice have come, or those that are still to come make no difference; with
// no one of them cannot be executed.
func (p *pairs) settle(s *waiting, list int, latest V) bool {
	heads := make([]V, len(s.dice))
	for s.turn < len(p.turns) {
		var open []int
		for i := range heads {
			switch v := &p.b.views[i]; {
			case s.turn >= v.dice:
				heads[i] = value.None
			case len(s.dice[i]) == 0:
				open = append(open, i)
			default:
				heads[i] = s.dice[i][0]
			}
		}
		if len(open) == len(heads) {
			return true
		}
		to, same := p.whatever(s, heads, open, list, latest)
		if !same {
			return len(open) > 0
		}
		s.state = to
		s.turn++
		for i := range s.dice {
			s.dice[i] = s.dice[i][min(1, len(s.dice[i])):]
		}
		for _, i := range open {
			s.spare[i]++
		}
	}
	return true
}

// whatever gives the state behind a turn, if it is the same whatever dice come for the open views.
func (p *pairs) whatever(s *waiting, heads []V, open []int, list int, latest V) (to int, same bool) {
	if len(open) == 0 {
		to = p.next(s.state, s.turn, heads)
		return to, to >= 0
	}
	i := open[0]
	to = -1
	for _, d := range p.b.views[i].kinds {
		if d.DieFace() > latest.DieFace() || d.DieFace() == latest.DieFace() && p.b.pool(i) != p.b.pool(p.b.order[list]) && slices.Index(p.b.order, i) < list {
			continue // it would have come
		}
		heads[i] = d
		n, same := p.whatever(s, heads, open[1:], list, latest)
		if !same || to >= 0 && n != to {
			return 0, false
		}
		to = n
	}
	return to, to >= 0
}

// explore makes the Fold: dice come in the order of a sweep.
func (p *pairs) explore() *Fold {
	f := &Fold{kinds: map[letter]int{}}
	number := map[string]int32{}
	var states []waiting
	intern := func(s waiting) int32 {
		if p.ends[s.state] {
			s.turn, s.dice, s.spare = len(p.turns), make([][]V, len(s.dice)), make([]int, len(s.dice))
		}
		key := s.key()
		n, ok := number[key]
		if !ok {
			n = int32(len(states))
			number[key] = n
			states = append(states, s)
			f.values = append(f.values, p.states[s.state])
			f.next = append(f.next, slices.Repeat([]int32{-1}, len(f.kinds))...)
		}
		return n
	}
	for list, i := range p.b.order {
		for _, d := range p.b.views[i].kinds {
			f.kinds[letter{list, d}] = len(f.kinds)
		}
	}
	intern(waiting{dice: make([][]V, len(p.b.views)), spare: make([]int, len(p.b.views))})
	come := func(n int32, list int, d V) bool {
		at := int(n)*len(f.kinds) + f.kinds[letter{list, d}]
		i, s := p.b.order[list], states[n]
		if f.next[at] >= 0 || p.b.more {
			return !p.b.more
		}
		if s.dice, s.spare = slices.Clone(s.dice), slices.Clone(s.spare); s.spare[i] > 0 {
			s.spare[i]--
		} else if s.turn+len(s.dice[i]) < p.b.views[i].dice {
			s.dice[i] = append(slices.Clip(s.dice[i]), d)
			if !p.settle(&s, list, d) {
				return false
			}
		}
		f.next[at] = intern(s)
		return len(states) < maxFold
	}
	top := 0
	for _, v := range p.b.views {
		top = max(top, v.kinds[0].DieFace())
	}
	for face := top; face >= 1; face-- {
		for from := 0; from < len(p.b.order); {
			to := from + 1 // views of one pool get their dice at once
			for to < len(p.b.order) && p.b.pool(p.b.order[to]) == p.b.pool(p.b.order[from]) {
				to++
			}
			for n := int32(0); int(n) < len(states); n++ {
				for list := from; list < to; list++ {
					for _, d := range p.b.views[p.b.order[list]].kinds {
						if d.DieFace() == face && !come(n, list, d) {
							return nil
						}
					}
				}
			}
			from = to
		}
	}
	f.Key = fmt.Sprint(f.kinds, f.next)
	return f
}
