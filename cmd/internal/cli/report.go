package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/playground"
	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/report"
	"setpiece/cmd/internal/style"
	"setpiece/interp/danger"
)

// reporting says what a report is asked.
type reporting struct {
	out, pdf          string
	json, live        bool
	goal, trials      string
	want              string
	time              time.Duration
	variants, tactics []string

	inside playground.Files // of --live; nil without it
	text   string           // of the script that stands in the page then
}

// livePage readies a report with setpiece inside.
func (a *app) livePage(ctx context.Context, list []script, r *reporting) (err error) {
	if len(list) != 1 || len(r.variants)+len(r.tactics) > 0 || r.out == "" {
		return wrong("--live", "--live is for a page of one script", "setpiece report --live -o danger.html FILE")
	}
	if err = a.alone(list[0]); err == nil {
		r.text = list[0].src.Text
		r.inside, err = a.findPlayground(ctx)
	}
	return err
}

// write writes the page.
func (r *reporting) write(w io.Writer, page *report.Page) error {
	if r.inside == nil {
		return report.HTML(w, page)
	}
	var b bytes.Buffer
	if err := report.HTML(&b, page); err != nil {
		return err
	}
	data, err := r.inside.Live(b.Bytes(), r.text)
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

func (a *app) reportCommand() *cobra.Command {
	p := playing{limits: &a.limits}
	r := reporting{time: 10 * time.Second}
	cmd := &cobra.Command{
		Use:   "report FILE…",
		Short: "Say how dangerous an encounter is",
		Long: `Play an encounter many times and sum up what a game master wants to know: who wins and
how surely, who falls, how long it takes, what is left, how open it stays, what moves it,
what decisions are worth, and three ways it goes. With -o, write it as a page of HTML that
you can print or pass on.

Several files, --with and --tactics put encounters beside each other, with the same seeds.`,
		Example: `  setpiece report bog.scene
  setpiece report bog.scene -o danger.html
  setpiece report --with grim bog.scene
  setpiece report --time 1m -o danger.html bog.scene`,
		ValidArgsFunction: scripts,
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := a.given(cmd.Context(), &p, args, "report")
			if err != nil {
				return err
			}
			return a.report(cmd.Context(), &p, list, &r)
		},
	}
	f := cmd.Flags()
	f.Uint64Var(&p.seed, "seed", 0, usageSeed)
	p.set.flag(cmd)
	p.let.flag(cmd)
	f.StringVarP(&r.out, "output", "o", "", "write the report as HTML into `FILE`, as a PDF if it ends in .pdf")
	f.BoolVar(&r.live, "live", false, "put setpiece into the page: its reader moves the numbers of the script, and the odds follow")
	f.StringVar(&r.pdf, "pdf", "", "write it as a PDF into `FILE`, by an installed Chromium or Chrome")
	f.StringVar(&r.goal, "goal", "", "the goal: one of the script or of the rules, an outcome, or an `EXPR` that is yes or no")
	f.StringVar(&r.want, "want", "", "also look for the smallest changes that give the goal this chance: `PERCENT`, 60..70%, or GOAL=60..70%")
	f.StringVar(&r.trials, "trials", "", "how many trials to make: `N`, as 1e4; "+usageTimed)
	f.Var((*timeFlag)(&r.time), "time", "how long a report may take, roughly, as 1m")
	f.BoolVar(&r.json, "json", false, usageJSON)
	f.StringArrayVar(&r.variants, "with", nil, "compare with VARIANT in use")
	f.StringArrayVar(&r.tactics, "tactics", nil, usageTactics)
	return cmd
}

// report makes a report of each script and shows them together.
func (a *app) report(ctx context.Context, p *playing, list []script, r *reporting) error {
	rc := danger.Config{Goal: r.goal, Time: r.time}
	if r.trials != "" {
		n, err := count(r.trials)
		if err != nil || n > danger.MaxReportTrials {
			return wrong(r.trials, fmt.Sprintf("--trials: %s is not a number of trials up to %s", r.trials, render.Thousands(danger.MaxReportTrials)), "a whole number, as 10000 or 1e4")
		}
		rc.Trials = n
	}
	if r.want != "" {
		goal, want, err := wanted(r.want)
		if err != nil {
			return err
		}
		if err := want.fits(cmp.Or(goal, r.goal, "success")); err != nil {
			return err
		}
		rc.Goal, rc.Want = cmp.Or(goal, r.goal), &[2]float64{want.lo, want.hi}
	}
	if r.pdf == "" && strings.EqualFold(filepath.Ext(r.out), ".pdf") {
		r.out, r.pdf = "", r.out
	}
	if err := mayWrite(&a.seen, r.out, r.pdf); err != nil {
		return err
	}
	if r.pdf != "" {
		if _, err := browser(); err != nil { // before anything is worked out for it
			return err
		}
	}
	if r.live {
		if err := a.livePage(ctx, list, r); err != nil {
			return err
		}
	}
	var all []script
	var parts []report.Part
	for _, s := range list {
		all, parts = append(all, s), append(parts, report.Part{Name: s.src.Name, Run: options(p) + shellWord(s.src.Name)})
		for _, v := range r.variants {
			all, parts = append(all, withVariant(s, v)), append(parts, report.Part{Name: s.src.Name + " with " + v})
		}
		for _, t := range r.tactics {
			all, parts = append(all, withTactics(s, t)), append(parts, report.Part{Name: s.src.Name + " with tactics " + t})
		}
	}
	if len(all) > 1 {
		rc.Time = rc.Time * 9 / 10 / time.Duration(len(all))
	}
	w := a.working("report")
	defer w.stop()
	rc.Say = w.say
	for i, s := range all {
		made, err := danger.MakeReport(ctx, p.config(s), s.src, rc)
		switch {
		case errors.Is(err, context.Canceled):
			return err
		case err != nil:
			w.stop()
			return a.failed(err)
		}
		if rc.Trials == 0 { // so that the others compare with it
			rc.Trials = made.Trials
		}
		for _, g := range made.Goals {
			a.undecided(s, g.Name)
		}
		parts[i].Report = made
		if r.out != "" || r.pdf != "" {
			parts[i].Ends = report.Transcripts(ctx, p.config(s), s.src, made)
		}
	}
	var pairs *danger.Beside
	if len(parts) > 1 && ctx.Err() == nil {
		var err error
		if pairs, err = report.Pairs(ctx, parts); err != nil && ctx.Err() == nil {
			w.stop()
			return a.failed(err)
		}
	}
	w.stop()
	if err := ctx.Err(); err != nil {
		return err
	}
	page := report.Make(parts, pairs)
	if r.json {
		a.reportObjects(page, parts)
	}
	switch {
	case r.out != "" || r.pdf != "":
		return a.writeReport(ctx, r, page)
	case !r.json:
		report.Text(a.out, page, style.Width(a.outTo), a.palette())
	}
	return nil
}

// options are those of a report that a run has, too.
func options(p *playing) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p.set)) {
		b.WriteString("--set " + shellWord(name+"="+p.set[name]) + " ")
	}
	for _, name := range slices.Sorted(maps.Keys(p.let)) {
		b.WriteString("--let " + shellWord(name+"="+p.let[name]) + " ")
	}
	return b.String()
}

// writeReport writes the page.
func (a *app) writeReport(ctx context.Context, r *reporting, page *report.Page) error {
	var written []string
	if r.out != "" {
		err := files.Write(r.out, &a.seen, func(o *files.Output) error { return r.write(o, page) })
		if err != nil {
			return badFile(r.out, err)
		}
		written = append(written, r.out)
	}
	if r.pdf != "" {
		if err := a.writePDF(ctx, r.pdf, page); err != nil {
			return err
		}
		written = append(written, r.pdf)
	}
	if r.json {
		return nil
	}
	for _, part := range page.Parts {
		for _, l := range part.Lead {
			fmt.Fprintf(a.out, "%s  %s   %s\n", l.Words, l.Figure, l.Note)
		}
	}
	for _, path := range written {
		fmt.Fprintln(a.out, style.On(a.palette().Faint, path+" is written"))
	}
	return nil
}
