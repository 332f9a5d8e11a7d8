package bind

import (
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/resolve"
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

// CompileTactics compiles a block of tactics and gives its number. With just
// one known instance its traits can be checked.
func CompileTactics(w *decl.World, m *decl.Module, s *lang.Tactics, one *decl.Entity, kinds []*decl.Sheet, c *resolve.Script, scope int) (int, *resolve.Fn) {
	t := &code.Tactics{ID: len(w.Prog.Tactics), Who: whose(s), Scope: scope, Turn: -1, When: -1, Else: -1, On: map[string]int{}}
	w.Prog.Tactics = append(slices.Clip(w.Prog.Tactics), t)
	add := func(name string, body func(f *resolve.Fn) *ir.Node) int {
		return resolve.AddFunc(w, name, 1, &resolve.FnSource{Module: m, Body: func(f *resolve.Fn) *ir.Node {
			f.Again = true
			f.Declare("self")
			if one != nil {
				f.Selves = append(f.Selves, resolve.Self{Ent: one, Sheet: one.Sheet})
			} else {
				f.Selves = append(f.Selves, resolve.Self{At: 0, Kinds: kinds})
			}
			return body(f)
		}})
	}
	seen := &resolve.Fn{}
	look := func(slot int) {
		f := resolve.NewFn(w, m)
		f.ResolvedBody(w.Prog.Slots[slot].Source.(*resolve.FnSource).Body(f))
		c.Diags = append(c.Diags, f.Diags...)
		c.Doubt(f.Doubts)
		f.Diags, f.Doubts = nil, nil
		seen.Encloses(f)
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
			c.KnowDecision(*e.On)
			w.RefersTo("decision", e.On.Name, e.On.Span)
			prev, had := t.On[e.On.Name]
			slot := add("on "+e.On.Name, func(f *resolve.Fn) *ir.Node {
				n := answer(f, e)
				if had {
					// the answer that was given earlier in the block comes first
					n = f.Mk(ir.NElse, e.Span, f.Mk(ir.NCall, e.Span, f.Mk(ir.NLocal, e.Span)), n)
					n.Kids[0].A = prev
				}
				return f.Mk(ir.NReturn, e.Span, n)
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
			infos[i] = &code.Tactic{Of: t, Text: strings.Join(strings.Fields(decl.Text(e.Do.Range())), " "), At: e.Do.Range()}
		}
		return add("tactics", func(f *resolve.Fn) *ir.Node { return turn(f, s.Span, entries, infos) })
	}
	says := func(entries []*lang.Tactic) int {
		return add("says", func(f *resolve.Fn) *ir.Node { return says(f, s.Span, entries) })
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
	return t.ID, seen
}

// whose says whose tactics a statement declares, as it is written.
func whose(s *lang.Tactics) string {
	var names []string
	for _, x := range s.Who {
		names = append(names, decl.NameOf(x))
	}
	return strings.Join(names, ", ")
}

// turn resolves entries for a turn: the first that fits and is not refused is done, and
// the rule says yes.
func turn(f *resolve.Fn, at lang.Span, entries []*lang.Tactic, infos []*code.Tactic) *ir.Node {
	body := f.Mk(ir.NSeq, at)
	for i, e := range entries {
		doubtIdle(f, e.Do)
		try := f.Mk(ir.NTry, e.Span, command(f, e.Do))
		try.A = f.Hidden(1)
		done := f.Mk(ir.NLocal, e.Span)
		done.A = try.A
		declined := f.Mk(ir.NDecline, e.Do.Range(), f.Mk(ir.NLocal, e.Span))
		declined.Info = infos[i]
		then := f.Mk(ir.NIf, e.Span, done, f.Mk(ir.NReturn, e.Span, f.Constant(value.Yes, e.Span)), declined)
		step := f.Mk(ir.NSeq, e.Span, try, then)
		if e.When != nil {
			when := f.Expr(e.When)
			if why := f.Never(when); why != "" && !asksOption(f, e.When) {
				f.Doubts = append(f.Doubts, decl.WarnAt(e.When.Range(), "SP0115", "this line of tactics is never used: %s", why))
			}
			step = f.Mk(ir.NIf, e.Span, when, step, nil)
		}
		reached := f.Mk(ir.NEvent, e.Span)
		reached.Info = &ir.ReachedInfo{Tactic: infos[i]}
		body.Kids = append(body.Kids, reached, step)
	}
	passed := f.Mk(ir.NEvent, at)
	passed.Info = &ir.PassedInfo{Tactics: infos[0].Of}
	body.Kids = append(body.Kids, passed, f.Mk(ir.NReturn, at, f.Constant(value.No, at)))
	return body
}

// doubtIdle warns of a command that is only a word with a value: whoever has the turn does nothing then.
func doubtIdle(f *resolve.Fn, cmd *lang.Command) {
	head, ok := cmd.Head.(*lang.Word)
	if !ok || cmd.Who != nil || cmd.Block != nil || len(cmd.Args) > 0 || f.W.Verbs[head.Name] != nil || f.W.Sheets[head.Name] != nil {
		return
	}
	if n := f.KnownWord(head); n == nil || n.Op != ir.NConst {
		return
	}
	d := decl.WarnAt(head.Span, "SP0144", "%s is no verb: nothing is done in this turn", head.Name)
	if d.Help = decl.ErrVerb(f.W, head.Span, head.Name).Help; d.Help == "" {
		d.Help = f.W.Instead(cmd, true)
	}
	f.Doubts = append(f.Doubts, d)
}

// asksOption says whether a condition depends on how a table answers an option: then it holds elsewhere.
func asksOption(f *resolve.Fn, e lang.Expr) bool {
	asks := false
	lang.Walk(e, func(n lang.Node) bool {
		if w, ok := n.(*lang.Word); ok && f.W.OptionNamed[w.Name] != nil {
			asks = true
		}
		return !asks
	})
	return asks
}

// commandBlock resolves the block of a command. Tactics that stand in it hold until it ends.
func commandBlock(f *resolve.Fn, b *lang.Block) *ir.Node {
	own, _ := TacticScopes(b)
	if !own {
		return f.Block(b)
	}
	f.W.Scopes++
	f.Scope = f.W.Scopes
	return f.Mk(ir.NSeq, b.Span, f.Block(b), f.EndTactics(b.Span))
}

// TacticScopes says whether tactics stand in a node itself, outside of the blocks of
// commands in it, and how many such blocks with tactics of their own lie in one another.
func TacticScopes(n lang.Node) (own bool, depth int) {
	lang.Walk(n, func(x lang.Node) bool {
		switch x := x.(type) {
		case *lang.Tactics:
			own = true
			return false
		case *lang.Command:
			if x.Block == nil {
				return false
			}
			in, d := TacticScopes(x.Block)
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
func answer(f *resolve.Fn, e *lang.Tactic) *ir.Node {
	var a *ir.Node
	if w, ok := e.Answer.(*lang.Word); ok && f.KnownWord(w) == nil {
		f.Err(decl.ErrName(w.Span, w.Name, f.Known()))
		a = f.Constant(value.None, w.Span)
	} else {
		a = f.Expr(e.Answer)
		f.KnowAnswer(*e.On, a)
	}
	if e.When == nil {
		return a
	}
	return f.Mk(ir.NCond, e.Span, f.Expr(e.When), a, f.Constant(value.None, e.Span))
}

// kindsOf gives the sheets that those have whose tactics are declared: of names what these
// have, else what somebody has whom the script declared before: what belongs to the rules
// alone has no tactics by such a word. A word that is a field of other sheets alone is no
// field in tactics.
func kindsOf(w *decl.World, who []lang.Expr) []*decl.Sheet {
	var of []*decl.Entity
	for _, x := range who {
		if _, noun := x.(*lang.Word); noun {
			for _, e := range w.Order {
				if e.Script {
					of = append(of, e)
				}
			}
			continue
		}
		name := decl.Display(decl.NameOf(x))
		of = append(of, w.Groups[name]...)
		if e := w.Entities[name]; e != nil {
			of = append(of, e)
		}
	}
	var kinds []*decl.Sheet
	for _, e := range of {
		if e.Owner == nil && !slices.Contains(kinds, e.Sheet) {
			kinds = append(kinds, e.Sheet)
		}
	}
	return kinds
}

// tactics resolves a tactics statement: it gives a block to instances.
func tactics(f *resolve.Fn, s *lang.Tactics) *ir.Node {
	if f.Coll == nil {
		f.Err(decl.ErrAt(s.Span, "SP0327", "tactics belong in a script, not in a file of rules"))
		return resolve.Nothing(s.Span)
	}
	var who []*ir.Node
	var one *decl.Entity
	for _, x := range s.Who {
		var n *ir.Node
		switch x := x.(type) {
		case *lang.Word:
			if r := f.Noun(x.Name); r != nil {
				f.W.RefersToSomebody(x.Name, r, x.Span)
				n = f.Mk(ir.NBuiltin, x.Span, f.CallRule(r, []*ir.Node{f.Constant(value.None, x.Span)}, x.Span))
			} else if f.W.Sheets[x.Name] != nil {
				f.W.Refers(x.Span, f.W.Sheets[x.Name].At)
				n = f.Mk(ir.NBuiltin, x.Span, f.Constant(f.W.Heap.OfSymbol(x.Name), x.Span))
				n.A = code.BuiltinIndex("instances")
				who = append(who, n)
				continue
			} else {
				f.Err(decl.ErrName(x.Span, x.Name, append(decl.RuleNames(f.W), decl.SheetNames(f.W)...)))
				continue
			}
			n.A = code.BuiltinIndex("list")
		default:
			n = f.Named(decl.NameOf(x), x.Range())
			if n == nil {
				d := decl.ErrAt(x.Range(), "SP0309", "nobody is called %s", decl.NameOf(x))
				decl.SuggestName(d, decl.NameOf(x), resolve.Everybody(f.W))
				f.Err(d)
				continue
			}
			if len(s.Who) == 1 {
				one = f.EntityOf(n)
			}
		}
		who = append(who, n)
	}
	i, g := CompileTactics(f.W, f.Module, s, one, kindsOf(f.W, s.Who), f.Coll, f.Scope)
	f.Encloses(g)
	n := f.Mk(ir.NTactics, s.Span, f.Mk(ir.NList, s.Span, who...))
	n.A = i
	if said := f.Succession(s); len(said) > 0 {
		return f.Mk(ir.NSeq, s.Span, append(said, n)...)
	}
	return n
}
