package interp_test

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A switch that names two thirds of the kinds of something or more (of events, nodes, values, instructions,
// statements) is meant for all of them: it names each, so that a new kind is a decision in each such place.
// With a default alone it would be overlooked.
func TestClosedSwitches(t *testing.T) {
	k := readKindsOf(t)
	checked := 0
	for _, f := range k.files {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			var body *ast.BlockStmt
			switch n := n.(type) {
			case *ast.SwitchStmt:
				if body = n.Body; n.Tag == nil {
					return true
				}
			case *ast.TypeSwitchStmt:
				body = n.Body
			default:
				return true
			}
			kind, named := k.named(f, body)
			if all := k.members[kind]; kind != "" && len(all) > 4 && 3*len(named) >= 2*len(all) {
				checked++
				for _, m := range all {
					if !slices.Contains(named, m) {
						t.Errorf("%s: this switch names %d of the %d kinds of %s, but not %s", k.set.Position(n.Pos()), len(named), len(all), path.Base(kind), path.Base(m))
					}
				}
			}
			return true
		})
	}
	if checked < 15 {
		t.Errorf("only %d switches were looked at", checked)
	}
}

// kindsOf knows the constants of each type, and the types of each union: those with the same method that does
// nothing, as stmt of statements.
type kindsOf struct {
	set     *gotoken.FileSet
	files   []kindsFile
	of      map[string]string   // what a constant or a type is one of
	members map[string][]string // in the order in which they are declared
}

type kindsFile struct {
	tree    *ast.File
	folder  string
	imports map[string]string // folders, by the name of the package
}

func readKindsOf(t *testing.T) *kindsOf {
	k := &kindsOf{gotoken.NewFileSet(), nil, map[string]string{}, map[string][]string{}}
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		tree, err := parser.ParseFile(k.set, name, nil, 0)
		if err != nil {
			return err
		}
		f := kindsFile{tree, path.Dir(filepath.ToSlash(name)), map[string]string{}}
		for _, i := range tree.Imports {
			imported, _ := strconv.Unquote(i.Path.Value)
			as := path.Base(imported)
			if i.Name != nil {
				as = i.Name.Name
			}
			f.imports[as] = strings.Replace(imported, "setpiece/", "../", 1)
		}
		k.files = append(k.files, f)
		for _, d := range tree.Decls {
			k.declared(f, d)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func (k *kindsOf) declared(f kindsFile, d ast.Decl) {
	add := func(kind, member string) {
		kind, member = f.folder+"."+kind, f.folder+"."+member
		k.of[member], k.members[kind] = kind, append(k.members[kind], member)
	}
	switch d := d.(type) {
	case *ast.GenDecl:
		kind := ""
		for _, s := range d.Specs {
			v, ok := s.(*ast.ValueSpec)
			if !ok || d.Tok != gotoken.CONST {
				return
			}
			if id, ok := v.Type.(*ast.Ident); ok || len(v.Values) > 0 {
				kind = ""
				if ok && id.Name != "string" && id.Name != "int" {
					kind = id.Name
				}
			}
			for _, name := range v.Names {
				if kind != "" && name.Name != "_" {
					add(kind, name.Name)
				}
			}
		}
	case *ast.FuncDecl:
		if d.Recv != nil && d.Body != nil && len(d.Body.List)+d.Type.Params.NumFields()+d.Type.Results.NumFields() == 0 {
			of := d.Recv.List[0].Type
			if p, ok := of.(*ast.StarExpr); ok {
				of = p.X
			}
			if id, ok := of.(*ast.Ident); ok {
				add(d.Name.Name, id.Name)
			}
		}
	}
}

// named gives what the cases of a switch name, if all of that is of one kind.
func (k *kindsOf) named(f kindsFile, body *ast.BlockStmt) (kind string, named []string) {
	for _, c := range body.List {
		for _, x := range c.(*ast.CaseClause).List {
			if p, ok := x.(*ast.StarExpr); ok {
				x = p.X
			}
			member := ""
			switch x := x.(type) {
			case *ast.Ident:
				member = f.folder + "." + x.Name
			case *ast.SelectorExpr:
				if id, ok := x.X.(*ast.Ident); ok {
					member = f.imports[id.Name] + "." + x.Sel.Name
				}
			}
			of := k.of[member]
			if of == "" || kind != "" && of != kind {
				return "", nil
			}
			kind, named = of, append(named, member)
		}
	}
	return kind, slices.Compact(slices.Sorted(slices.Values(named)))
}
