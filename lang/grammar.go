package lang

import "github.com/alecthomas/participle/v2/lexer"

// This file is the grammar: one struct for each declaration and statement, in
// participle's notation. What stands between commas and braces, and every
// expression, is a type of its own that package code parses by hand; see
// parser.grammar for which is which. Every alternative can be told by its first
// token, so the grammar needs no look-ahead. readers.go is generated from it.

// statement is a production of the grammar. lower makes the plain tree of it.
type statement interface {
	lower(p *parser, s Span) Stmt
}

// grammarG is the root of the grammar. Nothing is parsed as a whole grammarG: a
// statement is reached through its first word, which is faster than to try one
// after the other, and an item of a body through the body. Here they are named,
// so that participle knows them.
type grammarG struct {
	File      *fileG    `parser:"  @@"`
	Statement statement `parser:"| @@"`
	Field     *fieldG   `parser:"| @@"`
	Summary   *summaryG `parser:"| @@"`
	Row       *rowG     `parser:"| @@"`
	Choice    *choiceG  `parser:"| @@"`
	Clause    *clauseG  `parser:"| @@"`
	Uses      *usesG    `parser:"| @@"`
	Needs     *needsG   `parser:"| @@"`
	Answer    *answerG  `parser:"| @@"`
	Choose    *chooseG  `parser:"| @@"`
	New       *newG     `parser:"| @@"`
	Slot      *slotG    `parser:"| @@"`
}

// fileG is a whole source.
type fileG struct {
	Stmts statements `parser:"@@"`
}

// ---- declarations -------------------------------------------------------

type (
	useG struct {
		Name    lexer.Token `parser:"'use' @Word"`
		Version *versionG   `parser:"@@?"`
		With    []*settingG `parser:"( 'with' @@ ( ',' @@ )* )?"`
	}
	// versionG is 2, 1.2 or 1.2.3.
	versionG struct {
		Number lexer.Token  `parser:"@Num"`
		Patch  *lexer.Token `parser:"( '.' @Num )?"`
	}
	settingG struct {
		Name  lexer.Token   `parser:"@Word"`
		ID    []lexer.Token `parser:"@( '.' Word ( '.' Word )* )?"`
		Value Expr          `parser:"( '=' @@ )?"`
	}
	includeG struct {
		Path lexer.Token `parser:"'include' @Text"`
	}
	castG struct {
		Path lexer.Token `parser:"'cast' 'from' @Text"`
	}
	systemG struct {
		Name  lexer.Token  `parser:"'system' @Word"`
		Doc   *lexer.Token `parser:"@Text?"`
		Facts []*factG     `parser:"@@*"`
	}
	variantG struct {
		Name  lexer.Token  `parser:"'variant' @Word"`
		Base  lexer.Token  `parser:"'of' @Word"`
		Of    *versionG    `parser:"@@?"`
		Doc   *lexer.Token `parser:"@Text?"`
		Facts []*factG     `parser:"@@*"`
	}
	// factG is what a file of rules says of itself.
	factG struct {
		Version *versionG    `parser:"  'version' @@"`
		By      *lexer.Token `parser:"| 'by' @Text"`
		Licence *lexer.Token `parser:"| 'licence' @Text"`
		Needs   *versionG    `parser:"| 'needs' 'setpiece' @@"`
	}
	spansG struct {
		Names []lexer.Token `parser:"'spans' @( Word ( '>' Word )* )"`
	}
	standInG struct {
		Sheet lexer.Token `parser:"'standin' @Word"`
		Name  lexer.Token `parser:"@( Name | Text )"`
	}
	optionG struct {
		Name   lexer.Token  `parser:"'option' @Word"`
		Values []choice     `parser:"( '=' @@ ( '|' @@ )*"`
		Doc    *lexer.Token `parser:"  @Text?"`
		Asked  *lexer.Token `parser:"| @Text"`
		Body   choicesBody  `parser:"  @@"`
		Bare   choicesBody  `parser:"| @@ )"`
	}
	wordsG struct {
		Name lexer.Token  `parser:"'words' @Word"`
		Doc  *lexer.Token `parser:"@Text?"`
		Body choicesBody  `parser:"@@"`
	}
	choiceG struct {
		Value choice       `parser:"@@"`
		Doc   *lexer.Token `parser:"@Text?"`
	}
	removeG struct {
		Kind lexer.Token  `parser:"'remove' @Word"`
		Name lexer.Token  `parser:"@Word"`
		Of   *lexer.Token `parser:"( 'of' @Word )?"`
	}
	tableG struct {
		Name   lexer.Token   `parser:"'table' @Word"`
		Params []lexer.Token `parser:"( '(' @( Word ( ',' Word )* )? ')' )?"`
		Doc    *lexer.Token  `parser:"@Text?"`
		Rows   rowsBody      `parser:"@@"`
	}
	rowG struct {
		Else     bool   `parser:"( @'else'"`
		Patterns []Expr `parser:"| @@ ( ',' @@ )* )"`
		Value    Expr   `parser:"'=>' @@"`
	}
	sheetG struct {
		Name lexer.Token  `parser:"'sheet' @Word"`
		Base *lexer.Token `parser:"( 'is' @Word )?"`
		Doc  *lexer.Token `parser:"@Text?"`
		Mine *lexer.Token `parser:"( 'of' @'players' )?"`
		Out  Expr         `parser:"( 'out' 'when' @@ )?"`
		Body sheetBody    `parser:"@@"`
	}
	summaryG struct {
		List []*summaryEntryG `parser:"( 'summary' | 'reserves' | 'at_hand' ) @@ ( ',' @@ )*"`
		When Expr             `parser:"( 'when' @@ )?"`
	}
	// summaryEntryG is one entry of a summary: the name alone stands for the field.
	summaryEntryG struct {
		Name  lexer.Token `parser:"@Word"`
		Value entryValue  `parser:"@@?"`
	}
	fieldG struct {
		Name  lexer.Token   `parser:"@Word"`
		Type  typeRef       `parser:"@@"`
		Parts []*fieldPartG `parser:"@@*"`
		Doc   *lexer.Token  `parser:"@Text?"`
	}
	fieldPartG struct {
		Default Expr          `parser:"  '=' @@"`
		Per     *lexer.Token  `parser:"| 'per' @Word"`
		As      *lexer.Token  `parser:"| 'as' @( Word | Caps )"`
		Until   Expr          `parser:"( 'until' @@ )?"`
		Needed  []lexer.Token `parser:"| 'needed' 'by' @( Word ( ',' Word )* )"`
	}
	ruleG struct {
		Name   lexer.Token  `parser:"'rule' @Word"`
		Params *paramsG     `parser:"@@?"`
		Doc    *lexer.Token `parser:"@Text?"`
		Value  Expr         `parser:"( '=' @@"`
		Body   block        `parser:"| @@ )"`
	}
	paramsG struct {
		Open lexer.Token `parser:"@'('"`
		List []*paramG   `parser:"( @@ ( ',' @@ )* )? ')'"`
	}
	paramG struct {
		Name    lexer.Token `parser:"@Word"`
		Default Expr        `parser:"( '=' @@ )?"`
	}
	verbG struct {
		Name    lexer.Token  `parser:"'verb' @Word"`
		Pattern []pattern    `parser:"@@*"`
		Doc     *lexer.Token `parser:"@Text?"`
		Nobody  *lexer.Token `parser:"( 'without' @'actor' )?"`
		Between *lexer.Token `parser:"( 'between' @'turns' )?"`
		As      *lexer.Token `parser:"( 'as' @Word )?"`
		Body    verbBody     `parser:"@@"`
	}
	clauseSetG struct {
		Name   lexer.Token  `parser:"'clauses' @Word"`
		Params *paramsG     `parser:"@@?"`
		Base   *lexer.Token `parser:"( 'is' @Word )?"`
		Doc    *lexer.Token `parser:"@Text?"`
		Body   clauseBody   `parser:"@@"`
	}
	clauseG struct {
		Name    lexer.Token  `parser:"'clause' @Word"`
		Doc     *lexer.Token `parser:"@Text?"`
		Pattern []pattern    `parser:"( ':' @@+"`
		Repeat  bool         `parser:"| @'repeat' )?"`
		Nested  clauseBody   `parser:"@@?"`
	}
	needsG struct {
		Cond     Expr          `parser:"(   'needs' @@"`
		Text     Expr          `parser:"    @@"`
		Excludes []lexer.Token `parser:"  | 'excludes' @( Word ( ',' Word )* )"`
		Why      *lexer.Token  `parser:"    @Text?"`
		Doubt    Expr          `parser:"  | 'warns' @@"`
		Say      Expr          `parser:"    @@ )"`
		At       *lexer.Token  `parser:"( 'at' @Word )?"`
	}
	usesG struct {
		Set  lexer.Token `parser:"'uses' @Word"`
		Args slotsBody   `parser:"@@?"`
		As   lexer.Token `parser:"'as' @Word"`
	}
	featureG struct {
		Name   lexer.Token  `parser:"'feature' @Word"`
		Params *paramsG     `parser:"@@?"`
		Doc    *lexer.Token `parser:"@Text?"`
		Every  bool         `parser:"'on' @'every'?"`
		On     lexer.Token  `parser:"@Word"`
		Body   featureBody  `parser:"@@"`
	}
	hookG struct {
		Name   lexer.Token   `parser:"'hook' @Word"`
		Params []lexer.Token `parser:"( '(' @( Word ( ',' Word )* )? ')' )?"`
		Doc    *lexer.Token  `parser:"@Text?"`
	}
	decisionG struct {
		Name    lexer.Token  `parser:"'decision' @Word"`
		Doc     *lexer.Token `parser:"@Text?"`
		By      *lexer.Token `parser:"( 'by' @Text )?"`
		From    *lexer.Token `parser:"( 'from' @Text )?"`
		Default *lexer.Token `parser:"( 'default' @Text )?"`
		Manner  *lexer.Token `parser:"@( 'asks' | 'offers' | 'usual' )?"`
	}
	handlerG struct {
		Hook   lexer.Token   `parser:"'on' @Word"`
		Params []lexer.Token `parser:"( '(' @( Word ( ',' Word )* )? ')' )?"`
		When   Expr          `parser:"( 'when' @@ )?"`
		Body   block         `parser:"@@"`
	}
	goalG struct {
		Name   lexer.Token   `parser:"'goal' @Word"`
		Params []lexer.Token `parser:"( '(' @( Word ( ',' Word )* )? ')' )?"`
		Doc    *lexer.Token  `parser:"@Text?"`
		After  []lexer.Token `parser:"( 'after' @( Word ( ',' Word )* ) )?"`
		Value  Expr          `parser:"'=' @@"`
	}
	checkG struct {
		Name   lexer.Token  `parser:"'check' @Word"`
		Of     lexer.Token  `parser:"'of' @Word"`
		Doc    *lexer.Token `parser:"@Text?"`
		Always *lexer.Token `parser:"@'always'?"`
		Body   block        `parser:"@@"`
	}
	testG struct {
		Name  lexer.Token  `parser:"'test' @Text"`
		After *lexer.Token `parser:"( 'after' @Text )?"`
		Body  block        `parser:"@@"`
	}
	tacticsG struct {
		Who  []lexer.Token `parser:"'tactics' @( ( Name | Text | Word ) ( ',' ( Name | Text | Word ) )* )"`
		Body tacticBody    `parser:"@@"`
	}
	// answerG is one entry of tactics.
	answerG struct {
		Cond      Expr         `parser:"(   'when' @@ ':'"`
		Otherwise bool         `parser:"  | @'otherwise' ':' )"`
		Do        command      `parser:"  @@"`
		On        *lexer.Token `parser:"| 'on' @Word ':'"`
		Answer    Expr         `parser:"  @@"`
		When      Expr         `parser:"  ( 'when' @@ )?"`
	}
)

// Patterns of verbs and clauses.
type (
	pattern interface {
		lower(p *parser) Pat
	}
	patWordG struct {
		Word lexer.Token `parser:"@( Word | Caps )"`
	}
	patSlotG struct {
		Open    lexer.Token `parser:"@'('"`
		Name    lexer.Token `parser:"@Word"`
		Type    typeRef     `parser:"@@"`
		Default Expr        `parser:"( '=' @@ )?"`
		Close   lexer.Token `parser:"@')'"`
	}
	patOptG struct {
		Open    lexer.Token `parser:"@'['"`
		Pattern []pattern   `parser:"@@+"`
		Close   lexer.Token `parser:"@']'"`
	}
)

// ---- statements ---------------------------------------------------------

type (
	commandG struct {
		Head lexer.Token `parser:"@( Word | Caps )"`
		Args argList     `parser:"@@?"`
		Body block       `parser:"@@?"`
	}
	actedG struct {
		Who     Expr    `parser:"@@ ':'"`
		Command command `parser:"@@"`
	}
	letG struct {
		Name  lexer.Token `parser:"'let' @Word"`
		Value Expr        `parser:"'=' @@"`
	}
	// assignG is an expression standing alone as well.
	assignG struct {
		Target Expr         `parser:"@@"`
		Op     *lexer.Token `parser:"( @( '=' | '+=' | '-=' )"`
		Value  Expr         `parser:"  @@"`
		As     Expr         `parser:"  ( 'as' @@ )?"`
		Note   Expr         `parser:"  ( 'note' @@ )? )?"`
	}
	// ifG is "if c then a else b" standing alone as well.
	ifG struct {
		Cond Expr     `parser:"'if' @@"`
		A    Expr     `parser:"( 'then' @@"`
		B    Expr     `parser:"  'else' @@"`
		Then block    `parser:"| @@"`
		Else []*elseG `parser:"  @@* )"`
	}
	elseG struct {
		If   *lexer.Token `parser:"'else' ( @'if'"`
		Cond Expr         `parser:"  @@"`
		Then block        `parser:"  @@"`
		Body block        `parser:"| @@ )"`
	}
	forG struct {
		Var   lexer.Token `parser:"'for' @Word"`
		In    Expr        `parser:"'in' @@"`
		Where Expr        `parser:"( 'where' @@ )?"`
		Body  block       `parser:"@@"`
	}
	whileG struct {
		Cond Expr  `parser:"'while' @@"`
		Body block `parser:"@@"`
	}
	repeatG struct {
		Count Expr  `parser:"'repeat' @@"`
		Body  block `parser:"@@"`
	}
	jumpG struct {
		Word string `parser:"@( 'stop' | 'next' )"`
	}
	returnG struct {
		Word  string `parser:"@'return'"`
		Value Expr   `parser:"@@?"`
	}
	sayG struct {
		Kind string `parser:"@( 'refuse' | 'fault' | 'warn' | 'note' | 'brief' | 'print' )"`
		Text Expr   `parser:"@@"`
		At   Expr   `parser:"( 'at' @@ )?"`
		To   bool   `parser:"( 'to' @'players' )?"`
	}
	offerG struct {
		Name   lexer.Token   `parser:"'offer' @Word"`
		To     Expr          `parser:"'to' @@"`
		Prompt question      `parser:"@@?"`
		Parts  []*offerPartG `parser:"@@*"`
		Body   block         `parser:"@@"`
		Else   block         `parser:"( 'else' @@ )?"`
	}
	offerPartG struct {
		Cost    Expr         `parser:"  'costs' @@"`
		Field   *lexer.Token `parser:"  @Word"`
		Payer   Expr         `parser:"  ( 'of' @@ )?"`
		When    Expr         `parser:"| 'when' @@"`
		Answer  Expr         `parser:"| 'answer' @@"`
		Default Expr         `parser:"| 'default' @@"`
		Unasked *lexer.Token `parser:"| @'unasked'"`
		Usual   Expr         `parser:"| 'usual' 'when' @@"`
	}
	signalG struct {
		Hook lexer.Token `parser:"'signal' @Word"`
		Args []Expr      `parser:"( '(' ( @@ ( ',' @@ )* )? ')' )?"`
		To   Expr        `parser:"'to' @@"`
	}
	showG struct {
		Kind  lexer.Token `parser:"'show' @Word"`
		Label Expr        `parser:"@@"`
		By    Expr        `parser:"( 'by' @@ )?"`
		Body  block       `parser:"@@"`
	}
	outcomeG struct {
		Word   string    `parser:"@( 'outcome' | 'stands' )"`
		Value  Expr      `parser:"@@"`
		Fields []*namedG `parser:"( ','? @@ ( ',' @@ )* )?"`
	}
	namedG struct {
		Name  lexer.Token `parser:"@Word"`
		Value Expr        `parser:"@@"`
	}
	boundaryG struct {
		Word   string      `parser:"@( 'begin' | 'end' )"`
		Name   lexer.Token `parser:"@Word"`
		Title  Expr        `parser:"( 'as' @@ )?"`
		Secret Expr        `parser:"( 'secret' 'when' @@ )?"`
	}
	runG struct {
		Word string `parser:"@'run' 'block'"`
		For  Expr   `parser:"( 'for' @@ )?"`
	}
	actG struct {
		Who   Expr `parser:"'act' @@"`
		Asked bool `parser:"@'asked'?"`
		Until Expr `parser:"( 'until' @@ )?"`
	}
	expectG struct {
		Cond Expr         `parser:"'expect' @@"`
		Text *lexer.Token `parser:"@Text?"`
	}
	reportG struct {
		Values []*reportedG `parser:"'report' @@ ( ',' @@ )*"`
	}
	reportedG struct {
		Value Expr `parser:"@@"`
		As    Expr `parser:"( 'as' @@ )?"`
	}
)

// Operands that are sentences of their own.
type (
	chooseG struct {
		Name   lexer.Token    `parser:"'choose' @Word"`
		By     Expr           `parser:"'by' @@"`
		From   Expr           `parser:"'from' @@"`
		Prompt *lexer.Token   `parser:"@Text?"`
		Parts  []*choosePartG `parser:"@@*"`
	}
	choosePartG struct {
		Cost    Expr         `parser:"  'costs' @@"`
		Field   *lexer.Token `parser:"  @Word"`
		Payer   Expr         `parser:"  ( 'of' @@ )?"`
		Notes   Expr         `parser:"| 'notes' @@"`
		Answer  Expr         `parser:"| 'answer' @@"`
		Default Expr         `parser:"| 'default' @@"`
		Unasked *lexer.Token `parser:"| @'unasked'"`
		Usual   Expr         `parser:"| 'usual' 'when' @@"`
	}
	newG struct {
		Sheet  lexer.Token `parser:"'new' @Word"`
		Fields slotsBody   `parser:"@@"`
	}
	slotG struct {
		Name  lexer.Token `parser:"@Word ':'"`
		Value Expr        `parser:"@@"`
	}
)
