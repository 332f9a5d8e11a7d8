package interp_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/transcript"
	"setpiece/lang"
	"setpiece/stdlib"
)

// onScreen takes every default, or the answers it was given, and keeps what was on the
// screen when somebody was asked: the lines since the question before, and the question.
type onScreen struct {
	out     strings.Builder
	seen    map[string]bool     // the decisions that are not shown again; nil: all are shown
	answers map[string][]string // of a decision, in their order; the last is given again
	shown   strings.Builder
}

func (o *onScreen) Choose(_ context.Context, q interp.Question) (int, error) {
	lines := o.out.String()
	if o.seen[q.Name] {
		return q.Default, nil
	}
	if o.seen != nil {
		o.seen[q.Name] = true
	}
	// What led to it begins with the group that is open, or a few lines above.
	var above []string
	for line := range strings.Lines(lines) {
		if line != "\n" && line[0] != ' ' {
			above = nil
		}
		above = append(above, line)
	}
	most := 12
	if o.seen == nil {
		most = 3 // the others were shown with the question before
	}
	if n := len(above); n > most {
		above = append([]string{"…\n"}, above[n-most:]...)
	}
	cost := ""
	if q.Cost != "" {
		cost = " " + q.Cost + ", " + q.Left + " left after it."
	}
	options := slices.Clone(q.Options)
	for i, note := range q.Notes {
		options[i] = strings.TrimSpace(options[i] + "  " + note)
	}
	fmt.Fprintf(&o.shown, "## %s\n%s%s: %s%s [%s]\n\n", q.Name, strings.Join(above, ""), q.Who, q.Prompt, cost, strings.Join(options, " | "))
	return o.answer(q), nil
}

func (o *onScreen) answer(q interp.Question) int {
	list := o.answers[q.Name]
	if len(list) == 0 {
		return q.Default
	}
	if len(list) > 1 {
		o.answers[q.Name] = list[1:]
	}
	if i := slices.Index(q.Options, list[0]); i >= 0 {
		return i
	}
	return q.Default
}

// TestOnScreen plays the encounters that ship, each with somebody who decides
// everything that no tactics decide, and shows what is on the screen at each decision
// when it comes for the first time. Of a scene in testdata/questions it shows every
// question; there its lines "on DECISION: ANSWER" are what somebody answers.
func TestOnScreen(t *testing.T) {
	for _, module := range []string{"cah", "clichenimatic", "firefly", "marvel", "unisystem"} {
		t.Run(module, func(t *testing.T) {
			files, _ := filepath.Glob("../scripts/" + module + "/*.scene")
			first := &onScreen{seen: map[string]bool{}}
			first.play(t, files)
			golden(t, filepath.Join("..", "testdata", "questions", module+".out"), first.shown.String())
			files, _ = filepath.Glob("../testdata/questions/" + module + "*.scene")
			for _, file := range files {
				every := &onScreen{answers: answersIn(t, file)}
				every.play(t, []string{file})
				golden(t, strings.TrimSuffix(file, ".scene")+"_asked.out", every.shown.String())
			}
		})
	}
}

func (o *onScreen) play(t *testing.T, files []string) {
	t.Helper()
	for _, file := range files {
		text := transcript.NewText(&o.out, transcript.Options{Seen: true})
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Folder: os.DirFS(filepath.Dir(file)), Seed: 7, Choice: o, Events: text.Event})
		if err := s.Exec(t.Context(), undecided(t, file)); err != nil {
			t.Fatal(failed(err))
		}
		if err := text.Flush(); err != nil {
			t.Fatal(err)
		}
	}
}

// answersIn gives what the lines "on DECISION: ANSWER" of a scene say, by decision.
func answersIn(t *testing.T, file string) map[string][]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string][]string{}
	for line := range strings.Lines(string(data)) {
		if name, answer, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && strings.HasPrefix(name, "on ") {
			answers[name[3:]] = append(answers[name[3:]], answer)
		}
	}
	return answers
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
