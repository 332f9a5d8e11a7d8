package repl

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"setpiece/interp"
)

// An evening of many lines, some of which reach the bound on memory, fail after they have
// used much, or are undone, ends with little more memory than it began with.
func TestLongSession(t *testing.T) {
	const bound = 40 << 20
	lines, every := 150, 30
	if os.Getenv("SETPIECE_LONG") != "" {
		lines, every = 10_000, 100
	}
	const fill = "let l = []\n  let n = 0\n  while %s { n = n + 1; l = [n, l]; if n == 500 * floor(n / 500) { l = [] } }"
	wasteful := []string{
		"if yes {\n  " + fmt.Sprintf(fill, "yes") + "\n}",
		"if yes {\n  " + fmt.Sprintf(fill, "n < 80000") + "\n  refuse \"no\"\n}",
		"if yes {\n  s = 0\n  " + fmt.Sprintf(fill, "n < 80000") + "\n}\n:undo",
		"let big = []\nrepeat 25 { s = s + 99000; big = [list(s..s + 99000), big] }\n:undo",
		"if yes {\n  s = 0\n  " + fmt.Sprintf(fill, "n < 80000") + "\n  kept = [s, [\"{size(kept)}\", 1/3], kept]\n}",
	}
	in := &typing{out: io.Discard, lines: []string{"let n = 0", "let s = 0", "let kept = []"}}
	if os.Getenv("SETPIECE_LONG") != "" {
		wasteful = append(wasteful, "odds repeat 7 { n = n + (throw d6).face; s = s + n * n }")
	}
	used := 0
	for i := range lines {
		if i%every == every-1 {
			in.lines = append(in.lines, strings.Split(wasteful[used%len(wasteful)], "\n")...)
			used++
		} else {
			in.lines = append(in.lines, fmt.Sprintf("n = %d; s = s + n", i))
		}
	}
	var out strings.Builder
	l := New(Config{Lines: in, Out: &out, Version: "test", Session: interp.Config{Seed: 1, Limits: interp.Limits{Memory: bound}}})
	live := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := live()
	if err := l.Run(); err != nil {
		t.Fatal(err)
	}
	after := live()
	runtime.KeepAlive(l)
	text := out.String()
	t.Logf("%d lines, %d of them wasteful: %d MiB, then %d MiB; values %d MiB", lines, used, before>>20, after>>20, l.evening.Session().Snapshot().Bytes()>>20)
	for _, said := range []string{"--limit memory", "no\n", "are given back"} {
		if !strings.Contains(text, said) {
			t.Errorf("nothing said %q:\n%.3000s", said, text[max(0, len(text)-3000):])
		}
	}
	if after > before+64<<20 {
		t.Errorf("%d MiB more than at the beginning", (after-before)>>20)
	}
}
