package compile

import (
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// What help knows of a word is read off the declarations themselves: their doc
// strings, patterns and types, and the catalogue ids that stand above or inside
// them. Nothing is described twice, so nothing can be described wrongly.

// Topic is one meaning of a word.
type Topic struct {
	Name, Kind, Module string
	Form               string // how it is written
	Doc                string
	Of                 []string // what it belongs to: the verbs of a clause, the sheets of a field
	Parts              []Part
	Rules              []RuleID // that say more
	At                 lang.Span
	Value              V // what an option is set to, a variable holds
	Valued             bool
}

// Part is a clause of a verb, a field of a sheet, a value of an option.
type Part struct{ Group, Text, Doc string }

// Topics gives all that a word means among the declarations.
func (w *World) Topics(word string) []Topic {
	var out []Topic
	add := func(ts ...Topic) { out = append(out, ts...) }
	if v := w.verbs[word]; v != nil {
		add(w.verbTopic(v))
	}
	add(w.clauseTopics(word)...)
	if s := w.sets[word]; s != nil {
		add(w.setTopic(s))
	}
	add(w.pickTopics(word)...)
	internal := w.rules[word]
	if r := internal; r != nil && w.noun(word) == nil && w.describes(r) {
		internal = nil
		add(w.ruleTopic(r))
	}
	if f := w.features[word]; f != nil {
		add(w.featureTopic(f))
	}
	if sh := w.sheets[word]; sh != nil && !sh.record {
		add(w.sheetTopic(sh))
	}
	add(w.fieldTopics(word)...)
	if h := w.hooks[word]; h != nil {
		add(w.hookTopic(h))
	}
	for _, k := range w.checks {
		if k.name == word {
			add(w.checkTopic(k))
		}
	}
	for _, g := range w.goals {
		if g.name == word {
			add(Topic{Name: g.name, Kind: "goal", Module: moduleName(g.module), Form: "? " + g.name, Doc: g.doc, At: g.at})
		}
	}
	for _, o := range w.optionNamed {
		if o.Name == word || o.Module+".opt."+o.Name == word {
			add(w.optionTopic(o))
		}
	}
	add(w.wordTopics(word)...)
	if m := w.module(word); m != nil {
		add(w.moduleTopic(m))
	}
	add(w.scriptTopics(word)...)
	if len(out) == 0 {
		add(w.listTopics(word)...)
	}
	if len(out) == 0 && internal != nil {
		t := w.ruleTopic(internal)
		t.Doc = "a rule that only other rules of the system use"
		add(t)
	}
	return out
}

// TopicWords lists the words that Topics explains.
func (w *World) TopicWords() []string {
	var words []string
	add := func(more ...string) { words = append(words, more...) }
	add(verbNames(w)...)
	add(keysOf(w.sets)...)
	add(featureNames(w)...)
	add(keysOf(w.hooks)...)
	add(keysOf(w.optionNamed)...)
	for _, o := range w.optionNamed {
		for _, v := range o.Values {
			if v.Kind() == value.Symbol {
				add(w.Heap.Show(v, nil))
			}
		}
	}
	add(keysOf(w.lastKeys)...)
	add(keysOf(w.cells)...)
	add(w.Prog.Spans...)
	for _, r := range w.rules {
		switch pick, ok := strings.CutPrefix(r.name, "pick_"); {
		case ok:
			add(pick)
		case w.describes(r):
			add(r.name)
		}
	}
	for _, v := range w.verbs {
		w.eachClause(v.decl.Clauses, func(cl *lang.Clause) {
			if f := firstWord(cl); f != "" {
				add(f)
			}
		})
	}
	for _, sh := range w.sheets {
		if w.setOf(sh) {
			continue
		}
		if !sh.record {
			add(sh.name)
		}
		for _, f := range sh.fields {
			if f.decl != nil {
				add(f.name)
				for _, id := range f.typ.OneOf {
					add(id.Name)
				}
			}
		}
	}
	for _, f := range w.features {
		for _, fd := range f.fields[len(f.params):] {
			add(fd.name)
		}
	}
	for _, k := range w.checks {
		add(k.name)
	}
	for _, g := range w.goals {
		add(g.name)
	}
	for _, m := range w.Modules {
		add(m.Name)
	}
	for _, e := range w.order {
		add(e.name)
	}
	for _, id := range w.IDs {
		add(id.ID)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

func moduleName(m *Module) string {
	if m == nil || m.script {
		return ""
	}
	return m.Name
}

// rulesAbout gives the ids that stand right above a declaration and inside it.
func (w *World) rulesAbout(at lang.Span) []RuleID {
	var out []RuleID
	for _, r := range w.IDs {
		if at.Src == nil || r.idSpan.Src != at.Src {
			continue
		}
		above := r.in == nil && r.span.Start <= at.Start && at.End <= r.span.End
		inside := at.Start <= r.idSpan.Start && r.idSpan.End <= at.End
		if above || inside {
			out = append(out, r)
		}
	}
	return out
}

// docOr gives a declaration's own doc string, or else what the first id about
// it says.
func docOr(doc string, rules []RuleID) string {
	if doc == "" && len(rules) > 0 {
		return rules[0].Doc
	}
	return doc
}

// describes says whether a rule is meant to be known: it has a doc string, or
// an id stands above it. All others are the module's own business.
func (w *World) describes(r *rule) bool {
	if r.doc != "" || r.module == nil || r.module.script {
		return true
	}
	return slices.ContainsFunc(w.IDs, func(id RuleID) bool {
		return id.idSpan.Src == r.at.Src && id.in == nil && id.span.Start < r.at.Start && r.at.End <= id.span.End
	})
}

func (w *World) verbTopic(v *verb) Topic {
	t := Topic{Name: v.name, Kind: "verb", Module: moduleName(v.module), At: v.decl.Span}
	t.Rules = w.rulesAbout(t.At)
	t.Doc = docOr(v.doc, t.Rules)
	form := []string{v.name}
	if len(v.decl.Pattern) > 0 {
		form = append(form, patText(v.decl.Pattern))
	}
	w.eachClause(v.decl.Clauses, func(cl *lang.Clause) {
		if firstWord(cl) == "" && len(form) == 1 {
			form = append(form, patText(cl.Pattern))
		}
	})
	if len(v.decl.Clauses) > 0 {
		form = append(form, "…")
	}
	if v.who {
		form[0] = "WHO: " + form[0]
	}
	t.Form = strings.Join(form, " ")
	for _, p := range slots(v.decl.Pattern) {
		t.Parts = append(t.Parts, Part{"", strings.ToUpper(p.Name.Name), w.slotText(p)})
	}
	seen := map[string]bool{}
	w.clauseParts(v.decl.Clauses, "", func(p Part) {
		if !seen[p.Text] {
			seen[p.Text] = true
			t.Parts = append(t.Parts, p)
		}
	})
	if v.block {
		t.Parts = append(t.Parts, Part{"", "{ … }", "a block of commands"})
	}
	return t
}

// clauseParts gives the clauses of a verb in order, those of a set grouped under
// what the set is for.
func (w *World) clauseParts(items []lang.ClauseItem, group string, f func(Part)) {
	for _, it := range items {
		switch it := it.(type) {
		case *lang.Clause:
			if firstWord(it) != "\x00" {
				f(Part{group, patternText(it), w.clauseDoc(it)})
			}
			w.clauseParts(it.Nested, group, f)
		case *lang.Uses:
			if set := w.sets[it.Set.Name]; set != nil {
				w.clauseParts(set.decl.Clauses, plain(set.decl.Doc), f)
			}
		}
	}
}

// clauseDoc gives the doc string of a clause, and else what its operands take.
func (w *World) clauseDoc(cl *lang.Clause) string {
	if cl.Doc != nil {
		return plain(cl.Doc)
	}
	return w.operandsText(cl.Pattern)
}

// operandsText says what the operands of a pattern take.
func (w *World) operandsText(ps []lang.Pat) string {
	var words []string
	if len(ps) == 1 {
		if p, ok := ps[0].(*lang.PatSlot); ok {
			return w.slotText(p)
		}
	}
	for _, p := range slots(ps) {
		words = append(words, strings.ToUpper(p.Name.Name)+" is "+w.slotText(p))
	}
	return strings.Join(words, "; ")
}

func slots(ps []lang.Pat) []*lang.PatSlot {
	var out []*lang.PatSlot
	for _, p := range ps {
		switch p := p.(type) {
		case *lang.PatSlot:
			out = append(out, p)
		case *lang.PatOpt:
			out = append(out, slots(p.Pattern)...)
		}
	}
	return out
}

// wordsOf names the words that a type takes: "a, b or c".
func wordsOf(t lang.TypeRef) string {
	var words []string
	for _, id := range t.OneOf {
		words = append(words, id.Name)
	}
	if len(words) == 0 {
		return ""
	}
	return lang.OneOf(words)
}

// slotText says what an operand may be.
func (w *World) slotText(p *lang.PatSlot) string {
	t := p.Type
	s := t.Name.Name
	switch s {
	case "one":
		s = wordsOf(t)
	case "terms":
		s = "Traits and dice with + between them"
	case "features":
		s = "special rules in brackets"
	case "dice", "list":
	case "any":
		s = "any value"
	case "truth":
		s = "yes or no"
	default:
		s = article(s)
	}
	if t.Range != nil {
		s += " " + text(t.Range.Range())
	}
	if t.New {
		s = strings.TrimPrefix(strings.TrimPrefix(s, "a "), "an ")
		s = "the name of a new " + s
	}
	if t.Of != nil && t.Of.Name != "who" {
		s += " of " + strings.ToUpper(t.Of.Name)
	}
	if t.Many {
		s += ", or several"
	}
	if p.Default != nil {
		s += " (" + text(p.Default.Range()) + " if left out)"
	}
	return s
}

func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// clauseTopics explains a clause, or the word it begins with; verbs that have
// the same one share a topic.
func (w *World) clauseTopics(word string) []Topic {
	var out []Topic
	for _, v := range sortedVerbs(w) {
		w.eachClause(v.decl.Clauses, func(cl *lang.Clause) {
			if cl.Name.Name != word && firstWord(cl) != word {
				return
			}
			form := patternText(cl)
			for i := range out {
				if out[i].Form == form && out[i].At.Src == cl.Src && out[i].At.Start == cl.Start {
					out[i].Of = appendNew(out[i].Of, v.name)
					return
				}
			}
			t := Topic{Name: word, Kind: "clause", Module: moduleName(v.module), Form: form, Doc: plain(cl.Doc), Of: []string{v.name}, At: cl.Span}
			if t.Doc == "" {
				t.Doc = w.operandsText(cl.Pattern)
			} else {
				for _, p := range slots(cl.Pattern) {
					t.Parts = append(t.Parts, Part{"", strings.ToUpper(p.Name.Name), w.slotText(p)})
				}
			}
			seen := map[string]bool{}
			w.clauseParts(cl.Nested, "", func(p Part) {
				if !seen[p.Text] {
					seen[p.Text] = true
					t.Parts = append(t.Parts, p)
				}
			})
			out = append(out, t)
		})
	}
	return out
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func (w *World) setTopic(s *clauseSet) Topic {
	t := Topic{Name: s.name, Kind: "set of clauses", Module: moduleName(s.module), Form: "uses " + s.name + " as NAME", Doc: plain(s.decl.Doc), At: s.decl.Span}
	w.clauseParts(s.decl.Clauses, "", func(p Part) { t.Parts = append(t.Parts, p) })
	return t
}

// pickTopics explains the words that stand for somebody: foe, strongest, any.
func (w *World) pickTopics(word string) []Topic {
	var out []Topic
	if r := w.rules["pick_"+word]; r != nil && r.self && len(r.params) == 2 {
		t := w.ruleTopic(r)
		t.Name, t.Kind, t.Form = word, "word for somebody", word+" NOUN"
		for _, n := range ruleNames(w) {
			if noun := w.noun(n); noun != nil && w.lists(noun) {
				t.Parts = append(t.Parts, Part{"before which words", word + " " + n, docOr(noun.doc, w.rulesAbout(noun.at))})
			}
		}
		out = append(out, t)
	}
	if r := w.noun(word); r != nil {
		t := w.ruleTopic(r)
		t.Kind = "rule"
		t.Form = word + "(WHO)"
		if picks := w.pickParts(word); len(picks) > 0 && w.lists(r) {
			t.Form, t.Kind, t.Parts = "any "+word, "word for somebody", picks
		}
		out = append(out, t)
	}
	return out
}

// lists says whether a rule gives a list of people or things, as far as one can tell.
func (w *World) lists(r *rule) bool {
	in := &inference{of: w, rules: map[int]kinds{}, last: map[int]kinds{}, cells: map[int]kinds{}, locals: map[*fn]map[int]kinds{}}
	k := in.ofRule(r.slot)
	return k == anything || k&(isList|isSheet) != 0
}

// surelyLists says whether it is known that a rule gives nothing but people or things.
func (w *World) surelyLists(r *rule) bool {
	in := &inference{of: w, rules: map[int]kinds{}, last: map[int]kinds{}, cells: map[int]kinds{}, locals: map[*fn]map[int]kinds{}}
	k := in.ofRule(r.slot)
	return k&(isList|isSheet) != 0 && k&^(isList|isSheet|isNone) == 0
}

// pickParts lists the words that pick from several, before a noun.
func (w *World) pickParts(noun string) []Part {
	var out []Part
	for _, n := range ruleNames(w) {
		if a, ok := strings.CutPrefix(n, "pick_"); ok && w.rules[n].self && len(w.rules[n].params) == 2 {
			r := w.rules[n]
			out = append(out, Part{"who is picked", a + " " + noun, docOr(r.doc, w.rulesAbout(r.at))})
		}
	}
	return out
}

// noun is a rule that lists those whom a word stands for.
func (w *World) noun(word string) *rule {
	if r := w.rules[word]; r != nil && r.self && len(r.params) == 1 {
		return r
	}
	return nil
}

func (w *World) ruleTopic(r *rule) Topic {
	t := Topic{Name: r.name, Kind: "rule", Module: moduleName(r.module), Form: signature(r), At: r.at}
	t.Rules = w.rulesAbout(r.at)
	for t.Doc = docOr(r.doc, t.Rules); t.Doc == "" && r.base != nil; r = r.base {
		t.Doc = docOr(r.base.doc, w.rulesAbout(r.base.at))
	}
	return t
}

func signature(r *rule) string {
	if len(r.params) == 0 {
		return r.name
	}
	names := make([]string, len(r.params))
	for i, p := range r.params {
		names[i] = p.Name.Name
	}
	return r.name + "(" + strings.Join(names, ", ") + ")"
}

func (w *World) featureTopic(f *sheet) Topic {
	t := Topic{Name: f.name, Kind: "special rule", Module: moduleName(f.module), Of: []string{f.on}, At: f.at}
	t.Rules = w.rulesAbout(f.at)
	t.Doc = docOr(f.doc, t.Rules)
	var names []string
	for _, p := range f.params {
		n := strings.ToUpper(p.name)
		if p.def != nil {
			n = "[" + n + "]"
		}
		names = append(names, n)
	}
	t.Form = strings.TrimSpace("[" + f.name + " " + strings.Join(names, " "))
	t.Form += "]"
	if f.every {
		t.Form = "every " + f.on + " has it"
	}
	for _, fd := range f.fields[len(f.params):] {
		t.Parts = append(t.Parts, Part{"fields", fieldForm(fd), w.fieldDoc(f, fd)})
	}
	var hooks []string
	for id := range f.typ.Handlers {
		hooks = append(hooks, w.Prog.Hooks[id].Name)
	}
	slices.Sort(hooks)
	for _, h := range hooks {
		t.Parts = append(t.Parts, Part{"moments it answers", h, w.hooks[h].doc})
	}
	return t
}

func (w *World) sheetTopic(sh *sheet) Topic {
	t := Topic{Name: sh.name, Kind: "sheet", Module: moduleName(sh.module), At: sh.at}
	t.Rules = w.rulesAbout(sh.at)
	t.Doc = docOr(sh.doc, t.Rules)
	t.Form = sh.name + " Name { FIELD VALUE; … }"
	if w.isPart(sh.name) {
		t.Form = "write it in the sheet that it belongs to"
	}
	if sh.base != nil {
		t.Of = []string{sh.base.name}
	}
	var hidden []Part
	for _, f := range sh.fields {
		if f.decl == nil {
			continue
		}
		p := Part{"", fieldForm(f), w.fieldDoc(sh, f)}
		switch {
		case f.as == "CAPS":
			p.Text = "TRAIT RATING"
		case f.as != "":
			p.Text = f.as + " …"
		case sh.typ.Fields[f.index].Hidden:
			p.Group = "kept by the rules"
			hidden = append(hidden, p)
			continue
		}
		t.Parts = append(t.Parts, p)
	}
	t.Parts = append(t.Parts, hidden...)
	return t
}

// fieldForm writes a field with its type, as its declaration does.
func fieldForm(f *field) string {
	if f.decl == nil || f.decl.Type.Span.Src == nil {
		return f.name
	}
	end := f.decl.End
	if f.decl.Doc != nil {
		end = f.decl.Doc.Start
	}
	return strings.Join(strings.Fields(f.decl.Src.Text[f.decl.Start:end]), " ")
}

// fieldDoc gives the doc string of a field, or of the one it replaces.
func (w *World) fieldDoc(sh *sheet, f *field) string {
	for f != nil {
		if f.decl != nil && f.decl.Doc != nil {
			return plain(f.decl.Doc)
		}
		for sh != nil && sh.byName[f.name] == f {
			sh = sh.base
		}
		if sh == nil {
			return ""
		}
		f = sh.byName[f.name]
	}
	return ""
}

// fieldTopics explains a field: of each sheet or special rule that declares it.
func (w *World) fieldTopics(word string) []Topic {
	var out []Topic
	add := func(sh *sheet, kind string) {
		f := sh.byName[word]
		if f == nil || f.decl == nil || slices.Contains(sh.params, f) {
			return
		}
		if b := sh.base; b != nil && b.byName[word] == f && w.sheets[b.name] == b {
			return // explained there; a sheet that another of the same name extends is not to be seen
		}
		if sh.record && w.setOf(sh) {
			return // a clause, explained as one
		}
		t := Topic{Name: word, Kind: kind, Module: moduleName(f.owner), Form: fieldForm(f), Doc: w.fieldDoc(sh, f), Of: []string{sh.name}, At: f.decl.Span}
		t.Rules = w.rulesAbout(f.decl.Span)
		t.Rules = slices.DeleteFunc(t.Rules, func(r RuleID) bool { return r.idSpan.Start < f.decl.Start })
		info := w.fieldInfo(sh, f)
		t.Parts = []Part{{"", "takes", info.Takes}, {"", "at first", info.Default}, {"", "lasts", info.Lasts}}
		for i := range out {
			if out[i].Form == t.Form && out[i].Doc == t.Doc && out[i].Kind == t.Kind {
				out[i].Of = append(out[i].Of, sh.name)
				return
			}
		}
		out = append(out, t)
	}
	for _, n := range sheetNames(w) {
		add(w.sheets[n], "field")
	}
	for _, n := range featureNames(w) {
		add(w.features[n], "field")
	}
	return out
}

// setOf says whether a sheet is made of the clauses of a set or group.
func (w *World) setOf(sh *sheet) bool {
	for _, s := range w.sets {
		if s.rec == sh {
			return true
		}
	}
	for _, r := range w.records {
		if r == sh {
			return true
		}
	}
	return false
}

func (w *World) hookTopic(h *hook) Topic {
	t := Topic{Name: h.name, Kind: "moment", Doc: h.doc, Form: "on " + h.form + " { … }", At: h.at, Module: moduleName(h.module)}
	for _, n := range featureNames(w) {
		if _, ok := w.features[n].typ.Handlers[h.id]; ok {
			t.Parts = append(t.Parts, Part{"answered by", n, docOr(w.features[n].doc, w.rulesAbout(w.features[n].at))})
		}
	}
	return t
}

func (w *World) checkTopic(k check) Topic {
	t := Topic{Name: k.name, Kind: "check", Of: []string{k.sheet.name}, Doc: k.doc, Module: moduleName(k.module), Form: "checks(" + strings.ToUpper(k.sheet.name) + ")", At: k.at}
	t.Rules = w.rulesAbout(k.at)
	t.Doc = docOr(t.Doc, t.Rules)
	return t
}

func (w *World) optionTopic(o *Option) Topic {
	t := Topic{Name: o.Name, Kind: "option", Module: o.Module, Doc: o.Doc, Form: "option " + o.Name + " = " + w.Heap.Show(o.Values[0], nil), At: o.At, Value: o.Value, Valued: true}
	for i, v := range o.Values {
		p := Part{Group: "values", Text: w.Heap.Show(v, nil), Doc: o.Docs[i]}
		switch {
		case len(o.Values) == 1:
			p.Doc = phrase(p.Doc, "unless another is chosen; any value of that kind may be")
		case i == 0:
			p.Doc = phrase(p.Doc, "unless another is chosen")
		}
		t.Parts = append(t.Parts, p)
	}
	for _, r := range w.IDs {
		if r.ID == o.Module+".opt."+o.Name {
			t.Rules = append(t.Rules, r)
		}
	}
	return t
}

// phrase joins two parts of a sentence, either of which may be missing.
func phrase(a, b string) string {
	a = strings.TrimSuffix(a, ": ")
	if a == "" || b == "" {
		return a + b
	}
	return a + " (" + b + ")"
}

// wordTopics explains words that are values: of fields, of options, spans, and
// the names of what an outcome comes with.
func (w *World) wordTopics(word string) []Topic {
	var out []Topic
	for _, n := range sheetNames(w) {
		for _, f := range w.sheets[n].fields {
			if f.decl == nil || w.sheets[n].base != nil && w.sheets[n].base.byName[f.name] != nil {
				continue
			}
			for _, id := range f.typ.OneOf {
				if id.Name == word {
					doc := w.fieldDoc(w.sheets[n], f)
					out = append(out, Topic{Name: word, Kind: "word", Form: f.name + " " + word, Doc: "a value of the field " + f.name + ": " + doc, Of: []string{n}, Module: moduleName(f.owner), At: f.decl.Span})
				}
			}
		}
	}
	for _, name := range w.optionNames() {
		o := w.optionNamed[name]
		for i, v := range o.Values {
			if v.Kind() == value.Symbol && w.Heap.Show(v, nil) == word {
				out = append(out, Topic{Name: word, Kind: "word", Form: "option " + name + " = " + word, Doc: phrase("a value of the option "+name+": "+o.Docs[i], o.Doc), Module: o.Module, At: o.At})
			}
		}
	}
	if i := slices.Index(w.Prog.Spans, word); i >= 0 {
		t := Topic{Name: word, Kind: "span", Module: moduleName(w.spansOf), At: w.spansAt, Form: "begin " + word + ", end " + word + ", per " + word, Doc: "a span of time; when it ends, what lasts that long is cleared or refilled"}
		if i > 0 {
			t.Doc += ". Longer: " + strings.Join(w.Prog.Spans[:i], ", ")
		}
		out = append(out, t)
	}
	if at, ok := w.lastKeys[word]; ok {
		t := Topic{Name: word, Kind: "value of the last outcome", Module: moduleName(w.lastModules[word]), Form: "last." + word, Value: (*w.store)[at], Valued: true}
		if word == "outcome" {
			t.Doc = "what came of the last command, such as success"
		} else {
			t.Doc = "a value of the last outcome; none if that outcome has no such value"
		}
		for _, s := range w.lastOf[word] {
			t.Of = appendNew(t.Of, s)
		}
		out = append(out, t)
	}
	return out
}

// moduleTopic lists what a module declares.
func (w *World) moduleTopic(m *Module) Topic {
	t := Topic{Name: m.Name, Kind: "system", Form: "use " + m.Name, Doc: m.Title}
	if m.Base != "" {
		t.Kind, t.Form = "variant", "use "+m.Base+" with "+m.Name
		for _, o := range w.Overrides(m.Name) {
			what := o.What
			if !strings.Contains(what, o.Name) {
				what += " " + o.Name
			}
			t.Parts = append(t.Parts, Part{"what it changes", what, o.Doc})
		}
		for _, id := range w.IDs {
			if id.Module == m.Name {
				t.Rules = append(t.Rules, id)
			}
		}
		return t
	}
	t.Parts = w.declares(m)
	return t
}

// declares lists what a system declares for those who play with it and for those who write
// rules.
func (w *World) declares(m *Module) []Part {
	var out []Part
	for _, v := range sortedVerbs(w) {
		if v.module == m {
			out = append(out, Part{"verbs", v.name, docOr(v.doc, w.rulesAbout(v.decl.Span))})
		}
	}
	for _, n := range sheetNames(w) {
		if sh := w.sheets[n]; sh.module == m && !sh.record && sh.doc != "" {
			out = append(out, Part{"sheets", n, sh.doc})
		}
	}
	for _, n := range featureNames(w) {
		if f := w.features[n]; f.module == m {
			out = append(out, Part{"special rules", n, docOr(f.doc, w.rulesAbout(f.at))})
		}
	}
	for _, n := range w.optionNames() {
		if o := w.optionNamed[n]; o.Module == m.Name {
			out = append(out, Part{"options", n, o.Doc})
		}
	}
	asked := map[string]bool{}
	for _, d := range w.Decisions() {
		if d.Module == m.Name && !asked[d.Name] {
			asked[d.Name] = true
			out = append(out, Part{"decisions", d.Name, d.Words.Prompt})
		}
	}
	for _, n := range ruleNames(w) {
		if r := w.noun(n); r != nil && r.module == m && len(w.pickParts(n)) > 0 && w.surelyLists(r) {
			out = append(out, Part{"words for somebody", n, docOr(r.doc, w.rulesAbout(r.at))})
		}
	}
	for _, n := range keysOf(w.hooks) {
		if h := w.hooks[n]; h.module == m {
			out = append(out, Part{momentList, h.form, h.doc})
		}
	}
	return out
}

// momentList is the heading of the hooks of a system.
const momentList = "moments, for writers of rules"

// plurals are words that ask for all of a kind that the systems in use declare.
var plurals = map[string]string{
	"hooks": momentList, "moments": momentList, "options": "options", "decisions": "decisions", "verbs": "verbs", "sheets": "sheets", "features": "special rules",
}

// listTopics lists all of a kind, a system at a time.
func (w *World) listTopics(word string) []Topic {
	group := plurals[word]
	if group == "" {
		return nil
	}
	var out []Topic
	for _, m := range w.Modules {
		if m.script || m.Base != "" {
			continue
		}
		t := Topic{Name: word, Kind: "list", Module: m.Name, Form: "use " + m.Name}
		for _, p := range w.declares(m) {
			if p.Group == group {
				t.Parts = append(t.Parts, p)
			}
		}
		if len(t.Parts) > 0 {
			var names []string
			for _, p := range t.Parts {
				name, _, _ := strings.Cut(p.Text, "(")
				names = append(names, name)
			}
			t.Doc = strings.Join(names, ", ")
			out = append(out, t)
		}
	}
	return out
}

// scriptTopics explains what a script has declared: characters, things, groups
// and variables.
func (w *World) scriptTopics(word string) []Topic {
	var out []Topic
	name := display(strings.Trim(word, `"`))
	for _, e := range w.order {
		if !code.SameName(e.name, name) {
			continue
		}
		t := Topic{Name: quoteName(e.name), Kind: e.sheet.name, Doc: e.sheet.doc, Form: e.path()}
		if e.owner != nil {
			t.Name, t.Of = e.name, []string{e.owner.name}
		}
		for _, p := range e.parts {
			t.Parts = append(t.Parts, Part{"has", p.name, p.sheet.name})
		}
		out = append(out, t)
	}
	if g := w.groups[name]; g != nil && w.entities[name] == nil {
		t := Topic{Name: quoteName(name), Kind: "group", Form: quoteName(name), Doc: "all of a group, in order of declaration"}
		for _, e := range g {
			t.Parts = append(t.Parts, Part{"of", e.name, e.sheet.name})
		}
		out = append(out, t)
	}
	if at, ok := w.cells[word]; ok {
		out = append(out, Topic{Name: word, Kind: "variable", Form: word, Doc: "a variable of the script", Value: (*w.store)[at], Valued: true})
	}
	return out
}
