package cases

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// Example is a piece of a script that shows a word.
type Example struct {
	Text string
	From string // the file it is taken from
	// Played says that a case shows it: it is more than a statement of the rules.
	Played bool
}

// piece is a statement of a case or of the rules that may serve as an example.
type piece struct {
	text, from string
	verb       string // the first word of a command
	entry      bool   // an entry of a sheet, shown within it
	rank       rank
}

// rank says how good an example of one kind is.
type rank int

const (
	played  rank = iota // by a case
	refused             // a case shows that it is refused
	ruling              // a statement of the rules
)

// Longer pieces show too much.
const (
	mostLines   = 8
	mostLetters = 400
)

type examples struct {
	of map[string][]piece // by system, the shortest first
}

// Example finds the shortest piece of a case that shows a topic, and else of the
// rules themselves.
func (l *Library) Example(t interp.Topic) (Example, bool) {
	if t.Example != "" {
		return Example{Text: t.Example}, true
	}
	if t.Kind == "rule of the book" {
		return Example{}, false // it has its script, and its cases
	}
	shows := test(t)
	for _, system := range l.systems(t) {
		for _, p := range l.pieces(system) {
			if shows(p) {
				return Example{p.text, p.from, p.rank != ruling}, true
			}
		}
	}
	return Example{}, false
}

// systems says whose cases may show a topic: those of its system, or, where it
// belongs to several, of all.
func (l *Library) systems(t interp.Topic) []string {
	if t.Module != "" {
		return strings.Split(t.Module, ", ")
	}
	var all []string
	for _, c := range l.All() {
		if !slices.Contains(all, c.System) {
			all = append(all, c.System)
		}
	}
	return all
}

// test gives what a piece must have to show a topic.
func test(t interp.Topic) func(piece) bool {
	word := regexp.QuoteMeta(t.Name)
	match := func(pattern string) func(piece) bool {
		re := regexp.MustCompile(pattern)
		return func(p piece) bool { return strings.Contains(p.text, t.Name) && re.MatchString(p.text) }
	}
	switch t.Kind {
	case "verb":
		return func(p piece) bool { return p.verb == t.Name && !p.entry }
	case "sheet":
		re := regexp.MustCompile(`\bsheet ` + word + `\b|\bnew ` + word + `\b|\b` + word + ` many\b`)
		return func(p piece) bool {
			return p.verb == t.Name || strings.Contains(p.text, t.Name) && re.MatchString(p.text)
		}
	case "clause":
		words := literals(t.Form)
		re := regexp.MustCompile(`\b` + strings.Join(words, `\b[^;]*?\b`) + `\b`)
		return func(p piece) bool {
			if p.rank == ruling || !slices.Contains(t.Of, p.verb) || len(words) > 0 && !strings.Contains(p.text, words[0]) {
				return false
			}
			_, args, _ := strings.Cut(p.text, p.verb)
			return len(words) == 0 && strings.TrimSpace(args) != "" || len(words) > 0 && re.MatchString(args)
		}
	case "field":
		entry := t.Name
		if _, as, ok := strings.Cut(t.Form, " as "); ok {
			entry, _, _ = strings.Cut(as, " ")
		}
		re := regexp.MustCompile(`\.` + word + `\b`)
		return func(p piece) bool {
			return p.entry && (p.verb == t.Name || p.verb == entry || entry == "CAPS" && p.verb == "") ||
				strings.Contains(p.text, t.Name) && re.MatchString(p.text) || p.rank == ruling && strings.HasPrefix(p.text, t.Name+" ")
		}
	case "special rule":
		return match(`\[[^\]\n]*\b` + word + `\b|\bstarts? with ` + word + `\b|has\(` + word + `\b|feature ` + word + `\b`)
	case "moment":
		return match(`\b(on|signal) ` + word + `\b`)
	case "decision":
		return match(`\bon ` + word + `:|\bchoose ` + word + `\b|\boffer ` + word + `\b|\b` + word + `\b`)
	case "option":
		return match(`\b` + word + ` =`)
	case "goal", "span", "set of clauses", "table", "check":
		return match(`\b` + word + `\b`)
	case "word for somebody":
		var forms []string
		for _, p := range t.Parts {
			forms = append(forms, p.Text)
		}
		return func(p piece) bool {
			return p.rank != ruling && p.verb != "" && slices.ContainsFunc(forms, func(f string) bool { return hasWords(p.text, f) }) ||
				p.rank == ruling && strings.HasPrefix(p.text, "rule pick_"+t.Name+"(") || p.rank == ruling && strings.HasPrefix(p.text, "rule "+t.Name+"(")
		}
	case "system":
		return match(`\buse ` + word + `\b`)
	case "variant":
		return match(`\buse [^\n]*\b` + word + `\b`)
	case "value of the last outcome":
		return match(`\blast\.` + word + `\b|\b` + word + `\b`)
	case "word":
		if form := regexp.QuoteMeta(strings.TrimPrefix(t.Form, "option ")); strings.Contains(form, " ") {
			exact, loose := regexp.MustCompile(`\b`+form+`\b`), regexp.MustCompile(`\b`+word+`\b`)
			return func(p piece) bool {
				return strings.Contains(p.text, t.Name) && (exact.MatchString(p.text) || loose.MatchString(p.text))
			}
		}
		return match(`\b` + word + `\b`)
	}
	return match(`\b` + word + `\b`) // a rule, a part of a sheet
}

// hasWords says whether words stand in a text, not as a part of longer ones.
func hasWords(text, words string) bool {
	letter := func(s string, i int) bool {
		return i >= 0 && i < len(s) && (s[i] == '_' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z' || s[i] >= '0' && s[i] <= '9')
	}
	for from := 0; ; {
		i := strings.Index(text[from:], words)
		if i < 0 {
			return false
		}
		i += from
		if !letter(text, i-1) && !letter(text, i+len(words)) {
			return true
		}
		from = i + 1
	}
}

// literals gives the words of a form that are typed as they stand, up to what may be
// left out.
func literals(form string) []string {
	form, _, _ = strings.Cut(form, "[")
	var out []string
	for _, w := range strings.Fields(form) {
		if w == strings.ToLower(w) {
			out = append(out, regexp.QuoteMeta(w))
		}
	}
	return out
}

func (l *Library) pieces(system string) []piece {
	system = folder(system)
	if list, ok := l.examples.of[system]; ok {
		return list
	}
	if l.examples.of == nil {
		l.examples.of = map[string][]piece{}
	}
	var list []piece
	for _, c := range l.All() {
		// what several systems share is shown by the cases of each
		if c.System == system || slices.Contains(included()[c.System], system) {
			list = append(list, piecesOf(c.source(), played)...)
		}
	}
	for _, dir := range append(slices.Clone(included()[system]), system) {
		files, _ := fs.Glob(stdlib.FS, dir+"/*.rules")
		for _, name := range files {
			if text, err := fs.ReadFile(stdlib.FS, name); err == nil {
				list = append(list, piecesOf(lang.NewSource(name, string(text)), ruling)...)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(len(a.text), len(b.text)))
	})
	l.examples.of[system] = list
	return list
}

// included are the systems that a system uses.
var included = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	files, _ := fs.Glob(stdlib.FS, "*/*.rules")
	for _, name := range files {
		text, _ := fs.ReadFile(stdlib.FS, name)
		system := path.Dir(name)
		for _, m := range other.FindAllStringSubmatch(string(text), -1) {
			if m[1] != system && !slices.Contains(out[system], m[1]) {
				out[system] = append(out[system], m[1])
			}
		}
	}
	return out
})

var other = regexp.MustCompile(`(?m)^use (\w+)`)

// folder is where a system, or a variant of one, is kept.
func folder(module string) string {
	if files, _ := fs.Glob(stdlib.FS, "*/"+module+".rules"); len(files) > 0 {
		return path.Dir(files[0])
	}
	return module
}

func piecesOf(src *lang.Source, r rank) []piece {
	file, _ := lang.Parse(src)
	if file == nil {
		return nil
	}
	var out []piece
	var refusedTo int32 // where the block of what is refused ends
	add := func(at lang.Span, p piece) {
		if p.text == "" {
			p.text = dedent(src.Text, int(at.Start), int(at.End))
		}
		if r == ruling {
			p.text = cut(p.text)
		}
		if strings.Count(p.text, "\n") < mostLines && len(p.text) <= mostLetters {
			if p.from, p.rank = src.Name, r; int32(at.End) <= refusedTo {
				p.rank = refused
			}
			out = append(out, p)
		}
	}
	lang.Walk(file, func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.File:
		case *lang.Command:
			verb := headWord(n)
			if verb == "refused" || verb == "faults" {
				refusedTo = int32(n.End)
			}
			text := ""
			if n.Block != nil && n.Block.End-n.Block.Start > mostLetters {
				text = strings.TrimSpace(src.Text[n.Start:n.Block.Start]) + " { … }"
			}
			add(n.Span, piece{verb: verb, text: text})
			if n.Block != nil && n.Who == nil {
				head := strings.TrimSpace(src.Text[n.Start:n.Block.Start])
				for _, s := range n.Block.Stmts {
					if e, ok := s.(*lang.Command); ok && e.Block == nil {
						add(e.Span, piece{text: head + " { " + src.Text[e.Start:e.End] + " … }", verb: headWord(e), entry: true})
					}
				}
			}
		case *lang.Tactic, *lang.Field:
			add(n.Range(), piece{})
		case lang.Stmt:
			add(n.Range(), piece{})
		}
		return true
	})
	return out
}

// cut shortens a long text, and says so.
func cut(text string) string {
	whole := text
	if lines := strings.SplitAfter(text, "\n"); len(lines) > mostLines {
		text = strings.Join(lines[:mostLines-1], "")
	}
	for len(text) > mostLetters-8 && strings.Contains(strings.TrimRight(text, "\n"), "\n") {
		text = text[:strings.LastIndexByte(strings.TrimRight(text, "\n"), '\n')+1]
	}
	if text != whole {
		text = strings.TrimRight(text, "\n") + "\n  …"
	}
	return text
}

func headWord(c *lang.Command) string {
	if w, ok := c.Head.(*lang.Word); ok {
		return w.Name
	}
	return ""
}

// dedent gives a piece of a text without the indentation of its first line.
func dedent(text string, start, end int) string {
	line := strings.LastIndexByte(text[:start], '\n') + 1
	lead := text[line:start]
	if strings.TrimSpace(lead) != "" {
		lead = lead[:len(lead)-len(strings.TrimLeft(lead, " "))]
	}
	return strings.ReplaceAll(strings.TrimSpace(text[start:end]), "\n"+lead, "\n")
}
