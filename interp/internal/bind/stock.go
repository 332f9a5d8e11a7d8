package bind

import (
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/resolve"
	"setpiece/lang"
)

// fromStock is a command that takes somebody from stock, whom n lays out: with the tactics that
// are in stock.
func fromStock(f *resolve.Fn, cmd *lang.Command, n *ir.Node) *ir.Node {
	k, name, _ := f.Taken(cmd)
	if k == nil || n.Op == ir.NNothing {
		return n
	}
	return f.Mk(ir.NSeq, cmd.Span, append(n.Kids, StockTactics(f, k, name)...)...)
}

// StockTactics gives somebody who is called name the tactics of what is in stock.
func StockTactics(f *resolve.Fn, k *decl.Stock, name lang.Expr) (all []*ir.Node) {
	for _, t := range k.Tactics {
		own := *t
		own.Who = []lang.Expr{name}
		all = append(all, tactics(f, &own))
	}
	return all
}
