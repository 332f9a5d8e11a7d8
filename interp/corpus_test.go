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
	"setpiece/interp/assist"
	"setpiece/interp/internal/longtest"
	"setpiece/interp/transcript"
	"setpiece/interp/transcript/transcripttest"
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
	patterns := []string{
		"../scripts/*/*.scene",
		"../testdata/design/*.scene",
		"../testdata/lang/01_*.scene", // the others are only read: they need what is not there
	}
	for _, module := range catalogued(t) {
		patterns = append(patterns, "../testdata/"+module+"/*.scene")
	}
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if len(files) == 0 {
			t.Errorf("%s matches nothing", pattern)
		}
		all = append(all, files...)
	}
	return all
}

// played is what came of playing a scene.
type played struct {
	session *interp.Session
	text    string // the transcript
	json    string
	err     error
}

// scene reads a scene.
func scene(t testing.TB, file string) *lang.Source {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return lang.NewSource(filepath.Base(file), string(text))
}

// play runs a scene in a new session, with answers that were recorded when r
// is not nil.
func play(t testing.TB, file string, seed uint64, r *interp.Record) played {
	t.Helper()
	return playSource(t, filepath.Dir(file), scene(t, file), seed, r)
}

func playSource(t testing.TB, folder string, src *lang.Source, seed uint64, r *interp.Record) played {
	t.Helper()
	var out, lines bytes.Buffer
	text, objects := transcript.NewText(&out, transcript.Options{}), transcript.NewJSON(&lines, false)
	s := interp.NewSession(interp.Config{
		Modules: stdlib.FS,
		Folder:  os.DirFS(folder),
		Seed:    seed,
		Events: func(e *interp.Event) {
			text.Event(e)
			objects.Event(e)
		},
	})
	if r != nil {
		s.Give(*r)
	}
	err := s.Exec(context.Background(), src)
	if err := errors.Join(text.Flush(), objects.Flush()); err != nil {
		t.Fatal(err)
	}
	return played{s, out.String(), lines.String(), err}
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

// Every scene ends well, reads as its golden transcript says, and does the same
// in every mode.
func TestCorpus(t *testing.T) {
	for _, file := range corpus(t) {
		t.Run(strings.TrimPrefix(file, "../"), func(t *testing.T) {
			if interp.RulesFolder == "" {
				t.Parallel() // of changed rules one failure is enough: one scene after the other, and -failfast ends it
			}
			p := play(t, file, corpusSeed, nil)
			if p.err != nil {
				t.Fatal(failed(p.err))
			}
			endsWell(t, p)
			golden(t, strings.TrimSuffix(file, ".scene")+".out", p.text)
			if interp.RulesFolder != "" {
				return // changed rules are to be seen in what is played, not in how
			}
			if len(longtest.Some([]string{file}, 3)) > 0 {
				transcripttest.Records(t, p.json, true)
			}
			if len(longtest.Some([]string{file}, 6)) > 0 {
				replays(t, file, p)
			}
			if len(longtest.Some([]string{file}, 12)) > 0 {
				sameAgain(t, file, p)
				untraced(t, file, p)
			}
		})
	}
}

func endsWell(t *testing.T, p played) {
	t.Helper()
	if n := p.session.Faults(); n > 0 {
		t.Errorf("%d rules were broken\n%s", n, p.text)
	}
	if left := p.session.LeftDice(); len(left) > 0 {
		t.Errorf("given dice are left over: %v", left)
	}
}

// golden compares a text with a file, or writes the file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got; go test -update writes it anew):\n%s", file, d)
	}
}

// sameAgain: one seed gives one run, to the byte.
func sameAgain(t *testing.T, file string, first played) {
	t.Helper()
	again := play(t, file, corpusSeed, nil)
	if d := cmp.Diff(first.text+first.json, again.text+again.json); d != "" || again.err != nil {
		t.Errorf("the same seed gives something else: %v\n%s", again.err, d)
	}
}

// replays: what was recorded stands in for the dice and whoever decided.
func replays(t *testing.T, file string, first played) {
	t.Helper()
	r := first.session.Record()
	replay := play(t, file, corpusSeed+92, &r)
	if replay.err != nil {
		t.Error("the replay fails: " + failed(replay.err))
		return
	}
	if d := cmp.Diff(state(t, first.session), state(t, replay.session)); d != "" {
		t.Errorf("the replay ends in another state:\n%s", d)
	}
	if d := cmp.Diff(withoutAnswerers(first.text), withoutAnswerers(replay.text)); d != "" {
		t.Errorf("the replay reads otherwise:\n%s", d)
	}
	if left := replay.session.LeftDice(); len(left) > 0 {
		t.Errorf("the replay leaves dice over: %v", left)
	}
}

var answerer = regexp.MustCompile(`(?m)^.*, by (log|default|person).*\n`)

// withoutAnswerers takes out the lines that say who answered a decision: in a
// replay it is always the log.
func withoutAnswerers(s string) string { return answerer.ReplaceAllString(s, "") }

// untraced: whether anybody listens changes nothing.
func untraced(t *testing.T, file string, first played) {
	t.Helper()
	quiet := interp.NewSession(interp.Config{Modules: stdlib.FS, Folder: os.DirFS(filepath.Dir(file)), Seed: corpusSeed})
	if err := quiet.Exec(context.Background(), scene(t, file)); err != nil {
		t.Error("untraced it fails: " + failed(err))
		return
	}
	if d := cmp.Diff(state(t, first.session), state(t, quiet)); d != "" {
		t.Errorf("untraced it ends in another state:\n%s", d)
	}
}

func state(t testing.TB, s *interp.Session) []assist.StateLine {
	t.Helper()
	lines, err := assist.State(s, "")
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// catalogued lists the modules that have a catalogue of rule ids: a file
// testdata/MODULE/ids.txt, one id a line.
func catalogued(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../testdata/*/ids.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no module has a catalogue")
	}
	var modules []string
	for _, file := range files {
		modules = append(modules, filepath.Base(filepath.Dir(file)))
	}
	return modules
}

// Every id of a catalogue is declared by the module, and every one is named by
// a case that exercises it.
func TestCatalogue(t *testing.T) {
	for _, module := range catalogued(t) {
		t.Run(module, func(t *testing.T) { catalogue(t, module) })
	}
}

func catalogue(t *testing.T, module string) {
	file := "../testdata/" + module + "/ids.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(text))
	if !slices.IsSorted(want) {
		t.Errorf("%s is not sorted", file)
	}
	rules, err := assist.Rules(interp.NewSession(interp.Config{Modules: stdlib.FS}), module)
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
	named := casesByID(t, module)
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
func casesByID(t *testing.T, module string) map[string][]string {
	t.Helper()
	files, err := filepath.Glob("../testdata/" + module + "/*.scene")
	if err != nil {
		t.Fatal(err)
	}
	id := regexp.MustCompile(module + `\.[a-z0-9_.]+`)
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
			for _, found := range id.FindAllString(list, -1) {
				rule := strings.TrimRight(found, ".")
				out[rule] = append(out[rule], filepath.Base(file))
			}
		}
	}
	return out
}
