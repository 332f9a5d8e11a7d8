package journal

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLogRoundTrip(t *testing.T) {
	want := &Log{
		Program: "0.1", Seed: 1<<64 - 1, Set: map[string]string{"natural": "any"},
		View: View{Trace: true}, LeftOK: true, Asked: true,
		Source:  Text{"bog.scene", "use cah\nprint \"<é>\"\n"},
		Files:   []Text{{"party.rules", "hero Valorus { star 3 }\n"}},
		Faces:   []int{7, 8},
		Answers: []int{1},
		Left:    []int{3},
	}
	var b bytes.Buffer
	if err := want.Write(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.String(), `{"v":1,"log":"setpiece",`) {
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

func TestReadLogErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "line 1: this is no log of a run"},
		{"a script", "use cah\n", "line 1: this is no log of a run"},
		{"other JSON", `{"v":1}` + "\n", "line 1: this is no log of a run"},
		{"a later version", `{"v":2,"log":"setpiece"}` + "\n", "line 1: the log has version 2; this program reads version 1"},
		{"cut off", `{"v":1,"log":"setpiece"}` + "\n" + `{"source":{"name":"x","text":"y"}}` + "\n", "the log is cut off: what fell is missing"},
		{"damaged", `{"v":1,"log":"setpiece"}` + "\n" + `{"sour`, "line 2: unexpected end of JSON input"},
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
	if diff := cmp.Diff([]Text{{"sub/b.rules", "B"}, {"a.rules", "A"}}, w.Files()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	mem := Files(w.Files())
	if data, err := fs.ReadFile(mem, "a.rules"); err != nil || string(data) != "A" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := mem.Open("none.rules"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
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
	want := []Entry{
		{Input: "use cah"},
		{Done: &Fell{}},
		{Input: "hero V {\n}", Name: "v.scene"},
		{Faces: []int{7}},
		{Answer: ptr(0)},
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
	if _, _, _, err := Reopen(path); !errors.Is(err, ErrBusy) {
		t.Errorf("a second process: %v", err)
	}
	j.Close()

	// The process ended in the middle of a line.
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"input":"roll STR`)
	f.Close()

	for range 2 {
		j, h, got, err := Reopen(path)
		if err != nil {
			t.Fatal(err)
		}
		head.V, head.Journal = 1, "setpiece"
		if diff := cmp.Diff(head, h); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		want = append(want, Entry{End: true})
		if err := j.Append(Entry{End: true}); err != nil {
			t.Fatal(err)
		}
		j.Close()
	}
}

// A journal that is not there costs nothing and holds nothing.
func TestNoJournal(t *testing.T) {
	var j *Journal
	if err := errors.Join(j.Append(Entry{End: true}), j.Close(), j.Discard()); err != nil {
		t.Error(err)
	}
}

func TestLast(t *testing.T) {
	dir := t.TempDir()
	make := func(at int, es ...Entry) *Journal {
		j, err := Create(NewPath(dir, time.Unix(int64(at), 0)), Head{})
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
	make(1, Entry{Input: "a"}, Entry{Input: "b"}).Close()
	make(2, Entry{Input: "a"}, Entry{End: true}).Close()
	make(3).Close()                      // nothing happened in it
	live := make(4, Entry{Input: "now"}) // still going on
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

func TestStateDir(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_STATE_HOME", "relative/paths/do/not/count")
	got, err := StateDir()
	if want := filepath.Join(dir, ".local", "state", "setpiece"); err != nil || got != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	got, err = StateDir()
	if want := filepath.Join(dir, "state", "setpiece"); err != nil || got != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}
