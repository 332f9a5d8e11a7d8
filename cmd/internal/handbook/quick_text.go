package handbook

import (
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"

	"setpiece/cmd/internal/style"
	"setpiece/interp/transcript"
)

// QuickWidth is how wide a quick reference is that goes into a file.
const QuickWidth = 100

// WriteText writes the page as plain text. Rows stand in two columns where that is shorter.
func (q *Quick) WriteText(w io.Writer, p style.Palette, width int) {
	fmt.Fprintln(w, style.On(p.Title, q.Title+": quick reference"))
	for _, sec := range q.Sections {
		if sec.Head != "" {
			fmt.Fprintf(w, "\n%s\n", style.On(p.Title, sec.Head))
		}
		for _, part := range sec.Parts {
			var lines []string
			switch {
			case part.Text != "":
				lines = flow("", plain(part.Text), width, 0)
			case part.Script != "":
				lines = boxed(part.Script)
				if part.Transcript != "" {
					lines = append(lines, boxed(part.Transcript)...)
				}
			default:
				lines = rowLines(part.Rows, width)
			}
			for _, line := range lines {
				fmt.Fprintln(w, transcript.Visible(line))
			}
		}
	}
}

// plain is a text without the marks around its code.
func plain(text string) string { return strings.ReplaceAll(text, "`", "") }

// boxed sets a script apart from what stands around it.
func boxed(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		out = append(out, "  | "+strings.TrimRight(line, "\n"))
	}
	return out
}

// rowLines lays rows out.
func rowLines(rows []QuickRow, width int) []string {
	const gap = 3
	half := (width - gap) / 2
	cells := make([][]string, len(rows))
	total := 0
	for i, r := range rows {
		cells[i] = flow(r.Form, plain(r.Doc), half, 4)
		total += len(cells[i])
	}
	left, right, n := []string(nil), []string(nil), 0
	for _, c := range cells {
		if n += len(c); n-len(c)/2 <= (total+1)/2 {
			left = append(left, c...)
		} else {
			right = append(right, c...)
		}
	}
	var whole []string
	for _, r := range rows {
		whole = append(whole, flow(r.Form, plain(r.Doc), width, 4)...)
	}
	if len(whole) <= max(len(left), len(right)) {
		return whole
	}
	var out []string
	for i := range max(len(left), len(right)) {
		line := ""
		if i < len(left) {
			line = left[i]
		}
		if i < len(right) {
			line = runewidth.FillRight(line, half+gap) + right[i]
		}
		out = append(out, line)
	}
	return out
}

// flow is something that can be typed, and behind it what it means, in lines that hang.
func flow(form, doc string, width, hang int) []string {
	var out []string
	line, at := form, runewidth.StringWidth(form)
	if at > width && strings.Contains(form, " ") {
		out = flow("", form, width, hang)
		line = out[len(out)-1]
		out, at = out[:len(out)-1], runewidth.StringWidth(line)
	}
	for i, word := range strings.Fields(doc) {
		blank := " "
		if i == 0 {
			if blank = "  "; form == "" {
				blank = ""
			}
		}
		n := runewidth.StringWidth(word)
		if at+len(blank)+n > width && at > hang {
			out = append(out, line)
			line, at, blank = strings.Repeat(" ", hang), hang, ""
		}
		line += blank + word
		at += len(blank) + n
	}
	return append(out, line)
}
