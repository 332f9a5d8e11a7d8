package compile

import (
	"slices"

	"setpiece/lang"
)

// This file finds rules that call themselves each time they are called, and so never end. Most
// of them are rules of a variant that should call what they replace:
//
//	rule difficulty(word) = difficulty(word) + 1      # base.difficulty(word) + 1

// endless warns of a rule whose body calls it whatever happens.
func (c *Script) endless(r *rule, body *node) {
	call := always(body, r.slot)
	if call == nil {
		return
	}
	d := warnAt(call.at, "%s calls itself each time, and so never ends", r.name)
	if r.base != nil {
		d.Help = "did you mean base." + text(call.at) + "?"
	}
	c.w.warn(c.module, d)
}

// always gives the call of a rule that a node makes in each run, nil if there is none.
func always(n *node, slot int) *node {
	if n == nil {
		return nil
	}
	first := func(kids ...*node) *node {
		for _, k := range kids {
			if call := always(k, slot); call != nil {
				return call
			}
		}
		return nil
	}
	switch n.op {
	case nCall:
		if call := first(n.kids...); call != nil || n.a != slot {
			return call
		}
		return n
	case nCond, nIf:
		if call := first(n.kids[0]); call != nil {
			return call
		}
		if first(n.kids[1]) != nil {
			return first(n.kids[2])
		}
	case nAnd, nOr, nElse, nFieldOr, nComp, nFor, nWhile, nRepeat:
		return first(n.kids[0]) // the rest may be left out
	case nSeq:
		for _, k := range n.kids {
			if call := first(k); call != nil {
				return call
			}
			if leaves(k) {
				return nil
			}
		}
	case nCallV, nField, nBuiltin, nBin, nNot, nNeg, nList, nRange, nIndex, nText, nThrow, nSet, nSetCell, nSetField, nReturn, nExpr, nShow:
		return first(n.kids...)
	}
	return nil
}

// leaves says whether a statement may end the body around it.
func leaves(n *node) bool {
	if n == nil {
		return false
	}
	switch n.op {
	case nReturn, nJump, nFail, nOffer, nTry:
		return true
	}
	return slices.ContainsFunc(n.kids, leaves)
}

// warning is of what is no mistake and most likely not meant.
type warning struct {
	module *Module
	d      *lang.Diagnostic
}

// warn notes a warning about a source of a module or of the script.
func (w *World) warn(m *Module, d *lang.Diagnostic) {
	w.warnings = append(slices.Clip(w.warnings), warning{m, d})
}

// WarningsIn gives the warnings about a module that the last Compile read.
func (w *World) WarningsIn(module string) lang.Diagnostics {
	return w.warned(func(m *Module) bool { return !m.script && m.Name == module })
}

func (w *World) warned(of func(m *Module) bool) lang.Diagnostics {
	var out lang.Diagnostics
	for _, x := range w.warnings {
		if of(x.module) {
			out = append(out, x.d)
		}
	}
	return out
}

// RuleReplaced says whether a rule of a name has replaced one, which is base.NAME.
func (w *World) RuleReplaced(name string) bool {
	r := w.rules[name]
	return r != nil && r.base != nil
}
