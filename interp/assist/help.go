package assist

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"setpiece/interp"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/language"
	"setpiece/lang"
)

// Topic is one meaning of a word, as help shows it. A word may have several:
// "dice" is a statement, a type and perhaps a moment of some rules.
type Topic struct {
	Name    string
	Kind    string // "verb", "clause", "field", "statement", "function" …
	Module  string // where it is declared; "" for the language and the script
	InUse   bool   // false if the word belongs to a module that is not in use
	Form    string // how it is written; capitals stand for what one fills in
	Doc     string
	Example string
	Of      []string // what it belongs to, such as the verbs that have a clause
	Parts   []TopicPart
	Now     string     // the value of an option or a variable, "" for neither
	Rules   []RuleInfo // that say more
	At      lang.Span  // its declaration
}

// TopicPart is something that belongs to a topic: a clause of a verb, a field of
// a sheet, a value of an option. Parts of one group are shown together.
type TopicPart struct{ Group, Text, Doc string }

// Help explains a word: whatever the rules in use, the script and the language
// call by that name. A word that none of them knows is looked up in the modules
// that could be used; "MODULE WORD" asks one of them. It gives nothing when
// nobody knows the word.
func Help(s *interp.Session, word string) []Topic {
	if m, of, ok := strings.Cut(word, " "); ok && slices.Contains(compile.ModuleNames(core.Of(s).World), m) {
		if w := with(core.Of(s), m); w != nil {
			return topics(core.Of(s), w, strings.TrimSpace(of), uses(core.Of(s), m))
		}
	}
	out := topics(core.Of(s), core.Of(s).World, word, true)
	out = append(out, glossed(word)...)
	if word == given.Name {
		out = append(out, given)
	}
	if i := code.BuiltinIndex(word); i >= 0 {
		out = append(out, functionTopic(&code.Builtins[i]))
	}
	if !slices.ContainsFunc(out, func(t Topic) bool { return t.Kind != "word" }) {
		// a rule of the book says more than which field may hold the word
		if r, _, err := Explain(s, word); err == nil && strings.Contains(r.ID, ".") {
			out = slices.Insert(out, 0, Topic{Name: r.ID, Kind: "rule of the book", Module: module(r.ID), InUse: uses(core.Of(s), module(r.ID)), Form: r.ID, Doc: r.Doc, Rules: []RuleInfo{r}, At: r.At})
		}
	}
	if len(out) == 0 {
		out = elsewhere(core.Of(s), word)
	}
	ours := strings.ToLower(word)
	if i := code.BuiltinIndex(code.OfDice[ours]); i >= 0 {
		out = append(out, functionTopic(&code.Builtins[i]))
	}
	out = append(out, glossed(code.OfDice[ours])...)
	out = append(out, shown(ours)...)
	if len(out) == 0 && strings.Contains(word, " ") {
		if t, ok := explanation(word); ok {
			out = append(out, t)
		}
	}
	return out
}

// glossed gives what the glossary says of a word.
func glossed(word string) (out []Topic) {
	for _, e := range lang.Lookup(word) {
		out = append(out, Topic{Name: e.Name, Kind: e.Kind, InUse: true, Form: e.Form, Doc: e.Doc, Example: e.Example})
	}
	return out
}

// shown gives the rule of the guide that shows how to say something for which there is no word.
func shown(word string) []Topic {
	_, rest, found := strings.Cut(lang.Guide, "\nrule "+word+"(")
	if !found {
		return nil
	}
	line, _, _ := strings.Cut(rest, "\n")
	form, about, _ := strings.Cut("rule "+word+"("+line, "#")
	return []Topic{{Name: word, Kind: "rule that you write", InUse: true, Form: strings.TrimSpace(form), Doc: strings.TrimSpace(about)}}
}

// given is a word of questions, which no script has.
var given = Topic{
	Name: "given", Kind: "word of odds", InUse: true, Form: "VALUE given CONDITION",
	Doc:     "Leaves out what does not meet the condition: how likely each value is where it is known already that the condition holds. Several values in one line share their dice and the condition.",
	Example: "odds let p = throw 2d20; p.max given p.min >= 10",
}

func module(id string) string {
	m, _, _ := strings.Cut(id, ".")
	return m
}

func uses(s *core.Run, module string) bool { return slices.Contains(modulesOf(s), module) }

// HelpWords lists every word that Help explains without looking into modules
// that are not in use.
func HelpWords(s *interp.Session) []string {
	words := language.TopicWords(core.Of(s).World)
	for _, d := range core.Of(s).World.Decisions() {
		words = append(words, d.Name)
	}
	for _, e := range lang.Glossary() {
		words = append(words, e.Name)
	}
	for _, b := range code.Functions {
		words = append(words, b.Name)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// Stock lists those whom the systems in use, and the script, have ready: each as Help explains it.
func Stock(s *interp.Session) []Topic {
	var out []Topic
	w := core.Of(s).World
	for _, k := range w.Stocked() {
		out = append(out, topics(core.Of(s), w, `"`+k.Name+`"`, true)...)
	}
	return slices.DeleteFunc(out, func(t Topic) bool { return t.Kind != language.InStock })
}

// Functions explains the functions of the language.
func Functions() []Topic {
	var out []Topic
	for i := range code.Functions {
		out = append(out, functionTopic(&code.Builtins[i]))
	}
	return out
}

func functionTopic(b *code.BuiltinFunc) Topic {
	form := b.Name + "(" + b.Args + ")"
	if first, rest, _ := strings.Cut(b.Args, ", "); first != "" {
		method := first + "." + b.Name
		if rest != "" {
			method += "(" + rest + ")"
		}
		form = method + ", or " + form
	}
	return Topic{Name: b.Name, Kind: "function", InUse: true, Form: form, Doc: b.Doc, Example: b.Example}
}

// topics gives what the declarations of a world say of a word.
func topics(s *core.Run, w *decl.World, word string, inUse bool) []Topic {
	var out []Topic
	for _, t := range language.Topics(w, word) {
		n := Topic{Name: t.Name, Kind: t.Kind, Module: t.Module, InUse: inUse, Form: t.Form, Doc: t.Doc, Of: t.Of, At: t.At}
		for _, p := range t.Parts {
			n.Parts = append(n.Parts, TopicPart(p))
		}
		for _, r := range t.Rules {
			n.Rules = append(n.Rules, RuleInfo{ID: r.ID, Doc: r.Doc, Recorded: r.Recorded, At: r.At()})
		}
		if t.Valued && inUse {
			n.Now = s.M.Show(t.Value)
		}
		out = append(out, n)
	}
	return append(out, decisionTopics(w, word, inUse)...)
}

// decisionTopics explains a decision; where several rules ask for one of that name
// it has a topic for each way of asking.
func decisionTopics(w *decl.World, word string, inUse bool) []Topic {
	var out []Topic
	for _, d := range w.Decisions() {
		if d.Name != word {
			continue
		}
		t := Topic{Name: word, Kind: "decision", Module: d.Module, InUse: inUse, Form: "on " + word + ": ANSWER, in tactics", Doc: d.Words.Prompt, At: d.At}
		add := func(what, text string) {
			if text != "" {
				t.Parts = append(t.Parts, TopicPart{"", what, text})
			}
		}
		if d.Unasked {
			add("asked", "nobody: a clause or the tactics of "+d.Words.Who+" answer")
		} else {
			add("asked", d.Words.Who)
		}
		add("answers", d.Words.Options)
		add("default", d.Words.Default)
		add("costs", d.Cost)
		add("when", d.Words.When)
		add("as usual", d.Words.Usual)
		if d.Rule >= 0 {
			r := &w.IDs[d.Rule]
			t.Rules = append(t.Rules, RuleInfo{ID: r.ID, Doc: r.Doc, Recorded: r.Recorded, At: r.At()})
			if t.Doc == "" {
				t.Doc = r.Doc
			}
		}
		if t.Doc == "" {
			t.Doc = "a decision that clauses and tactics can answer"
		}
		if !slices.ContainsFunc(out, func(o Topic) bool { return o.Doc == t.Doc && o.Module == t.Module }) {
			out = append(out, t)
		}
	}
	return out
}

// elsewhere looks a word up in the modules that are not in use. What several of
// them have alike is one topic.
func elsewhere(s *core.Run, word string) []Topic {
	var out []Topic
	here := language.Topics(s.World, word) // what is in use here is in use beside any other system
	for _, m := range compile.ModuleNames(s.World) {
		if uses(s, m) || !language.MayKnow(s.World, m, word) {
			continue
		}
		w := with(s, m)
		if w == nil {
			continue
		}
		if _, verbs, _ := language.Size(w, m); verbs == 0 && !strings.EqualFold(m, word) && !isVariant(w, m) {
			continue // what several systems share is shown as theirs
		}
		for _, t := range topics(s, w, word, false) {
			if isVariant(w, m) && t.Module != m && t.Name != m {
				continue // shown with its base
			}
			if t.At.Src != nil && slices.ContainsFunc(here, func(o language.Topic) bool { return o.Kind == t.Kind && o.At == t.At }) {
				continue
			}
			if t.Module != "" {
				t.Module = m
			}
			t.Rules = nil
			i := slices.IndexFunc(out, func(o Topic) bool { return o.Kind == t.Kind && o.Form == t.Form && o.Doc == t.Doc })
			if i < 0 {
				out = append(out, t)
			} else if t.Module != "" && out[i].Module != "" {
				out[i].Module += ", " + t.Module
			}
		}
	}
	return out
}

// RulesCalled gives the ids of the rules of a book whose last part is a word: of the systems in
// use, or else of those that know the word.
func RulesCalled(s *interp.Session, word string, topics []Topic) []string {
	worlds := []*decl.World{core.Of(s).World}
	if len(modulesOf(core.Of(s))) == 0 {
		worlds = nil
		for _, t := range topics {
			for m := range strings.SplitSeq(t.Module, ", ") {
				if w := with(core.Of(s), m); m != "" && w != nil && !slices.Contains(worlds, w) {
					worlds = append(worlds, w)
				}
			}
		}
	}
	var ids []string
	for _, w := range worlds {
		for _, r := range w.IDs {
			if strings.HasSuffix(r.ID, "."+word) && !slices.Contains(ids, r.ID) {
				ids = append(ids, r.ID)
			}
		}
	}
	return ids
}

// VerbsCalled gives the verbs in use of whose name a word is a part: test of timed_test. While
// no system is in use it gives those of all of them, with their systems.
func VerbsCalled(s *interp.Session, word string) []string {
	r := core.Of(s)
	list := verbsCalled(r.World, word)
	if len(modulesOf(r)) > 0 {
		return list
	}
	for _, m := range compile.ModuleNames(r.World) {
		if w := with(r, m); w != nil && !isVariant(w, m) {
			for _, verb := range verbsCalled(w, word) {
				list = append(list, verb+" ("+m+")")
			}
		}
	}
	return list
}

func verbsCalled(w *decl.World, word string) []string {
	return slices.DeleteFunc(decl.VerbNames(w), func(verb string) bool {
		return verb == word || !slices.Contains(strings.Split(verb, "_"), word)
	})
}

// HelpElsewhere names the systems that are not in use and know a word too.
func HelpElsewhere(s *interp.Session, word string) []string {
	var names []string
	if len(language.Topics(core.Of(s).World, word)) == 0 || len(modulesOf(core.Of(s))) == 0 {
		return nil
	}
	for _, t := range elsewhere(core.Of(s), word) {
		for _, m := range strings.Split(t.Module, ", ") {
			if m != "" && !slices.Contains(names, m) {
				names = append(names, m)
			}
		}
	}
	slices.Sort(names)
	return names
}

func isVariant(w *decl.World, name string) bool {
	return slices.ContainsFunc(w.Modules, func(m *decl.Module) bool { return m.Name == name && m.Base != "" })
}

// SearchHelp finds the topics in whose names or texts all words of a text occur, the best
// first: those that have them in the name, then those of the rules in use, then short ones.
// It looks into the language and the systems; more may be given to it.
func SearchHelp(s *interp.Session, text string, more []Topic) []Topic {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 {
		return nil
	}
	type found struct {
		Topic
		rank int
	}
	var list []found
	add := func(t Topic) {
		name, all := strings.ToLower(t.Name), strings.ToLower(t.Name+" "+t.Doc+" "+t.Form)
		rank := 0
		for _, w := range words {
			switch {
			case !hasWord(all, w):
				return
			case !hasWord(name, w):
				rank++
			}
		}
		if !t.InUse {
			rank += len(words)
		}
		same := func(o found) bool { return o.Name == t.Name && o.Kind == t.Kind && o.Doc == t.Doc }
		if !slices.ContainsFunc(list, same) {
			list = append(list, found{t, rank})
		}
	}
	for _, t := range more {
		add(t)
	}
	worlds := map[string]*decl.World{"": core.Of(s).World}
	if len(modulesOf(core.Of(s))) == 0 {
		for _, m := range compile.ModuleNames(core.Of(s).World) {
			if w := with(core.Of(s), m); w != nil && !isVariant(w, m) {
				worlds[m] = w
			}
		}
	}
	for _, m := range slices.Sorted(maps.Keys(worlds)) {
		for _, word := range language.TopicWords(worlds[m]) {
			for _, t := range topics(core.Of(s), worlds[m], word, m == "") {
				if t.Kind != "word" { // a value is told with what it is a value of
					add(t)
				}
			}
		}
	}
	for _, e := range lang.Glossary() {
		add(Topic{Name: e.Name, Kind: e.Kind, InUse: true, Form: e.Form, Doc: e.Doc, Example: e.Example})
	}
	for _, t := range Functions() {
		add(t)
	}
	slices.SortStableFunc(list, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(len(a.Doc), len(b.Doc)), cmp.Compare(a.Name, b.Name))
	})
	var out []Topic
	for _, f := range list {
		out = append(out, f.Topic)
	}
	return out
}

// hasWord says whether a word stands in a text, or the beginning of a longer one, or its
// plural.
func hasWord(text, word string) bool {
	const begins = 5 // letters that are enough of a beginning
	for t := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if t == word || t == word+"s" || len(word) >= begins && strings.HasPrefix(t, word) {
			return true
		}
	}
	return strings.ContainsAny(word, "_:-+=") && strings.Contains(text, word)
}

// NearestHelp gives the words that come nearest to one that Help does not know, in
// use or not.
func NearestHelp(s *interp.Session, word string) []string {
	words := HelpWords(s)
	near, ok := lang.Nearest(word, words)
	if !ok {
		for _, m := range compile.ModuleNames(core.Of(s).World) {
			if w := with(core.Of(s), m); w != nil && !uses(core.Of(s), m) {
				words = append(words, language.TopicWords(w)...)
			}
		}
		if near, ok = lang.Nearest(word, words); !ok {
			return nil
		}
	}
	return []string{near}
}
