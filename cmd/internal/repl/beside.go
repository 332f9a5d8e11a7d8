package repl

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"setpiece/cmd/internal/player"
	"setpiece/interp/assist"
	"setpiece/interp/evening"
	"setpiece/interp/transcript"
)

// Say does what a line says that is typed beside an evening which somebody else runs: a word with a colon, odds, what
// declares somebody or is done by hand. It is no answer; done says that it was one of these. What there is to tell goes
// to out; an error is that of the evening.
func Say(ctx context.Context, v *evening.Evening, line string, out io.Writer, topics func() []assist.Topic) (done bool, err error) {
	l := &Loop{cfg: Config{Out: out, Questions: out, Errors: out, Topics: topics, Forms: true}, evening: v, saidUsual: map[string]bool{}, width: columnsBeside, entry: ctx}
	l.cfg.Interrupt = func() (context.Context, context.CancelFunc) { return context.WithCancel(ctx) }
	l.transcript = transcript.NewText(out, transcript.Options{})
	line = strings.TrimSpace(line)
	name, _, _ := strings.Cut(strings.TrimPrefix(line, ":"), " ")
	known, _ := lookCommand(name)
	colon := player.IsCommand(line)
	asked := v.Open() != nil
	switch {
	case colon && slices.Contains(atTerminal, known.name), !colon && slices.Contains(atTerminal, line):
		l.faint("that is for the terminal: here everything is kept as it happens, and whoever closes the page comes back to it")
		return true, nil
	case colon && asked:
		err = l.atQuestion(line)
	case colon:
		l.command(line)
		err = l.moved
	case asked:
		done, err = l.alsoAtQuestion(line)
		return done, moved(err)
	default:
		switch name {
		case "help":
			l.command(":" + line)
		case "odds", "why":
			l.enter(line)
		default:
			return false, nil
		}
	}
	return true, moved(err)
}

// moved leaves out what has been told.
func moved(err error) error {
	if err != nil && !errors.Is(err, evening.ErrMoved) {
		return nil
	}
	return err
}

// atTerminal are the commands that only somebody at a terminal needs.
var atTerminal = []string{"pause", "quit", "exit", "edit", "save", "load", "trace", "brief", "time"}

// columnsBeside is how wide what is told beside an evening may be.
const columnsBeside = 76
