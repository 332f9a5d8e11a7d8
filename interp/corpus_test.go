package interp_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/interp/transcript"
	"setpiece/lang"
	"setpiece/stdlib"
)

var update = flag.Bool("update", false, "write the golden transcripts anew")

// corpusSeed is the seed every scene of the corpus is played with.
const corpusSeed = 7

// corpus lists the scenes that are played in every mode.
func corpus(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"../testdata/cah/*.scene", "../testdata/design/*.scene", "../scripts/*/*.scene"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, files...)
	}
	if len(all) == 0 {
		t.Fatal("there is no corpus")
	}
	return all
}

// play runs a scene in a new session and gives the session with its transcript.
func play(t testing.TB, file string, cfg interp.Config) (*interp.Session, string, error) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := transcript.NewText(&out, transcript.Options{})
	cfg.Modules, cfg.Seed, cfg.Folder = stdlib.FS, corpusSeed, os.DirFS(filepath.Dir(file))
	cfg.Events = w.Event
	s := interp.NewSession(cfg)
	err = s.Exec(context.Background(), lang.NewSource(filepath.Base(file), string(text)))
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return s, out.String(), err
}

// failed makes a readable failure of what Exec gave.
func failed(err error) string {
	var re *interp.RunError
	var ds lang.Diagnostics
	switch {
	case errors.As(err, &re):
		return re.Diag.Format(lang.Palette{})
	case errors.As(err, &ds):
		return ds.Format(lang.Palette{})
	}
	return err.Error()
}

// Every scene ends well and reads as its golden transcript says.
func TestCorpus(t *testing.T) {
	for _, file := range corpus(t) {
		t.Run(strings.TrimPrefix(file, "../"), func(t *testing.T) {
			s, got, err := play(t, file, interp.Config{})
			if err != nil {
				t.Fatal(failed(err))
			}
			if n := s.Faults(); n > 0 {
				t.Fatalf("%d rules were broken\n%s", n, got)
			}
			if left := s.LeftDice(); len(left) > 0 {
				t.Errorf("given dice are left over: %v", left)
			}
			golden := strings.TrimSuffix(file, ".scene") + ".out"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("%s (-want +got; go test -update writes it anew):\n%s", golden, d)
			}
		})
	}
}

// What was played is replayed from its record to the same bytes, and from its
// seed again.
func TestCorpusReplays(t *testing.T) {
	for _, file := range corpus(t) {
		t.Run(strings.TrimPrefix(file, "../"), func(t *testing.T) {
			s, first, err := play(t, file, interp.Config{})
			if err != nil {
				t.Skip("does not run: see TestCorpus")
			}
			again, second, err := play(t, file, interp.Config{})
			if err != nil || first != second {
				t.Fatalf("the same seed gives something else: %v\n%s", err, cmp.Diff(first, second))
			}
			r := s.Record()
			var out bytes.Buffer
			w := transcript.NewText(&out, transcript.Options{})
			replay := interp.NewSession(interp.Config{Modules: stdlib.FS, Folder: os.DirFS(filepath.Dir(file)), Seed: 99, Events: w.Event})
			replay.GiveDice(r.Faces...)
			replay.GiveAnswers(r.Answers...)
			text, _ := os.ReadFile(file)
			if err := replay.Exec(context.Background(), lang.NewSource(filepath.Base(file), string(text))); err != nil {
				t.Fatal(failed(err))
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(state(t, again), state(t, replay)); d != "" {
				t.Errorf("the replay ends in another state:\n%s", d)
			}
			if d := cmp.Diff(withoutAnswerers(first), withoutAnswerers(out.String())); d != "" {
				t.Errorf("the replay reads otherwise:\n%s", d)
			}
		})
	}
}

var answerer = regexp.MustCompile(`(?m)^.*, by (log|default|person).*\n`)

// withoutAnswerers takes out the lines that say who answered a decision: in a
// replay it is always the log.
func withoutAnswerers(s string) string { return answerer.ReplaceAllString(s, "") }

// Whether anybody listens changes nothing.
func TestCorpusUntraced(t *testing.T) {
	for _, file := range corpus(t) {
		t.Run(strings.TrimPrefix(file, "../"), func(t *testing.T) {
			s, _, err := play(t, file, interp.Config{})
			if err != nil {
				t.Skip("does not run: see TestCorpus")
			}
			quiet := interp.NewSession(interp.Config{Modules: stdlib.FS, Folder: os.DirFS(filepath.Dir(file)), Seed: corpusSeed})
			text, _ := os.ReadFile(file)
			if err := quiet.Exec(context.Background(), lang.NewSource(filepath.Base(file), string(text))); err != nil {
				t.Fatal(failed(err))
			}
			if d := cmp.Diff(state(t, s), state(t, quiet)); d != "" {
				t.Errorf("untraced it ends in another state:\n%s", d)
			}
		})
	}
}

func state(t testing.TB, s *interp.Session) []interp.StateLine {
	t.Helper()
	lines, err := s.State("")
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// catalogueFile lists the ids of the module's catalogue, one a line.
const catalogueFile = "../testdata/cah/ids.txt"

// Every id of the catalogue is declared by the module, and every one is named
// by a case that exercises it.
func TestCatalogue(t *testing.T) {
	text, err := os.ReadFile(catalogueFile)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(text))
	if !slices.IsSorted(want) {
		t.Errorf("%s is not sorted", catalogueFile)
	}
	rules, err := interp.NewSession(interp.Config{Modules: stdlib.FS}).Rules("cah")
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]bool{}
	for _, r := range rules {
		declared[r.ID] = true
		if strings.TrimSpace(r.Doc) == "" {
			t.Errorf("%s has no words", r.ID)
		}
	}
	named := casesByID(t)
	for _, id := range want {
		if !declared[id] {
			t.Errorf("%s is not declared", id)
		}
		if len(named[id]) == 0 {
			t.Errorf("%s is named by no case", id)
		}
	}
	for id, files := range named {
		if !declared[id] {
			t.Errorf("%v name %s, which is not declared", files, id)
		}
	}
}

// casesByID reads which case names which ids, from lines "# rules: …".
func casesByID(t *testing.T) map[string][]string {
	t.Helper()
	files, err := filepath.Glob("../testdata/cah/*.scene")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		in := false
		for line := range strings.Lines(string(text)) {
			list, first := strings.CutPrefix(strings.TrimSpace(line), "# rules:")
			if !first {
				rest, more := strings.CutPrefix(strings.TrimSpace(line), "#")
				if !in || !more {
					in = false
					continue
				}
				list = rest
			}
			in = true
			for _, id := range regexp.MustCompile(`cah\.[a-z0-9_.]+`).FindAllString(list, -1) {
				out[strings.TrimRight(id, ".")] = append(out[strings.TrimRight(id, ".")], filepath.Base(file))
			}
		}
	}
	return out
}
