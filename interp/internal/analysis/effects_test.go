package analysis

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// TestEffects compares what functions that call one another at random may do with what is reached
// from each in the call graph. Some are called by value: those that stand in the store.
func TestEffects(t *testing.T) {
	const most = 12
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		n := 2 + random.IntN(most-1)
		prog := &code.Program{Symbols: make([]string, n), Last: [2]int{100, 101}}
		throws, byValue, calls := make([]bool, n), make([]bool, n), make([][]int, n)
		for i := range n {
			f := &code.Func{Name: fmt.Sprint(i), Regs: 4, Code: []code.Ins{{Op: code.GetF, A: 1, B: 0, C: int32(i)}}}
			if throws[i] = random.IntN(6) == 0; throws[i] {
				f.Code = append(f.Code, code.Ins{Op: code.Throw, B: -1})
			}
			if byValue[i] = random.IntN(8) == 0; byValue[i] {
				f.Code = append(f.Code, code.Ins{Op: code.CallV})
			}
			for range random.IntN(4) {
				to := random.IntN(n)
				calls[i] = append(calls[i], to)
				f.Code = append(f.Code, code.Ins{Op: code.Call, B: int32(to)})
			}
			f.Code = append(f.Code, code.Ins{Op: code.Ret})
			prog.Slots = append(prog.Slots, f)
		}
		var store []V
		var stored []int
		for range random.IntN(3) {
			stored = append(stored, random.IntN(n))
			store = append(store, value.OfRule(stored[len(stored)-1]))
		}
		a := Of(prog, value.NewHeap(), store, nil)
		for _, i := range random.Perm(n) {
			reached := map[int]bool{}
			var reach func(i int)
			reach = func(i int) {
				if reached[i] {
					return
				}
				reached[i] = true
				for _, to := range calls[i] {
					reach(to)
				}
				if byValue[i] {
					for _, to := range stored {
						reach(to)
					}
				}
			}
			reach(i)
			may := false
			for to := range reached {
				may = may || throws[to]
			}
			f := prog.Slots[i]
			if a.Effects(f).Throws != may {
				t.Fatalf("seed %d: function %d may throw: %v, not %v", seed, i, !may, may)
			}
			if bodies := a.Bodies(f); len(bodies) != len(reached) {
				t.Fatalf("seed %d: function %d leads to %d functions, not %d", seed, i, len(bodies), len(reached))
			}
			for sym := range n {
				if read := a.Reads(f).ReadsField(int32(sym)); read != reached[sym] {
					t.Fatalf("seed %d: function %d reads what %d reads: %v, not %v", seed, i, sym, read, !read)
				}
			}
		}
	}
}
