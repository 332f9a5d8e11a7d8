//go:build unix

package files

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A pipe of the script's folder is refused without waiting for its other end; one
// that the user names is waited for until they interrupt it.
func TestPipes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p.rules")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := fs.ReadFile(Folder(dir, nil), "p.rules"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("of the folder: %v", err)
	}
	if _, err := Create(path, nil); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("to be written: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := ReadFile(ctx, path, MaxScript, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("named by the user: %v", err)
	}
}
