package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"setpiece/interp"
	"setpiece/stdlib"
)

// A quick reference is two pages of plain text, of 68 lines each: so many of 100 columns
// a page of A4 or Letter holds in letters of 9 points.
func TestQuickFitsOnTwoPages(t *testing.T) {
	const lines, columns = 136, 100
	for _, system := range interp.NewSession(interp.Config{Modules: stdlib.FS}).Available() {
		if _, err := stdlib.FS.Open(system + "/quick.md"); err != nil {
			continue
		}
		file := filepath.Join(t.TempDir(), "quick.txt")
		if status, _, errs := call("doc", "quick", system, "-o", file); status != 0 {
			t.Error(errs)
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if runewidth.StringWidth(strings.TrimRight(line, "\n")) > columns {
				t.Errorf("%s: wider than %d: %s", system, columns, line)
			}
		}
		if n := strings.Count(string(text), "\n"); n > lines {
			t.Errorf("%s: it has %d lines, and %d fit on two pages", system, n, lines)
		}
	}
}
