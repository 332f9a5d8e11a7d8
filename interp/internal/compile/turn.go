package compile

import (
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/resolve"
	"setpiece/lang"
)

// CompileCommand compiles a text that whoever is at off does in their turn: nobody
// else need be named in it, and it may use their fields as their tactics may. It runs
// in the middle of another text, so it cannot declare anything. Below 0 it is nobody's: it is done by hand.
// With mistakes w is spoilt, and the store has to be cut back.
func CompileCommand(w *decl.World, file *lang.File, off int) (*code.Func, lang.Diagnostics) {
	e := w.ByOff[off]
	if e == nil && off >= 0 {
		return nil, lang.Diagnostics{decl.ErrAt(file.Span, "SP0733", "only a character with a sheet can get commands")}
	}
	c := &collector{Script: resolve.Script{W: w, IsScript: true}, cite: -1, cites: map[lang.Stmt]int{}}
	c.Module = &decl.Module{Name: "script", Script: true}
	if d := undeclarable(w, file); d != nil {
		return nil, lang.Diagnostics{d}
	}
	c.declare(file.Stmts)
	f := c.scriptFn()
	f.Turn = true
	if e != nil {
		f.Selves = append(f.Selves, resolve.Self{Ent: e, Sheet: e.Sheet})
	}
	body := f.Mk(ir.NSeq, file.Span)
	for _, s := range c.Rest {
		size := len(*w.Store)
		n := f.Stmt(s)
		if len(*w.Store) > size && len(f.Diags) == 0 {
			f.Err(decl.ErrAt(s.Range(), "SP0734", "a turn cannot make something new: declare a name before the scene, and write  print  before a value to see it"))
		}
		body.Kids = append(append(body.Kids, f.Before...), n)
		f.Before = nil
	}
	diags := append(c.Diags, f.Diags...)
	if len(diags) > 0 {
		return nil, diags
	}
	mf := &code.Func{Name: "turn", Region: true, Source: &resolve.FnSource{}}
	resolve.Generate(w, mf, f, body)
	return mf, nil
}

// undeclarable gives what is wrong with a text that does more than act.
func undeclarable(w *decl.World, file *lang.File) *lang.Diagnostic {
	for _, s := range file.Stmts {
		switch s := lang.Bare(s).(type) {
		case *lang.Command:
			head, ok := s.Head.(*lang.Word)
			if ok && w.Verbs[head.Name] == nil && w.Sheets[head.Name] != nil {
				return decl.ErrAt(s.Span, "SP0735", "%s cannot be declared in the middle of a turn: declare it before the scene", decl.AOrAn(head.Name))
			}
		case *lang.ExprStmt, *lang.Say, *lang.Let, *lang.Assign, *lang.If, *lang.For, *lang.While, *lang.Repeat, *lang.Block, *lang.Expect, *lang.Bad:
		default:
			return decl.ErrAt(s.Range(), "SP0736", "a turn takes commands, not declarations: put this before the scene")
		}
	}
	return nil
}
