package lang

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Severity says how bad a Diagnostic is.
type Severity int

const (
	Error Severity = iota
	Warning
)

func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	}
	panic("lang: no severity " + strconv.Itoa(int(s)))
}

// Diagnostic is one message about a source: where, what, and what would help.
// The message is lower case, has no full stop and speaks of the user's text.
// A Diagnostic is an error.
type Diagnostic struct {
	Span
	Code     string // that of the form of the message for ever, such as SP0123; "" for what happens while a script runs
	Severity Severity
	Message  string
	Help     string // shown behind the carets: "did you mean link?"
	Notes    []Note // further places or remarks
	// Field is what Help takes for a field of a sheet, where the text alone does not say
	// whether it is one; HelpIf is the help if there is such a field, HelpElse if not.
	Field, HelpIf, HelpElse string
	// Incomplete says that the text is fine as far as it goes and that more
	// lines could complete it; the prompt then asks for them.
	Incomplete bool
	// Resumes is where reading goes on behind a { that has no }. 0 is nowhere.
	Resumes int32
}

// Note is a remark that belongs to a Diagnostic. Its Span may be empty (Src nil).
type Note struct {
	Span
	Message string
}

// Diagnostics is a list of messages in source order. It is an error.
type Diagnostics []*Diagnostic

// Palette colours the parts of a message. A nil function leaves its part as it
// is, so the zero Palette is plain.
type Palette struct {
	Width int // cells in a line of the terminal; 0 if there is none

	Place   func(string) string // file, line and column
	Error   func(string) string // the message of an error
	Warning func(string) string // the message of a warning
	Source  func(string) string // the line of the source, with its number
	Caret   func(string) string // the carets and the help behind them
	Note    func(string) string // remarks
}

// Error is the message with its place, on one line: "file:line:col: message".
func (d *Diagnostic) Error() string { return place(d.Span) + d.mark() + d.Message }

func (d *Diagnostic) mark() string {
	if d.Severity == Warning {
		return "warning: "
	}
	return ""
}

// Format shows the message, the line of the source with carets under the range
// in question, the help, and the notes. It ends with a newline.
func (d *Diagnostic) Format(c Palette) string {
	d = d.shown()
	tone := c.Error
	if d.Severity == Warning {
		tone = c.Warning
	}
	var b strings.Builder
	b.WriteString(Paint(c.Place, place(d.Span)))
	b.WriteString(Paint(tone, d.mark()+d.Message))
	if strings.HasPrefix(d.Code, warnings) { // which a script can allow
		b.WriteString(Paint(c.Source, "  "+d.Code))
	}
	b.WriteByte('\n')
	width := d.gutter()
	snippet(&b, d.Span, d.Help, width, true, c.Caret, c)
	shown := d.Span
	if d.Src == nil && d.Help != "" {
		remark(&b, d.Help, width, c)
	}
	for _, n := range d.Notes {
		if n.Src == nil {
			remark(&b, n.Message, width, c)
			continue
		}
		if n.Src != d.Src {
			remark(&b, strings.TrimSuffix(place(n.Span), ": "), width, c)
		}
		snippet(&b, n.Span, n.Message, width, !sameLine(shown, n.Span), c.Note, c)
		shown = n.Span
	}
	return b.String()
}

// shown is the message with its places as Span.Shown gives them.
func (d *Diagnostic) shown() *Diagnostic {
	out := *d
	out.Span, out.Notes = d.Span.Shown(), slices.Clone(d.Notes)
	for i := range out.Notes {
		out.Notes[i].Span = out.Notes[i].Span.Shown()
	}
	return &out
}

// Error gives all messages, one a line.
func (ds Diagnostics) Error() string {
	lines := make([]string, len(ds))
	for i, d := range ds {
		lines[i] = d.Error()
	}
	return strings.Join(lines, "\n")
}

// Format shows all messages as Diagnostic.Format does, one below the other.
func (ds Diagnostics) Format(c Palette) string {
	var b strings.Builder
	for _, d := range ds {
		b.WriteString(d.Format(c))
	}
	return b.String()
}

// Sort puts the messages into the order of their places, file by file in the
// order of the files' names; those without a place come first.
func (ds Diagnostics) Sort() {
	slices.SortStableFunc(ds, func(a, b *Diagnostic) int {
		return cmp.Or(cmp.Compare(a.file(), b.file()), cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
}

func (d *Diagnostic) file() string {
	if d.Src == nil {
		return ""
	}
	return d.Src.Name
}

// Errors says whether there is an error among the messages, and not warnings only.
func (ds Diagnostics) Errors() bool {
	return slices.ContainsFunc(ds, func(d *Diagnostic) bool { return d.Severity == Error })
}

// Incomplete says whether more lines could make all of it right: there is an
// error, and every error is one of a text that ends too early.
func (ds Diagnostics) Incomplete() bool {
	return ds.Errors() && !slices.ContainsFunc(ds, func(d *Diagnostic) bool {
		return d.Severity == Error && !d.Incomplete
	})
}

// ---- showing ------------------------------------------------------------

// place is "file:line:col: ", "line:col: " for the prompt, and nothing for a
// span without a source.
func place(s Span) string {
	if s = s.Shown(); s.Src == nil {
		return ""
	}
	pos := s.Src.Position(int(s.Start))
	if s.Src.Name == "" {
		return fmt.Sprintf("%d:%d: ", pos.Line, pos.Column)
	}
	return fmt.Sprintf("%s:%d:%d: ", s.Src.Name, pos.Line, pos.Column)
}

// gutter is the width of the largest line number shown.
func (d *Diagnostic) gutter() int {
	last := 1
	if d.Src != nil {
		last = d.Src.Position(int(d.Start)).Line
	}
	for _, n := range d.Notes {
		if n.Src != nil {
			last = max(last, n.Src.Position(int(n.Start)).Line)
		}
	}
	return len(strconv.Itoa(last))
}

// indent stands left of the line numbers.
const indent = "   "

func remark(b *strings.Builder, text string, width int, c Palette) {
	fmt.Fprintf(b, "%s%s\n", Paint(c.Source, indent+strings.Repeat(" ", width)+" = "), Paint(c.Note, text))
}

func sameLine(a, b Span) bool {
	return a.Src == b.Src && a.Src != nil && a.Src.lineOf(int(a.Start)) == b.Src.lineOf(int(b.Start))
}

// snippet shows the line on which s begins, unless it stands there already, with
// carets under the part of s that is on it, and text behind them.
func snippet(b *strings.Builder, s Span, text string, width int, source bool, tone func(string) string, c Palette) {
	if s.Src == nil {
		return
	}
	n := s.Src.Position(int(s.Start)).Line
	line := s.Src.Line(n)
	from := s.Src.lines()[n-1]
	start := min(int(s.Start-from), len(line))
	end := min(max(int(s.End-from), start), len(line))
	num := fmt.Sprintf("%s%*d | ", indent, width, n)
	limit := windowCells
	if c.Width > 0 {
		limit = max(c.Width-len(num), leastCells)
	}
	shown, before, under := window(line, start, end, limit)
	if source {
		b.WriteString(Paint(c.Source, strings.TrimRight(num+shown, " ")))
		b.WriteByte('\n')
	}
	b.WriteString(Paint(c.Source, indent+strings.Repeat(" ", width)+" | "))
	b.WriteString(strings.Repeat(" ", before))
	carets := strings.Repeat("^", max(1, under))
	below := c.Width > 0 && text != "" && before+under+1+cells(text, 0) > limit
	if text != "" && !below {
		carets += " " + text
	}
	b.WriteString(Paint(tone, carets))
	b.WriteByte('\n')
	if below {
		remark(b, text, width, c)
	}
}

const (
	windowCells = 200 // the longest line that is shown whole where nobody says a width
	leastCells  = 40  // what is shown of a line on the narrowest terminal
)

// window makes line fit to be shown in limit cells: tabs become spaces and control
// characters a sign of their own, and of a line that is too long only the surroundings of
// line[start:end] are kept. It gives the number of cells before that range and under it.
func window(line string, start, end, limit int) (shown string, before, under int) {
	if len(line) <= limit || len(line) <= 4*limit && cells(line, 0) <= limit {
		before = cells(line[:start], 0)
		return visible(line, 0), before, cells(line[start:end], before)
	}
	margin := limit * 3 / 10 // what is kept before the range and behind it
	from, to := retreat(line, start, margin), advance(line, end, margin)
	if max := advance(line, start, margin); end > max {
		end, to = max, max
	}
	at := 0
	var b strings.Builder
	if from > 0 {
		b.WriteString("…")
		at = 1
	}
	b.WriteString(visible(line[from:to], at))
	if to < len(line) {
		b.WriteString("…")
	}
	before = at + cells(line[from:start], at)
	return b.String(), before, cells(line[start:end], before)
}

// retreat and advance go up to margin runes to the left and right.
func retreat(line string, i, margin int) int {
	for n := 0; n < margin && i > 0; n++ {
		i--
		for i > 0 && line[i]&0xC0 == 0x80 {
			i--
		}
	}
	return i
}

func advance(line string, i, margin int) int {
	for n := 0; n < margin && i < len(line); n++ {
		i++
		for i < len(line) && line[i]&0xC0 == 0x80 {
			i++
		}
	}
	return i
}

// visible is text as a terminal can show it when it begins in the cell at.
func visible(text string, at int) string {
	var b strings.Builder
	for _, r := range text {
		n := runeCells(r, at)
		switch {
		case r == '\t':
			b.WriteString(strings.Repeat(" ", n))
		case isControl(r) || isJoiner(r):
			b.WriteRune('\uFFFD')
		default:
			b.WriteRune(r)
		}
		at += n
	}
	return b.String()
}

// Paint applies a colour of a palette, which may be nil.
func Paint(f func(string) string, text string) string {
	if f == nil || text == "" {
		return text
	}
	return f(text)
}
