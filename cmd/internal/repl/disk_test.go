package repl

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"setpiece/cmd/internal/journal"
	"setpiece/interp"
	"setpiece/lang"
)

// fullDisk is a journal's file. Its operations from number from on fail, lasts
// of them, and then so many of each every; a write that fails leaves half of itself.
type fullDisk struct {
	data            []byte
	op, from, lasts int
	every           int // 0: they fail only once
}

func (d *fullDisk) fails() bool {
	d.op++
	since := d.op - d.from - 1
	if d.every > 0 && since > 0 {
		since %= d.every
	}
	return since >= 0 && since < d.lasts
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

// Every single write and sync of an evening of play fails in the same ways. The person
// is told of each answer that is not on disk; an evening killed then goes on behind
// all that they were not told about, with the same dice.
func TestFullDiskInPlay(t *testing.T) {
	const script = `sheet guest { n number }
guest Ann {}
let n = 0
while n < 5 {
  n += 1
  let d = (throw d1000).face
  let a = choose answer by Ann from [1, 2, 3, 4] "Question {n} after {d}:" default 1
  print "ack {n} {d} {a}"
}
`
	answers := []string{"1", "4", ":undo", "3", "2", "2"} // to the questions 1, 2, 2, 3 and 4
	play := func(j *journal.Journal, c *journal.Content, lines ...string) string {
		var out strings.Builder
		in := &typing{lines: lines, out: &out, onEnd: func() error { return io.ErrUnexpectedEOF }} // killed
		New(Config{Lines: in, Out: &out, Journal: j, Resume: c, Script: true, Session: interp.Config{Seed: 1}}).Play(lang.NewSource("ask.scene", script))
		return out.String()
	}
	opened := regexp.MustCompile(`Question \d+ after \d+: \(`)
	// The question behind each line, with its die, if all before are kept.
	var after []string
	for n := range len(answers) + 1 {
		all := opened.FindAllString(play(nil, nil, answers[:n]...), -1)
		after = append(after, all[len(all)-1])
	}
	try := func(from, lasts, every int) (ops int) {
		d := &fullDisk{from: from, lasts: lasts, every: every}
		j, err := journal.Begin(d, journal.Head{Kind: journal.Play, Seed: 1})
		if err != nil {
			return d.op
		}
		shown := play(j, nil, answers...)
		// Behind which answers does the evening stand that the person can rely on?
		safe, parts := len(answers), opened.Split(shown, -1)
		for n, part := range parts {
			warned, saved := strings.LastIndex(part, "this line is not on disk"), strings.LastIndex(part, "everything is on disk again")
			switch {
			case saved > warned:
				safe = len(answers)
			case warned >= 0:
				safe = min(safe, max(n-1, 0))
			}
		}
		c, err := journal.Parse(d.data)
		if err != nil || c.Damage != nil {
			t.Fatalf("%d+%d/%d: %v %v", from, lasts, every, err, c)
		}
		first := opened.FindString(play(nil, c))
		if first != after[safe] && (safe == len(answers) || first != after[safe+1]) {
			t.Errorf("%d+%d/%d: goes on at %q, and behind %d answers it was %q\n%s", from, lasts, every, first, safe, after[safe], shown)
		}
		return d.op
	}
	n := try(1<<30, 0, 0)
	evenings := 0
	for from := range n {
		for _, f := range []struct{ lasts, every int }{{1, 0}, {3, 0}, {1 << 20, 0}, {1, 4}, {1, 5}, {1, 7}, {3, 8}} {
			try(from, f.lasts, f.every)
			evenings++
		}
	}
	t.Logf("%d evenings, those where each of %d writes and syncs fails, once, for a while, again and again, and for good", evenings, n)
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
