//go:build unix

package player

import (
	"testing"
	"time"

	"github.com/creack/pty"
)

// Ctrl-C interrupts what is being worked out at once, other keys only end it; who is typing
// is waited for.
func TestWatchKeys(t *testing.T) {
	master, terminal, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer master.Close()
	defer terminal.Close()
	interrupted := make(chan bool, 10)
	watch := func() (func() bool, func() string) { return WatchKeys(terminal, func() { interrupted <- true }) }

	pressed, stop := watch()
	if pressed() {
		t.Error("a key is pressed before any was")
	}
	master.WriteString("y")
	for !pressed() {
		time.Sleep(time.Millisecond)
	}
	go func() {
		time.Sleep(between / 10)
		master.WriteString("es\r")
	}()
	if got := stop(); got != "yes\r" {
		t.Errorf("typed %q", got)
	}
	if len(interrupted) > 0 {
		t.Error("interrupted by a letter")
	}

	_, stop = watch()
	master.WriteString("n\x03")
	<-interrupted
	if got := stop(); got != "n\x03" {
		t.Errorf("typed %q", got)
	}
}
