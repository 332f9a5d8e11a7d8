package gen

import (
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// gen turns a resolved function into instructions for a register machine.
// Variables have registers of their own; above them, temporary values are kept
// like on a stack. A call finds its arguments in the registers where the
// callee's own begin, so that nothing is copied.
//
// Code for an expression is made for the register in which its value is wanted (Dybvig, Hieb
// and Butler, Destination-driven code generation, 1990). Where that is the highest temporary
// value, calls take their arguments from there on and leave the result there. A variable
// keeps its value until the new one is known, which may refer to it, or be refused.
type gen struct {
	w       *ir.Unit
	mf      *code.Func
	vars    int  // how many registers variables have
	top     int  // first free register
	guarded int  // in how many Try the code is
	begins  bool // a call of itself at its end begins it again
	loops   []*loop
	shows   []int // first registers of the groups of the transcript that are open
	traced  bool
	regions map[*ir.Node][]int      // jumps that leave a region
	leaves  func(slot int) *ir.Leaf // the rules that stand where they are called, see inline.go
	in      int32                   // in the place of which call the latest instruction stands
}

type loop struct {
	stops, nexts []int // jumps to be patched
	shows        int   // how many groups were open when it began
}

// Generate emits the instructions of a function.
func Generate(w *ir.Unit, mf *code.Func, f ir.Function, body *ir.Node) {
	g := &gen{w: w, mf: mf, regions: map[*ir.Node][]int{}, vars: f.Regs, top: f.Regs, traced: w.Prog.Traced, leaves: f.Leaves}
	mf.Regs = f.Regs
	room := w.Room
	w.Room = ir.CodeRoom{} // which nobody else takes meanwhile
	mf.Code, mf.At, mf.Rule, mf.Inlined, mf.Infos = room.Code[:0], room.At[:0], room.Rule[:0], nil, nil
	if body != nil {
		if g.begins = g.has(body, g.callsItself) && g.has(body, g.mayThrow); g.begins {
			g.head(body)
		}
		g.stmt(body)
	}
	at := lang.Span{}
	if body != nil {
		at = body.At
	}
	none := &ir.Node{Op: ir.NConst, V: value.None, At: at, Rule: -1}
	g.ret(none, none.V)
	mf.Regs += 2
	thread(mf.Code)
	clearDead(mf.Code)
	w.Room = ir.CodeRoom{Code: mf.Code, At: mf.At, Rule: mf.Rule}
	mf.Code, mf.At, mf.Rule = slices.Clone(mf.Code), slices.Clone(mf.At), slices.Clone(mf.Rule)
}

// thread makes jumps to jumps go where those go; a jump to a return returns.
func thread(ins []code.Ins) {
	for i := range ins {
		if !ins[i].Op.Jumps() {
			continue
		}
		for range 8 {
			t := &ins[ins[i].C]
			if t.Op != code.Jmp || t.C <= ins[i].C {
				break
			}
			ins[i].C = t.C
		}
		if t := ins[ins[i].C]; ins[i].Op == code.Jmp && t.Op.Returns() {
			ins[i] = t
		}
	}
}

// clearDead takes out what is never come to, since an option decides it: what is not
// there is not thought to be read, or called.
func clearDead(ins []code.Ins) {
	reached := make([]bool, len(ins))
	for todo := []int{0}; len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for ; i < len(ins) && !reached[i]; i++ {
			reached[i] = true
			if op := ins[i].Op; op.Jumps() {
				todo = append(todo, int(ins[i].C))
			}
			if !ins[i].Op.Falls() {
				break
			}
		}
	}
	for i := range ins {
		if !reached[i] {
			ins[i] = code.Ins{Op: code.Nop}
		}
	}
}

func (g *gen) temp() int {
	r := g.top
	g.top++
	if g.top > g.mf.Regs {
		g.mf.Regs = g.top
	}
	return r
}

// temps reserves n registers in a row.
func (g *gen) temps(n int) int {
	r := g.top
	g.top += n
	if g.top > g.mf.Regs {
		g.mf.Regs = g.top
	}
	return r
}

func (g *gen) emit(n *ir.Node, op code.Op, a, b, c int) int {
	g.mf.Code = append(g.mf.Code, code.Ins{Op: op, A: int32(a), B: int32(b), C: int32(c)})
	g.mf.At = append(g.mf.At, n.At)
	g.mf.Rule = append(g.mf.Rule, n.Rule)
	if n.In != g.in {
		g.in = n.In
		g.mf.Inlined.Ranges = append(g.mf.Inlined.Ranges, code.InlinedRange{From: int32(len(g.mf.Code) - 1), In: n.In})
	}
	return len(g.mf.Code) - 1
}

func (g *gen) info(x any) int {
	g.mf.Infos = append(g.mf.Infos, x)
	return len(g.mf.Infos) - 1
}

// land makes jumps end here.
func (g *gen) land(jumps ...int) {
	for _, j := range jumps {
		g.mf.Code[j].C = int32(len(g.mf.Code))
	}
}

func (g *gen) here() int { return len(g.mf.Code) }

// operand gives a register that holds n: a variable's own, or a new one.
func (g *gen) operand(n *ir.Node) int {
	if n.Op == ir.NLocal {
		return n.A
	}
	r := g.temp()
	g.expr(n, r)
	return r
}

// expr puts the value of n into register dst.
func (g *gen) expr(n *ir.Node, dst int) {
	g.w.Poll()
	mark := g.top
	switch n.Op {
	case ir.NConst:
		g.emit(n, code.LoadK, dst, int(int32(uint32(n.V))), int(int32(uint32(n.V>>32))))
	case ir.NLocal:
		g.move(n, dst, n.A)
	case ir.NCell:
		g.emit(n, code.GetAt, dst, n.A, 0)
	case ir.NField:
		g.field(n, dst)
	case ir.NFieldOr:
		g.fieldOr(n, dst)
	case ir.NCall:
		g.call(n, dst)
	case ir.NCallV:
		g.callValue(n, dst)
	case ir.NDraw:
		g.draw(n, dst)
	case ir.NBuiltin:
		g.builtin(n, dst)
	case ir.NBin:
		g.bin(n, dst)
	case ir.NNot:
		g.emit(n, code.Not, dst, g.operand(n.Kids[0]), 0)
	case ir.NNeg:
		g.emit(n, code.Neg, dst, g.operand(n.Kids[0]), 0)
	case ir.NAnd, ir.NOr:
		g.logic(n, dst)
	case ir.NCond:
		g.cond(n, dst)
	case ir.NList:
		base := g.window(n.Kids, dst)
		g.emit(n, code.MakeL, dst, base, len(n.Kids))
	case ir.NRange:
		g.emit(n, code.MakeR, dst, g.operand(n.Kids[0]), g.operand(n.Kids[1]))
	case ir.NIndex:
		g.index(n, dst)
	case ir.NText:
		base := g.window(n.Kids, dst)
		g.emit(n, code.Text, dst, base, len(n.Kids))
	case ir.NThrow:
		g.throw(n, dst)
	case ir.NChoose:
		g.choose(n, dst)
	case ir.NComp:
		g.comp(n, dst)
	case ir.NNew:
		g.record(n)
		g.emit(n, code.Move, dst, n.B, 0)
	case ir.NNeed:
		g.need(n, dst)
	case ir.NElse:
		g.orElse(n, dst)
	default:
		panic("no expression")
	}
	g.top = mark
}

func (g *gen) field(n *ir.Node, dst int) {
	if at, ok := g.static(n); ok {
		g.emit(n, code.GetAt, dst, at, 0)
		return
	}
	g.emit(n, code.GetF, dst, g.operand(n.Kids[0]), n.A)
}

func (g *gen) call(n *ir.Node, dst int) {
	if body := g.inline(n); body != nil {
		g.inPlace(n, body, dst)
		return
	}
	base := g.window(n.Kids, dst)
	g.emit(n, code.Call, base, n.A, len(n.Kids))
	g.move(n, dst, base)
}

func (g *gen) callValue(n *ir.Node, dst int) {
	base := g.window(n.Kids, dst)
	g.emit(n, code.CallV, base, 0, len(n.Kids)-1)
	g.move(n, dst, base)
}

func (g *gen) builtin(n *ir.Node, dst int) {
	if kind, ok := g.kindAsked(n); ok {
		g.emit(n, code.Is, dst, g.operand(n.Kids[0]), g.info(kind))
		return
	}
	if code.Builtins[n.A].Name == "empty" {
		g.emit(n, code.Empty, dst, g.operand(n.Kids[0]), 0)
		return
	}
	if len(n.Kids) > 0 && n.Kids[0].Op == ir.NComp && n.Kids[0].Info == "list" {
		if kind := reducedTo(n); kind != "" {
			g.compAs(n.Kids[0], dst, kind, n)
			return
		}
	}
	base := g.window(n.Kids, dst)
	g.emit(n, code.Builtin, base, n.A, len(n.Kids))
	g.move(n, dst, base)
}

func (g *gen) cond(n *ir.Node, dst int) {
	no := g.jumps(n.Kids[0], false)
	g.expr(n.Kids[1], dst)
	end := g.emit(n, code.Jmp, 0, 0, 0)
	g.land(no...)
	g.expr(n.Kids[2], dst)
	g.land(end)
}

func (g *gen) index(n *ir.Node, dst int) {
	l := g.operand(n.Kids[0])
	if i, ok := small(n.Kids[1]); ok {
		g.emit(n, code.IndexI, dst, l, i)
		return
	}
	g.emit(n, code.Index, dst, l, g.operand(n.Kids[1]))
}

func (g *gen) orElse(n *ir.Node, dst int) {
	g.expr(n.Kids[0], dst)
	some := g.emit(n, code.JmpSome, dst, 0, 0)
	g.expr(n.Kids[1], dst)
	g.land(some)
}

// kindAsked gives the kind of sheet of which an expression asks whether something is one.
func (g *gen) kindAsked(n *ir.Node) (string, bool) {
	if code.Builtins[n.A].Name != "is" || n.Kids[1].Op != ir.NConst || n.Kids[1].V.Kind() != value.Symbol {
		return "", false
	}
	return g.w.Heap.TextOf(n.Kids[1].V), true
}

// static gives the store word of a field of an instance known beforehand.
func (g *gen) static(n *ir.Node) (int, bool) {
	k := n.Kids[0]
	if k.Op != ir.NConst || k.V.Kind() != value.Ref {
		return 0, false
	}
	off := k.V.Off()
	if off >= len(*g.w.Store) {
		return 0, false
	}
	t := g.w.Prog.Types[(*g.w.Store)[off].Int()]
	if n.A >= len(t.Slots) || t.Slots[n.A] == 0 {
		return 0, false
	}
	return off + int(t.Slots[n.A]), true
}

// move copies a register to where it is not yet.
func (g *gen) move(n *ir.Node, dst, from int) {
	if dst != from {
		g.emit(n, code.Move, dst, from, 0)
	}
}

// highest says whether a register is that of the highest temporary value.
func (g *gen) highest(r int) bool { return r >= g.vars && r == g.top-1 }

// place gives dst if that is the highest temporary value, else a new one.
func (g *gen) place(dst int) int {
	if g.highest(dst) {
		return dst
	}
	return g.temp()
}

// window evaluates nodes into registers in a row, the first of which is dst if it can be.
func (g *gen) window(kids []*ir.Node, dst int) int {
	base := g.place(dst)
	for i, k := range kids {
		if i > 0 {
			g.temp()
		}
		g.expr(k, base+i)
	}
	return base
}

func (g *gen) fieldOr(n *ir.Node, dst int) {
	obj := g.operand(n.Kids[0])
	held := &ir.Node{Op: ir.NLocal, A: obj, At: n.At, Rule: n.Rule, In: n.In}
	lacks := g.emit(n, code.JmpLacks, obj, n.A, 0)
	g.emit(n, code.GetF, dst, obj, n.A)
	end := g.emit(n, code.Jmp, 0, 0, 0)
	g.land(lacks)
	other := *n.Kids[1]
	other.Kids = append([]*ir.Node{held}, other.Kids[1:]...)
	g.expr(&other, dst)
	g.land(end)
}

func small(n *ir.Node) (int, bool) {
	if n.Op != ir.NConst || !n.V.IsInt() {
		return 0, false
	}
	i := n.V.Int()
	return int(i), i == int64(int32(i))
}

func (g *gen) bin(n *ir.Node, dst int) {
	x, y := n.Kids[0], n.Kids[1]
	if i, ok := small(y); ok {
		switch code.Op(n.A) {
		case code.Add:
			g.emit(n, code.AddI, dst, g.operand(x), i)
			return
		case code.Sub:
			if i > -1<<31 && x.Op != ir.NConst {
				a := g.operand(x)
				g.emit(n, code.SubI, dst, a, i)
				return
			}
		}
	}
	a := g.operand(x)
	b := g.operand(y)
	g.emit(n, code.Op(n.A), dst, a, b)
}

func (g *gen) logic(n *ir.Node, dst int) {
	x, y := n.Kids[0], n.Kids[1]
	g.expr(x, dst)
	op := code.JmpNot
	if n.Op == ir.NOr {
		op = code.JmpIf
	}
	j := g.emit(n, op, dst, 0, 0)
	g.expr(y, dst)
	switch known := n.Op == ir.NOr || g.givesTruth(x); {
	case !known:
		g.land(j) // none is no
		g.emit(n, code.Truth, dst, 0, 0)
	case !g.givesTruth(y):
		g.emit(n, code.Truth, dst, 0, 0)
		g.land(j)
	default:
		g.land(j)
	}
}

// givesTruth says whether an expression surely gives yes or no.
func (g *gen) givesTruth(n *ir.Node) bool {
	switch n.Op {
	case ir.NConst:
		return n.V == value.Yes || n.V == value.No
	case ir.NNot, ir.NAnd, ir.NOr:
		return true
	case ir.NBin:
		op := code.Op(n.A)
		return op >= code.Eq && op <= code.In
	case ir.NBuiltin:
		switch code.Builtins[n.A].Name {
		case "is", "empty":
			return true
		}
	case ir.NCond:
		return g.givesTruth(n.Kids[1]) && g.givesTruth(n.Kids[2])
	case ir.NComp:
		return n.Info == "any" || n.Info == "all"
	case ir.NCall:
		l := g.leaf(n)
		return l != nil && g.givesTruth(l.Body)
	}
	return false
}

var fused = map[code.Op][2]code.Op{
	code.Lt: {code.JLt, code.JLtI}, code.Le: {code.JLe, code.JLeI},
	code.Gt: {code.JGt, code.JGtI}, code.Ge: {code.JGe, code.JGeI},
	code.Eq: {code.JEq, code.JEqI}, code.Ne: {code.JNe, code.JNeI},
}

var opposite = map[code.Op]code.Op{
	code.Lt: code.Ge, code.Le: code.Gt, code.Gt: code.Le, code.Ge: code.Lt,
	code.Eq: code.Ne, code.Ne: code.Eq,
}

// jumps emits jumps that are taken when n is yes (or no); the caller lands them.
func (g *gen) jumps(n *ir.Node, when bool) []int {
	mark := g.top
	out := g.jumpsOf(n, when)
	g.top = mark
	return out
}

func (g *gen) jumpsOf(n *ir.Node, when bool) []int {
	switch n.Op {
	case ir.NNot:
		return g.jumps(n.Kids[0], !when)
	case ir.NAnd, ir.NOr:
		if (n.Op == ir.NOr) == when {
			return append(g.jumps(n.Kids[0], when), g.jumps(n.Kids[1], when)...)
		}
		skip := g.jumps(n.Kids[0], !when)
		out := g.jumps(n.Kids[1], when)
		g.land(skip...)
		return out
	case ir.NCell, ir.NField, ir.NCond:
		return g.decide(n, n, when)
	case ir.NCall:
		if body := g.inline(n); body != nil {
			return g.decide(body, n, when)
		}
	case ir.NBin:
		if out := g.jumpsOfBin(n, when); out != nil {
			return out
		}
	case ir.NConst:
		if yes, ok := n.V.Truth(); ok {
			if yes == when {
				return []int{g.emit(n, code.Jmp, 0, 0, 0)}
			}
			return nil
		}
	}
	op := code.JmpNot
	if when {
		op = code.JmpIf
	}
	return []int{g.emit(n, op, g.operand(n), 0, 0)}
}

// jumpsOfBin is jumps of a comparison, where there are such jumps.
func (g *gen) jumpsOfBin(n *ir.Node, when bool) []int {
	op := code.Op(n.A)
	if at, ok := g.word(n.Kids[0]); ok && n.Kids[1].Op == ir.NConst {
		if j, ok := g.testWord(n, at, op, when); ok {
			return []int{j}
		}
	}
	if c := n.Kids[1]; c.Op == ir.NConst && c.V == value.None && (op == code.Eq || op == code.Ne) {
		jump := code.JmpNone
		if (op == code.Eq) != when {
			jump = code.JmpSome
		}
		return []int{g.emit(n, jump, g.operand(n.Kids[0]), 0, 0)}
	}
	if !when {
		op = opposite[op]
	}
	if pair, ok := fused[op]; ok && code.Op(n.A) != code.In {
		a := g.operand(n.Kids[0])
		if i, ok := small(n.Kids[1]); ok {
			return []int{g.emit(n, pair[1], a, i, 0)}
		}
		return []int{g.emit(n, pair[0], a, g.operand(n.Kids[1]), 0)}
	}
	return nil
}

// word gives the known store word that an expression reads.
func (g *gen) word(n *ir.Node) (int, bool) {
	switch n.Op {
	case ir.NCell:
		return n.A, true
	case ir.NField:
		return g.static(n)
	}
	return 0, false
}

// testWord emits a jump on the comparison of a store word with a constant.
func (g *gen) testWord(n *ir.Node, at int, op code.Op, when bool) (int, bool) {
	c := n.Kids[1]
	if c.V == value.None && (op == code.Eq || op == code.Ne) {
		if (op == code.Eq) == when {
			return g.emit(n, code.JAtNone, at, 0, 0), true
		}
		return g.emit(n, code.JAtSome, at, 0, 0), true
	}
	i, ok := small(c)
	if !ok {
		return 0, false
	}
	if !when {
		op = opposite[op]
	}
	switch op {
	case code.Lt:
		return g.emit(n, code.JAtLtI, at, i, 0), true
	case code.Ge:
		return g.emit(n, code.JAtGeI, at, i, 0), true
	}
	return 0, false
}

func (g *gen) throw(n *ir.Node, dst int) {
	r := g.place(dst)
	g.expr(n.Kids[0], r)
	info := -1
	if n.Info != nil {
		ti := n.Info.(*code.ThrowInfo)
		if n.Kids[1] != nil {
			label := g.temp()
			g.expr(n.Kids[1], label)
			ti = &code.ThrowInfo{Reg: label - r}
		}
		info = g.info(ti)
	}
	if names := n.Kids[2]; names != nil && (g.traced || does(names, false)) {
		list := g.temp()
		g.expr(names, list)
		if g.traced {
			g.emit(n, code.Event, list, g.info(&ir.DiceInfo{}), 0)
		}
	}
	g.emit(n, code.Throw, r, info, 0)
	g.move(n, dst, r)
}

// choose: an answer given ahead must be among the options; then tactics, then
// whoever is asked.
func (g *gen) choose(n *ir.Node, dst int) {
	by, from, prompt, answer, def, cost := n.Kids[0], n.Kids[1], n.Kids[2], n.Kids[3], n.Kids[4], n.Kids[6]
	w := g.temps(9)
	g.expr(by, w)
	g.prompt(n, prompt, w+1)
	g.expr(from, w+2)
	ai := g.info(n.Info)
	price := g.temps(2)
	var ends, poor []int
	if cost != nil {
		g.maybe(def, w+3, n)
		g.expr(cost, price)
		g.emit(n, code.GetF, price+1, g.operand(n.Kids[7]), n.A)
		poor = append(poor, g.emit(n, code.JLt, price+1, price, 0))
	}
	if answer != nil {
		g.expr(answer, dst)
		none := g.emit(n, code.JmpNone, dst, 0, 0)
		g.emit(n, code.AmongOr, dst, w+2, 0)
		g.decided(n, w, dst, "clause")
		ends = append(ends, g.emit(n, code.Jmp, 0, 0, 0))
		g.land(none)
	}
	ends = append(ends, g.tactic(n, w, dst, ai, w+2)...)
	if cost == nil {
		g.maybe(def, w+3, n)
	}
	info := n.Info.(*code.AskInfo)
	who := -1
	if info.Random && g.traced {
		who = g.temps(4)
		g.emit(n, code.Move, who, w, 0)
		g.emit(n, code.Move, who+1, w+1, 0)
		g.emit(n, code.Move, who+3, w+2, 0)
	}
	if g.w.Prog.Attended {
		ai = g.said(n, w, price, ai)
	}
	g.emit(n, code.Ask, w, ai, 0)
	g.emit(n, code.Move, dst, w, 0)
	if info.Random {
		ends = append(ends, g.pick(n, w+2, dst, info)...)
		if g.traced {
			g.emit(n, code.Move, who+2, dst, 0)
			g.emit(n, code.Event, who, g.info(&ir.DecidedInfo{Ask: info, From: "default"}), 0)
		}
	}
	g.land(ends...)
	if cost == nil {
		return
	}
	free := g.emit(n, code.JEq, dst, w+3, 0)
	g.pay(n, n.Kids[7], price)
	end := g.emit(n, code.Jmp, 0, 0, 0)
	g.land(poor...)
	g.emit(n, code.Move, dst, w+3, 0)
	g.land(free, end)
}

// pay takes a price, in a register, from the field of a node.
func (g *gen) pay(n, payer *ir.Node, price int) {
	obj := g.operand(payer)
	purse := g.temp()
	g.emit(n, code.GetF, purse, obj, n.A)
	g.emit(n, code.Sub, purse, purse, price)
	g.emit(n, code.SetF, obj, purse, n.A)
}

// said puts into the registers from w what only people are told of a choice, and gives the info that says so.
func (g *gen) said(n *ir.Node, w, price, ai int) int {
	usual, cost, notes := n.Kids[5], n.Kids[6], n.Kids[8]
	if usual == nil && cost == nil && notes == nil {
		return ai
	}
	info := *n.Info.(*code.AskInfo)
	if info.Usual = usual != nil; info.Usual {
		g.expr(usual, w+5)
	}
	if info.Notes = notes != nil; info.Notes {
		g.expr(notes, w+6)
	}
	if info.Priced = cost != nil; info.Priced {
		g.emit(n, code.Move, w+7, price, 0)
		g.emit(n, code.Sub, w+8, price+1, price)
	}
	return g.info(&info)
}

// draw has a die choose from a list: nobody is asked, and an only element needs no die.
func (g *gen) draw(n *ir.Node, dst int) {
	list := g.temps(2)
	g.expr(n.Kids[0], list)
	g.emit(n, code.Move, list+1, list, 0)
	g.constant(value.None, dst, n)
	ends := g.pick(n, list, dst, &code.AskInfo{Name: code.Draw})
	g.land(ends...)
	some := g.emit(n, code.JmpSome, dst, 0, 0)
	g.emit(n, code.Builtin, list+1, code.BuiltinIndex("first"), 1)
	g.emit(n, code.Move, dst, list+1, 0)
	g.land(some)
}

// pick has a die choose from the list in a register where dst holds no choice yet. The
// jumps are taken where there is one, or nothing to choose from.
func (g *gen) pick(n *ir.Node, list, dst int, info *code.AskInfo) []int {
	r := g.temp()
	done := []int{g.emit(n, code.JmpSome, dst, 0, 0)}
	call := func(name string) { g.emit(n, code.Builtin, r, code.BuiltinIndex(name), 1) }
	g.emit(n, code.Move, r, list, 0)
	call("size")
	done = append(done, g.emit(n, code.JLtI, r, 2, 0))
	call("die")
	g.emit(n, code.Throw, r, g.info(&code.ThrowInfo{For: info.Name, Pick: true}), 1)
	call("face")
	g.emit(n, code.Index, dst, list, r)
	return done
}

func (g *gen) maybe(n *ir.Node, dst int, at *ir.Node) {
	if n == nil {
		n = &ir.Node{Op: ir.NConst, V: value.None, At: at.At, Rule: at.Rule}
	}
	g.expr(n, dst)
}

// prompt puts the text of a question into a register, unless nobody can be asked, and so nobody reads it.
func (g *gen) prompt(n, text *ir.Node, dst int) {
	if text == nil || text.Op == ir.NConst || g.traced || !n.Info.(*code.AskInfo).Plain {
		g.maybe(text, dst, n)
		return
	}
	g.constant(value.None, dst, n)
	unread := g.emit(n, code.JmpUnasked, 0, -1, 0)
	g.expr(text, dst)
	g.land(unread)
}

// tactic lets tactics answer: who is in register w, the answer goes to dst;
// the jumps are taken when there was one.
//
// The law of reactions: an answer that a command does not name never refuses that command.
// So what tactics answer counts only where it is among the options, which are in a register
// where there are any, and of an offer only where its condition holds and its price is there
// (see offer); else it is as if nobody had answered. What is left to the rules is that an
// option, and a default, are something that can be done.
func (g *gen) tactic(n *ir.Node, w, dst, ai, options int) []int {
	t := g.temps(2)
	g.emit(n, code.TacticOn, t, w, ai)
	none := g.emit(n, code.JmpNone, t, 0, 0)
	g.emit(n, code.Move, t+1, w, 0)
	g.emit(n, code.CallV, t, 0, 1)
	g.emit(n, code.Move, dst, t, 0)
	undecided := []int{none, g.emit(n, code.JmpNone, dst, 0, 0)}
	if options >= 0 {
		undecided = append(undecided, g.emit(n, code.JmpNone, options, 0, 0))
		g.emit(n, code.In, t, dst, options)
		undecided = append(undecided, g.emit(n, code.JmpNot, t, 0, 0))
	}
	g.decided(n, w, dst, "tactics")
	yes := g.emit(n, code.Jmp, 0, 0, 0)
	g.land(undecided...)
	return []int{yes}
}

// decided tells that a decision was made ahead.
func (g *gen) decided(n *ir.Node, w, answer int, from string) {
	if !g.traced {
		return
	}
	t := g.temps(3)
	g.emit(n, code.Move, t, w, 0)
	g.emit(n, code.Move, t+1, w+1, 0)
	g.emit(n, code.Move, t+2, answer, 0)
	g.emit(n, code.Event, t, g.info(&ir.DecidedInfo{Ask: n.Info.(*code.AskInfo), From: from}), 0)
}

// reduced are the functions of a list that need not be made: each element is joined to the result as soon
// as it is there. So odds keep one number where they would keep all (Wadler, Deforestation, 1990).
var reduced = map[string]string{"max": "max", "min": "min", "sum": "sum", "highest": "max", "lowest": "min"}

// reducedTo says how a function of a list reduces it, "" if it needs the list.
func reducedTo(n *ir.Node) string {
	switch name := code.Builtins[n.A].Name; {
	case len(n.Kids) == 1:
		return reduced[name]
	case name == "count" && n.Kids[1].Op == ir.NConst:
		return "counted"
	}
	return ""
}

func (g *gen) comp(n *ir.Node, dst int) { g.compAs(n, dst, n.Info.(string), nil) }

// compAs makes the code of a comprehension of a kind, which is that of the node or, of a list, one of reduced: by
// what.
func (g *gen) compAs(n *ir.Node, dst int, kind string, by *ir.Node) {
	it, acc, best := n.B, dst, n.B+3
	elem := best
	if kind == "list" {
		// what is put into the list stands behind it
		if acc = n.B + 2; g.highest(dst) {
			acc, elem = dst, g.temp()
		}
	}
	load := func(v ir.V, r int) {
		g.emit(n, code.LoadK, r, int(int32(uint32(v))), int(int32(uint32(v>>32))))
	}
	g.expr(n.Kids[0], it)
	load(value.OfInt(0), it+1)
	load(zeroOf(kind), acc)
	if kind == "highest" || kind == "lowest" {
		load(value.None, best)
	}
	start := g.here()
	end := []int{g.emit(n, code.Iter, it, n.A, 0)}
	var next []int
	if kind == "all" && n.Kids[1] != nil {
		next = g.jumps(n.Kids[1], true)
		load(value.No, acc)
		end = append(end, g.emit(n, code.Jmp, 0, 0, 0))
	} else if n.Kids[1] != nil {
		next = g.jumps(n.Kids[1], false)
	}
	mark := g.top
	switch kind {
	case "list":
		g.expr(n.Kids[2], elem)
		g.emit(n, code.Builtin, acc, code.BuiltinIndex("with"), 2)
	case "any":
		load(value.Yes, acc)
		end = append(end, g.emit(n, code.Jmp, 0, 0, 0))
	case "all":
	case "count":
		g.emit(n, code.AddI, acc, acc, 1)
	case "counted":
		r := g.temps(2)
		load(value.EmptyList, r)
		g.expr(n.Kids[2], r+1)
		g.emit(n, code.Builtin, r, code.BuiltinIndex("with"), 2)
		load(by.Kids[1].V, r+1)
		g.emit(by, code.Builtin, r, by.A, 2)
		g.emit(n, code.Add, acc, acc, r)
	case "sum":
		g.emit(n, code.Add, acc, acc, g.operand(n.Kids[2]))
	case "first":
		g.emit(n, code.Move, acc, n.A, 0)
		end = append(end, g.emit(n, code.Jmp, 0, 0, 0))
	case "max", "min":
		next = append(next, g.better(n, acc, acc, kind == "min"))
	case "highest", "lowest":
		next = append(next, g.better(n, acc, best, kind == "lowest"))
	}
	g.top = mark
	g.land(next...)
	g.emit(n, code.Jmp, 0, 0, start)
	g.land(end...)
	g.move(n, dst, acc)
}

// zeroOf is what a comprehension of a kind begins with.
func zeroOf(kind string) ir.V {
	switch kind {
	case "list":
		return value.EmptyList
	case "any":
		return value.No
	case "all":
		return value.Yes
	case "count", "counted", "sum":
		return value.OfInt(0)
	}
	return value.None
}

// better emits what keeps the value of this round, and what it is the value of if that is kept apart, where
// the value is better than that of the rounds before. It gives the jump that is taken when it is not.
func (g *gen) better(n *ir.Node, acc, best int, least bool) int {
	r := g.temp()
	g.expr(n.Kids[2], r)
	first := g.emit(n, code.JmpNone, acc, 0, 0)
	op := code.JLe
	if least {
		op = code.JGe
	}
	worse := g.emit(n, op, r, best, 0)
	g.land(first)
	if best != acc {
		g.emit(n, code.Move, acc, n.A, 0)
	}
	g.emit(n, code.Move, best, r, 0)
	return worse
}

// record makes a new record in register n.b.
func (g *gen) record(n *ir.Node) {
	sets := n.Info.(*ir.NewInfo)
	mark := g.top
	// What goes into the record is worked out first where it is given from
	// outside; defaults may read the record itself, so the record comes first.
	g.emit(n, code.New, n.B, n.A, 0)
	for i, k := range n.Kids {
		r := g.operand(k)
		if sets.Syms[i] >= 0 {
			g.emit(n, code.SetF, n.B, r, sets.Syms[i])
			// SetF has its object in A, its value in B and the field in C
		} else {
			g.emit(n, code.SetHeader, n.B, r, sets.Headers[i])
		}
		g.top = mark
	}
}

func (g *gen) need(n *ir.Node, dst int) {
	g.expr(n.Kids[0], dst)
	some := g.emit(n, code.JmpSome, dst, 0, 0)
	w := g.temps(3)
	g.expr(n.Kids[1], w)
	g.constant(g.w.Heap.OfText(" has no "+n.Info.(string)), w+1, n)
	g.emit(n, code.Text, w, w, 2)
	g.emit(n, code.Fail, w, g.info(&code.FailInfo{Kind: code.Refused, Clause: ""}), 0)
	g.land(some)
}

// result returns the value of an expression, for the statement n.
func (g *gen) result(n, x *ir.Node) {
	if body := g.inline(x); body != nil {
		x = body
	}
	switch x.Op {
	case ir.NConst:
		g.ret(n, x.V)
	case ir.NCond:
		no := g.jumps(x.Kids[0], false)
		g.result(n, x.Kids[1])
		g.land(no...)
		g.result(n, x.Kids[2])
	case ir.NAnd, ir.NOr:
		when := x.Op == ir.NOr
		decided := g.decide(x.Kids[0], x, when)
		r := g.temp()
		if g.expr(x.Kids[1], r); !g.givesTruth(x.Kids[1]) {
			g.emit(x, code.Truth, r, 0, 0)
		}
		g.endShows(n, 0)
		g.emit(n, code.Ret, r, 0, 0)
		g.land(decided...)
		g.ret(n, value.OfBool(when))
	case ir.NCall:
		if g.begins && g.callsItself(x) && len(g.shows) == 0 && g.guarded == 0 {
			g.again(n, x)
			break
		}
		fallthrough
	default:
		r := g.operand(x)
		g.endShows(n, 0)
		g.emit(n, code.Ret, r, 0, 0)
	}
}

// has says whether some node of a tree is one of a kind.
func (g *gen) has(n *ir.Node, is func(*ir.Node) bool) bool {
	return n != nil && (is(n) || slices.ContainsFunc(n.Kids, func(kid *ir.Node) bool { return g.has(kid, is) }))
}

// mayThrow says whether a node throws dice, or calls another rule, which may.
func (g *gen) mayThrow(n *ir.Node) bool {
	return n.Op == ir.NThrow || n.Op == ir.NDraw || n.Op == ir.NCallV || n.Op == ir.NCall && !g.callsItself(n)
}

// callsItself says whether a node calls the function that is generated. At its end it may begin again in place of the
// call: so a rule that throws and calls itself is a loop, and odds find its states again.
func (g *gen) callsItself(x *ir.Node) bool {
	return x.Op == ir.NCall && !g.mf.Region && x.A < len(g.w.Prog.Slots) && g.w.Prog.Slots[x.A] == g.mf && len(x.Kids) == g.mf.Params
}

// again goes on at the beginning, with other arguments.
func (g *gen) again(n, x *ir.Node) {
	mark := g.top
	from := g.temps(max(1, len(x.Kids)))
	for i, kid := range x.Kids {
		g.expr(kid, from+i)
	}
	for i := range x.Kids {
		g.emit(n, code.Move, i, from+i, 0)
	}
	g.emit(n, code.Jmp, 0, 0, 0)
	g.top = mark
}

// decide emits jumps that are taken when x, which is part of the expression whole, is yes (or
// no). They are as jumps has them, except that what is neither is wrong in the whole, as it is
// where the value of that is worked out.
func (g *gen) decide(x, whole *ir.Node, when bool) []int {
	mark := g.top
	defer func() { g.top = mark }()
	switch x.Op {
	case ir.NNot:
		return g.decide(x.Kids[0], x, !when)
	case ir.NAnd, ir.NOr:
		if (x.Op == ir.NOr) == when {
			return append(g.decide(x.Kids[0], x, when), g.decide(x.Kids[1], x, when)...)
		}
		skip := g.decide(x.Kids[0], x, !when)
		out := g.decide(x.Kids[1], x, when)
		g.land(skip...)
		return out
	case ir.NCond:
		no := g.jumps(x.Kids[0], false)
		out := g.decide(x.Kids[1], whole, when)
		end := g.emit(x, code.Jmp, 0, 0, 0)
		g.land(no...)
		out = append(out, g.decide(x.Kids[2], whole, when)...)
		g.land(end)
		return out
	case ir.NBin:
		if op := code.Op(x.A); op >= code.Eq && op <= code.Ge {
			return g.jumps(x, when)
		}
	case ir.NCall:
		if body := g.inline(x); body != nil {
			return g.decide(body, whole, when)
		}
	case ir.NConst:
		if _, ok := x.V.Truth(); ok {
			return g.jumps(x, when)
		}
	case ir.NCell, ir.NField:
		if at, ok := g.word(x); ok {
			if when {
				return []int{g.emit(whole, code.JAtIf, at, 0, 0)}
			}
			return []int{g.emit(whole, code.JAtNot, at, 0, 0)}
		}
	}
	op := code.JmpNot
	if when {
		op = code.JmpIf
	}
	return []int{g.emit(whole, op, g.operand(x), 0, 0)}
}

// ret returns a constant.
func (g *gen) ret(n *ir.Node, v ir.V) {
	g.endShows(n, 0)
	g.emit(n, code.RetK, 0, int(int32(uint32(v))), int(int32(uint32(v>>32))))
}

func (g *gen) constant(v ir.V, dst int, at *ir.Node) {
	g.expr(&ir.Node{Op: ir.NConst, V: v, At: at.At, Rule: at.Rule}, dst)
}

// ---- statements ---------------------------------------------------------

func (g *gen) stmt(n *ir.Node) {
	if n == nil {
		return
	}
	mark := g.top
	switch n.Op {
	case ir.NSeq:
		for _, k := range n.Kids {
			g.stmt(k)
		}
	case ir.NNothing:
	case ir.NSet:
		g.set(n)
	case ir.NSetCell:
		g.emit(n, code.SetAt, g.operand(n.Kids[0]), n.A, 0)
	case ir.NSetField:
		g.setField(n)
	case ir.NIf:
		g.ifStmt(n)
	case ir.NFor:
		g.forLoop(n)
	case ir.NWhile:
		g.whileLoop(n)
	case ir.NRepeat:
		g.repeat(n)
	case ir.NJump:
		g.jump(n)
	case ir.NReturn:
		g.returns(n)
	case ir.NFail:
		g.emit(n, code.Fail, g.operand(n.Kids[0]), g.info(n.Info), 0)
	case ir.NOffer:
		g.offer(n)
	case ir.NSignal:
		g.signal(n)
	case ir.NEvent:
		g.event(n)
	case ir.NOutcome:
		g.outcome(n)
	case ir.NExpect:
		g.expect(n)
	case ir.NBoundary:
		g.boundary(n)
	case ir.NRunBlock:
		g.runBlock(n)
	case ir.NAct:
		g.act(n)
	case ir.NMoment:
		g.moment(n, n.A)
	case ir.NExpr:
		g.expr(n.Kids[0], g.temp())
	case ir.NGive:
		g.emit(n, code.Given, g.operand(n.Kids[0]), g.info(n.Info), 0)
	case ir.NShow:
		g.show(n)
	case ir.NTactics:
		g.emit(n, code.SetTactics, g.operand(n.Kids[0]), n.A, 0)
	case ir.NMark:
		g.emit(n, code.KeepMark, 0, n.A, 0)
	case ir.NEndTactics:
		g.emit(n, code.EndTactics, 0, n.A, 0)
	case ir.NDecline:
		g.decline(n)
	case ir.NNoneRefused:
		g.emit(n, code.CheckTactics, 0, g.info(n.Info), 0)
	case ir.NMustFail:
		g.mustFail(n)
	case ir.NTry:
		g.tries(n)
	default:
		panic("no statement")
	}
	g.top = mark
}

func (g *gen) setField(n *ir.Node) {
	obj := g.operand(n.Kids[0])
	op := code.SetF
	switch n.B {
	case 1:
		op = code.InitF
	case 2:
		op = code.DefaultF
	}
	g.emit(n, op, obj, g.operand(n.Kids[1]), n.A)
}

func (g *gen) whileLoop(n *ir.Node) {
	g.loops = append(g.loops, &loop{shows: len(g.shows)})
	start := g.head(n)
	out := g.jumps(n.Kids[0], false)
	g.stmt(n.Kids[1])
	g.endLoop(n, start, out)
}

func (g *gen) jump(n *ir.Node) {
	l := g.loops[len(g.loops)-1]
	g.endShows(n, l.shows)
	j := g.emit(n, code.Jmp, 0, 0, 0)
	if n.A == 1 {
		l.nexts = append(l.nexts, j)
	} else {
		l.stops = append(l.stops, j)
	}
}

func (g *gen) returns(n *ir.Node) {
	if len(n.Kids) == 0 {
		g.ret(n, value.None)
		return
	}
	g.result(n, n.Kids[0])
}

func (g *gen) runBlock(n *ir.Node) {
	none := g.emit(n, code.JmpNone, n.Kids[0].A, 0, 0)
	r := g.temp()
	g.emit(n, code.Move, r, n.Kids[0].A, 0)
	for _, k := range n.Kids[1:] {
		g.expr(k, g.temp())
	}
	g.emit(n, code.CallV, r, 0, len(n.Kids)-1)
	g.land(none)
}

func (g *gen) tries(n *ir.Node) {
	// Register n.a becomes yes when the body was done, no when it was refused.
	g.constant(value.No, n.A, n)
	t := g.try(n)
	g.constant(value.Yes, n.A, n)
	g.land(t)
}

// set gives a variable a value. What is written before the value is known is not the
// variable's own register if that matters.
func (g *gen) set(n *ir.Node) {
	v := n.Kids[0]
	switch v.Op {
	case ir.NAnd, ir.NOr, ir.NCond, ir.NNeed, ir.NElse, ir.NChoose, ir.NComp:
		if g.guarded > 0 || reads(v, n.A) {
			r := g.temp()
			g.expr(v, r)
			g.emit(n, code.Move, n.A, r, 0)
			return
		}
	}
	g.expr(v, n.A)
}

// reads says whether an expression reads a variable.
func reads(n *ir.Node, reg int) bool {
	return n != nil && (n.Op == ir.NLocal && n.A == reg || slices.ContainsFunc(n.Kids, func(k *ir.Node) bool { return reads(k, reg) }))
}

func (g *gen) ifStmt(n *ir.Node) {
	if k := n.Kids[1]; k.Op == ir.NSeq && len(k.Kids) == 0 {
		yes := g.jumps(n.Kids[0], true)
		g.stmt(n.Kids[2])
		g.land(yes...)
		return
	}
	no := g.jumps(n.Kids[0], false)
	g.stmt(n.Kids[1])
	if n.Kids[2] == nil {
		g.land(no...)
		return
	}
	end := g.emit(n, code.Jmp, 0, 0, 0)
	g.land(no...)
	g.stmt(n.Kids[2])
	g.land(end)
}

// head begins a loop.
func (g *gen) head(n *ir.Node) int { return g.emit(n, code.Head, 0, 0, 0) }

func (g *gen) endLoop(n *ir.Node, start int, out []int) {
	l := g.loops[len(g.loops)-1]
	g.loops = g.loops[:len(g.loops)-1]
	g.land(l.nexts...)
	g.emit(n, code.Jmp, 0, 0, start)
	g.land(out...)
	g.land(l.stops...)
}

func (g *gen) forLoop(n *ir.Node) {
	it, elem := n.B, n.A
	if elem < 0 {
		elem = g.temp()
	}
	g.expr(n.Kids[0], it)
	g.constant(value.OfInt(0), it+1, n)
	g.loops = append(g.loops, &loop{shows: len(g.shows)})
	start := g.head(n)
	out := []int{g.emit(n, code.Iter, it, elem, 0)}
	if n.A < 0 {
		g.emit(n, code.SetAt, elem, n.Info.(int), 0)
	}
	if n.Kids[1] != nil {
		l := g.loops[len(g.loops)-1]
		l.nexts = append(l.nexts, g.jumps(n.Kids[1], false)...)
	}
	g.stmt(n.Kids[2])
	l := g.loops[len(g.loops)-1]
	g.loops = g.loops[:len(g.loops)-1]
	g.land(l.nexts...)
	g.emit(n, code.Jmp, 0, 0, start)
	g.land(out...)
	g.land(l.stops...)
}

func (g *gen) repeat(n *ir.Node) {
	g.expr(n.Kids[0], n.B)
	g.constant(value.OfInt(0), n.B+1, n)
	g.loops = append(g.loops, &loop{shows: len(g.shows)})
	start := g.head(n)
	out := []int{g.emit(n, code.JGe, n.B+1, n.B, 0)}
	g.emit(n, code.AddI, n.B+1, n.B+1, 1)
	g.stmt(n.Kids[1])
	g.endLoop(n, start, out)
}

func (g *gen) offer(n *ir.Node) {
	to, prompt, cost, payer, when, answer, def, body, other := n.Kids[0], n.Kids[1], n.Kids[2], n.Kids[3], n.Kids[4], n.Kids[5], n.Kids[6], n.Kids[7], n.Kids[8]
	ans, price := n.B, n.B+1
	info := n.Info.(*code.AskInfo)
	ai := g.info(info)
	var not []int
	if info.Pure && answer == nil && !g.traced {
		not = append(not, g.emit(n, code.JmpUnasked, 0, ai, 0))
		if must := n.Kids[9]; must != nil {
			not = append(not, g.undecided(n, to, ai, must.Kids))
		}
	}
	if when != nil {
		not = append(not, g.jumps(when, false)...)
	}
	purse := g.temp()
	if cost != nil {
		g.expr(cost, price)
		obj := g.operand(payer)
		g.emit(n, code.GetF, purse, obj, n.A)
		not = append(not, g.emit(n, code.JLt, purse, price, 0))
	}
	w := g.temps(6)
	g.expr(to, w)
	g.prompt(n, prompt, w+1)
	if cost != nil {
		g.emit(n, code.Move, w+3, price, 0)
		if g.traced {
			g.emit(n, code.Sub, w+4, purse, price)
		}
	} else {
		g.constant(value.None, w+3, n)
	}
	var have []int
	if answer != nil {
		g.expr(answer, ans)
		none := g.emit(n, code.JmpNone, ans, 0, 0)
		g.decided(n, w, ans, "clause")
		have = append(have, g.emit(n, code.Jmp, 0, 0, 0))
		g.land(none)
	}
	have = append(have, g.tactic(n, w, ans, ai, -1)...)
	g.maybe(def, w+2, n)
	if usual := n.Kids[10]; usual != nil && g.w.Prog.Attended {
		asked := *info
		asked.Usual, ai = true, g.info(&asked)
		g.expr(usual, w+5)
	}
	g.emit(n, code.Ask, w, ai, 0)
	g.emit(n, code.Move, ans, w, 0)
	g.land(have...)
	not = append(not, g.emit(n, code.JmpNot, ans, 0, 0))
	if cost != nil {
		g.pay(n, payer, price)
	}
	g.stmt(body)
	if other == nil {
		g.land(not...)
		return
	}
	end := g.emit(n, code.Jmp, 0, 0, 0)
	g.land(not...)
	g.stmt(other)
	g.land(end)
}

// signal calls the handlers of the features on the target, then those that
// stand in no feature.
func (g *gen) signal(n *ir.Node) {
	it, feat := n.B, n.B+2
	args := n.Kids[1:]
	vals := make([]*ir.Node, len(args))
	for i, a := range args {
		if a.Op == ir.NLocal || a.Op == ir.NConst {
			vals[i] = a
			continue
		}
		r := g.temp()
		g.expr(a, r)
		vals[i] = &ir.Node{Op: ir.NLocal, A: r, At: a.At, Rule: a.Rule}
	}
	g.expr(n.Kids[0], it)
	g.emit(n, code.Feats, it, 0, 0)
	g.constant(value.OfInt(0), it+1, n)
	start := g.here()
	out := g.emit(n, code.Iter, it, feat, 0)
	w := g.temps(2 + len(args))
	g.emit(n, code.Handler, w, feat, n.A)
	g.emit(n, code.JmpNone, w, 0, start)
	g.emit(n, code.Move, w+1, feat, 0)
	for i, v := range vals {
		g.expr(v, w+2+i)
	}
	g.emit(n, code.CallV, w, 0, 1+len(args))
	g.emit(n, code.Jmp, 0, 0, start)
	g.land(out)
	g.globals(n, n.A, vals)
}

func (g *gen) globals(n *ir.Node, hook int, vals []*ir.Node) {
	for _, slot := range g.w.Prog.Hooks[hook].Global {
		base := g.window(vals, -1)
		g.emit(n, code.Call, base, slot, len(vals))
	}
}

func (g *gen) mustFail(n *ir.Node) {
	x := n.Info.(*ir.MustFailInfo)
	info := g.info(&code.MustFail{Word: x.Word, Part: x.Part, Info: x})
	if x.Word != "refused" {
		g.emit(n, code.Capture, 0, 0, 0)
		g.stmt(n.Kids[0])
		g.emit(n, code.CaptureEnd, 0, info, 0)
		return
	}
	t := g.try(n)
	g.emit(n, code.CheckRefusal, 0, info, 0)
	end := g.emit(n, code.Jmp, 0, 0, 0)
	g.land(t)
	g.emit(n, code.CheckRefusal, 1, info, 0)
	g.land(end)
}

// try does what n holds, and gives the jump that is taken when it was refused.
func (g *gen) try(n *ir.Node) int {
	t := g.emit(n, code.Try, 0, 0, 0)
	g.guarded++
	g.stmt(n.Kids[0])
	g.guarded--
	g.emit(n, code.EndTry, 0, 0, 0)
	return t
}

// event tells whoever listens; without listeners there is no code for it.
func (g *gen) event(n *ir.Node) {
	say, _ := n.Info.(*ir.SayInfo)
	counts := say != nil && (say.Kind == "fault" || say.Kind == "warn")
	_, report := n.Info.(*ir.ReportInfo)
	if !g.traced && !counts && !report {
		// nobody reads it, but what it does is done
		_, value := n.Info.(*ir.ValueInfo)
		for _, k := range n.Kids {
			if does(k, value) {
				mark := g.top
				g.expr(k, g.temp())
				g.top = mark
			}
		}
		if say != nil && say.Kind == "print" {
			g.emit(n, code.Prints, 0, g.leastText(n.Kids[0])+1, 0)
		}
		return
	}
	base := g.window(n.Kids, -1)
	if report {
		g.emit(n, code.Reported, base, g.info(n.Info), 0)
	}
	if g.traced {
		g.emit(n, code.Event, base, g.info(n.Info), 0)
	}
	if counts {
		b := 0
		if say.Kind == "fault" {
			b = 1
		}
		g.emit(n, code.Fault, base, b, 0)
	}
}

// leastText is how long the text of an expression is at least. To know it better, what it
// shows would have to be read, and odds would tell states apart that only print otherwise.
func (g *gen) leastText(n *ir.Node) int {
	size := 0
	switch {
	case n.Op == ir.NText:
		for _, k := range n.Kids {
			size += g.leastText(k)
		}
	case n.Op == ir.NConst && n.V.Kind() == value.Text:
		size = len(g.w.Heap.TextOf(n.V))
	}
	return size
}

// does says whether an expression throws dice or asks for a decision, or, with
// calls, calls a rule that may do anything.
func does(n *ir.Node, calls bool) bool {
	switch {
	case n == nil:
		return false
	case n.Op == ir.NThrow || n.Op == ir.NChoose || n.Op == ir.NDraw || calls && (n.Op == ir.NCall || n.Op == ir.NCallV):
		return true
	}
	return slices.ContainsFunc(n.Kids, func(k *ir.Node) bool { return does(k, calls) })
}

// keep puts the ith value of an outcome where it stays, if somebody reads it there.
func (g *gen) keep(n *ir.Node, i, r int) {
	info := n.Info.(*ir.OutcomeCells)
	if at, ok := g.w.KeptKeys[info.Info.Names[i]]; ok {
		g.emit(n, code.SetAt, r, at, 0)
	}
}

func (g *gen) outcome(n *ir.Node) {
	oi := n.Info.(*ir.OutcomeCells)
	kids := n.Kids
	if !g.traced {
		// texts are for the reader, unless a script asks for them
		kids = slices.Clone(kids)
		for i, k := range kids {
			if k.Op == ir.NText && g.w.Texts[oi.Info.Names[i]]&ir.Asked == 0 {
				kids[i] = &ir.Node{Op: ir.NConst, V: value.None, At: k.At, Rule: k.Rule}
			}
		}
	}
	if !g.traced && !slices.ContainsFunc(kids, func(k *ir.Node) bool { return k.Op != ir.NLocal && k.Op != ir.NConst }) {
		g.emit(n, code.Clear, 0, 0, 0)
		for i, c := range oi.Cells {
			if kids[i].Op == ir.NConst && kids[i].V == value.None {
				continue
			}
			mark := g.top
			r := g.operand(kids[i])
			g.emit(n, code.SetLast, r, c, 0)
			g.keep(n, i, r)
			g.top = mark
		}
		return
	}
	base := g.window(kids, -1)
	g.emit(n, code.Clear, 0, 0, 0)
	for i, c := range oi.Cells {
		g.emit(n, code.SetLast, base+i, c, 0)
		if k := n.Kids[i]; k.Op != ir.NConst || k.V != value.None {
			g.keep(n, i, base+i)
		}
	}
	if g.traced {
		g.emit(n, code.Event, base, g.info(oi.Info), 0)
	}
}

func (g *gen) expect(n *ir.Node) {
	info := n.Info.(*ir.ExpectInfo)
	k := n.Kids[0]
	r := g.temps(3)
	if info.Compare && k.Op == ir.NBin {
		g.expr(k.Kids[0], r+1)
		g.expr(k.Kids[1], r+2)
		g.emit(k, code.Op(k.A), r, r+1, r+2)
	} else {
		g.expr(k, r)
		g.emit(n, code.Truth, r, 0, 0)
	}
	ok := g.emit(n, code.JmpIf, r, 0, 0)
	if !info.Compare || k.Op != ir.NBin { // there are no two values to tell
		g.constant(value.None, r+1, n)
		g.constant(value.None, r+2, n)
	}
	g.emit(n, code.Unmet, r, g.info(info), 0)
	g.land(ok)
}

func (g *gen) boundary(n *ir.Node) {
	it := n.Info.(int)
	name := g.w.Prog.Spans[n.A]
	symbol := &ir.Node{Op: ir.NConst, V: g.w.Heap.OfSymbol(name), At: n.At, Rule: n.Rule}
	if n.B == 1 {
		if g.traced {
			r := g.temp()
			g.constant(value.None, r, n)
			g.emit(n, code.Event, r, g.info(&ir.SpanInfo{Name: name, End: true}), 0)
		}
		g.tellReset(n, it, name, true)
		g.everybody(n, code.HookEnds, symbol, it)
		g.reset(n, it)
		g.tellReset(n, it, "", false)
		g.moment(n, code.Behind)
		return
	}
	if g.traced {
		r := g.temp()
		secret := g.temp()
		for i, r := range []int{r, secret} {
			if i < len(n.Kids) && n.Kids[i] != nil {
				g.expr(n.Kids[i], r)
			} else {
				g.constant(value.None, r, n)
			}
		}
		g.emit(n, code.Event, r, g.info(&ir.SpanInfo{Name: name, End: false}), 0)
	}
	g.tellReset(n, it, name, false)
	g.reset(n, it)
	g.tellReset(n, it, "", false)
	g.everybody(n, code.HookBegins, symbol, it)
	g.moment(n, code.InTheMiddle)
}

// tellReset tells whoever listens that what changes from here on does so because of
// the boundary of a span, or, without one, that this is over.
func (g *gen) tellReset(n *ir.Node, reg int, span string, end bool) {
	if g.traced {
		g.emit(n, code.Event, reg, g.info(&ir.ResetInfo{Span: span, End: end}), 0)
	}
}

// reset puts fields back that do not outlast the span.
func (g *gen) reset(n *ir.Node, it int) {
	g.emit(n, code.ResetK, 0, n.A, n.B)
	g.emit(n, code.ResetL, it, 2*n.A+n.B, 0) // of Type.Resets
	g.constant(value.OfInt(0), it+1, n)
	start := g.here()
	out := g.emit(n, code.Iter, it, it+2, 0)
	w := g.temps(2)
	g.emit(n, code.ResetFn, w, it+2, 2*n.A+n.B)
	g.emit(n, code.JmpNone, w, 0, start)
	g.emit(n, code.Move, w+1, it+2, 0)
	g.emit(n, code.CallV, w, 0, 1)
	g.emit(n, code.Jmp, 0, 0, start)
	g.land(out)
}

// everybody signals a hook to all long-lived instances.
func (g *gen) everybody(n *ir.Node, hook int, arg *ir.Node, it int) {
	g.emit(n, code.AllFeats, it, hook, 0)
	g.constant(value.OfInt(0), it+1, n)
	start := g.here()
	out := g.emit(n, code.Iter, it, it+2, 0)
	w := g.temps(3)
	g.emit(n, code.Handler, w, it+2, hook)
	g.emit(n, code.JmpNone, w, 0, start)
	g.emit(n, code.Move, w+1, it+2, 0)
	g.expr(arg, w+2)
	g.emit(n, code.CallV, w, 0, 2)
	g.emit(n, code.Jmp, 0, 0, start)
	g.land(out)
	g.globals(n, hook, []*ir.Node{arg})
}

// act has somebody act, see machine/act.go for the code: a command that they are asked
// for, or the parts of their tactics until one of them has done something. There is more
// than one part only where tactics may lie over others. A turn in which nothing is done has no outcome.
func (g *gen) act(n *ir.Node) {
	parts := 1
	if g.w.Layered > 0 {
		parts = g.w.Layered + 2 // the `when` entries of each layer, and one `otherwise`
	}
	who := g.temp() // below what the call takes
	r := g.temps(2)
	if parts == 1 {
		who = r + 1
	}
	g.expr(n.Kids[0], who)
	g.emit(n, code.Clear, 0, 0, 0)
	ask, out := g.ask(n, who)
	if n.A == 1 {
		parts = 0
	}
	for k := range parts {
		g.emit(n, code.Move, r, who, 0)
		g.emit(n, code.TurnOf, r, k, 0)
		out = append(out, g.emit(n, code.JmpNone, r, 0, 0))
		if parts > 1 {
			g.emit(n, code.Move, r+1, who, 0)
		}
		g.emit(n, code.CallV, r, 0, 1)
		if k < parts-1 {
			out = append(out, g.emit(n, code.JmpIf, r, 0, 0))
		}
	}
	g.land(out...)
	if ask >= 0 {
		g.mf.Code[ask].B = int32(g.here())
	}
}

// ask asks whoever is in a register for commands. It gives the instruction that does,
// -1 where nobody is asked, and jumps that are taken when the turn is over.
func (g *gen) ask(n *ir.Node, who int) (ask int, over []int) {
	if !g.w.Prog.Attended {
		return -1, nil
	}
	r := g.temps(3)
	g.emit(n, code.Move, r+1, who, 0)
	g.constant(value.OfInt(0), r+2, n)
	ask = g.emit(n, code.Act, r+1, 0, 0)
	g.emit(n, code.EndAct, r+1, 0, 0)
	if until := n.Kids[1]; until != nil {
		over = g.jumps(until, true)
		g.emit(n, code.Jmp, 0, 0, ask)
	} else {
		over = append(over, g.emit(n, code.Jmp, 0, 0, 0))
	}
	g.land(ask)
	return ask, over
}

// moment is one at which something can be done by hand, of a kind; see machine/act.go.
func (g *gen) moment(n *ir.Node, kind int) {
	if !g.w.Prog.Attended {
		return
	}
	hand := g.emit(n, code.Between, g.temps(2)+1, kind, 0)
	g.emit(n, code.EndHand, 0, 0, 0)
	g.emit(n, code.Jmp, 0, 0, hand)
	g.land(hand)
}

// decline tells that an entry of tactics was refused.
func (g *gen) decline(n *ir.Node) {
	tactic := n.Info.(*code.Tactic)
	g.emit(n, code.Decline, 0, g.info(tactic), 0)
	if !g.traced {
		return
	}
	w := g.temps(2)
	g.expr(n.Kids[0], w)
	g.emit(n, code.Refusal, w+1, 0, 0)
	g.emit(n, code.Event, w, g.info(&code.Declined{Tactic: tactic}), 0)
}

func (g *gen) show(n *ir.Node) {
	if !g.traced {
		g.stmt(n.Kids[2])
		return
	}
	w := g.temps(2)
	g.expr(n.Kids[0], w)
	g.maybe(n.Kids[1], w+1, n)
	g.emit(n, code.Event, w, g.info(n.Info), 0)
	g.shows = append(g.shows, w)
	g.stmt(n.Kids[2])
	g.shows = g.shows[:len(g.shows)-1]
	g.emit(n, code.Event, w, g.info(&ir.ShowEnd{}), 0)
}

// endShows closes the groups that have been opened since there were n, where the
// code leaves them.
func (g *gen) endShows(at *ir.Node, n int) {
	for i := len(g.shows) - 1; i >= n; i-- {
		g.emit(at, code.Event, g.shows[i], g.info(&ir.ShowEnd{}), 0)
	}
}

// undecided leaves an offer where whoever it is made to decides nothing. The jump is taken then.
func (g *gen) undecided(n, to *ir.Node, ai int, must []*ir.Node) int {
	var plain []int
	for _, x := range must {
		plain = append(plain, g.emit(n, code.JmpLacks, x.Kids[0].A, x.A, 0))
	}
	who := g.temp()
	g.expr(to, who)
	left := g.emit(n, code.JmpUndecided, who, ai, 0)
	g.land(plain...)
	return left
}
