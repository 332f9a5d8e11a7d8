package lang

import (
	"io/fs"
	"sort"
	"strings"
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
	return &Source{Name: name, Text: text, line: lineStarts(text)}
}

func lineStarts(text string) []int32 {
	starts := make([]int32, 1, 1+strings.Count(text, "\n"))
	for at := 0; ; {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return starts
		}
		at += n + 1
		starts = append(starts, int32(at))
	}
}

// Extent is a stretch of a page: bytes Start up to, not including, End.
type Extent struct{ Start, End int }

// NewExcerpt gives a source for the script in a page of something else, such as notes in
// Markdown. Its text is the page with everything blanked that is not kept, up to the end
// of what is kept. So each word has the line and the column that it has on the page, and
// messages show the page's own lines. The extents are in order and do not overlap.
func NewExcerpt(name, page string, keep []Extent) *Source {
	var b strings.Builder
	at := 0
	for _, k := range keep {
		blank(&b, page[at:k.Start])
		b.WriteString(page[k.Start:k.End])
		at = k.End
	}
	return RestoreExcerpt(name, b.String(), page)
}

// RestoreExcerpt gives an excerpt again from its text and its page, as Source.Text and
// Source.Page gave them. Without a page it is NewSource.
func RestoreExcerpt(name, text, page string) *Source {
	if page == "" {
		return NewSource(name, text)
	}
	return &Source{Name: name, Text: text, page: page, line: lineStarts(page)}
}

func blank(b *strings.Builder, text string) {
	b.Grow(len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
}

// Page is the text that messages show: what an excerpt was taken from, the text of any
// other source.
func (s *Source) Page() string {
	if s.page != "" {
		return s.page
	}
	return s.Text
}

// Excerpt says whether the source is a part of a page.
func (s *Source) Excerpt() bool { return s.page != "" }

// Size is how many bytes of text there are to read. What is blanked does not count.
func (s *Source) Size() int {
	if s.page == "" {
		return len(s.Text)
	}
	return len(s.Text) - strings.Count(s.Text, " ") - strings.Count(s.Text, "\n")
}

// SourceFS is a file system some of whose files are excerpts. For a file that is none,
// or that does not exist, Source gives nil.
type SourceFS interface {
	fs.FS
	Source(name string) *Source
}

// SourceIn gives the excerpt that a file is, nil where it is none.
func SourceIn(fsys fs.FS, name string) *Source {
	if f, ok := fsys.(SourceFS); ok {
		return f.Source(name)
	}
	return nil
}

// ReadSource reads a source from a file system. It is called name in messages, but for an
// excerpt, which has the name of its page.
func ReadSource(fsys fs.FS, file, name string) (*Source, error) {
	if s := SourceIn(fsys, file); s != nil {
		return s, nil
	}
	text, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, err
	}
	return NewSource(name, string(text)), nil
}

// Position tells where the byte offset off is. Offsets outside the text are
// taken as its nearest end.
func (s *Source) Position(off int) Position {
	text := s.Page()
	off = min(max(off, 0), len(text))
	n := s.lineOf(off)
	before := text[s.lines()[n]:off]
	return Position{Line: n + 1, Column: cells(before, 0) + 1, Rune: utf8.RuneCountInString(before) + 1}
}

// Lines is the number of lines; a newline at the very end starts no further one.
func (s *Source) Lines() int {
	starts := s.lines()
	n := len(starts)
	if n > 1 && int(starts[n-1]) == len(s.Page()) {
		n--
	}
	return n
}

// Line is the text of a line, counted from 1, without its newline.
func (s *Source) Line(n int) string {
	starts := s.lines()
	if n < 1 || n > len(starts) {
		return ""
	}
	text := s.Page()
	start, end := int(starts[n-1]), len(text)
	if n < len(starts) {
		end = int(starts[n]) - 1
	}
	if end > start && text[end-1] == '\r' {
		end--
	}
	return text[start:end]
}

// lineOf is the index of the line that holds off.
func (s *Source) lineOf(off int) int {
	starts := s.lines()
	return sort.Search(len(starts), func(i int) bool { return int(starts[i]) > off }) - 1
}

// lines gives where each line starts. A source that NewSource did not make counts each time:
// remembering would not be safe where several goroutines read it.
func (s *Source) lines() []int32 {
	if s.line == nil {
		return lineStarts(s.Page())
	}
	return s.line
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
