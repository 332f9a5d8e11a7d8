package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/goals"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/trials"
	"setpiece/lang"
)

// Config says how a text is simulated. Each trial throws with a generator of
// its own, whose seed depends on the seed and the number of the trial only: the
// result is the same on any number of workers, and parts of a simulation made
// apart are merged to what the whole would have been.
type Config struct {
	Trials   int64   // how many; 0: DefaultTrials
	Shard    int64   // which part of them, from 0; Shards of them make the whole
	Shards   int64   // 0: one
	Workers  int     // at a time; 0: as many as there are processors
	Until    float64 // stop when every chance is known to this half width (95 %); 0: do all trials
	Progress func(done, all int64)

	// Goal is what is counted as well, see odds.Config.Goal: the last column. Empty:
	// nothing.
	Goal string

	watch func(t *trials.Worker) // is given the first worker before its first trial
}

// End is one way in which trials ended.
type End = trials.End

// TrialSeed gives the seed of a trial: a run with it, from the same state, is
// that trial.
func TrialSeed(seed uint64, trial int64) uint64 { return trials.Seed(seed, trial) }

// DefaultTrials is how many trials are made where Config does not say.
const DefaultTrials = 100_000

// Sim is what came of a simulation.
type Sim struct {
	Seed    uint64   `json:"seed"`
	Trials  int64    `json:"trials"` // made
	Planned int64    `json:"planned"`
	Shard   int64    `json:"shard"`
	Shards  int64    `json:"shards"`
	Text    string   `json:"text"` // a digest of what was simulated
	Columns []string `json:"columns"`
	Ends    []End    `json:"ends"`              // from the most frequent down
	Stopped bool     `json:"stopped,omitempty"` // the context ended before all trials were made

	// Tactics are the commands of tactics that were refused and, where some were, the
	// turns taken by tactics.
	Tactics []dist.RefusedCount `json:"tactics,omitempty"`
}

// maxWorkers bounds how many work at a time.
const maxWorkers = 1024

// Simulate runs a text many times over, each time from the state in which a
// session with this Config has loaded it. When the context ends, the trials that were
// made by then count.
func Simulate(ctx context.Context, cfg interp.Config, src *lang.Source, sc Config) (*Sim, error) {
	if text, ok := goals.Conditional(ctx, src); ok {
		o, err := Simulate(ctx, cfg, text, sc)
		if err != nil {
			return nil, err
		}
		return o.given(), nil
	}
	// Turns are counted only where some command of tactics is refused, since that costs
	// time; a part of a simulation cannot know about the others.
	noting := machine.NoteRefusals
	if sc.Shards > 1 {
		noting = machine.NoteTurns
	}
	o, err := simulate(ctx, cfg, src, sc, noting)
	if errors.Is(err, trials.ErrRefused) {
		o, err = simulate(ctx, cfg, src, sc, machine.NoteTurns)
	}
	return o, err
}

func simulate(ctx context.Context, cfg interp.Config, src *lang.Source, sc Config, noting machine.Noting) (*Sim, error) {
	sc.Trials, sc.Shards = core.Or(sc.Trials, DefaultTrials), core.Or(sc.Shards, 1)
	workers := min(max(core.Or(sc.Workers, runtime.GOMAXPROCS(0)), 1), maxWorkers)
	cfg.Chance, cfg.Choice, cfg.Events = nil, nil, nil
	if sc.Trials < 1 || sc.Trials > MaxTrials || sc.Shards < 1 || sc.Shards > MaxShards || sc.Shard < 0 || sc.Shard >= sc.Shards {
		return nil, fmt.Errorf("%[3]d trials cannot be split so that there is a part %[1]d of %[2]d", sc.Shard+1, sc.Shards, sc.Trials)
	}
	from, to := shardOf(sc.Trials, sc.Shard, sc.Shards)
	src, err := Aimed(ctx, core.Of(interp.NewSession(cfg)), src, sc.Goal)
	if err != nil {
		return nil, err
	}
	files := &watched{FS: cfg.Folder, texts: map[string][]byte{}}
	if cfg.Folder != nil {
		cfg.Folder = files
	}
	first, err := trials.New(ctx, cfg, src, noting)
	if err != nil {
		return nil, err
	}
	if sc.watch != nil {
		sc.watch(first)
	}
	all := []*trials.Worker{first}
	for len(all) < workers && int64(len(all))*trials.Block < to-from {
		t, err := trials.New(ctx, cfg, src, noting)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	out := &Sim{Seed: cfg.Seed, Planned: sc.Trials, Shard: sc.Shard, Shards: sc.Shards, Text: digest(cfg, src, files, first.P.Run.Host.Systems(first.P.World).([]interp.System))}
	return out, out.run(ctx, all, from, to, sc)
}

// From is Simulate for a text that is run from the session as it is, which is not
// changed. One worker makes the trials.
func From(ctx context.Context, s *interp.Session, src *lang.Source, sc Config) (*Sim, error) {
	return FromRun(ctx, core.Of(s), src, sc)
}

func FromRun(ctx context.Context, s *core.Run, src *lang.Source, sc Config) (*Sim, error) {
	if text, ok := goals.Conditional(ctx, src); ok {
		o, err := FromRun(ctx, s, text, sc)
		if err != nil {
			return nil, err
		}
		return o.given(), nil
	}
	before, again := s.Keep(), s.Host.Instead(nil)
	defer func() {
		again()
		s.Back(before)
	}()
	text, err := Aimed(ctx, s, src, sc.Goal)
	if err != nil {
		return nil, err
	}
	p, err := s.Prepare(ctx, text)
	if err != nil {
		return nil, err
	}
	m := s.M
	defer func(notes *machine.Notes, back func()) {
		back()
		m.Notes, m.Reports = notes, nil
	}(m.Notes, m.Switch(m.Mode, m.Prog))
	sc.Trials = core.Or(sc.Trials, DefaultTrials)
	out := &Sim{Seed: before.Seed, Planned: sc.Trials, Shards: 1}
	return out, out.run(ctx, []*trials.Worker{trials.Of(p, machine.NoteTurns)}, 0, sc.Trials, sc)
}

// Aimed is a text that reports what it ends with and, if there is one, a goal.
func Aimed(ctx context.Context, s *core.Run, src *lang.Source, goal string) (*lang.Source, error) {
	if goal == "" {
		return goals.Reporting(ctx, nil, src), nil
	}
	aim, err := goals.AimOf(ctx, s, src, goal)
	if err != nil {
		return nil, err
	}
	return goals.WithGoal(ctx, goals.Reporting(ctx, nil, src), aim)
}

// Mean gives the mean of a column that is a number, or yes or no, which count as 1 and
// 0, with half of its 95 % interval. Trials that stopped do not count.
func (o *Sim) Mean(column int) (mean, half float64) {
	var n, sum, squares float64
	truth := true
	for _, e := range o.column(column) {
		x, yes := 0.0, false
		switch v := e.Data[0].Is.(type) {
		case bool:
			if yes = true; v {
				x = 1
			}
		case nil:
			yes = true
		case interp.Number:
			x, _ = v.Rat().Float64()
		}
		truth = truth && yes
		n, sum, squares = n+float64(e.Count), sum+x*float64(e.Count), squares+x*x*float64(e.Count)
	}
	if n == 0 {
		return 0, 1
	}
	if mean = sum / n; truth {
		return mean, dist.Half(int64(sum), int64(n))
	}
	return mean, dist.Deviations * math.Sqrt(max(0, squares/n-mean*mean)/n)
}

// Stops gives the share of the trials that stopped, and what stopped most of them.
func (o *Sim) Stops() (share float64, what string) {
	for _, e := range o.Ends {
		if e.Stops != "" {
			if what == "" {
				what = e.Stops
			}
			share += float64(e.Count) / float64(o.Trials)
		}
	}
	return share, what
}

// run makes the trials from..to, or fewer if the chances are known well enough.
func (o *Sim) run(ctx context.Context, all []*trials.Worker, from, to int64, sc Config) error {
	for _, t := range all {
		t.Plans = (to - from) / int64(len(all))
	}
	begun := min(from+trials.First, to)
	if made, err := trials.Run(ctx, all[:1], from, begun, o.Seed, func(int64) {}); err != nil || made < begun-from {
		if errors.Is(err, trials.ErrNoDice) {
			return trials.TooLong(all[0].Limit, "a trial in which no dice were thrown ended at a limit, and so would all others")
		}
		o.Stopped = err == nil
		o.collect(all, made)
		return err
	}
	if begun < to && all[0].Limited == trials.First {
		return trials.TooLong(all[0].Limit, trials.FirstAllEnded)
	}
	o.collect(all, begun-from)
	for done, stop := begun, begun; done < to; done = stop {
		stop = to
		if sc.Until > 0 {
			// looked at after 4,096 trials, then after twice as many, and so on
			stop = min(to, from+max(4096, 2*(done-from)))
		}
		made, err := trials.Run(ctx, all, done, stop, o.Seed, func(n int64) {
			if sc.Progress != nil {
				sc.Progress(done-from+n, to-from)
			}
		})
		if err != nil {
			return err
		}
		o.collect(all, done-from+made)
		if o.Stopped = made < stop-done; o.Stopped || sc.Until > 0 && o.Width() <= sc.Until {
			break
		}
	}
	return nil
}

// Counted sums up the trials that workers have made.
func Counted(seed uint64, all []*trials.Worker, made int64) *Sim {
	o := &Sim{Seed: seed, Planned: made, Shards: 1}
	o.collect(all, made)
	return o
}

// collect sums up what the workers have counted. A part of a simulation keeps the turns that were taken by
// tactics, though none of their commands was refused.
func (o *Sim) collect(all []*trials.Worker, made int64) {
	o.Trials = made
	o.Columns, o.Ends = trials.Sum(all)
	o.Tactics = trials.Tactics(all)
	if o.Shards <= 1 && !slices.ContainsFunc(o.Tactics, func(c dist.RefusedCount) bool { return c.Command != "" }) {
		o.Tactics = nil
	}
}

// Width gives how far the chance of any end may be from its share, see Half.
func (o *Sim) Width() float64 {
	w := 0.0
	for _, e := range o.Ends {
		w = max(w, dist.Half(e.Count, o.Trials))
	}
	return w
}

// Distribution gives the distribution of column i as it was simulated. The values are told as
// numbers where all of them are.
func (o *Sim) Distribution(i int) *dist.Distribution {
	c := dist.NewCollector(o.Columns[i])
	c.L.Sampled = &dist.Sampled{Weight: 1, Trials: o.Trials}
	for _, e := range trials.MergeEnds(o.column(i)) {
		p := dist.Point{Shown: e.Shown[0], Data: e.Data[0], P: float64(e.Count) / float64(o.Trials), Trials: e.Count}
		if n, ok := p.Data.Is.(interp.Number); ok {
			p.Number = n.Rat()
		}
		c.Add(p)
	}
	return c.Law()
}

// column gives the ends as column i alone tells them.
func (o *Sim) column(i int) []End {
	var out []End
	for _, e := range o.Ends {
		if e.Stops == "" {
			out = append(out, End{Shown: e.Shown[i : i+1], Data: e.Data[i : i+1], Count: e.Count, First: e.First})
		}
	}
	return out
}

// Example is a trial that one may want to look at.
type Example struct {
	What  string // least, median or greatest
	Shown []string
	Seed  uint64 // a run with it is that trial
}

// Examples gives the first trials with the least, the median and the greatest
// value of the first column that has numbers.
func (o *Sim) Examples() []Example {
	for i := range o.Columns {
		l := o.Distribution(i)
		if !l.Numbers || len(l.Points) < 2 {
			continue
		}
		var out []Example
		for _, x := range []struct {
			what string
			at   string
		}{
			{"least " + l.Name, l.Points[0].Shown},
			{"median " + l.Name, l.Quantile(0.5).Shown},
			{"greatest " + l.Name, l.Points[len(l.Points)-1].Shown},
		} {
			first := int64(-1)
			var shown []string
			for _, e := range o.Ends {
				if e.Stops == "" && e.Shown[i] == x.at && (first < 0 || e.First < first) {
					first, shown = e.First, e.Shown
				}
			}
			out = append(out, Example{x.what, shown, TrialSeed(o.Seed, first)})
		}
		return out
	}
	return nil
}

// Refused lists the commands of tactics that were refused. The largest share comes first.
func (o *Sim) Refused() []dist.RefusedTactic {
	turns := map[string]int64{}
	for _, c := range o.Tactics {
		if c.Command == "" {
			turns[c.Tactics] += c.Count
		}
	}
	var out []dist.RefusedTactic
	for _, c := range o.Tactics {
		if c.Command != "" {
			out = append(out, dist.RefusedTactic{Who: c.Who, Command: c.Command, At: c.At, Why: c.Why, Rule: c.Rule, Share: dist.Share(float64(c.Count), float64(turns[c.Tactics]))})
		}
	}
	slices.SortStableFunc(out, func(a, b dist.RefusedTactic) int { return cmp.Compare(b.Share, a.Share) })
	return out
}
