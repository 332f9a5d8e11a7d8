package cli

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/render"
	"setpiece/interp"
	"setpiece/interp/odds"
)

// graphForms are the ways to write a graph.
var graphForms = map[string]func(io.Writer, *odds.Flow){"text": render.Flow, "dot": render.DOT, "mermaid": render.Mermaid}

func (a *app) graphCommand() *cobra.Command {
	p := playing{limits: &a.limits}
	form := "text"
	var e effort
	cmd := &cobra.Command{
		Use:   "graph FILE",
		Short: "Show how scenes follow one another, and how likely",
		Long: `Show how the scenes of a script follow one another, and how likely each step is. A
script decides that with if, loops and its rules; setpiece follows them as odds does, and
estimates what is too large for that from trials.

--as dot draws for Graphviz, --as mermaid for a page in Markdown.`,
		Example: `  setpiece graph friday.md
  setpiece graph --as dot bog.scene | dot -Tsvg > bog.svg`,
		ValidArgsFunction: scripts,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := a.givenOne(cmd.Context(), &p, args, "graph")
			if err != nil {
				return err
			}
			write := graphForms[form]
			if write == nil {
				return wrong(form, "--as must be text, dot or mermaid", didYouMean(form, []string{"text", "dot", "mermaid"}))
			}
			f, err := a.flow(cmd.Context(), &p, s, odds.Config{}, &e)
			if err != nil {
				return a.failed(err)
			}
			write(a.out, f)
			if f.Sampled != nil {
				a.note(e.limit(f.Sampled.Over) + "; " + part(f.Sampled))
			}
			if f.Trials > 0 {
				a.note(fmt.Sprintf("estimated from %s trials", render.Thousands(f.Trials)))
			}
			if f.Stops > 0 {
				a.note(render.Percent(f.Stops, false) + " stops with an error, which these chances leave out")
			}
			return nil
		},
	}
	f := cmd.Flags()
	p.scriptFlags(cmd)
	e.flags(cmd)
	f.StringVar(&form, "as", "text", "`FORM`: text, dot or mermaid")
	cmd.RegisterFlagCompletionFunc("as", cobra.FixedCompletions([]string{"text", "dot", "mermaid"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// flow works out how the scenes of a script follow one another.
func (a *app) flow(ctx context.Context, p *playing, s script, cfg odds.Config, e *effort) (*odds.Flow, error) {
	scenes, src, err := odds.FlowScript(ctx, interp.NewSession(p.config(s)), s.src)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(scenes, func(s odds.Scene) bool { return !s.Holds }) {
		return nil, fmt.Errorf("setpiece: %s has no scenes", s.name())
	}
	l, err := a.law(ctx, p, s.with(src), cfg, e)
	if err != nil {
		return nil, err
	}
	if l.Sim != nil {
		stops, _ := l.Sim.Stops()
		if len(l.Sim.Columns) == 0 {
			return nil, fmt.Errorf("setpiece: %s always stops with an error", s.name())
		}
		return odds.FlowOf(scenes, l.Sim.Distribution(len(l.Sim.Columns)-1), stops, l.Sim.Trials), nil
	}
	if f := l.Odds.Certain(); f != nil {
		return nil, f
	}
	stops := 0.0
	for _, end := range l.Odds.Ends {
		if end.Fault != nil {
			stops += end.P
		}
	}
	return odds.FlowOf(scenes, l.Odds.Distribution(len(l.Odds.Columns)-1), stops, 0), nil
}
