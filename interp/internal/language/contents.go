package language

import (
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// This file says what a system has on its sheets, and what a variant changes, as a page
// for people shows it. All of it is read off the declarations.

// FieldInfo describes a field of a sheet for people.
type FieldInfo struct {
	Name    string
	Entry   string // how an entry of a sheet sets it
	Takes   string // what it may be
	Default string
	Lasts   string // the span after which it gets its default back, or in words how long it lasts
	Doc     string
	Sheet   string // that declares it: this one, or a base
	Hidden  bool   // the rules keep it
}

// Fields lists the fields of a sheet or special rule, those of its bases first.
func Fields(w *decl.World, name string) []FieldInfo {
	sh := w.Sheets[name]
	if sh == nil {
		sh = w.Features[name]
	}
	if sh == nil {
		return nil
	}
	var out []FieldInfo
	for _, f := range sh.Fields {
		if f.Decl != nil {
			out = append(out, fieldInfo(w, sh, f))
		}
	}
	return out
}

func fieldInfo(w *decl.World, sh *decl.Sheet, f *decl.Field) FieldInfo {
	mf := w.TypeField(sh, f)
	info := FieldInfo{Name: f.Name, Entry: f.Name, Takes: typeText(w, &f.Typ, &mf), Default: defaultText(w, f, &mf), Doc: w.FieldDoc(sh, f), Sheet: sh.Name, Hidden: mf.Hidden}
	for b := sh.Base; b != nil; b = b.Base {
		if b.ByName[f.Name] == f {
			info.Sheet = b.Name
		}
	}
	switch {
	case f.As == "CAPS":
		info.Entry = "TRAIT RATING"
	case f.As != "":
		info.Entry = f.As + " …"
	}
	switch {
	case mf.Per >= 0:
		info.Lasts = w.Prog.Spans[mf.Per]
	case mf.Until:
		info.Lasts = "the span that it names"
	case setAtBoundaries(w)[f.Name]:
		info.Lasts = "as the rules say"
	default:
		info.Lasts = "until it is changed"
	}
	return info
}

// typeText says what a type takes: "whole 1..4", "one of a, b".
func typeText(w *decl.World, t *lang.TypeRef, mf *code.Field) string {
	s := t.Name.Name
	switch s {
	case "one":
		s = wordsOf(*t)
	case "whole":
		s = "whole number"
	case "truth":
		s = "yes or no"
	case "any":
		s = "anything"
	case "until":
		s = "span of time"
	case "map":
		s = "names with values"
	}
	if t.Range != nil {
		s += " " + decl.Text(t.Range.Range())
	}
	if len(mf.Dice) > 0 {
		if s == "map" || t.Name.Name == "map" {
			s = "names with dice"
		}
		s += " " + w.Heap.Show(mf.Dice[0], nil) + " to " + w.Heap.Show(mf.Dice[len(mf.Dice)-1], nil)
	}
	if t.Many {
		s += ", several"
	}
	return s
}

// defaultText says what a field holds if nobody says.
func defaultText(w *decl.World, f *decl.Field, mf *code.Field) string {
	switch {
	case f.Def != nil && !mf.Const:
		if s := w.Phrases(&lang.ExprStmt{Span: f.Def.Range(), X: f.Def}).Say(f.Def); s != "" && len(s) < 60 {
			return s
		}
		return decl.Source(f.Def)
	case mf.Default == value.None:
		return "none"
	}
	switch mf.Default.Kind() {
	case value.Text, value.List, value.Map:
		if s := w.Heap.Show(mf.Default, nil); strings.Trim(s, `"[]{}`) != "" {
			return s
		}
		return "empty"
	}
	return w.Heap.Show(mf.Default, nil)
}

// setAtBoundaries names the fields that rules set when a span begins or ends, without a
// lifetime in the declaration: how long they last may depend on an option.
func setAtBoundaries(w *decl.World) map[string]bool {
	if w.Boundaries != nil {
		return w.Boundaries
	}
	w.Boundaries = map[string]bool{}
	var set func(n lang.Node) bool
	set = func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Block:
			if read, _ := n.Read(); read != n {
				lang.Walk(read, set)
				return false
			}
		case *lang.Assign:
			if x, ok := n.Target.(*lang.Dot); ok {
				w.Boundaries[x.Name.Name] = true
			}
		}
		return true
	}
	for _, d := range w.Declared {
		for _, s := range d.Stmts {
			if h, ok := lang.Bare(s).(*lang.Handler); ok && (h.Hook.Name == "begins" || h.Hook.Name == "ends") {
				lang.Walk(h, set)
			}
		}
	}
	return w.Boundaries
}

// Override is something that a variant declares.
type Override struct {
	What string // "replaces the rule", "sets the option", "adds the special rule" …
	Name string
	Doc  string // of what is there now
	At   lang.Span
}

// Overrides lists what a variant changes in its base, in the order of its text.
func Overrides(w *decl.World, variant string) []Override {
	var out []Override
	for _, d := range w.Declared {
		if d.Module == nil || d.Module.Name != variant {
			continue
		}
		for _, s := range d.Stmts {
			if c, ok := override(w, variant, lang.Bare(s)); ok {
				c.At = s.Range()
				out = append(out, c)
			}
		}
	}
	return out
}

func override(w *decl.World, variant string, s lang.Stmt) (Override, bool) {
	verb := func(replaced bool) string {
		if replaced {
			return "replaces the "
		}
		return "adds the "
	}
	switch s := s.(type) {
	case *lang.Rule:
		return newRule(w, "rule", s.Name.Name), true
	case *lang.Table:
		return newRule(w, "table", s.Name.Name), true
	case *lang.Option:
		o := w.OptionNamed[s.Name.Name]
		if o == nil {
			return Override{}, false
		}
		if o.Module == variant {
			return Override{What: "adds the option", Name: o.Name, Doc: o.Doc}, true
		}
		return Override{What: "sets the option " + o.Name + " to " + w.Heap.Show(o.Value, nil), Name: o.Name, Doc: o.Doc}, true
	case *lang.Words:
		return Override{What: verb(w.WordSets[s.Name.Name] != s) + "words", Name: s.Name.Name, Doc: decl.Plain(s.Doc)}, true
	case *lang.Remove:
		c := Override{What: "removes the " + s.Kind.Name, Name: s.Name.Name}
		if s.Of != nil {
			c.Doc = "of " + s.Of.Name
		}
		return c, true
	case *lang.Verb:
		return Override{What: verb(false) + "verb", Name: s.Name.Name, Doc: decl.Plain(s.Doc)}, true
	case *lang.Feature:
		return Override{What: verb(false) + "special rule", Name: s.Name.Name, Doc: decl.Plain(s.Doc)}, true
	case *lang.Sheet:
		return Override{What: verb(w.Sheets[s.Name.Name] != nil && w.Sheets[s.Name.Name].Base != nil) + "sheet", Name: s.Name.Name, Doc: decl.Plain(s.Doc)}, true
	case *lang.Handler:
		c := Override{What: "answers the moment", Name: s.Hook.Name}
		if h := w.Hooks[s.Hook.Name]; h != nil {
			c.Doc = h.Doc
		}
		return c, true
	}
	return Override{}, false
}

// newRule says of a rule or table of a variant whether it replaces one, with the doc
// string that the rule has there.
func newRule(w *decl.World, kind, name string) Override {
	r := w.Rules[name]
	if r == nil {
		return Override{What: "adds the " + kind, Name: name}
	}
	c := Override{What: "adds the " + kind, Name: name, Doc: ruleTopic(w, r).Doc}
	if r.Base != nil {
		c.What = "replaces the " + kind
	}
	return c
}
