package editor

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/notes"
	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// Shipped begins the names of the files of the rules that come with the program:
// setpiece://rules/cah/cah.rules.
const Shipped = "setpiece://rules/"

// Workspace holds the documents that are open. It belongs to one goroutine at a time; what
// Odds gives may be worked out by another.
type Workspace struct {
	docs map[string]*Document
	read map[string]*Document // files that are not open
	base interp.Config        // where use finds systems
	seen files.Seen

	known *sessions
}

// mostRead is of how many files something is remembered that are not open.
const mostRead = 200

// New makes a workspace without documents. base says where use finds systems.
func New(base interp.Config) *Workspace {
	return &Workspace{docs: map[string]*Document{}, read: map[string]*Document{}, base: base, known: &sessions{}}
}

// Document is the text of a file as an editor has it.
type Document struct {
	Name    string // the path of the file, or one that begins with Shipped
	Text    string
	note    *notes.Note // nil: it is a script or a file of rules
	wrong   lang.Diagnostics
	scripts []*script
}

// Place is a stretch of a document: bytes Start up to, not including, End.
type Place struct {
	File       string
	Start, End int
}

// Set opens a document, or gives an open one a new text. It returns the names of the other open
// documents that the change may concern.
func (w *Workspace) Set(name, text string) (others []string) {
	old := w.docs[name]
	if old != nil && old.Text == text {
		return nil
	}
	w.docs[name] = w.document(name, text, old)
	return w.forget(name)
}

// Close forgets the text of a document: that on the disk counts again.
func (w *Workspace) Close(name string) (others []string) {
	delete(w.docs, name)
	return w.forget(name)
}

// Changed says that files on the disk have changed.
func (w *Workspace) Changed() (all []string) {
	clear(w.read)
	for name, d := range w.docs {
		w.docs[name] = w.document(name, d.Text, nil)
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// forget drops what is known of open documents that may include a file or use it.
func (w *Workspace) forget(name string) (others []string) {
	for other := range w.read {
		if !strings.HasPrefix(other, Shipped) {
			delete(w.read, other)
		}
	}
	stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
	for other, d := range w.docs {
		if other != name && path.Dir(other) == path.Dir(name) && strings.Contains(d.Text, stem) {
			w.docs[other] = w.document(other, d.Text, nil)
			others = append(others, other)
		}
	}
	slices.Sort(others)
	return others
}

// Open gives an open document, or reads one that is not; nil if there is none.
func (w *Workspace) Open(name string) *Document {
	if d := w.docs[name]; d != nil {
		return d
	}
	if d := w.read[name]; d != nil {
		return d
	}
	var text []byte
	var err error
	if shipped, ok := strings.CutPrefix(name, Shipped); ok {
		text, err = readShipped(shipped)
	} else if folder := files.Folder(filepath.FromSlash(path.Dir(name)), &w.seen); folder != nil {
		text, err = fs.ReadFile(folder, path.Base(name))
	} else {
		return nil
	}
	if err != nil {
		return nil
	}
	if len(w.read) >= mostRead {
		clear(w.read)
	}
	w.read[name] = w.document(name, string(text), nil)
	return w.read[name]
}

// codePages begins the names of the pages of codes, which are served like the rules.
const codePages = "codes/"

// CodePage names the document that explains a code.
func CodePage(code string) string { return Shipped + codePages + code + ".md" }

// readShipped reads a file that comes with the program.
func readShipped(name string) ([]byte, error) {
	if file, ok := strings.CutPrefix(name, codePages); ok {
		if p, ok := lang.PageOf(strings.TrimSuffix(file, ".md")); ok {
			return []byte(p.Page()), nil
		}
	}
	return fs.ReadFile(stdlib.FS, name)
}

// Has says whether a document is open.
func (w *Workspace) Has(name string) bool { return w.docs[name] != nil }

// document takes a text apart into its scripts. What is known of a script of the old document is
// kept where the script is the same.
func (w *Workspace) document(name, text string, old *Document) *Document {
	d := &Document{Name: name, Text: text}
	folder := fs.FS(overlay{w, path.Dir(name), w.folder(name)})
	if !notes.Is(name) {
		d.scripts = []*script{{src: lang.NewSource(path.Base(name), text), folder: folder, base: w.base, known: w.known}}
		return d
	}
	d.note, d.wrong = notes.Parse(path.Base(name), text)
	if d.wrong.Errors() {
		return d
	}
	shared := len(d.note.Scripts()) > 1 && slices.ContainsFunc(d.note.Scripts(), func(s *notes.Script) bool { return s.File })
	over := d.note.Over(folder)
	for _, s := range d.note.Scripts() {
		now := &script{src: d.note.Excerpt(s), folder: over, base: w.base, wrong: s.Wrong, fences: s.Fences, known: w.known}
		now.body = strings.TrimLeft(now.src.Text, " \n")
		if old != nil && !shared {
			now.inherit(old.scripts)
		}
		d.scripts = append(d.scripts, now)
	}
	return d
}

// folder is what a document may include from.
func (w *Workspace) folder(name string) fs.FS {
	if shipped, ok := strings.CutPrefix(name, Shipped); ok {
		sub, err := fs.Sub(stdlib.FS, path.Dir(shipped))
		if err != nil {
			return nil
		}
		return sub
	}
	return files.Folder(filepath.FromSlash(path.Dir(name)), &w.seen)
}

// overlay is a folder with the texts of the documents that are open in the place of its files.
type overlay struct {
	w   *Workspace
	dir string
	fs.FS
}

func (o overlay) ReadFile(name string) ([]byte, error) {
	if d := o.w.docs[path.Join(o.dir, name)]; d != nil {
		return []byte(d.Text), nil
	}
	if o.FS == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return fs.ReadFile(o.FS, name)
}

func (o overlay) Open(name string) (fs.File, error) {
	if o.FS == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return o.FS.Open(name)
}

// refolded is a folder over the documents of another workspace.
func refolded(folder fs.FS, w *Workspace) fs.FS {
	switch f := folder.(type) {
	case overlay:
		f.w = w
		return f
	case *notes.Folder:
		return f.With(refolded(f.Under(), w))
	}
	return folder
}

// at gives the script of a document that a place is in, nil if it is in none.
func (d *Document) at(off int) *script {
	if d.note == nil {
		return d.scripts[0]
	}
	for _, s := range d.scripts {
		for _, f := range s.fences {
			if f.Open.End <= off && off <= f.Close.Start {
				return s
			}
		}
	}
	return nil
}

// place gives the place of a span that one of the scripts of a document led to. It is false
// where nobody can open it.
func (w *Workspace) place(d *Document, s *script, at lang.Span) (Place, bool) {
	if at.Src == nil {
		return Place{}, false
	}
	if at.Src == s.src {
		return Place{d.Name, int(at.Start) + s.shift, int(at.End) + s.shift}, true
	}
	if at.Src.Excerpt() && at.Src.Name == path.Base(d.Name) {
		return Place{d.Name, int(at.Start), int(at.End)}, true
	}
	for _, name := range []string{path.Join(path.Dir(d.Name), at.Src.Name), Shipped + at.Src.Name} {
		if there := w.Open(name); there != nil && there.Text == at.Src.Page() {
			return Place{name, int(at.Start), int(at.End)}, true
		}
	}
	return Place{}, false
}

// files lists the documents of the folder of a document that may have to do with it, those that
// are not open too.
func (w *Workspace) files(of string) []string {
	names := map[string]bool{of: true}
	for name := range w.docs {
		names[name] = true
	}
	if !strings.HasPrefix(of, Shipped) {
		list, _ := os.ReadDir(filepath.FromSlash(path.Dir(of)))
		for _, e := range list[:min(len(list), mostFiles)] {
			switch ext := path.Ext(e.Name()); {
			case e.Type().IsRegular() && (ext == ".rules" || ext == ".scene" || notes.Is(e.Name())):
				names[path.Join(path.Dir(of), e.Name())] = true
			}
		}
	}
	var out []string
	for name := range names {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// mostFiles is how many files of a folder are looked at.
const mostFiles = 1000
