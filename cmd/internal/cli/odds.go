package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/records"
	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/advice"
	"setpiece/interp/assist"
	"setpiece/interp/dist"
	"setpiece/interp/goals"
	"setpiece/interp/never"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/interp/transcript"
	"setpiece/lang"
	"setpiece/lang/late"
)

// chart is how distributions are shown, by odds and by sim.
type chart struct {
	json, csv bool
	verbose   bool // with how much work it was
	svg       string
	seen      *files.Seen // what the call has read
	of        string      // which of several scripts is shown, "" where there is one
	below     bool        // a table of another one stands above
	render.Choice
}

func (c *chart) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&c.json, "json", false, usageJSON)
	f.BoolVar(&c.csv, "csv", false, "print CSV: column, value, p, exact, half")
	f.StringVar(&c.svg, "svg", "", "also draw it into `FILE`")
	c.Flags(f)
	cmd.MarkFlagsMutuallyExclusive("json", "csv")
	cmd.MarkFlagsMutuallyExclusive("at-least", "at-most")
}

// dists picks the distributions that are wanted.
func (c *chart) dists(columns []string, of func(int) *dist.Distribution) ([]*dist.Distribution, error) {
	if len(columns) == 0 {
		return nil, nil // everything has stopped before it could tell anything
	}
	out, err := c.Distributions(columns, of)
	return out, noColumn(err)
}

// noColumn says of an error that is a *render.NoColumn which columns there are.
func noColumn(err error) error {
	var e *render.NoColumn
	if !errors.As(err, &e) {
		return err
	}
	help := didYouMean(e.Name, e.Columns)
	if help == "" {
		help = "there are: " + strings.Join(e.Columns, ", ")
	}
	return wrong(e.Name, "there is no column "+e.Name, help)
}

// mayChoose refuses columns that a script cannot have before anything is worked out for them.
func (c *chart) mayChoose(ctx context.Context, p *playing, s script) error {
	if len(c.Columns) == 0 {
		return nil
	}
	columns, err := assist.Columns(ctx, interp.NewSession(p.config(s)), s.src)
	if err != nil || columns == nil {
		return nil // which is said in its place
	}
	return noColumn(c.Check(columns))
}

// table writes distributions as CSV, those of several scripts below each other.
func (c *chart) table(w io.Writer, dists []*dist.Distribution) error {
	if c.Transposed && c.of == "" && len(dists) > 0 {
		return render.CSVBeside(w, render.Titles(dists), dists)
	}
	defer func() { c.below = true }()
	return render.CSV(w, c.of, !c.below, dists)
}

// draw draws the distributions into the file of --svg.
func (c *chart) draw(dists []*dist.Distribution) error {
	if c.svg == "" {
		return nil
	}
	err := files.Write(c.svg, c.seen, func(o *files.Output) error { return render.SVG(o, dists) })
	if err != nil {
		return badFile(c.svg, err)
	}
	return nil
}

// mayDraw refuses the file of --svg before anything is worked out for it, and others that
// the call writes.
func (c *chart) mayDraw(seen *files.Seen, others ...string) error {
	c.seen = seen
	return mayWrite(seen, append(others, c.svg)...)
}

// mayWrite refuses files that cannot be written.
func mayWrite(seen *files.Seen, paths ...string) error {
	err := files.Free(seen, paths...)
	var at *fs.PathError
	if errors.As(err, &at) {
		return badFile(at.Path, err)
	}
	return err
}

func (a *app) oddsCommand() *cobra.Command {
	p := playing{limits: &a.limits}
	var c chart
	var cfg odds.Config
	var b beside
	var e effort
	var nothing bool
	cmd := &cobra.Command{
		Use:   "odds FILE…",
		Short: "Calculate the exact odds of scripts, or of dice",
		Long: `Calculate the exact odds of a script: the chance of each outcome, and of everything
that the script reports. In the place of a file may stand a question about dice. setpiece follows every face of every die through the rules. What is too large for that, in time or
memory, is estimated: what was solved by then stays exact, and the rest is simulated. Odds says how much that is.`,
		Example: `  setpiece odds bog.scene
  setpiece odds '4d6.highest(3)'
  setpiece odds -e 'let p = throw 2d20' -e 'p.max given p.min >= 10'
  setpiece odds --exact --columns winner bog.scene
  setpiece odds --with VARIANT bog.scene
  setpiece odds --never bog.scene`,
		ValidArgsFunction: scripts,
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := a.given(cmd.Context(), &p, args, "odds")
			if err != nil {
				return err
			}
			if nothing {
				return a.never(cmd.Context(), &p, list, &c, &e)
			}
			if cfg.Goal != "" && len(cfg.Best) == 0 {
				cfg.Best = []string{odds.Everybody}
			}
			return a.odds(cmd.Context(), &p, list, &b, cfg, &c, &e)
		},
	}
	f := cmd.Flags()
	p.scriptFlags(cmd)
	c.flags(cmd)
	e.flags(cmd)
	f.Var(&p.dice, "dice", usageDice)
	f.BoolVarP(&c.verbose, "verbose", "v", false, "also print the number of states, and the remainder")
	f.BoolVar(&cfg.Exact, "exact", false, "print fractions even if they take long")
	intVar(f, &cfg.States, "states", 0, 0, 1<<40, "stop after `N` states")
	f.StringSliceVar(&cfg.Best, "best", nil, "`WHO` makes the best decisions; everybody for all")
	f.StringVar(&cfg.Goal, "goal", "", "the goal of --best: "+usageBest)
	f.BoolVar(&nothing, "never", false, "print what cannot happen instead: branches, clauses with if, lines of tactics, answers, defeats")
	f.StringArrayVar(&b.variants, "with", nil, "compare with VARIANT in use")
	f.StringArrayVar(&b.tactics, "tactics", nil, usageTactics)
	f.StringArrayVar(&b.lines, "compare", nil, "compare with `TEXT` as the last line")
	return cmd
}

// never prints what cannot happen in scripts. It is no mistake.
func (a *app) never(ctx context.Context, p *playing, list []script, c *chart, e *effort) error {
	n, err := e.count()
	if err != nil {
		return err
	}
	for _, s := range list {
		a.aboutFile(s)
		ds, err := never.Find(ctx, p.config(s), s.src, never.Config{Trials: n, Time: e.time})
		s.place(ds)
		switch {
		case err != nil:
			return a.failed(err)
		case c.json:
			a.records(false).Error(ds)
		case len(ds) == 0:
			fmt.Fprintln(a.out, s.name()+": everything can happen")
		default:
			render.Error(a.out, a.palette(), ds)
		}
	}
	return nil
}

// beside is what a script is shown side by side with: itself with something else.
type beside struct{ variants, tactics, lines []string }

// given gives the scripts of a call: what -e gave, and the files.
func (a *app) given(ctx context.Context, p *playing, paths []string, what string) ([]script, error) {
	if len(p.texts)+len(paths) == 0 {
		return nil, wrong("", what+" needs a script", "a FILE, - for standard input, or -e TEXT")
	}
	var list []script
	for _, path := range together(paths) {
		if asksAboutDice(path) {
			some, err := a.asked(path, path)
			if err != nil {
				return nil, err
			}
			list = append(list, some...)
			continue
		}
		some, err := a.readScripts(p, []string{path})
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
	}
	if len(p.texts) > 0 {
		some, err := a.asked("-e", strings.Join(p.texts, "\n"))
		if err != nil {
			return nil, err
		}
		list = append(some, list...)
	}
	return list, p.checkSet(ctx, list)
}

// givenOne gives the script of a call that takes one.
func (a *app) givenOne(ctx context.Context, p *playing, paths []string, what string) (s script, err error) {
	list, err := a.given(ctx, p, paths, what)
	if err == nil && len(list) > 1 {
		err = wrong("", what+" takes one script", "")
	}
	if err != nil {
		return s, err
	}
	return list[0], nil
}

var dieAnywhere = late.Regexp(`(^|[^\pL_])\d*d(\d|%|F|f\b|\{|\(\d)|\b(?:z|coin|Die|Pool)\(|^\s*(?:adv|disadv|advantage|disadvantage)\b`)

// asksAboutDice says whether what stands in the place of a file is no file, and about dice:  odds 3d6+2.
func asksAboutDice(path string) bool {
	if !dieAnywhere().MatchString(path) && !lang.AsksSeveral(path) && (strings.Contains(path, "/") || !strings.ContainsAny(path, " ^*()<>=")) || strings.HasSuffix(path, ".scene") || strings.HasSuffix(path, ".rules") || strings.HasSuffix(path, ".md") {
		return false
	}
	_, err := os.Stat(path)
	return err != nil
}

// together makes one of arguments that are a question about dice without quotes:  odds 4d6kh3 x6.
func together(paths []string) []string {
	whole := strings.Join(paths, " ")
	missing := func(path string) bool { _, err := os.Stat(path); return err != nil && filepath.Ext(path) == "" }
	if len(paths) < 2 || !asksAboutDice(whole) || slices.ContainsFunc(paths, func(p string) bool { return !missing(p) }) ||
		!slices.ContainsFunc(paths, func(p string) bool { return !asksAboutDice(p) }) {
		return paths
	}
	return []string{whole}
}

// asked are the questions that somebody has typed: what each output of a program of AnyDice prints, values with
// commas between them, or one script.
func (a *app) asked(name, text string) ([]script, error) {
	s, err := a.typed(strings.TrimSpace(name), []string{text})
	if err != nil {
		return nil, err
	}
	beside := lang.Beside(s.src.Text)
	if lang.AsksSeveral(text) {
		beside = strings.Split(strings.TrimSpace(s.src.Text), "; ")
	}
	if len(beside) < 2 {
		return []script{s}, nil
	}
	var list []script
	for _, one := range beside {
		list = append(list, a.inline(one, one+"\n"))
	}
	return list, nil
}

// typed is a script of lines that somebody has typed, which may have the notation of bots or of AnyDice. What it is
// read as is said.
func (a *app) typed(name string, lines []string) (script, error) {
	ours, read, unread := lang.Notation(strings.Join(lines, "\n"))
	if unread != nil {
		return script{}, wrong("", unread.Wrong, unread.Help)
	}
	for _, r := range read {
		a.note(r.String())
	}
	return a.inline(name, ours+"\n"), nil
}

// odds works out scripts and tells what came of it, several side by side.
func (a *app) odds(ctx context.Context, p *playing, list []script, b *beside, cfg odds.Config, c *chart, e *effort) error {
	var titles []string
	var all []script
	var about []transcript.ScriptRecord
	add := func(title string, s script, r transcript.ScriptRecord) {
		r.File = s.name()
		titles, all, about = append(titles, title), append(all, s), append(about, r)
	}
	for _, s := range list {
		add(s.name(), s, transcript.ScriptRecord{})
		for _, v := range b.variants {
			add(s.name()+" with "+v, withVariant(s, v), transcript.ScriptRecord{With: v})
		}
		for _, t := range b.tactics {
			add(t, withTactics(s, t), transcript.ScriptRecord{Tactics: t})
		}
		for _, t := range b.lines {
			add(t, s.with(s.src.Given(len(s.src.Text), "\n", t, "\n", "--compare")), transcript.ScriptRecord{Line: t})
		}
	}
	if err := c.mayDraw(&a.seen); err != nil {
		return err
	}
	for _, s := range all {
		if err := c.mayChoose(ctx, p, s); err != nil {
			return err
		}
	}
	if len(all) > 1 && !c.json && (!c.csv || c.Transposed) {
		return a.besides(ctx, p, all, titles, cfg, c, e)
	}
	estimated, apart := false, false
	for i, s := range all {
		a.about(about[i])
		if len(all) > 1 {
			c.of = titles[i]
		}
		l, err := a.oddsOf(ctx, p, s, cfg, c, e, i == 0)
		if err != nil || l == nil {
			return err
		}
		_, given := goals.Conditional(ctx, s.src)
		estimated, apart = estimated || l.Sim != nil || l.Odds.Estimated(), apart || given
	}
	if len(all) > 1 && estimated && !apart {
		if err := a.pairs(ctx, p, all, titles, cfg, c.csv, e); !errors.Is(err, sim.ErrApart) {
			return err
		}
	}
	return nil
}

// oddsOf tells what can come of one script, and gives it; nil where that failed, which it has told.
func (a *app) oddsOf(ctx context.Context, p *playing, s script, cfg odds.Config, c *chart, e *effort, drawn bool) (*odds.Law, error) {
	l, err := a.law(ctx, p, s, cfg, e)
	if err != nil {
		a.tellSlow(e)
		return nil, a.failed(err)
	}
	a.tellSlow(e)
	if l.Sim != nil {
		a.note(e.tooMuch(l.Over, l.Sim.Trials, l.Took, p.again(s)))
		if len(cfg.Best) > 0 {
			a.note("the best answer in every state needs exact odds: in these trials every decision takes its default")
		}
		if err := a.tellSim(l.Sim, c, l.Over); err != nil {
			return nil, err
		}
		if len(cfg.Best) > 0 && !c.json && !c.csv {
			if err := a.policy(ctx, p, s, cfg, e); err != nil {
				return nil, a.failed(err)
			}
		}
		return l, nil
	}
	o := l.Odds
	if o.Sampled != nil {
		a.note(e.limit(o.Sampled.Over))
	}
	if f := o.Certain(); f != nil {
		return nil, a.failed(f)
	}
	picked, err := c.dists(o.Columns, o.Distribution)
	if err != nil {
		return nil, err
	}
	if err := a.tell(c, o, picked, len(cfg.Best) > 0); err != nil {
		return nil, err
	}
	if drawn {
		return l, c.draw(picked)
	}
	return l, nil
}

// tellSlow tells what odds were slow for.
func (a *app) tellSlow(e *effort) {
	if len(e.slow) > 0 {
		a.fail(e.slow)
		e.slow = nil
	}
}

// failed tells an error of a script; what is wrong with the call is given back.
func (a *app) failed(err error) error {
	var call *callError
	if errors.As(err, &call) {
		return err
	}
	a.fail(err)
	return nil
}

// besides shows several scripts side by side: exactly, or, where that is too much for one of them,
// by pairs of trials with the same dice, of the first and each other one. Conditional chances have trials of
// their own, since the two of a pair need not both meet the condition, and so has what cannot be compared.
func (a *app) besides(ctx context.Context, p *playing, all []script, titles []string, cfg odds.Config, c *chart, e *effort) error {
	var laws []*odds.Law
	var warn []dist.RefusedTactic
	large, apart := false, false
	for i, s := range all {
		l, err := a.lawOr(ctx, p, s, cfg, e, nil)
		if err != nil {
			return a.failed(err)
		}
		_, given := goals.Conditional(ctx, s.src)
		laws, apart = append(laws, l), apart || given
		large = large || l.Over != "" || l.Odds.Estimated()
		if l.Over != "" {
			a.note(fmt.Sprintf("%s: %s", titles[i], e.limit(l.Over)))
			continue
		}
		if f := l.Odds.Certain(); f != nil {
			return a.failed(f)
		}
		warn = append(warn, l.Odds.Refused...)
	}
	a.tellSlow(e)
	if large && !apart {
		if err := a.pairs(ctx, p, all, titles, cfg, c.csv, e); !errors.Is(err, sim.ErrApart) {
			return err
		}
	}
	var dists []*dist.Distribution
	for i, s := range all {
		columns, of := []string(nil), (func(int) *dist.Distribution)(nil)
		if o := laws[i].Odds; o != nil {
			columns, of = o.Columns, o.Distribution
		} else {
			sim, err := a.estimate(ctx, p, s, sim.Config{}, e, max(e.time, time.Second), nil)
			if err != nil {
				return a.failed(err)
			}
			columns, of, warn = sim.Columns, sim.Distribution, append(warn, sim.Refused()...)
		}
		picked, err := c.dists(columns, of)
		if err != nil {
			return err
		}
		if len(picked) > 0 {
			dists = append(dists, picked[0])
		}
		if i == 0 {
			if err := c.draw(picked); err != nil {
				return err
			}
		}
	}
	switch {
	case len(dists) < 2:
	case c.csv:
		if err := render.CSVBeside(a.out, titles, dists); err != nil {
			return err
		}
	default:
		render.Beside(a.out, a.palette(), titles, dists, !c.Transposed)
	}
	render.Refused(a.out, a.palette(), dist.WorstRefused(warn))
	return nil
}

// pairs compares a script with each of the others.
func (a *app) pairs(ctx context.Context, p *playing, all []script, titles []string, cfg odds.Config, table bool, e *effort) error {
	n, err := e.count()
	for i := 1; i < len(all) && err == nil; i++ {
		both, names := []script{all[0], all[i]}, []string{titles[0], titles[i]}
		err = a.compare(ctx, p, both, names, sim.Config{Trials: n, Goal: cfg.Goal}, table, max(e.time, time.Second))
	}
	return err
}

// policy tells which answers trials find to be best, where exact odds are too much.
func (a *app) policy(ctx context.Context, p *playing, s script, cfg odds.Config, e *effort) error {
	working := a.working("best answers")
	defer working.stop()
	o, err := advice.PolicyOf(ctx, interp.NewSession(p.config(s)), s.src, advice.PolicyConfig{Best: cfg.Best, Goal: cfg.Goal, Time: max(e.time, time.Second)})
	if err != nil {
		return err
	}
	working.stop()
	render.Policy(a.out, a.palette(), o)
	return nil
}

// note says something beside the answer, on standard error.
func (a *app) note(text string) {
	a.out.Flush()
	fmt.Fprintln(a.errTo, style.On(a.errPalette().Warn, text))
}

// withVariant takes a variant into use behind the first use of a script.
func withVariant(s script, name string) script {
	file, _ := lang.Parse(s.src)
	at := 0
	for _, st := range file.Stmts {
		if u, ok := st.(*lang.Use); ok {
			at = int(u.End)
			break
		}
	}
	if at == 0 {
		return s.with(s.src.Given(0, "use ", name, "; ", "--with"))
	}
	return s.with(s.src.Given(at, "; use ", name, "", "--with"))
}

// withTactics gives a script other tactics, behind all of its own.
func withTactics(s script, text string) script {
	file, _ := lang.Parse(s.src)
	at := int32(-1)
	lang.Walk(file, func(n lang.Node) bool {
		if t, ok := n.(*lang.Tactics); ok {
			at = t.End
		}
		return true
	})
	if at < 0 && len(file.Stmts) > 0 {
		at = file.Stmts[len(file.Stmts)-1].Range().Start
		return s.with(s.src.Given(int(at), "tactics ", text, "\n", "--tactics"))
	}
	at = max(at, 0)
	return s.with(s.src.Given(int(at), "\ntactics ", text, "", "--tactics"))
}

// tell tells of one script; aims says that decisions were made for the best.
func (a *app) tell(c *chart, o *odds.Odds, dists []*dist.Distribution, aims bool) error {
	switch {
	case c.csv:
		return c.table(a.out, dists)
	case c.json:
		records.Distributions(a.records(false), dists, o.Remainder)
		records.Odds(a.records(false), o, aims)
		return nil
	}
	p := a.palette()
	if len(o.Columns) == 0 && o.Remainder < 1 {
		fmt.Fprintln(a.out, style.On(p.Faint, "the script has no outcome and reports nothing"))
	}
	dists, others := c.Lead(dists)
	v := render.Odds{Distributions: dists, Width: style.Width(a.outTo), Palette: p, Transposed: c.Transposed}
	v.Write(a.out)
	render.Others(a.out, p, others)
	render.Decisions(a.out, p, o)
	render.Stops(a.out, p, o.Ends, func(e odds.End) string { return e.Fault.At() })
	render.Refused(a.out, p, o.Refused)
	if o.Stopped {
		said := fmt.Sprintf("stopped early: each chance is at least the figure shown, and at most %s more", render.Percent(o.Remainder, true))
		switch {
		case o.Sampled != nil:
			said = "stopped early"
		case len(o.Ends) == 0 && !o.ByColumn():
			said = "stopped before anything was certain; setpiece sim gives figures at once"
		}
		fmt.Fprintln(a.out, style.On(p.Warn, said))
		a.worse(statusFailed)
	}
	if !o.Stopped || o.Sampled != nil {
		render.Remainder(a.out, p, o.Remainder)
		render.Sampled(a.out, p, o, dists)
	}
	if c.verbose {
		work := fmt.Sprintf("%d states, %d merged", o.States, o.Merged)
		if o.Remainder > 0 {
			work += ", remainder " + render.Rest(o.Remainder)
		}
		fmt.Fprintln(a.out, style.On(p.Faint, work))
	}
	return nil
}
