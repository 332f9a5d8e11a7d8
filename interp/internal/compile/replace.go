package compile

import (
	"fmt"
	"setpiece/interp/internal/decl"
	"setpiece/lang"
	"slices"
	"strings"
)

// dropped warns of what a variant leaves out of something that it declares anew. say is what the
// new one is, how how to write what may have been meant.
func (c *collector) dropped(id lang.Ident, say string, old *decl.Module, what string, names []string, how string) {
	if len(names) == 0 || old == nil || old == c.Module || c.IsScript {
		return
	}
	if len(names) > 1 {
		what += "s"
	}
	if more := len(names) - 6; more > 1 {
		names = append(names[:6:6], fmt.Sprintf("and %d more", more))
	}
	d := decl.WarnAt(id.Span, "SP0126", "%s %s replaces that of %s and leaves out its %s %s", say, id.Name, old.Name, what, strings.Join(names, ", "))
	d.Help = how
	c.W.Warn(c.Module, d)
}

// clausesLeftOut lists what clauses have and others do not: the names of clauses and sets.
func clausesLeftOut(old, now []lang.ClauseItem) []string {
	given := func(items []lang.ClauseItem) []string {
		var out []string
		for _, it := range items {
			switch it := it.(type) {
			case *lang.Clause:
				if !removed(it) {
					out = append(out, it.Name.Name)
				}
			case *lang.Uses:
				out = append(out, it.As.Name)
			}
		}
		return out
	}
	return without(given(old), given(now))
}

// removed says whether a clause is one that remove has taken away, see withoutClause.
func removed(cl *lang.Clause) bool {
	if len(cl.Pattern) == 0 {
		return false
	}
	w, ok := cl.Pattern[0].(*lang.PatWord)
	return ok && w.Word == "\x00"
}

func without(names, others []string) []string {
	return slices.DeleteFunc(names, func(n string) bool { return slices.Contains(others, n) })
}
