package language

import (
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/lint"
	"setpiece/lang"
)

// NewName is a rule, table or option of a variant that replaces nothing and is nearly
// called like one of its base: most likely it was meant to.
type NewName struct {
	Name, Near string
	At         lang.Span
}

// NewNames lists those of a variant that nothing in it uses.
func NewNames(w *decl.World, variant string) []NewName {
	var out []NewName
	for _, d := range w.Declared {
		if d.Module == nil || d.Module.Name != variant {
			continue
		}
		u := &lint.Usage{W: w, Declared: map[*lang.Ident]bool{}, Uses: map[string]int{}}
		for _, s := range d.Stmts {
			lang.Walk(s, u.Declares)
		}
		for _, s := range d.Stmts {
			lang.Walk(s, u.Count)
		}
		for _, s := range d.Stmts {
			var id lang.Ident
			var olds []string
			switch s := lang.Bare(s).(type) {
			case *lang.Rule:
				id, olds = s.Name, rulesOutside(w, variant)
			case *lang.Table:
				id, olds = s.Name, rulesOutside(w, variant)
			case *lang.Option:
				if o := w.OptionNamed[s.Name.Name]; o == nil || o.Module != variant {
					continue
				}
				id = s.Name
				for n, o := range w.OptionNamed {
					if o.Module != variant {
						olds = append(olds, n)
					}
				}
			default:
				continue
			}
			if r := w.Rules[id.Name]; r != nil && r.Base != nil || u.Uses[id.Name] > 0 {
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
func rulesOutside(w *decl.World, variant string) []string {
	var names []string
	for _, n := range decl.RuleNames(w) {
		if r := w.Rules[n]; r.Module == nil || r.Module.Name != variant || r.Base != nil {
			names = append(names, n)
		}
	}
	return names
}
