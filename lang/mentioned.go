package lang

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// Mentioned finds what a message about a command speaks of, so that the carets can stand
// under it: of the names, traits and texts that are written in the command, the one that comes
// first in the message. "Fang has no trait BITE" is about BITE: having none is no fault of
// Fang's. Whoever acts and a number count only where the message begins with them. The block
// of a command is left aside.
func Mentioned(command Span, message string) (at Span, ok bool) {
	message = strings.ReplaceAll(message, "_", " ")
	list := scan(command.Src.Text, int(command.Start), int(command.End), false, nil, nil).list
	first, acts := -1, false
	for i := range list {
		t := &list[i]
		switch {
		case is(t, ":") && !acts: // what stands before it acts
			acts = true
			if first > 0 {
				ok, first = false, -1
			}
		case is(t, "{"), t.Type == kindEOL, t.Type == kindEOF:
			return at, ok
		}
		if k := mention(message, t); k >= 0 && (!ok || k <= first) {
			first, ok = k, true
			at = Span{Src: command.Src, Start: int32(t.Pos.Offset), End: int32(tokEnd(t))}
		}
	}
	return at, ok
}

// mention gives where a message has the name or number that a token writes, as words of
// their own; -1 if it does not.
func mention(message string, t *lexer.Token) int {
	var name string
	switch t.Type {
	case kindName, kindCaps:
		name = strings.ReplaceAll(t.Value, "_", " ")
	case kindText:
		name = strings.Trim(t.Value, `"`)
	case kindNum:
		if strings.HasPrefix(message, t.Value+" ") {
			return 0
		}
	}
	if name == "" || name == message {
		return -1 // a text that is all of the message is the message
	}
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for from := 0; ; {
		k := strings.Index(message[from:], name)
		if k < 0 {
			return -1
		}
		k += from
		before, _ := utf8.DecodeLastRuneInString(message[:k])
		rest := message[k+len(name):]
		behind, _ := utf8.DecodeRuneInString(rest)
		has := strings.HasPrefix(rest, " has ") && !strings.HasPrefix(rest, " has left")
		if !inWord(before) && !inWord(behind) && !has {
			return k
		}
		from = k + len(name)
	}
}
