package lang

import "fmt"

// Walk visits n and everything in it, from left to right. When visit returns
// false for a node, what is in that node is left out. Names that are an Ident
// are visited as *Ident, and parts such as the rows of a table as pointers into
// the tree.
func Walk(n Node, visit func(Node) bool) {
	w := walker(visit)
	w.node(n)
}

type walker func(Node) bool

// node visits n unless it is nil, which an interface may hide.
func (w walker) node(n Node) {
	if n == nil || !w(n) {
		return
	}
	switch n := n.(type) {
	case Stmt:
		w.stmt(n)
	case Expr:
		w.expr(n)
	default:
		w.part(n)
	}
}

// part visits what is neither a statement nor an expression.
func (w walker) part(n Node) {
	switch n := n.(type) {
	case *File:
		w.stmts(n.Stmts)
	case *Setting:
		w.node(&n.Name)
		w.opt(n.Value)
	case *Row:
		w.exprs(n.Patterns)
		w.opt(n.Value)
	case *Field:
		w.node(&n.Name)
		w.typ(&n.Type)
		w.opt(n.Default)
		w.ident(n.Per)
		w.ident(n.As)
		w.idents(n.Needed)
		w.text(n.Doc)
	case *Param:
		w.node(&n.Name)
		w.opt(n.Default)
	case *Clause:
		w.node(&n.Name)
		w.text(n.Doc)
		w.pattern(n.Pattern)
		w.clauses(n.Nested)
	case *Needs:
		w.opt(n.Cond)
		w.idents(n.Excludes)
		w.opt(n.Text)
		w.ident(n.At)
	case *Uses:
		w.node(&n.Set)
		w.named(n.Args)
		w.node(&n.As)
	case *PatSlot:
		w.node(&n.Name)
		w.typ(&n.Type)
		w.opt(n.Default)
	case *PatOpt:
		w.pattern(n.Pattern)
	case *Tactic:
		w.ident(n.On)
		w.opt(n.Answer)
		w.opt(n.When)
		if n.Do != nil {
			w.node(n.Do)
		}
	case *Reported:
		w.opt(n.Value, n.As)
	case *Summary:
		w.named(n.Entries)
		w.opt(n.When)
	case *Named:
		w.node(&n.Name)
		w.opt(n.Value)
	case *Ident, *BlockClause, *PatWord:
	default:
		panic(fmt.Sprintf("lang: Walk does not know %T", n))
	}
}

// typ visits the parts of a type, which is no node itself.
func (w walker) typ(t *TypeRef) {
	w.node(&t.Name)
	w.idents(t.OneOf)
	w.opt(t.Range)
	w.ident(t.Of)
}

func (w walker) stmt(s Stmt) {
	switch s := s.(type) {
	case *Use:
		w.node(&s.Name)
		for i := range s.With {
			w.node(&s.With[i])
		}
	case *Include:
		w.text(s.Path)
	case *System:
		w.node(&s.Name)
		w.ident(s.Base)
		w.text(s.Doc)
		w.text(s.By)
		w.text(s.Licence)
	case *Spans:
		w.idents(s.Names)
	case *StandIn:
		w.node(&s.Sheet)
		w.opt(s.Name)
	case *Option:
		w.node(&s.Name)
		if s.Block {
			w.text(s.Doc)
		}
		for i, v := range s.Values {
			w.opt(v)
			if s.Block {
				w.text(s.Docs[i])
			}
		}
		if !s.Block {
			w.text(s.Doc)
		}
	case *Remove:
		w.node(&s.Kind)
		w.node(&s.Name)
		w.ident(s.Of)
	case *Annotated:
		w.text(s.Doc)
		if s.Stmt != nil {
			w.node(s.Stmt)
		}
	case *Table:
		w.node(&s.Name)
		w.idents(s.Params)
		w.text(s.Doc)
		for i := range s.Rows {
			w.node(&s.Rows[i])
		}
	case *Sheet:
		w.node(&s.Name)
		w.ident(s.Base)
		w.text(s.Doc)
		w.opt(s.Out)
		for _, n := range s.parts() {
			w.node(n)
		}
	case *Rule:
		w.node(&s.Name)
		w.params(s.Params)
		w.text(s.Doc)
		w.opt(s.Value)
		w.block(s.Body)
	case *Verb:
		w.node(&s.Name)
		w.pattern(s.Pattern)
		w.text(s.Doc)
		w.clauses(s.Clauses)
		w.block(s.Do)
	case *ClauseSet:
		w.node(&s.Name)
		w.params(s.Params)
		w.ident(s.Base)
		w.text(s.Doc)
		w.clauses(s.Clauses)
	case *Feature:
		w.node(&s.Name)
		w.params(s.Params)
		w.text(s.Doc)
		w.node(&s.On)
		w.fields(s.Fields)
		w.stmts(s.Body)
	case *Hook:
		w.node(&s.Name)
		w.idents(s.Params)
		w.text(s.Doc)
	case *Decision:
		w.node(&s.Name)
		w.text(s.Doc)
		w.text(s.By)
		w.text(s.From)
		w.text(s.Default)
		w.ident(s.Manner)
	case *Handler:
		w.node(&s.Hook)
		w.idents(s.Params)
		w.opt(s.When)
		w.block(s.Body)
	case *Goal:
		w.node(&s.Name)
		w.idents(s.Params)
		w.text(s.Doc)
		w.idents(s.After)
		w.opt(s.Value)
	case *Check:
		w.node(&s.Name)
		w.node(&s.Of)
		w.text(s.Doc)
		w.block(s.Body)
	case *Test:
		w.text(s.Name)
		w.text(s.After)
		w.block(s.Body)
	case *Tactics:
		w.exprs(s.Who)
		for i := range s.Entries {
			w.node(&s.Entries[i])
		}
	case *Command:
		w.opt(s.Who)
		w.opt(s.Head)
		for i := range s.Args {
			w.opt(s.Args[i].Expr)
		}
		w.block(s.Block)
	case *Let:
		w.node(&s.Name)
		w.opt(s.Value)
	case *Assign:
		w.opt(s.Target, s.Value, s.As, s.Note)
	case *If:
		w.opt(s.Cond)
		w.block(s.Then)
		if s.Else != nil {
			w.node(s.Else)
		}
	case *For:
		w.node(&s.Var)
		w.opt(s.In, s.Where)
		w.block(s.Body)
	case *While:
		w.opt(s.Cond)
		w.block(s.Body)
	case *Repeat:
		w.opt(s.Count)
		w.block(s.Body)
	case *Return:
		w.opt(s.Value)
	case *Say:
		w.opt(s.Text, s.At)
	case *Offer:
		w.node(&s.Name)
		w.opt(s.To, s.Prompt, s.Cost)
		w.ident(s.Field)
		w.opt(s.Payer, s.When, s.Answer, s.Default)
		w.block(s.Body)
		w.block(s.Else)
	case *Signal:
		w.node(&s.Hook)
		w.exprs(s.Args)
		w.opt(s.To)
	case *Show:
		w.node(&s.Kind)
		w.opt(s.Label, s.By)
		w.block(s.Body)
	case *Outcome:
		w.opt(s.Value)
		w.named(s.Fields)
	case *Boundary:
		w.node(&s.Name)
		w.opt(s.Title)
	case *Act:
		w.opt(s.Who, s.Until)
	case *Expect:
		w.opt(s.Cond)
		w.text(s.Text)
	case *Report:
		for _, v := range s.Values {
			w.node(v)
		}
	case *ExprStmt:
		w.opt(s.X)
	case *Block:
		w.stmts(s.Stmts)
	case *RunBlock:
		w.opt(s.For)
	case *Jump, *Bad:
	default:
		panic(fmt.Sprintf("lang: Walk does not know %T", s))
	}
}

func (w walker) expr(x Expr) {
	switch x := x.(type) {
	case *Text:
		w.exprs(x.Parts)
	case *Rated:
		w.opt(x.X, x.Rating)
	case *Map:
		for i, k := range x.Keys {
			w.opt(k, x.Values[i])
		}
	case *List:
		w.exprs(x.Elems)
	case *Applied:
		w.opt(x.Head)
		w.exprs(x.Args)
	case *Range:
		w.opt(x.Lo, x.Hi)
	case *Unary:
		w.opt(x.X)
	case *Binary:
		w.opt(x.X, x.Y)
	case *Cond:
		w.opt(x.C, x.A, x.B)
	case *Call:
		w.opt(x.Fn)
		w.exprs(x.Args)
	case *Dot:
		w.opt(x.X)
		w.node(&x.Name)
	case *Index:
		w.opt(x.X, x.I)
	case *Throw:
		w.opt(x.Dice, x.For, x.Named)
	case *Choose:
		w.node(&x.Name)
		w.opt(x.By, x.From, x.Prompt, x.Answer, x.Default)
	case *Comp:
		w.comp(x)
	case *New:
		w.node(&x.Sheet)
		w.named(x.Fields)
	case *Paren:
		w.opt(x.X)
	case *Num, *Lit, *Dice, *Word, *Caps, *Name, *NoneRefused:
	default:
		panic(fmt.Sprintf("lang: Walk does not know %T", x))
	}
}

// comp visits the parts of c in the order in which they are written.
func (w walker) comp(c *Comp) {
	if c.Kind == "list" || c.Kind == "sum" {
		w.opt(c.Yield)
		w.node(&c.Var)
		w.opt(c.In, c.Where)
		return
	}
	w.node(&c.Var)
	w.opt(c.In, c.Where, c.Yield)
}

func (w walker) opt(list ...Expr) {
	for _, x := range list {
		if x != nil {
			w.node(x)
		}
	}
}

func (w walker) exprs(list []Expr) { w.opt(list...) }

func (w walker) stmts(list []Stmt) {
	for _, s := range list {
		w.node(s)
	}
}

func (w walker) block(b *Block) {
	if b != nil {
		w.node(b)
	}
}

func (w walker) text(t *Text) {
	if t != nil {
		w.node(t)
	}
}

func (w walker) ident(id *Ident) {
	if id != nil {
		w.node(id)
	}
}

func (w walker) idents(list []Ident) {
	for i := range list {
		w.node(&list[i])
	}
}

func (w walker) params(list []Param) {
	for i := range list {
		w.node(&list[i])
	}
}

func (w walker) named(list []Named) {
	for i := range list {
		w.node(&list[i])
	}
}

func (w walker) fields(list []*Field) {
	for _, f := range list {
		w.node(f)
	}
}

func (w walker) pattern(list []Pat) {
	for _, p := range list {
		w.node(p)
	}
}

func (w walker) clauses(list []ClauseItem) {
	for _, c := range list {
		w.node(c)
	}
}
