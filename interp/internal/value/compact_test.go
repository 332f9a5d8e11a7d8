package value

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
)

// What the roots hold is the same after a Compact, equal values are one value still, and
// the rest is gone.
func TestCompact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		h := NewHeap()
		var all []V
		grow := func() {
			for range 40 {
				some := func() V {
					if len(all) == 0 || r.IntN(3) == 0 {
						return OfInt(int64(r.IntN(100)))
					}
					return all[r.IntN(len(all))]
				}
				switch n := r.IntN(100); r.IntN(6) {
				case 0:
					all = append(all, h.OfText(fmt.Sprint("text ", n)))
				case 1:
					all = append(all, h.OfSymbol(fmt.Sprint("word_", n)))
				case 2:
					all = append(all, h.OfRat(big.NewRat(int64(n), 97)))
				case 3:
					all = append(all, h.OfList([]V{some(), some(), some()}))
				case 4:
					all = append(all, h.Put(h.OfMap(nil), some(), some()))
				case 5:
					all = append(all, h.OfRange(OfInt(1), OfInt(int64(n))))
				}
			}
		}
		grow()
		old := append([]V(nil), all...)
		m := h.Mark()
		grow()
		var roots [2][]V
		var shown [2][]string
		for i := range roots {
			for range 10 {
				v := all[r.IntN(len(all))]
				roots[i] = append(roots[i], v)
				shown[i] = append(shown[i], h.Show(v, nil))
			}
		}
		oldShown := fmt.Sprint(showAll(h, old))
		before := h.Grown(m)
		h.Compact(m, roots[0], roots[1])
		for i := range roots {
			if got := showAll(h, roots[i]); fmt.Sprint(got) != fmt.Sprint(shown[i]) {
				t.Fatalf("%v\nwas %v", got, shown[i])
			}
		}
		if got := fmt.Sprint(showAll(h, old)); got != oldShown {
			t.Fatalf("what is older: %v\nwas %v", got, oldShown)
		}
		for i, v := range roots[0] {
			for k, w := range roots[1] {
				if (shown[0][i] == shown[1][k] && v.Kind() == w.Kind()) != (v == w) {
					t.Fatalf("%s and %s: equal values are %v", shown[0][i], shown[1][k], v == w)
				}
			}
		}
		if after := h.Grown(m); after > before {
			t.Fatalf("%d values, then %d", before, after)
		}
		used := h.Used
		h.Compact(m)
		if h.Grown(m) != 0 || h.Used != m.Bytes() || h.Used > used {
			t.Fatalf("without roots %d values stay", h.Grown(m))
		}
	}
}

func showAll(h *Heap, list []V) []string {
	var out []string
	for _, v := range list {
		out = append(out, h.Show(v, nil))
	}
	return out
}
