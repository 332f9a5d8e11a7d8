package interp

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"setpiece/lang"
)

// A mistake in the syntax of one statement does not hide the mistakes in meaning of the
// others. The parser leaves out what it cannot read, and the rest is compiled. What was
// left out may have declared something, so a mistake in meaning is reported only if no word
// that it underlines stands in the lines that could not be read.

// unread is what the parser left out: the words of it, and where a { begins that is never
// closed; what stands behind that may belong anywhere.
type unread struct {
	words map[string]bool
	open  lang.Span
}

// unreadIn gives what could not be read of a source. It is nil if so little can be read that
// what follows is not worth looking at: the system in use is not known.
func unreadIn(tree *lang.File, diags lang.Diagnostics) *unread {
	u := &unread{words: map[string]bool{}}
	add := func(text string) {
		if declaresNothing(text) {
			return
		}
		for _, w := range wordsOf(text) {
			u.words[w] = true
			u.words[strings.ToLower(w)] = true // as it should have been written
		}
	}
	for _, d := range diags {
		switch {
		case d.Src == nil:
			return nil
		case d.Incomplete && strings.HasPrefix(d.Src.Text[d.Start:], "{") && u.open.Src == nil:
			u.open = d.Span
			add(d.Src.Text[d.Start:])
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
		if u.words[w] {
			return nil
		}
	}
	return u
}

// declaresNothing says of a text that was not read that it is a command: it begins with a
// Capitalised name, and what declares something begins with a word or a trait.
func declaresNothing(text string) bool { return commandLike.MatchString(text) }

var commandLike = regexp.MustCompile(`^\s*(\p{Lu}\w*\p{Ll}|on\s+\p{Lu}{2})`)

// wordsOf gives the names in a text, without numbers and dice.
func wordsOf(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.DeleteFunc(words, func(w string) bool { return numberOrDice.MatchString(w) })
}

var numberOrDice = regexp.MustCompile(`^[0-9]*d?[0-9]+$`)

// without leaves out the mistakes that may only follow from what was not read.
func (u *unread) without(diags lang.Diagnostics) lang.Diagnostics {
	return slices.DeleteFunc(diags, func(d *lang.Diagnostic) bool {
		if d.Src == nil || d.Src == u.open.Src && d.Start >= u.open.Start {
			return true
		}
		return slices.ContainsFunc(wordsOf(d.Src.Text[d.Start:d.End]), func(w string) bool { return u.words[w] })
	})
}
