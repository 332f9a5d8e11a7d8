//go:build unix

package journal

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe in the place of a journal is not waited for.
func TestPipeForJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session-1.jsonl")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Error(err)
	}
}
