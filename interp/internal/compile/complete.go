package compile

import (
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/lang"
)

// Word is something that may be typed next.
type Word struct{ Text, Doc, Kind string }

// Unfinished cuts the word that is being typed off a line and gives the command it
// belongs to, for Candidates.
func (w *World) Unfinished(line string) string {
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
func (w *World) Complete(line string, idle func(*lang.Clause) bool) (from int, words []Word) {
	from = strings.LastIndexAny(line, " \t\n,:;([{}=+-*/.") + 1
	if q := strings.Count(line, `"`); q%2 == 1 {
		from = strings.LastIndex(line, `"`)
	}
	prefix := line[from:]
	begun := strings.ToLower(prefix)
	for _, c := range w.candidates(strings.TrimSpace(line[:from]), line[:from], idle) {
		text := strings.ToLower(c.Text)
		quoted := begun != "" && strings.HasPrefix(text, `"`+begun) // a name in quotes may be begun without
		if (quoted || strings.HasPrefix(text, begun)) && c.Text != prefix {
			words = append(words, c)
		}
	}
	slices.SortStableFunc(words, func(a, b Word) int { return strings.Compare(a.Text, b.Text) })
	return from, slices.Compact(words)
}

// candidates lists what may follow a text: at the beginning verbs, sheets and
// names; behind a verb its clauses and what its slots take.
func (w *World) candidates(before, raw string, idle func(*lang.Clause) bool) []Word {
	if strings.HasSuffix(raw, ".") {
		return w.members(strings.TrimSuffix(raw, "."))
	}
	if before == "use" {
		var out []Word
		for _, m := range w.moduleNames() {
			out = append(out, Word{m, "", "module"})
		}
		return out
	}
	if before == "include" {
		return w.includable()
	}
	if f := strings.Fields(before); len(f) == 1 && f[0] == "option" {
		return w.optionWords()
	}
	if f := strings.Fields(before); len(f) == 3 && f[0] == "option" && f[2] == "=" {
		return w.choices(f[1])
	}
	who, rest := w.speaker(before)
	head, _, _ := strings.Cut(rest, " ")
	head = strings.TrimLeft(head, "( ")
	if v := w.verbs[head]; v != nil {
		return w.insideVerb(v, who, rest, idle)
	}
	if rest != "" {
		return w.expressionWords()
	}
	return w.beginnings(who)
}

// includable lists the files that a script may include.
func (w *World) includable() []Word {
	if w.Folder == nil {
		return nil
	}
	var out []Word
	for _, f := range filesIn(w.Folder, ".") {
		if strings.HasSuffix(f, ".rules") || strings.HasSuffix(f, ".scene") {
			out = append(out, Word{`"` + f + `"`, "", "file"})
		}
	}
	return out
}

// expressionWords lists what a value can begin with.
func (w *World) expressionWords() []Word {
	out := append(w.names(), w.ruleWords()...)
	for _, n := range keysOf(w.cells) {
		out = append(out, Word{n, "a variable of the script", "variable"})
	}
	for _, b := range code.Builtins {
		out = append(out, Word{b.Name + "(", b.Doc, "function"})
	}
	for _, e := range lang.Glossary() {
		if (e.Kind == "expression" || e.Kind == "value") && isLetter(e.Name) {
			out = append(out, Word{e.Name, e.Doc, "word"})
		}
	}
	return out
}

func isLetter(s string) bool { return s != "" && s[0] >= 'a' && s[0] <= 'z' && s != "d6" }

func (w *World) optionWords() []Word {
	var out []Word
	for _, o := range w.Options() {
		out = append(out, Word{o.Name, o.Doc, "option"})
	}
	return out
}

func (w *World) choices(name string) []Word {
	var out []Word
	if o := w.optionNamed[name]; o != nil {
		for _, v := range o.Values {
			out = append(out, Word{w.Heap.Show(v, nil), "", "value"})
		}
	}
	return out
}

// speaker splits off  Who:  at the beginning of a command.
func (w *World) speaker(text string) (*entity, string) {
	for _, c := range []string{"\n", ";", "{", "}"} {
		if i := strings.LastIndex(text, c); i >= 0 && strings.Count(text[:i], `"`)%2 == 0 {
			text = text[i+len(c):]
		}
	}
	text = strings.TrimSpace(text)
	if i := strings.Index(text, ":"); i >= 0 {
		name := display(strings.Trim(strings.TrimSpace(text[:i]), `"`))
		return w.entities[name], strings.TrimSpace(text[i+1:])
	}
	return nil, text
}

func (w *World) beginnings(who *entity) []Word {
	var out []Word
	for _, v := range sortedVerbs(w) {
		if who == nil || !v.decl.NoActor {
			out = append(out, Word{v.name, v.doc, "verb"})
		}
	}
	if who != nil {
		return out
	}
	for _, n := range sheetNames(w) {
		if !w.isPart(n) {
			out = append(out, Word{n, w.sheets[n].doc, "sheet"})
		}
	}
	for _, k := range []string{"use", "include", "option", "let", "if", "for", "repeat", "expect", "report", "print", "tactics", "test", "dice", "answers", "commands", "rule", "feature"} {
		out = append(out, Word{k, lang.Lookup(k)[0].Doc, "word"})
	}
	for _, n := range w.names() {
		n.Text += ":"
		out = append(out, n)
	}
	return out
}

func (w *World) names() []Word {
	var out []Word
	for _, n := range keysOf(w.entities) {
		out = append(out, Word{quoteName(n), w.entities[n].sheet.name, "character"})
	}
	for _, n := range keysOf(w.groups) {
		out = append(out, Word{strings.ReplaceAll(n, " ", "_"), "group", "character"})
	}
	return out
}

// offered says whether a rule is one to ask at the prompt: a value with a doc
// string. The others are steps of the rules, of no use alone.
func offered(r *rule) bool { return r.asks && r.doc != "" && !strings.HasPrefix(r.name, "pick_") }

func (w *World) ruleWords() []Word {
	var out []Word
	for _, n := range ruleNames(w) {
		if r := w.rules[n]; offered(r) {
			out = append(out, Word{n, r.doc, "rule"})
		}
	}
	return out
}

// insideVerb lists the words that can come next in a command: the words that
// go on with a clause just begun, else the beginnings of clauses, and the
// names that slots take.
func (w *World) insideVerb(v *verb, who *entity, rest string, idle func(*lang.Clause) bool) []Word {
	fields := strings.Fields(rest)
	last := fields[len(fields)-1]
	if strings.HasSuffix(last, "+") {
		return w.traits(who)
	}
	var next, out []Word
	w.eachClause(v.decl.Clauses, func(cl *lang.Clause) {
		for i := range cl.Pattern {
			p, ok := cl.Pattern[i].(*lang.PatWord)
			if !ok || p.Word != last || i+1 >= len(cl.Pattern) || idle(cl) {
				continue
			}
			if n, ok := cl.Pattern[i+1].(*lang.PatWord); ok {
				next = append(next, Word{n.Word, plain(cl.Doc), "clause"})
				continue
			}
			next = append(next, w.slotWords(cl.Pattern[i+1], who)...)
		}
		if f := firstWord(cl); f != "" && !idle(cl) {
			out = append(out, Word{f, plain(cl.Doc), "clause"})
		}
	})
	if len(next) > 0 {
		return next
	}
	if len(fields) == 1 {
		for _, p := range v.decl.Pattern {
			out = append(out, w.slotWords(p, who)...)
			break
		}
		w.eachClause(v.decl.Clauses, func(cl *lang.Clause) {
			if firstWord(cl) == "" {
				out = append(out, w.slotWords(cl.Pattern[0], who)...)
			}
		})
	}
	return out
}

// slotWords lists what a slot takes.
func (w *World) slotWords(p lang.Pat, who *entity) []Word {
	var out []Word
	if o, ok := p.(*lang.PatOpt); ok {
		return w.slotWords(o.Pattern[0], who)
	}
	s, ok := p.(*lang.PatSlot)
	if !ok {
		return nil
	}
	kind := s.Type.Name.Name
	for _, id := range s.Type.OneOf {
		out = append(out, Word{id.Name, "", "value"})
	}
	if kind == "terms" && (s.Type.Of == nil || s.Type.Of.Name == "who") {
		return append(out, w.traits(who)...)
	} else if kind == "terms" { // of somebody who is not known here
		return append(out, w.traits(nil)...)
	}
	if w.sheets[kind] == nil {
		return out
	}
	for _, e := range w.order {
		switch {
		case !e.sheet.is(kind):
		case e.owner == nil:
			out = append(out, Word{quoteName(e.name), e.sheet.name, "character"})
		case who == nil || e.owner == who:
			out = append(out, traitWord(e))
		}
	}
	if !w.isPart(kind) {
		for _, n := range keysOf(w.groups) {
			out = append(out, Word{strings.ReplaceAll(n, " ", "_"), "group", "character"})
		}
	}
	for _, n := range ruleNames(w) {
		if a, ok := strings.CutPrefix(n, "pick_"); ok {
			out = append(out, Word{a, w.rules[n].doc, "word"})
		}
	}
	return out
}

// traits lists the traits of somebody, of everybody where nobody is named; not what only holds
// others together.
func (w *World) traits(who *entity) []Word {
	var out []Word
	for _, e := range w.order {
		top := e.owner
		for top != nil && top.owner != nil {
			top = top.owner // a trait of a set
		}
		if top != nil && (who == nil || top == who) && len(e.parts) == 0 {
			out = append(out, traitWord(e))
		}
	}
	return out
}

func traitWord(e *entity) Word {
	name := e.name
	if !isName(name) || strings.ToUpper(name) != name && strings.ToLower(name) != name {
		name = `"` + name + `"`
	}
	return Word{name, e.owner.name, "trait"}
}
