package repl

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"setpiece/cmd/internal/files"
)

// save writes the session as a script: before each entry, as statements, the
// faces that fell and the answers that were given. It then runs what it wrote
// to see that the state is the same.
func (l *Loop) save(path string) {
	if err := files.Free(nil, path); err != nil {
		l.complain("%v", files.Error(err))
		return
	}
	if path != l.saved && !l.mayReplace(path) {
		return
	}
	write := func(script string) bool {
		err := files.Write(path, nil, func(o *files.Output) error {
			_, err := o.WriteString(script)
			return err
		})
		if err != nil {
			l.complain("%v", files.Error(err))
		}
		return err == nil
	}
	script := l.evening.Script(false)
	if !write(script) {
		return
	}
	l.saved = path
	diff := l.differs(path, script)
	if diff != "" && diff != stoppedCheck {
		// perhaps an entry gives dice or answers of its own, or refuses something after dice have fallen
		if once := l.evening.Script(true); l.differs(path, once) == "" {
			if !write(once) {
				return
			}
			diff = ""
		}
	}
	l.faint(fmt.Sprintf("saved: %s, %s", path, countSteps(len(l.evening.Steps()))))
	switch diff {
	case "":
	case stoppedCheck:
		l.complain("stopped: whether running it gives this state was not checked to the end")
	default:
		l.complain("warning: running it does not give this state: %s", diff)
	}
}

// mayReplace says whether a file may be written: there is none of that name, or
// the person says so.
func (l *Loop) mayReplace(path string) bool {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return true
	}
	line, err := l.cfg.Lines.ReadLine(path + " is there already. Replace it? [y/N] ")
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		if err == nil {
			return true
		}
	}
	l.complain("%s is left as it was", path)
	return false
}

// stoppedCheck says that nobody knows in what a saved script differs.
const stoppedCheck = "stopped"

// differs runs a saved script and tells how the state it ends in differs from the present one, ""
// if it does not.
func (l *Loop) differs(path, script string) string {
	ctx, stop := l.interrupt()
	defer stop()
	d, err := l.evening.Differs(ctx, path, script)
	switch {
	case err != nil:
		l.printf("\n") // behind the ^C that the terminal shows
		return stoppedCheck
	case d == nil:
		return ""
	case d.Step != nil:
		return "something else happens in " + title(*d.Step)
	}
	return d.Text
}
