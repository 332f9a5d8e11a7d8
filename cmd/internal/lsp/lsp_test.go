package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/sourcegraph/jsonrpc2"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// client is an editor at the other end of a pipe.
type client struct {
	*jsonrpc2.Conn
	t    testing.TB
	dir  string
	mu   sync.Mutex
	told map[string][]publishParams // by URI
	done chan error
}

func start(t testing.TB) *client {
	here, there := net.Pipe()
	c := &client{t: t, dir: filepath.ToSlash(t.TempDir()), told: map[string][]publishParams{}, done: make(chan error, 1)}
	go func() {
		c.done <- Serve(context.Background(), there, interp.Config{Modules: stdlib.FS}, "test", io.Discard)
	}()
	c.Conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(here, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.HandlerWithError(c.hear))
	t.Cleanup(func() { c.Close() })
	c.call("initialize", map[string]any{"capabilities": map[string]any{}}, nil)
	c.notify("initialized", map[string]any{})
	return c
}

func (c *client) hear(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
	if r.Method == "textDocument/publishDiagnostics" {
		p, err := params[publishParams](r)
		c.mu.Lock()
		c.told[p.URI] = append(c.told[p.URI], p)
		c.mu.Unlock()
		return nil, err
	}
	return nil, nil
}

func (c *client) call(method string, p, result any) {
	c.t.Helper()
	if err := c.try(method, p, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *client) try(method string, p, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return c.Call(ctx, method, p, result)
}

func (c *client) notify(method string, p any) {
	c.t.Helper()
	if err := c.Notify(context.Background(), method, p); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) uri(file string) string { return uriOf(c.dir + "/" + file) }

func (c *client) open(file, text string) {
	c.notify("textDocument/didOpen", documentParams{textDocument{c.uri(file), 1, text}})
}

func (c *client) at(file string, line, char int) placeParams {
	return placeParams{TextDocument: textDocument{URI: c.uri(file)}, Position: position{line, char}}
}

// mistakes waits for what is told of a version of a file.
func (c *client) mistakes(file string, version int) []diagnostic {
	c.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		c.mu.Lock()
		for _, p := range c.told[c.uri(file)] {
			if p.Version == version {
				c.mu.Unlock()
				return p.Diagnostics
			}
		}
		c.mu.Unlock()
	}
	c.t.Fatalf("nothing is told of version %d of %s", version, file)
	return nil
}

const scene = "use cah\nhero Nova { star 3; AIM 4 }\n# 🐉\nlet s = \"🐉é\" let broken\nNova: roll AIM vs DN 10\n"

// TestMessages sends each message of the protocol that is answered.
func TestMessages(t *testing.T) {
	c := start(t)
	const text = "use cah\nhero Nova { star 3; AIM 4 }\nNova: roll AIM vs DN 10\n\ntest \"t\" { expect 1 == 1 }\n"
	c.open("a.scene", text)
	if d := c.mistakes("a.scene", 1); len(d) != 0 {
		t.Fatalf("%v", d)
	}
	doc := documentParams{textDocument{URI: c.uri("a.scene")}}

	var list completionList
	c.call("textDocument/completion", c.at("a.scene", 2, 8), &list)
	if !slices.ContainsFunc(list.Items, func(i completionItem) bool {
		return i.Label == "roll" && i.TextEdit.Range == span{position{2, 6}, position{2, 8}}
	}) {
		t.Errorf("%v", list)
	}
	var h hover
	c.call("textDocument/hover", c.at("a.scene", 2, 1), &h)
	if !strings.Contains(h.Contents.Value, "AIM rating `4`") || h.Range != (span{position{2, 0}, position{2, 4}}) {
		t.Errorf("%v", h)
	}
	var sig signatureHelp
	c.call("textDocument/signatureHelp", c.at("a.scene", 2, 11), &sig)
	if len(sig.Signatures) != 1 || !strings.Contains(sig.Signatures[0].Label, "roll") {
		t.Errorf("%v", sig)
	}
	var places []location
	c.call("textDocument/definition", c.at("a.scene", 2, 7), &places)
	if len(places) != 1 || !strings.HasPrefix(places[0].URI, "setpiece://rules/cah/") {
		t.Fatalf("%v", places)
	}
	var content struct{ Text string }
	c.call("workspace/textDocumentContent", textDocument{URI: places[0].URI}, &content)
	if l := linesOf(content.Text); content.Text[l.offset(places[0].Range.Start):l.offset(places[0].Range.End)] != "roll" {
		t.Error("the rules do not declare roll there")
	}
	c.call("textDocument/references", c.at("a.scene", 1, 6), &places)
	if len(places) != 2 {
		t.Errorf("%v", places)
	}
	var lights []highlight
	c.call("textDocument/documentHighlight", c.at("a.scene", 1, 6), &lights)
	if len(lights) != 2 {
		t.Errorf("%v", lights)
	}
	var r span
	c.call("textDocument/prepareRename", c.at("a.scene", 2, 2), &r)
	if r != (span{position{2, 0}, position{2, 4}}) {
		t.Errorf("%v", r)
	}
	var edit workspaceEdit
	rename := c.at("a.scene", 2, 2)
	rename.NewName = "Vega"
	c.call("textDocument/rename", rename, &edit)
	if len(edit.Changes[c.uri("a.scene")]) != 2 {
		t.Errorf("%v", edit)
	}
	rename.NewName = "let"
	if err := c.try("textDocument/rename", rename, nil); err == nil || !strings.Contains(err.Error(), "cannot be called") {
		t.Errorf("%v", err)
	}
	var symbols []documentSymbol
	c.call("textDocument/documentSymbol", doc, &symbols)
	if len(symbols) != 2 || symbols[0].Name != "Nova" {
		t.Errorf("%v", symbols)
	}
	var found []symbolInformation
	c.call("workspace/symbol", queryParams{"nov"}, &found)
	if len(found) != 1 {
		t.Errorf("%v", found)
	}
	var edits []textEdit
	c.call("textDocument/formatting", doc, &edits)
	var folds []foldingRange
	c.call("textDocument/foldingRange", doc, &folds)
	var shades semanticTokens
	c.call("textDocument/semanticTokens/full", doc, &shades)
	if len(shades.Data) == 0 || len(shades.Data)%5 != 0 {
		t.Errorf("%v", shades)
	}
	var actions []codeAction
	c.call("textDocument/codeAction", rangeParams{doc.TextDocument, span{position{2, 22}, position{2, 22}}}, &actions)
	if len(actions) != 4 {
		t.Fatalf("%v", actions)
	}
	var action codeAction
	c.call("codeAction/resolve", actions[3], &action)
	if action.Edit == nil || action.Edit.Changes[c.uri("a.scene")][0].NewText != "8" { // AIM 4 and a d12: 4 or more is 75 %
		t.Errorf("%v", action)
	}
	var lenses []codeLens
	c.call("textDocument/codeLens", doc, &lenses)
	if len(lenses) != 3 || lenses[1].Data == nil {
		t.Fatalf("%v", lenses)
	}
	var lens codeLens
	c.call("codeLens/resolve", lenses[1], &lens)
	if lens.Command == nil || lens.Command.Title != "success 7/12" {
		t.Errorf("%v", lens.Command)
	}
	var hints []inlayHint
	c.call("textDocument/inlayHint", rangeParams{TextDocument: doc.TextDocument}, &hints)
	if len(hints) != 1 || hints[0].Label != "success 7/12" {
		t.Errorf("%v", hints)
	}
	var ran string
	c.call("workspace/executeCommand", commandParams{"setpiece.test", []any{c.uri("a.scene"), 0}}, &ran)
	if ran != "ok    t\n" {
		t.Error(ran)
	}
	if err := c.try("workspace/executeCommand", commandParams{Command: "setpiece.burn"}, nil); err == nil {
		t.Error("a command that is none is carried out")
	}
	var known *jsonrpc2.Error
	if err := c.try("textDocument/colours", doc, nil); !errors.As(err, &known) || known.Code != jsonrpc2.CodeMethodNotFound {
		t.Errorf("%v", err)
	}
	c.notify("textDocument/didSave", doc)
	c.notify("$/cancelRequest", map[string]any{"id": 3})
	c.notify("textDocument/didClose", doc)
	c.mistakes("a.scene", 0)
	c.call("shutdown", nil, nil)
	c.notify("exit", nil)
	if err := <-c.done; err != nil {
		t.Error(err)
	}
}

// TestPositions: lines end with \n, \r\n or \r, and a letter beyond U+FFFF counts two.
func TestPositions(t *testing.T) {
	const text = "ab\r\n🐉é\n\rend"
	l := linesOf(text)
	for _, c := range []struct {
		off  int
		want position
	}{{0, position{0, 0}}, {2, position{0, 2}}, {4, position{1, 0}}, {8, position{1, 2}}, {10, position{1, 3}}, {11, position{2, 0}}, {12, position{3, 0}}, {15, position{3, 3}}} {
		if got := l.position(c.off); got != c.want {
			t.Errorf("byte %d is at %v, not %v", c.off, got, c.want)
		}
		if got := l.offset(c.want); got != c.off {
			t.Errorf("%v is byte %d, not %d", c.want, got, c.off)
		}
	}
	for _, c := range []struct {
		at   position
		want int
	}{{position{0, 99}, 2}, {position{99, 0}, 15}, {position{-1, 3}, 0}, {position{1, -4}, 4}} {
		if got := l.offset(c.at); got != c.want {
			t.Errorf("%v is byte %d, not %d", c.at, got, c.want)
		}
	}
	for _, name := range []string{"/tmp/a b/ü#1.scene", "C:/x/a.scene", "setpiece://rules/cah/cah.rules", "untitled:Untitled-1"} {
		if got := nameOf(uriOf(name)); got != name {
			t.Errorf("%s is %s, which is %s", name, uriOf(name), got)
		}
	}
}

// apply is how an editor changes its own text, in UTF-16.
func apply(text string, r span, put string) string {
	lines := strings.SplitAfter(text, "\n")
	at := func(p position) int {
		n := 0
		for _, l := range lines[:p.Line] {
			n += len(l)
		}
		return n + len(string(utf16.Decode(utf16.Encode([]rune(lines[p.Line]))[:p.Character])))
	}
	return text[:at(r.Start)] + put + text[at(r.End):]
}

// TestEdits types at random. In the end the mistakes that the server tells are those that a check
// of the editor's text finds, and requests in between are answered.
func TestEdits(t *testing.T) {
	c := start(t)
	r := rand.New(rand.NewPCG(4, 2))
	text := scene
	c.open("a.scene", text)
	pieces := []string{"{", "}", "\"", "🐉", "Nova", "\n", "\nlet x = 3\n", " vs DN 12", "é", "(", "hero Bram { star 2 }\n", "#", "\r\n"}
	version := 1
	for range 60 {
		lines := strings.SplitAfter(text, "\n")
		place := func() position {
			line := r.IntN(len(lines))
			units := utf16.Encode([]rune(strings.TrimRight(lines[line], "\r\n")))
			at := r.IntN(len(units) + 1)
			if at > 0 && at < len(units) && utf16.IsSurrogate(rune(units[at-1])) && units[at-1] < 0xDC00 {
				at++ // not between the halves of a letter
			}
			return position{line, at}
		}
		a, b := place(), place()
		if b.Line < a.Line || b.Line == a.Line && b.Character < a.Character {
			a, b = b, a
		}
		if r.IntN(2) == 0 || b.Line-a.Line > 1 {
			b = a
		}
		put := pieces[r.IntN(len(pieces))]
		text = apply(text, span{a, b}, put)
		version++
		c.notify("textDocument/didChange", map[string]any{
			"textDocument":   map[string]any{"uri": c.uri("a.scene"), "version": version},
			"contentChanges": []any{map[string]any{"range": span{a, b}, "text": put}},
		})
		if r.IntN(4) == 0 {
			method := []string{"textDocument/hover", "textDocument/completion", "textDocument/definition", "textDocument/references", "textDocument/signatureHelp"}[r.IntN(5)]
			var any json.RawMessage
			c.call(method, c.at("a.scene", a.Line, a.Character), &any)
		}
		if r.IntN(8) == 0 {
			c.sameAsCheck(text, version)
		}
	}
	c.sameAsCheck(text, version)
}

func (c *client) sameAsCheck(text string, version int) {
	c.t.Helper()
	var got, want []string
	for _, d := range c.mistakes("a.scene", version) {
		message, _, _ := strings.Cut(d.Message, "\n")
		got = append(got, fmt.Sprint(d.Range.Start, message))
	}
	src, l := lang.NewSource("a.scene", text), linesOf(text)
	for _, d := range interp.NewSession(interp.Config{Modules: stdlib.FS}).Check(src) {
		want = append(want, fmt.Sprint(l.position(int(d.Start)), d.Message))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		c.t.Errorf("of\n%s\n%s", text, diff)
	}
}

// TestCancel: the next key ends what is worked out, and odds of an older text are refused.
func TestCancel(t *testing.T) {
	c := start(t)
	const text = "use cah\nhero Nova { star 3; AIM 4 }\nNova: roll AIM vs DN 10\n"
	c.open("a.scene", text)
	doc := documentParams{textDocument{URI: c.uri("a.scene")}}
	var lenses []codeLens
	c.call("textDocument/codeLens", doc, &lenses)
	c.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": c.uri("a.scene"), "version": 2}, "contentChanges": []any{map[string]any{"text": text + "\n"}},
	})
	for _, l := range lenses {
		if l.Data == nil {
			continue
		}
		var known *jsonrpc2.Error
		if err := c.try("codeLens/resolve", l, nil); !errors.As(err, &known) || known.Code != contentModified {
			t.Errorf("odds of an older text: %v", err)
		}
	}
}

// FuzzServer sends anything as parameters of any message: the server answers, and goes on.
func FuzzServer(f *testing.F) {
	for _, m := range []string{"textDocument/hover", "textDocument/didChange", "initialize", "codeLens/resolve", "codeAction/resolve", "workspace/executeCommand", "$/cancelRequest", "textDocument/codeAction", "textDocument/rename"} {
		f.Add(m, `{"textDocument":{"uri":"file:///a.scene"},"position":{"line":-1,"character":9999999},"range":{"start":{"line":3},"end":{"line":1}}}`, scene)
		f.Add(m, `{"contentChanges":[{"range":{"start":{"line":2,"character":1},"end":{"line":1,"character":0}},"text":"x"}],"textDocument":{"uri":"file:///a.scene"}}`, "```setpiece\nuse cah\n")
	}
	f.Fuzz(func(t *testing.T, method, p, text string) {
		if len(text) > 2000 || method == "exit" || method == "shutdown" || !json.Valid([]byte(p)) {
			return
		}
		c := start(t)
		for _, name := range []string{"file:///a.scene", "file:///n.md"} {
			c.notify("textDocument/didOpen", documentParams{textDocument{name, 1, text}})
		}
		err := c.try(method, json.RawMessage(p), nil)
		var known *jsonrpc2.Error
		if err != nil && (!errors.As(err, &known) || known.Code == jsonrpc2.CodeInternalError) {
			t.Fatalf("%s %s: %v", method, p, err)
		}
		c.call("textDocument/foldingRange", documentParams{textDocument{URI: "file:///a.scene"}}, nil)
	})
}
