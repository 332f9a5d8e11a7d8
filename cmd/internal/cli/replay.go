package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/record"
	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

func (a *app) replayCommand() *cobra.Command {
	var v record.View
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Run what a log has recorded, with its dice and answers",
		Long: `Run what "run --log FILE" has recorded: the same script with the dice that fell
and the answers that were given. The output is that of the run, byte by byte,
unless flags ask for more or less.`,
		Args: needs("a FILE that run --log has written", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := os.Open(args[0])
			if err != nil {
				return badFile(args[0], err)
			}
			defer f.Close()
			log, err := record.ReadLog(f)
			if err != nil {
				return wrong(args[0], fmt.Sprintf("%s: %v", args[0], err), "")
			}
			if !cmd.Flags().Changed("json") && !cmd.Flags().Changed("trace") && !cmd.Flags().Changed("quiet") {
				v = log.View
			}
			a.replay(cmd.Context(), log, v)
			return nil
		},
	}
	viewFlags(cmd, &v)
	return cmd
}

func (a *app) replay(ctx context.Context, log *record.Log, v record.View) {
	p := &playing{seed: log.Seed, leftOK: log.LeftOK, set: log.Set, view: v}
	cfg := interp.Config{
		Modules: stdlib.FS,
		Folder:  record.Files(log.Files),
		Seed:    log.Seed,
		Dice:    append(append([]int(nil), log.Faces...), log.Left...),
		Options: log.Set,
		Chance:  spent{},
		Choice:  &answers{log.Answers},
	}
	a.exec(ctx, p, cfg, script{src: lang.NewSource(log.Source.Name, log.Source.Text), folder: cfg.Folder})
}

// spent is the chance of a log whose faces have all fallen.
type spent struct{}

func (spent) Throw(context.Context, interp.Request) ([]int, error) {
	return nil, errors.New("the log has no more dice: it does not belong to this version of the rules")
}

// answers is the choice of a log.
type answers struct{ left []int }

func (a *answers) Choose(_ context.Context, q interp.Question) (int, error) {
	if len(a.left) == 0 || a.left[0] >= len(q.Options) {
		return 0, errors.New("the log has no answer to this: it does not belong to this version of the rules")
	}
	n := a.left[0]
	a.left = a.left[1:]
	return n, nil
}
