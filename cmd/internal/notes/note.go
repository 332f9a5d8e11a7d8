package notes

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"setpiece/lang"
)

// Is says whether a file is a note, by its name.
func Is(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md", ".markdown":
		return true
	}
	return false
}

// Note is a page of Markdown with what setpiece sees in it.
type Note struct {
	*lang.Source          // the whole page
	Front        Front    // what stands between --- lines at the top
	Fences       []*Fence // in order
	regions      []region // earlier results, in order
}

// Fence is a fenced block.
type Fence struct {
	Kind  string        // the first word of its first line: setpiece, console …
	Words []Word        // the others
	Open  lang.Extent   // its first line, with the line end
	Close lang.Extent   // its last line
	Lines []lang.Extent // those between, without what the lists and quotes around them need

	at      lang.Extent // the kind, in the first line
	heading string      // the anchor of the heading above
	prefix  string      // what its last line begins with
	signs   lang.Extent // the ``` of its first line
	eol     string
}

// Word is a word of the first line of a fence: seed=7, columns="winner, rounds", alone.
type Word struct {
	Key, Value string
	At         lang.Extent
}

// Has says whether a word stands in the first line.
func (f *Fence) Has(key string) bool { return f.find(key) != nil }

// Value is what stands behind a word and its =.
func (f *Fence) Value(key string) string {
	if w := f.find(key); w != nil {
		return w.Value
	}
	return ""
}

func (f *Fence) find(key string) *Word {
	if i := slices.IndexFunc(f.Words, func(w Word) bool { return w.Key == key }); i >= 0 {
		return &f.Words[i]
	}
	return nil
}

// Text is what stands in the fence.
func (n *Note) Inside(f *Fence) string {
	var b strings.Builder
	for _, l := range f.Lines {
		b.WriteString(n.Text[l.Start:l.End])
	}
	return b.String()
}

// maxDepth is how deep lists and quotes may stand in one another. What a Markdown parser
// does for a line grows with the square of it.
const maxDepth = 100

// Parse reads a note. What is wrong with it as a note is among the diagnostics; mistakes
// in the scripts are not.
func Parse(name, page string) (*Note, lang.Diagnostics) {
	n := &Note{Source: lang.NewSource(name, page)}
	p := &reader{note: n}
	p.depth()
	if len(p.diags) > 0 {
		return n, p.diags
	}
	body := []byte(page)
	n.Front = p.front()
	for i := range body[:n.Front.end] {
		if body[i] != '\n' {
			body[i] = ' ' // or --- would be a heading
		}
	}
	if slices.ContainsFunc([]string{language, "```", "~~~"}, func(s string) bool { return bytes.Contains(body, []byte(s)) }) { // else there is nothing to find
		p.walk(body)
	}
	if n.Fences != nil {
		p.words()
	}
	p.diags.Sort()
	return n, p.diags
}

type reader struct {
	note  *Note
	marks []mark
	diags lang.Diagnostics
}

func (p *reader) wrong(at lang.Extent, code, help, format string, args ...any) {
	p.diags = append(p.diags, p.note.wrong(at, code, help, format, args...))
}

func (n *Note) wrong(at lang.Extent, code, help, format string, args ...any) *lang.Diagnostic {
	return &lang.Diagnostic{Span: lang.Span{Src: n.Source, Start: int32(at.Start), End: int32(at.End)}, Code: code, Message: fmt.Sprintf(format, args...), Help: help}
}

// depth refuses lists and quotes that stand too deep in one another.
func (p *reader) depth() {
	start := 0
	for line := range strings.Lines(p.note.Text) {
		spaces, marks, i := 0, 0, 0
	lead:
		for ; i < len(line); i++ {
			switch c := line[i]; {
			case c == ' ':
				spaces++
			case c == '\t':
				spaces += 4
			case c == '>' || strings.IndexByte("-+*", c) >= 0 && i+1 < len(line) && (line[i+1] == ' ' || line[i+1] == '\t'):
				marks++
			default:
				break lead
			}
		}
		if marks > 0 && marks+spaces/2 > 2*maxDepth || marks > maxDepth {
			p.wrong(lang.Extent{Start: start + i - 1, End: start + i}, "SP0801", "", "lists and quotes stand more than %d deep in one another", maxDepth)
			return
		}
		start += len(line)
	}
}

// anchor is what a web page calls a heading in links.
func anchor(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(heading)) {
		switch {
		case r == ' ' || r == '-':
			b.WriteByte('-')
		case r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 0x7F:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// lineAt gives the line that holds a byte.
func (n *Note) lineAt(at int) lang.Extent {
	start := strings.LastIndexByte(n.Text[:at], '\n') + 1
	end := strings.IndexByte(n.Text[at:], '\n')
	if end < 0 {
		return lang.Extent{Start: start, End: len(n.Text)}
	}
	return lang.Extent{Start: start, End: at + end + 1}
}

// open tells of a fence without an end. Only those of setpiece are its business.
func (p *reader) open(f *Fence) {
	if f.Kind == language {
		p.wrong(f.at, "SP0802", "close it with a line like the first, without the words", "this fence is never closed")
	}
}

// language is the first word of fences that hold scripts.
const language = "setpiece"

// split reads the words of a stretch of text: separated by white space, a value perhaps
// in quotes.
func split(text string, i, end int) (words []Word) {
	for i < end {
		if strings.IndexByte(" \t\r\n", text[i]) >= 0 {
			i++
			continue
		}
		start, quoted := i, false
		for ; i < end && (quoted || strings.IndexByte(" \t\r\n", text[i]) < 0); i++ {
			quoted = quoted != (text[i] == '"')
		}
		key, value, _ := strings.Cut(text[start:i], "=")
		words = append(words, Word{key, strings.ReplaceAll(value, `"`, ""), lang.Extent{Start: start, End: i}})
	}
	return words
}
