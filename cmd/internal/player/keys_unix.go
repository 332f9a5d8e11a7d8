//go:build unix

package player

import (
	"bytes"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// WatchKeys looks whether keys are pressed at a terminal, and calls interrupt at once when
// one of them is Ctrl-C; stop gives those that were and makes the terminal what it was. It
// waits until nobody is in the middle of typing, but not after Ctrl-C. Both are nil where that
// cannot be done.
func WatchKeys(f *os.File, interrupt func()) (pressed func() bool, stop func() string) {
	fd := int(f.Fd())
	was, err := term.MakeRaw(fd)
	if err != nil {
		return nil, nil
	}
	k := &keys{fd: fd, interrupt: interrupt, left: make(chan struct{}), done: make(chan struct{})}
	go k.watch()
	return k.pressed, func() string {
		close(k.left)
		<-k.done
		for len(k.typed) > 0 && !k.dropped() && k.read(between) {
		}
		term.Restore(fd, was)
		return string(k.typed)
	}
}

// keys are those that are pressed while nobody is asked.
type keys struct {
	fd        int
	interrupt func()
	left      chan struct{} // it is closed when they are wanted
	done      chan struct{} // and that when nobody reads any more

	mu    sync.Mutex
	typed []byte
}

func (k *keys) pressed() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.typed) > 0
}

// dropped says whether one of the keys was Ctrl-C, with which all that was typed is dropped.
func (k *keys) dropped() bool { return bytes.IndexByte(k.typed, 0x03) >= 0 }

func (k *keys) watch() {
	defer close(k.done)
	for {
		k.read(glance)
		select {
		case <-k.left:
			return
		default:
		}
	}
}

// read takes what is typed within a time and says whether that was anything.
func (k *keys) read(within time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(k.fd), Events: unix.POLLIN}}
	until := time.Now().Add(within)
	n, err := unix.Poll(fds, int(within.Milliseconds()))
	for err == unix.EINTR { // as Go's scheduler interrupts system calls
		n, err = unix.Poll(fds, int(max(time.Until(until), 0).Milliseconds()))
	}
	if n <= 0 || err != nil {
		return false
	}
	var buf [256]byte
	n, err = unix.Read(k.fd, buf[:])
	if n <= 0 || err != nil {
		return false
	}
	k.mu.Lock()
	dropped := bytes.IndexByte(buf[:n], 0x03) >= 0
	if len(k.typed) < maxAhead || dropped {
		k.typed = append(k.typed, buf[:n]...)
	}
	k.mu.Unlock()
	if dropped {
		k.interrupt()
	}
	return true
}

// between is the longest pause between two keys of somebody who is typing. glance is how long
// one look at the terminal waits for a key, and so how long stop waits at most for the last
// look. maxAhead is how many bytes of typing are kept.
const (
	between  = 350 * time.Millisecond
	glance   = 20 * time.Millisecond
	maxAhead = 16 << 10
)
