package language

import (
	"cmp"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/resolve"
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
	Rules              []decl.RuleID // that say more
	At                 lang.Span
	Value              ir.V // what an option is set to, a variable holds
	Valued             bool
}

// Part is a clause of a verb, a field of a sheet, a value of an option.
type Part struct{ Group, Text, Doc string }

// Topics gives all that a word means among the declarations.
func Topics(w *decl.World, word string) []Topic {
	var out []Topic
	add := func(ts ...Topic) { out = append(out, ts...) }
	if v := w.Verbs[word]; v != nil {
		add(verbTopic(w, v))
	}
	add(clauseTopics(w, word)...)
	if s := w.Sets[word]; s != nil {
		add(setTopic(w, s))
	}
	add(pickTopics(w, word)...)
	internal := w.Rules[word]
	if r := internal; r != nil && noun(w, word) == nil && describes(w, r) {
		internal = nil
		add(ruleTopic(w, r))
	}
	if f := w.Features[word]; f != nil {
		add(featureTopic(w, f))
	}
	if sh := w.Sheets[word]; sh != nil && !sh.Record {
		add(sheetTopic(w, sh))
	}
	add(fieldTopics(w, word)...)
	if h := w.Hooks[word]; h != nil {
		add(hookTopic(w, h))
	}
	for _, k := range w.Checks {
		if k.Name == word {
			add(checkTopic(w, k))
		}
	}
	for _, g := range w.Goals {
		if g.Name == word {
			add(Topic{Name: g.Name, Kind: "goal", Module: moduleName(g.Module), Form: "? " + g.Name, Doc: g.Doc, At: g.At})
		}
	}
	for _, o := range w.OptionNamed {
		if o.Name == word || o.Module+".opt."+o.Name == word {
			add(optionTopic(w, o))
		}
	}
	if set := w.WordSets[word]; set != nil {
		t := Topic{Name: word, Kind: "words", Module: moduleOf(w, set.Src), Form: "words " + word, Doc: decl.Plain(set.Doc), At: set.Span}
		eachWord(w, word, func(_, value, doc string, _ lang.Span) {
			t.Parts = append(t.Parts, Part{Group: "values", Text: value, Doc: doc})
		})
		add(t)
	}
	add(wordTopics(w, word)...)
	if len(out) == 0 {
		add(writtenTopics(w, word)...)
	}
	if m := w.Module(word); m != nil {
		add(moduleTopic(w, m))
	}
	add(scriptTopics(w, word)...)
	add(stockTopics(w, word)...)
	if len(out) == 0 {
		add(operandTopics(w, word)...)
	}
	if len(out) == 0 {
		add(listTopics(w, word)...)
	}
	if len(out) == 0 && internal != nil {
		t := ruleTopic(w, internal)
		t.Doc = "a rule that only other rules of the system use"
		add(t)
	}
	return out
}

// TopicWords lists the words that Topics explains.
func TopicWords(w *decl.World) []string {
	var words []string
	add := func(more ...string) { words = append(words, more...) }
	add(decl.VerbNames(w)...)
	add(decl.KeysOf(w.Sets)...)
	add(decl.FeatureNames(w)...)
	add(decl.KeysOf(w.Hooks)...)
	add(decl.KeysOf(w.OptionNamed)...)
	eachWord(w, "", func(set, word, _ string, _ lang.Span) { add(set, word) })
	for _, o := range w.OptionNamed {
		for _, v := range o.Values {
			if v.Kind() == value.Symbol {
				add(w.Heap.Show(v, nil))
			}
		}
	}
	add(decl.KeysOf(w.LastKeys)...)
	add(decl.KeysOf(w.Cells)...)
	add(w.Prog.Spans...)
	for _, r := range w.Rules {
		switch pick, ok := strings.CutPrefix(r.Name, "pick_"); {
		case ok:
			add(pick)
		case describes(w, r):
			add(r.Name)
		}
	}
	for _, v := range w.Verbs {
		eachClause(w, v.Decl.Clauses, func(cl *lang.Clause) {
			if f := decl.FirstWord(cl); f != "" {
				add(f)
			}
		})
	}
	for _, sh := range w.Sheets {
		if w.SetOf(sh) {
			continue
		}
		if !sh.Record {
			add(sh.Name)
		}
		for _, f := range sh.Fields {
			if f.Decl != nil {
				add(f.Name)
				for _, id := range f.Typ.OneOf {
					add(id.Name)
				}
			}
		}
	}
	for _, f := range w.Features {
		for _, fd := range f.Fields[len(f.Params):] {
			add(fd.Name)
		}
	}
	for _, k := range w.Checks {
		add(k.Name)
	}
	for _, g := range w.Goals {
		add(g.Name)
	}
	for _, m := range w.Modules {
		add(m.Name)
	}
	for _, e := range w.Order {
		add(e.Name)
	}
	for _, k := range w.Stocked() {
		add(k.Name)
	}
	for _, id := range w.IDs {
		add(id.ID)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

func moduleName(m *decl.Module) string {
	if m == nil || m.Script {
		return ""
	}
	return m.Name
}

// rulesAbout gives the ids that stand right above a declaration and inside it.
func rulesAbout(w *decl.World, at lang.Span) []decl.RuleID {
	var out []decl.RuleID
	for _, r := range w.IDs {
		if at.Src == nil || r.IdSpan.Src != at.Src {
			continue
		}
		above := r.In == nil && r.Span.Start <= at.Start && at.End <= r.Span.End
		inside := at.Start <= r.IdSpan.Start && r.IdSpan.End <= at.End
		if above || inside {
			out = append(out, r)
		}
	}
	return out
}

// docOr gives a declaration's own doc string, or else what the first id about
// it says.
func docOr(doc string, rules []decl.RuleID) string {
	if doc == "" && len(rules) > 0 {
		return rules[0].Doc
	}
	return doc
}

// describes says whether a rule is meant to be known: it has a doc string, or
// an id stands above it. All others are the module's own business.
func describes(w *decl.World, r *decl.Rule) bool {
	if r.Doc != "" || r.Module == nil || r.Module.Script {
		return true
	}
	return slices.ContainsFunc(w.IDs, func(id decl.RuleID) bool {
		return id.IdSpan.Src == r.At.Src && id.In == nil && id.Span.Start < r.At.Start && r.At.End <= id.Span.End
	})
}

func verbTopic(w *decl.World, v *decl.Verb) Topic {
	t := Topic{Name: v.Name, Kind: "verb", Module: moduleName(v.Module), At: v.Decl.Span}
	t.Rules = rulesAbout(w, t.At)
	t.Doc = docOr(v.Doc, t.Rules)
	form := []string{v.Name}
	if len(v.Decl.Pattern) > 0 {
		form = append(form, patText(v.Decl.Pattern))
	}
	eachClause(w, v.Decl.Clauses, func(cl *lang.Clause) {
		if decl.FirstWord(cl) == "" && len(form) == 1 {
			form = append(form, patText(cl.Pattern))
		}
	})
	if len(v.Decl.Clauses) > 0 {
		form = append(form, "…")
	}
	if v.Who {
		form[0] = "WHO: " + form[0]
	}
	t.Form = strings.Join(form, " ")
	for _, p := range slots(v.Decl.Pattern) {
		t.Parts = append(t.Parts, Part{"", strings.ToUpper(p.Name.Name), slotText(p)})
	}
	seen := map[string]bool{}
	clauseParts(w, v.Decl.Clauses, "", func(p Part) {
		if !seen[p.Text] {
			seen[p.Text] = true
			t.Parts = append(t.Parts, p)
		}
	})
	if v.Block {
		t.Parts = append(t.Parts, Part{"", "{ … }", "a block of commands"})
	}
	return t
}

// clauseParts gives the clauses of a verb in order, those of a set grouped under
// what the set is for.
func clauseParts(w *decl.World, items []lang.ClauseItem, group string, f func(Part)) {
	for _, it := range items {
		switch it := it.(type) {
		case *lang.Clause:
			if decl.FirstWord(it) != "\x00" {
				f(Part{group, patternText(it), clauseDoc(w, it)})
			}
			clauseParts(w, it.Nested, group, f)
		case *lang.Uses:
			if set := w.Sets[it.Set.Name]; set != nil {
				clauseParts(w, set.Decl.Clauses, decl.Plain(set.Decl.Doc), f)
			}
		}
	}
}

// clauseDoc gives the doc string of a clause, and else what its operands take.
func clauseDoc(w *decl.World, cl *lang.Clause) string {
	if cl.Doc != nil {
		return decl.Plain(cl.Doc)
	}
	return operandsText(w, cl.Pattern)
}

// operandsText says what the operands of a pattern take.
func operandsText(w *decl.World, ps []lang.Pat) string {
	var words []string
	if len(ps) == 1 {
		if p, ok := ps[0].(*lang.PatSlot); ok {
			return slotText(p)
		}
	}
	for _, p := range slots(ps) {
		words = append(words, strings.ToUpper(p.Name.Name)+" is "+slotText(p))
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
func slotText(p *lang.PatSlot) string {
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
		s += " " + decl.Text(t.Range.Range())
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
		s += " (" + decl.Text(p.Default.Range()) + " if left out)"
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
func clauseTopics(w *decl.World, word string) []Topic {
	var out []Topic
	for _, v := range decl.SortedVerbs(w) {
		eachClause(w, v.Decl.Clauses, func(cl *lang.Clause) {
			if cl.Name.Name != word && decl.FirstWord(cl) != word {
				return
			}
			form := patternText(cl)
			for i := range out {
				if out[i].Form == form && out[i].At.Src == cl.Src && out[i].At.Start == cl.Start {
					out[i].Of = decl.AppendNew(out[i].Of, v.Name)
					return
				}
			}
			t := Topic{Name: word, Kind: "clause", Module: moduleName(v.Module), Form: form, Doc: decl.Plain(cl.Doc), Of: []string{v.Name}, At: cl.Span}
			if t.Doc == "" {
				t.Doc = operandsText(w, cl.Pattern)
			} else {
				for _, p := range slots(cl.Pattern) {
					t.Parts = append(t.Parts, Part{"", strings.ToUpper(p.Name.Name), slotText(p)})
				}
			}
			seen := map[string]bool{}
			clauseParts(w, cl.Nested, "", func(p Part) {
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

func setTopic(w *decl.World, s *decl.ClauseSet) Topic {
	t := Topic{Name: s.Name, Kind: "set of clauses", Module: moduleName(s.Module), Form: "uses " + s.Name + " as NAME", Doc: decl.Plain(s.Decl.Doc), At: s.Decl.Span}
	clauseParts(w, s.Decl.Clauses, "", func(p Part) { t.Parts = append(t.Parts, p) })
	return t
}

// pickTopics explains the words that stand for somebody: foe, strongest, any.
func pickTopics(w *decl.World, word string) []Topic {
	var out []Topic
	if r := w.Rules["pick_"+word]; r != nil && r.Self && len(r.Params) == 2 {
		t := ruleTopic(w, r)
		t.Name, t.Kind, t.Form = word, "word for somebody", word+" NOUN"
		for _, n := range decl.RuleNames(w) {
			if noun := noun(w, n); noun != nil && lists(w, noun) {
				t.Parts = append(t.Parts, Part{"before which words", word + " " + n, docOr(noun.Doc, rulesAbout(w, noun.At))})
			}
		}
		out = append(out, t)
	}
	if r := noun(w, word); r != nil {
		t := ruleTopic(w, r)
		t.Kind = "rule"
		t.Form = word + "(WHO)"
		if picks := pickParts(w, word); len(picks) > 0 && lists(w, r) {
			t.Form, t.Kind, t.Parts = "any "+word, "word for somebody", picks
		}
		out = append(out, t)
	}
	return out
}

// lists says whether a rule gives a list of people or things, as far as one can tell.
func lists(w *decl.World, r *decl.Rule) bool {
	in := resolve.NewInference(w)
	k := in.OfRule(r.Slot)
	return k == ir.Anything || k&(ir.IsList|ir.IsSheet) != 0
}

// pickParts lists the words that pick from several, before a noun.
func pickParts(w *decl.World, noun string) []Part {
	var out []Part
	for _, n := range decl.RuleNames(w) {
		if a, ok := strings.CutPrefix(n, "pick_"); ok && w.Rules[n].Self && len(w.Rules[n].Params) == 2 {
			r := w.Rules[n]
			out = append(out, Part{"who is picked", a + " " + noun, docOr(r.Doc, rulesAbout(w, r.At))})
		}
	}
	return out
}

// noun is a rule that lists those whom a word stands for.
func noun(w *decl.World, word string) *decl.Rule {
	if r := w.Rules[word]; r != nil && r.Self && len(r.Params) == 1 {
		return r
	}
	return nil
}

func ruleTopic(w *decl.World, r *decl.Rule) Topic {
	t := Topic{Name: r.Name, Kind: "rule", Module: moduleName(r.Module), Form: decl.Signature(r), At: r.At}
	t.Rules = rulesAbout(w, r.At)
	for t.Doc = docOr(r.Doc, t.Rules); t.Doc == "" && r.Base != nil; r = r.Base {
		t.Doc = docOr(r.Base.Doc, rulesAbout(w, r.Base.At))
	}
	return t
}

func featureTopic(w *decl.World, f *decl.Sheet) Topic {
	t := Topic{Name: f.Name, Kind: "special rule", Module: moduleName(f.Module), Of: []string{f.On}, At: f.At}
	t.Rules = rulesAbout(w, f.At)
	t.Doc = docOr(f.Doc, t.Rules)
	var names []string
	for _, p := range f.Params {
		n := strings.ToUpper(p.Name)
		if p.Def != nil {
			n = "[" + n + "]"
		}
		names = append(names, n)
	}
	t.Form = strings.TrimSpace("[" + f.Name + " " + strings.Join(names, " "))
	t.Form += "]"
	if f.Every {
		t.Form = "every " + f.On + " has it"
	}
	for _, fd := range f.Fields[len(f.Params):] {
		t.Parts = append(t.Parts, Part{"fields", decl.FieldForm(fd), w.FieldDoc(f, fd)})
	}
	var hooks []string
	for id := range f.Typ.Handlers {
		hooks = append(hooks, w.Prog.Hooks[id].Name)
	}
	slices.Sort(hooks)
	for _, h := range hooks {
		t.Parts = append(t.Parts, Part{"moments it answers", h, w.Hooks[h].Doc})
	}
	return t
}

func sheetTopic(w *decl.World, sh *decl.Sheet) Topic {
	t := Topic{Name: sh.Name, Kind: "sheet", Module: moduleName(sh.Module), At: sh.At}
	t.Rules = rulesAbout(w, sh.At)
	t.Doc = docOr(sh.Doc, t.Rules)
	t.Form = sh.Name + " Name { FIELD VALUE; … }"
	if w.IsPart(sh.Name) {
		t.Form = "write it in the sheet that it belongs to"
	}
	if sh.Base != nil {
		t.Of = []string{sh.Base.Name}
	}
	var hidden []Part
	for _, f := range sh.Fields {
		if f.Decl == nil {
			continue
		}
		p := Part{"", decl.FieldForm(f), w.FieldDoc(sh, f)}
		switch {
		case f.As == "CAPS":
			p.Text = "TRAIT RATING"
		case f.As != "":
			p.Text = f.As + " …"
		case sh.Typ.Fields[f.Index].Hidden:
			p.Group = "kept by the rules"
			hidden = append(hidden, p)
			continue
		}
		t.Parts = append(t.Parts, p)
	}
	t.Parts = append(t.Parts, hidden...)
	return t
}

// fieldTopics explains a field: of each sheet or special rule that declares it.
func fieldTopics(w *decl.World, word string) []Topic {
	var out []Topic
	add := func(sh *decl.Sheet, kind string) {
		f := sh.ByName[word]
		if f == nil || f.Decl == nil || slices.Contains(sh.Params, f) {
			return
		}
		if b := sh.Base; b != nil && b.ByName[word] == f && w.Sheets[b.Name] == b {
			return // explained there; a sheet that another of the same name extends is not to be seen
		}
		if sh.Record && w.SetOf(sh) {
			return // a clause, explained as one
		}
		t := Topic{Name: word, Kind: kind, Module: moduleName(f.Owner), Form: decl.FieldForm(f), Doc: w.FieldDoc(sh, f), Of: []string{sh.Name}, At: f.Decl.Span}
		t.Rules = rulesAbout(w, f.Decl.Span)
		t.Rules = slices.DeleteFunc(t.Rules, func(r decl.RuleID) bool { return r.IdSpan.Start < f.Decl.Start })
		info := fieldInfo(w, sh, f)
		t.Parts = []Part{{"", "takes", info.Takes}, {"", "at first", info.Default}, {"", "lasts", info.Lasts}}
		for i := range out {
			if out[i].Form == t.Form && out[i].Doc == t.Doc && out[i].Kind == t.Kind {
				out[i].Of = append(out[i].Of, sh.Name)
				return
			}
		}
		out = append(out, t)
	}
	for _, n := range decl.SheetNames(w) {
		add(w.Sheets[n], "field")
	}
	for _, n := range decl.FeatureNames(w) {
		add(w.Features[n], "field")
	}
	return out
}

// writtenTopics explains the sheet of what is written on others as a word.
func writtenTopics(w *decl.World, word string) (out []Topic) {
	for _, n := range decl.SheetNames(w) {
		if f := w.Sheets[n].AsField(word); f != nil && w.Sheets[f.Sheet] != nil {
			return []Topic{sheetTopic(w, w.Sheets[f.Sheet])}
		}
	}
	return nil
}

func hookTopic(w *decl.World, h *decl.Hook) Topic {
	t := Topic{Name: h.Name, Kind: "moment", Doc: h.Doc, Form: "on " + h.Form + " { … }", At: h.At, Module: moduleName(h.Module)}
	for _, n := range decl.FeatureNames(w) {
		if _, ok := w.Features[n].Typ.Handlers[h.Id]; ok {
			t.Parts = append(t.Parts, Part{"answered by", n, docOr(w.Features[n].Doc, rulesAbout(w, w.Features[n].At))})
		}
	}
	return t
}

func checkTopic(w *decl.World, k decl.Check) Topic {
	t := Topic{Name: k.Name, Kind: "check", Of: []string{k.Sheet.Name}, Doc: k.Doc, Module: moduleName(k.Module), Form: "checks(" + strings.ToUpper(k.Sheet.Name) + ")", At: k.At}
	t.Rules = rulesAbout(w, k.At)
	t.Doc = docOr(t.Doc, t.Rules)
	return t
}

func optionTopic(w *decl.World, o *decl.Option) Topic {
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

// eachWord calls f with each word of a set of words, of all sets for "".
func eachWord(w *decl.World, set string, f func(set, word, doc string, at lang.Span)) {
	for _, name := range decl.KeysOf(w.WordSets) {
		s := w.WordSets[name]
		for i, v := range s.Values {
			if set == "" || set == name {
				f(name, decl.WordOf(v), decl.Plain(s.Docs[i]), v.Range())
			}
		}
	}
}

// operandTopics explains words that verbs take.
func operandTopics(w *decl.World, word string) []Topic {
	var out []Topic
	for _, n := range decl.VerbNames(w) {
		v := w.Verbs[n]
		for _, p := range slots(v.Decl.Pattern) {
			if slices.ContainsFunc(p.Type.OneOf, func(id lang.Ident) bool { return id.Name == word }) {
				form := strings.Replace(n+" "+patText(v.Decl.Pattern), strings.ToUpper(p.Name.Name), word, 1)
				out = append(out, Topic{Name: word, Kind: "word", Form: form, Doc: phrase("what "+n+" takes as "+strings.ToUpper(p.Name.Name), v.Doc), Module: moduleName(v.Module), At: v.Decl.Span})
				break
			}
		}
	}
	return out
}

// moduleOf gives the name of the module that a file is of, "" for a script.
func moduleOf(w *decl.World, src *lang.Source) string {
	for _, m := range w.Modules {
		if slices.Contains(m.Files, src) {
			return m.Name
		}
	}
	return ""
}

// wordTopics explains words that are values: of fields, of options, spans, and
// the names of what an outcome comes with.
func wordTopics(w *decl.World, word string) []Topic {
	var out []Topic
	eachWord(w, "", func(set, value, doc string, at lang.Span) {
		if value == word {
			out = append(out, Topic{Name: word, Kind: "word", Module: moduleOf(w, at.Src), Doc: phrase(doc, "one of the words "+set), At: at})
		}
	})
	for _, n := range decl.SheetNames(w) {
		for _, f := range w.Sheets[n].Fields {
			if f.Decl == nil || w.WordSets[f.Decl.Type.Name.Name] != nil || w.Sheets[n].Base != nil && w.Sheets[n].Base.ByName[f.Name] != nil {
				continue
			}
			for _, id := range f.Typ.OneOf {
				if id.Name == word {
					doc := w.FieldDoc(w.Sheets[n], f)
					out = append(out, Topic{Name: word, Kind: "word", Form: f.Name + " " + word, Doc: "a value of the field " + f.Name + ": " + doc, Of: []string{n}, Module: moduleName(f.Owner), At: f.Decl.Span})
				}
			}
		}
	}
	for _, name := range w.OptionNames() {
		o := w.OptionNamed[name]
		for i, v := range o.Values {
			if v.Kind() == value.Symbol && w.Heap.Show(v, nil) == word {
				out = append(out, Topic{Name: word, Kind: "word", Form: "option " + name + " = " + word, Doc: phrase("a value of the option "+name+": "+o.Docs[i], o.Doc), Module: o.Module, At: o.At})
			}
		}
	}
	if i := slices.Index(w.Prog.Spans, word); i >= 0 {
		t := Topic{Name: word, Kind: "span", Module: moduleName(w.SpansOf), At: w.SpansAt, Form: "begin " + word + ", end " + word + ", per " + word, Doc: "a span of time; when it ends, what lasts that long is cleared or refilled"}
		if i > 0 {
			t.Doc += ". Longer: " + strings.Join(w.Prog.Spans[:i], ", ")
		}
		out = append(out, t)
	}
	if at, ok := w.LastKeys[word]; ok {
		t := Topic{Name: word, Kind: "value of the last outcome", Module: moduleName(w.LastModules[word]), Form: "last." + word, Value: (*w.Store)[at], Valued: true}
		if word == "outcome" {
			t.Doc = "what came of the last command, such as success"
		} else {
			t.Doc = "a value of the last outcome; none if that outcome has no such value"
		}
		for _, s := range w.LastOf[word] {
			t.Of = decl.AppendNew(t.Of, s)
		}
		out = append(out, t)
	}
	return out
}

// moduleTopic lists what a module declares.
func moduleTopic(w *decl.World, m *decl.Module) Topic {
	t := Topic{Name: m.Name, Kind: "system", Form: "use " + m.Name, Doc: cmp.Or(m.Title, "rules that other systems use")}
	if m.Base != "" {
		t.Kind, t.Form = "variant", "use "+m.Base+" with "+m.Name
		for _, o := range Overrides(w, m.Name) {
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
	t.Parts = declares(w, m)
	return t
}

// declares lists what a system declares for those who play with it and for those who write
// rules.
func declares(w *decl.World, m *decl.Module) []Part {
	var out []Part
	for _, v := range decl.SortedVerbs(w) {
		if v.Module == m {
			out = append(out, Part{"verbs", v.Name, docOr(v.Doc, rulesAbout(w, v.Decl.Span))})
		}
	}
	for _, n := range decl.SheetNames(w) {
		if sh := w.Sheets[n]; sh.Module == m && !sh.Record && sh.Doc != "" {
			out = append(out, Part{"sheets", n, sh.Doc})
		}
	}
	for _, n := range decl.FeatureNames(w) {
		if f := w.Features[n]; f.Module == m {
			out = append(out, Part{"special rules", n, docOr(f.Doc, rulesAbout(w, f.At))})
		}
	}
	for _, n := range w.OptionNames() {
		if o := w.OptionNamed[n]; o.Module == m.Name {
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
	for _, n := range decl.RuleNames(w) {
		if r := noun(w, n); r != nil && r.Module == m && len(pickParts(w, n)) > 0 && resolve.SurelyLists(w, r) {
			out = append(out, Part{"words for somebody", n, docOr(r.Doc, rulesAbout(w, r.At))})
		}
	}
	for _, n := range decl.KeysOf(w.Hooks) {
		if h := w.Hooks[n]; h.Module == m {
			out = append(out, Part{momentList, h.Form, h.Doc})
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
func listTopics(w *decl.World, word string) []Topic {
	group := plurals[word]
	if group == "" {
		return nil
	}
	var out []Topic
	for _, m := range w.Modules {
		if m.Script || m.Base != "" {
			continue
		}
		t := Topic{Name: word, Kind: "list", Module: m.Name, Form: "use " + m.Name}
		for _, p := range declares(w, m) {
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
func scriptTopics(w *decl.World, word string) []Topic {
	var out []Topic
	name := decl.Display(strings.Trim(word, `"`))
	for _, e := range w.Order {
		if !code.SameName(e.Name, name) {
			continue
		}
		t := Topic{Name: decl.QuoteName(e.Name), Kind: e.Sheet.Name, Doc: e.Sheet.Doc, Form: e.Path()}
		if e.Owner != nil {
			t.Name, t.Of = e.Name, []string{e.Owner.Name}
		}
		for _, p := range e.Parts {
			t.Parts = append(t.Parts, Part{"has", p.Name, p.Sheet.Name})
		}
		out = append(out, t)
	}
	if g := w.Groups[name]; g != nil && w.Entities[name] == nil {
		t := Topic{Name: decl.QuoteName(name), Kind: "group", Form: decl.QuoteName(name), Doc: "all of a group, in order of declaration"}
		for _, e := range g {
			t.Parts = append(t.Parts, Part{"of", e.Name, e.Sheet.Name})
		}
		out = append(out, t)
	}
	if at, ok := w.Cells[word]; ok {
		out = append(out, Topic{Name: word, Kind: "variable", Form: word, Doc: "a variable of the script", Value: (*w.Store)[at], Valued: true})
	}
	return out
}
