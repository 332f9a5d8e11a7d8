//go:build unix

package player

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// WatchKeys looks whether keys are pressed at a terminal, one of them Ctrl-C, without
// waiting for any; stop gives those that were and makes the terminal what it was. Who is
// in the middle of typing is waited for. Both are nil where that cannot be done.
func WatchKeys(f *os.File) (pressed func() bool, stop func() string) {
	fd := int(f.Fd())
	was, err := term.MakeRaw(fd)
	if err != nil {
		return nil, nil
	}
	waiting := func(within time.Duration) bool {
		fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(fds, int(within.Milliseconds()))
		return err == nil && n > 0
	}
	stop = func() string {
		var typed []byte
		var keys [256]byte
		for within := time.Duration(0); len(typed) < maxAhead && waiting(within); within = between {
			n, err := unix.Read(fd, keys[:])
			if n <= 0 || err != nil {
				break
			}
			typed = append(typed, keys[:n]...)
		}
		term.Restore(fd, was)
		return string(typed)
	}
	return func() bool { return waiting(0) }, stop
}

// between is how long somebody who is typing takes from key to key, maxAhead how many
// bytes are kept of what is typed.
const (
	between  = 350 * time.Millisecond
	maxAhead = 16 << 10
)
