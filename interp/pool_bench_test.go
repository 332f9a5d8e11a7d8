package interp_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"setpiece/interp"
	"setpiece/interp/odds"
)

// facesDown is the distribution of something that is read of n dice with s faces, by a
// dynamic programme in floats from the highest face down. What has been read is a number
// below states, 0 at first; feed says what it becomes when k further dice show a face and
// before dice show more.
func facesDown(n, s, states int, feed func(x, face, before, k int) int) []float64 {
	choose := make([][]float64, n+1)
	for i := range choose {
		choose[i] = make([]float64, i+1)
		choose[i][0], choose[i][i] = 1, 1
		for j := 1; j < i; j++ {
			choose[i][j] = choose[i-1][j-1] + choose[i-1][j]
		}
	}
	now, next := make([]float64, (n+1)*states), make([]float64, (n+1)*states)
	now[n*states] = math.Pow(float64(s), -float64(n))
	for face := s; face >= 1; face-- {
		clear(next)
		for open := 0; open <= n; open++ {
			for x, w := range now[open*states : (open+1)*states] {
				if w == 0 {
					continue
				}
				least := 0
				if face == 1 {
					least = open
				}
				for k := least; k <= open; k++ {
					to := x
					if k > 0 {
						to = feed(x, face, n-open, k)
					}
					next[(open-k)*states+to] += w * choose[open][k]
				}
			}
		}
		now, next = next, now
	}
	return now[:states]
}

// named gives a distribution over what its numbers are shown as.
func named(law []float64, show func(x int) string) map[string]float64 {
	out := map[string]float64{}
	for x, p := range law {
		if p > 0 {
			out[show(x)] += p
		}
	}
	return out
}

// kept is how many of k dice behind the first before are among those from the first to the
// last place, counted from 0.
func kept(before, k, first, last int) int {
	return max(0, min(before+k, last)-max(before, first))
}

// sumOfHighest is the distribution of the sum of the k highest of n dice with s faces.
func sumOfHighest(n, s, k int) []float64 {
	return facesDown(n, s, k*s+1, func(x, face, before, more int) int { return x + face*kept(before, more, 0, k) })
}

// exceedingByHand is the distribution of how many of n dice with s faces show more than the
// one at the same place of as many others: those that come before any of the others.
func exceedingByHand(n, s int) []float64 {
	return pairsByHand(n, s, n, func(a, j, b, k, _ int) int { return max(0, a+j-max(a, b+k)) })
}

// apartByHand is the distribution of how far n dice with s faces are from as many others, each from the one at the
// same place: at each face, of how many more there have been.
func apartByHand(n, s int) []float64 {
	return pairsByHand(n, s, n*(s-1), func(a, j, b, k, face int) int {
		if face == 1 {
			return 0
		}
		return max(a+j-b-k, b+k-a-j)
	})
}

// pairsByHand is the distribution of a sum, up to most, that two pools of n dice with s faces come to face by face: how
// many dice of each are open, and the sum so far. gain says what j and k dice with a face, behind a and b that show
// more, add to it.
func pairsByHand(n, s, most int, gain func(a, j, b, k, face int) int) []float64 {
	choose := make([][]float64, n+1)
	for i := range choose {
		choose[i] = make([]float64, i+1)
		choose[i][0], choose[i][i] = 1, 1
		for j := 1; j < i; j++ {
			choose[i][j] = choose[i-1][j-1] + choose[i-1][j]
		}
	}
	at := func(a, b, sum int) int { return (a*(n+1)+b)*(most+1) + sum }
	now := make([]float64, at(n, n, most)+1)
	now[at(n, n, 0)] = math.Pow(float64(s), -2*float64(n))
	for face := s; face >= 1; face-- {
		next := make([]float64, len(now))
		for a := 0; a <= n; a++ {
			for b := 0; b <= n; b++ {
				for sum := 0; sum <= most; sum++ {
					w := now[at(a, b, sum)]
					if w == 0 {
						continue
					}
					j0, k0 := 0, 0
					if face == 1 {
						j0, k0 = a, b
					}
					for j := j0; j <= a; j++ {
						for k := k0; k <= b; k++ {
							next[at(a-j, b-k, sum+gain(n-a, j, n-b, k, face))] += w * choose[a][j] * choose[b][k]
						}
					}
				}
			}
		}
		now = next
	}
	return now[at(0, 0, 0) : at(0, 0, most)+1]
}

// yesOrNo is the distribution of a question about two independent numbers.
func yesOrNo(p, q []float64, is func(x, y int) bool) map[string]float64 {
	out := map[string]float64{"no": 0, "yes": 0}
	for x, w := range p {
		for y, v := range q {
			if is(x, y) {
				out["yes"] += w * v
			} else {
				out["no"] += w * v
			}
		}
	}
	return out
}

func decimal(x int) string { return fmt.Sprint(x) }

type composition struct {
	name, text string
	byHand     func() map[string]float64
}

// compositions are ways to read pools that rules have, with their distributions by hand.
var compositions = []composition{
	{"Sum", "report (throw 12d8).sum", func() map[string]float64 { return named(sumOfHighest(12, 8, 12), decimal) }},
	{"Highest3", "report (throw 12d8).take(3).sum", func() map[string]float64 { return named(sumOfHighest(12, 8, 3), decimal) }},
	{"Lowest3", "report (throw 12d8).reversed.take(3).sum", func() map[string]float64 {
		return named(facesDown(12, 8, 25, func(x, f, b, k int) int { return x + f*kept(b, k, 9, 12) }), decimal)
	}},
	{"Highest", "report (throw 12d8).max", func() map[string]float64 { return named(sumOfHighest(12, 8, 1), decimal) }},
	{"Lowest", "report (throw 12d8).faces.min", func() map[string]float64 {
		return named(facesDown(12, 8, 9, func(_, f, _, _ int) int { return f }), decimal)
	}},
	{"CountAbove", "report (throw 12d8).above(5).size", func() map[string]float64 {
		return named(facesDown(12, 8, 13, func(x, f, _, k int) int {
			if f > 5 {
				return x + k
			}
			return x
		}), decimal)
	}},
	{"SumAbove", "report (throw 12d8).above(5).sum", func() map[string]float64 {
		return named(facesDown(12, 8, 97, func(x, f, _, k int) int {
			if f > 5 {
				return x + f*k
			}
			return x
		}), decimal)
	}},
	{"EightsAndOnes", "{ let p = throw 12d8; report p.showing(8).size, p.showing(1).size }", func() map[string]float64 {
		return named(eightsAndOnes(), func(x int) string { return fmt.Sprint(x/13, " ", x%13) })
	}},
	{"EightsLessOnes", "{ let p = throw 12d8; report p.showing(8).size - p.showing(1).size }", func() map[string]float64 {
		return named(eightsAndOnes(), func(x int) string { return fmt.Sprint(x/13 - x%13) })
	}},
	{"Second", "{ let p = throw 12d8; report p[2].face }", func() map[string]float64 {
		return named(facesDown(12, 8, 9, func(x, f, b, k int) int { return x + f*kept(b, k, 1, 2) }), decimal)
	}},
	{"FirstAndThird", "{ let p = throw 12d8; report p[1].face + p[3].face * 2 }", func() map[string]float64 {
		return named(facesDown(12, 8, 25, func(x, f, b, k int) int { return x + f*kept(b, k, 0, 1) + 2*f*kept(b, k, 2, 3) }), decimal)
	}},
	{"Distinct", "report (throw 12d8).faces.distinct.size", func() map[string]float64 {
		return named(facesDown(12, 8, 9, func(x, _, _, _ int) int { return x + 1 }), decimal)
	}},
	{"HighestOfAbove", "report (throw 12d8).below(7).take(2).sum", func() map[string]float64 {
		// what has been read, and how many of the two have
		return named(facesDown(12, 8, 13*3, func(x, f, _, k int) int {
			if n := min(k, 2-x%3); f < 7 {
				return x + 3*f*n + n
			}
			return x
		}), func(x int) string { return fmt.Sprint(x / 3) })
	}},
	{"AboveOfHighest", "report (throw 12d8).take(5).above(6).size", func() map[string]float64 {
		return named(facesDown(12, 8, 6, func(x, f, b, k int) int {
			if f > 6 {
				return x + kept(b, k, 0, 5)
			}
			return x
		}), decimal)
	}},
	{"Tie", "{ let p = throw 12d8; report p[1].face == p[2].face }", func() map[string]float64 {
		law := facesDown(12, 8, 3, func(x, _, b, k int) int {
			if b > 0 {
				return x
			}
			return 1 + min(k-1, 1)
		})
		return map[string]float64{"no": law[1], "yes": law[2]}
	}},
	{"TwoAndTheLargestLeft", twoOf12, func() map[string]float64 {
		return largestLeft([]int{3, 3, 2, 2, 2})
	}},
	{"IfThen", "{ let p = throw 12d8; let two = p.take(2).sum; let more = p.drop(2).take(2).sum; report (if two >= 16 then more else 0) }", func() map[string]float64 {
		const failed = 17
		return named(facesDown(12, 8, failed+1, func(x, f, b, k int) int {
			if x == failed || b < 2 && (f < 8 || b == 1) {
				return failed
			}
			return x + f*kept(b, k, 2, 4)
		}), func(x int) string { return fmt.Sprint(x % failed) })
	}},
	{"TwoSums", "{ let p = throw 12d8; let q = throw 12d8; report p.sum - q.sum }", func() map[string]float64 {
		law := sumOfHighest(12, 8, 12)
		out := make([]float64, 2*len(law))
		for x, w := range law {
			for y, v := range law {
				out[x-y+len(law)] += w * v
			}
		}
		return named(out, func(x int) string { return fmt.Sprint(x - len(law)) })
	}},
	{"TwoAgainstTwo", "{ let p = throw 12d8; let q = throw 12d8; report p.take(2).sum > q.take(2).sum }", func() map[string]float64 {
		law := sumOfHighest(12, 8, 2)
		return yesOrNo(law, law, func(x, y int) bool { return x > y })
	}},
	{"TenPairs", "{ let p = throw 10d6; let q = throw 10d6; report p.exceeding(q) }", func() map[string]float64 {
		return named(exceedingByHand(10, 6), decimal)
	}},
}

// comparisons are pools as game systems throw them: mixed dice, the best of which count, and
// pools against each other.
var comparisons = []composition{
	{"BestTwo", "report (throw d4 + d6 + 2d8 + d10 + d12).take(2).sum", func() map[string]float64 {
		return named(twoHighest([]int{4, 6, 8, 8, 10, 12}), decimal)
	}},
	{"BestTwoWithEffect", "{ let p = (throw d4 + d6 + 2d8 + d10 + d12).above(1); report p.take(2).sum, p.drop(2).sizes.max }", func() map[string]float64 {
		return largestLeft([]int{1, 1, 2, 1, 1})
	}},
	{"BestThree", "report (throw 10d6).take(3).sum", func() map[string]float64 { return named(sumOfHighest(10, 6, 3), decimal) }},
	{"BestTen", keepTen, func() map[string]float64 { return named(sumOfHighest(40, 10, 10), decimal) }},
	{"PoolAgainstPool", "{ let p = throw d4 + d6 + 2d8 + d10 + d12; let q = throw 2d6 + 2d8 + 2d10; report p.take(2).sum > q.take(2).sum }", func() map[string]float64 {
		p, q := twoHighest([]int{4, 6, 8, 8, 10, 12}), twoHighest([]int{6, 6, 8, 8, 10, 10})
		return yesOrNo(p, q, func(x, y int) bool { return x > y })
	}},
	{"TenAgainstTen", "{ let p = throw 10d6; let q = throw 10d6; report p.exceeding(q) }", func() map[string]float64 {
		return named(exceedingByHand(10, 6), decimal)
	}},
}

// twoHighest is the distribution of the sum of the two highest of dice of some sizes. That all
// show at most a, and at most one of them more than b, is a product for each die that may be
// that one; differences of these give how likely the two highest are just a and b.
func twoHighest(sizes []int) []float64 {
	atMost := func(size, face int) float64 { return float64(min(face, size)) / float64(size) }
	within := func(a, b int) float64 {
		b = min(a, b)
		all := 1.0
		for _, s := range sizes {
			all *= atMost(s, b)
		}
		for i, s := range sizes {
			one := atMost(s, a) - atMost(s, b)
			for k, other := range sizes {
				if k != i {
					one *= atMost(other, b)
				}
			}
			all += one
		}
		return all
	}
	top := slices.Max(sizes)
	out := make([]float64, 2*top+1)
	for a := 1; a <= top; a++ {
		out[2*a] += within(a, a) - within(a, a-1)
		for b := 1; b < a; b++ {
			out[a+b] += within(a, b) - within(a-1, b) - within(a, b-1) + within(a-1, b-1)
		}
	}
	return out
}

func eightsAndOnes() []float64 {
	return facesDown(12, 8, 169, func(x, f, _, k int) int {
		switch f {
		case 8:
			return x + 13*k
		case 1:
			return x + k
		}
		return x
	})
}

// largestLeft is mixedByHand of d12 to d4, as it is shown.
func largestLeft(dice []int) map[string]float64 {
	out := map[string]float64{}
	for at, p := range mixedByHand([]int{12, 10, 8, 6, 4}, dice) {
		size := ""
		if at[1] > 0 {
			size = fmt.Sprint("d", at[1])
		}
		out[fmt.Sprintf("%d %s", at[0], size)] = p
	}
	return out
}

// Whatever is read of a pool has the distribution that is worked out by hand.
func TestCompositionsOfPools(t *testing.T) {
	for _, c := range slices.Concat(compositions, comparisons) {
		t.Run(c.name, func(t *testing.T) {
			near(t, oddsIn(t, session(t, ""), c.text, odds.Config{Exact: true}), c.byHand())
		})
	}
}

// However the second of two pools is put together, the first one is not read die by die: there
// are as many states as answers, and not as many as combinations of faces.
func TestPoolsReadTogether(t *testing.T) {
	want := yesOrNo(twoHighest([]int{4, 6, 8, 8, 10, 12}), twoHighest([]int{6, 8, 8}), func(x, y int) bool { return x > y })
	for _, second := range []string{
		"let q = throw d6 + 2d8",
		"let q = throw [d6, d8, d8]",
		"let d = [d6]; for i in 1..2 { d = d.with(d8) }; let q = throw d",
		"let d = d6; repeat 2 { d = d + d8 }; let q = throw d",
		"let q = throw copies(1, d6) + copies(2, d8)",
		`let name = "a " + "name"; let q = throw d6 + 2d8`,
		"let list = [1, 2] + [none]; let q = throw d6 + 2d8",
		"let half = 7 / 2; let more = half + 1; let q = throw d6 + 2d8",
	} {
		o := oddsIn(t, session(t, ""), "{ let p = throw d4 + d6 + 2d8 + d10 + d12; "+second+"; report p.take(2).sum > q.take(2).sum }", odds.Config{})
		near(t, o, want)
		if o.States > 1000 {
			t.Errorf("%s: %d states", second, o.States)
		}
	}
}

// BenchmarkPoolCompositions is each of them in a session that has answered before, and
// how many times as long that takes as the loop by hand in the same run.
func BenchmarkPoolCompositions(b *testing.B) {
	for _, c := range compositions {
		b.Run(c.name, func(b *testing.B) {
			s := session(b, "")
			oddsIn(b, s, "report (throw 3d6).sum", odds.Config{})
			c.again(b, s)
		})
	}
}

// BenchmarkPoolFirst asks for pools in a new session, and then again in the same.
func BenchmarkPoolFirst(b *testing.B) { firstAndAgain(b, comparisons) }

func firstAndAgain(b *testing.B, questions []composition) {
	for _, c := range questions {
		b.Run(c.name, func(b *testing.B) {
			first := math.Inf(1)
			for range 5 {
				began := processorTime()
				oddsIn(b, session(b, ""), c.text, odds.Config{})
				first = min(first, float64(processorTime()-began)/1e6)
			}
			s := session(b, "")
			oddsIn(b, s, c.text, odds.Config{})
			again := c.again(b, s)
			b.ReportMetric(first, "first-ms")
			b.ReportMetric(again/1e6, "again-ms")
		})
	}
}

// again asks again and again, beside the loop by hand, and gives how much processor time it takes to ask once.
func (c *composition) again(b *testing.B, s *interp.Session) float64 {
	began := processorTime()
	for b.Loop() {
		oddsIn(b, s, c.text, odds.Config{})
	}
	each := float64((processorTime() - began).Nanoseconds()) / float64(b.N)
	n := 0
	began = processorTime()
	for ; n < 3 || processorTime()-began < 20*time.Millisecond; n++ {
		c.byHand()
	}
	hand := float64((processorTime() - began).Nanoseconds()) / float64(n)
	b.ReportMetric(each/hand, "ratio")
	b.ReportMetric(hand, "hand-ns")
	return each
}
