package resolve

import (
	"slices"

	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/lang"
)

// Taken reads a command that takes something from stock,  stock "Street Thug" x3  or
// stock Mick as "Street Thug" { … }: what it is, nil where there is no such thing, what it is
// called here, and what the command says besides.
func (f *Fn) Taken(cmd *lang.Command) (k *decl.Stock, name lang.Expr, rest []lang.Arg) {
	if len(cmd.Args) == 0 {
		return nil, nil, nil
	}
	name, of, rest := cmd.Args[0].Expr, cmd.Args[0].Expr, cmd.Args[1:]
	if len(rest) > 1 && decl.IsWord(rest[0].Expr, "as") {
		of, rest = rest[1].Expr, rest[2:]
	}
	if k = f.W.InStock(decl.NameOf(of)); k == nil {
		name = of
	}
	return k, name, rest
}

// Take lays out what a command takes from stock.
func (f *Fn) Take(cmd *lang.Command) *ir.Node {
	k, name, _ := f.Taken(cmd)
	switch {
	case name == nil:
		d := decl.ErrAt(cmd.Span, "SP0530", "stock needs the name of what is taken")
		d.Help = `as in  stock "Name",  stock "Name" x3  or  stock Other as "Name"`
		return f.notDeclared(cmd, d)
	case k == nil:
		d := f.W.ErrNoStock(name.Range(), decl.NameOf(name))
		if ready := cmd.Args[0].Expr; ready != name && f.W.InStock(decl.NameOf(ready)) != nil {
			d.Help = "who is in stock stands after as:  stock " + decl.Source(name) + " as " + decl.Source(ready)
		}
		return f.notDeclared(cmd, d)
	}
	return f.FromStock(k, cmd)
}

// FromStock lays out what is in stock as a command wants it. What the command says of its own
// replaces what the stock says under the same word.
func (f *Fn) FromStock(k *decl.Stock, cmd *lang.Command) *ir.Node {
	sh := f.W.Sheets[k.Sheet.Name]
	if sh == nil {
		f.Err(decl.ErrUnknown("sheet", k.Sheet, decl.SheetNames(f.W)))
		return Nothing(cmd.Span)
	}
	_, name, rest := f.Taken(cmd)
	if name == nil {
		name = cmd.Args[0].Expr
	}
	f.W.Refers(name.Range(), k.At)
	as := *cmd
	as.Args = []lang.Arg{{Expr: name}}
	if len(rest) > 0 {
		if _, counts, _ := f.times(rest[0].Expr); counts {
			as.Args, rest = append(as.Args, rest[0]), rest[1:]
		}
	}
	as.Args = slices.Concat(as.Args, k.Args, rest)
	as.Block = merged(k.Entries, cmd.Block)
	return f.instances(sh, &as, cmd)
}

// merged is the block of a sheet with what another says instead.
func merged(ready, said *lang.Block) *lang.Block {
	switch {
	case ready == nil:
		return said
	case said == nil:
		return ready
	}
	own := map[string]bool{}
	for _, e := range entriesOf(said) {
		own[entryWord(e)] = true
	}
	all := *said
	all.Stmts = slices.DeleteFunc(entriesOf(ready), func(e lang.Stmt) bool { return own[entryWord(e)] })
	all.Stmts = append(all.Stmts, said.Stmts...)
	return &all
}

// entriesOf gives the entries of a sheet's block, each by itself where commas part several.
func entriesOf(b *lang.Block) (all []lang.Stmt) {
	for _, s := range b.Stmts {
		cmd, ok := lang.Bare(s).(*lang.Command)
		if !ok {
			all = append(all, s)
			continue
		}
		one := &lang.Command{Span: cmd.Span, Who: cmd.Who, Head: cmd.Head}
		for _, a := range cmd.Args {
			if a.Comma {
				all = append(all, one)
				one = &lang.Command{Span: cmd.Span, Head: a.Expr}
				continue
			}
			one.Args = append(one.Args, a)
		}
		one.Block = cmd.Block
		all = append(all, one)
	}
	return all
}

// entryWord is the word with which an entry of a sheet begins: a field or a trait.
func entryWord(s lang.Stmt) string {
	switch s := lang.Bare(s).(type) {
	case *lang.Command:
		return decl.NameOf(s.Head)
	case *lang.ExprStmt:
		return decl.NameOf(s.X)
	}
	return ""
}
