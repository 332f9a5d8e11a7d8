package editor

import (
	"context"
	"slices"

	"setpiece/interp"
	"setpiece/interp/vary"
)

// Number is a number or a die in a script that may be moved.
type Number struct {
	Name, Value string
	Values      []string // those around it and it, the lowest first
	At          []Place  // where it stands
}

// Numbers lists what may be moved in the first script of a document.
func (w *Workspace) Numbers(name string) (out []Number) {
	d := w.Open(name)
	if d == nil || len(d.scripts) == 0 {
		return nil
	}
	s := d.scripts[0]
	ctx, cancel := context.WithTimeout(context.Background(), checkTime())
	defer cancel()
	list, err := vary.Parameters(ctx, interp.NewSession(s.config()), s.src)
	if err != nil {
		return nil
	}
	for _, p := range list {
		up, down := vary.StepsFrom(p.Value)
		if p.Value == "" || len(up)+len(down) == 0 {
			continue
		}
		slices.Reverse(down)
		n := Number{Name: p.Name, Value: p.Value, Values: append(append(down, p.Value), up...)}
		for _, e := range p.Edits(p.Value) {
			if at, ok := w.place(d, s, e.Span); ok {
				n.At = append(n.At, at)
			}
		}
		out = append(out, n)
	}
	return out
}
