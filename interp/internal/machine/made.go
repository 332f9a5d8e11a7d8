package machine

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"sync"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Dice that are made of others, value.MadeDie, are thrown as they are at a table: the dice that they are made
// of fall one after the other, and whoever throws them sees each. What comes of them are numbers, or what
// else is on their faces. A small function of the machine does that, a throw after the other (fallMade); so
// runs, records and simulations know nothing of it. Odds take such a die at once by what it may show (ShapeOf).

// Shape is all that a die may show, in order, each in so many ways.
type Shape struct {
	Shows []V
	Ways  []*big.Int
	Total *big.Int
	Key   string // tells shapes apart
}

// NewShape makes a shape of what something comes to, with the chances.
func NewShape(h *value.Heap, chances map[V]*big.Rat) *Shape {
	all := big.NewInt(1)
	for _, p := range chances {
		d := new(big.Int).GCD(nil, nil, all, p.Denom())
		all.Mul(all, d.Quo(p.Denom(), d))
	}
	s := &Shape{}
	for v, p := range chances {
		s.add(h, v, new(big.Int).Mul(p.Num(), new(big.Int).Quo(all, p.Denom())))
	}
	s.Key = s.key()
	return s
}

// key gives the Key of a shape that is complete.
func (s *Shape) key() string {
	var key []byte
	for i, ways := range s.Ways {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(s.Shows[i])), uint64(ways.BitLen()))
		key = append(key, ways.Bytes()...)
	}
	return string(key)
}

// add counts more ways to show a value.
func (s *Shape) add(h *value.Heap, v V, ways *big.Int) {
	if ways.Sign() == 0 {
		return
	}
	i, ok := slices.BinarySearchFunc(s.Shows, v, h.Compare)
	if !ok {
		s.Shows = slices.Insert(s.Shows, i, v)
		s.Ways = slices.Insert(s.Ways, i, new(big.Int))
	}
	s.Ways[i].Add(s.Ways[i], ways)
	if s.Total == nil {
		s.Total = new(big.Int)
	}
	s.Total.Add(s.Total, ways)
}

// maxShape bounds what a die may show in odds.
const maxShape = 4096

// leastAgain is how rare it is that a die explodes once more than odds follow where nothing else bounds it.
const leastAgain = 1e-12

// ShapeOf gives all that a die may show, which is remembered as long as the heap has its words.
func (m *Machine) ShapeOf(die V) (*Shape, error) {
	if s := m.shapes[die]; s != nil {
		return s, nil
	}
	s, err := m.shapeOf(die)
	if err == nil {
		if m.shapes == nil {
			m.shapes = map[V]*Shape{}
		}
		s.Key = s.key()
		known := m.shapes
		known[die] = s
		m.Heap.Refer(func() { delete(known, die) })
	}
	return s, err
}

func (m *Machine) shapeOf(die V) (*Shape, error) {
	s := &Shape{}
	one := big.NewInt(1)
	if die.Kind() == value.Die {
		if die.DieSize() > maxShape {
			return nil, fmt.Errorf("a d%d has too many faces to make another die of it: %d are the most", die.DieSize(), maxShape)
		}
		for face := 1; face <= die.DieSize(); face++ {
			s.add(m.Heap, value.OfInt(int64(face)), one)
		}
		return s, nil
	}
	d := m.Heap.PartsOf(die)
	if d.By == value.WithFaces {
		for _, face := range m.Heap.Elems(d.Base) {
			s.add(m.Heap, face, one)
		}
		return s, nil
	}
	base, err := m.ShapeOf(d.Base)
	if err != nil {
		return nil, err
	}
	again, on := new(big.Int), make([]bool, len(base.Shows))
	for i, v := range base.Shows {
		if on[i] = m.among(v, d.On); on[i] {
			again.Add(again, base.Ways[i])
		}
	}
	if again.Sign() == 0 {
		return base, nil
	}
	times := m.often(d, again, base.Total)
	if d.By == value.Rerolled {
		return m.rerolled(base, on, again, times), nil
	}
	return m.exploded(base, on, times)
}

// often gives how often a die is thrown again at most; -1 is as often as need be.
func (m *Machine) often(d value.MadeDie, again, total *big.Int) int {
	if d.Times != value.None {
		return int(d.Times.Int())
	}
	if d.By == value.Rerolled {
		return -1
	}
	p, _ := new(big.Rat).SetFrac(again, total).Float64()
	n, left := 0, p
	for ; left > leastAgain && n < maxShape; n++ {
		left *= p
	}
	return n
}

func (m *Machine) rerolled(base *Shape, on []bool, again *big.Int, times int) *Shape {
	s := &Shape{}
	// of T^(times+1) throws, those that end at once, after one throw more, …
	ends, last := new(big.Int), big.NewInt(1)
	if times < 0 {
		ends.SetInt64(1)
		last = new(big.Int)
	}
	for range times + 1 {
		ends.Mul(ends, base.Total)
		ends.Add(ends, last)
		last.Mul(last, again)
	}
	if times >= 0 {
		last.Quo(last, again)
	}
	for i, v := range base.Shows {
		if on[i] {
			s.add(m.Heap, v, new(big.Int).Mul(base.Ways[i], last))
		} else {
			s.add(m.Heap, v, new(big.Int).Mul(base.Ways[i], ends))
		}
	}
	return s
}

func (m *Machine) exploded(base *Shape, on []bool, times int) (*Shape, error) {
	s, so := &Shape{}, &Shape{} // what all throws add up to; those before one more
	so.add(m.Heap, value.OfInt(0), big.NewInt(1))
	for left := times; left >= 0; left-- {
		// the throws that are not made any more count, too: all have the same total
		rest, more := new(big.Int).Exp(base.Total, big.NewInt(int64(left)), nil), &Shape{}
		for i, v := range base.Shows {
			to, ways := s, new(big.Int).Mul(base.Ways[i], rest)
			if on[i] && left > 0 {
				to, ways = more, base.Ways[i]
			}
			for j, w := range so.Shows {
				sum, err := m.Heap.Add(w, v)
				if err != nil {
					return nil, err
				}
				to.add(m.Heap, sum, new(big.Int).Mul(ways, so.Ways[j]))
			}
		}
		if so = more; len(s.Shows) > maxShape {
			return nil, fmt.Errorf("the die has more than %d results", maxShape)
		}
	}
	return s, nil
}

// again makes a builtin that has dice thrown again where they show some faces.
func again(by value.MadeBy) func(*Machine, []V) (V, error) {
	return func(m *Machine, a []V) (V, error) {
		e, err := m.listArg(a[0])
		if err != nil {
			return 0, err
		}
		d := value.MadeDie{By: by, Times: value.None}
		if len(a) > 2 {
			n, err := count(m, a[2], 1000)
			if err != nil {
				return 0, err
			}
			d.Times = value.OfInt(int64(n))
		}
		made := map[V]V{}
		out := make([]V, len(e))
		for i, die := range e {
			if v, ok := made[die]; ok {
				out[i] = v
				continue
			}
			d.Base = die
			if out[i], err = m.make(d, a[1:]); err != nil {
				return 0, err
			}
			made[die] = out[i]
		}
		if a[0].IsDie() {
			return out[0], nil
		}
		return m.Heap.OfList(out), nil
	}
}

// make makes a die that is thrown again where it shows what the first argument says, or without one its highest face.
func (m *Machine) make(d value.MadeDie, on []V) (V, error) {
	switch {
	case !d.Base.IsDie():
		return 0, fmt.Errorf("%s is not a die", m.quoted(d.Base))
	case d.Base.Kind() == value.Die && d.Base.DieFace() > 0:
		return 0, fmt.Errorf("%s has been thrown: say before the throw what it does", m.quoted(d.Base))
	}
	s, err := m.ShapeOf(d.Base)
	if err != nil {
		return 0, err
	}
	if d.On = s.Shows[len(s.Shows)-1]; len(on) > 0 && on[0] != value.None {
		d.On = on[0]
	}
	for _, v := range s.Shows {
		if d.By == value.Exploding && !v.IsNumber() {
			return 0, fmt.Errorf("%s shows %s, which cannot be added up", m.quoted(d.Base), m.quoted(v))
		}
	}
	if d.Times == value.None && !slices.ContainsFunc(s.Shows, func(v V) bool { return !m.among(v, d.On) }) {
		return 0, fmt.Errorf("%s shows nothing else than %s, so it would be thrown again for ever", m.quoted(d.Base), m.quoted(d.On))
	}
	return m.Heap.OfMade(d), nil
}

// shows gives what a die shows where the dice that it is made of show faces, or how many sides the next of them
// has, 0 where none is missing.
func (m *Machine) shows(die V, faces *[]V) (v V, needs int) {
	next := func(size int) (V, int) {
		if len(*faces) == 0 {
			return 0, size
		}
		v := (*faces)[0]
		*faces = (*faces)[1:]
		return v, 0
	}
	if die.Kind() == value.Die {
		return next(die.DieSize())
	}
	d := m.Heap.PartsOf(die)
	if d.By == value.WithFaces {
		e := m.Heap.Elems(d.Base)
		if len(e) == 1 {
			return e[0], 0
		}
		if v, needs = next(len(e)); needs > 0 {
			return 0, needs
		}
		return e[v.Int()-1], 0
	}
	if v, needs = m.shows(d.Base, faces); needs > 0 {
		return 0, needs
	}
	latest := v
	for n := int64(0); m.among(latest, d.On) && (d.Times == value.None || n < d.Times.Int()); n++ {
		if latest, needs = m.shows(d.Base, faces); needs > 0 {
			return 0, needs
		}
		if d.By == value.Rerolled {
			v = latest
		} else {
			v, _ = m.Heap.Add(v, latest)
		}
	}
	return v, 0
}

// fall is what fallMade does between two throws. Its argument is the dice; then its own result, and what the dice
// that it asked for show. It gives a list: which dice fall next, or none; what comes of all; and of each kind of
// die that is still open the die, the faces that it has shown and how many there are.
//
// Dice are thrown together that have shown the same so far: which of them shows which face does not matter.
func fall(m *Machine, a []V) (V, error) {
	var shown []V
	var open [][]V
	single := a[0].IsDie()
	if len(a) == 1 {
		e := m.AsList(a[0])
		for i, die := range e {
			if slices.Index(e, die) == i {
				n := 0
				for _, d := range e {
					if d == die {
						n++
					}
				}
				open = append(open, []V{die, value.EmptyList, value.OfInt(int64(n))})
			}
		}
	} else {
		e := m.Heap.Elems(a[0])
		single, shown = e[2] == value.Yes, slices.Clone(m.Heap.Elems(e[1]))
		for _, g := range e[3:] {
			open = append(open, m.Heap.Elems(g))
		}
		first := open[0]
		open = open[1:]
		fallen := m.AsList(a[1])
		for i := 0; i < len(fallen); {
			n := i
			for n < len(fallen) && fallen[n] == fallen[i] {
				n++
			}
			faces := m.Heap.Append(first[1], []V{value.OfInt(int64(fallen[i].DieFace()))})
			open = append(open, []V{first[0], faces, value.OfInt(int64(n - i))})
			i = n
		}
	}
	next := value.None
	rest := []V{value.None, value.None, value.OfBool(single)}
	for _, g := range open {
		faces := m.Heap.Elems(g[1])
		v, needs := m.shows(g[0], &faces)
		if needs == 0 {
			shown = append(shown, slices.Repeat([]V{v}, int(g[2].Int()))...)
			continue
		}
		if next == value.None {
			next = m.Heap.OfList(slices.Repeat([]V{value.OfDie(needs, 0)}, int(g[2].Int())))
		}
		rest = append(rest, m.Heap.OfList(g))
	}
	rest[0], rest[1] = next, m.Heap.OfList(shown)
	if next == value.None {
		slices.SortStableFunc(shown, func(a, b V) int { return m.Heap.Compare(b, a) })
		if rest[1] = m.Heap.OfList(shown); single {
			rest[1] = shown[0]
		}
	}
	return m.Heap.OfList(rest), nil
}

// fallMade throws the dice in register 0 for the label in register 1. Programs share it.
var fallMade = sync.OnceValue(func() *code.Func {
	fall := int32(code.BuiltinIndex(code.Fall))
	ins := []code.Ins{
		{Op: code.Builtin, A: 0, B: fall, C: 1},
		{Op: code.IndexI, A: 2, B: 0, C: 1}, // what falls next
		{Op: code.JmpNone, A: 2, C: 10},
		{Op: code.Move, A: 3, B: 1},
		{Op: code.Throw, A: 2, B: 0},
		{Op: code.Move, A: 3, B: 2},
		{Op: code.Move, A: 2, B: 0},
		{Op: code.Builtin, A: 2, B: fall, C: 2},
		{Op: code.Move, A: 0, B: 2},
		{Op: code.Jmp, C: 1},
		{Op: code.IndexI, A: 0, B: 0, C: 2}, // what comes of all
		{Op: code.Ret, A: 0},
	}
	rule := slices.Repeat([]int32{-1}, len(ins))
	return &code.Func{Name: "throw", Params: 2, Regs: 4, Code: ins, At: make([]lang.Span, len(ins)), Rule: rule, Infos: []any{&code.ThrowInfo{Reg: 1}}}
})

// throwMade begins to throw dice of which some are made.
func (m *Machine) throwMade(d V, in *code.Ins) Status {
	top := &m.Frames[len(m.Frames)-1]
	if m.Whole {
		m.Sizes, m.Fallen = m.Sizes[:0], m.Fallen[:0]
		m.MadePool = m.AsList(d)
		for range m.MadePool {
			m.Sizes = append(m.Sizes, 1)
		}
		return NeedChance
	}
	label := ""
	if in.B >= 0 {
		label = m.ThrowLabel(top.Fn.Infos[in.B])
	}
	fn := fallMade()
	base := top.Base + int32(top.Fn.Regs)
	m.Stack = GrowStack(m.Stack, max(len(m.Stack), int(base)+fn.Regs))
	m.Stack[base], m.Stack[base+1] = d, m.Heap.OfText(label)
	m.Frames = append(m.Frames, Frame{Fn: fn, Base: base, Ret: in.A, Keep: -1})
	return Done
}
