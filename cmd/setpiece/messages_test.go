package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testdata/messages lists every text that the program can show: one file for each
// package of Go and one for each rule system, in the order of the source. A new or
// changed message is read there beside its neighbours; -update writes the lists.
//
// A message that a list lacks fails. Lines that are out of place or no longer said
// fail only with SETPIECE_LONG: git joins the lists of two branches line by line
// (.gitattributes), and the next -update puts them in order.
func TestMessages(t *testing.T) {
	const dir = "../../testdata/messages"
	lists := messages(t)
	if *update {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range lists {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	old, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range old {
		if _, ok := lists[f.Name()]; !ok {
			t.Errorf("testdata/messages/%s belongs to no package; write the lists anew with -update", f.Name())
		}
	}
	for name, text := range lists {
		was, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		switch {
		case os.Getenv("SETPIECE_LONG") != "":
			if d := cmp.Diff(string(was), text); d != "" {
				t.Errorf("%s is not what the source says; %s\n%s", name, anew, d)
			}
		case len(missing(text, string(was))) > 0:
			t.Errorf("%s lacks these messages; %s\n%s", name, anew, strings.Join(missing(text, string(was)), "\n"))
		}
	}
}

const anew = "run go test ./cmd/setpiece -run TestMessages -update, and read the change"

// missing gives the lines of a text that a list does not have.
func missing(text, list string) []string {
	has := map[string]bool{}
	for line := range strings.Lines(list) {
		has[line] = true
	}
	var out []string
	for line := range strings.Lines(text) {
		if !has[line] {
			out = append(out, line)
		}
	}
	return out
}

// A message holds a word, a space and another word. What has no space in it is a
// name, or a label of one word.
var sentence = regexp.MustCompile(`[\pL%}"',:;…)] +[\pL%{"'(±…]`)

// messages gives the lists by their file names.
func messages(t *testing.T) map[string]string {
	t.Helper()
	lists := map[string]*strings.Builder{}
	put := func(list, file string, texts []string) {
		if len(texts) == 0 {
			return
		}
		b := lists[list]
		if b == nil {
			b = new(strings.Builder)
			lists[list] = b
		}
		fmt.Fprintf(b, "# %s\n", file)
		for _, s := range texts {
			s = strings.TrimRight(s, "\n ")
			b.WriteString("  " + strings.ReplaceAll(s, "\n", "\n    ") + "\n")
		}
	}
	for _, root := range []string{"lang", "interp", "cmd", "stdlib"} {
		err := filepath.WalkDir(filepath.Join("../..", root), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, _ := filepath.Rel("../..", path)
			name = filepath.ToSlash(name)
			switch {
			case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
				pkg := strings.ReplaceAll(filepath.ToSlash(filepath.Dir(name)), "/internal/", "/")
				put(strings.ReplaceAll(pkg, "/", "_")+".txt", name, goTexts(t, path))
			case strings.HasSuffix(name, ".rules"):
				put("stdlib_"+filepath.Base(filepath.Dir(name))+".txt", name, scriptTexts(t, path))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	texts := map[string]string{}
	for name, b := range lists {
		texts[name] = b.String()
	}
	return texts
}

// goTexts gives the messages of a Go file: its literals, but for tags, patterns and
// what a panic says. What is joined at run time is shown as …
func goTexts(t *testing.T, path string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			n.Tag = nil
		case *ast.CallExpr:
			switch callee(n) {
			case "panic", "MustCompile":
				return false
			}
		case *ast.BinaryExpr:
			if s, ok := joined(n); ok {
				if sentence.MatchString(s) {
					texts = append(texts, s)
				}
				return false
			}
		case *ast.BasicLit:
			if s, ok := literal(n); ok && sentence.MatchString(s) {
				texts = append(texts, s)
			}
		}
		return true
	})
	return texts
}

func callee(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

func literal(n *ast.BasicLit) (string, bool) {
	if n.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(n.Value)
	return s, err == nil
}

// joined is a sum in which a literal stands, with … for what is no literal. A part
// that is a call may have messages of its own: then the sum is left to be walked.
func joined(e ast.Expr) (s string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return literal(e)
	case *ast.ParenExpr:
		return joined(e.X)
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false
		}
		x, left := joined(e.X)
		y, right := joined(e.Y)
		if !left && !right || !left && within(e.X) || !right && within(e.Y) {
			return "", false
		}
		if !left {
			x = "…"
		}
		if !right {
			y = "…"
		}
		return x + y, true
	}
	return "", false
}

// within: a message stands somewhere inside e.
func within(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok {
			if s, ok := literal(l); ok && sentence.MatchString(s) {
				found = true
			}
		}
		return !found
	})
	return found
}

// scriptTexts gives the texts of a script: descriptions, notes, refusals, prompts.
// A description is shown with the id of its rule.
func scriptTexts(t *testing.T, path string) []string {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	id := regexp.MustCompile(`@[a-z0-9_.]+ +$`)
	var texts []string
	for line := range strings.Lines(string(src)) {
		for at := 0; at < len(line); at++ {
			switch line[at] {
			case '#':
				at = len(line)
			case '"':
				end := endOfText(line, at)
				if s := line[at+1 : end]; sentence.MatchString(s) {
					texts = append(texts, id.FindString(line[:at])+s)
				}
				at = end
			}
		}
	}
	return texts
}

// endOfText is where the text that begins at a quotation mark ends: {…} in it holds
// an expression, which may hold texts.
func endOfText(line string, at int) int {
	deep := 0
	for at++; at < len(line); at++ {
		switch c := line[at]; {
		case c == '\\':
			at++
		case c == '{':
			deep++
		case c == '}':
			deep--
		case c == '"' && deep > 0:
			at = endOfText(line, at)
		case c == '"':
			return at
		}
	}
	return len(line) - 1
}
