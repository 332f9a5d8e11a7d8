package lang

import "slices"

// Edit is a change of a source: New takes the place of the text at Span.
type Edit struct {
	Span
	New string
}

// Edited gives the source with edits made, which must not overlap; of several at one
// place the first comes first.
func (s *Source) Edited(edits ...Edit) *Source {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return int(a.Start - b.Start) })
	text, from := "", int32(0)
	for _, e := range edits {
		text += s.Text[from:e.Start] + e.New
		from = e.End
	}
	return NewSource(s.Name, text+s.Text[from:])
}
