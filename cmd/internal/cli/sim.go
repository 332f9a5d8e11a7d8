package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/records"
	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/goals"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/interp/transcript"
)

func (a *app) simCommand() *cobra.Command {
	p := playing{limits: &a.limits}
	var c chart
	var trials, until, shard string
	var sc sim.Config
	var part, profile string
	var check bool
	var v sides
	cmd := &cobra.Command{
		Use:   "sim FILE",
		Short: "Run a script many times and count how it ends",
		Long: `Run a script many times, each time from the same start, and count how it ends: the
outcome, or what the script reports. The result is the same on any number of
processors. setpiece merge joins parts that were made elsewhere with --shard.

With --vs it compares two scripts, or one script with itself after --let or --with. Both
throw the same dice for the same purposes, so that small differences show.`,
		Example: `  setpiece sim -n 1e6 bog.scene
  setpiece sim -n 1e7 --until 0.5% bog.scene
  setpiece sim --vs bog.scene harder.scene
  setpiece sim --vs --let 'Sludge Lord.star=3' bog.scene
  setpiece sim -n 1e8 --shard 3/16 --part parts/ bog.scene
  setpiece sim -n 1e8 --shard auto --part parts/ bog.scene   # in a job of Slurm or Kubernetes`,
		ValidArgsFunction: scripts,
		RunE: func(cmd *cobra.Command, args []string) error {
			var list []script
			var titles []string
			var err error
			if v.on {
				list, titles, err = a.versus(cmd.Context(), &p, &v, args)
			} else {
				list, err = a.given(cmd.Context(), &p, args, "sim")
			}
			if err != nil {
				return err
			}
			if !v.on && len(list) > 1 {
				return wrong("", "sim takes one script", "sim --vs compares two")
			}
			if !v.on && len(v.variants)+len(sc.Goal) > 0 {
				return wrong("", "--with and --goal are for sim --vs", "")
			}
			if sc.Trials, err = count(trials); err != nil {
				return wrong(trials, "-n: "+err.Error(), "a whole number, such as 100000 or 1e6")
			}
			if sc.Until, err = share(until); err != nil {
				return wrong(until, "--until: "+err.Error(), "a percentage, such as 0.5%")
			}
			if sc.Shard, sc.Shards, err = shardOf(shard, os.Getenv); err != nil {
				return wrong(shard, "--shard: "+err.Error(), "which part of how many, such as 3/16")
			}
			if v.on {
				if shard != "" || part != "" || profile != "" || check || c.csv || c.svg != "" || len(c.Columns) > 0 {
					return wrong("--vs", "sim --vs prints one table; --shard, --part, --profile, --check, --csv, --svg and --columns do not go with it", "")
				}
				if !cmd.Flags().Changed("trials") {
					sc.Trials = sim.DefaultComparison
				}
				if err = a.compare(cmd.Context(), &p, list, titles, sc, false, 0); errors.Is(err, sim.ErrApart) {
					_, err = goals.Of(cmd.Context(), interp.NewSession(p.config(list[0])), list[0].src, "")
					return a.failed(err)
				}
				return err
			}
			if profile != "" && (shard != "" || part != "") {
				return wrong("--profile", "sim --profile makes all trials in one process; --shard and --part do not go with it", "")
			}
			if profile != "" && !cmd.Flags().Changed("trials") {
				sc.Trials = profileTrials
			}
			return a.sim(cmd.Context(), &p, list[0], sc, part, profile, check, &c)
		},
	}
	f := cmd.Flags()
	f.Uint64Var(&p.seed, "seed", 0, usageSeed)
	p.scriptFlags(cmd)
	f.Lookup("expr").Usage = usageRun
	c.flags(cmd)
	f.StringVarP(&trials, "trials", "n", "1e5", "number of trials, such as 1e6")
	f.StringVar(&until, "until", "", "stop when every chance is known within `PERCENT`, such as 0.5%")
	intVar(f, &sc.Workers, "workers", 0, 0, 1024, "how many trials run at a time; 0 for as many as there are processors")
	f.StringVar(&shard, "shard", "", "make only one part of the trials, `I/N` from 1/N to N/N; auto: as the job that runs it says")
	f.StringVar(&part, "part", "", "write the part to `FILE`, for merge; into a folder under a name of its own")
	f.BoolVar(&v.on, "vs", false, "compare two FILEs, or one FILE with itself after --let or --with, with the same dice")
	f.StringArrayVar(&v.variants, "with", nil, "with --vs: the second side uses `VARIANT`")
	f.StringVar(&sc.Goal, "goal", "", "with --vs: the goal, one of the rules, an outcome, or an `EXPR`")
	f.StringVar(&profile, "profile", "", "count the instructions of each rule, write that to `FILE` for go tool pprof; -: print the dearest rules")
	f.BoolVar(&check, "check", false, "compare with the exact odds")
	return cmd
}

// profileTrials is how many trials a profile is made of, if nothing else is said.
const profileTrials = 1000

// count reads a number of trials, also as 1e6.
func count(s string) (int64, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || f < 1 || f > sim.MaxTrials {
		return 0, fmt.Errorf("%s is not a number of trials up to %s", s, render.Thousands(sim.MaxTrials))
	}
	return int64(f), nil
}

// share reads a percentage.
func share(s string) (float64, error) {
	if s == "" {
		return 0, nil
	}
	f, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil || !(0 < f && f < 100) { // nor NaN
		return 0, fmt.Errorf("%s is not a percentage", s)
	}
	return f / 100, nil
}

func (a *app) sim(ctx context.Context, p *playing, s script, sc sim.Config, part, profile string, check bool, c *chart) (err error) {
	if part != "" {
		if part, err = partPath(part, sc); err != nil {
			return badFile(part, err)
		}
	}
	if err := c.mayDraw(&a.seen, part); err != nil {
		return err
	}
	if err := c.mayChoose(ctx, p, s); err != nil {
		return err
	}
	a.aboutFile(s)
	working := a.working("sim")
	sc.Progress = working.set
	o, counts, err := simulate(ctx, p.config(s), s, sc, profile != "")
	working.stop()
	if err != nil {
		return a.failed(err)
	}
	if counts != nil {
		if err := a.tellProfile(profile, counts); err != nil {
			return err
		}
	}
	if part != "" && o.Stopped {
		a.fail(fmt.Errorf("setpiece: stopped after %s of %s trials: the part is not written", render.Thousands(o.Trials), render.Thousands(o.Planned)))
		return nil
	}
	if part != "" {
		return a.writePart(part, o)
	}
	if err := a.tellSim(o, c, ""); err != nil {
		return err
	}
	if check {
		return a.checkSim(ctx, p, s, o)
	}
	return nil
}

// simulate simulates a script, with a profile or without.
func simulate(ctx context.Context, cfg interp.Config, s script, sc sim.Config, profile bool) (*sim.Sim, *sim.Profile, error) {
	if profile {
		return sim.MakeProfile(ctx, cfg, s.src, sc)
	}
	o, err := sim.Simulate(ctx, cfg, s.src, sc)
	return o, nil, err
}

// tellSim tells of a simulation; over says what exact odds had too much of, where it stands
// in for them.
func (a *app) tellSim(o *sim.Sim, c *chart, over interp.Over) error {
	dists, err := c.dists(o.Columns, o.Distribution)
	if err != nil {
		return err
	}
	if err := c.draw(dists); err != nil {
		return err
	}
	switch {
	case c.csv:
		return c.table(a.out, dists)
	case c.json:
		w := a.records(false)
		records.Distributions(w, dists, 0)
		records.Sim(w, o, over)
		if o.Stopped {
			a.worse(statusFailed)
		}
		return nil
	}
	pal := a.palette()
	if o.Stopped {
		a.worse(statusFailed)
		a.note(fmt.Sprintf("stopped after %s of %s trials", render.Thousands(o.Trials), render.Thousands(o.Planned)))
	}
	if o.Trials == 0 {
		return nil
	}
	dists, others := c.Lead(dists)
	v := render.Odds{Distributions: dists, Width: style.Width(a.outTo), Palette: pal, Transposed: c.Transposed}
	v.Write(a.out)
	render.Others(a.out, pal, others)
	for _, e := range o.Ends {
		if e.Stops != "" {
			render.Stop(a.out, pal, float64(e.Count)/float64(o.Trials), e.Count == o.Trials, e.Stops)
		}
	}
	render.Refused(a.out, pal, o.Refused())
	fmt.Fprintln(a.out, style.On(pal.Faint, fmt.Sprintf("%d trials, seed %d; ± holds in 95 of 100 cases", o.Trials, o.Seed)))
	for _, x := range o.Examples() {
		words := make([]string, len(x.Shown))
		for i, v := range x.Shown {
			if words[i] = v; len(x.Shown) > 1 {
				words[i] = o.Columns[i] + " " + v
			}
		}
		fmt.Fprintln(a.out, style.On(pal.Faint, fmt.Sprintf("%s: %s   run --seed %d", x.What, strings.Join(words, ", "), x.Seed)))
	}
	return nil
}

// checkSim holds a simulation against the exact odds, which have the limits of the script.
func (a *app) checkSim(ctx context.Context, p *playing, s script, o *sim.Sim) error {
	exact, err := odds.Of(ctx, interp.NewSession(p.config(s)), s.src, odds.Config{Time: a.limits.Time, Memory: int(a.limits.Memory)})
	if err != nil {
		return a.failed(err)
	}
	off := disagreements(exact, o)
	for _, x := range off {
		if a.json == nil {
			fmt.Fprintf(a.out, "%s %s: simulated %s, exactly %s\n", x.Column, x.shown, render.Percent(x.Simulated, false), render.Percent(x.P, false))
		}
	}
	switch {
	case a.json != nil:
		a.object(jsonChecked{transcript.Record{Event: "agreement"}, len(off) == 0, off})
	case len(off) == 0:
		fmt.Fprintln(a.out, "it agrees with the exact odds")
	default:
		fmt.Fprintln(a.out, "one in twenty lies outside of its interval by chance")
	}
	return nil
}

// disagreements gives the chances that a simulation of the same script makes unlikely: of all values
// that are in either.
func disagreements(exact *odds.Odds, o *sim.Sim) []jsonOff {
	in := func(columns []string, of func(int) *dist.Distribution, name string) []dist.Point {
		if k := slices.Index(columns, name); k >= 0 {
			return of(k).Points
		}
		return nil
	}
	var off []jsonOff
	for _, name := range union(exact.Columns, o.Columns) {
		sure, seen := in(exact.Columns, exact.Distribution, name), in(o.Columns, o.Distribution, name)
		shown := func(p dist.Point) string { return p.Shown }
		for _, value := range union(mapped(sure, shown), mapped(seen, shown)) {
			x := jsonOff{Column: name, shown: value}
			has := func(p dist.Point) bool { return p.Shown == value }
			if i := slices.IndexFunc(seen, has); i >= 0 {
				x.Value, x.Simulated = seen[i].Data, seen[i].P
			}
			if i := slices.IndexFunc(sure, has); i >= 0 {
				x.Value, x.P = sure[i].Data, sure[i].P
			}
			lo, hi := dist.Interval(int64(math.Round(x.Simulated*float64(o.Trials))), o.Trials)
			if x.P+exact.Remainder < lo-1e-9 || x.P > hi+1e-9 {
				off = append(off, x)
			}
		}
	}
	return off
}

// union gives what is in either of two lists, each once.
func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(a, x) {
			out = append(out, x)
		}
	}
	return out
}

func mapped[T, U any](list []T, f func(T) U) []U {
	out := make([]U, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}
