package query

import (
	"encoding/binary"
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
// be (Choffrut, Minimizing subsequential transducers, 2003). For the same reason a loop that only adds up takes at
// once, of a die that waits, what does not depend on what is still to come (settled).

// beside is what the turns of such a loop read.
type beside struct {
	w         *executor
	views     []view
	backwards bool  // the last turn reads the highest dice: turns are executed from the last one on
	order     []int // in which their dice come, where they show the same
	more      bool  // a turn has read a list that was not known of
	number    bool  // the number of a turn matters in itself
	blind     bool  // whatever a turn reads shows least
	turn      int   // the place of the dice that the turn at hand reads, of the list from the highest
	heads     []V   // what it reads, by view
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

// beside goes past a loop that reads dice of lists by number, with so many turns.
func (w *executor) beside(top *machine.Frame, l loopAt, numbers []V) bool {
	reads := func(in code.Ins) bool { return in.Op == code.Index || in.Op == code.IndexI || in.Op == code.Call }
	if w.forks || w.m.Out != nil || !slices.ContainsFunc(top.Fn.Code[l.head+1:l.exit], reads) || !w.unread() {
		return false
	}
	for _, backwards := range []bool{false, true} {
		t, ok := w.turnsOf(top, l)
		if !ok {
			return false
		}
		t.beside = &beside{w: w, backwards: backwards}
		var f *Fold
		t.aside(top, func() { f = t.beside.fold(t, numbers) })
		if f != nil {
			return t.beside.counted() && t.beside.pass(t, f)
		}
	}
	return false
}

// numbered goes past such a loop over numbers.
func (w *executor) numbered(top *machine.Frame, in *code.Ins, list, elem int) bool {
	numbers := w.m.Heap.Elems(w.m.Stack[list])
	if w.isUnknown(list+1) || w.m.Stack[list+1] != value.OfInt(0) || len(numbers) < 2 || !numbers[0].IsInt() {
		return false
	}
	return w.beside(top, loopAt{top.PC, in.C, list, elem}, numbers)
}

// rounds goes past such a loop that goes on as long as a condition holds, and gives where it ends.
func (w *executor) rounds(top *machine.Frame) (exit int32, ok bool) {
	ins := top.Fn.Code
	back := slices.IndexFunc(ins[top.PC:], func(in code.Ins) bool { return in.Op == code.Jmp && in.C == top.PC })
	if ins[top.PC+1].Op == code.Iter || back < 0 || w.tried == &ins[top.PC] {
		return 0, false
	}
	w.tried = &ins[top.PC]
	most := 0
	for _, u := range w.pending() {
		if w.r.faces(u) {
			most = max(most, w.r.most(int(w.r.exprs[u.expr].stage)))
		}
	}
	exit = top.PC + int32(back) + 1
	return exit, w.beside(top, loopAt{top.PC, exit, -1, -1}, make([]V, most+2))
}

// fold makes the Fold of a loop with so many turns, nil where there is none.
func (b *beside) fold(t *turns, numbers []V) (f *Fold) {
	if b.backwards && t.elem < 0 {
		b.blind = true
		numbers = numbers[:t.count(len(numbers))]
		b.blind = false
	}
	for again := true; again; {
		number := b.number
		b.more = false
		f = b.automaton(t, numbers)
		again = f == nil && (b.more || b.number != number)
	}
	return f
}

// count gives how many turns there are until the loop ends, 0 where it does not end within so many.
func (t *turns) count(most int) int {
	state := t.first
	for n := range most {
		to, end, ok := t.turn(state, value.None)
		switch {
		case !ok:
			return 0
		case end:
			return n
		}
		state = to
	}
	return 0
}

// pass goes past the loop.
func (b *beside) pass(t *turns, f *Fold) bool {
	w := b.w
	var of []int
	for _, i := range b.order {
		v := b.views[i]
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
		b.number = b.number || t.elem >= 0 && (slices.Contains(o.Uses[:], elem) || elem >= o.From && elem < o.From+o.N)
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
	size := b.w.r.Stages[x.stage].Size
	if x.loose || x.what == AllSizes || size < 0 || !n.IsInt() || n.Int() < 1 {
		return 0, false
	}
	at := int(n.Int()) - 1
	if x.rev {
		at, x.rev = size-1-at, false
	}
	if b.blind {
		if faces := b.w.r.Pools[b.w.r.Pool(int(x.stage))].faces(); len(faces) > 0 && at >= 0 && at < size {
			return b.shown(view{list: x}, faces[len(faces)-1][0]), true
		}
		return value.None, true
	}
	from := at - b.turn
	if from < 0 || b.turn < 0 {
		return 0, false
	}
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
	gains  map[string][]V // what a turn adds to any state; nil where that depends on the state
	alike  bool           // and is the same for all turns
	rests  map[rest]rested
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
	key := make([]byte, 0, 8*len(s))
	for _, v := range s {
		key = binary.LittleEndian.AppendUint64(key, uint64(v))
	}
	return string(key)
}

// key tells turns apart that read dice, from a state.
func (p *pairs) key(state, turn int, dice []V) string {
	if !p.b.number || p.alike {
		turn = 0
	}
	return packedValues(append([]V{V(state), V(turn)}, dice...))
}

// next gives the state behind a turn that reads dice, -1 where that cannot be said.
func (p *pairs) next(state, turn int, dice []V) int {
	if p.gains != nil {
		return p.moved(state, p.gains[p.key(0, turn, dice)])
	}
	if p.ends[state] {
		return state
	}
	key := p.key(state, turn, dice)
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
	number := value.None
	if p.t.elem >= 0 {
		number = p.turns[p.inOrder(turn)]
	}
	s, end, ok := p.t.turn(p.states[state], number)
	goesOn := p.t.elem < 0 && !p.b.backwards && turn == len(p.turns)-1 && !end
	if ok && !goesOn && !slices.ContainsFunc(p.t.registers, p.b.w.isUnknown) {
		to = p.state(s, end)
	}
	p.to[key] = to
	return to
}

// inOrder gives the place of the dice that the nth turn reads, and which turn reads those at a place.
func (p *pairs) inOrder(n int) int {
	if p.b.backwards {
		return len(p.turns) - 1 - n
	}
	return n
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
	number := b.number
	p.state(t.first, false)
	if len(numbers) == 0 || !p.adds() && b.backwards && !p.commutes() || b.more || b.number != number || len(b.views) == 0 {
		return nil
	}
	for i := range b.views {
		b.views[i].dice = min(len(p.turns), b.views[i].dice)
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
			p.settled(s, list, latest)
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
		if !p.mayCome(i, d, list, latest) {
			continue
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

// mayCome says whether a die may still come for a view, behind the latest die of a list.
func (p *pairs) mayCome(i int, d V, list int, latest V) bool {
	before := p.b.pool(i) != p.b.pool(p.b.order[list]) && slices.Index(p.b.order, i) < list
	return d.DieFace() < latest.DieFace() || d.DieFace() == latest.DieFace() && !before
}

// way is how many dice, in the order of a sweep, change what waits: to which of the states, and what that adds.
type way struct{ to, gain int32 }

// ways are the states of what waits, each beside a sum of 0 where turns only add up, with the ways between them.
type ways struct {
	*pairs
	kinds  map[letter]int
	states []waiting
	number map[string]int32
	next   []way // by state and kind; to is 0 where it is not known
	zero   int   // of the states of the loop that with sums of 0
}

// intern gives the number of a state, and what its turns have added.
func (w *ways) intern(s waiting) way {
	gain := 0
	if w.ends[s.state] {
		s.turn, s.dice, s.spare = len(w.turns), make([][]V, len(s.dice)), make([]int, len(s.dice))
	}
	if w.gains != nil {
		gain, s.state = s.state, w.zero
	}
	key := s.key()
	n, ok := w.number[key]
	if !ok {
		n = int32(len(w.states))
		w.number[key] = n
		w.states = append(w.states, s)
		w.next = append(w.next, make([]way, len(w.kinds))...)
	}
	return way{n, int32(gain)}
}

// come gives the way that a die leads from a state, with no where a turn cannot be executed.
func (w *ways) come(n int32, list int, d V) (way, bool) {
	at := int(n)*len(w.kinds) + w.kinds[letter{list, d}]
	if to := w.next[at]; to.to > 0 {
		return to, true
	}
	i, s := w.b.order[list], w.states[n]
	if s.dice, s.spare = slices.Clone(s.dice), slices.Clone(s.spare); s.spare[i] > 0 {
		s.spare[i]--
	} else if s.turn+len(s.dice[i]) < w.b.views[i].dice {
		s.dice[i] = append(slices.Clip(s.dice[i]), d)
		if !w.settle(&s, list, d) || w.b.more {
			return way{}, false
		}
	}
	to := w.intern(s)
	w.next[at] = to
	return to, true
}

// explore makes the Fold: dice come in the order of a sweep.
func (p *pairs) explore() *Fold {
	f := &Fold{kinds: map[letter]int{}}
	p.rests = map[rest]rested{} // they depend on the order
	top := 0
	for list, i := range p.b.order {
		for _, d := range p.b.views[i].kinds {
			f.kinds[letter{list, d}] = len(f.kinds)
			top = max(top, d.DieFace())
		}
	}
	w := &ways{pairs: p, kinds: f.kinds, number: map[string]int32{}}
	if p.gains != nil {
		less, _ := difference(p.states[0], p.states[0])
		w.zero = p.state(less, false)
	}
	first := w.intern(waiting{state: w.zero, dice: make([][]V, len(p.b.views)), spare: make([]int, len(p.b.views))})
	number := map[way]int32{}
	var states []way // what waits, and the sum so far
	intern := func(s way) int32 {
		n, ok := number[s]
		if !ok {
			n = int32(len(states))
			number[s] = n
			states = append(states, s)
			state := int(s.gain)
			if p.gains == nil {
				state = w.states[s.to].state
			}
			f.values = append(f.values, p.states[state])
			f.next = append(f.next, slices.Repeat([]int32{-1}, len(f.kinds))...)
		}
		return n
	}
	sums := map[way]int32{}
	plus := func(sum, gain int32) int32 {
		n, ok := sums[way{sum, gain}]
		if !ok && p.gains != nil {
			n = int32(p.moved(int(sum), p.states[gain]))
			sums[way{sum, gain}] = n
		}
		return n
	}
	intern(way{first.to, 0})
	for face := top; face >= 1; face-- {
		for from := 0; from < len(p.b.order); {
			to := from + 1 // views of one pool get their dice at once
			for to < len(p.b.order) && p.b.pool(p.b.order[to]) == p.b.pool(p.b.order[from]) {
				to++
			}
			for n := 0; n < len(states); n++ {
				for list := from; list < to; list++ {
					for _, d := range p.b.views[p.b.order[list]].kinds {
						at := n*len(f.kinds) + f.kinds[letter{list, d}]
						if d.DieFace() != face || f.next[at] >= 0 {
							continue
						}
						s := states[n]
						next, ok := w.come(s.to, list, d)
						if !ok || len(states) >= maxFold {
							return nil
						}
						f.next[at] = intern(way{next.to, plus(s.gain, next.gain)})
					}
				}
			}
			from = to
		}
	}
	f.name()
	return f
}

// maxAdded bounds the turns that are executed to see whether a loop only adds up.
const maxAdded = 1 << 14

// adds finds out whether each turn adds the same to whatever state it begins from, and what.
func (p *pairs) adds() bool {
	gains, alike := map[string][]V{}, map[string][]V{}
	same := true
	states := []int{0}
	for n := 0; n < len(p.turns); n++ {
		at, ends := p.inOrder(n), 0
		var next []int
		adds := p.each(at, make([]V, len(p.b.views)), 0, func(dice []V) bool {
			for _, s := range states {
				to := p.next(s, at, dice)
				if to < 0 || len(p.to) > maxAdded {
					return false
				}
				gain, ok := difference(p.states[s], p.states[to])
				if p.ends[to] {
					ends++
					if ok = ok && !slices.ContainsFunc(gain, func(v V) bool { return v != value.OfInt(0) }); !ok {
						return false
					}
					continue
				}
				key, of := p.key(0, at, dice), packedValues(append([]V{0, 0}, dice...))
				if !ok || gains[key] != nil && !slices.Equal(gains[key], gain) {
					return false
				}
				same = same && (alike[of] == nil || slices.Equal(alike[of], gain))
				gains[key], alike[of] = gain, gain
				next = append(next, to)
			}
			return true
		})
		if !adds || ends > 0 && (len(next) > 0 || p.t.elem >= 0) {
			return false
		}
		if ends > 0 {
			p.turns = p.turns[:n]
			break
		}
		slices.Sort(next)
		states = slices.Compact(next)
	}
	if p.t.elem < 0 && !p.over(states) {
		return false
	}
	if p.gains, p.alike = gains, same; same {
		p.gains = alike
	}
	return len(p.turns) > 0
}

// over says whether the turn behind the last one ends the loop in each of some states, whatever the dice.
func (p *pairs) over(states []int) bool {
	p.b.turn = -1
	return !slices.ContainsFunc(states, func(s int) bool {
		to, end, ok := p.t.turn(p.states[s], value.None)
		return !ok || !end || !slices.Equal(to, p.states[s])
	})
}

// commutes says whether it does not matter in which order turns are executed, which read the same dice as any other.
func (p *pairs) commutes() bool {
	if p.t.elem < 0 || slices.ContainsFunc(p.b.views, func(v view) bool { return v.dice != len(p.turns) }) {
		return false
	}
	var all [][]V
	p.each(0, make([]V, len(p.b.views)), 0, func(dice []V) bool {
		all = append(all, slices.Clone(dice))
		return true
	})
	states, met := []int{0}, map[int]bool{0: true}
	for i := 0; i < len(states); i++ {
		for _, dice := range all {
			to := p.next(states[i], 0, dice)
			for turn := range p.turns {
				if to < 0 || p.next(states[i], turn, dice) != to || len(p.to) > maxAdded {
					return false
				}
			}
			if !met[to] {
				met[to] = true
				states = append(states, to)
			}
		}
	}
	p.alike = true
	if len(states)*len(all)*len(all) > maxPairs {
		return false
	}
	return !slices.ContainsFunc(states, func(s int) bool {
		return slices.ContainsFunc(all, func(d []V) bool {
			return slices.ContainsFunc(all, func(e []V) bool {
				return p.next(p.next(s, 0, d), 0, e) != p.next(p.next(s, 0, e), 0, d)
			})
		})
	})
}

// each calls do with all dice that a turn may read, as long as it says to go on.
func (p *pairs) each(turn int, dice []V, from int, do func(dice []V) bool) bool {
	if from == len(dice) {
		return do(dice)
	}
	kinds := p.b.views[from].kinds
	if turn >= p.b.views[from].dice {
		kinds = []V{value.None}
	}
	return !slices.ContainsFunc(kinds, func(d V) bool {
		dice[from] = d
		return !p.each(turn, dice, from+1, do)
	})
}

// difference gives what has been added to numbers, with no where something else has changed.
func difference(from, to []V) (gain []V, ok bool) {
	gain = make([]V, len(from))
	for i, v := range from {
		gain[i] = value.OfInt(0)
		if v.IsInt() && to[i].IsInt() {
			gain[i] = value.OfInt(to[i].Int() - v.Int())
		} else if v != to[i] {
			return nil, false
		}
	}
	return gain, true
}

// moved gives the state to which something is added, -1 where it is nothing.
func (p *pairs) moved(state int, gain []V) int {
	if gain == nil {
		return -1
	}
	to := slices.Clone(p.states[state])
	for i, v := range to {
		if v.IsInt() {
			to[i] = value.OfInt(v.Int() + gain[i].Int())
		}
	}
	return p.state(to, false)
}

// rest is a die that waits in a view, behind the latest die of a list.
type rest struct {
	view, list  int
	die, latest V
}

// rested is a die that stands for it, and what has to be added then.
type rested struct {
	die  V
	gain []V
}

// settled takes of the dice that wait what does not depend on those still to come.
func (p *pairs) settled(s *waiting, list int, latest V) {
	if p.gains == nil || !p.alike || len(s.dice) != 2 {
		return
	}
	for i := range s.dice {
		s.dice[i] = slices.Clone(s.dice[i])
		for k, d := range s.dice[i] {
			if s.turn+k < p.b.views[1-i].dice {
				r := p.rest(rest{i, list, d, latest})
				s.dice[i][k], s.state = r.die, p.moved(s.state, r.gain)
			}
		}
	}
}

// rest finds the least die that comes to the same as one that waits but for what is added.
func (p *pairs) rest(of rest) rested {
	if r, ok := p.rests[of]; ok {
		return r
	}
	gain := func(die, other V) []V {
		dice := []V{die, other}
		if of.view == 1 {
			dice = []V{other, die}
		}
		return p.gains[p.key(0, 0, dice)]
	}
	var r rested
	for _, die := range slices.Backward(p.b.views[of.view].kinds) {
		r = rested{die: die}
		same := true
		for _, other := range p.b.views[1-of.view].kinds {
			if !p.mayCome(1-of.view, other, of.list, of.latest) {
				continue
			}
			more, _ := difference(gain(die, other), gain(of.die, other))
			same = same && (r.gain == nil || slices.Equal(r.gain, more))
			r.gain = more
		}
		if same && r.gain != nil {
			break
		}
	}
	if r.gain == nil { // no more dice come
		r = rested{of.die, make([]V, len(p.states[0]))}
		for i := range r.gain {
			r.gain[i] = value.OfInt(0)
		}
	}
	p.rests[of] = r
	return r
}
