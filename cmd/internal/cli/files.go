package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/notes"
	"setpiece/cmd/internal/render"
	"setpiece/interp"
	"setpiece/lang"
)

// script is a text to run and the folder it may include files from.
type script struct {
	src     *lang.Source
	folder  fs.FS
	systems []interp.Place
	part    string // of a note; "" for the script of the note, or where there is none
}

// with is the script with another text.
func (s script) with(src *lang.Source) script {
	s.src = src
	return s
}

// name is what somebody types to name the script.
func (s script) name() string {
	if s.part == "" {
		return s.src.Name
	}
	return s.src.Name + "#" + s.part
}

// promptInstead says what to call instead of a command of the prompt.
func promptInstead(command string) string {
	if about, ok := strings.CutPrefix(command, "help"); ok {
		return "from a shell:  setpiece help" + about
	}
	return "at a terminal:  setpiece, and then  :" + command
}

// stdin is what the script is called that comes from standard input.
const stdin = "stdin"

// read reads a script: a file, or "-" for standard input.
func (a *app) read(path string) (script, error) {
	if path == "-" {
		text, err := files.ReadAll(a.ctx, a.in, files.MaxScript)
		if err != nil {
			return script{}, fmt.Errorf("standard input: %w", err)
		}
		if line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n"); strings.HasPrefix(line, ":") {
			return script{}, wrong(line, line+" is for the prompt, and standard input is a script here", promptInstead(line[1:]))
		}
		return a.inline(stdin, string(text)), nil
	}
	if a.page != nil {
		if text, err := a.page.With(nil).ReadFile(path); err == nil {
			return script{src: lang.NewSource(path, string(text)), folder: a.folder("."), systems: a.places()}, nil
		}
	}
	name, part, inNote := partOf(path)
	text, err := a.readFile(name)
	if err != nil {
		return script{}, badFile(name, err)
	}
	if !isText(text) {
		return script{}, wrong(path, name+" is no text, so it cannot be a script", "")
	}
	folder := a.folder(filepath.Dir(name))
	if !inNote {
		return script{src: lang.NewSource(name, string(text)), folder: folder, systems: a.places()}, nil
	}
	n, ds := notes.Parse(name, string(text))
	if ds.Errors() {
		return script{}, ds
	}
	s, err := n.Script(part)
	var none *notes.NoScript
	if errors.As(err, &none) {
		return script{}, wrong(path, none.Error(), none.Help())
	}
	return a.scriptOf(n, s, folder), nil
}

// isText says whether a file could be a text. A program or a picture has many zero bytes at its
// beginning.
func isText(data []byte) bool {
	head := data[:min(len(data), 4<<10)]
	return bytes.Count(head, []byte{0}) <= len(head)/50
}

// readFile reads a file that the call names. A call in a note, which may come from anybody, reads
// what is in the folder of the note, and no link leads out of it.
func (a *app) readFile(path string) ([]byte, error) {
	if a.page == nil {
		return files.ReadFile(a.ctx, path, files.MaxScript, &a.seen)
	}
	folder := files.Folder(a.dir, &a.seen)
	if folder == nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return fs.ReadFile(folder, filepath.ToSlash(filepath.Clean(path)))
}

// partOf splits what names a script in a note, NOTE.md or NOTE.md#PART.
func partOf(path string) (note, part string, ok bool) {
	if notes.Is(path) {
		return path, "", true
	}
	if i := strings.LastIndexByte(path, '#'); i > 0 && notes.Is(path[:i]) {
		if _, err := os.Stat(path); err != nil {
			return path[:i], path[i+1:], true
		}
	}
	return path, "", false
}

// scriptOf gives a script of a note.
func (a *app) scriptOf(n *notes.Note, s *notes.Script, folder fs.FS) script {
	return script{src: n.Excerpt(s), folder: n.Over(folder), systems: a.places(), part: s.Name}
}

// over lays the files of a note over a folder.
func over(name, page string, folder fs.FS) fs.FS {
	n, _ := notes.Parse(name, page)
	return n.Over(folder)
}

// readAll reads what check and test are about: a file, or every script of a note that is
// wanted, but those that are wrong on purpose, and those that others of the note include.
func (a *app) readAll(path string, wanted func(*notes.Script) bool) ([]script, error) {
	name, part, ok := partOf(path)
	if !ok || part != "" {
		s, err := a.read(path)
		return []script{s}, err
	}
	text, err := a.readFile(name)
	if err != nil {
		return nil, badFile(name, err)
	}
	n, ds := notes.Parse(name, string(text))
	if ds.Errors() {
		return nil, ds
	}
	a.warn(ds)
	folder := a.folder(filepath.Dir(name))
	all := n.Scripts()
	included := includedIn(n, all)
	var list []script
	for _, s := range all {
		if !s.Wrong && !included[s.Name] && (wanted == nil || wanted(s)) {
			list = append(list, a.scriptOf(n, s, folder))
		}
	}
	return list, nil
}

// warn shows what may be wrong with a note.
func (a *app) warn(ds lang.Diagnostics) {
	for _, d := range ds {
		render.Diagnostic(a.errTo, a.errPalette(), d)
	}
}

// includedIn says which files of a note its other scripts include or use.
func includedIn(n *notes.Note, list []*notes.Script) map[string]bool {
	names := map[string]bool{}
	for _, s := range list {
		file, _ := lang.Parse(n.Excerpt(s))
		for _, st := range file.Stmts {
			switch st := st.(type) {
			case *lang.Include:
				names[strings.Trim(st.Path.Src.Text[st.Path.Start:st.Path.End], `"`)] = true
			case *lang.Use:
				names[st.Name.Name+".rules"] = true
				for _, with := range st.With {
					names[with.Name.Name+".rules"] = true
				}
			}
		}
	}
	return names
}

// inline is a script that is no file; it includes from the present folder.
func (a *app) inline(name, text string) script {
	return script{src: lang.NewSource(name, text), folder: a.folder("."), systems: a.places()}
}

// unwatched is a folder of which nothing is remembered.
func unwatched(folder fs.FS) fs.FS {
	switch f := folder.(type) {
	case *journal.Folder:
		return f.Unwatched()
	case *notes.Folder:
		return f.With(unwatched(f.Under()))
	}
	return folder
}

// folder is a folder that a script may include from.
func (a *app) folder(path string) fs.FS {
	if a.page == nil {
		return files.Folder(path, &a.seen)
	}
	folder := files.Within(a.dir, path, &a.seen)
	if path == "." {
		return a.page.With(folder)
	}
	return folder
}
