// Package cases knows the short scenes that show how the rules work: which rules a
// scene is about, and the shortest example of a word.
package cases

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/testdata"
)

// Case is a short scene that shows some rules.
type Case struct {
	System string // the folder it is in
	Name   string // its file, without .scene
	Title  string // what it shows; "" if it does not say
	Rules  []string
	Text   string // without its heading
}

// Library is a set of cases.
type Library struct {
	load func() []Case
	once sync.Once
	all  []Case

	examples examples
}

// Shipped are the cases that come with the program.
var Shipped = New(testdata.Cases)

// New makes a library of the files SYSTEM/NAME.scene. They are read when they are
// first asked for.
func New(files fs.FS) *Library {
	x := examples{map[string][]*lang.Source{}, map[string][]piece{}, map[string][]piece{}, map[string]*interp.Session{}, map[string]references{}, map[string]bool{}}
	return &Library{examples: x, load: func() []Case {
		names, _ := fs.Glob(files, "*/*.scene")
		var all []Case
		for _, name := range names {
			if text, err := fs.ReadFile(files, name); err == nil {
				all = append(all, parse(name, string(text)))
			}
		}
		return all
	}}
}

// parse reads the heading of a case: comments that say what it shows, and one that
// begins with "rules:".
func parse(name, text string) Case {
	c := Case{System: path.Dir(name), Name: strings.TrimSuffix(path.Base(name), ".scene")}
	for {
		line, rest, _ := strings.Cut(text, "\n")
		said, ok := strings.CutPrefix(line, "#")
		if !ok {
			break
		}
		text = rest
		said = strings.TrimSpace(said)
		if rules, ok := strings.CutPrefix(said, "rules:"); ok {
			for r := range strings.SplitSeq(rules, ",") {
				c.Rules = append(c.Rules, strings.TrimSpace(r))
			}
			continue
		}
		c.Title = strings.TrimSpace(c.Title + " " + said)
	}
	c.Text = strings.Trim(text, "\n") + "\n"
	return c
}

// All gives the cases, by system and name.
func (l *Library) All() []Case {
	l.once.Do(func() { l.all = l.load() })
	return l.all
}

// Of gives the cases that say they show a rule, the shortest first.
func (l *Library) Of(rule string) []Case {
	var out []Case
	for _, c := range l.All() {
		if slices.Contains(c.Rules, rule) {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b Case) int { return len(a.Text) - len(b.Text) })
	return out
}

func (c Case) source() *lang.Source { return lang.NewSource(c.System+"/"+c.Name+".scene", c.Text) }
