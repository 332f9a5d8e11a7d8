package transcript

import (
	"strings"

	"github.com/mattn/go-runewidth"

	"setpiece/lang"
)

// The columns of a row when nothing in it is wide: labels begin at indent,
// values end at valueEdge, notes begin gap cells further on and rules after
// noteWidth more.
const (
	indent    = 2
	valueEdge = 28
	noteWidth = 23
	gap       = 3
)

// cell is text with the colour it is to have.
type cell struct {
	text  string
	color func(string) string
}

func (c cell) width() int { return runewidth.StringWidth(oneLine(c.text)) }

// line is one line of a group. A row has label, value and note in columns; a
// line with only a label is plain text, and its rule follows closely.
type line struct {
	depth int
	label cell
	value []cell // written one after the other
	note  []cell
	rule  string
}

func (l line) isRow() bool { return len(l.value) > 0 }

func (l line) start() int { return indent * (l.depth + 1) }

func width(cells []cell) int {
	n := 0
	for _, c := range cells {
		n += c.width()
	}
	return n
}

// columns are the places where the columns of a group begin, or for values, end.
type columns struct{ value, rule int }

func measure(lines []line) columns {
	c := columns{value: valueEdge}
	notes := noteWidth
	for _, l := range lines {
		if !l.isRow() {
			continue
		}
		c.value = max(c.value, l.start()+l.label.width()+2+width(l.value))
		if l.rule != "" {
			notes = max(notes, width(l.note))
		}
	}
	c.rule = c.value + gap + notes + gap
	return c
}

// layout gives the lines of one group as text, their columns aligned.
func layout(lines []line, p Palette) string {
	var b strings.Builder
	c := measure(lines)
	for _, l := range lines {
		l.write(&b, c, p)
		b.WriteByte('\n')
	}
	return b.String()
}

func (l line) write(b *strings.Builder, c columns, p Palette) {
	at := 0
	to := func(col int) {
		b.WriteString(strings.Repeat(" ", max(col-at, 0)))
		at = max(at, col)
	}
	put := func(cs ...cell) {
		for _, x := range cs {
			b.WriteString(lang.Paint(x.color, oneLine(x.text)))
			at += x.width()
		}
	}
	to(l.start())
	put(l.label)
	ruleAt := at + gap
	if l.isRow() {
		to(c.value - width(l.value))
		put(l.value...)
		ruleAt = c.rule
	}
	if len(l.note) > 0 {
		to(c.value + gap)
		put(l.note...)
	}
	if l.rule != "" {
		to(ruleAt)
		put(cell{l.rule, p.Faint})
	}
}

// Visible is lang.Visible: it replaces what would steer a terminal instead of
// being read on it.
func Visible(s string) string { return lang.Visible(s) }

var lineBreaks = strings.NewReplacer("\n", " ", "\t", " ")

func oneLine(s string) string { return lineBreaks.Replace(Visible(s)) }
