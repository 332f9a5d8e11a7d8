package repl

import (
	"fmt"
	"strconv"
	"strings"

	"setpiece/interp"
	"setpiece/lang/late"
)

var fallenDie = late.Regexp(`^d\d+:(\d+)$`)

// shownDice tells dice that fell: their faces and, of several, the sum. What are no dice
// stay as they are.
func shownDice(value string) (faces, sum string) {
	list, isList := strings.CutPrefix(value, "[")
	list = strings.TrimSuffix(list, "]")
	var fell []string
	total := 0
	for _, d := range strings.Split(list, ", ") {
		m := fallenDie().FindStringSubmatch(d)
		if m == nil {
			return value, ""
		}
		n, _ := strconv.Atoi(m[1])
		total += n
		fell = append(fell, m[1])
	}
	if !isList {
		return fell[0], ""
	}
	return strings.Join(fell, ", "), fmt.Sprintf("sum %d", total)
}

// showValue is an event of a value as the prompt shows it.
func (l *Loop) showValue(e *interp.Event) *interp.Event {
	if l.cfg.View.JSON {
		return e
	}
	shown := *e
	shown.Value, shown.Text = shownDice(e.Value)
	if faces := l.evening.Session().Record().Besides().Faces(); l.rolling && len(faces) > 0 {
		words := make([]string, len(faces))
		for i, f := range faces {
			words[i] = strconv.Itoa(f)
		}
		if text := strings.Join(words, ", "); text != e.Value {
			shown.Text = text
		}
	}
	return &shown
}
