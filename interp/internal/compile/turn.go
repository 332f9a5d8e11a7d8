package compile

import (
	"maps"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// This file holds what a turn needs of the compiler: the code of a command that
// somebody types when it is their turn, and what tactics would do, as a command that
// could be typed.

// CompileCommand compiles a text that whoever is at off does in their turn: nobody
// else need be named in it, and it may use their fields as their tactics may. It runs
// in the middle of another text, so it cannot declare anything. With mistakes w is
// spoilt, and the store has to be cut back.
func (w *World) CompileCommand(file *lang.File, off int) (*code.Func, lang.Diagnostics) {
	e := w.byOff[off]
	if e == nil {
		return nil, lang.Diagnostics{errAt(file.Span, "only a character with a sheet can get commands")}
	}
	c := &collector{Script: Script{w: w, isScript: true}, cite: -1, cites: map[lang.Stmt]int{}}
	c.module = &Module{Name: "script", script: true}
	if d := w.undeclarable(file); d != nil {
		return nil, lang.Diagnostics{d}
	}
	c.declare(file.Stmts)
	f := c.scriptFn()
	f.selves = append(f.selves, self{ent: e, sheet: e.sheet})
	body := f.mk(nSeq, file.Span)
	for _, s := range c.rest {
		size := len(*w.store)
		n := f.stmt(s)
		if len(*w.store) > size && len(f.diags) == 0 {
			f.err(errAt(s.Range(), "a turn cannot make something new: declare it before the scene"))
		}
		body.kids = append(append(body.kids, f.before...), n)
		f.before = nil
	}
	diags := append(c.diags, f.diags...)
	if len(diags) > 0 {
		return nil, diags
	}
	mf := &code.Func{Name: "turn", Region: true, Source: &fnSource{}}
	w.generate(mf, f, body)
	return mf, nil
}

// undeclarable gives what is wrong with a text that does more than act.
func (w *World) undeclarable(file *lang.File) *lang.Diagnostic {
	for _, s := range file.Stmts {
		switch s := bare(s).(type) {
		case *lang.Command:
			head, ok := s.Head.(*lang.Word)
			if ok && w.verbs[head.Name] == nil && w.sheets[head.Name] != nil {
				return errAt(s.Span, "%s cannot be declared in the middle of a turn: declare it before the scene", aOrAn(head.Name))
			}
		case *lang.ExprStmt, *lang.Say, *lang.Let, *lang.Assign, *lang.If, *lang.For, *lang.While, *lang.Repeat, *lang.Block, *lang.Expect, *lang.Bad:
		default:
			return errAt(s.Range(), "a turn takes commands, not declarations: put this before the scene")
		}
	}
	return nil
}

// Acts says whether a text has a command in it: one that only shows or sets values is
// not what a turn is for.
func (w *World) Acts(file *lang.File) bool {
	acts := false
	for _, s := range file.Stmts {
		lang.Walk(s, func(n lang.Node) bool {
			if cmd, ok := n.(*lang.Command); ok {
				head, ok := cmd.Head.(*lang.Word)
				acts = acts || ok && w.verbs[head.Name] != nil
			}
			return !acts
		})
	}
	return acts
}

// HasVerb says whether there is a verb of that name.
func (w *World) HasVerb(name string) bool { return w.verbs[name] != nil }

// Written gives the name of an instance as it is written in a command.
func (w *World) Written(off int) (string, bool) {
	e := w.byOff[off]
	switch {
	case e == nil:
		return "", false
	case e.owner == nil:
		return quoteName(e.name), true
	case isName(e.name) && strings.ToUpper(e.name) == e.name:
		return e.name, true
	}
	return `"` + e.name + `"`, true
}

// Covers gives the rule of one parameter that lists whom a word such as heroes stands
// for, or the instances that a name stands for.
func (w *World) Covers(who string) (list *code.Func, offs []int, ok bool) {
	name := display(strings.Trim(who, `"`))
	if e := w.entities[name]; e != nil {
		return nil, []int{e.off}, true
	}
	if g := w.groups[name]; g != nil {
		for _, e := range g {
			offs = append(offs, e.off)
		}
		return nil, offs, true
	}
	if r := (&fn{w: w}).noun(who); r != nil {
		return w.Prog.Slots[r.slot], nil, true
	}
	return nil, nil, false
}

// WhoWords lists what Covers knows.
func (w *World) WhoWords() []string {
	var out []string
	for _, x := range w.names() {
		out = append(out, x.Text)
	}
	for _, n := range ruleNames(w) {
		if (&fn{w: w}).noun(n) != nil {
			out = append(out, n)
		}
	}
	return out
}

// pick is what a picker in a command stands for: "any foe" is words of the text and a
// value that is worked out.
type pick struct {
	at lang.Span
	n  *node
}

// says resolves what entries of tactics would do: the list of the commands whose
// conditions hold, each as a list of pieces of text and of values picked in between.
func (f *fn) says(at lang.Span, entries []*lang.Tactic) *node {
	body := f.mk(nSeq, at)
	acc := f.hidden(1)
	local := func() *node {
		n := f.mk(nLocal, at)
		n.a = acc
		return n
	}
	set := func(v *node) *node {
		n := f.mk(nSet, at, v)
		n.a = acc
		return n
	}
	body.kids = append(body.kids, set(f.constant(value.EmptyList, at)))
	for _, e := range entries {
		add := f.mk(nBuiltin, e.Span, local(), f.pieces(e.Do))
		add.a = code.BuiltinIndex("with")
		step := set(add)
		if e.When != nil {
			step = f.mk(nIf, e.Span, f.expr(e.When), step, nil)
		}
		body.kids = append(body.kids, step)
	}
	body.kids = append(body.kids, f.mk(nReturn, at, local()))
	return body
}

// pieces gives a command as a list of texts and picked values.
func (f *fn) pieces(cmd *lang.Command) *node {
	f.picks = map[int32]pick{}
	f.command(cmd)
	picks := f.picks
	f.picks = nil
	n := f.mk(nList, cmd.Span)
	put := func(text string) {
		n.kids = append(n.kids, f.constant(f.w.Heap.OfText(strings.Join(strings.Fields(text), " ")), cmd.Span))
	}
	at := cmd.Start
	for _, start := range slices.Sorted(maps.Keys(picks)) {
		p := picks[start]
		if p.at.Start < at {
			continue
		}
		put(cmd.Src.Text[at:p.at.Start])
		n.kids = append(n.kids, p.n)
		at = p.at.End
	}
	put(cmd.Src.Text[at:cmd.End])
	return n
}

// picked notes what a picker of a command stands for, where that is asked.
func (f *fn) picked(from, to lang.Span, n *node) {
	if f.picks != nil {
		f.picks[from.Start] = pick{lang.Span{Src: from.Src, Start: from.Start, End: to.End}, n}
	}
}
