package repl

import (
	"context"
	"errors"
	"io"
	"time"

	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/player"
	"setpiece/interp"
)

// desk answers for the person at the prompt: first with what they answered in
// the session that is taken up, then by asking. Each new answer is in the
// journal before it is used.
type desk struct {
	loop    *Loop
	table   *player.Table
	ask     bool  // the person throws the dice
	faces   []int // answered before
	answers []int
	mute    bool // nobody is to be asked: the answers are all there
}

func newDesk(l *Loop, ask bool) *desk {
	d := &desk{loop: l, ask: ask}
	d.table = &player.Table{Asker: asker{l.cfg.Lines, &l.waited}, Out: l.cfg.Out, Before: l.release}
	return d
}

// useDice lets the person or the generator throw.
func (l *Loop) useDice() {
	if l.desk.ask {
		l.sess.SetChance(l.desk)
	} else {
		l.sess.SetChance(nil)
	}
}

var errNoAnswer = errors.New("the journal has no answer to this")

// Throw implements interp.Chance.
func (d *desk) Throw(ctx context.Context, r interp.Request) ([]int, error) {
	if n := len(r.Sizes); len(d.faces) >= n {
		faces := d.faces[:n:n]
		d.faces = d.faces[n:]
		return faces, nil
	}
	if d.mute {
		return nil, errNoAnswer
	}
	faces, err := d.table.Throw(ctx, r)
	if err == nil {
		d.loop.note(journal.Entry{Faces: faces})
	}
	return faces, err
}

// Choose implements interp.Choice.
func (d *desk) Choose(ctx context.Context, q interp.Question) (int, error) {
	if len(d.answers) > 0 {
		a := d.answers[0]
		d.answers = d.answers[1:]
		return a, nil
	}
	if d.mute {
		return 0, errNoAnswer
	}
	a, err := d.table.Choose(ctx, q)
	if err == nil {
		d.loop.note(journal.Entry{Answer: &a})
	}
	return a, err
}

// asker asks at the prompt. Dropping the line there, or the end of the input,
// cancels the evaluation that asks.
type asker struct {
	lines  Lines
	waited *time.Duration // adds up how long the person took
}

func (a asker) Ask(ctx context.Context, prompt string) (string, error) {
	start := time.Now()
	line, err := a.lines.ReadLine(prompt)
	*a.waited += time.Since(start)
	if errors.Is(err, ErrInterrupt) || errors.Is(err, io.EOF) {
		return "", context.Canceled
	}
	return line, err
}

// Watch implements player.Watcher.
func (a asker) Watch() (pressed func() bool, stop func()) {
	if w, ok := a.lines.(player.Watcher); ok {
		return w.Watch()
	}
	return nil, nil
}
