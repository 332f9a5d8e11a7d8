package lang

import (
	"fmt"
	"go/ast"
	"go/format"
	goparser "go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"
)

// TestParts generates parts.go from the structs of tree.go and compares it with the file.
func TestParts(t *testing.T) {
	file, err := goparser.ParseFile(token.NewFileSet(), "tree.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	g := partsOf{structs: map[string]*ast.StructType{}, unions: map[string]bool{}}
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			switch s := spec.Type.(type) {
			case *ast.StructType:
				g.structs[spec.Name.Name], names = s, append(names, spec.Name.Name)
			case *ast.InterfaceType:
				g.unions[spec.Name.Name] = true
			}
		}
		return true
	})
	g.line("// Code generated from tree.go by go test ./lang -run Parts -update. DO NOT EDIT.\n\npackage lang")
	for _, name := range names {
		before := len(g.lines)
		if !g.isNode(name) {
			continue
		}
		g.line("\nfunc (n *%s) within(w *walker) {", name)
		if g.fields(name, "n"); len(g.lines) == before+1 {
			g.lines = g.lines[:before] // as a Span has it
			continue
		}
		g.line("}")
	}
	code, err := format.Source([]byte(strings.Join(g.lines, "\n")))
	if err != nil {
		t.Fatalf("%v\n%s", err, strings.Join(g.lines, "\n"))
	}
	if *update {
		if err := os.WriteFile("parts.go", code, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	now, err := os.ReadFile("parts.go")
	if err != nil {
		t.Fatal(err)
	}
	if changed := diff.Diff(string(now), string(code)); changed != "" {
		t.Errorf("the tree has changed (-parts.go +tree.go); go test ./lang -run Parts -update writes the file anew\n%s", changed)
	}
}

type partsOf struct {
	structs map[string]*ast.StructType
	unions  map[string]bool // of several kinds of nodes
	lines   []string
}

func (g *partsOf) line(s string, args ...any) { g.lines = append(g.lines, fmt.Sprintf(s, args...)) }

// isNode says whether a pointer to a struct is visited. A type is no node, but its names are.
func (g *partsOf) isNode(name string) bool {
	s := g.structs[name]
	return s != nil && name != "TypeRef" && slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool {
		id, ok := f.Type.(*ast.Ident)
		return ok && len(f.Names) == 0 && id.Name == "Span"
	})
}

// fields notes the parts in a struct.
func (g *partsOf) fields(of, path string) {
	for _, f := range g.structs[of].Fields.List {
		if f.Tag != nil && f.Tag.Value == "`walk:\"no\"`" {
			continue
		}
		for _, name := range f.Names {
			if name.IsExported() {
				g.field(f.Type, path+"."+name.Name)
			}
		}
	}
}

func (g *partsOf) field(typ ast.Expr, path string) {
	switch typ := typ.(type) {
	case *ast.StarExpr:
		if g.isNode(fmt.Sprint(typ.X)) {
			g.line("one(w, %s)", path)
		}
	case *ast.Ident:
		switch {
		case g.isNode(typ.Name):
			g.line("one(w, &%s)", path)
		case g.structs[typ.Name] != nil && typ.Name != "Span":
			g.fields(typ.Name, path)
		case g.unions[typ.Name]:
			g.line("w.any(%s)", path)
		}
	case *ast.ArrayType:
		if id, ok := typ.Elt.(*ast.Ident); ok && g.isNode(id.Name) {
			g.line("each(w, %s)", path)
			return
		}
		before := len(g.lines)
		g.line("for i := range %s {", path)
		if g.field(typ.Elt, path+"[i]"); len(g.lines) == before+1 {
			g.lines = g.lines[:before]
		} else {
			g.line("}")
		}
	}
}
