package evening

import (
	"slices"

	"setpiece/interp"
	"setpiece/lang"
)

// Somebody comes who was not prepared: their sheet is declared at a question. A run cannot make room
// for a sheet, so the declaration is put before the statement that asks, and the entry begins again
// from its start, with the same dice and answers. If what has happened is then the same, up to the
// same question, the declaration stays; otherwise everything is as it was.

// Declares says whether a text declares somebody, or their tactics, and does nothing else.
func (v *Evening) Declares(text string) bool { return v.sess.Declares(text) }

// Declare declares somebody at a question. The error is ErrMoved: the same question is put once more,
// or lang.Diagnostics, or a *Refused.
func (v *Evening) Declare(text string) error {
	if !v.busy {
		return &Refused{Why: NothingOpen}
	}
	if err := v.settled(); err != nil {
		return err
	}
	if ds := v.sess.Check(lang.NewSource("", text)); ds.Errors() {
		return ds
	}
	if v.at.Src != v.running {
		return &Refused{Why: Included}
	}
	d := v.desk
	d.late = &late{Late: Late{Text: text, At: int(v.at.Start)}, told: v.happened(), place: d.open.Place}
	return ErrMoved
}

// OfTable says whether a text is what a game master does by hand, nobody's turn.
func (v *Evening) OfTable(text string) bool { return v.sess.OfTable(text) }

// Meanwhile has the game master do something by hand at a question in the middle of a command. It is
// done before the last command that was asked for, which is given again with the same answers, as far
// as they still fit; where there was none, behind the statement that asks. What stands between turns waits for the next one, and what is open is settled as usual; dice that somebody throws are asked for. The error is [ErrMoved], lang.Diagnostics, or a *Refused.
func (v *Evening) Meanwhile(text string) error {
	d := v.desk
	if err := v.settled(); err != nil {
		return err
	}
	if ds := v.sess.Check(lang.NewSource("", text)); ds.Errors() {
		return ds
	}
	at := len(d.said) - 1
	for at >= 0 && d.said[at].Command == nil {
		at--
	}
	if v.sess.BetweenTurns(text) && d.open != nil && (d.open.Kind == Decision || d.held != "" || v.sess.InRounds()) {
		d.held, d.settles, d.form = text, d.held != "" && d.settles, nil
		return ErrMoved
	}
	if at < 0 {
		return v.afterwards(text)
	}
	d.back, d.meanwhile, d.behind = len(d.said)-at, text, Answers(d.said[at:])
	return ErrMoved
}

// afterwards has the game master do something behind the statement that asks, as nobody was asked for a
// command in it.
func (v *Evening) afterwards(text string) error {
	d := v.desk
	if v.at.Src != v.running || d.open == nil {
		return &Refused{Why: NoCommand}
	}
	d.late = &late{Late: Late{Text: "\n" + text, At: int(v.at.End)}, after: v.running.Text[v.at.Start:v.at.End], told: v.happened(), place: d.open.Place}
	return ErrMoved
}

// byHand gives what the game master does before a command that is then given again.
func (d *desk) byHand(q *Query) (a interp.Answer, ok bool) {
	if d.meanwhile == "" || q.Kind != Command {
		return a, false
	}
	text := d.meanwhile
	a = interp.Answer{Command: &text}
	d.meanwhile, d.forth, d.again = "", d.behind, true
	d.handed = handedBehind(d.undone, d.behind)
	if d.redo != nil {
		d.redo.who, d.redo.on = q.Who, q.On
	}
	d.evening.note(Entry{Answer: a})
	d.said = append(d.said, Entry{Answer: a})
	return a, true
}

// handedBehind is how often somebody is handed over between an answer and the next.
func handedBehind(said []Entry, answers int) (n int) {
	for _, e := range said {
		switch {
		case e.turns():
			n++
		case answers == 0:
			return n
		default:
			answers, n = answers-1, 0
		}
	}
	return n
}

// settled gives the usual answer to what is open while something waits for the next turn, and there that.
// Taken back, all of it is one answer, with dice that were asked for.
func (d *desk) settled(q *Query) (a interp.Answer, ok bool) {
	if d.held == "" || q.Kind == Dice {
		return a, false
	}
	e := Entry{Answer: q.signed(q.usual()), With: d.settles}
	if d.settles = true; q.Kind == Command {
		text := d.held
		e.Answer, e.Waits, d.held = q.signed(interp.Answer{Command: &text}), true, ""
	}
	d.take(e)
	return e.Answer, true
}

// Holds implements interp.Holder.
func (d *desk) Holds(place func() string) bool {
	waits := func(said []Entry) bool {
		at := slices.IndexFunc(said, func(e Entry) bool { return !e.turns() })
		return at >= 0 && said[at].Waits
	}
	switch r := d.rerun; {
	case r == nil:
		return d.held != "" || waits(d.before)
	case r.past == nil:
		return waits(r.said) && place() != ""
	default:
		_, known := r.past.heard[place()]
		return known
	}
}

// redo is a command that is to be given again behind what was done by hand, with its answers, and whose
// turn it was. It does not come again where that has ended the turn.
type redo struct {
	who   string
	on    []string
	taken TakenBack
}

func (r *redo) comes(q *Query) bool {
	return r == nil || q.Kind == Command && q.Who == r.who && slices.Equal(q.On, r.on)
}

// notGivenAgain tells what is taken back for good, as it has not come again.
func (d *desk) notGivenAgain() {
	if d.redo != nil {
		d.evening.host.Tell(d.redo.taken)
		d.redo = nil
	}
}

// stillDeclared moves the declarations among what is taken back to what stays: what the game master
// does by hand may be about whom they declare.
func (v *Evening) stillDeclared(stays, back []Entry) (said, rest []Entry) {
	said = slices.Clip(stays)
	for _, e := range back {
		if e.Late == nil {
			rest = append(rest, e)
			continue
		}
		v.note(e)
		said = append(said, e)
	}
	return said, rest
}

// late is a declaration that is tried, with what has happened and the question at which it was made.
type late struct {
	Late
	after string // see Declared
	told  []uint64
	place string
	tried bool    // the entry has begun again with it
	said  []Entry // what had been said
}

// happened is short for what has happened in the entry that goes on, and led to the open question.
func (v *Evening) happened() []uint64 {
	told := slices.Clone(v.told)
	for _, e := range v.desk.open.Open {
		told = append(told, fingerprint(e)...)
	}
	return told
}

// settleLate notes a declaration if all was the same up to the question at which it was made; gone says
// that it was not.
func (d *desk) settleLate(q *Query) (gone bool) {
	x := d.late
	d.open = q
	defer func() { d.open = nil }()
	if q.Place != x.place || !slices.Equal(d.evening.happened(), x.told) {
		return true
	}
	d.late = nil
	d.said = append(d.said, Entry{Late: &x.Late})
	d.evening.note(Entry{Late: &x.Late})
	d.evening.host.Tell(Declared{x.Text, x.after})
	return false
}

// lates gives the declarations among what was said, those too that a course was kept behind.
func lates(said []Entry) (list []Entry) {
	if len(said) > 0 && said[0].Keep != nil {
		list = lates(said[0].Keep.Old)
	}
	for _, e := range said {
		if e.Late != nil {
			list = append(list, e)
		}
	}
	return list
}

// withLates gives a text with the declarations that were made while it ran.
func withLates(src *lang.Source, said []Entry) *lang.Source {
	text := src.Text
	for _, e := range lates(said) {
		if at := e.Late.At; at >= 0 && at <= len(text) {
			text = text[:at] + e.Late.Text + "\n" + text[at:]
		}
	}
	if text == src.Text {
		return src
	}
	return lang.NewSource(src.Name, text)
}

// watchStatements notes which statement of the text at the top is at work.
func (v *Evening) watchStatements(s *interp.Config) {
	told := s.Statement
	s.Statement = func(at lang.Span) {
		v.at = at
		if told != nil {
			told(at)
		}
	}
}

// GivenAgain says that a command is done again, behind what the game master has done by hand before it.
type GivenAgain struct{ Command string }

func (GivenAgain) notice() {}

// NotReached says which decisions of a form did not come, though they had been given another answer than the
// usual one.
type NotReached struct{ Titles []string }

func (NotReached) notice() {}

// Declared says that somebody was declared at a question; NotDeclared that this would have changed
// what has happened, so that it was not done.
type (
	Declared    struct{ Text, After string } // After: what ends before the text is done, "" where that is now
	NotDeclared struct{ Text string }
)

func (Declared) notice()    {}
func (NotDeclared) notice() {}
