package interp

import (
	"fmt"
	"slices"

	"setpiece/lang"
)

// moduleIn gives the statement with which a file says that it is a system or a variant of
// one, nil if it is a script.
func moduleIn(tree *lang.File) *lang.System {
	for _, s := range tree.Stmts {
		for {
			a, ok := s.(*lang.Annotated)
			if !ok || a.Stmt == nil {
				break
			}
			s = a.Stmt
		}
		if m, ok := s.(*lang.System); ok {
			return m
		}
	}
	return nil
}

// checkModule checks a file of rules as what it is: as a variant it stands on its base. All
// bodies are resolved, not only those that something calls. strict also reports what only
// the file itself could use and does not.
func (s *Session) checkModule(src *lang.Source, m *lang.System, strict bool) lang.Diagnostics {
	saved := slices.Clone(s.m.Store)
	defer func() { s.m.Store = saved }()
	w := s.world.Clone()
	w.Checked = map[string]*lang.Source{m.Name.Name: src}
	use, _ := lang.Parse(lang.NewSource("", "use "+m.Name.Name+"\n"))
	_, diags := w.Compile(use)
	diags = slices.DeleteFunc(diags, func(d *lang.Diagnostic) bool { return d.Src == use.Src })
	if m.Base != nil {
		for _, x := range w.NewNames(m.Name.Name) {
			d := &lang.Diagnostic{Span: x.At, Severity: lang.Warning, Message: fmt.Sprintf("%s is new and replaces nothing", x.Name)}
			d.Help = fmt.Sprintf("%s has %s", m.Base.Name, x.Near)
			diags = append(diags, d)
		}
	}
	if !failed(diags) {
		diags = append(diags, w.WarningsIn(m.Name.Name)...)
	}
	if strict && !failed(diags) {
		diags = append(diags, w.UnusedIn(m.Name.Name)...)
	}
	sortDiagnostics(diags, src)
	return diags
}
