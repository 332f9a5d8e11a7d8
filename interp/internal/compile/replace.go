package compile

import (
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
				if o := w.options[s.Name.Name]; o == nil || o.Module != variant {
					continue
				}
				id = s.Name
				for n, o := range w.options {
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
