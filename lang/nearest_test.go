package lang

import "testing"

func TestNearest(t *testing.T) {
	words := []string{"link", "vs", "spend", "benefit", "quality", "OOZING_PUNCH", "Valorus", "if", "Sludge Lord"}
	for word, want := range map[string]string{
		"lnik":         "link",
		"linkk":        "link",
		"lin":          "link",
		"ln":           "",
		"sv":           "vs",
		"v":            "",
		"OOZING_PUNHC": "OOZING_PUNCH",
		"oozing_punch": "OOZING_PUNCH",
		"Valoris":      "Valorus",
		"valorus":      "Valorus",
		"benifit":      "benefit",
		"Slugde Lord":  "Sludge Lord",
		"quantity":     "quality",
		"something":    "",
		"":             "",
	} {
		got, ok := Nearest(word, words)
		if got != want || ok != (want != "") {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"abc", "abc", 0}, {"", "abc", 3}, {"abc", "acb", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3},
		{"über", "uber", 1},
	}
	for _, tt := range tests {
		if got := distance([]rune(tt.a), []rune(tt.b)); got != tt.want {
			t.Errorf("%s and %s: got %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := distance([]rune(tt.b), []rune(tt.a)); got != tt.want {
			t.Errorf("%s and %s: got %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}
