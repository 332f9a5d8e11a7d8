package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"setpiece/interp/assist"
	"setpiece/lang"
	"setpiece/stdlib"
)

// A text stands in one place, and everything that shows it reads it there: then it cannot
// be true here and wrong there. This test reads all that is written for people: the
// guides, the strings of the program, and what the rules say of themselves. A rule system
// is a book of its own, so what it says is compared with the rest and with itself, not
// with what other systems say.
func TestTextsStandOnce(t *testing.T) {
	common := places{}
	for _, file := range []string{"README.md", "stdlib/GUIDE.md", "stdlib/EDITOR.md", "stdlib/AUTHORS.md", "stdlib/GLOSSARY.md", "lang/LANGUAGE.md", "interp/FIGURES.md"} {
		data, err := os.ReadFile("../../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		common.add(file, fence.ReplaceAllString(string(data), "\n\n"))
	}
	for _, e := range lang.Glossary() {
		common.add("the entry "+e.Name+" ("+e.Kind+") of the glossary", e.Doc)
	}
	for _, f := range assist.Functions() {
		common.add("the function "+f.Name, f.Doc)
	}
	common.program(t, "..")
	common.report(t, nil)

	systems, clauses := map[string]places{}, map[string]map[string]bool{}
	files, _ := fs.Glob(stdlib.FS, "*/*.rules")
	for _, name := range files {
		text, err := fs.ReadFile(stdlib.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Dir(name)
		if systems[folder] == nil {
			systems[folder], clauses[folder] = places{}, map[string]bool{}
		}
		tree, _ := lang.Parse(lang.NewSource(name, string(text)))
		systems[folder].rules(name, tree, clauses[folder])
	}
	for _, p := range systems {
		p.report(t, common)
	}
	for s, why := range allowed {
		if !used[s] {
			t.Errorf("%q is allowed twice (%s) and is not there twice", s, why)
		}
	}
}

// allowed are the sentences that may stand in more than one place, with the reason.
var allowed = map[string]string{}

var used = map[string]bool{}

// places says where each sentence stands.
type places map[string][]string

var (
	fence    = regexp.MustCompile("(?ms)^````.*?^````$|^```.*?^```$|<!--.*?-->")
	pause    = regexp.MustCompile(`[.;:!?]+(?:\s+|$)|\s\|\s|\n\s*\n|\n\s*[-|]`)
	marks    = regexp.MustCompile("[`*_\"()\\[\\]]|%[a-z]")
	mostKept = 6 // words: shorter ones are no sentences
)

// add takes in the sentences of a text.
func (p places) add(where, text string) {
	for _, s := range pause.Split(text, -1) {
		words := strings.Fields(strings.ToLower(marks.ReplaceAllString(s, "")))
		if len(words) < mostKept {
			continue
		}
		s := strings.Join(words, " ")
		p[s] = append(p[s], where)
	}
}

// program takes in what the commands of a folder of packages say of themselves: texts in
// tables and structures, and the words for flags. What is printed in the course of work
// is not a text that explains something.
func (p places) program(t *testing.T, folder string) {
	fset := token.NewFileSet()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				f, ok := n.Fun.(*ast.SelectorExpr)
				return ok && strings.Contains(f.Sel.Name, "Var")
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
					p.add(fset.Position(n.Pos()).String(), text)
				}
			case *ast.FuncLit:
				return false
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// rules takes in what the declarations of a file say of themselves.
func (p places) rules(name string, file *lang.File, clauses map[string]bool) {
	var visit func(n lang.Node) bool
	doc := func(d *lang.Text) {
		if d != nil {
			p.add(name, strings.Trim(d.Raw, `"`))
		}
	}
	visit = func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Block:
			if read, _ := n.Read(); read != n {
				lang.Walk(read, visit)
				return false
			}
		case *lang.Annotated:
			doc(n.Doc)
		case *lang.Option:
			doc(n.Doc)
			for _, d := range n.Docs {
				doc(d)
			}
		case *lang.Table:
			doc(n.Doc)
		case *lang.Sheet:
			doc(n.Doc)
		case *lang.Field:
			doc(n.Doc)
		case *lang.Rule:
			doc(n.Doc)
		case *lang.Verb:
			doc(n.Doc)
		case *lang.ClauseSet:
			doc(n.Doc)
		case *lang.Clause:
			// A clause that several verbs have is declared in each.
			if n.Doc != nil && !clauses[n.Name.Name+n.Doc.Raw] {
				clauses[n.Name.Name+n.Doc.Raw] = true
				doc(n.Doc)
			}
		case *lang.Feature:
			doc(n.Doc)
		case *lang.Hook:
			doc(n.Doc)
		case *lang.Decision:
			doc(n.Doc)
			doc(n.From)
			doc(n.Default)
		case *lang.Goal:
			doc(n.Doc)
		case *lang.Check:
			doc(n.Doc)
		}
		return true
	}
	lang.Walk(file, visit)
}

// report tells what stands twice, here or here and among the others.
func (p places) report(t *testing.T, others places) {
	var list []string
	for s := range p {
		list = append(list, s)
	}
	slices.Sort(list)
	for _, s := range list {
		at := append(slices.Clone(p[s]), others[s]...)
		if len(at) < 2 {
			continue
		}
		if allowed[s] != "" {
			used[s] = true
			continue
		}
		t.Errorf("%q stands in %s", s, strings.Join(at, ", "))
	}
}
