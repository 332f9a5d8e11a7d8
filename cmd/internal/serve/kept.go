package serve

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/sourcegraph/jsonrpc2"

	"setpiece/cmd/internal/journal"
	"setpiece/interp/evening"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// Kept is an evening with a journal on disk: begun with a script, or taken up.
type Kept struct {
	Head    journal.Head
	Journal *journal.Journal
	Past    []evening.Entry // of the journal, where it is taken up
	Script  *lang.Source
	Folder  fs.FS    // that the script includes from
	Pauses  []string // where it waits, see evening.Config
}

// Join serves one evening to a caller in the same process, who calls by the connection; told hears
// the notifications. The method open begins it, and takes nothing but V, Evening and Forms; what
// happened before is told first.
func Join(ctx context.Context, cfg Config, k Kept, told jsonrpc2.Handler) *jsonrpc2.Conn {
	here, there := pipes()
	go func() {
		(&server{cfg: cfg, kept: &k}).serve(ctx, there, there)
		there.Close()
	}()
	return jsonrpc2.NewConn(ctx, &lines{in: bufio.NewReader(here), out: here, ended: func() {}}, told, quietly)
}

// pipes gives two ends that are connected. Who closes one ends what the other reads and writes.
func pipes() (here, there pipe) {
	here.PipeReader, there.PipeWriter = io.Pipe()
	there.PipeReader, here.PipeWriter = io.Pipe()
	return here, there
}

type pipe struct {
	*io.PipeReader
	*io.PipeWriter
}

// Close implements io.Closer.
func (p pipe) Close() error { return errors.Join(p.PipeReader.Close(), p.PipeWriter.Close()) }

// keptTable prepares the evening of a server that has one.
func keptTable(s *server, p Open) (*table, error) {
	if err := spoken(p.V); err != nil {
		return nil, err
	}
	k := s.kept
	t := &table{server: s, id: p.Evening, forms: p.Forms, seed: k.Head.Seed}
	t.begin = func(ctx context.Context) error {
		cfg := t.config(k.Head, k.Folder, k.Journal)
		cfg.Pauses = k.Pauses
		t.records.Briefs()
		cfg.Session.Standings = true
		if k.Past != nil {
			return t.resume(ctx, cfg, k.Past, true)
		}
		t.evening = evening.Begin(cfg)
		t.records.Script(transcript.ScriptRecord{File: k.Script.Name})
		return t.evening.Load(ctx, k.Script)
	}
	return t, nil
}
