package sim

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/goals"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/sim"
	"setpiece/interp/internal/value"
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

	watch func(t *Trials) // is given the first worker before its first trial
}

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

// End is one way in which trials ended.
type End struct {
	Shown []string       `json:"shown"` // by column, "" where there is nothing
	Data  []interp.Value `json:"data"`  // the same as values
	Stops string         `json:"stops,omitempty"`
	Count int64          `json:"count"`
	First int64          `json:"first"` // the number of the first trial that ended so
}

// TrialSeed gives the seed of a trial: a run with it, from the same state, is
// that trial. (It is the counter mixed as by the generator itself, see
// machine.Generator.)
func TrialSeed(seed uint64, trial int64) uint64 {
	z := seed + uint64(trial+1)*0xd1342543de82ef95
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// maxWorkers bounds how many work at a time.
const maxWorkers = 1024

// Block is how many trials a worker takes at a time.
const Block = 1024

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
	if errors.Is(err, errRefused) {
		o, err = simulate(ctx, cfg, src, sc, machine.NoteTurns)
	}
	return o, err
}

// errRefused is that a command of tactics was refused where turns are not counted.
var errRefused = errors.New("a command of tactics was refused")

func simulate(ctx context.Context, cfg interp.Config, src *lang.Source, sc Config, noting machine.Noting) (*Sim, error) {
	sc.Trials, sc.Shards = core.Or(sc.Trials, DefaultTrials), core.Or(sc.Shards, 1)
	workers := min(max(core.Or(sc.Workers, runtime.GOMAXPROCS(0)), 1), maxWorkers)
	cfg.Chance, cfg.Choice, cfg.Events = nil, nil, nil
	if sc.Trials < 1 || sc.Trials > MaxTrials || sc.Shards < 1 || sc.Shards > MaxShards || sc.Shard < 0 || sc.Shard >= sc.Shards {
		return nil, fmt.Errorf("%[3]d trials cannot be split so that there is a part %[1]d of %[2]d", sc.Shard+1, sc.Shards, sc.Trials)
	}
	from, to := shardOf(sc.Trials, sc.Shard, sc.Shards)
	if sc.Goal != "" {
		sc.Goal = goals.AimOf(ctx, core.Of(interp.NewSession(cfg)), src, sc.Goal)
	}
	src, err := Aimed(ctx, src, sc.Goal)
	if err != nil {
		return nil, err
	}
	files := &watched{FS: cfg.Folder, texts: map[string][]byte{}}
	if cfg.Folder != nil {
		cfg.Folder = files
	}
	first, err := NewTrials(ctx, cfg, src, noting)
	if err != nil {
		return nil, err
	}
	if sc.watch != nil {
		sc.watch(first)
	}
	all := []*Trials{first}
	for len(all) < workers && int64(len(all))*Block < to-from {
		t, err := NewTrials(ctx, cfg, src, noting)
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
	text, err := Aimed(ctx, src, goals.AimOf(ctx, s, src, sc.Goal))
	if err != nil {
		return nil, err
	}
	p, err := s.Prepare(ctx, text)
	if err != nil {
		return nil, err
	}
	return trialsOf(ctx, p, before.Seed, sc)
}

// Aimed is a text that reports what it ends with and, if there is one, a goal.
func Aimed(ctx context.Context, src *lang.Source, goal string) (*lang.Source, error) {
	if src = goals.Reporting(ctx, nil, src); goal == "" {
		return src, nil
	}
	return goals.WithGoal(ctx, src, goal)
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

// trialsOf makes trials of a prepared text.
func trialsOf(ctx context.Context, p *core.Prepared, seed uint64, sc Config) (*Sim, error) {
	m := p.Run.M
	prog, tell, noting, notes, attended := m.Prog, m.Out, m.Noting, m.Notes, m.Attended
	defer func() {
		m.Prog, m.Out, m.Log, m.Reporting, m.Reports = prog, tell, &p.Run.Log, false, nil
		m.Noting, m.Notes, m.Attended = noting, notes, attended
	}()
	m.Notes = &machine.Notes{}
	sc.Trials = core.Or(sc.Trials, DefaultTrials)
	out := &Sim{Seed: seed, Planned: sc.Trials, Shards: 1}
	return out, out.run(ctx, []*Trials{{P: p, ByKey: map[string]int{}, Noting: machine.NoteTurns}}, 0, sc.Trials, sc)
}

// run makes the trials from..to, or fewer if the chances are known well enough.
func (o *Sim) run(ctx context.Context, all []*Trials, from, to int64, sc Config) error {
	for _, t := range all {
		t.plans = (to - from) / int64(len(all))
	}
	begun := min(from+FirstTrials, to)
	if made, err := Run(ctx, all[:1], from, begun, o.Seed, func(int64) {}); err != nil || made < begun-from {
		if errors.Is(err, errNoDice) {
			return TooLong(all[0].limit, "a trial in which no dice were thrown ended at a limit, and so would all others")
		}
		o.Stopped = err == nil
		o.Collect(all, made)
		return err
	}
	if begun < to && all[0].limited == FirstTrials {
		return TooLong(all[0].limit, FirstAllEnded)
	}
	o.Collect(all, begun-from)
	for done, stop := begun, begun; done < to; done = stop {
		stop = to
		if sc.Until > 0 {
			// looked at after 4,096 trials, then after twice as many, and so on
			stop = min(to, from+max(4096, 2*(done-from)))
		}
		made, err := Run(ctx, all, done, stop, o.Seed, func(n int64) {
			if sc.Progress != nil {
				sc.Progress(done-from+n, to-from)
			}
		})
		if err != nil {
			return err
		}
		o.Collect(all, done-from+made)
		if o.Stopped = made < stop-done; o.Stopped || sc.Until > 0 && o.Width() <= sc.Until {
			break
		}
	}
	return nil
}

// FirstTrials is how many trials are made before the others. Where each of them reaches
// a limit, the others would most likely take long to do the same, and their figures
// would be about nothing.
const FirstTrials = 3

// FirstAllEnded is why no more trials are made where the first end at a limit.
var FirstAllEnded = fmt.Sprintf("each of the first %d trials ended at a limit, so the others were not made", FirstTrials)

// errNoDice is that a trial reached a limit in which nothing was left to chance.
var errNoDice = errors.New("a trial without dice reached a limit")

// TooLong is the error of a simulation that does not make the trials which would reach a
// limit, too.
func TooLong(limit *interp.RunError, why string) error {
	e, d := *limit, *limit.Diag
	d.Notes = append(slices.Clip(d.Notes), lang.Note{Message: why})
	e.Diag = &d
	return &e
}

// Run makes the trials from..to on all workers, and says how many were made when the
// context ended.
func Run(ctx context.Context, all []*Trials, from, to int64, seed uint64, told func(int64)) (made int64, err error) {
	var next, done atomic.Int64
	next.Store(from)
	errs := make([]error, len(all))
	var group sync.WaitGroup
	var talk sync.Mutex
	for i, t := range all {
		t.plans = cmp.Or(t.plans, (to-from)/int64(len(all)))
		t.Made = func(n int64) {
			done.Add(n)
			if talk.TryLock() {
				told(done.Load())
				talk.Unlock()
			}
		}
		group.Go(func() {
			for ctx.Err() == nil {
				at := next.Add(Block) - Block
				if at >= to {
					return
				}
				if errs[i] = t.Make(ctx, at, min(at+Block, to), seed); errs[i] != nil {
					next.Store(to)
					return
				}
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil && ctx.Err() == nil {
		return 0, err
	}
	told(done.Load())
	return done.Load(), nil
}

// Trials is one worker.
type Trials struct {
	P      *core.Prepared
	Ends   []tally
	places []arrived // by end of the automaton
	ByKey  map[string]int
	Made   func(n int64) // told of trials that have been made
	plans  int64         // how many trials it makes, about; 0: nobody knows

	limited int64            // how many ended at a limit
	limit   *interp.RunError // the latest of them

	Noting       machine.Noting
	noted, first []int64             // by number of the note: how often, and in which trial first
	tactics      []dist.RefusedCount // that were counted elsewhere
}

// arrived counts the trials that came to an end.
type arrived struct {
	count, first int64
	end          int32 // 1 + the number of the end it is, 0 where that is not known yet
}

type tally struct {
	columns []string
	End     End
}

func NewTrials(ctx context.Context, cfg interp.Config, src *lang.Source, noting machine.Noting) (*Trials, error) {
	s := interp.NewSession(cfg)
	p, err := core.Of(s).Prepare(ctx, src)
	if err != nil {
		return nil, err
	}
	core.Of(s).M.Notes = &machine.Notes{}
	return &Trials{P: p, ByKey: map[string]int{}, Noting: noting}, nil
}

// Make makes the trials from..to.
func (t *Trials) Make(ctx context.Context, from, to int64, seed uint64) error {
	p := t.P
	s, m := p.Run, p.Run.M
	m.Out, m.Prog, m.Log, m.Reporting, m.Noting, m.Attended = nil, p.World.Prog, nil, true, t.Noting, false
	m.Unasked = !s.Host.Decides()
	s.Count()
	p.Rewind()
	remembers := p.Remembers()
	if remembers && p.Auto == nil {
		p.Auto = sim.NewAutomaton(m, p.Funcs, true)
		p.Auto.Planned = int(t.plans)
	}
	if remembers {
		p.Auto.Ended = func() bool { return ctx.Err() != nil }
		p.Auto.Open()
		defer func() {
			if p.Auto != nil {
				p.Auto.Close()
			}
		}()
	}
	quick := int64(0)
	defer func() {
		for i := range t.places {
			if x := &t.places[i]; x.count > 0 {
				t.Count(int(x.end)-1, x.count, x.first)
				x.count = 0
			}
		}
		t.Made(quick)
	}()
	for k := from; k < to; k++ {
		m.Seed(TrialSeed(seed, k))
		if remembers && !p.Auto.Pays() {
			p.Auto.Close()
			p.Auto, p.Apart, remembers = nil, true, false
		}
		if remembers && p.Auto.Run() {
			if err := t.Note(p.Auto.Noted(), k); err != nil {
				return err
			}
			t.arrive(p.Auto.End(), k)
			if quick++; len(t.Ends) > maxEnds {
				return t.tooMany()
			}
			if quick%64 == 0 && ctx.Err() != nil {
				return ctx.Err() // the first trials are slow: they find the states
			}
			continue
		}
		if remembers {
			p.Auto.Close()
		}
		p.Rewind()
		m.Reports, m.Noted = m.Reports[:0], m.Noted[:0]
		err := p.Execute(ctx, 1)
		if err := t.Note(m.Noted, k); err != nil {
			return err
		}
		if e := ctx.Err(); e != nil {
			return e
		}
		var re *interp.RunError
		if errors.As(err, &re) && re.Kind == interp.Limit {
			t.limited++
			t.limit = re
			if m.Thrown == 0 && to-from > 1 {
				return errNoDice
			}
		}
		t.Count(t.EndOf(err), 1, k)
		t.Made(1)
		if len(t.Ends) > maxEnds {
			return t.tooMany()
		}
		p.Rewind()
		if remembers {
			p.Auto.Open()
		}
	}
	return nil
}

// arrive counts a trial that came to an end of the automaton.
func (t *Trials) arrive(at int, trial int64) {
	if at >= len(t.places) {
		t.places = append(t.places, make([]arrived, at+1-len(t.places))...)
	}
	x := &t.places[at]
	if x.count++; x.count == 1 {
		x.first = trial
		if x.end == 0 {
			t.P.Auto.Settle()
			x.end = int32(t.EndOf(nil) + 1)
		}
	}
}

// Note counts what was noted in a trial.
func (t *Trials) Note(notes []int32, trial int64) error {
	for _, n := range notes {
		for int(n) >= len(t.noted) {
			t.noted, t.first = append(t.noted, 0), append(t.first, trial)
		}
		if t.noted[n]++; t.noted[n] == 1 {
			t.first[n] = trial
		}
	}
	if t.Noting == machine.NoteRefusals && len(notes) > 0 {
		return errRefused
	}
	return nil
}

// Count counts n trials, of which the first is given, to an end.
func (t *Trials) Count(i int, n, first int64) {
	e := &t.Ends[i].End
	if e.Count == 0 || first < e.First {
		e.First = first
	}
	e.Count += n
}

// EndOf gives the number of the end that the machine is in.
func (t *Trials) EndOf(err error) int {
	s := t.P.Run
	var columns []string
	var e End
	if err != nil {
		e.Stops = err.Error()
		var re *interp.RunError
		if errors.As(err, &re) {
			e.Stops = re.At()
		}
	} else {
		columns, e.Shown = shownEnd(s)
	}
	key := strings.Join(columns, "\x00") + "\x01" + strings.Join(e.Shown, "\x00") + "\x01" + e.Stops
	if i, ok := t.ByKey[key]; ok {
		return i
	}
	if err == nil {
		e.Data = seenData(s)
	}
	i := len(t.Ends)
	t.ByKey[key] = i
	t.Ends = append(t.Ends, tally{columns, e})
	return i
}

// maxEnds bounds in how many ways the trials of a worker may end: all of them are kept.
var maxEnds = 1 << 18 // a variable for tests

// tooMany is the error of trials that end in more ways, and names the column that differs most.
func (t *Trials) tooMany() error {
	values := map[string]map[string]bool{}
	most := ""
	for _, e := range t.Ends {
		for i, c := range e.columns {
			if values[c] == nil {
				values[c] = map[string]bool{}
			}
			values[c][e.End.Shown[i]] = true
			if len(values[c]) > len(values[most]) {
				most = c
			}
		}
	}
	return fmt.Errorf("the trials end in more than %s ways, which is more than can be kept: %s alone has %s values. Report less of it, such as whether it is above a number",
		machine.Grouped(int64(maxEnds)), most, machine.Grouped(int64(len(values[most]))))
}

// shownEnd gives what was reported, or the last outcome with its values.
func shownEnd(s *core.Run) (columns, shown []string) {
	m := s.M
	if len(m.Reports) > 0 {
		for _, r := range m.Reports {
			columns = append(columns, m.Reported[r.Info].(*ir.ReportInfo).Column)
			shown = append(shown, m.Show(r.Value))
		}
		return columns, shown
	}
	for i, name := range language.LastNames(s.World) {
		if v := m.Store[m.Prog.Last[0]+i]; v != value.None {
			columns = append(columns, name)
			shown = append(shown, m.Show(v))
		}
	}
	return columns, shown
}

// seenData gives what seen shows as values.
func seenData(s *core.Run) (data []interp.Value) {
	m := s.M
	for _, r := range m.Reports {
		data = append(data, s.Host.Value(r.Value).(interp.Value))
	}
	if len(data) > 0 {
		return data
	}
	for i := range language.LastNames(s.World) {
		if v := m.Store[m.Prog.Last[0]+i]; v != value.None {
			data = append(data, s.Host.Value(v).(interp.Value))
		}
	}
	return data
}

// Collect sums up what the workers have counted.
func (o *Sim) Collect(all []*Trials, made int64) {
	o.Trials = made
	columns := map[string]bool{}
	o.Columns = nil
	order := map[string]int{}
	for _, t := range all {
		for _, y := range t.Ends {
			for i, c := range y.columns {
				if !columns[c] {
					columns[c] = true
					o.Columns = append(o.Columns, c)
				}
				order[c] = max(order[c], i)
			}
		}
	}
	slices.SortFunc(o.Columns, func(a, b string) int {
		if order[a] != order[b] {
			return order[a] - order[b]
		}
		return strings.Compare(a, b)
	})
	var ends []End
	for _, t := range all {
		for _, y := range t.Ends {
			e := y.End
			e.Shown, e.Data = make([]string, len(o.Columns)), make([]interp.Value, len(o.Columns))
			for i, c := range y.columns {
				at := slices.Index(o.Columns, c)
				e.Shown[at], e.Data[at] = y.End.Shown[i], y.End.Data[i]
			}
			ends = append(ends, e)
		}
	}
	o.Ends = mergeEnds(ends)
	var tactics []dist.RefusedCount
	for _, t := range all {
		tactics = append(tactics, t.tactics...)
		if t.P != nil {
			tactics = append(tactics, dist.Counted(t.P.Run, t.P.Run.M.Notes.List, t.noted, t.first)...)
		}
	}
	o.Tactics = nil
	if tactics = dist.MergeRefused(tactics); slices.ContainsFunc(tactics, func(c dist.RefusedCount) bool { return c.Command != "" }) || o.Shards > 1 {
		o.Tactics = tactics
	}
}

// mergeEnds adds up equal ends and puts the most frequent first.
func mergeEnds(ends []End) []End {
	at := map[string]int{}
	var out []End
	for _, e := range ends {
		key := strings.Join(e.Shown, "\x00") + "\x01" + e.Stops
		if i, ok := at[key]; ok {
			out[i].Count += e.Count
			out[i].First = min(out[i].First, e.First)
			continue
		}
		at[key] = len(out)
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b End) int {
		switch {
		case a.Count != b.Count:
			if a.Count > b.Count {
				return -1
			}
			return 1
		case a.Stops != b.Stops:
			return strings.Compare(a.Stops, b.Stops)
		}
		return slices.Compare(a.Shown, b.Shown)
	})
	return out
}

// Width gives how far the chance of any end may be from its share, see Half.
func (o *Sim) Width() float64 {
	w := 0.0
	for _, e := range o.Ends {
		w = max(w, dist.Half(e.Count, o.Trials))
	}
	return w
}

// PartError says what is wrong with one of the parts that MergeSims is given.
type PartError struct {
	Part   int // its index
	Reason string
}

func (e *PartError) Error() string { return fmt.Sprintf("part %d: %s", e.Part+1, e.Reason) }

// MaxTrials and MaxShards bound a simulation.
const (
	MaxTrials = 1_000_000_000_000_000
	MaxShards = 1_000_000
)

// shardOf gives the trials of shard i of n: those from..to.
func shardOf(trials, i, n int64) (from, to int64) {
	at := func(i int64) int64 {
		hi, lo := bits.Mul64(uint64(trials), uint64(i))
		q, _ := bits.Div64(hi, lo, uint64(n))
		return int64(q)
	}
	return at(i), at(i + 1)
}

// sound says what in a part contradicts itself, "" if nothing does.
func (o *Sim) sound() string {
	switch {
	case o.Shards < 1 || o.Shards > MaxShards || o.Shard < 0 || o.Shard >= o.Shards:
		return fmt.Sprintf("it says that it is part %d of %d", o.Shard+1, o.Shards)
	case o.Planned < 1 || o.Planned > MaxTrials:
		return fmt.Sprintf("%d trials are planned", o.Planned)
	}
	from, to := shardOf(o.Planned, o.Shard, o.Shards)
	if o.Trials < 0 || o.Trials > to-from {
		return fmt.Sprintf("it has %d trials of %d", o.Trials, to-from)
	}
	if names := slices.Compact(slices.Sorted(slices.Values(o.Columns))); len(names) < len(o.Columns) {
		return "it has a column twice"
	}
	left := o.Trials
	for n, e := range o.Ends {
		switch {
		case len(e.Shown) != len(o.Columns) || len(e.Data) != len(o.Columns):
			return fmt.Sprintf("end %d has %d values for %d columns", n+1, min(len(e.Shown), len(e.Data)), len(o.Columns))
		case e.Count < 1 || e.Count > left:
			return "the counts do not add up to the trials"
		case e.First < from || e.First >= from+o.Trials:
			return fmt.Sprintf("end %d begins with trial %d, which is not among its trials", n+1, e.First)
		}
		left -= e.Count
	}
	if left != 0 {
		return "the counts do not add up to the trials"
	}
	for _, c := range o.Tactics {
		if c.Count < 1 || c.First < from || c.First >= from+o.Trials {
			return "its counts of refused tactics do not fit its trials"
		}
	}
	if len(mergeEnds(o.Ends)) < len(o.Ends) {
		return "it has the same end twice"
	}
	return ""
}

// whole is what the parts of one simulation have in common.
type whole struct {
	text            string
	seed            uint64
	planned, shards int64
}

func (o *Sim) whole() whole { return whole{o.Text, o.Seed, o.Planned, o.Shards} }

// differs says in what o is of another simulation than most of the parts are, ""
// if in nothing.
func (o *Sim) differs(most whole) string {
	switch {
	case o.Text != most.text:
		return "it is of another script, or of other settings, than the rest"
	case o.Seed != most.seed:
		return fmt.Sprintf("its seed is %d, that of the rest is %d", o.Seed, most.seed)
	case o.Planned != most.planned:
		return fmt.Sprintf("it is of %d trials, the rest of %d", o.Planned, most.planned)
	case o.Shards != most.shards:
		return fmt.Sprintf("it is one of %d parts, the rest of %d", o.Shards, most.shards)
	}
	return ""
}

// MissingPartsError says which parts MergeSims was not given.
type MissingPartsError struct {
	Parts []int64 // counted from 1
	Of    int64
}

func (e *MissingPartsError) Error() string {
	var runs []string
	for i := 0; i < len(e.Parts); {
		j := i + 1
		for j < len(e.Parts) && e.Parts[j] == e.Parts[j-1]+1 {
			j++
		}
		run := fmt.Sprint(e.Parts[i])
		if j-i > 1 {
			run += fmt.Sprintf("..%d", e.Parts[j-1])
		}
		if runs = append(runs, run); len(runs) == 10 && j < len(e.Parts) {
			runs = append(runs, fmt.Sprintf("and %d more", len(e.Parts)-j))
			break
		}
		i = j
	}
	if len(e.Parts) == 1 {
		return fmt.Sprintf("part %d of %d is missing", e.Parts[0], e.Of)
	}
	return fmt.Sprintf("of %d parts %s are missing", e.Of, strings.Join(runs, ", "))
}

// MergeSims joins the parts of a simulation, in any order, to what the whole
// would have been. Otherwise the error joins a *PartError for each part that
// contradicts itself or most of the others, and a *MissingPartsError.
func MergeSims(parts []*Sim) (*Sim, error) {
	if len(parts) == 0 {
		return nil, errors.New("there are no parts")
	}
	var most whole
	alike := map[whole]int{}
	for _, p := range parts {
		if p.sound() == "" {
			w := p.whole()
			if alike[w]++; alike[w] > alike[most] {
				most = w
			}
		}
	}
	var errs []error
	byShard := map[int64]*Sim{}
	for i, p := range parts {
		reason := p.sound()
		if reason == "" {
			reason = p.differs(most)
		}
		if _, twice := byShard[p.Shard]; reason == "" && twice {
			reason = fmt.Sprintf("part %d of %d is given twice", p.Shard+1, p.Shards)
		}
		if reason != "" {
			errs = append(errs, &PartError{i, reason})
			continue
		}
		byShard[p.Shard] = p
	}
	missing := &MissingPartsError{Of: most.shards}
	for i := range most.shards {
		if byShard[i] == nil {
			missing.Parts = append(missing.Parts, i+1)
		}
	}
	if len(missing.Parts) > 0 {
		errs = append(errs, missing)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	out := &Sim{Seed: most.seed, Planned: most.planned, Shards: 1, Text: most.text}
	var all []*Trials
	for i := range most.shards {
		p := byShard[i]
		t := &Trials{tactics: p.Tactics}
		for _, e := range p.Ends {
			y := tally{End: e}
			y.End.Shown, y.End.Data = nil, nil
			if e.Stops == "" {
				y.columns, y.End.Shown, y.End.Data = p.Columns, e.Shown, e.Data
			}
			t.Ends = append(t.Ends, y)
		}
		all = append(all, t)
		out.Trials += p.Trials
	}
	out.Collect(all, out.Trials)
	return out, nil
}

// digest tells what was simulated apart from other things: the script, the files
// of its folder that it takes in, the systems from elsewhere, the rulings, and the limits that were set.
func digest(cfg interp.Config, src *lang.Source, files *watched, used []interp.System) string {
	h := sha256.New()
	h.Write([]byte(src.Text))
	for _, name := range slices.Sorted(maps.Keys(files.texts)) {
		fmt.Fprintf(h, "\x00%s\x00%d\x00%s", name, len(files.texts[name]), files.texts[name])
	}
	for _, k := range slices.Sorted(maps.Keys(cfg.Options)) {
		fmt.Fprintf(h, "\x00%s=%s", k, cfg.Options[k])
	}
	for _, u := range used {
		if u.Place != interp.Here && u.Place != interp.BuiltIn {
			fmt.Fprintf(h, "\x00%s %s", u.Name, u.Hash)
		}
	}
	if cfg.Limits != (interp.Limits{}) {
		fmt.Fprintf(h, "\x00limits %+v", cfg.Limits)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// watched is a folder that remembers what was read of it.
type watched struct {
	fs.FS
	texts map[string][]byte
}

// ReadFile implements fs.ReadFileFS.
func (w *watched) ReadFile(name string) ([]byte, error) {
	text, err := fs.ReadFile(w.FS, name)
	if err == nil {
		w.texts[name] = text
	}
	return text, err
}

// Source implements lang.SourceFS.
func (w *watched) Source(name string) *lang.Source {
	f, ok := w.FS.(lang.SourceFS)
	if !ok {
		return nil
	}
	src := f.Source(name)
	if src != nil {
		w.texts[name] = []byte(src.Text)
	}
	return src
}

// Distribution gives the distribution of column i as it was simulated. The values are told as
// numbers where all of them are.
func (o *Sim) Distribution(i int) *dist.Distribution {
	c := dist.NewCollector(o.Columns[i])
	c.L.Sampled = &dist.Sampled{Weight: 1, Trials: o.Trials}
	for _, e := range mergeEnds(o.column(i)) {
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
