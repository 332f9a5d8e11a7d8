// Code generated from tree.go by go test ./lang -run Parts -update. DO NOT EDIT.

package lang

import "fmt"

// within notes the nodes that a node has in it.
func (w *walker) within(n Node) {
	switch n := n.(type) {
	case *File:
		for i := range n.Stmts {
			w.any(n.Stmts[i])
		}
	case *Block:
		for i := range n.Stmts {
			w.any(n.Stmts[i])
		}
	case *Use:
		one(w, &n.Name)
		each(w, n.With)
	case *Setting:
		one(w, &n.Name)
		w.any(n.Value)
	case *Include:
		one(w, n.Path)
	case *Cast:
		one(w, n.Path)
	case *System:
		one(w, &n.Name)
		one(w, n.Base)
		one(w, n.Doc)
		one(w, n.By)
		one(w, n.Licence)
	case *Spans:
		each(w, n.Names)
	case *StandIn:
		one(w, &n.Sheet)
		w.any(n.Name)
	case *Option:
		one(w, &n.Name)
		for i := range n.Values {
			w.any(n.Values[i])
		}
		one(w, n.Doc)
		for i := range n.Docs {
			one(w, n.Docs[i])
		}
	case *Words:
		one(w, &n.Name)
		one(w, n.Doc)
		for i := range n.Values {
			w.any(n.Values[i])
		}
		for i := range n.Docs {
			one(w, n.Docs[i])
		}
	case *Remove:
		one(w, &n.Kind)
		one(w, &n.Name)
		one(w, n.Of)
	case *Annotated:
		one(w, n.Doc)
		w.any(n.Stmt)
	case *Table:
		one(w, &n.Name)
		each(w, n.Params)
		one(w, n.Doc)
		each(w, n.Rows)
	case *Row:
		for i := range n.Patterns {
			w.any(n.Patterns[i])
		}
		w.any(n.Value)
	case *Sheet:
		one(w, &n.Name)
		one(w, n.Base)
		one(w, n.Doc)
		w.any(n.Out)
		for i := range n.Fields {
			one(w, n.Fields[i])
		}
		one(w, n.Summary)
		one(w, n.Reserves)
	case *Summary:
		each(w, n.Entries)
		w.any(n.When)
	case *Field:
		one(w, &n.Name)
		one(w, &n.Type.Name)
		each(w, n.Type.OneOf)
		w.any(n.Type.Range)
		one(w, n.Type.Of)
		w.any(n.Default)
		one(w, n.Per)
		one(w, n.As)
		each(w, n.Needed)
		one(w, n.Doc)
	case *Rule:
		one(w, &n.Name)
		each(w, n.Params)
		one(w, n.Doc)
		w.any(n.Value)
		one(w, n.Body)
	case *Param:
		one(w, &n.Name)
		w.any(n.Default)
	case *Verb:
		one(w, &n.Name)
		for i := range n.Pattern {
			w.any(n.Pattern[i])
		}
		one(w, n.Doc)
		for i := range n.Clauses {
			w.any(n.Clauses[i])
		}
		one(w, n.Do)
	case *ClauseSet:
		one(w, &n.Name)
		each(w, n.Params)
		one(w, n.Base)
		one(w, n.Doc)
		for i := range n.Clauses {
			w.any(n.Clauses[i])
		}
	case *Clause:
		one(w, &n.Name)
		one(w, n.Doc)
		for i := range n.Pattern {
			w.any(n.Pattern[i])
		}
		for i := range n.Nested {
			w.any(n.Nested[i])
		}
	case *Needs:
		w.any(n.Cond)
		each(w, n.Excludes)
		w.any(n.Text)
		one(w, n.At)
	case *Uses:
		one(w, &n.Set)
		one(w, &n.As)
		each(w, n.Args)
	case *PatSlot:
		one(w, &n.Name)
		one(w, &n.Type.Name)
		each(w, n.Type.OneOf)
		w.any(n.Type.Range)
		one(w, n.Type.Of)
		w.any(n.Default)
	case *PatOpt:
		for i := range n.Pattern {
			w.any(n.Pattern[i])
		}
	case *Feature:
		one(w, &n.Name)
		each(w, n.Params)
		one(w, n.Doc)
		one(w, &n.On)
		for i := range n.Fields {
			one(w, n.Fields[i])
		}
		for i := range n.Body {
			w.any(n.Body[i])
		}
	case *Hook:
		one(w, &n.Name)
		each(w, n.Params)
		one(w, n.Doc)
	case *Decision:
		one(w, &n.Name)
		one(w, n.Doc)
		one(w, n.By)
		one(w, n.From)
		one(w, n.Default)
		one(w, n.Manner)
	case *Handler:
		one(w, &n.Hook)
		each(w, n.Params)
		w.any(n.When)
		one(w, n.Body)
	case *Goal:
		one(w, &n.Name)
		each(w, n.Params)
		one(w, n.Doc)
		each(w, n.After)
		w.any(n.Value)
	case *Check:
		one(w, &n.Name)
		one(w, &n.Of)
		one(w, n.Doc)
		one(w, n.Body)
	case *Test:
		one(w, n.Name)
		one(w, n.After)
		one(w, n.Body)
	case *Tactics:
		for i := range n.Who {
			w.any(n.Who[i])
		}
		each(w, n.Entries)
	case *Tactic:
		w.any(n.When)
		one(w, n.Do)
		one(w, n.On)
		w.any(n.Answer)
	case *Command:
		w.any(n.Who)
		w.any(n.Head)
		for i := range n.Args {
			w.any(n.Args[i].Expr)
		}
		one(w, n.Block)
	case *Let:
		one(w, &n.Name)
		w.any(n.Value)
	case *Assign:
		w.any(n.Target)
		w.any(n.Value)
		w.any(n.As)
		w.any(n.Note)
	case *If:
		w.any(n.Cond)
		one(w, n.Then)
		w.any(n.Else)
	case *For:
		one(w, &n.Var)
		w.any(n.In)
		w.any(n.Where)
		one(w, n.Body)
	case *While:
		w.any(n.Cond)
		one(w, n.Body)
	case *Repeat:
		w.any(n.Count)
		one(w, n.Body)
	case *Return:
		w.any(n.Value)
	case *Say:
		w.any(n.Text)
		w.any(n.At)
	case *Offer:
		one(w, &n.Name)
		w.any(n.To)
		w.any(n.Prompt)
		w.any(n.Cost)
		one(w, n.Field)
		w.any(n.Payer)
		w.any(n.When)
		w.any(n.Answer)
		w.any(n.Default)
		w.any(n.Usual)
		one(w, n.Body)
		one(w, n.Else)
	case *Signal:
		one(w, &n.Hook)
		for i := range n.Args {
			w.any(n.Args[i])
		}
		w.any(n.To)
	case *Show:
		one(w, &n.Kind)
		w.any(n.Label)
		w.any(n.By)
		one(w, n.Body)
	case *Outcome:
		w.any(n.Value)
		each(w, n.Fields)
	case *Named:
		one(w, &n.Name)
		w.any(n.Value)
	case *Boundary:
		one(w, &n.Name)
		w.any(n.Title)
	case *RunBlock:
		w.any(n.For)
	case *Act:
		w.any(n.Who)
		w.any(n.Until)
	case *Expect:
		w.any(n.Cond)
		one(w, n.Text)
	case *Report:
		for i := range n.Values {
			one(w, n.Values[i])
		}
	case *Reported:
		w.any(n.Value)
		w.any(n.As)
	case *ExprStmt:
		w.any(n.X)
	case *Text:
		for i := range n.Parts {
			w.any(n.Parts[i])
		}
	case *Rated:
		w.any(n.X)
		w.any(n.Rating)
	case *List:
		for i := range n.Elems {
			w.any(n.Elems[i])
		}
	case *Map:
		for i := range n.Keys {
			w.any(n.Keys[i])
		}
		for i := range n.Values {
			w.any(n.Values[i])
		}
	case *Applied:
		w.any(n.Head)
		for i := range n.Args {
			w.any(n.Args[i])
		}
	case *Range:
		w.any(n.Lo)
		w.any(n.Hi)
	case *Unary:
		w.any(n.X)
	case *Binary:
		w.any(n.X)
		w.any(n.Y)
	case *Cond:
		w.any(n.C)
		w.any(n.A)
		w.any(n.B)
	case *Call:
		w.any(n.Fn)
		for i := range n.Args {
			w.any(n.Args[i])
		}
	case *Dot:
		w.any(n.X)
		one(w, &n.Name)
	case *Index:
		w.any(n.X)
		w.any(n.I)
	case *Throw:
		w.any(n.Dice)
		w.any(n.For)
		w.any(n.Named)
	case *Choose:
		one(w, &n.Name)
		w.any(n.By)
		w.any(n.From)
		w.any(n.Prompt)
		w.any(n.Answer)
		w.any(n.Default)
		w.any(n.Usual)
	case *Comp:
		w.any(n.Yield)
		one(w, &n.Var)
		w.any(n.In)
		w.any(n.Where)
	case *New:
		one(w, &n.Sheet)
		each(w, n.Fields)
	case *Paren:
		w.any(n.X)
	case *Comment, *Ident, *BlockClause, *PatWord, *Jump, *Bad, *Num, *Lit, *Dice, *Word, *Caps, *Name, *NoneRefused:
	default:
		panic(fmt.Sprintf("lang: Walk does not know %T", n))
	}
}
