package repl

import (
	"errors"
	"maps"
	"slices"

	"setpiece/cmd/internal/journal"
	"setpiece/interp"
	"setpiece/lang"
)

// past is an entry of a journal with what belongs to it.
type past struct {
	name, text string
	page       string            // that the text is an excerpt of
	seed       *uint64           // a new seed instead of a text
	hand       *journal.Hand     // somebody who was handed over, instead of a text
	said       []journal.Entry   // the answers of the person, dice they typed among them
	fell       *journal.Fell     // all that fell; nil if the evaluation did not end
	files      map[string]string // that it may have included, as they were
}

// history is what a journal tells: the steps in force, those undone, and the
// entry that was still being evaluated when the session was cut off.
type history struct {
	done, undone []past
	open         *past
	ask          bool
	files        map[string]string // included so far, as they were last
}

// retell reads the entries of a journal in order.
func retell(entries []journal.Entry, ask bool) history {
	h := history{ask: ask, files: map[string]string{}}
	for _, e := range entries {
		switch {
		case e.Input != "":
			h.open = &past{name: e.Name, text: e.Input, page: e.Page, files: h.files}
		case e.File != nil && h.open != nil:
			h.files = maps.Clone(h.files)
			h.files[e.File.Name] = e.File.Text
			h.open.files = h.files
		case (e.Faces != nil || e.Answer != nil || e.Command != nil || e.Hand != nil) && h.open != nil:
			h.open.said = append(h.open.said, e)
		case e.Back > 0 && h.open != nil:
			h.open.said = h.open.said[:max(len(h.open.said)-e.Back, 0)]
		case e.Done != nil && h.open != nil:
			h.open.fell = e.Done
			h.push(*h.open)
			h.open = nil
		case e.Nothing:
			h.open = nil
		case e.Seed != nil:
			h.push(past{seed: e.Seed})
		case e.Hand != nil:
			h.push(past{hand: e.Hand})
		case e.Undo > 0:
			move(&h.undone, &h.done, e.Undo)
		case e.Redo > 0:
			move(&h.done, &h.undone, e.Redo)
		case e.Ask != nil:
			h.ask = *e.Ask
		}
	}
	return h
}

func (h *history) push(p past) {
	h.done = append(h.done, p)
	h.undone = nil
}

// move takes the last n of one list to the other, one after the other.
func move(to, from *[]past, n int) {
	for n = min(n, len(*from)); n > 0; n-- {
		last := len(*from) - 1
		*to = append(*to, (*from)[last])
		*from = (*from)[:last]
	}
}

// resume takes a session up: the steps of its journal are evaluated again,
// silently and with the same dice and answers, those undone too, so that they
// can be done again. What was being evaluated when the session was cut off is
// evaluated now, aloud.
func (l *Loop) resume(c *journal.Content) {
	if c == nil {
		return
	}
	if d := c.Damage; d != nil {
		l.complain("the journal is damaged (%v); the session continues from before the damage, and the whole journal is in %s", d, d.Kept)
	}
	if len(c.Entries) == 0 {
		return
	}
	h := retell(c.Entries, l.cfg.Ask)
	all := slices.Clone(h.done)
	for _, p := range slices.Backward(h.undone) {
		all = append(all, p)
	}
	l.sess.SetEvents(func(*interp.Event) {})
	for i, p := range all {
		if err := l.again(p); err != nil {
			l.complain("the session can be continued only up to entry %d (%s): %v", i, p.title(), err)
			l.cutShort(len(h.done), i)
			h.open = nil
			break
		}
	}
	for range min(len(h.undone), max(len(l.steps)-len(h.done), 0)) {
		last := len(l.steps) - 1
		l.undone = append(l.undone, l.steps[last])
		l.sess.Restore(l.steps[last].before)
		l.steps = l.steps[:last]
	}
	l.forget()
	l.included = h.files
	l.sess.SetEvents(l.event)
	l.desk.ask, l.desk.before = h.ask, nil
	l.useDice()
	l.greet(h)
}

func (p past) title() string {
	return step{name: p.name, text: p.text, hand: p.hand}.title()
}

// cutShort brings the journal into line with a session that could not be taken
// up whole: what is missing counts as undone.
func (l *Loop) cutShort(done, reached int) {
	if reached < done {
		l.note(journal.Entry{Undo: done - reached})
	}
}

func (l *Loop) greet(h history) {
	text := "continued: " + countSteps(len(l.steps))
	if n := len(l.steps); n > 0 {
		text += ", the last: " + l.steps[n-1].title()
	}
	l.faint(text)
	if h.open == nil {
		return
	}
	l.faint("and what was going on: " + h.open.title())
	l.desk.before = h.open.said
	l.recall(h.open.files, false)
	l.evalNoted(h.open.name, h.open.text)
	l.forget()
}

// recall lets an entry include what it included then, forget what is there now.
func (l *Loop) recall(files map[string]string, only bool) {
	if l.folder != nil {
		l.folder.Recall(files, only)
	}
}

func (l *Loop) forget() {
	if l.folder != nil {
		l.folder.Forget()
	}
}

// again evaluates a step once more. The generator is let run on, so that the
// dice to come are those that would have come. Should it give others than it
// did then, which only happens when the program has changed in between, the
// faces that fell are given instead.
func (l *Loop) again(p past) error {
	s := step{name: p.name, text: p.text, seed: l.seed(), before: l.sess.Snapshot()}
	if p.seed != nil {
		s.seed = *p.seed
		l.sess.Seed(*p.seed)
	} else if p.hand != nil {
		s.hand = p.hand
		if err := l.sess.Hand(p.hand.Who, p.hand.Asked); err != nil {
			return err
		}
	} else if err := l.replay(p, s.before); err != nil {
		return err
	} else {
		s.fell = l.sess.Record()
	}
	s.after = l.sess.Snapshot()
	l.steps = append(l.steps, s)
	return nil
}

func (l *Loop) replay(p past, before *interp.Snapshot) error {
	l.desk.closed = true
	defer func() { l.desk.closed = false }()
	l.desk.before = p.said
	l.recall(p.files, true)
	if slices.ContainsFunc(p.said, func(e journal.Entry) bool { return e.Faces != nil }) {
		l.sess.SetChance(l.desk)
		defer l.sess.SetChance(nil)
	}
	src := lang.RestoreExcerpt(p.name, p.text, p.page)
	err := l.exec(src)
	if stays(err) && l.fellAs(p.fell) {
		return nil
	}
	l.sess.Restore(before)
	l.sess.SetChance(nil)
	l.sess.GiveDice(p.fell.Faces...)
	l.sess.GiveAnswers(p.fell.Answers...)
	l.sess.GiveCommands(p.fell.Commands...)
	err = l.exec(src)
	if !stays(err) {
		l.sess.Restore(before)
		return err
	}
	if !l.fellAs(p.fell) {
		l.sess.Restore(before)
		return errors.New("its dice or answers no longer fit")
	}
	return nil
}

func (l *Loop) fellAs(f *journal.Fell) bool {
	r := l.sess.Record()
	return slices.Equal(r.Faces, f.Faces) && slices.Equal(r.Answers, f.Answers) && slices.Equal(r.Commands, f.Commands)
}
