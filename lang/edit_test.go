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
