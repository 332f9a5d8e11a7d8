package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"testing/fstest"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/evening"
	"setpiece/lang"
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
	cfg := library(filesOf(log.Files), a.places())
	cfg.Seed, cfg.Limits, cfg.Options, cfg.Chance, cfg.Versions = log.Seed, a.limits.Limits, log.Set, then, evening.Versions(log.Systems)
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
	s := script{src: src, folder: cfg.Folder}
	a.sayDiffer(ctx, cfg, s, log.Systems)
	a.exec(ctx, p, cfg, s, append(log.Record, interp.Answer{Faces: log.Left, By: interp.ByGiven}))
}

// sayDiffer warns of systems that are others now than those that something was played with.
func (a *app) sayDiffer(ctx context.Context, cfg interp.Config, s script, then []evening.System) {
	o, err := assist.OutlineOf(ctx, interp.NewSession(cfg), s.src)
	if err != nil {
		return // the script is wrong, which is then told at length
	}
	for _, said := range evening.Differ(then, evening.Used(o.Systems)) {
		fmt.Fprintln(a.errTo, style.On(a.errPalette().Warn, "warning: "+said))
	}
}

// recorded is asked when what was answered when the log was written is used up.
type recorded struct {
	cut   bool // the run was left before it was over
	ended bool // and there it has come to now
}

// Throw implements interp.Chance.
func (r *recorded) Throw(context.Context, interp.Request) ([]int, error) {
	return nil, r.spent("dice")
}

// Choose implements interp.Choice.
func (r *recorded) Choose(context.Context, interp.Question) (int, error) {
	return 0, r.spent("answers")
}

// Command implements interp.Player.
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

// filesOf is a folder held in memory: the files of a log.
func filesOf(texts []journal.Text) fs.FS {
	files := fstest.MapFS{}
	for _, t := range texts {
		files[t.Name] = &fstest.MapFile{Data: []byte(t.Text), Mode: 0o444}
	}
	return files
}
