package serve

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"path/filepath"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/notes"
	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// spoken says whether there is a version of the protocol that both sides speak.
func spoken(v int) error {
	if v >= Version {
		return nil
	}
	e := &jsonrpc2.Error{Code: CodeVersion, Message: fmt.Sprintf("say the latest version of the protocol that you speak, as in  \"v\": %d", Version)}
	e.SetError(Trouble{Versions: []int{Version}})
	return e
}

// openTable prepares an evening that begins with a script, or with nothing.
func openTable(s *server, p Open) (*table, error) {
	if s.kept != nil {
		return keptTable(s, p)
	}
	asked, err := asksDice(p.Dice)
	switch {
	case spoken(p.V) != nil:
		return nil, spoken(p.V)
	case err != nil && p.Dice != "":
		return nil, err
	case p.Quiet != interp.QuietOff && p.Quiet != interp.QuietUsual && p.Quiet != interp.QuietMust:
		return nil, invalid(`quiet must be "usual", "must" or nothing, not %q`, p.Quiet)
	case p.File != "" && p.Text != "":
		return nil, invalid("open takes a file or a text, not both")
	}
	src, folder, page := (*lang.Source)(nil), "", fs.FS(nil)
	switch {
	case p.File != "":
		if src, folder, page, err = s.read(p.File); err != nil {
			return nil, err
		}
	case p.Text != "":
		if p.Name == "" {
			p.Name = "script"
		}
		src = lang.NewSource(p.Name, p.Text)
	}
	h := journal.Head{Program: s.cfg.Session.Program, Set: p.Set, Dice: p.Faces, Ask: asked, Folder: folder, ByAuto: p.Auto, ByHand: p.Ask, Asks: p.Quiet}
	if h.Seed = rand.Uint64N(1e9); p.Seed != nil {
		h.Seed = *p.Seed
	}
	t := &table{server: s, id: p.Evening, forms: p.Forms}
	if p.Told {
		t.telling()
	}
	kept, err := t.journal(h, nil)
	if err != nil {
		return nil, err
	}
	t.begin = func(ctx context.Context) error {
		t.evening = evening.Begin(t.config(h, page, kept))
		if src == nil {
			return nil
		}
		t.records.Script(transcript.ScriptRecord{File: p.File + p.Name})
		return t.evening.Load(ctx, src)
	}
	return t, nil
}

// loadTable prepares an evening that was saved.
func loadTable(s *server, p Load) (*table, error) {
	switch {
	case s.kept != nil:
		return nil, &jsonrpc2.Error{Code: CodeRefused, Message: "there is one evening here: open it"}
	case spoken(p.V) != nil:
		return nil, spoken(p.V)
	}
	past, err := journal.Parse([]byte(p.Data))
	if err == nil && past.Damage != nil {
		err = past.Damage
	}
	if err != nil {
		return nil, invalid("load: these are not the bytes of a saved evening: %v", err)
	}
	t := &table{server: s, id: p.Evening, forms: p.Forms}
	if p.Told {
		t.telling()
	}
	kept, err := t.journal(past.Head, past.Entries)
	if err != nil {
		return nil, err
	}
	var folder fs.FS
	if past.Head.Folder != "" {
		folder = files.Within(s.cfg.Dir, past.Head.Folder, nil)
	}
	for _, e := range past.Entries {
		if e.Page != "" {
			n, _ := notes.Parse(e.Name, e.Page)
			folder = n.Over(folder)
		}
	}
	t.begin = func(ctx context.Context) error {
		return t.resume(ctx, t.config(past.Head, folder, kept), past.Entries, false)
	}
	return t, nil
}

// resume takes an evening up. Aloud tells what happened in its entries, one after the other.
func (t *table) resume(ctx context.Context, cfg evening.Config, entries []evening.Entry, aloud bool) error {
	v, r := evening.Resume(ctx, cfg, entries)
	t.evening = v
	if aloud {
		t.retell()
	}
	if r.Err != nil {
		t.notify("notice", Notice{t.id, fmt.Sprintf("the evening can be continued only up to entry %d: %v", r.Reached, r.Err)})
	}
	for _, text := range r.Differ {
		t.notify("notice", Notice{t.id, text})
	}
	if r.Open != nil {
		t.again()
	}
	return v.Continue(ctx)
}

// retell tells what happened in the entries in force.
func (t *table) retell() {
	for _, events := range t.evening.Happened() {
		for _, e := range events {
			t.whole(e)
		}
	}
}

func (t *table) config(h journal.Head, folder fs.FS, kept *journal.Journal) evening.Config {
	t.records = transcript.NewJSON(t, false)
	session := t.server.cfg.Session
	session.Folder, session.Seed, session.Dice, session.Options, session.Auto, session.Ask = folder, h.Seed, h.Dice, h.Set, h.ByAuto, h.ByHand
	session.Versions, session.Quiet = evening.Versions(h.Systems), h.Asks
	return evening.Config{
		Session: session, Store: kept, Host: t, Dice: h.Ask, Retell: true, Forms: t.forms,
	}
}

// read reads a script within the folder of the server. Nothing else of the disk is ever read but
// what it includes from its own folder, which folder names.
func (s *server) read(name string) (src *lang.Source, folder string, from fs.FS, err error) {
	file, part, inNote := name, "", notes.Is(name)
	if at := strings.LastIndexByte(name, '#'); at > 0 && notes.Is(name[:at]) {
		file, part, inNote = name[:at], name[at+1:], true
	}
	folder = path.Dir(path.Clean(filepath.ToSlash(file)))
	if from = files.Within(s.cfg.Dir, folder, nil); from == nil {
		return nil, "", nil, invalid("open: there is no folder %s here", folder)
	}
	text, err := fs.ReadFile(from, path.Base(file))
	if err != nil {
		return nil, "", nil, invalid("open: %s: %v", file, files.Inner(err))
	}
	if !inNote {
		return lang.NewSource(file, string(text)), folder, from, nil
	}
	n, ds := notes.Parse(file, string(text))
	if ds.Errors() {
		return nil, "", nil, ds
	}
	script, err := n.Script(part)
	if err != nil {
		return nil, "", nil, invalid("open: %v", err)
	}
	return n.Excerpt(script), folder, n.Over(from), nil
}

// asksDice reads who throws the dice.
func asksDice(word string) (bool, error) {
	switch word {
	case "ask", "roll":
		return word == "ask", nil
	}
	return false, invalid(`dice must be "ask" or "roll", not %q`, word)
}
