package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"

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
		Short: "Run what a log has recorded, with its dice and answers",
		Long: `Run what "run --log FILE" has recorded: the same script with the dice that fell
and the answers that were given. The output is that of the run, byte by byte,
unless flags ask for more or less.`,
		Args: needs("a FILE that run --log has written", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := files.ReadFile(cmd.Context(), args[0], files.MaxData, &a.seen)
			if err != nil {
				return badFile(args[0], err)
			}
			log, err := journal.ReadLog(bytes.NewReader(data))
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
	p := &playing{limits: &a.limits, seed: log.Seed, leftOK: log.LeftOK, set: log.Set, view: v}
	cfg := interp.Config{
		Modules: stdlib.FS,
		Folder:  journal.Files(log.Files),
		Seed:    log.Seed,
		Limits:  a.limits.Limits,
		Dice:    append(append([]int(nil), log.Faces...), log.Left...),
		Options: log.Set,
		Chance:  spent{},
		Events:  asItWas(log.Asked),
	}
	if log.Asked {
		cfg.Choice = spent{}
	}
	a.exec(ctx, p, cfg, script{src: lang.NewSource(log.Source.Name, log.Source.Text), folder: cfg.Folder}, log.Answers...)
}

// asItWas tells of decisions as they were made when the log was written: by a
// person, or where nobody was asked, by default.
func asItWas(asked bool) func(*interp.Event) {
	by := "default"
	if asked {
		by = "person"
	}
	var tell func(*interp.Event)
	tell = func(e *interp.Event) {
		if e.Kind == interp.EventDecision && e.By == "log" {
			e.By = by
		}
		for _, in := range e.Events {
			tell(in)
		}
	}
	return tell
}

// spent is chance and choice of a log that is used up.
type spent struct{}

func (spent) Throw(context.Context, interp.Request) ([]int, error) {
	return nil, errors.New("the log has no more dice: it does not belong to this version of the rules")
}

func (spent) Choose(context.Context, interp.Question) (int, error) {
	return 0, errors.New("the log has no answer to this: it does not belong to this version of the rules")
}
