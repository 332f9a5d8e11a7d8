package interp_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"setpiece/interp/odds"
	"setpiece/lang"
)

// However early a context ends there are odds, and nothing in them is more than it should be.
func TestOddsByColumnThatAreStopped(t *testing.T) {
	var text strings.Builder
	for i := range 6 {
		fmt.Fprintf(&text, "let n%d = 0\n", i)
	}
	text.WriteString("repeat 60 {\n")
	for i := range 6 {
		fmt.Fprintf(&text, "n%d += sum([throw d6])\n", i)
	}
	text.WriteString("}\nreport n0, n1, n2, n3, n4, n5")
	began := time.Now()
	if _, err := odds.Of(t.Context(), session(t, ""), lang.NewSource("", text.String()), odds.Config{States: 25_000, Trials: 1000, Time: time.Minute}); err != nil {
		t.Fatal(err)
	}
	whole := max(500*time.Millisecond, time.Since(began)) // with the race detector ten times as long
	stopped := 0
	for wait := time.Millisecond; wait < 2*whole; wait = wait*5/4 + time.Millisecond {
		var o *odds.Odds
		var err error
		for range 2 { // a busy machine may not even have compiled the text by then
			s := session(t, "")
			ctx, done := context.WithTimeout(t.Context(), wait)
			o, err = odds.Of(ctx, s, lang.NewSource("", text.String()), odds.Config{States: 25_000, Trials: 1000, Time: time.Minute})
			if done(); err == nil {
				break
			}
		}
		if err != nil {
			if wait > whole {
				t.Errorf("after %v: %v", wait, err)
			}
			continue
		}
		if !o.Stopped {
			continue
		}
		stopped++
		for i := range o.Columns {
			sum, l := 0.0, o.Distribution(i)
			for _, p := range l.Points {
				low, _ := l.Bounds(p)
				sum += low
			}
			if sum > 1+1e-9 || sum+o.Remainder < 1-1e-9 && l.Sampled == nil {
				t.Errorf("after %v: %s: %v, and %v are left", wait, o.Columns[i], sum, o.Remainder)
			}
		}
	}
	if stopped == 0 {
		t.Error("nothing was stopped")
	}
}
