package notes

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/lang"
)

// parse reads a note that has to be fine.
func parse(t *testing.T, page string) *Note {
	t.Helper()
	n, ds := Parse("n.md", page)
	if len(ds) > 0 {
		t.Fatalf("%v", ds)
	}
	return n
}

// Where the fences of a page are, and what is in them.
func TestFences(t *testing.T) {
	tests := map[string]struct {
		page string
		want []string // of each fence: its kind and its text
	}{
		"none":              {"just prose\n", nil},
		"plain":             {"```setpiece\nuse cah\n```\n", []string{"setpiece: use cah\n"}},
		"tildes":            {"~~~ setpiece run\n```\n~~~\n", []string{"setpiece: ```\n"}},
		"longer":            {"````setpiece\n```\n````\n", []string{"setpiece: ```\n"}},
		"empty":             {"```setpiece\n```\n", []string{"setpiece: "}},
		"indented":          {"  ```setpiece\n  a\n    b\n  ```\n", []string{"setpiece: a\n  b\n"}},
		"list":              {"- ```setpiece\n  a\n\n  b\n  ```\n", []string{"setpiece: a\n\nb\n"}},
		"list in list":      {"1. x\n   - y\n\n     ```setpiece\n     a\n     ```\n", []string{"setpiece: a\n"}},
		"tabs":              {"-\tx\n\n\t```setpiece\n\ta\n\t\tb\n\t```\n", []string{"setpiece: a\n\tb\n"}},
		"quote":             {"> ```setpiece\n> a\n>\n>b\n> ```\n", []string{"setpiece: a\n\nb\n"}},
		"quoted list":       {"> - ```setpiece\n>   a\n>   ```\n", []string{"setpiece: a\n"}},
		"line ends":         {"```setpiece\r\na\r\n```\r\n", []string{"setpiece: a\r\n"}},
		"no line end":       {"```setpiece\na\n```", []string{"setpiece: a\n"}},
		"front matter":      {"---\nx: |\n  ```setpiece\n---\n```setpiece\na\n```\n", []string{"setpiece: a\n"}},
		"not front matter":  {"\n---\n```setpiece\na\n```\n---\n", []string{"setpiece: a\n"}},
		"a byte order mark": {"\uFEFF---\nx: 1\n---\n```setpiece\na\n```\n", []string{"setpiece: a\n"}},
		"in a comment":      {"<!--\n```setpiece\na\n```\n-->\n", nil},
		"code by indent":    {"    ```setpiece\n    a\n    ```\n", nil},
		"others":            {"```text\na\n```\n\n```console x=1\n$ setpiece\n```\n", []string{"text: a\n", "console: $ setpiece\n"}},
		"control signs":     {"```setpiece\na\x00\x1b\n```\n", []string{"setpiece: a\x00\x1b\n"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			n := parse(t, tt.page)
			var got []string
			for _, f := range n.Fences {
				got = append(got, f.Kind+": "+n.Inside(f))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
		})
	}
}

// What is wrong with a note has a place, and says what to write.
func TestWrongNotes(t *testing.T) {
	tests := map[string]struct{ page, want string }{
		"never closed":            {"x\n\n```setpiece\na\n", "n.md:3:4: this fence is never closed"},
		"closed outside its list": {"- ```setpiece\n  a\n```\n", "n.md:1:6: this fence is never closed"},
		"closed too short":        {"````setpiece\n```\n", "n.md:1:5: this fence is never closed"},
		"unknown word":            {"```setpiece ods\n```\n", "n.md:1:13: a fence has no word ods"},
		"no value":                {"```setpiece run seed\n```\n", "n.md:1:17: seed needs a value"},
		"a value too many":        {"```setpiece run=7\n```\n", "n.md:1:13: run takes no value"},
		"twice":                   {"```setpiece run run\n```\n", "n.md:1:17: run stands here twice"},
		"for nothing":             {"```setpiece odds seed=7\n```\n", "n.md:1:18: seed needs run or sim beside it"},
		"outside":                 {"```setpiece file=../a.scene\n```\n", "n.md:1:13: the file of a fence lies beside the note"},
		"both":                    {"```setpiece file=a alone\n```\n", "n.md:1:20: file= and alone do not go together: a fence with file= is a script of its own already"},
		"the same name":           {"```setpiece file=a\n```\n```setpiece alone=a\n```\n", "n.md:3:13: another fence has the name a already"},
		"front matter":            {"---\nsetpiece: ods\n---\n", "n.md:2:11: a fence has no word ods"},
		"a list in front matter":  {"---\nsetpiece: [run]\n---\n", "n.md:2:1: setpiece takes words on one line"},
		"mark without an end":     {"<!-- setpiece odds 1 2 -->\nx\n", "n.md:1:1: this mark has no end"},
		"mark without a start":    {"x\n\n- <!-- /setpiece -->\n", "n.md:3:3: no result begins above this mark"},
		"too deep":                {strings.Repeat(">", 200) + "\n", "n.md:1:200: lists and quotes stand more than 100 deep in one another"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, ds := Parse("n.md", tt.page)
			if len(ds) != 1 || ds[0].Error() != tt.want {
				t.Errorf("got %v\nwant %s", ds, tt.want)
			}
		})
	}
}

// Which scripts a note has, and how they are called.
func TestScripts(t *testing.T) {
	fence := func(words string) string { return "```setpiece " + words + "\nx\n```\n" }
	n := parse(t, "# The Ünder-Hill, by night\n"+fence("alone")+fence("")+fence("alone")+fence("file=a/b.scene")+fence("run")+fence("file=a/./b.scene")+fence("alone=last wrong"))
	var got []string
	for _, s := range n.Scripts() {
		got = append(got, s.Name+strings.Repeat("+", len(s.Fences)-1))
	}
	want := []string{"+", "the-ünder-hill-by-night", "the-ünder-hill-by-night-2", "a/b.scene+", "last"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if _, err := n.Script("lst"); err == nil || err.(*NoScript).Help() != "did you mean n.md#last?" {
		t.Errorf("lst: %v", err)
	}
}

// fmt changes what is in fences and nothing else.
func TestFormat(t *testing.T) {
	tests := map[string]struct{ page, want string }{
		"list":  {"- a\n\n  ```setpiece\n  let x=1\n\n\n  print   x\n  ```\n  b\n", "- a\n\n  ```setpiece\n  let x = 1\n\n  print x\n  ```\n  b\n"},
		"quote": {">>  ```setpiece\n>>  let x=1\n>>  ```", ">>  ```setpiece\n>>  let x = 1\n>>  ```"},
		"CRLF":  {"a  \r\n```setpiece\r\nlet x=1\r\nif x > 1 {\r\nprint x\r\n}\r\n```\r\n", "a  \r\n```setpiece\r\nlet x = 1\r\nif x > 1 {\r\n  print x\r\n}\r\n```\r\n"},
		"over fences": {
			"```setpiece\nlet x=1\nif x > 0 {\n```\nprose\n```setpiece\nprint   x # why\n```\n```setpiece\n}\nprint 2\n```\n",
			"```setpiece\nlet x = 1\nif x > 0 {\n```\nprose\n```setpiece\n  print x  # why\n```\n```setpiece\n}\nprint 2\n```\n",
		},
		"empty":   {"```setpiece\n\n```\n", "```setpiece\n```\n"},
		"wrong":   {"```setpiece alone wrong\nlet let\n```\n", "```setpiece alone wrong\nlet let\n```\n"},
		"nothing": {"\tprose\x00\r", "\tprose\x00\r"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, ds := parse(t, tt.page).Format()
			if len(ds) > 0 {
				t.Fatal(ds)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
			again, _ := parse(t, got).Format()
			if again != got {
				t.Errorf("formatted again it is\n%s", again)
			}
		})
	}
}

// Long notes take time in proportion to their length: prose and fences of 10 MB.
func BenchmarkParse(b *testing.B) {
	for name, part := range map[string]string{
		"prose":  "The quick brown fox *jumps* over [the](x) lazy dog,\nand again it does.\n\n",
		"fences": "A scene.\n\n```setpiece\nprint 1\n```\n\n",
		"quotes": "> ```setpiece\n> print 1\n> ```\n",
	} {
		page := strings.Repeat(part, 10<<20/len(part))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(page)))
			for b.Loop() {
				n, _ := Parse("n.md", page)
				if s, err := n.Script(""); err == nil {
					lang.Parse(n.Excerpt(s))
				}
			}
		})
	}
}
