package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"setpiece/interp"
	"setpiece/interp/evening"
)

// Head is the first record of a journal: how the session began.
type Head struct {
	V       int               `json:"v"`
	Journal string            `json:"journal"`
	Kind    Kind              `json:"kind"`
	Program string            `json:"program"`
	Seed    uint64            `json:"seed"`
	Set     map[string]string `json:"set,omitempty"`
	Dice    []int             `json:"dice,omitempty"`
	Ask     bool              `json:"ask,omitempty"`     // dice are asked of the person
	Folder  string            `json:"folder"`            // where it was started
	ByAuto  []string          `json:"by_auto,omitempty"` // who acts by tactics
	ByHand  []string          `json:"by_hand,omitempty"` // who is asked though they have tactics
	Asks    interp.Quiet      `json:"asks,omitempty"`    // which decisions people are asked; all in those of before
	Digest  string            `json:"digest,omitempty"`  // of the file of a script that is played
	Part    string            `json:"part,omitempty"`    // of a note that is played
	Systems []evening.System  `json:"systems,omitempty"` // that a script that is played uses
}

// Kind is what a session was: who takes it up has to know.
type Kind string

const (
	Prompt Kind = "prompt"
	Play   Kind = "play" // of one script, by setpiece play
)

// File is where a journal is written: an *os.File that appends, or in a test
// something that fails like a disk.
type File interface {
	io.Writer
	Sync() error
	Truncate(size int64) error
	Close() error
}

// Journal is the file of a session that goes on. It is locked: no other
// process takes the session up while this one lives.
//
// The file only ever holds whole records, but for one whose write was cut short:
// that one is cut off before the next is written. Records that could not be
// written wait, and are written first as soon as there is room, so the journal
// has no gap.
type Journal struct {
	f       File
	path    string
	end     chain // of the last record that is on disk
	size    int64 // of the records that are on disk
	torn    bool  // something may stand behind them
	waiting [][]byte
	waits   chain // of the last record that waits
}

// Create begins a journal. The file gets its name when it is locked and has
// its head, so that nobody ever sees it otherwise.
func Create(path string, h Head) (*Journal, error) {
	f, err := os.OpenFile(path+unborn, os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	err = lock(f)
	var j *Journal
	if err == nil {
		j, err = Begin(f, h)
	}
	if err == nil {
		j.path = path
		err = os.Rename(f.Name(), path)
	}
	if err == nil {
		err = syncDir(filepath.Dir(path))
	}
	if err != nil {
		f.Close()
		os.Remove(f.Name())
		return nil, err
	}
	return j, nil
}

// Begin writes the head of a journal to an empty file.
func Begin(f File, h Head) (*Journal, error) {
	h.V, h.Journal = Version, program
	if h.Kind == "" {
		h.Kind = Prompt
	}
	j := &Journal{f: f}
	return j, j.write(h)
}

// syncDir makes the name of a new file as lasting as its contents. Not every
// system can; then the name is as lasting as it gets.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	d.Sync()
	return d.Close()
}

// Append writes an entry and returns when it is on disk, and with it every entry
// before. After an error the entry waits for the next Append.
func (j *Journal) Append(e evening.Entry) error {
	if j == nil {
		return nil
	}
	return j.write(e)
}

func (j *Journal) write(v any) error {
	from := j.waits
	if len(j.waiting) == 0 {
		from = j.end
	}
	line, next, err := from.next(v)
	if err != nil {
		return err
	}
	j.waiting, j.waits = append(j.waiting, line), next
	return j.flush()
}

// flush writes what waits. Either all of it is on disk then, or what was there
// before and perhaps the beginning of more, which is cut off next time. A record
// that was written and not synced counts as not written: after a failed sync
// nobody knows what the disk has.
func (j *Journal) flush() error {
	if j.torn {
		if err := j.f.Truncate(j.size); err != nil {
			return err
		}
	}
	j.torn = true
	all := bytes.Join(j.waiting, nil)
	n, err := j.f.Write(all)
	if err == nil && n < len(all) {
		err = io.ErrShortWrite
	}
	if err == nil {
		err = j.f.Sync()
	}
	if err != nil {
		if j.f.Truncate(j.size) == nil {
			j.torn = false
		}
		return err
	}
	j.torn, j.waiting = false, nil
	j.size += int64(len(all))
	j.end = j.waits
	return nil
}

// Close ends the use of the file.
func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	return j.f.Close()
}

// ErrBusy says that the session of a journal is still going on somewhere.
var ErrBusy = errors.New("that session is still open in another window")

// Content is what a journal holds.
type Content struct {
	Head    Head
	Entries []evening.Entry
	Damage  *Damage // nil if the journal is whole

	size int64 // of the records that were understood
	end  chain
}

// Damage says from where on a journal cannot be read.
type Damage struct {
	Line   int
	Reason error
	Kept   string // the copy of the damaged journal that Reopen has made
}

func (d *Damage) Error() string { return fmt.Sprintf("line %d: %v", d.Line, d.Reason) }

// Parse reads a journal as far as its records are whole. A last line without a
// newline is one whose write was cut off with its process; it was never
// acknowledged, and is no damage.
func Parse(data []byte) (*Content, error) {
	c := &Content{}
	line, rest, whole := bytes.Cut(data, []byte("\n"))
	if err := readHead(line, whole, &c.Head, &c.end); err != nil {
		return nil, err
	}
	c.size = int64(len(line) + 1)
	for n := 2; len(rest) > 0; n++ {
		line, rest, whole = bytes.Cut(rest, []byte("\n"))
		if !whole && line[0] == '{' {
			return c, nil
		}
		var e evening.Entry
		err := errors.New("it is not a record")
		if whole {
			err = c.end.read(line, &e)
		}
		if err == nil {
			err = e.Fits()
		}
		if err != nil {
			c.Damage = &Damage{Line: n, Reason: err}
			return c, nil
		}
		c.Entries = append(c.Entries, e)
		c.size += int64(len(line) + 1)
	}
	return c, nil
}

// readHead reads a journal's first record. What it is and of which version is
// looked at first, since another version may end its records otherwise.
func readHead(line []byte, whole bool, h *Head, end *chain) error {
	var mark struct {
		V       int    `json:"v"`
		Journal string `json:"journal"`
	}
	if !whole || json.Unmarshal(line, &mark) != nil || mark.Journal != program {
		return errors.New("this is not a journal of a session")
	}
	if mark.V != Version {
		return fmt.Errorf("the journal has version %d; this program reads version %d", mark.V, Version)
	}
	if err := end.read(line, h); err != nil {
		return fmt.Errorf("line 1: %w", err)
	}
	return nil
}

// Read reads a journal and leaves the file as it is.
func Read(path string) (*Content, error) {
	f, err := openRegular(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(f)
}

func read(f *os.File) (*Content, error) {
	if err := lock(f); err != nil {
		return nil, err
	}
	data, err := readFile(f)
	if err != nil {
		return nil, err
	}
	return Parse(data)
}

// Reopen takes a journal up: what it holds, and the journal to go on with. A
// last line that was cut off by the end of its process is dropped. Where a line
// is damaged the journal goes on before it, and a copy of the whole file stays.
func Reopen(path string) (*Journal, *Content, error) {
	f, err := openRegular(path, os.O_RDWR|os.O_APPEND)
	if err != nil {
		return nil, nil, err
	}
	c, err := read(f)
	if err == nil && c.Damage != nil {
		c.Damage.Kept, err = setAside(path)
	}
	if err == nil {
		err = f.Truncate(c.size)
	}
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Journal{f: f, path: path, end: c.end, size: c.size}, c, nil
}

// SetAside copies the journal as it is now and returns the name of the copy.
func (j *Journal) SetAside() (string, error) {
	if j == nil || j.path == "" {
		return "", nil
	}
	return setAside(j.path)
}

// Path is the file of the journal.
func (j *Journal) Path() string { return j.path }

// setAside copies a journal that is damaged or is no longer understood, and returns the name of the copy.
func setAside(path string) (string, error) {
	from, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer from.Close()
	to, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".damaged-*")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(to, from)
	err = errors.Join(err, to.Sync(), to.Close())
	if err != nil {
		os.Remove(to.Name())
		return "", err
	}
	return to.Name(), syncDir(filepath.Dir(path))
}

// openRegular opens a file that is neither a folder nor a device nor a pipe,
// without waiting for anybody.
func openRegular(path string, flag int) (*os.File, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, &os.PathError{Op: "open", Path: path, Err: errors.New("it is not a regular file")}
	}
	return os.OpenFile(path, flag, 0)
}
