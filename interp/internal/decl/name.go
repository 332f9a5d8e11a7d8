package decl

import "strings"

// Word is something that may be typed next.
type Word struct{ Text, Doc, Kind string }

// Names lists the names that can be typed, with what they are.
func (w *World) Names() []Word {
	var out []Word
	for _, n := range KeysOf(w.Entities) {
		out = append(out, Word{QuoteName(n), w.Entities[n].Sheet.Name, "character"})
	}
	for _, n := range KeysOf(w.Groups) {
		out = append(out, Word{strings.ReplaceAll(n, " ", "_"), "group", "character"})
	}
	return out
}

// Offered says whether a rule is one to ask at the prompt: a value with a doc
// string. The others are steps of the rules, of no use alone.
func Offered(r *Rule) bool { return r.Asks && r.Doc != "" && !strings.HasPrefix(r.Name, "pick_") }
