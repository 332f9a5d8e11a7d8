package player

import (
	"slices"
	"testing"
)

// A row of the table keeps its place and loses its end; what is told below it goes on in
// the next line.
func TestFit(t *testing.T) {
	got := fit([]string{"", "      roll      win", "no    50.00 %   25.00 %", "the check goes your way; your side wins"}, 22)
	want := []string{"", "      roll      win", "no    50.00 %   25.00…", "the check goes your", "way; your side wins"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
