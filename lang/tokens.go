package lang

import (
	"maps"
	"slices"

	"github.com/alecthomas/participle/v2/lexer"

	"setpiece/lang/late"
)

// TokenKind says what a Token is.
type TokenKind int

const (
	WordToken   TokenKind = iota // small letters
	TraitToken                   // ALL_CAPS
	NameToken                    // Capitalised
	TextToken                    // "…"
	NumberToken                  // 3, 55%
	DiceToken                    // 3d6
	SignToken                    // everything else that the language knows
	LineToken                    // the end of a line or statement
	BadToken                     // what the language does not know
)

// Token is a word or sign of a source.
type Token struct {
	Span
	Kind TokenKind
	Text string
}

// Tokens gives the words and signs of a source, and apart from them its comments. It takes any
// text.
func Tokens(src *Source) (list []Token, comments []Comment) {
	if len(src.Text) > maxSource {
		return nil, nil
	}
	toks := scan(src.Text, 0, len(src.Text), false, nil, nil)
	for i := range toks.list {
		t := &toks.list[i]
		if kind, ok := tokenKinds[t.Type]; ok {
			start := int32(t.Pos.Offset)
			list = append(list, Token{Span{src, start, start + int32(len(t.Value))}, kind, t.Value})
		}
	}
	for _, c := range toks.comments {
		c.Src = src
		comments = append(comments, c)
	}
	return list, comments
}

var tokenKinds = map[lexer.TokenType]TokenKind{
	kindEOL: LineToken, kindWord: WordToken, kindCaps: TraitToken, kindName: NameToken, kindText: TextToken, kindNum: NumberToken,
	kindDice: DiceToken, kindOp: SignToken, kindCall: SignToken, kindIndex: SignToken, kindSign: SignToken, kindOpen: SignToken, kindBad: BadToken,
}

// Keywords lists the words of the language, which name nothing of a script.
func Keywords() []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(statementWords, slices.Collect(maps.Keys(reserved))))))
}

// IsKeyword says whether a word is one of the language, which names nothing of a script.
func IsKeyword(word string) bool { return reserved[word] || forms[word] != "" }

// Fix gives the change that the help of a message proposes, where it says exactly what to
// write instead.
func (d *Diagnostic) Fix() (Edit, bool) {
	if d.Src == nil {
		return Edit{}, false
	}
	if d.Resumes > 0 {
		return Edit{Span: Span{d.Src, d.Resumes, d.Resumes}, New: "}\n"}, true
	}
	m := didYouMean().FindStringSubmatch(d.Help)
	if m == nil || d.End <= d.Start {
		return Edit{}, false
	}
	return Edit{Span: d.Span, New: m[1]}, true
}

// didYouMean is how a message proposes one word or text instead of another.
var didYouMean = late.Regexp(`^did you mean ("[^"]*"|[^\s",?]+|[=<>!]=)\?`)
