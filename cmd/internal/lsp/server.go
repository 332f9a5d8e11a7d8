package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"setpiece/cmd/internal/editor"
	"setpiece/interp"
)

// Serve answers an editor until it says exit or closes the stream. Notes for whoever looks after
// the server go to logs. base says where use finds systems.
func Serve(ctx context.Context, stream io.ReadWriteCloser, base interp.Config, version string, logs io.Writer) error {
	return ServeObjects(ctx, jsonrpc2.NewBufferedStream(stream, jsonrpc2.VSCodeObjectCodec{}), base, version, logs)
}

// ServeObjects is Serve for a stream that parts messages in a way of its own.
func ServeObjects(ctx context.Context, stream jsonrpc2.ObjectStream, base interp.Config, version string, logs io.Writer) error {
	s := &server{w: editor.New(base), version: version, log: log.New(logs, "setpiece lsp: ", 0), open: map[string]*open{}, running: map[string]context.CancelFunc{}}
	ctx, s.exit = context.WithCancel(ctx)
	defer s.exit()
	s.mu.Lock() // the first message may come before there is a connection to answer by
	s.conn = jsonrpc2.NewConn(ctx, stream, s, jsonrpc2.SetLogger(s.log))
	s.mu.Unlock()
	select {
	case <-s.conn.DisconnectNotify():
	case <-ctx.Done():
		s.conn.Close()
	}
	if s.shut {
		return nil
	}
	return errors.New("the editor went without saying shutdown")
}

// calm is how long nobody types before mistakes are told.
const calm = 40 * time.Millisecond

type server struct {
	conn    *jsonrpc2.Conn
	version string
	log     *log.Logger
	exit    context.CancelFunc
	shut    bool // shutdown was said
	strict  bool
	results bool // the editor shows what a command gives

	mu      sync.Mutex // of all below
	w       *editor.Workspace
	open    map[string]*open
	changes int                           // of texts
	working []context.CancelFunc          // what the next change ends
	running map[string]context.CancelFunc // requests, by their ids
	dirty   map[string]bool               // whose mistakes are to be told
	waiting *time.Timer
	odds    map[oddsData]string // what was worked out since the last change
}

// open is a document that is open in the editor.
type open struct {
	uri     string
	version int
	strict  bool // it was saved, and not changed since
}

// Handle implements jsonrpc2.Handler. Messages are handled in order; those that take long go on in
// a goroutine.
func (s *server) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	if slow := s.slow(r); slow != nil {
		ctx, cancel := context.WithCancel(ctx)
		s.mu.Lock()
		s.working = append(s.working, cancel)
		s.running[r.ID.String()] = cancel
		s.mu.Unlock()
		go func() {
			defer func() {
				cancel()
				s.mu.Lock()
				delete(s.running, r.ID.String())
				s.mu.Unlock()
			}()
			s.answer(conn, r, func() (any, error) { return slow(ctx) })
		}()
		return
	}
	s.answer(conn, r, func() (any, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.quick(r)
	})
}

// answer replies with what a function gives, which may panic.
func (s *server) answer(conn *jsonrpc2.Conn, r *jsonrpc2.Request, f func() (any, error)) {
	result, err := func() (result any, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.log.Printf("%s: %v\n%s", r.Method, p, debug.Stack())
				err = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: fmt.Sprintf("setpiece has a fault: %v", p)}
			}
		}()
		return f()
	}()
	if r.Notif {
		return
	}
	ctx := context.Background()
	if err != nil {
		var known *jsonrpc2.Error
		if !errors.As(err, &known) {
			known = &jsonrpc2.Error{Code: requestFailed, Message: err.Error()}
		}
		_ = conn.ReplyWithError(ctx, r.ID, known)
		return
	}
	_ = conn.Reply(ctx, r.ID, result)
}

// Errors of the protocol.
const (
	requestFailed   = -32803
	contentModified = -32801
)

// params reads the parameters of a request.
func params[P any](r *jsonrpc2.Request) (p P, err error) {
	if r.Params == nil {
		return p, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "there are no params"}
	}
	if err := json.Unmarshal(*r.Params, &p); err != nil {
		return p, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
	}
	return p, nil
}

// on answers with a function of the parameters.
func on[P any](r *jsonrpc2.Request, f func(P) (any, error)) (any, error) {
	p, err := params[P](r)
	if err != nil {
		return nil, err
	}
	return f(p)
}

// quick answers what is known at once, or worked out in the time between two keys.
func (s *server) quick(r *jsonrpc2.Request) (any, error) {
	switch r.Method {
	case "initialize":
		return on(r, s.initialize)
	case "initialized", "$/setTrace", "workspace/didChangeConfiguration", "textDocument/willSave":
		return nil, nil
	case "shutdown":
		s.shut = true
		return nil, nil
	case "exit":
		s.exit()
		return nil, nil
	case "$/cancelRequest":
		return on(r, s.cancel)
	case "textDocument/didOpen":
		return on(r, s.didOpen)
	case "textDocument/didChange":
		return on(r, s.didChange)
	case "textDocument/didSave":
		return on(r, s.didSave)
	case "textDocument/didClose":
		return on(r, s.didClose)
	case "workspace/didChangeWatchedFiles":
		s.tell(s.w.Changed()...)
		return nil, nil
	case "textDocument/completion":
		return on(r, s.completion)
	case "textDocument/signatureHelp":
		return on(r, s.signature)
	case "textDocument/hover":
		return on(r, s.hover)
	case "textDocument/definition":
		return on(r, s.definition)
	case "textDocument/references":
		return on(r, s.references)
	case "textDocument/documentHighlight":
		return on(r, s.highlights)
	case "textDocument/prepareRename":
		return on(r, s.prepareRename)
	case "textDocument/rename":
		return on(r, s.rename)
	case "textDocument/documentSymbol":
		return on(r, s.symbols)
	case "workspace/symbol":
		return on(r, s.find)
	case "textDocument/formatting":
		return on(r, s.format)
	case "textDocument/foldingRange":
		return on(r, s.folds)
	case "textDocument/codeAction":
		return on(r, s.actions)
	case "textDocument/codeLens":
		return on(r, s.lenses)
	case "textDocument/inlayHint":
		return on(r, s.hints)
	case "textDocument/semanticTokens/full":
		return on(r, s.shades)
	case "workspace/textDocumentContent":
		return on(r, s.content)
	case "setpiece/numbers":
		return on(r, s.numbers)
	}
	if r.Notif && strings.HasPrefix(r.Method, "$/") {
		return nil, nil
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "there is no method " + r.Method}
}

// slow gives what answers a request that may take long, nil for others.
func (s *server) slow(r *jsonrpc2.Request) func(context.Context) (any, error) {
	switch r.Method {
	case "codeLens/resolve":
		return func(ctx context.Context) (any, error) {
			return on(r, func(p codeLens) (any, error) { return s.resolveLens(ctx, p) })
		}
	case "codeAction/resolve":
		return func(ctx context.Context) (any, error) {
			return on(r, func(p codeAction) (any, error) { return s.resolveAction(ctx, p) })
		}
	case "workspace/executeCommand":
		return func(ctx context.Context) (any, error) {
			return on(r, func(p commandParams) (any, error) { return s.execute(ctx, p) })
		}
	}
	return nil
}

func (s *server) initialize(p initializeParams) (any, error) {
	s.strict, s.results = p.InitializationOptions.Strict, p.InitializationOptions.Results
	return map[string]any{
		"capabilities": capabilities(editor.ShadeKinds),
		"serverInfo":   map[string]any{"name": "setpiece", "version": s.version},
	}, nil
}

func (s *server) cancel(p cancelParams) (any, error) {
	id := fmt.Sprint(p.ID)
	if text, ok := p.ID.(string); ok {
		id = (jsonrpc2.ID{Str: text, IsString: true}).String()
	}
	if stop := s.running[id]; stop != nil {
		stop()
	}
	return nil, nil
}

// changed ends what is worked out of the texts as they were.
func (s *server) changed() {
	for _, stop := range s.working {
		stop()
	}
	s.working, s.odds = nil, map[oddsData]string{}
	s.changes++
}

func (s *server) didOpen(p documentParams) (any, error) {
	name := nameOf(p.TextDocument.URI)
	s.open[name] = &open{uri: p.TextDocument.URI, version: p.TextDocument.Version}
	s.changed()
	s.tell(append(s.w.Set(name, p.TextDocument.Text), name)...)
	return nil, nil
}

func (s *server) didChange(p changeParams) (any, error) {
	name := nameOf(p.TextDocument.URI)
	o := s.open[name]
	if o == nil {
		return nil, nil
	}
	text := s.w.Open(name).Text
	for _, c := range p.ContentChanges {
		if c.Range == nil {
			text = c.Text
			continue
		}
		l := linesOf(text)
		start, end := l.offset(c.Range.Start), l.offset(c.Range.End)
		text = text[:start] + c.Text + text[max(start, end):]
	}
	o.version, o.strict = p.TextDocument.Version, false
	s.changed()
	s.tell(append(s.w.Set(name, text), name)...)
	return nil, nil
}

func (s *server) didSave(p documentParams) (any, error) {
	if o := s.open[nameOf(p.TextDocument.URI)]; o != nil {
		o.strict = s.strict
	}
	s.tell(s.w.Changed()...)
	return nil, nil
}

func (s *server) didClose(p documentParams) (any, error) {
	name := nameOf(p.TextDocument.URI)
	if s.open[name] == nil {
		return nil, nil
	}
	delete(s.open, name)
	s.changed()
	s.tell(s.w.Close(name)...)
	s.publish(p.TextDocument.URI, 0, nil)
	return nil, nil
}

// tell has the mistakes of documents told in a moment.
func (s *server) tell(names ...string) {
	if s.dirty == nil {
		s.dirty = map[string]bool{}
	}
	for _, n := range names {
		s.dirty[n] = true
	}
	if s.waiting != nil {
		s.waiting.Stop()
	}
	s.waiting = time.AfterFunc(calm, s.tellNow)
}

// tellNow tells the mistakes of one document after the other; between two of them requests are
// answered.
func (s *server) tellNow() {
	for {
		more, err := s.tellOne()
		if err != nil {
			s.log.Print(err)
		}
		if !more {
			return
		}
	}
}

func (s *server) tellOne() (more bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			more, err = true, fmt.Errorf("diagnostics: %v\n%s", p, debug.Stack())
		}
	}()
	var names []string
	for n := range s.dirty {
		names = append(names, n)
	}
	if len(names) == 0 {
		return false, nil
	}
	name := slices.Min(names)
	delete(s.dirty, name)
	o := s.open[name]
	if o == nil {
		return true, nil
	}
	list := []diagnostic{}
	for _, p := range s.w.Problems(name, o.strict) {
		list = append(list, s.diagnostic(name, &p))
	}
	s.publish(o.uri, o.version, list)
	return true, nil
}

func (s *server) publish(uri string, version int, list []diagnostic) {
	if list == nil {
		list = []diagnostic{}
	}
	_ = s.conn.Notify(context.Background(), "textDocument/publishDiagnostics", publishParams{uri, version, list})
}

func (s *server) diagnostic(name string, p *editor.Problem) diagnostic {
	l := s.lines(name)
	d := diagnostic{Range: l.span(p.Place), Severity: int(p.Severity) + 1, Code: p.Code, Source: "setpiece", Message: p.Message}
	if p.Code != "" {
		d.About = &link{editor.CodePage(p.Code)}
	}
	if p.Help != "" {
		d.Message += "\n" + p.Help
	}
	for _, r := range p.Related {
		if r.File == "" {
			d.Message += "\n" + r.Message
			continue
		}
		d.Related = append(d.Related, related{s.location(r.Place), r.Message})
	}
	return d
}

// lines are those of a document, or of a file that is not open.
func (s *server) lines(name string) *lines {
	if d := s.w.Open(name); d != nil {
		return linesOf(d.Text)
	}
	return linesOf("")
}

// uri is what the editor calls a document.
func (s *server) uri(name string) string {
	if o := s.open[name]; o != nil {
		return o.uri
	}
	return uriOf(name)
}

func (s *server) location(p editor.Place) location {
	return location{s.uri(p.File), s.lines(p.File).span(p)}
}

func (s *server) edit(changes []editor.Change) *workspaceEdit {
	e := &workspaceEdit{Changes: map[string][]textEdit{}}
	for _, c := range changes {
		uri := s.uri(c.File)
		e.Changes[uri] = append(e.Changes[uri], textEdit{s.lines(c.File).span(c.Place), c.New})
	}
	return e
}

// place gives the document and the byte of a place.
func (s *server) place(p placeParams) (name string, off int) {
	name = nameOf(p.TextDocument.URI)
	return name, s.lines(name).offset(p.Position)
}
