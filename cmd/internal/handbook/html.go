package handbook

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"setpiece/cmd/internal/cases"
	"setpiece/cmd/internal/render"
	"setpiece/interp/assist"
	"setpiece/lang"
)

//go:embed pages
var pages embed.FS

// WriteHTML gives the pages, each with its file, to write; it ends with the first error.
func (b *Book) WriteHTML(ctx context.Context, write func(file string, data []byte) error) error {
	w := &writer{b: b, ctx: ctx, write: write, templates: map[string]*template.Template{}}
	for _, file := range []string{"style.css", "search.js"} {
		data, err := pages.ReadFile("pages/" + file)
		if err != nil {
			return err
		}
		if err := write(file, data); err != nil {
			return err
		}
	}
	w.index()
	for _, g := range b.src.Guides {
		w.guide(g)
	}
	for _, c := range lang.CodePages() {
		w.guide(Guide{Name: codeFolder + c.Code, Title: c.Code + ": " + c.Title, Text: c.Page()})
	}
	for _, s := range b.Systems {
		w.page("system", s.Name+".html", s.Name+": "+s.Title, s.Name, s.Title, s)
	}
	for _, word := range slices.Sorted(maps.Keys(b.Names)) {
		n := b.Names[word]
		w.page("name", b.names[word], word, "", n.brief(), n)
	}
	for _, id := range slices.Sorted(maps.Keys(b.Rules)) {
		r := b.Rules[id]
		w.page("rule", b.rules[id], id, r.System, r.Doc, r)
	}
	for _, c := range b.src.Cases.All() {
		if !slices.ContainsFunc(b.Systems, func(s *System) bool { return s.Name == c.System }) {
			continue
		}
		title := cmp.Or(c.Title, c.Name)
		w.page("case", b.shown[c.System+"/"+c.Name], c.System+"/"+c.Name, c.System, "", struct {
			cases.Case
			Heading, Transcript string
		}{c, title, b.play(ctx, c)})
	}
	w.page("names", "names.html", "All names", "", "", b)
	w.search()
	return w.err
}

type writer struct {
	b     *Book
	ctx   context.Context
	write func(string, []byte) error
	found []entry
	err   error

	at        page // which is being written: the functions of templates look here
	templates map[string]*template.Template
}

// entry is what the search knows of a page: its title, what it says, its file.
type entry [3]string

// page fills in a template. What is said of a page in the search is its title and text.
func (w *writer) page(kind, file, title, system, text string, data any) {
	if w.err == nil {
		w.err = w.ctx.Err()
	}
	if w.err != nil {
		return
	}
	w.at = page{b: w.b, here: file, system: system}
	if strings.Contains(file, "/") {
		w.at.up = "../"
	}
	t, err := w.templates[kind], error(nil)
	if t == nil {
		t, err = template.New("").Funcs(w.functions()).ParseFS(pages, "pages/frame.html", "pages/topic.html", "pages/"+kind+".html")
		w.templates[kind] = t
	}
	if err == nil {
		var out bytes.Buffer
		err = t.ExecuteTemplate(&out, "frame.html", struct {
			Title, Up, Here string
			Book            *Book
			Data            any
		}{title, w.at.up, file, w.b, data})
		if err == nil {
			err = w.write(file, out.Bytes())
		}
	}
	if err != nil {
		w.err = fmt.Errorf("%s: %w", file, err)
	}
	if kind != "index" && kind != "names" && kind != "case" {
		w.found = append(w.found, entry{title, text, file})
	}
}

func (w *writer) index() {
	w.page("index", "index.html", "setpiece: the handbook", "", "", w.b)
}

func (w *writer) guide(g Guide) {
	p := page{b: w.b, here: g.Name + ".html"}
	if strings.Contains(g.Name, "/") {
		p.up = "../"
	}
	text, err := p.markdown(g.Text)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("%s: %w", g.File, err)
	}
	w.page("guide", p.here, g.Title, "", "", struct {
		Guide
		HTML template.HTML
	}{g, text})
}

// search writes the list that search.js looks through, as a script: pages that are
// opened from a disk may not read other files.
func (w *writer) search() {
	if w.err != nil {
		return
	}
	data, err := json.Marshal(w.found)
	if err == nil {
		err = w.write("search-list.js", append(append([]byte("const pages = "), data...), ";\n"...))
	}
	w.err = err
}

// brief says in a line what a name means.
func (n *Name) brief() string {
	var words []string
	for _, t := range n.Topics {
		s := t.Kind
		if t.Module != "" {
			s += " of " + t.Module
		}
		if t.Doc != "" {
			s += ": " + t.Doc
		}
		words = append(words, s)
	}
	return strings.Join(words, "; ")
}

// short says in a few words what a name is.
func (n *Name) short() string {
	var words []string
	for _, g := range gather(n.Topics, func(t *Topic) string { return t.Kind }) {
		of := ""
		for _, t := range g.Items {
			if t.Module != "" && !strings.Contains(of, t.Module) {
				of += ", " + t.Module
			}
		}
		words = append(words, strings.TrimSuffix(g.Head+" ("+strings.TrimPrefix(of, ", ")+")", " ()"))
	}
	return strings.Join(words, "; ")
}

// language lists the words of the language and the program by their kinds.
func (b *Book) language() []group[string] {
	var out []group[string]
	for _, k := range kindsOfWords {
		g := group[string]{Head: k[1]}
		for _, word := range slices.Sorted(maps.Keys(b.Names)) {
			if slices.ContainsFunc(b.Names[word].Topics, func(t *Topic) bool { return t.Kind == k[0] && t.Module == "" }) {
				g.Items = append(g.Items, word)
			}
		}
		if len(g.Items) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// try links to a page on which a script can be tried.
func (w *writer) try(text string) string {
	if w.b.src.Try == nil {
		return ""
	}
	if to := w.b.src.Try(text); to != "" {
		return w.at.up + to
	}
	return ""
}

func (w *writer) functions() template.FuncMap {
	return template.FuncMap{
		"code":          func(s string) template.HTML { return w.at.code(s) },
		"text":          func(s string) template.HTML { return w.at.text(s) },
		"nameLink":      func(word string) string { return w.at.name(word) },
		"ruleLink":      func(id string) string { return w.at.rule(id) },
		"caseLink":      func(c cases.Case) string { return w.at.up + w.b.shown[c.System+"/"+c.Name] },
		"try":           w.try,
		"short":         (*Name).short,
		"join":          func(lines []string) string { return strings.Join(lines, "\n") },
		"anchor":        func(s string) string { return slug(s) },
		"bySystem":      func(ts []*Topic) []group[*Topic] { return gather(ts, func(t *Topic) string { return t.Module }) },
		"languageKinds": w.b.language,
		"groups":        groups,
		"contents":      w.b.contents,
		"of":            (*System).of,
		"takes":         (*System).takes,
		"written":       func(s *System) []*Sheet { return s.sheets(false) },
		"kept":          func(s *System) []*Sheet { return s.sheets(true) },
		"rest":          func(s *System) []group[*Topic] { return s.kinds(alsoAtTheTable) },
		"inside":        func(s *System) []group[*Topic] { return s.kinds(forWriters) },
		"shownIn":       w.b.shownIn,
		"excerpt":       func(at lang.Span) string { return strings.Join(render.Excerpt(at), "\n") },
		"contains":      strings.Contains,
		"hasPrefix":     strings.HasPrefix,
		"from":          from,
		"casesOf":       w.b.casesOf,
		"script":        script,
		"sorted":        func(m map[string]*Name) []*Name { return sortedNames(m) },
		"sections":      sections,
		"guides":        func() []Guide { return w.b.src.Guides },
		"heading":       headingOf,
		"letters":       letters,
	}
}

// group is a heading and what stands under it.
type group[T any] struct {
	Head  string
	Items []T
}

// groups puts the parts of a topic under the headings that they name.
func groups(parts []assist.TopicPart) []group[assist.TopicPart] {
	return gather(parts, func(p assist.TopicPart) string { return p.Group })
}

// gather groups a list by a key, in the order in which the keys come first.
func gather[T any](list []T, key func(T) string) []group[T] {
	var out []group[T]
	for _, x := range list {
		k := key(x)
		i := slices.IndexFunc(out, func(g group[T]) bool { return g.Head == k })
		if i < 0 {
			out = append(out, group[T]{Head: k})
			i = len(out) - 1
		}
		out[i].Items = append(out[i].Items, x)
	}
	return out
}

// A page of a system tells first what a game master types, last what only writers of
// rules need. These kinds of words are lists without more to each; the others have a
// part of the page of their own.
var (
	alsoAtTheTable = [][2]string{{"goal", "Goals"}, {"check", "Checks of sheets"}, {"span", "Spans of time"}, {"value of the last outcome", "Values of the last outcome"}}
	forWriters     = [][2]string{{"moment", "Moments that special rules answer"}, {"rule", "Rules that scripts can call"}}
)

// of lists what a system has of a kind, each once.
func (s *System) of(kind string) []*Topic {
	var out []*Topic
	for _, t := range s.Topics {
		if t.Kind == kind && !slices.ContainsFunc(out, func(o *Topic) bool { return o.Name == t.Name && o.Form == t.Form && o.Doc == t.Doc }) {
			out = append(out, t)
		}
	}
	return out
}

func (s *System) kinds(list [][2]string) []group[*Topic] {
	var out []group[*Topic]
	for _, k := range list {
		if items := s.of(k[0]); len(items) > 0 {
			out = append(out, group[*Topic]{k[1], items})
		}
	}
	return out
}

func (s *System) sheets(internal bool) []*Sheet {
	var out []*Sheet
	for _, sh := range s.Sheets {
		if sh.Internal == internal {
			out = append(out, sh)
		}
	}
	return out
}

// taken is what a verb takes: clauses of its own, or a set of clauses that others share.
type taken struct {
	Head, Set string
	Items     []assist.TopicPart
}

// takes lists what a verb takes. A set of clauses that the page shows once is only named.
func (s *System) takes(verb *Topic) []taken {
	var out []taken
	for _, g := range groups(verb.Parts) {
		x := taken{Head: g.Head, Items: g.Items}
		for _, set := range s.of("set of clauses") {
			if g.Head != "" && set.Doc == g.Head {
				x.Set = set.Name
			}
		}
		out = append(out, x)
	}
	return out
}

// contents lists the parts of a system's page.
func (b *Book) contents(s *System) []string {
	var out []string
	add := func(head string, there bool) {
		if there {
			out = append(out, head)
		}
	}
	add("Changes", len(s.Overrides) > 0)
	add("Commands", len(s.of("verb")) > 0)
	add("Shared clauses", len(s.of("set of clauses")) > 0)
	add("Sheets", len(s.sheets(false)) > 0)
	add("In stock", len(s.of("in stock")) > 0)
	add("Special rules", len(s.of("special rule")) > 0)
	add("Decisions", len(s.Decisions) > 0)
	add("Words for somebody", len(s.of("word for somebody")) > 0)
	add("Options", len(s.of("option")) > 0)
	for _, g := range s.kinds(alsoAtTheTable) {
		add(g.Head, true)
	}
	add("For writers of rules", len(s.kinds(forWriters)) > 0 || len(s.sheets(true)) > 0)
	add("Cases", len(b.casesOf(s)) > 0)
	add("Rules", len(s.Rules) > 0)
	return out
}

// from says which commands or sheets a word comes with.
func from(t *Topic) string {
	if len(t.Of) == 0 {
		return ""
	}
	if t.Kind == "value of the last outcome" {
		return "from " + strings.Join(t.Of, ", ")
	}
	return "of " + strings.Join(t.Of, ", ")
}

// shownIn finds the case that an example comes from, if it comes from one.
func (b *Book) shownIn(t *Topic) []cases.Case {
	for _, c := range b.src.Cases.All() {
		if t.Sample.From == c.System+"/"+c.Name+".scene" {
			return []cases.Case{c}
		}
	}
	return nil
}

// casesOf lists the cases of a system.
func (b *Book) casesOf(s *System) []cases.Case {
	return slices.DeleteFunc(slices.Clone(b.src.Cases.All()), func(c cases.Case) bool { return c.System != s.Name })
}

// script is the declaration of a rule, for those who write a variant of it.
func script(t *Topic) string {
	if t.Kind != "rule" {
		return ""
	}
	return strings.Join(render.Excerpt(t.At), "\n")
}

// sections puts the rules of a system under the first words of their ids.
func sections(rules []*Rule) []group[*Rule] {
	return gather(rules, func(r *Rule) string {
		words := strings.Split(r.ID, ".")
		return words[min(1, len(words)-1)]
	})
}

func sortedNames(m map[string]*Name) []*Name {
	var out []*Name
	for _, word := range slices.Sorted(maps.Keys(m)) {
		out = append(out, m[word])
	}
	return out
}

// letters puts names under their first letters.
func letters(names []*Name) []group[*Name] {
	out := gather(names, func(n *Name) string {
		if c := strings.ToUpper(n.Word)[0]; c >= 'A' && c <= 'Z' {
			return string(c)
		}
		return "signs"
	})
	slices.SortStableFunc(out, func(a, b group[*Name]) int { return cmp.Compare(a.Head, b.Head) })
	return out
}

func headingOf(t *Topic) string {
	s := t.Kind
	if len(t.Of) > 0 {
		s += " of " + strings.Join(t.Of, ", ")
	}
	return s
}
