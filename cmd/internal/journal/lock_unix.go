//go:build unix

package journal

import (
	"errors"
	"os"
	"syscall"
)

// lock takes the file for this process until it ends, however it ends.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrBusy
	}
	return err
}

// noWait makes opening a pipe return at once, where there are pipes with a name.
const noWait = syscall.O_NONBLOCK
