package query

import (
	"testing"

	"setpiece/interp/internal/value"
)

// What is read of a pool is said as at a table; what the throws that lead to one place do
// not have in common is left out.
func TestWordsOfAReading(t *testing.T) {
	h := value.NewHeap()
	n := func(i int64) V { return value.OfInt(i) }
	dice := h.OfList([]V{value.OfDie(6, 5), value.OfDie(6, 4)})
	mixed := h.OfList([]V{value.OfDie(8, 5), value.OfDie(6, 4)})
	six, nine := h.OfList([]V{value.OfDie(6, 6)}), h.OfList([]V{value.OfDie(6, 6), value.OfDie(6, 3)})
	r := &Query{Stages: []Stage{
		{Op: Whole, Size: 3}, {Op: First, N: 2, Size: 2}, {Op: Behind, N: 2, Size: 1}, {Op: Showing, N: 1, Size: -1},
		{Op: First, N: 1, Size: 1}, {Op: Behind, N: 3, Size: 0},
	}}
	tests := []struct {
		stage       int
		what        What
		least, most V
		want        string
	}{
		{1, Sum, n(9), n(9), "the two highest total 9"},
		{1, Sum, n(9), n(20), "the two highest total 9..20"},
		{0, Sum, n(9), n(9), "the dice total 9"},
		{4, Sum, n(9), n(9), "the highest shows 9"},
		{2, Sum, n(3), n(3), "the other shows 3"},
		{3, Count, n(0), n(0), "no die shows 1"},
		{3, Count, n(1), n(1), "one die shows 1"},
		{3, Count, n(1), n(2), "1..2 dice show 1"},
		{3, Count, n(0), n(2), ""},
		{0, Count, n(3), n(3), ""},
		{4, Largest, value.OfDie(10, 0), value.OfDie(10, 0), "the highest is a d10"},
		{4, Largest, value.OfDie(8, 0), value.OfDie(10, 0), ""},
		{0, LowFace, n(1), n(1), "the lowest of the dice is 1"},
		{0, AllDice, dice, dice, "the dice show 5, 4"},
		{0, AllDice, mixed, mixed, "the dice show d8:5, d6:4"},
		{0, AllDice, dice, six, "the dice total 6..9"},
		{3, AllFaces, dice, nine, "the dice that show 1 total 9"},
		{5, Sum, n(0), n(0), ""},
		{1, TopDie, value.None, value.None, ""},
	}
	for _, c := range tests {
		r.Asked = []Asked{{Stage: c.stage, What: c.what}}
		if got := r.Words(h, []Span{span(h, c.least, c.most)}); got != c.want {
			t.Errorf("stage %d, %d of %s to %s: %q, want %q", c.stage, c.what, h.Show(c.least, nil), h.Show(c.most, nil), got, c.want)
		}
	}
	if got := Dice([]int{10, 8, 10}); got != "d8 + 2d10" {
		t.Errorf("dice: %s", got)
	}
}

func span(h *value.Heap, least, most V) Span {
	s := SpanOf(h, least)
	s.Widen(h, most)
	return s
}
