package value

import (
	"errors"
	"math/big"
	"testing"
)

func rat(h *Heap, s string) V {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic(s)
	}
	return h.OfRat(r)
}

// Exact numbers stay exact, and are whole words again as soon as they can be.
func TestArithmetic(t *testing.T) {
	h := NewHeap()
	for _, c := range []struct {
		op   func(a, b V) (V, error)
		a, b string
		want string
	}{
		{h.Add, "1/4", "1/4", "0.5"},
		{h.Add, "1/4", "3/4", "1"},
		{h.Sub, "1", "1/3", "2/3"},
		{h.Mul, "2/3", "3/2", "1"},
		{h.Mul, "1000000007", "1000000009", "1000000016000000063"},
		{h.Mul, "10000000000", "10000000000", "100000000000000000000"},
		{h.Div, "1", "3", "1/3"},
		{h.Div, "12", "4", "3"},
		{h.Add, "576460752303423487", "1", "576460752303423488"},
		{h.Sub, "-576460752303423488", "1", "-576460752303423489"},
		{h.Sub, "576460752303423488", "1", "576460752303423487"},
	} {
		got, err := c.op(rat(h, c.a), rat(h, c.b))
		if err != nil {
			t.Errorf("%s, %s: %v", c.a, c.b, err)
			continue
		}
		if s := h.Show(got, nil); s != c.want {
			t.Errorf("%s, %s: %s, want %s", c.a, c.b, s, c.want)
		}
		if got != rat(h, c.want) {
			t.Errorf("%s, %s: %s is not in its smallest form", c.a, c.b, c.want)
		}
	}
	if _, err := h.Div(OfInt(1), OfInt(0)); !errors.Is(err, ErrZero) {
		t.Errorf("1/0: %v", err)
	}
	if _, err := h.Add(OfInt(1), h.OfText("x")); !errors.Is(err, ErrKind) {
		t.Errorf(`1 + "x": %v`, err)
	}
	big := rat(h, "2")
	var err error
	for err == nil {
		big, err = h.Mul(big, big)
	}
	if !errors.Is(err, ErrBig) {
		t.Errorf("squaring for ever: %v", err)
	}
}

func TestFloor(t *testing.T) {
	h := NewHeap()
	for in, want := range map[string]int64{"7/2": 3, "-7/2": -4, "3": 3, "-1/4": -1, "1/4": 0} {
		if got := h.Floor(rat(h, in)); got != OfInt(want) {
			t.Errorf("floor of %s is %s", in, h.Show(got, nil))
		}
	}
}

// Equal values are equal words, however they came about.
func TestInterning(t *testing.T) {
	h := NewHeap()
	a := h.OfList([]V{OfInt(1), h.OfText("x"), OfDie(6, 3)})
	b := h.OfList([]V{OfInt(1), h.OfText("x"), OfDie(6, 3)})
	if a != b {
		t.Error("equal lists are different words")
	}
	if h.OfText("x") == h.OfSymbol("x") {
		t.Error("a text is the same as a word")
	}
	if h.OfList(nil) != EmptyList {
		t.Error("the empty list is not EmptyList")
	}
	if h.OfList([]V{None, OfInt(3)}) == h.OfRange(None, OfInt(3)) {
		t.Error("a range is the same as a list")
	}
	m := h.Put(h.OfMap(nil), h.OfText("b"), OfInt(1))
	m = h.Put(m, h.OfText("a"), OfInt(2))
	n := h.Put(h.Put(h.OfMap(nil), h.OfText("a"), OfInt(2)), h.OfText("b"), OfInt(1))
	if m != n {
		t.Error("the order of putting makes different maps")
	}
	if h.Drop(m, h.OfText("a")) != h.Put(h.OfMap(nil), h.OfText("b"), OfInt(1)) {
		t.Error("dropping does not undo putting")
	}
}

func TestRelease(t *testing.T) {
	h := NewHeap()
	kept := h.OfList([]V{OfInt(1)})
	mark := h.Mark()
	for i := range 3000 {
		h.OfList([]V{OfInt(int64(i)), OfInt(7)})
	}
	h.OfText("gone")
	rat(h, "1/7")
	h.Release(mark)
	if h.Grown(mark) != 0 {
		t.Errorf("%d values are left", h.Grown(mark))
	}
	if h.OfList([]V{OfInt(1)}) != kept {
		t.Error("what was kept is forgotten")
	}
	if v := h.OfList([]V{OfInt(5), OfInt(7)}); h.Show(v, nil) != "[5, 7]" {
		t.Errorf("a new list is %s", h.Show(v, nil))
	}
}

func TestCompareAndIn(t *testing.T) {
	h := NewHeap()
	rising := []V{rat(h, "-1/2"), OfInt(0), rat(h, "1/3"), rat(h, "1/2"), OfInt(1)}
	for i := range rising {
		for j := range rising {
			c := h.Compare(rising[i], rising[j])
			if (c < 0) != (i < j) || (c == 0) != (i == j) {
				t.Errorf("%s against %s: %d", h.Show(rising[i], nil), h.Show(rising[j], nil), c)
			}
		}
	}
	if h.Compare(OfDie(6, 3), OfDie(8, 3)) >= 0 || h.Compare(OfDie(8, 2), OfDie(6, 3)) >= 0 {
		t.Error("dice are ordered by face, then by size")
	}
	for _, c := range []struct {
		x, y V
		want bool
	}{
		{OfInt(4), h.OfRange(OfInt(1), OfInt(4)), true},
		{OfInt(5), h.OfRange(OfInt(1), OfInt(4)), false},
		{OfInt(50), h.OfRange(OfInt(9), None), true},
		{rat(h, "1/2"), h.OfRange(OfInt(0), OfInt(1)), true},
		{OfInt(2), h.OfList([]V{OfInt(1), OfInt(2)}), true},
	} {
		if got, ok := h.In(c.x, c.y); !ok || got != c.want {
			t.Errorf("%s in %s: %v", h.Show(c.x, nil), h.Show(c.y, nil), got)
		}
	}
	if _, ok := h.In(OfInt(1), OfInt(2)); ok {
		t.Error("something is in a number")
	}
}

func TestShow(t *testing.T) {
	h := NewHeap()
	for want, v := range map[string]V{
		"3":            OfInt(3),
		"0.25":         rat(h, "1/4"),
		"1/3":          rat(h, "1/3"),
		"yes":          Yes,
		"none":         None,
		"d12":          OfDie(12, 0),
		"d12+":         OfDie(12, 0).WithPluses(1),
		"d4+++":        OfDie(4, 0).WithPluses(3),
		"d%":           OfDie(100, 0),
		"d8:5":         OfDie(8, 5),
		`[1, "x", d6]`: h.OfList([]V{OfInt(1), h.OfText("x"), OfDie(6, 0)}),
		"plain":        h.OfText("plain"),
		"1..4":         h.OfRange(OfInt(1), OfInt(4)),
		"9..":          h.OfRange(OfInt(9), None),
	} {
		if got := h.Show(v, nil); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Whoever kept words before a mark keeps them, though nothing new came of it.
func TestReleaseKeepsWhatWasReferredTo(t *testing.T) {
	h := NewHeap()
	h.OfText("known")
	early, late := false, false
	h.Refer(func() { early = true })
	h.OfText("known")
	mark := h.Mark()
	h.Refer(func() { late = true })
	h.OfText("new")
	h.Release(mark)
	if early {
		t.Error("what was kept before the mark was forgotten")
	}
	if !late {
		t.Error("what was kept after the mark was not forgotten")
	}
}

// A heap that begins as a copy of another grows on its own, and takes in what the other has
// made since under numbers of its own.
func TestCopyAndImport(t *testing.T) {
	from := NewHeap()
	text, list := from.OfText("shield"), from.OfList([]V{OfInt(1), from.OfText("shield")})
	h := NewHeap()
	h.Copy(from)
	if h.Used != from.Used || h.Show(text, nil) != "shield" || h.OfList([]V{OfInt(1), h.OfText("shield")}) != list {
		t.Errorf("a copy has %s, %s and uses %d bytes of %d", h.Show(text, nil), h.Show(list, nil), h.Used, from.Used)
	}
	h.OfText("only here")
	half := from.OfRat(big.NewRat(1, 2))
	late := from.OfMap([]V{from.OfSymbol("half"), from.OfList([]V{half, from.OfRange(OfInt(1), half), None, Yes, OfInt(-7)})})
	for _, v := range []V{text, list, half, late, OfInt(3), No} {
		if got, want := h.Show(h.Import(from, v), nil), from.Show(v, nil); got != want {
			t.Errorf("%s is taken in as %s", want, got)
		}
	}
	if again := h.Import(from, late); again != h.Import(from, late) || h.Import(from, text) != text {
		t.Error("what is taken in twice is two values")
	}
}
