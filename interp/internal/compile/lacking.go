package compile

import (
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// This file finds what sheets of a script leave out though a verb that the script uses
// goes by it. The field of the sheet says which verbs these are:
//
//	life whole 0.. = 0 needed by fight "damage that puts it out of a fight"
//
// It is a warning and no mistake: the default of the field may be what is meant.

// lack is a field that a declaration leaves out.
type lack struct {
	field *field
	name  string
	usual string // what it has then, where this does not depend on the instance
	at    lang.Span
}

// lacking notes the fields of an instance that verbs need and its declaration leaves out.
func (b *builder) lacking(e *entity, at lang.Span, done map[string]bool) {
	if b.command == nil {
		return
	}
	for _, fd := range e.sheet.fields {
		if fd.decl != nil && fd.decl.Needed != nil && !done[fd.name] {
			l := lack{field: fd, name: b.label, at: at}
			if mf := &e.sheet.typ.Fields[fd.index]; mf.Const && mf.Default != value.None {
				l.usual = b.w.Heap.Show(mf.Default, nil)
			}
			b.f.coll.lacks = append(b.f.coll.lacks, l)
		}
	}
}

// unrated notes a trait without a rating where nothing else rates it.
func (b *builder) unrated(p *entity) {
	fd := p.sheet.byName["rating"]
	if b.command == nil || fd == nil {
		return
	}
	mf := &p.sheet.typ.Fields[fd.index]
	switch {
	case !mf.Const && (p.owner.owner != nil || len(b.w.Heap.Elems((*b.w.store)[p.off+code.AtFeatures])) > 0):
		return // it may have the rating of what it belongs to, or be used otherwise
	case fd.def != nil && mf.Const && mf.Default != value.None && mf.Default != value.OfInt(0):
		return
	}
	d := warnAt(p.at, "%s has no rating", p.name)
	d.Help = "write its rating after it:  " + p.name + " 2"
	if mf.Check == code.IsDie {
		d.Help = "write its rating after it:  " + p.name + " d6"
	}
	b.f.coll.unratedTraits = append(b.f.coll.unratedTraits, d)
}

// lacking warns of each field left out that a verb among the statements needs, unless the
// script sets a field of that name somewhere.
func (c *Script) lacking(stmts []lang.Stmt) lang.Diagnostics {
	if len(c.lacks) == 0 {
		return c.unratedTraits
	}
	used, set := map[string]bool{}, assigned(stmts)
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			if n, ok := n.(*lang.Command); ok {
				if head, ok := n.Head.(*lang.Word); ok && c.w.verbs[head.Name] != nil {
					used[head.Name] = true
				}
			}
			return true
		})
	}
	out := c.unratedTraits
	for _, l := range c.lacks {
		verbs := l.field.decl.Needed
		k := slices.IndexFunc(verbs, func(id lang.Ident) bool { return used[id.Name] })
		if k < 0 || set[l.field.name] {
			continue
		}
		d := warnAt(l.at, "%s has no %s, and %s needs it", l.name, l.field.name, verbs[k].Name)
		if doc := plain(l.field.decl.Doc); doc != "" {
			d.Notes = append(d.Notes, lang.Note{Message: l.field.name + ": " + doc})
		}
		if l.usual != "" {
			d.Notes = append(d.Notes, lang.Note{Message: "write  " + l.field.name + " " + l.usual + "  on the sheet if you mean that"})
		}
		out = append(out, d)
	}
	return out
}

// assigned gives the names of the fields that statements set somewhere.
func assigned(stmts []lang.Stmt) map[string]bool {
	set := map[string]bool{}
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			if n, ok := n.(*lang.Assign); ok {
				if dot, ok := n.Target.(*lang.Dot); ok {
					set[dot.Name.Name] = true
				}
			}
			return true
		})
	}
	return set
}
