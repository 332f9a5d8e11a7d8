package dist

import "math"

// Whether one of several answers is better is told from trials in pairs, with the same dice for
// each. The figures are looked at again and again while more trials are made, and the best of many
// is often best by luck, so that a 95 % interval that leaves zero out would call far more than 5
// in 100 answers better that are not. The test here bounds that however often it is looked at: it
// is a bet against "they are equal" whose stake grows twentyfold in at most one of twenty evenings
// (Ville, Étude critique de la notion de collectif, 1939; Robbins, Statistical methods related to
// the law of the iterated logarithm, 1970). Of several answers each has to win as many times more
// (Bonferroni), and only comparisons with the best count (Hsu, Constrained simultaneous
// confidence intervals for multiple comparisons with the best, 1984).

// falsely is how often, of all questions, something is called better that is not.
const falsely = 0.05

// usualEffect is the difference for which the test of means is at its best, in standard
// deviations of a pair.
const usualEffect = 0.25

// Proven says whether trials in pairs show that the mean of xs is above that of ys, where so
// many comparisons are made at once. Not a number is a trial that stopped.
func Proven(xs, ys []float64, comparisons int) bool {
	if by, half := Ahead(xs, ys); !(by > 0) {
		return false
	} else if len(Finite(xs)) < len(xs) || len(Finite(ys)) < len(ys) { // no pairs
		return by > half/Deviations*math.Sqrt(2*wager(comparisons))
	}
	var sum, squares float64
	won, lost, truths := 0, 0, true
	for i, x := range xs {
		d := x - ys[i]
		sum, squares = sum+d, squares+d*d
		switch {
		case d == 1:
			won++
		case d == -1:
			lost++
		case d != 0:
			truths = false
		}
	}
	if truths {
		return sign(won, lost) >= wager(comparisons)
	}
	r := float64(len(xs)) * usualEffect * usualEffect
	return sum*sum/squares*r/(2*(1+r))-math.Log(1+r)/2 >= wager(comparisons)
}

// wager is the logarithm of what a bet has to come to.
func wager(comparisons int) float64 { return math.Log(float64(max(comparisons, 1)) / falsely) }

// sign is the logarithm of the bet that pairs which differ are not won by a fair coin (McNemar,
// Note on the sampling error of the difference between correlated proportions, 1947): that
// they are won by a coin of which every chance is as likely.
func sign(won, lost int) float64 {
	gamma := func(n int) float64 { x, _ := math.Lgamma(float64(n)); return x }
	return float64(won+lost)*math.Ln2 + gamma(won+1) + gamma(lost+1) - gamma(won+lost+2)
}
