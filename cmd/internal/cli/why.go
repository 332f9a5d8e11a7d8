package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/render"
	"setpiece/interp"
	"setpiece/interp/why"
)

func (a *app) whyCommand() *cobra.Command {
	p := playing{limits: &a.limits}
	var cfg why.Config
	var json bool
	var e effort
	cmd := &cobra.Command{
		Use:   "why FILE",
		Short: "Show how a chance comes about, and what moves it",
		Long: `Show the likeliest ways to a goal, and the changes that move its chance most: each
number and die in the script, and each on a sheet that the rules read, one up and one
down; one more and one fewer of each kind; each clause left out; the best decisions.

` + goalOfScript + ` --goal
chooses another.`,
		Example: `  setpiece why bog.scene
  setpiece why --goal 'last.winner == heroes' bog.scene
  setpiece why -e 'use cah' -e 'roll AIM 3 vs DN 12'`,
		ValidArgsFunction: scripts,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := a.givenOne(cmd.Context(), &p, args, "why")
			if err != nil {
				return err
			}
			return a.why(cmd.Context(), &p, s, cfg, json, &e)
		},
	}
	f := cmd.Flags()
	p.scriptFlags(cmd)
	e.flags(cmd)
	f.Lookup("trials").Usage, f.Lookup("trials").DefValue = "at most how many trials a simulation makes of each change: `N`, as 500; "+usageTimed, ""
	e.trials = ""
	f.StringVar(&cfg.Goal, "goal", "", usageGoal)
	intVar(f, &cfg.Paths, "paths", 5, 1, 500, "how many ways to print")
	intVar(f, &cfg.Moves, "moves", 8, 1, 1000, "how many changes to print")
	f.BoolVar(&json, "json", false, "print JSON")
	return cmd
}

func (a *app) why(ctx context.Context, p *playing, s script, cfg why.Config, json bool, e *effort) error {
	var n int64
	var err error
	if e.trials != "" {
		n, err = count(e.trials)
	}
	if err != nil || n > why.MaxWhyTrials {
		return wrong(e.trials, fmt.Sprintf("--trials: %s is not a number of trials up to %d", e.trials, why.MaxWhyTrials), "a whole number, as 500")
	}
	e.hold(p.limits)
	cfg.Trials, cfg.Time, cfg.Memory = int(n), e.time, int(e.memory)
	if cfg.Goal, err = a.goalOf(p, s, cfg.Goal); err != nil {
		return a.failed(err)
	}
	a.aboutFile(s)
	working := a.working("why")
	w, err := why.Of(ctx, interp.NewSession(p.config(s)), s.src, cfg)
	working.stop()
	if err != nil {
		return a.failed(err)
	}
	switch {
	case w.Sampled != nil:
		a.note(e.limit(w.Over) + "; the chance is " + part(w.Sampled) + "; each change is estimated from trials with the same dice")
	case w.Over != "":
		a.note(e.limit(w.Over) + "; estimated from " + render.Thousands(int64(w.Trials)) + " trials instead; each change has the same dice")
	}
	if w.Stopped {
		a.worse(statusFailed)
		a.note(fmt.Sprintf("stopped after %d changes", w.Tried))
	}
	if !json {
		render.Why(a.out, a.palette(), w)
		if w.Over != "" && len(w.Moves) == 0 && n == 0 {
			a.note("--time " + longer(e.time) + " tries more changes, and each more often")
		}
		return nil
	}
	a.whyObject(w)
	return nil
}
