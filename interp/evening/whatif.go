package evening

import (
	"context"
	"errors"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// What would have come of it if somebody had attacked the other one, or had not rolled
// again? WhatIf runs the evening once more from the entry or the answer in question on,
// with another one in its place, tells in what the two courses differ, and puts
// everything back. Keep takes the other course, Drop forgets it.
//
// Both courses are run: the one that was, to see at which places dice fell and questions
// were answered (interp.Course), then the other, in which the same dice fall and the same
// answers are given where the same throws and questions come again. Between entries the
// host is asked what is new in the other course. At a question it ends where it comes to
// a question that has no answer; the host comes to it if they keep that course.
//
// A course that is kept is stored with everything that fell in it, and
// takes the place of the entries, or of the answers of the evaluation that goes on, as a
// whole: one Undo takes that back. A course that is only tried out can be lost without a
// loss, but what was said for it is stored, too, so it is there again when the
// evening is taken up.

// trial is a course that is tried out.
type trial struct {
	Courses
	kept  Course
	first int // of Evening.steps that it takes the place of; at a question -1
	back  int // so many entries
	steps []step
	after *interp.Snapshot
	loud  int // answers that are left when it begins to differ, at a question
}

// trying is a course that is to be tried at a question.
type trying struct {
	what            Change
	reply           Reply
	faces           []int // the other answer, of dice
	script, outside []int // dice that were given and have not fallen
	seed            uint64
}

// Courses is the other course that is open; nil: none.
func (v *Evening) Courses() *Courses {
	if v.trial == nil {
		return nil
	}
	return &v.trial.Courses
}

// WhatIf tries a line in the place of another. Between entries w.Back counts these from the end, and
// w.Answer the answers of that one: at 0 it is the answer that the line would be, if it would be
// one, else the whole entry. At a question w.Back counts the answers of the entry that goes on; at
// 0 it is the last to whose question the line is an answer.
//
// The courses are told as a notice, or why they could not be tried, and stay open until Keep or
// Drop. The error is a *Refused, ErrMoved at a question, or ErrLeft if the host left one of the
// other course.
func (v *Evening) WhatIf(ctx context.Context, w Change) error {
	if v.busy {
		return v.whatIfAnswer(w)
	}
	v.unsaved = false
	flat := v.flat()
	switch {
	case len(flat) == 0:
		return &Refused{Why: NoEntry}
	case w.Back < 1 || w.Back > len(flat):
		return &Refused{Why: TooFar, Have: len(flat), Asked: w.Back}
	}
	s := flat[len(flat)-w.Back]
	switch {
	case w.Answer < 0 || w.Answer > len(s.replies):
		return &Refused{Why: NoSuchAnswer, Have: len(s.replies), Asked: max(w.Answer, 0), Step: &s.Step}
	case w.Answer == 0 && len(s.replies) > 0 && IsAnswer(w.Line):
		w.Answer, _ = answering(s.replies, w.Line)
	case w.Answer == 0:
		if n, ok := answering(s.replies, w.Line); ok {
			w.Answer = n
		}
	}
	if w.Answer > 0 {
		if err := isOther(s.replies[len(s.replies)-w.Answer], w.Line); err != nil {
			return err
		}
	} else {
		w.Line = Spelled(w.Line)
		if strings.TrimSpace(w.Line) == strings.TrimSpace(s.Text) {
			return &Refused{Why: SameLine, Step: &s.Step}
		}
	}
	v.note(Entry{WhatIf: &w})
	return v.try(ctx, w, nil)
}

// whatIfAnswer tries another answer in the place of one that was given during this evaluation.
func (v *Evening) whatIfAnswer(w Change) error {
	d := v.desk
	n := len(d.replies)
	switch {
	case d.rerun != nil:
		return &Refused{Why: InCourse}
	case n == 0:
		return &Refused{Why: NoAnswer}
	case w.Back == 0:
		w.Back, _ = answering(d.replies, w.Line)
	case w.Back < 0 || w.Back > n:
		return &Refused{Why: TooFar, Have: n, Asked: w.Back}
	}
	if err := isOther(d.replies[n-w.Back], w.Line); err != nil {
		return err
	}
	v.note(Entry{WhatIf: &w})
	v.tryLater(w)
	return ErrMoved
}

// Answering says to which of the questions that were answered in the entry that goes on a line would
// be an answer, and could hardly be anything else: the last one, counted from the end.
func (v *Evening) Answering(line string) (back int, ok bool) { return answering(v.desk.replies, line) }

// answering gives the last of the answers, counted from the end, whose question a line
// answers; 1 where it answers none.
func answering(replies []Reply, line string) (back int, ok bool) {
	for i, p := range slices.Backward(replies) {
		if p.takes(line) {
			return len(replies) - i, true
		}
	}
	return 1, false
}

// isOther says what is wrong with a line as another answer to a question than the one that was given.
func isOther(p Reply, line string) error {
	answer, err := p.read(line)
	switch {
	case err != nil:
		return &Refused{Why: NotAnAnswer, Reply: &p, Err: err}
	case answer == p.Answer:
		return &Refused{Why: SameAnswer, Reply: &p}
	}
	return nil
}

// try tries a course between entries. Early are the answers that the host gave then before the
// evening was left.
func (v *Evening) try(ctx context.Context, w Change, early []Entry) error {
	open := v.trial
	v.trial, v.ctx, v.paused = nil, ctx, false
	t, err := v.tryEntry(w, early)
	return v.opened(t, open, err)
}

// opened tells of a course that was tried, or why it could not be: then the one that was
// open before stays open.
func (v *Evening) opened(t, before *trial, err error) error {
	switch {
	case v.paused:
		return ErrLeft // the store has it, with its answers
	case err != nil:
		v.note(Entry{Drop: 1})
		v.trial = before
		v.host.Tell(NotTried{Err: err, Asked: v.busy})
		return nil
	}
	v.trial = t
	v.tried++
	v.host.Tell(&t.Courses)
	return nil
}

// tryEntry runs the entries from one on twice: as they were, and with the other line.
func (v *Evening) tryEntry(w Change, early []Entry) (*trial, error) {
	flat := v.flat()
	k := len(flat) - w.Back
	now, seed := v.sess.Snapshot(), v.sess.IndependentSeed()
	script, outside := v.sess.GivenDice()
	defer func() {
		v.sess.Restore(now)
		v.useDice()
	}()
	t := &trial{Courses: Courses{Line: w.Line, Step: &flat[k].Step}, first: v.element(k), back: w.Back}
	if w.Answer > 0 {
		t.Reply = &flat[k].replies[len(flat[k].replies)-w.Answer]
	}

	v.sess.Restore(flat[k].before)
	was := make([]*rerun, len(flat)-k)
	courses := make([]*interp.Course, len(was))
	for i, s := range flat[k:] {
		was[i] = &rerun{evening: v, said: flatSaid(s.said), now: Side{Course: transcript.Course{Events: t.Was.Events}}}
		courses[i] = &interp.Course{Sited: i > 0 || w.Answer > 0}
		if err := v.asItWas(s, was[i], courses[i]); err != nil {
			return nil, err
		}
		t.Was = was[i].now
	}
	t.Was.State = v.wholeState()

	v.sess.Restore(flat[k].before)
	v.otherDice(flat[k].before, script, outside)
	v.sess.Seed(seed)
	v.useDice()
	for i, s := range flat[k:] {
		c := &interp.Course{Sited: courses[i].Sited, Past: courses[i]}
		r := &rerun{evening: v, said: early, past: was[i], course: c, now: t.Would}
		if i == 0 && w.Answer == 0 {
			s.Name, s.Page, s.Text, s.Hand = "", "", w.Line, nil
		} else if i == 0 {
			n := len(was[0].order) - w.Answer
			if n < 0 {
				return nil, &Gone{}
			}
			r.place, r.line = was[0].order[n], w.Line
			if p := s.replies[len(s.replies)-w.Answer]; p.Kind == Dice {
				faces, _ := readFaces(w.Line, p.query.Sizes)
				c.Other = map[string][]int{r.place: faces}
			}
		}
		again, err := v.otherwise(s, r, c, i == 0)
		if err != nil {
			return nil, err
		}
		early = r.said
		t.Would = r.now
		t.Anew, t.Again = append(t.Anew, c.Anew...), t.Again+c.Again
		if again != nil {
			t.steps = append(t.steps, *again)
		}
	}
	t.Would.State, t.after = v.wholeState(), v.sess.Snapshot()
	return t, nil
}

// otherDice has those dice wait for the other course that were given ahead and have not
// fallen since it began; the others fall where they fell.
func (v *Evening) otherDice(before *interp.Snapshot, script, outside []int) {
	waiting, _ := before.GivenDice()
	v.sess.DropDice(len(waiting) > 0)
	if n := len(waiting) - len(script); n > 0 && slices.Equal(waiting[n:], script) {
		v.sess.GiveDice(script...)
	}
	v.sess.GiveDice(outside...)
}

// asItWas runs an entry once more, with what fell and was answered then.
func (v *Evening) asItWas(s step, r *rerun, c *interp.Course) error {
	if done, err := v.turned(s); done {
		return err
	}
	if s.again != nil {
		v.feed(s.again)
	}
	v.feedSaid(s.said)
	if s.asks {
		v.sess.SetChance(v.desk)
	} else {
		v.sess.SetChance(nil)
	}
	err := v.once(s.source(), r, c)
	switch {
	case isCancelled(err) && !r.stood:
		return err
	case r.stood || !Stays(err) || !r.fell.Same(s.fell):
		return &Gone{Step: &s.Step}
	}
	return nil
}

func isCancelled(err error) bool {
	var run *interp.RunError
	return errors.As(err, &run) && run.Kind == interp.Cancelled
}

// turned does a step that is no text.
func (v *Evening) turned(s step) (done bool, err error) {
	switch {
	case s.Hand != nil:
		return true, v.sess.Hand(s.Hand.Who, s.Hand.Asked)
	case s.Text == "":
		v.sess.Seed(s.Seed)
		return true, nil
	}
	return false, nil
}

// otherwise runs an entry in the other course, and gives it as a step; nil if there it is
// none. What the rules refuse there is left out, but for the entry that differs.
func (v *Evening) otherwise(s step, r *rerun, c *interp.Course, first bool) (*step, error) {
	out := step{Step: s.Step, before: v.sess.Snapshot()}
	if first {
		out.before = s.before // with the dice that waited
	}
	done, err := v.turned(s)
	src := s.source()
	happened := len(r.now.Events)
	if !done {
		err = v.once(src, r, c)
	}
	switch {
	case r.left && v.paused:
		return nil, ErrLeft
	case r.dropped:
		return nil, ErrDropped
	case r.left, isCancelled(err):
		return nil, err
	case r.wrong != nil:
		return nil, r.wrong
	case !Stays(err) && first:
		return nil, err
	case !Stays(err):
		v.sess.Restore(out.before)
		r.now.Refused = append(r.now.Refused, RefusedEntry{s.Step, shortly(err)})
		return nil, nil
	}
	if !done {
		out.said, out.fell, out.answers = r.given, r.fell, v.answers
		if err == nil && !v.changed && len(out.fell.Besides()) == 0 && v.onlyLooks(src) {
			return nil, nil
		}
	}
	for _, e := range r.now.Events[happened:] {
		out.told, out.events = append(out.told, fingerprint(e)...), append(out.events, e)
	}
	out.again = v.makesAgain(out, r.outside)
	out.again.First = first
	v.sess.Seed(out.again.Next)
	out.after = v.sess.Snapshot()
	return &out, nil
}

// makesAgain is a step of the other course with all that makes it happen again, from
// where it stands.
func (v *Evening) makesAgain(s step, left []int) *Again {
	a := &Again{
		Input: s.Text, Name: s.Name, Page: s.Page, Hand: s.Hand, Said: s.said, Left: left, Next: v.sess.IndependentSeed(), Fell: Fell{Record: s.fell},
	}
	if s.Hand == nil && s.Text == "" {
		a.Seed = &s.Seed
	}
	return a
}

// feed gives what fell in a course that was kept.
func (v *Evening) feed(a *Again) {
	v.sess.DropDice(a.First)
	v.sess.Give(a.Drawn())
	v.sess.GiveDice(a.Left...)
	v.sess.Seed(a.Next)
}

// shortly says in a line what is wrong.
func shortly(err error) string {
	var run *interp.RunError
	if errors.As(err, &run) {
		return run.Diag.Message
	}
	var ds lang.Diagnostics
	if errors.As(err, &ds) && len(ds) > 0 {
		return ds[0].Message
	}
	return err.Error()
}

// flat gives the entries in force one by one, those of courses that were kept, too.
func (v *Evening) flat() []step {
	var out []step
	for _, s := range v.steps {
		if s.Kept {
			out = append(out, s.course...)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// element gives which of the steps the k-th of flat belongs to.
func (v *Evening) element(k int) int {
	for i, s := range v.steps {
		n := 1
		if s.Kept {
			n = len(s.course)
		}
		if k < n {
			return i
		}
		k -= n
	}
	return len(v.steps)
}

// Keep puts the course that is open in the place of what was. At a question it returns ErrMoved.
func (v *Evening) Keep() error {
	t := v.trial
	switch {
	case v.desk.rerun != nil:
		return &Refused{Why: InCourse}
	case t == nil:
		return &Refused{Why: NoCourse}
	case t.first < 0:
		v.desk.keeping, v.desk.undone = &t.kept, nil
		return ErrMoved
	}
	v.unsaved = false
	start := 0
	for _, s := range v.steps[:t.first] {
		start += max(1, len(s.course))
	}
	flat := v.flat()
	instead := slices.Clone(v.steps[t.first:])
	course := slices.Concat(flat[start:len(flat)-t.back], t.steps)
	kept := Course{Back: len(instead), Line: t.Line}
	for _, s := range course {
		kept.Steps = append(kept.Steps, *s.again)
	}
	v.note(Entry{Keep: &kept})
	v.replace(instead, course, kept.Line, t.after)
	v.trial, v.tried, v.looks, v.undone = nil, 0, nil, nil
	v.sess.Restore(t.after)
	v.tell(Kept{Line: t.Line})
	for _, e := range t.Would.Events {
		v.remember(e)
		v.host.Event(e, false)
	}
	return v.host.Settle()
}

// keepAnswers prepares for the same evaluation with the answers of another course. It is
// silent as far as both go the same way.
func (v *Evening) keepAnswers(k *Course) {
	t := v.trial
	v.trial, v.tried = nil, 0
	if t == nil {
		v.comesAgain(untilAsked)
	} else {
		v.comesAgain(untilOther)
		v.loud = t.loud
	}
	v.host.Tell(Kept{Line: k.Line, Again: t == nil})
}

// replace puts a course in the place of the last steps, as one step.
func (v *Evening) replace(instead, course []step, line string, after *interp.Snapshot) {
	first := len(v.steps) - len(instead)
	v.steps = append(v.steps[:first], step{
		Step:   Step{Kept: true, Text: line, Seed: instead[len(instead)-1].Seed},
		course: course, instead: instead, before: instead[0].before, after: after,
	})
}

// Drop forgets the course that is open, and all that were tried before it. At a question of a course
// that is being tried it ends that, and returns ErrMoved.
func (v *Evening) Drop() error {
	switch r := v.desk.rerun; {
	case r != nil:
		r.left, r.dropped = true, true
		return ErrMoved
	case v.trial == nil:
		return &Refused{Why: NoCourse}
	}
	if !v.busy {
		v.unsaved = false
	}
	v.note(Entry{Drop: v.tried})
	v.trial, v.tried = nil, 0
	return nil
}

// ---- at a question ----

// tryLater has a course tried when the question has been left.
func (v *Evening) tryLater(w Change) {
	d := v.desk
	p := d.replies[len(d.replies)-w.Back]
	t := &trying{what: w, reply: p, seed: v.sess.IndependentSeed()}
	if p.Kind == Dice {
		t.faces, _ = readFaces(w.Line, p.query.Sizes)
	}
	t.script, t.outside = v.sess.GivenDice()
	d.trying = t
}

// tryAnswer runs what is being evaluated twice: to the question where it stands, and with
// the other answer, to a question that has none. Before is the state in which it began.
func (v *Evening) tryAnswer(x *trying, src *lang.Source, before *interp.Snapshot) {
	open := v.trial
	v.trial = nil
	t, err := v.bothCourses(x, src, before)
	v.opened(t, open, err)
}

func (v *Evening) bothCourses(x *trying, src *lang.Source, before *interp.Snapshot) (*trial, error) {
	d := v.desk
	defer v.useDice()
	t := &trial{Courses: Courses{Line: x.what.Line, Reply: &x.reply}, first: -1}

	v.sess.Restore(before)
	v.feedSaid(d.said)
	was, first := &rerun{evening: v, said: flatSaid(d.said)}, &interp.Course{Sited: true}
	err := v.once(src, was, first)
	n := len(was.order) - x.what.Back
	if !was.stood || n < 0 {
		return nil, errors.Join(&Gone{}, err)
	}
	t.Was = was.now

	v.sess.Restore(before)
	v.otherDice(before, x.script, x.outside)
	v.sess.Seed(x.seed)
	c := &interp.Course{Sited: true, Past: first}
	would := &rerun{evening: v, past: was, course: c, stops: true, place: was.order[n], line: x.what.Line}
	if x.faces != nil {
		c.Other = map[string][]int{would.place: x.faces}
	}
	err = v.once(src, would, c)
	switch {
	case would.wrong != nil:
		return nil, would.wrong
	case !would.stood && !Stays(err):
		return nil, err
	}
	t.Would, t.Anew, t.Again = would.now, c.Anew, c.Again
	s := step{said: would.given, fell: would.fell}
	again := v.makesAgain(s, would.outside)
	again.Seed, again.First = nil, true
	t.kept = Course{Line: x.what.Line, Steps: []Again{*again}}
	t.loud = max(0, Answers(would.given)-Answers(was.given[:was.came[n]])-1)
	if x.faces != nil {
		t.loud++
	}
	return t, nil
}

// feedSaid gives what fell in the course that answers begin with, if they begin with one.
func (v *Evening) feedSaid(said []Entry) {
	if len(said) > 0 && said[0].Keep != nil {
		v.feed(&said[0].Keep.Steps[0])
	}
}
