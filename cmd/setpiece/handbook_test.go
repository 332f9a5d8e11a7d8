package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// walked is what testdata/browser/walk.mjs saw of a folder of pages.
type walked struct {
	Pages, Links int
	Broken       []string
	Reached      []string
	Looked       int
	Violations   []string
	Wide         []string
	Asked        []string
}

// The handbook in a browser: every link of every page leads somewhere, and every page is
// led to; pages of each kind can be read by all, in light and dark, on a phone and on a
// desk; the search finds ten words; the network is never asked.
func TestHandbookInABrowser(t *testing.T) {
	if os.Getenv("SETPIECE_BROWSER") == "" {
		inBrowser(t, "")
	}
	dir := t.TempDir()
	book := filepath.Join(dir, "book")
	cmd := exec.Command(program(t, dir), "doc", "-o", book)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var files []string
	err := filepath.WalkDir(book, func(path string, d fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".html") {
			file, _ := filepath.Rel(book, path)
			files = append(files, filepath.ToSlash(file))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

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

	var w walked
	if err := json.Unmarshal(inBrowser(t, "walk.mjs", append([]string{book}, sample(files)...)...), &w); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d pages, %d links, %d looked at", w.Pages, w.Links, w.Looked)
	for _, bad := range slices.Concat(w.Broken, w.Violations, w.Wide, w.Asked) {
		t.Error(bad)
	}
	for _, file := range files {
		if !slices.Contains(w.Reached, file) {
			t.Errorf("no link leads to %s", file)
		}
	}
	if w.Looked < 200 {
		t.Errorf("only %d pages were looked at", w.Looked)
	}
}

// sample chooses the pages to look at: all that stand at the top (systems, guides, lists),
// and of names, rules and cases each so many.
func sample(files []string) []string {
	var out []string
	count := map[string]int{}
	for _, f := range files {
		folder, _, deep := strings.Cut(f, "/")
		every := map[string]int{"name": 14, "rule": 20, "case": 15}[folder]
		if !deep || count[folder]%every == 0 {
			out = append(out, f)
		}
		count[folder]++
	}
	return out
}
