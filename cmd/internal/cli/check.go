package cli

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/render"
	"setpiece/interp"
	"setpiece/interp/verify"
	"setpiece/lang"
)

func (a *app) checkCommand() *cobra.Command {
	p := playing{limits: &a.limits}
	strict := false
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "Find mistakes in scripts without running them",
		Long: `Find the mistakes in scripts without running them. No output means no mistakes.

With --strict, setpiece also looks for what a script declares and never uses. It
plays the script up to 100 times by itself, and reports tactics that the rules
refuse, lines of tactics that no turn ever uses, and errors that stop the script,
and, where exact odds are quick, what odds --never prints, if it can never happen.
Each of these fails the check. A file of rules is not played, and what it declares
for scenes, such as verbs and sheets, is not reported as unused.`,
		Args:              needs("a FILE", 1, -1),
		ValidArgsFunction: scripts,
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := a.readEach(args, nil)
			if err == nil {
				err = p.checkSet(cmd.Context(), list)
			}
			if err != nil {
				return err
			}
			for _, s := range list {
				a.check(cmd.Context(), &p, s, strict)
			}
			return nil
		},
	}
	p.set.flag(cmd)
	jsonFlag(cmd, &p.view)
	cmd.Flags().BoolVar(&strict, "strict", false, "report unused names and refused tactics, too")
	return cmd
}

func jsonFlag(cmd *cobra.Command, v *journal.View) {
	cmd.Flags().BoolVar(&v.JSON, "json", false, usageJSON)
}

// check tells all that is to be said about a script. What is asked for is the
// answer, so it goes to standard output.
func (a *app) check(ctx context.Context, p *playing, s script, strict bool) {
	a.aboutFile(s)
	ds, err := interp.NewSession(p.config(s)).CheckContext(ctx, s.src)
	switch {
	case err != nil || statusOf(ds) != statusDone:
	case strict:
		ds, err = verify.Strict(ctx, p.config(s), s.src)
	default:
		ds = append(ds, verify.Sheets(ctx, p.config(s), s.src)...)
	}
	if err != nil {
		a.fail(err)
		return
	}
	if len(ds) == 0 {
		return
	}
	s.place(ds)
	a.worse(statusOf(ds))
	if strict {
		a.worse(statusWrong)
	}
	if a.json != nil {
		a.json.Error(ds)
		return
	}
	render.Error(a.out, a.palette(), ds)
}

// place has messages about files beside a script name them as the script is named, by the path
// from where the command is given.
func (s script) place(ds lang.Diagnostics) {
	dir := path.Dir(filepath.ToSlash(s.src.Name))
	if dir == "." || s.folder == nil {
		return
	}
	known := map[*lang.Source]*lang.Source{nil: nil, s.src: s.src}
	placed := func(src *lang.Source) *lang.Source {
		if _, ok := known[src]; !ok {
			known[src] = src
			if f, err := fs.Stat(s.folder, src.Name); err == nil && !f.IsDir() {
				there := *src
				there.Name = path.Join(dir, src.Name)
				known[src] = &there
			}
		}
		return known[src]
	}
	for _, d := range ds {
		d.Src = placed(d.Src)
		for i := range d.Notes {
			d.Notes[i].Src = placed(d.Notes[i].Src)
		}
	}
}
