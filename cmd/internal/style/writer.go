package style

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	"setpiece/lang"
	"setpiece/lang/late"
)

// Everything that is shown goes through one Writer: texts of scripts, names of
// files, arguments, journals of somebody else. It lets no control character
// through, so no text can steer the terminal, whatever forgot to look at it. The
// colours of this program's own palettes do pass. The Writer knows them by a
// number nobody else knows, which they carry as a further parameter:
//
//	ESC [ 1 m                 becomes  U+FFFD [ 1 m
//	ESC [ 7319482038 ; 1 m    becomes  ESC [ 1 m
//
// On a terminal it breaks lines between words, see Wrap.
type Writer struct {
	to    io.Writer
	tail  []byte // the beginning of a letter or a colour whose rest is still to come
	whole bool
	lines wrapper
	err   error // the first of writing
}

// mark is that number. It never reaches what is shown.
var mark = strconv.FormatUint(rand.Uint64(), 10)

var (
	ownColour = late.Regexp("\x1b\\[" + mark + `;([0-9;]*)m`)
	anyColour = late.Regexp("\x1b\\[[0-9;]*m")
)

// NewWriter returns a Writer to w; w itself if it is one.
func NewWriter(w io.Writer) *Writer {
	if own, ok := w.(*Writer); ok {
		return own
	}
	return &Writer{to: w}
}

// Raw gives what a Writer writes to. Only what draws on a terminal by itself
// needs it, and must put nothing of a script there.
func Raw(w io.Writer) io.Writer {
	if own, ok := w.(*Writer); ok {
		return own.to
	}
	return w
}

// Whole has a Writer leave lines as long as they are from now on: what is written is for a
// program, or is copied from the screen.
func Whole(w io.Writer) {
	if own, ok := w.(*Writer); ok {
		own.whole = true
	}
}

// Err is the first error of writing: from then on, something is missing in what was written.
func (w *Writer) Err() error { return w.err }

// Exactly writes a text as it is, but for a terminal: there what is no letter is made
// visible.
func (w *Writer) Exactly(text []byte) {
	if IsTerminal(w.to) {
		w.Write(text)
		return
	}
	w.put(string(text))
}

// write writes a text that is clean.
func (w *Writer) write(text string) error {
	if !w.whole && IsTerminal(w.to) {
		w.lines.width = Width(w.to)
		text = w.lines.wrap(text)
	}
	return w.put(text)
}

func (w *Writer) put(text string) error {
	_, err := io.WriteString(w.to, text)
	if w.err == nil {
		w.err = err
	}
	return err
}

// Write implements io.Writer. A letter or colour that is cut off waits for its
// rest.
func (w *Writer) Write(p []byte) (int, error) {
	data := append(w.tail, p...)
	whole := len(data) - cutOff(data)
	w.tail = bytes.Clone(data[whole:])
	if err := w.write(Clean(string(data[:whole]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush shows what waits for a rest that does not come.
func (w *Writer) Flush() error {
	tail := w.tail
	w.tail = nil
	return w.write(Clean(string(tail)))
}

// cutOff is how many bytes at the end of data may be the beginning of something.
func cutOff(data []byte) int {
	if esc := bytes.LastIndexByte(data, 0x1b); esc >= 0 {
		rest := string(data[esc:])
		if own := "\x1b[" + mark + ";"; strings.HasPrefix(own, rest) || strings.HasPrefix(rest, own) && strings.Trim(rest[len(own):], "0123456789;") == "" && len(rest) < len(own)+20 {
			return len(rest)
		}
	}
	for n := 1; n <= min(3, len(data)); n++ {
		switch c := data[len(data)-n]; {
		case c >= 0xF0 && n < 4, c >= 0xE0 && n < 3, c >= 0xC0 && n < 2:
			return n
		case c >= 0xC0 || c < 0x80:
			return 0
		}
	}
	return 0
}

// Clean is a text as a Writer shows it.
func Clean(s string) string {
	var b strings.Builder
	from := 0
	if strings.Contains(s, "\x1b") {
		for _, at := range ownColour().FindAllStringSubmatchIndex(s, -1) {
			b.WriteString(lang.Visible(s[from:at[0]]))
			b.WriteString("\x1b[" + s[at[2]:at[3]] + "m")
			from = at[1]
		}
	}
	if from == 0 {
		return lang.Visible(s)
	}
	b.WriteString(lang.Visible(s[from:]))
	return b.String()
}

// Plain is a text without colours.
func Plain(s string) string { return anyColour().ReplaceAllString(s, "") }

// Off ends all colours of a text that is Clean.
const Off = "\x1b[0m"

// Open is the colour that is on at the end of a text that is Clean, "" for none.
func Open(s string) string {
	list := anyColour().FindAllString(s, -1)
	if len(list) == 0 {
		return ""
	}
	switch last := list[len(list)-1]; last {
	case Off, "\x1b[m", "\x1b[22m", "\x1b[39m":
		return ""
	default:
		return last
	}
}
