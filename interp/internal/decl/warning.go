package decl

import (
	"fmt"
	"slices"

	"setpiece/lang"
)

// warning is of what is no mistake and most likely not meant.
type warning struct {
	module *Module
	d      *lang.Diagnostic
}

// Warn notes a warning about a source of a module or of the script.
func (w *World) Warn(m *Module, d *lang.Diagnostic) {
	w.Warnings = append(slices.Clip(w.Warnings), warning{m, d})
}

// WarningsIn gives the warnings about a module that the last Compile read.
func (w *World) WarningsIn(module string) lang.Diagnostics {
	return w.Warned(func(m *Module) bool { return !m.Script && m.Name == module })
}

// Warned gives the warnings about some modules that the last Compile read.
func (w *World) Warned(of func(m *Module) bool) lang.Diagnostics {
	var out lang.Diagnostics
	for _, x := range w.Warnings {
		if of(x.module) {
			out = append(out, x.d)
		}
	}
	return out
}

// RuleReplaced says whether a rule of a name has replaced one, which is base.NAME.
func (w *World) RuleReplaced(name string) bool {
	r := w.Rules[name]
	return r != nil && r.Base != nil
}

// WarnAt makes a warning at a place, with the code of its form.
func WarnAt(at lang.Span, code, format string, args ...any) *lang.Diagnostic {
	return &lang.Diagnostic{Span: at, Code: code, Severity: lang.Warning, Message: fmt.Sprintf(format, args...)}
}
