package repl

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/chzyer/readline"
	"github.com/mattn/go-runewidth"

	"setpiece/cmd/internal/player"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
)

// newlineMark stands for the newlines of a block in the history, which has one
// line for each entry.
const newlineMark = "⏎"

// Terminal is the Lines of a person at a terminal.
type Terminal struct {
	rl       *readline.Instance
	palette  style.Palette
	complete func(line string, at int) (int, []interp.Completion)
}

// NewTerminal takes the terminal. The history is kept in the file named, ""
// for one that is not kept.
func NewTerminal(history string, palette style.Palette) (*Terminal, error) {
	t := &Terminal{palette: palette}
	rl, err := readline.NewEx(&readline.Config{
		HistoryFile:            history,
		HistoryLimit:           1000,
		DisableAutoSaveHistory: true,
		HistorySearchFold:      true,
		AutoComplete:           completer{t},
		EOFPrompt:              "\n",
	})
	if err != nil {
		return nil, err
	}
	t.rl = rl
	if info, err := os.Stat(history); err != nil || info.Size() == 0 {
		// Searching a history with nothing in it crashes readline.
		rl.SaveHistory(":help")
	}
	return t, nil
}

// Complete sets what completes a word when Tab is pressed.
func (t *Terminal) Complete(f func(line string, at int) (int, []interp.Completion)) { t.complete = f }

// Close gives the terminal back.
func (t *Terminal) Close() error { return t.rl.Close() }

// RestoreOnSignal gives the terminal back should the process be told to end.
// The journal needs no such care.
func (t *Terminal) RestoreOnSignal() {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		<-ch
		t.rl.Terminal.ExitRawMode()
		os.Exit(1)
	}()
}

// ReadLine implements Lines.
func (t *Terminal) ReadLine(prompt string) (string, error) {
	t.rl.SetPrompt(style.Clean(prompt))
	line, err := t.rl.Readline()
	switch {
	case errors.Is(err, readline.ErrInterrupt):
		return "", ErrInterrupt // the text that comes with it was dropped
	case err != nil:
		return "", io.EOF
	}
	t.newest()
	return strings.ReplaceAll(line, newlineMark, "\n"), nil
}

// Watch implements player.Watcher.
func (t *Terminal) Watch() (pressed func() bool, stop func()) { return player.WatchKeys(os.Stdin) }

// Remember implements Lines.
func (t *Terminal) Remember(entry string) {
	t.newest()
	t.rl.SaveHistory(strings.ReplaceAll(entry, "\n", newlineMark))
}

// newest puts the history back to its end. Readline otherwise saves the entry
// last looked at in place of a new one.
func (t *Terminal) newest() { t.rl.SaveHistory("") }

// completer is the Terminal as readline asks it. Readline can show candidates
// but not what they mean, so it is only ever given the one text to insert, and
// where there are several they are listed with their meaning above the line.
type completer struct{ t *Terminal }

// Do implements readline.AutoCompleter.
func (c completer) Do(line []rune, pos int) ([][]rune, int) {
	before := string(line[:pos])
	if strings.TrimSpace(before) == "" {
		return [][]rune{[]rune("  ")}, 0 // indentation, perhaps pasted
	}
	if c.t.complete == nil {
		return nil, 0
	}
	from, list := c.t.complete(string(line), len(before))
	if len(list) == 0 {
		return nil, 0
	}
	word := before[from:]
	rest, fits := strings.CutPrefix(shared(list), word)
	if len(list) == 1 && fits {
		return insert(rest + closing(list[0])), len([]rune(word))
	}
	if fits && rest != "" {
		return insert(rest), len([]rune(word))
	}
	io.WriteString(style.NewWriter(c.t.rl.Stdout()), menu(list, c.t.palette, readline.GetScreenWidth()))
	return nil, 0
}

func insert(s string) [][]rune { return [][]rune{[]rune(s)} }

// closing is what follows a completed word: a blank, except after a folder.
func closing(c interp.Completion) string {
	if strings.HasSuffix(c.Text, string(os.PathSeparator)) {
		return ""
	}
	return " "
}

// maxMenu is how many completions are listed.
const maxMenu = 40

func menu(list []interp.Completion, p style.Palette, width int) string {
	if width <= 0 {
		width = 80
	}
	wide := 0
	for _, c := range list[:min(len(list), maxMenu)] {
		wide = max(wide, runewidth.StringWidth(c.Text))
	}
	var b strings.Builder
	for i, c := range list {
		if i == maxMenu {
			b.WriteString("  …\n")
			break
		}
		b.WriteString("  " + c.Text)
		doc := runewidth.Truncate(c.Doc, max(width-wide-6, 0), "…")
		if doc != "" {
			b.WriteString(strings.Repeat(" ", wide-runewidth.StringWidth(c.Text)+3) + style.On(p.Faint, doc))
		}
		b.WriteString("\n")
	}
	return b.String()
}
