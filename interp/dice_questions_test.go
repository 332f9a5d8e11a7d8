package interp_test

import (
	"math/big"
	"os"
	"setpiece/interp/odds"
	"setpiece/lang"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// throws gives the part of all throws of dice, each a list of faces with equal chances, that hold.
func throws(holds func(faces []int) bool, dice ...[]int) *big.Rat {
	n, all := int64(0), int64(1)
	for _, d := range dice {
		all *= int64(len(d))
	}
	faces := make([]int, len(dice))
	var fall func(i int)
	fall = func(i int) {
		if i == len(dice) {
			if holds(faces) {
				n++
			}
			return
		}
		for _, face := range dice[i] {
			faces[i] = face
			fall(i + 1)
		}
	}
	fall(0)
	return big.NewRat(n, all)
}

func die(size int) []int {
	var faces []int
	for face := 1; face <= size; face++ {
		faces = append(faces, face)
	}
	return faces
}

func several(n int, d []int) [][]int { return slices.Repeat([][]int{d}, n) }

func addUp(faces []int) (n int) {
	for _, face := range faces {
		n += face
	}
	return n
}

func showing(faces []int, least int) (n int) {
	for _, face := range faces {
		if face >= least {
			n++
		}
	}
	return n
}

func fromTheTop(faces []int) []int {
	s := slices.Sorted(slices.Values(faces))
	slices.Reverse(s)
	return s
}

// divided gives the quotient of two fractions.
func divided(x, y *big.Rat) *big.Rat { return new(big.Rat).Quo(x, y) }

// Each answer of the page of twenty questions is counted here by going through all throws, in our words and in
// those of AnyDice, which are read; and ours are as short as those of others.
func TestTwentyQuestions(t *testing.T) {
	d6, d8, d10, d20 := die(6), die(8), die(10), die(20)
	rerolled := []int{3, 4, 5, 6, 3, 4, 5, 6, 3, 4, 5, 6, 3, 4, 5, 6, 3, 4, 5, 6, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6} // 24 of 36 at once
	exploding := []int{}                                                                                                          // two more dice are enough to come to 15
	for a := range 36 * 6 {
		switch x, y, z := a/36+1, a/6%6+1, a%6+1; {
		case x < 6:
			exploding = append(exploding, x)
		case y < 6:
			exploding = append(exploding, x+y)
		default:
			exploding = append(exploding, x+y+z)
		}
	}
	best := throws(func(f []int) bool { return addUp(f)-slices.Min(f) == 18 }, several(4, d6)...)
	none := new(big.Rat).Sub(big.NewRat(1, 1), best)
	noneOfSix := big.NewRat(1, 1)
	for range 6 {
		noneOfSix.Mul(noneOfSix, none)
	}
	oneSix := func(f []int) bool { return slices.Max(f) == 6 }
	want := []*big.Rat{
		best,
		throws(func(f []int) bool { return slices.Max(f) >= 15 }, d20, d20),
		throws(func(f []int) bool { return slices.Min(f)+5 >= 15 }, d20, d20),
		throws(func(f []int) bool { return addUp(f) == 12 }, rerolled, rerolled),
		throws(func(f []int) bool { return addUp(f) >= 15 }, several(3, exploding)...),
		throws(func(f []int) bool { return slices.Max(f) >= 4 }, d8, d6), // what explodes is 4 or more before
		throws(func(f []int) bool { return showing(f, 8) == 2 }, several(7, d10)...),
		throws(func(f []int) bool { return showing(f[:5], 5) > showing(f[5:], 5) }, several(9, d6)...),
		throws(func(f []int) bool {
			a, b := fromTheTop(f[:3]), fromTheTop(f[3:])
			return a[0] > b[0] && a[1] > b[1]
		}, several(5, d6)...),
		throws(func(f []int) bool {
			most := 0
			for _, face := range f {
				most = max(most, len(f)-len(slices.DeleteFunc(slices.Clone(f), func(x int) bool { return x == face })))
			}
			return most == 3
		}, several(5, d10)...),
		throws(func(f []int) bool {
			s := fromTheTop(f)
			return s[0]-s[4] == 4 && len(slices.Compact(s)) == 5
		}, several(5, d6)...),
		new(big.Rat).Sub(big.NewRat(1, 1), noneOfSix),
		throws(func(f []int) bool { return fromTheTop(f)[1] == 10 }, several(3, d20)...),
		throws(func(f []int) bool { return addUp(f) >= 2 }, several(4, []int{-1, 0, 1})...),
		throws(func(f []int) bool { return addUp(f) == 10 }, several(5, []int{0, 0, 0, 1, 1, 2})...),
		throws(func(f []int) bool { return slices.Min(f) == slices.Max(f) }, several(5, d6)...),
		divided(throws(func(f []int) bool { return oneSix(f) && addUp(f) == 12 }, d6, d6), throws(oneSix, d6, d6)),
		throws(func(f []int) bool { return showing(f, 6) >= 2 }, several(3, d6)...),
		throws(func(f []int) bool { return f[0]+5 >= 15 && f[1]+f[2]+3 == 10 }, d20, d6, d6),
		throws(func(f []int) bool { return addUp(f[:3]) > addUp(f[3:]) }, d6, d6, d6, d8, d8),
	}
	page, err := os.ReadFile("../lang/DICE.md")
	if err != nil {
		t.Fatal(err)
	}
	n, short := 0, 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if len(cells) != 6 || !strings.Contains(line, "`") {
			continue
		}
		for i := range cells {
			cells[i] = strings.Trim(strings.TrimSpace(cells[i]), "`")
		}
		anydice, icepool, ours, result, chance := cells[1], cells[2], cells[3], cells[4], cells[5]
		if 3*letters(ours) <= 4*letters(icepool) {
			short++
		}
		asked := []string{ours}
		if anydice != "–" {
			read, _, wrong := lang.Notation(anydice)
			if wrong != nil {
				t.Errorf("%s: %v", anydice, wrong)
			}
			asked = append(asked, read)
		}
		for _, text := range asked {
			got := new(big.Rat)
			for _, e := range oddsIn(t, session(t, ""), text, odds.Config{Exact: true}).Ends {
				if e.Shown[0] == result {
					got.Add(got, e.Exact)
				}
			}
			if n >= len(want) || got.Cmp(want[n]) != 0 || got.RatString() != chance {
				t.Errorf("%s: %s in %s, the page says %s, counted %s", text, result, got.RatString(), chance, want[min(n, len(want)-1)].RatString())
			}
		}
		n++
	}
	if n != len(want) || short < 15 {
		t.Errorf("%d questions, of which ours is short in %d", n, short)
	}
}

// letters counts what has to be typed, without blanks.
func letters(s string) (n int) {
	for _, r := range s {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}
