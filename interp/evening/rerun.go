package evening

import (
	"context"
	"errors"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
)

// rerun answers for the host while something runs once more. Without a past it gives
// their answers in the order in which they gave them, and notes at which place that was.
// With one it gives the answer of then where the same question comes again, whatever came
// in between.
type rerun struct {
	evening *Evening
	said    []Entry // answers to give in order; with a past: those given since, to what is new
	hands   []Entry // who was handed over since the last of them
	past    *rerun
	course  *interp.Course // that goes along

	place string // where the answer is another one; "" where none is
	line  string // that answer
	stops bool   // a question without an answer ends the run; else the host is asked

	heard   map[string]heard
	order   []string // the places of the answers
	given   []Entry  // the answers, typed dice left out
	came    []int    // how many of these came before each answer
	now     Side
	stood   bool          // it ended at a question
	left    bool          // the host left it
	dropped bool          // by :drop
	wrong   error         // why the answer that is another is refused
	fell    interp.Record // until then
	outside []int         // faces from outside that had not fallen
	showed  bool          // the host was asked
	shown   int           // how many of its events they have been shown then
}

// heard is an answer, with who was handed over before it was given.
type heard struct {
	hands  []Entry
	answer string // the option, or the command
}

// event takes what happens.
func (r *rerun) event(e *interp.Event) {
	r.part()
	if e.Depth == 0 && !isQuestion(e) {
		r.now.Events = append(r.now.Events, e)
	}
}

// part notes where dice fall that had not fallen.
func (r *rerun) part() {
	if r.past != nil && r.now.Parted == 0 && len(r.course.Anew) > 0 {
		r.now.Parted = len(r.now.Events) + 1
	}
}

// turnsOver hands over again who was handed over before the next answer in order, the dice as well.
func (r *rerun) turnsOver() {
	for len(r.said) > 0 && r.said[0].turns() {
		e := r.said[0]
		r.said = r.said[1:]
		switch {
		case e.Hand != nil:
			r.hand(e)
			r.hands = append(r.hands, e)
		case e.Dice != nil:
			r.dice(*e.Dice)
		}
	}
}

// next gives the next answer of those in order, with who was handed over before it.
func (r *rerun) next() (e Entry, hands []Entry, ok bool) {
	r.turnsOver()
	if len(r.said) == 0 {
		return e, nil, false
	}
	e, r.said = r.said[0], r.said[1:]
	hands, r.hands = r.hands, nil
	return e, hands, true
}

// dice has the host throw the dice from here on, or setpiece.
func (r *rerun) dice(asked bool) {
	if asked {
		r.evening.sess.SetChance(r.evening.desk)
	} else {
		r.evening.sess.SetChance(nil)
	}
}

func (r *rerun) hand(e Entry) {
	r.evening.sess.Hand(e.Hand.Who, e.Hand.Asked)
	r.given = append(r.given, e)
}

// hold gives what was done by hand at a moment.
func (r *rerun) hold(n int, place func() string) string {
	at := place()
	e := firstAnswer(r.said)
	switch {
	case r.past != nil:
		h, known := r.past.heard[at]
		if known {
			r.recall(at)
			r.noteHand(at, h, n)
		}
		return h.answer
	case e == nil || e.At != n:
		return ""
	}
	said, hands, _ := r.next()
	r.noteHand(at, heard{hands: hands, answer: *said.Command}, n)
	return *said.Command
}

func (r *rerun) noteHand(place string, h heard, n int) {
	e := Entry{Answer: command(h.answer)}
	e.At = n
	r.note(place, h, e)
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
func (r *rerun) note(place string, h heard, e Entry) {
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
func (r *rerun) stand(q *Query) error {
	r.part()
	r.now.Asks, r.now.Open, r.stood = q.Title, q.Open, true
	r.ended()
	return ErrMoved
}

// ended notes how things stand.
func (r *rerun) ended() {
	s := r.evening.sess
	r.now.State, r.fell = r.evening.wholeState(), s.Record()
	_, r.outside = s.GivenDice()
}

var errOther = errors.New("the other answer is refused")

// answer gives an answer to a query. A throw has none of the past: the course knows what
// fell.
func (r *rerun) answer(ctx context.Context, q *Query) (interp.Answer, error) {
	give := func(a interp.Answer, hands []Entry) (interp.Answer, error) {
		if q.Takes(a) != nil {
			return a, errMisfit
		}
		r.note(q.Place, heard{hands: hands, answer: q.words(a)}, Entry{Answer: a})
		return a, nil
	}
	r.turnsOver()
	if q.Kind == Dice && !q.Asked() {
		return interp.Answer{}, interp.ErrRoll
	}
	if r.past == nil {
		e, hands, ok := r.next()
		if !ok {
			return e.Answer, r.stand(q)
		}
		return give(e.Answer, hands)
	}
	h, known := r.recall(q.Place)
	if q.Kind != Dice && q.Place == r.place {
		a, err := q.Read(r.line)
		if err != nil {
			r.wrong = err
			return a, errOther
		}
		return give(a, h.hands)
	}
	if known {
		if a, ok := q.again(h.answer); ok {
			return give(a, h.hands)
		}
	}
	if r.stops {
		return interp.Answer{}, r.stand(q)
	}
	if e, hands, ok := r.next(); ok {
		return give(e.Answer, hands)
	}
	a, err := r.ask(ctx, q)
	if err != nil {
		r.left = true
		return a, err
	}
	r.evening.note(Entry{Answer: a})
	return give(a, nil)
}

// ask asks the host what the past does not know.
func (r *rerun) ask(ctx context.Context, q *Query) (interp.Answer, error) {
	v := r.evening
	q.ID = v.stored
	q.Aside = &Aside{First: !r.showed, Events: r.now.Events[r.shown:]}
	r.showed, r.shown = true, len(r.now.Events)
	v.desk.open = q
	defer func() { v.desk.open = nil }()
	a, err := v.host.Ask(ctx, q)
	switch {
	case r.dropped:
		err = ErrDropped
	case errors.Is(err, ErrLeft):
		v.paused = true
	case err == nil:
		err = q.Takes(a)
	}
	return q.signed(a), err
}

// once runs something for a rerun, with a course that goes along.
func (v *Evening) once(src *lang.Source, r *rerun, c *interp.Course) error {
	d := v.desk
	busy := v.busy
	v.changed, v.valued, v.busy = false, false, true
	v.aside, d.rerun = r.event, r
	v.recall(v.included, false)
	v.sess.Follow(c)
	defer func() {
		v.sess.Follow(nil)
		v.aside, d.rerun, v.busy = nil, nil, busy
		if !busy {
			v.forget()
		}
	}()
	err := v.run(src)
	if !r.stood {
		r.ended()
	}
	return err
}

// wholeState gives what can be seen on all sheets.
func (v *Evening) wholeState() []assist.StateLine {
	var out []assist.StateLine
	for _, name := range assist.Names(v.sess) {
		lines, err := assist.State(v.sess, name)
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
