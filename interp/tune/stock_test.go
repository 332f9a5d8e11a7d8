package tune_test

import (
	"context"
	"slices"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/interp/tune"
	"setpiece/lang"
)

// A die has to show more than the weight of all who are there: so three of weight 1 leave a chance of
// one half, and so do one of weight 2 and one of weight 1. The cat weighs nothing and changes nothing.
func TestFromStock(t *testing.T) {
	folder := fstest.MapFS{
		"barn.rules": {Data: []byte(`system barn "Barn"
sheet beast { weight number 0..9 }
verb fight "everybody" without actor { do { outcome (if (throw d6).face > sum b.weight for b in instances(beast) then won else lost) } }
goal farmers "the farmers win" after fight = last.outcome == won
stock beast Gnat { weight 1 }
stock beast Ogre { weight 2 }
stock beast Cat { weight 0 }
`)},
	}
	for _, c := range []struct {
		script string
		want   []string
	}{
		{"use barn\nfight\n", []string{"stock Gnat x3", "stock Ogre, stock Gnat"}},
		{"use barn\nstock Foes as Cat x2\nfight\n", []string{"stock Gnat x3"}},
	} {
		p, err := tune.FromStock(context.Background(), interp.Config{Folder: folder, Seed: 1}, lang.NewSource("a.scene", c.script), tune.Config{Lo: 0.5, Hi: 0.5, Trials: 1600})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range p.List {
			got = append(got, x.String())
			if err := interp.NewSession(interp.Config{Folder: folder}).Exec(context.Background(), x.Source); err != nil {
				t.Errorf("%s: %v\n%s", x.String(), err, x.Source.Text)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.script, got, c.want)
		}
	}
}
