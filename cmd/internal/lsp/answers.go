package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"setpiece/cmd/internal/editor"
)

func (s *server) completion(p placeParams) (any, error) {
	name, off := s.place(p)
	from, list := s.w.Complete(name, off)
	l := s.lines(name)
	at := span{l.position(from), l.position(off)}
	items := []completionItem{}
	for i, c := range list {
		kind := completionKinds[c.Kind]
		if kind == 0 {
			kind = 1
		}
		items = append(items, completionItem{Label: c.Text, Kind: kind, Detail: c.Doc, Sort: fmt.Sprintf("%04d", i), TextEdit: textEdit{at, c.Text}})
	}
	return completionList{Items: items}, nil
}

func (s *server) signature(p placeParams) (any, error) {
	name, off := s.place(p)
	sig, ok := s.w.Signature(name, off)
	if !ok {
		return nil, nil
	}
	out := signature{Label: sig.Form, Documentation: sig.Doc}
	for _, part := range sig.Parts {
		out.Parameters = append(out.Parameters, parameter{part})
	}
	return signatureHelp{[]signature{out}, sig.Part}, nil
}

func (s *server) hover(p placeParams) (any, error) {
	name, off := s.place(p)
	text, at := s.w.Hover(name, off)
	if text == "" {
		return nil, nil
	}
	return hover{markup{"markdown", text}, s.lines(name).span(at)}, nil
}

func (s *server) definition(p placeParams) (any, error) {
	return s.locations(s.w.Definition(s.place(p)))
}
func (s *server) references(p placeParams) (any, error) {
	return s.locations(s.w.References(s.place(p)))
}

func (s *server) locations(list []editor.Place) (any, error) {
	out := []location{}
	for _, p := range list {
		out = append(out, s.location(p))
	}
	return out, nil
}

func (s *server) highlights(p placeParams) (any, error) {
	name, off := s.place(p)
	out := []highlight{}
	for _, at := range s.w.References(name, off) {
		if at.File == name {
			out = append(out, highlight{s.lines(name).span(at)})
		}
	}
	return out, nil
}

func (s *server) prepareRename(p placeParams) (any, error) {
	name, off := s.place(p)
	at, err := s.w.CanRename(name, off)
	if err != nil {
		return nil, err
	}
	return s.lines(name).span(at), nil
}

func (s *server) rename(p placeParams) (any, error) {
	name, off := s.place(p)
	changes, err := s.w.Rename(name, off, p.NewName)
	if err != nil {
		return nil, err
	}
	return s.edit(changes), nil
}

func (s *server) symbols(p documentParams) (any, error) {
	name := nameOf(p.TextDocument.URI)
	return s.nested(s.lines(name), s.w.Symbols(name)), nil
}

func (s *server) nested(l *lines, list []editor.Symbol) []documentSymbol {
	out := []documentSymbol{}
	for _, x := range list {
		out = append(out, documentSymbol{x.Name, x.Kind, symbolKind(x.Kind), l.span(x.Place), l.span(x.At), s.nested(l, x.Inner)})
	}
	return out
}

func symbolKind(kind string) int {
	if k := symbolKinds[kind]; k != 0 {
		return k
	}
	return 19 // an object
}

func (s *server) find(p queryParams) (any, error) {
	var names []string
	for n := range s.open {
		names = append(names, n)
	}
	slices.Sort(names)
	out := []symbolInformation{}
	seen := map[editor.Place]bool{}
	for _, n := range names {
		for _, x := range s.w.Find(n, p.Query) {
			if !seen[x.At] {
				seen[x.At] = true
				out = append(out, symbolInformation{x.Name, symbolKind(x.Kind), s.location(x.At)})
			}
		}
	}
	return out, nil
}

func (s *server) format(p documentParams) (any, error) {
	name := nameOf(p.TextDocument.URI)
	out := []textEdit{}
	for _, c := range s.w.Format(name) {
		out = append(out, textEdit{s.lines(name).span(c.Place), c.New})
	}
	return out, nil
}

func (s *server) folds(p documentParams) (any, error) {
	name := nameOf(p.TextDocument.URI)
	l := s.lines(name)
	out := []foldingRange{}
	for _, f := range s.w.Folds(name) {
		r := l.span(f)
		if end := r.End.Line - 1; end > r.Start.Line {
			out = append(out, foldingRange{r.Start.Line, end})
		}
	}
	return out, nil
}

func (s *server) shades(p documentParams) (any, error) {
	name := nameOf(p.TextDocument.URI)
	l := s.lines(name)
	out := semanticTokens{[]int{}}
	var last position
	for _, t := range s.w.Shades(name) {
		r := l.span(t.Place)
		if r.Start.Line != r.End.Line {
			continue
		}
		line, char := r.Start.Line-last.Line, r.Start.Character
		if line == 0 {
			char -= last.Character
		}
		out.Data = append(out.Data, line, char, r.End.Character-r.Start.Character, slices.Index(editor.ShadeKinds, t.Kind), 0)
		last = r.Start
	}
	return out, nil
}

func (s *server) content(p textDocument) (any, error) {
	name := nameOf(p.URI)
	d := s.w.Open(name)
	if d == nil || len(name) < len(editor.Shipped) || name[:len(editor.Shipped)] != editor.Shipped {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "there is no document " + p.URI}
	}
	return map[string]any{"text": d.Text}, nil
}

// numbers lists what may be moved in a script: an addition of ours to the protocol.
func (s *server) numbers(p documentParams) (any, error) {
	name := nameOf(p.TextDocument.URI)
	out := []number{}
	for _, n := range s.w.Numbers(name) {
		x := number{Name: n.Name, Value: n.Value, Values: n.Values}
		for _, at := range n.At {
			x.Ranges = append(x.Ranges, s.lines(name).span(at))
		}
		out = append(out, x)
	}
	return out, nil
}

func (s *server) actions(p rangeParams) (any, error) {
	name := nameOf(p.TextDocument.URI)
	l := s.lines(name)
	start := l.offset(p.Range.Start)
	out := []codeAction{}
	for _, a := range s.w.Actions(name, start, l.offset(p.Range.End)) {
		c := codeAction{Title: a.Title, Kind: "quickfix"}
		if a.Problem != nil {
			c.Diagnostics = []diagnostic{s.diagnostic(name, a.Problem)}
		}
		if a.Changes != nil {
			c.Edit = s.edit(a.Changes)
		} else {
			c.Kind, c.Data = "refactor.rewrite", &actionData{p.TextDocument.URI, start}
		}
		out = append(out, c)
	}
	return out, nil
}

func (s *server) resolveAction(ctx context.Context, p codeAction) (any, error) {
	if p.Data == nil {
		return p, nil
	}
	s.mu.Lock()
	now := s.changes
	list := s.w.Actions(nameOf(p.Data.URI), p.Data.Offset, p.Data.Offset)
	s.mu.Unlock()
	for _, a := range list {
		if a.Title != p.Title || a.Work == nil {
			continue
		}
		changes := a.Work(ctx)
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.changes != now {
			return nil, &jsonrpc2.Error{Code: contentModified, Message: "the text has changed"}
		}
		p.Edit = s.edit(changes)
	}
	return p, nil
}

func (s *server) lenses(p documentParams) (any, error) {
	name := nameOf(p.TextDocument.URI)
	l := s.lines(name)
	out := []codeLens{}
	for _, x := range s.w.Lenses(name) {
		c := codeLens{Range: l.span(x.Place)}
		if x.Command == "odds" {
			c.Data = &oddsData{p.TextDocument.URI, x.Start, s.changes}
		} else {
			c.Command = &command{x.Title, "setpiece." + x.Command, []any{p.TextDocument.URI, x.Start}}
		}
		out = append(out, c)
	}
	return out, nil
}

func (s *server) resolveLens(ctx context.Context, p codeLens) (any, error) {
	if p.Data == nil {
		return p, nil
	}
	s.mu.Lock()
	title, known := s.odds[*p.Data]
	stale := p.Data.Change != s.changes
	work := s.w.Odds(nameOf(p.Data.URI), p.Data.Offset)
	s.mu.Unlock()
	if stale {
		return nil, &jsonrpc2.Error{Code: contentModified, Message: "the text has changed"}
	}
	if !known {
		title = work(ctx)
		if ctx.Err() != nil {
			return nil, &jsonrpc2.Error{Code: contentModified, Message: "the text has changed"}
		}
		s.mu.Lock()
		if s.changes == p.Data.Change {
			s.odds[*p.Data] = title
		}
		s.mu.Unlock()
	}
	if title == "" {
		title = "no odds"
	}
	p.Command = &command{Title: title, Command: ""}
	return p, nil
}

// hints shows the odds that are known already beside their lines, for editors that show no lenses.
func (s *server) hints(p rangeParams) (any, error) {
	name := nameOf(p.TextDocument.URI)
	l := s.lines(name)
	out := []inlayHint{}
	for _, x := range s.w.Lenses(name) {
		title := s.odds[oddsData{p.TextDocument.URI, x.Start, s.changes}]
		if x.Command == "odds" && title != "" {
			out = append(out, inlayHint{l.position(x.End), title, true})
		}
	}
	return out, nil
}

// commands are what an editor may have done.
var commands = []string{"setpiece.run", "setpiece.test", "setpiece.report", "setpiece.page"}

func (s *server) execute(ctx context.Context, p commandParams) (any, error) {
	var uri string
	var at float64
	if len(p.Arguments) > 0 {
		uri, _ = p.Arguments[0].(string)
	}
	if len(p.Arguments) > 1 {
		at, _ = p.Arguments[1].(float64)
	}
	if uri == "" || !slices.Contains(commands, p.Command) {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "there is no command " + p.Command}
	}
	s.mu.Lock()
	work := s.w.Run(nameOf(uri), int(at), strings.TrimPrefix(p.Command, "setpiece."))
	s.mu.Unlock()
	text := work(ctx)
	if !s.results {
		_ = s.conn.Notify(context.Background(), "window/showMessage", showMessageParams{3, text})
	}
	return text, nil
}
