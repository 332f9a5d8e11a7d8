package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// StateDir is the folder for what is kept between sessions: setpiece in
// $XDG_STATE_HOME, else in ~/.local/state. It is made if need be.
func StateDir() (string, error) {
	base := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(base) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		base = filepath.Join(home, ".local", "state")
	}
	dir := filepath.Join(base, "setpiece")
	return dir, os.MkdirAll(dir, 0o700)
}

// keep is how many journals stay.
const keep = 20

const journals = "session-*.jsonl"

// NewPath names a new journal in dir. Names sort by age.
func NewPath(dir string, now time.Time) string {
	return filepath.Join(dir, fmt.Sprintf("session-%s-%d.jsonl", now.UTC().Format("20060102-150405.000"), os.Getpid()))
}

// Past is a session that is not going on any more.
type Past struct {
	Path   string
	Killed bool // nobody left it: it was ended from outside
	Inputs int  // lines that were accepted
}

// Last finds the newest session in dir that no process is at, and of which
// something is to be taken up. It also does away with old journals.
func Last(dir string) (Past, bool) {
	paths, _ := filepath.Glob(filepath.Join(dir, journals))
	slices.Sort(paths)
	slices.Reverse(paths)
	var last Past
	found := false
	for i, path := range paths {
		p, err := look(path)
		if err != nil {
			continue
		}
		if p.Inputs == 0 || i >= keep {
			os.Remove(path)
			continue
		}
		if !found && p.Inputs > 0 {
			last, found = p, true
		}
	}
	return last, found
}

// look reads a journal without taking it up.
func look(path string) (Past, error) {
	j, _, es, err := Reopen(path)
	if err != nil {
		return Past{}, err
	}
	defer j.Close()
	p := Past{Path: path, Killed: true}
	for _, e := range es {
		if e.Input != "" || e.Seed != nil {
			p.Inputs++
		}
		p.Killed = !e.End
	}
	return p, nil
}

// Discard closes a journal and removes it: nothing happened in its session.
func (j *Journal) Discard() error {
	if j == nil {
		return nil
	}
	return errors.Join(j.f.Close(), os.Remove(j.path))
}
