package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"setpiece/cmd/internal/cli"
)

// The notes that ship have no mistakes, pass their tests and are formatted. In the long form
// their results are made again, and are what they were; with -update they are written.
func TestNotes(t *testing.T) {
	found, _ := filepath.Glob("../../scripts/*/*.md")
	if len(found) < 2 {
		t.Fatal("there are no notes")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	calls := [][]string{{"check"}, {"test", "-q"}, {"fmt", "-d"}}
	switch {
	case *update:
		calls = append(calls, []string{"weave", "--fresh"})
	case os.Getenv("SETPIECE_LONG") != "":
		calls = append(calls, []string{"weave", "--fresh", "-d"})
	}
	for _, name := range found {
		t.Run(filepath.Base(name), func(t *testing.T) {
			for _, args := range calls {
				var out bytes.Buffer
				if status := cli.Main(append(args, name), strings.NewReader(""), &out, &out); status != 0 {
					t.Errorf("setpiece %s: exit status %d\n%s", strings.Join(args, " "), status, out.String())
				}
			}
		})
	}
}
