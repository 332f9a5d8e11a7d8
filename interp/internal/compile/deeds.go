package compile

import (
	"fmt"

	"setpiece/lang"
)

// This file finds conditions that do more than calculate: that throw dice, ask somebody or
// change something, themselves or in a rule that they call. setpiece evaluates a condition
// whenever it wants to know whether it holds: before a command, when it proposes commands,
// at Tab. What happens there would happen at times that no rule book knows.

// deed is something that more than calculates.
type deed struct {
	what string
	at   lang.Span
}

// deeds finds what bodies do, in the world of one source.
type deeds struct {
	in    inference     // resolves rules and leaves no trace
	rules map[int]*deed // the first deed of a rule, by rule number; nil for none
}

// first gives the first deed of a body that rules call, with the call that leads to it.
func (d *deeds) first(body *node) (found *deed, call lang.Span) {
	records := ownRecords(body)
	body.each(func(n *node) {
		if found != nil {
			return
		}
		if what := d.deed(n, records); what != "" {
			found, call = &deed{what, n.at}, n.at
		} else if n.op == nCall {
			found, call = d.ofRule(n.a), n.at
		}
	})
	return found, call
}

// ownRecords gives the variables that only ever hold records that the body itself makes.
func ownRecords(body *node) map[int]bool {
	own := map[int]bool{}
	body.each(func(n *node) {
		if n.op == nSet {
			made := n.kids[0].op == nNew
			if before, known := own[n.a]; known {
				made = made && before
			}
			own[n.a] = made
		}
	})
	return own
}

// deed says what a node itself does, "" if it only calculates.
func (d *deeds) deed(n *node, records map[int]bool) string {
	switch n.op {
	case nThrow, nDraw:
		return "throws dice"
	case nChoose, nOffer:
		return "asks for a decision"
	case nSetField:
		if on := n.kids[0]; on.op == nLocal && records[on.a] {
			return ""
		}
		return "changes " + d.in.of.Prog.Symbols[n.a]
	case nSetCell:
		return "changes a variable of the script"
	case nBoundary:
		return "begins or ends a span"
	case nAct:
		return "lets somebody act"
	case nOutcome:
		return "has an outcome"
	}
	return ""
}

// ofRule gives the first deed of a rule, nil if it only calculates.
func (d *deeds) ofRule(slot int) *deed {
	if known, ok := d.rules[slot]; ok {
		return known
	}
	d.rules[slot] = nil // where it calls itself
	w := d.in.scratch()
	src, ok := w.Prog.Slots[slot].Source.(*fnSource)
	if !ok || src.body == nil {
		return nil
	}
	f := newFn(w, src.module)
	if body := src.body(f); len(f.diags) == 0 {
		d.rules[slot], _ = d.first(body)
	}
	return d.rules[slot]
}

// onlyCalculates reports an expression of the source that does more. what is called so by the
// message, instead says what to do.
func (f *fn) onlyCalculates(n *node, what, instead string) {
	deeds := watchOf(f.w).deeds
	if n == nil || deeds == nil {
		return
	}
	found, at := deeds.first(n)
	if found == nil {
		return
	}
	d := errAt(at, "%s only looks at how things are, and this %s", what, found.what)
	d.Help = instead
	if found.at != at {
		d.Notes = append(d.Notes, lang.Note{Span: found.at, Message: fmt.Sprintf("here it %s", found.what)})
	}
	f.err(d)
}
