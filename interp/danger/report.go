package danger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/dist"
	"setpiece/interp/goals"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/trials"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/interp/tune"
	"setpiece/interp/vary"
	"setpiece/lang"
)

// A report is everything that a game master wants to know of an encounter before the
// evening. What its words mean, the rules say: a goal of theirs is what the heroes want,
// "out when" says who is out, "reserves" what can be used up; the outcome of a scene is that
// of its last command. A script may declare a goal of its own.
//
// One number of trials decides how exact all of it is. The goal and the columns come from
// that many trials, or from the exact odds where these are small. What happens inside of
// the trials, as who falls, is read off the first of them, which are listened to
// (trials.go). How open the encounter is after each round, what each decision is worth and
// what moves the goal takes trials of its own (swing.go, worth.go, moves.go):
// each of these has about the share of the time that the goal has. Where time
// is given and not trials, a few are timed first, and the number is the largest of a fixed
// list for which the time seems to suffice: so the figures of a report can be had again, by that
// number.

// Config says how much work goes into a report. The zero value is usable.
type Config struct {
	Goal   string        // see odds.Config.Goal; "": the one that the script is about
	Trials int64         // 0: as many as there is time for
	Time   time.Duration // where Trials is 0, roughly; 0: ten seconds
	Want   *[2]float64   // the chance that the goal should have: the smallest changes are looked for
	Say    func(what string)
}

// MaxReportTrials bounds ReportConfig.Trials.
const MaxReportTrials = 10_000_000

// reportTrials are the numbers of trials among which time decides.
var reportTrials = []int64{100, 150, 200, 300, 400, 500, 700, 1000, 1500, 2000, 3000, 4000, 5000, 7000,
	10_000, 15_000, 20_000, 30_000, 50_000, 70_000, 100_000, 200_000, 300_000, 500_000, 1_000_000}

// Estimate is a chance that is known exactly, or estimated.
type Estimate struct {
	P     float64
	Half  float64  // how far it may be off, at 95 %; 0 where it is exact
	Exact *big.Rat // of an exact one, where its fraction is known
	Over  int64    // the trials that it is estimated from, 0 where it is exact
}

// chanceIn is the chance of what happened in count of n trials.
func chanceIn(count, n int64) Estimate {
	return Estimate{P: float64(count) / float64(max(n, 1)), Half: dist.Half(count, n), Over: n}
}

// Report is what there is to say of an encounter.
type Report struct {
	Seed      uint64
	Trials    int64 // that the goal and the columns are from, where they are not exact
	Looked    int64 // trials looked into: falls, scenes, reserves and ends are from them
	Goals     []ReportGoal
	NoGoal    *lang.Diagnostic     // how to say what the script is about, where nothing does
	Exact     bool                 // the columns are exact
	Columns   []*dist.Distribution // what the script reports
	Scenes    []ReportScene
	Falls     []Fall
	Never     []string // who is never out
	Reserves  []Reserve
	Swing     *Swing
	Moves     *Moves // nil where the goal is neither a chance nor a mean
	Worth     []DecisionWorth
	WorthOver int64           // the trials that each of these is from
	Proposals *tune.Proposals // nil where no chance is wanted
	Open      []OpenDecision
	Ours      []string // those whose goal it is; nil where nobody says
	Ends      []ReportEnd
	Refused   []dist.RefusedTactic
	StopShare float64 // of the trials that stopped with an error
	StopWhat  string
	Options   []assist.OptionInfo // in force
	Chosen    []string            // those of them that are not as the system has them
	Modules   []string
	Rules     []SpokenRule // that spoke, the most frequent first
	Source    *lang.Source
	Stopped   bool // the context ended: some sections are missing

	made *reporter
}

// ReportGoal is a goal with its chance. The first of a report is what it is about.
type ReportGoal struct {
	Name, Doc string
	Estimate
	Number bool         // it is a number: P is its mean
	By     []dist.Point // of a goal that is a word: its values
}

// ReportScene is a scene, as it went in the trials that came to it.
type ReportScene struct {
	Title   string // "" where the script has no scenes
	Reached Estimate
	Outcome *dist.Distribution // of its last command; nil where there is none
	Rounds  *dist.Distribution // how many there were; nil where there were none
	Round   string             // what the rules call them
	Over    int64              // the trials that came to it
}

// Fall says how likely somebody is out at the end of a scene that they took part in.
type Fall struct {
	Who, Scene string
	Ours       bool // they are of those whose goal it is
	Estimate
}

// Reserve says what is left of something at the end of the last scene that somebody took
// part in.
type Reserve struct {
	Who, Name string
	Before    string             // as the encounter begins
	After     *dist.Distribution // of the trials in which they took part
	Over      int64
}

// ReportEnd is a trial worth reading.
type ReportEnd struct {
	What  string   // the commonest, in the middle, the worst
	Words string   // how it ends
	Goal  float64  // what it is for the goal; of a chance 1 or 0
	Share Estimate // of the trials that end in these words
	Seed  uint64   // a run with it is that trial
}

// SpokenRule is a rule that had something to say.
type SpokenRule struct {
	assist.RuleInfo
	Share float64 // of the trials looked into
}

// reporter makes a report.
type reporter struct {
	cfg     interp.Config
	rc      Config
	src     *lang.Source // as it is given
	text    *lang.Source // with the goals reported at its end
	bare    *lang.Source // that, without the reports of the script
	goals   []ReportGoal
	words   []string      // the names of goals, of which one may stand for those whose goal it is
	changed interp.Config // for trials of a changed text
	aim     string        // the first goal, as an expression
	numbers []vary.Parameter
	heard   *trials.Worker // what the trials that were listened to came to
	odds    [2]*odds.Odds
	report  *Report
}

// MakeReport plays a script many times, from the state in which a session with this Config
// loads it, and sums up what a game master wants to know. A script with mistakes
// gives lang.Diagnostics.
func MakeReport(ctx context.Context, cfg interp.Config, src *lang.Source, rc Config) (*Report, error) {
	cfg.Chance, cfg.Choice, cfg.Player, cfg.Events = nil, nil, nil, nil
	if rc.Say == nil {
		rc.Say = func(string) {}
	}
	if rc.Trials < 0 || rc.Trials > MaxReportTrials {
		return nil, fmt.Errorf("a report is made from 1 to %d trials", MaxReportTrials)
	}
	r := &reporter{cfg: cfg, rc: rc, src: src, report: &Report{Seed: cfg.Seed, Source: src}}
	r.report.made = r
	if err := r.aims(ctx); err != nil {
		return nil, err
	}
	if err := r.settle(ctx); err != nil {
		return nil, err
	}
	var group sync.WaitGroup
	var first, second error
	group.Go(func() { first = r.reckon(ctx) })
	group.Go(func() { second = r.listen(ctx) })
	group.Wait()
	err := errors.Join(first, second)
	if err == nil {
		err = r.remainingTrials(ctx)
	}
	if err != nil && ctx.Err() == nil {
		return nil, cmp.Or(first, second, err)
	}
	r.report.Stopped = ctx.Err() != nil
	if r.report.Stopped && r.report.Goals == nil {
		return nil, ctx.Err()
	}
	return r.report, nil
}

// aims finds out what the report is about.
func (r *reporter) aims(ctx context.Context) error {
	s := interp.NewSession(r.cfg)
	list, usual, outcomes, err := goals.Scenes(ctx, core.Of(s), r.src)
	if err != nil {
		return err
	}
	add := func(g goals.Info) { r.goals = append(r.goals, ReportGoal{Name: g.Name, Doc: g.Doc}) }
	name := cmp.Or(strings.TrimSpace(r.rc.Goal), usual, lastOutcome)
	if name == lastOutcome {
		r.report.NoGoal = goals.NoGoal(r.src, outcomes)
	}
	if at := slices.IndexFunc(list, func(g goals.Info) bool { return g.Name == name }); at >= 0 {
		add(list[at])
	} else {
		add(goals.Info{Name: name})
	}
	file, _ := lang.Parse(r.src)
	heads := goals.HeadsOf(file)
	r.words = []string{name}
	for _, g := range list {
		r.words = append(r.words, g.Name)
		if g.Name != name && (len(g.After) == 0 || slices.ContainsFunc(g.After, func(v string) bool { return heads[v] })) {
			add(g)
		}
	}
	r.text = goals.Reporting(ctx, nil, r.src)
	r.bare = withoutReports(r.text)
	for i, g := range r.goals {
		aim, err := goals.AimOf(ctx, core.Of(s), r.src, g.Name)
		if err != nil {
			return err
		}
		if i == 0 {
			r.aim = aim
		}
		r.text, r.bare = goals.AlsoReporting(r.text, aim), goals.AlsoReporting(r.bare, aim)
	}
	_, err = core.Of(interp.NewSession(r.cfg)).Prepare(ctx, r.text)
	return err
}

// lastOutcome is what a report is about where no goal says it.
const lastOutcome = "last.outcome"

// withoutReports is a text with blanks in the place of what it reports, so that everything
// else keeps its place.
func withoutReports(src *lang.Source) *lang.Source {
	file, _ := lang.Parse(src)
	var edits []lang.Edit
	for _, st := range file.Stmts {
		lang.Walk(st, func(n lang.Node) bool {
			switch n := n.(type) {
			case *lang.Test:
				return false
			case *lang.Report:
				blank := []byte(src.Text[n.Start:n.End])
				for i := range blank {
					if blank[i] != '\n' {
						blank[i] = ' '
					}
				}
				edits = append(edits, lang.Edit{Span: n.Span, New: string(blank)})
			}
			return true
		})
	}
	return src.Edited(edits...)
}

// settle chooses the number of trials.
func (r *reporter) settle(ctx context.Context) error {
	out := r.report
	w, err := newWatch(ctx, r)
	if err != nil {
		return err
	}
	if r.numbers, err = movable(ctx, r.cfg, r.src); err != nil {
		return err
	}
	const few, warm, enough = 12, 4, 60
	most, steps, limited := int64(0), 0, int64(0)
	var start time.Time
	var took time.Duration
	n := int64(0)
	for ; n < few || n < enough && took < r.within()/40 && r.rc.Trials == 0; n++ {
		if n == warm { // the first trials look up what others know
			start = time.Now()
		}
		t, err := w.trial(ctx, n, nil)
		if err != nil {
			return err
		}
		if took = time.Since(start); n < few {
			most, steps = max(most, w.p.Run.M.Steps), steps+len(t.steps)
		}
		if t.limit != nil {
			if limited++; limited == trials.First && n == trials.First-1 {
				return trials.TooLong(t.limit, trials.FirstAllEnded)
			}
		}
	}
	// With other answers or numbers a fight may have no end. What takes very much longer than
	// the trials as they are is not waited for: it counts as a trial that stops.
	r.changed = r.cfg
	r.changed.Limits.Steps = min(core.Or(r.cfg.Limits.Steps, interp.DefaultSteps), 100_000+30*most)
	if out.Trials = r.rc.Trials; out.Trials == 0 {
		each := took / time.Duration(n-warm)
		within := r.within() * 9 / 20 // what is changed may take more than twice as long
		if r.rc.Want != nil {
			within -= r.within() / 5
		}
		for _, n := range reportTrials {
			if out.Trials == 0 || time.Duration(allTrials(n, len(r.numbers), min(steps/few, 2*mostRounds)))*each/time.Duration(min(2, runtime.GOMAXPROCS(0))) <= within {
				out.Trials = n
			}
		}
	}
	out.Looked = lookedInto(out.Trials)
	return nil
}

// within is the time that there is.
func (r *reporter) within() time.Duration { return core.Or(r.rc.Time, 10*time.Second) }

// How many trials a report of n trials makes for each of its parts: those looked into, those
// followed step by step, those made to see which changes matter most, and those made to see how
// much they do, or a decision does.
func lookedInto(n int64) int64   { return min(n, max(500, min(n/2, 50_000))) }
func followed(n int64) int64     { return min(n, max(12, min(n/25, 1000))) }
func screenTrials(n int64) int64 { return min(n, max(24, min(n/20, 2000))) }
func changeTrials(n int64) int64 { return min(n, max(60, min(n/6, 20_000))) }
func worthTrials(n int64) int64  { return min(n, max(40, min(n/12, 20_000))) }

// allTrials says roughly how many trials that is in all, of a script with so many numbers
// and steps. Most decisions are not known beforehand.
func allTrials(n int64, numbers, steps int) int64 {
	const decisions = triedAnswers + 5
	return n + 2*int64(numbers)*screenTrials(n) + (2*shownMoves+1)*changeTrials(n) + decisions*worthTrials(n) + followed(n)*int64(steps)*again/2
}

// reckon works out what needs no look inside of the trials: exact odds where these are
// small, and the trials beyond those that are looked into.
func (r *reporter) reckon(ctx context.Context) error {
	r.rc.Say("odds")
	if r.odds[0] = r.exact(ctx, r.text); r.odds[0] == nil {
		r.odds[1] = r.exact(ctx, r.bare)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.rc.Say("what moves it")
	return r.moves(ctx)
}

// remainingTrials makes the trials that were not looked into, and sums all up.
func (r *reporter) remainingTrials(ctx context.Context) error {
	out := r.report
	all := []*trials.Worker{r.heard}
	if left := out.Trials - out.Looked; left > 0 {
		r.rc.Say("trials")
		var more []*trials.Worker
		for range min(int64(runtime.GOMAXPROCS(0)), 1+left/trials.Block) {
			t, err := trials.New(ctx, r.cfg, r.text, machine.NoteTurns)
			if err != nil {
				return err
			}
			more = append(more, t)
		}
		if _, err := trials.Run(ctx, more, out.Looked, out.Trials, r.cfg.Seed, func(int64) {}); err != nil {
			return err
		}
		all = append(all, more...)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	sum := sim.Counted(r.cfg.Seed, all, out.Trials)
	n := len(sum.Columns) - len(r.goals)
	if n < 0 { // every trial stopped
		_, what := sum.Stops()
		return errors.New("every trial stopped with an error: " + what)
	}
	out.StopShare, out.StopWhat = sum.Stops()
	out.Refused = sum.Refused()
	odds := cmp.Or(r.odds[0], r.odds[1])
	for i, g := range r.goals {
		if odds != nil {
			g = g.of(odds.Distribution(len(odds.Columns)-len(r.goals)+i), nil, 0)
		} else {
			g = g.of(sum.Distribution(n+i), sum, n+i)
		}
		out.Goals = append(out.Goals, g)
	}
	if g := out.Goals[0]; g.By != nil {
		out.Moves = nil // it is a word
	} else {
		for i := range out.Moves.List {
			m := &out.Moves.List[i]
			if m.Value = g.P + m.By; !g.Number {
				m.Value = min(max(m.Value, 0), 1)
			}
		}
	}
	for i := range n {
		if out.Exact = r.odds[0] != nil; out.Exact {
			out.Columns = append(out.Columns, odds.Distribution(i))
		} else {
			out.Columns = append(out.Columns, sum.Distribution(i))
		}
	}
	if out.Exact {
		out.Refused = odds.Refused
	}
	return nil
}

// exact works out the odds of a text where these are small, else nil.
func (r *reporter) exact(ctx context.Context, text *lang.Source) *odds.Odds {
	cfg := odds.Config{States: int(min(10*r.report.Trials, odds.DefaultStates))}
	if r.rc.Trials == 0 {
		cfg.Time = r.within() / 8
	}
	o, err := odds.Of(ctx, interp.NewSession(r.cfg), text, cfg)
	if err != nil || o.Stopped || o.Remainder > 1e-9 || o.Certain() != nil || len(o.Columns) < len(r.goals) {
		return nil
	}
	for _, e := range o.Ends {
		if e.Fault != nil {
			return nil // the chance is among those trials that do not stop
		}
	}
	return o
}

// of fills in what came of a goal. A sim is nil where its distribution is exact.
func (g ReportGoal) of(l *dist.Distribution, sim *sim.Sim, column int) ReportGoal {
	words, yes := false, dist.Point{Exact: new(big.Rat)}
	for _, p := range l.Points {
		switch p.Shown {
		case "yes":
			yes = p
		case "no", "none", "":
		default:
			words = true
		}
	}
	switch {
	case l.Numbers:
		g.Number, g.P = true, l.Mean()
		if sim != nil {
			_, g.Half = sim.Mean(column)
		}
	case words:
		g.By = l.Points
	case sim != nil:
		all := 0.0
		for _, p := range l.Points {
			all += p.P
		}
		n := int64(all*float64(sim.Trials) + 0.5)
		g.Estimate = chanceIn(int64(yes.P*float64(sim.Trials)+0.5), n)
	default:
		g.P, g.Exact = yes.P, yes.Exact
	}
	if sim != nil {
		g.Over = sim.Trials
	}
	return g
}
