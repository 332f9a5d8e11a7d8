package repl

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/chzyer/readline"
	"github.com/mattn/go-runewidth"
	"golang.org/x/term"

	"setpiece/cmd/internal/style"
	"setpiece/interp/assist"
	"setpiece/lang/late"
)

// Readline reads keys and moves in the line. What goes beyond that is done here,
// in the two places where it lets others take part: OnChange sees the line after
// each key and may put another in its place (Tab, what was pasted, taking a hint
// over), and Paint shows it (colours, the hint behind the cursor).

// noCompleter leaves Tab to OnChange: readline's own completer can only add to a
// word, not walk from one to the next.
type noCompleter struct{}

func (noCompleter) Do([]rune, int) ([][]rune, int) { return nil, 0 }

// walk is a walk through completions: each Tab puts the next in place of the last.
type walk struct {
	list []assist.Completion
	at   int // of the one that stands in the line; -1 while only the list is shown
	page int // how many the screen has room for
	seen int // which of these pages was shown last
	from int // where the word begins
	line string
	pos  int
}

// hint is what stands dim behind the cursor.
type hint struct {
	line string // for which it was worked out
	text string
	take bool
}

// begin forgets the last line.
func (t *Terminal) begin(prompt string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prompt = runewidth.StringWidth(escapes().ReplaceAllString(prompt, ""))
	t.walk, t.hint = walk{}, hint{}
}

var escapes = late.Regexp("\x1b\\[[0-9;]*m")

// OnChange implements readline.Listener.
func (t *Terminal) OnChange(line []rune, pos int, key rune) ([]rune, int, bool) {
	switch key {
	case 0, readline.CharEnter, readline.CharCtrlJ, readline.CharInterrupt, readline.CharDelete:
		return nil, 0, false // the line may have been handed over: the session is not ours
	}
	line, pos, ok := t.change(line, pos, key)
	if list := t.takeMenu(); list != "" {
		io.WriteString(style.NewWriter(t.rl.Stdout()), list) // draws the line anew, for which Paint is called
	}
	return line, pos, ok
}

func (t *Terminal) takeMenu() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.menu
	t.menu = ""
	return list
}

func (t *Terminal) change(line []rune, pos int, key rune) ([]rune, int, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch key {
	case pasteMark:
		return t.pasted(line, pos)
	case readline.CharTab:
		return t.tab(line, pos, 1)
	case backTab:
		line, pos = without(line, pos, backTab)
		if l, p, ok := t.tab(line, pos, -1); ok {
			return l, p, true
		}
		return line, pos, true
	case readline.CharForward, readline.CharLineEnd:
		if h := t.hint; h.take && h.line == string(line) && pos == len(line) && t.atEnd {
			t.atEnd = false
			line = []rune(string(line) + h.text)
			return line, len(line), true
		}
	}
	t.atEnd = pos == len(line)
	return nil, 0, false
}

// without takes a rune out that is no letter but a key.
func without(line []rune, pos int, key rune) ([]rune, int) {
	if pos > 0 && line[pos-1] == key {
		return slices.Delete(slices.Clone(line), pos-1, pos), pos - 1
	}
	return line, pos
}

// pasted puts letters in place of the mark that stands for them.
func (t *Terminal) pasted(line []rune, pos int) ([]rune, int, bool) {
	letters := []rune(t.keys.next())
	if pos == 0 || line[pos-1] != pasteMark {
		return nil, 0, false
	}
	line = slices.Concat(line[:pos-1], letters, line[pos:])
	pos += len(letters) - 1
	t.atEnd = pos == len(line)
	return line, pos, true
}

// tab completes the word before the cursor. With several completions it goes as
// far as they agree; then it lists them, and further Tabs walk through the list,
// Shift-Tab backwards.
func (t *Terminal) tab(line []rune, pos, step int) ([]rune, int, bool) {
	if w := &t.walk; len(w.list) > 0 && w.line == string(line) && w.pos == pos {
		w.at += step
		if n := len(w.list); w.at < 0 {
			w.at = n - 1
		} else {
			w.at %= n
		}
		if page := w.at / w.page; page != w.seen {
			width, height := t.size()
			w.seen = page
			t.menu, _ = menu(w.list, page*w.page, t.palette, width, height)
		}
		return t.put(line, pos, w.list[w.at].Text)
	}
	t.walk = walk{}
	before := string(line[:pos])
	if strings.TrimSpace(before) == "" {
		if step < 0 {
			return nil, 0, false
		}
		return slices.Concat([]rune("  "), line), pos + 2, true // indentation, perhaps pasted
	}
	if t.editor.Complete == nil {
		return nil, 0, false
	}
	from, list := t.editor.Complete(string(line), len(before))
	if len(list) == 0 {
		t.rl.Terminal.Bell()
		return nil, 0, false
	}
	word := before[from:]
	common := shared(list)
	fits := strings.HasPrefix(strings.ToLower(common), strings.ToLower(word)) && common != ""
	t.walk = walk{from: len([]rune(before[:from])), line: string(line), pos: pos}
	switch {
	case len(list) == 1:
		l, p, ok := t.put(line, pos, list[0].Text+closing(list[0]))
		t.walk = walk{}
		return l, p, ok
	case fits && len(common) > len(word):
		l, p, ok := t.put(line, pos, common)
		t.walk = walk{}
		return l, p, ok
	}
	t.walk.list, t.walk.at = list, -1
	if step < 0 {
		t.walk.at = 0
	}
	width, height := t.size()
	t.menu, t.walk.page = menu(list, 0, t.palette, width, height)
	return nil, 0, false
}

// put puts a word where the walk stands.
func (t *Terminal) put(line []rune, pos int, word string) ([]rune, int, bool) {
	w := &t.walk
	l := slices.Concat(line[:w.from], []rune(word), line[pos:])
	w.pos = w.from + len([]rune(word))
	w.line = string(l)
	t.atEnd = w.pos == len(l)
	return l, w.pos, true
}

func (t *Terminal) size() (width, height int) {
	width, height, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil || width <= 0 {
		return 80, 24
	}
	return width, height
}

// maxPainted is the longest line that is shown in colours; a longer one was
// pasted, and is nobody's to look at letter by letter.
const maxPainted = 2000

// Paint implements readline.Painter.
func (t *Terminal) Paint(line []rune, pos int) []rune {
	if t.palette.Verb == nil || len(line) == 0 || len(line) > maxPainted || line[0] == pasteMark {
		return line
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	kind := t.editor.Kind
	if kind == nil {
		return line
	}
	end, done := string(line), ""
	if trimmed, ok := strings.CutSuffix(end, "\n"); ok {
		end, done = trimmed, "\n" // the line is handed over
		pos = -1
	}
	painted := style.Clean(Paint(t.palette, kind, end, pos))
	if done == "" && pos == len(line) {
		painted += t.ghost(end)
	}
	return []rune(painted + done)
}

// ghost is the hint behind the cursor, which stays where it is.
func (t *Terminal) ghost(line string) string {
	if t.editor.Hint == nil {
		return ""
	}
	if t.hint.line != line {
		t.hint = hint{line: line}
		t.hint.text, t.hint.take = t.editor.Hint(line)
		if w := t.walk; len(w.list) > 0 && w.at >= 0 && w.line == line {
			t.hint.text, t.hint.take = fmt.Sprintf("   %d of %d   %s", w.at+1, len(w.list), w.list[w.at].Doc), false
		}
	}
	width, _ := t.size()
	room := width - (t.prompt+runewidth.StringWidth(line))%width - 1
	text := runewidth.Truncate(style.Clean(t.hint.text), room, "")
	n := runewidth.StringWidth(text)
	if n == 0 {
		return ""
	}
	return style.Clean(style.On(t.palette.Faint, text)) + fmt.Sprintf("\x1b[%dD", n)
}

// closing is what follows a completed word: a blank, but not where the word goes on.
func closing(c assist.Completion) string {
	if strings.HasSuffix(c.Text, string(os.PathSeparator)) || strings.HasSuffix(c.Text, "(") || strings.HasSuffix(c.Text, ".") {
		return ""
	}
	return " "
}

// menu lists completions from one on: with what they mean, one a line, where the screen has
// room for all; else in columns, as many as the screen holds. It says how many that are.
func menu(list []assist.Completion, from int, p style.Palette, width, height int) (text string, page int) {
	wide := 0
	for _, c := range list {
		wide = max(wide, runewidth.StringWidth(c.Text))
	}
	var b strings.Builder
	if len(list) <= max(height-4, 8) {
		for _, c := range list {
			b.WriteString(runewidth.Truncate("  "+c.Text, width, "…"))
			if doc := runewidth.Truncate(c.Doc, max(width-wide-6, 0), "…"); doc != "" {
				b.WriteString(strings.Repeat(" ", wide-runewidth.StringWidth(c.Text)+3) + style.On(p.Faint, doc))
			}
			b.WriteString("\n")
		}
		return b.String(), len(list)
	}
	columns := max((width-2)/(wide+2), 1)
	most := max(height-4, 8)
	shown := list[from:min(len(list), from+most*columns)]
	rows := (len(shown) + columns - 1) / columns
	for r := range rows {
		line := ""
		for c := range columns {
			if i := c*rows + r; i < len(shown) {
				line += "  " + shown[i].Text + strings.Repeat(" ", wide-runewidth.StringWidth(shown[i].Text))
			}
		}
		b.WriteString(runewidth.Truncate(strings.TrimRight(line, " "), width, "…") + "\n")
	}
	if more := len(list) - from - len(shown); more > 0 {
		b.WriteString(style.On(p.Faint, fmt.Sprintf("  and %d more: Tab goes on to them; a letter or two of the word leaves fewer", more)) + "\n")
	}
	return b.String(), most * columns
}
