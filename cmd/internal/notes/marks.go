package notes

import (
	"strings"

	"setpiece/lang"
)

// Results stand between two marks, comments that a reader of the page does not see:
//
//	<!-- setpiece odds 9be1d703 -->
//	…
//	<!-- /setpiece -->
//
// The number is a digest of what stands between the marks. So weave knows whether that is
// still what it wrote, and whether it is what it would write now. What the result was made
// of stands above, in the fence: rules that change, and change no result, do not touch a note.
// Before the number stand the systems that are neither built in nor beside the note: name@version and
// the hash of their rules when the result was made.
const (
	markOpens  = "<!-- " + language + " "
	markCloses = "<!-- /" + language + " -->"
)

// mark is one comment.
type mark struct {
	line  lang.Extent
	words []string // of the first mark: what it is, and the digest
}

// region is what stands between two marks, with them.
type region struct {
	lang.Extent
	what   string
	digest string      // of what weave wrote
	body   lang.Extent // what is between
	open   lang.Extent // the first mark
}

// pair finds the stretches between marks.
func (p *reader) pair() {
	var open *mark
	for i := range p.marks {
		m := &p.marks[i]
		switch {
		case open == nil && m.words == nil:
			p.wrong(p.bare(m.line), "SP0815", "delete this line", "no result begins above this mark")
		case open != nil && m.words != nil:
			p.wrong(p.bare(open.line), "SP0816", "delete this line, or put  "+markCloses+"  below the result", "this mark has no end")
			open = m
		case m.words != nil:
			open = m
		default:
			r := region{Extent: lang.Extent{Start: open.line.Start, End: m.line.End}, body: lang.Extent{Start: open.line.End, End: m.line.Start}, open: p.bare(open.line)}
			if n := len(open.words); n > 1 { // older marks have another number before the digest
				r.what, r.digest = open.words[0], open.words[n-1]
			}
			p.note.regions = append(p.note.regions, r)
			open = nil
		}
	}
	if open != nil {
		p.wrong(p.bare(open.line), "SP0816", "delete this line, or put  "+markCloses+"  below the result", "this mark has no end")
	}
}

// bare is a line without its line end and what stands before the mark.
func (p *reader) bare(line lang.Extent) lang.Extent {
	text := p.note.Text[line.Start:line.End]
	start := strings.Index(text, "<!--")
	return lang.Extent{Start: line.Start + max(start, 0), End: line.Start + len(strings.TrimRight(text, " \t\r\n"))}
}
