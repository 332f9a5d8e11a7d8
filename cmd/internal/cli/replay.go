package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/journal"
	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

func (a *app) replayCommand() *cobra.Command {
	var v journal.View
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Run a recorded log again",
		Long: `Run again what "run --log FILE" has recorded, with the same dice and answers. The
output is the same, byte for byte, unless flags ask for more or less.`,
		Args: needs("a FILE that run --log has written", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := files.ReadFile(cmd.Context(), args[0], files.MaxData, &a.seen)
			if err != nil {
				return badFile(args[0], err)
			}
			var log *journal.Log
			err = a.promptly(cmd.Context(), func() error {
				l, err := journal.ReadLog(bytes.NewReader(data))
				log = l
				return err
			})
			if errors.Is(err, errLeft) {
				return err
			}
			if err != nil {
				return wrong(args[0], fmt.Sprintf("%s: %v", args[0], err), "")
			}
			if v == (journal.View{}) {
				v = log.View
			}
			a.replay(cmd.Context(), log, v)
			return nil
		},
	}
	viewFlags(cmd, &v)
	return cmd
}

func (a *app) replay(ctx context.Context, log *journal.Log, v journal.View) {
	then := &recorded{cut: log.Cut}
	p := &playing{limits: &a.limits, seed: log.Seed, leftOK: log.LeftOK, set: log.Set, view: v, log: then}
	given, fell, answers := log.Faces[:log.Given], log.Faces[log.Given:], log.Answers
	if log.Threw {
		then.faces, fell = fell, nil
	}
	if len(log.Left) > 0 { // then all that fell were given, as an older log does not say
		given, fell = log.Faces, nil
	}
	if log.Asked {
		answers, then.answers = nil, answers
	}
	cfg := interp.Config{
		Modules: stdlib.FS,
		Folder:  journal.Files(log.Files),
		Seed:    log.Seed,
		Limits:  a.limits.Limits,
		Dice:    slices.Concat(given, log.Left),
		Options: log.Set,
		Chance:  then,
		Events:  asThen,
	}
	if log.Asked {
		cfg.Choice = then
	}
	if log.Turns {
		cfg.Player = then
	}
	src := lang.RestoreExcerpt(log.Source.Name, log.Source.Text, log.Source.Page)
	if src.Excerpt() {
		cfg.Folder = over(src.Name, src.Page(), cfg.Folder)
	}
	a.exec(ctx, p, cfg, script{src: src, folder: cfg.Folder}, interp.Record{Faces: fell, Answers: answers, Commands: log.Commands})
}

// asThen tells of answers that were given ahead as they were made when the log was
// written, where nobody was asked, and of dice that the generator threw.
func asThen(e *interp.Event) {
	if e.Kind == interp.EventDecision && e.By == "log" {
		e.By = "default"
	}
	for i := range e.Dice {
		if e.Dice[i].By == "log" {
			e.Dice[i].By = "seed"
		}
	}
	switch {
	case e.Question != nil:
		each(e.Question.Open, asThen)
	case e.Request != nil:
		each(e.Request.Open, asThen)
	case e.Turn != nil:
		each(e.Turn.Open, asThen)
	}
	each(e.Events, asThen)
}

func each(list []*interp.Event, do func(*interp.Event)) {
	for _, e := range list {
		do(e)
	}
}

// recorded throws and decides as somebody did when the log was written. They are
// asked as they were then, so what was shown before each question is shown again.
type recorded struct {
	faces, answers []int
	cut            bool // the run was left before it was over
	ended          bool // and there it has come to now
}

func (r *recorded) Throw(_ context.Context, q interp.Request) ([]int, error) {
	n := len(q.Sizes)
	if len(r.faces) < n {
		return nil, r.spent("dice")
	}
	faces := r.faces[:n]
	r.faces = r.faces[n:]
	return faces, nil
}

func (r *recorded) Choose(context.Context, interp.Question) (int, error) {
	if len(r.answers) == 0 {
		return 0, r.spent("answers")
	}
	n := r.answers[0]
	r.answers = r.answers[1:]
	return n, nil
}

// Command implements interp.Player. It is asked when the commands given ahead are used
// up.
func (r *recorded) Command(context.Context, interp.Turn) (string, error) {
	return "", r.spent("commands")
}

func (r *recorded) spent(what string) error {
	if r.cut {
		r.ended = true
		return context.Canceled
	}
	return fmt.Errorf("the log has no more %s: it was written by another version of the rules", what)
}
