//go:build !js

package sheetfile

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	gtext "github.com/yuin/goldmark/text"

	"setpiece/interp/internal/decl"
	"setpiece/lang"
)

// readTables reads the tables of a page of Markdown whose first column is headed by the name of a
// sheet. Each row is a sheet; the other columns are its entries.
//
//	| hero | IRON | EDGE | health |
//	| ---- | ---- | ---- | ------ |
//	| Kara | 3    | 2    | 5      |
func readTables(w *decl.World, src *lang.Source) (all []*Node, diags lang.Diagnostics) {
	page := []byte(src.Page())
	doc := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(gtext.NewReader(page))
	var other []*Node // that head tables of something else
	_ = ast.Walk(doc, func(n ast.Node, enter bool) (ast.WalkStatus, error) {
		table, ok := n.(*extast.Table)
		if !ok || !enter {
			return ast.WalkContinue, nil
		}
		t := tableReader{src: lang.NewSource(src.Name, src.Page()), page: page}
		head := t.row(table.FirstChild())
		if len(head) == 0 || w.Sheets[head[0].Text] == nil {
			other = append(other, head[:min(1, len(head))]...)
			return ast.WalkSkipChildren, nil
		}
		for row := table.FirstChild().NextSibling(); row != nil; row = row.NextSibling() {
			if cells := t.row(row); cells[0].Text != "" {
				all = append(all, t.sheet(head, cells))
			}
		}
		return ast.WalkSkipChildren, nil
	})
	for _, n := range other {
		d := decl.WarnAt(n.Span, "SP0129", "this table is not read: there is no sheet %s", n.Text)
		if decl.Suggest(d, n.Text, decl.SheetNames(w)); d.Help != "" {
			diags = append(diags, d)
		}
	}
	if len(all) == 0 {
		d := decl.ErrAt(lang.Span{Src: src}, "SP0548", "%s has no table of sheets", src.Name)
		d.Help = "the first column of such a table is headed by the name of a sheet:  | SHEET | … |"
		diags = append(diags, d)
	}
	return all, diags
}

type tableReader struct {
	src  *lang.Source
	page []byte
}

// row gives the cells of a row, without the marks of bold type and code around them.
func (t *tableReader) row(row ast.Node) (cells []*Node) {
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		n := &Node{Span: lang.Span{Src: t.src}, Kind: Scalar, Bare: true, Cell: true}
		if lines := c.Lines(); lines.Len() > 0 {
			at := lines.At(0)
			start, end := at.Start, at.Stop
			for _, mark := range []string{"**", "*", "`"} {
				cell := string(t.page[start:end])
				if len(cell) > 2*len(mark) && strings.HasPrefix(cell, mark) && strings.HasSuffix(cell, mark) {
					start, end = start+len(mark), end-len(mark)
				}
			}
			n.Start, n.End = int32(start), int32(end)
		}
		n.Text, n.script = strings.ReplaceAll(string(t.page[n.Start:n.End]), `\|`, "|"), n.Span
		cells = append(cells, n)
	}
	return cells
}

// sheet makes a node of a row as a file of YAML has it. A cell that is empty, or has a dash, says nothing.
func (t *tableReader) sheet(head, cells []*Node) *Node {
	kind, name := *head[0], *head[0]
	kind.Text, name.Text = "sheet", "name"
	n := &Node{Span: cells[0].Span, Kind: Map, Keys: []*Node{&kind, &name}, Kids: []*Node{head[0], cells[0]}}
	for i, c := range cells[1:] {
		switch c.Text {
		case "", "-", "–", "—":
			continue
		}
		n.Keys, n.Kids, n.End = append(n.Keys, head[i+1]), append(n.Kids, c), c.End
	}
	return n
}
