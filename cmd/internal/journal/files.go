package journal

import (
	"io/fs"
	"slices"

	"setpiece/lang"
)

// Folder is a folder that remembers which files were read from it.
type Folder struct {
	under fs.FS
	files []Text
}

// Watch returns a Folder over under.
func Watch(under fs.FS) *Folder { return &Folder{under: under} }

// Unwatched is the folder itself.
func (f *Folder) Unwatched() fs.FS { return f.under }

// Files are the files read so far, in order.
func (f *Folder) Files() []Text { return f.files }

// Open implements fs.FS.
func (f *Folder) Open(name string) (fs.File, error) {
	if _, err := f.ReadFile(name); err != nil {
		return f.under.Open(name) // a directory, or the error that names the file
	}
	return f.under.Open(name)
}

// ReadFile implements fs.ReadFileFS.
func (f *Folder) ReadFile(name string) ([]byte, error) {
	data, err := fs.ReadFile(f.under, name)
	if err == nil && !slices.ContainsFunc(f.files, func(t Text) bool { return t.Name == name }) {
		f.files = append(f.files, Text{Name: name, Text: string(data)})
	}
	return data, err
}

// Source implements lang.SourceFS. An excerpt is not remembered: it is a part of the script.
func (f *Folder) Source(name string) *lang.Source { return lang.SourceIn(f.under, name) }
