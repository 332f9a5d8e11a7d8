// Package repl is the prompt: it reads a line, or as many as the parser needs,
// lets a session evaluate them, and shows what happened. It needs no terminal:
// lines come from a Lines and everything shown goes to a writer.
//
// What is typed is all or nothing: an entry that fails leaves the session as
// it was. Each entry that changed something is a step that can be undone, and
// is written to a journal before it is evaluated.
package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/player"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/evening"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// ErrInterrupt is what Lines returns when the person dropped the line.
var ErrInterrupt = errors.New("interrupted")

// Lines is where lines come from.
type Lines interface {
	// ReadLine shows the prompt and returns a line without its newline. At the
	// end of the input it returns io.EOF, and when the person gave the line up,
	// ErrInterrupt. A line recalled from the history may be a whole block.
	ReadLine(prompt string) (string, error)
	// Remember adds an entry to the history, a whole block as one.
	Remember(entry string)
}

// Config is what a Loop needs.
type Config struct {
	Lines   Lines
	Out     io.Writer
	Palette style.Palette
	Session interp.Config // its Events, Chance and Choice are the loop's
	View    journal.View
	Records *transcript.JSON // where records go with View.JSON; nil: to Out
	Shell   []string         // the commands of the program: what they are for is said where somebody types one
	Ask     bool             // the person throws the dice
	Unasked bool             // the person does not decide: decisions take their defaults
	Forms   bool             // what one person decides at one moment is asked at once
	Auto    bool             // tactics act for everybody: the person gives no commands in turns
	Journal *journal.Journal // nil for none
	Resume  *journal.Content // a session to take up
	Version string
	Hint    string // shown under the banner
	// Topics are what help knows besides the language and the rules; nil: the commands of the prompt.
	Topics func() []assist.Topic
	// Edit lets the person edit a text with a program of theirs; nil for none.
	Edit func(text string) (string, error)
	// Quiet leaves out what is for a person at a terminal: the banner.
	Quiet bool
	Pages bool // long output is shown a screen at a time, where the lines come from the same terminal
	// Interrupt returns a context that ends when the person interrupts an
	// evaluation. Nil stands for the interrupt signal. Of several the one that was
	// begun last ends.
	Interrupt func() (context.Context, context.CancelFunc)

	// Questions is where questions go, and what is said about them; nil for Out.
	Questions io.Writer
	Errors    io.Writer // where mistakes of a script go; nil for Out
	Flush     func()    // empties what buffers Out before something is asked; may be nil
	Advise    bool      // show what options are worth without being asked
	Goal      string    // for which goal
	Seen      bool      // what is typed can be seen where the questions are
	Live      bool      // show everything as it happens
	Script    bool      // a script is played, see Play: nobody types entries
}

// Loop is an evening at the prompt.
type Loop struct {
	cfg        Config
	evening    *evening.Evening
	transcript transcript.Writer
	usual      []*interp.Event // decisions that were made as usual since that was said
	saidUsual  map[string]bool // those of which it was said
	table      *player.Table

	rolling bool          // dice alone were typed
	waited  time.Duration // for the person, during this evaluation
	saved   string        // the file that this session was saved to

	entry context.Context // of the entry that is being evaluated: it ends when the person interrupts it
	text  string          // of that entry

	byHand    string // what the game master did at a question, until it has shown something
	lastEntry string // that was typed, for :edit
	failed    bool   // something that was typed failed

	trace, brief, timing bool
	used                 bool   // a module was taken into use during this evaluation
	pending              string // the lines before the one that is being typed
	quit                 bool

	playing bool   // a script is played
	stays   string // how to go on with a script that stopped with an error
	asking  func(*interp.Session)

	width int      // of the terminal, while what is shown is gathered for its pages; else 0
	below []string // what the screen has no room for, until somebody presses Enter

	moved   error            // a command has taken the evening away from it
	aside   *transcript.Text // shows a course that is tried out
	line    string           // that was answered last, until it is known what was said to it
	remarks strings.Builder  // what was said to it, for records
}

// New returns a loop. A session that is taken up is so when it runs.
func New(cfg Config) *Loop {
	if cfg.Interrupt == nil {
		cfg.Interrupt = (&interrupts{}).begin
	}
	if cfg.Questions == nil {
		cfg.Questions = cfg.Out
	}
	if cfg.Errors == nil {
		cfg.Errors = cfg.Out
	}
	l := &Loop{cfg: cfg, saidUsual: map[string]bool{}, trace: cfg.View.Trace, brief: cfg.View.Brief}
	if cfg.View.JSON {
		l.transcript = cfg.Records
		if cfg.Records == nil {
			l.transcript = transcript.NewJSON(cfg.Out, cfg.View.Quiet)
		}
	} else {
		l.transcript = transcript.NewText(cfg.Out, transcript.Options{
			Palette: cfg.Palette.Palette, Brief: cfg.View.Brief, Trace: cfg.View.Trace, Quiet: cfg.View.Quiet, Prompt: !cfg.Script, Seen: cfg.Seen,
		})
	}
	l.table = l.newTable()
	if cfg.Resume == nil {
		l.evening = evening.Begin(l.config())
	}
	return l
}

// config is what the evening is begun with, or taken up.
func (l *Loop) config() evening.Config {
	session := l.cfg.Session
	session.Standings = l.cfg.View.Brief
	var pauses []string
	if l.cfg.Script && l.cfg.Seen && !l.cfg.Auto && !l.cfg.View.JSON && !l.cfg.View.Quiet {
		pauses = []string{evening.Ending}
	}
	return evening.Config{
		Session: session, Store: l.cfg.Journal, Host: host{l}, Pauses: pauses,
		Dice: l.cfg.Ask, Forms: l.cfg.Forms, Unasked: l.cfg.Unasked, Auto: l.cfg.Auto, Retell: l.cfg.View.JSON, Value: l.showValue,
		Run: func(context.Context) (context.Context, func()) {
			ctx, stop := l.interrupt()
			return ctx, func() {
				if ctx.Err() != nil {
					l.printf("\n") // behind the ^C that the terminal shows
				}
				stop()
			}
		},
	}
}

func (l *Loop) flush() {
	if l.cfg.Flush != nil {
		l.cfg.Flush()
	}
}

// Run reads and evaluates until the person leaves or the lines end.
func (l *Loop) Run() error {
	if !l.cfg.Quiet {
		l.printf("%s   %s\n", style.On(l.cfg.Palette.Title, "setpiece "+l.cfg.Version), ":help for help, :quit to leave")
	}
	if l.cfg.Hint != "" {
		l.printf("%s\n", l.cfg.Hint)
	}
	l.resume()
	for !l.quit {
		entry, err := l.read()
		if errors.Is(err, ErrInterrupt) {
			continue
		}
		if err != nil {
			return l.leave(err)
		}
		l.enter(entry)
	}
	return l.leave(nil)
}

// leave closes the journal. The end of the input is a way to leave; any other
// error is not, and the journal then says that the session was cut off.
func (l *Loop) leave(err error) error {
	if err != nil && !errors.Is(err, io.EOF) {
		l.cfg.Journal.Close()
		return err
	}
	if !l.evening.Leave() {
		return l.cfg.Journal.Discard()
	}
	return l.cfg.Journal.Close()
}

const (
	prompt = "> "
	more   = ". "
)

// read gets an entry: a line, and as many further ones as it takes to complete it.
func (l *Loop) read() (string, error) {
	l.flush()
	entry, err := l.readLine(style.On(l.cfg.Palette.Prompt, prompt))
	defer func() { l.pending = "" }()
	var text strings.Builder // grows without copying what is there after each line
	text.WriteString(entry)
	open := openBrackets(entry)
	for err == nil && (len(entry) > quickEntry && open > 0 || len(entry) <= maxEntry && incomplete(entry)) {
		text.WriteByte('\n')
		l.pending = text.String()
		var line string
		line, err = l.readLine(style.On(l.cfg.Palette.Prompt, more))
		if c, ok := lookCommand(strings.TrimPrefix(strings.TrimSpace(line), ":")); ok && player.IsCommand(line) && c.name == "edit" {
			text := l.edited(entry)
			l.cfg.Lines.Remember(text)
			l.lastEntry = text
			return text, nil
		}
		open += openBrackets(line)
		if len(entry) <= maxEntry {
			text.WriteString(line)
		}
		entry = text.String()
	}
	if err == nil && len(entry) > maxEntry {
		l.complain("this entry is longer than %d KiB: put it in a file, and type  :load FILE", maxEntry>>10)
		return "", nil
	}
	if err == nil && strings.TrimSpace(entry) != "" {
		l.cfg.Lines.Remember(entry)
	}
	if err == nil && !player.IsCommand(entry) && !isBlank(entry) {
		l.lastEntry = entry
	}
	return entry, err
}

// An entry of many lines is parsed after each of them. That of a long one would take
// minutes in all, so its brackets alone are counted until they are closed; what is longer
// than maxEntry is for a file.
const (
	quickEntry = 2 << 10
	maxEntry   = 256 << 10
)

// openBrackets is how many brackets a line opens, less those that it closes.
func openBrackets(line string) int {
	n, quoted := 0, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '#':
			return n
		case strings.IndexByte("([{", c) >= 0:
			n++
		case strings.IndexByte(")]}", c) >= 0:
			n--
		}
	}
	return n
}

// incomplete says that more lines could make sense of the text. Where it also
// has mistakes they are told when it is complete: the rest of a pasted block
// must not be taken for entries of its own.
func incomplete(text string) bool {
	if name, arg, _ := strings.Cut(strings.TrimSpace(text), " "); name == ":what-if" {
		text = change(strings.TrimSpace(arg)).Line
	}
	if ours, read, _ := lang.Notation(text); len(read) > 0 && !strings.Contains(text, "\n") {
		text = ours
	}
	return player.Unfinished(text)
}

func (l *Loop) enter(entry string) {
	ctx, stop := l.cfg.Interrupt()
	l.entry = ctx
	defer func() {
		stop()
		l.entry = nil
	}()
	switch {
	case isBlank(entry):
	case player.IsCommand(entry):
		l.replying(entry, func() { l.command(strings.TrimSpace(entry)) })
	case l.evening.Courses() != nil:
		l.replying(entry, func() { l.complain("%s", openCourse) })
	default:
		start := time.Now()
		l.waited = 0
		entry, readable := l.ours(entry)
		if !readable {
			return
		}
		if text, ok := asks("odds", entry); ok {
			l.replying(entry, func() { l.odds(text) })
		} else if text, ok := asks("why", entry); ok {
			l.replying(entry, func() { l.why(text) })
		} else {
			l.text, l.used = evening.Spelled(entry), false
			l.rolling = l.text != entry && !evening.UsesLast(entry)
			l.ended(l.evening.Enter(ctx, entry))
			l.rolling = false
		}
		if l.timing {
			l.faint(fmt.Sprintf("%.1f ms", float64((time.Since(start)-l.waited).Microseconds())/1000))
		}
	}
}

// ours gives an entry that is in the notation of bots or of AnyDice in the words of the language, and says them.
// It says no where it has told why it cannot be read.
func (l *Loop) ours(entry string) (string, bool) {
	program := lang.AsksSeveral(entry)
	if strings.Contains(entry, "\n") && !program {
		return entry, true
	}
	ours, read, wrong := lang.Notation(entry)
	if wrong != nil {
		l.complain("%s", wrong)
		return "", false
	}
	for _, r := range read {
		l.faint(r.String())
	}
	about, said := asks("odds", ours)
	typed, _ := asks("odds", entry)
	switch {
	case !said && lang.AsksOdds(entry):
		return "odds " + strings.ReplaceAll(ours, "; ", ", "), true
	case said && lang.AsksSeveral(typed):
		return "odds " + strings.ReplaceAll(about, "; ", ", "), true
	}
	return ours, true
}

// interrupt begins something that the person may interrupt. It has ended already if they did
// between two such things of one entry.
func (l *Loop) interrupt() (context.Context, context.CancelFunc) {
	ctx, stop := l.cfg.Interrupt()
	if l.entry == nil || l.entry.Err() == nil {
		return ctx, stop
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return ctx, stop
}

// isBlank says that there is nothing to evaluate, comments or no comments.
func isBlank(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			return false
		}
	}
	return true
}

// release shows what the transcript holds back.
func (l *Loop) release() {
	if t, ok := l.transcript.(*transcript.Text); ok {
		t.Release()
	}
}

// printf says something to the person: where the questions are.
func (l *Loop) printf(format string, args ...any) { fmt.Fprintf(l.cfg.Questions, format, args...) }

// also is a writer to where the questions are that keeps what is said there for records.
func (l *Loop) also(remarks *strings.Builder) io.Writer {
	if !l.cfg.View.JSON {
		return l.cfg.Questions
	}
	return io.MultiWriter(l.cfg.Questions, remarks)
}

// replying does what a line asks for. With records, all it says is one.
func (l *Loop) replying(line string, do func()) {
	if !l.cfg.View.JSON {
		do()
		return
	}
	out, questions := l.cfg.Out, l.cfg.Questions
	var said strings.Builder
	to := l.also(&said)
	l.cfg.Out, l.cfg.Questions = to, to
	do()
	l.cfg.Out, l.cfg.Questions = out, questions
	l.reply(line, said.String())
}

// reply writes what was said to a line, where records are written.
func (l *Loop) reply(line, text string) {
	if j, ok := l.transcript.(*transcript.JSON); ok && text != "" {
		j.Reply(strings.TrimSpace(line), text)
	}
}

func (l *Loop) faint(s string) { l.printf("%s\n", style.On(l.cfg.Palette.Faint, s)) }

// Failed says whether anything that was typed failed.
func (l *Loop) Failed() bool { return l.failed }

// complain tells the person what is wrong with a command of the prompt.
func (l *Loop) complain(format string, args ...any) {
	l.failed = true
	l.printf("%s\n", style.On(l.cfg.Palette.Error, fmt.Sprintf(format, args...)))
}
