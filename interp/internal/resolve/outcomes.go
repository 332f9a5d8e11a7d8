package resolve

import (
	"slices"

	"setpiece/interp/internal/decl"
	"setpiece/lang"
)

// What an outcome may be is a word, or a variable that holds one. This file finds the words:
// those that are written, and of a variable those that the declaration around it gives it,
// as tables and rules have them. It is for messages, so what it cannot follow is left out.

// NamesIn lists the names that a declaration gives values to: parameters, operands, clauses
// and variables.
func NamesIn(s lang.Stmt) map[string]bool {
	names := map[string]bool{}
	params := func(list []lang.Param) {
		for _, p := range list {
			names[p.Name.Name] = true
		}
	}
	lang.Walk(s, func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Rule:
			params(n.Params)
		case *lang.Clause:
			names[n.Name.Name] = true
		case *lang.PatSlot:
			names[n.Name.Name] = true
		case *lang.Let:
			names[n.Name.Name] = true
		case *lang.For:
			names[n.Var.Name] = true
		}
		return true
	})
	return names
}

// Outcomes lists the words that outcomes are, as far as they can be told, in the order of
// their declaration.
func Outcomes(w *decl.World) []string {
	l := &wordLister{w: w, seen: map[any]bool{}}
	for _, o := range w.Outcomes {
		l.add(o.Value, o.In)
	}
	return l.words
}

// wordLister lists words, each once.
type wordLister struct {
	w     *decl.World
	words []string
	seen  map[any]bool // variables and rules
}

// first says whether something is looked at for the first time.
func (l *wordLister) first(key any) bool {
	was := l.seen[key]
	l.seen[key] = true
	return !was
}

// add lists the words that an expression in a declaration may be.
func (l *wordLister) add(e lang.Expr, in lang.Stmt) {
	switch e := e.(type) {
	case *lang.Word:
		if _, ok := Special(e.Name); ok {
			return
		}
		if in != nil && NamesIn(in)[e.Name] {
			l.variable(e.Name, in)
			return
		}
		if _, cell := l.w.Cells[e.Name]; !cell && l.w.OptionNamed[e.Name] == nil && !slices.Contains(l.words, e.Name) {
			l.words = append(l.words, e.Name)
		}
	case *lang.Paren:
		l.add(e.X, in)
	case *lang.Cond:
		l.add(e.A, in)
		l.add(e.B, in)
	case *lang.Binary:
		if e.Op == "else" {
			l.add(e.X, in)
			l.add(e.Y, in)
		}
	case *lang.Call:
		if fn, ok := e.Fn.(*lang.Word); ok && l.w.Rules[fn.Name] != nil && l.first(l.w.Rules[fn.Name]) {
			l.rule(l.w.Rules[fn.Name])
		}
	}
}

// variable lists the words that a variable of a declaration is set to.
func (l *wordLister) variable(name string, in lang.Stmt) {
	type key struct {
		in   lang.Stmt
		name string
	}
	if !l.first(key{in, name}) {
		return
	}
	lang.Walk(in, func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Let:
			if n.Name.Name == name {
				l.add(n.Value, in)
			}
		case *lang.Assign:
			if decl.IsWord(n.Target, name) && n.Op == "=" {
				l.add(n.Value, in)
			}
		}
		return true
	})
}

// rule lists the words that a rule or a table gives.
func (l *wordLister) rule(r *decl.Rule) {
	src, ok := l.w.Prog.Slots[r.Slot].Source.(*FnSource)
	if !ok {
		return
	}
	switch d := src.Tree.(type) {
	case *lang.Table:
		for _, row := range d.Rows {
			l.add(row.Value, nil)
		}
	case *lang.Rule:
		if d.Value != nil {
			l.add(d.Value, d)
			return
		}
		lang.Walk(d, func(n lang.Node) bool {
			if ret, ok := n.(*lang.Return); ok {
				l.add(ret.Value, d)
			}
			return true
		})
	}
}
