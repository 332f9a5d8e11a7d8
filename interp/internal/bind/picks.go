package bind

import (
	"maps"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/resolve"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// says resolves what entries of tactics would do: the list of the commands whose
// conditions hold, each as a list of pieces of text and of values picked in between.
func says(f *resolve.Fn, at lang.Span, entries []*lang.Tactic) *ir.Node {
	body := f.Mk(ir.NSeq, at)
	acc := f.Hidden(1)
	local := func() *ir.Node {
		n := f.Mk(ir.NLocal, at)
		n.A = acc
		return n
	}
	set := func(v *ir.Node) *ir.Node {
		n := f.Mk(ir.NSet, at, v)
		n.A = acc
		return n
	}
	body.Kids = append(body.Kids, set(f.Constant(value.EmptyList, at)))
	for _, e := range entries {
		add := f.Mk(ir.NBuiltin, e.Span, local(), pieces(f, e.Do))
		add.A = code.BuiltinIndex("with")
		step := set(add)
		if e.When != nil {
			step = f.Mk(ir.NIf, e.Span, f.Expr(e.When), step, nil)
		}
		body.Kids = append(body.Kids, step)
	}
	body.Kids = append(body.Kids, f.Mk(ir.NReturn, at, local()))
	return body
}

// pieces gives a command as a list of texts and picked values.
func pieces(f *resolve.Fn, cmd *lang.Command) *ir.Node {
	f.Picks = map[int32]resolve.Pick{}
	command(f, cmd)
	picks := f.Picks
	f.Picks = nil
	n := f.Mk(ir.NList, cmd.Span)
	put := func(text string) {
		n.Kids = append(n.Kids, f.Constant(f.W.Heap.OfText(strings.Join(strings.Fields(text), " ")), cmd.Span))
	}
	at := cmd.Start
	for _, start := range slices.Sorted(maps.Keys(picks)) {
		p := picks[start]
		if p.At.Start < at {
			continue
		}
		put(cmd.Src.Text[at:p.At.Start])
		n.Kids = append(n.Kids, p.N)
		at = p.At.End
	}
	put(cmd.Src.Text[at:cmd.End])
	return n
}

// picked notes what a picker of a command stands for, where that is asked.
func picked(f *resolve.Fn, from, to lang.Span, n *ir.Node) {
	if f.Picks != nil {
		f.Picks[from.Start] = resolve.Pick{At: lang.Span{Src: from.Src, Start: from.Start, End: to.End}, N: n}
	}
}
