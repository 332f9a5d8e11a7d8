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
	for _, m := range regexp.MustCompile(`(?m)^//\t((?:cmd|interp|lang|stdlib|testdata|scripts)[\w/]*)  `).FindAllStringSubmatch(string(text), -1) {
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

// The drawing of the engine in the package comment has the arrows that the imports have, but
// for those that follow from others.
func TestEngineDrawing(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, drawing, ok := strings.Cut(string(text), "// # The engine")
	if !ok {
		t.Fatal("doc.go has no drawing of the engine")
	}
	drawn := map[string]bool{}
	for line := range strings.Lines(drawing) {
		names := regexp.MustCompile(`\w+|-+>`).FindAllString(line, -1)
		for i := 2; i < len(names); i++ {
			if strings.HasSuffix(names[i-1], "->") {
				drawn[names[i-2]+" -> "+names[i]] = true
			}
		}
	}
	imports := engineImports(t)
	reached := map[string]map[string]bool{} // by package: all below it
	var reach func(name string) map[string]bool
	reach = func(name string) map[string]bool {
		if reached[name] == nil {
			reached[name] = map[string]bool{}
			for _, to := range imports[name] {
				reached[name][to] = true
				for further := range reach(to) {
					reached[name][further] = true
				}
			}
		}
		return reached[name]
	}
	for name, list := range imports {
		for _, to := range list {
			if !slices.ContainsFunc(list, func(other string) bool { return reach(other)[to] }) {
				if arrow := name + " -> " + to; !drawn[arrow] {
					t.Errorf("the drawing of the engine in doc.go lacks %s", arrow)
				} else {
					delete(drawn, arrow)
				}
			}
		}
	}
	for arrow := range drawn {
		t.Errorf("the drawing of the engine in doc.go has %s, which no import says, or which follows from others", arrow)
	}
}

// engineImports gives, by package of the engine, the packages of this module that it imports.
func engineImports(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	folders, err := filepath.Glob("internal/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range append(folders, ".") {
		name := filepath.Base(dir)
		if dir == "." {
			name = "interp"
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range f.Imports {
				path, _ := strconv.Unquote(i.Path.Value)
				if to, ok := strings.CutPrefix(path, "setpiece/"); ok && !slices.Contains(imports[name], filepath.Base(to)) {
					imports[name] = append(imports[name], filepath.Base(to))
				}
			}
		}
	}
	return imports
}

// Comments, and the drawings in them, name files that exist: beside the comment, in
// another package of the engine, or from the root.
func TestFilesInComments(t *testing.T) {
	file := regexp.MustCompile(`(?m)(?:^|[\s(])([a-z][\w/]*\.go)\b`)
	named := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != "..":
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(gotoken.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		var text strings.Builder
		for _, c := range f.Comments {
			text.WriteString(c.Text())
		}
		for _, m := range file.FindAllStringSubmatch(text.String(), -1) {
			name := m[1]
			named++
			if !slices.ContainsFunc([]string{filepath.Dir(path), "internal", ".."}, func(dir string) bool {
				_, err := os.Stat(filepath.Join(dir, name))
				return err == nil
			}) {
				t.Errorf("%s: there is no %s", path, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if named < 20 {
		t.Errorf("only %d files found: the drawings of odds and compile name more", named)
	}
}
