//go:build !js

package sheetfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"setpiece/interp/internal/decl"
	"setpiece/lang"
	"setpiece/lang/late"
)

// YAML writes a node.
func (n *Node) YAML() ([]byte, error) {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	err := enc.Encode(n.yaml(0))
	return b.Bytes(), err
}

// inner is how deep what stands in one line is nested: what a part has, and lists in a sheet.
const inner = 3

func (n *Node) yaml(depth int) *yaml.Node {
	y := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: n.Text}
	switch n.Kind {
	case Null:
		y.Tag, y.Value = "!!null", "null"
	case List:
		y.Kind, y.Tag = yaml.SequenceNode, "!!seq"
	case Map:
		y.Kind, y.Tag = yaml.MappingNode, "!!map"
	case Scalar:
		if n.Bare {
			y.Tag = ""
		}
	}
	if n.Kind >= List && depth >= inner {
		y.Style = yaml.FlowStyle
	}
	for i, kid := range n.Kids {
		if n.Kind == Map {
			y.Content = append(y.Content, n.Keys[i].yaml(depth+1))
		}
		y.Content = append(y.Content, kid.yaml(depth+1))
	}
	return y
}

// pageReader reads the documents of a file of YAML.
type pageReader struct {
	src   *lang.Source // with what stands in quotes as it is meant
	text  string
	lines []int
	put   []byte // the text with what stands in quotes as it is meant, nil while it is the same
	diags lang.Diagnostics

	line, column, at int // the place that was looked for last
}

func readYAML(src *lang.Source) ([]*Node, lang.Diagnostics) {
	p := &pageReader{src: &lang.Source{}, text: src.Text}
	for at := range strings.Lines(src.Text) {
		p.lines = append(p.lines, len(at))
	}
	*p.src = *src
	var all []*Node
	dec := yaml.NewDecoder(strings.NewReader(strings.TrimPrefix(src.Text, "\uFEFF")))
	for len(p.diags) == 0 {
		var doc yaml.Node
		err := dec.Decode(&doc)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			p.unreadable(err)
			break
		}
		if n := p.node(doc.Content[0], 0); n != nil && n.Kind != Null {
			all = append(all, n)
		}
	}
	if p.put != nil {
		*p.src = *lang.RestoreExcerpt(src.Name, string(p.put), src.Text)
	}
	return all, p.diags
}

var errorLine = late.Regexp(`^yaml: (?:line (\d+): )?`)

// unreadable reports an error of package yaml; what is wrong with JSON, as package json says it.
func (p *pageReader) unreadable(err error) {
	var syntax *json.SyntaxError
	if path.Ext(p.src.Name) == ".json" && errors.As(json.Unmarshal([]byte(p.text), new(any)), &syntax) {
		at := max(int(syntax.Offset)-1, 0)
		p.err(p.span(at, min(at+1, len(p.text))), "SP0549", "this is not JSON: "+syntax.Error(), "")
		return
	}
	said := errorLine().FindStringSubmatch(err.Error())
	n, _ := strconv.Atoi(said[1])
	if strings.HasPrefix(err.Error()[len(said[0]):], "did not find expected") {
		n = min(n+1, len(p.lines)) // the parser of the package counts lines from 0, its scanner from 1
	}
	start := p.offset(max(n, 1), 1)
	line, _, _ := strings.Cut(p.text[start:], "\n")
	p.err(p.span(start, start+len(strings.TrimRight(line, "\r"))), "SP0550", "this is not YAML: "+err.Error()[len(said[0]):], "")
}

func (p *pageReader) err(at lang.Span, code, message, help string) {
	d := decl.ErrAt(at, code, "%s", message)
	d.Help = help
	p.diags = append(p.diags, d)
}

func (p *pageReader) span(start, end int) lang.Span {
	return lang.Span{Src: p.src, Start: int32(start), End: int32(end)}
}

// offset gives the byte at a line and a column, which counts letters.
func (p *pageReader) offset(line, column int) int {
	if line != p.line || column < p.column {
		p.line, p.column, p.at = line, 1, 0
		for _, n := range p.lines[:min(line-1, len(p.lines))] {
			p.at += n
		}
		if line == 1 && strings.HasPrefix(p.text, "\uFEFF") {
			p.at = len("\uFEFF")
		}
	}
	for ; p.column < column && p.at < len(p.text); p.column++ {
		_, size := utf8.DecodeRuneInString(p.text[p.at:])
		p.at += size
	}
	return p.at
}

// node converts a node of YAML; nil where something is wrong with it.
func (p *pageReader) node(y *yaml.Node, depth int) *Node {
	at := p.offset(y.Line, y.Column)
	n := &Node{Span: p.span(at, at+1)}
	switch {
	case y.Kind == yaml.AliasNode || y.Anchor != "":
		p.err(n.Span, "SP0551", "& and * are not read in a file of sheets", "write the value itself")
		return nil
	case depth > maxDepth:
		p.err(n.Span, "SP0552", "this is nested too deeply", "")
		return nil
	}
	switch y.Kind {
	case yaml.ScalarNode:
		p.scalar(n, y, at)
	case yaml.SequenceNode:
		n.Kind = List
		for _, kid := range y.Content {
			if k := p.node(kid, depth+1); k != nil {
				n.Kids, n.End = append(n.Kids, k), k.End
			}
		}
	case yaml.MappingNode:
		n.Kind = Map
		p.pairs(n, y, depth)
	}
	return n
}

func (p *pageReader) pairs(n *Node, y *yaml.Node, depth int) {
	given := map[string]bool{}
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := p.node(y.Content[i], depth+1), p.node(y.Content[i+1], depth+1)
		switch {
		case key == nil || value == nil:
			continue
		case key.Kind != Scalar:
			p.err(key.Span, "SP0553", "expected the name of an entry here", "")
			continue
		case given[key.Text]:
			p.err(key.Span, "SP0554", key.Text+" is given twice", "")
			continue
		}
		given[key.Text] = true
		n.Keys, n.Kids, n.End = append(n.Keys, key), append(n.Kids, value), max(key.End, value.End)
	}
}

func (p *pageReader) scalar(n *Node, y *yaml.Node, at int) {
	n.Kind, n.Text = Scalar, y.Value
	tag := y.ShortTag()
	quoted := y.Style & (yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle)
	switch block := y.Style & (yaml.LiteralStyle | yaml.FoldedStyle); {
	case quoted != 0:
		end := quoteEnd(p.text, at)
		n.Span = p.span(at, end)
		p.means(n, at+1, end-1)
		return
	case block == 0 && strings.HasPrefix(p.text[at:], y.Value):
		n.Span = p.span(at, at+len(y.Value))
		n.script = n.Span
	default: // several lines
		line, _, _ := strings.Cut(p.text[at:], "\n")
		n.Span = p.span(at, at+len(strings.TrimRight(line, "\r")))
	}
	switch n.Bare = true; tag {
	case "!!null":
		n.Kind = Null
	case "!!bool":
		n.Bool = true
	}
}

// means puts what stands in quotes at its place, so that it can be read as script.
func (p *pageReader) means(n *Node, start, end int) {
	if p.text[start:end] != n.Text {
		if len(n.Text) > end-start || strings.Contains(n.Text, "\n") {
			return
		}
		if p.put == nil {
			p.put = []byte(p.text)
		}
		copy(p.put[start:end], n.Text+strings.Repeat(" ", end-start-len(n.Text)))
	}
	n.script = p.span(start, start+len(n.Text))
}

// quoteEnd is where what begins with a quote at a place ends.
func quoteEnd(text string, at int) int {
	quote := text[at]
	for i := at + 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote && quote == '\'' && strings.HasPrefix(text[i+1:], "'"):
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return len(text)
}
