package interp_test

import (
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Every package is in the list of the package comment, below all that import it.
func TestHouse(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var house []string
	for _, m := range regexp.MustCompile(`(?m)^//\t((?:cmd|interp|lang|stdlib|testdata)[\w/]*)  `).FindAllStringSubmatch(string(text), -1) {
		house = append(house, m[1])
	}
	found := map[string]bool{}
	err = filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != "..":
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		dir, err := filepath.Rel("..", filepath.Dir(path))
		if err != nil {
			return err
		}
		own := slices.Index(house, filepath.ToSlash(dir))
		if own < 0 {
			t.Errorf("%s: add package %s to the list in interp/doc.go", path, dir)
			return nil
		}
		found[house[own]] = true
		f, err := parser.ParseFile(gotoken.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			if to, ok := strings.CutPrefix(name, "setpiece/"); ok && slices.Index(house, to) <= own {
				t.Errorf("%s imports %s, which is not below %s in the list", path, to, house[own])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range house {
		if !found[name] {
			t.Errorf("there is no package %s", name)
		}
	}
}
