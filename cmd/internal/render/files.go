package render

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxScript bounds what is read as a script.
const maxScript = 16 << 20

// ReadFile reads a script from a file.
func ReadFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return ReadAll(f)
}

// ReadAll reads a script to its end.
func ReadAll(r io.Reader) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxScript+1))
	if err == nil && len(data) > maxScript {
		err = errors.New("that is too long for a script")
	}
	return string(data), err
}

// FileError says in the words of a person why a file cannot be read or written.
func FileError(err error) error {
	var pe *fs.PathError
	switch {
	case !errors.As(err, &pe):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no file %s", pe.Path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s may not be opened", pe.Path)
	}
	return fmt.Errorf("%s: %w", pe.Path, pe.Err)
}
