// Package lang reads and writes the language of setpiece: it makes a syntax
// tree of a source ([Parse]), says what is wrong with it ([Diagnostics]), and
// gives a tree back as text ([Print]). It knows which shapes there are, and
// nothing of what they mean: which verbs exist and what they take is declared
// in the language itself and bound by package interp.
//
// # Words
//
// A word carries its kind in its shape.
//
//	lower_case     verbs, clauses, rules, variables, the words of the language
//	ALL_CAPS       traits
//	Capitalised    characters and things; "quoted" is the same with blanks in it
//	d12 3d6 d%     dice
//	12 0.25 55%    numbers; 55% is fifty-five hundredths
//	"text {x}"     a text; {x} is the value of x, and there are \" \\ \n \t \{
//	# …            a comment, to the end of the line
//
// A statement ends with its line, or with a semicolon. It goes on in the next
// line inside ( and [, behind a comma, behind an operator and behind "=" and
// "=>"; and a line that begins with else belongs to the if before it. Braces
// hold blocks. White space matters in two places: f(x) is a call and x[1] an
// entry, while f (x) and x [1] are two operands; and "mod -5" has -5 as an
// operand, while "a - 5" and "a-5" subtract.
//
// # Commands
//
// All verbs have one shape. Who acts may stand before it, operands and the
// words of clauses follow, and perhaps a block. Commas are for the eye.
//
//	[WHO:] verb operand … [{ … }]
//
//	Ann: climb LADDER 4 + ROPE with d6, mod -1 if wet
//	"Old Tom": climb wall against Ann
//	(x): climb (y)
//
// In the operands nearly all words are plain words, also those that the
// language uses elsewhere (if, for, with …); and, or, not, in and throw are not.
// A trait, a name or a text takes in the number or dice behind it: LADDER 4 is
// one operand. A word in a list may have operands of its own: [weak "salt" 2].
// The entries of a sheet are commands too, and there the head may be a trait.
//
// # Statements
//
//	let NAME = VALUE                        a variable
//	TARGET = VALUE [as LABEL] [note TEXT]   also += and -=; with a label, a part of a total
//	if CONDITION { … } [else if … | else { … }]
//	for NAME in LIST [where CONDITION] { … }
//	while CONDITION { … }   repeat NUMBER { … }   stop   next   return [VALUE]
//	print VALUE   note TEXT   warn TEXT   fault TEXT   refuse TEXT [at CLAUSE]
//	offer NAME to WHO TEXT [costs N FIELD [of WHO]] [when CONDITION]
//	    [answer VALUE] [default VALUE] { … } [else { … }]
//	signal HOOK(VALUES) to WHOM
//	show KIND LABEL [by WHO] { … }
//	outcome VALUE [NAME VALUE, …]
//	begin SPAN   end SPAN   run block [for WHO]   act WHO
//	expect CONDITION [TEXT]   report VALUE, …
//
// In a test an expectation may be about odds: odds(CONDITION) in 55%..75%, with
// any comparison, where a single word is an outcome.
//
// A statement that is neither of these nor a command is an expression.
//
// # Declarations
//
//	system NAME ["title"]               heads a module
//	variant NAME of BASE ["doc"]        heads a variant
//	use NAME [with VARIANT, OPTION = VALUE, …]
//	include "file"
//	spans LONGEST > … > SHORTEST        the lifetimes there are
//	standin SHEET Name                  who acts when nobody is named
//	option NAME = DEFAULT | OTHER … ["doc"]
//	remove KIND NAME [of OWNER]
//	table NAME(PARAMETERS) ["doc"] { PATTERN, … => VALUE … else => VALUE }
//	sheet NAME [is BASE] ["doc"] [out when CONDITION] {
//	    NAME TYPE [many] [= DEFAULT] [per SPAN] [as WORD] ["doc"] …
//	    summary NAME [VALUE], … [when CONDITION] }
//	rule NAME(PARAMETERS) ["doc"] = VALUE, or { … }
//	verb NAME PATTERN ["doc"] { CLAUSES do { … } }
//	clauses NAME ["doc"] { CLAUSES }
//	feature NAME(PARAMETERS) ["doc"] on [every] SHEET { FIELDS HANDLERS }
//	hook NAME(PARAMETERS) ["doc"]
//	on HOOK(PARAMETERS) [when CONDITION] { … }
//	check NAME of SHEET ["doc"] { … }
//	test "name" { … }
//	tactics WHO, … { when CONDITION: COMMAND … on DECISION: VALUE … otherwise: COMMAND }
//
// A clause is "clause NAME ["doc"] [: PATTERN] [repeat] [{ CLAUSES }]"; a
// pattern is made of words, (NAME TYPE [= DEFAULT]) and [PATTERN]. "uses SET as
// NAME" takes in a set of clauses, "block" lets the command have a block. A type
// is a word, perhaps with a range (number 1..4), with "of" (trait of target),
// with "new" before it, or one of (a, b, c).
//
// An annotation gives the statement behind it, on the same line or the next,
// the id under which it is explained. With an empty line behind it stands alone.
//
//	@climb.wet "Wet walls are harder."
//	if wet { me.total -= 2 as "wet" }
//	recorded @climb.style "Say how it looks."
//
// # Expressions
//
// From loose to tight:
//
//	or   and   not   == != < <= > >= in   ..   + -   * /   - + (sign)   x.f f(x) x[i]
//
//	if C then A else B
//	throw DICE [for LABEL]
//	choose NAME by WHO from LIST [TEXT] [answer VALUE] [default VALUE]
//	new SHEET(NAME: VALUE, …)
//	[VALUE for x in LIST where CONDITION]   sum VALUE for x in LIST where CONDITION
//	any|all|count|first x in LIST where CONDITION
//	highest|lowest x in LIST [where CONDITION] by VALUE
//	[a, b]   1..4   9..   ..3   yes   no   none
//
// # How it works
//
// The lexer is written by hand and settles newlines and spacing (lexer.go). The
// grammar is one of participle: a struct with tags for each declaration and
// statement (grammar.go). Participle parses one statement at a time, picked by
// its first word, so that one mistake does not hide the next (parser.go).
// Expressions and the operands of commands are climbed by hand (expr.go). What
// comes out is lowered to the plain tree (lower.go, tree.go), which is all that
// other packages see.
package lang
