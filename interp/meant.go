package interp

import (
	"slices"
	"strings"
	"unicode"

	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// A person may say what they do as they would say it at a table: "I hit the guy with my sword". No
// grammar is guessed at. Of the commands that could be given (language/moves.go) the one is meant
// that has most of the words in it; where the words leave something open it is what would be done
// unasked.

// meantTries is how many commands are tried for whether the rules allow them.
const meantTries = 40

// reading is a command that a sentence may mean, with how much speaks for it.
type reading struct {
	text string
	fits int
}

// sentence gives the command that a sentence means, "" where no word of it says so, and the verbs that
// whoever has the turn can use.
func (s *Session) sentence(said, usual string, who value.V) (command string, verbs []string) {
	words, unasked := wordsIn(said), wordsIn(usual)
	var list []reading
	s.run.Aside(func(m *machine.Machine) {
		for _, mv := range language.Moves(s.run.World, m, who.Off(), usual) {
			verbs = append(verbs, mv.Verb)
			list = append(list, readings(mv, words, unasked)...)
		}
	})
	slices.SortStableFunc(list, func(a, b reading) int { return b.fits - a.fits })
	for _, r := range list[:min(len(list), meantTries)] {
		if s.try(r.text, who) == nil {
			return r.text, verbs
		}
	}
	return "", verbs
}

// readings are the commands of a verb that some of the words are in. A word counts for more than that
// something would be done unasked, the verb for more than what it takes.
func readings(mv *language.Move, words, unasked []string) (list []reading) {
	verb := 100 * fits(mv.Verb, words)
	if len(unasked) > 0 && unasked[0] == mv.Verb {
		verb += 20
	}
	tools := append([]language.Choice{{}}, mv.Tools...)
	for _, p := range mv.Pools {
		if parts := slices.DeleteFunc(slices.Clone(p.Parts), func(part string) bool { return fits(part, words) == 0 }); len(parts) > 0 {
			tools = append(tools, p.Of(parts))
		}
	}
	for _, h := range mv.Heads {
		for _, tool := range tools {
			said := verb + 10*fits(h.Operands+" "+h.Target+" "+tool.Text, words)
			if said <= 20 {
				continue // no word says it
			}
			text := mv.Command(h, tool)
			list = append(list, reading{text, said + min(9, fits(text, unasked))})
		}
	}
	return list
}

// fits counts the words of a text that are among some.
func fits(text string, words []string) (n int) {
	for _, w := range wordsIn(text) {
		if slices.ContainsFunc(words, func(said string) bool { return sameWord(w, said) }) {
			n++
		}
	}
	return n
}

// sameWord says whether somebody who says one word may mean the other: attacks, attack; sword, swrod.
func sameWord(a, b string) bool {
	if a == b || a+"s" == b || a == b+"s" {
		return true
	}
	if min(len(a), len(b)) < 4 {
		return false
	}
	if strings.HasPrefix(a, b) || strings.HasPrefix(b, a) {
		return true
	}
	near, ok := lang.Nearest(b, []string{a})
	return ok && near == a
}

// wordsIn gives the words of a text in lower case: SLING_SHOT is two.
func wordsIn(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
