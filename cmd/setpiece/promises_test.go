package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every test that PROMISES.md names exists.
func TestPromises(t *testing.T) {
	text, err := os.ReadFile("../PROMISES.md")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	err = filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "_test.go") {
			var b []byte
			b, err = os.ReadFile(path)
			code.Write(b)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w*)`").FindAllStringSubmatch(string(text), -1)
	if len(names) < 20 {
		t.Errorf("only %d tests are named", len(names))
	}
	for _, m := range names {
		if !strings.Contains(code.String(), "\nfunc "+m[1]+"(") {
			t.Errorf("there is no %s", m[1])
		}
	}
}

// The language and its interpreter import no package that starts processes, reaches a
// network or opens files by itself: what a script may read it gets as an fs.FS. Of others
// they use a parser, the widths of letters and the forms of their accents, the order of versions, the
// hash of texts, and what reads a text as YAML or Markdown.
func TestScriptsReachNothing(t *testing.T) {
	foreign := []string{"github.com/alecthomas/participle/v2", "github.com/alecthomas/participle/v2/lexer", "github.com/mattn/go-runewidth", "golang.org/x/text/unicode/norm",
		"golang.org/x/mod/semver", "go.yaml.in/yaml/v3",
		"github.com/yuin/goldmark", "github.com/yuin/goldmark/ast", "github.com/yuin/goldmark/extension", "github.com/yuin/goldmark/extension/ast", "github.com/yuin/goldmark/text"}
	files := 0
	for _, top := range []string{"../../lang", "../../interp", "../../stdlib"} {
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "test/") {
				return nil
			}
			files++
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			for _, x := range f.Imports {
				name := strings.Trim(x.Path.Value, `"`)
				if slices.Contains([]string{"os", "plugin", "syscall", "C"}, name) || strings.HasPrefix(name, "os/") || name == "net" || strings.HasPrefix(name, "net/") {
					t.Errorf("%s imports %s", path, name)
				}
				first, _, _ := strings.Cut(name, "/")
				if strings.Contains(first, ".") && !slices.Contains(foreign, name) {
					t.Errorf("%s imports %s", path, name)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("only %d files were looked at", files)
	}
}
