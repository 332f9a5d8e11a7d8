package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"setpiece/cmd/internal/player"
	"setpiece/cmd/internal/render"
	"setpiece/interp"
	"setpiece/interp/advice"
	"setpiece/interp/evening"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// host is the Loop as the host of its evening: it shows what happens, asks the person, and says in
// the words of the prompt what has become of the evening.
type host struct{ *Loop }

func (l *Loop) newTable() *player.Table {
	t := &player.Table{
		Asker: asker{l}, Out: l.also(&l.remarks), Before: l.beforeQuestion,
		Turns: !l.cfg.Auto, Brief: func() bool { return l.brief }, Advise: l.cfg.Advise, Goal: l.cfg.Goal, Command: l.atQuestion, Begin: l.cfg.Interrupt,
		Palette: l.cfg.Palette, Also: l.alsoAtQuestion,
	}
	t.Fail = func(err error) { render.Error(t.Out, l.cfg.Palette, err) }
	if _, ok := l.cfg.Lines.(*Terminal); ok {
		t.Unused = func(line string) {
			l.faint("  not used: " + transcript.Visible(line) + "   the up key brings it back")
		}
	}
	t.Advised = func(who string, options []interp.Value, a *advice.Advice) {
		if j, ok := l.transcript.(*transcript.JSON); ok {
			l.remarks.Reset()
			j.Advice(who, options, a)
		}
	}
	return t
}

// Event implements evening.Host.
func (l host) Event(e *interp.Event, again bool) {
	l.used = l.used || e.Kind == interp.EventModule
	if again {
		return
	}
	if e.Depth == 0 && e.Kind != interp.EventVoid && e.Kind != interp.EventTurn {
		l.byHand = ""
	}
	l.transcript.Event(e)
	if e.Usual {
		l.usual = append(l.usual, e)
	}
	if e.Depth == 0 {
		l.sayUsual()
	}
	if unmet := render.Unmet(e); unmet != nil && !l.cfg.View.JSON {
		l.release()
		l.flush()
		render.Error(l.cfg.Errors, l.cfg.Palette, unmet)
	}
	if l.cfg.Live {
		l.flush()
	}
}

// Settle implements evening.Host.
func (l host) Settle() error { return l.transcript.Flush() }

// Ask implements evening.Host.
func (l host) Ask(ctx context.Context, q *evening.Query) (interp.Answer, error) {
	if q.Kind == evening.Pause {
		return interp.Answer{}, l.over()
	}
	if q.Aside != nil {
		l.showAside(q)
	}
	if q.Refused != nil {
		l.byHand = ""
	}
	a, err := l.table.Put(ctx, q)
	if err == nil {
		l.line = ""
		if a.Command != nil && l.evening.OfTable(*a.Command) {
			l.byHand = strings.TrimSpace(*a.Command)
		}
	}
	return a, err
}

// showAside shows the person what has led to a question of a course that is only tried out.
func (l *Loop) showAside(q *evening.Query) {
	if q.Aside.First {
		l.aside = transcript.NewText(l.cfg.Questions, transcript.Options{Palette: l.cfg.Palette.Palette, Trace: l.trace, Seen: l.cfg.Seen})
		l.faint("what if:")
	}
	for _, e := range q.Aside.Events {
		l.aside.Event(e)
	}
	l.aside.Event(q.Event)
}

// Tell implements evening.Host.
func (l host) Tell(n evening.Notice) {
	switch n := n.(type) {
	case evening.Unsaved:
		l.release()
		l.complain("this line is not on disk, and is lost if the session is killed: %v", n.Err)
	case evening.Saved:
		l.release()
		l.faint("everything is on disk again")
	case evening.Misfit:
		as := ""
		if path, err := l.cfg.Journal.SetAside(); err == nil && path != "" {
			as = "; the evening as it was is kept in " + path
		}
		l.complain("your answers do not fit the questions from here on, as the rules have changed: you are asked again%s", as)
	case evening.GoesOn:
		l.text = n.Step.Text
		l.faint(inWords(n))
	case evening.Undone, evening.Redone:
		l.faint(inWords(n))
	case evening.TakenBack, evening.Kept, evening.Declared, evening.NotDeclared:
		l.comesAgain(n)
	case evening.Retold:
		if j, ok := l.transcript.(*transcript.JSON); ok {
			j.Again()
		}
	case evening.GivenAgain:
		l.faint("  up to this question again, with the same dice: " + lang.Visible(n.Command))
	case evening.Waits:
		l.faint("  what is open is settled as usual, then:  " + lang.Visible(n.Text))
	case evening.NotDone:
		l.failed = true
		render.Error(l.cfg.Questions, l.cfg.Palette, n.Why)
	case evening.NotReached:
		l.complain("  left out, since another answer changed what comes: %s", lang.Visible(strings.Join(n.Titles, "; ")))
	case evening.NotTried:
		l.notTried(n)
	case *evening.Courses:
		l.transcript.Flush()
		l.showCourses(n)
	case evening.Stopped: // whoever stopped it knows; :log says it
	}
}

// inWords says in a line what has become of the evening, for :log as well.
func inWords(n evening.Notice) string {
	switch n := n.(type) {
	case evening.Undone:
		text := "undone: " + title(n.Step)
		if n.Bytes > 0 {
			text += fmt.Sprintf("   its %d MiB are given back, so :redo cannot bring it back", n.Bytes>>20)
		}
		return text
	case evening.Redone:
		return "redone: " + title(n.Step)
	case evening.Stopped:
		return "stopped, and changed nothing: " + title(n.Step)
	case evening.Kept:
		return ":what-if " + n.Line
	case evening.GoesOn:
		text := "goes on: " + title(n.Step)
		if n.Answers > 0 {
			text += ", after " + countAnswers(n.Answers)
		}
		return text
	}
	return ""
}

// title tells a step in a few words.
func title(s evening.Step) string {
	switch {
	case s.Kept:
		s.Text = ":what-if " + s.Text
	case s.Hand != nil:
		return ":" + s.Hand.String()
	case s.Text == "":
		return ":seed"
	case s.Name != "":
		return ":load " + s.Name
	}
	return shortOf(s.Text)
}

// shortOf gives the first line of a text, as far as it is short.
func shortOf(text string) string {
	first, _, more := strings.Cut(text, "\n")
	if more {
		first += " …"
	}
	return runewidth.Truncate(lang.Visible(first), 60, "…")
}

// comesAgain says why what leads to the question comes again.
func (l *Loop) comesAgain(n evening.Notice) {
	if l.cfg.View.JSON && l.evening.Busy() {
		return // the record says it
	}
	l.transcript.Flush()
	switch n := n.(type) {
	case evening.TakenBack:
		l.faint("taken back: " + takenBack(n))
	case evening.Declared:
		l.faint("declared: " + shortOf(strings.TrimSpace(n.Text)) + "; :undo takes that back")
	case evening.NotDeclared:
		l.complain("with this sheet in it, what has happened would have gone otherwise, so it is left out: %s", shortOf(n.Text))
	case evening.Kept:
		if !n.Again {
			l.faint("kept: " + n.Line + "; :undo takes that back")
		}
	}
}

// takenBack says in a line what the person said last.
func takenBack(t evening.TakenBack) string {
	count := countAnswers(t.Things)
	switch n := len(t.Said); {
	case n == 0:
		return count
	case t.Answers < t.Things:
		count = ""
	default:
		count += ": "
	}
	var words []string
	for _, s := range t.Said {
		switch e := s.Entry; {
		case e.Hand != nil:
			words = append(words, ":"+e.Hand.String())
		case e.Dice != nil:
			words = append(words, diceTitle(*e.Dice))
		case e.Late != nil:
			words = append(words, shortOf(strings.TrimSpace(e.Late.Text)))
		case e.Keep != nil:
			words = append(words, ":what-if "+lang.Visible(e.Keep.Line))
		default:
			words = append(words, runewidth.Truncate(lang.Visible(s.Answer), maxAnswer, "…"))
		}
	}
	if n := len(words); n > maxAnswers {
		return count + words[0] + " … " + words[n-1]
	}
	return count + strings.Join(words, ", ")
}

// maxAnswer is how much is shown of an answer that is taken back, maxAnswers how many are.
const (
	maxAnswer  = 60
	maxAnswers = 4
)

func countAnswers(n int) string { return countOf(n, "answer", "answers") }

func countSteps(n int) string { return countOf(n, "entry", "entries") }

// countOf counts things: 1 answer, 2 answers.
func countOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// ended tells what has become of an entry, and of options of the command line that the rules in use
// do not have.
func (l *Loop) ended(err error) {
	var failed *evening.Failed
	switch {
	case errors.As(err, &failed):
		l.fail(failed)
	case l.used && evening.Stays(err):
		l.checkSet()
	}
}

// checkSet tells of options chosen on the command line that the rules in use do
// not have.
func (l *Loop) checkSet() {
	names := l.optionNames("")
	for _, name := range slices.Sorted(maps.Keys(l.cfg.Session.Options)) {
		if !slices.Contains(names, name) {
			l.complain("--set: there is no option %s%s", name, didYouMean(name, names))
		}
	}
}

func (l *Loop) fail(f *evening.Failed) {
	if word, ok := asksHelp(f.Err, l.text); ok {
		l.command(":help " + word)
		return
	}
	back := ""
	switch f.Redo {
	case evening.ToQuestion:
		back = ":redo comes back to this question, after other entries as well"
	case evening.ToAnswer:
		back = ":redo comes back to your last answer"
	}
	var run *interp.RunError
	if errors.As(f.Err, &run) && run.Kind == interp.Cancelled {
		l.complain("%s", strings.TrimSpace("stopped; this entry changed nothing   "+back))
		return
	}
	l.tellError(f.Err)
	if back != "" {
		l.faint("this entry changed nothing   " + back)
		return
	}
	var ds lang.Diagnostics
	if errors.As(f.Err, &ds) {
		l.suggestColon(l.text)
		return
	}
	if strings.Contains(strings.TrimSpace(l.text), "\n") || strings.Contains(l.text, ";") {
		l.faint("this entry changed nothing")
	}
}

func (l *Loop) tellError(err error) {
	l.failed = true
	l.show(err)
}

// show shows an error or a warning.
func (l *Loop) show(err error) {
	if j, ok := l.transcript.(*transcript.JSON); ok {
		j.Error(err)
		return
	}
	render.Error(l.cfg.Out, l.cfg.Palette, err)
}

// heard writes what was said to the last line, as it was no answer.
func (l *Loop) heard() {
	if l.line != "" {
		l.reply(l.line, l.remarks.String())
	}
	l.line = ""
	l.remarks.Reset()
}

// asker is the person at the prompt, to whom the table puts its questions.
type asker struct{ *Loop }

// Ask implements player.Asker. Ctrl-C drops the entry that asks, once more where answers have been
// given: :redo brings them back. A script that is played is no entry: there, Ctrl-C says how to
// leave, and once more it leaves. The end of the input leaves as well.
func (l asker) Ask(_ context.Context, prompt string) (string, error) {
	for again := false; ; again = true {
		l.heard()
		l.flush()
		start := time.Now()
		line, err := l.readLine(prompt)
		l.waited += time.Since(start)
		switch {
		case errors.Is(err, io.EOF):
			return "", l.pauseNow()
		case err == nil && l.evening.Courses() != nil && !player.IsCommand(line) && !strings.HasPrefix(strings.TrimSpace(line), "?"):
			l.complain("  %s", openCourse)
			continue
		case !errors.Is(err, ErrInterrupt):
			l.line = line
			if len(strings.Fields(line)) > 1 {
				l.cfg.Lines.Remember(line) // a command, not one of the answers offered
			}
			return line, err
		case !l.playing && (again || l.evening.Said() == 0 || l.evening.Open().Aside != nil):
			return "", context.Canceled
		case again:
			return "", l.pauseNow()
		}
		if l.playing {
			l.printf("  Ctrl-C again leaves, and nothing is lost; :undo takes the last answer back\n")
		} else {
			l.printf("  Ctrl-C again drops this command; :redo then comes back to this question\n")
		}
	}
}

// Watch implements player.Watcher for whoever asks at the prompt.
func (l asker) Watch(interrupt func()) (pressed func() bool, stop func()) {
	if w, ok := l.cfg.Lines.(player.Watcher); ok {
		return w.Watch(interrupt)
	}
	return nil, nil
}

// takeUp makes the evening of a journal. Who continues is said where that is damaged.
func (l *Loop) takeUp(who string) (r evening.Resumed) {
	c := l.cfg.Resume
	if d := c.Damage; d != nil {
		l.complain("the journal is damaged (%v); %s from before the damage, and the whole journal is in %s", d, who, d.Kept)
	}
	l.evening, r = evening.Resume(context.Background(), l.config(), c.Entries)
	for _, said := range r.Differ {
		l.complain("%s", said)
	}
	return r
}

// resume takes a session up. What was being evaluated when the session was cut off is
// evaluated now, aloud.
func (l *Loop) resume() {
	if l.cfg.Resume == nil {
		return
	}
	r := l.takeUp("the session continues")
	if r.Cut != nil {
		l.complain("the session can be continued only up to entry %d (%s): %v", r.Reached, title(*r.Cut), r.Err)
	}
	if len(l.cfg.Resume.Entries) == 0 {
		return
	}
	text := "continued: " + countSteps(len(l.evening.Steps()))
	if r.Last != nil {
		text += ", the last: " + title(*r.Last)
	}
	l.faint(text)
	switch {
	case r.Open != nil:
		l.text = r.Open.Text
		l.faint("and what was going on: " + title(*r.Open))
	case r.Stopped != nil:
		l.faint("an entry was stopped, with your answers: " + title(*r.Stopped) + "; :redo goes on with it")
	}
	l.used = false
	l.ended(l.evening.Continue(context.Background()))
}
