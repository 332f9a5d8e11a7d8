package lint

import (
	"slices"

	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/resolve"
	"setpiece/lang"
)

// This file finds what sheets of a script leave out though a verb that the script uses
// goes by it. The field of the sheet says which verbs these are:
//
//	life whole 0.. = 0 needed by fight "damage that puts it out of a fight"
//
// It is a warning and no mistake: the default of the field may be what is meant.

// Lacking warns of each field left out that a verb among the statements needs, unless the
// script sets a field of that name somewhere.
func Lacking(c *resolve.Script, stmts []lang.Stmt) lang.Diagnostics {
	if len(c.Lacks) == 0 {
		return c.UnratedTraits
	}
	used, set := map[string]bool{}, assigned(stmts)
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			if n, ok := n.(*lang.Command); ok {
				if head, ok := n.Head.(*lang.Word); ok && c.W.Verbs[head.Name] != nil {
					used[head.Name] = true
				}
			}
			return true
		})
	}
	out := c.UnratedTraits
	for _, l := range c.Lacks {
		verbs := l.Field.Decl.Needed
		k := slices.IndexFunc(verbs, func(id lang.Ident) bool { return used[id.Name] })
		if k < 0 || set[l.Field.Name] {
			continue
		}
		d := decl.WarnAt(l.At, "SP0116", "%s has no %s, and %s needs it", l.Name, l.Field.Name, verbs[k].Name)
		if doc := decl.Plain(l.Field.Decl.Doc); doc != "" {
			d.Notes = append(d.Notes, lang.Note{Message: l.Field.Name + ": " + doc})
		}
		if l.Usual != "" {
			d.Notes = append(d.Notes, lang.Note{Message: "write  " + l.Field.Name + " " + l.Usual + "  on the sheet if you mean that"})
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
