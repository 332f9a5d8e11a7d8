package interp_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/longtest"
	"setpiece/interp/odds"
	"setpiece/lang"
	"setpiece/stdlib"
)

// TestEncountersStayExact: whole encounters have exact odds by few states, at most a third more than they had when this was
// written. A number that rules count up and that nothing but an outcome tells keeps states apart if it is a
// variable of a rule, and not a field: then they are many times more. The short form plays one.
func TestEncountersStayExact(t *testing.T) {
	most := []struct {
		encounter string
		states    int
	}{
		{"unisystem/over_the_rooftops", 8_000}, {"unisystem/the_weeping_lady", 68_000}, {"firefly/dead_drift", 31_000}, {"clichenimatic/night_watch", 128_000},
		{"marvel/face_off", 175_000}, {"marvel/rooftop_chase", 142_000}, {"cah/runaway_train", 180_000},
	}
	for _, m := range most[:longtest.Many(len(most), 1)] {
		path := "../scripts/" + m.encounter + ".scene"
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Folder: os.DirFS(filepath.Dir(path))})
		o, err := odds.Of(context.Background(), s, lang.NewSource(filepath.Base(path), string(text)), odds.Config{})
		if err != nil {
			t.Errorf("%s: %v", m.encounter, err)
		} else if o.States > m.states || o.Remainder > 1e-9 {
			t.Errorf("%s: %d states, at most %d are wanted; %g is left", m.encounter, o.States, m.states, o.Remainder)
		}
	}
}
