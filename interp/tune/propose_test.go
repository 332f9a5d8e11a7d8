package tune

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/odds"
	"setpiece/interp/vary"
	"setpiece/lang"
)

// wolves is a system in which odds are worked out by hand: whoever climbs past wolves
// throws a d6 for each of them, and every throw has to reach its ward.
const wolves = `
sheet climber of players { skill whole 0..5 = 0 }
sheet wolf { ward whole 1..7 = 4; mood text }
verb climb by (her climber) {
  do {
    let good = yes
    for w in instances(wolf) { if (throw d6).face + her.skill < w.ward { good = no } }
    outcome if good then success else failure
  }
}
`

func proposed(t *testing.T, text string, pc Config) *Proposals {
	t.Helper()
	o, err := Propose(context.Background(), interp.Config{}, lang.NewSource("pass.scene", wolves+text), pc)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// listed writes proposals one a line.
func listed(o *Proposals) string {
	var out []string
	for i := range o.List {
		out = append(out, o.List[i].String())
	}
	return strings.Join(out, "\n")
}

func TestProposeHandChecked(t *testing.T) {
	const one = "climber Ann { skill 0 }\nwolf Grey { ward 5 }\nclimb by Ann\n"
	tests := []struct {
		name, text string
		lo, hi     float64
		players    bool
		want       string
		value      float64
	}{
		// d6 >= 5 is 2/6, >= 4 is 3/6, >= 3 is 4/6
		{"a rating", one, 0.6, 0.7, false, "Grey.ward 3 instead of 5", 4.0 / 6},
		{"the smallest step", one, 0.5, 0.7, false, "Grey.ward 4 instead of 5", 3.0 / 6},
		{"harder", one, 0.1, 0.2, false, "Grey.ward 6 instead of 5", 1.0 / 6},
		// d6 + 2 >= 5 is 4/6; the GM's change is listed first
		{"players when asked", one, 0.6, 0.7, true, "Grey.ward 3 instead of 5\nAnn.skill 2 instead of 0", 4.0 / 6},
		// each wolf is passed by 1/2: three 1/8, two 1/4
		{"how many", "climber Ann { skill 0 }\nwolf Grey x3 { mood \"grim\" }\nclimb by Ann\n", 0.2, 0.3, false, "Grey x2 instead of x3", 1.0 / 4},
		// 1/3 * 1/3 now; one ward alone gives 1/3 at most, 3 and 3 give 4/9
		{"two at once", "climber Ann { skill 0 }\nwolf Grey { ward 5 }\nwolf Dusk { ward 5 }\nclimb by Ann\n",
			0.43, 0.45, false, "Grey.ward 3 instead of 5, Dusk.ward 3 instead of 5", 4.0 / 9},
		// a d8 reaches 5 by 4/8, a d10 by 6/10, a d12 by 8/12
		{"a die of a variable", "let die = d6\nlet t = (throw die).face\nreport t\nif t >= 5 { outcome success } else { outcome failure }\n",
			0.6, 0.65, false, "die d10 instead of d6", 6.0 / 10},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			o := proposed(t, c.text, Config{Lo: c.lo, Hi: c.hi, Players: c.players})
			if got := listed(o); got != c.want {
				t.Fatalf("proposed\n%s\nwant\n%s\n%+v", got, c.want, o)
			}
			x := o.List[0]
			if math.Abs(x.Value-c.value) > 1e-9 || x.Trials != 0 || o.Over != "" {
				t.Errorf("%v by %d trials (%s), want exactly %v", x.Value, x.Trials, o.Over, c.value)
			}
			now, err := odds.Of(context.Background(), interp.NewSession(interp.Config{}), x.Source, odds.Config{Goal: "success"})
			if err != nil || math.Abs(now.Value-c.value) > 1e-9 {
				t.Errorf("the script with the change gives %v, %v", now, err)
			}
		})
	}
}

// What fits already is left alone; what cannot be reached says how near it comes, and a
// value that a sheet does not take is told as such, not as a chance of 0.
func TestProposeNone(t *testing.T) {
	const text = "climber Ann { skill 0 }\nwolf Grey { ward 6 }\nclimb by Ann\n"
	if o := proposed(t, text, Config{Lo: 0.1, Hi: 0.2}); !o.Fits || o.List != nil || o.Tried != 0 {
		t.Errorf("1/6 is between 10 and 20 %%, but: %+v", o)
	}
	o := proposed(t, text, Config{Lo: 0.01, Hi: 0.02})
	if o.List != nil || o.Nearest == nil || o.Nearest.String() != "Grey.ward 7 instead of 6" {
		t.Errorf("no ward gives 1 %%; the nearest is 7, which nobody reaches: %+v", o.Nearest)
	}
	o = proposed(t, strings.Replace(text, "ward 6", "ward 7", 1), Config{Lo: 0.6, Hi: 0.7})
	if listed(o) != "Grey.ward 3 instead of 7" {
		t.Errorf("proposed %q", listed(o))
	}
	if r := o.Ranges[0]; len(r.Refused) == 0 || r.Refused[0].Value != "8" || !strings.Contains(r.Refused[0].Why, "7") {
		t.Errorf("a ward goes up to 7, so 8 is refused: %+v", r)
	}
}

// Where exact odds are too much the search goes by trials, finds the same, and gives the
// same answer again.
func TestProposeByTrials(t *testing.T) {
	const text = "climber Ann { skill 0 }\nwolf Grey { ward 5 }\nclimb by Ann\n"
	var first string
	for range 2 {
		o, err := propose(context.Background(), interp.Config{Seed: 3}, lang.NewSource("pass.scene", wolves+text), Config{Lo: 0.6, Hi: 0.7, Trials: 2000}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if o.Over != interp.OverStates || len(o.List) != 1 || listed(o) != "Grey.ward 3 instead of 5" {
			t.Fatalf("proposed %q: %+v %+v", listed(o), o, o.Nearest)
		}
		x := o.List[0]
		if x.Trials != 2000 || math.Abs(x.Value-4.0/6) > x.Half+0.01 || x.Half > 0.03 {
			t.Errorf("%v ± %v from %d trials, want 2/3", x.Value, x.Half, x.Trials)
		}
		shown := strings.Join([]string{listed(o), o.List[0].Source.Text}, "\n")
		if first == "" {
			first = shown
		} else if shown != first {
			t.Errorf("the second search gave\n%s\nthe first\n%s", shown, first)
		}
	}
}

// A change that few trials took for good enough, and many do not, does not keep the search
// from pairs: one ward alone gives a third at most, two of them as many sixths of as many.
func TestProposePairsByTrials(t *testing.T) {
	const text = "climber Ann { skill 0 }\nwolf Grey { ward 5 }\nwolf Dusk { ward 5 }\nclimb by Ann\n"
	o, err := propose(context.Background(), interp.Config{Seed: 3}, lang.NewSource("pass.scene", wolves+text), Config{Lo: 0.37, Hi: 0.47, Trials: 4000}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.List) == 0 || !o.Alone || o.Late || o.Pairs == 0 || len(o.Open) > 0 {
		t.Fatalf("proposed %q: %+v", listed(o), o)
	}
	for _, x := range o.List {
		truth := 1.0
		for _, c := range x.Changes {
			truth *= float64('7'-c.To[0]) / 6
		}
		if len(x.Changes) != 2 || truth < 0.37 || truth > 0.47 || math.Abs(x.Value-truth) > x.Half+0.01 {
			t.Errorf("%s: %v ± %v, and it is %v", x.String(), x.Value, x.Half, truth)
		}
	}
}

func TestStepsFrom(t *testing.T) {
	tests := []struct{ text, up, down string }{
		{"2", "3 4 5 6 7 8 9 10", "1 0"},
		{"+4", "+5 +6 +7 +8 +9 +10 +11 +12", "+3 +2 +1 +0"},
		{"x2", "x3 x4 x5 x6 x7 x8 x9 x10", "x1"},
		{"60", "67 74 81 88 95 102 109 116", "53 46 39 32 25 18"},
		{"40", "45 50 55 60 65 70 75 80", "35 30 25 20 15 10"},
		{"d8", "d10 d12", "d6 d4"},
		{"d20", "", "d12 d10 d8 d6 d4"},
		{"2d6", "3d6 4d6 5d6 6d6", "d6"},
		{"2d6 + d8", "3d6 + d8 4d6 + d8 5d6 + d8 6d6 + d8", "d6 + d8 d8"},
		{"small", "", ""}, {"yes", "", ""}, {"1 + n", "", ""},
	}
	for _, c := range tests {
		up, down := vary.StepsFrom(c.text)
		if strings.Join(up, " ") != c.up || strings.Join(down, " ") != c.down {
			t.Errorf("%s: %q and %q, want %q and %q", c.text, up, down, c.up, c.down)
		}
	}
}

// A mean is told from trials and their twins. By hand: of four trials three succeed, and two
// of their twins, of which 0.4 do on the average; the slope is half, so a half of the tenth
// by which the twins were lucky is taken off. What the slope does not explain are squares of
// 0.5, over two degrees of freedom.
func TestControlled(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name              string
		xs, twins         []float64
		value, half, mean float64
		ok                bool
	}{
		{"by hand", []float64{1, 0, 1, 1}, []float64{1, 0, 1, 0}, 0.75 - 0.5*0.1, 1.959963984540054 * 0.25, 0.4, true},
		{"equal trials", []float64{1, 0, 0, 1}, []float64{1, 0, 0, 1}, 0.37, 0, 0.37, true},
		{"equal twins", []float64{1, 1, 1}, []float64{0, 0, 0}, 1.2, 0, 0.2, true}, // as far as they tell
		{"one that stopped", []float64{1, nan, 0, 1, 1}, []float64{1, 1, 0, 1, 0}, 0.75 - 0.5*0.1, 1.959963984540054 * 0.25, 0.4, true},
		{"all stopped", []float64{nan, nan, nan}, []float64{1, 0, 1}, 0, 0, 0.4, false},
	}
	for _, c := range tests {
		value, half, ok := controlled(c.xs, c.twins, c.mean)
		if ok != c.ok || math.Abs(value-c.value) > 1e-12 || math.Abs(half-c.half) > 1e-12 {
			t.Errorf("%s: %v ± %v, %t, want %v ± %v", c.name, value, half, ok, c.value, c.half)
		}
	}
}

// Of searches in which no change does anything, at most 5 in 100 propose one as more than luck; of 40
// that is 2 and three deviations of 1.4: 6. Most of them find some that luck has put within what
// is wanted. A change that does much is no luck.
func TestProposeTellsNoLuck(t *testing.T) {
	sure, lucky := 0, 0
	find := func(text string, lo, hi float64, seed uint64) *Proposals {
		pc := Config{Goal: "won == yes", Lo: lo, Hi: hi, Trials: 400}
		o, err := propose(t.Context(), interp.Config{Seed: seed}, lang.NewSource("", text), pc, 1)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	for seed := range uint64(40) {
		o := find(nothings(4), 0.51, 0.6, seed)
		if slices.ContainsFunc(o.List, func(p Proposal) bool { return !p.Luck }) {
			sure++
		}
		if len(o.List) > 0 && o.List[0].Luck {
			lucky++
		}
	}
	if sure > 6 {
		t.Errorf("%d of 40 searches propose a change that does nothing", sure)
	}
	if lucky < 8 {
		t.Errorf("only %d of 40 searches find what is luck", lucky)
	}
	// 5 of 8 faces are 4 or more, 4 of them 5 or more.
	o := find("let dn = 6\nlet won = (throw d8).face >= dn\n", 0.55, 0.7, 1)
	if len(o.List) == 0 || o.List[0].Luck || o.List[0].Changes[0].To != "4" {
		t.Errorf("the change that does it: %+v", o.List)
	}
}

// nothings is a script of n numbers that say how often a coin is thrown before the throw that counts:
// each of them changes how a trial ends, and none of them the chance.
func nothings(n int) string {
	var b strings.Builder
	b.WriteString("let side = 0\n")
	for i := range n {
		fmt.Fprintf(&b, "let n%d = 3\nfor i in 1..n%d { side = (throw d2).face }\n", i, i)
	}
	return b.String() + "let won = side == 1\n"
}
