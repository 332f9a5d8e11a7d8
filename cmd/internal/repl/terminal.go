package repl

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/chzyer/readline"
	"github.com/mattn/go-runewidth"

	"setpiece/cmd/internal/player"
	"setpiece/cmd/internal/style"
	"setpiece/interp/assist"
)

// newlineMark stands for the newlines of a block in the history, which has one
// line for each entry.
const newlineMark = "⏎"

// Terminal is the Lines of a person at a terminal.
type Terminal struct {
	rl      *readline.Instance
	palette style.Palette
	keys    *pasteReader
	stdin   io.Closer
	prompt  int // how wide the prompt is
	raw     rawMode
	reading atomic.Bool

	mu     sync.Mutex // readline calls from a goroutine of its own
	editor Editor
	walk   walk
	hint   hint
	menu   string // to be shown above the line
	atEnd  bool   // the cursor stood at the end before the last key
}

// Editor is what a Terminal asks about a line while it is typed. All of it may be
// nil. It is asked only while ReadLine waits.
type Editor struct {
	// Complete lists what may stand at a place of a line.
	Complete func(line string, at int) (from int, list []assist.Completion)
	// Hint says what may come next, and whether it is text that can be taken over
	// as it is.
	Hint func(line string) (text string, take bool)
	// Kind tells what a word is, for its colour, as interp.Session.WordKind does.
	Kind func(word string) string
}

// NewTerminal takes the terminal. The history is kept in the file named, ""
// for one that is not kept.
func NewTerminal(history string, palette style.Palette) (*Terminal, error) {
	t := &Terminal{palette: palette, keys: &pasteReader{r: os.Stdin}}
	stdin := readline.NewCancelableStdin(t.keys)
	t.stdin = stdin
	rl, err := readline.NewEx(&readline.Config{
		HistoryFile:            history,
		HistoryLimit:           1000,
		DisableAutoSaveHistory: true,
		HistorySearchFold:      true,
		AutoComplete:           noCompleter{},
		Listener:               t,
		Painter:                t,
		Stdin:                  stdin,
		EOFPrompt:              "\n",
		FuncFilterInputRune:    t.filter,
		FuncMakeRaw:            t.raw.enter,
		FuncExitRaw:            t.raw.leave,
	})
	if err != nil {
		return nil, err
	}
	t.rl = rl
	onContinue(t.continued)
	if _, err := os.Stat(history); err != nil {
		// Searching a history with nothing in it crashes readline.
		rl.SaveHistory(":help")
	}
	return t, nil
}

// filter sees each key before readline does. At Ctrl-Z readline takes a pause of the clock for
// the sign that it was stopped and continued, so it would wait for ever after a short stop, or
// after none.
func (t *Terminal) filter(key rune) (rune, bool) {
	if key != readline.CharCtrlZ {
		return key, true
	}
	t.rl.Clean()
	t.raw.leave()
	suspend()
	t.raw.enter()
	return key, false // draws the line again
}

// continued is called when the program goes on after a stop. The shell has the terminal as it
// likes it; while a line is typed it has to be raw, and the line may be gone from the screen.
func (t *Terminal) continued() {
	if t.reading.Load() {
		t.raw.enter()
		t.rl.Refresh()
	}
}

// rawMode has the terminal hand over each key as it is pressed. Entered twice it still knows
// how the terminal was at first.
type rawMode struct {
	mu  sync.Mutex
	was *readline.State
}

func (r *rawMode) enter() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	was, err := readline.MakeRaw(readline.GetStdin())
	if err == nil && r.was == nil {
		r.was = was
	}
	return err
}

func (r *rawMode) leave() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.was == nil {
		return nil
	}
	was := r.was
	r.was = nil
	return readline.Restore(readline.GetStdin(), was)
}

// Edit sets who is asked about a line while it is typed.
func (t *Terminal) Edit(e Editor) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.editor = e
}

// Close gives the terminal back.
func (t *Terminal) Close() error {
	// Readline wraps what it reads from and closes only the wrapping; where it has begun to
	// read on, it would wait for a key.
	t.stdin.Close()
	return t.rl.Close()
}

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
	width, _ := t.size()
	above, prompt := splitPrompt(style.Clean(prompt), width)
	io.WriteString(t.rl.Stdout(), above)
	t.begin(prompt)
	t.rl.SetPrompt(prompt)
	t.reading.Store(true)
	line, err := t.rl.Readline()
	t.reading.Store(false)
	switch {
	case errors.Is(err, readline.ErrInterrupt):
		return "", ErrInterrupt // the text that comes with it was dropped
	case err != nil:
		return "", io.EOF
	}
	t.newest()
	return strings.ReplaceAll(line, newlineMark, "\n"), nil
}

// splitPrompt breaks a prompt between words. Readline draws what it prompts with again at each
// key, and knows one line: the lines above it are written once. There is room for an answer
// behind it.
func splitPrompt(prompt string, width int) (above, line string) {
	room := width - answerRoom
	if runewidth.StringWidth(style.Plain(prompt)) <= room {
		return "", prompt
	}
	prompt = style.Wrap(prompt, room)
	i := strings.LastIndexByte(prompt, '\n') + 1
	above, line = prompt[:i], prompt[i:]
	if on := style.Open(above); on != "" {
		above, line = above[:i-1]+style.Off+"\n", on+line
	}
	return above, line
}

// answerRoom is how much of a line a prompt leaves to who answers.
const answerRoom = 12

// Watch implements player.Watcher. What is typed meanwhile is read next, key by key: what was
// entered counts as entered.
func (t *Terminal) Watch(interrupt func()) (pressed func() bool, stop func()) {
	pressed, end := player.WatchKeys(os.Stdin, interrupt)
	if pressed == nil {
		return nil, nil
	}
	return pressed, func() { t.keys.ahead(player.TypedAhead(end())) }
}

// Remember implements Lines.
func (t *Terminal) Remember(entry string) {
	t.newest()
	t.rl.SaveHistory(strings.ReplaceAll(entry, "\n", newlineMark))
}

// newest puts the history back to its end. Readline otherwise saves the entry
// last looked at in place of a new one.
func (t *Terminal) newest() { t.rl.SaveHistory("") }
