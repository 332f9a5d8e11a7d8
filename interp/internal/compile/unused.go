package compile

import (
	"fmt"
	"strings"

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

// usage counts the names of a script.
type usage struct {
	w        *World
	declared map[*lang.Ident]bool // the names in declarations, which are no uses
	uses     map[string]int
}

// UnusedIn warns of what a module in use declares for itself and does not use.
func (w *World) UnusedIn(module string) lang.Diagnostics {
	c := &Script{w: w}
	var out lang.Diagnostics
	for _, d := range w.declared {
		if d.module != nil && d.module.Name == module {
			out = append(out, c.unused(d.stmts, false)...)
		}
	}
	return out
}

// unused warns of what statements declare and none of them uses. all says that nobody else can
// use it: they are a script.
func (c *Script) unused(stmts []lang.Stmt, all bool) lang.Diagnostics {
	u := &usage{w: c.w, declared: map[*lang.Ident]bool{}, uses: map[string]int{}}
	for _, s := range stmts {
		lang.Walk(s, u.declares)
	}
	for _, s := range stmts {
		lang.Walk(s, u.count)
	}
	var out lang.Diagnostics
	reported := map[string]bool{}
	warn := func(id lang.Ident, format string) {
		if u.uses[id.Name] == 0 && !reported[id.Name] {
			reported[id.Name] = true
			out = append(out, warnAt(id.Span, format, id.Name))
		}
	}
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			switch n := n.(type) {
			case *lang.Let:
				warn(n.Name, "%s is set and never read")
			case *lang.ClauseSet:
				warn(n.Name, "the clauses %s are never used")
			case *lang.Hook:
				warn(n.Name, "the hook %s is never used")
			case *lang.Tactics:
				out = append(out, idleAnswers(n)...)
			}
			if !all {
				return true
			}
			switch n := n.(type) {
			case *lang.Rule:
				if !c.w.called(n.Name.Name) {
					warn(n.Name, "the rule %s is never used")
				}
			case *lang.Table:
				if !c.w.called(n.Name.Name) {
					warn(n.Name, "the table %s is never used")
				}
			case *lang.Sheet:
				warn(n.Name, "the sheet %s is never used")
			case *lang.Feature:
				if !n.Every {
					warn(n.Name, "the feature %s is never used")
				}
			case *lang.Field:
				if n.As == nil {
					warn(n.Name, "the field %s is never read")
				}
			case *lang.Verb:
				warn(n.Name, "the verb %s is never used")
			}
			return true
		})
	}
	return append(out, c.replaced...)
}

// called says whether a rule of the script may be called from outside of it: it replaces
// a rule of a module, or the language looks for it by its name.
func (w *World) called(name string) bool {
	r := w.rules[name]
	return r == nil || r.base != nil || name == "other_part" || strings.HasPrefix(name, "pick_") || r.self
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
			d := warnAt(e.Span, "this answer is never used")
			d.Notes = append(d.Notes, lang.Note{Span: first, Message: "this one always answers"})
			out = append(out, d)
		} else if e.When == nil && !isWord(e.Answer, "none") {
			always[e.On.Name] = e.Span
		}
	}
	return out
}

// idleRows warns of rows of a table that can never be used: those below else, and what a row above
// has already.
func (c *Script) idleRows(s *lang.Table) {
	above := map[string]lang.Span{}
	var last *lang.Row
	for i := range s.Rows {
		r := &s.Rows[i]
		if last != nil {
			d := warnAt(r.Span, "this row is never used")
			d.Notes = append(d.Notes, lang.Note{Span: last.Span, Message: "this one takes what is left"})
			c.w.warn(c.module, d)
			continue
		}
		if r.Patterns == nil {
			last = r
		}
		for _, p := range r.Patterns {
			what := text(p.Range())
			if old, twice := above[what]; twice {
				d := warnAt(p.Range(), "this row is never used for %s", what)
				d.Notes = append(d.Notes, lang.Note{Span: old, Message: "this one is"})
				c.w.warn(c.module, d)
				continue
			}
			above[what] = p.Range()
		}
	}
}

func warnAt(at lang.Span, format string, args ...any) *lang.Diagnostic {
	return &lang.Diagnostic{Span: at, Severity: lang.Warning, Message: fmt.Sprintf(format, args...)}
}

// declares notes the names that a node declares.
func (u *usage) declares(n lang.Node) bool {
	switch n := n.(type) {
	case *lang.Let:
		u.declared[&n.Name] = true
	case *lang.For:
		u.declared[&n.Var] = true
	case *lang.Rule:
		u.declared[&n.Name] = true
	case *lang.Param:
		u.declared[&n.Name] = true
	case *lang.Table:
		u.declared[&n.Name] = true
	case *lang.Sheet:
		u.declared[&n.Name] = true
	case *lang.Feature:
		u.declared[&n.Name] = true
	case *lang.Field:
		u.declared[&n.Name] = true
	case *lang.Verb:
		u.declared[&n.Name] = true
	case *lang.ClauseSet:
		u.declared[&n.Name] = true
	case *lang.Hook:
		u.declared[&n.Name] = true
	}
	return true
}

// count counts the names that occur in a node.
func (u *usage) count(n lang.Node) bool {
	switch n := n.(type) {
	case *lang.Ident:
		if !u.declared[n] {
			u.uses[n.Name]++
		}
	case *lang.Word:
		u.uses[n.Name]++
	case *lang.Lit:
		u.uses[n.Value]++ // a name may be made of a text
	case *lang.Assign:
		u.assign(n)
		return false
	case *lang.Command:
		if head, ok := n.Head.(*lang.Word); ok && u.w.sheets[head.Name] != nil && u.w.verbs[head.Name] == nil {
			u.instance(n)
			return false
		}
	}
	return true
}

// assign counts the names in an assignment. What is set is not used by it, also where
// its new value is made of the old one.
func (u *usage) assign(n *lang.Assign) {
	set := ""
	switch t := n.Target.(type) {
	case *lang.Word:
		set = t.Name
	case *lang.Dot:
		set = t.Name.Name
		lang.Walk(t.X, u.count)
	case *lang.Index:
		lang.Walk(t.I, u.count)
		switch x := t.X.(type) {
		case *lang.Word:
			set = x.Name
		case *lang.Dot:
			set = x.Name.Name
			lang.Walk(x.X, u.count)
		default:
			lang.Walk(x, u.count)
		}
	default:
		lang.Walk(t, u.count)
	}
	before := u.uses[set]
	lang.Walk(n.Value, u.count)
	if set != "" {
		u.uses[set] = before
	}
	for _, e := range []lang.Expr{n.As, n.Note} {
		if e != nil {
			lang.Walk(e, u.count)
		}
	}
}

// instance counts the names in the declaration of an instance, whose entries set fields.
func (u *usage) instance(n *lang.Command) {
	if head, ok := n.Head.(*lang.Word); ok && u.w.sheets[head.Name] != nil {
		u.uses[head.Name]++
	}
	for _, a := range n.Args {
		lang.Walk(a.Expr, u.count)
	}
	if n.Block == nil {
		return
	}
	for _, s := range n.Block.Stmts {
		if cmd, ok := s.(*lang.Command); ok {
			u.instance(cmd)
		} else {
			lang.Walk(s, u.count)
		}
	}
}

// tacticsIn lists the tactics among statements, without those of tests and those that
// whoever has none follows.
func tacticsIn(stmts []lang.Stmt) []*lang.Tactics {
	var out []*lang.Tactics
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			switch n := n.(type) {
			case *lang.Test:
				return false
			case *lang.Tactics:
				if !isWord(n.Who[0], "default") {
					out = append(out, n)
				}
			}
			return true
		})
	}
	return out
}
