package cli

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/style"
	"setpiece/interp/evening"
)

// What a game master enters behind a script is no file that can be changed.
func TestChangedSince(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "bog.scene")
	os.WriteFile(script, []byte("use cah\n"), 0o600)
	var told bytes.Buffer
	a := &app{ctx: t.Context(), out: bufio.NewWriter(io.Discard), outTo: style.NewWriter(io.Discard), errTo: style.NewWriter(&told)}
	past := &journal.Content{
		Head:    journal.Head{Folder: dir, Digest: a.digest(script)},
		Entries: []evening.Entry{{Input: "use cah\n", Name: script}, {Input: "let x = 1"}},
	}
	if a.changedSince(past); told.Len() > 0 {
		t.Errorf("nothing has changed: %s", &told)
	}
	os.WriteFile(script, []byte("use firefly\n"), 0o600)
	if a.changedSince(past); told.String() != "changed or gone since you left: bog.scene. You continue with the old text; to begin again with the new one: setpiece play bog.scene\n" {
		t.Errorf("the script has: %q", &told)
	}
}
