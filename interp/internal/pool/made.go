package pool

import (
	"math/big"
	"slices"

	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/query"
)

// Dice that are made of others show some of what the whole pool may show, each in its number of ways. The sweep
// goes through all of that, from the greatest to the least, as it goes through faces.

// weights are the ways of one kind of die.
type weights struct {
	ways   [][]uint64 // by place among what the pool shows, from 1: of that, 0 of nothing
	below  [][]uint64 // of that and all less
	powers map[[2]int][]uint64
	tails  map[int][][][]uint64 // see atLeast: by face, n and k
}

// madeGroups makes the groups of a pool, and multiplies total by the ways of all their dice.
func madeGroups(pool int, d *query.Made, total *big.Int) []sizeGroup {
	var groups []sizeGroup
	at := map[query.V]int{}
	for i, die := range d.Dice {
		n, ok := at[die]
		if !ok {
			n = len(groups)
			at[die] = n
			groups = append(groups, sizeGroup{pool: pool, size: len(d.Shows), weigh: weigh(d, d.Shapes[i]), given: map[int]int{}})
		}
		groups[n].dice++
		total.Mul(total, d.Shapes[i].Total)
	}
	return groups
}

func weigh(d *query.Made, shape *machine.Shape) *weights {
	w := &weights{ways: [][]uint64{nil}, below: [][]uint64{nil}, powers: map[[2]int][]uint64{}, tails: map[int][][][]uint64{}}
	sum := new(big.Int)
	for _, v := range d.Shows {
		var ways []uint64
		if i := slices.Index(shape.Shows, v); i >= 0 {
			ways = toLimbs(shape.Ways[i])
			sum.Add(sum, shape.Ways[i])
		}
		w.ways, w.below = append(w.ways, ways), append(w.below, toLimbs(sum))
	}
	return w
}

// power gives the ways in which k dice all show a face.
func (w *weights) power(face, k int) []uint64 {
	key := [2]int{face, k}
	p, ok := w.powers[key]
	if !ok {
		if p = w.ways[face]; k > 1 {
			p = product(w.power(face, k-1), w.ways[face], nil)
		}
		w.powers[key] = p
	}
	return p
}

// atLeast gives the ways in which at least k of n dice of a group show a face and the others less.
func (s *sweep) atLeast(g *sizeGroup, n, k, face int) []uint64 {
	if g.weigh == nil {
		return s.choices(n, k, face-1)
	}
	return g.weigh.atLeast(n, max(k, 0), face)
}

func (w *weights) atLeast(n, k, face int) []uint64 {
	if k > n {
		return nil
	}
	rows := w.tails[face]
	for len(rows) <= n {
		rows = append(rows, make([][]uint64, len(rows)+1))
	}
	w.tails[face] = rows
	x := rows[n][k]
	if x == nil {
		switch {
		case n == 0:
			x = []uint64{1}
		case k == 0:
			x = product(w.atLeast(n-1, 0, face), w.below[face], nil)
		default:
			x = product(w.atLeast(n-1, k, face), w.below[face-1], product(w.atLeast(n-1, k-1, face), w.ways[face], nil))
		}
		rows[n][k] = x
	}
	return x
}

// product gives x times y and z more.
func product(x, y, z []uint64) []uint64 {
	out := make([]uint64, max(len(x)+len(y), len(z))+1)
	copy(out, z)
	multiply(out, x, y)
	for len(out) > 0 && out[len(out)-1] == 0 {
		out = out[:len(out)-1]
	}
	return out
}

// toLimbs gives the words of a number, the least significant first.
func toLimbs(x *big.Int) []uint64 {
	var out []uint64
	for y, low := new(big.Int).Set(x), new(big.Int).SetUint64(1<<64-1); y.Sign() > 0; y.Rsh(y, 64) {
		out = append(out, new(big.Int).And(y, low).Uint64())
	}
	return out
}

// worth gives what a face counts in a sum.
func (s *sweep) worth(group, face int) int32 {
	if d := s.r.Pools[s.groups[group].pool].Made; d != nil {
		return int32(d.Shows[face-1].Int())
	}
	return int32(face)
}

// spread gives the least and the most that a die counts in a sum.
func (s *sweep) spread(a query.Asked) (least, most int) {
	if d := s.r.Pools[s.r.Pool(a.Stage)].Made; d != nil {
		return int(d.Shows[0].Int()), int(d.Shows[len(d.Shows)-1].Int())
	}
	return 0, slices.Max(s.sizes)
}
