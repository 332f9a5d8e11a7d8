package style

import (
	"strings"

	"github.com/mattn/go-runewidth"

	"setpiece/lang/late"
)

// A terminal breaks a line that is too long wherever it ends, in the middle of a word. Wrap
// breaks it between two words; what follows hangs below the last column that the line begins
// with, or a little to the right of its beginning:
//
//	:what-if ANSWER   see what another answer would have led to, in the
//	                  place of your last one
type wrapper struct {
	width int
	col   int // cells of this line that are shown already
	hang  int // where a line that goes on begins
}

// minWrap is the narrowest terminal for which lines are broken between words.
const minWrap = 20

// Wrap is a text whose lines are broken between words where they are wider than a terminal.
func Wrap(text string, width int) string {
	w := wrapper{width: width}
	return w.wrap(text)
}

// wrap is Wrap for a text that may begin and end inside a line.
func (w *wrapper) wrap(text string) string {
	if w.width < minWrap {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if w.col == 0 {
			w.hang = hang(Plain(strings.TrimSuffix(line, "\n")), w.width)
		}
		w.line(&b, strings.TrimSuffix(line, "\n"))
		if strings.HasSuffix(line, "\n") {
			b.WriteByte('\n')
			w.col = 0
		}
	}
	return b.String()
}

// pieces are words, blanks and colours.
var pieces = late.Regexp("\x1b\\[[0-9;]*m| +|\t|[^ \t\x1b]+|\x1b")

func (w *wrapper) line(b *strings.Builder, line string) {
	if !strings.Contains(line, "\t") && w.col+runewidth.StringWidth(Plain(line)) <= w.width {
		b.WriteString(line)
		w.col += runewidth.StringWidth(Plain(line))
		return
	}
	blanks := "" // before the next word
	for _, x := range pieces().FindAllString(line, -1) {
		switch {
		case anyColour().MatchString(x):
			b.WriteString(blanks + x)
			w.col += len(blanks)
			blanks = ""
			continue
		case x == "\t":
			blanks += strings.Repeat(" ", 8-(w.col+len(blanks))%8)
			continue
		case x[0] == ' ':
			blanks += x
			continue
		}
		n := runewidth.StringWidth(x)
		if w.col+len(blanks)+n > w.width && w.col > w.hang && w.hang+n <= w.width {
			b.WriteString("\n" + strings.Repeat(" ", w.hang))
			w.col, blanks = w.hang, ""
		}
		b.WriteString(blanks + x)
		w.col += len(blanks) + n
		blanks = ""
		if w.col > w.width {
			w.col = (w.col-1)%w.width + 1
		}
	}
	b.WriteString(blanks)
	w.col += len(blanks)
}

// hang is where what follows a line begins: below the last column that begins in its left half.
func hang(line string, width int) int {
	rest := strings.TrimLeft(line, " ")
	at := len(line) - len(rest)
	under := min(at+2, width/2)
	for {
		i := strings.Index(rest, "  ")
		if i < 0 {
			return under
		}
		next := strings.TrimLeft(rest[i:], " ")
		at += runewidth.StringWidth(rest[:len(rest)-len(next)])
		if at > width/2 || next == "" {
			return under
		}
		under, rest = at, next
	}
}
