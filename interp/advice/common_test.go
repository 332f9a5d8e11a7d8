package advice

import "testing"

// A decision that comes up with other numbers each time has one prompt for all of them.
func TestPromptsInCommon(t *testing.T) {
	for _, x := range [][3]string{
		{"Re-roll?", "Re-roll?", "Re-roll?"},
		{"The attack is 7 +4: how much?", "The attack is 6 +4: how much?", "The attack is … +4: how much?"},
		{"Counter the 6 with a die of 6 or more?", "Counter the 5 with a die of 5 or more?", "Counter the … with a die of … or more?"},
		{"Who helps?", "Who of the five helps?", "Who … helps?"},
		{"The attack is … +4: how much?", "The attack is 6 +3: how much?", "The attack is … how much?"},
	} {
		if got := inCommon(x[0], x[1]); got != x[2] {
			t.Errorf("%s and %s: %s, not %s", x[0], x[1], got, x[2])
		}
	}
}
