// Package render shows what is asked about a session: rules, options, the state,
// and what was wrong with a script. The command line and the prompt share it.
package render

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/mattn/go-runewidth"

	"setpiece/cmd/internal/style"
	"setpiece/interp"
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

// cells is how wide a text is, whatever its colours.
func cells(s string) int { return runewidth.StringWidth(style.Plain(lineBreaks.Replace(s))) }

// lineBreaks keeps a text of a script in its line of a table.
var lineBreaks = strings.NewReplacer("\n", " ", "\t", " ")

// Kind names what a rule is in the catalogue: computed by the program, or
// recorded for the table to play out.
func Kind(r interp.RuleInfo) string {
	if r.Recorded {
		return "recorded"
	}
	return "computed"
}

// Place is "file:line" of a span, or "" for none.
func Place(s lang.Span) string {
	if s.Src == nil {
		return ""
	}
	line := s.Src.Position(int(s.Start)).Line
	if s.Src.Name == "" {
		return fmt.Sprintf("line %d", line)
	}
	return fmt.Sprintf("%s:%d", s.Src.Name, line)
}

// Rule explains a rule: what it says, and the script that says it.
func Rule(w io.Writer, p style.Palette, r interp.RuleInfo) {
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
func Options(w io.Writer, options []interp.OptionInfo) {
	rows := make([][]string, len(options))
	for i, o := range options {
		rows[i] = []string{"  " + o.ID, "= " + o.Value, strings.Join(o.Choices, " | "), o.Doc}
	}
	Table(w, rows)
}

// State writes the fields of sheets, each sheet under its name. Unless all is
// wanted, fields with nothing in them are left out, and of a part, such as a trait, those
// that are as usual.
func State(w io.Writer, p style.Palette, lines []interp.StateLine, all bool) {
	wide := 0
	for _, l := range lines {
		wide = max(wide, runewidth.StringWidth(l.Who))
	}
	for len(lines) > 0 {
		who := lines[0].Who
		if parts, n := ratings(p, lines); n > 0 && !all {
			fmt.Fprint(w, strings.Repeat(" ", wide+5))
			flow(w, parts, wide+5)
			lines = lines[n:]
			continue
		}
		n := 0
		var words []string
		for n < len(lines) && lines[n].Who == who {
			if all || isTold(lines[n]) {
				words = append(words, lines[n].Field+" "+style.On(p.Value, transcript.Visible(lines[n].Value)))
			}
			n++
		}
		lines = lines[n:]
		if len(words) == 0 {
			fmt.Fprintf(w, "  %s\n", who)
			continue
		}
		fmt.Fprintf(w, "  %s%s   ", who, strings.Repeat(" ", wide-runewidth.StringWidth(who)))
		flow(w, words, wide+5)
	}
}

// ratings gives the parts of which nothing but a rating is to be said, as one list, and
// how many lines those are.
func ratings(p style.Palette, lines []interp.StateLine) (words []string, n int) {
	for n < len(lines) {
		_, name, part := strings.Cut(lines[n].Who, ".")
		end, shown := n, 0
		var rating string
		for end < len(lines) && lines[end].Who == lines[n].Who {
			if l := lines[end]; isTold(l) {
				shown++
				if l.Field == theRating {
					rating = l.Value
				}
			}
			end++
		}
		if !part || shown != 1 || rating == "" {
			break
		}
		words = append(words, name+" "+style.On(p.Value, transcript.Visible(rating)))
		n = end
	}
	return words, n
}

// theRating is the field that a part has for its number or die.
const theRating = "rating"

// isTold says whether a line of a sheet is worth telling.
func isTold(l interp.StateLine) bool {
	part := strings.Contains(l.Who, ".")
	return !l.Hidden && !isNothing(l.Value) && !(part && l.Usual && l.Field != theRating)
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

// Modules lists the modules that a file system of modules holds, in order.
func Modules(fsys fs.FS) []string {
	if fsys == nil {
		return nil
	}
	heads, _ := fs.Glob(fsys, "*/*.rules")
	var names []string
	for _, h := range heads {
		dir, file := path.Split(h)
		name := strings.TrimSuffix(dir, "/")
		if file == name+".rules" {
			names = append(names, name)
		}
	}
	return names
}

// heads finds the files that may head a system or a variant; few do.
var heads = regexp.MustCompile(`(?m)^(system|variant) `)

// Titles gives the title of a system and the names of its variants, as their files say.
func Titles(fsys fs.FS, module string) (title string, variants []string) {
	files, _ := fs.Glob(fsys, module+"/*.rules")
	for _, name := range files {
		text, err := fs.ReadFile(fsys, name)
		if err != nil || !heads.Match(text) {
			continue
		}
		file, _ := lang.Parse(lang.NewSource(name, string(text)))
		for _, s := range file.Stmts {
			head, ok := s.(*lang.System)
			switch {
			case !ok:
			case head.Base != nil:
				variants = append(variants, head.Name.Name)
			case head.Doc != nil:
				title = head.Doc.Raw
			}
		}
	}
	return strings.Trim(title, `"`), variants
}
