package sim

import (
	"context"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/trials"
	"setpiece/lang"
)

// Trials that end in more ways than can be kept are no longer made, and the column is named.
func TestTooManyEnds(t *testing.T) {
	defer func(n int) { trials.MaxEnds = n }(trials.MaxEnds)
	trials.MaxEnds = 1000
	_, err := Simulate(context.Background(), interp.Config{}, lang.NewSource("", "let far = (throw d200000000).face\nreport 1, far"), Config{Trials: 1_000_000})
	if err == nil || !strings.Contains(err.Error(), "far alone has 1,00") {
		t.Errorf("%v", err)
	}
}
