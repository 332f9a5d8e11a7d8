// Code generated from tree.go by go test ./lang -run Parts -update. DO NOT EDIT.

package lang

func (n *File) within(w *walker) {
	for i := range n.Stmts {
		w.any(n.Stmts[i])
	}
}

func (n *Block) within(w *walker) {
	for i := range n.Stmts {
		w.any(n.Stmts[i])
	}
}

func (n *Use) within(w *walker) {
	one(w, &n.Name)
	each(w, n.With)
}

func (n *Setting) within(w *walker) {
	one(w, &n.Name)
	w.any(n.Value)
}

func (n *Include) within(w *walker) {
	one(w, n.Path)
}

func (n *Cast) within(w *walker) {
	one(w, n.Path)
}

func (n *System) within(w *walker) {
	one(w, &n.Name)
	one(w, n.Base)
	one(w, n.Doc)
	one(w, n.By)
	one(w, n.Licence)
}

func (n *Spans) within(w *walker) {
	each(w, n.Names)
}

func (n *StandIn) within(w *walker) {
	one(w, &n.Sheet)
	w.any(n.Name)
}

func (n *Option) within(w *walker) {
	one(w, &n.Name)
	for i := range n.Values {
		w.any(n.Values[i])
	}
	one(w, n.Doc)
	for i := range n.Docs {
		one(w, n.Docs[i])
	}
}

func (n *Words) within(w *walker) {
	one(w, &n.Name)
	one(w, n.Doc)
	for i := range n.Values {
		w.any(n.Values[i])
	}
	for i := range n.Docs {
		one(w, n.Docs[i])
	}
}

func (n *Remove) within(w *walker) {
	one(w, &n.Kind)
	one(w, &n.Name)
	one(w, n.Of)
}

func (n *Annotated) within(w *walker) {
	one(w, n.Doc)
	w.any(n.Stmt)
}

func (n *Table) within(w *walker) {
	one(w, &n.Name)
	each(w, n.Params)
	one(w, n.Doc)
	each(w, n.Rows)
}

func (n *Row) within(w *walker) {
	for i := range n.Patterns {
		w.any(n.Patterns[i])
	}
	w.any(n.Value)
}

func (n *Sheet) within(w *walker) {
	one(w, &n.Name)
	one(w, n.Base)
	one(w, n.Doc)
	w.any(n.Out)
	for i := range n.Fields {
		one(w, n.Fields[i])
	}
	one(w, n.Summary)
	one(w, n.Reserves)
	one(w, n.AtHand)
}

func (n *Summary) within(w *walker) {
	each(w, n.Entries)
	w.any(n.When)
}

func (n *Field) within(w *walker) {
	one(w, &n.Name)
	one(w, &n.Type.Name)
	each(w, n.Type.OneOf)
	w.any(n.Type.Range)
	one(w, n.Type.Of)
	w.any(n.Default)
	one(w, n.Per)
	one(w, n.As)
	w.any(n.Until)
	each(w, n.Needed)
	one(w, n.Doc)
}

func (n *Rule) within(w *walker) {
	one(w, &n.Name)
	each(w, n.Params)
	one(w, n.Doc)
	w.any(n.Value)
	one(w, n.Body)
}

func (n *Param) within(w *walker) {
	one(w, &n.Name)
	w.any(n.Default)
}

func (n *Verb) within(w *walker) {
	one(w, &n.Name)
	for i := range n.Pattern {
		w.any(n.Pattern[i])
	}
	one(w, n.Doc)
	one(w, n.As)
	for i := range n.Clauses {
		w.any(n.Clauses[i])
	}
	one(w, n.Do)
}

func (n *ClauseSet) within(w *walker) {
	one(w, &n.Name)
	each(w, n.Params)
	one(w, n.Base)
	one(w, n.Doc)
	for i := range n.Clauses {
		w.any(n.Clauses[i])
	}
}

func (n *Clause) within(w *walker) {
	one(w, &n.Name)
	one(w, n.Doc)
	for i := range n.Pattern {
		w.any(n.Pattern[i])
	}
	for i := range n.Nested {
		w.any(n.Nested[i])
	}
}

func (n *Needs) within(w *walker) {
	w.any(n.Cond)
	each(w, n.Excludes)
	w.any(n.Text)
	one(w, n.At)
}

func (n *Uses) within(w *walker) {
	one(w, &n.Set)
	one(w, &n.As)
	each(w, n.Args)
}

func (n *BlockClause) within(w *walker) {
	w.any(n.Until)
}

func (n *PatSlot) within(w *walker) {
	one(w, &n.Name)
	one(w, &n.Type.Name)
	each(w, n.Type.OneOf)
	w.any(n.Type.Range)
	one(w, n.Type.Of)
	w.any(n.Default)
}

func (n *PatOpt) within(w *walker) {
	for i := range n.Pattern {
		w.any(n.Pattern[i])
	}
}

func (n *Feature) within(w *walker) {
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
}

func (n *Hook) within(w *walker) {
	one(w, &n.Name)
	each(w, n.Params)
	one(w, n.Doc)
}

func (n *Decision) within(w *walker) {
	one(w, &n.Name)
	one(w, n.Doc)
	one(w, n.By)
	one(w, n.From)
	one(w, n.Default)
	one(w, n.Manner)
}

func (n *Handler) within(w *walker) {
	one(w, &n.Hook)
	each(w, n.Params)
	w.any(n.When)
	one(w, n.Body)
}

func (n *Goal) within(w *walker) {
	one(w, &n.Name)
	each(w, n.Params)
	one(w, n.Doc)
	each(w, n.After)
	w.any(n.Value)
}

func (n *Check) within(w *walker) {
	one(w, &n.Name)
	one(w, &n.Of)
	one(w, n.Doc)
	one(w, n.Body)
}

func (n *Test) within(w *walker) {
	one(w, n.Name)
	one(w, n.After)
	one(w, n.Body)
}

func (n *Tactics) within(w *walker) {
	for i := range n.Who {
		w.any(n.Who[i])
	}
	each(w, n.Entries)
}

func (n *Tactic) within(w *walker) {
	w.any(n.When)
	one(w, n.Do)
	one(w, n.On)
	w.any(n.Answer)
}

func (n *Command) within(w *walker) {
	w.any(n.Who)
	w.any(n.Head)
	for i := range n.Args {
		w.any(n.Args[i].Expr)
	}
	one(w, n.Block)
}

func (n *Let) within(w *walker) {
	one(w, &n.Name)
	w.any(n.Value)
}

func (n *Assign) within(w *walker) {
	w.any(n.Target)
	w.any(n.Value)
	w.any(n.As)
	w.any(n.Note)
}

func (n *If) within(w *walker) {
	w.any(n.Cond)
	one(w, n.Then)
	w.any(n.Else)
}

func (n *For) within(w *walker) {
	one(w, &n.Var)
	w.any(n.In)
	w.any(n.Where)
	one(w, n.Body)
}

func (n *While) within(w *walker) {
	w.any(n.Cond)
	one(w, n.Body)
}

func (n *Repeat) within(w *walker) {
	w.any(n.Count)
	one(w, n.Body)
}

func (n *Return) within(w *walker) {
	w.any(n.Value)
}

func (n *Say) within(w *walker) {
	w.any(n.Text)
	w.any(n.At)
}

func (n *Offer) within(w *walker) {
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
}

func (n *Signal) within(w *walker) {
	one(w, &n.Hook)
	for i := range n.Args {
		w.any(n.Args[i])
	}
	w.any(n.To)
}

func (n *Show) within(w *walker) {
	one(w, &n.Kind)
	w.any(n.Label)
	w.any(n.By)
	one(w, n.Body)
}

func (n *Outcome) within(w *walker) {
	w.any(n.Value)
	each(w, n.Fields)
}

func (n *Named) within(w *walker) {
	one(w, &n.Name)
	w.any(n.Value)
}

func (n *Boundary) within(w *walker) {
	one(w, &n.Name)
	w.any(n.Title)
	w.any(n.Secret)
}

func (n *RunBlock) within(w *walker) {
	w.any(n.For)
}

func (n *Act) within(w *walker) {
	w.any(n.Who)
	w.any(n.Until)
}

func (n *Expect) within(w *walker) {
	w.any(n.Cond)
	one(w, n.Text)
}

func (n *Report) within(w *walker) {
	for i := range n.Values {
		one(w, n.Values[i])
	}
}

func (n *Reported) within(w *walker) {
	w.any(n.Value)
	w.any(n.As)
}

func (n *ExprStmt) within(w *walker) {
	w.any(n.X)
}

func (n *Text) within(w *walker) {
	for i := range n.Parts {
		w.any(n.Parts[i])
	}
}

func (n *Rated) within(w *walker) {
	w.any(n.X)
	w.any(n.Rating)
}

func (n *List) within(w *walker) {
	for i := range n.Elems {
		w.any(n.Elems[i])
	}
}

func (n *Map) within(w *walker) {
	for i := range n.Keys {
		w.any(n.Keys[i])
	}
	for i := range n.Values {
		w.any(n.Values[i])
	}
}

func (n *Applied) within(w *walker) {
	w.any(n.Head)
	for i := range n.Args {
		w.any(n.Args[i])
	}
}

func (n *Range) within(w *walker) {
	w.any(n.Lo)
	w.any(n.Hi)
}

func (n *Unary) within(w *walker) {
	w.any(n.X)
}

func (n *Binary) within(w *walker) {
	w.any(n.X)
	w.any(n.Y)
}

func (n *Cond) within(w *walker) {
	w.any(n.C)
	w.any(n.A)
	w.any(n.B)
}

func (n *Call) within(w *walker) {
	w.any(n.Fn)
	for i := range n.Args {
		w.any(n.Args[i])
	}
}

func (n *Dot) within(w *walker) {
	w.any(n.X)
	one(w, &n.Name)
}

func (n *Index) within(w *walker) {
	w.any(n.X)
	w.any(n.I)
}

func (n *Throw) within(w *walker) {
	w.any(n.Dice)
	w.any(n.For)
	w.any(n.Named)
}

func (n *Choose) within(w *walker) {
	one(w, &n.Name)
	w.any(n.By)
	w.any(n.From)
	w.any(n.Prompt)
	w.any(n.Cost)
	one(w, n.Field)
	w.any(n.Payer)
	w.any(n.Notes)
	w.any(n.Answer)
	w.any(n.Default)
	w.any(n.Usual)
}

func (n *Comp) within(w *walker) {
	w.any(n.Yield)
	one(w, &n.Var)
	w.any(n.In)
	w.any(n.Where)
}

func (n *New) within(w *walker) {
	one(w, &n.Sheet)
	each(w, n.Fields)
}

func (n *Paren) within(w *walker) {
	w.any(n.X)
}
