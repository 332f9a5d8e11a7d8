package resolve

import (
	"fmt"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// This file finds comparisons and conditions that cannot work: a list compared with a
// number, a text with a word, a word where yes or no is needed. The language has no
// declared types, so the kinds of values that an expression may have are inferred, as a
// set: from the types of fields, from what rules return, from what is assigned to a
// variable anywhere in the script. It is an abstract interpretation over sets of kinds
// (Cousot and Cousot, 1977) without regard to the order of statements. What is not known
// may be anything, so only what fails in every run is reported.

// Resolved is the body of a function of a script, or of a module that is looked at as a
// whole.
type Resolved struct {
	f    *Fn
	body *ir.Node
}

// Watch is what is looked at while a source is resolved.
type Watch struct {
	Bodies *[]Resolved // to look at, nil where nobody asks
	Deeds  *Deeds      // of rules, while conditions are looked at
}

func watchOf(w *decl.World) Watch {
	out, _ := w.Watch.(Watch)
	return out
}

// ResolvedBody keeps the body of a function to look at its kinds once all are known.
func (f *Fn) ResolvedBody(body *ir.Node) {
	if bodies := watchOf(f.W).Bodies; bodies != nil && body != nil {
		*bodies = append(*bodies, Resolved{f, body})
	}
}

// Inference infers kinds for the bodies of one source.
type Inference struct {
	w      *decl.World // a clone: what is resolved for its kinds only leaves no trace
	Of     *decl.World
	Rules  map[int]ir.Kinds         // by rule number
	Last   map[int]ir.Kinds         // by cell of a value of the last outcome
	Cells  map[int]ir.Kinds         // of variables that only this source sets
	Locals map[*Fn]map[int]ir.Kinds // of variables of rules, by register
	tables map[int]*decl.Rule       // by slot, see keys.go
	sheets bool                     // records that commands make are left out
}

// CheckKinds reports what cannot work in bodies. The variables in cells are new in this
// source.
func CheckKinds(w *decl.World, bodies []Resolved, cells map[string]int) lang.Diagnostics {
	in := NewInference(w)
	for _, at := range cells {
		in.Cells[at] = 0
	}
	sets := assigned(bodies)
	for changed := true; changed; {
		changed = false
		for _, s := range sets {
			if old, ok := in.Cells[s.cell]; ok && old|s.kinds(in) != old {
				in.Cells[s.cell], changed = old|s.kinds(in), true
			}
		}
	}
	var out lang.Diagnostics
	for _, b := range bodies {
		if len(b.f.Diags) > 0 {
			continue // what follows from a mistake is not worth telling
		}
		in.registers(b.f, b.body)
		for _, n := range b.f.folded {
			out = in.wrongIn(out, b.f, n)
		}
		b.f.folded = nil
		out = in.wrongIn(out, b.f, b.body)
		if b.f.Aim {
			out = in.aim(out, b.f, b.body.Kids[0])
		}
	}
	return out
}

// assignment gives a variable of the script a value.
type assignment struct {
	cell  int
	f     *Fn
	value *ir.Node // nil: it may be anything
}

func (s assignment) kinds(in *Inference) ir.Kinds {
	if s.value == nil || len(s.f.Diags) > 0 {
		return ir.Anything
	}
	return in.kinds(s.f, s.value)
}

// assigned gives what bodies assign to variables of the script.
func assigned(bodies []Resolved) (out []assignment) {
	for _, b := range bodies {
		b.body.Each(func(n *ir.Node) {
			switch n.Op {
			case ir.NSetCell:
				out = append(out, assignment{n.A, b.f, n.Kids[0]})
			case ir.NFor:
				if at, ok := n.Info.(int); ok && n.A < 0 {
					out = append(out, assignment{at, b.f, nil})
				}
			}
		})
	}
	return out
}

// registers gives the kinds of the variables that a function declares with let.
func (in *Inference) registers(f *Fn, body *ir.Node) {
	regs := map[int]ir.Kinds{}
	in.Locals[f] = regs
	for _, r := range f.lets {
		regs[r] = 0
	}
	if len(regs) == 0 {
		return
	}
	var visit func(n *ir.Node) bool
	visit = func(n *ir.Node) (changed bool) {
		if n == nil {
			return false
		}
		if n.Op == ir.NSet {
			if old, ok := regs[n.A]; ok {
				if k := old | in.kinds(f, n.Kids[0]); k != old {
					regs[n.A], changed = k, true
				}
			}
		}
		for _, k := range n.Kids {
			changed = visit(k) || changed
		}
		return changed
	}
	for visit(body) {
	}
}

// NewInference begins to infer in a world.
func NewInference(w *decl.World) *Inference {
	return &Inference{Of: w, Rules: map[int]ir.Kinds{}, Last: map[int]ir.Kinds{}, Cells: map[int]ir.Kinds{}, Locals: map[*Fn]map[int]ir.Kinds{}}
}

// IsTruth says whether an expression is always yes or no.
func (f *Fn) IsTruth(n *ir.Node) bool {
	return NewInference(f.W).kinds(f, n) == ir.IsTruth
}

// kinds gives the kinds that an expression may have.
func (in *Inference) kinds(f *Fn, n *ir.Node) ir.Kinds {
	if n == nil {
		return ir.IsNone
	}
	switch n.Op {
	case ir.NConst:
		if o, ok := n.Info.(*decl.Option); ok {
			k := ir.Kinds(0)
			for _, v := range o.Values {
				k |= ir.KindOfValue(v)
			}
			return k
		}
		return ir.KindOfValue(n.V)
	case ir.NLocal:
		if k, ok := in.Locals[f][n.A]; ok {
			return k
		}
	case ir.NCell:
		if k, ok := in.Cells[n.A]; ok {
			return k
		}
		return in.ofLast(n.A)
	case ir.NField:
		return in.ofField(n.A)
	case ir.NFieldOr:
		return in.ofField(n.A) | in.kinds(f, n.Kids[1])
	case ir.NCall:
		return in.OfRule(n.A)
	case ir.NBuiltin:
		return ofBuiltin(&code.Builtins[n.A])
	case ir.NBin:
		return in.ofOperator(f, n)
	case ir.NAnd, ir.NOr, ir.NNot:
		return ir.IsTruth
	case ir.NNeg:
		return ir.IsNumber
	case ir.NCond:
		return in.kinds(f, n.Kids[1]) | in.kinds(f, n.Kids[2])
	case ir.NElse:
		return in.kinds(f, n.Kids[0]) | in.kinds(f, n.Kids[1])
	case ir.NList:
		return ir.IsList
	case ir.NComp:
		switch n.Info.(string) {
		case "list":
			return ir.IsList
		case "any", "all":
			return ir.IsTruth
		case "count", "sum":
			return ir.IsNumber
		}
	case ir.NRange:
		return ir.IsRange
	case ir.NText:
		return ir.IsText
	case ir.NThrow:
		if in.Of.WordDice {
			return ir.Anything
		}
		return ir.IsDie | ir.IsList
	case ir.NNew:
		return ir.IsSheet
	case ir.NNeed:
		return ir.IsSheet | ir.IsNone
	}
	return ir.Anything
}

func (in *Inference) ofOperator(f *Fn, n *ir.Node) ir.Kinds {
	switch code.Op(n.A) {
	case code.Sub, code.Div:
		return ir.IsNumber
	case code.Mul, code.Add:
		if in.kinds(f, n.Kids[0])|in.kinds(f, n.Kids[1]) == ir.IsNumber {
			return ir.IsNumber
		}
		return ir.IsNumber | ir.IsText | ir.IsList | ir.IsDie
	}
	return ir.IsTruth
}

// ofField gives the kinds of the field of a name, on whatever sheet.
func (in *Inference) ofField(sym int) ir.Kinds {
	k := ir.Kinds(0)
	for _, sh := range in.Of.FieldOf[in.Of.Prog.Symbols[sym]] {
		if sh.Record && in.sheets {
			continue
		}
		if f := sh.ByName[in.Of.Prog.Symbols[sym]]; f != nil {
			k |= in.Of.KindsOfField(f)
		}
	}
	if k == 0 {
		return ir.Anything
	}
	return k | ir.IsNone
}

func ofBuiltin(b *code.BuiltinFunc) ir.Kinds {
	switch b.Name {
	case "empty", "has", "is":
		return ir.IsTruth
	case "symbol", "kind":
		return ir.IsWordKind
	case "size", "sum":
		return ir.IsNumber
	case "name":
		return ir.IsText
	}
	if b.Gives == 0 || b.Gives == code.OnAll {
		return ir.Anything
	}
	k := ir.IsNone
	for _, of := range []struct {
		on code.Kinds
		is ir.Kinds
	}{{code.OnNumber, ir.IsNumber}, {code.OnText, ir.IsText}, {code.OnList, ir.IsList}, {code.OnDie, ir.IsDie}, {code.OnMap, ir.IsMap}, {code.OnSheet, ir.IsSheet}} {
		if b.Gives&of.on != 0 {
			k |= of.is
		}
	}
	return k
}

// resolve gives the body of a function, nil where there is none to be had.
func (in *Inference) resolve(slot int) (*Fn, *ir.Node) {
	w := in.scratch()
	if slot < 0 || slot >= len(w.Prog.Slots) {
		return nil, nil
	}
	src, ok := w.Prog.Slots[slot].Source.(*FnSource)
	if !ok || src.Body == nil || src.Module == nil || src.Module.Script {
		return nil, nil
	}
	f := NewFn(w, src.Module)
	body := src.Body(f)
	if len(f.Diags) > 0 {
		return nil, nil
	}
	return f, body
}

// scratch gives the world in which to resolve what is only looked at.
func (in *Inference) scratch() *decl.World {
	if in.w == nil {
		in.w = in.Of.Clone()
		in.w.Watch = Watch{Deeds: watchOf(in.Of).Deeds}
	}
	return in.w
}

// OfRule gives the kinds that a rule of a module returns.
func (in *Inference) OfRule(slot int) ir.Kinds {
	if k, ok := in.Rules[slot]; ok {
		return k
	}
	in.Rules[slot] = ir.Anything // where it calls itself
	f, body := in.resolve(slot)
	if body == nil {
		return ir.Anything
	}
	in.registers(f, body)
	k := ir.Kinds(0)
	body.Each(func(n *ir.Node) {
		switch {
		case n.Op != ir.NReturn:
		case len(n.Kids) == 0:
			k |= ir.IsNone
		default:
			k |= in.kinds(f, n.Kids[0])
		}
	})
	if !returns(body) {
		k |= ir.IsNone
	}
	in.Rules[slot] = k
	return k
}

// returns says whether a body always ends with a value.
func returns(n *ir.Node) bool {
	switch {
	case n == nil:
		return false
	case n.Op == ir.NReturn, n.Op == ir.NFail:
		return true
	case n.Op == ir.NSeq:
		return slices.ContainsFunc(n.Kids, returns)
	case n.Op == ir.NIf:
		return returns(n.Kids[1]) && returns(n.Kids[2])
	}
	return false
}

// ofLast gives the kinds of a value of the last outcome.
func (in *Inference) ofLast(cell int) ir.Kinds {
	if k, ok := in.Last[cell]; ok {
		return k
	}
	in.Last[cell] = ir.Anything
	k := ir.Kinds(0)
	last, all := outcomesIn(in.Of, cell)
	for _, s := range all {
		k |= in.given(s, last)
	}
	if len(all) == 0 {
		return ir.Anything
	}
	k |= ir.IsNone
	in.Last[cell] = k
	return k
}

// outcomesIn gives the declarations whose outcomes put something into a cell, or into the one
// that it was kept from; none for a cell of something else.
func outcomesIn(w *decl.World, cell int) (last int, all []lang.Stmt) {
	name := ""
	for n, at := range w.LastKeys {
		if at == cell || w.KeptKeys[n] == cell {
			name, last = n, at
		}
	}
	return last, w.GivenBy[name]
}

// given gives the kinds of the value in a cell that the outcomes in a declaration have.
func (in *Inference) given(s lang.Stmt, cell int) ir.Kinds {
	k := ir.Kinds(0)
	if !in.eachGiven(s, cell, func(f *Fn, n *ir.Node) { k |= in.kinds(f, n) }) {
		return ir.Anything
	}
	return k
}

// eachGiven calls do for each value that the outcomes in a declaration put into a cell, and says
// whether they are known.
func (in *Inference) eachGiven(s lang.Stmt, cell int, do func(*Fn, *ir.Node)) bool {
	slot := -1
	switch s := s.(type) {
	case *lang.Rule:
		if r := in.Of.Rules[s.Name.Name]; r != nil && r.Base == nil {
			slot = r.Slot
		}
	case *lang.Verb:
		if v := in.Of.Verbs[s.Name.Name]; v != nil {
			slot = v.Slot
		}
	}
	f, body := in.resolve(slot)
	if body == nil {
		return false
	}
	in.registers(f, body)
	body.Each(func(n *ir.Node) {
		if info, ok := n.Info.(*ir.OutcomeCells); ok && n.Op == ir.NOutcome {
			if i := slices.Index(info.Cells, cell); i >= 0 {
				do(f, n.Kids[i])
			}
		}
	})
	return true
}

// ---- what cannot work ------------------------------------------------------

// wrongIn adds what cannot work in a node. What two nodes have in common is reported twice.
func (in *Inference) wrongIn(out lang.Diagnostics, f *Fn, n *ir.Node) lang.Diagnostics {
	if n == nil {
		return out
	}
	for _, k := range n.Kids {
		out = in.wrongIn(out, f, k)
	}
	var d *lang.Diagnostic
	switch n.Op {
	case ir.NBin:
		if d = in.comparison(f, n); d == nil && code.Op(n.A) == code.In {
			d = in.entry(f, n.Kids[1], n.Kids[0])
		}
	case ir.NIf, ir.NWhile, ir.NCond, ir.NNot, ir.NExpect:
		d = in.condition(f, n.Kids[0])
	case ir.NAnd, ir.NOr:
		if d = in.condition(f, n.Kids[0]); d == nil {
			d = in.condition(f, n.Kids[1])
		}
	case ir.NComp:
		if n.Kids[1] != nil {
			d = in.condition(f, n.Kids[1])
		}
	case ir.NBuiltin:
		if d = in.method(f, n); d == nil && code.Builtins[n.A].Name == "drop" && len(n.Kids) == 2 {
			d = in.entry(f, n.Kids[0], n.Kids[1])
		}
	case ir.NIndex:
		d = in.entry(f, n.Kids[0], n.Kids[1])
	case ir.NCall:
		d = in.row(f, n)
	}
	if d != nil {
		out = append(out, d)
	}
	return out
}

// method reports a function that is only for sheets and is called on something else.
func (in *Inference) method(f *Fn, n *ir.Node) *lang.Diagnostic {
	b := &code.Builtins[n.A]
	if b.On != code.OnSheet || len(n.Kids) == 0 || n.Kids[0].At.Src == nil {
		return nil
	}
	k := in.kinds(f, n.Kids[0])
	if k&^ir.IsNone == 0 || k&ir.IsSheet != 0 {
		return nil
	}
	d := decl.ErrAt(n.Kids[0].At, "SP0434", "%s is %s, and %s is for characters and things", decl.Brief(n.Kids[0]), k, b.Name)
	switch {
	case b.Name == "has" && k&(ir.IsList|ir.IsMap) != 0 && n.Kids[1].At.Src != nil:
		d.Help = "write  " + decl.Text(n.Kids[1].At) + " in " + decl.Brief(n.Kids[0])
	case in.entryAfterDot(f, n):
		d.Message = fmt.Sprintf("%s is %s; a dot is for fields and traits", decl.Brief(n.Kids[0]), k)
		d.Help = "write  " + decl.Brief(n.Kids[0]) + `["` + f.W.Heap.TextOf(n.Kids[1].V) + `"]`
	}
	return d
}

// entryAfterDot says that n looks for a trait of a map, as in Box.marks.LOST. What is
// meant is an entry of the map.
func (in *Inference) entryAfterDot(f *Fn, n *ir.Node) bool {
	for n.Op == ir.NNeed || n.Op == ir.NElse {
		n = n.Kids[0]
	}
	return n.Op == ir.NBuiltin && code.Builtins[n.A].Name == "part" && in.kinds(f, n.Kids[0])&^ir.IsNone == ir.IsMap
}

// compared gives the kinds of one side of a comparison: a die that may have been thrown is a number, too.
func (in *Inference) compared(f *Fn, n *ir.Node) ir.Kinds {
	k := in.kinds(f, n)
	if k&ir.IsDie != 0 && n.Op != ir.NConst {
		k |= ir.IsNumber
	}
	return k
}

// comparison reports one that cannot hold, or cannot be made.
func (in *Inference) comparison(f *Fn, n *ir.Node) *lang.Diagnostic {
	op := code.Op(n.A)
	x, y := n.Kids[0], n.Kids[1]
	kx, ky := in.compared(f, x), in.compared(f, y)
	if in.entryAfterDot(f, x) || in.entryAfterDot(f, y) {
		return nil // method has reported that
	}
	if kx&^ir.IsNone == 0 || ky&^ir.IsNone == 0 || x.At.Src == nil || y.At.Src == nil {
		return nil // not known, or not there: a variable before it is set, a clause that is not given
	}
	sign := opSign(op)
	switch op {
	case code.Eq, code.Ne:
		if kx&ky != 0 {
			if d := in.noWord(x, y); d != nil {
				return d
			}
			return in.noWord(y, x)
		}
		if d := quotedWord(sign, x, y, kx, ky); d != nil {
			return d
		}
		if d := counted(sign, x, y, kx, ky); d != nil {
			return d
		}
		return decl.ErrAt(y.At, "SP0435", "%s is %s and %s is %s, so they are never equal", decl.Brief(x), kx, decl.Brief(y), ky)
	case code.Lt, code.Le, code.Gt, code.Ge:
		const ordered = ir.IsNumber | ir.IsText | ir.IsDie
		if kx&ky&ordered != 0 {
			return nil
		}
		if d := counted(sign, x, y, kx, ky); d != nil {
			return d
		}
		wrong, k := x, kx
		if kx&ordered != 0 {
			wrong, k = y, ky
		}
		if k&ordered != 0 {
			return decl.ErrAt(wrong.At, "SP0436", "%s is %s and %s is %s: they cannot be compared", decl.Brief(x), kx, decl.Brief(y), ky)
		}
		return decl.ErrAt(wrong.At, "SP0437", "%s is %s and cannot be compared with %s", decl.Brief(wrong), k, sign)
	case code.In:
		if r := in.onlyRange(f, y); r != nil && kx&ir.IsRange == 0 {
			d := decl.ErrAt(y.At, "SP0438", "%s is a list with a range in it, and %s is %s", decl.Brief(y), decl.Brief(x), kx)
			d.Help = fmt.Sprintf("write  %s in %s", decl.Brief(x), decl.Brief(r))
			return d
		}
		if ky&(ir.IsList|ir.IsMap|ir.IsRange) != 0 {
			return nil
		}
		d := decl.ErrAt(y.At, "SP0439", "%s is %s, not a list, a map or a range", decl.Brief(y), ky)
		if ky&ir.IsNumber != 0 {
			d.Help = fmt.Sprintf("write  %s == %s", decl.Brief(x), decl.Brief(y))
		}
		return d
	}
	return nil
}

// noWord reports what is compared with a word that it can never be.
func (in *Inference) noWord(x, y *ir.Node) *lang.Diagnostic {
	if y.Op != ir.NConst || y.V.Kind() != value.Symbol {
		return nil
	}
	said := in.Of.Heap.TextOf(y.V)
	words := in.words(x)
	if len(words) == 0 || slices.Contains(words, said) {
		return nil
	}
	d := decl.ErrAt(y.At, "SP0440", "%s is %s, never %s", decl.Brief(x), lang.OneOf(words), said)
	decl.Suggest(d, said, words)
	return d
}

// words gives the words that a field, or a part of the last outcome, is one of; none where it may
// be anything else.
func (in *Inference) words(n *ir.Node) []string {
	switch n.Op {
	case ir.NField:
		return wordsOfField(in.Of, in.Of.Prog.Symbols[n.A])
	case ir.NCell:
		last, all := outcomesIn(in.Of, n.A)
		var words []string
		for _, s := range all {
			other := false
			known := in.eachGiven(s, last, func(_ *Fn, n *ir.Node) {
				var more []string
				if n != nil && n.Op == ir.NField {
					more = wordsOfField(in.Of, in.Of.Prog.Symbols[n.A])
				}
				other = other || len(more) == 0
				for _, m := range more {
					if !slices.Contains(words, m) {
						words = append(words, m)
					}
				}
			})
			if other || !known {
				return nil
			}
		}
		return words
	}
	return nil
}

// wordsOfField gives the words that a field of a name is one of, on whatever sheet; none where it
// may be something else on one of them.
func wordsOfField(w *decl.World, name string) (words []string) {
	for _, sh := range w.FieldOf[name] {
		f := sh.ByName[name]
		switch {
		case f == nil:
		case f.Many || f.Typ.Name.Name != "one":
			return nil
		default:
			for _, id := range f.Typ.OneOf {
				if !slices.Contains(words, id.Name) {
					words = append(words, id.Name)
				}
			}
		}
	}
	return words
}

// onlyRange gives the range that is all a list as it is written has in it, as in [1..3].
func (in *Inference) onlyRange(f *Fn, n *ir.Node) *ir.Node {
	switch {
	case n.Op == ir.NList && len(n.Kids) == 1 && in.kinds(f, n.Kids[0]) == ir.IsRange:
		return n.Kids[0]
	case n.Op == ir.NConst && n.V.Kind() == value.List:
		if all := in.Of.Heap.Elems(n.V); len(all) == 1 && all[0].Kind() == value.Range {
			at := n.At
			if s := decl.Text(at); strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
				at.Start, at.End = at.Start+1, at.End-1
			}
			return f.Constant(all[0], at)
		}
	}
	return nil
}

func opSign(op code.Op) string {
	for s, o := range binOps {
		if o == op {
			return s
		}
	}
	return ""
}

// quotedWord reports a word of the rules that stands in quotes.
func quotedWord(sign string, x, y *ir.Node, kx, ky ir.Kinds) *lang.Diagnostic {
	quoted, other, k := y, x, kx
	if x.Op == ir.NConst && kx == ir.IsText {
		quoted, other, k = x, y, ky
	}
	if quoted.Op != ir.NConst || quoted.V.Kind() != value.Text || k&ir.IsWordKind == 0 {
		return nil
	}
	word := strings.Trim(decl.Text(quoted.At), `"`)
	d := decl.ErrAt(quoted.At, "SP0441", "%s is a word and never a text", decl.Brief(other))
	if decl.IsName(word) && strings.ToLower(word) == word && word != "" {
		d.Help = fmt.Sprintf("without quotes:  %s %s %s", decl.Brief(other), sign, word)
	}
	return d
}

// counted reports a list that is compared with a number.
func counted(sign string, x, y *ir.Node, kx, ky ir.Kinds) *lang.Diagnostic {
	const many = ir.IsList | ir.IsMap
	list, other := x, y
	if ky&^(many|ir.IsNone) == 0 && ky&many != 0 {
		list, other, kx, ky = y, x, ky, kx
	}
	if kx&^(many|ir.IsNone) != 0 || kx&many == 0 || ky&^ir.IsNone != ir.IsNumber {
		return nil
	}
	d := decl.ErrAt(list.At, "SP0442", "%s is %s, not a number", decl.Brief(list), kx)
	if list == x {
		d.Help = fmt.Sprintf("count it:  %s.size %s %s", decl.Brief(x), sign, decl.Brief(other))
	} else {
		d.Help = fmt.Sprintf("count it:  %s %s %s.size", decl.Brief(other), sign, decl.Brief(y))
	}
	return d
}

// condition reports one that must be yes or no.
func (in *Inference) condition(f *Fn, n *ir.Node) *lang.Diagnostic {
	k := in.kinds(f, n)
	if k&ir.IsTruth != 0 || k&^ir.IsNone == 0 || n.At.Src == nil {
		return nil
	}
	k &^= ir.IsNone
	d := decl.ErrAt(n.At, "SP0443", "%s is %s, not yes or no", decl.Brief(n), k)
	switch {
	case n.Op == ir.NConst && k == ir.IsWordKind:
		d.Help = "write  last.outcome == " + decl.Brief(n)
	case k == ir.IsNumber:
		d.Help = fmt.Sprintf("write  %s > 0", decl.Brief(n))
	case k == ir.IsList, k == ir.IsMap:
		d.Help = fmt.Sprintf("write  not %s.empty", decl.Brief(n))
	case k == ir.IsSheet:
		d.Help = fmt.Sprintf("write  %s != none", decl.Brief(n))
	}
	return d
}

// aim reports a goal that counts for nothing: it is neither yes or no nor a number.
func (in *Inference) aim(out lang.Diagnostics, f *Fn, n *ir.Node) lang.Diagnostics {
	k := in.kinds(f, n)
	if k&(ir.IsTruth|ir.IsNumber) != 0 || k&^ir.IsNone == 0 {
		return out
	}
	d := decl.ErrAt(n.At, "SP0462", "%s is %s, and a goal is yes or no, or a number", decl.Brief(n), k)
	if n.Op == ir.NConst && k == ir.IsWordKind {
		d.Help = "write  last.outcome == " + decl.Brief(n)
	}
	return append(out, d)
}

// SurelyLists says whether it is known that a rule gives nothing but people or things.
func SurelyLists(w *decl.World, r *decl.Rule) bool {
	in := NewInference(w)
	k := in.OfRule(r.Slot)
	return k&(ir.IsList|ir.IsSheet) != 0 && k&^(ir.IsList|ir.IsSheet|ir.IsNone) == 0
}
