package view

import (
	"errors"
	"fmt"
	"io"

	"setpiece/cmd/internal/paint"
	"setpiece/interp"
	"setpiece/lang"
)

// Error writes what was wrong with a script or what stopped it: every message
// with its line and carets, and for an error at run time the calls that led there.
func Error(w io.Writer, p paint.Palette, err error) {
	var ds lang.Diagnostics
	var run *interp.RunError
	switch {
	case errors.As(err, &ds):
		for _, d := range ds {
			Diagnostic(w, p, d)
		}
	case errors.As(err, &run):
		Diagnostic(w, p, run.Diag)
		stack(w, p, run)
	default:
		fmt.Fprintln(w, paint.On(p.Error, err.Error()))
	}
}

// Diagnostic writes one message.
func Diagnostic(w io.Writer, p paint.Palette, d *lang.Diagnostic) {
	fmt.Fprintln(w, lang.Diagnostics{d}.Error())
}

// stack tells through which calls the script got where it failed. A refusal is
// the rules at work and needs no such explanation.
func stack(w io.Writer, p paint.Palette, e *interp.RunError) {
	if e.Kind == interp.Refused || e.Kind == interp.Expected || e.Kind == interp.Cancelled {
		return
	}
	for _, f := range e.Stack {
		fmt.Fprintln(w, paint.On(p.Faint, fmt.Sprintf("   in %s, %s", f.Name, Place(f.At))))
	}
}

// Unmet lists the expectations that were not met in an event and inside it.
func Unmet(e *interp.Event) lang.Diagnostics {
	if e.Kind == interp.EventExpect {
		return lang.Diagnostics{{Span: e.At, Message: e.Text}}
	}
	var ds lang.Diagnostics
	for _, in := range e.Events {
		ds = append(ds, Unmet(in)...)
	}
	return ds
}

// IsUnmet says that an error only sums up expectations that were not met.
func IsUnmet(err error) bool {
	var run *interp.RunError
	return errors.As(err, &run) && run.Kind == interp.Expected
}
