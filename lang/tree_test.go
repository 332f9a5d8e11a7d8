package lang

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTrees shows the trees of single lines.
func TestTrees(t *testing.T) {
	path := filepath.Join("..", "testdata", "lang", "trees.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "    ") {
			continue
		}
		b.WriteString(line)
		f, diags := Parse(NewSource("", strings.TrimSuffix(line, "\n")))
		for _, s := range f.Stmts {
			b.WriteString("    " + dump(s) + "\n")
		}
		for _, d := range diags {
			b.WriteString("    " + d.Error() + "\n")
		}
	}
	golden(t, path, b.String())
}
