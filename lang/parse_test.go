package lang

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// corpus are the sources that every law is tested with.
func corpus(t testing.TB) map[string]string {
	t.Helper()
	return sources(t, "testdata/lang/*.scene", "testdata/lang/*.rules")
}

// sources reads the files of the repository that match one of the patterns.
func sources(t testing.TB, patterns ...string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, pattern := range patterns {
		paths, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files[filepath.Base(path)] = string(text)
		}
	}
	if len(files) == 0 {
		t.Fatal("no sources match", patterns)
	}
	return files
}

func TestCorpusParses(t *testing.T) {
	for name, text := range corpus(t) {
		_, diags := Parse(NewSource(name, text))
		for _, d := range diags {
			t.Error(d)
		}
	}
}

// TestParseTogether parses in several goroutines: parsers are used again, and
// must not share what belongs to one parse.
func TestParseTogether(t *testing.T) {
	t.Parallel()
	files := corpus(t)
	many := 3
	if longTests {
		many = 8
	}
	var group sync.WaitGroup
	for name, text := range files {
		want, _ := Parse(NewSource(name, text))
		for range many {
			group.Go(func() {
				got, diags := Parse(NewSource(name, text))
				if len(diags) > 0 || !cmp.Equal(want, got, sameTree) {
					t.Errorf("%s: parsed differently beside others", name)
				}
			})
		}
	}
	group.Wait()
}

// TestBadStatements looks whether what cannot be parsed has its place in the
// tree, and what can be is there.
func TestBadStatements(t *testing.T) {
	const text = "roll x\nlet = 3\nhero X {\n  a 1\n  b = = 2\n  c 3\n}\nroll y ) z\n"
	f, diags := Parse(NewSource("", text))
	if len(diags) != 3 {
		t.Errorf("got %v", diags)
	}
	var bad []string
	Walk(f, func(n Node) bool {
		if b, ok := n.(*Bad); ok {
			bad = append(bad, text[b.Start:b.End])
		}
		return true
	})
	if want := []string{"let = 3", "b = = 2", "roll y ) z"}; !slices.Equal(bad, want) {
		t.Errorf("bad are %q, want %q", bad, want)
	}
	if got := Print(f); got != text {
		t.Errorf("printed as\n%s", got)
	}
}

// What a clause needs stands below it.
func TestNeedsOnTheLineOfAClause(t *testing.T) {
	_, diags := Parse(NewSource("x.rules", "clauses c {\n  clause fast \"quick\" needs who.luck > 0 \"no luck\"\n}\n"))
	if len(diags) != 1 || diags[0].Help != "write needs on a line of its own, after the clause that it is about" {
		t.Errorf("got %v", diags)
	}
}

// needs says what it takes.
func TestNeedsWithoutAText(t *testing.T) {
	for _, c := range []struct{ line, message, help string }{
		{"needs who.luck > 0", "expected a text after 0, found the end of the line", `say after the condition what it takes:  needs who.luck > 0 "…"`},
		{"needs (who.luck)", "expected a text after ), found the end of the line", `say after the condition what it takes:  needs (who.luck) "…"`},
		{"needs", "expected a value after \"needs\", found the end of the line", ""},
	} {
		_, diags := Parse(NewSource("x.rules", "clauses c {\n  clause fast\n    "+c.line+"\n}\n"))
		if len(diags) != 1 || diags[0].Message != c.message || diags[0].Help != c.help {
			t.Errorf("%s: got %v", c.line, diags)
		}
		if c.help == "" {
			continue
		}
		_, typed, _ := strings.Cut(c.help, "  ")
		if _, diags := Parse(NewSource("x.rules", "clauses c {\n  clause fast\n    "+typed+"\n}\n")); len(diags) > 0 {
			t.Errorf("%s: %v", typed, diags)
		}
	}
}

func TestParseExpr(t *testing.T) {
	x, diags := ParseExpr(NewSource("", " 1 + 2 # sum"))
	if got := dump(x); got != "(Binary op=+ x=1 y=2)" || len(diags) > 0 {
		t.Errorf("got %s, %v", got, diags)
	}
	for text, want := range map[string]string{
		"":                          "expected a value, found the end",
		"1 2":                       "expected the end of the line after 1, found 2",
		"let x = 3":                 `expected a value, found "let"`,
		strings.Repeat("(", 10_000): "this is nested too deeply",
	} {
		x, diags := ParseExpr(NewSource("", text))
		if x != nil || len(diags) != 1 || diags[0].Message != want {
			t.Errorf("%.20q: got %v, %v", text, x, diags)
		}
	}
}
