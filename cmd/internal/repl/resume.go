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
	kept       *journal.Course   // a course that took the place of others, instead of a text
	instead    []past            // these
	dropped    bool              // it stopped, and :redo takes it up with what was said
}

// history is what a journal tells: the steps in force, those undone, and the
// entry that was still being evaluated when the session was cut off.
type history struct {
	done, undone []past
	open         *past
	trials       []tried // other courses that were tried, the last one open
	ask          bool
	files        map[string]string // included so far, as they were last
}

// tried is a course that was open, with what the person answered while it was tried.
type tried struct {
	what journal.WhatIf
	said []journal.Entry
}

// retell reads the entries of a journal in order.
func retell(entries []journal.Entry, ask bool) history {
	h := history{ask: ask, files: map[string]string{}}
	for _, e := range entries {
		switch {
		case e.Input != "":
			h.open = &past{name: e.Name, text: e.Input, page: e.Page, files: h.files}
		case e.File != nil && (h.open != nil || len(h.trials) > 0):
			h.files = maps.Clone(h.files)
			h.files[e.File.Name] = e.File.Text
			if h.open != nil {
				h.open.files = h.files
			}
		case e.WhatIf != nil:
			h.trials = append(h.trials, tried{what: *e.WhatIf})
		case e.Drop > 0:
			h.trials = h.trials[:max(0, len(h.trials)-e.Drop)]
		case e.Keep != nil:
			h.keep(*e.Keep)
		case (e.Faces != nil || e.Option != nil || e.Command != nil || e.Turns()) && h.open != nil:
			h.open.said = append(h.open.said, e)
		case (e.Faces != nil || e.Option != nil || e.Command != nil) && len(h.trials) > 0:
			t := &h.trials[len(h.trials)-1]
			t.said = append(t.said, e)
		case e.Dropped && h.open != nil:
			h.open.said, h.open.dropped = journal.Without(h.open.said, e.Back), true
			h.undone = append(h.undone, *h.open)
			h.open, h.trials = nil, nil
		case e.Back > 0 && h.open != nil:
			h.open.said = journal.Without(h.open.said, e.Back)
		case e.Done != nil && h.open != nil:
			h.open.fell = e.Done
			for _, x := range journal.Flat(h.open.said) {
				if x.Dice != nil {
					h.ask = *x.Dice
				}
			}
			h.push(*h.open)
			h.open = nil
		case e.Nothing:
			h.open, h.trials = nil, nil
		case e.Seed != nil:
			h.push(past{seed: e.Seed})
		case e.Hand != nil:
			h.push(past{hand: e.Hand})
		case e.Undo > 0:
			h.undo(e.Undo)
		case e.Redo > 0:
			h.redo(e.Redo)
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

// keep puts a course in the place of the answers so far, or else of the last entries.
func (h *history) keep(k journal.Course) {
	h.trials = nil
	if h.open != nil {
		h.open.said = k.Keeps(h.open.said)
		return
	}
	first := max(len(h.done)-k.Back, 0)
	p := past{kept: &k, text: k.Line, files: h.files, instead: slices.Clone(h.done[first:])}
	h.done = h.done[:first]
	h.push(p)
}

func (h *history) undo(n int) {
	for n = min(n, len(h.done)); n > 0; n-- {
		last := h.done[len(h.done)-1]
		h.done = append(h.done[:len(h.done)-1:len(h.done)-1], last.instead...)
		h.undone = append(h.undone, last)
	}
}

func (h *history) redo(n int) {
	for n = min(n, len(h.undone)); n > 0; n-- {
		next := h.undone[len(h.undone)-1]
		h.undone = h.undone[:len(h.undone)-1]
		if next.dropped {
			next.dropped = false
			h.open = &next
			return
		}
		first := max(len(h.done)-len(next.instead), 0)
		h.done = append(h.done[:first:first], next)
	}
}

// all gives what has to be evaluated again, in order: before a course that was kept what
// it took the place of, and in the end what was undone.
func (h *history) all() []past {
	var out []past
	var add func(list []past)
	add = func(list []past) {
		for _, p := range list {
			add(p.instead)
			out = append(out, p)
		}
	}
	add(h.done)
	for _, p := range slices.Backward(h.undone) {
		out = append(out, p)
	}
	return out
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
	l.sess.SetEvents(l.remember)
	undo := len(h.undone)
	all := h.all()
	for i, p := range all {
		if err := l.again(p); err != nil {
			l.complain("the session can be continued only up to entry %d (%s): %v", len(l.flat()), p.title(), err)
			l.cutShort(len(h.done), len(l.steps))
			undo = max(0, i-(len(all)-len(h.undone)))
			h.open, h.trials = nil, nil
			break
		}
	}
	for range undo {
		last := l.takeOff()
		l.sess.Restore(last.stoodBefore())
		l.undone = append(l.undone, last)
		if !last.dropped {
			l.mark("undone: " + last.title())
		}
	}
	l.forget()
	l.included = h.files
	l.sess.SetEvents(l.event)
	l.desk.ask, l.desk.before = h.ask, nil
	l.useDice()
	l.greet(h)
}

func (p past) title() string {
	return step{name: p.name, text: p.text, hand: p.hand, kept: p.kept != nil}.title()
}

// cutShort brings the journal into line with a session that could not be taken
// up whole: what is missing counts as undone.
func (l *Loop) cutShort(done, reached int) {
	if reached < done {
		l.note(journal.Entry{Undo: done - reached})
	}
}

func (l *Loop) greet(h history) {
	text := "continued: " + countSteps(len(l.flat()))
	if n := len(l.steps); n > 0 {
		text += ", the last: " + l.steps[n-1].title()
	}
	l.faint(text)
	if h.open == nil {
		if n := len(l.undone); n > 0 && l.undone[n-1].dropped {
			l.faint("an entry was stopped, with your answers: " + l.undone[n-1].title() + "; :redo goes on with it")
		}
		if n := len(h.trials); n > 0 {
			l.tried = n - 1
			l.try(h.trials[n-1].what, h.trials[n-1].said)
		}
		return
	}
	l.retry(h)
	l.faint("and what was going on: " + h.open.title())
	l.desk.before = h.open.said
	l.recall(h.open.files, false)
	l.evalNoted(h.open.name, h.open.text)
	l.forget()
}

// retry has a course tried again that was open at the question to come.
func (l *Loop) retry(h history) {
	if n := len(h.trials); n > 0 {
		l.desk.retry, l.tried = &h.trials[n-1].what, n-1
	}
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
	if p.kept != nil {
		return l.keepAgain(p)
	}
	s := step{name: p.name, text: p.text, seed: l.seed(), before: l.sess.Snapshot()}
	if p.seed != nil {
		s.seed = *p.seed
		l.sess.Seed(*p.seed)
	} else if p.dropped {
		s.dropped, s.said = true, p.said
	} else if p.hand != nil {
		s.hand = p.hand
		if err := l.sess.Hand(p.hand.Who, p.hand.Asked); err != nil {
			return err
		}
	} else if err := l.replay(p, s.before); err != nil {
		return err
	} else {
		s.fell, s.said, s.replies, s.answers = l.sess.Record(), p.said, l.desk.replies, l.answers
		s.told = l.told
	}
	s.after = l.sess.Snapshot()
	l.steps = append(l.steps, s)
	return nil
}

// keepAgain puts a course that was kept in the place of the last steps once more.
func (l *Loop) keepAgain(p past) error {
	first := len(l.steps) - len(p.instead)
	instead := slices.Clone(l.steps[first:])
	now := l.sess.Snapshot()
	l.steps = l.steps[:first]
	if len(instead) > 0 {
		l.sess.Restore(instead[0].before)
	}
	l.mark(":what-if " + p.kept.Line)
	for i := range p.kept.Steps {
		if err := l.courseAgain(&p.kept.Steps[i], p.files); err != nil {
			l.steps = append(l.steps[:first], instead...)
			l.sess.Restore(now)
			return err
		}
	}
	course := slices.Clone(l.steps[first:])
	l.steps = append(l.steps[:first], instead...)
	l.replace(instead, course, p.kept.Line, l.sess.Snapshot())
	return nil
}

// courseAgain evaluates a step of a course that was kept.
func (l *Loop) courseAgain(a *journal.Again, files map[string]string) error {
	s := step{name: a.Name, text: a.Input, hand: a.Hand, seed: l.seed(), said: a.Said, again: a, before: l.sess.Snapshot()}
	if a.Seed != nil {
		s.seed = *a.Seed
	}
	if done, err := l.turned(s); !done {
		l.feed(a)
		if err := l.replay(past{name: a.Name, text: a.Input, page: a.Page, said: a.Said, fell: &a.Fell, files: files}, s.before); err != nil {
			return err
		}
		s.fell, s.replies, s.answers, s.told = l.sess.Record(), l.desk.replies, l.answers, l.told
	} else if err != nil {
		return err
	}
	l.sess.Seed(a.Next)
	s.after = l.sess.Snapshot()
	l.steps = append(l.steps, s)
	return nil
}

func (l *Loop) replay(p past, before *interp.Snapshot) error {
	l.desk.closed = true
	defer func() { l.desk.closed = false }()
	l.desk.before = p.said
	l.recall(p.files, true)
	defer l.sess.SetChance(nil)
	if journal.AsksDice(journal.Flat(p.said)) {
		l.sess.SetChance(l.desk)
	}
	src := lang.RestoreExcerpt(p.name, p.text, p.page)
	past := len(l.story)
	err := l.exec(src)
	if stays(err) && l.fellAs(p.fell) {
		return nil
	}
	l.story = l.story[:min(past, len(l.story))]
	l.sess.Restore(before)
	l.sess.SetChance(nil)
	l.sess.Give(p.fell.Record)
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

func (l *Loop) fellAs(f *journal.Fell) bool { return l.sess.Record().Same(f.Record) }
