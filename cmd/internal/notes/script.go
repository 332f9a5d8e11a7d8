package notes

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"setpiece/lang"
)

// Script is one of the scripts of a note.
type Script struct {
	Name   string // "" for the one that all fences make that say nothing else
	File   bool   // others include it
	Wrong  bool   // it has mistakes on purpose
	Fences []*Fence
}

// Scripts lists the scripts of a note, the main one first.
func (n *Note) Scripts() []*Script {
	main := &Script{}
	list := []*Script{main}
	byName := map[string]*Script{}
	next := map[string]int{} // the number that the next script of a name gets
	for _, f := range n.Fences {
		if f.Kind != language {
			continue
		}
		s := main
		switch {
		case f.Has("file"):
			name := path.Clean(f.Value("file"))
			if s = byName[name]; s == nil {
				s = &Script{Name: name, File: true}
				byName[name], list = s, append(list, s)
			}
		case f.Has("alone"):
			name := f.Value("alone")
			if name == "" {
				name = f.heading
			}
			if name == "" {
				name = "alone"
			}
			s = &Script{Name: name}
			for i := max(2, next[name]); byName[s.Name] != nil; i++ {
				s.Name, next[name] = name+"-"+strconv.Itoa(i), i+1
			}
			byName[s.Name], list = s, append(list, s)
		}
		if f.Has("again") {
			s.Fences = nil
		}
		s.Fences = append(s.Fences, f)
		s.Wrong = s.Wrong || f.Has("wrong")
	}
	if len(main.Fences) == 0 {
		list = list[1:]
	}
	return list
}

// Upto is the note as it is above a fence.
func (n *Note) Upto(f *Fence) *Note {
	above := *n
	above.Fences = slices.DeleteFunc(slices.Clone(n.Fences), func(g *Fence) bool { return g.Open.Start >= f.Open.Start })
	return &above
}

// Script finds the script that somebody means by a name, "" for the one of the note.
func (n *Note) Script(name string) (*Script, error) {
	list := n.Scripts()
	i := slices.IndexFunc(list, func(s *Script) bool { return s.Name == name })
	if i >= 0 {
		return list[i], nil
	}
	if name == "" && len(list) == 1 {
		return list[0], nil
	}
	return nil, &NoScript{n.Name, name, list}
}

// NoScript says that a note has no such script.
type NoScript struct {
	Note, Name string
	There      []*Script
}

func (e *NoScript) Error() string {
	switch {
	case len(e.There) == 0:
		return fmt.Sprintf("%s has no script: no fence begins with ```%s", e.Note, language)
	case e.Name == "":
		return fmt.Sprintf("%s has several scripts", e.Note)
	}
	return fmt.Sprintf("%s has no script %s", e.Note, e.Name)
}

// Help says what to type instead.
func (e *NoScript) Help() string {
	var names []string
	for _, s := range e.There {
		if s.Name != "" {
			names = append(names, s.Name)
		}
	}
	if near, ok := lang.Nearest(e.Name, names); ok && e.Name != "" {
		return "did you mean " + e.Note + "#" + near + "?"
	}
	for i, name := range names {
		names[i] = e.Note + "#" + name
	}
	if len(names) == 0 {
		return ""
	}
	return "choose one: " + strings.Join(names[:min(len(names), 8)], ", ")
}

// Excerpt gives a script as an excerpt of the note.
func (n *Note) Excerpt(s *Script) *lang.Source {
	var keep []lang.Extent
	for _, f := range s.Fences {
		keep = append(keep, f.Lines...)
	}
	return lang.NewExcerpt(n.Name, n.Text, keep)
}

// Folder is a folder over which the fences of a note with file= lie.
type Folder struct {
	under fs.FS // may be nil
	note  *Note
	files map[string]*Script
	plain bool // files are texts of their own, see Plain
}

// Over gives the folder in which the scripts of a note stand.
func (n *Note) Over(under fs.FS) *Folder {
	d := &Folder{under: under, note: n, files: map[string]*Script{}}
	for _, s := range n.Scripts() {
		if s.File {
			d.files[s.Name] = s
		}
	}
	return d
}

// With is the same folder over another.
func (d *Folder) With(under fs.FS) *Folder { return &Folder{under, d.note, d.files, d.plain} }

// Under is the folder that lies below.
func (d *Folder) Under() fs.FS { return d.under }

// Source implements lang.SourceFS.
func (d *Folder) Source(name string) *lang.Source {
	if s := d.files[name]; s != nil && !d.plain {
		return d.note.Excerpt(s)
	}
	return nil
}

// Note is the note whose fences the folder has.
func (d *Folder) Note() *Note { return d.note }

// Plain is the same folder with each file as it would be without the note: messages about it
// have its own name and its own lines.
func (d *Folder) Plain() *Folder { return &Folder{d.under, d.note, d.files, true} }

// text is the text of a file.
func (d *Folder) text(s *Script) string {
	var b strings.Builder
	for _, f := range s.Fences {
		b.WriteString(d.note.Inside(f))
	}
	return strings.ReplaceAll(b.String(), "\r\n", "\n")
}

// Open implements fs.FS. A fence is read with ReadFile or Source.
func (d *Folder) Open(name string) (fs.File, error) {
	if d.under == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return d.under.Open(name)
}

// ReadFile implements fs.ReadFileFS.
func (d *Folder) ReadFile(name string) ([]byte, error) {
	if s := d.files[name]; s != nil {
		return []byte(d.text(s)), nil
	}
	if d.under == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return fs.ReadFile(d.under, name)
}

// ReadDir implements fs.ReadDirFS, for those who look for a name that is near.
func (d *Folder) ReadDir(name string) (list []fs.DirEntry, err error) {
	if d.under != nil {
		list, err = fs.ReadDir(d.under, name)
	}
	for file := range d.files {
		if path.Dir(file) == name {
			list = append(list, entry(path.Base(file)))
		}
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, err
}

// entry is a fence in a list of files.
type entry string

func (e entry) Name() string               { return string(e) }
func (e entry) IsDir() bool                { return false }
func (e entry) Type() fs.FileMode          { return 0 }
func (e entry) Info() (fs.FileInfo, error) { return nil, fs.ErrNotExist }
