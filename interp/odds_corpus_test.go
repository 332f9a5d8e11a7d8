package interp_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/longtest"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/lang"
	"setpiece/stdlib"
)

// Odds know every way a scene can go: how it goes with a seed is one of the ends,
// with the weights summing to one; and where all dice are given it is the only
// one. Scenes that lead to too much are passed over.
func TestOddsOfCorpus(t *testing.T) {
	t.Parallel()
	followed, certain := 0, 0
	for _, file := range longtest.Some(corpus(t), 20) {
		if strings.Contains(file, "scripts") {
			continue // long, and with open dice
		}
		src := scene(t, file)
		cfg := interp.Config{Modules: stdlib.FS, Folder: os.DirFS(filepath.Dir(file)), Seed: corpusSeed}
		o, err := odds.Of(context.Background(), interp.NewSession(cfg), src, odds.Config{States: 300})
		var re *interp.RunError
		if errors.As(err, &re) && re.Kind == interp.Limit {
			continue
		}
		if err != nil {
			if !strings.Contains(err.Error(), "odds cannot look into") {
				t.Errorf("%s: %v", file, err)
			}
			continue
		}
		followed++
		if p, _ := weightOf(o); math.Abs(p+o.Remainder-1) > 1e-12 {
			t.Errorf("%s: the weights sum to %v, and %v is left", file, p, o.Remainder)
		}
		one, err := sim.Simulate(context.Background(), cfg, lang.NewSource(src.Name, src.Text), sim.Config{Trials: 3, Workers: 1})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, e := range one.Ends {
			if !slices.ContainsFunc(o.Ends, func(x odds.End) bool { return sameEnd(o, x, one, e) }) {
				t.Errorf("%s: it can end with %v %q, which odds do not know of: %v", file, e.Shown, e.Stops, ends(o))
			}
		}
		if len(o.Ends) == 1 {
			certain++
		}
	}
	if followed < longtest.Many(200, 10) || certain < longtest.Many(100, 5) {
		t.Errorf("only %d scenes were followed, %d with certain ends", followed, certain)
	}
	t.Logf("%d followed, %d certain", followed, certain)
}

func ends(o *odds.Odds) (out []string) {
	for _, e := range o.Ends[:min(4, len(o.Ends))] {
		s := strings.Join(e.Shown, " ")
		if e.Fault != nil {
			s = e.Fault.Diag.Message
		}
		out = append(out, s)
	}
	return out
}

// sameEnd says whether an end of odds is that of a trial.
func sameEnd(o *odds.Odds, x odds.End, s *sim.Sim, e sim.End) bool {
	if x.Fault != nil || e.Stops != "" {
		return x.Fault != nil && x.Fault.Diag.Message == e.Stops
	}
	for i, c := range s.Columns {
		k := slices.Index(o.Columns, c)
		if e.Shown[i] != "" && (k < 0 || x.Shown[k] != e.Shown[i]) {
			return false
		}
	}
	return true
}
