package interp_test

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"setpiece/interp/odds"
)

// The die of unisystem has no upper and no lower limit. Here it is thrown in
// plain Go, to a depth behind which less than 1e-13 of the weight is left.

const luckDepth = 14

// luckOf gives the distribution of the die: what it is worth, with how likely that is.
// chain says what a row of ones is read as, sure whether a natural 1 is left alone.
func luckOf(chain string, sure bool) map[int]*big.Rat {
	law := map[int]*big.Rat{}
	var die func(faces []int, p *big.Rat)
	die = func(faces []int, p *big.Rat) {
		if len(faces) > luckDepth {
			return
		}
		for f := 1; f <= 10; f++ {
			row := append(faces[:len(faces):len(faces)], f)
			q := new(big.Rat).Mul(p, big.NewRat(1, 10))
			worth, again := read(row, chain, sure)
			if again {
				die(row, q)
				continue
			}
			if law[worth] == nil {
				law[worth] = new(big.Rat)
			}
			law[worth].Add(law[worth], q)
		}
	}
	die(nil, big.NewRat(1, 1))
	return law
}

// read says what a row of faces is worth, or that another die is thrown.
func read(row []int, chain string, sure bool) (worth int, again bool) {
	last, n := row[len(row)-1], len(row)
	switch row[0] {
	case 10:
		return 5*(n-1) + 5 + max(0, last-5), last == 10
	case 1:
		switch {
		case n == 1:
			return 1, !sure
		case n == 2 && last >= 5:
			return 1, false
		case n == 2 && last > 1:
			return last - 5, false
		case chain == "floor":
			return -5, false
		case last == 1:
			return 0, true
		case chain == "replace" && last >= 5:
			return -5, false
		case chain == "replace":
			return last - 5, false
		}
		return -5*(n-2) + min(0, last-5), false
	}
	return row[0], false
}

// floats gives a law that brute force made as numbers, with a word for each worth.
func floatsOf(law map[int]*big.Rat, word func(die int) string) map[string]float64 {
	out := map[string]float64{}
	for d, p := range law {
		f, _ := p.Float64()
		out[word(d)] += f
	}
	return out
}

// twice gives the distribution of a word for two dice.
func twice(law map[int]*big.Rat, word func(a, b int) string) map[string]float64 {
	out := map[string]float64{}
	for a, p := range law {
		for b, q := range law {
			x, _ := p.Float64()
			y, _ := q.Float64()
			out[word(a, b)] += x * y
		}
	}
	return out
}

// told gives the distribution of all columns of odds together.
func told(t *testing.T, o *odds.Odds) map[string]float64 {
	t.Helper()
	out := map[string]float64{}
	for _, e := range o.Ends {
		if e.Fault != nil {
			t.Fatal(e.Fault)
		}
		out[strings.Join(e.Shown, " ")] += e.P
	}
	return out
}

func closeLaws(t *testing.T, got, want map[string]float64) {
	t.Helper()
	for k, w := range want {
		if math.Abs(got[k]-w) > 1e-12 {
			t.Errorf("%q: %v, by brute force %v", k, got[k], w)
		}
	}
	for k, g := range got {
		if _, ok := want[k]; !ok && g > 1e-12 {
			t.Errorf("%q: %v, which brute force never sees", k, g)
		}
	}
}

// levelOf is the Success Levels Table as the book prints it.
func levelOf(total int) int {
	level := 0
	for _, from := range []int{9, 11, 13, 15, 17, 21, 24, 27, 30, 33} {
		if total >= from {
			level++
		}
	}
	if total > 35 {
		level += (total - 33) / 3
	}
	return level
}

const loft = `use unisystem%s
cast Tess { STRENGTH 4, DEXTERITY 3, WILLPOWER 2; KUNG_FU 4, SPORTS 2 }
cast Robin { DEXTERITY 3; KUNG_FU 2 }
adversary Vampire { muscle 16; combat 12; brains 10 }
adversary Ghost { muscle 8; combat 8; brains 8 }
`

func at(options string) string {
	if options != "" {
		options = " with " + options
	}
	return fmt.Sprintf(loft, options)
}

func TestUnisystemDie(t *testing.T) {
	for _, chain := range []string{"cumulative", "replace", "floor"} {
		t.Run(chain, func(t *testing.T) {
			o := oddsIn(t, session(t, at("one_chain = "+chain)), "Tess: roll STRENGTH\nreport last.total - 8", odds.Config{})
			closeLaws(t, told(t, o), floatsOf(luckOf(chain, false), func(d int) string { return fmt.Sprint(d) }))
			if o.Remainder > 1e-12 {
				t.Errorf("%v is left", o.Remainder)
			}
		})
	}
}

// What can be said of the die without throwing it: the chances of each face, of
// at least so much, and the mean of 2477/450.
func TestUnisystemDieClosed(t *testing.T) {
	o := oddsIn(t, session(t, at("")), "Tess: roll STRENGTH\nreport last.total - 8", odds.Config{})
	law := told(t, o)
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("1", law["1"], 6.0/100)
	near("10", law["10"], 5.0/100)
	for d := 2; d <= 9; d++ {
		near(fmt.Sprint(d), law[fmt.Sprint(d)], 1.0/10)
	}
	for _, d := range []int{11, 12, 13, 14, -1, -2, -3} {
		near(fmt.Sprint(d), law[fmt.Sprint(d)], 1.0/100)
	}
	for _, d := range []int{0, -4, -9, -14} {
		near(fmt.Sprint(d), law[fmt.Sprint(d)], 0)
	}
	atLeast := func(n int, up bool) (p float64) {
		for k, q := range law {
			var d int
			fmt.Sscan(k, &d)
			if up && d >= n || !up && d <= n {
				p += q
			}
		}
		return p
	}
	for k := 1; k <= 6; k++ {
		near(fmt.Sprint(5*k+5, " or more"), atLeast(5*k+5, true), math.Pow(10, -float64(k)))
	}
	for k := 2; k <= 6; k++ {
		near(fmt.Sprint(-5*(k-1), " or less"), atLeast(-5*(k-1), false), math.Pow(10, -float64(k)))
	}
	near("the mean", o.Distribution(0).Mean(), 2477.0/450)
}

// Skill 2, Attribute 2 and +4 are 24 chances in 25 under the rule of 1, and
// certain where it is waived.
func TestUnisystemSureThing(t *testing.T) {
	for _, tt := range []struct {
		options string
		want    *big.Rat
	}{{"", big.NewRat(24, 25)}, {"one_vs_certain = waived", big.NewRat(1, 1)}} {
		o := oddsIn(t, session(t, at(tt.options)+"cast Dawn { DEXTERITY 2; CRIME 2 }"), "Dawn: roll DEXTERITY + CRIME vs moderate\nreport last.outcome", odds.Config{})
		want, _ := tt.want.Float64()
		if got := told(t, o)["success"]; math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", tt.options, got, tt.want)
		}
	}
}

func TestUnisystemLevels(t *testing.T) {
	die := luckOf("cumulative", false)
	for _, tt := range []struct {
		text string
		sum  int
		most int
	}{
		{"Tess: roll DEXTERITY + KUNG_FU", 7, math.MaxInt},
		{"Tess: roll STRENGTH doubled mod -5", 3, math.MaxInt},
		{"Tess: roll STRENGTH doubled vs easy 9", 17, math.MaxInt},
		{"Tess: roll STRENGTH + CRIME", 4, 2},
	} {
		t.Run(tt.text, func(t *testing.T) {
			o := oddsIn(t, session(t, at("")), tt.text+"\nreport last.levels, last.outcome", odds.Config{})
			closeLaws(t, told(t, o), floatsOf(die, func(d int) string {
				if total := d + tt.sum; total >= 9 {
					return fmt.Sprint(min(tt.most, levelOf(total)), " success")
				}
				return "0 failure"
			}))
		})
	}
}

// who tells the winner of two totals, where b defends.
func who(a, b int) string {
	switch {
	case a < 9 && b < 9:
		return "none"
	case a >= 9 && (b < 9 || a > b):
		return "Tess"
	}
	return "other"
}

func TestUnisystemResisted(t *testing.T) {
	die := luckOf("cumulative", false)
	for _, tt := range []struct {
		options, text string
		want          map[string]float64
	}{
		// 7 against 5, both rolled
		{"", "Tess: roll DEXTERITY + KUNG_FU vs Robin DEXTERITY + KUNG_FU", twice(die, func(a, b int) string { return who(a+7, b+5) })},
		// nobody defends: equal successes are nobody's
		{"", "Tess: roll DEXTERITY + KUNG_FU vs Robin DEXTERITY + KUNG_FU race", twice(die, func(a, b int) string {
			if a+7 == b+5 {
				return "none"
			}
			return who(a+7, b+5)
		})},
		// a Score of 12 has to be exceeded by whoever acts, equalled by whoever defends
		{"", "Tess: roll DEXTERITY + KUNG_FU vs Vampire combat", floatsOf(die, func(d int) string { return who(d+7, 12) })},
		{"", "Tess: roll DEXTERITY + KUNG_FU vs Vampire combat defending", floatsOf(die, func(d int) string {
			if d+7 == 12 {
				return "Tess"
			}
			return who(d+7, 12)
		})},
		// Muscle is equalled, unless only a defender may
		{"", "Tess: roll STRENGTH doubled vs Vampire muscle", floatsOf(die, func(d int) string {
			if d+8 == 16 {
				return "Tess"
			}
			return who(d+8, 16)
		})},
		{"muscle_tie = defending", "Tess: roll STRENGTH doubled vs Vampire muscle", floatsOf(die, func(d int) string { return who(d+8, 16) })},
		// a Score of 8 fails by itself, or is just a number
		{"", "Tess: roll DEXTERITY + KUNG_FU vs Ghost combat", floatsOf(die, func(d int) string { return who(d+7, 8) })},
		{"score_below_nine = compare_only", "Tess: roll DEXTERITY doubled mod -6 vs Ghost combat", floatsOf(die, func(d int) string {
			if d > 8 {
				return "Tess"
			}
			return "other"
		})},
	} {
		t.Run(tt.options+" "+tt.text, func(t *testing.T) {
			o := oddsIn(t, session(t, at(tt.options)), tt.text+"\nreport if last.winner == none then \"none\" else if last.winner == Tess then \"Tess\" else \"other\"", odds.Config{})
			closeLaws(t, told(t, o), tt.want)
		})
	}
}

// The damage of a blow: nothing, or 5 and the levels of the attack.
func TestUnisystemDamage(t *testing.T) {
	die := luckOf("cumulative", false)
	o := oddsIn(t, session(t, at("")), "Tess: attack Robin base 5\nreport Robin.damage", odds.Config{})
	closeLaws(t, told(t, o), twice(die, func(a, b int) string {
		if who(a+7, b+5) != "Tess" {
			return "0"
		}
		return fmt.Sprint(5 + levelOf(a+7))
	}))
}

// row is the Panic Table.
func row(total int) string {
	switch {
	case total >= 9:
		return "calm"
	case total >= 7:
		return "startled"
	case total >= 5:
		return "freak_out"
	case total >= 3:
		return "run"
	}
	return "total_terror"
}

func TestUnisystemFear(t *testing.T) {
	die := luckOf("cumulative", false)
	for _, tt := range []struct {
		options, text string
		sum           int
	}{
		{"", "Tess: fear willpower, sudden, splatter 2", 0},
		{"", "Tess: fear hideous -9 sudden mod 1", 4 - 6 + 1},
		{"fear_mode = bare_willpower", "Tess: fear sudden", 0},
		{"fear_mode = double_penalties", "Tess: fear visage", 4 - 2},
	} {
		t.Run(tt.options+" "+tt.text, func(t *testing.T) {
			o := oddsIn(t, session(t, at(tt.options)), tt.text+"\nreport last.row", odds.Config{})
			closeLaws(t, told(t, o), floatsOf(die, func(d int) string { return row(d + tt.sum) }))
		})
	}
}

// How many Turns somebody runs: flight is tested anew at the end of each, with a
// penalty that shrinks from -6 to nothing.
func TestUnisystemFlight(t *testing.T) {
	die := luckOf("cumulative", false)
	flees := func(sum int) (p float64) {
		for d, q := range die {
			if d+sum <= 4 {
				f, _ := q.Float64()
				p += f
			}
		}
		return p
	}
	want := map[string]float64{}
	left := 1.0
	for n := 0; n <= 4; n++ {
		on := flees(4 + min(0, -6+n))
		want[fmt.Sprint(n)] = left * (1 - on)
		left *= on
	}
	want["5"] = left
	o := oddsIn(t, session(t, at("")), `let ran = 0
turn {
  Tess: fear sudden splatter 4
  if Tess.fleeing { ran = 1 }
}
repeat 3 { if Tess.fleeing { ran += 1; turn { } } }
report if Tess.fleeing then 5 else ran`, odds.Config{})
	closeLaws(t, told(t, o), want)
}

// steps gives the chances of a Turn of a chase against a Score: the lead one up,
// as it is, one down.
func steps(sum, score int) (up, stay, down float64) {
	for d, p := range luckOf("cumulative", false) {
		f, _ := p.Float64()
		switch total := d + sum; {
		case total >= 9 && (score < 9 || total > score):
			up += f
		case score >= 9 && (total < 9 || total < score):
			down += f
		default:
			stay += f
		}
	}
	return up, stay, down
}

const pursuit = `cast Fleet { DEXTERITY 2; SPORTS 5 }
adversary Hound { combat 11 }
`

// A chase is a walk of the lead between 0 and 5: its ends, and the Turns it
// takes in the mean, by solving for them by hand.
func TestUnisystemChase(t *testing.T) {
	up, _, down := steps(7, 11)
	// the chance to get away from lead n is that of the gambler's ruin
	r := down / up
	away := func(n int) float64 { return (1 - math.Pow(r, float64(n))) / (1 - math.Pow(r, 5)) }
	for _, lead := range []int{1, 3} {
		o := oddsIn(t, session(t, at("")+pursuit), fmt.Sprintf("chase Fleet from Hound lead %d\nreport last.outcome", lead), odds.Config{})
		closeLaws(t, told(t, o), map[string]float64{"escaped": away(lead), "caught": 1 - away(lead)})
	}
	// and the mean of its length (n - 5 away(n)) / (down - up), with a chaser who is soon there
	up, _, down = steps(7, 26)
	r = down / up
	o := oddsIn(t, session(t, at("")+"cast Fleet { DEXTERITY 2; SPORTS 5 }\nadversary Hound { combat 26 }"), "chase Fleet from Hound lead 1\nreport last.turns", odds.Config{})
	if got, want := o.Distribution(0).Mean(), (1-5*away(1))/(down-up); math.Abs(got-want) > 1e-9 {
		t.Errorf("%v Turns in the mean, by the walk %v", got, want)
	}
}

// The law of the first Turns of a chase, step by step.
func TestUnisystemChaseTurns(t *testing.T) {
	up, stay, down := steps(7, 11)
	lead := [6]float64{2: 1}
	want := map[string]float64{}
	for turn := 1; turn <= 4; turn++ {
		var next [6]float64
		for n := 1; n <= 4; n++ {
			next[n+1] += lead[n] * up
			next[n] += lead[n] * stay
			next[n-1] += lead[n] * down
		}
		want[fmt.Sprint("caught ", turn)] = next[0]
		want[fmt.Sprint("escaped ", turn)] = next[5]
		next[0], next[5] = 0, 0
		lead = next
	}
	want["running 4"] = lead[1] + lead[2] + lead[3] + lead[4]
	o := oddsIn(t, session(t, at("")+pursuit), "chase Fleet from Hound lead 2 turns 4\nreport last.outcome, last.turns", odds.Config{})
	closeLaws(t, told(t, o), want)
}

// A lengthy task gathers levels: how many tries it takes, and how many in the
// mean, by adding up levels in plain Go.
func TestUnisystemLengthy(t *testing.T) {
	const target, most = 4, 4
	level := map[int]float64{}
	for d, p := range luckOf("cumulative", false) {
		f, _ := p.Float64()
		level[levelOf(d+8)] += f
	}
	now := map[int]float64{0: 1}
	want := map[string]float64{}
	for try := 1; try <= most; try++ {
		next := map[int]float64{}
		for n, p := range now {
			for l, q := range level {
				next[min(target, n+l)] += p * q
			}
		}
		want[fmt.Sprint("success ", try)] = next[target]
		delete(next, target)
		now = next
	}
	left := 0.0
	for _, p := range now {
		left += p
	}
	want[fmt.Sprint("failure ", most)] = left
	o := oddsIn(t, session(t, at("")), fmt.Sprintf("lengthy \"the door\" levels %d tries %d by Tess at lift\nreport last.outcome, last.tries", target, most), odds.Config{})
	closeLaws(t, told(t, o), want)

	// mean(n) = 1 + sum of p(l) mean(n-l), where a failure leaves n as it is
	var mean [target + 1]float64
	for n := 1; n <= target; n++ {
		sum := 1.0
		for l, p := range level {
			if l > 0 && n > l {
				sum += p * mean[n-l]
			}
		}
		mean[n] = sum / (1 - level[0])
	}
	o = oddsIn(t, session(t, at("")), fmt.Sprintf("lengthy \"the door\" levels %d by Tess at lift\nreport last.tries", target), odds.Config{})
	if got := o.Distribution(0).Mean(); math.Abs(got-mean[target]) > 1e-9 {
		t.Errorf("%v tries in the mean, by hand %v", got, mean[target])
	}
}

// Led work: the helper gives its levels, or takes 3, before the leader's total
// is read.
func TestUnisystemLed(t *testing.T) {
	die := luckOf("cumulative", false)
	o := oddsIn(t, session(t, at("")), "together led Tess helped by Robin { roll DEXTERITY + KUNG_FU }\nreport last.outcome", odds.Config{})
	closeLaws(t, told(t, o), twice(die, func(leader, helper int) string {
		total := leader + 7
		if helper+5 >= 9 {
			total += levelOf(helper + 5)
		} else {
			total -= 3
		}
		return word(false, total >= 9)
	}))
}

// Where a helper's failure takes levels, the leader's are counted first.
func TestUnisystemLedLevels(t *testing.T) {
	die := luckOf("cumulative", false)
	o := oddsIn(t, session(t, at("led_failure = levels")), "together led Tess helped by Robin needs 2 { roll DEXTERITY + KUNG_FU }\nreport last.outcome, last.levels", odds.Config{})
	closeLaws(t, told(t, o), twice(die, func(leader, helper int) string {
		levels := 0
		if helper+5 >= 9 {
			levels = levelOf(leader + 7 + levelOf(helper+5))
		} else {
			levels = max(0, levelOf(leader+7)-3)
		}
		return fmt.Sprint(word(false, levels >= 2), " ", levels)
	}))
}

// Long work adds up the levels of all; whoever fails adds none.
func TestUnisystemLong(t *testing.T) {
	die := luckOf("cumulative", false)
	o := oddsIn(t, session(t, at("")), "together long Tess, Robin needs 4 { roll DEXTERITY + KUNG_FU }\nreport last.outcome, min(9, last.levels)", odds.Config{})
	closeLaws(t, told(t, o), twice(die, func(a, b int) string {
		sum := levelOf(a+7) + levelOf(b+5)
		return fmt.Sprint(word(false, sum >= 4), " ", min(9, sum))
	}))
}

// Several at once: the highest total that succeeds, among equals the defender.
func TestUnisystemContest(t *testing.T) {
	die := luckOf("cumulative", false)
	for _, defender := range []string{"", "Robin"} {
		text := "contest Tess DEXTERITY + KUNG_FU, Robin DEXTERITY + KUNG_FU, Vampire by score"
		if defender != "" {
			text += " defended by " + defender
		}
		o := oddsIn(t, session(t, at("")), text+"\nreport if last.winner == none then \"none\" else last.winner.name", odds.Config{})
		closeLaws(t, told(t, o), twice(die, func(a, b int) string {
			totals := map[string]int{"Tess": a + 7, "Robin": b + 5, "Vampire": 12}
			best := max(a+7, b+5, 12)
			var top []string
			for _, n := range []string{"Tess", "Robin", "Vampire"} {
				if totals[n] == best {
					top = append(top, n)
				}
			}
			switch {
			case len(top) == 1:
				return top[0]
			case totals[defender] == best:
				return defender
			}
			return "none"
		}))
	}
}

// A grip: Combat and 2 against a defence that equals it at least; then the better
// of two combinations against Muscle, where an equal total is enough.
func TestUnisystemGrip(t *testing.T) {
	die := luckOf("cumulative", false)
	for _, tt := range []struct {
		options string
		grab    int
	}{{"", 14}, {"grapple_bonus = 0", 12}} {
		o := oddsIn(t, session(t, at(tt.options)), "Vampire: grapple Tess\nif Tess.held_by != none { Tess: break_free }\nreport Tess.held_by == none", odds.Config{})
		closeLaws(t, told(t, o), twice(die, func(defence, escape int) string {
			held := defence+7 < tt.grab && escape+8 < 16
			return map[bool]string{true: "no", false: "yes"}[held]
		}))
	}
}

// A point that is kept until the total is known is spent on a failure only.
func TestUnisystemDramaAfter(t *testing.T) {
	o := oddsIn(t, session(t, at("drama_timing = after")+"cast Dawn { DEXTERITY 2; drama 1 }"), "Dawn: roll DEXTERITY once spend drama bonus 3 if failed\nreport last.outcome, Dawn.drama", odds.Config{})
	closeLaws(t, told(t, o), floatsOf(luckOf("cumulative", false), func(d int) string {
		if d+2 >= 9 {
			return "success 1"
		}
		return word(false, d+5 >= 9) + " 0"
	}))
}

// A Turn of two who run, both with dice, under each reading of ties and double
// failures.
func TestUnisystemChaseReadings(t *testing.T) {
	die := luckOf("cumulative", false)
	for _, tt := range []struct {
		options string
		tie     int
		worse   bool
	}{
		{"", 0, false},
		{"chase_tie = runner", 1, false},
		{"chase_both_fail = lower_loses", 0, true},
	} {
		t.Run(tt.options, func(t *testing.T) {
			t.Parallel()
			// twice Dexterity 3 less 1, against Dexterity 3 and Sports 4
			want := twice(die, func(runner, chaser int) string {
				a, b := runner+5, chaser+7
				switch {
				case a < 9 && b < 9 && (!tt.worse || a == b):
					return "running 3"
				case a == b:
					return fmt.Sprint("running ", 3+tt.tie)
				case a > b:
					return "running 4"
				}
				return "running 2"
			})
			text := "cast Hare { DEXTERITY 3 }\ncast Hunter { DEXTERITY 3; SPORTS 4 }\nchase Hare from Hunter lead 3 turns 1 runner mod -1 \"shoes\"\nreport last.outcome, last.lead"
			o := oddsIn(t, session(t, at(tt.options)), text, odds.Config{})
			closeLaws(t, told(t, o), want)
		})
	}
}

// How a flight goes on under each reading: which totals end it, and what is left
// of the penalties -4 and -2 after a Turn and after two.
func TestUnisystemFlightReadings(t *testing.T) {
	die := luckOf("cumulative", false)
	chance := func(sum int, most int) (p float64) {
		for d, q := range die {
			if d+sum <= most {
				f, _ := q.Float64()
				p += f
			}
		}
		return p
	}
	for _, tt := range []struct {
		options string
		ends    int    // the highest total with which it goes on
		left    [2]int // penalties in the first and the second new test
	}{
		{"fear_retest = until_nine", 8, [2]int{-5, -4}},
		{"fear_decay = each", 4, [2]int{-3 - 1, -2}},
	} {
		t.Run(tt.options, func(t *testing.T) {
			first := chance(4-6, 4)
			again := first * chance(4+tt.left[0], tt.ends)
			third := again * chance(4+tt.left[1], tt.ends)
			o := oddsIn(t, session(t, at(tt.options)), `turn { Tess: fear sudden splatter 4 }
let one = Tess.fleeing
turn { }
report one, Tess.fleeing`, odds.Config{})
			closeLaws(t, told(t, o), map[string]float64{"no no": 1 - again, "yes no": again - third, "yes yes": third})
		})
	}
}
