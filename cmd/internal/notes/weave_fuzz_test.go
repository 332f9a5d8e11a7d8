package notes

import (
	"strings"
	"testing"

	"setpiece/lang"
)

// Whatever a note looks like: what is read of it is in it, formatting and weaving change
// nothing but scripts and results, and doing either twice is doing it once.
func FuzzWeave(f *testing.F) {
	for _, page := range []string{
		"", "prose\n", "```setpiece\nlet x=1\n```\n", "~~~setpiece run\nprint 1\n~~~", "- ```setpiece odds\n  print  1\n  ```\n",
		"> > - 1. ```setpiece\n> >      a\n> >      ```\n", "-\t```setpiece run\n\tprint 1\n\t```\n", "---\nsetpiece: run\n---\n```setpiece\nx\n```\r\n",
		"```setpiece run\r\nif yes {\r\n```\r\n\r\n```setpiece\r\n}\r\n```\r\n", "```setpiece\n", "````setpiece\n```\n````\n", "\uFEFF```setpiece alone=a wrong\n\x00\x1b\n```\n",
		"```setpiece run\nx\n```\n\n<!-- setpiece run 00000000 00000000 -->\n\nx\n\n<!-- /setpiece -->\n", "<!-- setpiece odds 1 2 -->\n<!-- /setpiece -->\n", "- a\n<!-- setpiece run 1 2 -->\n- b\n<!-- /setpiece -->\n",
		"```console\n$ setpiece run\nold\n```\n", "# A\n```setpiece alone run\nx\n```\n# A\n```setpiece alone\ny\n```\n", "```setpiece file=a again\nx\n```\n", "\t```setpiece\n\tx\n\t```\n", "<!--\n```setpiece\nx\n```\n-->\n", "1) x\n\n   ~~~~ setpiece\tsim\n\n   ~~~~\n",
	} {
		f.Add(page)
	}
	f.Fuzz(func(t *testing.T, page string) {
		n, ds := Parse("n.md", page)
		for _, d := range ds {
			if d.Start < 0 || d.End < d.Start || int(d.End) > len(page) {
				t.Fatalf("%v stands outside of the note", d)
			}
			d.Format(lang.Palette{})
		}
		if len(ds) > 0 {
			return
		}
		for _, s := range n.Scripts() {
			src := n.Excerpt(s)
			for i := range src.Text {
				if c := src.Text[i]; c != ' ' && c != '\n' && c != page[i] {
					t.Fatalf("byte %d of %s is %q, and not in the note", i, s.Name, c)
				}
			}
		}
		if text, ds := n.Format(); len(ds) == 0 {
			again, ds := Parse("n.md", text)
			if len(ds) > 0 {
				t.Fatalf("formatted it is wrong: %v\n%q", ds, text)
			}
			if twice, ds := again.Format(); len(ds) > 0 || twice != text {
				t.Fatalf("formatted %q, twice %q %v", text, twice, ds)
			}
			if got, want := prose(again), prose(n); got != want {
				t.Fatalf("formatting changed the prose\n%q\n%q", want, got)
			}
		}
		w := &Weaver{
			Gets:   func(*Script, *Fence, string) (bool, error) { return true, nil },
			Result: func(j *Job) (string, error) { return "| " + j.What + " |\n\n```text\n-->\n" + j.What + "\n```\n", nil },
			Fill: map[string]func(*Note, *Fence) (string, error){"console": func(n *Note, f *Fence) (string, error) {
				return Console(n.Inside(f), func(call string) (string, int, error) { return "done\n", 0, nil })
			}},
		}
		woven, ds := n.Weave(w)
		if len(ds) > 0 {
			return
		}
		again, ds := Parse("n.md", woven.Text)
		if len(ds) > 0 {
			t.Fatalf("woven it is wrong: %v\n%q", ds, woven.Text)
		}
		twice, ds := again.Weave(w)
		if len(ds) > 0 || len(twice.Stale) > 0 || twice.Text != woven.Text {
			t.Fatalf("woven %q\ntwice %q %v %v", woven.Text, twice.Text, twice.Stale, ds)
		}
	})
}

// prose is what stands outside of scripts.
func prose(n *Note) string {
	var b strings.Builder
	at := 0
	for _, f := range n.Fences {
		if f.Kind == language {
			b.WriteString(n.Text[at:f.Open.End])
			at = f.Close.Start
		}
	}
	return b.String() + n.Text[at:]
}
