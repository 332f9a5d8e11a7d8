package interp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"

	"setpiece/lang"
)

// A report is everything that a game master wants to know of an encounter before the
// evening. What its words mean, the rules say: a goal of theirs is what the heroes want,
// "out when" says who is out, "reserves" what can be used up; the outcome of a scene is that
// of its last command. A script may declare a goal of its own.
//
// One number of trials decides how exact all of it is. The goal and the columns come from
// that many trials, or from the exact odds where these are small. What happens inside of
// the trials, as who falls, is read off some of the same trials while they run slowly
// (report_trials.go). How open the encounter is after each round, what each decision is worth and
// what moves the goal takes trials of its own (report_swing.go, report_worth.go, why.go). Where time
// is given and not trials, a few are timed first, and the number is the largest of a fixed
// list for which the time seems to suffice: so the figures of a report can be had again, by that
// number.

// ReportConfig says how much work goes into a report. The zero value is usable.
type ReportConfig struct {
	Goal   string        // see OddsConfig.Goal; "": the one that the script is about
	Trials int64         // 0: as many as there is time for
	Time   time.Duration // where Trials is 0, roughly; 0: ten seconds
	Want   *[2]float64   // the chance that the goal should have: the smallest changes are looked for
	Say    func(what string)
}

// MaxReportTrials bounds ReportConfig.Trials.
const MaxReportTrials = 10_000_000

// reportTrials are the numbers of trials among which time decides.
var reportTrials = []int64{200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000}

// Estimate is a chance that is known exactly, or estimated.
type Estimate struct {
	P     float64
	Half  float64  // half of its 95 % interval, 0 where it is exact
	Exact *big.Rat // of an exact one, where its fraction is known
	Over  int64    // the trials that it is estimated from, 0 where it is exact
}

// chanceIn is the chance of what happened in count of n trials.
func chanceIn(count, n int64) Estimate {
	lo, hi := Interval(count, n)
	return Estimate{P: float64(count) / float64(max(n, 1)), Half: (hi - lo) / 2, Over: n}
}

// Report is what there is to say of an encounter.
type Report struct {
	Seed      uint64
	Trials    int64 // that the goal and the columns are from, where they are not exact
	Looked    int64 // trials looked into: falls, scenes, reserves and ends are from them
	Goals     []ReportGoal
	Exact     bool            // the columns are exact
	Columns   []*Distribution // what the script reports
	Scenes    []ReportScene
	Falls     []Fall
	Never     []string // who is never out
	Reserves  []Reserve
	Swing     *Swing
	Why       *Why // nil where it could not be worked out
	Worth     []DecisionWorth
	Proposals *Proposals // nil where no chance is wanted
	Policy    *Policy    // nil where no decision is left open
	Ends      []ReportEnd
	Refused   []RefusedTactic
	StopShare float64 // of the trials that stopped with an error
	StopWhat  string
	Options   []OptionInfo // in force
	Chosen    []string     // those of them that are not as the system has them
	Modules   []string
	Rules     []SpokenRule // that spoke, the most frequent first
	Source    *lang.Source
	Stopped   bool // the context ended: some sections are missing
}

// ReportGoal is a goal with its chance. The first of a report is what it is about.
type ReportGoal struct {
	Name, Doc string
	Estimate
	Number bool    // it is a number: P is its mean
	By     []Point // of a goal that is a word: its values
}

// ReportScene is a scene, as it went in the trials that came to it.
type ReportScene struct {
	Title   string // "" where the script has no scenes
	Reached Estimate
	Outcome *Distribution // of its last command; nil where there is none
	Rounds  *Distribution // how many there were; nil where there were none
	Round   string        // what the rules call them
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
	Before    string        // as the encounter begins
	After     *Distribution // of the trials in which they took part
	Over      int64
}

// ReportEnd is a trial worth reading.
type ReportEnd struct {
	What  string   // the commonest, the median, the worst
	Words string   // how it ends
	Share Estimate // of the trials that end in these words
	Seed  uint64   // a run with it is that trial
}

// SpokenRule is a rule that had something to say.
type SpokenRule struct {
	RuleInfo
	Share float64 // of the trials looked into
}

// reporter makes a report.
type reporter struct {
	cfg     Config
	rc      ReportConfig
	src     *lang.Source // as it is given
	text    *lang.Source // with the goals reported at its end
	bare    *lang.Source // that, without the reports of the script
	goals   []ReportGoal
	words   []string // the names of goals, of which one may stand for those whose goal it is
	changed Config   // for trials of a changed text
	aim     string   // the first goal, as an expression
	report  *Report
}

// MakeReport plays a script many times, from the state in which a session with this Config
// loads it, and sums up what a game master wants to know. A script with mistakes
// gives lang.Diagnostics.
func MakeReport(ctx context.Context, cfg Config, src *lang.Source, rc ReportConfig) (*Report, error) {
	cfg.Chance, cfg.Choice, cfg.Player, cfg.Events = nil, nil, nil, nil
	if rc.Say == nil {
		rc.Say = func(string) {}
	}
	if rc.Trials < 0 || rc.Trials > MaxReportTrials {
		return nil, fmt.Errorf("a report is made from 1 to %d trials", MaxReportTrials)
	}
	r := &reporter{cfg: cfg, rc: rc, src: src, report: &Report{Seed: cfg.Seed, Source: src}}
	if err := r.aims(ctx); err != nil {
		return nil, err
	}
	if err := r.settle(ctx); err != nil {
		return nil, err
	}
	var group sync.WaitGroup
	var first, second error
	group.Go(func() { first = r.reckon(ctx) })
	group.Go(func() { second = r.watch(ctx) })
	group.Wait()
	if err := errors.Join(first, second); err != nil && ctx.Err() == nil {
		return nil, cmp.Or(first, second)
	}
	r.report.Stopped = ctx.Err() != nil
	if r.report.Stopped && r.report.Goals == nil {
		return nil, ctx.Err()
	}
	return r.report, nil
}

// aims finds out what the report is about.
func (r *reporter) aims(ctx context.Context) error {
	s := NewSession(r.cfg)
	list, usual, err := s.SceneGoals(ctx, r.src)
	if err != nil {
		return err
	}
	add := func(g GoalInfo) { r.goals = append(r.goals, ReportGoal{Name: g.Name, Doc: g.Doc}) }
	name := cmp.Or(strings.TrimSpace(r.rc.Goal), usual)
	if at := slices.IndexFunc(list, func(g GoalInfo) bool { return g.Name == name }); at >= 0 {
		add(list[at])
	} else {
		add(GoalInfo{Name: name})
	}
	file, _ := lang.Parse(r.src)
	heads := headsOf(file)
	r.words = []string{name}
	for _, g := range list {
		r.words = append(r.words, g.Name)
		if g.Name != name && (len(g.After) == 0 || slices.ContainsFunc(g.After, func(v string) bool { return heads[v] })) {
			add(g)
		}
	}
	r.text = reporting(ctx, r.src)
	r.bare = withoutReports(r.text)
	for i, g := range r.goals {
		aim := s.aimOf(ctx, r.src, g.Name)
		if i == 0 {
			r.aim = aim
		}
		if r.text, err = alsoReporting(r.text, aim); err != nil {
			return err
		}
		if r.bare, err = alsoReporting(r.bare, aim); err != nil {
			return err
		}
	}
	_, err = NewSession(r.cfg).prepare(ctx, r.text)
	return err
}

// alsoReporting has a text report a goal at its end.
func alsoReporting(src *lang.Source, goal string) (*lang.Source, error) {
	x, diags := lang.ParseExpr(lang.NewSource("goal", goal))
	if failed(diags) {
		return nil, diags
	}
	if w, ok := x.(*lang.Word); ok {
		goal = "last.outcome == " + w.Name
	}
	return lang.NewSource(src.Name, strings.TrimRight(src.Text, " \t\r\n")+"\nreport "+goal+"\n"), nil
}

// withoutReports is a text with blanks in the place of what it reports, so that everything
// else keeps its place.
func withoutReports(src *lang.Source) *lang.Source {
	file, _ := lang.Parse(src)
	text := []byte(src.Text)
	for _, st := range file.Stmts {
		lang.Walk(st, func(n lang.Node) bool {
			switch n := n.(type) {
			case *lang.Test:
				return false
			case *lang.Report:
				for i := n.Start; i < n.End; i++ {
					if text[i] != '\n' {
						text[i] = ' '
					}
				}
			}
			return true
		})
	}
	return lang.NewSource(src.Name, string(text))
}

// settle chooses the number of trials.
func (r *reporter) settle(ctx context.Context) error {
	out := r.report
	w, err := newWatch(ctx, r)
	if err != nil {
		return err
	}
	const few = 12
	start, most := time.Now(), int64(0)
	for k := range few {
		if _, err := w.trial(ctx, int64(k), nil); err != nil {
			return err
		}
		most = max(most, w.p.s.m.Steps)
	}
	// With other answers or numbers a fight may have no end. What takes very much longer than
	// the trials as they are is not waited for: it counts as a trial that stops.
	r.changed = r.cfg
	r.changed.Limits.Steps = min(or(r.cfg.Limits.Steps, DefaultSteps), 100_000+30*most)
	if out.Trials = r.rc.Trials; out.Trials == 0 {
		each := time.Since(start) / few
		within := or(r.rc.Time, 10*time.Second)
		for _, n := range reportTrials {
			if out.Trials == 0 || time.Duration(allTrials(n))*each <= within {
				out.Trials = n
			}
		}
	}
	out.Looked = lookedInto(out.Trials)
	return nil
}

// How many trials a report of n trials takes for each of its parts: those looked into, those
// followed step by step, those made for each change.
func lookedInto(n int64) int64   { return min(n, max(200, n/5)) }
func followed(n int64) int64     { return min(n, max(6, min(n/40, 24), n/200)) }
func changeTrials(n int64) int64 { return min(n, max(8, min(n/25, 40), n/100)) }

// allTrials says roughly how many trials that is in all, of a script with 60 changes to try
// and five rounds. Trials whose ways are remembered take less time than others, and two
// parts are made at a time.
func allTrials(n int64) int64 {
	return n/4 + max(lookedInto(n)+5*again*followed(n), 60*changeTrials(n)) + 20*changeTrials(n)
}

// reckon works out what needs no look inside of the trials.
func (r *reporter) reckon(ctx context.Context) error {
	out := r.report
	r.rc.Say("odds")
	sim, err := Simulate(ctx, r.cfg, r.text, SimConfig{Trials: out.Trials})
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	n := len(sim.Columns) - len(r.goals)
	if n < 0 { // every trial stopped
		_, what := sim.Stops()
		return errors.New("every trial stopped with an error: " + what)
	}
	out.StopShare, out.StopWhat = sim.Stops()
	out.Refused = sim.Refused()
	var goals []ReportGoal
	for i, g := range r.goals {
		goals = append(goals, g.of(sim.Distribution(n+i), sim, n+i))
	}
	odds := r.exact(ctx, r.text)
	if odds != nil {
		n := len(odds.Columns) - len(r.goals)
		out.Exact, out.Refused = true, odds.Refused
		for i := range n {
			out.Columns = append(out.Columns, odds.Distribution(i))
		}
	} else {
		odds = r.exact(ctx, r.bare)
		for i := range n {
			out.Columns = append(out.Columns, sim.Distribution(i))
		}
	}
	if odds != nil {
		for i, g := range r.goals {
			goals[i] = g.of(odds.Distribution(len(odds.Columns)-len(r.goals)+i), nil, 0)
		}
	}
	out.Goals = goals
	r.rc.Say("what moves it")
	return r.moves(ctx)
}

// exact works out the odds of a text where these are small, else nil.
func (r *reporter) exact(ctx context.Context, text *lang.Source) *Odds {
	cfg := OddsConfig{States: int(min(20*r.report.Trials, DefaultStates))}
	if r.rc.Trials == 0 {
		cfg.Time = or(r.rc.Time, 10*time.Second) / 6
	}
	o, err := NewSession(r.cfg).Odds(ctx, text, cfg)
	if err != nil || o.Stopped || o.Residue > 1e-9 || o.Certain() != nil || len(o.Columns) < len(r.goals) {
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
func (g ReportGoal) of(l *Distribution, sim *Sim, column int) ReportGoal {
	words, yes := false, Point{Exact: new(big.Rat)}
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
