package repl

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/player"
	"setpiece/cmd/internal/render"
	"setpiece/interp"
	"setpiece/interp/transcript"
)

// desk answers for the person: first with what they have answered before, then by
// asking. Each new answer is in the journal before it is used.
//
// What was answered before is there when a session is taken up, and when an answer
// is taken back: the evaluation then begins again with the answers before that one,
// and nothing of it is shown until there is something new.
type desk struct {
	loop     *Loop
	table    *player.Table
	ask      bool            // the person throws the dice
	first    bool            // they did when this evaluation began
	throw    bool            // dice are being asked of the person
	switched bool            // that has changed since
	before   []journal.Entry // answers from before that are still to come
	said     []journal.Entry // the answers of this evaluation so far
	back     int             // so many of them are to be taken back
	undone   []journal.Entry // what was taken back, the next to be given again first
	forth    int             // so many of these answers are to be given now
	kept     int             // so many of before belong to the course that said begins with
	from     []journal.Entry // what this evaluation began with
	misfit   bool            // what is to be taken back did not fit
	gone     bool            // nobody could be asked
	unused   []journal.Entry // answers from before that the last evaluation did not come to
	left     bool            // the person left the last evaluation at a question
	closed   bool            // nobody is to be asked: the answers are all there
	replies  []reply         // the questions of this evaluation that were answered
	trying   *trying         // another course that is to be tried
	retry    *journal.WhatIf // that was open when the session was cut off
	keeping  *journal.Course // that is to be kept
	rerun    *rerun          // answers for the person
	open     []*interp.Event // what has led to the question that is being asked
	turn     *interp.Turn    // that is being asked about; nil when another question is

	options []string // of that question

	line    string          // that was answered last, until it is known what was said to it
	remarks strings.Builder // what was said to it, for records
}

func newDesk(l *Loop, ask bool) *desk {
	d := &desk{loop: l, ask: ask}
	d.table = &player.Table{
		Asker: d, Out: l.also(&d.remarks), Before: l.beforeQuestion,
		Turns: !l.cfg.Auto, Advise: l.cfg.Advise, Goal: l.cfg.Goal, Command: l.atQuestion, Begin: l.cfg.Interrupt,
		Palette: l.cfg.Palette, Fail: func(err error) { render.Error(d.table.Out, l.cfg.Palette, err) },
	}
	d.table.Meant = func(line string) string { return meant(line, d.turn != nil) }
	if _, ok := l.cfg.Lines.(*Terminal); ok {
		d.table.Unused = func(line string) {
			l.cfg.Lines.Remember(line)
			l.faint("  not used: " + transcript.Visible(line) + "   the up key brings it back")
		}
	}
	d.table.Advised = func(who string, options []interp.Value, a *interp.Advice) {
		if j, ok := l.transcript.(*transcript.JSON); ok {
			d.remarks.Reset()
			j.Advice(who, options, a)
		}
	}
	return d
}

// useDice lets the person or the generator throw.
func (l *Loop) useDice() {
	if l.desk.ask {
		l.sess.SetChance(l.desk)
	} else {
		l.sess.SetChance(nil)
	}
}

var (
	errNoAnswer = errors.New("the journal has no answer to this")
	errMisfit   = errors.New("an answer in the journal does not fit this question")
)

// turnsOver hands over again who was handed over before the next answer from before, the dice as
// well; rolls says that setpiece got them.
func (d *desk) turnsOver() (rolls bool) {
	for len(d.before) > 0 && d.before[0].Turns() {
		e := d.pop()
		d.turnOver(e)
		if e.Dice != nil {
			rolls = !*e.Dice
		}
	}
	return rolls
}

// again gives the next answer from before.
func (d *desk) again() (e journal.Entry, ok bool) {
	if len(d.before) == 0 {
		return e, false
	}
	return d.pop(), true
}

// turnOver hands somebody over, or the dice.
func (d *desk) turnOver(e journal.Entry) {
	if e.Hand != nil {
		d.loop.sess.Hand(e.Hand.Who, e.Hand.Asked)
		return
	}
	d.ask, d.switched = *e.Dice, true
	d.loop.useDice()
}

// sameDice has dice thrown by whom they were thrown when this evaluation began.
func (d *desk) sameDice() {
	if d.switched {
		d.ask, d.switched = d.first, false
		d.loop.useDice()
	}
}

func (d *desk) pop() (e journal.Entry) {
	e, d.before = d.before[0], d.before[1:]
	if d.kept > 0 {
		d.kept-- // it is said already
	} else {
		d.said = append(d.said, e)
	}
	return e
}

// begin prepares for an evaluation with answers from before.
func (d *desk) begin(before []journal.Entry) {
	d.sameDice()
	d.said, d.replies, d.kept, d.from = nil, nil, 0, before
	d.before = journal.Flat(before)
	if len(before) > 0 && before[0].Keep != nil {
		d.said, d.kept = before[:1:1], len(before[0].Keep.Steps[0].Said)
		d.loop.feedSaid(before)
	}
}

// asked comes before a new question.
func (d *desk) asked() error {
	w := d.retry
	if w == nil {
		return nil
	}
	d.retry = nil
	if w.Back > len(d.replies) {
		return nil
	}
	d.loop.tryLater(*w)
	return errLeft
}

// redone gives the next answer of those that are to be given again.
func (d *desk) redone() (e journal.Entry, ok bool) {
	for d.forth > 0 && len(d.undone) > 0 && d.undone[0].Keep == nil {
		e, d.undone = d.undone[0], d.undone[1:]
		d.loop.note(e)
		d.said = append(d.said, e)
		if !e.Turns() {
			d.forth--
			return e, true
		}
		d.turnOver(e)
	}
	d.forth = 0
	return e, false
}

// take notes a new answer: what was taken back is forgotten.
func (d *desk) take(e journal.Entry) {
	d.undone, d.forth, d.line = nil, 0, ""
	d.loop.unsaved = false // it is a line of its own
	d.loop.note(e)
	d.said = append(d.said, e)
}

// answer gives what the person says to a query: what they have said before, else what they
// say now.
func (d *desk) answer(ctx context.Context, q *query) (e journal.Entry, err error) {
	if d.rerun != nil {
		return d.rerun.answer(ctx, q)
	}
	defer func() {
		if err == nil {
			r := q.reply(e)
			r.handed = q.asked != nil && !q.asked()
			d.replied(r)
		}
	}()
	fitting := func(e journal.Entry) (journal.Entry, error) {
		if !q.fits(e) {
			return e, errMisfit
		}
		return e, nil
	}
	kept := d.kept > 0
	if d.turnsOver() && q.dice {
		return e, interp.ErrRoll
	}
	if e, ok := d.again(); ok {
		if e, err := fitting(e); err == nil || d.closed {
			return e, err
		}
		return e, d.takeUpTo(kept)
	}
	if d.closed {
		return e, errNoAnswer
	}
	if err := d.asked(); err != nil {
		return e, err
	}
	d.open, d.options, d.turn, d.throw = q.open, q.options, q.turn, q.dice
	defer func() { d.turn, d.throw = nil, false }()
	for {
		if e, ok := d.redone(); ok {
			return fitting(e)
		}
		if d.throw && !d.ask {
			return e, interp.ErrRoll // as was said again
		}
		e, err := q.ask(ctx, d.table)
		if errors.Is(err, errRedo) {
			continue
		}
		if err == nil {
			d.take(e)
		}
		return e, err
	}
}

// takeUpTo has the evaluation begin again with the answers before one that does not fit its
// question, as the rules have changed since; kept says that it belongs to a course that was
// kept. The journal as it was stays.
func (d *desk) takeUpTo(kept bool) error {
	l := d.loop
	if kept {
		d.said, d.back = d.from, len(d.from)
	} else {
		d.said, d.back = append(d.said, d.before...), 1+len(d.before)
	}
	d.before, d.misfit = nil, true
	as := ""
	if path, err := l.cfg.Journal.SetAside(); err == nil && path != "" {
		as = "; the evening as it was is kept in " + path
	}
	l.complain("your answers do not fit the questions from here on, as the rules have changed: you are asked again%s", as)
	return errLeft
}

// heard writes what was said to the last line, as it was no answer.
func (d *desk) heard() {
	if d.line != "" {
		d.loop.reply(d.line, d.remarks.String())
	}
	d.line = ""
	d.remarks.Reset()
}

// Ask implements player.Asker. Ctrl-C drops the entry that asks, once more where answers have been
// given: :redo brings them back. A script that is played is no entry: there, Ctrl-C says how to
// leave, and once more it leaves. The end of the input leaves as well.
func (d *desk) Ask(_ context.Context, prompt string) (string, error) {
	l := d.loop
	for again := false; ; again = true {
		d.heard()
		l.flush()
		start := time.Now()
		line, err := l.cfg.Lines.ReadLine(prompt)
		l.waited += time.Since(start)
		switch {
		case errors.Is(err, io.EOF):
			return "", l.pauseNow()
		case err == nil && l.trial != nil && !player.IsCommand(line) && !strings.HasPrefix(strings.TrimSpace(line), "?"):
			l.complain("  %s", openCourse)
			continue
		case !errors.Is(err, ErrInterrupt):
			d.gone, d.line = err != nil, line
			return line, err
		case !l.playing && (again || len(d.said) == 0 || d.rerun != nil):
			d.left = true
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
