package journal

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"setpiece/interp/evening"
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

// keep is how many journals stay: of the prompt, and of each script that is played.
const keep = 20

// Seats ends the name of the file beside a journal that says who sits where.
const Seats = ".seats"

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
	Left   time.Time // when it was written to last
	Killed bool      // nobody left it: it was ended from outside
	Inputs int       // lines that were accepted
	// Script is the file that is played, and Answers how many there are to go on with.
	Script  string
	Answers int
	Over    bool // the script has come to its end
	// Passed are the newer journals that cannot be taken up, and why.
	Passed []error

	head Head
}

// Last finds the newest session at the prompt in dir that no process is at, and of
// which something is to be taken up. It sweeps as Evenings does.
func Last(dir string) (Past, bool) {
	list, passed := sweep(dir, Prompt)
	if len(list) == 0 {
		return Past{Passed: passed}, false
	}
	list[0].Passed = passed
	return list[0], true
}

// Evenings finds the scripts in dir that were played, are not over, and that no process is
// at, the one that was left last first. Those with an answer come before one without,
// which has nothing to take up but its dice.
//
// It also does away with old journals, and leaves alone what is none: 20 stay of the
// prompt, and 20 with answers of each script.
func Evenings(dir string) ([]Past, []error) {
	list, passed := sweep(dir, Play)
	slices.SortStableFunc(list, func(a, b Past) int {
		return cmp.Or(cmp.Compare(min(b.Answers, 1), min(a.Answers, 1)), b.Left.Compare(a.Left))
	})
	return list, passed
}

// Busy says whether another process is at a session in dir.
func Busy(dir string) bool {
	paths, _ := filepath.Glob(filepath.Join(dir, journals))
	return slices.ContainsFunc(paths, func(path string) bool {
		_, err := Read(path)
		return errors.Is(err, ErrBusy)
	})
}

// sweep gives the sessions of a kind, the newest first, and removes what is old or empty.
func sweep(dir string, kind Kind) (list []Past, passed []error) {
	paths, _ := filepath.Glob(filepath.Join(dir, journals))
	slices.Sort(paths)
	slices.Reverse(paths)
	stay := map[string]int{} // by what they are of
	for _, path := range paths {
		c, err := Read(path)
		if err != nil {
			if len(list) == 0 && !errors.Is(err, ErrBusy) {
				passed = append(passed, fmt.Errorf("%s: %w", path, err))
			}
			continue
		}
		p := c.past(path)
		of := p.of()
		if stay[of]++; c.Damage == nil && (p.Inputs == 0 || stay[of] > p.most()) {
			os.Remove(path)
			os.Remove(path + Seats)
			continue
		}
		if p.Inputs > 0 && c.Head.Kind == kind {
			list = append(list, p)
		}
	}
	sweepUnborn(dir)
	return list, passed
}

func (c *Content) past(path string) Past {
	p := Past{Path: path, Killed: true, head: c.Head}
	for _, e := range c.Entries {
		if e.Input != "" || e.Seed != nil {
			p.Inputs++
		}
		p.Killed = !e.End
		p.Over = e.Input == "" && (p.Over || e.Done != nil)
	}
	if info, err := os.Stat(path); err == nil {
		p.Left = info.ModTime()
	}
	if c.Head.Kind == Play && p.Inputs > 0 {
		p.Script = filepath.Join(c.Head.Folder, filepath.Base(c.Entries[0].Name))
		if c.Head.Part != "" {
			p.Script += "#" + c.Head.Part
		}
		p.Answers = evening.Answers(evening.Said(c.Entries))
	}
	return p
}

// of tells apart what a number of journals is kept of: the prompt, each script, and the
// scripts that nobody has answered anything in.
func (p Past) of() string {
	switch {
	case p.head.Kind != Play:
		return "prompt"
	case p.Answers == 0:
		return "unanswered"
	}
	return "play " + p.Script
}

// most is how many journals stay of that.
func (p Past) most() int {
	if p.of() == "unanswered" {
		return 1
	}
	return keep
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
	os.Remove(j.path + Seats)
	return errors.Join(j.f.Close(), os.Remove(j.path))
}
