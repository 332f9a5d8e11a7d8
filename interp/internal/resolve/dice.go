package resolve

import (
	"math/big"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Dice are things: a rating is a d8, a pool is 2d6 + d8. Where a number is wanted, dice as they are
// written are no use as things, and are thrown:
//
//	d20 + 5 >= 15      2d6 == 7      -d4      3d6 / 2      report 3d6 + 1      2d20.max > 10
//
// What is thrown is the pool as it is written, at once, and its faces are added up. Beside other
// dice, in an operand, a field, a list or a variable they stay things: 2d6 + d8 is a pool, and
// x == d6 compares dice where x holds one.

// pool gives the dice that an expression is made of as they are written, nil where it is made of anything
// else: 2d6 + d8, n * d6, and that of which 2d20.max or 4d6.take(3) is a part. 2d6 * n is what 2d6 show, n times.
func pool(e lang.Expr) lang.Expr {
	switch e := e.(type) {
	case *lang.Dice:
		return e
	case *lang.Paren:
		return pool(e.X)
	case *lang.Binary:
		x, y := pool(e.X) != nil, pool(e.Y) != nil
		if e.Op == "+" && x && y || e.Op == "*" && !x && y {
			return e
		}
	}
	name, of := function(e)
	switch {
	case of == nil:
	case makesDice[name] && pool(of) != nil:
		return e
	case ofPool[name] != 0:
		return pool(of)
	}
	return nil
}

// makesDice are the functions that make other dice of dice.
var makesDice = map[string]bool{"explode": true, "reroll": true}

// maxFaces bounds the faces that are written on a die.
const maxFaces = 1000

// faces gives the list of what is on the faces of a die: numbers, words, or none.
func (f *Fn) faces(e *lang.Dice) ir.V {
	var all []ir.V
	for _, x := range e.Faces {
		v := value.None
		switch r, number := new(big.Rat).SetString(x.Shows); {
		case number && len(x.Shows) < 20:
			v = f.W.Heap.OfRat(r)
		case IsWord(x.Shows):
			v = f.W.Heap.OfSymbol(x.Shows)
		case x.Shows != "none":
			f.Err(decl.ErrAt(e.Span, "SP0405", "a face shows a number, a word or none, not %s", x.Shows))
		}
		if x.Many < 1 || int64(len(all))+x.Many > maxFaces {
			f.Err(decl.ErrAt(e.Span, "SP0406", "a die with faces of its own has 1 to %d of them: %s", maxFaces, e.Text))
			break
		}
		all = append(all, slices.Repeat([]ir.V{v}, int(x.Many))...)
	}
	return f.W.Heap.OfList(all)
}

// IsWord says whether what is on a face is a word.
func IsWord(face string) bool {
	return face != "none" && len(face) > 0 && face[0] >= 'a' && face[0] <= 'z' && strings.Trim(face, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// function gives the name of the function that an expression calls, and what it is about.
func function(e lang.Expr) (name string, of lang.Expr) {
	switch e := e.(type) {
	case *lang.Dot:
		return e.Name.Name, e.X
	case *lang.Call:
		if dot, ok := e.Fn.(*lang.Dot); ok {
			return dot.Name.Name, dot.X
		}
		if w, ok := e.Fn.(*lang.Word); ok && len(e.Args) > 0 && !(len(e.Args) > 1 && extremes[w.Name]) {
			return w.Name, e.Args[0]
		}
	}
	return "", nil
}

// ofPool are the functions of a pool of dice, with what they make of it: dice again, or a number.
var ofPool = map[string]code.Kinds{
	"take": code.OnList, "drop": code.OnList, "sorted": code.OnList, "reversed": code.OnList,
	"middle": code.OnList, "highest": code.OnList, "lowest": code.OnList, "drop_lowest": code.OnList, "drop_highest": code.OnList,
	"above": code.OnList, "below": code.OnList, "showing": code.OnList, "sparing": code.OnList,
	"max": code.OnDie, "min": code.OnDie, "first": code.OnDie, "last": code.OnDie,
	"count": code.OnNumber, "pairs": code.OnNumber, "largest_set": code.OnNumber, "straight": code.OnNumber,
	"sum": code.OnNumber, "face": code.OnNumber, "exceeding": code.OnNumber,
}

// readsFaces are those that read the faces of dice: these are thrown wherever they stand.
var readsFaces = map[string]bool{"highest": true, "lowest": true, "drop_lowest": true, "drop_highest": true, "sum": true, "face": true, "faces": true, "exceeding": true, "above": true, "below": true, "showing": true, "sparing": true,
	"middle": true, "count": true, "pairs": true, "largest_set": true, "straight": true}

// calculates are the functions of numbers.
var calculates = map[string]bool{"floor": true, "ceil": true, "round": true, "abs": true, "mod": true, "number": true, "whole": true, "within": true}

var extremes = map[string]bool{"min": true, "max": true}

// thrownIn gives the dice that an expression throws wherever it stands, nil if it throws none.
func thrownIn(e lang.Expr) lang.Expr {
	if name, of := function(e); of != nil && readsFaces[name] {
		return pool(of)
	}
	return nil
}

// comparesThrown gives the list of dice that a function reads as numbers, one for each turn, nil if there is none:
// [4d6.highest(3) for i in 1..6].max
func comparesThrown(e lang.Expr) *lang.Comp {
	name, of := function(e)
	if of == nil || !readsFaces[name] && !extremes[name] && name != "sorted" {
		return nil
	}
	return listOfPools(of)
}

// listOfPools gives a list of dice as they are written, one for each turn, nil where an expression is anything else.
func listOfPools(e lang.Expr) *lang.Comp {
	if c, ok := unwrapped(e).(*lang.Comp); ok && c.Kind == "list" && pool(c.Yield) != nil {
		return c
	}
	return nil
}

// told resolves an expression that is shown: of a list of dice, one for each turn, what they come to.
func (f *Fn) told(e lang.Expr) *ir.Node {
	if c := listOfPools(e); c != nil {
		f.amounting = c
	}
	return f.amount(e)
}

// throwing resolves an expression in which dice are thrown that would be things otherwise.
func (f *Fn) throwing(dice, e lang.Expr) *ir.Node {
	f.thrown = append(f.thrown, dice)
	defer func() { f.thrown = f.thrown[:len(f.thrown)-1] }()
	return f.Expr(e)
}

// amount resolves an expression where a number is wanted.
func (f *Fn) amount(e lang.Expr) *ir.Node {
	dice := pool(e)
	if dice == nil {
		return f.Expr(e)
	}
	n := f.throwing(dice, e)
	if showsWords(dice) {
		return n
	}
	if name, _ := function(unwrapped(e)); ofPool[name] == code.OnNumber {
		return n
	}
	return f.Builtin(code.BuiltinIndex("sum"), []*ir.Node{n}, e.Range())
}

// showsWords says whether dice have words on their faces, which nobody adds up.
func showsWords(dice lang.Expr) bool {
	d, ok := dice.(*lang.Dice)
	return ok && slices.ContainsFunc(d.Faces, func(x lang.Face) bool { return IsWord(x.Shows) })
}

func unwrapped(e lang.Expr) lang.Expr {
	for {
		p, ok := e.(*lang.Paren)
		if !ok {
			return e
		}
		e = p.X
	}
}

// amounts resolves arguments of a function. Numbers are wanted by those that calculate, and where several
// are compared.
func (f *Fn) amounts(name string, es []lang.Expr) []*ir.Node {
	if !calculates[name] && !(extremes[name] && len(es) > 1) {
		return f.args(es)
	}
	ns := make([]*ir.Node, len(es))
	for i, e := range es {
		ns[i] = f.amount(e)
	}
	return ns
}

// sides resolves the two sides of an operator. Dice beside what may be a number are thrown.
func (f *Fn) sides(e *lang.Binary) (x, y *ir.Node) {
	dx, dy := pool(e.X) != nil, pool(e.Y) != nil
	switch {
	case !dx && !dy:
		return f.Expr(e.X), f.Expr(e.Y)
	case e.Op == "-" || e.Op == "/" || dx && dy && e.Op != "+":
		return f.amount(e.X), f.amount(e.Y)
	case dx && dy:
		return f.Expr(e.X), f.Expr(e.Y)
	case e.Op == "in":
		if numbers(e.Y) {
			return f.amount(e.X), f.Expr(e.Y)
		}
		return f.Expr(e.X), f.Expr(e.Y)
	case dx && e.Op == "*":
		return f.amount(e.X), f.Expr(e.Y)
	case dx:
		y = f.Expr(e.Y)
		return f.beside(e.X, e.Op, y), y
	}
	x = f.Expr(e.X)
	return x, f.beside(e.Y, e.Op, x)
}

// numbers says whether an expression is a range, or a list of numbers as they are written.
func numbers(e lang.Expr) bool {
	switch e := e.(type) {
	case *lang.Range:
		return true
	case *lang.List:
		return !slices.ContainsFunc(e.Elems, func(x lang.Expr) bool { _, ok := x.(*lang.Num); return !ok })
	}
	return false
}

// beside resolves dice that stand beside something else: things beside dice, thrown beside a number. What
// a variable or a field holds shows in the run.
func (f *Fn) beside(dice lang.Expr, op string, other *ir.Node) *ir.Node {
	k := f.plainly(other)
	const things = ir.IsDie | ir.IsList
	switch {
	case op == "-=":
		return f.amount(dice)
	case op == "*", op == "and", op == "or", k&^(things|ir.IsNone) == 0, (op == "==" || op == "!=") && k != ir.IsNumber:
		return f.Expr(dice)
	case k&things == 0:
		return f.amount(dice)
	}
	switch other.Op {
	case ir.NLocal, ir.NCell, ir.NField:
		is := f.Builtin(code.BuiltinIndex("is_dice"), []*ir.Node{other}, other.At)
		return f.Mk(ir.NCond, dice.Range(), is, f.Expr(dice), f.amount(dice))
	}
	return f.amount(dice)
}

// heldKinds are the kinds that variables have been given in a function, as far as it is resolved: those in
// registers, and those of the script.
type heldKinds struct{ registers, cells map[int]ir.Kinds }

// holds notes what a variable is given.
func (f *Fn) holds(set, v *ir.Node) {
	if f.held.registers == nil {
		f.held = heldKinds{map[int]ir.Kinds{}, map[int]ir.Kinds{}}
	}
	if set.Op == ir.NSet {
		f.held.registers[set.A] |= f.plainly(v)
	} else {
		f.held.cells[set.A] |= f.plainly(v)
	}
}

// plainly gives the kinds of value that a node has at first sight: no rule is looked into.
func (f *Fn) plainly(n *ir.Node) ir.Kinds {
	const things = ir.IsDie | ir.IsList
	switch n.Op {
	case ir.NConst:
		return ir.KindOfValue(n.V)
	case ir.NThrow, ir.NList:
		return things
	case ir.NNeg:
		return ir.IsNumber
	case ir.NBuiltin:
		return ofBuiltin(&code.Builtins[n.A])
	case ir.NField:
		return (&Inference{Of: f.W}).ofField(n.A)
	case ir.NCond:
		return f.plainly(n.Kids[1]) | f.plainly(n.Kids[2])
	case ir.NLocal:
		if k, ok := f.held.registers[n.A]; ok {
			return k
		}
	case ir.NCell:
		return f.plainlyOfCell(n.A)
	case ir.NBin:
		k := f.plainly(n.Kids[0]) | f.plainly(n.Kids[1])
		switch op := code.Op(n.A); {
		case op == code.Sub || op == code.Div:
			return ir.IsNumber
		case op != code.Add && op != code.Mul:
			return ir.IsTruth
		case k == ir.IsNumber || k&^things == 0:
			return k
		}
	}
	return ir.Anything
}

func (f *Fn) plainlyOfCell(at int) ir.Kinds {
	k := f.held.cells[at]
	if bodies := watchOf(f.W).Bodies; bodies != nil {
		for _, b := range *bodies {
			k |= b.f.held.cells[at]
		}
	}
	if k == 0 {
		return ir.Anything
	}
	return k
}
