package lang

import (
	"maps"
	"slices"
)

// reserved are the words that cannot name a verb, a rule, a field or a
// variable. In the arguments of a command nearly all of them are plain words.
var reserved = wordSet(
	"use", "include", "system", "variant", "spans", "standin", "option", "remove", "recorded", "table", "sheet", "rule",
	"verb", "clauses", "clause", "uses", "feature", "hook", "on", "check", "test", "tactics", "let", "if", "else", "then",
	"for", "in", "where", "while", "repeat", "stop", "next", "return", "refuse", "fault", "warn", "note", "brief", "print", "offer",
	"signal", "show", "outcome", "stands", "begin", "end", "run", "act", "expect", "report", "and", "or", "not", "any", "all", "count",
	"sum", "first", "highest", "lowest", "throw", "choose", "new", "yes", "no", "none", "when", "otherwise",
)

// listReaders begin a reading of a list, as in "any x in foes where x.standing".
var listReaders = wordSet("any", "all", "count", "first", "highest", "lowest")

// linkWords are words of the language that stand behind a value.
var linkWords = []string{
	"and", "or", "in", "is", "of", "as", "at", "per", "needed", "many", "with", "when", "where", "then", "else", "by", "from", "to",
	"costs", "answer", "default", "unasked", "note", "on", "for", "named", "repeat", "until",
}

// heads are words that begin a declaration or statement and, with a word or text
// behind them, nothing else.
var heads = wordSet(
	"use", "include", "system", "variant", "spans", "standin", "option", "remove", "table", "sheet", "rule", "verb",
	"clauses", "clause", "feature", "hook", "tactics", "let", "return", "refuse", "print", "offer", "signal", "outcome",
	"stands", "expect",
)

func wordSet(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// statementWords are the words that a declaration or statement begins with.
var statementWords = slices.Sorted(maps.Keys(forms))

// forms tell how the declarations and statements are written.
var forms = map[string]string{
	"use":      "use SYSTEM [with VARIANT, OPTION = VALUE, …]",
	"include":  `include "file.rules"`,
	"cast":     `cast from "party.yaml"`,
	"system":   `system NAME ["title"]`,
	"variant":  `variant NAME of BASE ["what it changes"]`,
	"spans":    "spans LONGEST > … > SHORTEST",
	"standin":  "standin SHEET Name",
	"option":   `option NAME = DEFAULT [| OTHER …] ["doc"], or option NAME ["doc"] { DEFAULT "what it does" … }`,
	"words":    `words NAME ["doc"] { WORD "what it means" … }`,
	"remove":   "remove KIND NAME [of OWNER]",
	"recorded": `recorded @id "doc"`,
	"table":    `table NAME(PARAMETERS) ["doc"] { PATTERN => VALUE … else => VALUE }`,
	"sheet":    `sheet NAME [is BASE] ["doc"] [of players] [out when CONDITION] { FIELDS }`,
	"rule":     `rule NAME(PARAMETERS) ["doc"] = VALUE, or with { … }`,
	"verb":     `verb NAME PATTERN ["doc"] [without actor] [as secret] { CLAUSES do { … } }`,
	"clauses":  `clauses NAME[(PARAMETERS)] [is SET] ["doc"] { CLAUSES }`,
	"feature":  `feature NAME[(PARAMETERS)] ["doc"] on [every] SHEET { FIELDS HANDLERS }`,
	"decision": `decision NAME ["what is asked"] [by "whom"] [from "answers"] [default "if nobody answers"] [asks | offers | usual]`,
	"hook":     `hook NAME(PARAMETERS) ["doc"]`,
	"goal":     `goal NAME[(WHO, ACTOR)] ["doc"] [after VERB, …] = VALUE`,
	"on":       "on HOOK[(PARAMETERS)] [when CONDITION] { … }",
	"check":    `check NAME of SHEET ["doc"] [always] { … }`,
	"test":     `test "name" [after "scene"] { … }`,
	"tactics":  "tactics WHO, … { when CONDITION: COMMAND … on DECISION: VALUE … otherwise: COMMAND }",
	"let":      "let NAME = VALUE",
	"if":       "if CONDITION { … } [else { … }]",
	"for":      "for NAME in LIST [where CONDITION] { … }",
	"while":    "while CONDITION { … }",
	"repeat":   "repeat NUMBER { … }",
	"stop":     "stop",
	"next":     "next",
	"return":   "return [VALUE]",
	"refuse":   `refuse "why" [at CLAUSE]`,
	"fault":    `fault "what is wrong"`,
	"warn":     `warn "what is doubtful"`,
	"note":     `note "remark" [to players]`,
	"brief":    `brief "what happens, in a word"`,
	"print":    "print VALUE [to players]",
	"offer":    `offer NAME to WHO ["question"] [costs N FIELD [of WHO]] [when CONDITION] [answer VALUE] [default VALUE] { … } [else { … }]`,
	"signal":   "signal HOOK(VALUES) to WHOM",
	"show":     `show KIND "label" [by WHO] { … }`,
	"outcome":  "outcome VALUE [NAME VALUE, …]",
	"stands":   "stands VALUE [NAME VALUE, …]",
	"begin":    "begin SPAN [as TITLE]",
	"end":      "end SPAN",
	"run":      "run block [for who]",
	"act":      "act WHO [asked] [until CONDITION]",
	"expect":   `expect CONDITION ["what"]`,
	"report":   "report VALUE [as NAME], …",
}

// Forms of the items in bodies.
const (
	choiceForm  = `VALUE ["what it does"]`
	rowForm     = "PATTERN, … => VALUE, or else => VALUE"
	fieldForm   = `NAME TYPE [many] [= DEFAULT] [per SPAN] [as WORD] [needed by VERB, …] ["doc"]`
	sheetForm   = fieldForm + ", or summary, reserves or at_hand NAME [VALUE], … [when CONDITION]"
	clauseForm  = `clause NAME ["doc"] [: PATTERN] [repeat] [{ CLAUSES }], needs CONDITION "text" [at NAME], excludes CLAUSE, …, uses SET as NAME, or block`
	featureForm = fieldForm + ", or on HOOK[(PARAMETERS)] [when CONDITION] { … }"
	tacticForm  = "when CONDITION: COMMAND, otherwise: COMMAND, or on DECISION: ANSWER [when CONDITION]"
)

// Form tells how the declaration or statement that begins with word is written,
// "" if none does.
func Form(word string) string { return forms[word] }
