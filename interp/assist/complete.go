package assist

import (
	"cmp"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/resolve"
	"setpiece/lang"
	"setpiece/lang/late"
)

// Completion is one thing that may stand at the cursor.
type Completion struct {
	Text string // the whole word
	Doc  string // one line
	Kind string // verb, clause, trait, character, option, word, rule, value
}

// Complete lists what may stand at byte at of a text, and where the word begins that it would
// replace. The text is a line, or all of a script with what stands above and below: then the
// entries of a sheet, the lines of tactics and the parts of rules are known for what they are. To
// know more, run what stands above first.
func Complete(s *interp.Session, text string, at int) (from int, list []Completion) {
	at = min(at, len(text))
	t := typedAt(core.Of(s), text, at)
	if t.silent {
		return at, nil
	}
	if list, known := t.words(); known {
		return t.from, begunLike(text[t.from:at], list)
	}
	line := t.line(text[:at])
	from, found := language.Complete(t.w, line, idleAfter(t.run, line))
	for _, c := range found {
		list = append(list, Completion(c))
	}
	return at - (len(line) - from), list
}

// CompleteByHand is Complete for a line that is nobody's turn: one begins with what a game master does, or declares
// somebody, whom players play first, and then those whose like a script has.
func CompleteByHand(s *interp.Session, text string, at int) (from int, list []Completion) {
	from, list = Complete(s, text, at)
	if strings.TrimSpace(text[:min(from, len(text))]) != "" {
		return from, list
	}
	w, used := core.Of(s).World, map[string]bool{}
	for _, e := range w.Order {
		used[e.Sheet.Name] = used[e.Sheet.Name] || e.Script && e.Owner == nil
	}
	rank := func(c Completion) int {
		sheet := w.Sheets[c.Text]
		return slices.Index([]bool{s.OfTable(c.Text), sheet != nil && sheet.Players, sheet != nil && used[c.Text], sheet != nil, true}, true)
	}
	list = slices.DeleteFunc(list, func(c Completion) bool { return rank(c) > 3 || rank(c) == 3 && len(text) == 0 })
	slices.SortStableFunc(list, func(a, b Completion) int { return rank(a) - rank(b) })
	return from, list
}

// begunLike leaves the words that begin as what is typed, each once.
func begunLike(typed string, list []Completion) []Completion {
	begun := strings.ToLower(strings.Trim(typed, `"`))
	list = slices.DeleteFunc(list, func(c Completion) bool {
		return !strings.HasPrefix(strings.ToLower(strings.Trim(c.Text, `"`)), begun)
	})
	slices.SortStableFunc(list, func(a, b Completion) int { return strings.Compare(a.Text, b.Text) })
	return slices.CompactFunc(list, func(a, b Completion) bool { return a.Text == b.Text })
}

// typed is what stands around a place, as far as it says what may stand there.
type typed struct {
	run    *core.Run
	w      *decl.World
	from   int          // where the word at the place begins
	all    []lang.Token // of the whole text
	open   []opened     // the braces that are open, the outermost first
	item   []lang.Token // the line, entry or command that is being typed
	start  int32        // where that begins
	list   bool         // it has a [ that is open
	silent bool         // in a text or a comment nothing is completed
}

// opened is a brace that is open.
type opened struct {
	head  []lang.Token // what stands before it
	begun []string     // how what stands in it begins, up to the place
}

func typedAt(run *core.Run, text string, at int) *typed {
	t := &typed{run: run, w: run.World, from: wordStart(text, at)}
	all, comments := lang.Tokens(lang.NewSource("", text))
	t.all = all
	end, _ := slices.BinarySearchFunc(all, int32(t.from), func(x lang.Token, at int32) int { return cmp.Compare(x.Start, at) })
	t.silent = end > 0 && all[end-1].End > int32(t.from) && text[t.from] != '"' ||
		slices.ContainsFunc(comments, func(c lang.Comment) bool { return int(c.Start) < at && at <= int(c.End) })
	item := 0
	for i, x := range all[:end] {
		switch {
		case x.Kind == lang.LineToken, x.Text == "," && !t.list && t.sheet() != nil:
			t.note(all[item:i])
		case x.Kind != lang.SignToken:
			continue
		case x.Text == "{":
			t.note(all[item:i])
			t.open = append(t.open, opened{head: all[item:i]})
		case x.Text == "}":
			t.note(all[item:i])
			t.open = t.open[:max(0, len(t.open)-1)]
		default:
			t.list = x.Text == "[" || t.list && x.Text != "]"
			continue
		}
		item, t.list = i+1, false
	}
	t.item = all[item:end]
	if item > 0 {
		t.start = all[item-1].End
	}
	return t
}

// note notes how something in the innermost brace begins.
func (t *typed) note(item []lang.Token) {
	if n := len(t.open); n > 0 && len(item) > 0 {
		t.open[n-1].begun = append(t.open[n-1].begun, item[0].Text)
	}
}

// wordStart is where the word begins that ends at a place.
func wordStart(text string, at int) int {
	from := strings.LastIndexAny(text[:at], " \t\n,:;([{}=+-*/.<>|") + 1
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	if strings.Count(line, `"`)%2 == 1 {
		from = at - len(line) + strings.LastIndexByte(line, '"')
	}
	return from
}

// line is the command that is being typed. In tactics it is that of the one who has them.
func (t *typed) line(text string) string {
	line := text[min(int(t.start), len(text)):]
	if t.opener() != "tactics" {
		return line
	}
	if _, command, ok := strings.Cut(line, ":"); ok {
		if who := t.open[len(t.open)-1].head[1:]; len(who) == 1 && (who[0].Kind == lang.NameToken || who[0].Kind == lang.TextToken) {
			return who[0].Text + ":" + command
		}
		return command
	}
	return line
}

// opener is the first word of what stands before the innermost open brace.
func (t *typed) opener() string {
	if n := len(t.open); n > 0 {
		return first(t.open[n-1].head)
	}
	return ""
}

func first(item []lang.Token) string {
	if len(item) == 0 {
		return ""
	}
	return item[0].Text
}

// sheet is that of which an entry is being typed, be it of a part; nil for none.
func (t *typed) sheet() (sh *decl.Sheet) {
	for _, o := range t.open {
		if sh = t.within(sh, o.head); sh == nil && t.w.Verbs[first(o.head)] == nil {
			return nil
		}
	}
	return sh
}

// within is the sheet whose entries stand in the braces behind head, which stands in a sheet itself
// if sh is one.
func (t *typed) within(sh *decl.Sheet, head []lang.Token) *decl.Sheet {
	if sh == nil || len(head) == 0 {
		return t.w.Sheets[first(head)]
	}
	fd := sh.AsField(head[0].Text)
	if head[0].Kind == lang.TraitToken {
		fd = sh.CapsField()
	}
	if fd == nil {
		return nil
	}
	return t.w.Sheets[fd.Sheet]
}

// words are what may stand at the place; known is false where that depends on a command or is a
// value.
func (t *typed) words() (list []Completion, known bool) {
	n, begins := len(t.item), first(t.item)
	if sh := t.sheet(); sh != nil {
		return t.entries(sh), true
	}
	if t.unknown(t.item) || len(t.open) > 0 && n == 0 && t.unknown(t.open[len(t.open)-1].head) {
		return nil, true
	}
	switch t.opener() {
	case "tactics":
		switch {
		case n == 0:
			return wordsOf("when", "on", "otherwise"), true
		case n == 1 && begins == "on":
			return t.decisions(), true
		}
	case "verb", "clauses":
		if n == 0 {
			return wordsOf("clause", "needs", "excludes", "warns", "uses", "block", "do"), true
		}
	}
	switch {
	case n == 0 && len(t.open) == 0 && t.isRules():
		return glossary("declaration"), true
	case n == 0 && len(t.open) > 0 && t.isRules():
		return append(t.named("verb"), glossary("statement")...), true
	case n == 0:
		return nil, false
	case begins == "use" && slices.ContainsFunc(t.item, func(x lang.Token) bool { return x.Text == "with" }):
		return t.settings(), true
	case begins == "use" && n == 2:
		return wordsOf("with"), true
	case begins == "variant" && n == 2:
		return wordsOf("of"), true
	case begins == "variant" && n == 3:
		_, found := language.Complete(t.w, "use ", nil)
		for _, c := range found {
			list = append(list, Completion(c))
		}
		return list, true
	case begins == "feature" && n > 1 && t.item[n-1].Text == "on":
		return append(t.named("sheet"), wordsOf("every")...), true
	case n == 1 && (begins == "run" || begins == "remove"):
		return wordsOf("block", "rule", "clause", "feature", "handler", "verb", "check", "option"), true
	case n == 2 && (begins == "run" || begins == "remove"):
		return t.named(t.item[1].Text), true
	case n == 1 && slices.Contains([]string{"rule", "table", "verb", "on"}, begins):
		return t.named(begins), true
	case n == 1 && (begins == "system" || begins == "variant" || begins == "feature"):
		return nil, true // a name that is new
	case t.w.Sheets[begins] != nil && t.w.Verbs[begins] == nil && (n == 1 || t.item[1].Text != "from"):
		return nil, true
	}
	return nil, false
}

// unknown says whether a declaration begins with a word that nobody knows.
func (t *typed) unknown(item []lang.Token) bool {
	if len(item) == 0 || item[0].Kind != lang.WordToken || len(item) > 1 && item[1].Kind != lang.NameToken && item[1].Kind != lang.TextToken {
		return false
	}
	return language.KindOfWord(t.w, item[0].Text) == "" && len(lang.Lookup(item[0].Text)) == 0
}

// RulesBegin lists the words with which a file of rules can begin, of those that begin as what is typed.
func RulesBegin(typed string) []Completion {
	return begunLike(typed, wordsOf("variant", "system"))
}

// isRules says whether the text is a file of rules.
func (t *typed) isRules() bool {
	for _, x := range t.all {
		if x.Kind != lang.LineToken {
			return x.Text == "system" || x.Text == "variant"
		}
	}
	return false
}

// wordsOf are words of the language.
func wordsOf(list ...string) (out []Completion) {
	for _, word := range list {
		doc := ""
		if e := lang.Lookup(word); len(e) > 0 {
			doc = e[0].Doc
		}
		out = append(out, Completion{word, doc, "word"})
	}
	return out
}

// glossary are the words of the language of one kind.
func glossary(kind string) (out []Completion) {
	for _, e := range lang.Glossary() {
		if e.Kind == kind {
			out = append(out, Completion{e.Name, e.Doc, "word"})
		}
	}
	return out
}

// named are the declarations of a kind that can be named, or replaced, with what they take.
func (t *typed) named(kind string) (out []Completion) {
	w := t.w
	switch kind {
	case "rule", "table":
		for _, name := range decl.RuleNames(w) {
			r := w.Rules[name]
			if tabled := r.Table != nil; tabled == (kind == "table") {
				out = append(out, Completion{decl.Signature(r), r.Doc, "rule"})
			}
		}
	case "on", "handler":
		for _, name := range decl.KeysOf(w.Hooks) {
			out = append(out, Completion{cmp.Or(w.Hooks[name].Form, name), w.Hooks[name].Doc, "moment"})
		}
	case "verb":
		for _, v := range decl.SortedVerbs(w) {
			out = append(out, Completion{v.Name, v.Doc, "verb"})
		}
	case "sheet":
		for _, name := range decl.SheetNames(w) {
			out = append(out, Completion{name, w.Sheets[name].Doc, "sheet"})
		}
	case "feature":
		for _, name := range decl.FeatureNames(w) {
			out = append(out, Completion{name, w.Features[name].Doc, "feature"})
		}
	case "option":
		for _, o := range w.Options() {
			out = append(out, Completion{o.Name, o.Doc, "option"})
		}
	case "check":
		for _, c := range w.Checks {
			out = append(out, Completion{c.Name, c.Doc, "rule"})
		}
	}
	return out
}

// entries are what may stand in a sheet: its fields, parts and traits; behind a field, what it may
// be; in brackets, special rules.
func (t *typed) entries(sh *decl.Sheet) (out []Completion) {
	fields := language.Fields(t.w, sh.Name)
	if t.list {
		on := cmp.Or(t.within(sh, t.item), sh)
		for _, c := range t.named("feature") {
			if on.Is(t.w.Features[c.Text].On) {
				out = append(out, c)
			}
		}
		return out
	}
	if len(t.item) > 0 {
		for _, f := range fields {
			if f.Name == t.item[0].Text && len(t.item) == 1 && alternatives().MatchString(f.Takes) {
				for v := range strings.SplitSeq(strings.ReplaceAll(f.Takes, " or ", ", "), ", ") {
					out = append(out, Completion{v, f.Doc, "value"})
				}
			}
		}
		return out
	}
	for _, f := range fields {
		word, part := strings.CutSuffix(f.Entry, " …")
		if !f.Hidden && (part || f.Entry == f.Name) {
			out = append(out, Completion{word, joined(f.Takes, f.Doc), "field"})
		}
	}
	if sh.CapsField() != nil {
		out = append(out, t.traits()...)
	}
	begun := t.open[len(t.open)-1].begun
	return slices.DeleteFunc(out, func(c Completion) bool { return slices.Contains(begun, c.Text) })
}

// traits are those that the text uses, and those that the rules speak of.
func (t *typed) traits() (out []Completion) {
	for _, x := range t.all {
		if x.Kind == lang.TraitToken && int(x.Start) != t.from {
			out = append(out, Completion{x.Text, "a trait that this script uses", "trait"})
		}
	}
	_, known := resolve.TraitNames(t.w)
	for _, name := range known {
		out = append(out, Completion{name, "a trait that the rules speak of", "trait"})
	}
	return out
}

// alternatives is how a field takes one of some words.
var alternatives = late.Regexp(`^[a-z_]+((, | or )[a-z_]+)+$`)

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ": " + b
}

func (t *typed) decisions() (out []Completion) {
	for _, d := range t.w.Decisions() {
		out = append(out, Completion{d.Name, d.Prompt, "decision"})
	}
	return out
}

// settings are what may stand behind with: variants and options of the system, and the values
// of an option.
func (t *typed) settings() (out []Completion) {
	w := with(t.run, t.item[1].Text)
	if w == nil {
		return nil
	}
	if n := len(t.item); t.item[n-1].Text == "=" {
		if o := w.OptionNamed[t.item[n-2].Text]; o != nil {
			for i, v := range o.Values {
				out = append(out, Completion{w.Heap.Show(v, nil), o.Docs[i], "value"})
			}
		}
		return out
	}
	for _, o := range w.Options() {
		out = append(out, Completion{o.Name, o.Doc, "option"})
	}
	for _, l := range compile.List(w) {
		if l.Base == t.item[1].Text {
			out = append(out, Completion{l.Name, l.Title, "variant"})
		}
	}
	return out
}

// Signature is how a command or call is written.
type Signature struct {
	Form, Doc string
	Parts     []string // what is filled in, as Form has it
	Part      int      // the one of them that is being typed
}

// SignatureAt says how the verb, sheet or rule is written whose command or call stands at byte at
// of a text.
func SignatureAt(s *interp.Session, text string, at int) (g Signature, ok bool) {
	t := typedAt(core.Of(s), text, min(at, len(text)))
	word, value := t.call()
	called, from := word != "", 0
	for i, x := range t.item {
		if kind := WordKind(s, x.Text); word == "" && x.Kind == lang.WordToken && (kind == "verb" || kind == "sheet") {
			word, from = x.Text, i
		}
	}
	all := Help(s, cmp.Or(word, first(t.item)))
	i := slices.IndexFunc(all, func(t Topic) bool { return t.Form != "" && t.Form != t.Name && t.InUse })
	if i < 0 {
		return g, false
	}
	g = Signature{Form: all[i].Form, Doc: all[i].Doc}
	switch _, inside, ok := strings.Cut(strings.TrimSuffix(g.Form, ")"), "("); {
	case called && ok:
		g.Parts = strings.Split(inside, ", ")
		g.Part = min(value, len(g.Parts)-1)
	case all[i].Kind == "verb":
		g.clauses(all[i].Parts, t.item[from:])
	}
	return g, true
}

// mostClauses is how many clauses a signature has that are not typed yet.
const mostClauses = 12

// clauses has a verb written with its clauses; item is what has been typed of its command.
func (g *Signature) clauses(parts []TopicPart, item []lang.Token) {
	g.Form = strings.TrimSuffix(g.Form, " …")
	latest, most := 0, 0
	for _, p := range parts {
		word, _, _ := strings.Cut(p.Text, " ")
		at, words := begun(item, strings.Fields(p.Text))
		if clause := strings.ToUpper(word) != word; clause && (at > 0 || len(g.Parts) < mostClauses) {
			g.Form += " [" + p.Text + "]"
		} else if clause || !strings.Contains(g.Form, p.Text) {
			continue
		}
		if at > latest || at == latest && words > most {
			g.Part, latest, most = len(g.Parts), at, words
		}
		g.Parts = append(g.Parts, p.Text)
	}
}

// begun is where a command has a clause last, 0 for nowhere, and with how many of the words that it
// begins with.
func begun(item []lang.Token, clause []string) (at, words int) {
	for i := len(item) - 1; i > 0; i-- {
		for words < len(clause) && i+words < len(item) && item[i+words].Text == clause[words] {
			words++
		}
		if words > 0 {
			return i, words
		}
	}
	return 0, 0
}

// call gives the rule or function whose call is open, and which of its values is being typed.
func (t *typed) call() (word string, value int) {
	depth := 0
	for i := len(t.item) - 1; i > 0; i-- {
		switch x := t.item[i]; {
		case x.Text == ")":
			depth++
		case x.Text == "(" && depth > 0:
			depth--
		case x.Text == "(" && t.item[i-1].Kind == lang.WordToken && t.item[i-1].End == x.Start:
			return t.item[i-1].Text, value
		case x.Text == "," && depth == 0:
			value++
		}
	}
	return "", 0
}
