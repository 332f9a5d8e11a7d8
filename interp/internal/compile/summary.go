package compile

import (
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/resolve"
	"setpiece/lang"
)

// declareSummaries makes rules of what a sheet says of itself at a glance, of its
// reserves and of what is at hand.
func (c *collector) declareSummaries(sh *decl.Sheet, s *lang.Sheet) {
	if s.Summary != nil {
		sh.Typ.Summary = c.summary(sh, s.Summary, "summary")
	}
	if s.Reserves != nil {
		sh.Typ.Reserves = c.summary(sh, s.Reserves, "reserves")
	}
	if s.AtHand != nil {
		sh.Typ.AtHand = c.summary(sh, s.AtHand, "at_hand")
	}
}

// summary makes rules of a list of values: one that gives them, in order, and perhaps one
// that says of whom they are wanted. It gives nil where a name is no field.
func (c *collector) summary(sh *decl.Sheet, s *lang.Summary, what string) *code.Summary {
	sum := &code.Summary{When: -1}
	list := &lang.List{Span: s.Span}
	for _, e := range s.Entries {
		sum.Names = append(sum.Names, e.Name.Name)
		v := e.Value
		if v == nil {
			if sh.ByName[e.Name.Name] == nil {
				c.Err(decl.ErrUnknown("field", e.Name, decl.KeysOf(sh.ByName)))
				return nil
			}
			v = &lang.Word{Span: e.Name.Span, Name: e.Name.Name}
		}
		field := ""
		if w, ok := v.(*lang.Word); ok {
			field = w.Name
		}
		sum.Fields, list.Elems = append(sum.Fields, field), append(list.Elems, v)
	}
	sum.Values = c.ofSheet(sh, what, list)
	if s.When != nil {
		sum.When = c.ofSheet(sh, what+" when", s.When)
	}
	return sum
}

// ofSheet adds a rule that works something out from the fields of an instance of a
// sheet, and gives its number.
func (c *collector) ofSheet(sh *decl.Sheet, what string, e lang.Expr) int {
	slot := resolve.AddFunc(c.W, sh.Name+" "+what, 1, &resolve.FnSource{Module: c.Module, Body: func(f *resolve.Fn) *ir.Node {
		f.Declare("self")
		f.Selves = append(f.Selves, resolve.Self{At: 0, Sheet: sh})
		return &ir.Node{Op: ir.NReturn, Kids: []*ir.Node{f.Expr(e)}, At: e.Range(), Rule: -1}
	}})
	switch what {
	case "summary", "at_hand":
		c.resolveCondition(slot, "a summary")
	case "reserves":
		c.resolveCondition(slot, "a list of reserves")
	default:
		c.resolveCondition(slot, "a condition")
	}
	return slot
}
