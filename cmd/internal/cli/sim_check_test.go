package cli

import (
	"slices"
	"testing"

	"setpiece/interp"
	"setpiece/lang"
)

// What a simulation has that cannot be, and what it lacks, is found as what is too frequent.
func TestDisagreements(t *testing.T) {
	exact, err := interp.NewSession(interp.Config{}).Odds(t.Context(), lang.NewSource("", "let x = (throw d2).face\nreport x, x + 1 as more"), interp.OddsConfig{})
	if err != nil {
		t.Fatal(err)
	}
	sim := func(columns []string, ends ...interp.SimEnd) *interp.Sim {
		return &interp.Sim{Trials: 1000, Planned: 1000, Shards: 1, Columns: columns, Ends: ends}
	}
	both := []string{"x", "more"}
	for _, c := range []struct {
		name string
		sim  *interp.Sim
		want []string
	}{
		{"as it should be", sim(both, interp.SimEnd{Shown: []string{"1", "2"}, Count: 505}, interp.SimEnd{Shown: []string{"2", "3"}, Count: 495}), nil},
		{"a value that cannot be", sim(both, interp.SimEnd{Shown: []string{"1", "2"}, Count: 500}, interp.SimEnd{Shown: []string{"2", "3"}, Count: 480}, interp.SimEnd{Shown: []string{"2", "9"}, Count: 20}), []string{"more 9"}},
		{"a column too few", sim(both[:1], interp.SimEnd{Shown: []string{"1"}, Count: 500}, interp.SimEnd{Shown: []string{"2"}, Count: 500}), []string{"more 2", "more 3"}},
		{"a column too many", sim(append(both, "other"), interp.SimEnd{Shown: []string{"1", "2", "7"}, Count: 500}, interp.SimEnd{Shown: []string{"2", "3", "7"}, Count: 500}), []string{"other 7"}},
	} {
		for i := range c.sim.Ends {
			c.sim.Ends[i].Data = make([]interp.Value, len(c.sim.Ends[i].Shown))
		}
		got := mapped(disagreements(exact, c.sim), func(x jsonOff) string { return x.Column + " " + x.shown })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
