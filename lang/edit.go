package lang

import (
	"slices"
	"strings"
)

// Edit is a change of a source: New takes the place of the text at Span. From is what gave New,
// such as a flag: messages about it name that, and show New alone. With "" they show New as a
// part of the source.
type Edit struct {
	Span
	New  string
	From string
}

// put is a part of a source that an edit put in, with what messages show instead.
type put struct {
	start, end int32
	src        *Source
}

// Edited gives the source with edits made, which must not overlap; of several at one
// place the first comes first. The page of an excerpt is edited with it.
func (s *Source) Edited(edits ...Edit) *Source {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return int(a.Start - b.Start) })
	out := RestoreExcerpt(s.Name, edited(s.Text, edits), "")
	if s.page != "" {
		out = RestoreExcerpt(s.Name, edited(s.Text, edits), edited(s.page, edits))
	}
	out.put = s.shifted(edits)
	return out
}

// shifted gives the parts that were put in by earlier edits, where they are after these, and those
// of these.
func (s *Source) shifted(edits []Edit) []put {
	var out []put
	old, by := s.put, int32(0)
	upTo := func(at int32) {
		for ; len(old) > 0 && old[0].end <= at; old = old[1:] {
			out = append(out, put{old[0].start + by, old[0].end + by, old[0].src})
		}
	}
	for _, e := range edits {
		upTo(e.Start)
		for len(old) > 0 && old[0].start < e.End {
			old = old[1:]
		}
		if at := e.Start + by; e.From != "" {
			out = append(out, put{at, at + int32(len(e.New)), NewSource(e.From, e.New)})
		}
		by += int32(len(e.New)) - (e.End - e.Start)
	}
	upTo(int32(len(s.Text)))
	return out
}

// Shown gives the span as messages show it: in what an edit put in, where the span begins there,
// and that says From; see Edit.
func (s Span) Shown() Span {
	if s.Src == nil {
		return s
	}
	for _, p := range s.Src.put {
		if p.start <= s.Start && s.Start < p.end {
			return Span{p.src, s.Start - p.start, min(s.End, p.end) - p.start}
		}
	}
	return s
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
func (s *Source) Inserted(at int, text string) *Source { return s.Given(at, "", text, "", "") }

// Given gives the source with a text put in at a place that came from, say, a flag, and with what
// stands before it and behind it. See Edit.
func (s *Source) Given(at int, before, text, behind, from string) *Source {
	here := Span{s, int32(at), int32(at)}
	return s.Edited(Edit{Span: here, New: before}, Edit{Span: here, New: text, From: from}, Edit{Span: here, New: behind})
}
