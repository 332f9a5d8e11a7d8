package resolve

import (
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/lang"
)

// FnSource is what a function is made of when it is first called.
type FnSource struct {
	Module *decl.Module
	Body   func(f *Fn) *ir.Node
	Tree   lang.Stmt // of a rule or a table, else nil
	Region bool
	Slot   int // the rule number under which it was entered
}

// AddFunc enters a function and gives its rule number.
func AddFunc(w *decl.World, name string, params int, src *FnSource) int {
	src.Slot = len(w.Prog.Slots)
	w.Prog.Slots = append(w.Prog.Slots, &code.Func{Name: name, Params: params, Region: src.Region, Source: src})
	return len(w.Prog.Slots) - 1
}

// SetFunc replaces the function of a rule number.
func SetFunc(w *decl.World, slot int, name string, params int, src *FnSource) {
	src.Slot = slot
	w.Prog.Slots[slot] = &code.Func{Name: name, Params: params, Region: src.Region, Source: src}
}
