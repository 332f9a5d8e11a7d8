package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"setpiece/cmd/internal/files"
)

// A command that goes on for long after an interrupt is left, but not before a file that
// it writes is written.
func TestPromptly(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	a := &app{}
	failed := errors.New("failed")
	if err := a.promptly(ended, func() error { return failed }); err != failed {
		t.Errorf("what ends by itself: %v", err)
	}
	path := filepath.Join(t.TempDir(), "figures")
	begun, forever := make(chan bool), make(chan bool)
	defer close(forever)
	working, interrupt := context.WithCancel(context.Background())
	go func() { <-begun; interrupt() }()
	err := a.promptly(working, func() error {
		err := files.Write(path, &a.seen, func(o *files.Output) error {
			close(begun)
			<-working.Done()
			_, err := o.WriteString("all of them")
			return err
		})
		<-forever
		return err
	})
	if !errors.Is(err, errLeft) {
		t.Errorf("what goes on: %v", err)
	}
	text, err := os.ReadFile(path)
	left, _ := os.ReadDir(filepath.Dir(path))
	if string(text) != "all of them" || len(left) != 1 {
		t.Errorf("the file holds %q (%v); the folder has %v", text, err, left)
	}
}

// What may be formatted has the bound on the length of a script.
func TestFormatLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.scene")
	if err := os.WriteFile(path, []byte("print  1\nprint  2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := call("fmt", "--limit", "source=17", path); status != statusWrong || !strings.Contains(errs, "is longer than 17 bytes") || !strings.Contains(errs, "--limit source=VALUE changes this limit") {
		t.Errorf("%d %s", status, errs)
	}
	if status, out, errs := call("fmt", "--limit", "source=18", path); status != statusDone || out != "print 1\nprint 2\n" {
		t.Errorf("%d %q %s", status, out, errs)
	}
}
