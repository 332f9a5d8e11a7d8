package cli

import (
	"strings"
	"testing"
)

func TestLimitsTakeCommas(t *testing.T) {
	for arg, want := range map[string]struct {
		steps int64
		dice  int64
		depth int
	}{
		"steps=200,000,000":             {200_000_000, 0, 0},
		"steps=1,500,dice=20,000":       {1500, 20_000, 0},
		"steps=1500,depth=50,dice=2000": {1500, 2000, 50},
		"depth=1,000":                   {0, 0, 1000},
		"steps=1e9":                     {1_000_000_000, 0, 0},
	} {
		var l limits
		if err := l.Set(arg); err != nil || l.Steps != want.steps || l.Dice != want.dice || l.Depth != want.depth {
			t.Errorf("%s gives steps %d, dice %d, depth %d, error %v", arg, l.Steps, l.Dice, l.Depth, err)
		}
	}
	for _, arg := range []string{"steps=20,00", "steps=2000,000", "steps=,500", "500", "steps=1,000,"} {
		var l limits
		if l.Set(arg) == nil {
			t.Errorf("%s is taken as steps %d", arg, l.Steps)
		}
	}
}

// The example of each limit, on its page and in help, is one that works.
func TestExamplesOfLimits(t *testing.T) {
	n := 0
	for _, topic := range programTopics((&app{}).root()) {
		if topic.Kind != "limit" {
			continue
		}
		n++
		_, arg, ok := strings.Cut(topic.Example, "--limit ")
		arg, _, _ = strings.Cut(arg, " ")
		var l limits
		if err := l.Set(arg); !ok || err != nil {
			t.Errorf("%s: %v", topic.Example, err)
		}
	}
	if n != len(theLimits()) {
		t.Errorf("%d of %d limits have a page", n, len(theLimits()))
	}
}
