package interp_test

import (
	"math"
	"testing"

	"setpiece/interp"
	"setpiece/interp/danger"
	"setpiece/interp/goals"
	"setpiece/interp/why"
	"setpiece/lang"
)

// A word that is a variable of the script is what it is, and any other an outcome: 4 of 6 faces are
// 3 or more. A goal of the script that names no verb is what the script is about.
func TestGoalsThatAreOneWord(t *testing.T) {
	for text, goal := range map[string]string{
		"let won = (throw d6).face >= 3":                                               "won",
		"verb go without actor { do { if (throw d6).face >= 3 { outcome won } } }\ngo": "won",
		"let home = (throw d6).face >= 3\ngoal back \"they get home\" = home":          "",
	} {
		src, s := lang.NewSource("", text), interp.NewSession(interp.Config{})
		g, err := goals.Of(t.Context(), s, src, goal)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		r, err := danger.MakeReport(t.Context(), interp.Config{}, src, danger.Config{Goal: goal, Trials: 100})
		if err != nil || math.Abs(r.Goals[0].P-2.0/3) > 1e-9 || r.Goals[0].Name != g.Name {
			t.Errorf("%s: %v, %+v", text, err, r.Goals)
		}
		w, err := why.Of(t.Context(), s, src, why.Config{Goal: g.Name})
		if err != nil || math.Abs(w.Value-2.0/3) > 1e-9 {
			t.Errorf("why of %s: %v, %+v", text, err, w)
		}
	}
}
