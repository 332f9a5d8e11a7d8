package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"setpiece/interp"
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
	Digest  string            `json:"digest,omitempty"`  // of the file of a script that is played
	Part    string            `json:"part,omitempty"`    // of a note that is played
}

// Kind is what a session was: who takes it up has to know.
type Kind string

const (
	Prompt Kind = "prompt"
	Play   Kind = "play" // of one script, by setpiece play
)

// Entry is a further record of a journal. One of its fields is set, and Name
// and Input go together. A new kind of entry, or of answer, is a new field: a
// program that does not know it takes the session up as far as it stands before
// that record, and says so.
type Entry struct {
	// Input is a text that was accepted and is now evaluated. Name is that of
	// the file it was loaded from, Page the note that it is an excerpt of.
	Input string `json:"input,omitempty"`
	Name  string `json:"name,omitempty"`
	Page  string `json:"page,omitempty"`
	// File is a file that the last Input includes, as it was then. A file that is
	// read again without a change has no second record.
	File *Text `json:"file,omitempty"`
	// Answer is what was answered while the last Input was evaluated, one after the other: by a
	// person, or by default where somebody was handed over at the question.
	interp.Answer
	// Back says that so many of them, the last ones, were taken back.
	Back int `json:"back,omitempty"`
	// Done ends the last Input: it changed the session. Nothing: it did not, since
	// it failed or only asked for a value.
	Done    *Fell `json:"done,omitempty"`
	Nothing bool  `json:"nothing,omitempty"`
	// Dropped ends the last Input as Nothing does, and Redo takes it up again with its answers:
	// the person dropped it at a question, or it failed, and then is without the last Back answers.
	Dropped bool `json:"dropped,omitempty"`

	Undo int     `json:"undo,omitempty"` // so many steps were undone
	Redo int     `json:"redo,omitempty"`
	Seed *uint64 `json:"seed,omitempty"` // a new seed, which is a step
	Ask  *bool   `json:"ask,omitempty"`  // from now on dice are asked of the person, or not
	Hand *Hand   `json:"hand,omitempty"` // somebody is handed over: during an Input like an answer, else as a step
	// Dice says, during an Input and like an answer, whether dice are asked of the person from
	// there on, as Ask does between two of them.
	Dice *bool `json:"dice,omitempty"`

	// WhatIf begins to try another course out. What is answered until Drop or Keep ends it
	// belongs to it. Nothing else is written meanwhile but another WhatIf, or that the person
	// left. Drop ends so many of them, the last ones, Keep all.
	WhatIf *WhatIf `json:"what_if,omitempty"`
	Drop   int     `json:"drop,omitempty"`
	Keep   *Course `json:"keep,omitempty"`

	End bool `json:"end,omitempty"` // the person left
}

// Hand says who gives somebody's commands: the person, or tactics.
type Hand struct {
	Who   string `json:"who"`
	Asked bool   `json:"asked"`
}

// WhatIf is what is tried out: a line in the place of one that was.
type WhatIf struct {
	Back   int    `json:"back"`             // 1: the last entry, or the last answer of an Input
	Answer int    `json:"answer,omitempty"` // of the answers of that entry, counted likewise; 0: the entry itself
	Line   string `json:"line"`
}

// Course is a course that was tried out and takes the place of what was: of the last Back
// steps, or, during an Input, of its answers so far. It needs nothing of what was tried.
type Course struct {
	Line  string  `json:"line"` // that differs, for whoever reads
	Back  int     `json:"back,omitempty"`
	Steps []Again `json:"steps"` // one alone during an Input
	// Old are the answers that it takes the place of. They stand in the journal before it.
	Old []Entry `json:"-"`
}

// Again is a step with all that makes it happen the same again.
type Again struct {
	Input string  `json:"input,omitempty"` // as in Entry
	Name  string  `json:"name,omitempty"`
	Page  string  `json:"page,omitempty"`
	Seed  *uint64 `json:"seed,omitempty"`
	Hand  *Hand   `json:"hand,omitempty"`
	Said  []Entry `json:"said,omitempty"` // the answers of the person, but for dice
	Fell  Fell    `json:"fell"`
	Left  []int   `json:"left,omitempty"`  // faces given from outside that had not fallen after it
	Next  uint64  `json:"next,omitempty"`  // seeds the generator behind it
	First bool    `json:"first,omitempty"` // it begins the course: dice that waited have fallen in it
	picks []int   // what a die had picked, in a journal of before
}

// Fell is all that chance and choice answered during an Input.
type Fell struct {
	Record interp.Record `json:"record,omitempty"`
}

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
func (j *Journal) Append(e Entry) error {
	if j == nil {
		return nil
	}
	return j.write(e)
}

// Waiting is how many entries are not on disk.
func (j *Journal) Waiting() int {
	if j == nil {
		return 0
	}
	return len(j.waiting)
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
	Entries []Entry
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
		var e Entry
		err := errors.New("it is not a record")
		if whole {
			err = c.end.read(line, &e)
		}
		if err == nil {
			err = e.fits()
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

// fits says what is wrong with the numbers of an entry.
func (e Entry) fits() error {
	if slices.Min([]int{e.Back, e.Undo, e.Redo, e.Drop}) < 0 {
		return errors.New("it takes back or gives again fewer than none")
	}
	if e.Keep != nil && e.Keep.Back < 0 {
		return errors.New("the course that it keeps takes the place of fewer than none")
	}
	return nil
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
