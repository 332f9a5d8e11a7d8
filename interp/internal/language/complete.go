package language

import (
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/sheetfile"
	"setpiece/lang"
)

// Unfinished cuts the word that is being typed off a line and gives the command it
// belongs to, for Candidates.
func Unfinished(line string) string {
	line = line[:strings.LastIndexAny(line, " \t\n,:;([{}+=-*/.")+1]
	for _, c := range []string{"\n", ";", "{", "}"} {
		if i := strings.LastIndex(line, c); i >= 0 && strings.Count(line[:i], `"`)%2 == 0 {
			line = line[i+len(c):]
		}
	}
	return strings.TrimSpace(line)
}

// Complete lists what may stand at the end of a line that is being typed, and
// where the word begins that it would replace.
// idle says of a clause that it cannot count there.
func Complete(w *decl.World, line string, idle func(*lang.Clause) bool) (from int, words []decl.Word) {
	from = strings.LastIndexAny(line, " \t\n,:;([{}=+-*/.") + 1
	if q := strings.Count(line, `"`); q%2 == 1 {
		from = strings.LastIndex(line, `"`)
	}
	prefix := line[from:]
	begun := strings.ToLower(prefix)
	for _, c := range candidates(w, strings.TrimSpace(line[:from]), line[:from], idle) {
		text := strings.ToLower(c.Text)
		quoted := begun != "" && strings.HasPrefix(text, `"`+begun) // a name in quotes may be begun without
		if (quoted || strings.HasPrefix(text, begun)) && c.Text != prefix {
			words = append(words, c)
		}
	}
	slices.SortStableFunc(words, func(a, b decl.Word) int { return strings.Compare(a.Text, b.Text) })
	return from, slices.Compact(words)
}

// candidates lists what may follow a text: at the beginning verbs, sheets and
// names; behind a verb its clauses and what its slots take.
func candidates(w *decl.World, before, raw string, idle func(*lang.Clause) bool) []decl.Word {
	if strings.HasSuffix(raw, ".") {
		return members(w, strings.TrimSuffix(raw, "."))
	}
	if before == "use" {
		var out []decl.Word
		for _, l := range compile.List(w) {
			if l.Title+l.Base != "" && !slices.ContainsFunc(out, func(x decl.Word) bool { return x.Text == l.Name }) {
				out = append(out, moduleWord(l))
			}
		}
		return out
	}
	switch f := strings.Fields(before); {
	case before == "include", before == "cast from", before == decl.TakesStock+" from":
		return readable(w, before)
	case len(f) > 0 && f[0] == decl.TakesStock && w.Verbs[f[0]] == nil && (len(f) == 1 || f[len(f)-1] == "as"):
		return stockWords(w)
	}
	if f := strings.Fields(before); len(f) == 1 && f[0] == "option" {
		return optionWords(w)
	}
	if f := strings.Fields(before); len(f) == 3 && f[0] == "option" && f[2] == "=" {
		return choices(w, f[1])
	}
	who, rest := speaker(w, before)
	head, _, _ := strings.Cut(rest, " ")
	head = strings.TrimLeft(head, "( ")
	if v := w.Verbs[head]; v != nil {
		return insideVerb(w, v, who, rest, idle)
	}
	if rest != "" {
		return expressionWords(w)
	}
	return beginnings(w, who)
}

// moduleWord is a system, or a variant with the system that it changes.
func moduleWord(l compile.Listed) decl.Word {
	if l.Base == "" {
		return decl.Word{Text: l.Name, Doc: l.Title, Kind: "module"}
	}
	return decl.Word{Text: l.Name, Doc: phrase("of "+l.Base, l.Title), Kind: "variant"}
}

// readable lists the files that a word reads: scripts, or files of sheets.
func readable(w *decl.World, word string) []decl.Word {
	if w.Folder == nil {
		return nil
	}
	var out []decl.Word
	for _, f := range compile.FilesIn(w.Folder, ".") {
		script := strings.HasSuffix(f, ".rules") || strings.HasSuffix(f, ".scene")
		if script && word == "include" || sheetfile.Is(f) && word != "include" {
			out = append(out, decl.Word{Text: `"` + f + `"`, Doc: "", Kind: "file"})
		}
	}
	return out
}

// expressionWords lists what a value can begin with.
func expressionWords(w *decl.World) []decl.Word {
	out := append(w.Names(), ruleWords(w)...)
	for _, n := range decl.KeysOf(w.Cells) {
		out = append(out, decl.Word{Text: n, Doc: "a variable of the script", Kind: "variable"})
	}
	eachWord(w, "", func(set, word, doc string, _ lang.Span) {
		out = append(out, decl.Word{Text: word, Doc: phrase(doc, "one of the words "+set), Kind: "value"})
	})
	for _, b := range code.Functions {
		out = append(out, decl.Word{Text: b.Name + "(", Doc: b.Doc, Kind: "function"})
	}
	for _, e := range lang.Glossary() {
		if (e.Kind == "expression" || e.Kind == "value") && isLetter(e.Name) {
			out = append(out, decl.Word{Text: e.Name, Doc: e.Doc, Kind: "word"})
		}
	}
	return out
}

func isLetter(s string) bool { return s != "" && s[0] >= 'a' && s[0] <= 'z' && s != "d6" }

func optionWords(w *decl.World) []decl.Word {
	var out []decl.Word
	for _, o := range w.Options() {
		out = append(out, decl.Word{Text: o.Name, Doc: o.Doc, Kind: "option"})
	}
	return out
}

func choices(w *decl.World, name string) []decl.Word {
	var out []decl.Word
	if o := w.OptionNamed[name]; o != nil {
		for _, v := range o.Values {
			out = append(out, decl.Word{Text: w.Heap.Show(v, nil), Doc: "", Kind: "value"})
		}
	}
	return out
}

// speaker splits off  Who:  at the beginning of a command.
func speaker(w *decl.World, text string) (*decl.Entity, string) {
	for _, c := range []string{"\n", ";", "{", "}"} {
		if i := strings.LastIndex(text, c); i >= 0 && strings.Count(text[:i], `"`)%2 == 0 {
			text = text[i+len(c):]
		}
	}
	text = strings.TrimSpace(text)
	if i := strings.Index(text, ":"); i >= 0 {
		name := decl.Display(strings.Trim(strings.TrimSpace(text[:i]), `"`))
		return w.Entities[name], strings.TrimSpace(text[i+1:])
	}
	return nil, text
}

func beginnings(w *decl.World, who *decl.Entity) []decl.Word {
	var out []decl.Word
	for _, v := range decl.SortedVerbs(w) {
		if who == nil || !v.Decl.NoActor {
			out = append(out, decl.Word{Text: v.Name, Doc: v.Doc, Kind: "verb"})
		}
	}
	if who != nil {
		return out
	}
	for _, n := range decl.SheetNames(w) {
		if !w.IsPart(n) {
			out = append(out, decl.Word{Text: n, Doc: w.Sheets[n].Doc, Kind: "sheet"})
		}
	}
	for _, k := range []string{"use", "include", "cast", "option", "let", "if", "for", "repeat", "expect", "report", "print", "tactics", "test", "stock", "dice", "answers", "picks", "commands", "rule", "feature"} {
		out = append(out, decl.Word{Text: k, Doc: lang.Lookup(k)[0].Doc, Kind: "word"})
	}
	for _, n := range w.Names() {
		n.Text += ":"
		out = append(out, n)
	}
	return out
}

func ruleWords(w *decl.World) []decl.Word {
	var out []decl.Word
	for _, n := range decl.RuleNames(w) {
		if r := w.Rules[n]; decl.Offered(r) {
			out = append(out, decl.Word{Text: n, Doc: r.Doc, Kind: "rule"})
		}
	}
	return out
}

// insideVerb lists the words that can come next in a command: the words that
// go on with a clause just begun, else the beginnings of clauses, and the
// names that slots take.
func insideVerb(w *decl.World, v *decl.Verb, who *decl.Entity, rest string, idle func(*lang.Clause) bool) []decl.Word {
	fields := strings.Fields(rest)
	last := fields[len(fields)-1]
	if strings.HasSuffix(last, "+") {
		return traits(w, who)
	}
	var next, out []decl.Word
	pooled := false // traits are put together in it
	after := func(pattern []lang.Pat, doc *lang.Text) {
		for i, p := range pattern {
			s, slot := p.(*lang.PatSlot)
			pooled = pooled || slot && s.Type.Name.Name == "terms"
			if p, ok := p.(*lang.PatWord); !ok || p.Word != last || i+1 >= len(pattern) {
				continue
			}
			if n, ok := pattern[i+1].(*lang.PatWord); ok {
				next = append(next, decl.Word{Text: n.Word, Doc: decl.Plain(doc), Kind: "clause"})
				continue
			}
			next = append(next, slotWords(w, pattern[i+1], who)...)
		}
	}
	words := v.Decl.Pattern // of the verb itself
	for len(words) > 0 {
		after(words, nil)
		var rest []lang.Pat
		for _, p := range words {
			switch p := p.(type) {
			case *lang.PatWord:
				if !slices.Contains(fields, p.Word) {
					out = append(out, decl.Word{Text: p.Word, Kind: "clause"})
				}
			case *lang.PatOpt:
				rest = p.Pattern
			}
		}
		words = rest
	}
	eachClause(w, v.Decl.Clauses, func(cl *lang.Clause) {
		if !idle(cl) {
			after(cl.Pattern, cl.Doc)
		}
		if f := decl.FirstWord(cl); f != "" && !idle(cl) {
			out = append(out, decl.Word{Text: f, Doc: clauseDoc(w, cl), Kind: "clause"})
		}
	})
	if len(next) > 0 {
		return next
	}
	if pooled && slices.ContainsFunc(traits(w, who), func(t decl.Word) bool { return strings.HasSuffix(rest, " "+t.Text) }) {
		out = append(out, decl.Word{Text: "+", Doc: "one more trait", Kind: "clause"})
	}
	if len(fields) == 1 {
		for _, p := range v.Decl.Pattern {
			out = append(out, slotWords(w, p, who)...)
			break
		}
		eachClause(w, v.Decl.Clauses, func(cl *lang.Clause) {
			if decl.FirstWord(cl) == "" {
				out = append(out, slotWords(w, cl.Pattern[0], who)...)
			}
		})
	}
	return out
}

// slotWords lists what a slot takes.
func slotWords(w *decl.World, p lang.Pat, who *decl.Entity) []decl.Word {
	var out []decl.Word
	if o, ok := p.(*lang.PatOpt); ok {
		return slotWords(w, o.Pattern[0], who)
	}
	s, ok := p.(*lang.PatSlot)
	if !ok {
		return nil
	}
	kind := s.Type.Name.Name
	for _, id := range s.Type.OneOf {
		out = append(out, decl.Word{Text: id.Name, Doc: "", Kind: "value"})
	}
	if kind == "terms" && (s.Type.Of == nil || s.Type.Of.Name == "who") {
		return append(out, traits(w, who)...)
	} else if kind == "terms" { // of somebody who is not known here
		return append(out, traits(w, nil)...)
	}
	if w.Sheets[kind] == nil {
		return out
	}
	for _, e := range w.Order {
		switch {
		case !e.Sheet.Is(kind):
		case e.Owner == nil:
			out = append(out, decl.Word{Text: decl.QuoteName(e.Name), Doc: e.Sheet.Name, Kind: "character"})
		case who == nil || e.Owner == who:
			out = append(out, traitWord(e))
		}
	}
	if !w.IsPart(kind) {
		for _, n := range decl.KeysOf(w.Groups) {
			out = append(out, decl.Word{Text: strings.ReplaceAll(n, " ", "_"), Doc: "group", Kind: "character"})
		}
	}
	for _, n := range decl.RuleNames(w) {
		if a, ok := strings.CutPrefix(n, "pick_"); ok {
			out = append(out, decl.Word{Text: a, Doc: w.Rules[n].Doc, Kind: "word"})
		}
	}
	return out
}

// traits lists the traits of somebody, of everybody where nobody is named; not what only holds
// others together.
func traits(w *decl.World, who *decl.Entity) []decl.Word {
	var out []decl.Word
	for _, e := range w.Order {
		top := e.Owner
		for top != nil && top.Owner != nil {
			top = top.Owner // a trait of a set
		}
		if top != nil && (who == nil || top == who) && len(e.Parts) == 0 {
			out = append(out, traitWord(e))
		}
	}
	return out
}

func traitWord(e *decl.Entity) decl.Word {
	name := e.Name
	if !decl.IsName(name) || strings.ToUpper(name) != name && strings.ToLower(name) != name {
		name = `"` + name + `"`
	}
	return decl.Word{Text: name, Doc: e.Owner.Name, Kind: "trait"}
}
