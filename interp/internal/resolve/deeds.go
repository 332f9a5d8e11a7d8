package resolve

import (
	"fmt"

	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/lang"
)

// This file finds conditions that do more than calculate: that throw dice, ask somebody or
// change something, themselves or in a rule that they call. setpiece evaluates a condition
// whenever it wants to know whether it holds: before a command, when it proposes commands,
// at Tab. What happens there would happen at times that no rule book knows.

// Deed is something that more than calculates.
type Deed struct {
	what string
	at   lang.Span
}

// Deeds finds what bodies do, in the world of one source.
type Deeds struct {
	In    Inference     // resolves rules and leaves no trace
	Rules map[int]*Deed // the first deed of a rule, by rule number; nil for none
}

// first gives the first deed of a body that rules call, with the call that leads to it.
func (d *Deeds) first(body *ir.Node) (found *Deed, call lang.Span) {
	records := ownRecords(body)
	body.Each(func(n *ir.Node) {
		if found != nil {
			return
		}
		if what := d.deed(n, records); what != "" {
			found, call = &Deed{what, n.At}, n.At
		} else if n.Op == ir.NCall {
			found, call = d.ofRule(n.A), n.At
		}
	})
	return found, call
}

// ownRecords gives the variables that only ever hold records that the body itself makes.
func ownRecords(body *ir.Node) map[int]bool {
	own := map[int]bool{}
	body.Each(func(n *ir.Node) {
		if n.Op == ir.NSet {
			made := n.Kids[0].Op == ir.NNew
			if before, known := own[n.A]; known {
				made = made && before
			}
			own[n.A] = made
		}
	})
	return own
}

// deed says what a node itself does, "" if it only calculates.
func (d *Deeds) deed(n *ir.Node, records map[int]bool) string {
	switch n.Op {
	case ir.NThrow, ir.NDraw:
		return "throws dice"
	case ir.NChoose, ir.NOffer:
		return "asks for a decision"
	case ir.NSetField:
		if on := n.Kids[0]; on.Op == ir.NLocal && records[on.A] {
			return ""
		}
		return "changes " + d.In.Of.Prog.Symbols[n.A]
	case ir.NSetCell:
		return "changes a variable of the script"
	case ir.NBoundary:
		return "begins or ends a span"
	case ir.NAct:
		return "lets somebody act"
	case ir.NOutcome:
		return "has an outcome"
	}
	return ""
}

// ofRule gives the first deed of a rule, nil if it only calculates.
func (d *Deeds) ofRule(slot int) *Deed {
	if known, ok := d.Rules[slot]; ok {
		return known
	}
	d.Rules[slot] = nil // where it calls itself
	w := d.In.scratch()
	src, ok := w.Prog.Slots[slot].Source.(*FnSource)
	if !ok || src.Body == nil {
		return nil
	}
	f := NewFn(w, src.Module)
	if body := src.Body(f); len(f.Diags) == 0 {
		d.Rules[slot], _ = d.first(body)
	}
	return d.Rules[slot]
}

// OnlyCalculates reports an expression of the source that does more. what is called so by the
// message, instead says what to do.
func (f *Fn) OnlyCalculates(n *ir.Node, what, instead string) {
	deeds := watchOf(f.W).Deeds
	if n == nil || deeds == nil {
		return
	}
	found, at := deeds.first(n)
	if found == nil {
		return
	}
	d := decl.ErrAt(at, "SP0404", "%s only looks at how things are, and this %s", what, found.what)
	d.Help = instead
	if found.at != at {
		d.Notes = append(d.Notes, lang.Note{Span: found.at, Message: fmt.Sprintf("here it %s", found.what)})
	}
	f.Err(d)
}
