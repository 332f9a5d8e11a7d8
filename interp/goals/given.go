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
	all := givenWord().FindAllStringIndex(text, -1)
	if len(all) == 0 {
		return src, false
	}
	split := all[len(all)-1]
	if _, wrong := lang.Parse(src); len(wrong) == 0 || strings.Contains(text[split[1]:], "\n") {
		return src, false // it is a word of the script
	}
	condition, _, _ := strings.Cut(text[split[1]:], ";")
	span := func(start, end int) lang.Span { return lang.Span{Src: src, Start: int32(start), End: int32(end)} }
	at := span(split[1], split[1]+len(condition))
	values := src.Unseen(lang.Edit{Span: span(split[0], int(at.End))})
	if _, wrong := lang.Parse(values); len(wrong) > 0 {
		return src, false
	}
	open, shut := "(", ")"
	if _, wrong := lang.ParseExpr(lang.NewSource("", condition)); len(wrong) > 0 {
		open, shut = "", "" // the mistake is told, and no bracket that nobody has typed
	}
	changed := Reporting(ctx, nil, values)
	end := lang.Span{Src: changed, Start: int32(len(changed.Text)), End: int32(len(changed.Text))}
	return changed.Edited(lang.Edit{Span: end, New: "\nreport " + open}, lang.Edit{Span: end, New: condition, Of: at}, lang.Edit{Span: end, New: shut + " as " + Condition + "\n"}), true
}
