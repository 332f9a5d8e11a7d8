package cli

import (
	"github.com/spf13/cobra"

	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/render"
	"setpiece/interp"
)

func (a *app) checkCommand() *cobra.Command {
	p := playing{limits: &a.limits}
	cmd := &cobra.Command{
		Use:               "check FILE…",
		Short:             "Find mistakes in scripts without running them",
		Long:              "Find the mistakes in scripts without running them. No output means no mistakes.",
		Args:              needs("a FILE", 1, -1),
		ValidArgsFunction: scripts,
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := a.readScripts(&p, args)
			if err == nil {
				err = p.checkSet(cmd.Context(), list)
			}
			if err != nil {
				return err
			}
			for _, s := range list {
				a.check(&p, s)
			}
			return nil
		},
	}
	p.set.flag(cmd)
	jsonFlag(cmd, &p.view)
	return cmd
}

func jsonFlag(cmd *cobra.Command, v *journal.View) {
	cmd.Flags().BoolVar(&v.JSON, "json", false, "print JSON, one object a line")
}

// check tells all that is to be said about a script. What is asked for is the
// answer, so it goes to standard output.
func (a *app) check(p *playing, s script) {
	ds := interp.NewSession(p.config(s)).Check(s.src)
	if len(ds) == 0 {
		return
	}
	a.worse(statusOf(ds))
	if j := a.jsonErrors(p.view); j != nil {
		j.Error(ds)
		return
	}
	render.Error(a.out, a.palette(), ds)
}
