package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/notes"
	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/dist"
	"setpiece/interp/evening"
	"setpiece/interp/goals"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/interp/transcript"
	"setpiece/interp/verify"
	"setpiece/lang"
)

func (a *app) weaveCommand() *cobra.Command {
	var check, show, fresh bool
	cmd := &cobra.Command{
		Use:   "weave NOTE…",
		Short: "Write results into notes in Markdown",
		Long: `Write results into notes in Markdown, each under the fence that asks for it:

  ` + "```" + `setpiece odds              a table of chances
  ` + "```" + `setpiece run seed=7        what happens, with this seed (or dice=7,8; brief, trace, quiet)
  ` + "```" + `setpiece sim trials=1e5    a table of chances, from trials
  ` + "```" + `setpiece danger            one line: how likely the heroes win, or what the scene is about
  ` + "```" + `setpiece test              the tests in this fence
  ` + "```" + `setpiece graph             the scenes up to here, how they follow one another, how likely

Several of them go together. A result is about the script up to its fence, and tells
what this fence adds. The front matter can ask for the same under every fence that
plays something:

  ---
  setpiece: run seed=7 odds
  ---

Results stand between two comments that a reader of the page does not see. weave
writes only there, and only where the result is not what it would be now. It remembers
what it has made, so a second call is quick; --fresh makes all results again. It also
runs the setpiece commands in ` + "```" + `console fences and writes what they print
below them.

With --check nothing is written; the exit status is 1 if something is out of date. A
hook can use that.`,
		Example: `  setpiece weave friday.md
  setpiece weave --check notes/*.md`,
		Args:              needs("a NOTE", 1, -1),
		ValidArgsFunction: scripts,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, path := range args {
				if !notes.Is(path) {
					return wrong(path, "weave writes into notes in Markdown, and "+path+" is none", "its name must end in .md")
				}
			}
			for _, path := range args {
				if err := a.weave(cmd.Context(), path, check, show, fresh); err != nil {
					return err
				}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVar(&check, "check", false, "write nothing, list what is out of date")
	f.BoolVarP(&show, "diff", "d", false, "write nothing, show what would change")
	f.BoolVar(&fresh, "fresh", false, "make every result again")
	return cmd
}

func (a *app) weave(ctx context.Context, path string, check, show, fresh bool) error {
	text, err := files.ReadFile(ctx, path, files.MaxScript, &a.seen)
	if err != nil {
		return badFile(path, err)
	}
	n, ds := notes.Parse(path, string(text))
	if ds.Errors() {
		return ds
	}
	a.warn(ds)
	w := &weaver{app: a, ctx: ctx, folder: n.Over(a.folder(filepath.Dir(path))), cuts: map[*notes.Fence]*cut{}, made: openWoven(&a.seen), fresh: fresh}
	woven, ds := n.Weave(&notes.Weaver{
		Result: w.result, Gets: w.gets, Made: w.madeWith,
		Fill: map[string]func(*notes.Note, *notes.Fence) (string, error){"console": w.console},
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(ds) > 0 {
		a.fail(ds)
		a.worse(statusFailed)
	}
	switch {
	case check:
		if len(woven.Stale) > 0 {
			a.worse(statusFailed)
			render.Error(a.out, a.palette(), woven.Stale)
		}
	case show:
		if woven.Text != string(text) {
			a.worse(statusFailed)
			a.exactly(diff.Diff(path+" (as it is)", text, path+" (woven)", []byte(woven.Text)))
		}
	case woven.Text != string(text):
		return a.rewrite(path, woven.Text)
	}
	return nil
}

// weaver makes the results of one note.
type weaver struct {
	*app
	ctx    context.Context
	folder *notes.Folder
	cuts   map[*notes.Fence]*cut
	made   *wovenCache
	fresh  bool // make everything again
}

// cut is a script up to a fence.
type cut struct {
	script
	reads    *reading // what it takes in
	fence    *notes.Fence
	plays    bool             // a statement that is played ends in the fence
	acts     bool             // one that is no report
	columns  []string         // what the fence reports
	systems  []evening.System // that it uses and that are not in its folder
	reported bool             // something is reported, here or above
}

// inside says whether a statement ends in the fence.
func (c *cut) inside(at lang.Span) bool {
	return at.Src != nil && at.Src.Name == c.src.Name && c.fence.Open.End <= int(at.End)-1 && int(at.End) <= c.fence.Close.Start
}

func (w *weaver) session(s script) *interp.Session {
	return interp.NewSession((&playing{limits: &w.limits}).config(s))
}

// cut gives the script up to a fence.
func (w *weaver) cut(n *notes.Note, s *notes.Script, f *notes.Fence) (*cut, error) {
	if c := w.cuts[f]; c != nil {
		return c, nil
	}
	if err := w.ctx.Err(); err != nil {
		return nil, err // a note has hundreds of fences
	}
	c := &cut{script: w.scriptOf(n, s, w.folder.Under()), fence: f}
	c.reads = &reading{c.folder, map[string]string{}}
	c.folder = c.reads
	until, err := assist.Until(w.ctx, w.session(c.script), c.src, f.Close.Start)
	if err != nil {
		return nil, plain(err)
	}
	c.src = until
	o, err := assist.OutlineOf(w.ctx, w.session(c.script), until)
	if err != nil {
		return nil, plain(err)
	}
	c.plays = slices.ContainsFunc(o.Played, c.inside)
	file, _ := lang.Parse(until)
	c.acts = slices.ContainsFunc(file.Stmts, func(st lang.Stmt) bool {
		_, report := st.(*lang.Report)
		return !report && slices.Contains(o.Played, st.Range()) && c.inside(st.Range())
	})
	c.reported = len(o.Reported) > 0
	for _, x := range o.Systems {
		if x.Place != interp.BuiltIn {
			c.systems = append(c.systems, evening.Used([]interp.System{x})...)
		}
	}
	for _, r := range o.Reported {
		if int(r.At.Start) >= f.Open.End && int(r.At.End) <= f.Close.Start {
			c.columns = append(c.columns, r.Column)
		}
	}
	w.cuts[f] = c
	return c, nil
}

// gets says which results that the front matter asks for a fence gets: those about what is
// played in it. A fence that only reports changes no danger.
func (w *weaver) gets(s *notes.Script, f *notes.Fence, what string) (bool, error) {
	c, err := w.cut(w.folder.Note(), s, f)
	if err != nil {
		return false, err
	}
	if what == "danger" {
		return c.acts, nil
	}
	return c.plays, nil
}

// plain is an error of a script as diagnostics, so that a note shows all of one kind.
func plain(err error) error {
	var all lang.Diagnostics
	for _, e := range verify.Each(err) {
		var ds lang.Diagnostics
		var run *interp.RunError
		switch {
		case errors.As(e, &ds):
			all = append(all, ds...)
		case errors.As(e, &run):
			d := *run.Diag
			all = append(all, &d)
		default:
			return err
		}
	}
	if len(all) == 0 {
		return err
	}
	return all
}

// result gives a result in Markdown: what was made before of the same script, or a new one.
func (w *weaver) result(j *notes.Job) (string, error) {
	c, err := w.cut(j.Note, j.Script, j.Fence)
	if err != nil {
		return "", err
	}
	if !c.plays && (j.What == "run" || len(c.columns) == 0 && (j.What == "odds" || j.What == "sim" || j.What == "danger")) {
		return "", j.Wrong("nothing that is played ends in this fence, so there is no %s to show", j.What)
	}
	of := w.madeOf(c, j)
	if !w.fresh {
		if text, ok := w.made.get(of); ok {
			return text, nil
		}
	}
	text, err := w.make(c, j)
	if err == nil {
		w.made.put(of, text)
	}
	return text, plain(err)
}

// madeOf names all that a result depends on, apart from the program: the note, the words of
// the fence, what stands in it, the script up to it, the files that this takes in, and the limits
// that were set.
func (w *weaver) madeOf(c *cut, j *notes.Job) string {
	var b strings.Builder
	lines := func(text string) { // the prose above moves a script and changes nothing
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				b.WriteString(line + "\n")
			}
		}
		b.WriteByte(0)
	}
	lines(j.Note.Name + " " + j.What + " " + j.Options())
	lines(j.Note.Inside(j.Fence))
	lines(c.src.Text)
	for _, name := range slices.Sorted(maps.Keys(c.reads.texts)) {
		lines(name)
		lines(c.reads.texts[name])
	}
	for _, x := range c.systems {
		lines(x.String())
	}
	if l := w.limits.Limits; l != (interp.Limits{}) {
		lines(fmt.Sprintf("limits %+v", l))
	}
	return b.String()
}

// madeWith names the systems from elsewhere with which a result is made.
func (w *weaver) madeWith(j *notes.Job) []string {
	var words []string
	for _, x := range w.cuts[j.Fence].systems {
		words = append(words, x.Name+"@"+x.Version, x.Hash)
	}
	return words
}

// reading is a folder that remembers what was read from it.
type reading struct {
	under fs.FS
	texts map[string]string
}

// Open implements fs.FS.
func (r *reading) Open(name string) (fs.File, error) { return r.under.Open(name) }

// ReadFile implements fs.ReadFileFS.
func (r *reading) ReadFile(name string) ([]byte, error) {
	data, err := fs.ReadFile(r.under, name)
	if err == nil {
		r.texts[name] = string(data)
	}
	return data, err
}

// Source implements lang.SourceFS.
func (r *reading) Source(name string) *lang.Source {
	folder, ok := r.under.(lang.SourceFS)
	if !ok {
		return nil
	}
	src := folder.Source(name)
	if src != nil {
		r.texts[name] = src.Text
	}
	return src
}

// make makes a result in Markdown.
func (w *weaver) make(c *cut, j *notes.Job) (string, error) {
	p := &playing{limits: &w.limits}
	var err error
	if v, ok := j.Option("seed"); ok {
		if p.seed, err = strconv.ParseUint(v, 10, 64); err != nil {
			return "", j.Wrong("seed=%s is not a whole number from 0", v)
		}
	}
	if v, ok := j.Option("dice"); ok && j.What == "run" {
		if err := p.dice.Set(v); err != nil || p.dice.ask {
			return "", j.Wrong("dice=%s: give faces, such as 7,8", v)
		}
	}
	e := &effort{time: longest, memory: odds.DefaultStateMemory, trials: "20000"}
	if v, ok := j.Option("trials"); ok {
		if _, err := count(v); err != nil {
			return "", j.Wrong("trials=%s is not a number of trials, such as 20000 or 1e5", v)
		}
		e.trials = v
	}
	var b strings.Builder
	switch j.What {
	case "run":
		err = w.transcript(&b, p, c, j)
	case "odds":
		err = w.chances(&b, p, c, j, e, true)
	case "sim":
		err = w.chances(&b, p, c, j, e, false)
	case "danger":
		if _, ok := j.Option("trials"); !ok {
			e.trials = "5000" // a line in a note is for a glance: ± 1.4 points
		}
		err = w.danger(&b, p, c, e)
	case "graph":
		var f *odds.Flow
		if f, err = w.flow(w.ctx, p, c.script, odds.Config{States: wovenStates, Proportional: true}, e); err == nil {
			var b2 strings.Builder
			render.Mermaid(&b2, f)
			render.MarkdownFence(&b, "mermaid", b2.String())
		}
	case "test":
		err = w.tests(&b, p, c, j)
	}
	return b.String(), err
}

// A woven result must be the same on every machine, so states and trials bound it and not
// time.
const (
	longest      = 24 * time.Hour
	wovenStates  = 100_000
	dangerStates = 20_000
)

// transcript writes what happens in the statements that end in the fence.
func (w *weaver) transcript(b *strings.Builder, p *playing, c *cut, j *notes.Job) error {
	has := func(word string) bool { _, ok := j.Option(word); return ok }
	p.view = journal.View{Brief: has("brief"), Trace: has("trace"), Quiet: has("quiet")}
	var out strings.Builder
	told := transcript.NewText(&out, transcript.Options{Brief: p.view.Brief, Trace: p.view.Trace, Quiet: p.view.Quiet})
	on := false
	cfg := p.config(c.script)
	cfg.Standings = p.view.Brief
	cfg.Statement = func(at lang.Span) error { on = c.inside(at); return nil }
	cfg.Events = func(e *interp.Event) {
		if on {
			told.Event(e)
		}
	}
	sess := interp.NewSession(cfg)
	err := sess.Exec(w.ctx, c.src)
	if err == nil {
		err = told.Flush()
	}
	if err != nil {
		return err
	}
	if left := sess.LeftDice(); len(left) > 0 {
		return j.Wrong("dice= gives dice that are not thrown: %s", (&diceFlag{faces: left}).String())
	}
	if out.Len() == 0 {
		out.WriteString("nothing is shown")
	}
	render.MarkdownFence(b, "text", out.String())
	return nil
}

// chances writes the columns that the fence reports as tables.
func (w *weaver) chances(b *strings.Builder, p *playing, c *cut, j *notes.Job, e *effort, exact bool) error {
	s := c.script
	choice := render.Choice{Columns: slices.Clone(c.columns)}
	if len(choice.Columns) == 0 && c.reported {
		s = s.with(s.src.Given(len(s.src.Text), "", "\nreport last.outcome as \"outcome here\"\n", "", ""))
		choice.Columns = []string{"outcome here"}
	}
	if v, ok := j.Option("columns"); ok {
		choice.Columns = nil
		for name := range strings.SplitSeq(v, ",") {
			choice.Columns = append(choice.Columns, strings.TrimSpace(name))
		}
	}
	var l *odds.Law
	var err error
	if exact {
		l, err = w.law(w.ctx, p, s, odds.Config{States: wovenStates, Proportional: true}, e)
	} else {
		l = &odds.Law{}
		working := w.working("sim")
		l.Sim, err = w.estimate(w.ctx, p, s, sim.Config{}, e, longest, working.set)
		working.stop()
	}
	if err != nil {
		return err
	}
	var dists []*dist.Distribution
	var refused []dist.RefusedTactic
	foot := ""
	if l.Sim != nil {
		dists, err = choice.Distributions(l.Sim.Columns, l.Sim.Distribution)
		refused = l.Sim.Refused()
		foot = fmt.Sprintf("Estimated from %s trials; ± holds in 95 of 100 cases.", render.Thousands(l.Sim.Trials))
		if share, what := l.Sim.Stops(); share > 0 {
			foot += fmt.Sprintf(" %s stop with an error: %s.", render.Percent(share, false), render.MarkdownText(what))
		}
	} else {
		if f := l.Odds.Certain(); f != nil {
			return f
		}
		dists, err = choice.Distributions(l.Odds.Columns, l.Odds.Distribution)
		refused = l.Odds.Refused
		if l.Odds.Sampled != nil {
			foot = upper(part(l.Odds.Sampled)) + "."
		}
		if l.Odds.ByColumn() {
			foot = "Each column was calculated on its own, since all of them together are too much."
			for _, d := range dists {
				if d.Sampled != nil {
					foot += fmt.Sprintf(" %s: %s.", render.MarkdownText(d.Name), part(d.Sampled))
				}
			}
		}
		if l.Odds.Remainder >= 0.00005 { // it could change a figure
			foot = fmt.Sprintf("Up to %s of the chances was not followed.", render.Rest(l.Odds.Remainder))
		}
		for _, end := range l.Odds.Ends {
			if end.Fault != nil {
				foot += fmt.Sprintf(" %s stops with an error: %s.", render.Percent(end.P, false), render.MarkdownText(end.Fault.Diag.Message))
			}
		}
	}
	if err != nil {
		return j.Wrong("%s", err.Error())
	}
	dists, _ = choice.Lead(dists)
	for _, d := range dists {
		if d.Name == "outcome here" {
			d.Name = "outcome"
		}
	}
	render.Markdown(b, dists)
	if foot != "" {
		fmt.Fprintf(b, "\n%s\n", strings.TrimSpace(foot))
	}
	for _, d := range e.slow {
		loop, _, _ := strings.Cut(d.Src.Text[d.Start:d.End], "\n")
		fmt.Fprintf(b, "\n%s (%s): `%s`. %s.\n", upper(d.Message), d.Code, loop, upper(render.MarkdownText(d.Help)))
	}
	for _, r := range refused {
		fmt.Fprintf(b, "\nThe rules refuse a command of %s: %s (%s).\n", render.MarkdownText(r.Who), render.MarkdownText(r.Command), render.MarkdownText(r.Why))
	}
	return nil
}

// danger writes in one line how likely the goal of the script is.
func (w *weaver) danger(b *strings.Builder, p *playing, c *cut, e *effort) error {
	goal, about, err := w.usualGoal(p, c.script)
	if err != nil {
		return err
	}
	if about == "" {
		about = goal
	}
	if name := goals.Undecided(c.src, goal); name != "" {
		fmt.Fprintf(b, "**%s**: not decided yet, nothing up to here sets %s; put `danger` under the fence that does\n", upper(about), name)
		return nil
	}
	cfg := odds.Config{Goal: goal, States: dangerStates, GoalOnly: true, Proportional: true}
	if cfg.Trials, err = e.count(); err != nil {
		return err
	}
	l, err := odds.LawOf(w.ctx, interp.NewSession(p.config(c.script)), c.src, cfg, func(time.Duration) (*sim.Sim, error) {
		working := w.working("danger")
		defer working.stop()
		return w.estimate(w.ctx, p, c.script, sim.Config{Goal: goal}, e, longest, working.set)
	})
	if err != nil {
		return err
	}
	switch o := l.Odds; {
	case l.Sim != nil:
		mean, half := l.Sim.Mean(len(l.Sim.Columns) - 1)
		fmt.Fprintf(b, "**%s: %.1f %%** ± %.1f %% (%s trials)\n", upper(about), 100*mean, 100*half, render.Thousands(l.Sim.Trials))
	case o.Sampled != nil:
		fmt.Fprintf(b, "**%s: %.1f %%** ± %.1f %% (exact for %s of all cases, the rest from %s trials)\n",
			upper(about), 100*o.Value, 100*o.Half, render.Percent(1-o.Sampled.Weight, false), render.Thousands(o.Sampled.Trials))
	default:
		fmt.Fprintf(b, "**%s: %s**\n", upper(about), render.Percent(o.Value, o.Value == 0 || o.Value == 1))
	}
	return nil
}

// upper begins a text with a capital letter.
func upper(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// tests writes how the tests in the fence end. One that fails is an error as well: the note says
// something that is not so.
func (w *weaver) tests(b *strings.Builder, p *playing, c *cut, j *notes.Job) error {
	results, err := verify.Tests(w.ctx, interp.NewSession(p.config(c.script)), c.src)
	if err != nil {
		return err
	}
	var failed []error
	for _, r := range results {
		switch {
		case !c.inside(r.At):
		case r.Err != nil:
			failed = append(failed, verify.Each(r.Err)...)
			fmt.Fprintf(b, "- **failed**: %s\n", render.MarkdownText(r.Name))
		default:
			fmt.Fprintf(b, "- ok: %s\n", render.MarkdownText(r.Name))
		}
	}
	if b.Len() == 0 {
		return j.Wrong("there is no test in this fence")
	}
	return errors.Join(failed...)
}

// console runs the commands of a fence, each behind "$ ", and gives the fence as it should
// be: each with what it prints, and its exit status where that is not 0.
func (w *weaver) console(n *notes.Note, f *notes.Fence) (string, error) {
	return notes.Console(n.Inside(f), func(call string) (string, int, error) {
		args, err := words(call)
		if err == nil {
			err = mayRun(args)
		}
		if err != nil {
			return "", 0, err
		}
		var out bytes.Buffer
		inner := &app{page: n.Upto(f).Over(w.folder.Under()).Plain(), dir: filepath.Dir(n.Name), calm: true, limits: w.limits, systems: w.systems}
		inner.seen.Sealed = errors.New("weave runs no command that writes a file")
		ctx, stop := context.WithTimeout(w.ctx, longestCall)
		defer stop()
		status := inner.main(ctx, args[1:], strings.NewReader(""), &out, &out)
		if w.ctx.Err() == nil && ctx.Err() != nil {
			return "", 0, fmt.Errorf("a command of a note takes %g minutes at most", longestCall.Minutes())
		}
		return style.Plain(out.String()), status, nil
	})
}

// longestCall is when a command of a note is ended: sim -n 1e12 would take years.
var longestCall = 5 * time.Minute

// A note may come from anybody, so the commands in it only read.
var (
	woven  = []string{"run", "odds", "sim", "check", "complete", "hover", "test", "why", "tune", "fmt", "rules", "explain", "help", "graph", "version"}
	writes = []string{"--log", "--svg", "--part", "--write", "--output"}
)

// mayRun refuses what weave does not run.
func mayRun(args []string) error {
	if len(args) == 0 || args[0] != "setpiece" {
		return errors.New("weave runs setpiece commands only")
	}
	if len(args) < 2 || !slices.Contains(woven, args[1]) {
		return fmt.Errorf("weave runs only these commands: %s", strings.Join(woven, ", "))
	}
	for i, arg := range args[1:] {
		name, value, ok := strings.Cut(arg, "=")
		if !ok && i+2 < len(args) {
			value = args[i+2]
		}
		short := len(arg) > 1 && arg[0] == '-' && arg[1] != '-'
		switch {
		case slices.Contains(writes, name), short && strings.ContainsAny(name, "wo"), name == "--cover" && ok, name == "--profile" && value != "-":
			return fmt.Errorf("weave runs no command that writes a file: %s", arg)
		case name == "--limit" && raises(value) != "":
			return fmt.Errorf("the commands of a note raise no limit: %s; setpiece weave --limit does", raises(value))
		case name == "--memory" && new(sizeFlag).above(value, odds.DefaultStateMemory):
			return fmt.Errorf("the commands of a note raise no limit: --memory is at most %s", byteSize(odds.DefaultStateMemory))
		case filepath.IsAbs(arg), slices.Contains(strings.Split(filepath.ToSlash(arg), "/"), ".."):
			return fmt.Errorf("the commands of a note stay in its folder: %s", arg)
		}
	}
	return nil
}

// words parts a call as a shell does, as far as quotes and backslashes go.
func words(call string) (args []string, err error) {
	var cur strings.Builder
	begun, quote := false, byte(0)
	for i := 0; i < len(call); i++ {
		switch c := call[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == '\'' || quote == '"' && c != '\\':
			cur.WriteByte(c)
		case c == '\\' && i+1 < len(call):
			i++
			cur.WriteByte(call[i])
			begun = true
		case c == '\'' || c == '"':
			quote, begun = c, true
		case c == ' ' || c == '\t':
			if begun {
				args = append(args, cur.String())
				cur.Reset()
				begun = false
			}
		case strings.IndexByte("|&;<>()$`", c) >= 0:
			return nil, fmt.Errorf("weave runs one setpiece command at a time, and %c is for a shell", c)
		default:
			cur.WriteByte(c)
			begun = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a %c is not closed", quote)
	}
	if begun {
		args = append(args, cur.String())
	}
	return args, nil
}
