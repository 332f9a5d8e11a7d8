package query

import (
	"encoding/binary"
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Rules that go through a pool die by die, in the order in which it lies,
//
//	for d in throw 10d6 { if d == last { run += 1 } else { run = 1 }; last = d; best = max(best, run) }
//
// are automata: all that a turn of the loop leaves behind is in a few variables, and the next turn begins
// from there. The loop is executed once for each of their combinations and each die that may come next
// (fold), and package pool runs the automaton beside its sweep. So do the evaluators of icepool (Liu,
// Icepool, 2022); in automata theory it is a transducer over the faces of a sorted pool. What the language
// has of this kind (largest_set, straight, pairs) is an automaton from the start (machine.Run).

// Fold is such an automaton. State 0 is the first.
type Fold struct {
	// Key tells automata apart.
	Key string
	// Of are the lists whose dice it takes, those of equal faces from an earlier list first.
	Of     []int
	kinds  map[letter]int
	next   []int32 // by state and kind
	values [][]V   // by state: what it comes to
}

// letter is a die that shows a face, of one of the lists.
type letter struct {
	list int
	die  V
}

// Next gives the state behind a die of a list.
func (f *Fold) Next(state int32, list int, die V) int32 {
	return f.to(int(state), letter{list, die})
}

// End gives the state in which it ends with lists of dice.
func (f *Fold) End(lists [][]V) (state int32) {
	lists = slices.Clone(lists)
	for {
		top := -1
		for i, l := range lists {
			if len(l) > 0 && (top < 0 || l[0].DieFace() > lists[top][0].DieFace()) {
				top = i
			}
		}
		if top < 0 {
			return state
		}
		d := lists[top][0]
		state = f.Next(state, top, value.OfDie(d.DieSize(), d.DieFace()))
		lists[top] = lists[top][1:]
	}
}

// Value gives what a state comes to.
func (f *Fold) Value(state int32) []V { return f.values[state] }

const (
	// maxFold bounds the states of a Fold.
	maxFold = 1 << 15
	// maxTurn bounds the instructions of a turn of a loop.
	maxTurn = 1 << 12
)

// turnOf is what a Fold is made of: a state is what a turn makes of another with a die, with no where that cannot be
// said; done says that no more dice are looked at.
type turnOf func(state []V, die V) (to []V, done, ok bool)

// automaton makes a Fold for a list of dice, which the turns see as the script does.
func (w *executor) automaton(of expr, first []V, turn turnOf) *Fold {
	pool := w.r.Pools[w.r.Pool(int(of.stage))]
	seen := func(state []V, die V) ([]V, bool, bool) {
		switch {
		case pool.Made != nil:
			die = pool.Made.Shows[die.DieFace()-1]
		case of.what == AllFaces:
			die = value.OfInt(int64(die.DieFace()))
		}
		return turn(state, die)
	}
	if !of.rev && !of.loose {
		return explore(pool, downwards, maxFold, first, seen)
	}
	if f := explore(pool, anyhow, maxFold, first, seen); f != nil && f.commutes() {
		return f
	}
	if f := explore(pool, upwards, maxFold, first, seen); f != nil && !of.loose {
		return f.backwards(pool)
	}
	return nil
}

// order is that in which dice come.
type order uint8

const (
	downwards order = iota // the highest first
	upwards
	anyhow
)

// commutes says whether it does not matter which of two dice comes first.
func (f *Fold) commutes() bool {
	for s := range f.values {
		for a := range f.kinds {
			for b := range f.kinds {
				x, y := f.to(s, a), f.to(s, b)
				if x < 0 || y < 0 {
					continue
				}
				if x, y = f.to(int(x), b), f.to(int(y), a); x != y && x >= 0 && y >= 0 {
					return false
				}
			}
		}
	}
	return true
}

// backwards gives the Fold that takes the dice from the other end and comes to the same. The dice that it has
// taken lead from each state of the first one to some state of it: all of these together are a state.
func (f *Fold) backwards(pool Pool) *Fold {
	first := make([]V, len(f.values))
	for i := range first {
		first[i] = value.OfInt(int64(i))
	}
	b := explore(pool, downwards, 8*maxFold/len(first), first, func(state []V, die V) ([]V, bool, bool) {
		to := make([]V, len(state))
		for i := range to {
			if to[i] = value.None; f.Next(int32(i), 0, die) >= 0 {
				to[i] = state[f.Next(int32(i), 0, die)]
			}
		}
		return to, false, true
	})
	if b == nil {
		return nil
	}
	for i, ends := range b.values {
		if b.values[i] = f.values[0]; ends[0] != value.None {
			b.values[i] = f.values[ends[0].Int()]
		}
	}
	return b
}

// to gives where a die leads from a state, -1 where that does not come.
func (f *Fold) to(state int, die letter) int32 { return f.next[state*len(f.kinds)+f.kinds[die]] }

// faces gives the dice that may show each face, from the highest; nil if there are too many.
func (p *Pool) faces() (faces [][]V) {
	sizes := slices.Clone(p.Sizes)
	for _, d := range p.Given {
		sizes = append(sizes, d.DieSize())
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	if len(sizes) == 0 || sizes[len(sizes)-1]*len(sizes) > maxFold {
		return nil
	}
	for face := sizes[len(sizes)-1]; face >= 1; face-- {
		var at []V
		for _, size := range sizes {
			if size >= face {
				at = append(at, value.OfDie(size, face))
			}
		}
		faces = append(faces, at)
	}
	return faces
}

// explore executes all turns that there may be with the dice of a pool in an order, if that makes no more than so
// many states.
func explore(pool Pool, by order, most int, first []V, turn turnOf) *Fold {
	f := &Fold{kinds: map[letter]int{}}
	dice, faces := len(pool.Sizes)+len(pool.Given), pool.faces()
	if faces == nil {
		return nil
	}
	for _, at := range faces {
		for _, d := range at {
			f.kinds[letter{0, d}] = len(f.kinds)
		}
	}
	switch by {
	case upwards:
		slices.Reverse(faces)
	case anyhow:
		faces = [][]V{slices.Concat(faces...)}
	}
	number := map[string]int32{}
	done := map[int32]bool{}
	intern := func(s []V, end bool) int32 {
		key := binary.AppendUvarint(nil, uint64(len(s)))
		for _, v := range s {
			key = binary.LittleEndian.AppendUint64(key, uint64(v))
		}
		if end {
			key = append(key, 1)
		}
		n, ok := number[string(key)]
		if !ok {
			n = int32(len(f.values))
			number[string(key)] = n
			f.values = append(f.values, slices.Clone(s))
			for range f.kinds {
				f.next = append(f.next, -1)
			}
			done[n] = end
		}
		return n
	}
	intern(first, false)
	reached := make([][]int32, dice+1) // by how many dice have come
	seen := map[[2]int32]bool{}
	reach := func(n int, s int32) {
		if !seen[[2]int32{int32(n), s}] {
			seen[[2]int32{int32(n), s}] = true
			reached[n] = append(reached[n], s)
		}
	}
	reach(0, 0)
	for _, at := range faces {
		for n := range dice {
			for i := 0; i < len(reached[n]); i++ {
				s := reached[n][i]
				for _, d := range at {
					to := &f.next[int(s)*len(f.kinds)+f.kinds[letter{0, d}]]
					if *to < 0 {
						next := s
						if !done[s] {
							values, end, ok := turn(f.values[s], d)
							if !ok || len(f.values) > most {
								return nil
							}
							next = intern(values, end)
						}
						to = &f.next[int(s)*len(f.kinds)+f.kinds[letter{0, d}]]
						*to = next
					}
					reach(n+1, *to)
				}
			}
		}
	}
	f.name()
	return f
}

// name makes the key.
func (f *Fold) name() {
	letters := make([]letter, len(f.kinds))
	for l, i := range f.kinds {
		letters[i] = l
	}
	key := make([]byte, 0, 16*len(letters)+2*len(f.next))
	for _, l := range letters {
		key = binary.AppendVarint(binary.AppendUvarint(key, uint64(l.die)), int64(l.list))
	}
	for _, to := range f.next {
		key = binary.AppendVarint(key, int64(to))
	}
	f.Key = string(key)
}

// folds has the query work out a Fold of stages, and gives its number.
func (r *Query) folds(f *Fold, of ...int) int {
	f.Of = of
	r.Folds = append(r.Folds, f)
	return len(r.Folds) - 1
}

// part has a place wait for one of the values of a fold: it is known where all states have it.
func (w *executor) foldedPart(stage int32, fold, i int) (e int32, known V, ok bool) {
	f := w.r.Folds[fold]
	x := expr{of: isFolded, stage: stage, what: Folded, other: int32(fold), part: int32(i), number: true, die: true}
	same := true
	for _, v := range f.values {
		x.number = x.number && v[i].IsNumber()
		x.die = x.die && v[i].Kind() == value.Die
		same = same && v[i] == f.values[0][i]
	}
	if same {
		return 0, f.values[0][i], true
	}
	return w.add(x), 0, false
}

// native asks for what an automaton of the language gives.
func (w *executor) native(name string) func(dst int, e int32) bool {
	return func(dst int, e int32) bool {
		x := w.r.exprs[e]
		if x.of != isList || x.what == AllSizes {
			return false
		}
		run := machine.Runs[name]
		x.what, x.rev, x.loose = AllFaces, false, false
		f := w.automaton(x, []V{value.None, value.OfInt(0), value.OfInt(0)}, func(s []V, face V) ([]V, bool, bool) {
			return run(s, face), false, true
		})
		if f == nil {
			return false
		}
		w.set(dst, w.add(expr{of: isFolded, stage: x.stage, what: Folded, other: int32(w.r.folds(f, int(x.stage))), part: 2, number: true}))
		return true
	}
}

// loop goes past a loop through a list of dice that have not fallen, with no where that depends on anything else
// that is unknown, or throws, asks or tells something.
func (w *executor) loop(top *machine.Frame, in *code.Ins, list, elem int, e int32) bool {
	x, m := w.r.exprs[e], w.m
	if w.forks || x.of != isList || x.what != AllDice && x.what != AllFaces || m.Out != nil {
		return false
	}
	if v, unknown := m.Stack[list+1], w.isUnknown(list+1); unknown || v != value.OfInt(0) {
		return false
	}
	t, ok := w.turnsOf(top, loopAt{top.PC, in.C, list, elem})
	if !ok {
		return false
	}
	var f *Fold
	t.aside(top, func() { f = w.automaton(x, t.first, t.turn) })
	if f == nil {
		return false
	}
	t.pass(x.stage, w.r.folds(f, int(x.stage)))
	return true
}

// loopAt is a loop of a function: where it begins and ends, and the registers of the list that it goes through and of
// its elements, -1 where it goes through none.
type loopAt struct {
	head, exit int32
	list, elem int
}

// turnsOf finds where the turns of a loop leave what the next begins from; with no something unknown is among it.
func (w *executor) turnsOf(top *machine.Frame, l loopAt) (t *turns, ok bool) {
	t = &turns{w: w, frame: len(w.m.Frames) - 1, loopAt: l, scratch: map[int]V{}}
	base := int(top.Base)
	w.s.LiveRegisters(t.frame).Each(func(reg int) {
		if at := base + reg; l.list < 0 || at != l.list && at != l.list+1 && at != l.elem {
			if w.isUnknown(at) {
				t.unknown = append(t.unknown, at)
			} else {
				t.registers = append(t.registers, at)
			}
		}
	})
	for pc := l.head + 1; pc < l.exit; pc++ {
		body := &top.Fn.Code[pc]
		at := int(body.B)
		if body.Op != code.SetAt || t.writes(at) {
			continue
		}
		if _, unknown := w.cells[at]; unknown {
			return nil, false
		}
		if pc == l.head+1 && base+int(body.A) == l.elem && w.deadFrom(top, l.exit, at) { // the variable of the loop
			t.scratch[at] = w.m.Store[at]
		} else {
			t.cells = append(t.cells, at)
		}
	}
	t.first = t.state()
	return t, true
}

// aside executes turns to see what they do, and puts everything back.
func (t *turns) aside(top *machine.Frame, try func()) {
	m := t.w.m
	stack, frame, checkpoints := slices.Clone(m.Stack), *top, m.Checkpoints
	m.Checkpoints = false
	try()
	m.Checkpoints = checkpoints
	m.Stack = append(m.Stack[:0], stack...)
	m.Frames = m.Frames[:t.frame+1]
	m.Frames[t.frame] = frame
	m.Err = nil
	for i, at := range t.cells {
		m.Write(at, t.first[len(t.registers)+i])
	}
	for at, v := range t.scratch {
		m.Write(at, v)
	}
}

// pass has the script wait for what a Fold comes to in the places where the turns leave it.
func (t *turns) pass(stage int32, fold int) {
	for i, at := range t.registers {
		if part, v, known := t.w.foldedPart(stage, fold, i); known {
			t.w.put(at, v)
		} else {
			t.w.set(at, part)
		}
	}
	for i, at := range t.cells {
		part, v, known := t.w.foldedPart(stage, fold, len(t.registers)+i)
		t.w.store(at, -1, v, !known, part)
	}
}

// turns executes turns of a loop, each from the state that another has left.
type turns struct {
	loopAt
	w         *executor
	frame     int
	registers []int     // in which a state is
	cells     []int     // and these words of the store
	scratch   map[int]V // words that each turn writes before it reads them, with what they held
	unknown   []int     // registers that no turn may touch
	first     []V       // the state before the first turn
	beside    *beside   // nil where the loop goes through a list of dice
}

// writes says whether the turns may write a word.
func (t *turns) writes(at int) bool {
	_, scratch := t.scratch[at]
	return scratch || slices.Contains(t.cells, at)
}

func (t *turns) state() []V {
	var s []V
	for _, at := range t.registers {
		s = append(s, t.w.m.Stack[at])
	}
	for _, at := range t.cells {
		s = append(s, t.w.m.Look(at))
	}
	return s
}

func (t *turns) turn(state []V, die V) (to []V, done, ok bool) {
	m := t.w.m
	for i, at := range t.registers {
		m.Stack[at] = state[i]
	}
	for i, at := range t.cells {
		m.Write(at, state[len(t.registers)+i])
	}
	if t.elem >= 0 {
		t.w.put(t.elem, die)
	}
	m.Frames[t.frame].PC = t.head + 1
	for range maxTurn {
		if len(m.Frames) == t.frame+1 {
			switch top := &m.Frames[t.frame]; {
			case top.PC == t.exit:
				return t.state(), true, true
			case top.PC == t.head, top.PC == t.head-1 && top.Fn.Code[top.PC].Op == code.Head:
				return t.state(), false, true
			case top.PC < t.head || top.PC > t.exit:
				return nil, false, false
			}
		}
		if !t.step() {
			return nil, false, false
		}
	}
	return nil, false, false
}

// step executes one instruction that only calculates.
func (t *turns) step() bool {
	m := t.w.m
	top := &m.Frames[len(m.Frames)-1]
	in := &top.Fn.Code[top.PC]
	if t.beside != nil {
		if done, ok := t.beside.step(t, top, in); done || !ok {
			return ok
		}
	}
	inner := len(m.Frames) > t.frame+1
	switch {
	case in.Op == code.SetAt:
		if !t.writes(int(in.B)) {
			return false
		}
	case !in.Op.Looks() || in.Op == code.Event || in.Op == code.Act || in.Op == code.Prints || in.Op == code.EndAct || in.Op.Returns() && !inner:
		return false
	}
	if at, ok := in.WordRead(); ok {
		if _, unknown := t.w.cells[at]; unknown {
			return false
		}
	}
	o := in.Operands(m.Prog, top.Fn)
	base := int(top.Base)
	for _, r := range o.Uses {
		if r >= 0 && t.w.isUnknown(base+int(r)) {
			return false
		}
	}
	for r := range o.N {
		if t.w.isUnknown(base + int(o.From+r)) {
			return false
		}
	}
	if in.Op == code.GetF {
		if v := m.Stack[base+int(in.B)]; v.Kind() == value.Ref && len(t.w.cells) > 0 {
			return false
		}
	}
	if o.Sets >= 0 {
		if slices.Contains(t.unknown, base+int(o.Sets)) {
			return false
		}
		delete(t.w.waits, base+int(o.Sets))
	}
	return m.Exec(1) == machine.Stepped
}

// Loop is a loop that reads dice of pools one by one, in an order in which no sweep meets them.
type Loop struct {
	At    lang.Span
	Reads []Read // what it reads them with
}

// Read is an expression that reads one of so many dice.
type Read struct {
	At   lang.Span
	Size int
}

// readsInLoop notes that the loop at work reads a die of a list that it does not throw itself.
func (w *executor) readsInLoop(list int32) {
	for i := range w.m.Frames {
		f := &w.m.Frames[len(w.m.Frames)-1-i]
		pc := f.PC - int32(min(i, 1)) // behind a call
		head := f.Fn.LoopAround(pc)
		if head < 0 {
			continue
		}
		top := &w.m.Frames[len(w.m.Frames)-1]
		if at := f.Fn.At[head]; w.looped == nil {
			w.looped = &Loop{At: at}
		} else if w.looped.At != at {
			return
		}
		w.looped.Reads = append(w.looped.Reads, Read{top.Fn.At[top.PC], w.r.most(int(w.r.exprs[list].stage))})
		return
	}
}
