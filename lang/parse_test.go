package lang

import (
	"os"
	"path/filepath"
	"testing"
)

// corpus are the sources that every law is tested with.
func corpus(t testing.TB) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, pattern := range []string{"*.scene", "*.rules"} {
		paths, err := filepath.Glob(filepath.Join("..", "testdata", "lang", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files[filepath.Base(path)] = string(text)
		}
	}
	if len(files) == 0 {
		t.Fatal("no corpus")
	}
	return files
}

func TestCorpusParses(t *testing.T) {
	for name, text := range corpus(t) {
		_, diags := Parse(NewSource(name, text))
		for _, d := range diags {
			t.Error(d)
		}
	}
}
