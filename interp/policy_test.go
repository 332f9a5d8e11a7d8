package interp_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/advice"
	"setpiece/interp/odds"
	"setpiece/interp/why"
	"setpiece/lang"
	"setpiece/stdlib"
)

// With the defaults +4 on a d12 beats 12 with five faces of twelve. All three offers taken
// give 53/54, as exact odds of the best play do: each answer is the same in every state.
func TestPolicyByTrials(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: 3})
	o, err := advice.PolicyOf(context.Background(), s, lang.NewSource("", `
use cah
hero Nova { star 3; oomph 3; PUNCH 4 [action_feature] }
Nova: roll PUNCH vs DN 12
`), advice.PolicyConfig{Best: []string{"Nova"}, Trials: 2000})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(o.Default-5./12) > 1.5*o.Within || math.Abs(o.Value-53./54) > 1.5*o.Half || o.Trials != 2000 || !o.Chance {
		t.Errorf("%+v", o)
	}
	if len(o.Decisions) != 3 {
		t.Fatalf("%d decisions: %+v", len(o.Decisions), o.Decisions)
	}
	for i, name := range []string{"Use the Action Feature", "Extra Effort", "Re-roll?"} {
		d := o.Decisions[i]
		if !strings.HasPrefix(d.Prompt, name) || d.Who != "Nova" || d.Default != 0 || d.Taken != 1 || !d.Tried || d.Values[1] <= d.Values[0] {
			t.Errorf("%s: %+v", name, d)
		}
	}
	if w := o.Decisions; w[0].Weight != 1 || w[1].Weight != 1 || math.Abs(w[2].Weight-0.5) > 0.1 { // losing, and not by a flub
		t.Errorf("they come up in %v, %v, %v", w[0].Weight, w[1].Weight, w[2].Weight)
	}
}

// A d6 hits on 4 or more: 1/2. Bob, who ducks, wants it to miss: 1/3. Ann, who lunges,
// wants it to hit: 2/3.
func TestBestDecisionsAreForTheOwnSide(t *testing.T) {
	src := lang.NewSource("", brawl+"Ann: hit Bob\n")
	w, err := why.Of(context.Background(), interp.NewSession(interp.Config{}), src, why.Config{Moves: 30})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"the best decisions of Bob for their own side": 1. / 3, "the best decisions of Ann for their own side": 2. / 3}
	for _, m := range w.Moves {
		if p, ok := want[m.What]; ok && math.Abs(m.Value-p) > 1e-12 {
			t.Errorf("%s: %v, want %v", m.What, m.Value, p)
		}
		delete(want, m.What)
	}
	if len(want) > 0 {
		t.Errorf("not told: %v of %+v", want, w.Moves)
	}
	for who, value := range map[string]float64{"Bob": 2. / 3, "Ann": 2. / 3} {
		o, err := odds.Of(context.Background(), interp.NewSession(interp.Config{}), src, odds.Config{Best: []string{who}})
		if err != nil || math.Abs(o.Value-value) > 1e-12 {
			t.Errorf("%s: %v %+v", who, err, o)
		}
		p, err := advice.PolicyOf(context.Background(), interp.NewSession(interp.Config{}), src, advice.PolicyConfig{Best: []string{who}})
		if err != nil || math.Abs(p.Value-value) > 2*p.Half || len(p.Decisions) != 1 || p.Decisions[0].Taken != 1 {
			t.Errorf("%s: %v %+v", who, err, p)
		}
	}
}

// The safe die wins one time in three. The other stops on two faces of four, and of the
// two that are left one wins: that is better, since what stops is no loss.
func TestBestDecisionsLeaveOutWhatStops(t *testing.T) {
	text := `
rule risky() {
  let f = (throw d4).face
  if f <= 2 { refuse "stuck" }
  return f == 4
}
sheet person { luck number = 1 }
person Ann
let risk = no
let won = no
offer risk to Ann "Risk it?" default no { risk = yes }
if risk { won = risky() } else { won = (throw d3).face == 3 }
report won
`
	best := []string{"Ann"}
	o, err := odds.Of(context.Background(), interp.NewSession(interp.Config{}), lang.NewSource("", text), odds.Config{Best: best, Goal: "won == yes"})
	if err != nil {
		t.Fatal(err)
	}
	if stops, what := o.Stops(); math.Abs(o.Value-1./2) > 1e-12 || math.Abs(stops-1./2) > 1e-12 || !strings.HasPrefix(what, "stuck") {
		t.Errorf("%v, %v stops: %s", o.Value, stops, what)
	}
	d := o.Decisions[0]
	if d.Taken != 1 || math.Abs(d.Values[0]-1./3) > 1e-12 || math.Abs(d.Values[1]-1./2) > 1e-12 || d.Stops[0] > 1e-12 || math.Abs(d.Stops[1]-1./2) > 1e-12 {
		t.Errorf("exact: %+v", d)
	}
	p, err := advice.PolicyOf(context.Background(), interp.NewSession(interp.Config{}), lang.NewSource("", text), advice.PolicyConfig{Best: best, Goal: "won == yes", Trials: 4000})
	if err != nil {
		t.Fatal(err)
	}
	e := p.Decisions[0]
	if e.Taken != 1 || math.Abs(e.Values[1]-1./2) > 0.04 || math.Abs(e.Stops[1]-1./2) > 0.04 || math.Abs(p.Stops-1./2) > 0.04 {
		t.Errorf("by trials: %+v, %v stops", e, p.Stops)
	}
}
