package language

import (
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/resolve"
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
	sheet *decl.Sheet
	ent   *decl.Entity
	last  bool // the word last
}

// members lists what may follow the expression at the end of a text and a dot.
func members(w *decl.World, text string) []decl.Word {
	o := operandAt(w, lastOperand(text))
	if o.last {
		var out []decl.Word
		for _, n := range decl.KeysOf(w.LastKeys) {
			out = append(out, decl.Word{Text: n, Doc: "a value of the last outcome", Kind: "value"})
		}
		return out
	}
	var out []decl.Word
	if o.ent != nil {
		for _, p := range o.ent.Parts {
			out = append(out, decl.Word{Text: p.Name, Doc: p.Sheet.Name, Kind: "trait"})
		}
	}
	if o.sheet != nil {
		for _, f := range o.sheet.Fields {
			if f.Decl != nil && !o.sheet.Typ.Fields[f.Index].Hidden {
				out = append(out, decl.Word{Text: f.Name, Doc: w.FieldDoc(o.sheet, f), Kind: "field"})
			}
		}
		for _, n := range decl.RuleNames(w) {
			if r := w.Rules[n]; decl.Offered(r) && resolve.Required(r) == 1 && isAbout(w, r, o.sheet) && o.sheet.ByName[n] == nil {
				out = append(out, decl.Word{Text: n, Doc: r.Doc, Kind: "rule"})
			}
		}
	}
	for i := range code.Functions {
		b := &code.Builtins[i]
		if b.On&o.kinds == 0 {
			continue
		}
		name := b.Name
		if b.Min > 1 {
			name += "("
		}
		if o.sheet == nil || o.sheet.ByName[b.Name] == nil {
			out = append(out, decl.Word{Text: name, Doc: b.Doc, Kind: "function"})
		}
	}
	return out
}

// isAbout says whether a rule of one parameter asks about such a sheet, going by
// the names that rules give to somebody; nothing says so of other parameters.
func isAbout(w *decl.World, r *decl.Rule, sh *decl.Sheet) bool {
	switch r.Params[0].Name.Name {
	case "self", "x", "who":
		return !w.IsPart(sh.Name)
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

func operandAt(w *decl.World, text string) operand {
	every := operand{kinds: code.OnAll}
	switch {
	case text == "":
		return every
	case text == "last":
		return operand{last: true}
	case text[0] == '"':
		if e := w.Entities[strings.Trim(text, `"`)]; e != nil {
			return sheetOperand(e.Sheet, e)
		}
		return operand{kinds: code.OnText}
	case text[0] == '[' && text[len(text)-1] == ']' && opening(text) == 0:
		return operand{kinds: code.OnList}
	}
	head, rest := cutMember(text)
	o, ok := operandWord(w, head)
	for ok && rest != "" {
		head, rest = cutMember(rest)
		o, ok = member(w, o, head)
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
func bracketed(w *decl.World, text string) operand {
	if dice, ok := strings.CutPrefix(text, "throw "); ok {
		dice, _, _ = strings.Cut(dice, " for ")
		if !strings.ContainsAny(dice, "+ ") {
			if o, ok := operandWord(w, dice); ok {
				return o
			}
		}
		return operand{kinds: code.OnList}
	}
	if lastOperand(text) == text {
		return operandAt(w, text)
	}
	return operand{kinds: code.OnAll}
}

func operandWord(w *decl.World, word string) (operand, bool) {
	if word == "" {
		return operand{}, false
	}
	if word[0] == '(' && word[len(word)-1] == ')' {
		return bracketed(w, strings.TrimSpace(word[1:len(word)-1])), true
	}
	if e := w.Entities[decl.Display(word)]; e != nil {
		return sheetOperand(e.Sheet, e), true
	}
	if w.Groups[decl.Display(word)] != nil {
		return operand{kinds: code.OnList}, true
	}
	if at, ok := w.Cells[word]; ok {
		v := (*w.Store)[at]
		if v.Kind() == value.Ref {
			if e := w.ByOff[v.Off()]; e != nil {
				return sheetOperand(e.Sheet, e), true
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

func sheetOperand(sh *decl.Sheet, e *decl.Entity) operand {
	return operand{kinds: code.OnSheet, sheet: sh, ent: e}
}

// member is what a field or a function of something may be.
func member(w *decl.World, o operand, name string) (operand, bool) {
	if o.ent != nil {
		if p := o.ent.Part(name); p != nil {
			return sheetOperand(p.Sheet, p), true
		}
	}
	if o.sheet != nil {
		if f := o.sheet.ByName[name]; f != nil {
			return fieldOperand(w, f), true
		}
	}
	name, _, _ = strings.Cut(name, "(")
	if b := code.BuiltinIndex(name); b >= 0 && code.Builtins[b].On&o.kinds != 0 {
		return operand{kinds: code.Builtins[b].Gives}, true
	}
	return operand{}, false
}

func fieldOperand(w *decl.World, f *decl.Field) operand {
	if f.Many {
		return operand{kinds: code.OnList}
	}
	switch f.Typ.Name.Name {
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
	if sh := w.Sheets[f.Sheet]; sh != nil {
		return operand{kinds: code.OnSheet, sheet: sh}
	}
	return operand{kinds: code.OnAll}
}

// Hint says what may come next at the end of a line, in a few words: the rest of
// a clause, the operands of a verb, the clauses that have not been given. It is
// "" in the middle of a word and where nothing is known.
func Hint(w *decl.World, line string, idle func(*lang.Clause) bool) string {
	if line == "" || !strings.HasSuffix(line, " ") || strings.Count(line, `"`)%2 == 1 {
		return ""
	}
	_, rest := speaker(w, strings.TrimSpace(line))
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return ""
	}
	if v := w.Verbs[fields[0]]; v != nil {
		return verbHint(w, v, fields, idle)
	}
	if fields[0] == "option" {
		switch {
		case len(fields) == 2:
			return "= VALUE"
		case len(fields) == 3 && fields[2] == "=" && w.OptionNamed[fields[1]] != nil:
			return w.Heap.Show(w.OptionNamed[fields[1]].Value, nil)
		}
	}
	if form, ok := strings.CutPrefix(lang.Form(fields[0]), fields[0]+" "); ok && len(fields) == 1 {
		return form
	}
	return ""
}

// maxHints is how many clauses a hint names.
const maxHints = 3

func verbHint(w *decl.World, v *decl.Verb, fields []string, idle func(*lang.Clause) bool) string {
	last := fields[len(fields)-1]
	var rest, unused []string
	eachClause(w, v.Decl.Clauses, func(cl *lang.Clause) {
		for i, p := range cl.Pattern[:max(len(cl.Pattern)-1, 0)] {
			if p, ok := p.(*lang.PatWord); ok && p.Word == last && len(fields) > 1 {
				rest = decl.AppendNew(rest, patText(cl.Pattern[i+1:]))
			}
		}
		if idle(cl) {
			return
		}
		if f := decl.FirstWord(cl); f != "" && !slices.Contains(fields[1:], f) {
			unused = decl.AppendNew(unused, "["+patternText(cl)+"]")
		} else if f == "" && len(fields) == 1 {
			rest = decl.AppendNew(rest, patText(cl.Pattern))
		}
	})
	if len(fields) == 1 && len(v.Decl.Pattern) > 0 {
		rest = []string{patText(v.Decl.Pattern)}
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
func KindOfWord(w *decl.World, word string) string {
	switch {
	case w.Verbs[word] != nil:
		return "verb"
	case w.Sheets[word] != nil:
		return "sheet"
	case len(lang.Lookup(word)) > 0:
		return "word"
	case w.Entities[decl.Display(word)] != nil, w.Groups[decl.Display(word)] != nil:
		return "character"
	case w.Rules[word] != nil, code.BuiltinIndex(word) >= 0:
		return "rule"
	case w.OptionNamed[word] != nil, w.Symbols[word]:
		return "value"
	}
	if _, ok := w.Cells[word]; ok {
		return "variable"
	}
	if _, ok := w.LastKeys[word]; ok {
		return "variable"
	}
	return ""
}
