package repl

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/player"
	"setpiece/cmd/internal/render"
	"setpiece/interp"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// What would have come of it if somebody had attacked the other one, or had not rolled
// again? :what-if runs the evening once more from the entry or the answer in question on,
// with another one in its place, shows in what the two courses differ, and puts
// everything back. :keep takes the other course, :drop forgets it.
//
// Both courses are run: the one that was, to see at which places dice fell and questions
// were answered (interp.Course), then the other, in which the same dice fall and the same
// answers are given where the same throws and questions come again. Between entries the
// person is asked what is new in the other course. At a question it ends where it comes to
// a question that has no answer; the person comes to it if they keep that course.
//
// A course that is kept is written to the journal with everything that fell in it, and
// takes the place of the entries, or of the answers of the evaluation that goes on, as a
// whole: one :undo takes that back. A course that is only tried out can be lost without a
// loss, but what was typed for it is in the journal, too, so it is there again when the
// session is taken up.

// trial is a course that is tried out.
type trial struct {
	was, would side
	instead    string // what it differs in, as it was
	line       string // and as it is
	anew       []string
	again      int // dice that fell as they had fallen

	kept  journal.Course
	first int // of Loop.steps that it takes the place of; at a question -1
	back  int // so many entries
	steps []step
	after *interp.Snapshot
	loud  int // answers that are left when it begins to differ, at a question
}

// trying is a course that is to be tried at a question.
type trying struct {
	what            journal.WhatIf
	instead         string
	faces           []int // the other answer, of dice
	script, outside []int // dice that were given and have not fallen
	seed            uint64
}

// back is how a line says which entry it takes the place of, or which of its answers.
var back = regexp.MustCompile(`^(\d+)(?:\.(\d+))?(?:\s+|$)`)

// whatIfLine reads what stands behind :what-if.
func whatIfLine(arg string) journal.WhatIf {
	w := journal.WhatIf{Back: 1, Line: arg}
	m := back.FindStringSubmatch(arg)
	if m == nil || len(m[0]) == len(arg) {
		return w
	}
	w.Back, _ = strconv.Atoi(m[1])
	if m[2] != "" {
		if w.Answer, _ = strconv.Atoi(m[2]); w.Answer == 0 {
			w.Answer = -1
		}
	}
	w.Line = arg[len(m[0]):]
	return w
}

const howWhatIf = "type what you would have typed instead: :what-if LINE, or :what-if 3 LINE for the third line from the end"

// whatIf tries an entry, or an answer that was given during one, in the place of another.
func (l *Loop) whatIf(arg string) {
	w := whatIfLine(arg)
	flat := l.flat()
	switch {
	case arg == "" && len(flat) == 0:
		l.complain("there is nothing to change: no entry has changed anything yet")
		return
	case arg == "":
		l.complain("%s", howWhatIf)
		return
	case player.IsCommand(w.Line):
		l.complain("only a line of the game can be another one, not %s", strings.Fields(w.Line)[0])
		return
	case len(flat) == 0:
		l.complain("there is nothing to change: no entry has changed anything yet")
		return
	case w.Back < 1 || w.Back > len(flat):
		l.noneThatFar(len(flat), countSteps(len(flat)), w.Back)
		return
	}
	s := flat[len(flat)-w.Back]
	switch {
	case w.Answer < 0 || w.Answer > len(s.replies):
		l.complain("%s", noAnswer(s, w.Answer))
		return
	case w.Answer == 0 && len(s.replies) > 0 && player.IsAnswer(w.Line):
		w.Answer = lastTaking(s.replies, w.Line)
	case w.Answer == 0 && len(s.replies) > 0:
		if n := lastTaking(s.replies, w.Line); s.replies[len(s.replies)-n].takes(w.Line) {
			w.Answer = n
		}
	}
	if w.Answer > 0 {
		if !l.isOther(s.replies[len(s.replies)-w.Answer], w.Line) {
			return
		}
	} else {
		w.Line = spelled(w.Line)
		if strings.TrimSpace(w.Line) == strings.TrimSpace(s.text) {
			l.complain("that is the line as it was: %s", s.title())
			return
		}
	}
	l.note(journal.Entry{WhatIf: &w})
	l.try(w, nil)
}

// noneThatFar says that there are too few entries or answers to change one so far back.
func (l *Loop) noneThatFar(n int, are string, back int) {
	is := "are"
	if n == 1 {
		is = "is"
	}
	l.complain("there %s %s to change, so there is none with the number %d from the end", is, are, back)
}

// isOther says whether a line is another answer to a question than the one that was given,
// and says what is wrong if it is none.
func (l *Loop) isOther(p reply, line string) bool {
	answer, err := p.read(line)
	switch {
	case err != nil:
		l.complain("%s   %v", p.title, err)
	case answer == p.answer:
		l.complain("%s   that is what was answered: %s", p.title, p.answer)
	default:
		return true
	}
	return false
}

func noAnswer(s step, n int) string {
	switch len(s.replies) {
	case 0:
		return "nothing was asked in that entry: " + s.title()
	case 1:
		return "there was 1 answer in that entry: " + s.title()
	}
	return fmt.Sprintf("there were %d answers in that entry, so there is none with the number %d from the end: %s", len(s.replies), max(n, 0), s.title())
}

// try tries a course between entries and shows in what it differs. Early are the answers
// that the person gave then before the session was cut off.
func (l *Loop) try(w journal.WhatIf, early []journal.Entry) {
	open := l.trial
	l.trial = nil
	t, err := l.tryEntry(w, early)
	l.opened(t, open, err)
}

// opened shows a course that was tried, or why it could not be: then the one that was
// open before stays open.
func (l *Loop) opened(t, before *trial, err error) {
	switch {
	case l.paused:
		return // the journal has it, with its answers
	case err != nil:
		l.note(journal.Entry{Drop: 1})
		l.trial = before
		l.failedTrial(err)
		return
	}
	l.trial = t
	l.tried++
	l.showTrial(t)
}

// failedTrial tells why a course could not be tried.
func (l *Loop) failedTrial(err error) {
	var run *interp.RunError
	switch {
	case errors.Is(err, errDropped):
		l.faint("dropped; the evening is as it was")
		return
	case errors.As(err, &run) && run.Kind == interp.Cancelled:
		l.complain("stopped; the evening is as it was")
		return
	}
	if l.busy {
		render.Error(l.cfg.Questions, l.cfg.Palette, err)
	} else {
		l.tellError(err)
		l.flush()
	}
	l.faint("the evening is as it was")
}

var (
	errDropped = errors.New("the person dropped it")
	errGone    = errors.New("this entry cannot be run again as it was, so nothing can be compared with it")
)

// tryEntry runs the entries from one on twice: as they were, and with the other line.
func (l *Loop) tryEntry(w journal.WhatIf, early []journal.Entry) (*trial, error) {
	flat := l.flat()
	k := len(flat) - w.Back
	now, seed := l.sess.Snapshot(), l.sess.IndependentSeed()
	script, outside := l.sess.GivenDice()
	defer func() {
		l.sess.Restore(now)
		l.useDice()
	}()
	t := &trial{line: w.Line, instead: flat[k].title(), first: l.element(k), back: w.Back}
	if w.Answer > 0 {
		p := flat[k].replies[len(flat[k].replies)-w.Answer]
		t.instead = p.title + "  " + p.answer
	}

	l.sess.Restore(flat[k].before)
	was := make([]*rerun, len(flat)-k)
	courses := make([]*interp.Course, len(was))
	for i, s := range flat[k:] {
		was[i] = &rerun{loop: l, said: journal.Flat(s.said), now: side{events: t.was.events}}
		courses[i] = &interp.Course{Sited: i > 0 || w.Answer > 0}
		if err := l.asItWas(s, was[i], courses[i]); err != nil {
			return nil, err
		}
		t.was = was[i].now
	}
	t.was.state = l.wholeState()

	l.sess.Restore(flat[k].before)
	l.otherDice(flat[k].before, script, outside)
	l.sess.Seed(seed)
	l.useDice()
	for i, s := range flat[k:] {
		c := &interp.Course{Sited: courses[i].Sited, Past: courses[i]}
		r := &rerun{loop: l, said: early, past: was[i], course: c, now: t.would}
		if i == 0 && w.Answer == 0 {
			s.name, s.text, s.hand = "", w.Line, nil
		} else if i == 0 {
			n := len(was[0].order) - w.Answer
			if n < 0 {
				return nil, errGone
			}
			r.place, r.line = was[0].order[n], w.Line
			if p := s.replies[len(s.replies)-w.Answer]; p.dice != nil {
				faces, _ := player.ReadFaces(w.Line, p.dice)
				c.Other = map[string][]int{r.place: faces}
			}
		}
		again, err := l.otherwise(s, r, c, i == 0)
		if err != nil {
			return nil, err
		}
		early = r.said
		t.would = r.now
		t.anew, t.again = append(t.anew, c.Anew...), t.again+c.Again
		if again != nil {
			t.steps = append(t.steps, *again)
		}
	}
	t.would.state, t.after = l.wholeState(), l.sess.Snapshot()
	return t, nil
}

// otherDice has those dice wait for the other course that were given ahead and have not
// fallen since it began; the others fall where they fell.
func (l *Loop) otherDice(before *interp.Snapshot, script, outside []int) {
	waiting, _ := before.GivenDice()
	l.sess.DropDice(len(waiting) > 0)
	if n := len(waiting) - len(script); n > 0 && slices.Equal(waiting[n:], script) {
		l.sess.GiveDice(script...)
	}
	l.sess.GiveDice(outside...)
}

// asItWas runs an entry once more, with what fell and was answered then.
func (l *Loop) asItWas(s step, r *rerun, c *interp.Course) error {
	if done, err := l.turned(s); done {
		return err
	}
	if s.again != nil {
		l.feed(s.again)
	}
	l.feedSaid(s.said)
	if journal.AsksDice(s.said) {
		l.sess.SetChance(l.desk)
	} else {
		l.sess.SetChance(nil)
	}
	err := l.once(lang.NewSource(s.name, s.text), r, c)
	var run *interp.RunError
	switch {
	case errors.As(err, &run) && run.Kind == interp.Cancelled && !r.stood:
		return err
	case r.stood || !stays(err) || !r.fell.Same(s.fell):
		return fmt.Errorf("%s: %w", s.title(), errGone)
	}
	return nil
}

// turned does a step that is no text.
func (l *Loop) turned(s step) (done bool, err error) {
	switch {
	case s.hand != nil:
		return true, l.sess.Hand(s.hand.Who, s.hand.Asked)
	case s.text == "":
		l.sess.Seed(s.seed)
		return true, nil
	}
	return false, nil
}

// otherwise runs an entry in the other course, and gives it as a step; nil if there it is
// none. What the rules refuse there is left out, but for the entry that differs.
func (l *Loop) otherwise(s step, r *rerun, c *interp.Course, first bool) (*step, error) {
	out := step{name: s.name, text: s.text, seed: s.seed, hand: s.hand, before: l.sess.Snapshot()}
	if first {
		out.before = s.before // with the dice that waited
	}
	done, err := l.turned(s)
	src := lang.NewSource(s.name, s.text)
	happened := len(r.now.events)
	if !done {
		err = l.once(src, r, c)
	}
	var run *interp.RunError
	switch {
	case r.left && l.paused:
		return nil, errLeft
	case r.dropped:
		return nil, errDropped
	case r.left, errors.As(err, &run) && run.Kind == interp.Cancelled:
		return nil, err
	case r.wrong != nil:
		return nil, r.wrong
	case !stays(err) && first:
		return nil, err
	case !stays(err):
		l.sess.Restore(out.before)
		r.now.refused = append(r.now.refused, refusedEntry{s.title(), shortly(err)})
		return nil, nil
	}
	if !done {
		out.said, out.fell, out.answers, out.replies = r.given, r.fell, l.answers, nil
		if err == nil && !l.changed && len(out.fell.Besides()) == 0 && l.onlyLooks(src) {
			return nil, nil
		}
	}
	for _, e := range r.now.events[happened:] {
		out.told = append(out.told, fingerprint(e)...)
	}
	out.again = l.makesAgain(out, r.outside)
	out.again.First = first
	l.sess.Seed(out.again.Next)
	out.after = l.sess.Snapshot()
	return &out, nil
}

// makesAgain is a step of the other course with all that makes it happen again, from
// where it stands.
func (l *Loop) makesAgain(s step, left []int) *journal.Again {
	a := &journal.Again{
		Input: s.text, Name: s.name, Hand: s.hand, Said: s.said, Left: left, Next: l.sess.IndependentSeed(), Fell: journal.Fell{Record: s.fell},
	}
	if s.hand == nil && s.text == "" {
		a.Seed = &s.seed
	}
	return a
}

// feed gives what fell in a course that was kept.
func (l *Loop) feed(a *journal.Again) {
	l.sess.DropDice(a.First)
	l.sess.Give(a.Drawn())
	l.sess.GiveDice(a.Left...)
	l.sess.Seed(a.Next)
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
func (l *Loop) flat() []step {
	var out []step
	for _, s := range l.steps {
		if s.kept {
			out = append(out, s.course...)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// element gives which of the steps the k-th of flat belongs to.
func (l *Loop) element(k int) int {
	for i, s := range l.steps {
		n := 1
		if s.kept {
			n = len(s.course)
		}
		if k < n {
			return i
		}
		k -= n
	}
	return len(l.steps)
}

// showTrial shows in what two courses differ.
func (l *Loop) showTrial(t *trial) {
	if j, ok := l.transcript.(*transcript.JSON); ok {
		j.WhatIf(t.record())
		return
	}
	d := render.Difference{
		Instead: t.instead, Was: l.lines(t.was), Would: l.lines(t.would), State: render.CompareState(t.was.state, t.would.state),
		Again: t.again, Anew: t.anew,
	}
	for _, x := range t.would.refused {
		d.Refused = append(d.Refused, [2]string{x.title, x.why})
	}
	d.Show(l.cfg.Questions, l.cfg.Palette)
	l.faint("nothing has changed yet: :keep takes this course, :drop leaves the evening as it was")
}

// record is a course that was tried out for whoever reads records.
func (t *trial) record() transcript.WhatIf {
	w := transcript.WhatIf{
		Instead: t.instead, Line: t.line, Again: t.again, Anew: t.anew,
		Was:   transcript.Course{Events: t.was.events, Open: t.was.open, Asks: t.was.asks},
		Would: transcript.Course{Events: t.would.events, Open: t.would.open, Asks: t.would.asks},
	}
	value := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	for _, f := range render.CompareState(t.was.state, t.would.state) {
		w.State = append(w.State, transcript.StateDifference{Who: f.Who, Field: f.Field, Was: value(f.Was), Would: value(f.Would)})
	}
	for _, x := range t.would.refused {
		w.Refused = append(w.Refused, transcript.RefusedLine{Line: x.title, Why: x.why})
	}
	return w
}

// lines is what happened on one side, line by line.
func (l *Loop) lines(s side) []string {
	var b strings.Builder
	t := transcript.NewText(&b, transcript.Options{Trace: l.trace})
	for i, e := range s.events {
		if i+1 == s.parted {
			b.WriteString(parted)
		}
		t.Event(e)
	}
	if len(s.events) < s.parted {
		b.WriteString(parted)
	}
	if len(s.open) > 0 {
		t.Event(&interp.Event{Kind: interp.EventThrow, Request: &interp.Request{Open: s.open}})
	}
	t.Flush()
	if s.asks != "" {
		fmt.Fprintf(&b, "now asks: %s\n", s.asks)
	}
	return strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
}

// parted stands where a course needs dice that had not fallen.
const parted = "from here on, new dice are thrown\n"

// ---- :keep and :drop ----

func (l *Loop) keepCourse(string) {
	t := l.trial
	switch {
	case t == nil:
		l.complain("no other course is open: :what-if LINE tries one")
		return
	case t.first < 0:
		l.desk.keeping, l.desk.undone = &t.kept, nil
		return
	}
	start := 0
	for _, s := range l.steps[:t.first] {
		start += max(1, len(s.course))
	}
	flat := l.flat()
	instead := slices.Clone(l.steps[t.first:])
	course := slices.Concat(flat[start:len(flat)-t.back], t.steps)
	kept := journal.Course{Back: len(instead), Line: t.line}
	for _, s := range course {
		kept.Steps = append(kept.Steps, *s.again)
	}
	l.note(journal.Entry{Keep: &kept})
	l.replace(instead, course, kept.Line, t.after)
	l.trial, l.tried, l.looks, l.undone = nil, 0, nil, nil
	l.sess.Restore(t.after)
	l.faint("kept: " + t.line + "; :undo takes that back")
	l.mark(":what-if " + t.line)
	for _, e := range t.would.events {
		l.remember(e)
		l.transcript.Event(e)
	}
	l.transcript.Flush()
}

// replace puts a course in the place of the last steps, as one step.
func (l *Loop) replace(instead, course []step, line string, after *interp.Snapshot) {
	first := len(l.steps) - len(instead)
	seed := instead[len(instead)-1].seed
	l.steps = append(l.steps[:first], step{
		kept: true, text: line, seed: seed, course: course, instead: instead, before: instead[0].before, after: after,
	})
}

func (l *Loop) dropCourse(string) {
	switch {
	case l.desk.rerun != nil:
		l.desk.rerun.left, l.desk.rerun.dropped = true, true // at a question of the other course
	case l.trial == nil:
		l.complain("no other course is open: :what-if LINE tries one")
	default:
		l.note(journal.Entry{Drop: l.tried})
		l.trial, l.tried = nil, 0
		l.faint("dropped; the evening is as it was")
	}
}

// whileOpen says whether a command can be used while another course is open: it changes
// nothing, or ends that.
func whileOpen(name string) bool {
	return slices.Contains([]string{
		"help", "explain", "state", "decisions", "brief", "options", "trace", "log", "save", "time", "quit", "pause", "what-if", "keep", "drop",
	}, name)
}

const openCourse = "another course is open: :keep takes it, :drop leaves the evening as it was"

// ---- at a question ----

// whatIfAnswer tries another answer in the place of one that was given during this
// evaluation.
func (l *Loop) whatIfAnswer(arg string) {
	d := l.desk
	if d.rerun != nil {
		l.complain("answer this question first, or type :drop")
		return
	}
	w, n := whatIfLine(arg), len(d.replies)
	if n > 0 && d.replies[n-lastTaking(d.replies, arg)].takes(arg) {
		w = journal.WhatIf{Back: 1, Line: arg} // 3 4 are two dice
	}
	switch {
	case n == 0 && l.playing:
		l.complain("this is the first question: there is no answer to change")
		return
	case n == 0:
		l.complain("there is no answer to change; Ctrl-C drops the command, and :what-if then changes an entry before it")
		return
	case arg == "":
		l.complain("type what you would have answered instead: :what-if ANSWER, or :what-if 3 ANSWER for the third answer from the end")
		return
	case w.Answer != 0:
		l.complain("count the answers alone here: :what-if %d %s", w.Answer, w.Line)
		return
	case w.Back < 1 || w.Back > n:
		l.noneThatFar(n, countAnswers(n), w.Back)
		return
	}
	if w.Line == arg {
		w.Back = lastTaking(d.replies, arg)
	}
	if !l.isOther(d.replies[n-w.Back], w.Line) {
		return
	}
	l.note(journal.Entry{WhatIf: &w})
	l.tryLater(w)
}

// lastTaking gives the last of the answers, counted from the end, whose question a line
// answers; 1 where it answers none.
func lastTaking(replies []reply, line string) int {
	for i, p := range slices.Backward(replies) {
		if p.takes(line) {
			return len(replies) - i
		}
	}
	return 1
}

// tryLater has a course tried when the question has been left.
func (l *Loop) tryLater(w journal.WhatIf) {
	d := l.desk
	p := d.replies[len(d.replies)-w.Back]
	t := &trying{what: w, instead: p.title + "  " + p.answer, seed: l.sess.IndependentSeed()}
	if p.dice != nil {
		t.faces, _ = player.ReadFaces(w.Line, p.dice)
	}
	t.script, t.outside = l.sess.GivenDice()
	d.trying = t
}

// tryAnswer runs what is being evaluated twice: to the question where it stands, and with
// the other answer, to a question that has none. Before is the state in which it began.
func (l *Loop) tryAnswer(x *trying, src *lang.Source, before *interp.Snapshot) {
	open := l.trial
	l.trial = nil
	t, err := l.bothCourses(x, src, before)
	l.opened(t, open, err)
}

func (l *Loop) bothCourses(x *trying, src *lang.Source, before *interp.Snapshot) (*trial, error) {
	d := l.desk
	defer l.useDice()
	t := &trial{line: x.what.Line, instead: x.instead, first: -1}

	l.sess.Restore(before)
	l.feedSaid(d.said)
	was, first := &rerun{loop: l, said: journal.Flat(d.said)}, &interp.Course{Sited: true}
	err := l.once(src, was, first)
	n := len(was.order) - x.what.Back
	if !was.stood || n < 0 {
		return nil, errors.Join(errGone, err)
	}
	t.was = was.now

	l.sess.Restore(before)
	l.otherDice(before, x.script, x.outside)
	l.sess.Seed(x.seed)
	c := &interp.Course{Sited: true, Past: first}
	would := &rerun{loop: l, past: was, course: c, stops: true, place: was.order[n], line: x.what.Line}
	if x.faces != nil {
		c.Other = map[string][]int{would.place: x.faces}
	}
	err = l.once(src, would, c)
	switch {
	case would.wrong != nil:
		return nil, would.wrong
	case !would.stood && !stays(err):
		return nil, err
	}
	t.would, t.anew, t.again = would.now, c.Anew, c.Again
	s := step{said: would.given, fell: would.fell}
	again := l.makesAgain(s, would.outside)
	again.Seed, again.First = nil, true
	t.kept = journal.Course{Line: x.what.Line, Steps: []journal.Again{*again}}
	t.loud = max(0, journal.Answers(would.given)-journal.Answers(was.given[:was.came[n]])-1)
	if x.faces != nil {
		t.loud++
	}
	return t, nil
}

// feedSaid gives what fell in the course that answers begin with, if they begin with one.
func (l *Loop) feedSaid(said []journal.Entry) {
	if len(said) > 0 && said[0].Keep != nil {
		l.feed(&said[0].Keep.Steps[0])
	}
}

// reply is a question that was answered, as it was put.
type reply struct {
	title, answer string
	question      *interp.Question // nil: another kind of question
	dice          []int            // the sizes of dice that were typed
	turn          bool
	handed        bool // tactics gave the answer, as whoever was asked was handed to them
}

func (p reply) read(line string) (string, error) {
	switch {
	case p.question != nil:
		i, err := player.Read(line, *p.question)
		if err != nil {
			return "", err
		}
		return p.question.Options[i], nil
	case p.dice != nil:
		faces, err := player.ReadFaces(line, p.dice)
		return facesWord(faces), err
	}
	if line = strings.TrimSpace(line); player.IsAnswer(line) {
		return "", fmt.Errorf("type a command, not %s", line)
	}
	return line, nil
}

// takes says whether a line is an answer to the question and could hardly be anything
// else.
func (p reply) takes(line string) bool {
	if p.turn || strings.TrimSpace(line) == "" {
		return false
	}
	answer, err := p.read(line)
	return err == nil && (player.IsAnswer(strings.TrimSpace(line)) || strings.EqualFold(answer, strings.TrimSpace(line)))
}

func facesWord(faces []int) string {
	words := make([]string, len(faces))
	for i, f := range faces {
		words[i] = strconv.Itoa(f)
	}
	return strings.Join(words, ", ")
}

// replied notes an answer.
func (d *desk) replied(p reply) { d.replies = append(d.replies, p) }

func choiceReply(q interp.Question, i int) reply {
	p := reply{title: player.Title(q), question: &interp.Question{Name: q.Name, Who: q.Who, Prompt: q.Prompt, Options: q.Options, Default: q.Default}}
	if i >= 0 && i < len(q.Options) {
		p.answer = q.Options[i]
	}
	return p
}

func diceReply(q interp.Request, faces []int) reply {
	return reply{title: player.DiceTitle(q), answer: facesWord(faces), dice: slices.Clone(q.Sizes)}
}

func turnReply(t interp.Turn, text string) reply {
	if text = strings.TrimSpace(text); text == "" {
		text = t.Default
	}
	return reply{title: turnTitle(t), answer: text, turn: true}
}
