package evening

import (
	"context"

	"setpiece/interp"
)

// Undo takes back the last n steps, or as many as there are.
func (v *Evening) Undo(n int) error {
	if err := v.free(); err != nil {
		return err
	}
	n = min(n, len(v.steps))
	if n <= 0 {
		return &Refused{Why: NothingToUndo}
	}
	v.note(Entry{Undo: n})
	v.looks = nil
	for range n {
		last := v.takeOff()
		notice := Undone{Step: last.Step}
		if took := last.after.Bytes() - last.before.Bytes(); took < redoBytes {
			v.undone = append(v.undone, last)
		} else {
			notice.Bytes, v.undone = took, nil
		}
		before := last.stoodBefore()
		last = step{} // nobody keeps the state after it, unless it can be redone
		v.sess.Restore(before)
		v.tell(notice)
	}
	return nil
}

// takeOff takes the last step off, and puts those back that it took the place of. The
// session is to be restored to what stood before it.
func (v *Evening) takeOff() step {
	last := v.steps[len(v.steps)-1]
	v.steps[len(v.steps)-1] = step{}
	v.steps = append(v.steps[:len(v.steps)-1], last.instead...)
	return last
}

// redoBytes is how much memory the values of an entry may take that can be redone. What
// is kept for Redo cannot be given back when other entries have been made meanwhile.
const redoBytes = 16 << 20

// Redo does the next n undone steps again, with the dice and answers they had. An entry that
// stopped is the last of them: it goes on, and the error is as that of Enter.
func (v *Evening) Redo(ctx context.Context, n int) error {
	if err := v.free(); err != nil {
		return err
	}
	n = min(n, len(v.undone))
	if n <= 0 {
		return &Refused{Why: NothingToRedo}
	}
	for k := 1; k < n; k++ {
		if v.undone[len(v.undone)-k].dropped {
			n = k
		}
	}
	v.note(Entry{Redo: n})
	v.looks = nil
	for range n {
		next := v.undone[len(v.undone)-1]
		v.undone = v.undone[:len(v.undone)-1]
		if next.dropped {
			return v.comeBack(ctx, next)
		}
		v.steps = append(v.steps[:len(v.steps)-len(next.instead)], next)
		v.sess.Restore(next.after)
		v.tell(Redone{next.Step})
	}
	return nil
}

// stoodBefore is the state that undoing a step goes back to.
func (s step) stoodBefore() *interp.Snapshot {
	if n := len(s.instead); n > 0 {
		return s.instead[n-1].after
	}
	return s.before
}

// comeBack evaluates an entry that was dropped, behind the answers that it had.
func (v *Evening) comeBack(ctx context.Context, s step) error {
	n := Answers(flatSaid(s.said))
	if n > 0 {
		v.silent = untilNew
	}
	v.host.Tell(GoesOn{s.Step, n})
	v.desk.before, v.desk.typed = s.said, latest(s.said)
	v.recall(v.included, false)
	defer v.forget()
	return v.evalNoted(ctx, s.source())
}

// TakeBack has the entry that goes on begin again without its last n answers, or as many as there
// are; those of a form count as one. They can be given again until another one is.
func (v *Evening) TakeBack(n int) error {
	d := v.desk
	if err := v.settled(); err != nil {
		return err
	}
	if n > 0 && d.held != "" {
		d.held = ""
		if !d.settles {
			if n--; n == 0 {
				return ErrMoved // nothing was settled for it
			}
		}
	}
	if n <= 0 || len(d.said) == 0 {
		return &Refused{Why: NoAnswer}
	}
	gone, stay := lastTyped(d.said, n)
	if len(stay) == 0 {
		gone = d.said[len(d.said)-v.withHand(len(gone)):]
	}
	lates, rest := stillDeclared(stay)
	d.anew = &anew{back: len(gone) + len(stay), stays: lates, again: again{rest, gone[0].At}, tells: true, gone: gone}
	return ErrMoved
}

// Last is what TakeBack would take back, or what was answered last, in a line; "" for nothing.
func (v *Evening) Last() string {
	said, replies := v.desk.said, v.desk.replies
	if len(said) > 0 {
		switch gone, _ := lastTyped(said, 1); {
		case gone[0].At > 0:
			return *gone[0].Command
		case gone[0].Hand != nil:
			return gone[0].Hand.String()
		}
	}
	if len(replies) == 0 {
		return ""
	}
	return replies[len(replies)-1].line()
}

// Back counts what TakeBack can take back, one after the other.
func (v *Evening) Back() (n int) {
	for _, e := range v.desk.said {
		if !e.With {
			n++
		}
	}
	return n
}

// withHand is how many things that the host said are taken back with the last n: where
// tactics gave the first of these answers as somebody was handed to them, that as well, or
// else the question would come again and its answer with it.
func (v *Evening) withHand(n int) int {
	said, replies := v.desk.said, v.desk.replies
	first := len(said) - n
	at := len(replies) - Answers(said[first:])
	if first > 0 && !said[first].turns() && said[first-1].Hand != nil && at >= 0 && replies[at].handed {
		n++
	}
	return n
}

// GiveAgain gives n answers again that were taken back, from this question on; those of a form count
// as one.
func (v *Evening) GiveAgain(n int) error {
	d := v.desk
	if err := v.settled(); err != nil {
		return err
	}
	if n <= 0 || len(d.undone) == 0 {
		return &Refused{Why: NoneTakenBack}
	}
	switch e := d.undone[0]; {
	case e.Keep != nil:
		d.undone, d.keeping = d.undone[1:], e.Keep
	case e.At > 0:
		d.undone = d.undone[1:]
		return v.Meanwhile(*e.Command)
	case e.Late != nil:
		d.undone = d.undone[1:]
		return v.Declare(e.Late.Text)
	default:
		n = formsAhead(d.undone, n)
		d.again = again{said: d.undone[:n]}
		d.undone = d.undone[n:]
	}
	return ErrMoved
}

// takenBack says what is taken back; before the entry begins again.
func takenBack(x anew) TakenBack {
	t := TakenBack{Things: len(x.gone), Answers: Answers(x.gone)}
	if !x.misfit {
		t.Said = sayings(x.gone)
	}
	return t
}

// comesAgain has what comes again told as such, if anything is.
func (v *Evening) comesAgain(until silence) {
	if !v.cfg.Retell {
		v.silent = until
	} else if v.busy {
		v.host.Tell(Retold{})
	}
}

// sayings gives things that were said, the answers in words.
func sayings(said []Entry) (out []Saying) {
	for _, e := range said {
		x := Saying{Entry: e, Answer: e.To.Words}
		if e.At > 0 {
			x.Answer = *e.Command
		}
		out = append(out, x)
	}
	return out
}

// Reseed gives the generator a new seed, as a step.
func (v *Evening) Reseed(n uint64) error {
	if err := v.free(); err != nil {
		return err
	}
	v.note(Entry{Seed: &n})
	before := v.sess.Snapshot()
	v.sess.Seed(n)
	v.push(step{Step: Step{Seed: n}, before: before, after: v.sess.Snapshot()})
	return nil
}

// Hand gives somebody to the host, who is then asked for them, or to their tactics. Between entries
// that is a step, which can be undone; at a question it belongs to the entry that asks.
func (v *Evening) Hand(who string, asked bool) error {
	d := v.desk
	if err := v.settled(); err != nil {
		return err
	}
	before := v.sess.Snapshot()
	if err := v.sess.Hand(who, asked); err != nil {
		return err
	}
	h := Hand{Who: who, Asked: asked}
	if v.busy {
		d.take(Entry{Hand: &h})
		if d.open != nil && !d.open.Asked() {
			return ErrMoved
		}
		return nil
	}
	v.unsaved = false
	v.note(Entry{Hand: &h})
	v.push(step{Step: Step{Hand: &h, Seed: v.Seed()}, before: before, after: v.sess.Snapshot()})
	return nil
}

// Dice has the host throw the dice from here on, or the generator.
func (v *Evening) Dice(asked bool) error {
	d := v.desk
	if err := v.settled(); err != nil || asked == d.ask {
		return err
	}
	if v.busy {
		d.take(Entry{Dice: &asked})
		d.switched = true
	} else {
		v.unsaved = false
		v.note(Entry{Ask: &asked})
	}
	d.ask = asked
	v.useDice()
	if v.busy && !asked && d.open != nil && d.open.Kind == Dice {
		return ErrMoved
	}
	return nil
}
