package evening

import (
	"fmt"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/lang"
)

// What the game master does by hand at a question counts from the moment before what asks: the statement of the
// script, or somebody's turn. The entry begins again with it there, and what was said since is said again where the
// same is asked, with the same dice.

// OfTable says whether a text is what a game master does by hand, nobody's turn.
func (v *Evening) OfTable(text string) bool { return v.sess.OfTable(text) }

// Meanwhile has the game master do something by hand at a question. What stands between turns, and ends what is going
// on, waits for the next moment where something was begun: what is open is settled as usual, dice that somebody throws
// are asked for. Elsewhere what is open does not happen. The error is [ErrMoved], lang.Diagnostics, or a *Refused; see
// Waits and NotDone.
func (v *Evening) Meanwhile(text string) error {
	d := v.desk
	if err := v.settled(); err != nil {
		return err
	}
	if ds := v.sess.Check(lang.NewSource("", text)); ds.Errors() {
		return ds
	}
	ends := v.sess.BetweenTurns(text)
	switch {
	case d.open == nil:
		return &Refused{Why: NothingOpen}
	case d.moment == 0 || d.at < 0:
		return &Refused{Why: NoMoment}
	case ends && d.open.Name != Stop && (d.held != "" || d.begun()):
		v.host.Tell(Waits{text})
		d.held, d.settles, d.form = text, d.held != "" && d.settles, nil
	default:
		d.byHand(text, ends)
	}
	return ErrMoved
}

// begun says whether something is being done since the moment that was last.
func (d *desk) begun() bool {
	return d.evening.sess.Begun() || d.evening.sess.Commanded() && slices.ContainsFunc(d.said[d.at:], func(e Entry) bool { return e.Command != nil })
}

// byHand has something done at the moment that was last; ends says that nothing follows it there.
func (d *desk) byHand(text string, ends bool) {
	back := d.said[d.at:]
	stays, rest := stillDeclared(back)
	if ends {
		rest = slices.DeleteFunc(rest, func(e Entry) bool { return !e.turns() })
	}
	d.typed++
	hand := Entry{Answer: command(text), Typed: d.typed}
	hand.At = d.moment
	if d.open.Kind == Decision && !ends {
		hand.Asks = about(d.open.Name, d.open.Who)
	}
	d.anew = &anew{back: len(back), stays: append(stays, hand), again: again{rest, d.moment + 1}}
}

// stillDeclared parts declarations from what was said since: what the game master does by hand may be about
// whom they declare.
func stillDeclared(said []Entry) (lates, rest []Entry) {
	for _, e := range said {
		if e.Late != nil {
			lates = append(lates, e)
		} else {
			rest = append(rest, e)
		}
	}
	return lates, rest
}

// Hold implements interp.Holder.
func (d *desk) Hold(n int, place func() string) string {
	if d.rerun != nil {
		return d.rerun.hold(n, place)
	}
	d.moment, d.at = n, len(d.said)
	if d.kept > 0 {
		d.at = -1
	}
	e := firstAnswer(d.before)
	switch {
	case e != nil && e.At == n:
		d.turnsOver()
		if d.again.until == n+1 {
			d.evening.silent = audible // it is new
		}
		e := d.pop()
		d.insists, d.until = e.Asks, n+1
		return *e.Command
	case e != nil || d.closed:
		return ""
	case d.again.until > 0 && n > d.again.until:
		d.notGivenAgain()
	}
	text := d.held
	if d.held = ""; text != "" {
		e := Entry{Answer: command(text), With: d.settles}
		e.At = n
		d.take(e)
	}
	return text
}

// about is a decision of somebody.
func about(decision, who string) string { return strings.Join([]string{decision, who}, " ") }

// Insists implements interp.Holder.
func (d *desk) Insists(decision, who string) bool {
	return d.rerun == nil && d.moment <= d.until && d.insists == about(decision, who)
}

// NotHeld implements interp.Holder.
func (d *desk) NotHeld(why error) error {
	at := len(d.said) - 1
	for at >= 0 && d.said[at].At == 0 {
		at--
	}
	if d.rerun != nil || d.closed || at < 0 {
		return why
	}
	d.evening.host.Tell(NotDone{*d.said[at].Command, why})
	d.anew = &anew{back: len(d.said) - at, again: d.again}
	return ErrMoved
}

// settled gives the usual answer to what is open while something waits for the next moment. Taken back, all of it is
// one answer, with dice that were asked for.
func (d *desk) settled(q *Query) (a interp.Answer, ok bool) {
	if d.held == "" || q.Kind == Dice {
		return a, false
	}
	e := Entry{Answer: q.signed(q.usual()), With: d.settles}
	d.settles = true
	d.take(e)
	return e.Answer, true
}

// again is what is to be said again, in order, until a moment is over; 0: for as long as the same is asked.
type again struct {
	said  []Entry
	until int
}

// Answered is what an answer was to, and the answer in words.
type Answered struct{ Question, Words string }

// answered gives what a question is, however it is put, and an answer to it.
func (q *Query) answered(a interp.Answer) Answered {
	return Answered{q.same(), q.reply(a).Answer}
}

func (q *Query) same() string { return fmt.Sprint(q.Kind, q.Who, q.Name, q.For, q.On) }

// sayAgain gives what was said once, if this is the same question and it still fits.
func (q *Query) sayAgain(e Entry) (a interp.Answer, ok bool) {
	switch {
	case q.Takes(e.Answer) != nil && q.Kind != Decision, e.At > 0:
		return a, false
	case e.To.Question == "":
		return e.Answer, q.Takes(e.Answer) == nil
	case e.To.Question != q.same():
		return a, false
	case q.Kind == Decision:
		a, ok = q.again(e.To.Words)
		return q.signed(a), ok
	case q.Kind == Command:
		return e.Answer, q.turn.Check(e.To.Words) == nil
	}
	return e.Answer, true
}

// sayAgain gives the next answer of what is said again, if it is one to a question, and hands over who was handed
// over before it.
func (d *desk) sayAgain(q *Query) (a interp.Answer, ok bool) {
	for len(d.again.said) > 0 {
		e := d.again.said[0]
		if !e.turns() {
			if e.Answer, ok = q.sayAgain(e); !ok {
				return a, false
			}
		}
		d.again.said = d.again.said[1:]
		d.sayOld(e)
		if !e.turns() {
			if q.Kind == Command && d.again.until > 0 {
				d.evening.host.Tell(GivenAgain{q.words(e.Answer)})
			}
			return e.Answer, true
		}
		d.turnOver(e)
	}
	return a, false
}

// sayOld notes what was said before.
func (d *desk) sayOld(e Entry) {
	d.evening.note(e)
	d.said = append(d.said, e)
}

// notGivenAgain tells what is taken back for good, as it has not come again; who was handed over stays so.
func (d *desk) notGivenAgain() {
	left := d.again
	d.again = again{}
	var lost []Entry
	for _, e := range left.said {
		if e.turns() {
			d.sayOld(e)
			d.turnOver(e)
		} else {
			lost = append(lost, e)
		}
	}
	if len(lost) > 0 && left.until > 0 {
		d.evening.host.Tell(takenBack(anew{gone: lost}))
	}
}

// GivenAgain says that a command is done again, behind what the game master has done by hand before it.
type GivenAgain struct{ Command string }

func (GivenAgain) notice() {}

// Waits says that what the game master does by hand waits until what is open is settled.
type Waits struct{ Text string }

func (Waits) notice() {}

// NotDone says that the rules refuse what the game master would do by hand. Everything is as it was.
type NotDone struct {
	Text string
	Why  error
}

func (NotDone) notice() {}

// NotReached says which decisions of a form did not come, though they had been given another answer than the
// usual one.
type NotReached struct{ Titles []string }

func (NotReached) notice() {}
