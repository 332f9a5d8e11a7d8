package lint

import (
	"slices"

	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/resolve"
	"setpiece/lang"
)

// This file finds tactics that nobody ever acts by, because others for the same
// characters follow in the same block:
//
//	tactics villains { otherwise: attack any foe }
//	tactics villains { on reroll: yes }
//
// The second block replaces the whole of the first. That is what is meant where
// something happens between them, where the second stands in a scene of its own, or
// where the first comes from an included file that suits other evenings, too.

// FindReplaced finds the tactics of a script that take the place of others.
func FindReplaced(c *resolve.Script, stmts []lang.Stmt) {
	c.Successors = map[lang.Span]resolve.Successor{}
	replacedIn(c, stmts)
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			if b, ok := n.(*lang.Block); ok {
				replacedIn(c, b.Stmts)
			}
			return true
		})
	}
}

// replacedIn looks at the statements of one block.
func replacedIn(c *resolve.Script, stmts []lang.Stmt) {
	if !slices.ContainsFunc(stmts, isTactics) {
		return
	}
	first := map[string]lang.Span{}
	for _, s := range stmts {
		t, ok := lang.Bare(s).(*lang.Tactics)
		if !ok {
			if IsPlayed(c, s) || acts(s) {
				clear(first)
			}
			continue
		}
		for _, x := range t.Who {
			name := decl.NameOf(x)
			if old, twice := first[name]; twice {
				c.Successors[x.Range()] = resolve.Successor{Name: name, At: x.Range(), Old: old}
			}
			first[name] = x.Range()
		}
	}
}

func isTactics(s lang.Stmt) bool {
	_, ok := lang.Bare(s).(*lang.Tactics)
	return ok
}

// acts says whether somebody takes a turn in a statement.
func acts(s lang.Stmt) bool {
	found := false
	lang.Walk(s, func(n lang.Node) bool {
		_, ok := n.(*lang.Act)
		found = found || ok
		return !found
	})
	return found
}

// ReplacedTactics warns of them: of those in one file whenever the script is checked, of
// others where it is checked more strictly.
func ReplacedTactics(c *resolve.Script, stmts []lang.Stmt) (plain, strict lang.Diagnostics) {
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			t, ok := n.(*lang.Tactics)
			if !ok {
				return true
			}
			for _, x := range t.Who {
				r, ok := c.Successors[x.Range()]
				if !ok {
					continue
				}
				d := decl.WarnAt(r.At, "SP0113", "these tactics replace all of the earlier ones of %s", r.Name)
				d.Help = "write the entries of both in one block"
				d.Notes = append(d.Notes, lang.Note{Span: r.Old, Message: "these are never used"})
				if r.SameFile() {
					plain = append(plain, d)
				} else {
					strict = append(strict, d)
				}
			}
			return false
		})
	}
	return plain, strict
}

// Below warns of tactics of a script that stand behind everything that is played: nobody acts by them.
func Below(c *resolve.Script, stmts []lang.Stmt) lang.Diagnostics {
	var out lang.Diagnostics
	played := false
	for _, s := range stmts {
		switch t, ok := lang.Bare(s).(*lang.Tactics); {
		case ok && played:
			d := decl.WarnAt(t.Span, "SP0114", "these tactics stand below everything that is played, so nobody acts by them")
			d.Help = "move them above the scene"
			out = append(out, d)
		case ok:
		default:
			if _, test := lang.Bare(s).(*lang.Test); test {
				return nil // which may use them
			}
			if acts(s) {
				played, out = true, nil
			}
			EachCommand(c, s, func(v *decl.Verb) { played, out = played || v.Block, nil }) // their answers count in any command
		}
	}
	return out
}

// IsReplaced says whether nobody is left who could act by some tactics.
func IsReplaced(c *resolve.Script, t *lang.Tactics) bool {
	return len(t.Who) > 0 && !slices.ContainsFunc(t.Who, func(x lang.Expr) bool {
		for _, r := range c.Successors {
			if r.Old == x.Range() {
				return false
			}
		}
		return true
	})
}

// IsPlayed says whether there are commands or other things in a statement that belong to
// play, and not to what is set up.
func IsPlayed(c *resolve.Script, s lang.Stmt) bool {
	switch lang.Bare(s).(type) {
	case *lang.Expect, *lang.Report, *lang.ExprStmt, *lang.Say:
		return true
	}
	found := false
	EachCommand(c, s, func(*decl.Verb) { found = true })
	return found
}

// EachCommand calls a function for the verb of each command in a statement.
func EachCommand(c *resolve.Script, s lang.Stmt, f func(v *decl.Verb)) {
	lang.Walk(s, func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Tactics, *lang.Test:
			return false
		case *lang.Command:
			if head, ok := n.Head.(*lang.Word); ok && c.W.Verbs[head.Name] != nil {
				f(c.W.Verbs[head.Name])
			}
		}
		return true
	})
}
