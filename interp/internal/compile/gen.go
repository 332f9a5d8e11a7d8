package compile

import (
	"slices"

	"setpiece/interp/internal/code"
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
	w       *Unit
	mf      *code.Func
	vars    int // how many registers variables have
	top     int // first free register
	guarded int // in how many Try the code is
	loops   []*loop
	shows   []int // first registers of the groups of the transcript that are open
	traced  bool
	regions map[*node][]int      // jumps that leave a region
	leaves  func(slot int) *leaf // the rules that stand where they are called, see inline.go
	in      int32                // in the place of which call the latest instruction stands
}

type loop struct {
	stops, nexts []int // jumps to be patched
	shows        int   // how many groups were open when it began
}

// generate emits the instructions of a function.
func generate(w *Unit, mf *code.Func, f function, body *node) {
	g := &gen{w: w, mf: mf, regions: map[*node][]int{}, vars: f.regs, top: f.regs, traced: w.Prog.Traced, leaves: f.leaves}
	mf.Regs = f.regs
	room := w.room
	w.room = codeRoom{} // which nobody else takes meanwhile
	mf.Code, mf.At, mf.Rule, mf.Inlined, mf.Infos = room.code[:0], room.at[:0], room.rule[:0], nil, nil
	if body != nil {
		g.stmt(body)
	}
	at := lang.Span{}
	if body != nil {
		at = body.at
	}
	none := &node{op: nConst, v: value.None, at: at, rule: -1}
	g.ret(none, none.v)
	mf.Regs += 2
	thread(mf.Code)
	clearDead(mf.Code)
	w.room = codeRoom{code: mf.Code, at: mf.At, rule: mf.Rule}
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

func (g *gen) emit(n *node, op code.Op, a, b, c int) int {
	g.mf.Code = append(g.mf.Code, code.Ins{Op: op, A: int32(a), B: int32(b), C: int32(c)})
	g.mf.At = append(g.mf.At, n.at)
	g.mf.Rule = append(g.mf.Rule, n.rule)
	if n.in != g.in {
		g.in = n.in
		g.mf.Inlined.Ranges = append(g.mf.Inlined.Ranges, code.InlinedRange{From: int32(len(g.mf.Code) - 1), In: n.in})
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
func (g *gen) operand(n *node) int {
	if n.op == nLocal {
		return n.a
	}
	r := g.temp()
	g.expr(n, r)
	return r
}

// expr puts the value of n into register dst.
func (g *gen) expr(n *node, dst int) {
	g.w.poll()
	mark := g.top
	switch n.op {
	case nConst:
		g.emit(n, code.LoadK, dst, int(int32(uint32(n.v))), int(int32(uint32(n.v>>32))))
	case nLocal:
		g.move(n, dst, n.a)
	case nCell:
		g.emit(n, code.GetAt, dst, n.a, 0)
	case nField:
		if at, ok := g.static(n); ok {
			g.emit(n, code.GetAt, dst, at, 0)
			break
		}
		g.emit(n, code.GetF, dst, g.operand(n.kids[0]), n.a)
	case nFieldOr:
		g.fieldOr(n, dst)
	case nCall:
		if body := g.inline(n); body != nil {
			g.inPlace(n, body, dst)
			break
		}
		base := g.window(n.kids, dst)
		g.emit(n, code.Call, base, n.a, len(n.kids))
		g.move(n, dst, base)
	case nCallV:
		base := g.window(n.kids, dst)
		g.emit(n, code.CallV, base, 0, len(n.kids)-1)
		g.move(n, dst, base)
	case nDraw:
		g.draw(n, dst)
	case nBuiltin:
		if kind, ok := g.kindAsked(n); ok {
			g.emit(n, code.Is, dst, g.operand(n.kids[0]), g.info(kind))
			break
		}
		if code.Builtins[n.a].Name == "empty" {
			g.emit(n, code.Empty, dst, g.operand(n.kids[0]), 0)
			break
		}
		base := g.window(n.kids, dst)
		g.emit(n, code.Builtin, base, n.a, len(n.kids))
		g.move(n, dst, base)
	case nBin:
		g.bin(n, dst)
	case nNot:
		g.emit(n, code.Not, dst, g.operand(n.kids[0]), 0)
	case nNeg:
		g.emit(n, code.Neg, dst, g.operand(n.kids[0]), 0)
	case nAnd, nOr:
		g.logic(n, dst)
	case nCond:
		no := g.jumps(n.kids[0], false)
		g.expr(n.kids[1], dst)
		end := g.emit(n, code.Jmp, 0, 0, 0)
		g.land(no...)
		g.expr(n.kids[2], dst)
		g.land(end)
	case nList:
		base := g.window(n.kids, dst)
		g.emit(n, code.MakeL, dst, base, len(n.kids))
	case nRange:
		g.emit(n, code.MakeR, dst, g.operand(n.kids[0]), g.operand(n.kids[1]))
	case nIndex:
		l := g.operand(n.kids[0])
		if i, ok := small(n.kids[1]); ok {
			g.emit(n, code.IndexI, dst, l, i)
			break
		}
		g.emit(n, code.Index, dst, l, g.operand(n.kids[1]))
	case nText:
		base := g.window(n.kids, dst)
		g.emit(n, code.Text, dst, base, len(n.kids))
	case nThrow:
		g.throw(n, dst)
	case nChoose:
		g.choose(n, dst)
	case nComp:
		g.comp(n, dst)
	case nNew:
		g.record(n)
		g.emit(n, code.Move, dst, n.b, 0)
	case nNeed:
		g.need(n, dst)
	case nElse:
		g.expr(n.kids[0], dst)
		some := g.emit(n, code.JmpSome, dst, 0, 0)
		g.expr(n.kids[1], dst)
		g.land(some)
	default:
		panic("no expression")
	}
	g.top = mark
}

// kindAsked gives the kind of sheet of which an expression asks whether something is one.
func (g *gen) kindAsked(n *node) (string, bool) {
	if code.Builtins[n.a].Name != "is" || n.kids[1].op != nConst || n.kids[1].v.Kind() != value.Symbol {
		return "", false
	}
	return g.w.Heap.TextOf(n.kids[1].v), true
}

// static gives the store word of a field of an instance known beforehand.
func (g *gen) static(n *node) (int, bool) {
	k := n.kids[0]
	if k.op != nConst || k.v.Kind() != value.Ref {
		return 0, false
	}
	off := k.v.Off()
	if off >= len(*g.w.store) {
		return 0, false
	}
	t := g.w.Prog.Types[(*g.w.store)[off].Int()]
	if n.a >= len(t.Slots) || t.Slots[n.a] == 0 {
		return 0, false
	}
	return off + int(t.Slots[n.a]), true
}

// move copies a register to where it is not yet.
func (g *gen) move(n *node, dst, from int) {
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
func (g *gen) window(kids []*node, dst int) int {
	base := g.place(dst)
	for i, k := range kids {
		if i > 0 {
			g.temp()
		}
		g.expr(k, base+i)
	}
	return base
}

func (g *gen) fieldOr(n *node, dst int) {
	obj := g.operand(n.kids[0])
	held := &node{op: nLocal, a: obj, at: n.at, rule: n.rule, in: n.in}
	lacks := g.emit(n, code.JmpLacks, obj, n.a, 0)
	g.emit(n, code.GetF, dst, obj, n.a)
	end := g.emit(n, code.Jmp, 0, 0, 0)
	g.land(lacks)
	other := *n.kids[1]
	other.kids = append([]*node{held}, other.kids[1:]...)
	g.expr(&other, dst)
	g.land(end)
}

func small(n *node) (int, bool) {
	if n.op != nConst || !n.v.IsInt() {
		return 0, false
	}
	i := n.v.Int()
	return int(i), i == int64(int32(i))
}

func (g *gen) bin(n *node, dst int) {
	x, y := n.kids[0], n.kids[1]
	if i, ok := small(y); ok {
		switch code.Op(n.a) {
		case code.Add:
			g.emit(n, code.AddI, dst, g.operand(x), i)
			return
		case code.Sub:
			if i > -1<<31 && x.op != nConst {
				a := g.operand(x)
				g.emit(n, code.SubI, dst, a, i)
				return
			}
		}
	}
	a := g.operand(x)
	b := g.operand(y)
	g.emit(n, code.Op(n.a), dst, a, b)
}

func (g *gen) logic(n *node, dst int) {
	x, y := n.kids[0], n.kids[1]
	g.expr(x, dst)
	op := code.JmpNot
	if n.op == nOr {
		op = code.JmpIf
	}
	j := g.emit(n, op, dst, 0, 0)
	g.expr(y, dst)
	switch known := n.op == nOr || g.givesTruth(x); {
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
func (g *gen) givesTruth(n *node) bool {
	switch n.op {
	case nConst:
		return n.v == value.Yes || n.v == value.No
	case nNot, nAnd, nOr:
		return true
	case nBin:
		op := code.Op(n.a)
		return op >= code.Eq && op <= code.In
	case nBuiltin:
		switch code.Builtins[n.a].Name {
		case "is", "empty":
			return true
		}
	case nCond:
		return g.givesTruth(n.kids[1]) && g.givesTruth(n.kids[2])
	case nComp:
		return n.info == "any" || n.info == "all"
	case nCall:
		l := g.leaf(n)
		return l != nil && g.givesTruth(l.body)
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
func (g *gen) jumps(n *node, when bool) []int {
	mark := g.top
	defer func() { g.top = mark }()
	switch n.op {
	case nNot:
		return g.jumps(n.kids[0], !when)
	case nAnd, nOr:
		if (n.op == nOr) == when {
			return append(g.jumps(n.kids[0], when), g.jumps(n.kids[1], when)...)
		}
		skip := g.jumps(n.kids[0], !when)
		out := g.jumps(n.kids[1], when)
		g.land(skip...)
		return out
	case nCell, nField, nCond:
		return g.decide(n, n, when)
	case nCall:
		if body := g.inline(n); body != nil {
			return g.decide(body, n, when)
		}
	case nBin:
		op := code.Op(n.a)
		if at, ok := g.word(n.kids[0]); ok && n.kids[1].op == nConst {
			if j, ok := g.testWord(n, at, op, when); ok {
				return []int{j}
			}
		}
		if c := n.kids[1]; c.op == nConst && c.v == value.None && (op == code.Eq || op == code.Ne) {
			jump := code.JmpNone
			if (op == code.Eq) != when {
				jump = code.JmpSome
			}
			return []int{g.emit(n, jump, g.operand(n.kids[0]), 0, 0)}
		}
		if !when {
			op = opposite[op]
		}
		if pair, ok := fused[op]; ok && code.Op(n.a) != code.In {
			a := g.operand(n.kids[0])
			if i, ok := small(n.kids[1]); ok {
				return []int{g.emit(n, pair[1], a, i, 0)}
			}
			return []int{g.emit(n, pair[0], a, g.operand(n.kids[1]), 0)}
		}
	case nConst:
		if yes, ok := n.v.Truth(); ok {
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

// word gives the known store word that an expression reads.
func (g *gen) word(n *node) (int, bool) {
	switch n.op {
	case nCell:
		return n.a, true
	case nField:
		return g.static(n)
	}
	return 0, false
}

// testWord emits a jump on the comparison of a store word with a constant.
func (g *gen) testWord(n *node, at int, op code.Op, when bool) (int, bool) {
	c := n.kids[1]
	if c.v == value.None && (op == code.Eq || op == code.Ne) {
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

func (g *gen) throw(n *node, dst int) {
	r := g.place(dst)
	g.expr(n.kids[0], r)
	info := -1
	if n.info != nil {
		ti := n.info.(*code.ThrowInfo)
		if n.kids[1] != nil {
			label := g.temp()
			g.expr(n.kids[1], label)
			ti = &code.ThrowInfo{Reg: label - r}
		}
		info = g.info(ti)
	}
	if names := n.kids[2]; names != nil && (g.traced || does(names, false)) {
		list := g.temp()
		g.expr(names, list)
		if g.traced {
			g.emit(n, code.Event, list, g.info(&DiceInfo{}), 0)
		}
	}
	g.emit(n, code.Throw, r, info, 0)
	g.move(n, dst, r)
}

// choose: an answer given ahead must be among the options; then tactics, then
// whoever is asked.
func (g *gen) choose(n *node, dst int) {
	by, from, prompt, answer, def := n.kids[0], n.kids[1], n.kids[2], n.kids[3], n.kids[4]
	w := g.temps(4)
	g.expr(by, w)
	g.maybe(prompt, w+1, n)
	g.expr(from, w+2)
	ai := g.info(n.info)
	var ends []int
	if answer != nil {
		g.expr(answer, dst)
		none := g.emit(n, code.JmpNone, dst, 0, 0)
		g.emit(n, code.AmongOr, dst, w+2, 0)
		g.decided(n, w, dst, "clause")
		ends = append(ends, g.emit(n, code.Jmp, 0, 0, 0))
		g.land(none)
	}
	ends = append(ends, g.tactic(n, w, dst, ai, w+2)...)
	g.maybe(def, w+3, n)
	info := n.info.(*code.AskInfo)
	who := -1
	if info.Random && g.traced {
		who = g.temps(3)
		g.emit(n, code.Move, who, w, 0)
		g.emit(n, code.Move, who+1, w+1, 0)
	}
	g.emit(n, code.Ask, w, ai, 0)
	g.emit(n, code.Move, dst, w, 0)
	if info.Random {
		ends = append(ends, g.pick(n, w+2, dst, info)...)
		if g.traced {
			g.emit(n, code.Move, who+2, dst, 0)
			g.emit(n, code.Event, who, g.info(&DecidedInfo{info, "default"}), 0)
		}
	}
	g.land(ends...)
}

// draw has a die choose from a list: nobody is asked, and an only element needs no die.
func (g *gen) draw(n *node, dst int) {
	list := g.temps(2)
	g.expr(n.kids[0], list)
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
func (g *gen) pick(n *node, list, dst int, info *code.AskInfo) []int {
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

func (g *gen) maybe(n *node, dst int, at *node) {
	if n == nil {
		n = &node{op: nConst, v: value.None, at: at.at, rule: at.rule}
	}
	g.expr(n, dst)
}

// tactic lets tactics answer: who is in register w, the answer goes to dst;
// the jumps are taken when there was one. What is not among the options, which
// are in a register where there are any, is no answer.
func (g *gen) tactic(n *node, w, dst, ai, options int) []int {
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
func (g *gen) decided(n *node, w, answer int, from string) {
	if !g.traced {
		return
	}
	t := g.temps(3)
	g.emit(n, code.Move, t, w, 0)
	g.emit(n, code.Move, t+1, w+1, 0)
	g.emit(n, code.Move, t+2, answer, 0)
	g.emit(n, code.Event, t, g.info(&DecidedInfo{n.info.(*code.AskInfo), from}), 0)
}

func (g *gen) comp(n *node, dst int) {
	kind := n.info.(string)
	it, acc, best := n.b, dst, n.b+3
	elem := best
	if kind == "list" {
		// what is put into the list stands behind it
		if acc = n.b + 2; g.highest(dst) {
			acc, elem = dst, g.temp()
		}
	}
	zero := value.None
	switch kind {
	case "list":
		zero = value.EmptyList
	case "any":
		zero = value.No
	case "all":
		zero = value.Yes
	case "count", "sum":
		zero = value.OfInt(0)
	}
	load := func(v V, r int) {
		g.emit(n, code.LoadK, r, int(int32(uint32(v))), int(int32(uint32(v>>32))))
	}
	g.expr(n.kids[0], it)
	load(value.OfInt(0), it+1)
	load(zero, acc)
	if kind == "highest" || kind == "lowest" {
		load(value.None, best)
	}
	start := g.here()
	end := []int{g.emit(n, code.Iter, it, n.a, 0)}
	var next []int
	if kind == "all" && n.kids[1] != nil {
		next = g.jumps(n.kids[1], true)
		load(value.No, acc)
		end = append(end, g.emit(n, code.Jmp, 0, 0, 0))
	} else if n.kids[1] != nil {
		next = g.jumps(n.kids[1], false)
	}
	mark := g.top
	switch kind {
	case "list":
		g.expr(n.kids[2], elem)
		g.emit(n, code.Builtin, acc, code.BuiltinIndex("with"), 2)
	case "any":
		load(value.Yes, acc)
		end = append(end, g.emit(n, code.Jmp, 0, 0, 0))
	case "all":
	case "count":
		g.emit(n, code.AddI, acc, acc, 1)
	case "sum":
		g.emit(n, code.Add, acc, acc, g.operand(n.kids[2]))
	case "first":
		g.emit(n, code.Move, acc, n.a, 0)
		end = append(end, g.emit(n, code.Jmp, 0, 0, 0))
	case "highest", "lowest":
		r := g.temp()
		g.expr(n.kids[2], r)
		first := g.emit(n, code.JmpNone, acc, 0, 0)
		op := code.JLe
		if kind == "lowest" {
			op = code.JGe
		}
		next = append(next, g.emit(n, op, r, best, 0))
		g.land(first)
		g.emit(n, code.Move, acc, n.a, 0)
		g.emit(n, code.Move, best, r, 0)
	}
	g.top = mark
	g.land(next...)
	g.emit(n, code.Jmp, 0, 0, start)
	g.land(end...)
	g.move(n, dst, acc)
}

// record makes a new record in register n.b.
func (g *gen) record(n *node) {
	sets := n.info.(*newInfo)
	mark := g.top
	// What goes into the record is worked out first where it is given from
	// outside; defaults may read the record itself, so the record comes first.
	g.emit(n, code.New, n.b, n.a, 0)
	for i, k := range n.kids {
		r := g.operand(k)
		if sets.syms[i] >= 0 {
			g.emit(n, code.SetF, n.b, r, sets.syms[i])
			// SetF has its object in A, its value in B and the field in C
		} else {
			g.emit(n, code.SetHeader, n.b, r, sets.headers[i])
		}
		g.top = mark
	}
}

func (g *gen) need(n *node, dst int) {
	g.expr(n.kids[0], dst)
	some := g.emit(n, code.JmpSome, dst, 0, 0)
	w := g.temps(3)
	g.expr(n.kids[1], w)
	g.constant(g.w.Heap.OfText(" has no "+n.info.(string)), w+1, n)
	g.emit(n, code.Text, w, w, 2)
	g.emit(n, code.Fail, w, g.info(&code.FailInfo{Kind: code.Refused, Clause: ""}), 0)
	g.land(some)
}

// result returns the value of an expression, for the statement n.
func (g *gen) result(n, x *node) {
	if body := g.inline(x); body != nil {
		x = body
	}
	switch x.op {
	case nConst:
		g.ret(n, x.v)
	case nCond:
		no := g.jumps(x.kids[0], false)
		g.result(n, x.kids[1])
		g.land(no...)
		g.result(n, x.kids[2])
	case nAnd, nOr:
		when := x.op == nOr
		decided := g.decide(x.kids[0], x, when)
		r := g.temp()
		if g.expr(x.kids[1], r); !g.givesTruth(x.kids[1]) {
			g.emit(x, code.Truth, r, 0, 0)
		}
		g.endShows(n, 0)
		g.emit(n, code.Ret, r, 0, 0)
		g.land(decided...)
		g.ret(n, value.OfBool(when))
	default:
		r := g.operand(x)
		g.endShows(n, 0)
		g.emit(n, code.Ret, r, 0, 0)
	}
}

// decide emits jumps that are taken when x, which is part of the expression whole, is yes (or
// no). They are as jumps has them, except that what is neither is wrong in the whole, as it is
// where the value of that is worked out.
func (g *gen) decide(x, whole *node, when bool) []int {
	mark := g.top
	defer func() { g.top = mark }()
	switch x.op {
	case nNot:
		return g.decide(x.kids[0], x, !when)
	case nAnd, nOr:
		if (x.op == nOr) == when {
			return append(g.decide(x.kids[0], x, when), g.decide(x.kids[1], x, when)...)
		}
		skip := g.decide(x.kids[0], x, !when)
		out := g.decide(x.kids[1], x, when)
		g.land(skip...)
		return out
	case nCond:
		no := g.jumps(x.kids[0], false)
		out := g.decide(x.kids[1], whole, when)
		end := g.emit(x, code.Jmp, 0, 0, 0)
		g.land(no...)
		out = append(out, g.decide(x.kids[2], whole, when)...)
		g.land(end)
		return out
	case nBin:
		if op := code.Op(x.a); op >= code.Eq && op <= code.Ge {
			return g.jumps(x, when)
		}
	case nCall:
		if body := g.inline(x); body != nil {
			return g.decide(body, whole, when)
		}
	case nConst:
		if _, ok := x.v.Truth(); ok {
			return g.jumps(x, when)
		}
	case nCell, nField:
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
func (g *gen) ret(n *node, v V) {
	g.endShows(n, 0)
	g.emit(n, code.RetK, 0, int(int32(uint32(v))), int(int32(uint32(v>>32))))
}

func (g *gen) constant(v V, dst int, at *node) {
	g.expr(&node{op: nConst, v: v, at: at.at, rule: at.rule}, dst)
}

// ---- statements ---------------------------------------------------------

func (g *gen) stmt(n *node) {
	if n == nil {
		return
	}
	mark := g.top
	switch n.op {
	case nSeq:
		for _, k := range n.kids {
			g.stmt(k)
		}
	case nNothing:
	case nSet:
		g.set(n)
	case nSetCell:
		g.emit(n, code.SetAt, g.operand(n.kids[0]), n.a, 0)
	case nSetField:
		obj := g.operand(n.kids[0])
		op := code.SetF
		switch n.b {
		case 1:
			op = code.InitF
		case 2:
			op = code.DefaultF
		}
		g.emit(n, op, obj, g.operand(n.kids[1]), n.a)
	case nIf:
		g.ifStmt(n)
	case nFor:
		g.forLoop(n)
	case nWhile:
		g.loops = append(g.loops, &loop{shows: len(g.shows)})
		start := g.head(n)
		out := g.jumps(n.kids[0], false)
		g.stmt(n.kids[1])
		g.endLoop(n, start, out)
	case nRepeat:
		g.repeat(n)
	case nJump:
		l := g.loops[len(g.loops)-1]
		g.endShows(n, l.shows)
		j := g.emit(n, code.Jmp, 0, 0, 0)
		if n.a == 1 {
			l.nexts = append(l.nexts, j)
		} else {
			l.stops = append(l.stops, j)
		}
	case nReturn:
		if len(n.kids) == 0 {
			g.ret(n, value.None)
			break
		}
		g.result(n, n.kids[0])
	case nFail:
		g.emit(n, code.Fail, g.operand(n.kids[0]), g.info(n.info), 0)
	case nOffer:
		g.offer(n)
	case nSignal:
		g.signal(n)
	case nEvent:
		g.event(n)
	case nOutcome:
		g.outcome(n)
	case nExpect:
		g.expect(n)
	case nBoundary:
		g.boundary(n)
	case nRunBlock:
		none := g.emit(n, code.JmpNone, n.kids[0].a, 0, 0)
		r := g.temp()
		g.emit(n, code.Move, r, n.kids[0].a, 0)
		for _, k := range n.kids[1:] {
			g.expr(k, g.temp())
		}
		g.emit(n, code.CallV, r, 0, len(n.kids)-1)
		g.land(none)
	case nAct:
		g.act(n)
	case nExpr:
		g.expr(n.kids[0], g.temp())
	case nGive:
		g.emit(n, code.Given, g.operand(n.kids[0]), n.a, 0)
	case nShow:
		g.show(n)
	case nTactics:
		g.emit(n, code.SetTactics, g.operand(n.kids[0]), n.a, 0)
	case nMark:
		g.emit(n, code.KeepMark, 0, n.a, 0)
	case nEndTactics:
		g.emit(n, code.EndTactics, 0, n.a, 0)
	case nDecline:
		g.decline(n)
	case nNoneRefused:
		g.emit(n, code.CheckTactics, 0, g.info(n.info), 0)
	case nMustFail:
		g.mustFail(n)
	case nTry:
		// Register n.a becomes yes when the body was done, no when it was refused.
		g.constant(value.No, n.a, n)
		t := g.try(n)
		g.constant(value.Yes, n.a, n)
		g.land(t)
	default:
		panic("no statement")
	}
	g.top = mark
}

// set gives a variable a value. What is written before the value is known is not the
// variable's own register if that matters.
func (g *gen) set(n *node) {
	v := n.kids[0]
	switch v.op {
	case nAnd, nOr, nCond, nNeed, nElse, nChoose, nComp:
		if g.guarded > 0 || reads(v, n.a) {
			r := g.temp()
			g.expr(v, r)
			g.emit(n, code.Move, n.a, r, 0)
			return
		}
	}
	g.expr(v, n.a)
}

// reads says whether an expression reads a variable.
func reads(n *node, reg int) bool {
	return n != nil && (n.op == nLocal && n.a == reg || slices.ContainsFunc(n.kids, func(k *node) bool { return reads(k, reg) }))
}

func (g *gen) ifStmt(n *node) {
	if k := n.kids[1]; k.op == nSeq && len(k.kids) == 0 {
		yes := g.jumps(n.kids[0], true)
		g.stmt(n.kids[2])
		g.land(yes...)
		return
	}
	no := g.jumps(n.kids[0], false)
	g.stmt(n.kids[1])
	if n.kids[2] == nil {
		g.land(no...)
		return
	}
	end := g.emit(n, code.Jmp, 0, 0, 0)
	g.land(no...)
	g.stmt(n.kids[2])
	g.land(end)
}

// head begins a loop.
func (g *gen) head(n *node) int { return g.emit(n, code.Head, 0, 0, 0) }

func (g *gen) endLoop(n *node, start int, out []int) {
	l := g.loops[len(g.loops)-1]
	g.loops = g.loops[:len(g.loops)-1]
	g.land(l.nexts...)
	g.emit(n, code.Jmp, 0, 0, start)
	g.land(out...)
	g.land(l.stops...)
}

func (g *gen) forLoop(n *node) {
	it, elem := n.b, n.a
	if elem < 0 {
		elem = g.temp()
	}
	g.expr(n.kids[0], it)
	g.constant(value.OfInt(0), it+1, n)
	g.loops = append(g.loops, &loop{shows: len(g.shows)})
	start := g.head(n)
	out := []int{g.emit(n, code.Iter, it, elem, 0)}
	if n.a < 0 {
		g.emit(n, code.SetAt, elem, n.info.(int), 0)
	}
	if n.kids[1] != nil {
		l := g.loops[len(g.loops)-1]
		l.nexts = append(l.nexts, g.jumps(n.kids[1], false)...)
	}
	g.stmt(n.kids[2])
	l := g.loops[len(g.loops)-1]
	g.loops = g.loops[:len(g.loops)-1]
	g.land(l.nexts...)
	g.emit(n, code.Jmp, 0, 0, start)
	g.land(out...)
	g.land(l.stops...)
}

func (g *gen) repeat(n *node) {
	g.expr(n.kids[0], n.b)
	g.constant(value.OfInt(0), n.b+1, n)
	g.loops = append(g.loops, &loop{shows: len(g.shows)})
	start := g.head(n)
	out := []int{g.emit(n, code.JGe, n.b+1, n.b, 0)}
	g.emit(n, code.AddI, n.b+1, n.b+1, 1)
	g.stmt(n.kids[1])
	g.endLoop(n, start, out)
}

func (g *gen) offer(n *node) {
	to, prompt, cost, payer, when, answer, def, body, other := n.kids[0], n.kids[1], n.kids[2], n.kids[3], n.kids[4], n.kids[5], n.kids[6], n.kids[7], n.kids[8]
	ans, price := n.b, n.b+1
	info := n.info.(*code.AskInfo)
	ai := g.info(info)
	var not []int
	if info.Pure && answer == nil && !g.traced {
		not = append(not, g.emit(n, code.JmpUnasked, 0, ai, 0))
		if must := n.kids[9]; must != nil {
			not = append(not, g.undecided(n, to, ai, must.kids))
		}
	}
	if when != nil {
		not = append(not, g.jumps(when, false)...)
	}
	purse := g.temp()
	if cost != nil {
		g.expr(cost, price)
		obj := g.operand(payer)
		g.emit(n, code.GetF, purse, obj, n.a)
		not = append(not, g.emit(n, code.JLt, purse, price, 0))
	}
	w := g.temps(5)
	g.expr(to, w)
	g.expr(prompt, w+1)
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
	g.emit(n, code.Ask, w, ai, 0)
	g.emit(n, code.Move, ans, w, 0)
	g.land(have...)
	not = append(not, g.emit(n, code.JmpNot, ans, 0, 0))
	if cost != nil {
		obj := g.operand(payer)
		purse := g.temp()
		g.emit(n, code.GetF, purse, obj, n.a)
		g.emit(n, code.Sub, purse, purse, price)
		g.emit(n, code.SetF, obj, purse, n.a)
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
func (g *gen) signal(n *node) {
	it, feat := n.b, n.b+2
	args := n.kids[1:]
	vals := make([]*node, len(args))
	for i, a := range args {
		if a.op == nLocal || a.op == nConst {
			vals[i] = a
			continue
		}
		r := g.temp()
		g.expr(a, r)
		vals[i] = &node{op: nLocal, a: r, at: a.at, rule: a.rule}
	}
	g.expr(n.kids[0], it)
	g.emit(n, code.Feats, it, 0, 0)
	g.constant(value.OfInt(0), it+1, n)
	start := g.here()
	out := g.emit(n, code.Iter, it, feat, 0)
	w := g.temps(2 + len(args))
	g.emit(n, code.Handler, w, feat, n.a)
	g.emit(n, code.JmpNone, w, 0, start)
	g.emit(n, code.Move, w+1, feat, 0)
	for i, v := range vals {
		g.expr(v, w+2+i)
	}
	g.emit(n, code.CallV, w, 0, 1+len(args))
	g.emit(n, code.Jmp, 0, 0, start)
	g.land(out)
	g.globals(n, n.a, vals)
}

func (g *gen) globals(n *node, hook int, vals []*node) {
	for _, slot := range g.w.Prog.Hooks[hook].Global {
		base := g.window(vals, -1)
		g.emit(n, code.Call, base, slot, len(vals))
	}
}

func (g *gen) mustFail(n *node) {
	x := n.info.(*MustFailInfo)
	info := g.info(&code.MustFail{Word: x.Word, Part: x.Part, Info: x})
	if x.Word != "refused" {
		g.emit(n, code.Capture, 0, 0, 0)
		g.stmt(n.kids[0])
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
func (g *gen) try(n *node) int {
	t := g.emit(n, code.Try, 0, 0, 0)
	g.guarded++
	g.stmt(n.kids[0])
	g.guarded--
	g.emit(n, code.EndTry, 0, 0, 0)
	return t
}

// event tells whoever listens; without listeners there is no code for it.
func (g *gen) event(n *node) {
	say, _ := n.info.(*SayInfo)
	counts := say != nil && (say.Kind == "fault" || say.Kind == "warn")
	_, report := n.info.(*ReportInfo)
	if !g.traced && !counts && !report {
		// nobody reads it, but what it does is done
		_, value := n.info.(*ValueInfo)
		for _, k := range n.kids {
			if does(k, value) {
				mark := g.top
				g.expr(k, g.temp())
				g.top = mark
			}
		}
		if say != nil && say.Kind == "print" {
			g.emit(n, code.Prints, 0, g.leastText(n.kids[0])+1, 0)
		}
		return
	}
	base := g.window(n.kids, -1)
	if report {
		g.emit(n, code.Reported, base, g.info(n.info), 0)
	}
	if g.traced {
		g.emit(n, code.Event, base, g.info(n.info), 0)
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
func (g *gen) leastText(n *node) int {
	size := 0
	switch {
	case n.op == nText:
		for _, k := range n.kids {
			size += g.leastText(k)
		}
	case n.op == nConst && n.v.Kind() == value.Text:
		size = len(g.w.Heap.TextOf(n.v))
	}
	return size
}

// does says whether an expression throws dice or asks for a decision, or, with
// calls, calls a rule that may do anything.
func does(n *node, calls bool) bool {
	switch {
	case n == nil:
		return false
	case n.op == nThrow || n.op == nChoose || n.op == nDraw || calls && (n.op == nCall || n.op == nCallV):
		return true
	}
	return slices.ContainsFunc(n.kids, func(k *node) bool { return does(k, calls) })
}

// keep puts the ith value of an outcome where it stays, if somebody reads it there.
func (g *gen) keep(n *node, i, r int) {
	info := n.info.(*outcomeCells)
	if at, ok := g.w.keptKeys[info.info.Names[i]]; ok {
		g.emit(n, code.SetAt, r, at, 0)
	}
}

func (g *gen) outcome(n *node) {
	oi := n.info.(*outcomeCells)
	kids := n.kids
	if !g.traced {
		// texts are for the reader only
		kids = slices.Clone(kids)
		for i, k := range kids {
			if k.op == nText {
				kids[i] = &node{op: nConst, v: value.None, at: k.at, rule: k.rule}
			}
		}
	}
	if !g.traced && !slices.ContainsFunc(kids, func(k *node) bool { return k.op != nLocal && k.op != nConst }) {
		g.emit(n, code.Clear, 0, 0, 0)
		for i, c := range oi.cells {
			if kids[i].op == nConst && kids[i].v == value.None {
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
	for i, c := range oi.cells {
		g.emit(n, code.SetLast, base+i, c, 0)
		if k := n.kids[i]; k.op != nConst || k.v != value.None {
			g.keep(n, i, base+i)
		}
	}
	if g.traced {
		g.emit(n, code.Event, base, g.info(oi.info), 0)
	}
}

func (g *gen) expect(n *node) {
	info := n.info.(*ExpectInfo)
	k := n.kids[0]
	r := g.temps(3)
	if info.Compare && k.op == nBin {
		g.expr(k.kids[0], r+1)
		g.expr(k.kids[1], r+2)
		g.emit(k, code.Op(k.a), r, r+1, r+2)
	} else {
		g.expr(k, r)
		g.emit(n, code.Truth, r, 0, 0)
	}
	ok := g.emit(n, code.JmpIf, r, 0, 0)
	if !info.Compare || k.op != nBin { // there are no two values to tell
		g.constant(value.None, r+1, n)
		g.constant(value.None, r+2, n)
	}
	g.emit(n, code.Unmet, r, g.info(info), 0)
	g.land(ok)
}

func (g *gen) boundary(n *node) {
	it := n.info.(int)
	name := g.w.Prog.Spans[n.a]
	symbol := &node{op: nConst, v: g.w.Heap.OfSymbol(name), at: n.at, rule: n.rule}
	if n.b == 1 {
		if g.traced {
			r := g.temp()
			g.constant(value.None, r, n)
			g.emit(n, code.Event, r, g.info(&SpanInfo{name, true}), 0)
		}
		g.tellReset(n, it, name, true)
		g.everybody(n, code.HookEnds, symbol, it)
		g.reset(n, it)
		g.tellReset(n, it, "", false)
		return
	}
	if g.traced {
		title := &node{op: nConst, v: value.None, at: n.at, rule: n.rule}
		if len(n.kids) > 0 {
			title = n.kids[0]
		}
		r := g.temp()
		g.expr(title, r)
		g.emit(n, code.Event, r, g.info(&SpanInfo{name, false}), 0)
	}
	g.tellReset(n, it, name, false)
	g.reset(n, it)
	g.tellReset(n, it, "", false)
	g.everybody(n, code.HookBegins, symbol, it)
}

// tellReset tells whoever listens that what changes from here on does so because of
// the boundary of a span, or, without one, that this is over.
func (g *gen) tellReset(n *node, reg int, span string, end bool) {
	if g.traced {
		g.emit(n, code.Event, reg, g.info(&ResetInfo{span, end}), 0)
	}
}

// reset puts fields back that do not outlast the span.
func (g *gen) reset(n *node, it int) {
	g.emit(n, code.ResetK, 0, n.a, n.b)
	g.emit(n, code.ResetL, it, 2*n.a+n.b, 0) // of Type.Resets
	g.constant(value.OfInt(0), it+1, n)
	start := g.here()
	out := g.emit(n, code.Iter, it, it+2, 0)
	w := g.temps(2)
	g.emit(n, code.ResetFn, w, it+2, 2*n.a+n.b)
	g.emit(n, code.JmpNone, w, 0, start)
	g.emit(n, code.Move, w+1, it+2, 0)
	g.emit(n, code.CallV, w, 0, 1)
	g.emit(n, code.Jmp, 0, 0, start)
	g.land(out)
}

// everybody signals a hook to all long-lived instances.
func (g *gen) everybody(n *node, hook int, arg *node, it int) {
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
	g.globals(n, hook, []*node{arg})
}

// act has somebody act, see machine/act.go for the code: a command that they are asked
// for, or the parts of their tactics until one of them has done something. There is more
// than one part only where tactics may lie over others.
func (g *gen) act(n *node) {
	parts := 1
	if g.w.layered > 0 {
		parts = g.w.layered + 2 // the `when` entries of each layer, and one `otherwise`
	}
	who := g.temp() // below what the call takes
	r := g.temps(2)
	if parts == 1 {
		who = r + 1
	}
	g.expr(n.kids[0], who)
	ask, out := g.ask(n, who)
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
func (g *gen) ask(n *node, who int) (ask int, over []int) {
	if !g.w.Prog.Attended {
		return -1, nil
	}
	r := g.temps(3)
	g.emit(n, code.Move, r+1, who, 0)
	g.constant(value.OfInt(0), r+2, n)
	ask = g.emit(n, code.Act, r+1, 0, 0)
	g.emit(n, code.EndAct, r+1, 0, 0)
	if until := n.kids[1]; until != nil {
		over = g.jumps(until, true)
		g.emit(n, code.Jmp, 0, 0, ask)
	} else {
		over = append(over, g.emit(n, code.Jmp, 0, 0, 0))
	}
	g.land(ask)
	return ask, over
}

// decline tells that an entry of tactics was refused.
func (g *gen) decline(n *node) {
	tactic := n.info.(*code.Tactic)
	g.emit(n, code.Decline, 0, g.info(tactic), 0)
	if !g.traced {
		return
	}
	w := g.temps(2)
	g.expr(n.kids[0], w)
	g.emit(n, code.Refusal, w+1, 0, 0)
	g.emit(n, code.Event, w, g.info(&code.Declined{Tactic: tactic}), 0)
}

func (g *gen) show(n *node) {
	if !g.traced {
		g.stmt(n.kids[2])
		return
	}
	w := g.temps(2)
	g.expr(n.kids[0], w)
	g.maybe(n.kids[1], w+1, n)
	g.emit(n, code.Event, w, g.info(n.info), 0)
	g.shows = append(g.shows, w)
	g.stmt(n.kids[2])
	g.shows = g.shows[:len(g.shows)-1]
	g.emit(n, code.Event, w, g.info(&ShowEnd{}), 0)
}

// endShows closes the groups that have been opened since there were n, where the
// code leaves them.
func (g *gen) endShows(at *node, n int) {
	for i := len(g.shows) - 1; i >= n; i-- {
		g.emit(at, code.Event, g.shows[i], g.info(&ShowEnd{}), 0)
	}
}
