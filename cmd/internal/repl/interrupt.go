package repl

import (
	"context"
	"os"
	"os/signal"
	"sync"
)

// interrupts hands the interrupt signal to what was begun last: advice that is being
// worked out, rather than the evaluation whose question it is about.
type interrupts struct {
	mu    sync.Mutex
	stack []context.CancelFunc
	ch    chan os.Signal
}

// begin gives a context that an interrupt ends as long as nothing else was begun
// after it.
func (i *interrupts) begin() (context.Context, context.CancelFunc) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ch == nil {
		i.ch = make(chan os.Signal, 1)
		go i.listen()
	}
	if len(i.stack) == 0 {
		signal.Notify(i.ch, os.Interrupt)
	}
	ctx, cancel := context.WithCancel(context.Background())
	i.stack = append(i.stack, cancel)
	n := len(i.stack)
	return ctx, func() { i.end(n) }
}

// end ends the n-th context and those begun after it.
func (i *interrupts) end(n int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for len(i.stack) >= n {
		i.stack[len(i.stack)-1]()
		i.stack = i.stack[:len(i.stack)-1]
	}
	if len(i.stack) == 0 {
		signal.Stop(i.ch)
	}
}

func (i *interrupts) listen() {
	for range i.ch {
		i.mu.Lock()
		if n := len(i.stack); n > 0 {
			i.stack[n-1]()
		}
		i.mu.Unlock()
	}
}
