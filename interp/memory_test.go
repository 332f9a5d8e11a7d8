package interp_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/longtest"
	"setpiece/interp/transcript"
	"setpiece/stdlib"
)

// A session that is put back gives the memory back that was used meanwhile,
// whatever used it up, and what is there stays as it was.
func TestRestoreGivesMemoryBack(t *testing.T) {
	s := interp.NewSession(interp.Config{Limits: interp.Limits{Memory: 20 << 20}})
	if err := run(s, "let kept = [\"a\", [1, 2], 1/3]\nlet d = throw d6\nrule twice(n) = n * 2"); err != nil {
		t.Fatal(err)
	}
	live := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, used := live(), s.HeapUsed()
	for _, text := range []string{
		"let n = 0\nlet t = \"\"\nwhile yes { n = n + 1; t = \"{n}{t}{twice(n)}\"; if t.size > 90000 { t = \"\" } }",
		"let n = 0\nlet l = []\nwhile yes { n = n + 1; l = [n, l]; if n > 9000 { n = 0; l = [throw d100] } }",
		"let n = 0\nlet x = 1/3\nwhile yes { n = n + 1; x = 1/(n + 1/3) }",
		"rule own(n) = [n, twice(n), \"x{n}\"]\nlet n = 0\nlet l = []\nwhile yes { n = n + 1; l = own(n) }",
	} {
		for range longtest.Many(2, 1) {
			at := s.Snapshot()
			if err := run(s, text); err == nil || !strings.Contains(err.Error(), "memory") {
				t.Fatalf("%s: %v", text, err)
			}
			s.Restore(at)
		}
	}
	if err := run(s, "expect kept == [\"a\", [1, 2], 1/3]\nexpect twice(21) == 42\nexpect \"{kept.size}{twice(4)}\" == \"38\""); err != nil {
		t.Error(err)
	}
	if now := s.HeapUsed(); now > used+1<<16 {
		t.Errorf("values take %d bytes more than before", now-used)
	}
	if now := live(); now > before+8<<20 {
		t.Errorf("%d MB more than before", (now-before)>>20)
	}
}

// A later snapshot holds the values made before it.
func TestRestoreKeepsWhatIsInUse(t *testing.T) {
	s := interp.NewSession(interp.Config{})
	s.ReleaseAlways()
	first := s.Snapshot()
	if err := run(s, "let t = \"one\"\nlet l = [t, \"two\", 1/7]"); err != nil {
		t.Fatal(err)
	}
	second := s.Snapshot()
	s.Restore(first)
	if err := run(s, "let u = \"three\"\nlet m = [u, 1/9]"); err != nil {
		t.Fatal(err)
	}
	s.Restore(second)
	if err := run(s, "expect l == [\"one\", \"two\", 1/7]\nexpect \"{t}\" == \"one\""); err != nil {
		t.Error(err)
	}
	runtime.KeepAlive(second)
}

// Scenes of every system are played, taken back with all their values, and
// played again: to the letter as they were.
func TestPlayedAgainAfterRestore(t *testing.T) {
	files := corpus(t)
	every := longtest.Many(5, 100)
	for i := 0; i < len(files); i += every {
		file := files[i]
		var out bytes.Buffer
		var w transcript.Writer
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Folder: os.DirFS(filepath.Dir(file)), Seed: corpusSeed, Events: func(e *interp.Event) { w.Event(e) }})
		s.ReleaseAlways()
		src := scene(t, file)
		var first string
		for round := range 2 {
			out.Reset()
			w = transcript.NewText(&out, transcript.Options{})
			at := s.Snapshot()
			err := s.Exec(context.Background(), src)
			w.Flush()
			told := out.String()
			if err != nil {
				told += err.Error()
			}
			s.Restore(at)
			if round == 0 {
				first = told
			} else if told != first {
				t.Errorf("%s: the second time\n%s\nnot\n%s", file, told, first)
				break
			}
		}
	}
}

// What lines that are done have left behind is given back, and what the state and the
// snapshots hold stays, through any number of lines, undone or not.
func TestCompact(t *testing.T) {
	s := interp.NewSession(interp.Config{})
	s.ReleaseAlways()
	do := func(text string) {
		t.Helper()
		if err := run(s, text); err != nil {
			t.Fatal(err)
		}
		s.Compact()
	}
	do("let l = []\nlet t = \"\"\nrule pair(x) = [x, \"p{x}\"]")
	var at []*interp.Snapshot
	for i := range 20 {
		at = append(at, s.Snapshot(), s.Snapshot())
		do(fmt.Sprintf("repeat 1000 { t = \"{t.size} and {%d / 7}\" }\nl = l.with([pair(%d), 1 / %d])", i, i, i+2))
	}
	first := s.HeapUsed()
	for i := range 50 {
		do(fmt.Sprintf("let x%d = %d\nrepeat 3000 { x%d += 1; t = \"{t}{x%d / 7}\"; if t.size > 50 { t = \"\" } }\nt = \"\"", i, 3000*i, i, i))
	}
	if now := s.HeapUsed(); now > first+2<<20 { // without Compact it is 43 MiB
		t.Errorf("values take %d bytes, then %d", first, now)
	}
	do("expect l.size == 20\nexpect l[3] == [pair(2), 1 / 4]\nexpect l[20][1] == [19, \"p19\"]")
	for i := 19; i >= 0; i-- {
		s.Restore(at[2*i])
		do(fmt.Sprintf("expect l.size == %d\nif %d > 0 { expect l[%d] == [pair(%d), 1 / %d] }", i, i, i, i-1, i+1))
	}
	runtime.KeepAlive(at)
}

// The empty list stays what it is in a session that has forgotten values before anything was declared.
func TestCompactBeforeAnything(t *testing.T) {
	s := interp.NewSession(interp.Config{})
	for _, text := range []string{"if yes { print [1, 2] }", "if yes { print [3, 4] }", "sheet toy { l list }\ntoy Top { }\nexpect Top.l.size == 0"} {
		if err := run(s, text); err != nil {
			t.Fatal(err)
		}
		s.Compact()
	}
}

// A hundred thousand elements, one by one, take memory in proportion to their number.
func TestGrowingStepByStep(t *testing.T) {
	for _, text := range []string{
		"let x = [n for n in 1..100000]",
		"let x = []\nrepeat 100000 { x = x.with(1) }",
		"let x = []\nrepeat 100000 { x = x + [x.size] }",
		"let x = map()\nrepeat 100000 { x[x.size] = 1 }",
		"let x = map()\nlet n = 7\nrepeat 100000 { n = mod(n * 48271, 2147483647)\nx[n] = n }",
		"let x = \"\"\nrepeat 100000 { x = x + \"a\" }",
		"let x = \"\"\nrepeat 100000 { x = \"{x}a\" }",
	} {
		s := interp.NewSession(interp.Config{Limits: interp.Limits{Memory: 48 << 20}})
		if err := run(s, text+"\nexpect x.size == 100000"); err != nil {
			t.Errorf("%s\n%v", text, err)
		}
	}
}
