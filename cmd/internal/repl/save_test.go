package repl

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// TestSavedEvenings: what is saved is what was played. Somebody types the statements of a scene of
// each system, answers by chance, hands people over and takes them back, takes back and gives
// again, throws their own dice and saves; running what was saved gives the state, and tells the same.
func TestSavedEvenings(t *testing.T) {
	scenes, err := filepath.Glob("../../../scripts/*/*.scene")
	if err != nil || len(scenes) < 14 {
		t.Fatalf("%v: %q", err, scenes)
	}
	rounds := 1
	if longTests {
		rounds = 10
	}
	for i, path := range scenes {
		for k := range rounds {
			if !longTests && i%part != 0 {
				continue
			}
			t.Run(fmt.Sprint(filepath.Base(path), k), func(t *testing.T) {
				t.Parallel()
				savedEvening(t, path, uint64(i*1000+k))
			})
		}
	}
}

func savedEvening(t *testing.T, path string, seed uint64) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "saved.scene")
	var out strings.Builder
	who := &whim{r: rand.New(rand.NewPCG(seed, 1)), entries: append(statements(string(text)), ":save "+file), out: &out, left: 60}
	l := New(Config{Lines: who, Out: &out, Session: interp.Config{Modules: stdlib.FS, Seed: seed}, Quiet: true})
	if err := l.Run(); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if strings.Contains(out.String(), "warning: running it") {
		t.Fatalf("typed:\n%s\n\n%s\n\n%s", strings.Join(who.typed, "\n"), tail(out.String()), script)
	}
	again := interp.NewSession(interp.Config{Modules: stdlib.FS})
	if err := again.Exec(t.Context(), lang.NewSource("saved.scene", string(script))); !stays(err) {
		t.Fatal(err)
	}
	want, _ := l.sess.State("")
	got, _ := again.State("")
	if d := firstDifference(want, got); d != "" {
		t.Errorf("%s\ntyped:\n%s\n%s", d, strings.Join(who.typed, "\n"), script)
	}
}

func tail(s string) string { return s[max(0, len(s)-600):] }

// statements gives the statements of a script one by one.
func statements(text string) (out []string) {
	f, _ := lang.Parse(lang.NewSource("", text))
	for _, s := range f.Stmts {
		at := s.Range()
		out = append(out, text[at.Start:at.End])
	}
	return out
}

// whim types entries in order, and at questions whatever comes to mind.
type whim struct {
	r       *rand.Rand
	entries []string
	typed   []string
	out     *strings.Builder
	left    int // answers, then tactics go on alone
}

func (w *whim) Remember(string) {}

func (w *whim) ReadLine(p string) (string, error) {
	line := w.next(p)
	w.typed = append(w.typed, line)
	return line, nil
}

func (w *whim) next(p string) string {
	if strings.HasPrefix(p, prompt) {
		switch n := w.r.IntN(30); {
		case len(w.entries) == 1 || n > 4:
		default:
			return []string{":dice roll", ":auto all", ":ask all", ":undo\n:redo", ":seed 5"}[n]
		}
		if len(w.entries) == 0 {
			return ":quit"
		}
		e := w.entries[0]
		w.entries = w.entries[1:]
		return e
	}
	w.left--
	switch n := w.r.IntN(60); {
	case w.left < 0:
		return ":auto all"
	case w.left == 0:
		return ":dice roll"
	case n == 0:
		return ":undo"
	case n == 1:
		return ":auto all"
	case n == 2:
		return ":ask all"
	case n == 3:
		return ":dice ask"
	case n == 4:
		return ":dice roll"
	case n < 20:
		return ""
	case n < 30:
		return "y"
	}
	var words []string
	for range 1 + strings.Count(p, " d") {
		words = append(words, fmt.Sprint(1+w.r.IntN(4)))
	}
	return words[0]
}
