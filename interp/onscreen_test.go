package interp_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/interp/transcript"
	"setpiece/lang"
	"setpiece/stdlib"
)

// onScreen takes every default and keeps, for each decision, what was on the screen
// the first time it was asked, or each time: the lines since the question before, and the question.
type onScreen struct {
	out   strings.Builder
	each  bool
	seen  map[string]bool
	shown strings.Builder
}

func (o *onScreen) Choose(_ context.Context, q interp.Question) (int, error) {
	lines := o.out.String()
	if o.seen[q.Name] && !o.each {
		return q.Default, nil
	}
	o.seen[q.Name] = true
	// What led to it begins with the group that is open, or a few lines above.
	var above []string
	for line := range strings.Lines(lines) {
		if line != "\n" && line[0] != ' ' {
			above = nil
		}
		above = append(above, line)
	}
	if n := len(above); n > 12 {
		above = append([]string{"…\n"}, above[n-12:]...)
	}
	cost := ""
	if q.Cost != "" {
		cost = " " + q.Cost + ", " + q.Left + " left after it."
	}
	fmt.Fprintf(&o.shown, "## %s\n%s%s: %s%s [%s]\n\n", q.Name, strings.Join(above, ""), q.Who, q.Prompt, cost, strings.Join(q.Options, " | "))
	return q.Default, nil
}

// TestOnScreen plays the encounters that ship, each with somebody who decides
// everything that no tactics decide, and shows what is on the screen at each decision
// when it comes for the first time. In the scenes of testdata/questions it shows every decision.
func TestOnScreen(t *testing.T) {
	for _, module := range []string{"cah", "clichenimatic", "firefly", "marvel", "unisystem"} {
		t.Run(module, func(t *testing.T) {
			shipped, _ := filepath.Glob("../scripts/" + module + "/*.scene")
			more, _ := filepath.Glob("../testdata/questions/" + module + "_*.scene")
			o := &onScreen{seen: map[string]bool{}}
			for i, file := range append(shipped, more...) {
				if o.each = i >= len(shipped); o.each {
					fmt.Fprintf(&o.shown, "# %s\n\n", filepath.Base(file))
				}
				text := transcript.NewText(&o.out, transcript.Options{Seen: true})
				s := interp.NewSession(interp.Config{Modules: stdlib.FS, Folder: os.DirFS(filepath.Dir(file)), Seed: 7, Choice: o, Events: text.Event})
				if err := s.Exec(t.Context(), undecided(t, file)); err != nil {
					t.Fatal(failed(err))
				}
				if err := text.Flush(); err != nil {
					t.Fatal(err)
				}
			}
			golden := filepath.Join("..", "testdata", "questions", module+".out")
			if *update {
				if err := os.WriteFile(golden, []byte(o.shown.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), o.shown.String()); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// undecided is a script whose tactics decide nothing: without its lines "on …: …", and
// without what it expects and reports.
func undecided(t *testing.T, file string) *lang.Source {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(data)) {
		word := strings.TrimSpace(line)
		if strings.HasPrefix(word, "on ") || strings.HasPrefix(word, "expect ") {
			line = "\n"
		}
		b.WriteString(line)
	}
	return lang.NewSource(file, b.String())
}
