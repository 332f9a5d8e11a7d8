package interp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/odds"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// OddsConfig says how odds are worked out. The zero value is usable.
type OddsConfig struct {
	Exact  bool          // fractions even where that takes long
	States int           // bound on the states met; 0: DefaultStates
	Memory int           // bound on the bytes they take, roughly; 0: DefaultStateMemory
	Time   time.Duration // bound on the time it takes; 0: none
	// Trials is how many trials share out, where a bound is met, the weight that was not
	// followed by then; see Sampled. 0: then there is an error. Time bounds both.
	Trials int64
	// Proportional has only so many of Trials made as would have come to where nothing was
	// followed, had they all begun at the beginning: it is then as sure as they, and mostly surer.
	Proportional bool

	// Best names who takes the best option at each decision that neither a
	// clause nor tactics make; Everybody stands for all. The others take the
	// defaults.
	Best []string
	// Goal is what Best aims at, an expression that is worked out at the end:
	// its mean is made as great as it can be; a truth counts as 1 or 0. A single
	// word is an outcome that is wished for. Empty: what rules declare that the first
	// of Best wants, else success. Without Best its mean is told, as things are.
	Goal string
	// GoalOnly leaves out what the text itself reports, as far as that changes nothing: each value
	// would have to be kept until the end, which multiplies states.
	GoalOnly bool
}

// Everybody stands for all in OddsConfig.Best.
const Everybody = "everybody"

// DefaultStates bounds the states that odds may meet, DefaultStateMemory the bytes
// that they take.
const (
	DefaultStates      = 4_000_000
	DefaultStateMemory = odds.MaxBytes
)

// Odds is the distribution of what a text leads to: every end, with its weight.
type Odds struct {
	Columns []string // what is told of each end: the outcome, its values, or what the text reports
	Ends    []End    // from the likeliest down
	Residue float64  // weight that was not followed to an end
	Stopped bool     // the context ended before all was followed
	States  int      // states met between throws
	Merged  int      // how often a state was met again

	Sampled *Sampled // how the weight was shared out that was not followed; nil where all was

	Refused []RefusedTactic // commands of tactics that are refused

	Value float64 // the mean of the goal, where there is one, over the ends that are no errors
	Half  float64 // half of the 95 % interval of Value, where a part was sampled
	// What Value cannot be below or above however the trials went, where the goal is yes or no; else,
	// and where it is exact, both are Value. With Best no answers at all can come to more than Most.
	Least, Most float64
	Decisions   []Decision // that are come to then, the likeliest first

	byColumn []*Distribution // by column, where each was solved on its own
	reports  bool            // the columns are what was reported
	heap     *value.Heap
	data     func(value.V) Value
}

// ByColumn says that each column was solved on its own: then Ends are only those that stop with
// an error, and how much was sampled is told of each Distribution.
func (o *Odds) ByColumn() bool { return o.byColumn != nil }

// Sampled tells of odds that met a bound. What was followed to an end by then is exact, and
// bounds each chance from below; the weight of the rest bounds it from above. The rest was shared
// out by trials that began where it lay.
type Sampled struct {
	Weight float64 // of what was not followed
	Trials int64   // that shared it out
	Over   Over    // the bound
}

// Decision is a decision made for the best.
type Decision struct {
	Who, Prompt, Cost string
	Options           []string
	Values            []float64 // the mean of the goal with each option, over what does not stop
	Stops             []float64 // how likely each option comes to an error; nil: none does
	Taken             int
	Weight            float64 // how likely it is to come to it
	When              string  // what has changed by then, as name and value
}

// End is one way in which a text can end.
type End struct {
	values []value.V
	Shown  []string // the values as shown, "" where there is none
	P      float64
	Exact  *big.Rat // nil when only P is known; then it is more likely by Odds.Residue at most
	Solved float64  // how much of P was followed; less than P only where Odds.Sampled is set
	Trials int64    // of those of Odds.Sampled, how many ended so
	Fault  *RunError
}

// Odds works out exactly what a text can lead to from the session as it is,
// which it does not change. Unattended decisions take what clauses, tactics and
// defaults say. Instances that the text declares stay declared. When the context
// ends what has been followed so far is given: each end is at least as likely as
// it says, and more likely by the residue at most. With cfg.Trials a text that reports too much
// for that is solved column by column, see Odds.ByColumn.
func (s *Session) Odds(ctx context.Context, src *lang.Source, cfg OddsConfig) (*Odds, error) {
	src = reporting(ctx, src)
	if !cfg.sampled() {
		return s.oddsAtOnce(ctx, src, cfg)
	}
	limit := cfg.Time
	cfg.Time = limit / 20 * 19 // the rest is for putting the answer together
	o, err := s.oddsOrSamples(ctx, src, cfg)
	var re *RunError
	if errors.As(err, &re) && re.Over == OverTime {
		re.Diag.Message = tooLongFor(limit)
	}
	return o, err
}

// oddsOrSamples works out all columns of a text together, or, where they are too much, each on its
// own, and samples what is left.
func (s *Session) oddsOrSamples(ctx context.Context, src *lang.Source, cfg OddsConfig) (*Odds, error) {
	before, until, once := s.Snapshot(), time.Now().Add(cfg.Time), cfg
	reports, values := reportsOf(ctx, src)
	if cfg.Goal != "" || len(cfg.Best) > 0 {
		values = 0 // the goal is no column
	}
	if values > 1 {
		once.Time = cfg.Time / 4 * 3
	}
	o, err := s.oddsAtOnce(ctx, src, once)
	var re *RunError
	tooMuch := errors.As(err, &re) && re.Over != "" || o != nil && o.Sampled != nil && o.Sampled.Weight > enoughLeft
	if values < 2 || !tooMuch || ctx.Err() != nil {
		return o, err
	}
	s.Restore(before)
	columns := s.columns(ctx, src, reports)
	each, failed := s.oddsByColumn(ctx, columns, src, cfg, until)
	if failed == nil {
		_, failed = s.again(ctx, src)
	}
	switch {
	case failed != nil:
		return nil, failed
	case each == nil || o != nil && o.Sampled.Weight <= each.most():
		return o, err
	}
	return each, nil
}

// enoughLeft is how much all columns together may leave to trials before each is tried on its own.
// Intervals are then a tenth as wide as those of a simulation at most, and bounds no more than ten
// points apart: to make them narrower is not worth losing which values come together.
const enoughLeft = 0.1

func tooLongFor(limit time.Duration) string {
	return fmt.Sprintf("exact odds take longer than %v", limit)
}

// sampled says whether what meets a bound may be sampled.
func (c *OddsConfig) sampled() bool { return c.Trials > 0 && !c.Exact }

// oddsAtOnce works out all columns of a text together.
func (s *Session) oddsAtOnce(ctx context.Context, src *lang.Source, cfg OddsConfig) (o *Odds, err error) {
	aims := len(cfg.Best) > 0 || cfg.Goal != ""
	if aims {
		goal := s.bestGoal(ctx, src, cfg.Best, cfg.Goal)
		if cfg.GoalOnly {
			src = s.withoutReports(ctx, src)
		}
		if src, err = reportGoal(ctx, src, goal, !cfg.GoalOnly); err != nil {
			return nil, err
		}
	}
	p, err := s.again(ctx, src)
	if err != nil {
		return nil, err
	}
	if err := s.known(cfg.Best); err != nil {
		return nil, err
	}
	g, done := p.graph(cfg.Best)
	defer func() {
		if done(); err != nil || o.Sampled != nil {
			p.memory = nil // it has grown as large as it may
		}
	}()
	g.Limit, g.MaxBytes = or(cfg.States, DefaultStates), or(cfg.Memory, DefaultStateMemory)
	if !cfg.Exact {
		g.Least = least
	}
	if len(cfg.Best) > 0 {
		g.Decide = func(q *machine.Question) (int, bool) {
			if slices.Contains(cfg.Best, Everybody) || q.Who.Kind() == value.Ref && slices.Contains(cfg.Best, s.m.NameOf(q.Who)) {
				return 0, false
			}
			return q.Default, true
		}
	}
	within, whole := ctx, ctx
	if cfg.Time > 0 {
		share := cfg.Time
		if cfg.sampled() {
			share = share / 10 * solvingTenths
		}
		var done, all context.CancelFunc
		within, done = context.WithTimeout(ctx, share)
		defer done()
		whole, all = context.WithTimeout(ctx, cfg.Time)
		defer all()
	}
	if err = g.Build(within); err == nil {
		g.Within(whole)
		o, err = s.solved(whole, g, cfg, aims)
	}
	if over := overOf(err); over != "" && cfg.sampled() && len(cfg.Best) > 0 && ctx.Err() == nil {
		if o, err := s.sampledBest(whole, g, cfg, over); o != nil || err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return o, err
		}
	} else if over != "" && cfg.sampled() && ctx.Err() == nil {
		if f := g.Frontier(); f.Weight <= 1-leastSolved {
			if o, err := s.sampled(whole, g, cfg, f, over); o != nil || err != nil {
				return o, err
			}
		}
	}
	switch {
	case err == nil:
		return o, nil
	case ctx.Err() != nil && len(cfg.Best) > 0:
		return nil, &RunError{Kind: Cancelled, Diag: &lang.Diagnostic{Message: "stopped before the best answers were known"}}
	case ctx.Err() != nil:
		return s.unfinished(g, cfg), nil
	case errors.Is(err, context.DeadlineExceeded):
		d := &lang.Diagnostic{Message: tooLongFor(cfg.Time)}
		endless(g, d)
		return nil, &RunError{Kind: Limit, Over: OverTime, Diag: d}
	}
	return nil, s.oddsError(g, err)
}

// solvingTenths is how much of the time, in tenths, may pass before what is not solved by then
// is sampled. Intervals narrow with the root of the time for trials: those of four tenths are half as
// wide again as trials in all of the time would make them, but those of two tenths twice as wide.
const solvingTenths = 6

// leastSolved is the share s that has to be solved for the rest to be sampled. The interval is then
// 1-s times as wide as that of as many trials from the beginning, so that it takes 1/(1-s)² as many of
// those to tell as much: of a twentieth a tenth more. The simulator, which remembers what it has
// executed and uses all processors, saves more than that; and bounds that are further apart than
// 95 points bound nothing.
const leastSolved = 0.05

// overOf gives the bound that odds have met, "" where that is not what went wrong.
func overOf(err error) Over {
	switch {
	case errors.Is(err, odds.ErrStates):
		return OverStates
	case errors.Is(err, odds.ErrMemory):
		return OverMemory
	case errors.Is(err, context.DeadlineExceeded):
		return OverTime
	}
	return ""
}

// leastSampled is how many trials are made of any rest: of fewer the normal law, by which an
// interval is told, says little.
const leastSampled = 100

// sampled gives what is known of a graph that has met a bound, with its frontier shared out by
// trials; nil where it cannot be, or there was no time for a trial.
func (s *Session) sampled(ctx context.Context, g *odds.Graph, cfg OddsConfig, f *odds.Frontier, over Over) (*Odds, error) {
	g.Within(ctx)
	if f.Weight == 0 {
		return s.law(context.WithoutCancel(ctx), g, cfg, &weights{all: g.Reached()}) // the bound was met just then
	}
	seed, trials := s.cfg.Seed, cfg.Trials
	if cfg.Proportional {
		trials = max(int64(math.Ceil(float64(trials)*f.Weight)), min(trials, leastSampled))
	}
	x, err := g.Sample(ctx, f, trials, func(k int64) uint64 { return TrialSeed(seed, k) })
	if errors.Is(err, odds.ErrSample) || err == nil && x.Trials == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	noted := g.NotedSoFar()
	for i, n := range x.Noted {
		noted[i] += f.Weight * n
	}
	ctx = context.WithoutCancel(ctx) // it takes no long time from here on
	o, err := s.law(ctx, g, cfg, &weights{all: g.Reached(), sampled: &Sampled{Weight: f.Weight, Trials: x.Trials, Over: over}, trials: x.Ends})
	if err != nil {
		return nil, err
	}
	o.Refused = s.refused(g.Notes.List, noted)
	return o, nil
}

// sampledBest gives what is known of a graph with open decisions that has met a bound. As far as
// it was followed each decision takes the best option, if what comes behind is worth what trials
// find it to be; behind that decisions take their defaults. What these answers come to is sampled; no
// answers can come to more than where all that was not followed reached the goal. It gives nil
// where it cannot be sampled, or too little was followed.
func (s *Session) sampledBest(ctx context.Context, g *odds.Graph, cfg OddsConfig, over Over) (*Odds, error) {
	g.Within(ctx)
	play := func(unfollowed float64) (odds.Means, []float64, *odds.Frontier) {
		g.Unfollowed = unfollowed
		m := g.Best(s.goal)
		all := g.Floats()
		return m, all, g.FrontierWhere(all)
	}
	sample := func(all []float64, f *odds.Frontier, n int64) (*weights, []float64, error) {
		x, err := g.Sample(ctx, f, n, func(k int64) uint64 { return TrialSeed(s.cfg.Seed, k) })
		if errors.Is(err, odds.ErrSample) || err == nil && x.Trials == 0 {
			return nil, nil, nil
		}
		if err != nil {
			return nil, nil, err
		}
		all = append(all, make([]float64, len(g.Checkpoints)-len(all))...) // endings that trials came to first
		return &weights{all: all, sampled: &Sampled{Weight: f.Weight, Trials: x.Trials, Over: over}, trials: x.Ends}, x.Noted, nil
	}
	_, all, f := play(0)
	if g.Err() != nil || f == nil || f.Weight == 0 || f.Weight > 1-leastSolved {
		return nil, g.Err()
	}
	few, _, err := sample(all, f, max(cfg.Trials/10, min(cfg.Trials, leastSampled)))
	if few == nil || err != nil {
		return nil, err
	}
	most, _, _ := play(1)
	m, all, f := play(s.sampledMean(g, few))
	if g.Err() != nil || f == nil || f.Weight == 0 || f.Weight > 1-leastSolved {
		return nil, g.Err()
	}
	w, noted, err := sample(all, f, cfg.Trials)
	if w == nil || err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx)
	g.Within(ctx)
	sums := g.Noted()
	for i, n := range noted {
		sums[i] += f.Weight * n
	}
	o, err := s.law(ctx, g, cfg, w)
	if err != nil {
		return nil, err
	}
	s.sampledGoal(g, w, o)
	switch {
	case o.Least < o.Most && most.Ends == nil:
		o.Most = max(o.Most, most.Of[0])
	case o.Least < o.Most:
		o.Most = 1 // what stops is left out, and other answers may stop more
	}
	o.Decisions, o.Refused = s.decisions(g, m), s.refused(g.Notes.List, sums)
	return o, nil
}

// sampledMean gives the mean of the goal over the trials of a remainder that did not stop.
func (s *Session) sampledMean(g *odds.Graph, w *weights) float64 {
	sum, all := 0.0, 0.0
	for i, n := range w.trials {
		if r := g.Checkpoints[i]; r.Kind == odds.Terminal {
			sum, all = sum+float64(n)*s.goal(r), all+float64(n)
		}
	}
	return sum / max(all, 1)
}

// solved gives what comes of a graph that is complete.
func (s *Session) solved(ctx context.Context, g *odds.Graph, cfg OddsConfig, aims bool) (*Odds, error) {
	var v odds.Means
	if aims {
		v = g.Best(s.goal)
	}
	w := weights{all: g.Floats()}
	if cfg.Exact || len(g.Checkpoints) <= exactRests && g.Acyclic() {
		w.exact = g.Fractions()
	}
	noted := g.Noted()
	if err := g.Err(); err != nil {
		return nil, err
	}
	o, err := s.law(ctx, g, cfg, &w)
	if err != nil {
		return nil, err
	}
	o.Refused = s.refused(g.Notes.List, noted)
	if aims {
		o.Value, o.Decisions = v.Of[0], s.decisions(g, v)
		o.Least, o.Most = o.Value, o.Value
	}
	return o, g.Err()
}

// unfinished gives what is known of a graph whose context has ended: at once, so without
// ends where there are many.
func (s *Session) unfinished(g *odds.Graph, cfg OddsConfig) *Odds {
	if len(g.Checkpoints) <= fewRests {
		if o, err := s.law(context.Background(), g, cfg, &weights{all: g.Reached()}); err == nil {
			for i, p := range g.Reached() {
				if r := g.Checkpoints[i]; cfg.Goal != "" && r.Kind == odds.Terminal {
					o.Value += p * s.goal(r)
				}
			}
			o.Stopped = true
			return o
		}
	}
	return &Odds{Residue: 1, Stopped: true, States: len(g.Checkpoints), Merged: g.Merged, heap: s.heap}
}

// fewRests is how many states there may be for what is known of them to be told at once.
const fewRests = 50_000

// known looks whether there is everybody who is named.
func (s *Session) known(names []string) error {
	var all []string
	for _, i := range s.world.Instances() {
		all = append(all, i.Name)
	}
	var diags lang.Diagnostics
	for _, n := range names {
		if n == Everybody || slices.Contains(all, n) {
			continue
		}
		d := &lang.Diagnostic{Message: "nobody is called " + n}
		if near, ok := lang.Nearest(n, all); ok {
			d.Help = "did you mean " + near + "?"
		}
		diags = append(diags, d)
	}
	if len(diags) > 0 {
		return diags
	}
	return nil
}

// Certain gives the error in which everything ends, nil when there is another
// end.
func (o *Odds) Certain() *RunError {
	if len(o.Ends) == 1 && o.Residue == 0 && !o.ByColumn() {
		return o.Ends[0].Fault
	}
	return nil
}

// graph makes the graph of what p leads to where some decide for the best; done
// gives the machine back.
func (p *Prepared) graph(best []string) (g *odds.Graph, done func()) {
	s, m := p.s, p.s.m
	out, prog, seeded := m.Out, m.Prog, m.Seeded
	m.Out, m.Prog, m.Log, m.Seeded, m.Attended = nil, p.world.Prog, nil, false, false
	// what was given beforehand falls first, and is part of the state
	faces, answers, ownFaces, ownAnswers := m.Faces, m.Answers, m.OwnFaces, m.OwnAnswers
	m.OwnFaces, m.OwnAnswers = slices.Concat(ownFaces, facesOf(faces)), slices.Concat(ownAnswers, answers)
	m.Faces, m.Answers = nil, nil
	m.Store = append(m.Store[:0], p.state.store...)
	s.limits()
	m.Reports = nil
	key := strings.Join(best, "\x00")
	if p.memory == nil {
		p.memory = map[string]*odds.Memory{}
	}
	if p.memory[key] == nil {
		p.memory[key] = &odds.Memory{}
	}
	g = odds.New(m, p.funcs, p.memory[key])
	g.MaxBytes = int(s.cfg.Limits.Memory)
	return g, func() {
		g.Close()
		m.Out, m.Prog, m.Log, m.Seeded, m.Attended = out, prog, &s.log, seeded, true
		m.Failures, m.Faults = nil, 0
		m.Faces, m.Answers, m.OwnFaces, m.OwnAnswers = faces, answers, ownFaces, ownAnswers
	}
}

// reporting makes a report of the expression that a text ends with, if it does.
func reporting(ctx context.Context, src *lang.Source) *lang.Source {
	file, diags, err := lang.ParseContext(ctx, src)
	if err != nil || failed(diags) || len(file.Stmts) == 0 {
		return src
	}
	x, ok := file.Stmts[len(file.Stmts)-1].(*lang.ExprStmt)
	if !ok {
		return src
	}
	return src.Inserted(int(x.Start), "report ")
}

// oddsError tells of a graph that grew too large what made it so: the fields and
// variables with the most values.
func (s *Session) oddsError(g *odds.Graph, err error) error {
	d := &lang.Diagnostic{}
	over := OverStates
	switch {
	case errors.Is(err, odds.ErrStates):
		d.Message = fmt.Sprintf("the odds have more than %d possible states", g.Limit)
	case errors.Is(err, odds.ErrMemory):
		over = OverMemory
		d.Message = fmt.Sprintf("the possible states of the odds take more than %d MiB", g.Bound()>>20)
	case errors.Is(err, odds.ErrEndless):
		d.Message = "the exact odds are not finite: some dice may be thrown again for ever"
		d.Help = "leave out --exact: setpiece then skips results less likely than 1e-16 and prints their total chance"
		return &RunError{Kind: Limit, Diag: d}
	default:
		return err
	}
	var most []string
	for _, x := range g.Variety() {
		if len(most) < 3 && x.Values > 2 {
			name := s.nameOfWord(x.At)
			if x.Field != nil {
				name = x.Field.Of + "." + x.Field.Name
			}
			most = append(most, fmt.Sprintf("%s has %d values", name, x.Values))
		}
	}
	if g.Inside > g.Limit/20 {
		most = append(most, fmt.Sprintf("one command has %d throws of dice whose results all matter later", g.Inside))
	}
	if len(most) > 0 {
		d.Notes = append(d.Notes, lang.Note{Message: strings.Join(most, ", ")})
		d.Help = "report fewer values, or use sim"
	}
	endless(g, d)
	return &RunError{Kind: Limit, Over: over, Diag: d}
}

// endless says of exact odds that were not finished what kept them: dice that may be
// thrown again for ever.
func endless(g *odds.Graph, d *lang.Diagnostic) {
	if g.Endless() {
		d.Help = "some dice may be thrown again for ever: leave out --exact, and setpiece skips the least likely results and prints their total chance"
	}
}

// nameOfWord names a word of the store: a field of an instance, or a variable.
func (s *Session) nameOfWord(at int) string {
	m := s.m
	for _, off := range slices.Backward(m.Prog.Live) {
		if t := m.TypeOf(off); at >= off+code.Header && at < off+len(t.Template) {
			return m.PathOf(off) + "." + t.Fields[at-off-code.Header].Name
		}
	}
	if at >= m.Prog.RegisterWords[0] && at < m.Prog.RegisterWords[1] {
		return "an intermediate number"
	}
	if name := s.world.VariableAt(at); name != "" {
		return name
	}
	return "the last outcome"
}

// least is the weight below which a state is not followed.
const least = 1e-16

// exactRests is how many states a graph may have, and no state that comes round
// again, for its weights to be worked out as fractions without being asked for.
const exactRests = 4000

// weights are those of the checkpoints of a graph.
type weights struct {
	all     []float64
	exact   []*big.Rat // nil where they are not known as fractions
	sampled *Sampled
	trials  []int64 // of those of sampled, how many came to each of the first checkpoints
}

// of gives the weight of a checkpoint, and how many trials came to it.
func (w *weights) of(i int) (p float64, trials int64) {
	p = w.all[i]
	if i < len(w.trials) && w.trials[i] > 0 {
		trials = w.trials[i]
		p += w.sampled.Weight * float64(trials) / float64(w.sampled.Trials)
	}
	return p, trials
}

// law gives the ends of a graph with these weights.
func (s *Session) law(ctx context.Context, g *odds.Graph, cfg OddsConfig, w *weights) (*Odds, error) {
	o := &Odds{States: len(g.Checkpoints), Merged: g.Merged, Sampled: w.sampled, heap: s.heap, data: s.data}
	names := s.world.LastNames()
	used := make([]bool, len(names))
	reports := false
	for i := range g.Checkpoints {
		r := g.Checkpoints[i]
		if r.Kind != odds.Terminal {
			continue
		}
		reps, last := seen(r)
		reports = reports || len(reps) > 0
		for i, v := range last {
			used[i] = used[i] || v != value.None
		}
	}
	cells := []int{}
	if o.reports = reports; reports {
		for _, info := range s.m.Reported {
			o.Columns = append(o.Columns, info.(*compile.ReportInfo).Column)
		}
		if len(cfg.Best) > 0 || cfg.Goal != "" {
			o.Columns = o.Columns[:len(o.Columns)-1] // the goal is told apart
		}
	} else {
		for i, u := range used {
			if u {
				cells = append(cells, i)
				o.Columns = append(o.Columns, names[i])
			}
		}
	}
	for i := range g.Checkpoints {
		if i&1023 == 1023 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r := g.Checkpoints[i]
		p, trials := w.of(i)
		var ex *big.Rat
		if w.exact != nil {
			ex = w.exact[i]
		}
		switch {
		case r.Kind == odds.Transient && w.sampled != nil:
			continue // it has been shared out
		case r.Kind == odds.Transient:
			o.Residue += p
			continue
		case p == 0 && (ex == nil || ex.Sign() == 0):
			continue
		}
		e := End{P: p, Exact: ex, Solved: w.all[i], Trials: trials, values: make([]value.V, len(o.Columns))}
		for k := range e.values {
			e.values[k] = value.None
		}
		if r.Kind == odds.Broken {
			e.Fault = s.runError(r.Fault).(*RunError)
		} else {
			reps, last := seen(r)
			if reports {
				for _, rep := range reps {
					if rep.Info < len(e.values) {
						e.values[rep.Info] = rep.Value
					}
				}
			} else {
				for k, c := range cells {
					e.values[k] = last[c]
				}
			}
		}
		o.Ends = append(o.Ends, e)
	}
	if w.sampled != nil && cfg.Goal != "" {
		s.sampledGoal(g, w, o)
	}
	if o.Residue > 0 {
		for i := range o.Ends {
			o.Ends[i].Exact = nil // what was not followed may end so, too
		}
	}
	if err := show(ctx, s.m, o.Ends, len(o.Columns)); err != nil {
		return nil, err
	}
	var err error
	o.Ends, err = sorted(ctx, o.Ends)
	return o, err
}

// show shows the values of ends, n of each.
func show(ctx context.Context, m *machine.Machine, ends []End, n int) error {
	known := map[value.V]string{value.None: ""}
	all := make([]string, 0, n*len(ends))
	for i := range ends {
		if i&1023 == 1023 && ctx.Err() != nil {
			return ctx.Err()
		}
		from := len(all)
		for _, v := range ends[i].values {
			t, ok := known[v]
			if !ok {
				t = m.Show(v)
				known[v] = t
			}
			all = append(all, t)
		}
		ends[i].Shown = all[from:len(all):len(all)]
	}
	return nil
}

// sorted gives ends from the likeliest down, equal ones by what they show.
func sorted(ctx context.Context, ends []End) ([]End, error) {
	order := make([]int32, len(ends))
	for i := range order {
		order[i] = int32(i)
	}
	order, err := sortWithin(ctx, order, func(i, k int32) int {
		a, b := &ends[i], &ends[k]
		return cmp.Or(cmp.Compare(b.P, a.P), slices.Compare(a.Shown, b.Shown), int(i-k))
	})
	if err != nil {
		return nil, err
	}
	out := make([]End, len(ends))
	for i, k := range order {
		out[i] = ends[k]
	}
	return out, nil
}

// sortWithin sorts as slices.SortStableFunc does, and ends with a context: it sorts pieces
// of the list and merges them.
func sortWithin[T any](ctx context.Context, list []T, compare func(a, b T) int) ([]T, error) {
	const piece = 1 << 12
	for from := 0; from < len(list); from += piece {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		slices.SortStableFunc(list[from:min(from+piece, len(list))], compare)
	}
	out := make([]T, len(list))
	for n := piece; n < len(list); n *= 2 {
		for from := 0; from < len(list); from += 2 * n {
			mid, end := min(from+n, len(list)), min(from+2*n, len(list))
			a, b := list[from:mid], list[mid:end]
			for at := from; at < end; at++ {
				if at&(piece-1) == 0 && ctx.Err() != nil {
					return nil, ctx.Err()
				}
				if len(b) == 0 || len(a) > 0 && compare(a[0], b[0]) <= 0 {
					out[at], a = a[0], a[1:]
				} else {
					out[at], b = b[0], b[1:]
				}
			}
		}
		list, out = out, list
	}
	return list, nil
}

// seen reads the state of an end.
func seen(r *odds.Checkpoint) (reports []machine.Report, last []value.V) {
	st := r.Words
	n := int(st[0].Int())
	st = st[1:]
	for range n {
		reports = append(reports, machine.Report{Info: int(st[0].Int()), Value: st[1]})
		st = st[2:]
	}
	return reports, st
}

// withGoal has a text report a goal at its end, and the outcome before that if
// it reports nothing itself.
func withGoal(ctx context.Context, src *lang.Source, goal string) (*lang.Source, error) {
	return reportGoal(ctx, src, goal, true)
}

// reportGoal has a text report a goal at its end, with the outcome or without it.
func reportGoal(ctx context.Context, src *lang.Source, goal string, outcome bool) (*lang.Source, error) {
	if goal == "" {
		goal = "success"
	}
	x, diags := lang.ParseExpr(lang.NewSource("goal", goal))
	if failed(diags) {
		return nil, diags
	}
	if w, ok := x.(*lang.Word); ok {
		goal = "last.outcome == " + w.Name
	}
	file, diags, err := lang.ParseContext(ctx, src)
	if err != nil {
		return nil, compileError(src, err)
	}
	if failed(diags) {
		return nil, diags
	}
	text := "\n"
	if outcome && !slices.ContainsFunc(file.Stmts, func(s lang.Stmt) bool { _, ok := s.(*lang.Report); return ok }) {
		text += "report last.outcome as outcome\n"
	}
	end := len(strings.TrimRight(src.Text, " \t\r\n"))
	return src.Inserted(end, text+"report "+goal+"\n"), nil
}

// withoutReports leaves out of a text what it reports, where reporting does nothing else.
func (s *Session) withoutReports(ctx context.Context, src *lang.Source) *lang.Source {
	w, _, _, err := s.compile(ctx, src, false)
	if err != nil {
		return src // it will be told
	}
	reports, _ := reportsOf(ctx, src)
	var edits []lang.Edit
	for _, r := range reports {
		if !slices.ContainsFunc(r.Values, func(v *lang.Reported) bool { return !w.Pure(v.Value) }) {
			edits = append(edits, lang.Edit{Span: r.Span})
		}
	}
	return src.Edited(edits...)
}

// goal gives what an end is worth: the value it reported last.
func (s *Session) goal(r *odds.Checkpoint) float64 {
	reps, _ := seen(r)
	if len(reps) == 0 {
		return 0
	}
	switch v := reps[len(reps)-1].Value; {
	case v == value.Yes:
		return 1
	case v.IsNumber():
		f, _ := s.heap.RatOf(v).Float64()
		return f
	}
	return 0
}

// sampledGoal works out the mean of the goal over the ends that are no errors, where a part of
// their weight was sampled.
//
// It is the quotient of two sums: of what the goal comes to at each end, and of the ends. What
// a trial adds to the error of the quotient r is  x - r  where it ends, and nothing where it
// stops with an error; the interval is that of the mean of these (the delta method: Cochran,
// Sampling Techniques, 1977, section 6.4).
func (s *Session) sampledGoal(g *odds.Graph, w *weights, o *Odds) {
	each := func(f func(x float64, i int, trials float64)) {
		for i := range g.Checkpoints {
			if r := g.Checkpoints[i]; r.Kind == odds.Terminal {
				_, trials := w.of(i)
				f(s.goal(r), i, float64(trials))
			}
		}
	}
	n, weight, truth := float64(w.sampled.Trials), w.sampled.Weight, true
	var solved, reached, known, ended float64 // of the goal and of the ends: what was solved, and the trials
	each(func(x float64, i int, trials float64) {
		solved, known = solved+w.all[i]*x, known+w.all[i]
		reached, ended = reached+trials*x, ended+trials
		truth = truth && (w.all[i] == 0 && trials == 0 || s.yesOrNo(g.Checkpoints[i]))
	})
	all := known + weight*ended/n
	o.Value = (solved + weight*reached/n) / all
	var squares, mean float64
	each(func(x float64, _ int, trials float64) {
		d := x - o.Value
		squares, mean = squares+trials/n*d*d, mean+trials/n*d
	})
	o.Half = deviations * math.Sqrt(max(0, squares-mean*mean)/n)
	if truth && ended > 0 {
		// at least that of the share of those that ended, which holds for few trials, too
		lo, hi := Interval(int64(reached), int64(ended))
		o.Half = max(o.Half, (hi-lo)/2*ended/n)
	}
	o.Half *= weight / all
	if o.Least, o.Most = o.Value, o.Value; truth {
		o.Least, o.Most = solved/(known+weight), min(1, (solved+weight)/(known+weight))
	}
}

// yesOrNo says whether the goal is a truth at an end.
func (s *Session) yesOrNo(r *odds.Checkpoint) bool {
	reps, _ := seen(r)
	if len(reps) == 0 {
		return false
	}
	_, truth := s.figure(reps[len(reps)-1].Value)
	return truth
}

func (s *Session) decisions(g *odds.Graph, v odds.Means) []Decision {
	var out []Decision
	for _, d := range g.Decisions(v) {
		x := Decision{
			Prompt: d.Choice.Prompt, Cost: d.Choice.Cost, Options: d.Choice.Options,
			Values: d.Values, Stops: d.Stops, Taken: d.Taken, Weight: d.Weight, When: s.when(d.Checkpoint),
		}
		if d.Choice.Who.Kind() == value.Ref {
			x.Who = s.m.NameOf(d.Choice.Who)
		}
		if i := slices.IndexFunc(out, x.like); i >= 0 {
			out[i].Weight += x.Weight
			continue
		}
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b Decision) int {
		switch {
		case a.Weight > b.Weight:
			return -1
		case a.Weight < b.Weight:
			return 1
		}
		return 0
	})
	return out
}

// like says whether two decisions are the same for whoever makes them.
func (d Decision) like(e Decision) bool {
	return d.Who == e.Who && d.Prompt == e.Prompt && d.Cost == e.Cost && d.When == e.When && d.Taken == e.Taken &&
		slices.Equal(d.Options, e.Options) &&
		slices.EqualFunc(d.Values, e.Values, almost) && slices.EqualFunc(d.Stops, e.Stops, almost)
}

func almost(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// Stops gives the share of what stops with an error, and the likeliest of these errors;
// "" where nothing does.
func (o *Odds) Stops() (share float64, what string) {
	for _, e := range o.Ends {
		if e.Fault != nil {
			if what == "" {
				what = e.Fault.At()
			}
			share += e.P
		}
	}
	return share, what
}

// when tells what is other at a rest than it was in the beginning.
func (s *Session) when(r *odds.Checkpoint) string {
	var out []string
	for i := 0; i < len(r.Words); i += 2 {
		at := int(r.Words[i].Int())
		if f := s.fieldAt(at); f != nil && !f.Hidden {
			out = append(out, s.nameOfWord(at)+" "+s.m.Show(r.Words[i+1]))
		}
	}
	return strings.Join(out, ", ")
}

// fieldAt gives the field that a word of the store is, nil when it is none.
func (s *Session) fieldAt(at int) *code.Field {
	for _, off := range s.m.Prog.Live {
		if t := s.m.TypeOf(off); at >= off+code.Header && at < off+len(t.Template) {
			return &t.Fields[at-off-code.Header]
		}
	}
	return nil
}

// expectOdds holds an expectation of a test about odds against the odds.
func (s *Session) expectOdds(ctx context.Context, x compile.OddsTest) error {
	text := func(at lang.Span) string { return at.Src.Text[at.Start:at.End] }
	var script strings.Builder
	for _, at := range x.Before {
		script.WriteString(text(at) + "\n")
	}
	of := text(x.Of)
	if x.Outcome {
		of = "last.outcome == " + of
	}
	script.WriteString("report " + of + "\n")
	src := lang.NewSource(x.At.Src.Name, script.String())
	chance, slack, err := s.chanceOf(ctx, src, false)
	if err != nil {
		return err
	}
	held, err := s.compares(ctx, x, chance)
	if err == nil && slack.Sign() > 0 {
		// It is not known as a fraction: that matters only on the edge.
		low, err1 := s.compares(ctx, x, new(big.Rat).Sub(chance, slack))
		high, err2 := s.compares(ctx, x, new(big.Rat).Add(chance, slack))
		if err1 == nil && err2 == nil && (low != held || high != held) {
			if exact, _, err := s.chanceOf(ctx, src, true); err == nil {
				chance = exact
				held, _ = s.compares(ctx, x, exact)
			}
		}
	}
	if err != nil || held {
		return err
	}
	f, _ := chance.Float64()
	said := fmt.Sprintf("%.2f %%", 100*f)
	if slack.Sign() == 0 {
		said = chance.RatString() + ", " + said
	}
	return &RunError{Kind: Expected, Diag: &lang.Diagnostic{Span: x.At, Message: fmt.Sprintf("expected %s, but the chance is %s", strings.Join(strings.Fields(text(x.At)), " "), said)}}
}

// edge is how far a chance that is not known as a fraction may be off.
var edge = big.NewRat(1, 1e9)

// chanceOf gives the chance that what a text reports is yes, and how far it may be off:
// 0 where it is known as a fraction.
func (s *Session) chanceOf(ctx context.Context, src *lang.Source, exact bool) (chance, slack *big.Rat, err error) {
	start := s.Snapshot()
	o, err := s.Odds(ctx, src, OddsConfig{Exact: exact})
	s.restore(start)
	if err != nil {
		return nil, nil, err
	}
	chance, slack = new(big.Rat), new(big.Rat)
	if o.Residue > 0 {
		slack.Add(edge, new(big.Rat).SetFloat64(o.Residue))
	}
	for _, e := range o.Ends {
		switch {
		case e.Fault != nil:
			return nil, nil, e.Fault
		case e.values[len(e.values)-1] != value.Yes:
		case e.Exact != nil:
			chance.Add(chance, e.Exact)
		default:
			chance.Add(chance, new(big.Rat).SetFloat64(e.P))
			slack.Add(slack, edge)
		}
	}
	return chance, slack, nil
}

// compares says whether a chance is as a test expects.
func (s *Session) compares(ctx context.Context, x compile.OddsTest, chance *big.Rat) (bool, error) {
	start := s.Snapshot()
	than := x.Than.Src.Text[x.Than.Start:x.Than.End]
	err := s.Exec(ctx, lang.NewSource("", fmt.Sprintf("expect (%s / %s) %s %s", chance.Num(), chance.Denom(), x.Op, than)))
	s.restore(start)
	var re *RunError
	if errors.As(err, &re) && re.Kind == Expected {
		return false, nil
	}
	return err == nil, err
}
