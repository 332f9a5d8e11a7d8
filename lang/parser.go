package lang

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// stream is the token stream that participle and the hand-written productions
// share.
type stream = *lexer.PeekingLexer

// Parse parses a source. The file is never nil: a statement that cannot be
// parsed stands in it as *Bad, and as many mistakes as can be found in one go
// are in the diagnostics.
func Parse(src *Source) (*File, Diagnostics) {
	p := borrow()
	defer p.giveBack()
	return p.file(src)
}

// ParseContext is Parse that ends with a context: then the error is that of the context,
// and the tree holds what was parsed by then.
func ParseContext(ctx context.Context, src *Source) (*File, Diagnostics, error) {
	p := borrow()
	defer p.giveBack()
	p.ctx, p.stopped = ctx, nil
	defer func() { p.ctx, p.stopped = nil, nil }()
	f, diags := p.file(src)
	return f, diags, p.stopped
}

// ParseExpr parses a source that holds one expression.
func ParseExpr(src *Source) (Expr, Diagnostics) {
	p := borrow()
	defer p.giveBack()
	return p.single(src)
}

// ParseArgs parses what stands from start to end in a source as the operands of a command, such
// as the value of an entry in a table of sheets. There is a mistake where there is none.
func ParseArgs(src *Source, start, end int) ([]Arg, Diagnostics) {
	p := borrow()
	defer p.giveBack()
	toks := p.scan(src.Text, start, end, false)
	lex := p.begin(src, toks)
	if toks.tooDeep >= 0 {
		p.diags = Diagnostics{p.nestedTooDeep(toks.tooDeep)}
		return nil, p.finish()
	}
	var list []Arg
	p.twice(lex, func() error {
		read, err := p.parseArgs(lex)
		if err == nil && lex.Peek().Type == kindEOL {
			lex.Next()
		}
		if err == participle.NextMatch || err == nil && !lex.Peek().EOF() {
			return p.unexpected(lex.Peek(), "a value")
		}
		if err == nil {
			list = read.args()
		}
		return err
	})
	return list, p.finish()
}

// idle are parsers for further use, with the room that they have taken.
var idle struct {
	sync.Mutex
	parsers []*parser
}

// borrow gives a parser that nobody else uses, until giveBack.
func borrow() *parser {
	idle.Lock()
	if n := len(idle.parsers) - 1; n >= 0 {
		p := idle.parsers[n]
		idle.parsers = idle.parsers[:n]
		idle.Unlock()
		return p
	}
	idle.Unlock()
	return newParser()
}

// maxRoom is for how many tokens a parser keeps room.
const maxRoom = 1 << 15

func (p *parser) giveBack() {
	if cap(p.scanned) > maxRoom {
		p.scanned = nil
	}
	idle.Lock()
	defer idle.Unlock()
	idle.parsers = append(idle.parsers, p)
}

// parser is the grammar together with the state of the parse it is used for. The
// productions that participle cannot express well are its methods.
type parser struct {
	statements map[string]production // by their first word
	command    production
	acted      production
	assign     production
	compiled   *participle.Parser[grammarG] // nil until a source has a mistake

	src      *Source
	toks     []lexer.Token
	scanned  []lexer.Token // room for the next scan
	streams  []stream      // see stream
	room     []int         // of the streams
	unclosed int           // see tokens
	depth    int           // of nested calls for expressions
	inTexts  int
	diags    Diagnostics
	outline  bool // bodies are left for later
	hidden   hidden

	// precise parses with participle, whose errors say what is wrong. Otherwise mistaken says that
	// something is.
	precise, mistaken bool

	ctx     context.Context // nil: nobody ends it
	stopped error           // why the parse has ended early
	polls   uint
}

// poll looks from time to time whether the context has ended, and says from then on why.
func (p *parser) poll() error {
	if p.polls++; p.polls&255 == 0 && p.ctx != nil && p.stopped == nil {
		p.stopped = p.ctx.Err()
	}
	return p.stopped
}

// Most sources have no mistake. They are read by functions that are generated from the
// grammar (readers.go), which is several times as fast as participle and needs no compiled
// grammar. These stop at the first mistake, and participle parses the source once more.

// production parses one statement to its struct.
type production func(p *parser, lex stream) (statement, error)

// match is what a generated function says of a production.
type match uint8

const (
	absent match = iota // what stands here does not begin like it
	matched
	mistaken // it begins like it, but something in it is wrong
)

// missed is the match of a hand-written production that gave an error.
func missed(err error) match {
	if err == participle.NextMatch {
		return absent
	}
	return mistaken
}

// errMistaken ends the attempt to parse without participle. No one gets to see it.
var errMistaken = errors.New("there is a mistake")

var trailing = []participle.ParseOption{participle.AllowTrailing(true)}

func newParser() *parser {
	p := &parser{
		command: statementBy((*parser).readCommand), acted: statementBy((*parser).readActed), assign: statementBy((*parser).readAssign),
	}
	p.statements = map[string]production{
		"use": statementBy((*parser).readUse), "include": statementBy((*parser).readInclude), "cast": statementBy((*parser).readCast), "system": statementBy((*parser).readSystem), "variant": statementBy((*parser).readVariant),
		"spans": statementBy((*parser).readSpans), "standin": statementBy((*parser).readStandIn), "option": statementBy((*parser).readOption), "words": statementBy((*parser).readWords), "remove": statementBy((*parser).readRemove),
		"table": statementBy((*parser).readTable), "sheet": statementBy((*parser).readSheet), "rule": statementBy((*parser).readRule), "verb": statementBy((*parser).readVerb),
		"clauses": statementBy((*parser).readClauseSet), "feature": statementBy((*parser).readFeature), "hook": statementBy((*parser).readHook), "decision": statementBy((*parser).readDecision), "on": statementBy((*parser).readHandler),
		"goal": statementBy((*parser).readGoal), "check": statementBy((*parser).readCheck), "test": statementBy((*parser).readTest), "tactics": statementBy((*parser).readTactics),
		"let": statementBy((*parser).readLet), "if": statementBy((*parser).readIf), "for": statementBy((*parser).readFor), "while": statementBy((*parser).readWhile),
		"repeat": statementBy((*parser).readRepeat), "stop": statementBy((*parser).readJump), "next": statementBy((*parser).readJump), "return": statementBy((*parser).readReturn),
		"refuse": statementBy((*parser).readSay), "fault": statementBy((*parser).readSay), "warn": statementBy((*parser).readSay), "note": statementBy((*parser).readSay), "brief": statementBy((*parser).readSay),
		"print": statementBy((*parser).readSay), "offer": statementBy((*parser).readOffer), "signal": statementBy((*parser).readSignal), "show": statementBy((*parser).readShow),
		"outcome": statementBy((*parser).readOutcome), "stands": statementBy((*parser).readOutcome), "begin": statementBy((*parser).readBoundary), "end": statementBy((*parser).readBoundary), "run": statementBy((*parser).readRun),
		"act": statementBy((*parser).readAct), "expect": statementBy((*parser).readExpect), "report": statementBy((*parser).readReport),
	}
	return p
}

// statementBy is the production of a statement that a generated function reads.
func statementBy[G any, P interface {
	*G
	statement
}](read func(*parser, stream, *G) match) production {
	return func(p *parser, lex stream) (statement, error) {
		tree, err := parse(p, lex, read)
		if err != nil {
			return nil, err
		}
		return P(tree), nil
	}
}

// parse parses a production, with the function that is generated from it or with participle.
func parse[G any](p *parser, lex stream, read func(*parser, stream, *G) match) (*G, error) {
	if p.precise {
		return part[G](p.grammar()).ParseFromLexer(lex, trailing...)
	}
	tree := new(G)
	if read(p, lex, tree) != matched {
		return nil, errMistaken
	}
	return tree, nil
}

// twice parses without participle, and once more with it where there is a mistake, which it
// reports.
func (p *parser) twice(lex stream, parse func() error) {
	start, diags := lex.MakeCheckpoint(), p.diags
	err := parse()
	if p.stopped != nil || err == nil && !p.mistaken && len(p.diags) == len(diags) {
		return
	}
	lex.LoadCheckpoint(start)
	p.diags, p.mistaken, p.precise = diags, false, true
	defer func() { p.precise = false }()
	if err := parse(); err != nil {
		p.report(err, "")
	}
}

// part is the parser of one production.
func part[P any](g *participle.Parser[grammarG]) *participle.Parser[P] {
	p, err := participle.ParserForProduction[P](g)
	if err != nil {
		panic(err)
	}
	return p
}

// grammar is the compiled grammar. To compile it takes longer than to parse a scene.
func (p *parser) grammar() *participle.Parser[grammarG] {
	if p.compiled != nil {
		return p.compiled
	}
	p.compiled = participle.MustBuild[grammarG](
		participle.Lexer(lexicon{}),
		// Look-ahead is also the point of no return. Every alternative is told
		// by its first token, so there is nothing to return from, and an error
		// stays where it is.
		participle.UseLookahead(0),
		participle.Union[statement](
			&useG{}, &includeG{}, &castG{}, &systemG{}, &variantG{}, &spansG{}, &standInG{}, &optionG{}, &wordsG{}, &removeG{}, &tableG{},
			&sheetG{}, &ruleG{}, &verbG{}, &clauseSetG{}, &featureG{}, &hookG{}, &decisionG{}, &handlerG{}, &goalG{}, &checkG{}, &testG{},
			&tacticsG{}, &letG{}, &ifG{}, &forG{}, &whileG{}, &repeatG{}, &jumpG{}, &returnG{}, &sayG{}, &offerG{},
			&signalG{}, &showG{}, &outcomeG{}, &boundaryG{}, &runG{}, &actG{}, &expectG{}, &reportG{},
			&commandG{}, &actedG{}, &assignG{},
		),
		participle.Union[pattern](&patWordG{}, &patSlotG{}, &patOptG{}),
		participle.ParseTypeWith(p.parseStatements),
		participle.ParseTypeWith(p.parseBlock),
		participle.ParseTypeWith(p.parseRows),
		participle.ParseTypeWith(p.parseChoices),
		participle.ParseTypeWith(p.parseSheet),
		participle.ParseTypeWith(p.parseVerbBody),
		participle.ParseTypeWith(p.parseClauses),
		participle.ParseTypeWith(p.parseFeature),
		participle.ParseTypeWith(p.parseTactics),
		participle.ParseTypeWith(p.parseSlots),
		participle.ParseTypeWith(p.parseType),
		participle.ParseTypeWith(p.parseCommand),
		participle.ParseTypeWith(p.parseArgs),
		participle.ParseTypeWith(p.parseChoice),
		participle.ParseTypeWith(p.parseEntryValue),
		participle.ParseTypeWith(p.parseQuestion),
		participle.ParseTypeWith(p.parseExpr),
	)
	return p.compiled
}

func (p *parser) begin(src *Source, toks *tokens) stream {
	p.src, p.unclosed, p.depth, p.inTexts, p.diags, p.mistaken = src, toks.unclosed, 0, 0, nil, false
	if p.outline && toks.unclosed < 0 && toks.tooDeep < 0 && !toks.shut {
		p.fold(toks)
	}
	return p.stream(toks)
}

// scan makes tokens for the next call of stream.
func (p *parser) scan(text string, start, end int, inText bool) *tokens {
	toks := scan(text, start, end, inText, p.scanned, p.ended)
	p.scanned = toks.list
	return toks
}

// ended looks whether the context has ended.
func (p *parser) ended() bool {
	if p.ctx != nil && p.stopped == nil {
		p.stopped = p.ctx.Err()
	}
	return p.stopped != nil
}

// stream hands tokens to participle, whose lexer copies them one by one into a list that
// grows. A parser makes such a list once for each depth of texts in texts, and writes into it
// from then on; what is longer gets a longer one.
func (p *parser) stream(toks *tokens) stream {
	n := len(toks.list)
	for len(p.streams) <= p.inTexts {
		p.streams = append(p.streams, nil)
		p.room = append(p.room, 16)
	}
	lex, room := p.streams[p.inTexts], p.room[p.inTexts]
	if lex == nil || room < n {
		for room < n {
			room *= 2
		}
		lex = emptyStream(room, p.ended)
		if room > maxRoom && p.stopped != nil {
			toks.list = toks.list[n-1:] // nobody reads on
			return p.stream(toks)
		}
		if room <= maxRoom {
			p.streams[p.inTexts], p.room[p.inTexts] = lex, room
		}
	}
	copy(lex.Range(0, lexer.RawCursor(n)), toks.list)
	lex.LoadCheckpoint(lexer.Checkpoint{})
	p.toks = lex.Range(0, lexer.RawCursor(n))
	return lex
}

// emptyStream has room for so many tokens, or, for many and if that has ended, for fewer.
func emptyStream(room int, ended func() bool) stream {
	lex, err := lexer.Upgrade(&blanks{room - 1, ended})
	if err != nil {
		panic(err) // blanks.Next gives none
	}
	return lex
}

// blanks gives tokens that mean nothing.
type blanks struct {
	left  int
	ended func() bool
}

func (b *blanks) Next() (lexer.Token, error) {
	if b.left--; b.left < 0 || b.left > 0 && b.left&(maxRoom-1) == 0 && b.ended() {
		return lexer.Token{Type: kindEOF}, nil
	}
	return lexer.Token{}, nil
}

func (p *parser) finish() Diagnostics {
	diags := p.diags
	for _, d := range diags {
		// What an open bracket will hold in the end is not known yet.
		d.Incomplete = d.Incomplete || p.unclosed >= 0 && int(d.Start) >= p.unclosed
	}
	p.src, p.toks, p.diags, p.hidden = nil, nil, nil, nil
	diags.Sort()
	diags = slices.CompactFunc(diags, func(a, b *Diagnostic) bool {
		return a.Start == b.Start && a.Severity == b.Severity
	})
	if n := len(diags); n > maxMistakes {
		diags = append(diags[:maxMistakes], moreMistakes(diags[maxMistakes].Span, n-maxMistakes))
	}
	return diags
}

func (p *parser) file(src *Source) (*File, Diagnostics) {
	f := &File{Span: Span{Src: src, End: int32(len(src.Text))}}
	if len(src.Text) > maxSource {
		p.src, p.unclosed = src, -1
		p.diags = Diagnostics{p.sourceTooLong()}
		return f, p.finish()
	}
	toks := p.scan(src.Text, 0, len(src.Text), false)
	if p.stopped != nil {
		p.src, p.unclosed, p.diags = src, -1, nil
		return f, p.finish()
	}
	lex := p.begin(src, toks)
	f.Comments = toks.comments
	for i := range f.Comments {
		f.Comments[i].Src = src
	}
	if toks.tooDeep >= 0 {
		f.Stmts = []Stmt{&Bad{f.Span}}
		p.diags = Diagnostics{p.nestedTooDeep(toks.tooDeep)}
		return f, p.finish()
	}
	p.twice(lex, func() error {
		tree, err := parse(p, lex, (*parser).readFile)
		if err == nil {
			f.Stmts = tree.Stmts.(stmtList)
		}
		return err
	})
	return f, p.finish()
}

func (p *parser) single(src *Source) (Expr, Diagnostics) {
	if len(src.Text) > maxSource {
		p.src, p.unclosed = src, -1
		p.diags = Diagnostics{p.sourceTooLong()}
		return nil, p.finish()
	}
	toks := p.scan(src.Text, 0, len(src.Text), false)
	lex := p.begin(src, toks)
	if toks.tooDeep >= 0 {
		p.diags = Diagnostics{p.nestedTooDeep(toks.tooDeep)}
		return nil, p.finish()
	}
	var x Expr
	p.twice(lex, func() (err error) {
		x, err = p.whole(lex)
		return err
	})
	return x, p.finish()
}

// whole parses an expression with nothing behind it.
func (p *parser) whole(lex stream) (Expr, error) {
	x, err := p.expr(lex, 0)
	if err != nil {
		return nil, err
	}
	if lex.Peek().Type == kindEOL {
		lex.Next()
	}
	if !lex.Peek().EOF() {
		return nil, p.unexpected(lex.Peek(), "")
	}
	return x, nil
}

// ---- spans --------------------------------------------------------------

func (p *parser) span(start, end int) Span {
	return Span{Src: p.src, Start: int32(start), End: int32(end)}
}

func (p *parser) tokSpan(t *lexer.Token) Span {
	return p.span(t.Pos.Offset, tokEnd(t))
}

// since is the span from start to the token consumed last.
func (p *parser) since(lex stream, start int) Span {
	return p.span(start, max(start, lastEnd(lex)))
}

func tokEnd(t *lexer.Token) int { return t.Pos.Offset + len(t.Value) }

// lastEnd is the end of the token consumed last, line ends left aside.
func lastEnd(lex stream) int {
	for i := lex.RawCursor(); i > 0; i-- {
		if t := &lex.Range(i-1, i)[0]; t.Type != kindEOL && t.Type != kindShut {
			return tokEnd(t)
		}
	}
	return 0
}

// ---- statements ---------------------------------------------------------

type (
	statements interface{ statements() }
	block      interface{ block() *Block }
	command    interface{ command() *Command }
	stmtList   []Stmt
)

func (stmtList) statements()         {}
func (b *Block) block() *Block       { return b }
func (c *Command) command() *Command { return c }

func (p *parser) parseStatements(lex stream) (statements, error) {
	return p.stmts(lex, false), nil
}

func (p *parser) parseBlock(lex stream) (block, error) {
	start := lex.Peek().Pos.Offset
	if lex.Peek().Type == kindBody {
		lex.Next()
		return &Block{Span: p.since(lex, start), unread: &unread{hidden: p.hidden[start]}}, nil
	}
	var list stmtList
	err := p.braces(lex, func() { list = p.stmts(lex, true) })
	if err != nil {
		return nil, err
	}
	return &Block{Span: p.since(lex, start), Stmts: list}, nil
}

// braces parses "{ … }" around what inside consumes.
func (p *parser) braces(lex stream, inside func()) error {
	open := lex.Peek()
	if !is(open, "{") {
		return participle.NextMatch
	}
	lex.Next()
	inside()
	if is(lex.Peek(), "}") {
		lex.Next()
		return nil
	}
	shut := lex.Peek()
	if shut.Type == kindShut {
		lex.Next()
	}
	p.add(p.neverClosed(open, shut))
	return nil
}

func (p *parser) stmts(lex stream, inBlock bool) stmtList {
	var list stmtList
	p.items(lex, itemKind{inBlock: inBlock}, func() error {
		s, err := p.statement(lex)
		if err == nil {
			list = append(list, s)
		}
		return err
	}, func(s Span) {
		// A statement with something behind it that does not belong there is
		// in the list already.
		if n := len(list); n > 0 && list[n-1].Range().Start == s.Start {
			list = list[:n-1]
		}
		list = append(list, &Bad{s})
	})
	return list
}

// itemKind says of the items of a body what items needs to know.
type itemKind struct {
	inBlock bool   // a brace closes them
	commas  bool   // they may be parted by commas as well as by newlines
	form    string // how one is written, for messages; "" where it depends
}

// items parses one item after the other until the brace that closes them, or to
// the end of the file. An item with a mistake is reported and skipped: the rest
// of its line, with the block that may stand there.
func (p *parser) items(lex stream, k itemKind, item func() error, bad func(Span)) {
	separates := func(t *lexer.Token) bool {
		return is(t, ",") && (k.commas || k.inBlock && afterBlock(lex))
	}
	for p.poll() == nil && !p.mistaken {
		t := lex.Peek()
		switch {
		case t.Type == kindEOL || separates(t):
			lex.Next()
			continue
		case t.EOF() || k.inBlock && closes(t):
			return
		}
		from := lex.MakeCheckpoint()
		form := k.form
		if form == "" && t.Type == kindWord {
			form = forms[t.Value]
		}
		err := item()
		if next := lex.Peek(); err == nil && !endsItem(next) && !separates(next) {
			err = p.unexpected(next, "")
		}
		if err == nil {
			continue
		}
		if p.mistaken = !p.precise; p.mistaken || p.stopped != nil {
			return
		}
		if k.form == "" {
			err = p.misspelt(t, err)
		}
		p.skip(lex, from, p.report(err, form), k.inBlock)
		if bad != nil {
			bad(p.since(lex, t.Pos.Offset))
		}
	}
}

// afterBlock says whether the token consumed last is a closing brace. In a
// block, "kit { LAMP d6 }, CLIMB d8" are two entries.
func afterBlock(lex stream) bool {
	i := lex.RawCursor()
	return i > 0 && is(&lex.Range(i-1, i)[0], "}")
}

func endsItem(t *lexer.Token) bool {
	return t.Type == kindEOL || t.EOF() || closes(t)
}

// closes says whether a block ends at t.
func closes(t *lexer.Token) bool { return t.Type == kindShut || is(t, "}") }

// skip goes to the end of the item that began at from and has a mistake at off.
func (p *parser) skip(lex stream, from lexer.Checkpoint, off int, inBlock bool) {
	lex.LoadCheckpoint(from)
	depth := 0
	for {
		t := lex.Peek()
		switch {
		case t.EOF():
			return
		case t.Type == kindEOL && depth == 0 && t.Pos.Offset >= off:
			return
		case is(t, "{"):
			depth++
		case closes(t) && depth > 0:
			depth--
		case closes(t) && inBlock:
			return
		}
		lex.Next()
	}
}

// is says whether t is the sign s. (A word is never a sign.)
func is(t *lexer.Token, s string) bool {
	return t != nil && t.Value == s && t.Type != kindText
}

func isWord(t *lexer.Token, w string) bool {
	return t.Type == kindWord && t.Value == w
}

// peek looks n tokens ahead; peek(lex, 0) is lex.Peek().
func peek(lex stream, n int) *lexer.Token {
	at := lex.MakeCheckpoint()
	for ; n > 0; n-- {
		lex.Next()
	}
	t := lex.Peek()
	lex.LoadCheckpoint(at)
	return t
}

// statement parses one statement: it looks at the first tokens and picks the
// production.
func (p *parser) statement(lex stream) (Stmt, error) {
	t := lex.Peek()
	switch {
	case is(t, "{"):
		b, err := p.parseBlock(lex)
		if err != nil {
			return nil, err
		}
		return b.block(), nil
	case annotates(lex, t):
		return p.annotated(lex)
	case t.Type == kindOp && t.Value != ".." && binaryPrec(t) > 0:
		return nil, p.leadingOperator(t)
	case t.Type == kindWord && reserved[t.Value] && p.statements[t.Value] == nil && !startsSentence(lex, t) && !goesOn(peek(lex, 1)):
		return nil, p.misplaced(t)
	}
	production := p.pick(lex, t)
	tree, err := production(p, lex)
	if err != nil {
		return nil, err
	}
	return tree.lower(p, p.since(lex, t.Pos.Offset)), nil
}

// misspelt looks whether a statement that cannot be parsed begins with a word
// that is nearly one of the language: "rul f(x) = 3" was taken for a command.
func (p *parser) misspelt(t *lexer.Token, err error) error {
	if t.Type != kindWord || reserved[t.Value] {
		return err
	}
	near, ok := Nearest(t.Value, statementWords)
	if !ok || len(near) <= 3 && !SameLetters(near, t.Value) {
		return err
	}
	return p.notAStatement(t, near)
}

// pick chooses the production of the statement that begins with t.
func (p *parser) pick(lex stream, t *lexer.Token) production {
	switch t.Type {
	case kindWord:
		return p.pickByWord(lex, t)
	case kindCaps:
		if next := peek(lex, 1); !is(next, ".") && !operatesOn(next) && !assigns(next) {
			return p.command
		}
	case kindName, kindText:
		if is(peek(lex, 1), ":") {
			return p.acted
		}
	case kindOp:
		if t.Value == "(" && p.parenThenColon(lex) {
			return p.acted
		}
	}
	return p.assign
}

func (p *parser) pickByWord(lex stream, t *lexer.Token) production {
	next := peek(lex, 1)
	prod, ok := p.statements[t.Value]
	if !reserved[t.Value] {
		ok = ok && next.Type == kindWord && !operatesOn(next) // a variable may be called goal, or decision
		ok = ok && (t.Value != "cast" || isWord(next, "from") && peek(lex, 2).Type == kindText)
	}
	if ok && next.Type != kindCall && !is(next, ".") {
		return prod
	}
	if startsSentence(lex, t) || goesOn(next) {
		return p.assign
	}
	return p.command
}

// annotates says whether an annotation begins with t.
func annotates(lex stream, t *lexer.Token) bool {
	return is(t, "@") || isWord(t, "recorded") && !goesOn(peek(lex, 1))
}

// goesOn says whether t behind a word makes an expression or an assignment of
// it, and not a command.
func goesOn(t *lexer.Token) bool {
	return assigns(t) || operatesOn(t) || is(t, ".") || t.Type == kindCall || t.Type == kindIndex
}

// startsSentence says whether the word t begins an expression rather than a
// command: throw d6, not ready, any x in foes …
func startsSentence(lex stream, t *lexer.Token) bool {
	switch t.Value {
	case "throw", "choose", "new", "not", "yes", "no", "none", "sum":
		return true
	}
	return readsList(lex, t)
}

func assigns(t *lexer.Token) bool {
	return t.Type == kindOp && (t.Value == "=" || t.Value == "+=" || t.Value == "-=")
}

// operatesOn says whether t joins what stands before it to what follows.
func operatesOn(t *lexer.Token) bool {
	return t.Type != kindSign && (binaryPrec(t) > 0 || t.Value == "..")
}

// parenThenColon says whether the parentheses that begin here are somebody who
// acts: "(x): attack (y)".
func (p *parser) parenThenColon(lex stream) bool {
	at := lex.MakeCheckpoint()
	defer lex.LoadCheckpoint(at)
	for depth := 0; ; {
		t := lex.Next()
		switch {
		case t.EOF(), t.Type == kindEOL:
			return false
		case is(t, "("):
			depth++
		case is(t, ")"):
			if depth--; depth == 0 {
				return is(lex.Peek(), ":")
			}
		}
	}
}

// annotated parses `@id "doc"` and the statement it explains, on the same line
// or the next one. Many annotations may stand one after the other, so this is a
// loop.
func (p *parser) annotated(lex stream) (Stmt, error) {
	var chain []*Annotated
	for {
		a, err := p.annotation(lex)
		if err != nil {
			return nil, err
		}
		chain = append(chain, a)
		if len(chain) > maxChain {
			return nil, p.tooLong(a.Span)
		}
		if t := lex.Peek(); t.Type == kindEOL && t.Value == "\n" && !endsItem(peek(lex, 1)) {
			lex.Next()
		}
		if !annotates(lex, lex.Peek()) {
			break
		}
	}
	var s Stmt
	var err error
	if !endsItem(lex.Peek()) {
		s, err = p.statement(lex)
	}
	if err != nil {
		return nil, err
	}
	for _, a := range slices.Backward(chain) {
		a.Stmt = s
		a.Span = p.since(lex, int(a.Start))
		s = a
	}
	return s, nil
}

// annotation parses an annotation without what it explains:
//
//	"recorded"? "@" ( Word | Dice ) ( "." ( Word | Dice ) )* Text?
func (p *parser) annotation(lex stream) (*Annotated, error) {
	a, n, err := p.annotationIn(p.toks[lex.RawCursor():])
	for range n {
		lex.Next()
	}
	return a, err
}

// annotationIn is the annotation that a list of tokens begins with, and how
// many tokens it has.
func (p *parser) annotationIn(list []lexer.Token) (a *Annotated, n int, err error) {
	a = &Annotated{}
	if isWord(&list[n], "recorded") {
		a.Recorded = true
		n++
	}
	if !is(&list[n], "@") {
		return nil, n, &participle.UnexpectedTokenError{Unexpected: list[n], Expect: `"@"`}
	}
	n++
	first := n
	for {
		t := &list[n]
		if t.Type != kindWord && t.Type != kindDice {
			return nil, n, p.unexpected(t, "a name or dice")
		}
		a.ID += t.Value
		n++
		if !is(&list[n], ".") {
			break
		}
		a.ID += "."
		n++
	}
	end := tokEnd(&list[n-1])
	a.IDSpan = p.span(list[first].Pos.Offset, end)
	if t := &list[n]; t.Type == kindText {
		a.Doc = p.text(t)
		end = tokEnd(t)
		n++
	}
	a.Span = p.span(list[0].Pos.Offset, end)
	return a, n, nil
}

func (p *parser) parseCommand(lex stream) (command, error) {
	t := lex.Peek()
	if t.Type != kindWord && t.Type != kindCaps || t.Type == kindWord && reserved[t.Value] {
		return nil, participle.NextMatch
	}
	tree, err := p.command(p, lex)
	if err != nil {
		return nil, err
	}
	return tree.(*commandG).lower(p, p.since(lex, t.Pos.Offset)).(*Command), nil
}
