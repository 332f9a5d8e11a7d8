package lang

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// sameTree compares trees without their places.
var sameTree = cmp.Options{cmpopts.IgnoreTypes(Span{}), cmpopts.IgnoreFields(File{}, "Comments")}

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
	if diff := cmp.Diff(f, g, sameTree); diff != "" {
		t.Fatalf("another tree (-was +printed):\n%s\nprinted:\n%s\nfrom:\n%s", diff, once, text)
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
	for name, text := range corpus(t) {
		t.Run(name, func(t *testing.T) { printLaws(t, text) })
	}
}
