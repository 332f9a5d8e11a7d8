package repl

import (
	"testing"

	"setpiece/cmd/internal/style"
)

// A long prompt is broken between words, and the last line has room for an answer.
func TestSplitPrompt(t *testing.T) {
	faint := style.Clean(style.New(true).Faint("[attack the Snowmen with a sledge]"))
	for _, c := range []struct{ prompt, above, line string }{
		{"> ", "", "> "},
		{"Maja: Spend a Drama Point? [y/N] ", "Maja: Spend a Drama Point?\n", "  [y/N] "},
		{"Maja> " + faint + " ", "Maja> \x1b[2m[attack the Snowmen\x1b[0m\n", "\x1b[2m  with a sledge]\x1b[22m "},
	} {
		above, line := splitPrompt(c.prompt, 40)
		if above != c.above || line != c.line {
			t.Errorf("%q is %q and %q", c.prompt, above, line)
		}
	}
}
