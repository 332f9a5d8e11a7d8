package goals

import (
	"context"
	"strings"

	"setpiece/lang"
	"setpiece/lang/late"
)

// A text whose last line says  VALUE given CONDITION  asks for a conditional chance: of all that may happen, only what
// meets the condition counts, whichever of several values it stands behind. The condition is reported beside the values; what does not meet it is left out, and
// the rest is divided by its weight (Bayes).

// Condition is the column of the condition.
const Condition = "given"

var givenWord = late.Regexp(`\sgiven\s`)

// Conditional gives a text in which the condition is reported, with no where it has none.
func Conditional(ctx context.Context, src *lang.Source) (*lang.Source, bool) {
	text := strings.TrimRight(src.Text, " \t\r\n")
	at := givenWord().FindAllStringIndex(text, -1)
	if len(at) == 0 {
		return src, false
	}
	split := at[len(at)-1]
	if _, wrong := lang.Parse(src); len(wrong) == 0 || strings.Contains(text[split[1]:], "\n") {
		return src, false // it is a word of the script
	}
	condition, others, _ := strings.Cut(text[split[1]:], ";")
	if others != "" {
		others = ";" + others
	}
	changed := Reporting(ctx, nil, lang.NewSource(src.Name, text[:split[0]]+others))
	changed = changed.Given(len(changed.Text), "\nreport (", condition, ") as "+Condition+"\n", Condition)
	_, wrong := lang.Parse(changed)
	return changed, len(wrong) == 0
}
