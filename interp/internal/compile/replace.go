package compile

import (
	"fmt"
	"slices"
	"strings"

	"setpiece/lang"
)

// NewName is a rule, table or option of a variant that replaces nothing and is nearly
// called like one of its base: most likely it was meant to.
type NewName struct {
	Name, Near string
	At         lang.Span
}

// NewNames lists those of a variant that nothing in it uses.
func (w *World) NewNames(variant string) []NewName {
	var out []NewName
	for _, d := range w.declared {
		if d.module == nil || d.module.Name != variant {
			continue
		}
		u := &usage{w: w, declared: map[*lang.Ident]bool{}, uses: map[string]int{}}
		for _, s := range d.stmts {
			lang.Walk(s, u.declares)
		}
		for _, s := range d.stmts {
			lang.Walk(s, u.count)
		}
		for _, s := range d.stmts {
			var id lang.Ident
			var olds []string
			switch s := bare(s).(type) {
			case *lang.Rule:
				id, olds = s.Name, w.rulesOutside(variant)
			case *lang.Table:
				id, olds = s.Name, w.rulesOutside(variant)
			case *lang.Option:
				if o := w.optionNamed[s.Name.Name]; o == nil || o.Module != variant {
					continue
				}
				id = s.Name
				for n, o := range w.optionNamed {
					if o.Module != variant {
						olds = append(olds, n)
					}
				}
			default:
				continue
			}
			if r := w.rules[id.Name]; r != nil && r.base != nil || u.uses[id.Name] > 0 {
				continue
			}
			if near, ok := lang.Nearest(id.Name, olds); ok {
				out = append(out, NewName{id.Name, near, id.Span})
			}
		}
	}
	return out
}

// rulesOutside lists the rules that a variant does not declare.
func (w *World) rulesOutside(variant string) []string {
	var names []string
	for _, n := range ruleNames(w) {
		if r := w.rules[n]; r.module == nil || r.module.Name != variant || r.base != nil {
			names = append(names, n)
		}
	}
	return names
}

// dropped warns of what a variant leaves out of something that it declares anew. say is what the
// new one is, how how to write what may have been meant.
func (c *collector) dropped(id lang.Ident, say string, old *Module, what string, names []string, how string) {
	if len(names) == 0 || old == nil || old == c.module || c.isScript {
		return
	}
	if len(names) > 1 {
		what += "s"
	}
	if more := len(names) - 6; more > 1 {
		names = append(names[:6:6], fmt.Sprintf("and %d more", more))
	}
	d := warnAt(id.Span, "%s %s replaces that of %s and leaves out its %s %s", say, id.Name, old.Name, what, strings.Join(names, ", "))
	d.Help = how
	c.w.warn(c.module, d)
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
