package symbolic

import (
	"testing"

	"setpiece/interp/internal/value"
)

// A margin is a total and a bonus less another total and what it is shifted by: 14 + 2 - 9 - 4 = 3.
// It stays a linear form of the four words, so that whoever has the same margin by other numbers
// goes the same way.
func TestMarginIsLinear(t *testing.T) {
	total, edge, other, shift := WordOf(0), WordOf(1), WordOf(2), WordOf(3)
	mine, ok := total.Plus(edge, 1)
	theirs, fits := other.Plus(shift, 1)
	margin, both := mine.Plus(theirs, -1)
	if !ok || !fits || !both {
		t.Fatal("a margin of four words is no linear form")
	}
	for _, tt := range []struct {
		words [4]int64
		want  int64
	}{{[4]int64{14, 2, 9, 4}, 3}, {[4]int64{10, 0, 7, 0}, 3}, {[4]int64{3, 1, 5, 2}, -3}} {
		var store []V
		for _, n := range tt.words {
			store = append(store, value.OfInt(n))
		}
		if got := margin.Of(store); got != value.OfInt(tt.want) {
			t.Errorf("the margin of %v is %d, not %d", tt.words, got.Int(), tt.want)
		}
		if yes := NotNegative.Holds(&margin, store); yes != (tt.want >= 0) {
			t.Errorf("a margin of %d is a success: %v", tt.want, yes)
		}
	}
	seventh := margin
	for at := int32(4); at < 6; at++ {
		if seventh, ok = seventh.Plus(WordOf(at), 1); !ok {
			t.Fatalf("%d words are too many", at+1)
		}
	}
	if _, ok := seventh.Plus(WordOf(6), 1); ok {
		t.Error("seven words are taken")
	}
}
