//go:build unix

package repl

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// suspend stops the job as the terminal itself does at Ctrl-Z when it is not raw, and returns
// when somebody continues it. Where no shell could do that, in a process group without one,
// the system drops the signal, and suspend returns after a moment.
func suspend() {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if syscall.Kill(0, syscall.SIGTSTP) != nil {
		return
	}
	select {
	case <-continued:
	case <-time.After(500 * time.Millisecond):
	}
}

// onContinue has f called whenever the program is continued, whoever had stopped it.
func onContinue(f func()) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGCONT)
	go func() {
		for range ch {
			f()
		}
	}()
}
