package handbook

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"setpiece/cmd/internal/render"
	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/transcript"
	"setpiece/lang"
	"setpiece/lang/late"
)

// A quick reference is what a game master prints for the table: a system on two pages. A
// module says in its file quick.md what stands on it, in Markdown: headings, paragraphs, and
// fenced blocks that name what the module declares, a line each:
//
//	sheets      hero: star, TRAIT      a sheet, and what to write on it
//	verbs       attack: with, against  a command with these of its clauses; "/" parts those
//	                                   of which one is written
//	clauses     attack: benefit, link  clauses of a verb
//	rules       scene.start            what the book says, by the id of a rule
//	table       base_difficulty        a table of the rules
//	words       foe, strongest         words for somebody
//	features    fickle, area           special rules
//	decisions   reroll                 what tactics can answer
//	options     reroll_one             open questions, with their answers
//	stock       "Street Thug"          who is ready: how one is taken, and the others
//	setpiece    a script, which is shown
//	play        a script, which is shown with what happens when it runs
//
// All texts come from the declarations. For a module without such a file the page has all
// sheets, verbs, special rules and decisions.

// Quick is the quick reference of a system.
type Quick struct {
	System, Title string
	Sections      []QuickSection
}

// QuickSection is a part of it under a heading.
type QuickSection struct {
	Head  string
	Parts []QuickPart
}

// QuickPart is one of these: a paragraph, rows, or a script with what happens in it.
type QuickPart struct {
	Text               string
	Rows               []QuickRow
	Script, Transcript string
}

// QuickRow is something that can be typed, and what it means; perhaps with a command as
// somebody may type it, which stands in one of them.
type QuickRow struct{ Form, Doc, Example string }

// NewQuick makes the quick reference of a system that sessions of a configuration find; prompt
// are the commands of the prompt that are named on it.
func NewQuick(ctx context.Context, cfg interp.Config, system string, prompt []assist.Topic) (*Quick, error) {
	s := interp.NewSession(cfg)
	if err := s.Exec(ctx, lang.NewSource("", "use "+system)); err != nil {
		return nil, err
	}
	m := &quickMaker{ctx: ctx, s: s, cfg: cfg, q: &Quick{System: system}}
	for _, t := range assist.Help(s, system) {
		if t.Kind == "system" || t.Kind == "variant" {
			m.q.Title = t.Doc
		}
	}
	m.q.Title = cmp.Or(m.q.Title, system)
	file := "quick.md"
	text, err := s.ReadBeside(system, file)
	if err != nil {
		text, file = []byte(m.all()), system
	}
	if err := m.read(string(text)); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	rows := []QuickRow{{Form: "?", Doc: "at a question: what each answer is worth; at a turn: the best commands"}}
	for _, t := range prompt {
		rows = append(rows, QuickRow{Form: t.Form, Doc: t.Doc})
	}
	m.q.Sections = append(m.q.Sections, QuickSection{"At the prompt", []QuickPart{{Rows: rows}}})
	return m.q, nil
}

// Script is everything on the page that can be run, as one script.
func (q *Quick) Script() string {
	var s strings.Builder
	fmt.Fprintf(&s, "use %s\n", q.System)
	for _, sec := range q.Sections {
		for _, p := range sec.Parts {
			s.WriteString(p.Script)
		}
	}
	return s.String()
}

type quickMaker struct {
	ctx context.Context
	s   *interp.Session
	cfg interp.Config
	q   *Quick
	ran string // the scripts so far
}

// read follows the lines of a file.
func (m *quickMaker) read(text string) error {
	var paragraph, block []string
	fence := ""
	add := func(p QuickPart) {
		if len(m.q.Sections) == 0 {
			m.q.Sections = []QuickSection{{}}
		}
		sec := &m.q.Sections[len(m.q.Sections)-1]
		sec.Parts = append(sec.Parts, p)
	}
	flush := func() {
		if len(paragraph) > 0 {
			add(QuickPart{Text: strings.Join(paragraph, " ")})
		}
		paragraph = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		rest, fenced := strings.CutPrefix(line, "```")
		switch {
		case fence != "" && fenced:
			p, err := m.part(fence, block)
			if err != nil {
				return err
			}
			add(p)
			fence, block = "", nil
		case fence != "":
			block = append(block, line)
		case fenced:
			flush()
			fence = rest
		case strings.HasPrefix(line, "# "): // the title is the system's own
		case strings.HasPrefix(line, "## "):
			flush()
			m.q.Sections = append(m.q.Sections, QuickSection{Head: line[3:]})
		case line == "":
			flush()
		default:
			paragraph = append(paragraph, line)
		}
	}
	flush()
	return nil
}

// part fills in a fenced block.
func (m *quickMaker) part(kind string, lines []string) (QuickPart, error) {
	switch kind {
	case "setpiece", "play":
		script := strings.Join(lines, "\n") + "\n"
		p := QuickPart{Script: script}
		var err error
		if kind == "play" {
			p.Transcript, err = m.play(script)
		}
		m.ran += script
		return p, err
	}
	of, ok := map[string]func(name string, parts []string) ([]QuickRow, error){
		"sheets": m.sheet, "verbs": m.verb, "clauses": m.clauses, "rules": m.rule, "table": m.table, "words": m.named("word for somebody"),
		"features": m.named("special rule"), "decisions": m.decision, "options": m.option, "stock": m.stock,
	}[kind]
	if !ok {
		return QuickPart{}, fmt.Errorf("no block is called %s", kind)
	}
	var p QuickPart
	for _, line := range lines {
		begins := true
		names, parts, several := strings.Cut(line, ":")
		for name := range strings.SplitSeq(names, ",") {
			var list []string
			if several {
				for part := range strings.SplitSeq(parts, ",") {
					list = append(list, strings.TrimSpace(part))
				}
			}
			rows, err := of(strings.TrimSpace(name), list)
			if err != nil {
				return p, err
			}
			p.Rows = join(p.Rows, rows, begins || kind != "verbs" && kind != "sheets")
			begins = false
		}
	}
	return p, nil
}

// join puts rows behind others. Two names of one line that are written alike are one row, as
// in "heroes, villains WHOM".
func join(rows, more []QuickRow, begins bool) []QuickRow {
	if begins || len(rows) == 0 || len(more) != 1 {
		return append(rows, more...)
	}
	last, next := rows[len(rows)-1], more[0]
	if last.Example != "" || next.Example != "" {
		return append(rows, next)
	}
	a, tail, ok := splitForm(last.Form)
	b, other, same := splitForm(next.Form)
	if !ok || !same || tail != other || strings.HasPrefix(a, "WHO: ") != strings.HasPrefix(b, "WHO: ") {
		return append(rows, next)
	}
	doc := last.Doc
	if next.Doc != last.Doc {
		doc += "; " + next.Doc
	}
	rows[len(rows)-1] = QuickRow{Form: a + ", " + strings.TrimPrefix(b, "WHO: ") + tail, Doc: doc}
	return rows
}

// splitForm parts a form after the names that it begins with: "WHO: attack, trick" " TARGET".
func splitForm(form string) (names, tail string, ok bool) {
	m := formNames().FindString(form)
	return m, form[len(m):], m != ""
}

var formNames = late.Regexp(`^(WHO: )?[a-z_]+(, [a-z_]+)*`)

// play runs a script after those that stand above it, and gives what it prints.
func (m *quickMaker) play(script string) (string, error) {
	var out bytes.Buffer
	text := transcript.NewText(&out, transcript.Options{})
	on := false
	cfg := m.cfg
	cfg.Seed, cfg.Events = caseSeed, func(e *interp.Event) {
		if on {
			text.Event(e)
		}
	}
	s := interp.NewSession(cfg)
	if err := s.Exec(m.ctx, lang.NewSource("quick.scene", "use "+m.q.System+"\n"+m.ran)); err != nil {
		return "", err
	}
	on = true
	if err := s.Exec(m.ctx, lang.NewSource("quick.scene", script)); err != nil {
		return "", err
	}
	return strings.ReplaceAll(strings.TrimRight(out.String(), "\n"), "\n\n", "\n"), nil
}

// topic finds a meaning of a word.
func (m *quickMaker) topic(kind, name string) (assist.Topic, error) {
	for _, t := range assist.Help(m.s, name) {
		if t.Kind == kind && t.Module != "" {
			return t, nil
		}
	}
	return assist.Topic{}, fmt.Errorf("no %s is called %s", kind, name)
}

// sheet gives a sheet, and the entries that are named.
func (m *quickMaker) sheet(name string, entries []string) ([]QuickRow, error) {
	t, err := m.topic("sheet", name)
	if err != nil {
		return nil, err
	}
	rows := []QuickRow{{Form: name + " Name { … }", Doc: t.Doc}}
	fields := assist.Fields(m.s, name)
	for _, e := range entries {
		i := slices.IndexFunc(fields, func(f assist.FieldInfo) bool { return f.Name == e || f.Entry == e || f.Entry == e+" …" })
		if i < 0 {
			return nil, fmt.Errorf("%s has no field %s", name, e)
		}
		rows = append(rows, QuickRow{Form: entryForm(fields[i]), Doc: fields[i].Doc + usual(fields[i])})
	}
	return rows, nil
}

// entryForm says how a field is written.
func entryForm(f assist.FieldInfo) string {
	takes := strings.TrimPrefix(f.Takes, "whole number ")
	switch {
	case f.Entry == "TRAIT RATING", strings.HasSuffix(f.Entry, "…"):
		return f.Entry
	case strings.HasPrefix(f.Takes, "yes or no"):
		return f.Entry + " yes"
	case f.Takes == "whole number":
		return f.Entry + " 0"
	}
	return f.Entry + " " + takes
}

// usual says what a field is if nobody says.
func usual(f assist.FieldInfo) string {
	switch f.Default {
	case "", "none", "empty", "no", "itself":
		return ""
	}
	return " (usually " + f.Default + ")"
}

// verb gives a command with the clauses that are named.
func (m *quickMaker) verb(name string, clauses []string) ([]QuickRow, error) {
	t, err := m.topic("verb", name)
	if err != nil {
		return nil, err
	}
	doc, example := exampleOf(t)
	if example != "" && len(clauses) == 0 {
		return []QuickRow{{example, doc, example}}, nil
	}
	form := strings.TrimSuffix(t.Form, " …")
	for _, c := range clauses {
		or := " "
		for c := range strings.SplitSeq(c, "/") {
			p, err := clauseOf(t, strings.TrimSpace(c))
			if err != nil {
				return nil, err
			}
			form += or + p.Text
			or = " / "
		}
	}
	return []QuickRow{{form, t.Doc, example}}, nil
}

// exampleOf parts what a verb says from the command with which it ends, as in "gives points to
// somebody: Nova: donate 1 to Brick".
func exampleOf(t assist.Topic) (doc, example string) {
	at := regexp.MustCompile(`: ((\p{Lu}\w*|"[^"]*"): )?` + t.Name + `\b`).FindStringIndex(t.Doc)
	if at == nil || strings.Contains(t.Doc[at[0]:], "and a block") {
		return t.Doc, ""
	}
	return t.Doc[:at[0]], t.Doc[at[0]+2:]
}

func (m *quickMaker) clauses(verb string, names []string) ([]QuickRow, error) {
	t, err := m.topic("verb", verb)
	if err != nil {
		return nil, err
	}
	var rows []QuickRow
	for _, c := range names {
		p, err := clauseOf(t, c)
		if err != nil {
			return nil, err
		}
		rows = append(rows, QuickRow{Form: p.Text, Doc: p.Doc})
	}
	return rows, nil
}

// clauseOf finds a clause by its first words.
func clauseOf(t assist.Topic, start string) (assist.TopicPart, error) {
	for _, p := range t.Parts {
		if p.Text == start || strings.HasPrefix(p.Text, start+" ") {
			return p, nil
		}
	}
	return assist.TopicPart{}, fmt.Errorf("%s has no clause %s", t.Name, start)
}

func (m *quickMaker) rule(id string, _ []string) ([]QuickRow, error) {
	r, _, err := assist.Explain(m.s, m.q.System+"."+id)
	if err != nil {
		return nil, err
	}
	return []QuickRow{{Doc: r.Doc}}, nil
}

func (m *quickMaker) named(kind string) func(string, []string) ([]QuickRow, error) {
	return func(name string, _ []string) ([]QuickRow, error) {
		t, err := m.topic(kind, name)
		if err != nil {
			return nil, err
		}
		sentence, _, _ := strings.Cut(t.Doc, ". ")
		return []QuickRow{{Form: name, Doc: strings.TrimSuffix(sentence, ".")}}, nil
	}
}

func (m *quickMaker) decision(name string, _ []string) ([]QuickRow, error) {
	t, err := m.topic("decision", name)
	if err != nil {
		return nil, err
	}
	answer := "ANSWER"
	for _, p := range t.Parts {
		if p.Text == "answers" && len(p.Doc) < 30 {
			answer = p.Doc
		}
	}
	return []QuickRow{{Form: "on " + name + ": " + answer, Doc: t.Doc}}, nil
}

func (m *quickMaker) option(name string, _ []string) ([]QuickRow, error) {
	t, err := m.topic("option", name)
	if err != nil {
		return nil, err
	}
	var values []string
	for _, p := range t.Parts {
		values = append(values, p.Text)
	}
	return []QuickRow{{Form: name + " = " + strings.Join(values, ", "), Doc: t.Doc}}, nil
}

// stock names all who are ready, in one row: it shows how one of them is taken.
func (m *quickMaker) stock(name string, _ []string) ([]QuickRow, error) {
	var names []string
	for _, t := range assist.Stock(m.s) {
		names = append(names, `"`+t.Name+`"`)
	}
	at := slices.Index(names, name)
	if at < 0 {
		return nil, fmt.Errorf("no %s is in stock", name)
	}
	return []QuickRow{{Form: "stock " + name + " x3", Doc: "ready with a sheet and tactics, as are " + strings.Join(slices.Delete(names, at, at+1), ", ")}}, nil
}

// table gives a table of the rules as one row: its lines, one after the other.
func (m *quickMaker) table(name string, _ []string) ([]QuickRow, error) {
	t, err := m.topic("rule", name)
	if err != nil {
		return nil, err
	}
	file, _ := lang.Parse(lang.NewSource("", strings.Join(render.Excerpt(t.At), "\n")))
	var lines []string
	lang.Walk(file, func(n lang.Node) bool {
		if table, ok := n.(*lang.Table); ok {
			for _, r := range table.Rows {
				at := r.Range()
				line, _, _ := strings.Cut(at.Src.Text[at.Start:at.End], "\n")
				lines = append(lines, strings.Join(strings.Fields(strings.ReplaceAll(line, "=>", "=")), " "))
			}
		}
		return true
	})
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s is no table", name)
	}
	return []QuickRow{{Doc: strings.Join(lines, " · ")}}, nil
}

// all names everything that a module declares, for one that does not choose.
func (m *quickMaker) all() string {
	var s strings.Builder
	list := func(head, block string, kinds ...string) {
		var names []string
		for _, word := range assist.HelpWords(m.s) {
			for _, t := range assist.Help(m.s, word) {
				if t.Module == m.q.System && slices.Contains(kinds, t.Kind) && !slices.Contains(names, word) {
					names = append(names, word)
				}
			}
		}
		if len(names) > 0 {
			fmt.Fprintf(&s, "## %s\n```%s\n%s\n```\n", head, block, strings.Join(names, "\n"))
		}
	}
	list("Characters", "sheets", "sheet")
	list("Commands", "verbs", "verb")
	list("Special rules", "features", "special rule")
	list("Decisions", "decisions", "decision")
	if stock := assist.Stock(m.s); len(stock) > 0 {
		fmt.Fprintf(&s, "## In stock\n```stock\n%q\n```\n", stock[0].Name)
	}
	return s.String()
}

// HTML gives the page as one that prints on paper of the size A4.
func (q *Quick) HTML() ([]byte, error) {
	css, err := pages.ReadFile("pages/quick.css")
	if err != nil {
		return nil, err
	}
	t, err := template.New("").Funcs(template.FuncMap{"text": marked, "css": func() template.CSS { return template.CSS(css) }}).ParseFS(pages, "pages/quick.html")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.ExecuteTemplate(&out, "quick.html", q)
	return out.Bytes(), err
}

var codeSpan = late.Regexp("`([^`]+)`")

// marked is a paragraph with its `code` as such.
func marked(text string) template.HTML {
	return template.HTML(codeSpan().ReplaceAllString(html.EscapeString(text), "<code>$1</code>"))
}
