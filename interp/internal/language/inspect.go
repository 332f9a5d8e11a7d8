package language

import (
	"path"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/decl"
	"setpiece/lang"
)

// Traced gives the world with or without code that tells what happens.
func Traced(w *decl.World, on bool) *decl.World {
	if w.Prog.Traced == on {
		return w
	}
	c := w.Clone()
	c.Prog.Traced = on
	c.Renew()
	return c
}

// Unattended gives the world without code that tells what happens or asks for
// commands, as odds and simulations need it.
func Unattended(w *decl.World) *decl.World {
	if !w.Prog.Traced && !w.Prog.Attended {
		return w
	}
	c := w.Clone()
	c.Prog.Traced, c.Prog.Attended = false, false
	c.Renew()
	return c
}

// Size says how many rules, verbs and options a module has.
func Size(w *decl.World, module string) (rules, verbs, options int) {
	for _, r := range w.IDs {
		if r.Module == module {
			rules++
		}
	}
	for _, v := range w.Verbs {
		if v.Module != nil && v.Module.Name == module {
			verbs++
		}
	}
	for _, o := range w.OptionNamed {
		if o.Module == module {
			options++
		}
	}
	return rules, verbs, options
}

// IDOf gives a catalogue id by its number, "" for none.
func IDOf(w *decl.World, n int) string {
	if n < 0 || n >= len(w.IDs) {
		return ""
	}
	return w.IDs[n].ID
}

// InModule says whether a source is part of a module.
func InModule(src *lang.Source) bool { return strings.HasSuffix(src.Name, ".rules") }

// ClausePlace gives the place of a clause or operand of the command at a place.
func ClausePlace(w *decl.World, cmd lang.Span, clause string) (lang.Span, bool) {
	at, ok := w.Spans[decl.SpanKey{Src: cmd.Src, Start: cmd.Start}][clause]
	return at, ok
}

// TestCount says how many test blocks there are.
func TestCount(w *decl.World) int { return len(w.Tests) }

// TestsFrom gives the test blocks from the nth on.
func TestsFrom(w *decl.World, n int) []*decl.Test { return w.Tests[n:] }

// Instance is a declared instance as others see it.
type Instance struct {
	Name, Path string
	Off        int
	Part       bool
	Script     bool // a script declares it, not the rules
}

// Instances lists what is declared, parts behind their owners' names, in order.
// A part that belongs to nobody stands for something in the rules and is left out.
func Instances(w *decl.World) []Instance {
	var out []Instance
	for _, e := range w.Order {
		if e.Owner == nil && w.IsPart(e.Sheet.Name) {
			continue
		}
		out = append(out, Instance{Name: e.Name, Path: e.Path(), Off: e.Off, Part: e.Owner != nil, Script: e.Root().Script})
	}
	return out
}

// Said says whether a sheet sets the field of an instance, by the field's place in its type.
func Said(w *decl.World, off int, f *code.Field) bool {
	_, ok := w.Initial[decl.FieldAt{Off: off, Sym: f.Sym}]
	return ok
}

// eachClause goes through clauses, those of sets and inside others too.
func eachClause(w *decl.World, items []lang.ClauseItem, f func(*lang.Clause)) {
	for _, it := range items {
		switch it := it.(type) {
		case *lang.Clause:
			if decl.FirstWord(it) != "\x00" {
				f(it)
			}
			eachClause(w, it.Nested, f)
		case *lang.Uses:
			if set := w.Sets[it.Set.Name]; set != nil {
				eachClause(w, set.Decl.Clauses, f)
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
func LastNames(w *decl.World) []string {
	names := make([]string, len(w.LastKeys))
	for n, at := range w.LastKeys {
		names[at-w.Prog.Last[0]] = n
	}
	return names
}

// VariableAt gives the name of the script's variable in a word of the store, ""
// when there is none.
func VariableAt(w *decl.World, at int) string {
	for name, cell := range w.Cells {
		if cell == at {
			return name
		}
	}
	return ""
}

// Same says whether nothing has been declared since another moment of a world:
// what is compiled against the one means the same in the other.
func Same(w *decl.World, old *decl.World) bool {
	p, q := w.Prog, old.Prog
	return p.Traced == q.Traced && p.Attended == q.Attended && p.Default == q.Default && (w.StandIn == nil) == (old.StandIn == nil) && (w.StandIn == nil || *w.StandIn == *old.StandIn) &&
		slices.Equal(p.Slots, q.Slots) && slices.Equal(p.Types, q.Types) && slices.Equal(p.Hooks, q.Hooks) &&
		slices.Equal(p.Tactics, q.Tactics) && slices.Equal(p.Live, q.Live) && len(p.Symbols) == len(q.Symbols) &&
		len(w.Modules) == len(old.Modules) && len(w.IDs) == len(old.IDs) && len(w.Order) == len(old.Order) &&
		len(w.Cells) == len(old.Cells) && len(w.LastKeys) == len(old.LastKeys) && len(w.KeptKeys) == len(old.KeptKeys) && len(w.Groups) == len(old.Groups) &&
		len(w.Tests) == len(old.Tests) && len(w.Goals) == len(old.Goals) && len(w.Checks) == len(old.Checks) && len(w.Every) == len(old.Every) && len(w.Start) == len(old.Start)
}

// MayKnow says whether a module that is not in use could know a word beside what its base
// knows. A variant says little, so most words are seen not to be in its file.
func MayKnow(w *decl.World, module, word string) bool {
	f, _ := compile.Find(w, module, "")
	if f == nil || !f.Shipped || path.Dir(f.File) == module || strings.Contains(f.Src.Text, "include") {
		return true
	}
	return strings.EqualFold(module, word) || strings.Contains(strings.ToLower(f.Src.Text), strings.ToLower(word))
}
