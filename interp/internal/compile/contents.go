package compile

import (
	"strings"

	"setpiece/interp/internal/code"
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
func (w *World) Fields(name string) []FieldInfo {
	sh := w.sheets[name]
	if sh == nil {
		sh = w.features[name]
	}
	if sh == nil {
		return nil
	}
	var out []FieldInfo
	for _, f := range sh.fields {
		if f.decl != nil {
			out = append(out, w.fieldInfo(sh, f))
		}
	}
	return out
}

func (w *World) fieldInfo(sh *sheet, f *field) FieldInfo {
	mf := w.typeField(sh, f)
	info := FieldInfo{Name: f.name, Entry: f.name, Takes: w.typeText(&f.typ, &mf), Default: w.defaultText(f, &mf), Doc: w.fieldDoc(sh, f), Sheet: sh.name, Hidden: mf.Hidden}
	for b := sh.base; b != nil; b = b.base {
		if b.byName[f.name] == f {
			info.Sheet = b.name
		}
	}
	switch {
	case f.as == "CAPS":
		info.Entry = "TRAIT RATING"
	case f.as != "":
		info.Entry = f.as + " …"
	}
	switch {
	case mf.Per >= 0:
		info.Lasts = w.Prog.Spans[mf.Per]
	case mf.Until:
		info.Lasts = "the span that it names"
	case w.setAtBoundaries()[f.name]:
		info.Lasts = "as the rules say"
	default:
		info.Lasts = "until it is changed"
	}
	return info
}

// typeText says what a type takes: "whole 1..4", "one of a, b".
func (w *World) typeText(t *lang.TypeRef, mf *code.Field) string {
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
		s += " " + text(t.Range.Range())
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
func (w *World) defaultText(f *field, mf *code.Field) string {
	switch {
	case f.def != nil && !mf.Const:
		if s := w.phrases(&lang.ExprStmt{Span: f.def.Range(), X: f.def}).say(f.def); s != "" && len(s) < 60 {
			return s
		}
		return source(f.def)
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
func (w *World) setAtBoundaries() map[string]bool {
	if w.boundaries != nil {
		return w.boundaries
	}
	w.boundaries = map[string]bool{}
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
				w.boundaries[x.Name.Name] = true
			}
		}
		return true
	}
	for _, d := range w.declared {
		for _, s := range d.stmts {
			if h, ok := bare(s).(*lang.Handler); ok && (h.Hook.Name == "begins" || h.Hook.Name == "ends") {
				lang.Walk(h, set)
			}
		}
	}
	return w.boundaries
}

// Override is something that a variant declares.
type Override struct {
	What string // "replaces the rule", "sets the option", "adds the special rule" …
	Name string
	Doc  string // of what is there now
	At   lang.Span
}

// Overrides lists what a variant changes in its base, in the order of its text.
func (w *World) Overrides(variant string) []Override {
	var out []Override
	for _, d := range w.declared {
		if d.module == nil || d.module.Name != variant {
			continue
		}
		for _, s := range d.stmts {
			if c, ok := w.override(variant, bare(s)); ok {
				c.At = s.Range()
				out = append(out, c)
			}
		}
	}
	return out
}

func (w *World) override(variant string, s lang.Stmt) (Override, bool) {
	verb := func(replaced bool) string {
		if replaced {
			return "replaces the "
		}
		return "adds the "
	}
	switch s := s.(type) {
	case *lang.Rule:
		return w.newRule("rule", s.Name.Name), true
	case *lang.Table:
		return w.newRule("table", s.Name.Name), true
	case *lang.Option:
		o := w.optionNamed[s.Name.Name]
		if o == nil {
			return Override{}, false
		}
		if o.Module == variant {
			return Override{What: "adds the option", Name: o.Name, Doc: o.Doc}, true
		}
		return Override{What: "sets the option " + o.Name + " to " + w.Heap.Show(o.Value, nil), Name: o.Name, Doc: o.Doc}, true
	case *lang.Remove:
		c := Override{What: "removes the " + s.Kind.Name, Name: s.Name.Name}
		if s.Of != nil {
			c.Doc = "of " + s.Of.Name
		}
		return c, true
	case *lang.Verb:
		return Override{What: verb(false) + "verb", Name: s.Name.Name, Doc: plain(s.Doc)}, true
	case *lang.Feature:
		return Override{What: verb(false) + "special rule", Name: s.Name.Name, Doc: plain(s.Doc)}, true
	case *lang.Sheet:
		return Override{What: verb(w.sheets[s.Name.Name] != nil && w.sheets[s.Name.Name].base != nil) + "sheet", Name: s.Name.Name, Doc: plain(s.Doc)}, true
	case *lang.Handler:
		c := Override{What: "answers the moment", Name: s.Hook.Name}
		if h := w.hooks[s.Hook.Name]; h != nil {
			c.Doc = h.doc
		}
		return c, true
	}
	return Override{}, false
}

// newRule says of a rule or table of a variant whether it replaces one, with the doc
// string that the rule has there.
func (w *World) newRule(kind, name string) Override {
	r := w.rules[name]
	if r == nil {
		return Override{What: "adds the " + kind, Name: name}
	}
	c := Override{What: "adds the " + kind, Name: name, Doc: w.ruleTopic(r).Doc}
	if r.base != nil {
		c.What = "replaces the " + kind
	}
	return c
}
