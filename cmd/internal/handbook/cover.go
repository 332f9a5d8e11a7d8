package handbook

import (
	"html/template"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"setpiece/interp/verify"
)

// coverLine is a line of a file of rules.
type coverLine struct {
	Number int
	Text   string
	How    string // "played", "partly", "never"; "" where it has no code
}

// WriteCover writes a page that shows what tests play of the rules: each rule with the scripts
// that play it, and the text of the rules with what no test plays. A rule leads to its page if the
// handbook lies in the folder of the page.
func WriteCover(w io.Writer, c *verify.Cover, folder string) error {
	css, err := pages.ReadFile("pages/style.css")
	if err != nil {
		return err
	}
	t, err := template.New("cover.html").Funcs(template.FuncMap{
		"base": path.Base, "lines": coverLines, "notPlayedFirst": notPlayedFirst,
		"name": func(file string) string { return strings.TrimSuffix(path.Base(file), ".scene") },
		"page": func(id string) string {
			to := rulePage(id)
			if _, err := os.Stat(filepath.Join(folder, filepath.FromSlash(to))); err != nil {
				return ""
			}
			return to
		},
		"never": func(f *verify.FileCover) int { return len(f.Which(verify.Never)) },
	}).ParseFS(pages, "pages/cover.html")
	if err != nil {
		return err
	}
	return t.Execute(w, struct {
		Style template.CSS
		*verify.Cover
	}{template.CSS(css), c})
}

func coverLines(f *verify.FileCover) []coverLine {
	how := map[verify.Played]string{verify.Never: "never", verify.Partly: "partly", verify.Wholly: "played"}
	played := f.Lines()
	var out []coverLine
	for i, text := range strings.Split(strings.TrimSuffix(f.Source.Text, "\n"), "\n") {
		l := coverLine{Number: i + 1, Text: text}
		if p, coded := played[i+1]; coded {
			l.How = how[p]
		}
		out = append(out, l)
	}
	return out
}

// notPlayedFirst puts the rules that no test plays before the others.
func notPlayedFirst(rules []*verify.RuleCover) []*verify.RuleCover {
	return slices.SortedStableFunc(slices.Values(rules), func(a, b *verify.RuleCover) int {
		return min(len(a.By), 1) - min(len(b.By), 1)
	})
}
