package interp_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/lang"
)

// A text among the values of an outcome is there for who asks, though nobody listens: a pool of one d6
// shows each of its faces once in six, and the rules of a 1 make it nothing.
func TestTextOfAnOutcome(t *testing.T) {
	const heroes = "use marvel\nhero Ann { solo d8; WIT d8 }\nwatcher Pike { solo d6 }\n"
	const roll = "Ann: roll solo + WIT vs Pike solo\n"
	for _, x := range []struct{ before, text string }{
		{"", heroes + roll + "report last.versus"},
		{heroes, roll + "report last.versus"},
		{heroes + roll, roll + "report last.versus"}, // the rules were compiled before anybody asked
		{heroes, roll + "report versus"},
	} {
		s := session(t, x.before)
		o, err := odds.Of(context.Background(), s, lang.NewSource("", x.text), odds.Config{})
		if err != nil {
			t.Errorf("%q, %q: %v", x.before, x.text, err)
			continue
		}
		got := map[string]float64{}
		for _, e := range o.Ends {
			got[fmt.Sprint(o.Data(e, 0).Is)] += e.P
		}
		for _, want := range []string{"Pike 0", "Pike 2", "Pike 3", "Pike 4", "Pike 5", "Pike 6"} {
			if p := got[want]; p < 0.1666 || p > 0.1667 {
				t.Errorf("%q, %q: %s has %v, not 1/6", x.before, x.text, want, p)
			}
		}
	}
}

// What is refused gives the last outcome back, also behind a throw at which odds and trials put the state away: there
// the outcome is never read on the way on, since a new one would come.
func TestRefusalGivesTheOutcomeBack(t *testing.T) {
	rules := fstest.MapFS{"load/load.rules": {Data: []byte(`
system load "Load"
sheet person "somebody" { luck whole = 2 }
verb wins { do { outcome won total who.luck } }
verb tries {
  do {
    let n = (throw 1d6).sum
    outcome lost total n
    refuse "{who.name} cannot"
  }
}
`)}}
	src := lang.NewSource("", "use load\nperson Ann { }\nAnn: wins\nrefused \"cannot\" { Ann: tries }\nreport last.total")
	o, err := odds.Of(t.Context(), interp.NewSession(interp.Config{Modules: rules}), src, odds.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Ends) != 1 || !slices.Equal(o.Ends[0].Shown, []string{"2"}) {
		t.Errorf("odds: %v", o.Ends)
	}
	r, err := sim.Simulate(t.Context(), interp.Config{Modules: rules}, src, sim.Config{Trials: 3, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Ends) != 1 || !slices.Equal(r.Ends[0].Shown, []string{"2"}) {
		t.Errorf("trials: %v", r.Ends)
	}
}
