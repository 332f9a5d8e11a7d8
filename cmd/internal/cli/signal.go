package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"time"
)

// signalContext ends with the first interrupt. The second one ends the program,
// as it would have done the first time.
func signalContext(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// grace is how long a command that was interrupted may take to say what it has so far.
const grace = 80 * time.Millisecond

// errLeft is that an interrupted command took longer than that.
var errLeft = errors.New("stopped")

// promptly does the work of a command that only computes and prints, and leaves it where
// it is when the context has ended and the work does not: sorting a million results or
// reading a large part looks at no context. The program ends then, and nobody may use what
// the work uses. A file that is being written is written to its end.
func (a *app) promptly(ctx context.Context, work func() error) error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(grace):
		a.seen.Settle()
		return errLeft
	}
}
