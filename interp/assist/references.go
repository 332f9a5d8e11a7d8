package assist

import (
	"context"

	"setpiece/interp"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/lang"
)

// Reference is a name in a source with what it was resolved to. Declared is the place of
// the declaration, which is that of its Topic. Decisions, moments, spans, values of the last
// outcome, systems and variants are known by Kind and Name instead, and so are words for
// somebody in a command. Of the words that a field or an option can be all is said.
type Reference = decl.Reference

// References lists what the names in a source were resolved to, and in the files of those
// rules that it takes into use and the session has not. The session is unchanged.
func References(s *interp.Session, src *lang.Source) []Reference {
	core.Of(s).World.RefersAll = true
	defer func() { core.Of(s).World.RefersAll = false }()
	_, list, _ := CheckReferences(context.Background(), s, src)
	return list
}

// CheckReferences is CheckContext that also lists what the names in a source, and in the files
// beside it, were resolved to.
func CheckReferences(ctx context.Context, s *interp.Session, src *lang.Source) (lang.Diagnostics, []Reference, error) {
	list := make([]Reference, 0, len(src.Text)/8)
	core.Of(s).World.References = &list
	defer func() { core.Of(s).World.References = nil }()
	diags, err := s.CheckContext(ctx, src)
	return diags, list, err
}

// Meaning tells what a name can be resolved to from everything else. The files of a
// declaration may have been read twice; their names are the same.
type Meaning struct {
	Kind, Name string
	File       string
	Start      int32
}

// MeaningOf is what a name was resolved to.
func MeaningOf(r Reference) Meaning { return meaning(r.Kind, r.Name, r.Declared) }

// Meanings are what a name is resolved to where it shows a topic, the most telling first:
// a word for somebody is a rule as well, and can be called. What no script declares, such as
// a term of the program, has none.
func (t Topic) Meanings() []Meaning {
	switch t.Kind {
	case "word":
		return []Meaning{meaning(t.Kind, t.Name, t.At)}
	case "decision", "moment", "span", "value of the last outcome", "system", "variant":
		return []Meaning{meaning(t.Kind, t.Name, lang.Span{})}
	case "word for somebody":
		return []Meaning{meaning(t.Kind, t.Name, lang.Span{}), meaning("", "", t.At)}
	}
	if t.At.Src == nil {
		return nil
	}
	return []Meaning{meaning("", "", t.At)}
}

func meaning(kind, name string, at lang.Span) Meaning {
	m := Meaning{Kind: kind, Name: name, Start: at.Start}
	if at.Src != nil {
		m.File = at.Src.Name
	}
	return m
}
