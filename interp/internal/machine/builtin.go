package machine

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"setpiece/interp/internal/value"
)

// BuiltinFunc is a function of the language itself. It can be called as
// name(args) or, with its first argument as the subject, as x.name(args).
type BuiltinFunc struct {
	Name     string
	Args     string // what it takes, by name
	Min, Max int    // number of arguments; Max -1: any
	On       Kinds  // what x in x.name may be
	Gives    Kinds  // what its result may be, as far as it has functions of its own
	Doc      string
	Example  string // an expression, and behind # what it gives
	Do       func(m *Machine, args []V) (V, error)
}

// Kinds is a set of kinds of values.
type Kinds uint8

const (
	OnNumber Kinds = 1 << iota
	OnText
	OnList // a pool of dice is a list
	OnDie
	OnMap
	OnSheet
	OnAll = OnNumber | OnText | OnList | OnDie | OnMap | OnSheet
)

// KindOf gives the kind of a value; 0 for what has no functions of its own.
func KindOf(v V) Kinds {
	switch v.Kind() {
	case value.List:
		return OnList
	case value.Die:
		return OnDie
	case value.Map:
		return OnMap
	case value.Text:
		return OnText
	case value.Ref:
		return OnSheet
	}
	if v.IsNumber() {
		return OnNumber
	}
	return 0
}

// Takes says whether it can be called with n arguments.
func (b *BuiltinFunc) Takes(n int) bool { return n >= b.Min && (b.Max < 0 || n <= b.Max) }

// Builtins are all of them; instructions refer to them by index.
var Builtins = []BuiltinFunc{
	{"floor", "x", 1, 1, OnNumber, OnNumber, "the largest whole number that is not above x", `floor(7 / 2)   # 3`, number(func(m *Machine, x V) V { return m.Heap.Floor(x) })},
	{"ceil", "x", 1, 1, OnNumber, OnNumber, "the smallest whole number that is not below x", `ceil(7 / 2)   # 4`, number(ceil)},
	{"round", "x", 1, 1, OnNumber, OnNumber, "the nearest whole number; halves go up", `round(5 / 2)   # 3`, number(round)},
	{"abs", "x", 1, 1, OnNumber, OnNumber, "x without its sign", `abs(2 - 5)   # 3`, number(abs)},
	{"mod", "a, b", 2, 2, OnNumber, OnNumber, "the remainder of a divided by b", `mod(7, 3)   # 1`, mod},
	{"min", "list", 1, -1, OnNumber | OnList, OnAll, "the least of the arguments, or of a list", `min(4, 2, 9)   # 2`, extreme(-1)},
	{"max", "list", 1, -1, OnNumber | OnList, OnAll, "the greatest of the arguments, or of a list", `[4, 2, 9].max   # 9`, extreme(1)},
	{"number", "text", 1, 1, OnText, OnNumber, "a text such as \"12\" as a number", `number("12") + 1   # 13`, toNumber},
	{"whole", "x", 1, 1, OnNumber, OnNumber, "x, or an error if it is not a whole number", `whole(6 / 2)   # 3`, onlyWhole},
	{"within", "x, range", 2, 2, OnNumber, OnNumber, "x, or an error if it is not in a range", `within(4, 1..6)   # 4`, onlyWithin},

	{"size", "list", 1, 1, OnList | OnMap | OnText, OnNumber, "how many elements a list, a map or a text has", `[4, 2, 9].size   # 3`, size},
	{"empty", "list", 1, 1, OnList | OnMap | OnText, 0, "yes if a list, a map or a text has nothing in it", `[].empty   # yes`, empty},
	{"first", "list", 1, 1, OnList, OnAll, "the first element; none if the list is empty", `[4, 2, 9].first   # 4`, list(func(m *Machine, e []V) V { return at(e, 0) })},
	{"last", "list", 1, 1, OnList, OnAll, "the last element, or none", `[4, 2, 9].last   # 9`, list(func(m *Machine, e []V) V { return at(e, len(e)-1) })},
	{"sum", "list", 1, 1, OnList, OnNumber, "the sum of a list of numbers, or of the faces of dice", `[4, 2, 9].sum   # 15`, sum},
	{"sorted", "list", 1, 1, OnList, OnList, "the list from the least to the greatest", `[4, 2, 9].sorted   # [2, 4, 9]`, list(sorted)},
	{"reversed", "list", 1, 1, OnList, OnList, "the list from its end to its beginning", `[4, 2, 9].reversed   # [9, 2, 4]`, list(reversed)},
	{"distinct", "list", 1, 1, OnList, OnList, "the list without repetitions", `[4, 2, 4].distinct   # [4, 2]`, list(distinct)},
	{"apart", "list", 1, 1, OnList, OnList, "the list with one of each group that was declared together: of Wolves x3 the first that is in it", `[Nova, Fang].apart   # [Nova, Fang]`, list(apart)},
	{"with", "list, x", 2, 2, OnList, OnList, "the list with x added at its end", `[4, 2].with(9)   # [4, 2, 9]`, with},
	{"without", "list, x", 2, 2, OnList, OnList, "the list without the first x in it", `[4, 2, 4].without(4)   # [2, 4]`, without},
	{Draw, "list", 1, 1, OnList, OnAll, "an element of the list, each with the same chance: a die decides, and nobody is asked", `[7, 7].draw   # 7`, nil},
	{"exceeding", "list, other", 2, 2, OnList, OnNumber, "how many numbers of a list, or faces of its dice, are greater than the one at the same position of another list", `[6, 5, 3].exceeding([5, 5])   # 1`, exceeding},
	{"index", "list, x", 2, 2, OnList, OnNumber, "the position of x in the list, from 1; none if it is not in the list", `[4, 2, 9].index(9)   # 3`, indexOf},
	{"take", "list, n", 2, 2, OnList, OnList, "the first n elements", `[4, 2, 9].take(2)   # [4, 2]`, take},
	{"drop", "list, n", 2, 2, OnList | OnMap, OnAll, "the list without its first n elements; a map without a key", `[4, 2, 9].drop(2)   # [9]`, drop},
	{"copies", "n, x", 2, 2, OnNumber, OnList, "a list of n times x", `copies(3, d6)   # [d6, d6, d6]`, copies},
	{"join", "list, text", 2, 2, OnList, OnText, "the elements as one text with a text between them", `["a", "b"].join(" and ")   # a and b`, join},
	{"flat", "list", 1, 1, OnList, OnList, "one list of all the elements of a list of lists", `[[4, 2], [9]].flat   # [4, 2, 9]`, flat},

	{"sides", "die", 1, 1, OnDie, OnNumber, "how many faces a die has", `d8.sides   # 8`, die(func(d V) V { return value.OfInt(int64(d.DieSize())) })},
	{"face", "die", 1, 1, OnDie, OnNumber, "the face that a die shows; none before it is thrown", `die(8, 5).face   # 5`, die(face)},
	{"faces", "pool", 1, 1, OnList | OnDie, OnList, "the faces of a pool as a list of numbers", `[die(8, 5), die(6, 2)].faces   # [5, 2]`, list(faces)},
	{"sizes", "pool", 1, 1, OnList | OnDie, OnList, "the dice of a pool before they are thrown, the largest first", `[die(6, 2), die(8, 5)].sizes   # [d8, d6]`, list(sizes)},
	{"sparing", "pool", 1, 1, OnList | OnDie, OnList, "the dice of a pool, the highest face first; of equal faces the smallest die first, so that taking from the front leaves the large dice", `[die(8, 5), die(6, 5)].sparing.sizes   # [d8, d6]`, list(sparing)},
	{"above", "pool, n", 2, 2, OnList | OnDie, OnList, "the dice of a pool that show more than n", `[die(8, 5), die(6, 2)].above(3).size   # 1`, showing(func(face, n int64) bool { return face > n })},
	{"below", "pool, n", 2, 2, OnList | OnDie, OnList, "the dice of a pool that show less than n", `[die(8, 5), die(6, 2)].below(3).faces   # [2]`, showing(func(face, n int64) bool { return face < n })},
	{"showing", "pool, n", 2, 2, OnList | OnDie, OnList, "the dice of a pool that show n", `[die(8, 5), die(6, 2)].showing(5).sizes   # [d8]`, showing(func(face, n int64) bool { return face == n })},
	{"die", "sides, face", 1, 2, OnNumber, OnDie, "a die of that many sides, showing a face if one is given", `die(8).sides   # 8`, makeDie},
	{"keep", "pool", 1, 1, OnList | OnDie, OnList, "marks the dice that count with * in the transcript; an empty list marks none", `keep([die(8, 5)]).size   # 1`, keep},

	{"map", "", 0, 0, 0, OnMap, "an empty map; put(map, key, value) gives it entries", `map().put("wood", 3).size   # 1`, func(m *Machine, _ []V) (V, error) { return m.Heap.OfMap(nil), nil }},
	{"put", "map, key, value", 3, 3, OnMap, OnMap, "the map with a key holding a value", `map().put("wood", 3).size   # 1`, put},
	{"keys", "map", 1, 1, OnMap, OnList, "the keys of a map as a list", `map().put("wood", 3).keys   # ["wood"]`, keys(0)},
	{"values", "map", 1, 1, OnMap, OnList, "the values of a map as a list", `map().put("wood", 3).values   # [3]`, keys(1)},

	{"upper", "text", 1, 1, OnText, OnText, "a text in capitals", `upper("fang")   # FANG`, text(strings.ToUpper)},
	{"lower", "text", 1, 1, OnText, OnText, "a text in small letters", `lower("FANG")   # fang`, text(strings.ToLower)},
	{"spaced", "text", 1, 1, OnText, OnText, "a text with its underscores as spaces", `spaced("kung_fu")   # kung fu`, text(spaced)},
	{"title", "text", 1, 1, OnText, OnText, "a text with spaces for underscores and every word capitalised", `title("kung_fu")   # Kung Fu`, text(title)},
	{"text", "x", 1, 1, OnAll, OnText, "any value as a text", `text(7) + "th"   # 7th`, anyText},
	{"symbol", "text", 1, 1, OnText, 0, "a text as a word", `symbol("fang")   # fang`, toSymbol},

	{"name", "sheet", 1, 1, OnSheet, OnText, "the name of a sheet", `Nova.name   # Nova`, sheet(func(m *Machine, off int) V { return m.Heap.OfText(m.NameOf(value.OfRef(off))) })},
	{"owner", "sheet", 1, 1, OnSheet, OnSheet, "whoever or whatever has this sheet", `Nova.CLAWS.owner   # Nova`, sheet(func(m *Machine, off int) V { return m.Store[off+AtOwner] })},
	{"kind", "sheet", 1, 1, OnSheet, 0, "the word a sheet was declared with, such as hero", `Nova.kind   # hero`, sheet(func(m *Machine, off int) V { return m.Heap.OfSymbol(m.TypeOf(off).Name) })},
	{"features", "sheet", 1, 1, OnSheet, OnList, "the special rules that a sheet has", `Nova.CLAWS.features.size   # 1`, sheet(func(m *Machine, off int) V { return m.Store[off+AtFeatures] })},
	{"has", "sheet, feature", 2, 2, OnSheet, 0, "yes if a sheet has a special rule of that name", `Nova.CLAWS.has(lucky)   # yes`, has},
	{"planned", "sheet, decision", 2, 2, OnSheet, 0, "yes if somebody's tactics answer a decision of that name: planned(x, \"reroll\")", `planned(Nova, "again")   # no`, planned},
	{"feature", "sheet, feature", 2, 2, OnSheet, OnSheet, "the special rule of that name that a sheet has, or none", `Nova.CLAWS.feature(lucky).times   # 2`, feature},
	{"part", "sheet, name", 2, 2, OnSheet, OnSheet, "the part of that name of a sheet, or none", `Nova.part("CLAWS").rating   # 3`, part},
	{"is", "sheet, kind", 2, 2, OnSheet, 0, "yes if a sheet is of that kind", `Nova.is(hero)   # yes`, is},
	{"instances", "kind", 1, 1, OnText, OnList, "all the sheets of a kind, in order of declaration: instances(hero)", `instances(hero)   # [Nova, Fang]`, instances},
	{"list", "x", 1, 1, OnAll, OnList, "a list as it is, anything else as a list of itself", `list(7)   # [7]`, toList},
}

// Draw is the function that throws a die, which takes instructions of its own.
const Draw = "draw"

// BuiltinIndex finds a builtin by name, -1 when there is none.
func BuiltinIndex(name string) int {
	return slices.IndexFunc(Builtins, func(b BuiltinFunc) bool { return b.Name == name })
}

func number(f func(*Machine, V) V) func(*Machine, []V) (V, error) {
	return func(m *Machine, a []V) (V, error) {
		if !a[0].IsNumber() {
			return 0, fmt.Errorf("%s is not a number", m.quoted(a[0]))
		}
		return f(m, a[0]), nil
	}
}

func onlyWhole(m *Machine, a []V) (V, error) {
	if a[0] != value.None && !a[0].IsInt() {
		return 0, refused("%s is not a whole number", m.quoted(a[0]))
	}
	return a[0], nil
}

func onlyWithin(m *Machine, a []V) (V, error) {
	if a[0] == value.None {
		return a[0], nil
	}
	if in, ok := m.Heap.In(a[0], a[1]); !ok || !a[0].IsNumber() || !in {
		return 0, refused("%s is not in %s", m.quoted(a[0]), m.Show(a[1]))
	}
	return a[0], nil
}

func refused(format string, args ...any) error {
	return &Error{Kind: Refused, Msg: fmt.Sprintf(format, args...)}
}

func ceil(m *Machine, x V) V {
	n, _ := m.Heap.Neg(x)
	n, _ = m.Heap.Neg(m.Heap.Floor(n))
	return n
}

func round(m *Machine, x V) V {
	n, _ := m.Heap.Add(x, m.Heap.OfRat(big.NewRat(1, 2)))
	return m.Heap.Floor(n)
}

func abs(m *Machine, x V) V {
	if m.Heap.Compare(x, value.OfInt(0)) < 0 {
		x, _ = m.Heap.Neg(x)
	}
	return x
}

func mod(m *Machine, a []V) (V, error) {
	if a[0].IsInt() && a[1].IsInt() && a[1] != value.OfInt(0) {
		n := a[0].Int() % a[1].Int()
		if n != 0 && (n < 0) != (a[1].Int() < 0) {
			n += a[1].Int() // as floor has it
		}
		return value.OfInt(n), nil
	}
	q, err := m.Heap.Div(a[0], a[1])
	if err != nil {
		return 0, err
	}
	p, err := m.Heap.Mul(m.Heap.Floor(q), a[1])
	if err != nil {
		return 0, err
	}
	return m.Heap.Sub(a[0], p)
}

func extreme(sign int) func(*Machine, []V) (V, error) {
	return func(m *Machine, a []V) (V, error) {
		if len(a) == 1 && a[0].Kind() == value.List {
			a = m.Heap.Elems(a[0])
		}
		if len(a) == 0 {
			return value.None, nil
		}
		best := a[0]
		for _, v := range a[1:] {
			c, ok := m.compare(v, best)
			if !ok {
				return 0, m.Err
			}
			if c*sign > 0 {
				best = v
			}
		}
		return best, nil
	}
}

func toNumber(m *Machine, a []V) (V, error) {
	if a[0].IsNumber() {
		return a[0], nil
	}
	if a[0].Kind() == value.Text {
		if r, ok := new(big.Rat).SetString(m.Heap.TextOf(a[0])); ok {
			return m.Heap.OfRat(r), nil
		}
	}
	return 0, fmt.Errorf("%s is not a number", m.quoted(a[0]))
}

func size(m *Machine, a []V) (V, error) {
	switch a[0].Kind() {
	case value.List:
		return value.OfInt(int64(len(m.Heap.Elems(a[0])))), nil
	case value.Map:
		return value.OfInt(int64(len(m.Heap.Pairs(a[0])) / 2)), nil
	case value.Text:
		return value.OfInt(int64(len([]rune(m.Heap.TextOf(a[0]))))), nil
	}
	return 0, fmt.Errorf("%s has no size", m.quoted(a[0]))
}

func empty(m *Machine, a []V) (V, error) {
	if a[0] == value.None {
		return value.Yes, nil
	}
	n, err := size(m, a)
	return value.OfBool(n == value.OfInt(0)), err
}

// list makes a builtin of a function of a list's elements; a die is a pool of
// one.
func list(f func(*Machine, []V) V) func(*Machine, []V) (V, error) {
	return func(m *Machine, a []V) (V, error) {
		e, err := m.listArg(a[0])
		if err != nil {
			return 0, err
		}
		return f(m, e), nil
	}
}

func (m *Machine) listArg(v V) ([]V, error) {
	switch v.Kind() {
	case value.List:
		return m.Heap.Elems(v), nil
	case value.Die:
		return []V{v}, nil
	case value.Special:
		if v == value.None {
			return nil, nil
		}
	}
	return nil, fmt.Errorf("%s is not a list", m.quoted(v))
}

func at(e []V, i int) V {
	if i < 0 || i >= len(e) {
		return value.None
	}
	return e[i]
}

func sum(m *Machine, a []V) (V, error) {
	e, err := m.listArg(a[0])
	if err != nil {
		return 0, err
	}
	total := value.OfInt(0)
	for _, v := range e {
		if v.Kind() == value.Die {
			v = value.OfInt(int64(v.DieFace()))
		}
		if total, err = m.Heap.Add(total, v); err != nil {
			return 0, fmt.Errorf("cannot add up %s: %w", m.Show(a[0]), err)
		}
	}
	return total, nil
}

func sorted(m *Machine, e []V) V {
	s := slices.Clone(e)
	slices.SortStableFunc(s, m.Heap.Compare)
	return m.Heap.OfList(s)
}

func exceeding(m *Machine, a []V) (V, error) {
	var lists [2][]V
	for i := range lists {
		e, err := m.listArg(a[i])
		if err != nil {
			return 0, err
		}
		for _, v := range e {
			if v.Kind() == value.Die && v.DieFace() > 0 {
				v = value.OfInt(int64(v.DieFace()))
			}
			if !v.IsNumber() {
				return 0, fmt.Errorf("%s is no number and no die that has fallen", m.quoted(v))
			}
			lists[i] = append(lists[i], v)
		}
	}
	n := 0
	for i := range min(len(lists[0]), len(lists[1])) {
		if m.Heap.Compare(lists[0][i], lists[1][i]) > 0 {
			n++
		}
	}
	return value.OfInt(int64(n)), nil
}

func reversed(m *Machine, e []V) V {
	s := slices.Clone(e)
	slices.Reverse(s)
	return m.Heap.OfList(s)
}

func distinct(m *Machine, e []V) V {
	var s []V
	var seen map[V]bool // of a long list
	if len(e) > 50 {
		seen = make(map[V]bool, len(e))
	}
	for _, v := range e {
		if seen[v] || seen == nil && slices.Contains(s, v) {
			continue
		}
		if s = append(s, v); seen != nil {
			seen[v] = true
		}
	}
	return m.Heap.OfList(s)
}

func with(m *Machine, a []V) (V, error) {
	e, err := m.listArg(a[0])
	if err != nil {
		return 0, err
	}
	v, ok := m.sized(m.Heap.OfList(append(slices.Clip(slices.Clone(e)), a[1])), len(e)+1)
	if !ok {
		return 0, m.Err
	}
	return v, nil
}

func without(m *Machine, a []V) (V, error) {
	e, err := m.listArg(a[0])
	if err != nil {
		return 0, err
	}
	if i := slices.Index(e, a[1]); i >= 0 {
		return m.Heap.OfList(slices.Concat(e[:i], e[i+1:])), nil
	}
	return a[0], nil
}

func indexOf(m *Machine, a []V) (V, error) {
	e, err := m.listArg(a[0])
	if err != nil {
		return 0, err
	}
	if i := slices.Index(e, a[1]); i >= 0 {
		return value.OfInt(int64(i + 1)), nil
	}
	return value.None, nil
}

func count(m *Machine, n V, most int) (int, error) {
	if !n.IsInt() || n.Int() < 0 {
		return 0, fmt.Errorf("%s is not a whole number from 0 up", m.quoted(n))
	}
	return int(min(n.Int(), int64(most))), nil
}

func take(m *Machine, a []V) (V, error) {
	e, err := m.listArg(a[0])
	if err != nil {
		return 0, err
	}
	n, err := count(m, a[1], len(e))
	if err != nil {
		return 0, err
	}
	return m.Heap.OfList(e[:n]), nil
}

func drop(m *Machine, a []V) (V, error) {
	if a[0].Kind() == value.Map {
		return m.Heap.Drop(a[0], a[1]), nil
	}
	e, err := m.listArg(a[0])
	if err != nil {
		return 0, err
	}
	n, err := count(m, a[1], len(e))
	if err != nil {
		return 0, err
	}
	return m.Heap.OfList(e[n:]), nil
}

func copies(m *Machine, a []V) (V, error) {
	n, err := count(m, a[0], m.MaxSize+1)
	if err != nil {
		return 0, err
	}
	if n > m.MaxSize {
		return 0, &Error{Kind: Limit, Bound: "size", Msg: fmt.Sprintf("more than %s elements in one list", Grouped(int64(m.MaxSize)))}
	}
	return m.Heap.OfList(slices.Repeat([]V{a[1]}, n)), nil
}

func anyText(m *Machine, a []V) (V, error) {
	v, ok := m.text(a)
	if !ok {
		return 0, m.Err
	}
	return v, nil
}

func join(m *Machine, a []V) (V, error) {
	e, err := m.listArg(a[0])
	if err != nil {
		return 0, err
	}
	parts := make([]V, 0, 2*len(e))
	for i, v := range e {
		if i > 0 {
			parts = append(parts, a[1])
		}
		parts = append(parts, v)
	}
	v, ok := m.text(parts)
	if !ok {
		return 0, m.Err
	}
	return v, nil
}

func flat(m *Machine, a []V) (V, error) {
	e, err := m.listArg(a[0])
	if err != nil {
		return 0, err
	}
	var s []V
	for _, v := range e {
		if v != value.None {
			s = append(s, m.asList(v)...)
		}
		if len(s) > m.MaxSize {
			m.sized(0, len(s))
			return 0, m.Err
		}
	}
	m.works(len(s))
	return m.Heap.OfList(s), nil
}

func die(f func(V) V) func(*Machine, []V) (V, error) {
	return func(m *Machine, a []V) (V, error) {
		if a[0].Kind() != value.Die {
			return 0, fmt.Errorf("%s is not a die", m.quoted(a[0]))
		}
		return f(a[0]), nil
	}
}

func face(d V) V {
	if d.DieFace() == 0 {
		return value.None
	}
	return value.OfInt(int64(d.DieFace()))
}

func faces(m *Machine, e []V) V {
	f := make([]V, len(e))
	for i, d := range e {
		f[i] = value.None
		if d.Kind() == value.Die {
			f[i] = face(d)
		}
	}
	return m.Heap.OfList(f)
}

func sizes(m *Machine, e []V) V {
	var s []V
	for _, d := range e {
		if d.Kind() == value.Die {
			s = append(s, value.OfDie(d.DieSize(), 0))
		}
	}
	slices.SortFunc(s, func(a, b V) int { return b.DieSize() - a.DieSize() })
	return m.Heap.OfList(s)
}

func sparing(m *Machine, e []V) V {
	s := slices.Clone(e)
	slices.SortStableFunc(s, func(a, b V) int {
		return cmp.Or(cmp.Compare(b.DieFace(), a.DieFace()), cmp.Compare(a.DieSize(), b.DieSize()))
	})
	return m.Heap.OfList(s)
}

func showing(holds func(face, n int64) bool) func(*Machine, []V) (V, error) {
	return func(m *Machine, a []V) (V, error) {
		e, err := m.listArg(a[0])
		if err != nil {
			return 0, err
		}
		if !a[1].IsInt() {
			return 0, fmt.Errorf("%s is not a whole number", m.quoted(a[1]))
		}
		var s []V
		for _, d := range e {
			if d.Kind() != value.Die || d.DieFace() == 0 {
				return 0, fmt.Errorf("%s has not been thrown and shows no face", m.quoted(d))
			}
			if holds(int64(d.DieFace()), a[1].Int()) {
				s = append(s, d)
			}
		}
		return m.Heap.OfList(s), nil
	}
}

func makeDie(m *Machine, a []V) (V, error) {
	shown := 0
	if !a[0].IsInt() || a[0].Int() < 1 || a[0].Int() > value.MaxFace {
		return 0, &Error{Kind: BadDie, Msg: fmt.Sprintf("there is no die of %s sides", m.Show(a[0]))}
	}
	if len(a) == 2 {
		if !a[1].IsInt() || a[1].Int() < 1 || a[1].Int() > value.MaxFace {
			return 0, &Error{Kind: BadDie, Msg: fmt.Sprintf("a die cannot show %s", m.Show(a[1]))}
		}
		shown = int(a[1].Int())
	}
	return value.OfDie(int(a[0].Int()), shown), nil
}

func keep(m *Machine, a []V) (V, error) {
	if m.Out != nil {
		m.Out.Kept(m, a[0])
	}
	return a[0], nil
}

func put(m *Machine, a []V) (V, error) {
	if a[0].Kind() != value.Map {
		return 0, fmt.Errorf("%s is not a map", m.quoted(a[0]))
	}
	v := m.Heap.Put(a[0], a[1], a[2])
	n := len(m.Heap.Pairs(v)) / 2
	v, ok := m.sized(v, n)
	if !ok {
		return 0, m.Err
	}
	return v, nil
}

func keys(which int) func(*Machine, []V) (V, error) {
	return func(m *Machine, a []V) (V, error) {
		if a[0].Kind() != value.Map {
			return 0, fmt.Errorf("%s is not a map", m.quoted(a[0]))
		}
		var l []V
		p := m.Heap.Pairs(a[0])
		for i := which; i < len(p); i += 2 {
			l = append(l, p[i])
		}
		return m.Heap.OfList(l), nil
	}
}

func text(f func(string) string) func(*Machine, []V) (V, error) {
	return func(m *Machine, a []V) (V, error) {
		if a[0].Kind() != value.Text && a[0].Kind() != value.Symbol {
			return 0, fmt.Errorf("%s is not a text", m.quoted(a[0]))
		}
		return m.Heap.OfText(f(m.Heap.TextOf(a[0]))), nil
	}
}

func spaced(s string) string { return strings.ReplaceAll(s, "_", " ") }

func title(s string) string {
	words := strings.Fields(spaced(s))
	for i, w := range words {
		r := []rune(w)
		words[i] = strings.ToUpper(string(r[:1])) + string(r[1:])
	}
	return strings.Join(words, " ")
}

func toSymbol(m *Machine, a []V) (V, error) {
	if a[0].Kind() != value.Text && a[0].Kind() != value.Symbol {
		return 0, fmt.Errorf("%s is not a text", m.quoted(a[0]))
	}
	return m.Heap.OfSymbol(m.Heap.TextOf(a[0])), nil
}

func sheet(f func(*Machine, int) V) func(*Machine, []V) (V, error) {
	return func(m *Machine, a []V) (V, error) {
		if a[0].Kind() != value.Ref {
			return 0, fmt.Errorf("%s is not a sheet", m.quoted(a[0]))
		}
		return f(m, a[0].Off()), nil
	}
}

// apart leaves out who has been declared together with somebody before it in the list.
func apart(m *Machine, e []V) V {
	var out []V
	var seen []int
	for _, x := range e {
		g := m.Prog.groupOf(x)
		if g >= 0 && slices.Contains(seen, g) {
			continue
		}
		if g >= 0 {
			seen = append(seen, g)
		}
		out = append(out, x)
	}
	return m.Heap.OfList(out)
}

// wordOf gives the letters of a text or a word.
func (m *Machine) wordOf(v V) string {
	if v.Kind() == value.Text || v.Kind() == value.Symbol {
		return m.Heap.TextOf(v)
	}
	return ""
}

func feature(m *Machine, a []V) (V, error) {
	if a[0] == value.None {
		return value.None, nil
	}
	if a[0].Kind() != value.Ref {
		return 0, fmt.Errorf("%s is not a sheet", m.quoted(a[0]))
	}
	want := m.wordOf(a[1])
	for _, f := range m.Heap.Elems(m.Store[a[0].Off()+AtFeatures]) {
		if m.TypeOf(f.Off()).Name == want {
			return f, nil
		}
	}
	return value.None, nil
}

func has(m *Machine, a []V) (V, error) {
	f, err := feature(m, a)
	return value.OfBool(f != value.None), err
}

// planned lets a rule prepare for an answer that only tactics can give.
func planned(m *Machine, a []V) (V, error) {
	if a[0].Kind() != value.Ref {
		return 0, fmt.Errorf("%s is not a sheet", m.quoted(a[0]))
	}
	return value.OfBool(m.tacticOn(a[0], m.wordOf(a[1])) != value.None), nil
}

func part(m *Machine, a []V) (V, error) {
	if a[0].Kind() != value.Ref {
		return 0, fmt.Errorf("%s is not a sheet", m.quoted(a[0]))
	}
	off := a[0].Off()
	t := m.TypeOf(off)
	for i := range t.Fields {
		if !t.Fields[i].Many || t.Fields[i].Check != IsList {
			continue
		}
		for _, p := range m.asList(m.look(off + Header + i)) {
			if p.Kind() == value.Ref && m.Store[p.Off()+AtName].Kind() == value.Text && SameName(m.NameOf(p), m.wordOf(a[1])) {
				return p, nil
			}
		}
	}
	return value.None, nil
}

// SameName compares two names; an underscore is a space.
func SameName(a, b string) bool {
	return strings.ReplaceAll(a, "_", " ") == strings.ReplaceAll(b, "_", " ")
}

func is(m *Machine, a []V) (V, error) {
	if a[0].Kind() != value.Ref {
		return value.No, nil
	}
	want := m.wordOf(a[1])
	for t := m.TypeOf(a[0].Off()); t != nil; t = t.Base {
		if t.Name == want {
			return value.Yes, nil
		}
	}
	return value.No, nil
}

func instances(m *Machine, a []V) (V, error) {
	var l []V
	want := m.wordOf(a[0])
	for _, off := range m.Prog.Live {
		for t := m.TypeOf(off); t != nil; t = t.Base {
			if t.Name == want {
				l = append(l, value.OfRef(off))
				break
			}
		}
	}
	return m.Heap.OfList(l), nil
}

func toList(m *Machine, a []V) (V, error) {
	v, ok := m.elements(a[0])
	if a[0].Kind() == value.List {
		v, ok = a[0], true
	}
	if !ok {
		m.Err = nil
		return m.Heap.OfList([]V{a[0]}), nil
	}
	return v, nil
}
