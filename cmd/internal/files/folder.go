package files

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// Folder is a folder that cannot be left, not even by a symbolic link, and of
// which only regular files are read, of at most MaxScript bytes each. It is nil
// where the folder cannot be opened.
func Folder(path string, seen *Seen) fs.FS {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil
	}
	return &folder{root, root.FS(), seen}
}

// Within is the folder that path means in another one, which path does not leave either.
func Within(top, path string, seen *Seen) fs.FS {
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil
	}
	defer root.Close()
	inner, err := root.OpenRoot(path)
	if err != nil {
		return nil
	}
	return &folder{inner, inner.FS(), seen}
}

type folder struct {
	root *os.Root
	fs.FS
	seen *Seen
}

// What a script's folder does not give.
var (
	errLeaves  = errors.New("it leads out of the script's folder")
	errNotFile = errors.New("it is not a regular file")
	errFolder  = errors.New("it is a folder")
)

// ReadFile implements fs.ReadFileFS. The file is looked at before it is opened,
// since opening a pipe would wait for its other end, and opened so that it does
// not wait should it have become one in between.
func (f *folder) ReadFile(name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	info, err := f.root.Stat(name)
	if err != nil {
		return nil, leaving(err)
	}
	file, err := f.open(name, info)
	if err != nil {
		return nil, leaving(err)
	}
	defer file.Close()
	data, err := readAll(file, MaxScript)
	if err != nil {
		return nil, pathError("read", name, err)
	}
	f.seen.add(info)
	return data, nil
}

func (f *folder) open(name string, info fs.FileInfo) (*os.File, error) {
	switch {
	case info.IsDir():
		return nil, &fs.PathError{Op: "open", Path: name, Err: errFolder}
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNotFile}
	case info.Size() > MaxScript:
		return nil, &fs.PathError{Op: "open", Path: name, Err: TooLong(MaxScript)}
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	if now, err := file.Stat(); err != nil || !os.SameFile(info, now) {
		file.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNotFile}
	}
	return file, nil
}

// leaving puts into our words that a path leads out of the root. Package os has
// no name for that error.
func leaving(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) && strings.Contains(pe.Err.Error(), "escapes from parent") {
		return &fs.PathError{Op: pe.Op, Path: pe.Path, Err: errLeaves}
	}
	return err
}
