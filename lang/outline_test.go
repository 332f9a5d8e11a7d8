package lang

import (
	"io/fs"
	"strings"
	"testing"

	"setpiece/stdlib"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// readAll puts the bodies that an outline left in their places.
func readAll(f *File) (diags Diagnostics, bodies int) {
	Walk(f, func(n Node) bool {
		if b, ok := n.(*Block); ok && b.unread != nil {
			bodies++
			read, more := b.Read()
			diags = append(diags, more...)
			b.Stmts = read.Stmts
		}
		return true
	})
	return diags, bodies
}

func TestOutlineOfModules(t *testing.T) {
	t.Parallel()
	bodies := 0
	err := fs.WalkDir(stdlib.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".rules") || !some(name, 3) {
			return err
		}
		text, err := fs.ReadFile(stdlib.FS, name)
		if err != nil {
			return err
		}
		src := NewSource(name, string(text))
		want, diags := Parse(src)
		got, more := Outline(src)
		var hidden []string
		Walk(got, func(n Node) bool {
			if b, ok := n.(*Block); ok {
				for _, a := range b.Annotations() {
					hidden = append(hidden, spanText(a.IDSpan)+" "+docText(a.Doc))
				}
			}
			return true
		})
		read, n := readAll(got)
		bodies += n
		if diags, more = append(diags, read...), append(diags, more...); len(diags)+len(more) > 0 {
			t.Errorf("%s: %v %v", name, diags, more)
		}
		if diff := cmp.Diff(Print(want), Print(got)); diff != "" {
			t.Error(diff)
		}
		same := cmp.Options{cmpopts.IgnoreUnexported(Block{}), sameSource}
		if !cmp.Equal(want, got, same) {
			t.Error(cmp.Diff(want, got, same))
		}
		var inside []string
		Walk(got, func(n Node) bool {
			if b, ok := n.(*Block); ok && b.unread != nil {
				for _, s := range b.Stmts {
					Walk(s, func(n Node) bool {
						if a, ok := n.(*Annotated); ok {
							inside = append(inside, spanText(a.IDSpan)+" "+docText(a.Doc))
						}
						return true
					})
				}
				return false
			}
			return true
		})
		if diff := cmp.Diff(inside, hidden); diff != "" {
			t.Errorf("%s: annotations: %s", name, diff)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if bodies < 100 {
		t.Errorf("only %d bodies were left", bodies)
	}
}

var sameSource = cmp.Comparer(func(a, b *Source) bool { return a == b })

func spanText(s Span) string { return s.Src.Text[s.Start:s.End] }

func docText(t *Text) string {
	if t == nil {
		return ""
	}
	return spanText(t.Span)
}

func TestOutline(t *testing.T) {
	tests := map[string]struct {
		text   string
		bodies int    // that are left
		first  string // the mistake that Outline tells
		later  string // the mistake that reading them tells
	}{
		"rule":                   {"rule f(x) { return x }", 1, "", ""},
		"expression":             {"rule f(x) = x + 1", 0, "", ""},
		"default in parameters":  {"rule f(x = 1) { return x }", 1, "", ""},
		"handlers":               {"feature f on hero {\n  on a(x) when x > 1 { y = 1 }\n  @id \"doc\"\n  on b { z = 2 }\n}", 2, "", ""},
		"a field behind":         {"feature f on hero {\n  on a { }\n  n number = 2\n}", 1, "", ""},
		"verb":                   {"verb v (x number) {\n  clause a\n  do { return x }\n}", 1, "", ""},
		"test":                   {"test \"t\" {\n  expect 1 == 1\n}", 1, "", ""},
		"outcomes are read":      {"rule f(x) {\n  outcome done margin x\n}", 0, "", ""},
		"tactics are read":       {"tactics Fang {\n  on reroll: yes\n  otherwise: attack Nova\n}", 0, "", ""},
		"scene":                  {"fight {\n  roll x\n}", 0, "", ""},
		"new in a condition":     {"feature f on hero {\n  on a when new x(n: 1) == 2 { y = 1 }\n}", 1, "", ""},
		"mistake in a body":      {"rule f(x) { return ) }\nrule g { let = 2 }", 2, "", ") has no ( before it"},
		"mistake outside":        {"rule f(x) { return 1 }\nrule = 2", 0, "expected a name", ""},
		"never closed":           {"rule f(x) {\n  return 1\n", 0, "{ has no closing }", ""},
		"bracket in a body":      {"rule f(x) {\n  return (1\n}\nrule g = 2", 1, "", "expected ) after 1"},
		"annotation with no end": {"rule f(x) {\n  @a.\n}", 1, "", "expected"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f, diags := Outline(NewSource("", tt.text))
			later, n := readAll(f)
			if n != tt.bodies {
				t.Errorf("%d bodies were left, not %d", n, tt.bodies)
			}
			for _, c := range []struct {
				diags Diagnostics
				want  string
			}{{diags, tt.first}, {later, tt.later}} {
				switch {
				case c.want == "" && len(c.diags) > 0:
					t.Errorf("unexpected: %v", c.diags)
				case c.want != "" && (len(c.diags) == 0 || !strings.HasPrefix(c.diags[0].Message, c.want)):
					t.Errorf("wanted %q, got %v", c.want, c.diags)
				}
			}
			if again, _ := readAll(f); len(again) != len(later) {
				t.Errorf("read again, it tells of %d mistakes, not %d", len(again), len(later))
			}
		})
	}
}

// TestOutlineOfAMistakeInAnAnnotation finds a mistake that is seen when a body is left for
// later.
func TestOutlineOfAMistakeInAnAnnotation(t *testing.T) {
	text := "rule f() {\n  @tiny.f \"one\\q\"\n  return 1\n}\n"
	_, want := Parse(NewSource("", text))
	_, got := Outline(NewSource("", text))
	if len(want) != 1 || len(got) != 1 || got[0].Message != want[0].Message {
		t.Errorf("outlined: %v, parsed: %v", got, want)
	}
}
