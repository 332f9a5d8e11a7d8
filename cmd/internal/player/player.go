// Package player lets somebody at the table answer for chance and choice: they
// type what the dice show and which option they take.
package player

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/advice"
	"setpiece/interp/evening"
	"setpiece/lang"
)

// Asker puts a question to a person and returns the line they answer with. It
// returns an error when there will be no answer: the context has ended, or
// nobody is there any more.
type Asker interface {
	Ask(ctx context.Context, prompt string) (string, error)
}

// ErrGone says that nobody is there to answer.
var ErrGone = errors.New("nobody answered: the input has ended")

// Table is a person to whom questions are put. An answer that does
// not fit is explained and asked for again.
type Table struct {
	Asker  Asker
	Out    io.Writer // where menus and explanations go
	Before func()    // called before each question, to show what led to it; may be nil

	Turns bool        // commands are asked for, too
	Brief func() bool // a run is told in brief, which says itself how everybody stands; nil: it is not

	Advise bool   // show what each option is worth without being asked
	Goal   string // for which goal, where none is named; see odds.Config.Goal

	// Begin gives the context in which advice is worked out; nil: that of the question.
	Begin func() (context.Context, context.CancelFunc)

	Palette   style.Palette
	explained []string    // goals whose meaning stands in the last table of worth
	stood     string      // how it was said to stand before the last turn
	Fail      func(error) // explains what is wrong with a command; nil: in one line

	// Advised is given the advice that has been shown, and the options that it is about;
	// nil of advice before a command. It may be nil itself.
	Advised func(who string, options []interp.Value, a *advice.Advice)

	// Unused is given a line that is no answer and could stand in a script, pasted perhaps with
	// the one that asks; it may be nil.
	Unused func(line string)

	// Also does what a line says that is neither an answer nor begins with a colon; done says that it
	// was one such, and an error of it ends the question. It may be nil.
	Also func(line string) (done bool, err error)

	// Command does what a line with a colon in front asks for; an error of it ends the
	// question. Nil: there are no such commands.
	Command func(line string) error
}

func (t *Table) before() {
	if t.Before != nil {
		t.Before()
	}
}

// Put asks a question.
func (t *Table) Put(ctx context.Context, q *evening.Query) (interp.Answer, error) {
	t.before()
	switch q.Kind {
	case evening.Dice:
		return t.throw(ctx, q)
	case evening.Decision:
		return t.choose(ctx, q)
	}
	return t.turn(ctx, q)
}

// read gives a line that is typed at a question, or as many as complete it; done says that it was no
// answer, and what it asks for is done.
func (t *Table) read(ctx context.Context, prompt string) (line string, done bool, err error) {
	line, err = t.Asker.Ask(ctx, prompt)
	for err == nil && strings.ContainsAny(line, "{(") && Unfinished(line) {
		var more string
		if more, err = t.Asker.Ask(ctx, ". "); err == nil {
			line += "\n" + more
		}
	}
	line = strings.TrimSpace(line)
	switch {
	case err != nil:
		return line, false, err
	case IsCommand(line):
		return line, true, t.command(line)
	case t.Also != nil && !strings.HasPrefix(line, "?"):
		done, err = t.Also(line)
	}
	return line, done, err
}

// throw asks for the faces that the table's dice show.
func (t *Table) throw(ctx context.Context, q *evening.Query) (none interp.Answer, err error) {
	for {
		line, done, err := t.read(ctx, q.Title+": ")
		if err != nil {
			return none, err
		}
		if done {
			continue
		}
		faces, err := q.Read(line)
		if err == nil {
			return faces, nil
		}
		if line == "" && t.Command != nil {
			err = fmt.Errorf("%w, or  :dice roll  and setpiece throws", err)
		}
		fmt.Fprintf(t.Out, "  %v\n", err)
		t.unused(line)
	}
}

// unused hands on a line that is no answer.
func (t *Table) unused(line string) {
	if t.Unused == nil {
		return
	}
	file, ds := lang.Parse(lang.NewSource("", line))
	if len(ds) > 0 || len(file.Stmts) == 0 {
		return
	}
	switch s := file.Stmts[0].(type) {
	case *lang.ExprStmt:
		return
	case *lang.Command:
		if s.Who == nil && len(s.Args) == 0 {
			return
		}
	}
	t.Unused(strings.TrimSpace(line))
}

// IsCommand says whether a line is a command of the prompt, which begins with a colon.
func IsCommand(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), ":") }

func (t *Table) command(line string) error {
	if t.Command == nil {
		fmt.Fprintln(t.Out, "  there are no commands here")
		return nil
	}
	return t.Command(strings.TrimSpace(line))
}
