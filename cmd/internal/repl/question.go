package repl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// What can be typed at a question besides an answer. Nothing of it changes the game;
// :undo and :pause end the evaluation that asks: :undo to begin it again with fewer
// answers, :pause to leave with the question open.

// What :what-if has shown is taken or dropped alike at a question and between two.
var (
	keepCommand = command{"keep", "", "take the course that :what-if has shown, instead of what was", (*Loop).keepCourse, nil}
	dropCommand = command{"drop", "", "forget the course that :what-if has shown", (*Loop).dropCourse, nil}
)

// questionCommands lists the commands that are understood at a question.
func questionCommands() []command {
	list := []command{
		{"undo", "[N]", "take back your last answer, or the last N", (*Loop).takeBack, nil},
		{"redo", "[N]", "give the answers again that you took back, or N of them", (*Loop).giveAgain, nil},
		{"what-if", "[N] ANSWER", "see what another answer would have led to, in the place of your last one, or of the N-th from the end", (*Loop).whatIfAnswer, nil},
		keepCommand, dropCommand,
		{"log", "[N|all]", "show again what happened: the last N lines", (*Loop).showLog, nil},
		{"pause", "", "leave; everything is kept (so does Ctrl-D)", func(l *Loop, _ string) { l.pauseNow() }, nil},
		{"quit", "", "the same", func(l *Loop, _ string) { l.pauseNow() }, nil},
	}
	for _, name := range []string{"auto", "ask", "quiet", "ahead", "asked", "dice", "help", "explain", "state", "options", "trace", "time"} {
		if c, ok := findCommand(name); ok {
			list = append(list, c)
		}
	}
	return list
}

// atQuestion does what a line with a colon asks for at a question.
func (l *Loop) atQuestion(line string) error {
	name, arg, _ := strings.Cut(strings.TrimPrefix(line, ":"), " ")
	arg = strings.TrimSpace(arg)
	out := l.cfg.Out
	l.cfg.Out = l.cfg.Questions // what is asked about is no part of the transcript
	defer func() { l.cfg.Out = out }()
	list := questionCommands()
	c, ok := lookIn(list, name)
	l.moved = nil
	l.replying(line, func() { l.doAtQuestion(c, ok, name, arg, list) })
	l.line = ""
	return l.moved
}

// doAtQuestion does what a command asks for, or says why it cannot.
func (l *Loop) doAtQuestion(c command, ok bool, name, arg string, list []command) {
	switch {
	case !ok:
		l.unknownAtQuestion(name, list)
	case name == "help" && arg == "":
		l.paged(func() { l.helpAtQuestion(list) })
	case l.evening.Courses() != nil && !whileOpen(c.name):
		l.complain("%s", openCourse)
	case l.evening.Open().Aside != nil && slices.Contains([]string{"undo", "redo", "what-if", "keep", "auto", "ask", "ahead", "dice"}, c.name):
		l.complain(":%s cannot be used in a course that is only tried out: answer, or type :drop", c.name)
	case arg == "" && needsArg(c):
		l.complain(":%s needs %s", c.name, c.args)
	case slices.Contains(read, c.name):
		l.paged(func() { c.run(l, arg) })
	default:
		c.run(l, arg)
	}
}

// alsoAtQuestion does what a line says at a question that is no answer to it: it declares somebody,
// asks for odds, or is a command of the prompt without its colon.
func (l *Loop) alsoAtQuestion(line string) (done bool, err error) {
	q := l.evening.Open()
	word, rest, _ := strings.Cut(line, " ")
	if word == "exit" && rest == "" {
		word = "quit"
	}
	var do func()
	c, known := findIn(questionCommands(), word)
	switch odds, why := word == "odds", word == "why" && rest != ""; {
	case evening.Asks(line):
		return false, nil
	case l.evening.Declares(line):
		do = func() { l.laterOrShown(l.evening.Declare(line)) }
	case q.Kind != evening.Command && !answers(q, line) && l.evening.OfTable(line):
		do = func() {
			err := l.evening.Meanwhile(line)
			if errors.Is(err, evening.ErrMoved) {
				l.byHand = strings.TrimSpace(line)
			}
			l.laterOrShown(err)
		}
	case !odds && !why && (!known || rest != "" && c.args == ""):
		return false, nil
	case answers(q, line):
		return false, nil
	case odds:
		do = func() { l.evening.Session().Apart(func() { l.odds(l.ofTurn(rest)) }) }
	case why:
		do = func() { l.evening.Session().Apart(func() { l.why(l.ofTurn(rest)) }) }
	default:
		return true, l.atQuestion(":" + strings.TrimSpace(word+" "+rest))
	}
	l.moved = nil
	l.replying(line, do)
	l.line = ""
	return true, l.moved
}

// answers says whether a line is an answer to a question.
func answers(q *evening.Query, line string) bool {
	_, err := q.Read(line)
	return err == nil
}

// laterOrShown leaves a question that is put again, or shows what is wrong.
func (l *Loop) laterOrShown(err error) {
	if errors.Is(err, evening.ErrMoved) {
		l.moved = err
	} else {
		l.failed = true
		render.Error(l.cfg.Questions, l.cfg.Palette, err)
	}
}

// ofTurn is a command of whoever has the turn as a script has it: with who acts. Where nothing is said it is the usual one.
func (l *Loop) ofTurn(text string) string {
	q := l.evening.Open()
	if q == nil || q.Kind != evening.Command {
		return text
	}
	text = cmp.Or(text, q.Usual)
	named := `"` + q.Who + `": ` + text
	if ds := l.evening.Session().Check(lang.NewSource("", named)); ds.Errors() {
		return text
	}
	return named
}

func (l *Loop) unknownAtQuestion(name string, list []command) {
	if _, ok := findCommand(name); ok {
		l.complain(":%s cannot be used at a question: answer it first", name)
		return
	}
	var names []string
	for _, c := range list {
		names = append(names, c.name)
	}
	help := ":help lists what you can type here"
	if near, ok := lang.Nearest(name, names); ok {
		help = "did you mean :" + near + "?"
	}
	l.complain("there is no :%s   %s", name, help)
}

func (l *Loop) helpAtQuestion(list []command) {
	rows := [][]string{
		{"  Enter", "take the answer that is marked"},
		{"  ?", "what each answer is worth; ? GOAL for another goal"},
		{"  :help WORD", "what a word of the rules means"},
	}
	if l.evening.Open().Kind == evening.Command {
		rows[0] = []string{"  Enter", "do what is in brackets"}
		rows[1] = []string{"  ?", "the commands that are worth most; ? GOAL for another goal"}
		rows = append(rows, []string{"  pass", "do nothing more in this turn"})
	}
	for _, c := range list {
		if c.name != "help" {
			rows = append(rows, []string{"  " + strings.TrimSpace(":"+c.name+" "+c.args), c.doc})
		}
	}
	render.Table(l.cfg.Questions, rows)
}

// takeBack has the evaluation begin again without the last answers.
func (l *Loop) takeBack(arg string) {
	n, ok := l.howMany(arg, "take back")
	if !ok {
		return
	}
	err := l.evening.TakeBack(n)
	switch {
	case errors.Is(err, evening.ErrMoved):
		l.moved = err
	case l.playing:
		l.complain("this is the first question: there is no answer to take back")
	default:
		l.complain("there is no answer to take back; Ctrl-C drops the command, and :undo then takes back the one before")
	}
}

// howMany reads for how many answers something is to be done: one where nothing is said.
func (l *Loop) howMany(arg, do string) (n int, ok bool) {
	if arg == "" {
		return 1, true
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 {
		l.complain("type how many answers to %s: a number from 1, not %s", do, arg)
		return 0, false
	}
	return n, true
}

// giveAgain gives answers again that were taken back, from this question on.
func (l *Loop) giveAgain(arg string) {
	if n, ok := l.howMany(arg, "give again"); ok {
		l.refused(l.evening.GiveAgain(n), nil)
	}
}

// pauseNow leaves: the evaluation stays open in the journal, with its answers.
func (l *Loop) pauseNow() error {
	l.quit, l.moved = true, evening.ErrLeft
	return evening.ErrLeft
}

// showLog shows again what happened.
func (l *Loop) showLog(arg string) {
	lines := 40
	if n, err := strconv.Atoi(arg); err == nil && n > 0 {
		lines = n
	} else if arg != "" && arg != "all" {
		l.complain(":log, :log all, or :log and how many lines; not %s", arg)
		return
	}
	var b strings.Builder
	t := transcript.NewText(&b, transcript.Options{Palette: l.cfg.Palette.Palette, Trace: l.trace})
	for _, x := range l.evening.Story() {
		if x.Event != nil {
			t.Event(x.Event)
			continue
		}
		t.Flush()
		fmt.Fprintln(&b, style.On(l.cfg.Palette.Faint, "("+inWords(x.Notice)+")"))
	}
	if q := l.evening.Open(); q != nil && q.Aside == nil && len(q.Open) > 0 {
		t.Event(&interp.Event{Kind: interp.EventThrow, Request: &interp.Request{Open: q.Open}})
	}
	t.Flush()
	text := strings.SplitAfter(b.String(), "\n")
	if arg != "all" && len(text)-1 > lines {
		text = text[len(text)-1-lines:]
		l.faint("…   :log all shows everything")
	}
	l.printf("%s", strings.Join(text, ""))
	if b.Len() == 0 {
		l.faint("nothing has happened yet")
	}
}

// beforeQuestion shows what the writers hold back, so that it stands above the
// question.
func (l *Loop) beforeQuestion() {
	l.release()
	if l.byHand != "" {
		l.faint("  done: " + lang.Visible(l.byHand))
		l.byHand = ""
	}
	l.flush()
	l.sayUsual()
	if l.asking != nil {
		l.asking(l.evening.Session())
	}
}

// over says at the end of a script how everybody stands. What was answered last can still be taken back.
func (l *Loop) over() error {
	l.sayUsual()
	l.transcript.Flush()
	l.flush()
	out := l.cfg.Out
	l.cfg.Out = l.cfg.Questions
	defer func() { l.cfg.Out = out }()
	l.printf("\nThe evening is over.\n")
	if stands := transcript.Status(l.evening.Session().Status(), l.cfg.Palette.Palette, 0); stands != "" {
		l.printf("%s\n", stands)
	}
	for l.moved = nil; l.evening.Said() > 0 && l.moved == nil; {
		line, err := l.readLine("Enter leaves, :undo takes your last answer back: ")
		if err != nil || isBlank(line) {
			return nil
		}
		name, arg, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), ":"), " ")
		switch {
		case name == "quit" || name == "exit" || name == "pause":
			return nil
		case name == "undo":
			l.takeBack(arg)
		case name == "state" || name == "log":
			c, _ := findCommand(name)
			l.paged(func() { c.run(l, arg) })
		default:
			l.complain("the evening is over: Enter leaves, :undo takes your last answer back, :state and :log show how it is")
		}
	}
	return l.moved
}

// Asking has f called before each question, with the session as it stands.
func (l *Loop) Asking(f func(*interp.Session)) { l.asking = f }

// Play evaluates a script with somebody who decides, instead of reading entries. It
// is an entry of the journal like those of the prompt: a script that is taken up goes
// on at the question at which it was left. The session is then as the script left it.
// left says that the person has left, and the script is not over.
func (l *Loop) Play(src *lang.Source) (left bool, err error) {
	l.playing = true
	if l.cfg.Resume != nil {
		if r := l.takeUp("you continue"); r.Open != nil {
			l.faint(fmt.Sprintf("%s, after %s; :log shows what happened", r.Open.Name, countAnswers(r.Answers)))
		}
	}
	err = l.evening.Play(context.Background(), src)
	var failed *evening.Failed
	switch {
	case errors.Is(err, evening.ErrLeft):
		return true, errors.Join(l.transcript.Flush(), l.cfg.Journal.Close())
	case errors.As(err, &failed) && l.cfg.Journal != nil:
		l.stays = l.howToContinue(failed.Redo)
		return false, errors.Join(failed.Err, l.cfg.Journal.Close())
	case failed != nil:
		err = failed.Err
	}
	return false, errors.Join(err, l.cfg.Journal.Discard())
}

// howToContinue says how to go on with a script that has stopped with an error. An answer that led to
// it was taken back, so that whoever takes the evening up can go another way.
func (l *Loop) howToContinue(back evening.Back) string {
	switch back {
	case evening.Behind:
		return "The script stopped before it came to where you were. Nothing is lost: the evening, with your answers, is kept in " + l.cfg.Journal.Path()
	case evening.ToQuestion:
		return "Your answers are saved. Go on at the same question with: setpiece play --resume"
	}
	return "The script stopped, but your answers are saved. To answer the last question otherwise: setpiece play --resume"
}

// Stays says how to go on with a script that has stopped with an error, "" where there is
// nothing to go on with.
func (l *Loop) Stays() string { return l.stays }

// Answers counts what the person has answered in the script that is played.
func (l *Loop) Answers() int { return len(l.evening.Replies()) }

// Session is the session of the loop.
func (l *Loop) Session() *interp.Session { return l.evening.Session() }
