package lint

import (
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/resolve"
	"setpiece/lang"
)

// Unbegun warns of fields that are to lose their value with a span which nothing begins or ends.
func Unbegun(c *resolve.Script, stmts []lang.Stmt) lang.Diagnostics {
	var fields []*lang.Field
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			if f, ok := n.(*lang.Field); ok && f.Per != nil {
				fields = append(fields, f)
			}
			return true
		})
	}
	if len(fields) == 0 {
		return nil
	}
	spans := boundaries(c.W, stmts)
	var out lang.Diagnostics
	for _, f := range fields {
		if !spans[f.Per.Name] {
			d := decl.WarnAt(f.Per.Span, "SP0124", "nothing begins or ends a %s, so %s never loses its value", f.Per.Name, f.Name.Name)
			d.Help = "begin " + f.Per.Name + " where one begins, and  end " + f.Per.Name + " where it ends, or use a span that the rules begin"
			out = append(out, d)
		}
	}
	return out
}

// boundaries gives the spans that rules or statements begin or end.
func boundaries(w *decl.World, stmts []lang.Stmt) map[string]bool {
	spans := map[string]bool{}
	see := func(n lang.Node) {
		if b, ok := n.(*lang.Boundary); ok {
			spans[b.Name.Name] = true
		}
	}
	for _, d := range w.Declared {
		eachIn(&lang.Block{Stmts: d.Stmts}, see)
	}
	eachIn(&lang.Block{Stmts: stmts}, see)
	return spans
}
