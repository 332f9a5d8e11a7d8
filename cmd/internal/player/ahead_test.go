package player

import "testing"

// A single key ends what is shown and is no more than that; what is more than a key counts
// as it was typed.
func TestTypedAhead(t *testing.T) {
	for keys, want := range map[string]string{
		"":                  "",
		"q":                 "",
		"ë":                 "",
		"\r":                "",
		"\r\r":              "",
		" ":                 "",
		"\x1b[A":            "",
		"no":                "no",
		"y\r":               "y\r",
		"\ry\r":             "y\r",
		"\rq":               "",
		"attack Fang\ry\r":  "attack Fang\ry\r",
		"attack Fang\rn":    "attack Fang\rn",
		"atack\x7f\x7ftack": "atack\x7f\x7ftack",
		"ye\x1b[Ds":         "ye\x1b[Ds",
		"attack\x03":        "",
		"attack\r\x03n\r":   "",
		"Zoë: ruf":          "Zoë: ruf",
	} {
		if got := TypedAhead(keys); got != want {
			t.Errorf("%q is %q, want %q", keys, got, want)
		}
	}
}
