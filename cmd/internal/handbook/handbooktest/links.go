// Package handbooktest checks the links of a handbook, for tests.
package handbooktest

import (
	"html"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The pages come from templates of our own, so attributes always have this form.
var (
	href = regexp.MustCompile(` (?:href|src)="([^"]*)"`)
	id   = regexp.MustCompile(` id="([^"]*)"`)
)

// page is what links need to know of a page.
type page struct {
	links []string
	ids   map[string]bool
}

// Links reports each link of the pages in a folder that leads nowhere, and each page that
// no chain of links from index.html leads to. It gives how many of both there are.
func Links(t *testing.T, folder fs.FS) (pages, links int) {
	t.Helper()
	all := map[string]*page{}
	err := fs.WalkDir(folder, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		p := &page{ids: map[string]bool{}}
		all[file] = p
		if path.Ext(file) != ".html" {
			return nil
		}
		pages++
		text, err := fs.ReadFile(folder, file)
		for _, m := range href.FindAllSubmatch(text, -1) {
			p.links = append(p.links, html.UnescapeString(string(m[1])))
		}
		for _, m := range id.FindAllSubmatch(text, -1) {
			p.ids[html.UnescapeString(string(m[1]))] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	reached := map[string]bool{"index.html": true}
	for waiting := []string{"index.html"}; len(waiting) > 0; waiting = waiting[1:] {
		from := waiting[0]
		if all[from] == nil {
			continue // told where it is linked
		}
		for _, link := range all[from].links {
			links++
			to, err := url.Parse(link)
			if err != nil {
				t.Errorf("%s links to %s: %v", from, link, err)
				continue
			}
			if to.Scheme != "" {
				continue
			}
			file := from
			if to.Path != "" {
				file = path.Join(path.Dir(from), to.Path)
			}
			switch there := all[file]; {
			case there == nil:
				t.Errorf("%s links to %s, which is not there", from, link)
			case to.Fragment != "" && !there.ids[to.Fragment]:
				t.Errorf("%s links to %s, which has no such part", from, link)
			}
			if !reached[file] {
				reached[file] = true
				waiting = append(waiting, file)
			}
		}
	}
	var lost []string
	for file := range all {
		if path.Ext(file) == ".html" && !reached[file] {
			lost = append(lost, file)
		}
	}
	slices.Sort(lost)
	if len(lost) > 0 {
		t.Errorf("no link leads to %s", strings.Join(lost, ", "))
	}
	return pages, links
}
