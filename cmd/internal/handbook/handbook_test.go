package handbook

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"setpiece/cmd/internal/cases"
	"setpiece/cmd/internal/handbook/handbooktest"
	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
	"setpiece/stdlib"
)

var figure = regexp.MustCompile(`^-?[0-9.]+$`) // which says itself what it does

// Most of the time of these tests would go into collecting garbage.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// shipped is the handbook of the systems that come with setpiece.
var shipped = sync.OnceValues(func() (*Book, error) {
	return Build(context.Background(), Source{
		Modules: stdlib.FS, Cases: cases.Shipped,
		Guides: []Guide{{"guide", "GUIDE.md", "The guide", "", stdlib.Guide}, {"language", "LANGUAGE.md", "The language", "", lang.Guide}, {"authors", "AUTHORS.md", "Rules", "", stdlib.Authors}, Codes()},
		Topics: []assist.Topic{{Name: "run", Kind: "command of the program", Form: "setpiece run", Doc: "Runs.", Example: "setpiece run x"}},
		Play:   os.Getenv("SETPIECE_LONG") != "",
	})
})

func book(t *testing.T) *Book {
	t.Helper()
	b, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The handbook has a page for each word that help knows and for each rule, with an
// example of each meaning; every link leads somewhere.
func TestHandbook(t *testing.T) {
	b := book(t)
	written, folder := map[string]string{}, fstest.MapFS{}
	if err := b.WriteHTML(context.Background(), func(file string, data []byte) error {
		if _, twice := written[strings.ToLower(file)]; twice {
			t.Errorf("%s is written twice", file)
		}
		written[strings.ToLower(file)] = string(data)
		folder[file] = &fstest.MapFile{Data: bytes.Clone(data)}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, system := range systems(t) {
		if written[system+".html"] == "" {
			t.Errorf("%s has no page", system)
		}
		s := interp.NewSession(interp.Config{Modules: stdlib.FS})
		if err := s.Exec(context.Background(), lang.NewSource("", "use "+system)); err != nil {
			t.Fatal(err)
		}
		rules, err := assist.Rules(s, system)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rules {
			if written["rule/"+r.ID+".html"] == "" {
				t.Errorf("the rule %s has no page", r.ID)
			}
		}
		for _, word := range assist.HelpWords(s) {
			// What rules declare for themselves, such as the table, begins with a capital.
			if b.Rules[word] == nil && b.Names[word] == nil && word[0] >= 'a' && word != "cortex" && !strings.Contains(word, ".opt.") {
				t.Errorf("%s: %s has no page", system, word)
			}
		}
	}
	for _, sys := range b.Systems {
		for _, d := range sys.Decisions {
			if w := d.Words; w.Who == "the one it is about" || w.Options == "" || w.Default == "as the rules say" {
				t.Errorf("%s: say in plain words who is asked for %s, from what, and what holds by default: %+v", sys.Name, d.Name, w)
			}
		}
	}
	for word, n := range b.Names {
		for _, topic := range n.Topics {
			if topic.Kind == "option" {
				for _, v := range topic.Parts {
					if !figure.MatchString(v.Text) && (v.Doc == "" || strings.HasPrefix(v.Doc, "unless ")) {
						t.Errorf("%s: nothing says what %s = %s does", topic.Module, word, v.Text)
					}
				}
			}
			// What a game master types is shown by a case that the tests play.
			switch topic.Kind {
			case "verb", "clause", "decision", "option", "special rule", "word for somebody", "system", "variant":
				named := topic.Kind == "word for somebody" && slices.ContainsFunc(n.Topics, func(o *Topic) bool {
					return o.Kind == "field" && o.Module == topic.Module // it gives what the field of that name says
				})
				if !topic.Sample.Played && !named && !strings.HasPrefix(topic.Form, "every ") {
					t.Errorf("%s: no case shows the %s %s of %s: %s", topic.Module, topic.Kind, word, topic.Of, topic.Form)
				}
			}
			if topic.Sample.Text == "" && topic.Example == "" && topic.Kind != "term" {
				t.Errorf("%s: the %s %s of %s has no example: %s", topic.Module, topic.Kind, word, topic.Of, topic.Form)
			}
		}
	}
	handbooktest.Links(t, folder)
}

// systems gives the systems and variants that files of the standard library declare and
// that have commands, or change those of one that has.
func systems(t *testing.T) []string {
	var out []string
	eachRule(t, func(module string, n lang.Node) {
		switch n := n.(type) {
		case *lang.System:
			if n.Base != nil {
				out = append(out, n.Name.Name)
			}
		case *lang.Verb:
			if !slices.Contains(out, module) {
				out = append(out, module)
			}
		}
	})
	if len(out) < 10 {
		t.Fatalf("only %q", out)
	}
	return out
}

// eachRule walks through all rules of the standard library, with the system or variant
// whose file they stand in.
func eachRule(t *testing.T, f func(module string, n lang.Node)) {
	t.Helper()
	files, err := fs.Glob(stdlib.FS, "*/*.rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := fs.ReadFile(stdlib.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		tree, diags := lang.Parse(lang.NewSource(name, string(text)))
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		module := path.Dir(name)
		for _, s := range tree.Stmts {
			if x, ok := s.(*lang.System); ok {
				module = x.Name.Name
			}
		}
		lang.Walk(tree, func(n lang.Node) bool {
			f(module, n)
			return true
		})
	}
}

// Every name that the rules of the standard library declare has a page, and a meaning of
// its kind there. The names come from the syntax trees of the rules, not from what help
// knows.
func TestDeclaredNamesHavePages(t *testing.T) {
	b := book(t)
	n := 0
	has := func(module, kind, name string) {
		n++
		found := false
		if page := b.Names[name]; page != nil {
			found = slices.ContainsFunc(page.Topics, func(t *Topic) bool { return t.Kind == kind })
		}
		if !found {
			t.Errorf("%s: the %s %s has no page", module, kind, name)
		}
	}
	eachRule(t, func(module string, n lang.Node) {
		switch n := n.(type) {
		case *lang.System:
			if module != "cortex" { // which other systems include
				has(module, map[bool]string{true: "variant", false: "system"}[n.Base != nil], n.Name.Name)
			}
		case *lang.Verb:
			has(module, "verb", n.Name.Name)
		case *lang.ClauseSet:
			has(module, "set of clauses", n.Name.Name)
		case *lang.Clause:
			word := n.Name.Name
			if len(n.Pattern) > 0 {
				w, typed := n.Pattern[0].(*lang.PatWord)
				if !typed {
					return // an operand
				}
				word = w.Word
			}
			has(module, "clause", word)
		case *lang.Sheet:
			has(module, "sheet", n.Name.Name)
			for _, f := range n.Fields {
				has(module, "field", f.Name.Name)
			}
		case *lang.Feature:
			has(module, "special rule", n.Name.Name)
			for _, f := range n.Fields {
				has(module, "field", f.Name.Name)
			}
		case *lang.Hook:
			has(module, "moment", n.Name.Name)
		case *lang.Goal:
			has(module, "goal", n.Name.Name)
		case *lang.Check:
			has(module, "check", n.Name.Name)
		case *lang.Offer:
			has(module, "decision", n.Name.Name)
		case *lang.Choose:
			has(module, "decision", n.Name.Name)
		case *lang.Option:
			has(module, "option", n.Name.Name)
			for _, v := range n.Values {
				if w, ok := v.(*lang.Word); ok && w.Name != "yes" && w.Name != "no" && w.Name != "none" {
					has(module, "word", w.Name)
				}
			}
		case *lang.Spans:
			for _, s := range n.Names {
				has(module, "span", s.Name)
			}
		case *lang.Outcome:
			for _, f := range n.Fields {
				has(module, "value of the last outcome", f.Name.Name)
			}
		case *lang.Rule:
			if n.Doc != nil && !strings.HasPrefix(n.Name.Name, "pick_") {
				page := b.Names[n.Name.Name]
				if page == nil {
					t.Errorf("%s: the rule %s has no page", module, n.Name.Name)
				}
			}
		case *lang.Annotated:
			if b.Rules[module+"."+n.ID] == nil && b.Rules[n.ID] == nil && module != "cortex" {
				t.Errorf("%s: the id %s has no page", module, n.ID)
			}
		}
	})
	if n < 2000 {
		t.Errorf("only %d names were looked for", n)
	}
}
