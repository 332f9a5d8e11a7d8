package records

import (
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/odds"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// A loop for which odds are slow is told before what they come to.
func TestSlowOdds(t *testing.T) {
	var out strings.Builder
	text := "let a = throw 7d6; let b = throw 7d6; report count i in 1..7 where a[8 - i] > b[i]"
	law, err := odds.LawOf(t.Context(), interp.NewSession(interp.Config{}), lang.NewSource("", text), odds.Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	All(transcript.NewJSON(&out, false), law)
	if lines := strings.Split(out.String(), "\n"); !strings.Contains(lines[1], `"severity":"warning"`) || !strings.Contains(lines[1], "SP0143") {
		t.Error(lines[1])
	}
}
