package repl

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"

	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
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
	for _, name := range []string{"auto", "ask", "dice", "help", "explain", "state", "options", "trace", "time"} {
		if c, ok := findCommand(name); ok {
			list = append(list, c)
		}
	}
	return list
}

// errLeft ends an evaluation that is left with its question open, or that begins
// again with fewer answers.
var errLeft = errors.New("the question was left")

// atQuestion does what a line with a colon asks for at a question.
func (l *Loop) atQuestion(line string) error {
	name, arg, _ := strings.Cut(strings.TrimPrefix(line, ":"), " ")
	arg = strings.TrimSpace(arg)
	out := l.cfg.Out
	l.cfg.Out = l.cfg.Questions // what is asked about is no part of the transcript
	defer func() { l.cfg.Out = out }()
	list := questionCommands()
	c, ok := lookIn(list, name)
	l.replying(line, func() { l.doAtQuestion(c, ok, name, arg, list) })
	d := l.desk
	d.line = ""
	if l.paused || d.back > 0 || d.trying != nil || d.keeping != nil || d.rerun != nil && d.rerun.left {
		return errLeft
	}
	if l.desk.forth > 0 {
		return errRedo
	}
	if d.throw && !d.ask && d.rerun == nil {
		return interp.ErrRoll
	}
	return nil
}

// doAtQuestion does what a command asks for, or says why it cannot.
func (l *Loop) doAtQuestion(c command, ok bool, name, arg string, list []command) {
	switch {
	case !ok:
		l.unknownAtQuestion(name, list)
	case name == "help" && arg == "":
		l.paged(func() { l.helpAtQuestion(list) })
	case l.trial != nil && !whileOpen(c.name):
		l.complain("%s", openCourse)
	case l.desk.rerun != nil && slices.Contains([]string{"undo", "redo", "what-if", "keep", "auto", "ask", "dice"}, c.name):
		l.complain(":%s cannot be used in a course that is only tried out: answer, or type :drop", c.name)
	case arg == "" && needsArg(c):
		l.complain(":%s needs %s", c.name, c.args)
	case slices.Contains(read, c.name):
		l.paged(func() { c.run(l, arg) })
	default:
		c.run(l, arg)
	}
}

// meant says what to type at a question instead of the name of a command without its colon, or
// of one of the prompt.
func meant(line string, turn bool) string {
	word, rest, _ := strings.Cut(line, " ")
	if word == "exit" {
		word = "quit"
	}
	if word == "odds" || word == "why" {
		if turn {
			return "type  ?  to see which commands are worth most"
		}
		return "type  ?  to see what each answer is worth"
	}
	c, ok := findIn(questionCommands(), word)
	if !ok || rest != "" && c.args == "" {
		return ""
	}
	return "the commands here begin with a colon:  :" + strings.TrimSpace(word+" "+rest)
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
	if l.desk.turn != nil {
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
	given := len(l.desk.said)
	switch {
	case !ok:
	case given == 0 && l.playing:
		l.complain("this is the first question: there is no answer to take back")
	case given == 0:
		l.complain("there is no answer to take back; Ctrl-C drops the command, and :undo then takes back the one before")
	default:
		l.desk.back = l.withHand(min(n, given))
	}
}

// withHand is how many things that the person said are taken back with the last n: where
// tactics gave the first of these answers as somebody was handed to them, that as well, or
// else the question would come again and its answer with it.
func (l *Loop) withHand(n int) int {
	said, replies := l.desk.said, l.desk.replies
	first := len(said) - n
	at := len(replies) - journal.Answers(said[first:])
	if first > 0 && !said[first].Turns() && said[first-1].Hand != nil && at >= 0 && replies[at].handed {
		n++
	}
	return n
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

// errRedo ends a question whose answer is one that was taken back.
var errRedo = errors.New("the answer is given again")

// giveAgain gives answers again that were taken back, from this question on.
func (l *Loop) giveAgain(arg string) {
	n, ok := l.howMany(arg, "give again")
	if !ok {
		return
	}
	if len(l.desk.undone) == 0 {
		l.complain("no answer was taken back, or you have given another since")
		return
	}
	if k := l.desk.undone[0].Keep; k != nil {
		l.desk.undone = l.desk.undone[1:]
		l.desk.keeping = k
		return
	}
	l.desk.forth = min(n, journal.Answers(l.desk.undone))
}

// pauseNow leaves: the evaluation stays open in the journal, with its answers.
func (l *Loop) pauseNow() error {
	l.paused, l.quit = true, true
	return errLeft
}

// answering evaluates a text until there is an answer to every question, or the
// person leaves. When answers are taken back the evaluation begins again from the
// state before it, with the answers that are left: the same dice fall, and the
// question that comes is the one that was answered.
func (l *Loop) answering(src *lang.Source) error {
	before, past := l.sess.Snapshot(), len(l.story)
	d := l.desk
	d.begin(d.before)
	for {
		l.story = l.story[:min(past, len(l.story))]
		l.answers, l.told = nil, nil
		err := l.run(src)
		said, n := d.said, d.back
		switch {
		case d.trying != nil:
			x := d.trying
			d.trying = nil
			l.transcript.Flush()
			l.tryAnswer(x, src, before)
			l.silent = untilAsked
		case d.keeping != nil:
			l.note(journal.Entry{Keep: d.keeping})
			said = d.keeping.Keeps(said)
			d.keeping = nil
			l.keepAnswers()
		case n > 0:
			l.unsaved = false
			l.note(journal.Entry{Back: n})
			back := said[len(said)-n:]
			l.startOver(back)
			d.undone = slices.Concat(back, d.undone)
			if d.misfit {
				d.undone = nil // they would not fit, either
			}
			d.back, d.misfit, said = 0, false, journal.Without(said, n)
		default:
			return err
		}
		l.sess.Restore(before)
		d.begin(said)
	}
}

// keepAnswers prepares for the same evaluation with the answers of another course. It is
// silent as far as both go the same way.
func (l *Loop) keepAnswers() {
	t := l.trial
	l.trial, l.tried = nil, 0
	if j, ok := l.transcript.(*transcript.JSON); ok {
		j.Again()
		return
	}
	l.transcript.Flush()
	l.silent = untilAsked
	if t != nil {
		l.silent, l.loud = untilOther, t.loud
		l.faint("kept: " + t.line + "; :undo takes that back")
	}
}

// startOver prepares for the same evaluation with fewer answers. Text stays silent
// until the question comes again; a reader of JSON is told that everything comes
// again.
func (l *Loop) startOver(back []journal.Entry) {
	if j, ok := l.transcript.(*transcript.JSON); ok {
		j.Again()
		return
	}
	l.transcript.Flush()
	l.silent = untilAsked
	l.faint("taken back: " + l.inWords(back))
}

// inWords says in a line what the person said last.
func (l *Loop) inWords(said []journal.Entry) string {
	count, words := countAnswers(len(said)), l.saidWords(said)
	switch n := len(words); {
	case n == 0 || l.desk.misfit:
		return count
	case journal.Answers(said) < len(said):
		count = ""
	default:
		count += ": "
	}
	if n := len(words); n > maxAnswers {
		return count + words[0] + " … " + words[n-1]
	}
	return count + strings.Join(words, ", ")
}

func (l *Loop) saidWords(said []journal.Entry) (words []string) {
	n := journal.Answers(said)
	if n > 0 && said[0].Keep != nil {
		n--
	}
	replies := l.desk.replies
	replies = replies[max(0, len(replies)-n):]
	for _, e := range said {
		switch {
		case e.Hand != nil:
			words = append(words, handTitle(*e.Hand))
		case e.Dice != nil:
			words = append(words, diceTitle(*e.Dice))
		case e.Keep != nil:
			words = append(words, ":what-if "+lang.Visible(e.Keep.Line))
		case len(replies) > 0:
			words = append(words, runewidth.Truncate(lang.Visible(replies[0].answer), maxAnswer, "…"))
			replies = replies[1:]
		}
	}
	return words
}

// maxAnswer is how much is shown of an answer that is taken back, maxAnswers how many are.
const (
	maxAnswer  = 60
	maxAnswers = 4
)

func countAnswers(n int) string { return countOf(n, "answer", "answers") }

// countOf counts things: 1 answer, 2 answers.
func countOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// silence is why nothing is shown.
type silence int

const (
	audible    silence = iota
	untilNew           // until the answers from before are used up
	untilAsked         // until the person is asked something
	untilOther         // until the course that was kept differs
)

// hush says whether an event is not to be shown.
func (l *Loop) hush(e *interp.Event) bool {
	asked := isQuestion(e)
	known := len(l.desk.before) > 0
	switch {
	case asked && known:
		return true
	case l.silent == untilNew && !known, l.silent == untilAsked && asked, l.silent == untilOther && len(l.desk.before) <= l.loud:
		l.silent = audible
	}
	return l.silent != audible
}

// maxStory is how many events :log can show.
const maxStory = 5000

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
	for _, x := range l.story {
		if x.event != nil {
			t.Event(x.event)
			continue
		}
		t.Flush()
		fmt.Fprintln(&b, style.On(l.cfg.Palette.Faint, "("+x.mark+")"))
	}
	if l.busy && len(l.desk.open) > 0 {
		t.Event(&interp.Event{Kind: interp.EventThrow, Request: &interp.Request{Open: l.desk.open}})
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
	l.flush()
	if l.asking != nil && l.busy {
		l.asking(l.sess)
	}
}

// Asking has f called before each question, with the session as it stands.
func (l *Loop) Asking(f func(*interp.Session)) { l.asking = f }

// Play evaluates a script with somebody who decides, instead of reading entries. It
// is an entry of the journal like those of the prompt: a script that is taken up goes
// on at the question at which it was left. The session is then as the script left it.
// left says that the person has left, and the script is not over.
func (l *Loop) Play(src *lang.Source) (left bool, err error) {
	l.playing = true
	if open := l.takeUpPlay(); open != nil {
		src = lang.RestoreExcerpt(open.name, open.text, open.page)
	} else {
		e := journal.Entry{Input: src.Text, Name: src.Name}
		if src.Excerpt() {
			e.Page = src.Page()
		}
		l.note(e)
	}
	err = l.exec(src)
	var run *interp.RunError
	if errors.As(err, &run) && run.Kind == interp.Cancelled {
		l.paused = true // nothing is lost by an interrupt, either
	}
	if l.paused {
		return true, errors.Join(l.transcript.Flush(), l.cfg.Journal.Close())
	}
	if !stays(err) && l.cfg.Journal != nil && len(l.desk.said)+len(l.desk.unused) > 0 {
		l.broke()
		return false, errors.Join(err, l.cfg.Journal.Close())
	}
	return false, errors.Join(err, l.cfg.Journal.Discard())
}

// broke keeps the evening of a script that has stopped with an error. An answer that led to
// it is taken back, so that whoever takes the evening up can go another way.
func (l *Loop) broke() {
	d := l.desk
	switch {
	case len(d.unused) > 0:
		l.stays = fmt.Sprintf("The script stopped before it came to where you were. Nothing is lost: the evening, with your answers, is kept in %s", l.cfg.Journal.Path())
	case d.gone:
		l.stays = "Your answers are saved. Go on at the same question with: setpiece play --resume"
	default:
		l.note(journal.Entry{Back: withLast(d.said)})
		l.stays = "The script stopped, but your answers are saved. To answer the last question otherwise: setpiece play --resume"
	}
}

// Stays says how to go on with a script that has stopped with an error, "" where there is
// nothing to go on with.
func (l *Loop) Stays() string { return l.stays }

// takeUpPlay gives the script that was left, with its answers; nil if there is none.
func (l *Loop) takeUpPlay() *past {
	c := l.cfg.Resume
	if c == nil {
		return nil
	}
	if d := c.Damage; d != nil {
		l.complain("the journal is damaged (%v); you continue from before the damage, and the whole journal is in %s", d, d.Kept)
	}
	h := retell(c.Entries, l.cfg.Ask)
	if h.open == nil {
		return nil
	}
	l.included = h.files
	l.recall(h.open.files, false)
	l.desk.before = h.open.said
	said := journal.Flat(h.open.said)
	if len(said) > 0 {
		l.silent = untilNew
	}
	l.retry(h)
	l.faint(fmt.Sprintf("%s, after %s; :log shows what happened", h.open.name, countAnswers(journal.Answers(said))))
	return h.open
}

// Answers counts what the person has answered in the script that is played.
func (l *Loop) Answers() int { return journal.Answers(journal.Flat(l.desk.said)) }

// Session is the session of the loop.
func (l *Loop) Session() *interp.Session { return l.sess }
