package cases

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
	"setpiece/stdlib"
)

// An example of a name is the shortest piece of a case that uses it. Names are not enough
// to find one: "dice" is a statement, a field and a moment of some rules. So the scripts
// are compiled, and a piece shows a declaration if the compiler resolved a name in it to
// that declaration (interp.Session.References). Compiling takes time. Pieces are therefore
// tried from the shortest on, and a case is compiled only when one of its pieces has the
// word that somebody would type.

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
	at         lang.Span // what the text shows
	bare       bool      // a verb alone, or with a block that is empty or left out
	rank       rank
}

// rank says how good an example of one kind is.
type rank int

const (
	played  rank = iota // by a case
	refused             // a case shows that it is refused
	byRules             // a statement of the rules
)

// Longer pieces show too much.
const (
	mostLines   = 8
	mostLetters = 400
)

type examples struct {
	sources    map[string][]*lang.Source  // the cases of a system, or with " rules" its rules
	pieces     map[string][]piece         // by file
	all        map[string][]piece         // of a system
	sessions   map[string]*interp.Session // by system, with the system in use
	references map[string]references      // by file
	rules      map[string]bool            // systems whose files have their references
}

// references are the places at which a file refers to something.
type references map[assist.Meaning][]lang.Span

func (x references) add(r assist.Reference) {
	x[assist.MeaningOf(r)] = append(x[assist.MeaningOf(r)], r.At)
}

// Example finds the shortest piece of a case that shows a topic, or else of the rules
// themselves; at last it is the declaration.
func (l *Library) Example(t assist.Topic) (Example, bool) {
	if t.Example != "" {
		return Example{Text: t.Example}, true
	}
	if t.Kind == "rule of the book" {
		return Example{}, false // it has its script, and its cases
	}
	for _, system := range l.systems(t) {
		if p, ok := l.find(system, t); ok {
			return Example{p.text, p.from, p.rank != byRules}, true
		}
	}
	if t.At.Src == nil || t.Module == "" || !shipped(folder(t.Module)) {
		return Example{}, false
	}
	text, _ := cut(t.At)
	return Example{Text: text, From: t.At.Src.Name}, true
}

func (l *Library) find(system string, t assist.Topic) (piece, bool) {
	words := typed(t)
	for _, m := range t.Meanings() {
		for _, rules := range []bool{false, true} {
			for _, p := range l.pieces(system, rules, words) {
				inside := func(at lang.Span) bool { return p.at.Start <= at.Start && at.End <= p.at.End }
				if slices.ContainsFunc(l.referencesIn(system, p)[m], inside) {
					return p, true
				}
			}
		}
	}
	return piece{}, false
}

// typed gives the words of which a script must have one to show a topic, nil if it may
// have other names there, as an entry of a sheet for a trait.
func typed(t assist.Topic) []string {
	switch t.Kind {
	case "field":
		_, as, ok := strings.Cut(t.Form, " as ")
		if as, _, _ = strings.Cut(as, " "); as == "CAPS" {
			return nil
		} else if ok {
			return []string{t.Name, as}
		}
	case "clause":
		word, _, _ := strings.Cut(t.Form, " ")
		if word == strings.ToLower(word) {
			return []string{word}
		}
		return nil
	case "sheet", "check", "set of clauses":
		return nil
	}
	return []string{t.Name}
}

// systems says whose cases may show a topic: those of its system, or, where it belongs to
// several or to what several include, of all.
func (l *Library) systems(t assist.Topic) []string {
	of := strings.Split(t.Module, ", ")
	for i := range of {
		of[i] = folder(of[i])
	}
	var all []string
	for _, c := range l.All() {
		if !slices.Contains(all, c.System) {
			all = append(all, c.System)
		}
	}
	if t.Module != "" && (slices.Contains(all, of[0]) || !shipped(of[0])) {
		return of
	}
	return append(all, of...)
}

// folder is where a system, or a variant of one, is kept.
func folder(module string) string {
	if files, _ := fs.Glob(stdlib.FS, "*/"+module+".rules"); len(files) > 0 {
		return path.Dir(files[0])
	}
	return module
}

func shipped(system string) bool {
	_, err := fs.Stat(stdlib.FS, system)
	return err == nil
}

// referencesIn gives what the names in the file of a piece were resolved to.
func (l *Library) referencesIn(system string, p piece) references {
	x := &l.examples
	if p.rank == byRules {
		if !x.rules[system] {
			x.rules[system] = true
			x.ofRules(system)
		}
		return x.references[p.from]
	}
	in, ok := x.references[p.from]
	if !ok {
		s := x.sessions[system]
		if s == nil {
			s = interp.NewSession(interp.Config{Modules: stdlib.FS})
			if shipped(system) {
				_ = s.Exec(context.Background(), lang.NewSource("", "use "+system)) // or else each case does
			}
			x.sessions[system] = s
		}
		in = references{}
		for _, r := range assist.References(s, p.at.Src) {
			if r.At.Src == p.at.Src {
				in.add(r)
			}
		}
		x.references[p.from] = in
	}
	return in
}

// ofRules resolves all rules of a system and of its variants.
func (x *examples) ofRules(system string) {
	files, _ := fs.Glob(stdlib.FS, system+"/*.rules")
	for _, name := range files {
		text, _ := fs.ReadFile(stdlib.FS, name)
		if module := declares(lang.NewSource(name, string(text))); module != "" {
			s := interp.NewSession(interp.Config{Modules: stdlib.FS})
			for _, r := range assist.References(s, lang.NewSource("", "use "+module)) {
				in := x.references[r.At.Src.Name]
				if in == nil {
					in = references{}
					x.references[r.At.Src.Name] = in
				}
				in.add(r)
			}
		}
	}
}

// declares gives the system or variant that a file declares, "" for one that is a part.
func declares(src *lang.Source) string {
	file, _ := lang.Parse(src)
	for _, s := range file.Stmts {
		if system, ok := s.(*lang.System); ok {
			return system.Name.Name
		}
	}
	return ""
}

// pieces gives the statements of the cases of a system, or of its rules, that have one of
// some words, the best examples first. Files without any of them are not even parsed.
func (l *Library) pieces(system string, rules bool, words []string) []piece {
	key := system
	if rules {
		key += " rules"
	}
	if words == nil {
		if list, ok := l.examples.all[key]; ok {
			return list
		}
		list := l.pieces(system, rules, []string{""})
		l.examples.all[key] = list
		return list
	}
	has := func(text string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
	}
	rank := played
	if rules {
		rank = byRules
	}
	var list []piece
	for _, src := range l.sources(key, system, rules) {
		if !has(src.Text) {
			continue
		}
		all, ok := l.examples.pieces[src.Name]
		if !ok {
			all = piecesOf(src, rank)
			l.examples.pieces[src.Name] = all
		}
		for _, p := range all {
			if has(p.text) {
				list = append(list, p)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), truth(a.bare)-truth(b.bare), cmp.Compare(len(a.text), len(b.text)))
	})
	return list
}

// sources gives the cases of a system, or the files of its rules.
func (l *Library) sources(key, system string, rules bool) []*lang.Source {
	list, ok := l.examples.sources[key]
	if ok {
		return list
	}
	if rules {
		files, _ := fs.Glob(stdlib.FS, system+"/*.rules")
		for _, name := range files {
			if text, err := fs.ReadFile(stdlib.FS, name); err == nil {
				list = append(list, lang.NewSource(name, string(text)))
			}
		}
	} else {
		for _, c := range l.All() {
			if c.System == system {
				list = append(list, c.source())
			}
		}
	}
	l.examples.sources[key] = list
	return list
}

func piecesOf(src *lang.Source, r rank) []piece {
	file, _ := lang.Parse(src)
	if file == nil {
		return nil
	}
	var out []piece
	var refusedTo int32 // where the block of what is refused ends
	add := func(p piece) {
		if strings.Count(p.text, "\n") < mostLines && len(p.text) <= mostLetters {
			if p.from, p.rank = src.Name, r; p.at.End <= refusedTo {
				p.rank = refused
			}
			out = append(out, p)
		}
	}
	whole := func(at lang.Span) {
		if r == byRules {
			text, shown := cut(at)
			add(piece{text: text, at: shown})
			return
		}
		add(piece{text: dedent(at), at: at})
	}
	lang.Walk(file, func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.File:
		case *lang.Command:
			if verb := headWord(n); verb == "refused" || verb == "faults" {
				refusedTo = n.End
			}
			if n.Block == nil && len(n.Args) == 0 {
				add(piece{text: dedent(n.Span), at: n.Span, bare: true})
				return true
			} else if n.Block == nil {
				whole(n.Span)
				return true
			}
			head := lang.Span{Src: src, Start: n.Start, End: n.Block.Start}
			begin := strings.TrimSpace(src.Text[n.Start:n.Block.Start])
			if n.Block.End-n.Block.Start > mostLetters {
				add(piece{text: begin + " { … }", at: head, bare: true})
			} else {
				add(piece{text: dedent(n.Span), at: n.Span, bare: len(n.Block.Stmts) == 0})
			}
			if n.Who == nil {
				for _, s := range n.Block.Stmts {
					if e, ok := s.(*lang.Command); ok && e.Block == nil {
						add(piece{text: begin + " { " + src.Text[e.Start:e.End] + " … }", at: e.Span})
					}
				}
			}
		case *lang.Tactic, *lang.Field, lang.Stmt:
			whole(n.Range())
		}
		return true
	})
	return out
}

// cut gives the text of a place, shortened where it is long, and the part that it shows.
func cut(at lang.Span) (string, lang.Span) {
	lines := strings.SplitAfter(at.Src.Text[at.Start:at.End], "\n")
	n, size := 0, 0
	for n < len(lines) && n < mostLines && (n == 0 || size+len(lines[n]) <= mostLetters) {
		size += len(lines[n])
		n++
	}
	if n == len(lines) {
		return dedent(at), at
	}
	for n == mostLines || n > 1 && size > mostLetters-8 { // room for what says so
		n--
		size -= len(lines[n])
	}
	at.End = at.Start + int32(size)
	return dedent(at) + "\n  …", at
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func headWord(c *lang.Command) string {
	if w, ok := c.Head.(*lang.Word); ok {
		return w.Name
	}
	return ""
}

// dedent gives a piece of a text without the indentation of its first line.
func dedent(at lang.Span) string {
	text := at.Src.Text
	line := strings.LastIndexByte(text[:at.Start], '\n') + 1
	lead := text[line:at.Start]
	if strings.TrimSpace(lead) != "" {
		lead = lead[:len(lead)-len(strings.TrimLeft(lead, " "))]
	}
	return strings.ReplaceAll(strings.TrimSpace(text[at.Start:at.End]), "\n"+lead, "\n")
}
