package render

import (
	"fmt"
	"io"
	"strings"

	"setpiece/interp/dist"
)

// Markdown writes distributions as tables of a page in Markdown.
func Markdown(w io.Writer, dists []*dist.Distribution) {
	for i, l := range dists {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if len(l.Points) == 1 {
			fmt.Fprintf(w, "%s is %s %s.\n", MarkdownText(l.Name), MarkdownText(l.Points[0].Shown), always(l))
			continue
		}
		points := joined(l)
		third := "exact"
		if l.Sampled != nil {
			third = "±"
		}
		rows := [][]string{{MarkdownText(l.Name), "chance", third, ""}}
		for _, p := range points {
			row := []string{MarkdownText(shown(p.Shown)), Percent(p.P, false), Fraction(p.Exact), OneIn(p.P)}
			if l.Sampled != nil {
				row[2] = half(l, p.Point)
			}
			rows = append(rows, row)
		}
		markdownTable(w, rows)
		if l.Numbers && l.Beyond == "" {
			fmt.Fprintf(w, "\n%s\n", Summary(l))
		}
	}
}

// markdownTable writes rows, the first of which is the head; a column that is empty but for
// the head is left out.
func markdownTable(w io.Writer, rows [][]string) {
	var columns []int
	for k := range rows[0] {
		for _, row := range rows[1:] {
			if row[k] != "" {
				columns = append(columns, k)
				break
			}
		}
	}
	for i, row := range rows {
		for n, k := range columns {
			if n == 0 {
				fmt.Fprint(w, "| ")
			}
			fmt.Fprint(w, row[k], " |")
			if n < len(columns)-1 {
				fmt.Fprint(w, " ")
			}
		}
		fmt.Fprintln(w)
		if i == 0 {
			fmt.Fprintln(w, "| --- |"+strings.Repeat(" ---: |", len(columns)-1))
		}
	}
}

// escaped is what html.EscapeString does, without the 2,231 entities that package html brings into a program.
var escaped = strings.NewReplacer("&", "&amp;", "'", "&#39;", "<", "&lt;", ">", "&gt;", `"`, "&#34;")

// MarkdownText makes a text of a script one that Markdown shows as it is.
func MarkdownText(s string) string {
	var b strings.Builder
	for _, r := range escaped.Replace(oneLine(s)) {
		if strings.ContainsRune("\\`*_[]|~", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// MarkdownFence writes a text as a fenced block that nothing in it closes.
func MarkdownFence(w io.Writer, kind, text string) {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	fmt.Fprintf(w, "%s%s\n%s\n%s\n", fence, kind, strings.TrimRight(text, "\n"), fence)
}
