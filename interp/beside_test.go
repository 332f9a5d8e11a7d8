package interp_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"setpiece/interp/internal/longtest"
	"setpiece/interp/odds"
	"setpiece/lang"
)

// Loops that read dice of pools side by side, by their number: the mean of what comes of each, and how often it
// is 0, counted by going through all throws. They take as few states as they have results, which is what makes
// ten dice against ten as quick as three.
func TestDiceSideBySide(t *testing.T) {
	pair := func(a, b int, of func(a, b []int) int) func(f []int) int {
		return func(f []int) int { return of(fromTheTop(f[:a]), fromTheTop(f[a:a+b])) }
	}
	wins := func(n int, of func(x, y int) bool) func(a, b []int) int {
		return func(a, b []int) (k int) {
			for i := range n {
				if of(a[i], b[i]) {
					k++
				}
			}
			return k
		}
	}
	d := func(n, size int) [][]int { return several(n, die(size)) }
	for _, c := range []struct {
		text string
		dice [][]int
		of   func(f []int) int
	}{
		{"let a = throw 3d6; let b = throw 2d6; report count i in 1..2 where a[i] > b[i]", d(5, 6), pair(3, 2, wins(2, func(x, y int) bool { return x > y }))},
		{"let a = throw 3d6; let b = throw 2d6; report count i in 1..2 where a[i] <= b[i]", d(5, 6), pair(3, 2, wins(2, func(x, y int) bool { return x <= y }))},
		{"let a = throw 3d4; let b = throw 3d4; report count i in 1..3 where a[i].face > b[i].face + 1", d(6, 4), pair(3, 3, wins(3, func(x, y int) bool { return x > y+1 }))},
		{"let a = throw 3d4; let b = throw 3d4; report count i in 1..3 where a[i] == b[i]", d(6, 4), pair(3, 3, wins(3, func(x, y int) bool { return x == y }))},
		// two dice of mixed sizes, and a die of the second pool below the others
		{"let a = throw 2d4 + d6; let b = throw d8 + d4; report count i in 1..2 where a[i] > b[i]", [][]int{die(4), die(4), die(6), die(8), die(4)}, pair(3, 2, wins(2, func(x, y int) bool { return x > y }))},
		{"let a = throw 3d4; let b = throw 3d4; report count i in 1..2 where a[i + 1] > b[i]", d(6, 4), pair(3, 3, func(a, b []int) int { return wins(2, func(x, y int) bool { return x > y })(a[1:], b) })},
		{"let a = throw 3d4; let b = throw 3d4; report sum max(a[i].face, b[i].face) for i in 1..3", d(6, 4), pair(3, 3, func(a, b []int) int { return max(a[0], b[0]) + max(a[1], b[1]) + max(a[2], b[2]) })},
		{"let a = throw 3d4; let b = throw 3d4; report sum i * abs(a[i].face - b[i].face) for i in 1..3", d(6, 4), pair(3, 3, func(a, b []int) int {
			n := 0
			for i := range 3 {
				n += (i + 1) * max(a[i]-b[i], b[i]-a[i])
			}
			return n
		})},
		// how far a goes before b stops it
		{"{ let a = throw 3d4; let b = throw 3d4; let n = 0; for i in 1..3 { if b[i] >= a[i] { stop }; n += a[i].face }; report n }", d(6, 4), pair(3, 3, func(a, b []int) (n int) {
			for i := range 3 {
				if b[i] >= a[i] {
					break
				}
				n += a[i]
			}
			return n
		})},
		// one pool beside itself
		{"let p = throw 4d6; report count i in 1..3 where p[i] == p[i + 1]", d(4, 6), func(f []int) int { return 4 - len(slices.Compact(fromTheTop(f))) }},
		{"let p = throw 4d6; report count i in 2..4 where p[i - 1].face == p[i].face + 1", d(4, 6), func(f []int) (n int) {
			f = fromTheTop(f)
			for i := 1; i < 4; i++ {
				if f[i-1] == f[i]+1 {
					n++
				}
			}
			return n
		}},
		// beyond the end there is nothing
		{"let p = throw 2d6; let q = throw 3d6; report count i in 1..4 where p[i] == none or q[i] == none or p[i] > q[i]", d(5, 6), pair(2, 3, func(a, b []int) int { return 2 + wins(2, func(x, y int) bool { return x > y })(a, b) })},
		// faces that are made
		{"let p = throw 3d{1, 2, 4}; let q = throw 3d{1, 2, 4}; report count i in 1..3 where p[i] > q[i]", several(6, []int{1, 2, 4}), pair(3, 3, wins(3, func(x, y int) bool { return x > y }))},
		// two loops about the same pools, one after the other
		{"let a = throw 3d4; let b = throw 3d4; let m = count i in 1..3 where a[i] > b[i]; let n = count i in 1..3 where b[i] > a[i]; report m * n", d(6, 4), pair(3, 3, func(a, b []int) int {
			return wins(3, func(x, y int) bool { return x > y })(a, b) * wins(3, func(x, y int) bool { return x < y })(a, b)
		})},
		// from the lowest up
		{"let a = throw 3d4; let b = throw 4d4; report count i in 1..3 where a.sorted[i] > b.sorted[i]", d(7, 4), pair(3, 4, func(a, b []int) int { return wins(3, func(x, y int) bool { return x > y })(a, b[1:]) })},
		{"let a = throw 3d4; let b = throw 3d4; report sum i * abs(a[4 - i].face - b[4 - i].face) for i in 1..3", d(6, 4), pair(3, 3, func(a, b []int) (n int) {
			for i := range 3 {
				n += (3 - i) * max(a[i]-b[i], b[i]-a[i])
			}
			return n
		})},
		{"let a = throw 3d4; let b = throw 3d4; let n = 0; let i = 3; while i >= 1 { if a[i] > b[i] { n += a[i].face }; i -= 1 }; report n", d(6, 4), pair(3, 3, func(a, b []int) (n int) {
			for i := range 3 {
				if a[i] > b[i] {
					n += a[i]
				}
			}
			return n
		})},
		{"let a = throw 3d4; let b = throw 3d4; report if any i in 1..3 where a[4 - i] == b[4 - i] then 1 else 0", d(6, 4), pair(3, 3, func(a, b []int) int {
			return min(1, wins(3, func(x, y int) bool { return x == y })(a, b))
		})},
		{"let a = throw 3d4; let b = throw 3d4; let n = 0; for i in 1..3 { n = max(n, a.sorted[i].face - b.sorted[i].face) }; report n", d(6, 4), pair(3, 3, func(a, b []int) int {
			return max(0, a[0]-b[0], a[1]-b[1], a[2]-b[2])
		})},
		// the last one decides
		{"let a = throw 3d4; let b = throw 3d4; let n = 0; for i in 1..3 { if a[4 - i] > b[4 - i] { n = i } }; report n", d(6, 4), pair(3, 3, func(a, b []int) int {
			for i := range 3 {
				if a[i] > b[i] {
					return 3 - i
				}
			}
			return 0
		})},
		// more dice on one side
		{"let a = throw 2d3; let b = throw 3d3; report sum abs(a[i].face - b[i].face) for i in 1..2", d(5, 3), pair(2, 3, func(a, b []int) int {
			return max(a[0]-b[0], b[0]-a[0]) + max(a[1]-b[1], b[1]-a[1])
		})},
		// as long as a condition holds: of how many there are, and of the dice
		{"let a = throw 3d4; let b = throw 3d6; let n = 0; let i = 1; while i <= 2 { n += abs(a[i].face - b[i].face); i += 1 }; report n + i", append(d(3, 4), d(3, 6)...), pair(3, 3, func(a, b []int) int {
			return 3 + max(a[0]-b[0], b[0]-a[0]) + max(a[1]-b[1], b[1]-a[1])
		})},
		{"let a = throw 3d4; let b = throw 3d4; let i = 1; while i <= 3 and a[i] > b[i] { i += 1 }; report i - 1", d(6, 4), pair(3, 3, func(a, b []int) (n int) {
			for n < 3 && a[n] > b[n] {
				n++
			}
			return n
		})},
		// it adds up only below 3
		{"let a = throw 3d4; let b = throw 3d4; let n = 0; for i in 1..3 { if n < 3 { n += abs(a[i].face - b[i].face) } }; report n", d(6, 4), pair(3, 3, func(a, b []int) (n int) {
			for i := range 3 {
				if n < 3 {
					n += max(a[i]-b[i], b[i]-a[i])
				}
			}
			return n
		})},
		// what cannot be read in one sweep comes to the same
		{"let a = throw 3d4; let b = throw 3d4; report count i in 1..3 where a[4 - i] > b[i]", d(6, 4), pair(3, 3, func(a, b []int) int {
			slices.Reverse(a)
			return wins(3, func(x, y int) bool { return x > y })(a, b)
		})},
	} {
		total := int64(0)
		none := throws(func(f []int) bool { n := c.of(f); total += int64(n); return n == 0 }, c.dice...)
		all := int64(1)
		for _, d := range c.dice {
			all *= int64(len(d))
		}
		mean, zero := new(big.Rat), new(big.Rat)
		for _, e := range oddsIn(t, session(t, ""), c.text, odds.Config{Exact: true}).Ends {
			n, _ := new(big.Rat).SetString(e.Shown[0])
			mean.Add(mean, n.Mul(n, e.Exact))
			if e.Shown[0] == "0" {
				zero.Add(zero, e.Exact)
			}
		}
		if want := big.NewRat(total, all); mean.Cmp(want) != 0 || zero.Cmp(none) != 0 {
			t.Errorf("%s: mean %s and 0 in %s, counted %s and %s", c.text, mean.RatString(), zero.RatString(), want.RatString(), none.RatString())
		}
	}
	for _, text := range []string{
		"let a = throw 10d6; let b = throw 10d6; report count i in 1..10 where a[i] > b[i]",
		"let a = throw 10d6; let b = throw 10d6; let n = 0; for i in 1..10 { if a[i] > b[i] { n += 1 } }; report n",
		"let a = throw 12d10; report count i in 1..11 where a[i] == a[i + 1]",
		"let a = throw 10d6; let b = throw 10d6; report all i in 1..10 where a.sorted[i] >= b.sorted[i]",
		"let a = throw 10d6; let b = throw 10d6; report sum abs(a[11 - i].face - b[11 - i].face) for i in 1..10",
		"let a = throw 10d6; let b = throw 10d6; let n = 0; let i = 10; while i >= 1 { if a.sorted[i] > b.sorted[i] { n += 1 }; i -= 1 }; report n",
	} {
		o, err := odds.Of(context.Background(), session(t, ""), lang.NewSource("", text), odds.Config{})
		if err != nil || o.Estimated() || o.States > 2*len(o.Ends)+1 {
			t.Errorf("%s: %v, %s", text, err, fmt.Sprint(o.States, " states"))
		}
	}
}

// Loops at random over pools come to what they come to over lists of single dice, which no sweep takes.
func TestLoopsOverPoolsAtRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	pick := func(l ...string) string { return l[r.IntN(len(l))] }
	pool := func(dice []string) string { return "(throw " + strings.Join(dice, " + ") + ").faces" }
	single := func(dice []string) string {
		return "[(throw " + strings.Join(dice, ").face, (throw ") + ").face].sorted.reversed"
	}
	swept, cases := 0, longtest.Many(2000, 200)
	for range cases {
		dice := func() []string {
			die := pick("d2", "d3", "d4")
			return append([]string{die, pick(die, die, "d5")}, []string{die}[r.IntN(2):]...)
		}
		a, b, n := dice(), dice(), 2+r.IntN(2)
		down := fmt.Sprintf("[%d - i]", n+1)
		x, y := "a"+pick("[i]", ".sorted[i]", down), pick("a", "b")+pick("[i]", "[i + 1]", ".sorted[i]", down)
		both := fmt.Sprintf("if %s != none and %s != none ", x, y)
		than := both + fmt.Sprintf("and %s %s %s ", x, pick(">", "==", "<=", "<"), y)
		value := fmt.Sprintf(pick("abs(%s - %s)", "max(%s, %s)", "%s * %s", "%[1]s - 2 * %[2]s"), x, y)
		body := pick(than+"{ n += 1 }", both+"{ n += "+value+" }", both+"{ n = max(n, "+value+") }", both+"{ n += i * "+value+" }",
			than+"{ n = i }", than+"{ stop }; n += 1", both+"{ if n < 3 { n += "+value+" } }")
		loop := fmt.Sprintf(pick("for i in 1..%d { %s }; report n", "let i = 1; while i <= %d { %s; i += 1 }; report n + i as n",
			"let i = %d; while i >= 1 { %s; i -= 1 }; report n + i as n", "let i = 0; while i < %d and n < 4 { i += 1; %s }; report n + i as n",
			"let i = 0; repeat %d { i += 1; %s }; report n + i as n"), n, body)
		of := func(list func([]string) string) (text string, o *odds.Odds) {
			text = fmt.Sprintf("let a = %s; let b = %s; let n = 0; %s", list(a), list(b), loop)
			return text, oddsIn(t, session(t, ""), text, odds.Config{Exact: true})
		}
		text, o := of(pool)
		_, want := of(single)
		if equalLaws(t, joint(t, o, "n"), joint(t, want, "n")); t.Failed() {
			t.Fatal(text)
		}
		if o.States <= 2*len(o.Ends)+1 {
			swept++
		}
	}
	if swept < cases/4 { // the others read from both ends, or decide by what came before
		t.Errorf("%d of %d are sweeps", swept, cases)
	}
}

// A loop that no sweep takes is told where it makes odds slow, with one that is quick, and that can be typed.
func TestSlowLoopsAreTold(t *testing.T) {
	pools := "let a = throw 8d6; let b = throw 8d6; "
	for text, want := range map[string]string{
		"report count i in 1..8 where a[9 - i] > b[i]":                                       "count i in 1..8 where a[i] > b[i]",
		"report count i in 1..7 where a[1] > a[i + 1].face + b.sum":                          "count i in 1..7 where a[i] == a[i + 1]",
		"report sum d.face * d.face * d.face * b.sum for d in a":                             "count d in a where d >= 4",
		"let n = 0; for d in a { if d < b.max { n += 1 } }; report n":                        "count d in a where d >= 4",
		"let n = 0; let i = 8; while i >= 2 { if a[i] > b[i] { n += 1 }; i -= 2 }; report n": "count i in 1..8 where a[i] > b[i]",
		"report count i in 1..8 where a[i] > b[i]":                                           "",
		"report a.sum + b.sum": "",
	} {
		got := ""
		law, _ := odds.LawOf(t.Context(), session(t, ""), lang.NewSource("", pools+text), odds.Config{States: 500}, nil)
		for _, d := range law.Slow {
			_, got, _ = strings.Cut(d.Help, "as in  ")
		}
		if got != want {
			t.Errorf("%s: told %q, want %q", text, got, want)
		}
		if want != "" && oddsIn(t, session(t, ""), pools+"report "+got, odds.Config{}).States > 20 {
			t.Errorf("%s is not quick", got)
		}
	}
}
