// Package render shows what is asked about a session: rules, options, the state,
// and what was wrong with a script. The command line and the prompt share it.
package render

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"

	"setpiece/cmd/internal/style"
	"setpiece/interp/assist"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// Table writes rows in columns. The last column is as wide as it is; empty
// cells at the end of a row leave no blanks behind.
func Table(w io.Writer, rows [][]string) {
	var widths []int
	for _, r := range rows {
		for i, c := range r[:max(len(r)-1, 0)] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], cells(c))
		}
	}
	for _, r := range rows {
		var b strings.Builder
		for i, c := range r {
			b.WriteString(lineBreaks.Replace(c))
			if i < len(r)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-cells(c)+3))
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// Thousands writes a number with commas.
func Thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// cells is how wide a text is, whatever its colours.
func cells(s string) int { return runewidth.StringWidth(style.Plain(lineBreaks.Replace(s))) }

// lineBreaks keeps a text of a script in its line of a table.
var lineBreaks = strings.NewReplacer("\n", " ", "\t", " ")

// Kind names what a rule is in the catalogue: computed by the program, or
// recorded for the table to play out.
func Kind(r assist.RuleInfo) string {
	if r.Recorded {
		return "recorded"
	}
	return "computed"
}

// Place is "file:line" of a span, or "" for none.
func Place(s lang.Span) string {
	if s = s.Shown(); s.Src == nil {
		return ""
	}
	line := s.Src.Position(int(s.Start)).Line
	if s.Src.Name == "" {
		return fmt.Sprintf("line %d", line)
	}
	return fmt.Sprintf("%s:%d", s.Src.Name, line)
}

// Rule explains a rule: what it says, and the script that says it.
func Rule(w io.Writer, p style.Palette, r assist.RuleInfo) {
	fmt.Fprintf(w, "%s   %s\n", style.On(p.Title, r.ID), style.On(p.Faint, Kind(r)))
	fmt.Fprintf(w, "  %s\n", transcript.Visible(r.Doc))
	if r.At.Src == nil {
		return
	}
	fmt.Fprintf(w, "\n%s\n", style.On(p.Faint, Place(r.At)))
	for _, line := range Excerpt(r.At) {
		fmt.Fprintf(w, "  %s\n", transcript.Visible(line))
	}
}

// Excerpt is the text of a span, whole lines, with the indentation that they
// share taken away.
func Excerpt(s lang.Span) []string {
	if s.Src == nil {
		return nil
	}
	start := strings.LastIndexByte(s.Src.Text[:s.Start], '\n') + 1
	lines := strings.Split(strings.TrimRight(s.Src.Text[start:s.End], "\n"), "\n")
	shared := indentation(lines[0])
	for _, l := range lines {
		for strings.TrimSpace(l) != "" && !strings.HasPrefix(l, shared) {
			shared = shared[:len(shared)-1]
		}
	}
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, shared)
	}
	return lines
}

func indentation(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// Options writes the options of the rules, and how each stands.
func Options(w io.Writer, options []assist.OptionInfo) {
	rows := make([][]string, len(options))
	for i, o := range options {
		rows[i] = []string{"  " + o.ID, "= " + o.Value, strings.Join(o.Choices, " | "), o.Doc}
	}
	Table(w, rows)
}

// State writes the fields of sheets, each sheet under its name: what it says and what has changed,
// its parts, its points. With all it writes every field. Parts of which no more is to be said than
// one field stand with the sheet that they are parts of.
func State(w io.Writer, p style.Palette, lines []assist.StateLine, all bool) {
	sheets := sheetsOf(lines)
	wide, here := 0, map[string]bool{}
	for _, x := range sheets {
		here[x.who] = true
		who := x.who
		if _, ok := x.brief(p); ok && !all {
			who = x.of
		}
		wide = max(wide, runewidth.StringWidth(who))
	}
	parts := map[string][]string{} // of each, as they are written
	for _, x := range sheets {
		if text, ok := x.brief(p); ok && !all {
			parts[x.of] = append(parts[x.of], text)
		}
	}
	write := func(who string, groups ...[]string) {
		lead := fmt.Sprintf("  %s%s   ", who, strings.Repeat(" ", wide-runewidth.StringWidth(who)))
		for _, words := range groups {
			if len(words) > 0 {
				io.WriteString(w, lead)
				flow(w, words, wide+5)
				lead = strings.Repeat(" ", wide+5)
			}
		}
		if lead != strings.Repeat(" ", wide+5) {
			fmt.Fprintf(w, "  %s\n", who)
		}
	}
	for _, x := range sheets {
		if _, ok := x.brief(p); ok && !all {
			if list := parts[x.of]; len(list) > 0 && !here[x.of] {
				write(x.of, list)
				delete(parts, x.of)
			}
			continue
		}
		var said, points []string
		for _, l := range x.lines {
			text := l.Field + " " + style.On(p.Value, transcript.Visible(l.Value))
			switch {
			case !all && !x.isTold(l):
			case l.Points && !all:
				points = append(points, text)
			default:
				said = append(said, text)
			}
		}
		write(x.who, said, parts[x.who], points)
	}
}

// sheetLines are the lines of one sheet.
type sheetLines struct {
	who, of, name string // of: what it is a part of, "" for none; name: what it is called there
	has           bool   // parts of its own
	points        bool   // its summary names some
	lines         []assist.StateLine
}

// sheetsOf gives the lines sheet by sheet.
func sheetsOf(lines []assist.StateLine) []sheetLines {
	known := map[string]bool{}
	for _, l := range lines {
		known[l.Who] = true
	}
	var out []sheetLines
	for _, l := range lines {
		if n := len(out); n > 0 && out[n-1].who == l.Who {
			out[n-1].lines = append(out[n-1].lines, l)
			continue
		}
		x := sheetLines{who: l.Who, lines: []assist.StateLine{l}}
		x.of, x.name = partOf(l.Who, known)
		out = append(out, x)
	}
	for i := range out {
		out[i].points = slices.ContainsFunc(out[i].lines, func(l assist.StateLine) bool { return l.Points })
		out[i].has = slices.ContainsFunc(out, func(x sheetLines) bool { return x.of == out[i].who })
	}
	return out
}

// partOf splits the name of a part at the sheet that it belongs to. A name may have a dot of
// its own, with a space behind it.
func partOf(who string, known map[string]bool) (of, name string) {
	for i := len(who) - 1; i > 0; i-- {
		if who[i] == '.' && (known[who[:i]] || !strings.HasPrefix(who[i+1:], " ") && !strings.Contains(who[:i], ".")) {
			return who[:i], who[i+1:]
		}
	}
	return "", who
}

// brief is a part of which one field is to be said at most: its rating needs no name.
func (x sheetLines) brief(p style.Palette) (text string, ok bool) {
	text = x.name
	shown := 0
	for _, l := range x.lines {
		if !x.isTold(l) {
			continue
		}
		if shown++; l.Field != theRating {
			text += " " + l.Field
		}
		text += " " + style.On(p.Value, transcript.Visible(l.Value))
	}
	return text, x.of != "" && !x.has && shown <= 1
}

// theRating is the field that a part has for its number or die.
const theRating = "rating"

// isTold says whether a line of a sheet is worth telling: what the sheet says, what is not as
// usual, its points, and what a part is rated.
func (x sheetLines) isTold(l assist.StateLine) bool {
	switch {
	case l.Hidden || isNothing(l.Value):
		return false
	case x.of != "" && l.Field == theRating:
		return true
	case x.of == "" && (l.Points || !x.points && !l.Derived):
		return true // where nothing names the points, all that may be some
	}
	return l.Said || !l.Usual && !l.Derived
}

func isNothing(value string) bool {
	switch value {
	case "", "none", "no", "[]", "{}":
		return true
	}
	return false
}

// flowWidth is how wide running text may get.
const flowWidth = 100

// flow writes words one after the other, in lines that begin at a column.
func flow(w io.Writer, words []string, column int) {
	at := column
	for i, word := range words {
		wide := runewidth.StringWidth(style.Plain(word))
		switch {
		case i == 0:
		case at+3+wide > flowWidth:
			fmt.Fprintf(w, "\n%s", strings.Repeat(" ", column))
			at = column
		default:
			fmt.Fprint(w, " · ")
			at += 3
		}
		fmt.Fprint(w, word)
		at += wide
	}
	fmt.Fprintln(w)
}
