package interp_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"setpiece/interp/odds"
)

// The twenty questions of the page about dice, and five about large pools, with their distributions by hand:
// convolutions and dynamic programmes in floats, as a programmer writes them for one question.

// flat is the distribution of a die with these faces: the chance of each number from 0 up.
func flat(faces ...int) []float64 {
	var law []float64
	for _, f := range faces {
		for len(law) <= f {
			law = append(law, 0)
		}
		law[f] += 1 / float64(len(faces))
	}
	return law
}

// convolved is the distribution of the sum of two independent numbers.
func convolved(p, q []float64) []float64 {
	out := make([]float64, len(p)+len(q)-1)
	for x, w := range p {
		for y, v := range q {
			out[x+y] += w * v
		}
	}
	return out
}

func added(n int, p []float64) []float64 {
	out := []float64{1}
	for range n {
		out = convolved(out, p)
	}
	return out
}

// exploded is the distribution of a die that is thrown again while it shows its highest face, n times at most.
func exploded(size, n int) []float64 {
	out := make([]float64, size*(n+1)+1)
	w := 1.0
	for k := range n + 1 {
		w /= float64(size)
		for f := 1; f <= size; f++ {
			if f < size || k == n {
				out[k*size+f] = w
			}
		}
	}
	return out
}

// atMost is how likely it is that a number is no more than each.
func atMost(p []float64) []float64 {
	out, sum := make([]float64, len(p)), 0.0
	for x, w := range p {
		sum += w
		out[x] = sum
	}
	return out
}

// highestOf is the distribution of the highest of n numbers.
func highestOf(n int, p []float64) []float64 {
	out := atMost(p)
	for x, w := range out {
		out[x] = math.Pow(w, float64(n))
	}
	for x := len(out) - 1; x > 0; x-- {
		out[x] -= out[x-1]
	}
	return out
}

// bestOf is the distribution of the sum of the k highest of n numbers: from the highest down, how many
// have come and what the first k of them add up to.
func bestOf(n, k int, p []float64) []float64 {
	most := k * (len(p) - 1)
	now := make([][]float64, n+1)
	for i := range now {
		now[i] = make([]float64, most+1)
	}
	now[0][0] = 1
	choose := func(n, k int) float64 {
		c := 1.0
		for i := range k {
			c = c * float64(n-i) / float64(i+1)
		}
		return c
	}
	for x := len(p) - 1; x >= 0; x-- {
		for came := n - 1; came >= 0; came-- {
			w := 1.0
			for more := 1; p[x] > 0 && came+more <= n; more++ {
				w *= p[x]
				ways, plus := w*choose(n-came, more), x*kept(came, more, 0, k)
				for sum := most - plus; sum >= 0; sum-- {
					if v := now[came][sum]; v > 0 {
						now[came+more][sum+plus] += v * ways
					}
				}
			}
		}
	}
	return now[n]
}

// yes is the distribution of whether a number is at least n.
func yes(p []float64, n int) map[string]float64 {
	return yesOrNo(p, []float64{1}, func(x, _ int) bool { return x >= n })
}

func setsByHand(n, s int) []float64 {
	return facesDown(n, s, n+1, func(x, _, _, k int) int { return max(x, k) })
}

func straightByHand(n, s int) map[string]float64 {
	return named(facesDown(n, s, (s+1)*100, func(x, f, _, _ int) int {
		last, run, best := x/100, x/10%10, x%10
		if run = run + 1; last != f+1 {
			run = 1
		}
		return f*100 + run*10 + max(best, run)
	}), func(x int) string { return decimal(x % 10) })
}

func lowestByHand(n, s int) []float64 {
	return facesDown(n, s, s+1, func(_, f, _, _ int) int { return f })
}

var d6Law = flat(1, 2, 3, 4, 5, 6)

var diceQuestions = []composition{
	{"BestThreeOfFour", "4d6.highest(3)", func() map[string]float64 { return named(sumOfHighest(4, 6, 3), decimal) }},
	{"Advantage", "2d20.highest >= 15", func() map[string]float64 { return yes(sumOfHighest(2, 20, 1), 15) }},
	{"Disadvantage", "2d20.lowest + 5 >= 15", func() map[string]float64 { return yes(lowestByHand(2, 20), 10) }},
	{"RerollOnce", "2d6.reroll(1..2, 1)", func() map[string]float64 {
		once := convolved(flat(0, 0, 3, 4, 5, 6), []float64{1})
		for f, w := range d6Law {
			once[f] += once[0] * w
		}
		once[0] = 0
		return named(added(2, once), decimal)
	}},
	{"Exploding", "3d6.explode >= 15", func() map[string]float64 { return yes(added(3, exploded(6, 15)), 15) }},
	{"WildDie", "max(d8.explode, d6.explode) >= 4", func() map[string]float64 {
		return yesOrNo(exploded(8, 13), exploded(6, 15), func(x, y int) bool { return max(x, y) >= 4 })
	}},
	{"Successes", "7d10.count(8..)", func() map[string]float64 { return named(added(7, []float64{0.7, 0.3}), decimal) }},
	{"MoreSuccesses", "5d6.count(5..) > 4d6.count(5..)", func() map[string]float64 {
		hit := flat(0, 0, 1)
		return yesOrNo(added(5, hit), added(4, hit), func(x, y int) bool { return x > y })
	}},
	{"Risk", "3d6.exceeding(throw 2d6)", func() map[string]float64 {
		out := map[string]float64{}
		for x := range 36 * 36 * 6 {
			a, b, c, d, e := x%6, x/6%6, x/36%6, x/216%6, x/1296
			top, low := max(a, b, c), min(a, b, c)
			lost := 0
			if top > max(d, e) {
				lost++
			}
			if a+b+c-top-low > min(d, e) {
				lost++
			}
			out[decimal(lost)] += 1.0 / 7776
		}
		return out
	}},
	{"LargestSet", "5d10.largest_set", func() map[string]float64 { return named(setsByHand(5, 10), decimal) }},
	{"Straight", "5d6.straight", func() map[string]float64 { return straightByHand(5, 6) }},
	{"BestOfSix", "max([4d6.highest(3) for i in 1..6])", func() map[string]float64 { return named(highestOf(6, sumOfHighest(4, 6, 3)), decimal) }},
	{"Middle", "3d20.middle", func() map[string]float64 {
		return named(facesDown(3, 20, 21, func(x, f, b, k int) int { return x + f*kept(b, k, 1, 2) }), decimal)
	}},
	{"Fudge", "4dF >= 2", func() map[string]float64 { return yes(added(4, flat(0, 1, 2)), 6) }},
	{"OwnFaces", "5d{0, 0, 0, 1, 1, 2}", func() map[string]float64 { return named(added(5, flat(0, 0, 0, 1, 1, 2)), decimal) }},
	{"FiveOfAKind", "5d6.largest_set == 5", func() map[string]float64 { return yes(setsByHand(5, 6), 5) }},
	{"Given", "let p = throw 2d6; p.sum given p.max == 6", func() map[string]float64 {
		out := map[string]float64{}
		for x := range 36 {
			if a, b := x%6+1, x/6+1; max(a, b) == 6 {
				out[decimal(a+b)] += 1.0 / 11
			}
		}
		return out
	}},
	{"Critical", "3d6.count(6) >= 2", func() map[string]float64 { return yes(added(3, []float64{5. / 6, 1. / 6}), 2) }},
	{"AttackAndDamage", "if d20 + 5 >= 15 then 2d6 + 3 else 0", func() map[string]float64 {
		out := map[string]float64{"0": 9. / 20}
		for x, w := range added(2, d6Law) {
			if w > 0 {
				out[decimal(x+3)] = w * 11 / 20
			}
		}
		return out
	}},
	{"DiceAgainstDice", "3d6 > 2d8", func() map[string]float64 {
		return yesOrNo(added(3, d6Law), added(2, flat(1, 2, 3, 4, 5, 6, 7, 8)), func(x, y int) bool { return x > y })
	}},
	{"ThousandDice", "(throw 1000d6).sum", func() map[string]float64 { return named(added(1000, d6Law), decimal) }},
	{"ExplodingBestThree", "10d10.explode.highest(3)", func() map[string]float64 { return named(bestOf(10, 3, exploded(10, 12)), decimal) }},
	{"FortyDice", "40d6.count(5..)", func() map[string]float64 { return named(added(40, flat(0, 0, 1)), decimal) }},
	{"SetsOfTen", "10d6.largest_set", func() map[string]float64 { return named(setsByHand(10, 6), decimal) }},
	{"StraightOfTen", "10d6.straight", func() map[string]float64 { return straightByHand(10, 6) }},
}

// sixSorted is the distribution of six scores in order.
func sixSorted() map[string]float64 {
	out, law := map[string]float64{}, sumOfHighest(4, 6, 3)
	var add func(list []int, p float64, same int)
	add = func(list []int, p float64, same int) {
		if len(list) == 6 {
			out["["+strings.Trim(strings.Join(strings.Fields(fmt.Sprint(list)), ", "), "[]")+"]"] = p
			return
		}
		least := 3
		if len(list) > 0 {
			least = list[len(list)-1]
		}
		for x := least; x <= 18; x++ {
			k := 1
			if x == least && len(list) > 0 {
				k = same + 1
			}
			add(append(list, x), p*law[x]*float64(len(list)+1)/float64(k), k)
		}
	}
	add(make([]int, 0, 6), 1, 0)
	return out
}

// diceForms are questions said in ways that ought to cost no more.
var diceForms = []composition{
	{"AtTheTop", "let p = throw 12d6\nreport p.highest(2).sum", func() map[string]float64 { return named(sumOfHighest(12, 6, 2), decimal) }},
	{"InBraces", "{ let p = throw 12d6; report p.highest(2).sum }", func() map[string]float64 { return named(sumOfHighest(12, 6, 2), decimal) }},
	{"Repeat", "let m = 0; repeat 6 { m = max(m, (throw 4d6).take(3).sum) }; report m", func() map[string]float64 { return named(highestOf(6, sumOfHighest(4, 6, 3)), decimal) }},
	{"ListMax", "report [(throw 4d6).take(3).sum for i in 1..6].max", func() map[string]float64 { return named(highestOf(6, sumOfHighest(4, 6, 3)), decimal) }},
	{"ListSorted", "report [(throw 4d6).take(3).sum for i in 1..6].sorted", sixSorted},
	{"Pairs", "let a = throw 10d6; let b = throw 10d6; report count i in 1..10 where a[i] > b[i]", func() map[string]float64 { return named(exceedingByHand(10, 6), decimal) }},
	{"PairsSorted", "let a = throw 10d6; let b = throw 10d6; report count i in 1..10 where a.sorted[i] > b.sorted[i]", func() map[string]float64 { return named(exceedingByHand(10, 6), decimal) }},
	{"PairsWhile", "let a = throw 10d6; let b = throw 10d6; let n = 0; let i = 10; while i >= 1 { if a[i] > b[i] { n += 1 }; i -= 1 }; report n", func() map[string]float64 { return named(exceedingByHand(10, 6), decimal) }},
	{"PairsApart", "let a = throw 10d6; let b = throw 10d6; report sum abs(a[i].face - b[i].face) for i in 1..10", func() map[string]float64 { return named(apartByHand(10, 6), decimal) }},
}

// What is timed by hand is right: our answers are the same, as far as floats can say it.
func TestDiceQuestionsByHand(t *testing.T) {
	for _, q := range slices.Concat(diceQuestions, diceForms) {
		want, got := q.byHand(), map[string]float64{}
		for _, e := range oddsIn(t, session(t, ""), q.text, odds.Config{}).Ends {
			got[e.Shown[0]] += e.P
		}
		for shown := range got {
			if math.Abs(got[shown]-want[shown]) > 1e-9 {
				t.Errorf("%s: %s with %v, by hand %v", q.text, shown, got[shown], want[shown])
			}
		}
		if len(got) == 0 {
			t.Errorf("%s: nothing", q.text)
		}
	}
}

// BenchmarkDiceForms asks as they are said.
func BenchmarkDiceForms(b *testing.B) { firstAndAgain(b, diceForms) }

// BenchmarkDiceQuestions asks them in a new session, and then again in the same.
func BenchmarkDiceQuestions(b *testing.B) { firstAndAgain(b, diceQuestions) }
