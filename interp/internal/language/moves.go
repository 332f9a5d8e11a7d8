package language

import (
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/resolve"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// What could somebody do in their turn? This file lists the commands that the verbs in
// use allow: each verb that asks who acts, with whom it can be aimed at, with the traits
// of the sheet, and with the clauses that whoever acts can choose. A command is made of
//
//	VERB operands [tool] [extras] [target] [extras]
//
// as in  roll PUNCH vs Fang spend luck. Numbers and texts are for the table to say, so that a
// verb that cannot do without them is left out, and so are clauses that state a fact about the
// scene, such as a difficulty. A clause is a choice when it begins
// with "spend", when a decision has its name, or when tactics that this character
// follows use it. Whether the rules allow a command is found out by trying it.

// Move is a verb as somebody can use it.
type Move struct {
	Verb   string
	Doc    string   // what it does, with an example perhaps
	Heads  []Head   // at least one
	Tools  []Choice // what it can be done with, one at a time
	Pools  []Pool   // further tools: traits put together
	Extras []Choice
	at     map[int]string
}

// Pool is a place in a command for traits that are put together.
type Pool struct {
	before string
	first  bool
	Parts  []string // the traits there are
	usual  []string // those that are in a pool where nothing is named
	joins  string   // clauses that belong to any pool
	field  map[string]int
}

// Full gives a pool with some of the traits: beside them what is usual, one of each list on the sheet.
func (p Pool) Full(named []string) []string {
	var out []string
	left := slices.Clone(named)
	for _, trait := range p.usual {
		n := len(left)
		left = slices.DeleteFunc(left, func(x string) bool {
			same := p.field[x] == p.field[trait]
			if same {
				out = append(out, x)
			}
			return same
		})
		if len(left) == n && !slices.ContainsFunc(named, func(x string) bool { return p.field[x] == p.field[trait] }) {
			out = append(out, trait)
		}
	}
	return append(out, left...)
}

// Best gives of each list on the sheet the trait that most speaks for, the first of equal ones; none that nothing speaks for.
func (p Pool) Best(fits func(part string) int) (out []string) {
	for _, part := range p.Parts {
		n := fits(part)
		at := slices.IndexFunc(out, func(x string) bool { return p.field[x] == p.field[part] })
		switch {
		case n > 0 && at < 0:
			out = append(out, part)
		case at >= 0 && n > fits(out[at]):
			out[at] = part
		}
	}
	return out
}

// Of gives the pool of some of the traits.
func (p Pool) Of(parts []string) Choice {
	return Choice{Text: strings.TrimSpace(p.before + " " + strings.Join(parts, " + ") + p.joins), First: p.first, pool: true}
}

// Alone is the pool with nothing but traits.
func (p Pool) Alone() Pool {
	p.joins = ""
	return p
}

// Opposed says whether a clause of the verb says who stands against it, as in  roll PUNCH vs Fang.
func (mv *Move) Opposed() bool {
	return slices.ContainsFunc(mv.Heads, func(h Head) bool { return h.Target != "" })
}

// Says says whether the verb is followed by what is done, as in  roll PUNCH.
func (mv *Move) Says() bool {
	return slices.ContainsFunc(mv.Pools, func(p Pool) bool { return p.first }) ||
		slices.ContainsFunc(mv.Heads, func(h Head) bool { return h.Operands != "" && (h.Who == 0 || h.Target != "") })
}

// Aimed says whether the verb is always aimed at somebody, as in  attack Fang.
func (mv *Move) Aimed() bool {
	return !slices.ContainsFunc(mv.Heads, func(h Head) bool { return h.Who == 0 || h.Target != "" && len(h.Words) == 0 })
}

// Head is a verb with its operands and, where it is aimed at somebody, with the target.
type Head struct {
	Operands string   // behind the verb
	Target   string   // behind everything of whoever acts
	Who      int      // where the sheet of whom it is aimed at is, 0 for nobody
	Words    []string // what a table says for it, see Saying
	inner    []string
}

// Resisted says whether whom it is aimed at stands against it: the verb says what they do.
func (h Head) Resisted() bool { return h.Target != "" || len(h.inner) > 0 }

// Saying is what a table says for a verb, with what stands behind the verb and at the end.
type Saying struct {
	Words                  []string
	Verb, Operands, Target string
	Who                    int
}

// Choice is something that can be put into a command.
type Choice struct {
	Text  string
	First bool // it stands directly behind the verb and its operands
	Said  bool // the tactics that are followed unasked say it
	pool  bool
}

// maxChoices bounds how many traits, extras or pools that it takes a verb lists.
const maxChoices = 48

// Command writes a command. The extras have to be of the same move, the tool may be empty.
func (mv *Move) Command(h Head, tool Choice, extras ...Choice) string {
	words := []string{mv.Verb, h.Operands}
	var behind []string
	if tool.pool {
		tool.Text += mv.at[h.Who]
	}
	if tool.First {
		words = append(words, tool.Text)
	} else {
		behind = append(behind, tool.Text)
	}
	var last []string
	for _, x := range extras {
		// What belongs to the target as well has to stand before it.
		if slices.Contains(h.inner, strings.Fields(x.Text)[0]) {
			behind = append(behind, x.Text)
		} else {
			last = append(last, x.Text)
		}
	}
	words = append(append(append(words, behind...), h.Target), last...)
	return strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), " ")
}

// Terms is what the rules say of somebody's commands.
type Terms struct {
	Usual   []int              // where the traits are that are in a pool where nothing is named
	Joins   string             // clauses that go with any pool
	At      map[int]string     // clauses that go with any pool against somebody
	Fitting map[string][][]int // by verb: the only pools that fit it, where the rules say so
	Unfit   []string           // verbs that nobody would think of now
	Late    []string           // verbs that somebody would think of last
	Sayings []Saying
}

// TermsRule is a rule that lists something of somebody; nil where there is none.
func TermsRule(w *decl.World, name string, params int) *code.Func {
	if r := w.Rules[name]; r != nil && len(r.Params) == params {
		return w.Prog.Slots[r.Slot]
	}
	return nil
}

// Moves lists what the instance at off could do in its turn. said is a command that it
// would do unasked, "" for none.
func Moves(w *decl.World, m *machine.Machine, off int, said string, terms Terms) []*Move {
	who := w.ByOff[off]
	if who == nil {
		return nil
	}
	l := &moveLister{w: w, m: m, who: who, terms: terms, said: " " + said + " ", words: m.TacticWords(off)}
	var out []*Move
	for _, v := range decl.SortedVerbs(w) {
		if mv := l.move(v); mv != nil {
			out = append(out, mv)
		}
	}
	return out
}

// Aims gives the rules that list whom the default tactics choose from: foe, in  attack
// any foe.
func Aims(w *decl.World) []*code.Func {
	var out []*code.Func
	if w.Prog.Default == nil {
		return nil
	}
	for _, word := range w.Prog.Default.Words {
		if r := (&resolve.Fn{W: w}).Noun(word); r != nil {
			out = append(out, w.Prog.Slots[r.Slot])
		}
	}
	return out
}

// NamesFor lists the names that somebody can say: those of characters and groups, and of their own traits.
func NamesFor(w *decl.World, off int) []string {
	l := &moveLister{w: w, who: w.ByOff[off]}
	out := l.texts(l.parts())
	for _, x := range w.Names() {
		out = append(out, x.Text)
	}
	return out
}

type moveLister struct {
	w     *decl.World
	m     *machine.Machine
	who   *decl.Entity
	terms Terms
	said  string
	words []string // that tactics say
	verb  string   // whose commands are listed
}

func (l *moveLister) move(v *decl.Verb) *Move {
	if !v.Who || v.Block {
		return nil
	}
	l.verb = v.Name
	mv := &Move{Verb: v.Name, Doc: decl.Plain(v.Decl.Doc), at: l.terms.At}
	operands, known := l.operands(mv, v.Decl.Pattern)
	for _, x := range l.terms.Sayings {
		if x.Verb == v.Name {
			mv.Heads = append(mv.Heads, Head{Operands: x.Operands, Target: x.Target, Who: x.Who, Words: x.Words})
		}
	}
	if !known && len(mv.Heads) == 0 {
		return nil
	}
	targets := []Head{{}}
	aimed := map[string]bool{} // how the clauses begin that name somebody
	l.eachTop(v.Decl.Clauses, func(cl *lang.Clause) {
		if list, ok := l.targets(cl); ok {
			targets = append(targets, list...)
			aimed[decl.FirstWord(cl)] = true
		}
	})
	if aimed[""] {
		targets = targets[1:] // without anybody it is not a command
	}
	l.eachTop(v.Decl.Clauses, func(cl *lang.Clause) {
		switch before, ok := pooled(cl); {
		case aimed[decl.FirstWord(cl)]: // it stands in the place of somebody
		case ok:
			if fitting, only := l.terms.Fitting[v.Name]; only {
				mv.Tools = append(mv.Tools, l.fitting(before, fitting)...)
			} else {
				mv.Pools = append(mv.Pools, l.pool(before, false))
			}
		case l.tool(cl):
			mv.Tools = append(mv.Tools, l.choices(cl)...)
		default:
			mv.Extras = append(mv.Extras, l.choices(cl)...)
		}
	})
	mv.Tools = mv.Tools[:min(len(mv.Tools), maxChoices)]
	mv.Extras = mv.Extras[:min(len(mv.Extras), maxChoices)]
	for _, o := range operands {
		for _, t := range targets {
			h := t
			h.Operands, h.Who = strings.TrimSpace(o.Operands+" "+t.Operands), max(o.Who, t.Who)
			mv.Heads = append(mv.Heads, h)
		}
	}
	return mv
}

// fitting lists pools of traits that are all on the sheet of whoever acts.
func (l *moveLister) fitting(before string, pools [][]int) (out []Choice) {
	for _, pool := range pools {
		var parts []*decl.Entity
		for _, off := range pool {
			if e := l.w.ByOff[off]; e != nil && e.Owner == l.who {
				parts = append(parts, e)
			}
		}
		if len(parts) == len(pool) {
			out = append(out, Pool{before: before}.Of(l.texts(parts)))
		}
	}
	return out
}

// eachTop calls f for the clauses that are whoever acts' own.
func (l *moveLister) eachTop(items []lang.ClauseItem, f func(*lang.Clause)) {
	for _, it := range items {
		switch it := it.(type) {
		case *lang.Clause:
			f(it)
		case *lang.Uses:
			if set := l.w.Sets[it.Set.Name]; set != nil {
				l.eachTop(set.Decl.Clauses, f)
			}
		}
	}
}

// pooled says whether a clause takes a pool of traits, and the words before it.
func pooled(cl *lang.Clause) (before string, ok bool) {
	for i, p := range cl.Pattern {
		switch p := p.(type) {
		case *lang.PatWord:
			before = strings.TrimSpace(before + " " + p.Word)
		case *lang.PatSlot:
			return before, p.Type.Name.Name == "terms" && i == len(cl.Pattern)-1 && !cl.Repeat
		default:
			return "", false
		}
	}
	return "", false
}

// operands lists the ways to fill the pattern of a verb; what may follow it becomes tools
// of the move. No where it takes something that only the table knows.
func (l *moveLister) operands(mv *Move, pattern []lang.Pat) ([]Head, bool) {
	out := []Head{{}}
	for _, p := range pattern {
		switch p := p.(type) {
		case *lang.PatWord:
			for i := range out {
				out[i].Operands = strings.TrimSpace(out[i].Operands + " " + p.Word)
			}
		case *lang.PatOpt:
			if s, one := p.Pattern[0].(*lang.PatSlot); one && len(p.Pattern) == 1 {
				if s.Type.Name.Name == "terms" {
					mv.Pools = append(mv.Pools, l.pool("", true))
					continue
				}
				for _, x := range l.values(s) {
					mv.Tools = append(mv.Tools, Choice{Text: x.text, First: true})
				}
			}
		case *lang.PatSlot:
			values := l.values(p)
			if len(values) == 0 {
				return nil, false
			}
			var more []Head
			for _, h := range out {
				for _, x := range values {
					more = append(more, Head{Operands: strings.TrimSpace(h.Operands + " " + x.text), Who: max(h.Who, x.who)})
				}
			}
			out = more
		}
	}
	return out, true
}

// targets gives the heads that a clause makes which says whom a command is aimed at.
func (l *moveLister) targets(cl *lang.Clause) ([]Head, bool) {
	var before []string
	for _, p := range cl.Pattern {
		switch p := p.(type) {
		case *lang.PatWord:
			before = append(before, p.Word)
			continue
		case *lang.PatSlot:
			if !l.person(p) || !l.alone(cl.Pattern, p) {
				return nil, false
			}
			var out []Head
			for _, x := range l.values(p) {
				h := Head{Who: x.who}
				if len(before) == 0 {
					h.Operands = x.text
				} else {
					h.Target = strings.Join(before, " ") + " " + x.text
				}
				l.eachTop(cl.Nested, func(in *lang.Clause) { h.inner = append(h.inner, decl.FirstWord(in)) })
				out = append(out, h)
			}
			return out, true
		}
		return nil, false
	}
	return nil, false
}

// alone says whether a pattern needs no operand but this one.
func (l *moveLister) alone(pattern []lang.Pat, one *lang.PatSlot) bool {
	return !slices.ContainsFunc(pattern, func(p lang.Pat) bool {
		s, ok := p.(*lang.PatSlot)
		return ok && s != one
	})
}

// tool says whether a clause says what the command is done with: it takes a trait, once.
func (l *moveLister) tool(cl *lang.Clause) bool {
	return !cl.Repeat && slices.ContainsFunc(cl.Pattern, func(p lang.Pat) bool { _, ok := p.(*lang.PatSlot); return ok })
}

// choices lists the ways to give a clause, none where that is not for whoever acts to
// choose.
func (l *moveLister) choices(cl *lang.Clause) []Choice {
	texts := []string{""}
	slots := 0
	pattern := cl.Pattern
	if len(pattern) == 0 {
		pattern = []lang.Pat{&lang.PatWord{Word: cl.Name.Name}}
	}
	for _, p := range pattern {
		switch p := p.(type) {
		case *lang.PatWord:
			for i := range texts {
				texts[i] = strings.TrimSpace(texts[i] + " " + p.Word)
			}
		case *lang.PatSlot:
			slots++
			if l.person(p) || p.Type.Name.Name == "one" || p.Type.Of != nil && p.Type.Of.Name != "who" {
				return nil
			}
			var more []string
			for _, t := range texts {
				for _, v := range l.values(p) {
					more = append(more, strings.TrimSpace(t+" "+v.text))
				}
			}
			texts = more
		}
	}
	if slots == 0 && !l.chosen(cl, texts[0]) || slots > 1 {
		return nil
	}
	var out []Choice
	for _, t := range texts {
		out = append(out, Choice{Text: t, Said: slots == 0 && strings.Contains(l.said, " "+t+" ")})
	}
	return out
}

// chosen says whether a clause without operands is a choice of whoever acts.
func (l *moveLister) chosen(cl *lang.Clause, text string) bool {
	return decl.FirstWord(cl) == decl.Spends || l.w.DecisionNames()[cl.Name.Name] || strings.Contains(l.said, " "+text+" ") ||
		slices.Contains(l.words, decl.FirstWord(cl)) && len(strings.Fields(text)) == 1
}

// person says whether an operand is somebody.
func (l *moveLister) person(s *lang.PatSlot) bool {
	kind := s.Type.Name.Name
	return l.w.Sheets[kind] != nil && !l.w.IsPart(kind)
}

// operandText is a way to write an operand, and who it stands for, 0 for nobody.
type operandText struct {
	text string
	who  int
}

// values lists what an operand can be, as it is written.
func (l *moveLister) values(s *lang.PatSlot) (out []operandText) {
	kind := s.Type.Name.Name
	switch {
	case kind == "terms":
		if fitting, only := l.terms.Fitting[l.verb]; only {
			for _, c := range l.fitting("", fitting) {
				out = append(out, operandText{c.Text, 0})
			}
			return out
		}
		return l.pools()
	case kind == "one" && !s.Type.Many:
		for _, word := range s.Type.OneOf {
			out = append(out, operandText{word.Name, 0})
		}
		return out
	case l.w.Sheets[kind] == nil || s.Type.New:
		return nil
	case !l.w.IsPart(kind):
		for _, e := range l.w.Order {
			if e != l.who && e.Owner == nil && e.Sheet.Is(kind) && !l.w.IsPart(e.Sheet.Name) && e.Off != l.standIn() {
				name, _ := Written(l.w, e.Off)
				out = append(out, operandText{name, e.Off})
			}
		}
		return out
	case s.Type.Of != nil && s.Type.Of.Name != "who":
		return nil
	}
	for _, e := range l.parts() {
		if e.Sheet.Is(kind) {
			out = append(out, operandText{l.written(e), 0})
		}
	}
	return out
}

// written is how the name of a trait is written; one in small letters needs no quotes.
func (l *moveLister) written(e *decl.Entity) string {
	if decl.IsName(e.Name) && strings.ToLower(e.Name) == e.Name {
		return e.Name
	}
	name, _ := Written(l.w, e.Off)
	return name
}

// standIn is where the sheet of whoever acts is if nobody is named, -1 for nowhere.
func (l *moveLister) standIn() int {
	if x := l.w.StandIn; x != nil && x.Ent != nil {
		return x.Ent.Off
	}
	return -1
}

// parts lists the parts of whoever acts, and theirs.
func (l *moveLister) parts() []*decl.Entity {
	var out []*decl.Entity
	var add func(e *decl.Entity)
	add = func(e *decl.Entity) {
		for _, p := range e.Parts {
			out = append(out, p)
			add(p)
		}
	}
	add(l.who)
	return out
}

// pool is a place for the traits of whoever acts.
func (l *moveLister) pool(before string, first bool) Pool {
	terms := slices.DeleteFunc(l.parts(), func(e *decl.Entity) bool { return len(e.Parts) > 0 })
	p := Pool{before, first, l.texts(terms), l.texts(l.usual()), l.terms.Joins, map[string]int{}}
	for _, e := range l.parts() {
		if name := l.written(e); p.field[name] == 0 {
			p.field[name] = l.holds(e)
		}
	}
	return p
}

// usual lists what the rules say is usual in a pool of whoever acts, or the first part of each field.
func (l *moveLister) usual() []*decl.Entity {
	var out []*decl.Entity
	for _, off := range l.terms.Usual {
		if e := l.w.ByOff[off]; e != nil {
			out = append(out, e)
		}
	}
	if len(out) > 0 {
		return out
	}
	seen := map[int]bool{}
	for _, e := range l.parts() {
		if at := l.holds(e); !seen[at] {
			seen[at] = true
			out = append(out, e)
		}
	}
	return out
}

// holds is where the field is that a part stands in.
func (l *moveLister) holds(e *decl.Entity) int {
	from := e.Owner.Off
	for at, v := range l.m.Store[from : from+len(l.m.TypeOf(from).Template)] {
		if v == e.Ref() || v.Kind() == value.List && slices.Contains(l.m.Heap.Elems(v), e.Ref()) {
			return from + at
		}
	}
	return -e.Off
}

// texts writes the names of traits.
func (l *moveLister) texts(parts []*decl.Entity) []string {
	var out []string
	for _, e := range parts {
		if name := l.written(e); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// pools lists pools of two traits.
func (l *moveLister) pools() []operandText {
	var out []operandText
	parts := l.texts(l.parts())
	for i, a := range parts {
		for _, b := range parts[i+1:] {
			if len(out) < maxChoices {
				out = append(out, operandText{a + " + " + b, 0})
			}
		}
	}
	return out
}
