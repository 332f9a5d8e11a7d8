package lint

import (
	"slices"

	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/resolve"
	"setpiece/lang"
)

// This file finds what a sheet of a script says for nothing, because the rules set the
// field for everybody when a span begins, and the script begins with that span:
//
//	on begins(span) when span == episode { for x in instances(hero) { x.luck = 1 } }
//
//	hero Ann { luck 3 }
//	episode { … }            # Ann has 1
//
// It is a warning and no mistake.

// settled is a field that rules set for all instances of a sheet when a span begins.
type settled struct {
	sheet, field, span string
	why                *lang.Text
}

// Overwritten warns of what sheets say of fields that are set when a span begins.
func Overwritten(c *resolve.Script, stmts []lang.Stmt) lang.Diagnostics {
	if len(c.Stated) == 0 {
		return nil
	}
	begun := begun(c, stmts)
	if len(begun) == 0 {
		return nil
	}
	all := settledFields(c.W)
	var out lang.Diagnostics
	reported, set := map[lang.Span]bool{}, assigned(stmts)
	for _, s := range c.Stated {
		k := slices.IndexFunc(all, func(x settled) bool {
			return x.field == s.Field.Name && s.Sheet.Is(x.sheet) && begun[x.span]
		})
		if k < 0 || set[s.Field.Name] || reported[s.At] { // of several alike one is reported
			continue
		}
		reported[s.At] = true
		d := decl.WarnAt(s.At, "SP0121", "this is lost when the %s begins: then the rules set %s", all[k].span, s.Name)
		if all[k].why != nil {
			d.Notes = append(d.Notes, lang.Note{Message: decl.Plain(all[k].why)})
		}
		d.Help = "set it in the " + all[k].span + ":  " + s.Name + " = " + decl.Text(s.At)
		out = append(out, d)
	}
	return out
}

// begun gives the spans that the first command of some statements begins: nothing that
// happens before it can have used what sheets say.
func begun(c *resolve.Script, stmts []lang.Stmt) map[string]bool {
	var first *decl.Verb
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			switch n := n.(type) {
			case *lang.Test, *lang.Tactics, *lang.Rule, *lang.Verb, *lang.Handler, *lang.Feature:
				return false
			case *lang.Command:
				if head, ok := n.Head.(*lang.Word); ok && first == nil {
					first = c.W.Verbs[head.Name]
				}
			}
			return first == nil
		})
	}
	if first == nil {
		return nil
	}
	begun := map[string]bool{}
	eachIn(first.Decl.Do, func(n lang.Node) {
		if b, ok := n.(*lang.Boundary); ok && !b.End {
			begun[b.Name.Name] = true
		}
	})
	return begun
}

// settledFields lists what handlers of  begins  set for all instances of a sheet, whatever holds.
func settledFields(w *decl.World) []settled {
	var out []settled
	for _, d := range w.Declared {
		for _, s := range d.Stmts {
			h, ok := lang.Bare(s).(*lang.Handler)
			if !ok || h.Hook.Name != "begins" || h.Body == nil {
				continue
			}
			span := comparedWith(h.When)
			body, _ := h.Body.Read()
			for _, s := range body.Stmts {
				loop, ok := lang.Bare(s).(*lang.For)
				if !ok || loop.Where != nil {
					continue
				}
				if sheet := instancesOf(loop.In); sheet != "" && span != "" {
					out = append(out, setFor(loop, sheet, span)...)
				}
			}
		}
	}
	return out
}

// setFor lists the fields that a loop over the instances of a sheet sets.
func setFor(loop *lang.For, sheet, span string) []settled {
	var out []settled
	for _, s := range loop.Body.Stmts {
		var why *lang.Text
		if a, ok := s.(*lang.Annotated); ok {
			why = a.Doc
		}
		set, ok := lang.Bare(s).(*lang.Assign)
		if !ok || set.Op != "=" {
			continue
		}
		if dot, ok := set.Target.(*lang.Dot); ok {
			if x, ok := dot.X.(*lang.Word); ok && x.Name == loop.Var.Name {
				out = append(out, settled{sheet, dot.Name.Name, span, why})
			}
		}
	}
	return out
}

// comparedWith gives the word that a condition compares something with:  span == episode.
func comparedWith(e lang.Expr) string {
	if x, ok := e.(*lang.Binary); ok && x.Op == "==" {
		if w, ok := x.Y.(*lang.Word); ok {
			return w.Name
		}
	}
	return ""
}

// instancesOf gives the sheet of  instances(SHEET).
func instancesOf(e lang.Expr) string {
	call, ok := e.(*lang.Call)
	if !ok || len(call.Args) != 1 {
		return ""
	}
	fn, ok := call.Fn.(*lang.Word)
	if !ok || fn.Name != "instances" {
		return ""
	}
	w, _ := call.Args[0].(*lang.Word)
	if w == nil {
		return ""
	}
	return w.Name
}

// eachIn calls see for everything in a block, unread or not.
func eachIn(b *lang.Block, see func(lang.Node)) {
	if b == nil {
		return
	}
	b, _ = b.Read()
	lang.Walk(b, func(n lang.Node) bool {
		if inner, ok := n.(*lang.Block); ok {
			if read, _ := inner.Read(); read != inner {
				eachIn(read, see)
				return false
			}
		}
		see(n)
		return true
	})
}
