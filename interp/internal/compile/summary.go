package compile

import (
	"setpiece/interp/internal/code"
	"setpiece/lang"
)

// declareSummaries makes rules of what a sheet says of itself at a glance, and of its
// reserves.
func (c *collector) declareSummaries(sh *sheet, s *lang.Sheet) {
	if s.Summary != nil {
		sh.typ.Summary = c.summary(sh, s.Summary, "summary")
	}
	if s.Reserves != nil {
		sh.typ.Reserves = c.summary(sh, s.Reserves, "reserves")
	}
}

// summary makes rules of a list of values: one that gives them, in order, and perhaps one
// that says of whom they are wanted. It gives nil where a name is no field.
func (c *collector) summary(sh *sheet, s *lang.Summary, what string) *code.Summary {
	sum := &code.Summary{When: -1}
	list := &lang.List{Span: s.Span}
	for _, e := range s.Entries {
		sum.Names = append(sum.Names, e.Name.Name)
		v := e.Value
		if v == nil {
			if sh.byName[e.Name.Name] == nil {
				c.err(errUnknown("field", e.Name, keysOf(sh.byName)))
				return nil
			}
			v = &lang.Word{Span: e.Name.Span, Name: e.Name.Name}
		}
		list.Elems = append(list.Elems, v)
	}
	sum.Values = c.ofSheet(sh, what, list)
	if s.When != nil {
		sum.When = c.ofSheet(sh, what+" when", s.When)
	}
	return sum
}

// ofSheet adds a rule that works something out from the fields of an instance of a
// sheet, and gives its number.
func (c *collector) ofSheet(sh *sheet, what string, e lang.Expr) int {
	slot := c.w.addFunc(sh.name+" "+what, 1, &fnSource{module: c.module, body: func(f *fn) *node {
		f.declare("self")
		f.selves = append(f.selves, self{at: 0, sheet: sh})
		return &node{op: nReturn, kids: []*node{f.expr(e)}, at: e.Range(), rule: -1}
	}})
	switch what {
	case "summary":
		c.resolveCondition(slot, "a summary")
	case "reserves":
		c.resolveCondition(slot, "a list of reserves")
	default:
		c.resolveCondition(slot, "a condition")
	}
	return slot
}
