package interp_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"setpiece/interp"
	"setpiece/interp/odds"
	"setpiece/lang"
)

// roundabout goes round so many states until end is true; by symmetry each is as likely in the end.
func roundabout(states, share int, end string) string {
	return fmt.Sprintf(`let c = sum([throw d%[1]d])
let go = 1
while go == 1 {
  c = c + sum([throw d3])
  if c > %[1]d { c -= %[1]d }
  %[3]s
}
report c < %[2]d as low`, states, share, end)
}

const (
	seldom  = "if sum([throw d1000]) == 1 { if sum([throw d1000]) == 1 { go = 0 } }"
	mostly  = "if sum([throw d20]) > 1 { go = 0 }"
	someday = "if sum([throw d100]) == 1 { if sum([throw d100]) == 1 { if sum([throw d100]) == 1 { go = 0 } } }"
)

func TestOddsOfLargeLoopsAreFractions(t *testing.T) {
	o := oddsIn(t, session(t, ""), roundabout(620, 62, mostly), odds.Config{Exact: true})
	equalLaws(t, joint(t, o, "low"), map[string]*big.Rat{"yes": big.NewRat(61, 620), "no": big.NewRat(559, 620)})
}

func TestFractionsThatTakeTooMuchAreNotGiven(t *testing.T) {
	s := session(t, "")
	_, err := odds.Of(t.Context(), s, lang.NewSource("", roundabout(620, 62, mostly)), odds.Config{Exact: true, Memory: 3 << 20})
	if re, ok := err.(*interp.RunError); !ok || re.Over != interp.OverMemory {
		t.Errorf("%v", err)
	}
}

func TestOddsOfLoopsThatHardlyEnd(t *testing.T) {
	o := oddsIn(t, session(t, ""), roundabout(610, 62, seldom), odds.Config{})
	if o.Remainder != 0 {
		t.Errorf("%v is left", o.Remainder)
	}
	for _, p := range o.Distribution(0).Points {
		want := 0.1
		if p.Shown == "no" {
			want = 0.9
		}
		if math.Abs(p.P-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", p.Shown, p.P, want)
		}
	}
}

// Whoever may go on for a million rounds stops where it is best.
func TestBestAnswersInLoopsThatHardlyEnd(t *testing.T) {
	const scene = "use cah\nhero Nova { star 3; PUNCH 4 }"
	o := oddsIn(t, session(t, scene), `let n = 0
let go = 1
while go == 1 {
  `+someday+`
  let d = choose step by Nova from [0, 1, 2] "Which?" default 0
  n += d
  if n > 4 { n -= 5 }
}
report n`, odds.Config{Best: []string{"Nova"}, Goal: "n == 3"})
	if want := 1 - 1e-6; math.Abs(o.Value-want) > 1e-13 || o.Remainder != 0 {
		t.Errorf("the value is %v, want %v; %v is left", o.Value, want, o.Remainder)
	}
	// what only leads back to the same state is not taken, though it is worth as much
	o = oddsIn(t, session(t, scene), `let n = 0
while n == 0 {
  let d = choose step by Nova from [0, 1] "Which?" default 0
  if d == 1 { n = sum([throw d6]) }
}
report n`, odds.Config{Best: []string{"Nova"}, Goal: "n == 3"})
	if math.Abs(o.Value-1.0/6) > 1e-15 || o.Remainder != 0 || len(o.Ends) != 6 {
		t.Errorf("the value is %v, %v is left, %d ends", o.Value, o.Remainder, len(o.Ends))
	}
}
