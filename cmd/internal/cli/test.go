package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/notes"
	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/verify"
	"setpiece/lang"
)

func (a *app) testCommand() *cobra.Command {
	p := playing{limits: &a.limits}
	var cover string
	cmd := &cobra.Command{
		Use:   "test FILE…",
		Short: "Run the tests in scripts",
		Long: `Run the test blocks of scripts. Each test starts from what the script declares and sets,
without what its scenes did, or after the scene that it names. A folder stands for all scripts
and notes in it. With --cover, setpiece tells which rules of the systems they play, in scenes as in
tests, and which they do not.`,
		Args:              needs("a FILE", 1, -1),
		ValidArgsFunction: scripts,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := inFolders(args)
			if err != nil {
				return err
			}
			list, err := a.readEach(args, func(s *notes.Script) bool { return !strings.HasSuffix(s.Name, ".rules") })
			if err == nil {
				err = p.checkSet(cmd.Context(), list)
			}
			if err != nil {
				return err
			}
			test, covered := verify.Tests, verify.Cover{}
			if cover != "" {
				test = covered.Tests
			}
			for _, s := range list {
				a.test(cmd.Context(), &p, s, test)
			}
			if cover == "" {
				return nil
			}
			return a.tellCover(&covered, cover, p.view.JSON)
		},
	}
	cmd.Flags().Uint64Var(&p.seed, "seed", 0, "seed of the dice, `N` from 0")
	cmd.Flags().BoolVarP(&p.view.Quiet, "quiet", "q", false, "print only the tests that fail")
	optional(cmd.Flags(), &cover, "cover", "-", "tell which rules are played; `[=FILE.html]` writes a page of it")
	p.set.flag(cmd)
	jsonFlag(cmd, &p.view)
	return cmd
}

// tester runs the tests of a source, as verify.Tests does.
type tester func(context.Context, *interp.Session, *lang.Source) ([]verify.TestResult, error)

func (a *app) test(ctx context.Context, p *playing, s script, tests tester) {
	a.aboutFile(s)
	results, err := tests(ctx, interp.NewSession(p.config(s)), s.src)
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

// inFolders puts in the place of each folder the scripts and notes in it, in the order of their
// names.
func inFolders(paths []string) ([]string, error) {
	var out []string
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			out = append(out, path)
			continue
		}
		n := len(out)
		err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
			if ext := filepath.Ext(file); err == nil && !d.IsDir() && (ext == ".scene" || ext == ".md") {
				out = append(out, file)
			}
			return err
		})
		if err != nil {
			return nil, badFile(path, err)
		}
		if len(out) == n {
			return nil, wrong(path, "there is no script in "+path, "scripts end in .scene, notes in .md")
		}
	}
	return out, nil
}
