package resolve

import (
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Resolving turns a tree into nodes in which every name has become a place.
//
// A bare word may be many things. It is, in this order: a variable of the
// rule; a field of the sheet the text is about (in defaults, handlers, checks,
// conditions and tactics), or a rule of one parameter self about it; a
// variable of the script; an option; a rule without parameters; a word that
// some declaration uses (of an option, a table, a field); in a script, a value
// of the last outcome. Anything else is a mistake.

// Fn is a function being resolved.
type Fn struct {
	thrown    []lang.Expr // dice that are thrown where they stand, see dice.go
	amounting *lang.Comp  // the list whose dice are read as numbers, see dice.go
	held      heldKinds   // what variables have been given so far
	W         *decl.World
	Module    *decl.Module
	Rule      *decl.Rule
	Names     []Local
	Regs      int
	Selves    []Self
	Cite      int32
	Script    bool // statements of a script: variables live in the store
	Diags     lang.Diagnostics
	Block     func(b *lang.Block) *ir.Node
	Before    []*ir.Node     // to be run before the statement
	Again     bool           // it is resolved more than once: what it makes is made the first time
	Turn      bool           // it is a command of a turn, which makes nothing new
	fixed     bool           // only what is known before the script runs is wanted
	Aim       bool           // the value of a goal
	Probing   bool           // nobody sees the mistakes, only whether there are any
	made      []*decl.Entity // laid out by this function
	lets      []int          // registers of variables that let declares
	folded    []*ir.Node     // comparisons of constants, as they are written
	commands  Commands
	Coll      *Script
	Verb      *decl.Verb
	loops     int
	defaults  int // calls whose defaults are being resolved
	BlockReg  int
	Untils    []int          // functions that say whether this block is left, see decl.Verb
	Scope     int            // of the tactics that stand here, see code.Tactics
	Picks     map[int32]Pick // by place: see says; nil when nobody asks
	stacked   bool           // an annotation right above this one is the one to cite

	Refusable int              // blocks around that wait for a refusal
	Doubts    lang.Diagnostics // what conditions of clauses warn of
}

// Local is a name that a function knows.
type Local struct {
	Name  string
	At    lang.Span // of the name where it is declared, if somebody wrote it
	Reg   int
	Value func() *ir.Node            // what stands for the name, in conditions of clauses; nil: the register
	Of    func(name string) *ir.Node // what was given of a set, there
}

// Self is a sheet whose fields can be read bare: register at, or instance ent.
type Self struct {
	At    int
	Ent   *decl.Entity
	Sheet *decl.Sheet   // nil: not known
	Kinds []*decl.Sheet // without a sheet: those that it can be, none where that is not known either
	expr  *ir.Node
}

// Commands reads what goes by the declarations of rules: commands by the pattern of their
// verb, and tactics.
type Commands interface {
	Command(f *Fn, s *lang.Command) *ir.Node
	Tactics(f *Fn, s *lang.Tactics) *ir.Node
}

// NewFn begins a function of a module.
func NewFn(w *decl.World, m *decl.Module) *Fn {
	f := &Fn{W: w, Module: m, Cite: -1, BlockReg: -1}
	f.commands, _ = w.Reader.(Commands)
	f.Block = f.stmts
	return f
}

// Err notes a mistake.
func (f *Fn) Err(d *lang.Diagnostic) { f.Diags = append(f.Diags, d) }

// Declare makes a new variable and gives its register.
func (f *Fn) Declare(name string) int {
	f.Names = append(f.Names, Local{Name: name, Reg: f.Regs})
	f.Regs++
	return f.Regs - 1
}

// DeclareAt is Declare of a name that somebody wrote.
func (f *Fn) DeclareAt(id lang.Ident) int {
	reg := f.Declare(id.Name)
	f.Names[len(f.Names)-1].At = id.Span
	f.W.Refers(id.Span, id.Span)
	return reg
}

// Lookup gives what a name stands for, nil if it is not known here.
func (f *Fn) Lookup(name string) *Local {
	for i := len(f.Names) - 1; i >= 0; i-- {
		if f.Names[i].Name == name {
			return &f.Names[i]
		}
	}
	return nil
}

// Hidden reserves registers that no name reaches.
func (f *Fn) Hidden(n int) int {
	at := f.Regs
	f.Regs += n
	return at
}

// Mk makes a node.
func (f *Fn) Mk(op ir.NodeOp, at lang.Span, kids ...*ir.Node) *ir.Node {
	n := f.W.NewNode()
	n.Op, n.At, n.Kids, n.Rule = op, at, kids, f.Cite
	return n
}

// Nothing is a statement that does nothing.
func Nothing(at lang.Span) *ir.Node { return &ir.Node{Op: ir.NNothing, At: at, Rule: -1} }

// Constant makes a constant.
func (f *Fn) Constant(v ir.V, at lang.Span) *ir.Node {
	n := f.Mk(ir.NConst, at)
	n.V = v
	return n
}

// stmts resolves a block; its variables end with it.
func (f *Fn) stmts(b *lang.Block) *ir.Node {
	n := f.Mk(ir.NSeq, b.Span)
	b, diags := b.Read()
	f.Diags = append(f.Diags, diags...)
	depth := len(f.Names)
	for _, s := range b.Stmts {
		n.Kids = append(n.Kids, f.Stmt(s))
	}
	f.Names = f.Names[:depth]
	return n
}

// RuleBody resolves the body of a rule.
func (f *Fn) RuleBody(s *lang.Rule) *ir.Node {
	for _, p := range s.Params {
		f.DeclareAt(p.Name)
	}
	if f.Rule != nil && f.Rule.Self {
		f.Selves = append(f.Selves, Self{At: 0})
	}
	if s.Value != nil {
		v := f.Expr(s.Value)
		return f.Mk(ir.NReturn, s.Value.Range(), v)
	}
	return f.Block(s.Body)
}

// Handler resolves a handler; of a feature its instance comes first.
func (f *Fn) Handler(s *lang.Handler, h *decl.Hook, sh *decl.Sheet) *ir.Node {
	if sh != nil {
		f.Declare("self")
		f.Selves = append(f.Selves, Self{At: 0, Sheet: sh})
	}
	for i := range h.Params {
		if i < len(s.Params) {
			f.DeclareAt(s.Params[i])
		} else {
			f.Declare("\x00")
		}
	}
	if s.When == nil {
		return f.Block(s.Body)
	}
	return f.Mk(ir.NIf, s.When.Range(), f.Expr(s.When), f.Block(s.Body), nil)
}

// Table resolves a table: the first row that fits gives the value.
func (f *Fn) Table(s *lang.Table) *ir.Node {
	var subject []*ir.Node
	for _, p := range s.Params {
		f.DeclareAt(p)
		subject = append(subject, f.Mk(ir.NLocal, p.Span))
		subject[len(subject)-1].A = f.Regs - 1
	}
	body := f.Mk(ir.NSeq, s.Span)
	for _, r := range s.Rows {
		v := f.Mk(ir.NReturn, r.Value.Range(), f.tableWord(r.Value))
		if r.Patterns == nil {
			body.Kids = append(body.Kids, v)
			continue
		}
		var cond *ir.Node
		for _, p := range r.Patterns {
			c := f.pattern(subject, p)
			if cond == nil {
				cond = c
			} else {
				cond = f.Mk(ir.NOr, p.Range(), cond, c)
			}
		}
		body.Kids = append(body.Kids, f.Mk(ir.NIf, r.Span, cond, v, nil))
	}
	return body
}

// tableWord resolves a value in a table, where an unknown word is a word.
func (f *Fn) tableWord(e lang.Expr) *ir.Node {
	if w, ok := e.(*lang.Word); ok && f.Lookup(w.Name) == nil {
		if v, ok := Special(w.Name); ok {
			return f.Constant(v, w.Span)
		}
		if f.W.OptionNamed[w.Name] == nil && f.W.Rules[w.Name] == nil && f.W.Cells[w.Name] == 0 {
			return f.Constant(f.W.Heap.OfSymbol(w.Name), w.Span)
		}
		if f.W.Symbols[w.Name] && f.W.OptionNamed[w.Name] == nil {
			return f.Constant(f.W.Heap.OfSymbol(w.Name), w.Span)
		}
	}
	return f.Expr(e)
}

func (f *Fn) pattern(subject []*ir.Node, p lang.Expr) *ir.Node {
	if l, ok := p.(*lang.List); ok && len(subject) > 1 {
		if len(l.Elems) != len(subject) {
			f.Err(decl.ErrAt(l.Span, "SP0444", "this row has %s, and the table takes %d", decl.Things(len(l.Elems)), len(subject)))
			return f.Constant(value.No, l.Span)
		}
		var all *ir.Node
		for i, e := range l.Elems {
			if decl.IsWord(e, "any") {
				continue
			}
			c := f.patternOne(subject[i], e)
			if all == nil {
				all = c
			} else {
				all = f.Mk(ir.NAnd, e.Range(), all, c)
			}
		}
		if all == nil {
			return f.Constant(value.Yes, l.Span)
		}
		return all
	}
	if len(subject) == 0 {
		f.Err(decl.ErrAt(p.Range(), "SP0445", "a table without parameters has one row: else => VALUE"))
		return f.Constant(value.No, p.Range())
	}
	return f.patternOne(subject[0], p)
}

func (f *Fn) patternOne(subject *ir.Node, p lang.Expr) *ir.Node {
	n := f.Mk(ir.NBin, p.Range(), subject, f.tableWord(p))
	n.A = int(code.Eq)
	if _, ok := p.(*lang.Range); ok {
		n.A = int(code.In)
	}
	return ir.Fold(&f.W.Unit, n)
}

// Special gives the value of yes, no and none.
func Special(name string) (ir.V, bool) {
	switch name {
	case "yes":
		return value.Yes, true
	case "no":
		return value.No, true
	case "none":
		return value.None, true
	}
	return 0, false
}

// ---- statements ---------------------------------------------------------

// Stmt resolves a statement.
func (f *Fn) Stmt(s lang.Stmt) *ir.Node {
	f.W.Poll()
	switch s.(type) {
	case *lang.Let, *lang.Assign, *lang.If, *lang.For, *lang.While, *lang.Repeat, *lang.Say:
		return f.UnlessLeft(s.Range(), f.stmt(s))
	}
	return f.stmt(s)
}

// UnlessLeft is a statement of a script that is done unless the block that it stands in is left, see decl.Verb: then
// only what is reported and expected is still looked at.
func (f *Fn) UnlessLeft(at lang.Span, n *ir.Node) *ir.Node {
	if !f.Script || len(f.Untils) == 0 {
		return n
	}
	all := f.Mk(ir.NSeq, at)
	for _, slot := range f.Untils {
		left := f.Mk(ir.NCall, at)
		left.A = slot
		leave := f.Mk(ir.NSeq, at, f.Mk(ir.NReturn, at))
		if f.Scope > 0 {
			leave.Kids = []*ir.Node{f.EndTactics(at), leave.Kids[0]}
		}
		all.Kids = append(all.Kids, f.Mk(ir.NIf, at, left, leave, nil))
	}
	all.Kids = append(all.Kids, n)
	return all
}

// EndTactics ends the tactics that stand in a block.
func (f *Fn) EndTactics(at lang.Span) *ir.Node {
	end := f.Mk(ir.NEndTactics, at)
	end.A = f.Scope
	return end
}

func (f *Fn) stmt(s lang.Stmt) *ir.Node {
	switch s := s.(type) {
	case *lang.Annotated:
		return f.annotated(s)
	case *lang.Block:
		return f.Block(s)
	case *lang.Let:
		v := f.valueOf(s.Value)
		return f.let(s.Name, v, s.Span)
	case *lang.Assign:
		return f.assign(s)
	case *lang.If:
		return f.branches(s)
	case *lang.For:
		return f.forLoop(s)
	case *lang.While:
		return f.whileLoop(s)
	case *lang.Repeat:
		return f.repeat(s)
	case *lang.Jump:
		return f.jump(s)
	case *lang.Return:
		return f.returns(s)
	case *lang.Say:
		return f.say(s)
	case *lang.Offer:
		return f.offer(s)
	case *lang.Signal:
		return f.signal(s)
	case *lang.Show:
		return f.show(s)
	case *lang.Outcome:
		return f.outcome(s)
	case *lang.Boundary:
		return f.boundary(s)
	case *lang.RunBlock:
		return f.runBlock(s)
	case *lang.Act:
		n := f.Mk(ir.NAct, s.Span, f.Expr(s.Who), f.optional(s.Until))
		if s.Asked {
			n.A = 1
		}
		return n
	case *lang.Expect:
		return f.expect(s)
	case *lang.Report:
		return f.report(s)
	case *lang.ExprStmt:
		if f.Script {
			return f.Shown(s.Span, f.told(s.X))
		}
		return f.Mk(ir.NExpr, s.Span, f.Expr(s.X))
	case *lang.Command:
		return f.commands.Command(f, s)
	case *lang.Tactics:
		return f.commands.Tactics(f, s)
	case *lang.Test:
		return f.test(s)
	case *lang.Bad:
		return Nothing(s.Span)
	}
	f.Err(decl.ErrAt(s.Range(), "SP0448", "this belongs at the top of a file, outside all braces"))
	return Nothing(s.Range())
}

func (f *Fn) annotated(s *lang.Annotated) *ir.Node {
	old := f.Cite
	if i := f.W.Catalogue(f.Module, s.ID); i >= 0 {
		if !f.stacked {
			f.Cite = int32(i)
		}
	} else {
		f.Err(decl.ErrUnknown("rule id", lang.Ident{Span: s.IDSpan, Name: s.ID}, decl.KeysOf(f.W.Ids)))
	}
	n := Nothing(s.Span)
	if s.Stmt != nil {
		_, f.stacked = s.Stmt.(*lang.Annotated)
		n = f.Stmt(s.Stmt)
		f.stacked = false
	}
	f.Cite = old
	return n
}

func (f *Fn) branches(s *lang.If) *ir.Node {
	n := f.Mk(ir.NIf, s.Cond.Range(), f.Expr(s.Cond), f.Block(s.Then), nil)
	if s.Else != nil {
		n.Kids[2] = f.Stmt(s.Else)
	}
	return n
}

func (f *Fn) whileLoop(s *lang.While) *ir.Node {
	f.loops++
	n := f.Mk(ir.NWhile, s.Cond.Range(), f.Expr(s.Cond), f.Block(s.Body))
	f.loops--
	return n
}

func (f *Fn) repeat(s *lang.Repeat) *ir.Node {
	n := f.Mk(ir.NRepeat, s.Count.Range(), f.amount(s.Count))
	n.B = f.Hidden(2)
	f.loops++
	n.Kids = append(n.Kids, f.Block(s.Body))
	f.loops--
	return n
}

func (f *Fn) jump(s *lang.Jump) *ir.Node {
	if f.loops == 0 {
		f.Err(decl.ErrAt(s.Span, "SP0446", "there is no loop here to leave"))
	}
	n := f.Mk(ir.NJump, s.Span)
	if s.Next {
		n.A = 1
	}
	return n
}

func (f *Fn) returns(s *lang.Return) *ir.Node {
	if s.Value == nil {
		return f.Mk(ir.NReturn, s.Span)
	}
	return f.Mk(ir.NReturn, s.Span, f.Expr(s.Value))
}

func (f *Fn) show(s *lang.Show) *ir.Node {
	n := f.Mk(ir.NShow, s.Span, f.labelWord(s.Label), f.optional(s.By), nil)
	n.Info = &ir.ShowInfo{Kind: s.Kind.Name}
	n.Kids[2] = f.Block(s.Body)
	return n
}

func (f *Fn) boundary(s *lang.Boundary) *ir.Node {
	i := slices.Index(f.W.Prog.Spans, s.Name.Name)
	if i < 0 {
		f.Err(decl.ErrUnknown("span", s.Name, f.W.Prog.Spans))
		return Nothing(s.Span)
	}
	f.W.RefersTo("span", s.Name.Name, s.Name.Span)
	n := f.Mk(ir.NBoundary, s.Span)
	n.A = i
	if s.End {
		n.B = 1
	}
	n.Info = f.Hidden(3)
	if s.Title != nil {
		n.Kids = []*ir.Node{f.labelWord(s.Title), f.optional(s.Secret)}
	}
	return n
}

func (f *Fn) runBlock(s *lang.RunBlock) *ir.Node {
	if f.BlockReg < 0 {
		f.Err(decl.ErrAt(s.Span, "SP0447", "this verb takes no block; write  block  among its clauses"))
		return Nothing(s.Span)
	}
	reg := f.Mk(ir.NLocal, s.Span)
	reg.A = f.BlockReg
	n := f.Mk(ir.NRunBlock, s.Span, reg)
	switch {
	case s.For != nil:
		n.Kids = append(n.Kids, f.Expr(s.For))
	case f.Verb.Each:
		n.Kids = append(n.Kids, f.Constant(value.None, s.Span))
	}
	return n
}

func (f *Fn) report(s *lang.Report) *ir.Node {
	n := f.Mk(ir.NSeq, s.Span)
	for _, e := range s.Values {
		name := f.ReportName(e)
		ev := f.Mk(ir.NEvent, e.Span, f.told(e.Value))
		ev.Info = &ir.ReportInfo{Text: name, Column: f.Coll.columnAt(name, e.Span)}
		n.Kids = append(n.Kids, ev)
	}
	return n
}

// lastShown is the variable that holds the value shown last at a prompt.
const lastShown = "_"

// Shown shows a value. At a prompt it is kept as well. Odds are worked out without
// anybody listening, and nothing is kept there.
func (f *Fn) Shown(at lang.Span, v *ir.Node) *ir.Node {
	ev := f.Mk(ir.NEvent, at, v)
	ev.Info = &ir.ValueInfo{}
	if !f.W.Prompt || !f.W.Prog.Traced {
		return ev
	}
	keep := f.Mk(ir.NSetCell, at, v)
	keep.A = f.Cell(lastShown)
	kept := f.Mk(ir.NCell, at)
	kept.A = keep.A
	ev.Kids[0] = kept
	return f.Mk(ir.NSeq, at, keep, ev)
}

// holder notes that the variable in a cell may come to hold what  new  makes.
func holder(w *decl.World, cell int, v *ir.Node) {
	switch v.Op {
	case ir.NConst, ir.NAnd, ir.NOr, ir.NNot, ir.NNeg, ir.NText, ir.NThrow, ir.NRange:
		return
	case ir.NBin:
		if v.A != int(code.Add) { // of two lists
			return
		}
	}
	if !slices.Contains(w.Prog.Holders, cell) {
		w.Prog.Holders = append(w.Prog.Holders, cell)
	}
}

func (f *Fn) let(name lang.Ident, v *ir.Node, at lang.Span) *ir.Node {
	if f.Script {
		n := f.Mk(ir.NSetCell, at, v)
		n.A = f.Cell(name.Name)
		f.W.Refers(name.Span, f.W.Lets[name.Name])
		holder(f.W, n.A, v)
		f.holds(n, v)
		return n
	}
	n := f.Mk(ir.NSet, at, v)
	n.A = f.DeclareAt(name)
	f.lets = append(f.lets, n.A)
	f.holds(n, v)
	return n
}

// Cell gives the store word of a variable of the script, making one if need be.
func (f *Fn) Cell(name string) int {
	if at, ok := f.W.Cells[name]; ok {
		return at
	}
	at, ok := 0, false
	if f.Coll != nil {
		at, ok = f.Coll.Ahead[name]
	}
	if !ok {
		at = f.W.Reserve(1)
	}
	f.W.Cells[name] = at
	return at
}

func (f *Fn) optional(e lang.Expr) *ir.Node {
	if e == nil {
		return nil
	}
	return f.Expr(e)
}

// labelWord resolves a label, where a bare word that is no variable is itself.
func (f *Fn) labelWord(e lang.Expr) *ir.Node {
	if w, ok := e.(*lang.Word); ok && f.Lookup(w.Name) == nil {
		return f.Constant(f.W.Heap.OfText(w.Name), w.Span)
	}
	return f.Expr(e)
}

func (f *Fn) assign(s *lang.Assign) *ir.Node {
	if rated, add := f.ofTrait(s); rated != nil {
		return f.Mk(ir.NSeq, s.Span, add, f.assign(rated))
	}
	if ix, ok := s.Target.(*lang.Index); ok {
		return f.assignIndex(s, ix)
	}
	v := f.assignedValue(s)
	var keep *ir.Node
	if s.As != nil && v.Op != ir.NConst {
		// The value is shown too, and must be worked out once.
		keep = f.Mk(ir.NSet, s.Span, v)
		keep.A = f.Hidden(1)
		v = f.Mk(ir.NLocal, s.Span)
		v.A = keep.A
	}
	val := v
	if s.Op != "=" {
		val = f.Mk(ir.NBin, s.Span, f.Expr(s.Target), v)
		val.A = int(code.Add)
		if s.Op == "-=" {
			val.A = int(code.Sub)
		}
	}
	set := f.byHand(f.setTarget(s.Target, val, s.Span))
	if dot, ok := s.Target.(*lang.Dot); ok && s.Op == "=" && set.Op == ir.NSetField {
		f.setsField(set.Kids[0], dot.Name, v)
	}
	if set.Rule == code.ByHand {
		set = f.followed(set)
	}
	if s.As == nil {
		return set
	}
	shown := v
	switch s.Op {
	case "-=":
		shown = f.Mk(ir.NNeg, s.Span, v)
	case "=": // by how much that changes the total
		by := f.Mk(ir.NBin, s.Span, v, f.Expr(s.Target))
		by.A = int(code.Sub)
		changed := f.Mk(ir.NSet, s.Span, by)
		changed.A = f.Hidden(1)
		shown = f.Mk(ir.NLocal, s.Span)
		shown.A = changed.A
		set = f.Mk(ir.NSeq, s.Span, changed, set)
	}
	if keep != nil {
		return f.Mk(ir.NSeq, s.Span, keep, set, f.part(shown, s))
	}
	return f.Mk(ir.NSeq, s.Span, set, f.part(shown, s))
}

// byHand marks what a script sets outside of its own rules.
func (f *Fn) byHand(set *ir.Node) *ir.Node {
	if f.Script && set.Op == ir.NSetField && set.Rule < 0 {
		set.Rule = code.ByHand
	}
	return set
}

// part tells of a named part of a total.
func (f *Fn) part(v *ir.Node, s *lang.Assign) *ir.Node {
	note := f.Constant(value.None, s.Span)
	if s.Note != nil {
		note = f.Expr(s.Note)
	}
	n := f.Mk(ir.NEvent, s.Span, v, f.labelWord(s.As), note)
	n.Info = &ir.PartInfo{}
	return n
}

func (f *Fn) setTarget(t lang.Expr, v *ir.Node, at lang.Span) *ir.Node {
	switch t := t.(type) {
	case *lang.Word:
		return f.setWord(t, v, at)
	case *lang.Dot:
		if v, ok := t.X.(*lang.Word); ok && v.Name == "last" && f.Lookup("last") == nil {
			f.Err(decl.ErrAt(t.Span, "SP0449", "last cannot be changed"))
			return Nothing(at)
		}
		sym, ok := f.W.FieldSyms[t.Name.Name]
		if !ok {
			if !slices.ContainsFunc(f.Diags, func(d *lang.Diagnostic) bool { return d.Span == t.Name.Span }) {
				f.Err(decl.ErrUnknown("field", t.Name, decl.KeysOf(f.W.FieldSyms))) // it has not been reported where += reads it
			}
			return Nothing(at)
		}
		n := f.Mk(ir.NSetField, at, f.subject(t.X), v)
		n.A = sym
		f.refersToFieldOf(n.Kids[0], t.Name.Name, t.Name.Span)
		f.checkField(n.Kids[0], t.Name)
		return n
	}
	f.Err(decl.ErrAt(t.Range(), "SP0451", "this cannot be set"))
	return Nothing(at)
}

// checkField finds a field that a known instance does not have.
func (f *Fn) checkField(obj *ir.Node, name lang.Ident) {
	e := f.EntityOf(obj)
	if e == nil || e.Sheet.ByName[name.Name] != nil {
		return
	}
	d := decl.ErrAt(name.Span, "SP0452", "%s has no %s", decl.QuoteName(e.Name), name.Name)
	var names []string
	for _, fd := range e.Sheet.Fields {
		names = append(names, fd.Name)
	}
	decl.Suggest(d, name.Name, names)
	f.Err(d)
}

func (f *Fn) setWord(t *lang.Word, v *ir.Node, at lang.Span) *ir.Node {
	if l := f.Lookup(t.Name); l != nil {
		n := f.Mk(ir.NSet, at, v)
		n.A = l.Reg
		f.W.Refers(t.Span, l.At)
		f.holds(n, v)
		return n
	}
	if obj, fd := f.selfField(t.Name); fd >= 0 {
		f.refersToFieldOf(obj, t.Name, t.Span)
		n := f.Mk(ir.NSetField, at, obj, v)
		n.A = fd
		return n
	}
	if c, ok := f.W.Cells[t.Name]; ok && f.SeesScript() {
		n := f.Mk(ir.NSetCell, at, v)
		n.A = c
		f.W.Refers(t.Span, f.W.Lets[t.Name])
		holder(f.W, c, v)
		f.holds(n, v)
		return n
	}
	d := decl.ErrAt(t.Span, "SP0453", "there is no variable %s to set", t.Name)
	d.Help = "a new one begins with  let " + t.Name + " = …"
	var names []string
	for _, l := range f.Names {
		names = append(names, l.Name)
	}
	if near, ok := lang.Nearest(t.Name, append(names, decl.KeysOf(f.W.Cells)...)); ok {
		d.Help = "did you mean " + near + "? a new variable begins with  let"
	}
	f.Err(d)
	return Nothing(at)
}

// assignIndex is x[k] = v: the map in x with k holding v goes back into x.
func (f *Fn) assignIndex(s *lang.Assign, ix *lang.Index) *ir.Node {
	k, v := f.key(ix), f.valueOf(s.Value)
	f.Keyed(k)
	old := f.Expr(ix.X)
	if s.Op != "=" {
		v = f.Mk(ir.NBin, s.Span, f.Mk(ir.NIndex, ix.Span, old, k), v)
		v.A = int(code.Add)
		if s.Op == "-=" {
			v.A = int(code.Sub)
		}
	}
	p := f.Mk(ir.NBuiltin, s.Span, old, k, v)
	p.A = code.BuiltinIndex("put")
	set := f.byHand(f.setTarget(ix.X, p, s.Span))
	if dot, ok := ix.X.(*lang.Dot); ok && s.Op == "=" && set.Op == ir.NSetField {
		f.setsEntry(set.Kids[0], dot.Name, v)
	}
	return set
}

func (f *Fn) forLoop(s *lang.For) *ir.Node {
	if f.nounIn(s.In) != nil {
		return f.forThose(s)
	}
	n := f.Mk(ir.NFor, s.Span, f.Expr(s.In), nil, nil)
	n.B = f.Hidden(2)
	depth := len(f.Names)
	if f.Script {
		n.A, n.Info = -1, f.Cell(s.Var.Name)
	} else {
		n.A = f.DeclareAt(s.Var)
	}
	n.Kids[1] = f.optional(s.Where)
	f.loops++
	n.Kids[2] = f.Block(s.Body)
	f.loops--
	f.Names = f.Names[:depth]
	return n
}

// forThose is a loop over those whom a rule lists, such as heroes. Whoever comes meanwhile is in it, too, and
// whoever is not among them any more when it would come to them is passed over.
func (f *Fn) forThose(s *lang.For) *ir.Node {
	at, depth := s.In.Range(), len(f.Names)
	seen := &lang.Word{Span: at, Name: "(seen)"}
	register := f.Declare(seen.Name)
	remember := func(list *ir.Node) *ir.Node {
		n := f.Mk(ir.NSet, at, list)
		n.A = register
		return n
	}
	begin := remember(f.Constant(value.EmptyList, at))
	one := &lang.Word{Span: at, Name: "(one)"}
	left := &lang.Comp{
		Span: at, Kind: "list", Var: lang.Ident{Name: one.Name}, In: s.In, Yield: one,
		Where: &lang.Unary{Span: at, Op: "not", X: &lang.Binary{Span: at, Op: "in", OpAt: at, X: one, Y: seen}},
	}
	some := f.Mk(ir.NNot, at, f.Builtin(code.BuiltinIndex("empty"), []*ir.Node{f.Expr(left)}, at))
	next := f.Mk(ir.NSet, at, f.Builtin(code.BuiltinIndex("first"), []*ir.Node{f.Expr(left)}, at))
	if f.Script {
		next.Op, next.A = ir.NSetCell, f.Cell(s.Var.Name)
	} else {
		next.A = f.DeclareAt(s.Var)
	}
	name := &lang.Word{Span: at, Name: s.Var.Name}
	note := remember(f.Builtin(code.BuiltinIndex("with"), []*ir.Node{f.Expr(seen), f.Expr(name)}, at))
	where := f.optional(s.Where)
	f.loops++
	body := f.Block(s.Body)
	f.loops--
	if where != nil {
		body = f.Mk(ir.NIf, s.Where.Range(), where, body, nil)
	}
	f.Names = f.Names[:depth]
	return f.Mk(ir.NSeq, s.Span, begin, f.Mk(ir.NWhile, at, some, f.Mk(ir.NSeq, s.Span, next, note, body)))
}

func (f *Fn) say(s *lang.Say) *ir.Node {
	t := f.told(s.Text)
	if s.Kind == "refuse" {
		n := f.Mk(ir.NFail, s.Span, t)
		n.Info = &code.FailInfo{Kind: code.Refused, Clause: lastName(s.At)}
		return n
	}
	n := f.Mk(ir.NEvent, s.Span, t)
	info := &ir.SayInfo{Kind: s.Kind}
	if s.Players && s.Kind != "note" && s.Kind != "print" {
		f.Err(decl.ErrAt(s.Span, "SP0454", "only note and print can be said to players"))
	}
	if s.Players {
		info.Told = code.ToAll
	}
	n.Info = info
	return n
}

// lastName gives the last word of a path: the clause a refusal is about.
func lastName(e lang.Expr) string {
	switch e := e.(type) {
	case *lang.Word:
		return e.Name
	case *lang.Dot:
		return e.Name.Name
	}
	return ""
}

func (f *Fn) offer(s *lang.Offer) *ir.Node {
	n := f.Mk(ir.NOffer, s.Span, f.Expr(s.To), f.question(s.Name, s.Prompt, s.To), f.optional(s.Cost), nil, f.optional(s.When), f.optional(s.Answer), f.optional(s.Default), nil, nil, nil, f.usual(s.Usual))
	info := &code.AskInfo{Name: s.Name.Name, Offer: true, Unasked: s.Unasked, Pure: saysNo(s.Default) && isPure(f.W, s.When, nil), Plain: isPure(f.W, s.Prompt, nil)}
	f.W.RefersTo("decision", s.Name.Name, s.Name.Span)
	n.Info = info
	if info.Pure {
		n.Kids[9] = f.ahead(s.To)
	}
	n.B = f.Hidden(2)
	if s.Cost != nil {
		n.A, n.Kids[3] = f.price(info, s.Field, n.Kids[0], s.Payer)
	}
	n.Kids[7] = f.Block(s.Body)
	if s.Else != nil {
		n.Kids[8] = f.Block(s.Else)
	}
	return n
}

// price resolves in which field a question costs something, and whose: whoever is asked pays where
// nobody else does.
func (f *Fn) price(info *code.AskInfo, field *lang.Ident, asked *ir.Node, payer lang.Expr) (sym int, pays *ir.Node) {
	sym, ok := f.W.FieldSyms[field.Name]
	if !ok {
		f.Err(decl.ErrUnknown("field", *field, decl.KeysOf(f.W.FieldSyms)))
	}
	info.Cost = field.Name
	if payer == nil {
		return sym, asked
	}
	return sym, f.Expr(payer)
}

// notes resolves what is said behind each option: only people read it.
func (f *Fn) notes(list lang.Expr) *ir.Node {
	if list != nil && !isPure(f.W, list, nil) {
		f.Err(decl.ErrAt(list.Range(), "SP0461", "what is said of the options is a value: no dice, no decisions, and no rules in braces"))
	}
	return f.optional(list)
}

// usual resolves when a question is not put to people at a quiet table. That must change nothing: where
// nobody is asked it is not looked at.
func (f *Fn) usual(when lang.Expr) *ir.Node {
	if when != nil && !isPure(f.W, when, nil) {
		f.Err(decl.ErrAt(when.Range(), "SP0459", "what makes a question usual is a value: no dice, no decisions, and no rules in braces"))
	}
	return f.optional(when)
}

// question resolves what an offer asks: where it says nothing, what the decision of that name asks.
func (f *Fn) question(name lang.Ident, prompt, asked lang.Expr) *ir.Node {
	if t, ok := prompt.(*lang.Text); prompt != nil && !(ok && len(t.Parts) == 0) {
		return f.Expr(prompt)
	}
	if n := f.decided(name, asked); n != nil {
		return n
	}
	if prompt != nil {
		return f.Expr(prompt)
	}
	d := decl.ErrAt(name.Span, "SP0455", "%s asks nothing", name.Name)
	d.Help = "write the question after who is asked, as  \"Again?\",  or in a line  decision " + name.Name + " \"Again?\""
	f.Err(d)
	return f.Constant(f.W.Heap.OfText(""), name.Span)
}

// decided resolves what the decision of a name asks, where it is asked: the text knows what the
// rule that asks knows, and  self  is whoever is asked. It gives nil where nothing says it.
func (f *Fn) decided(name lang.Ident, asked lang.Expr) *ir.Node {
	d := f.W.Decided[name.Name]
	if d == nil || d.Doc == nil {
		return nil
	}
	before, selves := len(f.Diags), f.Selves
	if strings.Contains(decl.Text(d.Doc.Span), "self") {
		f.Selves = append(slices.Clip(selves), Self{expr: f.Expr(asked), Kinds: []*decl.Sheet{}})
	}
	n := f.Expr(d.Doc)
	f.Selves = selves
	for _, x := range f.Diags[before:] {
		x.Notes = append(x.Notes, lang.Note{Span: name.Span, Message: "this asks it, and self is whoever is asked"})
	}
	return n
}

// saysNo says whether the default of an offer is to decline it.
func saysNo(def lang.Expr) bool { return def == nil || decl.IsWord(def, "no") }

// Pure says whether an expression of a text can be left out when its value is not needed.
func Pure(w *decl.World, e lang.Expr) bool { return isPure(w, e, nil) }

// isPure says whether an expression, or the body of a rule, can be left out when its value is not
// needed: it throws nothing, asks nobody, makes nothing, sets only variables of its own, comes to
// an end, and calls only rules that are so. seen are the rules that are being looked at.
func isPure(w *decl.World, e lang.Node, seen []*decl.Rule) bool {
	ok := true
	called := func(name string) bool {
		r := w.Rules[name]
		switch {
		case r == nil:
			return name != "draw"
		case slices.Contains(seen, r):
			return true
		case r.Value != nil:
			return isPure(w, r.Value, append(seen, r))
		}
		if r.Body == nil {
			return false
		}
		body, diags := r.Body.Read()
		return len(diags) == 0 && isPure(w, body, append(seen, r))
	}
	own := map[string]bool{}
	lang.Walk(e, func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Throw, *lang.Choose, *lang.New:
			ok = false
		case *lang.Word:
			ok = ok && called(n.Name)
		case *lang.Dot:
			if r := w.Rules[n.Name.Name]; r == nil || Required(r) <= 1 && len(r.Params) >= 1 { // else a field
				ok = ok && called(n.Name.Name)
			}
		case *lang.Call:
			switch fn := n.Fn.(type) {
			case *lang.Word:
			case *lang.Dot:
				ok = ok && called(fn.Name.Name)
			default:
				ok = false // a rule that somebody hands over
			}
		case *lang.Let:
			_, field := w.FieldSyms[n.Name.Name]
			own[n.Name.Name] = !field || len(seen) == 0 || !seen[len(seen)-1].Self // else it may stand for that of self
		case *lang.Assign:
			target, is := n.Target.(*lang.Word)
			ok = ok && is && own[target.Name] && n.As == nil && n.Note == nil
		case *lang.Block, *lang.Annotated, *lang.If, *lang.For, *lang.Jump, *lang.Return:
		case lang.Stmt:
			ok = false
		}
		return ok
	})
	return ok
}

func (f *Fn) signal(s *lang.Signal) *ir.Node {
	h := f.W.Hooks[s.Hook.Name]
	if h == nil {
		f.Err(f.W.ErrNoHook(s.Hook))
		return Nothing(s.Span)
	}
	if len(s.Args) != h.Params {
		f.Err(decl.ErrAt(s.Span, "SP0704", "the hook %s has %s, not %d", h.Name, decl.Things(h.Params), len(s.Args)))
		return Nothing(s.Span)
	}
	f.W.RefersTo("moment", h.Name, s.Hook.Span)
	n := f.Mk(ir.NSignal, s.Span, f.Expr(s.To))
	n.A = h.Id
	n.B = f.Hidden(3)
	for _, a := range s.Args {
		n.Kids = append(n.Kids, f.Expr(a))
	}
	return n
}

func (f *Fn) outcome(s *lang.Outcome) *ir.Node {
	v := f.symbolOr(s.Value)
	if s.SoFar {
		return f.soFar(s, v)
	}
	n := f.Mk(ir.NOutcome, s.Span, v)
	cells := []int{f.W.LastKeys["outcome"]}
	names := []string{"outcome"}
	for _, x := range s.Fields {
		n.Kids = append(n.Kids, f.Expr(x.Value))
		at, ok := f.W.LastKeys[x.Name.Name]
		if !ok && f.Coll != nil {
			at = f.Coll.LastKey(x.Name)
		}
		f.W.RefersTo("value of the last outcome", x.Name.Name, x.Name.Span)
		cells = append(cells, at)
		names = append(names, x.Name.Name)
	}
	n.V = ir.V(len(cells))
	n.Info = &ir.OutcomeCells{Cells: cells, Info: &ir.OutcomeInfo{Names: names}}
	return n
}

// soFar shows how a check stands; only observers read it.
func (f *Fn) soFar(s *lang.Outcome, v *ir.Node) *ir.Node {
	n := f.Mk(ir.NEvent, s.Span, v)
	info := &ir.OutcomeInfo{Names: []string{"outcome"}, SoFar: true}
	for _, x := range s.Fields {
		n.Kids = append(n.Kids, f.Expr(x.Value))
		info.Names = append(info.Names, x.Name.Name)
	}
	n.Info = info
	return n
}

// symbolOr resolves an outcome: a bare word that is no variable is a word.
func (f *Fn) symbolOr(e lang.Expr) *ir.Node {
	if w, ok := e.(*lang.Word); ok && f.Lookup(w.Name) == nil {
		if v, ok := Special(w.Name); ok {
			return f.Constant(v, w.Span)
		}
		if f.W.Symbols[w.Name] {
			return f.Constant(f.W.Heap.OfSymbol(w.Name), w.Span)
		}
	}
	return f.Expr(e)
}

func (f *Fn) expect(s *lang.Expect) *ir.Node {
	info := &ir.ExpectInfo{Text: decl.Text(s.Cond.Range())}
	if s.Text != nil {
		info.Text = decl.Plain(s.Text)
	}
	if x, ok := s.Cond.(*lang.NoneRefused); ok {
		n := f.Mk(ir.NNoneRefused, x.Span)
		info.Refused = true
		n.Info = info
		return n
	}
	n := f.Mk(ir.NExpect, s.Cond.Range(), f.Expr(s.Cond))
	if b, ok := s.Cond.(*lang.Binary); ok && n.Kids[0].Op == ir.NBin {
		switch b.Op {
		case "==", "!=", "<", "<=", ">", ">=", "in":
			info.Compare = true
		}
	}
	n.Info = info
	return n
}

func (f *Fn) test(s *lang.Test) *ir.Node {
	w := f.W
	block, odds, diags := withoutOdds(s.Body)
	f.Diags = append(f.Diags, diags...)
	slot := AddFunc(w, "test "+decl.Plain(s.Name), 0, &FnSource{Module: f.Module, Region: true, Body: func(g *Fn) *ir.Node {
		g.Script = true
		return g.Block(block)
	}})
	g := NewFn(w, f.Module)
	g.Script = true
	g.Coll = f.Coll
	body := g.Block(block)
	g.ResolvedBody(body)
	f.Encloses(g)
	Generate(w, w.Prog.Slots[slot], g, body)
	t := &decl.Test{Name: decl.Plain(s.Name), At: s.Name.Span, Slot: slot, Odds: odds}
	if s.After != nil && f.Coll != nil {
		f.Coll.checkAfter(s, f.Coll.Rest)
		t.After, t.Mark = decl.Plain(s.After), f.Coll.Marks[decl.Plain(s.After)]
	}
	w.Tests = append(w.Tests, t)
	return Nothing(s.Span)
}

// withoutOdds takes the expectations about odds out of the body of a test: they
// are not about what happens, but about all that may.
func withoutOdds(b *lang.Block) (*lang.Block, []decl.OddsTest, lang.Diagnostics) {
	b, diags := b.Read()
	rest := &lang.Block{Span: b.Span}
	var odds []decl.OddsTest
	for _, s := range b.Stmts {
		if x, ok := s.(*lang.Expect); ok {
			if o, ok := aboutOdds(x); ok {
				for _, before := range rest.Stmts {
					o.Before = append(o.Before, before.Range())
				}
				odds = append(odds, o)
				continue
			}
		}
		rest.Stmts = append(rest.Stmts, s)
	}
	return rest, odds, diags
}

// Encloses takes what was found in a block that is a function of its own: mistakes, and what
// runs before the statement that has the block, in that statement's registers.
func (f *Fn) Encloses(g *Fn) {
	f.Diags = append(f.Diags, g.Diags...)
	f.Doubts = append(f.Doubts, g.Doubts...)
	f.Before = append(f.Before, g.Before...)
	f.Regs = max(f.Regs, g.Regs)
}

// aboutOdds says whether an expectation is of the form odds(CONDITION) in RANGE,
// or with another comparison.
func aboutOdds(x *lang.Expect) (decl.OddsTest, bool) {
	b, ok := x.Cond.(*lang.Binary)
	if !ok {
		return decl.OddsTest{}, false
	}
	call, ok := b.X.(*lang.Call)
	if !ok || len(call.Args) != 1 || !decl.IsWord(call.Fn, "odds") {
		return decl.OddsTest{}, false
	}
	_, outcome := call.Args[0].(*lang.Word)
	return decl.OddsTest{At: x.Cond.Range(), Of: call.Args[0].Range(), Outcome: outcome, Op: b.Op, Than: b.Y.Range()}, true
}

// SetDefault puts the computed default of a field into it.
func (f *Fn) SetDefault(fd *decl.Field, obj *ir.Node) *ir.Node {
	v := f.Expr(fd.Def)
	return &ir.Node{Op: ir.NSetField, A: fd.Sym, Kids: []*ir.Node{obj, v}, At: fd.Decl.Span, Rule: -1}
}

// Pick is what a picker in a command stands for: "any foe" is words of the text and a
// value that is worked out.
type Pick struct {
	At lang.Span
	N  *ir.Node
}
