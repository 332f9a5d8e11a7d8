package machine

import (
	"testing"

	"setpiece/interp/internal/code"
)

// splitMix is the generator of Steele, Lea and Flood as its authors give it.
func splitMix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// One word gives two dice: its low half, then its high half.
func TestTwoDiceFromOneWord(t *testing.T) {
	for _, seed := range []uint64{0, 1, 7, 1 << 63} {
		var g Generator
		g.Seed(seed)
		state := seed
		for range 100 {
			w := splitMix(&state)
			for _, half := range []uint64{w & 0xffffffff, w >> 32} {
				if want, got := int(half*12>>32)+1, g.Face(12); want != got {
					t.Fatalf("seed %d: a d12 shows %d, want %d", seed, got, want)
				}
			}
		}
	}
}

// The first faces of a seed are part of the contract.
func TestFacesOfSeed(t *testing.T) {
	// SplitMix64 of seed 0 begins 0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f.
	want := []int{6, 11, 8, 6, 7, 1}
	var g Generator
	for i, w := range want {
		if got := g.Face(12); got != w {
			t.Errorf("face %d of seed 0 is %d, want %d", i+1, got, w)
		}
	}
}

// Every face is as likely as the others.
func TestFaceIsEven(t *testing.T) {
	for _, size := range []int{1, 2, 3, 6, 12, 20, 100} {
		var g Generator
		g.Seed(uint64(size))
		n := 20_000 * size
		count := make([]int, size+1)
		for range n {
			f := g.Face(size)
			if f < 1 || f > size {
				t.Fatalf("a d%d shows %d", size, f)
			}
			count[f]++
		}
		// 20,000 expected, standard deviation below 142: seven of them.
		for f, c := range count[1:] {
			if c < 19_000 || c > 21_000 {
				t.Errorf("d%d: face %d fell %d times of %d", size, f+1, c, n)
			}
		}
	}
}

func TestJumpsAreKnown(t *testing.T) {
	for _, op := range []code.Op{code.Jmp, code.JEq, code.JLtI, code.Iter, code.Try, code.JAtGeI} {
		if !op.Jumps() {
			t.Errorf("operation %d jumps", op)
		}
	}
	if code.Add.Jumps() || code.SetAt.Jumps() {
		t.Error("an addition jumps")
	}
}
