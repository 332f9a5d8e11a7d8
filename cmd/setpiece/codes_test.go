package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"setpiece/cmd/internal/notes"
	"setpiece/interp"
	"setpiece/interp/never"
	"setpiece/interp/verify"
	"setpiece/lang"
	"setpiece/stdlib"
)

// Each form of a message has a code, where it is made, and each code a page under a heading that
// says the form: so a code means one thing, and none can be given away again. What the program no
// longer says keeps its page, which says so.
func TestCodes(t *testing.T) {
	forms := codes(t)
	var last string
	for _, p := range lang.CodePages() {
		number := 0
		fmt.Sscanf(p.Code, "SP%04d", &number)
		if follows := fmt.Sprintf("SP%04d", number-1); last != "" && last != follows && !strings.HasSuffix(p.Code, "01") {
			t.Errorf("%s follows %s: no code may vanish", p.Code, last)
		}
		last = p.Code
		form, said := forms[p.Code]
		delete(forms, p.Code)
		switch gone := strings.HasPrefix(p.Text, noLonger); {
		case gone == said:
			t.Errorf("%s: the page must say whether setpiece says this", p.Code)
		case said && !says(p.Title, form):
			t.Errorf("%s is %q, and its page is about %q", p.Code, form, p.Title)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(forms)) {
		t.Errorf("there is no page: ## %s %s", code, forms[code])
	}
}

// says holds if a title has the words of a form in their order.
func says(title, form string) bool {
	for _, w := range wordsOf(form) {
		_, after, ok := strings.Cut(title, w)
		if !ok {
			return false
		}
		title = after
	}
	return true
}

// wordsOf are the words of a form, without what stands in for others.
func wordsOf(form string) []string {
	return regexp.MustCompile(`[\pL']+`).FindAllString(regexp.MustCompile(`%[a-z]`).ReplaceAllString(form, ""), -1)
}

var codeText = regexp.MustCompile(`^SP\d{4}$`)

// codes gives the forms of messages by the codes that stand before them in the source.
func codes(t *testing.T) map[string]string {
	t.Helper()
	forms := map[string]string{}
	add := func(code, form ast.Expr, at string) {
		l, ok := code.(*ast.BasicLit)
		if !ok {
			return
		}
		c, ok := literal(l)
		if !ok || !codeText.MatchString(c) {
			return
		}
		if call, ok := form.(*ast.CallExpr); ok && len(call.Args) > 0 {
			form = call.Args[0]
		}
		f := ""
		if form != nil {
			f, _ = joined(form)
		}
		if was, twice := forms[c]; twice && !slices.Equal(wordsOf(was), wordsOf(f)) && was != "" && f != "" {
			t.Errorf("%s: %s is %q and %q", at, c, was, f)
		}
		forms[c] = max(f, forms[c])
	}
	for _, root := range []string{"lang", "interp", "cmd"} {
		err := filepath.WalkDir(filepath.Join("../..", root), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr: // code, form; or code, help, form
					for i, x := range n.Args {
						if next := n.Args[i+1:]; len(next) > 0 {
							if callee(n) == "wrong" && len(next) > 1 {
								next = next[1:]
							}
							add(x, next[0], path)
						}
					}
				case *ast.CompositeLit:
					var code, form ast.Expr
					for _, e := range n.Elts {
						if kv, ok := e.(*ast.KeyValueExpr); ok {
							switch fmt.Sprint(kv.Key) {
							case "Code":
								code = kv.Value
							case "Message":
								form = kv.Value
							}
						}
					}
					add(code, form, path)
				case *ast.AssignStmt:
					if len(n.Rhs) == 2 {
						add(n.Rhs[0], n.Rhs[1], path)
					}
				case *ast.ValueSpec:
					for _, v := range n.Values {
						add(v, nil, path)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return forms
}

const noLonger = "setpiece no longer says this."

var pageFence = regexp.MustCompile("(?ms)^(````?)(\\w+)([^\n]*)\n(.*?)^````?$")

// Of the scripts on the page of a code, the one that is marked as wrong gives the code, and the
// other gives nothing. A file beside a script stands above it.
func TestCodePages(t *testing.T) {
	for _, p := range lang.CodePages() {
		t.Run(p.Code, func(t *testing.T) {
			t.Parallel()
			beside, shown := fstest.MapFS{}, map[bool]int{}
			for _, m := range pageFence.FindAllStringSubmatch(p.Text, -1) {
				words := strings.Fields(m[3])
				name := "x.scene"
				for _, w := range words {
					if file, ok := strings.CutPrefix(w, "file="); ok {
						name = file
					}
				}
				if slices.Contains(words, "beside") {
					beside[name] = &fstest.MapFile{Data: []byte(m[4])}
					continue
				}
				wrong := slices.Contains(words, "wrong")
				shown[wrong]++
				got := codesOf(t, p.Code, beside, lang.NewSource(name, m[4]))
				if wrong && !slices.Contains(got, p.Code) || !wrong && len(got) > 0 {
					t.Errorf("it gives %q\n%s", got, m[4])
				}
			}
			none := strings.HasPrefix(p.Text, noLonger) || strings.Contains(p.Text, "No short script shows this.")
			if !none && (shown[true] != 1 || shown[false] != 1) {
				t.Errorf("it has %d wrong scripts and %d others", shown[true], shown[false])
			}
		})
	}
}

// codesOf lists the codes of the messages about a script, checked strictly, or of what never happens in it.
func codesOf(t *testing.T, code string, beside fstest.MapFS, src *lang.Source) []string {
	t.Helper()
	if notes.Is(src.Name) {
		n, ds := notes.Parse(src.Name, src.Text)
		_, more := n.Format()
		return each(t, append(ds, more...))
	}
	cfg := interp.Config{Modules: stdlib.FS, Folder: beside, Program: "1.0"}
	ds, err := interp.NewSession(cfg).CheckContext(t.Context(), src)
	if err == nil && !ds.Errors() {
		ds, err = verify.Strict(t.Context(), cfg, src)
	}
	if err == nil && !ds.Errors() && code == "SP0140" {
		ds, err = never.Find(t.Context(), cfg, src, never.Config{Trials: 100})
	}
	if err != nil {
		t.Fatal(err)
	}
	return each(t, ds)
}

// each lists the codes of messages, each once.
func each(t *testing.T, ds lang.Diagnostics) (codes []string) {
	t.Helper()
	for _, d := range ds {
		if d.Code == "" {
			t.Errorf("%s has no code", d)
		}
		if !slices.Contains(codes, d.Code) {
			codes = append(codes, d.Code)
		}
		t.Log(d.Code, d)
	}
	return codes
}
