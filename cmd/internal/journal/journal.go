package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Head is the first line of a journal: how the session began.
type Head struct {
	V       int               `json:"v"`
	Journal string            `json:"journal"`
	Program string            `json:"program"`
	Seed    uint64            `json:"seed"`
	Set     map[string]string `json:"set,omitempty"`
	Dice    []int             `json:"dice,omitempty"`
	Ask     bool              `json:"ask,omitempty"` // dice are asked of the person
	Folder  string            `json:"folder"`        // where it was started
}

// Entry is a further line of a journal. One of its fields is set, and Name and
// Input go together.
type Entry struct {
	// Input is a text that was accepted and is now evaluated. Name is that of
	// the file it was loaded from.
	Input string `json:"input,omitempty"`
	Name  string `json:"name,omitempty"`
	// Faces and Answer are what a person said while the last Input was evaluated.
	Faces  []int `json:"faces,omitempty"`
	Answer *int  `json:"answer,omitempty"`
	// Done ends the last Input: it changed the session. Nothing: it did not, since
	// it failed or only asked for a value.
	Done    *Fell `json:"done,omitempty"`
	Nothing bool  `json:"nothing,omitempty"`

	Undo int     `json:"undo,omitempty"` // so many steps were undone
	Redo int     `json:"redo,omitempty"`
	Seed *uint64 `json:"seed,omitempty"` // a new seed, which is a step
	Ask  *bool   `json:"ask,omitempty"`  // from now on dice are asked of the person, or not
	End  bool    `json:"end,omitempty"`  // the person left
}

// Fell is all that chance and choice answered during an Input.
type Fell struct {
	Faces   []int `json:"faces,omitempty"`
	Answers []int `json:"answers,omitempty"`
}

// Journal is the file of a session that goes on. It is locked: no other
// process takes the session up while this one lives.
type Journal struct {
	f    *os.File
	path string
}

// Create begins a journal. The file gets its name when it is locked and has
// its head, so that nobody ever sees it otherwise.
func Create(path string, h Head) (*Journal, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "new-*")
	if err != nil {
		return nil, err
	}
	j := &Journal{f, path}
	h.V, h.Journal = Version, program
	err = errors.Join(lock(f), j.write(h))
	if err == nil {
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

// Append writes an entry and returns when it is on disk.
func (j *Journal) Append(e Entry) error {
	if j == nil {
		return nil
	}
	return j.write(e)
}

func (j *Journal) write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err := j.f.Write(append(line, '\n')); err != nil {
		return err
	}
	return j.f.Sync()
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

// Reopen takes a journal up: what it holds, and the journal to go on with. A
// last line that was cut off by the end of its process is dropped.
func Reopen(path string) (*Journal, Head, []Entry, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, Head{}, nil, err
	}
	h, es, err := reopen(f)
	if err != nil {
		f.Close()
		return nil, Head{}, nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Journal{f, path}, h, es, nil
}

func reopen(f *os.File) (Head, []Entry, error) {
	if err := lock(f); err != nil {
		return Head{}, nil, err
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return Head{}, nil, err
	}
	whole := bytes.LastIndexByte(data, '\n') + 1
	if err := f.Truncate(int64(whole)); err != nil {
		return Head{}, nil, err
	}
	return parse(data[:whole])
}

func parse(data []byte) (Head, []Entry, error) {
	s := bufio.NewScanner(bytes.NewReader(data))
	s.Buffer(nil, maxLine)
	var h Head
	if !s.Scan() || json.Unmarshal(s.Bytes(), &h) != nil || h.Journal != program {
		return h, nil, errors.New("this is no journal of a session")
	}
	if h.V != Version {
		return h, nil, fmt.Errorf("the journal has version %d; this program reads version %d", h.V, Version)
	}
	var es []Entry
	for n := 2; s.Scan(); n++ {
		var e Entry
		if err := json.Unmarshal(s.Bytes(), &e); err != nil {
			return h, nil, fmt.Errorf("line %d: %w", n, err)
		}
		es = append(es, e)
	}
	return h, es, s.Err()
}
