package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"setpiece/lang"
)

// StateDir is the folder for what is kept between sessions: setpiece in
// $XDG_STATE_HOME, else in ~/.local/state. It is made if need be, and closed to
// everybody else whatever it was before.
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
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return dir, err
	}
	return dir, os.Chmod(dir, 0o700)
}

// History makes the file of what was typed, if it is not there yet, closes it to
// everybody else, and takes out of it what would steer the terminal on which its
// lines are shown.
func History(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|noWait, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular() || info.Size() > maxHistory:
		return fmt.Errorf("%s is not a text file, or is longer than %d MiB", path, maxHistory>>20)
	}
	if err := f.Chmod(0o600); err != nil {
		return err
	}
	text, err := io.ReadAll(f)
	if err != nil || lang.Visible(string(text)) == string(text) {
		return err
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err = f.WriteAt([]byte(lang.Visible(string(text))), 0)
	return err
}

// maxHistory bounds the file of what was typed.
const maxHistory = 16 << 20

// keep is how many journals stay.
const keep = 20

const (
	journals = "session-*.jsonl"
	unborn   = ".new" // ends the name of a journal until it has its head
)

// NewPath names a new journal in dir. Names sort by age.
func NewPath(dir string, now time.Time) string {
	return filepath.Join(dir, fmt.Sprintf("session-%s-%d.jsonl", now.UTC().Format("20060102-150405.000"), os.Getpid()))
}

// Past is a session that is not going on any more.
type Past struct {
	Path   string
	Killed bool // nobody left it: it was ended from outside
	Inputs int  // lines that were accepted
	// Passed are the newer journals that cannot be taken up, and why.
	Passed []error
}

// Last finds the newest session of a kind in dir that no process is at, and of
// which something is to be taken up. It also does away with old journals, and
// leaves alone what is none.
func Last(dir string, kind Kind) (Past, bool) {
	paths, _ := filepath.Glob(filepath.Join(dir, journals))
	slices.Sort(paths)
	slices.Reverse(paths)
	last := Past{}
	found := false
	for i, path := range paths {
		c, err := Read(path)
		if err != nil {
			if !found && !errors.Is(err, ErrBusy) {
				last.Passed = append(last.Passed, fmt.Errorf("%s: %w", path, err))
			}
			continue
		}
		p := c.past()
		if c.Damage == nil && (p.Inputs == 0 || i >= keep) {
			os.Remove(path)
			continue
		}
		if !found && p.Inputs > 0 && c.Head.Kind == kind {
			last.Path, last.Killed, last.Inputs = path, p.Killed, p.Inputs
			found = true
		}
	}
	sweepUnborn(dir)
	return last, found
}

func (c *Content) past() Past {
	p := Past{Killed: true}
	for _, e := range c.Entries {
		if e.Input != "" || e.Seed != nil {
			p.Inputs++
		}
		p.Killed = !e.End
	}
	return p
}

// sweepUnborn removes what is left of journals whose process ended before they
// had their head.
func sweepUnborn(dir string) {
	paths, _ := filepath.Glob(filepath.Join(dir, journals+unborn))
	for _, path := range paths {
		f, err := openRegular(path, os.O_RDONLY)
		if err != nil {
			continue
		}
		info, err := f.Stat()
		old := err == nil && time.Since(info.ModTime()) > time.Minute
		begun := make([]byte, len(`{"v":`))
		n, _ := io.ReadFull(f, begun)
		if old && lock(f) == nil && (n == 0 || string(begun) == `{"v":`) {
			os.Remove(path)
		}
		f.Close()
	}
}

// Discard closes a journal and removes it: nothing happened in its session.
func (j *Journal) Discard() error {
	if j == nil {
		return nil
	}
	return errors.Join(j.f.Close(), os.Remove(j.path))
}
