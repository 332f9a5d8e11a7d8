package lang

import (
	"strings"
	"testing"
)

// A message about what an edit put in, and says where it came from, shows that alone, whatever
// was edited before or after.
func TestShown(t *testing.T) {
	src := NewSource("hill.scene", "let a = 1\nlet b = 2\n")
	at := func(s *Source, word string) Span {
		i := int32(strings.Index(s.Text, word))
		return Span{s, i, i + int32(len(word))}
	}
	src = src.Edited(Edit{Span: at(src, "1"), New: "one two", From: "--let a"})
	src = src.Given(len(src.Text), "report ", "a + b", "\n", "--goal")
	src = src.Edited(Edit{Span: at(src, "let b = 2\n"), New: ""}, Edit{Span: at(src, "let"), New: "# before\nlet"})
	if want := "# before\nlet a = one two\nreport a + b\n"; src.Text != want {
		t.Fatalf("edited: %q, not %q", src.Text, want)
	}
	for word, want := range map[string]string{
		"two":    "--let a:1:5: no\n   1 | one two\n     |     ^^^ so\n",
		"+ b":    "--goal:1:3: no\n   1 | a + b\n     |   ^^^ so\n",
		"report": "hill.scene:3:1: no\n   3 | report a + b\n     | ^^^^^^ so\n",
	} {
		d := &Diagnostic{Span: at(src, word), Message: "no", Help: "so"}
		if got := d.Format(Palette{}); got != want {
			t.Errorf("%s:\n%s, not\n%s", word, got, want)
		}
	}
	src = src.Edited(Edit{Span: at(src, "one two"), New: "3"})
	if got := at(src, "3").Shown(); got.Src != src {
		t.Errorf("what took its place is still shown as %s", got.Src.Name)
	}
}

// What nobody typed is in no message: neither before a mistake, nor behind it, nor where it was moved.
func TestUnseen(t *testing.T) {
	typed := NewSource("", "let a = 1; a + x; b given c")
	span := func(s *Source, word string) Span {
		i := int32(strings.Index(s.Text, word))
		return Span{s, i, i + int32(len(word))}
	}
	before := func(s *Source, word string) Edit {
		at := span(s, word)
		at.End = at.Start
		return Edit{Span: at, New: "report "}
	}
	src := typed.Unseen(Edit{Span: span(typed, " given c")})
	src = src.Unseen(before(src, "b"), before(src, "a + x"))
	end := Span{src, int32(len(src.Text)), int32(len(src.Text))}
	src = src.Edited(Edit{Span: end, New: "; report "}, Edit{Span: end, New: "c", Of: span(typed, "c")})
	if want := "let a = 1; report a + x; report b; report c"; src.Text != want {
		t.Fatalf("edited: %q, not %q", src.Text, want)
	}
	for word, want := range map[string]string{"x": "x", "b": "b", "report a + x": "a + x", "1": "1"} {
		if got := span(src, word).Shown(); got != span(typed, want) {
			t.Errorf("%s is shown as %q at %d", word, got.Src.Text, got.Start)
		}
	}
	last := Span{src, int32(len(src.Text)) - 1, int32(len(src.Text))}
	if got := last.Shown(); got != span(typed, "c") {
		t.Errorf("c is shown as %q at %d", got.Src.Text, got.Start)
	}
}
