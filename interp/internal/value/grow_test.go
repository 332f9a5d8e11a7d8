package value

import (
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// model is a value as Go has it, beside the word of the heap.
type model struct {
	list []V
	text string
	keys map[V]V
}

func pairsOf(h *Heap, keys map[V]V) []V {
	var pairs []V
	for _, k := range slices.SortedFunc(maps.Keys(keys), h.Compare) {
		pairs = append(pairs, k, keys[k])
	}
	return pairs
}

// Whatever is added to, in whatever order and between whatever marks, is the same word as the
// value made whole, before and after, and keeps its elements.
func TestGrowing(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		h := NewHeap()
		type held struct {
			list, text, keys V
			model
		}
		all := []held{{EmptyList, h.OfText(""), h.OfMap(nil), model{keys: map[V]V{}}}}
		var marks []Mark
		var lens []int
		for range 3000 {
			switch x := r.IntN(200); {
			case x == 0:
				marks, lens = append(marks, h.Mark()), append(lens, len(all))
			case x == 1 && len(marks) > 0:
				n := r.IntN(len(marks))
				h.Release(marks[n])
				all, marks, lens = all[:lens[n]], marks[:n+1], lens[:n+1]
				if h.Used != marks[n].used {
					t.Fatalf("seed %d: %d bytes used after Release, %d at the mark", seed, h.Used, marks[n].used)
				}
			case x == 2:
				own := NewHeap()
				own.Copy(h)
				last := all[len(all)-1]
				own.Append(last.list, []V{OfInt(-1)})
				own.Put(last.keys, OfInt(-1), None)
				own.OfConcat(last.text, []byte("*"))
			}
			from := all[len(all)-1]
			if r.IntN(20) == 0 {
				from = all[r.IntN(len(all))]
			}
			k, v, s := OfInt(int64(r.IntN(400))), OfInt(int64(r.IntN(3))), strings.Repeat("é", r.IntN(4))
			next := held{model: model{append(slices.Clone(from.model.list), v), from.model.text + s, maps.Clone(from.model.keys)}}
			next.model.keys[k] = v
			whole := func() (list, text, keys V) {
				return h.OfList(next.model.list), h.OfText(next.model.text), h.OfMap(pairsOf(h, next.model.keys))
			}
			first := r.IntN(4) == 0
			if first {
				whole()
			}
			next.list, next.text, next.keys = h.Append(from.list, []V{v}), h.OfConcat(from.text, []byte(s)), h.Put(from.keys, k, v)
			if first || r.IntN(4) == 0 {
				if l, s, m := whole(); l != next.list || s != next.text || m != next.keys {
					t.Fatalf("seed %d: what was added to is another word than the same made whole", seed)
				}
			}
			all = append(all, next)
		}
		for _, x := range all {
			if !slices.Equal(h.Elems(x.list), x.model.list) || h.TextOf(x.text) != x.model.text {
				t.Fatalf("seed %d: a list or a text has changed", seed)
			}
			for k, v := range x.model.keys {
				if got, in := h.Get(x.keys, k); !in || got != v {
					t.Fatalf("seed %d: a map has lost an entry", seed)
				}
			}
			if !slices.Equal(h.Pairs(x.keys), pairsOf(h, x.model.keys)) || h.MapSize(x.keys) != len(x.model.keys) {
				t.Fatalf("seed %d: a map has changed", seed)
			}
		}
	}
}

// Values that grow one by one take room in proportion to their length, and those made again
// none.
func TestGrowingTakesLittle(t *testing.T) {
	const n = 100_000
	for name, grow := range map[string]func(h *Heap){
		"list": func(h *Heap) {
			l := EmptyList
			for i := range n {
				l = h.Append(l, []V{OfInt(int64(i))})
			}
		},
		"text": func(h *Heap) {
			s := h.OfText("")
			for range n {
				s = h.OfConcat(s, []byte("x"))
			}
		},
		"map": func(h *Heap) {
			m := h.OfMap(nil)
			for i := range int64(n) {
				m = h.Put(m, OfInt(i*48271%100_003), OfInt(i))
			}
			h.Pairs(m)
		},
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		h := NewHeap()
		grow(h)
		used := h.Used
		grow(h)
		runtime.GC()
		runtime.ReadMemStats(&after)
		if took := int64(after.HeapAlloc) - int64(before.HeapAlloc); took > 40<<20 {
			t.Errorf("a %s of %d takes %d MiB", name, n, took>>20)
		} else if used > 40<<20 || used < took/3 {
			t.Errorf("a %s of %d takes %d bytes, and %d are counted", name, n, took, used)
		}
		if h.Used > used+used/100 {
			t.Errorf("a %s made again takes %d bytes more", name, h.Used-used)
		}
		runtime.KeepAlive(h)
	}
}
