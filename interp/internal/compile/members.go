package compile

import (
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// What may stand behind a dot depends on what stands before it. A line that is
// being typed cannot be resolved yet, so only as much is made out as its form
// says: a name, a variable and its value, a chain of fields, dice, a list, a text.
// Of anything else every function may be meant.

// operand is what is known of an expression: the kinds of value it may be, and
// the sheet of one that is a sheet, with the instance if there is just one.
type operand struct {
	kinds code.Kinds
	sheet *sheet
	ent   *entity
	last  bool // the word last
}

// members lists what may follow the expression at the end of a text and a dot.
func (w *World) members(text string) []Word {
	o := w.operandAt(lastOperand(text))
	if o.last {
		var out []Word
		for _, n := range keysOf(w.lastKeys) {
			out = append(out, Word{n, "a value of the last outcome", "value"})
		}
		return out
	}
	var out []Word
	if o.ent != nil {
		for _, p := range o.ent.parts {
			out = append(out, Word{p.name, p.sheet.name, "trait"})
		}
	}
	if o.sheet != nil {
		for _, f := range o.sheet.fields {
			if f.decl != nil && !o.sheet.typ.Fields[f.index].Hidden {
				out = append(out, Word{f.name, w.fieldDoc(o.sheet, f), "field"})
			}
		}
		for _, n := range ruleNames(w) {
			if r := w.rules[n]; offered(r) && required(r) == 1 && w.isAbout(r, o.sheet) && o.sheet.byName[n] == nil {
				out = append(out, Word{n, r.doc, "rule"})
			}
		}
	}
	for i := range code.Builtins {
		b := &code.Builtins[i]
		if b.On&o.kinds == 0 {
			continue
		}
		name := b.Name
		if b.Min > 1 {
			name += "("
		}
		if o.sheet == nil || o.sheet.byName[b.Name] == nil {
			out = append(out, Word{name, b.Doc, "function"})
		}
	}
	return out
}

// isAbout says whether a rule of one parameter asks about such a sheet, going by
// the names that rules give to somebody; nothing says so of other parameters.
func (w *World) isAbout(r *rule, sh *sheet) bool {
	switch r.params[0].Name.Name {
	case "self", "x", "who":
		return !w.isPart(sh.name)
	}
	return false
}

// lastOperand cuts the last operand off a text: a chain of words with dots,
// brackets and their contents, a text in quotes.
func lastOperand(text string) string {
	i := len(text)
	for i > 0 {
		switch c := text[i-1]; {
		case c == ')' || c == ']':
			open := opening(text[:i])
			if open < 0 {
				return text[i:]
			}
			i = open
		case c == '"':
			q := strings.LastIndexByte(text[:i-1], '"')
			if q < 0 {
				return text[i:]
			}
			return text[q:]
		case c == '.' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80:
			i--
		default:
			return text[i:]
		}
	}
	return text
}

// opening finds the bracket that belongs to the one at the end of a text, -1 for none.
func opening(text string) int {
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case ')', ']':
			depth++
		case '(', '[':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func (w *World) operandAt(text string) operand {
	every := operand{kinds: code.OnAll}
	switch {
	case text == "":
		return every
	case text == "last":
		return operand{last: true}
	case text[0] == '"':
		if e := w.entities[strings.Trim(text, `"`)]; e != nil {
			return sheetOperand(e.sheet, e)
		}
		return operand{kinds: code.OnText}
	case text[0] == '[' && text[len(text)-1] == ']' && opening(text) == 0:
		return operand{kinds: code.OnList}
	}
	head, rest := cutMember(text)
	o, ok := w.operandWord(head)
	for ok && rest != "" {
		head, rest = cutMember(rest)
		o, ok = w.member(o, head)
	}
	if !ok {
		return every
	}
	return o
}

// cutMember cuts the first link off a chain; dots in brackets are no links.
func cutMember(text string) (head, rest string) {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '.':
			if depth == 0 {
				return text[:i], text[i+1:]
			}
		}
	}
	return text, ""
}

// bracketed is what stands in ( and ): thrown dice are a pool or a die.
func (w *World) bracketed(text string) operand {
	if dice, ok := strings.CutPrefix(text, "throw "); ok {
		dice, _, _ = strings.Cut(dice, " for ")
		if !strings.ContainsAny(dice, "+ ") {
			if o, ok := w.operandWord(dice); ok {
				return o
			}
		}
		return operand{kinds: code.OnList}
	}
	if lastOperand(text) == text {
		return w.operandAt(text)
	}
	return operand{kinds: code.OnAll}
}

func (w *World) operandWord(word string) (operand, bool) {
	if word == "" {
		return operand{}, false
	}
	if word[0] == '(' && word[len(word)-1] == ')' {
		return w.bracketed(strings.TrimSpace(word[1 : len(word)-1])), true
	}
	if e := w.entities[display(word)]; e != nil {
		return sheetOperand(e.sheet, e), true
	}
	if w.groups[display(word)] != nil {
		return operand{kinds: code.OnList}, true
	}
	if at, ok := w.cells[word]; ok {
		v := (*w.store)[at]
		if v.Kind() == value.Ref {
			if e := w.byOff[v.Off()]; e != nil {
				return sheetOperand(e.sheet, e), true
			}
		}
		return operand{kinds: code.KindOf(v)}, true
	}
	switch count, size, ok := strings.Cut(word, "d"); {
	case !ok || size == "" || strings.Trim(count+size, "0123456789%") != "":
	case count == "":
		return operand{kinds: code.OnDie}, true
	default:
		return operand{kinds: code.OnList}, true
	}
	if strings.Trim(word, "0123456789") == "" {
		return operand{kinds: code.OnNumber}, true
	}
	return operand{}, false
}

func sheetOperand(sh *sheet, e *entity) operand {
	return operand{kinds: code.OnSheet, sheet: sh, ent: e}
}

// member is what a field or a function of something may be.
func (w *World) member(o operand, name string) (operand, bool) {
	if o.ent != nil {
		if p := o.ent.part(name); p != nil {
			return sheetOperand(p.sheet, p), true
		}
	}
	if o.sheet != nil {
		if f := o.sheet.byName[name]; f != nil {
			return w.fieldOperand(f), true
		}
	}
	name, _, _ = strings.Cut(name, "(")
	if b := code.BuiltinIndex(name); b >= 0 && code.Builtins[b].On&o.kinds != 0 {
		return operand{kinds: code.Builtins[b].Gives}, true
	}
	return operand{}, false
}

func (w *World) fieldOperand(f *field) operand {
	if f.many {
		return operand{kinds: code.OnList}
	}
	switch f.typ.Name.Name {
	case "number", "whole":
		return operand{kinds: code.OnNumber}
	case "text":
		return operand{kinds: code.OnText}
	case "die":
		return operand{kinds: code.OnDie}
	case "list", "dice", "features":
		return operand{kinds: code.OnList}
	case "map":
		return operand{kinds: code.OnMap}
	case "truth", "one", "symbol", "until", "condition":
		return operand{}
	}
	if sh := w.sheets[f.sheet]; sh != nil {
		return operand{kinds: code.OnSheet, sheet: sh}
	}
	return operand{kinds: code.OnAll}
}

// Hint says what may come next at the end of a line, in a few words: the rest of
// a clause, the operands of a verb, the clauses that have not been given. It is
// "" in the middle of a word and where nothing is known.
func (w *World) Hint(line string, idle func(*lang.Clause) bool) string {
	if line == "" || !strings.HasSuffix(line, " ") || strings.Count(line, `"`)%2 == 1 {
		return ""
	}
	_, rest := w.speaker(strings.TrimSpace(line))
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return ""
	}
	if v := w.verbs[fields[0]]; v != nil {
		return w.verbHint(v, fields, idle)
	}
	if fields[0] == "option" {
		switch {
		case len(fields) == 2:
			return "= VALUE"
		case len(fields) == 3 && fields[2] == "=" && w.optionNamed[fields[1]] != nil:
			return w.Heap.Show(w.optionNamed[fields[1]].Value, nil)
		}
	}
	if form, ok := strings.CutPrefix(lang.Form(fields[0]), fields[0]+" "); ok && len(fields) == 1 {
		return form
	}
	return ""
}

// maxHints is how many clauses a hint names.
const maxHints = 3

func (w *World) verbHint(v *verb, fields []string, idle func(*lang.Clause) bool) string {
	last := fields[len(fields)-1]
	var rest, unused []string
	w.eachClause(v.decl.Clauses, func(cl *lang.Clause) {
		for i, p := range cl.Pattern[:max(len(cl.Pattern)-1, 0)] {
			if p, ok := p.(*lang.PatWord); ok && p.Word == last && len(fields) > 1 {
				rest = appendNew(rest, patText(cl.Pattern[i+1:]))
			}
		}
		if idle(cl) {
			return
		}
		if f := firstWord(cl); f != "" && !slices.Contains(fields[1:], f) {
			unused = appendNew(unused, "["+patternText(cl)+"]")
		} else if f == "" && len(fields) == 1 {
			rest = appendNew(rest, patText(cl.Pattern))
		}
	})
	if len(fields) == 1 && len(v.decl.Pattern) > 0 {
		rest = []string{patText(v.decl.Pattern)}
	}
	if len(rest) > 0 {
		return strings.Join(rest[:min(len(rest), maxHints)], " | ")
	}
	hint := strings.Join(unused[:min(len(unused), maxHints)], " ")
	if len(unused) > maxHints {
		hint += " …"
	}
	return hint
}

// KindOfWord tells what a word is, for colours: "verb", "word" of the language,
// "sheet", "clause", "character", "group", "rule", "variable", or "".
func (w *World) KindOfWord(word string) string {
	switch {
	case w.verbs[word] != nil:
		return "verb"
	case w.sheets[word] != nil:
		return "sheet"
	case len(lang.Lookup(word)) > 0:
		return "word"
	case w.entities[display(word)] != nil, w.groups[display(word)] != nil:
		return "character"
	case w.rules[word] != nil, code.BuiltinIndex(word) >= 0:
		return "rule"
	case w.optionNamed[word] != nil, w.symbols[word]:
		return "value"
	}
	if _, ok := w.cells[word]; ok {
		return "variable"
	}
	if _, ok := w.lastKeys[word]; ok {
		return "variable"
	}
	return ""
}
