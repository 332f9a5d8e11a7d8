package pager

import (
	"bytes"
	"strings"
	"testing"
)

func TestFits(t *testing.T) {
	for _, tt := range []struct {
		text          string
		width, height int
		want          bool
	}{
		{"", 80, 24, true},
		{strings.Repeat("x\n", 23), 80, 24, true},
		{strings.Repeat("x\n", 24), 80, 24, false},
		{strings.Repeat("x", 80) + "\n", 80, 2, true},
		{strings.Repeat("x", 81) + "\n", 80, 2, false}, // two rows and the prompt
		{strings.Repeat("忍", 41) + "\n", 80, 2, false}, // each is two cells wide
	} {
		if got := fits(tt.text, tt.width, tt.height); got != tt.want {
			t.Errorf("%.10q… of %d bytes on %d x %d: %v", tt.text, len(tt.text), tt.width, tt.height, got)
		}
	}
}

func TestProgram(t *testing.T) {
	cmd := program(func(name string) string { return map[string]string{"PAGER": "more -s  -x"}[name] })
	if got := strings.Join(cmd.Args, "|"); got != "more|-s|-x" {
		t.Error(got)
	}
}

// What does not go to a terminal is written as it is, however long.
func TestNoTerminal(t *testing.T) {
	t.Setenv("PAGER", "false")
	var b bytes.Buffer
	long := strings.Repeat("a line\n", 500)
	if err := Show(&b, long); err != nil || b.String() != long {
		t.Errorf("%v, %d bytes", err, b.Len())
	}
}
