package transcript

import (
	"testing"

	"setpiece/interp"
)

// What somebody had until a scene ended is said in brief, too; what came back to
// nothing by itself, and what is only counted, is not.
func TestLossesInBrief(t *testing.T) {
	change := func(who, field, from, to string, end bool) *interp.Event {
		return &interp.Event{Kind: interp.EventChange, Who: who, Field: field, From: from, To: to, Reset: "scene", End: end}
	}
	list := []*interp.Event{
		change("Ann", "assets", `{"HIGH_GROUND": d6, "ROPE": d8}`, "{}", true),
		change("Ann", "luck", "1", "3", true),
		change("Bob", "assets", "{}", "{}", true),
	}
	if got, want := lossWords(list), "end of scene: Ann has no more HIGH GROUND d6, ROPE d8"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := lossWords([]*interp.Event{change("Ann", "assets", `{"ROPE": d8}`, "{}", false)}); got != "" {
		t.Errorf("%q at the beginning of a scene", got)
	}
}
