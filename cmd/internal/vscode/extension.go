// Package vscode makes the extension of VS Code: the client of setpiece lsp, and the grammar
// that colours a text before the server has answered, made of the language's own words.
package vscode

import (
	"bytes"
	"embed"
	"encoding/json"
	"io/fs"
	"strings"

	"setpiece/lang/late"
)

//go:embed all:extension
var extension embed.FS

// Write hands out the files of the extension, by their paths in its folder. Version is that of
// the program.
func Write(version string, write func(path string, data []byte) error) error {
	files, err := fs.Sub(extension, "extension")
	if err != nil {
		return err
	}
	if err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		return write(path, bytes.ReplaceAll(data, []byte("VERSION"), []byte(semantic(version))))
	}); err != nil {
		return err
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(grammar()); err != nil {
		return err
	}
	return write("syntaxes/setpiece.tmLanguage.json", out.Bytes())
}

var numbers = late.Regexp(`^\d+(\.\d+)*`)

// semantic gives a version of three numbers, as extensions have to have.
func semantic(version string) string {
	n := strings.Split(numbers().FindString(version), ".")
	for len(n) < 3 {
		n = append(n, "0")
	}
	if n[0] == "" {
		n[0] = "0"
	}
	return strings.Join(n[:3], ".")
}
