package compile

import (
	"context"
	"fmt"

	"setpiece/lang"
)

// A script of a few million statements takes minutes and gigabytes to compile. So the
// text that is compiled at once is bounded, and whoever waits can end it. Compiling is
// deep and nowhere expects to fail: it panics with stopped, which CompileWithin recovers.

// effort is what one CompileWithin may take.
type effort struct {
	ctx        context.Context
	polls      uint
	most, left int // bytes of source
}

// stopped ends a Compile.
type stopped struct{ err error }

// TooLong is that a script and what it includes are too long together.
type TooLong struct {
	At   lang.Span
	Most int
}

func (e *TooLong) Error() string {
	return fmt.Sprintf("the script and what it includes are longer than %d bytes together", e.Most)
}

// CompileWithin is Compile that ends with a context, and where the file and what it
// includes are longer than most bytes together: then there is an error, and the world is
// good for nothing.
func (w *World) CompileWithin(ctx context.Context, file *lang.File, most int) (out *Compiled, diags lang.Diagnostics, err error) {
	w.effort = &effort{ctx: ctx, most: most, left: most}
	defer func() {
		w.effort = nil
		switch r := recover().(type) {
		case nil:
		case stopped:
			out, diags, err = nil, nil, r.err
		default:
			panic(r)
		}
	}()
	w.take(file.Span, file.Src.Size())
	out, diags = w.Compile(file)
	return out, diags, nil
}

// poll ends the Compile if its context has ended.
func (w *Unit) poll() {
	e := w.effort
	if e == nil {
		return
	}
	if e.polls++; e.polls&255 == 0 && e.ctx.Err() != nil {
		panic(stopped{err: e.ctx.Err()})
	}
}

// take counts a file that is included or used at a place.
func (w *Unit) take(at lang.Span, size int) {
	if e := w.effort; e != nil {
		if e.left -= size; e.left < 0 {
			panic(stopped{err: &TooLong{at, e.most}})
		}
	}
}

// parse is lang.Parse that ends the Compile with its context.
func (w *World) parse(src *lang.Source) (*lang.File, lang.Diagnostics) {
	if w.effort == nil {
		return lang.Parse(src)
	}
	file, diags, err := lang.ParseContext(w.effort.ctx, src)
	if err != nil {
		panic(stopped{err: err})
	}
	return file, diags
}
