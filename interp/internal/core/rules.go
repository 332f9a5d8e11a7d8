package core

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/lint"
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

// HomeOf gives the system or variant that a file of rules is, or is a part of, and the base of a variant;
// "" for a script.
func HomeOf(s *Run, src *lang.Source, tree *lang.File) (name, base string) {
	m := moduleIn(tree)
	switch {
	case m == nil:
		return compile.PartOf(s.World, path.Base(src.Name)), ""
	case m.Base != nil:
		base = m.Base.Name
	}
	return m.Name.Name, base
}

// AsRules gives how to check a file as what it is if it is no script: a system or a variant, or a
// part of a system whose first file is beside it; nil for a script.
func AsRules(s *Run, src *lang.Source, tree *lang.File) func(strict bool) lang.Diagnostics {
	if m := moduleIn(tree); m != nil {
		return func(strict bool) lang.Diagnostics {
			return checkModule(s, src, m.Name.Name+".rules", m.Name.Name, strict)
		}
	}
	file := path.Base(src.Name)
	whole, _ := HomeOf(s, src, tree)
	if whole == "" {
		return nil
	}
	return func(strict bool) lang.Diagnostics {
		diags := checkModule(s, src, file, whole, strict)
		return slices.DeleteFunc(diags, func(d *lang.Diagnostic) bool { return d.Severity != lang.Error && d.Src != src })
	}
}

// Headless warns of a file of rules that does not say what it is and belongs to nothing.
func Headless(s *Run, src *lang.Source, tree *lang.File) lang.Diagnostics {
	name, rules := strings.CutSuffix(path.Base(src.Name), ".rules")
	if !rules || compile.Included(s.World, name+".rules") {
		return nil
	}
	at := lang.Span{Src: src}
	if len(tree.Stmts) > 0 {
		at = tree.Stmts[0].Range()
	}
	d := decl.WarnAt(at, "SP0128", "this file does not say which system or variant it is")
	d.Help = compile.HeadOf(name)
	return lang.Diagnostics{d}
}

// checkModule checks a file of rules as what it is: as a variant it stands on its base, as a part
// with the rest of its system. All bodies are resolved, not only those that something calls.
// strict also reports what only the rules themselves could use and do not. src stands for a file of
// the folder, name is the system or variant.
func checkModule(s *Run, src *lang.Source, file, name string, strict bool) lang.Diagnostics {
	saved := slices.Clone(s.M.Store)
	defer func() { s.M.Store = saved }()
	w := s.World.Clone()
	w.Checked = map[string]*lang.Source{file: src}
	use, _ := lang.Parse(lang.NewSource("", "use "+name+"\n"))
	_, diags := compile.Compile(w, use)
	diags = slices.DeleteFunc(diags, func(d *lang.Diagnostic) bool { return d.Src == use.Src })
	if base := compile.BaseOf(w, name); base != "" {
		for _, x := range language.NewNames(w, name) {
			d := decl.WarnAt(x.At, "SP0127", "%s is new and replaces nothing", x.Name)
			d.Help = fmt.Sprintf("%s has %s", base, x.Near)
			diags = append(diags, d)
		}
	}
	if !Failed(diags) {
		diags = append(diags, w.WarningsIn(name)...)
	}
	if strict && !Failed(diags) {
		diags = append(diags, lint.UnusedIn(w, name)...)
	}
	SortDiagnostics(diags, src)
	return diags
}
