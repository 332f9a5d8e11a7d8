package compile

import (
	"fmt"
	"slices"

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

// successor is what takes the place of tactics that were not used yet.
type successor struct {
	name string
	at   lang.Span // the name in the later tactics
	old  lang.Span // and in the earlier ones
}

// findReplaced finds the tactics of a script that take the place of others.
func (c *Script) findReplaced(stmts []lang.Stmt) {
	c.successors = map[lang.Span]successor{}
	c.replacedIn(stmts)
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			if b, ok := n.(*lang.Block); ok {
				c.replacedIn(b.Stmts)
			}
			return true
		})
	}
}

// replacedIn looks at the statements of one block.
func (c *Script) replacedIn(stmts []lang.Stmt) {
	first := map[string]lang.Span{}
	for _, s := range stmts {
		t, ok := bare(s).(*lang.Tactics)
		if !ok {
			if c.isPlayed(s) || acts(s) {
				clear(first)
			}
			continue
		}
		for _, x := range t.Who {
			name := nameOf(x)
			if old, twice := first[name]; twice {
				c.successors[x.Range()] = successor{name, x.Range(), old}
			}
			first[name] = x.Range()
		}
	}
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

// replacedTactics warns of them: of those in one file whenever the script is checked, of
// others where it is checked more strictly.
func (c *Script) replacedTactics(stmts []lang.Stmt) (plain, strict lang.Diagnostics) {
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			t, ok := n.(*lang.Tactics)
			if !ok {
				return true
			}
			for _, x := range t.Who {
				r, ok := c.successors[x.Range()]
				if !ok {
					continue
				}
				d := warnAt(r.at, "these tactics replace all of the earlier ones of %s", r.name)
				d.Help = "write the entries of both in one block"
				d.Notes = append(d.Notes, lang.Note{Span: r.old, Message: "these are never used"})
				if r.sameFile() {
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

// isReplaced says whether nobody is left who could act by some tactics.
func (c *Script) isReplaced(t *lang.Tactics) bool {
	return len(t.Who) > 0 && !slices.ContainsFunc(t.Who, func(x lang.Expr) bool {
		for _, r := range c.successors {
			if r.old == x.Range() {
				return false
			}
		}
		return true
	})
}

func (r successor) sameFile() bool { return r.at.Src == r.old.Src }

// succession is what a run says of it.
func (f *fn) succession(s *lang.Tactics) []*node {
	var out []*node
	for _, x := range s.Who {
		r, ok := f.coll.successors[x.Range()]
		if !ok || !r.sameFile() {
			continue
		}
		text := fmt.Sprintf("the tactics of %s in line %d replace all of those in line %d: write the entries of both in one block",
			r.name, r.at.Src.Position(int(r.at.Start)).Line, r.old.Src.Position(int(r.old.Start)).Line)
		n := f.mk(nEvent, x.Range(), f.constant(f.w.Heap.OfText(text), x.Range()))
		n.info = &SayInfo{Kind: "warn", Stated: true}
		out = append(out, n)
	}
	return out
}
