package code

import (
	"sort"

	"setpiece/lang"
)

// Inlined tells which instructions of a function stand in the place of a call of a rule, and
// do what the rule does. Whoever tells where a run stands names the rule as one at work.
type Inlined struct {
	Calls  []InlinedCall
	Ranges []InlinedRange // in order; instructions before the first are the function's own
}

// InlinedCall is a call in whose place instructions stand.
type InlinedCall struct {
	Name string    // of the rule
	At   lang.Span // of the call
	In   int32     // the call in whose place this one would stand: its number, from 1; 0: none
}

// InlinedRange says of an instruction, and of those behind it, in the place of which call they
// stand.
type InlinedRange struct {
	From int32
	In   int32 // as in InlinedCall
}

// Working visits the functions at work at an instruction, the innermost first, each with where
// it is: the rules in the place of whose calls it stands, and the function itself.
func (fn *Func) Working(pc int, visit func(name string, at lang.Span)) {
	at := fn.At[pc]
	if l := fn.Inlined; l != nil {
		behind := sort.Search(len(l.Ranges), func(k int) bool { return int(l.Ranges[k].From) > pc })
		in := int32(0)
		if behind > 0 {
			in = l.Ranges[behind-1].In
		}
		for in > 0 {
			c := &l.Calls[in-1]
			visit(c.Name, at)
			at, in = c.At, c.In
		}
	}
	visit(fn.Name, at)
}
