package lang

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"setpiece/lang/late"
)

// This file holds one function for each mistake the parser can find, and what
// turns participle's errors into them.

// maxMistakes is how many mistakes of one source are told.
const maxMistakes = 100

func (p *parser) add(d *Diagnostic) { p.diags = append(p.diags, d) }

// report adds the diagnostic for err and tells where the mistake is. The form
// says how what was to be parsed is written, if that is not plain.
func (p *parser) report(err error, form string) int {
	if !p.precise {
		p.mistaken = true
		return 0
	}
	d, shape := p.diagnostic(err)
	if shape && form != "" {
		d.Notes = append(d.Notes, Note{Message: form})
	}
	p.add(d)
	return int(d.Start)
}

// diagnostic translates err. The mistake is one of shape when something other
// stands where a part of a declaration or a statement should.
func (p *parser) diagnostic(err error) (d *Diagnostic, shape bool) {
	if errors.As(err, &d) {
		return d, false
	}
	var u *participle.UnexpectedTokenError
	if errors.As(err, &u) {
		_, want, _ := strings.Cut(u.Message(), "(expected ")
		return p.unexpected(&u.Unexpected, expectation(strings.TrimSuffix(want, ")"))), u.Unexpected.Type != kindBad
	}
	var pe participle.Error
	if errors.As(err, &pe) {
		off := pe.Position().Offset
		return &Diagnostic{Span: p.span(off, off), Code: "SP0227", Message: pe.Message()}, true
	}
	panic(err) // neither ours nor participle's
}

// ---- something else was expected -----------------------------------------

// unexpected says that t cannot stand where it does. With want it says what
// could, otherwise the line could have ended.
func (p *parser) unexpected(t *lexer.Token, want string) *Diagnostic {
	before := p.before(t)
	if t.Type == kindBad {
		return p.badToken(t)
	}
	if d := p.unended(before); d != nil && want == "" {
		return d
	}
	d := &Diagnostic{Span: p.tokSpan(t), Code: "SP0201"}
	if t.EOF() || t.Type == kindEOL || t.Type == kindShut {
		d.Span = p.span(t.Pos.Offset, t.Pos.Offset)
		if before != nil {
			end := min(tokEnd(before), len(p.src.Text)) // the last line may lack its end
			d.Span = p.span(end, end)
		}
		d.Incomplete = t.EOF() && p.inTexts == 0
	}
	if want == "a value" && p.needsText(before, t) {
		want = "a text"
	}
	after := ""
	if before != nil && before.Type != kindEOL {
		after = " after " + p.shown(before)
	}
	switch {
	case want != "":
		d.Message = "expected " + want + after + ", found " + p.shown(t)
	case is(t, ")"), is(t, "]"), is(t, "}"):
		d.Code, d.Message = "SP0216", t.Value+" has no "+openers[t.Value]+" before it"
	case isWord(t, "else"):
		d.Code, d.Message = "SP0203", "this else has no if before it"
	case after == "":
		d.Code, d.Message = "SP0202", "a line cannot begin with "+p.shown(t)
	default:
		d.Message = "expected the end of the line" + after + ", found " + p.shown(t)
	}
	d.Help = p.hint(d, before, t, want)
	return d
}

// unended says that a value is missing at the end of the line before a token, where that begins a statement
// and was read as the value.
func (p *parser) unended(t *lexer.Token) *Diagnostic {
	if t == nil || t.Type != kindWord || forms[t.Value] == "" {
		return nil
	}
	sign := p.before(t)
	if sign == nil || sign.Type != kindOp || !strings.Contains(p.src.Text[tokEnd(sign):t.Pos.Offset], "\n") {
		return nil
	}
	want, found := "a value after "+p.shown(sign), "the end of the line"
	return &Diagnostic{Span: p.span(tokEnd(sign), tokEnd(sign)), Code: "SP0201", Message: "expected " + want + ", found " + found}
}

// hint guesses what was meant by t.
func (p *parser) hint(d *Diagnostic, before, t *lexer.Token, want string) string {
	switch {
	case want == "a text" && p.needsText(before, t):
		return "say after the condition what it takes:  " + p.lineBefore(before) + ` "…"`
	case want == "a text" && isWord(before, "test") && t.Type == kindName:
		return `test "…" { … } checks a script; for a test that somebody takes see  help test`
	case want == "" && t.Type == kindWord && p.unremarked(t) != "":
		return "without remarks:  " + p.unremarked(t)
	case want == "a value" && is(t, "@"):
		return "write the number that stands for it, as in  1d20 + 3"
	case want == "" && t.Type == kindDice && before != nil && before.Type == kindWord && !p.beginsLine(before):
		return "as many dice as a value says are written  " + before.Value + " * " + t.Value
	case isWord(t, "mod") && want == "":
		return "a remainder is written mod(7, 3)"
	case isWord(t, "needs"), isWord(t, "excludes"), isWord(t, "warns"):
		return "write " + t.Value + " on a line of its own, after the clause that it is about"
	case before != nil && is(p.behind(t), ":") && before.Type == kindName && p.beginsLine(before):
		return `write a name of several words in quotes:  "` + spaced(before.Value) + " " + spaced(t.Value) + `": …`
	case before != nil && (before.Type == kindName || before.Type == kindText && isTitle(before.Value)) && (t.Type == kindNum || t.Type == kindDice):
		return d.fieldOrTrait(asWord.Replace(before.Value), t.Value, before.Type == kindName)
	case want == "" && before != nil && before.Type == kindName && t.Type == kindName:
		n := p.behind(t)
		switch {
		case n == nil:
		case n.Type == kindNum, n.Type == kindDice:
			return d.fieldOrTrait(before.Value+"_"+t.Value, n.Value, true)
		case is(n, "{"):
			return "what declares somebody has small letters:  " + strings.ToLower(before.Value) + " " + t.Value + " { … }"
		}
		return `write a name of several words in quotes, or with _ between them:  ` + before.Value + "_" + t.Value
	case want == "" && before != nil && before.Type == kindName && t.Type == kindWord && p.beginsLine(before):
		return "write a colon after the name of whoever acts:  " + before.Value + ": " + t.Value
	case want == "" && before != nil && before.Type == kindText && t.Type == kindWord && p.beginsLine(before):
		return "write a colon after the name of whoever acts:  " + before.Value + ": " + t.Value
	case is(t, ":") && (want == "=" || strings.HasPrefix(want, "=,") || strings.HasPrefix(want, "= or")):
		return "write = in place of the colon"
	case is(t, ":") && before != nil && (before.Type == kindWord || before.Type == kindCaps):
		if n := p.behind(t); n != nil && (n.Type == kindNum || n.Type == kindDice) {
			return "a sheet has no colon between a word and its value:  " + before.Value + " " + n.Value
		}
		return `write a name Capitalised or in quotes:  ` + Capitalised(before.Value) + ": …"
	case is(t, ":") && before != nil && before.Type == kindName && want == "":
		if name := p.titleBefore(t); name != "" {
			return `write a name with a dot in it in quotes:  "` + name + `": …`
		}
	case before != nil && is(before, ":") && t.Type == kindName:
		return "a verb has small letters:  " + strings.ToLower(t.Value)
	case want == "a name" && before != nil && isWord(before, "on") && t.Type == kindCaps:
		return "a clause stands on the line of its command:  …  on " + t.Value
	case want == "a name" && (t.Type == kindCaps || t.Type == kindName) && before != nil && before.Type == kindWord && before.Value != "show":
		return "what a script names itself has small letters:  " + before.Value + " " + strings.ToLower(t.Value)
	case is(t, "=") && p.inCondition(t):
		return "to compare, write =="
	case is(t, "==") && strings.Contains(want, "="):
		return "did you mean =?"
	case t.Type == kindWord:
		words := wordsIn(want)
		if want == "" {
			words = linkWords
		}
		if near, ok := Nearest(t.Value, words); ok {
			return "did you mean " + near + "?"
		}
	}
	return ""
}

// unremarked gives the line of a question about dice that ends in words which are no part of it without these, as
// in  2d6 fire + 1d4 cold; "" where there is no such line.
func (p *parser) unremarked(t *lexer.Token) string {
	line, _, _ := strings.Cut(p.src.Text[p.lineStart(t).Pos.Offset:], "\n")
	line, _, _ = strings.Cut(line, " #")
	if !wholeDice().MatchString(line) {
		return ""
	}
	plain := strings.TrimSpace(remarks().ReplaceAllString(line, "$1"))
	if _, diags := ParseExpr(NewSource("", plain)); plain == line || len(diags) > 0 {
		return ""
	}
	return plain
}

// remarks finds words behind dice and numbers.
var remarks = late.Regexp(`([\d%})])(?:\s+[\pL]+)+`)

// needsText says whether t stands where the text of needs should, behind a whole condition.
func (p *parser) needsText(before, t *lexer.Token) bool {
	if before == nil || before.Type == kindOp && !is(before, ")") && !is(before, "]") || !endsItem(t) {
		return false
	}
	first := p.lineStart(before)
	return isWord(first, "needs") && first != before
}

// lineStart is the first token of the line or block that t stands in.
func (p *parser) lineStart(t *lexer.Token) *lexer.Token {
	for !p.beginsLine(t) {
		t = p.before(t)
	}
	return t
}

// lineBefore is the text of a line from its beginning to the end of a token.
func (p *parser) lineBefore(t *lexer.Token) string {
	return p.src.Text[p.lineStart(t).Pos.Offset:tokEnd(t)]
}

// fieldOrTrait says how to write an entry of a sheet that was written like a name: a field
// in small letters, a trait in capitals. What could be either is told as both, the field first.
func (d *Diagnostic) fieldOrTrait(name, value string, field bool) string {
	trait := "a trait is written in capitals, its words joined by _, and begins a line:  " + strings.ToUpper(name) + " " + value
	if !field {
		return trait
	}
	d.Field, d.HelpElse = strings.ToLower(name), trait
	d.HelpIf = "a field of the sheet has small letters:  " + d.Field + " " + value
	return d.HelpIf + "   " + trait
}

func spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }

// Capitalised writes a word or trait as a name: OLD_BOB is Old_Bob.
func Capitalised(word string) string {
	parts := strings.Split(strings.ToLower(word), "_")
	for i, s := range parts {
		_, n := utf8.DecodeRuneInString(s)
		parts[i] = strings.ToUpper(s[:n]) + s[n:]
	}
	return strings.Join(parts, "_")
}

// titleBefore gives the name with a dot that stands before t from the beginning of its line:
// Dr. Grimm  in  Dr. Grimm: wave. "" if there is none.
func (p *parser) titleBefore(t *lexer.Token) string {
	last := p.before(t)
	dot := p.before(last)
	if dot == nil || !is(dot, ".") {
		return ""
	}
	if first := p.before(dot); first != nil && first.Type == kindName && p.beginsLine(first) {
		return first.Value + ". " + spaced(last.Value)
	}
	return ""
}

// beginsLine says whether a token is the first of its line or block.
func (p *parser) beginsLine(t *lexer.Token) bool {
	b := p.before(t)
	return b == nil || b.Type == kindEOL || is(b, "{") || closes(b)
}

// asWord writes what stands in quotes as one word.
var asWord = strings.NewReplacer(`"`, "", "'", "", " ", "_", "-", "_")

// isTitle says whether a text is a few words that could be the name of a trait.
func isTitle(text string) bool {
	words := strings.Fields(strings.Trim(text, `"`))
	return len(words) > 0 && len(words) <= 3 && !strings.ContainsFunc(text, func(r rune) bool {
		return !strings.ContainsRune(`"' -`, r) && !('a' <= r && r <= 'z') && !('A' <= r && r <= 'Z')
	})
}

// inCondition says whether t stands where a statement has its condition.
func (p *parser) inCondition(t *lexer.Token) bool {
	for t = p.before(t); t != nil && t.Type != kindEOL && !is(t, "{") && !is(t, "}"); t = p.before(t) {
		switch t.Value {
		case "if", "while", "when", "where", "expect", "return":
			return true
		}
	}
	return false
}

// wordsIn are the words of the language that an expectation names.
func wordsIn(want string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(want, " or ", ","), func(r rune) bool { return r == ',' || r == ' ' })
}

// shown is a token as messages name it.
func (p *parser) shown(t *lexer.Token) string {
	switch t.Type {
	case kindEOF, kindEOL, kindShut:
		switch {
		case p.inTexts > 0:
			return "}"
		case t.EOF():
			return "the end"
		case t.Value == ";":
			return ";"
		}
		return "the end of the line"
	case kindWord:
		return `"` + t.Value + `"`
	case kindText:
		return short(t.Value)
	}
	return t.Value
}

// short keeps long texts from filling a message.
func short(text string) string {
	const most = 30
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-2]) + `…"`
}

// before is the token in front of t, nil for the first.
func (p *parser) before(t *lexer.Token) *lexer.Token {
	i, _ := slices.BinarySearchFunc(p.toks, t.Pos.Offset, func(t lexer.Token, off int) int { return t.Pos.Offset - off })
	if t.EOF() {
		i = len(p.toks) - 1
	}
	if i == 0 || i >= len(p.toks) {
		return nil
	}
	return &p.toks[i-1]
}

// behind is the token after t, nil for the last.
func (p *parser) behind(t *lexer.Token) *lexer.Token {
	i, _ := slices.BinarySearchFunc(p.toks, t.Pos.Offset, func(t lexer.Token, off int) int { return t.Pos.Offset - off })
	if t.EOF() || i+1 >= len(p.toks) {
		return nil
	}
	return &p.toks[i+1]
}

// product writes the power whose sign is t as a product.
func (p *parser) product(t *lexer.Token) string {
	base, n := "x", 2
	if b := p.before(t); b != nil && !b.EOF() {
		base = b.Value
	}
	if e := p.behind(t); e != nil {
		if k, err := strconv.Atoi(e.Value); err == nil && 2 <= k && k <= 20 {
			n = k
		}
	}
	return base + strings.Repeat(" * "+base, n-1)
}

// badToken says what is wrong with what is no token of the language.
func (p *parser) badToken(t *lexer.Token) *Diagnostic {
	d := &Diagnostic{Span: p.tokSpan(t), Code: "SP0225"}
	first := []rune(t.Value)[0]
	switch {
	case first == '"':
		d.Span.End = d.Span.Start + 1
		d.Code, d.Message = "SP0221", `this text has no closing "`
		d.Help = `a text ends with " on the same line`
		if strings.Contains(t.Value, "{") {
			d.Help += `; in a text { begins a value, and \{ is a brace`
		}
	case '0' <= first && first <= '9':
		d.Code, d.Message = "SP0222", t.Value+" must be a number or a word"
		d.Help = "dice are written 3d6 or 2d%"
		if ours, read, _ := Notation(t.Value); len(read) > 0 {
			d.Help = "write  " + ours
		}
	case len(t.Value) > 1 && (isLower(t.Value[0]) || first == '_'):
		d.Code, d.Message = "SP0223", t.Value+" mixes small and capital letters"
		d.Help = "words are lower_case, traits ALL_CAPS, names Capitalised"
	case strings.ContainsRune("“”„«»‘’'`", first):
		d.Code, d.Message = "SP0224", "a text needs straight double quotes"
		d.Help = `write "…"`
	case first == '!':
		d.Message, d.Help = "! means nothing here", "did you mean not, or !=?"
		if n := p.behind(t); n == nil || endsItem(n) {
			d.Help = "leave it out"
		}
	case first == '^':
		d.Message, d.Help = "^ means nothing here", "a power is written as a product:  "+p.product(t)
	case first == '&':
		d.Message, d.Help = "& means nothing here", "did you mean and?"
	case first == '%':
		d.Message, d.Help = "% means nothing here", "write it right after a number (55%) or a d (d%); a remainder is written mod(7, 3)"
	case first == '\uFFFD':
		d.Code, d.Message = "SP0226", "this is not UTF-8 text"
		d.Help = "save the file as UTF-8"
	default:
		d.Message = visible(t.Value, 0) + " means nothing here"
	}
	return d
}

// ---- brackets -----------------------------------------------------------

var (
	closers = map[string]string{"(": ")", "[": "]", "{": "}"}
	openers = map[string]string{")": "(", "]": "[", "}": "{"}
)

// neverClosed is about a brace that has no partner. It is taken to end at shut.
func (p *parser) neverClosed(open, shut *lexer.Token) *Diagnostic {
	d := &Diagnostic{Span: p.tokSpan(open), Code: "SP0204", Message: open.Value + " has no closing " + closers[open.Value], Incomplete: true}
	t := p.outdented(open)
	if shut.Type == kindShut {
		i, _ := slices.BinarySearchFunc(p.toks, shut.Pos.Offset+1, func(t lexer.Token, off int) int { return t.Pos.Offset - off })
		t = &p.toks[i]
		d.Resumes = int32(t.Pos.Offset)
	}
	if t != nil {
		d.Notes = []Note{{p.tokSpan(t), "is a } missing before this?"}}
	}
	return d
}

// outdented finds the first line behind an open brace that begins no further
// to the right than the line of the brace: something new seems to begin there.
func (p *parser) outdented(open *lexer.Token) *lexer.Token {
	at, column, first := open.Pos.Line, 0, true
	for i := range p.toks {
		t := &p.toks[i]
		newLine := i == 0 || t.Pos.Line > p.toks[i-1].Pos.Line
		switch {
		case t.Type == kindEOL || t.EOF() || !newLine && t.Pos.Line <= at:
		case t.Pos.Line < at:
		case t.Pos.Line == at && first:
			column, first = t.Pos.Column, false
		case newLine && t.Pos.Line > at && t.Pos.Column <= column && !is(t, "}"):
			return t
		}
	}
	return nil
}

func (p *parser) notClosed(open, found *lexer.Token, partner string) *Diagnostic {
	want := partner
	if found.Type != kindBad && !endsItem(found) && !is(found, ":") {
		want = ", or " + partner
	}
	d := p.unexpected(found, want)
	d.Notes = append(d.Notes, Note{p.tokSpan(open), "opened here"})
	i, _ := slices.BinarySearchFunc(p.toks, open.Pos.Offset, func(t lexer.Token, off int) int { return t.Pos.Offset - off })
	if i > 0 && i+3 < len(p.toks) && is(&p.toks[i+2], ":") && (p.toks[i-1].Type == kindName || p.toks[i-1].Type == kindText) {
		d.Help = "in the block of a sheet nothing stands between a word and its value:  " + p.toks[i+1].Value + " " + p.toks[i+3].Value
	}
	return d
}

func (p *parser) nestedTooDeep(off int) *Diagnostic {
	return &Diagnostic{Span: p.span(off, off+1), Code: "SP0205", Message: "this is nested too deeply", Help: fmt.Sprintf("at most %d levels", maxDepth)}
}

// ---- size ---------------------------------------------------------------

func (p *parser) sourceTooLong() *Diagnostic {
	return &Diagnostic{Span: p.span(0, 0), Code: "SP0206", Message: fmt.Sprintf("the script is longer than %d MB", maxSource>>20)}
}

func (p *parser) tooLong(s Span) *Diagnostic {
	return &Diagnostic{Span: s, Code: "SP0207", Message: fmt.Sprintf("more than %d operators, calls or branches in a row", maxChain)}
}

func moreMistakes(at Span, n int) *Diagnostic {
	at.End = at.Start
	return &Diagnostic{Span: at, Code: "SP0208", Message: fmt.Sprintf("%d more mistakes after this", n)}
}

// ---- expressions --------------------------------------------------------

func (p *parser) chainedComparison(op *lexer.Token) *Diagnostic {
	return &Diagnostic{
		Span: p.tokSpan(op), Code: "SP0209", Message: "a comparison cannot be compared again",
		Help: "join two comparisons with and, or use a range: x in 1..4",
	}
}

func (p *parser) compWithElements(s Span) *Diagnostic {
	return &Diagnostic{Span: s, Code: "SP0210", Message: "a list made with for cannot have more elements"}
}

func (p *parser) unknownEscape(off int, raw string) *Diagnostic {
	size := 1
	for size < len(raw) && (size == 1 || raw[size]&0xC0 == 0x80) {
		size++
	}
	return &Diagnostic{
		Span: p.span(off, off+size), Code: "SP0211", Message: raw[:size] + " means nothing in a text",
		Help: `write \" \\ \n \t or \{`,
	}
}

func (p *parser) emptyBraces(start, end int) *Diagnostic {
	return &Diagnostic{Span: p.span(start, end), Code: "SP0212", Message: "the value between the braces is missing", Help: `write \{ for a brace`}
}

// ---- names and statements -----------------------------------------------

func (p *parser) reservedName(t *lexer.Token, what string) *Diagnostic {
	return &Diagnostic{Span: p.tokSpan(t), Code: "SP0213", Message: fmt.Sprintf("%q is a word of the language and cannot name %s", t.Value, what)}
}

func (p *parser) notAStatement(t *lexer.Token, near string) *Diagnostic {
	return &Diagnostic{Span: p.tokSpan(t), Code: "SP0214", Message: fmt.Sprintf("there is no statement %s", t.Value), Help: "did you mean " + near + "?"}
}

// misplaced says where the word t, which begins no statement, can stand.
func (p *parser) misplaced(t *lexer.Token) *Diagnostic {
	d := &Diagnostic{Span: p.tokSpan(t), Code: "SP0215", Message: fmt.Sprintf("%q cannot begin a line here", t.Value)}
	switch t.Value {
	case "clause", "uses":
		d.Help = "it belongs in the { … } of a verb or of clauses"
	case "when", "otherwise":
		d.Help = "it belongs in the { … } of tactics"
	case "and", "or", "in":
		return p.leadingOperator(t)
	case "else":
		d.Code, d.Message = "SP0203", "this else has no if before it"
	}
	return d
}

func (p *parser) leadingOperator(t *lexer.Token) *Diagnostic {
	d := &Diagnostic{
		Span: p.tokSpan(t), Code: "SP0202", Message: "a line cannot begin with " + p.shown(t),
		Help: "put it at the end of the line before",
	}
	line := strings.TrimSpace(p.src.Line(p.src.Position(t.Pos.Offset).Line))
	rest := strings.TrimSpace(strings.TrimLeft(line, t.Value))
	switch n := p.behind(t); {
	case rest == "" || n == nil:
	case is(t, "/"):
		d.Help = "a note to yourself begins with #:  # " + short(rest)
	case (is(t, "-") || is(t, "*")) && (n.Type == kindName || n.Type == kindText || n.Type == kindWord):
		d.Help = "leave the " + t.Value + " out:  " + short(rest)
	}
	return d
}

func (p *parser) cannotAssign(x, v Expr) *Diagnostic {
	d := &Diagnostic{Span: x.Range(), Code: "SP0217", Message: "this cannot be set", Help: "a variable, a field (x.f) or an entry (x.f[k]) can be set"}
	if b, ok := x.(*Binary); ok && comparison(b.Op) {
		d.Help = "to compare, write =="
	}
	if c, ok := x.(*Caps); ok {
		rating := v.Range()
		d.Help = "a sheet has no = between a trait and its rating:  " + c.Name + " " + p.src.Text[rating.Start:rating.End]
	}
	return d
}

func (p *parser) secondElse(s Span) *Diagnostic {
	return &Diagnostic{Span: s, Code: "SP0218", Message: "this if has an else already"}
}

func (p *parser) secondDo(t *lexer.Token) *Diagnostic {
	return &Diagnostic{Span: p.tokSpan(t), Code: "SP0219", Message: "this verb has a do already"}
}

func (p *parser) partTwice(s Span, what string) *Diagnostic {
	return &Diagnostic{Span: s, Code: "SP0220", Message: what + " is given twice"}
}

// ---- what participle expected -------------------------------------------

// productions are the names of the grammar's own types in words; nothing that
// the user would not understand may come out of expectation.
var productions = map[string]string{
	"Expr": "a value", "Choice": "a value", "EntryValue": "a value", "TypeRef": "a type", "Command": "a command",
	"Block": "{", "RowsBody": "{", "ChoicesBody": "{", "SheetBody": "{", "VerbBody": "{", "ClauseBody": "{", "FeatureBody": "{", "TacticBody": "{",
	"SlotsBody": "(", "ParamsG": "(", "Pattern": "a pattern", "PatWordG": "a word", "PatSlotG": "(", "PatOptG": "[",
	"SettingG": "a name", "NamedG": "a name", "SummaryEntryG": "a name", "SlotG": "a name", "ParamG": "a name", "ElseG": "else",
	"<word>": "a name", "<caps>": "a trait", "<name>": "a Capitalised name", "<text>": "a text", "<num>": "a number", "<dice>": "dice",
}

// expectation puts participle's notation of what should come into words: the
// first things that a sequence like `("=" Expr | Block)` can begin with.
func expectation(ebnf string) string {
	e := &ebnfReader{rest: ebnf}
	e.choice()
	var list []string
	for _, w := range e.firsts {
		if !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return OneOf(list)
}

type ebnfReader struct {
	rest   string
	firsts []string
}

// choice reads alternatives; it says whether one of them can be empty.
func (e *ebnfReader) choice() bool {
	empty := e.sequence()
	for e.take("|") {
		empty = e.sequence() || empty
	}
	return empty
}

// sequence reads terms one after the other. Only those count before which
// nothing has to stand.
func (e *ebnfReader) sequence() bool {
	first := true
	for {
		e.rest = strings.TrimLeft(e.rest, " ")
		if e.rest == "" || e.rest[0] == '|' || e.rest[0] == ')' {
			return first
		}
		n := len(e.firsts)
		empty := e.term()
		if !first {
			e.firsts = e.firsts[:n]
		}
		first = first && empty
	}
}

func (e *ebnfReader) term() bool {
	empty := false
	switch {
	case e.take("("):
		empty = e.choice()
		e.take(")")
	case e.rest[0] == '"':
		end := strings.IndexByte(e.rest[1:], '"')
		if end < 0 {
			end = len(e.rest) - 2
		}
		e.firsts = append(e.firsts, e.rest[1:1+end])
		e.rest = e.rest[end+2:]
	default:
		end := strings.IndexAny(e.rest[1:], " ()|?*+!") + 1
		if end == 0 {
			end = len(e.rest)
		}
		if word, ok := productions[e.rest[:end]]; ok {
			e.firsts = append(e.firsts, word)
		}
		e.rest = e.rest[end:]
	}
	if e.take("?") || e.take("*") {
		return true
	}
	if e.take("+") || e.take("!") {
		return empty
	}
	return empty
}

func (e *ebnfReader) take(s string) bool {
	rest := strings.TrimLeft(e.rest, " ")
	if !strings.HasPrefix(rest, s) {
		return false
	}
	e.rest = rest[len(s):]
	return true
}
