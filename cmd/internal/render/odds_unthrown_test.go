package render

import (
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/dist"
)

// Dice that nobody throws have one value; what throws them is told beside it.
func TestOddsOfUnthrownDice(t *testing.T) {
	shown := func(v interp.Value) string {
		var b strings.Builder
		(&Odds{Distributions: []*dist.Distribution{{Name: "r", Points: []dist.Point{{Shown: "x", Data: v, P: 1}}}}}).Write(&b)
		return b.String()
	}
	const cure = "odds (throw r).sum"
	die := interp.Die{Size: 6}
	if !strings.Contains(shown(interp.Value{Is: die}), cure) || !strings.Contains(shown(interp.Value{Is: []interp.Value{{Is: die}}}), cure) {
		t.Error("what throws the dice is not told")
	}
	if die.Face = 3; strings.Contains(shown(interp.Value{Is: die}), cure) {
		t.Error("a die that fell is to be thrown")
	}
}
