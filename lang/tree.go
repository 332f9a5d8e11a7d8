package lang

import (
	"slices"
	"strconv"
)

// This file is the plain syntax tree: what Parse gives, what Print takes and
// what package interp reads. It knows nothing of the grammar that made it. What
// Walk finds in a node is read off it (parts.go), but for fields that say walk:"no".

// Source is one text that was parsed: a file, a line typed at the prompt, or
// the text of -e.
type Source struct {
	Name string // shown in messages; "" for a prompt line
	Text string
	page string  // what an excerpt was taken from, "" for others; see NewExcerpt
	line []int32 // offset of the start of each line, made by NewSource
	put  []put   // the parts that edits put in and that messages show by themselves, in order
}

// Span is a stretch of a source: bytes Start up to, not including, End.
type Span struct {
	Src        *Source
	Start, End int32
}

// NewText gives a text that stands somewhere without quotes, as in a file of data.
func NewText(at Span, value string) *Text {
	t := &Text{Span: at, Raw: strconv.Quote(value)}
	if value != "" {
		t.Parts = []Expr{&Lit{Span: at, Value: composed(value)}}
	}
	return t
}

// Range gives the span itself; every node embeds a Span and so has it.
func (s Span) Range() Span { return s }

// In says whether a place lies within another.
func (s Span) In(o Span) bool { return s.Src == o.Src && o.Start <= s.Start && s.End <= o.End }

// within notes the nodes that a node has in it: none, unless parts.go says more of its kind.
func (s Span) within(*walker) {}

// Node is any part of the tree.
type Node interface {
	Range() Span
	within(*walker)
}

// File is a parsed source. Comments are kept apart from the statements, in
// source order, so that the printer can put them back.
type File struct {
	Span
	Stmts    []Stmt
	Comments []Comment `walk:"no"`
}

// Comment is one "# …" to the end of its line. Text has no "#" and no newline.
type Comment struct {
	Span
	Text string
}

// Ident is a bare lower-case word used as a name where no expression can stand.
type Ident struct {
	Span
	Name string
}

// Block is "{ … }".
type Block struct {
	Span
	Stmts  []Stmt
	unread *unread // see Outline
}

// Stmt is a declaration or a statement. Every one of them may stand at the top
// of a file as far as the grammar is concerned; interp says which is allowed
// where.
type Stmt interface {
	Node
	stmt()
}

// Bare gives a statement without its annotations.
func Bare(s Stmt) Stmt {
	for {
		a, ok := s.(*Annotated)
		if !ok || a.Stmt == nil {
			return s
		}
		s = a.Stmt
	}
}

// ---- declarations -------------------------------------------------------

type (
	// Use is "use NAME [with SETTING, …]". A setting is "option = value" or
	// the bare name of a variant.
	Use struct {
		Span
		Name    Ident
		Version Ident `walk:"no"` // "" for any
		With    []Setting
	}
	// Setting is one item after "with" of a Use. Value is nil for a variant. An option may
	// be named by its id, as in cah.opt.natural.
	Setting struct {
		Span
		Name  Ident
		Value Expr
	}
	// Include is `include "file"`.
	Include struct {
		Span
		Path *Text
	}
	// Cast is `cast from "file"`: the sheets in a file of data.
	Cast struct {
		Span
		Path *Text
	}
	// System is `system NAME "doc"`, or with Base `variant NAME of BASE [VERSION] "doc"`, and what the
	// file says of itself: version, author, licence, and which setpiece it needs.
	System struct {
		Span
		Name           Ident
		Of             Ident `walk:"no"` // the version of the base, without a name if any will do
		Base           *Ident
		Doc            *Text
		Version, Needs Ident `walk:"no"` // 1.2, "" for none
		By, Licence    *Text
	}
	// Spans is "spans series > season > … > check": lifetimes, longest first.
	Spans struct {
		Span
		Names []Ident
	}
	// StandIn is "standin SHEET NAME": who acts when nobody has been named.
	StandIn struct {
		Span
		Sheet Ident
		Name  Expr // *Name or *Text
	}
	// Option is `option NAME = VALUE [| VALUE …] ["doc"]`, or with what each value does
	// `option NAME ["doc"] { VALUE ["what it does"] … }`. With one value behind = it sets
	// an option that was declared elsewhere.
	Option struct {
		Span
		Name   Ident
		Values []Expr // the first is the default
		Doc    *Text
		Block  bool    // the values stand in braces
		Docs   []*Text // in braces: what each value does, or nil
	}
	// Words is `words NAME ["doc"] { WORD ["what it means"] … }`: words that rules may give back.
	Words struct {
		Span
		Name   Ident
		Doc    *Text
		Values []Expr
		Docs   []*Text // or nil
	}
	// Remove is "remove KIND NAME [of OWNER]": KIND is rule, clause, feature,
	// handler, verb, check or option.
	Remove struct {
		Span
		Kind, Name Ident
		Of         *Ident
	}
	// Annotated is `@id ["doc"]` or `recorded @id "doc"` before the statement
	// it explains. Stmt is nil when the annotation stands alone (a recorded
	// rule, or one that is only declared).
	Annotated struct {
		Span
		ID       string // without "@", e.g. "fall.damage"
		IDSpan   Span
		Doc      *Text
		Recorded bool
		Stmt     Stmt
	}
	// Table is `table NAME(PARAMS) ["doc"] { PATTERNS => VALUE … }`.
	Table struct {
		Span
		Name   Ident
		Params []Ident
		Doc    *Text
		Rows   []Row
	}
	// Row is "PATTERN, … => VALUE". Else is "else => VALUE".
	Row struct {
		Span
		Patterns []Expr // nil for else
		Value    Expr
	}
	// Sheet is
	//	sheet NAME [is BASE] ["doc"] [of players] [out when COND] { FIELDS [SUMMARY] [RESERVES] [AT_HAND] }
	Sheet struct {
		Span
		Name     Ident
		Base     *Ident
		Doc      *Text
		Players  bool // a player fills it in, not whoever prepares the scene
		Out      Expr // of whom it is so takes no part any more; nil
		Fields   []*Field
		Summary  *Summary // nil: that of the base
		Reserves *Summary // likewise
		AtHand   *Summary // likewise
	}
	// Summary is "summary NAME [VALUE], … [when COND]": what a reader wants to know
	// of an instance, as long as the condition holds. With "reserves" in the place of
	// "summary" it is what can be used up, with "at_hand" what somebody decides with in a turn.
	//	summary defeated, setbacks, life (life - damage) when present
	//	reserves life (life - damage), luck
	//	at_hand dice pool
	Summary struct {
		Span
		Entries []Named // Value is nil where Name is a field
		When    Expr    // nil: always
	}
	// Field is
	//	NAME TYPE [many] [= DEFAULT] [per SPAN] [as WORD [until CONDITION]] ["doc"]
	// e.g.
	//	star number 1..4 = 3
	//	luck number = star per episode
	//	defeated truth per scene
	//	traits trait many as CAPS
	//	qualities quality many as quality
	Field struct {
		Span
		Name    Ident
		Type    TypeRef
		Default Expr
		Per     *Ident
		As      *Ident  // "CAPS" for ALL_CAPS entries
		Until   Expr    // as secret: when all may know of it; nil: never
		Needed  []Ident // the verbs that go by it
		Doc     *Text
	}
	// TypeRef is a type: number, text, truth, die, dice, symbol, list, map,
	// until, any, a sheet's name; "one of (a, b, c)"; "RANGE" after number;
	// "trait of target": looked up in another operand; "condition of SHEET";
	// "new SHEET".
	TypeRef struct {
		Span
		Name  Ident   // for one of: "one"
		OneOf []Ident // the words of "one of (…)"
		Range Expr    // *Range after number, or nil
		Of    *Ident
		New   bool // "new trait": a name for something that the command makes
		Many  bool
	}
	// Rule is `rule NAME(PARAMS) ["doc"] { … }` or `rule NAME(PARAMS) = EXPR`.
	// Params is nil and Parens false for "rule NAME = EXPR".
	Rule struct {
		Span
		Name   Ident
		Parens bool
		Params []Param
		Doc    *Text
		Value  Expr   // after "="
		Body   *Block // or a block
	}
	// Param is a parameter with an optional default.
	Param struct {
		Span
		Name    Ident
		Default Expr
	}
	// Verb is `verb NAME PATTERN ["doc"] [without actor] [between turns] [as open | as secret] { CLAUSES do { … } }`.
	Verb struct {
		Span
		Name         Ident
		Pattern      []Pat
		Doc          *Text
		NoActor      bool   // nobody acts: no name can stand before the command
		BetweenTurns bool   // given at a question, it waits until somebody has their turn
		As           *Ident // who may know what it does, where it is not as usual
		Clauses      []ClauseItem
		Do           *Block
	}
	// ClauseSet is `clauses NAME[(PARAMETERS)] [is BASE] ["doc"] { CLAUSES }`: clauses that
	// several verbs share. A verb takes them in with "uses NAME as VARIABLE". The
	// parameters are for the conditions of its clauses only.
	ClauseSet struct {
		Span
		Name    Ident
		Params  []Param
		Base    *Ident // the set whose parameters and clauses it has, too
		Doc     *Text
		Clauses []ClauseItem
	}
	// ClauseItem is one of *Clause, *Needs, *Uses and *BlockClause.
	ClauseItem interface {
		Node
		clauseItem()
	}
	// Clause is `clause NAME ["doc"] [: PATTERN] [repeat] [{ CLAUSES }]`.
	// Without a pattern the pattern is the name as a literal word.
	Clause struct {
		Span
		Name    Ident
		Doc     *Text
		Pattern []Pat
		Repeat  bool
		Nested  []ClauseItem
		Braces  bool
	}
	// Needs is `needs CONDITION "what would make it count" [at NAME]` or
	// `excludes CLAUSE, … ["why"]`: when the clause before it can count, or, before
	// the first clause of a verb, when the command can be given at all. As
	// `warns CONDITION "what is doubtful" [at NAME]` it refuses nothing.
	Needs struct {
		Span
		Warns    bool    // if Cond holds, there is a warning
		Cond     Expr    // nil of excludes
		Excludes []Ident // the clauses that cannot be given together with it
		Text     Expr    // nil of excludes without a text
		At       *Ident  // the operand or clause that it is about
	}
	// Uses is "uses SET[(NAME: VALUE, …)] as VARIABLE".
	Uses struct {
		Span
		Set, As Ident
		Args    []Named
	}
	// BlockClause is "block [until CONDITION]": the command takes a block, run by "run block", which is left
	// before the first command in it at which the condition holds.
	BlockClause struct {
		Span
		Until Expr
	}
	// Pat is one of *PatWord, *PatSlot and *PatOpt.
	Pat interface {
		Node
		pat()
	}
	// PatWord is a literal word of a pattern, lower-case or ALL_CAPS.
	PatWord struct {
		Span
		Word string
	}
	// PatSlot is "(name type [= default])".
	PatSlot struct {
		Span
		Name    Ident
		Type    TypeRef
		Default Expr
	}
	// PatOpt is "[ PATTERN ]".
	PatOpt struct {
		Span
		Pattern []Pat
	}
	// Feature is
	//	feature NAME[(PARAMS)] ["doc"] on [every] SHEET { FIELDS HANDLERS }
	Feature struct {
		Span
		Name   Ident
		Params []Param
		Doc    *Text
		Every  bool
		On     Ident
		Fields []*Field
		Body   []Stmt // *Handler, or *Annotated around one
	}
	// Hook is `hook NAME(PARAMS) ["doc"]`: a moment features can answer to.
	Hook struct {
		Span
		Name   Ident
		Params []Ident
		Doc    *Text
	}
	// Decision is `decision NAME ["what is asked"] [by "whom"] [from "answers"]
	// [default "what holds if nobody answers"] [asks | offers | usual]`: a decision in the words
	// of the table, and whether people are asked. The rules that ask for it say the same in script.
	Decision struct {
		Span
		Name                   Ident
		Doc, By, From, Default *Text
		Manner                 *Ident
	}
	// Handler is "on HOOK[(PARAMS)] [when COND] { … }". It stands in a feature,
	// or at the top of a module, where it answers whomever is signalled.
	Handler struct {
		Span
		Hook   Ident
		Params []Ident
		When   Expr
		Body   *Block
	}
	// Goal is `goal NAME(PARAMS) ["doc"] [after VERB, …] = VALUE`: what somebody wants
	// once a command is done.
	Goal struct {
		Span
		Name   Ident
		Params []Ident
		Doc    *Text
		After  []Ident
		Value  Expr
	}
	// Check is `check NAME of SHEET ["doc"] [always] { … }`, a check of a sheet.
	Check struct {
		Span
		Name   Ident
		Of     Ident
		Doc    *Text
		Always bool // scripts are checked for it before they run
		Body   *Block
	}
	// Test is `test "name" [after "scene"] { … }`.
	Test struct {
		Span
		Name  *Text
		After *Text // or nil
		Body  *Block
	}
	// Tactics is "tactics WHO, … { ENTRIES }".
	Tactics struct {
		Span
		Who     []Expr // *Name, *Text or *Word
		Entries []Tactic
	}
	// Tactic is one of
	//	when COND: COMMAND
	//	otherwise: COMMAND
	//	on DECISION: ANSWER [when COND]
	Tactic struct {
		Span
		When   Expr // nil for otherwise
		Do     *Command
		On     *Ident
		Answer Expr
	}
)

// ---- statements ---------------------------------------------------------

type (
	// Command is the one shape of every verb:
	//	[WHO:] HEAD args… [block]
	// Head is a lower-case word, or, in the block of a sheet, an ALL_CAPS
	// entry. Which args are operands and which are clauses is not known here.
	Command struct {
		Span
		Who   Expr // *Name, *Text, *Paren or nil
		Head  Expr // *Word or *Caps
		Args  []Arg
		Block *Block
	}
	// Arg is one operand or clause word. Comma says that a comma stands before it.
	Arg struct {
		Comma bool
		Expr  Expr
	}
	// Let is "let NAME = EXPR".
	Let struct {
		Span
		Name  Ident
		Value Expr
	}
	// Assign is "TARGET OP EXPR [as LABEL] [note NOTE]"; Op is = += or -=.
	// With a label the change is a named part of the explanation.
	Assign struct {
		Span
		Target Expr // *Word, *Dot or *Index
		Op     string
		Value  Expr
		As     Expr
		Note   Expr
	}
	// If is "if COND { … } [else if … | else { … }]".
	If struct {
		Span
		Cond Expr
		Then *Block
		Else Stmt // *If, *Block or nil
	}
	// For is "for NAME in EXPR [where COND] { … }".
	For struct {
		Span
		Var   Ident
		In    Expr
		Where Expr
		Body  *Block
	}
	// While is "while COND { … }".
	While struct {
		Span
		Cond Expr
		Body *Block
	}
	// Repeat is "repeat EXPR { … }".
	Repeat struct {
		Span
		Count Expr
		Body  *Block
	}
	// Jump is "stop" (leave the loop) or "next" (on with its next turn).
	Jump struct {
		Span
		Next bool
	}
	// Return is "return [EXPR]".
	Return struct {
		Span
		Value Expr
	}
	// Say is `refuse TEXT [at EXPR]`, `fault TEXT`, `warn TEXT`, `note TEXT`
	// or `print EXPR`; Kind is the word. A note or a print may be `to players`.
	Say struct {
		Span
		Kind    string
		Text    Expr
		At      Expr
		Players bool
	}
	// Offer is
	//	offer NAME to WHO [PROMPT] [costs N FIELD [of PAYER]] [when COND]
	//	      [answer EXPR] [default EXPR] [unasked] [usual when EXPR] { … } [else { … }]
	Offer struct {
		Span
		Name    Ident
		To      Expr
		Prompt  Expr // nil: what the decision of that name asks
		Cost    Expr // or nil
		Field   *Ident
		Payer   Expr // or nil: To
		When    Expr
		Answer  Expr
		Default Expr
		Unasked bool
		Usual   Expr // when no person is asked at a quiet table, or nil
		Body    *Block
		Else    *Block
	}
	// Signal is "signal HOOK(ARGS) to EXPR".
	Signal struct {
		Span
		Hook Ident
		Args []Expr
		To   Expr
	}
	// Show is `show KIND LABEL [by WHO] { … }`: what happens inside is one
	// group of the transcript, e.g. show check "attack" by me.who { … }.
	Show struct {
		Span
		Kind  Ident
		Label Expr
		By    Expr
		Body  *Block
	}
	// Outcome is "outcome VALUE [NAME VALUE, …]":
	//	outcome success total t, against dn, margin t - dn
	// With SoFar it is "stands VALUE [NAME VALUE, …]": not what came of a check, but
	// how it stands, for whoever has to decide or throw before it is over.
	Outcome struct {
		Span
		SoFar  bool
		Value  Expr
		Fields []Named
	}
	// Named is "NAME VALUE" of an Outcome, or "NAME: VALUE" of a New.
	Named struct {
		Span
		Name  Ident
		Value Expr
	}
	// Boundary is "begin SPAN [as TITLE] [secret when CONDITION]" or "end SPAN".
	Boundary struct {
		Span
		End    bool
		Name   Ident
		Title  Expr
		Secret Expr // whether players are not told the title; nil: they are
	}
	// RunBlock is "run block for who"; For may be nil.
	RunBlock struct {
		Span
		For Expr
	}
	// Act is "act WHO [asked] [until EXPR]": WHO does a command, which their tactics choose
	// or a player gives; asked leaves it to a player alone. A player may give several commands, until the condition
	// holds; without a condition they give one.
	Act struct {
		Span
		Who   Expr
		Asked bool
		Until Expr // nil for none
	}
	// Expect is "expect EXPR [TEXT]".
	Expect struct {
		Span
		Cond Expr
		Text *Text
	}
	// Report is "report EXPR [as NAME], …".
	Report struct {
		Span
		Values []*Reported
	}
	// Reported is one value of a Report.
	Reported struct {
		Span
		Value Expr
		As    Expr // its name, *Word, *Name or *Text; nil: the expression as it is written
	}
	// ExprStmt is a call standing alone.
	ExprStmt struct {
		Span
		X Expr
	}
	// Bad is a statement that could not be parsed; its diagnostic is in the list.
	Bad struct{ Span }
)

// ---- expressions --------------------------------------------------------

// Expr is an expression or an operand.
type Expr interface {
	Node
	expr()
}

type (
	// Num is a number as written: "12", "0.25", "55%".
	Num struct {
		Span
		Text string
	}
	// Text is a quoted text. Raw is the source with its quotes; Parts is what
	// it says: literal strings (as *Lit) and interpolated expressions.
	Text struct {
		Span
		Raw   string
		Parts []Expr
	}
	// Lit is a literal stretch of a Text with escapes undone.
	Lit struct {
		Span
		Value string
	}
	// Dice is "d12", "3d6", "d%", "2d%", "d{hit, hit, none}", "4dF". Count and Size are as written;
	// Count is 1 and Counted false for a plain die.
	Dice struct {
		Span
		Text    string
		Counted bool
		Count   int64  // -1 when it does not fit
		Size    int64  // 100 for %, -1 when it does not fit
		Pluses  int    // 1 of d12+
		Faces   []Face // of d{1, 2, 2, 3} and dF, in place of the size
	}
	// Word is a lower-case word: variable, rule, symbol, clause word, yes, no, none.
	Word struct {
		Span
		Name string
	}
	// Caps is an ALL_CAPS word.
	Caps struct {
		Span
		Name string
	}
	// Name is a Capitalised word. Shown with its underscores as spaces.
	Name struct {
		Span
		Name string
	}
	// Rated is a trait with what follows it: "DEMOLITIONS 4", "FLY d8",
	// `"Ace" d8`, "BLAST +4". X is *Caps, *Name or *Text.
	Rated struct {
		Span
		X      Expr
		Rating Expr
	}
	// List is "[a, b, …]".
	List struct {
		Span
		Elems []Expr
	}
	// Map is "{KEY: VALUE, …}".
	Map struct {
		Span
		Keys, Values []Expr
	}
	// Applied is "word arg arg" inside a list: weakness "Salt".
	Applied struct {
		Span
		Head Expr
		Args []Expr
	}
	// Range is "a..b", "a.." or "..b".
	Range struct {
		Span
		Lo, Hi Expr
	}
	// Unary is "-x", "+x" or "not x".
	Unary struct {
		Span
		Op string
		X  Expr
	}
	// Binary is "x OP y": or and == != < <= > >= in + - * /.
	Binary struct {
		Span
		Op   string
		OpAt Span
		X, Y Expr
	}
	// Cond is "if C then A else B".
	Cond struct {
		Span
		C, A, B Expr
	}
	// Call is "f(args)"; Fn is *Word or *Dot.
	Call struct {
		Span
		Fn   Expr
		Args []Expr
	}
	// Dot is "x.name"; the name may be lower-case, ALL_CAPS or Capitalised.
	Dot struct {
		Span
		X    Expr
		Name Ident
	}
	// Index is "x[i]".
	Index struct {
		Span
		X, I Expr
	}
	// Throw is "throw DICE [for LABEL] [named NAMES]".
	Throw struct {
		Span
		Dice  Expr
		For   Expr
		Named Expr
	}
	// Choose is
	//	choose NAME by WHO from LIST [PROMPT] [costs N FIELD [of PAYER]] [notes LIST]
	//	      [answer EXPR] [default EXPR] [unasked] [usual when EXPR]
	Choose struct {
		Span
		Name    Ident
		By      Expr
		From    Expr
		Prompt  Expr
		Cost    Expr // of an answer that is not the default, or nil
		Field   *Ident
		Payer   Expr // or nil: By
		Notes   Expr // what is said behind each option, or nil
		Answer  Expr
		Default Expr
		Unasked bool
		Usual   Expr // or nil
	}
	// NoneRefused is "no refused tactics", behind expect.
	NoneRefused struct{ Span }
	// Comp reads a list:
	//	[YIELD for VAR in LIST where COND]        Kind "list"
	//	any VAR in LIST where COND                Kind "any"
	//	all VAR in LIST where COND                Kind "all"
	//	count VAR in LIST where COND              Kind "count"
	//	first VAR in LIST where COND              Kind "first"
	//	sum YIELD for VAR in LIST where COND      Kind "sum"
	//	highest VAR in LIST [where COND] by YIELD Kind "highest"
	//	lowest VAR in LIST [where COND] by YIELD  Kind "lowest"
	Comp struct {
		Span
		Kind  string
		Yield Expr
		Var   Ident
		In    Expr
		Where Expr
	}
	// New is "new SHEET(NAME: VALUE, …)": a record that lives as long as the
	// verb that made it.
	New struct {
		Span
		Sheet  Ident
		Fields []Named
	}
	// Paren is "(x)", kept so that printing gives back what was written.
	Paren struct {
		Span
		X Expr
	}
)

func (*Use) stmt()       {}
func (*Include) stmt()   {}
func (*Cast) stmt()      {}
func (*Words) stmt()     {}
func (*System) stmt()    {}
func (*Spans) stmt()     {}
func (*StandIn) stmt()   {}
func (*Option) stmt()    {}
func (*Remove) stmt()    {}
func (*Annotated) stmt() {}
func (*Table) stmt()     {}
func (*Sheet) stmt()     {}
func (*Rule) stmt()      {}
func (*Verb) stmt()      {}
func (*ClauseSet) stmt() {}
func (*Feature) stmt()   {}
func (*Hook) stmt()      {}
func (*Decision) stmt()  {}
func (*Handler) stmt()   {}
func (*Goal) stmt()      {}
func (*Check) stmt()     {}
func (*Test) stmt()      {}
func (*Tactics) stmt()   {}
func (*Command) stmt()   {}
func (*Let) stmt()       {}
func (*Assign) stmt()    {}
func (*If) stmt()        {}
func (*For) stmt()       {}
func (*While) stmt()     {}
func (*Repeat) stmt()    {}
func (*Jump) stmt()      {}
func (*Return) stmt()    {}
func (*Say) stmt()       {}
func (*Offer) stmt()     {}
func (*Signal) stmt()    {}
func (*Show) stmt()      {}
func (*Outcome) stmt()   {}
func (*Boundary) stmt()  {}
func (*RunBlock) stmt()  {}
func (*Act) stmt()       {}
func (*Expect) stmt()    {}
func (*Report) stmt()    {}
func (*ExprStmt) stmt()  {}
func (*Bad) stmt()       {}
func (*Block) stmt()     {}

func (*Clause) clauseItem()      {}
func (*Needs) clauseItem()       {}
func (*Uses) clauseItem()        {}
func (*BlockClause) clauseItem() {}

func (*PatWord) pat() {}
func (*PatSlot) pat() {}
func (*PatOpt) pat()  {}

func (*Num) expr()         {}
func (*Text) expr()        {}
func (*Lit) expr()         {}
func (*NoneRefused) expr() {}
func (*Dice) expr()        {}
func (*Word) expr()        {}
func (*Caps) expr()        {}
func (*Name) expr()        {}
func (*Rated) expr()       {}
func (*List) expr()        {}
func (*Map) expr()         {}
func (*Applied) expr()     {}
func (*Range) expr()       {}
func (*Unary) expr()       {}
func (*Binary) expr()      {}
func (*Cond) expr()        {}
func (*Call) expr()        {}
func (*Dot) expr()         {}
func (*Index) expr()       {}
func (*Throw) expr()       {}
func (*Choose) expr()      {}
func (*Comp) expr()        {}
func (*New) expr()         {}
func (*Paren) expr()       {}

// parts gives what stands in the body of a sheet, in the order of the source.
func (s *Sheet) parts() []Node {
	var out []Node
	for _, f := range s.Fields {
		out = append(out, f)
	}
	for _, list := range []*Summary{s.Summary, s.Reserves, s.AtHand} {
		if list == nil {
			continue
		}
		at := slices.IndexFunc(out, func(n Node) bool { return n.Range().Start > list.Start })
		if at < 0 {
			at = len(out)
		}
		out = slices.Insert(out, at, Node(list))
	}
	return out
}

// Declares says what a statement declares, as "rule perform" or "on hit"; "" if it
// declares nothing that has a name.
func Declares(s Stmt) string {
	switch s := s.(type) {
	case *Annotated:
		if s.Stmt != nil {
			return Declares(s.Stmt)
		}
	case *Rule:
		return "rule " + s.Name.Name
	case *Verb:
		return "verb " + s.Name.Name
	case *ClauseSet:
		return "clauses " + s.Name.Name
	case *Table:
		return "table " + s.Name.Name
	case *Sheet:
		return "sheet " + s.Name.Name
	case *Feature:
		return "feature " + s.Name.Name
	case *Handler:
		return "on " + s.Hook.Name
	case *Check:
		return "check " + s.Name.Name
	}
	return ""
}
