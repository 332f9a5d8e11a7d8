package interp_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/longtest"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/lang"
	"setpiece/stdlib"
)

// bogDuel is a duel with a villain's attack at some rating, and perhaps something before it.
func bogDuel(punch int, before string) sim.Side {
	text := fmt.Sprintf(`use cah
hero Valorus { star 3; DEXTROUS 3; SUNBLADE 4 }
villain "Sludge Lord" { star 4; OOZING_PUNCH %d }
tactics Valorus { otherwise: attack any foe with SUNBLADE; on reroll: yes when oomph >= 2 }
scene "The causeway" action {
  heroes Valorus
  villains "Sludge Lord"
  %s
  fight
  report winner, rounds
}
`, punch, before)
	return sim.Side{Config: interp.Config{Modules: stdlib.FS}, Source: lang.NewSource("duel.scene", text)}
}

// With the same dice for the same throws a difference shows with a fraction of the trials:
// it agrees with the exact odds, and its interval is much narrower than that of dice of
// their own, even though re-rolls make the two duels throw different numbers of dice.
func TestCompareNarrowsTheInterval(t *testing.T) {
	a, b := bogDuel(4, ""), bogDuel(3, "")
	want := 0.0
	for i, x := range []sim.Side{a, b} {
		o, err := odds.Of(context.Background(), interp.NewSession(x.Config), x.Source, odds.Config{Goal: "winner == heroes"})
		if err != nil {
			t.Fatal(err)
		}
		want += o.Value * float64(2*i-1)
	}
	o, err := sim.Compare(context.Background(), a, b, sim.CompareConfig{Trials: 2000, Workers: 2, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	d := o.Rows[0]
	if d.What != "heroes" || !d.Chance || o.Doc == "" || o.Trials != 2000 || math.Abs(d.By-want) > 1.5*d.Half || !(math.Abs(d.By) > d.Half) {
		t.Errorf("%+v, want a difference of %v", o, want)
	}
	if d.Half > 0.75*d.Independent {
		t.Errorf("± %v with the same dice, ± %v with others: that is not worth it", d.Half, d.Independent)
	}
	t.Logf("by %v, exactly %v: ± %v, with dice of their own ± %v", d.By, want, d.Half, d.Independent)
}

// The number of workers changes nothing.
func TestCompareOnWorkers(t *testing.T) {
	var first *sim.Comparison
	for _, workers := range []int{1, 3} {
		o, err := sim.Compare(context.Background(), bogDuel(4, ""), bogDuel(3, ""), sim.CompareConfig{Trials: int64(longtest.Many(2000, 200)), Workers: workers, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = o
		} else if fmt.Sprint(*first) != fmt.Sprint(*o) {
			t.Errorf("on 3 workers\n%+v\non 1\n%+v", o, first)
		}
	}
}

// Dice belong to who acts, in which turn, and what they are for: a throw more before the
// fight leaves every die of the fight as it was.
func TestCompareSurvivesOneThrowMore(t *testing.T) {
	o, err := sim.Compare(context.Background(), bogDuel(4, ""), bogDuel(4, "let omen = throw 3d6"), sim.CompareConfig{Trials: 300})
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Rows) < 3 {
		t.Fatalf("%+v", o.Rows)
	}
	for _, d := range o.Rows {
		if d.By != 0 || d.Half != 0 || d.Independent == 0 {
			t.Errorf("%s: %+v", d.What, d)
		}
	}
}

// Two texts from the same state have the same dice, so that what they differ by for certain has no ±, and the
// session stays as it was. What each reports first is compared, whatever it is called.
func TestCompareFrom(t *testing.T) {
	s := interp.NewSession(interp.Config{Seed: 7})
	if err := s.Exec(context.Background(), lang.NewSource("", "let more = 3")); err != nil {
		t.Fatal(err)
	}
	once, more := lang.NewSource("", "(throw 3d6).sum"), lang.NewSource("", "(throw 3d6).sum + more")
	for range 2 {
		o, err := sim.CompareFrom(context.Background(), s, once, more, sim.CompareConfig{Trials: 200})
		if err != nil {
			t.Fatal(err)
		}
		want := sim.Difference{What: "(throw 3d6).sum", Value: o.Rows[0].Value, By: 3, Independent: o.Rows[0].Independent}
		if len(o.Rows) != 1 || o.Rows[0] != want || math.Abs(want.Value[0]-10.5) > 1 || o.Trials != 200 || o.Seed != 7 {
			t.Errorf("%+v", o)
		}
	}
}
