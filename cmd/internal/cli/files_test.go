package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A program is no script with many mistakes; a text with one bad letter is.
func TestFileIsNoText(t *testing.T) {
	name := filepath.Join(t.TempDir(), "dice")
	for text, want := range map[string]string{
		"\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 40):                                   "setpiece: " + name + " is no text, so it cannot be a script\n",
		"print 1\n\x00 is one zero, and there is more of this text to read, which is long\n": name + ":2:",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, errs strings.Builder
		if status := Main([]string{"run", name}, strings.NewReader(""), &out, &errs); status != 2 || !strings.HasPrefix(errs.String(), want) {
			t.Errorf("status %d, %s", status, &errs)
		}
	}
}
