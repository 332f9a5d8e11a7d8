package compile

import (
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/resolve"
	"setpiece/lang"
	"slices"
)

// GoalNames lists the names of the goals.
func GoalNames(w *decl.World) []string {
	var names []string
	for _, g := range w.Goals {
		names = append(names, g.Name)
	}
	return names
}

func (c *collector) declareGoal(s *lang.Goal) {
	if len(s.Params) > 2 {
		c.Err(decl.ErrAt(s.Params[2].Span, "SP0706", "a goal has at most two parameters: who decides, and whose command it is"))
		return
	}
	c.afters = append(c.afters, s.After...)
	g := decl.Goal{Name: s.Name.Name, Doc: decl.Plain(s.Doc), Module: c.Module, Script: c.IsScript, Params: len(s.Params), After: s.After, Value: s.Value.Range(), Tree: s.Value, At: s.Span}
	for _, p := range s.Params {
		g.Asks = append(g.Asks, p.Name)
	}
	cite := int32(c.cite)
	g.Slot = resolve.AddFunc(c.W, "goal "+g.Name, g.Params, &resolve.FnSource{Module: c.Module, Region: true, Body: func(f *resolve.Fn) *ir.Node {
		f.Cite, f.Aim = cite, true
		for _, p := range s.Params {
			f.DeclareAt(p)
		}
		return f.Mk(ir.NReturn, s.Value.Range(), f.Expr(s.Value))
	}})
	if at := slices.IndexFunc(c.W.Goals, func(o decl.Goal) bool { return o.Name == g.Name }); at >= 0 {
		if old := c.W.Goals[at]; old.Module == c.Module && !c.IsScript {
			c.Err(decl.ErrTwice("the goal "+g.Name, s.Name.Span, lang.Span{}))
			return
		}
		c.W.Goals[at] = g
	} else {
		c.W.Goals = append(c.W.Goals, g)
	}
	c.resolveCondition(g.Slot, "a goal")
}

// goalVerbs finds goals and fields that name a verb that does not exist.
func (c *collector) goalVerbs() {
	for _, v := range c.afters {
		if c.W.Verbs[v.Name] == nil {
			c.Err(decl.ErrUnknown("verb", v, decl.VerbNames(c.W)))
		}
	}
	c.afters = nil
}

// LetsAct says whether a goal names a verb that is done in a turn.
func LetsAct(w *decl.World, g decl.Goal) bool {
	return slices.ContainsFunc(g.After, func(n lang.Ident) bool {
		v := w.Verbs[n.Name]
		return v != nil && v.Who && !v.Block
	})
}
