package interp

import (
	"slices"
	"strings"
	"unicode"

	"setpiece/lang"
)

// A mistake in the syntax of one statement does not hide the mistakes in meaning of the
// others. The parser leaves out what it cannot read, and the rest is compiled. What was
// left out may have declared something, so a mistake in meaning is reported only if no word
// that it underlines stands in the lines that could not be read.

// unread are the words of what the parser left out.
type unread map[string]bool

// unreadIn gives the words of the statements and lines of a source that could not be read.
// It is nil if so little can be read that what follows is not worth looking at: a bracket
// is not closed, or the system in use is not known.
func unreadIn(tree *lang.File, diags lang.Diagnostics) unread {
	u := unread{}
	add := func(text string) {
		for _, w := range wordsOf(text) {
			u[w] = true
		}
	}
	for _, d := range diags {
		if d.Incomplete || d.Src == nil {
			return nil
		}
		add(d.Src.Line(d.Src.Position(int(d.Start)).Line))
	}
	lang.Walk(tree, func(n lang.Node) bool {
		if b, ok := n.(*lang.Bad); ok {
			add(b.Src.Text[b.Start:b.End])
		}
		return true
	})
	for _, w := range []string{"use", "include", "system", "variant"} {
		if u[w] {
			return nil
		}
	}
	return u
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// without leaves out the mistakes that may only follow from what was not read.
func (u unread) without(diags lang.Diagnostics) lang.Diagnostics {
	return slices.DeleteFunc(diags, func(d *lang.Diagnostic) bool {
		if d.Src == nil {
			return true
		}
		return slices.ContainsFunc(wordsOf(d.Src.Text[d.Start:d.End]), func(w string) bool { return u[w] })
	})
}
