package render

import (
	"errors"
	"fmt"
	"io"

	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/lang"
)

// Error writes what was wrong with a script or what stopped it: every message
// with its line and carets, and for an error at run time the calls that led there.
func Error(w io.Writer, p style.Palette, err error) {
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
		if run.Bound != "" {
			fmt.Fprintln(w, style.On(p.Faint, "   --limit "+run.Bound+"=VALUE changes this limit"))
		}
	default:
		fmt.Fprintln(w, style.On(p.Error, err.Error()))
	}
}

// Diagnostic writes one message, as wide as the terminal.
func Diagnostic(w io.Writer, p style.Palette, d *lang.Diagnostic) {
	width := 0
	if style.IsTerminal(w) {
		width = style.Width(w)
	}
	io.WriteString(w, d.Format(lang.Palette{
		Width: width,
		Place: p.Title, Error: p.Error, Warning: p.Warn, Source: p.Faint, Caret: p.Caret, Note: p.Faint,
	}))
}

// stack tells through which calls the script got where it failed. A refusal is
// the rules at work and needs no such explanation.
func stack(w io.Writer, p style.Palette, e *interp.RunError) {
	if e.Kind == interp.Refused || e.Kind == interp.Expected || e.Kind == interp.Cancelled {
		return
	}
	if len(e.Stack) < 2 {
		return // there is only the script itself
	}
	shown := 0
	for i := 0; i < len(e.Stack); shown++ {
		if shown == maxCalls {
			fmt.Fprintln(w, style.On(p.Faint, fmt.Sprintf("   … and %d more", len(e.Stack)-i)))
			return
		}
		f, n := e.Stack[i], 1
		for i+n < len(e.Stack) && e.Stack[i+n] == f {
			n++
		}
		line := fmt.Sprintf("   in %s, %s", f.Name, Place(f.At))
		if n > 1 {
			line += fmt.Sprintf(", %d times", n)
		}
		fmt.Fprintln(w, style.On(p.Faint, line))
		i += n
	}
}

// maxCalls is how many calls of a stack are shown.
const maxCalls = 12

// Unmet lists the expectations that were not met in an event and inside it. An
// event that is itself inside a group has its turn with the group.
func Unmet(e *interp.Event) lang.Diagnostics {
	if e.Depth > 0 {
		return nil
	}
	return unmet(e)
}

func unmet(e *interp.Event) lang.Diagnostics {
	if e.Kind == interp.EventExpect {
		return lang.Diagnostics{{Span: e.At, Message: e.Text}}
	}
	var ds lang.Diagnostics
	for _, in := range e.Events {
		ds = append(ds, unmet(in)...)
	}
	return ds
}

// IsUnmet says that an error only sums up expectations that were not met.
func IsUnmet(err error) bool {
	var run *interp.RunError
	return errors.As(err, &run) && run.Kind == interp.Expected
}
