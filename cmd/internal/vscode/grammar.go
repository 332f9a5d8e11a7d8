package vscode

import (
	"strings"

	"setpiece/lang"
)

// rule is one of a TextMate grammar: a match or a begin and an end, and what is inside.
type rule struct {
	Name     string        `json:"name,omitempty"`
	Include  string        `json:"include,omitempty"`
	Match    string        `json:"match,omitempty"`
	Begin    string        `json:"begin,omitempty"`
	End      string        `json:"end,omitempty"`
	Patterns []rule        `json:"patterns,omitempty"`
	Captures map[int]named `json:"captures,omitempty"`
}

type named struct {
	Name string `json:"name"`
}

// textMate is a grammar as VS Code, GitHub and many others read it.
type textMate struct {
	Schema     string          `json:"$schema"`
	Name       string          `json:"name"`
	Scope      string          `json:"scopeName"`
	FileTypes  []string        `json:"fileTypes"`
	Patterns   []rule          `json:"patterns"`
	Repository map[string]rule `json:"repository"`
}

// The kinds of lang.TokenKind, as scopes that colour schemes know.
const (
	commentScope = "comment.line.number-sign.setpiece"
	textScope    = "string.quoted.double.setpiece"
	diceScope    = "constant.numeric.dice.setpiece"
	numberScope  = "constant.numeric.setpiece"
	keywordScope = "keyword.control.setpiece"
	wordScope    = "variable.other.setpiece"
	traitScope   = "constant.other.trait.setpiece"
	nameScope    = "entity.name.type.setpiece"
	idScope      = "entity.other.attribute-name.id.setpiece"
	signScope    = "keyword.operator.setpiece"
)

// grammar tells the words and signs of the language apart as lang.Tokens does. What only the
// lines around a word show, such as whether a capital letter alone is a trait, it leaves.
func grammar() textMate {
	const letter, more = `[\p{L}\p{M}_]`, `[\p{L}\p{M}\d_]`
	words := []rule{
		{Name: idScope, Match: `@[a-z_]` + more + `*(?:\.` + more + `+)*`},
		{Name: diceScope, Match: `(?<!` + more + `)\d*d(?:\d+\+*|%|F(?!` + more + `)|\{[^}\n"]*\S[^}\n"]*\})(?!` + more + `)`},
		{Name: numberScope, Match: `(?<!` + more + `)\d+(?:\.\d+)?%?(?!` + more + `)`},
		{Name: keywordScope, Match: `(?<![.@\p{L}\p{M}\d_])(?:` + strings.Join(lang.Keywords(), "|") + `)(?!` + more + `)`},
		{Name: traitScope, Match: `(?<!` + more + `)(?!\d)(?=` + more + `*\p{Lu}` + more + `*\p{Lu})(?:[\p{Lu}\p{M}\d_])+(?!` + more + `)`},
		{Name: nameScope, Match: `(?<!` + more + `)\p{Lu}` + more + `*`},
		{Name: wordScope, Match: `(?<!` + more + `)` + letter + more + `*`},
		{Name: signScope, Match: `\.\.|[=!<>+\-]=|[=\-]>|[-+*/<>=.,:|;]`},
	}
	return textMate{
		Schema: "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
		Name:   "setpiece", Scope: "source.setpiece", FileTypes: []string{"scene", "rules"},
		Patterns: []rule{{Include: "#comment"}, {Include: "#text"}, {Include: "#words"}},
		Repository: map[string]rule{
			"comment": {Name: commentScope, Match: `#.*$`},
			"words":   {Patterns: words},
			// A text ends on its line; what stands in its braces is computed.
			"text": {Name: textScope, Begin: `"`, End: `"|$`, Patterns: []rule{
				{Name: "constant.character.escape.setpiece", Match: `\\.`},
				{Name: "meta.embedded.setpiece", Begin: `\{`, End: `\}|(?=$)`, Patterns: []rule{
					{Name: textScope, Match: `\\"[^"]*\\"`}, {Include: "#text"}, {Include: "#words"},
				}},
			}},
		},
	}
}
