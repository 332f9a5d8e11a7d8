package lang

import "testing"

func TestPosition(t *testing.T) {
	src := NewSource("x", "ab\n\tc\n日本 d\r\n\ne\u0301f")
	tests := []struct {
		off  int
		want Position
	}{
		{0, Position{1, 1, 1}},
		{2, Position{1, 3, 3}},
		{3, Position{2, 1, 1}},
		{4, Position{2, 5, 2}},  // behind a tab
		{13, Position{3, 6, 4}}, // behind two wide runes and a blank
		{16, Position{4, 1, 1}},
		{20, Position{5, 2, 3}}, // behind a combining accent
		{99, Position{5, 3, 4}},
		{-1, Position{1, 1, 1}},
	}
	for _, tt := range tests {
		if got := src.Position(tt.off); got != tt.want {
			t.Errorf("offset %d: got %+v, want %+v", tt.off, got, tt.want)
		}
	}
}

func TestLine(t *testing.T) {
	src := NewSource("x", "a\nb\r\n\nlast\n")
	for n, want := range map[int]string{0: "", 1: "a", 2: "b", 3: "", 4: "last", 5: "", 6: ""} {
		if got := src.Line(n); got != want {
			t.Errorf("line %d: got %q, want %q", n, got, want)
		}
	}
	if got := src.Lines(); got != 4 {
		t.Errorf("got %d lines, want 4", got)
	}
}
