package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"setpiece/cmd/internal/handbook/handbooktest"
)

// The handbook in a browser: every link of every page leads somewhere, and every page is
// led to; pages of each kind can be read by all, in light and dark, on a phone and on a
// desk; the search finds ten words; the network is never asked. The long form looks at some
// hundred pages, and at all that stands on them.
func TestHandbookInABrowser(t *testing.T) {
	needBrowser(t)
	dir := t.TempDir()
	book := filepath.Join(dir, "book")
	cmd := exec.Command(program(t, dir), "doc", "-o", book)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	pages, links := handbooktest.Links(t, os.DirFS(book))

	wanted := map[string]string{
		"attack": "name/attack.html", "tactics": "name/tactics.html", "cah.boon": "rule/cah.boon.html", "highest": "name/highest.html",
		"star": "name/star.html", "steps": "name/steps.html", "tune": "name/tune.html", "Firefly": "firefly.html", ":undo": "name/x3aundo.html", "floor": "name/floor.html",
	}
	var words []string
	for w := range wanted {
		words = append(words, w)
	}
	for _, l := range look(t, "--search", strings.Join(words, ","), filepath.Join(book, "index.html")) {
		l.fine(t)
		for word, file := range wanted {
			if !strings.Contains(strings.Join(l.Found[word], " "), file) {
				t.Errorf("the search for %s finds %s, not %s", word, l.Found[word], file)
			}
		}
	}

	args := []string{"--thin"}
	files := []string{"names.html", "guide.html", "figures.html", "cah.html", "name/attack.html", "rule/cah.boon.html", "case/cah-a02_bomb.html"}
	if longTests {
		args, files = nil, everySo(t, book)
	}
	for _, f := range files {
		args = append(args, filepath.Join(book, filepath.FromSlash(f)))
	}
	seen := look(t, args...)
	for _, l := range seen {
		l.fine(t)
	}
	if len(seen) != len(files) {
		t.Errorf("%d pages of %d were looked at", len(seen), len(files))
	}
	t.Logf("%d pages, %d links, %d pages looked at", pages, links, len(seen)+1)
}

// everySo chooses pages to look at: all that stand at the top (systems, guides, lists), and
// of names, rules and cases each so many.
func everySo(t *testing.T, book string) (out []string) {
	t.Helper()
	out, err := filepath.Glob(filepath.Join(book, "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	for folder, every := range map[string]int{"name": 14, "rule": 20, "case": 15} {
		files, _ := filepath.Glob(filepath.Join(book, folder, "*.html"))
		for i := 0; i < len(files); i += every {
			out = append(out, files[i])
		}
	}
	for i, f := range out {
		out[i], _ = filepath.Rel(book, f)
	}
	return out
}
