package repl

import (
	"context"
	"errors"
	"slices"

	"setpiece/cmd/internal/journal"
	"setpiece/interp"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// rerun answers for the person while something runs once more. Without a past it gives
// their answers in the order in which they gave them, and notes at which place that was.
// With one it gives the answer of then where the same question comes again, whatever came
// in between.
type rerun struct {
	loop   *Loop
	said   []journal.Entry // answers to give in order; with a past: those given since, to what is new
	past   *rerun
	course *interp.Course // that goes along

	place string // where the answer is another one; "" where none is
	line  string // that answer
	stops bool   // a question without an answer ends the run; else the person is asked

	heard   map[string]heard
	order   []string        // the places of the answers
	given   []journal.Entry // the answers, typed dice left out
	came    []int           // how many of these came before each answer
	now     side
	stood   bool             // it ended at a question
	left    bool             // the person left it
	dropped bool             // by :drop
	wrong   error            // why the answer that is another is refused
	fell    interp.Record    // until then
	outside []int            // faces from outside that had not fallen
	writer  *transcript.Text // what shows it where the person is asked
	shown   int              // how many of its events have been shown
}

// heard is an answer, with who was handed over before it was given.
type heard struct {
	hands  []journal.Entry
	answer string // the option, or the command
}

// side is how one of two courses went.
type side struct {
	events  []*interp.Event
	open    []*interp.Event    // what is going on where it stands
	asks    string             // the question at which it stands; "" at the end
	state   []interp.StateLine // there
	refused []refusedEntry
	parted  int // before which of the events dice fell that had not fallen, from 1; 0: none did
}

// refusedEntry is an entry that the rules refuse in a course.
type refusedEntry struct {
	title string
	why   string
}

// event takes what happens.
func (r *rerun) event(e *interp.Event) {
	r.part()
	if e.Depth == 0 && !isQuestion(e) {
		r.now.events = append(r.now.events, e)
	}
}

// part notes where dice fall that had not fallen.
func (r *rerun) part() {
	if r.past != nil && r.now.parted == 0 && len(r.course.Anew) > 0 {
		r.now.parted = len(r.now.events) + 1
	}
}

// next gives the next answer of those in order. Who was handed over before it is handed
// over again, and noted with it.
func (r *rerun) next() (e journal.Entry, hands []journal.Entry, ok bool) {
	for len(r.said) > 0 {
		e, r.said = r.said[0], r.said[1:]
		switch {
		case e.Hand != nil:
			r.hand(e)
			hands = append(hands, e)
		case e.Dice != nil:
			r.dice(*e.Dice)
		default:
			return e, hands, true
		}
	}
	return e, hands, false
}

// dice has the person throw the dice from here on, or setpiece.
func (r *rerun) dice(asked bool) {
	if asked {
		r.loop.sess.SetChance(r.loop.desk)
	} else {
		r.loop.sess.SetChance(nil)
	}
}

// rolls says whether setpiece got the dice before the throw that comes now.
func (r *rerun) rolls() bool {
	i := slices.IndexFunc(r.said, func(e journal.Entry) bool { return e.Hand == nil })
	if i < 0 || r.said[i].Dice == nil || *r.said[i].Dice {
		return false
	}
	r.said = slices.Delete(slices.Clone(r.said), i, i+1)
	return true
}

func (r *rerun) hand(e journal.Entry) {
	r.loop.sess.Hand(e.Hand.Who, e.Hand.Asked)
	r.given = append(r.given, e)
}

// recall gives what was answered at a place in the past.
func (r *rerun) recall(place string) (heard, bool) {
	h, ok := r.past.heard[place]
	for _, e := range h.hands {
		r.hand(e)
	}
	return h, ok
}

// note notes an answer.
func (r *rerun) note(place string, h heard, e journal.Entry) {
	if r.heard == nil {
		r.heard = map[string]heard{}
	}
	r.heard[place] = h
	r.order, r.came = append(r.order, place), append(r.came, len(r.given))
	if e.Faces == nil {
		r.given = append(r.given, e)
	}
}

// stand ends the run at a question.
func (r *rerun) stand(asks string, open []*interp.Event) error {
	r.part()
	r.now.asks, r.now.open, r.stood = asks, open, true
	r.ended()
	return errLeft
}

// ended notes how things stand.
func (r *rerun) ended() {
	s := r.loop.sess
	r.now.state, r.fell = r.loop.wholeState(), s.Record()
	_, r.outside = s.GivenDice()
}

var errOther = errors.New("the other answer is refused")

// answer gives an answer to a query. A throw has none of the past: the course knows what
// fell.
func (r *rerun) answer(ctx context.Context, q *query) (journal.Entry, error) {
	give := func(e journal.Entry, hands []journal.Entry) (journal.Entry, error) {
		if !q.fits(e) {
			return e, errMisfit
		}
		h := heard{hands: hands}
		if q.words != nil {
			h.answer = q.words(e)
		}
		r.note(q.place, h, e)
		return e, nil
	}
	if r.past == nil {
		if q.dice && r.rolls() {
			return journal.Entry{}, interp.ErrRoll
		}
		e, hands, ok := r.next()
		if !ok {
			return e, r.stand(q.title, q.open)
		}
		return give(e, hands)
	}
	h, known := r.recall(q.place)
	if q.read != nil && q.place == r.place {
		e, err := q.read(r.line)
		if err != nil {
			r.wrong = err
			return e, errOther
		}
		return give(e, h.hands)
	}
	if q.again != nil && known {
		if e, ok := q.again(h.answer); ok {
			return give(e, h.hands)
		}
	}
	if r.stops {
		return journal.Entry{}, r.stand(q.title, q.open)
	}
	if e, hands, ok := r.next(); ok {
		return give(e, hands)
	}
	r.show(q.event)
	r.loop.desk.turn = q.turn
	defer func() { r.loop.desk.turn = nil }()
	e, err := q.ask(ctx, r.loop.desk.table)
	if err != nil {
		return e, r.leaves(err)
	}
	r.loop.note(e)
	return give(e, nil)
}

// leaves notes that the person did not answer.
func (r *rerun) leaves(err error) error {
	r.left = true
	return err
}

// show shows the person what has led to a question of a course that is only tried out.
func (r *rerun) show(q *interp.Event) {
	l := r.loop
	if r.writer == nil {
		r.writer = transcript.NewText(l.cfg.Questions, transcript.Options{Palette: l.cfg.Palette.Palette, Trace: l.trace, Seen: l.cfg.Seen})
		l.faint("what if:")
	}
	for _, e := range r.now.events[r.shown:] {
		r.writer.Event(e)
	}
	r.shown = len(r.now.events)
	r.writer.Event(q)
}

// once runs something for a rerun, with a course that goes along.
func (l *Loop) once(src *lang.Source, r *rerun, c *interp.Course) error {
	d := l.desk
	busy := l.busy
	l.changed, l.valued, l.used, l.busy = false, false, false, true
	l.aside, d.rerun = r.event, r
	l.recall(l.included, false)
	l.sess.Follow(c)
	defer func() {
		l.sess.Follow(nil)
		l.aside, d.rerun, l.busy = nil, nil, busy
		if !busy {
			l.forget()
		}
	}()
	err := l.run(src)
	if !r.stood {
		r.ended()
	}
	return err
}

// wholeState gives what can be seen on all sheets.
func (l *Loop) wholeState() []interp.StateLine {
	var out []interp.StateLine
	for _, name := range l.sess.Names() {
		lines, err := l.sess.State(name)
		if err != nil {
			continue
		}
		for _, x := range lines {
			if !x.Hidden {
				out = append(out, x)
			}
		}
	}
	return out
}
