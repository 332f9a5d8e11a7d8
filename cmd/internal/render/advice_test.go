package render

import (
	"math"
	"strings"
	"testing"

	"setpiece/interp/advice"
)

// What is called best goes by the fight; where it goes by the roll, or against it, that is
// said, and so is whose figures these are.
func TestAdviceSaysWhatIsBest(t *testing.T) {
	roll := advice.Worth{Goal: "roll", Doc: "the check goes your way", After: "attack", Chance: true, Values: []float64{0.5, 0.75}, Top: []bool{false, true}}
	win := advice.Worth{Goal: "win", Doc: "your side wins", After: "fight", Chance: true, Values: []float64{0.5, 0.5}, Top: []bool{true, true}}
	worse := win
	worse.Values, worse.Top = []float64{0.5, 0.25}, []bool{true, false}
	near := advice.Worth{Goal: "win", Doc: "your side wins", Chance: true, Values: []float64{0.4, 0.3, 0.39}, Half: []float64{0.03, 0.03, 0.03}, Top: []bool{true, false, true}}
	barred := roll
	barred.Values, barred.Top = []float64{0.5, math.NaN()}, []bool{true, false}
	for _, c := range []struct {
		name   string
		advice advice.Advice
		want   string
	}{
		{"the roll", advice.Advice{Goals: []advice.Worth{roll}, Best: 1, Equal: []int{1}, By: "roll"}, `
      roll
no    50.00 %
yes   75.00 %   best
roll: the check goes your way`},
		{"the roll, as the fight is the same", advice.Advice{Goals: []advice.Worth{roll, win}, Best: 1, Equal: []int{1}, By: "roll"}, `
      roll
no    50.00 %
yes   75.00 %   best
roll: the check goes your way; win hardly differs, so best goes by roll`},
		{"the fight, against the roll", advice.Advice{Goals: []advice.Worth{roll, worse}, Best: 0, Equal: []int{0}, By: "win"}, `
      roll      win
no    50.00 %   50.00 %   best
yes   75.00 %   25.00 %
roll: the check goes your way; win: your side wins; best goes by win`},
		{"for somebody else", advice.Advice{For: "Ann", Goals: []advice.Worth{roll}, Best: 1, Equal: []int{1}, By: "roll"}, `
      roll
no    50.00 %
yes   75.00 %   best for Ann
as Ann sees it: roll: the check goes your way`},
		{"trials that leave two", advice.Advice{Goals: []advice.Worth{near}, Best: 0, Equal: []int{0, 2}, By: "win", Trials: 1024}, `
      win
no    40.0 % ±3.0   too close to tell
yes   30.0 % ±3.0
ask   39.0 % ±3.0   too close to tell
win: your side wins; ± estimated from 1024 trials with each answer, later decisions as usual`},
		{"refused", advice.Advice{Goals: []advice.Worth{barred}, Best: 0, Equal: []int{0}, By: "roll", Refused: []string{"", "not so loud"}}, `
      roll
no    50.00 %   best
yes   refused   not so loud
roll: the check goes your way`},
	} {
		if got := "\n" + strings.Join(Advice([]string{"no", "yes", "ask"}[:len(c.advice.Goals[0].Values)], &c.advice, 0), "\n"); got != c.want {
			t.Errorf("%s:%s\nnot%s", c.name, got, c.want)
		}
	}
}

// On a narrow terminal the figures stay, beside the command or below it, the goal first.
func TestAdviceOnANarrowTerminal(t *testing.T) {
	worth := func(goal string, values ...float64) advice.Worth {
		return advice.Worth{Goal: goal, Chance: true, Values: values, Top: []bool{true, false}}
	}
	a := advice.Advice{Commands: []string{`attack "Dr. Grimm" with SPEED + "Fast Mouth"`, "pass"}, Tried: 9,
		Goals: []advice.Worth{worth("roll", 0.5, 0.25), worth("win", 0.75, 0.125)}}
	for _, c := range []struct {
		width int
		want  string
	}{
		{55, `
                          win       roll
attack "Dr. Grimm" with   75.00 %   50.00 %   best
  SPEED + "Fast Mouth"
pass                      12.50 %   25.00 %`},
		{40, `
   win       roll
attack "Dr. Grimm" with SPEED + "Fast
  Mouth"   best
   75.00 %   50.00 %
pass
   12.50 %   25.00 %`},
	} {
		lines := Advice(nil, &a, c.width)
		if got := "\n" + strings.Join(lines[:len(lines)-1], "\n"); got != c.want {
			t.Errorf("%d:%s\nnot%s", c.width, got, c.want)
		}
	}
}
