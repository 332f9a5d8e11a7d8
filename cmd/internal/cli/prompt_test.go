package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What an editor leaves behind is read if it is a file that could be a script: neither a pipe,
// which would never end, nor something endless.
func TestEditor(t *testing.T) {
	for what, tt := range map[string]struct{ script, want, wrong string }{
		"a text": {`echo "print 2" > "$1"`, "print 2\n", ""},
		"a pipe": {`rm "$1" && mkfifo "$1"`, "", "it is not a regular file"},
		"much":   {`truncate -s 17M "$1"`, "", "it is longer than 16 MiB"},
	} {
		path := filepath.Join(t.TempDir(), "editor")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+tt.script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		text, err := editor(func(name string) string { return map[string]string{"EDITOR": path}[name] })("print 1\n")
		if text != tt.want || (err == nil) != (tt.wrong == "") || err != nil && !strings.Contains(err.Error(), tt.wrong) {
			t.Errorf("%s: %q, %v", what, text, err)
		}
	}
}
