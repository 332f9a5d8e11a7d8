package machine

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// execute has for each function of the language, by its number in Builtins, what it does.
var execute = implementations(map[string]func(m *Machine, args []V) (V, error){
	"floor":       number(func(m *Machine, x V) V { return m.Heap.Floor(x) }),
	"ceil":        number(ceil),
	"round":       number(round),
	"abs":         number(abs),
	"mod":         mod,
	"min":         extreme(-1),
	"max":         extreme(1),
	"number":      toNumber,
	"whole":       onlyWhole,
	"within":      onlyWithin,
	"size":        size,
	"empty":       empty,
	"first":       list(func(m *Machine, e []V) V { return at(e, 0) }),
	"last":        list(func(m *Machine, e []V) V { return at(e, len(e)-1) }),
	"sum":         sum,
	"sorted":      list(sorted),
	"reversed":    list(Reversed),
	"distinct":    list(distinct),
	"named_twice": list(namedTwice),
	"apart":       list(apart),
	"with":        with,
	"without":     without,
	"exceeding":   exceeding,
	"index":       indexOf,
	"take":        take,
	"drop":        drop,
	"copies":      copies,
	"join":        join,
	"flat":        flat,
	"sides":       die(func(d V) V { return value.OfInt(int64(d.DieSize())) }),
	"face":        faceOf,
	"faces":       list(faces),
	"is_dice":     isDice,

	"highest":      ranked(-1, true),
	"lowest":       ranked(1, true),
	"drop_lowest":  ranked(-1, false),
	"drop_highest": ranked(1, false),
	"middle":       middle,
	"explode":      again(value.Exploding),
	"reroll":       again(value.Rerolled),
	code.Fall:      fall,
	"count":        countOf,
	"pairs":        run("pairs"),
	"largest_set":  run("largest_set"),
	"straight":     run("straight"),
	"sizes":        list(sizes),
	"sparing":      list(sparing),
	"above":        showing(func(face, n int64) bool { return face > n }),
	"below":        showing(func(face, n int64) bool { return face < n }),
	"showing":      showing(func(face, n int64) bool { return face == n }),
	"plus":         plus,
	"pluses":       die(func(d V) V { return value.OfInt(int64(d.Pluses())) }),
	"die":          makeDie,
	"keep":         keep,
	"map":          func(m *Machine, _ []V) (V, error) { return m.Heap.OfMap(nil), nil },
	"put":          put,
	"keys":         keys(0),
	"values":       keys(1),
	"upper":        text(strings.ToUpper),
	"lower":        text(strings.ToLower),
	"spaced":       text(spaced),
	"title":        text(title),
	"text":         anyText,
	"symbol":       toSymbol,
	"name":         sheet(func(m *Machine, off int) V { return m.Heap.OfText(m.NameOf(value.OfRef(off))) }),
	"owner":        sheet(func(m *Machine, off int) V { return m.Store[off+code.AtOwner] }),
	"kind":         sheet(func(m *Machine, off int) V { return m.Heap.OfSymbol(m.TypeOf(off).Name) }),
	"features":     sheet(func(m *Machine, off int) V { return m.Store[off+code.AtFeatures] }),
	"has":          has,
	"planned":      planned,
	"feature":      feature,
	"part":         part,
	"is":           is,
	"only":         only,
	"instances":    instances,
	"list":         toList,
})

// implementations puts functions into the order of Builtins. Only Draw has instructions
// of its own instead.
func implementations(by map[string]func(m *Machine, args []V) (V, error)) []func(m *Machine, args []V) (V, error) {
	list := make([]func(m *Machine, args []V) (V, error), len(code.Builtins))
	for i := range code.Builtins {
		do, ok := by[code.Builtins[i].Name]
		if !ok && code.Builtins[i].Name != code.Draw {
			panic("the function " + code.Builtins[i].Name + " does nothing")
		}
		list[i] = do
	}
	return list
}

// CallFunction does what a function of the language does, by its number.
func (m *Machine) CallFunction(n int, args []V) (V, error) { return execute[n](m, args) }

func number(f func(*Machine, V) V) func(*Machine, []V) (V, error) {
	return func(m *Machine, a []V) (V, error) {
		if !a[0].IsNumber() {
			return 0, fmt.Errorf("%s is not a number", m.quoted(a[0]))
		}
		return f(m, a[0]), nil
	}
}

func onlyWhole(m *Machine, a []V) (V, error) {
	if why := m.Heap.TooLarge(a[0]); why != "" {
		return 0, refused("%s is %s", m.Show(a[0]), why)
	}
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
		return 0, refused("expected %s, got %s", m.between(a[1]), m.quoted(a[0]))
	}
	return a[0], nil
}

// between says in words what a range holds.
func (m *Machine) between(r V) string {
	if r.Kind() != value.Range {
		return "one of " + m.Show(r)
	}
	switch lo, hi := m.Heap.Ends(r); {
	case hi == value.None:
		return m.Show(lo) + " or more"
	case lo == value.None:
		return m.Show(hi) + " or less"
	default:
		return m.Show(lo) + " to " + m.Show(hi)
	}
}

func refused(format string, args ...any) error {
	return &Error{Kind: code.Refused, Msg: fmt.Sprintf(format, args...)}
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
		return value.OfInt(int64(m.Heap.MapSize(a[0]))), nil
	case value.Text:
		return value.OfInt(int64(utf8.RuneCountInString(m.Heap.TextOf(a[0])))), nil
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
	case value.Die, value.Made:
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
	if a[0].IsNumber() {
		return a[0], nil // what a die shows that is made of others
	}
	e, err := m.listArg(a[0])
	if err != nil {
		return 0, err
	}
	total := value.OfInt(0)
	for _, v := range e {
		if m.unthrown(v) {
			return 0, fmt.Errorf("%s shows no face before it is thrown: write  throw  before the dice", m.Show(v))
		}
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

// ranked gives the numbers or dice of a list in their order, those that sign puts first: the first n of them,
// or, where it drops, all but the last n. Taking one without saying so takes it out of the list.
func ranked(sign int, takes bool) func(*Machine, []V) (V, error) {
	return func(m *Machine, a []V) (V, error) {
		e, err := m.listArg(a[0])
		if err != nil {
			return 0, err
		}
		for _, v := range e {
			if !v.IsNumber() && v.Kind() != value.Die {
				return 0, fmt.Errorf("%s is no number and no die", m.quoted(v))
			}
		}
		s := slices.Clone(e)
		slices.SortStableFunc(s, func(x, y V) int { return sign * m.Heap.Compare(x, y) })
		n := min(1, len(s))
		switch {
		case len(a) > 1:
			if n, err = count(m, a[1], len(s)); err != nil {
				return 0, err
			}
		case takes:
			return at(s, 0), nil
		}
		if takes {
			return m.Heap.OfList(s[:n]), nil
		}
		return m.Heap.OfList(s[:len(s)-n]), nil
	}
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

func Reversed(m *Machine, e []V) V {
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

func namedTwice(_ *Machine, e []V) V {
	for i, v := range e {
		if slices.Contains(e[i+1:], v) {
			return v
		}
	}
	return value.None
}

func with(m *Machine, a []V) (V, error) {
	e, err := m.listArg(a[0])
	if err != nil {
		return 0, err
	}
	join := a[0]
	if join.Kind() != value.List {
		join = m.Heap.OfList(e)
	}
	v, ok := m.sized(m.Heap.Append(join, a[1:2]), len(e)+1)
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
		return m.Heap.OfJoined(e[:i], e[i+1:]), nil
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
		return 0, &Error{Kind: code.Limit, Bound: "size", Msg: fmt.Sprintf("more than %s elements in one list", Grouped(int64(m.MaxSize)))}
	}
	return m.Heap.OfList(slices.Repeat([]V{a[1]}, n)), nil
}

func anyText(m *Machine, a []V) (V, error) {
	v, ok := m.TextOf(a)
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
	v, ok := m.TextOf(parts)
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
			s = append(s, m.AsList(v)...)
		}
		if len(s) > m.MaxSize {
			m.sized(0, len(s))
			return 0, m.Err
		}
	}
	m.countWork(len(s))
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
	if d.IsNumber() {
		return d
	}
	if d.Kind() != value.Die || d.DieFace() == 0 {
		return value.None
	}
	return value.OfInt(int64(d.DieFace()))
}

// faceOf gives what a die shows; a number, as dice with faces of their own show, is what it is.
func faceOf(m *Machine, a []V) (V, error) {
	if a[0].IsNumber() {
		return a[0], nil
	}
	return die(face)(m, a)
}

func faces(m *Machine, e []V) V {
	f := make([]V, len(e))
	for i, d := range e {
		f[i] = face(d)
	}
	return m.Heap.OfList(f)
}

func isDice(m *Machine, a []V) (V, error) {
	e := m.AsList(a[0])
	return value.OfBool(len(e) > 0 && !slices.ContainsFunc(e, func(v V) bool { return !v.IsDie() })), nil
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
			shows := Shown(d)
			if !shows.IsInt() {
				return 0, fmt.Errorf("%s has not been thrown and shows no face", m.quoted(d))
			}
			if holds(shows.Int(), a[1].Int()) {
				s = append(s, d)
			}
		}
		return m.Heap.OfList(s), nil
	}
}

func plus(m *Machine, a []V) (V, error) {
	switch {
	case a[0].Kind() != value.Die:
		return 0, fmt.Errorf("%s is not a die", m.quoted(a[0]))
	case !a[1].IsInt() || a[1].Int() < 0 || a[1].Int() > value.MaxPluses:
		return 0, fmt.Errorf("a die is 0 to %d steps past its size, not %s", value.MaxPluses, m.quoted(a[1]))
	}
	return a[0].WithPluses(int(a[1].Int())), nil
}

func makeDie(m *Machine, a []V) (V, error) {
	shown := 0
	if !a[0].IsInt() || a[0].Int() < 1 || a[0].Int() > value.MaxFace {
		return 0, &Error{Kind: code.BadDie, Msg: fmt.Sprintf("there is no die of %s sides", m.Show(a[0]))}
	}
	if len(a) == 2 {
		if !a[1].IsInt() || a[1].Int() < 1 || a[1].Int() > value.MaxFace {
			return 0, &Error{Kind: code.BadDie, Msg: fmt.Sprintf("a die cannot show %s", m.Show(a[1]))}
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
	v, ok := m.sized(v, m.Heap.MapSize(v))
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
		g := m.Prog.GroupOf(x)
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
	for _, f := range m.Heap.Elems(m.Store[a[0].Off()+code.AtFeatures]) {
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
	rule, _ := m.tacticOn(a[0], m.wordOf(a[1]))
	return value.OfBool(rule != value.None), nil
}

func part(m *Machine, a []V) (V, error) {
	if a[0].Kind() != value.Ref {
		return 0, fmt.Errorf("%s is not a sheet", m.quoted(a[0]))
	}
	name, found := m.wordOf(a[1]), value.None
	m.eachPart(a[0], func(p V) bool {
		if code.SameName(m.NameOf(p), name) {
			found = p
		}
		return found == value.None
	})
	if found != value.None || len(a) < 3 || a[2] != value.Yes {
		return found, nil
	}
	twice := false // as decl.Entity.Part: of two of that name none is meant
	m.eachPart(a[0], func(p V) bool {
		if m.Store[p.Off()+code.AtOwner] != a[0] {
			return true
		}
		m.eachPart(p, func(q V) bool {
			if m.Store[q.Off()+code.AtOwner] == p && q != found && code.SameName(m.NameOf(q), name) {
				twice = found != value.None
				found = q
			}
			return !twice
		})
		return !twice
	})
	if twice {
		return value.None, nil
	}
	return found, nil
}

// eachPart calls do with what has a name in the lists of a sheet, until it says no.
func (m *Machine) eachPart(v V, do func(p V) bool) {
	off := v.Off()
	t := m.TypeOf(off)
	for i := range t.Fields {
		if !t.Fields[i].Many || t.Fields[i].Check != code.IsList {
			continue
		}
		for _, p := range m.AsList(m.Look(off + code.Header + i)) {
			if p.Kind() == value.Ref && m.Store[p.Off()+code.AtName].Kind() == value.Text && !do(p) {
				return
			}
		}
	}
}

func is(m *Machine, a []V) (V, error) {
	return value.OfBool(a[0].Kind() == value.Ref && m.isKind(a[0], m.wordOf(a[1]))), nil
}

// isKind says whether an instance is of a kind of sheet.
func (m *Machine) isKind(v V, kind string) bool {
	for t := m.TypeOf(v.Off()); t != nil; t = t.Base {
		if t.Name == kind {
			return true
		}
	}
	return false
}

// only checks what an expression gives where somebody or something of a kind is named.
func only(m *Machine, a []V) (V, error) {
	many := len(a) > 2 && a[2] == value.Yes
	all := []V{a[0]}
	if many {
		all = m.AsList(a[0])
	}
	for _, v := range all {
		if yes, _ := is(m, []V{v, a[1]}); yes != value.Yes && v != value.None {
			if v.Kind() == value.List {
				return 0, refused("%s is a list, and one %s is meant", m.quoted(v), m.wordOf(a[1]))
			}
			return 0, refused("%s is no %s", m.quoted(v), m.wordOf(a[1]))
		}
	}
	return a[0], nil
}

func toList(m *Machine, a []V) (V, error) {
	if a[0].Kind() == value.List {
		return a[0], nil
	}
	v, ok := m.Elements(a[0])
	if !ok {
		m.Err = nil
		return m.Heap.OfList([]V{a[0]}), nil
	}
	return v, nil
}
