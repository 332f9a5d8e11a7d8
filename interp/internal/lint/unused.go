package lint

import (
	"strings"

	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/resolve"
	"setpiece/lang"
)

// This file finds what a script declares and nothing in it uses: variables and fields
// that are set and never read, rules that nobody calls, answers of tactics behind one
// that always answers. It goes by names alone. Wherever a name occurs, except where it
// is declared or set, it counts as used. So something unused may be missed, but
// nothing that is used is reported.
//
// A file of rules declares most things for the scenes that will use it: verbs, sheets, fields,
// features, rules. Of these nobody can say that they are unused.

// Usage counts the names of a script.
type Usage struct {
	W        *decl.World
	Declared map[*lang.Ident]bool // the names in declarations, which are no uses
	Uses     map[string]int
}

// UnusedIn warns of what a module in use declares for itself and does not use.
func UnusedIn(w *decl.World, module string) lang.Diagnostics {
	c := &resolve.Script{W: w}
	var out lang.Diagnostics
	for _, d := range w.Declared {
		if d.Module != nil && d.Module.Name == module {
			out = append(out, Unused(c, d.Stmts, false)...)
		}
	}
	return out
}

// Unused warns of what statements declare and none of them uses. all says that nobody else can
// use it: they are a script.
func Unused(c *resolve.Script, stmts []lang.Stmt, all bool) lang.Diagnostics {
	u := &Usage{W: c.W, Declared: map[*lang.Ident]bool{}, Uses: map[string]int{}}
	for _, s := range stmts {
		lang.Walk(s, u.Declares)
	}
	for _, s := range append(inStock(c), stmts...) {
		lang.Walk(s, u.Count)
	}
	var out lang.Diagnostics
	reported := map[string]bool{}
	warn := func(id lang.Ident, code, format string) {
		if u.Uses[id.Name] == 0 && !reported[id.Name] {
			reported[id.Name] = true
			out = append(out, decl.WarnAt(id.Span, code, format, id.Name))
		}
	}
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			switch n := n.(type) {
			case *lang.Let:
				warn(n.Name, "SP0101", "%s is set and never read")
			case *lang.ClauseSet:
				warn(n.Name, "SP0108", "the clauses %s are never used")
			case *lang.Hook:
				if h := c.W.Hooks[n.Name.Name]; h == nil || h.Old == nil || h.Old.Module == h.Module {
					warn(n.Name, "SP0109", "the hook %s is never used")
				}
			case *lang.Tactics:
				out = append(out, idleAnswers(n)...)
			}
			if !all {
				return true
			}
			switch n := n.(type) {
			case *lang.Rule:
				if !called(c.W, n.Name.Name) {
					warn(n.Name, "SP0102", "the rule %s is never used")
				}
			case *lang.Table:
				if !called(c.W, n.Name.Name) {
					warn(n.Name, "SP0103", "the table %s is never used")
				}
			case *lang.Sheet:
				warn(n.Name, "SP0104", "the sheet %s is never used")
			case *lang.Feature:
				if !n.Every {
					warn(n.Name, "SP0105", "the feature %s is never used")
				}
			case *lang.Field:
				if n.As == nil {
					warn(n.Name, "SP0106", "the field %s is never read")
				}
			case *lang.Verb:
				warn(n.Name, "SP0107", "the verb %s is never used")
			}
			return true
		})
	}
	return append(out, c.Replaced...)
}

// inStock lists what the files of stock say that statements name.
func inStock(c *resolve.Script) (out []lang.Stmt) {
	for _, s := range c.W.Stores {
		if s.Module == c.Module {
			file, _ := s.Read()
			out = append(out, file.Stmts...)
		}
	}
	return out
}

// called says whether a rule of the script may be called from outside of it: it replaces
// a rule of a module, or the language looks for it by its name.
func called(w *decl.World, name string) bool {
	r := w.Rules[name]
	return r == nil || r.Base != nil || name == "other_part" || name == "sayings" || name == "fitting_terms" || strings.HasPrefix(name, "pick_") || r.Self
}

// idleAnswers warns of answers behind one to the same decision that has no condition.
func idleAnswers(t *lang.Tactics) lang.Diagnostics {
	var out lang.Diagnostics
	always := map[string]lang.Span{}
	for _, e := range t.Entries {
		if e.On == nil {
			continue
		}
		if first, ok := always[e.On.Name]; ok {
			d := decl.WarnAt(e.Span, "SP0110", "this answer is never used")
			d.Notes = append(d.Notes, lang.Note{Span: first, Message: "this one always answers"})
			out = append(out, d)
		} else if e.When == nil && !decl.IsWord(e.Answer, "none") {
			always[e.On.Name] = e.Span
		}
	}
	return out
}

// IdleRows warns of rows of a table that can never be used: those below else, and what a row above
// has already.
func IdleRows(c *resolve.Script, s *lang.Table) {
	above := map[string]lang.Span{}
	var last *lang.Row
	for i := range s.Rows {
		r := &s.Rows[i]
		if last != nil {
			d := decl.WarnAt(r.Span, "SP0111", "this row is never used")
			d.Notes = append(d.Notes, lang.Note{Span: last.Span, Message: "this one takes what is left"})
			c.W.Warn(c.Module, d)
			continue
		}
		if r.Patterns == nil {
			last = r
		}
		for _, p := range r.Patterns {
			what := decl.Text(p.Range())
			if old, twice := above[what]; twice {
				d := decl.WarnAt(p.Range(), "SP0112", "this row is never used for %s", what)
				d.Notes = append(d.Notes, lang.Note{Span: old, Message: "this one is"})
				c.W.Warn(c.Module, d)
				continue
			}
			above[what] = p.Range()
		}
	}
}

// Declares notes the names that a node declares.
func (u *Usage) Declares(n lang.Node) bool {
	switch n := n.(type) {
	case *lang.Let:
		u.Declared[&n.Name] = true
	case *lang.For:
		u.Declared[&n.Var] = true
	case *lang.Rule:
		u.Declared[&n.Name] = true
	case *lang.Param:
		u.Declared[&n.Name] = true
	case *lang.Table:
		u.Declared[&n.Name] = true
	case *lang.Sheet:
		u.Declared[&n.Name] = true
	case *lang.Feature:
		u.Declared[&n.Name] = true
	case *lang.Field:
		u.Declared[&n.Name] = true
	case *lang.Verb:
		u.Declared[&n.Name] = true
	case *lang.ClauseSet:
		u.Declared[&n.Name] = true
	case *lang.Hook:
		u.Declared[&n.Name] = true
	}
	return true
}

// Count counts the names that occur in a node.
func (u *Usage) Count(n lang.Node) bool {
	switch n := n.(type) {
	case *lang.Ident:
		if !u.Declared[n] {
			u.Uses[n.Name]++
		}
	case *lang.Word:
		u.Uses[n.Name]++
	case *lang.Lit:
		u.Uses[n.Value]++ // a name may be made of a text
	case *lang.Assign:
		u.assign(n)
		return false
	case *lang.Command:
		if head, ok := n.Head.(*lang.Word); ok && u.W.Sheets[head.Name] != nil && u.W.Verbs[head.Name] == nil {
			u.instance(n)
			return false
		}
	}
	return true
}

// assign counts the names in an assignment. What is set is not used by it, also where
// its new value is made of the old one.
func (u *Usage) assign(n *lang.Assign) {
	set := ""
	switch t := n.Target.(type) {
	case *lang.Word:
		set = t.Name
	case *lang.Dot:
		set = t.Name.Name
		lang.Walk(t.X, u.Count)
	case *lang.Index:
		lang.Walk(t.I, u.Count)
		switch x := t.X.(type) {
		case *lang.Word:
			set = x.Name
		case *lang.Dot:
			set = x.Name.Name
			lang.Walk(x.X, u.Count)
		default:
			lang.Walk(x, u.Count)
		}
	default:
		lang.Walk(t, u.Count)
	}
	before := u.Uses[set]
	lang.Walk(n.Value, u.Count)
	if set != "" {
		u.Uses[set] = before
	}
	for _, e := range []lang.Expr{n.As, n.Note} {
		if e != nil {
			lang.Walk(e, u.Count)
		}
	}
}

// instance counts the names in the declaration of an instance, whose entries set fields.
func (u *Usage) instance(n *lang.Command) {
	if head, ok := n.Head.(*lang.Word); ok && u.W.Sheets[head.Name] != nil {
		u.Uses[head.Name]++
	}
	for _, a := range n.Args {
		lang.Walk(a.Expr, u.Count)
	}
	if n.Block == nil {
		return
	}
	for _, s := range n.Block.Stmts {
		if cmd, ok := s.(*lang.Command); ok {
			u.instance(cmd)
		} else {
			lang.Walk(s, u.Count)
		}
	}
}
