package decl

import "setpiece/lang"

// Reference is a name in a source with what it was resolved to. Names are resolved while
// a source is compiled, and most of what was found out is not needed any more when it
// runs; a World notes it where References is set. So whoever looks for an example of a
// declaration gets the places that use it, and never those of a namesake.
//
// What has a declaration is known by the place of that, as a Topic is. A few things are
// known by their kind and name alone: decisions, moments, spans, values of the last outcome, and
// systems. A word for somebody is noted in both ways where a command has it.
type Reference struct {
	Kind, Name string    // "" where Declared says it; a word of a field or an option has all
	Declared   lang.Span // as in Topic.At
	At         lang.Span
}

// Refers notes that what stands at a place was resolved to a declaration.
func (w *World) Refers(at, declared lang.Span) {
	if w.References != nil && declared.Src != nil {
		*w.References = append(*w.References, Reference{Declared: declared, At: at})
	}
}

// RefersTo is refers for what is known by its kind and name.
func (w *World) RefersTo(kind, name string, at lang.Span) {
	if w.References != nil {
		*w.References = append(*w.References, Reference{Kind: kind, Name: name, At: at})
	}
}

// RefersToWord is refers for a word that a field or an option can be.
func (w *World) RefersToWord(name string, at, declared lang.Span) {
	if w.References != nil {
		*w.References = append(*w.References, Reference{Kind: "word", Name: name, Declared: declared, At: at})
	}
}

// RefersToSomebody notes a word for somebody in a command or above tactics.
func (w *World) RefersToSomebody(word string, r *Rule, at lang.Span) {
	w.RefersTo("word for somebody", word, at)
	w.Refers(at, r.At)
}

// RefersToField notes a field of a sheet. The records of clauses have fields, too, but
// those are clauses.
func (w *World) RefersToField(sh *Sheet, name string, at lang.Span) {
	if w.References == nil || sh == nil || sh.Record {
		return
	}
	if f := sh.ByName[name]; f != nil && f.Decl != nil {
		w.Refers(at, f.Decl.Span)
	}
}

// RefersToSymbol notes a word that is a value: the name of a special rule or of a sheet.
func (w *World) RefersToSymbol(name string, at lang.Span) {
	switch {
	case w.References == nil:
	case w.Features[name] != nil:
		w.Refers(at, w.Features[name].At)
	case w.Sheets[name] != nil && !w.Sheets[name].Record:
		w.Refers(at, w.Sheets[name].At)
	default:
		for _, set := range KeysOf(w.WordSets) {
			for _, v := range w.WordSets[set].Values {
				if IsWord(v, name) {
					w.Refers(at, v.Range())
					return
				}
			}
		}
	}
}

// RefersToOption notes an option that is given a value.
func (w *World) RefersToOption(o *Option, at lang.Span, v lang.Expr) {
	w.Refers(at, o.At)
	if word, ok := v.(*lang.Word); ok {
		w.RefersToWord(word.Name, word.Span, o.At)
	}
}
