package compile

import (
	"path"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/lang"
)

// Traced gives the world with or without code that tells what happens.
func (w *World) Traced(on bool) *World {
	if w.Prog.Traced == on {
		return w
	}
	c := w.Clone()
	c.Prog.Traced = on
	c.renew()
	return c
}

// Unattended gives the world without code that tells what happens or asks for
// commands, as odds and simulations need it.
func (w *World) Unattended() *World {
	if !w.Prog.Traced && !w.Prog.Attended {
		return w
	}
	c := w.Clone()
	c.Prog.Traced, c.Prog.Attended = false, false
	c.renew()
	return c
}

// Size says how many rules, verbs and options a module has.
func (w *World) Size(module string) (rules, verbs, options int) {
	for _, r := range w.IDs {
		if r.Module == module {
			rules++
		}
	}
	for _, v := range w.verbs {
		if v.module != nil && v.module.Name == module {
			verbs++
		}
	}
	for _, o := range w.optionNamed {
		if o.Module == module {
			options++
		}
	}
	return rules, verbs, options
}

// IDOf gives a catalogue id by its number, "" for none.
func (w *World) IDOf(n int) string {
	if n < 0 || n >= len(w.IDs) {
		return ""
	}
	return w.IDs[n].ID
}

// InModule says whether a source is part of a module.
func (w *World) InModule(src *lang.Source) bool { return strings.HasSuffix(src.Name, ".rules") }

// ClausePlace gives the place of a clause or operand of the command at a place.
func (w *World) ClausePlace(cmd lang.Span, clause string) (lang.Span, bool) {
	at, ok := w.spans[spanKey{cmd.Src, cmd.Start}][clause]
	return at, ok
}

// TestCount says how many test blocks there are.
func (w *World) TestCount() int { return len(w.tests) }

// TestsFrom gives the test blocks from the nth on.
func (w *World) TestsFrom(n int) []*Test { return w.tests[n:] }

// Options gives all options, by name.
func (w *World) Options() []*Option {
	var out []*Option
	for _, n := range w.optionNames() {
		out = append(out, w.optionNamed[n])
	}
	slices.SortFunc(out, func(a, b *Option) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Instance is a declared instance as others see it.
type Instance struct {
	Name, Path string
	Off        int
	Part       bool
	Script     bool // a script declares it, not the rules
}

// Instances lists what is declared, parts behind their owners' names, in order.
// A part that belongs to nobody stands for something in the rules and is left out.
func (w *World) Instances() []Instance {
	var out []Instance
	for _, e := range w.order {
		if e.owner == nil && w.isPart(e.sheet.name) {
			continue
		}
		out = append(out, Instance{Name: e.name, Path: e.path(), Off: e.off, Part: e.owner != nil, Script: e.root().script})
	}
	return out
}

// Said says whether a sheet sets the field of an instance, by the field's place in its type.
func (w *World) Said(off int, f *code.Field) bool {
	_, ok := w.initial[fieldAt{off, f.Sym}]
	return ok
}

// root is the instance that e is a part of, or e itself.
func (e *entity) root() *entity {
	for e.owner != nil {
		e = e.owner
	}
	return e
}

func (e *entity) path() string {
	if e.owner == nil {
		return e.name
	}
	return e.owner.path() + "." + e.name
}

// Available lists the modules there are.
func (w *World) Available() []string {
	if w == nil {
		return nil
	}
	return w.moduleNames()
}

// eachClause goes through clauses, those of sets and inside others too.
func (w *World) eachClause(items []lang.ClauseItem, f func(*lang.Clause)) {
	for _, it := range items {
		switch it := it.(type) {
		case *lang.Clause:
			if firstWord(it) != "\x00" {
				f(it)
			}
			w.eachClause(it.Nested, f)
		case *lang.Uses:
			if set := w.sets[it.Set.Name]; set != nil {
				w.eachClause(set.decl.Clauses, f)
			}
		}
	}
}

// patternText writes a clause as it is typed.
func patternText(cl *lang.Clause) string {
	if len(cl.Pattern) == 0 {
		return cl.Name.Name
	}
	return patText(cl.Pattern)
}

func patText(ps []lang.Pat) string {
	words := make([]string, len(ps))
	for i, p := range ps {
		switch p := p.(type) {
		case *lang.PatWord:
			words[i] = p.Word
		case *lang.PatSlot:
			words[i] = strings.ToUpper(p.Name.Name)
		case *lang.PatOpt:
			words[i] = "[" + patText(p.Pattern) + "]"
		}
	}
	return strings.Join(words, " ")
}

// LastNames gives the names of the values of the last outcome, in their order in
// the store.
func (w *World) LastNames() []string {
	names := make([]string, len(w.lastKeys))
	for n, at := range w.lastKeys {
		names[at-w.Prog.Last[0]] = n
	}
	return names
}

// VariableAt gives the name of the script's variable in a word of the store, ""
// when there is none.
func (w *World) VariableAt(at int) string {
	for name, cell := range w.cells {
		if cell == at {
			return name
		}
	}
	return ""
}

// Same says whether nothing has been declared since another moment of a world:
// what is compiled against the one means the same in the other.
func (w *World) Same(old *World) bool {
	p, q := w.Prog, old.Prog
	return p.Traced == q.Traced && p.Attended == q.Attended && p.Default == q.Default && (w.standIn == nil) == (old.standIn == nil) && (w.standIn == nil || *w.standIn == *old.standIn) &&
		slices.Equal(p.Slots, q.Slots) && slices.Equal(p.Types, q.Types) && slices.Equal(p.Hooks, q.Hooks) &&
		slices.Equal(p.Tactics, q.Tactics) && slices.Equal(p.Live, q.Live) && len(p.Symbols) == len(q.Symbols) &&
		len(w.Modules) == len(old.Modules) && len(w.IDs) == len(old.IDs) && len(w.order) == len(old.order) &&
		len(w.cells) == len(old.cells) && len(w.lastKeys) == len(old.lastKeys) && len(w.keptKeys) == len(old.keptKeys) && len(w.groups) == len(old.groups) &&
		len(w.tests) == len(old.tests) && len(w.goals) == len(old.goals) && len(w.checks) == len(old.checks) && len(w.every) == len(old.every) && len(w.Start) == len(old.Start)
}

// MayKnow says whether a module that is not in use could know a word beside what its base
// knows. A variant says little, so most words are seen not to be in its file.
func (w *World) MayKnow(module, word string) bool {
	src, _, file, beside, _ := w.find(module)
	if src == nil || beside || path.Dir(file) == module || strings.Contains(src.Text, "include") {
		return true
	}
	return strings.EqualFold(module, word) || strings.Contains(strings.ToLower(src.Text), strings.ToLower(word))
}
