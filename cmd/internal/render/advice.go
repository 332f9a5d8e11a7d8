package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"setpiece/interp"
	"setpiece/interp/transcript"
)

// Advice shows what the options of a decision are worth: a row for each, a column for
// each goal that tells them apart. Where none does it says so.
func Advice(options []string, a *interp.Advice) []string {
	var apart []interp.Worth
	for _, w := range a.Goals {
		if !w.Same() || w.Apart() {
			apart = append(apart, w)
		}
	}
	if len(apart) == 0 {
		return []string{allSame(a)}
	}
	rows := make([][]string, len(options)+1)
	rows[0] = []string{""}
	for i, o := range options {
		rows[i+1] = []string{transcript.Visible(o)}
	}
	for _, w := range apart {
		rows[0] = append(rows[0], heading(&w, apart))
		for i := range options {
			rows[i+1] = append(rows[i+1], figure(&w, i))
		}
	}
	for i := range options {
		best := ""
		if i == a.Best && a.Apart() {
			best = "best"
			if apart[0].Doc == "" {
				best = "highest" // nobody says that it is wished for
			}
		}
		rows[i+1] = append(rows[i+1], best)
	}
	var b strings.Builder
	Table(&b, rows)
	lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	if said := legend(apart, a); said != "" {
		lines = append(lines, said)
	}
	return lines
}

// heading names a goal: an expression with the command behind which it holds, where it
// is worked out behind several.
func heading(w *interp.Worth, all []interp.Worth) string {
	n := 0
	for _, x := range all {
		if x.Goal == w.Goal {
			n++
		}
	}
	if n > 1 && w.After != "" {
		return w.Goal + " after " + w.After
	}
	return w.Goal
}

// figure shows what an option is worth, with how far that may be off.
func figure(w *interp.Worth, option int) string {
	x := w.Values[option]
	text, half := "", ""
	if w.Chance {
		text = Percent(x, x == 0 || x == 1)
		if !w.Exact() {
			text, half = strconv.FormatFloat(100*x, 'f', 1, 64)+" %", strconv.FormatFloat(100*w.Half[option], 'f', 1, 64)
		}
	} else {
		text = fmt.Sprintf("%+.2f", x)
		if !w.Exact() {
			half = strconv.FormatFloat(w.Half[option], 'f', 2, 64)
		}
	}
	if half != "" {
		text += " ±" + half
	}
	return text
}

// legend says what the goals mean, and how the figures came about.
func legend(goals []interp.Worth, a *interp.Advice) string {
	var said []string
	for _, w := range goals {
		if w.Doc != "" {
			said = append(said, w.Goal+": "+w.Doc)
		}
	}
	if slices.ContainsFunc(goals, func(w interp.Worth) bool { return !w.Exact() }) {
		said = append(said, fmt.Sprintf("± estimated from %s with each answer", countOf(a.Trials, "trial")))
	}
	if !a.Apart() {
		said = append(said, "too close to tell which is better")
	}
	return strings.Join(said, "; ")
}

func countOf(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}

// allSame says that nothing tells the options apart.
func allSame(a *interp.Advice) string {
	var names []string
	for _, w := range a.Goals {
		if !slices.Contains(names, w.Goal) {
			names = append(names, w.Goal)
		}
	}
	said := "every answer is worth the same for " + listed(names)
	if len(a.Goals) == 1 {
		said += ": " + figure(&a.Goals[0], 0)
	}
	if a.Trials > 0 {
		said += fmt.Sprintf(", as far as %s with each tell", countOf(a.Trials, "trial"))
	}
	return said
}

// listed writes words as one would say them.
func listed(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}
