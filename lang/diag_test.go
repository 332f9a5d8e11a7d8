package lang

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// at is the span of the part of the source between the marks « and », which are
// taken out of it.
func at(name, marked string) Span {
	start := strings.Index(marked, "«")
	end := strings.Index(marked, "»") - len("«")
	text := strings.NewReplacer("«", "", "»", "").Replace(marked)
	return Span{Src: NewSource(name, text), Start: int32(start), End: int32(end)}
}

func TestFormat(t *testing.T) {
	second := at("two.rules", "one\n«two» three")
	tests := []struct {
		name string
		diag Diagnostic
		want string
	}{
		{
			"file", Diagnostic{
				Span:    at("bog.scene", strings.Repeat("\n", 13)+`  "Sludge Lord": attack Valorus with «OOZING_PUNHC» against DEXTROUS`),
				Message: `"Sludge Lord" has no trait OOZING_PUNHC`, Help: "did you mean OOZING_PUNCH 4?",
			}, `bog.scene:14:38: "Sludge Lord" has no trait OOZING_PUNHC
   14 |   "Sludge Lord": attack Valorus with OOZING_PUNHC against DEXTROUS
      |                                      ^^^^^^^^^^^^ did you mean OOZING_PUNCH 4?
`,
		},
		{
			"prompt", Diagnostic{Span: at("", "roll DEMOLITIONS 4 «lnik» STEADY_HANDS 2"), Message: `roll has no clause "lnik"`, Help: "did you mean link?"},
			`1:20: roll has no clause "lnik"
   1 | roll DEMOLITIONS 4 lnik STEADY_HANDS 2
     |                    ^^^^ did you mean link?
`,
		},
		{
			"warning with notes", Diagnostic{
				Span: at("one.rules", "let «x» = 3"), Severity: Warning, Message: "x is never read",
				Notes: []Note{{Message: "a remark"}, {second, "it hides this"}},
			}, `one.rules:1:5: warning: x is never read
   1 | let x = 3
     |     ^
     = a remark
     = two.rules:2:1
   2 | two three
     | ^^^ it hides this
`,
		},
		{
			"tabs and wide runes", Diagnostic{Span: at("", "\tx\t日本 «本d»\t# c"), Message: "wide"},
			"1:14: wide\n   1 |     x   日本 本d    # c\n     |              ^^^\n",
		},
		{
			"nothing but a place", Diagnostic{Span: at("", "if x«»"), Message: "more"},
			"1:5: more\n   1 | if x\n     |     ^\n",
		},
		{
			"over the end of the line", Diagnostic{Span: at("", "a «b\nc» d"), Message: "two lines"},
			"1:3: two lines\n   1 | a b\n     |   ^\n",
		},
		{"no place", Diagnostic{Message: "no module foo", Help: "did you mean fox?"}, "no module foo\n     = did you mean fox?\n"},
		{
			"control characters", Diagnostic{Span: at("", "a\x1b[31m «b»"), Message: "odd"},
			"1:8: odd\n   1 | a\uFFFD[31m b\n     |        ^\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.diag.Format(Palette{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestFormatLongLine(t *testing.T) {
	d := Diagnostic{Span: at("", strings.Repeat("x ", 5000)+"«here»"+strings.Repeat(" y", 5000)), Message: "far"}
	lines := strings.Split(d.Format(Palette{}), "\n")
	if len(lines[1]) > 250 || strings.Index(lines[1], "here")-len("…")+1 != strings.Index(lines[2], "^^^^") {
		t.Errorf("got\n%s\n%s", lines[1], lines[2])
	}
}

func TestFormatPalette(t *testing.T) {
	mark := func(s string) func(string) string { return func(text string) string { return s + text + s } }
	d := Diagnostic{Span: at("a", "x «y»"), Message: "m", Help: "h", Notes: []Note{{Message: "n"}}}
	got := d.Format(Palette{Place: mark("p"), Error: mark("e"), Source: mark("s"), Caret: mark("c"), Note: mark("n")})
	for _, part := range []string{"pa:1:3: p", "eme", "s   1 | x ys", "c^ hc", "nnn"} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in %q", part, got)
		}
	}
}

func TestDiagnostics(t *testing.T) {
	src := NewSource("f", "roll a, , b\nlet = 3\n")
	_, diags := Parse(src)
	if len(diags) != 2 || !diags.Errors() || diags.Incomplete() {
		t.Fatalf("got %v", diags)
	}
	var err error = diags
	if want := "f:1:9: expected another operand after ,, found ,\nf:2:5: expected a name after \"let\", found ="; err.Error() != want {
		t.Errorf("got %q", err)
	}
	var d *Diagnostic
	if !errors.As(error(diags[0]), &d) || d.Error() != "f:1:9: expected another operand after ,, found ," {
		t.Errorf("got %v", d)
	}
	if got := strings.Count(diags.Format(Palette{}), "\n"); got != 7 {
		t.Errorf("got %d lines:\n%s", got, diags.Format(Palette{}))
	}
	mixed := Diagnostics{diags[1], {Message: "no place", Severity: Warning}, diags[0]}
	mixed.Sort()
	if mixed[0].Message != "no place" || mixed[1] != diags[0] || mixed[2] != diags[1] {
		t.Errorf("sorted to %v", mixed)
	}
	if (Diagnostics{mixed[0]}).Errors() {
		t.Error("a warning is taken for an error")
	}
}

func TestIncomplete(t *testing.T) {
	tests := []struct {
		text string
		want bool
	}{
		{"roll x", false},
		{"hero X {", true},
		{"hero X {\n  star 3\n", true},
		{"hero X {\n  star 3\n}", false},
		{"hero X { star 3, ", true},
		{"foo(1,", true},
		{"foo(1", true},
		{"let x = [", true},
		{"let x = [\n  1,\n  2", true},
		{"let x = [\n  1,\n  2\n]", false},
		{"rule f(", true},
		{"rule f(a,", true},
		{"rule f(x) =", true},
		{"rule f(x)", false},
		{"let x = 1 +", true},
		{"let x =   # why", true},
		{"x and", true},
		{"roll a,", true},
		{"spans a >", true},
		{"option a = b |", true},
		{"table t(x) { a =>", true},
		{"if x", false},
		{"let = {", false},
		{"let = 3\nhero X {", false},
		{`print "abc`, false},
		{`print "a {b +} c"`, false},
		{`@a.b "doc"`, false},
		{"f(]", true},
		{")", false},
	}
	for _, tt := range tests {
		_, diags := Parse(NewSource("", tt.text))
		if got := diags.Incomplete(); got != tt.want {
			t.Errorf("%q: got %v, want %v\n%s", tt.text, got, tt.want, diags.Format(Palette{}))
		}
	}
}

// On a narrow terminal only the surroundings of the mistake are shown, so that the carets
// stand under it, and the help goes below where it does not fit.
func TestFormatNarrow(t *testing.T) {
	line := strings.Repeat("abcdefghi ", 6) + "WRONG" + strings.Repeat(" abcdefghi", 6)
	src := NewSource("a.scene", line)
	d := &Diagnostic{Span: Span{src, 60, 65}, Message: "not this", Help: "write something else, which is longer than the line"}
	want := `a.scene:1:61: not this
   1 | …abcdefghi abcdefghi WRONG abcdefghi abcdefghi…
     |                      ^^^^^
     = write something else, which is longer than the line
`
	if got := d.Format(Palette{Width: 74}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	d.Help = "write this"
	if got := d.Format(Palette{Width: 200}); !strings.Contains(got, "\n   1 | "+line+"\n") || !strings.Contains(got, "^ write this\n") {
		t.Errorf("a wide terminal shows\n%s", got)
	}
}
