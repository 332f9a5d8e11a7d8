package compile

import (
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// This file compiles tactics. A block of them becomes rules of one parameter, self: one
// for a whole turn, one each for its `when` and its `otherwise` entries, from which the
// turn of somebody with several layers of tactics is put together (machine/tactics.go),
// and one for each decision that it answers.
//
// A command of a turn is tried: if the rules refuse it, everything it has done is taken
// back, the refusal is reported, and the next entry is tried.

// compileTactics compiles a block of tactics and gives its number. With just
// one known instance its traits can be checked.
func (w *World) compileTactics(m *Module, s *lang.Tactics, one *entity, kinds []*sheet, c *Script, scope int) int {
	t := &code.Tactics{ID: len(w.Prog.Tactics), Who: whose(s), Scope: scope, Turn: -1, When: -1, Else: -1, On: map[string]int{}}
	w.Prog.Tactics = append(slices.Clip(w.Prog.Tactics), t)
	add := func(name string, body func(f *fn) *node) int {
		return w.addFunc(name, 1, &fnSource{module: m, body: func(f *fn) *node {
			f.declare("self")
			if one != nil {
				f.selves = append(f.selves, self{ent: one, sheet: one.sheet})
			} else {
				f.selves = append(f.selves, self{at: 0, kinds: kinds})
			}
			return body(f)
		}})
	}
	look := func(slot int) {
		f := newFn(w, m)
		f.resolvedBody(w.Prog.Slots[slot].Source.(*fnSource).body(f))
		c.diags = append(c.diags, f.diags...)
		c.doubt(f.doubts)
	}
	var when, other []*lang.Tactic
	for i := range s.Entries {
		e := &s.Entries[i]
		if e.Do != nil {
			for _, a := range e.Do.Args {
				if word, ok := a.Expr.(*lang.Word); ok {
					t.Words = append(t.Words, word.Name)
				}
			}
		}
		switch {
		case e.On != nil:
			c.knowDecision(*e.On)
			w.refersTo("decision", e.On.Name, e.On.Span)
			prev, had := t.On[e.On.Name]
			slot := add("on "+e.On.Name, func(f *fn) *node {
				n := f.answer(e)
				if had {
					// the answer that was given earlier in the block comes first
					n = f.mk(nElse, e.Span, f.mk(nCall, e.Span, f.mk(nLocal, e.Span)), n)
					n.kids[0].a = prev
				}
				return f.mk(nReturn, e.Span, n)
			})
			t.On[e.On.Name] = slot
			look(slot)
		case e.When != nil:
			when = append(when, e)
		default:
			other = append(other, e)
		}
	}
	turn := func(entries []*lang.Tactic) int {
		infos := make([]*code.Tactic, len(entries))
		for i, e := range entries {
			infos[i] = &code.Tactic{Of: t, Text: strings.Join(strings.Fields(text(e.Do.Range())), " "), At: e.Do.Range()}
		}
		return add("tactics", func(f *fn) *node { return f.turn(s.Span, entries, infos) })
	}
	says := func(entries []*lang.Tactic) int {
		return add("says", func(f *fn) *node { return f.says(s.Span, entries) })
	}
	if len(when) > 0 {
		t.When, t.SaysWhen = turn(when), says(when)
	}
	if len(other) > 0 {
		t.Else, t.SaysElse = turn(other), says(other)
	}
	switch {
	case t.When < 0:
		t.Turn = t.Else
	case t.Else < 0:
		t.Turn = t.When
	default:
		t.Turn = turn(slices.Concat(when, other))
	}
	if t.Turn >= 0 {
		look(t.Turn)
	}
	return t.ID
}

// whose says whose tactics a statement declares, as it is written.
func whose(s *lang.Tactics) string {
	var names []string
	for _, x := range s.Who {
		names = append(names, nameOf(x))
	}
	return strings.Join(names, ", ")
}

// turn resolves entries for a turn: the first that fits and is not refused is done, and
// the rule says yes.
func (f *fn) turn(at lang.Span, entries []*lang.Tactic, infos []*code.Tactic) *node {
	body := f.mk(nSeq, at)
	for i, e := range entries {
		try := f.mk(nTry, e.Span, f.command(e.Do))
		try.a = f.hidden(1)
		done := f.mk(nLocal, e.Span)
		done.a = try.a
		declined := f.mk(nDecline, e.Do.Range(), f.mk(nLocal, e.Span))
		declined.info = infos[i]
		then := f.mk(nIf, e.Span, done, f.mk(nReturn, e.Span, f.constant(value.Yes, e.Span)), declined)
		step := f.mk(nSeq, e.Span, try, then)
		if e.When != nil {
			step = f.mk(nIf, e.Span, f.expr(e.When), step, nil)
		}
		reached := f.mk(nEvent, e.Span)
		reached.info = &ReachedInfo{Tactic: infos[i]}
		body.kids = append(body.kids, reached, step)
	}
	body.kids = append(body.kids, f.mk(nReturn, at, f.constant(value.No, at)))
	return body
}

// commandBlock resolves the block of a command. Tactics that stand in it hold until it ends.
func (f *fn) commandBlock(b *lang.Block) *node {
	own, _ := tacticScopes(b)
	if !own {
		return f.block(b)
	}
	f.w.scopes++
	f.scope = f.w.scopes
	end := f.mk(nEndTactics, b.Span)
	end.a = f.scope
	return f.mk(nSeq, b.Span, f.block(b), end)
}

// tacticScopes says whether tactics stand in a node itself, outside of the blocks of
// commands in it, and how many such blocks with tactics of their own lie in one another.
func tacticScopes(n lang.Node) (own bool, depth int) {
	lang.Walk(n, func(x lang.Node) bool {
		switch x := x.(type) {
		case *lang.Tactics:
			own = true
			return false
		case *lang.Command:
			if x.Block == nil {
				return false
			}
			in, d := tacticScopes(x.Block)
			if in {
				d++
			}
			depth = max(depth, d)
			return false
		}
		return true
	})
	return own, depth
}

// answer is what a line  on DECISION: ANSWER when COND  says.
func (f *fn) answer(e *lang.Tactic) *node {
	var a *node
	if w, ok := e.Answer.(*lang.Word); ok && f.knownWord(w) == nil {
		f.err(errName(w.Span, w.Name, f.known()))
		a = f.constant(value.None, w.Span)
	} else {
		a = f.expr(e.Answer)
		f.knowAnswer(*e.On, a)
	}
	if e.When == nil {
		return a
	}
	return f.mk(nCond, e.Span, f.expr(e.When), a, f.constant(value.None, e.Span))
}

// kindsOf gives the sheets that those have whose tactics are declared: of names what these
// have, else what somebody has who was declared before. A word that is a field of other
// sheets alone is no field in tactics.
func (w *World) kindsOf(who []lang.Expr) []*sheet {
	var of []*entity
	for _, x := range who {
		if _, noun := x.(*lang.Word); noun {
			of = append(of, w.order...)
			continue
		}
		name := display(nameOf(x))
		of = append(of, w.groups[name]...)
		if e := w.entities[name]; e != nil {
			of = append(of, e)
		}
	}
	var kinds []*sheet
	for _, e := range of {
		if e.owner == nil && !slices.Contains(kinds, e.sheet) {
			kinds = append(kinds, e.sheet)
		}
	}
	return kinds
}

// tactics resolves a tactics statement: it gives a block to instances.
func (f *fn) tactics(s *lang.Tactics) *node {
	if f.coll == nil {
		f.err(errAt(s.Span, "tactics belong in a script, not in a file of rules"))
		return nothing(s.Span)
	}
	var who []*node
	var one *entity
	for _, x := range s.Who {
		var n *node
		switch x := x.(type) {
		case *lang.Word:
			if r := f.noun(x.Name); r != nil {
				f.w.refersToSomebody(x.Name, r, x.Span)
				n = f.mk(nBuiltin, x.Span, f.callRule(r, []*node{f.constant(value.None, x.Span)}, x.Span))
			} else if f.w.sheets[x.Name] != nil {
				f.w.refers(x.Span, f.w.sheets[x.Name].at)
				n = f.mk(nBuiltin, x.Span, f.constant(f.w.Heap.OfSymbol(x.Name), x.Span))
				n.a = code.BuiltinIndex("instances")
				who = append(who, n)
				continue
			} else {
				f.err(errName(x.Span, x.Name, append(ruleNames(f.w), sheetNames(f.w)...)))
				continue
			}
			n.a = code.BuiltinIndex("list")
		default:
			n = f.named(nameOf(x), x.Range())
			if n == nil {
				d := errAt(x.Range(), "nobody is called %s", nameOf(x))
				suggestName(d, nameOf(x), f.w.everybody())
				f.err(d)
				continue
			}
			if len(s.Who) == 1 {
				one = f.entityOf(n)
			}
		}
		who = append(who, n)
	}
	i := f.w.compileTactics(f.module, s, one, f.w.kindsOf(s.Who), f.coll, f.scope)
	n := f.mk(nTactics, s.Span, f.mk(nList, s.Span, who...))
	n.a = i
	if said := f.succession(s); len(said) > 0 {
		return f.mk(nSeq, s.Span, append(said, n)...)
	}
	return n
}
