package lang

import "github.com/alecthomas/participle/v2/lexer"

// A brace that is never closed would take in the rest of the file: while somebody types
// hero A { … nothing behind it could be read. But people indent what stands in braces. So a
// brace without a partner ends before the first line that is indented no further than the line
// of the brace. Where the first line inside is not indented either, only a line that begins a
// declaration ends it. A } that begins a line belongs to the brace whose line is indented like
// it; those opened since then end before it.
//
// This is done only in texts in which a brace is never closed, and only if each } then has a
// partner as it had before.

// shut ends braces before the line that begins here.
func (s *scanner) shut(eol int) {
	at := s.pos - s.lineAt
	if s.text[s.pos] == '}' {
		s.shutBefore(eol, at)
		return
	}
	for n := len(s.open) - 1; n >= 0; n-- {
		b := &s.open[n]
		if !b.inside {
			b.inside, b.flat = true, at <= b.indent
		}
		if b.char != '{' || at > b.indent || b.flat && !s.declaresAtTop() {
			return
		}
		s.shutLast(eol)
	}
}

// shutBefore ends the braces inside the one that a } at the beginning of a line belongs to.
func (s *scanner) shutBefore(eol, at int) {
	partner := len(s.open) - 1
	for partner >= 0 && (s.open[partner].char != '{' || s.open[partner].indent > at) {
		partner--
	}
	if partner < 0 || s.open[partner].indent != at {
		return
	}
	for len(s.open) > partner+1 && s.open[len(s.open)-1].line > s.open[partner].line {
		s.shutLast(eol)
	}
}

func (s *scanner) shutLast(eol int) {
	s.open = s.open[:len(s.open)-1]
	s.out.list = append(s.out.list, lexer.Token{Type: kindShut, Pos: lexer.Position{Offset: eol, Line: s.line}})
	s.out.shut = true
}

// indent is how far the present line is indented.
func (s *scanner) indent() int {
	i := s.lineAt
	for i < s.pos && (s.text[i] == ' ' || s.text[i] == '\t') {
		i++
	}
	return i - s.lineAt
}

// declaresAtTop says whether the line that begins here can only be a declaration: of a rule or
// the like, an annotation, or a word, a name and a brace, as in  hero Nova {.
func (s *scanner) declaresAtTop() bool {
	if s.text[s.pos] == '@' || s.declares() && !inBlocks[s.wordHere()] {
		return true
	}
	t := newScanner(s.text, s.pos, lineEnd(s.text[:s.end], s.pos), s.inText, nil)
	for len(t.out.list) < 4 && t.token() {
	}
	list := t.out.list
	if len(list) < 3 || list[0].Type != kindWord || list[1].Type != kindName && list[1].Type != kindText {
		return false
	}
	return is(&list[2], "{") || len(list) > 3 && list[2].Type == kindWord && is(&list[3], "{")
}

func (s *scanner) wordHere() string {
	i := s.pos
	for i < s.end && isWordByte(s.text[i]) {
		i++
	}
	return s.text[s.pos:i]
}

// inBlocks are those of heads that stand in blocks.
var inBlocks = wordSet("clause", "let", "return", "refuse", "print", "offer", "signal", "outcome", "stands", "expect", "option")
