// Command engine is setpiece in a worker of a web page: GOOS=js GOARCH=wasm go build. Its argument says
// what it speaks: "lsp" is the language service of an editor (package lsp), "serve" runs, plays and works
// out odds (package serve). A page calls setpieceHear with what it says; setpieceTell is called with what
// the engine says, in pieces, an object of JSON a line.
//
// There are no files and no network here: a script has what comes with the program.
package main

import (
	"context"
	"io"
	"os"
	"runtime/debug"
	"sync"
	"syscall/js"

	"github.com/sourcegraph/jsonrpc2"

	"setpiece/cmd/internal/lsp"
	"setpiece/cmd/internal/records"
	"setpiece/cmd/internal/serve"
	"setpiece/interp"
	"setpiece/stdlib"
)

// limits are those of the text of a stranger. All the memory of an engine is bounded by the page that it is
// made for (1 GiB, see bounded in package playground); the collector of garbage knows of it.
var limits = interp.Limits{Source: 1 << 20, Memory: 384 << 20}

const (
	oddsMemory = 256 << 20 // of the states of odds
	mostMemory = 900 << 20
)

func main() {
	page := &page{}
	page.more = sync.NewCond(&page.mu)
	js.Global().Set("setpieceHear", js.FuncOf(page.hear))
	debug.SetMemoryLimit(mostMemory)
	session := interp.Config{Modules: stdlib.FS, Limits: limits}
	if len(os.Args) > 1 && os.Args[1] == "lsp" {
		lsp.ServeObjects(context.Background(), jsonrpc2.NewPlainObjectStream(page), session, "", io.Discard)
		return
	}
	serve.Serve(context.Background(), page, page, serve.Config{Session: session, Odds: records.All, Memory: oddsMemory})
}

// page is the page as a stream.
type page struct {
	mu   sync.Mutex
	more *sync.Cond
	said []byte // and not read yet
}

func (p *page) hear(_ js.Value, args []js.Value) any {
	p.mu.Lock()
	p.said = append(p.said, args[0].String()...)
	p.mu.Unlock()
	p.more.Signal()
	return nil
}

// Read implements io.Reader. It waits until the page says something.
func (p *page) Read(to []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.said) == 0 {
		p.more.Wait()
	}
	n := copy(to, p.said)
	p.said = p.said[n:]
	return n, nil
}

// Write implements io.Writer.
func (p *page) Write(text []byte) (int, error) {
	js.Global().Call("setpieceTell", string(text))
	return len(text), nil
}

// Close implements io.Closer.
func (p *page) Close() error { return nil }
