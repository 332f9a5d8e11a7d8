package interp_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"setpiece/interp/odds"
)

// landed is a die that has fallen.
type landed struct{ sides, face int }

// everyThrow goes through every throw of some dice, one after the other, and adds
// up the weights of what f says of the dice, which it gets from the highest face
// down, of equal faces the larger die first.
func everyThrow(sizes []int, f func(pool []landed) string) map[string]*big.Rat {
	law := map[string]*big.Rat{}
	throws := int64(1)
	for _, s := range sizes {
		throws *= int64(s)
	}
	weight := big.NewRat(1, throws)
	pool := make([]landed, len(sizes))
	for n := range throws {
		for i, s := range sizes {
			pool[i] = landed{s, int(n%int64(s)) + 1}
			n /= int64(s)
		}
		slices.SortFunc(pool, func(a, b landed) int {
			if a.face != b.face {
				return b.face - a.face
			}
			return b.sides - a.sides
		})
		k := f(pool)
		if law[k] == nil {
			law[k] = new(big.Rat)
		}
		law[k].Add(law[k], weight)
	}
	return law
}

func total(pool []landed) int {
	n := 0
	for _, d := range pool {
		n += d.face
	}
	return n
}

// filtered gives the dice for which f holds.
func filtered(pool []landed, f func(landed) bool) []landed {
	var out []landed
	for _, d := range pool {
		if f(d) {
			out = append(out, d)
		}
	}
	return out
}

// first gives at most n dice, and the rest.
func first(pool []landed, n int) (taken, rest []landed) {
	n = min(n, len(pool))
	return pool[:n], pool[n:]
}

func largest(pool []landed) string {
	if len(pool) == 0 {
		return ""
	}
	return fmt.Sprintf("d%d", slices.MaxFunc(pool, func(a, b landed) int { return a.sides - b.sides }).sides)
}

func live(d landed) bool { return d.face > 1 }

// What is read of a pool has the law that going through every throw gives.
func TestReadingsOfPools(t *testing.T) {
	small := []int{10, 8, 8, 6, 4}
	cases := []struct {
		text  string
		sizes []int
		brute func(pool []landed) string
	}{
		{"report (throw 4d6).take(3).sum", []int{6, 6, 6, 6}, func(p []landed) string { return fmt.Sprint(total(p[:3])) }},
		{"report (throw 5d6).reversed.take(2).sum", []int{6, 6, 6, 6, 6}, func(p []landed) string { return fmt.Sprint(total(p[3:])) }},
		{"report (throw 5d8).drop(1).take(3).sum", []int{8, 8, 8, 8, 8}, func(p []landed) string { return fmt.Sprint(total(p[1:4])) }},
		{"report (throw d10 + 2d8 + d6 + d4).sum", small, func(p []landed) string { return fmt.Sprint(total(p)) }},
		{"report (throw 6d6).above(4).size", []int{6, 6, 6, 6, 6, 6}, func(p []landed) string {
			return fmt.Sprint(len(filtered(p, func(d landed) bool { return d.face > 4 })))
		}},
		{"{ let p = throw d10 + 2d8 + d6 + d4; report p.max, p.max.sides, p.last, p.last.sides, p.below(4).size, p.showing(3).sum }", small, func(p []landed) string {
			less := filtered(p, func(d landed) bool { return d.face < 4 })
			threes := filtered(p, func(d landed) bool { return d.face == 3 })
			return fmt.Sprint(p[0].face, " ", p[0].sides, " ", p[4].face, " ", p[4].sides, " ", len(less), " ", total(threes))
		}},
		// two of the live dice make the total, the largest of the others counts by its size
		{"{ let l = (throw d10 + 2d8 + d6 + d4).above(1); report l.take(2).sum, l.drop(2).sizes.max, l.size }", small, func(p []landed) string {
			l := filtered(p, live)
			two, rest := first(l, 2)
			return fmt.Sprintf("%d %s %d", total(two), largest(rest), len(l))
		}},
		{"{ let l = (throw d10 + 2d8 + d6 + d4).above(1); let n = l.faces; report n.take(2).sum + 3 - l.size, n.drop(2).take(2), l.sizes }", small, func(p []landed) string {
			l := filtered(p, live)
			two, rest := first(l, 2)
			more, _ := first(rest, 2)
			var faces, sizes []int
			for _, d := range more {
				faces = append(faces, d.face)
			}
			for _, d := range l {
				sizes = append(sizes, d.sides)
			}
			slices.SortFunc(sizes, func(a, b int) int { return b - a })
			return fmt.Sprintf("%d %s %s", total(two)+3-len(l), listed("", faces), listed("d", sizes))
		}},
		// of equal faces the smallest dice are spent, so that the largest is left
		{"{ let l = (throw d10 + 2d8 + d6 + d4).above(1).sparing; report l.take(2).sum, l.drop(2).sizes.max }", small, func(p []landed) string {
			l := filtered(p, live)
			slices.SortStableFunc(l, func(a, b landed) int {
				if a.face != b.face {
					return b.face - a.face
				}
				return a.sides - b.sides
			})
			two, rest := first(l, 2)
			return fmt.Sprint(total(two), " ", largest(rest))
		}},
		// both orders are asked for
		{"{ let p = throw d10 + 2d8 + d4; report p.first, p.first.sides, p.sparing.first.sides }", []int{10, 8, 8, 4}, func(p []landed) string {
			spared := slices.Clone(p)
			slices.SortStableFunc(spared, func(a, b landed) int {
				if a.face != b.face {
					return b.face - a.face
				}
				return a.sides - b.sides
			})
			return fmt.Sprint(p[0].face, " ", p[0].sides, " ", spared[0].sides)
		}},
		// through records, decisions that nobody makes, and the last outcome
		{"sheet hand { total number; rest dice }\nsheet hero { pp number = 1 }\nhero Nova { }\n" +
			"rule read(h, p) { h.total = p.take(2).sum; h.rest = p.drop(2) ; offer more to Nova \"One more?\" costs 1 pp default yes { h.total += h.rest.first.face; h.rest = h.rest.drop(1) } }\n" +
			"verb roll { do { let h = new hand(); read(h, throw 5d6); outcome (if h.total > 14 then high else low) total h.total, left h.rest.sum } }\nNova: roll", []int{6, 6, 6, 6, 6}, func(p []landed) string {
			word := "low"
			if total(p[:3]) > 14 {
				word = "high"
			}
			return fmt.Sprint(word, " ", total(p[:3]), " ", total(p[3:]))
		}},
		// a condition asks for the sum; what comes after it reads on
		{"{ let p = throw 5d6; let n = 0; if p.take(2).sum >= 11 { n = p.drop(2).sum } else { n = 0 - p.first.face }; report n }", []int{6, 6, 6, 6, 6}, func(p []landed) string {
			if total(p[:2]) >= 11 {
				return fmt.Sprint(total(p[2:]))
			}
			return fmt.Sprint(-p[0].face)
		}},
		// a face is a number, an order another, and numbers are multiplied
		{"{ let p = throw d10 + 2d8 + d6 + d4; report p[1].face + p[2].face * 3 - p.last.face, -p.take(2).sum }", small, func(p []landed) string {
			return fmt.Sprint(p[0].face+3*p[1].face-p[4].face, " ", -total(p[:2]))
		}},
		{"{ let p = throw 5d6; report p.sorted.take(2).sum, p.faces.sorted.drop(3).sum }", []int{6, 6, 6, 6, 6}, func(p []landed) string {
			return fmt.Sprint(total(p[3:]), " ", total(p[:2]))
		}},
		{"{ let p = throw d10 + 2d8 + d6 + d4; report p.faces.distinct.size, p.above(2).faces.distinct.drop(1).sum }", small, func(p []landed) string {
			seen := map[int]bool{}
			sum, top := 0, 0
			for _, d := range p {
				if !seen[d.face] && d.face > 2 {
					sum += d.face
					top = max(top, d.face)
				}
				seen[d.face] = true
			}
			return fmt.Sprint(len(seen), " ", sum-top)
		}},
		// nothing is read
		{"{ let p = throw 5d6; report 3 }", []int{6, 6, 6, 6, 6}, func([]landed) string { return "3" }},
		// two of the dice are the table's own
		{"dice 6 1\nreport (throw 4d6).take(3).sum", []int{6, 6}, func(p []landed) string {
			return fmt.Sprint(6 + max(p[0].face, 1) + max(p[1].face, 1))
		}},
	}
	for _, c := range cases {
		o := oddsIn(t, session(t, ""), c.text, odds.Config{Exact: true})
		t.Run(c.text, func(t *testing.T) {
			equalLaws(t, joint(t, o, o.Columns...), everyThrow(c.sizes, c.brute))
		})
	}
}

// everyPair goes through every throw of two pools, as everyThrow does of one.
func everyPair(one, other []int, f func(p, q []landed) string) map[string]*big.Rat {
	law := map[string]*big.Rat{}
	everyThrow(one, func(p []landed) string {
		weight := int64(1)
		for _, s := range one {
			weight *= int64(s)
		}
		for k, w := range everyThrow(other, func(q []landed) string { return f(p, q) }) {
			if law[k] == nil {
				law[k] = new(big.Rat)
			}
			law[k].Add(law[k], w.Mul(w, big.NewRat(1, weight)))
		}
		return ""
	})
	return law
}

// exceeding counts the dice that show more than those beside them.
func exceeding(p, q []landed) int {
	n := 0
	for i := range min(len(p), len(q)) {
		if p[i].face > q[i].face {
			n++
		}
	}
	return n
}

// Pools that are thrown one after the other, and read then, have the law that going
// through every throw of both gives.
func TestReadingsOfTwoPools(t *testing.T) {
	many, few := []int{6, 6, 4}, []int{8, 6}
	cases := []struct {
		text  string
		brute func(p, q []landed) string
	}{
		{"let p = throw 2d6 + d4; let q = throw d8 + d6; report p.sum - q.sum", func(p, q []landed) string { return fmt.Sprint(total(p) - total(q)) }},
		{"let p = throw 2d6 + d4; let q = throw d8 + d6; report p.max > q.max", func(p, q []landed) string {
			if p[0].face > q[0].face {
				return "yes"
			}
			return "no"
		}},
		{"let p = throw 2d6 + d4; let q = throw d8 + d6; report p.exceeding(q)", func(p, q []landed) string { return fmt.Sprint(exceeding(p, q)) }},
		{"let p = throw 2d6 + d4; let q = throw d8 + d6; report q.exceeding(p)", func(p, q []landed) string { return fmt.Sprint(exceeding(q, p)) }},
		{"let p = throw 2d6 + d4; let q = throw d8 + d6; report p.exceeding(q), q.exceeding(p)", func(p, q []landed) string { return fmt.Sprint(exceeding(p, q), " ", exceeding(q, p)) }},
		{"let p = throw 2d6 + d4; let q = throw d8 + d6; report p.drop(1).exceeding(q.faces), p.sum", func(p, q []landed) string {
			return fmt.Sprint(exceeding(p[1:], q), " ", total(p))
		}},
		{"let p = throw 2d6 + d4; let q = throw d8 + d6; report p.above(2).exceeding(q)", func(p, q []landed) string {
			return fmt.Sprint(exceeding(filtered(p, func(d landed) bool { return d.face > 2 }), q))
		}},
		{"let p = throw 2d6 + d4; let q = throw d8 + d6; report p.sum, q.sizes.max, q.sum, p.showing(1).size", func(p, q []landed) string {
			return fmt.Sprint(total(p), " ", largest(q), " ", total(q), " ", len(filtered(p, func(d landed) bool { return d.face == 1 })))
		}},
		{"let p = throw 2d6 + d4; let q = throw d8 + d6; report p, q.sum", func(p, q []landed) string {
			s := "["
			for i, d := range p {
				if i > 0 {
					s += ", "
				}
				s += fmt.Sprintf("d%d:%d", d.sides, d.face)
			}
			return fmt.Sprint(s, "] ", total(q))
		}},
	}
	for _, c := range cases {
		text := "{ " + c.text + " }"
		t.Run(c.text, func(t *testing.T) {
			o := oddsIn(t, session(t, ""), text, odds.Config{Exact: true})
			equalLaws(t, joint(t, o, o.Columns...), everyPair(many, few, c.brute))
		})
	}
	t.Run("with a die", func(t *testing.T) {
		o := oddsIn(t, session(t, ""), "{ let p = throw 2d6 + d4; let d = throw d8; report p.take(2).sum + d.face, d }", odds.Config{Exact: true})
		equalLaws(t, joint(t, o, o.Columns...), everyPair(many, []int{8}, func(p, q []landed) string {
			return fmt.Sprint(total(p[:2])+q[0].face, " ", q[0].face)
		}))
	})
	t.Run("with given dice", func(t *testing.T) {
		o := oddsIn(t, session(t, ""), "dice 6\n{ let p = throw 3d6; let q = throw 2d6; report p.exceeding(q) }", odds.Config{Exact: true})
		equalLaws(t, joint(t, o, o.Columns...), everyPair([]int{6, 6}, []int{6, 6}, func(p, q []landed) string {
			return fmt.Sprint(exceeding(append([]landed{{6, 6}}, p...), q))
		}))
	})
}

// Three dice attack two, the two highest of the three against both, and equal faces are
// the defender's: of 7776 throws 2890 cost the defender two, 2275 the attacker two.
func TestPairedPools(t *testing.T) {
	o := oddsIn(t, session(t, ""), "{ let attack = throw 3d6; let defence = throw 2d6; report attack.exceeding(defence) }", odds.Config{Exact: true})
	equalLaws(t, joint(t, o, o.Columns...), map[string]*big.Rat{"2": big.NewRat(2890, 7776), "1": big.NewRat(2611, 7776), "0": big.NewRat(2275, 7776)})
}

func listed(before string, ns []int) string {
	s := "["
	for i, n := range ns {
		if i > 0 {
			s += ", "
		}
		s += fmt.Sprint(before, n)
	}
	return s + "]"
}

// keepByHand is the distribution of the sum of the k highest of n dice with s faces: a
// dynamic programme in floats, from the highest face down, over how many dice are
// open and what has been added up.
func keepByHand(n, s, k int) []float64 {
	choose := make([][]float64, n+1)
	for i := range choose {
		choose[i] = make([]float64, i+1)
		choose[i][0], choose[i][i] = 1, 1
		for j := 1; j < i; j++ {
			choose[i][j] = choose[i-1][j-1] + choose[i-1][j]
		}
	}
	most := k * s
	now := make([][]float64, n+1) // by open dice and sum, in throws of those that are not open
	for i := range now {
		now[i] = make([]float64, most+1)
	}
	now[n][0] = 1
	law := make([]float64, most+1)
	for face := s; face >= 1; face-- {
		next := make([][]float64, n+1)
		for i := range next {
			next[i] = make([]float64, most+1)
		}
		for open, sums := range now {
			for sum, w := range sums {
				if w == 0 {
					continue
				}
				for j := 0; j <= open; j++ {
					kept := min(j, k-(n-open))
					x := w * choose[open][j]
					if n-open+j >= k {
						law[sum+kept*face] += x * math.Pow(float64(face-1), float64(open-j))
					} else if face > 1 {
						next[open-j][sum+kept*face] += x
					}
				}
			}
		}
		now = next
	}
	all := math.Pow(float64(s), float64(n))
	for i := range law {
		law[i] /= all
	}
	return law
}

// mixedByHand is the distribution of the sum of the two highest dice that show no 1, and
// of the largest size among the others of these: by size it has how many dice
// there are. It goes face by face and size by size over how many of each size are
// open, what has been added up, how many dice that was, and the largest size so
// far.
func mixedByHand(sizes, dice []int) map[[2]int]float64 {
	type state struct{ open, sum, taken, effect int } // open in a mixed radix
	radix := make([]int, len(sizes)+1)
	radix[0] = 1
	all, start := 1.0, 0
	for i, n := range dice {
		radix[i+1] = radix[i] * (n + 1)
		start += n * radix[i]
		all *= math.Pow(float64(sizes[i]), float64(n))
	}
	choose := [5][5]float64{{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}}
	now := map[state]float64{{open: start}: 1}
	for face := slices.Max(sizes); face >= 2; face-- {
		for i, size := range sizes {
			if size < face {
				continue
			}
			next := make(map[state]float64, 2*len(now))
			for st, w := range now {
				open := st.open / radix[i] % (dice[i] + 1)
				for j := 0; j <= open; j++ {
					to := st
					to.open -= j * radix[i]
					add := min(j, 2-st.taken)
					to.sum += add * face
					to.taken += add
					if j > add {
						to.effect = max(to.effect, size)
					}
					next[to] += w * choose[open][j]
				}
			}
			now = next
		}
	}
	law := map[[2]int]float64{}
	for st, w := range now {
		law[[2]int{st.sum, st.effect}] += w / all
	}
	return law
}

const (
	keepTen  = "report (throw 40d10).take(10).sum"
	twoOfSix = "{ let l = (throw 2d12 + d10 + d8 + d6 + d4).above(1); report l.take(2).sum, l.drop(2).sizes.max }"
	twoOf12  = "{ let l = (throw 3d12 + 3d10 + 2d8 + 2d6 + 2d4).above(1); report l.take(2).sum, l.drop(2).sizes.max }"
)

func TestLargePools(t *testing.T) {
	want := map[string]float64{}
	for n, p := range keepByHand(40, 10, 10) {
		if p > 0 {
			want[fmt.Sprint(n)] = p
		}
	}
	near(t, oddsIn(t, session(t, ""), keepTen, odds.Config{}), want)
	for _, c := range []struct {
		text string
		dice []int
	}{{twoOfSix, []int{2, 1, 1, 1, 1}}, {twoOf12, []int{3, 3, 2, 2, 2}}} {
		want := largestLeft(c.dice)
		near(t, oddsIn(t, session(t, ""), c.text, odds.Config{}), want)
	}
}

// near holds a law against one in floats.
func near(t *testing.T, o *odds.Odds, want map[string]float64) {
	t.Helper()
	if len(o.Ends) != len(want) {
		t.Errorf("%d ends, by hand %d", len(o.Ends), len(want))
	}
	for _, e := range o.Ends {
		k := e.Shown[0]
		for _, s := range e.Shown[1:] {
			k += " " + s
		}
		if w := want[k]; math.Abs(e.P-w) > 1e-13+1e-10*w {
			t.Errorf("%s: %v, by hand %v", k, e.P, w)
		}
	}
}

// benchmarkPool asks a new session each time: nothing is remembered.
func benchmarkPool(b *testing.B, text string) {
	for b.Loop() {
		oddsIn(b, session(b, ""), text, odds.Config{})
	}
}

func BenchmarkPoolKeepTen(b *testing.B)  { benchmarkPool(b, keepTen) }
func BenchmarkPoolTwoOfSix(b *testing.B) { benchmarkPool(b, twoOfSix) }
func BenchmarkPoolTwoOf12(b *testing.B)  { benchmarkPool(b, twoOf12) }

func BenchmarkPoolKeepTenByHand(b *testing.B) {
	for b.Loop() {
		keepByHand(40, 10, 10)
	}
}

func BenchmarkPoolTwoOfSixByHand(b *testing.B) {
	for b.Loop() {
		mixedByHand([]int{12, 10, 8, 6, 4}, []int{2, 1, 1, 1, 1})
	}
}

func BenchmarkPoolTwoOf12ByHand(b *testing.B) {
	for b.Loop() {
		mixedByHand([]int{12, 10, 8, 6, 4}, []int{3, 3, 2, 2, 2})
	}
}
