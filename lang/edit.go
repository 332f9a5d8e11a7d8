package lang

import (
	"slices"
	"strings"
)

// Edit is a change of a source: New takes the place of the text at Span.
type Edit struct {
	Span
	New string
}

// Edited gives the source with edits made, which must not overlap; of several at one
// place the first comes first. The page of an excerpt is edited with it.
func (s *Source) Edited(edits ...Edit) *Source {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return int(a.Start - b.Start) })
	if s.page == "" {
		return NewSource(s.Name, edited(s.Text, edits))
	}
	return RestoreExcerpt(s.Name, edited(s.Text, edits), edited(s.page, edits))
}

func edited(text string, edits []Edit) string {
	var b strings.Builder
	from := int32(0)
	for _, e := range edits {
		b.WriteString(text[from:e.Start] + e.New)
		from = e.End
	}
	return b.String() + text[from:]
}

// Inserted gives the source with a text put in at a place.
func (s *Source) Inserted(at int, text string) *Source {
	return s.Edited(Edit{Span{s, int32(at), int32(at)}, text})
}
