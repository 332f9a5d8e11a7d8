//go:build unix

package player

import (
	"os"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// WatchKeys looks whether keys are pressed at a terminal, one of them Ctrl-C, without
// waiting for any; stop drops them and makes the terminal what it was. Both are nil
// where that cannot be done.
func WatchKeys(f *os.File) (pressed func() bool, stop func()) {
	fd := int(f.Fd())
	was, err := term.MakeRaw(fd)
	if err != nil {
		return nil, nil
	}
	pressed = func() bool {
		fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(fds, 0)
		return err == nil && n > 0
	}
	stop = func() {
		var typed [256]byte
		for pressed() {
			if n, err := unix.Read(fd, typed[:]); n <= 0 || err != nil {
				break
			}
		}
		term.Restore(fd, was)
	}
	return pressed, stop
}
