package repl

import (
	"regexp"
	"testing"

	"setpiece/cmd/internal/style"
)

// The mark by which a Writer knows the program's own colours stays inside: a line that is
// being typed goes to the terminal without one.
func TestPaintedLinesHaveNoMark(t *testing.T) {
	term := &Terminal{palette: style.New(true)}
	term.editor.Kind = func(string) string { return "verb" }
	line := "roll 7 { x } # so"
	painted := string(term.Paint([]rune(line), 3))
	if style.Plain(painted) != line || painted == line {
		t.Errorf("%q is painted as %q", line, painted)
	}
	if long := regexp.MustCompile(`\x1b\[\d{3,}`).FindString(painted); long != "" {
		t.Errorf("%q has the mark %q", painted, long)
	}
}
