package code

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// Operands names each operation, also one that uses no register: where it forgets one, liveness
// takes it for an operation that reads and sets nothing.
func TestOperandsOfEachOp(t *testing.T) {
	named := map[string]bool{}
	ast.Inspect(parsed(t, "operands.go"), func(n ast.Node) bool {
		f, ok := n.(*ast.FuncDecl)
		if !ok || f.Name.Name != "Operands" {
			return !ok
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CaseClause); ok {
				for _, e := range c.List {
					if id, ok := e.(*ast.Ident); ok {
						named[id.Name] = true
					}
				}
			}
			return true
		})
		return false
	})
	for _, d := range parsed(t, "op.go").Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			for _, op := range s.(*ast.ValueSpec).Names {
				if !named[op.Name] {
					t.Errorf("operands.go does not say which registers %s uses and sets; say in op.go, too, whether it Looks", op.Name)
				}
			}
		}
	}
}

func parsed(t *testing.T, file string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
