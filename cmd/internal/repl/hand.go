package repl

import (
	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/render"
)

// hand gives somebody to the person or to their tactics. Between entries that is a step,
// which can be undone; at a question it belongs to the evaluation that asks.
func (l *Loop) hand(who string, asked bool) {
	before := l.sess.Snapshot()
	if err := l.sess.Hand(who, asked); err != nil {
		render.Error(l.cfg.Questions, l.cfg.Palette, err)
		return
	}
	h := journal.Hand{Who: who, Asked: asked}
	if l.busy {
		l.desk.take(journal.Entry{Hand: &h})
	} else {
		l.note(journal.Entry{Hand: &h})
		l.push(step{hand: &h, seed: l.seed(), before: before, after: l.sess.Snapshot()})
	}
	if asked {
		l.faint("you give the commands and decide: " + who)
	} else {
		l.faint("tactics act and decide: " + who)
	}
}

func handTitle(h journal.Hand) string {
	if h.Asked {
		return ":ask " + h.Who
	}
	return ":auto " + h.Who
}

func diceTitle(asked bool) string {
	if asked {
		return ":dice ask"
	}
	return ":dice roll"
}

// hands completes whom :auto and :ask take.
func (l *Loop) hands(string) []string { return l.sess.HandWords() }
