package decl

import (
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// InstanceNames gives the names of instances as a script writes them.
func (w *World) InstanceNames() []string {
	var names []string
	for _, n := range append(KeysOf(w.Entities), KeysOf(w.Groups)...) {
		names = append(names, strings.ReplaceAll(n, " ", "_"))
	}
	return names
}

// Options gives all options, by name.
func (w *World) Options() []*Option {
	var out []*Option
	for _, n := range w.OptionNames() {
		out = append(out, w.OptionNamed[n])
	}
	slices.SortFunc(out, func(a, b *Option) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Root is the instance that e is a part of, or e itself.
func (e *Entity) Root() *Entity {
	for e.Owner != nil {
		e = e.Owner
	}
	return e
}

// Path names an instance as a script does: what it belongs to, and its name.
func (e *Entity) Path() string {
	if e.Owner == nil {
		return e.Name
	}
	return e.Owner.Path() + "." + e.Name
}

// Entity is a declared instance of a sheet: a character, a trait, a feature.
type Entity struct {
	Name  string // as shown
	Sheet *Sheet
	Off   int
	Owner *Entity
	Parts []*Entity
	At    lang.Span
	Adhoc bool // made on the fly for the stand-in
	Late  bool // on the sheet of its owner from a line on that sets it

	// Of what a command makes for itself: how it is written, and what sets its values.
	Words string
	Init  *ir.Node

	Script bool // declared by a script
}

// Entry is what the sheets of a script say: that there is an instance, so many times, or what one has.
// Without values it is an instance, with a field that of its owner which holds it. Values without
// a field are features.
type Entry struct {
	Who    *Entity
	Field  *Field
	Values []lang.Expr
	Copies int           // of a group
	By     *lang.Command // that makes the instance
}

// Enters notes an entry where somebody wants to know them.
func (w *World) Enters(e Entry) {
	if w.Entries != nil && e.Who.Root().Script {
		*w.Entries = append(*w.Entries, e)
	}
}

// Ref gives the value that stands for an instance.
func (e *Entity) Ref() ir.V { return value.OfRef(e.Off) }

// Part finds a part of e by name: its own, or else one of its parts' when
// there is just one of that name.
func (e *Entity) Part(name string) *Entity {
	for _, p := range e.Parts {
		if code.SameName(p.Name, name) {
			return p
		}
	}
	var found *Entity
	for _, p := range e.Parts {
		for _, q := range p.Parts {
			if code.SameName(q.Name, name) {
				if found != nil {
					return nil
				}
				found = q
			}
		}
	}
	return found
}

// Display gives a name as people read it.
func Display(name string) string { return strings.ReplaceAll(name, "_", " ") }

// CapsField gives the field that takes whatever is written in capitals, nil if there is none.
func (s *Sheet) CapsField() *Field {
	for _, f := range s.Fields {
		if f.As == "CAPS" {
			return f
		}
	}
	return nil
}

// AsField gives the field that takes what is written as something, nil if there is none.
func (s *Sheet) AsField(word string) *Field {
	for _, f := range s.Fields {
		if f.As == word {
			return f
		}
	}
	return nil
}

// Misfit says why a constant does not fit a field, "" when it does.
func (w *World) Misfit(sh *Sheet, fd *Field, v ir.V) string {
	mf := w.TypeField(sh, fd)
	if mf.Check == code.IsSheet {
		if s := w.Sheets[fd.Sheet]; s != nil {
			mf.Type = s.Typ
		}
	}
	m := machine.Machine{Prog: w.Prog, Heap: w.Heap, Store: *w.Store, MaxSize: 1 << 20}
	return m.Misfit(&mf, v)
}

// EntryWords lists what may be said of a sheet.
func (s *Sheet) EntryWords() string {
	var words []string
	for _, f := range s.Fields {
		switch {
		case f.As == "CAPS":
			words = append(words, "TRAITS")
		case f.As != "":
			words = append(words, f.As)
		default:
			words = append(words, f.Name)
		}
	}
	if len(words) > 12 {
		words = append(words[:12], "…")
	}
	return strings.Join(words, ", ")
}

// IsEntry says whether some sheet has parts under that word, as in  solo d10.
func (w *World) IsEntry(word string) bool {
	for _, sh := range w.Sheets {
		if sh.AsField(word) != nil {
			return true
		}
	}
	return false
}

// EntryWords lists the words under which sheets have parts.
func (w *World) EntryWords() []string {
	var words []string
	for _, sh := range w.Sheets {
		for _, f := range sh.Fields {
			if f.As != "" && f.As != "CAPS" && f.As != "hidden" {
				words = append(words, f.As)
			}
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}
