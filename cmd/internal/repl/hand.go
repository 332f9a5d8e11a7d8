package repl

import (
	"errors"

	"setpiece/cmd/internal/render"
	"setpiece/interp/evening"
)

// hand gives somebody to the person or to their tactics.
func (l *Loop) hand(who string, asked bool) {
	err := l.evening.Hand(who, asked)
	if err != nil && !errors.Is(err, evening.ErrMoved) {
		render.Error(l.cfg.Questions, l.cfg.Palette, err)
		return
	}
	l.moved = err
	if asked {
		l.faint("you give the commands and decide: " + who)
	} else {
		l.faint("tactics act and decide: " + who)
	}
}

func handTitle(h evening.Hand) string {
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
func (l *Loop) hands(string) []string { return l.evening.Session().HandWords() }
