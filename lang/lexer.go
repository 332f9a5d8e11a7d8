package lang

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// The lexer turns a source into tokens in one go. Three things that a grammar
// would find awkward are settled here:
//
//   - Newlines. An EOL token ends a statement. There is none inside ( and [,
//     none after a comma or a binary operator, and none before a line that
//     begins with else. "\n\n" is an EOL with a blank line behind it, which
//     matters to annotations.
//   - Spacing. f(x) and x[1] are a call and an index, f (x) and x [1] are two
//     operands; "mod -5" has an operand of its own where "a - 5" and "a-5" do
//     not. The kinds Call, Index and Sign say so; their text is the bare sign,
//     so a grammar that does not care writes "(".
//   - Brackets that are never closed. They would swallow every newline to the
//     end of the file. Such an opener is found first, in a run of its own, and
//     then no longer counts. It is one that is open at the end, or whose partner
//     would have to stand behind a brace or a line that begins a declaration.
//   - Braces that are never closed. Such a brace would take in all that follows. Where
//     there is one, the text is scanned again, and the indentation says where it ends: a
//     Shut token stands there. See layout.
//
// What is no token of the language becomes a Bad token; the parser says what
// is wrong with it when it gets there.
const (
	kindEOF = lexer.EOF
	kindEOL = lexer.TokenType(iota)
	kindWord
	kindCaps
	kindName
	kindText
	kindNum
	kindDice
	kindOp
	kindCall  // ( right behind an operand
	kindIndex // [ right behind an operand
	kindSign  // + or - with space before and none behind
	kindOpen  // .. with nothing to its right that belongs to it
	kindBad
	kindBody // { … } of an outline
	kindShut // where a brace ends that is never closed
)

// maxNesting is how deep brackets may stand in brackets. The parser recurses,
// and Go cannot recover from a stack that overflows.
const maxNesting = 200

// maxInTexts is how deep texts may stand in the {…} of other texts.
const maxInTexts = 6

// lexicon is the lexer.Definition that the grammar is built with.
type lexicon struct{}

func (lexicon) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF": kindEOF, "EOL": kindEOL, "Word": kindWord, "Caps": kindCaps, "Name": kindName, "Text": kindText,
		"Num": kindNum, "Dice": kindDice, "Op": kindOp, "Call": kindCall, "Index": kindIndex, "Sign": kindSign,
		"Open": kindOpen, "Bad": kindBad, "Body": kindBody, "Shut": kindShut,
	}
}

func (d lexicon) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return d.LexString(name, string(text))
}

func (lexicon) LexString(_, text string) (lexer.Lexer, error) {
	return scan(text, 0, len(text), false, nil, nil), nil
}

// tokens is a scanned stretch of text. It hands out its tokens as a lexer.Lexer.
type tokens struct {
	list     []lexer.Token
	next     int
	comments []Comment // spans without a source
	unclosed int       // offset of the first ( or [ that is open at the end, or -1
	tooDeep  int       // offset of the bracket that is one too many, or -1
	shut     bool      // there is a Shut token
}

func (t *tokens) Next() (lexer.Token, error) {
	tok := t.list[t.next]
	if t.next < len(t.list)-1 {
		t.next++
	}
	return tok, nil
}

// scan makes tokens of text[start:end]: all of a source, a block, or, with
// inText, the inside of the {…} of a text. The tokens are put into list. It ends early
// when ended says so, which is asked from time to time; nil never does.
func scan(text string, start, end int, inText bool, list []lexer.Token, ended func() bool) *tokens {
	s := newScanner(text, start, end, inText, list)
	s.ended = ended
	s.run()
	again := func(layout bool, list []lexer.Token) *scanner {
		t := newScanner(text, start, end, inText, list)
		t.ignore, t.ended, t.layout = s.broken, ended, layout
		t.run()
		t.out.unclosed = s.out.unclosed
		return t
	}
	if len(s.open) > 0 && s.out.tooDeep < 0 {
		// A } more that closes nothing says that the indentation tells something else.
		if t := again(true, nil); t.strays <= s.strays {
			return t.out
		}
	}
	if len(s.broken) > 0 {
		return again(false, s.out.list).out
	}
	return s.out
}

type bracket struct {
	char   byte
	off    int
	indent int  // of its line
	line   int  // see indent
	flat   bool // the first line inside is indented no further
	inside bool // there is a line inside
}

type scanner struct {
	text   string
	pos    int
	end    int
	line   int
	lineAt int // offset of the line's start
	open   []bracket
	broken map[int]bool // openers without a partner
	ignore map[int]bool // those of an earlier run
	inText bool         // the stretch stands in the {…} of a text
	layout bool         // braces that are never closed end where the indentation says so
	strays int          // } that close nothing
	out    *tokens
	ended  func() bool // nobody waits for the tokens any more; may be nil
}

func newScanner(text string, start, end int, inText bool, list []lexer.Token) *scanner {
	// A token and the space behind it mostly have more than four letters.
	if room := min((end-start)/4+16, maxRoom); cap(list) < room {
		list = make([]lexer.Token, 0, room)
	}
	return &scanner{
		text: text, pos: start, end: end, line: 1, lineAt: start, inText: inText,
		out: &tokens{list: list[:0], unclosed: -1, tooDeep: -1},
	}
}

func (s *scanner) run() {
	if s.pos == 0 && strings.HasPrefix(s.text, "\uFEFF") {
		s.pos = len("\uFEFF")
	}
	for n := 1; s.out.tooDeep < 0 && s.token(); n++ {
		if n%1024 == 0 && s.ended != nil && s.ended() {
			break
		}
	}
	s.closeAll()
	s.endLine(false, s.end)
	s.emit(kindEOF, s.end, s.end)
}

// token reads white space and one token; it is false at the end.
func (s *scanner) token() bool {
	newlines, eol := s.space()
	if newlines > 0 {
		if s.inParens() && s.declares() {
			s.breakParens()
		}
		s.endLine(newlines > 1, eol)
		if s.layout && s.pos < s.end {
			s.shut(eol)
			s.endLine(false, eol)
		}
	}
	if s.pos >= s.end {
		return false
	}
	start := s.pos
	c := s.text[start]
	switch {
	case isDigit(c):
		s.number()
	case c == '"':
		s.quoted()
	case c == '\\' && s.inText && escapedEnd(s.text[:s.end], start) > start+2:
		s.emit(kindText, start, escapedEnd(s.text[:s.end], start))
	case isLower(c) || isUpper(c) || c == '_' || c >= utf8.RuneSelf:
		s.word()
	default:
		s.operator()
	}
	return true
}

// space skips white space and comments. It tells how many newlines there were
// (lines with a comment only do not make a blank line) and where the first was.
func (s *scanner) space() (newlines, first int) {
	blank := false
	for s.pos < s.end {
		switch c := s.text[s.pos]; c {
		case ' ', '\t', '\r':
			s.pos++
		case '\n':
			switch {
			case newlines == 0:
				newlines, first = 1, s.pos
			case blank:
				newlines = 2
			}
			blank = true
			s.pos++
			s.line++
			s.lineAt = s.pos
		case '#':
			stop := s.pos
			for stop < s.end && s.text[stop] != '\n' {
				stop++
			}
			text := strings.TrimRight(s.text[s.pos+1:stop], " \t\r")
			end := s.pos + 1 + len(text)
			s.out.comments = append(s.out.comments, Comment{Span: Span{Start: int32(s.pos), End: int32(end)}, Text: text})
			s.pos, blank = stop, false
		default:
			return newlines, first
		}
	}
	return newlines, first
}

// endLine emits EOL where a statement can end.
func (s *scanner) endLine(blank bool, off int) {
	n := len(s.out.list)
	if n == 0 || s.out.list[n-1].Type == kindEOL || s.inParens() || continues(&s.out.list[n-1]) || s.elseAhead() {
		return
	}
	value := "\n"
	if blank {
		value = "\n\n"
	}
	line := s.line
	s.out.list = append(s.out.list, lexer.Token{Type: kindEOL, Value: value, Pos: lexer.Position{Offset: off, Line: line}})
}

func (s *scanner) inParens() bool {
	return len(s.open) > 0 && s.open[len(s.open)-1].char != '{'
}

// continues says whether a line that ends with t goes on in the next one.
func continues(t *lexer.Token) bool {
	switch t.Type {
	case kindOp, kindSign:
		switch t.Value {
		case ",", "+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">=", "=", "+=", "-=", "=>", "->", "|":
			return true
		}
	case kindWord:
		return t.Value == "and" || t.Value == "or" || t.Value == "in"
	}
	return false
}

// elseAhead says whether the line begins with an else that belongs to the
// statement before it, and not to the last row of a table.
func (s *scanner) elseAhead() bool {
	rest := s.text[s.pos:s.end]
	if !strings.HasPrefix(rest, "else") {
		return false
	}
	rest = rest[len("else"):]
	if rest != "" && isWordByte(rest[0]) {
		return false
	}
	return !strings.HasPrefix(strings.TrimLeft(rest, " \t"), "=>")
}

func (s *scanner) emit(kind lexer.TokenType, start, end int) {
	s.out.list = append(s.out.list, lexer.Token{
		Type:  kind,
		Value: s.text[start:end],
		Pos:   lexer.Position{Offset: start, Line: s.line, Column: start - s.lineAt + 1},
	})
	s.pos = end
}

// word reads a word, a name, a trait or a die.
func (s *scanner) word() {
	start, i := s.pos, s.pos
	letters, upper := 0, 0
letters:
	for i < s.end {
		c := s.text[i]
		switch {
		case isLower(c):
			letters++
			i++
		case isUpper(c):
			letters++
			upper++
			i++
		case isDigit(c) || c == '_':
			i++
		case c < utf8.RuneSelf:
			break letters
		default:
			r, size := utf8.DecodeRuneInString(s.text[i:s.end])
			if !unicode.IsLetter(r) && !unicode.IsMark(r) {
				break letters
			}
			if unicode.IsLetter(r) {
				letters++
			}
			if unicode.IsUpper(r) {
				upper++
			}
			i += size
		}
	}
	if i == start {
		_, size := utf8.DecodeRuneInString(s.text[i:s.end])
		s.emit(kindBad, start, start+size)
		return
	}
	if s.text[start] == 'd' && i == start+1 && i < s.end && (s.text[i] == '%' || s.text[i] == '{' && s.faces(i) > i) {
		s.emit(kindDice, start, max(i+1, s.faces(i)))
		return
	}
	if s.text[start:i] == "dF" {
		s.emit(kindDice, start, i)
		return
	}
	kind := wordKind(s.text[start:i], letters, upper)
	if kind == kindDice {
		i = s.pluses(i)
	}
	if kind == kindName && letters == 1 && s.beginsLine() && s.ratedAt(i) {
		kind = kindCaps // a trait of one letter on a sheet: nobody's command begins like that
	}
	s.emit(kind, start, i)
}

// pluses gives where the pluses of a die such as d12+ end. A plus belongs to the die that it
// touches unless it adds something: d12+3, d12+d6 and d12+ 3 are sums.
func (s *scanner) pluses(i int) int {
	end := i
	for end < s.end && s.text[end] == '+' {
		end++
	}
	next := end
	for next < s.end && (s.text[next] == ' ' || s.text[next] == '\t') {
		next++
	}
	switch {
	case next == s.end:
		return end
	case next == end && (isLower(s.text[next]) || strings.IndexByte("\"_-[", s.text[next]) >= 0):
		return i // d12+n
	case isDigit(s.text[next]) || isUpper(s.text[next]) || s.text[next] == '(' || s.text[next] >= utf8.RuneSelf:
		return i
	case s.text[next] == 'd' && next+1 < s.end && (isDigit(s.text[next+1]) || s.text[next+1] == '%'):
		return i
	}
	return end
}

// beginsLine says whether the next token is the first of a line, a block or a statement.
func (s *scanner) beginsLine() bool {
	n := len(s.out.list)
	if n == 0 {
		return true
	}
	t := &s.out.list[n-1]
	return t.Type == kindEOL || t.Value == "{" || t.Value == ";"
}

// ratedAt says whether a number or a die stands behind what ends at i, with a blank between.
func (s *scanner) ratedAt(i int) bool {
	if i >= s.end || s.text[i] != ' ' {
		return false
	}
	for i < s.end && s.text[i] == ' ' {
		i++
	}
	if i < s.end && (s.text[i] == '+' || s.text[i] == '-' || s.text[i] == 'd') {
		i++
	}
	return i < s.end && isDigit(s.text[i])
}

// wordKind tells the kind of a word from its shape.
func wordKind(word string, letters, upper int) lexer.TokenType {
	first, _ := utf8.DecodeRuneInString(word)
	switch {
	case upper == 0 && (unicode.IsLower(first) || first == '_'):
		if isDie(word) {
			return kindDice
		}
		return kindWord
	case unicode.IsLower(first) || first == '_':
		return kindBad
	case upper == letters && letters > 1:
		return kindCaps
	}
	return kindName
}

// isDie says whether word is d and digits.
func isDie(word string) bool {
	if len(word) < 2 || word[0] != 'd' {
		return false
	}
	for i := 1; i < len(word); i++ {
		if !isDigit(word[i]) {
			return false
		}
	}
	return true
}

// number reads 12, 0.25, 55%, 3d6 and 2d%.
func (s *scanner) number() {
	start := s.pos
	i := s.digits(start)
	kind := lexer.TokenType(kindNum)
	switch {
	case i+1 < s.end && s.text[i] == 'd' && isDigit(s.text[i+1]):
		kind = kindDice
		i = s.digits(i + 1)
	case i+1 < s.end && s.text[i] == 'd' && (s.text[i+1] == '%' || s.text[i+1] == 'F'):
		kind = kindDice
		i += 2
	case i+1 < s.end && s.text[i] == 'd' && s.faces(i+1) > i+1:
		kind = kindDice
		i = s.faces(i + 1)
	case i+1 < s.end && s.text[i] == '.' && isDigit(s.text[i+1]):
		i = s.digits(i + 1)
	}
	if kind == kindNum && i < s.end && s.text[i] == '%' {
		i++
	}
	for i < s.end && (isWordByte(s.text[i]) || isUpper(s.text[i])) {
		kind = kindBad
		i++
	}
	s.emit(kind, start, i)
}

// faces gives the end of the faces of a die, {1, 2, 2, 3}, that begin at i; i where none do.
func (s *scanner) faces(i int) int {
	if i >= s.end || s.text[i] != '{' {
		return i
	}
	end := strings.IndexAny(s.text[i:s.end], "}\n\"")
	if end < 0 || s.text[i+end] != '}' || strings.TrimSpace(s.text[i+1:i+end]) == "" {
		return i
	}
	return i + end + 1
}

func (s *scanner) digits(i int) int {
	for i < s.end && isDigit(s.text[i]) {
		i++
	}
	return i
}

// quoted reads a text. One that is not closed on its line is Bad up to there.
func (s *scanner) quoted() {
	end, ok := textEnd(s.text[:s.end], s.pos, 0)
	if !ok {
		s.emit(kindBad, s.pos, end)
		return
	}
	s.emit(kindText, s.pos, end)
}

// textEnd finds the end of the text that begins at i, with the texts inside its
// {…}. Without an end it gives the end of the line and false.
func textEnd(text string, i, depth int) (int, bool) {
	braces := 0
	for i++; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			return trimEnd(text, i), false
		case c == '\\' && braces == 0:
			if i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case c == '\\' && strings.HasPrefix(text[i:], `\"`):
			i = escapedEnd(text, i) - 1
		case c == '"' && braces == 0:
			return i + 1, true
		case c == '"':
			if depth == maxInTexts {
				return lineEnd(text, i), false
			}
			end, ok := textEnd(text, i, depth+1)
			if !ok {
				return end, false
			}
			i = end - 1
		case c == '{':
			braces++
		case c == '}' && braces > 0:
			braces--
		}
	}
	return trimEnd(text, len(text)), false
}

// escapedEnd finds the end of a text that is written with \" on both sides, as
// some do inside the {…} of another text.
func escapedEnd(text string, i int) int {
	for j := i + 2; j+1 < len(text) && text[j] != '\n'; j++ {
		if text[j] == '\\' && text[j+1] == '"' {
			return j + 2
		}
	}
	return i + 2
}

func lineEnd(text string, i int) int {
	for i < len(text) && text[i] != '\n' {
		i++
	}
	return trimEnd(text, i)
}

func trimEnd(text string, i int) int {
	for i > 0 && (text[i-1] == '\r' || text[i-1] == ' ' || text[i-1] == '\t') {
		i--
	}
	return i
}

// operator reads a sign.
func (s *scanner) operator() {
	start := s.pos
	c := s.text[start]
	var c2 byte
	if start+1 < s.end {
		c2 = s.text[start+1]
	}
	switch c {
	case '(', '[', '{':
		s.opener(c, start)
		return
	case ')', ']', '}':
		s.closer(c)
		s.emit(kindOp, start, start+1)
		return
	case ';':
		s.semicolon(start)
		return
	case '.':
		if c2 == '.' {
			s.dots(start)
			return
		}
	case '+', '-':
		if c2 != '=' && !(c == '-' && c2 == '>') && s.spaceBefore(start) && !s.spaceAt(start+1) {
			s.emit(kindSign, start, start+1)
			return
		}
	}
	if isDouble(c, c2) {
		s.emit(kindOp, start, start+2)
		return
	}
	if strings.IndexByte("+-*/<>=.,:|@", c) >= 0 {
		s.emit(kindOp, start, start+1)
		return
	}
	s.emit(kindBad, start, start+1)
}

func isDouble(c, c2 byte) bool {
	switch c2 {
	case '=':
		return strings.IndexByte("=!<>+-", c) >= 0
	case '>':
		return c == '=' || c == '-'
	}
	return false
}

func (s *scanner) opener(c byte, start int) {
	if c == '{' && s.inParens() {
		s.breakParens()
	}
	if !s.ignore[start] {
		if len(s.open) >= maxNesting {
			s.out.tooDeep = start
			s.pos = s.end
			return
		}
		s.open = append(s.open, bracket{char: c, off: start, line: s.line, indent: s.indent()})
	}
	kind := lexer.TokenType(kindOp)
	if c != '{' && s.touches(start) {
		kind = kindCall
		if c == '[' {
			kind = kindIndex
		}
	}
	s.emit(kind, start, start+1)
}

// closer takes the partner of c off the stack. Openers of another kind above it
// have no partner; a c without any is left to the parser.
func (s *scanner) closer(c byte) {
	want := byte('(')
	switch c {
	case ']':
		want = '['
	case '}':
		want = '{'
	}
	i := len(s.open) - 1
	for i >= 0 && s.open[i].char != want && (c == '}' || s.open[i].char != '{') {
		i--
	}
	if i < 0 || s.open[i].char != want {
		if c == '}' {
			s.strays++
		}
		return
	}
	for _, b := range s.open[i+1:] {
		s.breaks(b)
	}
	s.open = s.open[:i]
}

// breakParens gives up the ( and [ that are open here.
func (s *scanner) breakParens() {
	for s.inParens() {
		s.breaks(s.open[len(s.open)-1])
		s.open = s.open[:len(s.open)-1]
	}
}

// declares says whether what comes next looks like the beginning of a
// declaration or statement that cannot stand in parentheses: "rule name".
func (s *scanner) declares() bool {
	word := s.wordHere()
	i := s.pos + len(word)
	if !heads[word] || i >= s.end || s.text[i] != ' ' {
		return false
	}
	for i < s.end && s.text[i] == ' ' {
		i++
	}
	return i < s.end && (isLower(s.text[i]) || isUpper(s.text[i]) || s.text[i] == '"')
}

func (s *scanner) breaks(b bracket) {
	if s.broken == nil {
		s.broken = map[int]bool{}
	}
	s.broken[b.off] = true
}

// closeAll gives up the ( and [ that are open at the end. (Below a brace there
// are none: it has given them up already.)
func (s *scanner) closeAll() {
	if s.inParens() {
		first := len(s.open) - 1
		for first > 0 && s.open[first-1].char != '{' {
			first--
		}
		s.out.unclosed = s.open[first].off
		s.breakParens()
	}
}

func (s *scanner) semicolon(start int) {
	n := len(s.out.list)
	if n > 0 && s.out.list[n-1].Type == kindEOL && s.out.list[n-1].Value == ";" {
		s.pos++
		return
	}
	s.emit(kindEOL, start, start+1)
}

// dots reads "..", which has a right side when that touches it or when white
// space stands on both sides.
func (s *scanner) dots(start int) {
	kind := lexer.TokenType(kindOpen)
	if !s.spaceAt(start+2) || s.spaceBefore(start) {
		kind = kindOp
	}
	s.emit(kind, start, start+2)
}

// touches says whether an operand ends right before off.
func (s *scanner) touches(off int) bool {
	n := len(s.out.list)
	if n == 0 {
		return false
	}
	t := &s.out.list[n-1]
	if t.Pos.Offset+len(t.Value) != off {
		return false
	}
	switch t.Type {
	case kindWord, kindCaps, kindName, kindText, kindNum, kindDice:
		return true
	}
	return t.Value == ")" || t.Value == "]"
}

func (s *scanner) spaceBefore(off int) bool {
	return off == 0 || s.spaceAt(off-1)
}

func (s *scanner) spaceAt(off int) bool {
	if off >= s.end {
		return true
	}
	switch s.text[off] {
	case ' ', '\t', '\r', '\n', '#':
		return true
	}
	return false
}

func isDigit(c byte) bool    { return '0' <= c && c <= '9' }
func isLower(c byte) bool    { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool    { return 'A' <= c && c <= 'Z' }
func isWordByte(c byte) bool { return isLower(c) || isDigit(c) || c == '_' }
