package files

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// Output is a file that is being written by way of a second one: until Commit
// has succeeded, what was there under its name is there as it was.
type Output struct {
	*os.File
	path  string // its name in the end
	seen  *Seen
	again bool // it can be made again, so it need not survive a loss of power
}

// ErrRead is the error of writing over a file that is read in the same call.
var ErrRead = errors.New("this command also reads it, and it would be lost")

// Create begins a file. It is refused where something other than a regular file
// has its name, and where that file was read. Through a symbolic link the file
// meant is written. A file that is protected against writing stays, whoever asks. Of a file with
// a second name, a hard link, the other one keeps the old text: that is what a backup made of
// hard links is for.
func Create(path string, seen *Seen) (*Output, error) {
	real, mode, err := target(path, seen)
	if err != nil {
		return nil, err
	}
	seen.begin()
	f, err := os.OpenFile(filepath.Join(filepath.Dir(real), ".setpiece-"+strconv.FormatUint(rand.Uint64(), 36)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		seen.end()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			err = errors.New("there is no folder " + filepath.Dir(path))
		case errors.Is(err, fs.ErrPermission):
			err = errors.New("you may not write in the folder " + filepath.Dir(path))
		}
		return nil, &fs.PathError{Op: "create", Path: path, Err: Inner(err)}
	}
	if mode != 0 {
		err = f.Chmod(mode)
	}
	o := &Output{File: f, path: real, seen: seen}
	if err != nil {
		o.Abort()
		return nil, err
	}
	return o, nil
}

// target finds what path means, and the mode of what is there, 0 for nothing.
func target(path string, seen *Seen) (real string, mode fs.FileMode, err error) {
	if seen != nil && seen.Sealed != nil {
		return "", 0, &fs.PathError{Op: "create", Path: path, Err: seen.Sealed}
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(path); err == nil {
			return "", 0, &fs.PathError{Op: "create", Path: path, Err: errors.New("it is a link to nothing")}
		}
		return path, 0, nil
	case err != nil:
		return "", 0, err
	case info.IsDir():
		return "", 0, &fs.PathError{Op: "create", Path: path, Err: errFolder}
	case !info.Mode().IsRegular():
		return "", 0, &fs.PathError{Op: "create", Path: path, Err: errNotFile}
	case protected(path, info):
		return "", 0, &fs.PathError{Op: "write", Path: path, Err: fs.ErrPermission}
	case seen.has(info):
		return "", 0, &fs.PathError{Op: "create", Path: path, Err: ErrRead}
	}
	real, err = filepath.EvalSymlinks(path)
	return real, info.Mode().Perm(), err
}

// protected says whether a file may not be written: by its mode, which holds for root as well,
// or for other reasons.
func protected(path string, info fs.FileInfo) bool {
	if info.Mode().Perm()&0o222 == 0 {
		return true
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return errors.Is(err, fs.ErrPermission)
	}
	f.Close()
	return false
}

// Inner is an error of a file without what was done to it, and its name.
func Inner(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// Commit gives the file its name. What was read in between counts too.
func (o *Output) Commit() error {
	defer o.seen.end()
	_, _, err := target(o.path, o.seen)
	if !o.again {
		err = errors.Join(err, o.Sync())
	}
	err = errors.Join(err, o.Close())
	if err == nil {
		err = os.Rename(o.Name(), o.path)
	}
	if err != nil {
		os.Remove(o.Name())
	}
	return err
}

// Abort leaves everything as it was.
func (o *Output) Abort() {
	defer o.seen.end()
	o.Close()
	os.Remove(o.Name())
}

// Write writes a whole file.
func Write(path string, seen *Seen, write func(*Output) error) error {
	o, err := Create(path, seen)
	if err != nil {
		return err
	}
	if err := write(o); err != nil {
		o.Abort()
		return fmt.Errorf("%s: %w", path, Inner(err))
	}
	return o.Commit()
}

// WriteAgain writes one of many files that can be made again. It does not wait for the disk.
func WriteAgain(path string, seen *Seen, data []byte) error {
	return Write(path, seen, func(o *Output) error {
		o.again = true
		_, err := o.File.Write(data)
		return err
	})
}

// ErrTwice is the error of two outputs of one call with one name.
var ErrTwice = errors.New("this command writes it twice, and one of the two would be lost")

// Free says whether files could be written under these names, without writing them. Empty
// names are those of files that nobody wants.
func Free(seen *Seen, paths ...string) error {
	var others []string
	for _, path := range paths {
		if path == "" {
			continue
		}
		real, _, err := target(path, seen)
		if err == nil {
			real, err = filepath.Abs(real)
		}
		if err == nil && slices.Contains(others, real) {
			err = &fs.PathError{Op: "create", Path: path, Err: ErrTwice}
		}
		if err != nil {
			return err
		}
		others = append(others, real)
	}
	return nil
}
