package notes

import (
	"slices"
	"strings"

	"setpiece/lang"
)

// Front is the front matter of a note: YAML between two lines of ---. setpiece reads one
// key of it, which says what weave writes under every fence that plays something:
//
//	---
//	title: The drowned bell
//	setpiece: run seed=7 odds
//	---
//
// The rest is left to whatever program it is meant for.
type Front struct {
	Words []Word
	end   int // of the front matter, with the line end
}

// Has says whether the front matter has a word.
func (f *Front) Has(key string) bool {
	return slices.ContainsFunc(f.Words, func(w Word) bool { return w.Key == key })
}

func (p *reader) front() (f Front) {
	page := strings.TrimPrefix(p.note.Text, "\uFEFF")
	start := len(p.note.Text) - len(page)
	at := start
	for line := range strings.Lines(page) {
		at += len(line)
		switch bare := strings.TrimRight(line, " \t\r\n"); {
		case at-len(line) == start:
			if bare != "---" {
				return f
			}
		case bare == "---" || bare == "...":
			f.end = at
			p.yaml(&f, start)
			return f
		}
	}
	if blank := strings.Index(page, "\n\n"); blank >= 0 {
		at = start + blank
	}
	p.unread(start, at, "close it with  ---  on a line of its own", "the front matter has no end")
	return f
}

// unread warns of front matter that nobody can read where it has words for weave.
func (p *reader) unread(start, end int, help, message string) {
	at := start
	for line := range strings.Lines(p.note.Text[start:end]) {
		if strings.HasPrefix(line, language+":") {
			p.wrong(lang.Extent{Start: at, End: at + len(language)}, "SP0817", help, "%s, so weave does not read this", message)
			return
		}
		at += len(line)
	}
}

// lineStart is where a line begins, counted from 1.
func (n *Note) lineStart(line int) int {
	at := 0
	for range line - 1 {
		at += strings.IndexByte(n.Text[at:], '\n') + 1
	}
	return at
}
