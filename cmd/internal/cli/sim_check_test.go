package cli

import (
	"slices"
	"testing"

	"setpiece/interp"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/lang"
)

// What a simulation has that cannot be, and what it lacks, is found as what is too frequent.
func TestDisagreements(t *testing.T) {
	exact, err := odds.Of(t.Context(), interp.NewSession(interp.Config{}), lang.NewSource("", "let x = (throw d2).face\nreport x, x + 1 as more"), odds.Config{})
	if err != nil {
		t.Fatal(err)
	}
	simulated := func(columns []string, ends ...sim.End) *sim.Sim {
		return &sim.Sim{Trials: 1000, Planned: 1000, Shards: 1, Columns: columns, Ends: ends}
	}
	both := []string{"x", "more"}
	for _, c := range []struct {
		name string
		sim  *sim.Sim
		want []string
	}{
		{"as it should be", simulated(both, sim.End{Shown: []string{"1", "2"}, Count: 505}, sim.End{Shown: []string{"2", "3"}, Count: 495}), nil},
		{"a value that cannot be", simulated(both, sim.End{Shown: []string{"1", "2"}, Count: 500}, sim.End{Shown: []string{"2", "3"}, Count: 480}, sim.End{Shown: []string{"2", "9"}, Count: 20}), []string{"more 9"}},
		{"a column too few", simulated(both[:1], sim.End{Shown: []string{"1"}, Count: 500}, sim.End{Shown: []string{"2"}, Count: 500}), []string{"more 2", "more 3"}},
		{"a column too many", simulated(append(both, "other"), sim.End{Shown: []string{"1", "2", "7"}, Count: 500}, sim.End{Shown: []string{"2", "3", "7"}, Count: 500}), []string{"other 7"}},
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
