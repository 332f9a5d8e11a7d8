package lang

import (
	"strings"
	"testing"
)

// An excerpt is read as if the rest of the page were not there, and what is wrong with it
// stands where it stands on the page.
func TestExcerpt(t *testing.T) {
	page := "# Ünder the hill\n\n> let x = )\n> print 1\nrest {{{\n"
	at := strings.Index(page, "let")
	src := NewExcerpt("hill.md", page, []Extent{{at, at + len("let x = )\n")}, {at + len("let x = )\n> "), at + len("let x = )\n> print 1\n")}})
	_, diags := Parse(src)
	want := "hill.md:3:11: expected a value after =, found )\n   3 | > let x = )\n"
	if got := diags.Format(Palette{}); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	end := int32(at + len("let x = "))
	fixed := src.Edited(Edit{Span: Span{src, end, end + 1}, New: "2"})
	if want := strings.Replace(page, "x = )", "x = 2", 1); fixed.Page() != want {
		t.Errorf("the page is\n%s, want\n%s", fixed.Page(), want)
	}
	if _, diags := Parse(fixed); len(diags) > 0 {
		t.Errorf("the edited excerpt: %v", diags)
	}
	again := RestoreExcerpt(fixed.Name, fixed.Text, fixed.Page())
	if got, want := again.Line(4), "> print 1"; got != want || !again.Excerpt() {
		t.Errorf("line 4 is %q, want %q", got, want)
	}
}
