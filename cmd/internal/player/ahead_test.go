package player

import (
	"slices"
	"testing"
)

// A single key ends what is shown and is no more than that; what is more than a key is
// kept, line by line.
func TestTypedAhead(t *testing.T) {
	for keys, want := range map[string][]string{
		"":                      nil,
		"q":                     nil,
		"\r":                    nil,
		" ":                     nil,
		"\x1b[A":                nil,
		"no":                    {"no"},
		"y\r":                   {"y"},
		"attack Fang\r":         {"attack Fang"},
		"attack Fang\ry\r":      {"attack Fang", "y"},
		"attack Fang\rn":        {"attack Fang", "n"},
		"atack\x7f\x7f\x7ftack": {"attack"},
		"wrong\x15right":        {"right"},
		"ye\x1b[Ds":             {"yes"},
		"attack\x03":            nil,
		"Zoë: ruf":              {"Zoë: ruf"},
	} {
		if got := TypedAhead(keys); !slices.Equal(got, want) {
			t.Errorf("%q is %q, want %q", keys, got, want)
		}
	}
}
