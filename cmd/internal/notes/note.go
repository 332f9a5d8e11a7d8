package notes

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

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
	if bytes.Contains(body, []byte(language)) || bytes.Contains(body, []byte("```s")) { // else there is nothing to find
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

func (p *reader) wrong(at lang.Extent, help, format string, args ...any) {
	p.diags = append(p.diags, p.note.wrong(at, help, format, args...))
}

func (n *Note) wrong(at lang.Extent, help, format string, args ...any) *lang.Diagnostic {
	return &lang.Diagnostic{Span: lang.Span{Src: n.Source, Start: int32(at.Start), End: int32(at.End)}, Message: fmt.Sprintf(format, args...), Help: help}
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
			p.wrong(lang.Extent{Start: start + i - 1, End: start + i}, "", "lists and quotes stand more than %d deep in one another", maxDepth)
			return
		}
		start += len(line)
	}
}

var blocks = parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))

// walk finds fences, headings and marks.
func (p *reader) walk(body []byte) {
	heading := ""
	ast.Walk(blocks.Parse(text.NewReader(body)), func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch node := node.(type) {
		case *ast.Heading:
			heading = anchor(string(node.Lines().Value(body)))
		case *ast.FencedCodeBlock:
			if node.Info != nil {
				p.fence(node, heading)
			}
		case *ast.HTMLBlock:
			p.mark(node)
		}
		return ast.WalkContinue, nil
	})
	slices.SortStableFunc(p.note.Fences, func(a, b *Fence) int { return cmp.Compare(a.Open.Start, b.Open.Start) })
	p.pair()
	p.note.Fences = slices.DeleteFunc(p.note.Fences, func(f *Fence) bool { // what weave wrote asks for nothing
		return slices.ContainsFunc(p.note.regions, func(r region) bool { return r.Start < f.Open.Start && f.Open.Start < r.End })
	})
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

func (p *reader) fence(node *ast.FencedCodeBlock, heading string) {
	n := p.note
	info := node.Info.Segment
	f := &Fence{heading: heading, Open: n.lineAt(info.Start), eol: "\n"}
	words := split(n.Text, info.Start, info.Stop)
	if len(words) == 0 {
		return
	}
	f.Kind, f.at, f.Words = words[0].Key, words[0].At, words[1:]
	if _, near := lang.Nearest(f.Kind, []string{language}); near && f.Kind != language {
		p.wrong(f.at, "did you mean "+language+"?", "this is no fence of %s: nothing in it is read", language)
		p.diags[len(p.diags)-1].Severity = lang.Warning
	}
	if strings.HasSuffix(n.Text[f.Open.Start:f.Open.End], "\r\n") {
		f.eol = "\r\n"
	}
	end := f.Open.End
	for i := range node.Lines().Len() {
		s := node.Lines().At(i)
		f.Lines = append(f.Lines, lang.Extent{Start: s.Start, End: s.Stop})
		end = s.Stop
	}
	if end == len(n.Text) {
		p.open(f)
		return
	}
	f.Close = n.lineAt(end)
	last := strings.TrimRight(n.Text[f.Close.Start:f.Close.End], " \t\r\n")
	first := strings.TrimRight(n.Text[f.Open.Start:info.Start], " \t")
	sign := first[len(strings.TrimRight(first, first[len(first)-1:])):]
	f.signs = lang.Extent{Start: f.Open.Start + len(first) - len(sign), End: f.Open.Start + len(first)}
	f.prefix = strings.TrimRight(last, sign[:1])
	if len(last)-len(f.prefix) < len(sign) || strings.Trim(f.prefix, " \t>") != "" || !within(node, f.prefix) {
		p.open(f)
		return
	}
	n.Fences = append(n.Fences, f)
}

// within says whether a line that begins so is still in the lists and quotes that a block
// stands in.
func within(node ast.Node, prefix string) bool {
	quotes, columns, width, signs := 0, 0, 0, 0
	for up := node.Parent(); up != nil; up = up.Parent() {
		switch up := up.(type) {
		case *ast.Blockquote:
			quotes++
		case *ast.ListItem:
			columns += up.Offset
		}
	}
	for i, r := range prefix {
		switch r {
		case '>': // it belongs to a quote, and so does one space behind it
			if signs++; i+1 < len(prefix) && prefix[i+1] != '>' {
				signs++
			}
			width++
		case '\t':
			width += 4 - width%4
		default:
			width++
		}
	}
	return strings.Count(prefix, ">") >= quotes && width-signs >= columns
}

// open tells of a fence without an end. Only those of setpiece are its business.
func (p *reader) open(f *Fence) {
	if f.Kind == language {
		p.wrong(f.at, "close it with a line like the first, without the words", "this fence is never closed")
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
