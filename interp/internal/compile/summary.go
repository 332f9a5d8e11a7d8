package compile

import (
	"setpiece/interp/internal/machine"
	"setpiece/lang"
)

// declareSummary makes rules of a sheet's summary: one that gives its values, in
// order, and perhaps one that says of whom a summary is wanted.
func (c *collector) declareSummary(sh *sheet, s *lang.Sheet) {
	if s.Summary == nil {
		return
	}
	sum := &machine.Summary{When: -1}
	list := &lang.List{Span: s.Summary.Span}
	for _, e := range s.Summary.Entries {
		sum.Names = append(sum.Names, e.Name.Name)
		v := e.Value
		if v == nil {
			if sh.byName[e.Name.Name] == nil {
				c.err(errUnknown("field", e.Name, keysOf(sh.byName)))
				return
			}
			v = &lang.Word{Span: e.Name.Span, Name: e.Name.Name}
		}
		list.Elems = append(list.Elems, v)
	}
	sum.Values = c.ofSheet(sh, "summary", list)
	if s.Summary.When != nil {
		sum.When = c.ofSheet(sh, "listed", s.Summary.When)
	}
	sh.typ.Summary = sum
}

// ofSheet adds a rule that works something out from the fields of an instance of a
// sheet, and gives its number.
func (c *collector) ofSheet(sh *sheet, what string, e lang.Expr) int {
	slot := c.w.addFunc(sh.name+" "+what, 1, &fnSource{module: c.module, body: func(f *fn) *node {
		f.declare("self")
		f.selves = append(f.selves, self{at: 0, sheet: sh})
		return &node{op: nReturn, kids: []*node{f.expr(e)}, at: e.Range(), rule: -1}
	}})
	c.resolveSoon(slot)
	return slot
}
