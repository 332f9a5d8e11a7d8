package compile

import (
	"slices"

	"setpiece/interp/internal/bind"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/resolve"
	"setpiece/lang"
)

// What somebody has in stock is a sheet that is filled in and that nobody plays until a script
// takes it. So a declaration of it is only kept, and a file of them is not even parsed before
// somebody asks:
//
//	stock watcher "Street Thug" "hired muscle" { solo d6; … }     in rules or a script
//	stock from "stock.rules"
//	stock "Street Thug" x3        stock Mick as "Street Thug" { … }     in a script

// isStock says whether a statement begins with the word, and no system has another meaning for it.
func (c *collector) isStock(s lang.Stmt) (*lang.Command, bool) {
	cmd, ok := lang.Bare(s).(*lang.Command)
	if !ok || cmd.Who != nil || !decl.IsWord(cmd.Head, decl.TakesStock) {
		return nil, false
	}
	return cmd, c.W.Verbs[decl.TakesStock] == nil && c.W.Sheets[decl.TakesStock] == nil
}

// keepsStock says whether a statement says what is in stock.
func (c *collector) keepsStock(s lang.Stmt) bool {
	cmd, ok := c.isStock(s)
	if !ok || len(cmd.Args) == 0 {
		return false
	}
	_, word := cmd.Args[0].Expr.(*lang.Word)
	return word
}

// takesStock says whether a statement takes something that is in stock.
func (c *collector) takesStock(s lang.Stmt) bool {
	_, ok := c.isStock(s)
	return ok && !c.keepsStock(s)
}

// declareStock keeps what a statement says is in stock, and does nothing about another.
func (c *collector) declareStock(s *lang.Command) {
	if !c.keepsStock(s) {
		return
	}
	if decl.IsWord(s.Args[0].Expr, "from") {
		c.stockFrom(s)
		return
	}
	k, d := decl.StockOf(s)
	if d != nil {
		c.slip(d)
		return
	}
	k.Module = c.Module
	if i := slices.IndexFunc(c.W.Stock, func(o *decl.Stock) bool { return o.Name == k.Name }); i >= 0 {
		if old := c.W.Stock[i]; old.At.Src == k.At.Src && !c.W.Prompt {
			c.slip(decl.ErrTwice(k.Name, k.At, old.At))
			return
		}
		c.W.Stock = slices.Delete(slices.Clone(c.W.Stock), i, i+1)
	}
	c.W.Stock = append(slices.Clip(c.W.Stock), k)
	c.inspect(k)
}

// stockFrom opens a file of stock, which is parsed when somebody asks for what is in it; at once
// where its mistakes are looked for.
func (c *collector) stockFrom(s *lang.Command) {
	if c.fsys == nil && c.IsScript {
		c.fsys, c.dir = c.W.Folder, "."
	}
	file, ok := (lang.Expr)(nil), len(s.Args) == 2 && s.Block == nil
	if ok {
		file = s.Args[1].Expr
	}
	text, named := file.(*lang.Text)
	if !ok || !named {
		c.slip(decl.ErrAt(s.Span, "SP0501", `expected a file here, as in  stock from "stock.rules"`))
		return
	}
	src := c.openFile(text, "stock from")
	if src == nil {
		c.slips++
		return
	}
	store := &decl.Store{Src: src, Module: c.Module}
	c.W.Stores = append([]*decl.Store{store}, c.W.Stores...)
	if c.eager || c.IsScript {
		c.inspectStore(store)
	}
}

// inspectStore looks for the mistakes in a file of stock.
func (c *collector) inspectStore(store *decl.Store) {
	file, diags := store.Read()
	c.Diags = append(c.Diags, diags...)
	c.slips += len(diags)
	first := map[string]lang.Span{}
	for _, s := range file.Stmts {
		k, d := decl.StockOf(s)
		switch {
		case d == nil && k == nil:
			d = decl.ErrAt(s.Range(), "SP0502", `a file of stock has only  stock SHEET "Name" { … }`)
		case k != nil && first[k.Name].Src != nil:
			d = decl.ErrTwice(k.Name, k.At, first[k.Name])
		}
		if d != nil {
			c.slip(d)
			continue
		}
		first[k.Name] = k.At
		c.inspect(k)
	}
}

// inspect has the mistakes in what is in stock reported, when all that it may name is known: it is
// laid out in a world that is thrown away.
func (c *collector) inspect(k *decl.Stock) {
	if !c.IsScript && !c.eager {
		return
	}
	c.fresh = append(c.fresh, func() {
		apart := &collector{Script: resolve.Script{W: c.W.Clone(), Module: c.Module, IsScript: true}}
		store := slices.Clone(*c.W.Store)
		apart.W.Store, apart.W.Entries = &store, nil
		delete(apart.W.Entities, k.Name) // whom the script may have taken
		delete(apart.W.Groups, k.Name)
		f := apart.scriptFn()
		name := &lang.Text{Span: k.At, Parts: []lang.Expr{&lang.Lit{Value: k.Name}}}
		f.FromStock(k, &lang.Command{Span: k.At, Head: &lang.Word{Span: k.At, Name: decl.TakesStock}, Args: []lang.Arg{{Expr: name}}})
		if len(f.Diags) == 0 {
			bind.StockTactics(f, k, name)
		}
		c.Diags = append(append(c.Diags, f.Diags...), apart.Diags...)
	})
}

// take lays out what a command takes from stock.
func (c *collector) take(f *resolve.Fn, cmd *lang.Command) *ir.Node {
	for _, store := range c.W.Stores {
		if _, diags := store.Read(); len(diags) > 0 {
			c.Diags = append(c.Diags, diags...)
			return resolve.Nothing(cmd.Span)
		}
	}
	return f.Take(cmd)
}
