package evening

import (
	"context"
	"errors"
	"maps"
	"slices"

	"setpiece/interp"
	"setpiece/interp/assist"
)

// past is an entry of a journal with what belongs to it.
type past struct {
	Step
	seed    *uint64           // a new seed instead of a text
	asks    bool              // dice were asked of the host where it began
	said    []Entry           // the answers of the host, dice they typed among them
	fell    *Fell             // all that fell; nil if the evaluation did not end
	files   map[string]string // that it may have included, as they were
	kept    *Course           // a course that took the place of others, instead of a text
	instead []past            // these
	dropped bool              // it stopped, and :redo takes it up with what was said
	waits   bool              // likewise after other entries
	typed   int               // so much was typed in it
}

// say notes what was said.
func (p *past) say(e Entry) {
	if e.Typed == 0 {
		p.typed++
		e.Typed = p.typed
	}
	p.said = append(p.said, e)
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

// tried is a course that was open, with what the host answered while it was tried.
type tried struct {
	what Change
	said []Entry
}

// retell reads the entries of a journal in order.
func retell(entries []Entry, ask bool) history {
	h := history{ask: ask, files: map[string]string{}}
	for _, e := range entries {
		switch {
		case e.Input != "":
			h.open = &past{Step: Step{Name: e.Name, Page: e.Page, Text: e.Input}, asks: h.ask, files: h.files}
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
		case e.isSaid() && h.open != nil:
			h.open.say(e)
		case (e.Faces != nil || e.Option != nil || e.Command != nil) && len(h.trials) > 0:
			t := &h.trials[len(h.trials)-1]
			t.said = append(t.said, e)
		case e.Dropped && h.open != nil:
			h.open.said, h.open.dropped, h.open.waits = without(h.open.said, e.Back), true, e.Back == 0
			h.undone = append(h.undone, *h.open)
			h.open, h.trials = nil, nil
		case e.Back > 0 && h.open != nil:
			h.open.said = without(h.open.said, e.Back)
		case e.Done != nil && h.open != nil:
			h.open.fell = e.Done
			for _, x := range flatSaid(h.open.said) {
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
			h.push(past{Step: Step{Hand: e.Hand}})
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
	h.undone = slices.DeleteFunc(h.undone, func(u past) bool { return !u.waits })
}

// keep puts a course in the place of the answers so far, or else of the last entries.
func (h *history) keep(k Course) {
	h.trials = nil
	if h.open != nil {
		h.open.said = k.keeps(h.open.said)
		return
	}
	first := max(len(h.done)-k.Back, 0)
	p := past{Step: Step{Kept: true, Text: k.Line}, kept: &k, files: h.files, instead: slices.Clone(h.done[first:])}
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
			next.dropped, next.waits, next.asks, next.typed = false, false, h.ask, latest(next.said)
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

// Resumed is what an evening was when it was taken up.
type Resumed struct {
	Open    *Step // the entry that goes on with Continue, nil if none was cut off or left
	Answers int   // that were given in it
	Stopped *Step // an entry that had stopped, with answers: Redo goes on with it

	Last *Step // the last step in force

	// Cut is the step at which the evening could not be taken up any further, and Err why; it is
	// then as after the Reached entries before it.
	Cut     *Step
	Reached int
	Err     error

	Differ []string // what is said of each system that is not the one with which the evening was played
}

// Resume takes an evening up: its entries are evaluated again, with the same dice and answers, those
// that were undone as well, so that they can be done again. Nobody is asked, and nothing told. Then
// Continue, or Play for a script, comes to what was open.
func Resume(ctx context.Context, cfg Config, entries []Entry) (*Evening, Resumed) {
	used := lastUsed(entries)
	if used != nil {
		cfg.Session.Versions = Versions(used)
	}
	v := Begin(cfg)
	v.ctx = ctx
	for _, e := range entries {
		if !e.End {
			v.stored++
		}
	}
	h := retell(entries, cfg.Dice)
	v.sess.SetEvents(v.remember)
	out := v.replayAll(&h)
	out.Differ, v.noted = Differ(used, Used(v.sess.InUse())), assist.Modules(v.sess)
	v.forget()
	v.included = h.files
	v.sess.SetEvents(v.event)
	v.desk.ask, v.desk.before = h.ask, nil
	v.useDice()
	if h.open != nil || len(h.trials) > 0 {
		v.past = &h
	}
	if n := len(v.steps); n > 0 {
		out.Last = &v.steps[n-1].Step
	}
	if h.open != nil {
		out.Open, out.Answers = &h.open.Step, Answers(flatSaid(h.open.said))
	} else if n := len(v.undone); n > 0 && v.undone[n-1].dropped {
		out.Stopped = &v.undone[n-1].Step
	}
	return v, out
}

// replayAll evaluates all steps of a history again and undoes those that were undone.
func (v *Evening) replayAll(h *history) (out Resumed) {
	undo := len(h.undone)
	all := h.all()
	for i, p := range all {
		if err := v.again(p); err != nil {
			out.Cut, out.Reached, out.Err = &p.Step, len(v.flat()), err
			v.cutShort(len(h.done), len(v.steps))
			undo = max(0, i-(len(all)-len(h.undone)))
			h.open, h.trials = nil, nil
			break
		}
	}
	for range undo {
		last := v.takeOff()
		v.sess.Restore(last.stoodBefore())
		v.undone = append(v.undone, last)
		if !last.dropped {
			v.log(Told{Notice: Undone{Step: last.Step}})
		}
	}
	return out
}

// Continue comes to what was open when the evening was left: the entry that was being evaluated, or
// another course; nothing can be entered before. Its error is as that of Enter.
func (v *Evening) Continue(ctx context.Context) error {
	h := v.past
	v.past = nil
	switch {
	case h == nil:
		return nil
	case h.open != nil:
		v.comeTo(h)
		defer v.forget()
		return v.evalNoted(ctx, h.open.source())
	case len(h.trials) > 0:
		last := h.trials[len(h.trials)-1]
		v.tried = len(h.trials) - 1
		return v.try(ctx, last.what, last.said)
	}
	return nil
}

// comeTo prepares for the entry that was open: its answers, its files, a course that was open at
// the question to come.
func (v *Evening) comeTo(h *history) {
	v.desk.before, v.desk.typed = h.open.said, h.open.typed
	v.recall(h.open.files, false)
	if n := len(h.trials); n > 0 {
		v.desk.retry, v.tried = &h.trials[n-1].what, n-1
	}
}

// cutShort brings what is stored into line with a session that could not be taken
// up whole: what is missing counts as undone.
func (v *Evening) cutShort(done, reached int) {
	if reached < done {
		v.note(Entry{Undo: done - reached})
	}
}

// recall lets an entry include what it included then, forget what is there now.
func (v *Evening) recall(files map[string]string, only bool) {
	if v.folder != nil {
		v.folder.recall(files, only)
	}
}

func (v *Evening) forget() {
	if v.folder != nil {
		v.folder.forget()
	}
}

// again evaluates a step once more. The generator is let run on, so that the
// dice to come are those that would have come. Should it give others than it
// did then, which only happens when the program has changed in between, the
// faces that fell are given instead.
func (v *Evening) again(p past) error {
	if p.kept != nil {
		return v.keepAgain(p)
	}
	s := step{Step: p.Step, asks: p.asks, before: v.sess.Snapshot()}
	s.Seed = v.Seed()
	if p.seed != nil {
		s.Seed = *p.seed
		v.sess.Seed(*p.seed)
	} else if p.dropped {
		s.dropped, s.waits, s.said = true, p.waits, p.said
	} else if p.Hand != nil {
		if err := v.sess.Hand(p.Hand.Who, p.Hand.Asked); err != nil {
			return err
		}
	} else if err := v.replay(p, s.before); err != nil {
		return err
	} else {
		s.fell, s.said, s.replies, s.answers = v.sess.Record(), p.said, v.desk.replies, v.answers
		s.told, s.events = v.told, v.events
		s.Text = v.running.Text
	}
	s.after = v.sess.Snapshot()
	v.steps = append(v.steps, s)
	return nil
}

// keepAgain puts a course that was kept in the place of the last steps once more.
func (v *Evening) keepAgain(p past) error {
	first := len(v.steps) - len(p.instead)
	instead := slices.Clone(v.steps[first:])
	now := v.sess.Snapshot()
	v.steps = v.steps[:first]
	if len(instead) > 0 {
		v.sess.Restore(instead[0].before)
	}
	v.log(Told{Notice: Kept{Line: p.kept.Line}})
	for i := range p.kept.Steps {
		if err := v.courseAgain(&p.kept.Steps[i], p.files); err != nil {
			v.steps = append(v.steps[:first], instead...)
			v.sess.Restore(now)
			return err
		}
	}
	course := slices.Clone(v.steps[first:])
	v.steps = append(v.steps[:first], instead...)
	v.replace(instead, course, p.kept.Line, v.sess.Snapshot())
	return nil
}

// courseAgain evaluates a step of a course that was kept.
func (v *Evening) courseAgain(a *Again, files map[string]string) error {
	s := step{Step: Step{Name: a.Name, Page: a.Page, Text: a.Input, Seed: v.Seed(), Hand: a.Hand}, said: a.Said, again: a, before: v.sess.Snapshot()}
	if a.Seed != nil {
		s.Seed = *a.Seed
	}
	if done, err := v.turned(s); !done {
		v.feed(a)
		if err := v.replay(past{Step: s.Step, said: a.Said, fell: &a.Fell, files: files}, s.before); err != nil {
			return err
		}
		s.fell, s.replies, s.answers, s.told, s.events = v.sess.Record(), v.desk.replies, v.answers, v.told, v.events
	} else if err != nil {
		return err
	}
	v.sess.Seed(a.Next)
	s.after = v.sess.Snapshot()
	v.steps = append(v.steps, s)
	return nil
}

func (v *Evening) replay(p past, before *interp.Snapshot) error {
	v.desk.closed = true
	defer func() { v.desk.closed = false }()
	v.desk.before = p.said
	v.recall(p.files, true)
	defer v.sess.SetChance(nil)
	if p.asks {
		v.sess.SetChance(v.desk)
	}
	src := p.source()
	past := len(v.story)
	err := v.exec(v.ctx, src)
	if Stays(err) && v.fellAs(p.fell) {
		return nil
	}
	v.story = v.story[:min(past, len(v.story))]
	v.sess.Restore(before)
	v.sess.SetChance(nil)
	v.sess.Give(p.fell.Record)
	v.desk.before = lates(p.said)
	err = v.exec(v.ctx, src)
	if !Stays(err) {
		v.sess.Restore(before)
		return err
	}
	if !v.fellAs(p.fell) {
		v.sess.Restore(before)
		return errors.New("its dice or answers no longer fit")
	}
	return nil
}

func (v *Evening) fellAs(f *Fell) bool { return v.sess.Record().Same(f.Record) }
