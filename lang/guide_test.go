package lang_test

import (
	"testing"

	"setpiece/lang"
)

// A game that the page of dice speaks of is found by its name, and no other word of the page is.
func TestDiceQuestion(t *testing.T) {
	if q, ours := lang.DiceQuestion("risk"); q != "the losses of a defender in Risk" || ours != "3d6.exceeding(throw 2d6)" {
		t.Errorf("risk: %s: %s", q, ours)
	}
	for _, word := range []string{"attack", "best", "", "four"} {
		if q, _ := lang.DiceQuestion(word); q != "" {
			t.Errorf("%s is found in %s", word, q)
		}
	}
}
