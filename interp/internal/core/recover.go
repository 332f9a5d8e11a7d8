package core

import (
	"slices"
	"strings"
	"unicode"

	"setpiece/lang"
	"setpiece/lang/late"
)

// A mistake in the syntax of one statement does not hide the mistakes in meaning of the
// others. The parser leaves out what it cannot read, and the rest is compiled. What was
// left out may have declared something, so a mistake in meaning is reported only if no word
// that it underlines stands in the lines that could not be read.

// unread is what the parser left out: the words of it, and the stretches from a { that is never
// closed to where it is taken to end; what stands there may belong anywhere.
type unread struct {
	words map[string]bool
	open  []lang.Span
	base  bool // it says what the rest stands on
}

// unreadIn gives what could not be read of a source. It is nil if so little can be read that
// what follows is not worth looking at: the system in use is not known.
func unreadIn(tree *lang.File, diags lang.Diagnostics) *unread {
	u := &unread{words: map[string]bool{}}
	add := func(text string) {
		if declaresNothing(text) {
			return
		}
		u.base = u.base || basis().MatchString(text)
		for _, w := range wordsOf(text) {
			u.words[w] = true
			u.words[strings.ToLower(w)] = true // as it should have been written
		}
	}
	for _, d := range diags {
		switch {
		case d.Src == nil:
			return nil
		case d.Incomplete && strings.HasPrefix(d.Src.Text[d.Start:], "{"):
			end := int32(len(d.Src.Text))
			if d.Resumes > 0 {
				end = d.Resumes
			}
			u.open = append(u.open, lang.Span{Src: d.Src, Start: d.Start, End: end})
			add(d.Src.Text[d.Start:end])
		}
		add(d.Src.Line(d.Src.Position(int(d.Start)).Line))
	}
	lang.Walk(tree, func(n lang.Node) bool {
		if b, ok := n.(*lang.Bad); ok {
			add(b.Src.Text[b.Start:b.End])
		}
		return true
	})
	if u.base {
		return nil
	}
	return u
}

// basis is a line that says what the rest of a text stands on.
var basis = late.Regexp(`(?m)^\s*(use|include|system|variant)\b`)

// declaresNothing says of a text that was not read that it is a command: it begins with a
// Capitalised name, and what declares something begins with a word or a trait.
func declaresNothing(text string) bool { return commandLike().MatchString(text) }

var commandLike = late.Regexp(`^\s*(\p{Lu}\w*\p{Ll}|on\s+\p{Lu}{2})`)

// wordsOf gives the names in a text, without numbers and dice.
func wordsOf(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.DeleteFunc(words, func(w string) bool { return numberOrDice().MatchString(w) })
}

var numberOrDice = late.Regexp(`^[0-9]*d?[0-9]+$`)

// ReadPast gives the mistakes in the syntax of a file of rules with those in the meaning of what
// could be read, which check finds.
func ReadPast(tree *lang.File, diags lang.Diagnostics, check func() lang.Diagnostics) lang.Diagnostics {
	if !Failed(diags) {
		return check()
	}
	u := unreadIn(tree, diags)
	if u == nil {
		return diags
	}
	known := func(d *lang.Diagnostic) bool {
		return slices.ContainsFunc(diags, func(k *lang.Diagnostic) bool { return k.Start == d.Start && k.Src == d.Src })
	}
	more := slices.DeleteFunc(u.without(check()), known)
	diags = append(diags, more...)
	SortDiagnostics(diags, tree.Src)
	return diags
}

// without leaves out the mistakes that may only follow from what was not read.
func (u *unread) without(diags lang.Diagnostics) lang.Diagnostics {
	return slices.DeleteFunc(diags, func(d *lang.Diagnostic) bool {
		open := func(at lang.Span) bool { return d.Src == at.Src && at.Start <= d.Start && d.Start < at.End }
		if d.Src == nil || slices.ContainsFunc(u.open, open) {
			return true
		}
		return slices.ContainsFunc(wordsOf(d.Src.Text[d.Start:d.End]), func(w string) bool { return u.words[w] })
	})
}
