package lang

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible replaces what would steer a terminal, or not be seen on it, by U+FFFD.
// A script comes from a stranger: its texts and names must neither clear the
// screen nor look other than they are. Newlines and tabs stay.
func Visible(s string) string {
	if plainASCII(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	before := rune(0)
	for i, r := range s {
		switch {
		case r == '\n' || r == '\t':
		case isJoiner(r):
			after, n := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
			if n == 0 || before < utf8.RuneSelf || after < utf8.RuneSelf {
				r = unicode.ReplacementChar
			}
		case isControl(r):
			r = unicode.ReplacementChar
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

func plainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7F {
			return false
		}
	}
	return true
}

// isJoiner says whether r joins the letters around it, which some scripts and
// emoji need; between other letters it is only there to deceive.
func isJoiner(r rune) bool { return r == '\u200C' || r == '\u200D' }

// isControl says whether r would do something to a terminal instead of showing:
// control characters, what turns the direction of text, what takes no room.
func isControl(r rune) bool {
	switch {
	case r < ' ' || 0x7F <= r && r < 0xA0:
		return true
	case r < 0xA0 || isJoiner(r):
		return false
	case 0x600 <= r && r <= 0x605 || r == 0x6DD || r == 0x70F || r == 0x8E2 || r == 0x110BD || r == 0x110CD:
		return false // signs before Arabic and other numbers; they are seen
	case r == 0x115F || r == 0x1160 || r == 0x3164 || r == 0xFFA0:
		return true // fillers: letters without a shape
	}
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}
