package interp_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// A session that tells what happens is asked why, as at the prompt. On DN 12 with
// +4 five faces of twelve succeed; on 13 four, on 11 six. The best play is that of
// TestOddsOfBestPlay.
func TestWhyAtThePrompt(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Events: func(*interp.Event) {}})
	for _, line := range []string{"use cah", "hero Nova { star 3; oomph 3; PUNCH 4 [action_feature] }"} {
		if err := s.Exec(context.Background(), lang.NewSource("", line)); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		w, err := s.Why(context.Background(), lang.NewSource("", "Nova: roll PUNCH vs DN 12"), interp.WhyConfig{})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(w.Value-5./12) > 1e-15 || len(w.Paths) != 1 || strings.Join(w.Paths[0].Falls, ", ") != "d12 8..12 action" {
			t.Errorf("%v by %v", w.Value, w.Paths)
		}
		want := map[string]float64{
			"DN 13 instead of 12": 4. / 12, "DN 11 instead of 12": 6. / 12,
			"Nova.PUNCH.rating 5 instead of 4": 6. / 12, "Nova.PUNCH.rating 3 instead of 4": 4. / 12,
			"the best play of Nova": (128 + 15*8./9) / 144,
		}
		for _, m := range w.Moves {
			if math.Abs(m.Value-want[m.What]) > 1e-12 {
				t.Errorf("%s: %v, want %v", m.What, m.Value, want[m.What])
			}
			delete(want, m.What)
		}
		for what := range want {
			t.Errorf("%s is not told", what)
		}
	}
}
