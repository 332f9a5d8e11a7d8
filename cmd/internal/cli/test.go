package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/notes"
	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/verify"
)

func (a *app) testCommand() *cobra.Command {
	p := playing{limits: &a.limits}
	cmd := &cobra.Command{
		Use:   "test FILE…",
		Short: "Run the tests in scripts",
		Long: `Run the test blocks of scripts. Each test starts from what the script declares and sets,
without what its scenes did, or after the scene that it names.`,
		Args:              needs("a FILE", 1, -1),
		ValidArgsFunction: scripts,
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := a.readEach(args, func(s *notes.Script) bool { return !strings.HasSuffix(s.Name, ".rules") })
			if err == nil {
				err = p.checkSet(cmd.Context(), list)
			}
			if err != nil {
				return err
			}
			for _, s := range list {
				a.test(cmd.Context(), &p, s)
			}
			return nil
		},
	}
	cmd.Flags().Uint64Var(&p.seed, "seed", 0, "seed of the dice, `N` from 0")
	cmd.Flags().BoolVarP(&p.view.Quiet, "quiet", "q", false, "print only the tests that fail")
	p.set.flag(cmd)
	jsonFlag(cmd, &p.view)
	return cmd
}

func (a *app) test(ctx context.Context, p *playing, s script) {
	a.aboutFile(s)
	results, err := verify.Tests(ctx, interp.NewSession(p.config(s)), s.src)
	if err != nil {
		a.fail(err)
		if len(results) == 0 {
			return
		}
	}
	failed := 0
	for _, r := range results {
		if r.Err != nil {
			failed++
			a.worse(statusFailed)
		}
		if p.view.JSON {
			a.object(testObject(s.name(), r))
			continue
		}
		a.testLine(r, p.view.Quiet)
	}
	if p.view.JSON {
		return
	}
	if s.part != "" && len(results) == 0 {
		return // the other parts of the note may have some
	}
	a.testSummary(s.name(), len(results), failed)
}

func (a *app) testLine(r verify.TestResult, quiet bool) {
	p := a.palette()
	if r.Err == nil {
		if !quiet {
			fmt.Fprintf(a.out, "  %s    %s\n", style.On(p.Good, "ok"), r.Name)
		}
		return
	}
	fmt.Fprintf(a.out, "  %s  %s\n", style.On(p.Bad, "FAIL"), r.Name)
	for _, e := range verify.Each(r.Err) {
		render.Error(a.out, p, e)
	}
}

func (a *app) testSummary(file string, n, failed int) {
	what := fmt.Sprintf("%d tests", n)
	if n == 1 {
		what = "1 test"
	}
	switch {
	case n == 0:
		what = "no tests"
	case failed > 0:
		what += fmt.Sprintf(", %d failed", failed)
	}
	fmt.Fprintf(a.out, "%s: %s\n", file, what)
}
