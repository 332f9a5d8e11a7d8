package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/interp/evening"
)

func TestLogRoundTrip(t *testing.T) {
	want := &Log{
		Program: "0.1", Seed: 1<<64 - 1, Set: map[string]string{"natural": "any"},
		View: View{Trace: true}, LeftOK: true, Asked: true,
		Source: Text{Name: "bog.scene", Text: "use cah\nprint \"<é>\"\n"},
		Files:  []Text{{Name: "party.rules", Text: "hero Valorus { star 3 }\n"}},
		Record: interp.Record{{Faces: []int{7, 8}, By: interp.BySeed}, decided(1)},
		Left:   []int{3},
	}
	var b bytes.Buffer
	if err := want.Write(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.String(), `{"v":2,"log":"setpiece",`) {
		t.Errorf("the log does not begin with its version: %.40s", b.String())
	}
	got, err := ReadLog(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// lines are records with the checksums that belong to them.
func lines(t *testing.T, records ...string) string {
	t.Helper()
	var c chain
	var b strings.Builder
	for _, r := range records {
		line, next, err := c.next(json.RawMessage(r))
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
		c = next
	}
	return b.String()
}

func TestReadLogErrors(t *testing.T) {
	const (
		head   = `{"v":2,"log":"setpiece","program":"0.1","seed":0,"view":{}}`
		source = `{"source":{"name":"x","text":"y"}}`
		fell   = `{"fell":{"faces":[7],"answers":null}}`
		order  = "expected the script in line 2, then the files, then the dice"
	)
	whole := lines(t, head, source, fell)
	if _, err := ReadLog(strings.NewReader(whole)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "line 1: this is not a log of a run"},
		{"a script", "use cah\n", "line 1: this is not a log of a run"},
		{"other JSON", `{"v":1}` + "\n", "line 1: this is not a log of a run"},
		{"an earlier version", `{"v":1,"log":"setpiece"}` + "\n", "line 1: the log has version 1; this program reads version 2"},
		{"a later version", `{"v":3,"log":"setpiece"}` + "\n", "line 1: the log has version 3; this program reads version 2"},
		{"cut off behind a line", lines(t, head, source), "the log is cut off: its dice are missing"},
		{"cut off in a line", whole[:len(whole)-9], "line 3: it has no checksum"},
		{"a face that was changed", strings.Replace(whole, "[7]", "[8]", 1), "line 3: the checksum is wrong"},
		{"a text that was changed", strings.Replace(whole, `"y"`, `"z"`, 1), "line 2: the checksum is wrong"},
		{"no script", lines(t, head, fell), "line 2: " + order},
		{"two scripts", lines(t, head, source, source, fell), "line 3: " + order},
		{"two ends", lines(t, head, source, fell, fell), "line 4: the log ends before it"},
		{"a script behind the end", lines(t, head, source, fell, source), "line 4: the log ends before it"},
		{"a line left out", strings.Replace(lines(t, head, source, `{"file":{"name":"a","text":""}}`, fell), lines(t, head, source, `{"file":{"name":"a","text":""}}`)[len(lines(t, head, source)):], "", 1), "line 3: the checksum is wrong"},
		{"fewer dice than none", lines(t, strings.Replace(head, `"view"`, `"given":-1,"view"`, 1), source, fell), "line 3: -1 dice were given"},
		{"fewer dice than given", lines(t, strings.Replace(head, `"view"`, `"given":2,"view"`, 1), source, fell), "line 3: fewer dice were thrown than given"},
		{"a member nobody knows", lines(t, head, source, `{"fell":{"faces":[7],"answers":null,"mood":1}}`), `line 3: this program does not understand it (json: unknown field "mood")`},
	} {
		_, err := ReadLog(strings.NewReader(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v; want %s", c.name, err, c.want)
		}
	}
}

func TestFolders(t *testing.T) {
	w := Watch(fstest.MapFS{"a.rules": {Data: []byte("A")}, "sub/b.rules": {Data: []byte("B")}})
	for range 2 {
		if data, err := fs.ReadFile(w, "sub/b.rules"); err != nil || string(data) != "B" {
			t.Fatalf("%q, %v", data, err)
		}
	}
	f, err := w.Open("a.rules")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := fs.ReadFile(w, "none.rules"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if diff := cmp.Diff([]Text{{Name: "sub/b.rules", Text: "B"}, {Name: "a.rules", Text: "A"}}, w.Files()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func ptr[T any](v T) *T { return &v }

func TestJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session-1.jsonl")
	head := Head{Program: "0.1", Seed: 5, Folder: "/games", Dice: []int{3}}
	j, err := Create(path, head)
	if err != nil {
		t.Fatal(err)
	}
	want := []evening.Entry{
		{Input: "use cah"},
		{Done: &evening.Fell{}},
		{Input: "hero V {\n}", Name: "v.scene"},
		{File: &Text{Name: "h.scene", Text: "hero H {}\n"}},
		{Answer: interp.Answer{Faces: []int{7}, By: interp.ByTable}},
		{Answer: decided(0)},
		{Nothing: true},
		{Undo: 1},
		{Seed: ptr(uint64(0))},
		{Ask: ptr(false)},
	}
	for _, e := range want {
		if err := j.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := Reopen(path); !errors.Is(err, ErrBusy) {
		t.Errorf("a second process: %v", err)
	}
	if !Busy(filepath.Dir(path)) {
		t.Error("nobody is at the session")
	}
	j.Close()
	if Busy(filepath.Dir(path)) {
		t.Error("somebody is at a session that was left")
	}

	// The process ended in the middle of a line.
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"input":"roll STR`)
	f.Close()

	for range 2 {
		j, c, err := Reopen(path)
		if err != nil || c.Damage != nil {
			t.Fatal(err, c.Damage)
		}
		head.V, head.Journal, head.Kind = 2, "setpiece", Prompt
		if diff := cmp.Diff(head, c.Head); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		if diff := cmp.Diff(want, c.Entries); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		want = append(want, evening.Entry{End: true})
		if err := j.Append(evening.Entry{End: true}); err != nil {
			t.Fatal(err)
		}
		j.Close()
	}
}

// A journal that is not there costs nothing and holds nothing.
func TestNoJournal(t *testing.T) {
	var j *Journal
	if err := errors.Join(j.Append(evening.Entry{End: true}), j.Close(), j.Discard()); err != nil {
		t.Error(err)
	}
}

func TestLast(t *testing.T) {
	dir := t.TempDir()
	kind := Prompt
	make := func(at int, es ...evening.Entry) *Journal {
		j, err := Create(NewPath(dir, time.Unix(int64(at), 0)), Head{Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range es {
			j.Append(e)
		}
		return j
	}
	if _, ok := Last(dir); ok {
		t.Error("a session out of nothing")
	}
	make(1, evening.Entry{Input: "a"}, evening.Entry{Input: "b"}).Close()
	make(2, evening.Entry{Input: "a"}, evening.Entry{End: true}).Close()
	make(3).Close()                              // nothing happened in it
	live := make(4, evening.Entry{Input: "now"}) // still going on
	kind = Play
	make(5, evening.Entry{Input: "a"}).Close()
	if list, _ := Evenings(dir); len(list) != 1 || list[0].Inputs != 1 || !strings.Contains(list[0].Path, "000005") {
		t.Errorf("%+v", list)
	} else {
		os.Remove(list[0].Path)
	}
	p, ok := Last(dir)
	if !ok || p.Killed || p.Inputs != 1 {
		t.Errorf("%+v, %v", p, ok)
	}
	os.Remove(p.Path)
	p, ok = Last(dir)
	if !ok || !p.Killed || p.Inputs != 2 {
		t.Errorf("%+v, %v", p, ok)
	}
	live.Discard()
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(left) != 1 {
		t.Errorf("left over: %v", left)
	}
}

// Of each script and of the prompt so many sessions stay as are kept; one that nobody has
// answered anything in takes nobody's place.
func TestEvenings(t *testing.T) {
	dir := t.TempDir()
	at := 0
	add := func(h Head, es ...evening.Entry) {
		at++
		j, err := Create(NewPath(dir, time.Unix(int64(at), 0)), h)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range es {
			j.Append(e)
		}
		j.Close()
	}
	play := func(folder, name string, es ...evening.Entry) {
		add(Head{Kind: Play, Folder: folder}, append([]evening.Entry{{Input: "ask", Name: name}}, es...)...)
	}
	one := 1
	answer, hand := evening.Entry{Answer: decided(one)}, evening.Entry{Hand: &evening.Hand{Who: "all"}}
	play("/a", "x/heist.scene", answer, hand, answer)
	play("/b", "heist.scene", answer, answer, evening.Entry{Back: 1})
	add(Head{}, evening.Entry{Input: "1"})
	for range 30 {
		play("/a", "ask.scene", hand, answer)
		play("/a", "heist.scene")
		play("/b", "heist.scene", answer, evening.Entry{Back: 1})
	}
	list, passed := Evenings(dir)
	of := map[string]int{}
	for _, e := range list {
		of[fmt.Sprint(e.Script, " ", e.Answers)]++
	}
	want := map[string]int{"/a/heist.scene 2": 1, "/b/heist.scene 1": 1, "/b/heist.scene 0": 1, "/a/ask.scene 1": keep}
	if !cmp.Equal(of, want) || len(passed) > 0 {
		t.Errorf("%v, %v", of, passed)
	}
	if last := list[len(list)-1]; last.Answers != 0 {
		t.Errorf("one without an answer hides %+v", last)
	}
	if _, ok := Last(dir); !ok {
		t.Error("the prompt has lost its session")
	}
}

func TestStateDir(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_STATE_HOME", "relative/paths/do/not/count")
	os.MkdirAll(filepath.Join(dir, ".local", "state", "setpiece"), 0o755)
	got, err := StateDir()
	if want := filepath.Join(dir, ".local", "state", "setpiece"); err != nil || got != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	got, err = StateDir()
	if want := filepath.Join(dir, "state", "setpiece"); err != nil || got != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	for _, path := range []string{got, filepath.Join(dir, ".local", "state", "setpiece")} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	history := filepath.Join(got, "history")
	for text, want := range map[string]string{"1 + 1\n": "1 + 1\n", "\x1b[2J1\n\u202e2\r\n": "�[2J1\n�2�\n"} {
		os.Remove(history)
		if err := os.WriteFile(history, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := History(history); err != nil {
			t.Fatal(err)
		}
		data, _ := os.ReadFile(history)
		if info, err := os.Stat(history); err != nil || info.Mode().Perm() != 0o600 || string(data) != want {
			t.Errorf("%v, %v: %q", info, err, data)
		}
	}
	if err := History(t.TempDir()); err == nil {
		t.Error("a folder for what was typed")
	}
	path := filepath.Join(got, "session-1.jsonl")
	j, err := Create(path, Head{})
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("a journal is %v, %v", info.Mode(), err)
	}
}
