// Package systems keeps the rule systems of a user: where they are looked for, how one
// becomes a package, and how a package is added. What it reads may come from a stranger.
package systems

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"setpiece/cmd/internal/files"
	"setpiece/interp"
)

// Variable is the environment variable that lists more folders, as PATH does.
const Variable = "SETPIECE_SYSTEMS"

// Home is the user's own folder of systems: setpiece/systems in $XDG_DATA_HOME, else where the
// operating system keeps such things.
func Home() (string, error) {
	base := os.Getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(base) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		switch runtime.GOOS {
		case "windows":
			if base = os.Getenv("LOCALAPPDATA"); base == "" {
				base = filepath.Join(home, "AppData", "Local")
			}
		case "darwin", "ios":
			base = filepath.Join(home, "Library", "Application Support")
		default:
			base = filepath.Join(home, ".local", "share")
		}
	}
	return filepath.Join(base, "setpiece", "systems"), nil
}

// Places gives where systems are looked for besides the script's folder and what is built in:
// the folders that the call names, those of the environment, and the user's own. A folder that is
// not there holds nothing.
func Places(named []fs.FS, names []string, seen *files.Seen) []interp.Place {
	var out []interp.Place
	for i, name := range names {
		out = append(out, interp.Place{Name: name, FS: named[i]})
	}
	for _, path := range filepath.SplitList(os.Getenv(Variable)) {
		if path != "" {
			out = append(out, place(path, seen))
		}
	}
	if home, err := Home(); err == nil {
		out = append(out, place(home, seen))
	}
	return out
}

func place(path string, seen *files.Seen) interp.Place {
	if f := files.Folder(path, seen); f != nil {
		return interp.Place{Name: Short(path), FS: f}
	}
	return interp.Place{Name: Short(path), FS: nowhere{}}
}

// Short writes a path as people do, with ~ for their own folder.
func Short(path string) string {
	home, err := os.UserHomeDir()
	if rest, in := strings.CutPrefix(path, home+string(filepath.Separator)); err == nil && in {
		return filepath.Join("~", rest)
	}
	return path
}

// nowhere is a folder that is not there.
type nowhere struct{}

func (nowhere) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
