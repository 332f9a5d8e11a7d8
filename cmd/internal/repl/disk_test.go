package repl

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"setpiece/cmd/internal/journal"
	"setpiece/interp"
)

// fullDisk is a journal's file. Its operations from number from on fail, lasts
// of them; a write that fails leaves half of itself.
type fullDisk struct {
	data            []byte
	op, from, lasts int
}

func (d *fullDisk) fails() bool {
	d.op++
	return d.op > d.from && d.op <= d.from+d.lasts
}

func (d *fullDisk) Write(p []byte) (int, error) {
	n := len(p)
	if d.fails() {
		d.data = append(d.data, p[:n/2]...)
		return n / 2, syscall.ENOSPC
	}
	d.data = append(d.data, p...)
	return n, nil
}

func (d *fullDisk) Sync() error {
	if d.fails() {
		return syscall.EIO
	}
	return nil
}

func (d *fullDisk) Truncate(size int64) error {
	if d.fails() {
		return syscall.EIO
	}
	d.data = d.data[:size]
	return nil
}

func (d *fullDisk) Close() error { return nil }

// Every single write and sync of a session fails, once, for a while, or from
// then on. The person is told of each line that is not on disk. A session killed
// then is taken up with every line that they were not told about, and with all
// of them when there was room again in time.
func TestFullDisk(t *testing.T) {
	lines := []string{"use tiny", "roll", "roll twice", ":undo", ":redo", "Hero.n", ":seed 4", "roll", "include \"more.scene\"", "roll"}
	dir := table(t)
	if err := os.WriteFile(filepath.Join(dir, "more.scene"), []byte("roll\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	here := func(c *Config) { c.Session.Folder = os.DirFS(dir) }
	// The state behind each line.
	after := make([]string, len(lines)+1)
	for n := range after {
		got, _ := talk(t, here, append(lines[:n:n], "Hero.n")...)
		after[n] = got[strings.LastIndex(got, "> Hero.n\n"):]
	}
	try := func(from, lasts int) (ops int) {
		d := &fullDisk{from: from, lasts: lasts}
		j, err := journal.Begin(d, journal.Head{Seed: 1})
		if err != nil {
			return d.op // a session without a journal, which is said when it begins
		}
		var out strings.Builder
		in := &typing{lines: lines, out: &out, onEnd: func() error { return io.ErrUnexpectedEOF }} // killed
		cfg := Config{Lines: in, Out: &out, Journal: j, Session: interp.Config{Seed: 1}}
		here(&cfg)
		New(cfg).Run()
		told := toldUnsaved(out.String(), lines)

		c, err := journal.Parse(d.data)
		if err != nil || c.Damage != nil {
			t.Fatalf("%d+%d: %v %v", from, lasts, err, c)
		}
		up, _ := talk(t, func(cfg *Config) { here(cfg); cfg.Resume = c }, "Hero.n")
		up = up[strings.LastIndex(up, "> Hero.n\n"):]
		if up != after[told] && (told == len(lines) || up != after[told+1]) {
			t.Errorf("%d+%d: taken up as %q, after %d lines it was %q\n%s", from, lasts, up, told, after[told], out.String())
		}
		return d.op
	}
	n := try(1<<30, 0)
	sessions := 0
	for from := range n {
		for _, lasts := range []int{1, 3, 1 << 20} {
			try(from, lasts)
			sessions++
		}
	}
	t.Logf("%d sessions, one for each failure of %d writes and syncs", sessions, n)
}

// toldUnsaved is how many lines stand before the first of those that, as far as
// the person knows, are not on disk.
func toldUnsaved(shown string, lines []string) int {
	unsaved := len(lines)
	for n, line := range lines {
		_, shown, _ = strings.Cut(shown, "> "+line+"\n")
		part := shown
		if n+1 < len(lines) {
			part, _, _ = strings.Cut(shown, "> "+lines[n+1]+"\n")
		}
		warned, saved := strings.LastIndex(part, "this line is not on disk"), strings.LastIndex(part, "everything is on disk again")
		switch {
		case saved > warned:
			unsaved = len(lines)
		case warned >= 0:
			unsaved = min(unsaved, n)
		}
	}
	return unsaved
}

// What a session includes is taken up as it was, whatever became of the file.
func TestIncludedFilesAreKept(t *testing.T) {
	dir := table(t)
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "more.scene"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "session-1.jsonl")
	here := func(c *Config) { c.Session.Folder = os.DirFS(dir) }
	write("let x = 3\n")
	killed(t, path, here, "use tiny", "include \"more.scene\"", "let y = x", "dice 7; roll", "include \"more.scene\"")
	write("let x = 4\n")
	rules := filepath.Join(dir, "tiny.rules")
	os.Rename(rules, rules+".gone")
	got := takeUp(t, path, here, "x", "y", "Hero.n", "include \"more.scene\"", "x")
	if want := "> x\n3\n> y\n3\n> Hero.n\n7\n> include \"more.scene\"\n> x\n4\n> \n"; !strings.HasSuffix(got, want) {
		t.Errorf("%s\nnot\n%s", got, want)
	}
	if !strings.Contains(got, "continued: 5 entries") {
		t.Error(got)
	}
	data, _ := os.ReadFile(path)
	if n := strings.Count(string(data), "let x = 3"); n != 1 {
		t.Errorf("the file is kept %d times", n)
	}
}
