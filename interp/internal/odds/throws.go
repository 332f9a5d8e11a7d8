package odds

import (
	"errors"
	"math/bits"
)

// errPool is that a pool has more multisets than can be gone through.
var errPool = errors.New("the pool has too many outcomes to go through one by one")

// maxMultisets bounds the multisets of one throw.
const maxMultisets = 4_000_000

// throws calls f with every multiset of faces that dice of these sizes can show
// and with the number of ways in which it can fall. Dice of one size are told
// apart by nothing, so their faces come from the highest down, and a multiset
// stands for as many throws as its faces can be ordered (the multinomial
// coefficient). The faces are in the order of the sizes.
func throws(sizes []int, f func(faces []int, ways uint64) error) error {
	groups := map[int][]int{}
	var order []int
	for i, s := range sizes {
		if groups[s] == nil {
			order = append(order, s)
		}
		groups[s] = append(groups[s], i)
	}
	if multisets(sizes) > maxMultisets {
		return errPool
	}
	faces := make([]int, len(sizes))
	var group func(g int, ways uint64) error
	group = func(g int, ways uint64) error {
		if g == len(order) {
			return f(faces, ways)
		}
		size, at := order[g], groups[order[g]]
		// die k of the group, with at most face top; run is how many before it show top
		var die func(k, top, run int, ways uint64) error
		die = func(k, top, run int, ways uint64) error {
			if k == len(at) {
				return group(g+1, ways)
			}
			for face := top; face >= 1; face-- {
				faces[at[k]] = face
				n := 1
				if face == top {
					n = run + 1
				}
				// the k+1st die can stand in k+1 places, n of which look alike
				hi, lo := bits.Mul64(ways, uint64(k+1))
				if hi > 0 {
					return errPool
				}
				if err := die(k+1, face, n, lo/uint64(n)); err != nil {
					return err
				}
			}
			return nil
		}
		return die(0, size, 0, ways)
	}
	return group(0, 1)
}

// multisets counts what throws goes through.
func multisets(sizes []int) float64 {
	count := map[int]int{}
	for _, s := range sizes {
		count[s]++
	}
	all := 1.0
	for s, n := range count {
		for k := 1; k <= n; k++ {
			all = all * float64(s+k-1) / float64(k)
		}
	}
	return all
}
