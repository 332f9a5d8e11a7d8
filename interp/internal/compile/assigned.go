package compile

import (
	"setpiece/interp/internal/machine"
	"setpiece/lang"
)

func isBuiltin(name string) bool { return machine.BuiltinIndex(name) >= 0 }

// What assigns which field is found from the text of the rules, without types:
// a rule that sets x.total and elsewhere reads x.primary must mean, by x, a
// sheet that has both. Specialising takes a field that nothing was seen to
// assign for a constant. Should a rule prove this wrong while it runs, the
// machine says so and stops; it never computes with a stale constant.

// uses is a variable of one rule with the fields that are read or set of it.
type uses struct {
	read, set map[string]bool
}

// noteAssigned notes what a declaration or statement assigns, once it is asked
// for: the bodies of a module are not read before that.
func (w *World) noteAssigned(s lang.Stmt) { w.unnoted = append(w.unnoted, s) }

func (w *World) note(s lang.Stmt) {
	vars := map[string]*uses{}
	of := func(name string) *uses {
		u := vars[name]
		if u == nil {
			u = &uses{map[string]bool{}, map[string]bool{}}
			vars[name] = u
		}
		return u
	}
	var visit func(n lang.Node) bool
	visit = func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Block:
			if read, _ := n.Read(); read != n {
				lang.Walk(read, visit)
			}
		case *lang.Dot:
			if x, ok := n.X.(*lang.Word); ok {
				of(x.Name).read[n.Name.Name] = true
			}
		case *lang.Assign:
			w.noteTarget(n.Target, of)
		case *lang.Offer:
			if n.Field != nil {
				w.assigned[n.Field.Name] = true
			}
		}
		return true
	}
	lang.Walk(s, visit)
	for _, u := range vars {
		for f := range u.set {
			w.noteSet(f, u)
		}
	}
}

func (w *World) noteTarget(t lang.Expr, of func(string) *uses) {
	switch t := t.(type) {
	case *lang.Word:
		w.assigned[t.Name] = true
	case *lang.Index:
		w.noteTarget(t.X, of)
	case *lang.Dot:
		if x, ok := t.X.(*lang.Word); ok {
			of(x.Name).set[t.Name.Name] = true
			return
		}
		if x, ok := t.X.(*lang.Name); ok {
			w.settings = append(w.settings, setting{field: t.Name.Name, name: display(x.Name)})
			return
		}
		w.assigned[t.Name.Name] = true
	}
}

// noteSet notes that field f is set of a variable: of every sheet that has all
// the fields that are used of the variable.
func (w *World) noteSet(f string, u *uses) {
	w.settings = append(w.settings, setting{field: f, of: u})
}

// setting is a field set of a variable, kept until all sheets are known.
type setting struct {
	field string
	of    *uses
	name  string // or of the instance of that name
}

// assigns says whether some code may set field name of instances of type typ.
func (w *World) assigns(name string, typ string) bool {
	for _, s := range w.unnoted {
		w.note(s)
	}
	w.unnoted = nil
	if w.assigned[name] {
		return true
	}
	for _, s := range w.settings {
		if s.field != name {
			continue
		}
		if s.of != nil && w.couldBe(s.of, typ) {
			return true
		}
		if s.of == nil {
			e := w.entities[s.name]
			if e == nil && w.groups[s.name] != nil {
				e = w.groups[s.name][0]
			}
			if e == nil || e.sheet.typ.Name == typ {
				return true
			}
		}
	}
	return false
}

// couldBe says whether instances of a type have all that is used of a variable.
func (w *World) couldBe(u *uses, typ string) bool {
	sh := w.sheets[typ]
	if sh == nil {
		sh = w.features[typ]
	}
	if sh == nil {
		return true
	}
	for f := range u.read {
		if sh.byName[f] == nil && len(w.fieldOf[f]) > 0 && w.rules[f] == nil && !isBuiltin(f) {
			return false
		}
	}
	for f := range u.set {
		if sh.byName[f] == nil {
			return false
		}
	}
	return true
}
