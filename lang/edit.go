package lang

import (
	"slices"
	"strings"
)

// Edit is a change of a source: New takes the place of the text at Span. From is what gave New,
// such as a flag: messages about it name that, and show New alone. With "" they show New as a
// part of the source. New that stands elsewhere already, at Of, is shown there.
type Edit struct {
	Span
	New  string
	From string
	Of   Span
}

// put is a part of a source that an edit put in, with what messages show instead: for each place in it that
// of a source from at on. What is before lead is shown as what stands there.
type put struct {
	start, lead, end int32
	src              *Source
	at               int32
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
			p := old[0]
			out = append(out, put{p.start + by, p.lead + by, p.end + by, p.src, p.at})
		}
	}
	for _, e := range edits {
		upTo(e.Start)
		for len(old) > 0 && old[0].start < e.End {
			old = old[1:]
		}
		at := e.Start + by
		switch {
		case e.From != "":
			out = append(out, put{at, at, at + int32(len(e.New)), NewSource(e.From, e.New), 0})
		case e.Of.Src != nil:
			out = append(out, put{at, at, at + int32(len(e.New)), e.Of.Src, e.Of.Start})
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
		if p.start <= s.Start && (s.Start < p.end || s.Start == p.end && int(s.Start) == len(s.Src.Text)) {
			start, end := max(s.Start, p.lead), max(min(s.End, p.end), p.lead)
			return Span{p.src, start - p.lead + p.at, end - p.lead + p.at}.Shown()
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

// Unseen is Edited with edits that nobody is to see: messages about what stood there before show the source
// as it was.
func (s *Source) Unseen(edits ...Edit) *Source {
	out := s.Edited(edits...)
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return int(a.Start - b.Start) })
	start, lead, from := int32(0), int32(0), int32(0)
	for _, e := range append(edits, Edit{Span: Span{Start: int32(len(s.Text))}}) {
		end := lead + e.Start - from
		out.put = append(out.put, put{start, lead, end, s, from})
		start, lead, from = end, end+int32(len(e.New)), e.End
	}
	return out
}

// Given gives the source with a text put in at a place that came from, say, a flag, and with what
// stands before it and behind it. See Edit.
func (s *Source) Given(at int, before, text, behind, from string) *Source {
	here := Span{s, int32(at), int32(at)}
	return s.Edited(Edit{Span: here, New: before}, Edit{Span: here, New: text, From: from}, Edit{Span: here, New: behind})
}
