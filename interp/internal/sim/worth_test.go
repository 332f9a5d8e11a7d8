package sim

import (
	"math"
	"testing"
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
