package lsp

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"setpiece/cmd/internal/editor"
)

// position is a place as the protocol has it: line and UTF-16 unit, both from 0.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

// lines are where the lines of a text begin. A line ends with \n, \r\n or \r.
type lines struct {
	text   string
	starts []int
}

func linesOf(text string) *lines {
	l := &lines{text: text, starts: []int{0}}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// offset gives the byte of a position. What lies outside the text is taken as its nearest place.
func (l *lines) offset(p position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(l.starts) {
		return len(l.text)
	}
	at, end := l.starts[p.Line], len(l.text)
	if p.Line+1 < len(l.starts) {
		end = l.starts[p.Line+1]
	}
	line := strings.TrimRight(l.text[at:end], "\r\n")
	for i, r := range line {
		if p.Character <= 0 {
			return at + i
		}
		p.Character -= utf16.RuneLen(max(r, 0))
	}
	return at + len(line)
}

// position gives the position of a byte.
func (l *lines) position(off int) position {
	off = min(max(off, 0), len(l.text))
	lo, hi := 0, len(l.starts)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; l.starts[mid] <= off {
			lo = mid
		} else {
			hi = mid
		}
	}
	p := position{Line: lo}
	for i := l.starts[lo]; i < off; {
		r, size := utf8.DecodeRuneInString(l.text[i:])
		p.Character += utf16.RuneLen(r)
		i += size
	}
	return p
}

func (l *lines) span(p editor.Place) span {
	return span{l.position(p.Start), l.position(p.End)}
}
