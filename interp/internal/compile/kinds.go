package compile

import (
	"fmt"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
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

// kinds is a set of kinds of values.
type kinds uint16

const (
	isNumber kinds = 1 << iota
	isText
	isTruth
	isWordKind
	isDie
	isList
	isMap
	isRange
	isSheet
	isRule
	isNone
	anything = 1<<iota - 1
)

var kindNames = []string{"a number", "a text", "yes or no", "a word", "a die", "a list", "a map", "a range", "somebody or something", "a rule", "none"}

// String lists the kinds as messages do. None is left out beside others.
func (k kinds) String() string {
	if k != isNone {
		k &^= isNone
	}
	var names []string
	for i, n := range kindNames {
		if k&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return lang.OneOf(names)
}

// kindOfValue gives the kind of a value.
func kindOfValue(v V) kinds {
	switch v.Kind() {
	case value.Int, value.Rat:
		return isNumber
	case value.Text:
		return isText
	case value.Symbol:
		return isWordKind
	case value.Die:
		return isDie
	case value.List:
		return isList
	case value.Map:
		return isMap
	case value.Range:
		return isRange
	case value.Ref:
		return isSheet
	case value.Rule:
		return isRule
	}
	if v == value.None {
		return isNone
	}
	return isTruth
}

// resolved is the body of a function of a script, or of a module that is looked at as a
// whole.
type resolved struct {
	f    *fn
	body *node
}

// watch is what is looked at while a source is resolved.
type watch struct {
	bodies *[]resolved // to look at, nil where nobody asks
	deeds  *deeds      // of rules, while conditions are looked at
}

func watchOf(w *World) watch {
	out, _ := w.watch.(watch)
	return out
}

// resolvedBody keeps the body of a function to look at its kinds once all are known.
func (f *fn) resolvedBody(body *node) {
	if bodies := watchOf(f.w).bodies; bodies != nil && body != nil {
		*bodies = append(*bodies, resolved{f, body})
	}
}

// inference infers kinds for the bodies of one source.
type inference struct {
	w      *World // a clone: what is resolved for its kinds only leaves no trace
	of     *World
	rules  map[int]kinds         // by rule number
	last   map[int]kinds         // by cell of a value of the last outcome
	cells  map[int]kinds         // of variables that only this source sets
	locals map[*fn]map[int]kinds // of variables of rules, by register
	tables map[int]*rule         // by slot, see keys.go
	sheets bool                  // records that commands make are left out
}

// checkKinds reports what cannot work in bodies. The variables in cells are new in this
// source.
func (w *World) checkKinds(bodies []resolved, cells map[string]int) lang.Diagnostics {
	in := &inference{of: w, rules: map[int]kinds{}, last: map[int]kinds{}, cells: map[int]kinds{}, locals: map[*fn]map[int]kinds{}}
	for _, at := range cells {
		in.cells[at] = 0
	}
	for changed := true; changed; {
		changed = false
		for _, b := range bodies {
			in.assigned(b.f, b.body, func(at int, k kinds) {
				if len(b.f.diags) > 0 {
					k = anything
				}
				if old, ok := in.cells[at]; ok && old|k != old {
					in.cells[at], changed = old|k, true
				}
			})
		}
	}
	var out lang.Diagnostics
	seen := map[*node]bool{}
	for _, b := range bodies {
		if len(b.f.diags) > 0 {
			continue // what follows from a mistake is not worth telling
		}
		for _, n := range b.f.folded {
			out = append(out, in.wrongIn(b.f, n, seen)...)
		}
		b.f.folded = nil
		out = append(out, in.wrongIn(b.f, b.body, seen)...)
	}
	return out
}

// assigned tells the kinds that a body assigns to variables of the script.
func (in *inference) assigned(f *fn, n *node, tell func(cell int, k kinds)) {
	if n == nil {
		return
	}
	switch n.op {
	case nSetCell:
		tell(n.a, in.kinds(f, n.kids[0]))
	case nFor:
		if at, ok := n.info.(int); ok && n.a < 0 {
			tell(at, anything)
		}
	}
	for _, k := range n.kids {
		in.assigned(f, k, tell)
	}
}

// registers gives the kinds of the variables that a function declares with let.
func (in *inference) registers(f *fn, body *node) map[int]kinds {
	regs := map[int]kinds{}
	in.locals[f] = regs
	for _, r := range f.lets {
		regs[r] = 0
	}
	if len(regs) == 0 {
		return regs
	}
	var visit func(n *node) bool
	visit = func(n *node) (changed bool) {
		if n == nil {
			return false
		}
		if n.op == nSet {
			if old, ok := regs[n.a]; ok {
				if k := old | in.kinds(f, n.kids[0]); k != old {
					regs[n.a], changed = k, true
				}
			}
		}
		for _, k := range n.kids {
			changed = visit(k) || changed
		}
		return changed
	}
	for visit(body) {
	}
	return regs
}

// kinds gives the kinds that an expression may have.
func (in *inference) kinds(f *fn, n *node) kinds {
	if n == nil {
		return isNone
	}
	switch n.op {
	case nConst:
		if o, ok := n.info.(*Option); ok {
			k := kinds(0)
			for _, v := range o.Values {
				k |= kindOfValue(v)
			}
			return k
		}
		return kindOfValue(n.v)
	case nLocal:
		if k, ok := in.locals[f][n.a]; ok {
			return k
		}
	case nCell:
		if k, ok := in.cells[n.a]; ok {
			return k
		}
		return in.ofLast(n.a)
	case nField:
		return in.ofField(n.a)
	case nFieldOr:
		return in.ofField(n.a) | in.kinds(f, n.kids[1])
	case nCall:
		return in.ofRule(n.a)
	case nBuiltin:
		return ofBuiltin(&code.Builtins[n.a])
	case nBin:
		return in.ofOperator(f, n)
	case nAnd, nOr, nNot:
		return isTruth
	case nNeg:
		return isNumber
	case nCond:
		return in.kinds(f, n.kids[1]) | in.kinds(f, n.kids[2])
	case nElse:
		return in.kinds(f, n.kids[0]) | in.kinds(f, n.kids[1])
	case nList:
		return isList
	case nComp:
		switch n.info.(string) {
		case "list":
			return isList
		case "any", "all":
			return isTruth
		case "count", "sum":
			return isNumber
		}
	case nRange:
		return isRange
	case nText:
		return isText
	case nThrow:
		return isDie | isList
	case nNew:
		return isSheet
	case nNeed:
		return isSheet | isNone
	}
	return anything
}

func (in *inference) ofOperator(f *fn, n *node) kinds {
	switch code.Op(n.a) {
	case code.Sub, code.Div:
		return isNumber
	case code.Mul, code.Add:
		if in.kinds(f, n.kids[0])|in.kinds(f, n.kids[1]) == isNumber {
			return isNumber
		}
		return isNumber | isText | isList | isDie
	}
	return isTruth
}

// ofField gives the kinds of the field of a name, on whatever sheet.
func (in *inference) ofField(sym int) kinds {
	k := kinds(0)
	for _, sh := range in.of.fieldOf[in.of.Prog.Symbols[sym]] {
		if sh.record && in.sheets {
			continue
		}
		if f := sh.byName[in.of.Prog.Symbols[sym]]; f != nil {
			k |= in.of.kindsOfField(f)
		}
	}
	if k == 0 {
		return anything
	}
	return k | isNone
}

func (w *World) kindsOfField(f *field) kinds {
	if f.many {
		return isList
	}
	switch f.typ.Name.Name {
	case "number", "whole":
		return isNumber
	case "text":
		return isText
	case "truth":
		return isTruth
	case "die":
		return isDie
	case "list", "dice", "features":
		return isList
	case "map":
		return isMap
	case "one":
		return isWordKind | isTruth
	}
	if f.sheet != "" && w.sheets[f.sheet] != nil {
		return isSheet
	}
	return anything
}

func ofBuiltin(b *code.BuiltinFunc) kinds {
	switch b.Name {
	case "empty", "has", "is":
		return isTruth
	case "symbol", "kind":
		return isWordKind
	case "size", "sum":
		return isNumber
	case "name":
		return isText
	}
	if b.Gives == 0 || b.Gives == code.OnAll {
		return anything
	}
	k := isNone
	for _, of := range []struct {
		on code.Kinds
		is kinds
	}{{code.OnNumber, isNumber}, {code.OnText, isText}, {code.OnList, isList}, {code.OnDie, isDie}, {code.OnMap, isMap}, {code.OnSheet, isSheet}} {
		if b.Gives&of.on != 0 {
			k |= of.is
		}
	}
	return k
}

// resolve gives the body of a function, nil where there is none to be had.
func (in *inference) resolve(slot int) (*fn, *node) {
	w := in.scratch()
	if slot < 0 || slot >= len(w.Prog.Slots) {
		return nil, nil
	}
	src, ok := w.Prog.Slots[slot].Source.(*fnSource)
	if !ok || src.body == nil || src.module == nil || src.module.script {
		return nil, nil
	}
	f := newFn(w, src.module)
	body := src.body(f)
	if len(f.diags) > 0 {
		return nil, nil
	}
	return f, body
}

// scratch gives the world in which to resolve what is only looked at.
func (in *inference) scratch() *World {
	if in.w == nil {
		in.w = in.of.Clone()
		in.w.watch = watch{deeds: watchOf(in.of).deeds}
	}
	return in.w
}

// ofRule gives the kinds that a rule of a module returns.
func (in *inference) ofRule(slot int) kinds {
	if k, ok := in.rules[slot]; ok {
		return k
	}
	in.rules[slot] = anything // where it calls itself
	f, body := in.resolve(slot)
	if body == nil {
		return anything
	}
	in.registers(f, body)
	k := kinds(0)
	body.each(func(n *node) {
		switch {
		case n.op != nReturn:
		case len(n.kids) == 0:
			k |= isNone
		default:
			k |= in.kinds(f, n.kids[0])
		}
	})
	if !returns(body) {
		k |= isNone
	}
	in.rules[slot] = k
	return k
}

// returns says whether a body always ends with a value.
func returns(n *node) bool {
	switch {
	case n == nil:
		return false
	case n.op == nReturn, n.op == nFail:
		return true
	case n.op == nSeq:
		return slices.ContainsFunc(n.kids, returns)
	case n.op == nIf:
		return returns(n.kids[1]) && returns(n.kids[2])
	}
	return false
}

// ofLast gives the kinds of a value of the last outcome.
func (in *inference) ofLast(cell int) kinds {
	if k, ok := in.last[cell]; ok {
		return k
	}
	in.last[cell] = anything
	k := kinds(0)
	last, all := in.of.outcomesIn(cell)
	for _, s := range all {
		k |= in.given(s, last)
	}
	if len(all) == 0 {
		return anything
	}
	k |= isNone
	in.last[cell] = k
	return k
}

// outcomesIn gives the declarations whose outcomes put something into a cell, or into the one
// that it was kept from; none for a cell of something else.
func (w *World) outcomesIn(cell int) (last int, all []lang.Stmt) {
	name := ""
	for n, at := range w.lastKeys {
		if at == cell || w.keptKeys[n] == cell {
			name, last = n, at
		}
	}
	return last, w.givenBy[name]
}

// given gives the kinds of the value in a cell that the outcomes in a declaration have.
func (in *inference) given(s lang.Stmt, cell int) kinds {
	k := kinds(0)
	if !in.eachGiven(s, cell, func(f *fn, n *node) { k |= in.kinds(f, n) }) {
		return anything
	}
	return k
}

// eachGiven calls do for each value that the outcomes in a declaration put into a cell, and says
// whether they are known.
func (in *inference) eachGiven(s lang.Stmt, cell int, do func(*fn, *node)) bool {
	slot := -1
	switch s := s.(type) {
	case *lang.Rule:
		if r := in.of.rules[s.Name.Name]; r != nil && r.base == nil {
			slot = r.slot
		}
	case *lang.Verb:
		if v := in.of.verbs[s.Name.Name]; v != nil {
			slot = v.slot
		}
	}
	f, body := in.resolve(slot)
	if body == nil {
		return false
	}
	in.registers(f, body)
	body.each(func(n *node) {
		if info, ok := n.info.(*outcomeCells); ok && n.op == nOutcome {
			if i := slices.Index(info.cells, cell); i >= 0 {
				do(f, n.kids[i])
			}
		}
	})
	return true
}

// ---- what cannot work ------------------------------------------------------

// wrongIn reports what cannot work in a node.
func (in *inference) wrongIn(f *fn, n *node, seen map[*node]bool) lang.Diagnostics {
	if n == nil || seen[n] {
		return nil
	}
	seen[n] = true
	if _, ok := in.locals[f]; !ok {
		in.registers(f, n)
	}
	var out lang.Diagnostics
	for _, k := range n.kids {
		out = append(out, in.wrongIn(f, k, seen)...)
	}
	var d *lang.Diagnostic
	switch n.op {
	case nBin:
		if d = in.comparison(f, n); d == nil && code.Op(n.a) == code.In {
			d = in.entry(f, n.kids[1], n.kids[0])
		}
	case nIf, nWhile, nCond, nNot, nExpect:
		d = in.condition(f, n.kids[0])
	case nAnd, nOr:
		if d = in.condition(f, n.kids[0]); d == nil {
			d = in.condition(f, n.kids[1])
		}
	case nComp:
		if n.kids[1] != nil {
			d = in.condition(f, n.kids[1])
		}
	case nBuiltin:
		if d = in.method(f, n); d == nil && code.Builtins[n.a].Name == "drop" && len(n.kids) == 2 {
			d = in.entry(f, n.kids[0], n.kids[1])
		}
	case nIndex:
		d = in.entry(f, n.kids[0], n.kids[1])
	case nCall:
		d = in.row(f, n)
	}
	if d != nil {
		out = append(out, d)
	}
	return out
}

// method reports a function that is only for sheets and is called on something else.
func (in *inference) method(f *fn, n *node) *lang.Diagnostic {
	b := &code.Builtins[n.a]
	if b.On != code.OnSheet || len(n.kids) == 0 || n.kids[0].at.Src == nil {
		return nil
	}
	k := in.kinds(f, n.kids[0])
	if k&^isNone == 0 || k&isSheet != 0 {
		return nil
	}
	d := errAt(n.kids[0].at, "%s is %s, and %s is for characters and things", brief(n.kids[0]), k, b.Name)
	switch {
	case b.Name == "has" && k&(isList|isMap) != 0 && n.kids[1].at.Src != nil:
		d.Help = "write  " + text(n.kids[1].at) + " in " + brief(n.kids[0])
	case in.entryAfterDot(f, n):
		d.Message = fmt.Sprintf("%s is %s; a dot is for fields and traits", brief(n.kids[0]), k)
		d.Help = "write  " + brief(n.kids[0]) + `["` + f.w.Heap.TextOf(n.kids[1].v) + `"]`
	}
	return d
}

// entryAfterDot says that n looks for a trait of a map, as in Box.marks.LOST. What is
// meant is an entry of the map.
func (in *inference) entryAfterDot(f *fn, n *node) bool {
	for n.op == nNeed || n.op == nElse {
		n = n.kids[0]
	}
	return n.op == nBuiltin && code.Builtins[n.a].Name == "part" && in.kinds(f, n.kids[0])&^isNone == isMap
}

// comparison reports one that cannot hold, or cannot be made.
func (in *inference) comparison(f *fn, n *node) *lang.Diagnostic {
	op := code.Op(n.a)
	x, y := n.kids[0], n.kids[1]
	kx, ky := in.kinds(f, x), in.kinds(f, y)
	if in.entryAfterDot(f, x) || in.entryAfterDot(f, y) {
		return nil // method has reported that
	}
	if kx&^isNone == 0 || ky&^isNone == 0 || x.at.Src == nil || y.at.Src == nil {
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
		return errAt(y.at, "%s is %s and %s is %s, so they are never equal", brief(x), kx, brief(y), ky)
	case code.Lt, code.Le, code.Gt, code.Ge:
		const ordered = isNumber | isText | isDie
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
			return errAt(wrong.at, "%s is %s and %s is %s: they cannot be compared", brief(x), kx, brief(y), ky)
		}
		return errAt(wrong.at, "%s is %s and cannot be compared with %s", brief(wrong), k, sign)
	case code.In:
		if r := in.onlyRange(f, y); r != nil && kx&isRange == 0 {
			d := errAt(y.at, "%s is a list with a range in it, and %s is %s", brief(y), brief(x), kx)
			d.Help = fmt.Sprintf("write  %s in %s", brief(x), brief(r))
			return d
		}
		if ky&(isList|isMap|isRange) != 0 {
			return nil
		}
		d := errAt(y.at, "%s is %s, not a list, a map or a range", brief(y), ky)
		if ky&isNumber != 0 {
			d.Help = fmt.Sprintf("write  %s == %s", brief(x), brief(y))
		}
		return d
	}
	return nil
}

// noWord reports what is compared with a word that it can never be.
func (in *inference) noWord(x, y *node) *lang.Diagnostic {
	if y.op != nConst || y.v.Kind() != value.Symbol {
		return nil
	}
	said := in.of.Heap.TextOf(y.v)
	words := in.words(x)
	if len(words) == 0 || slices.Contains(words, said) {
		return nil
	}
	d := errAt(y.at, "%s is %s, never %s", brief(x), lang.OneOf(words), said)
	suggest(d, said, words)
	return d
}

// words gives the words that a field, or a part of the last outcome, is one of; none where it may
// be anything else.
func (in *inference) words(n *node) []string {
	switch n.op {
	case nField:
		return in.of.wordsOfField(in.of.Prog.Symbols[n.a])
	case nCell:
		last, all := in.of.outcomesIn(n.a)
		var words []string
		for _, s := range all {
			other := false
			known := in.eachGiven(s, last, func(_ *fn, n *node) {
				var more []string
				if n != nil && n.op == nField {
					more = in.of.wordsOfField(in.of.Prog.Symbols[n.a])
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
func (w *World) wordsOfField(name string) (words []string) {
	for _, sh := range w.fieldOf[name] {
		f := sh.byName[name]
		switch {
		case f == nil:
		case f.many || f.typ.Name.Name != "one":
			return nil
		default:
			for _, id := range f.typ.OneOf {
				if !slices.Contains(words, id.Name) {
					words = append(words, id.Name)
				}
			}
		}
	}
	return words
}

// onlyRange gives the range that is all a list as it is written has in it, as in [1..3].
func (in *inference) onlyRange(f *fn, n *node) *node {
	switch {
	case n.op == nList && len(n.kids) == 1 && in.kinds(f, n.kids[0]) == isRange:
		return n.kids[0]
	case n.op == nConst && n.v.Kind() == value.List:
		if all := in.of.Heap.Elems(n.v); len(all) == 1 && all[0].Kind() == value.Range {
			at := n.at
			if s := text(at); strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
				at.Start, at.End = at.Start+1, at.End-1
			}
			return f.constant(all[0], at)
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

// brief is an expression as it is written, if that is short.
func brief(n *node) string {
	if n.op == nConst && n.v.Kind() == value.Text {
		return `"` + strings.Trim(text(n.at), `"`) + `"`
	}
	if s := strings.Join(strings.Fields(text(n.at)), " "); len(s) > 0 && len(s) <= 40 {
		return s
	}
	return "this"
}

// quotedWord reports a word of the rules that stands in quotes.
func quotedWord(sign string, x, y *node, kx, ky kinds) *lang.Diagnostic {
	quoted, other, k := y, x, kx
	if x.op == nConst && kx == isText {
		quoted, other, k = x, y, ky
	}
	if quoted.op != nConst || quoted.v.Kind() != value.Text || k&isWordKind == 0 {
		return nil
	}
	word := strings.Trim(text(quoted.at), `"`)
	d := errAt(quoted.at, "%s is a word and never a text", brief(other))
	if isName(word) && strings.ToLower(word) == word && word != "" {
		d.Help = fmt.Sprintf("without quotes:  %s %s %s", brief(other), sign, word)
	}
	return d
}

// counted reports a list that is compared with a number.
func counted(sign string, x, y *node, kx, ky kinds) *lang.Diagnostic {
	const many = isList | isMap
	list, other := x, y
	if ky&^(many|isNone) == 0 && ky&many != 0 {
		list, other, kx, ky = y, x, ky, kx
	}
	if kx&^(many|isNone) != 0 || kx&many == 0 || ky&^isNone != isNumber {
		return nil
	}
	d := errAt(list.at, "%s is %s, not a number", brief(list), kx)
	if list == x {
		d.Help = fmt.Sprintf("count it:  %s.size %s %s", brief(x), sign, brief(other))
	} else {
		d.Help = fmt.Sprintf("count it:  %s %s %s.size", brief(other), sign, brief(y))
	}
	return d
}

// condition reports one that must be yes or no.
func (in *inference) condition(f *fn, n *node) *lang.Diagnostic {
	k := in.kinds(f, n)
	if k&isTruth != 0 || k&^isNone == 0 || n.at.Src == nil {
		return nil
	}
	k &^= isNone
	d := errAt(n.at, "%s is %s, not yes or no", brief(n), k)
	switch {
	case n.op == nConst && k == isWordKind:
		d.Help = "write  last.outcome == " + brief(n)
	case k == isNumber:
		d.Help = fmt.Sprintf("write  %s > 0", brief(n))
	case k == isList, k == isMap:
		d.Help = fmt.Sprintf("write  not %s.empty", brief(n))
	case k == isSheet:
		d.Help = fmt.Sprintf("write  %s != none", brief(n))
	}
	return d
}
