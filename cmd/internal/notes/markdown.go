//go:build !js

package notes

import (
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"go.yaml.in/yaml/v3"

	"setpiece/lang"
)

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

// allowed says whether a comment on the line above a place allows a warning there.
func (p *reader) allowed(at int, code string) bool {
	above := strings.TrimSuffix(p.note.Text[:at], "\n")
	line := strings.TrimSpace(above[strings.LastIndexByte(above, '\n')+1:])
	inner, begins := strings.CutPrefix(line, "<!--")
	inner, ends := strings.CutSuffix(inner, "-->")
	return begins && ends && lang.Allows(inner, code)
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
	if _, near := lang.Nearest(f.Kind, []string{language}); near && f.Kind != language && !p.allowed(f.Open.Start, "SP0803") {
		p.wrong(f.at, "SP0803", "did you mean "+language+"?", "this is no fence of %s: nothing in it is read", language)
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
// stands in: of each, from the outermost on, it has the sign or is indented as far.
func within(node ast.Node, prefix string) bool {
	var around []ast.Node
	for up := node.Parent(); up != nil; up = up.Parent() {
		around = append(around, up)
	}
	rest := spaced(prefix)
	for _, up := range slices.Backward(around) {
		switch up := up.(type) {
		case *ast.Blockquote: // up to three spaces, and one behind the sign belongs to it
			indent := len(rest) - len(strings.TrimLeft(rest, " "))
			behind, ok := strings.CutPrefix(rest[indent:], ">")
			if !ok || indent > 3 {
				return false
			}
			rest = strings.TrimPrefix(behind, " ")
		case *ast.ListItem:
			indent := len(rest) - len(strings.TrimLeft(rest, " "))
			if indent < up.Offset {
				return false
			}
			rest = rest[up.Offset:]
		}
	}
	return strings.TrimLeft(rest, " ") == ""
}

// spaced is the beginning of a line with spaces for its tabs.
func spaced(prefix string) string {
	var b strings.Builder
	for _, r := range prefix {
		if r == '\t' {
			b.WriteString(strings.Repeat(" ", 4-b.Len()%4))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// mark takes a comment of the page if it is a mark.
func (p *reader) mark(node *ast.HTMLBlock) {
	if node.HTMLBlockType != ast.HTMLBlockType2 || node.Lines().Len() == 0 {
		return
	}
	s := node.Lines().At(0)
	text := strings.TrimSpace(p.note.Text[s.Start:s.Stop])
	line := p.note.lineAt(s.Start)
	if text == markCloses {
		p.marks = append(p.marks, mark{line: line})
		return
	}
	if rest, ok := strings.CutPrefix(text, markOpens); ok {
		if words, ok := strings.CutSuffix(rest, "-->"); ok {
			p.marks = append(p.marks, mark{line, strings.Fields(words)})
		}
	}
}

// yaml reads the words of the key setpiece.
func (p *reader) yaml(f *Front, start int) {
	text := p.note.Text[start:f.end]
	var doc yaml.Node
	if yaml.Unmarshal([]byte(text), &doc) != nil {
		p.unread(start, f.end, "such as  setpiece: run seed=7 odds", "the front matter is not YAML")
		return
	}
	if len(doc.Content) == 0 {
		return
	}
	list := doc.Content[0].Content
	for i := 0; i+1 < len(list); i += 2 {
		key, value := list[i], list[i+1]
		if key.Value != language || key.Column != 1 {
			continue
		}
		line := p.note.Line(value.Line)
		from := int(p.note.lineStart(value.Line))
		if k := strings.Index(line, value.Value); value.Kind == yaml.ScalarNode && k >= 0 {
			f.Words = split(p.note.Text, from+k, from+k+len(value.Value))
			p.note.Front = *f
			p.check(f.Words, nil)
			return
		}
		p.wrong(lang.Extent{Start: from, End: from + len(line)}, "SP0804", "such as  setpiece: run seed=7 odds", "setpiece takes words on one line")
	}
}
