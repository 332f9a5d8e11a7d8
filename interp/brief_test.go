package interp_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/transcript"
	"setpiece/stdlib"
)

// TestInBrief plays a scene of each system in brief: a line for each exchange, in the words
// that its rules have for it, and how everybody stands where a round ends.
func TestInBrief(t *testing.T) {
	files, err := filepath.Glob("../testdata/brief/*.scene")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no scenes: ", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".scene")
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			text := transcript.NewText(&out, transcript.Options{Brief: true})
			s := interp.NewSession(interp.Config{Modules: stdlib.FS, Folder: os.DirFS(filepath.Dir(file)), Events: text.Event, Standings: true})
			if err := s.Exec(context.Background(), scene(t, file)); err != nil {
				t.Fatal(failed(err))
			}
			if err := text.Flush(); err != nil {
				t.Fatal(err)
			}
			endsWell(t, played{session: s, text: out.String()})
			golden(t, strings.TrimSuffix(file, ".scene")+".out", out.String())
		})
	}
}
