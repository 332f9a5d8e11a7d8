package interp

import (
	"regexp"
	"strings"

	"setpiece/lang"
)

// Rules refuse a command as a whole unless they say which clause they mean. Most of their
// messages begin with what is wrong, in the words of the command: "Fang is Defeated",
// "3 is not challenging". The underline covers that word then.

var nameOrNumber = regexp.MustCompile(`"[^"{]*"|\b[A-Z][A-Za-z0-9_]*|\b\d+\b|[a-z][a-z0-9_]*`)

// underline gives the place of the word of a command that a message is about. For "Fang has
// no trait BITE" that is BITE: having none is no fault of Fang's.
func underline(cmd lang.Span, message string) (lang.Span, bool) {
	text := cmd.Src.Text[cmd.Start:cmd.End]
	if i := strings.IndexAny(text, "{\n"); i >= 0 {
		text = text[:i]
	}
	var found lang.Span
	longest := 0
	has := false
	for _, at := range nameOrNumber.FindAllStringIndex(text, -1) {
		word := spoken(text[at[0]:at[1]])
		if word == "" {
			continue
		}
		place := lang.Span{Src: cmd.Src, Start: cmd.Start + int32(at[0]), End: cmd.Start + int32(at[1])}
		if rest, ok := strings.CutPrefix(message, word+" "); ok {
			if strings.HasPrefix(rest, "has ") && !strings.HasPrefix(rest, "has left") {
				has = true
				continue
			}
			if len(word) >= longest { // of several the last
				found, longest = place, len(word)
			}
		}
	}
	if has && longest == 0 {
		return had(cmd, text, strings.NewReplacer(":", " ", ",", " ").Replace(message)+" ")
	}
	return found, longest > 0
}

// had gives the place of the word that stands behind "has" in a message: NET in "Nova has
// no asset NET".
func had(cmd lang.Span, text, message string) (found lang.Span, ok bool) {
	for _, at := range nameOrNumber.FindAllStringIndex(text, -1) {
		if word := spoken(text[at[0]:at[1]]); word != "" && strings.Contains(message, " "+word+" ") {
			found, ok = lang.Span{Src: cmd.Src, Start: cmd.Start + int32(at[0]), End: cmd.Start + int32(at[1])}, true
		}
	}
	return found, ok
}

// spoken is how messages write a name or number of a command, "" for another word.
func spoken(word string) string {
	switch c := word[0]; {
	case c == '"':
		return strings.Trim(word, `"`)
	case c >= 'a':
		return ""
	case strings.ToUpper(word) == word:
		return word
	}
	return strings.ReplaceAll(word, "_", " ")
}
