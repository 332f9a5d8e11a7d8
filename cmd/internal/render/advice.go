package render

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"setpiece/cmd/internal/style"
	"setpiece/interp/advice"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// Advice shows what the options of a decision are worth: a row for each, a column for
// each goal that tells them apart. Where none does it says so.
//
// Before a command the options are the commands that were found, the best first, with
// the goal that they are sorted by, and then those that tell them apart.
//
// Where the rows are wider than width, which is 0 for no limit, the figures stay and the
// options are broken between words.
func Advice(options []string, a *advice.Advice, width int) []string {
	if options == nil {
		return commands(a, width)
	}
	apart := telling(a.Goals)
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
			if refusedOption(a, i) != "" && math.IsNaN(w.Values[i]) {
				rows[i+1] = append(rows[i+1], "refused")
			} else {
				rows[i+1] = append(rows[i+1], figure(&w, i))
			}
		}
	}
	for i := range options {
		said := praise(a, decisive(a, apart), i)
		if why := refusedOption(a, i); why != "" {
			said = transcript.Visible(why)
		}
		rows[i+1] = append(rows[i+1], said)
	}
	lines := figures(rows, width)
	if said := legend(apart, a); said != "" {
		lines = append(lines, said)
	}
	return lines
}

// refusedOption says why the rules refuse an option, "" where they do not.
func refusedOption(a *advice.Advice, option int) string {
	if option >= len(a.Refused) {
		return ""
	}
	return a.Refused[option]
}

// praise says of an option whether it is the best, alone or with others.
func praise(a *advice.Advice, first advice.Worth, option int) string {
	said := "best"
	if first.Doc == "" {
		said = "highest" // nobody says that it is wished for
	}
	if a.For != "" {
		said += " for " + transcript.Visible(a.For)
	}
	switch {
	case a.By == "" || !slices.Contains(a.Equal, option):
		return ""
	case len(a.Equal) > 1 && first.Exact():
		return said + ", equally"
	case len(a.Equal) > 1:
		return closeCall
	}
	return said
}

// closeCall is said where trials do not show which is better.
const closeCall = "too close to tell"

// decisive gives the goal that says which option is best.
func decisive(a *advice.Advice, goals []advice.Worth) advice.Worth {
	if i := slices.IndexFunc(goals, func(w advice.Worth) bool { return w.Goal == a.By }); i >= 0 {
		return goals[i]
	}
	return goals[0]
}

// byWhat says by which goal an option is called the best, where that is not plain: a fight
// counts more than the roll in hand, unless it hardly differs.
func byWhat(a *advice.Advice) string {
	last := a.Goals[len(a.Goals)-1]
	switch i := slices.IndexFunc(a.Goals, func(w advice.Worth) bool { return w.Goal == a.By }); {
	case i < 0 || a.Commands != nil:
		return ""
	case a.By != last.Goal && a.Goals[i].After != last.After:
		return fmt.Sprintf("%s hardly differs, so best goes by %s", last.Goal, a.By)
	case slices.ContainsFunc(a.Goals[:i], func(w advice.Worth) bool { return !w.Top[a.Best] }):
		return "best goes by " + a.By
	}
	return ""
}

// telling gives the goals that tell options apart.
func telling(goals []advice.Worth) []advice.Worth {
	return slices.DeleteFunc(slices.Clone(goals), func(w advice.Worth) bool { return w.Same() && !w.Differ() })
}

// commands shows the commands that are worth most.
func commands(a *advice.Advice, width int) []string {
	if len(a.Commands) == 0 {
		return []string{fmt.Sprintf("setpiece has tried %s so far and cannot say yet what they are worth; type  ?  again and wait, or  help", transcript.Count(a.Tried, "command"))}
	}
	goals := telling(a.Goals)
	if last := a.Goals[len(a.Goals)-1]; len(goals) == 0 || last.Same() && last.Values[0] != 0 {
		goals = append(goals, last) // they are put in order by it
	}
	last := goals[len(goals)-1]
	goals = append([]advice.Worth{last}, goals[:len(goals)-1]...)
	rows := make([][]string, len(a.Commands)+1)
	rows[0] = []string{""}
	for _, w := range goals {
		rows[0] = append(rows[0], heading(&w, goals))
	}
	for i, c := range a.Commands {
		rows[i+1] = []string{transcript.Visible(c)}
		for _, w := range goals {
			rows[i+1] = append(rows[i+1], figure(&w, i))
		}
		switch {
		case !last.Top[i] || len(a.Commands) == 1:
		case count(last.Top) == 1:
			rows[i+1] = append(rows[i+1], "best")
		case !last.Exact() && last.Differ():
			rows[i+1] = append(rows[i+1], closeCall)
		}
	}
	lines := figures(rows, width)
	said := []string{fmt.Sprintf("the best of %s that were tried", transcript.Count(a.Tried, "command"))}
	switch {
	case a.Found > 0:
		said[0] = fmt.Sprintf("tried %d of %s", a.Tried, transcript.Count(a.Found, "command"))
	case a.Tried == 1:
		said[0] = "the only command that the rules allow"
	}
	if count(last.Top) > 1 && !last.Exact() {
		said = append(said, fmt.Sprintf("too close to tell which of %d is better for %s", count(last.Top), last.Goal))
	}
	if more := legend(goals, a); more != "" {
		said = append(said, more)
	}
	return append(lines, strings.Join(said, "; "))
}

// leastText is how narrow the options get beside their figures before they stand above them.
const leastText = 20

// figures writes a table of options, or commands, and their figures.
func figures(rows [][]string, width int) []string {
	text, beside := 0, make([]int, 0, 4)
	for _, r := range rows {
		text = max(text, cells(r[0]))
		for i, c := range r[1:] {
			if i == len(beside) {
				beside = append(beside, 0)
			}
			beside[i] = max(beside[i], cells(c)+3)
		}
	}
	wide := 0
	for _, n := range beside {
		wide += n
	}
	if width == 0 || text+wide <= width {
		return table(rows)
	}
	room, above := width-wide, false
	if room < leastText {
		room, above = width, true
	}
	var narrow [][]string
	for _, r := range rows {
		if above {
			narrow = append(narrow, append([]string{""}, r[1:min(len(r), len(rows[0]))]...))
			continue
		}
		lines := strings.Split(style.Wrap(r[0], room), "\n")
		narrow = append(narrow, append([]string{lines[0]}, r[1:]...))
		for _, more := range lines[1:] {
			narrow = append(narrow, []string{more, ""})
		}
	}
	if !above {
		return table(narrow)
	}
	var out []string
	for i, line := range table(narrow) {
		if text := rows[i][0]; text != "" {
			if said := strings.Join(rows[i][min(len(rows[i]), len(rows[0])):], ""); said != "" {
				text += "   " + said
			}
			out = append(out, strings.Split(style.Wrap(text, room), "\n")...)
		}
		out = append(out, line)
	}
	return out
}

// table gives the lines of Table.
func table(rows [][]string) []string {
	var b strings.Builder
	Table(&b, rows)
	return strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
}

func count(list []bool) int {
	n := 0
	for _, x := range list {
		if x {
			n++
		}
	}
	return n
}

// heading names a goal: an expression with the command behind which it holds, where it
// is worked out behind several.
func heading(w *advice.Worth, all []advice.Worth) string {
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
func figure(w *advice.Worth, option int) string {
	x := w.Values[option]
	if math.IsNaN(x) {
		return "-"
	}
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
func legend(goals []advice.Worth, a *advice.Advice) string {
	var said []string
	what := "answer"
	if a.Commands != nil {
		what = "command"
	}
	for _, w := range goals {
		if w.Doc != "" {
			said = append(said, w.Goal+": "+w.Doc)
		}
	}
	if a.For != "" && len(said) > 0 {
		said[0] = "as " + transcript.Visible(a.For) + " sees it: " + said[0]
	}
	if by := byWhat(a); by != "" {
		said = append(said, by)
	}
	if slices.ContainsFunc(goals, func(w advice.Worth) bool { return !w.Exact() }) {
		said = append(said, fmt.Sprintf("± estimated from %s with each %s, later decisions as usual", transcript.Count(a.Trials, "trial"), what))
	}
	if !a.Differ() && a.Commands == nil && a.Refused == nil {
		said = append(said, "too close to tell which is better")
	}
	return strings.Join(said, "; ")
}

// allSame says that nothing tells the options apart.
func allSame(a *advice.Advice) string {
	var names []string
	for _, w := range a.Goals {
		if !slices.Contains(names, w.Goal) {
			names = append(names, w.Goal)
		}
	}
	said := "every answer is worth the same for " + lang.AllOf(names)
	if a.For != "" {
		said = "as " + transcript.Visible(a.For) + " sees it, " + said
	}
	if len(a.Goals) == 1 {
		said += ": " + figure(&a.Goals[0], 0)
	}
	if a.Trials > 0 {
		said += fmt.Sprintf(" (setpiece tried each %s)", transcript.Count(a.Trials, "time"))
	}
	for _, w := range a.Goals {
		if doc := w.Goal + ": " + w.Doc; w.Doc != "" && !strings.Contains(said, doc) {
			said += "; " + doc
		}
	}
	return said
}
