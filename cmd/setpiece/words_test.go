package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// unusual are words that users should not have to meet, each with what to write
// instead: a thing has one word everywhere, and the usual word wins.
var unusual = []struct{ word, instead string }{
	{`rulings?`, "option"},
	{`laws?`, "odds"},
	{`slots?`, "operand"},
	{`residue`, "remainder"},
	{`modules?`, "system, variant"},
	{`told`, "says, prints, describe"},
	{`unasked`, "if nobody is asked"},
	{`as wished`, "as you like, if wanted"},
	{`stands? in`, "replaces; is in"},
	{`com(e|es|ing) to`, "gives, is"},
	{`behind`, "after; of"},
	{`beforehand`, "in advance"},
	{`(given|answers?|answered) ahead`, "in advance"},
	{`work(s|ed)? out`, "calculates"},
	{`(was|were) met`, "possible"},
	{`taken up`, "continued"},
	{`blanks?`, "space"},
	{`fell`, "thrown dice, what the dice show"},
	{`in force`, "applies"},
	{`looked at`, "checked, compared"},
	{`as ever`, "as usual"},
	{`afresh|anew`, "again"},
	{`whosoever|whomsoever|thereof|hereby|thus`, "a plain word"},
}

// allowed are the texts in which such a word means something else, with the word
// and the reason.
var allowed = []struct{ word, text, reason string }{
	{`slots?`, "lots", "the book's word for the places of a Versatile Trait"},
	{`slots?`, "free slot", "the book's word for the places of a Versatile Trait"},
	{`slots?`, "these slots were not used", "the book's word for the places of a Versatile Trait"},
	{`unasked`, "offer … unasked", "a word of the language"},
	{`unasked`, "default no unasked", "a word of the language"},
	{`unasked`, "`unasked`", "a word of the language"},
	{`behind`, "hide behind", "a place"},
	{`modules?`, "module setpiece", "how go.mod begins"},
}

// No message, help text or guide says what these words say.
func TestPlainWords(t *testing.T) {
	texts := messages(t)
	for _, name := range append(slices.Clone(pages), "cmd/PROMISES.md") {
		texts[name] = prose(read(t, name))
	}
	// What stands in braces is computed: its words are names of the script.
	computed := regexp.MustCompile(`\{[^{}]*\}`)
	for _, u := range unusual {
		word := regexp.MustCompile(`(?i)\b(` + u.word + `)\b`)
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			for line := range strings.Lines(texts[name]) {
				said := computed.ReplaceAllString(line, "")
				if strings.HasPrefix(line, "# ") && strings.HasSuffix(name, ".txt") || !word.MatchString(said) {
					continue
				}
				if slices.ContainsFunc(allowed, func(a struct{ word, text, reason string }) bool {
					return a.word == u.word && strings.Contains(said, a.text)
				}) {
					continue
				}
				t.Errorf("%s: %q: write %s\n\t%s", name, word.FindString(said), u.instead, strings.TrimSpace(line))
			}
		}
	}
}

// Every exception is needed.
func TestAllowedWords(t *testing.T) {
	all := ""
	for _, text := range messages(t) {
		all += text
	}
	for _, name := range pages {
		all += read(t, name)
	}
	for _, a := range allowed {
		if !strings.Contains(all, a.text) {
			t.Errorf("nothing says %q any more (%s)", a.text, a.reason)
		}
	}
}

// prose is a page without its blocks.
func prose(page string) string {
	var b strings.Builder
	block := false
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "```") {
			block = !block
		} else if !block {
			b.WriteString(line)
		}
	}
	return b.String()
}
