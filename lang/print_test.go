package lang

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// sameTree compares trees without their places.
var sameTree = cmp.Options{cmpopts.IgnoreTypes(Span{}), cmpopts.IgnoreFields(File{}, "Comments"), cmpopts.IgnoreUnexported(Block{})}

// printLaws checks what Print promises, for a source without mistakes.
func printLaws(t *testing.T, text string) {
	t.Helper()
	f, diags := Parse(NewSource("in", text))
	if diags.Errors() {
		return
	}
	once := Print(f)
	g, diags := Parse(NewSource("printed", once))
	if len(diags) > 0 {
		t.Fatalf("the print does not parse:\n%s\nprinted:\n%s\nfrom:\n%s", diags.Format(Palette{}), once, text)
	}
	if !cmp.Equal(f, g, sameTree) {
		t.Fatalf("another tree (-was +printed):\n%s\nprinted:\n%s\nfrom:\n%s", cmp.Diff(f, g, sameTree), once, text)
	}
	if diff := cmp.Diff(commentTexts(f), commentTexts(g)); diff != "" {
		t.Fatalf("other comments (-was +printed):\n%s\nprinted:\n%s\nfrom:\n%s", diff, once, text)
	}
	if twice := Print(g); twice != once {
		t.Fatalf("printing again differs:\n%s\nfrom:\n%s", cmp.Diff(once, twice), text)
	}
}

func commentTexts(f *File) []string {
	var out []string
	for _, c := range f.Comments {
		out = append(out, c.Text)
	}
	return out
}

func TestPrintLaws(t *testing.T) {
	files := sources(t, "testdata/lang/*.scene", "testdata/lang/*.rules", "testdata/*/*.scene", "stdlib/*/*.rules", "scripts/*/*.scene")
	for name, text := range files {
		if !some(name, 5) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			printLaws(t, text)
		})
	}
}

// TestPrint shows what becomes of a file that was typed carelessly.
func TestPrint(t *testing.T) {
	dir := filepath.Join("..", "testdata", "lang", "print")
	text, err := os.ReadFile(filepath.Join(dir, "careless.txt"))
	if err != nil {
		t.Fatal(err)
	}
	printLaws(t, string(text))
	f, diags := Parse(NewSource("careless.txt", string(text)))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	golden(t, filepath.Join(dir, "careless.golden"), Print(f))
}

// TestPrintByHand prints a tree that comes from no source.
func TestPrintByHand(t *testing.T) {
	word := func(s string) *Word { return &Word{Name: s} }
	f := &File{Stmts: []Stmt{
		&Annotated{ID: "a.b", Stmt: &Rule{Name: Ident{Name: "f"}, Parens: true, Value: &Binary{Op: "+", X: word("a"), Y: word("b")}}},
		&Annotated{ID: "c.d"},
		&Command{Head: word("hero"), Args: []Arg{{Expr: &Name{Name: "Ann"}}}, Block: &Block{Stmts: []Stmt{
			&Command{Head: &Caps{Name: "ROPE"}, Args: []Arg{{Expr: &Num{Text: "3"}}}},
		}}},
		&Table{Name: Ident{Name: "t"}, Rows: []Row{{Value: &List{Elems: []Expr{word("x"), word("y")}}}}},
	}}
	want := "@a.b\nrule f() = a + b\n@c.d\n\nhero Ann {\n  ROPE 3\n}\ntable t {\n  else => [x, y]\n}\n"
	if diff := cmp.Diff(want, Print(f)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
