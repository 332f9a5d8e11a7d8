package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"setpiece/cmd/internal/style"
	"setpiece/lang"
)

// Text writes a page for a terminal of a width. The transcripts, the rules' texts and the
// script are left to the page of HTML.
func Text(w io.Writer, p *Page, width int, pal style.Palette) {
	t := &text{w: w, width: max(width, 40), pal: pal}
	t.line(style.On(pal.Title, plain(p.Title)) + style.On(pal.Faint, "   "+plain(strings.Join(p.Files, ", "))))
	if p.Beside != nil {
		t.section(p.Beside)
	}
	for _, part := range p.Parts {
		t.line("")
		if part.Letter != "" {
			t.line(style.On(pal.Title, part.Letter+"  "+plain(part.Name)))
		}
		for _, l := range part.Lead {
			t.line(plain(l.Words) + "  " + style.On(pal.Value, l.Figure) + style.On(pal.Faint, "   "+l.Note))
			if l.P >= 0 {
				t.line(style.On(pal.Good, bar(l.P, t.width-2)))
			}
		}
		for _, s := range part.Sections {
			if !strings.HasSuffix(s.ID, "script") {
				t.section(s)
			}
		}
	}
	t.line("")
	t.words(plain(p.Foot))
}

type text struct {
	w     io.Writer
	width int
	pal   style.Palette
	only  bool // only rows that stand out are written
}

func (t *text) line(s string) { fmt.Fprintln(t.w, strings.TrimRight(s, " ")) }

// plain is a text of a script in one line, with nothing in it that steers a terminal.
func plain(s string) string { return strings.Join(strings.Fields(lang.Visible(s)), " ") }

func (t *text) section(s *Section) {
	t.line("")
	t.line(style.On(t.pal.Title, s.Title))
	if s.Intro != "" {
		t.words(plain(s.Intro))
	}
	t.only = strings.HasSuffix(s.ID, "options")
	for i, b := range s.Blocks {
		if b.Caption != "" {
			if i > 0 && len(b.Rows) > 0 {
				t.line("")
			}
			for _, l := range broken(plain(b.Caption), t.width-2) {
				t.line("  " + style.On(t.pal.Value, l))
			}
		}
		t.table(&b)
		for _, w := range b.Words {
			t.words("  " + plain(w))
		}
		if b.Command != "" {
			t.line("  " + style.On(t.pal.Faint, plain(b.Command)))
		}
	}
}

// words writes a paragraph, broken at the width.
func (t *text) words(s string) {
	indent := s[:len(s)-len(strings.TrimLeft(s, " "))]
	line := ""
	for _, w := range units(s) {
		if line != "" && runewidth.StringWidth(indent+line+" "+w) > t.width {
			t.line(style.On(t.pal.Faint, indent+line))
			line = ""
		}
		line = strings.TrimSpace(line + " " + w)
	}
	t.line(style.On(t.pal.Faint, indent+line))
}

func (t *text) cut(s string, n int) string { return runewidth.Truncate(s, max(n, 8), "…") }

// table writes rows; the last column that holds words takes what room there is, and bars
// take the rest.
func (t *text) table(b *Block) {
	if len(b.Rows) == 0 {
		return
	}
	if t.only && !slices.ContainsFunc(b.Rows, func(r Row) bool { return r.Strong }) {
		return
	}
	n := len(b.Head)
	wide := make([]int, n)
	rows := make([][]string, 0, len(b.Rows)+1)
	rows = append(rows, b.Head)
	for _, r := range b.Rows {
		cells := make([]string, n)
		for i, c := range r.Cells {
			cells[i] = plain(c)
		}
		rows = append(rows, cells)
	}
	for _, r := range rows {
		for i, c := range r {
			wide[i] = max(wide[i], runewidth.StringWidth(c))
		}
	}
	bars := b.Tornado || b.Rows[0].Bar >= 0
	used := 2
	for i := range wide {
		used += wide[i] + 2
	}
	room := t.width - used
	for room < 0 || bars && room < 8 { // the widest gives way
		at := 0
		for i := range wide {
			if wide[i] > wide[at] {
				at = i
			}
		}
		if wide[at] <= 10 {
			break
		}
		wide[at]--
		room++
	}
	right := make([]bool, n)
	for i := range right {
		right[i] = numeric(rows, i)
	}
	for k, r := range rows {
		if k > 0 && t.only && !b.Rows[k-1].Strong {
			continue
		}
		lines := make([][]string, n)
		most := 1
		for i, c := range r {
			if lines[i] = broken(c, wide[i]); right[i] || k == 0 {
				lines[i] = []string{t.cut(c, wide[i])}
			}
			most = max(most, len(lines[i]))
		}
		for j := range most {
			var s strings.Builder
			s.WriteString("  ")
			for i := range r {
				c := ""
				if j < len(lines[i]) {
					c = lines[i][j]
				}
				if right[i] {
					c = runewidth.FillLeft(c, wide[i])
				} else {
					c = runewidth.FillRight(c, wide[i])
				}
				if k == 0 {
					c = style.On(t.pal.Faint, c)
				}
				s.WriteString(c + "  ")
			}
			if k > 0 && j == 0 && bars && room > 0 {
				s.WriteString(t.bar(b, b.Rows[k-1], min(room, 40)))
			}
			t.line(s.String())
		}
	}
}

// units gives the words of a text, with what belongs to a number in one with it: 5.3 % ± 0.4.
func units(s string) []string {
	var out []string
	for _, w := range strings.Fields(s) {
		n := len(out)
		if n > 0 && (strings.HasPrefix(w, "%") || w == "±" || strings.HasSuffix(out[n-1], "±")) {
			out[n-1] += " " + w
			continue
		}
		out = append(out, w)
	}
	return out
}

// broken breaks a text between words; a word that is too long is cut.
func broken(s string, width int) []string {
	var out []string
	line := ""
	for _, w := range units(s) {
		w = runewidth.Truncate(w, max(width, 1), "…")
		if line != "" && runewidth.StringWidth(line+" "+w) > width {
			out, line = append(out, line), ""
		}
		line = strings.TrimSpace(line + " " + w)
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}

// numeric says whether a column holds figures.
func numeric(rows [][]string, i int) bool {
	some := false
	for _, r := range rows[1:] {
		if r[i] == "" || r[i] == "–" {
			continue
		}
		if !strings.ContainsAny(r[i][:1], "0123456789+") && !strings.HasPrefix(r[i], "−") || strings.ContainsAny(r[i], ",") {
			return false
		}
		some = true
	}
	return some
}

func (t *text) bar(b *Block, r Row, room int) string {
	if !b.Tornado {
		return style.On(t.pal.Good, bar(r.Bar, room))
	}
	lo, hi := b.span()
	at := func(x float64) int { return int(math.Round((x - lo) / (hi - lo) * float64(room-1))) }
	from, to, middle := at(min(r.From, r.Bar)), at(max(r.From, r.Bar)), at(b.Middle)
	color := t.pal.Good
	if r.Bar < r.From {
		color = t.pal.Bad
	}
	var s strings.Builder
	for i := range room {
		switch {
		case i == middle:
			s.WriteString("│")
		case i >= from && i <= to:
			s.WriteString(style.On(color, "█"))
		default:
			s.WriteString(" ")
		}
	}
	return s.String()
}

// span gives the ends of a tornado.
func (b *Block) span() (lo, hi float64) {
	lo, hi = b.Middle, b.Middle
	for _, r := range b.Rows {
		lo, hi = min(lo, r.Bar), max(hi, r.Bar)
	}
	if hi-lo < 1e-9 {
		lo, hi = lo-0.5, hi+0.5
	}
	return lo, hi
}

// bar draws a share of the room in blocks, in eighths.
func bar(p float64, width int) string {
	eighths := int(math.Round(min(max(p, 0), 1) * float64(width) * 8))
	s := strings.Repeat("█", eighths/8)
	if r := eighths % 8; r > 0 {
		s += string([]rune("▏▎▍▌▋▊▉")[r-1])
	}
	return s
}
