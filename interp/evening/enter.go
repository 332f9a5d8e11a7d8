package evening

import (
	"context"
	"errors"
	"slices"

	"setpiece/interp"
	"setpiece/lang"
)

// Step is something that changed the session: an entry, a text that was loaded, a new seed,
// somebody who was handed over, or a course that took the place of what was.
type Step struct {
	Name string // of the text, if it was loaded
	Page string // that it is an excerpt of
	Text string // that was evaluated; of a course the line in which it differs; "" for a seed and a hand
	Seed uint64 // of the generator, from this step on
	Hand *Hand
	Kept bool // it is a course
}

// source is its text.
func (s Step) source() *lang.Source { return lang.RestoreExcerpt(s.Name, s.Text, s.Page) }

// step is a Step with what it takes to undo it, to redo it, to run it again and to save it.
type step struct {
	Step
	fell          interp.Record
	asks          bool     // dice were asked of the host where it began
	answers       []string // in words, if they are known
	said          []Entry  // of the person, in order
	replies       []Reply  // to what
	again         *Again   // of a course that was kept: what makes it happen again
	before, after *interp.Snapshot
	told          []uint64        // what happened, see fingerprint
	events        []*interp.Event // the same

	course, instead []step // of a course

	// An entry that stopped with answers given changed nothing; doing it again goes on behind
	// the answers in said. It is only ever among the undone.
	dropped bool
	waits   bool // it was left at a question, and can be taken up after other entries, too
}

// Steps are the entries in force one by one, those of courses that were kept, too.
func (v *Evening) Steps() []Step {
	var out []Step
	for _, s := range v.flat() {
		out = append(out, s.Step)
	}
	return out
}

// Seed is the seed in force.
func (v *Evening) Seed() uint64 {
	if len(v.steps) > 0 {
		return v.steps[len(v.steps)-1].Seed
	}
	return v.cfg.Session.Seed
}

// Enter evaluates what somebody has typed: dice alone are thrown (see Spelled). It is a step if it
// changed anything. The error is a *Failed if it changed nothing, ErrLeft if a question was left
// open, a *Refused, or that of expectations which were not met: then it stays.
func (v *Evening) Enter(ctx context.Context, text string) error {
	if err := v.free(); err != nil {
		return err
	}
	text = Spelled(text)
	v.keepLooks(text)
	return v.eval(ctx, lang.NewSource("", text))
}

// Load evaluates a script as Enter does, but as it is written.
func (v *Evening) Load(ctx context.Context, src *lang.Source) error {
	if err := v.free(); err != nil {
		return err
	}
	return v.eval(ctx, src)
}

// eval evaluates a text that is not stored yet.
func (v *Evening) eval(ctx context.Context, src *lang.Source) error {
	v.noteInput(src)
	return v.evalNoted(ctx, src)
}

func (v *Evening) noteInput(src *lang.Source) {
	e := Entry{Input: src.Text, Name: src.Name}
	if src.Excerpt() {
		e.Page = src.Page()
	}
	v.note(e)
	v.desk.typed = 0
}

func (v *Evening) evalNoted(ctx context.Context, src *lang.Source) error {
	before, happened := v.sess.Snapshot(), len(v.story)
	s := step{Step: Step{Name: src.Name, Text: src.Text, Seed: v.Seed()}, asks: v.desk.ask, before: before}
	if src.Excerpt() {
		s.Page = src.Page()
	}
	err := v.exec(ctx, src)
	if v.paused {
		v.sess.Restore(before)
		return ErrLeft // the store has it, with its answers
	}
	if !Stays(err) {
		v.sess.Restore(before)
		v.desk.sameDice()
		s.after = before
		back := v.drop(s)
		if len(v.story) > happened {
			v.log(Told{Notice: Stopped{s.Step}})
		}
		return &Failed{Err: err, Redo: back}
	}
	v.sess.Compact()
	s.fell, s.after = v.sess.Record(), v.sess.Snapshot()
	if err == nil && !v.changed && len(s.fell.Besides()) == 0 && v.onlyLooks(src) {
		v.note(Entry{Nothing: true})
		v.looked(s)
		return nil
	}
	v.looks = nil
	s.Text = v.running.Text // with who was declared in it
	s.answers, s.said, s.replies, s.told, s.events = v.answers, v.desk.said, v.desk.replies, v.told, v.events
	v.push(s)
	v.note(Entry{Done: v.done(s.fell)})
	return err
}

func (v *Evening) push(s step) {
	v.steps = append(v.steps, s)
	v.undone = slices.DeleteFunc(v.undone, func(u step) bool { return !u.waits }) // a fight that was left is not lost
}

// exec runs a text, and again when answers are taken back.
func (v *Evening) exec(ctx context.Context, src *lang.Source) error {
	v.changed, v.valued, v.busy, v.answers, v.ctx, v.paused = false, false, true, nil, ctx, false
	d := v.desk
	d.first, d.switched = d.ask, false
	d.anew, d.undone, d.trying, d.keeping, d.late, d.left, d.gone = nil, nil, nil, nil, nil, false, false
	d.held, d.again = "", again{}
	err := v.answering(src)
	d.notGivenAgain()
	v.busy, v.silent = false, audible
	d.unused = d.before[d.kept:]
	d.before, d.open, d.retry = nil, nil, nil
	v.trial, v.tried = nil, 0
	if d.closed {
		return err
	}
	return errors.Join(err, v.host.Settle())
}

// answering evaluates a text until there is an answer to every question, or the
// host leaves. When answers are taken back the evaluation begins again from the
// state before it, with the answers that are left: the same dice fall, and the
// question that comes is the one that was answered.
func (v *Evening) answering(src *lang.Source) error {
	before, past := v.sess.Snapshot(), len(v.story)
	d := v.desk
	base := src
	src = withLates(base, d.before)
	v.running = src
	d.begin(d.before)
	for {
		v.story = v.story[:min(past, len(v.story))]
		v.answers, v.told, v.events = nil, nil, nil
		err := v.run(src)
		if !Stays(err) && d.stands() {
			err = d.stop(err)
		}
		d.moment, d.at = 0, 0
		if Stays(err) && d.stands() {
			d.pausesBefore(Ending)
			if stopped := d.PauseHere(); stopped != nil {
				err = stopped
			}
		}
		said := d.said
		switch {
		case d.late != nil && d.late.tried:
			v.host.Tell(NotDeclared{d.late.typed})
			said, d.late = d.late.said, nil
			v.comesAgain(untilAsked)
		case d.late != nil:
			d.late.tried, d.late.said = true, said
			v.comesAgain(untilAsked)
		case d.trying != nil:
			x := d.trying
			d.trying = nil
			v.tryAnswer(x, src, before)
			v.silent = untilAsked
		case d.keeping != nil:
			v.note(Entry{Keep: d.keeping})
			said = d.keeping.keeps(said)
			v.keepAnswers(d.keeping)
			d.keeping = nil
		case d.anew != nil:
			said = v.anew(*d.anew, said)
			d.anew = nil
		default:
			return err
		}
		v.sess.Restore(before)
		if src = withLates(base, said); d.late != nil {
			src = withLates(base, append(slices.Clip(said), Entry{Late: &d.late.Late}))
		}
		d.begin(said)
	}
}

// stands says that what ran does not begin again.
func (d *desk) stands() bool {
	return d.late == nil && d.trying == nil && d.keeping == nil && d.anew == nil && !d.left
}

// anew gives what is said when an evaluation begins again, of what was said.
func (v *Evening) anew(x anew, said []Entry) []Entry {
	d := v.desk
	v.unsaved = false
	if x.back > 0 {
		v.note(Entry{Back: x.back})
	}
	said = without(said, x.back)
	for _, e := range x.stays {
		v.note(e)
		said = append(said, e)
	}
	v.comesAgain(untilAsked)
	if d.again = x.again; x.tells {
		v.host.Tell(takenBack(x))
		d.undone = slices.Concat(x.gone, d.undone)
	}
	if x.misfit {
		d.undone = nil // they would not fit, either
	}
	return said
}

// run runs a text.
func (v *Evening) run(src *lang.Source) error {
	ctx, done := v.ctx, func() {}
	if v.cfg.Run != nil {
		ctx, done = v.cfg.Run(ctx)
	}
	defer done()
	v.answers, v.running = nil, src
	return v.sess.Exec(ctx, src)
}

// Stays says whether what ran stays: the error is nil, or only sums up expectations that were not
// met. These are a finding about the state, which one then wants to look at.
func Stays(err error) bool {
	var run *interp.RunError
	return err == nil || errors.As(err, &run) && run.Kind == interp.Expected
}

// onlyLooks says that a text asks for values and does nothing else. A lone word
// may be a verb or a variable; it was one to look at if its value was shown.
func (v *Evening) onlyLooks(src *lang.Source) bool {
	file, _ := lang.Parse(src)
	for _, s := range file.Stmts {
		if throws(s) {
			return false // of dice that the script gave there is no record
		}
		switch s := s.(type) {
		case *lang.ExprStmt, *lang.Report, *lang.Say:
		case *lang.Command:
			if s.Who != nil || len(s.Args) > 0 || s.Block != nil || !v.valued {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// throws says whether dice are thrown in a statement itself.
func throws(s lang.Stmt) bool {
	found := false
	lang.Walk(s, func(n lang.Node) bool {
		_, throw := n.(*lang.Throw)
		found = found || throw
		return !found
	})
	return found
}

// drop ends an entry that stopped. One in which the host answered waits for Redo: left at a
// question it comes back to that, otherwise to the last one that was answered.
func (v *Evening) drop(s step) Back {
	d := v.desk
	s.dropped, s.said = true, slices.Concat(d.said, d.unused)
	if len(s.said) == 0 {
		v.note(Entry{Nothing: true})
		return Nowhere
	}
	back, n := ToQuestion, 0
	if !d.left && len(d.unused) == 0 {
		back, n = ToAnswer, withLast(s.said)
	}
	s.said, s.waits = without(s.said, n), n == 0
	v.note(Entry{Dropped: true, Back: n})
	v.undone = append(v.undone, s)
	return back
}

// withLast is how many things that the host said end with their last answer, or form: who was handed
// over behind it comes on top.
func withLast(said []Entry) int {
	n := 0
	for n < len(said)-1 && said[len(said)-1-n].turns() {
		n++
	}
	return n + inForms(said[:len(said)-n], 1)
}

// Play evaluates a script as the whole evening: it is no step, and when it is over, so is the
// evening; the session is then as the script left it. ErrLeft says that it is not over, a *Failed
// that it stopped with answers given: resumed, it comes back to the question that Redo says. An
// evening that was resumed goes on with the script it had, whatever src is.
func (v *Evening) Play(ctx context.Context, src *lang.Source) error {
	if h := v.past; h != nil && h.open != nil {
		v.past, src = nil, h.open.source()
		if len(flatSaid(h.open.said)) > 0 {
			v.silent = untilNew
		}
		v.comeTo(h)
	} else {
		v.noteInput(src)
	}
	err := v.exec(ctx, src)
	d := v.desk
	switch {
	case v.paused, isCancelled(err): // nothing is lost by an interrupt, either
		return ErrLeft
	case Stays(err) || len(d.said)+len(d.unused) == 0:
		return err
	case firstAnswer(d.unused) != nil:
		return &Failed{err, Behind}
	case d.gone:
		return &Failed{err, ToQuestion}
	}
	v.note(Entry{Back: withLast(slices.Concat(d.said, d.unused))})
	return &Failed{err, ToAnswer}
}

// Replies are the questions of the entry that goes on, or of the last one, which were answered.
func (v *Evening) Replies() []Reply { return v.desk.replies }

// Said counts what the host has said in it: the answers, and who was handed over.
func (v *Evening) Said() int { return len(v.desk.said) }
