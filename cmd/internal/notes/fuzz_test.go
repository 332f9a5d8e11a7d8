package notes

import (
	"os"
	"path/filepath"
	"testing"

	"setpiece/lang"
)

// FuzzNote: any page is read without a panic, what is cut out of it is part of it, and
// what is formatted is formatted.
func FuzzNote(f *testing.F) {
	for _, page := range []string{
		"# A\n\n```setpiece\nuse cah\nprint  1\n```\n\n> - ```setpiece alone\n>   print 2\n>   ```\n",
		"---\nx: |\n  y\n---\n```setpiece file=a.scene\nprint 1\n```\n~~~ setpiece run again\ninclude \"a.scene\"\n~~~\n",
		"```setpiece\nif yes {\n```\nprose\n```setpiece\n  print 1 }\n```\n",
		"- ```setpiece wrong\r\n  pritn\r\n  ```\r\n<!-- setpiece odds -->\n<!-- /setpiece -->\n",
		"```console\n$ setpiece run x\n```\n\n```setpiece\na\x00\x1b\n",
	} {
		f.Add(page)
	}
	pages, _ := filepath.Glob("../../../testdata/notes/*.md")
	for _, path := range pages {
		if page, err := os.ReadFile(path); err == nil && len(page) < 3000 {
			f.Add(string(page))
		}
	}
	f.Fuzz(func(t *testing.T, page string) {
		if len(page) > 3000 {
			return
		}
		n, ds := Parse("n.md", page)
		for _, d := range ds {
			d.Format(lang.Palette{})
		}
		for _, s := range n.Scripts() {
			src := n.Excerpt(s)
			if src.Page() != page {
				t.Fatalf("a script of %q says that it is of %q", page, src.Page())
			}
			_, wrong := lang.Parse(src)
			for _, d := range wrong {
				d.Format(lang.Palette{})
			}
		}
		if ds.Errors() {
			return
		}
		text, ds := n.Format()
		if ds.Errors() {
			return
		}
		again, ds := Parse("n.md", text)
		if ds.Errors() {
			t.Fatalf("%q is formatted as %q, which cannot be read: %v", page, text, ds)
		}
		if twice, ds := again.Format(); ds.Errors() || twice != text {
			t.Fatalf("%q, and again %q, %v", text, twice, ds)
		}
	})
}
