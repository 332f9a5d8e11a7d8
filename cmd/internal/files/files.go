// Package files opens, reads and writes the files of a user safely: what is read
// has a bound and can be interrupted, a script's folder cannot be left, and what
// is written is there whole or not at all, and never in the place of something
// that was read in the same call.
package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
)

// MaxScript bounds a file that is read as a script, MaxData one that this program
// has written itself.
const (
	MaxScript = 16 << 20
	MaxData   = 1 << 30
)

// Seen remembers which files were read. The zero value has seen none.
type Seen struct {
	Sealed error // why no file may be written; nil where they may

	mu      sync.Mutex
	infos   []fs.FileInfo
	writing sync.RWMutex // held for reading while a file is written
}

// Settle waits until no file is being written, and lets no other be begun: then the
// program can end without leaving half a file.
func (s *Seen) Settle() { s.writing.Lock() }

// Writing writes a file; Settle waits for it.
func (s *Seen) Writing(write func() error) error {
	if s.Sealed != nil {
		return s.Sealed
	}
	s.begin()
	defer s.end()
	return write()
}

func (s *Seen) begin() {
	if s != nil {
		s.writing.RLock()
	}
}

func (s *Seen) end() {
	if s != nil {
		s.writing.RUnlock()
	}
}

func (s *Seen) add(info fs.FileInfo) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.infos = append(s.infos, info)
}

// has says whether a file was read, by this name or another.
func (s *Seen) has(info fs.FileInfo) bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.infos {
		if os.SameFile(i, info) {
			return true
		}
	}
	return false
}

// deviceLimit is how much is read of a device: /dev/zero has no end.
const deviceLimit = 16 << 20

// ReadFile reads a file that was named by the user, at most limit bytes of it.
// It may be a pipe; waiting for one ends with the context.
func ReadFile(ctx context.Context, path string, limit int64, seen *Seen) ([]byte, error) {
	return await(ctx, func() ([]byte, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil {
			seen.add(info)
			if info.Mode()&fs.ModeDevice != 0 {
				limit = min(limit, deviceLimit)
			}
			if info.Mode().IsRegular() && info.Size() > limit {
				return nil, pathError("read", path, TooLong(limit))
			}
		}
		data, err := readAll(f, limit)
		if err != nil {
			return nil, pathError("read", path, err)
		}
		return data, nil
	})
}

// ReadAll reads to the end, at most limit bytes.
func ReadAll(ctx context.Context, r io.Reader, limit int64) ([]byte, error) {
	return await(ctx, func() ([]byte, error) { return readAll(r, limit) })
}

// await runs read until it or the context ends. Go cannot take back a read from
// a pipe or a terminal; it is left alone, and ends with the process.
func await(ctx context.Context, read func() ([]byte, error)) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := read()
		done <- result{data, err}
	}()
	select {
	case r := <-done:
		return r.data, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func readAll(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, TooLong(limit)
	}
	return data, err
}

// TooLong is the error of a file that is longer than it may be.
type TooLong int64

func (e TooLong) Error() string { return fmt.Sprintf("it is longer than %d MiB", int64(e)>>20) }

func pathError(op, path string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return err
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}

// Error says in the words of a person why a file cannot be read or written.
func Error(err error) error {
	var pe *fs.PathError
	switch {
	case !errors.As(err, &pe):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no file %s", pe.Path)
	case errors.Is(err, fs.ErrPermission) && pe.Op == "write":
		return fmt.Errorf("you may not write %s", pe.Path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("you may not open %s", pe.Path)
	}
	return fmt.Errorf("%s: %w", pe.Path, pe.Err)
}
