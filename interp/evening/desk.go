package evening

import (
	"context"
	"errors"
	"slices"

	"setpiece/interp"
)

// desk answers for the host: first with what they have answered before, then by
// asking. Each new answer is stored before it is used.
//
// What was answered before is there when a session is taken up, and when an answer
// is taken back: the evaluation then begins again with the answers before that one,
// and nothing of it is new until the host is asked.
type desk struct {
	evening  *Evening
	ask      bool    // the host throws the dice
	first    bool    // they did when this evaluation began
	switched bool    // that has changed since
	before   []Entry // answers from before that are still to come
	said     []Entry // the answers of this evaluation so far
	typed    int     // so many have been typed, those that are not among them any more, too
	anew     *anew   // how it begins again; nil: it goes on
	undone   []Entry // what was taken back, the next to be given again first
	kept     int     // so many of before belong to the course that said begins with
	from     []Entry // what this evaluation began with
	gone     bool    // the host could not be asked
	unused   []Entry // answers from before that the last evaluation did not come to
	left     bool    // the host ended the last evaluation at a question
	closed   bool    // nobody is to be asked: the answers are all there
	replies  []Reply // the questions of this evaluation that were answered
	trying   *trying // another course that is to be tried
	retry    *Change // that was open when the session was cut off
	keeping  *Course // that is to be kept
	rerun    *rerun  // answers for the host
	late     *late   // a declaration that is tried

	pausing string // before what it pauses next, "" for nothing: see Config.Pauses
	moment  int    // at which something could be done by hand last
	at      int    // so many things had been said then
	held    string // what the game master does by hand at the next, when what is open is over
	settles bool   // something was settled for it
	again   again  // what is said again
	insists string // what is asked though it is usual by now, for as long as the moment is not behind until
	until   int
	open    *Query   // that is being asked
	form    []*Query // what was answered with the last question and has not come yet
	thrown  int64    // how many dice had fallen then
}

// anew is how an evaluation begins again: with what stays of what was said, and with what is said again
// behind that, in the place of the last things that were said.
type anew struct {
	back   int     // so many
	stays  []Entry // behind the others; what is new among it is not stored yet
	again  again
	tells  bool    // that something is taken back
	gone   []Entry // that
	misfit bool    // it did not fit
}

// useDice lets the host or the generator throw.
func (v *Evening) useDice() {
	if v.desk.ask {
		v.sess.SetChance(v.desk)
	} else {
		v.sess.SetChance(nil)
	}
}

var (
	errNoAnswer = errors.New("the journal has no answer to this")
	errMisfit   = errors.New("an answer in the journal does not fit this question")
)

// turnsOver hands over again who was handed over before the next answer from before, the dice as
// well.
func (d *desk) turnsOver() {
	for len(d.before) > 0 && d.before[0].turns() {
		d.turnOver(d.pop())
	}
}

// turnOver hands somebody over, or the dice.
func (d *desk) turnOver(e Entry) {
	switch {
	case e.Hand != nil:
		d.evening.sess.Hand(e.Hand.Who, e.Hand.Asked)
	case e.Dice != nil:
		d.ask, d.switched = *e.Dice, true
		d.evening.useDice()
	}
}

// sameDice has dice thrown by whom they were thrown when this evaluation began.
func (d *desk) sameDice() {
	if d.switched {
		d.ask, d.switched = d.first, false
		d.evening.useDice()
	}
}

func (d *desk) pop() (e Entry) {
	e, d.before = d.before[0], d.before[1:]
	if d.kept > 0 {
		d.kept-- // it is said already
	} else {
		d.said = append(d.said, e)
	}
	return e
}

// begin prepares for an evaluation with answers from before.
func (d *desk) begin(before []Entry) {
	d.sameDice()
	d.said, d.replies, d.kept, d.from, d.form, d.pausing, d.insists = nil, nil, 0, before, nil, "", ""
	d.pausesBefore(Beginning)
	d.before = flatSaid(before)
	if len(before) > 0 && before[0].Keep != nil {
		d.said, d.kept = before[:1:1], len(before[0].Keep.Steps[0].Said)
		d.evening.feedSaid(before)
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
	d.evening.tryLater(*w)
	return ErrMoved
}

// take notes a new answer: what was taken back is forgotten.
func (d *desk) take(e Entry) {
	d.undone = nil
	d.evening.unsaved = false // it is a line of its own
	d.typed++
	d.evening.note(e)
	e.Typed = d.typed
	d.said = append(d.said, e)
}

// answer gives what the host says to a query: what they have said before, else what they
// say now.
func (d *desk) answer(ctx context.Context, q *Query) (a interp.Answer, err error) {
	if d.rerun != nil {
		return d.rerun.answer(ctx, q)
	}
	kept := d.kept > 0
	defer func() {
		if err == nil {
			r := q.reply(a)
			r.handed = !q.Asked()
			d.replies = append(d.replies, r)
			if !kept {
				d.said[len(d.said)-1].To = q.answered(a)
			}
		}
	}()
	if err := d.PauseHere(); err != nil {
		return a, err
	}
	d.turnsOver()
	if q.Kind == Dice && !q.Asked() {
		return a, interp.ErrRoll
	}
	if len(d.before) > 0 {
		a, err := fitting(q, d.pop())
		switch {
		case err == nil || d.closed:
			return a, err
		case d.late != nil:
			return a, ErrMoved
		}
		return a, d.takeUpTo(kept)
	}
	if d.closed {
		return a, errNoAnswer
	}
	if err := d.asked(); err != nil {
		return a, err
	}
	if x := d.late; x != nil {
		if d.settleLate(q) {
			return a, ErrMoved
		}
		if x.answer != nil {
			d.take(Entry{Answer: q.signed(*x.answer)})
			return *x.answer, nil
		}
	}
	d.open = q
	defer func() { d.open = nil }()
	for {
		if a, ok := d.sayAgain(q); ok {
			return a, nil
		}
		if q.Kind == Dice && !q.Asked() {
			return a, interp.ErrRoll // as was said again
		}
		if a, ok := d.settled(q); ok {
			return a, nil
		}
		if a, ok := d.foreseen(q); ok {
			d.take(Entry{Answer: q.signed(a), With: true})
			return a, nil
		}
		if a, again, err := d.putTo(ctx, q); !again {
			return a, err
		}
	}
}

// foreseen gives what was said to a question in a form. Its rows wait until dice fall or a command is asked for:
// another row may bring a question that was not in it.
func (d *desk) foreseen(q *Query) (a interp.Answer, ok bool) {
	if d.evening.sess.Thrown() != d.thrown {
		d.leave()
	}
	at := slices.IndexFunc(d.form, func(f *Query) bool { return f.Place == q.Place && q.Kind == Decision })
	switch {
	case at < 0 && q.Kind != Decision:
		d.leave()
		return a, false
	case at < 0: // rows that have their answer are not asked again
		q.Also = slices.DeleteFunc(q.Also, func(row *Query) bool {
			return slices.ContainsFunc(d.form, func(f *Query) bool { return f.Place == row.Place })
		})
		return a, false
	}
	f := d.form[at]
	d.form = slices.Delete(d.form, at, at+1)
	a = q.usual()
	if f.Said != nil {
		a = *f.Said
	}
	return a, q.Takes(a) == nil
}

// leave tells of what was changed in a form and does not come, as another row has changed what does.
func (d *desk) leave() {
	var left NotReached
	for _, f := range d.form {
		if f.Said != nil && *f.Said.Option != f.Default {
			left.Titles = append(left.Titles, f.Title)
		}
	}
	if d.form = nil; len(left.Titles) > 0 {
		d.evening.host.Tell(left)
	}
}

func fitting(q *Query, e Entry) (interp.Answer, error) {
	if q.Takes(e.Answer) != nil {
		return e.Answer, errMisfit
	}
	return e.Answer, nil
}

// putTo asks the host. Again says that the same question is to be put to them once more, or has an
// answer that is given again.
func (d *desk) putTo(ctx context.Context, q *Query) (a interp.Answer, again bool, err error) {
	v := d.evening
	q.ID = v.stored
	held, waits := d.held, len(d.again.said)
	a, err = v.host.Ask(ctx, q)
	switch {
	case d.anew != nil, d.trying != nil, d.keeping != nil, d.late != nil:
		return a, false, ErrMoved
	case errors.Is(err, ErrLeft):
		v.paused = true
		return a, false, err
	case len(d.again.said) > waits, d.held != held, errors.Is(err, ErrMoved) && (d.held != "" || q.Kind == Dice && !q.Asked()):
		return a, true, nil
	case !q.Asked():
		a, err = q.usual(), nil
	case err == nil:
		err = q.Takes(a)
	}
	if err != nil {
		d.left = true
		d.gone = !errors.Is(err, context.Canceled)
		return a, false, err
	}
	if v.trial != nil {
		v.Drop()
	}
	if d.roomFor(q, a) {
		return a, false, ErrMoved
	}
	d.form, d.thrown = append(d.form, q.Also...), d.evening.sess.Thrown()
	e := Entry{Answer: q.signed(a), With: held != "" && d.settles}
	d.settles = held != ""
	d.take(e)
	return a, false, nil
}

// takeUpTo has the evaluation begin again with the answers before one that does not fit its
// question, as the rules have changed since; kept says that it belongs to a course that was
// kept. What is stored stays.
func (d *desk) takeUpTo(kept bool) error {
	if kept {
		d.said = d.from
	} else {
		d.said = append(d.said, d.before...)
	}
	back := 1 + len(d.before)
	if kept {
		back = len(d.from)
	}
	d.before, d.anew = nil, &anew{back: back, misfit: true, tells: true, gone: d.said[len(d.said)-back:]}
	d.evening.host.Tell(Misfit{})
	return ErrMoved
}

// Throw implements interp.Chance.
func (d *desk) Throw(ctx context.Context, r interp.Request) ([]int, error) {
	a, err := d.answer(ctx, DiceQuery(r))
	return a.Faces, err
}

// Choose implements interp.Choice.
func (d *desk) Choose(ctx context.Context, q interp.Question) (int, error) {
	a, err := d.answer(ctx, DecisionQuery(q))
	if err != nil {
		return 0, err
	}
	return *a.Option, nil
}

// Command implements interp.Player.
func (d *desk) Command(ctx context.Context, t interp.Turn) (string, error) {
	a, err := d.answer(ctx, CommandQuery(t))
	if err != nil {
		return "", err
	}
	return *a.Command, nil
}
