package cli

import (
	"context"
	"os"
	"os/signal"
)

// signalContext returns a context that the interrupt signal ends. A second
// signal ends the process.
func signalContext(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
