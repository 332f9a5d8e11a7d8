package ir

import (
	"context"
	"fmt"

	"setpiece/interp/internal/pause"
	"setpiece/lang"
)

// Effort is what one CompileWithin may take.
type Effort struct {
	Ctx        context.Context
	polls      uint
	Most, Left int // bytes of source
}

// Stopped ends a Compile.
type Stopped struct{ Err error }

// TooLong is that a script and what it includes are too long together.
type TooLong struct {
	At   lang.Span
	Most int
}

// Error says how long they may be.
func (e *TooLong) Error() string {
	return fmt.Sprintf("the script and what it includes are longer than %d bytes together", e.Most)
}

// Poll ends the Compile if its context has ended.
func (w *Unit) Poll() {
	e := w.Effort
	if e == nil {
		return
	}
	if e.polls++; e.polls&255 == 0 && pause.Err(e.Ctx) != nil {
		panic(Stopped{Err: e.Ctx.Err()})
	}
}

// Take counts a file that is included or used at a place.
func (w *Unit) Take(at lang.Span, size int) {
	if e := w.Effort; e != nil {
		if e.Left -= size; e.Left < 0 {
			panic(Stopped{Err: &TooLong{at, e.Most}})
		}
	}
}
