// Package query finds out what a script reads of a pool of dice before anything else
// depends on how they fell: the sum of its two highest, say, and how many show a 1. Where
// each of the answers is known, the faces themselves are not missed, and there are far
// fewer answers than throws: in statistics such answers are sufficient (Fisher, On the
// mathematical foundations of theoretical statistics, 1922). Where more pools are thrown
// before anything is read of the first, they are read together.
//
// Find goes on from the throw with the pool as an unknown (executor.go). What is worked out
// from the pool is put together as an expression; everything else is executed. It ends
// where something has to be known, since a condition asks for it, or at an instruction
// that cannot be executed so. The unknown registers, fields and variables that are live
// there are what the Query asks. Package odds counts, for each combination of answers, the
// throws that give it; Answer then puts the answers where they are waited for, and the
// machine runs on. Package sim throws the dice once and reads the answers (thrown.go); there a
// condition about the dice need not be the end (condition.go).
package query

import (
	"cmp"
	"slices"

	"setpiece/interp/internal/ablate"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/state"
	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/value"
)

// V is a value.
type V = value.V

// Query is what a script reads of the pools that have been thrown.
type Query struct {
	Pools  []Pool
	Stages []Stage // lists of dice, the whole first pool first, each from the highest face down
	Asked  []Asked // of those lists
	Folds  []*Fold // that are asked
	Spare  bool    // of equal faces the smallest die comes first
	Mixed  bool    // and it does not: it cannot be asked like this, but whole
	Far    int     // how many instructions it goes
	Ahead  int     // how many statements further that is
	Simple bool    // to get there the machine executes just these instructions, see Replay

	// Condition is that with which it ends, nil with none, see FindBehind.
	Condition *Condition
	// Loop is for what the dice are read whole, nil where it is something else.
	Loop *Loop

	ordered bool // it asks in which order the elements of a list came that have nothing to do with one another
	exprs   []expr
	waiting []target
	spread  []int    // for each of these, how many numbers of a list have a word each; -1: it has one itself
	asks    []int    // after how many instructions something is asked, see Replay
	settled int      // how many conditions it has gone past
	lower   [][2]int // pools of which one is counted by what the other shows
}

// Pool is dice that are thrown at once.
type Pool struct {
	Sizes []int // of the dice that have to fall
	Given []V   // those that the script has let fall
	Made  *Made // what the dice show, where some are made of others; the sizes are all as large as that
}

// Made is dice that are made of others. What all of them together may show, in order, stands for the faces of
// other dice, from 1 on.
type Made struct {
	Dice   []V
	Shapes []*machine.Shape // by die
	Shows  []V
}

// made gives what dice may show that are made of others.
func made(m *machine.Machine, dice []V) (*Made, bool) {
	d := &Made{Dice: dice}
	of := map[V]*machine.Shape{}
	for _, die := range dice {
		s := of[die]
		if s == nil {
			var err error
			if s, err = m.ShapeOf(die); err != nil {
				return nil, false
			}
			of[die] = s
			d.Shows = append(d.Shows, s.Shows...)
		}
		d.Shapes = append(d.Shapes, s)
	}
	slices.SortFunc(d.Shows, m.Heap.Compare)
	d.Shows = slices.Compact(d.Shows)
	return d, true
}

// pool makes the Pool.
func (d *Made) pool() Pool {
	return Pool{Sizes: slices.Repeat([]int{len(d.Shows)}, len(d.Dice)), Made: d}
}

// numbers says whether all that the dice show is whole numbers.
func (d *Made) numbers() bool {
	return !slices.ContainsFunc(d.Shows, func(v V) bool { return !v.IsInt() || v.Int() > maxShown || v.Int() < -maxShown })
}

// maxShown bounds what is added up.
const maxShown = 1 << 24

// at gives the place of a value among those that are shown: how many are less, and whether it is there.
func (d *Made) at(h *value.Heap, v V) (int, bool) {
	return slices.BinarySearchFunc(d.Shows, v, h.Compare)
}

// Stage is a list of the dice of another, in the same order or as sparing has them.
type Stage struct {
	From int // an earlier stage; of a Whole itself
	Op   StageOp
	N    int
	Size int // how many dice it has; -1: that depends on how they fall
}

// StageOp says which dice a Stage takes.
type StageOp uint8

const (
	Whole   StageOp = iota // all dice of the pool N
	Above                  // that show more than N
	Below                  // that show less than N
	Showing                // that show N
	First                  // the first N
	Behind                 // those behind the first N
	Spared                 // all, of equal faces the smallest die first
	OneEach                // of equal faces only the first die
)

// Asked is one answer about a Stage.
type Asked struct {
	Stage int
	What  What
	Other int // of Exceeding the stage to which it is compared, of Folded the fold
}

// What is asked of a list of dice.
type What uint8

const (
	Sum       What = iota // of the faces
	Count                 // of the dice
	TopDie                // the first die; none of an empty list
	TopFace               // what it shows
	LowDie                // the last die
	LowFace               // what it shows
	Largest               // the largest size, as a die that has not fallen
	AllDice               // the list itself
	AllFaces              // its faces
	AllSizes              // its sizes, from the largest down
	Exceeding             // how many dice show more than that at the same place of another list
	Folded                // the state in which a Fold ends
)

// Pool gives the number of the pool that a stage is of.
func (r *Query) Pool(stage int) int {
	for r.Stages[stage].Op != Whole {
		stage = r.Stages[stage].From
	}
	return r.Stages[stage].N
}

// expr is a value that is worked out from what was asked.
type expr struct {
	of     exprKind
	stage  int32   // of a list, or that something is asked of
	what   What    // of a list AllDice, AllFaces or AllSizes
	rev    bool    // it is read from its end
	loose  bool    // in truth it is in the order in which its elements came, see Draws
	other  int32   // the stage to which it is compared, or the fold
	part   int32   // which of the values of a fold it is
	asked  int32   // the number of the answer
	op     code.Op // Add, Sub or Mul of a and b
	a, b   int32
	parts  []int32 // of a text, or of a list
	k      V
	number bool // it is surely a number
	die    bool // it is surely a die
	scaled bool // a product is in it
}

type exprKind uint8

const (
	isList exprKind = iota
	isAsked
	isFolded
	isSum // or a product
	isText
	isJoined // a list
	isConstant
)

// target is what waits for an expression: a live register, a word of the store,
// or a report.
type target struct {
	in   targetKind
	at   int // in the stack, the store, or among the reports
	expr int32
}

type targetKind uint8

const (
	register targetKind = iota
	stored
	reported
)

// Reach is how far Find goes.
type Reach uint8

const (
	NotAtAll  Reach = iota // the pool is read whole
	ThisThrow              // to the next throw
	AllThrows              // past further throws, as long as the faces of a pool are unread
)

// Find finds what is read of the dice that have to fall, which must be several,
// after Run returned NeedChance. The machine is left where the answers are missed,
// for Answer.
func Find(s *state.Codec, reach Reach) *Query {
	return find(s, reach, &executor{})
}

// FindBehind does the same for dice that fall in some way or other, about which the first conditions
// have these answers: whoever has thrown them can say so. Where that ends at one more condition, with
// a list of dice unread that is of use behind it, the Query asks only what its Condition takes.
func FindBehind(s *state.Codec, reach Reach, settled []bool) *Query {
	return find(s, reach, &executor{forks: true, settled: settled})
}

func find(s *state.Codec, reach Reach, w *executor) *Query {
	m := s.M
	pool, what := Pool{Sizes: slices.Clone(m.Sizes[len(m.Fallen):]), Given: slices.Clone(m.Fallen)}, AllDice
	if m.MadePool != nil {
		d, ok := made(m, slices.Clone(m.MadePool))
		if !ok {
			return nil
		}
		pool, what = d.pool(), AllFaces
	}
	w.begin(s, reach, pool)
	top := &m.Frames[len(m.Frames)-1]
	at := int(top.Base + top.Fn.Code[top.PC-1].A)
	all := w.add(expr{of: isList, what: what})
	if w.set(at, all); m.Stack[at].IsDie() {
		w.top(at, all, false)
	}
	return w.find(reach)
}

// begin has a pool thrown.
func (w *executor) begin(s *state.Codec, reach Reach, pool Pool) {
	size := len(pool.Sizes) + len(pool.Given)
	w.s, w.m, w.pastThrows, w.waits, w.cells = s, s.M, reach == AllThrows, map[int]int32{}, map[int]cell{}
	w.r = &Query{Pools: []Pool{pool}, Stages: []Stage{{Op: Whole, Size: size}}, Simple: true}
	w.m.Drawn, w.m.NothingDrawn, w.m.PoolDrawn = true, false, size > 2
}

// find goes on as far as may be.
func (w *executor) find(reach Reach) *Query {
	m, r := w.m, w.r
	for reach != NotAtAll && !ablate.Queries && r.Far < maxRead && w.step() {
		r.Far++
	}
	if r.Condition != nil {
		r.waiting = nil
		for _, e := range r.Condition.of {
			r.need(e)
		}
		return r
	}
	r.waiting = append(r.waiting, w.pending()...)
	for at := range w.waits {
		if at < len(m.Stack) {
			m.Stack[at] = value.None
		}
	}
	if m.PoolDrawn = m.PoolDrawn && !r.Faces(); r.Faces() {
		r.Loop = w.looped
	}
	slices.SortFunc(r.waiting, func(a, b target) int { return cmp.Or(cmp.Compare(a.in, b.in), a.at-b.at) })
	for _, u := range r.waiting {
		r.need(u.expr)
	}
	r.layOut(m)
	r.Mixed = !r.order()
	return r
}

// faces says whether what waits is told how single dice fell.
func (r *Query) faces(u target) bool {
	e := &r.exprs[u.expr]
	return e.of == isList && e.what != AllSizes
}

// Faces says whether what waits is told how the single dice of a pool fell.
func (r *Query) Faces() bool { return slices.ContainsFunc(r.waiting, r.faces) }

// order finds the order of equal faces in which dice are asked for. With no it is
// asked for in both.
func (r *Query) order() bool {
	both := [2]bool{}
	for _, a := range r.Asked {
		if sparing, placed := r.sized(a); placed && sparing {
			both[1] = true
		} else if placed {
			both[0] = true
		}
	}
	r.Spare = both[1]
	return !(both[0] && both[1])
}

// sized says whether the size of dice is asked in the order that a stage has.
func (r *Query) sized(a Asked) (sparing, placed bool) {
	placed = a.What == TopDie || a.What == LowDie || a.What == AllDice
	for i := a.Stage; r.Stages[i].Op != Whole; i = r.Stages[i].From {
		switch r.Stages[i].Op {
		case First, Behind:
			placed = placed || a.What == Largest || a.What == AllSizes
		case Spared:
			sparing = true
		}
	}
	return sparing, placed
}

// need makes sure that all an expression is worked out from is asked.
func (r *Query) need(i int32) {
	switch e := &r.exprs[i]; e.of {
	case isList, isAsked, isFolded:
		r.ordered = r.ordered || e.loose
		e.asked = r.ask(Asked{int(e.stage), e.what, int(e.other)})
	case isSum:
		r.need(e.a)
		r.need(e.b)
	case isText, isJoined:
		for _, p := range e.parts {
			r.need(p)
		}
	case isConstant:
	}
}

func (r *Query) ask(a Asked) int32 {
	i := slices.Index(r.Asked, a)
	if i < 0 {
		i = len(r.Asked)
		r.Asked = append(r.Asked, a)
	}
	return int32(i)
}

// layOut finds for what waits how many words it has. A list of faces has one for its length
// and one for each face, as far as there are words enough: mostly nobody wants to know more
// than the first few, or whether they are large enough.
func (r *Query) layOut(m *machine.Machine) {
	room := m.Prog.DrawWords[1] - m.Prog.DrawWords[0] - len(r.waiting)
	r.spread = make([]int, len(r.waiting))
	for i, u := range r.waiting {
		r.spread[i] = -1
		if e := &r.exprs[u.expr]; e.of == isList && e.what == AllFaces {
			if n := r.most(int(e.stage)); n <= room {
				r.spread[i] = n
				room -= n
			}
		}
	}
}

// most gives how many dice a stage has at most.
func (r *Query) most(stage int) int {
	s := r.Stages[stage]
	if s.Size >= 0 {
		return s.Size
	}
	n := r.most(s.From)
	switch s.Op {
	case First:
		return min(n, s.N)
	case Behind:
		return max(0, n-s.N)
	}
	return n
}

// AppendValues appends what all that waits gets where answers are known, one for each of Asked, as
// the DrawWords hold it: a list of faces as its length and the faces.
func (r *Query) AppendValues(out []V, m *machine.Machine, answers []V) []V {
	for i, u := range r.waiting {
		v := r.valueOf(m, u.expr, answers)
		if u.in == reported {
			v = machine.Shown(v)
		}
		if n := r.spread[i]; n >= 0 {
			e := m.Heap.Elems(v)
			out = append(append(out, state.IntV(len(e))), e...)
			for range n - len(e) {
				out = append(out, state.IntV(0))
			}
			continue
		}
		out = append(out, v)
	}
	return out
}

func (r *Query) valueOf(m *machine.Machine, i int32, answers []V) V {
	switch e := &r.exprs[i]; e.of {
	case isList:
		if e.rev {
			return machine.Reversed(m, m.Heap.Elems(answers[e.asked]))
		}
		return answers[e.asked]
	case isAsked:
		return answers[e.asked]
	case isFolded:
		return r.Folds[e.other].Value(int32(answers[e.asked].Int()))[e.part]
	case isSum:
		a, b := r.valueOf(m, e.a, answers), r.valueOf(m, e.b, answers)
		arith := m.Heap.Add
		switch e.op {
		case code.Sub:
			arith = m.Heap.Sub
		case code.Mul:
			arith = m.Heap.Mul
		}
		v, _ := arith(a, b)
		return v
	case isText, isJoined:
		parts := make([]V, len(e.parts))
		for i, p := range e.parts {
			parts[i] = r.valueOf(m, p, answers)
		}
		if e.of == isJoined {
			return m.Heap.OfList(parts)
		}
		v, _ := m.TextOf(parts)
		return v
	case isConstant:
	}
	return r.exprs[i].k
}

// Replay has the dice that have to fall show faces, and the machine execute on to where Find left
// it, where the query is Simple: much sooner done than to find it out again. Questions have their
// default as an answer. With no the machine stands somewhere else.
func (r *Query) Replay(s *state.Codec, faces []int) bool {
	m := s.M
	m.GiveFaces(faces)
	done := 0
	for _, n := range r.asks {
		if n >= r.Far {
			break
		}
		if n > done && m.Exec(n-done) != machine.Stepped {
			return false
		}
		switch m.Exec(1) {
		case machine.Stepped:
		case machine.NeedChoice:
			m.GiveAnswer(m.Asked().Default, "default")
		default:
			return false
		}
		done = n + 1
	}
	return done == r.Far || m.Exec(r.Far-done) == machine.Stepped
}

// Answer gives all that waits its value, after Find or Replay. Where it can be followed as any
// number (see Fits) the DrawWords of the store hold the values, too.
func (r *Query) Answer(s *state.Codec, values []V) {
	m := s.M
	for i, u := range r.waiting {
		v, rest := r.next(m, i, values)
		values = rest
		switch u.in {
		case register:
			m.Stack[u.at] = v
		case stored:
			m.Store[u.at] = v
		case reported:
			m.Reports[u.at].Value = v
		}
	}
	if r.Fits(m) && s.Tracker != nil && s.Tracker.Varied != nil {
		r.bind(s)
	}
}

// next gives the value of what waits as number i, and the values behind it.
func (r *Query) next(m *machine.Machine, i int, values []V) (V, []V) {
	n := r.spread[i]
	if n < 0 {
		return values[0], values[1:]
	}
	return m.Heap.OfList(values[1 : 1+values[0].Int()]), values[1+n:]
}

// Fits says whether there are words enough to stand for all that waits.
func (r *Query) Fits(m *machine.Machine) bool {
	return len(r.waiting) <= m.Prog.DrawWords[1]-m.Prog.DrawWords[0]
}

// bind says that the values which something waited for are what the DrawWords hold,
// one after the other.
func (r *Query) bind(s *state.Codec) {
	m := s.M
	t := s.Tracker
	next := int32(m.Prog.DrawWords[0])
	for i, u := range r.waiting {
		at := next
		next++
		v := V(0)
		switch u.in {
		case register:
			v = m.Stack[u.at]
		case stored:
			v = m.Store[u.at]
		case reported:
			v = m.Reports[u.at].Value
		}
		id := int32(0)
		if n := r.spread[i]; n >= 0 {
			t.Path.AddWord(at)
			next += int32(n)
			id = t.AddList(at+1, len(m.Heap.Elems(v)))
		} else {
			yes := symbolic.Whole(v)
			t.Path.Add(symbolic.Constraint{Of: symbolic.WordOf(at), Is: symbolic.IsWhole, Yes: yes})
			if !yes && !r.exprs[u.expr].die {
				t.Path.AddWord(at)
				continue
			}
			id = t.Add(symbolic.Expr{Linear: symbolic.WordOf(at), Number: yes})
			if !yes {
				id = t.Add(symbolic.Expr{Linear: symbolic.Linear{By: 1}, Is: symbolic.AsBuilt, Parts: []int32{id}})
			}
		}
		switch u.in {
		case register:
			t.Put(u.at, id)
		case stored:
			t.Cell[u.at] = id
		case reported:
			t.PutReport(u.at, id)
		}
	}
}
