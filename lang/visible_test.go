package lang

import "testing"

func TestVisible(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"plain, with\ttab and\nnewline", "plain, with\ttab and\nnewline"},
		{"é ß 中 🎲 « » …", "é ß 中 🎲 « » …"},
		{"\x1b[2J", "�[2J"},
		{"a\rb\x00c\x7fd", "a�b�c�d"},
		{"\u009b1m", "�1m"},
		{"\u202eevil\u2066", "�evil�"},
		{"go\u200bon go\u200don go\u00adon \ufeff", "go�on go�on go�on �"},
		{"👩\u200d🚀 می\u200cخواهم", "👩\u200d🚀 می\u200cخواهم"},
		{"👩\u200d", "👩�"},
		{"a\u2028b\u2029c", "a�b�c"},
		{"\U000E0041\u3164", "��"},
		{"\xff\xfe", "��"},
		{"", ""},
	} {
		if got := Visible(c.text); got != c.want {
			t.Errorf("%q: %q, not %q", c.text, got, c.want)
		}
	}
}
