package lang

import (
	"fmt"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"testing"
)

// TestWalkVisitsEverything looks whether each kind of node of tree.go is met in
// the file that has every construct.
func TestWalkVisitsEverything(t *testing.T) {
	f, _ := Parse(NewSource("", corpus(t)["everything.rules"]+"\n)\n"))
	seen := map[string]bool{}
	Walk(f, func(n Node) bool {
		seen[fmt.Sprintf("%T", n)] = true
		return true
	})
	never := map[string]bool{"Source": true, "Span": true, "Comment": true, "TypeRef": true, "Arg": true, "Face": true}
	for _, name := range structsOf(t, "tree.go") {
		if !never[name] && !seen["*lang."+name] {
			t.Errorf("no %s was visited: write one into testdata/lang/everything.rules", name)
		}
	}
}

func structsOf(t *testing.T, path string) []string {
	t.Helper()
	file, err := goparser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			if _, ok := spec.Type.(*ast.StructType); ok {
				names = append(names, spec.Name.Name)
			}
		}
		return true
	})
	return names
}

func TestWalkGoesFromLeftToRight(t *testing.T) {
	for name, text := range corpus(t) {
		f, _ := Parse(NewSource(name, text))
		last := int32(0)
		Walk(f, func(n Node) bool {
			start := n.Range().Start
			if start < last {
				t.Errorf("%s: %T at %s comes after its right neighbour", name, n, place(n.Range()))
			}
			last = start
			return true
		})
	}
}

func TestWalkLeavesOut(t *testing.T) {
	f, _ := Parse(NewSource("", "roll a + b { c }\nd"))
	count := 0
	Walk(f, func(n Node) bool {
		count++
		_, command := n.(*Command)
		return !command
	})
	if count != 3 {
		t.Errorf("visited %d nodes, want the file and two commands", count)
	}
}
