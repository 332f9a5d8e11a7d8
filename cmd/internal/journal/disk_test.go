package journal

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/interp/evening"
)

// disk is a File that fails: at operation number from, and at the next ones, up
// to lasts of them. A write that fails leaves some of its bytes.
type disk struct {
	data        []byte
	op          int
	from, lasts int
	leaves      int                 // bytes of a write that fails
	step        int                 // look inside a write after so many bytes; 0: do not
	look        func(when string)   // called around every operation
	kinds       map[string]struct{} // of operations that failed
}

func (d *disk) fails(kind string) bool {
	d.op++
	bad := d.op > d.from && d.op <= d.from+d.lasts
	if bad && d.kinds != nil {
		d.kinds[kind] = struct{}{}
	}
	return bad
}

func (d *disk) Write(p []byte) (int, error) {
	defer d.look("write")
	if d.fails("write") {
		n := min(d.leaves, len(p))
		d.data = append(d.data, p[:n]...)
		return n, syscall.ENOSPC
	}
	// The process may be killed when any number of bytes is there.
	whole := d.data
	for n := 0; n < len(p) && d.step > 0; n += d.step {
		d.data = append(whole[:len(whole):len(whole)], p[:n]...)
		d.look("inside a write")
	}
	d.data = append(whole, p...)
	return len(p), nil
}

func (d *disk) Sync() error {
	defer d.look("sync")
	if d.fails("sync") {
		return syscall.EIO
	}
	return nil
}

func (d *disk) Truncate(size int64) error {
	defer d.look("truncate")
	if d.fails("truncate") {
		return syscall.EIO
	}
	d.data = d.data[:size]
	return nil
}

func (d *disk) Close() error { return nil }

// decided is what a person decided.
func decided(n int) interp.Answer { return interp.Answer{Option: &n, By: interp.ByPerson} }

// some are entries of an evening.
var some = []evening.Entry{
	{Input: "use cah"}, {Done: &evening.Fell{}},
	{Input: "include \"h.scene\""}, {File: &Text{Name: "h.scene", Text: "hero H {}\n"}}, {Nothing: true},
	{Input: "roll STRENGTH 2"}, {Answer: interp.Answer{Faces: []int{7}, By: interp.ByTable}}, {Answer: decided(1)}, {Done: &evening.Fell{Record: interp.Record{{Faces: []int{7}, By: interp.ByTable}, decided(1)}}},
	{Undo: 1}, {Redo: 1}, {Seed: ptr(uint64(9))}, {Ask: ptr(true)}, {End: true},
}

// unfit are entries whose numbers nobody writes.
var unfit = []evening.Entry{
	{Keep: &evening.Course{Back: -3, Line: "print 1"}}, {Undo: -5}, {Redo: -1 << 62}, {Back: -1}, {Drop: -2},
	{Dropped: true, Back: -1},
}

// An entry with numbers that do not fit ends what is taken up, with a message.
func TestUnfitEntries(t *testing.T) {
	for _, e := range unfit {
		d := &disk{look: func(string) {}}
		j, _ := Begin(d, Head{Folder: "/"})
		j.Append(evening.Entry{Input: "print 1"})
		j.Append(e)
		c, err := Parse(d.data)
		if err != nil || len(c.Entries) != 1 || c.Damage == nil || c.Damage.Line != 3 || !strings.Contains(c.Damage.Error(), "fewer than none") {
			t.Errorf("%+v: %v, %+v", e, err, c)
		}
	}
}

// Whenever the process ends, in the middle of any write or behind any operation
// on a disk that fails or does not, the journal holds every entry of which
// Append said so, in order, nothing else before them, and no more than one
// started after them.
func TestJournalFailingDisk(t *testing.T) {
	kinds := map[string]struct{}{}
	all := append(some[:len(some):len(some)], evening.Entry{End: true}, evening.Entry{End: true})
	campaigns := 0
	try := func(from, lasts, leaves int) (ops int) {
		campaigns++
		d := &disk{from: from, lasts: lasts, leaves: leaves, kinds: kinds}
		if lasts <= 1 && leaves == 0 {
			d.step = 7 + from%9
		}
		safe, begun := 0, 0 // entries acknowledged, entries handed over
		headed := false
		d.look = func(when string) {
			c, err := Parse(d.data)
			if err != nil {
				if headed {
					t.Fatalf("%d+%d/%d: op %d %s: %v in\n%s", from, lasts, leaves, d.op, when, err, d.data)
				}
				return
			}
			if c.Damage != nil || len(c.Entries) < safe || len(c.Entries) > begun || len(c.Entries) > 0 && !cmp.Equal(c.Entries, all[:len(c.Entries)]) {
				t.Fatalf("%d+%d/%d: op %d %s: %d of %d entries, %d acknowledged, %v\n%s", from, lasts, leaves, d.op, when, len(c.Entries), begun, safe, c.Damage, d.data)
			}
		}
		j, err := Begin(d, Head{Folder: "/"})
		if err != nil {
			return d.op // a session without a journal
		}
		headed = true
		for i, e := range all {
			begun = i + 1
			err := j.Append(e)
			if err == nil {
				safe = begun
			}
			if (err == nil) != (len(j.waiting) == 0) {
				t.Fatalf("%v with %d waiting", err, len(j.waiting))
			}
			d.look("appended")
		}
		if from+lasts < d.op-4 && safe != len(all) {
			t.Fatalf("%d+%d/%d: with room again %d entries are missing", from, lasts, leaves, len(j.waiting))
		}
		return d.op
	}
	n := try(1<<30, 0, 0)
	for from := range n {
		for _, lasts := range []int{1, 2, 6, 1 << 20} {
			for i, leaves := range []int{0, 17, 1 << 20} {
				if i == from%3 || os.Getenv("SETPIECE_LONG") != "" {
					try(from, lasts, leaves)
				}
			}
		}
	}
	if len(kinds) != 3 {
		t.Errorf("only these failed: %v", kinds)
	}
	t.Logf("%d sessions on failing disks, %d operations in the one that did not fail", campaigns, n)
}

// A byte that changes, a line that goes, comes twice or moves: the entries
// before it are taken up, and the rest is reported.
func TestJournalDamage(t *testing.T) {
	d := &disk{look: func(string) {}}
	j, err := Begin(d, Head{Folder: "/"})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range some {
		if err := j.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	whole := d.data
	rows := bytes.SplitAfter(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n"))
	rows[len(rows)-1] = append(rows[len(rows)-1][:len(rows[len(rows)-1]):len(rows[len(rows)-1])], '\n')
	check := func(what string, data []byte, before int) {
		t.Helper()
		c, err := Parse(data)
		if before < 0 {
			if err == nil {
				t.Errorf("%s: not noticed", what)
			}
			return
		}
		if err != nil || len(c.Entries) != before || before > 0 && !cmp.Equal(c.Entries, some[:before]) {
			t.Errorf("%s: %v, %+v", what, err, c)
			return
		}
		if c.Damage == nil || c.Damage.Line != before+2 {
			t.Errorf("%s: damage %v, not in line %d", what, c.Damage, before+2)
		}
	}
	for at := range whole {
		line := bytes.Count(whole[:at], []byte("\n"))
		for _, b := range []byte{whole[at] ^ 1, whole[at] ^ 0x80, 0, '\n', '"'} {
			if b == whole[at] {
				continue
			}
			data := slices.Clone(whole)
			data[at] = b
			if at == len(whole)-1 {
				continue // without its newline the last line counts as never finished
			}
			check(fmt.Sprintf("byte %d is %q", at, b), data, line-1)
		}
	}
	for n := 1; n < len(rows); n++ {
		join := func(rs ...[][]byte) []byte { return bytes.Join(slices.Concat(rs...), nil) }
		if n+1 < len(rows) {
			check(fmt.Sprintf("line %d is missing", n+1), join(rows[:n], rows[n+1:]), n-1)
			check(fmt.Sprintf("line %d has moved", n+1), join(rows[:n], rows[n+1:n+2], rows[n:n+1], rows[n+2:]), n-1)
		}
		check(fmt.Sprintf("line %d is there twice", n+1), join(rows[:n+1], rows[n:]), n)
		check(fmt.Sprintf("rubbish before line %d", n+1), join(rows[:n], [][]byte{[]byte("rubbish\n")}, rows[n:]), n-1)
	}
	check("zeros at the end", append(slices.Clone(whole), make([]byte, 100)...), len(some))
	check("an entry nobody knows", append(slices.Clone(whole), newer(t, whole)...), len(some))
}

// newer is a record of a kind that does not exist, with a good checksum.
func newer(t *testing.T, whole []byte) []byte {
	t.Helper()
	c, err := Parse(whole)
	if err != nil {
		t.Fatal(err)
	}
	line, _, err := c.end.next(map[string]int{"dance": 1})
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// A damaged journal goes on before the damage, and nothing of it is thrown away.
func TestReopenDamaged(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "session-1.jsonl")
	j, err := Create(path, Head{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range some[:5] {
		j.Append(e)
	}
	j.Close()
	whole, _ := os.ReadFile(path)
	damaged := bytes.Replace(whole, []byte("hero H"), []byte("hero I"), 1)
	if err := os.WriteFile(path, damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	p, found := Last(dir)
	if !found || p.Inputs != 2 {
		t.Fatalf("%+v, %v", p, found)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, damaged) {
		t.Error("looking at it has changed it")
	}
	j, c, err := Reopen(path)
	if err != nil || c.Damage == nil || c.Damage.Line != 5 {
		t.Fatal(err, c)
	}
	if kept, err := os.ReadFile(c.Damage.Kept); err != nil || !bytes.Equal(kept, damaged) {
		t.Errorf("kept: %v\n%s", err, kept)
	}
	j.Append(evening.Entry{Nothing: true})
	j.Close()
	again, err := Read(path)
	if want := append(some[:3:3], evening.Entry{Nothing: true}); err != nil || again.Damage != nil || !cmp.Equal(again.Entries, want) {
		t.Errorf("%v, %+v", err, again)
	}
}

// What is no journal of this program and version is named and left as it is,
// whatever it is called and however it ends.
func TestForeignJournals(t *testing.T) {
	for name, text := range map[string]string{
		"rubbish":            "nothing of the kind",
		"other JSON":         "{\"a\":1}\n{\"b\"",
		"empty":              "",
		"an earlier version": `{"v":1,"journal":"setpiece","seed":1,"folder":"/"}` + "\n" + `{"input":"1"}` + "\n",
		"a later version":    `{"v":3,"journal":"setpiece"}` + "\nwho knows what",
		"a head half there":  `{"v":2,"journal":"setp`,
		"zeros":              strings.Repeat("\x00", 500),
		"a head changed":     `{"v":2,"journal":"setpiece","kind":"prompt","program":"","seed":1,"folder":"","crc":"00000000"}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "session-20260101.jsonl")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			p, found := Last(dir)
			if found || len(p.Passed) != 1 || !strings.Contains(p.Passed[0].Error(), path) {
				t.Errorf("%+v, %v", p, found)
			}
			if _, _, err := Reopen(path); err == nil {
				t.Error("taken up")
			}
			if now, err := os.ReadFile(path); err != nil || string(now) != text {
				t.Errorf("%v: %q", err, now)
			}
			if left, _ := os.ReadDir(dir); len(left) != 1 {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

// FuzzJournal holds reading against writing: what is understood of any bytes
// is, written again, just the bytes it was read from.
func FuzzJournal(f *testing.F) {
	d := &disk{look: func(string) {}}
	j, _ := Begin(d, Head{Folder: "/"})
	for _, e := range some {
		f.Add(slices.Clone(d.data))
		j.Append(e)
	}
	for _, e := range unfit {
		d := &disk{look: func(string) {}}
		j, _ := Begin(d, Head{Folder: "/"})
		j.Append(evening.Entry{Input: "print 1"})
		j.Append(e)
		f.Add(slices.Clone(d.data))
	}
	f.Add([]byte(`{"v":2,"journal":"setpiece"`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse(data)
		if err != nil {
			return
		}
		if c.size > int64(len(data)) || c.size < int64(len(data)) && c.Damage == nil && data[c.size] != '{' {
			t.Fatalf("%d of %d bytes, damage %v", c.size, len(data), c.Damage)
		}
		again, err := Parse(data[:c.size])
		if err != nil || again.Damage != nil || again.size != c.size || len(again.Entries) != len(c.Entries) {
			t.Fatalf("cut back: %v, %+v", err, again)
		}
		evening.Said(c.Entries)
	})
}

// FuzzLog: no bytes make a log panic, and what is taken for a log is written
// again as one that reads the same.
func FuzzLog(f *testing.F) {
	var b bytes.Buffer
	l := &Log{Program: "0.1", Seed: 3, Source: Text{Name: "a.scene", Text: "print 1"}, Record: interp.Record{{Faces: []int{3}, By: interp.BySeed}, decided(1)}}
	l.Write(&b)
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:b.Len()/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := ReadLog(bytes.NewReader(data))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := l.Write(&again); err != nil {
			t.Fatal(err)
		}
		if m, err := ReadLog(&again); err != nil || !cmp.Equal(l, m) {
			t.Fatalf("%v\n%s", err, cmp.Diff(l, m))
		}
	})
}
