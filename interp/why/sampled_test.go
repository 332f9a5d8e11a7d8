package why_test

import (
	"context"
	"math"
	"setpiece/interp"
	"setpiece/interp/why"
	"setpiece/lang"
	"slices"
	"testing"
)

// Why tells of a fight that is too much for exact odds what was solved of it, with the heaviest ways
// to the goal among that: two hits in three tosses, of which the first are told apart by coins.
func TestWhyPastABound(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	// Heads twice before tails twice, but a third toss is followed by so much that it is not followed:
	// a quarter of all cases is won by then, a quarter is lost, and of the rest half is won.
	src := lang.NewSource("", `let heads = 0
let tails = 0
let noise = 0
while heads < 2 and tails < 2 {
  if heads + tails == 2 { repeat 40 { noise = 2 * noise + (throw d2).face } }
  if (throw d2 for "the coin").face == 1 { heads += 1 } else { tails += 1 }
}
`)
	cfg := why.Config{Goal: "heads == 2 and noise >= 0", States: 400, Trials: 400}
	w, err := why.Of(ctx, interp.NewSession(interp.Config{}), src, cfg)
	if err != nil {
		t.Fatal(err)
	}
	x := w.Sampled
	if x == nil || w.Over != interp.OverStates || math.Abs(x.Weight-0.5) > 1e-12 || x.Trials != 400 {
		t.Fatalf("%+v, %+v", w, x)
	}
	if math.Abs(w.Value-0.5) > w.Half || w.Half > 0.03 || math.Abs(w.Least-0.25) > 1e-12 || math.Abs(w.Most-0.75) > 1e-12 {
		t.Errorf("%v ± %v, from %v to %v", w.Value, w.Half, w.Least, w.Most)
	}
	if len(w.Paths) != 1 || math.Abs(w.Paths[0].P-0.25) > 1e-12 || !slices.Equal(w.Paths[0].Falls, []string{"d2 1 the coin", "d2 1 the coin"}) {
		t.Errorf("%+v", w.Paths)
	}

	// where nothing is solved all is estimated
	cfg.States = 2
	if w, err = why.Of(ctx, interp.NewSession(interp.Config{}), src, cfg); err != nil || w.Sampled != nil || w.Trials != 400 || len(w.Paths) > 0 || math.Abs(w.Value-0.5) > 2*w.Half {
		t.Errorf("%+v, %v", w, err)
	}
}
