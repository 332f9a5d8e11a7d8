package odds

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/goals"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/odds"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Config says how odds are worked out. The zero value is usable.
type Config struct {
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

	slow *lang.Diagnostics // where what is slow for no need is noted, see Law; nil: nowhere
}

// Everybody stands for all in Config.Best.
const Everybody = "everybody"

// DefaultStates bounds the states that odds may meet, DefaultStateMemory the bytes
// that they take.
const (
	DefaultStates      = 4_000_000
	DefaultStateMemory = odds.MaxBytes
)

// Odds is the distribution of what a text leads to: every end, with its weight.
type Odds struct {
	Columns   []string // what is told of each end: the outcome, its values, or what the text reports
	Ends      []End    // from the likeliest down
	Remainder float64  // weight that was not followed to an end
	Stopped   bool     // the context ended before all was followed, or each column was tried on its own
	States    int      // states met between throws
	Merged    int      // how often a state was met again

	Sampled *dist.Sampled // how the weight was shared out that was not followed; nil where all was

	Refused []dist.RefusedTactic // commands of tactics that are refused

	Value float64 // the mean of the goal, where there is one, over the ends that are no errors
	Half  float64 // half of the 95 % interval of Value, where a part was sampled
	// What Value cannot be below or above however the trials went, where the goal is yes or no; else,
	// and where it is exact, both are Value. With Best no answers at all can come to more than Most.
	Least, Most float64
	Decisions   []Decision // that are come to then, the likeliest first

	byColumn []*dist.Distribution // by column, where each was solved on its own
	reports  bool                 // the columns are what was reported
	heap     *value.Heap
	data     func(value.V) any
}

// ByColumn says that each column was solved on its own: then Ends are only those that stop with
// an error, and how much was sampled is told of each Distribution.
func (o *Odds) ByColumn() bool { return o.byColumn != nil }

// Of works out exactly what a text can lead to from the session as it is,
// which it does not change. Unattended decisions take what clauses, tactics and
// defaults say. Instances that the text declares stay declared. When the context
// ends what has been followed so far is given: each end is at least as likely as
// it says, and more likely by the remainder at most; what trials had shared out by then is kept. With
// cfg.Trials a text that reports too much
// for that is solved column by column, see Odds.ByColumn.
func Of(ctx context.Context, s *interp.Session, src *lang.Source, cfg Config) (*Odds, error) {
	if s.Running() {
		return nil, interp.ErrRunning
	}
	return oddsOf(ctx, core.Of(s), src, cfg)
}

func oddsOf(ctx context.Context, s *core.Run, src *lang.Source, cfg Config) (*Odds, error) {
	if text, ok := goals.Conditional(ctx, src); ok {
		cfg.Trials = 0
		o, err := oddsOf(ctx, s, text, cfg)
		if err != nil {
			return nil, err
		}
		return o.given()
	}
	src = goals.Reporting(ctx, s, src)
	if !cfg.sampled() {
		return oddsAtOnce(ctx, s, src, cfg)
	}
	limit := cfg.Time
	cfg.Time = limit / 20 * 19 // the rest is for putting the answer together
	o, err := oddsOrSamples(ctx, s, src, cfg)
	var re *interp.RunError
	if errors.As(err, &re) && re.Over == interp.OverTime {
		re.Diag.Message = tooLongFor(limit)
	}
	return o, err
}

// oddsOrSamples works out all columns of a text together, or, where they are too much, each on its
// own, and samples what is left.
func oddsOrSamples(ctx context.Context, s *core.Run, src *lang.Source, cfg Config) (*Odds, error) {
	before, until, once := s.Keep(), time.Now().Add(cfg.Time), cfg
	reports, values := goals.ReportsOf(ctx, src)
	if cfg.Goal != "" || len(cfg.Best) > 0 {
		values = 0 // the goal is no column
	}
	if values > 1 {
		once.Time = cfg.Time / 4 * 3
	}
	o, err := oddsAtOnce(ctx, s, src, once)
	tooMuch := interp.OverOf(err) != "" || o != nil && o.Estimated()
	if values < 2 || !tooMuch || ctx.Err() != nil {
		return o, err
	}
	s.Back(before)
	columns := columns(ctx, s, src, reports)
	each, failed := oddsByColumn(ctx, s, columns, src, cfg, until)
	if failed == nil {
		_, failed = s.Again(context.WithoutCancel(ctx), src)
	}
	switch {
	case failed != nil:
		return nil, failed
	case ctx.Err() != nil && o != nil:
		o.Stopped = true
		return o, nil
	case ctx.Err() != nil && each != nil:
		return each.certain(), nil
	case ctx.Err() != nil:
		return &Odds{Remainder: 1, Stopped: true, heap: s.Heap}, nil
	case each == nil || o != nil && o.Sampled.Weight <= each.most():
		return o, err
	}
	return each, nil
}

// Estimated says whether more was left to trials than luck in them can be passed over.
func (o *Odds) Estimated() bool { return o.Sampled != nil && o.Sampled.Weight > enoughLeft }

// enoughLeft is how much all columns together may leave to trials before each is tried on its own.
// Intervals are then a tenth as wide as those of a simulation at most, and bounds no more than ten
// points apart: to make them narrower is not worth losing which values come together.
const enoughLeft = 0.1

func tooLongFor(limit time.Duration) string {
	return fmt.Sprintf("exact odds take longer than %v", limit)
}

// sampled says whether what meets a bound may be sampled.
func (c *Config) sampled() bool { return c.Trials > 0 && !c.Exact }

// oddsAtOnce works out all columns of a text together.
func oddsAtOnce(ctx context.Context, s *core.Run, src *lang.Source, cfg Config) (o *Odds, err error) {
	aims := len(cfg.Best) > 0 || cfg.Goal != ""
	if aims {
		goal, err := BestGoal(ctx, s, src, cfg.Best, cfg.Goal)
		if err != nil {
			return nil, err
		}
		if cfg.GoalOnly {
			src = unreported(ctx, s, src)
		}
		if src, err = goals.ReportGoal(ctx, src, goal, !cfg.GoalOnly); err != nil {
			return nil, err
		}
	}
	p, err := s.Again(ctx, src)
	if err != nil {
		return nil, err
	}
	g, done := Graph(p, cfg.Best)
	defer func() {
		if done(); err != nil || o.Sampled != nil {
			p.Memory = nil // it has grown as large as it may
		}
		if cfg.slow != nil && (o == nil || o.Sampled != nil || len(g.Checkpoints)+g.Merged > manyStates) {
			*cfg.slow = append(*cfg.slow, slow(g)...)
		}
	}()
	g.Limit, g.MaxBytes = core.Or(cfg.States, DefaultStates), core.Or(cfg.Memory, DefaultStateMemory)
	if !cfg.Exact {
		g.Least = Least
	}
	if len(cfg.Best) > 0 {
		g.Decide = func(q *machine.Question) (int, bool) {
			if slices.Contains(cfg.Best, Everybody) || q.Who.Kind() == value.Ref && slices.Contains(cfg.Best, s.M.NameOf(q.Who)) {
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
	if err = g.Build(within); err == nil && !cfg.Exact {
		err = g.Complete(exactStates)
	}
	if err == nil {
		g.Within(whole)
		o, err = solved(whole, s, g, cfg, aims)
	}
	if over := OverOf(err); over != "" && cfg.sampled() && len(cfg.Best) > 0 && ctx.Err() == nil {
		if o, err := sampledBest(whole, s, g, cfg, over); o != nil || err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return o, err
		}
	} else if over != "" && cfg.sampled() && ctx.Err() == nil {
		if f := g.Frontier(); f.Weight <= 1-LeastSolved {
			if o, err := Sampled(whole, s, g, cfg, f, over); o != nil || err != nil {
				return o, err
			}
		}
	}
	switch {
	case err == nil:
		return o, nil
	case ctx.Err() != nil && len(cfg.Best) > 0:
		return nil, &interp.RunError{Kind: interp.Cancelled, Diag: &lang.Diagnostic{Message: "stopped before the best answers were known"}}
	case ctx.Err() != nil:
		return unfinished(s, g, cfg), nil
	case errors.Is(err, context.DeadlineExceeded):
		d := &lang.Diagnostic{Message: tooLongFor(cfg.Time)}
		endless(g, d)
		return nil, &interp.RunError{Kind: interp.Limit, Over: interp.OverTime, Diag: d}
	}
	return nil, OddsError(s, g, err)
}

// solvingTenths is how much of the time, in tenths, may pass before what is not solved by then
// is sampled. Intervals narrow with the root of the time for trials: those of four tenths are half as
// wide again as trials in all of the time would make them, but those of two tenths twice as wide.
const solvingTenths = 6

// LeastSolved is the share s that has to be solved for the rest to be sampled. The interval is then
// 1-s times as wide as that of as many trials from the beginning, so that it takes 1/(1-s)² as many of
// those to tell as much: of a twentieth a tenth more. The simulator, which remembers what it has
// executed and uses all processors, saves more than that; and bounds that are further apart than
// 95 points bound nothing.
const LeastSolved = 0.05

// OverOf gives the bound that odds have met, "" where that is not what went wrong.
func OverOf(err error) interp.Over {
	switch {
	case errors.Is(err, odds.ErrStates):
		return interp.OverStates
	case errors.Is(err, odds.ErrMemory):
		return interp.OverMemory
	case errors.Is(err, context.DeadlineExceeded):
		return interp.OverTime
	}
	return ""
}

// solved gives what comes of a graph that is complete.
func solved(ctx context.Context, s *core.Run, g *odds.Graph, cfg Config, aims bool) (*Odds, error) {
	var v odds.Means
	if aims {
		if _, err := YesOrNo(s, g); err != nil {
			return nil, err
		}
		v = g.Best(WorthOf(s))
	}
	w := weights{all: g.Floats()}
	switch few := len(g.Checkpoints) <= exactStates && len(g.Unfollowed()) == 0; {
	case cfg.Exact || few && g.Acyclic():
		w.exact = g.Fractions()
	case few:
		w.exact = g.SomeFractions(exactWork)
	}
	noted := g.Noted()
	if err := g.Err(); err != nil {
		return nil, err
	}
	o, err := distributions(ctx, s, g, cfg, &w)
	if err != nil {
		return nil, err
	}
	o.Refused = dist.Refused(s, g.Notes.List, noted)
	if aims {
		o.Value, o.Decisions = v.Of[0], decisions(s, g, v)
		o.Least, o.Most = o.Value, o.Value
	}
	return o, g.Err()
}

// unfinished gives what is known of a graph whose context has ended: at once, so without
// ends where there are many.
func unfinished(s *core.Run, g *odds.Graph, cfg Config) *Odds {
	if len(g.Checkpoints) <= fewStates {
		if o, err := distributions(context.Background(), s, g, cfg, &weights{all: g.Reached()}); err == nil {
			for i, p := range g.Reached() {
				if r := g.Checkpoints[i]; cfg.Goal != "" && r.Kind == odds.Terminal {
					o.Value += p * WorthOf(s)(r)
				}
			}
			o.Stopped = true
			return o
		}
	}
	return &Odds{Remainder: 1, Stopped: true, States: len(g.Checkpoints), Merged: g.Merged, heap: s.Heap}
}

// fewStates is how many states there may be for what is known of them to be told at once.
const fewStates = 50_000

// Graph makes the graph of what p leads to where some decide for the best; done
// gives the machine back.
func Graph(p *core.Prepared, best []string) (g *odds.Graph, done func()) {
	s, m := p.Run, p.Run.M
	back := m.Switch(m.Unheard(), p.World.Prog)
	m.Seeded = false
	// what was given beforehand falls first, and is part of the state
	faces, answers, own := m.Faces, m.Answers, m.Own
	m.Own.Faces, m.Own.Answers = slices.Clone(own.Faces), slices.Clone(own.Answers)
	for _, f := range faces {
		m.Own.Faces = append(m.Own.Faces, machine.Ahead{N: f.Face, Once: true})
	}
	for _, a := range answers {
		m.Own.Answers = append(m.Own.Answers, machine.Ahead{N: a.Option, Text: a.Over, Once: true})
	}
	m.Faces, m.Answers = nil, nil
	m.Store = append(m.Store[:0], p.State.Store...)
	s.Count()
	m.Reports = nil
	key := strings.Join(best, "\x00")
	if p.Memory == nil {
		p.Memory = map[string]*odds.Memory{}
	}
	if p.Memory[key] == nil {
		p.Memory[key] = &odds.Memory{}
	}
	g = odds.New(m, p.Funcs, p.Memory[key])
	g.MaxBytes = int(s.Most.Memory)
	return g, func() {
		g.Close()
		back()
		m.Failures, m.Faults = nil, 0
		m.Faces, m.Answers, m.Own = faces, answers, own
	}
}

// Least is the weight below which a state is not followed.
const Least = 1e-16

// exactStates is how many states a graph may have for its weights to be worked out as fractions
// without being asked for, and exactWork how much work that may be where a state comes round again: some milliseconds.
const (
	exactStates = 4000
	exactWork   = 1 << 15
)
