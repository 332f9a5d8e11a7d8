package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"setpiece/cmd/internal/render"
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
		text, err := render.ReadAll(a.in)
		if err != nil {
			return script{}, fmt.Errorf("standard input: %w", err)
		}
		return inline("stdin", text), nil
	}
	text, err := render.ReadFile(path)
	if err != nil {
		return script{}, badFile(path, err)
	}
	return script{lang.NewSource(path, text), folder(filepath.Dir(path))}, nil
}

// inline is a script that is no file; it includes from the present folder.
func inline(name, text string) script {
	return script{lang.NewSource(name, text), folder(".")}
}

// folder is a folder that cannot be left, not even by a symbolic link.
func folder(path string) fs.FS {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil
	}
	return root.FS()
}
