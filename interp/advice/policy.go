package advice

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/goals"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/trials"
	"setpiece/interp/odds"
	"setpiece/lang"
)

// Where exact odds are too much, so is the best answer in every state. What trials can
// find is the best policy among those that give one and the same answer whenever a
// decision comes up. The decisions are taken one after the other, the most frequent first:
// each of their answers is tried with the same dice as the default (common random numbers,
// see Glasserman and Yao, Some guidelines and guarantees for common random numbers, 1992),
// and is kept where it is better by more than chance. What the policy is worth is then
// counted in trials that took no part in the search, since the best of many estimates is
// an estimate that was lucky.

// PolicyConfig says how a policy is looked for. The zero value is usable.
type PolicyConfig struct {
	Best   []string      // who decides by it, see odds.Config.Best
	Goal   string        // what it aims at, see odds.Config.Goal
	Trials int           // made for each answer; 0: DefaultPolicyTrials
	Time   time.Duration // bound on the search; 0: none

	// Answers bounds how many answers are tried, 0: all. Then everybody who decides has
	// their turn, and of a decision with many answers a few are tried.
	Answers int
}

// DefaultPolicyTrials is how many trials are made where PolicyConfig says nothing.
const DefaultPolicyTrials = 500

// fewAnswers is how many other answers to one decision are tried where their number is bounded.
const fewAnswers = 3

// Policy is one answer for each decision, with what it is worth.
type Policy struct {
	Value, Half     float64 // the mean of the goal with these answers, with half of its 95 % interval
	Default, Within float64 // the same where every decision takes its default
	Chance          bool    // the goal is yes or no
	Trials          int
	Stops           float64          // the share of the trials that stop with an error, which Value leaves out
	Decisions       []PolicyDecision // from the most frequent down
}

// PolicyDecision is a decision that comes up in trials.
type PolicyDecision struct {
	Who, Name, Prompt, Cost string
	Options                 []string
	Default, Taken          int
	Weight                  float64 // the share of the trials in which it comes up
	Tried                   bool
	Values, Half            []float64 // by option: the mean of the goal, and half of the interval of its distance from the default
	Stops                   []float64 // by option: the share of the trials that stop with it
	Sure                    []bool    // by option: it is not by luck that it comes to something else than the default
}

// policy answers decisions in trials.
type policy struct {
	best  []string
	fixed map[string]int
	seen  map[string]*PolicyDecision // nil: they are not counted
	came  map[string]bool            // in this trial
}

// keyOf tells decisions apart by what is asked of whom.
func keyOf(q interp.Question) string {
	return q.Who + "\x00" + q.Name + "\x00" + strings.Join(q.Options, "\x00")
}

// Choose implements Choice.
// Begin forgets what came to be asked in the trial before.
func (p *policy) Begin() { clear(p.came) }

func (p *policy) Choose(_ context.Context, q interp.Question) (int, error) {
	if !slices.Contains(p.best, odds.Everybody) && !slices.Contains(p.best, q.Who) || len(q.Options) < 2 {
		return q.Default, nil
	}
	key := keyOf(q)
	if p.seen != nil && !p.came[key] {
		d := p.seen[key]
		if d != nil {
			d.Prompt = inCommon(d.Prompt, q.Prompt)
		} else {
			d = &PolicyDecision{Who: q.Who, Name: q.Name, Prompt: q.Prompt, Cost: q.Cost, Options: slices.Clone(q.Options), Default: q.Default, Taken: q.Default}
			p.seen[key] = d
		}
		d.Weight++
		p.came[key] = true
	}
	if n, ok := p.fixed[key]; ok {
		return n, nil
	}
	return q.Default, nil
}

// inCommon gives what two prompts of one decision have in common, with … for the words in
// which they differ: "The attack is … +4: how much Resolve?"
func inCommon(a, b string) string {
	if a == b {
		return a
	}
	x, y := strings.Fields(a), strings.Fields(b)
	n := min(len(x), len(y))
	head, tail := 0, 0
	for head < n && x[head] == y[head] {
		head++
	}
	for tail < n-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	between := []string{"…"}
	if len(x) == len(y) {
		between = x[head : len(x)-tail : len(x)-tail]
		for i := range between {
			if between[i] != y[head+i] {
				between[i] = "…"
			}
		}
		between = slices.CompactFunc(between, func(a, b string) bool { return a == "…" && b == "…" })
	}
	return strings.Join(slices.Concat(x[:head], between, x[len(x)-tail:]), " ")
}

// PolicyOf estimates by trials what the best answers to the decisions of some are worth,
// where each decision is answered the same way whenever it comes up. The session is not
// changed.
func PolicyOf(ctx context.Context, s *interp.Session, src *lang.Source, cfg PolicyConfig) (*Policy, error) {
	if s.Running() {
		return nil, interp.ErrRunning
	}
	start := core.Of(s).Keep()
	defer core.Of(s).Back(start)
	goal, err := odds.BestGoal(ctx, core.Of(s), src, cfg.Best, cfg.Goal)
	if err != nil {
		return nil, err
	}
	text, err := goals.WithGoal(ctx, goals.Reporting(ctx, nil, src), goal)
	if err != nil {
		return nil, err
	}
	p, err := core.Of(s).Prepare(ctx, text)
	if err != nil {
		return nil, err
	}
	return PolicyFrom(ctx, p, cfg)
}

func PolicyFrom(ctx context.Context, p *core.Prepared, cfg PolicyConfig) (*Policy, error) {
	n, seed := core.Or(cfg.Trials, DefaultPolicyTrials), p.Run.Seed
	until := time.Time{}
	if cfg.Time > 0 {
		until = time.Now().Add(cfg.Time)
	}
	c := &policy{best: cfg.Best, fixed: map[string]int{}, seen: map[string]*PolicyDecision{}, came: map[string]bool{}}
	base, chance, err := trials.Figures(ctx, p, 0, n, seed, until, c)
	if err != nil {
		return nil, err
	}
	out := &Policy{Chance: chance, Trials: len(base)}
	var keys []string
	for key, d := range c.seen {
		d.Weight /= float64(len(base))
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(c.seen[b].Weight, c.seen[a].Weight), cmp.Compare(a, b))
	})
	left := cfg.Answers
	if left > 0 {
		inTurns(keys, func(key string) string { return c.seen[key].Who })
	}
	for _, key := range keys {
		d := c.seen[key]
		if cfg.Answers > 0 {
			if left -= len(answersOf(d, fewAnswers)); left < 0 {
				out.Decisions = append(out.Decisions, *d)
				continue
			}
		}
		if base, err = improve(ctx, p, c, key, d, base, until, cfg.Answers > 0); err != nil {
			return nil, err
		}
		out.Decisions = append(out.Decisions, *d)
	}
	fresh := trials.Seed(seed, int64(n))
	if out.Value, out.Half, out.Stops, err = worth(ctx, p, len(base), fresh, &policy{best: cfg.Best, fixed: c.fixed}); err != nil {
		return nil, err
	}
	out.Default, out.Within, _, err = worth(ctx, p, len(base), fresh, &policy{})
	return out, err
}

// improve tries the answers of one decision and keeps the best, and gives what the trials
// come to with it.
func improve(ctx context.Context, p *core.Prepared, c *policy, key string, d *PolicyDecision, base []float64, until time.Time, few bool) ([]float64, error) {
	d.Values, d.Half = make([]float64, len(d.Options)), make([]float64, len(d.Options))
	d.Stops, d.Sure = make([]float64, len(d.Options)), make([]bool, len(d.Options))
	d.Values[d.Default], _ = dist.MeanOf(dist.Finite(base), nil)
	d.Stops[d.Default] = dist.Stopped(base)
	best, gain := base, 0.0
	most := len(d.Options)
	if few {
		most = fewAnswers
	}
	answers := answersOf(d, most)
	for k := range d.Options {
		if !slices.Contains(answers, k) && k != d.Default {
			d.Values[k] = math.NaN()
		}
	}
	for _, k := range answers {
		if !until.IsZero() && time.Now().After(until) {
			d.Tried = false
			return best, nil
		}
		fixed := map[string]int{key: k}
		for other, answer := range c.fixed {
			if other != key {
				fixed[other] = answer
			}
		}
		xs, _, err := trials.Figures(ctx, p, 0, len(base), p.Run.Seed, time.Time{}, &policy{best: c.best, fixed: fixed})
		if err != nil {
			return nil, err
		}
		d.Tried, d.Stops[k] = true, dist.Stopped(xs)
		by, half := dist.Ahead(xs, base)
		if math.IsNaN(by) {
			d.Values[k] = math.NaN() // it always stops
			continue
		}
		d.Values[k], d.Half[k] = d.Values[d.Default]+by, half
		d.Sure[k] = dist.Proven(xs, base, len(answers)) || dist.Proven(base, xs, len(answers))
		if by > gain && dist.Proven(xs, base, len(answers)) {
			best, gain, d.Taken, c.fixed[key] = xs, by, k, k
		}
	}
	return best, nil
}

// answersOf gives the answers other than the default, evenly spread where there are more than
// are wanted.
func answersOf(d *PolicyDecision, most int) []int {
	var all []int
	for k := range d.Options {
		if k != d.Default {
			all = append(all, k)
		}
	}
	if len(all) <= most {
		return all
	}
	var out []int
	for i := range most {
		out = append(out, all[i*(len(all)-1)/(most-1)])
	}
	return out
}

// inTurns puts a list in an order in which each who has their turn.
func inTurns(list []string, who func(string) string) {
	turn, round := map[string]int{}, map[string]int{}
	for _, x := range list {
		turn[x] = round[who(x)]
		round[who(x)]++
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(turn[a], turn[b]) })
}

// worth gives the mean that trials come to, and the share of those that stop.
func worth(ctx context.Context, p *core.Prepared, n int, seed uint64, c interp.Choice) (mean, half, stops float64, err error) {
	xs, _, err := trials.Figures(ctx, p, 0, n, seed, time.Time{}, c)
	ends := dist.Finite(xs)
	if err == nil && len(ends) == 0 {
		err = errors.New("every trial stopped with an error; setpiece sim shows where")
	}
	if err != nil {
		return 0, 0, 0, err
	}
	mean, half = dist.MeanOf(ends, nil)
	return mean, half, dist.Stopped(xs), nil
}
