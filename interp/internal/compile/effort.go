package compile

import (
	"context"

	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/lang"
)

// A script of a few million statements takes minutes and gigabytes to compile. So the
// text that is compiled at once is bounded, and whoever waits can end it. Compiling is
// deep and nowhere expects to fail: it panics with stopped, which CompileWithin recovers.

// CompileWithin is Compile that ends with a context, and where the file and what it
// includes are longer than most bytes together: then there is an error, and the world is
// good for nothing.
func CompileWithin(w *decl.World, ctx context.Context, file *lang.File, most int) (out *Compiled, diags lang.Diagnostics, err error) {
	w.Effort = &ir.Effort{Ctx: ctx, Most: most, Left: most}
	defer func() {
		w.Effort = nil
		switch r := recover().(type) {
		case nil:
		case ir.Stopped:
			out, diags, err = nil, nil, r.Err
		default:
			panic(r)
		}
	}()
	w.Take(file.Span, file.Src.Size())
	out, diags = Compile(w, file)
	return out, diags, nil
}

// parse is lang.Parse that ends the Compile with its context.
func parse(w *decl.World, src *lang.Source) (*lang.File, lang.Diagnostics) {
	if w.Effort == nil {
		return lang.Parse(src)
	}
	file, diags, err := lang.ParseContext(w.Effort.Ctx, src)
	if err != nil {
		panic(ir.Stopped{Err: err})
	}
	return file, diags
}
