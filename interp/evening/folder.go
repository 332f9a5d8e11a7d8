package evening

import (
	"io/fs"

	"setpiece/lang"
)

// folder is the folder of a session whose journal keeps what is read from it.
// While the session is taken up, what it read then is read again, whatever has
// become of the files.
type folder struct {
	under fs.FS
	read  func(File)
	past  map[string]string
	only  bool // nothing but what was read then
}

// recall makes the folder what it was: files by name and text. Unless only is
// set, a file that is not among them is read as it is now.
func (k *folder) recall(files map[string]string, only bool) { k.past, k.only = files, only }

// forget makes the folder what it is now.
func (k *folder) forget() { k.past, k.only = nil, false }

// Source implements lang.SourceFS. An excerpt is not kept: it is a part of the script.
func (k *folder) Source(name string) *lang.Source { return lang.SourceIn(k.under, name) }

// Open implements fs.FS.
func (k *folder) Open(name string) (fs.File, error) { return k.under.Open(name) }

// ReadFile implements fs.ReadFileFS.
func (k *folder) ReadFile(name string) ([]byte, error) {
	if text, ok := k.past[name]; ok {
		return []byte(text), nil
	}
	if k.only {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	data, err := fs.ReadFile(k.under, name)
	if err == nil {
		k.read(File{Name: name, Text: string(data)})
	}
	return data, err
}
