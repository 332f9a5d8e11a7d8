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

// Nothing is said twice, and of single dice only what their total leaves open. The places of dice
// have names.
func TestWordsOfSeveralAnswers(t *testing.T) {
	h := value.NewHeap()
	r := &Query{
		Pools:  []Pool{{Sizes: []int{6, 6, 6}}},
		Stages: []Stage{{Op: Whole, Size: 3}, {Op: Behind, N: 1, Size: 2}, {From: 1, Op: Behind, N: 1, Size: 1}, {From: 1, Op: First, N: 1, Size: 1}},
	}
	type answer struct {
		stage       int
		what        What
		least, most int64
	}
	tests := []struct {
		answers []answer
		want    string
	}{
		{[]answer{{0, Sum, 7, 18}, {0, Sum, 7, 18}}, "the dice total 7..18"},
		{[]answer{{0, Sum, 7, 18}, {0, TopFace, 3, 6}, {2, TopFace, 1, 6}}, "the dice total 7..18"},
		{[]answer{{0, Sum, 7, 18}, {0, TopFace, 4, 6}}, "the dice total 7..18 and the highest of the dice is 4..6"},
		{[]answer{{0, Sum, 3, 8}, {1, TopFace, 1, 3}}, "the dice total 3..8"},
		{[]answer{{0, Sum, 3, 9}, {1, TopFace, 1, 3}}, "the dice total 3..9 and the second highest is 1..3"},
		{[]answer{{3, TopFace, 2, 2}, {2, TopFace, 1, 2}}, "the second highest is 2 and the lowest is 1..2"},
	}
	for _, c := range tests {
		var spans []Span
		r.Asked = nil
		for _, a := range c.answers {
			r.Asked = append(r.Asked, Asked{Stage: a.stage, What: a.what})
			spans = append(spans, span(h, value.OfInt(a.least), value.OfInt(a.most)))
		}
		if got := r.Words(h, spans); got != c.want {
			t.Errorf("%v: %q, want %q", c.answers, got, c.want)
		}
	}
}

func span(h *value.Heap, least, most V) Span {
	s := SpanOf(h, least)
	s.Widen(h, most)
	return s
}
