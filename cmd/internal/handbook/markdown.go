package handbook

import (
	"bytes"
	"html"
	"html/template"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown makes HTML of a guide. Its scripts are written like those of all pages, and
// links to other guides lead to their pages.
func (p page) markdown(source string) (template.HTML, error) {
	md := goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(guideRenderer{p, []byte(source)}, 100))),
	)
	data := []byte(source)
	doc := md.Parser().Parse(text.NewReader(data))
	var out bytes.Buffer
	if err := md.Renderer().Render(&out, data, doc); err != nil {
		return "", err
	}
	// A column without a name has no heading to be read out; a wide table is moved by its keys, too.
	return template.HTML(strings.NewReplacer("<th></th>", "<td></td>", "<table>", `<table tabindex="0">`).Replace(out.String())), nil
}

type guideRenderer struct {
	p      page
	source []byte
}

func (g guideRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, g.block)
	r.Register(ast.KindCodeSpan, g.span)
	r.Register(ast.KindLink, g.link)
	r.Register(ast.KindHTMLBlock, nothing) // marks for programs
	r.Register(ast.KindRawHTML, nothing)
}

func nothing(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
	return ast.WalkSkipChildren, nil
}

func (g guideRenderer) block(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	var lines strings.Builder
	for i := range n.Lines().Len() {
		at := n.Lines().At(i)
		lines.Write(at.Value(source))
	}
	code := lines.String()
	w.WriteString(`<pre tabindex="0"><code>`)
	if lang := string(n.(*ast.FencedCodeBlock).Language(source)); lang == "setpiece" {
		w.WriteString(string(g.p.code(code)))
	} else {
		w.WriteString(html.EscapeString(code))
	}
	w.WriteString("</code></pre>\n")
	return ast.WalkSkipChildren, nil
}

// span writes `code`, with a link where it is a name or the id of a rule.
func (g guideRenderer) span(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	var words strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			words.Write(t.Segment.Value(source))
		}
	}
	code := words.String()
	w.WriteString("<code>")
	to := g.p.rule(code)
	if to == "" {
		to = g.p.name(code)
	}
	if _, inLink := n.Parent().(*ast.Link); to != "" && !inLink {
		w.WriteString(link(to, code))
	} else {
		w.WriteString(html.EscapeString(code))
	}
	w.WriteString("</code>")
	return ast.WalkSkipChildren, nil
}

// link leads to the page of another guide; what is no page of the handbook keeps its
// words only.
func (g guideRenderer) link(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	to := string(n.(*ast.Link).Destination)
	if !strings.Contains(to, "://") && !strings.HasPrefix(to, "#") {
		file, anchor, _ := strings.Cut(to, "#")
		if to = ""; strings.HasPrefix(file, codeFolder) {
			to = g.p.up + file
		}
		for _, other := range g.p.b.src.Guides {
			if path.Base(file) == other.File {
				if to = g.p.up + other.Name + ".html"; anchor != "" {
					to += "#" + anchor
				}
			}
		}
	}
	switch {
	case to == "":
	case entering:
		w.WriteString(`<a href="`)
		w.Write(util.EscapeHTML(util.URLEscape([]byte(to), true)))
		w.WriteString(`">`)
	default:
		w.WriteString("</a>")
	}
	return ast.WalkContinue, nil
}
