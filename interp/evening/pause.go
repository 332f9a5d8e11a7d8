package evening

import (
	"context"
	"errors"
	"slices"

	"setpiece/interp"
)

// Where an evening can pause: Config.Pauses, and Query.Name.
const (
	Beginning = "beginning" // before anything happens in a script that is loaded
	Scene     = "scene"     // where a scene of it begins, behind what is told of it
	Ending    = "ending"    // when it is over
	Stop      = "stopped"   // when it has stopped with an error: Query.Refused, with Options that may help. Any answer takes the last one back
)

// Pause says where it pauses from now on.
func (v *Evening) Pause(at []string) { v.cfg.Pauses = at }

// Pauses says where it does.
func (v *Evening) Pauses() []string { return v.cfg.Pauses }

// pausesBefore has the evening pause before what begins next.
func (d *desk) pausesBefore(at string) {
	v := d.evening
	if v.running.Name != "" && d.rerun == nil && slices.Contains(v.cfg.Pauses, at) && d.pausing != Beginning {
		d.pausing = at
	}
}

// MayPause implements interp.Holder.
func (d *desk) MayPause() bool { return d.pausing != "" && d.rerun == nil && !d.closed }

// PauseHere implements interp.Holder: the host says when it goes on, unless they have said so before.
func (d *desk) PauseHere() error {
	if !d.MayPause() {
		return nil
	}
	q := &Query{Kind: Pause, Name: d.pausing, Title: d.pausing, Event: &interp.Event{Kind: interp.EventNote, Text: d.pausing}}
	d.pausing = ""
	went := func(list []Entry) bool {
		at := slices.IndexFunc(list, func(e Entry) bool { return e.Go || !e.turns() })
		return at >= 0 && list[at].Go
	}
	for went(d.before) {
		if e := d.pop(); e.Go {
			return nil
		} else {
			d.turnOver(e)
		}
	}
	for went(d.again.said) {
		e := d.again.said[0]
		d.again.said = d.again.said[1:]
		if d.sayOld(e); e.Go {
			return nil
		}
		d.turnOver(e)
	}
	if firstAnswer(d.before) != nil || firstAnswer(d.again.said) != nil {
		return nil // it did not pause then
	}
	if d.late != nil && d.settleLate(q) {
		return ErrMoved
	}
	d.turnsOver()
	return d.waitAt(q)
}

// stop pauses at an error that ends what runs, where somebody has said something that can be taken back. It gives that
// error, or why what runs begins again.
func (d *desk) stop(why error) error {
	v := d.evening
	at := v.sess.Failed()
	if d.pausing = ""; v.paused || isCancelled(why) || len(d.said) == 0 || firstAnswer(d.before) != nil {
		return why
	}
	if d.pausesBefore(Stop); !d.MayPause() {
		return why
	}
	d.pausing, d.held = "", ""
	d.turnsOver()
	d.notGivenAgain()
	q := &Query{Kind: Pause, Name: Stop, Title: Stop, Refused: why, Event: &interp.Event{Kind: interp.EventNote, Text: why.Error()}}
	if at != nil { // what is asked about the evening meanwhile is how it stands there
		was := v.sess.Snapshot()
		v.sess.Restore(at)
		defer v.sess.Restore(was)
		q.On = v.sess.On()
		q.Options, q.Notes = v.sess.Remedies(why.Error())
	}
	for {
		if err := d.waitAt(q); err != nil {
			return err
		}
		if err := v.TakeBack(1); errors.Is(err, ErrMoved) {
			return err
		}
	}
}

// waitAt asks the host at a pause until they say that it goes on.
func (d *desk) waitAt(q *Query) error {
	v := d.evening
	d.open = q
	defer func() { d.open = nil }()
	for {
		moves := len(d.said)
		q.ID = v.stored
		_, err := v.host.Ask(v.ctx, q)
		switch {
		case d.anew != nil, d.trying != nil, d.keeping != nil, d.late != nil:
			return ErrMoved
		case errors.Is(err, ErrLeft):
			v.paused = true
			return err
		case errors.Is(err, ErrMoved) || d.held != "" || len(d.again.said) > 0 && len(d.said) == moves:
			continue
		case err != nil:
			d.left, d.gone = true, !errors.Is(err, context.Canceled)
			return err
		}
		if d.open = nil; q.Name != Stop {
			d.take(Entry{Go: true})
		}
		return nil
	}
}
