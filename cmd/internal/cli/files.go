package cli

import (
	"fmt"
	"io/fs"
	"path/filepath"

	"setpiece/cmd/internal/files"
	"setpiece/lang"
)

// script is a text to run and the folder it may include files from.
type script struct {
	src    *lang.Source
	folder fs.FS
}

// read reads a script: a file, or "-" for standard input.
func (a *app) read(path string) (script, error) {
	if path == "-" {
		text, err := files.ReadAll(a.ctx, a.in, files.MaxScript)
		if err != nil {
			return script{}, fmt.Errorf("standard input: %w", err)
		}
		return a.inline("stdin", string(text)), nil
	}
	text, err := files.ReadFile(a.ctx, path, files.MaxScript, &a.seen)
	if err != nil {
		return script{}, badFile(path, err)
	}
	return script{lang.NewSource(path, string(text)), a.folder(filepath.Dir(path))}, nil
}

// inline is a script that is no file; it includes from the present folder.
func (a *app) inline(name, text string) script {
	return script{lang.NewSource(name, text), a.folder(".")}
}

// folder is a folder that a script may include from.
func (a *app) folder(path string) fs.FS { return files.Folder(path, &a.seen) }
