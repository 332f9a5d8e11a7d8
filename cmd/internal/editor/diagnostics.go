package editor

import (
	"context"

	"setpiece/interp/verify"
	"setpiece/lang"
)

// Problem is a message about a document.
type Problem struct {
	Place
	*lang.Diagnostic
	Related []Related
	Fix     *Change // what would help, if the message says exactly what
}

// Related is another place that a message speaks of, or a remark without a place.
type Related struct {
	Place
	Message string
}

// Change is text to put in the place of another.
type Change struct {
	Place
	New string
}

// Problems gives what is wrong with a document, as setpiece check does; strict also what setpiece
// check --strict finds.
func (w *Workspace) Problems(name string, strict bool) []Problem {
	d := w.Open(name)
	if d == nil {
		return nil
	}
	var out []Problem
	for _, x := range d.wrong {
		out = append(out, Problem{Place: Place{name, int(x.Start), int(x.End)}, Diagnostic: x})
	}
	for _, s := range d.scripts {
		if s.wrong {
			continue
		}
		for _, x := range s.problems(strict) {
			if p, ok := w.problem(d, s, x); ok {
				out = append(out, p)
			}
		}
	}
	return out
}

func (s *script) problems(strict bool) lang.Diagnostics {
	s.check()
	if !strict || s.diags.Errors() {
		return s.diags
	}
	if s.strict == nil {
		ctx, cancel := context.WithTimeout(context.Background(), checkTime())
		defer cancel()
		found, err := verify.Strict(ctx, s.config(), s.src)
		if err != nil {
			return s.diags
		}
		s.strict = append(lang.Diagnostics{}, found...)
	}
	return s.strict
}

func (w *Workspace) problem(d *Document, s *script, x *lang.Diagnostic) (Problem, bool) {
	at, ok := w.place(d, s, x.Span)
	if !ok || at.File != d.Name {
		if x.Severity != lang.Error {
			return Problem{}, false
		}
		at = Place{d.Name, s.start(), s.start()} // a mistake in a file that it takes into use
		if ok {
			return Problem{Place: at, Diagnostic: &lang.Diagnostic{Severity: x.Severity, Message: x.Error()}}, true
		}
	}
	p := Problem{Place: at, Diagnostic: x}
	for _, n := range x.Notes {
		there, _ := w.place(d, s, n.Span)
		p.Related = append(p.Related, Related{there, n.Message})
	}
	if fix, ok := x.Fix(); ok {
		if there, ok := w.place(d, s, fix.Span); ok {
			p.Fix = &Change{there, fix.New}
		}
	}
	return p, true
}

// start is where the script begins in its document.
func (s *script) start() int {
	if len(s.fences) > 0 {
		return s.fences[0].Open.End
	}
	return 0
}
