package sim

import (
	"math"
	"testing"

	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
)

// Where the transitions that are new become fewer with the runs like a power of their number, states
// pay unless most steps will still be new at the end of what is planned.
func TestWillBeStateless(t *testing.T) {
	for _, x := range []struct {
		what    string
		power   float64 // 20 n^-power of the steps of run n are new
		steps   float64
		planned int
		want    bool
	}{
		{"nothing comes again", 0, 20, 10_000, true},
		{"little comes again", 0.05, 20, 10_000, true},          // 20 × 10,000^-0.05 = 12.6 of 20
		{"a small script", 0.6, 20, 10_000, false},              // 0.08
		{"much comes again in time", 0.2, 30, 1_000_000, false}, // 1.3, but 5 after 1,000 runs
		{"all is known", 0, 60, 10_000, false},                  // of 60 steps 20 are new
		{"nothing more is planned", 0, 20, 10, false},
	} {
		var w worth
		stateless := false
		for n := 16.0; n < 3000; n = math.Floor(1.5 * n) {
			w.runs = int(n)
			stateless = stateless || w.willBeStateless(20*math.Pow(n, -x.power), x.steps, x.planned)
		}
		if stateless != x.want {
			t.Errorf("%s: it keeps no states: %v, not %v", x.what, stateless, x.want)
		}
	}
}

// Transitions pay that soon become few, and the fewer runs are planned the sooner they have to.
func TestPaysUpTo(t *testing.T) {
	for _, x := range []struct {
		what          string
		each          float64 // transitions that a run has executed
		runs, planned int
		want          bool
	}{
		{"a blow or two are new", 4, 16, 200, true},               // 4 × 4 = 16
		{"a duel of few trials", 12, 16, 200, true},               // 48 of 4.5 × 14.1 × 1.25 = 80
		{"many creatures, few trials", 30, 16, 200, false},        // 120 of 80
		{"the same, many trials", 30, 16, 100_000, true},          // 120 of 120 × 1.25 = 150
		{"they stay as many", 30, 36, 100_000, false},             // 180 of 120 × 1.11 = 133
		{"everything is new in the first runs", 80, 4, 1e5, true}, // 160 of 240
		{"hopeless from the first", 130, 4, 1e5, false},           // 260
	} {
		if got := x.each*math.Sqrt(float64(x.runs)) <= paysUpTo(x.runs, x.planned); got != x.want {
			t.Errorf("%s: it pays: %v, not %v", x.what, got, x.want)
		}
	}
}

// Where few trials are planned, nothing is remembered of a text whose first two executed more than a quarter as many
// transitions.
func TestFewRuns(t *testing.T) {
	for _, x := range []struct {
		what                    string
		runs, executed, planned int
		want                    bool
	}{
		{"a duel", 2, 48, 200, true},
		{"many creatures", 1, 107, 200, false},
		{"they show it in the second trial", 2, 71, 200, false},
		{"the same, many trials", 2, 389, 2000, true},
	} {
		a := &Automaton{m: &machine.Machine{Heap: &value.Heap{}}, Room: maxWords, Planned: x.planned}
		a.worth = worth{look: firstLook, runs: x.runs, executed: x.executed, grown: true}
		if got := a.Pays(); got != x.want {
			t.Errorf("%s: it pays: %v, not %v", x.what, got, x.want)
		}
	}
}
