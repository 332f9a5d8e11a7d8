package lang

import (
	"sort"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// tabWidth is how far apart tab stops are when a source line is shown.
const tabWidth = 4

// Position is a place in a source as people and editors count it; all three
// numbers start at 1.
type Position struct {
	Line   int
	Column int // in display cells: a tab goes to the next stop, a wide rune counts two
	Rune   int // in runes
}

// NewSource gives a source for text. The name is what messages call it; a line
// typed at the prompt has none.
func NewSource(name, text string) *Source {
	s := &Source{Name: name, Text: text, line: []int32{0}}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			s.line = append(s.line, int32(i+1))
		}
	}
	return s
}

// Position tells where the byte offset off is. Offsets outside the text are
// taken as its nearest end.
func (s *Source) Position(off int) Position {
	off = min(max(off, 0), len(s.Text))
	n := s.lineOf(off)
	before := s.Text[s.line[n]:off]
	return Position{Line: n + 1, Column: cells(before, 0) + 1, Rune: utf8.RuneCountInString(before) + 1}
}

// Lines is the number of lines; a newline at the very end starts no further one.
func (s *Source) Lines() int {
	n := len(s.line)
	if n > 1 && int(s.line[n-1]) == len(s.Text) {
		n--
	}
	return n
}

// Line is the text of a line, counted from 1, without its newline.
func (s *Source) Line(n int) string {
	if n < 1 || n > len(s.line) {
		return ""
	}
	start, end := int(s.line[n-1]), len(s.Text)
	if n < len(s.line) {
		end = int(s.line[n]) - 1
	}
	if end > start && s.Text[end-1] == '\r' {
		end--
	}
	return s.Text[start:end]
}

// lineOf is the index of the line that holds off.
func (s *Source) lineOf(off int) int {
	return sort.Search(len(s.line), func(i int) bool { return int(s.line[i]) > off }) - 1
}

// cells is how many display cells text takes when it begins in the cell at.
func cells(text string, at int) int {
	start, i := at, 0
	for i < len(text) && ' ' <= text[i] && text[i] < 0x7F {
		i++
	}
	at += i
	for _, r := range text[i:] {
		at += runeCells(r, at)
	}
	return at - start
}

func runeCells(r rune, at int) int {
	switch {
	case r == '\t':
		return tabWidth - at%tabWidth
	case isControl(r) || isJoiner(r):
		return 1
	}
	return widths.RuneWidth(r)
}

// widths does not look at the locale: equal sources give equal columns.
var widths = &runewidth.Condition{StrictEmojiNeutral: true}
