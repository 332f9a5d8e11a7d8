package lang

import (
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// Expressions are parsed by precedence climbing, straight into the tree. The
// same code reads expressions proper and the operands of a command, where an
// operand ends as soon as the next thing cannot join it:
//
//	roll FLY + "Ace" d8 mod -5 if failed
//	     ^^^^^^^^^^^^^^ ^^^ ^^ ^^ ^^^^^^     five operands
//
// mode says which of the two it is.
type mode uint8

const (
	// operands: words of the language are plain words, "-5" with space before
	// it begins an operand of its own.
	operands mode = 1 << iota
	// rated: a trait takes in the rating behind it.
	rated
	// listed: so it does when the rating has a sign.
	listed
)

const (
	maxDepth  = 400   // of expressions in expressions
	maxChain  = 1_000 // operators, calls or annotations in one chain
	maxSource = 1 << 28
)

// Precedences of the operators, loosest first.
const (
	precOr = iota + 1
	precAnd
	precNot
	precCompare
	precRange
	precSum
	precProduct
)

// binaryPrec is the precedence of t between two operands, 0 if it cannot stand there.
func binaryPrec(t *lexer.Token) int {
	switch t.Type {
	case kindWord:
		switch t.Value {
		case "or":
			return precOr
		case "and":
			return precAnd
		case "in":
			return precCompare
		}
	case kindSign:
		return precSum
	case kindOpen:
		return precRange
	case kindOp:
		switch t.Value {
		case "==", "!=", "<", "<=", ">", ">=":
			return precCompare
		case "..":
			return precRange
		case "+", "-":
			return precSum
		case "*", "/":
			return precProduct
		}
	}
	return 0
}

func (p *parser) parseExpr(lex stream) (Expr, error) {
	if t := lex.Peek(); !startsOperand(t) && (!mapAhead(lex, 0) || is(peek(lex, 1), "}") && !p.behindEquals(t)) { // {} may be a block
		return nil, participle.NextMatch
	}
	return p.expr(lex, 0)
}

// entryValue is the value of an entry of a summary. Where there is none, when may
// stand behind the name.
type entryValue interface{ Expr }

func (p *parser) parseEntryValue(lex stream) (entryValue, error) {
	if isWord(lex.Peek(), "when") {
		return nil, participle.NextMatch
	}
	return p.parseExpr(lex)
}

// question is what an offer asks. Where there is none, it is that of the decision.
type question interface{ Expr }

func (p *parser) parseQuestion(lex stream) (question, error) {
	switch t := lex.Peek(); {
	case t.Type == kindBody, t.Value == "{", isWord(t, "costs"), isWord(t, "when"), isWord(t, "answer"), isWord(t, "default"), isWord(t, "unasked"), isWord(t, "usual"):
		return nil, participle.NextMatch
	}
	return p.parseExpr(lex)
}

// choice is a value of an option: nearly any word may be one.
type choice interface{ Expr }

func (p *parser) parseChoice(lex stream) (choice, error) {
	t := lex.Peek()
	if !startsOperand(t) {
		return nil, participle.NextMatch
	}
	if t.Type == kindWord && t.Value != "throw" && t.Value != "not" {
		lex.Next()
		return &Word{Span: p.tokSpan(t), Name: composed(t.Value)}, nil
	}
	return p.climb(lex, precRange, 0)
}

func (p *parser) expr(lex stream, m mode) (Expr, error) { return p.climb(lex, precOr, m) }

// climb parses operands joined by operators of precedence least or tighter.
func (p *parser) climb(lex stream, least int, m mode) (Expr, error) {
	if p.depth >= maxDepth {
		return nil, p.nestedTooDeep(lex.Peek().Pos.Offset)
	}
	if err := p.poll(); err != nil {
		return nil, err
	}
	p.depth++
	defer func() { p.depth-- }()
	x, err := p.operand(lex, m)
	if err != nil {
		return nil, err
	}
	for n := 0; ; n++ {
		op := lex.Peek()
		prec := binaryPrec(op)
		if prec == 0 || prec < least || op.Type == kindSign && m&operands != 0 {
			return x, nil
		}
		if n > maxChain {
			return nil, p.tooLong(p.tokSpan(op))
		}
		if x, err = p.joined(lex, x, op, prec, m); err != nil {
			return nil, err
		}
	}
}

// joined parses the operator op behind x and its right side.
func (p *parser) joined(lex stream, x Expr, op *lexer.Token, prec int, m mode) (Expr, error) {
	start := int(x.Range().Start)
	if b, ok := x.(*Binary); ok && prec == precCompare && comparison(b.Op) {
		return nil, p.chainedComparison(op)
	}
	if _, ok := x.(*Range); ok && prec == precRange {
		return nil, p.unexpected(op, "")
	}
	lex.Next()
	if prec == precRange && (op.Type == kindOpen || !startsOperand(lex.Peek())) {
		return &Range{Span: p.since(lex, start), Lo: x}, nil
	}
	y, err := p.climb(lex, prec+1, m)
	if err != nil {
		return nil, err
	}
	span := p.since(lex, start)
	if prec == precRange {
		return &Range{Span: span, Lo: x, Hi: y}, nil
	}
	return &Binary{Span: span, Op: op.Value, OpAt: p.tokSpan(op), X: x, Y: y}, nil
}

func comparison(op string) bool {
	switch op {
	case "==", "!=", "<", "<=", ">", ">=", "in":
		return true
	}
	return false
}

// startsOperand says whether t can begin an operand.
func startsOperand(t *lexer.Token) bool {
	switch t.Type {
	case kindNum, kindDice, kindText, kindCaps, kindName, kindCall, kindIndex, kindSign:
		return true
	case kindWord:
		return t.Value != "and" && t.Value != "or" && t.Value != "in"
	case kindOp:
		switch t.Value {
		case "(", "[", "-", "+", "..":
			return true
		}
	}
	return false
}

// operand parses what operators join: a primary with its calls, or something
// that a word or sign introduces.
func (p *parser) operand(lex stream, m mode) (Expr, error) {
	t := lex.Peek()
	switch {
	case t.Type == kindWord:
		if x, err := p.sentence(lex, t, m); x != nil || err != nil {
			return x, err
		}
	case t.Type == kindSign, is(t, "-"), is(t, "+"):
		lex.Next()
		x, err := p.climb(lex, precProduct+1, m)
		if err != nil {
			return nil, err
		}
		return &Unary{Span: p.since(lex, t.Pos.Offset), Op: t.Value, X: x}, nil
	case t.Value == ".." && (t.Type == kindOp || t.Type == kindOpen):
		lex.Next()
		x, err := p.climb(lex, precSum, m)
		if err != nil {
			return nil, err
		}
		return &Range{Span: p.since(lex, t.Pos.Offset), Hi: x}, nil
	}
	x, err := p.primary(lex, m)
	if err != nil {
		return nil, err
	}
	if m&rated != 0 {
		if r := lex.Peek(); p.rates(lex, x, r, m) {
			return p.rating(lex, x, r)
		}
	}
	return p.postfix(lex, x)
}

// rates says whether r is the rating of x.
func (p *parser) rates(lex stream, x Expr, r *lexer.Token, m mode) bool {
	switch x.(type) {
	case *Caps, *Name, *Text:
	default:
		return false
	}
	switch r.Type {
	case kindNum, kindDice:
		return true
	case kindSign:
		return m&(operands|listed) != 0 && peek(lex, 1).Type == kindNum
	}
	return false
}

func (p *parser) rating(lex stream, x Expr, t *lexer.Token) (Expr, error) {
	lex.Next()
	var r Expr
	switch t.Type {
	case kindNum:
		r = &Num{Span: p.tokSpan(t), Text: t.Value}
	case kindDice:
		r = p.dice(t)
	default:
		n := lex.Next()
		r = &Unary{Span: p.since(lex, t.Pos.Offset), Op: t.Value, X: &Num{Span: p.tokSpan(n), Text: n.Value}}
	}
	return &Rated{Span: p.since(lex, int(x.Range().Start)), X: x, Rating: r}, nil
}

// primary parses the smallest operands.
func (p *parser) primary(lex stream, m mode) (Expr, error) {
	t := lex.Peek()
	switch t.Type {
	case kindNum:
		lex.Next()
		return &Num{Span: p.tokSpan(t), Text: t.Value}, nil
	case kindDice:
		lex.Next()
		return p.dice(t), nil
	case kindText:
		lex.Next()
		return p.text(t), nil
	case kindCaps:
		lex.Next()
		return &Caps{Span: p.tokSpan(t), Name: composed(t.Value)}, nil
	case kindName:
		lex.Next()
		return &Name{Span: p.tokSpan(t), Name: composed(t.Value)}, nil
	case kindWord:
		if m&operands == 0 && !standsAlone(t, peek(lex, 1)) {
			return nil, p.unexpected(t, "a value")
		}
		lex.Next()
		return &Word{Span: p.tokSpan(t), Name: composed(t.Value)}, nil
	case kindOp, kindCall, kindIndex:
		switch t.Value {
		case "(":
			return p.paren(lex, m&rated)
		case "[":
			return p.list(lex)
		}
	}
	if mapAhead(lex, m) {
		return p.mapLiteral(lex)
	}
	return nil, p.unexpected(t, "a value")
}

// mapAhead says whether a brace begins a map, {KEY: VALUE, …}. Where a block may stand as
// well (m is operands), what tells them apart is behind the colon: in a block, where the
// colon stands behind whoever does something, it is a word.
func mapAhead(lex stream, m mode) bool {
	if !is(lex.Peek(), "{") {
		return false
	}
	first := 1
	for peek(lex, first).Type == kindEOL {
		first++
	}
	key, colon, v := peek(lex, first), peek(lex, first+1), peek(lex, first+2)
	if m&operands == 0 && first == 1 && is(key, "}") {
		return true
	}
	switch key.Type {
	case kindNum, kindText, kindCaps, kindName, kindWord:
		return is(colon, ":") && (m&operands == 0 || v.Type != kindWord || v.Value == "yes" || v.Value == "no" || v.Value == "none")
	}
	return false
}

// behindEquals says whether a token stands behind the = of an assignment, where no block can
// stand:  x = {}.
func (p *parser) behindEquals(t *lexer.Token) bool {
	before := strings.TrimRight(p.src.Text[:t.Pos.Offset], " \t")
	return strings.HasSuffix(before, "=") && !strings.HasSuffix(before, "==") && !strings.HasSuffix(before, "!=") &&
		!strings.HasSuffix(before, "<=") && !strings.HasSuffix(before, ">=")
}

// mapLiteral parses {KEY: VALUE, …}; lines may end in it.
func (p *parser) mapLiteral(lex stream) (Expr, error) {
	open := lex.Next()
	x := &Map{}
	skip := func() {
		for lex.Peek().Type == kindEOL {
			lex.Next()
		}
	}
	skip()
	err := p.commaList(lex, open, "}", func() error {
		skip()
		if is(lex.Peek(), "}") {
			return nil // behind a comma at the end
		}
		key, err := p.primary(lex, operands)
		if err != nil {
			return err
		}
		if t := lex.Peek(); !is(t, ":") {
			return p.unexpected(t, ":")
		}
		lex.Next()
		v, err := p.expr(lex, 0)
		x.Keys, x.Values = append(x.Keys, key), append(x.Values, v)
		skip()
		return err
	})
	if err != nil {
		return nil, err
	}
	x.Span = p.since(lex, open.Pos.Offset)
	return x, nil
}

// standsAlone says whether the word t can be an operand when next follows it. A
// word of the language that something follows is rather the beginning of a
// statement, and what came before it is not complete.
func standsAlone(t, next *lexer.Token) bool {
	switch t.Value {
	case "and", "or", "in", "then", "else", "where":
		return false
	case "yes", "no", "none":
		return true
	}
	if !reserved[t.Value] || listReaders[t.Value] || next.Type == kindCall || is(next, ".") {
		return true
	}
	switch next.Type {
	case kindWord:
		return reserved[next.Value] || softWords[next.Value]
	case kindName, kindCaps, kindText, kindNum, kindDice:
		return false
	}
	return true
}

// softWords are words that follow an expression in some construct but may be
// names elsewhere.
var softWords = wordSet("to", "by", "of", "as", "at", "per", "costs", "answer", "default", "from", "with")

// dice reads the parts of 3d6, d12, d% and so on.
func (p *parser) dice(t *lexer.Token) *Dice {
	count, size, _ := strings.Cut(t.Value, "d")
	if size == "F" || strings.HasPrefix(size, "{") {
		d := &Dice{Span: p.tokSpan(t), Text: t.Value, Counted: count != "", Count: 1, Faces: facesOf(size)}
		if d.Counted {
			d.Count = fits(count)
		}
		return d
	}
	bare := strings.TrimRight(size, "+")
	d := &Dice{Span: p.tokSpan(t), Text: t.Value, Counted: count != "", Count: 1, Size: 100, Pluses: len(size) - len(bare)}
	size = bare
	if d.Counted {
		d.Count = fits(count)
	}
	if size != "%" {
		d.Size = fits(size)
	}
	return d
}

// Face is what some faces of a die show.
type Face struct {
	Shows string // a number or a word, as it is written
	Many  int64  // -1 when it does not fit
}

// facesOf gives what is on the faces of a die: {1, 2, 2, 3} or, with how many faces show each, {0: 4, 1: 2}.
func facesOf(size string) []Face {
	if size == "F" {
		return []Face{{"-1", 1}, {"0", 1}, {"1", 1}}
	}
	var faces []Face
	for x := range strings.SplitSeq(strings.Trim(size, "{}"), ",") {
		shows, many, counted := strings.Cut(x, ":")
		f := Face{strings.TrimSpace(shows), 1}
		if counted {
			f.Many = fits(strings.TrimSpace(many))
		}
		if f.Shows != "" || counted {
			faces = append(faces, f)
		}
	}
	return faces
}

func fits(digits string) int64 {
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return -1
	}
	return n
}

func (p *parser) paren(lex stream, m mode) (Expr, error) {
	open := lex.Next()
	x, err := p.expr(lex, m)
	if err != nil {
		return nil, err
	}
	if err := p.close(lex, open, ")"); err != nil {
		return nil, err
	}
	return &Paren{Span: p.since(lex, open.Pos.Offset), X: x}, nil
}

func (p *parser) close(lex stream, open *lexer.Token, partner string) error {
	if t := lex.Peek(); !is(t, partner) {
		return p.notClosed(open, t, partner)
	}
	lex.Next()
	return nil
}

// commaList parses "x, y, …" and the closing bracket; a comma at the end is allowed.
func (p *parser) commaList(lex stream, open *lexer.Token, partner string, elem func() error) error {
	for !is(lex.Peek(), partner) {
		if err := elem(); err != nil {
			return err
		}
		if !is(lex.Peek(), ",") {
			break
		}
		lex.Next()
	}
	return p.close(lex, open, partner)
}

// postfix parses the .name, (args) and [index] behind x.
func (p *parser) postfix(lex stream, x Expr) (Expr, error) {
	start := int(x.Range().Start)
	for n := 0; ; n++ {
		t := lex.Peek()
		if n > maxChain {
			return nil, p.tooLong(p.tokSpan(t))
		}
		var err error
		switch {
		case is(t, "."):
			x, err = p.dot(lex, x, start)
		case t.Type == kindCall && calls(x):
			x, err = p.call(lex, x, start)
		case t.Type == kindIndex:
			x, err = p.index(lex, x, start)
		default:
			return x, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// calls says whether x can be called: a word, or a word behind a dot.
func calls(x Expr) bool {
	switch x := x.(type) {
	case *Word:
		return !neverCalled[x.Name]
	case *Dot:
		return true
	}
	return false
}

// neverCalled are words that may touch a parenthesis without calling anything.
var neverCalled = wordSet("if", "when", "where", "then", "else", "and", "or", "not", "in", "for", "return", "yes", "no", "none")

func (p *parser) dot(lex stream, x Expr, start int) (Expr, error) {
	lex.Next()
	t := lex.Peek()
	switch t.Type {
	case kindWord, kindCaps, kindName:
	default:
		return nil, p.unexpected(t, "a name")
	}
	lex.Next()
	return &Dot{Span: p.since(lex, start), X: x, Name: p.ident(*t)}, nil
}

func (p *parser) call(lex stream, x Expr, start int) (Expr, error) {
	open := lex.Next()
	c := &Call{Fn: x}
	err := p.commaList(lex, open, ")", func() error {
		arg, err := p.expr(lex, 0)
		c.Args = append(c.Args, arg)
		return err
	})
	if err != nil {
		return nil, err
	}
	c.Span = p.since(lex, start)
	return c, nil
}

func (p *parser) index(lex stream, x Expr, start int) (Expr, error) {
	open := lex.Next()
	i, err := p.expr(lex, 0)
	if err != nil {
		return nil, err
	}
	if err := p.close(lex, open, "]"); err != nil {
		return nil, err
	}
	return &Index{Span: p.since(lex, start), X: x, I: i}, nil
}

// ---- lists --------------------------------------------------------------

// list parses [a, b], [word operand …, …] and [yield for x in list where cond].
func (p *parser) list(lex stream) (Expr, error) {
	open := lex.Next()
	l := &List{}
	var comp Expr
	err := p.commaList(lex, open, "]", func() error {
		if comp != nil {
			return p.compWithElements(comp.Range())
		}
		x, err := p.element(lex)
		if err != nil {
			return err
		}
		if len(l.Elems) == 0 && forEach(lex) {
			comp, err = p.comprehension(lex, "list", x, 0)
			return err
		}
		l.Elems = append(l.Elems, x)
		return nil
	})
	if err != nil {
		return nil, err
	}
	span := p.since(lex, open.Pos.Offset)
	if c, ok := comp.(*Comp); ok {
		c.Span = span
		return c, nil
	}
	l.Span = span
	return l, nil
}

// forEach says whether "for x in" comes next.
func forEach(lex stream) bool {
	return isWord(lex.Peek(), "for") && peek(lex, 1).Type == kindWord && isWord(peek(lex, 2), "in")
}

// element parses an element of a list: an expression, or a word with operands.
func (p *parser) element(lex stream) (Expr, error) {
	t := lex.Peek()
	if t.Type != kindWord || !p.applies(lex, t) {
		return p.expr(lex, rated|listed)
	}
	lex.Next()
	a := &Applied{Head: &Word{Span: p.tokSpan(t), Name: composed(t.Value)}}
	for startsOperand(lex.Peek()) && !forEach(lex) {
		x, err := p.climb(lex, precOr, operands|rated)
		if err != nil {
			return nil, err
		}
		a.Args = append(a.Args, x)
	}
	a.Span = p.since(lex, t.Pos.Offset)
	return a, nil
}

// applies says whether the word t in a list is followed by operands of its own.
func (p *parser) applies(lex stream, t *lexer.Token) bool {
	switch t.Value {
	case "not", "throw", "choose", "new", "if", "sum", "yes", "no", "none":
		return false
	}
	next := peek(lex, 1)
	if readsList(lex, t) || binaryPrec(next) > 0 || next.Value == ".." && next.Type != kindText {
		return false
	}
	switch next.Type {
	case kindNum, kindDice, kindText, kindCaps, kindName:
		return true
	case kindWord:
		return !(next.Value == "for" && peek(lex, 2).Type == kindWord && isWord(peek(lex, 3), "in"))
	case kindOp:
		return next.Value == "(" || next.Value == "["
	}
	return false
}

// readsList says whether the word t begins "any x in …" and its like.
func readsList(lex stream, t *lexer.Token) bool {
	return listReaders[t.Value] && peek(lex, 1).Type == kindWord && isWord(peek(lex, 2), "in")
}

// comprehension parses "for x in list where cond" behind a yield.
func (p *parser) comprehension(lex stream, kind string, yield Expr, m mode) (Expr, error) {
	lex.Next() // for
	c := &Comp{Kind: kind, Yield: yield, Var: p.ident(*lex.Next())}
	if err := p.reading(lex, c, m); err != nil {
		return nil, err
	}
	c.Span = p.since(lex, int(yield.Range().Start))
	return c, nil
}

// reading parses "in list where cond".
func (p *parser) reading(lex stream, c *Comp, m mode) (err error) {
	if t := lex.Next(); !isWord(t, "in") {
		return p.unexpected(t, "in")
	}
	if c.In, err = p.climb(lex, precRange, m); err != nil {
		return err
	}
	if isWord(lex.Peek(), "where") {
		lex.Next()
		c.Where, err = p.expr(lex, m)
	}
	return err
}

// ---- operands with words ------------------------------------------------

// sentence parses an operand that the word t introduces, and gives nil when t
// is a plain word here.
func (p *parser) sentence(lex stream, t *lexer.Token, m mode) (Expr, error) {
	switch t.Value {
	case "no":
		if isWord(peek(lex, 1), "refused") && isWord(peek(lex, 2), "tactics") {
			for range 3 {
				lex.Next()
			}
			return &NoneRefused{Span: p.since(lex, t.Pos.Offset)}, nil
		}
	case "not":
		return p.not(lex, t, m)
	case "throw":
		return p.throw(lex, t, m)
	}
	if readsList(lex, t) {
		return p.reader(lex, t, m)
	}
	if m&operands != 0 {
		return nil, nil
	}
	switch next := peek(lex, 1); t.Value {
	case "if":
		return p.cond(lex, t, m)
	case "sum":
		if startsOperand(next) && next.Type != kindCall && !operatesOn(next) {
			return p.sum(lex, t, m)
		}
	case "choose":
		if next.Type == kindWord {
			return lowered(p, lex, (*parser).readChoose, (*chooseG).lower)
		}
	case "new":
		if next.Type == kindWord {
			return lowered(p, lex, (*parser).readNew, (*newG).lower)
		}
	}
	return nil, nil
}

func (p *parser) not(lex stream, t *lexer.Token, m mode) (Expr, error) {
	lex.Next()
	x, err := p.climb(lex, precNot, m)
	if err != nil {
		return nil, err
	}
	return &Unary{Span: p.since(lex, t.Pos.Offset), Op: "not", X: x}, nil
}

func (p *parser) throw(lex stream, t *lexer.Token, m mode) (_ Expr, err error) {
	lex.Next()
	x := &Throw{}
	if x.Dice, err = p.climb(lex, precSum, m); err != nil {
		return nil, err
	}
	if isWord(lex.Peek(), "for") && !forEach(lex) && (m&operands == 0 || peek(lex, 1).Type == kindText) {
		lex.Next()
		if x.For, err = p.climb(lex, precSum, m); err != nil {
			return nil, err
		}
	}
	if isWord(lex.Peek(), "named") && m&operands == 0 {
		lex.Next()
		if x.Named, err = p.climb(lex, precSum, m); err != nil {
			return nil, err
		}
	}
	x.Span = p.since(lex, t.Pos.Offset)
	return x, nil
}

// reader parses "any x in list where cond" and, with "by yield", "highest x in list".
func (p *parser) reader(lex stream, t *lexer.Token, m mode) (_ Expr, err error) {
	lex.Next()
	c := &Comp{Kind: t.Value, Var: p.ident(*lex.Next())}
	if err = p.reading(lex, c, m); err != nil {
		return nil, err
	}
	if c.Kind == "highest" || c.Kind == "lowest" {
		if !isWord(lex.Peek(), "by") {
			return nil, p.unexpected(lex.Peek(), "by")
		}
		lex.Next()
		if c.Yield, err = p.climb(lex, precRange, m); err != nil {
			return nil, err
		}
	}
	c.Span = p.since(lex, t.Pos.Offset)
	return c, nil
}

func (p *parser) sum(lex stream, t *lexer.Token, m mode) (Expr, error) {
	lex.Next()
	yield, err := p.climb(lex, precRange, m)
	if err != nil {
		return nil, err
	}
	if !forEach(lex) {
		return nil, p.unexpected(lex.Peek(), "for x in …")
	}
	x, err := p.comprehension(lex, "sum", yield, m)
	if err != nil {
		return nil, err
	}
	x.(*Comp).Span = p.since(lex, t.Pos.Offset)
	return x, nil
}

// cond parses "if c then a else b"; a chain of else if is as deep as it is long.
func (p *parser) cond(lex stream, t *lexer.Token, m mode) (_ Expr, err error) {
	lex.Next()
	c := &Cond{}
	if c.C, err = p.expr(lex, m); err != nil {
		return nil, err
	}
	if err = p.expect(lex, "then"); err != nil {
		return nil, err
	}
	if c.A, err = p.expr(lex, m); err != nil {
		return nil, err
	}
	if err = p.expect(lex, "else"); err != nil {
		return nil, err
	}
	if c.B, err = p.expr(lex, m); err != nil {
		return nil, err
	}
	c.Span = p.since(lex, t.Pos.Offset)
	return c, nil
}

func (p *parser) expect(lex stream, word string) error {
	if t := lex.Peek(); !isWord(t, word) {
		return p.unexpected(t, word)
	}
	lex.Next()
	return nil
}

// ---- arguments of commands ----------------------------------------------

type (
	argList interface{ args() []Arg }
	args    []Arg
)

func (a args) args() []Arg { return a }

// parseArgs parses the operands and clause words of a command.
func (p *parser) parseArgs(lex stream) (argList, error) {
	var list args
	for {
		comma := is(lex.Peek(), ",")
		if comma {
			lex.Next()
			if endsItem(lex.Peek()) && !lex.Peek().EOF() {
				break // a comma at the end of a block's last line
			}
		}
		if t := lex.Peek(); !startsOperand(t) && !mapAhead(lex, operands) {
			if !comma {
				break
			}
			return nil, p.unexpected(t, "another operand")
		}
		x, err := p.climb(lex, precOr, operands|rated)
		if err != nil {
			return nil, err
		}
		list = append(list, Arg{Comma: comma, Expr: x})
	}
	if list == nil {
		return nil, participle.NextMatch
	}
	return list, nil
}

// ---- texts --------------------------------------------------------------

// text takes a text apart: stretches of letters, and the expressions in {…}.
// What is wrong in it is reported, and the text stays usable.
func (p *parser) text(t *lexer.Token) *Text {
	x := &Text{Span: p.tokSpan(t), Raw: t.Value}
	quote := 1
	if t.Value[0] == '\\' {
		quote = 2
	}
	raw, base := t.Value[:len(t.Value)-quote], t.Pos.Offset
	if !strings.ContainsAny(raw[quote:], "\\{") {
		if len(raw) > quote {
			x.Parts = []Expr{&Lit{Span: p.span(base+quote, base+len(raw)), Value: composed(raw[quote:])}}
		}
		return x
	}
	var lit strings.Builder
	from := quote
	flush := func(to int) {
		if to > from {
			x.Parts = append(x.Parts, &Lit{Span: p.span(base+from, base+to), Value: composed(lit.String())})
			lit.Reset()
		}
	}
	for i := quote; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
			p.escape(&lit, raw, i, base)
		case '{':
			flush(i)
			end := braceEnd(raw, i)
			if part := p.inText(base+i, base+end); part != nil {
				x.Parts = append(x.Parts, part)
			}
			i, from = end, end+1
		default:
			lit.WriteByte(raw[i])
		}
	}
	flush(len(raw))
	return x
}

func (p *parser) escape(lit *strings.Builder, raw string, i, base int) {
	c := byte('\\')
	if i < len(raw) {
		c = raw[i]
	}
	switch c {
	case 'n':
		lit.WriteByte('\n')
	case 't':
		lit.WriteByte('\t')
	case '"', '\\', '{', '}':
		lit.WriteByte(c)
	default:
		p.add(p.unknownEscape(base+i-1, raw[i-1:]))
		lit.WriteByte('\\')
		lit.WriteByte(c)
	}
}

// braceEnd finds the } of the { at i, with the texts in between.
func braceEnd(raw string, i int) int {
	depth := 0
	for ; i < len(raw); i++ {
		switch raw[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		case '"':
			end, _ := textEnd(raw, i, 0)
			i = end - 1
		case '\\':
			if strings.HasPrefix(raw[i:], `\"`) {
				i = escapedEnd(raw, i) - 1
			}
		}
	}
	return len(raw)
}

// inText parses the expression between the braces at start and end.
func (p *parser) inText(start, end int) Expr {
	toks := p.scan(p.src.Text, start+1, end, true)
	if toks.tooDeep >= 0 {
		p.add(p.nestedTooDeep(toks.tooDeep))
		return nil
	}
	if toks.list[0].EOF() {
		p.add(p.emptyBraces(start, end+1))
		return nil
	}
	outer := p.toks
	defer func() { p.toks = outer }()
	p.inTexts++
	defer func() { p.inTexts-- }()
	x, err := p.whole(p.stream(toks))
	if err != nil {
		p.report(err, "")
		return nil
	}
	return x
}
