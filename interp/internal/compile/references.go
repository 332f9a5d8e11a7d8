package compile

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

// refers notes that what stands at a place was resolved to a declaration.
func (w *World) refers(at, declared lang.Span) {
	if w.References != nil && declared.Src != nil {
		*w.References = append(*w.References, Reference{Declared: declared, At: at})
	}
}

// refersTo is refers for what is known by its kind and name.
func (w *World) refersTo(kind, name string, at lang.Span) {
	if w.References != nil {
		*w.References = append(*w.References, Reference{Kind: kind, Name: name, At: at})
	}
}

// refersToWord is refers for a word that a field or an option can be.
func (w *World) refersToWord(name string, at, declared lang.Span) {
	if w.References != nil {
		*w.References = append(*w.References, Reference{Kind: "word", Name: name, Declared: declared, At: at})
	}
}

// refersToSomebody notes a word for somebody in a command or above tactics.
func (w *World) refersToSomebody(word string, r *rule, at lang.Span) {
	w.refersTo("word for somebody", word, at)
	w.refers(at, r.at)
}

// refersToField notes a field of a sheet. The records of clauses have fields, too, but
// those are clauses.
func (w *World) refersToField(sh *sheet, name string, at lang.Span) {
	if w.References == nil || sh == nil || sh.record {
		return
	}
	if f := sh.byName[name]; f != nil && f.decl != nil {
		w.refers(at, f.decl.Span)
	}
}

// refersToFieldOf notes the field of a node: of the instance that it is known to be, or
// else where only one declaration is possible.
func (f *fn) refersToFieldOf(x *node, name string, at lang.Span) {
	w := f.w
	if w.References == nil {
		return
	}
	if e := f.entityOf(x); e != nil {
		w.refersToField(e.sheet, name, at)
		return
	}
	var only *sheet
	for _, sh := range w.fieldOf[name] {
		fd := sh.byName[name]
		if sh.record || fd == nil || fd.decl == nil {
			continue
		}
		if only != nil && only.byName[name].decl.Span != fd.decl.Span {
			return
		}
		only = sh
	}
	w.refersToField(only, name, at)
}

// refersToFieldOfSelf notes the field of a sheet that a bare name is read from. Where the
// sheet is not known it is one of those that the name can be about.
func (f *fn) refersToFieldOfSelf(s *self, name string, at lang.Span) {
	switch {
	case f.w.References == nil:
	case s.sheet != nil:
		f.w.refersToField(s.sheet, name, at)
	case len(s.kinds) == 1:
		f.w.refersToField(s.kinds[0], name, at)
	default:
		f.refersToFieldOf(nothing(at), name, at)
	}
}

// refersToSymbol notes a word that is a value: the name of a special rule or of a sheet.
func (w *World) refersToSymbol(name string, at lang.Span) {
	switch {
	case w.References == nil:
	case w.features[name] != nil:
		w.refers(at, w.features[name].at)
	case w.sheets[name] != nil && !w.sheets[name].record:
		w.refers(at, w.sheets[name].at)
	}
}

// refersToOption notes an option that is given a value.
func (w *World) refersToOption(o *Option, at lang.Span, v lang.Expr) {
	w.refers(at, o.At)
	if word, ok := v.(*lang.Word); ok {
		w.refersToWord(word.Name, word.Span, o.At)
	}
}
